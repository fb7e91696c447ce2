# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 8: good hops are counted as deflections.
s/= (uint8_t)net_deflection_bad(list, taken);/= (uint8_t)(list->count - net_deflection_bad(list, taken));/
