# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 6: packets that move up in the list have other good ports.
s/good >> ports \* (i - count)/good/
