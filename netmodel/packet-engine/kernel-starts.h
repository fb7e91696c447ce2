/* The packet-grant engine's kernel: outputs are granted and packets start (rules 4 and 5). */
#ifndef NET_PACKET_KERNEL_STARTS_H
#define NET_PACKET_KERNEL_STARTS_H

#include "netmodel/packet-engine/kernel-mail.h"

/* ---- grants and starts (rules 4 and 5) ---- */

/* Flits of joined messages and whole packets that are in a driver's buffer, for the longest queue. */
static void count_queue(const struct net_packet_engine *engine, uint32_t block, uint32_t local,
                        uint32_t leave)
{
    size_t router = net_packet_number_of(engine, block);
    engine->queues[router * engine->drivers_per_router + local].flits -= leave;
}

/* A packet leaves its driver, of which another part is to know, or the caller: the last one of a message
 * is an injector's. */
static __attribute__((noinline)) void tell_source(const struct net_packet_visit at, uint32_t local,
                                                  uint32_t length, const struct net_packet_setting given)
{
    struct net_packet_line *line = net_packet_line_at(at.router, local);
    if (local < net_packet_shape_links(given.shape)) {
        post_departure(at.part, line->source, local, length, false, at.cycle);
        return;
    }
    net_packet_note(at.part, &net_packet_ending_at(at.part, at.cycle + length)->sent, line->notice);
    line->notice = NET_NONE;
    at.router->foreign &= ~BIT(local);
}

/* The packet leaves its injector, which makes the next one when the tail has left. */
static INLINE void leave_injector(const struct net_packet_visit at, uint32_t local, uint64_t rest,
                                  const struct net_packet_setting given)
{
    const struct net_packet_engine *engine = at.part->engine;
    struct net_packet_line *injector = net_packet_line_at(at.router, local);
    injector->flits += length_of(rest, given);
    injector->driver.head.rest = NET_PACKET_NO_PACKET;
    if (!given.shape.failing && (at.router->foreign >> local & 1) != 0)
        tell_source(at, local, length_of(rest, given), APART(given));
    if (!given.shape.plain && engine->queues != NULL)
        count_queue(engine, at.block, local, net_packet_entry_length(rest));
}

/* The output's packet leaves its driver, whose room upstream grows from now on. */
static INLINE void leave_buffer(const struct net_packet_visit at, uint32_t local, uint32_t length,
                                const struct net_packet_setting given)
{
    const struct net_packet_engine *engine = at.part->engine;
    struct net_packet_line *line = net_packet_line_at(at.router, local);
    uint32_t source = line->source;
    if (!source_at_hand(at.router, local, given)) {
        bool padded = is_changed(given) && (given.here->padded >> local & 1) != 0;
        post_departure(at.part, source, local, length, padded, at.cycle);
        if (!given.shape.plain && engine->queues != NULL)
            count_queue(engine, at.block, local, length);
    } else if (!given.shape.even && (given.constants.places >> local & 1) == 0) {
        struct net_packet_router *upstream = net_packet_block_at(given.state, source);
        begin_departure((struct net_packet_visit){at.part, upstream, source, at.cycle}, local,
                        net_packet_output_at(upstream, local), length, at.cycle, given);
    }
    take_head(at.part, &line->driver);
}

/* It leaves the re-injection queue, behind which there is nobody upstream. */
static INLINE void leave_reinjection(const struct net_packet_visit at, uint32_t local, uint32_t length,
                                     const struct net_packet_setting given)
{
    if (!given.shape.plain && at.part->engine->queues != NULL)
        count_queue(at.part->engine, at.block, local, length);
    take_head(at.part, net_packet_driver_at(at.router, local));
}

/* The same of either while all packets have one length, when nobody upstream is told but another part. An
 * injector, in whose line a message stands where a buffer has the last of its packets, is taken for a
 * buffer with nothing behind its head: without a branch of its own, which would often be mispredicted. */
static INLINE void leave_driver(const struct net_packet_visit at, uint32_t local,
                                const struct net_packet_setting given)
{
    struct net_packet_line *line = net_packet_line_at(at.router, local);
    uint32_t injector = -(uint32_t)(local >= net_packet_shape_links(given.shape));
    if (!given.shape.whole && UNLIKELY((at.router->foreign >> local & 1) != 0))
        tell_source(at, local, given.constants.largest, APART(given));
    line->flits += injector & given.constants.largest;
    if ((line->driver.tail | injector) != NET_PACKET_NO_PACKET)
        take_next(at.part, &line->driver);
    else
        line->driver.head.rest = NET_PACKET_NO_PACKET;
}

