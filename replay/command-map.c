/* flitreplay map: a placement of ranks, and what it costs before any simulation.
 *
 *      flitreplay map TRACE --topology T --mapping M -o FILE          ranks of a trace, collectives expanded
 *      flitreplay map --graph CSV --topology T --mapping M -o FILE    ranks of any communication graph
 *
 * The file can be given to `run` as --mapping file:FILE, edited, or made by another program: it is text. */
#include "mappers/placement.h"
#include "replay/command.h"
#include "replay/graph-file.h"
#include "replay/host.h"
#include "replay/kinds.h"
#include "replay/session-internal.h"
#include "reports/placement.h"
#include "traces/graph.h"

#define WIDTH 80

/* All that a placement is made from and of. */
struct mapping {
    const struct replay_settings *settings;
    const char *source; /* the trace or the graph's file */
    struct trace_selection *selection;
    struct net_topology *topology;
    struct net_routing routing;
    const struct net_routing *routing_in_use; /* NULL on an ideal network */
    struct trace_comm_graph *graph;
    struct map_placement *placement;
    struct map_cost cost;
    struct base_arena arena;                /* of the coverage */
    const struct report_coverage *coverage; /* of the trace, for --strict; none of a graph from a file */
    uint32_t coverage_count;
    struct report_host host;
};

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_placement_text(content, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_placement_json(content, stream, error);
}

/* map_placement_write tells only that it failed; why, the commit of the output will say. */
static int write_placement(const void *content, FILE *stream, struct base_error *error)
{
    const struct mapping *mapping = content;

    if (map_placement_write(mapping->placement, mapping->topology, stream) == 0)
        return 0;
    return base_error_set(error, BASE_SYSTEM, "the placement cannot be written");
}

/* The report borrows everything; it lives no longer than the mapping. */
static struct report_placement report_of(const struct mapping *mapping)
{
    struct report_placement report = {
        .source = mapping->source,
        .topology = mapping->topology->text,
        .routing = mapping->routing_in_use == NULL ? NULL : mapping->routing_in_use->text,
        .mapping = mapping->placement->text,
        .ranks = mapping->placement->ranks,
        .terminals = mapping->topology->terminals,
        .terminal = mapping->placement->terminal,
        .hop_bytes = mapping->cost.hop_bytes,
        .mean_dilation = mapping->cost.mean_dilation,
        .max_dilation = mapping->cost.max_dilation,
        .max_channel_load_bytes = mapping->cost.max_channel_load_bytes,
        .evaluations = mapping->placement->evaluations,
        .host = mapping->host,
    };

    for (size_t i = 0; i < mapping->graph->count; i++) {
        report.messages += mapping->graph->pairs[i].messages;
        report.bytes += mapping->graph->pairs[i].bytes;
    }
    return report;
}

/* What can be refused before the trace is read. */
static int prepare(struct mapping *mapping, struct base_error *error)
{
    const struct replay_settings *settings = mapping->settings;

    if (replay_check_kind("mappings", settings->text[REPLAY_MAPPING], error) != 0)
        return -1;
    mapping->selection = replay_selection(settings, error);
    if (mapping->selection == NULL)
        return -1;
    mapping->topology = net_topology_new(settings->text[REPLAY_TOPOLOGY], error);
    if (mapping->topology == NULL)
        return -1;
    if (net_topology_is_ideal(mapping->topology) && settings->text[REPLAY_ROUTING] == NULL)
        return 0;
    mapping->routing_in_use = &mapping->routing;
    return net_routing_init(&mapping->routing, mapping->topology, settings->text[REPLAY_ROUTING], 0, error);
}

/* A graph from a file has its collectives expanded already, or never had any. */
static struct trace_comm_graph *read_graph(struct mapping *mapping, struct base_error *error)
{
    struct trace_comm_graph *graph;
    struct trace_program *program;

