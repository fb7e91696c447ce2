# netmodel/engine-cycle.c
# Rule 5: the pointer of a link over its virtual channels does not move.
/link->pointer = (uint8_t)(channel + 1/d
