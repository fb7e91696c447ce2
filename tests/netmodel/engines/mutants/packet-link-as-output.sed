# netmodel/packet-engine/arbiters.c
# Rule 5: a link draws as its first output does.
s/~((uint64_t)contest.router/((uint64_t)contest.router/
