/* flitreplay map: a placement of ranks, and what it costs, beside the identity.
 *
 *      flitreplay map TRACE --topology T --mapping M -o FILE          ranks of a trace, collectives expanded
 *      flitreplay map --graph CSV --topology T --mapping M -o FILE    ranks of any communication graph
 *
 * The trace is replayed on both placements, and on no network at all, so that costs stand beside times;
 * --static leaves that out, and a graph from a file cannot be replayed. The file can be given to `run` as
 * --mapping file:FILE, edited, or made by another program: it is text, or one of the formats of
 * mappers/formats/formats.def (--format). */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mappers/formats/map-file.h"
#include "mappers/placement.h"
#include "netmodel/topologies/mway.h"
#include "replay/commands/command.h"
#include "replay/commands/graph-file.h"
#include "replay/system/host.h"
#include "replay/machines/physical.h"
#include "replay/session/costs.h"
#include "replay/session/inputs.h"
#include "replay/session/kinds.h"
#include "replay/session/part.h"
#include "replay/session/partition.h"
#include "replay/commands/progress.h"
#include "replay/session/stages.h"
#include "reports/placement/picture.h"
#include "reports/placement/placement.h"
#include "reports/topology/picture.h"
#include "traces/graph/graph.h"
#include "traces/hash.h"

#define WIDTH 80

/* All that a placement is made from and of. */
struct mapping {
    const struct replay_settings *settings; /* of the command line */
    struct replay_signals *signals;         /* borrowed */
    const char *source;                     /* the trace or the graph's file */
    struct session session;
    struct net_topology *topology;  /* owned */
    struct trace_comm_graph *graph; /* of the trace or the file; owned */
    const char *hash, *command;     /* for the report, which borrows them */
    struct report_inputs inputs;
    const struct report_window *window; /* of the trace; NULL: the whole, or a graph */
    struct map_placement *identity, *placement;
    struct report_placement report;         /* borrows the rest */
    struct base_arena arena;                /* of the coverage and the picture */
    const struct report_coverage *coverage; /* of the trace, for --strict; none of a graph from a file */
    uint32_t coverage_count;
};

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    const struct mapping *mapping = content;
    return report_placement_text(&mapping->report, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    const struct mapping *mapping = content;
    return report_placement_json(&mapping->report, stream, error);
}

/* map_placement_write tells only that it failed; why, the commit of the output will say. */
static int write_placement(const void *content, FILE *stream, struct base_error *error)
{
    const struct mapping *mapping = content;
    const char *format = mapping->settings->text[REPLAY_FORMAT];
    struct map_place place = session_place_of(&mapping->session);

    if (format == NULL)
        format = map_format_of_path(mapping->settings->text[REPLAY_OUTPUT])->name;
    return map_placement_write_as(format, mapping->placement, &place, stream, error);
}

/* The pairs as the picture has them, without the messages of a rank to itself. Both arrays have one entry to
 * spare, so that an empty graph, or a network without links, is no failed allocation. Loads are computed here
 * and not in the report: the picture alone needs each link's. */
static int write_svg(const void *content, FILE *stream, struct base_error *error)
{
    const struct mapping *mapping = content;
    const struct trace_comm_graph *graph = mapping->graph;
    struct report_placement_picture picture = {.topology = mapping->topology, .placement = &mapping->report};
    struct report_placement_pair *pairs = calloc(graph->count + 1, sizeof *pairs);
    double *loads = calloc((size_t)mapping->topology->link_count + 1, sizeof *loads);
    int status;

    for (size_t i = 0; pairs != NULL && i < graph->count; i++)
        if (graph->pairs[i].source != graph->pairs[i].target && graph->pairs[i].bytes > 0)
            pairs[picture.pair_count++] = (struct report_placement_pair){
                graph->pairs[i].source, graph->pairs[i].target, graph->pairs[i].bytes};
    picture.pairs = pairs;
    picture.loads = loads;
    if (loads != NULL && mapping->session.routing_in_use != NULL)
        map_placement_loads(mapping->placement, graph, mapping->session.routing_in_use, loads);
    status = pairs == NULL || loads == NULL ? base_error_memory(error, "the picture of a placement")
                                            : report_placement_svg(&picture, stream, error);
    free(loads);
    free(pairs);
    return status;
}

