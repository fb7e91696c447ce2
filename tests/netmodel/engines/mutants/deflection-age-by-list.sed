# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 5: those that come first in the list are older.
s/rank\[net_deflection_older(list->packet\[i\], list->packet\[j\]) ? j : i\]++/rank[i]++/
