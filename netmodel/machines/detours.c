/* Ways through an intermediate router (detours.h). */
#include "netmodel/machines/detours.h"

#include "netmodel/machines/dragonfly.h"
#include "netmodel/machines/hyperx.h"
#include "netmodel/machines/slim-fly.h"
#include "netmodel/specification.h"

#define NUMBER_BITS 24 /* of a router */
#define NUMBER ((UINT64_C(1) << NUMBER_BITS) - 1)
#define MIDDLE_SHIFT NUMBER_BITS
#define BEHIND_SHIFT (2 * NUMBER_BITS)
#define BEHIND UINT64_C(3)
#define FIRST_HALF (UINT64_C(1) << (BEHIND_SHIFT + 2))
#define UNDECIDED                                                                                            \
    (UINT64_C(1) << (BEHIND_SHIFT + 3)) /* minimal, but the intermediate router is known (rule 14) */
#define NO_MIDDLE NUMBER

struct detours {
    struct net_routing minimal;
    const struct net_dragonfly *dragonfly; /* NULL: another network */
    bool groups;
    struct net_detour_scale scale; /* of ugal */
    uint32_t classes[2];           /* of local links, or of all; of global ones */
    bool by_hops;                  /* links behind are counted, else global links */
};

static uint32_t destination_of(uint64_t header)
{
    return (uint32_t)(header & NUMBER);
}

static uint32_t middle_of(uint64_t header)
{
    return (uint32_t)(header >> MIDDLE_SHIFT & NUMBER);
}

static uint32_t behind_of(uint64_t header)
{
    return (uint32_t)(header >> BEHIND_SHIFT & BEHIND);
}

static uint64_t second_half(uint32_t destination)
{
    return NO_MIDDLE << MIDDLE_SHIFT | destination;
}

static uint32_t group_of(const struct detours *detours, uint32_t router)
{
    return router / detours->dragonfly->routers;
}

/* Whether the first half of a way ends at this router. */
static bool is_middle(const struct detours *detours, uint32_t router, uint32_t middle)
{
    return detours->groups ? group_of(detours, router) == group_of(detours, middle) : router == middle;
}

/* ---- families ---- */

static bool has_detours(const struct net_topology *topology)
{
    return net_dragonfly_of(topology) != NULL || net_hyperx_of(topology) != NULL ||
           net_slim_fly_of(topology) != NULL;
}

static bool has_groups(const struct net_topology *topology)
{
    return net_dragonfly_of(topology) != NULL;
}

const struct net_family net_family_detours = {"dragonfly, hyperx, full-mesh, slim-fly", has_detours};
const struct net_family net_family_group_detours = {"dragonfly", has_groups};

/* ---- preparing ---- */

/* The topology's form of minimal; its tables go into the arena of the routing that takes its ways. */
static int prepare_minimal(struct net_routing *routing, struct net_routing *minimal, struct base_error *error)
{
    const struct net_specification specification = {.what = "routing", .text = "minimal"};
    const struct net_routing_kind *kind = net_routing_form("minimal", routing->topology);
    *minimal = (struct net_routing){.kind = kind,
                                    .topology = routing->topology,
                                    .text = "minimal",
                                    .virtual_channels = net_routing_needs(kind, routing->topology),
                                    .arena = routing->arena};
    int status = kind->prepare(minimal, &specification, error);
    routing->arena = minimal->arena;
    minimal->arena = (struct base_arena){0};
    return status;
}

/* The state of Valiant's and UGAL's ways: which minimal routing both halves use, how channels are divided into
 * classes, and where the middle is drawn from, routers or groups. A way has up to four links that need a class
 * each: the local ones in a dragonfly (three where the middle is a group), all of them in a Slim Fly; in a HyperX
 * a class for each half is enough. No bubble is asked for: the classes alone break circles. */
int net_detour_prepare(struct net_routing *routing, bool groups, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    struct detours *detours = base_arena_alloc(&routing->arena, sizeof *detours);
    if (detours == NULL)
        return base_error_memory(error, "the ways of a routing");
    if (topology->routers >= NO_MIDDLE)
        return base_error_set(error, BASE_USAGE, "routing '%s': '%s' has too many routers",
                              routing->kind->name, topology->text);
    *detours = (struct detours){.dragonfly = net_dragonfly_of(topology),
                                .groups = groups,
                                .by_hops = net_slim_fly_of(topology) != NULL};
    detours->classes[0] = net_hyperx_of(topology) != NULL ? 2 : groups ? 3 : 4;
    detours->classes[1] = 2;
    routing->data = detours;
    routing->bubble_channels = 0;
    return prepare_minimal(routing, &detours->minimal, error);
}

/* ---- ways ---- */

