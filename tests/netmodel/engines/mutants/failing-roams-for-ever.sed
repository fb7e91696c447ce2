# netmodel/faults/data.h
# Rule 22 of doc/faults.md: a ring through all routers is left anywhere, however often packets have been on it.
s/ \&\& packet->ring_links < .*;/;/
