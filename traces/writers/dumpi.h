/* The DUMPI writer in four files: ranks and messages (dumpi.c), collectives
 * (dumpi-collectives.c), where communicators and windows come from (dumpi-plan.c), and the
 * calls that make and use them (dumpi-communicators.c).
 *
 * DUMPI has no definitions: a communicator is the result of a call, and a call on all members of another one.
 * So a program is read once before it is written, to plan which call makes which communicator. */
#ifndef TRACE_WRITER_DUMPI_H
#define TRACE_WRITER_DUMPI_H

#include "traces/dumpitrace/dumpitrace.h"
#include "traces/writers/internal.h"

#define TRACE_WRITE_DUMPI_NONE UINT32_MAX

/* A call of the program that makes communicators out of one that all its ranks are in: known by the
 * collective that it implies. */
struct trace_write_dumpi_event {
    uint32_t parent; /* index of the communicator that it is called on */
    bool gathers;    /* MPI_Comm_split: several at once; otherwise MPI_Comm_dup or MPI_Comm_create: one */
    uint32_t first;  /* of the communicators that it makes: by trace_write_dumpi_communicator.next */
};

struct trace_write_dumpi_communicator { /* one a communicator of the program */
    uint32_t event;                     /* that makes it, or TRACE_WRITE_DUMPI_NONE */
    uint32_t batch;     /* otherwise: which of the splits at the start, or TRACE_WRITE_DUMPI_NONE */
    uint32_t next;      /* made by the same event */
    bool used;          /* by any operation */
    bool one_sided;     /* by one-sided ones */
    bool makes_windows; /* the program itself makes a window on it */
};

struct trace_write_dumpi_plan {
    struct trace_write_dumpi_communicator *planned; /* [communicator] */
    struct trace_write_dumpi_event *events;         /* calls that make communicators */
    size_t event_count, event_capacity;             /* of events */
    struct base_table event_index;                  /* (communicator, instance) -> event */
    struct base_table order;     /* (event, rank): how many events of this rank come before it */
    struct base_table first_use; /* (communicator, rank): how many come before the first use */
    uint32_t batches;
};

/* Reads the program once. -1: it cannot be read, memory. */
int trace_write_dumpi_plan_make(struct trace_write_dumpi_plan *plan, const struct trace_writer *writer,
                                struct base_error *error);
void trace_write_dumpi_plan_free(struct trace_write_dumpi_plan *plan);
/* True for a collective that a call which makes communicators implies. */
bool trace_write_dumpi_makes_communicator(const struct trace_program *program, const struct trace_op *op);
/* True when the call that implies this operation has this name. */
bool trace_write_dumpi_is_implied_by(const struct trace_program *program, const struct trace_op *op,
                                     const char *name);
/* True when every rank is a member in the order of ranks. */
bool trace_write_dumpi_is_world(const struct trace_program *program,
                                const struct trace_communicator *communicator);

struct trace_write_dumpi_window { /* of the rank in progress */
    uint32_t communicator;
    int32_t handle; /* in the file */
};

struct trace_write_dumpi {
    struct trace_writer base; /* first */
    struct trace_write_dumpi_plan plan;
    struct dpt_writer *file; /* of the rank in progress, or NULL */
    struct dpt_record record;
    uint64_t now_ns, last_ns, base_ns;        /* the rank's clock, its last record, where its file begins */
    uint64_t duration_ns;                     /* of the record in progress */
    int32_t *handles;                         /* [communicator]: 0 when not made yet */
    int32_t next_handle, next_window;         /* of this rank */
    struct trace_write_dumpi_window *windows; /* a stack: the last of a communicator is used */
    size_t window_count, window_capacity;
    bool has_large_type, fence_waits, ended;
    /* Lists for a record. */
    int32_t *numbers[4];
    size_t number_capacity[4];
    struct dpt_receive_status *statuses;
    size_t status_capacity; /* of statuses */
    uint64_t *waiting;      /* collectives with a request that have not been written, in their order */
    size_t waiting_count, waiting_capacity;
};

/* ---- records: begin, set arguments, write */

/* The record of a call at the present time that takes as long. */
void trace_write_dumpi_begin(struct trace_write_dumpi *writer, unsigned function, uint64_t duration_ns);
void trace_write_dumpi_set(struct trace_write_dumpi *writer, enum dpt_name name, int64_t number);
void trace_write_dumpi_set_list(struct trace_write_dumpi *writer, enum dpt_name name, const int32_t *numbers,
                                uint32_t count);
int trace_write_dumpi_record(struct trace_write_dumpi *writer, struct base_error *error);
/* A buffer of `count` zeros, one of four; NULL with an error when memory is out. */
int32_t *trace_write_dumpi_numbers(struct trace_write_dumpi *writer, unsigned which, size_t count,
                                   struct base_error *error);
/* A count and a datatype that are so many bytes; types that MPI_BYTE does not reach are made before. */
int trace_write_dumpi_measure(struct trace_write_dumpi *writer, uint64_t bytes, int32_t *count,
                              int32_t *datatype, struct base_error *error);
/* The handle of a communicator; NONE with an error when the rank has none. */
int trace_write_dumpi_handle(const struct trace_write_dumpi *writer, uint32_t communicator, int32_t *handle,
                             struct base_error *error);

/* ---- communicators and windows */

/* What a rank makes at its start. */
int trace_write_dumpi_begin_communicators(struct trace_write_dumpi *writer, struct base_error *error);
/* 1 when the implied operation was written as the call that implies it, 0 when it has to be written as a call
 * of its own, -1 with an error. */
int trace_write_dumpi_implied(struct trace_write_dumpi *writer, const struct trace_op *op,
                              struct base_error *error);
/* MPI_Put or MPI_Get. */
int trace_write_dumpi_one_sided(struct trace_write_dumpi *writer, const struct trace_op *op,
                                struct base_error *error);
/* The call that ends the operations on a communicator's window. */
int trace_write_dumpi_complete_window(struct trace_write_dumpi *writer, uint32_t communicator,
                                      uint64_t duration_ns, struct base_error *error);

/* ---- collectives */

int trace_write_dumpi_collective(struct trace_write_dumpi *writer, const struct trace_op *op,
                                 struct base_error *error);

#endif