/* Links, and time where there is a trace and the user wants it. The cost sums the graph's bytes over the ways
 * that the routing takes, and needs no trace; the time is that of a replay on a network of its own
 * (session_judge), so that both placements start alike. */
static int weigh(struct mapping *mapping, const struct map_placement *placement,
                 struct report_placement_cost *cost, struct base_error *error)
{
    struct session *session = &mapping->session;
    struct map_cost links = {0};

    if (session->routing_in_use != NULL &&
        map_placement_cost(placement, mapping->graph, session->routing_in_use, &links, error) != 0)
        return -1;
    *cost = (struct report_placement_cost){.hop_bytes = links.hop_bytes,
                                           .mean_dilation = links.mean_dilation,
                                           .max_dilation = links.max_dilation,
                                           .max_channel_load_bytes = links.max_channel_load_bytes};
    cost->simulated = session->program != NULL && !mapping->settings->given[REPLAY_STATIC];
    return cost->simulated ? session_judge(session, placement->terminal, &cost->simulated_ns, error) : 0;
}

/* The report borrows everything; it lives no longer than the mapping. The ideal replay needs a placement in
 * the session: it is lent and taken back on failure too, since mapping and session would free it twice. Which
 * placement it is does not matter where messages take no time. */
static int fill_report(struct mapping *mapping, struct base_error *error)
{
    struct report_placement *report = &mapping->report;
    struct session *session = &mapping->session;
    int status;

    *report = (struct report_placement){
        .source = mapping->source,
        .fingerprint = mapping->hash,
        .command = mapping->command,
        .topology = mapping->topology->text,
        .routing = session->routing_in_use == NULL ? NULL : session->routing_in_use->kind->name,
        .mapping = mapping->placement->text,
        .inputs = mapping->inputs,
        .window = mapping->window,
        .objective = mapping->settings->text[REPLAY_OBJECTIVE],
        .ranks = mapping->placement->ranks,
        .terminals = mapping->topology->terminals,
        .terminal = mapping->placement->terminal,
        .evaluations = mapping->placement->evaluations,
        .evaluations_asked = mapping->settings->number[REPLAY_EVALUATIONS],
        .has_before = true,
        .partition =
            replay_partition_report(mapping->settings, session->partition, &session->partition_metrics),
    };
    for (size_t i = 0; i < mapping->graph->count; i++) {
        report->messages += mapping->graph->pairs[i].messages;
        report->bytes += mapping->graph->pairs[i].bytes;
    }
    if (replay_physical_of(mapping->topology, mapping->settings, &mapping->arena, &report->physical, error) !=
            0 ||
        replay_costs_asked(mapping->topology, mapping->settings, &mapping->arena, &report->inputs,
                           &report->costs, error) != 0 ||
        weigh(mapping, mapping->identity, &report->before, error) != 0 ||
        weigh(mapping, mapping->placement, &report->cost, error) != 0)
        return -1;
    if (!report->cost.simulated)
        return 0;
    session->placement = mapping->placement; /* lent */
    status = session_replay_ideal(session, error);
    session->placement = NULL;
    if (status != 0)
        return -1;
    report->has_ideal = true;
    report->ideal_ns = session->ideal.simulated_ns;
    return 0;
}

/* A wrong format must not cost the result of hours either. */
static int check_format(const struct replay_settings *settings, struct base_error *error)
{
    const char *format = settings->text[REPLAY_FORMAT];

    if (format == NULL)
        return 0;
    if (settings->text[REPLAY_OUTPUT] == NULL)
        return base_error_set(error, BASE_USAGE, "--format %s needs a placement to write: -o FILE", format);
    return map_format_find(format, error) == NULL ? -1 : 0;
}

/* A graph has no time that a part of it could be of. */
static int check_part(const struct replay_settings *settings, struct base_error *error)
{
    static const enum replay_option of_traces[] = {REPLAY_FROM, REPLAY_TO};

    for (size_t i = 0; i < sizeof of_traces / sizeof *of_traces; i++)
        if (settings->given[REPLAY_GRAPH] && settings->given[of_traces[i]])
            return base_error_set(error, BASE_USAGE,
                                  "--%s is of a trace: --graph has no part that it could name",
                                  replay_option_row(of_traces[i])->name);
    return 0;
}

