/* Costs of a network as settings describe it, by the options that it has in force. */
#include "replay/session/costs.h"

#include <string.h>

#include "base/names.h"
#include "base/units.h"
#include "netmodel/stages/multistage.h"
#include "replay/session/setup.h"
#include "replay/system/data-files.h"
#include "reports/jobs/jobs.h"
#include "reports/run/energy.h"

#define SCALE 1e-6 /* of decimals */

/* Names are words; a file has a slash or a point in its name. */
static bool is_file(const char *text)
{
    return strpbrk(text, "/.") != NULL;
}

/* A technology by the name of an installed one, or a file of the user's own. Installed ones are looked for where
 * the program's data is; a name that is none is answered with those that there are and with how a file is told
 * from a name. */
struct net_technology *replay_technology(const char *text, struct base_error *error)
{
    struct base_arena arena = {0};
    struct net_technology *technology = NULL;
    size_t count;
    const struct net_technology_name *installed = net_technologies(&count);
    const struct base_names names = {
        "technology", installed, count, sizeof *installed, false, offsetof(struct net_technology_name, name)};

    if (is_file(text))
        return net_technology_read(text, error);
    if (base_names_find(&names, text, SIZE_MAX, error) == count) {
        base_error_append(error, "; a file's name has a slash or a dot");
        return NULL;
    }
    const char *name = base_arena_format(&arena, "technologies/%s.technology", text);
    const char *path = name == NULL ? NULL : replay_data_file(&arena, name);
    if (path == NULL)
        base_error_memory(error, "a technology");
    else
        technology = net_technology_read(path, error);
    base_arena_free(&arena);
    return technology;
}

/* Where a program is installed is no property of its answer, so that the path of an installed file is its name; a
 * file of the user's own stays what it was called. */
int replay_technology_used(struct report_inputs *inputs, struct base_arena *arena,
                           const struct net_technology *technology)
{
    struct base_input_name input = *net_technology_input(technology);
    const char *base = strrchr(input.path, '/');
    size_t count;
    const struct net_technology_name *installed = net_technologies(&count);

    /* What was found by its name is where the program is installed. */
    for (size_t i = 0; i < count && base != NULL; i++) {
        size_t length = strlen(installed[i].name);
        if (strncmp(base + 1, installed[i].name, length) == 0 &&
            strcmp(base + 1 + length, ".technology") == 0)
            input.path = installed[i].name;
    }
    return report_inputs_add(inputs, arena, replay_option_row(REPLAY_TECHNOLOGY)->name, &input);
}

int replay_layout(const struct replay_settings *settings, struct net_layout *layout, struct base_error *error)
{
    const char *racks = settings->text[REPLAY_RACK];

    *layout = (struct net_layout){.pitch_mm = SCALE * (double)settings->number[REPLAY_PITCH_MM]};
    return racks == NULL ? 0 : net_racks_parse(&layout->racks, racks, error);
}

/* A rack that cannot be read is refused, whether lengths are asked for or not. */
static int set_latencies(struct net_topology *topology, const struct replay_settings *settings,
                         struct base_error *error)
{
    struct net_layout layout;

    if (replay_layout(settings, &layout, error) != 0)
        return -1;
    if (settings->number[REPLAY_LINK_LATENCY_PER_M] == 0 || net_topology_is_ideal(topology))
        return 0;
    return net_layout_set_latencies(topology, &layout, settings->number[REPLAY_LINK_LATENCY_PER_M],
                                    settings->number[REPLAY_CLOCK_GHZ],
                                    (uint32_t)settings->number[REPLAY_LINK_CYCLES], error);
}

struct net_topology *replay_topology_new(const char *text, const struct replay_settings *settings,
                                         struct base_error *error)
{
    struct net_topology *topology = net_topology_new(text, error);

    if (topology == NULL || set_latencies(topology, settings, error) == 0)
        return topology;
    net_topology_free(topology);
    return NULL;
}

