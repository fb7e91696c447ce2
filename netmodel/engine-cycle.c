/* The packet-grant engine's cycle: the hot loop. See engine-internal.h for the idea, doc/flit-engine.md for
 * the rules.
 *
 * Within a cycle routers are visited in any order: a grant in cycle t changes nothing that another router
 * reads in t. The one order that matters is that all end events of a cycle come before any push into a
 * buffer.
 *
 * A cycle t, of which only the parts that have something to do are done:
 *
 *     events of slot t   ends of packets free outputs, links, drivers and room: sleepers wake  run_events
 *     notices            what was delivered or sent is told; the caller may inject into t      advance
 *     injection          messages of cycle t join their injectors                              join_due
 *     routers            heads ask (rule 3), outputs grant (rule 4), links start (rule 5)      run_router
 *     next cycle         t + 1 if a router is pending for it, else the next event or message   next_cycle
 *
 * Functions that the compiler shall copy for one and for several virtual channels have a parameter
 * single_channel, which is a literal in net_packet_engine_advance and nowhere else. */
#include <stdlib.h>

#include "base/random.h"
#include "netmodel/engine-internal.h"

/* ---- the time wheel and the lists of active routers ---- */

/* The first size leaves room for the usual bursts, so that a slot rarely grows after its first use. Slots
 * keep their size: the wheel turns round and round over the same ones. A failure is noted and told by
 * advance, so that the hot loop need not return one. */
static void grow_slot(struct net_packet_engine *engine, struct net_slot *slot)
{
    uint32_t first = engine->routers / 4 > 64 ? engine->routers / 4 : 64;
    uint32_t capacity = slot->capacity != 0 ? 2 * slot->capacity : first;
    uint32_t *events = realloc(slot->events, capacity * sizeof *events);
    if (events == NULL) {
        engine->out_of_memory = true;
        return;
    }
    slot->events = events;
    slot->capacity = capacity;
}

/* Notes an event for a cycle less than a whole turn of the wheel ahead, which every end of a packet and
 * every crossing is. The bit of the slot is what next_event finds, so that empty cycles are skipped a word
 * at a time. The bit is set also where the slot could not grow: out_of_memory ends the run before it
 * matters. */
static inline void schedule(struct net_packet_engine *engine, uint64_t cycle, uint32_t event)
{
    uint32_t index = (uint32_t)cycle & engine->wheel_mask;
    struct net_slot *slot = &engine->wheel[index];
    if (slot->count == slot->capacity)
        grow_slot(engine, slot);
    if (slot->count < slot->capacity)
        slot->events[slot->count++] = event;
    engine->wheel_used[index / 64] |= UINT64_C(1) << (index % 64);
}

/* Puts a router on the list of those to visit in the cycle, once. Lists and masks exist for two cycles,
 * this one and the next, told apart by parity: what is found in cycle t is either for t (end events) or
 * for t + 1. / The list has room for every router, and each is in it once: it needs no check. */
static inline void list_router(struct net_packet_engine *engine, struct net_router *router, uint32_t index,
                               uint64_t cycle)
{
    uint32_t parity = cycle & 1;
    if ((router->listed & (1u << parity)) != 0)
        return;
    router->listed = (uint8_t)(router->listed | (1u << parity));
    struct net_list *list = &engine->active[parity];
    list->routers[list->count++] = index;
}

/* Drivers of a router whose heads are to be evaluated in the cycle. A driver that is pending already stays
 * so: a bit cannot be set twice, so waking it for two reasons costs nothing. */
static inline void make_pending(struct net_packet_engine *engine, uint32_t index, uint64_t drivers,
                                uint64_t cycle)
{
    struct net_router *router = &engine->router[index];
    router->pending[cycle & 1] |= drivers;
    list_router(engine, router, index, cycle);
}

/* ---- room, needs and sleepers (rule 6) ---- */

/* Rule 6. On a ring the driver with the output's own number is the buffer that continues it: it may use
 * the last free place; whoever enters must leave one. Packets are counted with the largest length there,
 * so that the free place fits whatever comes next. */
static inline uint32_t need_of(const struct net_packet_engine *engine, const struct net_output *output,
                               uint32_t driver, uint32_t length)
{
    if (!output->ring)
        return length;
    return driver == output->local ? engine->largest : 2 * engine->largest;
}