/* What can be refused before the trace is read. The topology is the mapping's and only lent to the session;
 * the routing is the session's, and confined by it where --confined asks for that. What is checked here is in the
 * order of what it costs. */
static int prepare(struct mapping *mapping, struct base_error *error)
{
    const struct replay_settings *settings = mapping->settings;
    struct session *session = &mapping->session;
    enum map_objective objective;

    if (check_format(settings, error) != 0 || check_part(settings, error) != 0)
        return -1;
    if (replay_check_kind("mappings", settings->text[REPLAY_MAPPING], error) != 0 ||
        map_objective_find(settings->text[REPLAY_OBJECTIVE], &objective, error) != 0 ||
        session_check_flow(settings, error) != 0)
        return -1;
    session->tuning = replay_tuning(settings, error);
    if (session->tuning == NULL)
        return -1;
    mapping->topology = replay_topology_new(settings->text[REPLAY_TOPOLOGY], settings, error);
    if (mapping->topology == NULL)
        return -1;
    session->topology = mapping->topology;
    return session_prepare_routing(mapping->topology, settings, &session->routing, &session->routing_in_use,
                                   error);
}

/* The file is an input like any other: it is named in the answer, with its hash. Read whole before it is parsed,
 * so that the digest is of what was read. */
static int read_graph_file(struct mapping *mapping, struct base_error *error)
{
    struct base_input_name name = {mapping->source, ""};
    struct base_input input;

    if (base_input_open(&input, mapping->source) != 0)
        return base_error_system(error, errno, "cannot read %s", mapping->source);
    memcpy(name.digest, input.digest, sizeof name.digest);
    mapping->graph = replay_graph_read(&input, error);
    base_input_close(&input);
    if (mapping->graph == NULL)
        return -1;
    return report_inputs_add(&mapping->inputs, &mapping->arena, replay_option_row(REPLAY_GRAPH)->name,
                             &name) == 0
               ? 0
               : base_error_memory(error, "the inputs");
}

/* A graph from a file has its collectives expanded already, or never had any. A trace's graph has the
 * messages that the selected collective algorithms send, so that a placement is made for the traffic of the
 * replay that judges it. */
static int read_graph(struct mapping *mapping, struct base_error *error)
{
    struct session *session = &mapping->session;

    if (mapping->settings->given[REPLAY_GRAPH]) {
        return read_graph_file(mapping, error);
    }
    session->program = replay_session_open(mapping->source, mapping->settings, NULL, error);
    mapping->hash = session->program == NULL ? NULL : trace_program_hash(session->program, error);
    if (mapping->hash == NULL)
        return -1;
    mapping->graph = trace_comm_graph_new(session->program, session->tuning, error);
    if (mapping->graph == NULL)
        return -1;
    mapping->coverage = session_coverage(&mapping->arena, trace_program_summary(session->program));
    mapping->coverage_count = (uint32_t)trace_program_summary(session->program)->coverage_count;
    return mapping->coverage == NULL ||
                   session_report_window(session->program, &mapping->arena, &mapping->window) != 0
               ? base_error_memory(error, "the coverage")
               : 0;
}

/* An ideal network has no links: every placement costs nothing there. The identity is placed first, by the
 * same session: both placements lie in the one partition, which session_place makes once and keeps. Both
 * placements are judged under the same options and the same partition. */
static int place(struct mapping *mapping, struct base_error *error)
{
    const struct replay_settings *settings = mapping->settings;
    struct session *session = &mapping->session;
    struct replay_stopwatch stopwatch;

    replay_stopwatch_start(&stopwatch);
    if (read_graph(mapping, error) != 0 ||
        replay_session_fits(mapping->source, mapping->graph->ranks, settings, mapping->topology, error) !=
            0 ||
        session_place(session, "identity", mapping->graph, error) != 0)
        return -1;
    mapping->identity = session->placement;
    session->placement = NULL;
    if (session_place(session, settings->text[REPLAY_MAPPING], mapping->graph, error) != 0)
        return -1;
    mapping->placement = session->placement;
    session->placement = NULL;
    if (replay_inputs_used(&mapping->inputs, &mapping->arena, mapping->topology, session->routing_in_use,
                           session->partition, mapping->placement) != 0)
        return base_error_memory(error, "the inputs");
    if (fill_report(mapping, error) != 0)
        return -1;
    mapping->report.interrupted = session_is_stopped(session);
    mapping->report.host = replay_stopwatch_read(&stopwatch, 0);
    return 0;
}

