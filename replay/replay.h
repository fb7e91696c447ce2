/* The replay: a program, a placement and a network in, times out. Every rank runs its operations in order;
 * sends inject messages at their cycle, the network answers with deliveries, idle time is skipped. Semantics:
 * doc/replay.md. */
#ifndef REPLAY_REPLAY_H
#define REPLAY_REPLAY_H

#include <stdbool.h>

#include "base/digest.h"
#include "base/error.h"
#include "mappers/placement.h"
#include "netmodel/network.h"
#include "traces/collective.h"
#include "traces/program.h"

struct replay_options {
    uint64_t clock_khz; /* of the network: cycles from nanoseconds */
    uint32_t flit_bytes;
    uint64_t eager_limit_bytes; /* longer messages use the rendezvous protocol */
    bool compute_zero;          /* drop all compute time */
    uint64_t compute_scale_ppm; /* compute times are multiplied by this / 1 000 000, rounded down; 1 000 000:
                                   as recorded */
    const struct trace_selection *collectives;
    /* Called now and then with the share of operations done, in thousandths; may be NULL. */
    void (*progress)(void *context, uint32_t thousandths, uint64_t simulated_ns);
    void *progress_context;
};

struct replay_rank_result {
    uint64_t compute_ns, wait_ns, finish_ns;
    uint64_t messages_sent, bytes_sent;
};

struct replay_collective_result {
    enum trace_collective collective;
    const char *algorithm;
    uint64_t calls, messages, bytes;
};

struct replay_result {
    uint64_t simulated_ns; /* the last rank's finish */
    uint64_t simulated_cycles;
    uint64_t messages, message_bytes, self_messages, control_messages;
    uint32_t ranks;
    struct replay_rank_result *rank;
    struct replay_collective_result *collectives; /* in the order of enum, then first use */
    size_t collective_count;
    struct base_digest digest; /* the network's and every rank's finish time */
};

/* Replays to the end. network may be of any engine, fresh (now == 0). terminal[rank] as in a placement. On
 * success the conservation laws have been checked: messages sent = received, every packet delivered. -1:
 * BASE_DEADLOCK with who waits for whom (rank, call, peer, tag, communicator, region, event), BASE_INPUT for
 * trace errors, BASE_SYSTEM for memory. */
int replay_run(struct trace_program *program, const uint32_t *terminal, struct net_network *network,
               const struct replay_options *options, struct replay_result *result, struct base_error *error);
void replay_result_free(struct replay_result *result);

#endif
