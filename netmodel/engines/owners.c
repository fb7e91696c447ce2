/* What the messages of each owner do: see owners.h. */
#include "netmodel/engines/owners.h"

#include <stdlib.h>

#define BEHIND 2 /* sums of a row behind those of slots: delivered packets, and their hops */

/* Channels count what they eject at places of their own. */
static uint32_t count_channels(const struct net_topology *topology)
{
    return topology->shared != NULL ? topology->routers : 0;
}

/* Who has both ends of a link; of others the number that is nobody's. */
static uint32_t owner_of_link(const struct net_link *link, const uint32_t *owner, uint32_t owners)
{
    uint32_t whose = owner[link->source];
    return whose != NET_NONE && whose == owner[link->target] ? whose : owners;
}

/* One entry more of each than there may be, so that nothing asks for 0 bytes. -1: memory. */
static int allocate(struct net_owners *owners, const struct net_topology *topology, bool has_events)
{
    size_t places = (size_t)topology->routers * topology->ports + count_channels(topology);
    size_t sums = (size_t)(owners->owners + 1) * (owners->slots + BEHIND);
    if (sums > UINT32_MAX)
        return -1;
    owners->row = calloc((size_t)topology->terminals + 1, sizeof *owners->row);
    owners->slot = calloc(places + 1, sizeof *owners->slot);
    owners->sums = calloc(sums, sizeof *owners->sums);
    owners->outside = calloc((size_t)owners->owners + 1, sizeof *owners->outside);
    if (has_events)
        owners->events = calloc((size_t)owners->owners + 1, sizeof *owners->events);
    if (has_events && count_channels(topology) > 0)
        owners->carried = calloc((size_t)owners->owners * topology->routers + 1, sizeof *owners->carried);
    bool is_whole =
        !has_events || (owners->events != NULL && (owners->carried != NULL || count_channels(topology) == 0));
    return owners->row != NULL && owners->slot != NULL && owners->sums != NULL && owners->outside != NULL &&
                   is_whole
               ? 0
               : -1;
}

int net_owners_init(struct net_owners *owners, const struct net_topology *topology,
                    const struct net_options *options)
{
    bool has_events = options->owner_events;
    uint32_t channels = count_channels(topology), count = options->owners;
    owners->owners = count;
    owners->slots = has_events ? topology->link_count + channels : count + 1 + (channels > 0);
    if (allocate(owners, topology, has_events) < 0)
        return -1;
    for (uint32_t terminal = 0; terminal < topology->terminals; terminal++) {
        uint32_t whose = options->owner[net_topology_router_of(topology, terminal)];
        owners->row[terminal] = (whose != NET_NONE ? whose : count) * (owners->slots + BEHIND);
    }
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        owners->slot[link->source * topology->ports + link->port] =
            has_events ? i : owner_of_link(link, options->owner, count);
    }
    for (uint32_t channel = 0; channel < channels; channel++)
        owners->slot[topology->routers * topology->ports + channel] =
            has_events ? topology->link_count + channel : count + 1;
    return 0;
}

void net_owners_free(struct net_owners *owners)
{
    free(owners->row);
    free(owners->slot);
    free(owners->sums);
    free(owners->outside);
    free(owners->events);
    free(owners->carried);
    *owners = (struct net_owners){0};
}

/* What channels have carried, to their buffer sets and to their terminals. */
static void add_channels(struct net_owners *owners, const struct net_topology *topology, uint32_t whose)
{
    const uint64_t *sums = &owners->sums[(size_t)whose * (owners->slots + BEHIND)];
    uint64_t *carried = &owners->carried[(size_t)whose * topology->routers];
    for (uint32_t channel = 0; channel < topology->routers; channel++)
        carried[channel] = sums[topology->link_count + channel];
    for (uint32_t i = 0; i < topology->link_count; i++)
        carried[topology->links[i].source] += sums[i];
}

static void collect_events(struct net_owners *owners, const struct net_topology *topology,
                           const uint32_t *owner, uint32_t whose)
{
    uint64_t *sums = &owners->sums[(size_t)whose * (owners->slots + BEHIND)];
    struct net_owner_events *events = &owners->events[whose];
    *events = (struct net_owner_events){
        .packets = sums[owners->slots], .packet_hops = sums[owners->slots + 1], .flits = sums};
    owners->outside[whose] = 0;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        events->flit_hops += sums[i];
        if (owner_of_link(&topology->links[i], owner, owners->owners) != whose)
            owners->outside[whose] += sums[i];
    }
    if (owners->carried == NULL)
        return;
    add_channels(owners, topology, whose);
    events->flits = &owners->carried[(size_t)whose * topology->routers];
}

/* Without events what an owner has sent over links that are not its own stands in the slots of others. */
void net_owners_collect(struct net_owners *owners, const struct net_topology *topology, const uint32_t *owner)
{
    for (uint32_t whose = 0; owners->row != NULL && whose < owners->owners; whose++) {
        const uint64_t *sums = &owners->sums[(size_t)whose * (owners->slots + BEHIND)];
        if (owners->events != NULL) {
            collect_events(owners, topology, owner, whose);
            continue;
        }
        owners->outside[whose] = 0;
        for (uint32_t slot = 0; slot <= owners->owners; slot++)
            owners->outside[whose] += slot != whose ? sums[slot] : 0;
    }
}
