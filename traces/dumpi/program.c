/* The decoder: record after record to the handler of its function, and the queue's operations to the caller.
 *
 * What is common to all records is done here: its time, whether it is by the thread that communicates, and
 * whether a polling loop goes on.
 *
 *     trace_dumpi_next ─► take ─► an operation is ready: compute before it, then itself
 *            ▲             │ none is: the queue is empty, or its first receive is still open
 *            └── advance ◄─┘      a record more, whose handler appends to the queue
 *
 * A receive whose sender only shows at its completion holds up all that is behind it, for as many as
 * TRACE_DUMPI_WINDOW operations; then it leaves as it was posted, and how it ends becomes an exception. */
#include "traces/dumpi/program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "traces/dumpi/handlers.h"
#include "traces/dumpi/survey.h"

#define DEFAULT_MESSAGE_LIMIT_BYTES ((uint64_t)1 << 40)

/* One sentence for all tables of a rank: none of them grows with the trace. */
int trace_dumpi_no_memory(struct trace_dumpi_decoder *decoder)
{
    return base_error_memory(decoder->error, "a rank of a DUMPI trace");
}

/* Cursors make the same assumptions again, and do not count them twice. */
void trace_dumpi_repair(struct trace_dumpi_decoder *decoder, enum trace_dumpi_repair repair)
{
    trace_dumpi_repair_times(decoder, repair, 1);
}

/* See trace_dumpi_repair. */
void trace_dumpi_repair_times(struct trace_dumpi_decoder *decoder, enum trace_dumpi_repair repair,
                              uint64_t count)
{
    if (decoder->survey != NULL)
        decoder->survey->repairs[repair] += count;
}

/* The survey finds what is wrong; cursors pass over it again, in silence. Without a list of defects the
 * first impossible record is the end; with one the record is left out and counted as such. The sentence begins
 * with the call, behind path, rank and event. */
int trace_dumpi_fault(struct trace_dumpi_decoder *decoder, const char *kind, const char *format, ...)
{
    struct trace_defects *defects = decoder->context->options.defects;
    struct base_position position = base_position_of(decoder->context->path);
    const char *call = decoder->record == NULL ? NULL : dpt_function_name(decoder->record->function);
    struct trace_defect defect = {.kind = kind,
                                  .severity = TRACE_FAULT,
                                  .rank = decoder->rank,
                                  .event = decoder->event,
                                  .time_ns = decoder->now_ns,
                                  .call = call};
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    position.rank = decoder->rank;
    position.event = (int64_t)decoder->event;
    if (defects == NULL)
        return base_error_at(decoder->error, BASE_INPUT, &position, "%s: %s", call == NULL ? "trace" : call,
                             text);
    trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_LEFT_OUT);
    if (decoder->survey == NULL)
        return 0;
    return trace_defects_add(defects, &defect, decoder->error, "%s", text);
}

/* A flipped bit makes a count absurd more often than wrong: hence the limit. Bytes of an unknown datatype
 * are 0, and the caller learns that they are a guess: a receive may take those of its send instead. 1: good; 0:
 * the record is to be left out; -1: error. */
int trace_dumpi_odd_bytes(struct trace_dumpi_decoder *decoder, int64_t count, int64_t size, uint64_t *bytes,
                          bool *unknown)
{
    *bytes = 0;
    if (unknown != NULL)
        *unknown = false;
    if (count < 0)
        return trace_dumpi_fault(decoder, "negative-count", "a count of %" PRId64, count) != 0 ? -1 : 0;
    if (size < 0 && count > 0) {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_DATATYPE);
        if (unknown != NULL)
            *unknown = true;
        return 1;
    }
    if (count == 0 || size <= 0)
        return 1;
    if (__builtin_mul_overflow((uint64_t)count, (uint64_t)size, bytes) || *bytes > decoder->limit_bytes) {
        *bytes = 0;
        return trace_dumpi_fault(decoder, "too-long-message",
                                 "%" PRId64 " elements of %" PRId64 " bytes are over the limit of %" PRIu64
                                 " bytes",
                                 count, size, decoder->limit_bytes) != 0
                   ? -1
                   : 0;
    }
    return 1;
}

/* Compute time goes with the operation that follows it, which saves a slot for every other operation. The
 * call's duration goes with its first operation; others of the same call have none, so that it is not
 * counted twice. */
