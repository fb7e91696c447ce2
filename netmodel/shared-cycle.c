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
 * predicts. Picking has no branch on it either: it is a sum of bits which list a winner goes to, and those
 * that have to ask for a buffer are one more list, looked at when all others have been picked.
 *
 * Functions that take what is given (shared-masks.h) are inlined into a kernel for each line of
 * shared-shapes.def, where the shape is a literal and widths, words and options are folded; one more copy,
 * with the shape of the network, serves all others. Where the compiler can, all of this is compiled once more
 * for processors with BMI2 (shared-kernels.c). */
#include <stdlib.h>

#include "netmodel/shared-headers.h"

/* Of a winner's flit behind the header: 1 for a tail, and 2 to a terminal. Winners that are ASKING, headers and
 * whatever is of a tree, need an answer; then they are FIRST of a packet to a way or a terminal, or OTHER:
 * trees, and headers that are tails, too. */
enum kind { MIDDLE, LAST, EJECTED, EJECTED_LAST, ASKING, FIRST, FIRST_EJECTED, OTHER };
_Static_assert(OTHER + 1 == NET_SHARED_KINDS, "a list for each kind");

/* ---- the first pass: who drives the channel ---- */

/* Where the moves of each kind are noted, and where the next one will be. */
struct lists {
    uint32_t *begin[NET_SHARED_KINDS], *end[NET_SHARED_KINDS];
};

static INLINE uint32_t kind_of(const struct net_shared_buffer *buffer)
{
    uint32_t upper = buffer->target >> 30, asks = upper & 1, tail = net_shared_left(buffer) == 1;
    return asks * ASKING | (((upper & 2) | tail) & (asks - 1));
}

static INLINE void add(struct lists *lists, enum kind kind, uint32_t index)
{
    *lists->end[kind]++ = index;
}

static INLINE void add_header(struct lists *lists, const struct net_shared_buffer *buffer, uint32_t index)
{
    uint32_t upper = buffer->target >> 30;
    bool tail = net_shared_left(buffer) == 1;
    add(lists, tail || upper == 1 ? OTHER : upper == 0 ? FIRST : FIRST_EJECTED, index);
}

/* Without full flags a flit behind a header may find its buffer full (rule 6). With them its request means
 * that there is a place. */
static INLINE bool lacks_place(struct given given, uint32_t target)
{
    return !given.shape.places && target < NET_SHARED_CASTS && flits_in(given, target) >= given.capacity;
}

/* The channels to be visited, as a list: how many of eight there are no processor predicts. Returns its end,
 * which is written, too. */
static INLINE uint32_t *list_active(struct given given, uint32_t *list)
{
    for (uint32_t first = 0; first < given.engine->channels; first += 8) {
        if (net_shared_active_from(given.active + first) == 0)
            continue;
        for (uint32_t i = 0; i < 8; i++) {
            *list = first + i;
            list += given.active[first + i];
        }
    }
    return list;
}

/* Channels become their winners, in place. One that nobody asks for is not visited again: place 0 stands for
 * the winner that there is not, until the next one takes its entry. Returns the new end. */
static INLINE uint32_t *pick_all(struct given given, uint32_t *list, const uint32_t *end)
{
    uint32_t *to = list;
    for (const uint32_t *at = list; at < end; at++) {
        uint32_t channel = *at;
        const struct net_shared_masks *masks = channel_masks_of(given, channel);
        if (given.shape.words == 1) {
            uint64_t asking = requests(masks), nobody = asking == 0;
            uint32_t place = first_from(asking | nobody, masks->turn);
            *to = winner_in(given, channel, 0, asking | nobody, place).index;
            to += nobody ^ 1;
            given.active[channel] = (uint8_t)(nobody ^ 1);
        } else {
            *to = next_winner(given, channel).index;
            given.active[channel] = *to != NET_NONE;
            to += *to != NET_NONE;
        }
    }
    return to;
}

#define BITS 12 /* of the number of winners of a kind, while at most so many are sorted */
#define SORTED_AT_ONCE ((1 << BITS) - 1)

/* Winners into the lists of their kinds, of which there are five here. Their turns move, unless they have to
 * ask, which may end in no turn. The lists' lengths are fields of one word: in memory each would be read as
 * soon as it is written, which takes longer than all the rest. */
