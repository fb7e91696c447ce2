# netmodel/packet-engine/kernel-room.h
# Rule 6: a packet on a ring reserves its own length.
s/bool whole = given.shape.even || (given.constants.rings & bit) != 0;/bool whole = given.shape.even;/
