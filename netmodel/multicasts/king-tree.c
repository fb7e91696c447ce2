/* See king-tree.h. The tree is grown from the source as the packets would go, and then cut back from its leaves.
 * Directions are port numbers: X+ X- Y+ Y- Z+ Z- T+ T-. */
#include "netmodel/multicasts/king-tree.h"

#include <stdlib.h>

#include "netmodel/routings/confinement.h"

#define PORTS 8
#define BIT(port) (1u << (port))

/* What a hop by each port adds to the coordinates. */
static const int moves[PORTS][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

/* By which ports a copy goes on that has come by this one; the source's own come by none. */
static const uint8_t onward[PORTS + 1] = {BIT(0) | BIT(4) | BIT(6),
                                          BIT(1) | BIT(5) | BIT(7),
                                          BIT(2) | BIT(4) | BIT(7),
                                          BIT(3) | BIT(5) | BIT(6),
                                          BIT(4),
                                          BIT(5),
                                          BIT(6),
                                          BIT(7),
                                          UINT8_MAX};

/* A router of the tree, and how far from the source it is by the way that led there. */
struct place {
    uint32_t router, parent; /* parent: place in the list of places */
    int offset[2];
    uint8_t port; /* that it was reached by */
    bool useful;  /* a member, or on the way to one */
};

struct tree {
    const struct net_topology *topology; /* a king network */
    struct place *places;                /* in the order of discovery: a parent before its children */
    uint32_t count;
    int lowest[2], highest[2]; /* displacements that the copies may have */
};

/* The displacements of a mesh end where the network does, which its missing links see to. */
static void set_bounds(struct tree *tree)
{
    for (uint32_t d = 0; d < 2; d++) {
        int side = (int)tree->topology->grid->sides[d];
        tree->highest[d] = tree->topology->grid->wraps ? side / 2 : side;
        tree->lowest[d] = tree->topology->grid->wraps ? -((side - 1) / 2) : -side;
    }
}

/* The only displacement of a router from another: on a torus within the bounds. */
static void displace(const struct tree *tree, uint32_t from, uint32_t to, int *displacement)
{
    uint32_t start[NET_DIMENSIONS_MAX], end[NET_DIMENSIONS_MAX];
    net_topology_coordinates(tree->topology, from, start);
    net_topology_coordinates(tree->topology, to, end);
    for (uint32_t d = 0; d < 2; d++) {
        int side = (int)tree->topology->grid->sides[d];
        displacement[d] = (int)end[d] - (int)start[d];
        displacement[d] -= displacement[d] > tree->highest[d] ? side : 0;
        displacement[d] += displacement[d] < tree->lowest[d] ? side : 0;
    }
}

/* The hop of a copy that has still so far to go: straight until both parts are equal, then diagonally. */
static uint32_t hop_of(const int *left)
{
    int x = (left[0] > 0) - (left[0] < 0);
    int y = (left[1] > 0) - (left[1] < 0);
    int across = x * left[0];
    int up = y * left[1];
    uint32_t port = 0;
    x = across < up ? 0 : x;
    y = up < across ? 0 : y;
    while (moves[port][0] != x || moves[port][1] != y)
        port++;
    return port;
}

/* Whether the tree's way from one router of a part to another stays there. */
static bool way_stays(const struct tree *tree, const struct net_routing *routing, uint32_t from, uint32_t to)
{
    const struct net_topology *topology = tree->topology;
    int left[2];
    displace(tree, from, to, left);
    for (uint32_t at = from; at != to;) {
        uint32_t port = hop_of(left), link = topology->link_at[(size_t)at * topology->ports + port];
        left[0] -= moves[port][0];
        left[1] -= moves[port][1];
        at = topology->links[link].target;
        if (!net_routing_joins(routing, from, at))
            return false;
    }
    return true;
}

/* The proof for partitions, for every pair of each, as that of the routing is (confinement.h). A tree to a list
 * is made of the ways to its members. */
static bool trees_stay(const struct net_topology *topology, const struct net_routing *routing)
{
    struct tree tree = {.topology = topology};
    set_bounds(&tree);
    for (uint32_t from = 0; from < topology->routers; from++)
        for (uint32_t to = 0; to < topology->routers; to++)
            if (net_routing_is_part(routing, from) && net_routing_joins(routing, from, to) &&
                !way_stays(&tree, routing, from, to))
                return false;
    return true;
}

/* The cheapest question comes first; the walk over all pairs of partitions last. */
const char *net_king_tree_obstacle(const struct net_topology *topology, const struct net_routing *routing)
{
    if (!net_topology_is_king(topology))
        return "the network is not a king network";
    if ((routing->bubble_channels & 1) == 0)
        return "its routing does not go straight before diagonally on virtual channel 0";
    if (net_routing_is_confined(routing) && !trees_stay(topology, routing))
        return "the way of a multicast, straight before diagonally, leaves a partition";
    return NULL;
}

/* A copy that leaves a place by a port, if it may still go there and there is a link. */
static void branch(struct tree *tree, uint32_t from, uint32_t port)
{
    const struct net_topology *topology = tree->topology;
    const struct place *place = &tree->places[from];
    uint32_t link = topology->link_at[(size_t)place->router * topology->ports + port];
    struct place next = {.parent = from, .port = (uint8_t)port};
    for (uint32_t d = 0; d < 2; d++) {
        next.offset[d] = place->offset[d] + moves[port][d];
        if (next.offset[d] < tree->lowest[d] || next.offset[d] > tree->highest[d])
            return;
    }
    if (link == NET_NONE)
        return;
    next.router = topology->links[link].target;
    tree->places[tree->count++] = next;
}

/* Every router is found once, so that the list of places is as long as there are routers. */
static void grow(struct tree *tree, uint32_t source)
{
    tree->places[0] = (struct place){.router = source, .port = PORTS};
    tree->count = 1;
    for (uint32_t i = 0; i < tree->count; i++)
        for (uint32_t port = 0; port < PORTS; port++)
            if ((onward[tree->places[i].port] & BIT(port)) != 0)
                branch(tree, i, port);
}

/* Children come behind their parents: backwards, a place knows whether it is of use when it is met. */
static void prune(struct tree *tree, const bool *members, uint8_t *ports)
{
    for (uint32_t i = 0; i < tree->topology->routers; i++)
        ports[i] = 0;
    for (uint32_t i = tree->count - 1; i > 0; i--) {
        const struct place *place = &tree->places[i];
        if (!place->useful && members != NULL && !members[place->router])
            continue;
        tree->places[place->parent].useful = true;
        ports[tree->places[place->parent].router] |= (uint8_t)BIT(place->port);
    }
}

/* Time and memory in proportion to the routers. */
int net_king_tree(const struct net_topology *topology, uint32_t source, const bool *members, uint8_t *ports)
{
    struct tree tree = {.topology = topology};
    tree.places = calloc(topology->routers, sizeof *tree.places);
    if (tree.places == NULL)
        return -1;
    set_bounds(&tree);
    grow(&tree, source);
    prune(&tree, members, ports);
    free(tree.places);
    return 0;
}
