/* The state of one replay, shared by the files of this folder:
 *
 *      engine.c      set-up, the laws at the end, the result
 *      loop.c        the co-simulation loop over the engines that share a network
 *      rank.c        one rank's operations: the state machine over its cursor
 *      message.c     requests, matching by envelope, the eager and rendezvous protocols, one-sided
 *      matching.c    matching in the order of arrival, where there are wildcards and probes
 *      collective.c  collectives step by step, blocking and not
 *      path.c        what each rank last waited for, and the critical path
 *      host.c        overheads, gaps of network interfaces, memory, and who is inside a call
 *      loggops.c     overheads and gaps as LogGOPSim has them
 *      multicast.c   what of them goes as multicasts of the network
 *      diagnosis.c   who waits for whom; what never matched
 *
 * A *request* is one side of one message: every send and receive is one, also the blocking ones and the steps
 * of collectives. A pair of matched requests is a message. Puts, gets, probes and non-blocking collectives
 * are requests without another side. Requests live in a pool and are named by their index, which is also the
 * tag of everything that the message sends through the network (a message has one thing under way at a time).
 * The indices are reused in a defined order, so nothing depends on addresses. */
#ifndef REPLAY_ENGINE_INTERNAL_H
#define REPLAY_ENGINE_INTERNAL_H

#include "base/agenda.h"
#include "base/table.h"
#include "netmodel/multicasts/cover.h"
#include "replay/engine/replay.h"

#define REPLAY_NONE UINT32_MAX
#define REPLAY_NO_NUMBER UINT64_MAX
/* Of an event of the engine: not a rank goes on, but its processor takes in a message. */
#define REPLAY_TAKES_IN (UINT64_C(1) << 63)
/* No clock passes this, so that sums of times and cycles cannot overflow. */
#define REPLAY_TIME_LIMIT (UINT64_C(1) << 62)

enum replay_request_kind {
    REPLAY_FREE,
    REPLAY_SEND,
    REPLAY_RECEIVE,
    REPLAY_PROBE,
    REPLAY_PUT,
    REPLAY_GET,
    REPLAY_COLLECTIVE /* what a non-blocking collective is waited for by */
};

/* What the message of a send, put or get has in the network, or had last. */
enum replay_progress {
    REPLAY_NOTHING, /* a message to self: never in the network */
    REPLAY_EAGER,   /* the data, sent without asking */
    REPLAY_RTS,     /* rendezvous: request to send, sender to receiver */
    REPLAY_CTS,     /* clear to send, receiver to sender */
    REPLAY_DATA,    /* the data, sender to receiver */
    REPLAY_WRITTEN, /* the data of a put */
    REPLAY_ASKED,   /* the question of a get, one flit */
    REPLAY_ANSWERED /* the data of a get, from the peer */
};

struct replay_request {
    uint64_t bytes, event;
    uint64_t order;      /* the n-th request of the run: the order of lists */
    uint64_t number;     /* the trace's name for it; REPLAY_NO_NUMBER: blocking, or a step of a collective */
    uint64_t arrived;    /* of a send: the eager data, or the RTS, is at the receiver, as the n-th of the run
                            from 1; 0: not yet */
    uint32_t rank, peer; /* world ranks; of a receive or probe the peer may be TRACE_ANY_SOURCE */
    uint32_t tag;        /* a collective's phase */
    uint32_t communicator, region;
    uint32_t instance;   /* the collective, REPLAY_NONE for point-to-point */
    uint32_t call;       /* the non-blocking collective that this is a step of, or REPLAY_NONE */
    uint32_t next, last; /* in the queue of its key; the first request knows the last. next: also in a place's
                            lists, of those that wait until a rank enters a call, and of free ones */
    uint32_t mate;       /* the other side, once matched */
    uint32_t cause;      /* path.c: of what it has in the network, sent at sent_ns */
    uint32_t passed; /* host.c: entries of a queue that it passed before it was matched, or joined its own */
    uint32_t behind; /* loggops.c: in the list of those that its receiver has not taken in */
    uint64_t sent_ns;
    uint64_t stood;         /* loggops.c: since when it stands in line */
    uint64_t begun_ns;      /* waits.c: when it was started */
    uint8_t kind, progress; /* progress: of a send */
    bool rendezvous;        /* of a send: completes only when matched */
    bool detached;          /* of a send: its caller does not wait for it (buffered) */
    bool complete;
    bool registered; /* named in the table of open requests */
    bool awaited;    /* counted in its rank's `awaited`, or its call's `outstanding` */
};

