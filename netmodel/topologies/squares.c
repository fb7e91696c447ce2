/* Squares of king networks (doc/networks.md, Squares; the king thesis, section 2.5 and Figure 2.8): in a king
 * network the routers within r hops of one are a square of side 2r+1 around it, so such squares tile a
 * network whose sides are multiples of that, and their centres are where to put what every router shall
 * have within r hops. */
#include "netmodel/topology.h"

/* Both diagonals: mesh or torus. */
bool net_topology_is_king(const struct net_topology *topology)
{
    const struct net_grid *grid = topology->grid;
    return grid != NULL && grid->diagonals == (NET_DIAGONAL_Z | NET_DIAGONAL_T);
}

/* 0: they do not tile it. */
uint32_t net_topology_squares(const struct net_topology *topology, uint32_t radius)
{
    if (!net_topology_is_king(topology) || radius >= topology->grid->sides[0])
        return 0;
    uint32_t side = 2 * radius + 1;
    if (topology->grid->sides[0] % side != 0 || topology->grid->sides[1] % side != 0)
        return 0;
    return (topology->grid->sides[0] / side) * (topology->grid->sides[1] / side);
}

/* Squares are counted row by row. */
uint32_t net_topology_square_centre(const struct net_topology *topology, uint32_t radius, uint32_t square)
{
    uint32_t side = 2 * radius + 1, across = topology->grid->sides[0] / side;
    uint32_t x = square % across * side + radius, y = square / across * side + radius;
    return y * topology->grid->sides[0] + x;
}
