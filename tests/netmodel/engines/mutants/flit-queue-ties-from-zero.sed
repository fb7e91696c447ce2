# netmodel/flit-engine/heads.h
# Rule 4: among equal queues the lowest driver wins.
s/in_turn = net_flit_from(&contest->set, pointer), best/in_turn = net_flit_from(\&contest->set, 0), best/
