/* The packet-grant engine's kernel: headers ask in routers that faults have changed (rule 22 of doc/faults.md). */
#ifndef NET_PACKET_KERNEL_FAILING_H
#define NET_PACKET_KERNEL_FAILING_H

#include "netmodel/packet-engine/kernel-choice.h"

/* Adaptive outputs and escapes are asked for in a function that is inlined, as evaluate is: under a tree that covers
 * the network every header comes here. What is about rings is in functions of its own. */

/* One of the outputs by the packet's key and the cycle (rule 3). */
static INLINE uint64_t draw_one(const struct net_packet_visit at, const struct net_packet_entry head,
                                uint64_t available)
{
    if ((available & (available - 1)) == 0)
        return available;
    return choose(net_packet_entry_way(head.rest) < NET_PACKET_WAY_LEGS
                      ? head.word
                      : at.part->packets[net_packet_entry_packet(head.rest)].key,
                  available, at.cycle);
}

/* Room that a header needs on a ring output, counted from net_packet_plenty as spare is (rule 23). */
static INLINE int32_t ring_need(const struct net_packet_visit at, uint32_t local, bool on_ring,
                                const struct net_packet_setting given)
{
    return (int32_t)net_packet_faults_need(at.part->engine, on_ring) -
           net_packet_plenty(given.constants, local);
}

/* Those of the ring outputs, or what leads to no buffer, that have the room which is needed. */
static INLINE uint64_t ring_room(const struct net_packet_visit at, uint64_t candidates, bool on_ring,
                                 const struct net_packet_setting given)
{
    uint64_t available = candidates & ~(BIT(net_packet_shape_links(given.shape)) - 1);
    for (candidates ^= available; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        if (room_at(net_packet_output_at(at.router, local), at.cycle, given) >=
            ring_need(at, local, on_ring, given))
            available |= BIT(local);
    }
    return available;
}

/* The room of an output in flits, also while places are counted. */
static INLINE int32_t flits_of_room(const struct net_packet_visit at, uint32_t local,
                                    const struct net_packet_setting given)
{
    struct net_packet_line *line = net_packet_line_at(at.router, local);
    int32_t room = room_at(&line->output, at.cycle, given) + net_packet_plenty(given.constants, local);
    struct net_packet_router *next = net_packet_block_at(given.state, line->target);
    if (given.shape.even && net_packet_driver_at(next, local)->departing != 0)
        room += (uint16_t)(at.cycle - net_packet_output_at(next, local)->departure);
    return room;
}

/* The one with most room; the lowest of equals. */
static INLINE uint64_t most_room(const struct net_packet_visit at, uint64_t available,
                                 const struct net_packet_setting given)
{
    uint32_t best = 0;
    int32_t most = INT32_MIN;
    if ((available & (available - 1)) == 0)
        return available;
    for (; available != 0; available &= available - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(available);
        int32_t room = flits_of_room(at, local, given);
        best = room > most ? local : best;
        most = room > most ? room : most;
    }
    return BIT(best);
}

/* On ring outputs, or on the re-injection channel, which wakes by its end event alone. */
static INLINE void sleep_on_ring(const struct net_packet_visit at, uint64_t candidates, uint32_t driver,
                                 bool on_ring, const struct net_packet_setting given)
{
    for (; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        struct net_packet_output *output = net_packet_output_at(at.router, local);
        output->waiting |= BIT(driver);
        if (given.shape.even || local >= net_packet_shape_links(given.shape))
            continue;
        int32_t need = ring_need(at, local, on_ring, given);
        output->need_least = (int16_t)(need < output->need_least ? need : output->need_least);
        if ((at.router->busy >> local & 1) == 0)
            schedule_crossing(at, local, output, given);
    }
}

/* What the head asks for when it has found none of the adaptive outputs, or wants none (adaptive 0), and cannot take
 * an escape: to enter a ring, to go on along one, or to be injected anew. Of the last two there is one output each.
 * One function for all shapes, which costs less than to hand on what a kernel knows of its own. */
