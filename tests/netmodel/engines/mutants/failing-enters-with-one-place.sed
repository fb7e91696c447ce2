# netmodel/flit-engine/faults.c
# Rule 23 of doc/faults.md: a ring is entered with one place.
s/standing_of(engine, driver) == NET_FAULT_ON_RING ? engine->largest : 2 \* engine->largest/engine->largest/
