/* Costs of a network as settings describe it. Only the network itself knows which options are in force, so
 * one is made and thrown away. */
#include "replay/session/costs.h"

#include <string.h>

#include "base/names.h"
#include "netmodel/stages/multistage.h"
#include "replay/session/stages.h"
#include "replay/system/data-files.h"
#include "reports/run/energy.h"

#define SCALE 1e-6 /* of decimals */

/* Names are words; a file has a slash or a point in its name. */
static bool is_file(const char *text)
{
    return strpbrk(text, "/.") != NULL;
}

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
        base_error_append(error, "; a file is told from a name by a slash or a point");
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

static int fill(const struct net_cost_request *request, const struct net_routing *routing,
                uint32_t packet_flits, struct base_arena *arena, struct report_cost_network *costs,
                struct base_error *error)
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
    };
    if (costs->topology == NULL || costs->routing == NULL)
        return base_error_memory(error, "the costs of a network");
    if (net_costs_of(request, &costs->costs, error) != 0)
        return -1;
    costs->area_routers_mm2 = costs->costs.routers * costs->costs.router[NET_COST_AREA_TOTAL];
    costs->ndd_routers_W = costs->costs.routers * costs->costs.router[NET_COST_NDD_TOTAL];
    return 0;
}

/* The one place where options become what a cost is asked of: flitreplay cost, a comparison and a run ask alike. */
static struct net_cost_request request_of(const struct net_topology *topology,
                                          const struct replay_settings *settings,
                                          const struct net_options *options,
                                          const struct net_routing *routing,
                                          const struct net_technology *technology)
{
    return (struct net_cost_request){
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
        .pitch_mm = SCALE * (double)settings->number[REPLAY_PITCH_MM],
        .technology = technology,
    };
}

/* With the routing made: the options in force, the metrics, the costs. */
static int ask(const struct net_topology *topology, const struct replay_settings *settings,
               const struct net_technology *technology, const struct net_routing *routing,
               struct base_arena *arena, struct report_cost_network *costs, struct base_error *error)
{
    struct net_options given = session_network_options(settings);
    struct net_network *network = net_network_new(topology, routing, &given, error);
    struct net_metrics metrics = {0};
    int status = -1;

    if (network == NULL)
        return -1;
    if (net_topology_metrics(topology, &metrics, error) == 0) {
        struct net_cost_request request =
            request_of(topology, settings, net_network_options(network), routing, technology);
        request.metrics = &metrics;
        status = fill(&request, routing, net_network_options(network)->packet_flits, arena, costs, error);
    }
    net_metrics_free(&metrics);
    net_network_free(network);
    return status;
}

int replay_network_costs(const struct net_topology *topology, const struct replay_settings *settings,
                         const struct net_technology *technology, struct base_arena *arena,
                         struct report_cost_network *costs, struct base_error *error)
{
    const struct net_routing *in_use;
    struct net_routing routing = {0};
    int status;

    if (net_topology_is_ideal(topology))
        return base_error_set(error, BASE_USAGE, "%s has no routers and no links: it has no costs",
                              topology->text);
    if (session_check_flow(settings, error) != 0 ||
        session_prepare_routing(topology, settings, &routing, &in_use, error) != 0)
        return -1;
    status = ask(topology, settings, technology, in_use, arena, costs, error);
    net_routing_free(&routing);
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
    costing->request = request_of(routing->topology, settings, options, routing, costing->technology);
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

int replay_run_energy(const struct net_routing *routing, const struct replay_settings *settings,
                      const struct net_network *network, const struct report_run *run,
                      struct base_arena *arena, struct report_inputs *inputs,
                      const struct report_energy **energy, struct base_error *error)
{
    struct replay_costing costing = {0};
    struct report_energy *row = base_arena_alloc(arena, sizeof *row);
    int status = -1;

    *energy = NULL;
    if (settings->text[REPLAY_TECHNOLOGY] == NULL || routing == NULL)
        return 0;
    if (row == NULL)
        return base_error_memory(error, "the energy of a run");
    if (replay_costing_init(&costing, routing, settings, net_network_options(network), error) == 0) {
        row->technology = base_arena_text(arena, net_technology_name(costing.technology));
        if (row->technology == NULL || replay_technology_used(inputs, arena, costing.technology) != 0)
            base_error_memory(error, "the energy of a run");
        else
            status = count_energy(&costing, network, run, &row->energy, error);
    }
    replay_costing_free(&costing);
    *energy = row;
    return status;
}
