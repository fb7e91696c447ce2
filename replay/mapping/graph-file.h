/* A communication graph as CSV: the header src,dst,messages,bytes, then a line a pair of ranks. `flitreplay
 * info --matrix` writes it, `flitreplay map --graph` reads it. */
#ifndef REPLAY_MAPPING_GRAPH_FILE_H
#define REPLAY_MAPPING_GRAPH_FILE_H

#include "base/input.h"
#include "traces/graph/graph.h"

/* The ranks are 0 up to the largest that occurs. The caller frees the graph. NULL: BASE_INPUT with line and
 * column, no pair at all, a rank beyond 2^24 - 1; BASE_SYSTEM. */
struct trace_comm_graph *replay_graph_read(const struct base_input *file, struct base_error *error);

#endif
