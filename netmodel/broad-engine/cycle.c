/* The broad engine's cycle: the hot loop. See internal.h for the idea, doc/flit-engine.md for the rules.
 *
 * A cycle t, of which only the parts that have something to do are done:
 *
 *     events     headers may ask, departures are seen, room reaches a need        settle
 *     injection  messages join their injectors                                    join_due
 *     routers    heads ask (rule 3), outputs grant (rule 4), links start (5)      run_router
 *     ends       tails that cross in t free output, link, driver and place,
 *                all of it for t + 1                                              end_packet
 *
 * The first two change what the routers see at the start of the cycle. A router in its turn changes its own outputs,
 * and of others only what is seen in t + 1: so the order of routers cannot be seen in the result. */
#include "netmodel/broad-engine/events.h"

#include "netmodel/engines/arbiters.h"

/* ---- heads and injectors (rule 2) ---- */

/* The head may ask from that cycle on, which is this one before the routers run, or the next. */
static void admit_head(struct net_broad_engine *engine, struct net_broad_driver *driver, uint64_t cycle)
{
    engine->packets[driver->head].asked = cycle;
    engine->eligible[(size_t)driver->router * engine->words + driver->local / 64] |= UINT64_C(1)
                                                                                     << driver->local % 64;
    make_pending(engine, driver->router, driver->local, cycle);
}

/* Makes the next packet of an idle injector's queue its head. An injector without a message stays idle; its next
 * one makes the head when it joins. */
static void make_head(struct net_broad_engine *engine, struct net_broad_driver *driver, uint64_t cycle)
{
    uint32_t injector = driver->router * (engine->drivers_per_router - engine->first_injector) +
                        driver->local - engine->first_injector;
    if (!net_flights_waits(&engine->flights, injector))
        return;
    uint32_t index = NET_POOL_TAKE(&engine->pool, &engine->packets, struct net_broad_packet, next);
    if (index == NET_NONE) {
        engine->out_of_memory = true;
        return;
    }
    struct net_broad_packet *packet = &engine->packets[index];
    net_flights_cut(&engine->flights, injector, &packet->cargo);
    packet->ready = 0; /* the pipeline was passed before the message joined */
    packet->next = NET_NONE;
    packet->to_choose = engine->chooses;
    driver->head = driver->tail = index;
    admit_head(engine, driver, cycle);
}

/* When the injector is idle the packet may ask in this very cycle. */
void net_broad_engine_join(struct net_broad_engine *engine, uint32_t injector)
{
    uint32_t each = engine->drivers_per_router - engine->first_injector, router = injector / each;
    uint32_t local = engine->first_injector + injector - router * each;
    struct net_broad_driver *driver = &engine->driver[(size_t)router * engine->drivers_per_router + local];
    const struct net_flights *flights = &engine->flights;
    engine->injected[driver - engine->driver].queued +=
        flights->items[flights->injectors[injector].last].flits_left;
    if (driver->head == NET_NONE && driver->held == NET_BROAD_HOLDS_NOTHING)
        make_head(engine, driver, engine->network.now);
}

/* In the order of their numbers, which flights.c keeps. */
static void join_due(struct net_broad_engine *engine, uint64_t cycle)
{
    uint32_t injector;
    while ((injector = net_flights_join(&engine->flights, cycle)) != NET_NONE)
        net_broad_engine_join(engine, injector);
}

/* The head of a driver that holds nothing asks when it has passed the router's pipeline, in that cycle at the
 * soonest. */
static void await_head(struct net_broad_engine *engine, struct net_broad_driver *driver, uint64_t cycle)
{
    uint64_t ready = engine->packets[driver->head].ready;
    if (ready <= cycle)
        admit_head(engine, driver, cycle);
    else
        schedule(engine, &engine->events, ready, event_of(EVENT_ASK, 0, (uint32_t)(driver - engine->driver)));
}

