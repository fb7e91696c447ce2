/* One collective with all of its ranks: what they send in all, and how many messages go one after another.
 * For people who want to see an algorithm; a replay asks for one rank's schedule at a time
 * (traces/collectives/collective.h).
 *
 *      rank 0    sends to 4    sends to 2    sends to 1
 *      rank 4                  sends to 6    sends to 5
 *      step             1             2             3
 *
 * The step of a message is one more than the largest step of those that its sender has waited for before: the
 * messages that it received, and its own that it waits for one by one. */
#ifndef TRACE_COLLECTIVE_ROUNDS_H
#define TRACE_COLLECTIVE_ROUNDS_H

#include "traces/collectives/collective.h"

#define TRACE_ROUNDS_MESSAGES_MAX UINT64_C(4194304) /* steps are counted of so many messages at most */

struct trace_rounds {
    const struct trace_tuning *tuning; /* borrowed */
    struct trace_collective_call call; /* of rank 0 */
    const char *algorithm;             /* static */
    uint64_t segment_bytes;            /* 0: none */
    uint64_t messages, bytes;          /* of all ranks */
    uint64_t rank_messages_max;        /* of the rank that sends most of them */
    uint64_t rank_bytes_max;           /* of the rank that sends most of these */
    uint32_t steps_max; /* the largest step; 0: there is no message, or they were not counted */
    uint32_t *steps;    /* of every message, by rank and in the order sent; NULL: not counted */
};

/* Of call its rank is not looked at. Memory grows with the messages up to TRACE_ROUNDS_MESSAGES_MAX of them,
 * beyond that with those of one rank. -1: memory (BASE_SYSTEM), an impossible call or more bytes than 64 bits
 * count (BASE_INPUT). Free in either case. */
int trace_rounds_init(struct trace_rounds *rounds, const struct trace_tuning *tuning,
                      const struct trace_collective_call *call, struct base_error *error);
void trace_rounds_free(struct trace_rounds *rounds); /* zeroed rounds are legal */

/* One message. step is 0 when they were not counted. */
struct trace_round_message {
    uint32_t rank, step, destination; /* rank: the sender */
    uint64_t bytes;
};

/* Calls put for every message, by rank and in the order sent, one rank's schedule in memory at a time. Ends
 * early when put returns other than 0, and returns that; -1: memory. */
typedef int trace_round_put(void *context, const struct trace_round_message *message);
int trace_rounds_each(const struct trace_rounds *rounds, trace_round_put *put, void *context,
                      struct base_error *error);

#endif
