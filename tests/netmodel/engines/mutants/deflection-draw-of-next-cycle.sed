# netmodel/deflection-engine/choice.h
# doc/deflection.md: rule 7: the choice is drawn with the number of the next cycle.
s/engine->network.now), count)/engine->network.now + 1), count)/
