/* Inside replay/: what threads and processes that do runs share. */
/* Threads meet at the mutex twice a run, which takes seconds: nothing finer is worth its trouble. The threads
 * of rank 0 take from the list itself, those of other ranks from rank 0; neither knows the difference. */
#ifndef REPLAY_QUEUE_INTERNAL_H
#define REPLAY_QUEUE_INTERNAL_H

#include <pthread.h>

#include "replay/queue.h"

#define REPLAY_THREADS_MAX 64

struct replay_task {
    uint32_t place, number; /* in todo, and of the run */
};

struct replay_team {
    const struct replay_plan *plan;
    const atomic_bool *stop; /* of the runs; may be NULL */
    pthread_mutex_t mutex;
    /* Both under the mutex. False: there is no run for this thread any more. */
    bool (*take)(struct replay_team *team, struct replay_task *task);
    void (*give)(struct replay_team *team, const struct replay_task *task, int status,
                 const struct report_outcome *outcome, struct base_error *error);
    pthread_t threads[REPLAY_THREADS_MAX];
    uint32_t started, working; /* threads; those that may still take, which the mutex guards */
    /* Of rank 0. */
    const struct replay_queue *queue;
    uint32_t next;
    uint32_t failed; /* the first place in todo that could not be done, or UINT32_MAX */
    struct base_error error;
};

void replay_team_start(struct replay_team *team, uint32_t threads);
/* Waits for the threads. */
void replay_team_end(struct replay_team *team);
/* take and give of rank 0, also for what other ranks take and give. */
bool replay_team_take(struct replay_team *team, struct replay_task *task);
void replay_team_give(struct replay_team *team, const struct replay_task *task, int status,
                      const struct report_outcome *outcome, struct base_error *error);
/* Does what other ranks ask for until all of them, and the threads of this one, have ended. */
void replay_team_serve(struct replay_team *team);

#endif
