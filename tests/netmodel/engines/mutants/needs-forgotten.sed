# netmodel/packet-engine/engine.c
# Rule 6: with the first short packet, nobody notes what those that sleep already need.
# case 6136
s/^    note_needs(engine, .*/    (void)note_needs;/
