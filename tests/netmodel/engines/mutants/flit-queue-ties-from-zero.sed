# netmodel/flit-engine/heads.h
# Rule 4: among equal queues the lowest driver wins.
s/return net_flit_from(&ties, contest->pointer);/return net_flit_from(\&ties, 0);/
