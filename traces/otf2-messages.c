/* Messages, requests and collectives of one rank. A receive started without blocking is put into the queue
 * open and filled in when its completion is read; the tables say beforehand when that comes too late or
 * never. */
#include <inttypes.h>

#include "traces/grow.h"
#include "traces/otf2-decoder.h"

#define FIRST_WRONG_TAG (UINT32_C(1) << 31)

/* MPI_PROC_NULL as EZTrace writes it: -2 of Open MPI, -1 of MPICH. */
static bool is_proc_null(uint32_t peer)
{
    return peer >= UINT32_MAX - 1;
}

static int no_memory(struct trace_otf2_decoder *decoder)
{
    return base_error_memory(decoder->error, "the requests of a rank");
}

/* The communicator's index, TRACE_OTF2_SELF or TRACE_OTF2_INTER; BASE_TABLE_NONE with an error when it is not
 * defined or the rank is no member. */
static uint32_t find_communicator(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                                  uint32_t *own_rank)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;
    uint32_t index = base_table_get(&definitions->communicator_ids, event->communicator, 0);

    if (index == BASE_TABLE_NONE) {
        trace_otf2_damaged(decoder, event, "communicator %u is not defined", event->communicator);
        return index;
    }
    if (index == TRACE_OTF2_SELF || index == TRACE_OTF2_INTER)
        return index;
    *own_rank = trace_otf2_member(definitions, index, decoder->rank);
    if (*own_rank == UINT32_MAX) {
        trace_otf2_damaged(decoder, event, "the rank is no member of communicator \"%s\"",
                           definitions->communicators[index].name);
        return BASE_TABLE_NONE;
    }
    return definitions->communicators[index].size == 1 ? TRACE_OTF2_SELF : index;
}

/* What a message record says once it is checked. */
struct message {
    bool left_out; /* MPI_PROC_NULL, within the process, or on an inter-communicator */
    uint32_t peer, communicator;
};

static void count_left_out(struct trace_otf2_decoder *decoder, uint32_t communicator)
{
    if (decoder->counts != NULL)
        *(communicator == TRACE_OTF2_INTER ? &decoder->counts->inter_messages
                                           : &decoder->counts->solo_messages) += 1;
}

static int check_message(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                         struct message *message)
{
    uint32_t own_rank, index = find_communicator(decoder, event, &own_rank);
    const struct trace_communicator *communicator;

    *message = (struct message){.left_out = true, .communicator = index};
    if (index == BASE_TABLE_NONE)
        return -1;
    if (is_proc_null(event->peer)) {
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_PROC_NULL, 1);
        return 0;
    }
    if (event->tag >= FIRST_WRONG_TAG)
        return trace_otf2_damaged(decoder, event, "tag %u is no tag", event->tag);
    if (event->bytes > decoder->context->message_limit_bytes)
        return trace_otf2_damaged(decoder, event,
                                  "a message of %" PRIu64 " bytes is over the limit of %" PRIu64,
                                  event->bytes, decoder->context->message_limit_bytes);
    if (index == TRACE_OTF2_SELF || index == TRACE_OTF2_INTER) {
        count_left_out(decoder, index);
        return 0;
    }
    communicator = &decoder->context->definitions->communicators[index];
    if (event->peer >= communicator->size)
        return trace_otf2_damaged(decoder, event, "rank %u in communicator \"%s\", which has %u members",
                                  event->peer, communicator->name, communicator->size);
    message->left_out = false;
    message->peer = communicator->members[event->peer];
    return 0;
}

static void count_bytes(struct trace_otf2_decoder *decoder, uint64_t bytes)
{
    if (decoder->counts != NULL && decoder->depth > 0)
        decoder->counts->calls[decoder->calls[0]].bytes += bytes;
}

/* A receive of one channel that repair found to be another. */
static void apply_rule(const struct trace_otf2_decoder *decoder, struct trace_op *op)
{
    const struct trace_otf2_tables *tables = decoder->context->tables;
    uint32_t rule = base_table_get(&tables->rules, trace_otf2_pack(op->communicator, op->tag),
                                   trace_otf2_pack(op->peer, decoder->rank));

    if (rule == BASE_TABLE_NONE)
        return;
    op->communicator = tables->rule_list[rule].communicator;
    op->peer = tables->rule_list[rule].peer;
    op->flags |= TRACE_REPAIRED;
}

