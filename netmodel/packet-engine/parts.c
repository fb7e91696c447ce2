/* The packet-grant engine's clock where there are several parts, each of which a thread may run (threads.c). Who is
 * told what in which cycle is as with one part (cycle.c), but what a cycle is made of stands in another order, so
 * that the threads meet once a cycle and need not wait for the caller:
 *
 *     caller  │ notices of t, injection │ mail, events of t │ joins, routers of t, endings before t + 1 │ notices …
 *     others  │ mail, events of t                           │ joins, routers of t, endings before t + 1 │ mail, …
 *
 * That a packet is delivered before t + 1 is known since it began to be ejected: its part notes it then
 * (net_packet_ending), and delivers it when the routers of t have been visited. So notices need no events, and
 * the events of t + 1, which need nothing but the mail of all parts, begin as soon as those have been
 * through t. A part is the thread's that runs it, and between net_packet_threads_run and the next one what is
 * here touches only what the parts have found. */
#include <stdlib.h>

#include "netmodel/packet-engine/internal.h"

/* ---- one part ---- */

/* Once a cycle, whoever asks first: a thread that goes ahead, or one that settles. */
void net_packet_part_begin(struct net_packet_part *part, uint64_t cycle)
{
    if (part->ahead == cycle)
        return;
    part->ahead = cycle;
    uint64_t begin = net_packet_parts_clock(cycle);
    part->engine->kernel->run_events(part, cycle);
    part->begin_ns = net_packet_parts_clock(cycle) - begin;
}

/* What ends before the cycle: packets are delivered, and messages to be told noted. What was found for the cycle
 * before has been gathered. The lists change places, so that both keep their size. */
static void end_part(struct net_packet_part *part, uint64_t cycle)
{
    struct net_packet_ending *ending = net_packet_ending_at(part, cycle);
    const struct net_packet_notes told = part->sent;
    part->delivered.count = part->copies.count = part->latencies.count = 0;
    part->sent = ending->sent;
    ending->sent = told;
    ending->sent.count = 0;
    net_packet_deliver_all(part, &ending->packets, cycle);
    net_packet_fetch_messages(part, &net_packet_ending_at(part, cycle + 1)->packets);
}

/* A bit, as the wheel may have long empty stretches. */
static bool has_events(const struct net_packet_part *part, uint64_t cycle)
{
    uint32_t index = (uint32_t)cycle & part->used_mask;
    return (part->wheel_used[index / 64] >> index % 64 & 1) != 0;
}

/* Whether anything is to be done in the cycle, and how much; what others have for it they say themselves. */
static void look_ahead(struct net_packet_part *part, uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    part->work = part->active[cycle & 1].count +
                 net_packet_slot_count(&part->wheel[(uint32_t)cycle & part->wheel_mask]);
    part->goes_on = part->work != 0 || has_events(part, cycle);
    for (uint32_t to = 0; to < engine->part_count; to++)
        part->goes_on |= net_packet_mailbox_at(engine, part->number, to, cycle)->cycle == cycle;
}

/* Only right once all parts have said that their mail for the cycle is ready. */
bool net_packet_part_expects(const struct net_packet_part *part, uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    bool expects = has_events(part, cycle);
    for (uint32_t from = 0; from < engine->part_count; from++)
        expects |= net_packet_mailbox_at(engine, from, part->number, cycle)->cycle == cycle;
    return expects;
}

/* What the part writes to others for the cycle has been written. */
static void say_ready(const struct net_packet_part *part, uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    for (uint32_t to = 0; to < engine->part_count; to++)
        if (to != part->number)
            atomic_store_explicit(&net_packet_mailbox_at(engine, part->number, to, cycle)->ready, cycle,
                                  memory_order_release);
}

/* The lines of what the part will tell the caller, and of as much mail for the next cycle as there was
 * when its boxes were used last. */
static void fetch_outgoing(const struct net_packet_part *part, uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    net_fetch_to_write(&part->delivered);
    net_fetch_all_to_write(part->delivered.items, part->delivered.count * sizeof *part->delivered.items);
    net_fetch_all_to_write(part->latencies.items, part->latencies.count * sizeof *part->latencies.items);
    for (uint32_t to = 0; to < engine->part_count; to++) {
        const struct net_packet_mailbox *box = net_packet_mailbox_at(engine, part->number, to, cycle + 1);
        if (to == part->number)
            continue;
        net_fetch_to_write(box);
        net_fetch_all_to_write(box->mails, box->count * sizeof *box->mails);
    }
}

