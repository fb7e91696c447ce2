/* Runs in other processes.
 *
 *      rank 0                                   rank 1, 2 ...
 *                                      ◄── ASK  a thread wants a run
 *      replay_team_take ──► TASK                does it
 *      replay_team_give                ◄── ASK  with its outcome
 *                                      ◄── ASK  how far all of its threads are, now and then
 *      ...                             ◄── ASK  all threads have ended
 *      END, once to each: all have said so, or the user has interrupted
 *
 * All talk is begun by the workers, so that rank 0 need not know how many threads they have. */
#include <config.h>

#include "replay/compare/queue-internal.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "replay/system/world.h"

/* What a worker says. The error is sent only where there is one: it is longer than all else together. */
enum request_kind { REQUEST_TASK, REQUEST_OUTCOME, REQUEST_MOVED, REQUEST_LEAVE };

struct request {
    enum request_kind kind;            /* says which of the fields below count */
    int status;                        /* of the run: 0, or -1 with the error */
    struct replay_under_way under_way; /* of the process that asks */
    struct replay_task task;           /* that the outcome is of */
    struct report_outcome outcome;
    struct base_error error; /* of the run, when its status is not 0 */
};

/* A place that no run has: there is none to do. */
static const struct replay_task nothing = {UINT32_MAX, UINT32_MAX};

/* ---- rank 0 ---- */

/* How many have left, and whether they know that it is over. Those that have left listen on, so that END goes
 * to all at one time, and to nobody twice. */
struct service {
    uint32_t left; /* processes that have left */
    bool is_told;  /* END has been sent */
};

/* One request of another process, answered by rank 0 while its own threads simulate. A task is answered even when
 * there is none, since the other waits for it; an outcome, a progress and a farewell are not. */
static void answer(struct replay_team *team, struct service *service, uint32_t source,
                   struct request *request)
{
    struct replay_task task = nothing;

    if (team->others != NULL)
        team->others[source] = request->under_way;
    switch (request->kind) {
    case REQUEST_TASK:
        if (!replay_team_take(team, &task))
            task = nothing;
        replay_world_send(team->world, source, REPLAY_WORLD_TASK, &task, sizeof task);
        break;
    case REQUEST_OUTCOME:
        replay_team_give(team, &request->task, request->status, &request->outcome, &request->error);
        break;
    case REQUEST_MOVED:
        base_team_lock(&team->base);
        replay_team_tell(team);
        base_team_unlock(&team->base);
        break;
    default:
        service->left++;
        break;
    }
}

/* Those that are in the middle of a run stop it. */
static void tell_all(const struct replay_team *team, struct service *service)
{
    if (service->is_told)
        return;
    for (uint32_t rank = 1; rank < replay_world_size(team->world); rank++)
        replay_world_send(team->world, rank, REPLAY_WORLD_END, "", 1);
    service->is_told = true;
}

/* A look at the messages, and whether there are more to come. */
static bool serve_once(struct replay_team *team, struct service *service, uint32_t *naps)
{
    struct request request;
    uint32_t source;

    if (team->stop != NULL && atomic_load(team->stop))
        tell_all(team, service);
    while (replay_world_receive(team->world, REPLAY_WORLD_ASK, &source, &request, sizeof request)) {
        answer(team, service, source, &request);
        *naps = 0;
    }
    return base_team_working(&team->base) > 0 || service->left + 1 < replay_world_size(team->world);
}

/* Without a thread anywhere nothing would be done, and nobody would say so: then there is a run left to take
 * here. */
void replay_team_serve(struct replay_team *team)
{
    struct service service = {0};
    struct base_error error = {0};
    struct replay_task task;
    uint32_t naps = 0;

    team->others = calloc(replay_world_size(team->world),
                          sizeof *team->others); /* without it, only this rank's are told */
    while (serve_once(team, &service, &naps))
        replay_world_nap(&naps);
    tell_all(team, &service);
    if (replay_team_take(team, &task)) {
        base_error_set(&error, BASE_SYSTEM, "no process can start a thread");
        base_team_end(&team->base, task.place, -1, &error);
    }
    free(team->others);
    team->others = NULL;
}

/* ---- the others ---- */

#define MOVED_SECONDS 0.2 /* between two messages of how far the threads are */

/* What this process would tell; rank 0 adds up what all have told (replay_team_tell). */
static struct replay_under_way under_way_of(const struct replay_team *team)
{
    return (struct replay_under_way){atomic_load(&team->meter.thousandths),
                                     atomic_load(&team->meter.simulated_ns)};
}

/* Waits with the lock held: rank 0 answers at once, and whoever else wants a run has to wait as well. */
static bool take_there(struct replay_team *team, struct replay_task *task)
{
    const struct request request = {.kind = REQUEST_TASK, .under_way = under_way_of(team)};
    uint32_t naps = 0;

    base_team_lock(&team->base);
    replay_world_send(team->world, 0, REPLAY_WORLD_ASK, &request, offsetof(struct request, error));
    while (!replay_world_receive(team->world, REPLAY_WORLD_TASK, NULL, task, sizeof *task))
        replay_world_nap(&naps);
    base_team_unlock(&team->base);
    return task->number != nothing.number;
}

/* With the place that rank 0 gave the run, so that of several failures it can keep the first. */
static void give_there(struct replay_team *team, const struct replay_task *task, int status,
                       const struct report_outcome *outcome, struct base_error *error)
{
    struct request request = {.kind = REQUEST_OUTCOME,
                              .status = status,
                              .under_way = under_way_of(team),
                              .task = *task,
                              .outcome = *outcome};

    if (status != 0)
        request.error = *error;
    base_team_lock(&team->base);
    replay_world_send(team->world, 0, REPLAY_WORLD_ASK, &request,
                      status != 0 ? sizeof request : offsetof(struct request, error));
    base_team_unlock(&team->base);
}

