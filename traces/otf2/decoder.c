/* Time, calls and the queue: everything of the decoder that is not about single messages.
 *
 * Compute time runs from the return of one MPI call to the start of the next. Calls whose time is compute
 * (Comm_rank, Wtime and the like) do not stop it. It is collected until an operation follows, so that calls
 * which are left out leave no trace in the program. Times are converted from ticks since the rank's first
 * event with one rounding each, so that the sum of all times is exact, whatever the resolution of the clock.
 *
 *     ──work──┤ MPI_Send ├─work─┤ MPI_Comm_rank ├─work─┤ MPI_Wait ├──work──► end
 *     compute   send     └───────── compute ──────────┘  wait       compute
 *
 * A program begins where MPI_Init returns, or with the first event, and ends where MPI_Finalize is called, or
 * with the last. Clocks of different ranks are never compared: recorders do not agree on when time began.
 *
 * Unsuccessful tests leave nothing in the program as long as no successful one follows: then they were
 * polling for it, and the wait begins with the first of them. */
#include "traces/otf2/decoder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/wide.h"

/* A silence between two records of a rank that no run has: the time stamp is damaged. */
#define LONGEST_SILENCE_SECONDS (UINT64_C(30) * 24 * 3600)

/* Every sentence of the decoder has the same place in front: file, rank, event. Where defects are collected the
 * sentence becomes a defect, and `damage` tells the caller that it may go on. */
static int fail(struct trace_otf2_decoder *decoder, const char *kind, const struct trace_otf2_event *event,
                const char *format, va_list arguments)
{
    struct base_position position = base_position_of(decoder->context->path);
    char text[512];

    vsnprintf(text, sizeof text, format, arguments);
    position.rank = decoder->rank;
    if (event != NULL)
        position.event = (int64_t)event->position;
    decoder->damage = NULL;
    if (decoder->context->options.defects != NULL && event != NULL) {
        decoder->damage = kind;
        if (trace_otf2_defect(decoder, kind, TRACE_FAULT, event, text) != 0) {
            decoder->damage = NULL;
            return -1;
        }
    }
    return base_error_at(decoder->error, BASE_INPUT, &position, "%s", text);
}

/* A record that cannot be true; -1, with the error filled in. */
int trace_otf2_damaged(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                       const char *format, ...)
{
    va_list arguments;
    int result;

    va_start(arguments, format);
    result = fail(decoder, "impossible-record", event, format, arguments);
    va_end(arguments);
    return result;
}

/* The same with a kind of its own for the list of defects. */
int trace_otf2_damaged_as(struct trace_otf2_decoder *decoder, const char *kind,
                          const struct trace_otf2_event *event, const char *format, ...)
{
    va_list arguments;
    int result;

    va_start(arguments, format);
    result = fail(decoder, kind, event, format, arguments);
    va_end(arguments);
    return result;
}

/* Of the archive's definitions; `call` is an index among them, not an identifier. */
static const struct trace_otf2_call *call_of(const struct trace_otf2_decoder *decoder, uint32_t call)
{
    return &decoder->context->definitions->calls[call];
}

/* What is odd, but no damage: told only to who looks for defects, and once, by the survey. */
int trace_otf2_defect(struct trace_otf2_decoder *decoder, const char *kind, enum trace_severity severity,
                      const struct trace_otf2_event *event, const char *text)
{
    struct trace_defect defect = {.kind = kind,
                                  .severity = severity,
                                  .rank = decoder->rank,
                                  .event = event == NULL ? decoder->position : event->position,
                                  .time_ns = decoder->now_ns};

    if (decoder->context->options.defects == NULL || decoder->found == NULL)
        return 0;
    if (decoder->depth > 0)
        defect.call = call_of(decoder, decoder->calls[0])->name;
    return trace_defects_add(decoder->context->options.defects, &defect, decoder->error, "%s", text);
}

/* Sets the error; returns -1. */
static int no_memory(struct trace_otf2_decoder *decoder)
{
    return base_error_memory(decoder->error, "the operations of a rank");
}

