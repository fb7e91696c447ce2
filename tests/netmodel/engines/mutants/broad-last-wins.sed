# netmodel/broad-engine/cycle.c
# Rule 4: of several requests the last in the order of turns wins, as if the pointer stood elsewhere.
s/(best == NET_NONE || goes_before/(true || goes_before/
