/* All formats are made from a walk over the program (execution-walk.c). */
#include <config.h>

#include "replay/execution.h"

#include <stdlib.h>
#include <string.h>

#include "replay/execution-internal.h"
#include "replay/flitreplay.h"
#include "reports/timeline.h"
#include "traces/writer.h"

/* ---- an archive ---- */

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

int replay_execution_find(const char *path, replay_writer **writer, struct base_error *error)
{
    *writer = ends_in(path, ".json") ? replay_execution_json : ends_in(path, ".paje") ? replay_execution_paje : NULL;
    if (*writer != NULL || ends_in(path, ".otf2"))
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "--timeline %s: a name that ends in .otf2 (an archive), .json (for Perfetto) or .paje",
                          path);
}

/* metrics may be NULL. */
static struct trace_writer *open_archive(const char *path, const struct trace_program *program,
                                         const struct trace_writer_metrics *metrics,
                                         const struct trace_writer_format **format, struct base_error *error)
{
    const struct trace_writer_options options = {.creator = flr_version(), .from_zero = true, .metrics = metrics};

    *format = trace_writer_find("otf2", path, error);
    return *format == NULL ? NULL : (*format)->open(path, program, &options, error);
}

int replay_execution_try(const char *path, const struct trace_program *program, struct base_error *error)
{
    const struct trace_writer_format *format;
    struct trace_writer *writer = open_archive(path, program, NULL, &format, error);

    if (writer == NULL)
        return -1;
    format->abandon(writer);
    return 0;
}

static int archive_rank(const struct replay_execution *execution, const struct trace_writer_format *format,
                        struct trace_writer *writer, uint32_t rank, struct base_error *error)
{
    struct execution_walk walk;
    int more = execution_walk_begin(&walk, execution, rank, error) == 0 && format->rank(writer, rank, error) == 0 ? 1 : -1;

    while (more > 0 && (more = execution_walk_next(&walk, error)) > 0)
        if (format->add(writer, &walk.op, error) != 0)
            more = -1;
    execution_walk_end(&walk);
    return more;
}

/* All ranks, one after the other, or none. */
static int write_archive(const struct replay_execution *execution, const char *path,
                         const struct trace_writer_metrics *metrics, struct base_error *error)
{
    const struct trace_writer_format *format;
    struct trace_writer *writer = open_archive(path, execution->program, metrics, &format, error);

    for (uint32_t rank = 0; writer != NULL && rank < trace_program_ranks(execution->program); rank++)
        if (archive_rank(execution, format, writer, rank, error) != 0) {
            format->abandon(writer);
            return -1;
        }
    return writer == NULL ? -1 : format->finish(writer, error);
}

/* The same loads as for the other formats. */
int replay_execution_archive(const struct replay_execution *execution, const char *path, struct base_error *error)
{
    struct trace_writer_metrics metrics;
    struct base_arena arena = {0};
    int status = execution_metrics(execution, &arena, &metrics) != 0
                     ? base_error_memory(error, "the timeline")
                     : write_archive(execution, path, &metrics, error);

    base_arena_free(&arena);
    return status;
}

/* ---- Chrome's trace events ---- */

static int put_arrow(void *context, const struct execution_arrow *arrow)
{
    report_timeline_arrow(context, arrow->rank, arrow->time_ns, arrow->number, arrow->is_head);
    return 0;
}

/* Computations of no length are nothing to see; calls of no length are where arrows begin. */
static int put_rank(const struct replay_execution *execution, struct report_timeline *out, uint32_t rank,
                    struct base_error *error)
{
    struct execution_arrows arrows = {0};
    struct execution_walk walk;
    int more = execution_walk_begin(&walk, execution, rank, error) == 0 ? 1 : -1;

    report_timeline_rank(out, rank);
    while (more > 0 && (more = execution_walk_next(&walk, error)) > 0) {
        bool computes = walk.op.kind == TRACE_COMPUTE;
        if (walk.op.kind == TRACE_END || (computes && walk.begin_ns == walk.end_ns))
            continue;
        report_timeline_slice(
            out, rank, computes ? "compute" : trace_program_region_name(execution->program, walk.op.region),
            walk.begin_ns, walk.end_ns);
        if (execution_arrows_visit(&arrows, &walk, rank, put_arrow, out) != 0)
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

int replay_execution_json(const void *content, FILE *stream, struct base_error *error)
{
    const struct replay_execution *execution = content;
    const struct report_run *run = execution->run;
    struct report_timeline out;

    report_timeline_begin(&out, stream, run->trace, run->topology, run->version);
    for (uint32_t rank = 0; rank < run->ranks; rank++)
        if (put_rank(execution, &out, rank, error) != 0)
            return -1;
    return put_loads(execution, &out) == 0 && report_timeline_end(&out) == 0 ? 0 : base_error_memory(error, "the timeline");
}
