/* Minimal routing on networks without a grid: the shortest paths, by whatever port has room. Where no circle
 * closes among the links of these ways, as in trees, one class of virtual channels serves all of them.
 * Elsewhere the n-th hop of a packet is on the n-th class: so a packet never waits for a channel of an
 * earlier hop than its own, and no circle can close (K. D. Günther, Prevention of deadlocks in
 * packet-switched data transport systems, IEEE Trans. Commun. 29(4), 1981). Which of the two it is, is found
 * out beforehand, link by link.
 *
 * The header is the destination and the hops so far; the form that draws has the first hop's port, too, and
 * one:
 *
 *      first port + 1, 16 bits │ hops 16 bits │ destination 32 bits */
#include <stdlib.h>

#include "netmodel/routing.h"
#include "netmodel/routings/families.h"
#include "netmodel/routings/plain.h"
#include "netmodel/routings/port-table.h"

#define TABLE_BYTES_MAX (UINT64_C(1) << 29)
#define PROOF_STEPS_MAX (UINT64_C(1) << 28) /* destinations x links x ports that are looked at */
#define HOP (UINT64_C(1) << 32)
#define HOPS UINT64_C(0xffff)          /* after a shift */
#define FIRST_PORT (UINT64_C(1) << 48) /* times the first hop's port and one */

struct minimal {
    struct net_port_table table;
    uint32_t ends;    /* the first so many routers have terminals */
    uint32_t classes; /* of virtual channels: hops of the longest way, or 1 */
    bool forks;       /* some pair has a choice of ports */
};

/* Scratch: the links into each router. */
struct incoming {
    uint32_t *first;     /* [router]; one more at the end */
    uint32_t *links;     /* by target */
    uint32_t *distances; /* [router]: hops to the destination at hand */
    uint32_t *queue;
};

/* Links by the router that they lead to, by counting: searches go from the destination backwards. -1: memory. */
static int list_incoming(const struct net_topology *topology, struct incoming *incoming,
                         struct base_arena *scratch)
{
    size_t routers = topology->routers;
    incoming->first = base_arena_array(scratch, 3 * routers + 2, sizeof *incoming->first);
    incoming->links = base_arena_array(scratch, topology->link_count, sizeof *incoming->links);
    if (incoming->first == NULL || incoming->links == NULL)
        return -1;
    incoming->distances = incoming->first + routers + 2;
    incoming->queue = incoming->distances + routers;
    for (uint32_t l = 0; l < topology->link_count; l++)
        incoming->first[topology->links[l].target + 2]++;
    for (size_t r = 2; r <= routers; r++)
        incoming->first[r] += incoming->first[r - 1];
    /* first[r + 1] moves from the start of r's links to their end. */
    for (uint32_t l = 0; l < topology->link_count; l++)
        incoming->links[incoming->first[topology->links[l].target + 1]++] = l;
    return 0;
}

/* Breadth first against the links: all distances to a destination. Returns how many routers reach it, which
 * are in the queue, nearest first. */
static uint32_t search_back(const struct net_topology *topology, const struct incoming *incoming,
                            uint32_t destination)
{
    uint32_t head = 0, tail = 0;
    uint32_t *distances = incoming->distances;
    for (uint32_t r = 0; r < topology->routers; r++)
        distances[r] = NET_NONE;
    distances[destination] = 0;
    incoming->queue[tail++] = destination;
    while (head < tail) {
        uint32_t router = incoming->queue[head++];
        for (uint32_t i = incoming->first[router]; i < incoming->first[router + 1]; i++) {
            uint32_t source = topology->links[incoming->links[i]].source;
            if (distances[source] == NET_NONE) {
                distances[source] = distances[router] + 1;
                incoming->queue[tail++] = source;
            }
        }
    }
    return tail;
}

/* Whether a link comes one hop nearer to the destination that was searched for. */
static bool is_nearer(const struct incoming *incoming, const struct net_link *link)
{
    return incoming->distances[link->target] != NET_NONE &&
           incoming->distances[link->source] == incoming->distances[link->target] + 1;
}

/* ---- how many classes of virtual channels it takes ---- */

