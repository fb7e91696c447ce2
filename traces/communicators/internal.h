/* What the files communicators*.c share: the ranks' logs as they were recorded, and what they mean once the
 * simulation of resolve.c has gone over them.
 *
 *      rank ── log[]      the entries in program order: creation, free, group
 *           └─ history[]  the same entries, sorted by (handle, position): a binary search says what a
 *                         handle means at a place in the log, so no table of handles is ever copied
 *      log entry ── result ── made[] (communicators) or lists[] (groups)
 *
 * Groups and the members of communicators are lists of world ranks. Equal lists are kept once: all ranks of a
 * program make the same groups, and a duplicated communicator has its parent's members. */
#ifndef TRACE_COMMUNICATORS_INTERNAL_H
#define TRACE_COMMUNICATORS_INTERNAL_H

#include "traces/communicators/communicators.h"

#define NO_LIST UINT32_MAX
/* Results besides an index and TRACE_NO_COMMUNICATOR: of a creation whose outcome the trace does not tell. */
#define UNTOLD (UINT32_MAX - 1)

/* A set of ranks in order. */
struct rank_list {
    const uint32_t *ranks; /* world ranks, in the arena */
    uint32_t size;         /* of ranks */
    uint32_t hash;         /* over the ranks in their order: the same list is kept once */
    /* Scratch of MPI_Comm_create: the last call that looked at this list, and what it made of it. */
    uint64_t seen_at;
    uint32_t outcome; /* valid while seen_at is the present call */
};

enum entry_type { ENTRY_CREATION, ENTRY_FREE, ENTRY_GROUP };

/* One recorded call; the fields are those of struct trace_creation and struct trace_group_call. */
struct entry {
    uint64_t event; /* number of the record: entries of a rank rise in it */
    uint8_t type;   /* enum entry_type */
    uint8_t kind;   /* enum trace_creation_kind or trace_group_kind */
    bool high;
    int32_t handle; /* what the entry binds, or frees */
    int32_t parent; /* of a group: left */
    int32_t right;  /* of a group */
    int32_t color, key, group, peer, leader, remote_leader, tag;
    uint32_t count;         /* of numbers */
    const int32_t *numbers; /* a copy in the arena */
    uint32_t result;        /* index into made[] or lists[]; TRACE_NO_COMMUNICATOR or NO_LIST: nothing */
};

struct history {
    /* handle (offset to rise from 0) in the high half, position in the log in the low: sorted */
    uint64_t *keys;
    size_t count; /* of keys */
};

struct rank_log {
    struct entry *entries;                /* in the order of the calls */
    size_t count, capacity;               /* of entries */
    struct history communicators, groups; /* which entries bind which handles, for queries by event */
    uint32_t position;                    /* where the simulation is; blocked there, or in the queue */
};

/* A communicator as the simulation knows it. */
struct made_communicator {
    uint32_t members, remote;  /* lists; remote is NO_LIST unless this is an inter-communicator */
    const uint32_t *sorted;    /* of an inter-communicator: the members, rising */
    const int32_t *dimensions; /* of a cartesian one */
    uint32_t dimension_count;
    uint32_t arrived; /* members that are at their next creating call on it */
    bool cartesian;
    bool broken; /* a member has not come to a call, so later ones cannot be counted any more */
    bool ready;  /* all members are in MPI_Intercomm_create and wait for the other side */
    uint8_t kind;
    uint64_t event; /* of the creation at the first member; with its rank the order of the results */
};

struct trace_communicators {
    struct base_arena arena; /* of lists, numbers and results */
    uint32_t ranks;          /* of the world */
    struct trace_predefined_handles handles;
    struct rank_log *logs; /* [rank] */

    struct rank_list *lists; /* each list once, however many communicators have it */
    size_t list_count, list_capacity;
    uint32_t *table; /* open addressing by the lists' hashes; NO_LIST: empty. At most half full */
    size_t places;
    uint32_t empty; /* the list of nobody */

