/* Threads that share a list of numbered pieces of work.
 *
 *      piece 0 1 2 3 …        taken in order by whoever is free
 *            │ │ │ │
 *      the caller and its helpers, each in `work`:
 *
 *          while (base_team_take(team, &number))
 *              base_team_end(team, number, do_piece(number, &error), &error);
 *
 * What a piece does may depend on its number alone; then it does not matter how many threads there are,
 * and the failure that is told is the same too. What a thread keeps between pieces is a variable of its
 * `work`. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct base_team {
    uint32_t count, threads; /* pieces; threads of 0 or 1: the caller alone */
    const atomic_bool *stop; /* once true, no piece is begun. May be NULL */
    bool caller_listens; /* it takes no pieces: all threads are helpers, and pieces may come from elsewhere */
    /* The team's own, from here on. */
    pthread_mutex_t mutex;
    pthread_cond_t changed;      /* what base_team_wait waits for */
    uint32_t next, done, failed; /* failed: the lowest piece that failed, or UINT32_MAX */
    uint32_t working;            /* helpers that are still in `work` */
    struct base_error error;
};

typedef void base_team_work(struct base_team *team, void *context, bool is_caller);

/* Runs `work` in the caller's thread and in helpers, at most as many as there are pieces; a helper that
 * cannot be had is done without. 0, also when it was stopped; -1: the error of the lowest piece that
 * failed. */
int base_team_run(struct base_team *team, base_team_work *work, void *context, struct base_error *error);

/* For `work`. The next piece; false: there is none, one has failed, or the team was stopped. Pieces before
 * one that fails have all been begun. */
bool base_team_take(struct base_team *team, uint32_t *number);
/* Tells that a piece is over; how many are, itself included. `error` is read where the status is not 0. */
uint32_t base_team_end(struct base_team *team, uint32_t number, int status, const struct base_error *error);
/* For a caller that listens: how many helpers are still in `work`. All that could be had have been started by then. */
uint32_t base_team_working(struct base_team *team);
/* Around what one thread may do at a time; not around take and end. */
void base_team_lock(struct base_team *team);
void base_team_unlock(struct base_team *team);
/* With the lock held, which others have meanwhile: until somebody calls base_team_wake, or without a reason. So the
 * caller looks again at what it waits for. */
void base_team_wait(struct base_team *team);
/* The same, and no longer than so many milliseconds. */
void base_team_wait_for(struct base_team *team, uint32_t ms);
/* With the lock held: all that wait look again. */
void base_team_wake(struct base_team *team);

#endif
