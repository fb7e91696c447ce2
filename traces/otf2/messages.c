/* Messages and requests of one rank.
 *
 * A blocking message is complete in its record and becomes an operation at once. A non-blocking receive is
 * not: OTF2 writes down that it was posted (MpiIrecvRequest: nothing but a number), and source, tag and size
 * only with its completion (MpiIrecv). It is put into the queue open and filled in when that is read; whoever
 * takes operations waits.
 *
 *     MpiIrecvRequest 7      queue: [receive ?]
 *     MpiSend                queue: [receive ?] [send]
 *     MpiIrecv ... 7         queue: [receive from 2] [send]          the call's set: {7}
 *     Leave MPI_Wait         queue: [receive from 2] [send] [wait 7]
 *
 * The tables say beforehand when a completion comes too late to wait for, or never; then nothing is left
 * open.
 *
 * Every number in a record is checked before it is used, since a flipped bit in an event file passes libotf2
 * unnoticed. Peers of messages become world ranks here. */
#include <inttypes.h>

#include "base/grow.h"
#include "traces/otf2/decoder.h"
#include "traces/otf2/survey.h"

#define FIRST_WRONG_TAG (UINT32_C(1) << 31)

/* MPI_PROC_NULL as EZTrace writes it: -2 of Open MPI, -1 of MPICH. Both are beyond any rank as the unsigned number
 * that an archive has. */
static bool is_proc_null(uint32_t peer)
{
    return peer >= UINT32_MAX - 1;
}

/* Sets the error; returns -1. */
static int no_memory(struct trace_otf2_decoder *decoder)
{
    return base_error_memory(decoder->error, "the requests of a rank");
}

/* A communicator of one member needs no network, like MPI_COMM_SELF. The answer is kept: the next records are
 * mostly on the same one. */
uint32_t trace_otf2_other_communicator(struct trace_otf2_decoder *decoder,
                                       const struct trace_otf2_event *event, uint32_t *own_rank)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;
    uint32_t index = trace_otf2_communicator(definitions, event->communicator);

    if (index == BASE_TABLE_NONE) {
        trace_otf2_damaged(decoder, event, "communicator %u is not defined", event->communicator);
        return index;
    }
    if (index == TRACE_OTF2_SELF)
        return index;
    decoder->recent_id = UINT64_MAX;
    if (decoder->last_communicator != index) {
        decoder->last_communicator = index;
        decoder->last_own_rank = trace_otf2_member(definitions, index, decoder->rank);
    }
    *own_rank = decoder->last_own_rank;
    if (*own_rank == UINT32_MAX) {
        trace_otf2_damaged(decoder, event, "the rank is not a member of communicator \"%s\"",
                           definitions->communicators[index].name);
        return BASE_TABLE_NONE;
    }
    if (trace_otf2_size(definitions, index) == 1)
        return TRACE_OTF2_SELF;
    decoder->recent_id = event->communicator;
    return index;
}

/* What a message record says once it is checked. */
struct message {
    bool left_out; /* MPI_PROC_NULL, or within the process */
    uint32_t peer, communicator;
};

/* For the coverage: what is left out is named, by its reason. */
void trace_otf2_count_left_out(struct trace_otf2_decoder *decoder)
{
    if (decoder->counts != NULL)
        decoder->counts->solo_messages++;
}

/* Messages to MPI_PROC_NULL come first: their tag and size mean nothing and need not be sound. The limits
 * are there to tell damage from data: tags are non-negative ints in MPI, and no message is larger than the
 * caller's limit. False records fail with their position; what stays within the process is counted, and left_out
 * set. */
