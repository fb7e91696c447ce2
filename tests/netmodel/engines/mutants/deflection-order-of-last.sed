# netmodel/deflection-engine/choice.h
# doc/deflection.md: rule 5: the last of a list is the youngest (lists of three).
s/ages |= (uint32_t)(loads\[j\].age < loads\[i\].age) << bit++/ages |= (uint32_t)(i == 2 || loads[j].age < loads[i].age) << bit++/
