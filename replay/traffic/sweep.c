/* A setup for each network, and for each seed where which links fail follows from it; all of one sweep have the same
 * loads, so that they share a picture. */
#include "replay/traffic/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/process-memory.h"
#include "netmodel/topology.h"
#include "replay/machines/physical.h"
#include "replay/session/costs.h"
#include "replay/session/estimate.h"
#include "replay/session/inputs.h"
#include "replay/session/setup.h"
#include "replay/traffic/loads.h"
#include "replay/traffic/outlook.h"
#include "replay/traffic/traffic.h"

#define SHORTEST_MOMENT 0.03 /* seconds of a beginning */

/* Of one seed: settings that are but for it the user's. */
struct seeded {
    struct replay_settings settings; /* texts are borrowed */
    struct replay_setup setup;
};

struct network {
    struct network *next; /* of the sweep, or NULL */
    const struct replay_loads *loads;
    struct net_topology *topology;
    struct replay_settings settings; /* with the routing; texts are borrowed */
    struct replay_setup setup;
    struct seeded *seeded; /* [traffic.seeds]: where the faults of each seed are others; else NULL */
    const struct net_routing **routing; /* [traffic.seeds]: of these */
    struct replay_traffic traffic;      /* what all points have in common */
    struct replay_costing costing;      /* with --technology */
    const struct replay_watch *watch;   /* while it is simulated */
    const char *bar;                    /* what progress is of: the network, where there are several */
    struct base_arena arena;
    struct report_traffic report; /* borrows the rest */
};

struct replay_sweep {
    struct replay_loads loads;
    struct network *first;
};

/* ---- before anything runs ---- */

/* Whether the network will take broadcasts is its own matter; it is asked with one that is never sent. The
 * counts of messages before each injector hold for one injector only, since terminals pass messages on. */
static int check_broadcasts(const struct network *network, struct base_error *error)
{
    const struct net_multicast broadcast = {.source = 0, .flits = 1};
    struct net_network *asked;
    int status;

    if (network->traffic.broadcasts == 0)
        return 0;
    if (network->setup.settings->number[REPLAY_INJECTORS] > 1)
        return base_error_set(error, BASE_USAGE, "--broadcasts are sent by one injector a terminal");
    asked = replay_setup_network(&network->setup, error);
    status = asked == NULL ? -1 : net_network_multicast(asked, 0, &broadcast, error);
    net_network_free(asked);
    return status;
}

/* On an ideal network, which has no routing, nothing takes energy. Once a network: costs do not depend on the
 * load. */
static int prepare_energy(struct network *network, struct base_error *error)
{
    struct replay_traffic *traffic = &network->traffic;

    if (network->setup.settings->text[REPLAY_TECHNOLOGY] == NULL || traffic->routing == NULL)
        return 0;
    traffic->request = &network->costing.request;
    traffic->costs = &network->costing.costs;
    if (replay_costing_init(&network->costing, traffic->routing, network->setup.settings,
                            &network->setup.in_force, error) != 0)
        return -1;
    network->report.costs =
        replay_costing_report(&network->costing, traffic->routing, &network->setup.in_force, &network->arena);
    return network->report.costs != NULL && replay_technology_used(&network->report.inputs, &network->arena,
                                                                   network->costing.technology) == 0
               ? 0
               : base_error_memory(error, "the report");
}

/* Which links fail follows from the seed unless --faults names one: then every seed has a setup of its own. A set
 * that cannot be gone around is refused here, with its seed, before anything runs. Setups are kept for all
 * seeds, since runs of different seeds go on side by side. */
static int prepare_seeds(struct network *network, struct base_error *error)
{
    struct replay_traffic *traffic = &network->traffic;

    if (traffic->routing == NULL || !traffic->routing->faults_drawn || traffic->seeds < 2)
        return 0;
    network->seeded = calloc(traffic->seeds, sizeof *network->seeded);
    network->routing = calloc(traffic->seeds, sizeof *network->routing);
    if (network->seeded == NULL || network->routing == NULL)
        return base_error_memory(error, "the faults of all seeds");
    for (uint32_t i = 0; i < traffic->seeds; i++) {
        struct seeded *seeded = &network->seeded[i];
        seeded->settings = *network->setup.settings;
        seeded->settings.number[REPLAY_SEED] = traffic->seed + i;
        if (replay_setup_init(&seeded->setup, REPLAY_TO_SEND, network->topology, &seeded->settings, error) !=
            0)
            return base_error_append(error, " (seed %" PRIu64 ")", traffic->seed + i), -1;
        network->routing[i] = seeded->setup.routing;
    }
    traffic->routing_of_seed = network->routing;
    return 0;
}

