/* A queue of maps in the order of the sequence, whose head is settled as soon as it has been judged:
 *
 *      propose ──► RUNNING ──► DONE ──► settled, and FREE          by whoever finds the head done
 *                     │          │
 *                     └──────────┴──► dropped: a better map in front of it has become the best
 *
 * Everything here is done under the team's lock, but for the simulations themselves. A map that is known is not
 * simulated again. That needs no time of it, only whether it was slower than the best: the best never becomes slower,
 * so that it still is; and of maps that are as fast the costs decide, which do not change either. */
#include <config.h>

#include "mappers/searches/trials.h"

#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/arithmetic.h"
#include "base/team.h"

#define AHEAD 4 /* maps for each thread that may wait for one in front of them */
#define LOOK_MS 20
#define KNOWN_BYTES (4U << 20)    /* of maps that are remembered; the oldest are forgotten first */
#define KNOWN_MOST UINT64_C(4096) /* so that looking for one takes no time beside a simulation */

/* A map between its proposal and its verdict. */
struct trial {
    enum { FREE, RUNNING, DONE } state;
    bool depends;              /* on the best map when it was proposed */
    bool is_known;             /* it was judged before */
    bool is_dropped;           /* while running: nobody waits for it */
    atomic_bool stop;          /* the same, for the simulator */
    uint32_t *slot, *terminal; /* [rank] */
    struct base_random before; /* the generator, before the map was proposed */
    uint64_t most_ns, time_ns;
    int status;
    struct base_error error;
};

struct trials {
    struct base_team team;
    const struct map_call *call;
    const struct map_proposer *proposer;
    struct base_random random; /* of the next proposal */
    uint32_t *best;
    struct map_times *times;
    struct trial *pool;   /* [pool_count]: those that run and those in the queue */
    struct trial **queue; /* [count]: the head first */
    uint32_t pool_count, count, most;
    uint32_t *known_slot; /* [known_most][ranks]: maps that were settled */
    uint64_t *known_ns;   /* [known_most] */
    uint64_t known_most, known_count;
    bool is_over;
    int status;
    struct base_error error;
};

/* ---- maps that are known ---- */

static size_t map_bytes(const struct trials *trials)
{
    return trials->call->problem->ranks * sizeof(uint32_t);
}

static void remember(struct trials *trials, const struct trial *trial)
{
    size_t place = base_size(trials->known_count++ % trials->known_most);

    memcpy(trials->known_slot + place * trials->call->problem->ranks, trial->slot, map_bytes(trials));
    trials->known_ns[place] = trial->time_ns;
}

/* Whether the verdict on the map is there already. */
static bool find_known(const struct trials *trials, struct trial *trial)
{
    uint64_t count = trials->known_count < trials->known_most ? trials->known_count : trials->known_most;

    for (size_t i = 0; i < count; i++)
        if (memcmp(trials->known_slot + i * trials->call->problem->ranks, trial->slot, map_bytes(trials)) ==
            0) {
            trial->time_ns = trials->known_ns[i];
            return true;
        }
    return false;
}

/* ---- the sequence ---- */

/* Those from a place of the queue on are dropped; who is being simulated is told to stop. */
static void drop_from(struct trials *trials, uint32_t place)
{
    for (uint32_t i = place; i < trials->count; i++) {
        struct trial *trial = trials->queue[i];
        trial->is_dropped = trial->state == RUNNING;
        atomic_store(&trial->stop, true);
        if (!trial->is_dropped)
            trial->state = FREE;
    }
    trials->count = place < trials->count ? place : trials->count;
}

/* Maps that depend on the best are behind all that do not. */
static void propose_anew(struct trials *trials)
{
    for (uint32_t i = 0; i < trials->count; i++)
        if (trials->queue[i]->depends) {
            trials->random = trials->queue[i]->before;
            drop_from(trials, i);
        }
}

/* Kept when it is faster than the best, or as fast and no dearer. */
static bool is_kept(const struct trials *trials, const struct trial *trial)
{
    const struct map_problem *problem = trials->call->problem;

    return trial->time_ns < trials->times->found_ns ||
           (trial->time_ns == trials->times->found_ns &&
            map_problem_cost(problem, trial->slot) <= map_problem_cost(problem, trials->best));
}

