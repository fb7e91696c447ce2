/* The cycle of shared channels: the hot loop. See shared-internal.h for the idea, doc/shared-channels.md for
 * the rules.
 *
 *     settle    messages join their injectors, headers have passed the router       rules 1, 2
 *     pick      every channel with requests: a winner, a buffer for its header      rules 3 to 6, 11
 *     move      every winner's flit to its receiver, or to all of them              rules 1, 7
 *
 * `move` turns what has changed into bits that the next pick reads. It may run in any order of flits: the
 * counts of a buffer are changed by the one flit that comes and the one that goes, and whoever is last sees
 * both. So winners are sorted into lists by what their flit is, and each list is moved by code for that kind
 * alone: four of five flits of a packet are no header, and which is next on which channel no processor
 * predicts.
 *
 * Functions that take what is given (shared-masks.h) are inlined into a kernel for each line of
 * shared-shapes.def, where the shape is a literal and widths, words and options are folded; one more copy,
 * with the shape of the network, serves all others. */
#include <stdlib.h>

#include "netmodel/shared-masks.h"

/* Of a winner's flit. Headers that are tails, too, or go to the terminal, its tails, and trees are OTHER. */
enum kind { MIDDLE, LAST, EJECTED, OTHER, FIRST };
#define HEADER (UINT32_C(1) << 31) /* of an OTHER: with its buffer */

/* ---- the first pass: who drives the channel ---- */

/* Where the next move of each kind is noted. */
struct lists {
    uint32_t *end[NET_SHARED_KINDS];
};

/* Behind a header there is no choice, and without a branch no guess. */
static INLINE void add_next(struct lists *lists, const struct net_shared_buffer *buffer, uint32_t index)
{
    uint32_t kind = (uint32_t)(buffer->left == 1) | (buffer->target >> 31) << 1;
    *lists->end[kind]++ = index;
}

static INLINE void add_header(struct lists *lists, const struct net_shared_buffer *buffer, uint32_t index)
{
    if (buffer->left > 1 && buffer->target < NET_SHARED_CASTS)
        *lists->end[FIRST]++ = index;
    else
        *lists->end[OTHER]++ = index | HEADER;
}

/* The first buffer of the first driver after the turns (rule 4). */
static INLINE uint32_t next_asking(struct given given, uint32_t channel)
{
    const struct shape shape = given.shape;
    const struct net_shared_masks *masks = &given.masks[(size_t)channel * shape.words];
    uint32_t place = first_request(masks, shape, given.turn[channel]);
    if (place == NET_NONE)
        return NET_NONE;
    uint32_t slot = place >> shape.buffer_bits, lane = slot << shape.buffer_bits;
    uint64_t asking = requests(&masks[shape.words == 1 ? 0 : lane / 64]) >> lane % 64 &
                      ((UINT64_C(1) << (1u << shape.buffer_bits)) - 1);
    uint32_t number = first_from(asking, given.driver_turn[channel << shape.slot_bits | slot]);
    return channel << (shape.slot_bits + shape.buffer_bits) | lane | number;
}

/* Rule 4. Turns move with every winner, also one that is refused: else it would come again and again. They
 * are kept as winner + 1, that of a channel as the place of its first buffer, which is as good as 0 where
 * nobody has a higher number. */
static INLINE void turn(struct given given, uint32_t channel, uint32_t index)
{
    uint32_t size = UINT32_C(1) << given.shape.buffer_bits, place = place_of(given, index);
    given.turn[channel] = (uint16_t)place_of(given, (place & (0 - size)) + size);
    given.driver_turn[index >> given.shape.buffer_bits] = (uint8_t)((index & (size - 1)) + 1);
}

/* Without full flags a flit behind a header may find its buffer full (rule 6). With them its request means
 * that there is a place. */
static INLINE bool lacks_place(struct given given, uint32_t target)
{
    return !given.shape.places && target < NET_SHARED_CASTS && flits_in(given, target) >= given.capacity;
}

