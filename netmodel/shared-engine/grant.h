/* Buffers for headers with several ways, for all of a block that have won their channels at once: rule 5 of
 * doc/shared-channels.md. For kernel.h alone, and for masks of 32 bits, with the selection function most-free.
 *
 * On how many ways a header looks for a buffer, and whether it finds one, no processor predicts. So those with
 * several ways are sorted out, and all steps are the same for each of them: what there is not are masks without bits.
 */
#ifndef NET_SHARED_GRANT_H
#define NET_SHARED_GRANT_H

#include "netmodel/shared-engine/ask.h"

/* Where headers are noted that have got a buffer, and those that have not. */
struct grant_lists {
    uint32_t *some, *none;
};

/* The lowest of these places, of one way, is the header's, if there is any. */
static INLINE void give(struct given given, uint32_t index, uint32_t places, struct grant_lists *granted)
{
    const uint32_t channel = channel_of(given, index);
    const uint32_t some = places != 0;
    const uint32_t none = some - 1;
    const uint32_t place = (uint32_t)__builtin_ctz(places | UINT32_C(1) << 31);
    const uint32_t receiver = channel << given.shape.slot_bits | place >> given.shape.buffer_bits;
    const uint32_t number = place & ((1u << given.shape.buffer_bits) - 1);
    const uint32_t target = given.engine->first[receiver] + number;
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

static INLINE void grant(struct given given, uint32_t index, struct grant_lists *granted)
{
    const uint32_t free = (uint32_t)mask_of(given, channel_of(given, index), NET_SHARED_FREE);
    give(given, index, select_places(given, choice_of(given, index), free), granted);
}

/* Of the headers from `begin` to `end` those with one way are left there, and then those that get nothing; returns
 * their end. several: room for all of them. */
static INLINE uint32_t *grant_some(struct given given, uint32_t *begin, const uint32_t *end,
                                   uint32_t *several, struct grant_lists *granted)
{
    uint32_t *ones = begin, *others = several;
    for (const uint32_t *at = begin; at < end; at++) {
        const uint32_t index = *at;
        const uint32_t *places = choice_of(given, index)->places;
        const uint32_t one = of_one_way(given, places[0] | places[1] | places[2]);
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
