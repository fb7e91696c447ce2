/* Calls that complete requests, and polling.
 *
 * Every completing call becomes one wait for exactly the requests that it completed, and none when that is
 * no operation (MPI_PROC_NULL, inactive or null requests, requests of calls that are not recorded).
 *
 * A program that polls calls tests until one succeeds. On another network it would call them more or less
 * often: so the run of them becomes a wait at the first, and what was computed between them is dropped
 * (options.keep_polling keeps it).
 *
 *     Test 0 | 5 us | Test 0 | 5 us | Test 1        wait */
#include "traces/dumpi/program.h"

#include "traces/dumpi/handlers.h"

/* To the survey a wait is nothing but the end of its requests. */
static void pass_wait(struct trace_dumpi_decoder *decoder)
{
    trace_dumpi_pass(decoder);
    for (size_t i = 0; i < decoder->completed_count; i++)
        if ((decoder->completed[i] & TRACE_DUMPI_KEEP_ENTRY) == 0)
            trace_dumpi_entry_release(&decoder->active, (uint32_t)decoder->completed[i]);
    decoder->completed_count = 0;
}

/* A call that completes no operation leaves no wait. Entries become request numbers only when the wait is taken
 * (take_set), since receives may turn out to be none. */
int trace_dumpi_emit_wait(struct trace_dumpi_decoder *decoder, unsigned flags)
{
    struct trace_slot *slot;
    uint64_t *words;

    /* The time in MPI_Wait for a request of MPI-IO is the file's, as that of blocking calls is. */
    if (decoder->completed_io && decoder->completed_count == 0)
        decoder->compute_ns += decoder->call_ns;
    decoder->completed_io = false;
    if (decoder->completed_count == 0)
        return 0;
    if (trace_dumpi_only_counts(decoder)) {
        pass_wait(decoder);
        return 0;
    }
    slot = trace_dumpi_emit(decoder, TRACE_WAIT);
    if (slot == NULL)
        return -1;
    slot->op.flags = flags;
    words = trace_queue_append_words(&decoder->queue, decoder->completed_count);
    if (words == NULL)
        return trace_dumpi_no_memory(decoder);
    for (size_t i = 0; i < decoder->completed_count; i++)
        words[i] = decoder->completed[i];
    decoder->completed_count = 0;
    return 0;
}

/* What had been computed before the first failure was needed anyway. */
void trace_dumpi_test_failed(struct trace_dumpi_decoder *decoder)
{
    if (decoder->failed_tests++ == 0)
        decoder->poll_compute_ns = decoder->compute_ns;
}

/* Ends the run of failures, if there was one. */
unsigned trace_dumpi_test_succeeded(struct trace_dumpi_decoder *decoder)
{
    uint64_t failed = decoder->failed_tests;

    decoder->failed_tests = 0;
    if (failed == 0 || decoder->context->options.keep_polling)
        return 0;
    decoder->compute_ns = decoder->poll_compute_ns;
    trace_dumpi_repair_times(decoder, TRACE_DUMPI_REPAIR_POLLING, failed);
    return TRACE_REPAIRED;
}

/* A request that nothing is known of: of MPI-IO, whose requests are numbered apart, or of an unrecorded call.
 */
static void complete_unknown(struct trace_dumpi_decoder *decoder, int64_t number)
{
    if (number <= DPT_REQUEST_NULL)
        return;
    if (decoder->pending_io > 0) {
        decoder->pending_io--;
        decoder->completed_io = true;
    } else {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_REQUEST);
    }
}

/* One request completes; status is NULL when the program ignored it. An unknown handle is a repair: it may be of a
 * call that was not recorded. */
static inline int complete(struct trace_dumpi_decoder *decoder, int64_t number,
                           const struct dpt_receive_status *status)
{
    struct trace_dumpi_handle *handle = trace_dumpi_handle(&decoder->active, number);
    bool absent = false;
    uint32_t entry;

    if (handle == NULL || handle->first == TRACE_DUMPI_NO_ENTRY) {
        /* An inactive persistent request completes at once, too. */
        if (handle == NULL || handle->template == TRACE_DUMPI_NO_ENTRY)
            complete_unknown(decoder, number);
        return 0;
    }
    entry = trace_dumpi_entry_take(&decoder->active, handle);
    if (decoder->active.entries[entry].kind == TRACE_DUMPI_RECEIVING ||
        decoder->active.entries[entry].kind == TRACE_DUMPI_EXPIRED) {
        if (trace_dumpi_resolve(decoder, entry, status, &absent) != 0)
            return -1;
    }
    if (absent || decoder->active.entries[entry].kind == TRACE_DUMPI_NOTHING) {
        trace_dumpi_entry_release(&decoder->active, entry);
        return 0;
    }
    return trace_dumpi_complete_entry(decoder, entry);
}

