/* The cycle of shared channels: the hot loop. See internal.h for the idea, doc/shared-channels.md for
 * the rules. For cycle.c and cycle-avx2.c, which compile it for different processors.
 *
 *     settle    messages join their injectors, headers have passed the router       rules 1, 2
 *     pick      every channel with requests: a winner                               rules 3, 4
 *     decide    a buffer for its header, or the next winner                         rules 5, 6, 11
 *     move      every winner's flit to its receiver, or to all of them              rules 1, 7
 *
 * `move` turns what has changed into bits that the next pick reads. It may run in any order of flits: the
 * counts of a buffer are changed by the one flit that comes and the one that goes, and whoever is last sees
 * both. So winners are sorted into lists by what their flit is, and each list is moved by code for that kind
 * alone: four of five flits of a packet are no header, and which is next on which channel no processor
 * predicts. Sorting has no branch on it either: it is a sum of bits which list a winner goes to, and those
 * that have to ask for a buffer are lists of their own.
 *
 * All channels are picked for first (pick.h). Then winners are sorted and decided upon (decide.h) and
 * moved block by block, while their buffers and packets are near; tails, which free buffers, come last of all. Loops
 * are short and without branches, so that a processor has many flits in work and need not wait for the memory of any.
 *
 * Functions that take what is given (masks.h) are inlined into a kernel for each line of
 * shapes.def, where the shape is a literal and widths, words and options are folded; one more copy,
 * with the shape of the network, serves all others. */
#ifndef NET_SHARED_KERNEL_H
#define NET_SHARED_KERNEL_H

#include <stdlib.h>

#include "netmodel/shared-engine/decide.h"
#include "netmodel/shared-engine/grant.h"
#include "netmodel/shared-engine/headers.h"

/* ---- the second pass: a flit moves ---- */

/* Headers and tails look at their packets, which are anywhere in memory: that of the one that comes so many entries
 * later is fetched now. */
static INLINE void fetch_packet(struct given given, const uint32_t *at, const uint32_t *end)
{
    if (end - at > 6)
        __builtin_prefetch(&given.engine->packets[given.buffer[at[6]].packet], 1);
}

/* And who is delivered looks at its message, which has been at rest for as long as its packet has travelled. */
static INLINE void fetch_message(struct given given, const uint32_t *at, const uint32_t *end)
{
    fetch_packet(given, at, end);
    if (end - at > 2)
        __builtin_prefetch(&given.engine->messages[given.engine->packets[given.buffer[at[2]].packet].message],
                           1);
}

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
    buffer->counts++;
    request(given, index);
}

/* The tail has come into a buffer of a way. With early free its link has carried the packet only now, since
 * many may come into a buffer; else it has been counted with the header. */
static INLINE void arrive_tail(struct given given, uint32_t index, uint32_t target, uint32_t packet)
{
    if (!given.shape.early)
        return;
    given.engine->other_flits[channel_of(given, index) << given.shape.slot_bits | slot_of(given, target)] +=
        given.engine->packets[packet].length;
    set_free(given, channel_of(given, index), place_of(given, target));
}

static INLINE uint32_t ejecting_slot(uint32_t target)
{
    return target >> 4 & (NET_SHARED_SLOTS_MAX - 1);
}

/* The tail to an ejection buffer, where every flit is gone at once. */
static INLINE void eject(struct given given, uint32_t index, uint32_t target)
{
    uint32_t channel = channel_of(given, index), slot = ejecting_slot(target);
    set_free(given, channel, slot << given.shape.buffer_bits | (target & 15));
    net_shared_deliver(given.engine, given.buffer[index].packet,
                       given.engine->point_at[channel << given.shape.slot_bits | slot]);
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
    net_shared_unstall(engine, feeder);
}

/* A flit leaves a buffer with these counts: if that is full and the tail has still to come, its feeder has
 * been waiting for this place. Both halves of the counts at once: with the buffer full, more flits are
 * left than it holds. */
static INLINE void give_place(struct given given, uint32_t feeder, uint32_t counts)
{
    bool waited =
        ((uint16_t)counts == (uint16_t)given.capacity) & (counts > (given.capacity << 16 | UINT16_MAX));
    if (given.shape.by_lanes)
        set_bits(given, line_of(given, feeder), NET_SHARED_PLACES, bit_if(waited, given, feeder));
    else
        clear_bits(given, line_of(given, feeder), NET_SHARED_STALLED, bit_if(waited, given, feeder));
    activate_if(waited, given, channel_of(given, feeder));
}

