/* Two rings; that of the words is an array whose front is dropped when half of it is free, so that a queue
 * which is never empty does not grow with the stream. */
#include "traces/dumpi-queue.h"

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

/* Slots keep their numbers, not their places. */
int trace_dumpi_grow_slots(struct trace_dumpi_queue *queue)
{
    struct trace_dumpi_queue larger = *queue;

    larger.capacity = queue->capacity == 0 ? 16 : queue->capacity * 2;
    larger.slots = malloc(larger.capacity * sizeof *larger.slots);
    if (larger.slots == NULL)
        return -1;
    for (uint64_t i = queue->head; i < queue->tail; i++)
        *trace_dumpi_slot_at(&larger, i) = *trace_dumpi_slot_at(queue, i);
    free(queue->slots);
    *queue = larger;
    return 0;
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
        size_t free_words = (size_t)(first - queue->words_begin);

        if (free_words > 0)
            memmove(queue->words, queue->words + free_words, (used - free_words) * sizeof *queue->words);
        queue->words_begin = first;
        used -= free_words;
        /* At least half free afterwards, or this would be done for every slot. */
        if (trace_grow(&queue->words, &queue->words_capacity, 2 * (used + count), sizeof *queue->words) != 0)
            return NULL;
    }
    queue->words_end += count;
    last->word_count = (uint32_t)count;
    return queue->words + used;
}
