# netmodel/packet-engine/kernel-room.h
# Rule 6: the flits that have left the next buffer are not counted before the tail has.
s/return output->spare + (uint16_t)(cycle - output->departure);/return output->spare;/