/* Which links a packet on a link may ask for next: dependencies[link * words + word] is a mask of the ports
 * of the router that it leads to. */
struct dependencies {
    uint64_t *ports;
    uint32_t words;
    uint32_t *waits; /* [link]: links that it may wait for and that are not yet known to be in no circle */
    uint32_t *queue;
    bool *reached; /* [router]: packets to the destination at hand come by */
};

/* Packets start at routers with terminals, and go on by all shortest paths. */
static void add_destination(const struct net_topology *topology, const struct incoming *incoming,
                            uint32_t ends, uint32_t count, struct dependencies *all)
{
    for (uint32_t i = 0; i < count; i++)
        all->reached[incoming->queue[i]] = incoming->queue[i] < ends;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t router = incoming->queue[i];
        const uint32_t *row = topology->link_at + (size_t)router * topology->ports;
        for (uint32_t port = 0; all->reached[router] && port < topology->ports; port++) {
            if (row[port] == NET_NONE || !is_nearer(incoming, &topology->links[row[port]]))
                continue;
            uint32_t next = topology->links[row[port]].target;
            const uint32_t *onwards = topology->link_at + (size_t)next * topology->ports;
            all->reached[next] = true;
            for (uint32_t on = 0; on < topology->ports; on++)
                if (onwards[on] != NET_NONE && is_nearer(incoming, &topology->links[onwards[on]]))
                    all->ports[(size_t)row[port] * all->words + on / 64] |= UINT64_C(1) << on % 64;
        }
    }
}

/* Whether some packet goes from one link straight to the other, as far as destinations have been added. */
static bool depends(const struct net_topology *topology, const struct dependencies *all, uint32_t link,
                    uint32_t next)
{
    uint32_t port = topology->links[next].port;
    return topology->links[link].target == topology->links[next].source &&
           (all->ports[(size_t)link * all->words + port / 64] >> port % 64 & 1) != 0;
}

/* Takes away links that wait for no other, until none is left or those that are form circles (A. B. Kahn,
 * 1962). */
static bool is_acyclic(const struct net_topology *topology, const struct incoming *incoming,
                       struct dependencies *all)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t l = 0; l < topology->link_count; l++) {
        all->waits[l] = 0;
        for (uint32_t word = 0; word < all->words; word++)
            all->waits[l] += (uint32_t)__builtin_popcountll(all->ports[(size_t)l * all->words + word]);
        if (all->waits[l] == 0)
            all->queue[tail++] = l;
    }
    while (head < tail) {
        uint32_t done = all->queue[head++], router = topology->links[done].source;
        for (uint32_t i = incoming->first[router]; i < incoming->first[router + 1]; i++)
            if (depends(topology, all, incoming->links[i], done) && --all->waits[incoming->links[i]] == 0)
                all->queue[tail++] = incoming->links[i];
    }
    return tail == topology->link_count;
}

/* Room for the proof. NULL in ports: it would take too many steps (counted, and not timed, so that the answer
 * is the same everywhere), or there is no memory, which *failed tells. */
static struct dependencies make_dependencies(const struct net_topology *topology, struct base_arena *scratch,
                                             bool *failed)
{
    struct dependencies all = {.words = net_port_table_words(topology)};
    uint64_t steps = (uint64_t)topology->routers * topology->link_count;
    if (topology->ports == 0 || steps > PROOF_STEPS_MAX / topology->ports)
        return all;
    all.ports = base_arena_array(scratch, (size_t)topology->link_count * all.words + 1, sizeof *all.ports);
    all.waits = base_arena_array(scratch, 2 * (size_t)topology->link_count + 1, sizeof *all.waits);
    all.reached = base_arena_array(scratch, topology->routers, sizeof *all.reached);
    *failed = all.ports == NULL || all.waits == NULL || all.reached == NULL;
    all.queue = all.waits + topology->link_count;
    return all;
}

/* How many classes of channels the shortest ways need: one, where the links that follow each other on them close no
 * circle; else one a hop of the longest. Both are found in one search back from every router that has terminals. 0:
 * memory. */