/* The verdict on the head of the queue, which has left it. */
static void settle_one(struct trials *trials, struct trial *trial)
{
    if (trial->status != 0) {
        trials->status = base_error_set(&trials->error, trial->error.status, "%s", trial->error.text);
        return;
    }
    if (trials->times->first_ns == MAP_SLOWER)
        trials->times->first_ns = trial->time_ns;
    map_budget_spend(trials->call->budget, 1);
    if (!trial->is_known)
        remember(trials, trial);
    if (!is_kept(trials, trial))
        return;
    trials->times->found_ns = trial->time_ns;
    if (memcmp(trials->best, trial->slot, map_bytes(trials)) == 0)
        return;
    memcpy(trials->best, trial->slot, map_bytes(trials));
    propose_anew(trials);
}

/* All at the head that have been judged. */
static void settle(struct trials *trials)
{
    while (trials->count > 0 && trials->queue[0]->state == DONE) {
        struct trial *trial = trials->queue[0];
        trials->count--;
        memmove(trials->queue, trials->queue + 1, trials->count * sizeof(struct trial *));
        settle_one(trials, trial);
        trial->state = FREE;
        trials->is_over = trials->status != 0 || !map_budget_left(trials->call->budget);
        if (trials->is_over)
            drop_from(trials, 0);
    }
    base_team_wake(&trials->team);
}

/* There is one: as many as may run besides those that may be in the queue. */
static struct trial *free_trial(struct trials *trials)
{
    struct trial *trial = trials->pool;

    while (trial->state != FREE)
        trial++;
    trial->is_known = trial->is_dropped = false;
    trial->status = 0;
    atomic_store(&trial->stop, false);
    return trial;
}

static bool has_room(const struct trials *trials)
{
    const struct map_budget *budget = trials->call->budget;

    return trials->count < trials->most && trials->count < budget->limit - budget->used;
}

/* The next map to be simulated by whoever asks. NULL: none, or not before the head is settled. A failure to propose is
 * the verdict on the map that was not made: those in front of it may have failed before. */
static struct trial *next_trial(struct trials *trials)
{
    const struct map_problem *problem = trials->call->problem;

    while (!trials->is_over && has_room(trials)) {
        struct trial *trial = free_trial(trials);
        int made;
        trial->before = trials->random;
        made = trials->proposer->propose(trials->proposer->context, &trials->random, trials->best,
                                         trial->slot, &trial->depends, &trial->error);
        if (made == 0)
            break;
        trial->status = made < 0 ? -1 : 0;
        trial->is_known = made > 0 && find_known(trials, trial);
        trial->most_ns = trials->times->found_ns;
        trials->queue[trials->count++] = trial;
        trial->state = made < 0 || trial->is_known ? DONE : RUNNING;
        for (uint32_t rank = 0; trial->state == RUNNING && rank < problem->ranks; rank++)
            trial->terminal[rank] = problem->terminal[trial->slot[rank]];
        if (trial->state == RUNNING)
            return trial;
        settle(trials);
    }
    trials->is_over = trials->is_over || trials->count == 0;
    return NULL;
}

/* ---- simulating ---- */

/* Without the lock. */
static void simulate(struct trials *trials, struct trial *trial)
{
    const struct map_judge *judge = trials->call->judge;
    const struct map_trial asked = {trial->terminal, trial->most_ns, &trial->stop};
    struct base_error error = {0};
    uint64_t time_ns = MAP_SLOWER;
    int status;

    base_team_unlock(&trials->team);
    status = judge->judge(judge->context, &asked, &time_ns, &error);
    base_team_lock(&trials->team);
    trial->status = status;
    trial->time_ns = time_ns;
    trial->error = error;
    trial->state = trial->is_dropped ? FREE : DONE;
}

/* ---- ending in the middle ---- */

static bool is_stopped(const struct map_budget *budget)
{
    return budget->stop != NULL && atomic_load_explicit(budget->stop, memory_order_relaxed);
}

/* Half a simulation judges nothing: what is under way is dropped, but for the first of a search that is late, since it
 * would have nothing to say. */
static bool is_to_end(const struct trials *trials)
{
    const struct map_budget *budget = trials->call->budget;

    return is_stopped(budget) || (trials->times->found_ns != MAP_SLOWER && map_budget_time_left(budget) == 0);
}

