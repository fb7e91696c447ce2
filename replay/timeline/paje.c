/* The execution as a Paje trace, whose lines come in the order of time: all ranks are walked side by side,
 * and the one whose next beginning or end comes first is gone on with. */
#include <config.h>

#include <stdlib.h>

#include "base/build.h"
#include "base/heap.h"
#include "replay/timeline/internal.h"
#include "reports/run/failing.h"
#include "reports/timeline/paje.h"
#include "reports/drawing/palette.h"

#define COMPUTING 0 /* among the numbers of states; calls follow, by their region */

/* A rank on its way. */
struct follower {
    struct execution_walk walk;     /* through its operations */
    struct execution_arrows arrows; /* messages whose other end is still to come */
    bool is_inside;                 /* the operation in hand has begun */
};

struct merge {
    const struct replay_execution *execution; /* borrowed */
    struct report_paje out;                   /* the file's events, in the order of their time */
    struct follower *followers;               /* [rank] */
    bool *hidden;                             /* [rank]: receives from unknown senders */
    struct base_heap due;                     /* ranks, by the time of what comes next */
    struct base_table defined;                /* (state, 0) */
    struct base_arena names;
    struct execution_load loads[REPLAY_EXECUTION_CHANNELS + 1]; /* the mean's, then channels' */
    uint32_t load_count, sample;                                /* the next one */
    bool has_energy, has_faults;
};

/* ---- loads ---- */

/* The mean is of all channels; the others have containers. -1: memory. */
static int begin_loads(struct merge *merge)
{
    int count = execution_loads(merge->execution, &merge->names, merge->loads);

    if (count < 0)
        return -1;
    merge->load_count = (uint32_t)count;
    merge->has_energy = execution_has_energy(merge->execution);
    merge->has_faults = execution_has_faults(merge->execution);
    for (uint32_t i = 1; i < merge->load_count; i++)
        report_paje_channel(&merge->out, i, merge->loads[i].name);
    for (size_t i = 0; merge->has_faults && i < report_fault_counts(); i++)
        report_paje_counter(&merge->out, (uint32_t)i, report_fault_count_key(i));
    return 0;
}

/* What failing links have taken. */
static void put_faults(struct merge *merge, const struct replay_recorder_sample *sample)
{
    for (size_t i = 0; i < report_fault_counts(); i++)
        report_paje_count(&merge->out, sample->time_ns, (uint32_t)i,
                          report_fault_count_value(sample->faults, i));
}

/* All samples up to that time. */
static void put_loads(struct merge *merge, uint64_t until_ns)
{
    const struct replay_recorder *recorder = merge->execution->recorder;

    for (; merge->sample < replay_recorder_samples(recorder); merge->sample++) {
        const struct replay_recorder_sample now = replay_recorder_sample_at(recorder, merge->sample);
        uint64_t ns = now.time_ns;
        if (ns > until_ns)
            return;
        if (merge->has_energy)
            report_paje_energy(&merge->out, ns, now.joules);
        if (merge->has_faults)
            put_faults(merge, &now);
        for (uint32_t i = 0; i < merge->load_count; i++) {
            double load = execution_load_at(merge->execution, &merge->loads[i], merge->sample);
            if (i == 0)
                report_paje_mean(&merge->out, ns, load);
            else
                report_paje_load(&merge->out, ns, i, load);
        }
    }
}

/* ---- ranks ---- */

static report_color color_of(const struct trace_op *op)
{
    static const report_color colors[] = {REPORT_GREEN, REPORT_BLUE, REPORT_ORANGE, REPORT_PURPLE};
    return colors[execution_state_of(op)];
}

/* States are defined where they are met first. -1: memory. */
static int put_state(struct merge *merge, uint32_t rank, const struct execution_walk *walk)
{
    bool computes = walk->op.kind == TRACE_COMPUTE;
    uint32_t number = computes ? COMPUTING : walk->op.region == TRACE_NO_REGION ? 1 : walk->op.region + 2;

    if (base_table_get(&merge->defined, number, 0) == BASE_TABLE_NONE) {
        report_paje_define(&merge->out, number,
                           computes ? "computing"
                                    : trace_program_region_name(merge->execution->program, walk->op.region),
                           color_of(&walk->op));
        if (base_table_put(&merge->defined, number, 0, 1) != 0)
            return -1;
    }
    report_paje_state(&merge->out, walk->begin_ns, rank, number);
    return 0;
}

static int put_arrow(void *context, const struct execution_arrow *arrow)
{
    report_paje_link(context, arrow->time_ns, arrow->rank, arrow->number, arrow->is_head);
    return 0;
}

/* Sends are links' starts when they begin, all others are their ends when they are over. A link that has only
 * one of them is no link: messages to a rank for which some cannot be told are not shown at either end. */
static int put_links(struct merge *merge, uint32_t rank, bool begins)
{
    struct follower *follower = &merge->followers[rank];
    bool sends = follower->walk.op.kind == TRACE_SEND;

    if (begins != sends || merge->hidden[sends ? follower->walk.op.peer : rank])
        return 0;
    return execution_arrows_visit(&follower->arrows, &follower->walk, rank, put_arrow, &merge->out);
}