/* Puts the packet into the list of the next buffer; its first flit crosses in this cycle. */
static void push(struct net_broad_engine *engine, const struct net_broad_output *output, uint32_t index,
                 uint64_t cycle)
{
    struct net_broad_driver *driver = &engine->driver[output->next_driver];
    struct net_broad_packet *packet = &engine->packets[index];
    uint32_t crossing = engine->network.options.link_cycles;
    if (engine->crossings != NULL)
        crossing = engine->crossings[(size_t)output->router * engine->ports +
                                     output->local / engine->virtual_channels];
    packet->ready = cycle + crossing + engine->pipeline;
    packet->next = NET_NONE;
    if (driver->head != NET_NONE) {
        engine->packets[driver->tail].next = index;
        driver->tail = index;
        return;
    }
    driver->head = driver->tail = index;
    if (driver->held == NET_BROAD_HOLDS_NOTHING)
        await_head(engine, driver, cycle + 1);
}

/* ---- what comes at the start of a cycle ---- */

/* What was noted for this cycle, for one driver or output: a head that asks, a packet that departs, places that
 * come back, or an output that had nothing to do before now. All but the first end with another look at the
 * output, since whoever sleeps on it may go on. What the event says is of the cycle itself: nothing has to be
 * compared with it, as slots of the wheel are a turn apart. */
static void run_event(struct net_broad_engine *engine, uint64_t event, uint64_t cycle)
{
    struct net_broad_output *output = &engine->output[(uint32_t)event];
    struct net_broad_driver *driver;
    switch ((enum broad_event)(event >> EVENT_KIND)) {
    case EVENT_ASK:
        driver = &engine->driver[(uint32_t)event];
        admit_head(engine, driver, cycle);
        return;
    case EVENT_DEPART:
        output->since = cycle - 1;
        output->leaving = (uint16_t)(event >> EVENT_LENGTH);
        break;
    case EVENT_CREDIT:
        output->leaving = 0;
        change_room(engine, output, net_broad_reservation(engine, output, (uint16_t)(event >> EVENT_LENGTH)));
        break;
    case EVENT_WAKE:
        if (output->wake != cycle)
            return; /* another one counts */
        output->wake = NET_BROAD_NEVER;
        break;
    }
    look_again(engine, output, cycle);
}

/* A credit may come in the cycle in which the next departure is seen: it was noted before, and is read before. */
static void settle(struct net_broad_engine *engine, uint64_t cycle)
{
    struct net_broad_slot *slot = take_slot(engine, &engine->events, cycle);
    for (uint32_t i = 0; slot != NULL && i < slot->count; i++)
        run_event(engine, slot->items[i], cycle);
    if (slot != NULL)
        slot->count = 0;
}

/* ---- arbiters (rules 4 and 5) ---- */

/* Flits in a driver's buffer at the start of a cycle, of a driver that nothing leaves in it. */
static uint64_t queue_flits(const struct net_broad_engine *engine, const struct net_broad_driver *driver,
                            uint64_t cycle)
{
    uint64_t flits = 0;
    if (driver->upstream == NET_NONE)
        return engine->injected[driver - engine->driver].queued;
    for (uint32_t index = driver->head; index != NET_NONE; index = engine->packets[index].next) {
        const struct net_broad_packet *packet = &engine->packets[index];
        uint64_t arrives = packet->ready - engine->pipeline, length = packet->cargo.length;
        if (arrives > cycle)
            break;
        flits += cycle - arrives + 1 < length ? cycle - arrives + 1 : length;
    }
    return flits;
}

/* Whether the first of two heads goes before the second; neither does among equals, which are served in turn. */
static bool goes_before(const struct net_broad_engine *engine, const struct net_broad_driver *first,
                        const struct net_broad_driver *second, uint64_t cycle)
{
    if (engine->network.options.arbiter == NET_OLDEST_FIRST)
        return net_flights_older(&engine->flights, &engine->packets[first->head].cargo,
                                 &engine->packets[second->head].cargo);
    if (engine->network.options.arbiter == NET_LONGEST_QUEUE)
        return queue_flits(engine, first, cycle) > queue_flits(engine, second, cycle);
    return false;
}