/* Fills in the message of a receive that was recorded as such. */
static void resolve(const struct trace_otf2_decoder *decoder, struct trace_op *op,
                    const struct message *message, const struct trace_otf2_event *event)
{
    op->peer = message->peer;
    op->communicator = message->communicator;
    op->tag = event->tag;
    op->bytes = event->bytes;
    apply_rule(decoder, op);
}

/* The entry of the table for the receive that is posted now, or NULL. */
static const struct trace_otf2_receive *table_entry(struct trace_otf2_decoder *decoder, uint64_t ordinal)
{
    const struct trace_otf2_rank_tables *ranks = decoder->context->tables->ranks, *rank;

    if (ranks == NULL)
        return NULL;
    rank = &ranks[decoder->rank];
    if (decoder->next_receive == rank->receive_count ||
        rank->receives[decoder->next_receive].ordinal != ordinal)
        return NULL;
    return &rank->receives[decoder->next_receive++];
}

static void use_entry(const struct trace_otf2_decoder *decoder, struct trace_op *op,
                      const struct trace_otf2_receive *entry)
{
    op->peer = entry->peer;
    op->communicator = entry->communicator;
    op->tag = entry->tag;
    op->bytes = entry->bytes;
    if (entry->state == TRACE_OTF2_FAR)
        apply_rule(decoder, op);
    else
        op->flags |= TRACE_REPAIRED;
}

/* True when the non-blocking send that starts now never completes. */
static bool send_is_unfinished(struct trace_otf2_decoder *decoder, uint64_t ordinal)
{
    const struct trace_otf2_rank_tables *ranks = decoder->context->tables->ranks, *rank;

    if (ranks == NULL)
        return false;
    rank = &ranks[decoder->rank];
    if (decoder->next_send == rank->send_count || rank->sends[decoder->next_send] != ordinal)
        return false;
    decoder->next_send++;
    return true;
}

int trace_otf2_abandon(struct trace_otf2_decoder *decoder, uint32_t index)
{
    struct trace_otf2_request request = decoder->requests.all[index];
    struct trace_otf2_rank_tables *found = decoder->found;
    struct trace_otf2_slot *slot = trace_otf2_slot(&decoder->queue, request.slot);

    trace_otf2_request_remove(&decoder->requests, index);
    if (request.kind == TRACE_OTF2_REQUEST_NOTHING)
        return 0;
    if (found == NULL)
        return trace_otf2_damaged(decoder, NULL, "the trace has changed while it was read");
    if (request.kind == TRACE_OTF2_REQUEST_SEND) {
        if (trace_grow(&found->sends, &found->send_capacity, found->send_count + 1, sizeof *found->sends) !=
            0)
            return no_memory(decoder);
        found->sends[found->send_count++] = request.ordinal;
        return 0;
    }
    if (trace_grow(&found->receives, &found->receive_capacity, found->receive_count + 1,
                   sizeof *found->receives) != 0)
        return no_memory(decoder);
    found->receives[found->receive_count++] =
        (struct trace_otf2_receive){.ordinal = request.ordinal, .state = TRACE_OTF2_UNKNOWN};
    if (slot != NULL)
        slot->state = TRACE_OTF2_DEAD;
    return 0;
}

/* Makes an identifier free for a new request: one that is still open has lost its completion. */
static int release_id(struct trace_otf2_decoder *decoder, uint64_t id)
{
    uint32_t index = trace_otf2_request_find(&decoder->requests, id);

    if (index == TRACE_OTF2_NO_REQUEST)
        return 0;
    if (!decoder->requests.all[index].unfinished)
        return trace_otf2_abandon(decoder, index);
    if (trace_otf2_complete(decoder, decoder->requests.all[index].number) != 0)
        return -1;
    trace_otf2_request_remove(&decoder->requests, index);
    return trace_otf2_emit_wait(decoder, TRACE_REPAIRED);
}

static int add_request(struct trace_otf2_decoder *decoder, const struct trace_otf2_request *request)
{
    return trace_otf2_request_add(&decoder->requests, request) == NULL ? no_memory(decoder) : 0;
}

static int add_nothing(struct trace_otf2_decoder *decoder, uint64_t id)
{
    return add_request(decoder, &(struct trace_otf2_request){.id = id, .kind = TRACE_OTF2_REQUEST_NOTHING});
}