static int check_message(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                         struct message *message)
{
    uint32_t own_rank;
    uint32_t index = trace_otf2_find_communicator(decoder, event, &own_rank);
    const struct trace_communicator *communicator;
    uint32_t member;

    *message = (struct message){.left_out = true, .communicator = index};
    if (index == BASE_TABLE_NONE)
        return -1;
    if (is_proc_null(event->peer)) {
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_PROC_NULL, 1);
        return 0;
    }
    if (event->tag >= FIRST_WRONG_TAG)
        return trace_otf2_damaged(decoder, event, "%u is not a valid tag", event->tag);
    if (event->bytes > decoder->context->options.message_limit_bytes)
        return trace_otf2_damaged(decoder, event,
                                  "a message of %" PRIu64 " bytes is over the limit of %" PRIu64,
                                  event->bytes, decoder->context->options.message_limit_bytes);
    if (index == TRACE_OTF2_SELF) {
        trace_otf2_count_left_out(decoder);
        return 0;
    }
    communicator = &decoder->context->definitions->communicators[index];
    member = trace_otf2_named_member(decoder->context->definitions, index, own_rank, event->peer);
    if (member == UINT32_MAX)
        return trace_otf2_damaged(decoder, event, "rank %u in communicator \"%s\", which has %u members",
                                  event->peer, communicator->name,
                                  trace_otf2_size(decoder->context->definitions, index));
    if (trace_otf2_note_use(decoder, index) != 0)
        return -1;
    message->left_out = false;
    message->peer = trace_otf2_world(decoder->context->definitions, index, member);
    return 0;
}

/* Credited to the outermost call, which is the one that the user wrote. */
void trace_otf2_count_bytes(struct trace_otf2_decoder *decoder, uint64_t bytes)
{
    if (decoder->counts != NULL && decoder->depth > 0)
        decoder->counts->calls[decoder->calls[0]].bytes += bytes;
}

/* Fills in the message of a receive that was recorded as such. */
static void resolve(const struct trace_otf2_decoder *decoder, struct trace_op *op,
                    const struct message *message, const struct trace_otf2_event *event)
{
    op->peer = message->peer;
    op->communicator = message->communicator;
    op->tag = event->tag;
    op->bytes = event->bytes;
    trace_otf2_apply_rule(decoder, op);
}

/* The identifier must be free: see trace_otf2_release_id. */
static int add_request(struct trace_otf2_decoder *decoder, const struct trace_otf2_request *request)
{
    return trace_otf2_request_add(&decoder->requests, request) == NULL ? no_memory(decoder) : 0;
}

/* The request of a non-blocking send. One that is left out has a request all the same, which completes or
 * never. */
static int add_send(struct trace_otf2_decoder *decoder, uint64_t id, enum trace_otf2_request_kind kind,
                    uint64_t number)
{
    struct trace_otf2_request request = {.id = id, .number = number, .kind = kind, .slot = UINT64_MAX};

    request.ordinal = decoder->send_ordinal++;
    request.unfinished = trace_otf2_start_is_listed(decoder, request.ordinal);
    return add_request(decoder, &request);
}

/* Whether a send is synchronous shows only in the call around it. A send within MPI_Sendrecv must not block
 * the receive that comes with it: it is replayed as a non-blocking one that the call's own wait completes. A
 * blocking send has no request. Its completion by MPI_Sendrecv's own wait has one that no record names. */
static int decode_send(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                       const struct message *message)
{
    struct trace_slot *slot = trace_otf2_emit_new(decoder, TRACE_SEND);
    enum trace_otf2_class class = trace_otf2_current_class(decoder);

    if (slot == NULL)
        return -1;
    slot->op.peer = message->peer;
    slot->op.communicator = message->communicator;
    slot->op.tag = event->tag;
    slot->op.bytes = event->bytes;
    slot->op.flags = class == TRACE_OTF2_SYNCHRONOUS ? TRACE_SYNCHRONOUS
                     : class == TRACE_OTF2_BUFFERED  ? TRACE_BUFFERED
                                                     : 0;
    trace_otf2_count_bytes(decoder, event->bytes);
    if (event->kind == TRACE_OTF2_ISEND || class == TRACE_OTF2_SENDRECV) {
        slot->op.flags |= TRACE_NONBLOCKING;
        slot->op.request = decoder->next_number++;
    }
    if (event->kind == TRACE_OTF2_ISEND)
        return add_send(decoder, event->request, TRACE_OTF2_REQUEST_SEND, slot->op.request);
    return class == TRACE_OTF2_SENDRECV ? trace_otf2_complete(decoder, slot->op.request) : 0;
}

/* Recorders write the message sent by a Sendrecv first; MPI libraries post the receive first, so that the
 * operations of such a call go that way round. None of them has been taken yet. */
