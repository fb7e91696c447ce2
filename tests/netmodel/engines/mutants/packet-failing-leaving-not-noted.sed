# netmodel/packet-engine/faults.c
# While places are counted, since when packets leave is unknown where faults come.
s/if (faults->marked \&\& engine->shape.even)/if (faults->marked \&\& false)/
