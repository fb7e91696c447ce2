/* A program that is decoded once.
 *
 * All ranks are decoded when the first stream is asked for, since whoever asks for one asks for all: a graph, a window,
 * a replay. An error of the reader is then that stream's, with its position, as it would have been that of a stream
 * that came to it. */
#include <config.h>

#include "traces/kept.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "traces/kept-code.h"
#include "traces/kept-pages.h"
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
    struct trace_page_store store;
    struct trace_pages *pages; /* [rank] */
    uint64_t operations;
    pthread_mutex_t callers; /* the reader's files are read by one thread at a time */
};

/* ---- writing ---- */

struct writer {
    struct kept *kept;
    struct trace_pages *pages; /* of the rank */
    uint8_t page[TRACE_PAGE];
    uint8_t *at; /* in the page */
    struct trace_coder coder;
    bool failed; /* there is no place for pages */
};

/* What comes next has its room in the page: no record and no word lies on two. */
static void make_room(struct writer *writer, size_t room)
{
    size_t used = (size_t)(writer->at - writer->page);

    if (used > 0 && used + room > TRACE_PAGE) {
        writer->failed |= trace_pages_add(&writer->kept->store, writer->pages, writer->page, used) != 0;
        writer->at = writer->page;
    }
}

static void write_word(struct writer *writer, uint64_t word)
{
    make_room(writer, TRACE_WORD_MOST);
    writer->at = trace_word_write(writer->at, word);
}

/* Each by its distance from the one before, the first from `before`. */
static void write_words(struct writer *writer, const uint64_t *words, size_t count, uint64_t before)
{
    for (size_t i = 0; i < count; before = words[i], i++)
        write_word(writer, trace_word_fold(words[i] - before));
}

/* Either side may be missing. */
static void write_vector(struct writer *writer, const struct trace_vector *vector)
{
    write_word(writer, vector->size);
    write_word(writer, (vector->pairwise ? 1u : 0) | (vector->sent != NULL ? 2u : 0) |
                           (vector->received != NULL ? 4u : 0));
    if (vector->sent != NULL)
        write_words(writer, vector->sent, vector->size, 0);
    if (vector->received != NULL)
        write_words(writer, vector->received, vector->size, 0);
}

/* Sizes that the program has anyway are not written once more for each member. */
static enum trace_vector_place find_vector(const struct kept *kept, const struct trace_op *op)
{
    if (op->kind != TRACE_COLLECTIVE_CALL || op->vector == NULL)
        return TRACE_VECTOR_NONE;
    return op->vector == trace_program_vector(kept->inner, op->communicator, op->instance)
               ? TRACE_VECTOR_OF_PROGRAM
               : TRACE_VECTOR_IN_WORDS;
}

static void write_op(struct writer *writer, struct trace_op *op)
{
    enum trace_vector_place vector = find_vector(writer->kept, op);
    uint64_t next = writer->coder.next_request;

    if (op->kind != TRACE_WAIT)
        op->request_count = 0;
    make_room(writer, TRACE_RECORD_MOST);
    writer->at = trace_record_write(&writer->coder, op, vector, writer->at);
    write_words(writer, op->requests, op->request_count, next);
    if (vector == TRACE_VECTOR_IN_WORDS)
        write_vector(writer, op->vector);
    writer->kept->operations++;
}

/* One rank from its start to its end. -1: the reader's error. */
static int keep_rank(struct writer *writer, uint32_t rank, struct base_error *error)
{
    struct trace_program *inner = writer->kept->inner;
    struct trace_cursor *cursor = trace_cursor_new(inner, rank, error);
    struct trace_op op;
    int more = cursor == NULL ? -1 : 1;

    memset(&writer->coder, 0, sizeof writer->coder);
    writer->pages = &writer->kept->pages[rank];
    writer->at = writer->page;
    while (more > 0 && !writer->failed && (more = inner->class->cursor_next(cursor, &op, error)) > 0)
        write_op(writer, &op);
    make_room(writer, TRACE_PAGE); /* the rest of the page */
    trace_cursor_free(cursor);
    return more < 0 ? -1 : 0;
}

