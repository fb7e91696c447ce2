# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 4: a packet enters only where two could.
s/serve_source(engine, router, inputs != all,/serve_source(engine, router, (uint32_t)__builtin_popcount(inputs) + 1 < ports,/
