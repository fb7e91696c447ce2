# netmodel/deflection-engine/choice-five.h
# doc/deflection.md: rule 7: of five ports those that come first in the list are served first.
s/by_age\[rank\[i\]\] = i/by_age[i] = i/
