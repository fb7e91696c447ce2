# netmodel/engines/flights.h
# Rule 2: a message given in its own cycle goes before one given earlier.
s/ || net_flights_next(flights) <= joins//
