/* What a header on shared channels takes when its buffer has won the channel: rules 5 and 11 of
 * doc/shared-channels.md. For kernel.h alone, whose kernels have the usual cases inlined; what is rare, or of a
 * tree, or with early free, is a function here.
 *
 * Where masks lie by lanes all buffers that a header may take are compared at once with those that are free, and free
 * buffers of all ways are counted at once, in fields of a word:
 *
 *      free, and of the tiers     0110 0000 0010 0111      buffer_bits = 2
 *      counts                        2    0    1    3
 *      ways with most                0    0    0    1
 */
#ifndef NET_SHARED_ASK_H
#define NET_SHARED_ASK_H

#include "netmodel/shared-engine/choice.h"
#include "netmodel/shared-engine/masks.h"

/* The header, or a flit of a tree, at the head of a buffer has won its channel. */
enum answer { SLEEPS, REFUSED, MOVES };

/* ---- asking for a channel ---- */

/* Without availability flags the header has driven the channel in vain; with them it has not asked, and
 * sleeps until one of the receivers wakes it. */
static enum answer refuse(struct net_shared_engine *engine, uint32_t index, uint32_t receivers)
{
    if (!engine->asks_for_buffers)
        return REFUSED;
    uint32_t channel = net_shared_channel_of(engine, index);
    uint32_t word = (index >> engine->word_bits) - channel * engine->words;
    uint64_t bit = net_shared_bit(engine, index);
    net_shared_set(engine, index, NET_SHARED_SLEEPING);
    for (; receivers != 0; receivers &= receivers - 1) {
        uint32_t receiver = channel << engine->slot_bits | (uint32_t)__builtin_ctz(receivers);
        engine->waiting[(size_t)receiver * engine->words + word] |= bit;
    }
    return SLEEPS;
}

/* A buffer of a receiver is nobody else's from now on. Returns it as a target. */
static uint32_t take(struct net_shared_engine *engine, uint32_t channel, uint32_t receiver, uint32_t number)
{
    uint32_t place = net_shared_buffer_at(engine, channel, receiver, number);
    uint32_t first = engine->first[channel << engine->slot_bits | receiver];
    net_shared_clear(engine, place >> engine->word_bits, NET_SHARED_FREE, net_shared_bit(engine, place));
    return first + number;
}

/* The header gets the lowest of these buffers of a way. */
static INLINE enum answer get(struct given given, uint32_t index, uint32_t way, uint32_t best)
{
    uint32_t receiver = channel_of(given, index) << given.shape.slot_bits | way;
    uint32_t number = (uint32_t)__builtin_ctz(best);
    uint32_t place = receiver << given.shape.buffer_bits | number;
    clear_bits(given, line_of(given, place), NET_SHARED_FREE, bit_if(true, given, place));
    uint32_t target = given.engine->first[receiver] + number;
    given.buffer[index].target = target;
    __builtin_prefetch(&given.engine->crossed[receiver], 1);
    __builtin_prefetch(&given.buffer[target & (0 - (uint32_t)(target < NET_SHARED_CASTS))], 1);
    return MOVES;
}

/* Any selection function; with early free room is asked for. */
static enum answer ask_any(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    const struct net_shared_packet *packet = &engine->packets[buffer->packet];
    uint32_t channel = net_shared_channel_of(engine, index), way = net_shared_select(engine, channel, packet);
    if (way == NET_NONE)
        return refuse(engine, index, net_shared_receivers(engine, &packet->choice));
    uint32_t open = net_shared_available(engine, channel, packet, way);
    buffer->target = take(engine, channel, way,
                          (uint32_t)__builtin_ctz(net_shared_last_open(engine, &packet->choice, way, open)));
    return MOVES;
}

/* Bits of a mask of so many buffers, four at a time: not all processors count bits in one instruction. */
static INLINE uint32_t count_bits(uint32_t mask, uint32_t buffer_bits)
{
    const uint64_t counts =
        UINT64_C(0x4332322132212110); /* of 15 in the highest four bits, of 0 in the lowest */
    uint32_t count = (uint32_t)(counts >> (mask % 16 * 4)) & 15;
    for (uint32_t bits = 4; bits < 1u << buffer_bits; bits += 4)
        count += (uint32_t)(counts >> ((mask >> bits) % 16 * 4)) & 15;
    return count;
}

/* Free buffers of a receiver, and more bits above them. */
static INLINE uint32_t free_at(struct given given, uint32_t index, uint32_t way)
{
    uint32_t first = (channel_of(given, index) << given.shape.slot_bits | way) << given.shape.buffer_bits;
    uint32_t place = first & ((UINT32_C(1) << given.shape.word_bits) - 1);
    return (uint32_t)(mask_of(given, line_of(given, first), NET_SHARED_FREE) >> place);
}

