/* Placing and replaying. A network is made for each replay, whatever it is for, by the one function of setups: a
 * level is a setup with fewer effects, or on another topology. */
#include "replay/session/stages.h"

#include <stdio.h>

#include "base/units.h"
#include "replay/session/internal.h"
#include "replay/session/meter.h"
#include "traces/hash.h"

/* Of rungs between the ends; the two ends are networks of their own. */
static const enum net_effects effects_of[] = {
    [REPLAY_IDEAL] = NET_ALL_EFFECTS,     [REPLAY_HOST_ALONE] = NET_ALL_EFFECTS,
    [REPLAY_DISTANCE] = NET_DISTANCE,     [REPLAY_SERIALISATION] = NET_SERIALISATION,
    [REPLAY_TERMINALS] = NET_TERMINALS,   [REPLAY_CHANNELS] = NET_CHANNELS,
    [REPLAY_CONFIGURED] = NET_ALL_EFFECTS};

/* What a progress bar says meanwhile; of the network as configured it is the topology. */
static const char *const names_of[] = {[REPLAY_IDEAL] = REPLAY_ON_IDEAL_NETWORK,
                                       [REPLAY_HOST_ALONE] = "attribution: host",
                                       [REPLAY_DISTANCE] = "attribution: distance",
                                       [REPLAY_SERIALISATION] = "attribution: serialisation",
                                       [REPLAY_TERMINALS] = "attribution: terminals",
                                       [REPLAY_CHANNELS] = "attribution: channels",
                                       [REPLAY_CONFIGURED] = NULL};

bool replay_is_stopped(const struct replay_watch *watch)
{
    return watch != NULL && watch->stop != NULL && atomic_load(watch->stop);
}

/* ---- placing ---- */

int replay_place_graph(struct replay_placement *placement, const struct replay_setup *machine,
                       struct trace_program *program, struct trace_comm_graph *graph, const char *mapping,
                       const struct replay_watch *watch, struct base_error *error)
{
    *placement = (struct replay_placement){.graph = graph};
    if (replay_setup_allocate(&placement->setup, machine, graph->ranks, error) != 0)
        return -1;
    placement->map = replay_map_graph(&placement->setup, placement->graph, program, mapping, watch, error);
    if (placement->map == NULL)
        return -1;
    if (placement->setup.routing == NULL)
        return 0; /* no links, no cost */
    return map_placement_cost(placement->map, placement->graph, placement->setup.routing, &placement->cost,
                              error);
}

/* The trace's hash is taken now, so that it is that of what is replayed and not of what was there afterwards.
 * The graph is made for every mapping, also for those that need none: the report states its cost. */
int replay_place(struct replay_placement *placement, const struct replay_setup *machine,
                 struct trace_program *program, const char *mapping, const struct replay_watch *watch,
                 struct base_error *error)
{
    struct trace_comm_graph *graph;

    *placement = (struct replay_placement){0};
    if (replay_session_fits(trace_program_path(program), trace_program_ranks(program), machine->settings,
                            machine->topology, error) != 0 ||
        trace_program_hash(program, error) == NULL)
        return -1;
    graph = trace_comm_graph_new(program, machine->tuning, error);
    return graph == NULL ? -1 : replay_place_graph(placement, machine, program, graph, mapping, watch, error);
}

void replay_placement_free(struct replay_placement *placement)
{
    map_placement_free(placement->map);
    trace_comm_graph_free(placement->graph);
    replay_setup_free(&placement->setup);
}

/* ---- replaying ---- */

/* The replay knows how far it is, the teller which replay that is. */
static void pass_progress(void *context, uint32_t thousandths, uint64_t simulated_ns)
{
    const struct session_teller *teller = context;
    teller->watch->progress(teller->watch->context, teller->what, thousandths, simulated_ns);
}

/* All replays run under the same options: they differ in the network only, and an ideal one does without the host. Its
 * cycle is the nanosecond, so that no rounding comes between two computations. Multicasts are those of the network
 * that the replay is about, whichever stands for it. */
struct replay_semantics session_semantics(const struct replay_setup *setup, enum replay_level level,
                                          struct session_teller *teller)
{
    struct replay_semantics semantics = setup->semantics;

    if (level == REPLAY_IDEAL)
        semantics.host = (struct replay_host){0};
    if (level == REPLAY_IDEAL || level == REPLAY_HOST_ALONE)
        semantics.clock_khz = REPLAY_IDEAL_KHZ;
    semantics.multicasts = net_multicasts_of(setup->topology, setup->routing, &setup->options, NULL);
    if (teller->watch != NULL && teller->watch->progress != NULL) {
        semantics.progress = pass_progress;
        semantics.progress_context = teller;
    }
    if (teller->watch != NULL) {
        semantics.stop = teller->watch->stop;
        semantics.look_cycles = teller->watch->look_cycles;
    }
    return semantics;
}

