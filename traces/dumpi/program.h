/* From the records of one rank to the operations of its program. The survey and the cursors decode with the
 * same code; what only the survey can know (how a receive ends that was posted far before) goes into a table
 * of exceptions, which the cursors use.
 *
 *     dpt_next ──► trace_dumpi_decode ──► handler of the function ──► queue ──► trace_dumpi_next
 *      record        clocks, polling       (calls.def)                      operation
 *
 * A handler is int (*)(struct trace_dumpi_decoder *): it looks at decoder->record and emits operations. It
 * returns 0, or -1 with decoder->error filled. Arguments are taken by their position in the layout
 * (traces/dumpitrace/functions.def), which each handler names. */
#ifndef TRACE_DUMPI_PROGRAM_H
#define TRACE_DUMPI_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"
#include "base/grow.h"
#include "traces/communicators/communicators.h"
#include "traces/doctor/defect.h"
#include "traces/dumpi/active.h"
#include "traces/queue.h"
#include "traces/dumpitrace/dumpitrace.h"
#include "traces/communicators/implied.h"

/* How many operations a receive may hold up. */
#define TRACE_DUMPI_WINDOW 4096

/* TRACE_DUMPI_REPAIR(symbol, kind, text) in repairs.def. */
enum trace_dumpi_repair {
#define TRACE_DUMPI_REPAIR(symbol, kind, text) TRACE_DUMPI_REPAIR_##symbol,
#include "traces/dumpi/repairs.def"
#undef TRACE_DUMPI_REPAIR
    TRACE_DUMPI_REPAIRS
};

/* How a receive ends that its posting does not tell; by its ordinal within the rank. */
struct trace_dumpi_exception {
    uint64_t ordinal, bytes; /* which receive of the rank; the message's size */
    uint32_t peer, tag;      /* world rank, and tag, of the message */
    bool absent;             /* cancelled, or from MPI_PROC_NULL */
};

struct trace_dumpi_exceptions { /* of one rank, sorted by ordinal */
    struct trace_dumpi_exception *all;
    size_t count, capacity; /* sorted ones */
    size_t added;           /* behind these, not yet sorted in */
};

/* Receives that left no operation, of MPI_PROC_NULL or cancelled: what a draft (traces/draft.h) has of a rank's
 * receives is by number, exceptions are by ordinal. */
struct trace_dumpi_gap {
    uint64_t at, count; /* before the draft's n-th receive, from 0, so many are missing */
};
#define TRACE_DUMPI_GAPS 65536

struct trace_dumpi_drafted { /* of one rank */
    struct trace_dumpi_gap *gaps;
    size_t count, capacity; /* at most TRACE_DUMPI_GAPS */
    uint64_t receives;      /* in the draft */
    uint64_t next_ordinal;  /* of a receive behind them */
    bool is_void;           /* it cannot be settled */
    bool has_lost_gaps;     /* there were more, or no memory: exceptions cannot be placed */
};

/* What the decoders of a program share. */
/* What the members of a group sent to or got from a root in the other group: its own record does not say. */
struct trace_dumpi_parts {
    struct base_table index; /* (communicator and member, instance) -> place in bytes */
    uint64_t *bytes;
    size_t count, capacity; /* of bytes */
};

struct trace_dumpi_context {
    const char *path;              /* for messages */
    const struct dpt_trace *trace; /* the files */
    uint32_t ranks;                /* of the world */
    struct trace_options options;
    const struct trace_communicators *handles;         /* what a handle means at a rank and event */
    const struct trace_communicator *communicators;    /* the program's */
    uint32_t communicator_count, unknown_communicator; /* the latter stands for all that are unknown */
    enum dpt_flavour flavour; /* whose null process and null root are which numbers */
    const struct trace_implied_call *implied[DPT_FUNCTION_COUNT]; /* NULL: implies nothing */
    /* NULL during the survey; per rank: whether an unresolved source -1 is MPI_PROC_NULL. */
    const struct trace_dumpi_exceptions *exceptions;
    const bool *null_sources;
    const struct base_table *roots;        /* (communicator, instance) -> root, of inter-communicators */
    const struct trace_dumpi_parts *parts; /* NULL during the survey, as the roots */
};

/* What a communicator's handle means now, to this rank. */
struct trace_dumpi_group {
    int64_t handle;     /* as recorded */
    uint32_t index;     /* of the program's communicators */
    uint32_t size, own; /* of the rank's own group; its number there */
    bool known, valid;  /* the handle means something; the entry of the cache is in use */
};
#define TRACE_DUMPI_GROUPS 16

/* A window or a file: the communicator that it was made on. */
struct trace_dumpi_object {
    uint32_t communicator;
    uint64_t *pending; /* entries of the operations of a window's epoch, and the target of each */
    uint32_t *targets;
    size_t pending_count, pending_capacity, target_capacity; /* 0: no operation of the epoch is open */
};

