/* Pools that grow: see pool.h. */
#include "netmodel/engines/pool.h"

#include <stdlib.h>

#include "netmodel/engines/lines.h"

#define FIRST_SLOTS 256
/* A pool that has outgrown small pages gets so many bytes at once: what is not touched costs addresses only, and
 * nothing has to be moved to other pages, each of which the system would clear first. */
#define FEW_BYTES ((size_t)128 << 10)
#define MANY_BYTES ((size_t)(SIZE_MAX > UINT32_MAX ? 64 : 16) << 20)

/* By doubling, but from small pages to many at once, and by four from there on, since moving many takes long and two
 * copies of them room. Numbers of slots stay right when the array moves, pointers do not. */
int net_pool_grow(struct net_pool *pool, void *items, size_t size)
{
    uint32_t times = pool->capacity * size < MANY_BYTES / 2 ? 2 : 4;
    uint32_t larger = pool->capacity != 0 ? times * pool->capacity : FIRST_SLOTS;
    void *first;
    if (pool->capacity > UINT32_MAX / 4)
        return -1;
    memcpy(&first, items, sizeof first);
    if (larger * size > FEW_BYTES && larger * size < MANY_BYTES)
        larger = (uint32_t)(MANY_BYTES / size);
    void *moved = net_lines_grow(first, pool->count * size, larger * size);
    if (moved == NULL)
        return -1;
    memcpy(items, &moved, sizeof moved);
    pool->capacity = larger;
    return 0;
}

/* The list is cut short should it be damaged into a loop. The slots ever taken, less those in the list of free
 * ones. */
uint32_t net_pool_used(const struct net_pool *pool, const void *items, size_t size, size_t next)
{
    uint32_t free_slots = 0, slot = pool->free;
    while (slot != NET_NONE && free_slots <= pool->count) {
        memcpy(&slot, (const char *)items + slot * size + next, sizeof slot);
        free_slots++;
    }
    return pool->count - free_slots;
}

void *net_array_new(size_t count, size_t size)
{
    return calloc(count != 0 ? count : 1, size);
}
