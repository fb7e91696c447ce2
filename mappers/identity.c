/* Rank i on terminal i: what a machine without a mapper does, and the smallest example of a mapper. Programs
 * that number their ranks along a grid are often served well by it, so a mapper should never do worse. */
#include "mappers/placement.h"

/* Rank i runs on terminal i, whatever it communicates: the map that batch systems give by default, and so the
 * one that every other is measured against. */
static int map(const struct map_mapper *mapper, const char *argument, const struct net_topology *topology,
               uint32_t ranks, const struct trace_comm_graph *graph, uint64_t seed, uint32_t *terminal,
               struct base_error *error)
{
    (void)mapper;
    (void)argument;
    (void)topology;
    (void)graph;
    (void)seed;
    (void)error;
    for (uint32_t rank = 0; rank < ranks; rank++)
        terminal[rank] = rank;
    return 0;
}

const struct map_mapper map_mapper_identity = {
    .name = "identity",
    .summary = "rank i on terminal i",
    .map = map,
};