/* ready is said as early as possible: others wait for it, and nobody for what follows. */
void net_packet_part_run(struct net_packet_part *part, uint64_t cycle)
{
    net_packet_part_begin(part, cycle);
    fetch_outgoing(part, cycle);
    uint64_t begin = net_packet_parts_clock(cycle);
    net_packet_join_all(part, cycle);
    part->visited = part->active[cycle & 1].count;
    part->engine->kernel->run_routers(part, cycle);
    say_ready(part, cycle + 1);
    end_part(part, cycle + 1);
    look_ahead(part, cycle + 1);
    part->began_ns = (uint32_t)part->begin_ns;
    part->took_ns = (uint32_t)(part->begin_ns + net_packet_parts_clock(cycle) - begin);
}

/* ---- all of them ---- */

/* Afterwards the state is what one part would have at this point of the cycle, which is what everything but the
 * threads supposes. */
void net_packet_parts_settle(struct net_packet_engine *engine)
{
    if (engine->part_count == 1)
        return;
    net_packet_threads_rest(engine);
    for (uint32_t i = 0; i < engine->part_count; i++)
        net_packet_part_begin(&engine->parts[i], engine->network.now);
}

/* What ends before cycle now is told, once. It was found when the cycle before was run; or if there was
 * nothing to be run in that one, it is found here. 1: there are notices; -1: memory. */
static int tell(struct net_packet_engine *engine)
{
    uint64_t now = engine->network.now;
    if (engine->events_done)
        return 0;
    engine->events_done = true;
    if (now != engine->stepped) {
        if (now != engine->due)
            return 0;
        net_packet_threads_rest(engine);
        for (uint32_t i = 0; i < engine->part_count; i++)
            end_part(&engine->parts[i], now);
    }
    return net_packet_gather_all(engine);
}

/* Whether anything is to be done in cycle now. */
static bool has_work(const struct net_packet_engine *engine)
{
    const struct base_event *first = base_heap_first(&engine->future);
    bool any = engine->due == engine->network.now || (first != NULL && first->time <= engine->network.now);
    for (uint32_t i = 0; i < engine->part_count; i++)
        any |= engine->parts[i].joins.count != 0;
    return any;
}

/* The first cycle from `cycle` on that the parts have anything for. Unless that is this one none of them goes ahead. */
static uint64_t next_due(struct net_packet_engine *engine, uint64_t cycle)
{
    uint64_t next = NET_PACKET_NEVER;
    for (uint32_t i = 0; i < engine->part_count; i++)
        if (engine->parts[i].goes_on)
            return cycle;
    net_packet_threads_rest(engine);
    for (uint32_t i = 0; i < engine->part_count; i++) {
        uint64_t found = net_packet_part_next(&engine->parts[i], cycle);
        next = found < next ? found : next;
    }
    return next;
}

/* As with one part a cycle counts as executed if routers were visited or messages of the heap joined. -1: memory. */
static int run_cycle(struct net_packet_engine *engine)
{
    uint64_t now = engine->network.now;
    bool failed = false, executed = net_packet_join_due(engine, now);
    if (net_packet_parts_balance(engine) < 0)
        return -1;
    net_packet_threads_run(engine);
    for (uint32_t i = 0; i < engine->part_count; i++) {
        struct net_packet_part *part = &engine->parts[i];
        part->joins.count = 0;
        failed |= part->out_of_memory;
        executed |= part->visited != 0;
    }
    engine->stepped = now + 1;
    engine->due = next_due(engine, now + 1);
    engine->network.statistics.executed_cycles += executed;
    return failed ? -1 : 0;
}

/* As net_packet_engine_advance for one part. Who looks for stuck packets sees parts at rest. Notices come first,
 * as the caller may inject into this very cycle because of them. */
int net_packet_parts_advance(struct net_packet_engine *engine, uint64_t limit, struct base_error *error)
{
    struct net_network *network = &engine->network;
    for (;;) {
        int noticed = tell(engine);
        if (noticed < 0)
            return base_error_memory(error, "the network's packets");
        if (noticed == 0 && network->now >= limit && network->now >= network->standstill.next_cycle)
            net_packet_parts_settle(engine);
        if (noticed != 0 || network->now >= limit)
            return noticed;
        if (has_work(engine) && run_cycle(engine) < 0)
            return base_error_memory(error, "the network's packets");
        const struct base_event *first = base_heap_first(&engine->future);
        uint64_t next = first != NULL && first->time < engine->due ? first->time : engine->due;
        if (next == NET_PACKET_NEVER) {
            if (net_network_pending(network) != 0) {
                net_packet_parts_settle(engine);
                return net_standstill_report(network, error);
            }
            if (limit == NET_PACKET_NEVER)
                return 0;
        }
        network->now = next < limit ? next : limit;
        engine->events_done = false;
    }
}