/* Those of them that the header may take. */
static INLINE uint32_t open_at(struct given given, uint32_t index, const struct net_shared_choice *choice,
                               uint32_t way)
{
    return free_at(given, index, way) & (net_shared_in_tier(given.engine, choice, way, 0) |
                                         net_shared_in_tier(given.engine, choice, way, 1) |
                                         net_shared_in_tier(given.engine, choice, way, 2));
}

/* The way with most free buffers, of equal ones the lowest: rule 5. */
static INLINE enum answer ask_ways(struct given given, uint32_t index, const struct net_shared_choice *choice,
                                   uint32_t ways)
{
    uint32_t best = 0, most = 0, open = 0;
    for (uint32_t left = ways; left != 0; left &= left - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(left);
        uint32_t here = open_at(given, index, choice, way);
        uint32_t count = count_bits(here, given.shape.buffer_bits);
        uint32_t more = 0 - (uint32_t)(count > most);
        best ^= (best ^ way) & more;
        open ^= (open ^ here) & more;
        most ^= (most ^ count) & more;
    }
    if (most == 0)
        return refuse(given.engine, index, ways);
    return get(given, index, best, net_shared_last_open(given.engine, choice, best, open));
}

/* Most headers have one way, which leaves nothing to be selected: all their tiers are of that way. */
static INLINE enum answer ask_one_way(struct given given, uint32_t index,
                                      const struct net_shared_choice *choice, uint32_t ways)
{
    uint32_t way = (uint32_t)__builtin_ctz(ways), free = free_at(given, index, way);
    uint32_t best =
        net_shared_last_some(choice->buffers[0] & free, choice->buffers[1] & free, choice->buffers[2] & free);
    return best != 0 ? get(given, index, way, best) : refuse(given.engine, index, ways);
}

/* ---- the same by lanes: places of receivers' buffers in the channel's word ---- */

/* The header gets the lowest of these places, of one way. */
static INLINE enum answer get_place(struct given given, uint32_t index, uint32_t places)
{
    uint32_t channel = channel_of(given, index);
    uint32_t place = (uint32_t)__builtin_ctz(places);
    uint32_t receiver = channel << given.shape.slot_bits | place >> given.shape.buffer_bits;
    uint32_t target = given.engine->first[receiver] + (place & ((1u << given.shape.buffer_bits) - 1));
    drop_bits(given, channel, NET_SHARED_FREE, places & (0 - places));
    given.buffer[index].target = target;
    __builtin_prefetch(&given.engine->crossed[receiver], 1);
    __builtin_prefetch(&given.buffer[target & (0 - (uint32_t)(target < NET_SHARED_CASTS))], 1);
    return MOVES;
}

/* As refuse: the receivers are those of the places. */
static INLINE enum answer refuse_places(struct given given, uint32_t index, uint32_t places)
{
    if (!given.engine->asks_for_buffers)
        return REFUSED;
    uint32_t channel = channel_of(given, index), size = 1u << given.shape.buffer_bits;
    uint64_t bit = bit_if(true, given, index);
    set_bits(given, channel, NET_SHARED_SLEEPING, bit);
    while (places != 0) {
        uint32_t place = (uint32_t)__builtin_ctz(places) & (0 - size);
        given.waiting[channel << given.shape.slot_bits | place >> given.shape.buffer_bits] |= bit;
        places &= ~(((1u << size) - 1) << place);
    }
    return SLEEPS;
}

/* Whether all places are of the receiver that has the lowest of them. */
static INLINE bool of_one_way(struct given given, uint32_t places)
{
    const uint32_t size = 1u << given.shape.buffer_bits;
    const uint32_t lowest = (uint32_t)__builtin_ctz(places) & (0 - size);
    return places >> lowest < 1u << size;
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
    uint32_t pairs = open - (open >> 1 & UINT32_C(0x55555555));
    uint32_t count = (pairs & UINT32_C(0x33333333)) + (pairs >> 2 & UINT32_C(0x33333333));
    uint32_t four = count >> 2 & lowest, three = count & count >> 1 & lowest, two = count >> 1 & lowest;
    return first_some(four, first_some(three, first_some(two, count & lowest)));
}

/* The free places of the way with most of them, of equal ones the lowest, and there of the last tier that has any:
 * rule 5. */
