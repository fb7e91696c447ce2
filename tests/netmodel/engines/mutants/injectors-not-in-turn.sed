# netmodel/packet-engine/packets.c
# Rule 2: every message joins the first injector.
/\*turn = (uint8_t)(\*turn + 1u ==/d