/* The messages for one rank on one communicator, from the rank's first wildcard or probe there on: MPI's two
 * queues. Lists are linked by `next` of requests. */
struct replay_place {
    uint32_t rank, communicator;
    uint32_t posted, posted_last;         /* receives, in the order of posting */
    uint32_t unexpected, unexpected_last; /* sends that have arrived, in the order of arrival */
    uint32_t probe;                       /* that the rank is blocked in, or REPLAY_NONE */
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

/* One collective of one member: its schedule and how far it is. A rank has one for blocking calls; those of
 * non-blocking ones live in a pool. */
struct replay_call {
    struct trace_schedule schedule; /* of a long one a part: from step `first` on, with `ahead` behind it */
    size_t step, first, ahead;
    const struct trace_tuning *tuning; /* that it was made by */
    uint64_t event;
    uint64_t outstanding; /* of a non-blocking call: steps that are not complete */
    uint64_t debt_ns;     /* of a non-blocking call: what its steps cost its rank's host so far */
    /* waits.c, of a non-blocking call: as of a rank; and what its messages took since its rank waits, since when */
    uint64_t ready_ns, network_ns, blocked_ns;
    uint32_t rank, communicator, region;
    uint32_t instance; /* REPLAY_NONE: nothing under way */
    uint32_t result;   /* its row in the engine's collective results */
    uint32_t self;     /* its index in the pool; REPLAY_NONE: blocking, its rank waits for the steps */
    uint32_t request;  /* of a non-blocking call: what its rank waits for */
    uint32_t next;     /* in the list of free or of ready ones */
    bool running;      /* its steps are being started */
    bool multicasts;   /* the marked row of its schedule goes as a multicast */
};

/* Where a multicast to a communicator goes. */
struct replay_reach {
    bool known;
    enum replay_obstacle obstacle;
    uint32_t *terminals; /* of its members, in rising order */
    uint32_t terminal_count;
    struct net_cover cover; /* of their routers, where the network multicasts to boxes only */
};

/* One under way. Its index in the pool is its tag in the network. */
struct replay_multicast {
    uint32_t *sends; /* [member of the communicator]: the request that its copy is, until it arrives */
    uint32_t capacity, communicator, next_free;
    uint64_t copies_left;
};

enum replay_state { REPLAY_READY, REPLAY_BLOCKED, REPLAY_ENDED };

struct replay_rank {
    struct trace_cursor *cursor;
    struct trace_op op; /* in execution */
    uint64_t time_ns, compute_ns, wait_ns;
    uint64_t messages_sent, bytes_sent;
    uint64_t next_request;  /* numbers below this have been started */
    uint64_t awaited;       /* incomplete requests that the operation in execution needs */
    uint64_t awaited_bytes; /* of the last one to complete */
    uint64_t ready_ns;      /* waits.c: when the last of what completed had both its sides started */
    uint64_t event;         /* the last one counted in the engine's events_done */
    enum replay_state state;
    uint32_t cause;     /* path.c: of its last going on */
    uint64_t operation; /* number of the one in execution, from 1 */
    /* host.c: the processor is busy with messages from busy_ns to free_ns; what it was charged in all */
    uint64_t free_ns, busy_ns, host_ns;
    uint32_t busy_cause;              /* path.c: of the beginning at busy_ns */
    uint32_t deferred, deferred_last; /* requests that wait until the rank enters a call */
    uint32_t ready, ready_last;       /* its non-blocking collectives that do */
    bool paid;                        /* the overhead of the send in hand has been taken */
    bool resumes;                     /* the operation in hand is to be started, behind its overhead */
    bool computing;                   /* and so in no call; known where it matters only */
    /* loggops.c: since when its next operation stands in line, and until when the interface lets it wait; the messages
     * that it has not taken in */
    uint64_t began, stands_ns;
    uint64_t wakes_ns, due_ns; /* of its last event; of that by which it takes in a message */
    uint32_t arrived;
    bool held;               /* the operation in hand may not begin yet */
    bool due;                /* an event is to come, to take in the next message */
    bool joins;              /* the rank goes on behind a wait */
    bool looked;             /* the next operation is in hand, and is not started */
    struct replay_call call; /* the blocking collective in execution */
};

/* Something that ended a wait, and what it depended on in turn. Free ones are linked by `parent`. */
struct replay_cause {
    struct replay_step step;
    uint32_t parent, references;
};

/* What a rank is charged for when it asks for a request that is complete. */
struct replay_debt {
    uint64_t ns, bytes;
    uint32_t next_free;
};

/* host.c: the hosts of the program's ranks. */
struct replay_hosts {
    bool on;                /* anything costs anything; else all below is empty */
    bool entries;           /* passing entries costs, so that all is matched in the order of arrival */
    bool memory;            /* ranks of one terminal exchange through it */
    bool loggops;           /* messages are charged as they arrive */
    bool gaps;              /* interfaces have some */
    uint64_t clock;         /* loggops.c: beginnings of operations so far */
    uint32_t nics, nodes;   /* nodes: terminals that have ranks */
    uint32_t *node, *seat;  /* [rank]: its terminal's number; how many ranks of that are before it */
    uint64_t *nic_free_ns;  /* [node x interface]: when the next message may begin */
    uint64_t *nic_in_ns;    /* the same of messages that come in, by loggops.c */
    struct trace_op *next;  /* [rank]: an operation that is in hand, by loggops.c */
    uint32_t *turn;         /* [node]: messages so far */
    uint64_t *copy_free_ns; /* [node x copy at a time] */
    uint64_t copies;        /* so far, of all nodes */
    struct replay_debt *debts;
    uint32_t debt_count, debt_capacity, debt_free;
    struct base_table debt_of; /* (rank, number of a request) -> debts */
};

struct replay_engine {
    struct trace_program *program;
    const uint32_t *terminal;
    struct net_network *network; /* its machine's */
    const struct replay_semantics *semantics;
    uint32_t first_recorded; /* the recorder's number of rank 0: the ranks of the jobs before this one */
    uint64_t start_ns;
    uint64_t tag;       /* of its messages, above the bits of a request's index: which of the jobs it is */
    uint64_t under_way; /* messages that the network has not delivered */
    uint32_t ranks, ended;
    struct replay_rank *rank;

