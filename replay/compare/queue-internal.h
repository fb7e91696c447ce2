/* Inside replay/: what threads and processes that do runs share. */
/* Threads meet at the mutex twice a run, which takes seconds: nothing finer is worth its trouble. The threads
 * of rank 0 take from the list itself, those of other ranks from rank 0; neither knows the difference. */
#ifndef REPLAY_COMPARE_QUEUE_INTERNAL_H
#define REPLAY_COMPARE_QUEUE_INTERNAL_H

#include "base/team.h"
#include "replay/compare/queue.h"

struct replay_task {
    uint32_t place, number; /* in todo, and of the run */
};

struct replay_team {
    struct base_team base; /* its pieces are places in todo; those of other ranks than 0 are not counted */
    const struct replay_plan *plan;
    const struct replay_world *world; /* NULL: this process alone */
    const atomic_bool *stop;          /* of the runs; may be NULL */
    /* Both by any thread. False: there is no run for this thread any more. */
    bool (*take)(struct replay_team *team, struct replay_task *task);
    void (*give)(struct replay_team *team, const struct replay_task *task, int status,
                 const struct report_outcome *outcome, struct base_error *error);
    /* What the caller does while others work; NULL: it works too. */
    void (*serve)(struct replay_team *team);
    const struct replay_queue *queue; /* of rank 0 */
    atomic_bool *told;                /* of other ranks: what END raises */
    struct replay_meter meter;        /* of this process */
    struct replay_under_way *others;  /* [rank], of rank 0: what each told last; NULL: there are none */
};

/* Runs until there are no more. -1: the error of the first that could not be done. */
int replay_team_run(struct replay_team *team, uint32_t threads, struct base_error *error);
/* take and give of rank 0, also for what other ranks take and give. */
bool replay_team_take(struct replay_team *team, struct replay_task *task);
void replay_team_give(struct replay_team *team, const struct replay_task *task, int status,
                      const struct report_outcome *outcome, struct base_error *error);
/* Of rank 0: tells the queue's owner how far all are. The team is locked. */
void replay_team_tell(struct replay_team *team);
/* Does what other ranks ask for until all of them, and the threads of this one, have ended. */
void replay_team_serve(struct replay_team *team);

#endif
