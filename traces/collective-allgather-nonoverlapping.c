/* Allgather as a gather to rank 0 and a broadcast of all blocks from it. Which algorithms do them is up to a
 * table: that of Open MPI, or one way for all sizes. Unequal blocks are gathered as gatherv does. */
#include "traces/collective-steps.h"

#define TRACE_SELECTION(symbol) extern const struct trace_selection trace_selection_##symbol;
#include "traces/selections.def"
#undef TRACE_SELECTION

static int schedule_parts(const struct trace_selection *selection, const struct trace_collective_call *call,
                          struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_collective_call part = *call;

    part.root = 0;
    part.collective = call->collective == TRACE_ALLGATHERV ? TRACE_GATHERV : TRACE_GATHER;
    trace_steps_part(&steps, selection->choose(&part), &part, 0, 0);
    part.collective = TRACE_BCAST;
    part.bytes = trace_total_bytes(call);
    part.vector = NULL;
    if (part.bytes > UINT64_MAX / call->ranks) /* of a damaged trace: algorithms multiply without checks */
        part.bytes = UINT64_MAX / call->ranks;
    trace_steps_part(&steps, selection->choose(&part), &part, 1, 0);
    return trace_steps_end(&steps);
}

static int schedule_nonoverlapping(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return schedule_parts(&trace_selection_openmpi, call, schedule);
}

static int schedule_linear(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return schedule_parts(&trace_selection_linear, call, schedule);
}

static int schedule_binomial(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return schedule_parts(&trace_selection_binomial, call, schedule);
}

const struct trace_algorithm trace_algorithm_allgather_nonoverlapping = {
    .name = "allgather-nonoverlapping",
    .summary = "gather(v) to rank 0, then bcast, each as the table openmpi says",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_nonoverlapping,
};

const struct trace_algorithm trace_algorithm_allgather_linear = {
    .name = "allgather-linear",
    .summary = "linear gather(v) to rank 0, then bcast-linear",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_linear,
};

const struct trace_algorithm trace_algorithm_allgather_binomial = {
    .name = "allgather-binomial",
    .summary = "gather to rank 0, then bcast, both binomial (gatherv linear)",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_binomial,
};
