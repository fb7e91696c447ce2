/* Messages: matching by envelope and the two protocols; one-sided calls, which need no match.
 *
 * Matching is MPI's: sends and receives of one (communicator, source, target, tag) pair up in the order in
 * which their ranks started them. Where all receives are resolved this never depends on time, and is done as
 * soon as both sides have been started. A key's queue holds sends or receives, never both; it exists only
 * while it holds something. Where a rank has used a wildcard or a probe, matching.c matches instead.
 *
 *      eager        data ─────────────────────────────► receive completes when it is there and posted
 *      rendezvous   RTS ──► (matched) ──► CTS ──► data ──► send completes when the data has left its queue
 *
 * The CTS leaves when the RTS is there and the receive is posted, whatever the receiver computes meanwhile
 * (asynchronous progress), unless hosts are in it inside calls only (host.c). A message to self is copied in no time
 * when it is matched.
 *
 *      put          data ──► complete
 *      get          one flit ──► data back ──► complete */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clear.h"
#include "base/grow.h"
#include "replay/engine/internal.h"

/* The shadow context of collectives: their phases and the tags of the program cannot meet. */
#define SHADOW (UINT64_C(1) << 63)

/* Two words, as base_table wants them: a names the pair of ranks, b the context and the tag. */
struct key {
    uint64_t a, b;
};

/* Both sides of a message compute the same key: the receiver's peer is the source. A communicator's number
 * has 31 bits in b, below the shadow bit; a trace with two thousand million communicators would not fit into
 * memory before. */
static struct key key_of(const struct replay_request *request)
{
    bool sends = request->kind == REPLAY_SEND;
    uint32_t source = sends ? request->rank : request->peer;
    uint32_t target = sends ? request->peer : request->rank;
    uint64_t context = request->instance == REPLAY_NONE ? (uint64_t)request->communicator << 32
                                                        : SHADOW | (uint64_t)request->instance << 32;
    return (struct key){(uint64_t)source << 32 | target, context | request->tag};
}

/* A request from the pool: the one released last, so that the pool stays as small, and as warm in the cache,
 * as what is in flight. Growing moves all requests: no pointer to one is kept across a call of this. */
static uint32_t take(struct replay_engine *engine)
{
    uint32_t index = engine->request_free;
    if (index != REPLAY_NONE) {
        engine->request_free = engine->requests[index].next;
        return index;
    }
    if (base_grow_32(&engine->requests, &engine->request_capacity, (size_t)engine->request_count + 1,
                     sizeof *engine->requests) != 0)
        return REPLAY_NONE;
    return engine->request_count++;
}

/* Numbered in the order of starting, by which lists are sorted. */
static inline void number_request(struct replay_engine *engine, struct replay_request *request)
{
    request->mate = REPLAY_NONE;
    request->cause = REPLAY_NONE;
    request->begun_ns = engine->now_ns;
    request->order = engine->requests_started++;
}

struct replay_request *replay_request_new(struct replay_engine *engine, uint32_t *index)
{
    *index = take(engine);
    if (*index == REPLAY_NONE)
        return NULL;
    struct replay_request *request = &engine->requests[*index];
    base_clear(request, sizeof *request);
    number_request(engine, request);
    return request;
}

uint32_t replay_request_take(struct replay_engine *engine, const struct replay_request *request)
{
    uint32_t index = take(engine);
    if (index == REPLAY_NONE)
        return REPLAY_NONE;
    engine->requests[index] = *request;
    number_request(engine, &engine->requests[index]);
    return index;
}

/* The request may be taken again at once: nobody refers to it any more. Without a mate, so that releasing a
 * pair a second time does nothing. */
void replay_request_release(struct replay_engine *engine, uint32_t index)
{
    replay_path_forget(engine, &engine->requests[index]);
    engine->requests[index].kind = REPLAY_FREE;
    engine->requests[index].mate = REPLAY_NONE;
    engine->requests[index].next = engine->request_free;
    engine->request_free = index;
}

