/* The packet-grant engine's work per packet and per message: pools, cutting messages into packets (rule 2),
 * delivery. What is done per hop is in the kernel (kernel-*.h).
 *
 * Parts may run at the same time: a packet is taken from the part that makes it, and is the delivering
 * part's from then on; a message is cut by the part of its source, and counted down by the part of its
 * target. */
#include <stdlib.h>

#include "base/grow.h"
#include "base/random.h"
#include "netmodel/engines/delivery.h"
#include "netmodel/packet-engine/faults.h"
#include "netmodel/packet-engine/internal.h"

/* ---- pools ---- */

/* Twice the pool of a part. No pointer into it survives. The arrays beside the pool have its numbers, and grow
 * with it; on failure some may be larger than the pool, which harms nobody. */
static int grow_packets(struct net_packet_part *part)
{
    uint32_t capacity = 2 * part->packet_capacity;
    if (part->worst != NULL) {
        struct net_packet_bottleneck *worst = realloc(part->worst, capacity * sizeof *worst);
        if (worst == NULL)
            return -1;
        part->worst = worst;
    }
    if (part->failing != NULL) {
        struct net_fault_packet *failing = realloc(part->failing, capacity * sizeof *failing);
        if (failing == NULL)
            return -1;
        memset(failing + part->packet_capacity, 0, part->packet_capacity * sizeof *failing);
        part->failing = failing;
    }
    struct net_packet_packet *packets = realloc(part->packets, capacity * sizeof *packets);
    if (packets == NULL)
        return -1;
    part->packets = packets;
    part->packet_capacity = capacity;
    return 0;
}

/* Freed packets are taken first, the last freed before all others: it is the one that is still in the cache.
 */
uint32_t net_packet_new_packet(struct net_packet_part *part)
{
    uint32_t index = part->free_packet;
    if (index != NET_PACKET_NO_PACKET) {
        part->free_packet = part->packets[index].next;
        return index;
    }
    if (part->packet_count == part->packet_capacity && grow_packets(part) < 0) {
        part->out_of_memory = true;
        return NET_PACKET_NO_PACKET;
    }
    return part->packet_count++;
}

/* Lists keep their size from cycle to cycle, so that they stop growing after warm-up. */
bool net_packet_found_grow(struct net_packet_part *part, struct net_packet_notes *found)
{
    if (base_grow_32(&found->items, &found->capacity, found->count + 1, sizeof *found->items) == 0)
        return true;
    part->out_of_memory = true;
    return false;
}

/* ---- packets and injectors (rule 2) ---- */

/* The header of a packet from router to router (rule 7), and the number of its way, which most often is known from
 * an earlier packet with the same displacement: then the header is not asked for. */
static inline __attribute__((always_inline)) uint16_t
/* The number of what the packet's header may do (ways.h). Pairs of routers are asked for again and again, so the
 * answer of each variant is kept; the routing is asked for what is not there. */
find_way(struct net_packet_part *part, const struct net_packet_packet *packet,
         const struct net_packet_flight *flight, uint32_t source, uint32_t target, uint64_t *header)
{
    const struct net_routing *routing = part->ways.routing;
    struct net_packet_start *start = net_packet_ways_start(&part->ways, source, target);
    uint32_t variants = start != NULL && start->variants != 0
                            ? start->variants
                            : routing->kind->variants(routing, source, target);
    uint32_t variant = variants > 1 ? net_routing_variant(routing, flight->source, flight->target, variants,
                                                          base_hash_second(packet->key, UINT64_MAX))
                                    : 0;
    if (start != NULL && variant < NET_PACKET_START_VARIANTS && start->ways[variant] != 0)
        return (uint16_t)(start->ways[variant] - 1);
    *header = routing->kind->start(routing, source, target, variant);
    if (part->ways.legs)
        *header = routing->kind->legs(routing, *header);
    uint16_t way = net_packet_ways_find(&part->ways, *header);
    if (start != NULL && variant < NET_PACKET_START_VARIANTS && way != NET_PACKET_WAY_RAW) {
        start->variants = variants;
        start->ways[variant] = (uint16_t)(way + 1);
    }
    return way;
}

