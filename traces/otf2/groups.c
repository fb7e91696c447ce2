/* Calls taken whole. Nearly all that a program records is of a few shapes:
 *
 *     Enter MPI_Send    MpiSend          Leave MPI_Send       and MPI_Isend, MPI_Recv and the like
 *     Enter MPI_Irecv   MpiIrecvRequest  Leave MPI_Irecv
 *     Enter MPI_Wait    MpiIrecv         Leave MPI_Wait       or MpiIsendComplete
 *     Enter work                         Leave work           regions of the program itself
 *
 * The decoder takes any events one by one, and has to be able to stop between any two. Here such a call is
 * looked at as a whole first: if all of it is as in most traces (times in order, the communicator of the
 * message before, a request that is known), it becomes what the decoder would have made of it, in a third of
 * its instructions. If anything is not, nothing has been changed, and the decoder takes the events. So
 * damage, repairs, tests, probes, self-messages, inter-communicators and their like are no matter of this
 * file.
 *
 * The survey only counts messages and compute time. It does so at once here: only a receive that is not
 * complete goes into its queue. The sums do not depend on the order. A survey whose operations are drafted takes
 * all of them from the queue, and counts them then.
 *
 * Why it is worth a file: nearly all events of a usual trace are in such calls, and the survey and the cursors
 * read every one of them. */
#include "traces/otf2/groups.h"

#define LARGEST_TAG INT32_MAX
#define CALL_EVENTS 3
#define INLINE TRACE_INLINE

/* Sets the error; returns -1. */
static int no_memory(struct trace_otf2_decoder *decoder)
{
    return base_error_memory(decoder->error, "the operations of a rank");
}

/* Checks the message of the record, whose communicator is that of the message before. Nothing is changed. */
INLINE bool is_usual_message(const struct trace_otf2_decoder *decoder, const struct trace_otf2_group *group,
                             struct trace_otf2_group_message *message)
{
    const struct trace_otf2_definitions *definitions = decoder->context->definitions;
    const struct trace_otf2_event *event = group->record;
    uint32_t index = decoder->last_communicator;

    if (event->communicator != decoder->recent_id || event->tag > LARGEST_TAG ||
        event->bytes > decoder->context->options.message_limit_bytes ||
        event->peer >= definitions->communicators[index].size ||
        definitions->communicators[index].remote_size > 0 || definitions->global_ranks[index] ||
        (group->counts && !decoder->used[index]))
        return false;
    message->communicator = index;
    message->peer = definitions->communicators[index].members[event->peer];
    return true;
}

/* False where the next receive of a cursor is an exception. */
INLINE bool is_usual_receive(const struct trace_otf2_decoder *decoder)
{
    const struct trace_otf2_rank_tables *ranks = decoder->context->tables->ranks;
    const struct trace_otf2_rank_tables *rank;

    if (ranks == NULL)
        return true;
    rank = &ranks[decoder->rank];
    return decoder->next_receive == rank->receive_count ||
           rank->receives[decoder->next_receive].ordinal != decoder->receive_ordinal;
}

/* False where the next non-blocking send of a cursor never completes. */
INLINE bool is_usual_start(const struct trace_otf2_decoder *decoder)
{
    const struct trace_otf2_rank_tables *ranks = decoder->context->tables->ranks;
    const struct trace_otf2_rank_tables *rank;

    if (ranks == NULL)
        return true;
    rank = &ranks[decoder->rank];
    return decoder->next_start == rank->start_count ||
           rank->starts[decoder->next_start] != decoder->send_ordinal;
}

/* No open request has this identifier. */
INLINE bool is_free(const struct trace_otf2_decoder *decoder, uint64_t id)
{
    return trace_otf2_request_find(&decoder->requests, id) == TRACE_OTF2_NO_REQUEST;
}

/* How the class of a call becomes flags of its send; false where this file does not know. */
INLINE bool find_flags(enum trace_otf2_class class, unsigned *flags)
{
    *flags = class == TRACE_OTF2_SYNCHRONOUS ? TRACE_SYNCHRONOUS
             : class == TRACE_OTF2_BUFFERED  ? TRACE_BUFFERED
                                             : 0;
    return class == TRACE_OTF2_POINT_TO_POINT || *flags != 0;
}