/* Nothing is allocated before it is needed: a decoder that is made and freed unused costs nothing. */
void trace_otf2_decoder_init(struct trace_otf2_decoder *decoder, const struct trace_otf2_context *context,
                             uint32_t rank)
{
    *decoder = (struct trace_otf2_decoder){.context = context,
                                           .rank = rank,
                                           .call_slot = UINT64_MAX,
                                           .probe = UINT64_MAX,
                                           .creation_slot = UINT64_MAX,
                                           .last_ticks = UINT64_MAX, /* the first event is looked at */
                                           .recent_id = UINT64_MAX,
                                           .last_communicator = UINT32_MAX};
    trace_otf2_requests_init(&decoder->requests);
}

void trace_otf2_decoder_free(struct trace_otf2_decoder *decoder)
{
    trace_queue_free(&decoder->queue);
    trace_otf2_requests_free(&decoder->requests);
    base_table_free(&decoder->instances);
    free(decoder->completed);
    free(decoder->pending);
}

/* Cursors repair the same things again, in silence. */
void trace_otf2_count_repair(struct trace_otf2_decoder *decoder, enum trace_otf2_repair repair,
                             uint64_t count)
{
    if (decoder->counts != NULL)
        decoder->counts->repairs[repair] += count;
}

/* Also guards the conversion: a rank's time in nanoseconds must fit 63 bits. Ticks must not run backwards, and two
 * records of a rank are at most LONGEST_SILENCE_SECONDS apart. */
static int check_time(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                      uint64_t ticks)
{
    uint64_t resolution = decoder->context->definitions->ticks_per_second;
    base_wide total;

    if (ticks < decoder->last_ticks)
        return trace_otf2_damaged_as(decoder, "time-goes-back", event,
                                     "time goes backward, from %llu to %llu ticks",
                                     (unsigned long long)decoder->last_ticks, (unsigned long long)ticks);
    total = base_wide_scaled(ticks - decoder->first_ticks, 1000000000u, resolution);
    if (base_wide_less(base_wide_product(LONGEST_SILENCE_SECONDS, resolution),
                       base_wide_of(ticks - decoder->last_ticks)) ||
        base_wide_less(base_wide_of(INT64_MAX), total))
        return trace_otf2_damaged_as(decoder, "time-jumps", event,
                                     "time jumps from %llu to %llu ticks, more than 30 days",
                                     (unsigned long long)decoder->last_ticks, (unsigned long long)ticks);
    return 0;
}

/* Where defects are collected, damage is told and left behind: of a record with an impossible time the time
 * is left out, of another all. */
static int leave_out(struct trace_otf2_decoder *decoder)
{
    if (decoder->damage == NULL)
        return -1;
    decoder->damage = NULL;
    return 0;
}

/* The first event of a location starts its clock and its compute time. Sets position and now_ns, on which
 * everything that the record says is placed. */
static int advance(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    decoder->position = event->position;
    if (event->time < decoder->last_ticks || event->time > decoder->sane_ticks) {
        if (!decoder->started) {
            decoder->started = true;
            decoder->computing = true;
            decoder->first_ticks = decoder->last_ticks = event->time;
        }
        if (check_time(decoder, event, event->time) != 0)
            return leave_out(decoder);
        /* Up to a second after this one: no need to look again. */
        decoder->sane_ticks = event->time + decoder->context->definitions->ticks_per_second;
    }
    decoder->last_ticks = event->time;
    decoder->now_ns = trace_otf2_nanoseconds(decoder, event->time);
    return 0;
}

/* Appends an operation with its kind and place. The error of the queue, which knows no messages, is filled in
 * here. */
static inline struct trace_slot *append(struct trace_otf2_decoder *decoder, enum trace_op_kind kind)
{
    struct trace_slot *slot = trace_queue_append(&decoder->queue);

    if (slot == NULL)
        no_memory(decoder);
    else
        trace_otf2_place_op(decoder, &slot->op, kind);
    return slot;
}

