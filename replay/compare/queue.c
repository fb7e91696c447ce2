/* Runs on threads. What other processes have to do with it is in queue-world.c.
 *
 *      todo[0] todo[1] todo[2] …        taken in order by whoever is free
 *         │       │       │
 *      worker  worker  worker           of a trace all read the same program (kept.h)
 *         └───────┼───────┘
 *             finished()                one at a time
 *
 * An outcome is a function of the plan and the run's number alone, so it does not matter who does it, or
 * when. */
#include <config.h>

#include "replay/compare/queue-internal.h"

#include <stdio.h>
#include <string.h>

#include "replay/session/inputs.h"
#include "replay/session/session.h"
#include "replay/session/setup.h"
#include "replay/system/world.h"
#include "traces/hash.h"

/* The trace that is open serves as long as trace and options of reading stay the same, which they mostly do:
 * runs come by trace. One that was recorded anew since the plan was made must not be stored as what was
 * planned. */
static int open_trace(struct replay_worker *worker, const struct replay_run *run, struct base_error *error)
{
    const struct replay_configuration *configurations = worker->plan->configurations;
    const char *path = worker->plan->comparison.traces[run->trace];
    struct base_position position = base_position_of(path);
    const char *hash;

    if (worker->program != NULL && worker->trace == run->trace &&
        replay_reads_alike(&configurations[worker->configuration].settings,
                           &configurations[run->configuration].settings))
        return 0;
    replay_kept_close(worker->plan->kept, worker->program);
    worker->trace = run->trace;
    worker->configuration = run->configuration;
    worker->program =
        replay_kept_open(worker->plan->kept, run->trace, &configurations[run->configuration].settings,
                         worker->is_one_of_several, error);
    hash = worker->program == NULL ? NULL : trace_program_hash(worker->program, error);
    if (hash == NULL)
        return -1;
    return strcmp(hash, worker->plan->fingerprints[run->trace]) == 0
               ? 0
               : base_error_at(error, BASE_INPUT, &position,
                               "the trace has changed since the comparison began");
}

/* Names the first file that is not what it was: results of before and after would stand in one table. */
static int refuse_inputs(const struct report_inputs *planned, const struct report_inputs *read,
                         struct base_error *error)
{
    uint32_t i = 0;

    while (i < planned->count && i < read->count &&
           strcmp(planned->input[i].digest, read->input[i].digest) == 0)
        i++;
    return base_error_set(error, BASE_INPUT, "%s: the file has changed since the comparison began",
                          i < planned->count ? planned->input[i].path : read->input[i].path);
}

/* A run must not be stored as what was planned when it was made of other files: that of a file, once more,
 * also where the run was refused. The refusal stands then, if it is of what was planned. */
static int check_inputs(const struct replay_configuration *configuration, const struct report_run *report,
                        struct base_error *error)
{
    struct report_inputs read = {0};
    struct base_arena arena = {0};
    struct base_error unreadable;
    int status = 0;

    if (report != NULL)
        return report_inputs_equal(&configuration->inputs, &report->inputs)
                   ? 0
                   : refuse_inputs(&configuration->inputs, &report->inputs, error);
    if (configuration->inputs.count == 0 || error->status != BASE_USAGE)
        return 0;
    if (replay_inputs_named(&read, &arena, &configuration->settings, configuration->topology, &unreadable) !=
        0) {
        *error = unreadable;
        status = -1;
    } else if (!report_inputs_equal(&configuration->inputs, &read)) {
        status = refuse_inputs(&configuration->inputs, &read, error);
    }
    base_arena_free(&arena);
    return status;
}

/* What the worker has under way now, in place of what it had. Differences, so that several need no lock. */
static void set_under_way(struct replay_worker *worker, uint64_t thousandths, uint64_t simulated_ns)
{
    if (worker->meter == NULL)
        return;
    atomic_fetch_add(&worker->meter->thousandths, thousandths - worker->under_way.thousandths);
    atomic_fetch_add(&worker->meter->simulated_ns, simulated_ns - worker->under_way.simulated_ns);
    worker->under_way = (struct replay_under_way){thousandths, simulated_ns};
}

/* A run is its network's replay and, where it is attributed, those of the rungs, which take about as long.
 * The ideal network's takes next to nothing, and how many judge placements nobody knows before: neither
 * counts. */
static void note(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    struct replay_worker *worker = context;
    bool is_ideal = strcmp(what, REPLAY_ON_IDEAL_NETWORK) == 0;
    uint64_t all;

    if (worker->replayed == NULL && !is_ideal)
        return;
    if (!is_ideal && worker->replayed != what && strcmp(worker->replayed, REPLAY_ON_IDEAL_NETWORK) != 0)
        worker->replays_done++;
    worker->replayed = what;
    if (is_ideal || worker->meter == NULL)
        return;
    all = (worker->replays_done * UINT64_C(1000) + thousandths) / worker->replays;
    set_under_way(worker, all < 1000 ? all : 999,
                  worker->replays_done == 0 ? simulated_ns : worker->under_way.simulated_ns);
    if (worker->meter->moved != NULL)
        worker->meter->moved(worker->meter->context);
}

/* For a text that is cut to its room. */
static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Whether it can be run at all the plan has asked, for all seeds at once. */
static struct report_run *run_once(struct replay_worker *worker, const struct net_topology *topology,
                                   const struct replay_settings *settings, struct base_error *error)
{
    const struct replay_watch watch = {
        .progress = note, .context = worker, .of_many = true, .stop = worker->stop};
    struct replay_setup setup;
    struct report_run *report = NULL;
    bool is_possible = replay_setup_init(&setup, REPLAY_TO_REPEAT, topology, settings, error) == 0;

    worker->replayed = NULL;
    worker->replays = !setup.is_attributed                  ? 1
                      : replay_settings_have_host(settings) ? REPORT_EFFECTS
                                                            : REPORT_EFFECTS - 1;
    worker->replays_done = 0;
    if (is_possible)
        report = replay_session_run(worker->program, &setup, &watch, error);
    replay_setup_free(&setup);
    return report;
}