static void put_before_send(struct trace_otf2_decoder *decoder)
{
    struct trace_slot *send, *receive;
    struct trace_slot copy;

    if (decoder->call_slot + 2 != decoder->queue.tail)
        return;
    send = trace_queue_find(&decoder->queue, decoder->call_slot);
    receive = trace_queue_find(&decoder->queue, decoder->call_slot + 1);
    if (send->op.kind != TRACE_SEND)
        return;
    copy = *send;
    *send = *receive;
    *receive = copy;
    receive->op.request = send->op.request;
    send->op.request = copy.op.request;
    send->op.time_ns = copy.op.time_ns; /* `send` points to the receive now: both begin as the call does */
}

/* The probe waited for exactly this message, so that it gets peer, tag, communicator and size of the receive. */
static void resolve_probe(struct trace_otf2_decoder *decoder, const struct trace_op *receive)
{
    struct trace_slot *slot = trace_queue_find(&decoder->queue, decoder->probe);

    if (slot == NULL || slot->state != TRACE_SLOT_OPEN)
        return;
    slot->op.peer = receive->peer;
    slot->op.tag = receive->tag;
    slot->op.communicator = receive->communicator;
    slot->op.bytes = receive->bytes;
    slot->state = TRACE_SLOT_READY;
    if (decoder->counts != NULL)
        decoder->counts->probes++;
}

/* A blocking receive: everything is known. Inside Sendrecv it goes on together with the send. The ordinal counts
 * every receive of the rank, also those of the table, in the order of their records. */
static int decode_receive(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                          const struct message *message)
{
    const struct trace_otf2_receive *entry = trace_otf2_table_entry(decoder, decoder->receive_ordinal++);
    bool concurrent = trace_otf2_current_class(decoder) == TRACE_OTF2_SENDRECV;
    struct trace_slot *slot = trace_otf2_emit_new(decoder, TRACE_RECEIVE);
    uint64_t number;

    if (slot == NULL)
        return -1;
    slot->ordinal = decoder->receive_ordinal - 1;
    if (entry != NULL)
        trace_otf2_use_entry(decoder, &slot->op, entry);
    else
        resolve(decoder, &slot->op, message, event);
    trace_otf2_count_bytes(decoder, event->bytes);
    if (!concurrent) {
        resolve_probe(decoder, &slot->op);
        return 0;
    }
    number = decoder->next_number++;
    slot->op.flags |= TRACE_NONBLOCKING;
    slot->op.request = number;
    put_before_send(decoder); /* moves the slot */
    return trace_otf2_complete(decoder, number);
}

/* A receive for which the table has no message. One that was dropped still takes its turn among those that
 * never complete. */
static int start_nothing(struct trace_otf2_decoder *decoder, const struct trace_otf2_receive *entry,
                         uint64_t id)
{
    return add_request(decoder,
                       &(struct trace_otf2_request){.id = id,
                                                    .kind = TRACE_OTF2_REQUEST_NOTHING,
                                                    .ordinal = TRACE_OTF2_NO_ORDINAL,
                                                    .unfinished = entry->state == TRACE_OTF2_DROPPED});
}

/* Puts a receive into the queue that has just been started under this identifier. The survey leaves it open
 * until its completion is read; a cursor that finds it in the table knows everything at once and holds
 * nothing up. */
static int start_receive(struct trace_otf2_decoder *decoder, uint64_t id)
{
    struct trace_otf2_request request = {.id = id,
                                         .kind = TRACE_OTF2_REQUEST_RECEIVE,
                                         .ordinal = decoder->receive_ordinal++,
                                         .early = !decoder->made_communicator};
    const struct trace_otf2_receive *entry = trace_otf2_table_entry(decoder, request.ordinal);
    struct trace_slot *slot;

    if (entry != NULL && (entry->state == TRACE_OTF2_ABSENT || entry->state == TRACE_OTF2_DROPPED))
        return start_nothing(decoder, entry, id);
    slot = trace_otf2_emit_new(decoder, TRACE_RECEIVE);
    if (slot == NULL)
        return -1;
    slot->op.flags = TRACE_NONBLOCKING;
    slot->op.request = request.number = decoder->next_number++;
    slot->ordinal = request.ordinal;
    if (entry != NULL) {
        trace_otf2_use_entry(decoder, &slot->op, entry);
        request.known = true;
        request.unfinished = entry->state != TRACE_OTF2_FAR && entry->state != TRACE_OTF2_MOVED;
    } else {
        slot->state = TRACE_SLOT_OPEN;
    }
    request.slot = decoder->queue.tail - 1;
    return add_request(decoder, &request);
}

