# netmodel/engine-cycle.c
# Rule 3: the draw is made with the number of the next cycle.
s/base_hash(packet->key, cycle), count/base_hash(packet->key, cycle + 1), count/
