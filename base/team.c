/* A counter under a mutex. Pieces take milliseconds at least: nothing finer is worth its trouble. */
#include <config.h>

#include "base/team.h"

#define THREADS_MAX 64

/* What a helper is started with. */
struct helper {
    struct base_team *team;
    base_team_work *work;
    void *context;
};

/* What pthread_create wants; what a helper has done is told by base_team_end. */
static void *help(void *argument)
{
    const struct helper *helper = argument;

    helper->work(helper->team, helper->context, false);
    return NULL;
}

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

void base_team_lock(struct base_team *team)
{
    pthread_mutex_lock(&team->mutex);
}

void base_team_unlock(struct base_team *team)
{
    pthread_mutex_unlock(&team->mutex);
}

/* All helpers share one description, which lives as long as they do. */
int base_team_run(struct base_team *team, base_team_work *work, void *context, struct base_error *error)
{
    struct helper helper = {team, work, context};
    pthread_t helpers[THREADS_MAX];
    uint32_t started = 0;

    team->next = team->done = 0;
    team->failed = UINT32_MAX;
    pthread_mutex_init(&team->mutex, NULL);
    while (started + 1 < team->threads && started + 1 < team->count && started < THREADS_MAX &&
           pthread_create(&helpers[started], NULL, help, &helper) == 0)
        started++;
    work(team, context, true);
    while (started > 0)
        pthread_join(helpers[--started], NULL);
    pthread_mutex_destroy(&team->mutex);
    return team->failed == UINT32_MAX ? 0 : base_error_set(error, team->error.status, "%s", team->error.text);
}