/* The costs that were worked out, with the options by which they were. -1: memory. */
static int fill(const struct net_cost_request *request, const struct net_costs *worked_out,
                const struct net_routing *routing, uint32_t packet_flits, struct base_arena *arena,
                struct report_cost_network *costs)
{
    *costs = (struct report_cost_network){
        .topology = base_arena_text(arena, request->topology->text),
        .routing = base_arena_text(arena, routing->text),
        .flit_bits = request->flit_bits,
        .packet_flits = packet_flits,
        .control_lines = request->control_lines,
        .virtual_channels = request->virtual_channels,
        .buffer_flits = request->buffer_flits,
        .injectors = request->injectors,
        .consumers = request->consumers,
        .costs = *worked_out,
        .area_routers_mm2 = worked_out->routers * worked_out->router[NET_COST_AREA_TOTAL],
        .ndd_routers_W = worked_out->routers * worked_out->router[NET_COST_NDD_TOTAL],
    };
    return costs->topology == NULL || costs->routing == NULL ? -1 : 0;
}

/* The one place where options become what a cost is asked of: flitreplay cost, a comparison and a run ask alike. */
static int request_of(const struct net_topology *topology, const struct replay_settings *settings,
                      const struct net_options *options, const struct net_routing *routing,
                      const struct net_technology *technology, struct net_cost_request *request,
                      struct base_error *error)
{
    *request = (struct net_cost_request){
        .topology = topology,
        /* Stages move words of as many bits as a link carries in a cycle; --flit-bytes is no option of theirs. */
        .flit_bits = topology->multistage != NULL ? topology->multistage->link_bits
                                                  : 8 * (uint32_t)settings->number[REPLAY_FLIT_BYTES],
        .control_lines = (uint32_t)settings->number[REPLAY_CONTROL_LINES],
        .virtual_channels = options->virtual_channels,
        .buffer_flits = options->buffer_flits,
        .injectors = options->injectors,
        .consumers = options->consumers,
        .bufferless = routing->kind->never_waits,
        .clock_khz = settings->number[REPLAY_CLOCK_GHZ],
        .technology = technology,
    };
    return replay_layout(settings, &request->layout, error);
}

int replay_setup_costs(const struct replay_setup *setup, const struct net_technology *technology,
                       struct base_arena *arena, struct report_cost_network *costs, struct base_error *error)
{
    struct net_metrics metrics = {0};
    struct net_cost_request request;
    struct net_costs worked_out;
    int status = -1;

    if (net_topology_metrics(setup->topology, &metrics, error) == 0 &&
        request_of(setup->topology, setup->settings, &setup->in_force, setup->routing, technology, &request,
                   error) == 0) {
        request.metrics = &metrics;
        if (net_costs_of(&request, &worked_out, error) == 0)
            status =
                fill(&request, &worked_out, setup->routing, setup->in_force.packet_flits, arena, costs) == 0
                    ? 0
                    : base_error_memory(error, "the costs of a network");
    }
    net_metrics_free(&metrics);
    return status;
}

static int ask(const struct net_topology *topology, const struct replay_settings *settings,
               const struct net_technology *technology, struct base_arena *arena,
               struct report_cost_network *costs, struct base_error *error)
{
    struct replay_setup setup;
    int status = replay_setup_init(&setup, REPLAY_TO_COST, topology, settings, error);

    if (status == 0)
        status = replay_setup_costs(&setup, technology, arena, costs, error);
    replay_setup_free(&setup);
    return status;
}

/* Buffers follow from latencies, and these from lengths: whoever asks for several settings has one topology for all. */
int replay_network_costs(const struct net_topology *topology, const struct replay_settings *settings,
                         const struct net_technology *technology, struct base_arena *arena,
                         struct report_cost_network *costs, struct base_error *error)
{
    struct net_topology *own;
    int status;