static int decode_send(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                       const struct message *message)
{
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_SEND);
    enum trace_otf2_class class = trace_otf2_current_class(decoder);

    op.peer = message->peer;
    op.communicator = message->communicator;
    op.tag = event->tag;
    op.bytes = event->bytes;
    op.flags = class == TRACE_OTF2_SYNCHRONOUS ? TRACE_SYNCHRONOUS : 0;
    count_bytes(decoder, event->bytes);
    if (event->kind == TRACE_OTF2_ISEND || class == TRACE_OTF2_SENDRECV) {
        op.flags |= TRACE_NONBLOCKING;
        op.request = decoder->next_number++;
    }
    if (trace_otf2_emit(decoder, &op) == NULL)
        return -1;
    if (event->kind == TRACE_OTF2_ISEND) {
        uint64_t ordinal = decoder->send_ordinal++;
        return add_request(decoder,
                           &(struct trace_otf2_request){.id = event->request,
                                                        .number = op.request,
                                                        .ordinal = ordinal,
                                                        .kind = TRACE_OTF2_REQUEST_SEND,
                                                        .slot = UINT64_MAX,
                                                        .unfinished = send_is_unfinished(decoder, ordinal)});
    }
    return class == TRACE_OTF2_SENDRECV ? trace_otf2_complete(decoder, op.request) : 0;
}

/* A blocking receive: everything is known. Inside Sendrecv it goes on together with the send. */
static int decode_receive(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                          const struct message *message)
{
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_RECEIVE);
    const struct trace_otf2_receive *entry = table_entry(decoder, decoder->receive_ordinal++);
    bool concurrent = trace_otf2_current_class(decoder) == TRACE_OTF2_SENDRECV;

    if (entry != NULL)
        use_entry(decoder, &op, entry);
    else
        resolve(decoder, &op, message, event);
    count_bytes(decoder, event->bytes);
    if (concurrent) {
        op.flags |= TRACE_NONBLOCKING;
        op.request = decoder->next_number++;
    }
    if (trace_otf2_emit(decoder, &op) == NULL)
        return -1;
    return concurrent ? trace_otf2_complete(decoder, op.request) : 0;
}

/* Puts a receive into the queue that has just been started under this identifier. */
static int start_receive(struct trace_otf2_decoder *decoder, uint64_t id)
{
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_RECEIVE);
    struct trace_otf2_request request = {
        .id = id, .kind = TRACE_OTF2_REQUEST_RECEIVE, .ordinal = decoder->receive_ordinal++};
    const struct trace_otf2_receive *entry = table_entry(decoder, request.ordinal);
    struct trace_otf2_slot *slot;

    if (entry != NULL && entry->state == TRACE_OTF2_ABSENT)
        return add_nothing(decoder, id);
    op.flags = TRACE_NONBLOCKING;
    op.request = request.number = decoder->next_number++;
    if (entry != NULL) {
        use_entry(decoder, &op, entry);
        request.known = true;
        request.unfinished = entry->state == TRACE_OTF2_GUESSED || entry->state == TRACE_OTF2_UNKNOWN;
    }
    slot = trace_otf2_emit(decoder, &op);
    if (slot == NULL)
        return -1;
    if (entry == NULL)
        slot->state = TRACE_OTF2_OPEN;
    request.slot = decoder->queue.tail - 1;
    return add_request(decoder, &request);
}

/* For the survey: a receive that has left the queue open is known now. */
static int found_far(struct trace_otf2_decoder *decoder, const struct trace_otf2_request *request,
                     struct trace_op *op)
{
    struct trace_otf2_rank_tables *found = decoder->found;
    struct trace_otf2_slot *slot;

    if (found == NULL)
        return trace_otf2_damaged(decoder, NULL, "the trace has changed while it was read");
    if (trace_grow(&found->receives, &found->receive_capacity, found->receive_count + 1,
                   sizeof *found->receives) != 0)
        return no_memory(decoder);
    found->receives[found->receive_count++] = (struct trace_otf2_receive){.ordinal = request->ordinal,
                                                                          .bytes = op->bytes,
                                                                          .peer = op->peer,
                                                                          .tag = op->tag,
                                                                          .communicator = op->communicator,
                                                                          .state = TRACE_OTF2_FAR};
    slot = trace_otf2_push(&decoder->queue, op);
    if (slot == NULL)
        return no_memory(decoder);
    slot->late = true;
    return 0;
}

