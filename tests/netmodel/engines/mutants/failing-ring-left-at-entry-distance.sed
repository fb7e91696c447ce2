# netmodel/flit-engine/faults.c
# Rule 22 of doc/faults.md: the ring of KFT is left where nothing is gained.
s/driver->head) < packet->near/driver->head) <= packet->near/
