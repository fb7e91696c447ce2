# netmodel/multistage-engine/cycle.c
# Rule 4: a bus serves by the state of bus-cycles - 1 cycles before.
s/chosen = chosen_in(engine, engine->network.now + 1);/chosen = chosen_in(engine, engine->network.now);/
