/* Both formats are made from a walk over the program (execution-walk.c). */
#include <config.h>

#include "replay/execution.h"

#include <stdlib.h>
#include <string.h>

#include "replay/execution-internal.h"
#include "replay/flitreplay.h"
#include "replay/session.h"
#include "reports/timeline.h"
#include "traces/writer.h"

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
    struct execution_walk walk;
    int more = execution_walk_begin(&walk, execution, rank, error) == 0 && format->rank(writer, rank, error) == 0 ? 1 : -1;

    while (more > 0 && (more = execution_walk_next(&walk, error)) > 0)
        if (format->add(writer, &walk.op, error) != 0)
            more = -1;
    execution_walk_end(&walk);
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

/* ---- loads ---- */

/* Inserts channel i among the busiest so far; of equal ones the first stays first. */
static uint32_t rank_channel(const uint64_t *flits, uint32_t i, uint32_t *busiest, uint32_t count)
{
    uint32_t place = count;

    while (place > 0 && flits[busiest[place - 1]] < flits[i])
        place--;
    if (place == REPLAY_EXECUTION_CHANNELS)
        return count;
    count += count < REPLAY_EXECUTION_CHANNELS;
    memmove(busiest + place + 1, busiest + place, (count - 1 - place) * sizeof *busiest);
    busiest[place] = i;
    return count;
}

/* Flits that a channel has carried until a sample; that all of them have, where channel is ALL_CHANNELS. */
#define ALL_CHANNELS UINT32_MAX

static uint64_t flits_of(const struct replay_execution *execution, const uint64_t *flits, uint32_t channel)
{
    uint64_t sum = 0;

    if (channel != ALL_CHANNELS)
        return flits[channel];
    for (uint32_t i = 0, count = replay_channel_count(execution->topology); i < count; i++)
        sum += flits[i];
    return sum;
}

/* A counter's value holds until its next one: the share of the cycles from a sample to the next in which the
 * channel carries a flit. Times the cycles it is a whole number, and the sum of these is the channel's flits.
 * Engines that grant channels to packets count all flits of one at its grant: those that do not fit into the
 * cycles until the next sample go behind it, and in the end none is left. Nothing is behind the last sample. */
static void put_load(const struct replay_execution *execution, struct report_timeline *out, uint32_t channel,
                     const char *name)
{
    uint32_t count = replay_recorder_samples(execution->recorder);
    uint64_t channels = channel == ALL_CHANNELS ? replay_channel_count(execution->topology) : 1, flits = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct replay_recorder_sample now = replay_recorder_sample_at(execution->recorder, i),
                                      next = replay_recorder_sample_at(execution->recorder,
                                                                       i + 1 < count ? i + 1 : i);
        uint64_t room = (next.cycle - now.cycle) * channels, carried;
        flits += flits_of(execution, next.flits, channel) - flits_of(execution, now.flits, channel);
        carried = flits < room ? flits : room;
        flits -= carried;
        report_timeline_load(out, now.time_ns, name, room > 0 ? (double)carried / (double)room : 0);
    }
}

/* A viewer shows a track for each counter, so only the busiest channels over the whole run have one. */
static void put_loads(const struct replay_execution *execution, struct report_timeline *out)
{
    uint32_t samples = replay_recorder_samples(execution->recorder), busiest[REPLAY_EXECUTION_CHANNELS],
             channels = replay_channel_count(execution->topology), count = 0;
    struct base_arena arena = {0};

    if (samples == 0)
        return; /* no network */
    const uint64_t *flits = replay_recorder_sample_at(execution->recorder, samples - 1).flits;
    put_load(execution, out, ALL_CHANNELS, NULL);
    for (uint32_t channel = 0; channel < channels; channel++)
        if (flits[channel] > 0)
            count = rank_channel(flits, channel, busiest, count);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = replay_channel_name(execution->topology, &arena, busiest[i]);
        if (name == NULL)
            out->failed = true;
        else
            put_load(execution, out, busiest[i], name);
    }
    base_arena_free(&arena);
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
