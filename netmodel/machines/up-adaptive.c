/* Up-adaptive: up a fat tree by the port with most room, as its router sees it (rule 13 of doc/flit-engine.md), then
 * down. The header is the destination's leaf. */
#include "netmodel/machines/tree-ways.h"

/* One, since the ports up are chosen on the way; none from or to a router without terminals. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct net_fat_tree *tree = routing->topology->shape;
    uint32_t leaves = tree->leaves[tree->levels];
    return a < leaves && b < leaves;
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)a, (void)variant;
    return net_tree_header(b, 0);
}

/* As net_tree_route, with the ports to all parents in place of one. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_topology *topology = routing->topology;
    const struct net_fat_tree *tree = topology->shape;
    uint32_t leaf = (uint32_t)header, level = net_fat_tree_level(tree, router);
    uint32_t tiers = net_tree_route(routing, router, header, route);
    if (tiers == 0 || net_fat_tree_is_above(tree, level, router, leaf))
        return tiers;
    for (uint32_t parent = 1; parent < tree->parents[level + 1]; parent++)
        net_route_add(route, 0, net_named_link(topology, router, tree->down_names + parent)->port);
    return tiers;
}

/* Flits for which the virtual channels that may be granted have room, of the port's link. */
static uint32_t room_of(const struct net_routing *routing, const struct net_view *view, uint32_t port)
{
    uint32_t room = 0;
    for (uint32_t channel = 0; channel < routing->virtual_channels; channel++)
        room += view->is_free(view, port, channel) ? view->room(view, port, channel) : 0;
    return room;
}

/* First the ports with most room, of which rule 3 takes any; then all of them. */
static uint32_t look(const struct net_routing *routing, uint64_t header, const struct net_view *view,
                     struct net_route *route, uint32_t tiers)
{
    const struct net_topology *topology = routing->topology;
    const struct net_route all = *route;
    uint32_t most = 0, port = net_route_next(topology, &all, 0, 0);
    (void)header;
    if (net_route_next(topology, &all, 0, port + 1) == NET_NONE)
        return tiers;
    for (; port != NET_NONE; port = net_route_next(topology, &all, 0, port + 1)) {
        uint32_t room = room_of(routing, view, port);
        if (room > most || port == net_route_next(topology, &all, 0, 0))
            net_route_only(topology, route, 0, port);
        else if (room == most)
            net_route_add(route, 0, port);
        most = room > most ? room : most;
    }
    route->ports[1] = all.ports[0];
    for (uint32_t word = 1; topology->ports > 64 && word < NET_PORT_WORDS; word++)
        route->more[1][word - 1] = all.more[0][word - 1];
    route->virtual_channels[1] = all.virtual_channels[0];
    return 2;
}

/* Where a router has several parents on some way. */
static bool chooses(const struct net_routing *routing)
{
    const struct net_fat_tree *tree = routing->topology->shape;
    bool roots = tree->roots[tree->levels] > 1 && tree->leaves[tree->levels] > 1;
    return roots || net_tree_chooses(routing);
}

const struct net_routing_kind net_routing_up_adaptive = {
    .name = "up-adaptive",
    .chooses = chooses,
    .summary = "fat trees: up by the port with most room, then down",
    .reference = "F. Petrini and M. Vanneschi, k-ary n-trees: high performance networks for massively "
                 "parallel architectures, IPPS 1997; doc/networks.md, Routings",
    .deadlock_argument = "links up wait only for links up nearer to the top or for links down, and these "
                         "only for links down nearer to the leaves",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_fat_tree,
    .prepare = net_plain_prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .look = look,
    .step = net_tree_step,
};
