/* Requests that are open: a pool with a hash table over it. Its size is that of the longest set that is open
 * at once, not that of the trace. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "traces/writers/internal.h"

/* Entries of requests that were completed are used again. */
static uint32_t take_entry(struct trace_open_requests *requests)
{
    uint32_t entry = requests->free_first;

    if (entry != 0) {
        requests->free_first = requests->all[entry - 1].next;
        return entry - 1;
    }
    if (requests->count >= UINT32_MAX - 1 ||
        base_grow(&requests->all, &requests->capacity, requests->count + 1, sizeof *requests->all) != 0)
        return BASE_TABLE_NONE;
    requests->all[requests->count].sizes = NULL;
    return (uint32_t)requests->count++;
}

/* To the front of the list of free entries. */
static void give_back(struct trace_open_requests *requests, uint32_t entry)
{
    requests->all[entry].next = requests->free_first;
    requests->free_first = entry + 1;
}

/* Numbers are never used twice in a stream (program.h), so there is no older one to look for. */
struct trace_open_request *trace_open_requests_add(struct trace_open_requests *requests,
                                                   const struct trace_op *op)
{
    uint32_t entry = take_entry(requests);

    if (entry == BASE_TABLE_NONE)
        return NULL;
    if (base_table_put(&requests->index, op->request, 0, entry) != 0) {
        give_back(requests, entry);
        return NULL;
    }
    requests->all[entry] = (struct trace_open_request){.op = *op};
    requests->all[entry].op.requests = NULL;
    requests->all[entry].op.vector = NULL;
    return &requests->all[entry];
}

/* Only open requests are in the table. */
struct trace_open_request *trace_open_requests_find(struct trace_open_requests *requests, uint64_t request)
{
    uint32_t entry = base_table_get(&requests->index, request, 0);
    return entry == BASE_TABLE_NONE ? NULL : &requests->all[entry];
}

/* Both halves are one allocation. */
int trace_open_request_keep_vector(struct trace_open_request *request, const struct trace_op *op)
{
    size_t size = op->vector == NULL ? 0 : op->vector->size;

    if (size == 0)
        return 0;
    request->sizes = calloc(2 * size, sizeof *request->sizes);
    if (request->sizes == NULL)
        return -1;
    memcpy(request->sizes, op->vector->sent, size * sizeof *request->sizes);
    memcpy(request->sizes + size, op->vector->received, size * sizeof *request->sizes);
    request->vector = *op->vector;
    request->vector.sent = request->sizes;
    request->vector.received = request->sizes + size;
    return 0;
}

/* The vector lies in the request, since the reader's own is gone with the next operation. */
struct trace_op trace_open_request_op(const struct trace_open_request *request)
{
    struct trace_op op = request->op;

    op.vector = request->sizes == NULL ? NULL : &request->vector;
    return op;
}

/* A request that is not open is none: waits may name it again. */
void trace_open_requests_remove(struct trace_open_requests *requests, uint64_t request)
{
    uint32_t entry = base_table_get(&requests->index, request, 0);

    if (entry == BASE_TABLE_NONE)
        return;
    base_table_remove(&requests->index, request, 0);
    free(requests->all[entry].sizes);
    requests->all[entry].sizes = NULL;
    give_back(requests, entry);
}

/* In the order in which they were started. */
static int compare_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* An entry is open when it is found under its own number. */
int trace_open_requests_list(const struct trace_open_requests *requests, uint64_t **list, size_t *count)
{
    *count = 0;
    *list = malloc((requests->count + 1) * sizeof **list);
    if (*list == NULL)
        return -1;
    for (size_t i = 0; i < requests->count; i++)
        if (base_table_get(&requests->index, requests->all[i].op.request, 0) == i)
            (*list)[(*count)++] = requests->all[i].op.request;
    qsort(*list, *count, sizeof **list, compare_numbers);
    return 0;
}

/* For the next rank. */
void trace_open_requests_clear(struct trace_open_requests *requests)
{
    base_table_free(&requests->index);
    for (size_t i = 0; i < requests->count; i++)
        free(requests->all[i].sizes);
    free(requests->all);
    *requests = (struct trace_open_requests){0};
}
