#include "tests/suite.h"

#include <stdlib.h>

#include "tests/replay/engine/reference-matcher.h"

#define NOBODY SIZE_MAX

/* A new side, at the end of its list. */
static struct reference_side *push(struct reference_side **list, size_t *count, size_t *capacity,
                                   const struct replay_observation *now)
{
    if (*count == *capacity) {
        *capacity = *capacity != 0 ? 2 * *capacity : 256;
        *list = realloc(*list, *capacity * sizeof **list);
        assert_non_null(*list);
    }
    (*list)[*count] = (struct reference_side){.rank = now->rank,
                                              .peer = now->peer,
                                              .tag = now->tag,
                                              .communicator = now->communicator,
                                              .event = now->event,
                                              .mate = NOBODY};
    return &(*list)[(*count)++];
}

/* Whether matching depends on time there; a place of the test's small programs. */
static bool *timed_at(struct reference_matcher *matcher, uint32_t rank, uint32_t communicator)
{
    assert_true(rank < REFERENCE_RANKS && communicator < REFERENCE_COMMUNICATORS);
    return &matcher->timed[rank][communicator];
}

/* MPI's rule: same communicator, and source and tag as asked for. */
static bool fits(const struct reference_side *receive, const struct reference_side *send)
{
    return send->peer == receive->rank && send->communicator == receive->communicator &&
           (receive->peer == TRACE_ANY_SOURCE || receive->peer == send->rank) &&
           (receive->tag == TRACE_ANY_TAG || receive->tag == send->tag);
}

/* Both sides know each other by their index. */
static void match(struct reference_matcher *matcher, size_t send, size_t receive)
{
    matcher->sends[send].mate = receive;
    matcher->receives[receive].mate = send;
    matcher->matched++;
}

/* The first unmatched receive that fits a send, in the order of posting. */
static void match_send(struct reference_matcher *matcher, size_t send)
{
    for (size_t i = 0; i < matcher->receive_count && matcher->sends[send].mate == NOBODY; i++)
        if (matcher->receives[i].mate == NOBODY && fits(&matcher->receives[i], &matcher->sends[send]))
            match(matcher, send, i);
}

/* It is a send's turn when all earlier ones of its source to the same place have a mate or had theirs. */
static void give_turns(struct reference_matcher *matcher, const struct reference_side *arrived)
{
    for (size_t i = 0; i < matcher->send_count; i++) {
        struct reference_side *send = &matcher->sends[i];
        if (send->mate != NOBODY || send->turn != 0 || send->rank != arrived->rank ||
            send->peer != arrived->peer || send->communicator != arrived->communicator)
            continue;
        if (send->arrived == 0 || send->arrived > arrived->arrived)
            return;
        send->turn = ++matcher->turns;
        match_send(matcher, i);
    }
}

/* From here on time counts: what has arrived does so again, one by one. */
static void make_timed(struct reference_matcher *matcher, uint32_t rank, uint32_t communicator)
{
    bool *timed = timed_at(matcher, rank, communicator);
    for (uint64_t arrival = 1; arrival <= matcher->arrivals && !*timed; arrival++)
        for (size_t i = 0; i < matcher->send_count; i++) {
            const struct reference_side *send = &matcher->sends[i];
            if (send->arrived == arrival && send->mate == NOBODY && send->peer == rank &&
                send->communicator == communicator)
                give_turns(matcher, send);
        }
    *timed = true;
}

/* The send that fits and whose turn came first. */
static size_t first_in_turn(const struct reference_matcher *matcher, const struct reference_side *receive)
{
    size_t found = NOBODY;
    for (size_t i = 0; i < matcher->send_count; i++) {
        const struct reference_side *send = &matcher->sends[i];
        if (send->mate == NOBODY && send->turn != 0 && fits(receive, send) &&
            (found == NOBODY || send->turn < matcher->sends[found].turn))
            found = i;
    }
    return found;
}