/* A channel's winner of this cycle. Headers that find no buffer go to sleep, which is no turn, and the next
 * one is asked. A channel that nobody asks for is not visited again. */
static INLINE void pick(struct given given, uint32_t channel, struct lists *lists,
                        struct net_shared_tally *tally)
{
    uint32_t index = next_asking(given, channel);
    while (index != NET_NONE) {
        const struct net_shared_buffer *buffer = &given.buffer[index];
        bool begun = (buffer->target & NET_SHARED_CASTS) == 0;
        enum net_shared_answer answer = NET_SHARED_MOVES;
        tally->asked = 1;
        if (!begun)
            answer = net_shared_ask(given.engine, index);
        else if (lacks_place(given, buffer->target))
            answer = NET_SHARED_REFUSED;
        if (answer == NET_SHARED_SLEEPS) {
            index = next_asking(given, channel);
            continue;
        }
        turn(given, channel, index);
        if (answer == NET_SHARED_REFUSED)
            tally->refused++;
        else if (begun)
            add_next(lists, buffer, index);
        else
            add_header(lists, buffer, index);
        return;
    }
    given.active[channel] = 0;
}

static INLINE void pick_all(struct given given, struct lists *lists, struct net_shared_tally *tally)
{
    for (uint32_t first = 0; first < given.engine->channels; first += 8)
        for (uint64_t bytes = net_shared_active_from(given.active + first); bytes != 0; bytes &= bytes - 1)
            pick(given, first + (uint32_t)__builtin_ctzll(bytes) / 8, lists, tally);
}

/* ---- the second pass: a flit moves ---- */

/* A flit behind the header comes into a buffer. With early free its packet need not be the head there. */
static INLINE void arrive_next(struct given given, uint32_t index, uint32_t packet)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    if (given.shape.early) {
        given.engine->queue[index].arrived++;
        given.engine->queue[index].flits++;
        if (buffer->packet != packet)
            return;
    }
    buffer->held++;
    masks_of(given, index)->holds |= bit_if(true, given, index);
    given.active[channel_of(given, index)] = 1;
}

/* To a buffer of a way. */
static INLINE void arrive(struct given given, uint32_t index, uint32_t target, bool first, bool last)
{
    uint32_t packet = given.buffer[index].packet;
    if (first)
        net_shared_arrive_header(given.engine, target, packet, index);
    else
        arrive_next(given, target, packet);
    if (!last)
        return;
    given.engine->buffer_set_flits[target >> given.shape.buffer_bits] += given.engine->packets[packet].length;
    if (given.shape.early)
        set_free(given, channel_of(given, index), place_of(given, target));
}

/* To an ejection buffer, where it is gone at once. */
static INLINE void eject(struct given given, uint32_t index, uint32_t target, bool last)
{
    uint32_t channel = channel_of(given, index), slot = target >> 4 & (NET_SHARED_SLOTS_MAX - 1);
    uint32_t point = given.engine->point_at[channel << given.shape.slot_bits | slot];
    given.engine->points[point].ejected++;
    if (!last)
        return;
    set_free(given, channel, slot << given.shape.buffer_bits | (target & 15));
    net_shared_deliver(given.engine, given.buffer[index].packet, point);
}

/* With early free: one flit less, and a header takes its place in the next buffer's queue. */
static void leave_queue(struct net_shared_engine *engine, uint32_t index, bool first)
{
    struct net_shared_queue *queue = &engine->queue[index];
    queue->flits--;
    if (first)
        queue->next = engine->packets[engine->buffer[index].packet].next;
}

/* With early free any flit that leaves may make room for a header, and if the buffer was full, for the
 * next flit of whoever is sending to it. */