/* The winner of those that ask for an output, which are listed in rising numbers: candidates from the pointer on, then
 * those before it. Two turns through the list, since it begins at the lowest number and not at the pointer; lists
 * are short, and there is no mask of a whole router to turn. */
static uint32_t arbitrate(const struct net_broad_engine *engine, uint32_t router, uint32_t local,
                          uint64_t cycle)
{
    const struct net_broad_driver *drivers = &engine->driver[(size_t)router * engine->drivers_per_router];
    const struct net_broad_output *output = net_broad_output_at(engine, router, local);
    const struct net_broad_request *request = &engine->asking[local];
    uint32_t count = 0, best = NET_NONE;
    if (request->first == request->last)
        return request->first;
    if (engine->network.options.arbiter == NET_RANDOM) {
        for (uint32_t at = request->first; at != request->last; at = engine->after[at])
            count++;
        count = base_scale(
            net_arbiter_draw(engine->seed, (uint64_t)router * engine->outputs_per_router + local, cycle),
            count + 1);
        for (best = request->first; count != 0; count--)
            best = engine->after[best];
        return best;
    }
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t at = request->first;; at = engine->after[at]) {
            if ((at < output->pointer) == (turn == 1) &&
                (best == NET_NONE || goes_before(engine, &drivers[at], &drivers[best], cycle)))
                best = at;
            if (at == request->last)
                break;
        }
    return best;
}

/* A choice among virtual channels of a link. */
struct link_contest {
    const struct net_broad_engine *engine;
    const struct net_broad_driver *drivers; /* of the router */
    const struct net_broad_output *outputs; /* of the link */
};

/* Each stands for the driver that holds it. */
static bool channel_goes_before(const void *context, uint32_t first, uint32_t second)
{
    const struct link_contest *contest = context;
    return goes_before(contest->engine, &contest->drivers[contest->outputs[first].driver],
                       &contest->drivers[contest->outputs[second].driver], contest->engine->network.now);
}

/* The same among the granted virtual channels of a link, which are few enough for a mask. */
static uint32_t arbitrate_link(const struct net_broad_engine *engine, uint32_t router, uint32_t port,
                               uint64_t cycle)
{
    const struct net_broad_port *link = &engine->port[(size_t)router * engine->ports + port];
    uint32_t base = port * engine->virtual_channels;
    const struct link_contest contest = {engine, &engine->driver[(size_t)router * engine->drivers_per_router],
                                         net_broad_output_at(engine, router, base)};
    uint64_t granted = link->granted, number = ~((uint64_t)router * engine->outputs_per_router + base);
    uint32_t in_turn = net_bits_from(granted, link->pointer);
    if ((granted & (granted - 1)) == 0 || engine->network.options.arbiter == NET_ROUND_ROBIN)
        return in_turn;
    if (engine->network.options.arbiter == NET_RANDOM)
        return net_bits_draw(granted, net_arbiter_draw(engine->seed, number, cycle));
    return net_arbiter_best(granted, in_turn, channel_goes_before, &contest);
}

/* ---- headers ask (rule 3) ---- */

/* What a routing that chooses is given: flits reserved and not yet gone on some virtual channels of a link. */
static uint32_t occupied(const struct net_occupancy *occupancy, uint32_t port, uint32_t channels)
{
    const struct net_broad_engine *engine = occupancy->context;
    const struct net_broad_output *outputs =
        net_broad_output_at(engine, occupancy->router, port * engine->virtual_channels);
    int64_t flits = 0;
    for (; channels != 0; channels &= channels - 1)
        flits += (int64_t)engine->network.options.buffer_flits -
                 net_broad_room(&outputs[__builtin_ctz(channels)], engine->network.now);
    return (uint32_t)flits;
}

