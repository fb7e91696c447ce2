/* The engine of shared channels: buses that several devices drive and several listen to, one flit a cycle.
 * The rules are doc/shared-channels.md; rule numbers in comments are that page's.
 *
 *      driver ─┐                ┌─ receiver      a receiver is the buffer set of an m-way router, and a
 *      driver ─┼─►  channel  ─►─┼─ receiver      driver of the next channel there; or the ejection buffers of a
 *      driver ─┘                └─ receiver      terminal. Injectors are drivers without a receiver before.
 *
 * A cycle has two steps. In the first every channel with requests picks a winner; that changes nothing but
 * the channel's own turns, and the free buffers among its receivers, which only this channel takes. In the
 * second the winners' flits move, and whatever they change (a flit has come, a place or a buffer is free)
 * becomes a bit of some channel, for the next cycle. Both may take channels in any order, and where all that the first
 * reads is kept from the second, flits of some move before the headers of others are decided upon.
 *
 * A request is made of bits, so that an idle buffer costs nothing: a buffer asks if it holds a flit and is
 * neither stalled nor asleep. A header that finds no buffer sleeps until one of those that it looked for
 * becomes free. Whoever is woken in vain sleeps again before anything is decided, so that the rules do not
 * see any of this.
 *
 * Numbers: a channel has slots; slot s stands for driver s and for receiver s. The buffers of driver s of
 * channel c are (c << slot_bits | s) << buffer_bits | 0 .. B - 1, which is also the place of each of them in
 * the masks, 64 to a word; a channel with fewer has a word of its own:
 *
 *      ... │ slot 2: 3 2 1 0 │ slot 1: 3 2 1 0 │ slot 0: 3 2 1 0 │      buffer_bits = 2 */
#ifndef NET_SHARED_INTERNAL_H
#define NET_SHARED_INTERNAL_H

#include <string.h>

#include "base/heap.h"
#include "netmodel/engines/lines.h"
#include "netmodel/engines/engine.h"
#include "netmodel/engines/pool.h"
#include "netmodel/topologies/mway.h"

#define NET_SHARED_SLOTS_MAX 32
#define NET_SHARED_EJECTS (UINT32_C(1) << 31) /* of a target: slot << 4 | number of the ejection buffer */
#define NET_SHARED_CASTS (UINT32_C(1) << 30)  /* of a target: a place in the pool of casts */
#define NET_SHARED_NO_PORT 255
#define NET_SHARED_KINDS 11 /* of winners: decide.h */
#define NET_SHARED_AHEAD 16 /* winners, for fetching: decide.h */
#define NET_SHARED_NEAR 64u /* cycles ahead for which messages to join are kept in lists */

/* What a cycle reads and changes of a channel: masks of its places, in as many words as they need. Words have
 * 32 bits where a channel has no more places, else 64.
 *
 * Where a kernel picks for channels in the lanes of a vector, the words of one mask of all channels lie together. What
 * flits change at other channels is kept apart there until these pick their next winners, so that flits may move
 * while others are still decided upon. Elsewhere the masks of a channel lie together, for each word of its places. */
enum net_shared_mask {
    NET_SHARED_HOLDS,   /* a driver's buffer: has a flit of the packet at its head, or has it in the router */
    NET_SHARED_STALLED, /* likewise: no place for it (rule 3), or its header is still within the router */
    NET_SHARED_SLEEPING, /* likewise: its header waits for a receiver */
    NET_SHARED_FREE,     /* a receiver's buffer: may be allocated */
    NET_SHARED_AFTER,    /* a driver's buffer: at or after the driver's turn (rule 4), none as good as all */
    NET_SHARED_TURN, /* in the first word of a channel: from the driver on whose turn it is (rule 4), none as
                            good as all; where a channel has several words its place, no mask */
    NET_SHARED_OLD_AFTER, /* these two as they were before the winner of this cycle */
    NET_SHARED_OLD_TURN,
    NET_SHARED_ARRIVED, /* a driver's buffer: has got a flit, and holds one at the next pick; this and the next one are
                           only where masks lie by lanes */
    NET_SHARED_PLACES, /* likewise: there is a place for its next flit, and it is not stalled any more */
    NET_SHARED_MASKS,
    NET_SHARED_LINE =
        NET_SHARED_ARRIVED /* words of a channel that lie together, for each word of its places */
};
#define NET_SHARED_PADDED 64 /* to a multiple of so many channels there are masks, at least eight groups */

