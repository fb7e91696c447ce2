/* Networks of shared channels: the k-ary m-way networks of the m-way and the broadcast paper (doc/networks.md).
 *
 * An m-way channel is a bus: one of the devices on it drives it in a cycle, all may listen. Between two
 * channels that are neighbours in a grid sits an m-way router, which takes flits from one and drives the
 * other. Such a network is the dual of a grid of links, and topology.h describes it as that grid:
 *
 *      router   of struct net_topology   an m-way channel: carries at most one flit a cycle
 *      link     (c -> c', port)          the buffer set of the m-way router between c and c' that is fed by
 *                                        channel c and drives channel c'; it is no resource in itself
 *      terminal                          a processor, on one channel, or on the two of its m-way router
 *
 *          P0    P1    P2               channels 0 1 2, in the middle of each | its devices
 *          |     |     |
 *          0 [ ] 1 [ ] 2                m-way router [ ] between 0 and 1: link 0 -> 1 (X+) and 1 -> 0 (X-)
 *
 * So distances, routings, metrics, mappings and partitions are those of the grid. A message that crosses h
 * links takes h + 1 transfers over channels: that of its own channel first, then one for each buffer that it
 * was in.
 *
 * Virtual channel v of a link is buffer v of the set. A route's tiers (routing.h) are of equal rank here:
 * what a header may take is the union of all of them, and a selection function chooses the way among those.
 * On that way it takes the first free buffer of the last tier, else of the one before, and so on: the last
 * tier is what fewest others can use. */
#ifndef NET_SHARED_H
#define NET_SHARED_H

#include "netmodel/topology.h"

/* Where processors are. */
enum net_attachment {
    NET_ON_CHANNELS,   /* p on every channel; terminal = channel * p + slot */
    NET_INSIDE_ROUTERS /* one in every m-way router, and none elsewhere; terminal = m-way router */
};

/* Between two channels that are neighbours in a dimension; of a ring of two there are two. */
struct net_way_router {
    uint32_t dimension;
    uint32_t lower, upper; /* channels: upper is one step up from lower, round the ring where it closes */
    uint32_t up, down;     /* links lower -> upper and upper -> lower: its two buffer sets */
};

struct net_shared {
    enum net_attachment attachment;
    uint32_t processors;   /* p: on each channel; 0 inside routers */
    uint32_t sharing;      /* m: devices on the channel that has most */
    uint32_t router_count; /* m-way routers, by lower channel, then dimension */
    const struct net_way_router *routers;
    const uint32_t *router_of_link; /* [link]: the m-way router whose buffer set it is */
};

/* How many transfers over channels a flit takes from one processor to another. */
struct net_transfers {
    uint32_t most;   /* between the two farthest */
    uint64_t *pairs; /* [0 .. most]: ordered pairs of processors; [0]: of each with itself */
    double mean;     /* over pairs of distinct processors; 0 for one processor */
    /* Of a processor: others on its channels, counted once for each channel, and each once. */
    uint32_t partners_min, partners_max, neighbours_min, neighbours_max;
};
/* Counts them all, channel by channel or processor by processor. pairs is NULL for networks with processors
 * inside so many routers that this takes more than some seconds (2^28 pairs). Free with net_transfers_free.
 * -1: memory. */
int net_transfers_count(const struct net_topology *topology, struct net_transfers *transfers,
                        struct base_error *error);
void net_transfers_free(struct net_transfers *transfers);

/* The parameters that every k-ary m-way network knows, for a descriptor's keys. */
extern const char *const net_shared_keys[];
const char *net_shared_write(struct net_topology *topology, const char *text);
/* Builds the grid of channels and its m-way routers. -1: BASE_USAGE (too large, processors inside routers and
 * more than one of them, no m-way router to be inside of), memory. */
int net_shared_build(struct net_topology *topology, const struct net_specification *specification, bool wraps,
                     struct base_error *error);

/* Whether processors are inside m-way routers, so that terminals belong to two channels each. */
static inline bool net_shared_inside_routers(const struct net_topology *topology)
{
    return topology->shared != NULL && topology->shared->attachment == NET_INSIDE_ROUTERS;
}

/* The channels that a terminal is on: returns 1 or 2, their number. */
uint32_t net_shared_channels(const struct net_topology *topology, uint32_t terminal, uint32_t channels[2]);
/* From which channel to which a message goes: those with the shortest path between them, of equal ones that
 * which the key draws; without a key the first. Returns the transfers, 1 + links between them; 1 for a
 * terminal and itself. */
uint32_t net_shared_nearest(const struct net_topology *topology, uint32_t source, uint32_t target,
                            const uint64_t *key, uint32_t ends[2]);

/* Members of the descriptor of every such topology: its channels are a grid (grid.h). */
#define NET_SHARED_GRID                                                                                      \
    .keys = net_shared_keys, .write = net_shared_write, .distance = net_grid_sum_distance,                   \
    .diameter = net_grid_sum_diameter, .histogram = net_grid_sum_histogram, .port_name = net_grid_port_name

/* Of the channels that a terminal is on, the one with fewer links from `channel`; of two, the first. Where a tree
 * gives a processor inside an m-way router its copy. */
uint32_t net_shared_nearer(const struct net_topology *topology, uint32_t channel, uint32_t terminal);

#endif
