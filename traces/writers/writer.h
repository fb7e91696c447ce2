/* Programs as trace files. A writer takes the operations of one rank after the other, so that neither memory
 * nor open files grow with the length of the trace or the number of ranks.
 *
 *      writer = format->open(path, program, &options, error);
 *      for every rank: format->rank(writer, rank, error), format->add(writer, op, error) …
 *      format->finish(writer, …);               only now is there something at path
 *
 * trace_write does all of that with a program's own cursors. */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include <stdatomic.h>

#include "traces/program.h"

struct trace_writer;

/* What the format could not say and left out or wrote differently: a row a kind. */
struct trace_loss {
    const char *kind; /* a stable lower-case-hyphen name: "call-names", "per-pair-sizes" */
    const char *text; /* one sentence */
    uint64_t count;   /* operations concerned */
};

/* Values that belong to no rank, each of which holds from its time until the next (OTF2 alone, up to 255 of them). */
struct trace_writer_metric {
    const char *name, *unit, *description; /* neighbours may share the last two, by their pointers */
    bool accumulates;                      /* each value is the sum of all until its time, not of a time */
};
struct trace_writer_metrics {
    const char *place;                         /* whose they are: "network" */
    const struct trace_writer_metric *metrics; /* [count] */
    const uint64_t *times_ns;                  /* [samples], not falling */
    const double *values;                      /* [samples][count] */
    uint32_t count, samples;
};

/* Ranks that belong together, such as those of a job: from that rank, and that communicator, to the next group's. */
struct trace_writer_group {
    const char *name; /* "job 1: cg.S.16" */
    uint32_t first_rank, first_communicator;
};

struct trace_writer_options {
    const char *creator;                        /* who writes: "flitreplay 0.2"; NULL: no name */
    bool from_zero;                             /* all clocks begin at 0, not at the ranks' origins (OTF2) */
    const struct trace_writer_metrics *metrics; /* borrowed until the writer ends; NULL: none */
    const struct trace_writer_group *groups;    /* [group_count], likewise (OTF2); NULL: no groups */
    uint32_t group_count;
    const atomic_bool
        *stop; /* once true, writing ends with BASE_INTERRUPTED and nothing is left; may be NULL */
    /* Called now and then with the share of ranks done, in thousandths; may be NULL. */
    void (*progress)(void *context, uint32_t thousandths);
    void *progress_context; /* handed to progress */
};

/* One format that can be written. Listed in writers.def; trace_writers gives all. */
struct trace_writer_format {
    const char *name;    /* "otf2", "dumpi", "goal" */
    const char *summary; /* a line of help: what stands at the path */
    const char *suffix;  /* which path means this format when none is named: ".otf2", ".meta", ".goal" */
    /* The functions get the writer that `open` made. */
    struct trace_writer *(*open)(const char *path, const struct trace_program *program,
                                 const struct trace_writer_options *options, struct base_error *error);
    int (*rank)(struct trace_writer *writer, uint32_t rank, struct base_error *error);
    int (*add)(struct trace_writer *writer, const struct trace_op *op, struct base_error *error);
    /* Both free the writer. finish puts the files where they belong; abandon leaves nothing behind. */
    int (*finish)(struct trace_writer *writer, struct base_error *error);
    void (*abandon)(struct trace_writer *writer);
    /* Valid until finish or abandon. */
    const struct trace_loss *(*losses)(const struct trace_writer *writer, size_t *count);
};

const struct trace_writer_format *const *trace_writers(size_t *count);
/* By name, or if name is NULL by the path's suffix. NULL: unknown, with the nearest match and the list
 * (BASE_USAGE). */
const struct trace_writer_format *trace_writer_find(const char *name, const char *path,
                                                    struct base_error *error);

/* Gets the losses while they are there. */
typedef void trace_loss_sink(void *context, const struct trace_loss *losses, size_t count);

/* Writes a whole program: communicators, names of calls, operations with their times (the clock of a rank
 * advances by compute operations and by the recorded duration of calls). 0; -1: the program cannot be read,
 * a path that exists or cannot be written, a full disk, no memory: nothing is left at path. sink may be
 * NULL. */
int trace_write(struct trace_program *program, const struct trace_writer_format *format, const char *path,
                const struct trace_writer_options *options, trace_loss_sink *sink, void *context,
                struct base_error *error);

#endif
