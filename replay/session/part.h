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
/* What a program is a window of, copied to the arena; NULL for a whole trace, or without a program. -1: memory. */
int session_report_window(const struct trace_program *program, struct base_arena *arena,
                          const struct report_window **window);

#endif
