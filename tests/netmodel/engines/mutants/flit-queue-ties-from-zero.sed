# netmodel/flit-engine/cycle.c
# Rule 4: among equal queues the lowest driver wins.
s/return first_from(bits, contest->pointer);/return first_from(bits, 0);/
