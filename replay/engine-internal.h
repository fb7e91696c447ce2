/* The state of one replay, shared by the files replay/engine*.c:
 *
 *      engine.c            set-up, the co-simulation loop, the result
 *      engine-rank.c       one rank's operations: the state machine over its cursor
 *      engine-message.c    requests, matching, the eager and rendezvous protocols
 *      engine-collective.c collectives step by step
 *      engine-diagnosis.c  who waits for whom; what never matched
 *
 * A *request* is one side of one message: every send and receive is one, also the blocking ones and the steps
 * of collectives. A pair of matched requests is a message. Requests live in a pool and are named by their
 * index, which is also the tag of everything that the message sends through the network (a message has one
 * thing under way at a time). The indices are reused in a defined order, so nothing depends on addresses. */
#ifndef REPLAY_ENGINE_INTERNAL_H
#define REPLAY_ENGINE_INTERNAL_H

#include "base/heap.h"
#include "base/table.h"
#include "replay/replay.h"

#define REPLAY_NONE UINT32_MAX
#define REPLAY_NO_NUMBER UINT64_MAX
/* No clock passes this, so that sums of times and cycles cannot overflow. */
#define REPLAY_TIME_LIMIT (UINT64_C(1) << 62)

enum replay_request_kind { REPLAY_FREE, REPLAY_SEND, REPLAY_RECEIVE };

/* What the message of a send has in the network, or had last. */
enum replay_progress {
    REPLAY_NOTHING, /* a message to self: never in the network */
    REPLAY_EAGER,   /* the data, sent without asking */
    REPLAY_RTS,     /* rendezvous: request to send, sender to receiver */
    REPLAY_CTS,     /* clear to send, receiver to sender */
    REPLAY_DATA     /* the data, sender to receiver */
};

struct replay_request {
    uint64_t bytes, event;
    uint64_t order;      /* the n-th request of the run: the order of lists */
    uint64_t number;     /* the trace's name for it; REPLAY_NO_NUMBER: blocking, or a step of a collective */
    uint32_t rank, peer; /* world ranks */
    uint32_t tag;        /* a collective's phase */
    uint32_t communicator, region;
    uint32_t instance; /* the collective, REPLAY_NONE for point-to-point */
    uint32_t next,
        last;      /* in the queue of its key; the first request knows the last. next: also of free ones */
    uint32_t mate; /* the other side, once matched */
    uint8_t kind, progress; /* progress: of a send */
    bool rendezvous;        /* of a send: completes only when matched */
    bool arrived;           /* of a send: the eager data, or the RTS, is at the receiver */
    bool complete;
    bool registered; /* named in the table of open requests */
    bool awaited;    /* counted in its rank's `awaited` */
};

/* One collective on one communicator, from its first member's call to its last member's return. */
struct replay_instance {
    uint64_t number; /* the n-th on its communicator */
    uint64_t first_event;
    uint32_t communicator, root, first_rank;
    uint32_t left;      /* members that have returned */
    uint32_t unmatched; /* requests in queues */
    uint32_t next_free;
    enum trace_collective collective;
};

enum replay_state { REPLAY_READY, REPLAY_BLOCKED, REPLAY_ENDED };

struct replay_rank {
    struct trace_cursor *cursor;
    struct trace_op op; /* in execution */
    uint64_t time_ns, compute_ns, wait_ns;
    uint64_t messages_sent, bytes_sent;
    uint64_t next_request; /* numbers below this have been started */
    uint64_t awaited;      /* incomplete requests that the operation in execution needs */
    uint64_t event;        /* the last one counted in the engine's events_done */
    enum replay_state state;
    uint32_t instance; /* the collective in execution, or REPLAY_NONE */
    uint32_t result;   /* its row in the engine's collective results */
    struct trace_schedule schedule;
    size_t step;
};

struct replay_engine {
    struct trace_program *program;
    const uint32_t *terminal;
    struct net_network *network;
    const struct replay_options *options;
    uint32_t ranks, ended;
    struct replay_rank *rank;

    struct base_heap wakeups;    /* time_ns -> rank; at most one event a rank */
    uint64_t now_ns, now_cycles; /* of the rank event or the notice in hand */
    struct net_notice *notices;  /* copied, since injecting invalidates the network's own */
    size_t notice_count, notice_capacity;

    struct replay_request *requests;
    uint32_t request_count, request_capacity, request_free;
    uint64_t requests_started;
    struct base_table queues;        /* matching key -> first request in its queue */
    struct base_table open_requests; /* (rank, number) -> incomplete non-blocking request */

    struct replay_instance *instances;
    uint32_t instance_count, instance_capacity, instance_free;
    struct base_table instance_of;                /* (communicator, number) -> instance */
    struct base_table member_of;                  /* (communicator, world rank) -> rank in it */
    bool *members_known;                          /* [communicator]: in member_of */
    struct replay_collective_result *collectives; /* in order of first use */
    size_t collective_count, collective_capacity;

    uint64_t messages, message_bytes, self_messages, control_messages;
    uint64_t events_total, events_done, progress_due;
};

/* engine.c */
uint64_t replay_cycles(const struct replay_engine *engine, uint64_t ns);
/* The rank goes on at the engine's now_ns. */
int replay_wake(struct replay_engine *engine, uint32_t rank, struct base_error *error);
/* A full sentence with source, rank and event. Returns -1. */
int replay_error_at(const struct replay_engine *engine, uint32_t rank, uint64_t event,
                    struct base_error *error, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Grows an array of *capacity entries of `size` bytes to at least `needed`. NULL when memory is out
 * (unchanged). */
void *replay_grow(void *array, uint32_t *capacity, uint32_t needed, size_t size);

/* engine-rank.c: runs a rank from now_ns until it blocks, ends, or its next operation is later. */
int replay_rank_run(struct replay_engine *engine, uint32_t rank, struct base_error *error);

/* engine-message.c */
/* Starts a copy of *request: counts, sends, matches. What is incomplete afterwards is registered under its
 * number, or else awaited by its rank. */
int replay_request_start(struct replay_engine *engine, const struct replay_request *request,
                         struct base_error *error);
/* Handles one notice of the network at now. */
int replay_notice(struct replay_engine *engine, const struct net_notice *notice, struct base_error *error);

/* engine-collective.c */
/* Enters the collective of the rank's op. A collective without steps is left at once. */
int replay_collective_enter(struct replay_engine *engine, uint32_t rank, struct base_error *error);
/* Goes on with the steps until the rank must wait (rank->awaited != 0) or the collective is over (instance
 * NONE). */
int replay_collective_continue(struct replay_engine *engine, uint32_t rank, struct base_error *error);
/* One request of an instance fewer in the queues. */
void replay_instance_matched(struct replay_engine *engine, uint32_t instance);

/* engine-diagnosis.c */
/* Nothing can go on: fills error (BASE_DEADLOCK, or BASE_SYSTEM when there is no memory to find out). Returns
 * -1. */
int replay_deadlock(const struct replay_engine *engine, struct base_error *error);
/* 0 when every request has been matched, else -1 with a list (BASE_INPUT). */
int replay_check_matched(const struct replay_engine *engine, struct base_error *error);

#endif
