# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 7: all draws of a router in a slot are the first.
s/(\*drawn)++/*drawn/
