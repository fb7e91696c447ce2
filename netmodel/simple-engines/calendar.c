/* The wheel and the heap of calendar.h. The slot of the cycle `now` is emptied before the wheel turns on, so
 * a slot holds events of one cycle only: those less than NET_CALENDAR_SLOTS ahead are near.
 *
 *      slot     cycle mod NET_CALENDAR_SLOTS     a chain of chunks, filled at the end and emptied at the front
 *      used     a bit for each slot              the next cycle with events is found a word of 64 slots at a time
 *      far      base_heap, by cycle              what is NET_CALENDAR_SLOTS or more cycles ahead
 *
 * Events that are far stay in the heap until their cycle comes: they are never moved to the wheel, and come out
 * before those of their cycle that were pushed when it was near. All that were pushed far were pushed earlier. */
#include "netmodel/simple-engines/calendar.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

#define NONE UINT32_MAX
#define SLOT(cycle) ((uint32_t)(cycle) & (NET_CALENDAR_SLOTS - 1))

/* `first` of an empty slot is NONE, which memset writes as bytes of ones; `last` is read only where `first` is not
 * NONE. */
int net_calendar_init(struct net_calendar *calendar)
{
    *calendar = (struct net_calendar){.free_chunk = NONE};
    calendar->first = malloc(NET_CALENDAR_SLOTS * sizeof *calendar->first);
    calendar->last = malloc(NET_CALENDAR_SLOTS * sizeof *calendar->last);
    calendar->used = calloc(NET_CALENDAR_SLOTS / 64, sizeof *calendar->used);
    if (calendar->first == NULL || calendar->last == NULL || calendar->used == NULL)
        return -1;
    memset(calendar->first, 0xff, NET_CALENDAR_SLOTS * sizeof *calendar->first);
    return 0;
}

/* An empty chunk of the pool, the last one freed first. NONE: memory. Chunks are named by index, since the array
 * may move. */
static uint32_t take_chunk(struct net_calendar *calendar)
{
    uint32_t chunk = calendar->free_chunk;
    if (chunk != NONE) {
        calendar->free_chunk = calendar->chunks[chunk].next;
    } else {
        if (base_grow_32(&calendar->chunks, &calendar->chunk_capacity, (size_t)calendar->chunk_count + 1,
                         sizeof *calendar->chunks) < 0)
            return NONE;
        chunk = calendar->chunk_count++;
    }
    calendar->chunks[chunk].next = NONE;
    calendar->chunks[chunk].count = 0;
    return chunk;
}

/* Behind all events of its cycle that are in the wheel. */
int net_calendar_push(struct net_calendar *calendar, uint64_t cycle, uint64_t payload)
{
    if (cycle - calendar->now >= NET_CALENDAR_SLOTS)
        return base_heap_push(&calendar->far, cycle, payload);
    uint32_t slot = SLOT(cycle), last = calendar->first[slot] != NONE ? calendar->last[slot] : NONE;
    if (last == NONE || calendar->chunks[last].count == NET_CALENDAR_CHUNK) {
        uint32_t chunk = take_chunk(calendar);
        if (chunk == NONE)
            return -1;
        if (last == NONE)
            calendar->first[slot] = chunk;
        else
            calendar->chunks[last].next = chunk;
        calendar->last[slot] = last = chunk;
        calendar->used[slot / 64] |= UINT64_C(1) << (slot % 64);
    }
    calendar->chunks[last].payloads[calendar->chunks[last].count++] = payload;
    calendar->near_count++;
    return 0;
}

/* A word at a time; there is an event in the wheel. From the slot of `now` around the wheel once: every used slot
 * is less than one turn ahead. */
static uint64_t first_near(const struct net_calendar *calendar)
{
    for (uint64_t cycle = calendar->now;; cycle += 64 - SLOT(cycle) % 64) {
        uint64_t word = calendar->used[SLOT(cycle) / 64] >> (SLOT(cycle) % 64);
        if (word != 0)
            return cycle + (uint32_t)__builtin_ctzll(word);
    }
}

/* The nearer of heap and wheel. */
static uint64_t first_cycle(const struct net_calendar *calendar)
{
    const struct base_event *far = base_heap_first(&calendar->far);
    uint64_t cycle = far != NULL ? far->time : UINT64_MAX;
    if (calendar->near_count != 0) {
        uint64_t near = first_near(calendar);
        return near < cycle ? near : cycle;
    }
    return cycle;
}

/* From the slot of `now`. Its chunk is free with its last event, whatever may still come in this cycle. */
static uint64_t pop_near(struct net_calendar *calendar, uint32_t slot)
{
    uint32_t first = calendar->first[slot];
    struct net_calendar_chunk *chunk = &calendar->chunks[first];
    uint64_t payload = chunk->payloads[calendar->popped++];
    if (calendar->popped < chunk->count)
        return payload;
    calendar->popped = 0;
    calendar->first[slot] = chunk->next;
    if (chunk->next == NONE)
        calendar->used[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
    else if (calendar->chunks[chunk->next].next != NONE)
        __builtin_prefetch(&calendar->chunks[calendar->chunks[chunk->next].next]);
    chunk->next = calendar->free_chunk;
    calendar->free_chunk = first;
    return payload;
}

/* Far ones of a cycle first. The slot of `now` is never left with events in it, since they are the first. */
bool net_calendar_pop(struct net_calendar *calendar, uint64_t limit, uint64_t *cycle, uint64_t *payload)
{
    uint64_t first = first_cycle(calendar);
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
    calendar->near_count--;
    *payload = pop_near(calendar, SLOT(first));
    return true;
}

void net_calendar_free(struct net_calendar *calendar)
{
    base_heap_free(&calendar->far);
    free(calendar->chunks);
    free(calendar->first);
    free(calendar->last);
    free(calendar->used);
}
