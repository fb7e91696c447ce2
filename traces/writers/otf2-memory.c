/* The memory in which libotf2 collects what it writes.
 *
 * Of its own accord it keeps up to 128 MiB of a rank's events before it writes any. It writes them when there
 * is no further chunk to be had, so that is what it is told after a few: then the memory of a writer does not
 * grow with the program. Definitions must stay in memory until their file is closed, and get all they want.
 */
#include <stdlib.h>

#include "base/arithmetic.h"
#include "traces/writers/otf2.h"

#define EVENT_CHUNKS 4

/* Chunks of one file that have not been written yet. */
struct chunk {
    struct chunk *next; /* an older one */
    uint64_t number;    /* of those before it in the list, with this one */
    unsigned char bytes[];
};

/* *buffer is the list's head, which libotf2 keeps for us. NULL for events means "write what there is", not a
 * failure. */
static void *allocate(void *user, OTF2_FileType type, OTF2_LocationRef location, void **buffer,
                      uint64_t bytes)
{
    struct chunk *first = *buffer;
    struct chunk *chunk;

    (void)user, (void)location;
    if (type == OTF2_FILETYPE_EVENTS && first != NULL && first->number == EVENT_CHUNKS)
        return NULL;
    chunk = malloc(base_size(sizeof *chunk + bytes));
    if (chunk == NULL)
        return NULL;
    chunk->next = first;
    chunk->number = first == NULL ? 1 : first->number + 1;
    *buffer = chunk;
    return chunk->bytes;
}

/* They have been written. */
static void free_all(void *user, OTF2_FileType type, OTF2_LocationRef location, void **buffer, bool final)
{
    struct chunk *chunk = *buffer;

    (void)user, (void)type, (void)location, (void) final;
    while (chunk != NULL) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    *buffer = NULL;
}

const OTF2_MemoryCallbacks trace_write_otf2_memory = {allocate, free_all};
