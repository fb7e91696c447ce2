/* The trees of the dense reference: from the source the way to every member is walked by itself, first
 * straight, then diagonally, as king-tree.h says that each router is reached. Where two ways begin alike they
 * are one. */
#include "tests/netmodel/engines/reference.h"

/* X+ X- Y+ Y- Z+ Z- T+ T- */
static const int moves[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

/* From one coordinate to another: on a ring the shorter way, forwards where both are as long. */
static int displacement(uint32_t from, uint32_t to, uint32_t side, bool wraps)
{
    int way = (int)to - (int)from;
    if (wraps && way > (int)side / 2)
        way -= (int)side;
    if (wraps && way < -((int)side - 1) / 2)
        way += (int)side;
    return way;
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static int absolute(int value)
{
    return value < 0 ? -value : value;
}

/* The next hop: along the longer displacement as long as it is longer, then along both. */
static uint32_t next_port(const int left[2])
{
    int x = absolute(left[0]) >= absolute(left[1]) ? sign(left[0]) : 0;
    int y = absolute(left[1]) >= absolute(left[0]) ? sign(left[1]) : 0;
    uint32_t port = 0;
    while (moves[port][0] != x || moves[port][1] != y)
        port++;
    return port;
}

void reference_tree(const struct net_topology *topology, uint32_t source, const struct reference_list *list,
                    uint64_t *ports)
{
    uint32_t from[NET_DIMENSIONS_MAX], to[NET_DIMENSIONS_MAX];
    net_topology_coordinates(topology, source, from);
    for (uint32_t router = 0; router < topology->routers; router++)
        ports[router] = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t router = source;
        int left[2];
        net_topology_coordinates(topology, list->targets[i] / topology->concentration, to);
        for (uint32_t d = 0; d < 2; d++)
            left[d] = displacement(from[d], to[d], topology->grid->sides[d], topology->grid->wraps);
        while (left[0] != 0 || left[1] != 0) {
            uint32_t port = next_port(left);
            ports[router] |= UINT64_C(1) << port;
            left[0] -= moves[port][0];
            left[1] -= moves[port][1];
            router = topology->links[topology->link_at[router * topology->ports + port]].target;
        }
    }
}
