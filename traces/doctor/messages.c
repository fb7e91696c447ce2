/* The trace doctor's messages: the k-th send of a channel belongs to the k-th receive that was posted there,
 * since MPI messages of one source, tag and communicator do not overtake each other (MPI 4.0, section 3.5).
 *
 *      channel (source 1, target 0, MPI_COMM_WORLD, tag 7)
 *          sends      s3 ─► s4                    one of the two queues is empty, but for wildcards
 *          receives   (none)
 *          probes     (none)                      wait for a send, and take nothing
 *
 * A receive with an unresolved wildcard has a channel of its own, from which it takes what fits when its rank
 * cannot go on otherwise: receives that name their source are served first. That may still take a message
 * away from a later receive; so what is left at the end of such a target is weighed up, not compared one by
 * one.
 *
 * Memory is in proportion to open items, not to messages: an item is freed when it has both its other side and its
 * completion, a channel when its queues are empty. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "traces/doctor/internal.h"
#include "base/grow.h"

#define WEIGH_LIMIT 1000000 /* comparisons of what wildcards left over */

/* Other requests are in no queue; what is asked for them is never used. */
static enum doctor_queue queue_of(enum doctor_item_kind kind)
{
    return kind == DOCTOR_SEND ? DOCTOR_SENDS : kind == DOCTOR_RECEIVE ? DOCTOR_RECEIVES : DOCTOR_PROBES;
}

/* DOCTOR_NONE: memory.
 * Items are numbered, not pointed at, since the array moves when it grows. Freed ones are used again first,
 * so that the array is as long as there ever were open items at once. */
static uint32_t new_item(struct doctor *doctor, const struct doctor_item *item)
{
    uint32_t index = doctor->free_item;

    if (index != DOCTOR_NONE) {
        doctor->free_item = doctor->items[index].next;
    } else {
        if (doctor->item_count >= DOCTOR_NONE ||
            base_grow(&doctor->items, &doctor->item_capacity, doctor->item_count + 1,
                      sizeof *doctor->items) != 0)
            return DOCTOR_NONE;
        index = (uint32_t)doctor->item_count++;
    }
    doctor->items[index] = *item;
    doctor->items[index].next = DOCTOR_NONE;
    return index;
}

/* The end of an item that has both its other side and its completion.
 * A receive that was given up by its rank is completed but not matched: it stays in its queue, and is freed
 * by the send that turns up later, or told at the end. */
static void release_item(struct doctor *doctor, uint32_t index)
{
    struct doctor_item *item = &doctor->items[index];

    if (!item->matched || !item->completed)
        return;
    item->next = doctor->free_item;
    doctor->free_item = index;
}

/* ---- channels */