static INLINE void sort_some(struct given given, const uint32_t *at, const uint32_t *end, struct lists *lists,
                             struct net_shared_tally *tally)
{
    uint64_t lengths = 0;
    for (; at < end; at++) {
        const struct net_shared_buffer *buffer = &given.buffer[*at];
        const struct winner winner = winner_of(given, *at);
        uint32_t kind = kind_of(buffer), shift = kind * BITS;
        turn_if(kind != ASKING, given, channel_of(given, *at), &winner);
        if (kind != ASKING && lacks_place(given, buffer->target)) {
            tally->refused++;
            continue;
        }
        lists->end[kind][lengths >> shift & SORTED_AT_ONCE] = *at;
        lengths += UINT64_C(1) << shift;
    }
    for (uint32_t kind = 0; kind <= ASKING; kind++)
        lists->end[kind] += lengths >> kind * BITS & SORTED_AT_ONCE;
}

/* The winner has to ask. Headers that find no buffer go to sleep, which is no turn, and the next one is
 * asked. A channel that nobody asks for any more is not visited again. */
static INLINE void decide(struct given given, uint32_t index, struct lists *lists,
                          struct net_shared_tally *tally)
{
    for (;;) {
        const struct net_shared_buffer *buffer = &given.buffer[index];
        bool begun = (buffer->target & NET_SHARED_CASTS) == 0;
        enum answer answer =
            !begun ? ask(given, index) : lacks_place(given, buffer->target) ? REFUSED : MOVES;
        const struct winner winner =
            answer == SLEEPS ? next_winner(given, channel_of(given, index)) : winner_of(given, index);
        if (answer != SLEEPS)
            turn_if(true, given, channel_of(given, index), &winner);
        else if (winner.index == NET_NONE)
            given.active[channel_of(given, index)] = 0;
        if (answer == REFUSED)
            tally->refused++;
        else if (answer == MOVES && begun)
            add(lists, kind_of(buffer), index);
        else if (answer == MOVES)
            add_header(lists, buffer, index);
        if (answer != SLEEPS || winner.index == NET_NONE)
            return;
        index = winner.index;
    }
}

/* Headers and tails look at their packets, which are anywhere in memory: that of the one that comes so many
 * entries later is fetched now. Behind the end of a list there are entries of earlier cycles, or zeros. */
static INLINE void fetch_ahead(struct given given, const uint32_t *at)
{
    __builtin_prefetch(&given.engine->packets[given.buffer[at[NET_SHARED_AHEAD]].packet]);
}

/* Only the order within a channel counts: all channels' winners first, then those that have to ask. The list
 * is kept where OTHERs will be noted, when it has been read. */
static INLINE void decide_all(struct given given, struct lists *lists, struct net_shared_tally *tally)
{
    uint32_t *list = lists->begin[OTHER], *end = pick_all(given, list, list_active(given, list));
    tally->asked = end > list;
    for (; end - list > SORTED_AT_ONCE; list += SORTED_AT_ONCE)
        sort_some(given, list, list + SORTED_AT_ONCE, lists, tally);
    sort_some(given, list, end, lists, tally);
    for (const uint32_t *at = lists->begin[ASKING]; at < lists->end[ASKING]; at++) {
        fetch_ahead(given, at);
        decide(given, *at, lists, tally);
    }
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
    buffer->counts++;
    request(given, index);
}

