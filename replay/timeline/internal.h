/* Inside replay/timeline/: a second walk over the program, a rank at a time: its operations are the
 * trace's, their durations the recorder's (a computation as the replay scaled it, a call for as long as it
 * blocked). And which message each of them sends or receives. */
#ifndef REPLAY_TIMELINE_INTERNAL_H
#define REPLAY_TIMELINE_INTERNAL_H

#include "base/arena.h"
#include "base/table.h"
#include "replay/timeline/execution.h"
#include "reports/timeline/lanes.h"
#include "traces/writers/writer.h"

struct execution_walk {
    struct trace_cursor *cursor;           /* what the rank was asked to do */
    struct replay_recorder_reader *reader; /* when it did it */
    uint64_t operation, begin_ns, end_ns;  /* of the operation in hand */
    uint64_t network_ns;                   /* of these, for messages on their way */
    struct trace_op op;
};

/* -1: memory, a trace that cannot be read. End it in either case. */
int execution_walk_begin(struct execution_walk *walk, const struct replay_execution *execution, uint32_t rank,
                         struct base_error *error);
/* 1; 0 behind the last; -1. */
int execution_walk_next(struct execution_walk *walk, struct base_error *error);
void execution_walk_end(struct execution_walk *walk);

/* What a rank does in an operation. A wait for requests is one for whatever they are. */
enum report_lane_state execution_state_of(const struct trace_op *op);

/* An end of a message, at the rank that is walked. Both ends have the same number, which no other message
 * has. */
struct execution_arrow {
    uint64_t time_ns, number, bytes; /* bytes: of the message */
    uint32_t rank;                   /* where this end is */
    bool is_head;                    /* at the receiver */
};

/* Receives that have been started, and messages counted: of one rank. Zeroed: none yet. */
struct execution_arrows {
    struct base_table counts;         /* (communicator and peer, tag and direction) -> messages so far */
    struct base_table open;           /* (request, 0) -> receives */
    struct execution_arrow *receives; /* of which some are over, and their places free */
    uint32_t *places;                 /* that are free */
    uint32_t count, capacity, free_count;
    bool lost; /* a wildcard came: who its message is from is not known, nor what is left for the others */
};

/* Shows the ends that the operation in hand has to `visit`: point-to-point only, since collectives have no
 * single other side. -1: memory, or what visit returned. */
int execution_arrows_visit(struct execution_arrows *arrows, const struct execution_walk *walk, uint32_t rank,
                           int (*visit)(void *context, const struct execution_arrow *arrow), void *context);
void execution_arrows_free(struct execution_arrows *arrows);

/* The load of a channel, or the mean of all, from sample to sample. */
struct execution_load {
    uint32_t channel; /* index in the recorder's samples */
    const char *name; /* NULL: the mean of all */
    uint64_t flits;   /* counted, and not carried yet */
};

/* Which loads there are: that of all channels, then those of the channels that carry most flits in the
 * whole run. Returns how many; 0 without a network; -1: memory. Names are in the arena. */
int execution_loads(const struct replay_execution *execution, struct base_arena *names,
                    struct execution_load loads[REPLAY_EXECUTION_CHANNELS + 1]);
/* The share of the cycles from that sample to the next in which the channel carries a flit. Times the cycles it is a
 * whole number, and the sum of these is the channel's flits. Asked for from the first sample on, once each. */
double execution_load_at(const struct replay_execution *execution, struct execution_load *load,
                         uint32_t sample);

/* Whether the samples have what the network took in joules until then: not without --technology, nor where it is not
 * known. */
bool execution_has_energy(const struct replay_execution *execution);

/* Whether the samples have what failing links took until then: of a network with a fault routing. */
bool execution_has_faults(const struct replay_execution *execution);

/* All loads at all samples, the energy where it is known, and what failing links took where links can fail, for an
 * archive; no samples without a network. Everything is in the arena. -1: memory. */
int execution_metrics(const struct replay_execution *execution, struct base_arena *arena,
                      struct trace_writer_metrics *metrics);

#endif
