# netmodel/packet-engine/faults.h
# Rule 22 of doc/faults.md: the ring of KFT is left where nothing is gained.
s/index) < packet->near/index) <= packet->near/
