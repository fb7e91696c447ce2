# netmodel/packet-engine/engine.c
# Rule 6: with the first short packet, those that are on their way out of a buffer are not counted by flits.
# case 468
/->departing = length;/d
