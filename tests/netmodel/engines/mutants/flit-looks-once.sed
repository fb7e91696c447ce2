# netmodel/flit-engine/cycle.c
# Rule 13: a place that is seen to be free wakes nobody who looks.
/^static void show(/,/^}/s/router->ask = true/router->ask |= false/
