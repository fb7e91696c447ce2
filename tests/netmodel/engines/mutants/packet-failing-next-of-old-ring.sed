# netmodel/packet-engine/faults.c
# Rule 16 of doc/faults.md: a ring packet goes on as on the ring that has been.
/memset(state->onward/d
