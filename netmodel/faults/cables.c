/* Which link is the way back of which. */
#include "netmodel/faults/cables.h"

#include "netmodel/routings/families.h"

/* How many links with a lower port lead from the link's source to its target. */
static uint32_t place_among_parallel(const struct net_topology *topology, const struct net_link *link)
{
    uint32_t place = 0;
    for (const struct net_link *before = link; before-- > topology->links && before->source == link->source;)
        place += before->target == link->target;
    return place;
}

/* The link from `from` to `to` that has so many parallel ones before it. */
static uint32_t parallel_at(const struct net_topology *topology, uint32_t from, uint32_t to, uint32_t place)
{
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t l = topology->link_at[(size_t)from * topology->ports + port];
        if (l != NET_NONE && topology->links[l].target == to && place-- == 0)
            return l;
    }
    return NET_NONE;
}

/* The ports of a grid come in pairs that lead opposite ways. A side of 2 that wraps has two cables between the same
 * routers, which only the ports tell apart. */
static uint32_t way_back(const struct net_topology *topology, const struct net_link *link)
{
    if (topology->grid != NULL)
        return topology->link_at[(size_t)link->target * topology->ports + (link->port ^ 1)];
    return parallel_at(topology, link->target, link->source, place_among_parallel(topology, link));
}

/* The first link without a way back is named. */
static int pair(struct net_cables *cables, const struct net_topology *topology, struct base_error *error)
{
    char from[NET_NAME_TEXT], to[NET_NAME_TEXT];
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        cables->back[l] = way_back(topology, link);
        if (cables->back[l] == NET_NONE)
            return base_error_set(error, BASE_USAGE,
                                  "topology '%s' has a link from %s to %s and none back; faults are of links "
                                  "that lead both ways",
                                  topology->text, net_router_name(topology, link->source, from),
                                  net_router_name(topology, link->target, to));
        if (l < cables->back[l])
            cables->link[cables->count++] = l;
    }
    return 0;
}

int net_cables_init(struct net_cables *cables, const struct net_topology *topology, struct base_error *error)
{
    *cables = (struct net_cables){0};
    if (!net_family_wires.contains(topology))
        return base_error_set(error, BASE_USAGE,
                              "topology '%s' is not made of links both ways from router to router, which "
                              "could fail",
                              topology->text);
    cables->link = base_arena_array(&cables->arena, topology->link_count / 2 + 1, sizeof *cables->link);
    cables->back = base_arena_array(&cables->arena, (size_t)topology->link_count + 1, sizeof *cables->back);
    if (cables->link == NULL || cables->back == NULL)
        return base_error_memory(error, "the pairs of links");
    return pair(cables, topology, error);
}

void net_cables_free(struct net_cables *cables)
{
    base_arena_free(&cables->arena);
}
