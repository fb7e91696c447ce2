# netmodel/multistage-engine/cycle.c
# Rule 3: the pointer of a link goes on in a cycle in which it stays idle.
s/uint32_t v = serve(\&ports\[p\], count);/if (may == 0) continue; uint32_t v = serve(\&ports[p], count);/