/* Whether END has come, which stops the runs that are being done. */
static bool is_over(struct replay_team *team)
{
    char byte;
    bool has_come;

    base_team_lock(&team->base);
    has_come = replay_world_receive(team->world, REPLAY_WORLD_END, NULL, &byte, sizeof byte);
    base_team_unlock(&team->base);
    if (has_come)
        atomic_store(team->told, true);
    return has_come;
}

/* When it was told last, and how far they were. */
struct told {
    struct timespec when; /* on the monotonic clock */
    uint64_t thousandths;
};

/* Tells rank 0 how far the threads are, where that has changed, and not too often. */
static void tell_moved(struct replay_team *team, struct told *told)
{
    const struct request request = {.kind = REQUEST_MOVED, .under_way = under_way_of(team)};
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (request.under_way.thousandths == told->thousandths ||
        (double)(now.tv_sec - told->when.tv_sec) + (double)(now.tv_nsec - told->when.tv_nsec) * 1e-9 <
            MOVED_SECONDS)
        return;
    *told = (struct told){now, request.under_way.thousandths};
    base_team_lock(&team->base);
    replay_world_send(team->world, 0, REPLAY_WORLD_ASK, &request, offsetof(struct request, error));
    base_team_unlock(&team->base);
}

/* Listens while the threads work, says goodbye, and waits to be told that it is over unless it was. */
static void listen_there(struct replay_team *team)
{
    const struct request goodbye = {.kind = REQUEST_LEAVE};
    struct told told = {0};
    bool has_ended = false;
    uint32_t naps = 0;

    while (base_team_working(&team->base) > 0) {
        has_ended = has_ended || is_over(team);
        tell_moved(team, &told);
        replay_world_nap(&naps);
    }
    replay_world_send(team->world, 0, REPLAY_WORLD_ASK, &goodbye, offsetof(struct request, error));
    while (!has_ended && !is_over(team))
        replay_world_nap(&naps);
}

/* As many threads as were asked for: how many runs there are is known to rank 0, which also has all errors.
 */
void replay_queue_join(const struct replay_world *world, const struct replay_plan *plan, uint32_t threads,
                       atomic_bool *stop)
{
    struct base_error error = {0};
    struct replay_team team = {.base = {.count = UINT32_MAX},
                               .plan = plan,
                               .world = world,
                               .stop = stop,
                               .take = take_there,
                               .give = give_there,
                               .serve = listen_there,
                               .told = stop};

    replay_team_run(&team, threads, &error);
}

/* ---- before anything is run ---- */

/* What a process says of its plan. Bytes, since they are compared and printed only. */
struct credential {
    uint32_t status; /* 0, or that of the error whose sentence follows */
    char digest[BASE_DIGEST_TEXT], host[64], text[BASE_ERROR_TEXT];
};

/* A process whose plan has failed says why, in place of its digest: rank 0 tells the user, once for all. */
static void introduce(const struct replay_plan *plan, const struct base_error *error,
                      struct credential *credential)
{
    *credential = (struct credential){.status = plan != NULL ? 0 : (uint32_t)error->status};
    if (gethostname(credential->host, sizeof credential->host - 1) != 0)
        snprintf(credential->host, sizeof credential->host, "an unknown host");
    if (plan != NULL)
        replay_plan_digest(plan, credential->digest);
    else
        snprintf(credential->text, sizeof credential->text, "%s", error->text);
}

/* Rank 0's own error is told as it is: where all have the same, which is mostly so, it is told once. */
static int judge(const struct credential *all, uint32_t size, struct base_error *error)
{
    if (all[0].status != 0)
        return -1;
    for (uint32_t rank = 1; rank < size; rank++) {
        if (all[rank].status != 0)
            return base_error_set(error, (enum base_status)all[rank].status, "rank %u of %u, on %s: %s", rank,
                                  size, all[rank].host, all[rank].text);
        if (strcmp(all[rank].digest, all[0].digest) != 0)
            return base_error_set(
                error, BASE_INPUT,
                "rank %u of %u, on %s: its version, traces, options or machine differ from those "
                "of rank 0",
                rank, size, all[rank].host);
    }
    return 0;
}

static uint32_t count_here(const struct credential *all, uint32_t size)
{
    uint32_t here = 0;

    for (uint32_t rank = 0; rank < size; rank++)
        here += strcmp(all[rank].host, all[0].host) == 0;
    return here;
}

/* All processes come here, whether their plans were made or not, and all leave with one verdict: none waits for a
 * process that has given up. */
int replay_queue_agree(const struct replay_world *world, const struct replay_plan *plan, uint32_t *here,
                       struct base_error *error)
{
    uint32_t size = replay_world_size(world);
    bool is_first = replay_world_rank(world) == 0;
    struct credential mine;
    struct credential *all = NULL;
    int verdict = -1;

    if (here != NULL)
        *here = 1;
    if (size == 1)
        return plan == NULL ? -1 : 0;
    introduce(plan, error, &mine);
    if (is_first)
        all = malloc(size * sizeof *all);
    if (is_first && all == NULL)
        base_error_memory(error, "the other processes");
    verdict = is_first && all == NULL ? -1 : 0;
    replay_world_broadcast(world, &verdict, sizeof verdict);
    if (verdict == 0) {
        replay_world_gather(world, &mine, all, sizeof mine);
        verdict = is_first ? judge(all, size, error) : 0;
        if (is_first && here != NULL)
            *here = count_here(all, size);
        replay_world_broadcast(world, &verdict, sizeof verdict);
    }
    free(all);
    return verdict;
}
