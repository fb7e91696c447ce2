/* Both placements lie in one partition, under one setup, and are weighed by the same graph and the same replay: the
 * cost sums the graph's bytes over the ways that the routing takes, and needs no trace; the time is that of a replay
 * on a network of its own, so that both start alike. */
#include "replay/mapping/mapping.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/process-memory.h"
#include "mappers/formats/map-file.h"
#include "mappers/placement.h"
#include "netmodel/topologies/mway.h"
#include "replay/machines/physical.h"
#include "replay/session/costs.h"
#include "replay/mapping/graph-file.h"
#include "replay/session/estimate.h"
#include "replay/session/inputs.h"
#include "replay/session/session.h"
#include "replay/session/stages.h"
#include "replay/system/host.h"
#include "reports/placement/picture.h"
#include "reports/topology/picture.h"
#include "traces/hash.h"

/* All that a placement is made from and of. */
struct replay_mapping {
    const struct replay_setup *machine; /* borrowed */
    const char *source;                 /* the trace or the graph's file; borrowed */
    struct replay_setup setup;          /* on the partition */
    struct trace_program *program;      /* NULL: of a graph from a file */
    struct trace_comm_graph *graph;     /* of the trace or the file */
    struct map_placement *identity, *placement;
    struct report_inputs inputs;
    const struct report_window *window; /* of the trace; NULL: the whole, or a graph */
    struct report_placement report;     /* borrows the rest */
    struct base_arena arena;            /* of what the report borrows */
    const struct report_coverage *coverage;
    uint32_t coverage_count;
};

/* ---- what is placed ---- */

/* The file is an input like any other: it is named in the answer, with its hash. Read whole before it is parsed,
 * so that the digest is of what was read. */
static int read_graph_file(struct replay_mapping *mapping, struct base_error *error)
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
static int read_graph(struct replay_mapping *mapping, struct base_error *error)
{
    const struct replay_settings *settings = mapping->machine->settings;
    const struct trace_summary *summary;

    if (settings->given[REPLAY_GRAPH])
        return read_graph_file(mapping, error);
    mapping->program = replay_session_keep(mapping->source, settings, error);
    if (mapping->program == NULL || trace_program_hash(mapping->program, error) == NULL)
        return -1;
    mapping->graph = trace_comm_graph_new(mapping->program, mapping->machine->tuning, error);
    if (mapping->graph == NULL)
        return -1;
    summary = trace_program_summary(mapping->program);
    mapping->coverage = replay_coverage(&mapping->arena, summary);
    mapping->coverage_count = (uint32_t)summary->coverage_count;
    return mapping->coverage == NULL ||
                   replay_report_window(mapping->program, &mapping->arena, &mapping->window) != 0
               ? base_error_memory(error, "the coverage")
               : 0;
}

/* What one takes before anything moves, as far as the allocator counts. */
static int measure_network(struct replay_setup *setup, struct base_error *error)
{
    uint64_t before = base_memory_allocated();
    struct net_network *network = replay_setup_network(setup, error);
    uint64_t behind = base_memory_allocated();

    setup->network_bytes = network != NULL && behind > before ? behind - before : 0;
    net_network_free(network);
    return network == NULL ? -1 : 0;
}

/* What replays, is told or refused before it does. */
static int expect(const struct replay_mapping *mapping, const struct replay_watch *watch,
                  struct base_error *error)
{
    struct replay_placement first = {
        .setup = replay_setup_copy(&mapping->setup), .graph = mapping->graph, .map = mapping->identity};

    if (mapping->program == NULL || mapping->machine->settings->given[REPLAY_STATIC])
        return 0;
    if (mapping->setup.routing != NULL && map_placement_cost(mapping->identity, mapping->graph,
                                                             mapping->setup.routing, &first.cost, error) != 0)
        return -1;
    first.setup.is_attributed = false;
    return measure_network(&first.setup, error) != 0
               ? -1
               : replay_expect_search(mapping->program, &first, watch, error);
}

