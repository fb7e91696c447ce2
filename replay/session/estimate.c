/* Paces are measured in processor time of this thread, since work of others on the machine says nothing of ours, and
 * between two moments, since a replay begins slowly: ranks, tables and pools are touched for the first time, and what
 * is under way counts for nothing yet. A replay is the same each time, so that the second moment is that of another
 * one. Its share of the work is that of its packet-hops where packets take shortest ways, whose number is known
 * beforehand, and else of its packets or messages. Of many runs some are measured, and the others take as much longer
 * or shorter than these as they have more or less to do. */
#include <config.h>

#include "replay/session/estimate.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/process-memory.h"
#include "base/units.h"
#include "replay/session/internal.h"

/* More than replays take on a slow machine, so that no long run goes without an estimate. */
#define MESSAGE_SECONDS 2e-6
#define HOP_SECONDS 0.3e-6
#define FLIT_SECONDS 0.1e-6 /* of a link that is granted flit by flit */
#define LONG_SECONDS 20.0   /* by these numbers: what is measured */
#define WORTH_SECONDS 10.0  /* by measurement: what is told */
#define LOOK_CYCLES 4096    /* long messages move for minutes: how often a measurement looks at its end */
#define LONGEST_SECONDS 9.0 /* of a level in which nothing is delivered before: the beginning of many ranks */

/* A request with its entries in tables, whose arrays have grown beyond it, and what its message is in a network. */
#define REQUEST_BYTES 320
#define STEP_BYTES 40    /* likewise */
#define RANK_BYTES 16384 /* with its stream */

/* ---- counting ---- */

/* Packets of the messages of one pair, as if they were equally long. Networks that were not tried take 16 flits. */
static uint64_t packets_of(const struct trace_comm_run *pair, uint64_t packet_bytes)
{
    uint64_t bytes = pair->messages == 0 ? 0 : pair->bytes / pair->messages;

    return pair->messages * (bytes == 0 ? 1 : (bytes + packet_bytes - 1) / packet_bytes);
}

static uint64_t packet_bytes_of(const struct replay_setup *setup)
{
    uint64_t flits = setup->in_force.packet_flits != 0 ? setup->in_force.packet_flits : 16;

    return setup->semantics.control_bits != 0 ? (flits + 7) / 8 : flits * setup->semantics.flit_bytes;
}

/* How many replays have networks of their own at the same time: the run's own stays until the report. */
static uint64_t networks_of(const struct replay_setup *setup)
{
    uint64_t threads = setup->settings->number[REPLAY_THREADS];

    if (!session_attributes(setup))
        return 1;
    return threads < REPLAY_CONFIGURED ? threads + 1 : REPLAY_CONFIGURED;
}

/* What the ranks of a replay need. */
static uint64_t ranks_bytes(const struct trace_comm_graph *graph)
{
    return graph->demand.requests * REQUEST_BYTES + graph->demand.steps * STEP_BYTES +
           graph->ranks * (uint64_t)RANK_BYTES;
}

/* What replays add to what the process has. */
static uint64_t added_bytes(const struct replay_placement *placement)
{
    const struct replay_setup *setup = &placement->setup;
    uint64_t networks = networks_of(setup), threads = setup->settings->number[REPLAY_THREADS];
    uint64_t replays = session_attributes(setup) && threads > 1 ? networks - 1 : 1;

    return networks * setup->network_bytes + replays * ranks_bytes(placement->graph);
}

struct replay_estimate replay_estimate_of(const struct replay_placement *placement)
{
    const struct replay_setup *setup = &placement->setup;
    const struct trace_comm_graph *graph = placement->graph;
    uint64_t packet_bytes = packet_bytes_of(setup);
    struct replay_estimate estimate = {.added_bytes = added_bytes(placement)};

    for (size_t i = 0; i < graph->begin[graph->ranks]; i++) {
        estimate.messages += graph->runs[i].count * graph->runs[i].messages;
        estimate.packets += graph->runs[i].count * packets_of(&graph->runs[i], packet_bytes);
    }
    estimate.packet_hops = (uint64_t)(placement->cost.mean_dilation * (double)estimate.packets);
    estimate.memory_bytes = base_memory_now().used_bytes + estimate.added_bytes;
    return estimate;
}

/* ---- measuring ---- */

/* A replay that is stopped after a moment, which begins when its first rank does: networks may take longer to make. */
struct probe {
    struct replay_watch watch;
    atomic_bool stop;
    bool has_begun, has_timer;
    pthread_t timer;
    clockid_t clock;       /* of the thread that replays */
    double begun, seconds; /* when, and how long, by that clock */
};

