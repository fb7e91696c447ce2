# netmodel/packet-engine/kernel-room.h
# The timed wake-up of a sleeper is not scheduled.
/schedule(at.part, crossing, NET_PACKET_EVENT_WAKE/d