static uint32_t count_classes(const struct net_topology *topology, struct base_arena *scratch)
{
    uint32_t ends = topology->terminals / topology->concentration, longest = 1;
    bool failed = false;
    struct incoming incoming;
    struct dependencies all = make_dependencies(topology, scratch, &failed);
    if (failed || list_incoming(topology, &incoming, scratch) != 0)
        return 0;
    for (uint32_t destination = 0; destination < ends; destination++) {
        uint32_t count = search_back(topology, &incoming, destination);
        for (uint32_t i = 0; i < count; i++)
            if (incoming.queue[i] < ends && incoming.distances[incoming.queue[i]] > longest)
                longest = incoming.distances[incoming.queue[i]];
        if (all.ports != NULL)
            add_destination(topology, &incoming, ends, count, &all);
    }
    return all.ports != NULL && is_acyclic(topology, &incoming, &all) ? 1 : longest;
}

/* One, where the shortest paths close no circle as they are; else one for each hop of the longest way between
 * terminals. 0: memory. */
static uint32_t needs(const struct net_topology *topology)
{
    struct base_arena scratch = {0};
    uint32_t classes = count_classes(topology, &scratch);
    base_arena_free(&scratch);
    return classes;
}

/* ---- tables ---- */

/* A port counts where it comes one hop nearer. */
static void fill_destination(const struct net_topology *topology, const struct incoming *incoming,
                             struct minimal *minimal, uint32_t destination)
{
    uint32_t count = search_back(topology, incoming, destination);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t router = incoming->queue[i], ways = 0;
        const uint32_t *row = topology->link_at + (size_t)router * topology->ports;
        for (uint32_t port = 0; port < topology->ports; port++)
            if (row[port] != NET_NONE && is_nearer(incoming, &topology->links[row[port]])) {
                net_port_table_add(&minimal->table, router, destination, port);
                ways++;
            }
        minimal->forks = minimal->forks || ways > 1;
    }
}

/* A search for each destination. Only routers with terminals, which come first, are ends of ways; the others are
 * passed, and may well be out of reach of each other. */
static int fill(struct net_routing *routing, struct minimal *minimal, struct base_arena *scratch,
                struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    uint32_t ends = topology->terminals / topology->concentration;
    struct incoming incoming;
    if (list_incoming(topology, &incoming, scratch) != 0)
        return base_error_memory(error, "the tables of minimal routing");
    for (uint32_t destination = 0; destination < ends; destination++) {
        fill_destination(topology, &incoming, minimal, destination);
        for (uint32_t source = 0; source < ends; source++) {
            char from[NET_NAME_TEXT], to[NET_NAME_TEXT];
            if (incoming.distances[source] == NET_NONE)
                return base_error_set(error, BASE_USAGE,
                                      "routing 'minimal': '%s' has no way from %.80s to %.80s",
                                      topology->text, net_router_name(topology, source, from),
                                      net_router_name(topology, destination, to));
        }
    }
    return 0;
}

/* Half a gigabyte is the limit: 16 000 routers of few ports, 8000 of many. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    struct minimal *minimal = base_arena_alloc(&routing->arena, sizeof *minimal);
    struct base_arena scratch = {0};
    (void)specification;
    if (net_port_table_bytes(topology) > TABLE_BYTES_MAX)
        return base_error_set(error, BASE_USAGE, "routing 'minimal': %u routers are too many for its table",
                              topology->routers);
    if (minimal == NULL || net_port_table_init(&minimal->table, topology, &routing->arena) != 0)
        return base_error_memory(error, "the tables of minimal routing");
    minimal->ends = topology->terminals / topology->concentration;
    minimal->classes = needs(topology);
    if (minimal->classes == 0)
        return base_error_memory(error, "the virtual channels of minimal routing");
    int status = fill(routing, minimal, &scratch, error);
    base_arena_free(&scratch);
    routing->data = minimal;
    routing->bubble_channels = 0;
    return status;
}

/* Of several ways the first router with a choice decides, by what has room. Nothing goes from or to a router
 * without terminals: its ways could need more classes than there are. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct minimal *minimal = routing->data;
    return a < minimal->ends && b < minimal->ends;
}

/* The virtual channels are divided evenly among the classes, of which one serves all hops where it is enough. */
static uint32_t class_channels(const struct net_routing *routing, uint32_t class)
{
    const struct minimal *minimal = routing->data;
    class = minimal->classes == 1 ? 0 : class;
    uint32_t first = class * routing->virtual_channels / minimal->classes;
    uint32_t next = (class + 1) * routing->virtual_channels / minimal->classes;
    return (UINT32_C(1) << next) - (UINT32_C(1) << first);
}

