# netmodel/broad-engine/cycle.c
# Rule 6: what leaves a buffer makes room only when its tail has left.
s|upstream->leaving = (uint16_t)length;|upstream->leaving = 0;|