/* Rule 6: what a grant takes from the room and the end of the packet's departure gives back. On a ring
 * that is a whole place, however short the packet: both sides must use the same number, or the room
 * drifts. */
static inline uint32_t reservation(const struct net_packet_engine *engine, const struct net_output *output,
                                   uint32_t length)
{
    return output->ring ? engine->largest : length;
}

/* The room in a cycle: while a packet leaves the next buffer it grows by the flits that have left, a flit
 * a cycle since the departure, without any event. It cannot grow beyond what the end of the departure
 * makes of it: that comes in the cycle in which the last flit is counted. */
static inline uint32_t room_at(const struct net_output *output, uint64_t cycle)
{
    if (output->departure == NET_NEVER)
        return output->room;
    return output->room + (uint32_t)(cycle - output->departure);
}

/* Wakes everyone who sleeps on the output, in this cycle. Masks of outputs that a driver no longer wants
 * may still name it: it is then evaluated once more for nothing. Drivers whose head got a grant elsewhere
 * in the meantime are not eligible, and stay out. */
static inline void wake(struct net_packet_engine *engine, struct net_output *output, uint64_t cycle)
{
    uint64_t drivers = output->waiting & engine->router[output->router].eligible;
    output->waiting = 0;
    output->need_least = UINT32_MAX;
    output->wake_cycle = NET_NEVER;
    if (drivers != 0)
        make_pending(engine, output->router, drivers, cycle);
}

/* A free output with sleepers whose next buffer is being left: wakes them in the cycle in which the room
 * reaches the least need, unless the end of the departure comes first (that wakes them anyway). Only one
 * timed wake-up counts, the earliest; those that it replaces stay in the wheel and are found to be void by
 * their cycle. */
static inline void schedule_crossing(struct net_packet_engine *engine, uint32_t index,
                                     struct net_output *output)
{
    if (output->departure == NET_NEVER || output->need_least == UINT32_MAX)
        return;
    /* As signed numbers: the room without what has left of the departing packet may stand below zero. */
    int32_t shortfall = (int32_t)(output->need_least - output->room);
    if (shortfall <= 0)
        return;
    uint32_t missing = (uint32_t)shortfall;
    uint64_t crossing = output->departure + missing;
    if (missing >= engine->driver[output->next_driver].departing || crossing >= output->wake_cycle)
        return;
    output->wake_cycle = crossing;
    schedule(engine, crossing, index | NET_EVENT_WAKE);
}

/* ---- packets and injectors (rule 2) ---- */

/* A slot in the pool of packets. Growing moves the pool: no pointer into it survives this call. Freed
 * packets are taken first, the last freed before all others: it is the one that is still in the cache. */
static uint32_t new_packet(struct net_packet_engine *engine)
{
    uint32_t index = engine->free_packet;
    if (index != NET_NO_PACKET) {
        engine->free_packet = engine->packets[index].next;
        return index;
    }
    if (engine->packet_count == engine->packet_capacity) {
        uint32_t capacity = 2 * engine->packet_capacity;
        struct net_packet *packets = realloc(engine->packets, capacity * sizeof *packets);
        if (packets == NULL) {
            engine->out_of_memory = true;
            return NET_NO_PACKET;
        }
        engine->packets = packets;
        engine->packet_capacity = capacity;
    }
    return engine->packet_count++;
}

/* Cuts the next packet off a message: its key, its way (rule 7) and its length are fixed here, once. The
 * key depends on the message and the number only, not on when or where the packet is cut, so draws are the
 * same in every order of evaluation. */
static void fill_packet(struct net_packet_engine *engine, struct net_packet *packet, uint32_t flight_index)
{
    struct net_flight *flight = &engine->flights[flight_index];
    const struct net_routing *routing = engine->network.routing;
    uint32_t source = flight->source / engine->concentration, target = flight->target / engine->concentration;
    uint64_t length = flight->flits_left < engine->largest ? flight->flits_left : engine->largest;
    flight->flits_left -= length;
    packet->key = base_hash(flight->key, flight->packets_made);
    uint32_t variants = routing->kind->variants(routing, source, target);
    uint32_t variant = variants > 1 ? base_scale(base_hash(packet->key, UINT64_MAX), variants) : 0;
    packet->header = routing->kind->start(routing, source, target, variant);
    packet->generated = flight->generated;
    packet->next = NET_NO_PACKET;
    packet->message = flight_index;
    packet->number = flight->packets_made++;
    packet->length = (uint16_t)length;
    packet->hops = 0;
    packet->slot = flight->target - target * engine->concentration;
}

