/* The records of one rank, one by one.
 *
 * dpt_next does a step for each record until one passes the filter. A step reads the function's number, what
 * the mask announces, and the arguments (decode.c); then it counts. Constructors of datatypes are
 * followed on the way, filtered out or not, since later sizes depend on them. Most records need no step: plain.c
 * does the same for the usual ones in one go.
 *
 * An error stays: after a record that makes no sense there is no way to find the next one.
 *
 *     dpt_next ─┬─► plain.c                    a usual record
 *               └─► step ─┬─► read_function    number, or the end marker
 *                         ├─► read_front       thread, times (unwrapped), counters
 *                         ├─► dumpi_decode     arguments, kept or passed over
 *                         ├─► dumpi_follow_datatypes   for constructors
 *                         └─► count_record     only when all of it was there
 *
 * What a caller gets of a record is valid until the next one is read: it is all in one pool, which is reset
 * and not freed, so that records of the usual size need no allocation. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/dumpitrace/stream.h"
#include "traces/dumpitrace/trace.h"

#define WRAP_BITS 16
#define WRAP_SECONDS (1 << WRAP_BITS)
#define WHOLE_WRAPS (~(int64_t)(WRAP_SECONDS - 1)) /* of seconds, which are never negative */
/* Clocks may step back a little, and threads' records come in the order of their ends. A step of more than
 * half a wrap back is a wrap; within a minute of a whole wrap forwards, it is a step back over one. */
#define STEP_SECONDS 60
/* No unwrapping beyond this, so that nanoseconds stay within 64 bits whatever a damaged file says. */
#define MOST_SECONDS (INT64_C(1) << 32)

/* Before the first record; what was learnt of datatypes and the statistics stay. */
static void start_over(struct dpt_stream *stream)
{
    const int64_t cpu = stream->info.cpu_base_seconds, wall = stream->info.wall_base_seconds;

    dumpi_input_seek(stream->input, stream->body + 8, stream->body_end);
    stream->input->system_error = 0;
    stream->cpu = (struct dumpi_clock){cpu, 0, cpu * DUMPI_NANOSECONDS, 0, INT64_MIN};
    stream->wall = (struct dumpi_clock){wall, 0, wall * DUMPI_NANOSECONDS, 0, INT64_MIN};
    stream->next_index = 0;
    stream->last_function = DPT_FUNCTION_COUNT;
    stream->ended = stream->broken = stream->stop_loop = false;
    stream->plain = stream->version.status_has_tag && !stream->general;
    stream->error = (struct dpt_error){.status = DPT_ERROR_NONE};
}

/* The sections at the end are read first: they say where the records end, and which version's layouts to
 * use. A damaged section is a warning; refused is only what does not begin as a DUMPI file, or ends before
 * its first record. */
struct dpt_stream *dpt_open_file(const char *path, struct dpt_error *error)
{
    struct dpt_stream *stream = calloc(1, sizeof *stream);

    if (stream == NULL) {
        dumpi_memory_error(error, path);
        return NULL;
    }
    stream->input = dumpi_input_open(path, error);
    if (stream->input != NULL) {
        if (dumpi_read_sections(stream) == 0) {
            start_over(stream);
            return stream;
        }
        if (error != NULL)
            *error = stream->error;
    }
    dpt_close_rank(stream);
    return NULL;
}

/* Ranks are those of the trace, from 0, also in a trace of one file: there rank 0 is the file, whatever
 * rank it was recorded on (dpt_first_rank). */
struct dpt_stream *dpt_open_rank(const struct dpt_trace *trace, int32_t rank, struct dpt_error *error)
{
    const struct dumpi_place place = {"trace", -1, -1};
    struct dpt_stream *stream;
    char *path;

    if (rank < 0 || rank >= dpt_rank_count(trace)) {
        dumpi_error(error, DPT_ERROR_ARGUMENT, &place, "no rank %" PRId32 " of %" PRId32, rank,
                    dpt_rank_count(trace));
        return NULL;
    }
    path = dumpi_rank_path(trace, rank);
    if (path == NULL) {
        dumpi_memory_error(error, "trace");
        return NULL;
    }
    stream = dpt_open_file(path, error);
    free(path);
    return stream;
}

/* NULL is legal, and so is a stream whose opening failed halfway. */
void dpt_close_rank(struct dpt_stream *stream)
{
    if (stream == NULL)
        return;
    dumpi_input_close(stream->input);
    dumpi_pool_free(&stream->info_pool);
    dumpi_pool_free(&stream->record_pool);
    free(stream->datatypes.sizes);
    free(stream);
}

