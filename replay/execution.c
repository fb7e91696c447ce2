/* Both formats are made from a second walk over the program, a rank at a time: its operations are the trace's,
 * their durations the recorder's (a computation as the replay scaled it, a call for as long as it blocked).
 *
 * Arrows need both ends of a message, which different ranks have. No table of messages is kept: MPI pairs the
 * sends and receives of one communicator, source, target and tag in their order, so that either side can number
 * them alone, and both come to the same number. */
#include <config.h>

#include "replay/execution.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/table.h"
#include "base/units.h"
#include "replay/flitreplay.h"
#include "reports/timeline.h"
#include "traces/writer.h"

/* ---- a rank's operations in simulated time ---- */

struct walk {
    struct trace_cursor *cursor;
    struct replay_recorder_reader *reader;
    uint64_t operation, begin_ns, end_ns; /* of the operation in hand */
    struct trace_op op;
};

static int walk_begin(struct walk *walk, const struct replay_execution *execution, uint32_t rank,
                      struct base_error *error)
{
    *walk = (struct walk){.cursor = trace_cursor_new(execution->program, rank, error)};
    if (walk->cursor != NULL)
        walk->reader = replay_recorder_read(execution->recorder, rank, error);
    return walk->reader == NULL ? -1 : 0;
}

/* 1; 0 behind the last; -1. */
static int walk_on(struct walk *walk, struct base_error *error)
{
    int more = trace_cursor_next(walk->cursor, &walk->op, error);

    if (more <= 0)
        return more;
    walk->begin_ns = walk->end_ns;
    if (replay_recorder_next(walk->reader, ++walk->operation, &walk->op.duration_ns, error) != 0)
        return -1;
    walk->end_ns += walk->op.duration_ns;
    return 1;
}

static void walk_end(struct walk *walk)
{
    trace_cursor_free(walk->cursor);
    replay_recorder_reader_free(walk->reader);
}

/* ---- an archive ---- */

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}

int replay_execution_is_archive(const char *path, bool *is_archive, struct base_error *error)
{
    *is_archive = ends_in(path, ".otf2");
    if (*is_archive || ends_in(path, ".json"))
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "--timeline %s: a name that ends in .otf2 (an archive) or .json (for Perfetto)", path);
}

static struct trace_writer *open_archive(const char *path, const struct trace_program *program,
                                         const struct trace_writer_format **format, struct base_error *error)
{
    const struct trace_writer_options options = {.creator = flr_version(), .from_zero = true};

    *format = trace_writer_find("otf2", path, error);
    return *format == NULL ? NULL : (*format)->open(path, program, &options, error);
}

int replay_execution_try(const char *path, const struct trace_program *program, struct base_error *error)
{
    const struct trace_writer_format *format;
    struct trace_writer *writer = open_archive(path, program, &format, error);

    if (writer == NULL)
        return -1;
    format->abandon(writer);
    return 0;
}

static int archive_rank(const struct replay_execution *execution, const struct trace_writer_format *format,
                        struct trace_writer *writer, uint32_t rank, struct base_error *error)
{
    struct walk walk;
    int more = walk_begin(&walk, execution, rank, error) == 0 && format->rank(writer, rank, error) == 0 ? 1 : -1;

    while (more > 0 && (more = walk_on(&walk, error)) > 0)
        if (format->add(writer, &walk.op, error) != 0)
            more = -1;
    walk_end(&walk);
    return more;
}

int replay_execution_archive(const struct replay_execution *execution, const char *path, struct base_error *error)
{
    const struct trace_writer_format *format;
    struct trace_writer *writer = open_archive(path, execution->program, &format, error);

    for (uint32_t rank = 0; writer != NULL && rank < trace_program_ranks(execution->program); rank++)
        if (archive_rank(execution, format, writer, rank, error) != 0) {
            format->abandon(writer);
            return -1;
        }
    return writer == NULL ? -1 : format->finish(writer, error);
}

/* ---- Chrome's trace events ---- */

/* Of one rank. */
struct arrows {
    struct base_table counts; /* (communicator and peer, tag and direction) -> messages so far */
    struct base_table open;   /* (request, 0) -> receives */
    uint64_t *receives;       /* numbers of messages whose receive has been started */
    uint32_t count, capacity;
    bool lost; /* a wildcard came: who its message is from is not known, nor what is left for the others */
};

static void arrows_free(struct arrows *arrows)
{
    base_table_free(&arrows->counts);
    base_table_free(&arrows->open);
    free(arrows->receives);
}

