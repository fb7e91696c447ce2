# netmodel/kernel-room.h
# The timed wake-up of a sleeper is not scheduled.
/schedule(part, crossing, event_of(NET_EVENT_WAKE/d
