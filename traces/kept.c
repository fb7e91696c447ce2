/* A program that is decoded once.
 *
 * What the survey has not drafted is decoded when the first stream is asked for, all ranks of it, since whoever asks
 * for one asks for all: a graph, a window, a replay. An error of the reader is then that stream's, with its position,
 * as it would have been that of a stream that came to it. */
#include <config.h>

#include "traces/kept.h"

#include <pthread.h>
#include <stdlib.h>

#include "traces/draft.h"
#include "traces/program-internal.h"

enum state {
    UNREAD,   /* no stream has been asked for */
    COMPLETE, /* streams come from the pages, and may be read by several threads at the same time */
    STREAMING /* there was no place for pages: streams are the reader's */
};

struct kept {
    struct trace_program base; /* first */
    struct trace_program_class class;
    struct trace_program *inner; /* owned */
    enum state state;
    struct trace_draft *draft; /* owned: what streams come from once it is complete */
    bool is_drafted;           /* some of it may be there */
    uint32_t decoded;          /* ranks by streams of the reader */
    pthread_mutex_t callers;   /* the reader's files are read by one thread at a time */
};

/* ---- writing ---- */

/* Sizes that the program has anyway are not written once more for each member. */
static enum trace_vector_place find_vector(const struct kept *kept, const struct trace_op *op)
{
    if (op->kind != TRACE_COLLECTIVE_CALL || op->vector == NULL)
        return TRACE_VECTOR_NONE;
    return op->vector == trace_program_vector(kept->inner, op->communicator, op->instance)
               ? TRACE_VECTOR_OF_PROGRAM
               : TRACE_VECTOR_IN_WORDS;
}

/* One rank from its start to its end. 1: it has been kept; 0: there was no place for it; -1: the reader's error. */
static int keep_rank(struct kept *kept, uint32_t rank, struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(kept->inner, rank, error);
    bool has_room = trace_draft_begin(kept->draft, rank);
    struct trace_op op;
    int more = cursor == NULL ? -1 : 1;

    while (more > 0 && has_room && (more = kept->inner->class->cursor_next(cursor, &op, error)) > 0)
        has_room = trace_draft_add(kept->draft, &op, find_vector(kept, &op));
    trace_draft_end(kept->draft);
    trace_cursor_free(cursor);
    kept->decoded++;
    return more < 0 ? -1 : trace_draft_has(kept->draft, rank);
}

/* Ranks that the survey has drafted are there. Without memory, too, there are the reader's streams. What failed half
 * way is tried again by the next stream, which has the same error. */
static int keep_all(struct kept *kept, struct base_error *error)
{
    int there = 1;

    if (!kept->is_drafted)
        trace_draft_clear(kept->draft, kept->base.ranks);
    kept->is_drafted = true;
    trace_draft_spill(kept->draft, true);
    for (uint32_t rank = 0; rank < kept->base.ranks && there > 0; rank++)
        if (!trace_draft_has(kept->draft, rank))
            there = keep_rank(kept, rank, error);
    kept->state = there > 0 ? COMPLETE : there == 0 ? STREAMING : UNREAD;
    if (there <= 0) {
        trace_draft_clear(kept->draft, 0);
        kept->is_drafted = false;
    }
    return there < 0 ? -1 : 0;
}

/* ---- reading ---- */

struct kept_cursor {
    struct trace_cursor base; /* first */
    const struct kept *kept;
    struct trace_cursor *inner; /* that is this; NULL: it is read from the pages */
    struct trace_kept_reader reader;
};

static struct trace_cursor *cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct kept *kept = (struct kept *)program;
    struct kept_cursor *cursor;

    if (kept->state == UNREAD && keep_all(kept, error) != 0)
        return NULL;
    cursor = calloc(1, sizeof *cursor);
    if (cursor == NULL) {
        base_error_memory(error, "a stream of operations");
        return NULL;
    }
    cursor->kept = kept;
    if (kept->state == COMPLETE) {
        cursor->reader = trace_draft_reader(kept->draft, rank);
        return &cursor->base;
    }
    cursor->inner = trace_cursor_new(kept->inner, rank, error);
    if (cursor->inner != NULL)
        return &cursor->base;
    free(cursor);
    return NULL;
}

static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    struct kept_cursor *cursor = (struct kept_cursor *)base;
    int more;

    if (cursor->inner != NULL)
        return cursor->inner->class->cursor_next(cursor->inner, op, error);
    more = trace_kept_read(&cursor->reader, op, error);
    if (more > 0 && op->kind == TRACE_COLLECTIVE_CALL &&
        trace_kept_place(&cursor->reader, op) == TRACE_VECTOR_OF_PROGRAM)
        op->vector = trace_program_vector(cursor->kept->inner, op->communicator, op->instance);
    return more;
}

