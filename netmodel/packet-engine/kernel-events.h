/* The packet-grant engine's kernel: what the end of a packet frees, and whom it wakes. */
#ifndef NET_PACKET_KERNEL_EVENTS_H
#define NET_PACKET_KERNEL_EVENTS_H

#include "netmodel/packet-engine/kernel-mail.h"

/* ---- end events ---- */

/* The packet's tail has left its driver: the place it had reserved there is free, the next packet may ask. An
 * injector has no buffer behind it and no room to give back: it makes its next packet instead. */
static INLINE void release_driver(const struct net_packet_visit at, uint32_t local,
                                  const struct net_packet_setting given)
{
    struct net_packet_line *line = net_packet_line_at(at.router, local);
    struct net_packet_driver *driver = &line->driver;
    uint32_t length = given.shape.even ? given.constants.largest : driver->departing;
    driver->departing = 0;
    if (local >= net_packet_shape_links(given.shape)) {
        if (given.shape.failing && local == reinjection_queue(given)) {
            may_ask(at, local, net_packet_entry_packet(driver->head.rest) == NET_PACKET_NO_PACKET);
            return;
        }
        if (line->notice != NET_NONE)
            net_packet_tell_sent(at.part, line->notice);
        line->notice = NET_NONE;
        net_packet_make_head(at.part, at.block, local, at.cycle);
        return;
    }
    may_ask(at, local, net_packet_entry_packet(driver->head.rest) == NET_PACKET_NO_PACKET);
    uint32_t source = line->source;
    if (!source_at_hand(at.router, local, given))
        return; /* it has had mail, and counts on the place itself */
    struct net_packet_router *upstream = net_packet_block_at(given.state, source);
    return_credit((struct net_packet_visit){at.part, upstream, source, at.cycle}, local,
                  net_packet_output_at(upstream, local), reserved_by(at.part, at.block, local, length, given),
                  given);
}

/* Rule 25 of doc/faults.md: a packet has left by the re-injection channel, and stands behind those that came before. */
static __attribute__((noinline)) void reinject(const struct net_packet_visit at, uint32_t index,
                                               const struct net_packet_setting given)
{
    const struct net_packet_engine *engine = at.part->engine;
    const uint32_t router = router_number(at.block, given), queue = reinjection_queue(given);
    const struct net_packet_entry entry = net_packet_start_anew(at.part, index, router);
    at.part->failing[index].on_ring = false;
    engine->faults->data.counts.reinjected++;
    if (engine->queues != NULL)
        engine->queues[(size_t)router * engine->drivers_per_router + queue].flits +=
            net_packet_entry_length(entry.rest);
    push(at.part, at.block, queue, entry, at.part->packets[index].hops, at.cycle, given);
}

/* A link is free that has granted channels: the router is to be visited. The driver of one of them stands for
 * that among the pending ones: it holds a grant, so that nothing can make it eligible before it has left. */
static INLINE void visit_link(const struct net_packet_visit at, uint64_t ready)
{
    uint32_t local = (uint32_t)__builtin_ctzll(ready);
    net_packet_make_pending(at, BIT(net_packet_output_at(at.router, local)->driver));
}

/* The end event of an output: its packet's tail crossed in cycle - 1. Everything that this frees is freed for
 * this cycle: the output, its link, the driver and its place in the buffer, and all who slept on any of it and
 * can now have it are asked again. A branch leaves the driver to the packet's other copies. */
static INLINE void end_packet(struct net_packet_part *part, uint32_t place, uint32_t driver, uint64_t cycle,
                              const bool branch, const struct net_packet_setting given)
{
    uint32_t block = net_packet_event_block(place), local = net_packet_event_local(place);
    struct net_packet_router *router = net_packet_block_at(given.state, block);
    const struct net_packet_visit at = {part, router, block, cycle};
    struct net_packet_output *output = net_packet_output_at(router, local);
    bool ejection = local >= net_packet_shape_links(given.shape);
    router->busy &= ~BIT(local);
    if (given.shape.channels > 1 && !ejection) {
        uint64_t ready = router->ready & link_outputs(local, given);
        if (ready != 0)
            visit_link(at, ready);
    }
    if (!branch)
        release_driver(at, driver, given);
    if (ejection) {
        if (given.shape.failing && local == reinjection_channel(given))
            reinject(at, output->packet, APART(given));
        else if (given.shape.whole || part->endings == NULL)
            net_packet_note(part, &part->arrived, output->packet);
    }
    if (output->waiting == 0)
        return;
    uint64_t drivers = ejection ? output->waiting : sleepers_with_room(router, output, local, cycle, given);
    if (drivers != 0)
        wake(at, output, drivers, ejection, given);
    else
        schedule_crossing(at, local, output, given);
}

/* With latencies: what comes back of the packet that is seen to leave the next buffer. */
static INLINE int32_t seen_to_leave(const struct net_packet_visit at, uint32_t local,
                                    const struct net_packet_output *output,
                                    const struct net_packet_setting given)
{
    if (given.shape.failing && (fault_router(at.part, at.block, given)->returns >> local & 1) != 0)
        return (int32_t)given.constants.largest;
    return reservation(given, BIT(local), output->departing);
}

/* The events that are not the end of a packet in its driver. Timed wake-ups count only when the output still
 * names this cycle: others have been replaced or overtaken. */