/* Makes the next packet of an idle injector's queue its head. A packet exists only from here on: what a
 * long message has still to send takes no room in the pool. */
static void make_head(struct net_packet_engine *engine, uint32_t driver_index, uint64_t cycle)
{
    struct net_driver *driver = &engine->driver[driver_index];
    if (driver->first == NET_NONE)
        return;
    uint32_t packet = new_packet(engine);
    if (packet == NET_NO_PACKET)
        return;
    uint32_t flight = driver->first;
    fill_packet(engine, &engine->packets[packet], flight);
    engine->packets_inside++;
    engine->packets_to_make--;
    if (engine->flights[flight].flits_left == 0) {
        driver->first = engine->flights[flight].next;
        if (driver->first == NET_NONE)
            driver->last = NET_NONE;
    }
    driver->head = packet;
    uint32_t router = driver_index / engine->drivers_per_router;
    uint64_t bit = UINT64_C(1) << (driver_index - router * engine->drivers_per_router);
    engine->router[router].eligible |= bit;
    make_pending(engine, router, bit, cycle);
}

/* Rule 2: the injectors of a terminal take messages in turn, and an injector sends its messages one after
 * the other. When the injector is idle the packet may ask in this very cycle. */
void net_packet_engine_join(struct net_packet_engine *engine, uint32_t flight_index)
{
    struct net_flight *flight = &engine->flights[flight_index];
    uint32_t router = flight->source / engine->concentration;
    uint32_t slot = flight->source - router * engine->concentration;
    uint32_t *turn = &engine->next_injector[flight->source];
    uint32_t local = engine->first_injector + slot * engine->injectors + *turn;
    *turn = *turn + 1 == engine->injectors ? 0 : *turn + 1;
    uint32_t index = router * engine->drivers_per_router + local;
    struct net_driver *driver = &engine->driver[index];
    flight->next = NET_NONE;
    if (driver->last == NET_NONE)
        driver->first = flight_index;
    else
        engine->flights[driver->last].next = flight_index;
    driver->last = flight_index;
    if (driver->head == NET_NO_PACKET && driver->departing == 0)
        make_head(engine, index, engine->network.now);
}

/* ---- end events ---- */

/* The last packet has arrived, though not always the one with the last number. Its slot is free for the
 * next message at once: the notice has a copy of what the caller needs. */
static void finish_flight(struct net_packet_engine *engine, uint32_t index)
{
    struct net_flight *flight = &engine->flights[index];
    if (net_network_notice(&engine->network, flight->number, NET_DELIVERED, flight->tag) < 0)
        engine->out_of_memory = true;
    engine->network.statistics.messages++;
    flight->next = engine->free_flight;
    engine->free_flight = index;
}

/* The tail crossed the ejection channel in cycle - 1. The digest is a sum over packets: it does not depend
 * on the order of deliveries within a cycle, which is not defined. */
static void deliver(struct net_packet_engine *engine, uint32_t index, uint64_t cycle)
{
    struct net_packet *packet = &engine->packets[index];
    struct net_flight *flight = &engine->flights[packet->message];
    struct net_statistics *statistics = &engine->network.statistics;
    uint64_t latency = cycle - 1 - packet->generated;
    const uint64_t record[3] = {flight->number, packet->number, cycle - 1};
    base_digest_add(&statistics->digest, record, 3);
    statistics->packets++;
    statistics->flits += packet->length;
    statistics->packet_hops += packet->hops;
    statistics->flit_hops += (uint64_t)packet->hops * packet->length;
    statistics->latency_sum_cycles += latency;
    if (latency > statistics->latency_max_cycles)
        statistics->latency_max_cycles = latency;
    if (net_latency_add(&engine->network.latency, latency) < 0)
        engine->out_of_memory = true;
    engine->packets_inside--;
    packet->next = engine->free_packet;
    engine->free_packet = index;
    if (++flight->packets_delivered == flight->packets)
        finish_flight(engine, packet->message);
}

