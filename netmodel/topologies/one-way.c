/* Tables of distances and good ports from one search, or from one a router: see one-way.h. */
#include "netmodel/topologies/one-way.h"

#include <stdlib.h>

#define PAIRS_ROUTERS_MAX 4096 /* of networks that do not look alike from everywhere */

/* Row `from` of the distances: all states of a symmetric network. */
static int search_row(const struct net_topology *topology, uint32_t from, uint32_t *scratch, uint8_t *row,
                      struct base_error *error)
{
    net_topology_search(topology, from, scratch, scratch + topology->routers);
    for (uint32_t r = 0; r < topology->routers; r++) {
        if (scratch[r] > UINT8_MAX)
            return base_error_set(
                error, BASE_USAGE,
                "topology '%s': routers are more than %u links apart; smaller sides would do", topology->text,
                UINT8_MAX);
        row[r] = (uint8_t)scratch[r];
    }
    return 0;
}

/* One row of a network that looks alike from everywhere, else one for each router. */
static int search(const struct net_topology *topology, const struct net_one_way *one_way, uint8_t *distance,
                  struct base_error *error)
{
    uint32_t rows = one_way->states / one_way->routers;
    uint32_t *scratch = calloc(one_way->routers, 2 * sizeof *scratch);
    int status = scratch == NULL ? base_error_memory(error, "the distances of a topology") : 0;
    for (uint32_t from = 0; from < rows && status == 0; from++)
        status = search_row(topology, from, scratch, distance + (size_t)from * one_way->routers, error);
    free(scratch);
    return status;
}

/* From router 0 by every port: the map of the router behind it says in what state the packet is there. */
static void fill_steps(const struct net_topology *topology, const struct net_one_way *one_way, uint32_t *next)
{
    for (uint32_t state = 0; state < one_way->states; state++)
        for (uint32_t port = 0; port < one_way->ports; port++)
            *next++ = one_way->place(one_way, topology->links[port].target, state) << 8;
}

/* Good ports come one link nearer; what the others cost. A port that is not good sends the packet on a detour: the
 * cost is by how many links its way grows. */
static void fill_good(const struct net_topology *topology, struct net_one_way *one_way, uint8_t *good)
{
    const uint8_t *distance = one_way->distance;
    one_way->cost_min = UINT32_MAX;
    for (uint32_t state = 0; state < one_way->states; state++) {
        uint32_t router = one_way->next != NULL ? 0 : state / one_way->routers;
        one_way->diameter = distance[state] > one_way->diameter ? distance[state] : one_way->diameter;
        for (uint32_t port = 0; port < one_way->ports && distance[state] != 0; port++) {
            uint32_t to = topology->links[(size_t)router * one_way->ports + port].target;
            uint32_t behind = distance[net_one_way_step(one_way, state, port, router, to)];
            uint32_t cost = behind + 1 - distance[state];
            good[state] |= (uint8_t)((cost == 0) << port);
            one_way->cost_min = cost != 0 && cost < one_way->cost_min ? cost : one_way->cost_min;
            one_way->cost_max = cost > one_way->cost_max ? cost : one_way->cost_max;
        }
    }
    one_way->cost_min = one_way->cost_max == 0 ? 0 : one_way->cost_min;
}

/* A row of states after the other, as links are followed from router 0: behind a port every state is the next one.
 * Each row is one step behind another one, so that place() is asked only for the first. */
static void follow_links(const struct net_topology *topology, const struct net_one_way *one_way,
                         uint32_t *pairs, uint32_t *queue)
{
    uint32_t routers = one_way->routers, ports = one_way->ports, known = 1;
    for (uint32_t target = 0; target < routers; target++)
        pairs[target] = one_way->place(one_way, 0, target);
    for (uint32_t i = 0; i < known; i++)
        for (uint32_t port = 0; port < ports; port++) {
            const uint32_t *row = &pairs[(size_t)queue[i] * routers];
            uint32_t to = topology->links[(size_t)queue[i] * ports + port].target;
            uint32_t *behind = &pairs[(size_t)to * routers];
            if (to == 0 || behind[0] != behind[1])
                continue; /* known: two targets have two states */
            for (uint32_t target = 0; target < routers; target++)
                behind[target] = one_way->next[(size_t)row[target] * ports + port] >> 8;
            queue[known++] = to;
        }
}

