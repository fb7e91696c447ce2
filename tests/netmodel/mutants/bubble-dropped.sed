# netmodel/engine-cycle.c
# Rule 6: who enters a ring needs room for one packet only.
s/2 \* engine->largest/engine->largest/
