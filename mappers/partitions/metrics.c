/* Measuring a partition: connected pieces, mean distance, and the rest that it leaves. */
#include "mappers/partitions/partition.h"

#include <stdlib.h>
#include <string.h>

/* Routers of a partition, or of what is free; one flag each. NULL: memory. */
static bool *routers_of(const struct map_partition *partition, const struct net_topology *topology)
{
    bool *own = calloc((size_t)topology->routers + 1, sizeof *own);

    for (uint32_t i = 0; own != NULL && i < partition->count; i++)
        own[net_topology_router_of(topology, partition->terminal[i])] = true;
    return own;
}

/* Marks all that is connected with a router as seen, by links within the partition. */
static void flood(const struct net_topology *topology, const bool *own, bool *seen, uint32_t *queue,
                  uint32_t start)
{
    uint32_t head = 0, tail = 0;

    queue[tail++] = start;
    seen[start] = true;
    while (head < tail) {
        uint32_t router = queue[head++];
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
            uint32_t next = link == NET_NONE ? router : topology->links[link].target;
            if (!own[next] || seen[next])
                continue;
            seen[next] = true;
            queue[tail++] = next;
        }
    }
}

/* As many floods as there are components: each begins at a router that none before has seen. Links are
 * followed among the partition's own routers only, whatever a routing would do. */
static int count_components(const struct net_topology *topology, const bool *own, uint32_t *components,
                            struct base_error *error)
{
    bool *seen = calloc((size_t)topology->routers + 1, sizeof *seen);
    uint32_t *queue = malloc(((size_t)topology->routers + 1) * sizeof *queue);

    *components = 0;
    for (uint32_t i = 0; seen != NULL && queue != NULL && i < topology->routers; i++) {
        if (!own[i] || seen[i])
            continue;
        flood(topology, own, seen, queue, i);
        ++*components;
    }
    free(queue);
    if (seen == NULL || queue == NULL) {
        free(seen);
        return base_error_memory(error, "measuring a partition");
    }
    free(seen);
    return 0;
}

/* Over unordered pairs of terminals; through the whole machine, as packets may go. */
static double mean_distance(const struct map_partition *partition, const struct net_topology *topology)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < partition->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            uint32_t ends[2];
            net_topology_ends(topology, partition->terminal[i], partition->terminal[k], ends);
            sum += net_topology_distance(topology, ends[0], ends[1]);
        }
    return partition->count < 2
               ? 0
               : (double)sum / ((double)partition->count * ((double)partition->count - 1) / 2);
}

/* A line of routers, a column or a row: whether the partition has any of them. */
static bool has_line(const bool *own, uint32_t start, uint32_t step, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        if (own[start + i * step])
            return true;
    return false;
}

/* How many of `count` lines from the first to the last that the partition has; around a ring, all but the
 * longest run of lines that it has not. Lines are `step` apart, and their routers `along`. */
static uint32_t extent(const bool *own, uint32_t count, uint32_t step, uint32_t length, uint32_t along,
                       bool wraps)
{
    uint32_t first = count, last = 0, longest = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!has_line(own, i * step, along, length))
            continue;
        if (first == count)
            first = i;
        else if (i - last - 1 > longest)
            longest = i - last - 1;
        last = i;
    }
    if (!wraps || first + count - last - 1 > longest)
        longest = first + count - last - 1;
    return count - longest;
}

/* Terminals in the smallest rectangle around the partition that are not its own. */
static uint32_t count_foreign(const struct map_partition *partition, const struct net_topology *topology,
                              const bool *own, uint32_t width)
{
    uint32_t height = topology->routers / width;

    return extent(own, width, 1, height, width, topology->grid->wraps) *
               extent(own, height, width, width, 1, topology->grid->wraps) * topology->concentration -
           partition->count;
}

/* The largest rectangle of free routers: row by row, over the heights of the free columns that end there; a
 * stack holds the columns of rising height (the largest rectangle under a histogram). */
static uint32_t largest_free(const bool *taken, uint32_t width, uint32_t height, uint32_t *heights,
                             uint32_t *stack)
{
    uint32_t largest = 0;

    memset(heights, 0, ((size_t)width + 1) * sizeof *heights);
    for (uint32_t y = 0; y < height; y++) {
        uint32_t depth = 0;
        for (uint32_t x = 0; x <= width; x++) {
            if (x < width)
                heights[x] = taken[(size_t)y * width + x] ? 0 : heights[x] + 1;
            while (depth > 0 && (x == width || heights[stack[depth - 1]] >= heights[x])) {
                uint32_t high = heights[stack[--depth]], from = depth > 0 ? stack[depth - 1] + 1 : 0;
                if (high * (x - from) > largest)
                    largest = high * (x - from);
            }
            stack[depth++] = x;
        }
    }
    return largest;
}

/* What is left free, and how much of it is in one rectangle. A router with a busy terminal is not free. */
static int measure_rest(const struct map_partition *partition, const struct net_topology *topology,
                        const bool *busy, uint32_t width, struct map_partition_metrics *metrics,
                        struct base_error *error)
{
    bool *taken = routers_of(partition, topology);
    uint32_t *heights = malloc(((size_t)width + 1) * sizeof *heights);
    uint32_t *stack = malloc(((size_t)width + 1) * sizeof *stack);
    uint32_t free_routers = 0;

    if (taken != NULL && heights != NULL && stack != NULL) {
        for (uint32_t i = 0; busy != NULL && i < topology->terminals; i++)
            taken[net_topology_router_of(topology, i)] |= busy[i];
        for (uint32_t i = 0; i < topology->routers; i++)
            free_routers += !taken[i];
        if (free_routers > 0)
            metrics->fragmentation =
                1 -
                (double)largest_free(taken, width, topology->routers / width, heights, stack) / free_routers;
    }
    free(heights);
    free(stack);
    if (taken == NULL || heights == NULL || stack == NULL) {
        free(taken);
        return base_error_memory(error, "measuring a partition");
    }
    free(taken);
    return 0;
}

/* Distances mean something on every network, but what is foreign within a rectangle or left over as one
 * needs two dimensions: elsewhere these stay 0, as partition.h promises. */
int map_partition_measure(const struct map_partition *partition, const struct net_topology *topology,
                          const bool *busy, struct map_partition_metrics *metrics, struct base_error *error)
{
    uint32_t width = net_topology_side(topology, 0);
    bool *own;
    bool is_rectangle = net_topology_plane(topology) != NULL;
    int status;

    *metrics = (struct map_partition_metrics){.components = 1, .idle = partition->count - partition->asked};
    if (topology->routers == 0)
        return 0; /* ideal: everything is next to everything */
    own = routers_of(partition, topology);
    status = own == NULL ? base_error_memory(error, "measuring a partition")
                         : count_components(topology, own, &metrics->components, error);
    metrics->has_rectangle = is_rectangle;
    if (status == 0 && is_rectangle)
        metrics->foreign = count_foreign(partition, topology, own, width);
    free(own);
    if (status != 0)
        return -1;
    metrics->mean_distance = mean_distance(partition, topology);
    if (!is_rectangle)
        return 0;
    return measure_rest(partition, topology, busy, width, metrics, error);
}
