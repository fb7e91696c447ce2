/* Between the delivery of generated operations and the count of them: the items of a step. */
#ifndef TRACE_GENERATE_SURVEY_H
#define TRACE_GENERATE_SURVEY_H

#include "traces/generate/internal.h"

/* The calls that a generated program names; then one per collective. */
enum trace_generated_region {
    TRACE_GENERATED_SEND,
    TRACE_GENERATED_ISEND,
    TRACE_GENERATED_RECV,
    TRACE_GENERATED_IRECV,
    TRACE_GENERATED_WAIT,
    TRACE_GENERATED_WAITALL,
    TRACE_GENERATED_SPLIT,
    TRACE_GENERATED_DUP,
    TRACE_GENERATED_FIXED,
    TRACE_GENERATED_REGIONS = TRACE_GENERATED_FIXED + TRACE_COLLECTIVES,
    TRACE_GENERATED_NONE = 255
};
/* [enum trace_generated_region] the names of the calls, as MPI writes them; *count of them. Constants. */
const char *const *trace_generated_regions(uint32_t *count);

/* One operation. value: nanoseconds, bytes, or how many requests a wait has; extra: the request, or the first
 * of them; of a collective, whether it has the step's vector. */
struct trace_item {
    uint64_t value, extra;
    uint32_t peer, tag, communicator; /* peer: of a collective its root */
    uint8_t kind, flags, collective, region;
};

#define TRACE_EMITTER_COMMUNICATORS 8 /* that one rank calls collectives on */

struct trace_emitter {
    struct trace_cursor cursor; /* first */
    const struct trace_skeleton *skeleton;
    uint64_t step; /* the next */
    struct trace_item *items;
    struct trace_item lost;                /* one for which there was no memory: nobody reads it */
    size_t count, capacity, next;          /* of items; next: the one to be taken */
    uint64_t *sizes;                       /* of the step's vector: sent, then received */
    struct trace_vector vector;            /* what an operation taken last may point to */
    uint64_t *requests;                    /* of the wait that was delivered last */
    size_t request_capacity;               /* of requests */
    uint64_t next_request, event, time_ns; /* not given yet; of the last operation; its end */
    struct {
        uint64_t next;
        uint32_t communicator;
    } instances[TRACE_EMITTER_COMMUNICATORS];
    uint32_t communicators; /* of instances that are in use */
    bool failed, ended;     /* failed: memory; ended: the end has been given */
};

/* Fills the items of the next step. -1: memory. */
int trace_emitter_step(struct trace_emitter *emitter);
void trace_emitter_clear(struct trace_emitter *emitter); /* frees what it holds */

/* Fills the summary: runs all steps of all ranks, which costs a few nanoseconds an operation. -1: memory. */
int trace_skeleton_survey(struct trace_skeleton *skeleton);

#endif