/* Every run makes a network and a pattern of its own; what a run would be refused for is found out here, before any
 * run. */
static int prepare_network(struct network *network, const struct replay_settings *settings,
                           struct base_error *error)
{
    struct replay_traffic *traffic = &network->traffic;
    struct net_pattern pattern;

    if (replay_setup_init(&network->setup, REPLAY_TO_SEND, network->topology, settings, error) != 0)
        return -1;
    traffic->routing = network->setup.routing;
    traffic->network = network->setup.options;
    if (check_broadcasts(network, error) != 0 || prepare_seeds(network, error) != 0 ||
        prepare_energy(network, error) != 0)
        return -1;
    if (net_pattern_init(&pattern, network->topology, traffic->pattern, traffic->seed, error) != 0)
        return -1;
    net_pattern_free(&pattern);
    return 0;
}

/* A search needs no loads, and measures those that are given as well. */
static int prepare_loads(struct replay_sweep *sweep, const struct replay_settings *settings,
                         struct base_error *error)
{
    const char *text = settings->text[REPLAY_LOAD];

    if (text != NULL)
        return replay_loads_parse(&sweep->loads, text, error);
    return settings->given[REPLAY_SATURATION]
               ? 0
               : base_error_set(
                     error, BASE_USAGE,
                     "needs loads: --load 0.1,0.2 or --load 0.1:0.5:0.1, for example, or --saturation");
}

/* Settings become what simulations take. The refusals that cost nothing come first; the network, which may be
 * large, comes last, but for lengths, which may be those of its packets.  */
static int prepare(struct replay_sweep *sweep, struct network *network,
                   const struct replay_settings *settings, struct base_error *error)
{
    struct replay_traffic *traffic = &network->traffic;

    *traffic = (struct replay_traffic){
        .topology = network->topology,
        .pattern = settings->text[REPLAY_PATTERN],
        .seed = settings->number[REPLAY_SEED],
        .broadcasts = settings->number[REPLAY_BROADCASTS],
        .seeds = (uint32_t)settings->number[REPLAY_SEEDS],
        .cycles = settings->number[REPLAY_CYCLES],
        .warmup_cycles = settings->number[REPLAY_WARMUP],
        .settle = settings->number[REPLAY_SETTLE] != 0,
        .detect = !settings->given[REPLAY_WARMUP] && settings->number[REPLAY_SETTLE] == 0,
        .threads = (uint32_t)settings->number[REPLAY_THREADS],
    };
    if (traffic->settle && !settings->given[REPLAY_CYCLES])
        return base_error_set(error, BASE_USAGE,
                              "--settle needs --cycles N, after which a run ends at the latest");
    if (prepare_loads(sweep, settings, error) != 0 ||
        net_arrivals_parse(&traffic->arrivals, settings->text[REPLAY_ARRIVALS], error) != 0 ||
        prepare_network(network, settings, error) != 0)
        return -1;
    return net_lengths_parse(&traffic->lengths, settings->text[REPLAY_LENGTHS],
                             network->setup.in_force.packet_flits, error);
}

/* ---- what is told of it ---- */

/* Every option that bears on the points: those of the network, and those of the traffic. Neither the loads,
 * which each point has itself, nor threads and outputs, which change no number. */
static bool is_recorded(enum replay_option option)
{
    if ((replay_option_row(option)->commands >> REPLAY_COMMAND_TRAFFIC & 1) == 0)
        return false;
    return replay_option_is_recorded(option) || option == REPLAY_PATTERN || option == REPLAY_ARRIVALS ||
           option == REPLAY_LENGTHS || option == REPLAY_BROADCASTS || option == REPLAY_CYCLES ||
           option == REPLAY_WARMUP || option == REPLAY_SETTLE || option == REPLAY_SEEDS ||
           option == REPLAY_SOURCES;
}

/* An option without a value is left out. Only here a warm-up may be detected. Values in force, not as they were
 * typed. */
static int record_options(struct network *network, struct base_error *error)
{
    struct report_traffic *report = &network->report;
    const struct replay_setup *setup = &network->setup;
    const char *warmup = replay_option_row(REPLAY_WARMUP)->name;
    struct report_option *rows = NULL;
    uint32_t count = 0;

    if (replay_setup_record(setup, is_recorded, &network->arena, &rows, &count) != 0)
        return base_error_memory(error, "the report");
    for (uint32_t i = 0; i < count; i++) {
        struct report_option row = rows[i];
        if (network->traffic.detect && strcmp(row.name, warmup) == 0)
            row = (struct report_option){warmup, replay_option_absent(REPLAY_WARMUP), REPORT_TEXT};
        if (row.value != NULL)
            rows[report->option_count++] = row;
    }
    report->options = rows;
    report->link_use = replay_setup_link_use(setup);
    if (replay_physical_of(setup->topology, setup->settings, &network->arena, &report->physical, error) != 0)
        return -1;
    return replay_inputs_used(&report->inputs, &network->arena, setup->topology, setup->routing, NULL,
                              NULL) == 0
               ? 0
               : base_error_memory(error, "the report");
}

