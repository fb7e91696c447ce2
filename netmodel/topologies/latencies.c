/* Distances in cycles, of networks whose links differ: the quickest paths from every router (Dijkstra). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "netmodel/topology.h"

#define LINKS_MAX (UINT64_C(1) << 26) /* times routers: some seconds */

/* A router is done when it first comes out of the queue; what came in for it later is older news. No decrease of
 * keys: a router may be in the queue several times, of which the earliest counts. */
static int search(const struct net_topology *topology, uint32_t from, uint32_t link_cycles, uint64_t *cycles,
                  struct base_heap *queue)
{
    struct base_event event;
    for (uint32_t r = 0; r < topology->routers; r++)
        cycles[r] = UINT64_MAX;
    cycles[from] = 0;
    int status = base_heap_push(queue, 0, from);
    while (status == 0 && base_heap_pop(queue, &event)) {
        uint32_t router = (uint32_t)event.payload;
        const uint32_t *row = topology->link_at + (size_t)router * topology->ports;
        for (uint32_t port = 0; port < topology->ports && event.time == cycles[router] && status == 0;
             port++) {
            if (row[port] == NET_NONE)
                continue;
            const struct net_link *link = &topology->links[row[port]];
            uint64_t arrival = event.time + net_link_crossing(link, link_cycles);
            if (arrival < cycles[link->target]) {
                cycles[link->target] = arrival;
                status = base_heap_push(queue, arrival, link->target);
            }
        }
    }
    return status;
}

/* Not known (NaN) where links are alike, since the distances in hops say it, and where it would take too long. */
int net_topology_latencies(const struct net_topology *topology, uint32_t link_cycles,
                           struct net_metrics *metrics, struct base_error *error)
{
    uint32_t ends = net_topology_ends_of_paths(topology);
    struct base_heap queue = {0};
    uint64_t sum = 0;
    metrics->mean_latency = NAN;
    metrics->max_latency = 0;
    if ((!topology->own_latencies && !topology->narrow_links) || ends < 2 ||
        (uint64_t)topology->link_count * ends > LINKS_MAX)
        return 0;
    uint64_t *cycles = malloc(topology->routers * sizeof *cycles);
    int status = cycles == NULL ? -1 : 0;
    for (uint32_t from = 0; from < ends && status == 0; from++) {
        status = search(topology, from, link_cycles, cycles, &queue);
        for (uint32_t to = 0; to < ends && status == 0; to++) {
            sum += cycles[to];
            metrics->max_latency = cycles[to] > metrics->max_latency ? cycles[to] : metrics->max_latency;
        }
    }
    metrics->mean_latency = (double)sum / ((double)ends * (ends - 1));
    base_heap_free(&queue);
    free(cycles);
    return status == 0 ? 0 : base_error_memory(error, "the latencies of a network");
}