/* In the order: compute time that has been collected, then the operation itself. The first operation of a call is
 * remembered, since it gets the call's duration when the call returns. */
struct trace_slot *trace_otf2_emit_new(struct trace_otf2_decoder *decoder, enum trace_op_kind kind)
{
    /* A record outside of MPI calls: the time before it is over, the time after it goes on. */
    if (decoder->computing) {
        trace_otf2_stop_computing(decoder);
        trace_otf2_start_computing(decoder);
    }
    if (decoder->compute_ns > 0) {
        struct trace_slot *compute = append(decoder, TRACE_COMPUTE);
        if (compute == NULL)
            return NULL;
        compute->op.duration_ns = decoder->compute_ns;
        decoder->compute_ns = 0;
    }
    if (decoder->call_slot == UINT64_MAX)
        decoder->call_slot = decoder->queue.tail;
    return append(decoder, kind);
}

/* NULL: memory. The slot's place, time and region are those of `op`, which trace_otf2_new_op has set. */
struct trace_slot *trace_otf2_emit(struct trace_otf2_decoder *decoder, const struct trace_op *op)
{
    struct trace_slot *slot = trace_otf2_emit_new(decoder, op->kind);

    if (slot != NULL)
        slot->op = *op;
    return slot;
}

/* Completions are collected until the call around them returns: MPI_Waitall is one wait on a set, not a
 * sequence of waits. */
int trace_otf2_complete(struct trace_otf2_decoder *decoder, uint64_t number)
{
    if (base_grow(&decoder->completed, &decoder->completed_capacity, decoder->completed_count + 1,
                  sizeof *decoder->completed) != 0)
        return no_memory(decoder);
    decoder->completed[decoder->completed_count++] = number;
    return 0;
}

/* A call that completes nothing leaves no trace in the program. The requests of the call are one set, however many
 * waits there are inside the call. */
int trace_otf2_emit_wait(struct trace_otf2_decoder *decoder, unsigned flags)
{
    struct trace_slot *wait;
    uint64_t *set;

    if (decoder->completed_count == 0)
        return 0;
    wait = trace_otf2_emit_new(decoder, TRACE_WAIT);
    if (wait == NULL)
        return -1;
    set = trace_queue_append_words(&decoder->queue, decoder->completed_count);
    if (set == NULL)
        return no_memory(decoder);
    memcpy(set, decoder->completed, decoder->completed_count * sizeof *set);
    wait->op.flags = flags;
    wait->op.request_count = decoder->completed_count;
    decoder->completed_count = 0;
    return 0;
}

/* The region's call, or TRACE_OTF2_USER_REGION; BASE_TABLE_NONE with an error when it is not defined. */
static uint32_t find_region(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    uint32_t call = trace_otf2_region(decoder->context->definitions, event->peer);
    if (call == BASE_TABLE_NONE)
        trace_otf2_damaged(decoder, event, "region %u is not defined", event->peer);
    return call;
}

/* A probe is nothing but a wait for the message that is received next; what it looked for is not recorded.
 * Several in a row (MPI_Iprobe until there is one) are one, at the first. The probe is an open slot of the queue
 * until a receive resolves it, and dead if none does. */
static int begin_probe(struct trace_otf2_decoder *decoder)
{
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_PROBE);
    struct trace_slot *slot;

    if (decoder->probe != UINT64_MAX) {
        if (!decoder->context->options.keep_polling)
            decoder->compute_ns = 0;
        return 0;
    }
    op.flags = TRACE_APPROXIMATED;
    slot = trace_otf2_emit(decoder, &op);
    if (slot == NULL)
        return -1;
    slot->state = TRACE_SLOT_OPEN;
    decoder->probe = decoder->queue.tail - 1;
    return 0;
}

