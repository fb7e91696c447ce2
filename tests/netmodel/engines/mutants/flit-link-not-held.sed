# netmodel/flit-engine/cycle.c
# Rule 5: a held link is multiplexed all the same.
s/if (!engine->network.options.multiplexed)/if (false)/
