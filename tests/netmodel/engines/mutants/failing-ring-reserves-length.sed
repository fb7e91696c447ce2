# netmodel/flit-engine/faults.c
# Rule 23 of doc/faults.md: a ring reserves the packet's own length.
s/(uint16_t)(by_ring || net_flit_has/(uint16_t)(net_flit_has/