/* The first unmatched send that fits, in the order of sending. */
static size_t first_sent(const struct reference_matcher *matcher, const struct reference_side *receive)
{
    for (size_t i = 0; i < matcher->send_count; i++)
        if (matcher->sends[i].mate == NOBODY && fits(receive, &matcher->sends[i]))
            return i;
    return NOBODY;
}

/* A receive is posted: the first use of a wildcard changes the rule before it is matched itself. */
static void post(struct reference_matcher *matcher, const struct replay_observation *now)
{
    if (now->peer == TRACE_ANY_SOURCE || now->tag == TRACE_ANY_TAG)
        make_timed(matcher, now->rank, now->communicator);
    const struct reference_side *receive =
        push(&matcher->receives, &matcher->receive_count, &matcher->receive_capacity, now);
    bool timed = *timed_at(matcher, now->rank, now->communicator);
    size_t send = timed ? first_in_turn(matcher, receive) : first_sent(matcher, receive);
    if (send != NOBODY)
        match(matcher, send, matcher->receive_count - 1);
}

/* A send is told apart by its rank and event, of which each has one. */
static void arrive(struct reference_matcher *matcher, const struct replay_observation *now)
{
    for (size_t i = 0; i < matcher->send_count; i++) {
        struct reference_side *send = &matcher->sends[i];
        if (send->rank != now->rank || send->event != now->event)
            continue;
        send->arrived = ++matcher->arrivals;
        if (*timed_at(matcher, send->peer, send->communicator) && send->mate == NOBODY)
            give_turns(matcher, send);
    }
}

/* What the engine says, against what is known. */
static void compare(struct reference_matcher *matcher, const struct replay_observation *now)
{
    for (size_t i = 0; i < matcher->receive_count; i++) {
        struct reference_side *receive = &matcher->receives[i];
        if (receive->rank != now->rank || receive->event != now->event)
            continue;
        const struct reference_side *send = receive->mate == NOBODY ? NULL : &matcher->sends[receive->mate];
        matcher->wrong += receive->told || send == NULL || send->rank != now->peer ||
                          send->event != now->peer_event || send->tag != now->tag;
        matcher->told++;
        receive->told = true;
    }
}

/* What a probe has seen must be there, in its turn and without a mate. */
static void compare_probe(struct reference_matcher *matcher, const struct replay_observation *now)
{
    bool found = false;
    for (size_t i = 0; i < matcher->send_count; i++)
        found |= matcher->sends[i].rank == now->peer && matcher->sends[i].event == now->peer_event &&
                 matcher->sends[i].turn != 0 && matcher->sends[i].mate == NOBODY;
    matcher->probed++;
    matcher->wrong += !found;
}

void reference_observe(void *context, const struct replay_observation *now)
{
    struct reference_matcher *matcher = context;
    switch (now->what) {
    case REPLAY_SENT:
        push(&matcher->sends, &matcher->send_count, &matcher->send_capacity, now);
        if (!*timed_at(matcher, now->peer, now->communicator))
            match_send(matcher, matcher->send_count - 1);
        return;
    case REPLAY_POSTED:
        post(matcher, now);
        return;
    case REPLAY_ARRIVED:
        arrive(matcher, now);
        return;
    case REPLAY_MATCHED:
        compare(matcher, now);
        return;
    case REPLAY_PROBING:
        make_timed(matcher, now->rank, now->communicator);
        matcher->probing++;
        return;
    case REPLAY_PROBED:
        compare_probe(matcher, now);
        return;
    }
}

/* Every match has been told once and rightly, and every probe has returned. */
bool reference_agrees(const struct reference_matcher *matcher)
{
    return matcher->wrong == 0 && matcher->told == matcher->matched && matcher->probing == matcher->probed;
}

void reference_free(struct reference_matcher *matcher)
{
    free(matcher->sends);
    free(matcher->receives);
}
