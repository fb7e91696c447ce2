/* A priority queue of events in time. Events of one time come out in the order they were pushed, so that a
 * simulation does not depend on the heap's shape. 4-ary implicit heap.
 *
 *     struct base_heap heap = {0};
 *     if (base_heap_push(&heap, now + delay, rank) != 0)
 *         return base_error_memory(error, "the event queue");
 *     while (base_heap_pop(&heap, &event))
 *         ...
 *     base_heap_free(&heap); */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct base_event {
    uint64_t time;     /* in whatever unit the caller counts */
    uint64_t sequence; /* set by base_heap_push: the tie-break */
    uint64_t payload;  /* the caller's: mostly an index */
};

/* A zeroed struct base_heap is a valid empty one. */
struct base_heap {
    struct base_event *events; /* in heap order; events[0] is the earliest */
    size_t count, capacity;
    uint64_t pushed; /* the next sequence number */
};

/* -1 when memory is out (the heap is unchanged then), else 0. */
int base_heap_push(struct base_heap *heap, uint64_t time, uint64_t payload);
/* The earliest event, or NULL; borrowed until the next push or pop. */
const struct base_event *base_heap_first(const struct base_heap *heap);
/* Removes the earliest event into *event. Returns 1, or 0 when the heap is empty. */
int base_heap_pop(struct base_heap *heap, struct base_event *event);
void base_heap_free(struct base_heap *heap); /* NULL is legal; leaves an empty heap */

#endif
