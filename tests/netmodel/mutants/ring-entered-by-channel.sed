# netmodel/engine-cycle.c
# Rule 6: a packet that changes the virtual channel on a ring counts as going on.
s/return driver == output->local ? engine/return driver \/ engine->virtual_channels == output->port ? engine/
