/* Pages of bytes that are written once, one stream after the other, and read by any number of threads: in memory up
 * to a bound, then in a temporary file.
 *
 *      stream 0    page | page | page          in memory
 *      stream 1    page | page | page          the last two in the file
 *
 * A page is never longer than TRACE_PAGE; one in memory takes what it holds. */
#ifndef TRACE_KEPT_PAGES_H
#define TRACE_KEPT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_PAGE 4096

struct trace_page {
    uint8_t *bytes; /* NULL: in the file */
    uint64_t at;    /* there */
    uint32_t count; /* of bytes */
};

/* The pages of one stream; of zeros when it has none. */
struct trace_pages {
    struct trace_page *list;
    size_t count, capacity;
};

struct trace_page_store {
    uint64_t room, memory_bytes; /* pages in memory: as much as may be, and is */
    uint64_t file_bytes;
    int file;         /* -1: there is none as yet */
    bool memory_only; /* there shall be none */
};

/* Appends a copy of the bytes. -1: there is neither memory nor a file for them. */
int trace_pages_add(struct trace_page_store *store, struct trace_pages *pages, const uint8_t *bytes,
                    size_t count);
/* The bytes of a page: its own, or read into `room` of TRACE_PAGE bytes. NULL: the file cannot be read. */
const uint8_t *trace_pages_get(const struct trace_page_store *store, const struct trace_page *page,
                               uint8_t *room);
/* The bytes of the page, which stays in the list, are not needed any more. */
void trace_page_empty(struct trace_page_store *store, struct trace_page *page);
/* Those in memory leave the store's account. */
void trace_pages_free(struct trace_page_store *store, struct trace_pages *pages);
/* Behind all its pages. The file has no name, and goes when it is closed. */
void trace_page_store_close(struct trace_page_store *store);

#endif
