#include "tests/suite.h"

#include "tests/replay/engine/random-network.h"

#include <stdlib.h>

#include "base/heap.h"
#include "base/random.h"
#include "netmodel/engines/engine.h"
#include "tests/replay/support.h"

/* What has gone from one terminal to another. */
struct pair {
    uint64_t messages, last; /* so far; delivery of the last one */
};

/* A notice to come: of message `number`. */
struct coming {
    uint64_t number, tag, flits;
    enum net_notice_kind kind;
};

/* A net_network of the test's own, behind the interface that the engines answer. */
struct random_network {
    struct net_network network;
    uint64_t seed;
    bool in_order;
    struct pair *pairs; /* [source * terminals + target] */
    struct base_heap heap;
    struct coming *coming;
    size_t count, capacity;
};

/* Mostly short, sometimes long enough to be overtaken by a whole phase of the program. */
static uint64_t delay_of(uint64_t random)
{
    static const uint64_t bounds[] = {10, 100, 100, 1000, 1000, 1000, 5000, 40000};
    return (random >> 8) % bounds[random % 8];
}

/* Two messages of a pair may want the same cycle when order is not kept. */
static bool is_taken(const struct random_network *self, uint64_t cycle)
{
    for (size_t i = 0; i < self->heap.count; i++)
        if (self->heap.events[i].time == cycle)
            return true;
    return false;
}

/* The first cycle, not before one, in which the pair may have a notice: each pair has its own cycles. */
static uint64_t slot_from(const struct random_network *self, uint64_t cycle, uint64_t pair, bool sent)
{
    uint64_t terminals = self->network.topology->terminals, period = 2 * terminals * terminals;
    uint64_t slot = cycle / period * period + 2 * pair + sent;
    while (slot < cycle || is_taken(self, slot))
        slot += period;
    return slot;
}

/* Notices wait in the heap by their cycle. */
static void announce(struct random_network *self, uint64_t cycle, const struct net_message *message,
                     enum net_notice_kind kind)
{
    if (self->count == self->capacity) {
        self->capacity = self->capacity != 0 ? 2 * self->capacity : 256;
        self->coming = realloc(self->coming, self->capacity * sizeof *self->coming);
        assert_non_null(self->coming);
    }
    self->coming[self->count] =
        (struct coming){self->network.injected_messages, message->tag, message->flits, kind};
    ASSERT_OK(base_heap_push(&self->heap, cycle, self->count++));
}

/* A message with a notice of its sending leaves its queue first, flit by flit, and is on its way then. */
static int inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                  struct base_error *error)
{
    struct random_network *self = (struct random_network *)network;
    uint64_t index = (uint64_t)message->source * network->topology->terminals + message->target;
    struct pair *pair = &self->pairs[index];
    uint64_t random = base_hash(self->seed * 1000003 + index, pair->messages++);
    uint64_t from = cycle + 1;
    (void)error;
    if (message->notice_sent) {
        from = slot_from(self, from + message->flits, index, true);
        announce(self, from, message, NET_SENT);
    }
    from += delay_of(random);
    if (self->in_order && from <= pair->last)
        from = pair->last + 1;
    pair->last = slot_from(self, from, index, false);
    announce(self, pair->last, message, NET_DELIVERED);
    return 0;
}

/* One notice a cycle, so that the order of the notices of a cycle is never tested here. */
static int advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct random_network *self = (struct random_network *)network;
    struct base_event event;
    (void)error;
    if (self->heap.count == 0 || base_heap_first(&self->heap)->time > limit) {
        if (limit != UINT64_MAX)
            network->now = limit;
        return 0;
    }
    base_heap_pop(&self->heap, &event);
    const struct coming *coming = &self->coming[event.payload];
    const uint64_t record[2] = {coming->kind, event.time};
    network->now = event.time;
    network->statistics.messages += coming->kind == NET_DELIVERED;
    network->statistics.flits += coming->kind == NET_DELIVERED ? coming->flits : 0;
    base_digest_add(&network->statistics.digest, record, 2);
    ASSERT_OK(net_network_notice(network, coming->number, coming->kind, coming->tag));
    return 1;
}

/* The replay's own count of messages is the law that is looked at. */
static int check(const struct net_network *network, struct base_error *error)
{
    (void)network, (void)error;
    return 0;
}

/* The network itself is freed by net_network_free. */
static void dispose(struct net_network *network)
{
    struct random_network *self = (struct random_network *)network;
    base_heap_free(&self->heap);
    free(self->coming);
    free(self->pairs);
}

/* pairs is set by random_network_new, which has the seed. */
static int build(struct net_network *network, struct base_error *error)
{
    (void)network, (void)error;
    return 0;
}

static const struct net_engine engine = {
    .name = "random",
    .summary = "delivers at random times",
    .size = sizeof(struct random_network),
    .build = build,
    .inject = inject,
    .advance = advance,
    .check = check,
    .free = dispose,
};

struct net_network *random_network_new(const struct net_topology *topology, uint64_t seed, bool in_order)
{
    const struct net_options options = {0};
    struct net_network *network = net_network_new_on(&engine, topology, NULL, &options, NULL);
    struct random_network *self = (struct random_network *)network;
    assert_non_null(self);
    self->seed = seed;
    self->in_order = in_order;
    self->pairs = calloc((size_t)topology->terminals * topology->terminals, sizeof *self->pairs);
    assert_non_null(self->pairs);
    return network;
}
