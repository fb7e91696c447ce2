# netmodel/deflection-engine/choice.c
# doc/deflection.md: rule 8: good hops are counted as deflections.
s/(list.packet\[i\].good >> taken\[i\] & 1) == 0/(list.packet[i].good >> taken[i] \& 1) != 0/