/* The packet has left its injector; when it was its message's last, a sender may be waiting to hear it.
 * Packets of a message leave in the order of their numbers, since one injector has them all: the last
 * number is the last to leave. */
static void notice_sent(struct net_packet_engine *engine, uint32_t packet_index)
{
    const struct net_packet *packet = &engine->packets[packet_index];
    const struct net_flight *flight = &engine->flights[packet->message];
    if (!flight->notice_sent || packet->number + 1 != flight->packets)
        return;
    if (net_network_notice(&engine->network, flight->number, NET_SENT, flight->tag) < 0)
        engine->out_of_memory = true;
}

/* The packet's tail has left its driver: the place it had reserved there is free, the next packet may ask.
 * An injector has no buffer behind it and no room to give back: it makes its next packet instead. */
static inline void release_driver(struct net_packet_engine *engine, const struct net_output *output,
                                  uint64_t cycle)
{
    uint32_t index = output->router * engine->drivers_per_router + output->driver;
    struct net_driver *driver = &engine->driver[index];
    driver->departing = 0;
    if (driver->upstream == NET_NONE) {
        notice_sent(engine, output->packet);
        make_head(engine, index, cycle);
        return;
    }
    if (driver->head != NET_NO_PACKET) {
        uint64_t bit = UINT64_C(1) << output->driver;
        engine->router[output->router].eligible |= bit;
        make_pending(engine, output->router, bit, cycle);
    }
    struct net_output *upstream = &engine->output[driver->upstream];
    upstream->departure = NET_NEVER;
    upstream->room += reservation(engine, upstream, output->length);
    if (upstream->waiting != 0 && upstream->room >= upstream->need_least)
        wake(engine, upstream, cycle);
}

/* The end event of an output: its packet's tail crossed in cycle - 1. Everything that this frees is freed
 * for this cycle: the output, its link, the driver and its place in the buffer, and all who slept on any
 * of it are asked again. The delivery comes after the release, since the release still reads the packet's
 * message. */
static inline void end_packet(struct net_packet_engine *engine, uint32_t index, uint64_t cycle,
                              const bool single_channel)
{
    struct net_output *output = &engine->output[index];
    struct net_router *router = &engine->router[output->router];
    router->busy &= ~(UINT64_C(1) << output->local);
    if (!single_channel && output->local < engine->first_ejection) {
        struct net_link_state *link = &engine->link[output->router * engine->ports + output->port];
        link->busy = false;
        if (link->ready != 0) {
            router->ready_ports |= UINT64_C(1) << output->port;
            list_router(engine, router, output->router, cycle);
        }
    }
    release_driver(engine, output, cycle);
    if (output->local >= engine->first_ejection)
        deliver(engine, output->packet, cycle);
    if (output->waiting != 0)
        wake(engine, output, cycle);
}

/* All events of a cycle. They come before anything else in it: see the note at the top. Timed wake-ups
 * count only when the output still names this cycle: others have been replaced or overtaken. */
static inline void run_events(struct net_packet_engine *engine, uint64_t cycle, const bool single_channel)
{
    uint32_t index = (uint32_t)cycle & engine->wheel_mask;
    uint64_t bit = UINT64_C(1) << (index % 64);
    if ((engine->wheel_used[index / 64] & bit) == 0)
        return;
    engine->wheel_used[index / 64] &= ~bit;
    struct net_slot *slot = &engine->wheel[index];
    for (uint32_t i = 0; i < slot->count; i++) {
        uint32_t event = slot->events[i];
        if ((event & NET_EVENT_WAKE) == 0) {
            end_packet(engine, event, cycle, single_channel);
            continue;
        }
        struct net_output *output = &engine->output[event & ~NET_EVENT_WAKE];
        if (output->wake_cycle == cycle)
            wake(engine, output, cycle);
    }
    slot->count = 0;
}

/* ---- grants and starts (rules 4 and 5) ---- */

