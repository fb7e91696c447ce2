# netmodel/packet-engine/packets.c
# Rule 7: the tie is drawn with another constant.
s/base_hash_second(packet->key, UINT64_MAX)/base_hash_second(packet->key, 0)/
