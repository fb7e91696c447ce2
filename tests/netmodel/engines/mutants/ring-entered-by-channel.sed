# netmodel/packet-engine/kernel-room.h
# Rule 6: a packet that changes the virtual channel on a ring counts as going on.
# case 169
s/return driver == local ? -/return driver \/ given.shape.channels == local \/ given.shape.channels ? -/