/* And of the packets that have chosen: heads that may ask and hold nothing. */
static uint32_t waiting(const struct net_occupancy *occupancy, uint32_t injector, uint64_t *header)
{
    const struct net_broad_engine *engine = occupancy->context;
    uint32_t local = engine->first_injector + injector;
    if ((engine->eligible[(size_t)occupancy->router * engine->words + local / 64] >> local % 64 & 1) == 0)
        return 0;
    size_t driver = (size_t)occupancy->router * engine->drivers_per_router + local;
    const struct net_broad_packet *packet = &engine->packets[engine->driver[driver].head];
    *header = packet->cargo.header;
    return packet->to_choose ? 0 : packet->cargo.length;
}

/* Rule 14: the packet is at the head of its injector and asks for the first time. Heads of a router ask in the order of
 * their numbers. */
static void choose_way(struct net_broad_engine *engine, struct net_broad_driver *driver)
{
    const struct net_routing *routing = engine->network.routing;
    struct net_broad_packet *packet = &engine->packets[driver->head];
    const struct net_occupancy occupancy = {
        engine, driver->router, engine->drivers_per_router - engine->first_injector, occupied, waiting};
    packet->cargo.header = routing->kind->choose(routing, packet->cargo.header, &occupancy);
    packet->to_choose = false;
}

/* A tier's outputs of a port that are available to the driver, as virtual channels. */
static inline uint32_t available_channels(const struct net_broad_engine *engine,
                                          const struct net_broad_driver *driver, uint32_t port,
                                          uint32_t channels, uint64_t cycle)
{
    const struct net_broad_port *link = &engine->port[(size_t)driver->router * engine->ports + port];
    uint32_t open = channels & link->free, available = open & ~(uint32_t)link->tight;
    for (open &= link->tight; open != 0; open &= open - 1) {
        uint32_t channel = (uint32_t)__builtin_ctz(open);
        const struct net_broad_output *output =
            net_broad_output_at(engine, driver->router, port * engine->virtual_channels + channel);
        uint32_t length = engine->packets[driver->head].cargo.length;
        if (net_broad_room(output, cycle) >= net_broad_need(engine, output, driver->local, length))
            available |= UINT32_C(1) << channel;
    }
    return available;
}

/* One of the available outputs of a tier, by the packet's key and the cycle; NET_NONE: there is none. Ports and
 * masks are collected first, as the draw needs the number of available outputs before it can pick one. */
static uint32_t choose_of_tier(const struct net_broad_engine *engine, const struct net_broad_driver *driver,
                               const struct net_route *route, uint32_t tier, uint64_t cycle)
{
    const struct net_topology *topology = engine->network.topology;
    uint16_t ports[NET_PORTS_MAX], masks[NET_PORTS_MAX];
    uint32_t found = 0, count = 0, i = 0;
    for (uint32_t port = net_route_next(topology, route, tier, 0); port != NET_NONE;
         port = net_route_next(topology, route, tier, port + 1)) {
        uint32_t channels = available_channels(engine, driver, port, route->virtual_channels[tier], cycle);
        if (channels == 0)
            continue;
        ports[found] = (uint16_t)port;
        masks[found++] = (uint16_t)channels;
        count += (uint32_t)__builtin_popcount(channels);
    }
    if (count == 0)
        return NET_NONE;
    uint32_t left =
        count == 1 ? 0 : base_scale(base_hash(engine->packets[driver->head].cargo.key, cycle), count);
    while (left >= (uint32_t)__builtin_popcount(masks[i]))
        left -= (uint32_t)__builtin_popcount(masks[i++]);
    return ports[i] * engine->virtual_channels + net_bits_nth(masks[i], left);
}

/* The first of a terminal's ejection channels. */
static inline uint32_t ejection_of(const struct net_broad_engine *engine,
                                   const struct net_broad_driver *driver)
{
    return engine->first_ejection + engine->packets[driver->head].cargo.slot * engine->consumers;
}

