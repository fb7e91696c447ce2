# netmodel/flit-engine/engine.c
# Rule 1: a slow link is one cycle faster.
s/engine->arrival_age = options->link_cycles;/engine->arrival_age = options->link_cycles - (options->link_cycles > 1);/
