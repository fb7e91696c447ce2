# netmodel/engine-cycle.c
# Rule 6: a flit that leaves in this cycle is counted in this cycle.
s/(uint32_t)(cycle - output->departure)/(uint32_t)(cycle + 1 - output->departure)/
