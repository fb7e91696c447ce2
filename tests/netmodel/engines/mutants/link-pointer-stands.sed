# netmodel/packet-engine/kernel-starts.h
# Rule 5: the pointer of a link over its virtual channels does not move.
/router->turns = (router->turns/d