/* For the survey: a receive that has left the queue open is known now, and is counted. */
static int found_far(struct trace_otf2_decoder *decoder, const struct trace_otf2_request *request,
                     const struct trace_op *op)
{
    if (trace_otf2_note_receive(decoder, &(struct trace_otf2_receive){.ordinal = request->ordinal,
                                                                      .bytes = op->bytes,
                                                                      .peer = op->peer,
                                                                      .tag = op->tag,
                                                                      .communicator = op->communicator,
                                                                      .state = TRACE_OTF2_FAR}) != 0)
        return -1;
    return trace_otf2_count_receive(decoder->survey, decoder->rank, op->peer, op->bytes, op->communicator,
                                    op->tag) != 0
               ? no_memory(decoder)
               : 0;
}

/* A receive turns out to have no message. Cursors know that when it is posted, from the table. */
static int found_absent(struct trace_otf2_decoder *decoder, uint32_t index)
{
    decoder->completed_nothing = true;
    return trace_otf2_abandon(decoder, index, TRACE_OTF2_ABSENT);
}

/* The completion of a receive: fills in what was posted. The request may have left the queue meanwhile (see
 * TRACE_OTF2_WINDOW): then its completion becomes an exception for the cursors. Its completion belongs to the set
 * of the call in progress, whatever becomes of the message. */
static int complete_receive(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                            const struct message *message, uint32_t index)
{
    struct trace_otf2_request request = decoder->requests.all[index];
    struct trace_slot *slot = trace_queue_find(&decoder->queue, request.slot);
    struct trace_op op;

    trace_otf2_count_bytes(decoder, event->bytes);
    trace_otf2_request_remove(&decoder->requests, index);
    if (trace_otf2_complete(decoder, request.number) != 0)
        return -1;
    if (request.known)
        return 0;
    if (slot != NULL && slot->state == TRACE_SLOT_OPEN) {
        resolve(decoder, &slot->op, message, event);
        slot->state = TRACE_SLOT_READY;
        return 0;
    }
    op = trace_otf2_new_op(decoder, TRACE_RECEIVE);
    op.flags = TRACE_NONBLOCKING;
    resolve(decoder, &op, message, event);
    return found_far(decoder, &request, &op);
}

/* Without a record of its start a receive is started here; its call completes it a moment later. Such
 * records are missing after a buffer was flushed or filtered. A completion of a request that has another kind is
 * damage; one of a request that was left out, nothing. */
static int decode_irecv(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                        const struct message *message)
{
    uint32_t index = trace_otf2_request_find(&decoder->requests, event->request);

    if (index == TRACE_OTF2_NO_REQUEST && message->left_out) {
        decoder->completed_nothing = true;
        return 0;
    }
    if (index == TRACE_OTF2_NO_REQUEST) {
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_NOT_POSTED, 1);
        if (start_receive(decoder, event->request) != 0)
            return -1;
        index = trace_otf2_request_find(&decoder->requests, event->request);
    }
    switch (decoder->requests.all[index].kind) {
    case TRACE_OTF2_REQUEST_NOTHING:
        trace_otf2_request_remove(&decoder->requests, index);
        decoder->completed_nothing = true;
        return 0;
    case TRACE_OTF2_REQUEST_SEND:
    case TRACE_OTF2_REQUEST_COLLECTIVE:
        return trace_otf2_damaged(
            decoder, event, "a receive completes the request of a %s",
            decoder->requests.all[index].kind == TRACE_OTF2_REQUEST_SEND ? "send" : "collective");
    default:
        return message->left_out ? found_absent(decoder, index)
                                 : complete_receive(decoder, event, message, index);
    }
}

/* The identifier of a completion must be open, that of a start must be free: the former is looked up, the
 * latter made. Sends, receives, and the records that complete a non-blocking receive (TRACE_OTF2_IRECV). */
