# netmodel/flit-engine/engine.c
# Rule 2: a message given in its own cycle goes before one given earlier.
s/ || (first != NULL \&\& first->time <= join)//
