/* What the writers of all formats share. A writer embeds struct trace_writer as the first member of its own
 * struct and keeps one rank's state at a time.
 *
 *      the place     a directory beside the target, in which files are written until all are complete
 *      the members   which rank in a communicator a world rank is
 *      the requests  what was started and not yet waited for, as far as the format needs it at completion
 *      the losses    a count for each line of losses.def */
#ifndef TRACE_WRITER_INTERNAL_H
#define TRACE_WRITER_INTERNAL_H

#include "base/table.h"
#include "traces/program-internal.h"
#include "traces/writers/writer.h"

enum trace_loss_kind {
#define TRACE_LOSS(symbol, kind, sentence) TRACE_LOSS_##symbol,
#include "traces/writers/losses.def"
#undef TRACE_LOSS
    TRACE_LOSSES
};

/* Where files are made: `directory` is where they end, `working` a new directory in it, `stem` the name that
 * they share. All are owned; a zeroed place is an empty one. */
struct trace_place {
    char *directory, *working, *stem;
    /* Of the working directory, where there is one: by it a process that ends finds what is unfinished. */
    int descriptor;
    const char *suffix; /* of the file that stands for the whole, borrowed: ".otf2" */
};

/* Splits path into directory and stem, dropping `suffix` from its end; makes the working directory. -1 with a
 * sentence: stem + suffix exists, the directory cannot be written to, no memory. */
int trace_place_open(struct trace_place *place, const char *path, const char *suffix,
                     struct base_error *error);
/* Moves everything from the working directory to where it belongs, the file with the suffix last. All or
 * nothing: an existing target is refused, what was moved before a failure is removed. Call
 * trace_place_abandon afterwards in any case. */
int trace_place_finish(struct trace_place *place, struct base_error *error);
/* Removes the working directory with all that is in it, and frees the names. */
void trace_place_abandon(struct trace_place *place);
/* "working/stem" + ending, allocated; NULL with an error when memory is out. */
char *trace_place_path(const struct trace_place *place, const char *ending, struct base_error *error);

/* An operation that a later wait completes. */
struct trace_open_request {
    struct trace_op op;      /* without its pointers */
    uint64_t sent, received; /* of a collective: this rank's totals */
    uint64_t number;         /* the format's own name of the request */
    uint64_t *sizes;         /* of trace_open_request_keep_vector, owned; else NULL */
    struct trace_vector vector;
    uint32_t next; /* in the list of free entries */
};

struct trace_open_requests { /* of one rank; a zeroed struct is empty */
    struct base_table index; /* request -> entry */
    struct trace_open_request *all;
    size_t count, capacity; /* entries of `all`, free ones included */
    uint32_t free_first;    /* entry + 1; 0: none */
};

/* Adds a request under op->request. NULL: memory. Valid until the next one is added. */
struct trace_open_request *trace_open_requests_add(struct trace_open_requests *requests,
                                                   const struct trace_op *op);
/* The open request of this number, or NULL when it was completed before. */
struct trace_open_request *trace_open_requests_find(struct trace_open_requests *requests, uint64_t request);
/* Keeps a copy of op's vector, if it has one, until the request is removed: trace_open_request_op gives it
 * back. 0, or -1: memory. */
int trace_open_request_keep_vector(struct trace_open_request *request, const struct trace_op *op);
/* What the request was started with. Its vector is valid as long as the request, and no other is added. */
struct trace_op trace_open_request_op(const struct trace_open_request *request);
void trace_open_requests_remove(struct trace_open_requests *requests, uint64_t request);
/* Those that are still open, in the order of their numbers: *list is allocated. 0, or -1: memory. */
int trace_open_requests_list(const struct trace_open_requests *requests, uint64_t **list, size_t *count);
void trace_open_requests_clear(struct trace_open_requests *requests);

struct trace_writer {
    const struct trace_program *program; /* that is written; borrowed */
    uint32_t rank;                       /* whose operations come */
    struct trace_place place;
    struct base_table members; /* (communicator, world rank) -> position in members, then remote members */
    struct trace_open_requests requests;
    uint64_t counts[TRACE_LOSSES];          /* [kind]: operations that the format cannot say */
    struct trace_loss losses[TRACE_LOSSES]; /* those that occurred, made by trace_writer_losses */
};

/* Fills the base; -1: memory. trace_writer_free undoes it, abandons the place, and frees the writer itself.
 */
int trace_writer_init(struct trace_writer *writer, const char *path, const char *suffix,
                      const struct trace_program *program, struct base_error *error);
void trace_writer_free(struct trace_writer *writer);
void trace_writer_lose(struct trace_writer *writer, enum trace_loss_kind kind);
/* For a descriptor's `losses`. */
const struct trace_loss *trace_writer_losses(const struct trace_writer *writer, size_t *count);

/* A member as MPI counts it: its rank in its own group. remote: it is in the other group than the rank whose
 * operations are written. UINT32_MAX: no member. */
uint32_t trace_writer_member(const struct trace_writer *writer, uint32_t communicator, uint32_t world,
                             bool *remote);
/* The tag of a message as MPI has tags: without the highest bit, which GOAL's may have. TRACE_ANY_TAG stays.
 */
uint32_t trace_writer_tag(struct trace_writer *writer, const struct trace_op *op);
/* The totals of a collective as this rank has them, in the plain convention: what the arguments of its call
 * amount to, over all peers where the sizes differ. */
void trace_writer_totals(const struct trace_writer *writer, const struct trace_op *op, uint64_t *sent,
                         uint64_t *received);
/* The sizes of such a collective: its own, or those that the program knows by its instance. May be NULL. */
const struct trace_vector *trace_writer_vector(const struct trace_writer *writer, const struct trace_op *op);

#endif