static void free_pages(struct kept *kept)
{
    for (uint32_t rank = 0; kept->pages != NULL && rank < kept->base.ranks; rank++)
        trace_pages_free(&kept->pages[rank]);
    free(kept->pages);
    kept->pages = NULL;
    trace_page_store_close(&kept->store);
    kept->store.memory_bytes = kept->store.file_bytes = 0;
}

/* Without memory, too, there are the reader's streams. What failed half way is tried again by the next stream, which
 * has the same error. */
static int keep_all(struct kept *kept, struct base_error *error)
{
    struct writer *writer = calloc(1, sizeof *writer);
    int status = 0;

    kept->pages = calloc((size_t)kept->base.ranks + 1, sizeof *kept->pages);
    kept->operations = 0;
    if (writer == NULL || kept->pages == NULL) {
        free(writer);
        free_pages(kept);
        kept->state = STREAMING;
        return 0;
    }
    writer->kept = kept;
    for (uint32_t rank = 0; rank < kept->base.ranks && status == 0 && !writer->failed; rank++)
        status = keep_rank(writer, rank, error);
    kept->state = writer->failed ? STREAMING : COMPLETE;
    if (status != 0)
        kept->state = UNREAD;
    if (kept->state != COMPLETE)
        free_pages(kept);
    free(writer);
    return status;
}

/* ---- reading ---- */

struct kept_cursor {
    struct trace_cursor base; /* first */
    const struct kept *kept;
    const struct trace_pages *pages; /* of the rank; NULL: the stream is the reader's */
    struct trace_cursor *inner;      /* that is this */
    const uint8_t *at, *end;         /* in the page */
    size_t page;                     /* that comes next */
    uint8_t *room;                   /* for one from the file */
    uint64_t *words;                 /* of the operation in hand */
    size_t words_capacity;
    struct trace_vector vector;
    struct trace_coder coder;
};

static int no_memory(struct base_error *error)
{
    return base_error_memory(error, "a stream of operations");
}

static struct trace_cursor *cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct kept *kept = (struct kept *)program;
    struct kept_cursor *cursor;

    if (kept->state == UNREAD && keep_all(kept, error) != 0)
        return NULL;
    cursor = calloc(1, sizeof *cursor);
    if (cursor == NULL) {
        no_memory(error);
        return NULL;
    }
    cursor->kept = kept;
    if (kept->state == COMPLETE) {
        cursor->pages = &kept->pages[rank];
        return &cursor->base;
    }
    cursor->inner = trace_cursor_new(kept->inner, rank, error);
    if (cursor->inner != NULL)
        return &cursor->base;
    free(cursor);
    return NULL;
}

/* 1: there is another page; 0: the stream is over. */
static int turn_page(struct kept_cursor *cursor, struct base_error *error)
{
    const struct trace_page *page;

    if (cursor->page == cursor->pages->count)
        return 0;
    page = &cursor->pages->list[cursor->page++];
    if (page->bytes == NULL && cursor->room == NULL && (cursor->room = malloc(TRACE_PAGE)) == NULL)
        return no_memory(error);
    cursor->at = trace_pages_get(&cursor->kept->store, page, cursor->room);
    if (cursor->at == NULL)
        return base_error_system(error, errno, "the temporary file of decoded operations");
    cursor->end = cursor->at + page->count;
    return 1;
}

static int read_word(struct kept_cursor *cursor, uint64_t *word, struct base_error *error)
{
    if (cursor->at == cursor->end && turn_page(cursor, error) <= 0)
        return -1;
    cursor->at = trace_word_read(cursor->at, word);
    return 0;
}

/* As write_words. */
static int read_words(struct kept_cursor *cursor, uint64_t *words, size_t count, uint64_t before,
                      struct base_error *error)
{
    for (size_t i = 0; i < count; before = words[i], i++) {
        uint64_t word;
        if (read_word(cursor, &word, error) != 0)
            return -1;
        words[i] = before + trace_word_unfold(word);
    }
    return 0;
}