static INLINE uint32_t select_places(struct given given, const struct net_shared_choice *choice,
                                     uint32_t free)
{
    uint32_t first = choice->places[0] & free;
    uint32_t second = choice->places[1] & free;
    uint32_t third = choice->places[2] & free;
    uint32_t ways = fullest(given, first | second | third);
    uint32_t way = (ways & (0 - ways)) * ((1u << (1u << given.shape.buffer_bits)) - 1);
    return net_shared_last_some(first & way, second & way, third & way);
}

/* all: places of every way, free or not; where nothing is free these are what the header sleeps on. */
static INLINE enum answer ask_places(struct given given, uint32_t index,
                                     const struct net_shared_choice *choice)
{
    const uint32_t all = choice->places[0] | choice->places[1] | choice->places[2];
    const uint32_t free = (uint32_t)mask_of(given, channel_of(given, index), NET_SHARED_FREE);
    uint32_t places;
    if (of_one_way(given, all))
        places = net_shared_last_some(choice->places[0] & free, choice->places[1] & free,
                                      choice->places[2] & free);
    else if (given.engine->network.options.selection != NET_MOST_FREE)
        return ask_any(given.engine, index);
    else
        places = select_places(given, choice, free);
    return places != 0 ? get_place(given, index, places) : refuse_places(given, index, all);
}

/* ---- trees, and whoever asks ---- */

/* Rule 11: in the order of the receivers as long as there are buffers; the plain tree takes what it finds. */
static uint32_t reserve(struct net_shared_engine *engine, uint32_t channel, struct net_shared_cast *cast,
                        bool in_order)
{
    uint32_t taken = 0;
    for (uint32_t bits = cast->pending & ~cast->reserved; bits != 0; bits &= bits - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(bits);
        uint32_t free =
            net_shared_free_of(engine, channel, receiver) & net_shared_cast_buffers(engine, cast, receiver);
        if (free == 0 && in_order)
            break;
        if (free == 0)
            continue;
        cast->buffer[receiver] = (uint8_t)__builtin_ctz(free);
        take(engine, channel, receiver, cast->buffer[receiver]);
        cast->reserved |= UINT32_C(1) << receiver;
        taken++;
    }
    return taken;
}

/* Whether any of the receivers has a buffer that the tree may take. */
static bool some_free(const struct net_shared_engine *engine, uint32_t channel,
                      const struct net_shared_cast *cast, uint32_t receivers)
{
    uint32_t free = 0;
    for (; receivers != 0; receivers &= receivers - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(receivers);
        free |=
            net_shared_free_of(engine, channel, receiver) & net_shared_cast_buffers(engine, cast, receiver);
    }
    return free != 0;
}

/* A header that has got something, but not all, has used the channel all the same: that is how the units at
 * the receivers hear of it. One that knows only that somebody has a buffer drives the channel in vain as long
 * as that is not the next in its order. */
static enum answer ask_tree(struct net_shared_engine *engine, uint32_t index)
{
    uint32_t channel = net_shared_channel_of(engine, index);
    struct net_shared_cast *cast = &engine->casts[engine->buffer[index].target & ~NET_SHARED_CASTS];
    enum net_spreading spreading = engine->network.options.spreading;
    uint32_t taken = reserve(engine, channel, cast, spreading != NET_MST_PLAIN);
    uint32_t missing = cast->pending & ~cast->reserved;
    if (missing == 0 || (spreading == NET_MST_REPLICA && cast->reserved != 0))
        return MOVES;
    if (taken != 0) {
        engine->vain_cycles = 0;
        return REFUSED;
    }
    bool hears_any = spreading == NET_MST_PLAIN || spreading == NET_MST_SAFE_ANY;
    if (hears_any && some_free(engine, channel, cast, missing))
        return REFUSED;
    return refuse(engine, index, hears_any ? missing : missing & -missing);
}

/* Only this channel takes buffers of its receivers, so that what is taken here nobody else takes in this
 * cycle. Flits of a tree behind its header have room everywhere: it needs virtual cut-through. */
static INLINE enum answer ask(struct given given, uint32_t index)
{
    const struct net_shared_buffer *buffer = &given.buffer[index];
    if (buffer->target != NET_NONE)
        return net_shared_has_begun(given.engine, buffer) ? MOVES : ask_tree(given.engine, index);
    const struct net_shared_choice *choice = &given.engine->packets[buffer->packet].choice;
    if (given.shape.by_lanes)
        return ask_places(given, index, choice);
    uint32_t ways = net_shared_receivers(given.engine, choice);
    if (given.shape.early)
        return ask_any(given.engine, index);
    if ((ways & (ways - 1)) == 0)
        return ask_one_way(given, index, choice, ways);
    if (given.engine->network.options.selection != NET_MOST_FREE)
        return ask_any(given.engine, index);
    return ask_ways(given, index, choice, ways);
}

#endif
