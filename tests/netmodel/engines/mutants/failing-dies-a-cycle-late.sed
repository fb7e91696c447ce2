# netmodel/flit-engine/faults.c
# Rule 2 of doc/faults.md: a dead link grants once more.
s/next_death(faults) <= cycle; faults/next_death(faults) < cycle; faults/
