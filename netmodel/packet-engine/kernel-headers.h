/* The packet-grant engine's kernel: headers ask for outputs (rule 3), a router at a time. */
#ifndef NET_PACKET_KERNEL_HEADERS_H
#define NET_PACKET_KERNEL_HEADERS_H

#include "netmodel/packet-engine/kernel-failing.h"

/* ---- headers (rule 3) ---- */

/* Rule 10: all outputs that a packet of a multicast has still to be granted and can have now, of a terminal's
 * ejection channels the first that is free. The driver sleeps on the others. */
static __attribute__((noinline)) uint64_t evaluate_copies(const struct net_packet_visit at,
                                                          uint32_t driver_local,
                                                          const struct net_packet_setting given)
{
    const struct net_packet_entry head = net_packet_driver_at(at.router, driver_local)->head;
    uint32_t length = net_packet_entry_length(head.rest);
    uint64_t links = head.word & (BIT(net_packet_shape_links(given.shape)) - 1);
    uint64_t terminals = head.word & ~links;
    uint64_t available =
        with_room(at.router, links & ~at.router->busy, driver_local, length, at.cycle, given);
    sleep_on(at, links & ~available, driver_local, length, given);
    for (; terminals != 0; terminals &= terminals - 1) {
        uint64_t channels = (BIT(at.part->consumers_each) - 1) << __builtin_ctzll(terminals);
        uint64_t free = channels & ~at.router->busy;
        available |= free & -free;
        for (uint64_t left = free == 0 ? channels : 0; left != 0; left &= left - 1)
            net_packet_output_at(at.router, (uint32_t)__builtin_ctzll(left))->waiting |= BIT(driver_local);
    }
    return available;
}

/* Whether a head that no way is remembered for has still to choose its own, at the source (rule 14). */
static INLINE bool is_to_choose(const struct net_packet_part *part, uint32_t driver, uint64_t rest,
                                const struct net_packet_setting given)
{
    return UNLIKELY(given.constants.chooses) && driver >= net_packet_shape_links(given.shape) &&
           part->packets[net_packet_entry_packet(rest)].to_choose != 0;
}

/* What the routing says of a header that no way is remembered for. In large networks that has been asked for when its
 * lines were fetched: nothing that is done in other routers changes it, nor the head. */
static INLINE struct net_packet_outputs ask(const struct net_packet_visit at, uint32_t driver,
                                            const struct net_packet_entry head,
                                            const struct net_packet_setting given)
{
    const struct net_packet_request *asked = &at.part->asked[at.part->visited_place];
    uint64_t header = head.word;
    if (asked->driver == driver)
        return asked->outputs;
    if (is_to_choose(at.part, driver, head.rest, given))
        header = net_packet_choose(at.part, at.block, driver, at.cycle);
    return net_packet_ways_outputs(at.part->ways.routing, router_number(at.block, given), header);
}

/* The head of a driver looks for an output: the bit of the one it requests, or 0 when it goes to sleep. Tiers
 * in order, a draw among what is available. */
static INLINE uint64_t evaluate(const struct net_packet_visit at, uint32_t driver_local,
                                const struct net_packet_setting given)
{
    const struct net_packet_driver *driver = net_packet_driver_at(at.router, driver_local);
    uint64_t word = driver->head.word, rest = driver->head.rest;
    uint64_t available;
    struct net_packet_outputs asked;
    const struct net_packet_outputs *outputs = &asked;
    uint16_t way = net_packet_entry_way(rest);
    if (given.shape.copies && way == NET_PACKET_WAY_COPIES)
        return evaluate_copies(at, driver_local, APART(given));
    if (is_changed(given))
        return evaluate_failing(at, driver_local, given);
    if (given.shape.legs && word != 0)
        return next_output(at, driver_local, length_of(rest, given), word, given);
    if (given.shape.legs)
        asked.first = 0;
    else if (LIKELY(way != NET_PACKET_WAY_RAW))
        outputs = &net_packet_way_at(&at.part->ways, way, given.shape.ports)->outputs;
    else
        asked = ask(at, driver_local, driver->head, given);
    if (outputs->first == 0)
        available = free_ejections(at.part, at.router, driver_local, given);
    else
        available = free_outputs(at, driver_local, length_of(rest, given), outputs, given);
    if ((available & (available - 1)) == 0)
        return available;
    return choose(way < NET_PACKET_WAY_LEGS ? word : at.part->packets[net_packet_entry_packet(rest)].key,
                  available, at.cycle);
}

