# netmodel/flit-engine/sets.h
# Wide routers: of several outputs the last is never drawn.
s/base_scale(drawn, count)/base_scale(drawn, count > 1 ? count - 1 : 1)/
