/* Where the ranks run: terminal of each rank, and what that costs before any simulation. One descriptor per
 * mapper in kinds.def. The text form is one "rank terminal" pair a line in any order, each rank once, each
 * terminal at most once; from '#' to the end of its line is comment, and lines may be empty:
 *
 *      # flitreplay placement: rank terminal
 *      # mapping random, topology mesh:4x4, 3 ranks
 *      0 5
 *      1 12
 *      2 7
 *
 * Every line ends in a line feed, the last one too: a file without has been cut, perhaps within a number. */
#ifndef MAP_PLACEMENT_H
#define MAP_PLACEMENT_H

#include <stdio.h>

#include "base/error.h"
#include "mappers/mapper.h"
#include "netmodel/routing.h"
#include "netmodel/topology.h"
#include "traces/graph/graph.h"

struct map_placement {
    uint32_t ranks;               /* of terminal */
    const uint32_t *terminal;     /* [rank] */
    const char *mapper;           /* the kind that made it */
    const char *text;             /* as given: "random", "file:cg.map" */
    struct base_input_name input; /* the file that it was read from, if there is one */
    uint64_t evaluations;         /* of an objective, while searching */
    struct map_times times;       /* of the identity and of this one, where the search has simulated them */
    /* What the mapper believes that the map costs, in bytes or messages x links. A claim that the cost as
     * measured (map_placement_cost) must bear out; none where the mapper does not search, or weights had to
     * be rounded. */
    bool claims;
    int64_t claimed_cost; /* meaningless unless it claims */
};

/* What a mapper is asked for. Everything is borrowed for the call. */
struct map_request {
    struct map_place place;               /* where ranks may go */
    uint32_t ranks;                       /* of the graph, where there is one */
    const struct trace_comm_graph *graph; /* NULL: ranks that do not communicate */
    enum map_objective objective;
    struct map_effort effort;      /* handed on to the mapper */
    const struct map_judge *judge; /* may be NULL */
};

/* text: "identity", "random", "file:PATH". The caller frees. NULL: an unknown mapping (with the nearest
 * match), a missing or needless argument, more ranks than slots (BASE_USAGE), a wrong file (BASE_INPUT),
 * memory. */
struct map_placement *map_placement_new(const char *text, const struct map_request *request,
                                        struct base_error *error);
/* The file that a mapping of that text would read, a part of it; NULL: none, or no such mapping. */
const char *map_placement_path(const char *text);
void map_placement_free(struct map_placement *placement);

/* Writes the text form. -1 when the stream refuses; errors that come up later, at flushing, are the caller's.
 */
int map_placement_write(const struct map_placement *placement, const struct net_topology *topology,
                        FILE *stream);

/* Writes it in another format (mappers/formats/map-file.h); place as in the request. -1: BASE_USAGE when there is no
 * such format, or it cannot say this placement; memory; BASE_SYSTEM when the stream refuses. */
int map_placement_write_as(const char *format, const struct map_placement *placement,
                           const struct map_place *place, FILE *stream, struct base_error *error);

/* Replays of the mapper `replay` where the effort names no number of evaluations. */
#define MAP_REPLAY_EVALUATIONS 64

/* The static cost of a placement (after Hoefler and Snir 2011): messages of a rank to itself
 * cost nothing; those between terminals of one router cross 0 links. Links are directed, between routers. */
struct map_cost {
    uint64_t hop_bytes;   /* sum of bytes x links crossed, each message once */
    double mean_dilation; /* links crossed per message, weighted by messages; self messages left out */
    uint32_t max_dilation;
    double max_channel_load_bytes; /* of the busiest link under the routing, ties shared */
};
/* routing is NULL for an ideal topology, where everything costs 0. graph must be of as many ranks. -1:
 * BASE_USAGE when it is not, BASE_INPUT when hop-bytes exceed 64 bits, memory. */
int map_placement_cost(const struct map_placement *placement, const struct trace_comm_graph *graph,
                       const struct net_routing *routing, struct map_cost *cost, struct base_error *error);

/* The loads alone: load[link] += bytes, for every link of the routing's topology. */
void map_placement_loads(const struct map_placement *placement, const struct trace_comm_graph *graph,
                         const struct net_routing *routing, double *load);

#endif