/* Any other call than a receive leaves open what a probe found: it is left out. */
static inline void end_probe(struct trace_otf2_decoder *decoder)
{
    struct trace_slot *slot;

    if (decoder->probe == UINT64_MAX)
        return;
    slot = trace_queue_find(&decoder->queue, decoder->probe);
    if (slot != NULL && slot->state == TRACE_SLOT_OPEN)
        slot->state = TRACE_SLOT_DEAD;
    decoder->probe = UINT64_MAX;
}

/* Called for outermost calls only: what a call does inside itself is the library's affair. A failed test
 * goes on polling through further tests only; any other call shows that the program did something else. Calls
 * whose time is compute, such as MPI_Comm_rank, do not stop it, and end no series of tests. */
static int begin_call(struct trace_otf2_decoder *decoder, enum trace_otf2_class class)
{
    decoder->call_slot = UINT64_MAX;
    decoder->call_object = decoder->call_window = UINT32_MAX;
    decoder->call_begin_ns = decoder->now_ns;
    decoder->call_records = 0;
    decoder->completed_nothing = false;
    decoder->creation_slot = UINT64_MAX;
    if (trace_otf2_class_is_compute(class))
        return 0;
    trace_otf2_stop_computing(decoder);
    if (class == TRACE_OTF2_PROBE)
        return begin_probe(decoder);
    if (class != TRACE_OTF2_POINT_TO_POINT)
        end_probe(decoder);
    if (class != TRACE_OTF2_TEST)
        decoder->failed_tests = 0;
    decoder->made_communicator |=
        class == TRACE_OTF2_COMMUNICATOR || class == TRACE_OTF2_JOIN || trace_otf2_class_creates(class);
    if (class == TRACE_OTF2_INIT) { /* what came before is the start of processes */
        decoder->compute_ns = 0;
        if (decoder->drafts && decoder->creations > 0)
            decoder->found->draft_is_void = true;
    }
    return trace_otf2_class_creates(class) ? trace_otf2_begin_creation(decoder, decoder->calls[0]) : 0;
}

/* Regions that are no MPI calls are only counted, to check that they are left as often. An MPI call inside another
 * only adds to the depth: it is the library's. */
static int enter(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    uint32_t call = find_region(decoder, event);

    if (call == BASE_TABLE_NONE)
        return -1;
    if (call == TRACE_OTF2_USER_REGION) {
        decoder->user_depth++;
        return 0;
    }
    if (decoder->depth == TRACE_OTF2_CALL_DEPTH)
        return trace_otf2_damaged(decoder, event, "%d MPI calls inside each other", TRACE_OTF2_CALL_DEPTH);
    decoder->calls[decoder->depth++] = call;
    return decoder->depth == 1 ? begin_call(decoder, call_of(decoder, call)->class) : 0;
}

/* A test without completions has failed. Whether the tests so far were a wait shows when one succeeds. The
 * compute time at the first is kept: what was computed between tests would not have been, had the message
 * been there. */
static void failed_test(struct trace_otf2_decoder *decoder)
{
    if (decoder->failed_tests++ == 0)
        decoder->poll_compute_ns = decoder->compute_ns;
    if (decoder->counts != NULL)
        decoder->counts->failed_tests++;
}

/* Tests until success are a wait that began with the first: a faster network would have needed fewer of them.
 * Returns the flags of the wait. The compute time between the tests is dropped, that before the first stays; under
 * keep_polling all of it stays. */
static unsigned collapse_tests(struct trace_otf2_decoder *decoder)
{
    uint64_t failed = decoder->failed_tests;

    decoder->failed_tests = 0;
    if (failed == 0 || decoder->context->options.keep_polling)
        return 0;
    decoder->compute_ns = decoder->poll_compute_ns;
    trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_POLLING, failed);
    if (decoder->counts != NULL)
        decoder->counts->collapsed_tests += failed;
    return TRACE_REPAIRED;
}

/* The completions recorded inside a call are one wait. A wait call in which the recorder saw nothing
 * complete (EZTrace with C programs) completes what never completes otherwise. In which order completions were
 * recorded does not matter: a wait is for a set. */
