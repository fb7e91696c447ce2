/* Who drives a channel next: rule 4 of doc/shared-channels.md. For kernel.h alone.
 *
 * Where masks lie by lanes, in words of 32 bits, four channels are picked for at once, one in each lane of a vector of
 * 16 bytes, which nearly every processor has, or eight in one of 32 (AVX2); and nothing of that counts or compares
 * places: the lowest bit of a mask, the places of its driver and those above them are made by shifts and subtractions,
 *
 *      asking      0010 0100 0000 0110      buffer_bits = 2
 *      lowest      0000 0000 0000 0010
 *      its driver  0000 0000 0000 1111
 *      above       1111 1111 1111 0000      the channel's next turn */
#ifndef NET_SHARED_PICK_H
#define NET_SHARED_PICK_H

#include <float.h>

#include "netmodel/shared-engine/masks.h"

/* ---- turns (rule 4) ---- */

/* Whoever is next on a channel. */
struct winner {
    uint32_t index;    /* its buffer; NET_NONE: nobody asks */
    uint64_t above;    /* in its word: places behind it */
    uint64_t driver;   /* likewise: the places of its driver */
    uint64_t next;     /* the channel's turn when it has won */
    uint32_t in_words; /* the number of its word */
};

/* The first bit of a mask that is not 0, in the part if there is one there. */
static INLINE uint32_t first_in(uint64_t mask, uint64_t part)
{
    return (uint32_t)__builtin_ctzll((mask & part) != 0 ? mask & part : mask);
}

/* Whoever asks for the channel. */
static INLINE uint64_t requests(struct given given, uint32_t line)
{
    return mask_of(given, line, NET_SHARED_HOLDS) &
           ~(mask_of(given, line, NET_SHARED_STALLED) | mask_of(given, line, NET_SHARED_SLEEPING));
}

/* In that word at that place, and the lowest place of its driver there. */
static INLINE struct winner winner_at(struct given given, uint32_t channel, uint32_t word, uint32_t at,
                                      uint32_t base)
{
    const uint32_t bits = given.shape.slot_bits + given.shape.buffer_bits;
    const uint32_t size = UINT32_C(1) << given.shape.buffer_bits;
    uint64_t behind = UINT64_MAX << (size - 1) << base << 1;
    uint64_t place = (word * 64 + base + size) & ((UINT32_C(1) << bits) - 1);
    return (struct winner){.index = channel << bits | word * 64 | at,
                           .above = (UINT64_MAX - 1) << at,
                           .driver = ((UINT64_C(1) << size) - 1) << base,
                           .next = given.shape.words == 1 ? behind : place,
                           .in_words = word};
}

/* Of a driver that asks, in that word at that place: the first buffer at or after its turn. */
static INLINE struct winner winner_in(struct given given, uint32_t channel, uint32_t word, uint64_t asking,
                                      uint32_t place)
{
    uint32_t size = UINT32_C(1) << given.shape.buffer_bits, base = place & (0 - size);
    uint64_t mine = asking & ((UINT64_C(1) << size) - 1) << base;
    uint64_t after = mask_of(given, channel_line(given, channel) + word, NET_SHARED_AFTER);
    return winner_at(given, channel, word, first_in(mine, after), base);
}

/* The first buffer of the first driver after the turns. The first of several words may have to be looked at
 * twice, above the place and below. */
static INLINE struct winner next_winner(struct given given, uint32_t channel)
{
    uint32_t line = channel_line(given, channel);
    uint64_t turn = mask_of(given, line, NET_SHARED_TURN);
    if (given.shape.words == 1) {
        uint64_t asking = requests(given, line);
        if (asking == 0)
            return (struct winner){.index = NET_NONE};
        return winner_in(given, channel, 0, asking, first_in(asking, turn));
    }
    for (uint32_t i = 0; i <= given.shape.words; i++) {
        uint32_t word = (uint32_t)(turn / 64 + i) & (given.shape.words - 1);
        uint64_t asking = requests(given, line + word), now = asking;
        if (i == 0)
            now &= UINT64_MAX << turn % 64;
        if (now != 0)
            return winner_in(given, channel, word, asking, (uint32_t)__builtin_ctzll(now));
    }
    return (struct winner){.index = NET_NONE};
}

