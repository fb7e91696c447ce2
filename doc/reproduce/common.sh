# To be sourced by the scripts beside it: `. "$(dirname "$0")/common.sh"`.
#
#   measure NAME OPTION...     flitreplay traffic OPTION..., whose CSV is kept under NAME; nothing is printed
#   show NAME OPTION...        the same, with the command and its answer printed
#   value NAME COLUMN [LINE]   a number of the CSV: of its LINE-th point, or of the last
#   most NAME COLUMN           the largest of a column
#   columns FILE NAME...      columns of a CSV by their names, a line a row, between bars
#   decimals N VALUE           VALUE with N decimals
#   is VALUE OPERATOR VALUE    a comparison of real numbers: < <= > >=
#   claim TEXT COMMAND...      prints "holds" or "differs" before TEXT, as COMMAND succeeds or not
#
# FLITREPLAY names the program (flitreplay), JOBS the runs at a time (1). With --quick as the script's first argument
# everything is small and short: the commands are tried, the numbers mean nothing.
# shellcheck shell=sh
set -u
LC_ALL=C
export LC_ALL
program=${FLITREPLAY:-flitreplay}
results=$(mktemp -d) || exit 99
trap 'rm -rf "$results"' EXIT
quick=no
[ "${1:-}" != --quick ] || quick=yes

# full VALUE QUICK: the first, or the second with --quick.
full() { if [ "$quick" = yes ]; then printf '%s\n' "$2"; else printf '%s\n' "$1"; fi; }

fails() {
    printf 'failed: %s\n' "$*" >&2
    exit 1
}

measure() {
    measured=$1
    shift
    "$program" traffic "$@" -j "${JOBS:-1}" --quiet --csv "$results/$measured" || fails "flitreplay traffic $*"
}

show() {
    measured=$1
    shift
    printf '\n$ flitreplay traffic %s\n' "$*" | sed "s,$results/,,g"
    "$program" traffic "$@" -j "${JOBS:-1}" --csv "$results/$measured" || fails "flitreplay traffic $*"
}

# Commas inside quotes are no separators: fields of text are blanked first.
value() {
    awk -F , -v name="$2" -v line="${3:-0}" '
        { gsub(/"[^"]*"/, "x") }
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
        line == 0 || NR == line + 1 { found = $column }
        END { print found }' "$results/$1"
}

most() {
    awk -F , -v name="$2" '
        { gsub(/"[^"]*"/, "x") }
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
        NR == 2 || $column > found { found = $column }
        END { print found }' "$results/$1"
}

# Commas inside quotes are no separators.
columns() {
    csv=$1
    shift
    awk -v wanted="$*" '{ line = ""
            for (i = 1; i <= length($0); i++) { c = substr($0, i, 1); if (c == "\"") quoted = !quoted
                else line = line (c == "," && !quoted ? "|" : c) }
            fields = split(line, field, "|")
            if (NR == 1) { for (i = 1; i <= fields; i++) place[field[i]] = i; count = split(wanted, name, " "); next }
            line = field[place[name[1]]]
            for (i = 2; i <= count; i++) line = line "|" field[place[name[i]]]
            print line }' "$csv"
}

decimals() { awk -v n="$1" -v value="$2" 'BEGIN { printf "%.*f\n", n, value }'; }

is() {
    awk -v left="$1" -v operator="$2" -v right="$3" 'BEGIN {
        left += 0; right += 0
        if (operator == "<") exit !(left < right)
        if (operator == "<=") exit !(left <= right)
        if (operator == ">") exit !(left > right)
        if (operator == ">=") exit !(left >= right)
        exit 2 }'
}

product() { awk -v left="$1" -v right="$2" 'BEGIN { printf "%.6f\n", left * right }'; }

# within VALUE EXPECTED PERCENT
within() {
    awk -v value="$1" -v expected="$2" -v percent="$3" 'BEGIN {
        difference = value - expected; if (difference < 0) difference = -difference
        exit !(difference <= expected * percent / 100) }'
}

claim() {
    claimed=$1
    shift
    if "$@"; then printf 'holds    %s\n' "$claimed"; else printf 'differs  %s\n' "$claimed"; fi
}
