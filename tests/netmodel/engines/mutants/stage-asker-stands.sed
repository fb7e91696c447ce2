# netmodel/multistage-engine/cycle.c
# Rule 2: the pointer goes on behind the last granted.
s/port->asker_turn = (uint8_t)turn;//