static void cursor_free(struct trace_cursor *base)
{
    struct kept_cursor *cursor = (struct kept_cursor *)base;

    trace_cursor_free(cursor->inner);
    trace_kept_reader_free(&cursor->reader);
    free(cursor);
}

/* ---- the program ---- */

static const struct trace_vector *vector(const struct trace_program *program, uint32_t communicator,
                                         uint64_t instance)
{
    return trace_program_vector(((const struct kept *)program)->inner, communicator, instance);
}

static void close_kept(struct trace_program *program)
{
    struct kept *kept = (struct kept *)program;

    trace_draft_free(kept->draft);
    trace_close(kept->inner);
    pthread_mutex_destroy(&kept->callers);
    free(kept);
}

static void rest(struct trace_program *program)
{
    trace_program_rest(((struct kept *)program)->inner);
}

static int share(struct trace_program *program, struct base_error *error)
{
    struct kept *kept = (struct kept *)program;

    if (kept->state == UNREAD && keep_all(kept, error) != 0)
        return -1;
    return kept->state == COMPLETE;
}

static struct trace_kept_size kept_size(const struct trace_program *program)
{
    const struct kept *kept = (const struct kept *)program;
    struct trace_draft_size size = trace_draft_size(kept->draft);

    return (struct trace_kept_size){size.operations, size.memory_bytes, size.file_bytes, kept->decoded};
}

static const struct trace_program_class class = {
    .cursor_new = cursor_new,
    .cursor_next = cursor_next,
    .cursor_free = cursor_free,
    .vector = vector,
    .close = close_kept,
    .share = share,
    .rest = rest,
    .kept_size = kept_size,
};

static int find_callers(struct trace_program *program, struct trace_caller *callers, size_t count,
                        struct base_error *error)
{
    struct kept *kept = (struct kept *)program;
    int status;

    pthread_mutex_lock(&kept->callers);
    status = trace_program_find_callers(kept->inner, callers, count, error);
    pthread_mutex_unlock(&kept->callers);
    return status;
}

static int find_entries(struct trace_program *program, uint32_t rank, struct trace_entry *entries,
                        size_t count, struct base_error *error)
{
    struct kept *kept = (struct kept *)program;
    int status;

    pthread_mutex_lock(&kept->callers);
    status = trace_program_find_entries(kept->inner, rank, entries, count, error);
    pthread_mutex_unlock(&kept->callers);
    return status;
}

static int visit_files(const struct trace_program *program, trace_file_visit *visit, void *context,
                       struct base_error *error)
{
    const struct trace_program *inner = ((const struct kept *)program)->inner;

    return inner->visit_files(inner, visit, context, error);
}

/* The head is copied, as a window's is: what does not come from streams is answered as before. */
static void copy_head(struct kept *kept, struct trace_program *program)
{
    kept->base = *program;
    kept->class = class;
    kept->class.sets_vectors = program->class->sets_vectors;
    kept->base.class = &kept->class;
    if (program->visit_files != NULL)
        kept->base.visit_files = visit_files;
    if (program->find_callers != NULL)
        kept->base.find_callers = find_callers;
    if (program->find_entries != NULL)
        kept->base.find_entries = find_entries;
    kept->inner = program;
}

struct trace_program *trace_keep_drafted(struct trace_program *program, struct trace_draft *draft,
                                         struct base_error *error)
{
    struct kept *kept;

    if (program == NULL || program->class->share != NULL) {
        trace_draft_free(draft);
        return program;
    }
    kept = calloc(1, sizeof *kept);
    if (draft == NULL || kept == NULL || pthread_mutex_init(&kept->callers, NULL) != 0) {
        free(kept);
        trace_draft_free(draft);
        trace_close(program);
        base_error_memory(error, "a program");
        return NULL;
    }
    copy_head(kept, program);
    kept->draft = draft;
    kept->is_drafted = trace_draft_is_begun(draft, program->ranks);
    return &kept->base;
}

struct trace_program *trace_keep(struct trace_program *program, uint64_t room_bytes, struct base_error *error)
{
    return trace_keep_drafted(program, trace_draft_new(room_bytes), error);
}

struct trace_kept_size trace_kept_size(const struct trace_program *program)
{
    struct trace_kept_size nothing = {0};

    return program->class->kept_size == NULL ? nothing : program->class->kept_size(program);
}
