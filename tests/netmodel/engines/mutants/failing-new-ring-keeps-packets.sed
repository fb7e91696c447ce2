# netmodel/faults/data.h
# Rule 21 of doc/faults.md: what stood in a queue before its ring was new stays on it.
s/ \&\& packet->granted >= ring_since ? NET_FAULT_ON_RING/ ? NET_FAULT_ON_RING/
