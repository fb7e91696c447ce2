# netmodel/engine-cycle.c
# Rule 6: the flits that have left the next buffer are not counted before the tail has.
s/return output->room + (uint32_t)(cycle - output->departure);/return output->room;/