/* Cuts the next packet off a message: its key, its way and its length are fixed here, once. The
 * key depends on the message and the number only, not on when or where the packet is cut, so draws are the
 * same whatever the order of events. Returns its way, and the header if that is not remembered. */
static inline uint16_t fill_packet(struct net_packet_part *part, struct net_packet_packet *packet,
                                   uint32_t flight_index, uint64_t *header)
{
    const struct net_packet_engine *engine = part->engine;
    struct net_packet_flight *flight = &engine->flights[flight_index];
    uint32_t source = flight->source, target = flight->target;
    packet->slot = packet->unstarted = 0;
    if (engine->concentration > 1) {
        source /= engine->concentration;
        target /= engine->concentration;
        packet->slot = (uint8_t)(flight->target - target * engine->concentration);
    }
    uint64_t length = flight->flits_left < engine->largest ? flight->flits_left : engine->largest;
    flight->flits_left -= length;
    packet->key = base_hash_first(base_hash(base_hash(engine->seed, flight->number), flight->packets_made));
    packet->next = NET_PACKET_NO_PACKET;
    packet->message = flight_index;
    packet->number = flight->packets_made++;
    packet->length = (uint16_t)length;
    if (part->constants.owned)
        packet->row = engine->network.owners.row[flight->source];
    if (part->worst != NULL)
        part->worst[packet - part->packets] = (struct net_packet_bottleneck){NET_NONE, 0};
    if (flight->spread != NULL) {
        *header = net_packet_copies_needed(engine, flight_index, source);
        return NET_PACKET_WAY_COPIES;
    }
    packet->to_choose = part->constants.chooses;
    uint16_t way = find_way(part, packet, flight, source, target, header);
    if (!part->ways.legs)
        return way;
    if (way != NET_PACKET_WAY_RAW)
        *header = part->ways.headers[way];
    return NET_PACKET_WAY_LEGS;
}

/* The variant is drawn with the packet's own key again: from another router it may be another one. */
struct net_packet_entry net_packet_start_anew(struct net_packet_part *part, uint32_t index, uint32_t router)
{
    const struct net_packet_packet *packet = &part->packets[index];
    const struct net_packet_flight *flight = &part->engine->flights[packet->message];
    uint64_t header = 0;
    uint16_t way =
        find_way(part, packet, flight, router, flight->target / part->engine->concentration, &header);
    return (struct net_packet_entry){.word = way < NET_PACKET_WAY_LEGS ? packet->key : header,
                                     .rest = net_packet_entry_rest(index, way, packet->length)};
}

/* What a routing that chooses at the source sees. */
struct prospect {
    const struct net_packet_part *part; /* that has the source */
    struct net_packet_router *router;   /* the source's block */
    uint64_t cycle;                     /* in which the way is chosen */
};

/* Flits reserved and not yet gone on some virtual channels of a link: flits are counted, since the routing chooses. */
static uint32_t occupied(const struct net_occupancy *occupancy, uint32_t port, uint32_t channels)
{
    const struct prospect *prospect = occupancy->context;
    const struct net_packet_engine *engine = prospect->part->engine;
    int64_t flits = 0;
    for (; channels != 0; channels &= channels - 1) {
        uint32_t local = port * engine->shape.channels + (uint32_t)__builtin_ctz(channels);
        const struct net_packet_output *output = net_packet_output_at(prospect->router, local);
        int32_t room = output->spare + net_packet_plenty(prospect->part->constants, local);
        if (output->departing != 0)
            room += (uint16_t)(prospect->cycle - output->departure);
        flits += (int64_t)engine->network.options.buffer_flits - room;
    }
    return (uint32_t)flits;
}

