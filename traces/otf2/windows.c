/* One-sided communication and files. A record of a put or a get is an operation of its own, whose request
 * stays with its window until the call that closes the epoch: fence, unlock, flush, complete. What such
 * calls, and those on files, stand for is the rule of implied.h; which window or file a call is about is said
 * by the records inside it.
 *
 *     MPI_Put      RmaPut to rank 1, 100 bytes         put 1 100 #4
 *     MPI_Fence    RmaCollectiveEnd on the window      wait 4; barrier on the window's communicator
 *
 * A call without such a record has only its time, which is compute. */
#include "base/grow.h"
#include "traces/communicators/implied.h"
#include "traces/otf2/decoder.h"

#define ANY_WINDOW UINT32_MAX

/* Sets the error; returns -1. */
static int no_memory(struct trace_otf2_decoder *decoder)
{
    return base_error_memory(decoder->error, "the one-sided operations of a rank");
}

/* The communicator of a window or file, if it is one that messages go through. */
static uint32_t communicator_of(const struct trace_otf2_decoder *decoder, const struct base_table *objects,
                                uint32_t id)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;
    uint32_t index = base_table_get(objects, id, 0);

    if (index >= definitions->communicator_count ||
        trace_otf2_member(definitions, index, decoder->rank) == UINT32_MAX ||
        definitions->communicators[index].size == 1)
        return UINT32_MAX;
    return index;
}

/* A record inside a call names its window or file; the first counts. */
int trace_otf2_decode_object(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;

    if (decoder->call_object != UINT32_MAX)
        return 0;
    decoder->call_window = event->kind == TRACE_OTF2_RMA_WINDOW ? event->peer : ANY_WINDOW;
    decoder->call_object = communicator_of(
        decoder, event->kind == TRACE_OTF2_RMA_WINDOW ? &definitions->windows : &definitions->files,
        event->peer);
    return 0;
}

/* The transfer waits for the end of its epoch. */
static int add_pending(struct trace_otf2_decoder *decoder, const struct trace_otf2_pending_access *pending)
{
    if (base_grow(&decoder->pending, &decoder->pending_capacity, decoder->pending_count + 1,
                  sizeof *decoder->pending) != 0)
        return no_memory(decoder);
    decoder->pending[decoder->pending_count++] = *pending;
    return 0;
}

/* A transfer goes on by itself until its epoch is closed. What stays within the process is left out. Checked like
 * a message: the size against the limit, the target against the members. */
int trace_otf2_decode_transfer(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;
    uint32_t index = communicator_of(decoder, &definitions->windows, event->communicator);
    bool gets = event->kind == TRACE_OTF2_GET;
    struct trace_op op = trace_otf2_new_op(decoder, gets ? TRACE_GET : TRACE_PUT);

    if (event->bytes > decoder->context->options.message_limit_bytes)
        return trace_otf2_damaged(decoder, event, "a transfer of %llu bytes is over the limit of %llu",
                                  (unsigned long long)event->bytes,
                                  (unsigned long long)decoder->context->options.message_limit_bytes);
    if (index == UINT32_MAX) {
        trace_otf2_count_left_out(decoder);
        return 0;
    }
    if (event->peer >= definitions->communicators[index].size)
        return trace_otf2_damaged(decoder, event, "rank %u in communicator \"%s\", which has %u members",
                                  event->peer, definitions->communicators[index].name,
                                  definitions->communicators[index].size);
    op.flags = TRACE_NONBLOCKING | TRACE_APPROXIMATED;
    op.peer = definitions->communicators[index].members[event->peer];
    op.communicator = index;
    op.bytes = event->bytes;
    op.request = decoder->next_number++;
    trace_otf2_count_bytes(decoder, event->bytes);
    if (trace_otf2_note_use(decoder, index) != 0 || trace_otf2_emit(decoder, &op) == NULL)
        return -1;
    return add_pending(decoder,
                       &(struct trace_otf2_pending_access){op.request, event->request, event->communicator});
}

/* A transfer with a request of its own (MPI_Rput) is complete in the wait for that; the same record inside
 * another call only says that its buffer is free again. */
int trace_otf2_decode_transferred(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    enum trace_otf2_class class = trace_otf2_current_class(decoder);

    if (class != TRACE_OTF2_WAIT_ONE && class != TRACE_OTF2_WAIT_ALL && class != TRACE_OTF2_TEST)
        return 0;
    for (size_t i = 0; i < decoder->pending_count; i++) {
        uint64_t number = decoder->pending[i].number;
        if (decoder->pending[i].window != event->communicator || decoder->pending[i].id != event->request)
            continue;
        memmove(&decoder->pending[i], &decoder->pending[i + 1],
                (--decoder->pending_count - i) * sizeof *decoder->pending);
        return trace_otf2_complete(decoder, number);
    }
    return 0;
}

/* Takes the transfers of the call's window, or all, into the set that the call completes. Those that stay are
 * moved to the front, in their order. ANY_WINDOW: of every window. */
static int take_pending(struct trace_otf2_decoder *decoder)
{
    size_t kept = 0;

    for (size_t i = 0; i < decoder->pending_count; i++) {
        struct trace_otf2_pending_access pending = decoder->pending[i];
        if (decoder->call_window != ANY_WINDOW && pending.window != decoder->call_window)
            decoder->pending[kept++] = pending;
        else if (trace_otf2_complete(decoder, pending.number) != 0)
            return -1;
    }
    decoder->pending_count = kept;
    return 0;
}

/* The operations of a rule in the order of implied.h. Waits are made by the decoder, as in other calls. */
int trace_otf2_end_object_call(struct trace_otf2_decoder *decoder, const char *call)
{
    const struct trace_implied_call *rule = trace_implied_find(call);
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_COLLECTIVE_CALL);

    if (rule == NULL)
        return 0;
    if (rule->completes && take_pending(decoder) != 0)
        return -1;
    if (trace_otf2_emit_wait(decoder, TRACE_IMPLIED | TRACE_APPROXIMATED) != 0)
        return -1;
    if (!rule->agrees || decoder->call_object == UINT32_MAX)
        return 0;
    op.flags = TRACE_IMPLIED | TRACE_APPROXIMATED;
    op.collective = rule->collective;
    op.communicator = decoder->call_object;
    op.bytes = rule->bytes;
    return trace_otf2_emit(decoder, &op) == NULL ? -1 : 0;
}

/* At the end of the program nobody closes an epoch any more. */
int trace_otf2_complete_transfers(struct trace_otf2_decoder *decoder)
{
    decoder->call_window = ANY_WINDOW;
    return take_pending(decoder) != 0 ? -1 : trace_otf2_emit_wait(decoder, TRACE_REPAIRED);
}