/* The rank's next operation, or its end. */
static int fetch(struct merge *merge, uint32_t rank, struct base_error *error)
{
    struct follower *follower = &merge->followers[rank];
    int more = execution_walk_next(&follower->walk, error);

    follower->is_inside = false;
    if (more < 0)
        return -1;
    if (more == 0)
        report_paje_rank_end(&merge->out, follower->walk.end_ns, rank);
    else if (base_heap_push(&merge->due, follower->walk.begin_ns, rank) != 0)
        return base_error_memory(error, "the timeline");
    return 0;
}

/* What is due of a rank: the beginning of an operation, or its end and the next one. */
static int go_on(struct merge *merge, uint32_t rank, struct base_error *error)
{
    struct follower *follower = &merge->followers[rank];
    const struct execution_walk *walk = &follower->walk;
    int status;

    if (follower->is_inside)
        return put_links(merge, rank, false) != 0 ? base_error_memory(error, "the timeline's messages")
                                                  : fetch(merge, rank, error);
    follower->is_inside = true;
    status = walk->end_ns > walk->begin_ns ? put_state(merge, rank, walk) : 0;
    if (status != 0 || put_links(merge, rank, true) != 0 ||
        base_heap_push(&merge->due, walk->end_ns, rank) != 0)
        return base_error_memory(error, "the timeline");
    return 0;
}

/* Whether the rank receives from a sender, or by a tag, that the trace does not tell. */
static int hide(struct merge *merge, uint32_t rank, struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(merge->execution->program, rank, error);
    struct trace_op op;
    int more = cursor == NULL ? -1 : 1;

    while (more > 0 && !merge->hidden[rank] && (more = trace_cursor_next(cursor, &op, error)) > 0)
        merge->hidden[rank] =
            op.kind == TRACE_RECEIVE && (op.peer == TRACE_ANY_SOURCE || op.tag == TRACE_ANY_TAG);
    trace_cursor_free(cursor);
    return more < 0 ? -1 : 0;
}

/* Containers before anything happens in them, jobs before their ranks; and each rank's first operation, by whose
 * time it enters the merge. */
static int begin_ranks(struct merge *merge, uint32_t ranks, struct base_error *error)
{
    for (uint32_t job = 0; job < merge->execution->job_count; job++)
        report_paje_job(&merge->out, job, merge->execution->jobs[job].name);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        const struct replay_execution_job *job = replay_execution_job_of(merge->execution, rank);
        if (job == NULL)
            report_paje_rank(&merge->out, rank, REPORT_PAJE_NO_JOB, rank);
        else
            report_paje_rank(&merge->out, rank, (uint32_t)(job - merge->execution->jobs),
                             rank - job->first_rank);
        if (execution_walk_begin(&merge->followers[rank].walk, merge->execution, rank, error) != 0 ||
            fetch(merge, rank, error) != 0)
            return -1;
    }
    return 0;
}

/* Paje wants events in the order of time over all ranks: a merge of their walks, with the samples of the load
 * in between. */
static int put_all(struct merge *merge, struct base_error *error)
{
    uint32_t ranks = trace_program_ranks(merge->execution->program);
    struct base_event event;

    if (begin_loads(merge) != 0)
        return base_error_memory(error, "the timeline");
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (hide(merge, rank, error) != 0)
            return -1;
    if (begin_ranks(merge, ranks, error) != 0)
        return -1;
    while (base_heap_pop(&merge->due, &event)) {
        put_loads(merge, event.time);
        if (go_on(merge, (uint32_t)event.payload, error) != 0)
            return -1;
    }
    put_loads(merge, UINT64_MAX);
    return 0;
}

/* When the last thing happens: a message may be under way behind the last rank's end. */
static uint64_t end_of(const struct replay_execution *execution)
{
    uint32_t samples = replay_recorder_samples(execution->recorder);
    uint64_t end = samples == 0 ? 0 : replay_recorder_sample_at(execution->recorder, samples - 1).time_ns;

    return end > execution->simulated_ns ? end : execution->simulated_ns;
}

/* The end of the trace is written also after an error, so that what the file has can be read; the error is
 * what counts. */
int replay_execution_paje(const void *content, FILE *stream, struct base_error *error)
{
    const struct replay_execution *execution = content;
    uint32_t ranks = trace_program_ranks(execution->program);
    struct merge merge = {.execution = execution,
                          .followers = calloc((size_t)ranks + 1, sizeof *merge.followers),
                          .hidden = calloc((size_t)ranks + 1, sizeof *merge.hidden)};
    int status = -1;

    report_paje_begin(&merge.out, stream, execution->trace, execution->topology->text, base_build(),
                      execution->job_count > 0);
    if (merge.followers == NULL || merge.hidden == NULL)
        base_error_memory(error, "the timeline");
    else
        status = put_all(&merge, error);
    for (uint32_t job = 0; job < execution->job_count; job++)
        report_paje_job_end(&merge.out, end_of(execution), job);
    if (report_paje_end(&merge.out, end_of(execution)) != 0 && status == 0)
        status = base_error_memory(error, "the timeline");
    for (uint32_t rank = 0; merge.followers != NULL && rank < ranks; rank++) {
        execution_arrows_free(&merge.followers[rank].arrows);
        execution_walk_end(&merge.followers[rank].walk);
    }
    free(merge.followers);
    free(merge.hidden);
    base_heap_free(&merge.due);
    base_table_free(&merge.defined);
    base_arena_free(&merge.names);
    return status;
}
