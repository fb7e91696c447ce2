/* Transfers between processors of shared channels. On channels they follow from the distances of these, which
 * have closed forms; inside m-way routers the nearest ends are a matter of each pair, and all pairs are
 * asked. */
#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/mway.h"

#define PAIRS_MAX (UINT64_C(1) << 28)

/* One channel more than links; those of one channel are one transfer apart, and each none from itself. */
static void count_on_channels(const struct net_topology *topology, struct net_transfers *transfers)
{
    uint64_t processors = topology->shared->processors;
    topology->kind->histogram(topology, transfers->pairs + 1);
    for (uint32_t k = 1; k <= transfers->most; k++)
        transfers->pairs[k] *= processors * processors;
    transfers->pairs[0] = topology->terminals;
    transfers->pairs[1] -= topology->terminals;
    transfers->partners_min = transfers->partners_max = (uint32_t)(processors - 1);
    transfers->neighbours_min = transfers->neighbours_max = (uint32_t)(processors - 1);
}

/* Widens a range so that it holds a value. */
static void include(uint32_t value, uint32_t *least, uint32_t *most)
{
    *least = value < *least ? value : *least;
    *most = value > *most ? value : *most;
}

/* Others on the channels of one processor inside an m-way router: every m-way router of a channel has one. */
static uint32_t count_partners(const struct net_topology *topology, uint32_t processor)
{
    uint32_t channels[2];
    uint32_t partners = 0, count = net_shared_channels(topology, processor, channels);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *row = topology->link_at + (size_t)channels[i] * topology->ports;
        for (uint32_t port = 0; port < topology->ports; port++)
            partners += row[port] != NET_NONE;
        partners--; /* itself */
    }
    return partners;
}

/* All ordered pairs, which PAIRS_MAX bounds. */
static void count_inside_routers(const struct net_topology *topology, struct net_transfers *transfers)
{
    transfers->partners_min = transfers->neighbours_min = UINT32_MAX;
    for (uint32_t a = 0; a < topology->terminals; a++) {
        uint32_t neighbours = 0;
        for (uint32_t b = 0; b < topology->terminals; b++) {
            uint32_t ends[2];
            uint32_t count = a == b ? 0 : net_shared_nearest(topology, a, b, NULL, ends);
            transfers->pairs[count]++;
            neighbours += count == 1;
        }
        include(neighbours, &transfers->neighbours_min, &transfers->neighbours_max);
        include(count_partners(topology, a), &transfers->partners_min, &transfers->partners_max);
    }
}

/* Unused distances at the end are cut off: inside routers the farthest are nearer than the channels'
 * diameter. */
static void finish(const struct net_topology *topology, struct net_transfers *transfers)
{
    double sum = 0, processors = topology->terminals;
    while (transfers->most > 0 && transfers->pairs[transfers->most] == 0)
        transfers->most--;
    for (uint32_t k = 1; k <= transfers->most; k++)
        sum += (double)k * (double)transfers->pairs[k];
    if (processors > 1)
        transfers->mean = sum / (processors * (processors - 1));
}

/* On channels the processors of a channel count together; inside routers each pair is looked at, as far as there are
 * not too many. */
int net_transfers_count(const struct net_topology *topology, struct net_transfers *transfers,
                        struct base_error *error)
{
    bool inside = net_shared_inside_routers(topology);
    memset(transfers, 0, sizeof *transfers);
    if (inside && (uint64_t)topology->terminals * topology->terminals > PAIRS_MAX)
        return 0;
    transfers->most = topology->kind->diameter(topology) + 1;
    transfers->pairs = calloc((size_t)transfers->most + 1, sizeof *transfers->pairs);
    if (transfers->pairs == NULL)
        return base_error_memory(error, "the transfers between processors");
    (inside ? count_inside_routers : count_on_channels)(topology, transfers);
    finish(topology, transfers);
    return 0;
}

/* A zeroed struct is legal. */
void net_transfers_free(struct net_transfers *transfers)
{
    free(transfers->pairs);
    *transfers = (struct net_transfers){0};
}
