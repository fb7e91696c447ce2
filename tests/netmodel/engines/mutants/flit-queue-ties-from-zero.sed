# netmodel/flit-engine/cycle.c
# Rule 4: among equal queues the lowest driver wins.
s/return net_bits_from(bits, contest->pointer);/return net_bits_from(bits, 0);/