/* The second nearest to the last one, of those whose low 16 bits these are. A gap of more than half a wrap
 * without any call cannot be told from one that is longer by a wrap: it is taken as the shorter. */
static int64_t unwrap(const struct dumpi_clock *clock, uint16_t seconds)
{
    int64_t unwrapped = (clock->seconds & WHOLE_WRAPS) + seconds;

    if (unwrapped + WRAP_SECONDS / 2 < clock->seconds && clock->seconds < MOST_SECONDS)
        return unwrapped + WRAP_SECONDS;
    if (unwrapped - clock->seconds > WRAP_SECONDS - STEP_SECONDS && unwrapped >= WRAP_SECONDS)
        return unwrapped - WRAP_SECONDS;
    return unwrapped;
}

/* rest may be more than a second: low-resolution clocks add user and system time by parts. */
static int64_t nanoseconds(const struct dumpi_clock *clock, int64_t seconds, uint32_t rest, uint8_t *carry)
{
    *carry = rest < DUMPI_NANOSECONDS ? 0 : (uint8_t)(rest / DUMPI_NANOSECONDS);
    return (clock->base_seconds + seconds) * DUMPI_NANOSECONDS + rest;
}

/* The clock goes on to a second, from its base. */
static void set_seconds(struct dumpi_clock *clock, int64_t seconds)
{
    clock->seconds = seconds;
    clock->same = (uint64_t)(uint16_t)seconds << 48 | (uint16_t)seconds;
    clock->second_ns = (clock->base_seconds + seconds) * DUMPI_NANOSECONDS;
}

/* Entry and exit of one clock from their 12 bytes, whatever second they are in. */
void dumpi_read_any_interval(struct dpt_statistics *statistics, struct dumpi_clock *clock,
                             const uint8_t *bytes, struct dpt_interval *interval)
{
    int64_t start = unwrap(clock, dumpi_u16(bytes)), stop = (start & WHOLE_WRAPS) + dumpi_u16(bytes + 6);

    if (stop < start - 1)
        stop += WRAP_SECONDS;
    interval->start_ns = nanoseconds(clock, start, dumpi_u32(bytes + 2), &interval->start_carry);
    interval->stop_ns = nanoseconds(clock, stop, dumpi_u32(bytes + 8), &interval->stop_carry);
    statistics->clock_wraps += start >> WRAP_BITS > clock->seconds >> WRAP_BITS;
    set_seconds(clock, start);
}

/* Their number stands in each record, so that the list of names is not needed. */
static int read_counters(struct dpt_stream *stream)
{
    struct dpt_record *record = &stream->record;
    const uint8_t *bytes = dumpi_take(stream->input, 1);
    struct dpt_counter *counters;
    size_t count = bytes == NULL ? 0 : bytes[0];

    if (bytes == NULL || (bytes = dumpi_take(stream->input, 16 * count)) == NULL)
        return dumpi_ends_early(stream, "its counters");
    counters = dumpi_pool_get(&stream->record_pool, count * sizeof *counters);
    if (counters == NULL)
        return dumpi_memory_error(&stream->error, stream->input->path);
    for (size_t i = 0; i < count; i++)
        counters[i] =
            (struct dpt_counter){(int64_t)dumpi_u64(bytes + 16 * i), (int64_t)dumpi_u64(bytes + 16 * i + 8)};
    record->counters = counters;
    record->counter_count = (uint8_t)count;
    return 0;
}

/* The mask and what it announces: thread, times, counters. Its length follows from the mask, so that it is
 * taken in one piece. 0; -1: the file ends within it. Absent clocks are zero, whatever the record before had. */
