# netmodel/flit-engine/faults.c
# Rule 22 of doc/faults.md: a ring is entered by its first output, not by that with most room.
s/output\[local\].room > output\[best\].room/output[local].room > UINT32_MAX - 1/
