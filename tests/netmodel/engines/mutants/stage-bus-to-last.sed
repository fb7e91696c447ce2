# netmodel/multistage-engine/cycle.c
# Rule 4: of equal ports the lowest has the bus.
s/if (value <= engine->best\[bus\])/if (value < engine->best[bus])/
