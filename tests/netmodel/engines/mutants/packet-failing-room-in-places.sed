# netmodel/packet-engine/kernel-failing.h
# Rule 22 of doc/faults.md: while places are counted the flits that have left are forgotten.
s/if (given.shape.even \&\& net_packet_driver_at(next/if (false \&\& net_packet_driver_at(next/