/* Sixteen bytes, four in a cache line. Of the packet at the head of the buffer; an injector has all flits of
 * its packet from the beginning. The packet itself is looked at for headers and tails only. */
struct net_shared_buffer {
    uint32_t packet; /* NET_NONE: empty */
    uint32_t target; /* a buffer, or with one of the flags above; NET_NONE: the header has not moved */
    uint32_t feeder; /* the buffer that it came from last, or comes from; an injector's: itself */
    /* of flits: those that are here and not sent, and from bit 16 on all that are not sent */
    uint32_t counts;
};

/* With early free a buffer holds the packets behind its head, too. A packet that is in two buffers is the
 * head of one and the last of the other: there it has its `next`, here what is behind it is kept. */
struct net_shared_queue {
    uint32_t last;    /* packet */
    uint32_t next;    /* behind a head whose header has left */
    uint16_t arrived; /* flits of the last */
    uint16_t flits;   /* of all */
};

/* A header that goes to several receivers. */
struct net_shared_cast {
    uint32_t pending;                     /* receivers that it has still to reach */
    uint32_t reserved;                    /* of those: in which it has a buffer */
    uint32_t narrow;                      /* receivers where it may not take high buffers (rule 10) */
    uint32_t next;                        /* free one */
    uint8_t buffer[NET_SHARED_SLOTS_MAX]; /* in each reserved receiver */
};

/* What a header may take where it is, asked for once a channel: the routing's tiers, or for one at its
 * last channel a tier of ejection buffers. No bits where there are fewer tiers. Where masks lie by lanes
 * these are the places themselves, to be compared with those that are free; elsewhere, where a channel may
 * have many, what makes them. */
struct net_shared_choice {
    union {
        uint32_t places[NET_TIERS_MAX];   /* by lanes: of buffers of receivers, in the channel's word */
        uint32_t receiver[NET_TIERS_MAX]; /* else: masks of receivers */
    };
    uint16_t buffers[NET_TIERS_MAX]; /* else: masks of the buffers of each of them */
};

/* What headers look at comes first. */
struct net_shared_packet {
    uint64_t header; /* the routing's, at the channel where it is */
    uint64_t ready;  /* cycle from which on its header may move where it is */
    struct net_shared_choice choice;
    uint32_t worst_channel, worst_cycles; /* of its journey */
    union {
        uint32_t next; /* in its buffer, with early free, which trees do not know; or the next free packet */
        uint32_t references; /* of a tree: buffers that hold it */
    };
    uint32_t message; /* slot in the pool of messages */
    uint32_t number;  /* in its message */
    uint16_t length, hops;
    uint8_t slot;     /* of the receiver at its last channel */
    bool tree : 1;    /* of a multicast that spreads within the network */
    bool awaited : 1; /* somebody is to be told when it has left its source */
};
_Static_assert(sizeof(struct net_shared_packet) == 64, "a packet is one cache line");

/* One cache line, too: in overload most messages wait at their sources, and are far away when their turn comes. */
struct net_shared_message {
    uint64_t number, key, tag, generated; /* key: base_hash(seed, number) */
    uint32_t next;                        /* in the injector's queue; or the next free one */
    uint32_t point, target;               /* points on its first and last channel */
    uint32_t packets, packets_made, packets_done;
    uint32_t multicast;  /* that it is a part of; NET_NONE: none */
    uint16_t last_flits; /* of the last packet; all others have as many as possible */
    uint8_t port;        /* by which a tree of messages has come to its last channel, or NET_SHARED_NO_PORT */
    bool tree : 1;       /* its packets spread from the first channel */
    bool notice_sent : 1;
};
_Static_assert(sizeof(struct net_shared_message) == 64, "a message is one cache line");

