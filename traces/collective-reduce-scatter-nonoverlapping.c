/* Reduce-scatter as a reduction of the whole vector to rank 0, which then scatters the blocks. Which
 * algorithms do them is up to a table: that of Open MPI for its "nonoverlapping", or one way for all sizes.
 * Unequal blocks are scattered as scatterv does. */
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
    part.collective = TRACE_REDUCE;
    part.bytes = trace_total_bytes(call);
    part.vector = NULL;
    if (part.bytes > UINT64_MAX / call->ranks) /* of a damaged trace: algorithms multiply without checks */
        part.bytes = UINT64_MAX / call->ranks;
    trace_steps_part(&steps, selection->choose(&part), &part, 0, 0);
    part.collective = call->collective == TRACE_REDUCE_SCATTER ? TRACE_SCATTERV : TRACE_SCATTER;
    part.bytes = call->bytes;
    part.vector = call->vector;
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

const struct trace_algorithm trace_algorithm_reduce_scatter_nonoverlapping = {
    .name = "reduce-scatter-nonoverlapping",
    .summary = "reduce to rank 0, then scatter(v), each as the table openmpi says",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_nonoverlapping,
};

const struct trace_algorithm trace_algorithm_reduce_scatter_linear = {
    .name = "reduce-scatter-linear",
    .summary = "reduce-linear to rank 0, then a linear scatter(v)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_linear,
};

const struct trace_algorithm trace_algorithm_reduce_scatter_binomial = {
    .name = "reduce-scatter-binomial",
    .summary = "reduce to rank 0, then scatter, both binomial (scatterv linear)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_binomial,
};
