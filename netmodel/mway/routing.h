/* What the routings of k-ary m-way networks share (the m-way paper; doc/networks.md, Shared channels). Their headers
 * are records (record.h) over the grid of channels. There is no bubble rule: classes of buffers keep rings from filling
 * up. With B buffers in a set, the lowest ones are those of the first class:
 *
 *      mway-ring            low: B/2 rounded up               │ high: the others
 *      mway-adaptive        deterministic: B/2 rounded down   │ adaptive: the others
 *      mway-adaptive-ring   low: B/4, at least 1              │ high: as many          │ adaptive: the others
 *
 * Rings are cut in two halves of channels. A header that enters a buffer in
 * dimension order may take a high one only where the channel that this drives
 * lies in the half of its destination: then it is not going to pass from the
 * upper end of the coordinates to the lower one, or back, any more. */
#ifndef NET_ROUTING_MWAY_H
#define NET_ROUTING_MWAY_H

#include "netmodel/routings/record.h"

/* The only parameter, of those on rings: split=S, the first coordinate of the
 * upper half in every dimension.
 */
extern const char *const net_mway_ring_keys[];

/* Masks of the buffers of a set, class by class, on rings. */
struct net_mway_classes {
    uint32_t low, high, adaptive; /* 0: the routing has no such class */
};

/* Lays out the headers. -1: BASE_USAGE. */
int net_mway_prepare(struct net_routing *routing, const struct net_specification *specification,
                     struct base_error *error);
/* And the halves and classes of rings. -1: BASE_USAGE (a split outside the
 * rings), memory. */
int net_mway_prepare_rings(struct net_routing *routing, const struct net_specification *specification,
                           struct base_error *error);
/* Of a routing on rings: its classes; whether two coordinates of a dimension
 * are in the same half. */
bool net_mway_same_half(const struct net_routing *routing, uint32_t dimension, uint32_t a, uint32_t b);
const struct net_mway_classes *net_mway_classes_of(const struct net_routing *routing);
/* Headers on rings. Where both ways round a ring are equally long, one header
 * stands for both, and its first hop in that ring decides (the m-way paper: adaptive
 * on equal distance). ports: of all shortest paths, those of a tie both. */
uint32_t net_mway_ring_variants(const struct net_routing *routing, uint32_t a, uint32_t b);
uint64_t net_mway_ring_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant);
uint64_t net_mway_ring_step(const struct net_routing *routing, uint32_t router, uint64_t header,
                            uint32_t port);
uint64_t net_mway_ring_ports(const struct net_routing *routing, uint64_t header);
/* Adds the tiers from `tier` on for a header that has not arrived: the low
 * and high buffers on the way of dimension order (both ways of a tie), as
 * their classes allow. Returns the number of tiers; the last one is the
 * escape. */
uint32_t net_mway_ring_tiers(const struct net_routing *routing, uint32_t channel, uint64_t header,
                             struct net_route *route, uint32_t tier);

/* The lowest buffers of a set, as a mask; and those from there on. */
static inline uint32_t net_mway_lowest(uint32_t buffers)
{
    return buffers == 0 ? 0 : UINT32_MAX >> (32 - buffers);
}

static inline uint32_t net_mway_others(const struct net_routing *routing, uint32_t buffers)
{
    return net_mway_lowest(routing->virtual_channels) & ~net_mway_lowest(buffers);
}

/* Members of the descriptor of every such routing: headers are records of
 * shortest paths. */
#define NET_MWAY_RECORDS                                                                                     \
    .minimal = true, .variants = net_record_variants, .start = net_record_start, .step = net_record_next

/* And of those on rings. */
#define NET_MWAY_RINGS                                                                                       \
    .minimal = true, .variants = net_mway_ring_variants, .start = net_mway_ring_start,                       \
    .step = net_mway_ring_step, .escape = true, .parameters = "[,split=S]", .keys = net_mway_ring_keys,      \
    .prepare = net_mway_prepare_rings

#endif
