/* Events in time for engines with many events a cycle: a wheel of slots for the near future, a heap for the
 * far one. Events of one cycle come out in a fixed order: those that were far when they were pushed first,
 * then in the order of pushing. O(1) for near events.
 *
 *     struct net_calendar calendar = {0};
 *     if (net_calendar_init(&calendar) < 0 || net_calendar_push(&calendar, cycle, payload) < 0) …
 *     while (net_calendar_pop(&calendar, limit, &cycle, &payload)) … */
#ifndef NET_CALENDAR_H
#define NET_CALENDAR_H

#include <stdbool.h>

#include "base/heap.h"

#define NET_CALENDAR_SLOTS 131072u /* cycles ahead that are near */

#define NET_CALENDAR_CHUNK 7

/* Some events of a cycle, in a line of the cache. */
struct net_calendar_chunk {
    uint64_t payloads[NET_CALENDAR_CHUNK];
    uint32_t next; /* of its slot: only a full one has a next one; or of the free ones */
    uint32_t count;
};

struct net_calendar {
    uint64_t now; /* of the last event popped; pushes are not before it */
    struct base_heap far;
    struct net_calendar_chunk *chunks;                /* a pool, named by index */
    uint32_t chunk_count, chunk_capacity, free_chunk; /* free: the first that is not in use */
    uint32_t popped;                                  /* of the first chunk of the slot of `now` */
    uint32_t *first, *last;                           /* [slot]: chunks */
    uint64_t *used;                                   /* a bit a slot */
    uint64_t near_count;
};

int net_calendar_init(struct net_calendar *calendar); /* -1: memory; free in either case */
/* cycle >= now. -1: memory. */
int net_calendar_push(struct net_calendar *calendar, uint64_t cycle, uint64_t payload);
/* Removes the first event if it is not after `limit`. Returns whether it did. */
bool net_calendar_pop(struct net_calendar *calendar, uint64_t limit, uint64_t *cycle, uint64_t *payload);
/* Whether `ahead` near events more, up to NET_CALENDAR_CHUNK, follow in the cycle of the one popped last,
 * and if so the payload of the last of these, so that what it is of can be fetched. */
static inline bool net_calendar_peek(const struct net_calendar *calendar, uint32_t ahead, uint64_t *payload)
{
    uint32_t first = calendar->first[calendar->now & (NET_CALENDAR_SLOTS - 1)];
    uint32_t place = calendar->popped + ahead - 1;
    if (first == UINT32_MAX)
        return false;
    const struct net_calendar_chunk *chunk = &calendar->chunks[first];
    if (place >= NET_CALENDAR_CHUNK && chunk->next != UINT32_MAX) {
        place -= NET_CALENDAR_CHUNK;
        chunk = &calendar->chunks[chunk->next];
    }
    if (place >= chunk->count)
        return false;
    *payload = chunk->payloads[place];
    return true;
}
/* Events that are still in it are dropped. A calendar that is all zeros is legal. */
void net_calendar_free(struct net_calendar *calendar);

#endif
