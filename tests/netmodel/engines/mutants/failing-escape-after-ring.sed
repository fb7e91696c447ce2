# netmodel/flit-engine/faults.c
# Rule 22 of doc/faults.md: packets of Immucube that have met a fault take the escape.
s/, faults->packets\[driver->head\].ring.met)/, false)/
