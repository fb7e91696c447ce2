/* Pools with lists of free elements: a loop of a million requests uses as many entries as are active at once.
 * Handles stay once seen, as their numbers are few. */
#include "traces/dumpi/active.h"

#include <stdlib.h>

#include "traces/queue.h"
#include "base/grow.h"

/* Leaves a valid empty one. */
void trace_dumpi_active_free(struct trace_dumpi_active *active)
{
    base_table_free(&active->numbers);
    free(active->handles);
    free(active->entries);
    free(active->templates);
    *active = (struct trace_dumpi_active){0};
}

/* Larger numbers are in a table, since hostile files have any. */
static int put_number(struct trace_dumpi_active *active, int64_t number, uint32_t index)
{
    if ((uint64_t)number >= TRACE_DUMPI_DIRECT_HANDLES)
        return base_table_put(&active->numbers, (uint64_t)number, 0, index);
    active->direct[number] = index + 1;
    return 0;
}

/* The handle of a number, made when it is new. NULL: no memory. Small numbers are an index away
 * (TRACE_DUMPI_DIRECT_HANDLES). Pointers to handles are good until the next is made. */
static struct trace_dumpi_handle *find_or_make(struct trace_dumpi_active *active, int64_t number)
{
    struct trace_dumpi_handle *handle = trace_dumpi_handle(active, number);
    uint32_t index = (uint32_t)active->handle_count;

    if (handle != NULL)
        return handle;
    if (index >= TRACE_DUMPI_NO_ENTRY - 1 ||
        base_grow(&active->handles, &active->handle_capacity, active->handle_count + 1,
                  sizeof *active->handles) != 0 ||
        put_number(active, number, index) != 0)
        return NULL;
    active->handle_count++;
    active->handles[index] =
        (struct trace_dumpi_handle){TRACE_DUMPI_NO_ENTRY, TRACE_DUMPI_NO_ENTRY, TRACE_DUMPI_NO_ENTRY};
    return &active->handles[index];
}

/* A free entry; TRACE_DUMPI_NO_ENTRY: no memory. From the list of free ones first, so that the pool is as large as
 * the most operations active at a time. */
static inline uint32_t get_entry(struct trace_dumpi_active *active)
{
    uint32_t index;

    if (active->free_entry != 0) {
        index = active->free_entry - 1;
        active->free_entry = active->entries[index].next;
        return index;
    }
    if (active->entry_count >= TRACE_DUMPI_NO_ENTRY - 1 ||
        base_grow(&active->entries, &active->entry_capacity, active->entry_count + 1,
                  sizeof *active->entries) != 0)
        return TRACE_DUMPI_NO_ENTRY;
    return (uint32_t)active->entry_count++;
}

/* Entries of one number are a list from the oldest to the newest: MPI completes operations that share a
 * handle in any order, and for those that recorders show this way (eager sends) the order makes no
 * difference. */
uint32_t trace_dumpi_entry_new(struct trace_dumpi_active *active, int64_t number,
                               enum trace_dumpi_entry_kind kind)
{
    struct trace_dumpi_handle *handle = number < 0 ? NULL : trace_dumpi_handle(active, number);
    uint32_t entry;

    if (number >= 0 && handle == NULL && (handle = find_or_make(active, number)) == NULL)
        return TRACE_DUMPI_NO_ENTRY;
    entry = get_entry(active);
    if (entry == TRACE_DUMPI_NO_ENTRY)
        return entry;
    active->entries[entry] =
        (struct trace_dumpi_entry){.kind = kind, .slot = TRACE_NO_SLOT, .next = TRACE_DUMPI_NO_ENTRY};
    if (handle == NULL)
        return entry;
    if (handle->first == TRACE_DUMPI_NO_ENTRY)
        handle->first = entry;
    else
        active->entries[handle->last].next = entry;
    handle->last = entry;
    active->active++;
    return entry;
}

/* A second MPI_Send_init under one number means that the first was freed unseen: it takes its place. */
struct trace_dumpi_template *trace_dumpi_template_new(struct trace_dumpi_active *active, int64_t number)
{
    struct trace_dumpi_handle *handle = find_or_make(active, number);

    if (handle == NULL)
        return NULL;
    if (handle->template != TRACE_DUMPI_NO_ENTRY)
        return &active->templates[handle->template];
    if (active->free_template != 0) {
        handle->template = active->free_template - 1;
        active->free_template = active->templates[handle->template].next_free;
    } else {
        if (active->template_count >= TRACE_DUMPI_NO_ENTRY - 1 ||
            base_grow(&active->templates, &active->template_capacity, active->template_count + 1,
                      sizeof *active->templates) != 0)
            return NULL;
        handle->template = (uint32_t)active->template_count++;
    }
    return &active->templates[handle->template];
}

/* The handle itself stays, and so do the operations that are active under it. */
void trace_dumpi_template_drop(struct trace_dumpi_active *active, struct trace_dumpi_handle *handle)
{
    if (handle->template == TRACE_DUMPI_NO_ENTRY)
        return;
    active->templates[handle->template].next_free = active->free_template;
    active->free_template = handle->template + 1;
    handle->template = TRACE_DUMPI_NO_ENTRY;
}
