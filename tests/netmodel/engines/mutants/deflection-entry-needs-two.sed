# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 4: a packet enters only where two could.
s/list->count == ports)/list->count + 1 >= ports)/