/* The tail has come into a buffer of a way: its link has carried the packet. */
static INLINE void arrive_tail(struct given given, uint32_t index, uint32_t target, uint32_t packet)
{
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

/* A flit has left a buffer that holds so many now and will have sent `left` more: if it was full and the tail has still to come, its feeder
 * has been waiting for this place. */
static INLINE void give_place(struct given given, uint32_t feeder, uint32_t held, uint32_t left)
{
    bool waited = (held + 1 == given.capacity) & (held < left);
    masks_of(given, feeder)->stalled &= ~bit_if(waited, given, feeder);
    given.active[channel_of(given, feeder)] |= waited;
}

/* That the message is sent is told before it is delivered, since nothing is known of it afterwards. */
static INLINE void tell_sent(struct given given, uint32_t index, bool all)
{
    if (slot_of(given, index) >= given.ports && all)
        net_shared_left_source(given.engine, &given.engine->packets[given.buffer[index].packet]);
}

/* One flit less in the buffer. Both counts are greater than 0, and neither borrows from the other. */
static INLINE void take_flit(struct net_shared_buffer *buffer)
{
    buffer->counts -= net_shared_counts(1, 1);
}

/* Moves a flit of a packet that is no tree's. What it is, is literal in all calls but one. */
static INLINE void move(struct given given, uint32_t index, bool first, bool last, bool ejects)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    uint32_t packet = buffer->packet, target = buffer->target, feeder = buffer->feeder;
    take_flit(buffer);
    const uint32_t held = net_shared_held(buffer), left = net_shared_left(buffer);
    struct net_shared_masks *masks = masks_of(given, index);
    bool leaves_queue = given.shape.early && slot_of(given, index) < given.ports;
    channel_masks_of(given, channel_of(given, index))->flits++;
    if (leaves_queue)
        leave_queue(given.engine, index, first);
    if (first)
        count_header(given, index, &given.engine->packets[packet]);
    if (last)
        tell_sent(given, index, true);
    if (ejects)
        eject(given, index, target, last);
    else if (first)
        arrive_header(given, target, packet, index);
    else
        arrive_next(given, target, packet);
    if (last && !ejects)
        arrive_tail(given, index, target, packet);
    if (last) {
        finish(given, index, false, ejects);
    } else {
        masks->holds &= ~bit_if(held == 0, given, index);
        if (given.shape.places && !ejects)
            masks->stalled |= bit_if(flits_in(given, target) == given.capacity, given, index);
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
    uint32_t channel = channel_of(given, index), packet = buffer->packet;
    bool first = !net_shared_has_begun(given.engine, buffer);
    take_flit(buffer);
    bool last = net_shared_left(buffer) == 0;
    uint32_t held = net_shared_held(buffer);
    channel_masks_of(given, channel)->flits++;
    if (last)
        tell_sent(given, index, cast.pending == cast.reserved);
    for (uint32_t bits = cast.reserved; bits != 0; bits &= bits - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(bits), number = cast.buffer[receiver];
        uint32_t buffers = given.engine->first[channel << given.shape.slot_bits | receiver];
        if (buffers == NET_NONE)
            eject(given, index, receiver << 4 | number, last);
        else if (first)
            arrive_copy(given, buffers + number, packet, index);
        else
            arrive_next(given, buffers + number, packet);
        if (last && buffers != NET_NONE)
            arrive_tail(given, index, buffers + number, packet);
    }
    if (last)
        finish(given, index, true, false);
    else
        masks_of(given, index)->holds &= ~bit_if(held == 0, given, index);
}

/* Headers that are tails, and trees: few. */
static __attribute__((noinline)) void move_other(const struct given *copy, uint32_t index)
{
    const struct given given = *copy;
    const struct net_shared_buffer *buffer = &given.buffer[index];
    if ((buffer->target & (NET_SHARED_CASTS | NET_SHARED_EJECTS)) == NET_SHARED_CASTS)
        move_tree(given, index);
    else
        move(given, index, true, true, (buffer->target & NET_SHARED_EJECTS) != 0);
}

/* ---- kernels ---- */

static INLINE void move_all(struct given given, const struct lists *lists, enum kind kind, bool first,
                            bool last, bool ejects)
{
    for (const uint32_t *at = lists->begin[kind]; at < lists->end[kind]; at++) {
        if (first || last)
            fetch_ahead(given, at);
        move(given, *at, first, last, ejects);
    }
}

static INLINE void run_shape(struct net_shared_engine *engine, struct shape shape,
                             struct net_shared_tally *tally)
{
    const struct given given = given_of(engine, shape), copy = given;
    struct lists lists;
    for (uint32_t kind = 0; kind < NET_SHARED_KINDS; kind++)
        lists.end[kind] = lists.begin[kind] = engine->moves + (size_t)kind * engine->channels;
    decide_all(given, &lists, tally);
    move_all(given, &lists, MIDDLE, false, false, false);
    move_all(given, &lists, LAST, false, true, false);
    move_all(given, &lists, EJECTED, false, false, true);
    move_all(given, &lists, EJECTED_LAST, false, true, true);
    move_all(given, &lists, FIRST, true, false, false);
    move_all(given, &lists, FIRST_EJECTED, true, false, true);
    for (const uint32_t *at = lists.begin[OTHER]; at < lists.end[OTHER]; at++)
        move_other(&copy, *at);
    for (uint32_t kind = 0; kind < NET_SHARED_KINDS; kind++)
        if (kind != ASKING)
            tally->moved += (uint32_t)(lists.end[kind] - lists.begin[kind]);
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
