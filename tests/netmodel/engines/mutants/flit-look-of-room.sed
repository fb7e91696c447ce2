# netmodel/flit-engine/heads.h
# Rule 13: a routing is shown a flit of room too much.
s/return seen(view, port, virtual_channel)->room;/return seen(view, port, virtual_channel)->room + 1;/
