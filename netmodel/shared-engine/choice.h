/* What a header may take at a channel, and which of it, on shared channels: rules 3 and 5 of
 * doc/shared-channels.md. For headers.h, and for packets that begin. */
#ifndef NET_SHARED_CHOICE_H
#define NET_SHARED_CHOICE_H

#include "base/random.h"
#include "netmodel/shared-engine/internal.h"

_Static_assert(NET_TIERS_MAX == 3, "tiers are written out below");

/* Of 32 bits; as net_bits_nth. */
static inline uint32_t net_shared_nth_bit(uint32_t mask, uint32_t number)
{
    while (number-- > 0)
        mask &= mask - 1;
    return (uint32_t)__builtin_ctz(mask);
}

/* What the packet's header may take at a channel, from now on. Asked for when the header comes to the
 * channel, since one that waits asks again and again. A header at its last channel may take any ejection
 * buffer of its terminal. Tiers that there are not become no bits, without a branch. by_lanes: the engine's. */
static inline void net_shared_choose(const struct net_shared_engine *engine, struct net_shared_packet *packet,
                                     uint32_t channel, bool by_lanes)
{
    const struct net_routing *routing = engine->network.routing;
    struct net_shared_choice *choice = &packet->choice;
    struct net_route route = {.ports = {0}};
    uint32_t tiers = routing->kind->route(routing, channel, packet->header, &route);
    uint32_t some = (UINT32_C(1) << engine->buffers) - 1, ejecting = (UINT32_C(1) << engine->consumers) - 1;
    if (tiers == 0 && by_lanes) {
        *choice = (struct net_shared_choice){.places = {ejecting << (packet->slot << engine->buffer_bits)}};
        return;
    }
    if (tiers == 0) {
        *choice = (struct net_shared_choice){.receiver = {UINT32_C(1) << packet->slot},
                                             .buffers = {(uint16_t)ejecting}};
        return;
    }
    const uint32_t *fields = engine->fields;
#pragma GCC unroll 3
    for (uint32_t tier = 0; tier < NET_TIERS_MAX; tier++) {
        uint32_t buffers = route.virtual_channels[tier] & some;
        if (by_lanes) {
            choice->places[tier] = fields[(uint8_t)route.ports[tier]] * buffers;
            continue;
        }
        choice->receiver[tier] = (uint32_t)route.ports[tier];
        choice->buffers[tier] = (uint16_t)(buffers & (0 - (uint32_t)(tier < tiers)));
    }
}

/* Of the free buffers those with room for the header, or the whole packet: with early free, flits of earlier
 * packets may be in them. */
static inline uint32_t net_shared_with_room(const struct net_shared_engine *engine, uint32_t first,
                                            uint32_t free, uint32_t length)
{
    uint32_t need = engine->network.options.flow_control == NET_CUT_THROUGH ? length : 1, found = 0;
    for (; free != 0; free &= free - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(free);
        if (net_shared_flits_in(engine, first + number) + need <= engine->capacity)
            found |= 1u << number;
    }
    return found;
}

/* Buffers of a receiver that are free, of the header's classes, and with early free have room. */
static inline uint32_t net_shared_available(const struct net_shared_engine *engine, uint32_t channel,
                                            const struct net_shared_packet *packet, uint32_t receiver)
{
    const struct net_shared_choice *choice = &packet->choice;
    uint32_t classes = net_shared_in_tier(engine, choice, receiver, 0) |
                       net_shared_in_tier(engine, choice, receiver, 1) |
                       net_shared_in_tier(engine, choice, receiver, 2);
    classes &= net_shared_free_of(engine, channel, receiver);
    if (!engine->early_free || receiver >= engine->ports)
        return classes;
    return net_shared_with_room(engine, engine->first[channel << engine->slot_bits | receiver], classes,
                                packet->length);
}

/* The way that the selection function takes among those with a buffer, or NET_NONE. Most free buffers: of
 * ways with as many the lowest (doc/shared-channels.md, rule 5: a choice, the m-way paper does not say). */
static inline uint32_t net_shared_select(const struct net_shared_engine *engine, uint32_t channel,
                                         const struct net_shared_packet *packet)
{
    uint32_t open = 0, best = NET_NONE, most = 0;
    for (uint32_t ways = net_shared_receivers(engine, &packet->choice); ways != 0; ways &= ways - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(ways);
        uint32_t count = (uint32_t)__builtin_popcount(net_shared_available(engine, channel, packet, way));
        best = count > most ? way : best;
        most = count > most ? count : most;
        open |= (uint32_t)(count != 0) << way;
    }
    if (open == 0 || engine->network.options.selection == NET_MOST_FREE)
        return best;
    if (engine->network.options.selection == NET_FIRST_WAY)
        return (uint32_t)__builtin_ctz(open);
    uint64_t key = base_hash(engine->messages[packet->message].key, packet->number);
    uint64_t draw = base_hash(key, engine->network.now);
    return net_shared_nth_bit(open, base_scale(draw, (uint32_t)__builtin_popcount(open)));
}

/* The last of three masks of buffers that is not empty, without a branch: none is foreseen. */
static inline uint32_t net_shared_last_some(uint32_t first, uint32_t second, uint32_t third)
{
    first &= 0 - (uint32_t)(second == 0);
    second |= first;
    second &= 0 - (uint32_t)(third == 0);
    return third | second;
}

/* Of a mask of buffers those of the last tier that has any: that which fewest others can use. */
static inline uint32_t net_shared_last_open(const struct net_shared_engine *engine,
                                            const struct net_shared_choice *choice, uint32_t way,
                                            uint32_t mask)
{
    return net_shared_last_some(net_shared_in_tier(engine, choice, way, 0) & mask,
                                net_shared_in_tier(engine, choice, way, 1) & mask,
                                net_shared_in_tier(engine, choice, way, 2) & mask);
}

#endif
