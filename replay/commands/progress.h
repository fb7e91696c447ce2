/* How far the work is: a bar on standard error when that is a terminal, and a line for whoever sends SIGUSR1. What long
 * work will take is a line on any standard error.
 * Meanwhile a signal that asks to end (signals.h) only stops the request. */
#ifndef REPLAY_COMMANDS_PROGRESS_H
#define REPLAY_COMMANDS_PROGRESS_H

#include <stdbool.h>

#include "replay/commands/signals.h"
#include "replay/library/flitreplay.h"

struct replay_progress {
    bool is_quiet;          /* the user asked for silence */
    bool has_expected;      /* the line about long work has been written */
    bool is_shown;          /* the bar: on a terminal, unless the user asked for silence */
    const char *drawn_what; /* of the line on the screen, or NULL */
    uint32_t drawn_percent;
    double drawn_seconds; /* when */
    /* Written by the work, read by the thread that tells. The text must outlive the progress. */
    _Atomic(const char *) what;
    _Atomic double share;           /* of the present part of the work */
    atomic_ullong simulated_ns;     /* how far simulated time has come */
    atomic_uint runs, runs_done;    /* of work that is runs; 0: it is not */
    _Atomic double begun_seconds;   /* the present part of the work, on the monotonic clock */
    struct replay_signals *signals; /* borrowed: the program's */
};

/* Draws nothing when quiet, for work that has no bar, or when standard error is no terminal; attends to signals in any
 * case. The struct must stay where it is until the end. */
void replay_progress_start(struct replay_progress *progress, struct replay_signals *signals,
                           flr_request *request, bool quiet, bool has_bar);
/* A flr_progress, whose context is the progress. Of work that is runs a share that is less than before counts as
 * that. */
flr_progress replay_progress_note;
/* Clears the line and stops listening. */
void replay_progress_end(struct replay_progress *progress);
/* Says what the work cost, where a bar would have been shown. */
void replay_progress_tell(const struct replay_progress *progress, const flr_answer *answer);

#endif