/* The consumer of a terminal that takes the packet: the only free one, or one drawn among several by the packet's
 * key and the cycle, so that the draw depends on no order of evaluation. NET_NONE: all are busy. */
static uint32_t choose_ejection(const struct net_broad_engine *engine, const struct net_broad_driver *driver,
                                uint64_t cycle)
{
    uint32_t first = ejection_of(engine, driver);
    const struct net_broad_output *outputs = net_broad_output_at(engine, driver->router, first);
    uint64_t available = 0;
    for (uint32_t i = 0; i < engine->consumers; i++)
        available |= (uint64_t)!outputs[i].busy << i;
    if ((available & (available - 1)) == 0)
        return available != 0 ? first + (uint32_t)__builtin_ctzll(available) : NET_NONE;
    return first + net_bits_draw(available, base_hash(engine->packets[driver->head].cargo.key, cycle));
}

/* A head that cannot go on is looked at again only when this output changes. The output remembers the least that
 * any of its sleepers needs. */
static void sleep_on_output(struct net_broad_engine *engine, const struct net_broad_driver *driver,
                            uint32_t local, uint64_t cycle)
{
    uint32_t index = driver->router * engine->outputs_per_router + local;
    struct net_broad_output *output = &engine->output[index];
    int32_t need = 0;
    if (output->next_driver != NET_NONE)
        need = net_broad_need(engine, output, driver->local, engine->packets[driver->head].cargo.length);
    engine->sleepers[(size_t)index * engine->words + driver->local / 64] |= UINT64_C(1) << driver->local % 64;
    output->need = need < output->need ? need : output->need;
    look_again(engine, output, cycle + 1);
}

/* On all outputs of all tiers: whichever changes first may be the one. */
static void sleep_on_all(struct net_broad_engine *engine, const struct net_broad_driver *driver,
                         const struct net_route *route, uint32_t tiers, uint64_t cycle)
{
    const struct net_topology *topology = engine->network.topology;
    for (uint32_t i = 0; tiers == 0 && i < engine->consumers; i++)
        sleep_on_output(engine, driver, ejection_of(engine, driver) + i, cycle);
    for (uint32_t tier = 0; tier < tiers; tier++)
        for (uint32_t port = net_route_next(topology, route, tier, 0); port != NET_NONE;
             port = net_route_next(topology, route, tier, port + 1))
            for (uint32_t left = route->virtual_channels[tier]; left != 0; left &= left - 1)
                sleep_on_output(engine, driver,
                                port * engine->virtual_channels + (uint32_t)__builtin_ctz(left), cycle);
}

/* A head asks for an output, or sleeps. Returns the output, NET_NONE if none is available. Its route, which does not
 * change while it stands there, is worked out whenever it asks: to keep it would take more memory than all else. */
static uint32_t evaluate(struct net_broad_engine *engine, struct net_broad_driver *driver, uint64_t cycle)
{
    const struct net_routing *routing = engine->network.routing;
    struct net_route route;
    uint32_t output = NET_NONE;
    if (engine->chooses && engine->packets[driver->head].to_choose)
        choose_way(engine, driver);
    uint32_t tiers =
        routing->kind->route(routing, driver->router, engine->packets[driver->head].cargo.header, &route);
    if (tiers == 0)
        output = choose_ejection(engine, driver, cycle);
    for (uint32_t tier = 0; output == NET_NONE && tier < tiers; tier++)
        output = choose_of_tier(engine, driver, &route, tier, cycle);
    if (output == NET_NONE)
        sleep_on_all(engine, driver, &route, tiers, cycle);
    return output;
}

/* ---- grants and starts (rules 4 and 5) ---- */

/* From the cycle in which it could first ask to this one, in which it leaves by the output. */
static void count_wait(const struct net_broad_engine *engine, struct net_broad_output *output,
                       struct net_broad_packet *packet, uint64_t cycle)
{
    const struct net_topology *topology = engine->network.topology;
    uint64_t cycles = cycle - packet->asked;
    if (cycles == 0)
        return;
    output->waits += cycles;
    net_journey_add(&packet->cargo.worst_link, &packet->cargo.worst_cycles,
                    topology->link_at[(size_t)output->router * topology->ports +
                                      output->local / engine->virtual_channels],
                    cycles);
}

