# netmodel/packet-engine/faults.c
# Rule 21 of doc/faults.md: a packet that came by a ring output is none of a ring where that has gone since.
/\.came |= BIT(output)/d
