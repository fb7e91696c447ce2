# netmodel/faults/data.c
# Rule 2 of doc/faults.md: a dead link grants once more.
s/next_death(data) <= cycle; data/next_death(data) < cycle; data/
