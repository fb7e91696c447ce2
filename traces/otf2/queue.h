/* The operations that a decoder has produced and nobody has taken yet. Only a receive whose message is not
 * known holds the queue up; everything behind it waits, so the queue is as long as the look-ahead. */
#ifndef TRACE_OTF2_QUEUE_H
#define TRACE_OTF2_QUEUE_H

#include <stdbool.h>

#include "traces/program.h"

/* For what is done for every event, at a few places each. */
#define TRACE_OTF2_INLINE static inline __attribute__((always_inline))

enum trace_otf2_slot_state {
    TRACE_OTF2_READY,
    TRACE_OTF2_OPEN, /* a receive without its source, tag and size */
    TRACE_OTF2_DEAD  /* left out */
};

struct trace_otf2_slot {
    struct trace_op op;
    uint64_t set_begin; /* of a wait only: its requests are set_begin .. + op.request_count of all requests
                           ever queued */
    enum trace_otf2_slot_state state;
    uint64_t ordinal; /* of a receive: which of the rank's, in the order they are posted. Of a collective: how
                         many calls had made communicators before it */
};

/* A zeroed struct is a valid empty one. Slots are numbered from 0 in the order they are pushed: head <=
 * number < tail. */
struct trace_otf2_queue {
    struct trace_otf2_slot *slots; /* a ring: slot n is at n modulo capacity, a power of two */
    uint64_t head, tail;
    size_t capacity;
    uint64_t *requests; /* the sets of the waits in the queue: entry n is at n - requests_begin */
    uint64_t requests_begin, requests_end;
    size_t requests_capacity;
};

void trace_otf2_queue_free(struct trace_otf2_queue *queue);

/* Makes room for another operation; for trace_otf2_append. */
int trace_otf2_queue_grow(struct trace_otf2_queue *queue);
/* Copies the requests of a wait, which is to be appended with set_begin as requests_end is before. -1 when
 * memory is out. */
int trace_otf2_queue_requests(struct trace_otf2_queue *queue, const uint64_t *requests, size_t count);

/* The same for a wait for one. */
TRACE_OTF2_INLINE int trace_otf2_queue_request(struct trace_otf2_queue *queue, uint64_t request)
{
    uint64_t used = queue->requests_end - queue->requests_begin;

    if (used == queue->requests_capacity)
        return trace_otf2_queue_requests(queue, &request, 1);
    queue->requests[used] = request;
    queue->requests_end++;
    return 0;
}

/* Numbers only grow; the ring repeats. */
TRACE_OTF2_INLINE struct trace_otf2_slot *trace_otf2_slot_at(const struct trace_otf2_queue *queue,
                                                             uint64_t number)
{
    return &queue->slots[number & (queue->capacity - 1)];
}

/* An operation without content. Field by field: compilers merge these stores, and leave out what is set right after
 * them, where they would zero or copy the whole by a loop. */
TRACE_OTF2_INLINE void trace_otf2_blank(struct trace_op *op)
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
TRACE_OTF2_INLINE struct trace_otf2_slot *trace_otf2_append(struct trace_otf2_queue *queue)
{
    struct trace_otf2_slot *slot;

    if (queue->tail - queue->head == queue->capacity && trace_otf2_queue_grow(queue) != 0)
        return NULL;
    slot = trace_otf2_slot_at(queue, queue->tail++);
    trace_otf2_blank(&slot->op);
    slot->state = TRACE_OTF2_READY;
    slot->ordinal = 0;
    return slot;
}

/* The slot with this number, or NULL when it has left the queue. */
static inline struct trace_otf2_slot *trace_otf2_slot(struct trace_otf2_queue *queue, uint64_t number)
{
    return number < queue->head || number >= queue->tail ? NULL : trace_otf2_slot_at(queue, number);
}

/* The first slot that is not dead, or NULL in an empty queue. Dead ones before it are removed: here and not
 * where they die, so that numbers stay consecutive. */
static inline struct trace_otf2_slot *trace_otf2_first(struct trace_otf2_queue *queue)
{
    while (queue->head < queue->tail && trace_otf2_slot_at(queue, queue->head)->state == TRACE_OTF2_DEAD)
        queue->head++;
    return queue->head < queue->tail ? trace_otf2_slot_at(queue, queue->head) : NULL;
}

/* Removes the first slot, which this is, and copies its operation and ordinal; the requests of a wait are
 * borrowed until the next push. */
static inline void trace_otf2_pop(struct trace_otf2_queue *queue, const struct trace_otf2_slot *slot,
                                  struct trace_op *op, uint64_t *ordinal)
{
    queue->head++;
    *op = slot->op;
    *ordinal = slot->ordinal;
    if (op->kind == TRACE_WAIT)
        op->requests = queue->requests + (slot->set_begin - queue->requests_begin);
}

#endif
