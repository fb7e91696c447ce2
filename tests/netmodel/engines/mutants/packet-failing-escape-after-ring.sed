# netmodel/packet-engine/faults.h
# Rule 22 of doc/faults.md: packets of Immucube that have met a fault take the escape.
s/escape_before_rings \&\& packet->met/escape_before_rings \&\& false/