struct trace_slot *trace_dumpi_emit(struct trace_dumpi_decoder *decoder, enum trace_op_kind kind)
{
    struct trace_slot *slot = trace_queue_append(&decoder->queue);

    if (slot == NULL) {
        trace_dumpi_no_memory(decoder);
        return NULL;
    }
    slot->compute_ns = decoder->compute_ns;
    slot->entry = TRACE_DUMPI_NO_ENTRY;
    slot->guessed = false;
    slot->op.kind = kind;
    slot->op.event = decoder->event;
    slot->op.time_ns = decoder->now_ns;
    slot->op.region = decoder->record == NULL ? TRACE_NO_REGION : decoder->record->function;
    slot->op.duration_ns = decoder->call_ns;
    decoder->compute_ns = 0;
    decoder->call_ns = 0;
    return slot;
}

/* The entry keeps the number of the slot, and the slot the index of the entry, until it is taken. Pointers
 * to slots are valid until the next one is appended. */
struct trace_slot *trace_dumpi_emit_request(struct trace_dumpi_decoder *decoder, enum trace_op_kind kind,
                                            int64_t number, enum trace_dumpi_entry_kind entry_kind)
{
    struct trace_slot *slot = trace_dumpi_emit(decoder, kind);
    uint32_t entry;

    if (slot == NULL)
        return NULL;
    entry = trace_dumpi_entry_new(&decoder->active, number, entry_kind);
    if (entry == TRACE_DUMPI_NO_ENTRY) {
        trace_dumpi_no_memory(decoder);
        return NULL;
    }
    decoder->active.entries[entry].slot = decoder->queue.tail - 1;
    slot->entry = entry;
    slot->op.flags = TRACE_NONBLOCKING;
    return slot;
}

/* What the reader of DUMPI says, in the error's own terms. Errors of the file are defects, after which the
 * rank ends here; errors of the machine (memory, the disk in the middle of a file) always stop the reading,
 * since they say nothing about the trace. */
static int stream_error(struct trace_dumpi_decoder *decoder, const struct dpt_error *error)
{
    struct trace_defects *defects = decoder->context->options.defects;
    bool of_file = error->status == DPT_ERROR_FORMAT || error->status == DPT_ERROR_TRUNCATED ||
                   (error->status == DPT_ERROR_SYSTEM && error->record < 0);
    const struct trace_defect defect = {.kind = error->status == DPT_ERROR_SYSTEM ? "missing-file"
                                                                                  : "truncated-file",
                                        .severity = TRACE_FAULT,
                                        .rank = decoder->rank,
                                        .event = error->record < 0 ? 0 : (uint64_t)error->record + 1,
                                        .time_ns = UINT64_MAX};

    if (defects == NULL || !of_file)
        return base_error_set(decoder->error,
                              of_file || error->status == DPT_ERROR_ARGUMENT ? BASE_INPUT : BASE_SYSTEM, "%s",
                              error->text);
    decoder->over = true;
    trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_CUT);
    if (decoder->survey == NULL)
        return 0;
    return trace_defects_add(defects, &defect, decoder->error, "%s", error->text);
}

/* The file is opened by the first trace_dumpi_next. */
void trace_dumpi_decoder_init(struct trace_dumpi_decoder *decoder, const struct trace_dumpi_context *context,
                              uint32_t rank)
{
    uint64_t limit = context->options.message_limit_bytes;

    *decoder = (struct trace_dumpi_decoder){.context = context,
                                            .rank = rank,
                                            .thread = -1,
                                            .probed_communicator = UINT32_MAX,
                                            .limit_bytes = limit == 0 ? DEFAULT_MESSAGE_LIMIT_BYTES : limit};
}

/* Opening is part of the first reading, so that its failure is a defect of the survey and not of a cursor.
 * A file that is missing leaves a rank without operations when defects are collected. */
static int open_stream(struct trace_dumpi_decoder *decoder)
{
    struct dpt_error problem;

    decoder->stream = dpt_open_rank(decoder->context->trace, (int32_t)decoder->rank, &problem);
    return decoder->stream == NULL ? stream_error(decoder, &problem) : 0;
}

/* Also for one that has never been used, or has failed. The context and the survey belong to the program. */
void trace_dumpi_decoder_free(struct trace_dumpi_decoder *decoder)
{
    dpt_close_rank(decoder->stream);
    trace_queue_free(&decoder->queue);
    trace_dumpi_active_free(&decoder->active);
    free(decoder->open);
    free(decoder->completed);
    base_table_free(&decoder->instances);
    base_table_free(&decoder->object_of);
    for (size_t i = 0; i < decoder->object_count; i++) {
        free(decoder->objects[i].pending);
        free(decoder->objects[i].targets);
    }
    free(decoder->objects);
}

