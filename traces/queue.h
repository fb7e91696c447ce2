/* Operations of one rank that its reader has decoded and nobody has taken yet, in program order. Only an operation
 * whose record does not tell all (a receive before its completion) holds the queue up; so the queue is as long as the
 * look-ahead.
 *
 *     slots    ... | dead | receive (open) | send | wait | collective | ...    numbered head .. tail - 1
 *     words    ... |                       |      | 4 5  | sizes      | ...    sets of waits, sizes of vectors
 *
 * Numbers of slots are never used again: a request can keep that of its receive and find out later whether it has been
 * taken. */
#ifndef TRACE_QUEUE_H
#define TRACE_QUEUE_H

#include <stdbool.h>

#include "traces/program.h"

/* For what is done for every event, at a few places each. */
#define TRACE_INLINE static inline __attribute__((always_inline))

#define TRACE_NO_SLOT UINT64_MAX

enum trace_slot_state {
    TRACE_SLOT_READY,
    TRACE_SLOT_OPEN, /* without its source, tag and size, which come with its completion */
    TRACE_SLOT_DEAD  /* left out: it turned out to be no operation */
};

struct trace_slot {
    struct trace_op op;  /* its requests and vector are among the words */
    uint64_t words;      /* where the slot's words begin, among all that were ever queued */
    uint32_t word_count; /* a wait: its requests; a vector: bytes sent, then received */
    enum trace_slot_state state;
    /* of a receive: which of the rank's, in the order they are posted. OTF2, of a collective: how many
     * calls had made communicators before it */
    uint64_t ordinal;
    /* DUMPI alone, which sets them: */
    uint64_t compute_ns; /* a compute operation before it; 0: none */
    uint32_t entry;      /* of the request that it starts, or TRACE_DUMPI_NO_ENTRY */
    bool guessed;        /* of a receive: its bytes are its room, since no status tells more */
};

/* A zeroed struct is a valid empty one. Slots are numbered from 0 in the order they are appended. */
struct trace_queue {
    struct trace_slot *slots; /* a ring: slot n is at n modulo capacity, a power of two */
    uint64_t head, tail;
    size_t capacity; /* of the ring */
    uint64_t *words; /* word n is at n - words_begin */
    uint64_t words_begin, words_end;
    size_t words_capacity; /* of words */
};

/* Leaves a valid empty one. */
void trace_queue_free(struct trace_queue *queue);

/* For trace_queue_append: room for another slot; and for trace_queue_append_words. -1: no memory. */
int trace_queue_grow(struct trace_queue *queue);
int trace_queue_grow_words(struct trace_queue *queue, size_t count);

/* Numbers only grow; the ring repeats. */
TRACE_INLINE struct trace_slot *trace_queue_at(const struct trace_queue *queue, uint64_t number)
{
    return &queue->slots[number & (queue->capacity - 1)];
}

/* The slot with this number, or NULL when it has been taken. */
static inline struct trace_slot *trace_queue_find(const struct trace_queue *queue, uint64_t number)
{
    return number < queue->head || number >= queue->tail ? NULL : trace_queue_at(queue, number);
}

/* An operation without content. Field by field: compilers merge these stores, and leave out what is set right after
 * them, where they would zero or copy the whole by a loop. */
TRACE_INLINE void trace_queue_blank(struct trace_op *op)
{
    op->kind = TRACE_COMPUTE;
    op->flags = 0;
    op->duration_ns = 0;
    op->peer = op->tag = op->communicator = 0;
    op->bytes = op->request = 0;
    op->requests = NULL;
    op->request_count = 0;
    op->collective = TRACE_BARRIER;
    op->root = UINT32_MAX;
    op->instance = 0;
    op->bytes_sent = op->bytes_received = 0;
    op->vector = NULL;
    op->event = op->time_ns = 0;
    op->region = UINT32_MAX;
}

/* Appends such an operation and gives its slot, borrowed until the next: operations are large, so that they are made
 * where they stay. NULL when memory is out. Inline like the others: they are called for every event. */
TRACE_INLINE struct trace_slot *trace_queue_append(struct trace_queue *queue)
{
    struct trace_slot *slot;

    if (queue->tail - queue->head == queue->capacity && trace_queue_grow(queue) != 0)
        return NULL;
    slot = trace_queue_at(queue, queue->tail++);
    trace_queue_blank(&slot->op);
    slot->words = queue->words_end;
    slot->word_count = 0;
    slot->state = TRACE_SLOT_READY;
    slot->ordinal = 0;
    return slot;
}

/* Room for `count` words of the slot appended last, for the caller to fill: once a slot. NULL when memory is out. What
 * was given out of a slot that has been taken is invalid from here on. */
TRACE_INLINE uint64_t *trace_queue_append_words(struct trace_queue *queue, size_t count)
{
    uint64_t end = queue->words_end;

    if (end - queue->words_begin + count > queue->words_capacity && trace_queue_grow_words(queue, count) != 0)
        return NULL;
    queue->words_end = end + count;
    trace_queue_at(queue, queue->tail - 1)->word_count = (uint32_t)count;
    return queue->words + (end - queue->words_begin);
}

/* Those of a slot; good, also when it has been taken, until words are appended. */
TRACE_INLINE uint64_t *trace_queue_words(const struct trace_queue *queue, const struct trace_slot *slot)
{
    return queue->words + (slot->words - queue->words_begin);
}

#endif
