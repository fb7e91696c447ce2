# netmodel/packet-engine/kernel-failing.h
# Rule 22 of doc/faults.md: of a packet that is leaving, the flits that have left do not count as room.
s/if (given.shape.even \&\& net_packet_driver_at(next, local)->departing != 0)/if (given.shape.even \&\& net_packet_driver_at(next, local)->departing > 9999)/
