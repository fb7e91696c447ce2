/* Time on shared channels: which messages join their injectors when, which cycle is executed next, and when
 * nothing will ever move again. What a cycle does is in kernel.h. */
#include <stdlib.h>

#include "netmodel/shared-engine/internal.h"

#define NEVER UINT64_MAX

/* ---- messages to join ---- */

/* Most messages join in the next cycles: each of these has a list, in the order of pushing. Those of later
 * ones wait in the heap. */
int net_shared_schedule(struct net_shared_engine *engine, uint64_t cycle, uint32_t message)
{
    uint64_t join = cycle + engine->network.options.router_cycles;
    uint32_t place = join % NET_SHARED_NEAR;
    if (join - engine->network.now >= NET_SHARED_NEAR) {
        if (base_heap_push(&engine->future, join, (uint64_t)message << 1) == 0)
            return 0;
        engine->out_of_memory = true;
        return -1;
    }
    engine->messages[message].next = NET_NONE;
    if ((engine->near.used >> place & 1) != 0)
        engine->messages[engine->near.last[place]].next = message;
    else
        engine->near.first[place] = message;
    engine->near.last[place] = message;
    engine->near.used |= UINT64_C(1) << place;
    return 0;
}

/* The cycle of the next list. Bits are turned so that the one of this cycle is the lowest. */
static uint64_t next_near(const struct net_shared_engine *engine)
{
    uint32_t place = engine->network.now % NET_SHARED_NEAR;
    uint64_t used = engine->near.used, turned = used >> place | used << (-place % NET_SHARED_NEAR);
    return used != 0 ? engine->network.now + (uint32_t)__builtin_ctzll(turned) : NEVER;
}

/* Of the lists and the heap. */
static uint64_t next_event(const struct net_shared_engine *engine)
{
    const struct base_event *first = base_heap_first(&engine->future);
    uint64_t near = next_near(engine);
    return first != NULL && first->time < near ? first->time : near;
}

/* Headers of this cycle have passed the router and ask; messages are collected, those that have waited longer
 * before those of the list. Returns how many. */
static uint32_t take_due(struct net_shared_engine *engine)
{
    uint32_t count = 0, place = engine->network.now % NET_SHARED_NEAR;
    const struct base_event *first;
    while ((first = base_heap_first(&engine->future)) != NULL && first->time <= engine->network.now) {
        struct base_event event;
        base_heap_pop(&engine->future, &event);
        uint32_t index = (uint32_t)(event.payload >> 1);
        if ((event.payload & 1) == 0) {
            engine->joining[count++] = index;
            continue;
        }
        net_shared_unstall(engine, index);
    }
    if ((engine->near.used >> place & 1) == 0)
        return count;
    for (uint32_t index = engine->near.first[place]; index != NET_NONE; index = engine->messages[index].next)
        engine->joining[count++] = index;
    engine->near.used &= ~(UINT64_C(1) << place);
    return count;
}

/* Rule 2: by message number; the parts of one multicast in the order in which they were made, which is that
 * of pushing. There are few in a cycle, and mostly in order. */
static void sort_joining(struct net_shared_engine *engine, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t message = engine->joining[i], at = i;
        uint64_t number = engine->messages[message].number;
        for (; at > 0 && engine->messages[engine->joining[at - 1]].number > number; at--)
            engine->joining[at] = engine->joining[at - 1];
        engine->joining[at] = message;
    }
}

/* What is due in this cycle joins in a fixed order, whatever the order in which it was found: results must not
 * depend on the heap. Their memory is fetched ahead, all before the first is needed. */
static void settle(struct net_shared_engine *engine)
{
    if (next_event(engine) > engine->network.now)
        return;
    uint32_t count = take_due(engine);
    sort_joining(engine, count);
    for (uint32_t i = 0; i < count; i++)
        net_shared_fetch_tail(engine, engine->joining[i]);
    for (uint32_t i = 0; i < count; i++)
        net_shared_join(engine, engine->joining[i]);
}

/* ---- cycles ---- */

/* Whether some channel may have a request; else the next event is a message's or a header's. */
static bool is_active(const struct net_shared_engine *engine)
{
    for (uint32_t first = 0; first < engine->groups; first += 8)
        if (net_shared_active_from(engine->active + first) != 0)
            return true;
    return false;
}

/* The cycle to be executed next. */
static uint64_t next_cycle(const struct net_shared_engine *engine)
{
    if (is_active(engine))
        return engine->network.now;
    uint64_t event = next_event(engine);
    return event > engine->network.now ? event : engine->network.now;
}

/* Without status flags headers and flits may ask for ever in vain. Every request of a channel has had its
 * turn after so many cycles, and nothing has moved in them: nothing ever will. */
static bool stands_still(struct net_shared_engine *engine, const struct net_shared_tally *tally)
{
    if (tally->refused == 0 || tally->moved != 0 || next_event(engine) != NEVER)
        engine->vain_cycles = 0;
    else
        engine->vain_cycles++;
    return engine->vain_cycles > (uint64_t)engine->drivers * engine->widest + 1;
}

/* A channel may be visited to find that nobody asks for it any more. If that is all, no cycle has passed. */
int net_shared_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_shared_engine *engine = (struct net_shared_engine *)network;
    for (;;) {
        int before =
            net_network_before_cycle(network, engine->out_of_memory, next_cycle(engine), limit, error);
        if (before == NET_STANDS_STILL)
            return net_shared_report(engine, error);
        if (before != NET_GOES_ON)
            return before;
        struct net_shared_tally tally = {0};
        if (network->now >= engine->watch_cycle && net_shared_watch(engine, error) < 0)
            return -1;
        settle(engine);
        engine->run_cycle(engine, &tally);
        network->statistics.executed_cycles += tally.moved != 0 || tally.refused != 0;
        network->now += tally.asked != 0;
        if (stands_still(engine, &tally) && net_network_pending(network) != 0)
            return net_shared_report(engine, error);
    }
}