/* Both sides are through: nothing can refer to the message any more. */
static inline void release_pair_if_complete(struct replay_engine *engine, uint32_t index)
{
    uint32_t mate = engine->requests[index].mate;
    if (mate == REPLAY_NONE || !engine->requests[index].complete || !engine->requests[mate].complete)
        return;
    replay_request_release(engine, index);
    replay_request_release(engine, mate);
}

/* A request has done its part, at now. Whoever asked for it is told: the table of open requests forgets it,
 * and the rank that is blocked on it comes nearer to going on. A request that completes while it is being
 * started has nobody to tell yet (see attend). */
int replay_request_complete(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_request *request = &engine->requests[index];
    struct replay_rank *rank = &engine->rank[request->rank];
    request->complete = true;
    if (engine->hosts.on && request->kind == REPLAY_RECEIVE && replay_host_received(engine, index, error) < 0)
        return -1;
    if (request->registered)
        base_table_remove(&engine->open_requests, request->rank, request->number);
    request->registered = false;
    if (!request->awaited)
        return 0;
    request->awaited = false;
    if (engine->semantics->recorder != NULL)
        replay_wait_completed(engine, request);
    if (request->call != REPLAY_NONE)
        replay_collective_step_done(engine, request->call);
    else if (--rank->awaited == 0 && rank->state == REPLAY_BLOCKED) {
        rank->awaited_bytes = request->bytes;
        if (engine->hosts.loggops)
            replay_loggops_woken(engine, rank);
        return replay_wake(engine, request->rank, error);
    }
    return 0;
}

/* Kept out of the usual path. */
void replay_observe(const struct replay_engine *engine, enum replay_event_kind what,
                    const struct replay_request *request, const struct replay_request *other)
{
    struct replay_observation observation = {.what = what,
                                             .time_ns = engine->now_ns,
                                             .event = request->event,
                                             .bytes = request->bytes,
                                             .rank = request->rank,
                                             .peer = request->peer,
                                             .tag = request->tag,
                                             .communicator = request->communicator};
    if (request->instance != REPLAY_NONE)
        return;
    if (other != NULL) {
        observation.peer = other->rank;
        observation.peer_event = other->event;
        observation.tag = other->tag;
        observation.bytes = other->bytes;
    }
    engine->semantics->observe(engine->semantics->observe_context, &observation);
}

/* What goes from the peer to the rank that asked. */
static bool is_answer(enum replay_progress what)
{
    return what == REPLAY_CTS || what == REPLAY_ANSWERED;
}

/* What is as long as its message; the rest is one flit. */
static bool is_control(enum replay_progress what)
{
    return what == REPLAY_RTS || what == REPLAY_CTS || what == REPLAY_ASKED;
}

uint64_t replay_control_flits(const struct replay_engine *engine)
{
    return engine->semantics->control_bits != 0 ? engine->semantics->control_bits : 1;
}

/* An empty one is a flit too. Networks of bits count those. */
uint64_t replay_message_flits(const struct replay_engine *engine, uint64_t bytes)
{
    uint64_t flit_bytes = engine->semantics->flit_bytes, least = engine->semantics->control_bits;
    if (least != 0)
        return 8 * bytes > least ? 8 * bytes : least;
    return bytes > flit_bytes ? (bytes - 1) / flit_bytes + 1 : 1;
}

