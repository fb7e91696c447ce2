# netmodel/flit-engine/lanes.c
# Rule 9: the pointer of a link of three channels and more does not move.
# case 938
/lanes->pointer\[port\] = /d