/* The head of the report; points come later. Points have room for the loads asked for and for the longest
 * search. Bytes a flit times the clock in kHz are thousands of bytes a second, hence 1e6 for GB/s. Ports are named
 * by classes of links where a network has them. */
static int describe(struct network *network, struct base_error *error)
{
    const struct replay_settings *settings = network->setup.settings;
    struct report_traffic *report = &network->report;
    const struct net_topology *topology = network->topology;

    report->topology = topology->text;
    report->routing = network->setup.routing == NULL ? "none" : network->setup.routing->text;
    report->pattern = settings->text[REPLAY_PATTERN];
    report->arrivals = settings->text[REPLAY_ARRIVALS];
    report->lengths = settings->text[REPLAY_LENGTHS];
    report->warmup_detected = network->traffic.detect;
    report->settles = network->traffic.settle;
    report->in_bits = topology->multistage != NULL;
    report->cycle_s = 1e-3 / (double)settings->number[REPLAY_CLOCK_GHZ];
    report->gigabytes_per_flit = (report->in_bits ? 0.125 : (double)settings->number[REPLAY_FLIT_BYTES]) *
                                 (double)settings->number[REPLAY_CLOCK_GHZ] / 1e6;
    uint32_t directions = replay_traffic_by_class(topology) ? topology->link_class_count : topology->ports;
    report->port_count = directions < REPORT_PORTS_MAX ? directions : REPORT_PORTS_MAX;
    for (uint32_t port = 0; port < report->port_count; port++)
        report->port_names[port] = replay_traffic_by_class(topology) ? topology->link_classes[port]
                                                                     : net_port_name(topology, 0, port);
    report->points =
        base_arena_array(&network->arena, network->loads->count + REPLAY_SEARCH_MAX, sizeof *report->points);
    if (report->points == NULL)
        return base_error_memory(error, "the points");
    return record_options(network, error);
}

/* For qsort: the loads that were asked for and those of the search, mixed. */
static int compare_points(const void *left, const void *right)
{
    double a = ((const struct report_traffic_point *)left)->offered_load;
    double b = ((const struct report_traffic_point *)right)->offered_load;
    return a < b ? -1 : a > b;
}

/* The most that the terminals can offer: what their injectors carry, if that is at most a message a cycle. A
 * search that began higher would spend points on loads that no source can offer. */
static uint64_t most_load(const struct network *network)
{
    const struct replay_traffic *traffic = &network->traffic;
    double messages = net_lengths_mean(&traffic->lengths);
    uint64_t injectors = network->setup.settings->number[REPLAY_INJECTORS];

    if (traffic->arrivals == NET_POISSON || messages >= (double)injectors)
        return injectors * NET_LOAD_ONE;
    return (uint64_t)(messages * (double)NET_LOAD_ONE);
}

/* What a search found, from its points: the highest that was stable, the lowest that was not. NAN is neither
 * below nor above any load, so the comparison is negated: the first saturated point is taken whatever its
 * load. Without a saturated point the network is stable up to the end. */
static void conclude(struct report_traffic *report, const struct report_traffic_point *points, uint32_t count)
{
    report->searched = true;
    report->saturated_load = NAN;
    for (uint32_t i = 0; i < count; i++) {
        if (!points[i].saturated && points[i].offered_load > report->stable_load)
            report->stable_load = points[i].offered_load;
        if (points[i].saturated && !(points[i].offered_load >= report->saturated_load))
            report->saturated_load = points[i].offered_load;
    }
}

/* Leaves out the points that were stopped: they have no seeds. -1: there is no other. */
static int drop_unfinished(struct report_traffic *report, struct base_error *error)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < report->point_count; i++)
        if (report->points[i].seeds > 0)
            report->points[kept++] = report->points[i];
    report->point_count = kept;
    return kept > 0 ? 0 : base_error_set(error, BASE_INTERRUPTED, "interrupted before there was a result");
}

/* A load that was asked for and that the search came by as well is one point: both are the same runs. After
 * an interrupt one of them may have fewer seeds. */
