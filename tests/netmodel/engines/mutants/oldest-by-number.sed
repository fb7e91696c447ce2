# netmodel/engines/arbiters.h
# Rule 4: the oldest packet is that of the lowest message number, whenever injected.
s/if (first->generated != second->generated)/if (false)/