/* MPI_Send or MPI_Isend: a message that is counted, an operation, or both. 1: the call is taken; 0: it is
 * for the decoder; -1: no memory. So do those below. Checks first, changes afterwards: returning 0 must leave the
 * decoder as it was. */
INLINE int take_send(struct trace_otf2_decoder *decoder, const struct trace_otf2_group *group,
                     unsigned nonblocking)
{
    struct trace_otf2_request request = {
        .id = group->record->request, .kind = TRACE_OTF2_REQUEST_SEND, .slot = UINT64_MAX};
    struct trace_slot *slot = NULL;
    struct trace_otf2_group_message message;
    unsigned flags;

    if (!find_flags(group->class, &flags) || !is_usual_message(decoder, group, &message) ||
        (nonblocking && (!is_free(decoder, request.id) || !is_usual_start(decoder))))
        return 0;
    trace_otf2_group_begin(decoder, group);
    if (trace_otf2_group_emit_compute(decoder, group, group->record, group->record_ns) != 0)
        return no_memory(decoder);
    if (nonblocking) {
        request.number = decoder->next_number++;
        request.ordinal = decoder->send_ordinal++;
    }
    if (trace_otf2_group_count_message(decoder, group, &message, true) != 0)
        return no_memory(decoder);
    if (group->emits) {
        slot = trace_otf2_group_append(decoder, group, group->record, group->record_ns, TRACE_SEND);
        if (slot == NULL)
            return no_memory(decoder);
        trace_otf2_group_set_message(&slot->op, &message, group->record);
        slot->op.flags = flags | nonblocking;
        slot->op.request = request.number;
    }
    if (nonblocking && trace_otf2_request_add(&decoder->requests, &request) == NULL)
        return no_memory(decoder);
    return trace_otf2_group_end(decoder, group, slot);
}

/* MPI_Recv: all is known at once. A blocking receive is known when its record is read, so that nothing stays open. */
INLINE int take_receive(struct trace_otf2_decoder *decoder, const struct trace_otf2_group *group)
{
    struct trace_slot *slot = NULL;
    struct trace_otf2_group_message message;

    if (group->class != TRACE_OTF2_POINT_TO_POINT || !is_usual_message(decoder, group, &message) ||
        !is_usual_receive(decoder))
        return 0;
    trace_otf2_group_begin(decoder, group);
    if (trace_otf2_group_emit_compute(decoder, group, group->record, group->record_ns) != 0 ||
        trace_otf2_group_count_message(decoder, group, &message, false) != 0)
        return no_memory(decoder);
    if (group->emits) {
        slot = trace_otf2_group_append(decoder, group, group->record, group->record_ns, TRACE_RECEIVE);
        if (slot == NULL)
            return no_memory(decoder);
        trace_otf2_group_set_message(&slot->op, &message, group->record);
        slot->ordinal = decoder->receive_ordinal;
        trace_otf2_apply_rule(decoder, &slot->op);
    }
    decoder->receive_ordinal++;
    return trace_otf2_group_end(decoder, group, slot);
}

/* MPI_Irecv: the receive stays open, and holds up what comes behind it in the queue, until it completes. Its
 * message is not in this record but in that of its completion: request and slot wait for it. */
INLINE int take_posting(struct trace_otf2_decoder *decoder, const struct trace_otf2_group *group)
{
    struct trace_otf2_request request = {.id = group->record->request,
                                         .kind = TRACE_OTF2_REQUEST_RECEIVE,
                                         .number = decoder->next_number,
                                         .ordinal = decoder->receive_ordinal,
                                         .early = !decoder->made_communicator};
    struct trace_slot *slot;

    if (group->class != TRACE_OTF2_POINT_TO_POINT || !is_free(decoder, request.id) ||
        !is_usual_receive(decoder))
        return 0;
    trace_otf2_group_begin(decoder, group);
    if (trace_otf2_group_emit_compute(decoder, group, group->record, group->record_ns) != 0)
        return no_memory(decoder);
    request.slot = decoder->queue.tail;
    slot = trace_otf2_group_append(decoder, group, group->record, group->record_ns, TRACE_RECEIVE);
    if (slot == NULL || trace_otf2_request_add(&decoder->requests, &request) == NULL)
        return no_memory(decoder);
    slot->op.flags = TRACE_NONBLOCKING;
    slot->op.request = decoder->next_number++;
    slot->ordinal = decoder->receive_ordinal++;
    slot->state = TRACE_SLOT_OPEN;
    return trace_otf2_group_end(decoder, group, slot);
}