/* The entry after a step by the port: what is remembered, else what the routing says. */
static __attribute__((noinline)) struct net_packet_entry
step_slowly(struct net_packet_part *part, uint32_t block, struct net_packet_entry entry, uint32_t port)
{
    const struct net_routing *routing = part->ways.routing;
    uint16_t way = net_packet_entry_way(entry.rest), next = NET_PACKET_WAY_RAW;
    if (way != NET_PACKET_WAY_RAW) {
        entry.word = part->ways.headers[way];
        next = net_packet_ways_step(&part->ways, way, port);
    }
    uint32_t packet = net_packet_entry_packet(entry.rest);
    entry.word =
        next == NET_PACKET_WAY_RAW
            ? routing->kind->step(routing, net_packet_number_of(part->engine, block), entry.word, port)
            : part->packets[packet].key;
    entry.rest = net_packet_entry_rest(packet, next, net_packet_entry_length(entry.rest));
    return entry;
}

/* The entry as the next router gets it. Legs are counted down in the header itself; a remembered way has its
 * successor by each port, so that the routing is asked once for each way and port of the whole run. */
static INLINE struct net_packet_entry step(struct net_packet_part *part, uint32_t block,
                                           struct net_packet_entry entry, uint32_t port,
                                           const struct net_packet_setting given)
{
    uint16_t way = net_packet_entry_way(entry.rest), next = NET_PACKET_WAY_RAW;
    if (given.shape.legs) {
        entry.word = net_legs_step(entry.word);
        return entry;
    }
    if (LIKELY(way != NET_PACKET_WAY_RAW))
        next = net_packet_way_at(&part->ways, way, given.shape.ports)->step[port];
    if (UNLIKELY(next >= NET_PACKET_WAY_UNKNOWN))
        return step_slowly(part, block, entry, port);
    entry.rest += ((uint64_t)next - way) << NET_PACKET_ENTRY_WAY;
    return entry;
}

/* Kept out of the usual path, in which there is one program and nobody to tell: a packet goes over the link of an
 * output of a router. */
static __attribute__((noinline)) void count_owned(const struct net_packet_part *part, uint32_t line,
                                                  uint32_t packet, uint32_t length)
{
    const struct net_packet_engine *engine = part->engine;
    net_owners_carry(&engine->network.owners, part->packets[packet].row, engine->owned_slot[line], length,
                     engine->part_count == 1);
}

/* What a terminal's ejection channel carries, and counts. */
static INLINE void start_ejection(struct net_packet_part *part, struct net_packet_output *ejection,
                                  uint32_t packet, uint32_t length, uint16_t hops, uint64_t cycle,
                                  const struct net_packet_setting given)
{
    ejection->ejected[0] += length;
    ejection->ejected[1] += ejection->ejected[0] < length;
    ejection->packet = packet;
    part->packets[packet].hops = hops;
    if (!given.shape.whole && part->endings != NULL)
        net_packet_note(part, &net_packet_ending_at(part, cycle + length)->packets, packet);
}

/* The same as start for an output of a multicast's packet. It leaves its driver with the last output that it
 * needs there; until then a copy of it goes. What has to be granted in the next router is known here. */
