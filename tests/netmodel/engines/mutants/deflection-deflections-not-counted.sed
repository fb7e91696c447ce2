# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 8: good hops are counted as deflections.
s/deflected += (list->good\[i\] >> port \& 1) == 0/deflected += (list->good[i] >> port \& 1) != 0/