/* Where hosts cost something: through memory, or when the rank's interface is free. Out of the usual path. */
static __attribute__((noinline)) int inject_by_host(struct replay_engine *engine, uint32_t send,
                                                    uint32_t from, const struct net_message *message,
                                                    struct base_error *error)
{
    struct replay_request *request = &engine->requests[send];
    uint64_t begin_ns = engine->now_ns, cycle = engine->now_cycles;
    if (replay_host_is_copy(engine, request->rank, request->peer)) {
        replay_path_sent(engine, request);
        return replay_host_copy(engine, send,
                                is_control((enum replay_progress)request->progress) ? 0 : request->bytes,
                                message->notice_sent, error);
    }
    if (engine->hosts.gaps && !engine->hosts.loggops)
        begin_ns = replay_host_begin(
            engine, from, is_control((enum replay_progress)request->progress) ? 0 : request->bytes);
    if (begin_ns > engine->now_ns)
        cycle = replay_cycles(engine, begin_ns);
    if (cycle >= REPLAY_TIME_LIMIT)
        return replay_error_at(engine, from, request->event, error,
                               "the gaps of the host exceed the range of simulated time");
    if (replay_path_sent_later(engine, request, from, begin_ns, error) < 0)
        return -1;
    return net_network_inject(engine->network, cycle, message, error);
}

/* Sends something of the message of a send, put or get through the network, at now_cycles. */
static int inject(struct replay_engine *engine, uint32_t send, enum replay_progress what,
                  struct base_error *error)
{
    struct replay_request *request = &engine->requests[send];
    uint32_t from = is_answer(what) ? request->peer : request->rank;
    uint32_t to = is_answer(what) ? request->rank : request->peer;
    struct net_message message = {.source = engine->terminal[from],
                                  .target = engine->terminal[to],
                                  .flits = replay_control_flits(engine),
                                  .tag = engine->tag | send,
                                  .notice_sent = what == REPLAY_DATA};
    if (is_control(what))
        engine->control_messages++;
    else
        message.flits = replay_message_flits(engine, request->bytes);
    /* The index as tag, and this, tell what a later notice is about. */
    request->progress = (uint8_t)what;
    engine->under_way++;
    if (engine->hosts.on)
        return inject_by_host(engine, send, from, &message, error);
    replay_path_sent(engine, request);
    return net_network_inject(engine->network, engine->now_cycles, &message, error);
}

/* Counted where the data come from, once, whatever the protocol makes of it. */
static void count_message(struct replay_engine *engine, const struct replay_request *request)
{
    struct replay_rank *rank = &engine->rank[request->kind == REPLAY_GET ? request->peer : request->rank];
    engine->messages++;
    engine->message_bytes += request->bytes;
    engine->self_messages += request->rank == request->peer;
    rank->messages_sent++;
    rank->bytes_sent += request->bytes;
}

/* The receiver knows of the message. */
static void mark_arrived(struct replay_engine *engine, struct replay_request *request)
{
    request->arrived = ++engine->arrivals;
    if (engine->semantics->observe != NULL)
        replay_observe(engine, REPLAY_ARRIVED, request, NULL);
}

/* The part of a send that needs no receive. The injection comes before the matching, so that the numbering of
 * messages does not depend on whether the receiver has been here. */
static int start_send(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_request *request = &engine->requests[index];
    bool rendezvous = request->rendezvous, asks = rendezvous && !engine->hosts.loggops;
    count_message(engine, request);
    request->stood = engine->rank[request->rank].began;
    if (request->rank == request->peer && !engine->hosts.loggops)
        mark_arrived(engine, request);
    else if (inject(engine, index, asks ? REPLAY_RTS : REPLAY_EAGER, error) < 0)
        return -1;
    return rendezvous ? 0 : replay_request_complete(engine, index, error);
}

/* The first knows the last, so that a table needs one value a queue and appending is short however long the
 * queue. */
void replay_queue_append(struct replay_engine *engine, uint32_t first, uint32_t index)
{
    struct replay_request *request = &engine->requests[index];
    request->next = REPLAY_NONE;
    request->last = index;
    if (first != REPLAY_NONE) {
        struct replay_request *head = &engine->requests[first];
        engine->requests[head->last].next = index;
        head->last = index;
    }
}

