# netmodel/engine-cycle.c
# The shortfall is computed without its sign: the engine's first version.
s/if (shortfall <= 0)/if (output->need_least <= output->room)/