/* And of the packets that have chosen: no way is remembered for a routing that chooses, so the word is the header. */
static uint32_t waiting(const struct net_occupancy *occupancy, uint32_t injector, uint64_t *header)
{
    const struct prospect *prospect = occupancy->context;
    uint32_t local = prospect->part->engine->first_injector + injector;
    if ((prospect->router->eligible >> local & 1) == 0)
        return 0;
    const struct net_packet_entry head = net_packet_driver_at(prospect->router, local)->head;
    if (net_packet_entry_way(head.rest) == NET_PACKET_WAY_COPIES) /* multicasts choose nothing */
        return 0;
    *header = head.word;
    return prospect->part->packets[net_packet_entry_packet(head.rest)].to_choose != 0
               ? 0
               : net_packet_entry_length(head.rest);
}

/* Once a packet: to_choose is cleared, and the header stays in the driver. */
uint64_t net_packet_choose(struct net_packet_part *part, uint32_t block, uint32_t local, uint64_t cycle)
{
    const struct net_routing *routing = part->engine->network.routing;
    const struct prospect prospect = {part, net_packet_block_at(part->state, block), cycle};
    const struct net_occupancy occupancy = {&prospect, net_packet_number_of(part->engine, block),
                                            part->engine->concentration * part->engine->injectors, occupied,
                                            waiting};
    struct net_packet_driver *driver = net_packet_driver_at(prospect.router, local);
    driver->head.word = routing->kind->choose(routing, driver->head.word, &occupancy);
    part->packets[net_packet_entry_packet(driver->head.rest)].to_choose = 0;
    return driver->head.word;
}

/* A packet exists only from here on: what a long message has still to send takes no room in the pool. An injector
 * without a message stays idle; its next one makes the head when it joins. */
void net_packet_make_head(struct net_packet_part *part, uint32_t block, uint32_t local, uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    struct net_packet_router *router = net_packet_block_at(part->state, block);
    struct net_packet_line *injector = net_packet_line_at(router, local);
    struct net_packet_driver *driver = &injector->driver;
    uint32_t flight = driver->first;
    if (flight == NET_NONE)
        return;
    uint32_t index = net_packet_new_packet(part);
    if (index == NET_PACKET_NO_PACKET)
        return;
    struct net_packet_packet *packet = &part->packets[index];
    uint64_t header = 0;
    uint16_t way = fill_packet(part, packet, flight, &header);
    part->packets_made++;
    if (engine->flights[flight].flits_left == 0) {
        driver->first = engine->flights[flight].next;
        injector->notice = engine->flights[flight].notice_sent ? flight : NET_NONE;
        if (injector->notice != NET_NONE && part->endings != NULL)
            router->foreign |= UINT64_C(1) << local;
    }
    driver->head.word = way < NET_PACKET_WAY_LEGS ? packet->key : header;
    driver->head.rest = net_packet_entry_rest(index, way, packet->length);
    driver->hops = 0;
    router->eligible |= UINT64_C(1) << local;
    net_packet_make_pending((struct net_packet_visit){part, router, block, cycle}, UINT64_C(1) << local);
}

/* Only noted: the injector's lines are its part's to write. */
struct net_packet_part *net_packet_engine_join(struct net_packet_engine *engine, uint32_t flight)
{
    uint32_t router = engine->flights[flight].source / engine->concentration;
    struct net_packet_part *part =
        &engine->parts[net_packet_part_number(engine, net_packet_block_of(engine, router))];
    net_packet_note(part, &part->joins, (uint64_t)router << 32 | flight);
    return part;
}

/* Rule 2: the injectors of a terminal take messages in turn, and an injector sends its messages one after
 * the other. When the injector is idle the packet may ask in this very cycle. The division is saved where each
 * router has one terminal, which is the usual network. */
