/* The co-simulation of ranks and network. Ranks live in integer nanoseconds, the network in cycles; both
 * conversions round up, so that no effect comes before its cause (at 1 GHz they are exact).
 *
 * One loop advances everything in time: the network runs up to the cycle of the next rank event, of whichever job,
 * or of the next message of background traffic, but stops at each notice. The notices of a cycle are handled in
 * the network's order (rising message number, sent before delivered), then the rank events of that time in the
 * order of jobs and, within a job, that in which they were scheduled, then background traffic. Stretches in which
 * the network is idle cost nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/units.h"
#include "replay/engine/background.h"
#include "replay/engine/internal.h"
#include "replay/engine/intervals.h"

/* Handling a notice injects messages, after which the network's own array is gone: so they are copied. */
static int take_notices(struct replay_machine *machine, struct base_error *error)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(machine->network, &count);
    if (base_grow(&machine->notices, &machine->notice_capacity, count, sizeof *machine->notices) != 0)
        return base_error_memory(error, "the network's notices");
    memcpy(machine->notices, notices, count * sizeof *notices);
    machine->notice_count = count;
    return 0;
}

/* The job whose rank event comes next, the first of several at one time; NULL when no rank has one. Jobs are few,
 * and looking at each costs less than a queue of queues would. */
static struct replay_engine *next_engine(const struct replay_machine *machine)
{
    struct replay_engine *next = NULL;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < machine->engine_count; i++) {
        const struct base_event *first = base_agenda_first(&machine->engines[i].wakeups);
        if (first != NULL && first->time < least) {
            next = &machine->engines[i];
            least = first->time;
        }
    }
    return next;
}

/* Whether the program cannot end within most_ns any more. A rank's time never falls, and grows by the whole of each
 * computation; its finish is its time at its end. So it finishes no sooner than its time and all that it has yet to
 * compute, whatever its messages do, and the program no sooner than any of its ranks. */
static bool is_too_slow(const struct replay_engine *engine, uint32_t index)
{
    const struct replay_semantics *semantics = engine->semantics;
    const struct replay_rank *rank = &engine->rank[index];
    uint64_t least_ns = rank->time_ns - engine->start_ns;

    if (semantics->most_ns == 0)
        return false;
    if (semantics->compute_ns != NULL)
        least_ns += semantics->compute_ns[index] - rank->compute_ns;
    return least_ns > semantics->most_ns;
}

/* The network has been brought to the event's cycle. Above the ranks' numbers it is a host's. */
static int run_next_rank(struct replay_engine *engine, struct base_error *error)
{
    struct base_event event;
    base_agenda_pop(&engine->wakeups, &event);
    engine->now_ns = event.time;
    engine->now_cycles = replay_cycles(engine, event.time);
    int status;
    if (event.payload >= engine->ranks) {
        status = replay_host_event(engine, event.payload, error);
    } else {
        replay_path_run(engine, &engine->rank[event.payload]);
        status = replay_rank_run(engine, (uint32_t)event.payload, error);
        engine->is_slower = is_too_slow(engine, (uint32_t)event.payload);
    }
    replay_path_pause(engine);
    return status;
}

/* A notice's tag begins with the number of whose message it is: jobs first, then background traffic. */
static int handle_notice(struct replay_machine *machine, const struct net_notice *notice, uint64_t ns,
                         uint64_t cycle, struct base_error *error)
{
    uint32_t number = (uint32_t)(notice->tag >> REPLAY_TAG_BITS);
    if (number >= machine->engine_count)
        return replay_background_notice(machine->backgrounds[number - machine->engine_count], notice,
                                        machine->network, error);
    struct replay_engine *engine = &machine->engines[number];
    engine->now_ns = ns;
    engine->now_cycles = cycle;
    if (replay_path_noticed(engine, notice, error) < 0 || replay_notice(engine, notice, error) < 0)
        return -1;
    replay_path_pause(engine);
    return 0;
}

/* Handles the notices of the network's cycle. With a clock below 1 GHz a rank event may lie before the end of
 * the nanosecond that the cycle is rounded up to: it comes first, in the same cycle. */
static int handle_notices(struct replay_machine *machine, struct base_error *error)
{
    uint64_t cycle = net_network_now(machine->network), khz = machine->clock_khz;
    uint64_t ns = khz == 1000000 ? cycle : base_ns_from_cycles(cycle, khz);
    struct replay_engine *engine;
    if (ns >= REPLAY_TIME_LIMIT)
        return base_error_set(error, BASE_INPUT, "%s: the run exceeds the range of simulated time",
                              trace_program_path(machine->engines[0].program));
    if (take_notices(machine, error) < 0)
        return -1;
    while ((engine = next_engine(machine)) != NULL && base_agenda_first(&engine->wakeups)->time < ns)
        if (run_next_rank(engine, error) < 0)
            return -1;
    for (size_t i = 0; i < machine->notice_count; i++)
        if (handle_notice(machine, &machine->notices[i], ns, cycle, error) < 0)
            return -1;
    return 0;
}

