# netmodel/engines/flights.h
# Rule 2: the pipeline of the source is not passed.
s/return cycle + flights->network->options.router_cycles - 1;/return cycle;/
