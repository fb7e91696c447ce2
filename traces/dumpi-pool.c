#include <stdint.h>
#include <stdlib.h>

#include "traces/dumpi-pool.h"

#define CHUNK_BYTES 8192
#define KEPT_BYTES (1 << 20) /* a chunk for an uncommonly large record is not kept */

struct dumpi_chunk {
    struct dumpi_chunk *next;
    size_t size, used;
    max_align_t memory[];
};

void *dumpi_pool_get(struct dumpi_pool *pool, size_t bytes)
{
    struct dumpi_chunk *chunk = pool->chunk;
    size_t size;

    if (bytes > SIZE_MAX / 4)
        return NULL;
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (chunk == NULL || chunk->size - chunk->used < bytes) {
        size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + size);
        if (chunk == NULL)
            return NULL;
        *chunk = (struct dumpi_chunk){pool->chunk, size, 0};
        pool->chunk = chunk;
    }
    chunk->used += bytes;
    return (char *)chunk->memory + chunk->used - bytes;
}

void dumpi_pool_reset(struct dumpi_pool *pool)
{
    struct dumpi_chunk *kept = pool->chunk;

    if (kept == NULL)
        return;
    while (kept->next != NULL || kept->size > KEPT_BYTES) {
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

void dumpi_pool_free(struct dumpi_pool *pool)
{
    while (pool->chunk != NULL) {
        struct dumpi_chunk *next = pool->chunk->next;

        free(pool->chunk);
        pool->chunk = next;
    }
}
