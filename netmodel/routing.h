/* Routing: how a header finds its way. One descriptor per routing in netmodel/routings/kinds.def.
 *
 * A packet carries a 64-bit *header* that the routing defines (for grids: the signed displacements still to
 * go, packed). It is made at the source, asked for the admissible outputs at each router, and stepped over
 * each link, so that the router itself needs no coordinates and no modulo; the router's number is given for
 * routings with tables, borders or partitions. A routing is a pure function: no state, no clock. One that looks
 * is a function of what it sees of its router's outputs, too.
 *
 * Parameters follow the name: "king-misrouting,epsilon=4,delta=4". */
#ifndef NET_ROUTING_H
#define NET_ROUTING_H

#include "netmodel/topology.h"

#define NET_TIERS_MAX 3
#define NET_PORTS_MAX 256
#define NET_PORT_WORDS 4 /* of a mask of ports */
#define NET_VIRTUAL_CHANNELS_MAX 16

/* The admissible outputs of a header, in tiers of falling preference. Every output of a tier is a (port,
 * virtual channel) of ports x virtual_channels; every port of a tier has a link at that router. An output
 * that is in several tiers counts as one of the first of them; in the last it may say what is an escape
 * (below). */
struct net_route {
    uint64_t ports[NET_TIERS_MAX];            /* mask of ports 0 to 63 */
    uint32_t virtual_channels[NET_TIERS_MAX]; /* mask */
    /* Ports from 64 on. Only routings of topologies with more than 64 ports write it, and then always; nobody else
     * reads it (net_route_next). */
    uint64_t more[NET_TIERS_MAX][NET_PORT_WORDS - 1];
};