/* What the departure from a buffer changes upstream, from the next cycle on. Longer credits are events, since one
 * packet may be seen to leave when the next one leaves already. */
static void leave_buffer(struct net_broad_engine *engine, struct net_broad_output *upstream, uint32_t length,
                         uint64_t cycle)
{
    uint32_t number = (uint32_t)(upstream - engine->output), credit = engine->credit_cycles;
    if (credit > 1) {
        schedule(engine, &engine->events, cycle + credit, event_of(EVENT_DEPART, length, number));
        schedule(engine, &engine->events, cycle + length - 1 + credit,
                 event_of(EVENT_CREDIT, length, number));
        return;
    }
    upstream->since = cycle;
    upstream->leaving = (uint16_t)length;
    look_again(engine, upstream, cycle + 1);
}

/* The packet crosses from this cycle on, a flit a cycle, and its header is on its way to the next router. The end
 * is noted for the cycle in which the tail crosses; what it frees is free in the next. */
static void start(struct net_broad_engine *engine, struct net_broad_output *output, uint64_t cycle)
{
    struct net_broad_driver *driver =
        &engine->driver[(size_t)output->router * engine->drivers_per_router + output->driver];
    const struct net_routing *routing = engine->network.routing;
    uint32_t index = output->packet;
    struct net_broad_packet *packet = &engine->packets[index];
    struct net_cargo *cargo = &packet->cargo;
    driver->head = packet->next;
    if (driver->head == NET_NONE)
        driver->tail = NET_NONE;
    output->flits += cargo->length;
    schedule(engine, &engine->ends, cycle + cargo->length - 1, (uint64_t)(output - engine->output));
    if (driver->upstream == NET_NONE) {
        engine->injected[driver - engine->driver].queued -= cargo->length;
        engine->injected[driver - engine->driver].flits += cargo->length;
    } else {
        leave_buffer(engine, &engine->output[driver->upstream], cargo->length, cycle);
    }
    if (output->next_driver == NET_NONE)
        return;
    count_wait(engine, output, packet, cycle);
    cargo->header =
        routing->kind->step(routing, output->router, cargo->header, output->local / engine->virtual_channels);
    cargo->hops++;
    const struct net_owners *owners = &engine->network.owners;
    if (owners->row != NULL)
        net_owners_carry(owners, owners->row[engine->flights.items[cargo->flight].source],
                         owners->slot[output->router * engine->network.topology->ports +
                                      output->local / engine->virtual_channels],
                         cargo->length, true);
    push(engine, output, index, cycle);
}

/* The arbiter's pointer moves on only here. An ejection channel is a link of its own, and starts at once. Nothing
 * of other routers is touched here: a start may push into the next buffer, which is seen there a cycle later. */
static void grant(struct net_broad_engine *engine, uint32_t router, uint32_t local, uint32_t winner,
                  uint64_t cycle)
{
    struct net_broad_output *output = net_broad_output_at(engine, router, local);
    struct net_broad_driver *driver = &engine->driver[(size_t)router * engine->drivers_per_router + winner];
    output->pointer = (uint16_t)(winner + 1 == engine->drivers_per_router ? 0 : winner + 1);
    output->driver = (uint16_t)winner;
    output->packet = driver->head;
    output->length = (uint16_t)engine->packets[driver->head].cargo.length;
    output->busy = true;
    driver->held = (uint16_t)local;
    engine->eligible[(size_t)router * engine->words + winner / 64] &= ~(UINT64_C(1) << winner % 64);
    if (local >= engine->first_ejection) {
        start(engine, output, cycle);
        return;
    }
    uint32_t port = local / engine->virtual_channels, channel = local % engine->virtual_channels;
    struct net_broad_port *link = &engine->port[(size_t)router * engine->ports + port];
    change_room(engine, output, -net_broad_reservation(engine, output, output->length));
    link->free &= (uint16_t) ~(1U << channel);
    link->granted |= (uint16_t)(1U << channel);
    if (!link->carries)
        engine->router[router].starts[port / 64] |= UINT64_C(1) << port % 64;
}

