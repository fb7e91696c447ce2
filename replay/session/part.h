/* Inside replay/: what part of a trace is replayed, and what an answer says of it. */
#ifndef REPLAY_SESSION_PART_H
#define REPLAY_SESSION_PART_H

#include "base/arena.h"
#include "replay/options.h"
#include "reports/pages/window.h"
#include "traces/program.h"

/* The part of a program that the settings ask for, all of it if they ask for none; it has the program from here on,
 * which may be NULL: then so is the result. NULL with what trace_window_new refuses, and the program is closed. */
struct trace_program *session_open_part(struct trace_program *program, const struct replay_settings *settings,
                                        struct base_error *error);
/* When each iteration of a replay begins: when the last rank comes to it. Zeroed: none are asked for. */
struct session_laps {
    uint64_t played;
    uint64_t *begin_ns; /* [played + 1]: the last is of what is behind them */
    uint64_t *seen;     /* [rank]: those that it has come to */
};

/* For a replay of the program: laps that nobody has come to; none where all iterations are played. -1: memory. Free in
 * either case. */
int session_laps_init(struct session_laps *laps, const struct trace_program *program,
                      struct base_error *error);
/* replay_semantics.iterate, with laps as its context. */
void session_laps_take(void *laps, uint32_t rank, uint64_t time_ns);
void session_laps_free(struct session_laps *laps);

/* What iterations a program has been left with, and what follows from those of both replays for the whole; NULL: all.
 * is_partial: the replay was interrupted. -1: memory. */
struct report_run;
int session_report_iterations(const struct trace_program *program, const struct session_laps *network,
                              const struct session_laps *ideal, struct report_run *run);
/* What a program is a window of, copied to the arena; NULL for a whole trace, or without a program. -1: memory. */
int session_report_window(const struct trace_program *program, struct base_arena *arena,
                          const struct report_window **window);

#endif
