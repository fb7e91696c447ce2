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

struct net_calendar_event {
    uint64_t payload;
    uint32_t next;
};

struct net_calendar {
    uint64_t now; /* of the last event popped; pushes are not before it */
    struct base_heap far;
    struct net_calendar_event *events;
    uint32_t event_count, event_capacity, free_event;
    uint32_t *first, *last; /* [slot] */
    uint64_t *used;         /* a bit a slot */
    uint64_t near_count;
};

int net_calendar_init(struct net_calendar *calendar); /* -1: memory; free in either case */
/* cycle >= now. -1: memory. */
int net_calendar_push(struct net_calendar *calendar, uint64_t cycle, uint64_t payload);
/* The cycle of the first event; UINT64_MAX: none. */
uint64_t net_calendar_first(const struct net_calendar *calendar);
/* Removes the first event if it is not after `limit`. Returns whether it did. */
bool net_calendar_pop(struct net_calendar *calendar, uint64_t limit, uint64_t *cycle, uint64_t *payload);
void net_calendar_free(struct net_calendar *calendar);

#endif
