/* Memory for the parts of one record, or of a file's sections: pieces are given from chunks and all freed at
 * once. Pieces never move, so values may point to them while more are made. */
#ifndef TRACES_DUMPI_POOL_H
#define TRACES_DUMPI_POOL_H

#include <stddef.h>

struct dumpi_chunk;

/* Zeroed is empty. */
struct dumpi_pool {
    struct dumpi_chunk *chunk;
};

/* Not initialised, aligned for numbers and pointers. NULL: no memory. 0 bytes give a valid pointer too. */
void *dumpi_pool_get(struct dumpi_pool *pool, size_t bytes);
/* Frees all pieces, but keeps a small chunk, so that the next record needs no malloc. */
void dumpi_pool_reset(struct dumpi_pool *pool);
void dumpi_pool_free(struct dumpi_pool *pool);

#endif
