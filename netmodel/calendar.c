/* The wheel and the heap of calendar.h. The slot of the cycle `now` is emptied before the wheel turns on, so
 * a slot holds events of one cycle only: those less than NET_CALENDAR_SLOTS ahead are near. */
#include "netmodel/calendar.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define SLOT(cycle) ((uint32_t)(cycle) & (NET_CALENDAR_SLOTS - 1))

int net_calendar_init(struct net_calendar *calendar)
{
    *calendar = (struct net_calendar){.free_event = NONE};
    calendar->first = malloc(NET_CALENDAR_SLOTS * sizeof *calendar->first);
    calendar->last = malloc(NET_CALENDAR_SLOTS * sizeof *calendar->last);
    calendar->used = calloc(NET_CALENDAR_SLOTS / 64, sizeof *calendar->used);
    if (calendar->first == NULL || calendar->last == NULL || calendar->used == NULL)
        return -1;
    memset(calendar->first, 0xff, NET_CALENDAR_SLOTS * sizeof *calendar->first);
    return 0;
}

/* A slot of the pool, the last one freed first. */
static uint32_t take_event(struct net_calendar *calendar)
{
    uint32_t event = calendar->free_event;
    if (event != NONE) {
        calendar->free_event = calendar->events[event].next;
        return event;
    }
    if (calendar->event_count == calendar->event_capacity) {
        uint32_t capacity = calendar->event_capacity != 0 ? 2 * calendar->event_capacity : 256;
        struct net_calendar_event *events = realloc(calendar->events, capacity * sizeof *events);
        if (events == NULL)
            return NONE;
        calendar->events = events;
        calendar->event_capacity = capacity;
    }
    return calendar->event_count++;
}

int net_calendar_push(struct net_calendar *calendar, uint64_t cycle, uint64_t payload)
{
    if (cycle - calendar->now >= NET_CALENDAR_SLOTS)
        return base_heap_push(&calendar->far, cycle, payload);
    uint32_t event = take_event(calendar), slot = SLOT(cycle);
    if (event == NONE)
        return -1;
    calendar->events[event] = (struct net_calendar_event){payload, NONE};
    if (calendar->first[slot] == NONE)
        calendar->first[slot] = event;
    else
        calendar->events[calendar->last[slot]].next = event;
    calendar->last[slot] = event;
    calendar->used[slot / 64] |= UINT64_C(1) << (slot % 64);
    calendar->near_count++;
    return 0;
}

/* A word at a time; there is an event in the wheel. */
static uint64_t first_near(const struct net_calendar *calendar)
{
    for (uint64_t cycle = calendar->now;; cycle += 64 - SLOT(cycle) % 64) {
        uint64_t word = calendar->used[SLOT(cycle) / 64] >> (SLOT(cycle) % 64);
        if (word != 0)
            return cycle + (uint32_t)__builtin_ctzll(word);
    }
}

uint64_t net_calendar_first(const struct net_calendar *calendar)
{
    const struct base_event *far = base_heap_first(&calendar->far);
    uint64_t cycle = far != NULL ? far->time : UINT64_MAX;
    if (calendar->near_count != 0) {
        uint64_t near = first_near(calendar);
        return near < cycle ? near : cycle;
    }
    return cycle;
}

bool net_calendar_pop(struct net_calendar *calendar, uint64_t limit, uint64_t *cycle, uint64_t *payload)
{
    uint64_t first = net_calendar_first(calendar);
    const struct base_event *far = base_heap_first(&calendar->far);
    if (first == UINT64_MAX || first > limit)
        return false;
    calendar->now = *cycle = first;
    if (far != NULL && far->time == first) {
        struct base_event event;
        base_heap_pop(&calendar->far, &event);
        *payload = event.payload;
        return true;
    }
    uint32_t slot = SLOT(first), event = calendar->first[slot];
    *payload = calendar->events[event].payload;
    calendar->first[slot] = calendar->events[event].next;
    if (calendar->first[slot] == NONE)
        calendar->used[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
    calendar->events[event].next = calendar->free_event;
    calendar->free_event = event;
    calendar->near_count--;
    return true;
}

void net_calendar_free(struct net_calendar *calendar)
{
    base_heap_free(&calendar->far);
    free(calendar->events);
    free(calendar->first);
    free(calendar->last);
    free(calendar->used);
}
