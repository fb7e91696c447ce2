/* Minimal routing on networks without a grid: the shortest ways, by whatever port has room, and the n-th hop
 * of a packet on the n-th class of virtual channels. So a packet never waits for a channel of an earlier hop
 * than its own, and no circle can close (K. D. Günther, Prevention of deadlocks in packet-switched data
 * transport systems, IEEE Trans. Commun. 29(4), 1981).
 *
 * The header is the destination and the hops so far:
 *
 *      … │ hops 16 bits │ destination 32 bits
 *
 * The form that draws has the first hop's port, too, and one, in the upper 16 bits . */
#include <stdlib.h>

#include "netmodel/routing.h"
#include "netmodel/routings/families.h"
#include "netmodel/routings/port-table.h"

#define TABLE_BYTES_MAX (UINT64_C(1) << 29)
#define HOP (UINT64_C(1) << 32)
#define HOPS UINT64_C(0xffff)          /* after a shift */
#define FIRST_PORT (UINT64_C(1) << 48) /* times the first hop's port and one */

struct minimal {
    struct net_port_table table;
    uint32_t ends;    /* the first so many routers have terminals */
    uint32_t classes; /* of virtual channels: hops of the longest way */
    bool forks;       /* some pair has a choice of ports */
};

/* Searches from every router with terminals, as only they send. At least one class, of a network without
 * links. */
static uint32_t longest_way(const struct net_topology *topology)
{
    uint32_t *distances = calloc(topology->routers, 2 * sizeof *distances);
    uint32_t longest = 1;
    uint32_t ends = topology->terminals / topology->concentration;
    for (uint32_t a = 0; a < ends && distances != NULL; a++) {
        net_topology_search(topology, a, distances, distances + topology->routers);
        for (uint32_t b = 0; b < ends; b++)
            if (distances[b] != NET_NONE && distances[b] > longest)
                longest = distances[b];
    }
    free(distances);
    return distances != NULL ? longest : 0;
}

/* Scratch of prepare: the links into each router. */
struct incoming {
    uint32_t *first;     /* [router]; one more at the end */
    uint32_t *links;     /* by target */
    uint32_t *distances; /* [router]: hops to the destination at hand */
    uint32_t *queue;
    bool *leaves; /* [router]: a port is known that comes nearer to it */
};

static int list_incoming(const struct net_topology *topology, struct incoming *incoming,
                         struct base_arena *scratch)
{
    size_t routers = topology->routers;
    incoming->first = base_arena_array(scratch, 3 * routers + 2, sizeof *incoming->first);
    incoming->links = base_arena_array(scratch, topology->link_count, sizeof *incoming->links);
    incoming->leaves = base_arena_array(scratch, routers, sizeof *incoming->leaves);
    if (incoming->first == NULL || incoming->links == NULL || incoming->leaves == NULL)
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

/* Breadth first against the links; a port counts where it comes one hop nearer. */
static void fill_destination(const struct net_topology *topology, const struct incoming *incoming,
                             struct minimal *minimal, uint32_t destination)
{
    uint32_t head = 0, tail = 0;
    uint32_t *distances = incoming->distances;
    for (uint32_t r = 0; r < topology->routers; r++) {
        distances[r] = NET_NONE;
        incoming->leaves[r] = false;
    }
    distances[destination] = 0;
    incoming->queue[tail++] = destination;
    while (head < tail) {
        uint32_t router = incoming->queue[head++];
        for (uint32_t i = incoming->first[router]; i < incoming->first[router + 1]; i++) {
            const struct net_link *link = &topology->links[incoming->links[i]];
            if (distances[link->source] == NET_NONE) {
                distances[link->source] = distances[router] + 1;
                incoming->queue[tail++] = link->source;
            }
            if (distances[link->source] != distances[router] + 1)
                continue;
            minimal->forks = minimal->forks || incoming->leaves[link->source];
            incoming->leaves[link->source] = true;
            net_port_table_add(&minimal->table, link->source, destination, link->port);
        }
    }
}

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
    minimal->classes = longest_way(topology);
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

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)a, (void)variant;
    return b;
}

/* The virtual channels are divided evenly among the classes. */
static uint32_t class_channels(const struct net_routing *routing, uint32_t class)
{
    const struct minimal *minimal = routing->data;
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

/* All shortest ways, of one or two hops, begin by different ports. */
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
    .summary = "diameter 2: one of the shortest ways, drawn for each packet",
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
    .summary = "networks without a grid: the shortest ways, adaptively, a virtual channel a hop",
    .reference =
        "K. D. Günther, Prevention of deadlocks in packet-switched data transport systems, IEEE Trans. "
        "Commun. 29(4), 1981; doc/networks.md, Routings",
    .deadlock_argument =
        "the n-th hop of a packet is on the n-th class of virtual channels, so that it waits for later "
        "classes only",
    .virtual_channels = 1,
    .needs = longest_way,
    .minimal = true,
    .serves = &net_family_free,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
};
