# netmodel/multistage-engine/cycle.c
# Rule 1: a full queue admits nothing.
s/engine->capacity - 1/engine->capacity/