/* The first port of a tier from a number on; NET_NONE: there is none. */
static inline uint32_t net_route_next(const struct net_topology *topology, const struct net_route *route,
                                      uint32_t tier, uint32_t from)
{
    uint64_t bits = from < 64 ? route->ports[tier] >> from << from : 0;
    if (bits != 0)
        return (uint32_t)__builtin_ctzll(bits);
    for (from = from < 64 ? 64 : from; from < topology->ports; from = (from / 64 + 1) * 64) {
        bits = route->more[tier][from / 64 - 1] >> from % 64 << from % 64;
        if (bits != 0)
            return from / 64 * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return NET_NONE;
}

/* A tier has one port alone, and all words say so. */
static inline void net_route_only(const struct net_topology *topology, struct net_route *route, uint32_t tier,
                                  uint32_t port)
{
    route->ports[tier] = port < 64 ? UINT64_C(1) << port : 0;
    for (uint32_t word = 1; topology->ports > 64 && word < NET_PORT_WORDS; word++)
        route->more[tier][word - 1] = port / 64 == word ? UINT64_C(1) << port % 64 : 0;
}

/* A tier has one port more, which it has not yet. */
static inline void net_route_add(struct net_route *route, uint32_t tier, uint32_t port)
{
    if (port < 64)
        route->ports[tier] |= UINT64_C(1) << port;
    else
        route->more[tier][port / 64 - 1] |= UINT64_C(1) << port % 64;
}

struct net_routing;

/* What a routing that looks is shown of its router (rule 13 of doc/flit-engine.md), as at the start of the cycle:
 * for a virtual channel of the link that leaves by a port. */
struct net_view {
    const void *context; /* the engine's */
    uint32_t router;
    uint32_t capacity; /* flits of a buffer */
    uint32_t length;   /* flits of the packet that asks */
    /* Flits for which the next buffer is known to have room: capacity - reserved + sent (rule 6), or the places under
     * wormhole (rule 8). 0 where there is no such link. */
    uint32_t (*room)(const struct net_view *view, uint32_t port, uint32_t virtual_channel);
    /* It may be granted (rules 5 and 8). */
    bool (*is_free)(const struct net_view *view, uint32_t port, uint32_t virtual_channel);
};

/* What a routing that chooses at the source is given of the source's router (rule 14 of doc/flit-engine.md), and
 * nothing else. */
struct net_occupancy {
    const void *context; /* the engine's */
    uint32_t router;
    uint32_t injectors; /* of the router */
    /* As at the start of the cycle: flits that are reserved and not yet gone on some virtual channels (a mask) of
     * the link that leaves by a port, that is capacity - room (rule 6; under wormhole the places of rule 8 that are
     * taken). */
    uint32_t (*flits)(const struct net_occupancy *occupancy, uint32_t port, uint32_t channels);
    /* The packet at the head of an injector that has chosen and waits for its grant, be it since this very cycle:
     * its flits, and its header. 0: there is none. */
    uint32_t (*waiting)(const struct net_occupancy *occupancy, uint32_t injector, uint64_t *header);
};

/* A way whose every hop is certain is a sequence of legs, each of some hops by one port. They fit a word, the
 * first leg in its lowest bits; none are left on arrival:
 *
 *      … │ hops 12 │ port 4 ║ hops 12 │ port 4 bits */
#define NET_LEGS_MAX 4
#define NET_LEG_BITS 16
#define NET_LEG_PORT UINT64_C(0xf)
#define NET_LEG_HOP UINT64_C(0x10)
#define NET_LEG_HOPS_MAX UINT32_C(0xfff)

/* In front of the legs that follow; none, if it has no hops. */
static inline uint64_t net_leg_before(uint64_t legs, uint32_t port, uint32_t hops)
{
    return hops == 0 ? legs : legs << NET_LEG_BITS | hops * NET_LEG_HOP | port;
}

/* What is left after the next hop. */
static inline uint64_t net_legs_step(uint64_t legs)
{
    uint64_t left = legs - NET_LEG_HOP;
    uint64_t over = (left & NET_LEG_HOPS_MAX * NET_LEG_HOP) == 0;
    return left >> over * NET_LEG_BITS;
}

/* Links crossed in the mean over all variants, and by the longest. */
struct net_way_lengths {
    double mean;
    uint32_t longest;
};

/* Networks that a routing serves. */
struct net_family {
    const char *members; /* for people: the kinds of topologies, "mesh, torus", or what they have in common */
    bool (*contains)(const struct net_topology *topology);
};

struct net_routing_kind {
    const char *name, *summary;    /* as --routing takes it; a line for lists */
    const char *reference;         /* paper and section */
    const char *deadlock_argument; /* one sentence */
    const char *parameters;        /* as help shows them: "[,epsilon=E]"; NULL: none */
    const char *const *keys;       /* the parameters it knows, NULL-terminated; NULL: none */
    /* Whether a packet may have a choice anywhere on the routing's topology: several variants, or several
     * outputs of a tier, which are ports and virtual channels of links, but ports alone of shared channels.
     * Engines draw among those of links; shared channels leave them to the selection. A routing that cannot
     * tell says that it does. Never NULL in the list; those below serve most. */
    bool (*chooses)(const struct net_routing *routing);
    uint32_t virtual_channels; /* that it needs at least */
    /* The same for a topology that it serves, where that is not the same for all; 0: memory. NULL: it is. */
    uint32_t (*needs)(const struct net_topology *topology);
    bool minimal; /* no packet crosses more links than the distance */
    /* The last tier of every route is an escape: a packet that waits may always wait for it, and the escapes
     * alone cannot wait in a circle (Duato). Without it all outputs take part in the argument. */
    bool escape;
    /* Ports of tiers behind the first may lead aside: ways of one header then differ in length. Those of first tiers
     * alone do not, and are what lengths and loads are of. */
    bool strays;
    /* Packets are deflected where they would have to wait: what route says is the way of one that meets no other,
     * and an engine of its own moves them. There is nothing that a deadlock could be made of. */
    bool never_waits;
    /* Its ways go around dead links (net_routing.dead), which prepare looks at. */
    bool detours;
    /* Links fail under its packets (netmodel/faults/failing.h): route says what they ask for where all links live, and
     * an engine that knows the rules of doc/faults.md moves them. */
    bool failing;
    const struct net_family *serves; /* the networks that it serves (routings/families.h) */
    /* Prepares shift counts, tables …, into routing (kind, topology and virtual_channels set; memory from its
     * arena). The specification holds the parameters, and no sizes. -1: BASE_USAGE, or memory. */
    int (*prepare)(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error);
    /* Number of equally likely headers from router a to router b (torus ties: 2 per tied dimension): 1
     * or more; 0 only where one of the two has no terminals. */
    uint32_t (*variants)(const struct net_routing *routing, uint32_t a, uint32_t b);
    /* Of routings whose ways depend on terminals and not on their routers alone: which variant the packets from one
     * terminal to another take, all of them. NULL: it is drawn from the key of each packet. */
    uint32_t (*variant)(const struct net_routing *routing, uint32_t source, uint32_t target);
    /* The variant-th of them. a == b gives a header that has arrived. */
    uint64_t (*start)(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant);
    /* The admissible outputs at a router: returns the number of tiers, 0 when the header has arrived there.
     * Tiers behind these have no ports if they had none before. */
    uint32_t (*route)(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route);
    /* NULL: the routing does not look. Else asked with what route has just said, in every cycle in which the packet
     * may make a request: may put the outputs of the tiers in another order and leave some out, but no other ones in;
     * the last tier of a routing with escapes stays the last. Returns the number of tiers, at least 1. Networks
     * without buffers (options.effects) do as route says. */
    uint32_t (*look)(const struct net_routing *routing, uint64_t header, const struct net_view *view,
                     struct net_route *route, uint32_t tiers);
    /* Both or neither (rule 14 of doc/flit-engine.md). detour: the header of another way from the source, for the
     * header that start has made of a minimal one; the same header if there is none. choose: asked once for each
     * packet, at the head of its injector in the first cycle in which it may make a request, with the header of start:
     * returns that or the detour's, with which the packet goes for good. Networks without buffers, loads and lengths
     * take what start says; the deadlock check takes both. */
    uint64_t (*detour)(const struct net_routing *routing, uint64_t header);
    uint64_t (*choose)(const struct net_routing *routing, uint64_t header,
                       const struct net_occupancy *occupancy);
    /* The header after crossing the link by this port of this router. */
    uint64_t (*step)(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port);
    /* Both or neither, for routings with very many variants: what net_routing_load and net_routing_lengths
     * answer, the same but sooner. */
    void (*load)(const struct net_routing *routing, uint32_t a, uint32_t b, double weight, double *load);
    struct net_way_lengths (*lengths)(const struct net_routing *routing, uint32_t a, uint32_t b);
    /* For routings that, where `legs` is set below, admit one port on all virtual channels at every router of
     * a way: the legs of the header's way, as what route and step say (NET_LEGS_MAX at most). NULL: never
     * set. */
    uint64_t (*legs)(const struct net_routing *routing, uint64_t header);
};

struct net_routing {
    /* of the list, or the topology's form of it (net_topology_kind.forms) */
    const struct net_routing_kind *kind;
    const struct net_topology *topology; /* borrowed, and outlives it */
    const char *text;                    /* as it was asked for, parameters included */
    uint32_t virtual_channels;           /* of every link */
    /* Mask of the virtual channels under the bubble rule on ring ports; prepare may take some out (adaptive
     * channels need no bubble). All by default. */
    uint32_t bubble_channels;
    /* [link]: whether it is dead, and so in no route. NULL: all links live. In the arena. */
    const bool *dead;
    struct base_input_name faults; /* the file that says so, for whoever has set it; else no path */
    bool faults_drawn;             /* likewise: which links die follows from the seed of the run */
    /* The routing that this one wraps, such as that which is confined (confinement.h); NULL: it wraps none. A wrapper
     * has a kind of its own, whose functions ask the inner routing's, and else all that the inner routing has: so a
     * wrapper may be wrapped, and what a wrapper does not change costs what it did. */
    const struct net_routing *inner;
    const void *wrapping; /* the wrapper's own tables, in the arena */
    /* Set by prepare, for grids, where route and step do not look at the router, so that the header alone
     * decides, and variants and start look at the displacement only: engines remember then what they say
     * (netmodel/packet-engine/ways.h). */
    bool uniform;
    bool legs;        /* uniform, and what the kind says of legs holds on this topology */
    void *data;       /* the kind's own tables, in the arena */
    const char *note; /* what they hold, for people; NULL: nothing to say */
    struct base_arena arena;
    bool lanes; /* the header is a record of at most four fields of 16 bits (routings/record.h) */
    uint32_t shift[NET_DIMENSIONS_MAX + 1]; /* first bit of each dimension's field, then the end */
    uint64_t arrived;                       /* the header with all displacements zero */
    uint8_t dimension_of_bit[64];
};

/* What a descriptor says as `chooses`, where the answer does not depend on the network. */
bool net_routing_chooses_always(const struct net_routing *routing);
bool net_routing_chooses_never(const struct net_routing *routing);
/* Of grids: one port a router: among virtual channels, and among equally short ways round rings. */
bool net_routing_chooses_in_order(const struct net_routing *routing);
/* Of shared channels, several ports in a tier: among dimensions, and both ways round rings. */
bool net_routing_chooses_of_ways(const struct net_routing *routing);

const struct net_routing_kind *const *net_routing_kinds(size_t *count);
/* Whether the topology is of the family that the routing serves. prepare may refuse it all the same, for its
 * size or shape. */
bool net_routing_serves(const struct net_routing_kind *kind, const struct net_topology *topology);
/* The topology's form of the routing of that name (net_topology_kind.forms); NULL: it has none. */
const struct net_routing_kind *net_routing_form(const char *name, const struct net_topology *topology);
/* The virtual channels that it needs at least on a topology that it serves; 0: memory. */
uint32_t net_routing_needs(const struct net_routing_kind *kind, const struct net_topology *topology);
/* The routing that is taken where none is named: the routes of a graph whose file declares any; up-down of a
 * graph on which minimal needs more virtual channels than there can be; else the topology's own. NULL: it has
 * no links. */
const char *net_routing_default(const struct net_topology *topology);
/* Prepares the named routing (NULL or "": the topology's default; parameters may follow) for a topology that
 * must outlive it. virtual_channels 0: what the routing needs. -1: unknown (nearest match), a parameter that
 * does not fit, or not for this topology (which it serves), BASE_USAGE; or memory: then there is nothing to
 * free. */
int net_routing_init(struct net_routing *routing, const struct net_topology *topology, const char *name,
                     uint32_t virtual_channels, struct base_error *error);
/* The same on a network some of whose links are dead, which must hold together without them: dead[link] is copied.
 * NULL: none is. The default is the first routing that detours. -1 also for a routing that knows no ways around
 * them (BASE_USAGE). */
int net_routing_init_around(struct net_routing *routing, const struct net_topology *topology,
                            const char *name, uint32_t virtual_channels, const bool *dead,
                            struct base_error *error);

/* Tables of prepare and the text. The routing itself is the caller's; one that is all zeros is legal. */
void net_routing_free(struct net_routing *routing);

/* Which variant, of several, a packet between two terminals takes; bits are the draw from its key. */
static inline uint32_t net_routing_variant(const struct net_routing *routing, uint32_t source,
                                           uint32_t target, uint32_t variants, uint64_t bits)
{
    return routing->kind->variant != NULL ? routing->kind->variant(routing, source, target)
                                          : base_scale(bits, variants);
}

/* Expected load of every link when weight units go from router a to router b: variants share equally, the
 * ports of a first tier share equally. load has link_count entries and is added to. -1: memory is out (not
 * for routings of one port a tier), and some of the load is missing. */
int net_routing_load(const struct net_routing *routing, uint32_t a, uint32_t b, double weight, double *load);
/* The same from terminal to terminal, of whose variants the load is where they decide. */
int net_routing_load_between(const struct net_routing *routing, uint32_t source, uint32_t target,
                             double weight, double *load);
/* Links the header crosses from a to b by its first variant; all choices of ports of first tiers give the same number.
 * For a minimal routing that of every variant. Links are what hop-bytes and dilations count, whatever latency each has;
 * what a way takes in cycles says net_routing_crossing (routings/crossing.h). */
uint32_t net_routing_hops(const struct net_routing *routing, uint32_t a, uint32_t b);
/* The same over all variants. */
struct net_way_lengths net_routing_lengths(const struct net_routing *routing, uint32_t a, uint32_t b);

#endif
