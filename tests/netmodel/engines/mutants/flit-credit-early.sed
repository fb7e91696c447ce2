# netmodel/flit-engine/engine.c
# Rule 6: a place is seen to be free one cycle too early.
s/engine->credit_age = options->credit_cycles;/engine->credit_age = options->credit_cycles - (options->credit_cycles > 1);/
