/* From the events of one rank to the operations of its program: checks every event, keeps track of calls and
 * requests, and measures the time between calls. The same decoder serves the survey, which finds out what its
 * tables miss, and the cursors, which use them. */
#ifndef TRACE_OTF2_DECODER_H
#define TRACE_OTF2_DECODER_H

#include "base/error.h"
#include "base/wide.h"
#include "traces/doctor/defect.h"
#include "traces/draft.h"
#include "traces/otf2-archive/definitions.h"
#include "traces/otf2-archive/events.h"
#include "traces/queue.h"
#include "traces/otf2/requests.h"
#include "traces/otf2/sizes.h"
#include "traces/otf2/tables.h"

#define TRACE_OTF2_NO_CALL UINT32_MAX
#define TRACE_OTF2_CALL_DEPTH 64 /* MPI calls inside MPI calls */

/* What all decoders of a program share; borrowed. */
struct trace_otf2_context {
    const char *path; /* for messages */
    const struct trace_otf2_definitions *definitions;
    const struct trace_otf2_tables *tables; /* what the survey has found out */
    struct trace_options options;           /* with defaults filled in */
};

/* A one-sided operation whose epoch is open. */
struct trace_otf2_pending_access {
    uint64_t number, id; /* in the program, as recorded */
    uint32_t window;
};

struct trace_otf2_survey; /* traces/otf2/survey.h */

struct trace_otf2_decoder {
    const struct trace_otf2_context *context; /* the program's */
    uint32_t rank;                            /* of the world */
    struct trace_queue queue;                 /* operations that have not been taken */

    /* Only the survey sets these: where it counts, where exceptions go, and what it wants to see of
     * collectives. */
    struct trace_otf2_counts *counts;
    struct trace_otf2_survey *survey;     /* NULL for a cursor */
    struct trace_otf2_rank_tables *found; /* of this rank */
    int (*on_collective)(void *user, const struct trace_op *op,
                         const struct trace_otf2_collective_record *record);
    void *user; /* of on_collective */
    /* What it takes goes into a draft (draft.h there): nothing is left out of the queue that a cursor would have. */
    bool drafts;
    /* Of the mark for the call in progress, if that makes communicators; else UINT64_MAX. */
    uint64_t creation_slot;

    /* Where we are. */
    bool started;                                       /* the first event has been seen */
    uint64_t first_ticks, last_ticks, position, now_ns; /* of the first and last record; the last one's */
    uint32_t calls[TRACE_OTF2_CALL_DEPTH];              /* the MPI calls that are open, outermost first */
    uint32_t depth;                                     /* of `calls` */
    uint64_t user_depth;                                /* other regions */
    bool made_communicator;                             /* or has begun to */
    uint32_t creations;                                 /* calls that made communicators */
    uint64_t sealed;    /* slots of the queue before this are of calls that have returned */
    uint64_t call_slot; /* the first operation of the call in progress; UINT64_MAX: none yet */
    bool has_holes;     /* recording was off for a while: regions may be left that were not entered */
    uint64_t call_begin_ns, call_records;      /* of the outermost call in progress */
    uint64_t sane_ticks;                       /* a later time stamp needs a closer look */
    uint32_t last_communicator, last_own_rank; /* the rank's own number there: events come in runs */
    uint64_t recent_id; /* the recorder's identifier of last_communicator; UINT64_MAX: ask again */

    /* Compute time: running since `since_ns`, and collected in compute_ns until the next operation. */
    bool computing;
    uint64_t since_ns, flushed_ns, compute_ns; /* flushed: spent writing the trace, which is no work */
    uint64_t failed_tests;                     /* in a row */
    uint64_t poll_compute_ns;                  /* compute_ns before the first of them */

    struct trace_otf2_requests requests;        /* open ones */
    uint64_t next_number;                       /* of a request */
    uint64_t receive_ordinal, send_ordinal;     /* of the next receive; of the next other request */
    size_t next_receive, next_start;            /* in the tables of the rank */
    uint64_t *completed;                        /* the requests that the current call completes */
    size_t completed_count, completed_capacity; /* empty between calls */
    bool completed_nothing;                     /* it completes requests of operations that are left out */
    uint64_t probe; /* the slot of a probe whose message the next call may tell; UINT64_MAX: none */
    struct trace_otf2_pending_access *pending; /* transfers whose epoch is open */
    size_t pending_count, pending_capacity;
    uint32_t call_object, call_window; /* the communicator and window of the call; UINT32_MAX: not known */
    /* (communicator, 0) -> recorded collectives so far, (…, 1) -> implied ones */
    struct base_table instances;
    uint32_t *used;    /* [communicator] for the survey: has it been used */
    uint32_t *counted; /* [communicator] likewise: creations + 1 at the last collective */

