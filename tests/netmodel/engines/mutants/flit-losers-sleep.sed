# netmodel/flit-engine/heads.h
# Rule 4: a request that loses is not made again until something changes.
s/router->ask = asking != 0 ||/router->ask = false ||/
