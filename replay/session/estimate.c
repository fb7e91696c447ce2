/* Paces are measured in processor time of this thread, since work of others on the machine says nothing of ours, and
 * between two moments, since a replay begins slowly: ranks, tables and pools are touched for the first time, and what
 * is under way counts for nothing yet. A replay is the same each time, so that the second moment is that of another
 * one. Its share of the work is that of its packet-hops where packets take shortest ways, whose number is known
 * beforehand, and else of its packets or messages. */
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
#define LEVEL_SECONDS 0.1   /* to 1: how long a level is measured */
#define LOOK_CYCLES 4096    /* long messages move for minutes: how often a measurement looks at its end */
#define LEVEL_PART 0.02     /* of what all may take: how long all are */
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

struct replay_estimate replay_estimate_of(const struct replay_placement *placement)
{
    const struct replay_setup *setup = &placement->setup;
    const struct trace_comm_graph *graph = placement->graph;
    uint64_t packet_bytes = packet_bytes_of(setup), networks = networks_of(setup);
    uint64_t threads = setup->settings->number[REPLAY_THREADS];
    uint64_t replays = session_attributes(setup) && threads > 1 ? networks - 1 : 1;
    struct replay_estimate estimate = {.memory_bytes = base_memory_now().used_bytes};

    for (size_t i = 0; i < graph->begin[graph->ranks]; i++) {
        estimate.messages += graph->runs[i].count * graph->runs[i].messages;
        estimate.packets += graph->runs[i].count * packets_of(&graph->runs[i], packet_bytes);
    }
    estimate.packet_hops = (uint64_t)(placement->cost.mean_dilation * (double)estimate.packets);
    estimate.memory_bytes +=
        networks * setup->network_bytes +
        replays * (graph->demand.requests * REQUEST_BYTES + graph->demand.steps * STEP_BYTES +
                   graph->ranks * (uint64_t)RANK_BYTES);
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

static int probe_level(const struct replay_estimate *estimate, struct trace_program *program,
                       const struct replay_placement *placement, enum replay_level level, double seconds,
                       struct moment *moment, struct base_error *error)
{
    struct probe probe = {.seconds = seconds};
    const struct replay_onlooker onlooker = {
        .watch = &probe.watch, .keeps = level == REPLAY_CONFIGURED, .network_threads = 1};
    struct replay_trial trial;
    int status;