    if (net_topology_is_ideal(topology))
        return base_error_set(error, BASE_USAGE, "%s has no routers and no links: it has no costs",
                              topology->text);
    if (settings->number[REPLAY_LINK_LATENCY_PER_M] == 0)
        return ask(topology, settings, technology, arena, costs, error);
    own = replay_topology_new(topology->text, settings, error);
    status = own == NULL ? -1 : ask(own, settings, technology, arena, costs, error);
    net_topology_free(own);
    return status;
}

/* The network is costed whole: links that fail are bought like all others, so faults are taken out of the
 * settings. */
int replay_costs_asked(const struct net_topology *topology, const struct replay_settings *settings,
                       struct base_arena *arena, struct report_inputs *inputs,
                       const struct report_cost_network **costs, struct base_error *error)
{
    struct report_cost_network *row = base_arena_alloc(arena, sizeof *row);
    struct net_technology *technology;
    struct replay_settings whole;
    int status;

    *costs = NULL;
    if (settings->text[REPLAY_TECHNOLOGY] == NULL || net_topology_is_ideal(topology))
        return 0;
    technology = replay_technology(settings->text[REPLAY_TECHNOLOGY], error);
    if (technology == NULL || replay_settings_copy(&whole, settings, error) != 0) {
        net_technology_free(technology);
        return -1;
    }
    whole.text[REPLAY_FAULTS] = whole.text[REPLAY_FAULT_ROUTING] = NULL;
    if (row == NULL || replay_technology_used(inputs, arena, technology) != 0)
        status = base_error_memory(error, "the costs of a network");
    else
        status = replay_network_costs(topology, &whole, technology, arena, row, error);
    replay_settings_free(&whole);
    net_technology_free(technology);
    *costs = row;
    return status;
}

/* ---- energy of a run ---- */

/* Metrics are made anew, since a topology keeps none: closed forms for grids, searches for graphs. */
int replay_costing_init(struct replay_costing *costing, const struct net_routing *routing,
                        const struct replay_settings *settings, const struct net_options *options,
                        struct base_error *error)
{
    costing->technology = replay_technology(settings->text[REPLAY_TECHNOLOGY], error);
    if (costing->technology == NULL || net_topology_metrics(routing->topology, &costing->metrics, error) != 0)
        return -1;
    if (request_of(routing->topology, settings, options, routing, costing->technology, &costing->request,
                   error) != 0)
        return -1;
    costing->request.metrics = &costing->metrics;
    return net_costs_of(&costing->request, &costing->costs, error);
}

void replay_costing_free(struct replay_costing *costing)
{
    net_metrics_free(&costing->metrics);
    net_technology_free(costing->technology);
    *costing = (struct replay_costing){0};
}

/* Cycles are those of the clock asked for; what the network still carried behind the last rank's end is part of its
 * events. */
static int count_energy(const struct replay_costing *costing, const struct net_network *network,
                        const struct report_run *run, struct net_energy *energy, struct base_error *error)
{
    const struct net_energy_events events =
        net_energy_events_of(costing->request.topology, net_network_statistics(network));

    return net_energy_of(&costing->request, &costing->costs, &events, run->simulated_cycles,
                         1e-9 * (double)run->simulated_ns, run->message_bytes, energy, error);
}

const struct report_cost_network *replay_costing_report(const struct replay_costing *costing,
                                                        const struct net_routing *routing,
                                                        const struct net_options *options,
                                                        struct base_arena *arena)
{
    struct report_cost_network *costs = base_arena_alloc(arena, sizeof *costs);

    return costs == NULL ||
                   fill(&costing->request, &costing->costs, routing, options->packet_flits, arena, costs) != 0
               ? NULL
               : costs;
}