/* A list of who waits for whom has lines; its head says enough. */
static int fail(struct report_outcome *outcome, const struct base_error *error)
{
    outcome->state = REPORT_FAILED;
    snprintf(outcome->failure, sizeof outcome->failure, "%.*s",
             (int)min_size(strcspn(error->text, "\n"), sizeof outcome->failure - 1), error->text);
    return 0;
}

/* The settings are a copy but for their texts, so that threads may do two seeds of a configuration at a time.
 * What only this run finds out (a deadlock, an impossible mapping, an empty window) is its outcome; what concerns all
 * of them (memory, a trace that has gone) ends the comparison. */
int replay_worker_run(struct replay_worker *worker, uint32_t number, struct report_outcome *outcome,
                      struct base_error *error)
{
    struct replay_run run = replay_plan_run(worker->plan, number);
    const struct replay_configuration *configuration = &worker->plan->configurations[run.configuration];
    struct replay_settings settings = configuration->settings; /* whose texts stay the configuration's */
    struct report_run *report;

    *outcome = (struct report_outcome){.state = REPORT_MISSING};
    if (open_trace(worker, &run, error) != 0)
        return error->status == BASE_USAGE ? fail(outcome, error) : -1;
    settings.number[REPLAY_SEED] = run.seed;
    report = run_once(worker, configuration->topology, &settings, error);
    set_under_way(worker, 0, 0);
    if (check_inputs(configuration, report, error) != 0) {
        report_run_free(report);
        return -1;
    }
    if (report != NULL)
        report_outcome_of(report, outcome);
    report_run_free(report);
    if (report != NULL || error->status == BASE_INTERRUPTED)
        return 0;
    if (error->status != BASE_USAGE && error->status != BASE_DEADLOCK)
        return -1;
    return fail(outcome, error);
}

/* Legal for a worker that never opened anything. */
void replay_worker_end(struct replay_worker *worker)
{
    replay_kept_close(worker->plan->kept, worker->program);
    worker->program = NULL;
}

/* Places are given away in order, so that runs of one trace go to workers that have it open. */
bool replay_team_take(struct replay_team *team, struct replay_task *task)
{
    if (!base_team_take(&team->base, &task->place))
        return false;
    task->number = team->queue->todo[task->place];
    return true;
}

/* The outcome is passed on under the lock: who takes it need not know of threads. */
void replay_team_give(struct replay_team *team, const struct replay_task *task, int status,
                      const struct report_outcome *outcome, struct base_error *error)
{
    const struct replay_queue *queue = team->queue;

    /* What it had under way is a whole run now. */
    if (status == 0 && outcome->state != REPORT_MISSING) {
        base_team_lock(&team->base);
        replay_team_tell(team);
        status = queue->finished(queue->context, task->number, outcome, error);
        base_team_unlock(&team->base);
    }
    base_team_end(&team->base, task->place, status, error);
}

/* With the team's lock held, as `finished` is called with it: the user's functions never run at the same time. */
void replay_team_tell(struct replay_team *team)
{
    struct replay_under_way all = {atomic_load(&team->meter.thousandths),
                                   atomic_load(&team->meter.simulated_ns)};

    for (uint32_t rank = 1; team->others != NULL && rank < replay_world_size(team->world); rank++) {
        all.thousandths += team->others[rank].thousandths;
        all.simulated_ns += team->others[rank].simulated_ns;
    }
    if (team->queue->moved != NULL)
        team->queue->moved(team->queue->context, &all);
}

/* What a worker of rank 0 calls. */
static void tell_moved(void *context)
{
    struct replay_team *team = context;

    base_team_lock(&team->base);
    replay_team_tell(team);
    base_team_unlock(&team->base);
}

/* Outcome and error are the thread's own until they are given. */
static void work(struct base_team *base, void *context, bool is_caller)
{
    struct replay_team *team = context;
    struct replay_worker worker = {.plan = team->plan,
                                   .is_one_of_several = team->base.threads > 1,
                                   .stop = team->stop,
                                   .meter = &team->meter};
    struct report_outcome outcome;
    struct base_error error = {0};
    struct replay_task task;

    (void)base;
    if (is_caller && team->serve != NULL) {
        team->serve(team);
        return;
    }
    while (team->take(team, &task)) {
        int status = replay_worker_run(&worker, task.number, &outcome, &error);
        team->give(team, &task, status, &outcome, &error);
    }
    replay_worker_end(&worker);
}

/* A caller that serves other processes does not simulate itself: it has to answer them at any time. */
int replay_team_run(struct replay_team *team, uint32_t threads, struct base_error *error)
{
    team->base.threads = threads;
    team->base.stop = team->stop;
    team->base.caller_listens = team->serve != NULL;
    return base_team_run(&team->base, work, team, error);
}

/* The caller works too, unless it has others to serve. */
int replay_queue_run(const struct replay_queue *queue, struct base_error *error)
{
    struct replay_team team = {.base = {.count = queue->count},
                               .plan = queue->plan,
                               .world = queue->world,
                               .stop = queue->stop,
                               .take = replay_team_take,
                               .give = replay_team_give,
                               .serve = replay_world_size(queue->world) == 1 ? NULL : replay_team_serve,
                               .queue = queue,
                               .meter = {.moved = tell_moved}};

    team.meter.context = &team;
    return replay_team_run(&team, queue->threads, error);
}
