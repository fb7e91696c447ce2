# netmodel/deflection-engine/choice.h
# doc/deflection.md: rule 5: of two packets that came first the first is older (routers of four and five ports).
s/uint32_t later = loads\[j\].age < loads\[i\].age;/uint32_t later = i == 1 || loads[j].age < loads[i].age;/