static int finish_completions(struct trace_otf2_decoder *decoder, enum trace_otf2_class class)
{
    bool completes = decoder->completed_count > 0 || decoder->completed_nothing;
    unsigned flags = 0;

    if (class == TRACE_OTF2_TEST && completes)
        flags = collapse_tests(decoder);
    else if (class == TRACE_OTF2_TEST)
        failed_test(decoder);
    if (!completes && (class == TRACE_OTF2_WAIT_ONE || class == TRACE_OTF2_WAIT_ALL))
        return trace_otf2_complete_unfinished(decoder, class == TRACE_OTF2_WAIT_ALL);
    return decoder->completed_count == 0 ? 0 : trace_otf2_emit_wait(decoder, flags);
}

/* The ranks meet, and then each takes the time that it was recorded to take. */
static int end_file_call(struct trace_otf2_decoder *decoder, const char *name)
{
    uint64_t before = decoder->compute_ns;
    uint64_t own_ns;
    int result;

    if (decoder->call_object == UINT32_MAX)
        return 0;
    trace_otf2_stop_computing(decoder);
    own_ns = decoder->now_ns - decoder->call_begin_ns;
    if (own_ns > decoder->compute_ns - before)
        own_ns = decoder->compute_ns - before;
    decoder->compute_ns -= own_ns;
    result = trace_otf2_end_object_call(decoder, name);
    decoder->compute_ns += own_ns;
    trace_otf2_start_computing(decoder);
    return result;
}

/* What the coverage says of the call: how often, for how long. */
static void count_call(struct trace_otf2_decoder *decoder, uint32_t call, uint64_t duration_ns)
{
    struct trace_otf2_call_count *count = &decoder->counts->calls[call];

    *(decoder->call_records > 0 ? &count->records : &count->empty) += 1;
    *(decoder->call_records > 0 ? &count->records_ns : &count->empty_ns) += duration_ns;
    if (!trace_otf2_class_is_compute(call_of(decoder, call)->class))
        decoder->counts->mpi_ns += duration_ns;
}

/* After MPI_Finalize no time counts any more: what follows is the end of the process. Duration and counters are of
 * the outermost call alone. MPI_Finalize leaves the compute clock stopped. */
static int end_call(struct trace_otf2_decoder *decoder, uint32_t call)
{
    enum trace_otf2_class class = call_of(decoder, call)->class;
    int result = class == TRACE_OTF2_FILES ? end_file_call(decoder, call_of(decoder, call)->name) : 0;
    struct trace_slot *slot;

    if (class == TRACE_OTF2_ONE_SIDED)
        result = trace_otf2_end_object_call(decoder, call_of(decoder, call)->name);
    if (result == 0)
        result = finish_completions(decoder, class);
    if (class != TRACE_OTF2_PROBE && !trace_otf2_class_is_compute(class))
        end_probe(decoder);
    slot = trace_queue_find(&decoder->queue, decoder->call_slot);

    if (slot != NULL)
        slot->op.duration_ns = decoder->now_ns - decoder->call_begin_ns;
    if (decoder->creation_slot != UINT64_MAX)
        trace_otf2_end_mark(decoder);
    if (decoder->counts != NULL)
        count_call(decoder, call, decoder->now_ns - decoder->call_begin_ns);
    decoder->depth = 0;
    if (class != TRACE_OTF2_FINALIZE && !trace_otf2_class_is_compute(class))
        trace_otf2_start_computing(decoder);
    return result;
}

/* Where the leave of an inner call is missing, the record of the outer one ends both. -1 unless damage can be left
 * out: then calls are closed down to the one that is left, or none if it is not open. */
