/* Queues of operations by request number: a small hash table of queues whose entries are one pool of links.
 *
 *     queues       2: first -> 5 -> 7 <- last      9: first -> 1 <- last
 *     operations   [0] free  [1] token  [2] free  ...  [5] token, next 7  ...  [7] token
 *
 * Eager sends often share one number, and receives of one loop have as many as the loop is long: so neither a
 * table by number alone nor a list of all operations would do. Nothing depends on the order of the table. */
#include <stdlib.h>

#include "traces/dumpitrace/dumpitrace.h"

#define NONE SIZE_MAX

struct operation {
    uint64_t token; /* the caller's own name for it */
    size_t next;    /* in its queue, or in the list of free ones */
};

struct queue {
    int64_t request;    /* the handle's number in the trace */
    size_t first, last; /* NONE in both: empty */
    bool used;
};

struct dpt_requests {
    struct queue *queues; /* open addressing; a number that was seen keeps its queue */
    size_t queue_room, queue_count;
    struct operation *operations;      /* a pool, linked by index */
    size_t operation_room, first_free; /* first_free: NONE when all are in use */
    size_t active;                     /* started and not completed */
};

/* NULL: no memory. Arrays are made with the first request. */
struct dpt_requests *dpt_requests_new(void)
{
    struct dpt_requests *requests = calloc(1, sizeof *requests);

    if (requests != NULL)
        requests->first_free = NONE;
    return requests;
}

/* NULL is legal. Tokens are the caller's own. */
void dpt_requests_free(struct dpt_requests *requests)
{
    if (requests == NULL)
        return;
    free(requests->queues);
    free(requests->operations);
    free(requests);
}

/* The queue of a number, or the free place for it. There is always one: the table is at most half full. */
static struct queue *find(struct queue *queues, size_t room, int64_t request)
{
    size_t at = (size_t)((uint64_t)request * UINT64_C(0x9E3779B97F4A7C15) >> 32) % room;

    while (queues[at].used && queues[at].request != request)
        at = (at + 1) % room;
    return &queues[at];
}

/* Twice the room; the queues keep their operations, which they name by their places in the pool. */
static int grow_queues(struct dpt_requests *requests)
{
    size_t room = requests->queue_room == 0 ? 64 : 2 * requests->queue_room;
    struct queue *queues = calloc(room, sizeof *queues);

    if (queues == NULL)
        return -1;
    for (size_t i = 0; i < requests->queue_room; i++)
        if (requests->queues[i].used)
            *find(queues, room, requests->queues[i].request) = requests->queues[i];
    free(requests->queues);
    requests->queues = queues;
    requests->queue_room = room;
    return 0;
}

/* Twice the room; the new half is the list of free ones. */
static int grow_operations(struct dpt_requests *requests)
{
    size_t old = requests->operation_room, room = old == 0 ? 64 : 2 * old;
    struct operation *operations = realloc(requests->operations, room * sizeof *operations);

    if (operations == NULL)
        return -1;
    for (size_t i = old; i < room; i++)
        operations[i].next = i + 1 < room ? i + 1 : NONE;
    requests->operations = operations;
    requests->operation_room = room;
    requests->first_free = old;
    return 0;
}

/* At the end of the number's queue. -1: no memory, and nothing has changed. O(1), amortised. */
int dpt_requests_start(struct dpt_requests *requests, int64_t request, uint64_t token)
{
    struct queue *queue;
    size_t at;

    if (requests->first_free == NONE && grow_operations(requests) != 0)
        return -1;
    if (2 * requests->queue_count >= requests->queue_room && grow_queues(requests) != 0)
        return -1;
    queue = find(requests->queues, requests->queue_room, request);
    if (!queue->used) {
        *queue = (struct queue){request, NONE, NONE, true};
        requests->queue_count++;
    }
    at = requests->first_free;
    requests->first_free = requests->operations[at].next;
    requests->operations[at] = (struct operation){token, NONE};
    if (queue->first == NONE)
        queue->first = at;
    else
        requests->operations[queue->last].next = at;
    queue->last = at;
    requests->active++;
    return 0;
}

/* The oldest operation of the number; false where there is none, or the number was never seen. O(1). */
bool dpt_requests_complete(struct dpt_requests *requests, int64_t request, uint64_t *token)
{
    struct queue *queue;
    size_t at;

    if (requests->queue_room == 0)
        return false;
    queue = find(requests->queues, requests->queue_room, request);
    if (!queue->used || queue->first == NONE)
        return false;
    at = queue->first;
    *token = requests->operations[at].token;
    queue->first = requests->operations[at].next;
    if (queue->first == NONE)
        queue->last = NONE;
    requests->operations[at].next = requests->first_free;
    requests->first_free = at;
    requests->active--;
    return true;
}

/* Over all numbers. */
size_t dpt_requests_active(const struct dpt_requests *requests)
{
    return requests->active;
}