/* Two 32-bit numbers in one key of the table. */
static uint64_t pair_key(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* The table has two keys of 64 bits: exactly the four numbers that MPI matches by. */
static uint32_t find_channel(const struct doctor *doctor, uint32_t source, uint32_t target,
                             uint32_t communicator, uint32_t tag)
{
    return base_table_get(&doctor->channel_of, pair_key(source, target), pair_key(communicator, tag));
}

/* Room for a channel, from the free ones if there are any. DOCTOR_NONE: memory. */
static uint32_t take_channel(struct doctor *doctor)
{
    uint32_t index = doctor->free_channel;

    if (index != DOCTOR_NONE) {
        doctor->free_channel = doctor->channels[index].next;
        return index;
    }
    if (doctor->channel_count >= DOCTOR_NONE ||
        base_grow(&doctor->channels, &doctor->channel_capacity, doctor->channel_count + 1,
                  sizeof *doctor->channels) != 0)
        return DOCTOR_NONE;
    return (uint32_t)doctor->channel_count++;
}

/* The channel, made when there is none. DOCTOR_NONE: memory. Channels of a target are a list through their ranks,
 * for the reports at the end and for wildcards. */
static uint32_t channel_for(struct doctor *doctor, uint32_t source, uint32_t target, uint32_t communicator,
                            uint32_t tag)
{
    uint32_t index = find_channel(doctor, source, target, communicator, tag);
    uint32_t *first;
    struct doctor_channel channel = {.source = source,
                                     .target = target,
                                     .communicator = communicator,
                                     .tag = tag,
                                     .previous = DOCTOR_NONE,
                                     .next = DOCTOR_NONE};

    if (index != BASE_TABLE_NONE)
        return index;
    index = take_channel(doctor);
    if (index == DOCTOR_NONE)
        return DOCTOR_NONE;
    first = &doctor->ranks[target].channels;
    channel.next = *first;
    for (int i = 0; i < DOCTOR_QUEUES; i++)
        channel.first[i] = channel.last[i] = DOCTOR_NONE;
    doctor->channels[index] = channel;
    if (base_table_put(&doctor->channel_of, pair_key(source, target), pair_key(communicator, tag), index) !=
        0) {
        doctor->channels[index].next = doctor->free_channel;
        doctor->free_channel = index;
        return DOCTOR_NONE;
    }
    if (*first != DOCTOR_NONE)
        doctor->channels[*first].previous = index;
    *first = index;
    return index;
}

/* Tags may be used once only: a channel that holds nothing is given back. */
static void release_channel(struct doctor *doctor, uint32_t index)
{
    struct doctor_channel *channel = &doctor->channels[index];

    for (int i = 0; i < DOCTOR_QUEUES; i++)
        if (channel->first[i] != DOCTOR_NONE)
            return;
    base_table_remove(&doctor->channel_of, pair_key(channel->source, channel->target),
                      pair_key(channel->communicator, channel->tag));
    if (channel->previous != DOCTOR_NONE)
        doctor->channels[channel->previous].next = channel->next;
    else
        doctor->ranks[channel->target].channels = channel->next;
    if (channel->next != DOCTOR_NONE)
        doctor->channels[channel->next].previous = channel->previous;
    channel->next = doctor->free_channel;
    doctor->free_channel = index;
}

/* At the end: MPI matches in the order of posting (MPI 4.0, section 3.5), and a stream is in that order. */
static void enqueue(struct doctor *doctor, uint32_t channel_index, uint32_t item)
{
    struct doctor_channel *channel = &doctor->channels[channel_index];
    enum doctor_queue queue = queue_of(doctor->items[item].kind);

    if (channel->last[queue] == DOCTOR_NONE)
        channel->first[queue] = item;
    else
        doctor->items[channel->last[queue]].next = item;
    channel->last[queue] = item;
}

/* The first item of a queue, taken out. The queue is not empty. */
static uint32_t dequeue(struct doctor *doctor, uint32_t channel_index, enum doctor_queue queue)
{
    struct doctor_channel *channel = &doctor->channels[channel_index];
    uint32_t item = channel->first[queue];

    channel->first[queue] = doctor->items[item].next;
    if (channel->first[queue] == DOCTOR_NONE)
        channel->last[queue] = DOCTOR_NONE;
    doctor->items[item].next = DOCTOR_NONE;
    return item;
}

/* ---- pairing */

/* A receive that had returned before its send was called: the two clocks disagree. Asked once both times are
 * known. Only where ranks have a common clock, and of targets without wildcards, whose pairs would be a guess. */
static void check_clock(struct doctor *doctor, const struct doctor_item *receive)
{
    const struct doctor_place *send = &receive->send;
    uint64_t origin_send, origin_receive, sent, received;

    if (doctor->ranks[receive->place.rank].wildcards || send->rank == receive->place.rank)
        return;
    origin_send = trace_program_origin_ns(doctor->program, send->rank);
    origin_receive = trace_program_origin_ns(doctor->program, receive->place.rank);
    if (origin_send == UINT64_MAX || origin_receive == UINT64_MAX)
        return;
    sent = origin_send + send->time_ns;
    received = origin_receive + receive->completed_ns;
    doctor->messages++;
    if (received >= sent)
        return;
    doctor->violations++;
    if (sent - received > doctor->worst_ns) {
        doctor->worst_ns = sent - received;
        doctor->worst_send = *send;
        doctor->worst_receive = receive->place;
    }
}

/* Readers give receives the size that arrived; a smaller one could not have held the message. */
static int check_size(struct doctor *doctor, const struct doctor_item *send,
                      const struct doctor_item *receive)
{
    if (send->bytes == receive->bytes || doctor->ranks[receive->place.rank].wildcards)
        return 0;
    return doctor_tell(doctor, receive->bytes < send->bytes ? "receive-too-small" : "receive-size",
                       TRACE_WARNING, &receive->place, 1,
                       "receives %" PRIu64 " bytes, but the matching send (%s of rank %" PRIu32
                       ", event %" PRIu64 ") has %" PRIu64,
                       receive->bytes, trace_program_region_name(doctor->program, send->place.region),
                       send->place.rank, send->place.event, send->bytes);
}

/* The place of the send is copied: its item may be freed here, while the receive still waits for its
 * completion, whose time decides about the clocks. */
static int pair(struct doctor *doctor, uint32_t send_index, uint32_t receive_index)
{
    struct doctor_item *send = &doctor->items[send_index], *receive = &doctor->items[receive_index];
    int status = check_size(doctor, send, receive);

    doctor->ranks[send->place.rank].unmatched_sends--;
    send->matched = receive->matched = true;
    receive->send = send->place;
    if (receive->completed)
        check_clock(doctor, receive);
    release_item(doctor, send_index);
    release_item(doctor, receive_index);
    return status;
}

/* Every probe that waited for this send has it now. */
static void satisfy_probes(struct doctor *doctor, uint32_t channel)
{
    while (doctor->channels[channel].first[DOCTOR_PROBES] != DOCTOR_NONE) {
        uint32_t probe = dequeue(doctor, channel, DOCTOR_PROBES);
        doctor->items[probe].matched = true;
        release_item(doctor, probe);
    }
}

/* A message that a wildcard of this target could take: DOCTOR_NONE, or a channel with sends. */
static uint32_t find_fitting(const struct doctor *doctor, const struct doctor_channel *wildcard)
{
    uint32_t index = doctor->ranks[wildcard->target].channels, oldest = DOCTOR_NONE;

    for (; index != DOCTOR_NONE; index = doctor->channels[index].next) {
        const struct doctor_channel *channel = &doctor->channels[index];
        if (channel->first[DOCTOR_SENDS] != DOCTOR_NONE && channel->communicator == wildcard->communicator &&
            (wildcard->source == TRACE_ANY_SOURCE || channel->source == wildcard->source) &&
            (wildcard->tag == TRACE_ANY_TAG || channel->tag == wildcard->tag))
            oldest = index; /* new channels are first in the list */
    }
    return oldest;
}

/* Gives a wildcard receive or probe, the first of its queue, what there is. Sizes are not compared where
 * wildcards are, so that pairing has nothing to tell. */
static bool serve_wildcard(struct doctor *doctor, uint32_t channel, enum doctor_queue queue)
{
    uint32_t from = find_fitting(doctor, &doctor->channels[channel]);
    uint32_t item;

    if (from == DOCTOR_NONE)
        return false;
    item = dequeue(doctor, channel, queue);
    if (queue == DOCTOR_RECEIVES) {
        (void)pair(doctor, dequeue(doctor, from, DOCTOR_SENDS), item);
        release_channel(doctor, from);
    } else {
        doctor->items[item].matched = true;
        release_item(doctor, item);
    }
    return true;
}

/* Serves the wildcards of a rank, in the order in which they were posted, until this one has its message. */
static void serve_rank(struct doctor *doctor, uint32_t rank, const struct doctor_item *item)
{
    enum doctor_queue queue = queue_of(item->kind);
    uint32_t index = doctor->ranks[rank].channels;

    while (index != DOCTOR_NONE && !item->matched) {
        const struct doctor_channel *channel = &doctor->channels[index];
        bool is_open = (channel->source == TRACE_ANY_SOURCE || channel->tag == TRACE_ANY_TAG) &&
                       channel->first[queue] != DOCTOR_NONE;
        if (!is_open || !serve_wildcard(doctor, index, queue))
            index = channel->next;
    }
    if (index != DOCTOR_NONE)
        release_channel(doctor, index);
}

/* Sends have a target of their own in any case; UINT32_MAX there would be a rank out of range. */
static bool is_wildcard(const struct trace_op *op)
{
    return op->kind != TRACE_SEND && (op->peer == TRACE_ANY_SOURCE || op->tag == TRACE_ANY_TAG);
}

/* The other side is taken from the queue, or this one goes there.
 * A channel made for this item alone is released again when the other side was there already. Probes that wait are
 * satisfied by the first send, which they leave in its queue. */
static int meet(struct doctor *doctor, uint32_t channel, uint32_t item)
{
    struct doctor_channel *queues = &doctor->channels[channel];
    int status = 0;

    switch (doctor->items[item].kind) {
    case DOCTOR_SEND:
        satisfy_probes(doctor, channel);
        if (queues->first[DOCTOR_RECEIVES] == DOCTOR_NONE)
            enqueue(doctor, channel, item);
        else
            status = pair(doctor, item, dequeue(doctor, channel, DOCTOR_RECEIVES));
        break;
    case DOCTOR_RECEIVE:
        if (queues->first[DOCTOR_SENDS] == DOCTOR_NONE)
            enqueue(doctor, channel, item);
        else
            status = pair(doctor, dequeue(doctor, channel, DOCTOR_SENDS), item);
        break;
    default:
        if (queues->first[DOCTOR_SENDS] == DOCTOR_NONE)
            enqueue(doctor, channel, item);
        else
            doctor->items[item].matched = true;
    }
    release_channel(doctor, channel);
    return status;
}

/* Registers a request, and lets the previous owner of its number go. */
static int open_request(struct doctor *doctor, uint32_t rank, uint64_t request, uint32_t item)
{
    return base_table_put(&doctor->request_of, rank, request, item) == 0
               ? 0
               : base_error_memory(doctor->error, "the requests");
}

/* The item of an operation. Sends count as eager: a blocking one is complete at once. */
static struct doctor_item item_of(uint32_t rank, const struct trace_op *op, enum doctor_item_kind kind)
{
    return (struct doctor_item){
        .place = doctor_place_of(rank, op),
        .kind = kind,
        .completed = kind == DOCTOR_SEND && (op->flags & TRACE_NONBLOCKING) == 0,
        .wildcard = is_wildcard(op),
        .request = op->request,
        .bytes = op->bytes,
    };
}

/* The item comes before the channel: if memory is out for the latter, the former lies in the array and is
 * freed with it. A send counts at its source until it is matched (unmatched_sends), a receive is found by its
 * request. */
int doctor_post(struct doctor *doctor, uint32_t rank)
{
    struct doctor_rank *state = &doctor->ranks[rank];
    const struct trace_op *op = &state->op;
    enum doctor_item_kind kind = op->kind == TRACE_SEND      ? DOCTOR_SEND
                                 : op->kind == TRACE_RECEIVE ? DOCTOR_RECEIVE
                                                             : DOCTOR_PROBE;
    struct doctor_item item = item_of(rank, op, kind);
    uint32_t index = new_item(doctor, &item), channel = DOCTOR_NONE;

    if (index != DOCTOR_NONE)
        channel = kind == DOCTOR_SEND ? channel_for(doctor, rank, op->peer, op->communicator, op->tag)
                                      : channel_for(doctor, op->peer, rank, op->communicator, op->tag);
    if (channel == DOCTOR_NONE)
        return base_error_memory(doctor->error, "the unmatched messages");
    state->wildcards |= item.wildcard;
    if ((op->flags & TRACE_NONBLOCKING) == 0)
        state->item = index;
    else if (open_request(doctor, rank, op->request, index) != 0)
        return -1;
    if (kind == DOCTOR_SEND)
        state->unmatched_sends++;
    return meet(doctor, channel, index);
}

/* It waits for nobody, so that only its completion is of interest. */
int doctor_post_other(struct doctor *doctor, uint32_t rank)
{
    const struct trace_op *op = &doctor->ranks[rank].op;
    struct doctor_item item = item_of(rank, op, DOCTOR_OTHER);
    uint32_t index;

    item.matched = true;
    index = new_item(doctor, &item);
    if (index == DOCTOR_NONE)
        return base_error_memory(doctor->error, "the requests");
    return open_request(doctor, rank, op->request, index);
}

/* ---- waiting */

/* Whether an item has its other side; what a wildcard waits for is looked for only now. */
static bool has_other_side(struct doctor *doctor, uint32_t rank, uint32_t index)
{
    const struct doctor_item *item = &doctor->items[index];

    if (!item->matched && item->wildcard)
        serve_rank(doctor, rank, item);
    return item->matched || item->kind == DOCTOR_SEND;
}

/* A wait needs all of its requests; readers give a set that was completed, not one that could have been
 * (MPI_Waitany). */
bool doctor_is_matched(struct doctor *doctor, uint32_t rank)
{
    const struct doctor_rank *state = &doctor->ranks[rank];

    if (state->op.kind != TRACE_WAIT)
        return has_other_side(doctor, rank, state->item);
    for (size_t i = 0; i < state->op.request_count; i++) {
        uint32_t item = base_table_get(&doctor->request_of, rank, state->op.requests[i]);
        if (item != BASE_TABLE_NONE && !has_other_side(doctor, rank, item))
            return false;
    }
    return true;
}

/* Marks an item completed at the return of the call that the rank is at. */
static void complete_item(struct doctor *doctor, uint32_t rank, uint32_t index)
{
    struct doctor_item *item = &doctor->items[index];

    item->completed = true;
    item->completed_ns = doctor->ranks[rank].latest_end_ns;
    if (item->kind == DOCTOR_RECEIVE && item->matched)
        check_clock(doctor, item);
    release_item(doctor, index);
}

/* Requests leave the table here: the same number may not come again, and if it does, that is an unknown
 * request. A request that is unknown is told once for each wait that names it; others of the set are completed all
 * the same. */
int doctor_complete(struct doctor *doctor, uint32_t rank)
{
    struct doctor_rank *state = &doctor->ranks[rank];
    const struct trace_op *op = &state->op;
    struct doctor_place place = doctor_place_of(rank, op);
    int status = 0;

    if (op->kind != TRACE_WAIT)
        complete_item(doctor, rank, state->item);
    for (size_t i = 0; op->kind == TRACE_WAIT && status == 0 && i < op->request_count; i++) {
        uint32_t item = base_table_get(&doctor->request_of, rank, op->requests[i]);
        if (item == BASE_TABLE_NONE) {
            status = doctor_tell(doctor, "unknown-request", TRACE_WARNING, &place, 1,
                                 "waits for request %" PRIu64 ", which was never started or is complete",
                                 op->requests[i]);
            continue;
        }
        complete_item(doctor, rank, item);
        base_table_remove(&doctor->request_of, rank, op->requests[i]);
    }
    return status;
}

/* ---- what is left */

/* Not released: the end is near, and the queues are walked through meanwhile. */
static void drop_first(struct doctor *doctor, uint32_t channel, enum doctor_queue queue)
{
    doctor->items[dequeue(doctor, channel, queue)].matched = true;
}

/* What wildcards left over on a target: a send and a receive of one communicator make up for each other. */
static void weigh_up(struct doctor *doctor, uint32_t rank)
{
    uint32_t left = WEIGH_LIMIT;

    for (uint32_t a = doctor->ranks[rank].channels; a != DOCTOR_NONE; a = doctor->channels[a].next)
        for (uint32_t b = doctor->ranks[rank].channels; b != DOCTOR_NONE && left > 0;
             b = doctor->channels[b].next, left--)
            while (doctor->channels[a].communicator == doctor->channels[b].communicator &&
                   doctor->channels[a].first[DOCTOR_SENDS] != DOCTOR_NONE &&
                   doctor->channels[b].first[DOCTOR_RECEIVES] != DOCTOR_NONE) {
                drop_first(doctor, a, DOCTOR_SENDS);
                drop_first(doctor, b, DOCTOR_RECEIVES);
            }
}

/* "any source", "rank 3" and the like, for the sentences below. */
static const char *text_of(char text[32], const char *what, const char *any, uint32_t number)
{
    if (number == UINT32_MAX)
        return any;
    snprintf(text, 32, "%s%" PRIu32, what, number);
    return text;
}

/* One defect for all that one queue of a channel holds, at the first of it. Count and bytes are of the whole
 * queue, call and event of its first item. */
static int report_queue(struct doctor *doctor, const struct doctor_channel *channel, enum doctor_queue queue)
{
    static const char *const kinds[] = {"unmatched-send", "unmatched-receive", "unmatched-probe"};
    static const char *const nouns[] = {"message", "receive", "probe"};
    static const char *const missing[] = {"receive", "message", "message"};
    const char *relation = queue == DOCTOR_SENDS ? "to" : "from";
    uint32_t item = channel->first[queue], other = queue == DOCTOR_SENDS ? channel->target : channel->source;
    uint64_t count = 0, bytes = 0;
    char peer[32], tag[32], size[BASE_UNITS_TEXT + 4], number[BASE_UNITS_TEXT];

    if (item == DOCTOR_NONE)
        return 0;
    for (uint32_t i = item; i != DOCTOR_NONE; i = doctor->items[i].next) {
        count++;
        bytes += doctor->items[i].bytes;
    }
    snprintf(size, sizeof size, " (%s)", base_format_bytes(bytes, number));
    return doctor_tell(doctor, kinds[queue], TRACE_FAULT, &doctor->items[item].place, count,
                       "%s %s%s%s %s %s, %s, on %s: no %s in the trace", base_format_count(count, number),
                       nouns[queue], count == 1 ? "" : "s", queue == DOCTOR_PROBES ? "" : size, relation,
                       text_of(peer, "rank ", "any rank", other),
                       text_of(tag, "tag ", "any tag", channel->tag),
                       doctor_communicator_name(doctor, channel->communicator), missing[queue]);
}

/* Channels are listed by target in the order of scheduling; reports go by target, source, communicator, tag.
 */
static int compare_channels(const void *left, const void *right)
{
    const struct doctor_channel *a = left, *b = right;

    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->communicator != b->communicator)
        return a->communicator < b->communicator ? -1 : 1;
    return a->tag < b->tag ? -1 : a->tag > b->tag;
}

