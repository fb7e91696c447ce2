/* Messages on their way: see flights.h. A message's life here:
 *
 *     inject ─► future (heap, by cycle) ─► join ─► queue of an injector ─► cut, packet by packet ─► inside ─► deliver
 *
 * Its slot is taken by inject and given back with its last packet. Where its cycle is now it joins at once,
 * without the heap. */
#include "netmodel/engines/flights.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/random.h"
#include "netmodel/engines/arbiters.h"
#include "netmodel/engines/delivery.h"

/* An empty queue has NET_NONE at both ends. */
int net_flights_init(struct net_flights *flights, struct net_network *network)
{
    size_t terminals = network->topology->terminals, count = terminals * network->options.injectors;
    flights->network = network;
    flights->pool = NET_POOL;
    flights->injectors = net_array_new(count, sizeof *flights->injectors);
    flights->turns = net_array_new(terminals, sizeof *flights->turns);
    if (flights->injectors == NULL || flights->turns == NULL)
        return -1;
    for (size_t i = 0; i < count; i++)
        flights->injectors[i] = (struct net_injector){NET_NONE, NET_NONE};
    return 0;
}

/* Also of one that could not be made. */
void net_flights_free(struct net_flights *flights)
{
    free(flights->items);
    free(flights->injectors);
    free(flights->turns);
    base_heap_free(&flights->future);
}

/* Rule 2: the injectors of a terminal take messages in turn, and an injector sends its messages one after the other. */
static inline uint32_t join(struct net_flights *flights, uint32_t index)
{
    struct net_flight *flight = &flights->items[index];
    uint32_t *turn = &flights->turns[flight->source];
    uint32_t each = flights->network->options.injectors;
    uint32_t number = flight->source * each + *turn;
    struct net_injector *injector = &flights->injectors[number];
    *turn = *turn + 1 == each ? 0 : *turn + 1;
    flight->next = NET_NONE;
    flight->age = flights->joined;
    flights->joined += flight->packets;
    if (injector->last == NET_NONE)
        injector->first = index;
    else
        flights->items[injector->last].next = index;
    injector->last = index;
    return number;
}

/* Joins at once if its cycle is now (rule 2), unless messages for this very cycle that were given earlier are
 * still in the heap: these have lower numbers. */
static int join_or_wait(struct net_flights *flights, uint64_t cycle, uint32_t index, uint32_t *injector)
{
    uint64_t joins = cycle + flights->network->options.router_cycles - 1;
    *injector = NET_NONE;
    if (joins > flights->network->now || net_flights_next(flights) <= joins)
        return base_heap_push(&flights->future, joins, index);
    *injector = join(flights, index);
    return 0;
}

/* The injector is chosen when the message joins, not now, since turns go by the order of joining. */
int net_flights_inject(struct net_flights *flights, uint64_t cycle, const struct net_message *message,
                       uint32_t *injector)
{
    const struct net_network *network = flights->network;
    uint32_t index = NET_POOL_TAKE(&flights->pool, &flights->items, struct net_flight, next);
    if (index == NET_NONE)
        return -1;
    uint32_t packets = (uint32_t)net_network_packets(network, message->flits);
    struct net_flight *flight = &flights->items[index];
    flight->number = network->injected_messages;
    flight->tag = message->tag;
    flight->generated = cycle;
    flight->flits_left = message->flits;
    flight->source = message->source;
    flight->target = message->target;
    flight->packets = packets;
    flight->packets_made = flight->packets_delivered = 0;
    flight->notice_sent = message->notice_sent;
    flights->to_make += packets;
    return join_or_wait(flights, cycle, index, injector);
}

/* Messages that have joined are the engine's matter: it knows its busy injectors. */
uint64_t net_flights_next(const struct net_flights *flights)
{
    const struct base_event *first = base_heap_first(&flights->future);
    return first != NULL ? first->time : UINT64_MAX;
}

/* In the order of their numbers: the heap gives equal cycles in the order of insertion. */
uint32_t net_flights_join(struct net_flights *flights, uint64_t cycle)
{
    struct base_event event;
    if (net_flights_next(flights) > cycle)
        return NET_NONE;
    base_heap_pop(&flights->future, &event);
    return join(flights, (uint32_t)event.payload);
}

/* Its key, its way (rule 7) and its length are fixed here, once. The key depends on the message and the number only,
 * not on when or where the packet is cut. */
