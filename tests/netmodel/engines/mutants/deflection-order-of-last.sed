# netmodel/deflection-engine/choice.h
# doc/deflection.md: rule 5: the last of a list is the youngest (lists of three).
s/index |= (size_t)(list->packet\[j\]->age < list->packet\[i\]->age) << bit++/index |= (size_t)(i == 2 || list->packet[j]->age < list->packet[i]->age) << bit++/
