# netmodel/faults/data.h
# Rule 22 of doc/faults.md: packets of Immucube that have met a fault take the escape.
s/escape_before_rings \&\& met/escape_before_rings \&\& (met \&\& false)/