/* The identity is placed first; both are judged under the same options. */
static int place(struct replay_mapping *mapping, const struct replay_watch *watch, struct base_error *error)
{
    const struct replay_settings *settings = mapping->machine->settings;

    if (replay_session_fits(mapping->source, mapping->graph->ranks, settings, mapping->machine->topology,
                            error) != 0 ||
        replay_setup_allocate(&mapping->setup, mapping->machine, mapping->graph->ranks, error) != 0)
        return -1;
    mapping->identity =
        replay_map_graph(&mapping->setup, mapping->graph, mapping->program, "identity", watch, error);
    if (mapping->identity == NULL || expect(mapping, watch, error) != 0)
        return -1;
    mapping->placement = replay_map_graph(&mapping->setup, mapping->graph, mapping->program,
                                          settings->text[REPLAY_MAPPING], watch, error);
    if (mapping->placement == NULL)
        return -1;
    return replay_inputs_used(&mapping->inputs, &mapping->arena, mapping->setup.topology,
                              mapping->setup.routing, mapping->setup.partition, mapping->placement) == 0
               ? 0
               : base_error_memory(error, "the inputs");
}

/* ---- what it costs ---- */

/* Links, and time where there is a trace and the user wants it, from a replay unless the search has found it out; who
 * interrupts that replay gets the links alone. An ideal network has no links: every placement costs nothing there. */
static int weigh(const struct replay_mapping *mapping, const struct map_placement *placement,
                 uint64_t known_ns, const struct replay_watch *watch, struct report_placement_cost *cost,
                 struct base_error *error)
{
    const struct replay_setup *setup = &mapping->setup;
    struct map_cost links = {0};
    int status = 0;

    if (setup->routing != NULL &&
        map_placement_cost(placement, mapping->graph, setup->routing, &links, error) != 0)
        return -1;
    *cost = (struct report_placement_cost){.hop_bytes = links.hop_bytes,
                                           .mean_dilation = links.mean_dilation,
                                           .max_dilation = links.max_dilation,
                                           .max_channel_load_bytes = links.max_channel_load_bytes};
    cost->simulated = mapping->program != NULL && !setup->settings->given[REPLAY_STATIC];
    cost->simulated_ns = cost->simulated && known_ns != MAP_SLOWER ? known_ns : 0;
    if (cost->simulated && known_ns == MAP_SLOWER)
        status = replay_time(setup, mapping->program, placement->terminal, watch, &cost->simulated_ns, error);
    if (status == 0 || error->status != BASE_INTERRUPTED)
        return status;
    cost->simulated = false;
    return 0;
}

/* Which placement it is does not matter where messages take no time. */
static int time_ideal(struct replay_mapping *mapping, const struct replay_watch *watch,
                      struct base_error *error)
{
    struct replay_trial trial;
    int status = replay_try(&trial, &mapping->setup, mapping->program, mapping->placement->terminal,
                            REPLAY_IDEAL, &(struct replay_onlooker){.watch = watch}, error);

    mapping->report.has_ideal = status == 0 && !trial.result.interrupted;
    mapping->report.ideal_ns = trial.result.simulated_ns;
    replay_trial_free(&trial);
    return status;
}

static void describe(struct replay_mapping *mapping)
{
    const struct replay_setup *setup = &mapping->setup;
    const struct replay_settings *settings = setup->settings;
    struct report_placement *report = &mapping->report;
    struct trace_comm_place place = {0};
    struct trace_pair pair;

    *report = (struct report_placement){
        .source = mapping->source,
        .fingerprint = mapping->program == NULL ? NULL : trace_program_hash(mapping->program, NULL),
        .topology = setup->topology->text,
        .routing = setup->routing == NULL ? NULL : setup->routing->kind->name,
        .mapping = mapping->placement->text,
        .inputs = mapping->inputs,
        .window = mapping->window,
        .objective = replay_search_replays(settings) ? "time" : settings->text[REPLAY_OBJECTIVE],
        .ranks = mapping->placement->ranks,
        .terminals = setup->topology->terminals,
        .terminal = mapping->placement->terminal,
        .evaluations = mapping->placement->evaluations,
        .evaluations_asked = settings->number[REPLAY_EVALUATIONS],
        .has_before = true,
        .partition = replay_setup_partition(setup),
    };
    while (trace_comm_graph_next(mapping->graph, &place, &pair)) {
        report->messages += pair.messages;
        report->bytes += pair.bytes;
    }
}

/* The report borrows everything; it lives no longer than the mapping. */
static int fill_report(struct replay_mapping *mapping, const struct replay_watch *watch,
                       struct base_error *error)
{
    const struct replay_setup *setup = &mapping->setup;
    const struct map_times *times = &mapping->placement->times;
    struct report_placement *report = &mapping->report;

