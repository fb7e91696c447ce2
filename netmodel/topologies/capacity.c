/* What crosses a bisection where links differ in width: then the cut of fewest links need not be the narrowest. Tried
 * are the halves of the routers by number and, of a grid, those across each dimension; a border within an odd side's
 * middle layer runs through the other dimensions in their order. No proof says that none is narrower, so it is the
 * best known; tests compare it with all cuts of small grids. */
#include "netmodel/topologies/bisection.h"

/* In place of a dimension: no coordinate comes first. */
#define BY_NUMBER NET_DIMENSIONS_MAX

/* The place of a router in the order whose first half is cut off: by its coordinate along d before all others. */
static uint32_t place_of(const struct net_topology *topology, uint32_t d, uint32_t router)
{
    const struct net_grid *grid = topology->grid;
    uint32_t below = 1;

    if (d == BY_NUMBER)
        return router;
    for (uint32_t i = 0; i < d; i++)
        below *= grid->sides[i];
    uint32_t at = router / below % grid->sides[d];
    uint32_t others = router / below / grid->sides[d] * below + router % below;
    return at * (topology->routers / grid->sides[d]) + others;
}

/* Sum over the links between the halves, both ways. */
static uint64_t capacity_of(const struct net_topology *topology, uint32_t d, uint64_t whole)
{
    uint32_t half = topology->routers / 2;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        if ((place_of(topology, d, link->source) < half) != (place_of(topology, d, link->target) < half))
            sum += whole / net_link_width(link);
    }
    return sum;
}

/* Where all links are alike, the cut with the fewest. Where they are not the best cut is not known: the least of
 * some good ones, across each dimension and by number, which the answer calls a bound. */
int net_topology_bisection_capacity(const struct net_topology *topology, uint64_t whole, uint64_t *capacity,
                                    bool *exact, struct base_error *error)
{
    uint64_t channels;

    if (!topology->narrow_links) {
        if (net_topology_bisection(topology, &channels, exact, error) != 0)
            return -1;
        *capacity = channels * whole;
        return 0;
    }
    *exact = false;
    *capacity = capacity_of(topology, BY_NUMBER, whole);
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++) {
        uint64_t across = capacity_of(topology, d, whole);
        *capacity = across < *capacity ? across : *capacity;
    }
    return 0;
}
