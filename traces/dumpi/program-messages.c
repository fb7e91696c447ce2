/* Point-to-point calls: sends in all modes, receives, both at once, persistent requests, probes.
 *
 * The handles of communicators and datatypes are resolved where the call stands: both may be freed and given
 * again before the message is complete.
 *
 *     record ─► find_envelope: communicator, bytes ─► emit_send
 *                                                  └─► trace_dumpi_post (program-receives.c)
 *     MPI_..._init ─► make_template ─► start, once for each MPI_Start */
#include "traces/dumpi/program.h"

#include <inttypes.h>

#include "traces/dumpi/handlers.h"
#include "traces/dumpi/survey.h"

/* The places of the arguments that all sends and receives have in common. A blocking receive has its status
 * where a non-blocking call has its request. */
enum { COUNT, DATATYPE, PEER, TAG, COMM, REQUEST, STATUS = REQUEST };

/* Where and what, out of the arguments. */
struct envelope {
    uint32_t communicator; /* index in the program */
    uint64_t bytes;        /* count times the size of the datatype */
};

/* 1, or as trace_dumpi_fault. A message on an unknown communicator is kept, on one that stands for all
 * unknown ones: its peer may still be right. count and datatype give the bytes; comm is a handle. */
static inline int find_envelope(struct trace_dumpi_decoder *decoder, int64_t count, int64_t datatype,
                                int64_t comm, struct envelope *envelope)
{
    const struct trace_dumpi_group *group = trace_dumpi_group(decoder, comm);
    bool unknown;
    int good = trace_dumpi_bytes(decoder, count, datatype, &envelope->bytes, &unknown);

    envelope->communicator = group->index;
    if (!group->known)
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_COMMUNICATOR_MESSAGE);
    return good;
}

/* A request of no operation. The handle must mean something all the same: a wait for it would be one for an
 * unknown request. */
static int start_nothing(struct trace_dumpi_decoder *decoder, int64_t number)
{
    if (number < 0)
        return 0;
    return trace_dumpi_entry_new(&decoder->active, number, TRACE_DUMPI_NOTHING) == TRACE_DUMPI_NO_ENTRY
               ? trace_dumpi_no_memory(decoder)
               : 0;
}

/* A send of which nothing is emitted: a request of nothing, so that only one defect is told. */
static __attribute__((noinline)) int refuse_send(struct trace_dumpi_decoder *decoder, uint32_t communicator,
                                                 int64_t dest, int64_t tag, int64_t number)
{
    const struct trace_communicator *members = &decoder->context->communicators[communicator];
    int result =
        trace_dumpi_peer(decoder, communicator, dest) == UINT32_MAX
            ? trace_dumpi_fault(decoder, "rank-out-of-range",
                                "destination %" PRId64 " in communicator \"%s\", which has %u members", dest,
                                members->name, members->size)
            : trace_dumpi_fault(decoder, "negative-tag", "the tag %" PRId64 " of a send", tag);

    return result != 0 ? -1 : start_nothing(decoder, number);
}

/* The survey needs no more of a send. */
static inline int count_send(struct trace_dumpi_decoder *decoder, uint32_t peer, uint64_t bytes,
                             unsigned flags, int64_t number, uint32_t *entry)
{
    trace_dumpi_pass(decoder);
    trace_dumpi_survey_send(decoder->survey, decoder->record->function, peer, bytes);
    if ((flags & TRACE_NONBLOCKING) == 0)
        return 0;
    *entry = trace_dumpi_entry_new(&decoder->active, number, TRACE_DUMPI_SENDING);
    return *entry == TRACE_DUMPI_NO_ENTRY ? trace_dumpi_no_memory(decoder) : 0;
}

/* A send to a rank of the communicator. number is that of the request's handle, -1 for none; *entry is the
 * request's, when there is one. Tags and ranks are checked here: a negative tag, or a rank that the communicator
 * does not have, is a defect. */
