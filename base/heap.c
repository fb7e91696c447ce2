/* A 4-ary heap: half as deep as a binary one, and the four children of a node lie in one or two cache lines.
 * The children of node i are 4i + 1 .. 4i + 4. Both sifts move a hole instead of swapping. */
#include "base/heap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/grow.h"

#define CHILDREN ((size_t)4)

/* The order of events: by time, then by age. No two events are equal in it. */
static inline bool before(const struct base_event *a, const struct base_event *b)
{
    return a->time != b->time ? a->time < b->time : a->sequence < b->sequence;
}

/* The new event rises from the end until its parent is earlier; the sequence number makes equal times ordered. */
int base_heap_push(struct base_heap *heap, uint64_t time, uint64_t payload)
{
    struct base_event event = {time, heap->pushed, payload};
    size_t hole = heap->count;

    if (base_grow(&heap->events, &heap->capacity, heap->count + 1, sizeof *heap->events) != 0)
        return -1;
    heap->pushed++;
    heap->count++;
    while (hole > 0) {
        size_t parent = (hole - 1) / CHILDREN;
        /* The newest sequence number loses every tie, so comparing times is enough here. */
        if (heap->events[parent].time <= time)
            break;
        heap->events[hole] = heap->events[parent];
        hole = parent;
    }
    heap->events[hole] = event;
    return 0;
}

/* The root; popping it is the only way to remove an event. */
const struct base_event *base_heap_first(const struct base_heap *heap)
{
    return heap->count == 0 ? NULL : heap->events;
}

/* The earliest of hole's children, or count when it has none. */
static size_t earliest_child(const struct base_heap *heap, size_t hole)
{
    size_t child = CHILDREN * hole + 1;
    size_t end = child + CHILDREN < heap->count ? child + CHILDREN : heap->count;
    size_t best = child;

    if (child >= heap->count)
        return heap->count;
    while (++child < end)
        if (before(&heap->events[child], &heap->events[best]))
            best = child;
    return best;
}

/* The last event fills the root's place and sinks below its earliest child. */
int base_heap_pop(struct base_heap *heap, struct base_event *event)
{
    struct base_event moved;
    size_t hole = 0;
    size_t child;

    if (heap->count == 0)
        return 0;
    /* The last event fills the gap at the top: it sinks below every child that comes before it. */
    *event = heap->events[0];
    moved = heap->events[--heap->count];
    while ((child = earliest_child(heap, hole)) < heap->count) {
        if (!before(&heap->events[child], &moved))
            break;
        heap->events[hole] = heap->events[child];
        hole = child;
    }
    heap->events[hole] = moved;
    return 1;
}

/* An empty heap afterwards, whose sequence begins at 0 again. */
void base_heap_free(struct base_heap *heap)
{
    if (heap == NULL)
        return;
    free(heap->events);
    *heap = (struct base_heap){0};
}