static int leave_unmatched(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                           uint32_t call)
{
    uint32_t depth = decoder->depth;

    trace_otf2_damaged_as(decoder, "unmatched-leave", event, "%s is left, but %s",
                          call_of(decoder, call)->name,
                          depth == 0 ? "no MPI call was entered" : "another MPI call was entered last");
    if (decoder->damage == NULL)
        return -1;
    while (depth > 0 && decoder->calls[depth - 1] != call)
        depth--;
    if (depth == 1)
        return end_call(decoder, call);
    if (depth > 1)
        decoder->depth = depth - 1;
    return 0;
}

/* MPI calls must nest. Other regions need not (EZTrace leaves two crosswise): they are not looked at
 * otherwise. A call is known by its region: the one that is left must be the one entered last. */
static int leave(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    uint32_t call = find_region(decoder, event);

    if (call == BASE_TABLE_NONE)
        return -1;
    if (call == TRACE_OTF2_USER_REGION) {
        if (decoder->user_depth == 0 && decoder->has_holes)
            return 0;
        if (decoder->user_depth == 0)
            return trace_otf2_damaged_as(decoder, "unmatched-leave", event,
                                         "a region is left that was not entered");
        decoder->user_depth--;
        return 0;
    }
    if (decoder->depth == 0 || decoder->calls[decoder->depth - 1] != call)
        return leave_unmatched(decoder, event, call);
    if (decoder->depth == 1)
        return end_call(decoder, call);
    decoder->depth--;
    return 0;
}

/* The recorder wrote its buffer out: time that the program would not have needed without it. */
static int flush(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    if (check_time(decoder, event, event->bytes) != 0)
        return -1;
    decoder->flushed_ns += trace_otf2_nanoseconds(decoder, event->bytes) - decoder->now_ns;
    return 0;
}

/* Records that switch recording off leave holes, behind which regions may be left that were never seen
 * entered. */
static int skip(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    decoder->has_holes |= event->peer == TRACE_OTF2_RECORD_MeasurementOnOff;
    if (decoder->counts != NULL)
        decoder->counts->skipped[event->peer]++;
    return 0;
}

/* Records of MPI calls are counted, since a region of MPI without any is one whose records are missing (flush, time and
 * what is skipped belong to no call). */
static int decode_any(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    switch (event->kind) {
    case TRACE_OTF2_ENTER:
        return enter(decoder, event);
    case TRACE_OTF2_LEAVE:
        return leave(decoder, event);
    case TRACE_OTF2_SEND:
    case TRACE_OTF2_ISEND:
    case TRACE_OTF2_RECV:
    case TRACE_OTF2_IRECV:
        decoder->call_records++;
        return trace_otf2_decode_message(decoder, event);
    case TRACE_OTF2_COLLECTIVE_END:
        decoder->call_records++;
        return trace_otf2_decode_collective(decoder, event);
    case TRACE_OTF2_RMA_WINDOW:
    case TRACE_OTF2_FILE:
        decoder->call_records++;
        return trace_otf2_decode_object(decoder, event);
    case TRACE_OTF2_PUT:
    case TRACE_OTF2_GET:
        decoder->call_records++;
        return trace_otf2_decode_transfer(decoder, event);
    case TRACE_OTF2_TRANSFERRED:
        return trace_otf2_decode_transferred(decoder, event);
    case TRACE_OTF2_COMMUNICATOR_CREATED:
        return trace_otf2_decode_created(decoder, event);
    case TRACE_OTF2_FLUSH:
        return flush(decoder, event);
    case TRACE_OTF2_SKIPPED:
        return skip(decoder, event);
    case TRACE_OTF2_TIME:
        return 0;
    default:
        decoder->call_records++;
        return trace_otf2_decode_request(decoder, event);
    }
}

/* Time first: every other check may refer to it. A completion outside of all calls (the recorder left the
 * call out) is waited for on the spot. */
static inline int decode(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    decoder->damage = NULL;
    if (advance(decoder, event) != 0)
        return -1;
    if (decode_any(decoder, event) != 0 && leave_out(decoder) != 0)
        return -1;
    if (decoder->depth > 0)
        return 0;
    if (decoder->completed_count > 0 && trace_otf2_emit_wait(decoder, 0) != 0)
        return -1;
    decoder->sealed = decoder->queue.tail;
    return 0;
}