static __attribute__((noinline)) void start_copy(const struct net_packet_visit at, uint32_t local,
                                                 uint32_t driver_local, const struct net_packet_setting given)
{
    struct net_packet_line *line = net_packet_line_at(at.router, local);
    struct net_packet_driver *driver = net_packet_driver_at(at.router, driver_local);
    uint32_t number = net_packet_entry_packet(driver->head.rest);
    uint32_t length = net_packet_entry_length(driver->head.rest);
    uint16_t hops = driver->hops;
    bool last = --at.part->packets[number].unstarted == 0 && driver->head.word == 0;
    schedule(at.part, at.cycle + length, last ? NET_PACKET_EVENT_END : NET_PACKET_EVENT_BRANCH, at.block,
             local, driver_local);
    if (!last) {
        number = net_packet_copy_packet(at.part, number);
        if (number == NET_PACKET_NO_PACKET)
            return;
    } else {
        driver->departing = (uint16_t)length;
        if (driver_local >= net_packet_shape_links(given.shape))
            leave_injector(at, driver_local, driver->head.rest, given);
        else
            leave_buffer(at, driver_local, length, given);
    }
    uint32_t links = net_packet_shape_links(given.shape);
    if (local >= links) {
        at.part->packets[number].terminal =
            net_packet_number_of(at.part->engine, at.block) * at.part->engine->concentration +
            (local - links) / at.part->consumers_each;
        start_ejection(at.part, &line->output, number, length, hops, at.cycle, given);
        return;
    }
    line->flits += length;
    if (UNLIKELY(given.constants.owned))
        count_owned(at.part, at.block / NET_PACKET_MASK_BITS + local, number, length);
    const struct net_packet_entry entry = {
        .word = net_packet_copies_needed(at.part->engine, at.part->packets[number].message,
                                         net_packet_number_of(at.part->engine, line->target)),
        .rest = net_packet_entry_rest(number, NET_PACKET_WAY_COPIES, length),
    };
    if (at_hand(at.part, line->target, given))
        push(at.part, line->target, local, entry, (uint16_t)(hops + 1), at.cycle + 1, given);
    else
        post_push(at.part, line->target, local, entry, (uint16_t)(hops + 1), at.cycle);
}

/* The packet's entry as at the start of a way from the router (rule 24 of doc/faults.md); where all packets between two
 * routers go one way it most often is remembered. */
static INLINE struct net_packet_entry start_anew(struct net_packet_part *part, uint32_t index,
                                                 uint32_t router)
{
    const struct net_packet_packet *packet = &part->packets[index];
    const struct net_packet_engine *engine = part->engine;
    uint32_t target = engine->flights[packet->message].target;
    if (UNLIKELY(engine->concentration > 1))
        target /= engine->concentration;
    const struct net_packet_start *start = net_packet_ways_start(&part->ways, router, target);
    if (start != NULL && start->variants == 1 && start->ways[0] != 0)
        return (struct net_packet_entry){
            .word = packet->key,
            .rest = net_packet_entry_rest(index, (uint16_t)(start->ways[0] - 1), packet->length)};
    return net_packet_start_anew(part, index, router);
}

/* The packet crosses from this cycle on, a flit a cycle. Its header is in the next router already in the next
 * cycle (cut-through), and its end event comes when the tail has crossed. An ejection channel ends here: there
 * is no next buffer. */
static INLINE void start(const struct net_packet_visit at, uint32_t local, uint32_t driver_local,
                         const struct net_packet_setting given)
{
    struct net_packet_driver *driver = net_packet_driver_at(at.router, driver_local);
    struct net_packet_entry entry = driver->head;
    uint16_t hops = driver->hops;
    if (given.shape.copies && net_packet_entry_way(entry.rest) == NET_PACKET_WAY_COPIES) {
        start_copy(at, local, driver_local, APART(given));
        return;
    }
    uint32_t length = length_of(entry.rest, given);
    if (UNLIKELY((hops & NET_PACKET_LATE) != 0)) {
        hops &= (uint16_t)~NET_PACKET_LATE;
        net_packet_end_wait(at, driver_local, local);
    }
    /* One event frees all that the packet holds here, in the cycle after its tail: output, link, driver and place. */
    driver->departing = (uint16_t)length;
    schedule_end(at.part, at.cycle, length, at.block, local, driver_local, given);
    const bool special = is_changed(given);
    if (special && given.shape.even && driver_local < net_packet_shape_links(given.shape))
        net_packet_output_at(at.router, driver_local)->departure = (uint16_t)at.cycle;
    /* Its driver: whoever feeds that sees the places come back a flit a cycle from now on, without an event each. */
    if (is_changed(given) && driver_local == reinjection_queue(given))
        leave_reinjection(at, driver_local, length, given);
    else if (given.shape.even)
        leave_driver(at, driver_local, given);
    else if (driver_local >= net_packet_shape_links(given.shape))
        leave_injector(at, driver_local, entry.rest, given);
    else
        leave_buffer(at, driver_local, length, given);
    struct net_packet_line *line = net_packet_line_at(at.router, local);
    if (local >= net_packet_shape_links(given.shape)) {
        start_ejection(at.part, &line->output, net_packet_entry_packet(entry.rest), length, hops, at.cycle,
                       given);
        return;
    }
    line->flits += length;
    if (UNLIKELY(given.constants.owned))
        count_owned(at.part, at.block / NET_PACKET_MASK_BITS + local, net_packet_entry_packet(entry.rest),
                    length);
    /* The header goes on: anew behind a ring output (rule 24 of doc/faults.md), else a step of its routing. It may
     * ask in the next router from the next cycle on, which this pass over routers does not see, as there are two masks
     * of those that ask, by the parity of the cycle: so routers may be visited in any order. */
    if (special && (given.here->by_ring >> local & 1) != 0)
        entry = start_anew(at.part, net_packet_entry_packet(entry.rest), router_number(line->target, given));
    else
        entry = step(at.part, at.block, entry, local / given.shape.channels, given);
    if (at_hand(at.part, line->target, given))
        push(at.part, line->target, local, entry, (uint16_t)(hops + 1), at.cycle + 1, given);
    else
        post_push(at.part, line->target, local, entry, (uint16_t)(hops + 1), at.cycle);
}