/* The wait of a call that completes one request: its own operation, after the compute time before it. The
 * survey has nothing to count of it. */
INLINE int emit_wait(struct trace_otf2_decoder *decoder, const struct trace_otf2_group *group,
                     uint64_t number)
{
    struct trace_slot *slot = NULL;

    if (trace_otf2_group_emit_compute(decoder, group, group->leave, group->end_ns) != 0)
        return no_memory(decoder);
    if (group->emits) {
        uint64_t *set;
        slot = trace_otf2_group_append(decoder, group, group->leave, group->end_ns, TRACE_WAIT);
        if (slot == NULL || (set = trace_queue_append_words(&decoder->queue, 1)) == NULL)
            return no_memory(decoder);
        *set = number;
        slot->op.request_count = 1;
    }
    return trace_otf2_group_end(decoder, group, slot);
}

/* A receive that has been counted leaves the survey's queue. */
INLINE void drop(struct trace_queue *queue, uint64_t number, struct trace_slot *slot)
{
    slot->state = TRACE_SLOT_DEAD;
    if (queue->head == number)
        queue->head++;
}

/* MPI_Wait for a receive, whose message is known now. Only requests in the short list (requests.h) are taken here:
 * that is where they are unless many are open. */
INLINE int take_arrival(struct trace_otf2_decoder *decoder, const struct trace_otf2_group *group)
{
    struct trace_otf2_requests *requests = &decoder->requests;
    uint32_t place = trace_otf2_request_place(requests, group->record->request);
    struct trace_otf2_request *request;
    struct trace_slot *slot;
    struct trace_otf2_group_message message;

    if (place == requests->few_count || !is_usual_message(decoder, group, &message))
        return 0;
    request = &requests->all[requests->few[place].index];
    slot = trace_queue_find(&decoder->queue, request->slot);
    if (request->kind != TRACE_OTF2_REQUEST_RECEIVE || request->known || slot == NULL ||
        slot->state != TRACE_SLOT_OPEN)
        return 0;
    trace_otf2_group_begin(decoder, group);
    if (trace_otf2_group_count_message(decoder, group, &message, false) != 0)
        return no_memory(decoder);
    if (!group->emits) {
        drop(&decoder->queue, request->slot, slot);
    } else {
        trace_otf2_group_set_message(&slot->op, &message, group->record);
        trace_otf2_apply_rule(decoder, &slot->op);
        slot->state = TRACE_SLOT_READY;
    }
    trace_otf2_request_remove_few(requests, place);
    return emit_wait(decoder, group, request->number);
}

/* MPI_Wait for a send. */
INLINE int take_departure(struct trace_otf2_decoder *decoder, const struct trace_otf2_group *group)
{
    struct trace_otf2_requests *requests = &decoder->requests;
    uint32_t place = trace_otf2_request_place(requests, group->record->request);
    const struct trace_otf2_request *request;

    if (place == requests->few_count)
        return 0;
    request = &requests->all[requests->few[place].index];
    if (request->kind != TRACE_OTF2_REQUEST_SEND || request->unfinished)
        return 0;
    trace_otf2_group_begin(decoder, group);
    trace_otf2_request_remove_few(requests, place);
    return emit_wait(decoder, group, request->number);
}

/* Calls whose completions are one wait; tests and waits for any or some are for the decoder. */
INLINE bool is_wait(enum trace_otf2_class class)
{
    return class == TRACE_OTF2_WAIT_ONE || class == TRACE_OTF2_WAIT_ALL;
}

