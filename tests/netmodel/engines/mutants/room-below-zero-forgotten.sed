# netmodel/packet-engine/kernel-room.h
# The shortfall is computed without its sign: the engine's first version.
# case 81
s/need_least == NET_PACKET_NEED_NONE || shortfall <= 0/need_least == NET_PACKET_NEED_NONE || (uint32_t)output->need_least <= (uint32_t)output->spare/
