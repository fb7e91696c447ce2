/* Inside replay/: what part of a trace is replayed, and what an answer says of it. */
#ifndef REPLAY_SESSION_PART_H
#define REPLAY_SESSION_PART_H

#include "base/error.h"
#include "replay/options.h"
#include "traces/program.h"

/* The part of a program that the settings ask for, all of it if they ask for none; it has the program from here on,
 * which may be NULL: then so is the result. NULL with what trace_window_new refuses, and the program is closed. */
struct trace_program *session_open_part(struct trace_program *program, const struct replay_settings *settings,
                                        struct base_error *error);
/* What iterations a program has been left with, and what follows from those of both replays for the whole; NULL: all.
 * is_partial: the replay was interrupted. -1: memory. */
struct replay_laps;
struct report_run;
int session_report_iterations(const struct trace_program *program, const struct replay_laps *network,
                              const struct replay_laps *ideal, struct report_run *run);

#endif
