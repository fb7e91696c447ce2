/* Messages on their way, as an engine keeps them that moves packets one at a time: it has only to move what it is given
 * here, and to hand back what has arrived. Rules 1, 2 and 7 of doc/flit-engine.md. Only netmodel/ includes this.
 *
 *      net_flights_inject     a message ─► a flight, into the queue of an injector, at once or when its cycle comes
 *      net_flights_join       at the start of a cycle: the next flight that joins an injector, until none is left
 *      net_flights_cut        an idle injector ─► the next packet of its queue, with its key, its header and its length
 *      net_flights_sent       its tail has left the injector ─► NET_SENT, if that was the message's last
 *      net_flights_deliver    its tail crosses the ejection channel ─► counts, digest; with the last one NET_DELIVERED
 *      net_flights_check      packets injected = delivered + inside + to be made
 *
 * Injectors are numbered terminal * injectors + i over all terminals. A packet exists only from net_flights_cut on:
 * what a long message has still to send takes no room. The engine keeps packets in a pool of its own (pool.h), with a
 * struct net_cargo in each. */
#ifndef NET_FLIGHTS_H
#define NET_FLIGHTS_H

#include "base/heap.h"
#include "netmodel/engines/delivery.h"
#include "netmodel/engines/engine.h"
#include "netmodel/engines/pool.h"

struct net_flight {                              /* a cache line, in a pool that begins with one */
    uint64_t number, tag, generated, flits_left; /* tag: the caller's; flits not cut yet */
    uint64_t age;  /* of its first packet: packets that joined before; orders all packets */
    uint32_t next; /* in the injector's queue; or the next free one */
    uint32_t source : 31, notice_sent : 1; /* the sender wants to be told when all have left */
    uint32_t target;
    uint32_t packets, packets_made, packets_delivered; /* of the message */
};
_Static_assert(sizeof(struct net_flight) == 64, "a message under way is a cache line");

/* What a packet is however it is moved; hops, header and the worst link are for the engine to keep. */
struct net_cargo {
    uint64_t header; /* of the routing */
    uint64_t key;    /* base_hash(base_hash(seed, message), number), by which its choices are drawn */
    uint64_t generated;
    uint32_t flight, number;           /* the slot of its message, and its number in that */
    uint32_t slot;                     /* of the target terminal at its router */
    uint32_t worst_link, worst_cycles; /* of its journey (net_journey_add) */
    uint32_t length;
    uint32_t hops; /* links that it has gone over */
};

struct net_injector {
    uint32_t first, last; /* flights with packets to be made; NET_NONE: none */
};

struct net_flights {
    struct net_network *network; /* whose messages these are */
    struct net_flight *items;    /* the pool's array */
    struct net_pool pool;
    struct base_heap future;        /* flights that join in a later cycle */
    struct net_injector *injectors; /* [terminal * injectors + i] */
    uint32_t *turns;                /* [terminal] the injector that takes the next message */
    uint64_t inside, to_make;       /* packets */
    uint64_t joined;                /* packets of all messages that have joined an injector */
};

/* Of a network whose common head is filled. -1: memory; net_flights_free is legal even then. */
int net_flights_init(struct net_flights *flights, struct net_network *network);
void net_flights_free(struct net_flights *flights);

/* The first cycle in which a flight is to join; UINT64_MAX: none is to come. */
static inline uint64_t net_flights_next(const struct net_flights *flights)
{
    return flights->future.count != 0 ? base_heap_first(&flights->future)->time : UINT64_MAX;
}

/* Rule 2: the injectors of a terminal take messages in turn, and an injector sends its messages one after the other.
 * packets: of the message. Returns the injector. */
static inline uint32_t net_flights_queue(struct net_flights *flights, uint32_t index, uint32_t packets,
                                         uint32_t each)
{
    struct net_flight *flight = &flights->items[index];
    uint32_t number = flight->source;
    if (each > 1) {
        uint32_t *turn = &flights->turns[flight->source];
        number = flight->source * each + *turn;
        *turn = *turn + 1 == each ? 0 : *turn + 1;
    }
    struct net_injector *injector = &flights->injectors[number];
    flight->next = NET_NONE;
    flight->age = flights->joined;
    flights->joined += packets;
    *(injector->last == NET_NONE ? &injector->first : &flights->items[injector->last].next) = index;
    injector->last = index;
    return number;
}

/* The cycle in which a message of that cycle joins an injector (rule 2). */
static inline uint64_t net_flights_joins(const struct net_flights *flights, uint64_t cycle)
{
    return cycle + flights->network->options.router_cycles - 1;
}

/* A message's slot, but for what its queue says. */
static inline void net_flights_fill(struct net_flights *flights, uint32_t index, uint64_t cycle,
                                    const struct net_message *message, uint32_t packets)
{
    struct net_flight *flight = &flights->items[index];
    flight->number = flights->network->injected_messages;
    flight->tag = message->tag;
    flight->generated = cycle;
    flight->flits_left = message->flits;
    flight->source = message->source & INT32_MAX;
    flight->notice_sent = message->notice_sent;
    flight->target = message->target;
    flight->packets = packets;
    flight->packets_made = flight->packets_delivered = 0;
    flights->to_make += packets;
}

/* As net_engine.inject, of an engine with so many packets in the message and injectors at each terminal. Its slot is
 * taken, and it joins at once if its cycle is now (rule 2), unless messages for this very cycle that were given earlier
 * are still in the heap: these have lower numbers. *injector: where it has joined, or NET_NONE: later, since turns go
 * by the order of joining. -1: memory. */
