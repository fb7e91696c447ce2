/* The exact properties of a topology: closed forms where the kind has them, counting and searching otherwise.
 * With closed forms the work is linear in the links (degrees are always counted, never believed); without, a
 * search from every router. */
#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/graph.h"
#include "netmodel/topologies/mway.h"
#include "netmodel/topology.h"

/* Widens a range so that it holds a value. */
static void include(uint32_t value, uint32_t *minimum, uint32_t *maximum)
{
    if (value < *minimum)
        *minimum = value;
    if (value > *maximum)
        *maximum = value;
}

/* Outgoing links of a router, and how many different routers they lead to: parallel links of a side of 2
 * count once there, and those of a ShuffleNet of one column that lead back to it do not. */
static void count_ports(const struct net_topology *topology, uint32_t router, uint32_t *degree,
                        uint32_t *neighbours)
{
    const uint32_t *row = topology->link_at + (size_t)router * topology->ports;
    for (uint32_t p = 0; p < topology->ports; p++) {
        if (row[p] == NET_NONE)
            continue;
        bool repeated = topology->links[row[p]].target == router;
        for (uint32_t q = 0; q < p && !repeated; q++)
            repeated = row[q] != NET_NONE && topology->links[row[q]].target == topology->links[row[p]].target;
        *degree += 1;
        *neighbours += !repeated;
    }
}

/* Ports are counted as they are wired, incoming ones too: a kind that forgot a link would show here first. Linear
 * in the links. */
static int count_degrees(const struct net_topology *topology, struct net_metrics *metrics,
                         struct base_error *error)
{
    uint32_t *incoming = calloc(topology->routers, sizeof *incoming);
    if (incoming == NULL)
        return base_error_memory(error, "the routers' degrees");
    for (uint32_t l = 0; l < topology->link_count; l++)
        incoming[topology->links[l].target]++;
    metrics->degree_min = metrics->in_degree_min = metrics->neighbours_min = UINT32_MAX;
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t degree = 0, neighbours = 0;
        count_ports(topology, r, &degree, &neighbours);
        include(degree, &metrics->degree_min, &metrics->degree_max);
        include(incoming[r], &metrics->in_degree_min, &metrics->in_degree_max);
        include(neighbours, &metrics->neighbours_min, &metrics->neighbours_max);
    }
    free(incoming);
    return 0;
}

/* A law in the tests compares what the closed forms say with searches, for every kind. */
static int closed_histogram(const struct net_topology *topology, struct net_metrics *metrics,
                            struct base_error *error)
{
    metrics->diameter = topology->kind->diameter(topology);
    metrics->histogram = calloc((size_t)metrics->diameter + 1, sizeof *metrics->histogram);
    if (metrics->histogram == NULL)
        return base_error_memory(error, "the histogram of distances");
    topology->kind->histogram(topology, metrics->histogram);
    return 0;
}

/* For searches: two arrays of theirs, and how many of the first `ends` routers each is searched for: those that are
 * alike are searched from the first of them. NULL: memory. */
static uint32_t *searches_new(const struct net_topology *topology, uint32_t ends)
{
    uint32_t (*alike)(const struct net_topology *, uint32_t) = topology->kind->alike;
    uint32_t *scratch = calloc(topology->routers, 3 * sizeof *scratch);
    if (scratch == NULL)
        return NULL;
    uint32_t *alikes = scratch + 2 * (size_t)topology->routers;
    for (uint32_t r = 0; r < ends; r++)
        alikes[alike != NULL ? alike(topology, r) : r]++;
    return scratch;
}

/* Counts the distances from one router, for all that are alike; -1 when another cannot be reached. */
static int add_source(const struct net_topology *topology, uint32_t from, uint32_t *scratch,
                      struct net_metrics *metrics)
{
    uint32_t alikes = scratch[2 * (size_t)topology->routers + from];
    if (alikes == 0)
        return 0;
    net_topology_search(topology, from, scratch, scratch + topology->routers);
    for (uint32_t r = 0; r < net_topology_ends_of_paths(topology); r++) {
        if (scratch[r] == NET_NONE)
            return -1;
        metrics->histogram[scratch[r]] += alikes;
        if (scratch[r] > metrics->diameter)
            metrics->diameter = scratch[r];
    }
    return 0;
}

/* No distance exceeds routers - 1, which bounds the histogram before the diameter is known. A search from every
 * router that has an end of paths and is not like another: quadratic, which bounds the size that is asked of it. */
static int searched_histogram(const struct net_topology *topology, struct net_metrics *metrics,
                              struct base_error *error)
{
    uint32_t *scratch = searches_new(topology, net_topology_ends_of_paths(topology));
    int result = 0;
    metrics->histogram = calloc(topology->routers, sizeof *metrics->histogram);
    if (scratch == NULL || metrics->histogram == NULL)
        result = base_error_memory(error, "the histogram of distances");
    for (uint32_t r = 0; r < net_topology_ends_of_paths(topology) && result == 0; r++)
        if (add_source(topology, r, scratch, metrics) != 0)
            result =
                topology->graph != NULL
                    ? base_error_set(error, BASE_INPUT, "%s: router '%s' does not reach every other",
                                     topology->graph->file, topology->graph->names[r])
                    : base_error_set(error, BASE_USAGE, "topology '%s': router %u does not reach every other",
                                     topology->text, r);
    free(scratch);
    return result;
}

