# netmodel/deflection-engine/cycle.c
# doc/deflection.md: rule 3: the youngest packets are absorbed.
s/net_deflection_older(&at\[youngest\], &at\[input\]) ? input : youngest/net_deflection_older(\&at[youngest], \&at[input]) ? youngest : input/
