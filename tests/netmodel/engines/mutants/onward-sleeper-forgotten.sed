# netmodel/packet-engine/kernel-room.h
# Rule 6: the last place of a ring wakes nobody, not even who goes on along it.
# case 1176
s/return place ? output->waiting & given.constants.rings & BIT(local) : 0;/return 0;/