/* By the kind of the record inside the call; 0 for kinds that have no usual shape. */
INLINE int take_by_record(struct trace_otf2_decoder *decoder, const struct trace_otf2_group *group)
{
    switch (group->record->kind) {
    case TRACE_OTF2_SEND:
        return take_send(decoder, group, 0);
    case TRACE_OTF2_ISEND:
        return take_send(decoder, group, TRACE_NONBLOCKING);
    case TRACE_OTF2_RECV:
        return take_receive(decoder, group);
    case TRACE_OTF2_IRECV_REQUEST:
        return take_posting(decoder, group);
    case TRACE_OTF2_IRECV:
        return is_wait(group->class) ? take_arrival(decoder, group) : 0;
    case TRACE_OTF2_ISEND_COMPLETE:
        return is_wait(group->class) ? take_departure(decoder, group) : 0;
    default:
        return 0;
    }
}

/* A call of three events, whose first is in order. */
INLINE int take_call(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *events, uint32_t call,
                     bool counts, bool emits)
{
    struct trace_otf2_group group = {
        .record = &events[1], .leave = &events[2], .call = call, .counts = counts, .emits = emits};

    if (events[2].kind != TRACE_OTF2_LEAVE || events[2].peer != events[0].peer ||
        events[1].time < events[0].time || events[2].time < events[1].time ||
        events[2].time > decoder->sane_ticks)
        return 0;
    group.class = decoder->context->definitions->calls[call].class;
    group.begin_ns = trace_otf2_nanoseconds(decoder, events[0].time);
    group.record_ns = trace_otf2_nanoseconds(decoder, events[1].time);
    group.end_ns = trace_otf2_nanoseconds(decoder, events[2].time);
    return CALL_EVENTS * take_by_record(decoder, &group);
}

/* Regions of the program's own are only counted, as in the decoder. */
INLINE int take_region(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    if (event->kind == TRACE_OTF2_LEAVE && decoder->user_depth == 0)
        return 0;
    decoder->user_depth += event->kind == TRACE_OTF2_ENTER ? UINT64_C(1) : UINT64_MAX;
    return 1;
}

/* How many events can be taken from here: 3, 1, or 0 when the next is for the decoder; negative: no memory.
 */
INLINE int take(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *events,
                const struct trace_otf2_event *end_at_hand, uint64_t last_ticks, bool counts, bool emits)
{
    uint32_t call;

    if (events->kind > TRACE_OTF2_LEAVE || events->peer >= TRACE_OTF2_DENSE || events->time < last_ticks ||
        events->time > decoder->sane_ticks)
        return 0;
    call = decoder->context->definitions->dense_regions[events->peer];
    if (call == TRACE_OTF2_USER_REGION)
        return take_region(decoder, events);
    if (call == BASE_TABLE_NONE || events->kind == TRACE_OTF2_LEAVE || end_at_hand - events < CALL_EVENTS)
        return 0;
    return take_call(decoder, events, call, counts, emits);
}

/* As trace_otf2_decode_groups. The decoder's place in the trace is brought up to date once, behind the last event
 * taken. */
INLINE int take_all(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *events, size_t count,
                    size_t at_hand, bool counts, bool emits)
{
    const struct trace_otf2_event *next = events;
    uint64_t last_ticks = decoder->last_ticks;

    while (next < events + count) {
        int taken = take(decoder, next, events + at_hand, last_ticks, counts, emits);
        if (taken < 0)
            return -1;
        if (taken == 0)
            break;
        next += taken;
        last_ticks = next[-1].time;
    }
    if (next == events)
        return 0;
    decoder->position = next[-1].position;
    decoder->last_ticks = last_ticks;
    decoder->now_ns = trace_otf2_nanoseconds(decoder, last_ticks);
    decoder->sealed = decoder->queue.tail;
    return (int)(next - events);
}

/* Not while a probe, or a completion outside of all calls, waits for what follows. The copies
 * are compiled apart, since `counts` and `emits` are literals in each. */
int trace_otf2_decode_groups(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *events,
                             size_t count, size_t at_hand)
{
    if (!decoder->started || decoder->probe != UINT64_MAX || decoder->completed_count > 0)
        return 0;
    if (decoder->survey == NULL)
        return take_all(decoder, events, count, at_hand, false, true);
    return decoder->drafts ? take_all(decoder, events, count, at_hand, true, true)
                           : take_all(decoder, events, count, at_hand, true, false);
}