/* That the message is sent is told before it is delivered, since nothing is known of it afterwards. */
static INLINE void tell_sent(struct given given, uint32_t index)
{
    const struct net_shared_packet *packet = &given.engine->packets[given.buffer[index].packet];
    if (packet->awaited)
        net_shared_left_source(given.engine, packet);
}

/* One flit less in the buffer. Both counts are greater than 0, and neither borrows from the other. */
static INLINE void take_flit(struct net_shared_buffer *buffer)
{
    buffer->counts -= net_shared_counts(1, 1);
}

/* Moves a flit of a packet that is no tree's. What it is, is literal in all calls but one. */
static INLINE void move(struct given given, uint32_t index, bool first, bool last, bool ejects,
                        enum origin from)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    uint32_t packet = buffer->packet, target = buffer->target, feeder = buffer->feeder;
    const uint32_t counts = buffer->counts;
    take_flit(buffer);
    uint32_t line = line_of(given, index);
    bool leaves_queue = given.shape.early && slot_of(given, index) < given.ports;
    if (leaves_queue)
        leave_queue(given.engine, index, first);
    if (first)
        count_header(given, index, &given.engine->packets[packet],
                     ejects ? ejecting_slot(target) : slot_of(given, target));
    if (last && at_source(given, index, from))
        tell_sent(given, index);
    if (ejects && last)
        eject(given, index, target);
    if (first && !ejects)
        arrive_header(given, target, packet, index);
    if (!first && !ejects)
        arrive_next(given, target, packet);
    if (last && !ejects)
        arrive_tail(given, index, target, packet);
    if (last) {
        finish(given, index, false, ejects, from);
    } else {
        drop_bits(given, line, NET_SHARED_HOLDS, bit_if((uint16_t)counts == 1, given, index));
        if (given.shape.places && !ejects)
            set_bits(given, line, NET_SHARED_STALLED,
                     bit_if(flits_in(given, target) == given.capacity, given, index));
    }
    if (leaves_queue)
        give_room(given.engine, index);
    else if (!given.shape.early && !last)
        give_place(given, feeder, counts);
}

/* Of channels with owners: the header of a tree crosses one to these receivers. The channel carries it once however
 * many buffer sets it comes into, of which each counts for the channel (owners.h): so its own place has less. */
static void count_tree(const struct net_shared_engine *engine, uint32_t channel,
                       const struct net_shared_packet *packet, uint32_t receivers)
{
    const struct net_owners *owners = &engine->network.owners;
    uint32_t ways = receivers & (uint32_t)((UINT64_C(1) << engine->ports) - 1);
    uint32_t row = owners->row[engine->points[engine->messages[packet->message].point].terminal];
    uint32_t own = owners->slot[engine->channels * engine->ports + channel];
    owners->sums[(size_t)row + own] +=
        (uint64_t)packet->length * (UINT64_C(1) - (uint64_t)__builtin_popcount(ways));
    for (; ways != 0; ways &= ways - 1)
        net_owners_carry(owners, row, owners->slot[channel * engine->ports + (uint32_t)__builtin_ctz(ways)],
                         packet->length, true);
}

/* To all receivers of this turn at once. Their tails come with the sender's. A copy of the cast is used,
 * since the pool of casts may move. Trees need cut-through, without early free: there is room everywhere. */
