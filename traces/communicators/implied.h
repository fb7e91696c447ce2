/* What MPI calls imply that make or use communicators, windows and files: an agreement of the ranks in front
 * of, inside or behind the call, which no record shows. One rule for all readers (doc/replay.md,
 * "Implied operations"), as pure functions:
 *
 *      rule = trace_implied_find("MPI_Comm_split")        NULL: the call implies nothing
 *      trace_implied_steps(rule, &place, &steps)          the operations it stands for, in program order
 *
 * The reader fills in where the call was recorded (region, event, time_ns), numbers the instances of the
 * collectives, and yields the steps. */
#ifndef TRACE_IMPLIED_H
#define TRACE_IMPLIED_H

#include "traces/program.h"

/* Whose communicator the collective runs on: trace_implied_place.communicator. */
enum trace_implied_object {
    TRACE_IMPLIED_PARENT, /* the communicator that the call is given (Intercomm_create: the local one) */
    TRACE_IMPLIED_WINDOW, /* the one that the window was made on */
    TRACE_IMPLIED_FILE    /* the one that the file was opened on */
};

struct trace_implied_call {
    const char *call; /* "MPI_Win_fence" */
    enum trace_implied_object object;
    bool completes; /* first waits for all one-sided operations of its epoch */
    bool exchanges; /* then the leader exchanges messages of `bytes` with the other leader */
    bool agrees;    /* then `collective` with `bytes` */
    bool works;     /* at last computes for as long as the call was recorded to take */
    enum trace_collective collective;
    uint64_t bytes;                 /* of the collective or the leaders' messages */
    enum trace_treatment treatment; /* for coverage, with its phrase */
    const char *how;
};

/* The rule of an MPI function by its name as in the standard; NULL when it implies nothing. */
const struct trace_implied_call *trace_implied_find(const char *call);

struct trace_implied_place {
    uint32_t communicator; /* index of the object's communicator */
    uint64_t duration_ns;  /* how long the call was recorded to take */
    /* MPI_Intercomm_create: the leader's rank in the local communicator, and what only the leader needs: */
    uint32_t root;
    bool leader;                           /* this rank is it */
    uint32_t peer, peer_communicator, tag; /* world rank of the other leader; tag of the exchange */
    uint64_t next_request;                 /* the exchange's requests are this number and the next */
    /* Calls that complete an epoch: the requests of its operations, in the order they were started. */
    const uint64_t *pending;
    size_t pending_count; /* of pending; 0: nothing to wait for */
};

#define TRACE_IMPLIED_STEPS 6
struct trace_implied_steps {
    struct trace_op ops[TRACE_IMPLIED_STEPS];
    unsigned count;       /* of ops that are set */
    unsigned started;     /* requests taken from next_request on */
    uint64_t requests[2]; /* what the wait of an exchange points to: keep the struct where it is while in use
                           */
};

/* Fills *steps; no operation at all for calls whose every part is empty here (an MPI_Win_unlock with nothing
 * pending). All but the work carry TRACE_IMPLIED; those of approximated calls TRACE_APPROXIMATED as well.
 * Waits borrow place->pending. */
void trace_implied_steps(const struct trace_implied_call *rule, const struct trace_implied_place *place,
                         struct trace_implied_steps *steps);

#endif
