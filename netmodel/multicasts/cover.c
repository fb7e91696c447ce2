/* See cover.h. Time: each box that is tried looks at all of its routers for each layer that it wins or fails to
 * win, with one try for each dimension; placements are covered once a run. */
#include "netmodel/multicasts/cover.h"

#include <stdlib.h>
#include <string.h>

/* Covering a set of routers by boxes of the grid: greedily, from the lowest router that no box has, the largest
 * box that grows from it. Boxes do not overlap, since a member that is in one is closed for all others. */
struct covering {
    const struct net_topology *topology; /* a grid */
    bool *open;                          /* [router]: a member in no box yet */
    bool wraps;
};

/* Distances from the low corner, modulo the side: a box may go around the end of a ring. */
bool net_box_contains(const struct net_topology *topology, const struct net_box *box, uint32_t router)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    net_topology_coordinates(topology, router, at);
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++) {
        uint32_t side = topology->grid->sides[d];
        if ((at[d] + side - box->low[d]) % side >= box->extent[d])
            return false;
    }
    return true;
}

/* Routers in a box. */
static uint32_t volume(const struct net_topology *topology, const struct net_box *box)
{
    uint32_t routers = 1;
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++)
        routers *= box->extent[d];
    return routers;
}

/* The n-th router of a box, the first dimension running fastest. */
static uint32_t router_in(const struct net_topology *topology, const struct net_box *box, uint32_t n)
{
    uint32_t router = 0, stride = 1;
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++) {
        router += (box->low[d] + n % box->extent[d]) % topology->grid->sides[d] * stride;
        n /= box->extent[d];
        stride *= topology->grid->sides[d];
    }
    return router;
}

/* Whether every router of a box is a member that still needs one. */
static bool is_open(const struct covering *covering, const struct net_box *box)
{
    uint32_t routers = volume(covering->topology, box);
    for (uint32_t n = 0; n < routers; n++)
        if (!covering->open[router_in(covering->topology, box, n)])
            return false;
    return true;
}

/* Whether the layer beside the box can join it, and if so joins it: the next one up, or the one before it. */
static bool widen(const struct covering *covering, struct net_box *box, uint32_t d, bool up)
{
    uint32_t side = covering->topology->grid->sides[d], last = box->low[d] + box->extent[d];
    struct net_box layer = *box;
    if (box->extent[d] == side || (!covering->wraps && (up ? last == side : box->low[d] == 0)))
        return false;
    layer.low[d] = up ? last % side : (box->low[d] + side - 1) % side;
    layer.extent[d] = 1;
    if (!is_open(covering, &layer))
        return false;
    box->extent[d]++;
    if (!up)
        box->low[d] = layer.low[d];
    return true;
}

/* The largest box around a router when the dimensions are taken in turn from `first` on. Each dimension is widened
 * as far as it goes before the next: first up, then down, until neither layer is open. */
static struct net_box grow(const struct covering *covering, uint32_t router, uint32_t first)
{
    uint32_t dimensions = net_topology_dimensions(covering->topology);
    struct net_box box;
    memset(&box, 0, sizeof box);
    net_topology_coordinates(covering->topology, router, box.low);
    for (uint32_t d = 0; d < dimensions; d++)
        box.extent[d] = 1;
    for (uint32_t i = 0; i < dimensions; i++) {
        uint32_t d = (first + i) % dimensions;
        while (widen(covering, &box, d, true) || widen(covering, &box, d, false))
            continue;
    }
    /* A whole ring begins anywhere: at 0 it does not go around its end. */
    for (uint32_t d = 0; d < dimensions; d++)
        if (box.extent[d] == covering->topology->grid->sides[d])
            box.low[d] = 0;
    return box;
}

/* The largest of the boxes that grow when each dimension in turn is the first: which one comes first decides the
 * shape (a row, a column, a slab). Of equal ones the earliest, so that a cover is the same everywhere. */
static struct net_box best_box(const struct covering *covering, uint32_t router)
{
    struct net_box best = grow(covering, router, 0);
    for (uint32_t first = 1; first < net_topology_dimensions(covering->topology); first++) {
        struct net_box box = grow(covering, router, first);
        if (volume(covering->topology, &box) > volume(covering->topology, &best))
            best = box;
    }
    return best;
}

/* The routers of a box that was taken are nobody's any more. */
static void close_box(struct covering *covering, const struct net_box *box)
{
    uint32_t routers = volume(covering->topology, box);
    for (uint32_t n = 0; n < routers; n++)
        covering->open[router_in(covering->topology, box, n)] = false;
}

/* Boxes until every member is in one. 1: done. 0: it takes more than `most`, and the cover is empty. -1: memory.
 * Routers are taken in ascending order, so that the cover depends on the set alone. */
static int fill(struct covering *covering, uint32_t most, struct net_cover *cover)
{
    for (uint32_t router = 0; router < covering->topology->routers; router++) {
        if (!covering->open[router])
            continue;
        if (cover->count == most) {
            net_cover_free(cover);
            return 0;
        }
        struct net_box *grown = realloc(cover->boxes, ((size_t)cover->count + 1) * sizeof *grown);
        if (grown == NULL)
            return -1;
        cover->boxes = grown;
        grown[cover->count] = best_box(covering, router);
        close_box(covering, &grown[cover->count++]);
    }
    return 1;
}

/* The members' array is copied, as boxes close their routers in it. */
int net_cover(const struct net_topology *topology, const bool *members, bool wraps, uint32_t most,
              struct net_cover *cover, struct base_error *error)
{
    struct covering covering = {.topology = topology, .wraps = wraps && net_topology_wraps(topology)};
    *cover = (struct net_cover){0};
    covering.open = malloc((size_t)topology->routers * sizeof *covering.open + 1);
    if (covering.open == NULL)
        return base_error_memory(error, "the cover of a placement");
    memcpy(covering.open, members, topology->routers * sizeof *members);
    int result = fill(&covering, most, cover);
    free(covering.open);
    if (result < 0)
        net_cover_free(cover);
    return result < 0 ? base_error_memory(error, "the cover of a placement") : result;
}

/* An empty one may be freed as well. */
void net_cover_free(struct net_cover *cover)
{
    free(cover->boxes);
    *cover = (struct net_cover){0};
}
