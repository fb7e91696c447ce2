/* The records that nearly all are, counted by the survey in one go: sends, and receives and waits with a request, whose
 * communicator, datatype and peer are known and whose status says all. What the handlers do of it that the survey needs
 * (program-messages.c, program-receives.c, program-waits.c) is here without their questions:
 *
 *     record ─► usual? ─┬─► time, then counted
 *                       └─► no: nothing has happened, and its handler does it
 *
 * All questions come first, and none of them changes anything. */
#include "traces/dumpi/clock.h"
#include "traces/dumpi/handlers.h"

/* The places of the arguments. */
enum { COUNT, DATATYPE, PEER, TAG, COMM, REQUEST };

/* A message as the record names it. */
struct message {
    uint64_t bytes;        /* or the room for it */
    uint32_t communicator; /* of the program */
    uint32_t peer;         /* of the world */
};

/* False: something is out of the ordinary. */
TRACE_INLINE bool find_message(struct trace_dumpi_decoder *decoder, const struct dpt_value *values,
                               struct message *message)
{
    const struct trace_dumpi_group *group = trace_dumpi_group(decoder, values[COMM].number);
    int64_t size = dpt_datatype_size(decoder->stream, values[DATATYPE].number);
    int64_t count = values[COUNT].number;

    if (!group->known || values[PEER].number < 0 || count < 0 || size <= 0 || size > INT32_MAX)
        return false;
    message->bytes = (uint64_t)count * (uint64_t)size;
    message->communicator = group->index;
    message->peer = trace_dumpi_peer(decoder, group->index, values[PEER].number);
    return message->bytes <= decoder->limit_bytes && message->peer != UINT32_MAX;
}

/* A request whose number is that of a persistent one is a matter for its handler. */
TRACE_INLINE bool is_plain_request(const struct trace_dumpi_decoder *decoder, int64_t number)
{
    const struct trace_dumpi_handle *handle;

    if (number < 0)
        return false;
    handle = trace_dumpi_handle(&decoder->active, number);
    return handle != NULL && handle->template == TRACE_DUMPI_NO_ENTRY;
}

TRACE_INLINE int count_send(struct trace_dumpi_decoder *decoder, const struct dpt_record *record,
                            bool has_request)
{
    struct message message;

    if (record->values[TAG].number < 0 || !find_message(decoder, record->values, &message) ||
        (has_request && !is_plain_request(decoder, record->values[REQUEST].number)))
        return 0;
    trace_dumpi_take_time(decoder, record, false);
    trace_dumpi_pass(decoder);
    trace_dumpi_survey_send(decoder->survey, record->function, message.peer, message.bytes);
    if (has_request && trace_dumpi_entry_new(&decoder->active, record->values[REQUEST].number,
                                             TRACE_DUMPI_SENDING) == TRACE_DUMPI_NO_ENTRY)
        return trace_dumpi_no_memory(decoder);
    return 1;
}

/* A probe right before would have seen its message. */
TRACE_INLINE int count_ireceive(struct trace_dumpi_decoder *decoder, const struct dpt_record *record)
{
    int64_t tag = record->values[TAG].number, number = record->values[REQUEST].number;
    struct message message;

    if (decoder->probed_communicator != UINT32_MAX || !find_message(decoder, record->values, &message) ||
        !is_plain_request(decoder, number))
        return 0;
    trace_dumpi_take_time(decoder, record, false);
    return trace_dumpi_list_open(decoder, number,
                                 &(struct trace_dumpi_entry){.ordinal = decoder->receive_ordinal++,
                                                             .bytes = message.bytes,
                                                             .peer = message.peer,
                                                             .tag = tag < 0 ? TRACE_ANY_TAG : (uint32_t)tag,
                                                             .communicator = message.communicator}) ==
                   TRACE_DUMPI_NO_ENTRY
               ? -1
               : 1;
}

/* A receive says all by its status, if it is not longer than its room, and was posted with its sender and tag. */
TRACE_INLINE bool is_plain_receive(const struct trace_dumpi_entry *entry, const struct dpt_value *value)
{
    return value->present && value->number > 0 && !entry->cancelled && entry->peer != TRACE_ANY_SOURCE &&
           entry->tag != TRACE_ANY_TAG && value->statuses->bytes >= 0 &&
           ((uint64_t)value->statuses->bytes <= entry->bytes || entry->bytes == 0);
}

TRACE_INLINE int count_wait(struct trace_dumpi_decoder *decoder, const struct dpt_record *record)
{
    enum { WAITED_FOR, STATUS };
    const struct dpt_value *status = &record->values[STATUS];
    struct trace_dumpi_handle *handle =
        trace_dumpi_handle(&decoder->active, record->values[WAITED_FOR].number);
    struct trace_dumpi_entry *entry;

    if (handle == NULL || handle->first == TRACE_DUMPI_NO_ENTRY)
        return 0;
    entry = &decoder->active.entries[handle->first];
    if (entry->kind != TRACE_DUMPI_SENDING &&
        (entry->kind != TRACE_DUMPI_RECEIVING || !is_plain_receive(entry, status)))
        return 0;
    trace_dumpi_take_time(decoder, record, false);
    if (entry->kind == TRACE_DUMPI_RECEIVING)
        trace_dumpi_survey_receive(decoder->survey, decoder->rank, entry->function, entry->peer,
                                   (uint64_t)status->statuses->bytes, false);
    trace_dumpi_pass(decoder);
    trace_dumpi_entry_release(&decoder->active, trace_dumpi_entry_take(&decoder->active, handle));
    return 1;
}

int trace_dumpi_count_plain(struct trace_dumpi_decoder *decoder)
{
    const struct dpt_record *record = decoder->record;
    int counted;

    if (decoder->ended || decoder->thread != record->thread)
        return 0;
    switch (record->function) {
    case DPT_MPI_Send:
        counted = count_send(decoder, record, false);
        break;
    case DPT_MPI_Isend:
        counted = count_send(decoder, record, true);
        break;
    case DPT_MPI_Irecv:
        counted = count_ireceive(decoder, record);
        break;
    case DPT_MPI_Wait:
        counted = count_wait(decoder, record);
        break;
    default:
        return 0;
    }
    if (counted > 0)
        decoder->failed_tests = 0;
    return counted;
}