static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct minimal *minimal = routing->data;
    if ((uint32_t)header == router)
        return 0;
    net_port_table_get(&minimal->table, router, (uint32_t)header, route, 0);
    route->virtual_channels[0] = class_channels(routing, (uint32_t)(header / HOP & HOPS));
    return 1;
}

static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)routing, (void)router, (void)port;
    return header + HOP;
}

/* ---- the form that draws: where several routers are between two that are two hops apart, one by the key
 * ---- */

/* All shortest paths, of one or two hops, begin by different ports. */
static uint32_t drawn_variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct minimal *minimal = routing->data;
    struct net_route route = {.ports = {0}};
    uint32_t ways = 0;
    net_port_table_get(&minimal->table, a, b, &route, 0);
    for (uint32_t port = net_route_next(routing->topology, &route, 0, 0); port != NET_NONE;
         port = net_route_next(routing->topology, &route, 0, port + 1))
        ways++;
    return a == b ? 1 : ways;
}

/* For networks without a choice on the way: the first hop is drawn with the header, and noted above the target as its
 * port + 1. */
static uint64_t drawn_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct minimal *minimal = routing->data;
    struct net_route route = {.ports = {0}};
    if (a == b)
        return b;
    net_port_table_get(&minimal->table, a, b, &route, 0);
    uint32_t port = net_route_next(routing->topology, &route, 0, 0);
    for (; variant > 0; variant--)
        port = net_route_next(routing->topology, &route, 0, port + 1);
    return b + FIRST_PORT * (port + 1);
}

/* At the source the one port that was drawn; behind it there is no note any more, and any shortest way will do. */
static uint32_t drawn_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                            struct net_route *to)
{
    uint32_t tiers = route(routing, router, header, to), first = (uint32_t)(header / FIRST_PORT);
    if (tiers > 0 && first > 0)
        net_route_only(routing->topology, to, 0, first - 1);
    return tiers;
}

static uint64_t drawn_step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    return step(routing, router, header % FIRST_PORT, port);
}

static bool chooses(const struct net_routing *routing)
{
    const struct minimal *minimal = routing->data;
    return minimal->forks || (routing->virtual_channels > minimal->classes && routing->topology->routers > 1);
}

const struct net_routing_kind net_routing_minimal_drawn = {
    .name = "minimal",
    .chooses = chooses,
    .summary = "diameter 2: one of the shortest paths, drawn for each packet",
    .reference =
        "M. Besta and T. Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014, "
        "section IV; doc/networks.md, Routings",
    .deadlock_argument = "the second hop of a packet is on the second class of virtual channels",
    .virtual_channels = 2,
    .minimal = true,
    .serves = &net_family_free,
    .prepare = prepare,
    .variants = drawn_variants,
    .start = drawn_start,
    .route = drawn_route,
    .step = drawn_step,
};

const struct net_routing_kind net_routing_minimal = {
    .name = "minimal",
    .chooses = chooses,
    .summary = "networks without a grid: the shortest paths, adaptively, a virtual channel a hop where it "
               "takes them",
    .reference =
        "K. D. Günther, Prevention of deadlocks in packet-switched data transport systems, IEEE Trans. "
        "Commun. 29(4), 1981; doc/networks.md, Routings",
    .deadlock_argument =
        "the n-th hop of a packet is on the n-th class of virtual channels, so that it waits for later "
        "classes only; or the links of all paths form no cycle, and one class is enough",
    .virtual_channels = 1,
    .needs = needs,
    .minimal = true,
    .serves = &net_family_free,
    .prepare = prepare,
    .variants = variants,
    .start = net_plain_start,
    .route = route,
    .step = step,
};