/* The first bit at or cyclically after a number: what round robin means. The mask is turned, so that there is
 * no branch. */
static INLINE uint32_t first_from(uint64_t mask, uint32_t from)
{
    uint64_t turned = mask >> (from & 63) | mask << (-from & 63);
    return (from + (uint32_t)__builtin_ctzll(turned)) & 63;
}

/* The link's output starts: the next one is in turn, after the last the first. Of two it is the other one; of more
 * there is no branch, which nobody could predict. */
static INLINE void pass_turn(struct net_packet_router *router, uint64_t output, uint64_t link,
                             const struct net_packet_setting given)
{
    uint64_t next = output << 1 & link, first = link & -link & -(uint64_t)(next == 0);
    next = given.shape.channels == 2 ? link ^ output : next | first;
    router->turns = (router->turns & ~link) | next;
}

/* An output is granted to a packet of a multicast: of an ejection channel, whichever of its terminal's. Returns
 * whether it needs no more. */
static INLINE bool note_grant(const struct net_packet_part *part, struct net_packet_driver *driver,
                              uint32_t local, const struct net_packet_setting given)
{
    uint32_t links = net_packet_shape_links(given.shape);
    if (local >= links)
        local -= (local - links) % part->consumers_each;
    driver->head.word &= ~BIT(local);
    part->packets[net_packet_entry_packet(driver->head.rest)].unstarted++;
    return driver->head.word == 0;
}

/* The packet stays on its ring, or enters one. */
static INLINE void take_ring(const struct net_packet_visit at, uint32_t local, uint32_t driver,
                             struct net_fault_packet *packet, const struct net_packet_setting given)
{
    struct net_packet_faults *faults = at.part->engine->faults;
    const uint32_t target = net_packet_line_at(at.router, local)->target, next = router_number(target, given);
    const uint16_t hops = net_packet_driver_at(at.router, driver)->hops;
    const bool enters = net_packet_faults_standing(given.here, packet, driver) != NET_FAULT_ON_RING;
    uint32_t distance = 0;
    if (UNLIKELY((hops & ~NET_PACKET_LATE) > NET_PACKET_HOPS_MOST))
        net_packet_faults_check_hops(faults, hops);
    if (enters && !faults->data.kind->everywhere)
        distance = net_packet_faults_distance(at.part->engine, router_number(at.block, given),
                                              (uint32_t)(packet - at.part->failing));
    net_fault_data_take_ring(&faults->data, packet, enters, distance);
    packet->granted = at.cycle;
    packet->queue = next << NET_PACKET_LOCAL_BITS | local;
    faults->router[next].came |= BIT(local);
    faults->router[next].watched |= BIT(local);
    net_packet_block_at(given.state, target)->special |= BIT(local);
}

/* The same in a router that faults have changed. Noted for when the packet starts and leaves, since both may come later
 * than a change of the rings: whether it goes by a ring output (rule 24), and whether it had reserved the largest
 * length where it comes from (rule 23), which all do while they are of one length. Returns whether that is a ring
 * output. */
static INLINE bool note_ring(const struct net_packet_visit at, uint32_t local, uint32_t driver, uint64_t rest,
                             const struct net_packet_setting given)
{
    struct net_packet_fault_router *router = given.here;
    struct net_fault_packet *packet = &at.part->failing[net_packet_entry_packet(rest)];
    if (!given.shape.even)
        router->padded = (router->padded & ~BIT(driver)) | (uint64_t)packet->on_ring << driver;
    if (local >= net_packet_shape_links(given.shape))
        return false;
    const bool by_ring = (router->ring >> local & 1) != 0;
    router->by_ring = (router->by_ring & ~BIT(local)) | (uint64_t)by_ring << local;
    if (by_ring)
        take_ring(at, local, driver, packet, given);
    packet->on_ring = by_ring;
    return by_ring;
}