/* A search may be stopped. How long it takes nobody knows beforehand, so that there is no bar. */
static int place_watched(struct mapping *mapping, struct base_error *error)
{
    struct replay_progress progress;
    int status;

    replay_progress_start(&progress, mapping->signals, true);
    progress.watch.progress(progress.watch.context, "placing the ranks", 0, 0);
    progress.watch.progress = NULL;
    mapping->session.watch = &progress.watch;
    status = place(mapping, error);
    mapping->session.watch = NULL;
    replay_progress_end(&progress);
    return status;
}

/* A network that cannot be drawn has a document without the picture. */
static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    const struct mapping *mapping = content;
    struct base_error reason;
    bool is_drawn = report_topology_drawable(mapping->topology, &reason) == 0 &&
                    !net_shared_inside_routers(mapping->topology);

    return report_placement_html(&mapping->report, is_drawn ? write_svg : NULL, mapping, stream, error);
}

/* The placement is written first: it is what was asked for. All outputs are opened before anything is
 * searched: a path that cannot be written must not cost the result of hours. After an interruption the best map so
 * far is written: it is one like any other. */
static int place_and_write(struct mapping *mapping, struct base_error *error)
{
    const struct replay_settings *settings = mapping->settings;
    struct replay_files files = {0};
    size_t output = replay_files_add(&files, settings->text[REPLAY_OUTPUT]);
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    size_t svg = replay_files_add(&files, settings->text[REPLAY_SVG]);
    size_t html = replay_files_add(&files, settings->text[REPLAY_HTML]);
    int status = -1;

    if (replay_files_open(&files, mapping->source, error) != 0)
        return -1;
    if (place_watched(mapping, error) == 0) {
        status = replay_files_write(&files, output, write_placement, mapping, error);
        if (status == 0)
            status = replay_files_write(&files, json, write_json, mapping, error);
        if (status == 0)
            status = replay_files_write(&files, svg, write_svg, mapping, error);
        if (status == 0)
            status = replay_files_write(&files, html, write_html, mapping, error);
        if (status == 0)
            status = replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, mapping, error);
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

/* Everything hangs on one struct, whose parts are freed in reverse order whether they were made or not. The
 * session owns what it made; what was lent to it is freed here. */
int replay_command_map(const struct replay_arguments *arguments, struct base_error *error)
{
    struct mapping mapping = {.settings = &arguments->settings,
                              .signals = arguments->signals,
                              .source = source_of(arguments, error),
                              .session = {.settings = &arguments->settings,
                                          .partition_text = arguments->settings.text[REPLAY_PARTITION]}};
    int status;

    if (mapping.source == NULL)
        return BASE_USAGE;
    if (arguments->settings.text[REPLAY_TOPOLOGY] == NULL) {
        base_error_set(error, BASE_USAGE, "needs a network: --topology mesh:8x8, for example");
        return BASE_USAGE;
    }
    mapping.command = replay_arguments_text(arguments, &mapping.arena);
    if (mapping.command == NULL)
        base_error_memory(error, "the command line");
    status = mapping.command != NULL && prepare(&mapping, error) == 0 && place_and_write(&mapping, error) == 0
                 ? replay_strict(arguments, mapping.source, mapping.coverage, mapping.coverage_count)
                 : (int)error->status;
    if (status <= REPLAY_EXIT_UNMET && mapping.report.interrupted)
        status = replay_progress_interrupted(error);
    base_arena_free(&mapping.arena);
    map_placement_free(mapping.identity);
    map_placement_free(mapping.placement);
    map_placement_free(mapping.session.placement);
    map_partition_free(mapping.session.partition);
    trace_comm_graph_free(mapping.graph);
    replay_result_free(&mapping.session.ideal);
    trace_close(mapping.session.program);
    trace_tuning_free(mapping.session.tuning);
    net_routing_free(&mapping.session.routing);
    net_topology_free(mapping.topology);
    return status;
}
