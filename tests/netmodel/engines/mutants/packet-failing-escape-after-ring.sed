# netmodel/packet-engine/faults.c
# Rule 22 of doc/faults.md: packets of Immucube that have met a fault take the escape.
s/state->waves, met != 0)/state->waves, met > 1)/