/* Both conventions for the mean (doc/networks.md), from one exact integer. A line of four million routers is
 * the smallest network whose sum does not fit: that is said, not rounded. One integer and two divisions, so that
 * both means are of the same sum. */
static int sum_distances(const struct net_topology *topology, struct net_metrics *metrics,
                         struct base_error *error)
{
    double routers = net_topology_ends_of_paths(topology), others = routers - 1;
    for (uint32_t k = 0; k <= metrics->diameter; k++) {
        uint64_t sum;
        if (__builtin_mul_overflow(metrics->histogram[k], k, &sum) ||
            __builtin_add_overflow(metrics->distance_sum, sum, &metrics->distance_sum))
            return base_error_set(error, BASE_USAGE,
                                  "topology '%s': the sum of all distances exceeds 64 bits", topology->text);
    }
    metrics->mean_distance_with_self = (double)metrics->distance_sum / (routers * routers);
    if (others > 0)
        metrics->mean_distance = (double)metrics->distance_sum / (routers * others);
    return 0;
}

/* Where some routers have no terminals, distances between the others are searched for again: sum, and the
 * largest. Routers with terminals come first in their numbers, so that they are 0 to ends - 1. */
static int search_ends(const struct net_topology *topology, uint32_t ends, struct net_metrics *metrics,
                       uint64_t *sum, struct base_error *error)
{
    uint32_t *scratch = searches_new(topology, ends);
    if (scratch == NULL)
        return base_error_memory(error, "the distances of terminals");
    *sum = 0;
    metrics->terminal_diameter = 0;
    for (uint32_t a = 0; a < ends; a++) {
        uint64_t alikes = scratch[2 * (size_t)topology->routers + a];
        if (alikes == 0)
            continue;
        net_topology_search(topology, a, scratch, scratch + topology->routers);
        for (uint32_t b = 0; b < ends; b++) {
            *sum += alikes * scratch[b];
            if (scratch[b] > metrics->terminal_diameter)
                metrics->terminal_diameter = scratch[b];
        }
    }
    free(scratch);
    return 0;
}

/* Each pair of routers counts for the pairs of terminals at them. Of processors inside m-way routers and of
 * networks of stages the ends are what distances are counted between. Terminals of one router are at distance 0
 * and count as pairs. */
static int measure_terminals(const struct net_topology *topology, struct net_metrics *metrics,
                             struct base_error *error)
{
    uint32_t ends = net_topology_ends_of_paths(topology);
    double terminals = topology->terminals, concentration = topology->concentration;
    uint64_t sum = metrics->distance_sum;
    metrics->terminal_diameter = metrics->diameter;
    if (topology->multistage != NULL || net_shared_inside_routers(topology)) {
        metrics->mean_terminal_distance = metrics->mean_distance;
        return 0;
    }
    if (topology->terminals / topology->concentration < ends &&
        search_ends(topology, topology->terminals / topology->concentration, metrics, &sum, error) != 0)
        return -1;
    if (topology->terminals > 1)
        metrics->mean_terminal_distance =
            (double)sum * concentration * concentration / (terminals * (terminals - 1));
    return 0;
}

/* No routers, no links: all zero, and the one bisection there is, of nothing, is exact. */
static int fill_ideal(struct net_metrics *metrics, struct base_error *error)
{
    metrics->bisection_exact = true;
    metrics->histogram = calloc(1, sizeof *metrics->histogram);
    return metrics->histogram != NULL ? 0 : base_error_memory(error, "the histogram of distances");
}

/* A kind without a closed form is searched. */
int net_topology_bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                           struct base_error *error)
{
    const struct net_topology_kind *kind = topology->kind;

    *channels = 0;
    *exact = true;
    if (net_topology_is_ideal(topology))
        return 0;
    return (kind->bisection != NULL ? kind->bisection : net_bisection_search)(topology, channels, exact,
                                                                              error);
}

/* What has been allocated when a step fails is the caller's to free: metrics are consistent at every step. */
static int fill(const struct net_topology *topology, struct net_metrics *metrics, struct base_error *error)
{
    const struct net_topology_kind *kind = topology->kind;
    if (net_topology_is_ideal(topology))
        return fill_ideal(metrics, error);
    metrics->links = topology->link_count;
    if (count_degrees(topology, metrics, error) != 0)
        return -1;
    if ((kind->histogram != NULL ? closed_histogram : searched_histogram)(topology, metrics, error) != 0)
        return -1;
    if (sum_distances(topology, metrics, error) != 0 || measure_terminals(topology, metrics, error) != 0)
        return -1;
    return net_topology_bisection(topology, &metrics->bisection_channels, &metrics->bisection_exact, error);
}

/* Leaves nothing to free when it fails. */
int net_topology_metrics(const struct net_topology *topology, struct net_metrics *metrics,
                         struct base_error *error)
{
    memset(metrics, 0, sizeof *metrics);
    if (fill(topology, metrics, error) == 0)
        return 0;
    net_metrics_free(metrics);
    return -1;
}

/* NULL and a zeroed struct are legal. */
void net_metrics_free(struct net_metrics *metrics)
{
    if (metrics == NULL)
        return;
    free(metrics->histogram);
    free(metrics->paths_at);
    memset(metrics, 0, sizeof *metrics);
}
