/* The rule oldest at routers of five ports: their lists are too many for a table, but four of its packets are not.
 *
 *      who is served    in the order of age: whoever can have a good port beside those before it. The sets of ports
 *                       that those can fill are bits of a word, a bit for each of the 32 sets.
 *      the ports        the first packet of the list goes by one of the ports that it may have; the others are then
 *                       a list of four for four ports, whose assignments are counted, and looked up, as on routers
 *                       of four
 *
 * Of the ports that are left the numbers move down by one behind the one taken, and so the order of assignments
 * stays. `count` is a literal. Only cycle.c includes this. */
#ifndef NET_DEFLECTION_CHOICE_FIVE_H
#define NET_DEFLECTION_CHOICE_FIVE_H

#include "netmodel/deflection-engine/choice.h"

enum { FIVE = 5, FOUR = 4 };

/* The sets, by their bits in a word, to which a port may be added. */
static const uint32_t sets_without[FIVE] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};

/* The sets of ports that can be filled, and a packet more by one of its good ports; 0: it cannot have one. Bit s
 * of `sets` is the set of ports s. Adding port p to every set that lacks it is a shift by 2^p. This is the greedy
 * step of a matching with weights 2^(n-1-r): the older one is served whatever the younger ones lose, and sets of
 * ports that can be filled are all that the rest depends on. */
NET_DEFLECTION_INLINE uint32_t fill_more(uint32_t sets, uint32_t good)
{
    uint32_t more = 0;
#pragma GCC unroll 8
    for (uint32_t port = 0; port < FIVE; port++)
        more |= (sets & sets_without[port]) << (1u << port) & (0 - (good >> port & 1));
    return more;
}

/* The ports that each may have, good ones or others, as fields of five bits, the last of the list lowest. *bad is
 * how many packets of the list get no good port, the same in every best assignment. */
NET_DEFLECTION_INLINE uint32_t allow_five(const struct net_deflection_list *list, uint32_t count,
                                          uint32_t *bad)
{
    uint32_t rank[NET_DEFLECTION_PORTS], by_age[NET_DEFLECTION_PORTS];
    uint32_t sets = 1, allowed = 0;
    net_deflection_rank(list, count, rank);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        by_age[rank[i]] = i;
    *bad = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++) {
        uint32_t good = net_deflection_good(list->packet[by_age[i]]);
        uint32_t more = fill_more(sets, good);
        uint32_t gets = more != 0;
        sets = gets ? more : sets;
        *bad += 1 - gets;
        allowed |= (gets ? good : good ^ 31) << FIVE * (count - 1 - by_age[i]);
    }
    return allowed;
}

/* The key of all packets but the first, for the four ports that are left without one: fields of five bits become
 * such of four. Bits below the port stay, those above move down by one, and the port's own bit is dropped: 0x8421
 * repeats a bit in four fields of five, 0x7bdef is all bits of such fields but the highest of each. */
NET_DEFLECTION_INLINE uint32_t key_without(uint32_t allowed, uint32_t count, uint32_t port)
{
    uint32_t below = ((1u << port) - 1) * 0x8421, key = 1u << FOUR * (count - 1);
    uint32_t fields = (allowed & below) | (allowed >> 1 & 0x7bdef & ~below);
#pragma GCC unroll 8
    for (uint32_t i = 0; i + 1 < count; i++)
        key |= (fields >> i & 0xfu << FOUR * i);
    return key;
}

/* The ports of the list by the first one's and the others' assignment among those that are left. `code` has two
 * bits for each of the others, counted over the four ports that are left. */
NET_DEFLECTION_INLINE void take_five(uint32_t first, uint32_t code, uint32_t count, uint8_t *taken)
{
    taken[0] = (uint8_t)first;
#pragma GCC unroll 8
    for (uint32_t i = 1; i < count; i++) {
        uint32_t port = code >> 2 * (i - 1) & 3;
        taken[i] = (uint8_t)(port + (port >= first));
    }
}

/* Returns how many packets get no good port. Rule 7 for `oldest`: assignments are ordered by the first packet's
 * port, so that those with a lower first port come before all others. `ways` tells how many there are behind each
 * first port, and the drawn number falls into one of these parts; within it the number is that of an assignment of
 * the others. */
NET_DEFLECTION_INLINE uint32_t net_deflection_oldest_of_five(const struct net_deflection *engine,
                                                             uint32_t router,
                                                             const struct net_deflection_list *list,
                                                             uint32_t count, uint8_t *taken)
{
    uint32_t bad;
    uint32_t allowed = allow_five(list, count, &bad), first_of = allowed >> FIVE * (count - 1);
    uint32_t keys[FIVE], up_to[FIVE];
    uint32_t ways = 0, first = 0;
#pragma GCC unroll 8
    for (uint32_t port = 0; port < FIVE; port++) {
        keys[port] = key_without(allowed, count, port);
        ways += engine->ways[keys[port]] & (0 - (first_of >> port & 1));
        up_to[port] = ways;
    }
    uint32_t number = net_deflection_draw(engine, router, ways);
#pragma GCC unroll 8
    for (uint32_t port = 0; port < FIVE - 1; port++)
        first += up_to[port] <= number;
    number -= first != 0 ? up_to[first - 1] : 0;
    uint8_t *entry = &engine->choices[keys[first] * net_deflection_entry_bytes(FOUR)];
    if (__builtin_expect(*entry == 0, 0))
        net_deflection_work_out_key(keys[first], FOUR, entry);
    take_five(first, entry[1 + number], count, taken);
    return bad;
}

#endif
