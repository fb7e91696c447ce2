# netmodel/flit-engine/cycle.c
# Rule 13: a place that is seen to be free wakes nobody who looks.
# case 443
/^static void show(/,/^}/s/router->ask = true/router->ask |= false/
