# netmodel/flit-engine/heads.h
# Rule 8: a virtual channel is free when the tail has crossed, not when it has left the next buffer.
s/if (!wormhole || output->next_driver == NET_NONE) {/if (true) {/
