/* One replay from a trace to a report.
 *
 *      settings ──► routing, tuning of collective algorithms
 *      trace ─────► communication graph ──► placement ──► static cost
 *      placement ─► replay on ideal:N ─────► ideal time, and what each rank waits for without any network
 *             ├───► replay on the topology ► simulated time, statistics of the network
 *             └───► replays on simpler ones ► what each effect of the network adds (attribution.c)
 *      all of it ─► struct report_run (report.c)
 *
 * Both replays read the trace through streams of their own. Nothing is kept between two sessions, and nothing
 * here depends on the order in which sessions run. */
#include <stdio.h>
#include <string.h>

#include "netmodel/choices.h"
#include "netmodel/faults/failing.h"
#include "replay/machines/physical.h"
#include "replay/host.h"
#include "replay/session/costs.h"
#include "replay/session/clocks.h"
#include "replay/session/kinds.h"
#include "replay/session/meter.h"
#include "replay/session/part.h"
#include "replay/session/partition.h"
#include "replay/session/stages.h"
#include "traces/hash.h"

/* One place where settings become options of reading, for every subcommand that takes a trace. */
struct trace_program *replay_session_open(const char *path, const struct replay_settings *settings,
                                          struct trace_defects *defects, struct base_error *error)
{
    const struct trace_options options = {
        .clock = (enum trace_clock)settings->number[REPLAY_CLOCK],
        .compute_threshold_ns = settings->number[REPLAY_COMPUTE_THRESHOLD],
        .keep_polling = settings->number[REPLAY_POLLING] != 0,
        .defects = defects,
    };

    return session_open_part(trace_open(path, &options, error), settings, error);
}

/* 0 stands for "what the routing or the engine takes by default" on both sides. Likewise for names: one that
 * was not given, or that is unknown and about to be refused by session_check_flow, stands for the default. */
struct net_options session_network_options(const struct replay_settings *settings)
{
    struct net_options options = {
        .packet_flits = (uint32_t)settings->number[REPLAY_PACKET_FLITS],
        .virtual_channels = (uint32_t)settings->number[REPLAY_VCS],
        .buffer_flits = (uint32_t)settings->number[REPLAY_BUFFER_FLITS],
        .injectors = (uint32_t)settings->number[REPLAY_INJECTORS],
        .consumers = (uint32_t)settings->number[REPLAY_CONSUMERS],
        .seed = settings->number[REPLAY_SEED],
        .link_cycles = (uint32_t)settings->number[REPLAY_LINK_CYCLES],
        .router_cycles = (uint32_t)settings->number[REPLAY_ROUTER_CYCLES],
        .credit_cycles = (uint32_t)settings->number[REPLAY_CREDIT_CYCLES],
        .early_free = settings->number[REPLAY_EARLY_FREE] != 0,
    };
    if (settings->given[REPLAY_PACKET_FLITS] && options.packet_flits == 0)
        options.packet_flits = NET_WHOLE_MESSAGES;
    options.flow_control = (enum net_flow_control)net_choice_value(
        net_flow_controls, settings->text[REPLAY_FLOW_CONTROL], NET_CUT_THROUGH);
    options.arbiter =
        (enum net_arbiter)net_choice_value(net_arbiters, settings->text[REPLAY_ARBITER], NET_ROUND_ROBIN);
    options.selection =
        (enum net_selection)net_choice_value(net_selections, settings->text[REPLAY_SELECTION], NET_MOST_FREE);
    options.admission = (enum net_admission)net_choice_value(net_admissions, settings->text[REPLAY_ADMISSION],
                                                             NET_ADMIT_WORD);
    options.status_flags = (enum net_status_flags)net_choice_value(
        net_status_flags, settings->text[REPLAY_STATUS_FLAGS], NET_BOTH_FLAGS);
    options.spreading =
        (enum net_spreading)net_choice_value(net_spreadings, settings->text[REPLAY_MULTICAST], NET_MST_SAFE);
    options.multiplexed =
        net_choice_value(net_multiplexings, settings->text[REPLAY_MULTIPLEXING], false) != 0;
    return options;
}