    if (mapping->settings->given[REPLAY_GRAPH])
        return replay_graph_read(mapping->source, error);
    program = replay_session_open(mapping->source, mapping->settings, NULL, error);
    if (program == NULL)
        return NULL;
    graph = trace_comm_graph_new(program, mapping->selection, error);
    mapping->coverage = session_coverage(&mapping->arena, trace_program_summary(program));
    mapping->coverage_count = (uint32_t)trace_program_summary(program)->coverage_count;
    if (graph != NULL && mapping->coverage == NULL) {
        base_error_memory(error, "the coverage");
        trace_comm_graph_free(graph);
        graph = NULL;
    }
    trace_close(program);
    return graph;
}

/* An ideal network has no links: every placement costs nothing there. */
static int place(struct mapping *mapping, struct base_error *error)
{
    const struct replay_settings *settings = mapping->settings;
    struct replay_stopwatch stopwatch;
    struct map_request request;

    replay_stopwatch_start(&stopwatch);
    mapping->graph = read_graph(mapping, error);
    if (mapping->graph == NULL ||
        replay_session_fits(mapping->source, mapping->graph->ranks, mapping->topology, error) != 0)
        return -1;
    request = (struct map_request){.place = {.topology = mapping->topology, .routing = mapping->routing_in_use},
                                   .ranks = mapping->graph->ranks,
                                   .graph = mapping->graph,
                                   .effort = {.seed = settings->number[REPLAY_SEED]}};
    mapping->placement = map_placement_new(settings->text[REPLAY_MAPPING], &request, error);
    if (mapping->placement == NULL)
        return -1;
    if (mapping->routing_in_use != NULL &&
        map_placement_cost(mapping->placement, mapping->graph, &mapping->routing, &mapping->cost, error) != 0)
        return -1;
    mapping->host = replay_stopwatch_read(&stopwatch, 0);
    return 0;
}

/* The placement is written first: it is what was asked for. */
static int place_and_write(struct mapping *mapping, struct base_error *error)
{
    const struct replay_settings *settings = mapping->settings;
    struct replay_files files = {0};
    size_t output = replay_files_add(&files, settings->text[REPLAY_OUTPUT]);
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    struct report_placement report;
    int status = -1;

    if (replay_files_open(&files, mapping->source, error) != 0)
        return -1;
    if (place(mapping, error) == 0) {
        report = report_of(mapping);
        status = replay_files_write(&files, output, write_placement, mapping, error);
        if (status == 0)
            status = replay_files_write(&files, json, write_json, &report, error);
        if (status == 0)
            status = replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, &report, error);
    }
    replay_files_discard(&files);
    return status;
}

/* The trace's or the graph's file; NULL when there is none, or more than one. */
static const char *source_of(const struct replay_arguments *arguments, struct base_error *error)
{
    const char *graph = arguments->settings.text[REPLAY_GRAPH];

    if (graph == NULL)
        return replay_arguments_one(arguments, "one trace, or --graph CSV", error) == 0
                   ? arguments->operands[0]
                   : NULL;
    if (arguments->operand_count > 0) {
        base_error_set(error, BASE_USAGE, "map takes a trace or --graph, not both: %s and %s",
                       arguments->operands[0], graph);
        return NULL;
    }
    return graph;
}

/* Everything hangs on one struct, whose parts are freed in reverse order whether they were made or not. */
int replay_command_map(const struct replay_arguments *arguments, struct base_error *error)
{
    struct mapping mapping = {.settings = &arguments->settings, .source = source_of(arguments, error)};
    int status;

    if (mapping.source == NULL)
        return BASE_USAGE;
    if (arguments->settings.text[REPLAY_TOPOLOGY] == NULL) {
        base_error_set(error, BASE_USAGE, "needs a network: --topology mesh:8x8, for example");
        return BASE_USAGE;
    }
    status = prepare(&mapping, error) == 0 && place_and_write(&mapping, error) == 0
                 ? replay_strict(arguments, mapping.source, mapping.coverage, mapping.coverage_count)
                 : (int)error->status;
    base_arena_free(&mapping.arena);
    map_placement_free(mapping.placement);
    trace_comm_graph_free(mapping.graph);
    trace_selection_free(mapping.selection);
    net_routing_free(&mapping.routing);
    net_topology_free(mapping.topology);
    return status;
}