/* The header's packet enters the next buffer; it may be routed from the next cycle on. Later packets of a
 * buffer become its head when the one before them departs (pop), and may ask when it is gone
 * (release_driver). */
static inline void push(struct net_packet_engine *engine, const struct net_output *output, uint32_t packet,
                        uint64_t cycle)
{
    struct net_driver *driver = &engine->driver[output->next_driver];
    engine->packets[packet].next = NET_NO_PACKET;
    if (driver->tail != NET_NO_PACKET) {
        engine->packets[driver->tail].next = packet;
        driver->tail = packet;
        return;
    }
    driver->head = driver->tail = packet;
    if (driver->departing == 0) {
        uint64_t bit =
            UINT64_C(1) << (output->next_driver - output->next_router * engine->drivers_per_router);
        engine->router[output->next_router].eligible |= bit;
        make_pending(engine, output->next_router, bit, cycle + 1);
    }
}

/* The output's packet leaves its driver, whose room upstream grows from now on. When the output upstream
 * is busy its own end event wakes the sleepers, so no crossing is scheduled. */
static inline void pop(struct net_packet_engine *engine, const struct net_output *output, uint64_t cycle)
{
    struct net_driver *driver = &engine->driver[output->router * engine->drivers_per_router + output->driver];
    driver->departing = output->length;
    if (driver->upstream == NET_NONE) {
        driver->head = NET_NO_PACKET;
        driver->flits += output->length;
        return;
    }
    driver->head = engine->packets[output->packet].next;
    if (driver->head == NET_NO_PACKET)
        driver->tail = NET_NO_PACKET;
    struct net_output *upstream = &engine->output[driver->upstream];
    upstream->departure = cycle;
    if (upstream->waiting != 0 && (engine->router[upstream->router].busy >> upstream->local & 1) == 0)
        schedule_crossing(engine, driver->upstream, upstream);
}

/* The packet crosses from this cycle on, a flit a cycle. Its header is in the next router already in the
 * next cycle (cut-through), and its end event comes when the tail has crossed. An ejection channel ends
 * here: there is no next buffer. */
static inline void start(struct net_packet_engine *engine, uint32_t index, struct net_output *output,
                         uint64_t cycle)
{
    pop(engine, output, cycle);
    output->flits += output->length;
    schedule(engine, cycle + output->length, index);
    if (output->local >= engine->first_ejection)
        return;
    struct net_packet *packet = &engine->packets[output->packet];
    const struct net_routing *routing = engine->network.routing;
    packet->header = routing->kind->step(routing, output->router, packet->header, output->port);
    packet->hops++;
    push(engine, output, output->packet, cycle);
}

/* The first bit of mask at or cyclically after position. mask must not be 0, and position must be below
 * 64. */
static inline uint32_t first_from(uint64_t mask, uint32_t position)
{
    uint64_t upper = mask >> position << position;
    return (uint32_t)__builtin_ctzll(upper != 0 ? upper : mask);
}

/* Rule 4 for one output with requests; then its packet starts, unless virtual channels share the link.
 * Losers sleep on nothing, so they are made pending for the next cycle by hand. The pointer moves past the
 * winner only when something was granted, which is what makes the arbiter fair. */
static inline void grant(struct net_packet_engine *engine, uint32_t router_index, uint32_t local,
                         uint64_t cycle, const bool single_channel)
{
    struct net_router *router = &engine->router[router_index];
    uint32_t index = router_index * engine->outputs_per_router + local;
    struct net_output *output = &engine->output[index];
    uint64_t requests = engine->requests[local];
    engine->requests[local] = 0;
    uint32_t driver = first_from(requests, output->pointer);
    output->pointer = (uint8_t)(driver + 1 == engine->drivers_per_router ? 0 : driver + 1);
    uint64_t losers = requests & ~(UINT64_C(1) << driver);
    if (losers != 0)
        make_pending(engine, router_index, losers, cycle + 1);
    router->eligible &= ~(UINT64_C(1) << driver);
    router->busy |= UINT64_C(1) << local;
    output->driver = (uint8_t)driver;
    output->packet = engine->driver[router_index * engine->drivers_per_router + driver].head;
    output->length = engine->packets[output->packet].length;
    bool ejection = local >= engine->first_ejection;
    if (!ejection)
        output->room -= reservation(engine, output, output->length);
    if (single_channel || ejection) {
        start(engine, index, output, cycle);
        return;
    }
    struct net_link_state *link = &engine->link[router_index * engine->ports + output->port];
    link->ready = (uint16_t)(link->ready | 1u << (local - output->port * engine->virtual_channels));
    if (!link->busy)
        router->ready_ports |= UINT64_C(1) << output->port;
}

