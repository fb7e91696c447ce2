/* Communicators rebuilt across ranks from what each rank recorded of their creation (doc/replay.md,
 * "Communicators"). Handles are numbers of one rank and are given again after they were freed; the n-th
 * creating call on a parent communicator is the same event on all its members (MPI 4.0, section 7.4.2).
 *
 *      builder = trace_communicators_new(ranks)          everyone starts with the predefined ones
 *      per rank, in program order: trace_communicators_add(builder, rank, &creation) …
 *      trace_communicators_resolve(builder)              matches the calls of all ranks, in any interleaving
 *      trace_communicators_at(builder, rank, event, handle)     what a handle means there
 *
 * Groups are local objects, named by handles of their own, and may be made of communicators that are known
 * only after resolve: the builder keeps them symbolic. Memory is in proportion to the creating calls. */
#ifndef TRACE_COMMUNICATORS_H
#define TRACE_COMMUNICATORS_H

#include "base/arena.h"
#include "traces/program.h"

struct trace_defects;
struct trace_communicators;

#define TRACE_COMM_WORLD                                                                                     \
    0 /* index of the resolved MPI_COMM_WORLD; rank r's MPI_COMM_SELF is made on first use */
#define TRACE_NO_COMMUNICATOR UINT32_MAX

/* The handles that mean MPI_COMM_WORLD, MPI_COMM_SELF and MPI_COMM_NULL, and the group MPI_GROUP_EMPTY and
 * MPI_GROUP_NULL, on every rank. */
struct trace_predefined_handles {
    int32_t world, self, null, group_empty, group_null;
};

/* NULL when memory is out. */
struct trace_communicators *trace_communicators_new(uint32_t ranks,
                                                    const struct trace_predefined_handles *handles);
void trace_communicators_free(struct trace_communicators *communicators); /* NULL is legal */

/* What a rank recorded; events rise within a rank, ranks come in any order. 0, or -1: memory. A handle that
 * is unknown is found by resolve. `new` is the null handle on ranks that are not in the new communicator.
 * Lists are copied. */
enum trace_creation_kind {
    TRACE_CREATE_DUP,    /* parent */
    TRACE_CREATE_GROUP,  /* parent, group: MPI_Comm_create */
    TRACE_CREATE_SPLIT,  /* parent, color, key */
    TRACE_CREATE_CART,   /* parent, numbers = dims: the first product(dims) ranks */
    TRACE_CREATE_SUB,    /* parent (cartesian), numbers = remain_dims */
    TRACE_CREATE_GRAPH,  /* parent, count = nodes: the first so many ranks */
    TRACE_CREATE_INTER,  /* parent = local, leader, peer, remote_leader, tag */
    TRACE_CREATE_MERGE,  /* parent = inter-communicator, high */
    TRACE_CREATE_UNKNOWN /* parent may be null: of a kind whose result cannot be known (accept, connect,
                            spawn) */
};

struct trace_creation {
    enum trace_creation_kind kind; /* says which of the fields below count */
    uint64_t event;                /* number of the record: handles mean something else before and after */
    int32_t parent, new;           /* handles, as the rank that calls names them */
    int32_t color;                 /* TRACE_UNDEFINED_COLOR: MPI_UNDEFINED */
    int32_t key, group;
    int32_t peer, leader, remote_leader, tag; /* leader: rank in parent; remote_leader: rank in peer */
    bool high;
    const int32_t *numbers; /* of kinds that have an array */
    uint32_t count;         /* of numbers */
};
#define TRACE_UNDEFINED_COLOR INT32_MIN

int trace_communicators_add(struct trace_communicators *communicators, uint32_t rank,
                            const struct trace_creation *creation);
int trace_communicators_free_handle(struct trace_communicators *communicators, uint32_t rank, uint64_t event,
                                    int32_t handle);

/* Groups. left and right are handles; numbers are ranks (incl, excl) or triplets first, last, stride. */
enum trace_group_kind {
    TRACE_GROUP_OF,     /* left = a communicator: its (local) group */
    TRACE_GROUP_REMOTE, /* left = an inter-communicator: its remote group */
    TRACE_GROUP_UNION,
    TRACE_GROUP_INTERSECTION,
    TRACE_GROUP_DIFFERENCE,
    TRACE_GROUP_INCLUDE,
    TRACE_GROUP_EXCLUDE,
    TRACE_GROUP_RANGE_INCLUDE,
    TRACE_GROUP_RANGE_EXCLUDE
};
struct trace_group_call {
    enum trace_group_kind kind;
    uint64_t event;           /* number of the record */
    int32_t new, left, right; /* handles; right: of calls with two groups only */
    const int32_t *numbers;   /* ranks in the left group, or triplets first, last, stride */
    uint32_t count;           /* of numbers; a multiple of three for ranges */
};
int trace_communicators_group(struct trace_communicators *communicators, uint32_t rank,
                              const struct trace_group_call *call);

/* Matches all creating calls. Members that disagree, calls that some members never make, groups out of range:
 * without defects an error (BASE_INPUT) that names path, rank, event and both calls; with them a defect, and
 * the handle means no communicator (a communicator on which a member misses a call makes no others after
 * that). Calls on communicators and groups that are not known (made by calls that the recorder does not know)
 * are no errors: what they make is not known either. Call once. */
int trace_communicators_resolve(struct trace_communicators *communicators, const char *path,
                                struct trace_defects *defects, struct base_error *error);

/* After resolve. The communicators in an order that depends on nothing but the calls: world, then by the
 * first member's rank and event, then the selves in the order in which trace_communicators_at first meets
 * them: the count rises by as many, at most by the number of ranks. The list never moves. Of an
 * inter-communicator the side whose first rank is lower is `members`, of one made of another the one that was
 * made of that one's. Owned by the builder. */
uint32_t trace_communicators_count(const struct trace_communicators *communicators);
const struct trace_communicator *trace_communicators_list(const struct trace_communicators *communicators);
/* What a handle means to a rank at an event (a creating call's own event: the new one already; a freeing
 * call's own event: still the one that is freed), or TRACE_NO_COMMUNICATOR. Logarithmic. */
uint32_t trace_communicators_at(const struct trace_communicators *communicators, uint32_t rank,
                                uint64_t event, int32_t handle);
/* The world rank of rank `number` there as `rank` addresses it in messages: in the remote group of an
 * inter-communicator, else in the own one. UINT32_MAX: out of range. */
uint32_t trace_communicators_world(const struct trace_communicators *communicators, uint32_t communicator,
                                   uint32_t rank, uint32_t number);
/* Members of a group handle at an event, as world ranks; NULL when unknown. Borrowed. */
const uint32_t *trace_communicators_members(const struct trace_communicators *communicators, uint32_t rank,
                                            uint64_t event, int32_t group, uint32_t *count);

#endif