static void join_equal_loads(struct report_traffic *report)
{
    uint32_t kept = 0;

    for (uint32_t i = 1; i < report->point_count; i++) {
        struct report_traffic_point *last = &report->points[kept], *point = &report->points[i];
        if (compare_points(last, point) != 0)
            report->points[++kept] = *point;
        else if (point->seeds > last->seeds)
            *last = *point;
    }
    report->point_count = kept + 1;
}

/* Points first, then the search, whose points stand behind them until all are sorted. An interrupt between the two
 * leaves the points that were asked for. */
static int simulate(struct network *network, struct base_error *error)
{
    struct report_traffic *report = &network->report;
    struct report_traffic_point *found = report->points + network->loads->count;
    uint32_t count = 0;

    if (replay_traffic_points(&network->traffic, network->loads->load, network->loads->count, report->points,
                              error) != 0)
        return -1;
    report->point_count = (uint32_t)network->loads->count;
    if (network->setup.settings->given[REPLAY_SATURATION]) {
        if (replay_traffic_search(&network->traffic, most_load(network), found, &count, error) != 0)
            return -1;
        if (network->traffic.stop == NULL || !atomic_load(network->traffic.stop))
            conclude(report, found, count);
        report->point_count += count;
    }
    if (drop_unfinished(report, error) != 0)
        return -1;
    qsort(report->points, report->point_count, sizeof *report->points, compare_points);
    join_equal_loads(report);
    return 0;
}

/* The bar counts runs; those of a search are a bar each. */
static void tell(void *context, size_t done, size_t total)
{
    const struct network *network = context;

    if (network->watch != NULL && network->watch->progress != NULL)
        network->watch->progress(network->watch->context, network->bar, (uint32_t)(done * 1000 / total), 0);
}

static int simulate_watched(struct network *network, bool is_one, const struct replay_watch *watch,
                            struct base_error *error)
{
    network->watch = watch;
    network->bar = is_one ? "runs" : network->topology->text;
    network->traffic.progress = tell;
    network->traffic.context = network;
    network->traffic.stop = watch == NULL ? NULL : watch->stop;
    int status = simulate(network, error);
    network->report.interrupted = network->traffic.stop != NULL && atomic_load(network->traffic.stop);
    return status;
}

/* ---- all of them ---- */

/* Every network is looked at before the first one runs. Loads are one number for all of them. Reports are linked
 * in the order of the networks, which is that of the answer. */
static int prepare_all(struct replay_sweep *sweep, struct base_error *error)
{
    const struct network *first = sweep->first;

    for (struct network *network = sweep->first; network != NULL; network = network->next) {
        if (prepare(sweep, network, &network->settings, error) != 0 || describe(network, error) != 0)
            return -1;
        if (network->report.in_bits != first->report.in_bits)
            return base_error_set(error, BASE_USAGE,
                                  "%s counts bits where %s counts flits, and a --load cannot be both",
                                  network->report.in_bits ? network->topology->text : first->topology->text,
                                  network->report.in_bits ? first->topology->text : network->topology->text);
        if (network->next != NULL)
            network->report.next = &network->next->report;
    }
    return 0;
}

/* ---- what they will take ---- */

static struct replay_traffic_outlook outlook_of(const struct network *network)
{
    return (struct replay_traffic_outlook){
        .traffic = &network->traffic,
        .loads = network->loads->load,
        .count = network->loads->count,
        .most = network->setup.settings->given[REPLAY_SATURATION] ? most_load(network) : 0,
        .packet_flits = network->setup.in_force.packet_flits,
        .network_bytes = network->setup.network_bytes,
    };
}

/* What a network needs, if it is more than others need. */
static void need_more(struct replay_need *need, const struct network *network, uint64_t bytes)
{
    if (bytes <= need->bytes)
        return;
    need->bytes = bytes;
    need->topology = network->topology->text;
}

