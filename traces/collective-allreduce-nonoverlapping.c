/* Allreduce as a reduction to rank 0 and a broadcast from it, one after the other. Which algorithms do them
 * is up to a table: that of Open MPI for its "nonoverlapping", or one way for all sizes. */
#include "traces/collective-steps.h"

#define TRACE_SELECTION(symbol) extern const struct trace_selection trace_selection_##symbol;
#include "traces/selections.def"
#undef TRACE_SELECTION

static int schedule_parts(const struct trace_selection *selection, const struct trace_collective_call *call,
                          struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_collective_call part = {
        .collective = TRACE_REDUCE, .ranks = call->ranks, .rank = call->rank, .bytes = call->bytes};

    trace_steps_part(&steps, selection->choose(&part), &part, 0, 0);
    part.collective = TRACE_BCAST;
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

const struct trace_algorithm trace_algorithm_allreduce_nonoverlapping = {
    .name = "allreduce-nonoverlapping",
    .summary = "reduce to rank 0, then bcast, each as the table openmpi says",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_nonoverlapping,
};

const struct trace_algorithm trace_algorithm_allreduce_linear = {
    .name = "allreduce-linear",
    .summary = "reduce-linear to rank 0, then bcast-linear",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_linear,
};

const struct trace_algorithm trace_algorithm_allreduce_binomial = {
    .name = "allreduce-binomial",
    .summary = "reduce-binomial to rank 0, then bcast-binomial",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_binomial,
};
