# netmodel/flit-engine/lanes.c
# Rule 1: over a link of several cycles a flit takes one less.
s/(cycle + engine->arrival_age)/(cycle + engine->arrival_age - (engine->arrival_age > 1))/
