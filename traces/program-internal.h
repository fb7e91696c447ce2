/* What the public functions of program.h look at, for whoever builds programs: readers, generators, tests. A
 * builder embeds struct trace_program and struct trace_cursor as the first member of its own structs, fills
 * the plain fields and points `class` at its constant functions; program.c does the rest. */
#ifndef TRACE_PROGRAM_INTERNAL_H
#define TRACE_PROGRAM_INTERNAL_H

#include "traces/program.h"

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
};

/* Everything pointed to is owned by the builder and lives until close. */
struct trace_program {
    const struct trace_program_class *class;
    const char *path, *format, *writer;
    uint32_t ranks;
    uint32_t communicator_count;
    const struct trace_communicator *communicators;
    uint32_t region_count;
    const char *const *region_names; /* [region] */
    const uint64_t *origins_ns;      /* [rank], or NULL: no common clock */
    struct trace_summary summary;
    /* Fills in regions that are NULL before; itself NULL where a format records none (DUMPI, GOAL). */
    int (*find_callers)(struct trace_program *program, struct trace_caller *callers, size_t count,
                        struct base_error *error);
};

/* The functions of the class allocate and free it; trace_cursor_new fills these fields (`class` is that of
 * the program, copied so that the replay's main path reads one pointer less). */
struct trace_cursor {
    const struct trace_program_class *class;
    struct trace_program *program;
    uint32_t rank;
};

#endif
