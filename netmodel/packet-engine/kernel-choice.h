/* The packet-grant engine's kernel: which of the outputs that a header may take it finds free and with room, and what
 * it sleeps on if there is none (rule 3). */
#ifndef NET_PACKET_KERNEL_CHOICE_H
#define NET_PACKET_KERNEL_CHOICE_H

#include "netmodel/packet-engine/kernel-starts.h"

/* Those of the candidates that have room. Most have plenty; of the others those are looked at that may have
 * enough all the same: for a short packet, for one that goes on along its ring, or while a packet leaves. While
 * places are counted that is one at most, which is told without a branch, since nobody could predict it where
 * buffers are full. Nothing is noted at the rest: whether the driver sleeps on them is known only when no tier has
 * any. */
static INLINE uint64_t with_room(struct net_packet_router *router, uint64_t candidates, uint32_t driver,
                                 uint32_t length, uint64_t cycle, const struct net_packet_setting given)
{
    uint64_t available = candidates & ~router->tight;
    candidates &= router->tight;
    if (given.shape.even) {
        uint64_t onward =
            candidates & given.constants.rings & BIT(driver); /* an injector's number is no link's */
        uint32_t left = (uint32_t)net_packet_output_at(router, driver)->spare + given.constants.largest;
        return available | (onward & ((uint64_t)(left >> 31) - 1));
    }
    if (candidates == 0)
        return available;
    candidates &= ~given.constants.places | BIT(driver);
    for (; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        const struct net_packet_output *output = net_packet_output_at(router, local);
        if (room_at(output, cycle, given) >= need_of(given, local, driver, length))
            available |= BIT(local);
    }
    return available;
}

/* On all tiers' outputs, busy or without room: whichever changes first may be the one. A busy output wakes by
 * its end event; a free one may need a timed crossing, where flits are counted. */
static INLINE void sleep_on(const struct net_packet_visit at, uint64_t candidates, uint32_t driver,
                            uint32_t length, const struct net_packet_setting given)
{
    for (; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        struct net_packet_output *output = net_packet_output_at(at.router, local);
        output->waiting |= BIT(driver);
        if (given.shape.even)
            continue;
        int32_t need = need_of(given, local, driver, length);
        output->need_least = (int16_t)(need < output->need_least ? need : output->need_least);
        if ((at.router->busy >> local & 1) == 0)
            schedule_crossing(at, local, output, given);
    }
}

/* All bits if the mask is empty. */
static INLINE uint64_t if_none(uint64_t mask)
{
    return -(uint64_t)(mask == 0);
}

/* A draw that depends on the packet and the cycle only, so neither the order of evaluation nor skipping one
 * disturbs any other. Of two candidates the draw's first bit takes one, without a branch that nobody could
 * predict; of more the lowest is cleared as often as the draw says. */
static INLINE uint64_t choose(uint64_t key, uint64_t available, uint64_t cycle)
{
    uint64_t first = available & -available, others = available ^ first;
    if ((others & (others - 1)) == 0)
        return first ^ ((first ^ others) & -(base_hash_second(key, cycle) >> 63));
    uint32_t count = (uint32_t)__builtin_popcountll(available);
    for (uint32_t skip = base_scale(base_hash_second(key, cycle), count); skip != 0; skip--)
        available &= available - 1;
    return available & -available;
}

/* The ejection channels of the packet's terminal that are free, or 0 when the driver goes to sleep on them. */
static INLINE uint64_t free_ejections(const struct net_packet_part *part, struct net_packet_router *router,
                                      uint32_t driver_local, const struct net_packet_setting given)
{
    uint64_t candidates = (BIT(given.shape.consumers) - 1) << net_packet_shape_links(given.shape);
    if (given.shape.consumers !=
        part->consumers_each) { /* there are several terminals: the packet says which */
        uint32_t packet = net_packet_entry_packet(net_packet_driver_at(router, driver_local)->head.rest);
        candidates = (BIT(part->consumers_each) - 1) << (net_packet_shape_links(given.shape) +
                                                         part->packets[packet].slot * part->consumers_each);
    }
    uint64_t available = candidates & ~router->busy;
    for (uint64_t left = available == 0 ? candidates : 0; left != 0; left &= left - 1)
        net_packet_output_at(router, (uint32_t)__builtin_ctzll(left))->waiting |= BIT(driver_local);
    return available;
}

/* The outputs of the first tier that has any that are available, or 0 when the driver goes to sleep on all. All
 * tiers are looked at together, since nobody could predict which one it will be. */
static INLINE uint64_t free_outputs(const struct net_packet_visit at, uint32_t driver, uint32_t length,
                                    const struct net_packet_outputs *outputs,
                                    const struct net_packet_setting given)
{
    uint64_t open = with_room(at.router, outputs->all & ~at.router->busy, driver, length, at.cycle, given);
    uint64_t first = open & outputs->first, second = open & outputs->second;
    uint64_t later = second | (open & if_none(second)); /* what is left is the third's */
    if (UNLIKELY(open == 0)) {
        if (given.constants.waits)
            net_packet_begin_wait(at, driver);
        sleep_on(at, outputs->all, driver, length, given);
    }
    return first | (later & if_none(first));
}

/* The only output that the packet can take now, or 0 when the driver goes to sleep on it. */
static INLINE uint64_t next_output(const struct net_packet_visit at, uint32_t driver, uint32_t length,
                                   uint64_t legs, const struct net_packet_setting given)
{
    uint64_t output = BIT(legs & NET_LEG_PORT);
    if (LIKELY(((at.router->busy | at.router->tight) & output) == 0))
        return output;
    uint64_t open = with_room(at.router, output & ~at.router->busy, driver, length, at.cycle, given);
    if (UNLIKELY(open == 0)) {
        if (given.constants.waits)
            net_packet_begin_wait(at, driver);
        sleep_on(at, output, driver, length, given);
    }
    return open;
}

#endif