bool session_has_faults(const struct replay_settings *settings)
{
    const char *text = settings->text[REPLAY_FAULTS];
    return text != NULL && strcmp(text, replay_option_absent(REPLAY_FAULTS)) != 0;
}

bool session_names_fault_routing(const struct replay_settings *settings)
{
    const char *text = settings->text[REPLAY_FAULT_ROUTING];
    return text != NULL && strcmp(text, replay_option_absent(REPLAY_FAULT_ROUTING)) != 0;
}

/* Tables of ways around dead links are made once, before the run. */
static int check_static(const struct net_faults *faults, const char *text, const struct net_routing *routing,
                        struct base_error *error)
{
    uint64_t last = faults->count > 0 ? faults->fault[faults->count - 1].cycle : 0;

    if (last == 0)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "--faults %s: a link dies in cycle %llu; routing '%s' goes around links that are "
                          "dead from cycle 0 on",
                          text, (unsigned long long)last, routing->text);
}

/* A routing that knows ways around links that are dead from the start. */
static int prepare_around(const struct net_faults *faults, const struct replay_settings *settings,
                          struct net_routing *routing, struct base_error *error)
{
    struct base_arena arena = {0};
    const bool *dead = net_faults_dead(faults, &arena);
    int status = dead == NULL
                     ? base_error_memory(error, "the faults")
                     : net_routing_init_around(routing, faults->topology, settings->text[REPLAY_ROUTING],
                                               (uint32_t)settings->number[REPLAY_VCS], dead, error);

    base_arena_free(&arena);
    if (status != 0)
        return -1;
    if (check_static(faults, settings->text[REPLAY_FAULTS], routing, error) != 0) {
        net_routing_free(routing);
        return -1;
    }
    routing->faults_drawn = faults->drawn;
    if (faults->input.path != NULL) {
        routing->faults = faults->input;
        routing->faults.path = base_arena_text(&routing->arena, faults->input.path);
    }
    return 0;
}

/* Whether the routing that is asked for, or is taken where none is, goes around dead links by itself: any that says so;
 * up-down where a network is no grid, so that no fault routing has a base. */
bool session_goes_around(const struct net_topology *topology, const struct replay_settings *settings)
{
    const char *name = settings->text[REPLAY_ROUTING];
    size_t count;
    size_t length = name == NULL ? 0 : strcspn(name, ",");
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);

    if (session_names_fault_routing(settings))
        return false;
    if (length == 0)
        return topology->grid == NULL;
    for (size_t i = 0; i < count; i++)
        if (strlen(kinds[i]->name) == length && strncmp(kinds[i]->name, name, length) == 0)
            return kinds[i]->detours;
    return false;
}

/* Links that fail, in a routing that goes around them, or in a base around whose packets a fault routing sees to it.
 * Where a fault routing is named and no link fails it is the network in health, with the channels and the base that it
 * has under faults: what these are compared with. */
static int prepare_faults(const struct net_topology *topology, const struct replay_settings *settings,
                          struct net_routing *routing, struct base_error *error)
{
    const char *name = session_names_fault_routing(settings) ? settings->text[REPLAY_FAULT_ROUTING] : NULL;
    const struct net_fault_routing *kind;
    struct net_faults faults;
    int status = -1;

    if (net_faults_init_seeded(
            &faults, topology, session_has_faults(settings) ? settings->text[REPLAY_FAULTS] : "0",
            settings->number[REPLAY_CLOCK_GHZ], settings->number[REPLAY_SEED], error) == 0) {
        if (session_goes_around(topology, settings))
            status = prepare_around(&faults, settings, routing, error);
        else if ((kind = net_fault_routing_find(topology, name, error)) != NULL)
            status = net_routing_init_failing(routing, topology, settings->text[REPLAY_ROUTING],
                                              (uint32_t)settings->number[REPLAY_VCS], &faults, kind, error);
    }
    net_faults_free(&faults);
    return status;
}

/* Prepares the routing. An ideal network has none ("none", as records say), and is refused any other. */
int session_prepare_routing(const struct net_topology *topology, const struct replay_settings *settings,
                            struct net_routing *routing, const struct net_routing **in_use,
                            struct base_error *error)
{
    const char *name = settings->text[REPLAY_ROUTING];
    bool has_faults = session_has_faults(settings) || session_names_fault_routing(settings);