static void join(struct net_packet_part *part, uint32_t flight_index, uint64_t cycle)
{
    struct net_packet_engine *engine = part->engine;
    struct net_packet_flight *flight = &engine->flights[flight_index];
    uint32_t index = flight->source, slot = 0;
    if (engine->concentration > 1) {
        index = flight->source / engine->concentration;
        slot = flight->source - index * engine->concentration;
    }
    uint8_t *turn = &engine->next_injector[flight->source];
    uint32_t local = engine->first_injector + slot * engine->injectors + *turn;
    *turn = (uint8_t)(*turn + 1u == engine->injectors ? 0 : *turn + 1);
    struct net_packet_router *router = net_packet_router_at(engine->state, index, engine->shape);
    struct net_packet_line *injector = net_packet_line_at(router, local);
    struct net_packet_driver *driver = &injector->driver;
    flight->next = NET_NONE;
    if (driver->first == NET_NONE)
        driver->first = flight_index;
    else
        engine->flights[injector->last].next = flight_index;
    injector->last = flight_index;
    if (engine->queues != NULL)
        engine->queues[(size_t)index * engine->drivers_per_router + local].flits += flight->flits_left;
    if (net_packet_entry_packet(driver->head.rest) == NET_PACKET_NO_PACKET && !driver->departing)
        net_packet_make_head(part, net_packet_block_of(engine, index), local, cycle);
}

/* Messages and the ends of their journeys are written by one processor and read by another: lines are fetched some
 * entries ahead, so that their ways through the machine overlap. */
#define JOURNEYS_AHEAD 16

/* Ahead of a message that joins: its line, the router's masks and its first injector's line. */
static void fetch_join(const struct net_packet_part *part, uint64_t item)
{
    const struct net_packet_engine *engine = part->engine;
    struct net_packet_router *router =
        net_packet_router_at(part->state, net_packet_joins_router(item), engine->shape);
    net_fetch_to_write(&engine->flights[net_packet_joins_flight(item)]);
    __builtin_prefetch(router, 1);
    __builtin_prefetch(net_packet_line_at(router, engine->first_injector), 1);
}

/* Another thread has written the list; where it was the last time it mostly is again. */
void net_packet_join_all(struct net_packet_part *part, uint64_t cycle)
{
    const struct net_packet_notes *joins = &part->joins;
    const bool others = net_packet_has_others(part); /* else the lines are here */
    if (others) {
        __builtin_prefetch(part->last_joins);
        __builtin_prefetch((const char *)part->last_joins + NET_LINE);
        part->last_joins = joins->items;
    }
    for (uint32_t i = 0; others && i < joins->count && i < JOURNEYS_AHEAD; i++)
        fetch_join(part, joins->items[i]);
    for (uint32_t i = 0; i < joins->count; i++) {
        if (i + JOURNEYS_AHEAD < joins->count)
            fetch_join(part, joins->items[i + JOURNEYS_AHEAD]);
        join(part, net_packet_joins_flight(joins->items[i]), cycle);
    }
}

/* ---- waiting ---- */

/* Once a hop at most, and only where a header waits. The copies of a multicast wait for several outputs at a
 * time: their waits are not counted. */
void net_packet_begin_wait(struct net_packet_visit at, uint32_t driver)
{
    const struct net_packet_engine *engine = at.part->engine;
    struct net_packet_driver *waits = net_packet_driver_at(at.router, driver);
    if ((waits->hops & NET_PACKET_LATE) != 0 ||
        net_packet_entry_way(waits->head.rest) == NET_PACKET_WAY_COPIES)
        return;
    waits->hops |= NET_PACKET_LATE;
    engine->waits[(size_t)net_packet_number_of(engine, at.block) * engine->waits_per_router + driver].since =
        at.cycle;
}

/* A packet that was granted in the cycle in which it asked, but whose link was not free to start, has waited
 * for no time if it starts in that very cycle. */
