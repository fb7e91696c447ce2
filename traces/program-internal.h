/* What the public functions of program.h look at, for whoever builds programs: readers, generators, tests. A
 * builder embeds struct trace_program and struct trace_cursor as the first member of its own structs, fills
 * the plain fields and points `class` at its constant functions; program.c does the rest. */
#ifndef TRACE_PROGRAM_INTERNAL_H
#define TRACE_PROGRAM_INTERNAL_H

#include "traces/program.h"

struct trace_kept_size; /* traces/kept.h */

#define TRACE_HASH_ROOM 33 /* 32 hexadecimal digits and the terminator */

/* A file that a trace is made of, and bytes of it that are no content: an OTF2 archive's identifier
 * (traces/otf2-archive/anchor.h). */
struct trace_file {
    const char *path;                   /* borrowed for the visit */
    uint64_t omitted_at, omitted_bytes; /* 0 bytes: all is content */
};

/* Takes a file. -1 ends the visit, which passes it on. */
typedef int trace_file_visit(void *context, const struct trace_file *file, struct base_error *error);

/* Visits the *.def and *.evt of an OTF2 archive's directory, in the order of their names' bytes (hash.c). */
int trace_visit_locations(const char *directory, trace_file_visit *visit, void *context,
                          struct base_error *error);

/* Sets the hash of a program that was read from no files, but made by this name. */
void trace_program_hash_name(struct trace_program *program, const char *name);

struct trace_program_class {
    struct trace_cursor *(*cursor_new)(struct trace_program *program, uint32_t rank,
                                       struct base_error *error);
    int (*cursor_next)(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error);
    void (*cursor_free)(struct trace_cursor *cursor);
    /* The sizes of one v- or w-collective, NULL when that instance is none. The function itself may be NULL.
     */
    const struct trace_vector *(*vector)(const struct trace_program *program, uint32_t communicator,
                                         uint64_t instance);
    void (*close)(struct trace_program *program);
    bool sets_vectors; /* cursor_next sets op.vector itself; false: trace_cursor_next asks `vector` */
    /* As trace_program_share. NULL: streams read files, and belong to one thread. */
    int (*share)(struct trace_program *program, struct base_error *error);
    void (*rest)(struct trace_program *program); /* as trace_program_rest. NULL: nothing stays open */
    /* As trace_kept_size. NULL: nothing is kept. */
    struct trace_kept_size (*kept_size)(const struct trace_program *program);
};

/* Everything pointed to is owned by the builder and lives until close. */
struct trace_program {
    const struct trace_program_class *class;        /* the format's functions */
    const char *path, *format, *writer;             /* writer: who recorded or generated it */
    uint32_t ranks;                                 /* of the world */
    uint32_t communicator_count;                    /* of communicators */
    const struct trace_communicator *communicators; /* by index: what operations name */
    uint32_t region_count;                          /* of region_names */
    const char *const *region_names;                /* [region] */
    const uint64_t *origins_ns;                     /* [rank], or NULL: no common clock */
    struct trace_summary summary;
    /* Fills in regions that are NULL before; itself NULL where none is recorded (DUMPI, GOAL,
     * OTF2 of MPI calls alone). */
    int (*find_callers)(struct trace_program *program, struct trace_caller *callers, size_t count,
                        struct base_error *error);
    uint32_t own_region_count; /* of regions that are no MPI calls; none where find_callers is NULL */
    const char *const *own_region_names;
    int (*find_entries)(struct trace_program *program, uint32_t rank, struct trace_entry *entries,
                        size_t count, struct base_error *error);
    /* Visits all files of the trace in the order of hash.h; NULL: there are none. */
    int (*visit_files)(const struct trace_program *program, trace_file_visit *visit, void *context,
                       struct base_error *error);
    char hash[TRACE_HASH_ROOM]; /* empty until trace_program_hash is asked for it */
};

/* The functions of the class allocate and free it; trace_cursor_new fills these fields (`class` is that of
 * the program, copied so that the replay's main path reads one pointer less). */
struct trace_cursor {
    const struct trace_program_class *class;
    struct trace_program *program; /* borrowed */
    uint32_t rank;                 /* whose operations it gives */
};

#endif