static inline int emit_send(struct trace_dumpi_decoder *decoder, const struct envelope *envelope,
                            int64_t dest, int64_t tag, unsigned flags, int64_t number, uint32_t *entry)
{
    uint32_t peer = trace_dumpi_peer(decoder, envelope->communicator, dest);
    struct trace_slot *slot;

    *entry = TRACE_DUMPI_NO_ENTRY;
    if (peer == UINT32_MAX || tag < 0)
        return refuse_send(decoder, envelope->communicator, dest, tag, number);
    if (trace_dumpi_only_counts(decoder))
        return count_send(decoder, peer, envelope->bytes, flags, number, entry);
    slot = flags & TRACE_NONBLOCKING
               ? trace_dumpi_emit_request(decoder, TRACE_SEND, number, TRACE_DUMPI_SENDING)
               : trace_dumpi_emit(decoder, TRACE_SEND);
    if (slot == NULL)
        return -1;
    *entry = slot->entry;
    slot->op.flags |= flags;
    slot->op.peer = peer;
    slot->op.tag = (uint32_t)tag;
    slot->op.communicator = envelope->communicator;
    slot->op.bytes = envelope->bytes;
    return 0;
}

/* A request's handle stands for something new: what was persistent under it has been freed.
 * MPI_Request_free need not have been recorded for that. */
static inline void renew_handle(struct trace_dumpi_decoder *decoder, int64_t number)
{
    struct trace_dumpi_handle *handle = trace_dumpi_handle(&decoder->active, number);

    if (handle != NULL && handle->template != TRACE_DUMPI_NO_ENTRY)
        trace_dumpi_template_drop(&decoder->active, handle);
}

/* A blocking or non-blocking send. To MPI_PROC_NULL there is nothing to send. Arguments are only looked at
 * when there is somebody to send to: MPI lets them be anything else. */
static inline int on_send(struct trace_dumpi_decoder *decoder, unsigned flags)
{
    int64_t dest = trace_dumpi_argument(decoder, PEER);
    int64_t number = flags & TRACE_NONBLOCKING ? trace_dumpi_argument(decoder, REQUEST) : -1;
    struct envelope envelope;
    uint32_t entry;
    int good;

    if (number >= 0)
        renew_handle(decoder, number);
    if (dpt_destination_peer(dest) == DPT_PEER_NULL)
        return start_nothing(decoder, number);
    good =
        find_envelope(decoder, trace_dumpi_argument(decoder, COUNT), trace_dumpi_argument(decoder, DATATYPE),
                      trace_dumpi_argument(decoder, COMM), &envelope);
    if (good <= 0)
        return good < 0 ? -1 : start_nothing(decoder, number);
    return emit_send(decoder, &envelope, dest, trace_dumpi_argument(decoder, TAG), flags, number, &entry);
}

/* MPI_Rsend too: that its receive is posted is the program's promise, and changes nothing here. */
int trace_dumpi_on_send(struct trace_dumpi_decoder *decoder)
{
    return on_send(decoder, 0);
}

/* Complete when matched, whatever its size. */
int trace_dumpi_on_ssend(struct trace_dumpi_decoder *decoder)
{
    return on_send(decoder, TRACE_SYNCHRONOUS);
}

/* Complete at once: the attached buffer takes the data. */
int trace_dumpi_on_bsend(struct trace_dumpi_decoder *decoder)
{
    return on_send(decoder, TRACE_BUFFERED);
}

/* MPI_Irsend too. */
int trace_dumpi_on_isend(struct trace_dumpi_decoder *decoder)
{
    return on_send(decoder, TRACE_NONBLOCKING);
}

/* Its wait is what the match holds up. */
int trace_dumpi_on_issend(struct trace_dumpi_decoder *decoder)
{
    return on_send(decoder, TRACE_NONBLOCKING | TRACE_SYNCHRONOUS);
}

/* Its wait is never held up. */
int trace_dumpi_on_ibsend(struct trace_dumpi_decoder *decoder)
{
    return on_send(decoder, TRACE_NONBLOCKING | TRACE_BUFFERED);
}

/* The receive that a record's arguments describe; 1, or as trace_dumpi_fault. The caller adds the request,
 * the status and the flags, which differ by call. */
static inline int find_receive(struct trace_dumpi_decoder *decoder, struct trace_dumpi_receive *receive)
{
    struct envelope envelope;
    int good =
        find_envelope(decoder, trace_dumpi_argument(decoder, COUNT), trace_dumpi_argument(decoder, DATATYPE),
                      trace_dumpi_argument(decoder, COMM), &envelope);

    *receive = (struct trace_dumpi_receive){.source = trace_dumpi_argument(decoder, PEER),
                                            .tag = trace_dumpi_argument(decoder, TAG),
                                            .communicator = envelope.communicator,
                                            .room_bytes = envelope.bytes,
                                            .number = -1};
    return good;
}

