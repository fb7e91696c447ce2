/* What each channel of a network carries in equal intervals of a run, for whoever asks when it was busiest.
 *
 *      cycle  0        w        2w       3w       4w           w: a power of two
 *             ├────────┼────────┼────────┼────────┼─── …       so that there are 17 to 32 of them
 *
 * w is 64 at first; with the 33rd interval two become one. So the intervals follow from the length of the run alone,
 * and memory from the network. */
#ifndef REPLAY_ENGINE_INTERVALS_H
#define REPLAY_ENGINE_INTERVALS_H

#include "base/arena.h"
#include "base/error.h"
#include "netmodel/network.h"

#define REPLAY_INTERVALS_MOST 32
#define REPLAY_INTERVAL_LEAST 64 /* cycles */

struct replay_intervals;

/* What is counted of a network. */
struct replay_interval_sizes {
    uint32_t links, buses;
    uint32_t channels; /* shared ones, or of stages the links' cycles; 0: the links are the channels */
    bool in_bits;      /* what links and buses carry */
};

/* NULL: memory. */
struct replay_intervals *replay_intervals_new(const struct replay_interval_sizes *sizes,
                                              struct base_error *error);
void replay_intervals_free(struct replay_intervals *intervals); /* NULL is legal */
/* The end of the interval in hand: the replay stops the network there and lets its counts be taken. */
uint64_t replay_intervals_due(const struct replay_intervals *intervals);
/* What was counted before that cycle; cycles do not fall. Nothing happens before the end of the interval in hand. */
void replay_intervals_take(struct replay_intervals *intervals, uint64_t cycle,
                           const struct net_statistics *statistics);
/* The run ends before that cycle: the last interval may be cut short. Nothing is taken after it. */
void replay_intervals_end(struct replay_intervals *intervals, uint64_t cycle,
                          const struct net_statistics *statistics);

/* The interval in which one channel carries more than any does in another one; of equal ones that in which all together
 * carry most, of these the first. A packet counts where it is granted a channel; what of it does not fit into the
 * interval counts in the next one. The arrays are the intervals', each as pictures have it of the whole run. */
struct replay_busiest_interval {
    uint64_t begin_cycle, cycles; /* the first of them, and how many an interval has */
    uint32_t number, intervals;   /* it is that one, from 0, of so many */
    const uint64_t *links;        /* [link]: cycles in use; of stages, bits */
    const uint64_t *buses;        /* [bus]: bits; NULL: there are none */
    const uint64_t *channels;     /* [channel]: cycles in use; the links, or shared channels */
};
/* After the end. False: the run has less than two intervals, or carries nothing. */
bool replay_intervals_busiest(const struct replay_intervals *intervals,
                              struct replay_busiest_interval *busiest);
/* What a channel, by its number, carries in that interval: cycles. After the end. */
uint64_t replay_intervals_carried(const struct replay_intervals *intervals, uint32_t interval,
                                  uint32_t channel);

#endif
