/* The replay: a program, a placement and a network in, times out. Every rank runs its operations in order;
 * sends inject messages at their cycle, the network answers with deliveries, idle time is skipped. Semantics:
 * doc/replay.md. */
#ifndef REPLAY_ENGINE_REPLAY_H
#define REPLAY_ENGINE_REPLAY_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/digest.h"
#include "base/error.h"
#include "mappers/placement.h"
#include "netmodel/network.h"
#include "replay/engine/intervals.h"
#include "replay/engine/recorder.h"
#include "traces/collectives/collective.h"
#include "traces/program.h"

/* What happens to the point-to-point messages of the program, for tests and pictures. Events are those of the
 * operations (struct trace_op). Messages of collectives are not told of. */
enum replay_event_kind {
    REPLAY_SENT,    /* a send starts: rank, event; peer */
    REPLAY_POSTED,  /* a receive starts: rank, event; peer and tag may be wildcards */
    REPLAY_ARRIVED, /* the eager data or the RTS of a send: as SENT, later */
    REPLAY_MATCHED, /* rank, event: of the receive; peer, peer_event, tag: of the send */
    REPLAY_PROBING, /* a probe starts: rank, event; peer and tag may be wildcards */
    REPLAY_PROBED   /* a probe returns: rank, event; peer, peer_event, tag: of the send */
};

struct replay_observation {
    enum replay_event_kind what;
    uint64_t time_ns, event, peer_event, bytes;
    uint32_t rank, peer, tag, communicator;
};

/* A step of the critical path. From its begin to its end its ranks could not be faster: a rank computes, or
 * something is on its way from `rank` to `peer`. */
enum replay_step_kind {
    REPLAY_STEP_COMPUTE, /* rank */
    REPLAY_STEP_MESSAGE, /* data: from injection until they are usable */
    REPLAY_STEP_CONTROL, /* RTS, CTS, or the question of a get */
    REPLAY_STEP_SENDING, /* a sender waits until its data have left its terminal */
    REPLAY_STEP_HOST,    /* rank: its processor, or its network interface, is busy with messages */
    REPLAY_STEP_MEMORY   /* a message to `peer`, at the same terminal, goes through memory */
};
#define REPLAY_STEP_KINDS 6

struct replay_step {
    enum replay_step_kind kind;
    uint32_t rank, peer, region; /* peer, region: not of a computation */
    uint64_t begin_ns, end_ns;
    uint64_t bytes, flits; /* of the message; flits: of what was sent, one for control messages */
    struct net_journey journey;
};

/* What messages cost beside the network (doc/hosts.md). Times in picoseconds; what a rank or an interface is charged is
 * rounded up to a whole nanosecond, once. All zeros cost nothing. */
struct replay_host {
    uint64_t send_ps, send_byte_ps;         /* overhead of a send, and of each of its bytes */
    uint64_t receive_ps, receive_byte_ps;   /* of a receive */
    uint64_t match_ps, entry_ps;            /* of matching, and of each entry of a queue that is passed */
    uint64_t gap_ps, gap_byte_ps;           /* between the beginnings of two messages of an interface, and for
                                               each byte of the first */
    uint32_t nics;                          /* interfaces of a terminal; 0 means 1 */
    bool round_robin;                       /* which interface a message takes: in turn, or by its rank */
    uint64_t memory_ps, memory_bytes_per_s; /* of messages within a terminal; 0 and 0: they take its router */
    uint32_t copies;                        /* that a terminal makes at a time; 0: any number */
    bool in_calls; /* what a rendezvous goes on with waits until its rank is inside MPI */
    bool loggops;  /* messages are charged as they arrive: loggops.c */
};

struct replay_semantics {
    uint64_t clock_khz; /* of the network: cycles from nanoseconds */
    uint32_t flit_bytes;
    /* of control messages, and the least of any, over a network of bits; 0: of flits */
    uint32_t control_bits;
    uint64_t eager_limit_bytes; /* longer messages use the rendezvous protocol */
    bool compute_zero;          /* drop all compute time */
    uint64_t compute_scale_ppm; /* compute times are multiplied by this / 1 000 000, rounded down; 1 000 000:
                                   as recorded */
    const struct trace_tuning *collectives;
    /* The network that the replay is about, and what it multicasts to, for collectives in hardware: so that
     * one that stands for it, ideal or with some effects, replays the same messages. topology: only looked at
     * where there are multicasts to boxes. */
    const struct net_topology *topology;
    enum net_multicasts multicasts;
    /* How many ranks a terminal may run; 0 means 1. They compute at the same time, share the terminal's
     * injectors and ejection channels, and what they say to each other goes through its router over no link,
     * unless the host has memory for it. */
    uint32_t ranks_per_terminal;
    struct replay_host host;
    /* Called now and then with the share of operations done, in thousandths; may be NULL. */
    void (*progress)(void *context, uint32_t thousandths, uint64_t simulated_ns);
    void *progress_context;
    bool path;                        /* find the critical path */
    struct replay_recorder *recorder; /* told how long every operation took, and of the links; may be NULL */
    const atomic_bool *stop;          /* once true, the replay ends where it is; may be NULL */
    uint64_t look_cycles; /* while the network moves anything `stop` is looked at so often; 0: once it has */
    /* Once it is certain that the program takes longer than most_ns the replay ends where it is; 0: it does not. What
     * each rank computes in all, as the result of another replay has it, makes that certain earlier; may be NULL. */
    uint64_t most_ns;
    const uint64_t *compute_ns;         /* [rank] */
    struct replay_intervals *intervals; /* given what channels carry in intervals of the run; may be NULL */
    /* Called when a rank comes to an operation with TRACE_ITERATES, at its time; may be NULL. */
    void (*iterate)(void *context, uint32_t rank, uint64_t time_ns);
    void *iterate_context;
    /* Called for what happens to messages, in the order of simulated time; may be NULL. */
    void (*observe)(void *context, const struct replay_observation *observation);
    void *observe_context;
};