    *in_use = NULL;
    if (net_topology_is_ideal(topology) && !has_faults && (name == NULL || strcmp(name, "none") == 0))
        return 0;
    *in_use = routing;
    if (has_faults)
        return prepare_faults(topology, settings, routing, error);
    return net_routing_init(routing, topology, name, (uint32_t)settings->number[REPLAY_VCS], error);
}

/* A link that waits for a packet that stalls would make its virtual channels wait, too. */
int session_check_flow(const struct replay_settings *settings, struct base_error *error)
{
    const char *multiplexing = settings->text[REPLAY_MULTIPLEXING];
    struct net_options options = session_network_options(settings);

    if (replay_check_kind("arbiters", settings->text[REPLAY_ARBITER], error) != 0 ||
        replay_check_kind("selections", settings->text[REPLAY_SELECTION], error) != 0 ||
        replay_check_kind("admissions", settings->text[REPLAY_ADMISSION], error) != 0 ||
        replay_check_kind("status-flags", settings->text[REPLAY_STATUS_FLAGS], error) != 0 ||
        (settings->text[REPLAY_MULTICAST] != NULL &&
         replay_check_kind("multicasts", settings->text[REPLAY_MULTICAST], error) != 0) ||
        replay_check_kind("flow-controls", settings->text[REPLAY_FLOW_CONTROL], error) != 0 ||
        (multiplexing != NULL && replay_check_kind("multiplexings", multiplexing, error) != 0))
        return -1;
    if (options.flow_control == NET_WORMHOLE && multiplexing != NULL && !options.multiplexed)
        return base_error_set(
            error, BASE_USAGE,
            "--multiplexing packet does not go with --flow-control wormhole: a packet that stalls "
            "would hold the link for all its virtual channels");
    return 0;
}

/* What a record has of the other unit is its default, which
 * says nothing and so may be given. */
int session_check_units(const struct net_topology *topology, const struct replay_settings *settings,
                        struct base_error *error)
{
    bool bits = topology->multistage != NULL;
    enum replay_option other = bits ? REPLAY_FLIT_BYTES : REPLAY_CONTROL_BITS;
    char text[BASE_UNITS_TEXT];
    if (replay_physical_check(topology, settings, error) != 0)
        return -1;
    if (!settings->given[other] || strcmp(replay_option_format(other, settings->number[other], text),
                                          replay_option_row(other)->fallback) == 0)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          bits ? "--flit-bytes does not apply to %s: it carries bits, not flits"
                               : "--control-bits is for multistage networks (omega, glo), not for %s",
                          topology->text);
}

/* A technology that cannot be read is refused before the run that it is to be asked about. */
static int check_technology(const struct replay_settings *settings, struct base_error *error)
{
    const char *text = settings->text[REPLAY_TECHNOLOGY];
    struct net_technology *technology = text == NULL ? NULL : replay_technology(text, error);

    if (text != NULL && technology == NULL)
        return -1;
    net_technology_free(technology);
    return 0;
}

/* Collectives in hardware are refused where no network of the kind multicasts, whatever the trace calls. Where only
 * these options or a placement are in the way, they are replayed as messages, and the report says why. */
static int check_hardware(const struct net_topology *topology, const struct net_routing *routing,
                          const struct replay_settings *settings, const struct net_options *options,
                          struct base_error *error)
{
    const char *rules = settings->text[REPLAY_COLLECTIVE];
    bool table = strcmp(settings->text[REPLAY_COLLECTIVES], "hardware") == 0;
    bool rule = rules != NULL && strstr(rules, "-hardware") != NULL;
    if ((!table && !rule) || net_multicasts_ever(topology, routing, options))
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "%s does not apply to %s: its routers do not multicast; --collectives mpich sends messages",
        table ? "--collectives hardware" : "--collective with an algorithm in hardware", topology->text);
}

int replay_session_check(const struct net_topology *topology, const struct replay_settings *settings,
                         struct base_error *error)
{
    bool is_exact;
    return replay_session_check_chance(topology, settings, &is_exact, error);
}

/* In the order in which sentences help: words that are no kinds first, then what does not go with this topology,
 * and last what only the network itself can know. */
