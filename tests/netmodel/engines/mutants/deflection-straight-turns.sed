# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 7: turning is preferred to going straight on.
s/list->packet\[i\].slot == port/list->packet[i].slot != port/