void net_packet_end_wait(struct net_packet_visit at, uint32_t driver, uint32_t output)
{
    const struct net_packet_engine *engine = at.part->engine;
    const struct net_topology *topology = engine->network.topology;
    uint32_t index = net_packet_number_of(engine, at.block);
    struct net_packet_wait *waits = &engine->waits[(size_t)index * engine->waits_per_router];
    uint64_t cycles = at.cycle - waits[driver].since;
    if (output >= engine->first_ejection)
        return;
    struct net_packet_bottleneck *worst =
        &at.part->worst[net_packet_entry_packet(net_packet_driver_at(at.router, driver)->head.rest)];
    uint32_t port = engine->shape.channels == 1 ? output : output / engine->shape.channels;
    waits[output].cycles += cycles;
    net_journey_add(&worst->link, &worst->cycles, topology->link_at[(size_t)index * topology->ports + port],
                    cycles);
}

/* ---- delivery ---- */

/* The packet is the receiver's since the end of the cycle before. What goes beyond this part of the network
 * (digests, notices, the histogram where several parts share it) is noted, and done in the order of one part when
 * all are done. */
static void deliver(struct net_packet_part *part, uint32_t index, uint64_t cycle)
{
    const struct net_packet_packet *packet = &part->packets[index];
    struct net_packet_flight *flight = &part->engine->flights[packet->message];
    if (part->failing != NULL && part->failing[index].met)
        net_packet_faults_count(part, index);
    const struct net_delivery delivery = {.message = flight->number,
                                          .generated = flight->generated,
                                          .cycle = cycle - 1,
                                          .packet = packet->number,
                                          .terminal = flight->spread != NULL ? packet->terminal : NET_NONE,
                                          .length = packet->length,
                                          .hops = packet->hops};
    uint64_t latency = net_delivery_count(part->statistics, &delivery);
    if (part->constants.owned)
        net_owners_deliver(&part->engine->network.owners, flight->source, packet->hops,
                           !net_packet_has_others(part));
    if (net_packet_has_others(part))
        net_packet_note(part, &part->latencies, latency);
    else if (net_latency_add(&part->engine->network.latency, latency) < 0)
        part->out_of_memory = true;
    if (flight->spread == NULL && ++flight->packets_delivered == flight->packets) {
        const struct net_packet_bottleneck *worst = part->worst;
        flight->journey = (struct net_journey){packet->hops, NET_NONE, 0};
        if (worst != NULL)
            flight->journey = (struct net_journey){packet->hops, worst[index].link, worst[index].cycles};
        net_packet_note(part, &part->delivered, packet->message);
    }
    if (flight->spread != NULL && --flight->spread->missing[packet->terminal] == 0)
        net_packet_note(part, &part->copies, (uint64_t)packet->message << 32 | packet->terminal);
    net_packet_free_packet(part, index);
}

/* The message of a packet that has arrived. */
static void fetch_message(const struct net_packet_part *part, uint64_t packet)
{
    net_fetch_to_write(&part->engine->flights[part->packets[packet].message]);
}

/* As many as net_packet_deliver_all looks ahead. */
void net_packet_fetch_messages(const struct net_packet_part *part, const struct net_packet_notes *packets)
{
    for (uint32_t i = 0; i < packets->count && i < JOURNEYS_AHEAD; i++)
        fetch_message(part, packets->items[i]);
}

/* In the order in which they were noted, which is not defined: what is told is sorted, and sums do not mind. */
void net_packet_deliver_all(struct net_packet_part *part, struct net_packet_notes *arrived, uint64_t cycle)
{
    for (uint32_t i = 0; i < arrived->count; i++) {
        if (i + JOURNEYS_AHEAD < arrived->count)
            fetch_message(part, arrived->items[i + JOURNEYS_AHEAD]);
        deliver(part, (uint32_t)arrived->items[i], cycle);
    }
    arrived->count = 0;
}

/* Told when the caller gathers, between cycles. */
void net_packet_tell_sent(struct net_packet_part *part, uint32_t flight)
{
    net_packet_note(part, &part->sent, flight);
}

/* ---- between cycles ---- */

/* The list of free messages is the caller's thread's alone. */
void net_packet_release_flight(struct net_packet_engine *engine, uint32_t index)
{
    engine->flights[index].next = engine->free_flight;
    engine->free_flight = index;
}