    struct base_agenda wakeups; /* time_ns -> rank, at most one a rank; above the ranks those of hosts */
    struct replay_hosts hosts;
    uint64_t now_ns, now_cycles; /* of the rank event or the notice in hand */

    struct replay_request *requests;
    uint32_t request_count, request_capacity, request_free;
    uint64_t requests_started;
    struct base_table queues;        /* matching key -> first request in its queue */
    struct base_table open_requests; /* (rank, number) -> incomplete non-blocking request */
    uint64_t arrivals;               /* of eager data and RTS, so far */

    bool *has_place; /* [rank]: some communicator of the rank is in place_of */
    struct replay_place *places;
    uint32_t place_count, place_capacity;
    struct base_table place_of; /* (rank, communicator) -> place */
    struct base_table flights;  /* (place, source) -> first of its sends that have not arrived in order */

    struct replay_call *calls; /* non-blocking collectives */
    uint32_t call_count, call_capacity, call_free;
    uint32_t ready, ready_last;  /* calls whose awaited steps are complete */
    struct trace_schedule whole; /* of which a part is taken */

    struct replay_instance *instances;
    uint32_t instance_count, instance_capacity, instance_free;
    struct base_table instance_of;                /* (communicator, number) -> instance */
    struct base_table member_of;                  /* (communicator, world rank) -> rank in it */
    bool *members_known;                          /* [communicator]: in member_of */
    struct replay_collective_result *collectives; /* in order of first use */
    size_t collective_count, collective_capacity;

