/* What the kernels of shared channels are given, and its masks: for shared-cycle.c alone. A place is that of
 * a buffer among the bits of its channel (shared-internal.h). */
#ifndef NET_SHARED_MASKS_H
#define NET_SHARED_MASKS_H

#include "netmodel/shared-internal.h"

#define INLINE inline __attribute__((always_inline))

struct shape {
    uint32_t slot_bits, buffer_bits, word_bits, words;
    bool early, places; /* early free; buffers ask for places (full flags) */
};

/* What does not change while a cycle runs: literals, and copies of the engine's, which no store through a
 * pointer can change, so that the compiler need not read them again after each. */
struct given {
    struct shape shape;
    struct net_shared_engine *engine;
    struct net_shared_masks *masks;
    struct net_shared_buffer *buffer;
    uint64_t *waiting;
    uint8_t *active;
    uint32_t capacity, ports;
};

static INLINE struct given given_of(struct net_shared_engine *engine, struct shape shape)
{
    return (struct given){.shape = shape,
                          .engine = engine,
                          .masks = engine->masks,
                          .buffer = engine->buffer,
                          .waiting = engine->waiting,
                          .active = engine->active,
                          .capacity = engine->capacity,
                          .ports = engine->ports};
}

/* ---- numbers ---- */

static INLINE uint32_t channel_of(struct given given, uint32_t buffer)
{
    return buffer >> (given.shape.slot_bits + given.shape.buffer_bits);
}

static INLINE uint32_t place_of(struct given given, uint32_t buffer)
{
    return buffer & ((UINT32_C(1) << (given.shape.slot_bits + given.shape.buffer_bits)) - 1);
}

static INLINE uint32_t slot_of(struct given given, uint32_t buffer)
{
    return place_of(given, buffer) >> given.shape.buffer_bits;
}

/* Of all packets in a buffer. */
static INLINE uint32_t flits_in(struct given given, uint32_t buffer)
{
    return given.shape.early ? given.engine->queue[buffer].flits : net_shared_held(&given.buffer[buffer]);
}

/* ---- bits ---- */

static INLINE struct net_shared_masks *masks_of(struct given given, uint32_t buffer)
{
    return &given.masks[buffer >> given.shape.word_bits];
}

/* The first word of its channel, which has the channel's turn and counters. */
static INLINE struct net_shared_masks *channel_masks_of(struct given given, uint32_t channel)
{
    return &given.masks[(size_t)channel * given.shape.words];
}

/* A bit for a buffer in its word, if the condition holds: no branch, where none would be foreseen. */
static INLINE uint64_t bit_if(bool condition, struct given given, uint32_t buffer)
{
    return (uint64_t)condition << (buffer & ((UINT32_C(1) << given.shape.word_bits) - 1));
}

/* The buffer requests its channel from the next pick on. */
static INLINE void request(struct given given, uint32_t buffer)
{
    masks_of(given, buffer)->holds |= bit_if(true, given, buffer);
    given.active[channel_of(given, buffer)] = 1;
}

/* A receiver has a buffer that it had not: whoever waits for it asks again. */
static INLINE void wake(struct given given, uint32_t channel, uint32_t slot)
{
    if (given.shape.words > 1) {
        net_shared_wake(given.engine, channel, slot);
        return;
    }
    uint64_t *waiting = &given.waiting[channel << given.shape.slot_bits | slot];
    given.masks[channel].sleeping &= ~*waiting;
    given.active[channel] |= *waiting != 0;
    *waiting = 0;
}

/* Rule 7: a buffer may be allocated again by the channel that feeds it, where it has the same place. */
static INLINE void set_free(struct given given, uint32_t channel, uint32_t place)
{
    uint32_t receiver = channel << (given.shape.slot_bits + given.shape.buffer_bits) | place;
    masks_of(given, receiver)->free |= bit_if(true, given, receiver);
    wake(given, channel, place >> given.shape.buffer_bits);
}

/* ---- turns (rule 4) ---- */