int trace_otf2_decode_message(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    struct message message;

    if (check_message(decoder, event, &message) != 0)
        return -1;
    if (event->kind == TRACE_OTF2_IRECV)
        return decode_irecv(decoder, event, &message);
    if (event->kind == TRACE_OTF2_ISEND && trace_otf2_release_id(decoder, event->request) != 0)
        return -1;
    if (message.left_out)
        return event->kind == TRACE_OTF2_ISEND
                   ? add_send(decoder, event->request, TRACE_OTF2_REQUEST_NOTHING, 0)
                   : 0;
    return event->kind == TRACE_OTF2_RECV ? decode_receive(decoder, event, &message)
                                          : decode_send(decoder, event, &message);
}

/* The request of a record that must refer to an open one; TRACE_OTF2_NO_REQUEST is counted. */
static uint32_t open_request(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    uint32_t index = trace_otf2_request_find(&decoder->requests, event->request);
    if (index == TRACE_OTF2_NO_REQUEST)
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_UNKNOWN_REQUEST, 1);
    return index;
}

/* Requests of operations that are left out complete here too, without a wait. A completion without a start
 * is counted and otherwise ignored: recorders that begin late write such. */
static int complete_send(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    uint32_t index = open_request(decoder, event);
    uint64_t number;

    if (index == TRACE_OTF2_NO_REQUEST)
        return 0;
    if (decoder->requests.all[index].kind == TRACE_OTF2_REQUEST_RECEIVE ||
        decoder->requests.all[index].kind == TRACE_OTF2_REQUEST_COLLECTIVE)
        return trace_otf2_damaged(
            decoder, event, "a send completes the request of a %s",
            decoder->requests.all[index].kind == TRACE_OTF2_REQUEST_RECEIVE ? "receive" : "collective");
    number = decoder->requests.all[index].number;
    decoder->completed_nothing |= decoder->requests.all[index].kind == TRACE_OTF2_REQUEST_NOTHING;
    if (decoder->requests.all[index].kind == TRACE_OTF2_REQUEST_SEND &&
        trace_otf2_complete(decoder, number) != 0)
        return -1;
    trace_otf2_request_remove(&decoder->requests, index);
    return 0;
}

/* A cancelled receive has no message; a send goes on as if it had not been cancelled, and completes here. */
static int cancel(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    uint32_t index = open_request(decoder, event);

    if (index == TRACE_OTF2_NO_REQUEST)
        return 0;
    if (decoder->requests.all[index].kind == TRACE_OTF2_REQUEST_RECEIVE)
        return found_absent(decoder, index);
    return complete_send(decoder, event);
}

/* The end of a non-blocking collective. */
static int complete_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    uint32_t index = open_request(decoder, event);

    if (index == TRACE_OTF2_NO_REQUEST)
        return 0;
    if (decoder->requests.all[index].kind != TRACE_OTF2_REQUEST_COLLECTIVE)
        return trace_otf2_damaged(decoder, event, "a collective completes the request of a message");
    return trace_otf2_complete_collective(decoder, event, index);
}

/* Records that are about a request only. Starts and completions that carry no message. An event that none of the
 * decoder's files knows is damage. */
int trace_otf2_decode_request(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    switch (event->kind) {
    case TRACE_OTF2_IRECV_REQUEST:
        return trace_otf2_release_id(decoder, event->request) != 0 ? -1
                                                                   : start_receive(decoder, event->request);
    case TRACE_OTF2_ISEND_COMPLETE:
        return complete_send(decoder, event);
    case TRACE_OTF2_REQUEST_TEST:
        open_request(decoder, event);
        return 0;
    case TRACE_OTF2_REQUEST_CANCELLED:
        return cancel(decoder, event);
    case TRACE_OTF2_NONBLOCKING_REQUEST:
        return trace_otf2_release_id(decoder, event->request) != 0
                   ? -1
                   : trace_otf2_start_collective(decoder, event);
    case TRACE_OTF2_NONBLOCKING_COMPLETE:
        return complete_collective(decoder, event);
    default:
        return trace_otf2_damaged(decoder, event, "an event of an unknown kind");
    }
}
