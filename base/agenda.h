/* Events in time for a simulation most of whose events are pushed in the order in which they come out: those stand in
 * a line, the others on a heap. The order is base_heap's: by time, events of one time as they were pushed, wherever
 * they stand.
 *
 *     struct base_agenda agenda = {0};
 *     if (base_agenda_push(&agenda, now, rank) != 0 || base_agenda_push_later(&agenda, now + delay, rank) != 0)
 *         return base_error_memory(error, "the event queue");
 *     while (base_agenda_pop(&agenda, &event))
 *         ...
 *     base_agenda_free(&agenda); */
#ifndef BASE_AGENDA_H
#define BASE_AGENDA_H

#include <stdbool.h>

#include "base/grow.h"
#include "base/heap.h"

/* A zeroed struct base_agenda is a valid empty one. */
struct base_agenda {
    struct base_heap heap; /* its sequence numbers are those of the line, too */
    struct base_event *line;
    size_t capacity;     /* of the line, a ring: a power of two, or 0 */
    uint64_t head, tail; /* event n of the line is at n modulo capacity */
};

/* An event that may come before those on the heap, as what happens now does. O(1) unless it is before the last one in
 * the line. -1 when memory is out (the agenda is unchanged then), else 0. */
static inline int base_agenda_push(struct base_agenda *agenda, uint64_t time, uint64_t payload)
{
    if (agenda->tail != agenda->head && agenda->line[(agenda->tail - 1) & (agenda->capacity - 1)].time > time)
        return base_heap_push(&agenda->heap, time, payload);
    if (agenda->tail - agenda->head == agenda->capacity &&
        base_grow_ring(&agenda->line, &agenda->capacity, agenda->head, agenda->tail, sizeof *agenda->line) !=
            0)
        return -1;
    agenda->line[agenda->tail++ & (agenda->capacity - 1)] =
        (struct base_event){time, agenda->heap.pushed++, payload};
    return 0;
}

/* An event behind which others will be pushed that come before it: it would keep those out of the line. */
static inline int base_agenda_push_later(struct base_agenda *agenda, uint64_t time, uint64_t payload)
{
    return base_heap_push(&agenda->heap, time, payload);
}

/* How many there are. */
static inline size_t base_agenda_count(const struct base_agenda *agenda)
{
    return agenda->heap.count + (size_t)(agenda->tail - agenda->head);
}

/* Whether the earliest event is the first in the line. There is one. */
static inline bool base_agenda_is_line_first(const struct base_agenda *agenda)
{
    const struct base_event *heap = agenda->heap.events;
    const struct base_event *line;

    if (agenda->tail == agenda->head || agenda->heap.count == 0)
        return agenda->heap.count == 0;
    line = &agenda->line[agenda->head & (agenda->capacity - 1)];
    return line->time != heap->time ? line->time < heap->time : line->sequence < heap->sequence;
}

/* The earliest event, or NULL; borrowed until the next push or pop. */
static inline const struct base_event *base_agenda_first(const struct base_agenda *agenda)
{
    if (base_agenda_count(agenda) == 0)
        return NULL;
    return base_agenda_is_line_first(agenda) ? &agenda->line[agenda->head & (agenda->capacity - 1)]
                                             : agenda->heap.events;
}

/* Removes the earliest event into *event. Returns 1, or 0 when there is none. */
static inline int base_agenda_pop(struct base_agenda *agenda, struct base_event *event)
{
    if (base_agenda_count(agenda) == 0)
        return 0;
    if (!base_agenda_is_line_first(agenda))
        return base_heap_pop(&agenda->heap, event);
    *event = agenda->line[agenda->head++ & (agenda->capacity - 1)];
    return 1;
}

/* An empty agenda afterwards, whose sequence begins at 0 again. NULL is legal. */
static inline void base_agenda_free(struct base_agenda *agenda)
{
    if (agenda == NULL)
        return;
    base_heap_free(&agenda->heap);
    free(agenda->line);
    *agenda = (struct base_agenda){0};
}

#endif
