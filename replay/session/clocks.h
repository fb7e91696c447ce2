/* What another clock would change: asked of traces that were recorded with more ranks than processors. */
#ifndef REPLAY_SESSION_CLOCKS_H
#define REPLAY_SESSION_CLOCKS_H

#include "base/error.h"
#include "replay/options.h"
#include "reports/run/clocks.h"
#include "traces/program.h"

/* What the trace's clocks say of each other (traces/processor-loss.h), without times of the ideal network,
 * for a program that was opened with these settings. Cannot fail. */
struct report_clocks replay_clocks_of(const struct trace_program *program,
                                      const struct replay_settings *settings);

/* What the trace's clocks say of each other (traces/processor-loss.h), for a program that was opened with
 * these settings. Where it is oversubscribed by the wall clock, which is in force, and computing counts, the
 * trace is read again and replayed on the ideal network by the wall clock and by the one to take instead; a
 * trace that cannot be replayed leaves both times unknown. Returns 0; -1: memory (BASE_SYSTEM). */
int replay_clocks(const struct trace_program *program, const struct replay_settings *settings,
                  struct report_clocks *clocks, struct base_error *error);

#endif
