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

/* Packets and injectors as the options say. */
int net_flights_inject(struct net_flights *flights, uint64_t cycle, const struct net_message *message,
                       uint32_t *injector)
{
    const struct net_network *network = flights->network;
    uint32_t packets = (uint32_t)net_network_packets(network, message->flits);
    return net_flights_inject_as(flights, cycle, message, packets, network->options.injectors, injector);
}

/* In the order of their numbers: the heap gives equal cycles in the order of insertion. */
uint32_t net_flights_join(struct net_flights *flights, uint64_t cycle)
{
    struct base_event event;
    if (net_flights_next(flights) > cycle)
        return NET_NONE;
    base_heap_pop(&flights->future, &event);
    uint32_t index = (uint32_t)event.payload;
    return net_flights_queue(flights, index, flights->items[index].packets,
                             flights->network->options.injectors);
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

/* Between routers, whatever the terminals. */
uint32_t net_flights_distance(const struct net_flights *flights, const struct net_flight *flight)
{
    const struct net_topology *topology = flights->network->topology;
    uint32_t ends[2];
    net_topology_ends(topology, flight->source, flight->target, ends);
    return net_topology_distance(topology, ends[0], ends[1]);
}

/* One copy of it for engines whose time is spent elsewhere. */
int net_flights_deliver(struct net_flights *flights, const struct net_cargo *cargo)
{
    return net_flights_deliver_now(flights, cargo);
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