/* A receive turns out to have no message. Cursors know that when it is posted, from the table. */
static int found_absent(struct trace_otf2_decoder *decoder, uint32_t index)
{
    struct trace_otf2_rank_tables *found = decoder->found;

    if (trace_otf2_abandon(decoder, index) != 0)
        return -1;
    if (found != NULL)
        found->receives[found->receive_count - 1].state = TRACE_OTF2_ABSENT;
    decoder->completed_nothing = true;
    return 0;
}

/* The completion of a receive: fills in what was posted. */
static int complete_receive(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                            const struct message *message, uint32_t index)
{
    struct trace_otf2_request request = decoder->requests.all[index];
    struct trace_otf2_slot *slot = trace_otf2_slot(&decoder->queue, request.slot);
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_RECEIVE);

    count_bytes(decoder, event->bytes);
    trace_otf2_request_remove(&decoder->requests, index);
    if (trace_otf2_complete(decoder, request.number) != 0)
        return -1;
    if (request.known)
        return 0;
    if (slot != NULL && slot->state == TRACE_OTF2_OPEN) {
        resolve(decoder, &slot->op, message, event);
        slot->state = TRACE_OTF2_READY;
        return 0;
    }
    op.flags = TRACE_NONBLOCKING;
    resolve(decoder, &op, message, event);
    return found_far(decoder, &request, &op);
}

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
        return trace_otf2_damaged(decoder, event, "a receive completes the request of a send");
    default:
        return message->left_out ? found_absent(decoder, index)
                                 : complete_receive(decoder, event, message, index);
    }
}

int trace_otf2_decode_message(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    struct message message;

    if (check_message(decoder, event, &message) != 0)
        return -1;
    if (event->kind == TRACE_OTF2_IRECV)
        return decode_irecv(decoder, event, &message);
    if (event->kind == TRACE_OTF2_ISEND && release_id(decoder, event->request) != 0)
        return -1;
    if (message.left_out)
        return event->kind == TRACE_OTF2_ISEND ? add_nothing(decoder, event->request) : 0;
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

static int complete_send(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    uint32_t index = open_request(decoder, event);
    uint64_t number;

    if (index == TRACE_OTF2_NO_REQUEST)
        return 0;
    if (decoder->requests.all[index].kind == TRACE_OTF2_REQUEST_RECEIVE)
        return trace_otf2_damaged(decoder, event, "a send completes the request of a receive");
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

int trace_otf2_decode_request(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    switch (event->kind) {
    case TRACE_OTF2_IRECV_REQUEST:
        return release_id(decoder, event->request) != 0 ? -1 : start_receive(decoder, event->request);
    case TRACE_OTF2_ISEND_COMPLETE:
        return complete_send(decoder, event);
    case TRACE_OTF2_REQUEST_TEST:
        open_request(decoder, event);
        return 0;
    case TRACE_OTF2_REQUEST_CANCELLED:
        return cancel(decoder, event);
    case TRACE_OTF2_NONBLOCKING_REQUEST:
        if (decoder->counts != NULL)
            decoder->counts->nonblocking++;
        return release_id(decoder, event->request) != 0 ? -1 : add_nothing(decoder, event->request);
    case TRACE_OTF2_NONBLOCKING_COMPLETE:
        return complete_send(decoder, event);
    default:
        return trace_otf2_damaged(decoder, event, "an event of an unknown kind");
    }
}

/* OTF2's operation codes. The creation of handles and the like are no collectives of the program. */
static int collective_of(uint32_t operation)
{
    static const signed char collectives[] = {
        [OTF2_COLLECTIVE_OP_BARRIER] = TRACE_BARRIER,
        [OTF2_COLLECTIVE_OP_BCAST] = TRACE_BCAST,
        [OTF2_COLLECTIVE_OP_GATHER] = TRACE_GATHER,
        [OTF2_COLLECTIVE_OP_GATHERV] = TRACE_GATHERV,
        [OTF2_COLLECTIVE_OP_SCATTER] = TRACE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCATTERV] = TRACE_SCATTERV,
        [OTF2_COLLECTIVE_OP_ALLGATHER] = TRACE_ALLGATHER,
        [OTF2_COLLECTIVE_OP_ALLGATHERV] = TRACE_ALLGATHERV,
        [OTF2_COLLECTIVE_OP_ALLTOALL] = TRACE_ALLTOALL,
        [OTF2_COLLECTIVE_OP_ALLTOALLV] = TRACE_ALLTOALLV,
        [OTF2_COLLECTIVE_OP_ALLTOALLW] = TRACE_ALLTOALLW,
        [OTF2_COLLECTIVE_OP_ALLREDUCE] = TRACE_ALLREDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE] = TRACE_REDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = TRACE_REDUCE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCAN] = TRACE_SCAN,
        [OTF2_COLLECTIVE_OP_EXSCAN] = TRACE_EXSCAN,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = TRACE_REDUCE_SCATTER_BLOCK,
    };
    return operation < sizeof collectives ? collectives[operation] : -1;
}

