# netmodel/flit-engine/cycle.c
# Rule 8: flits cross without a place in the next buffer.
s/next_driver != NET_NONE \&\& --output->room == 0/next_driver != NET_NONE \&\& --output->room == UINT32_MAX/
