# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 7: the choice is drawn with the number of the next cycle.
s/base_scale(base_hash(engine->keys\[router\], engine->network.now), count)/base_scale(base_hash(engine->keys[router], engine->network.now + 1), count)/
