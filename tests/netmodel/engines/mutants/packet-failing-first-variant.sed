# netmodel/packet-engine/kernel-starts.h
# Rule 24 of doc/faults.md: behind a ring output all packets take the first of several ways.
s/start->variants == 1 \&\& //