struct net_shared_multicast {
    uint64_t number, key, tag, generated, flits;
    uint64_t copies;        /* still to be delivered */
    uint32_t source, root;  /* terminals; spreading begins at the root */
    uint32_t to_send;       /* packets of a tree, or messages, that the source has not sent yet */
    uint32_t packets, next; /* of each copy; next free one */
    uint32_t *received;     /* [member of the box] packets; NULL: one packet, or copies come as messages */
    uint32_t *plan; /* [2 * channel] receivers of a tree, and which are narrow; NULL: as the box says */
    bool notice_sent;
};

/* Of unicasts whose headers have gone to a receiver. All flits of a packet are counted with its header; those that
 * are still to come are taken off when somebody asks. */
struct net_shared_crossing {
    uint64_t flits;
    uint64_t waits; /* cycles for the channel (doc/shared-channels.md, waited for) */
};

/* Where a processor is on a channel: one point for each processor, two for those inside m-way routers. */
struct net_shared_point {
    uint32_t channel, terminal; /* which joins which */
    uint32_t next_injector;     /* rule 2 */
    uint32_t slot;              /* as a driver, whose buffers are its injectors, and as a receiver */
    uint64_t injected;          /* flits of packets that have become heads of its injectors */
    uint64_t ejected;           /* flits of trees */
};

struct net_shared_injector {
    uint32_t first, last; /* messages with packets to be made */
    uint32_t point;
};

/* What a cycle has done: channels that were asked for, those whose winner was refused, flits that moved. */
struct net_shared_tally {
    uint32_t asked, refused, moved;
};

struct net_shared_engine {
    struct net_network network; /* first: the common head */
    uint32_t channels, ports, buffers, widest, slots, slot_bits, buffer_bits, dimensions;
    uint32_t capacity, largest; /* flits of a buffer, and of a packet */
    uint32_t drivers; /* that the fullest channel has; widest: buffers that one of them has at most */
    uint32_t injectors, consumers;
    bool early_free;   /* option: a buffer is free when its tail has come */
    bool several_ways; /* many headers have, of which the one with most free buffers is taken */
    bool asks_for_buffers, asks_for_places; /* the status flags */
    uint32_t word_bits, words;              /* of the masks: buffers in a word; words of a channel */
    bool by_lanes;                          /* so that the kernel picks for several channels at once */
    size_t lines;     /* words of one mask of all channels, and of those that there are not */
    uint64_t *wide;   /* [net_shared_place_of(line = channel * words + word, mask)]; NULL: in narrow */
    uint32_t *narrow; /* the same in words of 32 bits */
    struct net_shared_buffer *buffer;
    struct net_shared_queue *queue; /* [buffer], only with early free */
    uint32_t *fields;               /* by lanes: [mask of receivers] places of buffer 0 of each of them */
    uint32_t *first; /* [channel << slot_bits | receiver] buffer 0, as a target; NET_NONE: no receiver */
    struct net_shared_crossing *crossed; /* [the same] */
    uint64_t *waiting;   /* [(the same) * words + word] headers that wait for it, and maybe others */
    uint8_t *active;     /* [group, of channels, to the padded end] 1: one has requests, or maybe none */
    uint32_t groups;     /* in multiples of eight */
    uint32_t group_bits; /* channels of a group, looked at together: by lanes those of a vector, else one */
    uint32_t *visited;   /* [groups + 1] those that are looked at in this cycle */
    /* [channels, padded, and more to be fetched] buffers that have won their channels in this cycle */
    uint32_t *winners;
    uint32_t *moves; /* [NET_SHARED_KINDS * channels] buffers whose flit moves in this cycle, by kind */
    void (*run_cycle)(struct net_shared_engine *engine, struct net_shared_tally *tally);