/* All who asked for the output in this cycle; losers ask again in the next. */
static void grant_one(struct net_broad_engine *engine, uint32_t router, uint32_t local, uint64_t cycle)
{
    const struct net_broad_request request = engine->asking[local];
    uint32_t winner = arbitrate(engine, router, local, cycle);
    for (uint32_t at = request.first;; at = engine->after[at]) {
        if (at != winner)
            make_pending(engine, router, at, cycle + 1);
        if (at == request.last)
            break;
    }
    engine->asking[local].first = NET_BROAD_HOLDS_NOTHING;
    grant(engine, router, local, winner, cycle);
}

/* Links that carry nothing start one of their granted channels each. */
static void start_links(struct net_broad_engine *engine, uint32_t index, uint64_t cycle)
{
    struct net_broad_router *router = &engine->router[index];
    for (uint32_t word = 0; word < NET_PORT_WORDS; word++)
        for (; router->starts[word] != 0; router->starts[word] &= router->starts[word] - 1) {
            uint32_t port = word * 64 + (uint32_t)__builtin_ctzll(router->starts[word]);
            struct net_broad_port *link = &engine->port[(size_t)index * engine->ports + port];
            uint32_t channel = arbitrate_link(engine, index, port, cycle);
            link->pointer = (uint8_t)(channel + 1 == engine->virtual_channels ? 0 : channel + 1);
            link->granted &= (uint16_t) ~(1U << channel);
            link->carries = true;
            start(engine, net_broad_output_at(engine, index, port * engine->virtual_channels + channel),
                  cycle);
        }
}

/* One head, whose request is noted behind those for the same output: they come in rising numbers. */
static uint32_t note_request(struct net_broad_engine *engine, uint32_t local, uint32_t driver, uint32_t asked)
{
    struct net_broad_request *request = &engine->asking[local];
    if (request->first == NET_BROAD_HOLDS_NOTHING) {
        request->first = request->last = (uint16_t)driver;
        engine->asked[asked] = (uint16_t)local;
        return asked + 1;
    }
    engine->after[request->last] = (uint16_t)driver;
    request->last = (uint16_t)driver;
    return asked;
}

/* All heads ask before any output grants, since an output must see all its requests at once (rule 4), and all grants
 * come before all starts, since arbiters look at queues, which a start changes. Only words with somebody pending
 * cost anything beyond a look. */
static void run_router(struct net_broad_engine *engine, uint32_t index, uint64_t cycle)
{
    const size_t first = (size_t)index * engine->words;
    uint32_t asked = 0;
    engine->router[index].listed[cycle & 1] = false;
    for (uint32_t word = 0; word < engine->words; word++) {
        uint64_t heads = engine->pending[cycle & 1][first + word] & engine->eligible[first + word];
        engine->pending[cycle & 1][first + word] = 0;
        for (; heads != 0; heads &= heads - 1) {
            uint32_t driver = word * 64 + (uint32_t)__builtin_ctzll(heads);
            uint32_t output =
                evaluate(engine, &engine->driver[(size_t)index * engine->drivers_per_router + driver], cycle);
            if (output != NET_NONE)
                asked = note_request(engine, output, driver, asked);
        }
    }
    for (uint32_t i = 0; i < asked; i++)
        grant_one(engine, index, engine->asked[i], cycle);
    start_links(engine, index, cycle);
}

/* ---- ends ---- */

/* The driver of a packet whose tail crosses in this cycle: its place is free upstream, and the next one's turn comes.
 *
 * With longer credits the place comes back by an event of its own (leave_buffer). */
