# To be sourced by the tests of the command line: `. "$top_srcdir/tests/cli/expect.sh"`.
#
#   expect STATUS TEXT COMMAND...   runs COMMAND; the test fails unless it ends with STATUS and says TEXT, a fixed string, on
#                                   standard output or error ('' for any), wherever its lines end: a sentence with a path is
#                                   folded where the path's length says. Its output is left in $output and $errors.
#   holds WHAT COMMAND...           the test fails unless COMMAND succeeds
#   built_with LIBRARY              whether the program was built with it (a name of `flitreplay --version`)
#   finish                          ends the script
# shellcheck shell=sh
set -u
: "${top_srcdir:=.}" "${top_builddir:=.}"
scratch=$(mktemp -d) || exit 99
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
. "$top_srcdir/tests/cli/program.sh"
data=$top_srcdir/tests/data
output=$scratch/output
errors=$scratch/errors
failures=0 checks=0

# libotf2 3.0.2 leaks when an anchor file is damaged. Only that is kept from the leak sanitizer, where there is one.
printf 'leak:otf2_archive_open\nleak:otf2_file_posix_open\nleak:OTF2_UTILS_IO_JoinPath\n' >"$scratch/leaks"
LSAN_OPTIONS=${LSAN_OPTIONS:+$LSAN_OPTIONS:}suppressions=$scratch/leaks:print_suppressions=0
export LSAN_OPTIONS

expect() {
    wanted=$1 text=$2
    shift 2
    checks=$((checks + 1))
    "$@" >"$output" 2>"$errors" </dev/null
    status=$?
    if [ "$status" != "$wanted" ]; then
        fail "status $status, not $wanted: $*"
    elif [ -n "$text" ] && ! is_said "$text"; then
        fail "does not say '$text': $*"
    elif [ "$status" -ge 2 ] && [ -s "$output" ]; then
        fail "failed, but printed an answer as well: $*"
    elif [ "$status" -ge 2 ] && [ ! -s "$errors" ]; then
        fail "failed in silence: $*"
    fi
}

is_said() {
    grep -qF -e "$1" "$output" "$errors" || cat "$output" "$errors" | tr -s ' \n' '  ' | grep -qF -e "$1"
}

fail() {
    failures=$((failures + 1))
    echo "not ok: $1"
    [ ! -s "$output" ] || sed 's/^/  out: /' "$output" | head -n 20
    [ ! -s "$errors" ] || sed 's/^/  err: /' "$errors" | head -n 20
}

holds() {
    what="not so: $1"
    shift
    checks=$((checks + 1))
    "$@" || fail "$what"
}

built_with() {
    "$flitreplay" --version | grep -q "^with .*$1"
}

finish() {
    echo "$checks checks, $failures failed"
    [ "$failures" = 0 ] && [ "$checks" -gt 0 ]
    exit
}