    struct base_error *error; /* of the call in progress */
    const char *damage;       /* what kind of defect it was, when the error is damage that can be left out */
};

/* At the start of a rank. The context is borrowed, and shared by the decoders of all ranks. */
void trace_otf2_decoder_init(struct trace_otf2_decoder *decoder, const struct trace_otf2_context *context,
                             uint32_t rank);
void trace_otf2_decoder_free(struct trace_otf2_decoder *decoder);

/* Takes `count` events into the queue, and more of those that are at hand where the last ones are of a
 * call that ends among these (at_hand 0: none is taken as a whole). How many, or -1 with an error when one
 * cannot be true or memory is out: what was queued before stays good. */
int trace_otf2_decode(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *events, size_t count,
                      size_t at_hand, struct base_error *error);
/* After the last event: completes what never will, and ends the program. */
int trace_otf2_decode_end(struct trace_otf2_decoder *decoder, struct base_error *error);

/* The survey does not wait for a receive longer than a cursor may. */
static inline bool trace_otf2_has_expired(const struct trace_otf2_decoder *decoder,
                                          const struct trace_slot *slot)
{
    return decoder->found != NULL && decoder->position - slot->op.event > TRACE_OTF2_WINDOW;
}

/* False when trace_otf2_take would do nothing, as after most events. A receive that is open holds up what is
 * behind it. */
static inline bool trace_otf2_is_ready(const struct trace_otf2_decoder *decoder)
{
    const struct trace_slot *slot;

    if (decoder->queue.head >= decoder->sealed)
        return false;
    slot = trace_queue_at(&decoder->queue, decoder->queue.head);
    return slot->state != TRACE_SLOT_OPEN ||
           (slot->op.kind == TRACE_RECEIVE && trace_otf2_has_expired(decoder, slot));
}

/* Removes what is left out before the first operation. That operation, or NULL without one that can be taken.
 * */
struct trace_slot *trace_otf2_pass_dead(struct trace_otf2_decoder *decoder);
/* Numbers a collective that is taken from the queue, and makes its sizes those of program.h. */
int trace_otf2_finish_collective(struct trace_otf2_decoder *decoder, struct trace_op *op, uint64_t creations);

/* Removes the first slot, which this is, and copies its operation and ordinal; the requests of a wait are borrowed
 * until the next words are appended. */
static inline void trace_otf2_pop(struct trace_queue *queue, const struct trace_slot *slot,
                                  struct trace_op *op, uint64_t *ordinal)
{
    queue->head++;
    *op = slot->op;
    *ordinal = slot->ordinal;
    if (op->kind == TRACE_WAIT)
        op->requests = trace_queue_words(queue, slot);
}

/* Takes the next operation out of a queue that is ready. 1: *op is filled, and *ordinal for a receive; 0:
 * more events are needed, or the end was taken; -1: an error. The operations of a call are taken when it has
 * returned. For the survey a receive that has not been completed within the window is dropped from the queue,
 * and counted when it is; in a draft it is unsettled. */
static inline int trace_otf2_take(struct trace_otf2_decoder *decoder, struct trace_op *op, uint64_t *ordinal,
                                  struct base_error *error)
{
    struct trace_slot *slot = trace_queue_at(&decoder->queue, decoder->queue.head);

    if (slot->state != TRACE_SLOT_READY && (slot = trace_otf2_pass_dead(decoder)) == NULL)
        return 0;
    trace_otf2_pop(&decoder->queue, slot, op, ordinal);
    decoder->error = error;
    if (op->kind == TRACE_COLLECTIVE_CALL)
        return trace_otf2_finish_collective(decoder, op, *ordinal) != 0 ? -1 : 1;
    return 1;
}

/* Between the files of the decoder. */

/* One rounding a time stamp, whatever its distance from the first. Whole seconds and the rest apart need no
 * division of 128 bits. */
