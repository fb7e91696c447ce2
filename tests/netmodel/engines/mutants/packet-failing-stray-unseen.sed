# netmodel/packet-engine/kernel-starts.h
# Rule 21 of doc/faults.md: a packet that came by a ring output is none of a ring where that has gone since.
/\.came |= BIT(local)/d
/\.watched |= BIT(local)/d
