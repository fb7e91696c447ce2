/* The packet-grant engine's kernel: the time wheel, and the room that headers sleep for.
 *
 * What all parts of a kernel share is here, too. The parts are headers because each function is inlined into the
 * kernels that kernel.c makes, and is included by nothing else. */
#ifndef NET_PACKET_KERNEL_ROOM_H
#define NET_PACKET_KERNEL_ROOM_H

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/packet-engine/faults.h"
#include "netmodel/packet-engine/internal.h"

#define INLINE inline __attribute__((always_inline))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define AHEAD NET_PACKET_AHEAD
#define BIT(number) (UINT64_C(1) << (number))

/* What does not change while a kernel runs: literals, and copies. */
struct net_packet_setting {
    struct net_packet_shape shape; /* a literal in kernels of their own */
    struct net_packet_constants constants;
    char *state; /* block of router 0 */
    /* while all packets have one length: the slot of those that start in this cycle */
    struct net_packet_slot *ends;
    /* where links fail: the router that is visited is one that no fault has changed, and has no ring packets */
    bool healthy;
    struct net_packet_fault_router *here; /* of the router that is visited, if it is none of those */
};

/* For a function that is not inlined: clang keeps in memory what such a function is given, and reads it
 * there again, literals too. So it is given a copy, and what the kernel itself uses stays literals. */
#define APART(given)                                                                                         \
    ((struct net_packet_setting){(given).shape, (given).constants, (given).state, (given).ends,              \
                                 (given).healthy, (given).here})

/* All outputs of the link that has the output. */
static INLINE uint64_t link_outputs(uint32_t local, const struct net_packet_setting given)
{
    return (BIT(given.shape.channels) - 1) << (local - local % given.shape.channels);
}

/* All outputs of the links that carry a packet: what is granted and does not wait for its link's turn. Of two channels
 * without a loop. */
static INLINE uint64_t carrying(const struct net_packet_router *router, const struct net_packet_setting given)
{
    uint64_t started = router->busy & ~router->ready, all = 0;
    const uint64_t lower = UINT64_C(0x5555555555555555);
    if (given.shape.channels == 2)
        return started | (started & lower) << 1 | (started >> 1 & lower);
    for (; started != 0; started &= ~all)
        all |= link_outputs((uint32_t)__builtin_ctzll(started), given);
    return all;
}

/* Its number in the topology; for a shape that is known without a division. */
static INLINE uint32_t router_number(uint32_t block, const struct net_packet_setting given)
{
    return block / (uint32_t)net_packet_shape_stride(given.shape);
}

/* Of the packet that an entry is of; while all have one length nothing has to be looked up. */
static INLINE uint32_t length_of(uint64_t rest, const struct net_packet_setting given)
{
    return given.shape.even ? given.constants.largest : net_packet_entry_length(rest);
}

/* ---- where links fail ---- */

/* The number of the re-injection queue among the drivers. */
static INLINE uint32_t reinjection_queue(const struct net_packet_setting given)
{
    return net_packet_shape_links(given.shape) + given.shape.injectors;
}

/* The number of the re-injection channel among the outputs. */
static INLINE uint32_t reinjection_channel(const struct net_packet_setting given)
{
    return net_packet_shape_links(given.shape) + given.shape.consumers;
}

/* Whether the rules of faults are for the router that is visited: for all of its heads, which is always right, since of
 * healthy ones they say what the base's rules say. */
static INLINE bool is_changed(const struct net_packet_setting given)
{
    return given.shape.failing && !given.healthy;
}

/* What the faults have made of a router. */
static INLINE struct net_packet_fault_router *fault_router(const struct net_packet_part *part, uint32_t block,
                                                           const struct net_packet_setting given)
{
    return &part->engine->faults->router[router_number(block, given)];
}

/* ---- the time wheel ---- */

/* Another chunk for a slot whose last one is full. A failure is noted and told by advance, so that the hot loop need
 * not return one; where the event is written then does not matter, since the run ends. */
static __attribute__((noinline)) void grow_slot(struct net_packet_part *part, struct net_packet_slot *slot)
{
    struct net_packet_chunk *chunk = part->free_chunk;
    if (chunk != NULL)
        part->free_chunk = chunk->next;
    else
        chunk = calloc(1, sizeof *chunk);
    if (chunk == NULL) {
        part->out_of_memory = true;
        slot->last = slot->last != NULL ? slot->last : part->overflow;
        slot->count = 0;
        return;
    }
    chunk->next = chunk;
    if (slot->last != NULL) {
        chunk->next = slot->last->next;
        slot->last->next = chunk;
        slot->full++;
    }
    slot->last = chunk;
    slot->count = 0;
}

