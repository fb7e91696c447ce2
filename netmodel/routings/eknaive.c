/* EKnaive routing of king networks (doc/networks.md; the king thesis, section 2.4): two thirds of Knaive's
 * straight hops become pairs of diagonal ones, one Z and one T, which go as far in as many hops and spread
 * the load over three orientations. The thesis does not say how to round: q = floor(hops / 3) pairs.
 *
 * Near the border of a mesh a pair may lead outside, where the thesis says nothing: then Knaive's record
 * stays. It is enough to test the way in the order X, Y, Z, T: the hops of one kind lead the same way along
 * one dimension, and the point before the T hops, the farthest out along the other, only comes nearer when
 * some of them are taken early. A single hop outside is not offered, since there is no link. */
#include "netmodel/routings/confinement.h"
#include "netmodel/routings/record.h"
#include "netmodel/routings/families.h"

enum { X, Y, Z, T, FIELDS };

struct borders {
    uint8_t *ports; /* [router & mask]: which ports have links */
    uint32_t mask;  /* 0 in a torus, where all routers are alike */
};

/* A byte for each router of a mesh: the only thing that a header does not know. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    struct borders *borders = base_arena_alloc(&routing->arena, sizeof *borders);
    (void)specification;
    routing->bubble_channels = 1;
    if (borders == NULL)
        return base_error_memory(error, "the borders of a mesh");
    borders->mask = topology->grid->wraps ? 0 : UINT32_MAX;
    routing->uniform = topology->grid->wraps;
    borders->ports = base_arena_array(&routing->arena, topology->grid->wraps ? 1 : topology->routers, 1);
    if (borders->ports == NULL)
        return base_error_memory(error, "the borders of a mesh");
    for (uint32_t i = 0; i < topology->link_count; i++)
        borders->ports[topology->links[i].source & borders->mask] |= (uint8_t)(1u << topology->links[i].port);
    routing->data = borders;
    return net_record_prepare(routing, true, error);
}

static bool inside(const struct net_topology *topology, int32_t x, int32_t y)
{
    return topology->grid->wraps || (x >= 0 && y >= 0 && x < (int32_t)topology->grid->sides[0] &&
                                     y < (int32_t)topology->grid->sides[1]);
}

/* A straight hop and another along X are a Z and a T hop the same way; along Y a Z hop that way, and a T hop
 * the other, T+ being (1,-1). */
static void enhance(const struct net_topology *topology, uint32_t from, int32_t record[FIELDS])
{
    uint32_t straight = record[X] != 0 ? X : Y;
    int32_t pairs = record[straight] / 3;
    int32_t enhanced[FIELDS] = {record[X], record[Y], record[Z], record[T]};
    int32_t x = (int32_t)(from % topology->grid->sides[0]), y = (int32_t)(from / topology->grid->sides[0]);
    enhanced[straight] -= 2 * pairs;
    enhanced[Z] += pairs;
    enhanced[T] += straight == X ? pairs : -pairs;
    x += enhanced[X] + enhanced[Z];
    y += enhanced[Y] + enhanced[Z];
    if (!inside(topology, x, y))
        return;
    for (uint32_t field = X; field < FIELDS; field++)
        record[field] = enhanced[field];
}

/* Whether the way in the order X, Y, Z, T stays in the source's part of a confined network. A free source has
 * none. */
static bool confined(const struct net_routing *routing, uint32_t router, uint64_t header)
{
    const struct net_topology *topology = routing->topology;
    uint64_t ports;
    while (net_routing_is_part(routing, router) && (ports = net_record_ports(routing, header)) != 0) {
        uint32_t port = (uint32_t)__builtin_ctzll(ports);
        if (!net_routing_stays(routing, router, port))
            return false;
        header = net_record_step(routing, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
    }
    return true;
}

/* Lines and rings (a side of 1) have no diagonals. The border of a part is like that of a mesh. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    int32_t record[NET_DIMENSIONS_MAX] = {0};
    net_record_between(routing->topology, a, b, variant, record);
    uint64_t knaive = net_record_pack(routing, record);
    if (routing->topology->grid->diagonals == 0)
        return knaive;
    enhance(routing->topology, a, record);
    uint64_t enhanced = net_record_pack(routing, record);
    return confined(routing, a, enhanced) ? enhanced : knaive;
}

/* Ports over the border are taken out of the adaptive ones; the escape is the lowest port that is still to
 * go, in which order the way was tested. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct borders *borders = routing->data;
    uint64_t ports = net_record_ports(routing, header);
    return net_record_escape(routing, ports & borders->ports[router & borders->mask], ports & -ports, route);
}

const struct net_routing_kind net_routing_eknaive = {
    .name = "eknaive",
    .chooses = net_routing_chooses_always,
    .summary =
        "shortest paths on king networks, two thirds of Knaive's straight hops as pairs of diagonal ones",
    .reference = "E. Stafford, thesis on king topologies, 2015: section 2.4, EKnaive; doc/networks.md, "
                 "Routings",
    .deadlock_argument =
        "channel 0 is an escape that every waiting packet may take: the record's hops in the "
        "order X, Y, Z, T, each ring under the bubble rule",
    .virtual_channels = 2,
    .minimal = true,
    .escape = true,
    .serves = &net_family_king,
    .prepare = prepare,
    .variants = net_record_variants,
    .start = start,
    .route = route,
    .step = net_record_next,
};