int replay_run_energy(const struct net_routing *routing, const struct replay_settings *settings,
                      const struct net_network *network, struct report_run *run, struct base_error *error)
{
    const struct net_options *options = net_network_options(network);
    struct replay_costing costing = {0};
    struct report_energy *row;
    int status = -1;

    if (settings->text[REPLAY_TECHNOLOGY] == NULL || routing == NULL)
        return 0;
    row = base_arena_alloc(&run->arena, sizeof *row);
    if (row == NULL)
        return base_error_memory(error, "the energy of a run");
    if (replay_costing_init(&costing, routing, settings, options, error) == 0) {
        row->technology = base_arena_text(&run->arena, net_technology_name(costing.technology));
        run->costs = replay_costing_report(&costing, routing, options, &run->arena);
        if (row->technology == NULL || run->costs == NULL ||
            replay_technology_used(&run->inputs, &run->arena, costing.technology) != 0)
            base_error_memory(error, "the energy of a run");
        else
            status = count_energy(&costing, network, run, &row->energy, error);
    }
    replay_costing_free(&costing);
    run->energy = row;
    return status;
}

/* ---- energy of jobs ---- */

/* Clocks and static power are the network's: of a job there is no time. */
static int count_job(const struct replay_costing *costing, const struct net_statistics *statistics,
                     const uint32_t *owner, uint32_t number, struct report_jobs *jobs,
                     struct base_error *error)
{
    struct report_energy *row = base_arena_alloc(&jobs->arena, sizeof *row);
    const struct net_energy_events events =
        net_energy_events_of_owner(costing->request.topology, statistics, owner, number);

    if (row == NULL)
        return base_error_memory(error, "the energy of jobs");
    row->technology = jobs->energy->technology;
    jobs->jobs[number].energy = row;
    return net_energy_of(&costing->request, &costing->costs, &events, 0, 0, 0, &row->energy, error);
}

static int count_jobs(const struct replay_costing *costing, const struct net_network *network,
                      const uint32_t *owner, struct report_jobs *jobs, struct base_error *error)
{
    const struct net_statistics *statistics = net_network_statistics(network);
    const struct net_energy_events events = net_energy_events_of(costing->request.topology, statistics);
    double seconds = 1e-9 * (double)jobs->simulated_ns;
    struct report_energy *row = base_arena_alloc(&jobs->arena, sizeof *row);
    uint64_t bytes = 0;

    if (row == NULL)
        return base_error_memory(error, "the energy of jobs");
    row->technology = base_arena_text(&jobs->arena, net_technology_name(costing->technology));
    jobs->energy = row;
    for (uint32_t i = 0; i < jobs->job_count; i++)
        bytes += jobs->jobs[i].alone->message_bytes;
    if (net_energy_of(&costing->request, &costing->costs, &events,
                      base_cycles_from_ns(jobs->simulated_ns, costing->request.clock_khz), seconds,
                      jobs->background_count > 0 ? 0 : bytes, &row->energy, error) != 0)
        return -1;
    for (uint32_t i = 0; i < jobs->job_count && statistics->owner_events != NULL; i++)
        if (count_job(costing, statistics, owner, i, jobs, error) != 0)
            return -1;
    return row->technology == NULL ? base_error_memory(error, "the energy of jobs") : 0;
}

int replay_jobs_energy(const struct net_routing *routing, const struct replay_settings *settings,
                       const struct net_network *network, const uint32_t *owner, struct report_jobs *jobs,
                       struct base_error *error)
{
    const struct net_options *options = net_network_options(network);
    struct replay_costing costing = {0};
    int status = -1;

    if (settings->text[REPLAY_TECHNOLOGY] == NULL || routing == NULL)
        return 0;
    if (replay_costing_init(&costing, routing, settings, options, error) == 0) {
        jobs->costs = replay_costing_report(&costing, routing, options, &jobs->arena);
        if (jobs->costs == NULL ||
            replay_technology_used(&jobs->inputs, &jobs->arena, costing.technology) != 0)
            base_error_memory(error, "the energy of jobs");
        else
            status = count_jobs(&costing, network, owner, jobs, error);
    }
    replay_costing_free(&costing);
    return status;
}
