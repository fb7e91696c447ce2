# netmodel/engines/counters.c
# Flits of a link are those of its first virtual channel.
s/channel < channels; channel++/channel < 1; channel++/
