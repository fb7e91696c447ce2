/* Two rings: of slots, and of the requests that waits refer to. The requests of waits are moved down when
 * half of their array is free, so that an endless stream whose queue is never empty does not grow it.
 *
 *     slots      ... | dead | receive (open) | send | wait | ...          numbered head .. tail - 1
 *     requests   ... | 4 5 | 6 | 7 8 9 | ...                              numbered requests_begin ..
 * requests_end - 1
 *
 * Numbers of slots are never used again, so that a request can keep that of its receive and find out later
 * whether it has been taken. */
#include "traces/otf2/queue.h"

#include <stdlib.h>
#include <string.h>

#include "traces/grow.h"

/* Out of line: rare beside the appending that asks for it. */
int trace_otf2_queue_grow(struct trace_otf2_queue *queue)
{
    return trace_grow_ring(&queue->slots, &queue->capacity, queue->head, queue->tail, sizeof *queue->slots);
}

/* The first request that a slot in the queue refers to. */
static uint64_t first_request(const struct trace_otf2_queue *queue)
{
    for (uint64_t i = queue->head; i < queue->tail; i++)
        if (trace_otf2_slot_at(queue, i)->op.kind == TRACE_WAIT)
            return trace_otf2_slot_at(queue, i)->set_begin;
    return queue->requests_end;
}

/* The set of a wait is copied behind those of the operations before it; the room of sets that have left is
 * taken back first. `requests` is not part of this array: it is the decoder's own. */
int trace_otf2_queue_requests(struct trace_otf2_queue *queue, const uint64_t *requests, size_t count)
{
    size_t used = (size_t)(queue->requests_end - queue->requests_begin);

    if (used + count > queue->requests_capacity) {
        if (trace_grow_words(&queue->requests, &queue->requests_capacity, &queue->requests_begin,
                             first_request(queue), queue->requests_end, count) != 0)
            return -1;
        used = (size_t)(queue->requests_end - queue->requests_begin);
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