    struct net_shared_point *points; /* [point_count], by terminal */
    uint32_t point_count;
    uint32_t *first_point;                /* [terminals + 1] */
    uint32_t *point_at;                   /* [channel << slot_bits | receiver slot]: point, or NET_NONE */
    struct net_shared_injector *injector; /* [point * injectors + i] */
    uint32_t *coordinates;                /* [channel * dimensions + d] */

    struct { /* messages to join in the next cycles, by cycle modulo NET_SHARED_NEAR */
        uint64_t used;
        uint32_t first[NET_SHARED_NEAR], last[NET_SHARED_NEAR];
    } near;
    struct base_heap future; /* messages to join later, and headers on their way through a router */
    uint32_t *joining;       /* [joining_capacity] messages of this cycle, as many as the pool has room for */
    uint32_t joining_capacity;

    struct net_shared_packet *packets;       /* pools, by number: packets in the network, */
    struct net_shared_message *messages;     /* messages not delivered, */
    struct net_shared_cast *casts;           /* headers of trees that wait or are being copied */
    struct net_shared_multicast *multicasts; /* not delivered to all */
    uint32_t *boxes;                         /* [multicast][low, high][dimensions] */
    uint32_t narrow_buffers;                 /* of a set: that a tree on rings may take everywhere */
    struct net_pool packet_pool, message_pool, cast_pool;
    uint32_t multicast_count, multicast_capacity, free_multicast;
    uint64_t copies_inside; /* packets of unicasts, and of multicasts each copy, injected and not delivered */

    uint64_t vain_cycles; /* in a row, in which there were requests and nothing moved */
    uint64_t *tree_flits; /* [channel] of trees whose header has crossed it */
    /* [channel << slot_bits | receiver] of trees, with the header; with early free of all packets whose tail has
     * come, as links count there. */
    uint64_t *other_flits;
    uint64_t *channel_flits;
    uint64_t *channel_waits; /* [channel] of all its receivers */
    uint64_t *stuck;         /* [buffer] bit of a header that can never move: standstill.c */
    uint64_t watch_cycle;    /* from which on these are looked for again */
    bool out_of_memory;
    void *state; /* all arrays above that have a comment with their length, but those of points */
};

/* Counts of a buffer: flits held, and flits left to be sent, here or still to come. Both are of one word,
 * since every flit that is sent changes both. */
static inline uint32_t net_shared_counts(uint32_t held, uint32_t left)
{
    return held | left << 16;
}

static inline uint32_t net_shared_held(const struct net_shared_buffer *buffer)
{
    return buffer->counts & UINT16_MAX;
}

static inline uint32_t net_shared_left(const struct net_shared_buffer *buffer)
{
    return buffer->counts >> 16;
}

static inline uint32_t net_shared_buffer_at(const struct net_shared_engine *engine, uint32_t channel,
                                            uint32_t slot, uint32_t number)
{
    return (channel << engine->slot_bits | slot) << engine->buffer_bits | number;
}

static inline uint32_t net_shared_channel_of(const struct net_shared_engine *engine, uint32_t buffer)
{
    return buffer >> (engine->slot_bits + engine->buffer_bits);
}

static inline uint32_t net_shared_slot_of(const struct net_shared_engine *engine, uint32_t buffer)
{
    return buffer >> engine->buffer_bits & ((UINT32_C(1) << engine->slot_bits) - 1);
}

static inline uint32_t net_shared_number_of(const struct net_shared_engine *engine, uint32_t buffer)
{
    return buffer & ((UINT32_C(1) << engine->buffer_bits) - 1);
}

