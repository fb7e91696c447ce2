# netmodel/packet-engine/kernel-choice.h
# Rule 3: the draw is made with the number of the next cycle.
s/base_hash_second(key, cycle), count/base_hash_second(key, cycle + 1), count/