/* Turns move with every winner, also one that is refused: else it would come again and again. That of a
 * driver is kept as the places from there on, none for 0. Without a branch: compilers take a condition for
 * one that can be foreseen. What they were is kept for one that goes to sleep. */
static INLINE void turn_if(bool condition, struct given given, uint32_t channel, const struct winner *winner)
{
    uint32_t line = channel_line(given, channel), word = line + winner->in_words;
    uint64_t all = 0 - (uint64_t)condition;
    uint64_t turn = mask_of(given, line, NET_SHARED_TURN);
    uint64_t after = mask_of(given, word, NET_SHARED_AFTER);
    put_mask(given, line, NET_SHARED_OLD_TURN, turn);
    put_mask(given, word, NET_SHARED_OLD_AFTER, after);
    put_mask(given, line, NET_SHARED_TURN, turn ^ ((turn ^ winner->next) & all));
    put_mask(given, word, NET_SHARED_AFTER, after ^ ((after ^ winner->above) & winner->driver & all));
}

/* The winner has not been one. */
static INLINE void turn_back(struct given given, uint32_t index)
{
    uint32_t line = channel_line(given, channel_of(given, index)), word = line_of(given, index);
    put_mask(given, line, NET_SHARED_TURN, mask_of(given, line, NET_SHARED_OLD_TURN));
    put_mask(given, word, NET_SHARED_AFTER, mask_of(given, word, NET_SHARED_OLD_AFTER));
}

/* ---- the first pass: winners of all channels ---- */

/* The winner of a channel; if nobody asks, place 0 stands for the winner that there is not. */
static INLINE struct winner pick(struct given given, uint32_t channel, bool *somebody)
{
    if (given.shape.words == 1) {
        uint64_t asking = requests(given, channel), nobody = asking == 0;
        *somebody = !nobody;
        asking |= nobody;
        return winner_in(given, channel, 0, asking,
                         first_in(asking, mask_of(given, channel, NET_SHARED_TURN)));
    }
    struct winner winner = next_winner(given, channel);
    *somebody = winner.index != NET_NONE;
    return *somebody ? winner : winner_at(given, channel, 0, 0, 0);
}

/* Of one channel, and turns move. Returns the end of the winners. */
static INLINE uint32_t *pick_one(struct given given, uint32_t *list, uint32_t channel)
{
    bool somebody;
    const struct winner winner = pick(given, channel, &somebody);
    *list = winner.index;
    turn_if(somebody, given, channel, &winner);
    return list + somebody;
}

#ifdef __AVX2__
#define NET_SHARED_LANE_BITS 3
#define LANE_NUMBERS                                                                                         \
    {                                                                                                        \
        0, 1, 2, 3, 4, 5, 6, 7                                                                               \
    }
#else
#define NET_SHARED_LANE_BITS 2
#define LANE_NUMBERS                                                                                         \
    {                                                                                                        \
        0, 1, 2, 3                                                                                           \
    }
#endif
#define LANES (1u << NET_SHARED_LANE_BITS)
typedef uint32_t lanes __attribute__((vector_size(LANES * sizeof(uint32_t)), may_alias));
typedef int32_t integers __attribute__((vector_size(LANES * sizeof(int32_t))));
typedef float floats __attribute__((vector_size(LANES * sizeof(float))));
_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128,
               "numbers of which places_in knows the exponent");

/* A mask of the channels of a group. */
static INLINE lanes *lanes_of(struct given given, uint32_t group, enum net_shared_mask mask)
{
    return (lanes *)(given.narrow + mask * given.lines) + group;
}

/* The lowest bit of each, in the part if there is one there. */
static INLINE lanes lowest_in(lanes mask, lanes part)
{
    lanes here = mask & part, any = here | (mask & (lanes)(here == 0));
    return any & -any;
}

