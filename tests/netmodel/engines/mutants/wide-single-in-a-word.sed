# netmodel/flit-engine/sets.h
# Wide routers: members in several words, one in each, pass for one.
/others |= set->word\[i\] != 0 ? any : 0/d
