# To be sourced by tests of documents, after expect.sh: what stands between the markers "<!-- NAME: begin -->" and "end" of a
# document is run.
#
#   take_commands DOCUMENT NAME     each command ("    $ command") into a file $scratch/command.N, the lines shown below it into
#                                   $scratch/shown.N, and files ("<!-- file: NAME -->", then indented lines) into the current directory
#   shows FILE FILE                 succeeds if the lines of the first are in the second, in this order
#   run_document DOCUMENT NAME      all of it: the commands run in order in $scratch/checkout/here, with the program in the PATH and the checkout's
#                                   folders above, and print what is shown below them; every decimal number of the text, but those of figures, is
#                                   in something printed ($scratch/printed). The document is in $document, a path
# shellcheck shell=sh

take_commands() {
    awk -v scratch="$scratch" -v name="$2" '
        $0 == "<!-- " name ": begin -->" { inside = 1 }
        $0 == "<!-- " name ": end -->" { inside = 0 }
        !inside { next }
        /^<!-- file: / { file = $3; shown = 0; next }
        file != "" && /^    \$ / { file = "" }
        file != "" && /^    / { sub(/^    /, ""); print > file; next }
        file != "" && /^$/ { print > file; next }
        file != "" { file = "" }
        /^    \$ / { number++; sub(/^    \$ /, ""); print > (scratch "/command." sprintf("%02d", number)); shown = 1; next }
        /^    / && shown { sub(/^    /, ""); print > (scratch "/shown." sprintf("%02d", number)); next }
        { shown = shown && /^$/ }' "$1"
}

# Lines of "..." in the first file stand for any others.
shows() {
    awk '
        NR == FNR { if ($0 != "...") wanted[++count] = $0; next }
        place < count && $0 == wanted[place + 1] { place++ }
        END { if (place < count) print "not printed: " wanted[place + 1]; exit place < count }' "$1" "$2"
}

# The decimal numbers of the text, without its indented lines, what stands in backquotes and the numbers of figures.
numbers() { # DOCUMENT
    grep -v '^    ' "$1" | sed 's/`[^`]*`//g; s/Figures\{0,1\} [0-9.]*//g' | grep -oE '[0-9]+\.[0-9]+' | sort -u
}
numbers_hold() { # DOCUMENT
    numbers "$1" | while read -r number; do
        grep -qwF -e "$number" "$scratch/printed" || { echo "no command prints $number"; exit 1; }
    done
}

run_document() {
    document=$1
    for library in SCOTCH SQLite libyaml; do
        "$flitreplay" --version | grep -q "$library" || { echo "skipped: built without $library, which ${1##*/} needs"; exit 77; }
    done
    mkdir -p "$scratch/checkout/here" "$scratch/bin" || exit 99
    for folder in doc tests; do ln -s "$(cd "$top_srcdir" && pwd)/$folder" "$scratch/checkout/$folder"; done
    ln -s "$(cd "$top_builddir" && pwd)/flitreplay" "$scratch/bin/flitreplay"
    for candidate in /usr/bin/python3 python3; do
        if "$candidate" -c 'import matplotlib, pandas' 2>/dev/null; then
            ln -s "$(command -v "$candidate")" "$scratch/bin/python3"
            break
        fi
    done
    top_srcdir=$(cd "$top_srcdir" && pwd)
    PATH=$scratch/bin:$PATH
    cd "$scratch/checkout/here" || exit 99
    take_commands "$document" "$2"
    holds 'the document has commands' test -s "$scratch/command.10"
    for file in "$scratch"/command.*; do
        command=$(cat "$file")
        shown=$scratch/shown.${file##*.}
        case $command in
            python3*)
                if [ ! -e "$scratch/bin/python3" ]; then
                    echo "no Python with pandas and matplotlib: without $command"
                    cat "$shown" >>"$scratch/printed"
                    continue
                fi ;;
        esac
        expect 0 '' sh -c "$command"
        [ ! -s "$shown" ] || holds "${document##*/} shows what is printed by: $command" shows "$shown" "$output"
        cat "$output" >>"$scratch/printed"
    done
    holds 'numbers of the text are printed by a command' numbers_hold "$document"
}
