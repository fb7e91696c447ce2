/* A network under settings in GB/s and nanoseconds, for answers. */
#ifndef REPLAY_MACHINES_PHYSICAL_H
#define REPLAY_MACHINES_PHYSICAL_H

#include "netmodel/topology.h"
#include "replay/options.h"
#include "reports/pages/physical.h"

/* -1: BASE_USAGE, --link-bandwidth of links that carry bits. */
int replay_physical_check(const struct net_topology *topology, const struct replay_settings *settings,
                          struct base_error *error);
/* Fills rates and latencies, texts in the arena: zeroed for an ideal network and for one whose links carry bits. The
 * settings are those that units were applied to (units.h). -1: memory, or as
 * replay_physical_check. */
int replay_physical_of(const struct net_topology *topology, const struct replay_settings *settings,
                       struct base_arena *arena, struct report_physical *physical, struct base_error *error);
/* Adds what the machine's file says is published, beside what this network has. Nothing without --machine. -1: as
 * replay_machine_read. */
int replay_physical_figures(const struct net_topology *topology, const struct net_metrics *metrics,
                            const struct replay_settings *settings, struct base_arena *arena,
                            struct report_physical *physical, struct base_error *error);

#endif
