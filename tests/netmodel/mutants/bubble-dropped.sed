# netmodel/engine-kernel.c
# Rule 6: who enters a ring needs room for one packet only.
s/2 \* given.constants.largest/given.constants.largest/
