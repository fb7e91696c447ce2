# netmodel/flit-engine/heads.h
# Rule 4: the queue of an injector is the packet that it sends.
s/driver->upstream == NET_NONE ? injected_of(engine, driver)->queued : driver->count/driver->count/
