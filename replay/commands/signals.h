/* Signals, from the program's start to its end: SIGINT, SIGTERM and SIGHUP ask it to end, SIGUSR1 where it is.
 *
 *      at work (a command attends)    the first one stops the request: the work ends with what it has
 *      reading, writing               ends the program, as one that nobody waits for; so does the second one, and the
 *                                     first where an input is a pipe
 *
 * All are blocked in the whole process and taken by a thread of their own, so that nothing runs inside a
 * signal handler and no variable is global. Before it ends the program that thread removes what the process has
 * begun to write. Threads that are started meanwhile inherit the blocked mask. SIGXFSZ is ignored: a file that
 * may not grow any more is then an error of writing, like a full disk. */
#ifndef REPLAY_COMMANDS_SIGNALS_H
#define REPLAY_COMMANDS_SIGNALS_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "replay/library/flitreplay.h"

struct replay_signals {
    atomic_bool stopped;  /* a signal has come while a command attended, or before */
    atomic_bool is_piped; /* an input is a pipe, which may never end */
    atomic_int number;    /* the first one that came, 0: none. The program's status is 128 and this */
    atomic_bool ending;   /* for the thread alone */
    bool is_running;
    bool is_heard; /* what happens is told on standard error: by one of several processes */
    pthread_t thread;
    sigset_t watched;            /* blocked in all threads, and taken by one of their own */
    sigset_t before;             /* the caller's mask, given back at the end */
    pthread_mutex_t attention;   /* over the two that follow, so that nobody tells of a work that is over */
    void (*tell)(void *context); /* NULL: no command attends */
    void *context;
    flr_request *request; /* borrowed: what the first signal stops */
};

/* Watches until replay_signals_end. A thread that cannot be had leaves the signals as they were. What the parent
 * ignores (nohup) stays ignored. is_heard: what happens is told. */
void replay_signals_start(struct replay_signals *signals, bool is_heard);
/* Legal for one that is zero or has ended. `number` keeps its value. */
void replay_signals_end(struct replay_signals *signals);

/* From here on the first signal stops the request. `tell` is called by the thread for every SIGUSR1, until the
 * command leaves. */
void replay_signals_attend(struct replay_signals *signals, flr_request *request, void (*tell)(void *context),
                           void *context);
void replay_signals_leave(struct replay_signals *signals);

#endif
