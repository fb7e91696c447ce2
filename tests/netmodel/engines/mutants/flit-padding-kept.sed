# netmodel/flit-engine/cycle.c
# Rule 6: what a ring reserved beyond the length is not given back.
s/padding = (uint16_t)(reserved - length);/(void)reserved;/
