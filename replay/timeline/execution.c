/* All formats are made from a walk over the program (walk.c).
 *
 *     .json     Chrome's trace events, for Perfetto: slices, arrows, counters
 *     .paje     one stream in the order of time (paje.c)
 *     .otf2     an archive of many files, by the writers of traces/ */
#include <config.h>

#include "replay/timeline/execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "replay/timeline/internal.h"
#include "reports/run/failing.h"
#include "reports/timeline/timeline.h"
#include "traces/writers/writer.h"

/* ---- an archive ---- */

/* The name must have something before the ending. */
static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

/* *writer NULL: an archive, which is no single stream. */
int replay_execution_find(const char *path, replay_writer **writer, struct base_error *error)
{
    *writer = ends_in(path, ".json")   ? replay_execution_json
              : ends_in(path, ".paje") ? replay_execution_paje
                                       : NULL;
    if (*writer != NULL || ends_in(path, ".otf2"))
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "--timeline %s: the name must end in .otf2 (an archive), .json (for Perfetto) or .paje", path);
}

/* Opened and abandoned before the replay, so that what cannot be written is refused at once. */
int replay_execution_try(const char *path, const struct trace_program *program, struct base_error *error)
{
    const struct trace_writer_options options = {.from_zero = true};
    const struct trace_writer_format *format = trace_writer_find("otf2", path, error);
    struct trace_writer *writer = format == NULL ? NULL : format->open(path, program, &options, error);

    if (writer == NULL)
        return -1;
    format->abandon(writer);
    return 0;
}

/* Rank after rank, as the writer wants it: a walk holds the operations of one rank only. */
static int archive_rank(const struct replay_execution *execution, const struct trace_writer_format *format,
                        struct trace_writer *writer, uint32_t rank, struct base_error *error)
{
    struct execution_walk walk;
    int more =
        execution_walk_begin(&walk, execution, rank, error) == 0 && format->rank(writer, rank, error) == 0
            ? 1
            : -1;

    while (more > 0 && (more = execution_walk_next(&walk, error)) > 0)
        if (format->add(writer, &walk.op, error) != 0)
            more = -1;
    execution_walk_end(&walk);
    return more;
}

/* All ranks, one after the other, or none. */
static int write_archive(const struct replay_execution *execution, const char *path,
                         const struct trace_writer_options *options, struct base_error *error)
{
    const struct trace_writer_format *format = trace_writer_find("otf2", path, error);
    struct trace_writer *writer =
        format == NULL ? NULL : format->open(path, execution->program, options, error);

    for (uint32_t rank = 0; writer != NULL && rank < trace_program_ranks(execution->program); rank++)
        if (archive_rank(execution, format, writer, rank, error) != 0) {
            format->abandon(writer);
            return -1;
        }
    return writer == NULL ? -1 : format->finish(writer, error);
}

/* Jobs are groups of ranks. NULL: memory. */
static struct trace_writer_group *make_groups(const struct replay_execution *execution,
                                              struct base_arena *arena)
{
    struct trace_writer_group *groups =
        base_arena_array(arena, (size_t)execution->job_count + 1, sizeof *groups);

    for (uint32_t i = 0; groups != NULL && i < execution->job_count; i++)
        groups[i] = (struct trace_writer_group){execution->jobs[i].name, execution->jobs[i].first_rank,
                                                execution->jobs[i].first_communicator};
    return groups;
}

/* The same loads as for the other formats. Clocks begin at 0, those of several jobs where the jobs start,
 * which is the origin of their ranks. The creator is the build, as times follow from it. */
int replay_execution_archive(const struct replay_execution *execution, const char *path,
                             struct base_error *error)
{
    struct trace_writer_metrics metrics;
    struct base_arena arena = {0};
    struct trace_writer_options options = {.creator =
                                               base_arena_format(&arena, "flitreplay %s", base_build()),
                                           .from_zero = execution->job_count == 0,
                                           .metrics = &metrics,
                                           .groups = make_groups(execution, &arena),
                                           .group_count = execution->job_count};
    int status = options.groups == NULL || execution_metrics(execution, &arena, &metrics) != 0
                     ? base_error_memory(error, "the timeline")
                     : write_archive(execution, path, &options, error);

    base_arena_free(&arena);
    return status;
}

/* ---- Chrome's trace events ---- */

/* A rank's track: its own number in the process that is its job. */
static struct report_timeline_track track_of(const struct replay_execution *execution, uint32_t rank)
{
    const struct replay_execution_job *job = replay_execution_job_of(execution, rank);

    if (job == NULL)
        return (struct report_timeline_track){0, rank};
    return (struct report_timeline_track){(uint32_t)(job - execution->jobs), rank - job->first_rank};
}

/* The track that is being filled is that of all arrows' ends found there. */
struct arrows_out {
    struct report_timeline *out;        /* where they are written */
    struct report_timeline_track track; /* of the rank */
};

/* An end on the track at hand; the viewer joins ends by their number. */
static int put_arrow(void *context, const struct execution_arrow *arrow)
{
    const struct arrows_out *arrows = context;

    report_timeline_arrow(arrows->out, arrows->track, arrow->time_ns, arrow->number, arrow->is_head);
    return 0;
}