/* A thread beside those that simulate, which may take minutes: whoever stops a search waits no longer than LOOK_MS. */
static void *look(void *context)
{
    struct trials *trials = context;

    base_team_lock(&trials->team);
    while (!trials->is_over) {
        base_team_wait_for(&trials->team, LOOK_MS);
        if (!trials->is_over && is_to_end(trials)) {
            trials->is_over = true;
            drop_from(trials, 0);
            base_team_wake(&trials->team);
        }
    }
    base_team_unlock(&trials->team);
    return NULL;
}

/* Where there can be no such thread, searches end behind a simulation. */
static bool start_looking(struct trials *trials, pthread_t *thread)
{
    const struct map_budget *budget = trials->call->budget;

    return (budget->stop != NULL || map_budget_time_left(budget) != UINT64_MAX) &&
           pthread_create(thread, NULL, look, trials) == 0;
}

/* Every thread proposes, simulates and settles; one that has nothing to do waits for those that simulate. */
static void work(struct base_team *team, void *context, bool is_caller)
{
    struct trials *trials = context;
    struct trial *trial;
    pthread_t looking;
    bool looks = is_caller && start_looking(trials, &looking);

    base_team_lock(team);
    while (!trials->is_over) {
        trial = next_trial(trials);
        if (trial != NULL) {
            simulate(trials, trial);
            settle(trials);
        } else if (!trials->is_over) {
            base_team_wait(team);
        }
    }
    base_team_wake(team);
    base_team_unlock(team);
    if (looks)
        pthread_join(looking, NULL);
}

/* ---- making ---- */

static int allocate(struct trials *trials, uint32_t threads, struct base_arena *arena,
                    struct base_error *error)
{
    size_t ranks = trials->call->problem->ranks;
    uint64_t fitting = KNOWN_BYTES / sizeof(uint32_t) / (ranks + 1);

    trials->most = threads * AHEAD;
    trials->pool_count = trials->most + threads;
    trials->known_most = fitting < KNOWN_MOST ? fitting + 1 : KNOWN_MOST;
    trials->pool = base_arena_array(arena, trials->pool_count, sizeof *trials->pool);
    trials->queue = base_arena_array(arena, trials->most, sizeof(struct trial *));
    trials->known_slot =
        base_arena_array(arena, base_size(trials->known_most) * ranks, sizeof *trials->known_slot);
    trials->known_ns = base_arena_array(arena, base_size(trials->known_most), sizeof *trials->known_ns);
    for (uint32_t i = 0; trials->pool != NULL && i < trials->pool_count; i++) {
        trials->pool[i].slot = base_arena_array(arena, ranks, sizeof(uint32_t));
        trials->pool[i].terminal = base_arena_array(arena, ranks, sizeof(uint32_t));
        if (trials->pool[i].slot == NULL || trials->pool[i].terminal == NULL)
            trials->pool_count = 0;
    }
    return trials->pool == NULL || trials->pool_count == 0 || trials->queue == NULL ||
                   trials->known_slot == NULL || trials->known_ns == NULL
               ? base_error_memory(error, "a search by replay")
               : 0;
}

int map_trials_run(const struct map_call *call, const struct map_proposer *proposer,
                   const struct base_random *random, uint32_t *best, struct map_times *times,
                   struct base_error *error)
{
    uint32_t threads = call->effort.threads > 1 ? call->effort.threads : 1;
    int shared =
        threads > 1 && call->judge->share != NULL ? call->judge->share(call->judge->context, error) : 0;
    struct trials trials = {
        .call = call, .proposer = proposer, .random = *random, .best = best, .times = times};
    struct base_arena arena = {0};
    int status;

    if (shared < 0)
        return -1;
    *times = (struct map_times){MAP_SLOWER, MAP_SLOWER};
    trials.team.count = trials.team.threads = shared > 0 ? threads : 1;
    status = allocate(&trials, trials.team.threads, &arena, error);
    if (status == 0)
        status = base_team_run(&trials.team, work, &trials, error);
    if (status == 0 && trials.status != 0)
        status = base_error_set(error, trials.error.status, "%s", trials.error.text);
    if (status == 0 && times->found_ns == MAP_SLOWER && is_stopped(call->budget))
        status = base_error_set(error, BASE_INTERRUPTED, "interrupted before there was a result");
    base_arena_free(&arena);
    return status;
}
