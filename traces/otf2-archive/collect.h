/* The raw definitions of an archive as they come, before anything is resolved. */
#ifndef TRACE_OTF2_COLLECT_H
#define TRACE_OTF2_COLLECT_H

#include <otf2/otf2.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"

/* What the identifiers in the table `ids` stand for: the second key beside the identifier. */
enum trace_otf2_id_space {
    TRACE_OTF2_ID_STRING,
    TRACE_OTF2_ID_PROCESS,
    TRACE_OTF2_ID_LOCATION,
    TRACE_OTF2_ID_RANK_LIST, /* groups of type COMM_LOCATIONS */
    TRACE_OTF2_ID_GROUP,     /* every other group: EZTrace gives one of each kind the same identifier */
    TRACE_OTF2_ID_COMMUNICATOR,
    TRACE_OTF2_ID_REGION
};

struct trace_otf2_raw_process { /* a location group */
    uint32_t id, name;
    bool is_process; /* an MPI process, not an accelerator */
};

struct trace_otf2_raw_location {
    uint64_t id, events;    /* events: as the definition says */
    uint32_t name, process; /* identifiers: of a string, of a location group */
    bool is_thread;
    uint8_t type; /* OTF2_LocationType */
};

struct trace_otf2_raw_group {
    uint32_t id; /* the archive's own, as in all of these structs */
    OTF2_GroupType type;
    bool of_mpi;         /* its paradigm */
    bool global_members; /* events on a communicator of this group name ranks of the world */
    uint32_t count;
    const uint64_t *members; /* what they are depends on the type */
};

struct trace_otf2_raw_communicator {
    uint32_t id, name, group, parent; /* identifiers all */
    bool inter;                       /* an inter-communicator: remote_group counts */
    uint32_t remote_group; /* of an inter-communicator, whose parent is what both groups have in common */
};

struct trace_otf2_raw_object { /* a window or a handle of a file */
    uint32_t id, communicator;
    bool is_file; /* else a window */
};

struct trace_otf2_raw_region {
    uint32_t id, name; /* name: identifier of a string */
    bool of_mpi;       /* its paradigm: marked as a call of MPI */
};

/* A zeroed struct is a valid empty one. Texts and members are in the arena. */
struct trace_otf2_collection {
    struct base_arena arena;                  /* for texts and members */
    struct base_table ids;                    /* (id, space) -> index in the array of that kind */
    uint64_t ticks_per_second, clock_records; /* of the last clock record; how many there were */
    uint64_t repeated_groups;                 /* identifiers with more than one group */

    const char **strings; /* all arrays below: in the order of the archive */
    struct trace_otf2_raw_process *processes;
    struct trace_otf2_raw_location *locations;
    struct trace_otf2_raw_group *groups;
    struct trace_otf2_raw_communicator *communicators;
    struct trace_otf2_raw_region *regions;
    struct trace_otf2_raw_object *objects;
    size_t object_count, object_capacity;
    size_t string_count, string_capacity, process_count, process_capacity, location_count, location_capacity;
    size_t group_count, group_capacity, communicator_count, communicator_capacity, region_count;
    size_t region_capacity;

    bool out_of_memory;   /* a callback could not go on */
    const char *repeated; /* what has been defined twice: "location"; NULL when nothing was */
    uint64_t repeated_id;
};

/* Reads every global definition of the archive into the collection. `path` is for messages. On failure the
 * collection must still be freed. */
int trace_otf2_collect(struct trace_otf2_collection *collection, OTF2_Reader *reader, const char *path,
                       struct base_error *error);
void trace_otf2_collection_free(struct trace_otf2_collection *collection);

/* The index of a definition, or BASE_TABLE_NONE. */
uint32_t trace_otf2_collected(const struct trace_otf2_collection *collection, enum trace_otf2_id_space space,
                              uint64_t id);
/* The text of a string, or NULL when it was never defined. */
const char *trace_otf2_text(const struct trace_otf2_collection *collection, uint32_t string);

#endif
