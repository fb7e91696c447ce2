# netmodel/faults/data.h
# Rule 22 of doc/faults.md: the ring of KFT is left into the escape, without re-injection.
s/{true, NET_FAULT_REINJECT}/{true, NET_FAULT_ESCAPE}/
