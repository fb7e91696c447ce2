# netmodel/packet-engine/faults.c
# Rule 21 of doc/faults.md: a ring packet is none where the ring has gone before it came.
s/state, target)->special |= BIT(output)/state, target)->special |= 0 * BIT(output)/
/->came |= BIT(output)/d
