/* Pools: arrays of equal slots that are named by numbers, taken, given back and taken again. Free slots are linked by a
 * number in each of them, the last one given back first, since it is the one that is still in the cache. A pool grows
 * and never shrinks: no pointer into it survives a slot that is taken. Only netmodel/ includes this.
 *
 *      struct item { uint32_t next; … } *items;             the array is the owner's, NULL at first
 *      struct net_pool pool = NET_POOL;
 *      uint32_t slot = NET_POOL_TAKE(&pool, &items, struct item, next);      NET_NONE: memory
 *      NET_POOL_GIVE(&pool, items, struct item, next, slot); */
#ifndef NET_POOL_H
#define NET_POOL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "netmodel/topology.h"

struct net_pool {
    uint32_t count, capacity; /* slots that were ever taken, and that there is room for */
    uint32_t free;            /* the first of those given back; NET_NONE: none */
};

#define NET_POOL                                                                                             \
    (struct net_pool)                                                                                        \
    {                                                                                                        \
        .free = NET_NONE                                                                                     \
    }

/* Room for more slots of `size` bytes; items: where the array's address is. -1: memory; then all is as it was. */
int net_pool_grow(struct net_pool *pool, void *items, size_t size);
/* Slots in use; next: the offset of the number that links free ones. */
uint32_t net_pool_used(const struct net_pool *pool, const void *items, size_t size, size_t next);

/* Whether a slot can be taken without growing. */
static inline bool net_pool_has_room(const struct net_pool *pool)
{
    return pool->free != NET_NONE || pool->count != pool->capacity;
}

/* Of a pool that has room. */
static inline uint32_t net_pool_take_room(struct net_pool *pool, const void *first, size_t size, size_t next)
{
    uint32_t slot = pool->free;
    if (slot == NET_NONE)
        return pool->count++;
    memcpy(&pool->free, (const char *)first + slot * size + next, sizeof pool->free);
    return slot;
}

static inline uint32_t net_pool_take(struct net_pool *pool, void *items, size_t size, size_t next)
{
    const void *first;
    if (!net_pool_has_room(pool) && net_pool_grow(pool, items, size) < 0)
        return NET_NONE;
    memcpy(&first, items, sizeof first);
    return net_pool_take_room(pool, first, size, next);
}

static inline void net_pool_give(struct net_pool *pool, void *first, size_t size, size_t next, uint32_t slot)
{
    memcpy((char *)first + slot * size + next, &pool->free, sizeof pool->free);
    pool->free = slot;
}

#define NET_POOL_TAKE(pool, items, type, next)                                                               \
    net_pool_take((pool), (items), sizeof(type), offsetof(type, next))
#define NET_POOL_GIVE(pool, first, type, next, slot)                                                         \
    net_pool_give((pool), (first), sizeof(type), offsetof(type, next), (slot))

/* calloc that never returns NULL for an empty array (a network of one router has no links). */
void *net_array_new(size_t count, size_t size);

#endif
