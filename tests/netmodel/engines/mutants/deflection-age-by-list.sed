# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 5: those that come first in the list are older.
s/net_deflection_rank(list, list->count, rank);/for (uint32_t i = 0; i < list->count; i++) rank[i] = i;/
