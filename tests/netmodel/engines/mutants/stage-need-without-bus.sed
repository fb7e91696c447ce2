# netmodel/multistage-engine/cycle.c
# Rules 2 and 3: a link asks for room for its bus, too.
s/next->bits + need <= engine->capacity/next->bits + engine->multistage->link_bits <= engine->capacity/