static __attribute__((noinline)) uint64_t evaluate_ring(struct net_packet_part *part, uint32_t block,
                                                        uint64_t cycle, uint32_t driver, uint64_t adaptive,
                                                        const struct net_fault_request request)
{
    const struct net_packet_engine *engine = part->engine;
    const struct net_packet_setting given = {
        .shape = engine->shape, .constants = part->constants, .state = part->state};
    const struct net_packet_visit at = {part, net_packet_block_at(part->state, block), block, cycle};
    const bool on_ring = request.then == NET_FAULT_GO_ON;
    const uint64_t then =
        net_packet_faults_then(engine, net_packet_number_of(engine, block), driver, request);
    const uint64_t available = ring_room(at, then & ~at.router->busy, on_ring, given);
    if (available != 0)
        return request.then == NET_FAULT_ENTER ? most_room(at, available, given) : available;
    if (given.constants.waits)
        net_packet_begin_wait(at, driver);
    sleep_on(at, adaptive, driver,
             net_packet_entry_length(net_packet_driver_at(at.router, driver)->head.rest), given);
    sleep_on_ring(at, then, driver, on_ring, given);
    return 0;
}

/* The head of a driver in a router that stands. */
static INLINE uint64_t stand(const struct net_packet_visit at, uint32_t driver,
                             const struct net_packet_setting given)
{
    if (given.constants.waits)
        net_packet_begin_wait(at, driver);
    return 0;
}

/* The head of a driver in a router that faults have changed, or to which it came by a ring: as evaluate. Most are
 * ordinary packets, which ask as everywhere, but for dead links and ring outputs. */
static INLINE uint64_t evaluate_failing(const struct net_packet_visit at, uint32_t driver,
                                        const struct net_packet_setting given)
{
    const struct net_packet_fault_router *router = given.here;
    const struct net_packet_entry head = net_packet_driver_at(at.router, driver)->head;
    const uint16_t way = net_packet_entry_way(head.rest);
    struct net_packet_outputs asked;
    const struct net_packet_outputs *outputs = &asked;
    uint64_t early;
    if (UNLIKELY(router->stopped))
        return stand(at, driver, given);
    if (LIKELY(way != NET_PACKET_WAY_RAW)) {
        outputs = &net_packet_way_at(&at.part->ways, way, given.shape.ports)->outputs;
        early = at.part->ways.early[way];
    } else {
        asked = net_packet_ways_outputs(at.part->ways.routing, router_number(at.block, given), head.word);
        early = net_packet_outputs_early(outputs);
    }
    if (outputs->first == 0)
        return draw_one(at, head, free_ejections(at.part, at.router, driver, given));
    const uint64_t adaptive = early & ~router->shut;
    uint64_t escape = outputs->all & ~early & router->escapes[0];
    struct net_fault_request request = {true, escape != 0 ? NET_FAULT_ESCAPE : NET_FAULT_ENTER};
    if ((router->watched >> driver & 1) != 0) {
        const uint32_t packet = net_packet_entry_packet(head.rest);
        escape = outputs->all & ~early & router->escapes[at.part->failing[packet].met];
        request = net_packet_faults_request(at.part->engine, router_number(at.block, given), driver, packet,
                                            escape != 0);
    }
    const uint32_t length = length_of(head.rest, given);
    if (request.then == NET_FAULT_ESCAPE) {
        const struct net_packet_outputs open = {adaptive | escape, outputs->first & adaptive,
                                                outputs->second & adaptive};
        return draw_one(at, head, free_outputs(at, driver, length, &open, given));
    }
    /* Rings come after what is adaptive, if the packet may take that. */
    if (request.adaptive) {
        uint64_t open = with_room(at.router, adaptive & ~at.router->busy, driver, length, at.cycle, given);
        if (open != 0)
            return draw_one(at, head, (open & outputs->first) != 0 ? open & outputs->first : open);
    }
    if (request.then == NET_FAULT_ENTER) {
        uint64_t open = ring_room(at, router->ring & ~(router->dead | at.router->busy), false, given);
        if (open != 0)
            return most_room(at, open, given);
    }
    return evaluate_ring(at.part, at.block, at.cycle, driver, request.adaptive ? adaptive : 0, request);
}

#endif