/* A receive that the survey cannot count yet; one that has been completed may still be listed. It is open while the
 * entry has that place and is receiving. */
struct trace_dumpi_open {
    uint64_t place; /* among all operations */
    uint32_t entry;
};

struct trace_dumpi_survey;

struct trace_dumpi_decoder {
    const struct trace_dumpi_context *context; /* the program's, borrowed */
    struct trace_dumpi_survey *survey;         /* NULL for a cursor */
    bool drafts;                               /* the survey's: operations are made as a cursor's are */
    struct dpt_stream *stream;                 /* NULL before the first record is asked for */
    uint32_t rank;                             /* of the world */
    struct trace_queue queue;                  /* operations that have not been taken */
    uint64_t passed;               /* the survey: operations that it counted instead of queueing them */
    uint64_t passed_compute_ns;    /* before these */
    struct trace_dumpi_open *open; /* the survey: a ring of receives in the order they were posted */
    size_t open_capacity;          /* a power of two, or 0 */
    uint64_t open_head, open_tail;
    uint64_t open_until;              /* how many operations there may be before the first is looked at */
    struct trace_dumpi_active active; /* requests */
    struct base_error *error;         /* of the call in progress */
    uint64_t limit_bytes;             /* of a message */

    /* The record in progress. */
    const struct dpt_record *record;
    uint64_t event, now_ns; /* its number, from 1; its place in time since the first record */
    uint64_t call_ns;       /* its duration, until an operation has it */
    int thread;             /* that communicates; -1 when none has */
    bool ended;             /* no more records count */
    bool over;              /* none are left */

    /* Compute time, see program-clock.c. */
    int64_t first_ns, wall_stop_ns, cpu_stop_ns; /* the first record's start, the last one's stop */
    bool started;
    uint64_t compute_ns, poll_compute_ns, failed_tests; /* collected; before failed tests; in a row */

    uint64_t next_number;                       /* of a request, as operations are taken */
    uint64_t receive_ordinal;                   /* of the next receive posted */
    size_t next_exception;                      /* in the rank's exceptions */
    uint64_t *completed;                        /* the entries that the current call completes */
    size_t completed_count, completed_capacity; /* empty between calls */
    uint64_t pending_io;                        /* requests of MPI-IO: their waits are unknown */
    bool completed_io;                          /* the call in progress completes a request of MPI-IO */
    struct dpt_receive_status probed;           /* by the last probe, for a receive that ignores its status */
    uint32_t probed_communicator;               /* UINT32_MAX: none */

    struct trace_dumpi_group groups[TRACE_DUMPI_GROUPS]; /* by handle modulo their number */
    struct base_table instances;                         /* communicator -> collectives so far */
    struct base_table object_of;                         /* handle, kind -> objects */
    struct trace_dumpi_object *objects;
    size_t object_count, object_capacity; /* of windows and files so far */

    /* Of the operation taken last. */
    struct trace_vector vector; /* what op.vector points to */
    uint64_t ordinal;
    bool guessed; /* a receive whose bytes are its room */
};

typedef int trace_dumpi_handler(struct trace_dumpi_decoder *decoder);

/* How a function is decoded, and what the coverage says of it. No function is unknown: those that only look
 * are local. */
struct trace_dumpi_call {
    trace_dumpi_handler *handler; /* NULL: nothing but time */
    bool local;                   /* its time is compute */
    bool polls;                   /* may be a part of a polling loop */
    enum trace_treatment treatment;
    const char *how; /* a phrase for the coverage; NULL: there is nothing to say */
};
extern const struct trace_dumpi_call trace_dumpi_calls[DPT_FUNCTION_COUNT]; /* unlisted ones are zeroed */
extern const struct trace_dumpi_call trace_dumpi_local_call;
static inline const struct trace_dumpi_call *trace_dumpi_call(unsigned function)
{
    return trace_dumpi_calls[function].handler == NULL ? &trace_dumpi_local_call
                                                       : &trace_dumpi_calls[function];
}
/* Other ranks have a part in it: it communicates or waits. */
static inline bool trace_dumpi_is_communication(unsigned function)
{
    return !trace_dumpi_call(function)->local && function != DPT_MPI_Init &&
           function != DPT_MPI_Init_thread && function != DPT_MPI_Finalize;
}

/* ---- program.c: a decoder ---- */

/* Opens nothing yet: a rank's file is opened when its first operation is asked for. With options.defects, a
 * rank without a file has no records. */
void trace_dumpi_decoder_init(struct trace_dumpi_decoder *decoder, const struct trace_dumpi_context *context,
                              uint32_t rank);
