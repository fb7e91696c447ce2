/* Operations of one rank that are decoded but not yet taken, in program order. Only a receive whose message
 * is not known yet holds the queue up; so the queue is as long as the look-ahead.
 *
 *     slots    ... | send | receive (open) | wait | collective | ...    numbered head .. tail - 1
 *     words    ... |                       | 4 5  | sizes      | ...    sets of waits, sizes of vectors
 *
 * Numbers of slots are never used again: a request can keep that of its receive and find out later whether it
 * has been taken. */
#ifndef TRACE_DUMPI_QUEUE_H
#define TRACE_DUMPI_QUEUE_H

#include <stdbool.h>

#include "traces/program.h"

#define TRACE_DUMPI_NO_SLOT UINT64_MAX
#define TRACE_DUMPI_NO_ENTRY UINT32_MAX

enum trace_dumpi_slot_state {
    TRACE_DUMPI_READY,
    TRACE_DUMPI_OPEN, /* a receive whose completion has not been read */
    TRACE_DUMPI_DEAD  /* turned out to be no operation: from MPI_PROC_NULL, or cancelled */
};

struct trace_dumpi_slot {
    struct trace_op op;
    uint64_t compute_ns; /* a compute operation before it; 0: none */
    uint64_t words;      /* where the slot's words begin, among all that were ever queued */
    uint32_t word_count; /* a wait: entries of requests; a vector: sent, then received */
    uint32_t entry;      /* of the request that it starts, or TRACE_DUMPI_NO_ENTRY */
    uint64_t ordinal;    /* of a receive: which of the rank's, in the order of posting */
    bool guessed;        /* of a receive: its bytes are its room, since no status tells more */
    enum trace_dumpi_slot_state state;
};

/* A zeroed struct is a valid empty one. */
struct trace_dumpi_queue {
    struct trace_dumpi_slot *slots; /* a ring: slot n is at n modulo capacity, a power of two */
    uint64_t head, tail;
    size_t capacity;
    uint64_t *words; /* word n is at n - words_begin */
    uint64_t words_begin, words_end;
    size_t words_capacity;
};

void trace_dumpi_queue_free(struct trace_dumpi_queue *queue);
/* For trace_dumpi_append: doubles the ring. -1: no memory. */
int trace_dumpi_grow_slots(struct trace_dumpi_queue *queue);
/* Room for count words of the slot appended last, to be filled by the caller. NULL: no memory. */
uint64_t *trace_dumpi_append_words(struct trace_dumpi_queue *queue, size_t count);
/* Appends a slot, zeroed but for .words, .entry and .op.root (none), and what trace_dumpi_emit always sets;
 * borrowed until the next append. NULL: no memory. What was given out of a taken slot is invalid from here
 * on. */
static inline struct trace_dumpi_slot *trace_dumpi_append(struct trace_dumpi_queue *queue);

static inline struct trace_dumpi_slot *trace_dumpi_slot_at(const struct trace_dumpi_queue *queue,
                                                           uint64_t number)
{
    return &queue->slots[number & (queue->capacity - 1)];
}

/* The slot of that number, or NULL when it has been taken. */
static inline struct trace_dumpi_slot *trace_dumpi_slot(const struct trace_dumpi_queue *queue,
                                                        uint64_t number)
{
    return number < queue->head || number >= queue->tail ? NULL : trace_dumpi_slot_at(queue, number);
}

/* An operation without anything, but for what is in every one: kind, event, time, duration and region. Field
 * by field: compilers clear a large struct by an instruction that takes as long as decoding a record. */
static inline void trace_dumpi_clear_op(struct trace_op *op)
{
    op->flags = 0;
    op->peer = op->tag = op->communicator = 0;
    op->bytes = op->request = 0;
    op->requests = NULL;
    op->request_count = 0;
    op->collective = TRACE_BARRIER;
    op->root = UINT32_MAX;
    op->instance = op->bytes_sent = op->bytes_received = 0;
    op->vector = NULL;
}

static inline uint64_t *trace_dumpi_words(const struct trace_dumpi_queue *queue,
                                          const struct trace_dumpi_slot *slot)
{
    return queue->words + (slot->words - queue->words_begin);
}

/* In the usual case the queue is empty, and a slot goes in and out at the same place. */
static inline struct trace_dumpi_slot *trace_dumpi_append(struct trace_dumpi_queue *queue)
{
    struct trace_dumpi_slot *slot;

    if (queue->tail - queue->head == queue->capacity && trace_dumpi_grow_slots(queue) != 0)
        return NULL;
    /* The usual case: nothing is queued, so no word is needed any more. */
    if (queue->head == queue->tail)
        queue->words_begin = queue->words_end;
    slot = trace_dumpi_slot_at(queue, queue->tail++);
    trace_dumpi_clear_op(&slot->op);
    slot->words = queue->words_end;
    slot->word_count = 0;
    slot->entry = TRACE_DUMPI_NO_ENTRY;
    slot->ordinal = 0;
    slot->guessed = false;
    slot->state = TRACE_DUMPI_READY;
    return slot;
}

#endif