static inline int net_flights_inject_as(struct net_flights *flights, uint64_t cycle,
                                        const struct net_message *message, uint32_t packets, uint32_t each,
                                        uint32_t *injector)
{
    uint64_t joins = net_flights_joins(flights, cycle);
    uint32_t index = NET_POOL_TAKE(&flights->pool, &flights->items, struct net_flight, next);
    if (index == NET_NONE)
        return -1;
    net_flights_fill(flights, index, cycle, message, packets);
    *injector = NET_NONE;
    if (joins > flights->network->now || net_flights_next(flights) <= joins)
        return base_heap_push(&flights->future, joins, index);
    *injector = net_flights_queue(flights, index, packets, each);
    return 0;
}

/* Whether it would do no more than take a slot that is at hand, and join at once. */
static inline bool net_flights_is_simple(const struct net_flights *flights, uint64_t cycle)
{
    return net_pool_has_room(&flights->pool) && flights->future.count == 0 &&
           net_flights_joins(flights, cycle) <= flights->network->now;
}

/* Then the same, quickly. Returns the injector. */
static inline uint32_t net_flights_inject_simply(struct net_flights *flights, uint64_t cycle,
                                                 const struct net_message *message, uint32_t packets,
                                                 uint32_t each)
{
    uint32_t index = net_pool_take_room(&flights->pool, flights->items, sizeof(struct net_flight),
                                        offsetof(struct net_flight, next));
    net_flights_fill(flights, index, cycle, message, packets);
    return net_flights_queue(flights, index, packets, each);
}

/* As net_engine.inject. *injector: where it has joined, in this very cycle, or NET_NONE: later. -1: memory. */
int net_flights_inject(struct net_flights *flights, uint64_t cycle, const struct net_message *message,
                       uint32_t *injector);
/* The injector that the next flight of that cycle has joined as its last; NET_NONE: no more. */
uint32_t net_flights_join(struct net_flights *flights, uint64_t cycle);

/* Whether the injector has packets to be made. */
static inline bool net_flights_waits(const struct net_flights *flights, uint32_t injector)
{
    return flights->injectors[injector].first != NET_NONE;
}

/* Whether it has one message alone with packets to be made. */
static inline bool net_flights_waits_alone(const struct net_flights *flights, uint32_t injector)
{
    return flights->injectors[injector].first == flights->injectors[injector].last;
}

/* The next packet of an injector that has some, without its key, its header and its slot: for engines that need
 * none of these. */
static inline void net_flights_take(struct net_flights *flights, uint32_t number, struct net_cargo *cargo)
{
    struct net_injector *injector = &flights->injectors[number];
    struct net_flight *flight = &flights->items[injector->first];
    uint64_t largest = flights->network->options.packet_flits;
    uint64_t length = flight->flits_left < largest ? flight->flits_left : largest;
    flight->flits_left -= length;
    cargo->generated = flight->generated;
    cargo->flight = injector->first;
    cargo->number = flight->packets_made++;
    cargo->worst_link = NET_NONE;
    cargo->worst_cycles = 0;
    cargo->length = (uint32_t)length;
    cargo->hops = 0;
    flights->inside++;
    flights->to_make--;
    if (flight->flits_left != 0)
        return;
    injector->first = flight->next;
    if (injector->first == NET_NONE)
        injector->last = NET_NONE;
}

/* The same, whole. */
void net_flights_cut(struct net_flights *flights, uint32_t injector, struct net_cargo *cargo);
/* The injector's next message, of which no packet was made, is lost: NET_LOST. -1: memory. */
int net_flights_lose(struct net_flights *flights, uint32_t injector);
/* Packets of a message leave in the order of their numbers, since one injector has them all. -1: memory. */
int net_flights_sent(struct net_flights *flights, const struct net_cargo *cargo);
/* The links of a shortest way: what deflections added to a way is no distance, but what a packet met. */
uint32_t net_flights_distance(const struct net_flights *flights, const struct net_flight *flight);

/* The last packet has arrived, though not always the one with the last number. Its slot is free for the
 * next message at once: the notice has a copy of what the caller needs. Distances are looked up only for who asks about
 * waits. */
static inline __attribute__((always_inline)) int net_flights_finish(struct net_flights *flights,
                                                                    const struct net_cargo *cargo)
{
    struct net_network *network = flights->network;
    const struct net_flight *flight = &flights->items[cargo->flight];
    bool shortest = network->options.waits && network->routing->kind->never_waits;
    const struct net_notice notice = {
        .kind = NET_DELIVERED,
        .terminal = NET_NONE,
        .tag = flight->tag,
        .journey = {.links = shortest ? net_flights_distance(flights, flight) : cargo->hops,
                    .worst_link = cargo->worst_link,
                    .worst_cycles = cargo->worst_cycles}};
    int result = net_network_add_notice(network, flight->number, &notice);
    network->statistics.messages++;
    NET_POOL_GIVE(&flights->pool, flights->items, struct net_flight, next, cargo->flight);
    return result;
}

/* In cycle now. The latency is counted before the flight can end: it may be gone behind this. -1: memory. */
static inline __attribute__((always_inline)) int net_flights_deliver_now(struct net_flights *flights,
                                                                         const struct net_cargo *cargo)
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
        result |= net_flights_finish(flights, cargo);
    return result;
}

/* The same, where it is not worth its place. */
int net_flights_deliver(struct net_flights *flights, const struct net_cargo *cargo);
/* Whether the first goes before the second under NET_OLDEST_FIRST (arbiters.h). */
bool net_flights_older(const struct net_flights *flights, const struct net_cargo *first,
                       const struct net_cargo *second);
/* pooled: packets that the engine's own pool has in use, by which one that was lost or freed twice shows. */
int net_flights_check(const struct net_flights *flights, uint64_t pooled, struct base_error *error);

#endif