/* The last packet of a message has arrived, though not always the one with the last number. Its slot is free
 * for the next message at once: the notice has a copy of what the caller needs. */
static int finish_flight(struct net_packet_engine *engine, uint32_t index)
{
    const struct net_packet_flight *flight = &engine->flights[index];
    int result = net_network_notice_journey(&engine->network, flight->number, flight->tag, &flight->journey);
    engine->network.statistics.messages++;
    net_packet_release_flight(engine, index);
    return result;
}

/* A part's own are taken away as they are added, so that nothing is counted twice. */
static void add_statistics(struct net_statistics *sum, struct net_statistics *own)
{
    base_digest_merge(&sum->digest, &own->digest);
    sum->packets += own->packets;
    sum->flits += own->flits;
    sum->packet_hops += own->packet_hops;
    sum->flit_hops += own->flit_hops;
    sum->latency_sum_cycles += own->latency_sum_cycles;
    if (own->latency_max_cycles > sum->latency_max_cycles)
        sum->latency_max_cycles = own->latency_max_cycles;
    *own = (struct net_statistics){0};
}

/* With one part the statistics are the network's own already. */
void net_packet_parts_sum(struct net_packet_engine *engine)
{
    for (uint32_t i = 0; engine->part_count > 1 && i < engine->part_count; i++)
        add_statistics(&engine->network.statistics, &engine->parts[i].own);
}

/* Ahead of gathering from several parts: what they have found is in other processors' caches. Where their
 * lists were last time they mostly are again, so that these come together with what says where they are
 * now. */
void net_packet_fetch_found(struct net_packet_engine *engine)
{
    for (uint32_t i = 0; i < engine->part_count; i++) {
        const struct net_packet_part *part = &engine->parts[i];
        __builtin_prefetch(&part->delivered);
        __builtin_prefetch(engine->loads[i].delivered);
        __builtin_prefetch(engine->loads[i].latencies);
    }
    for (uint32_t i = 0; i < engine->part_count; i++) {
        const struct net_packet_part *part = &engine->parts[i];
        engine->loads[i].delivered = part->delivered.items;
        engine->loads[i].latencies = part->latencies.items;
        for (uint32_t j = 0; j < part->delivered.count && j < JOURNEYS_AHEAD; j++)
            net_fetch_to_write(&engine->flights[part->delivered.items[j]]);
        net_fetch_to_write(&part->joins); /* which the caller fills now */
        net_fetch_all_to_write(part->joins.items, JOURNEYS_AHEAD * sizeof *part->joins.items);
    }
}

/* Messages that were sent are told before those that were delivered are forgotten: one may be both. */
int net_packet_gather(struct net_packet_engine *engine, struct net_packet_part *part)
{
    int result =
        !net_packet_has_others(part) && part->out_of_memory ? -1 : 0; /* of several: when none of them runs */
    for (uint32_t i = 0; i < part->latencies.count; i++)
        result |= net_latency_add(&engine->network.latency, part->latencies.items[i]);
    for (uint32_t i = 0; i < part->sent.count; i++) {
        const struct net_packet_flight *flight = &engine->flights[part->sent.items[i]];
        result |= net_network_notice(&engine->network, flight->number, NET_SENT, flight->tag);
    }
    if (!net_packet_has_others(part)) /* else it forgets them itself */
        part->latencies.count = part->sent.count = 0;
    return result;
}

/* After all parts have told what was sent. */
int net_packet_gather_delivered(struct net_packet_engine *engine, struct net_packet_part *part)
{
    int result = 0;
    for (uint32_t i = 0; i < part->delivered.count; i++) {
        if (i + JOURNEYS_AHEAD < part->delivered.count)
            net_fetch_to_write(&engine->flights[part->delivered.items[i + JOURNEYS_AHEAD]]);
        result |= finish_flight(engine, (uint32_t)part->delivered.items[i]);
    }
    if (!net_packet_has_others(part))
        part->delivered.count = 0;
    return result | net_packet_gather_copies(engine, part);
}
