/* The packet-grant engine's clock where there is one part (of several: parts.c). A cycle t, of which only what has
 * something to do is done:
 *
 *     events of t        what ends frees what it held                              net_packet_kernel.run_events
 *     notices            what was delivered or sent is told; the caller may inject into t      begin_cycle
 *     injection          messages of cycle t are to join their injectors                       net_packet_join_due
 *     routers            they do; heads ask, outputs grant, links start            net_packet_kernel.run_routers
 *     next cycle         t + 1 if a router is pending for it, else the next event, mail or message */
#include <stdlib.h>

#include "base/grow.h"
#include "netmodel/packet-engine/faults.h"
#include "netmodel/packet-engine/internal.h"

/* ---- mail ---- */

/* Boxes keep their size, as the slots of the wheel do. A box belongs to one writer and one reader, and to one
 * cycle of the ring: no lock is needed, since the reader comes when all have written. */
void net_packet_post(struct net_packet_part *part, uint32_t to, uint64_t cycle,
                     const struct net_packet_mail *mail)
{
    struct net_packet_mailbox *box = net_packet_mailbox_at(part->engine, part->number, to, cycle);
    if (box->cycle != cycle) { /* what it had has been read */
        box->cycle = cycle;
        box->count = 0;
    }
    if (box->count == box->capacity &&
        base_grow_32(&box->mails, &box->capacity, box->count + 1, sizeof *box->mails) < 0) {
        part->out_of_memory = true;
        return;
    }
    box->mails[box->count++] = *mail;
}

/* ---- time ---- */

/* The chunks of a slot go back to the pool; all, or all but the first. */
void net_packet_empty_slot(struct net_packet_part *part, struct net_packet_slot *slot, bool keep)
{
    struct net_packet_chunk *first = slot->last->next, *rest = keep ? first->next : first;
    slot->last->next = part->free_chunk;
    part->free_chunk = rest;
    slot->last = keep ? first : NULL;
    first->next = keep ? first : first->next;
    slot->full = 0;
}

/* Messages whose cycle has come are to enter their injectors, in the order of their numbers. The heap gives equal
 * cycles in the order of insertion, that is of the messages' numbers. Returns whether there are any. */
bool net_packet_join_due(struct net_packet_engine *engine, uint64_t cycle)
{
    const struct base_event *first;
    bool any = false;
    while ((first = base_heap_first(&engine->future)) != NULL && first->time <= cycle) {
        struct base_event event;
        base_heap_pop(&engine->future, &event);
        net_packet_engine_join(engine, (uint32_t)event.payload);
        any = true;
    }
    return any;
}

/* The first cycle after `cycle` with an event in the wheel, or NET_PACKET_NEVER. The wheel is a ring of words: the
 * search goes a word at a time, and ends after one turn, since no event is further ahead. */
static uint64_t next_event(const struct net_packet_part *part, uint64_t cycle)
{
    uint32_t size = part->used_mask + 1;
    for (uint32_t ahead = 1; ahead <= size;) {
        uint32_t index = (uint32_t)(cycle + ahead) & part->used_mask;
        uint64_t word = part->wheel_used[index / 64] >> (index % 64);
        if (word != 0)
            return cycle + ahead + (uint32_t)__builtin_ctzll(word);
        ahead += 64 - index % 64;
    }
    return NET_PACKET_NEVER;
}

/* The first cycle after `cycle` that a part has written mail for. At most a turn of the ring of boxes is looked
 * at: mail is never for later. */
static uint64_t next_mail(const struct net_packet_part *part, uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    uint32_t slots = engine->mail_mask + 1;
    for (uint32_t ahead = 1; part->out != NULL && ahead <= slots; ahead++)
        for (uint32_t to = 0; to < engine->part_count; to++)
            if (net_packet_mailbox_at(engine, part->number, to, cycle + ahead)->cycle == cycle + ahead)
                return cycle + ahead;
    return NET_PACKET_NEVER;
}

/* Of one part: the earliest of its events and its mail. */
uint64_t net_packet_part_next(const struct net_packet_part *part, uint64_t cycle)
{
    uint64_t event = next_event(part, cycle), mail = next_mail(part, cycle);
    return event < mail ? event : mail;
}

/* The next cycle in which anything can happen. Pending routers come first: nothing can be earlier than the next
 * cycle. */