/* Puts a request at the end of the queue in its key's slot of the table. */
static void enqueue(struct replay_engine *engine, struct base_table_slot *queue, struct key key,
                    uint32_t index)
{
    const struct replay_request *request = &engine->requests[index];
    replay_queue_append(engine, queue->value, index);
    if (queue->value == REPLAY_NONE)
        base_table_fill(&engine->queues, queue, key.a, key.b, index);
    if (request->instance != REPLAY_NONE)
        engine->instances[request->instance].unmatched++;
}

/* Takes the first request off the queue in a slot. */
static void dequeue(struct replay_engine *engine, struct base_table_slot *queue)
{
    const struct replay_request *request = &engine->requests[queue->value];
    if (request->next == REPLAY_NONE) {
        base_table_empty(&engine->queues, queue);
    } else {
        engine->requests[request->next].last = request->last;
        queue->value = request->next;
    }
    if (request->instance != REPLAY_NONE)
        replay_instance_matched(engine, request->instance);
}

/* A key's queue is one entry of the table, so that removing it takes out all of its requests. */
void replay_request_unqueue(struct replay_engine *engine, uint32_t index)
{
    struct key key = key_of(&engine->requests[index]);
    base_table_remove(&engine->queues, key.a, key.b);
}

/* A receive may have room for more than comes (MPI calls it a capacity), never for less. In collectives the
 * sender's size counts: readers normalise what members record differently. */
static int check_sizes(const struct replay_engine *engine, const struct replay_request *send,
                       const struct replay_request *receive, struct base_error *error)
{
    if (send->bytes <= receive->bytes || send->instance != REPLAY_NONE)
        return 0;
    return replay_error_at(engine, receive->rank, receive->event, error,
                           "receive of %" PRIu64 " bytes with tag %" PRIu32 " from rank %" PRIu32
                           ", but the matching send (event %" PRIu64 ") has %" PRIu64,
                           receive->bytes, send->tag, send->rank, send->event, send->bytes);
}

/* A CTS is the receiver's to send, data are the sender's. */
int replay_request_answer(struct replay_engine *engine, uint32_t send, struct base_error *error)
{
    const struct replay_request *request = &engine->requests[send];
    enum replay_progress what = request->progress == REPLAY_RTS ? REPLAY_CTS : REPLAY_DATA;
    uint32_t rank = what == REPLAY_CTS ? request->peer : request->rank;
    if (!replay_host_is_away(engine, rank))
        return inject(engine, send, what, error);
    replay_host_defer(engine, rank, send);
    return 0;
}

/* The message is there, and is matched. What did not ask before it was sent (loggops.c) has been received now. */
static int meet(struct replay_engine *engine, uint32_t send, struct base_error *error)
{
    const struct replay_request *request = &engine->requests[send];
    if (request->progress == REPLAY_RTS)
        return replay_request_answer(engine, send, error);
    if (!request->complete && replay_request_complete(engine, send, error) < 0)
        return -1;
    return replay_request_complete(engine, engine->requests[send].mate, error);
}

/* What a match sets going, at now. */
static int matched(struct replay_engine *engine, uint32_t send, uint32_t receive, struct base_error *error)
{
    struct replay_request *sent = &engine->requests[send];
    sent->mate = receive;
    engine->requests[receive].mate = send;
    if (engine->semantics->observe != NULL)
        replay_observe(engine, REPLAY_MATCHED, &engine->requests[receive], sent);
    if (check_sizes(engine, sent, &engine->requests[receive], error) < 0)
        return -1;
    /* What has not arrived finds its mate when it does: see delivered. */
    return sent->arrived == 0 ? 0 : meet(engine, send, error);
}

/* For requests that meet behind the back of whoever started them. */
int replay_request_match(struct replay_engine *engine, uint32_t send, uint32_t receive,
                         struct base_error *error)
{
    if (matched(engine, send, receive, error) < 0)
        return -1;
    release_pair_if_complete(engine, send);
    return 0;
}

