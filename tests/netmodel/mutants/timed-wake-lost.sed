# netmodel/engine-cycle.c
# The timed wake-up of a sleeper is not scheduled.
/schedule(engine, crossing, index | NET_EVENT_WAKE);/d
