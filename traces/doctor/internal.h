/* Inside the trace doctor: its parts (doctor.c schedules, messages.c and collectives.c pair).
 *
 *      rank ──► op ──► post ──► item in a channel's queue ──► paired by the other side's item
 *                 └──► wait ──► requests ──► items           ──► completed
 *
 * An item is a send, a receive or another request that is not both matched and completed yet; then it is
 * freed. Channels (source, target, communicator, tag) live as long as they hold items. */
#ifndef TRACE_DOCTOR_INTERNAL_H
#define TRACE_DOCTOR_INTERNAL_H

#include "base/table.h"
#include "traces/doctor/doctor.h"

#define DOCTOR_NONE UINT32_MAX
#define DOCTOR_UNKNOWN UINT64_MAX /* a time */

/* Where an operation was recorded; enough for a sentence about it when the stream has gone on. */
struct doctor_place {
    uint32_t rank, region;   /* region: index in the program's, for the name of the call */
    uint64_t event, time_ns; /* number of the record from 1; since the rank's first event */
};

enum doctor_item_kind {
    DOCTOR_SEND,
    DOCTOR_RECEIVE,
    DOCTOR_PROBE,
    DOCTOR_OTHER /* a request that is no message */
};

struct doctor_item {
    struct doctor_place place;         /* of the operation itself */
    enum doctor_item_kind kind;        /* which queue of its channel it stands in */
    bool matched, completed, wildcard; /* wildcard: names no source or no tag */
    uint32_t next;                     /* in its channel's queue, or among the free */
    uint64_t request;
    uint64_t bytes;           /* of the message; of a receive, what was received */
    uint64_t completed_ns;    /* receives: when the recorded call that completed them returned */
    struct doctor_place send; /* receives that are matched: their send */
};

enum doctor_queue { DOCTOR_SENDS, DOCTOR_RECEIVES, DOCTOR_PROBES, DOCTOR_QUEUES };

/* Source and tag of a channel of wildcard receives are TRACE_ANY_SOURCE, TRACE_ANY_TAG. */
struct doctor_channel {
    uint32_t source, target, communicator, tag;         /* ranks of the world */
    uint32_t first[DOCTOR_QUEUES], last[DOCTOR_QUEUES]; /* items, in the order of their rank */
    uint32_t previous, next; /* among the channels of the target, or the free ones (next) */
};

struct doctor_rank {
    struct trace_cursor *cursor; /* its stream, read as far as the others allow */
    struct trace_op op;          /* the operation that the rank is at, when has_op */
    bool has_op, ended;
    uint32_t item;            /* of the blocking receive or probe it is at */
    uint32_t channels;        /* first of those with this target */
    uint64_t operations;      /* read so far */
    uint64_t unmatched_sends; /* a rank that is far ahead waits for others */
    bool wildcards;           /* an unresolved one has occurred: what pairs with what is a guess */
    uint64_t last_event, last_time_ns;
    uint64_t latest_end_ns; /* of the calls so far; one call may be several operations, of which one has its
                               time (MPI_Sendrecv) */
    uint64_t backward, backward_worst_ns; /* times that go back */
    struct doctor_place backward_place;
};

struct doctor_instance; /* of a collective */

struct doctor {
    struct trace_program *program; /* that is examined; borrowed */
    struct trace_defects *defects; /* where findings go; borrowed */
    struct base_error *error;
    uint32_t rank_count, communicator_count;
    struct doctor_rank *ranks; /* [rank] */

    struct doctor_item *items; /* a pool: all else names items by their index in it */
    size_t item_count, item_capacity;
    uint32_t free_item;              /* the first of those that are not in use */
    struct doctor_channel *channels; /* a pool, as the items are */
    size_t channel_count, channel_capacity;
    uint32_t free_channel;        /* likewise */
    struct base_table channel_of; /* (source, target), (communicator, tag) -> channel */
    struct base_table request_of; /* (rank, request) -> item */
    uint64_t send_limit;          /* of a rank's unmatched_sends */

    uint64_t messages, violations, worst_ns; /* compared, against the clock, by how much at most */
    struct doctor_place worst_send, worst_receive;

    struct doctor_instance *instances; /* a pool: collectives that some member is still to call */
    size_t instance_count, instance_capacity;
    uint32_t free_instance;        /* likewise */
    struct base_table instance_of; /* (communicator, instance) -> instance */
    struct base_table member_of;   /* (communicator, rank) -> counter */
    uint64_t *counters;            /* of a member: the number of the first collective it has not called */
    size_t counter_count, counter_capacity;
    uint64_t *disagreements; /* [communicator]: collectives with another operation or root than the first */
};

struct doctor_place doctor_place_of(uint32_t rank, const struct trace_op *op);
/* Adds `count` defects of a kind at a place; place NULL: of the whole trace. */
int doctor_tell(struct doctor *doctor, const char *kind, enum trace_severity severity,
                const struct doctor_place *place, uint64_t count, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
const char *doctor_communicator_name(const struct doctor *doctor, uint32_t communicator);

/* Messages and requests. Each returns 0, or -1: memory. */
int doctor_post(struct doctor *doctor, uint32_t rank);
/* A request that is no message (a collective, one-sided). */
int doctor_post_other(struct doctor *doctor, uint32_t rank);
/* Whether the receive, the probe or the wait that the rank is at has what it waits for. */
bool doctor_is_matched(struct doctor *doctor, uint32_t rank);
/* The rank leaves its receive, probe or wait, matched or not. */
int doctor_complete(struct doctor *doctor, uint32_t rank);
/* At the end of the trace: what is left. */
int doctor_report_messages(struct doctor *doctor);

/* Collectives. */
int doctor_call(struct doctor *doctor, uint32_t rank);
bool doctor_is_complete(const struct doctor *doctor, uint32_t rank);
int doctor_report_collectives(struct doctor *doctor);

#endif
