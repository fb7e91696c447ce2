/* Collectives that are two others, one after the other, to rank 0 and from it: allreduce as reduce and bcast,
 * allgather as gather and bcast, reduce-scatter as reduce and scatter. Which algorithms do the two is up to a
 * table: that of Open MPI, whose "nonoverlapping" they are, or one way for all sizes. */
#ifndef TRACE_COLLECTIVE_PARTS_H
#define TRACE_COLLECTIVE_PARTS_H

#include "traces/collectives/steps.h"

#define TRACE_TUNING(symbol) extern const struct trace_tuning trace_tuning_##symbol;
#include "traces/collectives/tunings.def"
#undef TRACE_TUNING

/* Fills in what the two parts are; both are copies of the call with root 0 before. */
typedef void trace_split_call(const struct trace_collective_call *call,
                              struct trace_collective_call parts[2]);

/* The schedule of both parts by the algorithms that the table chooses. -1: memory. Part i has number i, which
 * keeps the messages of the two apart; parts do not overlap, since each ends in a wait. */
static inline int trace_schedule_parts(const struct trace_tuning *tuning, trace_split_call *split,
                                       const struct trace_collective_call *call,
                                       struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_collective_call parts[2] = {*call, *call};

    parts[0].root = parts[1].root = 0;
    split(call, parts);
    for (uint32_t i = 0; i < 2; i++)
        trace_steps_part(&steps, tuning->choose(&parts[i]), &parts[i], i, 0);
    return trace_steps_end(&steps);
}

/* All blocks of the call as one, for a part that moves the whole vector. Of a damaged trace it may be larger
 * than algorithms can multiply by the ranks, which they do without checks. */
static inline void trace_make_whole(const struct trace_collective_call *call,
                                    struct trace_collective_call *part)
{
    uint64_t most = UINT64_MAX / call->ranks, total = trace_total_bytes(call);

    part->bytes = total > most ? most : total;
    part->vector = NULL;
}

/* The function `name` of a descriptor: the parts of `split` as the table says. */
#define TRACE_PARTS(name, table, split)                                                                      \
    static int name(const struct trace_collective_call *call, struct trace_schedule *schedule)               \
    {                                                                                                        \
        return trace_schedule_parts(&trace_tuning_##table, split, call, schedule);                           \
    }

#endif
