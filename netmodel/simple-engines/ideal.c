/* The ideal network: zero latency, infinite bandwidth. A message is sent and delivered at the cycle it is
 * injected. It is the yardstick of every slowdown (the king thesis; doc/networks.md). One with a latency sends at that
 * cycle, too, and delivers so many cycles later, whatever else is on its way. */
#include <stdlib.h>

#include "base/agenda.h"
#include "netmodel/engines/engine.h"
#include "netmodel/engines/pool.h"
#include "netmodel/topologies/ideal.h"

/* A message that was injected, until the network advances to its cycle. */
struct waiting_message {
    struct net_message message; /* a copy, until its notice is due */
    uint32_t *targets; /* of a multicast, `copies` of them, without the source; NULL: to one target */
    uint32_t copies;
    uint64_t number; /* of the message, for notices and the digest */
    uint32_t next_free;
};

struct ideal {
    struct net_network network; /* first: the engine is cast to it and back */
    struct base_agenda agenda;  /* injection cycle -> index into waiting */
    struct waiting_message *waiting;
    struct net_pool pool; /* of the waiting messages */
    uint32_t taken;       /* the slot of the message injected last */
    uint64_t latency;     /* cycles; 0: the delivery is no event of its own */
};

#define ARRIVES                                                                                              \
    (UINT64_C(1) << 32) /* in an event's payload, above the slot: the delivery of what has been sent */

/* With what a multicast owns. */
static void release_slot(struct ideal *ideal, uint32_t slot)
{
    free(ideal->waiting[slot].targets);
    ideal->waiting[slot].targets = NULL;
    NET_POOL_GIVE(&ideal->pool, ideal->waiting, struct waiting_message, next_free, slot);
}

/* Messages of one cycle keep the order of their numbers, since the agenda is stable. */
static int ideal_inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                        struct base_error *error)
{
    struct ideal *ideal = (struct ideal *)network;
    uint32_t slot = NET_POOL_TAKE(&ideal->pool, &ideal->waiting, struct waiting_message, next_free);
    if (slot == NET_NONE)
        return base_error_memory(error, "a message");
    ideal->taken = slot;
    ideal->waiting[slot] =
        (struct waiting_message){.message = *message, .number = network->injected_messages};
    if (base_agenda_push(&ideal->agenda, cycle, slot) < 0) {
        release_slot(ideal, slot);
        return base_error_memory(error, "a message");
    }
    return 0;
}

/* A message whose targets are many. The list of targets is copied, since the caller's may be gone by then. */
static int ideal_multicast(struct net_network *network, uint64_t cycle, const struct net_multicast *multicast,
                           struct base_error *error)
{
    struct ideal *ideal = (struct ideal *)network;
    const struct net_message message = {.source = multicast->source,
                                        .target = multicast->source,
                                        .flits = multicast->flits,
                                        .tag = multicast->tag,
                                        .notice_sent = multicast->notice_sent};
    if (multicast->targets == NULL)
        return base_error_set(error, BASE_USAGE, "the ideal network has no boxes to multicast to");
    uint32_t *targets = malloc(multicast->target_count * sizeof *targets);
    if (targets == NULL)
        return base_error_memory(error, "a multicast");
    uint32_t copies = 0;
    for (uint32_t i = 0; i < multicast->target_count; i++)
        if (multicast->targets[i] != multicast->source)
            targets[copies++] = multicast->targets[i];
    if (ideal_inject(network, cycle, &message, error) < 0) {
        free(targets);
        return -1;
    }
    ideal->waiting[ideal->taken].targets = targets;
    ideal->waiting[ideal->taken].copies = copies;
    return 0;
}

/* One copy, or the message itself; packets are only counted. -1: memory. */
static int count_at(struct ideal *ideal, const struct net_message *message, uint32_t target)
{
    struct net_network *network = &ideal->network;
    uint64_t packets = net_network_packets(network, message->flits);
    network->statistics.packets += packets;
    network->statistics.flits += message->flits;
    if (network->options.times_only)
        return 0;
    network->terminal_flits[network->topology->terminals + target] += message->flits;
    if (ideal->latency < NET_LATENCY_DENSE) {
        network->latency.dense[ideal->latency] += packets;
        return 0;
    }
    for (uint64_t i = 0; i < packets; i++)
        if (net_latency_add_rare(&network->latency, ideal->latency) < 0)
            return -1;
    return 0;
}

/* One notice for each target, all in the cycle of the injection. */
static int deliver_copies(struct ideal *ideal, const struct waiting_message *waiting)
{
    for (uint32_t i = 0; i < waiting->copies; i++) {
        if (count_at(ideal, &waiting->message, waiting->targets[i]) < 0 ||
            net_network_notice_copy(&ideal->network, waiting->number, waiting->targets[i],
                                    waiting->message.tag) < 0)
            return -1;
    }
    return 0;
}