/* Several heads in one router: all ask before any output grants, since an output must see all its requests at
 * once (rule 4). */
static INLINE void run_many(const struct net_packet_visit at, uint64_t pending,
                            const struct net_packet_setting given)
{
    uint64_t requested = 0;
    for (; pending != 0; pending &= pending - 1) {
        uint32_t driver = (uint32_t)__builtin_ctzll(pending);
        uint64_t output = evaluate(at, driver, given);
        requested |= output;
        if (output != 0)
            at.part->requests[__builtin_ctzll(output)] |= BIT(driver);
        for (output &= output - 1; given.shape.copies && output != 0; output &= output - 1)
            at.part->requests[__builtin_ctzll(output)] |= BIT(driver);
    }
    /* Other arbiters look at queues, which a start changes: there all grants come before all starts. */
    const uint64_t granted = given.shape.plain && !given.shape.copies ? requested : UINT64_MAX;
    for (; requested != 0; requested &= requested - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(requested);
        uint64_t requests = at.part->requests[local];
        at.part->requests[local] = 0;
        grant(at, BIT(local), requests, granted & ~BIT(local), given);
    }
}

/* A single head is the usual case. */
static INLINE void visit(const struct net_packet_visit at, const struct net_packet_setting given)
{
    struct net_packet_router *router = at.router;
    uint32_t parity = at.cycle & 1;
    uint64_t pending = router->pending[parity] & router->eligible;
    router->pending[parity] = 0;
    if (LIKELY((pending & (pending - 1)) == 0 && pending != 0 && !given.shape.copies)) {
        uint32_t driver = (uint32_t)__builtin_ctzll(pending);
        uint64_t output = evaluate(at, driver, given);
        if (output != 0)
            grant_to(at, output, pending, 0, given);
    } else {
        run_many(at, pending, given);
    }
    if (given.shape.channels > 1 && router->ready != 0)
        start_links(at, given);
}

/* One router in one cycle. Where links fail the rules of faults are asked for in a copy of their own, so that routers
 * that no fault has changed have one question to answer a visit, and not one a head, grant and start. */
static INLINE void run_router(struct net_packet_part *part, uint32_t block, uint64_t cycle,
                              struct net_packet_setting given)
{
    struct net_packet_router *router = net_packet_block_at(given.state, block);
    const struct net_packet_visit at = {part, router, block, cycle};
    given.healthy = true;
    if (!given.shape.failing || LIKELY(router->special == 0)) {
        visit(at, given);
        return;
    }
    given.healthy = false;
    given.here = fault_router(part, block, given);
    visit(at, given);
}

/* ---- fetching ahead, where the state is large ---- */

/* The lines of the drivers that wait in a router whose masks have come. */
static INLINE void fetch_drivers(struct net_packet_router *router, uint64_t pending)
{
    for (; pending != 0; pending &= pending - 1)
        __builtin_prefetch(net_packet_line_at(router, (uint32_t)__builtin_ctzll(pending)), 1);
}

/* When they have come, too: where the first header would go, and the packet if its key is there. Returns the
 * outputs. */
