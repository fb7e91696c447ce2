# netmodel/packet-engine/faults.c
# Rule 22 of doc/faults.md: the base's escape leads over a link that has died.
s/? ~state->dead : 0;/? UINT64_MAX : 0;/
