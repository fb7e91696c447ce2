# netmodel/packet-engine/kernel-starts.h
# Rule 23 of doc/faults.md: what a ring packet has reserved beyond its length does not come back.
s/(uint64_t)packet->on_ring << driver/(uint64_t)false << driver/
