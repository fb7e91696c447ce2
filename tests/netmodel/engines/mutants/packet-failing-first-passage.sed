# netmodel/packet-engine/kernel-failing.h
# Rule 22 of doc/faults.md: a ring is entered by its first output, not by that with most room.
s/best = room > most ?/best = most == INT32_MIN ?/