/* Rule 5: every free link with granted channels starts one of them. Links that stay busy come back by
 * their end event (end_packet). */
static void start_links(struct net_packet_engine *engine, uint32_t router_index, uint64_t cycle)
{
    struct net_router *router = &engine->router[router_index];
    uint64_t ports = router->ready_ports;
    router->ready_ports = 0;
    for (; ports != 0; ports &= ports - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(ports);
        struct net_link_state *link = &engine->link[router_index * engine->ports + port];
        uint32_t channel = first_from(link->ready, link->pointer);
        link->pointer = (uint8_t)(channel + 1 == engine->virtual_channels ? 0 : channel + 1);
        link->ready = (uint16_t)(link->ready & ~(1u << channel));
        link->busy = true;
        uint32_t index =
            router_index * engine->outputs_per_router + port * engine->virtual_channels + channel;
        start(engine, index, &engine->output[index], cycle);
    }
}

/* ---- headers (rule 3) ---- */

/* Outputs of one tier as a mask of local numbers. A tier names ports and, for all of them, the same
 * virtual channels. */
static inline uint64_t tier_outputs(const struct net_packet_engine *engine, const struct net_route *route,
                                    uint32_t tier)
{
    uint64_t outputs = 0;
    for (uint64_t ports = route->ports[tier]; ports != 0; ports &= ports - 1)
        outputs |= (uint64_t)route->virtual_channels[tier]
                   << ((uint32_t)__builtin_ctzll(ports) * engine->virtual_channels);
    return outputs;
}

/* Those of the candidates that have room. Nothing is noted at the others: whether the driver sleeps on them
 * is known only when no tier has any. */
static inline uint64_t with_room(struct net_packet_engine *engine, uint32_t router_index, uint64_t candidates,
                                 uint32_t driver, uint32_t length, uint64_t cycle)
{
    uint64_t available = 0;
    for (; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        const struct net_output *output = &engine->output[router_index * engine->outputs_per_router + local];
        if (room_at(output, cycle) >= need_of(engine, output, driver, length))
            available |= UINT64_C(1) << local;
    }
    return available;
}

/* On all tiers' outputs, busy or without room: whichever changes first may be the one. A busy output wakes
 * by its end event; a free one may need a timed crossing. */
static inline void sleep_on(struct net_packet_engine *engine, uint32_t router_index, uint64_t candidates,
                            uint32_t driver, uint32_t length)
{
    const struct net_router *router = &engine->router[router_index];
    for (; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        uint32_t index = router_index * engine->outputs_per_router + local;
        struct net_output *output = &engine->output[index];
        uint32_t need = need_of(engine, output, driver, length);
        output->waiting |= UINT64_C(1) << driver;
        if (need < output->need_least)
            output->need_least = need;
        if ((router->busy >> local & 1) == 0)
            schedule_crossing(engine, index, output);
    }
}

/* Rule 3: a draw that depends on the packet and the cycle only, so neither the order of evaluation nor
 * skipping one disturbs any other. The bit is cleared as often as the draw says: candidates are few. */
static inline uint64_t choose(const struct net_packet *packet, uint64_t available, uint64_t cycle)
{
    uint32_t count = (uint32_t)__builtin_popcountll(available);
    for (uint32_t skip = base_scale(base_hash(packet->key, cycle), count); skip != 0; skip--)
        available &= available - 1;
    return available & -available;
}

/* Several candidates: the tiers in order, a draw among what is available (rule 3). No tiers: the packet
 * has arrived, and any free ejection channel of its terminal will do. */