    struct replay_cause *causes;
    uint32_t cause_count, cause_capacity, cause_free;
    uint32_t cause;               /* of what happens now; held while it does */
    struct trace_tuning software; /* for communicators that cannot be reached; set up with the first */
    uint64_t software_calls[REPLAY_OBSTACLES];
    /* [communicator], NULL: nobody has asked; then the three below are empty, too */
    struct replay_reach *reach;
    struct base_table rank_at; /* (terminal, 0) -> the last rank there */
    uint32_t *beside;          /* [rank]: the one before it at its terminal, BASE_TABLE_NONE */
    struct replay_multicast *multicasts;
    uint32_t multicast_count, multicast_capacity, multicast_free;

    struct replay_wait *waits; /* in order of first use */
    uint32_t wait_count, wait_capacity;
    struct base_table wait_of; /* (region, 0) -> waits */
    uint64_t size_wait_ns[REPLAY_SIZE_CLASSES];

    uint64_t messages, message_bytes, self_messages, control_messages;
    uint64_t events_total, events_done, progress_due;
    bool interrupted; /* by semantics->stop, with work left, or because it is slower */
    bool is_slower;   /* than semantics->most_ns */
};

/* A network and all that goes on in it: an engine for each program, and traffic that nobody waits for. */
struct replay_machine {
    struct net_network *network;
    uint64_t clock_khz;
    struct replay_engine *engines;
    struct replay_background *const *backgrounds;
    uint32_t engine_count, background_count;
    const atomic_bool *stop; /* NULL: nobody stops it */
    uint64_t look_cycles;
    struct replay_intervals *intervals; /* NULL: nobody asks for them */
    bool interrupted;
    struct net_notice *notices; /* copied, since injecting invalidates the network's own */
    size_t notice_count, notice_capacity;
};

/* loop.c: until nothing is left to happen. -1: what the network or an engine cannot go on with. */
int replay_machine_run(struct replay_machine *machine, struct base_error *error);

/* engine.c */
uint64_t replay_cycles(const struct replay_engine *engine, uint64_t ns);
/* The rank goes on at the engine's now_ns, or when its processor is free. */
int replay_wake(struct replay_engine *engine, uint32_t rank, struct base_error *error);
/* A full sentence with source, rank and event. Returns -1. */
int replay_error_at(const struct replay_engine *engine, uint32_t rank, uint64_t event,
                    struct base_error *error, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* rank.c: runs a rank from now_ns until it blocks, ends, or its next operation is later. */
int replay_rank_run(struct replay_engine *engine, uint32_t rank, struct base_error *error);

/* waits.c: books a wait of the rank's operation in hand. -1: memory. */
int replay_account_wait(struct replay_engine *engine, uint32_t rank, uint64_t wait_ns,
                        struct base_error *error);

/* For who records: an awaited request is complete, now. */
void replay_wait_completed(struct replay_engine *engine, const struct replay_request *request);
/* The steps that a non-blocking collective waits for are complete, now. */
void replay_wait_stepped(const struct replay_engine *engine, struct replay_call *call);
/* A non-blocking collective is over: when it would have been without what its messages took while its rank waits. */
uint64_t replay_wait_collected(const struct replay_engine *engine, const struct replay_call *call);

/* path.c. All do nothing unless semantics->path. */
/* The request sends something into the network, because of what happens now; it is released. */
void replay_path_sent_on(struct replay_engine *engine, struct replay_request *request);
void replay_path_forget_on(struct replay_engine *engine, struct replay_request *request);
/* The rank goes on because of what happens now. */
void replay_path_woken_on(struct replay_engine *engine, struct replay_rank *rank);
/* What happens now is the rank's doing; or, -1 for no memory, the notice's; or nobody's any more. */
void replay_path_run_on(struct replay_engine *engine, const struct replay_rank *rank);
int replay_path_noticed_on(struct replay_engine *engine, const struct net_notice *notice,
                           struct base_error *error);
void replay_path_pause_on(struct replay_engine *engine);

/* What every message comes by asks first. */
static inline void replay_path_sent(struct replay_engine *engine, struct replay_request *request)
{
    if (engine->semantics->path)
        replay_path_sent_on(engine, request);
}
static inline void replay_path_forget(struct replay_engine *engine, struct replay_request *request)
{
    if (engine->semantics->path)
        replay_path_forget_on(engine, request);
}
static inline void replay_path_woken(struct replay_engine *engine, struct replay_rank *rank)
{
    if (engine->semantics->path)
        replay_path_woken_on(engine, rank);
}
static inline void replay_path_run(struct replay_engine *engine, const struct replay_rank *rank)
{
    if (engine->semantics->path)
        replay_path_run_on(engine, rank);
}
static inline int replay_path_noticed(struct replay_engine *engine, const struct net_notice *notice,
                                      struct base_error *error)
{
    return engine->semantics->path ? replay_path_noticed_on(engine, notice, error) : 0;
}
static inline void replay_path_pause(struct replay_engine *engine)
{
    if (engine->semantics->path)
        replay_path_pause_on(engine);
}

/* The path behind the last rank's finish. */
int replay_path_fill(const struct replay_engine *engine, struct replay_result *result,
                     struct base_error *error);

/* The rank's processor becomes busy, because of what happens now; and that it is from then to free_ns is what the
 * rank goes on by. */
void replay_path_begin_busy(struct replay_engine *engine, struct replay_rank *rank);
int replay_path_end_busy(struct replay_engine *engine, struct replay_rank *rank, struct base_error *error);
/* The rank waits for its interface, from now on. */
int replay_path_stands(struct replay_engine *engine, struct replay_rank *rank, uint64_t end_ns,
                       struct base_error *error);
/* A message is there and waits to be taken in, at now or later; it is, by its receiver. */
void replay_path_arrived(struct replay_engine *engine, struct replay_request *request);
void replay_path_taken(struct replay_engine *engine, const struct replay_request *request,
                       const struct replay_rank *rank);
/* replay_path_sent of what has to wait for an interface of that rank, until begin_ns. */
int replay_path_sent_later(struct replay_engine *engine, struct replay_request *request, uint32_t rank,
                           uint64_t begin_ns, struct base_error *error);

/* host.c */
bool replay_host_costs(const struct replay_host *host);
int replay_hosts_prepare(struct replay_engine *engine, struct base_error *error);
void replay_hosts_free(struct replay_engine *engine);
/* Whether a send of the rank must wait for its overhead: the rank's processor has been charged, and it is to ask
 * again when that is over. */
bool replay_host_delays_send(struct replay_engine *engine, uint32_t rank, uint64_t bytes);
/* The same for a step of a non-blocking collective, which does not wait. */
void replay_host_owes_send(struct replay_engine *engine, struct replay_call *call, uint64_t bytes);
/* The rank, which waits for nothing else, goes on at its free_ns. */
int replay_host_pause(struct replay_engine *engine, uint32_t rank, struct base_error *error);
/* A receive is complete, now, or a non-blocking collective whose steps cost debt_ns: the rank is charged, or will
 * be when it asks for it. */
int replay_host_received(struct replay_engine *engine, uint32_t request, struct base_error *error);
int replay_host_collected(struct replay_engine *engine, uint32_t request, uint64_t debt_ns,
                          struct base_error *error);
/* The rank asks for a request that is complete. */
void replay_host_settle(struct replay_engine *engine, uint32_t rank, uint64_t number);
/* When a message of the rank that is ready now begins; its interface is taken. */
uint64_t replay_host_begin(struct replay_engine *engine, uint32_t rank, uint64_t bytes);
/* Whether what one rank says to another goes through memory; then its copy starts now; and an event has come that
 * is no rank's. */
bool replay_host_is_copy(const struct replay_engine *engine, uint32_t from, uint32_t to);
int replay_host_copy(struct replay_engine *engine, uint32_t send, uint64_t bytes, bool notice_sent,
                     struct base_error *error);
int replay_host_event(struct replay_engine *engine, uint64_t payload, struct base_error *error);
/* For loggops.c: a cost of so many bytes, rounded up to whole nanoseconds; the rank's processor is taken, from now or
 * behind what it does; the interface that a rank's next message takes. */
uint64_t replay_host_charge(uint64_t fixed_ps, uint64_t each_ps, uint64_t bytes);
void replay_host_occupy(struct replay_engine *engine, uint32_t rank, uint64_t ns, uint64_t bytes);
size_t replay_host_nic(const struct replay_engine *engine, uint32_t rank);
/* Whether what a rank is to do for a message must wait until it enters a call; a send that waits for that; the call
 * is entered. */
bool replay_host_is_away(const struct replay_engine *engine, uint32_t rank);
void replay_host_defer(struct replay_engine *engine, uint32_t rank, uint32_t send);
int replay_host_enter(struct replay_engine *engine, uint32_t rank, struct base_error *error);

/* loggops.c: in place of what host.c does, where hosts.loggops. */
/* As replay_host_delays_send. */
bool replay_loggops_delays_send(struct replay_engine *engine, uint32_t rank, uint64_t bytes);
/* Whether the operation in hand has to wait for the rank's processor. */
bool replay_loggops_holds(struct replay_engine *engine, uint32_t rank);
/* The rank's next operation stands in line from now on. */
void replay_loggops_begin(struct replay_engine *engine, struct replay_rank *rank);
/* The last request that a rank is blocked on has completed. */
void replay_loggops_woken(struct replay_engine *engine, struct replay_rank *rank);
/* A message is there, and is taken in when its receiver's processor is free; that may be so. */
int replay_loggops_arrived(struct replay_engine *engine, uint32_t send, struct base_error *error);
int replay_loggops_take_in(struct replay_engine *engine, uint32_t rank, struct base_error *error);

/* message.c */
/* A message has been taken in: as if it arrived now. */
int replay_message_taken(struct replay_engine *engine, uint32_t send, struct base_error *error);
/* What a message of that many bytes is in the network. */
uint64_t replay_message_flits(const struct replay_engine *engine, uint64_t bytes);
uint64_t replay_control_flits(const struct replay_engine *engine);
/* A request of the pool, all zeros but for its number in the run, for the caller to fill before anything else is done:
 * valid until the next one is taken. NULL: no memory. */
struct replay_request *replay_request_new(struct replay_engine *engine, uint32_t *index);
/* Starts it: counts, sends, matches. What is incomplete afterwards is registered under its number, or else awaited by
 * its rank. */
int replay_request_start(struct replay_engine *engine, uint32_t index, struct base_error *error);
/* A copy of a put or a get. Registered or awaited like any request. */
int replay_one_sided_start(struct replay_engine *engine, const struct replay_request *request,
                           struct base_error *error);
/* The parts that the other files put requests together from: a copy in the pool (REPLAY_NONE: no
 * memory); who is to be told of its completion; its completion at now; its return. */
uint32_t replay_request_take(struct replay_engine *engine, const struct replay_request *request);
int replay_request_attend(struct replay_engine *engine, uint32_t index, struct base_error *error);
int replay_request_complete(struct replay_engine *engine, uint32_t index, struct base_error *error);
void replay_request_release(struct replay_engine *engine, uint32_t index);
/* What follows on the part of a rendezvous that arrived last: the CTS, or the data. */
int replay_request_answer(struct replay_engine *engine, uint32_t send, struct base_error *error);
/* Takes an unmatched request out of the queues by envelope, with all others of its key. */
void replay_request_unqueue(struct replay_engine *engine, uint32_t index);
/* A send and a receive have met, at now. If that completes both, they are released. */
int replay_request_match(struct replay_engine *engine, uint32_t send, uint32_t receive,
                         struct base_error *error);
/* A send that is a copy of a multicast: complete from the start, and matched; and its arrival. */
int replay_copy_start(struct replay_engine *engine, const struct replay_request *request, uint32_t *index,
                      struct base_error *error);
int replay_copy_arrived(struct replay_engine *engine, uint32_t index, struct base_error *error);
/* Tells the observer, if there is one. */
void replay_observe(const struct replay_engine *engine, enum replay_event_kind what,
                    const struct replay_request *request, const struct replay_request *other);
/* Appends a request to the queue that `first` is the first of; REPLAY_NONE: a new queue, for the caller to
 * remember. */
void replay_queue_append(struct replay_engine *engine, uint32_t first, uint32_t index);
/* Handles one notice of the network at now. */
int replay_notice(struct replay_engine *engine, const struct net_notice *notice, struct base_error *error);

/* matching.c */
/* The place of a rank and communicator; REPLAY_NONE: matching is by envelope there. */
uint32_t replay_place_find(const struct replay_engine *engine, uint32_t rank, uint32_t communicator);
/* The same, made if there is none; `except` is a request that is being started. -1: no memory. */
int replay_place_open(struct replay_engine *engine, uint32_t rank, uint32_t communicator, uint32_t except,
                      uint32_t *place, struct base_error *error);
/* A new request for the place `index`: a send gets under way, a receive takes what has arrived or is posted.
 */
int replay_place_add(struct replay_engine *engine, uint32_t index, uint32_t request,
                     struct base_error *error);
/* A send of the place, already marked, has arrived. */
int replay_place_arrived(struct replay_engine *engine, uint32_t place, uint32_t send,
                         struct base_error *error);
/* Starts a probe: complete at once, or awaited by its rank. */
int replay_probe_start(struct replay_engine *engine, const struct replay_request *request,
                       struct base_error *error);

/* collective.c */
/* Enters the collective of the rank's op. A blocking one is gone on with by the rank itself. */
int replay_collective_enter(struct replay_engine *engine, uint32_t rank, struct base_error *error);
/* Goes on with the rank's blocking collective until it must wait (rank->awaited != 0) or the collective is
 * over (instance NONE). */
int replay_collective_continue(struct replay_engine *engine, uint32_t rank, struct base_error *error);
/* A step of a non-blocking collective is complete. With the last one the call becomes ready to go on. */
void replay_collective_step_done(struct replay_engine *engine, uint32_t call);
/* Goes on with those of a rank that were ready while it was in no call. */
int replay_collective_resume(struct replay_engine *engine, uint32_t rank, struct base_error *error);
/* Goes on with all calls that are ready. */
int replay_collective_ready(struct replay_engine *engine, struct base_error *error);
/* All ranks of a communicator, both groups: their number, and the world rank of one. */
uint32_t replay_communicator_ranks(const struct trace_communicator *communicator);
uint32_t replay_communicator_rank(const struct trace_communicator *communicator, uint32_t index);
/* One request of an instance fewer in the queues. */
void replay_instance_matched(struct replay_engine *engine, uint32_t instance);

/* A step that is a message, started; one that is a copy of a multicast that is under way: *request is what
 * arrives with it. */
int replay_collective_step(struct replay_engine *engine, const struct replay_call *call,
                           const struct trace_step *step, struct base_error *error);
int replay_collective_copy(struct replay_engine *engine, const struct replay_call *call,
                           const struct trace_step *step, uint32_t *request, struct base_error *error);

/* multicast.c */
/* Whether the network multicasts to a communicator, or why not. -1: memory. */
int replay_reach(struct replay_engine *engine, uint32_t communicator, enum replay_obstacle *obstacle,
                 struct base_error *error);
/* Starts the marked row of the call's schedule, on a communicator that is reached. */
int replay_multicast_start(struct replay_engine *engine, const struct replay_call *call,
                           struct base_error *error);
/* The first of the sends that a notice with a terminal is the arrival of; REPLAY_NONE: nobody there is a member. */
uint32_t replay_multicast_send(const struct replay_engine *engine, const struct net_notice *notice);
/* A notice with a terminal. */
int replay_multicast_delivered(struct replay_engine *engine, const struct net_notice *notice,
                               struct base_error *error);
void replay_multicasts_free(struct replay_engine *engine);

/* diagnosis.c */
/* Nothing can go on: fills error (BASE_DEADLOCK, or BASE_SYSTEM when there is no memory to find out). Returns
 * -1. */
int replay_deadlock(const struct replay_engine *engine, struct base_error *error);
/* 0 when every request has been matched, else -1 with a list (BASE_INPUT). */
int replay_check_matched(const struct replay_engine *engine, struct base_error *error);

#endif
