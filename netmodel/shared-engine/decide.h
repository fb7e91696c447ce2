/* What the winners of a cycle's channels do: they are sorted by what their flit is, and headers get buffers or give
 * way to the next winner. Rules 3 to 6 of doc/shared-channels.md. For kernel.h alone. */
#ifndef NET_SHARED_DECIDE_H
#define NET_SHARED_DECIDE_H

#include "netmodel/shared-engine/ask.h"
#include "netmodel/shared-engine/pick.h"

/* What a winner's flit is: 1 for the packet's last, and above it the upper bits of its buffer's target. Headers,
 * and whatever is of a tree, need an answer (ASKS); then they are FIRST of a packet to a way or a terminal, or
 * OTHER: trees, and headers that are tails, too. */
enum kind {
    MIDDLE,        /* to a buffer of a way, behind a header */
    LAST,          /* the same, and the packet's tail */
    TREE,          /* of a multicast that spreads within the network */
    TREE_LAST,     /* its tail */
    EJECTED,       /* to a terminal */
    EJECTED_LAST,  /* its tail */
    HEADER,        /* target not known yet */
    HEADER_LAST,   /* of a packet of one flit */
    FIRST,         /* a header that has got a buffer of a way */
    FIRST_EJECTED, /* a header that has got an ejection buffer */
    OTHER,         /* headers that are tails, and trees */
    ASKS = TREE
};
_Static_assert(OTHER + 1 == NET_SHARED_KINDS, "a list for each kind");
_Static_assert(FIRST_EJECTED == FIRST + 1, "what a header becomes is a sum");

/* Where the moves of each kind are noted, and where the next one will be. */
struct lists {
    uint32_t *begin[NET_SHARED_KINDS], *end[NET_SHARED_KINDS];
};

/* Of a buffer with something to send. */
static INLINE uint32_t kind_of(const struct net_shared_buffer *buffer)
{
    return buffer->target >> 30 << 1 | (uint32_t)(buffer->counts < net_shared_counts(0, 2));
}

static INLINE void add(struct lists *lists, enum kind kind, uint32_t index)
{
    *lists->end[kind]++ = index;
}

/* A header of a packet that goes on or is ejected, by what its move changes; one that is the tail as well, or a
 * tree's, is looked at by the general list. */
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

#define BITS 8 /* of the number of winners of a kind, while at most so many are sorted */
#define SORTED_AT_ONCE 128
_Static_assert((HEADER_LAST + 1) * BITS == 64, "a field for each kind that a winner may be");

/* Winners into the lists of their kinds. The lists' lengths are fields of one word: in memory each would be
 * read as soon as it is written. */
static INLINE void sort_some(struct given given, const uint32_t *at, const uint32_t *end, struct lists *lists,
                             struct net_shared_tally *tally)
{
    uint64_t lengths = 0;
    for (; at < end; at++) {
        const struct net_shared_buffer *buffer = &given.buffer[*at];
        uint32_t kind = kind_of(buffer), shift = kind * BITS;
        __builtin_prefetch(&given.buffer[at[NET_SHARED_AHEAD]], 1);
        __builtin_prefetch(
            &given.buffer[buffer->target & (0 - (uint32_t)(buffer->target < NET_SHARED_CASTS))], 1);
        if ((kind & ASKS) == 0 && lacks_place(given, buffer->target)) {
            tally->refused++;
            continue;
        }
        lists->end[kind][lengths >> shift & ((1 << BITS) - 1)] = *at;
        lengths += UINT64_C(1) << shift;
    }
    for (uint32_t kind = 0; kind <= HEADER_LAST; kind++)
        lists->end[kind] += lengths >> kind * BITS & ((1 << BITS) - 1);
}

/* The winner has to ask, or is to move if that is all. Returns whether it sleeps. */
static INLINE bool decide(struct given given, uint32_t index, struct lists *lists,
                          struct net_shared_tally *tally)
{
    const struct net_shared_buffer *buffer = &given.buffer[index];
    bool begun = (buffer->target & NET_SHARED_CASTS) == 0;
    enum answer answer = !begun ? ask(given, index) : lacks_place(given, buffer->target) ? REFUSED : MOVES;
    if (answer == REFUSED)
        tally->refused++;
    else if (answer == MOVES && begun)
        add(lists, kind_of(buffer), index);
    else if (answer == MOVES)
        add_header(lists, buffer, index);
    return answer == SLEEPS;
}

/* Headers that find no buffer go to sleep, which is no turn, and the next one on the channel is asked. */
static INLINE void decide_next(struct given given, uint32_t index, struct lists *lists,
                               struct net_shared_tally *tally)
{
    uint32_t channel = channel_of(given, index);
    do {
        turn_back(given, index);
        const struct winner winner = next_winner(given, channel);
        if (winner.index == NET_NONE)
            return;
        turn_if(true, given, channel, &winner);
        index = winner.index;
    } while (decide(given, index, lists, tally));
}

/* The same for a header by lanes that is no tree's and no tail. */
static INLINE bool decide_header(struct given given, uint32_t index, struct lists *lists,
                                 struct net_shared_tally *tally)
{
    const struct net_shared_buffer *buffer = &given.buffer[index];
    enum answer answer = ask_places(given, index, &given.engine->packets[buffer->packet].choice);
    if (answer == REFUSED)
        tally->refused++;
    else if (answer == MOVES)
        add(lists, buffer->target < NET_SHARED_CASTS ? FIRST : FIRST_EJECTED, index);
    return answer == SLEEPS;
}

#endif