    /* 0 is the world, 1 + r is the self of rank r, then as the simulation makes them */
    struct made_communicator *made;
    size_t made_count, made_capacity;
    uint64_t calls; /* creating calls that were completed: names the current one */

    uint32_t *queue; /* a stack of the ranks that can go on */
    uint32_t queued;
    uint32_t *marks; /* per world rank, scratch of set operations: in the set when equal to `mark` */
    uint32_t mark;
    uint32_t *scratch; /* room for a list of all ranks */

    const char *path;              /* of the trace, for messages */
    struct trace_defects *defects; /* where calls that do not fit go; borrowed */

    /* The result. What a self adds later lies behind pointers, since queries take a const builder. */
    struct trace_communicator *results;
    const struct made_communicator **sources; /* of results[i] */
    uint32_t *result_count;
    uint32_t *selves; /* per rank the index of its self, or TRACE_NO_COMMUNICATOR until a query meets it */
};

/* ---- communicators.c ---- */

static inline uint64_t history_key(int32_t handle, uint32_t position)
{
    return (uint64_t)((uint32_t)handle ^ UINT32_C(0x80000000)) << 32 | position;
}

/* What a communicator handle means to the rank's entry at `position`: index into made[], or
 * TRACE_NO_COMMUNICATOR. */
uint32_t trace_communicators_meaning(const struct trace_communicators *all, uint32_t rank, int32_t handle,
                                     uint32_t position);
/* The same of a group handle: index into lists[], or NO_LIST. */
uint32_t trace_communicators_group_meaning(const struct trace_communicators *all, uint32_t rank,
                                           int32_t handle, uint32_t position);
/* Whether the rank is among the members of an inter-communicator, not among the remote ones. */
bool trace_communicators_is_near(const struct trace_communicators *all, const struct made_communicator *made,
                                 uint32_t rank);

/* ---- lists.c ---- */

/* The index of a list with these ranks, made when there is none yet; NO_LIST: memory. */
uint32_t trace_communicators_list_of(struct trace_communicators *all, const uint32_t *ranks, uint32_t size);
/* Begins an empty set of marks; gives the mark of what is put into it. */
uint32_t trace_communicators_new_mark(struct trace_communicators *all);
/* Evaluates the group call at the rank's position into its result. 0, or -1 with an error. */
int trace_communicators_evaluate(struct trace_communicators *all, uint32_t rank, struct base_error *error);

/* ---- resolve.c ---- */

/* The entry that the rank is at. */
static inline struct entry *entry_of(const struct trace_communicators *all, uint32_t rank)
{
    return &all->logs[rank].entries[all->logs[rank].position];
}

/* All members of both groups, numbered members first. */
static inline uint32_t population(const struct trace_communicators *all, const struct made_communicator *made)
{
    return all->lists[made->members].size + (made->remote == NO_LIST ? 0 : all->lists[made->remote].size);
}

/* The i-th of all members: those of an inter-communicator's own side first, then the remote ones. */
static inline uint32_t member(const struct trace_communicators *all, const struct made_communicator *made,
                              uint32_t i)
{
    const struct rank_list *members = &all->lists[made->members];

    return i < members->size ? members->ranks[i] : all->lists[made->remote].ranks[i - members->size];
}

const char *trace_communicators_call_name(const struct entry *entry);
/* Something is wrong with the entry at the rank's position: an error (-1), or, where defects are wanted, a
 * defect of this kind (0, or -1: memory). */
int trace_communicators_complain(struct trace_communicators *all, uint32_t rank, const char *kind,
                                 struct base_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- kinds.c ---- */

/* All members of made[parent] are at the same kind of call: sets their results to what it makes. 0, or -1
 * with an error. */
int trace_communicators_create(struct trace_communicators *all, uint32_t parent, struct base_error *error);
/* The two sides near and far have found each other in MPI_Intercomm_create. */
int trace_communicators_join(struct trace_communicators *all, uint32_t near, uint32_t far,
                             struct base_error *error);

#endif
