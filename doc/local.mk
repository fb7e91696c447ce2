# The documents that are installed or distributed.
EXTRA_DIST += doc/flitreplay.bash-completion
dist_man_MANS += doc/flitreplay.1