/* Of networks that are not too large: a packet's first state is one load then, not a map of coordinates. */
static int fill_pairs(struct net_topology *topology, struct net_one_way *one_way)
{
    size_t routers = one_way->routers;
    if (one_way->place == NULL || routers < 2 || routers > NET_ONE_WAY_PAIRS_ROUTERS_MAX)
        return 0;
    uint32_t *pairs = base_arena_array(&topology->arena, routers * routers, sizeof *pairs);
    uint32_t *queue = calloc(routers, sizeof *queue);
    if (pairs != NULL && queue != NULL)
        follow_links(topology, one_way, pairs, queue);
    free(queue);
    one_way->pairs = pairs;
    return pairs == NULL || queue == NULL ? -1 : 0;
}

/* Once it is known which they are. */
static void add_good_to_steps(const struct net_one_way *one_way, uint32_t *next)
{
    for (size_t i = 0; i < (size_t)one_way->states * one_way->ports; i++)
        next[i] = net_one_way_place(one_way, next[i] >> 8);
}

/* Distances of states, not of pairs: by symmetry a pair is a state, and there are few. Steps from state to state are
 * kept where they fit. Whatever is made here is in the topology's arena. */
static int fill(struct net_topology *topology, struct net_one_way *one_way, struct base_error *error)
{
    struct base_arena *arena = &topology->arena;
    uint8_t *distance = base_arena_array(arena, one_way->states, 1);
    uint8_t *good = base_arena_array(arena, one_way->states, 1);
    uint32_t *next = NULL;
    if (one_way->place != NULL)
        next = base_arena_array(arena, (size_t)one_way->states * one_way->ports, sizeof *next);
    if (distance == NULL || good == NULL || (next == NULL && one_way->place != NULL))
        return base_error_memory(error, "the distances of a topology");
    one_way->distance = distance;
    one_way->good = good;
    one_way->next = next;
    if (search(topology, one_way, distance, error) != 0)
        return -1;
    if (next != NULL)
        fill_steps(topology, one_way, next);
    if (fill_pairs(topology, one_way) < 0)
        return base_error_memory(error, "the states of all pairs");
    fill_good(topology, one_way, good);
    if (next != NULL)
        add_good_to_steps(one_way, next);
    return 0;
}

/* Without symmetry the states are all pairs of routers: hence the bound. */
int net_one_way_build(struct net_topology *topology, const struct net_one_way *kind, struct base_error *error)
{
    struct net_one_way *one_way = base_arena_alloc(&topology->arena, sizeof *one_way);
    if (one_way == NULL)
        return base_error_memory(error, "the distances of a topology");
    if (kind->place == NULL && topology->routers > PAIRS_ROUTERS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%s': with an odd side at most %u routers are possible, not %u",
                              topology->text, PAIRS_ROUTERS_MAX, topology->routers);
    *one_way = *kind;
    one_way->routers = topology->routers;
    one_way->ports = topology->ports;
    one_way->states = kind->place != NULL ? topology->routers : topology->routers * topology->routers;
    topology->one_way = one_way;
    return fill(topology, one_way, error);
}

/* A load, or two maps of coordinates and a load. */
uint32_t net_one_way_distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    return topology->one_way->distance[net_one_way_state(topology->one_way, a, b)];
}

/* Found while good ports were. */
uint32_t net_one_way_diameter(const struct net_topology *topology)
{
    return topology->one_way->diameter;
}

/* A state stands for as many pairs as there are routers that it may be seen from. */
void net_one_way_histogram(const struct net_topology *topology, uint64_t *pairs)
{
    const struct net_one_way *one_way = topology->one_way;
    uint64_t each = (uint64_t)one_way->routers * one_way->routers / one_way->states;
    for (uint32_t state = 0; state < one_way->states; state++)
        pairs[one_way->distance[state]] += each;
}
