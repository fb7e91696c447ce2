/* The requests of one rank that have been started and not been completed, found by the identifier that the
 * recorder wrote. Identifiers come again after completion (EZTrace: the address of the application's
 * variable). */
#ifndef TRACE_OTF2_REQUESTS_H
#define TRACE_OTF2_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/table.h"

enum trace_otf2_request_kind {
    TRACE_OTF2_REQUEST_SEND,
    TRACE_OTF2_REQUEST_RECEIVE,
    TRACE_OTF2_REQUEST_COLLECTIVE,
    TRACE_OTF2_REQUEST_NOTHING /* to MPI_PROC_NULL, within one process, or of an operation that is not
                                  replayed */
};

#define TRACE_OTF2_NO_REQUEST UINT32_MAX
#define TRACE_OTF2_NO_ORDINAL UINT64_MAX /* of a request that is no exception if it never completes */

struct trace_otf2_request {
    uint64_t id;                       /* as recorded */
    uint64_t number;                   /* in the program */
    uint64_t slot;                     /* the number of the receive or collective in the queue */
    uint64_t ordinal;                  /* which receive or which non-blocking send of the rank it is */
    enum trace_otf2_request_kind kind; /* of the operation that was started */
    bool known;                        /* the receive's message is known already */
    bool early;                        /* started before the rank made any communicator */
    bool unfinished; /* no completion will come: waits for the next wait call, in the list below */
    uint32_t previous, next;
};

#define TRACE_OTF2_FEW_REQUESTS 8

/* A zeroed struct must be set up by trace_otf2_requests_init. */
struct trace_otf2_requests {
    /* Most programs have few requests open at a time: identifiers go into this list while it has room, and
     * only then into the table. */
    struct {
        uint64_t id;    /* the recorder's identifier */
        uint32_t index; /* in `all` */
    } few[TRACE_OTF2_FEW_REQUESTS];
    uint32_t few_count;             /* of the list above */
    struct base_table ids;          /* identifier -> index, of all others */
    struct trace_otf2_request *all; /* free entries are linked by next */
    size_t count, capacity;
    uint32_t free_first, unfinished_first, unfinished_last; /* TRACE_OTF2_NO_REQUEST: none */
};

/* Without requests, of which none needs memory until one is begun. */
void trace_otf2_requests_init(struct trace_otf2_requests *requests);
void trace_otf2_requests_free(struct trace_otf2_requests *requests);

/* The index of the open request with this identifier, or TRACE_OTF2_NO_REQUEST. Recorders use identifiers
 * again once a request is complete, EZTrace thousands of times, so only open ones are found. */
static inline uint32_t trace_otf2_request_find(const struct trace_otf2_requests *requests, uint64_t id)
{
    for (uint32_t i = 0; i < requests->few_count; i++)
        if (requests->few[i].id == id)
            return requests->few[i].index;
    return requests->ids.count == 0 ? TRACE_OTF2_NO_REQUEST : base_table_get(&requests->ids, id, 0);
}

/* The place of an open request in the list of the few; few_count when it is not there. */
static inline uint32_t trace_otf2_request_place(const struct trace_otf2_requests *requests, uint64_t id)
{
    uint32_t place = 0;

    while (place < requests->few_count && requests->few[place].id != id)
        place++;
    return place;
}

/* Removes the one at such a place, which is not unfinished: the last takes its place. */
static inline void trace_otf2_request_remove_few(struct trace_otf2_requests *requests, uint32_t place)
{
    uint32_t index = requests->few[place].index;

    requests->few[place] = requests->few[--requests->few_count];
    requests->all[index].next = requests->free_first;
    requests->free_first = index;
}

/* Adds a request with an identifier that is not open. NULL when memory is out. Borrowed until the next
 * addition. */
struct trace_otf2_request *trace_otf2_request_add(struct trace_otf2_requests *requests,
                                                  const struct trace_otf2_request *request);
void trace_otf2_request_remove(struct trace_otf2_requests *requests, uint32_t index);

#endif