int replay_session_check_chance(const struct net_topology *topology, const struct replay_settings *settings,
                                bool *is_exact, struct base_error *error)
{
    struct net_options options = session_network_options(settings);
    const struct net_routing *in_use;
    struct net_routing routing = {0};
    struct net_network *network;

    enum map_objective objective;

    if (strcmp(settings->text[REPLAY_ATTRIBUTION], "full") != 0 &&
        strcmp(settings->text[REPLAY_ATTRIBUTION], "none") != 0)
        return base_error_set(error, BASE_USAGE, "--attribution '%s': full or none",
                              settings->text[REPLAY_ATTRIBUTION]);
    /* Rules were read when they were given. */
    if (map_objective_find(settings->text[REPLAY_OBJECTIVE], &objective, error) != 0 ||
        replay_check_kind("mappings", settings->text[REPLAY_MAPPING], error) != 0 ||
        session_check_flow(settings, error) != 0 ||
        replay_check_kind("collectives", settings->text[REPLAY_COLLECTIVES], error) != 0 ||
        session_check_units(topology, settings, error) != 0 || check_technology(settings, error) != 0 ||
        session_prepare_routing(topology, settings, &routing, &in_use, error) != 0)
        return -1;
    /* Only the engine knows what its buffers must hold, so one is made and thrown away. */
    network = net_network_new(topology, in_use, &options, error);
    int status = network == NULL ? -1 : check_hardware(topology, in_use, settings, &options, error);
    net_network_free(network);
    *is_exact = status == 0 && session_is_exact(in_use, settings);
    net_routing_free(&routing);
    return status;
}

/* The replay knows how far it is, the session which of its two replays that is. */
static void pass_progress(void *context, uint32_t thousandths, uint64_t simulated_ns)
{
    const struct session *session = context;
    session->watch->progress(session->watch->context, session->watched, thousandths, simulated_ns);
}

/* The costs of --host and --progress, which the options have checked; all zeros where a replay is to do without. */
static struct replay_host host_of(const struct session *session)
{
    const char *text = session->settings->text[REPLAY_HOST];
    struct replay_host_numbers host = {{0}};
    const uint64_t *number = host.number;

    if (session->without_host)
        return (struct replay_host){0};
    if (text != NULL)
        replay_host_parse(&host, text, NULL);
    return (struct replay_host){.send_ps = number[REPLAY_HOST_SEND],
                                .send_byte_ps = number[REPLAY_HOST_SEND_BYTE],
                                .receive_ps = number[REPLAY_HOST_RECEIVE],
                                .receive_byte_ps = number[REPLAY_HOST_RECEIVE_BYTE],
                                .match_ps = number[REPLAY_HOST_MATCH],
                                .entry_ps = number[REPLAY_HOST_ENTRY],
                                .gap_ps = number[REPLAY_HOST_GAP],
                                .nics = (uint32_t)number[REPLAY_HOST_NICS],
                                .round_robin = number[REPLAY_HOST_CHOICE] != 0,
                                .memory_ps = number[REPLAY_HOST_MEMORY],
                                .memory_bytes_per_s = number[REPLAY_HOST_BANDWIDTH],
                                .copies = (uint32_t)number[REPLAY_HOST_COPIES],
                                .in_calls = session->settings->number[REPLAY_PROGRESS] != 0};
}

/* All replays run under the same options: they differ in the network only. An ideal network has no clock of
 * its own: its cycle is the nanosecond, so that no rounding comes between two computations. Options are in
 * the units of their row: CLOCK_GHZ in kHz and COMPUTE in millionths, both as decimals of six places. */
void session_semantics(struct session *session, bool ideal, const char *watched,
                       struct replay_semantics *semantics)
{
    const struct replay_settings *settings = session->settings;
    const struct net_options configured = session_network_options(settings);

