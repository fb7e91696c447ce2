# netmodel/deflection-engine/choice.h
# doc/deflection.md: rule 7: of four and five ports those that come first in the list are served first.
s/by_age\[rank\[i\]\] =/by_age[i] =/