/* Rule 5: the driver's packet has the output. The arbiter's pointer moves on only here, which is what makes it
 * fair. `others`: the other outputs of the router that are granted in this cycle; where none is of the same link, a
 * free link starts at once. Both numbers are masks of one bit as well. */
static INLINE void grant_to(const struct net_packet_visit at, uint64_t output, uint64_t winner,
                            uint64_t others, const struct net_packet_setting given)
{
    uint32_t local = (uint32_t)__builtin_ctzll(output), driver = (uint32_t)__builtin_ctzll(winner);
    struct net_packet_output *granted = net_packet_output_at(at.router, local);
    granted->pointer = (uint8_t)(driver + 1); /* after the last driver there is none before the first */
    uint64_t rest = net_packet_driver_at(at.router, driver)->head.rest;
    uint32_t length = length_of(rest, given);
    if (!given.shape.copies || net_packet_entry_way(rest) != NET_PACKET_WAY_COPIES ||
        note_grant(at.part, net_packet_driver_at(at.router, driver), local, given))
        at.router->eligible &= ~winner;
    const bool by_ring = is_changed(given) && net_packet_faults_concerns(given.here, output, winner) &&
                         note_ring(at, local, driver, rest, given);
    uint64_t before = at.router->busy;
    at.router->busy = before | output;
    granted->driver = (uint8_t)driver;
    /* An ejection channel is a link of its own, and there is no room to be taken behind it. */
    if (local >= net_packet_shape_links(given.shape)) {
        start(at, local, driver, given);
        return;
    }
    take_room(at.router, output, granted,
              by_ring ? (int32_t)given.constants.largest : reservation(given, output, length));
    /* Virtual channels share a link, which carries one packet at a time: where it carries one, or another channel of it
     * is granted in this very cycle, the packet waits for its turn (start_links). */
    if (given.shape.channels > 1) {
        uint64_t link = link_outputs(local, given);
        if (((before | others) & link) != 0) {
            at.router->ready |= output;
            if (given.constants.waits)
                net_packet_begin_wait(at, driver);
            return;
        }
        pass_turn(at.router, output, link, given);
    }
    start(at, local, driver, given);
}

/* Rule 4: the requests of the output are in the mask. Who loses asks again in the next cycle. */
static INLINE void grant(const struct net_packet_visit at, uint64_t output, uint64_t requests,
                         uint64_t others, const struct net_packet_setting given)
{
    uint32_t local = (uint32_t)__builtin_ctzll(output);
    uint32_t driver = first_from(requests, net_packet_output_at(at.router, local)->pointer);
    if (!given.shape.plain && (requests & (requests - 1)) != 0)
        driver = net_packet_arbitrate(at, local, requests, driver);
    uint64_t losers = requests & ~BIT(driver);
    if (losers != 0)
        net_packet_make_pending((struct net_packet_visit){at.part, at.router, at.block, at.cycle + 1},
                                losers);
    for (uint64_t left = given.constants.waits ? losers : 0; left != 0; left &= left - 1)
        net_packet_begin_wait(at, (uint32_t)__builtin_ctzll(left));
    grant_to(at, output, BIT(driver), others, given);
}

/* Rule 5: every free link with granted channels starts one of them. Links that stay busy come back by their
 * end event. */
static INLINE void start_links(const struct net_packet_visit at, const struct net_packet_setting given)
{
    for (uint64_t startable = at.router->ready & ~carrying(at.router, given); startable != 0;) {
        uint64_t link = link_outputs((uint32_t)__builtin_ctzll(startable), given);
        uint64_t granted = startable & link;
        startable &= ~link;
        uint32_t local = first_from(granted, (uint32_t)__builtin_ctzll(at.router->turns & link));
        if (!given.shape.plain && (granted & (granted - 1)) != 0)
            local = net_packet_arbitrate_link(at, granted, local);
        at.router->ready &= ~BIT(local);
        pass_turn(at.router, BIT(local), link, given);
        start(at, local, net_packet_output_at(at.router, local)->driver, given);
    }
}

#endif