/* The first status of a list that may be empty or missing. A missing one is what MPI_STATUS_IGNORE leaves
 * in the file, or a recorder that was told to write none. */
static const struct dpt_receive_status *first_status(const struct trace_dumpi_decoder *decoder,
                                                     unsigned position)
{
    const struct dpt_value *value = &decoder->record->values[position];

    return value->present && value->number > 0 ? &value->statuses[0] : NULL;
}

/* All is known at once, unless the program ignored the status. Then what was posted, or a probe right
 * before it, has to do. */
int trace_dumpi_on_receive(struct trace_dumpi_decoder *decoder)
{
    struct trace_dumpi_receive receive;
    int good = find_receive(decoder, &receive);

    receive.blocking = true;
    receive.status = first_status(decoder, STATUS);
    return good <= 0 ? good : trace_dumpi_post(decoder, &receive);
}

/* Who sent it shows when it completes: see program-receives.c. The handle is renewed also when the
 * record is left out. */
int trace_dumpi_on_ireceive(struct trace_dumpi_decoder *decoder)
{
    struct trace_dumpi_receive receive;
    int good;

    renew_handle(decoder, trace_dumpi_argument(decoder, REQUEST));
    good = find_receive(decoder, &receive);
    receive.number = trace_dumpi_argument(decoder, REQUEST);
    receive.flags = TRACE_NONBLOCKING; /* also where the number is damaged and names no request */
    if (good <= 0)
        return good < 0 ? -1 : start_nothing(decoder, receive.number);
    return trace_dumpi_post(decoder, &receive);
}

/* The receive first, then the send, then one wait for both: neither can hold up the other. MPI says that it
 * is as if both were non-blocking. Entries that are none are those of MPI_PROC_NULL, and of receives that
 * were no operation. */
static int exchange(struct trace_dumpi_decoder *decoder, struct trace_dumpi_receive *receive,
                    const struct envelope *sent, int64_t dest, int64_t tag)
{
    uint32_t entry = TRACE_DUMPI_NO_ENTRY;

    receive->flags = TRACE_NONBLOCKING;
    receive->number = -1;
    receive->blocking = true;
    if (trace_dumpi_post(decoder, receive) != 0)
        return -1;
    if (dpt_destination_peer(dest) == DPT_PEER_RANK &&
        emit_send(decoder, sent, dest, tag, TRACE_NONBLOCKING, -1, &entry) != 0)
        return -1;
    if (receive->entry != TRACE_DUMPI_NO_ENTRY && trace_dumpi_complete_entry(decoder, receive->entry) != 0)
        return -1;
    if (entry != TRACE_DUMPI_NO_ENTRY && trace_dumpi_complete_entry(decoder, entry) != 0)
        return -1;
    return trace_dumpi_emit_wait(decoder, 0);
}

/* Two counts, two datatypes, one communicator, and the status of the receive. Both envelopes are looked at
 * before anything is emitted: half an exchange would make its partner wait. The names of the enumeration are the
 * arguments' places in the record. */
int trace_dumpi_on_sendrecv(struct trace_dumpi_decoder *decoder)
{
    enum {
        SEND_COUNT,
        SEND_TYPE,
        DEST,
        SEND_TAG,
        RECEIVE_COUNT,
        RECEIVE_TYPE,
        SOURCE,
        RECEIVE_TAG,
        COMMUNICATOR,
        RECEIVE_STATUS
    };
    int64_t comm = trace_dumpi_argument(decoder, COMMUNICATOR);
    struct envelope sent, received;
    struct trace_dumpi_receive receive;
    int good = find_envelope(decoder, trace_dumpi_argument(decoder, SEND_COUNT),
                             trace_dumpi_argument(decoder, SEND_TYPE), comm, &sent);

    if (good > 0)
        good = find_envelope(decoder, trace_dumpi_argument(decoder, RECEIVE_COUNT),
                             trace_dumpi_argument(decoder, RECEIVE_TYPE), comm, &received);
    if (good <= 0)
        return good;
    receive = (struct trace_dumpi_receive){.source = trace_dumpi_argument(decoder, SOURCE),
                                           .tag = trace_dumpi_argument(decoder, RECEIVE_TAG),
                                           .communicator = received.communicator,
                                           .room_bytes = received.bytes,
                                           .status = first_status(decoder, RECEIVE_STATUS)};
    return exchange(decoder, &receive, &sent, trace_dumpi_argument(decoder, DEST),
                    trace_dumpi_argument(decoder, SEND_TAG));
}