/* All of them: what the queue holds is bounded by the number of events given, not by what is taken. */
int trace_otf2_decode(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *events, size_t count,
                      size_t at_hand, struct base_error *error)
{
    size_t i = 0;

    decoder->error = error;
    while (i < count) {
        bool one_by_one = decoder->depth > 0 || at_hand == 0;
        int taken = one_by_one ? 0 : trace_otf2_decode_groups(decoder, &events[i], count - i, at_hand - i);
        if (taken < 0)
            return -1;
        i += (size_t)taken;
        if (i < count && decode(decoder, &events[i++]) != 0)
            return -1;
    }
    return (int)i;
}

/* The events stop inside a call: of that call nothing more is known. */
static int end_inside(struct trace_otf2_decoder *decoder)
{
    struct trace_otf2_event last = {.position = decoder->position};

    trace_otf2_damaged_as(decoder, "truncated-rank", decoder->context->options.defects != NULL ? &last : NULL,
                          "the events end inside %s after event %llu",
                          call_of(decoder, decoder->calls[0])->name, (unsigned long long)decoder->position);
    if (leave_out(decoder) != 0)
        return -1;
    return trace_otf2_emit_wait(decoder, TRACE_REPAIRED);
}

/* Whoever has started something and never completed it, is done now: MPI_Finalize waits for all of it. Requests
 * that are open here go to the table of exceptions (exceptions.c) in the survey. The operation TRACE_END is the
 * last of the program. */
int trace_otf2_decode_end(struct trace_otf2_decoder *decoder, struct base_error *error)
{
    struct trace_op end;

    decoder->error = error;
    decoder->damage = NULL;
    if (decoder->depth > 0 && trace_otf2_current_class(decoder) != TRACE_OTF2_FINALIZE &&
        end_inside(decoder) != 0)
        return -1;
    trace_otf2_stop_computing(decoder);
    end_probe(decoder);
    if (trace_otf2_complete_transfers(decoder) != 0 || trace_otf2_complete_unfinished(decoder, true) != 0)
        return -1;
    for (size_t i = 0; i < decoder->requests.count; i++) {
        /* Free entries of the pool are not found under their identifier any more. */
        if (trace_otf2_request_find(&decoder->requests, decoder->requests.all[i].id) == (uint32_t)i &&
            trace_otf2_abandon(decoder, (uint32_t)i, TRACE_OTF2_UNKNOWN) != 0)
            return -1;
    }
    end = trace_otf2_new_op(decoder, TRACE_END);
    if (trace_otf2_emit(decoder, &end) == NULL)
        return -1;
    decoder->sealed = decoder->queue.tail;
    return 0;
}

/* The first slot that is not dead, or NULL in an empty queue. Dead ones before it are removed: here and not where they
 * die, so that numbers stay consecutive. */
static struct trace_slot *first_alive(struct trace_queue *queue)
{
    while (queue->head < queue->tail && trace_queue_at(queue, queue->head)->state == TRACE_SLOT_DEAD)
        queue->head++;
    return queue->head < queue->tail ? trace_queue_at(queue, queue->head) : NULL;
}

/* Only the survey meets receives that have expired; cursors know those beforehand. */
struct trace_slot *trace_otf2_pass_dead(struct trace_otf2_decoder *decoder)
{
    struct trace_slot *slot;

    while ((slot = first_alive(&decoder->queue)) != NULL && slot->state == TRACE_SLOT_OPEN) {
        if (slot->op.kind != TRACE_RECEIVE || !trace_otf2_has_expired(decoder, slot))
            return NULL;
        slot->state = decoder->drafts ? TRACE_SLOT_READY : TRACE_SLOT_DEAD;
        slot->op.flags |= TRACE_UNSETTLED;
    }
    return decoder->queue.head >= decoder->sealed ? NULL : slot;
}
