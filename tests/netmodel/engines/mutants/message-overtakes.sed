# netmodel/packet-engine/engine.c
# Rule 2: a message given in its own cycle goes before one given earlier: the engine's first version.
s/bool later = joins > network->now || .*/bool later = joins > network->now;/
