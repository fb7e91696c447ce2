# netmodel/flit-engine/cycle.c
# Rule 9: the pointer of a link does not move.
/link->pointer = (uint8_t)(winner + 1/d
