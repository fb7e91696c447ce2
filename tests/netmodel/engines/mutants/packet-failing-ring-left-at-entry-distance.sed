# netmodel/packet-engine/faults.c
# Rule 22 of doc/faults.md: the ring of KFT is left where nothing is gained.
s/packet) < state->near/packet) <= state->near/
