/* Operations in pages. */
#include <config.h>

#include "traces/kept-stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* ---- writing ---- */

/* What comes next has its room in the page: no record and no word lies on two. */
static void make_room(struct trace_kept_writer *writer, size_t room)
{
    size_t used = (size_t)(writer->at - writer->page);

    if (used > 0 && used + room > TRACE_PAGE) {
        writer->failed |= trace_pages_add(writer->store, writer->pages, writer->page, used) != 0;
        writer->at = writer->page;
    }
}

static void write_word(struct trace_kept_writer *writer, uint64_t word)
{
    make_room(writer, TRACE_WORD_MOST);
    writer->at = trace_word_write(writer->at, word);
}

/* Each by its distance from the one before, the first from `before`. */
static void write_words(struct trace_kept_writer *writer, const uint64_t *words, size_t count,
                        uint64_t before)
{
    for (size_t i = 0; i < count; before = words[i], i++)
        write_word(writer, trace_word_fold(words[i] - before));
}

/* Either side may be missing. */
static void write_vector(struct trace_kept_writer *writer, const struct trace_vector *vector)
{
    write_word(writer, vector->size);
    write_word(writer, (vector->pairwise ? 1u : 0) | (vector->sent != NULL ? 2u : 0) |
                           (vector->received != NULL ? 4u : 0));
    if (vector->sent != NULL)
        write_words(writer, vector->sent, vector->size, 0);
    if (vector->received != NULL)
        write_words(writer, vector->received, vector->size, 0);
}

void trace_kept_begin(struct trace_kept_writer *writer, struct trace_page_store *store,
                      struct trace_pages *pages)
{
    writer->store = store;
    writer->pages = pages;
    writer->at = writer->page;
    memset(&writer->coder, 0, sizeof writer->coder);
    writer->failed = false;
}

void trace_kept_write(struct trace_kept_writer *writer, struct trace_op *op, enum trace_vector_place vector)
{
    uint64_t next = writer->coder.next_request;

    if (op->kind != TRACE_WAIT)
        op->request_count = 0;
    make_room(writer, TRACE_RECORD_MOST);
    writer->at = trace_record_write(&writer->coder, op, vector, writer->at);
    write_words(writer, op->requests, op->request_count, next);
    if (vector == TRACE_VECTOR_IN_WORDS)
        write_vector(writer, op->vector);
}

void trace_kept_end(struct trace_kept_writer *writer)
{
    make_room(writer, TRACE_PAGE); /* the rest of the page */
}

/* ---- reading ---- */

static int no_memory(struct base_error *error)
{
    return base_error_memory(error, "a stream of operations");
}

/* A page from the file is read into a room of the reader's own. */
int trace_kept_turn(struct trace_kept_reader *reader, struct base_error *error)
{
    const struct trace_page *page;

    if (reader->page == reader->pages->count)
        return 0;
    page = &reader->pages->list[reader->page++];
    if (page->bytes == NULL && reader->room == NULL && (reader->room = malloc(TRACE_PAGE)) == NULL)
        return no_memory(error);
    reader->at = trace_pages_get(reader->store, page, reader->room);
    if (reader->at == NULL)
        return base_error_system(error, errno, "the temporary file of decoded operations");
    reader->end = reader->at + page->count;
    return 1;
}

static int read_word(struct trace_kept_reader *reader, uint64_t *word, struct base_error *error)
{
    if (reader->at == reader->end && trace_kept_turn(reader, error) <= 0)
        return -1;
    reader->at = trace_word_read(reader->at, word);
    return 0;
}

/* As write_words. */
static int read_words(struct trace_kept_reader *reader, uint64_t *words, size_t count, uint64_t before,
                      struct base_error *error)
{
    for (size_t i = 0; i < count; before = words[i], i++) {
        uint64_t word;
        if (read_word(reader, &word, error) != 0)
            return -1;
        words[i] = before + trace_word_unfold(word);
    }
    return 0;
}

static int read_requests(struct trace_kept_reader *reader, struct trace_op *op, uint64_t next,
                         struct base_error *error)
{
    if (base_grow(&reader->words, &reader->words_capacity, op->request_count, sizeof *reader->words) != 0)
        return no_memory(error);
    op->requests = reader->words;
    return read_words(reader, reader->words, op->request_count, next, error);
}

static int read_vector(struct trace_kept_reader *reader, struct trace_op *op, struct base_error *error)
{
    uint64_t size, sides;
    uint64_t *words;

    if (read_word(reader, &size, error) != 0 || read_word(reader, &sides, error) != 0)
        return -1;
    if (base_grow(&reader->words, &reader->words_capacity, (size_t)size * 2 + 1, sizeof *reader->words) != 0)
        return no_memory(error);
    words = reader->words;
    reader->vector = (struct trace_vector){.size = (uint32_t)size, .pairwise = (sides & 1) != 0};
    op->vector = &reader->vector;
    if ((sides & 2) != 0) {
        reader->vector.sent = words;
        if (read_words(reader, words, (size_t)size, 0, error) != 0)
            return -1;
        words += size;
    }
    if ((sides & 4) == 0)
        return 0;
    reader->vector.received = words;
    return read_words(reader, words, (size_t)size, 0, error);
}

/* Requests, or sizes: no operation has both. */
int trace_kept_read_rest(struct trace_kept_reader *reader, struct trace_op *op, uint64_t next,
                         struct base_error *error)
{
    if (op->request_count > 0 && read_requests(reader, op, next, error) != 0)
        return -1;
    if (trace_kept_place(reader, op) != TRACE_VECTOR_IN_WORDS)
        return 1;
    return read_vector(reader, op, error) == 0 ? 1 : -1;
}

void trace_kept_reader_free(struct trace_kept_reader *reader)
{
    free(reader->room);
    free(reader->words);
}
