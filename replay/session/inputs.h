/* The files that a run follows from besides its trace: those that were read, for its report, and those that
 * its options name, for a plan that has yet to run it. Both lists are in one order, so that a run can be held
 * against its plan. */
#ifndef REPLAY_SESSION_INPUTS_H
#define REPLAY_SESSION_INPUTS_H

#include "mappers/partitions/partition.h"
#include "mappers/placement.h"
#include "replay/options.h"
#include "reports/pages/inputs.h"

/* Adds what was read. routing, partition, placement: NULL where there is none. Copies are in the arena. -1: memory. */
int replay_inputs_used(struct report_inputs *inputs, struct base_arena *arena,
                       const struct net_topology *topology, const struct net_routing *routing,
                       const struct map_partition *partition, const struct map_placement *placement);
/* Adds what the settings name, reading each file. -1: a file cannot be read (BASE_INPUT, BASE_SYSTEM), or
 * memory. */
int replay_inputs_named(struct report_inputs *inputs, struct base_arena *arena,
                        const struct replay_settings *settings, const struct net_topology *topology,
                        struct base_error *error);
/* Adds a file that an option names, reading it; path NULL: nothing. -1: as above. */
int replay_inputs_read(struct report_inputs *inputs, struct base_arena *arena, enum replay_option option,
                       const char *path, struct base_error *error);

#endif
