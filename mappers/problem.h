/* A mapping problem: which of n ranks runs in which of m >= n slots, so that little travels far.
 *
 * Ranks exchange weights (bytes, or messages); slots lie at distances (links of the routing in use). A slot is a
 * place for one rank: a terminal offers one slot, or several where ranks may share it. The slots are those of a
 * partition, whatever the machine around it: a mapper sees slots and distances, never "the whole machine".
 *
 *      cost of a map = sum over ordered pairs (i, j) of weight(i -> j) x distance(slot of i -> slot of j)
 *
 * This is the quadratic assignment problem, with a sparse matrix of weights. Where distances are symmetric (all
 * grids), the two weights of a pair count only through their sum, and are stored so.
 *
 *      rank i:  first[i] .. first[i + 1] - 1  are its neighbours, ascending, each once, itself left out
 *
 * Weights whose costs might not fit 62 bits are all divided by the same power of two (weight_shift). */
#ifndef MAP_PROBLEM_H
#define MAP_PROBLEM_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/random.h"
#include "netmodel/routing.h"
#include "netmodel/topology.h"
#include "traces/graph/graph.h"

#define MAP_TABLE_SLOTS_MAX 4096 /* up to here distances are a table of 16-bit numbers, 32 MiB at most */

/* What a search makes small. */
enum map_objective {
    MAP_HOP_BYTES,    /* bytes x links, the total work of the network */
    MAP_DILATION,     /* messages x links */
    MAP_CHANNEL_LOAD, /* bytes over the busiest link under the routing */
    MAP_TIME          /* what the simulator says */
};

struct map_problem {
    uint32_t ranks, slots;    /* never more ranks than slots */
    const uint32_t *terminal; /* [slot], ascending; repeated where ranks share a terminal */

    /* The graph. out[e] is the part of weight[e] that goes from the rank to the neighbour; NULL when distances
     * are symmetric, where it does not matter. */
    const uint32_t *first;     /* [ranks + 1] */
    const uint32_t *neighbour; /* [edge] */
    const int64_t *weight;     /* [edge]: both directions together, > 0 */
    const int64_t *out;
    uint32_t weight_shift; /* bits by which weights were shortened to keep sums in 64 bits; 0: exact */

    /* Distances: table[from * slots + to]; reverse is its transpose (the same array when symmetric). NULL when
     * there are more than MAP_TABLE_SLOTS_MAX slots, which are then asked for one by one. */
    const uint16_t *table, *reverse;

    /* Where the slots are: coordinate[slot * dimensions + d] < sides[d]. A dimension of the terminals of one
     * router, or of the places of one terminal, is not among them. NULL and 0 without geometry. */
    uint32_t dimensions;
    uint32_t sides[NET_DIMENSIONS_MAX]; /* the first `dimensions` of them */
    bool wraps;                         /* all dimensions, as on a torus */
    const uint32_t *coordinate;

    /* What it was made from; NULL for a problem given by matrices. */
    const struct net_topology *topology;
    const struct net_routing *routing;    /* borrowed; NULL where there is none */
    const struct trace_comm_graph *graph; /* borrowed; NULL: ranks say nothing */
    enum map_objective objective;         /* what weights are made of */
    struct base_arena arena;              /* owns the arrays above */
};

/* Where ranks may go, and what they say to each other. Everything is borrowed for the life of the problem. */
struct map_place {
    const struct net_topology *topology; /* whose terminals ranks are put on */
    const struct net_routing *routing;   /* NULL: the topology's default routing, by its distances */
    const uint32_t *terminals;           /* the partition, ascending, each once; NULL: all of the topology */
    uint32_t terminal_count;             /* of the partition */
    uint32_t ranks_per_terminal;         /* 0 means 1 */
};

/* graph may be NULL: ranks that do not communicate. `searches`: fill in the graph and the distances too, which the
 * mappers that only order slots do without. The caller frees. NULL: more ranks than slots, or a partition that is
 * not one (BASE_USAGE), distances of 65536 or more (BASE_USAGE), memory. */
struct map_problem *map_problem_new(const struct map_place *place, uint32_t ranks,
                                    const struct trace_comm_graph *graph, enum map_objective objective,
                                    bool searches, struct base_error *error);
/* From matrices, row by row: weights[ranks * ranks], distances[slots * slots]; the diagonals do not count. */
struct map_problem *map_problem_from(uint32_t ranks, const uint64_t *weights, uint32_t slots,
                                     const uint16_t *distances, struct base_error *error);
void map_problem_free(struct map_problem *problem);

/* Links from one slot to another. */
uint32_t map_problem_distance(const struct map_problem *problem, uint32_t from, uint32_t to);
/* slot[0 .. ranks-1], distinct. In units of 2^weight_shift. */
int64_t map_problem_cost(const struct map_problem *problem, const uint32_t *slot);
/* What the cost grows by when `rank` goes to `to`, and `other`, who is there, to where rank was. other may be
 * problem->ranks or more: nobody is there. slot has an entry for every rank. O(degree). */
int64_t map_problem_swap(const struct map_problem *problem, const uint32_t *slot, uint32_t rank,
                         uint32_t other, uint32_t to);

#endif