static void give_room(struct net_shared_engine *engine, uint32_t index)
{
    uint32_t feeder = engine->buffer[index].feeder;
    const struct net_shared_buffer *before = &engine->buffer[feeder];
    net_shared_wake(engine, net_shared_channel_of(engine, feeder), net_shared_slot_of(engine, index));
    if (engine->queue[index].flits + 1u != engine->capacity || before->packet == NET_NONE ||
        before->target != index)
        return;
    net_shared_masks_of(engine, feeder)->stalled &= ~net_shared_bit(engine, feeder);
    net_shared_activate(engine, net_shared_channel_of(engine, feeder));
}

/* A flit has left a buffer that holds so many now and will have sent `left` more: if it was full and the tail
 * has still to come, its feeder has been waiting for this place. */
static INLINE void give_place(struct given given, uint32_t feeder, uint32_t held, uint32_t left)
{
    bool waited = held + 1 == given.capacity && held < left;
    masks_of(given, feeder)->stalled &= ~bit_if(waited, given, feeder);
    given.active[channel_of(given, feeder)] |= waited;
}

/* After a tail. Most come from a buffer of a way and go to another one, which is short. */
static INLINE void finish(struct given given, uint32_t index, bool to_way)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    if (given.shape.early || !to_way || slot_of(given, index) >= given.ports) {
        net_shared_finish(given.engine, index);
        return;
    }
    buffer->packet = buffer->target = NET_NONE;
    masks_of(given, index)->holds &= ~bit_if(true, given, index);
    set_free(given, channel_of(given, buffer->feeder), place_of(given, index));
}

/* That the message is sent is told before it is delivered, since nothing is known of it afterwards. */
static INLINE void tell_sent(struct given given, uint32_t index, bool all)
{
    if (slot_of(given, index) >= given.ports && all)
        net_shared_left_source(given.engine, &given.engine->packets[given.buffer[index].packet]);
}

/* Moves a flit of a packet that is no tree's. What it is, is literal in all calls but one. */
static INLINE void move(struct given given, uint32_t index, bool first, bool last, bool ejects)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    uint32_t target = buffer->target, feeder = buffer->feeder;
    uint32_t held = --buffer->held, left = --buffer->left;
    bool leaves_queue = given.shape.early && slot_of(given, index) < given.ports;
    given.channel_flits[channel_of(given, index)]++;
    if (leaves_queue)
        leave_queue(given.engine, index, first);
    if (first)
        net_shared_count_header(given.engine, index);
    if (last)
        tell_sent(given, index, true);
    if (ejects)
        eject(given, index, target, last);
    else
        arrive(given, index, target, first, last);
    if (last) {
        finish(given, index, !ejects);
    } else {
        masks_of(given, index)->holds &= ~bit_if(held == 0, given, index);
        if (given.shape.places && !ejects)
            masks_of(given, index)->stalled |=
                bit_if(flits_in(given, target) == given.capacity, given, index);
    }
    if (leaves_queue)
        give_room(given.engine, index);
    else if (!given.shape.early && !last)
        give_place(given, feeder, held, left);
}

/* To all receivers of this turn at once. Their tails come with the sender's. A copy of the cast is used,
 * since the pool of casts may move. Trees need cut-through, without early free: there is room everywhere. */
static void move_tree(struct given given, uint32_t index)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    const struct net_shared_cast cast = given.engine->casts[buffer->target & ~NET_SHARED_CASTS];
    uint32_t channel = channel_of(given, index);
    bool first = !net_shared_has_begun(given.engine, buffer), last = --buffer->left == 0;
    uint32_t held = --buffer->held;
    given.channel_flits[channel]++;
    if (last)
        tell_sent(given, index, cast.pending == cast.reserved);
    for (uint32_t bits = cast.reserved; bits != 0; bits &= bits - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(bits), number = cast.buffer[receiver];
        uint32_t buffers = given.engine->first[channel << given.shape.slot_bits | receiver];
        if (buffers != NET_NONE)
            arrive(given, index, buffers + number, first, last);
        else
            eject(given, index, receiver << 4 | number, last);
    }
    if (last)
        net_shared_finish(given.engine, index);
    else
        masks_of(given, index)->holds &= ~bit_if(held == 0, given, index);
}

