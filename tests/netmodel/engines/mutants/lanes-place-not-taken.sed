# netmodel/flit-engine/lanes.c
# Rule 8: a flit that crosses takes no place.
s/_mm_and_si128(moved, row_of(links))/_mm_setzero_si128()/
