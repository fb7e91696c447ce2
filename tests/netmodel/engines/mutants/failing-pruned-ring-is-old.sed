# netmodel/flit-engine/faults.c
# Rule 20 of doc/faults.md: a ring that a child has left is not new.
s/before.parent != state->parent ||/0 \&\&/
