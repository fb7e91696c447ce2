/* Matching where it depends on time: MPI's two queues. A place is one rank on one communicator. From the
 * rank's first wildcard or probe there on, all its messages are matched as an MPI library would:
 *
 *      send starts ──► in flight ──► arrived ──► first compatible posted receive, in the order of posting
 *                      (one queue a source)      or else the end of the unexpected messages
 *      receive ──► first compatible unexpected message, in the order of arrival, or the end of the posted
 *
 * Messages of one source arrive in the order in which they were sent: one that overtook another in the
 * network is held back behind it, as libraries do by sequence numbers, so that messages do not overtake
 * (MPI 4.0, section 3.5) whatever wildcard asks for them.
 *
 * Everywhere else matching by envelope gives the same pairs at the same times, and costs a look-up instead of
 * a search; so places are made only where they are needed. When one is made, what has been matched already
 * stays matched: those receives were posted before any wildcard, so that no wildcard could have had their
 * messages. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/grow.h"
#include "replay/engine/internal.h"

/* ---- places */

uint32_t replay_place_find(const struct replay_engine *engine, uint32_t rank, uint32_t communicator)
{
    return base_table_get(&engine->place_of, rank, communicator);
}

/* An unmatched request and when it was posted, sent, or arrived. */
struct timed_request {
    uint64_t when;
    uint32_t request;
};

/* No two are equal: every request and every arrival has a number of its own. */
static int compare_timed(const void *left, const void *right)
{
    const struct timed_request *a = left, *b = right;
    return a->when < b->when ? -1 : a->when > b->when;
}

/* Posted receives and unmatched sends of the place, in the order they were started. NULL: no memory. Looks
 * through everything that is in flight, once for each place. */
static struct timed_request *list_unmatched(const struct replay_engine *engine,
                                            const struct replay_place *place, uint32_t except, size_t *count)
{
    struct timed_request *list = malloc(engine->request_count * sizeof *list + 1);
    *count = 0;
    for (uint32_t i = 0; list != NULL && i < engine->request_count; i++) {
        const struct replay_request *request = &engine->requests[i];
        uint32_t receiver = request->kind == REPLAY_SEND ? request->peer : request->rank;
        if ((request->kind == REPLAY_SEND || request->kind == REPLAY_RECEIVE) && i != except &&
            request->mate == REPLAY_NONE && request->instance == REPLAY_NONE && receiver == place->rank &&
            request->communicator == place->communicator)
            list[(*count)++] = (struct timed_request){request->order, i};
    }
    if (list != NULL)
        qsort(list, *count, sizeof *list, compare_timed);
    return list;
}

/* Appends to one of a place's lists. */
static void append(struct replay_engine *engine, uint32_t *first, uint32_t *last, uint32_t index)
{
    engine->requests[index].next = REPLAY_NONE;
    if (*first == REPLAY_NONE)
        *first = index;
    else
        engine->requests[*last].next = index;
    *last = index;
}

/* A send of the place is under way, behind the earlier ones of its source. */
static int take_off(struct replay_engine *engine, uint32_t place, uint32_t send, struct base_error *error)
{
    uint32_t source = engine->requests[send].rank;
    uint32_t first = base_table_get(&engine->flights, place, source);
    replay_queue_append(engine, first, send);
    if (first == REPLAY_NONE && base_table_put(&engine->flights, place, source, send) < 0)
        return base_error_memory(error, "the messages in flight");
    return 0;
}

/* Moves what is unmatched from the queues by envelope to the place. Sends that have arrived do so again, in
 * the same order: none can match, but those held back are told from the others. */