static void move_tree(struct given given, uint32_t index)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    const struct net_shared_cast cast = given.engine->casts[buffer->target & ~NET_SHARED_CASTS];
    uint32_t channel = channel_of(given, index), packet = buffer->packet;
    bool first = !net_shared_has_begun(given.engine, buffer);
    take_flit(buffer);
    bool last = net_shared_left(buffer) == 0;
    uint32_t held = net_shared_held(buffer);
    if (first)
        given.engine->tree_flits[channel] += given.engine->packets[packet].length;
    if (first && given.engine->network.owners.row != NULL)
        count_tree(given.engine, channel, &given.engine->packets[packet], cast.reserved);
    if (last && cast.pending == cast.reserved && at_source(given, index, ANYWHERE))
        tell_sent(given, index);
    for (uint32_t bits = cast.reserved; bits != 0; bits &= bits - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(bits), number = cast.buffer[receiver];
        uint32_t to = channel << given.shape.slot_bits | receiver, buffers = given.engine->first[to];
        if (buffers >= NET_SHARED_CASTS)
            given.engine->points[given.engine->point_at[to]].ejected++;
        if (buffers >= NET_SHARED_CASTS && last)
            eject(given, index, buffers + number);
        else if (buffers >= NET_SHARED_CASTS)
            continue;
        else if (first)
            arrive_copy(given, buffers + number, packet, index);
        else
            arrive_next(given, buffers + number, packet);
        if (last && buffers < NET_SHARED_CASTS)
            arrive_tail(given, index, buffers + number, packet);
    }
    if (last)
        finish(given, index, true, false, ANYWHERE);
    else
        clear_bits(given, line_of(given, index), NET_SHARED_HOLDS, bit_if(held == 0, given, index));
}

/* Headers that are tails, and trees: few. */
static __attribute__((noinline)) void move_other(const struct given *copy, uint32_t index)
{
    const struct given given = *copy;
    const struct net_shared_buffer *buffer = &given.buffer[index];
    if ((buffer->target & (NET_SHARED_CASTS | NET_SHARED_EJECTS)) == NET_SHARED_CASTS)
        move_tree(given, index);
    else
        move(given, index, true, true, (buffer->target & NET_SHARED_EJECTS) != 0, ANYWHERE);
}

/* ---- kernels ---- */

static INLINE void move_all(struct given given, const struct lists *lists, enum kind kind, bool first,
                            bool last, bool ejects)
{
    for (const uint32_t *at = lists->begin[kind]; at < lists->end[kind]; at++) {
        if (first && !given.shape.by_lanes)
            fetch_packet(given, at, lists->end[kind]);
        if (last && ejects)
            fetch_message(given, at, lists->end[kind]);
        move(given, *at, first, last, ejects, ANYWHERE);
    }
}

/* Tails, of which some leave injectors: these have their next packets at once, cut off messages that have waited
 * for long and are far away. */
static INLINE void move_tails(struct given given, const struct lists *lists)
{
    uint32_t *sources = lists->begin[MIDDLE], *others = lists->begin[LAST];
    for (const uint32_t *at = lists->begin[LAST]; at < lists->end[LAST]; at++) {
        uint32_t index = *at;
        bool source = slot_of(given, index) >= given.ports;
        *sources = *others = index;
        sources += source;
        others += !source;
        __builtin_prefetch(&given.buffer[index], 1);
    }
    for (const uint32_t *at = lists->begin[MIDDLE]; at < sources; at++)
        net_shared_fetch_head(given.engine, *at);
    for (const uint32_t *at = lists->begin[LAST]; at < others; at++)
        move(given, *at, false, true, false, IN_ROUTERS);
    for (const uint32_t *at = lists->begin[MIDDLE]; at < sources; at++)
        move(given, *at, false, true, false, AT_SOURCES);
}

/* Those of a kind that have to ask. The list ends here: they are noted again by what they turn out to be. */
static INLINE void decide_all(struct given given, struct lists *lists, enum kind kind,
                              struct net_shared_tally *tally)
{
    const uint32_t *end = lists->end[kind];
    lists->end[kind] = lists->begin[kind];
    for (const uint32_t *at = lists->begin[kind]; at < end; at++) {
        if (!given.shape.by_lanes)
            fetch_packet(given, at, end);
        bool sleeps = given.shape.by_lanes && kind == HEADER ? decide_header(given, *at, lists, tally)
                                                             : decide(given, *at, lists, tally);
        if (sleeps)
            decide_next(given, *at, lists, tally);
    }
}

/* A list has been moved, and begins again. */
static INLINE void move_and_end(struct given given, struct lists *lists, enum kind kind, bool first,
                                bool ejects, struct net_shared_tally *tally)
{
    move_all(given, lists, kind, first, false, ejects);
    tally->moved += (uint32_t)(lists->end[kind] - lists->begin[kind]);
    lists->end[kind] = lists->begin[kind];
}

