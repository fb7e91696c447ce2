# netmodel/flit-engine/cycle.c
# Rule 12: a narrow link takes a flit in every cycle.
s/pace->free = cycle + pace->width/pace->free = cycle + 1/
