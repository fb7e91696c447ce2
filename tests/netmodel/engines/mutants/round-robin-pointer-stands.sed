# netmodel/packet-engine/kernel-starts.h
# Rule 4: the pointer does not move on a grant.
/granted->pointer = (uint8_t)(driver + 1/d