static int read_front(struct dpt_stream *stream)
{
    struct dpt_record *record = &stream->record;
    const uint8_t *bytes = dumpi_take(stream->input, 1);
    unsigned mask = bytes == NULL ? 0 : bytes[0];
    size_t size = (mask & DPT_MASK_THREAD ? 2U : 0U) + (mask & DPT_MASK_CPU ? 12U : 0U) +
                  (mask & DPT_MASK_WALL ? 12U : 0U);

    if (bytes == NULL || (bytes = dumpi_take(stream->input, size)) == NULL)
        return dumpi_ends_early(stream, "its start");
    record->mask = (uint8_t)mask;
    record->thread = 0;
    record->counter_count = 0;
    record->counters = NULL;
    if (mask & DPT_MASK_THREAD) {
        record->thread = dumpi_u16(bytes);
        bytes += 2;
    }
    if (mask & DPT_MASK_CPU) {
        dumpi_read_interval(&stream->statistics, &stream->cpu, bytes, &record->cpu);
        bytes += 12;
    } else {
        record->cpu = (struct dpt_interval){0};
    }
    if (mask & DPT_MASK_WALL)
        dumpi_read_interval(&stream->statistics, &stream->wall, bytes, &record->wall);
    else
        record->wall = (struct dpt_interval){0};
    return mask & DPT_MASK_COUNTERS ? read_counters(stream) : 0;
}

/* The function of the next record: 1, or 0 at the end of the records, -1 on an error. Zeros in
 * place of the marker read as function 0, MPI_Send: after MPI_Finalize, where no program can call it, they
 * are the end as well. */
static int read_function(struct dpt_stream *stream)
{
    struct dpt_record *record = &stream->record;
    const uint8_t *bytes;

    record->layout = NULL;
    record->offset = dumpi_offset(stream->input);
    record->index = stream->next_index;
    /* Very old files have no end marker: there, the records end where the next section begins. */
    if (dumpi_left(stream->input) == 0 && stream->info.has_index)
        return 0;
    bytes = dumpi_take(stream->input, 2);
    if (bytes == NULL)
        return dumpi_ends_early(stream, "the list of records");
    record->function = dumpi_u16(bytes);
    if (record->function == DUMPI_END_MARKER || record->function == DUMPI_OLD_END_MARKER ||
        (record->function == DPT_MPI_Send && stream->last_function == DPT_MPI_Finalize))
        return 0;
    if (record->function < DPT_FUNCTION_COUNT)
        record->layout = &dumpi_layouts[record->function];
    if (record->layout == NULL || record->layout->name == NULL) {
        const struct dumpi_place place = {stream->input->path, record->offset, stream->next_index};

        record->layout = NULL;
        return dumpi_error(&stream->error, DPT_ERROR_FORMAT, &place,
                           "no function has the number %u (%" PRId64 " records before are whole)",
                           record->function, stream->next_index);
    }
    return 1;
}

/* After a whole record only: what is cut in the middle counts nowhere. */
static void count_record(struct dpt_stream *stream, bool given)
{
    struct dpt_statistics *statistics = &stream->statistics;
    const struct dpt_record *record = &stream->record;

    statistics->calls[record->function]++;
    statistics->records += given;
    statistics->filtered += !given;
    statistics->bytes += (uint64_t)(dumpi_offset(stream->input) - record->offset);
    /* All functions that send to one rank come before this one, and have it in the same place. */
    if (record->function <= DPT_MPI_Sendrecv_replace && record->layout->field_count > 2 &&
        record->layout->fields[2].name == DPT_DEST) {
        int64_t dest = record->values[2].number;

        statistics->to_rank_minus_1 += dest == -1;
        statistics->to_rank_minus_2 += dest == -2;
    }
    stream->last_function = record->function;
    stream->next_index++;
}

/* Reads one record of any kind: 1 when it passes the filter, 2 when it does not, 0 at the end, -1 on an error. */
static int step(struct dpt_stream *stream)
{
    int more = read_function(stream);
    bool wanted, constructor;

    if (more <= 0)
        return more;
    wanted = !stream->filtering || stream->wanted[stream->record.function];
    constructor = dumpi_is_constructor(stream->record.function);
    dumpi_pool_reset(&stream->record_pool);
    if (read_front(stream) != 0 || dumpi_decode(stream, wanted || constructor) != 0)
        return -1;
    if (constructor && dumpi_follow_datatypes(stream, &stream->record) != 0)
        return -1;
    count_record(stream, wanted);
    return wanted ? 1 : 2;
}

/* After an error or the end each further call says the same again; and
 * behind MPI_Finalize each record may be the end, as read_function says. */
int dumpi_next_of_any(struct dpt_stream *stream)
{
    int more = stream->broken ? -1 : stream->ended ? 0 : step(stream);

    stream->ended = more == 0;
    stream->broken = more < 0;
    stream->plain = stream->plain && more > 0 && stream->last_function != DPT_MPI_Finalize;
    return more;
}

