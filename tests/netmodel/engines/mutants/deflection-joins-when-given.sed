# netmodel/deflection-engine/engine.c
# doc/deflection.md: rule 1: a message joins its source when it is given, before its cycle.
s/!net_flights_is_simple(flights, cycle)/!net_pool_has_room(\&flights->pool)/
