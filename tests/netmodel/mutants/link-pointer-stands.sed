# netmodel/kernel-starts.h
# Rule 5: the pointer of a link over its virtual channels does not move.
/\*pointer = (uint8_t)(channel + 1/d
s/(uint8_t)(channel + 1 == given.shape.channels ? 0 : channel + 1);/net_driver_at(router, port * given.shape.channels)->pointer;/
