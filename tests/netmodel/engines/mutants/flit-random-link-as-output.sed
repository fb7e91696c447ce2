# netmodel/flit-engine/cycle.c
# Rule 5: the random arbiter of a link draws with o instead of ~o.
s/~((uint64_t)router->number \* engine->outputs_drawn + base)/(uint64_t)router->number * engine->outputs_drawn + base/
