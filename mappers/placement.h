/* Where the ranks run: terminal of each rank, and what that costs before any simulation. One descriptor per
 * mapper in kinds.def. Text form: comment lines from '#', then one "rank terminal" pair a line, each rank
 * once. */
#ifndef MAP_PLACEMENT_H
#define MAP_PLACEMENT_H

#include <stdio.h>

#include "base/error.h"
#include "netmodel/routing.h"
#include "netmodel/topology.h"
#include "traces/graph.h"

struct map_placement {
    uint32_t ranks;
    const uint32_t *terminal; /* [rank] */
    const char *mapper;       /* the kind that made it */
    const char *text;         /* as given: "random", "file:cg.map" */
    uint64_t evaluations;     /* of an objective, while searching */
};

struct map_mapper {
    const char *name, *summary;
    bool takes_argument; /* file:PATH */
    /* Fills terminal[0 .. ranks-1], distinct, < topology->terminals. graph may be NULL for mappers that need
     * none. */
    int (*map)(const struct map_mapper *mapper, const char *argument, const struct net_topology *topology,
               uint32_t ranks, const struct trace_comm_graph *graph, uint64_t seed, uint32_t *terminal,
               struct base_error *error);
};

const struct map_mapper *const *map_mappers(size_t *count);

/* text: "identity", "random", "file:PATH". More ranks than terminals is refused (BASE_USAGE). The caller
 * frees. */
struct map_placement *map_placement_new(const char *text, const struct net_topology *topology, uint32_t ranks,
                                        const struct trace_comm_graph *graph, uint64_t seed,
                                        struct base_error *error);
void map_placement_free(struct map_placement *placement);

/* Reads and writes the text form. Errors name line and column (garbage, missing or double rank, double or
 * impossible terminal, wrong count). */
int map_placement_read(const char *path, const struct net_topology *topology, uint32_t ranks,
                       uint32_t *terminal, struct base_error *error);
int map_placement_write(const struct map_placement *placement, const struct net_topology *topology,
                        FILE *stream);

/* The static cost of a placement (mapping.md §1): messages between ranks of one terminal cost nothing. */
struct map_cost {
    uint64_t hop_bytes;   /* sum of bytes x links crossed, each message once */
    double mean_dilation; /* links crossed per message, weighted by messages; self messages left out */
    uint32_t max_dilation;
    double max_channel_load_bytes; /* of the busiest link under the routing, ties shared */
};
int map_placement_cost(const struct map_placement *placement, const struct trace_comm_graph *graph,
                       const struct net_routing *routing, struct map_cost *cost, struct base_error *error);

#endif
