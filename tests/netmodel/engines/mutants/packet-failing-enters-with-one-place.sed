# netmodel/packet-engine/faults.h
# Rule 23 of doc/faults.md: a ring is entered with one place.
s/on_ring ? engine->largest : 2 \* engine->largest/on_ring ? engine->largest : engine->largest/