static uint64_t next_cycle(const struct net_packet_engine *engine, uint64_t cycle)
{
    if (engine->parts[0].active[(cycle + 1) & 1].count != 0)
        return cycle + 1;
    uint64_t next = net_packet_part_next(&engine->parts[0], cycle);
    const struct base_event *first = base_heap_first(&engine->future);
    if (engine->faults != NULL) {
        uint64_t control = net_packet_faults_next(engine, cycle + 1);
        next = control < next ? control : next;
    }
    return first != NULL && first->time < next ? first->time : next;
}

/* ---- cycles ---- */

/* Whether there is anything to be told, which in light traffic there seldom is. */
static bool has_found(const struct net_packet_part *part)
{
    return part->out_of_memory ||
           (part->latencies.count | part->sent.count | part->delivered.count | part->copies.count) != 0;
}

/* First what all parts have sent, then what was delivered: a message of one part may end in another. */
int net_packet_gather_all(struct net_packet_engine *engine)
{
    int result = 0;
    if (engine->part_count > 1)
        net_packet_fetch_found(engine);
    for (uint32_t i = 0; i < engine->part_count; i++)
        result |= net_packet_gather(engine, &engine->parts[i]);
    for (uint32_t i = 0; i < engine->part_count; i++)
        result |= net_packet_gather_delivered(engine, &engine->parts[i]);
    return result < 0 ? -1 : engine->network.notice_count != 0;
}

/* Handles the events of cycle now: 1 when notices are due. Once for each cycle, although the caller may stop
 * and come back in the middle of it. */
static int begin_cycle(struct net_packet_engine *engine)
{
    struct net_packet_part *part = &engine->parts[0];
    uint64_t now = engine->network.now;
    if (engine->events_done)
        return 0;
    engine->kernel->run_events(part, now);
    net_packet_deliver_all(part, &part->arrived, now);
    engine->events_done = true;
    return has_found(part) ? net_packet_gather_all(engine) : 0;
}

/* Whether cycle `now` must be executed; a caller may have injected into it since its events were handled. */
static bool cycle_has_work(const struct net_packet_engine *engine, uint64_t cycle)
{
    if (engine->parts[0].active[cycle & 1].count != 0 || engine->parts[0].joins.count != 0)
        return true;
    if (engine->faults != NULL && net_packet_faults_next(engine, cycle) == cycle)
        return true;
    const struct base_event *first = base_heap_first(&engine->future);
    return first != NULL && first->time <= cycle;
}

/* Visits the routers that have something to decide. A cycle counts as executed if there are any, or
 * messages of the heap join; that a message waits behind others is nothing to execute. */
static int run_cycle(struct net_packet_engine *engine, uint64_t cycle)
{
    struct net_packet_part *part = &engine->parts[0];
    if (engine->faults != NULL && engine->faults->data.next <= cycle)
        net_packet_faults_settle(engine, cycle);
    bool executed = net_packet_join_due(engine, cycle);
    net_packet_join_all(part, cycle);
    part->joins.count = 0;
    executed |= part->active[cycle & 1].count != 0;
    engine->kernel->run_routers(part, cycle);
    engine->network.statistics.executed_cycles += executed;
    return part->out_of_memory ? -1 : 0;
}

/* Executes cycles until something is to be told or the limit is reached. Only when nothing is pending, no event
 * is due and no message is to come can packets inside be stuck for ever: then it is a deadlock, found without
 * a time-out. */
int net_packet_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    if (engine->part_count > 1)
        return net_packet_parts_advance(engine, limit, error);
    for (;;) {
        int noticed = begin_cycle(engine);
        if (noticed < 0)
            return base_error_memory(error, "the network's packets");
        if (noticed != 0 || network->now >= limit)
            return noticed;
        if (cycle_has_work(engine, network->now) && run_cycle(engine, network->now) < 0)
            return base_error_memory(error, "the network's packets");
        if (engine->faults != NULL && engine->faults->data.error.status != 0) {
            *error = engine->faults->data.error;
            return -1;
        }
        uint64_t next = next_cycle(engine, network->now);
        if (next == NET_PACKET_NEVER) {
            if (net_network_pending(network) != 0)
                return net_standstill_report(network, error);
            if (limit == NET_PACKET_NEVER)
                return 0;
        }
        network->now = next < limit ? next : limit;
        engine->events_done = false;
    }
}
