# netmodel/packet-engine/arbiters.c
# Rule 4: the youngest packet wins where the oldest should.
s/return net_age_before(&older, &younger);/return net_age_before(\&younger, \&older);/
