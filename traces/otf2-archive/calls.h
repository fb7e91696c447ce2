/* Which MPI call a region of an OTF2 trace stands for, and how such calls are treated. Recorders write
 * "MPI_Irecv", "mpi_irecv_" or "MPI_IRECV": the name alone decides, since EZTrace marks its regions as user
 * functions. */
#ifndef TRACE_OTF2_CALLS_H
#define TRACE_OTF2_CALLS_H

#include <stdbool.h>

#include "traces/program.h"

enum trace_otf2_class {
    TRACE_OTF2_LOCAL, /* its time is compute */
    TRACE_OTF2_INIT,
    TRACE_OTF2_FINALIZE,
    TRACE_OTF2_POINT_TO_POINT,
    TRACE_OTF2_BUFFERED,    /* Bsend, Ibsend */
    TRACE_OTF2_SYNCHRONOUS, /* Ssend, Issend */
    TRACE_OTF2_SENDRECV,
    TRACE_OTF2_WAIT_ONE, /* Wait, Waitany */
    TRACE_OTF2_WAIT_ALL, /* Waitall, Waitsome */
    TRACE_OTF2_TEST,
    TRACE_OTF2_PROBE,
    TRACE_OTF2_CANCEL,
    TRACE_OTF2_FREE, /* of a request, which may wait for its end */
    TRACE_OTF2_COLLECTIVE,
    TRACE_OTF2_VECTOR, /* collectives of which only the sums over the peers are recorded: alltoallv, alltoallw
                        */
    TRACE_OTF2_NEIGHBOUR,
    TRACE_OTF2_NONBLOCKING,  /* non-blocking collectives */
    TRACE_OTF2_SPLIT,        /* make communicators, by an exchange among the members of the parent */
    TRACE_OTF2_DUPLICATE,    /* ... with the same members */
    TRACE_OTF2_CREATE,       /* ... with any members */
    TRACE_OTF2_MERGE,        /* ... with all members of both groups of an inter-communicator */
    TRACE_OTF2_JOIN,         /* MPI_Intercomm_create: two communicators find each other */
    TRACE_OTF2_COMMUNICATOR, /* make communicators in another way */
    TRACE_OTF2_ONE_SIDED,
    TRACE_OTF2_FILES,
    TRACE_OTF2_OTHER
};

struct trace_otf2_call {
    const char *name; /* "MPI_Irecv"; for a call known only by its prefix, the region's own name (borrowed) */
    enum trace_otf2_class class;
};

/* What EZTrace does at the end of a process takes the place of the MPI_Finalize that it does not record. */
#define TRACE_OTF2_EZTRACE_FINALIZE "EZTrace finalize"

/* Fills *call and returns true when the region is an MPI call: its name is listed, or begins with "MPI_" and
 * the trace says that the region belongs to MPI. */
bool trace_otf2_call_find(const char *region, bool of_mpi, struct trace_otf2_call *call);

/* True for calls that make communicators out of one parent and are called by all its members. */
static inline bool trace_otf2_class_creates(enum trace_otf2_class class)
{
    return class == TRACE_OTF2_SPLIT || class == TRACE_OTF2_DUPLICATE || class == TRACE_OTF2_CREATE ||
           class == TRACE_OTF2_MERGE;
}

/* True when the time inside such a call counts as compute: it does nothing that the replay could simulate. It
 * does not wait for other ranks, so that it scales with the processor and not with the network. */
static inline bool trace_otf2_class_is_compute(enum trace_otf2_class class)
{
    return class == TRACE_OTF2_LOCAL || class == TRACE_OTF2_FILES;
}

/* How the replay treats the calls of a class; *how is a phrase, or NULL when there is nothing to say. */
enum trace_treatment trace_otf2_class_treatment(enum trace_otf2_class class, const char **how);

#endif
