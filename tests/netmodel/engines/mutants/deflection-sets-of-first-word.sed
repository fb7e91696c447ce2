# netmodel/deflection-engine/choice.h
# doc/deflection.md: rule 6: of five ports the last assignments are never taken.
# case 70
s/behind ? 64 + bit : bit/bit/
