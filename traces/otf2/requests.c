/* A pool with a hash table over it, and a list through those that never complete, oldest first. The
 * identifiers are the recorder's and come again; the numbers are the program's and never do. */
#include "traces/otf2/requests.h"

#include <stdlib.h>

#include "base/grow.h"

/* Needs no memory: the pool grows with the first request. */
void trace_otf2_requests_init(struct trace_otf2_requests *requests)
{
    *requests = (struct trace_otf2_requests){.free_first = TRACE_OTF2_NO_REQUEST,
                                             .unfinished_first = TRACE_OTF2_NO_REQUEST,
                                             .unfinished_last = TRACE_OTF2_NO_REQUEST};
}

/* Leaves a valid empty one. */
void trace_otf2_requests_free(struct trace_otf2_requests *requests)
{
    base_table_free(&requests->ids);
    free(requests->all);
    trace_otf2_requests_init(requests);
}

/* The identifier is not among those that are there. -1 when memory is out. */
static int add_id(struct trace_otf2_requests *requests, uint64_t id, uint32_t index)
{
    if (requests->few_count == TRACE_OTF2_FEW_REQUESTS)
        return base_table_put(&requests->ids, id, 0, index);
    requests->few[requests->few_count].id = id;
    requests->few[requests->few_count++].index = index;
    return 0;
}

/* The last of the list takes the place of the one that goes. */
static void remove_id(struct trace_otf2_requests *requests, uint64_t id)
{
    for (uint32_t i = 0; i < requests->few_count; i++) {
        if (requests->few[i].id == id) {
            requests->few[i] = requests->few[--requests->few_count];
            return;
        }
    }
    base_table_remove(&requests->ids, id, 0);
}

/* Entries are used again, so that a long program with few open requests needs few of them. */
static uint32_t take_entry(struct trace_otf2_requests *requests)
{
    uint32_t index = requests->free_first;

    if (index != TRACE_OTF2_NO_REQUEST) {
        requests->free_first = requests->all[index].next;
        return index;
    }
    if (requests->count >= TRACE_OTF2_NO_REQUEST ||
        base_grow(&requests->all, &requests->capacity, requests->count + 1, sizeof *requests->all) != 0)
        return TRACE_OTF2_NO_REQUEST;
    return (uint32_t)requests->count++;
}

/* At the end: the list is in the order in which the requests were started. */
static void link_unfinished(struct trace_otf2_requests *requests, uint32_t index)
{
    requests->all[index].previous = requests->unfinished_last;
    requests->all[index].next = TRACE_OTF2_NO_REQUEST;
    if (requests->unfinished_last != TRACE_OTF2_NO_REQUEST)
        requests->all[requests->unfinished_last].next = index;
    else
        requests->unfinished_first = index;
    requests->unfinished_last = index;
}

/* Takes a request out of the list of those whose completion has not been seen. */
static void unlink_unfinished(struct trace_otf2_requests *requests, const struct trace_otf2_request *request)
{
    if (request->previous != TRACE_OTF2_NO_REQUEST)
        requests->all[request->previous].next = request->next;
    else
        requests->unfinished_first = request->next;
    if (request->next != TRACE_OTF2_NO_REQUEST)
        requests->all[request->next].previous = request->previous;
    else
        requests->unfinished_last = request->previous;
}

/* When memory is out the requests are as before. */
struct trace_otf2_request *trace_otf2_request_add(struct trace_otf2_requests *requests,
                                                  const struct trace_otf2_request *request)
{
    uint32_t index = take_entry(requests);

    if (index == TRACE_OTF2_NO_REQUEST)
        return NULL;
    requests->all[index] = *request;
    if (add_id(requests, request->id, index) != 0) {
        requests->all[index].next = requests->free_first;
        requests->free_first = index;
        return NULL;
    }
    if (request->unfinished)
        link_unfinished(requests, index);
    return &requests->all[index];
}

/* The entry is used again for a later request; whoever kept its number has let go of it before. */
void trace_otf2_request_remove(struct trace_otf2_requests *requests, uint32_t index)
{
    struct trace_otf2_request *request = &requests->all[index];

    remove_id(requests, request->id);
    if (request->unfinished)
        unlink_unfinished(requests, request);
    request->next = requests->free_first;
    requests->free_first = index;
}
