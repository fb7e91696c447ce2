# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 4: a lossy source loses one message of several.
s/while (engine->network.options.lossy/if (engine->network.options.lossy/