/* Headers that are tails, or eject, and what is left. */
static __attribute__((noinline)) void move_other(struct net_shared_engine *engine, struct shape shape,
                                                 uint32_t entry)
{
    const struct given given = given_of(engine, shape);
    uint32_t index = entry & ~HEADER;
    const struct net_shared_buffer *buffer = &given.buffer[index];
    if ((buffer->target & (NET_SHARED_CASTS | NET_SHARED_EJECTS)) == NET_SHARED_CASTS)
        move_tree(given, index);
    else
        move(given, index, (entry & HEADER) != 0, buffer->left == 1,
             (buffer->target & NET_SHARED_EJECTS) != 0);
}

/* ---- kernels ---- */

static INLINE void run_shape(struct net_shared_engine *engine, struct shape shape,
                             struct net_shared_tally *tally)
{
    const struct given given = given_of(engine, shape);
    uint32_t *begin[NET_SHARED_KINDS];
    struct lists lists;
    for (uint32_t kind = 0; kind < NET_SHARED_KINDS; kind++)
        lists.end[kind] = begin[kind] = engine->moves + (size_t)kind * engine->channels;
    pick_all(given, &lists, tally);
    for (const uint32_t *at = begin[MIDDLE]; at < lists.end[MIDDLE]; at++)
        move(given, *at, false, false, false);
    for (const uint32_t *at = begin[LAST]; at < lists.end[LAST]; at++)
        move(given, *at, false, true, false);
    for (const uint32_t *at = begin[EJECTED]; at < lists.end[EJECTED]; at++)
        move(given, *at, false, false, true);
    for (const uint32_t *at = begin[FIRST]; at < lists.end[FIRST]; at++)
        move(given, *at, true, false, false);
    for (const uint32_t *at = begin[OTHER]; at < lists.end[OTHER]; at++)
        move_other(engine, shape, *at);
    for (uint32_t kind = 0; kind < NET_SHARED_KINDS; kind++)
        tally->moved += (uint32_t)(lists.end[kind] - begin[kind]);
}

static void run_any(struct net_shared_engine *engine, struct net_shared_tally *tally)
{
    const struct shape shape = {engine->slot_bits, engine->buffer_bits, engine->word_bits,
                                engine->words,     engine->early_free,  engine->asks_for_places};
    run_shape(engine, shape, tally);
}

#define WORD_BITS(bits) ((bits) < 6 ? (bits) : 6)
#define NET_SHARED_SHAPE(name, slot_bits, buffer_bits)                                                       \
    static void run_##name(struct net_shared_engine *engine, struct net_shared_tally *tally)                 \
    {                                                                                                        \
        const struct shape shape = {                                                                         \
            slot_bits,                                                                                       \
            buffer_bits,                                                                                     \
            WORD_BITS((slot_bits) + (buffer_bits)),                                                          \
            1u << ((slot_bits) + (buffer_bits)-WORD_BITS((slot_bits) + (buffer_bits))),                      \
            false,                                                                                           \
            true};                                                                                           \
        run_shape(engine, shape, tally);                                                                     \
    }
#include "netmodel/shared-shapes.def"
#undef NET_SHARED_SHAPE

void net_shared_choose_kernel(struct net_shared_engine *engine)
{
    engine->run_cycle = run_any;
    if (engine->early_free || !engine->asks_for_places)
        return;
#define NET_SHARED_SHAPE(name, slots, numbers)                                                               \
    if (engine->slot_bits == (slots) && engine->buffer_bits == (numbers))                                    \
        engine->run_cycle = run_##name;
#include "netmodel/shared-shapes.def"
#undef NET_SHARED_SHAPE
}
