# To be sourced: flitreplay becomes the path of the program that was built, without libtool's script before it, where there is one:
# that takes longer than most commands.
# shellcheck shell=sh
: "${top_builddir:=.}"
flitreplay=$top_builddir/flitreplay
if [ -x "$top_builddir/.libs/flitreplay" ] && [ "$(head -c 2 "$flitreplay")" = '#!' ]; then
    flitreplay=$top_builddir/.libs/flitreplay
    LD_LIBRARY_PATH=$(cd "$top_builddir/.libs" && pwd)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
fi