/* The lowest place of the driver of each place. */
static INLINE lanes base_of(lanes place, uint32_t buffer_bits)
{
    const uint32_t size = 1u << buffer_bits, lowest = UINT32_MAX / ((1u << size) - 1);
    for (uint32_t shift = 1; shift < size; shift *= 2)
        place |= place >> shift & lowest * ((1u << (size - shift)) - 1);
    return place & lowest;
}

/* Those that ask, after what flits of the cycle before have changed. */
static INLINE lanes asking_of(struct given given, uint32_t group)
{
    lanes *holds = lanes_of(given, group, NET_SHARED_HOLDS),
          *stalled = lanes_of(given, group, NET_SHARED_STALLED),
          *arrived = lanes_of(given, group, NET_SHARED_ARRIVED),
          *places = lanes_of(given, group, NET_SHARED_PLACES);
    *holds |= *arrived;
    *stalled &= ~*places;
    *arrived = *places = (lanes){0};
    return *holds & ~(*stalled | *lanes_of(given, group, NET_SHARED_SLEEPING));
}

/* The same for all channels of a group at once: their winners as bits. Where nobody asks that is no bit, no
 * place is its driver's, and all is as before. */
static INLINE lanes pick_lanes(struct given given, uint32_t group)
{
    lanes *turn = lanes_of(given, group, NET_SHARED_TURN), *after = lanes_of(given, group, NET_SHARED_AFTER);
    const lanes asking = asking_of(given, group), was_turn = *turn, was_after = *after;
    const lanes base = base_of(lowest_in(asking, was_turn), given.shape.buffer_bits),
                behind = base << (1u << given.shape.buffer_bits), driver = behind - base,
                winner = lowest_in(asking & driver, was_after);
    *lanes_of(given, group, NET_SHARED_OLD_TURN) = was_turn;
    *lanes_of(given, group, NET_SHARED_OLD_AFTER) = was_after;
    *turn = -behind | (was_turn & (lanes)(asking == 0));
    *after = (was_after & ~driver) | (driver & -(winner + winner));
    return winner;
}

/* Where the only bit of each lane is: the exponent of the number that it stands for. (With a bias of 127, of which the
 * lowest five bits are one less than 0; that of bit 31 is a negative number's.) */
static INLINE lanes places_in(lanes bit)
{
    const floats number = __builtin_convertvector((integers)bit, floats);
    return (((lanes)number + (UINT32_C(1) << (FLT_MANT_DIG - 1))) >> (FLT_MANT_DIG - 1)) & 31;
}

/* Bits become numbers of buffers. Whether there is one no processor predicts: where there is none NET_NONE is written,
 * and written over. */
static INLINE uint32_t *pick_group(struct given given, uint32_t *list, uint32_t group)
{
    const uint32_t bits = given.shape.slot_bits + given.shape.buffer_bits;
    const uint32_t first = group << NET_SHARED_LANE_BITS << bits;
    const lanes channels = LANE_NUMBERS, winners = pick_lanes(given, group),
                numbers = (places_in(winners) + (channels << bits) + first) | (lanes)(winners == 0);
    size_t count = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < LANES; i++) {
        list[count] = numbers[i];
        count += numbers[i] != NET_NONE;
    }
    return list + count;
}

/* The groups to be visited, as a list: how many of eight there are no processor predicts. Returns its end, which is
 * written, too. */
static INLINE uint32_t *list_active(struct given given, uint32_t *list)
{
    for (uint32_t first = 0; first < given.engine->groups; first += 8) {
        if (net_shared_active_from(given.active + first) == 0)
            continue;
#pragma GCC unroll 8
        for (uint32_t i = 0; i < 8; i++) {
            *list = first + i;
            list += given.active[first + i];
        }
    }
    return list;
}

/* All winners of a cycle. Groups in which nobody asks are not visited again before something changes there.
 * Returns their end. */
static INLINE uint32_t *pick_all(struct given given, uint32_t *winners)
{
    const uint32_t *end = list_active(given, given.engine->visited);
    for (const uint32_t *at = given.engine->visited; at < end; at++) {
        uint32_t *to = given.shape.by_lanes ? pick_group(given, winners, *at) : pick_one(given, winners, *at);
        given.active[*at] = to != winners;
        winners = to;
    }
    return winners;
}

#endif
