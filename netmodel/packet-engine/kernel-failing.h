/* The packet-grant engine's kernel: headers ask in routers that faults have changed (rule 22 of doc/faults.md). */
#ifndef NET_PACKET_KERNEL_FAILING_H
#define NET_PACKET_KERNEL_FAILING_H

#include "netmodel/packet-engine/kernel-choice.h"

/* The ordinary path is inlined, as evaluate is: under a tree that covers the network every header takes it. Strays,
 * ring packets and those that enter a ring are few, and go by the list of tiers in a function of its own. */

/* What the head's routing says of it where all links live. */
static INLINE struct net_packet_outputs base_outputs(const struct net_packet_visit at,
                                                     const struct net_packet_entry head,
                                                     const struct net_packet_setting given)
{
    uint16_t way = net_packet_entry_way(head.rest);
    if (LIKELY(way != NET_PACKET_WAY_RAW))
        return net_packet_way_at(&at.part->ways, way, given.shape.ports)->outputs;
    return net_packet_ways_outputs(at.part->ways.routing, router_number(at.block, given), head.word);
}

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

/* Room that a header needs, counted from net_packet_plenty as spare is (rule 23; rule 6 beside rings of faults). */
static INLINE int32_t failing_need(const struct net_packet_visit at, uint64_t ring, uint32_t local,
                                   uint32_t driver, uint32_t length, bool on_ring,
                                   const struct net_packet_setting given)
{
    if ((ring >> local & 1) == 0)
        return need_of(given, local, driver, length);
    return (int32_t)net_packet_faults_need(at.part->engine, on_ring) -
           net_packet_plenty(given.constants, local);
}

/* Those of the candidates that have room. What leads to no buffer never lacks it. */
static INLINE uint64_t failing_room(const struct net_packet_visit at, uint64_t ring, uint64_t candidates,
                                    uint32_t driver, uint32_t length, bool on_ring,
                                    const struct net_packet_setting given)
{
    uint64_t available = candidates & ~(BIT(net_packet_shape_links(given.shape)) - 1);
    for (candidates ^= available; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        if (room_at(net_packet_output_at(at.router, local), at.cycle, given) >=
            failing_need(at, ring, local, driver, length, on_ring, given))
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
        room += (int32_t)(at.cycle - fault_router(at.part, line->target, given)->leaves[local]);
    return room;
}

/* The one with most room; the lowest of equals. */
static INLINE uint64_t most_room(const struct net_packet_visit at, uint64_t available,
                                 const struct net_packet_setting given)
{
    uint32_t best = 0;
    int32_t most = INT32_MIN;
    for (; available != 0; available &= available - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(available);
        int32_t room = flits_of_room(at, local, given);
        best = room > most ? local : best;
        most = room > most ? room : most;
    }
    return BIT(best);
}

/* On all that the head may take; the re-injection channel wakes by its end event alone. */
static INLINE void sleep_failing(const struct net_packet_visit at, uint64_t ring, uint64_t candidates,
                                 uint32_t driver, uint32_t length, bool on_ring,
                                 const struct net_packet_setting given)
{
    for (; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        struct net_packet_output *output = net_packet_output_at(at.router, local);
        output->waiting |= BIT(driver);
        if (given.shape.even || local >= net_packet_shape_links(given.shape))
            continue;
        int32_t need = failing_need(at, ring, local, driver, length, on_ring, given);
        output->need_least = (int16_t)(need < output->need_least ? need : output->need_least);
        if ((at.router->busy >> local & 1) == 0)
            schedule_crossing(at, local, output, given);
    }
}

/* Tier by tier, as the rules say it: for strays, ring packets, and where the way leads onto a ring. */
static __attribute__((noinline)) uint64_t evaluate_tiers(const struct net_packet_visit at, uint32_t driver,
                                                         const struct net_packet_outputs *outputs,
                                                         const struct net_packet_setting given)
{
    const struct net_packet_entry head = net_packet_driver_at(at.router, driver)->head;
    const uint64_t ring = given.here->ring;
    const uint32_t length = net_packet_entry_length(head.rest);
    const struct net_packet_tiers tiers =
        net_packet_faults_tiers(at.part->engine, router_number(at.block, given), driver, outputs);
    uint64_t all = 0;
    for (uint32_t tier = 0; tier < tiers.count; tier++) {
        all |= tiers.tier[tier];
        uint64_t available =
            failing_room(at, ring, tiers.tier[tier] & ~at.router->busy, driver, length, tiers.on_ring, given);
        if (available == 0)
            continue;
        if (tiers.enters && tier + 1 == tiers.count)
            return most_room(at, available, given);
        return draw_one(at, head, available);
    }
    if (given.constants.waits)
        net_packet_begin_wait(at, driver);
    sleep_failing(at, ring, all, driver, length, tiers.on_ring, given);
    return 0;
}

/* Whether the head is a ring packet that may still leave its ring anywhere (rules 21 and 22). */
static INLINE bool roams(const struct net_packet_faults *faults, const struct net_packet_fault_router *router,
                         const struct net_fault_packet *packet, uint32_t driver)
{
    return faults->data.kind->everywhere && packet->on_ring && (router->queue >> driver & 1) != 0 &&
           packet->granted >= router->ring_since && net_fault_data_roams(&faults->data, packet);
}

/* The head of a driver in a router that faults have changed, or to which it came by a ring: as evaluate. Most are
 * ordinary packets with a live escape, which ask as everywhere, but for dead links and ring outputs. */
static INLINE uint64_t evaluate_failing(const struct net_packet_visit at, uint32_t driver,
                                        const struct net_packet_setting given)
{
    const struct net_packet_fault_router *router = given.here;
    const struct net_packet_entry head = net_packet_driver_at(at.router, driver)->head;
    if (router->stopped) {
        if (given.constants.waits)
            net_packet_begin_wait(at, driver);
        return 0;
    }
    const struct net_packet_outputs outputs = base_outputs(at, head, given);
    if (outputs.first == 0)
        return draw_one(at, head, free_ejections(at.part, at.router, driver, given));
    const struct net_fault_packet *packet = &at.part->failing[net_packet_entry_packet(head.rest)];
    const uint64_t escape = net_packet_faults_escape(at.part->engine->faults, router, packet, &outputs);
    const uint64_t adaptive = net_packet_faults_adaptive(router, &outputs);
    const uint32_t length = net_packet_entry_length(head.rest);
    const bool ordinary = ((router->queue >> driver & 1) | packet->on_ring) == 0;
    if (LIKELY(escape != 0 && ordinary)) {
        const struct net_packet_outputs open = {adaptive | escape, outputs.first & adaptive,
                                                outputs.second & adaptive};
        return draw_one(at, head, free_outputs(at, driver, length, &open, given));
    }
    /* Rings come after what is adaptive, if the packet may take that. */
    if (ordinary || roams(at.part->engine->faults, router, packet, driver)) {
        uint64_t open = with_room(at.router, adaptive & ~at.router->busy, driver, length, at.cycle, given);
        if (open != 0)
            return draw_one(at, head, (open & outputs.first) != 0 ? open & outputs.first : open);
    }
    return evaluate_tiers(at, driver, &outputs, APART(given));
}

#endif