static uint64_t evaluate_many(struct net_packet_engine *engine, uint32_t router_index, uint32_t driver,
                              uint64_t cycle, const struct net_route *route, uint32_t tiers)
{
    const struct net_router *router = &engine->router[router_index];
    uint32_t head = engine->driver[router_index * engine->drivers_per_router + driver].head;
    const struct net_packet *packet = &engine->packets[head];
    uint64_t candidates = 0, available = 0;
    if (tiers == 0) {
        candidates = ((UINT64_C(1) << engine->consumers) - 1)
                     << (engine->first_ejection + packet->slot * engine->consumers);
        available = candidates & ~router->busy;
    }
    for (uint32_t tier = 0; tier < tiers && available == 0; tier++) {
        uint64_t outputs = tier_outputs(engine, route, tier);
        candidates |= outputs;
        available = with_room(engine, router_index, outputs & ~router->busy, driver, packet->length, cycle);
    }
    if (available == 0)
        sleep_on(engine, router_index, candidates, driver, packet->length);
    return (available & (available - 1)) == 0 ? available : choose(packet, available, cycle);
}

/* One candidate, the usual case of a deterministic routing with one virtual channel: its bit when it is
 * available, else 0 and the driver sleeps on it. The same as evaluate_many does, without its loops; the
 * results must be equal. */
static inline uint64_t evaluate_one(struct net_packet_engine *engine, uint32_t router_index, uint32_t driver,
                                    uint64_t cycle, uint32_t local, uint32_t length)
{
    uint32_t index = router_index * engine->outputs_per_router + local;
    struct net_output *output = &engine->output[index];
    uint32_t need = need_of(engine, output, driver, length);
    bool free = (engine->router[router_index].busy >> local & 1) == 0;
    if (free && room_at(output, cycle) >= need)
        return UINT64_C(1) << local;
    output->waiting |= UINT64_C(1) << driver;
    if (need < output->need_least)
        output->need_least = need;
    if (free)
        schedule_crossing(engine, index, output);
    return 0;
}

/* The head of a driver looks for an output: the bit of the one it requests, or 0 when it goes to sleep.
 * The two shortcuts are what makes the hot loop hot: the header of nearly every packet of a deterministic
 * routing goes one of these ways. */
static inline uint64_t evaluate(struct net_packet_engine *engine, uint32_t router_index, uint32_t driver,
                                uint64_t cycle, const bool single_channel)
{
    const struct net_routing *routing = engine->network.routing;
    uint32_t head = engine->driver[router_index * engine->drivers_per_router + driver].head;
    const struct net_packet *packet = &engine->packets[head];
    struct net_route route;
    uint32_t tiers = routing->kind->route(routing, router_index, packet->header, &route);
    if (tiers == 0 && engine->consumers == 1)
        return evaluate_one(engine, router_index, driver, cycle, engine->first_ejection + packet->slot,
                            packet->length);
    if (single_channel && tiers == 1 && (route.ports[0] & (route.ports[0] - 1)) == 0)
        return evaluate_one(engine, router_index, driver, cycle, (uint32_t)__builtin_ctzll(route.ports[0]),
                            packet->length);
    return evaluate_many(engine, router_index, driver, cycle, &route, tiers);
}

/* One router in one cycle: every waiting head asks, every asked output grants, every free link starts. All
 * heads ask before any output grants: an output must see all its requests at once (rule 4). */
static inline void run_router(struct net_packet_engine *engine, uint32_t index, uint64_t cycle,
                              const bool single_channel)
{
    struct net_router *router = &engine->router[index];
    uint32_t parity = cycle & 1;
    uint64_t pending = router->pending[parity], requested = 0;
    router->pending[parity] = 0;
    router->listed = (uint8_t)(router->listed & ~(1u << parity));
    for (; pending != 0; pending &= pending - 1) {
        uint32_t driver = (uint32_t)__builtin_ctzll(pending);
        uint64_t output = evaluate(engine, index, driver, cycle, single_channel);
        if (output != 0)
            engine->requests[__builtin_ctzll(output)] |= UINT64_C(1) << driver;
        requested |= output;
    }
    for (; requested != 0; requested &= requested - 1)
        grant(engine, index, (uint32_t)__builtin_ctzll(requested), cycle, single_channel);
    if (!single_channel && router->ready_ports != 0)
        start_links(engine, index, cycle);
}

/* ---- time ---- */

