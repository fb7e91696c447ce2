/* Inside the check for deadlock: the walk over all headers to one target. Only dependency*.c include this. */
#ifndef NET_DEPENDENCY_INTERNAL_H
#define NET_DEPENDENCY_INTERNAL_H

#include "netmodel/deadlock/dependency.h"
#include "netmodel/engines/waits.h"

/* ---- sets ---- */

/* Inputs or outputs of a router by local number, in as many words as the widest router takes: one or two for most
 * networks, sixteen for the widest that the engines move. */

static inline bool net_set_has(const uint64_t *set, uint32_t local)
{
    return (set[local / 64] >> local % 64 & 1) != 0;
}

static inline void net_set_add(uint64_t *set, uint32_t local)
{
    set[local / 64] |= UINT64_C(1) << local % 64;
}

static inline void net_set_unite(uint64_t *set, const uint64_t *other, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        set[w] |= other[w];
}

static inline void net_set_remove(uint64_t *set, uint32_t local)
{
    set[local / 64] &= ~(UINT64_C(1) << local % 64);
}

/* The first member from a number on; NET_NONE: there is none. */
static inline uint32_t net_set_next(const uint64_t *set, uint32_t words, uint32_t from)
{
    for (; from < 64 * words; from = (from / 64 + 1) * 64) {
        uint64_t bits = set[from / 64] >> from % 64;
        if (bits != 0)
            return from + (uint32_t)__builtin_ctzll(bits);
    }
    return NET_NONE;
}

/* ---- the walk (dependency-walk.c) ---- */

/* A header at a router. Channels are local numbers, place of a port * virtual_channels + channel, of the inputs
 * and the outputs of its router. Both ports of a dimension have one place where no router has both of them, as
 * in a hypercube: of 18 ports a channel of that with nine dimensions has 9. */
struct net_walk_node {
    uint64_t header;         /* as the routing has it at that router */
    uint32_t router, source; /* source: of one packet that gets here */
    uint32_t first_move, moves;
};

/* The sets of a node: inputs by which packets come to be here (none: only from the terminal); outputs that it may
 * use; those that it may rely on, which are among them. */
enum net_walk_set { NET_WALK_INPUTS, NET_WALK_OUTPUTS, NET_WALK_ESCAPES, NET_WALK_SETS };

/* Over the link of a port; the virtual channels are the node's outputs of that port. */
struct net_walk_move {
    uint32_t port, node; /* of the router that is left; index into nodes */
};

struct net_walk {
    const struct net_routing *routing;        /* with its topology */
    const struct net_deadlock_faults *faults; /* NULL: no link has failed */
    uint32_t ports, places, virtual_channels, target;
    uint32_t words;                /* of a set */
    uint32_t place[NET_PORTS_MAX]; /* [port] */
    uint32_t *incoming, *outgoing; /* [router * places + place]: link that enters or leaves, or NET_NONE */
    uint64_t *bubble;              /* the set of channels of rings under the bubble rule */
    bool alike;                    /* the walk to any target is that to another, moved (net_walk_is_alike) */
    bool adaptive;                 /* some header had outputs that are no escapes */
    uint64_t work;                 /* headers and moves so far, of all targets */
    struct net_walk_node *nodes;
    uint64_t *sets;           /* [node][enum net_walk_set][word] */
    uint32_t count, capacity; /* of nodes */
    struct net_walk_move *moves;
    uint32_t move_count, move_capacity; /* of moves */
    uint32_t *slots;                    /* hash of (router, header): index into nodes + 1, or 0 */
    uint32_t slot_count;
};

/* faults: NULL, if no link has failed. -1: memory, or too large: more ports and virtual channels than fit a mask, more
 * pairs of routers than can be walked. Free in either case. */
int net_walk_init(struct net_walk *walk, const struct net_routing *routing,
                  const struct net_deadlock_faults *faults, struct base_error *error);
void net_walk_free(struct net_walk *walk);
/* Every header on its way to a target, from all sources and variants, by every admissible output. */
int net_walk_to(struct net_walk *walk, uint32_t target, struct base_error *error);
/* Orders the nodes so that every move over one of the chosen outputs (of escapes, or of all) goes from an
 * earlier to a later one. order and degrees have `count` entries. Returns how many could be ordered: fewer
 * than count when such moves close a circle. */
uint32_t net_walk_order(const struct net_walk *walk, bool escapes_only, uint32_t *order, uint32_t *degrees);

/* ---- where all routers are alike (dependency-alike.c) ---- */

/* Whether walks to all targets are the same walk, moved: routers and links of the topology look the same from every
 * router, and the routing looks at displacements alone. */
bool net_walk_is_alike(const struct net_routing *routing);
/* What any channel of a port has, the same channel of all links by that port has. Channels are numbered link *
 * virtual_channels + channel; waits and wholly have a set for each, of local numbers of the router that it leads to,
 * numbers is 0 or NET_NONE. */
void net_walk_spread(const struct net_walk *walk, uint64_t *waits, uint64_t *wholly, uint32_t *numbers);

/* ---- links that have failed (dependency-faults.c), where walk->faults says so ---- */

/* What a header may do at a node, from what it might if all links lived. */
void net_walk_fail(struct net_walk *walk, uint32_t node);
/* Whether the node's escapes, if they are a ring, lead its packets on. */
bool net_walk_ring_leads(const struct net_walk *walk, uint32_t node);
/* Each channel of a ring waits for the next: into waits[channel][word], and number[channel] = 0. */
void net_walk_add_rings(const struct net_walk *walk, uint64_t *waits, uint32_t *number);
/* The wrong `returns`, at a node. */
void net_walk_add_returns(const struct net_walk *walk, uint32_t node, uint64_t *waits);
/* Makes each ring one vertex, as net_waits has them. */
void net_walk_group_rings(const struct net_walk *walk, uint32_t *group, uint32_t *next);

static inline uint64_t *net_walk_set(const struct net_walk *walk, uint32_t node, enum net_walk_set which)
{
    return walk->sets + ((size_t)node * NET_WALK_SETS + which) * walk->words;
}

/* The virtual channels of one port that are in a set, as a mask. They may lie in two words. */
static inline uint32_t net_walk_channels(const struct net_walk *walk, const uint64_t *set, uint32_t port)
{
    uint32_t first = walk->place[port] * walk->virtual_channels, word = first / 64, shift = first % 64;
    uint64_t bits = set[word] >> shift;
    if (shift + walk->virtual_channels > 64)
        bits |= set[word + 1] << (64 - shift);
    return (uint32_t)bits & ((UINT32_C(1) << walk->virtual_channels) - 1);
}

/* Adds virtual channels of one port, a mask, to a set. */
static inline void net_walk_add(const struct net_walk *walk, uint64_t *set, uint32_t port, uint32_t channels)
{
    for (; channels != 0; channels &= channels - 1)
        net_set_add(set, walk->place[port] * walk->virtual_channels + (uint32_t)__builtin_ctz(channels));
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

/* Whether a packet that came by an input relies on going on along its ring, as under cut-through where it may, which
 * takes one place; else on all its escapes. A narrower choice than it has, and so a stronger proof. */
static inline bool net_walk_goes_on(const struct net_walk *walk, const uint64_t *escapes, uint32_t input)
{
    return net_set_has(escapes, input) && net_set_has(walk->bubble, input);
}

#endif