void trace_dumpi_decoder_free(struct trace_dumpi_decoder *decoder);
/* 1: *op is the next operation; 0: the program is over; -1: error. */
int trace_dumpi_next(struct trace_dumpi_decoder *decoder, struct trace_op *op, struct base_error *error);
/* For the survey, from the first record to the last: its operations are counted and not given. -1: error. */
int trace_dumpi_count(struct trace_dumpi_decoder *decoder, struct base_error *error);

/* A survey that drafts nothing counts messages and waits, and makes no operations of them. */
static inline bool trace_dumpi_only_counts(const struct trace_dumpi_decoder *decoder)
{
    return decoder->survey != NULL && !decoder->drafts;
}

/* For handlers. */
static inline int64_t trace_dumpi_argument(const struct trace_dumpi_decoder *decoder, unsigned position)
{
    return decoder->record->values[position].number;
}
/* A slot of that kind for the record, after the compute time before it. NULL: no memory, error set. */
struct trace_slot *trace_dumpi_emit(struct trace_dumpi_decoder *decoder, enum trace_op_kind kind);
/* The same, its operation starting a request: the entry is new, in no handle's queue for a number -1. */
struct trace_slot *trace_dumpi_emit_request(struct trace_dumpi_decoder *decoder, enum trace_op_kind kind,
                                            int64_t number, enum trace_dumpi_entry_kind entry_kind);
int trace_dumpi_no_memory(struct trace_dumpi_decoder *decoder);
/* How many operations there have been so far. */
static inline uint64_t trace_dumpi_places(const struct trace_dumpi_decoder *decoder)
{
    return decoder->queue.tail + decoder->passed;
}
/* The survey counts messages and waits without queueing them. They have their places among the other operations all the
 * same, since a receive is held up by so many. */
static inline void trace_dumpi_pass(struct trace_dumpi_decoder *decoder)
{
    decoder->passed++;
    decoder->passed_compute_ns += decoder->compute_ns;
    decoder->compute_ns = 0;
    decoder->call_ns = 0;
}
/* The record cannot be true: without options.defects an error, -1; with them a defect (found by the survey),
 * and 0, so that the record is left out. kind is a defect's. */