/* Calls back for up to count records: *done of them. Returns 0, -1 or -2. */
static int run(struct dpt_stream *stream, int64_t count, dpt_callback *callback, void *user, int64_t *done)
{
    const struct dpt_record *record;

    for (*done = 0; count <= 0 || *done < count; (*done)++) {
        int more;

        if (stream->stop_loop) {
            stream->stop_loop = false;
            return -2;
        }
        more = dpt_next(stream, &record);
        if (more <= 0)
            return more;
        callback(user, record);
    }
    return 0;
}

/* The result says how it ended, not how far it came; dpt_dispatch says that. */
int dpt_loop(struct dpt_stream *stream, int64_t count, dpt_callback *callback, void *user)
{
    int64_t done;

    return run(stream, count, callback, user, &done);
}

/* An error or a break hides the number of records before it: dpt_stats has it. */
int64_t dpt_dispatch(struct dpt_stream *stream, int64_t count, dpt_callback *callback, void *user)
{
    int64_t done;
    int result = run(stream, count, callback, user, &done);

    return result == 0 ? done : result;
}

/* To be called from the callback. The record in progress counts as done; the break is looked at before the
 * next, and is forgotten once it has been obeyed. */
void dpt_breakloop(struct dpt_stream *stream)
{
    stream->stop_loop = true;
}

/* All numbers are checked before the old filter is dropped, so that a mistake leaves it in force. An empty
 * list takes the filter away. */
int dpt_filter(struct dpt_stream *stream, const unsigned *functions, size_t count)
{
    const struct dumpi_place place = {stream->input->path, -1, -1};

    for (size_t i = 0; i < count; i++)
        if (dpt_layout(functions[i]) == NULL)
            return dumpi_error(&stream->error, DPT_ERROR_ARGUMENT, &place, "no function has the number %u",
                               functions[i]);
    memset(stream->wanted, 0, sizeof stream->wanted);
    for (size_t i = 0; i < count; i++)
        stream->wanted[functions[i]] = true;
    stream->filtering = count > 0;
    return 0;
}

/* Offset and number alone would not do: the 16-bit seconds of the next record can only be unwrapped next
 * to those of the record before. */
struct dpt_position dpt_tell(const struct dpt_stream *stream)
{
    return (struct dpt_position){dumpi_offset(stream->input), stream->next_index, stream->cpu.seconds,
                                 stream->wall.seconds};
}

/* The position is checked, since it may come from a file of the user's; but whether a record begins there
 * cannot be known. Datatypes that were constructed before it keep the sizes that they were last seen with. */
int dpt_seek(struct dpt_stream *stream, const struct dpt_position *position)
{
    const struct dumpi_place place = {stream->input->path, position->offset, position->index};

    if (position->offset < stream->body + 8 || position->offset > stream->body_end || position->index < 0 ||
        position->cpu_seconds < 0 || position->cpu_seconds > MOST_SECONDS || position->wall_seconds < 0 ||
        position->wall_seconds > MOST_SECONDS)
        return dumpi_error(&stream->error, DPT_ERROR_ARGUMENT, &place, "a position outside of the records");
    start_over(stream);
    dumpi_input_seek(stream->input, position->offset, stream->body_end);
    stream->next_index = position->index;
    set_seconds(&stream->cpu, position->cpu_seconds);
    set_seconds(&stream->wall, position->wall_seconds);
    return 0;
}

/* As if newly opened: statistics and datatypes are learnt again, so that two passes count the same. */
int dpt_rewind(struct dpt_stream *stream)
{
    memset(&stream->statistics, 0, sizeof stream->statistics);
    free(stream->datatypes.sizes);
    stream->datatypes = (struct dumpi_datatypes){NULL, 0};
    start_over(stream);
    return 0;
}

/* The sentence of the last error; empty before any. It changes with the next error. */
const char *dpt_geterr(const struct dpt_stream *stream)
{
    return stream->error.text;
}

/* The same with its kind, offset and record, for callers that decide by them. */
const struct dpt_error *dpt_stream_error(const struct dpt_stream *stream)
{
    return &stream->error;
}

/* They grow while records are read: final only when dpt_next has said that it is the end. */
const struct dpt_statistics *dpt_stats(const struct dpt_stream *stream)
{
    return &stream->statistics;
}

/* Complete from the opening on, and valid as long as the stream is. */
const struct dpt_file_info *dpt_info(const struct dpt_stream *stream)
{
    return &stream->info;
}