/* Whoever is next on a channel. */
struct winner {
    uint32_t index;    /* its buffer; NET_NONE: nobody asks */
    uint64_t above;    /* in its word: places behind it */
    uint64_t driver;   /* likewise: the places of its driver */
    uint32_t next;     /* the channel's turn when it has won */
    uint32_t in_words; /* the number of its word */
};

/* The first bit at or cyclically after position, which is less than 64; mask is not 0. */
static INLINE uint32_t first_from(uint64_t mask, uint32_t position)
{
    uint64_t upper = mask & UINT64_MAX << position;
    return (uint32_t)__builtin_ctzll(upper != 0 ? upper : mask);
}

/* Whoever asks for the channel. */
static INLINE uint64_t requests(const struct net_shared_masks *masks)
{
    return masks->holds & ~(masks->stalled | masks->sleeping);
}

/* In that word at that place, and the lowest place of its driver there. */
static INLINE struct winner winner_at(struct given given, uint32_t channel, uint32_t word, uint32_t at,
                                      uint32_t base)
{
    const uint32_t bits = given.shape.slot_bits + given.shape.buffer_bits,
                   size = UINT32_C(1) << given.shape.buffer_bits;
    return (struct winner){.index = channel << bits | word * 64 | at,
                           .above = (UINT64_MAX - 1) << at,
                           .driver = ((UINT64_C(1) << size) - 1) << base,
                           .next = (word * 64 + base + size) & ((UINT32_C(1) << bits) - 1),
                           .in_words = word};
}

/* A buffer that has been asked for and goes. */
static INLINE struct winner winner_of(struct given given, uint32_t index)
{
    uint32_t place = place_of(given, index), size = UINT32_C(1) << given.shape.buffer_bits;
    return winner_at(given, channel_of(given, index), place / 64, place % 64, place % 64 & (0 - size));
}

/* Of a driver that asks, in that word at that place: the first buffer at or after its turn. */
static INLINE struct winner winner_in(struct given given, uint32_t channel, uint32_t word, uint64_t asking,
                                      uint32_t place)
{
    uint32_t size = UINT32_C(1) << given.shape.buffer_bits, base = place & (0 - size);
    uint64_t mine = asking & ((UINT64_C(1) << size) - 1) << base,
             later = mine & channel_masks_of(given, channel)[word].after;
    uint32_t at = (uint32_t)__builtin_ctzll(later != 0 ? later : mine);
    return winner_at(given, channel, word, at, base);
}

/* The first buffer of the first driver after the turns. The first of several words may have to be looked at
 * twice, above the place and below. */
static INLINE struct winner next_winner(struct given given, uint32_t channel)
{
    const struct net_shared_masks *masks = channel_masks_of(given, channel);
    if (given.shape.words == 1) {
        uint64_t asking = requests(masks);
        if (asking == 0)
            return (struct winner){.index = NET_NONE};
        return winner_in(given, channel, 0, asking, first_from(asking, masks->turn));
    }
    for (uint32_t i = 0; i <= given.shape.words; i++) {
        uint32_t word = (masks->turn / 64 + i) & (given.shape.words - 1);
        uint64_t asking = requests(&masks[word]), now = asking;
        if (i == 0)
            now &= UINT64_MAX << masks->turn % 64;
        if (now != 0)
            return winner_in(given, channel, word, asking, (uint32_t)__builtin_ctzll(now));
    }
    return (struct winner){.index = NET_NONE};
}

/* Turns move with every winner, also one that is refused: else it would come again and again. That of a
 * driver is kept as the places from there on, none for 0. Without a branch: compilers take a condition for
 * one that can be foreseen. */
static INLINE void turn_if(bool condition, struct given given, uint32_t channel, const struct winner *winner)
{
    struct net_shared_masks *masks = channel_masks_of(given, channel), *word = &masks[winner->in_words];
    uint64_t all = 0 - (uint64_t)condition;
    masks->turn ^= (masks->turn ^ winner->next) & (uint32_t)all;
    word->after ^= (word->after ^ winner->above) & winner->driver & all;
}

#endif