/* Headers of a block with several ways that find a buffer; those that do not are left to be told so. */
static INLINE void grant_headers(struct given given, struct lists *lists)
{
    uint32_t several[SORTED_AT_ONCE];
    struct grant_lists granted = {.some = lists->end[FIRST]};
    lists->end[HEADER] = grant_some(given, lists->begin[HEADER], lists->end[HEADER], several, &granted);
    lists->end[FIRST] = granted.some;
}

/* Flits that are neither tails nor of trees, while the packets of headers are fetched, which are anywhere in memory.
 * These then may turn to flits of the kinds that have been moved: in the next block. */
static INLINE void move_block(struct given given, struct lists *lists, struct net_shared_tally *tally)
{
    for (const uint32_t *at = lists->begin[HEADER]; at < lists->end[HEADER]; at++)
        __builtin_prefetch(&given.engine->packets[given.buffer[*at].packet], 1);
    move_and_end(given, lists, MIDDLE, false, false, tally);
    move_and_end(given, lists, EJECTED, false, true, tally);
    if (given.engine->several_ways)
        grant_headers(given, lists);
    decide_all(given, lists, HEADER, tally);
    decide_all(given, lists, HEADER_LAST, tally);
    move_and_end(given, lists, FIRST, true, false, tally);
    move_and_end(given, lists, FIRST_EJECTED, true, true, tally);
}

/* Only the order within a channel counts. Tails wait until all have asked, since they free buffers, and so do all
 * flits if what they change may be read by those that ask: places, with early free or without full flags. The moves at
 * the end are of what has been found when there was no further block. */
static INLINE void run_shape(struct net_shared_engine *engine, struct shape shape,
                             struct net_shared_tally *tally)
{
    const struct given given = given_of(engine, shape), copy = given;
    static const enum kind asking[] = {HEADER, HEADER_LAST, TREE, TREE_LAST};
    struct lists lists;
    for (uint32_t kind = 0; kind < NET_SHARED_KINDS; kind++)
        lists.end[kind] = lists.begin[kind] = engine->moves + (size_t)kind * engine->channels;
    const uint32_t *end = pick_all(given, engine->winners);
    const uint32_t *last;
    tally->asked = (uint32_t)(end - engine->winners);
    for (const uint32_t *at = engine->winners; at < end; at = last) {
        last = end - at > SORTED_AT_ONCE ? at + SORTED_AT_ONCE : end;
        sort_some(given, at, last, &lists, tally);
        if (shape.by_lanes)
            move_block(given, &lists, tally);
    }
    for (uint32_t i = 0; i < sizeof asking / sizeof asking[0]; i++)
        decide_all(given, &lists, asking[i], tally);
    move_all(given, &lists, MIDDLE, false, false, false);
    move_all(given, &lists, EJECTED, false, false, true);
    move_all(given, &lists, FIRST, true, false, false);
    move_all(given, &lists, FIRST_EJECTED, true, false, true);
    move_tails(given, &lists);
    move_all(given, &lists, EJECTED_LAST, false, true, true);
    for (const uint32_t *at = lists.begin[OTHER]; at < lists.end[OTHER]; at++)
        move_other(&copy, *at);
    for (uint32_t kind = 0; kind < NET_SHARED_KINDS; kind++)
        tally->moved += (uint32_t)(lists.end[kind] - lists.begin[kind]);
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
            true,                                                                                            \
            (slot_bits) + (buffer_bits) < 6,                                                                 \
            (slot_bits) + (buffer_bits) < 6,                                                                 \
            (slot_bits) + (buffer_bits) < 6 ? NET_SHARED_LANE_BITS : 0};                                     \
        run_shape(engine, shape, tally);                                                                     \
    }
#include "netmodel/shared-engine/shapes.def"
#undef NET_SHARED_SHAPE

/* The kernel for a network's widths, if there is one. Returns whether there is. */
static bool choose_shape(struct net_shared_engine *engine)
{
#define NET_SHARED_SHAPE(name, slots, numbers)                                                               \
    if (engine->slot_bits == (slots) && engine->buffer_bits == (numbers)) {                                  \
        engine->run_cycle = run_##name;                                                                      \
        engine->by_lanes = (slots) + (numbers) < 6;                                                          \
        engine->group_bits = engine->by_lanes ? NET_SHARED_LANE_BITS : 0;                                    \
        return true;                                                                                         \
    }
#include "netmodel/shared-engine/shapes.def"
#undef NET_SHARED_SHAPE
    return false;
}

#endif
