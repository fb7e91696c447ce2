/* One job alone on its part of the machine: whatever else runs there does not exist. */
#include "replay/session/partition.h"

#include <stdlib.h>

#include "netmodel/routings/confinement.h"

/* All routers of the partition are one part; the others belong to none. A job takes whole routers
 * (mappers/partitions/partition.h), so one number a router says all. Only called with a routing, hence never for an
 * ideal network, whose terminals have no router. */
int replay_partition_confine(const struct map_partition *partition, const struct net_topology *topology,
                             struct net_routing *routing, struct base_error *error)
{
    uint32_t *parts = malloc(((size_t)topology->routers + 1) * sizeof *parts);
    int status;

    if (parts == NULL)
        return base_error_memory(error, "the confinement of a partition");
    for (uint32_t router = 0; router < topology->routers; router++)
        parts[router] = NET_NONE;
    for (uint32_t i = 0; i < partition->count; i++)
        parts[net_topology_router_of(topology, partition->terminal[i])] = 0;
    status = net_routing_confine(routing, parts, error);
    free(parts);
    return status;
}

bool replay_partition_is_confined(const struct replay_settings *settings,
                                  const struct map_partition *partition)
{
    return partition->confinement == MAP_UNSAID ? settings->given[REPLAY_CONFINED]
                                                : partition->confinement == MAP_CONFINED;
}

/* Where the machine is empty (busy is NULL) the demand and the seed alone decide. --confined
 * without a partition would be ignored silently, and is refused; on an ideal network, where nothing is on its
 * way, it holds by itself. Behind map_partition_new the partition is in *partition and the caller's to free,
 * also when this fails. */
int replay_partition_new(const struct replay_settings *settings, const char *text, const bool *busy,
                         const struct net_topology *topology, uint32_t terminals,
                         struct map_partition **partition, struct map_partition_metrics *metrics,
                         struct base_error *error)
{
    const struct map_demand demand = {topology, busy, terminals, settings->number[REPLAY_SEED]};

    *partition = NULL;
    if (text == NULL && settings->given[REPLAY_CONFINED])
        return base_error_set(error, BASE_USAGE,
                              "--confined keeps packets in a partition: --partition is missing");
    if (text == NULL)
        return 0;
    *partition = map_partition_new(text, &demand, NULL, error);
    if (*partition == NULL || map_partition_measure(*partition, topology, busy, metrics, error) != 0)
        return -1;
    return 0;
}

/* All zeros stand for the whole machine: reports look at the text, which is NULL then. The text is the
 * partition's, so a report that lives longer copies it (make_partition in report.c). */
struct report_partition replay_partition_report(const struct replay_settings *settings,
                                                const struct map_partition *partition,
                                                const struct map_partition_metrics *metrics)
{
    if (partition == NULL)
        return (struct report_partition){0};
    return (struct report_partition){.text = partition->text,
                                     .terminals = partition->count,
                                     .idle = metrics->idle,
                                     .components = metrics->components,
                                     .has_rectangle = metrics->has_rectangle,
                                     .foreign_terminals = metrics->foreign,
                                     .mean_distance = metrics->mean_distance,
                                     .fragmentation = metrics->fragmentation,
                                     .confined = replay_partition_is_confined(settings, partition)};
}

/* A link is the job's own when both its ends are, so a flit counts once for each link on its way out, outside
 * and back in: flit-hops, comparable with those of the run. An ideal network has no links to look at. */
int replay_partition_leaked(const struct map_partition *partition, const struct net_topology *topology,
                            const uint64_t *link_flits, uint64_t *leaked, struct base_error *error)
{
    bool *own = calloc((size_t)topology->routers + 1, sizeof *own);

    *leaked = 0;
    if (own == NULL)
        return base_error_memory(error, "the leaks of a partition");
    for (uint32_t i = 0; topology->routers != 0 && i < partition->count; i++)
        own[net_topology_router_of(topology, partition->terminal[i])] = true;
    for (uint32_t i = 0; i < topology->link_count; i++)
        if (!own[topology->links[i].source] || !own[topology->links[i].target])
            *leaked += link_flits[i];
    free(own);
    return 0;
}
