/* What the kernels of shared channels are given, and its masks: for shared-cycle.c alone. A place is that of
 * a buffer among the bits of its channel (shared-internal.h). */
#ifndef NET_SHARED_MASKS_H
#define NET_SHARED_MASKS_H

#include "netmodel/shared-internal.h"

#define INLINE inline __attribute__((always_inline))

struct shape {
    uint32_t slot_bits, buffer_bits, word_bits, words;
    bool early, places, narrow; /* early free; buffers ask for places (full flags); masks have 32 bits */
};

/* What does not change while a cycle runs: literals, and copies of the engine's, which no store through a
 * pointer can change, so that the compiler need not read them again after each. */
struct given {
    struct shape shape;
    struct net_shared_engine *engine;
    uint64_t *wide;
    uint32_t *narrow;
    struct net_shared_buffer *buffer;
    uint64_t *waiting;
    uint8_t *active;
    uint32_t capacity, ports;
};

static INLINE struct given given_of(struct net_shared_engine *engine, struct shape shape)
{
    return (struct given){.shape = shape,
                          .engine = engine,
                          .wide = engine->wide,
                          .narrow = engine->narrow,
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

/* Of the masks in which a buffer is. */
static INLINE uint32_t line_of(struct given given, uint32_t buffer)
{
    return buffer >> given.shape.word_bits;
}

/* The first of its channel, which has the channel's turn. */
static INLINE uint32_t channel_line(struct given given, uint32_t channel)
{
    return channel * given.shape.words;
}

static INLINE uint64_t mask_of(struct given given, uint32_t line, enum net_shared_mask mask)
{
    size_t at = (size_t)line * NET_SHARED_LINE + mask;
    return given.shape.narrow ? given.narrow[at] : given.wide[at];
}

static INLINE void put_mask(struct given given, uint32_t line, enum net_shared_mask mask, uint64_t bits)
{
    size_t at = (size_t)line * NET_SHARED_LINE + mask;
    if (given.shape.narrow)
        given.narrow[at] = (uint32_t)bits;
    else
        given.wide[at] = bits;
}

static INLINE void set_bits(struct given given, uint32_t line, enum net_shared_mask mask, uint64_t bits)
{
    put_mask(given, line, mask, mask_of(given, line, mask) | bits);
}

static INLINE void clear_bits(struct given given, uint32_t line, enum net_shared_mask mask, uint64_t bits)
{
    put_mask(given, line, mask, mask_of(given, line, mask) & ~bits);
}

/* A bit for a buffer in its word, if the condition holds: no branch, where none would be foreseen. */
static INLINE uint64_t bit_if(bool condition, struct given given, uint32_t buffer)
{
    return (uint64_t)condition << (buffer & ((UINT32_C(1) << given.shape.word_bits) - 1));
}

/* The buffer requests its channel from the next pick on. */
static INLINE void request(struct given given, uint32_t buffer)
{
    set_bits(given, line_of(given, buffer), NET_SHARED_HOLDS, bit_if(true, given, buffer));
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
    clear_bits(given, channel, NET_SHARED_SLEEPING, *waiting);
    given.active[channel] |= *waiting != 0;
    *waiting = 0;
}

/* Rule 7: a buffer may be allocated again by the channel that feeds it, where it has the same place. */
static INLINE void set_free(struct given given, uint32_t channel, uint32_t place)
{
    uint32_t receiver = channel << (given.shape.slot_bits + given.shape.buffer_bits) | place;
    set_bits(given, line_of(given, receiver), NET_SHARED_FREE, bit_if(true, given, receiver));
    wake(given, channel, place >> given.shape.buffer_bits);
}

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
    const uint32_t bits = given.shape.slot_bits + given.shape.buffer_bits,
                   size = UINT32_C(1) << given.shape.buffer_bits;
    uint64_t behind = UINT64_MAX << (size - 1) << base << 1,
             place = (word * 64 + base + size) & ((UINT32_C(1) << bits) - 1);
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
    uint64_t mine = asking & ((UINT64_C(1) << size) - 1) << base,
             after = mask_of(given, channel_line(given, channel) + word, NET_SHARED_AFTER);
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
    uint64_t all = 0 - (uint64_t)condition, turn = mask_of(given, line, NET_SHARED_TURN),
             after = mask_of(given, word, NET_SHARED_AFTER);
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

#endif