/* Its last flit has left its terminal. */
static int send(struct ideal *ideal, uint32_t slot)
{
    struct net_network *network = &ideal->network;
    const struct waiting_message *waiting = &ideal->waiting[slot];
    network->terminal_flits[waiting->message.source] += waiting->message.flits;
    return waiting->message.notice_sent
               ? net_network_notice(network, waiting->number, NET_SENT, waiting->message.tag)
               : 0;
}

/* The digest's record names the message and the cycle. */
static int deliver(struct ideal *ideal, uint32_t slot)
{
    struct net_network *network = &ideal->network;
    const struct waiting_message *waiting = &ideal->waiting[slot];
    const struct net_message *message = &waiting->message;
    if (!network->options.times_only) {
        const uint64_t record[3] = {waiting->number, 0, network->now};
        base_digest_add(&network->statistics.digest, record, 3);
    }
    network->statistics.messages++;
    if (waiting->targets != NULL)
        return deliver_copies(ideal, waiting);
    if (count_at(ideal, message, message->target) < 0)
        return -1;
    return net_network_notice(network, waiting->number, NET_DELIVERED, message->tag);
}

/* An injection, which without a latency is a delivery as well, or the delivery behind it. -1: memory. */
static int handle(struct ideal *ideal, const struct base_event *event)
{
    uint32_t slot = (uint32_t)event->payload;
    if ((event->payload & ARRIVES) == 0) {
        if (send(ideal, slot) < 0)
            return -1;
        if (ideal->latency != 0)
            return base_agenda_push_later(&ideal->agenda, event->time + ideal->latency, slot | ARRIVES);
    }
    if (deliver(ideal, slot) < 0)
        return -1;
    release_slot(ideal, slot);
    return 0;
}

/* Everything of the cycle that network->now is: no notice of it is left over. -1: memory. */
static int handle_cycle(struct ideal *ideal)
{
    const struct base_event *first;
    ideal->network.statistics.executed_cycles++;
    while ((first = base_agenda_first(&ideal->agenda)) != NULL && first->time == ideal->network.now) {
        struct base_event event;
        base_agenda_pop(&ideal->agenda, &event);
        if (handle(ideal, &event) < 0)
            return -1;
    }
    return 0;
}

/* Jumps from one injection or delivery to the next, up to the first cycle that has notices: a message that is sent and
 * on its way has none. 1: there are notices; 0: none up to the limit. */
static int ideal_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct ideal *ideal = (struct ideal *)network;
    const struct base_event *first;
    while ((first = base_agenda_first(&ideal->agenda)) != NULL && first->time <= limit) {
        network->now = first->time;
        if (handle_cycle(ideal) < 0)
            return base_error_memory(error, "the notices");
        if (network->notice_count != 0)
            return 1;
    }
    if (limit != UINT64_MAX)
        network->now = limit;
    return 0;
}

/* What was injected and not delivered must still be on the agenda. */
static int ideal_check(const struct net_network *network, struct base_error *error)
{
    const struct ideal *ideal = (const struct ideal *)network;
    if (base_agenda_count(&ideal->agenda) ==
        net_network_pending(network)) /* each is there once, before or behind its sending */
        return 0;
    return base_error_set(error, BASE_SYSTEM,
                          "the ideal network lost a message: this is a defect of flitreplay");
}

/* Right for a network that was built in part. */
static void ideal_free(struct net_network *network)
{
    struct ideal *ideal = (struct ideal *)network;
    base_agenda_free(&ideal->agenda);
    for (uint32_t i = 0; i < ideal->pool.count; i++)
        free(ideal->waiting[i].targets);
    free(ideal->waiting);
}

/* Takes the packet length from the options only to count packets as a real network would. */
static int ideal_build(struct net_network *network, struct base_error *error)
{
    struct ideal *ideal = (struct ideal *)network;
    const struct net_ideal *shape = network->topology->shape;
    ideal->pool = NET_POOL;
    ideal->latency = shape->latency;
    return net_network_count(network, 0) < 0 ? base_error_memory(error, "the ideal network's terminals") : 0;
}

static bool ideal_serves(const struct net_topology *topology, const struct net_routing *routing,
                         const struct net_options *options)
{
    (void)routing;
    (void)options;
    return net_topology_is_ideal(topology);
}

/* It has no coordinates, and so no boxes. */
static enum net_multicasts ideal_multicasts(const struct net_topology *topology,
                                            const struct net_routing *routing,
                                            const struct net_options *options, const char **obstacle)
{
    (void)topology;
    (void)routing;
    (void)options;
    (void)obstacle;
    return NET_LIST_MULTICASTS;
}

const struct net_engine net_engine_ideal = {
    .name = "ideal",
    .summary = "zero latency, infinite bandwidth",
    .size = sizeof(struct ideal),
    .serves = ideal_serves,
    .multicasts = ideal_multicasts,
    .build = ideal_build,
    .inject = ideal_inject,
    .advance = ideal_advance,
    .check = ideal_check,
    .free = ideal_free,
    .multicast = ideal_multicast,
};