/* The channels are copied for sorting: they are linked by number, and would lose each other if they moved. Sorted,
 * so that the reports do not depend on the order in which ranks were read. */
static int report_channels(struct doctor *doctor)
{
    struct doctor_channel *list;
    size_t count = 0;
    int status = 0;

    for (uint32_t rank = 0; rank < doctor->rank_count; rank++)
        for (uint32_t i = doctor->ranks[rank].channels; i != DOCTOR_NONE; i = doctor->channels[i].next)
            count++;
    if (count == 0)
        return 0;
    list = malloc(count * sizeof *list);
    if (list == NULL)
        return base_error_memory(doctor->error, "the unmatched messages");
    count = 0;
    for (uint32_t rank = 0; rank < doctor->rank_count; rank++)
        for (uint32_t i = doctor->ranks[rank].channels; i != DOCTOR_NONE; i = doctor->channels[i].next)
            list[count++] = doctor->channels[i];
    qsort(list, count, sizeof *list, compare_channels);
    for (size_t i = 0; status == 0 && i < count; i++)
        for (enum doctor_queue queue = 0; status == 0 && queue < DOCTOR_QUEUES; queue++)
            status = report_queue(doctor, &list[i], queue);
    free(list);
    return status;
}

/* Receives whose messages came are in no channel any more: every item with an open request is looked at. */
static int report_requests(struct doctor *doctor)
{
    int status = 0;

    for (size_t i = 0; status == 0 && i < doctor->item_count; i++) {
        const struct doctor_item *item = &doctor->items[i];
        if (base_table_get(&doctor->request_of, item->place.rank, item->request) != i || item->completed)
            continue;
        status = doctor_tell(
            doctor, "request-not-completed", item->kind == DOCTOR_SEND ? TRACE_NOTE : TRACE_WARNING,
            &item->place, 1,
            "no wait or test completes what this call starts: the replay does not wait for it either");
    }
    return status;
}

/* One defect for the whole trace: where one message goes against the clock, a third of them mostly do. Its
 * place is that of the worst one. */
static int report_clock(struct doctor *doctor)
{
    char worst[BASE_UNITS_TEXT];

    if (doctor->violations == 0)
        return 0;
    return doctor_tell(doctor, "clock-violation", TRACE_NOTE, &doctor->worst_receive, doctor->violations,
                       "%" PRIu64 " of %" PRIu64 " messages are received before they are sent, by up to %s "
                       "(this one, from rank %" PRIu32 ", event %" PRIu64
                       "): the ranks' clocks disagree; a replay uses only times within a rank",
                       doctor->violations, doctor->messages, base_format_ns(doctor->worst_ns, worst),
                       doctor->worst_send.rank, doctor->worst_send.event);
}

/* Wildcards first: what they left over is none of the unmatched. */
int doctor_report_messages(struct doctor *doctor)
{
    for (uint32_t rank = 0; rank < doctor->rank_count; rank++)
        if (doctor->ranks[rank].wildcards)
            weigh_up(doctor, rank);
    if (report_channels(doctor) != 0 || report_requests(doctor) != 0)
        return -1;
    return report_clock(doctor);
}
