/* Path diversity: how many shortest paths there are (doc/networks.md, Path diversity; the king thesis,
 * section 2.4.3). Counted on the graph, by dynamic programming along a breadth-first search: the paths to a
 * router are those to all its predecessors one link nearer to the source, once for each link. So borders,
 * ties of a torus and parallel links are all in the numbers. */
#include <math.h>
#include <stdlib.h>

#include "netmodel/topology.h"

/* Links looked at for all sources: some seconds. */
#define WORK_MAX (UINT64_C(1) << 30)

/* In the order of the queue all paths to a router are known before any that goes on from it. All three arrays are
 * the caller's, [routers]. */
void net_topology_paths(const struct net_topology *topology, uint32_t from, uint32_t *distances,
                        uint32_t *queue, double *paths)
{
    net_topology_search(topology, from, distances, queue);
    for (uint32_t r = 0; r < topology->routers; r++)
        paths[r] = 0;
    paths[from] = 1;
    for (uint32_t head = 0; head < topology->routers; head++) {
        uint32_t router = queue[head];
        const uint32_t *row = topology->link_at + (size_t)router * topology->ports;
        for (uint32_t port = 0; port < topology->ports; port++) {
            if (row[port] == NET_NONE)
                continue;
            uint32_t next = topology->links[row[port]].target;
            if (distances[next] == distances[router] + 1)
                paths[next] += paths[router];
        }
    }
}

/* Adds what one source sees; of itself, only that there is one way to stay. */
static void add_source(const struct net_topology *topology, uint32_t from, const uint32_t *distances,
                       const double *paths, struct net_metrics *metrics)
{
    for (uint32_t r = 0; r < net_topology_ends_of_paths(topology); r++) {
        metrics->paths_at[distances[r]] += paths[r];
        if (r != from)
            metrics->paths_max = fmax(metrics->paths_max, paths[r]);
    }
}

/* Sums per distance become means: the histogram has the numbers of pairs. */
static void divide(const struct net_topology *topology, struct net_metrics *metrics)
{
    double sum = 0, routers = net_topology_ends_of_paths(topology);
    for (uint32_t k = 1; k <= metrics->diameter; k++)
        sum += metrics->paths_at[k];
    if (routers > 1)
        metrics->paths_mean = sum / (routers * (routers - 1));
    for (uint32_t k = 0; k <= metrics->diameter; k++)
        if (metrics->histogram[k] != 0)
            metrics->paths_at[k] /= (double)metrics->histogram[k];
}

/* Numbers of paths multiply along the way, and so are doubles: exact as long as they are whole numbers that a double
 * holds. Left out where it would take too long: paths_at stays NULL. */
int net_topology_path_diversity(const struct net_topology *topology, struct net_metrics *metrics,
                                struct base_error *error)
{
    uint64_t links = (uint64_t)topology->link_count + topology->routers;
    if (net_topology_is_ideal(topology) || links > WORK_MAX / topology->routers)
        return 0;
    uint32_t *scratch = calloc(topology->routers, 2 * sizeof *scratch);
    double *paths = calloc(topology->routers, sizeof *paths);
    metrics->paths_at = calloc((size_t)metrics->diameter + 1, sizeof *metrics->paths_at);
    int result = 0;
    if (scratch == NULL || paths == NULL || metrics->paths_at == NULL)
        result = base_error_memory(error, "the numbers of shortest paths");
    for (uint32_t from = 0; from < net_topology_ends_of_paths(topology) && result == 0; from++) {
        net_topology_paths(topology, from, scratch, scratch + topology->routers, paths);
        add_source(topology, from, scratch, paths, metrics);
    }
    if (result == 0)
        divide(topology, metrics);
    free(scratch);
    free(paths);
    return result;
}
