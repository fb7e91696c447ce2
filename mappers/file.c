/* A placement from a file, as written by `flitreplay map` or by hand. The format is drawn in placement.h. */
#include "mappers/placement.h"

/* The reader of the text form does all the checking; its errors name line and column. */
static int map(const struct map_mapper *mapper, const char *argument, const struct net_topology *topology,
               uint32_t ranks, const struct trace_comm_graph *graph, uint64_t seed, uint32_t *terminal,
               struct base_error *error)
{
    (void)mapper;
    (void)graph;
    (void)seed;
    return map_placement_read(argument, topology, ranks, terminal, error);
}

const struct map_mapper map_mapper_file = {
    .name = "file",
    .summary = "read from a file of \"rank terminal\" lines: file:PATH",
    .takes_argument = true,
    .map = map,
};