/* The status of a call that has one, or NULL. */
static const struct dpt_receive_status *status_at(const struct trace_dumpi_decoder *decoder,
                                                  unsigned position, int64_t index)
{
    const struct dpt_value *value = &decoder->record->values[position];

    return value->present && index < value->number ? &value->statuses[index] : NULL;
}

/* All of a list. Statuses are as many as requests, or none. */
static int complete_all(struct trace_dumpi_decoder *decoder, unsigned requests, unsigned statuses)
{
    const struct dpt_value *list = &decoder->record->values[requests];

    for (int64_t i = 0; i < list->number; i++)
        if (complete(decoder, list->numbers[i], status_at(decoder, statuses, i)) != 0)
            return -1;
    return 0;
}

/* One of a list: none when the index is MPI_UNDEFINED. */
static int complete_one(struct trace_dumpi_decoder *decoder, unsigned requests, int64_t index,
                        const struct dpt_receive_status *status)
{
    const struct dpt_value *list = &decoder->record->values[requests];

    return index < 0 || index >= list->number ? 0 : complete(decoder, list->numbers[index], status);
}

/* Those of a list that the call gives the indices of. */
static int complete_some(struct trace_dumpi_decoder *decoder)
{
    enum { COUNT, REQUESTS, OUTCOUNT, INDICES, STATUSES };
    const struct dpt_value *indices = &decoder->record->values[INDICES];
    int64_t outcount = trace_dumpi_argument(decoder, OUTCOUNT);

    for (int64_t i = 0; i < indices->number && i < outcount; i++)
        if (complete_one(decoder, REQUESTS, indices->numbers[i], status_at(decoder, STATUSES, i)) != 0)
            return -1;
    return 0;
}

/* The simplest of them. */
int trace_dumpi_on_wait(struct trace_dumpi_decoder *decoder)
{
    enum { REQUEST, STATUS };

    if (complete(decoder, trace_dumpi_argument(decoder, REQUEST), status_at(decoder, STATUS, 0)) != 0)
        return -1;
    return trace_dumpi_emit_wait(decoder, 0);
}

/* Only what it completed: the others may be complete too, and are reported by later calls. */
int trace_dumpi_on_waitany(struct trace_dumpi_decoder *decoder)
{
    enum { COUNT, REQUESTS, INDEX, STATUS };

    if (complete_one(decoder, REQUESTS, trace_dumpi_argument(decoder, INDEX),
                     status_at(decoder, STATUS, 0)) != 0)
        return -1;
    return trace_dumpi_emit_wait(decoder, 0);
}

/* The statuses are in the order of the requests. */
int trace_dumpi_on_waitall(struct trace_dumpi_decoder *decoder)
{
    enum { COUNT, REQUESTS, STATUSES };

    return complete_all(decoder, REQUESTS, STATUSES) != 0 ? -1 : trace_dumpi_emit_wait(decoder, 0);
}

/* The statuses are in the order of the indices. */
int trace_dumpi_on_waitsome(struct trace_dumpi_decoder *decoder)
{
    return complete_some(decoder) != 0 ? -1 : trace_dumpi_emit_wait(decoder, 0);
}

/* A test that failed is nothing but a part of a polling loop. */
static int failed(struct trace_dumpi_decoder *decoder)
{
    trace_dumpi_test_failed(decoder);
    return 0;
}

/* The wait is marked when failures went into it. */
static int succeeded(struct trace_dumpi_decoder *decoder)
{
    unsigned flags = trace_dumpi_test_succeeded(decoder);

    return trace_dumpi_emit_wait(decoder, flags);
}

/* Flag 0 says that nothing was completed, whatever the rest says. */
int trace_dumpi_on_test(struct trace_dumpi_decoder *decoder)
{
    enum { REQUEST, FLAG, STATUS };

    if (trace_dumpi_argument(decoder, FLAG) == 0)
        return failed(decoder);
    if (complete(decoder, trace_dumpi_argument(decoder, REQUEST), status_at(decoder, STATUS, 0)) != 0)
        return -1;
    return succeeded(decoder);
}