static int move_unmatched(struct replay_engine *engine, uint32_t index, struct timed_request *list,
                          size_t count, struct base_error *error)
{
    struct replay_place *place = &engine->places[index];
    size_t sends = 0;
    for (size_t i = 0; i < count; i++) {
        struct replay_request *request = &engine->requests[list[i].request];
        replay_request_unqueue(engine, list[i].request);
        if (request->kind == REPLAY_RECEIVE)
            append(engine, &place->posted, &place->posted_last, list[i].request);
        else if (take_off(engine, index, list[i].request, error) < 0)
            return -1;
        else if (request->arrived != 0)
            list[sends++] = (struct timed_request){request->arrived, list[i].request};
    }
    qsort(list, sends, sizeof *list, compare_timed);
    for (size_t i = 0; i < sends; i++)
        engine->requests[list[i].request].arrived = 0;
    for (size_t i = 0; i < sends; i++) {
        engine->requests[list[i].request].arrived = list[i].when;
        if (replay_place_arrived(engine, index, list[i].request, error) < 0)
            return -1;
    }
    return 0;
}

/* Everything that is needed is there before the place is: a failure leaves nothing half made. */
int replay_place_open(struct replay_engine *engine, uint32_t rank, uint32_t communicator, uint32_t except,
                      uint32_t *place, struct base_error *error)
{
    *place = replay_place_find(engine, rank, communicator);
    if (*place != REPLAY_NONE)
        return 0;
    if (base_grow_32(&engine->places, &engine->place_capacity, (size_t)engine->place_count + 1,
                     sizeof *engine->places) != 0)
        return base_error_memory(error, "the receivers with wildcards");
    *place = engine->place_count++;
    struct replay_place *new = &engine->places[*place];
    *new = (struct replay_place){.rank = rank,
                                 .communicator = communicator,
                                 .posted = REPLAY_NONE,
                                 .posted_last = REPLAY_NONE,
                                 .unexpected = REPLAY_NONE,
                                 .unexpected_last = REPLAY_NONE,
                                 .probe = REPLAY_NONE};
    size_t count;
    struct timed_request *list = list_unmatched(engine, new, except, &count);
    if (list == NULL || base_table_put(&engine->place_of, rank, communicator, *place) < 0) {
        free(list);
        return base_error_memory(error, "the receivers with wildcards");
    }
    engine->has_place[rank] = true;
    int status = move_unmatched(engine, *place, list, count, error);
    free(list);
    return status;
}

/* ---- the two queues */

/* Whether a receive or probe of the place may have the message. */
static bool is_compatible(const struct replay_request *receive, const struct replay_request *send)
{
    return (receive->peer == TRACE_ANY_SOURCE || receive->peer == send->rank) &&
           (receive->tag == TRACE_ANY_TAG || receive->tag == send->tag);
}

/* Takes an entry out of a list; before: the one in front of it, or REPLAY_NONE. */
static void cut_out(struct replay_engine *engine, uint32_t *first, uint32_t *last, uint32_t before,
                    uint32_t index)
{
    uint32_t next = engine->requests[index].next;
    if (before == REPLAY_NONE)
        *first = next;
    else
        engine->requests[before].next = next;
    if (*last == index)
        *last = before;
}

/* Takes the first posted receive that may have the message; REPLAY_NONE: there is none. What it passes is counted for
 * the host. */
static uint32_t take_posted(struct replay_engine *engine, struct replay_place *place, uint32_t send)
{
    uint32_t before = REPLAY_NONE, index = place->posted;
    while (index != REPLAY_NONE && !is_compatible(&engine->requests[index], &engine->requests[send])) {
        before = index;
        index = engine->requests[index].next;
        engine->requests[send].passed++;
    }
    if (index != REPLAY_NONE)
        cut_out(engine, &place->posted, &place->posted_last, before, index);
    return index;
}

/* The first unexpected message that a receive or probe may have, and the one in front of it; how many are. */
static uint32_t find_unexpected(const struct replay_engine *engine, const struct replay_place *place,
                                const struct replay_request *receive, uint32_t *before, uint32_t *passed)
{
    uint32_t index = place->unexpected;
    *before = REPLAY_NONE;
    *passed = 0;
    while (index != REPLAY_NONE && !is_compatible(receive, &engine->requests[index])) {
        *before = index;
        index = engine->requests[index].next;
        ++*passed;
    }
    return index;
}

