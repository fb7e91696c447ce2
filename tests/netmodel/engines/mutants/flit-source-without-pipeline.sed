# netmodel/engines/flights.h
# Rule 2: the pipeline of the source is not passed.
s/uint64_t joins = cycle + network->options.router_cycles - 1;/uint64_t joins = cycle;/
