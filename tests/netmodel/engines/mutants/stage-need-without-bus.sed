# netmodel/multistage-engine/cycle.c
# Rules 2 and 3: a link asks for room for its bus, too.
s/most = engine->capacity - level.need/most = engine->capacity - engine->multistage->link_bits/