/* A slot whose events are done keeps its first chunk, which saves asking for it in every turn; not on a
 * long wheel, most of whose slots are empty at any time. */
static INLINE void empty_slot(struct net_packet_part *part, struct net_packet_slot *slot)
{
    bool keep = part->wheel_mask < NET_PACKET_CHUNK;
    if (slot->full != 0 || !keep)
        net_packet_empty_slot(part, slot, keep);
    slot->count = keep ? 0 : NET_PACKET_CHUNK;
}

/* What is noted in the slot: how many events there have been before in its last chunk. */
static INLINE uint32_t put_event(struct net_packet_part *part, struct net_packet_slot *slot,
                                 enum net_packet_event kind, uint32_t block, uint32_t local, uint32_t driver)
{
    if (UNLIKELY(slot->count == NET_PACKET_CHUNK))
        grow_slot(part, slot);
    uint32_t count = slot->count++;
    slot->last->places[count] = block | local;
    slot->last->drivers[count] =
        (uint8_t)((uint32_t)kind << (NET_PACKET_EVENT_KIND - NET_PACKET_EVENT_HIGH) | driver);
    return count;
}

/* That the slot is not empty, for whoever looks for the next cycle with events. */
static INLINE void use_slot(struct net_packet_part *part, uint64_t cycle)
{
    uint32_t index = (uint32_t)cycle & part->used_mask;
    part->wheel_used[index / 64] |= BIT(index % 64);
}

/* Notes an event of an output for a cycle less than a whole turn of the wheel ahead, which every end of a
 * packet and every crossing is. The bit of the slot is what next_event finds, so that empty cycles are
 * skipped a word at a time.
 */
static INLINE void schedule(struct net_packet_part *part, uint64_t cycle, enum net_packet_event kind,
                            uint32_t block, uint32_t local, uint32_t driver)
{
    if (put_event(part, &part->wheel[(uint32_t)cycle & part->wheel_mask], kind, block, local, driver) == 0)
        use_slot(part, cycle);
}

/* The end of a packet that starts in the cycle. While all packets have one length these ends all go into one slot, and
 * it is seen to once, when all have started (run_routers). */
static INLINE void schedule_end(struct net_packet_part *part, uint64_t cycle, uint32_t length, uint32_t block,
                                uint32_t local, uint32_t driver, const struct net_packet_setting given)
{
    if (given.shape.even)
        put_event(part, given.ends, NET_PACKET_EVENT_END, block, local, driver);
    else
        schedule(part, cycle + length, NET_PACKET_EVENT_END, block, local, driver);
}

/* ---- room, needs and sleepers (rule 6) ---- */

/* On a ring the driver with the output's own number is the buffer that continues it: it may use the last free
 * place; whoever enters must leave one. Packets are counted with the largest length there, so that the free
 * place fits whatever comes next. Counted from net_packet_plenty, as spare is. */
static INLINE int32_t need_of(const struct net_packet_setting given, uint32_t local, uint32_t driver,
                              uint32_t length)
{
    if ((given.constants.rings >> local & 1) == 0)
        return (int32_t)length - (int32_t)given.constants.largest;
    return driver == local ? -(int32_t)given.constants.largest : 0;
}

/* What a grant takes from the room and the end of the packet's departure gives back. On a ring that is a whole
 * place, however short the packet: both sides must use the same number, or the room drifts. */
static INLINE int32_t reservation(const struct net_packet_setting given, uint64_t bit, uint32_t length)
{
    bool whole = given.shape.even || (given.constants.rings & bit) != 0;
    return (int32_t)(whole ? given.constants.largest : length);
}

/* What comes back with the packet that leaves a buffer. */
static INLINE int32_t reserved_by(const struct net_packet_part *part, uint32_t block, uint32_t local,
                                  uint32_t length, const struct net_packet_setting given)
{
    if (!given.shape.even && given.shape.failing &&
        (net_packet_block_at(given.state, block)->special >> local & 1) != 0 &&
        (fault_router(part, block, given)->padded >> local & 1) != 0)
        return (int32_t)given.constants.largest;
    return reservation(given, BIT(local), length);
}

/* Every change of the room that an event or a grant makes goes through these two, so that headers find in one mask
 * which outputs have plenty: any packet fits where the bit is clear, also one that enters a ring. */
static INLINE void take_room(struct net_packet_router *router, uint64_t bit, struct net_packet_output *output,
                             int32_t flits)
{
    output->spare -= flits;
    router->tight |= bit & -(uint64_t)(output->spare < 0);
}