/* Flag 1 with MPI_UNDEFINED as the index: no request was active. */
int trace_dumpi_on_testany(struct trace_dumpi_decoder *decoder)
{
    enum { COUNT, REQUESTS, INDEX, FLAG, STATUS };

    if (trace_dumpi_argument(decoder, FLAG) == 0)
        return failed(decoder);
    if (complete_one(decoder, REQUESTS, trace_dumpi_argument(decoder, INDEX),
                     status_at(decoder, STATUS, 0)) != 0)
        return -1;
    return succeeded(decoder);
}

/* All or none. */
int trace_dumpi_on_testall(struct trace_dumpi_decoder *decoder)
{
    enum { COUNT, REQUESTS, FLAG, STATUSES };

    if (trace_dumpi_argument(decoder, FLAG) == 0)
        return failed(decoder);
    return complete_all(decoder, REQUESTS, STATUSES) != 0 ? -1 : succeeded(decoder);
}

/* A negative outcount is MPI_UNDEFINED: no request was active. */
int trace_dumpi_on_testsome(struct trace_dumpi_decoder *decoder)
{
    enum { COUNT, REQUESTS, OUTCOUNT };

    if (trace_dumpi_argument(decoder, OUTCOUNT) == 0)
        return failed(decoder);
    return complete_some(decoder) != 0 ? -1 : succeeded(decoder);
}

/* Looks at a request and leaves it active: a wait all the same, since the program went on by its answer. The flag
 * TRACE_DUMPI_KEEP_ENTRY keeps the entry in its handle's queue for the call that completes it. */
int trace_dumpi_on_get_status(struct trace_dumpi_decoder *decoder)
{
    enum { REQUEST, FLAG, STATUS };
    struct trace_dumpi_handle *handle =
        trace_dumpi_handle(&decoder->active, trace_dumpi_argument(decoder, REQUEST));
    const struct dpt_receive_status *status = status_at(decoder, STATUS, 0);
    enum trace_dumpi_entry_kind kind;
    bool absent = false;

    if (trace_dumpi_argument(decoder, FLAG) == 0)
        return failed(decoder);
    if (handle == NULL || handle->first == TRACE_DUMPI_NO_ENTRY)
        return succeeded(decoder);
    kind = decoder->active.entries[handle->first].kind;
    if (status != NULL && (kind == TRACE_DUMPI_RECEIVING || kind == TRACE_DUMPI_EXPIRED) &&
        trace_dumpi_resolve(decoder, handle->first, status, &absent) != 0)
        return -1;
    if (absent)
        decoder->active.entries[handle->first].kind = TRACE_DUMPI_NOTHING;
    else if (kind != TRACE_DUMPI_NOTHING &&
             trace_dumpi_complete_entry(decoder, handle->first | TRACE_DUMPI_KEEP_ENTRY) != 0)
        return -1;
    return succeeded(decoder);
}

/* The operation goes on, and nobody waits for it. A receive that was cancelled is none. What was persistent under
 * the handle ends; the operation that is active, if any, has no wait any more. */
int trace_dumpi_on_free(struct trace_dumpi_decoder *decoder)
{
    struct trace_dumpi_handle *handle =
        trace_dumpi_handle(&decoder->active, trace_dumpi_argument(decoder, 0));
    struct trace_dumpi_entry *entry;
    uint32_t index;
    bool absent = false;

    if (handle == NULL)
        return 0;
    trace_dumpi_template_drop(&decoder->active, handle);
    if (handle->first == TRACE_DUMPI_NO_ENTRY)
        return 0;
    index = trace_dumpi_entry_take(&decoder->active, handle);
    entry = &decoder->active.entries[index];
    if ((entry->kind == TRACE_DUMPI_RECEIVING || entry->kind == TRACE_DUMPI_EXPIRED) &&
        trace_dumpi_resolve(decoder, index, NULL, &absent) != 0)
        return -1;
    if (absent || entry->taken || trace_dumpi_only_counts(decoder) || entry->kind == TRACE_DUMPI_NOTHING)
        trace_dumpi_entry_release(&decoder->active, index);
    else
        entry->forgotten = true;
    return 0;
}

/* Whether it was too late shows in the status of the completion. */
int trace_dumpi_on_cancel(struct trace_dumpi_decoder *decoder)
{
    struct trace_dumpi_handle *handle =
        trace_dumpi_handle(&decoder->active, trace_dumpi_argument(decoder, 0));

    if (handle != NULL && handle->first != TRACE_DUMPI_NO_ENTRY)
        decoder->active.entries[handle->first].cancelled = true;
    return 0;
}