TRACE_INLINE uint64_t trace_otf2_nanoseconds(const struct trace_otf2_decoder *decoder, uint64_t ticks)
{
    uint64_t passed = ticks - decoder->first_ticks;
    uint64_t resolution = decoder->context->definitions->ticks_per_second;

    if (resolution == 1000000000u)
        return passed;
    if (resolution < UINT64_MAX / 1000000000u)
        return passed / resolution * 1000000000u + passed % resolution * 1000000000u / resolution;
    return base_wide_low(base_wide_scaled(passed, 1000000000u, resolution));
}

/* A flush that was longer than the time it happened in (damage, or a coarse clock) takes all of it, not more.
 * */
TRACE_INLINE void trace_otf2_stop_computing(struct trace_otf2_decoder *decoder)
{
    uint64_t passed = decoder->now_ns - decoder->since_ns;

    passed -= decoder->flushed_ns < passed ? decoder->flushed_ns : passed;
    if (decoder->computing && passed >= decoder->context->options.compute_threshold_ns)
        decoder->compute_ns += passed;
    decoder->computing = false;
    decoder->flushed_ns = 0;
}

/* The flush so far belonged to a call, whose time is not compute anyway. */
TRACE_INLINE void trace_otf2_start_computing(struct trace_otf2_decoder *decoder)
{
    decoder->computing = true;
    decoder->since_ns = decoder->now_ns;
    decoder->flushed_ns = 0;
}

/* Fills the error with the rank, the event and a sentence; returns -1. Where defects are collected, the
 * record is left out, and the sentence is a defect of this kind ("impossible-record" without one). */
int trace_otf2_damaged(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));
int trace_otf2_damaged_as(struct trace_otf2_decoder *decoder, const char *kind,
                          const struct trace_otf2_event *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a defect at a record, if defects are collected and this is the survey. -1 without memory. */
int trace_otf2_defect(struct trace_otf2_decoder *decoder, const char *kind, enum trace_severity severity,
                      const struct trace_otf2_event *event, const char *text);
/* Takes calls of the commonest shapes whole, and what is between them, until another event comes or `count` are taken
 * (groups.c). How many; -1 with an error. For a decoder that is in no call. */
int trace_otf2_decode_groups(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *events,
                             size_t count, size_t at_hand);
/* The operations of messages, requests and collectives (messages.c). */
int trace_otf2_decode_message(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event);
int trace_otf2_decode_request(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event);
int trace_otf2_decode_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event);
int trace_otf2_start_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event);
/* index: of the open request of kind TRACE_OTF2_REQUEST_COLLECTIVE. */
int trace_otf2_complete_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                                   uint32_t index);
/* One-sided communication and files (windows.c). */
int trace_otf2_decode_object(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event);
int trace_otf2_decode_transfer(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event);
int trace_otf2_decode_transferred(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event);
/* What a call on a window or file implies, when it returns. */
int trace_otf2_end_object_call(struct trace_otf2_decoder *decoder, const char *call);
int trace_otf2_complete_transfers(struct trace_otf2_decoder *decoder);
int trace_otf2_decode_created(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event);
/* Begins a call that makes communicators (collectives.c). */
int trace_otf2_begin_creation(struct trace_otf2_decoder *decoder, uint32_t call);
/* What the rank's call number `ordinal` that makes communicators implies, if its parent is known: flags, collective,
 * communicator and bytes of *op. False: nothing. */
bool trace_otf2_find_agreement(const struct trace_otf2_decoder *decoder, uint32_t ordinal,
                               struct trace_op *op);
/* The call returns for which a draft has a mark (settle.h). */
void trace_otf2_end_mark(struct trace_otf2_decoder *decoder);
int trace_otf2_note_first_use(struct trace_otf2_decoder *decoder, uint32_t communicator);
/* For the survey: the rank uses a communicator. */
static inline int trace_otf2_note_use(struct trace_otf2_decoder *decoder, uint32_t communicator)
{
    return decoder->found == NULL || decoder->used[communicator]
               ? 0
               : trace_otf2_note_first_use(decoder, communicator);
}

/* Sets the kind and the place of an operation: that of the event in progress; the region is that of the
 * outermost call: what the program called. */
static inline void trace_otf2_place_op(const struct trace_otf2_decoder *decoder, struct trace_op *op,
                                       enum trace_op_kind kind)
{
    op->kind = kind;
    op->event = decoder->position;
    op->time_ns = decoder->now_ns;
    op->region = decoder->depth > 0 ? decoder->calls[0] : UINT32_MAX;
}

