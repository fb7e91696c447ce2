/* The operations of one rank in pages (traces/kept-pages.h): written once, from the first to the last, and read any
 * number of times.
 *
 *      trace_kept_begin ─► trace_kept_write, … ─► trace_kept_end        pages | pages | pages
 *                                                 trace_kept_read, …  ◄─┘ */
#ifndef TRACE_KEPT_STREAM_H
#define TRACE_KEPT_STREAM_H

#include "traces/kept-code.h"
#include "traces/kept-pages.h"

struct trace_kept_writer {
    struct trace_page_store *store;
    struct trace_pages *pages; /* of the rank */
    uint8_t page[TRACE_PAGE];
    uint8_t *at; /* in the page */
    struct trace_coder coder;
    bool failed; /* there is no place for pages: what is written from here on is lost */
};

void trace_kept_begin(struct trace_kept_writer *writer, struct trace_page_store *store,
                      struct trace_pages *pages);
/* Sizes of TRACE_VECTOR_OF_PROGRAM are not written: the program has them anyway. What is no wait has no requests
 * afterwards. */
void trace_kept_write(struct trace_kept_writer *writer, struct trace_op *op, enum trace_vector_place vector);
/* Behind the last operation. */
void trace_kept_end(struct trace_kept_writer *writer);

/* Of zeros but for the store and the pages before the first operation. */
struct trace_kept_reader {
    const struct trace_page_store *store;
    const struct trace_pages *pages; /* of the rank */
    const uint8_t *at, *end;         /* in the page */
    size_t page;                     /* that comes next */
    uint8_t *room;                   /* for one from the file */
    uint64_t *words;                 /* of the operation in hand */
    size_t words_capacity;
    struct trace_vector vector;
    struct trace_coder coder;
};

/* For trace_kept_read. 1: there is another page; 0: the stream is over; -1: error. */
int trace_kept_turn(struct trace_kept_reader *reader, struct base_error *error);
/* Likewise: what an operation points to, where requests are told by their distance from `next`. 1, or -1: error. */
int trace_kept_read_rest(struct trace_kept_reader *reader, struct trace_op *op, uint64_t next,
                         struct base_error *error);

/* 1: *op is filled, but for a vector of the program, which the caller looks up (trace_kept_place); 0: the stream is
 * over; -1: error. What the operation points to is valid until the next call. Here, since every replay calls it for
 * every operation. */
static inline int trace_kept_read(struct trace_kept_reader *reader, struct trace_op *op,
                                  struct base_error *error)
{
    uint64_t next = reader->coder.next_request;

    if (reader->at == reader->end) {
        int more = trace_kept_turn(reader, error);
        if (more <= 0)
            return more;
    }
    reader->at = trace_record_read(&reader->coder, op, reader->at);
    return op->request_count > 0 || op->kind == TRACE_COLLECTIVE_CALL
               ? trace_kept_read_rest(reader, op, next, error)
               : 1;
}

/* Frees what the reader owns, not the pages. */
void trace_kept_reader_free(struct trace_kept_reader *reader);

/* Where the sizes are of the operation that was read last. */
static inline enum trace_vector_place trace_kept_place(const struct trace_kept_reader *reader,
                                                       const struct trace_op *op)
{
    return op->kind == TRACE_COLLECTIVE_CALL ? (enum trace_vector_place)reader->coder.vector[op->kind]
                                             : TRACE_VECTOR_NONE;
}

#endif