/* The bit of a buffer in the masks of its line. */
static inline uint64_t net_shared_bit(const struct net_shared_engine *engine, uint32_t buffer)
{
    return UINT64_C(1) << (buffer & ((UINT32_C(1) << engine->word_bits) - 1));
}

static inline size_t net_shared_place_of(const struct net_shared_engine *engine, size_t line,
                                         enum net_shared_mask mask)
{
    return engine->by_lanes ? mask * engine->lines + line : line * NET_SHARED_LINE + mask;
}

/* A mask of the line in which a buffer is; its bit there set or cleared; some bits of it cleared. */
static inline uint64_t net_shared_mask_of(const struct net_shared_engine *engine, uint32_t buffer,
                                          enum net_shared_mask mask)
{
    size_t at = net_shared_place_of(engine, buffer >> engine->word_bits, mask);
    return engine->narrow != NULL ? engine->narrow[at] : engine->wide[at];
}

static inline void net_shared_set(struct net_shared_engine *engine, uint32_t buffer,
                                  enum net_shared_mask mask)
{
    size_t at = net_shared_place_of(engine, buffer >> engine->word_bits, mask);
    if (engine->narrow != NULL)
        engine->narrow[at] |= (uint32_t)net_shared_bit(engine, buffer);
    else
        engine->wide[at] |= net_shared_bit(engine, buffer);
}

static inline void net_shared_clear(struct net_shared_engine *engine, size_t line, enum net_shared_mask mask,
                                    uint64_t bits)
{
    size_t at = net_shared_place_of(engine, line, mask);
    if (engine->narrow != NULL)
        engine->narrow[at] &= ~(uint32_t)bits;
    else
        engine->wide[at] &= ~bits;
}

/* The channel is looked at in the next pick. */
static inline void net_shared_activate(struct net_shared_engine *engine, uint32_t channel)
{
    engine->active[channel >> engine->group_bits] = 1;
}

/* A header that has waited for a place, or for its way through the router, asks again. */
static inline void net_shared_unstall(struct net_shared_engine *engine, uint32_t buffer)
{
    net_shared_clear(engine, buffer >> engine->word_bits, NET_SHARED_STALLED, net_shared_bit(engine, buffer));
    net_shared_activate(engine, net_shared_channel_of(engine, buffer));
}

/* The free buffers of a receiver, from bit 0 on. */
static inline uint32_t net_shared_free_of(const struct net_shared_engine *engine, uint32_t channel,
                                          uint32_t receiver)
{
    uint32_t first = net_shared_buffer_at(engine, channel, receiver, 0);
    uint32_t place = first & ((UINT32_C(1) << engine->word_bits) - 1);
    return (uint32_t)(net_shared_mask_of(engine, first, NET_SHARED_FREE) >> place) &
           ((UINT32_C(1) << (1u << engine->buffer_bits)) - 1);
}

/* Of a message of so many flits, cut into so many packets: flits of the last one. */
static inline uint16_t net_shared_last_flits(const struct net_shared_engine *engine, uint64_t flits,
                                             uint32_t packets)
{
    return (uint16_t)(flits - (uint64_t)(packets - 1) * engine->largest);
}

/* By lanes: the places of the receiver of which a place is. */
static inline uint32_t net_shared_field_of(const struct net_shared_engine *engine, uint32_t place)
{
    const uint32_t size = UINT32_C(1) << engine->buffer_bits;
    return ((UINT32_C(1) << size) - 1) << (place & (0 - size));
}

/* All receivers that a header may take. */
static inline uint32_t net_shared_receivers(const struct net_shared_engine *engine,
                                            const struct net_shared_choice *choice)
{
    uint32_t all = choice->receiver[0] | choice->receiver[1] | choice->receiver[2], receivers = 0;
    if (!engine->by_lanes)
        return all;
    while (all != 0) {
        uint32_t place = (uint32_t)__builtin_ctz(all);
        receivers |= UINT32_C(1) << (place >> engine->buffer_bits);
        all &= ~net_shared_field_of(engine, place);
    }
    return receivers;
}