static INLINE uint64_t fetch_outputs(const struct net_packet_part *part, struct net_packet_router *router,
                                     uint32_t block, uint64_t pending, struct net_packet_request *asked,
                                     const struct net_packet_setting given)
{
    if (pending == 0)
        return 0;
    const uint32_t driver = (uint32_t)__builtin_ctzll(pending);
    const struct net_packet_entry head = net_packet_driver_at(router, driver)->head;
    uint16_t way = net_packet_entry_way(head.rest);
    uint64_t outputs;
    if (net_packet_entry_packet(head.rest) == NET_PACKET_NO_PACKET)
        return 0;
    if (way == NET_PACKET_WAY_RAW && is_to_choose(part, driver, head.rest, given))
        return 0;
    if (way == NET_PACKET_WAY_RAW) {
        asked->outputs = net_packet_ways_outputs(part->ways.routing, router_number(block, given), head.word);
        asked->driver = driver;
        outputs = asked->outputs.first;
        if ((asked->outputs.all & (asked->outputs.all - 1)) !=
            0) /* a choice, for which the packet's key is needed */
            __builtin_prefetch(&part->packets[net_packet_entry_packet(head.rest)]);
    } else if (way == NET_PACKET_WAY_COPIES) {
        outputs = head.word;
    } else if (given.shape.legs) {
        outputs = head.word != 0 ? BIT(head.word & NET_LEG_PORT) : 0;
    } else {
        outputs = net_packet_way_at(&part->ways, way, given.shape.ports)->outputs.first;
    }
    if (outputs == 0)
        outputs = BIT(net_packet_shape_links(given.shape));
    fetch_drivers(router, outputs);
    return outputs;
}

/* When these have come: the routers behind them, where the header is pushed. */
static INLINE void fetch_targets(struct net_packet_router *router, uint64_t outputs,
                                 const struct net_packet_setting given)
{
    outputs &= BIT(net_packet_shape_links(given.shape)) - 1;
    for (; outputs != 0; outputs &= outputs - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(outputs);
        uint32_t target = net_packet_line_at(router, local)->target;
        if (target == NET_NONE)
            continue;
        __builtin_prefetch(net_packet_block_at(given.state, target), 1);
        __builtin_prefetch(net_packet_line_at(net_packet_block_at(given.state, target), local), 1);
    }
}

/* Ahead of a visit, in four steps each of which needs what the one before has brought. */
static INLINE void fetch_router(struct net_packet_part *part, const struct net_packet_visits *list,
                                uint32_t i, uint64_t cycle, const struct net_packet_setting given)
{
    const uint32_t parity = cycle & 1;
    part->visited_place = i % AHEAD;
    if (i + 2 * AHEAD < list->count)
        __builtin_prefetch(net_packet_block_at(given.state, list->items[i + 2 * AHEAD]), 1);
    if (i + AHEAD < list->count) {
        struct net_packet_router *router = net_packet_block_at(given.state, list->items[i + AHEAD]);
        fetch_drivers(router, router->pending[parity]);
    }
    if (i + AHEAD / 2 < list->count) {
        uint32_t block = list->items[i + AHEAD / 2];
        struct net_packet_router *router = net_packet_block_at(given.state, block);
        struct net_packet_request *asked = &part->asked[(i + AHEAD / 2) % AHEAD];
        asked->driver = NET_PACKET_NOT_ASKED;
        asked->fetched =
            fetch_outputs(part, router, block, router->pending[parity] & router->eligible, asked, given);
    }
    if (i >= AHEAD / 4 && i + AHEAD / 4 < list->count)
        fetch_targets(net_packet_block_at(given.state, list->items[i + AHEAD / 4]),
                      part->asked[(i + AHEAD / 4) % AHEAD].fetched, given);
}

/* ---- a cycle ---- */

/* Routers with something to decide. Their order does not matter. */
static INLINE void run_routers(struct net_packet_part *part, uint64_t cycle, struct net_packet_setting given)
{
    struct net_packet_visits *list = &part->active[cycle & 1];
    const uint32_t *blocks = list->items;
    const uint32_t count = list->count;
    const uint64_t end = cycle + given.constants.largest;
    const bool large = part->large;
    given.ends = &part->wheel[(uint32_t)end & part->wheel_mask];
    for (uint32_t i = 0; large && i < AHEAD / 2; i++)
        part->asked[i].driver =
            NET_PACKET_NOT_ASKED; /* of the last cycle: the first visits are not prepared */
    for (uint32_t i = 0; i < count; i++) {
        if (large)
            fetch_router(part, list, i, cycle, given);
        else
            __builtin_prefetch(net_packet_block_at(given.state, blocks[i + NET_PACKET_NEAR]), 1);
        run_router(part, blocks[i], cycle, given);
    }
    list->count = 0;
    if (given.shape.even && net_packet_slot_count(given.ends) != 0)
        use_slot(part, end);
}

#endif
