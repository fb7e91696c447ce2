/* When each iteration of a replay begins: when the last rank comes to it. */
#ifndef REPLAY_SESSION_LAPS_H
#define REPLAY_SESSION_LAPS_H

#include "base/error.h"
#include "traces/program.h"

/* Zeroed: none are asked for. */
struct replay_laps {
    uint64_t played;
    uint64_t *begin_ns; /* [played + 1]: the last is of what is behind them */
    uint64_t *seen;     /* [rank]: those that it has come to */
};

/* For a replay of the program: laps that nobody has come to; none where all iterations are played. -1: memory. Free in
 * either case. */
int replay_laps_init(struct replay_laps *laps, const struct trace_program *program, struct base_error *error);
/* replay_semantics.iterate, with laps as its context. */
void replay_laps_take(void *laps, uint32_t rank, uint64_t time_ns);
void replay_laps_free(struct replay_laps *laps);

#endif
