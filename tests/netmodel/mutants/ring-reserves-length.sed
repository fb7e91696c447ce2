# netmodel/kernel-room.h
# Rule 6: a packet on a ring reserves its own length.
s/return (int32_t)((given.constants.rings & bit) != 0 ? given.constants.largest : length);/return (int32_t)length;/