void net_flights_cut(struct net_flights *flights, uint32_t number, struct net_cargo *cargo)
{
    const struct net_network *network = flights->network;
    const struct net_routing *routing = network->routing;
    const struct net_flight *flight = &flights->items[flights->injectors[number].first];
    uint32_t source = net_topology_router_of(network->topology, flight->source);
    uint32_t target = net_topology_router_of(network->topology, flight->target);
    net_flights_take(flights, number, cargo);
    cargo->key = base_hash(base_hash(network->options.seed, flight->number), cargo->number);
    uint32_t variants = routing->kind->variants(routing, source, target);
    uint32_t variant = variants > 1 ? net_routing_variant(routing, flight->source, flight->target, variants,
                                                          base_hash(cargo->key, UINT64_MAX))
                                    : 0;
    cargo->header = routing->kind->start(routing, source, target, variant);
    cargo->slot = flight->target - target * network->topology->concentration;
}

/* Only a whole message can be lost, none of whose packets has been made. */
int net_flights_lose(struct net_flights *flights, uint32_t number)
{
    struct net_injector *injector = &flights->injectors[number];
    uint32_t index = injector->first;
    struct net_flight *flight = &flights->items[index];
    int result = net_network_notice(flights->network, flight->number, NET_LOST, flight->tag);
    flights->to_make -= flight->packets;
    flights->network->statistics.lost_messages++;
    injector->first = flight->next;
    if (injector->first == NET_NONE)
        injector->last = NET_NONE;
    NET_POOL_GIVE(&flights->pool, flights->items, struct net_flight, next, index);
    return result;
}

/* The last packet cut is the last to leave, as one injector has them all. */
int net_flights_sent(struct net_flights *flights, const struct net_cargo *cargo)
{
    const struct net_flight *flight = &flights->items[cargo->flight];
    if (!flight->notice_sent || cargo->number + 1 != flight->packets)
        return 0;
    return net_network_notice(flights->network, flight->number, NET_SENT, flight->tag);
}

/* What deflections added to a way is no distance, but what a packet met. Looked up only for who asks about waits. */
static uint32_t links_of(const struct net_flights *flights, const struct net_flight *flight,
                         const struct net_cargo *cargo)
{
    const struct net_network *network = flights->network;
    uint32_t ends[2];
    if (!network->routing->kind->never_waits || !network->options.waits)
        return cargo->hops;
    net_topology_ends(network->topology, flight->source, flight->target, ends);
    return net_topology_distance(network->topology, ends[0], ends[1]);
}

/* The last packet has arrived, though not always the one with the last number. Its slot is free for the
 * next message at once: the notice has a copy of what the caller needs. */
static int finish(struct net_flights *flights, const struct net_cargo *cargo)
{
    const struct net_flight *flight = &flights->items[cargo->flight];
    const struct net_journey journey = {links_of(flights, flight, cargo), cargo->worst_link,
                                        cargo->worst_cycles};
    int result = net_network_notice_journey(flights->network, flight->number, flight->tag, &journey);
    flights->network->statistics.messages++;
    NET_POOL_GIVE(&flights->pool, flights->items, struct net_flight, next, cargo->flight);
    return result;
}

/* The latency is counted before the flight can end. */
int net_flights_deliver(struct net_flights *flights, const struct net_cargo *cargo)
{
    struct net_flight *flight = &flights->items[cargo->flight];
    struct net_network *network = flights->network;
    const struct net_delivery delivery = {.message = flight->number,
                                          .generated = cargo->generated,
                                          .cycle = network->now,
                                          .packet = cargo->number,
                                          .terminal = NET_NONE,
                                          .length = cargo->length,
                                          .hops = cargo->hops};
    int result = net_latency_add(&network->latency, net_delivery_count(&network->statistics, &delivery));
    net_owners_deliver(&network->owners, flight->source, cargo->hops, true);
    flights->inside--;
    if (++flight->packets_delivered == flight->packets)
        result |= finish(flights, cargo);
    return result;
}

bool net_flights_older(const struct net_flights *flights, const struct net_cargo *first,
                       const struct net_cargo *second)
{
    const struct net_age older = {first->generated, flights->items[first->flight].number, first->number};
    const struct net_age younger = {second->generated, flights->items[second->flight].number, second->number};
    return net_age_before(&older, &younger);
}

/* What the engine's pool has in use is inside, neither more nor less. */
int net_flights_check(const struct net_flights *flights, uint64_t pooled, struct base_error *error)
{
    if (pooled == flights->inside)
        return net_network_conserves(flights->network, flights->inside, flights->to_make, error);
    return base_error_set(error, BASE_SYSTEM,
                          "%" PRIu64 " packets inside, but %" PRIu64
                          " in the pool: this is a defect of flitreplay",
                          flights->inside, pooled);
}
