# netmodel/flit-engine/heads.h
# Rule 4: the random arbiter draws with the next cycle.
s/contest->draw, engine->network.now)/contest->draw, engine->network.now + 1)/