static int read_requests(struct kept_cursor *cursor, struct trace_op *op, uint64_t next,
                         struct base_error *error)
{
    if (base_grow(&cursor->words, &cursor->words_capacity, op->request_count, sizeof *cursor->words) != 0)
        return no_memory(error);
    op->requests = cursor->words;
    return read_words(cursor, cursor->words, op->request_count, next, error);
}

static int read_vector(struct kept_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    uint64_t size, sides;
    uint64_t *words;

    if (read_word(cursor, &size, error) != 0 || read_word(cursor, &sides, error) != 0)
        return -1;
    if (base_grow(&cursor->words, &cursor->words_capacity, (size_t)size * 2 + 1, sizeof *cursor->words) != 0)
        return no_memory(error);
    words = cursor->words;
    cursor->vector = (struct trace_vector){.size = (uint32_t)size, .pairwise = (sides & 1) != 0};
    op->vector = &cursor->vector;
    if ((sides & 2) != 0) {
        cursor->vector.sent = words;
        if (read_words(cursor, words, (size_t)size, 0, error) != 0)
            return -1;
        words += size;
    }
    if ((sides & 4) == 0)
        return 0;
    cursor->vector.received = words;
    return read_words(cursor, words, (size_t)size, 0, error);
}

/* What an operation points to. */
static int read_rest(struct kept_cursor *cursor, struct trace_op *op, uint64_t next, struct base_error *error)
{
    if (op->request_count > 0 && read_requests(cursor, op, next, error) != 0)
        return -1;
    switch ((enum trace_vector_place)cursor->coder.vector[op->kind]) {
    case TRACE_VECTOR_OF_PROGRAM:
        op->vector = trace_program_vector(cursor->kept->inner, op->communicator, op->instance);
        return 1;
    case TRACE_VECTOR_IN_WORDS:
        return read_vector(cursor, op, error) == 0 ? 1 : -1;
    default:
        return 1;
    }
}

static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    struct kept_cursor *cursor = (struct kept_cursor *)base;
    uint64_t next = cursor->coder.next_request;

    if (cursor->inner != NULL)
        return cursor->inner->class->cursor_next(cursor->inner, op, error);
    if (cursor->at == cursor->end) {
        int more = turn_page(cursor, error);
        if (more <= 0)
            return more;
    }
    cursor->at = trace_record_read(&cursor->coder, op, cursor->at);
    return op->request_count > 0 || op->kind == TRACE_COLLECTIVE_CALL ? read_rest(cursor, op, next, error)
                                                                      : 1;
}

static void cursor_free(struct trace_cursor *base)
{
    struct kept_cursor *cursor = (struct kept_cursor *)base;

    trace_cursor_free(cursor->inner);
    free(cursor->room);
    free(cursor->words);
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

    free_pages(kept);
    trace_close(kept->inner);
    pthread_mutex_destroy(&kept->callers);
    free(kept);
}

static int share(struct trace_program *program, struct base_error *error)
{
    struct kept *kept = (struct kept *)program;

    if (kept->state == UNREAD && keep_all(kept, error) != 0)
        return -1;
    return kept->state == COMPLETE;
}

static const struct trace_program_class class = {
    .cursor_new = cursor_new,
    .cursor_next = cursor_next,
    .cursor_free = cursor_free,
    .vector = vector,
    .close = close_kept,
    .share = share,
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
struct trace_program *trace_keep(struct trace_program *program, uint64_t room_bytes, struct base_error *error)
{
    struct kept *kept;

    if (program == NULL || program->class->share != NULL)
        return program;
    kept = calloc(1, sizeof *kept);
    if (kept == NULL || pthread_mutex_init(&kept->callers, NULL) != 0) {
        free(kept);
        trace_close(program);
        base_error_memory(error, "a program");
        return NULL;
    }
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
    kept->store = (struct trace_page_store){.room = room_bytes, .file = -1};
    return &kept->base;
}

struct trace_kept_size trace_kept_size(const struct trace_program *program)
{
    const struct kept *kept = (const struct kept *)program;

    if (program->class->cursor_new != cursor_new)
        return (struct trace_kept_size){0};
    return (struct trace_kept_size){kept->operations, kept->store.memory_bytes, kept->store.file_bytes};
}
