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
#include <stdint.h>

#define REPLAY_STEADY_BATCH 5

/* The observations to cut off: a multiple of five. Needs at least fifty observations; else all of them. */
size_t replay_steady_truncation(const double *series, size_t count);
/* Whether at most half of the series must be cut off. */
bool replay_steady(const double *series, size_t count);

/* When a run's averages no longer change: the rule by which the D-ARM paper ends its simulations. Averages
 * are flits per cycle over the cycles so far, of the whole network. */
struct replay_settling {
    uint64_t cycles, entered, delivered, messages; /* so far; entered, delivered: flits */
};

#define REPLAY_SETTLING_MESSAGES 50000 /* that are delivered at least: the paper's runs have more */

/* One cycle more, with the flits that entered and that were delivered in it, and the messages that were delivered.
 * True: in this cycle the average of what entered and the average of what was delivered have each changed by less than
 * 0.001, they differ by less than 0.001, and enough messages have been delivered. In whole numbers: the same decision
 * on every machine. At most 10^9 cycles, and 2^30 flits in each. */
bool replay_settles(struct replay_settling *settling, uint64_t entered, uint64_t delivered,
                    uint64_t messages);

#endif
