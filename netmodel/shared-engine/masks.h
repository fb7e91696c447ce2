/* What the kernels of shared channels are given, and its masks: for kernel.h alone. A place is that of
 * a buffer among the bits of its channel (internal.h). */
#ifndef NET_SHARED_MASKS_H
#define NET_SHARED_MASKS_H

#include "netmodel/shared-engine/internal.h"

#define INLINE inline __attribute__((always_inline))

struct shape {
    uint32_t slot_bits, buffer_bits, word_bits, words;
    bool early, places, narrow; /* early free; buffers ask for places (full flags); masks have 32 bits */
    bool by_lanes;              /* masks are; flits move while others are decided upon */
    uint32_t group_bits;        /* channels that are looked at together: the lanes of a vector, or one */
};

/* What does not change while a cycle runs: literals, and copies of the engine's, which no store through a
 * pointer can change, so that the compiler need not read them again after each. */
struct given {
    struct shape shape; /* a literal in kernels of their own */
    struct net_shared_engine *engine;
    size_t lines;
    uint64_t *wide;
    uint32_t *narrow;
    struct net_shared_buffer *buffer;
    uint64_t *waiting;
    uint8_t *active;
    uint32_t capacity, ports;
};

/* Once a cycle; all else takes what it returns by value. */
static INLINE struct given given_of(struct net_shared_engine *engine, struct shape shape)
{
    return (struct given){.shape = shape,
                          .engine = engine,
                          .lines = engine->lines,
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

/* One layout or the other, by a literal in each kernel. */
static INLINE size_t at_of(struct given given, uint32_t line, enum net_shared_mask mask)
{
    return given.shape.by_lanes ? mask * given.lines + line : (size_t)line * NET_SHARED_LINE + mask;
}

static INLINE uint64_t mask_of(struct given given, uint32_t line, enum net_shared_mask mask)
{
    size_t at = at_of(given, line, mask);
    return given.shape.narrow ? given.narrow[at] : given.wide[at];
}

/* Bits beyond the word are cut off, which there are none of. */
static INLINE void put_mask(struct given given, uint32_t line, enum net_shared_mask mask, uint64_t bits)
{
    size_t at = at_of(given, line, mask);
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

/* Clears bits that are known to be set. */
static INLINE void drop_bits(struct given given, uint32_t line, enum net_shared_mask mask, uint64_t bits)
{
    put_mask(given, line, mask, mask_of(given, line, mask) ^ bits);
}

/* A bit for a buffer in its word, if the condition holds: no branch, where none would be foreseen. Shifts
 * by the word's own width are those for which processors need not take the number's upper bits off. */
static INLINE uint64_t bit_if(bool condition, struct given given, uint32_t buffer)
{
    if (given.shape.word_bits == 5)
        return (uint32_t)condition << (buffer & 31);
    return (uint64_t)condition << (buffer & ((UINT32_C(1) << given.shape.word_bits) - 1));
}

static INLINE uint32_t group_of(struct given given, uint32_t channel)
{
    return channel >> given.shape.group_bits;
}

/* The channel is looked at in the next pick, if the condition holds. */
static INLINE void activate_if(bool condition, struct given given, uint32_t channel)
{
    given.active[group_of(given, channel)] |= condition;
}

/* The buffer requests its channel from the next pick on. */
static INLINE void request(struct given given, uint32_t buffer)
{
    set_bits(given, line_of(given, buffer), given.shape.by_lanes ? NET_SHARED_ARRIVED : NET_SHARED_HOLDS,
             bit_if(true, given, buffer));
    given.active[group_of(given, channel_of(given, buffer))] = 1;
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
    activate_if(*waiting != 0, given, channel);
    *waiting = 0;
}

/* Rule 7: a buffer may be allocated again by the channel that feeds it, where it has the same place. */
static INLINE void set_free(struct given given, uint32_t channel, uint32_t place)
{
    uint32_t receiver = channel << (given.shape.slot_bits + given.shape.buffer_bits) | place;
    set_bits(given, line_of(given, receiver), NET_SHARED_FREE, bit_if(true, given, receiver));
    wake(given, channel, place >> given.shape.buffer_bits);
}

#endif
