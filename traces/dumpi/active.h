/* What the requests of one rank stand for, from their start until their wait has been taken. Recorders number
 * request handles; MPI gives handles again, and gives one handle to several operations at once (eager sends):
 * so each number has a queue, of which a completion ends the oldest.
 *
 *     number 9    persistent template     active: entry 3 -> entry 5
 *     number 2                            active: entry 0 */
#ifndef TRACE_DUMPI_ACTIVE_H
#define TRACE_DUMPI_ACTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/table.h"

#define TRACE_DUMPI_NO_ENTRY UINT32_MAX

enum trace_dumpi_entry_kind {
    TRACE_DUMPI_FREE,    /* an entry of the pool */
    TRACE_DUMPI_NOTHING, /* no operation: MPI_PROC_NULL, a generalised request */
    TRACE_DUMPI_SENDING,
    TRACE_DUMPI_RECEIVING, /* in the queue, its message is not known yet */
    TRACE_DUMPI_EXPIRED,   /* the same, but it has been taken as it was posted */
    TRACE_DUMPI_KNOWN      /* a receive, all is known */
};

/* An operation with a request. A receive keeps what it was posted with. */
struct trace_dumpi_entry {
    uint64_t number;         /* of the request in the program, once its operation was taken */
    uint64_t slot;           /* of the operation, in the queue; of an open receive of the survey, its place
                                         among all operations */
    uint64_t ordinal, bytes; /* of a receive: which one of the rank, and its room */
    uint32_t peer, tag, communicator; /* of a receive: as posted */
    uint32_t next;                    /* of the same number, or of the free ones */
    enum trace_dumpi_entry_kind kind; /* of a receive it changes as more is known */
    uint32_t function;                /* the survey: of an open receive, the call that posted it */
    bool taken, forgotten;            /* forgotten: nobody waits for it, so that it is free once taken */
    bool cancelled;                   /* MPI_Cancel was called */
    bool maybe_null;                  /* the source may be MPI_PROC_NULL as well as MPI_ANY_SOURCE */
};

/* What MPI_Send_init and the like keep. */
struct trace_dumpi_template {
    int64_t peer, tag;     /* as in the record */
    uint32_t communicator; /* resolved: the handle may be freed and given again before the start */
    uint64_t bytes;        /* of a message to be sent; of a receive its room */
    unsigned flags;        /* of the operation */
    bool is_send;          /* else a receive */
    uint32_t next_free;    /* plus one; 0: none */
};

struct trace_dumpi_handle {
    uint32_t first, last; /* entries */
    uint32_t template;    /* or TRACE_DUMPI_NO_ENTRY */
};

/* Handles whose numbers are below this are found without a search: recorders give small numbers again. */
#define TRACE_DUMPI_DIRECT_HANDLES 256

/* A zeroed struct is a valid empty one. */
struct trace_dumpi_active {
    uint32_t direct[TRACE_DUMPI_DIRECT_HANDLES]; /* number -> handles, plus one; 0: none */
    struct base_table numbers;                   /* the same for larger and negative numbers */
    struct trace_dumpi_handle *handles;          /* never fewer: numbers are given again */
    struct trace_dumpi_entry *entries;           /* a pool, as the templates are */
    struct trace_dumpi_template *templates;
    size_t handle_count, handle_capacity, entry_count, entry_capacity, template_count, template_capacity;
    uint32_t free_entry, free_template; /* plus one; 0: none */
    size_t active;                      /* entries in queues */
};

void trace_dumpi_active_free(struct trace_dumpi_active *active);
/* A new entry, in the queue of a handle; -1 as `number` for an entry in no queue. Returns its index;
 * TRACE_DUMPI_NO_ENTRY: no memory. The entry is zeroed. */
uint32_t trace_dumpi_entry_new(struct trace_dumpi_active *active, int64_t number,
                               enum trace_dumpi_entry_kind kind);
/* The last one freed is the first one used again, while it is in the cache. */
static inline void trace_dumpi_entry_release(struct trace_dumpi_active *active, uint32_t entry)
{
    active->entries[entry].kind = TRACE_DUMPI_FREE;
    active->entries[entry].next = active->free_entry;
    active->free_entry = entry + 1;
}
/* The handle of that number, or NULL when it was never seen. */
static inline struct trace_dumpi_handle *trace_dumpi_handle(const struct trace_dumpi_active *active,
                                                            int64_t number)
{
    uint32_t index;

    if ((uint64_t)number < TRACE_DUMPI_DIRECT_HANDLES)
        return active->direct[number] == 0 ? NULL : &active->handles[active->direct[number] - 1];
    index = base_table_get(&active->numbers, (uint64_t)number, 0);
    return index == BASE_TABLE_NONE ? NULL : &active->handles[index];
}
/* Takes the oldest entry out of a handle's queue, which is not empty. It lives on: the set of a wait refers to it until
 * that wait is taken. */
static inline uint32_t trace_dumpi_entry_take(struct trace_dumpi_active *active,
                                              struct trace_dumpi_handle *handle)
{
    uint32_t entry = handle->first;

    handle->first = active->entries[entry].next;
    active->active--;
    return entry;
}
/* Makes the handle persistent; its template, to be filled, or NULL: no memory. */
struct trace_dumpi_template *trace_dumpi_template_new(struct trace_dumpi_active *active, int64_t number);
void trace_dumpi_template_drop(struct trace_dumpi_active *active, struct trace_dumpi_handle *handle);

#endif
