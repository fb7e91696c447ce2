/* Whether a network belongs to a family: by its grid, if it has one, and by whether its links are wires. */
#include "netmodel/routings/families.h"

#define BOTH_DIAGONALS (NET_DIAGONAL_Z | NET_DIAGONAL_T)

static bool is_of_wires(const struct net_topology *topology)
{
    return topology->shared == NULL && !topology->kind->apart && !net_topology_is_ideal(topology);
}

static bool is_grid(const struct net_topology *topology)
{
    return topology->grid != NULL && topology->shared == NULL;
}

static bool is_free(const struct net_topology *topology)
{
    return topology->grid == NULL && is_of_wires(topology);
}

static bool is_torus(const struct net_topology *topology)
{
    return is_grid(topology) && topology->grid->wraps;
}

static bool is_orthogonal(const struct net_topology *topology)
{
    return is_grid(topology) && topology->grid->family_diagonals == 0;
}

static bool is_king(const struct net_topology *topology)
{
    return is_grid(topology) && topology->grid->family_diagonals == BOTH_DIAGONALS;
}

static bool is_diagonal(const struct net_topology *topology)
{
    return is_grid(topology) && !is_orthogonal(topology) && !is_king(topology);
}

static bool is_king_torus(const struct net_topology *topology)
{
    return is_king(topology) && topology->grid->wraps;
}

static bool is_mway_mesh(const struct net_topology *topology)
{
    return topology->shared != NULL && !topology->grid->wraps;
}

static bool is_mway_torus(const struct net_topology *topology)
{
    return topology->shared != NULL && topology->grid->wraps;
}

static bool is_graph(const struct net_topology *topology)
{
    return topology->graph != NULL;
}

const struct net_family net_family_orthogonal = {"mesh, torus", is_orthogonal};
const struct net_family net_family_diagonal = {"diagonal-mesh, diagonal-torus", is_diagonal};
const struct net_family net_family_king = {"king-mesh, king-torus", is_king};
const struct net_family net_family_grid = {
    "mesh, torus, diagonal-mesh, diagonal-torus, king-mesh, king-torus", is_grid};
const struct net_family net_family_torus = {"torus, diagonal-torus, king-torus", is_torus};
const struct net_family net_family_king_torus = {"king-torus", is_king_torus};
const struct net_family net_family_mway_mesh = {"mway-mesh, mway-hypercube", is_mway_mesh};
const struct net_family net_family_mway_torus = {"mway-torus", is_mway_torus};
const struct net_family net_family_graph = {"graph", is_graph};
const struct net_family net_family_wires = {"every network but ideal and those with engines of their own",
                                            is_of_wires};
const struct net_family net_family_free = {"every network of links without a grid", is_free};
