/* Inside the check for deadlock: the walk over all headers to one target. Only dependency*.c include this. */
#ifndef NET_DEPENDENCY_INTERNAL_H
#define NET_DEPENDENCY_INTERNAL_H

#include "netmodel/deadlock/dependency.h"
#include "netmodel/engines/waits.h"

/* ---- masks of outputs ---- */

/* Inputs or outputs of a router by local number. A word of 64 would not do for the hypercube of nine
 * dimensions with eight buffers in a set, which has 72. */
__extension__ typedef unsigned __int128 net_outputs;

#define NET_OUTPUTS_MAX 128

static inline net_outputs net_output_bit(uint32_t local)
{
    return (net_outputs)1 << local;
}

/* The lowest of a mask that is not 0. */
static inline uint32_t net_outputs_first(net_outputs outputs)
{
    uint64_t low = (uint64_t)outputs;
    return low != 0 ? (uint32_t)__builtin_ctzll(low)
                    : 64 + (uint32_t)__builtin_ctzll((uint64_t)(outputs >> 64));
}

/* ---- the walk (dependency-walk.c) ---- */

/* A header at a router. Channels are local numbers, place of a port * virtual_channels + channel, of the inputs
 * and the outputs of its router. Both ports of a dimension have one place where no router has both of them, as
 * in a hypercube: of 18 ports a channel of that with nine dimensions has 9. */
struct net_walk_node {
    uint64_t header;
    net_outputs inputs;           /* by which packets come to be here; none: only from the terminal */
    net_outputs outputs, escapes; /* that it may use, and rely on; escapes are among the outputs */
    uint32_t router, source;      /* source: of one packet that gets here */
    uint32_t first_move, moves;
};

/* Over the link of a port; the virtual channels are the node's outputs of that port. */
struct net_walk_move {
    uint32_t port, node;
};

struct net_walk {
    const struct net_routing *routing;
    uint32_t ports, places, virtual_channels, target;
    uint32_t place[NET_PORTS_MAX]; /* [port] */
    uint32_t *incoming,
        *outgoing;      /* [router * places + place]: the link that enters or leaves, or NET_NONE */
    net_outputs bubble; /* local numbers of channels of rings under the bubble rule */
    bool adaptive;      /* some header had outputs that are no escapes */
    uint64_t work;      /* headers and moves so far, of all targets */
    struct net_walk_node *nodes;
    uint32_t count, capacity;
    struct net_walk_move *moves;
    uint32_t move_count, move_capacity;
    uint32_t *slots; /* hash of (router, header): index into nodes + 1, or 0 */
    uint32_t slot_count;
};

/* -1: memory, or too large: more ports and virtual channels than fit a mask, more pairs of routers than can
 * be walked. Free in either case. */
int net_walk_init(struct net_walk *walk, const struct net_routing *routing, struct base_error *error);
void net_walk_free(struct net_walk *walk);
/* Every header on its way to a target, from all sources and variants, by every admissible output. */
int net_walk_to(struct net_walk *walk, uint32_t target, struct base_error *error);
/* Orders the nodes so that every move over one of the chosen outputs (of escapes, or of all) goes from an
 * earlier to a later one. order and degrees have `count` entries. Returns how many could be ordered: fewer
 * than count when such moves close a circle. */
uint32_t net_walk_order(const struct net_walk *walk, bool escapes_only, uint32_t *order, uint32_t *degrees);

/* The outputs of one port, as a mask at its place. */
static inline net_outputs net_walk_port(const struct net_walk *walk, uint32_t port)
{
    return (net_outputs)(UINT64_MAX >> (64 - walk->virtual_channels))
           << (walk->place[port] * walk->virtual_channels);
}

/* The local number of a channel, link * virtual_channels + channel, as an input and as an output. */
static inline uint32_t net_walk_local(const struct net_walk *walk, uint32_t c)
{
    uint32_t channels = walk->virtual_channels;
    return walk->place[walk->routing->topology->links[c / channels].port] * channels + c % channels;
}

/* Global number of an input channel of a router: link * virtual_channels + channel. */
static inline uint32_t net_walk_input(const struct net_walk *walk, uint32_t router, uint32_t local)
{
    uint32_t channels = walk->virtual_channels;
    return walk->incoming[(size_t)router * walk->places + local / channels] * channels + local % channels;
}

/* The same for an output. */
static inline uint32_t net_walk_output(const struct net_walk *walk, uint32_t router, uint32_t local)
{
    uint32_t channels = walk->virtual_channels;
    return walk->outgoing[(size_t)router * walk->places + local / channels] * channels + local % channels;
}

/* What a packet that came by an input relies on under cut-through: to go on along its ring where it may,
 * which takes one place; else all its escapes. A narrower choice than it has, and so a stronger proof. */
static inline net_outputs net_walk_relies_on(const struct net_walk *walk, const struct net_walk_node *node,
                                             uint32_t input)
{
    net_outputs own = net_output_bit(input);
    return (node->escapes & walk->bubble & own) != 0 ? own : node->escapes;
}

#endif
