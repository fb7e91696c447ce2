# netmodel/packet-engine/faults.c
# Rule 22 of doc/faults.md: of packets that were leaving when faults came, the flits that have left do not count as room.
# case 922
s/^        note_leaving(engine);/        (void)note_leaving;/