/* Merging the calls of several threads would make an order that the program did not have. Local calls of
 * other threads are passed over. Returns 1 when the record counts. The first thread that communicates is
 * the one; local calls before it count for any. */
static int check_thread(struct trace_dumpi_decoder *decoder, bool local)
{
    int thread = decoder->record->thread;

    if (decoder->thread == thread || (local && decoder->thread < 0))
        return 1;
    if (local)
        return 0;
    if (decoder->thread < 0) {
        decoder->thread = thread;
        return 1;
    }
    return trace_dumpi_fault(decoder, "several-threads",
                             "threads %d and %d of this process both communicate, which is not supported",
                             decoder->thread, thread);
}

/* After MPI_Finalize records are read, to check the file, but mean nothing. */
static int decode(struct trace_dumpi_decoder *decoder)
{
    const struct trace_dumpi_call *call = trace_dumpi_call(decoder->record->function);
    int counts;

    if (decoder->ended)
        return 0;
    counts = check_thread(decoder, call->local);
    if (counts <= 0)
        return counts;
    trace_dumpi_clock(decoder, call->local);
    if (!call->polls && !call->local)
        decoder->failed_tests = 0;
    return call->handler == NULL ? 0 : call->handler(decoder);
}

/* The program ends where MPI_Finalize is called, or with the last record. Compute time behind the last call
 * is dropped: a cut file does not say whether it was work. */
static int finish(struct trace_dumpi_decoder *decoder)
{
    decoder->record = NULL;
    if (decoder->ended)
        return 0;
    decoder->ended = true;
    decoder->compute_ns = 0;
    trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_NO_FINALIZE);
    return trace_dumpi_emit(decoder, TRACE_END) == NULL ? -1 : 0;
}

/* The next record, as dpt_next; also where there is no file. Events are numbered from 1, as records are told to
 * users. */
static inline int next_record(struct trace_dumpi_decoder *decoder)
{
    int more;

    if (decoder->stream == NULL && open_stream(decoder) != 0)
        return -1;
    more = decoder->over ? 0 : dpt_next(decoder->stream, &decoder->record);
    if (more > 0)
        decoder->event = (uint64_t)decoder->record->index + 1;
    return more;
}

/* After the last record, or one that could not be read. -1: error. */
static int end_records(struct trace_dumpi_decoder *decoder, int more)
{
    if (more < 0) {
        decoder->record = NULL;
        if (decoder->stream == NULL || stream_error(decoder, dpt_stream_error(decoder->stream)) != 0)
            return -1;
    }
    decoder->over = true;
    return finish(decoder);
}

/* For whoever wants operations: the next record, or the end. */
static int advance(struct trace_dumpi_decoder *decoder)
{
    int more = next_record(decoder);

    if (more > 0 && decoder->survey != NULL)
        trace_dumpi_survey_record(decoder->survey, decoder);
    return more > 0 ? decode(decoder) : end_records(decoder, more);
}

/* The set of a wait: entries become the numbers of their requests, and are free again. The words of the
 * queue are changed in place, since the operation has the only use for them. */
static void take_set(struct trace_dumpi_decoder *decoder, const struct trace_slot *slot)
{
    uint64_t *set = trace_queue_words(&decoder->queue, slot);

    for (uint32_t i = 0; i < slot->word_count; i++) {
        uint32_t entry = (uint32_t)set[i];
        bool kept = (set[i] & TRACE_DUMPI_KEEP_ENTRY) != 0;

        set[i] = decoder->active.entries[entry].number;
        if (!kept)
            trace_dumpi_entry_release(&decoder->active, entry);
    }
}

/* Numbers are given as operations leave, so that those that turned out to be none leave no gap. */
static inline uint64_t take_request(struct trace_dumpi_decoder *decoder, uint32_t index)
{
    struct trace_dumpi_entry *entry = &decoder->active.entries[index];

    entry->number = decoder->next_number++;
    entry->taken = true;
    if (entry->forgotten)
        trace_dumpi_entry_release(&decoder->active, index);
    return entry->number;
}