static double seconds_of(clockid_t clock)
{
    struct timespec now = {0};

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Where others have the processor nearly all of the time, this waits for it no longer than LOOKS. */
static void *stop_later(void *context)
{
    static const struct timespec look = {0, 5000000};
    enum { LOOKS = 2000 };
    struct probe *probe = context;

    for (unsigned i = 0;
         i < LOOKS && !atomic_load(&probe->stop) && seconds_of(probe->clock) - probe->begun < probe->seconds;
         i++)
        nanosleep(&look, NULL);
    atomic_store(&probe->stop, true);
    return NULL;
}

/* Without a timer nobody measures. */
static void begin(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    struct probe *probe = context;

    (void)what, (void)thousandths, (void)simulated_ns;
    if (probe->has_begun)
        return;
    probe->has_begun = true;
    probe->begun = seconds_of(probe->clock);
    probe->has_timer = pthread_create(&probe->timer, NULL, stop_later, probe) == 0;
    if (!probe->has_timer)
        atomic_store(&probe->stop, true);
}

/* Of the whole replay, what the trial has done; NAN: nothing. */
static double share_of(const struct replay_estimate *estimate, const struct replay_setup *setup,
                       const struct replay_trial *trial)
{
    const struct replay_result *result = &trial->result;
    const struct net_statistics *network =
        trial->network == NULL ? NULL : net_network_statistics(trial->network);
    double sent = (double)(result->messages + result->control_messages);

    if (!result->interrupted)
        return 1;
    if (network != NULL && network->packet_hops > 0 && estimate->packet_hops > 0 &&
        setup->routing->kind->minimal)
        return (double)network->packet_hops / (double)estimate->packet_hops;
    if (network != NULL && network->packets > 0 && estimate->packets > 0)
        return (double)network->packets / (double)estimate->packets;
    if (sent <= (double)result->under_way || estimate->messages == 0)
        return NAN;
    return (sent - (double)result->under_way) / sent * (double)result->messages / (double)estimate->messages;
}

/* How far a replay comes in a time. */
struct moment {
    double seconds, share;
};

/* A timer that has not begun when the replay ends does no harm: there is none. */
static int probe(session_replay *replay, void *context, double seconds, struct moment *moment,
                 struct base_error *error)
{
    struct probe probe = {.seconds = seconds};
    int status;

    if (pthread_getcpuclockid(pthread_self(), &probe.clock) != 0)
        probe.clock = CLOCK_MONOTONIC;
    probe.begun = seconds_of(probe.clock);
    probe.watch = (struct replay_watch){
        .progress = begin, .context = &probe, .stop = &probe.stop, .look_cycles = LOOK_CYCLES};
    status = replay(context, &probe.watch, &moment->share, error);
    moment->seconds = seconds_of(probe.clock) - probe.begun;
    atomic_store(&probe.stop, true);
    if (probe.has_timer)
        pthread_join(probe.timer, NULL);
    return status;
}

/* A short replay is over in the first moment already. Where nothing was delivered in between the second moment is a
 * later one. */
int session_measure(session_replay *replay, void *context, double most, const struct replay_watch *watch,
                    double *seconds, struct base_error *error)
{
    struct moment first = {0}, second = {0};

    if (probe(replay, context, most / 3, &first, error) != 0)
        return -1;
    *seconds = first.seconds;
    if (first.share >= 1)
        return 0;
    if (isnan(first.share)) /* nothing in the first */
        first.share = 0;
    do {
        if (probe(replay, context, most, &second, error) != 0)
            return -1;
        most *= 3;
    } while (!(second.share > first.share) && most <= LONGEST_SECONDS && !replay_is_stopped(watch));
    if (second.share >= 1)
        *seconds = second.seconds;
    else
        *seconds += second.share > first.share
                        ? (second.seconds - first.seconds) * (1 - first.share) / (second.share - first.share)
                        : NAN;
    return 0;
}

/* A level of a run. */
struct level {
    const struct replay_estimate *estimate;
    struct trace_program *program;
    const struct replay_placement *placement;
    enum replay_level level;
};

static int replay_level(void *context, const struct replay_watch *watch, double *share,
                        struct base_error *error)
{
    const struct level *level = context;
    const struct replay_setup *setup = &level->placement->setup;
    const struct replay_onlooker onlooker = {
        .watch = watch, .keeps = level->level == REPLAY_CONFIGURED, .network_threads = 1};
    struct replay_trial trial;
    int status = replay_try(&trial, setup, level->program, level->placement->map->terminal, level->level,
                            &onlooker, error);

    if (status == 0)
        *share = share_of(level->estimate, setup, &trial);
    replay_trial_free(&trial);
    return status;
}

static int measure_level(const struct replay_estimate *estimate, struct trace_program *program,
                         const struct replay_placement *placement, enum replay_level number, double most,
                         const struct replay_watch *watch, double *seconds, struct base_error *error)
{
    struct level level = {estimate, program, placement, number};

    return session_measure(replay_level, &level, most, watch, seconds, error);
}

/* The levels that the run will replay, and how often: rows of what if are networks like the configured one. */
static unsigned times_of(const struct replay_setup *setup, enum replay_level level)
{
    bool attributes = session_attributes(setup);

    if (level == REPLAY_CONFIGURED)
        return setup->is_asked && attributes ? 1 + REPLAY_WHAT_IFS : 1;
    if (level == REPLAY_HOST_ALONE)
        return attributes && replay_settings_have_host(setup->settings) ? 1 : 0;
    if (level == REPLAY_IDEAL)
        return session_is_ideal(setup) ? 0 : 1;
    return attributes ? 1 : 0;
}

/* Replays side by side take as long as the longest, or as all of them shared among the threads. */
static double side_by_side(const struct replay_setup *setup, double sum, double longest)
{
    double threads = (double)setup->settings->number[REPLAY_THREADS];

    if (threads < 2 || !session_attributes(setup) || replay_has_faults(setup->settings))
        return sum;
    return fmax(longest, sum / threads);
}

/* A replay. */
static double slow_replay(const struct replay_estimate *estimate, const struct replay_setup *setup)
{
    bool by_flit = setup->options.flow_control == NET_WORMHOLE || setup->options.multiplexed;
    double hop = by_flit ? 16 * FLIT_SECONDS : HOP_SECONDS;

    return (double)estimate->messages * MESSAGE_SECONDS + (double)estimate->packet_hops * hop;
}

double replay_estimate_slow(const struct replay_estimate *estimate, const struct replay_setup *setup)
{
    return (session_attributes(setup) ? (setup->is_asked ? 8 : 3) : 1) * slow_replay(estimate, setup);
}

double replay_estimate_slow_search(const struct replay_estimate *estimate, const struct replay_setup *setup)
{
    return replay_search_seconds(setup, slow_replay(estimate, setup));
}

double replay_moment_of(double slow_seconds, double moments, double least)
{
    return fmin(fmax(slow_seconds * REPLAY_MOMENTS_PART / moments, least), 1);
}

int replay_estimate_measure(struct replay_estimate *estimate, struct trace_program *program,
                            const struct replay_placement *placement, double moment,
                            const struct replay_watch *watch, struct base_error *error)
{
    const struct replay_setup *setup = &placement->setup;
    double sum = 0, longest = 0;

    for (int level = REPLAY_IDEAL; level <= REPLAY_CONFIGURED; level++) {
        unsigned times = times_of(setup, (enum replay_level)level);
        double seconds = 0;
        if (times == 0)
            continue;
        if (replay_is_stopped(watch) || isnan(sum))
            break;
        if (measure_level(estimate, program, placement, (enum replay_level)level, moment, watch, &seconds,
                          error) != 0)
            return -1;
        sum += times * seconds;
        longest = fmax(longest, seconds);
        estimate->configured_seconds = seconds;
    }
    estimate->seconds = side_by_side(setup, sum, longest);
    return 0;
}

/* ---- searches ---- */

const char *replay_estimate_mapping(const struct replay_settings *settings)
{
    const struct map_mapper *mapper = map_mapper_of(settings->text[REPLAY_MAPPING]);

    return mapper != NULL && (mapper->searches || mapper->needs_judge) ? "identity"
                                                                       : settings->text[REPLAY_MAPPING];
}

bool replay_search_replays(const struct replay_settings *settings)
{
    const struct map_mapper *mapper = map_mapper_of(settings->text[REPLAY_MAPPING]);
    enum map_objective objective;

    return mapper != NULL && (mapper->needs_judge ||
                              (mapper->judges_time &&
                               map_objective_find(settings->text[REPLAY_OBJECTIVE], &objective, NULL) == 0 &&
                               objective == MAP_TIME));
}

/* How far a search comes in a time nobody knows. */
uint64_t replay_estimate_search(const struct replay_settings *settings)
{
    if (!replay_search_replays(settings))
        return 0;
    if (settings->number[REPLAY_EVALUATIONS] != 0 || settings->number[REPLAY_TIME_BUDGET_MS] != 0)
        return settings->number[REPLAY_EVALUATIONS];
    return MAP_REPLAY_EVALUATIONS;
}

/* Links that die are one network's at a time (netmodel/faults/). */
uint32_t replay_search_threads(const struct replay_setup *setup)
{
    uint32_t threads = setup->effort.threads;

    return !replay_search_replays(setup->settings) || threads < 2 || replay_has_faults(setup->settings)
               ? 1
               : threads;
}

double replay_search_seconds(const struct replay_setup *setup, double each)
{
    uint64_t replays = replay_estimate_search(setup->settings);
    double budget = (double)setup->settings->number[REPLAY_TIME_BUDGET_MS] / 1000;
    double seconds = (double)replays * each / replay_search_threads(setup);

    if (!replay_search_replays(setup->settings))
        return 0;
    return budget > 0 && (replays == 0 || budget < seconds) ? fmax(budget, each) : seconds;
}

/* Its networks and ranks, beside which nothing of the run is there yet. */
static uint64_t search_bytes(const struct replay_placement *placement)
{
    return replay_search_threads(&placement->setup) *
           (placement->setup.network_bytes + ranks_bytes(placement->graph));
}

/* ---- telling ---- */

bool replay_is_long(const struct replay_watch *watch, double slow_seconds)
{
    return watch != NULL && watch->expect != NULL && (watch->expects_short || slow_seconds >= LONG_SECONDS);
}

/* False where the seconds are not known. */
void replay_tell(const struct replay_watch *watch, double seconds, uint64_t memory_bytes)
{
    if (watch != NULL && watch->expect != NULL && seconds >= (watch->expects_short ? 0 : WORTH_SECONDS))
        watch->expect(watch->context, seconds, memory_bytes);
}

int replay_check_room(const struct replay_settings *settings, const struct replay_need *need,
                      struct base_error *error)
{
    struct base_memory memory = base_memory_now();
    uint64_t asked = settings->number[REPLAY_MEMORY];
    char needed[BASE_UNITS_TEXT], allowed[BASE_UNITS_TEXT];

    if (need->is_of_several) {
        memory.limit_bytes = memory.together_bytes;
        memory.limit = memory.together;
    } else if (asked != 0 && asked < memory.limit_bytes) {
        memory.limit_bytes = asked;
        memory.limit = "--memory";
    }
    if (need->bytes <= memory.limit_bytes)
        return 0;
    return base_error_set(error, BASE_SYSTEM, "%s: %s about %s of memory, and %s allows %s; %s need less",
                          need->topology, need->what, base_format_bytes(need->bytes, needed), memory.limit,
                          base_format_bytes(memory.limit_bytes, allowed), need->less);
}

/* Of one run, and of the first of many that are alike in all but the placement. */
static int check_run(const struct replay_estimate *estimate, const struct replay_setup *setup,
                     struct base_error *error)
{
    const struct replay_need need = {.topology = setup->topology->text,
                                     .what = "the run needs",
                                     .less = "a smaller network, fewer threads or --attribution none",
                                     .bytes = estimate->memory_bytes};

    return replay_check_room(setup->settings, &need, error);
}

/* Placements that are judged without a search are two: the identity and the one that was found. */
#define JUDGED 2

int replay_expect(struct trace_program *program, const struct replay_placement *placement,
                  const struct replay_watch *watch, struct base_error *error)
{
    const struct replay_setup *setup = &placement->setup;
    struct replay_estimate estimate = replay_estimate_of(placement);
    double slow = replay_estimate_slow(&estimate, setup);

    if (replay_search_replays(setup->settings)) {
        uint64_t added = search_bytes(placement);
        if (added > estimate.added_bytes)
            estimate.memory_bytes += added - estimate.added_bytes;
        slow += replay_estimate_slow_search(&estimate, setup);
    }
    if (check_run(&estimate, setup, error) != 0)
        return -1;
    if (!replay_is_long(watch, slow))
        return 0;
    if (replay_estimate_measure(&estimate, program, placement,
                                replay_moment_of(slow, REPLAY_CONFIGURED, REPLAY_MOMENT), watch, error) != 0)
        return -1;
    replay_tell(watch, estimate.seconds + replay_search_seconds(setup, estimate.configured_seconds),
                estimate.memory_bytes);
    return 0;
}

int replay_expect_search(struct trace_program *program, const struct replay_placement *placement,
                         const struct replay_watch *watch, struct base_error *error)
{
    const struct replay_setup *setup = &placement->setup;
    bool searches = replay_search_replays(setup->settings);
    struct replay_estimate estimate = replay_estimate_of(placement);
    double slow = slow_replay(&estimate, setup), each = replay_moment_of(slow, 1, REPLAY_MOMENT);
    double seconds = 0, ideal = 0;

    estimate.memory_bytes += search_bytes(placement) - estimate.added_bytes;
    if (check_run(&estimate, setup, error) != 0)
        return -1;
    if (!replay_is_long(watch, searches ? replay_search_seconds(setup, slow) : JUDGED * slow))
        return 0;
    if (measure_level(&estimate, program, placement, REPLAY_CONFIGURED, each, watch, &seconds, error) != 0 ||
        measure_level(&estimate, program, placement, REPLAY_IDEAL, each, watch, &ideal, error) != 0)
        return -1;
    replay_tell(watch, ideal + (searches ? replay_search_seconds(setup, seconds) : JUDGED * seconds),
                estimate.memory_bytes);
    return 0;
}
