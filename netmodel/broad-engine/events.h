/* The time wheels of the broad engine, and the sleepers that its events wake. Only cycle.c includes this.
 *
 *      event:   kind 2 │ … │ length 16 ║ driver or output 32 bits */
#ifndef NET_BROAD_ENGINE_EVENTS_H
#define NET_BROAD_ENGINE_EVENTS_H

#include "base/grow.h"
#include "netmodel/broad-engine/internal.h"

enum broad_event {
    EVENT_ASK,    /* the head of the driver may ask */
    EVENT_DEPART, /* a packet of that length is seen to leave the next buffer of the output */
    EVENT_CREDIT, /* its tail is seen to have left */
    EVENT_WAKE,   /* the room reaches the least need of the sleepers */
};
#define EVENT_LENGTH 32
#define EVENT_KIND 62

static inline uint64_t event_of(enum broad_event kind, uint32_t length, uint32_t of)
{
    return (uint64_t)kind << EVENT_KIND | (uint64_t)length << EVENT_LENGTH | of;
}

/* Slots keep their size from turn to turn, so that they stop growing after warm-up. A failure is noted and told by
 * advance: the event is lost then, but nobody sees what comes of that. */
static __attribute__((noinline)) int grow_slot(struct net_broad_engine *engine, struct net_broad_slot *slot)
{
    if (base_grow_32(&slot->items, &slot->capacity, slot->count + 1, sizeof *slot->items) == 0)
        return 0;
    engine->out_of_memory = true;
    return -1;
}

/* Less than a turn ahead, which packets and latencies all are (engine.c). */
static inline void schedule(struct net_broad_engine *engine, struct net_broad_wheel *wheel, uint64_t cycle,
                            uint64_t item)
{
    struct net_broad_slot *slot = &wheel->slots[cycle & engine->wheel_mask];
    uint32_t index = (uint32_t)cycle & engine->used_mask;
    if (slot->count == slot->capacity && grow_slot(engine, slot) < 0)
        return;
    slot->items[slot->count++] = item;
    wheel->used[index / 64] |= UINT64_C(1) << index % 64;
}

/* The slot of a cycle, which is done with; NULL: it is empty. */
static inline struct net_broad_slot *take_slot(const struct net_broad_engine *engine,
                                               struct net_broad_wheel *wheel, uint64_t cycle)
{
    struct net_broad_slot *slot = &wheel->slots[cycle & engine->wheel_mask];
    uint32_t index = (uint32_t)cycle & engine->used_mask;
    wheel->used[index / 64] &= ~(UINT64_C(1) << index % 64);
    return slot->count != 0 ? slot : NULL;
}

/* The first cycle from `cycle` on whose slot is not empty: a word at a time, one turn at most. */
static uint64_t next_slot(const struct net_broad_engine *engine, const struct net_broad_wheel *wheel,
                          uint64_t cycle)
{
    for (uint32_t ahead = 0; ahead <= engine->used_mask;) {
        uint32_t index = (uint32_t)(cycle + ahead) & engine->used_mask;
        uint64_t word = wheel->used[index / 64] >> index % 64;
        if (word != 0)
            return cycle + ahead + (uint32_t)__builtin_ctzll(word);
        ahead += 64 - index % 64;
    }
    return NET_BROAD_NEVER;
}

/* ---- who is to be looked at ---- */

/* A cycle is this one or the next; the lists of both are told apart by parity. */
static inline void visit(struct net_broad_engine *engine, uint32_t router, uint64_t cycle)
{
    uint32_t parity = cycle & 1;
    if (engine->router[router].listed[parity])
        return;
    engine->router[router].listed[parity] = true;
    engine->active[parity][engine->active_count[parity]++] = router;
}

/* The head asks when its router is visited in that cycle, this one or the next. */
static inline void make_pending(struct net_broad_engine *engine, uint32_t router, uint32_t driver,
                                uint64_t cycle)
{
    engine->pending[cycle & 1][(size_t)router * engine->words + driver / 64] |= UINT64_C(1) << driver % 64;
    visit(engine, router, cycle);
}

/* All who sleep on the output ask in the cycle. Drivers whose heads got something else in the meantime are not
 * eligible, and stay out. All of them, though the room may do for one only: who finds nothing sleeps again. */
static void wake(struct net_broad_engine *engine, struct net_broad_output *output, uint64_t cycle)
{
    uint64_t *sleepers = &engine->sleepers[(size_t)(output - engine->output) * engine->words];
    size_t first = (size_t)output->router * engine->words;
    uint64_t any = 0;
    for (uint32_t i = 0; i < engine->words; i++) {
        uint64_t drivers = sleepers[i] & engine->eligible[first + i];
        engine->pending[cycle & 1][first + i] |= drivers;
        sleepers[i] = 0;
        any |= drivers;
    }
    output->need = NET_BROAD_NEED_NONE;
    output->wake = NET_BROAD_NEVER;
    if (any != 0)
        visit(engine, output->router, cycle);
}

/* An output that is free has sleepers: they ask in the cycle if there is room for the least need; else when that is
 * reached, if a departure on its way does it before its end, which is looked at anyway. An event that was noted
 * for a later cycle than the new one stays in the wheel, and is void when it comes. */
static void look_again(struct net_broad_engine *engine, struct net_broad_output *output, uint64_t cycle)
{
    if (output->busy || output->need == NET_BROAD_NEED_NONE)
        return;
    if (output->next_driver == NET_NONE || net_broad_room(output, cycle) >= output->need) {
        wake(engine, output, cycle);
        return;
    }
    uint32_t shortfall = (uint32_t)(output->need - output->room);
    uint64_t crossing = output->since + shortfall;
    if (shortfall > output->leaving || crossing <= cycle || output->wake <= crossing)
        return;
    output->wake = crossing;
    schedule(engine, &engine->events, crossing, event_of(EVENT_WAKE, 0, (uint32_t)(output - engine->output)));
}

/* Every change of the room goes through here, so that heads find in one small mask which channels have plenty. */
static inline void change_room(struct net_broad_engine *engine, struct net_broad_output *output,
                               int32_t flits)
{
    uint32_t port = output->local / engine->virtual_channels;
    uint32_t channel = output->local % engine->virtual_channels;
    struct net_broad_port *link = &engine->port[(size_t)output->router * engine->ports + port];
    int32_t plenty = (int32_t)(engine->largest << (link->rings >> channel & 1));
    output->room += flits;
    link->tight = (uint16_t)((link->tight & ~(1U << channel)) | (unsigned)(output->room < plenty) << channel);
}

#endif
