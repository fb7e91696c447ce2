# netmodel/packet-engine/faults.c
# Rule 21 of doc/faults.md: what stood in a queue before its ring was new stays on it.
s/ \&\& packet->granted >= router->ring_since ? ON_RING/ ? ON_RING/
