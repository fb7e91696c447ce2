/* A counter under a mutex. Pieces take milliseconds at least: nothing finer is worth its trouble. */
#include <config.h>

#include "base/team.h"

#define THREADS_MAX 64

/* What a helper is started with. */
struct helper {
    struct base_team *team; /* shared by all helpers of a run */
    base_team_work *work;   /* the caller's, which takes pieces until there are none */
    void *context;          /* handed to work */
};

/* What pthread_create wants; what a helper has done is told by base_team_end. It was counted before it was
 * there, so that it cannot have ended before it was counted. */
static void *help(void *argument)
{
    const struct helper *helper = argument;

    helper->work(helper->team, helper->context, false);
    pthread_mutex_lock(&helper->team->mutex);
    helper->team->working--;
    pthread_mutex_unlock(&helper->team->mutex);
    return NULL;
}

/* No number is given any more once one of those before has failed, or somebody has asked to stop; those that
 * are being worked on are finished. */
bool base_team_take(struct base_team *team, uint32_t *number)
{
    bool more;

    pthread_mutex_lock(&team->mutex);
    more = team->next < team->count && team->failed == UINT32_MAX &&
           (team->stop == NULL || !atomic_load(team->stop));
    if (more)
        *number = team->next++;
    pthread_mutex_unlock(&team->mutex);
    return more;
}

/* The lowest failure is kept, not the first in time: that would depend on threads. */
uint32_t base_team_end(struct base_team *team, uint32_t number, int status, const struct base_error *error)
{
    uint32_t done;

    pthread_mutex_lock(&team->mutex);
    if (status != 0 && number < team->failed) {
        team->failed = number;
        team->error = *error;
    }
    done = ++team->done;
    pthread_mutex_unlock(&team->mutex);
    return done;
}

/* Under the mutex, as helpers count themselves out under it. */
uint32_t base_team_working(struct base_team *team)
{
    uint32_t working;

    pthread_mutex_lock(&team->mutex);
    working = team->working;
    pthread_mutex_unlock(&team->mutex);
    return working;
}

/* The mutex that also guards the counter: take and end inside of it would wait for themselves. */
void base_team_lock(struct base_team *team)
{
    pthread_mutex_lock(&team->mutex);
}

/* By the thread that locked. */
void base_team_unlock(struct base_team *team)
{
    pthread_mutex_unlock(&team->mutex);
}

/* The mutex is given up while waiting. */
void base_team_wait(struct base_team *team)
{
    pthread_cond_wait(&team->changed, &team->mutex);
}

/* By the clock that base_team_run has chosen. */
void base_team_wait_for(struct base_team *team, uint32_t ms)
{
    struct timespec until = {0};

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&team->changed, &team->mutex, &until);
}

void base_team_wake(struct base_team *team)
{
    pthread_cond_broadcast(&team->changed);
}

/* No more threads than pieces; the caller is one of them where it works. */
static uint32_t helpers_wanted(const struct base_team *team)
{
    uint32_t threads = team->threads < team->count ? team->threads : team->count;
    uint32_t helpers = team->caller_listens || threads == 0 ? threads : threads - 1;

    return helpers < THREADS_MAX ? helpers : THREADS_MAX;
}

/* False: there can be no more. */
static bool start(struct helper *helper, pthread_t *thread)
{
    struct base_team *team = helper->team;
    int status;

    pthread_mutex_lock(&team->mutex);
    team->working++;
    status = pthread_create(thread, NULL, help, helper);
    team->working -= status != 0;
    pthread_mutex_unlock(&team->mutex);
    return status == 0;
}

/* All helpers share one description, which lives as long as they do. */
int base_team_run(struct base_team *team, base_team_work *work, void *context, struct base_error *error)
{
    struct helper helper = {team, work, context};
    pthread_t helpers[THREADS_MAX];
    pthread_condattr_t monotonic;
    uint32_t started = 0, wanted = helpers_wanted(team);

    team->next = team->done = team->working = 0;
    team->failed = UINT32_MAX;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&team->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    while (started < wanted && start(&helper, &helpers[started]))
        started++;
    work(team, context, true);
    while (started > 0)
        pthread_join(helpers[--started], NULL);
    pthread_cond_destroy(&team->changed);
    pthread_mutex_destroy(&team->mutex);
    return team->failed == UINT32_MAX ? 0 : base_error_set(error, team->error.status, "%s", team->error.text);
}
