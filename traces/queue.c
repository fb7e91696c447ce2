/* Two rings; that of the words is an array whose front is dropped when half of it is free, so that a queue which is
 * never empty does not grow with the stream. Growing is out of line: rare beside the appending that asks for it.
 *
 *      slots    numbered for ever: number mod room is the place; head ≤ number < tail
 *      words    sets and vectors of slots, in the same order */
#include "traces/queue.h"

#include <stdlib.h>

#include "base/grow.h"

/* Slots keep their numbers. */
int trace_queue_grow(struct trace_queue *queue)
{
    return base_grow_ring(&queue->slots, &queue->capacity, queue->head, queue->tail, sizeof *queue->slots);
}

/* Words belong to the slot appended last, so that both rings are in the same order: slots begin where the words of
 * those before them end, and the first slot's place is the first in use. */
int trace_queue_grow_words(struct trace_queue *queue, size_t count)
{
    return base_grow_words(&queue->words, &queue->words_capacity, &queue->words_begin,
                           trace_queue_at(queue, queue->head)->words, queue->words_end, count);
}

/* Leaves a valid empty queue. */
void trace_queue_free(struct trace_queue *queue)
{
    free(queue->slots);
    free(queue->words);
    *queue = (struct trace_queue){0};
}