/* What is under way behind the last rank's end is carried too. */
int session_record_end(const struct replay_settings *settings, struct replay_recorder *recorder,
                       const struct net_network *network, uint64_t simulated_ns, struct base_error *error)
{
    uint64_t cycle = net_network_now(network);
    uint64_t ns = base_ns_from_cycles(cycle, settings->number[REPLAY_CLOCK_GHZ]);
    const struct net_statistics *statistics = net_network_statistics(network);
    const struct replay_recorder_sample sample = {
        ns > simulated_ns ? ns : simulated_ns, cycle, replay_channel_flits(statistics),
        replay_recorder_joules(recorder, statistics, simulated_ns), statistics->faults};

    replay_recorder_sample(recorder, &sample);
    if (replay_recorder_keep_stops(recorder, statistics->stops, settings->number[REPLAY_CLOCK_GHZ]) == 0)
        return 0;
    return base_error_memory(error, "the timeline");
}

/* An ideal network has the terminals of the real topology, since placements name them, and none of its shape. What
 * shared channels and stages are asked for it is not to refuse. *topology is the caller's. */
static int idealise(struct replay_setup *on, struct net_topology **topology, struct base_error *error)
{
    char text[32];

    on->options.admission = NET_ADMIT_WORD;
    on->options.selection = NET_MOST_FREE;
    on->options.status_flags = NET_BOTH_FLAGS;
    on->options.spreading = NET_MST_SAFE;
    on->options.early_free = false;
    if (on->options.packet_flits > NET_PACKET_FLITS_MAX) /* bits: it takes all messages whole */
        on->options.packet_flits = 0;
    snprintf(text, sizeof text, "ideal:%u", on->topology->terminals);
    *topology = net_topology_new(text, error);
    on->topology = *topology;
    on->routing = NULL;
    return *topology == NULL ? -1 : 0;
}

/* Everything but the effects is as configured, also the seed: packets, their lengths and their draws are the same on
 * all levels (doc/attribution.md), so that the difference of two times is the effect's. Placements that a mapper
 * judges are replayed on one thread each: there it is the mapper that may have several. Waits are for the report and
 * the critical path. */
static struct net_network *make_network(const struct replay_setup *setup, enum replay_level level,
                                        const struct replay_onlooker *onlooker,
                                        struct net_topology **topology, struct base_error *error)
{
    struct replay_setup on = replay_setup_copy(setup);
    uint32_t threads = (uint32_t)setup->settings->number[REPLAY_THREADS];

    on.options.effects = effects_of[level];
    on.options.times_only = level != REPLAY_CONFIGURED;
    if (onlooker->keeps && level == REPLAY_CONFIGURED) {
        on.options.threads = onlooker->network_threads > 0 ? onlooker->network_threads : threads;
        on.options.waits = true;
    }
    if ((level == REPLAY_IDEAL || level == REPLAY_HOST_ALONE) && idealise(&on, topology, error) != 0)
        return NULL;
    return replay_setup_network(&on, error);
}

/* The run's own replay alone is recorded and has its critical path found: those that only judge or attribute are
 * nobody's timeline. The meter of its energy lasts as long as the replay. */
static int run(struct replay_trial *trial, const struct replay_setup *setup, struct trace_program *program,
               const uint32_t *terminal, struct replay_semantics *semantics, struct base_error *error)
{
    struct session_meter meter;
    int status = session_meter_begin(&meter, semantics->recorder, setup->routing, setup->settings,
                                     net_network_options(trial->network), error);

    if (trial->laps.played > 0) {
        semantics->iterate = replay_laps_take;
        semantics->iterate_context = &trial->laps;
    }
    if (status == 0)
        status = replay_run(program, terminal, trial->network, semantics, &trial->result, error);
    if (status == 0 && semantics->recorder != NULL)
        status = session_record_end(setup->settings, semantics->recorder, trial->network,
                                    trial->result.simulated_ns, error);
    if (status == 0 && semantics->intervals != NULL)
        replay_intervals_end(semantics->intervals, net_network_now(trial->network),
                             net_network_statistics(trial->network));
    session_meter_end(&meter);
    return status;
}

int replay_try(struct replay_trial *trial, const struct replay_setup *setup, struct trace_program *program,
               const uint32_t *terminal, enum replay_level level, const struct replay_onlooker *onlooker,
               struct base_error *error)
{
    bool keeps = onlooker->keeps && level == REPLAY_CONFIGURED;
    struct session_teller teller = {onlooker->watch, onlooker->what};
    struct net_topology *ideal = NULL;
    struct replay_semantics semantics;
    int status = -1;

    *trial = (struct replay_trial){0};
    if (teller.what == NULL)
        teller.what = level == REPLAY_CONFIGURED ? setup->topology->text : names_of[level];
    semantics = session_semantics(setup, level, &teller);
    semantics.most_ns = onlooker->most_ns;
    semantics.compute_ns = onlooker->compute_ns;
    semantics.path = keeps && session_attributes(setup);
    semantics.recorder = keeps && teller.watch != NULL ? teller.watch->recorder : NULL;
    semantics.intervals = keeps && teller.watch != NULL ? teller.watch->intervals : NULL;
    trial->network = make_network(setup, level, onlooker, &ideal, error);
    if (trial->network != NULL && (!onlooker->keeps || replay_laps_init(&trial->laps, program, error) == 0))
        status = run(trial, setup, program, terminal, &semantics, error);
    if (!keeps) {
        net_network_free(trial->network);
        trial->network = NULL;
    }
    net_topology_free(ideal);
    return status;
}

void replay_trial_free(struct replay_trial *trial)
{
    replay_laps_free(&trial->laps);
    replay_result_free(&trial->result);
    net_network_free(trial->network);
    trial->network = NULL;
}