    *semantics = (struct replay_semantics){
        .clock_khz = ideal ? UINT64_C(1000000) : settings->number[REPLAY_CLOCK_GHZ],
        .flit_bytes = (uint32_t)settings->number[REPLAY_FLIT_BYTES],
        .control_bits =
            session->topology->multistage != NULL ? (uint32_t)settings->number[REPLAY_CONTROL_BITS] : 0,
        .eager_limit_bytes = settings->number[REPLAY_EAGER_LIMIT],
        .compute_zero = settings->number[REPLAY_COMPUTE] == 0,
        .compute_scale_ppm = settings->number[REPLAY_COMPUTE],
        .collectives = session->tuning,
        .ranks_per_terminal = (uint32_t)settings->number[REPLAY_RANKS_PER_TERMINAL],
        .host = host_of(session),
        .topology = session->topology,
        .multicasts = net_multicasts_of(session->topology, session->routing_in_use, &configured, NULL),
    };
    session->watched = watched;
    if (session->watch != NULL && session->watch->progress != NULL) {
        semantics->progress = pass_progress;
        semantics->progress_context = session;
    }
    if (session->watch != NULL)
        semantics->stop = session->watch->stop;
}

/* What is under way behind the last rank's end is carried too. */
void session_record_end(const struct replay_settings *settings, struct replay_recorder *recorder,
                        const struct net_network *network, uint64_t simulated_ns)
{
    uint64_t cycle = net_network_now(network);
    uint64_t ns = base_ns_from_cycles(cycle, settings->number[REPLAY_CLOCK_GHZ]);
    const struct net_statistics *statistics = net_network_statistics(network);
    const struct replay_recorder_sample sample = {
        ns > simulated_ns ? ns : simulated_ns, cycle, replay_channel_flits(statistics),
        replay_recorder_joules(recorder, statistics, simulated_ns), statistics->faults};

    replay_recorder_sample(recorder, &sample);
}

/* The configured network alone is recorded and has its critical path found: replays that only judge or
 * attribute are nobody's timeline. */
int session_replay(struct session *session, struct net_network *network, bool ideal, const char *watched,
                   struct replay_result *result, struct base_error *error)
{
    struct replay_semantics semantics;
    struct session_meter meter;
    int status;

    session_semantics(session, ideal, watched, &semantics);
    semantics.path = network == session->network && session_attributes(session);
    if (session->watch != NULL && network == session->network)
        semantics.recorder = session->watch->recorder;
    if (session->laps != NULL && session->laps->played > 0) {
        semantics.iterate = session_laps_take;
        semantics.iterate_context = session->laps;
    }
    status = session_meter_begin(&meter, semantics.recorder, session->routing_in_use, session->settings,
                                 net_network_options(network), error);
    if (status == 0)
        status =
            replay_run(session->program, session->placement->terminal, network, &semantics, result, error);
    if (status == 0 && semantics.recorder != NULL)
        session_record_end(session->settings, semantics.recorder, network, result->simulated_ns);
    session_meter_end(&meter);
    return status == 0 ? 0 : -1;
}

/* The same program and placement where messages take no time in the network, and with_host or not beside it. It has
 * the terminals of the real topology, since the placement names them, and none of its shape. */
static int replay_ideal(struct session *session, bool with_host, struct replay_result *result,
                        struct base_error *error)
{
    struct net_options options = session_network_options(session->settings);
    struct net_topology *topology;
    struct net_network *network = NULL;
    char text[32];
    int status = -1;

    options.admission = NET_ADMIT_WORD;
    options.selection = NET_MOST_FREE; /* what shared channels have, and are asked for, it is not to refuse */
    options.status_flags = NET_BOTH_FLAGS;
    options.spreading = NET_MST_SAFE;
    options.early_free = false;
    if (options.packet_flits > NET_PACKET_FLITS_MAX) /* bits: it takes all messages whole */
        options.packet_flits = 0;

    snprintf(text, sizeof text, "ideal:%u", session->topology->terminals);
    topology = net_topology_new(text, error);
    if (topology != NULL)
        network = net_network_new(topology, NULL, &options, error);
    session->without_host = !with_host;
    if (network != NULL)
        status = session_replay(session, network, true,
                                with_host ? "attribution: host" : REPLAY_ON_IDEAL_NETWORK, result, error);
    session->without_host = false;
    net_network_free(network);
    net_topology_free(topology);
    return status;
}

int session_replay_ideal(struct session *session, struct base_error *error)
{
    int status = session_laps_init(&session->ideal_laps, session->program, error);

    session->laps = &session->ideal_laps;
    if (status == 0)
        status = replay_ideal(session, false, &session->ideal, error);
    session->laps = NULL;
    return status;
}

