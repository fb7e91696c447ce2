/* Buffers for headers with several ways, for all of a block that have won their channels at once: rule 5 of
 * doc/shared-channels.md. For shared-cycle.c alone, and for masks of 32 bits, with the selection function most-free.
 *
 * On how many ways a header looks for a buffer, and whether it finds one, no processor predicts. So those with
 * several ways are sorted out, and all steps are the same for each of them: what there is not are masks without bits.
 * Free buffers of all ways are counted at once, in fields of a word:
 *
 *      free, and of the tiers     0110 0000 0010 0111      buffer_bits = 2
 *      counts                        2    0    1    3
 *      ways with most                0    0    0    1
 */
#ifndef NET_SHARED_GRANT_H
#define NET_SHARED_GRANT_H

#include "netmodel/shared-headers.h"

/* Where headers are noted that have got a buffer, and those that have not. */
struct granted {
    uint32_t *some, *none;
};

/* The lowest of these places, of one way, is the header's, if there is any. */
static INLINE void give(struct given given, uint32_t index, uint32_t places, struct granted *granted)
{
    const uint32_t channel = channel_of(given, index), some = places != 0, none = some - 1,
                   place = (uint32_t)__builtin_ctz(places | UINT32_C(1) << 31),
                   receiver = channel << given.shape.slot_bits | place >> given.shape.buffer_bits,
                   number = place & ((1u << given.shape.buffer_bits) - 1),
                   target = given.engine->first[receiver] + number;
    drop_bits(given, channel, NET_SHARED_FREE, places & (0 - places));
    given.buffer[index].target = target | none;
    __builtin_prefetch(&given.engine->crossed[receiver], 1);
    __builtin_prefetch(&given.buffer[target & ~none], 1);
    *granted->some = *granted->none = index;
    granted->some += some;
    granted->none += none & 1;
}

static INLINE const struct net_shared_choice *choice_of(struct given given, uint32_t index)
{
    return &given.engine->packets[given.buffer[index].packet].choice;
}

/* The places of a tier: each receiver's bit goes to its field, and is multiplied by the buffers. */
static INLINE uint32_t places_of(struct given given, const struct net_shared_choice *choice, uint32_t tier)
{
    uint32_t fields = choice->receiver[tier];
    if (given.shape.buffer_bits > 1)
        fields = (fields | fields << 12) & UINT32_C(0x000f000f);
    else
        fields = (fields | fields << 4) & UINT32_C(0x0f0f);
    if (given.shape.buffer_bits > 1)
        fields = (fields | fields << 6) & UINT32_C(0x03030303);
    else
        fields = (fields | fields << 2) & UINT32_C(0x3333);
    if (given.shape.buffer_bits > 1)
        fields = (fields | fields << 3) & UINT32_C(0x11111111);
    else
        fields = (fields | fields << 1) & UINT32_C(0x5555);
    return fields * choice->buffers[tier];
}

/* Of masks of fields' lowest bits the first that is not empty. */
static INLINE uint32_t first_some(uint32_t first, uint32_t second)
{
    return first != 0 ? first : second;
}

/* The fields with most bits, by their lowest bits: 1 or 2 of two, 1 to 4 of four. */
static INLINE uint32_t fullest(struct given given, uint32_t open)
{
    if (given.shape.buffer_bits == 1) {
        uint32_t both = open & open >> 1 & UINT32_C(0x55555555);
        return first_some(both, (open | open >> 1) & UINT32_C(0x55555555));
    }
    const uint32_t lowest = UINT32_C(0x11111111);
    uint32_t pairs = open - (open >> 1 & UINT32_C(0x55555555)),
             count = (pairs & UINT32_C(0x33333333)) + (pairs >> 2 & UINT32_C(0x33333333));
    uint32_t four = count >> 2 & lowest, three = count & count >> 1 & lowest, two = count >> 1 & lowest;
    return first_some(four, first_some(three, first_some(two, count & lowest)));
}

/* The way with most free buffers, of equal ones the lowest. */
static INLINE void grant(struct given given, uint32_t index, struct granted *granted)
{
    const struct net_shared_choice *choice = choice_of(given, index);
    const uint32_t free = (uint32_t)mask_of(given, line_of(given, index), NET_SHARED_FREE);
    uint32_t first = places_of(given, choice, 0) & free, second = places_of(given, choice, 1) & free,
             third = places_of(given, choice, 2) & free, ways = fullest(given, first | second | third);
    uint32_t way = (ways & (0 - ways)) * ((1u << (1u << given.shape.buffer_bits)) - 1);
    give(given, index, net_shared_last_some(first & way, second & way, third & way), granted);
}

/* Of the headers from `begin` to `end` those with one way are left there, and then those that get nothing; returns
 * their end. several: room for all of them. */
static INLINE uint32_t *grant_some(struct given given, uint32_t *begin, const uint32_t *end, uint32_t *several,
                                   struct granted *granted)
{
    uint32_t *ones = begin, *others = several;
    for (const uint32_t *at = begin; at < end; at++) {
        uint32_t index = *at, ways = net_shared_receivers(choice_of(given, index)), one = (ways & (ways - 1)) == 0;
        *ones = *others = index;
        ones += one;
        others += 1 - one;
    }
    granted->none = ones;
    for (const uint32_t *at = several; at < others; at++)
        grant(given, *at, granted);
    return granted->none;
}

#endif