static int check_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                            const struct trace_otf2_collective_record *record)
{
    if (event->bytes > decoder->context->message_limit_bytes ||
        event->received > decoder->context->message_limit_bytes)
        return trace_otf2_damaged(
            decoder, event, "a collective of %" PRIu64 " and %" PRIu64 " bytes is over the limit of %" PRIu64,
            event->bytes, event->received, decoder->context->message_limit_bytes);
    if (trace_otf2_has_root(record->collective) && event->peer >= record->size)
        return trace_otf2_damaged(decoder, event, "root %u of %s in a communicator with %u members",
                                  event->peer, trace_collective_name(record->collective), record->size);
    return 0;
}

/* Counts the collective on its communicator. */
static int next_instance(struct trace_otf2_decoder *decoder, uint32_t communicator, uint64_t *instance)
{
    uint32_t count = base_table_get(&decoder->instances, communicator, 0);

    *instance = count == BASE_TABLE_NONE ? 0 : count;
    if (*instance == BASE_TABLE_NONE - 1)
        return trace_otf2_damaged(decoder, NULL, "more than 4294967293 collectives on one communicator");
    return base_table_put(&decoder->instances, communicator, 0, (uint32_t)*instance + 1) != 0
               ? no_memory(decoder)
               : 0;
}

static void set_sizes(const struct trace_otf2_decoder *decoder, struct trace_op *op,
                      const struct trace_otf2_collective_record *record)
{
    const struct trace_otf2_tables *tables = decoder->context->tables;
    uint32_t size = base_table_get(&tables->sizes, op->communicator, op->instance);

    op->bytes_sent = record->sent;
    op->bytes_received = record->received;
    op->bytes = trace_otf2_collective_bytes(record, tables->multiplied[record->collective]);
    if (trace_otf2_has_vectors(record->collective))
        op->flags |= TRACE_APPROXIMATED;
    if (size != BASE_TABLE_NONE && tables->size_list[size] != op->bytes) {
        op->bytes = tables->size_list[size];
        op->flags |= TRACE_REPAIRED;
    }
}

static int emit_collective(struct trace_otf2_decoder *decoder, uint32_t communicator,
                           const struct trace_otf2_collective_record *record)
{
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_COLLECTIVE_CALL);

    op.communicator = communicator;
    op.collective = record->collective;
    op.root = record->root;
    if (next_instance(decoder, communicator, &op.instance) != 0)
        return -1;
    set_sizes(decoder, &op, record);
    count_bytes(decoder, trace_otf2_has_vectors(record->collective) ? op.bytes_sent : op.bytes);
    if (decoder->on_collective != NULL && decoder->on_collective(decoder->user, &op, record) != 0)
        return -1;
    return trace_otf2_emit(decoder, &op) == NULL ? -1 : 0;
}

int trace_otf2_decode_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    struct trace_otf2_collective_record record = {.sent = event->bytes, .received = event->received};
    uint32_t index = find_communicator(decoder, event, &record.rank);
    int collective = collective_of(event->tag);

    if (index == BASE_TABLE_NONE)
        return -1;
    if (event->tag > OTF2_COLLECTIVE_OP_DEALLOCATE && collective < 0 &&
        event->tag > OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE)
        return trace_otf2_damaged(decoder, event, "collective operation %u is not known", event->tag);
    if (collective < 0)
        return 0;
    if (index == TRACE_OTF2_SELF || index == TRACE_OTF2_INTER) {
        count_left_out(decoder, index);
        return 0;
    }
    record.collective = (enum trace_collective)collective;
    record.size = decoder->context->definitions->communicators[index].size;
    record.root = trace_otf2_has_root(record.collective) ? event->peer : UINT32_MAX;
    if (check_collective(decoder, event, &record) != 0)
        return -1;
    return emit_collective(decoder, index, &record);
}