/* Whether a job may still do something: its ranks have ended, or wait for what nobody will send. */
static bool is_over(const struct replay_engine *engine)
{
    return engine->ended == engine->ranks ||
           (base_agenda_count(&engine->wakeups) == 0 && engine->under_way == 0);
}

/* Background traffic accompanies the jobs: with the last one it ends, and what it has under way is delivered. */
static void stop_backgrounds(struct replay_machine *machine)
{
    for (uint32_t i = 0; i < machine->engine_count; i++)
        if (!is_over(&machine->engines[i]))
            return;
    for (uint32_t i = 0; i < machine->background_count; i++)
        replay_background_stop(machine->backgrounds[i], net_network_now(machine->network));
}

/* The traffic whose next message comes first, the first of several in one cycle; NULL when there is none. */
static struct replay_background *next_background(const struct replay_machine *machine)
{
    struct replay_background *next = NULL;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < machine->background_count; i++)
        if (replay_background_due(machine->backgrounds[i]) < least) {
            next = machine->backgrounds[i];
            least = replay_background_due(next);
        }
    return next;
}

/* Whoever stops a replay has a part of it from every job. */
static void interrupt(struct replay_machine *machine)
{
    machine->interrupted = next_engine(machine) != NULL || net_network_pending(machine->network) != 0;
    for (uint32_t i = 0; i < machine->engine_count; i++)
        machine->engines[i].interrupted = machine->interrupted;
}

/* Cuts the limit where the machine is to look at `stop` before. */
static bool looks_first(const struct replay_machine *machine, uint64_t *limit)
{
    uint64_t look;
    if (machine->look_cycles == 0 || net_network_pending(machine->network) == 0)
        return false;
    look = net_network_now(machine->network) + machine->look_cycles;
    if (look >= *limit)
        return false;
    *limit = look;
    return true;
}

/* Where the network stops for its counts, at the end of an interval; a network that has nothing to do and no event
 * before it is not kept going. */
static uint64_t stop_for_counts(const struct replay_machine *machine, uint64_t limit)
{
    uint64_t due = replay_intervals_due(machine->intervals);

    if (limit == UINT64_MAX && net_network_pending(machine->network) == 0)
        return limit;
    return due < limit ? due : limit;
}

/* Whether the network has stopped for its counts, which are taken. */
static bool take_counts(const struct replay_machine *machine)
{
    uint64_t now = net_network_now(machine->network);

    if (now < replay_intervals_due(machine->intervals))
        return false;
    replay_intervals_take(machine->intervals, now, net_network_statistics(machine->network));
    return true;
}

/* Whether somebody wants no more of it: who watches, or a job that is known to be slower than it may be. */
static bool is_unwanted(const struct replay_machine *machine)
{
    if (machine->stop != NULL && atomic_load_explicit(machine->stop, memory_order_relaxed))
        return true;
    for (uint32_t i = 0; i < machine->engine_count; i++)
        if (machine->engines[i].is_slower)
            return true;
    return false;
}

/* Runs until nothing is left to happen: no rank has an event, no traffic is to come and nothing is in the
 * network. Whether that is the end or a deadlock is seen afterwards. The network may be ahead of nobody: it never
 * passes the next event, so every injection is in its present or future. */
int replay_machine_run(struct replay_machine *machine, struct base_error *error)
{
    for (;;) {
        if (is_unwanted(machine)) {
            interrupt(machine);
            return 0;
        }
        struct replay_engine *engine = next_engine(machine);
        uint64_t rank_due =
            engine == NULL ? UINT64_MAX : replay_cycles(engine, base_agenda_first(&engine->wakeups)->time);
        struct replay_background *background = NULL;
        uint64_t limit = rank_due;
        if (machine->background_count > 0) {
            stop_backgrounds(machine);
            background = next_background(machine);
            if (background != NULL && replay_background_due(background) < limit)
                limit = replay_background_due(background);
        }
        bool looks = looks_first(machine, &limit);
        uint64_t stop = machine->intervals == NULL ? limit : stop_for_counts(machine, limit);
        int noticed = net_network_advance(machine->network, stop, error);
        if (noticed < 0)
            return -1;
        if (noticed == 0 && ((machine->intervals != NULL && take_counts(machine)) || looks))
            continue;
        if (noticed == 0 && engine == NULL && background == NULL)
            return 0;
        int status = noticed != 0        ? handle_notices(machine, error)
                     : limit == rank_due ? run_next_rank(engine, error)
                                         : replay_background_feed(background, machine->network, error);
        if (status < 0)
            return -1;
    }
}
