# netmodel/engine-cycle.c
# Rule 7: the tie is drawn with another constant.
s/base_hash(packet->key, UINT64_MAX)/base_hash(packet->key, 0)/
