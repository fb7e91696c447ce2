/* The timeline as a picture: the same walk, into lanes (reports/timeline/lanes.h). */
#include <config.h>

#include <stdlib.h>

#include "replay/timeline/internal.h"

/* While messages are few their first ends wait for the second ones. */
struct lane_messages {
    struct report_lanes *lanes; /* that messages are added to */
    struct base_table index;    /* (number, 0) -> ends */
    struct end {
        struct execution_arrow arrow; /* of the end that came first */
    } * ends; /* [2 * REPORT_LANE_MESSAGES_MOST], tails and heads apart at the worst */
    uint32_t count;
};

/* The end of a message that is not known yet waits; the other one makes it whole. Beyond the limit messages are
 * only counted: the picture shows none then. */
static int take_end(void *context, const struct execution_arrow *arrow)
{
    struct lane_messages *messages = context;
    uint32_t place = base_table_get(&messages->index, arrow->number, 0);

    if (place == BASE_TABLE_NONE) {
        if (messages->count == 2 * REPORT_LANE_MESSAGES_MOST)
            return 0; /* too many to be shown anyway */
        messages->ends[messages->count].arrow = *arrow;
        return base_table_put(&messages->index, arrow->number, 0, messages->count++);
    }
    const struct execution_arrow *other = &messages->ends[place].arrow;
    const struct execution_arrow *tail = arrow->is_head ? other : arrow;
    const struct execution_arrow *head = arrow->is_head ? arrow : other;
    report_lanes_add_message(messages->lanes, &(struct report_lane_message){.source = tail->rank,
                                                                            .target = head->rank,
                                                                            .begin_ns = tail->time_ns,
                                                                            .end_ns = head->time_ns,
                                                                            .bytes = tail->bytes});
    return 0;
}

/* Intervals are merged into lanes as they come; only the ends of messages are kept. A rank's operations are walked
 * in order, so that intervals come sorted. */
static int fill_rank(const struct replay_execution *execution, struct lane_messages *messages, uint32_t rank,
                     struct base_error *error)
{
    struct execution_arrows arrows = {0};
    struct execution_walk walk;
    int more = execution_walk_begin(&walk, execution, rank, error) == 0 ? 1 : -1;

    while (more > 0 && (more = execution_walk_next(&walk, error)) > 0) {
        const struct trace_op *op = &walk.op;
        const struct report_lane_interval interval = {
            .rank = rank,
            .state = execution_state_of(op),
            .begin_ns = walk.begin_ns,
            .end_ns = walk.end_ns,
            .network_ns = walk.network_ns,
            .name = op->kind == TRACE_COMPUTE ? "computing"
                                              : trace_program_region_name(execution->program, op->region),
            .has_bytes = op->kind == TRACE_SEND || op->kind == TRACE_RECEIVE ||
                         (op->kind == TRACE_COLLECTIVE_CALL && op->vector == NULL),
            .bytes = op->bytes};
        report_lanes_add(messages->lanes, &interval);
        messages->lanes->messages += op->kind == TRACE_SEND;
        if (execution_arrows_visit(&arrows, &walk, rank, take_end, messages) != 0)
            more = base_error_memory(error, "the timeline's messages");
    }
    execution_arrows_free(&arrows);
    execution_walk_end(&walk);
    return more;
}

/* Routers that stand, from step to step, as far as the picture goes. -1: memory. */
static int take_stops(const struct replay_execution *execution, struct report_lanes *lanes)
{
    const struct replay_recorder_stop *steps;
    size_t count = replay_recorder_stops(execution->recorder, &steps);

    lanes->routers = execution_has_faults(execution) ? execution->topology->routers : 0;
    lanes->stop = calloc(count + 1, sizeof *lanes->stop);
    if (lanes->stop == NULL)
        return -1;
    for (size_t i = 0; i < count && steps[i].begin_ns < lanes->end_ns; i++) {
        uint64_t end_ns = i + 1 < count ? steps[i + 1].begin_ns : lanes->end_ns;
        if (steps[i].routers != 0 && end_ns > steps[i].begin_ns)
            lanes->stop[lanes->stop_count++] = (struct report_lane_stop){
                steps[i].begin_ns, end_ns < lanes->end_ns ? end_ns : lanes->end_ns, steps[i].routers};
    }
    return 0;
}

/* Of a run that took time. Every rank is walked once; the trace is read again for it. */
struct report_lanes *replay_execution_lanes(const struct replay_execution *execution,
                                            struct base_error *error)
{
    uint32_t ranks = trace_program_ranks(execution->program);
    struct lane_messages messages = {
        .lanes = report_lanes_new(ranks, execution->simulated_ns),
        .ends = calloc((size_t)2 * REPORT_LANE_MESSAGES_MOST, sizeof *messages.ends)};
    int status = 0;

    if (messages.lanes == NULL || messages.ends == NULL || take_stops(execution, messages.lanes) != 0)
        status = base_error_memory(error, "the timeline");
    for (uint32_t rank = 0; status == 0 && rank < ranks; rank++)
        status = fill_rank(execution, &messages, rank, error);
    base_table_free(&messages.index);
    free(messages.ends);
    if (status == 0)
        return messages.lanes;
    report_lanes_free(messages.lanes);
    return NULL;
}