int session_replay_host(struct session *session, struct replay_result *result, struct base_error *error)
{
    return replay_ideal(session, true, result, error);
}

/* The network outlives the replay: its statistics are part of the report. */
int session_replay_real(struct session *session, struct base_error *error)
{
    struct net_options options = session_network_options(session->settings);

    /* The placements that a mapper judges are replayed on one thread each: there it is the mapper that may
     * have several. */
    options.threads = (uint32_t)session->settings->number[REPLAY_THREADS];
    options.waits = true; /* the report has them, and so has the critical path */
    session->network = net_network_new(session->topology, session->routing_in_use, &options, error);
    if (session->network == NULL || session_laps_init(&session->real_laps, session->program, error) != 0)
        return -1;
    session->laps = &session->real_laps;
    int status = session_replay(session, session->network, net_topology_is_ideal(session->topology),
                                session->name != NULL ? session->name : session->topology->text,
                                &session->real, error);
    session->laps = NULL;
    return status;
}

/* A network of its own for each map that is judged: nothing of one replay is left for the next. The copy
 * borrows every part of the session but the placement, and keeps what progress writes out of the original.
 * The result is freed here: a judge answers with a time and nothing else. */
int session_judge(void *context, const uint32_t *terminal, uint64_t *time_ns, struct base_error *error)
{
    const struct session *session = context;
    struct map_placement placement = {.ranks = trace_program_ranks(session->program), .terminal = terminal};
    struct session judged = *session;
    struct replay_watch watch = {0};
    struct net_options options = session_network_options(session->settings);
    struct net_network *network =
        net_network_new(session->topology, session->routing_in_use, &options, error);
    struct replay_result result = {0};
    int status;

    if (network == NULL)
        return -1;
    judged.placement = &placement;
    if (session->watch != NULL) {
        watch = *session->watch;
        watch.stop = NULL; /* half a replay judges nothing: the search stops behind it */
        judged.watch = &watch;
    }
    status = session_replay(&judged, network, net_topology_is_ideal(session->topology),
                            session->topology->text, &result, error);
    *time_ns = result.simulated_ns;
    replay_result_free(&result);
    net_network_free(network);
    return status;
}

/* Once: several placements may be tried on it. Ranks that share terminals need fewer of them, rounded up.
 * --confined changes the session's own routing in place, before any placement is judged by it. */
static int allocate(struct session *session, uint32_t ranks, struct base_error *error)
{
    uint32_t share = (uint32_t)session->settings->number[REPLAY_RANKS_PER_TERMINAL];

    if (session->partition != NULL)
        return 0;
    return replay_partition_new(session->settings, session->partition_text, session->busy, session->topology,
                                share > 1 ? (ranks + share - 1) / share : ranks,
                                session->routing_in_use == NULL ? NULL : &session->routing,
                                &session->partition, &session->partition_metrics, error);
}

/* Without a program nobody can simulate, and mappings that need the simulator are refused by the mapper's own
 * sentence. */
int session_place(struct session *session, const char *mapping, const struct trace_comm_graph *graph,
                  struct base_error *error)
{
    const struct replay_settings *settings = session->settings;
    const struct map_judge judge = {session_judge, session};
    struct map_request request = {
        .ranks = graph->ranks,
        .graph = graph,
        .effort = {.seed = settings->number[REPLAY_SEED],
                   .evaluations = settings->number[REPLAY_EVALUATIONS],
                   .time_ms = settings->number[REPLAY_TIME_BUDGET_MS],
                   .threads = (uint32_t)settings->number[REPLAY_THREADS],
                   .stop = session->watch == NULL ? NULL : session->watch->stop},
        .judge = session->program == NULL ? NULL : &judge,
    };

    if (map_objective_find(settings->text[REPLAY_OBJECTIVE], &request.objective, error) != 0 ||
        allocate(session, graph->ranks, error) != 0)
        return -1;
    request.place = session_place_of(session);
    session->placement = map_placement_new(mapping, &request, error);
    return session->placement == NULL ? -1 : 0;
}