    describe(mapping);
    if (replay_physical_of(setup->topology, setup->settings, &mapping->arena, &report->physical, error) !=
            0 ||
        replay_costs_asked(setup->topology, setup->settings, &mapping->arena, &report->inputs, &report->costs,
                           error) != 0 ||
        weigh(mapping, mapping->identity, times->first_ns, watch, &report->before, error) != 0 ||
        weigh(mapping, mapping->placement, times->found_ns, watch, &report->cost, error) != 0)
        return -1;
    return report->cost.simulated ? time_ideal(mapping, watch, error) : 0;
}

struct replay_mapping *replay_mapping_new(const struct replay_setup *setup, const char *source,
                                          const struct replay_watch *watch, struct base_error *error)
{
    struct replay_mapping *mapping = calloc(1, sizeof *mapping);
    struct replay_stopwatch stopwatch;

    if (mapping == NULL) {
        base_error_memory(error, "the mapping");
        return NULL;
    }
    mapping->machine = setup;
    mapping->source = source;
    replay_stopwatch_start(&stopwatch);
    if (read_graph(mapping, error) != 0 || place(mapping, watch, error) != 0 ||
        fill_report(mapping, watch, error) != 0) {
        replay_mapping_free(mapping);
        return NULL;
    }
    mapping->report.interrupted = replay_is_stopped(watch);
    mapping->report.host = replay_stopwatch_read(&stopwatch, 0);
    return mapping;
}

/* Parts that were not made are zeros. */
void replay_mapping_free(struct replay_mapping *mapping)
{
    if (mapping == NULL)
        return;
    map_placement_free(mapping->identity);
    map_placement_free(mapping->placement);
    trace_comm_graph_free(mapping->graph);
    replay_setup_free(&mapping->setup);
    trace_close(mapping->program);
    base_arena_free(&mapping->arena);
    free(mapping);
}

/* ---- what can be asked of it ---- */

const struct report_placement *replay_mapping_report(const struct replay_mapping *mapping)
{
    return &mapping->report;
}

int replay_mapping_set_command(struct replay_mapping *mapping, const char *command, struct base_error *error)
{
    mapping->report.command = base_arena_text(&mapping->arena, command);
    return mapping->report.command == NULL ? base_error_memory(error, "the command line") : 0;
}

const struct report_coverage *replay_mapping_coverage(const struct replay_mapping *mapping, uint32_t *count)
{
    *count = mapping->coverage_count;
    return mapping->coverage;
}

int replay_mapping_write(const struct replay_mapping *mapping, const char *format, FILE *stream,
                         struct base_error *error)
{
    struct map_place place = replay_setup_place(&mapping->setup);

    return map_placement_write_as(format, mapping->placement, &place, stream, error);
}

/* The pairs as the picture has them, without the messages of a rank to itself. Both arrays have one entry to
 * spare, so that an empty graph, or a network without links, is no failed allocation. Loads are computed here
 * and not in the report: the picture alone needs each link's. */
int replay_mapping_svg(const struct replay_mapping *mapping, FILE *stream, struct base_error *error)
{
    const struct trace_comm_graph *graph = mapping->graph;
    const struct replay_setup *setup = &mapping->setup;
    struct report_placement_picture picture = {.topology = setup->topology, .placement = &mapping->report};
    struct report_placement_pair *pairs = calloc(graph->count + 1, sizeof *pairs);
    struct trace_comm_place place = {0};
    struct trace_pair pair;
    double *loads = calloc((size_t)setup->topology->link_count + 1, sizeof *loads);
    int status;

    while (pairs != NULL && trace_comm_graph_next(graph, &place, &pair))
        if (pair.source != pair.target && pair.bytes > 0)
            pairs[picture.pair_count++] =
                (struct report_placement_pair){pair.source, pair.target, pair.bytes};
    picture.pairs = pairs;
    picture.loads = loads;
    if (loads != NULL && setup->routing != NULL)
        map_placement_loads(mapping->placement, graph, setup->routing, loads);
    status = pairs == NULL || loads == NULL ? base_error_memory(error, "the picture of a placement")
                                            : report_placement_svg(&picture, stream, error);
    free(loads);
    free(pairs);
    return status;
}

static int draw(const void *content, FILE *stream, struct base_error *error)
{
    return replay_mapping_svg(content, stream, error);
}

/* A network that cannot be drawn has a page without the picture. */
int replay_mapping_html(const struct replay_mapping *mapping, FILE *stream, struct base_error *error)
{
    const struct net_topology *topology = mapping->setup.topology;
    struct base_error reason;
    bool is_drawn = report_topology_drawable(topology, &reason) == 0 && !net_shared_inside_routers(topology);

    return report_placement_html(&mapping->report, is_drawn ? draw : NULL, mapping, stream, error);
}
