# netmodel/flit-engine/lanes.c
# Rule 9: the pointer of a link of two channels does not move.
/lanes->turn = (turn/d
