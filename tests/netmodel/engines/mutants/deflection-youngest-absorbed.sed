# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 3: the youngest packets are absorbed.
s/at\[youngest\].age < at\[input\].age/at[youngest].age > at[input].age/