/* The same room for both. What comes may be shorter: the room bounds it, and the status says it. */
int trace_dumpi_on_sendrecv_replace(struct trace_dumpi_decoder *decoder)
{
    enum { DATA_COUNT, DATA_TYPE, DEST, SEND_TAG, SOURCE, RECEIVE_TAG, COMMUNICATOR, RECEIVE_STATUS };
    struct envelope envelope;
    struct trace_dumpi_receive receive;
    int good = find_envelope(decoder, trace_dumpi_argument(decoder, DATA_COUNT),
                             trace_dumpi_argument(decoder, DATA_TYPE),
                             trace_dumpi_argument(decoder, COMMUNICATOR), &envelope);

    if (good <= 0)
        return good;
    receive = (struct trace_dumpi_receive){.source = trace_dumpi_argument(decoder, SOURCE),
                                           .tag = trace_dumpi_argument(decoder, RECEIVE_TAG),
                                           .communicator = envelope.communicator,
                                           .room_bytes = envelope.bytes,
                                           .status = first_status(decoder, RECEIVE_STATUS)};
    return exchange(decoder, &receive, &envelope, trace_dumpi_argument(decoder, DEST),
                    trace_dumpi_argument(decoder, SEND_TAG));
}

/* MPI_Send_init and the like: the arguments are kept for the starts. The communicator is resolved now: its
 * handle may be freed before the first start. A template is no operation: nothing is emitted before it is started. */
static int make_template(struct trace_dumpi_decoder *decoder, bool is_send, unsigned flags)
{
    struct trace_dumpi_template *template;
    struct envelope envelope;
    int good =
        find_envelope(decoder, trace_dumpi_argument(decoder, COUNT), trace_dumpi_argument(decoder, DATATYPE),
                      trace_dumpi_argument(decoder, COMM), &envelope);

    if (good <= 0)
        return good;
    template = trace_dumpi_template_new(&decoder->active, trace_dumpi_argument(decoder, REQUEST));
    if (template == NULL)
        return trace_dumpi_no_memory(decoder);
    *template = (struct trace_dumpi_template){.peer = trace_dumpi_argument(decoder, PEER),
                                              .tag = trace_dumpi_argument(decoder, TAG),
                                              .communicator = envelope.communicator,
                                              .bytes = envelope.bytes,
                                              .flags = TRACE_NONBLOCKING | flags,
                                              .is_send = is_send};
    return 0;
}

/* MPI_Rsend_init too. */
int trace_dumpi_on_send_init(struct trace_dumpi_decoder *decoder)
{
    return make_template(decoder, true, 0);
}

/* Each start is an MPI_Issend. */
int trace_dumpi_on_ssend_init(struct trace_dumpi_decoder *decoder)
{
    return make_template(decoder, true, TRACE_SYNCHRONOUS);
}

/* Each start is an MPI_Ibsend. */
int trace_dumpi_on_bsend_init(struct trace_dumpi_decoder *decoder)
{
    return make_template(decoder, true, TRACE_BUFFERED);
}

/* Each start is an MPI_Irecv, with a completion of its own. */
int trace_dumpi_on_receive_init(struct trace_dumpi_decoder *decoder)
{
    return make_template(decoder, false, 0);
}

/* One persistent request becomes active. The template stays as it is, for the next start. A start of a request
 * that was never made persistent is a repair, and stands for nothing. */