/* The place that a new request is matched at: one that is known, or opened by a wildcard. */
static int find_place(struct replay_engine *engine, uint32_t index, uint32_t *place, struct base_error *error)
{
    const struct replay_request *request = &engine->requests[index];
    uint32_t receiver = request->kind == REPLAY_SEND ? request->peer : request->rank;
    bool wild = request->kind == REPLAY_RECEIVE &&
                (request->peer == TRACE_ANY_SOURCE || request->tag == TRACE_ANY_TAG);
    *place = REPLAY_NONE;
    if (request->instance != REPLAY_NONE)
        return 0;
    if (wild || engine->hosts.entries) /* of queues, which then have to be there */
        return replay_place_open(engine, receiver, request->communicator, index, place, error);
    if (engine->has_place[receiver])
        *place = replay_place_find(engine, receiver, request->communicator);
    return 0;
}

/* Matches a new request with the oldest of the other side, or leaves it waiting for one. */
static int find_mate(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    uint32_t place;
    if (find_place(engine, index, &place, error) < 0)
        return -1;
    if (place != REPLAY_NONE)
        return replay_place_add(engine, place, index, error);
    const struct replay_request *request = &engine->requests[index];
    struct key key = key_of(request);
    struct base_table_slot *queue = base_table_seek(&engine->queues, key.a, key.b);
    if (queue == NULL)
        return base_error_memory(error, "the queues of unmatched messages");
    uint32_t first = queue->value;
    if (first == REPLAY_NONE || engine->requests[first].kind == request->kind) {
        enqueue(engine, queue, key, index);
        return 0;
    }
    dequeue(engine, queue);
    return request->kind == REPLAY_SEND ? matched(engine, index, first, error)
                                        : matched(engine, first, index, error);
}

/* Remembers who is to be told when an incomplete request completes: the rank itself for a blocking call, the
 * rank or the call for a step of a collective, a later wait for a numbered one, nobody for a buffered send.
 * Done after the matching, so that the many requests that are complete by then (every eager send) cost no
 * table entry. */
int replay_request_attend(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_request *request = &engine->requests[index];
    if (request->complete || request->detached)
        return 0;
    if (request->number == REPLAY_NO_NUMBER) {
        request->awaited = true;
        if (request->call != REPLAY_NONE)
            engine->calls[request->call].outstanding++;
        else
            engine->rank[request->rank].awaited++;
        return 0;
    }
    request->registered = true;
    if (base_table_put(&engine->open_requests, request->rank, request->number, index) < 0)
        return base_error_memory(error, "the open requests");
    return 0;
}

/* Send, match, attend, in this order: each part says why it comes where it does. */
int replay_request_start(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    const struct replay_request *request = &engine->requests[index];
    if (engine->semantics->observe != NULL)
        replay_observe(engine, request->kind == REPLAY_SEND ? REPLAY_SENT : REPLAY_POSTED, request, NULL);
    if (engine->hosts.loggops && request->kind == REPLAY_RECEIVE)
        replay_loggops_begin(engine, &engine->rank[request->rank]);
    if (request->kind == REPLAY_SEND && start_send(engine, index, error) < 0)
        return -1;
    if (find_mate(engine, index, error) < 0 || replay_request_attend(engine, index, error) < 0)
        return -1;
    release_pair_if_complete(engine, index);
    return 0;
}

/* One's own memory is at hand. */
int replay_one_sided_start(struct replay_engine *engine, const struct replay_request *request,
                           struct base_error *error)
{
    uint32_t index = replay_request_take(engine, request);
    bool puts = request->kind == REPLAY_PUT;
    if (index == REPLAY_NONE)
        return base_error_memory(error, "the requests");
    count_message(engine, request);
    if (request->rank == request->peer) {
        replay_request_release(engine, index);
        return 0;
    }
    if (inject(engine, index, puts ? REPLAY_WRITTEN : REPLAY_ASKED, error) < 0)
        return -1;
    return replay_request_attend(engine, index, error);
}

