# netmodel/deflection-engine/choice.h
# doc/deflection.md: rule 5: of two packets that came first the first is older (lists of four).
s/uint32_t later = list->packet\[j\]->age < list->packet\[i\]->age;/uint32_t later = i == 1 || list->packet[j]->age < list->packet[i]->age;/
