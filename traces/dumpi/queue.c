/* Two rings; that of the words is an array whose front is dropped when half of it is free, so that a queue
 * which is never empty does not grow with the stream. */
#include "traces/dumpi/queue.h"

#include <stdlib.h>
#include <string.h>

#include "traces/grow.h"

/* Leaves a valid empty one. */
void trace_dumpi_queue_free(struct trace_dumpi_queue *queue)
{
    free(queue->slots);
    free(queue->words);
    *queue = (struct trace_dumpi_queue){0};
}

/* Out of line: rare beside the appending that asks for it. */
int trace_dumpi_grow_slots(struct trace_dumpi_queue *queue)
{
    return trace_grow_ring(&queue->slots, &queue->capacity, queue->head, queue->tail, sizeof *queue->slots);
}

/* Words belong to the slot appended last, so that both rings are in the same order. */
uint64_t *trace_dumpi_append_words(struct trace_dumpi_queue *queue, size_t count)
{
    struct trace_dumpi_slot *last = trace_dumpi_slot_at(queue, queue->tail - 1);
    size_t used = (size_t)(queue->words_end - queue->words_begin);

    if (used + count > queue->words_capacity) {
        /* Slots begin where the words of those before them end: the first slot's place is the first in use.
         */
        uint64_t first = trace_dumpi_slot_at(queue, queue->head)->words;

        if (trace_grow_words(&queue->words, &queue->words_capacity, &queue->words_begin, first,
                             queue->words_end, count) != 0)
            return NULL;
        used = (size_t)(queue->words_end - first);
    }
    queue->words_end += count;
    last->word_count = (uint32_t)count;
    return queue->words + used;
}
