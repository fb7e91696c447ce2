# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 8: good hops are counted as deflections.
s/engine->deflected\[router\] += !good/engine->deflected[router] += good/