int trace_dumpi_fault(struct trace_dumpi_decoder *decoder, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Counts for the survey; nothing for a cursor. */
void trace_dumpi_repair(struct trace_dumpi_decoder *decoder, enum trace_dumpi_repair repair);
/* For trace_dumpi_bytes: of a datatype of that size, -1 for an unknown one. */
int trace_dumpi_odd_bytes(struct trace_dumpi_decoder *decoder, int64_t count, int64_t size, uint64_t *bytes,
                          bool *unknown);
/* count elements of a datatype: 1 and *bytes; 0: left out, see trace_dumpi_fault; -1: error. A datatype of
 * unknown size is counted as a repair, and has 0 bytes; *unknown may be NULL. */
static inline int trace_dumpi_bytes(struct trace_dumpi_decoder *decoder, int64_t count, int64_t datatype,
                                    uint64_t *bytes, bool *unknown)
{
    int64_t size = dpt_datatype_size(decoder->stream, datatype);

    if (count < 0 || count > INT32_MAX || size <= 0 || size > INT32_MAX ||
        (uint64_t)(count * size) > decoder->limit_bytes)
        return trace_dumpi_odd_bytes(decoder, count, size, bytes, unknown);
    *bytes = (uint64_t)(count * size);
    if (unknown != NULL)
        *unknown = false;
    return 1;
}

/* ---- survey-plain.c ---- */

/* For the survey: counts the record if it is one of the usual. 1; 0: it is left to its handler, and nothing has been
 * done; -1: error. */
int trace_dumpi_count_plain(struct trace_dumpi_decoder *decoder);

/* ---- program-clock.c ---- */

/* Accounts for the time since the last record and, of a local call, inside this one. */
void trace_dumpi_clock(struct trace_dumpi_decoder *decoder, bool local);

/* ---- program-groups.c: communicators, windows, files ---- */

/* For trace_dumpi_group: fills in what the handle means. */
void trace_dumpi_find_group(struct trace_dumpi_decoder *decoder, int64_t handle,
                            struct trace_dumpi_group *group);
/* What the communicator's handle means here; never NULL. group->known is false for one that was made by an
 * unrecorded call. Direct-mapped: programs use few communicators at a time. */
static inline const struct trace_dumpi_group *trace_dumpi_group(struct trace_dumpi_decoder *decoder,
                                                                int64_t handle)
{
    struct trace_dumpi_group *group = &decoder->groups[(uint64_t)handle % TRACE_DUMPI_GROUPS];

    if (!group->valid || group->handle != handle)
        trace_dumpi_find_group(decoder, handle, group);
    return group;
}
/* The world rank of the rank number `peer` as a message of the communicator names it; UINT32_MAX: none.
 * Within one group, messages and members have the same numbers. */
static inline uint32_t trace_dumpi_peer(const struct trace_dumpi_decoder *decoder, uint32_t communicator,
                                        int64_t peer)
{
    const struct trace_dumpi_context *context = decoder->context;
    const struct trace_communicator *members = &context->communicators[communicator];

    if (peer < 0 || peer > UINT32_MAX)
        return UINT32_MAX;
    if (members->remote_size > 0)
        return trace_communicators_world(context->handles, communicator, decoder->rank, (uint32_t)peer);
    return peer < members->size ? members->members[peer] : UINT32_MAX;
}
/* After a handle was made or freed. */
void trace_dumpi_forget_groups(struct trace_dumpi_decoder *decoder);
enum trace_dumpi_object_kind { TRACE_DUMPI_WINDOW_OBJECT, TRACE_DUMPI_FILE_OBJECT };
/* NULL when it is unknown. */
struct trace_dumpi_object *trace_dumpi_object(struct trace_dumpi_decoder *decoder,
                                              enum trace_dumpi_object_kind kind, int64_t handle);
/* Made on a communicator. -1: no memory, error set. */
int trace_dumpi_object_new(struct trace_dumpi_decoder *decoder, enum trace_dumpi_object_kind kind,
                           int64_t handle, uint32_t communicator);

/* ---- program-waits.c ---- */

/* Adds an entry to those that the current call completes, for one wait on a set. */
static inline int trace_dumpi_complete_entry(struct trace_dumpi_decoder *decoder, uint64_t entry)
{
    if (decoder->completed_count == decoder->completed_capacity &&
        base_grow(&decoder->completed, &decoder->completed_capacity, decoder->completed_count + 1,
                  sizeof *decoder->completed) != 0)
        return trace_dumpi_no_memory(decoder);
    decoder->completed[decoder->completed_count++] = entry;
    return 0;
}
/* Emits one wait for them, if there are any. */
int trace_dumpi_emit_wait(struct trace_dumpi_decoder *decoder, unsigned flags);
/* A failing test or probe; and the success after some: returns the flags for what it becomes. */
void trace_dumpi_test_failed(struct trace_dumpi_decoder *decoder);
unsigned trace_dumpi_test_succeeded(struct trace_dumpi_decoder *decoder);
/* In the set of a wait: completes the entry, but leaves it active (MPI_Request_get_status). */
#define TRACE_DUMPI_KEEP_ENTRY ((uint64_t)1 << 32)

/* ---- program-receives.c ---- */

/* A receive as it was posted. */
struct trace_dumpi_receive {
    int64_t source, tag;   /* as recorded: in the communicator, or a wildcard */
    uint32_t communicator; /* of the program */
    uint64_t room_bytes;
    unsigned flags; /* of the operation */
    int64_t number; /* of the request's handle; -1: none */
    bool blocking;  /* complete: status counts, NULL when the program ignored it */
    const struct dpt_receive_status *status;
    uint32_t entry; /* set: that of the request, or TRACE_DUMPI_NO_ENTRY when nothing was posted */
};
int trace_dumpi_post(struct trace_dumpi_decoder *decoder, struct trace_dumpi_receive *receive);
/* For the survey, to which a receive that is not known yet is an entry that is listed until it is completed: its index;
 * TRACE_DUMPI_NO_ENTRY: no memory, error set. `posted` has what the receive was posted with. */
uint32_t trace_dumpi_list_open(struct trace_dumpi_decoder *decoder, int64_t number,
                               const struct trace_dumpi_entry *posted);
/* The entry of a receive completes; NULL for an ignored status. Sets *absent when it was no operation. */
int trace_dumpi_resolve(struct trace_dumpi_decoder *decoder, uint32_t entry,
                        const struct dpt_receive_status *status, bool *absent);
/* A receive has been held up too long: it is taken as posted. */
void trace_dumpi_expire(struct trace_dumpi_decoder *decoder, struct trace_slot *slot);
/* The same for the survey, when there are more than open_until operations, or the records are over: counts such
 * receives, and drops those that have been completed from the front of the list of open ones. */
void trace_dumpi_expire_open(struct trace_dumpi_decoder *decoder);

/* ---- program-implied.c ---- */

/* Emits what the current call implies on a communicator. */
int trace_dumpi_emit_implied(struct trace_dumpi_decoder *decoder, uint32_t communicator,
                             struct trace_dumpi_object *window);
/* The number of the rank's next collective on the communicator. -1: no memory, error set. */
int trace_dumpi_next_instance(struct trace_dumpi_decoder *decoder, uint32_t communicator, uint64_t *instance);

#endif
