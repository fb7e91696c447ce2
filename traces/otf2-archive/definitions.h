/* The definitions of an OTF2 archive, resolved: which locations are MPI ranks, who is in which communicator,
 * which regions are MPI calls. Definitions may refer to others that come later or never, so everything is
 * collected first and resolved when all have been read. */
#ifndef TRACE_OTF2_DEFINITIONS_H
#define TRACE_OTF2_DEFINITIONS_H

#include <otf2/otf2.h>

#include "base/arena.h"
#include "base/table.h"
#include "traces/otf2-archive/calls.h"
#include "traces/program.h"

/* The identifier of communicators that are not among the program's. */
#define TRACE_OTF2_SELF (UINT32_MAX - 1) /* MPI_COMM_SELF of whoever uses it: no communication */

struct trace_otf2_location {
    uint64_t id;             /* as in the archive */
    uint32_t rank;           /* of the world, whose process it belongs to */
    uint64_t claimed_events; /* as its definition says; unreliable */
};

/* A zeroed struct is a valid empty one. */
struct trace_otf2_definitions {
    struct base_arena arena;   /* of all arrays and texts below */
    uint64_t ticks_per_second; /* resolution of all time stamps */

    uint32_t ranks;                                /* of the world */
    struct trace_otf2_location *locations;         /* [rank] the location that speaks for the rank */
    struct trace_otf2_location *threads;           /* further CPU threads of these processes */
    size_t thread_count;                           /* of those */
    struct trace_other_locations *other_locations; /* by type, then name */
    size_t other_location_count;

    uint32_t communicator_count; /* of communicators, global_ranks and parents */
    uint32_t world;              /* the first communicator with all ranks; UINT32_MAX without one */
    struct trace_communicator *communicators; /* by index, what operations name */
    bool *global_ranks;                       /* [communicator] its events name ranks of the world */
    uint32_t *parents;                        /* [communicator] as defined: an index, TRACE_OTF2_SELF, or
                                           TRACE_OTF2_NO_PARENT */
    struct base_table communicator_ids;       /* (id, 0) -> index, or TRACE_OTF2_SELF */
    struct base_table members; /* (index, world rank) -> member: rank in the communicator; in an
                                           inter-communicator those of the second group come behind */
    struct base_table lists;   /* (hash of the members, their number) -> the first such intra-communicator */

    struct base_table windows, files; /* (id, 0) -> communicator */

    uint32_t call_count;           /* different MPI calls; the program's regions */
    struct trace_otf2_call *calls; /* [call] */
    const char **call_names;       /* [call] */
    struct base_table region_ids;  /* (id, 0) -> call, or TRACE_OTF2_USER_REGION; then */
    const char **user_regions;     /* (id, 1) -> its name here; NULL without one */
    uint32_t user_region_count;    /* of those names */

    uint32_t *dense_regions, *dense_communicators; /* [id], as in the tables */

    bool by_eztrace;  /* it left a region of its own */
    bool plain_sizes; /* the MPI regions are not marked as such: sizes of collectives are not multiplied */
    uint64_t repeated_identifiers; /* groups that share an identifier (EZTrace) */
    uint64_t guessed_ranks;        /* ranks in the order of their processes' names: no list of locations */
};

#define TRACE_OTF2_NO_PARENT UINT32_MAX
#define TRACE_OTF2_USER_REGION (UINT32_MAX - 1)
#define TRACE_OTF2_DENSE 4096 /* identifiers below are looked up in arrays: Score-P counts from 0 */

static inline uint32_t trace_otf2_region(const struct trace_otf2_definitions *definitions, uint32_t id)
{
    return id < TRACE_OTF2_DENSE ? definitions->dense_regions[id]
                                 : base_table_get(&definitions->region_ids, id, 0);
}

static inline uint32_t trace_otf2_communicator(const struct trace_otf2_definitions *definitions, uint32_t id)
{
    return id < TRACE_OTF2_DENSE ? definitions->dense_communicators[id]
                                 : base_table_get(&definitions->communicator_ids, id, 0);
}

/* Reads all global definitions and resolves them. `path` is for
 * messages and borrowed during the call only. On failure the struct must still be freed. */
int trace_otf2_definitions_read(struct trace_otf2_definitions *definitions, OTF2_Reader *reader,
                                const char *path, struct base_error *error);
void trace_otf2_definitions_free(struct trace_otf2_definitions *definitions);

/* The members of both groups, if there are two. */
static inline uint32_t trace_otf2_size(const struct trace_otf2_definitions *definitions,
                                       uint32_t communicator)
{
    return definitions->communicators[communicator].size +
           definitions->communicators[communicator].remote_size;
}

/* The world rank of a member below trace_otf2_size. */
static inline uint32_t trace_otf2_world(const struct trace_otf2_definitions *definitions,
                                        uint32_t communicator, uint32_t member)
{
    const struct trace_communicator *group = &definitions->communicators[communicator];
    return member < group->size ? group->members[member] : group->remote_members[member - group->size];
}

/* The member that world rank `world` is, or UINT32_MAX. */
uint32_t trace_otf2_member(const struct trace_otf2_definitions *definitions, uint32_t communicator,
                           uint32_t world);

/* The same on an inter-communicator. */
uint32_t trace_otf2_remote_member(const struct trace_otf2_definitions *definitions, uint32_t communicator,
                                  uint32_t own, uint32_t rank);

/* The member that an event of member `own` means by `rank`, or UINT32_MAX when it means nobody. Events name a
 * peer by its rank in the communicator, unless its group says that members go by their global ranks. In an
 * inter-communicator ranks count in the group that `own` is not in. */
static inline uint32_t trace_otf2_named_member(const struct trace_otf2_definitions *definitions,
                                               uint32_t communicator, uint32_t own, uint32_t rank)
{
    if (definitions->communicators[communicator].remote_size > 0)
        return trace_otf2_remote_member(definitions, communicator, own, rank);
    if (definitions->global_ranks[communicator])
        return trace_otf2_member(definitions, communicator, rank);
    return rank < definitions->communicators[communicator].size ? rank : UINT32_MAX;
}

/* The communicator that MPI_Intercomm_create made this one from on the side of member `own`: the first of the
 * same members. UINT32_MAX when there is none, and for inter-communicators made of another. */
uint32_t trace_otf2_local_communicator(const struct trace_otf2_definitions *definitions,
                                       uint32_t communicator, uint32_t own);

#endif
