# netmodel/engine-kernel.c
# The shortfall is computed without its sign: the engine's first version.
s/output->need_least == NET_NEED_NONE || shortfall <= 0/output->need_least == NET_NEED_NONE || output->need_least <= (uint32_t)output->room/