/* Buffers of one tier of a receiver; those of tiers that there are not are no bits. */
static inline uint32_t net_shared_in_tier(const struct net_shared_engine *engine,
                                          const struct net_shared_choice *choice, uint32_t receiver,
                                          uint32_t tier)
{
    if (engine->by_lanes) {
        uint32_t place = receiver << engine->buffer_bits;
        return (choice->places[tier] & net_shared_field_of(engine, place)) >> place;
    }
    return choice->buffers[tier] & (0 - (choice->receiver[tier] >> receiver & 1));
}

/* Whether flits of the packet at the head have gone on, to all receivers of this turn. */
static inline bool net_shared_has_begun(const struct net_shared_engine *engine,
                                        const struct net_shared_buffer *buffer)
{
    if ((buffer->target & NET_SHARED_CASTS) == 0)
        return true;
    return buffer->target != NET_NONE && net_shared_left(buffer) != engine->packets[buffer->packet].length;
}

/* The buffers of a receiver that the header of a tree may take. */
static inline uint32_t net_shared_cast_buffers(const struct net_shared_engine *engine,
                                               const struct net_shared_cast *cast, uint32_t receiver)
{
    return (cast->narrow >> receiver & 1) != 0 ? engine->narrow_buffers : UINT32_MAX;
}

/* Flits in a buffer, of all its packets. */
static inline uint32_t net_shared_flits_in(const struct net_shared_engine *engine, uint32_t buffer)
{
    return engine->early_free ? engine->queue[buffer].flits : net_shared_held(&engine->buffer[buffer]);
}

/* Eight groups' entries: that of the first in the lowest byte. */
static inline uint64_t net_shared_active_from(const uint8_t *active)
{
    uint64_t bytes;
    memcpy(&bytes, active, sizeof bytes);
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(bytes) : bytes;
}

/* The buffer requests its channel from the next pick on. */
static inline void net_shared_request(struct net_shared_engine *engine, uint32_t buffer)
{
    net_shared_set(engine, buffer, NET_SHARED_HOLDS);
    net_shared_activate(engine, net_shared_channel_of(engine, buffer));
}

/* A receiver has a buffer, or a place in one, that it had not: whoever waits for it asks again. */
static inline void net_shared_wake(struct net_shared_engine *engine, uint32_t channel, uint32_t receiver)
{
    uint64_t *waiting = &engine->waiting[(size_t)(channel << engine->slot_bits | receiver) * engine->words];
    for (uint32_t word = 0; word < engine->words; word++)
        if (waiting[word] != 0) {
            net_shared_clear(engine, (size_t)channel * engine->words + word, NET_SHARED_SLEEPING,
                             waiting[word]);
            waiting[word] = 0;
            net_shared_activate(engine, channel);
        }
}

/* The message of which an injector's next packet will be is fetched. */
static inline void net_shared_fetch_head(const struct net_shared_engine *engine, uint32_t buffer)
{
    uint32_t point = engine->point_at[buffer >> engine->buffer_bits];
    uint32_t first = engine->injector[point * engine->injectors + net_shared_number_of(engine, buffer)].first;
    if (first != NET_NONE)
        __builtin_prefetch(&engine->messages[first], 1);
}

/* The last message in the queue that a message is about to join is fetched. */
static inline void net_shared_fetch_tail(const struct net_shared_engine *engine, uint32_t message)
{
    uint32_t point = engine->messages[message].point;
    uint32_t last = engine->injector[point * engine->injectors + engine->points[point].next_injector].last;
    if (last != NET_NONE)
        __builtin_prefetch(&engine->messages[last], 1);
}

/* The kernel for a network's widths, and where its masks are: see cycle.c. The second is for processors with
 * AVX2; false: this is none, or there is no kernel. */
