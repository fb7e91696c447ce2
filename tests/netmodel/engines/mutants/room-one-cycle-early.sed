# netmodel/packet-engine/kernel-room.h
# Rule 6: a flit that leaves in this cycle is counted in this cycle.
s/return output->spare + (uint16_t)(cycle - output->departure);/return output->spare + (uint16_t)(cycle + 1 - output->departure);/
