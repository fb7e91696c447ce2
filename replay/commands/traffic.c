/* flitreplay traffic --topology T --load L,…: synthetic traffic on a network, or on several.
 *
 *      flitreplay traffic --topology torus:8x8 --load 0.1,0.3                two points
 *      flitreplay traffic --topology torus:8x8 --load 0.05:0.6:0.05 --svg s.svg
 *      flitreplay traffic --topology torus:8x8 --saturation                  where does it end?
 *      flitreplay traffic --topology darm:4x4x4 --topology manhattan:8x8 --load 0.1:1:0.1 --svg s.svg
 *      flitreplay traffic --topology torus:8x8 --pattern tornado --load 0.2 --seeds 5 -j 2
 *
 * What can be refused is refused before anything runs: kinds, loads, and by a network that is made and thrown
 * away, sizes of buffers.
 *
 *      new_works        a piece of work for each --topology, with its options
 *      prepare_all      loads, pattern, arrivals and lengths read; network and routing tried; options recorded
 *      simulate_all     points of load and seed, in processes of their own with -j (replay/traffic/)
 *      conclude         points of equal load become one with its interval; saturation
 *      run_and_write    the outputs were opened before the first point, and are written after the last */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "netmodel/choices.h"
#include "replay/commands/command.h"
#include "replay/machines/physical.h"
#include "replay/session/costs.h"
#include "replay/session/inputs.h"
#include "replay/session/kinds.h"
#include "replay/commands/progress.h"
#include "replay/session/record.h"
#include "replay/session/stages.h"
#include "replay/traffic/traffic.h"

#define WIDTH 100
#define LOADS_MAX 1000
#define DECIMALS 6

struct work {          /* on one network; replay.h's settings made into what simulations take */
    struct work *next; /* on the next network of the invocation, or NULL */
    const struct replay_settings *settings;
    struct replay_signals *signals;      /* borrowed */
    struct net_topology *topology;       /* owned */
    struct net_routing routing;          /* of all seeds, unless each has its own */
    struct net_routing *routing_of_seed; /* [routed]: where the faults of each seed are others; else NULL */
    uint32_t routed;
    struct replay_traffic traffic; /* what all points have in common */
    uint64_t loads[LOADS_MAX];     /* in millionths */
    size_t load_count;
    struct replay_record record;                  /* of the settings, as answers tell them */
    struct report_option options[REPLAY_OPTIONS]; /* in force */
    struct replay_costing costing;                /* with --technology */
    struct base_arena arena;
    struct report_traffic report; /* borrows the rest */
};

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_text(content, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_json(content, stream, error);
}

static int write_csv(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_csv(content, stream, error);
}

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_html(content, stream, error);
}

static int write_svg(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_svg(content, stream, error);
}

/* One sentence for every way to write loads wrongly. */
static int refuse_load(const char *text, struct base_error *error)
{
    return base_error_set(
        error, BASE_USAGE,
        "--load %s: needs loads from 0.000001 to 1000, in flits per cycle and terminal, as L1,L2,... "
        "or FIRST:LAST:STEP, at most %d of them",
        text, LOADS_MAX);
}

/* 1000 flits a cycle are more than any terminal has injectors for. Millionths are whole numbers, so that
 * 0.1:0.5:0.1 has five points: no sum of binary fractions passes the end or misses it. */
static int parse_load(const char *text, uint64_t *load)
{
    return base_parse_decimal(text, DECIMALS, load) == 0 && *load >= 1 && *load <= 1000 * NET_LOAD_ONE ? 0
                                                                                                       : -1;
}

/* FIRST:LAST:STEP, both ends included; the copy is cut in place. LAST is a point only where whole steps lead
 * to it. The number of points is checked before the first is stored; a step is at least a millionth, so the
 * division is safe. */
static int parse_range(struct work *work, char *copy)
{
    char *last = strchr(copy, ':'), *step = last != NULL ? strchr(last + 1, ':') : NULL;
    uint64_t from, to, by;

    if (last == NULL || step == NULL)
        return -1;
    *last = *step = '\0';
    if (parse_load(copy, &from) != 0 || parse_load(last + 1, &to) != 0 || parse_load(step + 1, &by) != 0 ||
        from > to || (to - from) / by >= LOADS_MAX)
        return -1;
    for (; from <= to; from += by)
        work->loads[work->load_count++] = from;
    return 0;
}