static void release_driver(struct net_broad_engine *engine, struct net_broad_driver *driver,
                           const struct net_broad_output *output, uint64_t cycle)
{
    driver->held = NET_BROAD_HOLDS_NOTHING;
    if (driver->upstream == NET_NONE) {
        engine->out_of_memory |=
            net_flights_sent(&engine->flights, &engine->packets[output->packet].cargo) < 0;
        make_head(engine, driver, cycle + 1);
        return;
    }
    if (driver->head != NET_NONE)
        await_head(engine, driver, cycle + 1);
    if (engine->credit_cycles > 1)
        return;
    struct net_broad_output *upstream = &engine->output[driver->upstream];
    upstream->leaving = 0;
    change_room(engine, upstream, net_broad_reservation(engine, upstream, output->length));
    look_again(engine, upstream, cycle + 1);
}

/* The tail crosses in this cycle: all that it frees is free for the next. A link that becomes free has channels
 * that were granted while it carried: the router is visited for them. */
static void end_packet(struct net_broad_engine *engine, struct net_broad_output *output, uint64_t cycle)
{
    output->busy = false;
    if (output->next_driver != NET_NONE) {
        uint32_t port = output->local / engine->virtual_channels;
        uint32_t channel = output->local % engine->virtual_channels;
        struct net_broad_port *link = &engine->port[(size_t)output->router * engine->ports + port];
        link->free |= (uint16_t)(1U << channel);
        link->carries = false;
        if (link->granted != 0) {
            engine->router[output->router].starts[port / 64] |= UINT64_C(1) << port % 64;
            visit(engine, output->router, cycle + 1);
        }
    }
    release_driver(engine,
                   &engine->driver[(size_t)output->router * engine->drivers_per_router + output->driver],
                   output, cycle);
    if (output->next_driver == NET_NONE) {
        engine->out_of_memory |=
            net_flights_deliver(&engine->flights, &engine->packets[output->packet].cargo) < 0;
        NET_POOL_GIVE(&engine->pool, engine->packets, struct net_broad_packet, next, output->packet);
    }
    look_again(engine, output, cycle + 1);
}

/* ---- time ---- */

/* The first cycle from now on in which anything can happen. */
static uint64_t next_cycle(const struct net_broad_engine *engine)
{
    uint64_t now = engine->network.now;
    if (engine->active_count[now & 1] != 0)
        return now;
    uint64_t event = next_slot(engine, &engine->events, now), end = next_slot(engine, &engine->ends, now);
    uint64_t join = net_flights_next(&engine->flights), next = event < end ? event : end;
    return join < next ? join : next;
}

/* Counts as executed if a router had anything to decide. */
static void run_cycle(struct net_broad_engine *engine)
{
    uint64_t cycle = engine->network.now;
    uint32_t parity = cycle & 1;
    settle(engine, cycle);
    join_due(engine, cycle);
    engine->network.statistics.executed_cycles += engine->active_count[parity] != 0;
    for (uint32_t i = 0; i < engine->active_count[parity]; i++)
        run_router(engine, engine->active[parity][i], cycle);
    engine->active_count[parity] = 0;
    struct net_broad_slot *slot = take_slot(engine, &engine->ends, cycle);
    for (uint32_t i = 0; slot != NULL && i < slot->count; i++)
        end_packet(engine, &engine->output[slot->items[i]], cycle);
    if (slot != NULL)
        slot->count = 0;
}

/* Executes cycles until something is to be told or the limit is reached. Only when nothing is pending, no event is to
 * come and no message either can packets inside be stuck for ever: then it is a deadlock, found without a time-out. */
int net_broad_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_broad_engine *engine = (struct net_broad_engine *)network;
    for (;;) {
        int before =
            net_network_before_cycle(network, engine->out_of_memory, next_cycle(engine), limit, error);
        if (before == NET_STANDS_STILL)
            return net_standstill_report(network, error);
        if (before != NET_GOES_ON)
            return before;
        run_cycle(engine);
        network->now++;
    }
}
