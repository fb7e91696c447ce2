# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 7: new packets are chosen for as those in transit.
s/is_new \&\& !engine->parameters.equal ? ENTRY : TRANSIT/TRANSIT/
