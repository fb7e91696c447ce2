/* What is wrong with a trace, as a list: found by the readers while they read (trace_options.defects) and by
 * the trace doctor (traces/doctor/doctor.h) on the finished program. A defect that occurs often is counted in full
 * and kept a few times. */
#ifndef TRACE_DEFECT_H
#define TRACE_DEFECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum trace_severity {
    TRACE_NOTE,    /* the replay is not affected */
    TRACE_WARNING, /* the replay is affected, or what it says is doubtful */
    TRACE_FAULT    /* the trace cannot be replayed as it is */
};

struct trace_defect {
    const char *kind; /* a stable lower-case-hyphen name: "unmatched-send", "truncated-file" */
    enum trace_severity severity;
    uint32_t rank;    /* UINT32_MAX: the whole trace */
    uint64_t event;   /* number of the record from 1; 0: none */
    uint64_t time_ns; /* since the rank's first event; UINT64_MAX: unknown */
    const char *call; /* name of the region or function: "MPI_Recv"; NULL: unknown */
    const char *text; /* one sentence without the position */
};

struct trace_defect_count { /* one row a kind, in the order of first appearance */
    const char *kind;
    enum trace_severity severity; /* the worst of them */
    uint64_t count;               /* also of those whose sentences were not kept */
};

struct trace_defects;

/* Keeps at most `kept` defects of each kind (0: 100) and counts the rest. NULL when memory is out. The caller
 * frees it. */
struct trace_defects *trace_defects_new(size_t kept);
void trace_defects_free(struct trace_defects *defects); /* NULL is legal */

/* Adds one: *defect is copied, its text replaced by the formatted sentence; kind must be a string constant.
 * Returns 0, or -1: memory (BASE_SYSTEM). */
int trace_defects_add(struct trace_defects *defects, const struct trace_defect *defect,
                      struct base_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds `count` of one kind, of which *defect is the first: one is kept, all are counted. */
int trace_defects_add_many(struct trace_defects *defects, const struct trace_defect *defect, uint64_t count,
                           struct base_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* In the order in which they were added. */
size_t trace_defects_count(const struct trace_defects *defects);
const struct trace_defect *trace_defects_get(const struct trace_defects *defects, size_t index);
/* How many of each kind there were, kept or not. */
size_t trace_defects_kinds(const struct trace_defects *defects);
const struct trace_defect_count *trace_defects_kind(const struct trace_defects *defects, size_t index);

#endif
