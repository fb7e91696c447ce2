/* Memory for the parts of one record, or of a file's sections: pieces are given from chunks and all freed at
 * once. Pieces never move, so values may point to them while more are made. */
#ifndef TRACES_DUMPITRACE_POOL_H
#define TRACES_DUMPITRACE_POOL_H

#include <stddef.h>
#include <stdint.h>

#define DUMPI_POOL_KEPT_BYTES (1 << 20) /* a chunk for an uncommonly large record is not kept */

struct dumpi_chunk {
    struct dumpi_chunk *next; /* an older one; NULL: the first */
    size_t size, used;        /* bytes of memory */
    max_align_t memory[];     /* aligned for whatever is put there */
};

/* Zeroed is empty. */
struct dumpi_pool {
    struct dumpi_chunk *chunk; /* the newest, which memory is taken from */
};

/* For dumpi_pool_get: from a new chunk. */
void *dumpi_pool_grow(struct dumpi_pool *pool, size_t bytes);

/* Not initialised, aligned for numbers and pointers. NULL: no memory. 0 bytes give a valid pointer too. */
static inline void *dumpi_pool_get(struct dumpi_pool *pool, size_t bytes)
{
    struct dumpi_chunk *chunk = pool->chunk;

    if (bytes > SIZE_MAX / 4)
        return NULL;
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (chunk == NULL || chunk->size - chunk->used < bytes)
        return dumpi_pool_grow(pool, bytes);
    chunk->used += bytes;
    return (char *)chunk->memory + chunk->used - bytes;
}

void dumpi_pool_free(struct dumpi_pool *pool);
/* For dumpi_pool_reset: the same where more has been taken than one chunk of the usual size. */
void dumpi_pool_shrink(struct dumpi_pool *pool);

/* Frees all pieces, but keeps a small chunk, so that the next record needs no malloc. In line, since it is
 * called for each record and has mostly nothing to free. */
static inline void dumpi_pool_reset(struct dumpi_pool *pool)
{
    if (pool->chunk == NULL)
        return;
    if (pool->chunk->next == NULL && pool->chunk->size <= DUMPI_POOL_KEPT_BYTES)
        pool->chunk->used = 0;
    else
        dumpi_pool_shrink(pool);
}

#endif
