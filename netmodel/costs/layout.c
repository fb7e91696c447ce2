/* Layouts of networks: places of routers, in pitches, and the lengths that follow. */
#include "netmodel/costs/layout.h"

#include <math.h>

#include "netmodel/topologies/grid.h"
#include "netmodel/topologies/graph.h"

/* How the places of a network are known; the links of a grid may have lengths of their own as well. */
static bool place_of(const struct net_topology *topology, uint32_t router, double place[2])
{
    const struct net_graph *graph = topology->graph;
    if (topology->kind->lay != NULL)
        return topology->kind->lay(topology, router, place);
    if (graph != NULL && graph->places != NULL) {
        place[0] = graph->places[router][0];
        place[1] = graph->places[router][1];
        return true;
    }
    if (topology->grid == NULL)
        return false;
    net_grid_fold(topology->grid->sides, topology->grid->dimensions, topology->grid->wraps, router, place);
    return true;
}

/* A root, and not hypot(): that may differ in its last digit from machine to machine. */
static double distance(const double from[2], const double to[2])
{
    double x = to[0] - from[0], y = to[1] - from[1];
    return sqrt(x * x + y * y);
}

static uint32_t count_declared(const struct net_topology *topology)
{
    uint32_t declared = 0;
    for (uint32_t i = 0; i < topology->link_count; i++)
        declared += topology->links[i].length > 0;
    return declared;
}

const char *net_layout_lengths(const struct net_topology *topology, double pitch_mm, double *lengths_mm)
{
    double pitch = pitch_mm * sqrt(topology->concentration);
    double from[2], to[2];
    uint32_t declared = count_declared(topology);
    if (declared > 0 && declared < topology->link_count)
        return "some of its links have no length";
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        if (declared > 0)
            lengths_mm[i] = link->length;
        else if (place_of(topology, link->source, from) && place_of(topology, link->target, to))
            lengths_mm[i] = pitch * distance(from, to);
        else
            return topology->graph != NULL ? "its file says neither how long links are (length=N) nor where "
                                             "routers stand (at=X,Y)"
                                           : "nothing says where its routers stand";
    }
    return NULL;
}

uint32_t net_layout_layers(const struct net_topology *topology)
{
    const struct net_grid *grid = net_topology_plane(topology);
    if (grid == NULL || topology->shared != NULL)
        return 0;
    return (grid->diagonals != 0 ? 2U : 1U) * (grid->wraps ? 2U : 1U);
}
