# netmodel/engine-cycle.c
# Rule 6: a packet on a ring reserves its own length.
s/return output->ring ? engine->largest : length;/return length;/