/* The ports of the minimal way from a router to another one, as the only tier. */
static void minimal_ports(const struct net_routing *routing, uint32_t router, uint32_t to,
                          struct net_route *route)
{
    const struct detours *detours = routing->data;
    detours->minimal.kind->route(&detours->minimal, router, to, route);
}

/* Links of a way behind which a packet changes its class: local ones of a dragonfly, all others elsewhere. */
static bool is_local(const struct net_routing *routing, uint32_t router, uint32_t port)
{
    const struct detours *detours = routing->data;
    const struct net_topology *topology = routing->topology;
    uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
    return detours->dragonfly == NULL || topology->named->of_link[link] + 1U < detours->dragonfly->routers;
}

/* The number of the class of a link, of classes[local ? 0 : 1]. */
static uint32_t class_of(const struct detours *detours, uint64_t header, bool local)
{
    bool first = (header & FIRST_HALF) != 0;
    uint32_t half = detours->classes[local ? 0 : 1] / 2;
    if (!local)
        return first ? 0 : half;
    if (detours->classes[0] == 2)
        return first ? 0 : 1;
    return (first ? 0 : half) + behind_of(header);
}

/* Channels are divided evenly among classes. */
static uint32_t channels_of(const struct net_routing *routing, uint32_t class, uint32_t classes)
{
    uint32_t first = class * routing->virtual_channels / classes;
    uint32_t next = (class + 1) * routing->virtual_channels / classes;
    return (UINT32_C(1) << next) - (UINT32_C(1) << first);
}

/* The minimal way to the middle, and from there to the destination, on the channels of the half's class. */
uint32_t net_detour_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                          struct net_route *route)
{
    const struct detours *detours = routing->data;
    bool first = (header & FIRST_HALF) != 0;
    if (!first && destination_of(header) == router)
        return 0;
    minimal_ports(routing, router, first ? middle_of(header) : destination_of(header), route);
    /* All ports of a tier are of one kind. */
    bool local = is_local(routing, router, net_route_next(routing->topology, route, 0, 0));
    route->virtual_channels[0] =
        channels_of(routing, class_of(detours, header, local), detours->classes[local ? 0 : 1]);
    return 1;
}

/* The header behind a link: it forgets the middle when the next router is the middle, and counts the links after
 * which local ones need a higher class. */
uint64_t net_detour_step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    const struct detours *detours = routing->data;
    const struct net_topology *topology = routing->topology;
    uint32_t next = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
    if ((header & FIRST_HALF) == 0)
        header = second_half(destination_of(header)) | (header & BEHIND << BEHIND_SHIFT);
    else if (is_middle(detours, next, middle_of(header)))
        return second_half(destination_of(header));
    bool counts = detours->by_hops || !is_local(routing, router, port);
    return counts ? header + (UINT64_C(1) << BEHIND_SHIFT) : header;
}

/* A middle that is where the packet starts is none: such a packet begins with its second half. */
static uint64_t header_of(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t middle)
{
    if (is_middle(routing->data, a, middle))
        return second_half(b);
    return FIRST_HALF | (uint64_t)middle << MIDDLE_SHIFT | b;
}

/* Links of the minimal way between two routers, walked by the minimal routing itself. */
static uint32_t hops_of(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct net_topology *topology = routing->topology;
    uint32_t hops = 0;
    for (; a != b; hops++) {
        struct net_route route = {.ports = {0}};
        minimal_ports(routing, a, b, &route);
        a = topology
                ->links[topology
                            ->link_at[(size_t)a * topology->ports + net_route_next(topology, &route, 0, 0)]]
                .target;
    }
    return hops;
}

/* ---- which intermediate router ---- */

/* How many intermediate routers a packet may be given, its own included: on a dragonfly only those of other groups,
 * or one for each other group. */
static uint32_t middles(const struct net_routing *routing, uint32_t a)
{
    const struct detours *detours = routing->data;
    uint32_t routers = routing->topology->routers;
    (void)a;
    if (detours->dragonfly == NULL || detours->dragonfly->groups == 1)
        return routers;
    return detours->groups ? detours->dragonfly->groups - 1 : routers - detours->dragonfly->routers;
}

/* Of a dragonfly they are counted from the next group on. */
static uint32_t middle_number(const struct net_routing *routing, uint32_t a, uint32_t number)
{
    const struct detours *detours = routing->data;
    uint32_t routers = routing->topology->routers;
    if (detours->dragonfly == NULL || detours->dragonfly->groups == 1)
        return number;
    uint32_t each = detours->dragonfly->routers, first = (group_of(detours, a) + 1) * each;
    return (first + (detours->groups ? number * each : number)) % routers;
}

uint32_t net_detour_variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    return a == b ? 1 : middles(routing, a);
}

uint64_t net_detour_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    return a == b ? second_half(b) : header_of(routing, a, b, middle_number(routing, a, variant));
}

bool net_detour_chooses(const struct net_routing *routing)
{
    return routing->topology->routers > 1;
}