/* The compute operation before a slot's, which may go on without it. */
static void take_compute(struct trace_slot *slot, struct trace_op *op)
{
    trace_queue_blank(op);
    op->kind = TRACE_COMPUTE;
    op->duration_ns = slot->compute_ns;
    op->event = slot->op.event;
    op->time_ns = slot->op.time_ns;
    op->region = slot->op.region;
    slot->compute_ns = 0;
}

/* What a slot owns (sets, vectors) stays in the queue's words until something is appended. */
static void take_slot(struct trace_dumpi_decoder *decoder, struct trace_slot *slot, struct trace_op *op)
{
    *op = slot->op;
    if (slot->entry != TRACE_DUMPI_NO_ENTRY)
        op->request = take_request(decoder, slot->entry);
    if (slot->word_count > 0 && op->kind == TRACE_WAIT) {
        take_set(decoder, slot);
        op->requests = trace_queue_words(&decoder->queue, slot);
        op->request_count = slot->word_count;
    } else if (slot->word_count > 0) {
        decoder->vector.sent = trace_queue_words(&decoder->queue, slot);
        decoder->vector.received = decoder->vector.sent + slot->word_count / 2;
        decoder->vector.size = slot->word_count / 2;
        decoder->vector.pairwise = op->collective == TRACE_ALLTOALLV || op->collective == TRACE_ALLTOALLW;
        op->vector = &decoder->vector;
    }
    decoder->ordinal = slot->ordinal;
    decoder->guessed = slot->guessed;
}

/* Whether the first slot can be taken. A receive that is open cannot while fewer than TRACE_DUMPI_WINDOW operations
 * wait behind it. */
static inline bool is_ready(struct trace_dumpi_decoder *decoder, struct trace_slot *slot)
{
    if (slot->state != TRACE_SLOT_OPEN)
        return true;
    if (decoder->queue.tail - decoder->queue.head <= TRACE_DUMPI_WINDOW && !decoder->over)
        return false;
    trace_dumpi_expire(decoder, slot);
    return true;
}

/* 1: *op; 0: more records are needed. Slots that turned out to be no operation give their compute time all
 * the same. */
static int take(struct trace_dumpi_decoder *decoder, struct trace_op *op)
{
    struct trace_queue *queue = &decoder->queue;

    while (queue->head < queue->tail) {
        struct trace_slot *slot = trace_queue_at(queue, queue->head);

        if (slot->compute_ns > 0) {
            take_compute(slot, op);
            return 1;
        }
        if (slot->state != TRACE_SLOT_DEAD && !is_ready(decoder, slot))
            return 0;
        queue->head++;
        if (slot->state == TRACE_SLOT_DEAD)
            continue;
        take_slot(decoder, slot, op);
        return 1;
    }
    return 0;
}

/* What was queued all the same. Nobody asks for numbers of requests here, and entries are free as soon as they are
 * completed. */
static inline void count_slots(struct trace_dumpi_decoder *decoder)
{
    struct trace_queue *queue = &decoder->queue;

    while (queue->head < queue->tail) {
        const struct trace_slot *slot = trace_queue_at(queue, queue->head++);

        decoder->survey->compute_ns += slot->compute_ns;
        trace_dumpi_survey_op(decoder->survey, decoder->rank, &slot->op, slot->guessed);
    }
}

/* Every record is counted, also those that are left out afterwards: the survey's numbers are those of the file. */
int trace_dumpi_count(struct trace_dumpi_decoder *decoder, struct base_error *error)
{
    decoder->error = error;
    while (!decoder->over) {
        int more = next_record(decoder), result = 0;

        if (more > 0) {
            trace_dumpi_survey_record(decoder->survey, decoder);
            result = trace_dumpi_count_plain(decoder);
            if (result == 0)
                result = decode(decoder);
        } else {
            result = end_records(decoder, more);
        }
        if (result < 0)
            return -1;
        count_slots(decoder);
        if (trace_dumpi_places(decoder) > decoder->open_until || decoder->over)
            trace_dumpi_expire_open(decoder);
    }
    decoder->survey->compute_ns += decoder->passed_compute_ns;
    return 0;
}

/* Reads no further than the next operation needs. */
int trace_dumpi_next(struct trace_dumpi_decoder *decoder, struct trace_op *op, struct base_error *error)
{
    decoder->error = error;
    while (take(decoder, op) == 0) {
        /* A cursor need not read what follows MPI_Finalize; the survey checks that it can be read. */
        if (decoder->over)
            return 0;
        if (advance(decoder) != 0)
            return -1;
    }
    return 1;
}