/* The data of a put or get are where they belong: no other side knows of it. */
static int finish_one_sided(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    if (replay_request_complete(engine, index, error) < 0)
        return -1;
    replay_request_release(engine, index);
    return 0;
}

/* The first thing that the receiver learns of a message: the data or the RTS. What is unmatched waits for its
 * receive where it is queued, or is matched now if that depends on time. */
static int arrived(struct replay_engine *engine, uint32_t send, struct base_error *error)
{
    struct replay_request *request = &engine->requests[send];
    mark_arrived(engine, request);
    if (request->mate != REPLAY_NONE)
        return meet(engine, send, error);
    if (request->instance != REPLAY_NONE || !engine->has_place[request->peer])
        return 0;
    uint32_t place = replay_place_find(engine, request->peer, request->communicator);
    return place == REPLAY_NONE ? 0 : replay_place_arrived(engine, place, send, error);
}

/* Something of a message has been delivered. What follows goes out in the same cycle: the protocol itself
 * takes no time, and does not wait for the ranks (asynchronous progress). */
static int delivered(struct replay_engine *engine, uint32_t send, struct base_error *error)
{
    struct replay_request *request = &engine->requests[send];
    engine->under_way--;
    switch ((enum replay_progress)request->progress) {
    case REPLAY_EAGER:
        if (engine->hosts.loggops)
            return replay_loggops_arrived(engine, send, error);
        return arrived(engine, send, error);
    case REPLAY_RTS:
        return arrived(engine, send, error);
    case REPLAY_CTS:
        return replay_request_answer(engine, send, error);
    case REPLAY_DATA:
        return replay_request_complete(engine, request->mate, error);
    case REPLAY_ASKED:
        return inject(engine, send, REPLAY_ANSWERED, error);
    case REPLAY_WRITTEN:
    case REPLAY_ANSWERED:
        return finish_one_sided(engine, send, error);
    case REPLAY_NOTHING:
        break;
    }
    return base_error_set(error, BASE_SYSTEM,
                          "the network delivered what was not sent: this is a defect of flitreplay");
}

int replay_copy_start(struct replay_engine *engine, const struct replay_request *request, uint32_t *index,
                      struct base_error *error)
{
    *index = replay_request_take(engine, request);
    if (*index == REPLAY_NONE)
        return base_error_memory(error, "the requests");
    engine->requests[*index].complete = true;
    engine->requests[*index].progress = REPLAY_EAGER;
    engine->requests[*index].stood = engine->rank[request->rank].began;
    replay_path_sent(engine, &engine->requests[*index]);
    return find_mate(engine, *index, error);
}

int replay_message_taken(struct replay_engine *engine, uint32_t send, struct base_error *error)
{
    if (arrived(engine, send, error) < 0)
        return -1;
    release_pair_if_complete(engine, send);
    return engine->ready == REPLAY_NONE ? 0 : replay_collective_ready(engine, error);
}

int replay_copy_arrived(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    if (engine->hosts.loggops)
        return replay_loggops_arrived(engine, index, error);
    if (arrived(engine, index, error) < 0)
        return -1;
    release_pair_if_complete(engine, index);
    return 0;
}

/* A sent notice is asked for with rendezvous data only, and completes the send. Either notice may be the
 * message's last event, since an engine may tell of the ejection in the cycle of the injection's end.
 * Collectives that need no rank go on behind it, in the same cycle. */
int replay_notice(struct replay_engine *engine, const struct net_notice *notice, struct base_error *error)
{
    uint32_t send = (uint32_t)notice->tag;
    int result;
    if (notice->terminal != NET_NONE)
        result = replay_multicast_delivered(engine, notice, error);
    else if (notice->kind == NET_SENT)
        result = replay_request_complete(engine, send, error);
    else
        result = delivered(engine, send, error);
    if (result < 0)
        return -1;
    if (notice->terminal == NET_NONE)
        release_pair_if_complete(engine, send);
    return engine->ready == REPLAY_NONE ? 0 : replay_collective_ready(engine, error);
}
