# To be sourced by tests of documents, after expect.sh: what stands between the markers "<!-- NAME: begin -->" and "end" of a
# document is run.
#
#   take_commands DOCUMENT NAME     each command ("    $ command") into a file $scratch/command.N, the lines shown below it into
#                                   $scratch/shown.N, and files ("<!-- file: NAME -->", then indented lines) into the current directory
#   shows FILE FILE                 succeeds if the lines of the first are in the second, in this order
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