/* Messages whose cycle has come enter their injectors, in the order of their numbers. The heap gives equal
 * cycles in the order of insertion, that is of the messages' numbers. */
static void join_due(struct net_packet_engine *engine, uint64_t cycle)
{
    const struct base_event *first;
    while ((first = base_heap_first(&engine->future)) != NULL && first->time <= cycle) {
        struct base_event event;
        base_heap_pop(&engine->future, &event);
        net_packet_engine_join(engine, (uint32_t)event.payload);
    }
}

/* The first cycle after `cycle` with an event in the wheel, or NET_NEVER. The wheel is a ring of words:
 * the search goes a word at a time, and ends after one turn, since no event is further ahead. */
static uint64_t next_event(const struct net_packet_engine *engine, uint64_t cycle)
{
    uint32_t size = engine->wheel_mask + 1;
    for (uint32_t ahead = 1; ahead <= size;) {
        uint32_t index = (uint32_t)(cycle + ahead) & engine->wheel_mask;
        uint64_t word = engine->wheel_used[index / 64] >> (index % 64);
        if (word != 0)
            return cycle + ahead + (uint32_t)__builtin_ctzll(word);
        ahead += 64 - index % 64;
    }
    return NET_NEVER;
}

/* The next cycle in which anything can happen. Pending routers come first: nothing can be earlier than the
 * next cycle. */
static uint64_t next_cycle(const struct net_packet_engine *engine, uint64_t cycle)
{
    if (engine->active[(cycle + 1) & 1].count != 0)
        return cycle + 1;
    uint64_t next = next_event(engine, cycle);
    const struct base_event *first = base_heap_first(&engine->future);
    return first != NULL && first->time < next ? first->time : next;
}

/* Visits the routers that have something to decide. Their order does not matter. */
static inline void run_cycle(struct net_packet_engine *engine, uint64_t cycle, const bool single_channel)
{
    join_due(engine, cycle);
    struct net_list *list = &engine->active[cycle & 1];
    for (uint32_t i = 0; i < list->count; i++)
        run_router(engine, list->routers[i], cycle, single_channel);
    list->count = 0;
    engine->network.statistics.executed_cycles++;
}

/* Handles the events of cycle now: 1 when notices are due. Once for each cycle, although the caller may
 * stop and come back in the middle of it. */
static inline int begin_cycle(struct net_packet_engine *engine, const bool single_channel)
{
    if (engine->events_done)
        return 0;
    run_events(engine, engine->network.now, single_channel);
    engine->events_done = true;
    return engine->network.notice_count != 0;
}

/* Whether cycle `now` must be executed; a caller may have injected into it since its events were handled. */
static bool cycle_has_work(const struct net_packet_engine *engine, uint64_t cycle)
{
    const struct base_event *first = base_heap_first(&engine->future);
    return engine->active[cycle & 1].count != 0 || (first != NULL && first->time <= cycle);
}

/* Executes cycles until something is to be told or the limit is reached. The flag makes two copies of all
 * of the above: with one virtual channel a grant is a start, and links need no state of their own. Only
 * when nothing is pending, no event is due and no message is to come can packets inside be stuck for ever:
 * then it is a deadlock, found without a time-out. */
static inline int advance(struct net_packet_engine *engine, uint64_t limit, const bool single_channel,
                          struct base_error *error)
{
    struct net_network *network = &engine->network;
    for (;;) {
        int noticed = begin_cycle(engine, single_channel);
        if (engine->out_of_memory)
            return base_error_memory(error, "the network's packets");
        if (noticed != 0 || network->now >= limit)
            return noticed;
        if (cycle_has_work(engine, network->now))
            run_cycle(engine, network->now, single_channel);
        uint64_t next = next_cycle(engine, network->now);
        if (next == NET_NEVER) {
            if (net_network_pending(network) != 0)
                return net_packet_engine_deadlock(engine, error);
            if (limit == NET_NEVER)
                return 0;
        }
        network->now = next < limit ? next : limit;
        engine->events_done = false;
    }
}

/* The literals make the compiler keep two copies. */
int net_packet_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    if (engine->virtual_channels == 1)
        return advance(engine, limit, true, error);
    return advance(engine, limit, false, error);
}
