/* The packet-grant engine's arbiters beside round robin (rules 4 and 5 of doc/flit-engine.md). They are asked
 * only where there is a choice, by the generic kernel. A choice is among drivers: those that request an
 * output, or those that hold a granted virtual channel of a free link. */
#include "netmodel/engines/bits.h"
#include "netmodel/packet-engine/internal.h"

/* Flits in a driver's buffer at the start of a cycle. Nobody is asked whose packet is on its way out. */
static uint64_t queue_flits(const struct net_packet_part *part, uint32_t router, uint32_t driver,
                            uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    const struct net_packet_queue *queue =
        &engine->queues[(size_t)router * engine->drivers_per_router + driver];
    uint64_t arrived = cycle - queue->start + 1;
    return queue->flits + (arrived < queue->arriving ? arrived : queue->arriving);
}

/* Of a driver that has one, as every candidate does. */
static const struct net_packet_packet *head_of(const struct net_packet_part *part,
                                               struct net_packet_router *router, uint32_t driver)
{
    return &part->packets[net_packet_entry_packet(net_packet_driver_at(router, driver)->head.rest)];
}

/* By the cycle of injection, the message, the number in it. A total order: no two packets have the same message
 * and number. */
static bool is_older(const struct net_packet_part *part, const struct net_packet_packet *a,
                     const struct net_packet_packet *b)
{
    const struct net_packet_flight *flights = part->engine->flights;
    const struct net_packet_flight *first = &flights[a->message], *second = &flights[b->message];
    if (first->generated != second->generated)
        return first->generated < second->generated;
    if (a->message != b->message)
        return first->number < second->number;
    return a->number < b->number;
}

/* Whether the first driver goes before the second; in_turn says who does among equals. */
static bool goes_before(const struct net_packet_part *part, struct net_packet_router *router, uint32_t index,
                        uint32_t a, uint32_t b, uint64_t cycle)
{
    if (part->engine->network.options.arbiter == NET_OLDEST_FIRST)
        return is_older(part, head_of(part, router, a), head_of(part, router, b));
    return queue_flits(part, index, a, cycle) > queue_flits(part, index, b, cycle);
}

/* The seed's complement keeps these draws apart from those of routings, which hash the seed itself; an output and
 * a link have numbers of their own, so that none of them shares a draw. */
static uint32_t draw(const struct net_packet_part *part, uint64_t of, uint64_t mask, uint64_t cycle)
{
    return net_bits_draw(mask, base_hash(base_hash(~part->engine->seed, of), cycle));
}

/* All candidates in the order of round robin, beginning with who is in turn: a later one wins only if it goes
 * before the best so far. */
uint32_t net_packet_arbitrate(struct net_packet_visit at, uint32_t local, uint64_t requests, uint32_t in_turn)
{
    const struct net_packet_engine *engine = at.part->engine;
    uint32_t best = in_turn, index = net_packet_number_of(engine, at.block);
    if (engine->network.options.arbiter == NET_ROUND_ROBIN)
        return in_turn;
    if (engine->network.options.arbiter == NET_RANDOM)
        return draw(at.part, (uint64_t)index * engine->outputs_drawn + local, requests, at.cycle);
    for (uint32_t next = net_bits_from(requests, (in_turn + 1) % NET_PACKET_MASK_BITS); next != in_turn;
         next = net_bits_from(requests, (next + 1) % NET_PACKET_MASK_BITS))
        if (goes_before(at.part, at.router, index, next, best, at.cycle))
            best = next;
    return best;
}

/* The same over outputs, each standing for the driver that holds it. The outputs of one link stand side by side,
 * so that the first of them names the link; outputs are what is chosen, the drivers that hold them are what is
 * compared. */
uint32_t net_packet_arbitrate_link(struct net_packet_visit at, uint64_t granted, uint32_t in_turn)
{
    const struct net_packet_engine *engine = at.part->engine;
    uint32_t index = net_packet_number_of(engine, at.block);
    uint32_t best = in_turn, first = (uint32_t)__builtin_ctzll(granted);
    if (engine->network.options.arbiter == NET_ROUND_ROBIN)
        return in_turn;
    first -= first % engine->shape.channels;
    if (engine->network.options.arbiter == NET_RANDOM)
        return draw(at.part, ~((uint64_t)index * engine->outputs_drawn + first), granted, at.cycle);
    for (uint32_t next = net_bits_from(granted, (in_turn + 1) % NET_PACKET_MASK_BITS); next != in_turn;
         next = net_bits_from(granted, (next + 1) % NET_PACKET_MASK_BITS))
        if (goes_before(at.part, at.router, index, net_packet_output_at(at.router, next)->driver,
                        net_packet_output_at(at.router, best)->driver, at.cycle))
            best = next;
    return best;
}