/* The number of the message that the operation sends or receives. -1: memory. */
static int number_message(struct arrows *arrows, const struct trace_op *op, uint32_t rank, uint64_t *number)
{
    bool sends = op->kind == TRACE_SEND;
    uint64_t a = (uint64_t)op->communicator << 32 | op->peer, b = (uint64_t)op->tag << 1 | sends;
    uint32_t count = base_table_get(&arrows->counts, a, b);
    uint32_t source = sends ? rank : op->peer, target = sends ? op->peer : rank;

    if (count == BASE_TABLE_NONE)
        count = 0;
    *number = base_hash(base_hash((uint64_t)op->communicator << 32 | source, (uint64_t)target << 32 | op->tag),
                        count);
    return base_table_put(&arrows->counts, a, b, count + 1);
}

/* The receive is over when a wait has completed it. Numbers of completed ones are not used again: a rank has
 * its own list, which ends with it. */
static int remember_receive(struct arrows *arrows, uint64_t request, uint64_t number)
{
    if (arrows->count == arrows->capacity) {
        uint32_t capacity = arrows->capacity == 0 ? 64 : 2 * arrows->capacity;
        uint64_t *receives = realloc(arrows->receives, capacity * sizeof *receives);
        if (receives == NULL)
            return -1;
        arrows->receives = receives;
        arrows->capacity = capacity;
    }
    arrows->receives[arrows->count] = number;
    return base_table_put(&arrows->open, request, 0, arrows->count++);
}

static void complete_receives(struct arrows *arrows, struct report_timeline *out, uint32_t rank,
                              const struct walk *walk)
{
    for (size_t i = 0; i < walk->op.request_count; i++) {
        uint32_t open = base_table_get(&arrows->open, walk->op.requests[i], 0);
        if (open == BASE_TABLE_NONE)
            continue;
        report_timeline_arrow(out, rank, walk->end_ns, arrows->receives[open], true);
        base_table_remove(&arrows->open, walk->op.requests[i], 0);
    }
}

/* Point-to-point only: collectives have no single other side. -1: memory. */
static int put_arrows(struct arrows *arrows, struct report_timeline *out, uint32_t rank, const struct walk *walk)
{
    const struct trace_op *op = &walk->op;
    uint64_t number;

    if (op->kind == TRACE_WAIT)
        complete_receives(arrows, out, rank, walk);
    if (op->kind == TRACE_RECEIVE)
        arrows->lost |= op->peer == TRACE_ANY_SOURCE || op->tag == TRACE_ANY_TAG;
    if (op->kind != TRACE_SEND && (op->kind != TRACE_RECEIVE || arrows->lost))
        return 0;
    if (number_message(arrows, op, rank, &number) != 0)
        return -1;
    if (op->kind == TRACE_SEND)
        report_timeline_arrow(out, rank, walk->begin_ns, number, false);
    else if ((op->flags & TRACE_NONBLOCKING) != 0)
        return remember_receive(arrows, op->request, number);
    else
        report_timeline_arrow(out, rank, walk->end_ns, number, true);
    return 0;
}

/* Computations of no length are nothing to see; calls of no length are where arrows begin. */
static int put_rank(const struct replay_execution *execution, struct report_timeline *out, uint32_t rank,
                    struct base_error *error)
{
    struct arrows arrows = {0};
    struct walk walk;
    int more = walk_begin(&walk, execution, rank, error) == 0 ? 1 : -1;

    report_timeline_rank(out, rank);
    while (more > 0 && (more = walk_on(&walk, error)) > 0) {
        bool computes = walk.op.kind == TRACE_COMPUTE;
        if (walk.op.kind == TRACE_END || (computes && walk.begin_ns == walk.end_ns))
            continue;
        report_timeline_slice(
            out, rank, computes ? "compute" : trace_program_region_name(execution->program, walk.op.region),
            walk.begin_ns, walk.end_ns);
        if (put_arrows(&arrows, out, rank, &walk) != 0)
            more = base_error_memory(error, "the timeline's messages");
    }
    arrows_free(&arrows);
    walk_end(&walk);
    return more;
}

/* Between two samples the load is the mean over all links. */
static void put_loads(const struct replay_execution *execution, struct report_timeline *out)
{
    uint32_t count;
    const struct replay_recorder_sample *samples = replay_recorder_samples(execution->recorder, &count);

    for (uint32_t i = 0; execution->links > 0 && i + 1 < count; i++) {
        uint64_t cycles = base_cycles_from_ns(samples[i + 1].time_ns - samples[i].time_ns,
                                              execution->run->clock_khz);
        if (cycles > 0)
            report_timeline_load(out, samples[i].time_ns,
                                 (double)(samples[i + 1].flits - samples[i].flits) /
                                     ((double)cycles * execution->links));
    }
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
    put_loads(execution, &out);
    return report_timeline_end(&out) == 0 ? 0 : base_error_memory(error, "the timeline");
}
