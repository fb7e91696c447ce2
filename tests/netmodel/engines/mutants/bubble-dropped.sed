# netmodel/packet-engine/kernel-room.h
# Rule 6: who enters a ring needs room for one packet only.
# case 169
s/return driver == local ? -(int32_t)given.constants.largest : 0;/return -(int32_t)given.constants.largest;/