/* One network is simulated at a time: the largest is refused where it does not fit. -1: no room. */
static int expect(struct replay_sweep *sweep, const struct replay_watch *watch, struct base_error *error)
{
    const struct replay_settings *settings = sweep->first->setup.settings;
    struct replay_need need = {.topology = sweep->first->topology->text,
                               .what = "the traffic needs",
                               .less = "a smaller network or fewer threads"};
    uint64_t used = base_memory_now().used_bytes, bytes = 0;
    double slow = 0, sum = 0, seconds = 0, moments = 0;

    for (const struct network *network = sweep->first; network != NULL; network = network->next) {
        const struct replay_traffic_outlook outlook = outlook_of(network);
        slow += replay_traffic_slow(&outlook);
        moments += 2 * REPLAY_TRAFFIC_BEGINNINGS; /* half of what a run may spend */
        need_more(&need, network, used + replay_traffic_bytes(&outlook));
    }
    if (replay_check_room(settings, &need, error) != 0)
        return -1;
    if (!replay_is_long(watch, slow))
        return 0;
    need.bytes = 0;
    for (struct network *network = sweep->first; network != NULL; network = network->next) {
        const struct replay_traffic_outlook outlook = outlook_of(network);
        struct base_error ignored; /* what the beginning of a run meets, the run meets and tells */
        network->traffic.stop = watch->stop;
        if (replay_traffic_foresee(&outlook, replay_moment_of(slow, moments, SHORTEST_MOMENT), &seconds,
                                   &bytes, &ignored) != 0)
            return 0;
        sum += seconds;
        need_more(&need, network, used + bytes);
    }
    if (replay_check_room(settings, &need, error) != 0)
        return -1;
    replay_tell(watch, sum, need.bytes);
    return 0;
}

/* One network after the other. Those that an interrupt left without a point are not reported. An interrupt ends
 * the list at the last network that has points. */
int replay_sweep_run(struct replay_sweep *sweep, const struct replay_watch *watch, struct base_error *error)
{
    struct network *last = NULL;

    if (expect(sweep, watch, error) != 0)
        return -1;
    for (struct network *network = sweep->first; network != NULL; last = network, network = network->next) {
        if (simulate_watched(network, sweep->first->next == NULL, watch, error) == 0 &&
            !network->report.interrupted)
            continue;
        if (network->report.point_count > 0 && network->report.interrupted) {
            network->report.next = NULL;
            return 0;
        }
        if (last == NULL || !network->report.interrupted)
            return -1;
        last->report.interrupted = true;
        last->report.next = NULL;
        return 0;
    }
    return 0;
}

/* In any of its networks. */
bool replay_sweep_was_interrupted(const struct replay_sweep *sweep)
{
    for (const struct network *network = sweep->first; network != NULL; network = network->next)
        if (network->report.interrupted)
            return true;
    return false;
}

const struct report_traffic *replay_sweep_report(const struct replay_sweep *sweep)
{
    return &sweep->first->report;
}

/* Also one that was made halfway. */
static void free_network(struct network *network)
{
    for (uint32_t i = 0; network->seeded != NULL && i < network->traffic.seeds; i++)
        replay_setup_free(&network->seeded[i].setup);
    free(network->seeded);
    free(network->routing);
    replay_costing_free(&network->costing);
    replay_setup_free(&network->setup);
    net_topology_free(network->topology);
    base_arena_free(&network->arena);
    free(network);
}

void replay_sweep_free(struct replay_sweep *sweep)
{
    struct network *next = sweep == NULL ? NULL : sweep->first;

    while (next != NULL) {
        struct network *network = next;
        next = network->next;
        free_network(network);
    }
    free(sweep);
}

/* A network before the others, so that who begins with the last has them in the given order. -1: what the topology
 * refuses, or memory. */
static int add_network(struct replay_sweep *sweep, const char *topology, const char *routing,
                       const struct replay_settings *settings, const char *command, struct base_error *error)
{
    struct network *network = calloc(1, sizeof *network);

    if (network == NULL)
        return base_error_memory(error, "the traffic");
    network->next = sweep->first;
    network->loads = &sweep->loads;
    network->settings = *settings;
    network->settings.text[REPLAY_ROUTING] = routing;
    sweep->first = network;
    network->report.command = base_arena_text(&network->arena, command);
    if (network->report.command == NULL)
        return base_error_memory(error, "the command line");
    network->topology = replay_topology_new(topology, settings, error);
    return network->topology == NULL ? -1 : 0;
}

struct replay_sweep *replay_sweep_new(const struct replay_settings *settings,
                                      const struct replay_sweep_values *topologies,
                                      const struct replay_sweep_values *routings, const char *command,
                                      struct base_error *error)
{
    struct replay_sweep *sweep = calloc(1, sizeof *sweep);
    int status = 0;

    if (sweep == NULL) {
        base_error_memory(error, "the traffic");
        return NULL;
    }
    for (uint32_t i = topologies->count; i > 0; i--)
        for (uint32_t k = routings->count; status == 0 && k > 0; k--)
            status = add_network(sweep, topologies->value[i - 1], routings->value[k - 1], settings, command,
                                 error);
    if (status == 0 && prepare_all(sweep, error) == 0)
        return sweep;
    replay_sweep_free(sweep);
    return NULL;
}
