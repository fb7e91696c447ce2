# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 8: flits are counted in slots in which none came.
s/ - (pace != SPARSE)//
