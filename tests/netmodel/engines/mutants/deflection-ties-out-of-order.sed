# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 6: of equal assignments another than the drawn one.
s/number -= matching->ways\[after\];/number = 0;/