/* Two halves of a HyperX, four classes elsewhere. */
uint32_t net_detour_needs(const struct net_topology *topology)
{
    return net_hyperx_of(topology) != NULL ? 2 : 4;
}

/* ---- one of two ways ---- */

/* Where the intermediate router would be the source or the target there is nothing to decide: the way is minimal. */
uint64_t net_detour_start_undecided(const struct net_routing *routing, uint32_t a, uint32_t b,
                                    uint32_t variant)
{
    uint32_t middle = middle_number(routing, a, variant);
    if (a == b || middle == a || middle == b)
        return second_half(b);
    return UNDECIDED | (uint64_t)middle << MIDDLE_SHIFT | b;
}

uint64_t net_detour_taken(const struct net_routing *routing, uint64_t header)
{
    (void)routing;
    return (header & UNDECIDED) == 0 ? header : (header ^ UNDECIDED) | FIRST_HALF;
}

uint64_t net_detour_refused(uint64_t header)
{
    return second_half(destination_of(header));
}

/* The first link of a way: its ports, of parallel links several, and the channels of its class. */
static void first_link(const struct net_routing *routing, uint32_t router, uint64_t header,
                       struct net_route *route)
{
    *route = (struct net_route){.ports = {0}};
    net_detour_route(routing, router, header, route);
}

/* One of the two ways of a packet, at its source. */
struct prospect {
    struct net_route route; /* the tier of its first link, or of several parallel ones */
    uint32_t port;          /* the first of these */
    uint32_t channels;      /* of which flits count */
    uint64_t flits;
};

/* Adds the flits of packets at the same router that have chosen such a first link and wait for it. Parallel links
 * lead to one router, so of two ways all of them are the same, or none. A packet to its own router has no link. */
static void add_waiting(const struct net_routing *routing, const struct net_occupancy *occupancy,
                        struct prospect ways[2])
{
    uint64_t header = 0;
    for (uint32_t i = 0; i < occupancy->injectors; i++) {
        struct net_route route;
        uint32_t length = occupancy->waiting(occupancy, i, &header);
        if (length == 0)
            continue;
        first_link(routing, occupancy->router, header, &route);
        uint32_t port = net_route_next(routing->topology, &route, 0, 0);
        for (uint32_t way = 0; way < 2; way++)
            if (port == ways[way].port && (route.virtual_channels[0] & ways[way].channels) != 0)
                ways[way].flits += length;
    }
}

/* Flits on these channels of a first link; of several links that it may be, of the emptiest. */
static uint64_t flits_on(const struct net_routing *routing, const struct net_occupancy *occupancy,
                         const struct prospect *way)
{
    const struct net_topology *topology = routing->topology;
    uint64_t least = UINT64_MAX;
    for (uint32_t port = way->port; port != NET_NONE;
         port = net_route_next(topology, &way->route, 0, port + 1)) {
        uint64_t flits = occupancy->flits(occupancy, port, way->channels);
        least = flits < least ? flits : least;
    }
    return least;
}

void net_detour_weigh(struct net_routing *routing, struct net_detour_scale scale)
{
    struct detours *detours = routing->data;
    detours->scale = scale;
}

/* Ways that begin alike have the same first port; parallel links lead to one router, and belong to one way alone. */
bool net_detour_compare(const struct net_routing *routing, uint64_t header,
                        const struct net_occupancy *occupancy, uint64_t costs[2])
{
    const struct detours *detours = routing->data;
    const struct net_detour_scale *scale = &detours->scale;
    uint32_t router = occupancy->router, destination = destination_of(header), middle = middle_of(header);
    uint64_t headers[2] = {net_detour_refused(header), net_detour_taken(routing, header)};
    struct prospect ways[2];
    if ((header & UNDECIDED) == 0)
        return false;
    for (uint32_t way = 0; way < 2; way++) {
        first_link(routing, router, headers[way], &ways[way].route);
        ways[way].port = net_route_next(routing->topology, &ways[way].route, 0, 0);
    }
    bool alike = ways[0].port == ways[1].port;
    bool by_channel = scale->queue == NET_QUEUE_CHANNEL || (scale->queue == NET_QUEUE_HYBRID && alike);
    for (uint32_t way = 0; way < 2; way++) {
        ways[way].channels =
            by_channel ? ways[way].route.virtual_channels[0] : UINT32_MAX >> (32 - routing->virtual_channels);
        ways[way].flits = flits_on(routing, occupancy, &ways[way]);
    }
    if (scale->waiting)
        add_waiting(routing, occupancy, ways);
    costs[0] = ways[0].flits * hops_of(routing, router, destination);
    costs[1] = ways[1].flits * (hops_of(routing, router, middle) + hops_of(routing, middle, destination)) +
               scale->threshold;
    return true;
}
