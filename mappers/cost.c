/* What a placement costs before any simulation.
 *
 * Hop-bytes are the network's total work, and the load of the busiest link bounds the time from below;
 * neither predicts it alone, which is why placements are judged by a replay in the end. Both
 * count a message as its bytes, without the partly filled flits and the rendezvous that a replay adds.
 *
 * Sums of products are kept in 128 bits; the loads of links are
 * added up in the order of the graph, which is sorted, so that their rounding is the same everywhere. */
#include "mappers/placement.h"

#include <stdlib.h>

#include "base/wide.h"

struct sums {
    base_wide hop_bytes, hop_messages, messages; /* over all pairs */
    double detour_bytes, detour_messages; /* of routings whose variants differ in length: means over them */
    uint32_t max_dilation;
};

/* The routing itself is walked, not the topology's distances: a routing that is not minimal must show it. */
static int add_pair(struct sums *sums, double *load, const struct map_placement *placement,
                    const struct net_routing *routing, const struct trace_pair *pair)
{
    uint32_t ends[2];
    struct net_way_lengths lengths = {0, 0};

    net_topology_ends(routing->topology, placement->terminal[pair->source], placement->terminal[pair->target],
                      ends);
    if (routing->kind->minimal) {
        lengths.longest = net_routing_hops(routing, ends[0], ends[1]);
        sums->hop_bytes = base_wide_add(sums->hop_bytes, base_wide_product(pair->bytes, lengths.longest));
        sums->hop_messages =
            base_wide_add(sums->hop_messages, base_wide_product(pair->messages, lengths.longest));
    } else {
        lengths = net_routing_lengths(routing, ends[0], ends[1]);
        sums->detour_bytes += (double)pair->bytes * lengths.mean;
        sums->detour_messages += (double)pair->messages * lengths.mean;
    }
    sums->messages = base_wide_add(sums->messages, base_wide_of(pair->messages));
    if (pair->messages > 0 && lengths.longest > sums->max_dilation)
        sums->max_dilation = lengths.longest;
    if (lengths.longest > 0 && pair->bytes > 0)
        return net_routing_load_between(routing, placement->terminal[pair->source],
                                        placement->terminal[pair->target], (double)pair->bytes, load);
    return 0;
}

/* Leaves the mean at 0 when no message crosses the network. */
static int finish(struct map_cost *cost, const struct sums *sums, const double *load, uint32_t links,
                  struct base_error *error)
{
    if (base_wide_high(sums->hop_bytes) != 0 || sums->detour_bytes >= 0x1p64)
        return base_error_set(error, BASE_INPUT, "the hop-bytes of this communication exceed 64 bits");
    cost->hop_bytes = base_wide_low(sums->hop_bytes) + (uint64_t)(sums->detour_bytes + 0.5);
    if (base_wide_less(base_wide_of(0), sums->messages))
        cost->mean_dilation = (base_wide_to_double(sums->hop_messages) + sums->detour_messages) /
                              base_wide_to_double(sums->messages);
    cost->max_dilation = sums->max_dilation;
    for (uint32_t link = 0; link < links; link++)
        if (load[link] > cost->max_channel_load_bytes)
            cost->max_channel_load_bytes = load[link];
    return 0;
}

/* One pass over the pairs that communicate. Bytes are summed as integers; only what ties split is a fraction.
 */
int map_placement_cost(const struct map_placement *placement, const struct trace_comm_graph *graph,
                       const struct net_routing *routing, struct map_cost *cost, struct base_error *error)
{
    struct sums sums = {0};
    struct trace_comm_place place = {0};
    struct trace_pair pair;
    double *load;
    int status = 0;

    *cost = (struct map_cost){0};
    if (graph->ranks != placement->ranks)
        return base_error_set(error, BASE_USAGE,
                              "a placement of %u ranks cannot carry the communication of %u",
                              placement->ranks, graph->ranks);
    if (routing == NULL)
        return 0;
    load = calloc((size_t)routing->topology->link_count + 1, sizeof *load);
    if (load == NULL)
        return base_error_memory(error, "the loads of the links");
    while (status == 0 && trace_comm_graph_next(graph, &place, &pair))
        if (pair.source != pair.target)
            status = add_pair(&sums, load, placement, routing, &pair);
    status = status == 0 ? finish(cost, &sums, load, routing->topology->link_count, error)
                         : base_error_memory(error, "the ways that share a load");
    free(load);
    return status;
}

/* The same walk as that of the cost, whose sums go to waste: so the two cannot tell different loads. Adds
 * to what the caller has in load. */
void map_placement_loads(const struct map_placement *placement, const struct trace_comm_graph *graph,
                         const struct net_routing *routing, double *load)
{
    struct trace_comm_place place = {0};
    struct trace_pair pair;
    struct sums unused = {0};

    while (trace_comm_graph_next(graph, &place, &pair))
        if (pair.source != pair.target)
            add_pair(&unused, load, placement, routing, &pair);
}
