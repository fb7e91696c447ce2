/* Where pages stay. */
#include <config.h>

#include "traces/kept-pages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"

/* Not in /tmp, which is memory on many machines. -1: it cannot be made. */
static int open_file(void)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    int file;

    if (directory == NULL || *directory == '\0')
        directory = "/var/tmp";
    if ((size_t)snprintf(path, sizeof path, "%s/flitreplay-XXXXXX", directory) >= sizeof path)
        return -1;
    file = mkstemp(path);
    if (file >= 0)
        unlink(path);
    return file;
}

static int write_all(int file, const uint8_t *bytes, size_t count, uint64_t at)
{
    while (count > 0) {
        ssize_t done = pwrite(file, bytes, count, (off_t)at);
        if (done < 0 && errno != EINTR)
            return -1;
        if (done > 0) {
            bytes += done;
            at += (uint64_t)done;
            count -= (size_t)done;
        }
    }
    return 0;
}

/* Pages in the file follow each other. */
static int add_to_file(struct trace_page_store *store, struct trace_page *page, const uint8_t *bytes)
{
    if (store->file < 0)
        store->file = open_file();
    if (store->file < 0 || write_all(store->file, bytes, page->count, store->file_bytes) != 0)
        return -1;
    page->at = store->file_bytes;
    store->file_bytes += page->count;
    return 0;
}

int trace_pages_add(struct trace_page_store *store, struct trace_pages *pages, const uint8_t *bytes,
                    size_t count)
{
    struct trace_page page = {.count = (uint32_t)count};

    if (base_grow(&pages->list, &pages->capacity, pages->count + 1, sizeof *pages->list) != 0)
        return -1;
    if (store->memory_bytes + count <= store->room)
        page.bytes = malloc(count);
    if (page.bytes == NULL) {
        if (store->memory_only || add_to_file(store, &page, bytes) != 0)
            return -1;
    } else {
        memcpy(page.bytes, bytes, count);
        store->memory_bytes += count;
    }
    pages->list[pages->count++] = page;
    return 0;
}

const uint8_t *trace_pages_get(const struct trace_page_store *store, const struct trace_page *page,
                               uint8_t *room)
{
    size_t got = 0;

    if (page->bytes != NULL)
        return page->bytes;
    while (got < page->count) {
        ssize_t more = pread(store->file, room + got, page->count - got, (off_t)(page->at + got));
        if (more == 0 || (more < 0 && errno != EINTR))
            return NULL;
        got += more > 0 ? (size_t)more : 0;
    }
    return room;
}

/* One of the file leaves a hole there. */
void trace_page_empty(struct trace_page_store *store, struct trace_page *page)
{
    if (page->bytes != NULL)
        store->memory_bytes -= page->count;
    free(page->bytes);
    page->bytes = NULL;
    page->count = 0;
}

void trace_pages_free(struct trace_page_store *store, struct trace_pages *pages)
{
    for (size_t i = 0; i < pages->count; i++)
        trace_page_empty(store, &pages->list[i]);
    free(pages->list);
    *pages = (struct trace_pages){0};
}

void trace_page_store_close(struct trace_page_store *store)
{
    if (store->file >= 0)
        close(store->file);
    store->file = -1;
}