struct map_place session_place_of(const struct session *session)
{
    return (struct map_place){.topology = session->topology,
                              .routing = session->routing_in_use,
                              .terminals = session->partition == NULL ? NULL : session->partition->terminal,
                              .terminal_count = session->partition == NULL ? 0 : session->partition->count,
                              .ranks_per_terminal =
                                  (uint32_t)session->settings->number[REPLAY_RANKS_PER_TERMINAL]};
}

/* Whether the watch has asked the session to end. */
bool session_is_stopped(const struct session *session)
{
    return session->watch != NULL && session->watch->stop != NULL && atomic_load(session->watch->stop);
}

/* Before the network's own replay there is nothing to report. The placement of a search that was stopped
 * would be another one than that of the same command left alone: it is not replayed. */
int session_check_going(const struct session *session, struct base_error *error)
{
    if (!session_is_stopped(session))
        return 0;
    return base_error_set(error, BASE_INTERRUPTED, "interrupted before there was a result");
}

/* The trace's hash is taken now, so that it is that of what is replayed and not of what was there afterwards.
 * The graph is made for every mapping, also for those that need none: the report states its cost. */
int session_place_program(struct session *session, const char *mapping, struct base_error *error)
{
    uint32_t ranks = trace_program_ranks(session->program);

    if (replay_session_fits(trace_program_path(session->program), ranks, session->settings, session->topology,
                            error) != 0 ||
        trace_program_hash(session->program, error) == NULL)
        return -1;
    session->graph = trace_comm_graph_new(session->program, session->tuning, error);
    if (session->graph == NULL)
        return -1;
    if (session_place(session, mapping, session->graph, error) != 0)
        return -1;
    if (session->routing_in_use == NULL)
        return 0; /* no links, no cost */
    return map_placement_cost(session->placement, session->graph, session->routing_in_use, &session->cost,
                              error);
}

/* In the order of costs: rules of collectives are a table, the routing may search the whole network. */
int session_prepare(struct session *session, struct base_error *error)
{
    session->tuning = replay_tuning(session->settings, error);
    if (session->tuning == NULL)
        return -1;
    return session_prepare_routing(session->topology, session->settings, &session->routing,
                                   &session->routing_in_use, error);
}

/* Every part may be missing: this is the end of a failed session too. */
void session_free(struct session *session)
{
    session_laps_free(&session->ideal_laps);
    session_laps_free(&session->real_laps);
    replay_result_free(&session->ideal);
    replay_result_free(&session->real);
    for (unsigned rung = 1; rung < REPORT_EFFECTS; rung++)
        replay_result_free(&session->rungs[rung - 1]);
    net_network_free(session->network);
    map_partition_free(session->partition);
    map_placement_free(session->placement);
    trace_comm_graph_free(session->graph);
    trace_tuning_free(session->tuning);
    net_routing_free(&session->routing);
}

/* Placement before replay: it is cheap, and the only step that a wrong file can still stop. The trace is open
 * already, so that its survey is in none of the times that the stopwatch takes. The session lives on the
 * stack and ends here, whether there is a report or not. */
struct report_run *replay_session_run(struct trace_program *program, const struct net_topology *topology,
                                      const struct replay_settings *settings,
                                      const struct replay_watch *watch, struct base_error *error)
{
    struct session session = {.program = program,
                              .topology = topology,
                              .settings = settings,
                              .watch = watch,
                              .partition_text = settings->text[REPLAY_PARTITION]};
    struct report_run *run = NULL;

    replay_stopwatch_start(&session.stopwatch);
    if (session_prepare(&session, error) == 0 &&
        session_place_program(&session, settings->text[REPLAY_MAPPING], error) == 0 &&
        session_check_going(&session, error) == 0 && session_replay_ideal(&session, error) == 0 &&
        session_check_going(&session, error) == 0 && session_replay_real(&session, error) == 0 &&
        session_attribute(&session, error) == 0 && session_what_if(&session, error) == 0)
        run = session_report(&session, error);
    if (run != NULL && run->interrupted == NULL && (watch == NULL || !watch->of_many) &&
        replay_clocks(program, settings, &run->clocks, error) != 0) {
        report_run_free(run);
        run = NULL;
    }
    session_free(&session);
    return run;
}
