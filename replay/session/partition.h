/* The partition of a run or a mapping, as --partition and --confined say; what the partition's own text says of
 * confinement comes first. */
#ifndef REPLAY_SESSION_PARTITION_H
#define REPLAY_SESSION_PARTITION_H

#include "mappers/partitions/partition.h"
#include "netmodel/routing.h"
#include "replay/options.h"
#include "reports/placement/partition.h"

/* Allocates the partition `text` of a job that needs so many terminals, among those that are not busy (NULL: the
 * machine is empty), and measures it. *partition is the caller's to free; NULL when none is asked for. -1: as
 * map_partition_new, or --confined without a partition (BASE_USAGE). */
int replay_partition_new(const struct replay_settings *settings, const char *text, const bool *busy,
                         const struct net_topology *topology, uint32_t terminals,
                         struct map_partition **partition, struct map_partition_metrics *metrics,
                         struct base_error *error);
/* Confines the routing of a network with routers to the partition. -1: as net_routing_confine. */
int replay_partition_confine(const struct map_partition *partition, const struct net_topology *topology,
                             struct net_routing *routing, struct base_error *error);
/* Whether packets are to stay in the partition. */
bool replay_partition_is_confined(const struct replay_settings *settings,
                                  const struct map_partition *partition);
/* What reports say of it before any replay; nothing of no partition. Borrows its text. */
struct report_partition replay_partition_report(const struct replay_settings *settings,
                                                const struct map_partition *partition,
                                                const struct map_partition_metrics *metrics);
/* Flits carried by links with an end outside of the partition's routers. -1: memory. */
int replay_partition_leaked(const struct map_partition *partition, const struct net_topology *topology,
                            const uint64_t *link_flits, uint64_t *leaked, struct base_error *error);

#endif