/* The mask is right before and after: `tight` holds just the outputs whose room is below what any packet may need. */
static INLINE void give_room(struct net_packet_router *router, uint64_t bit, struct net_packet_output *output,
                             int32_t flits)
{
    output->spare += flits;
    router->tight &= ~bit | -(uint64_t)(output->spare < 0);
}

/* The room in a cycle: while a packet leaves the next buffer it grows by the flits that have left, a flit a
 * cycle since the departure, without any event. It cannot grow beyond what the end of the departure makes of
 * it: that comes in the cycle in which the last flit is counted. */
static INLINE int32_t room_at(const struct net_packet_output *output, uint64_t cycle,
                              const struct net_packet_setting given)
{
    if (given.shape.even || output->departing == 0)
        return output->spare;
    return output->spare + (uint16_t)(cycle - output->departure);
}

/* Who sleeps on a free output and may have room there now. While places are counted that is known of each of them:
 * if there is one place only, of who goes on along the ring (in routers that faults have changed, of any of them); else
 * it is known of the least need. */
static INLINE uint64_t sleepers_with_room(const struct net_packet_router *router,
                                          const struct net_packet_output *output, uint32_t local,
                                          uint64_t cycle, const struct net_packet_setting given)
{
    if (!given.shape.even)
        return room_at(output, cycle, given) >= output->need_least ? output->waiting : 0;
    if (output->spare >= 0)
        return output->waiting;
    bool place = output->spare + (int32_t)given.constants.largest >= 0;
    if (given.shape.failing && UNLIKELY(router->special != 0))
        return place && (given.constants.rings >> local & 1) != 0 ? output->waiting : 0;
    return place ? output->waiting & given.constants.rings & BIT(local) : 0;
}

/* Wakes the drivers, which sleep on the output, in this cycle. Masks of outputs that a driver no longer wants may
 * still name it: it is then evaluated once more for nothing. Drivers whose head got a grant elsewhere in the
 * meantime are not eligible, and stay out. */
static INLINE void wake(const struct net_packet_visit at, struct net_packet_output *output, uint64_t drivers,
                        const bool ejection, const struct net_packet_setting given)
{
    output->waiting &= ~drivers;
    if (!ejection &&
        !given.shape.even) { /* an ejection channel has no room, and something else in its place */
        output->need_least = NET_PACKET_NEED_NONE;
        output->wake_counts = false;
    }
    drivers &= at.router->eligible;
    if (drivers != 0)
        net_packet_make_pending(at, drivers);
}

/* A free output with sleepers whose next buffer is being left: wakes them in the cycle in which the room
 * reaches the least need, unless the end of the departure comes first (that wakes them anyway). Only one timed
 * wake-up counts, the earliest; those that it replaces stay in the wheel and are found to be void by their
 * cycle. The room may stand below zero: the shortfall is a signed number. */
static INLINE void schedule_crossing(const struct net_packet_visit at, uint32_t local,
                                     struct net_packet_output *output, const struct net_packet_setting given)
{
    if (given.shape.even) /* which has no such departures */
        return;
    int32_t shortfall = output->need_least - output->spare;
    if (output->need_least == NET_PACKET_NEED_NONE || shortfall <= 0 || shortfall >= output->departing)
        return;
    uint64_t crossing = at.cycle - (uint16_t)(at.cycle - output->departure) + (uint32_t)shortfall;
    if (output->wake_counts && (uint16_t)(output->wake - at.cycle) <= (uint16_t)(crossing - at.cycle))
        return;
    output->wake = (uint16_t)crossing;
    output->wake_counts = true;
    schedule(at.part, crossing, NET_PACKET_EVENT_WAKE, at.block, local, 0);
}

/* The next buffer's packet has left: what it had reserved is free. When the output is busy its own end event sees to
 * the sleepers. */
static INLINE void return_credit(const struct net_packet_visit at, uint32_t local,
                                 struct net_packet_output *output, int32_t flits,
                                 const struct net_packet_setting given)
{
    if (!given.shape.even)
        output->departing = 0;
    give_room(at.router, BIT(local), output, flits);
    if (output->waiting == 0 || (at.router->busy >> local & 1) != 0)
        return;
    uint64_t drivers = sleepers_with_room(at.router, output, local, at.cycle, given);
    if (drivers != 0)
        wake(at, output, drivers, false, given);
}

/* The next buffer's packet begins to leave. Likewise. */
static INLINE void begin_departure(const struct net_packet_visit at, uint32_t local,
                                   struct net_packet_output *output, uint32_t length, uint64_t start,
                                   const struct net_packet_setting given)
{
    output->departure = (uint16_t)start;
    output->departing = (uint16_t)length;
    if (output->waiting != 0 && (at.router->busy >> local & 1) == 0)
        schedule_crossing(at, local, output, given);
}

#endif
