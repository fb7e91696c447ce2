/* Signals while a command works: SIGINT asks it to end with what it has, SIGUSR1 where it is.
 *
 * Both are blocked in the whole process and taken by a thread of their own, so that nothing runs inside a
 * signal handler and no variable is global. The work looks at `stop` now and then; a second SIGINT ends the
 * program at once, as an unwatched one does. SIGTERM is as good as SIGINT where mpirun has started several
 * processes, since that is what it makes of the user's SIGINT. Threads that are started meanwhile inherit the
 * blocked mask. */
#ifndef REPLAY_SYSTEM_SIGNALS_H
#define REPLAY_SYSTEM_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct replay_signals {
    atomic_bool stop;   /* SIGINT has come: for the work to look at */
    atomic_bool ending; /* for the thread alone */
    bool is_running;
    bool is_heard; /* what happens is told on standard error: by one of several processes */
    pthread_t thread;
    sigset_t watched;
    sigset_t before; /* the caller's mask, given back at the end */
    void (*tell)(void *context);
    void *context;
};

/* Watches until replay_signals_end. `tell` is called by the thread for every SIGUSR1. A thread that cannot be
 * had leaves the signals as they were. SIGINT is left alone where the caller's parent ignores it. */
void replay_signals_start(struct replay_signals *signals, void (*tell)(void *context), void *context);
/* Legal for one that is zero or has ended. `stop` keeps its value. */
void replay_signals_end(struct replay_signals *signals);

#endif