/* Of several jobs, ranks and communicators are numbered in the rank's own. */
static struct report_timeline_call call_of(const struct replay_execution *execution, uint32_t rank,
                                           const struct execution_walk *walk)
{
    const struct trace_op *op = &walk->op;
    const struct replay_execution_job *job = replay_execution_job_of(execution, rank);
    bool has_peer = op->kind == TRACE_SEND || op->kind == TRACE_RECEIVE || op->kind == TRACE_PROBE;
    bool is_collective = op->kind == TRACE_COLLECTIVE_CALL;
    struct report_timeline_call call = {.bytes = REPORT_TIMELINE_NONE,
                                        .peer = REPORT_TIMELINE_NONE,
                                        .tag = REPORT_TIMELINE_NONE,
                                        .communicator = REPORT_TIMELINE_NONE,
                                        .others_ns = walk->end_ns - walk->begin_ns - walk->network_ns,
                                        .network_ns = walk->network_ns};

    if (op->kind == TRACE_SEND || op->kind == TRACE_RECEIVE || (is_collective && op->vector == NULL))
        call.bytes = op->bytes;
    if (has_peer && op->peer != TRACE_ANY_SOURCE)
        call.peer = op->peer - (job == NULL ? 0 : job->first_rank);
    if (has_peer && op->tag != TRACE_ANY_TAG)
        call.tag = op->tag;
    if (has_peer || is_collective)
        call.communicator = op->communicator - (job == NULL ? 0 : job->first_communicator);
    return call;
}

/* Computations of no length are nothing to see; calls of no length are where arrows begin. Constant memory but for
 * the messages under way. */
static int put_rank(const struct replay_execution *execution, struct report_timeline *out, uint32_t rank,
                    struct base_error *error)
{
    struct execution_arrows arrows = {0};
    struct execution_walk walk;
    int more = execution_walk_begin(&walk, execution, rank, error) == 0 ? 1 : -1;
    struct arrows_out arrows_out = {out, track_of(execution, rank)};

    report_timeline_rank(out, arrows_out.track);
    while (more > 0 && (more = execution_walk_next(&walk, error)) > 0) {
        bool computes = walk.op.kind == TRACE_COMPUTE;
        if (walk.op.kind == TRACE_END || (computes && walk.begin_ns == walk.end_ns))
            continue;
        const struct report_timeline_call call = call_of(execution, rank, &walk);
        report_timeline_slice(out, arrows_out.track,
                              computes ? "compute"
                                       : trace_program_region_name(execution->program, walk.op.region),
                              walk.begin_ns, walk.end_ns, computes ? NULL : &call);
        if (execution_arrows_visit(&arrows, &walk, rank, put_arrow, &arrows_out) != 0)
            more = base_error_memory(error, "the timeline's messages");
    }
    execution_arrows_free(&arrows);
    execution_walk_end(&walk);
    return more;
}

/* A counter's value holds until its next one. -1: memory. */
static int put_loads(const struct replay_execution *execution, struct report_timeline *out)
{
    struct execution_load loads[REPLAY_EXECUTION_CHANNELS + 1];
    struct base_arena names = {0};
    int count = execution_loads(execution, &names, loads);

    for (int i = 0; i < count; i++)
        for (uint32_t sample = 0; sample < replay_recorder_samples(execution->recorder); sample++)
            report_timeline_load(out, replay_recorder_sample_at(execution->recorder, sample).time_ns,
                                 loads[i].name, execution_load_at(execution, &loads[i], sample));
    base_arena_free(&names);
    return count < 0 ? -1 : 0;
}

/* What the network has taken, where --technology asks for it. */
static void put_energy(const struct replay_execution *execution, struct report_timeline *out)
{
    uint32_t samples = execution_has_energy(execution) ? replay_recorder_samples(execution->recorder) : 0;

    for (uint32_t sample = 0; sample < samples; sample++) {
        const struct replay_recorder_sample now = replay_recorder_sample_at(execution->recorder, sample);
        report_timeline_energy(out, now.time_ns, now.joules);
    }
}

/* What failing links have taken, a counter for each row of failing.def. */
static void put_faults(const struct replay_execution *execution, struct report_timeline *out)
{
    uint32_t samples = execution_has_faults(execution) ? replay_recorder_samples(execution->recorder) : 0;

    for (uint32_t sample = 0; sample < samples; sample++) {
        const struct replay_recorder_sample now = replay_recorder_sample_at(execution->recorder, sample);
        for (size_t i = 0; i < report_fault_counts(); i++)
            report_timeline_count(out, now.time_ns, report_fault_count_key(i),
                                  report_fault_count_value(now.faults, i));
    }
}

/* Processes are jobs, or one for all ranks, and one for the network. */
int replay_execution_json(const void *content, FILE *stream, struct base_error *error)
{
    const struct replay_execution *execution = content;
    struct report_timeline out;

    report_timeline_begin(&out, stream, execution->trace, execution->topology->text, base_build());
    for (uint32_t job = 0; job < execution->job_count; job++)
        report_timeline_process(&out, execution->jobs[job].name);
    if (execution->job_count == 0)
        report_timeline_process(&out, "ranks");
    report_timeline_process(&out, "network");
    for (uint32_t rank = 0; rank < trace_program_ranks(execution->program); rank++)
        if (put_rank(execution, &out, rank, error) != 0)
            return -1;
    put_energy(execution, &out);
    put_faults(execution, &out);
    return put_loads(execution, &out) == 0 && report_timeline_end(&out) == 0
               ? 0
               : base_error_memory(error, "the timeline");
}
