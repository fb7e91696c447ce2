/* How far the work is: a bar on standard error when that is a terminal, and a line for whoever sends SIGUSR1.
 * Meanwhile a signal that asks to end (replay/system/signals.h) only sets `stop`, and `watch.stop` is true. */
#ifndef REPLAY_COMMANDS_PROGRESS_H
#define REPLAY_COMMANDS_PROGRESS_H

#include <stdbool.h>

#include "replay/session/session.h"
#include "replay/system/signals.h"
#include "reports/pages/host.h"

struct replay_progress {
    bool is_shown;          /* on a terminal, unless the user asked for silence */
    const char *drawn_what; /* of the line on the screen, or NULL */
    uint32_t drawn_percent;
    double drawn_seconds; /* when */
    /* Written by the work, read by the thread that tells. The text must outlive the progress. */
    _Atomic(const char *) what;
    atomic_uint thousandths;        /* of the present part of the work */
    atomic_ullong simulated_ns;     /* how far simulated time has come */
    atomic_uint runs, runs_done;    /* of work that is runs; 0: it is not */
    _Atomic double share;           /* the same as thousandths, finer */
    _Atomic double begun_seconds;   /* the present part of the work, on the monotonic clock */
    struct replay_signals *signals; /* borrowed: the program's */
    struct replay_watch watch;
};

/* Draws nothing when quiet, or when standard error is no terminal; attends to signals in any case. The struct
 * must stay where it is until the end. */
void replay_progress_start(struct replay_progress *progress, struct replay_signals *signals, bool quiet);
/* For work that is runs: so many of all are done, this share of the whole, those under way included, and so
 * much time is simulated. Told instead of watch.progress, by one thread at a time; a share that is less than
 * before counts as that. */
void replay_progress_runs(struct replay_progress *progress, uint32_t done, uint32_t runs, double share,
                          uint64_t simulated_ns);
/* Clears the line and stops listening. */
void replay_progress_end(struct replay_progress *progress);
/* The status, and the error, of a command whose results have been written but are cut short. */
int replay_progress_interrupted(struct base_error *error);
/* Says what the work cost, where a bar would have been shown. */
void replay_progress_tell(const struct replay_progress *progress, const struct report_host *host);

#endif
