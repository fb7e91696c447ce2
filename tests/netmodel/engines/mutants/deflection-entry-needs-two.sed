# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 4: a packet enters only where two could.
s/input < ports, input)/input + 1 < ports, input)/