struct replay_rank_result {
    uint64_t compute_ns, wait_ns, finish_ns;
    uint64_t host_ns; /* of wait_ns: charged by the host, whether or not anything else was waited for */
    uint64_t messages_sent, bytes_sent;
};

struct replay_collective_result {
    enum trace_collective collective;
    bool implied; /* contained in other calls (TRACE_IMPLIED), which the program does not name a collective */
    const char *algorithm;
    uint64_t calls, messages, bytes; /* calls: one per calling rank; messages and bytes: counted at the sender
                                      */
    uint64_t multicasts;             /* of the messages, those to many terminals */
    uint64_t copies;                 /* how many terminals had one of these */
};

/* Why the network does not multicast to a communicator. */
enum replay_obstacle {
    REPLAY_REACHED,       /* it does */
    REPLAY_NO_MULTICASTS, /* it has none */
    REPLAY_TWO_GROUPS,    /* an inter-communicator */
    REPLAY_ONE_TERMINAL,  /* all members are at one terminal */
    REPLAY_NO_BOXES,      /* no box, and no few boxes, has just the members' terminals */
    REPLAY_OBSTACLES
};

/* Time that ranks waited in the calls of a region (trace_program_region_name). */
struct replay_wait {
    uint32_t region;
    uint64_t waits, wait_ns;
};

/* Messages of 0 bytes; 1 to 64; to 512; 4 Ki; 32 Ki; 256 Ki; 2 Mi; longer. */
#define REPLAY_SIZE_CLASSES 8
/* The class of a message: 0 to REPLAY_SIZE_CLASSES - 1. */
unsigned replay_size_class(uint64_t bytes);

struct replay_result {
    uint64_t simulated_ns; /* the last rank's finish */
    uint64_t simulated_cycles;
    /* Messages with data, those to self among them, whoever asked for them (the answer to a get is one of its
     * target's); control messages are RTS, CTS and the questions of gets. */
    uint64_t messages, message_bytes, self_messages, control_messages;
    uint32_t ranks;
    bool interrupted;     /* stopped on the way: everything here is of the part that was replayed */
    bool is_slower;       /* than semantics.most_ns: for this it was stopped */
    uint64_t under_way;   /* then: of all messages, those that the network has not delivered */
    uint32_t thousandths; /* of the operations, that were */
    struct replay_rank_result *rank;
    /* in the order of enum, implied ones last, then first use */
    struct replay_collective_result *collectives;
    size_t collective_count;
    /* Calls that would have ended in a multicast, and were replayed by the table for software. */
    uint64_t software_calls[REPLAY_OBSTACLES];
    struct replay_wait *waits; /* by region, in the order of their numbers; they sum to the ranks' waits */
    uint32_t wait_count;
    /* The same time by the size of the message whose completion ended the wait. */
    uint64_t size_wait_ns[REPLAY_SIZE_CLASSES];
    /* What the last finish depends on, in the order of time and without a gap: the steps' lengths sum to
     * simulated_ns. Only if asked for, and of a replay that was not interrupted. */
    struct replay_step *path;
    uint32_t path_count;
    uint64_t path_memory_bytes; /* that finding it took: by the causes remembered at a time */
    struct base_digest digest;  /* the network's and every rank's finish time */
};

/* Replays to the end. network may be of any engine, fresh (now == 0). terminal[rank] as in a placement. On
 * success the conservation laws have been checked, unless interrupted: messages sent = received, every
 * packet delivered. -1: BASE_DEADLOCK with who waits for whom (rank, call, peer, tag, communicator,
 * region, event), BASE_INPUT for trace errors, BASE_SYSTEM for memory. */
int replay_run(struct trace_program *program, const uint32_t *terminal, struct net_network *network,
               const struct replay_semantics *semantics, struct replay_result *result,
               struct base_error *error);
void replay_result_free(struct replay_result *result);

/* [channel]: flits carried so far by links, or by shared channels where there are any. */
const uint64_t *replay_channel_flits(const struct net_statistics *network);

/* A program among those that share a network. */
struct replay_job {
    struct trace_program *program;
    const uint32_t *terminal; /* [rank]; none is another job's */
    uint64_t start_ns;        /* of the network's time, when its ranks begin */
    /* Filled in. Times count from the start; the digest is of the ranks alone, not of the network. */
    struct replay_result result;
};

#define REPLAY_TAG_BITS 32 /* of a network's tags: what is below is the job's own, what is above its number */

/* Replays programs side by side, with background traffic between other terminals (replay/engine/background.h, the n-th
 * of them tagged count + n) until the last of them has ended. Everything else as in replay_run, for one job without
 * background in particular. Progress is that of the job with most events. Free every job's result in either case. */
struct replay_background;
int replay_run_jobs(struct replay_job *jobs, uint32_t count, struct replay_background *const *backgrounds,
                    uint32_t background_count, struct net_network *network,
                    const struct replay_semantics *semantics, struct base_error *error);

#endif