/* For qsort. */
static int compare_loads(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Rising, as the report has them. The same load twice is a slip. Sorted, so that the answer does not depend on how
 * it was typed. */
static int parse_list(struct work *work, char *copy)
{
    char *next = copy;

    while (next != NULL) {
        char *comma = strchr(next, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (work->load_count == LOADS_MAX || parse_load(next, &work->loads[work->load_count++]) != 0)
            return -1;
        next = comma;
    }
    qsort(work->loads, work->load_count, sizeof *work->loads, compare_loads);
    for (size_t i = 1; i < work->load_count; i++)
        if (work->loads[i] == work->loads[i - 1])
            return -1;
    return 0;
}

/* A search needs no loads, and measures those that are given as well. The text is cut up in a copy: the one
 * of the settings is the user's, and is quoted when it is refused. A colon makes it a range. */
static int parse_loads(struct work *work, struct base_error *error)
{
    const char *text = work->settings->text[REPLAY_LOAD];
    char *copy;

    if (text == NULL && work->settings->given[REPLAY_SATURATION])
        return 0;
    if (text == NULL)
        return base_error_set(
            error, BASE_USAGE,
            "needs loads: --load 0.1,0.2 or --load 0.1:0.5:0.1, for example, or --saturation");
    copy = base_arena_text(&work->arena, text);
    if (copy == NULL)
        return base_error_memory(error, "the loads");
    if ((strchr(text, ':') != NULL ? parse_range(work, copy) : parse_list(work, copy)) != 0)
        return refuse_load(text, error);
    return 0;
}

/* Whether the network will take broadcasts is its own matter; it is asked with one that is never sent. The
 * counts of messages before each injector hold for one injector only, since terminals pass messages on. */
static int check_broadcasts(const struct work *work, struct net_network *network, struct base_error *error)
{
    const struct net_multicast broadcast = {.source = 0, .flits = 1};

    if (work->traffic.broadcasts == 0)
        return 0;
    if (work->settings->number[REPLAY_INJECTORS] > 1)
        return base_error_set(error, BASE_USAGE, "--broadcasts are sent by one injector a terminal");
    return net_network_multicast(network, 0, &broadcast, error);
}

/* On an ideal network, which has no routing, nothing takes energy. Once a network: costs do not depend on the
 * load. */
static int prepare_energy(struct work *work, struct base_error *error)
{
    struct replay_traffic *traffic = &work->traffic;

    if (work->settings->text[REPLAY_TECHNOLOGY] == NULL || traffic->routing == NULL)
        return 0;
    traffic->request = &work->costing.request;
    traffic->costs = &work->costing.costs;
    if (replay_costing_init(&work->costing, traffic->routing, work->settings, &work->record.network, error) !=
        0)
        return -1;
    work->report.costs =
        replay_costing_report(&work->costing, traffic->routing, &work->record.network, &work->arena);
    return work->report.costs != NULL &&
                   replay_technology_used(&work->report.inputs, &work->arena, work->costing.technology) == 0
               ? 0
               : base_error_memory(error, "the report");
}

/* Which links fail follows from the seed unless --faults names one: then every seed has a routing of its own. A set
 * that cannot be gone around is refused here, with its seed, before anything runs. Routings are kept for all
 * seeds, since runs of different seeds go on side by side. */
static int prepare_seeds(struct work *work, struct base_error *error)
{
    struct replay_traffic *traffic = &work->traffic;
    struct replay_settings settings = *work->settings;
    const struct net_routing *in_use;
    struct net_network *network;

    if (traffic->routing == NULL || !traffic->routing->faults_drawn || traffic->seeds < 2)
        return 0;
    work->routing_of_seed = base_arena_array(&work->arena, traffic->seeds, sizeof *work->routing_of_seed);
    if (work->routing_of_seed == NULL)
        return base_error_memory(error, "the faults of all seeds");
    for (; work->routed < traffic->seeds; work->routed++) {
        settings.number[REPLAY_SEED] = traffic->seed + work->routed;
        if (session_prepare_routing(work->topology, &settings, &work->routing_of_seed[work->routed], &in_use,
                                    error) != 0)
            return base_error_append(error, " (seed %" PRIu64 ")", settings.number[REPLAY_SEED]), -1;
        network = net_network_new(work->topology, in_use, &traffic->network, error);
        if (network == NULL) {
            net_routing_free(&work->routing_of_seed[work->routed]);
            return base_error_append(error, " (seed %" PRIu64 ")", settings.number[REPLAY_SEED]), -1;
        }
        net_network_free(network);
    }
    traffic->routing_of_seed = work->routing_of_seed;
    return 0;
}

/* Pattern and network are made once for their refusals, and thrown away: every run makes its own. Only the
 * routing is kept: it is read and never written by a run, so all threads share it. What a run would be refused for
 * is found out here, before any run. */
static int prepare_network(struct work *work, struct base_error *error)
{
    const struct replay_settings *settings = work->settings;
    struct replay_traffic *traffic = &work->traffic;
    struct net_network *network;
    struct net_pattern pattern;

    if (session_check_flow(settings, error) != 0 || session_check_units(work->topology, settings, error) != 0)
        return -1;
    if (session_prepare_routing(work->topology, settings, &work->routing, &traffic->routing, error) != 0)
        return -1;
    traffic->network = session_network_options(settings);
    if (replay_check_kind("sources", settings->text[REPLAY_SOURCES], error) != 0)
        return -1;
    traffic->network.lossy = net_choice_value(net_sources, settings->text[REPLAY_SOURCES], false) != 0;
    network = net_network_new(work->topology, traffic->routing, &traffic->network, error);
    if (network == NULL || check_broadcasts(work, network, error) != 0) {
        net_network_free(network);
        return -1;
    }
    work->record = replay_record_of(settings, work->topology, traffic->routing, network);
    net_network_free(network);
    if (prepare_seeds(work, error) != 0 || prepare_energy(work, error) != 0)
        return -1;
    if (net_pattern_init(&pattern, work->topology, traffic->pattern, traffic->seed, error) != 0)
        return -1;
    net_pattern_free(&pattern);
    return 0;
}

/* Settings become what simulations take. The refusals that cost nothing come first; the network, which may be
 * large, comes last, but for lengths, which may be those of its packets.  */
static int prepare(struct work *work, struct base_error *error)
{
    const struct replay_settings *settings = work->settings;
    struct replay_traffic *traffic = &work->traffic;

    *traffic = (struct replay_traffic){
        .topology = work->topology,
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
    if (parse_loads(work, error) != 0 ||
        net_arrivals_parse(&traffic->arrivals, settings->text[REPLAY_ARRIVALS], error) != 0 ||
        prepare_network(work, error) != 0)
        return -1;
    return net_lengths_parse(&traffic->lengths, settings->text[REPLAY_LENGTHS],
                             work->record.network.packet_flits, error);
}

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
static int record_options(struct work *work, struct base_error *error)
{
    struct report_traffic *report = &work->report;

    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        char text[BASE_UNITS_TEXT];
        bool detected = option == REPLAY_WARMUP && work->traffic.detect;
        const char *value;
        if (!is_recorded(option))
            continue;
        value = detected ? replay_option_absent(option) : replay_record_value(&work->record, option, text);
        if (value == NULL)
            continue;
        value = base_arena_text(&work->arena, value);
        if (value == NULL)
            return base_error_memory(error, "the report");
        work->options[report->option_count++] = (struct report_option){
            replay_option_row(option)->name, value, detected ? REPORT_TEXT : replay_record_kind(option)};
    }
    report->options = work->options;
    report->link_use = replay_record_link_use(&work->record);
    if (replay_physical_of(work->topology, work->record.settings, &work->arena, &report->physical, error) !=
        0)
        return -1;
    return replay_inputs_used(&report->inputs, &work->arena, work->topology, &work->routing, NULL, NULL) == 0
               ? 0
               : base_error_memory(error, "the report");
}

/* The head of the report; points come later. Points have room for the loads asked for and for the longest
 * search. Bytes a flit times the clock in kHz are thousands of bytes a second, hence 1e6 for GB/s. Ports are named
 * by classes of links where a network has them. */
static int describe(struct work *work, struct base_error *error)
{
    const struct replay_settings *settings = work->settings;
    struct report_traffic *report = &work->report;
    const struct net_topology *topology = work->topology;

    report->topology = topology->text;
    report->routing = work->traffic.routing == NULL ? "none" : work->routing.text;
    report->pattern = settings->text[REPLAY_PATTERN];
    report->arrivals = settings->text[REPLAY_ARRIVALS];
    report->lengths = settings->text[REPLAY_LENGTHS];
    report->warmup_detected = work->traffic.detect;
    report->settles = work->traffic.settle;
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
        base_arena_array(&work->arena, work->load_count + REPLAY_SEARCH_MAX, sizeof *report->points);
    if (report->points == NULL)
        return base_error_memory(error, "the points");
    return record_options(work, error);
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
static uint64_t most_load(const struct work *work)
{
    const struct replay_traffic *traffic = &work->traffic;
    double messages = net_lengths_mean(&traffic->lengths);
    uint64_t injectors = work->settings->number[REPLAY_INJECTORS];

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
static int simulate(struct work *work, struct base_error *error)
{
    struct report_traffic *report = &work->report;
    struct report_traffic_point *found = report->points + work->load_count;
    uint32_t count = 0;

    if (replay_traffic_points(&work->traffic, work->loads, work->load_count, report->points, error) != 0)
        return -1;
    report->point_count = (uint32_t)work->load_count;
    if (work->settings->given[REPLAY_SATURATION]) {
        if (replay_traffic_search(&work->traffic, most_load(work), found, &count, error) != 0)
            return -1;
        if (!atomic_load(work->traffic.stop))
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
    struct replay_progress *progress = context;
    progress->watch.progress(progress->watch.context, "runs", (uint32_t)(done * 1000 / total), 0);
}

/* On a terminal only, as every bar. */
static int simulate_with_progress(struct work *work, struct base_error *error)
{
    struct replay_progress progress;
    int status;

    replay_progress_start(&progress, work->signals, work->settings->given[REPLAY_QUIET]);
    work->traffic.progress = tell;
    work->traffic.context = &progress;
    work->traffic.stop = progress.watch.stop;
    status = simulate(work, error);
    work->report.interrupted = atomic_load(progress.watch.stop);
    replay_progress_end(&progress);
    return status;
}

/* Every network is looked at before the first one runs. Loads are one number for all of them. Reports are linked
 * in the order of the networks, which is that of the answer. */
static int prepare_all(struct work *first, struct base_error *error)
{
    for (struct work *work = first; work != NULL; work = work->next) {
        if (prepare(work, error) != 0 || describe(work, error) != 0)
            return -1;
        if (work->report.in_bits != first->report.in_bits)
            return base_error_set(error, BASE_USAGE,
                                  "%s counts bits where %s counts flits, and a --load cannot be both",
                                  work->report.in_bits ? work->topology->text : first->topology->text,
                                  work->report.in_bits ? first->topology->text : work->topology->text);
        if (work->next != NULL)
            work->report.next = &work->next->report;
    }
    return 0;
}

/* One network after the other. Those that an interrupt left without a point are not reported. An interrupt ends
 * the list at the last network that has points. */
static int simulate_all(struct work *first, struct base_error *error)
{
    struct work *last = NULL;

    for (struct work *work = first; work != NULL; last = work, work = work->next) {
        if (simulate_with_progress(work, error) == 0 && !work->report.interrupted)
            continue;
        if (work->report.point_count > 0 && work->report.interrupted) {
            work->report.next = NULL;
            return 0;
        }
        if (last == NULL || !work->report.interrupted)
            return -1;
        last->report.interrupted = true;
        last->report.next = NULL;
        return 0;
    }
    return 0;
}

/* In any of its networks. */
static bool was_interrupted(const struct work *first)
{
    for (const struct work *work = first; work != NULL; work = work->next)
        if (work->report.interrupted)
            return true;
    return false;
}

/* Refusals first, then the outputs, then the work: nothing is computed that could not be written. What was
 * measured before an interrupt is written; the status says that it is a part. */
static int run_and_write(struct work *work, struct base_error *error)
{
    const struct replay_settings *settings = work->settings;
    struct replay_files files = {0};
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    size_t csv = replay_files_add(&files, settings->text[REPLAY_CSV]);
    size_t svg = replay_files_add(&files, settings->text[REPLAY_SVG]);
    size_t html = replay_files_add(&files, settings->text[REPLAY_HTML]);
    int status = -1;

    if (prepare_all(work, error) != 0 || replay_files_open(&files, NULL, error) != 0)
        return -1;
    if (simulate_all(work, error) == 0 &&
        replay_files_write(&files, json, write_json, &work->report, error) == 0 &&
        replay_files_write(&files, csv, write_csv, &work->report, error) == 0 &&
        replay_files_write(&files, svg, write_svg, &work->report, error) == 0 &&
        replay_files_write(&files, html, write_html, &work->report, error) == 0)
        status = replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, &work->report, error);
    replay_files_discard(&files);
    if (status == 0 && was_interrupted(work)) {
        replay_progress_interrupted(error);
        status = -1;
    }
    return status;
}

/* Also those that were made halfway. */
static void free_works(struct work *first)
{
    while (first != NULL) {
        struct work *work = first;
        first = work->next;
        replay_costing_free(&work->costing);
        net_routing_free(&work->routing);
        for (uint32_t i = 0; i < work->routed; i++)
            net_routing_free(&work->routing_of_seed[i]);
        net_topology_free(work->topology);
        base_arena_free(&work->arena);
        free(work);
    }
}

/* What one network takes is too large for the stack: a thousand loads and the record of all options. NULL: what
 * the topology refuses, or memory. The arena holds its report and what that borrows. */
static struct work *new_work(const struct replay_arguments *arguments, const char *topology,
                             struct base_error *error)
{
    struct work *work = calloc(1, sizeof *work);

    if (work == NULL) {
        base_error_memory(error, "the traffic");
        return NULL;
    }
    work->settings = &arguments->settings;
    work->signals = arguments->signals;
    work->report.command = replay_arguments_text(arguments, &work->arena);
    if (work->report.command == NULL)
        base_error_memory(error, "the command line");
    else
        work->topology = replay_topology_new(topology, work->settings, error);
    if (work->topology != NULL)
        return work;
    free_works(work);
    return NULL;
}

/* The works of all networks, in the order given. NULL: as new_work. From the last to the first, so that the list
 * is in the given order. */
static struct work *new_works(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_values_row *topologies = &arguments->values.option[REPLAY_TOPOLOGY];
    struct work *first = NULL;

    /* A machine's. */
    if (topologies->count == 0)
        return new_work(arguments, arguments->settings.text[REPLAY_TOPOLOGY], error);

    for (uint32_t i = topologies->count; i > 0; i--) {
        struct work *work = new_work(arguments, topologies->value[i - 1], error);
        if (work == NULL) {
            free_works(first);
            return NULL;
        }
        work->next = first;
        first = work;
    }
    return first;
}

/* Options alone: there is no trace to name. */
int replay_command_traffic(const struct replay_arguments *arguments, struct base_error *error)
{
    uint32_t count = arguments->values.option[REPLAY_TOPOLOGY].count;

    if (arguments->operand_count > 0)
        return base_error_set(error, BASE_USAGE, "takes no operand, but there is '%s'",
                              arguments->operands[0]),
               BASE_USAGE;
    if (count == 0 && arguments->settings.text[REPLAY_TOPOLOGY] == NULL)
        return base_error_set(error, BASE_USAGE, "needs a network: --topology torus:8x8, for example"),
               BASE_USAGE;
    if (count > REPORT_TRAFFIC_NETWORKS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "takes at most %d networks, as many as a picture has colours, not %" PRIu32,
                              REPORT_TRAFFIC_NETWORKS_MAX, count),
               BASE_USAGE;
    struct work *works = new_works(arguments, error);
    int status = works == NULL ? -1 : run_and_write(works, error);
    free_works(works);
    return status == 0 ? BASE_OK : (int)error->status;
}