/* An operation with its kind and place set, and nothing else. */
static inline struct trace_op trace_otf2_new_op(const struct trace_otf2_decoder *decoder,
                                                enum trace_op_kind kind)
{
    struct trace_op op = {.root = UINT32_MAX};

    trace_otf2_place_op(decoder, &op, kind);
    return op;
}

/* Appends such an operation after the compute time before it, to be filled in; NULL when memory is out (the
 * error is set). */
struct trace_slot *trace_otf2_emit_new(struct trace_otf2_decoder *decoder, enum trace_op_kind kind);
/* The same for one that is made already. */
struct trace_slot *trace_otf2_emit(struct trace_otf2_decoder *decoder, const struct trace_op *op);
/* Appends a wait for the requests that the current call completes, if there are any. */
int trace_otf2_emit_wait(struct trace_otf2_decoder *decoder, unsigned flags);
/* Adds a request to those that the current call completes. */
int trace_otf2_complete(struct trace_otf2_decoder *decoder, uint64_t number);
/* The class of the outermost open call. Outside of MPI calls records can stand too: they count as local. */
static inline enum trace_otf2_class trace_otf2_current_class(const struct trace_otf2_decoder *decoder)
{
    return decoder->depth == 0 ? TRACE_OTF2_LOCAL
                               : decoder->context->definitions->calls[decoder->calls[0]].class;
}

/* For the survey; nothing otherwise. */
void trace_otf2_count_repair(struct trace_otf2_decoder *decoder, enum trace_otf2_repair repair,
                             uint64_t count);
void trace_otf2_count_bytes(struct trace_otf2_decoder *decoder, uint64_t bytes);
void trace_otf2_count_left_out(struct trace_otf2_decoder *decoder);

/* For trace_otf2_find_communicator, when the communicator is another than the last time. */
uint32_t trace_otf2_other_communicator(struct trace_otf2_decoder *decoder,
                                       const struct trace_otf2_event *event, uint32_t *own_rank);

/* The index of the event's communicator with the member that the rank is there, or TRACE_OTF2_SELF;
 * BASE_TABLE_NONE with an error when it is not defined or the rank is no member. */
static inline uint32_t trace_otf2_find_communicator(struct trace_otf2_decoder *decoder,
                                                    const struct trace_otf2_event *event, uint32_t *own_rank)
{
    if (event->communicator != decoder->recent_id)
        return trace_otf2_other_communicator(decoder, event, own_rank);
    *own_rank = decoder->last_own_rank;
    return decoder->last_communicator;
}

/* Exceptions (exceptions.c). */

/* The entry of the table for the receive with the next ordinal, or NULL. */
const struct trace_otf2_receive *trace_otf2_table_entry(struct trace_otf2_decoder *decoder, uint64_t ordinal);
/* Fills in the message of a receive from its entry. */
void trace_otf2_use_entry(const struct trace_otf2_decoder *decoder, struct trace_op *op,
                          const struct trace_otf2_receive *entry);
/* Moves a receive to another channel if repair found that all of its channel belong there. */
void trace_otf2_apply_rule(const struct trace_otf2_decoder *decoder, struct trace_op *op);
/* True when the non-blocking send with the next ordinal never completes, or the non-blocking collective
 * leaves no trace. */
bool trace_otf2_start_is_listed(struct trace_otf2_decoder *decoder, uint64_t ordinal);
/* For the survey: puts it on that list. */
int trace_otf2_note_start(struct trace_otf2_decoder *decoder, const struct trace_otf2_request *request);
/* For the survey: adds an exception. */
int trace_otf2_note_receive(struct trace_otf2_decoder *decoder, const struct trace_otf2_receive *receive);
/* Gives up an open request: an exception. */
int trace_otf2_abandon(struct trace_otf2_decoder *decoder, uint32_t index,
                       enum trace_otf2_receive_state state);
/* Makes an identifier free for a new request: one that is still open has lost its completion. */
int trace_otf2_release_id(struct trace_otf2_decoder *decoder, uint64_t id);
/* Completes the requests that never do: the oldest, or all of them. */
int trace_otf2_complete_unfinished(struct trace_otf2_decoder *decoder, bool all);

#endif