    if (pthread_getcpuclockid(pthread_self(), &probe.clock) != 0)
        probe.clock = CLOCK_MONOTONIC;
    probe.begun = seconds_of(probe.clock);
    probe.watch = (struct replay_watch){
        .progress = begin, .context = &probe, .stop = &probe.stop, .look_cycles = LOOK_CYCLES};
    status =
        replay_try(&trial, &placement->setup, program, placement->map->terminal, level, &onlooker, error);
    if (status == 0)
        *moment = (struct moment){seconds_of(probe.clock) - probe.begun,
                                  share_of(estimate, &placement->setup, &trial)};
    atomic_store(&probe.stop, true);
    if (probe.has_timer)
        pthread_join(probe.timer, NULL);
    replay_trial_free(&trial);
    return status;
}

/* A short replay is over in the first moment already. Where nothing was delivered in between the second moment is a
 * later one. NAN: nothing for long. */
static int measure_level(const struct replay_estimate *estimate, struct trace_program *program,
                         const struct replay_placement *placement, enum replay_level level, double most,
                         const struct replay_watch *watch, double *seconds, struct base_error *error)
{
    struct moment first = {0}, second = {0};

    if (probe_level(estimate, program, placement, level, most / 3, &first, error) != 0)
        return -1;
    *seconds = first.seconds;
    if (first.share >= 1)
        return 0;
    if (isnan(first.share)) /* nothing in the first */
        first.share = 0;
    do {
        if (probe_level(estimate, program, placement, level, most, &second, error) != 0)
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

/* What it would take if everything were slow. */
static double most_seconds(const struct replay_estimate *estimate, const struct replay_setup *setup)
{
    bool by_flit = setup->options.flow_control == NET_WORMHOLE || setup->options.multiplexed;
    double hop = by_flit ? 16 * FLIT_SECONDS : HOP_SECONDS;
    double replays = session_attributes(setup) ? (setup->is_asked ? 8 : 3) : 1;

    return replays * ((double)estimate->messages * MESSAGE_SECONDS + (double)estimate->packet_hops * hop);
}

int replay_estimate_measure(struct replay_estimate *estimate, struct trace_program *program,
                            const struct replay_placement *placement, const struct replay_watch *watch,
                            struct base_error *error)
{
    const struct replay_setup *setup = &placement->setup;
    double each = most_seconds(estimate, setup) * LEVEL_PART / REPLAY_CONFIGURED;
    double sum = 0, longest = 0;

    each = fmin(fmax(each, LEVEL_SECONDS), 1);
    for (int level = REPLAY_IDEAL; level <= REPLAY_CONFIGURED; level++) {
        unsigned times = times_of(setup, (enum replay_level)level);
        double seconds = 0;
        if (times == 0)
            continue;
        if (replay_is_stopped(watch) || isnan(sum))
            break;
        if (measure_level(estimate, program, placement, (enum replay_level)level, each, watch, &seconds,
                          error) != 0)
            return -1;
        sum += times * seconds;
        longest = fmax(longest, seconds);
    }
    estimate->seconds = side_by_side(setup, sum, longest);
    return 0;
}

/* ---- telling ---- */

static int check_room(const struct replay_estimate *estimate, const struct replay_setup *setup,
                      struct base_error *error)
{
    struct base_memory memory = base_memory_now();
    uint64_t asked = setup->settings->number[REPLAY_MEMORY];
    char needed[BASE_UNITS_TEXT], allowed[BASE_UNITS_TEXT];

    if (asked != 0 && asked < memory.limit_bytes) {
        memory.limit_bytes = asked;
        memory.limit = "--memory";
    }
    if (estimate->memory_bytes <= memory.limit_bytes)
        return 0;
    return base_error_set(
        error, BASE_SYSTEM,
        "%s: the run needs about %s of memory, and %s allows %s; a smaller network, fewer threads or "
        "--attribution none need less",
        setup->topology->text, base_format_bytes(estimate->memory_bytes, needed), memory.limit,
        base_format_bytes(memory.limit_bytes, allowed));
}

int replay_expect(struct trace_program *program, const struct replay_placement *placement,
                  const struct replay_watch *watch, struct base_error *error)
{
    struct replay_estimate estimate = replay_estimate_of(placement);

    if (check_room(&estimate, &placement->setup, error) != 0)
        return -1;
    if (watch == NULL || watch->expect == NULL || most_seconds(&estimate, &placement->setup) < LONG_SECONDS)
        return 0;
    if (replay_estimate_measure(&estimate, program, placement, watch, error) != 0)
        return -1;
    if (estimate.seconds >= WORTH_SECONDS) /* false where it is not known */
        watch->expect(watch->context, estimate.seconds, estimate.memory_bytes);
    return 0;
}

int replay_expect_search(struct trace_program *program, const struct replay_placement *placement,
                         uint64_t replays, const struct replay_watch *watch, struct base_error *error)
{
    struct replay_estimate estimate = replay_estimate_of(placement);
    double slow = most_seconds(&estimate, &placement->setup);
    double each = fmin(fmax(slow * LEVEL_PART, LEVEL_SECONDS), 1);
    double seconds = 0, ideal = 0;

    if (check_room(&estimate, &placement->setup, error) != 0)
        return -1;
    if (watch == NULL || watch->expect == NULL || slow * (double)replays < LONG_SECONDS)
        return 0;
    if (measure_level(&estimate, program, placement, REPLAY_CONFIGURED, each, watch, &seconds, error) != 0 ||
        measure_level(&estimate, program, placement, REPLAY_IDEAL, each, watch, &ideal, error) != 0)
        return -1;
    estimate.seconds = (double)replays * seconds + ideal;
    if (estimate.seconds >= WORTH_SECONDS)
        watch->expect(watch->context, estimate.seconds, estimate.memory_bytes);
    return 0;
}
