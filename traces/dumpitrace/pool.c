#include <stdint.h>
#include <stdlib.h>

#include "traces/dumpitrace/pool.h"

/* Memory for one record, or for the information of a file: taken in pieces, and given back all at once.
 *
 *     chunk (8192 bytes) ─► chunk (as large as what asked for it) ─► …        the newest first
 *
 * Resetting keeps the first chunk, so that records of the usual size need no allocation. */
#define CHUNK_BYTES 8192

/* bytes are rounded up already. */
void *dumpi_pool_grow(struct dumpi_pool *pool, size_t bytes)
{
    size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    struct dumpi_chunk *chunk = malloc(sizeof *chunk + size);

    if (chunk == NULL)
        return NULL;
    *chunk = (struct dumpi_chunk){pool->chunk, size, bytes};
    pool->chunk = chunk;
    return chunk->memory;
}

/* The first chunk that was made is the one of the usual size. */
void dumpi_pool_shrink(struct dumpi_pool *pool)
{
    struct dumpi_chunk *kept = pool->chunk;

    while (kept->next != NULL || kept->size > DUMPI_POOL_KEPT_BYTES) {
        struct dumpi_chunk *next = kept->next;

        free(kept);
        kept = next;
        if (kept == NULL)
            break;
    }
    if (kept != NULL)
        kept->used = 0;
    pool->chunk = kept;
}

/* Leaves an empty pool. */
void dumpi_pool_free(struct dumpi_pool *pool)
{
    while (pool->chunk != NULL) {
        struct dumpi_chunk *next = pool->chunk->next;

        free(pool->chunk);
        pool->chunk = next;
    }
}