static int start(struct trace_dumpi_decoder *decoder, int64_t number)
{
    const struct trace_dumpi_handle *handle = trace_dumpi_handle(&decoder->active, number);
    struct trace_dumpi_template template;
    struct trace_dumpi_receive receive;
    struct envelope envelope;
    uint32_t entry;

    if (handle == NULL || handle->template == TRACE_DUMPI_NO_ENTRY) {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_REQUEST);
        return start_nothing(decoder, number);
    }
    template = decoder->active.templates[handle->template];
    if (!template.is_send) {
        receive = (struct trace_dumpi_receive){.source = template.peer,
                                               .tag = template.tag,
                                               .communicator = template.communicator,
                                               .room_bytes = template.bytes,
                                               .number = number};
        return trace_dumpi_post(decoder, &receive);
    }
    if (dpt_destination_peer(template.peer) == DPT_PEER_NULL)
        return start_nothing(decoder, number);
    envelope = (struct envelope){template.communicator, template.bytes};
    return emit_send(decoder, &envelope, template.peer, template.tag, template.flags, number, &entry);
}

/* The record has the number of the request only. */
int trace_dumpi_on_start(struct trace_dumpi_decoder *decoder)
{
    return start(decoder, trace_dumpi_argument(decoder, 0));
}

/* In the order of the list, which is that of posting. A start that is left out does not keep the others
 * from starting. */
int trace_dumpi_on_startall(struct trace_dumpi_decoder *decoder)
{
    enum { REQUEST_COUNT, REQUESTS };
    const struct dpt_value *list = &decoder->record->values[REQUESTS];

    for (int64_t i = 0; i < list->number; i++)
        if (start(decoder, list->numbers[i]) != 0)
            return -1;
    return 0;
}

/* A message has been seen: wait until it is there. Its status serves a receive right after it that ignores
 * its own. A probe for MPI_PROC_NULL returns at once. `status` is NULL where the program ignored it; then only
 * what was asked for is known. */
static int probe(struct trace_dumpi_decoder *decoder, int64_t source, int64_t tag, int64_t comm,
                 const struct dpt_receive_status *status, unsigned flags)
{
    const struct trace_dumpi_group *group = trace_dumpi_group(decoder, comm);
    struct trace_slot *slot;
    uint32_t peer = TRACE_ANY_SOURCE;

    if (source < DPT_ANY_SOURCE || (status != NULL && source < 0 && status->source < 0))
        return 0;
    if (status != NULL && source < 0)
        source = status->source;
    if (status != NULL && tag < 0)
        tag = status->tag;
    if (source >= 0 && (peer = trace_dumpi_peer(decoder, group->index, source)) == UINT32_MAX)
        return trace_dumpi_fault(decoder, "rank-out-of-range", "a probe for rank %" PRId64, source);
    if (status != NULL) {
        decoder->probed = *status;
        decoder->probed_communicator = group->index;
    }
    if (!group->known)
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_COMMUNICATOR_MESSAGE);
    slot = trace_dumpi_emit(decoder, TRACE_PROBE);
    if (slot == NULL)
        return -1;
    slot->op.flags = flags;
    slot->op.peer = peer;
    slot->op.tag = tag < 0 ? TRACE_ANY_TAG : (uint32_t)tag;
    slot->op.communicator = group->index;
    slot->op.bytes = status != NULL && status->bytes > 0 ? (uint64_t)status->bytes : 0;
    return 0;
}

/* Blocks until the message is there. */
int trace_dumpi_on_probe(struct trace_dumpi_decoder *decoder)
{
    enum { SOURCE, PROBE_TAG, COMMUNICATOR, PROBE_STATUS };

    return probe(decoder, trace_dumpi_argument(decoder, SOURCE), trace_dumpi_argument(decoder, PROBE_TAG),
                 trace_dumpi_argument(decoder, COMMUNICATOR), first_status(decoder, PROBE_STATUS), 0);
}

/* Success means the message was there; a program that polls would have waited for it. */
int trace_dumpi_on_iprobe(struct trace_dumpi_decoder *decoder)
{
    enum { SOURCE, PROBE_TAG, COMMUNICATOR, FLAG, PROBE_STATUS };
    unsigned flags;

    if (trace_dumpi_argument(decoder, FLAG) == 0) {
        trace_dumpi_test_failed(decoder);
        return 0;
    }
    flags = trace_dumpi_test_succeeded(decoder);
    return probe(decoder, trace_dumpi_argument(decoder, SOURCE), trace_dumpi_argument(decoder, PROBE_TAG),
                 trace_dumpi_argument(decoder, COMMUNICATOR), first_status(decoder, PROBE_STATUS), flags);
}