void net_shared_choose_kernel(struct net_shared_engine *engine);
bool net_shared_choose_avx2(struct net_shared_engine *engine);

/* Executes cycles; see net_network_advance. */
int net_shared_advance(struct net_network *network, uint64_t limit, struct base_error *error);

/* Pools: -1 sets out_of_memory. A new one moves the pool: no pointer into it survives. */
int net_shared_new_message(struct net_shared_engine *engine, uint32_t *index);
/* For the header of a tree at the head of a buffer: its receivers become the buffer's target. */
int net_shared_make_cast(struct net_shared_engine *engine, uint32_t buffer);
void net_shared_free_cast(struct net_shared_engine *engine, uint32_t index);
/* Puts a message into the queue of an injector of its point (rule 2). */
void net_shared_join(struct net_shared_engine *engine, uint32_t message);
/* The next packet of an injector's queue becomes its head, if there is one, and asks in that cycle. */
void net_shared_make_head(struct net_shared_engine *engine, uint32_t buffer, uint64_t cycle);
/* The tail of the packet has left an injector. */
void net_shared_left_source(struct net_shared_engine *engine, const struct net_shared_packet *packet);
/* The tail of the packet has crossed to the ejection buffer of a point. */
void net_shared_deliver(struct net_shared_engine *engine, uint32_t packet, uint32_t point);
/* A buffer has given the packet up. */
void net_shared_release(struct net_shared_engine *engine, uint32_t packet);
/* A message joins its injector in that cycle. -1 sets out_of_memory. */
int net_shared_schedule(struct net_shared_engine *engine, uint64_t cycle, uint32_t message);

/* The receivers of a tree's header that has come to a channel in this slot (rule 10), and those of them where it
 * may not take high buffers. */
uint32_t net_shared_tree(const struct net_shared_engine *engine, uint32_t multicast, uint32_t channel,
                         uint32_t slot, uint32_t *narrow);
/* The plan of a tree that follows from more than the box. -1: memory. */
int net_shared_plan(struct net_shared_engine *engine, uint32_t index, const struct net_multicast *asked);
enum net_multicasts net_shared_multicasts(const struct net_topology *topology,
                                          const struct net_routing *routing,
                                          const struct net_options *options, const char **obstacle);
int net_shared_multicast(struct net_network *network, uint64_t cycle, const struct net_multicast *multicast,
                         struct base_error *error);
/* A message that is a part of a multicast has been delivered: it may have to be passed on. */
void net_shared_pass_on(struct net_shared_engine *engine, uint32_t message);
/* A terminal has one more packet of a copy that comes by the tree. */
void net_shared_count_copy(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal);

int net_shared_check(const struct net_network *network, struct base_error *error);
/* Some headers can never move again, or nothing moves and packets are left: always -1. */
int net_shared_report(struct net_shared_engine *engine, struct base_error *error);
/* The header of the packet that holds that buffer of a receiver, if it waits; NET_NONE: it is not known to.
 */
uint32_t net_shared_holder(const struct net_shared_engine *engine, uint32_t channel, uint32_t receiver,
                           uint32_t number);

/* Why a stuck header cannot move: a receiver of its channel, and a header (its buffer) that holds a buffer
 * there. */
struct net_shared_obstacle {
    uint32_t receiver, holder; /* holder: the buffer where its header waits */
};
/* Marks all headers that can never move. Returns how many. */
uint32_t net_shared_find_stuck(struct net_shared_engine *engine);
bool net_shared_is_stuck(const struct net_shared_engine *engine, uint32_t buffer);
/* Of a header that waits: false, it may still move as far as the headers marked are concerned. */
bool net_shared_find_obstacle(const struct net_shared_engine *engine, uint32_t buffer,
                              struct net_shared_obstacle *obstacle);
/* Looks for them, every NET_STANDSTILL_CYCLES cycles. -1: found, and said. */
int net_shared_watch(struct net_shared_engine *engine, struct base_error *error);

#endif
