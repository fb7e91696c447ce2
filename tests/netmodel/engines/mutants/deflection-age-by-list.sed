# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 5: those that come first in the list are older.
s/rank_list(list, rank);/for (uint32_t i = 0; i < list->count; i++) rank[i] = i;/
