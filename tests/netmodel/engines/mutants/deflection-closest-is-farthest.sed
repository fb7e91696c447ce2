# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 7: those that are farthest from their targets are served.
s/packet + engine->one_way->diameter - engine->one_way->distance/packet + engine->one_way->distance/
