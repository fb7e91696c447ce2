/* When a simulation that began with an empty network has become steady, and how sure its means are.
 *
 * MSER-5 (White, Cobb and Spratt 2000, "A comparison of five steady-state truncation heuristics for
 * simulation"): the series is averaged over batches of five; the beginning to be cut off is that for which
 * the rest has the least marginal standard error. When that is more than half of the series, the series has
 * not been steady for long enough, if ever. */
#ifndef REPLAY_TRAFFIC_STEADY_H
#define REPLAY_TRAFFIC_STEADY_H

#include <stdbool.h>
#include <stddef.h>

#define REPLAY_STEADY_BATCH 5

/* The observations to cut off: a multiple of five. Needs at least fifty observations; else all of them. */
size_t replay_steady_truncation(const double *series, size_t count);
/* Whether at most half of the series must be cut off. */
bool replay_steady(const double *series, size_t count);

#endif
