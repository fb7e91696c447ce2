/* Two rings: of slots, and of the requests that waits refer to. The requests of waits are moved down when
 * half of their array is free, so that an endless stream whose queue is never empty does not grow it.
 *
 *     slots      ... | dead | receive (open) | send | wait | ...          numbered head .. tail - 1
 *     requests   ... | 4 5 | 6 | 7 8 9 | ...                              numbered requests_begin ..
 * requests_end - 1
 *
 * Numbers of slots are never used again, so that a request can keep that of its receive and find out later
 * whether it has been taken. */
#include "traces/otf2-queue.h"

#include <stdlib.h>
#include <string.h>

#include "traces/grow.h"

/* Slots keep their numbers, not their places. */
int trace_otf2_queue_grow(struct trace_otf2_queue *queue)
{
    struct trace_otf2_queue larger = *queue;

    larger.capacity = queue->capacity == 0 ? 16 : queue->capacity * 2;
    larger.slots = malloc(larger.capacity * sizeof *larger.slots);
    if (larger.slots == NULL)
        return -1;
    for (uint64_t i = queue->head; i < queue->tail; i++)
        *trace_otf2_slot_at(&larger, i) = *trace_otf2_slot_at(queue, i);
    free(queue->slots);
    *queue = larger;
    return 0;
}

/* Forgets the requests that no slot in the queue refers to. */
static void drop_requests(struct trace_otf2_queue *queue)
{
    uint64_t first = queue->requests_end;

    for (uint64_t i = queue->head; i < queue->tail; i++) {
        if (trace_otf2_slot_at(queue, i)->op.kind == TRACE_WAIT) {
            first = trace_otf2_slot_at(queue, i)->set_begin;
            break;
        }
    }
    memmove(queue->requests, queue->requests + (first - queue->requests_begin),
            (size_t)(queue->requests_end - first) * sizeof *queue->requests);
    queue->requests_begin = first;
}

/* The set of a wait is copied behind those of the operations before it; the room of sets that have left is
 * taken back first. `requests` is not part of this array: it is the decoder's own. */
int trace_otf2_queue_requests(struct trace_otf2_queue *queue, const uint64_t *requests, size_t count)
{
    size_t used = (size_t)(queue->requests_end - queue->requests_begin);

    if (used + count > queue->requests_capacity) {
        if (used > 0)
            drop_requests(queue);
        used = (size_t)(queue->requests_end - queue->requests_begin);
        /* At least half free afterwards, or dropping would be done for every wait. */
        if (trace_grow(&queue->requests, &queue->requests_capacity, 2 * (used + count),
                       sizeof *queue->requests) != 0)
            return -1;
    }
    memcpy(queue->requests + used, requests, count * sizeof *queue->requests);
    queue->requests_end += count;
    return 0;
}

void trace_otf2_queue_free(struct trace_otf2_queue *queue)
{
    free(queue->slots);
    free(queue->requests);
    *queue = (struct trace_otf2_queue){0};
}