/* A probe is over, now. */
static int finish_probe(struct replay_engine *engine, uint32_t index, uint32_t send, struct base_error *error)
{
    if (engine->semantics->observe != NULL)
        replay_observe(engine, REPLAY_PROBED, &engine->requests[index], &engine->requests[send]);
    if (engine->requests[send].begun_ns > engine->requests[index].begun_ns)
        engine->requests[index].begun_ns = engine->requests[send].begun_ns;
    if (replay_request_complete(engine, index, error) < 0)
        return -1;
    replay_request_release(engine, index);
    return 0;
}

/* A message has arrived in its turn: a posted receive has it, or else a probe sees it. */
static int offer(struct replay_engine *engine, uint32_t index, uint32_t send, struct base_error *error)
{
    struct replay_place *place = &engine->places[index];
    uint32_t receive = take_posted(engine, place, send), probe = place->probe;
    if (receive != REPLAY_NONE)
        return replay_request_match(engine, send, receive, error);
    append(engine, &place->unexpected, &place->unexpected_last, send);
    if (probe == REPLAY_NONE || !is_compatible(&engine->requests[probe], &engine->requests[send]))
        return 0;
    place->probe = REPLAY_NONE;
    return finish_probe(engine, probe, send, error);
}

/* The message's turn has come if no earlier one of its source is still on the way; then perhaps also that of
 * later ones, which it has held back. Putting a value that is there cannot fail. */
int replay_place_arrived(struct replay_engine *engine, uint32_t place, uint32_t send,
                         struct base_error *error)
{
    uint32_t source = engine->requests[send].rank;
    uint32_t first = base_table_get(&engine->flights, place, source);
    while (first != REPLAY_NONE && engine->requests[first].arrived != 0) {
        uint32_t next = engine->requests[first].next;
        if (next == REPLAY_NONE) {
            base_table_remove(&engine->flights, place, source);
        } else {
            engine->requests[next].last = engine->requests[first].last;
            base_table_put(&engine->flights, place, source, next);
        }
        if (offer(engine, place, first, error) < 0)
            return -1;
        first = next;
    }
    return 0;
}

/* A message to self is there at once. */
static int add_send(struct replay_engine *engine, uint32_t place, uint32_t index, struct base_error *error)
{
    if (take_off(engine, place, index, error) < 0)
        return -1;
    return engine->requests[index].arrived == 0 ? 0 : replay_place_arrived(engine, place, index, error);
}

/* A receive looks among what is there before it queues; a send has not arrived yet, unless it is to self. */
int replay_place_add(struct replay_engine *engine, uint32_t index, uint32_t request, struct base_error *error)
{
    struct replay_place *place = &engine->places[index];
    uint32_t before, passed;
    if (engine->requests[request].kind == REPLAY_SEND)
        return add_send(engine, index, request, error);
    uint32_t send = find_unexpected(engine, place, &engine->requests[request], &before, &passed);
    engine->requests[request].passed = passed;
    if (send == REPLAY_NONE) {
        append(engine, &place->posted, &place->posted_last, request);
        return 0;
    }
    cut_out(engine, &place->unexpected, &place->unexpected_last, before, send);
    return replay_request_match(engine, send, request, error);
}

/* A rank has one probe at most, since it is blocked in it. */
int replay_probe_start(struct replay_engine *engine, const struct replay_request *request,
                       struct base_error *error)
{
    uint32_t place, before, passed; /* a probe pays nothing for whom it passes */
    if (replay_place_open(engine, request->rank, request->communicator, REPLAY_NONE, &place, error) < 0)
        return -1;
    uint32_t index = replay_request_take(engine, request);
    if (index == REPLAY_NONE)
        return base_error_memory(error, "the requests");
    if (engine->semantics->observe != NULL)
        replay_observe(engine, REPLAY_PROBING, request, NULL);
    uint32_t send = find_unexpected(engine, &engine->places[place], request, &before, &passed);
    if (send != REPLAY_NONE)
        return finish_probe(engine, index, send, error);
    engine->places[place].probe = index;
    return replay_request_attend(engine, index, error);
}