static void run_other_event(struct net_packet_part *part, uint64_t event, uint64_t cycle,
                            const struct net_packet_setting given)
{
    uint32_t block = net_packet_event_block(event), local = net_packet_event_local(event);
    struct net_packet_router *router = net_packet_block_at(given.state, block);
    const struct net_packet_visit at = {part, router, block, cycle};
    struct net_packet_output *output = net_packet_output_at(router, local);
    if (given.shape.copies && event >> NET_PACKET_EVENT_KIND == NET_PACKET_EVENT_BRANCH)
        end_packet(part, (uint32_t)event, net_packet_event_driver(event), cycle, true, given);
    else if (event >> NET_PACKET_EVENT_KIND == NET_PACKET_EVENT_CREDIT)
        return_credit(at, local, output, seen_to_leave(at, local, output, given), given);
    else if (output->wake_counts && output->wake == (uint16_t)cycle)
        wake(at, output, output->waiting, false, given);
}

/* While all packets have one length there are no events but their ends, of kind 0. */
static INLINE bool only_ends(const struct net_packet_setting given)
{
    return given.shape.even && !given.shape.copies;
}

static INLINE uint32_t driver_of(uint32_t kind_and_driver, const struct net_packet_setting given)
{
    return only_ends(given) ? kind_and_driver : kind_and_driver & (NET_PACKET_MASK_BITS - 1);
}

/* Ahead of an end event: the lines of its router, output and driver. */
static INLINE void fetch_event(uint32_t place, uint32_t driver, const struct net_packet_setting given)
{
    struct net_packet_router *router = net_packet_block_at(given.state, net_packet_event_block(place));
    __builtin_prefetch(router, 1);
    __builtin_prefetch(net_packet_line_at(router, net_packet_event_local(place)), 1);
    __builtin_prefetch(net_packet_line_at(router, driver), 1);
}

/* Later, when the driver's line tells the router upstream, that one's. What stands behind the last event
 * of a chunk may be of a router that another part has now, and writes. */
static INLINE void fetch_upstream(const struct net_packet_part *part, uint64_t event,
                                  const struct net_packet_setting given)
{
    uint32_t driver = net_packet_event_driver(event);
    if (!given.shape.whole && net_packet_event_block(event) - part->first_block >= part->bytes)
        return;
    uint32_t source =
        net_packet_line_at(net_packet_block_at(given.state, net_packet_event_block(event)), driver)->source;
    if (driver >= net_packet_shape_links(given.shape) || source == NET_NONE)
        return;
    __builtin_prefetch(net_packet_block_at(given.state, source), 1);
    __builtin_prefetch(net_packet_line_at(net_packet_block_at(given.state, source), driver), 1);
}

/* Some events of a cycle. */
static INLINE void run_chunk(struct net_packet_part *part, const struct net_packet_chunk *chunk,
                             uint32_t count, uint64_t cycle, const struct net_packet_setting given)
{
    const uint32_t ahead = part->large ? NET_PACKET_FAR : NET_PACKET_NEAR;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = chunk->places[i], kind = chunk->drivers[i];
        fetch_event(chunk->places[i + ahead], driver_of(chunk->drivers[i + ahead], given), given);
        if (ahead == NET_PACKET_FAR)
            fetch_upstream(part, net_packet_chunk_event(chunk, i + NET_PACKET_FAR / 2), given);
        if (only_ends(given) ||
            LIKELY(kind >> (NET_PACKET_EVENT_KIND - NET_PACKET_EVENT_HIGH) == NET_PACKET_EVENT_END))
            end_packet(part, place, driver_of(kind, given), cycle, false, given);
        else
            run_other_event(part, net_packet_chunk_event(chunk, i), cycle, APART(given));
    }
}

/* Places in buffers of other parts that are free from this cycle on. */
static INLINE void run_credits(struct net_packet_part *part, uint64_t cycle,
                               const struct net_packet_setting given)
{
    struct net_packet_notes *credits = &net_packet_ending_at(part, cycle)->credits;
    for (uint32_t i = 0; i < credits->count; i++) {
        uint32_t block = net_packet_event_block(credits->items[i]);
        uint32_t local = net_packet_event_local(credits->items[i]);
        struct net_packet_router *router = net_packet_block_at(given.state, block);
        const struct net_packet_visit at = {part, router, block, cycle};
        struct net_packet_output *output = net_packet_output_at(router, local);
        return_credit(at, local, output, reservation(given, BIT(local), output->departing), given);
    }
    credits->count = 0;
}

/* The events of a cycle that are in the wheel. */
static INLINE void run_slot(struct net_packet_part *part, uint64_t cycle,
                            const struct net_packet_setting given)
{
    struct net_packet_slot *slot = &part->wheel[(uint32_t)cycle & part->wheel_mask];
    const struct net_packet_chunk *chunk = slot->last;
    if (!given.shape.whole && net_packet_slot_count(slot) == 0)
        return; /* there are credits only */
    for (uint32_t left = slot->full; left != 0; left--)
        run_chunk(part, chunk = chunk->next, NET_PACKET_CHUNK, cycle, given);
    run_chunk(part, slot->last, slot->count, cycle, given);
    empty_slot(part, slot);
}

/* All events of a cycle. They come before any header is routed in it: see the note at the top. Mail may
 * have events of this very cycle in it, so that it is read first; while all packets have one length it has
 * none but credits, and comes while the ends of packets are seen to. */
static INLINE void run_events(struct net_packet_part *part, uint64_t cycle,
                              const struct net_packet_setting given)
{
    const bool mail = !given.shape.whole && part->out != NULL, late = given.shape.even;
    uint32_t index = (uint32_t)cycle & part->used_mask;
    if (mail && late)
        fetch_mails(part, cycle);
    if (mail && !late)
        read_mail(part, cycle, APART(given));
    if ((part->wheel_used[index / 64] & BIT(index % 64)) != 0) {
        part->wheel_used[index / 64] &= ~BIT(index % 64);
        run_slot(part, cycle, given);
    }
    if (mail && late)
        read_mail(part, cycle, APART(given));
    if (mail && part->endings != NULL)
        run_credits(part, cycle, given);
}

#endif
