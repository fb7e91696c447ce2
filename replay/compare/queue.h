/* The work of a comparison: runs by number, done by threads, and by other processes. */
/* The order in which runs finish is nobody's business: outcomes are told by number, and whoever takes them
 * puts them where they belong. A run that is stopped in its middle is told as a part (REPORT_PARTIAL), or not
 * at all where its network was not yet replayed; it is done from its beginning when the comparison goes on.
 */
#ifndef REPLAY_COMPARE_QUEUE_H
#define REPLAY_COMPARE_QUEUE_H

#include <stdatomic.h>

#include "replay/compare/plan.h"
#include "replay/system/world.h"
#include "traces/program.h"

/* How far runs are that are under way: those of a worker, of a process, or of all of them. */
struct replay_under_way {
    uint64_t thousandths;  /* of runs */
    uint64_t simulated_ns; /* on their networks */
};

/* What the workers of a process have under way together; each adds its own. */
struct replay_meter {
    atomic_ullong thousandths, simulated_ns; /* sums over the workers */
    void (*moved)(void *context);            /* by any worker, whenever it has come farther; may be NULL */
    void *context;
};

/* Does runs one after the other; keeps the trace open that it read last. */
struct replay_worker {
    const struct replay_plan *plan; /* borrowed */
    bool is_one_of_several;         /* workers of this process, at the same time */
    const atomic_bool *stop;        /* may be NULL */
    struct replay_meter *meter;     /* may be NULL */
    struct trace_program *program;
    uint32_t trace, configuration; /* that program was opened for */
    /* The worker's own: of the run that it is in. */
    struct replay_under_way under_way;
    const char *replayed;           /* the network; NULL: the ranks are being placed */
    uint32_t replays, replays_done; /* on networks with effects */
};

/* Does a run. A run that is impossible (BASE_USAGE) or ends in a deadlock has an outcome as well:
 * REPORT_FAILED; so has one that was stopped while its network was replayed: REPORT_PARTIAL. -1: memory, or a
 * trace that cannot be read any more. */
int replay_worker_run(struct replay_worker *worker, uint32_t number, struct report_outcome *outcome,
                      struct base_error *error);
void replay_worker_end(struct replay_worker *worker);

struct replay_queue {
    const struct replay_plan *plan;   /* borrowed */
    const struct replay_world *world; /* borrowed; NULL: this process alone */
    const uint32_t *todo;             /* numbers of runs */
    uint32_t count, threads;
    /* Told each outcome but missing ones, by one thread at a time, in any order. -1 with the error ends the
     * work. */
    int (*finished)(void *context, uint32_t number, const struct report_outcome *outcome,
                    struct base_error *error);
    /* Told how far the runs are that are under way, of all threads and processes, now and then and by one
     * thread at a time; never at the same time as `finished`. May be NULL. */
    void (*moved)(void *context, const struct replay_under_way *under_way);
    const atomic_bool *stop; /* once true, runs end and none is begun. May be NULL */
    void *context;
};

/* Of rank 0, which hands out runs to the others and to threads of its own. 0 also when it was stopped. -1:
 * the error of the first run, in their order, that could not be done; those that were begun before are
 * finished. Where there are others this must be called once, with nothing to do where there is nothing: it is
 * what they wait for. */
int replay_queue_run(const struct replay_queue *queue, struct base_error *error);

/* ---- several processes (replay/system/world.h) ---- */

/* By all of them, once: whether every one of them has the same plan; NULL and the error of one that has none.
 * 0 in all, or -1 in all: rank 0 has the sentence then. *here, unless NULL:
 * of rank 0, how many of them are on its machine. */
int replay_queue_agree(const struct replay_world *world, const struct replay_plan *plan, uint32_t *here,
                       struct base_error *error);
/* By all but rank 0: does runs of the plan until there are no more. What goes wrong is told to rank 0; meanwhile
 * *stop ends the runs of this process, and rank 0's word sets it. */
void replay_queue_join(const struct replay_world *world, const struct replay_plan *plan, uint32_t threads,
                       atomic_bool *stop);

#endif
