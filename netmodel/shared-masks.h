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
    uint64_t *waiting, *channel_flits;
    uint8_t *active, *driver_turn;
    uint16_t *turn;
    uint32_t capacity, ports;
};

static INLINE struct given given_of(struct net_shared_engine *engine, struct shape shape)
{
    return (struct given){.shape = shape,
                          .engine = engine,
                          .masks = engine->masks,
                          .buffer = engine->buffer,
                          .waiting = engine->waiting,
                          .channel_flits = engine->channel_flits,
                          .active = engine->active,
                          .driver_turn = engine->driver_turn,
                          .turn = engine->turn,
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
    return given.shape.early ? given.engine->queue[buffer].flits : given.buffer[buffer].held;
}

/* ---- bits ---- */

static INLINE struct net_shared_masks *masks_of(struct given given, uint32_t buffer)
{
    return &given.masks[buffer >> given.shape.word_bits];
}

/* A bit for a buffer in its word, if the condition holds: no branch, where none would be foreseen. */
static INLINE uint64_t bit_if(bool condition, struct given given, uint32_t buffer)
{
    return (uint64_t)condition << (buffer & ((UINT32_C(1) << given.shape.word_bits) - 1));
}

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

/* The first place among the channel's words with a request, at or cyclically after one; NET_NONE: there is
 * none. The first word may have to be looked at twice, above the place and below. */
static INLINE uint32_t first_request(const struct net_shared_masks *masks, struct shape shape, uint32_t from)
{
    if (shape.words == 1) {
        uint64_t mask = requests(masks);
        return mask != 0 ? first_from(mask, from) : NET_NONE;
    }
    for (uint32_t i = 0; i <= shape.words; i++) {
        uint32_t word = (from / 64 + i) & (shape.words - 1);
        uint64_t mask = requests(&masks[word]);
        if (i == 0)
            mask &= UINT64_MAX << from % 64;
        if (mask != 0)
            return word * 64 + (uint32_t)__builtin_ctzll(mask);
    }
    return NET_NONE;
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

#endif
