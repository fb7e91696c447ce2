/* What the flit-grant engine does once a packet and router, however its flits move between: headers arrive, ask and
 * are granted an output (rules 2 to 4), leave, and tails make place for the packet behind. Functions that the compiler
 * shall copy for both flow controls have a parameter wormhole, and one more, uneven, for links of their own (rule 12),
 * routings that look or choose (rules 13 and 14) and links that fail (faults.h): both are literals where they come
 * from. */
#ifndef NET_FLIT_ENGINE_HEADS_H
#define NET_FLIT_ENGINE_HEADS_H

#include "netmodel/engines/arbiters.h"
#include "netmodel/engines/bits.h"
#include "netmodel/flit-engine/faults.h"
#include "netmodel/flit-engine/moves.h"

#define INLINE inline __attribute__((always_inline))

/* ---- active routers ---- */

/* The router has something to do in the next cycle that is executed. */
static inline void activate(struct net_flit_engine *engine, struct net_flit_router *router)
{
    if (router->listed)
        return;
    router->listed = true;
    engine->next_active[engine->next_active_count++] = router->number;
}

/* Kept in an array beside the drivers, so that a driver stays within half a cache line. */
static inline struct net_flit_injector *injected_of(const struct net_flit_engine *engine,
                                                    const struct net_flit_driver *driver)
{
    return &engine->injected[driver - engine->driver];
}

/* ---- packets and injectors (rule 2) ---- */

/* Outputs of one tier as a mask of local numbers. */
static struct net_flit_set tier_outputs(const struct net_flit_engine *engine, const struct net_route *route,
                                        uint32_t tier)
{
    const struct net_topology *topology = engine->network.topology;
    struct net_flit_set outputs = {{0}};
    for (uint32_t port = net_route_next(topology, route, tier, 0); port != NET_NONE;
         port = net_route_next(topology, route, tier, port + 1))
        net_flit_add_span(&outputs, port * engine->virtual_channels, route->virtual_channels[tier]);
    return outputs;
}

/* What a routing that looks is shown: the state at the start of the cycle, since all heads of a router ask before
 * any output grants. By the number that the output has in the rules. */
static const struct net_flit_output *seen(const struct net_view *view, uint32_t port,
                                          uint32_t virtual_channel)
{
    const struct net_flit_engine *engine = view->context;
    return &engine->router[view->router].outputs[port * engine->virtual_channels + virtual_channel];
}

/* As rule 6 or 8 counts it at the start of the cycle. */
static uint32_t view_room(const struct net_view *view, uint32_t port, uint32_t virtual_channel)
{
    return seen(view, port, virtual_channel)->room;
}

/* Free to be granted, not only idle: under wormhole the next buffer is empty as well. */
static bool view_is_free(const struct net_view *view, uint32_t port, uint32_t virtual_channel)
{
    const struct net_flit_engine *engine = view->context;
    return net_flit_has(&engine->router[view->router].free, seen(view, port, virtual_channel)->local);
}

/* Rule 13: what the head wants in this cycle. One that has arrived wants what it wanted. */
static void look(struct net_flit_engine *engine, struct net_flit_driver *driver)
{
    const struct net_flit_packet *packet = &engine->packets[driver->head];
    const struct net_view view = {
        engine,    driver->router, engine->network.options.buffer_flits, packet->cargo.length,
        view_room, view_is_free};
    const struct net_routing *routing = engine->network.routing;
    uint64_t header = packet->cargo.header;
    struct net_flit_want *want = &engine->want[driver - engine->driver];
    struct net_route route = {.ports = {0}};
    uint32_t tiers = routing->kind->route(routing, driver->router, header, &route);
    if (tiers == 0)
        return;
    tiers = routing->kind->look(routing, header, &view, &route, tiers);
    for (uint32_t tier = 0; tier < tiers; tier++)
        want->tiers[tier] = tier_outputs(engine, &route, tier);
    driver->tiers = (uint8_t)tiers;
}

/* What the head wants, as long as its header stands there. */
static void find_wants(const struct net_flit_engine *engine, struct net_flit_driver *driver)
{
    const struct net_routing *routing = engine->network.routing;
    const struct net_cargo *cargo = &engine->packets[driver->head].cargo;
    struct net_flit_want *want = &engine->want[driver - engine->driver];
    struct net_route route;
    driver->tiers = (uint8_t)routing->kind->route(routing, driver->router, cargo->header, &route);
    for (uint32_t tier = 0; tier < driver->tiers; tier++)
        want->tiers[tier] = tier_outputs(engine, &route, tier);
    if (driver->tiers == 0) {
        driver->tiers = 1;
        want->tiers[0] = (struct net_flit_set){{0}};
        net_flit_add_span(&want->tiers[0], engine->first_ejection + cargo->slot * engine->consumers,
                          UINT64_MAX >> (NET_FLIT_WORD_BITS - engine->consumers));
    }
}

/* What a routing that chooses is given: flits reserved and not yet gone on some virtual channels of a link. */
static uint32_t occupied(const struct net_occupancy *occupancy, uint32_t port, uint32_t channels)
{
    const struct net_flit_engine *engine = occupancy->context;
    const struct net_flit_output *outputs =
        &engine->router[occupancy->router].outputs[(size_t)port * engine->virtual_channels];
    uint32_t flits = 0;
    for (; channels != 0; channels &= channels - 1)
        flits += engine->network.options.buffer_flits - outputs[__builtin_ctz(channels)].room;
    return flits;
}

/* And of the packets that have chosen: heads that may ask and hold nothing. */
static uint32_t waiting(const struct net_occupancy *occupancy, uint32_t injector, uint64_t *header)
{
    const struct net_flit_engine *engine = occupancy->context;
    const struct net_flit_router *router = &engine->router[occupancy->router];
    uint32_t local = engine->first_injector + injector;
    if (!net_flit_has(&router->heads, local))
        return 0;
    const struct net_flit_packet *packet = &engine->packets[router->drivers[local].head];
    *header = packet->cargo.header;
    return packet->to_choose ? 0 : packet->cargo.length;
}

/* Rule 14: the head of an injector, in the first cycle in which it may ask. Heads of a router ask in the order of their
 * numbers. */
static void choose_way(struct net_flit_engine *engine, struct net_flit_driver *driver)
{
    const struct net_routing *routing = engine->network.routing;
    struct net_flit_packet *packet = &engine->packets[driver->head];
    const struct net_occupancy occupancy = {engine, driver->router, engine->injectors_each, occupied,
                                            waiting};
    packet->cargo.header = routing->kind->choose(routing, packet->cargo.header, &occupancy);
    packet->to_choose = false;
    find_wants(engine, driver);
}

/* The head may ask from that cycle on: this one when it is called before the routers run, else the next. A route
 * depends on nothing that changes while the header stands there, so that it is asked for once; of a packet whose
 * routing chooses at the source, when it has. */
static void admit_head(struct net_flit_engine *engine, struct net_flit_driver *driver, uint64_t cycle)
{
    struct net_flit_router *router = &engine->router[driver->router];
    find_wants(engine, driver);
    engine->packets[driver->head].asked = cycle;
    net_flit_add(&router->heads, driver->local);
    router->ask = true;
    if (engine->rows != NULL)
        net_flit_rows_list(engine->rows, router->number, engine->network.now + engine->rows->ahead);
    else
        activate(engine, router);
}

/* Makes the next packet of an idle injector's queue its head. Of a message that waits, one packet at a time is
 * made: the pool holds what is in the network. */
static void make_head(struct net_flit_engine *engine, struct net_flit_driver *driver, uint64_t cycle)
{
    uint32_t injector = driver->router * engine->injectors_each + driver->local - engine->first_injector;
    if (!net_flights_waits(&engine->flights, injector))
        return;
    uint32_t index = NET_POOL_TAKE(&engine->pool, &engine->packets, struct net_flit_packet, next);
    if (index == NET_NONE || (engine->faults != NULL && net_flit_faults_packet(engine, index) < 0)) {
        engine->out_of_memory = true;
        return;
    }
    struct net_flit_packet *packet = &engine->packets[index];
    net_flights_cut(&engine->flights, injector, &packet->cargo);
    packet->ready = 0; /* the pipeline was passed before the message joined */
    packet->next = NET_NONE;
    packet->to_choose = engine->chooses;
    driver->head = index;
    driver->count = packet->cargo.length;
    if (engine->rows != NULL)
        engine->rows->lanes[driver->router].count[driver->local] = (uint8_t)driver->count;
    admit_head(engine, driver, cycle);
}

/* ---- delivery ---- */

/* The tail crosses the ejection channel in this cycle. */
static void deliver(struct net_flit_engine *engine, uint32_t index)
{
    if (engine->faults != NULL)
        net_flit_faults_count(engine, index);
    engine->out_of_memory |= net_flights_deliver(&engine->flights, &engine->packets[index].cargo) < 0;
    NET_POOL_GIVE(&engine->pool, engine->packets, struct net_flit_packet, next, index);
}

/* ---- headers arrive ---- */

/* Messages whose cycle has come enter their injectors. */
static void join_due(struct net_flit_engine *engine, uint64_t cycle)
{
    uint32_t injector;
    while ((injector = net_flights_join(&engine->flights, cycle)) != NET_NONE)
        net_flit_engine_join(engine, injector);
}

/* A header joins the packets of the buffer. With a pipeline of one cycle it may ask at once if it is their
 * first and none is leaving; else settle_headers, or the tail of the packet before it, admits it. */
static void arrive_header(struct net_flit_engine *engine, struct net_flit_driver *driver, uint32_t index,
                          uint64_t cycle)
{
    struct net_flit_packet *packet = &engine->packets[index];
    packet->next = NET_NONE;
    packet->ready = cycle + engine->ready_age - engine->arrival_age;
    if (driver->tail != NET_NONE) {
        engine->packets[driver->tail].next = index;
        driver->tail = index;
        return;
    }
    driver->head = driver->tail = index;
    if (packet->ready == cycle && driver->held == NET_FLIT_HOLDS_NOTHING)
        admit_head(engine, driver, cycle);
}

/* Headers whose way through the router's pipeline is over, if they are at the head of their buffer; the
 * others are admitted when the packet before them has left. */
static void settle_headers(struct net_flit_engine *engine, const struct net_flit_moves *list, uint64_t cycle)
{
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        const struct net_flit_move *move = &list->moves[i];
        if (!move->header || move->arrival == NET_NONE)
            continue;
        struct net_flit_driver *driver = &engine->driver[move->arrival];
        if (driver->head == move->packet && driver->held == NET_FLIT_HOLDS_NOTHING)
            admit_head(engine, driver, cycle);
    }
}

/* ---- arbiters (rules 4, 5 and 9) ---- */

/* Who competes for an output or a channel: local drivers, or outputs counted from `base` on, for the drivers that
 * hold them. */
struct contest {
    const struct net_flit_router *router; /* at which inputs compete */
    struct net_flit_set set;              /* not empty */
    uint32_t base, pointer;
    bool outputs;  /* members of the set are outputs, else drivers */
    uint64_t draw; /* o or ~o of rules 4 and 5 */
};

/* Outputs are granted to drivers, and links to outputs: in the second case the one that competes is the
 * driver which holds the output. */
static const struct net_flit_driver *competitor(const struct contest *contest, uint32_t bit)
{
    const struct net_flit_router *router = contest->router;
    return &router->drivers[contest->outputs ? router->outputs[contest->base + bit].driver : bit];
}

/* Its packet: one whose header has left is no longer in the list of its driver. */
static const struct net_flit_packet *competing_packet(const struct net_flit_engine *engine,
                                                      const struct contest *contest, uint32_t bit)
{
    const struct net_flit_router *router = contest->router;
    return &engine->packets[contest->outputs ? router->outputs[contest->base + bit].packet
                                             : router->drivers[bit].head];
}

/* Numbers are looked at from below, but no two packets are equally old: the order does not matter. */
static uint32_t oldest(const struct net_flit_engine *engine, const struct contest *contest)
{
    struct net_flit_set rest = contest->set;
    uint32_t best = net_flit_take(&rest);
    while (!net_flit_is_empty(&rest)) {
        uint32_t number = net_flit_take(&rest);
        if (net_flights_older(&engine->flights, &competing_packet(engine, contest, number)->cargo,
                              &competing_packet(engine, contest, best)->cargo))
            best = number;
    }
    return best;
}

/* Of the longest queues; the pointer decides among them. */
static uint32_t longest(const struct net_flit_engine *engine, const struct contest *contest)
{
    struct net_flit_set rest = contest->set, ties = {{0}};
    uint64_t most = 0;
    while (!net_flit_is_empty(&rest)) {
        uint32_t number = net_flit_take(&rest);
        const struct net_flit_driver *driver = competitor(contest, number);
        uint64_t flits = driver->upstream == NET_NONE ? injected_of(engine, driver)->queued : driver->count;
        if (flits > most)
            ties = (struct net_flit_set){{0}};
        if (flits >= most)
            net_flit_add(&ties, number);
        most = flits > most ? flits : most;
    }
    return net_flit_from(&ties, contest->pointer);
}

/* The winner of several, by another arbiter than round robin. */
static __attribute__((noinline)) uint32_t decide(const struct net_flit_engine *engine,
                                                 const struct contest *contest)
{
    switch (engine->network.options.arbiter) {
    case NET_OLDEST_FIRST:
        return oldest(engine, contest);
    case NET_RANDOM:
        return net_flit_draw(&contest->set,
                             net_arbiter_draw(engine->seed, contest->draw, engine->network.now));
    case NET_LONGEST_QUEUE:
        return longest(engine, contest);
    case NET_ROUND_ROBIN:
        break;
    }
    return net_flit_from(&contest->set, contest->pointer);
}

/* Whether the pointer alone decides: in round robin, and in a contest of one under any arbiter. */
static inline bool decides_in_turn(const struct net_flit_engine *engine, const struct net_flit_set *set)
{
    return engine->network.options.arbiter == NET_ROUND_ROBIN || net_flit_is_single(set);
}

/* ---- headers ask (rule 3), outputs grant (rule 4) ---- */

/* What a packet reserves of the next buffer (rule 6). */
static inline uint32_t reservation(const struct net_flit_engine *engine, const struct net_flit_output *output,
                                   uint32_t length)
{
    return net_flit_has(&engine->rings, output->local) ? engine->largest : length;
}

/* Cut-through: those of the free outputs that have room for the packet (rule 6). Ejection channels always
 * have. */
static struct net_flit_set with_room(const struct net_flit_engine *engine,
                                     const struct net_flit_driver *driver, struct net_flit_set outputs)
{
    uint32_t length = engine->packets[driver->head].cargo.length;
    struct net_flit_set available = {{0}};
    while (!net_flit_is_empty(&outputs)) {
        uint32_t local = net_flit_take(&outputs);
        const struct net_flit_output *output = &engine->router[driver->router].outputs[local];
        uint32_t need = reservation(engine, output, length);
        if (net_flit_has(&engine->rings, local) && driver->local != local)
            need += engine->largest;
        if (output->next_driver == NET_NONE || output->room >= need)
            net_flit_add(&available, local);
    }
    return available;
}

/* The output that a head asks for; NET_NONE: none is available.
 * A lower tier is only asked when nothing of a higher one is available. Among several outputs of a tier
 * the packet's key and the cycle decide (rule 3): no generator has a state that would depend on the order
 * of routers. */
static INLINE uint32_t choose_output(const struct net_flit_engine *engine,
                                     const struct net_flit_driver *driver,
                                     const struct net_flit_set *free_outputs, const bool wormhole)
{
    const struct net_flit_want *want = &engine->want[driver - engine->driver];
    for (uint32_t tier = 0; tier < driver->tiers; tier++) {
        struct net_flit_set available = net_flit_both(&want->tiers[tier], free_outputs);
        if (!wormhole && !net_flit_is_empty(&available))
            available = with_room(engine, driver, available);
        if (net_flit_is_empty(&available))
            continue;
        if (net_flit_is_single(&available))
            return net_flit_first(&available);
        uint64_t key = engine->packets[driver->head].cargo.key;
        return net_flit_draw(&available, base_hash(key, engine->network.now));
    }
    return NET_NONE;
}

/* One output with requests. The header is in the driver, so that the output is fed from now on.
 * The pointer stands behind the winner, who comes last in the next contest. Cut-through takes room for the
 * whole packet here (rule 6); wormhole takes a place with each flit, in move_flit. */
static INLINE void grant(struct net_flit_engine *engine, struct net_flit_router *router, uint32_t local,
                         const bool wormhole, const bool uneven)
{
    struct net_flit_output *output = &router->outputs[local];
    struct net_flit_set requests = engine->requests[local];
    uint32_t winner;
    engine->requests[local] = (struct net_flit_set){{0}};
    if (decides_in_turn(engine, &requests))
        winner = net_flit_from(&requests, output->pointer);
    else
        winner =
            decide(engine,
                   &(const struct contest){.set = requests,
                                           .router = router,
                                           .pointer = output->pointer,
                                           .draw = (uint64_t)router->number * engine->outputs_drawn + local});
    struct net_flit_driver *driver = &router->drivers[winner];
    output->pointer = (net_flit_number)(winner + 1 == engine->drivers_per_router ? 0 : winner + 1);
    output->driver = (net_flit_number)winner;
    output->packet = driver->head;
    output->left = output->length = (uint16_t)engine->packets[driver->head].cargo.length;
    if (uneven && engine->faults != NULL)
        output->room -= net_flit_faults_grant(engine, driver, output);
    else if (!wormhole && output->next_driver != NET_NONE)
        output->room -= reservation(engine, output, output->left);
    driver->held = (net_flit_number)local;
    net_flit_drop(&router->heads, winner);
    net_flit_drop(&router->free, local);
    net_flit_add(&router->fed, local);
}

/* All heads ask before any output grants: an output must see all its requests at once. Heads for which
 * nothing is available sleep until something changes; losers ask again in the next cycle. requests[] is empty
 * again when all outputs have granted; who lost is in `heads` still. */
static INLINE void run_heads(struct net_flit_engine *engine, struct net_flit_router *router,
                             const bool wormhole, const bool uneven)
{
    struct net_flit_set heads = router->heads, requested = {{0}};
    uint32_t asking = 0;
    while (!net_flit_is_empty(&heads)) {
        uint32_t local = net_flit_take(&heads);
        if (uneven && engine->chooses && engine->packets[router->drivers[local].head].to_choose)
            choose_way(engine, &router->drivers[local]);
        if (uneven && engine->looks)
            look(engine, &router->drivers[local]);
        uint32_t output = uneven && engine->faults != NULL
                              ? net_flit_faults_choose(engine, &router->drivers[local], &router->free)
                              : choose_output(engine, &router->drivers[local], &router->free, wormhole);
        if (output == NET_NONE)
            continue;
        net_flit_add(&engine->requests[output], local);
        net_flit_add(&requested, output);
        asking++;
    }
    bool granted = asking != 0;
    for (; !net_flit_is_empty(&requested); asking--)
        grant(engine, router, net_flit_take(&requested), wormhole, uneven);
    router->ask = asking != 0 || (uneven && engine->looks && granted);
}

/* ---- headers leave, tails make place ---- */

/* The tail has left: the next packet of the driver asks from the next cycle on, if its own time in the
 * pipeline is over; otherwise settle_headers finds it in the cycle in which it is. */
static inline void next_head(struct net_flit_engine *engine, struct net_flit_driver *driver, uint32_t gone)
{
    driver->held = NET_FLIT_HOLDS_NOTHING;
    if (driver->upstream == NET_NONE && driver->local < engine->first_injector + engine->injectors_each) {
        engine->out_of_memory |= net_flights_sent(&engine->flights, &engine->packets[gone].cargo) < 0;
        make_head(engine, driver, engine->network.now + 1);
    } else if (driver->head != NET_NONE && engine->packets[driver->head].ready <= engine->network.now) {
        admit_head(engine, driver, engine->network.now + 1);
    }
}

/* The tail crosses: output and driver are free for the next cycle; under wormhole the output only when the
 * next buffer is empty (settle_credit). An ejection channel delivers. The link may start another packet in the
 * next cycle. */
static void release(struct net_flit_engine *engine, struct net_flit_router *router, uint32_t local,
                    struct net_flit_driver *driver, const bool wormhole)
{
    struct net_flit_output *output = &router->outputs[local];
    net_flit_drop(&router->fed, local);
    if (local < engine->first_ejection)
        engine->link[router->number * engine->ports + output->port].carried = NET_FLIT_HOLDS_NOTHING;
    if (!wormhole || output->next_driver == NET_NONE) {
        net_flit_add(&router->free, local);
        router->ask = true;
    }
    next_head(engine, driver, output->packet);
    if (output->next_driver != NET_NONE)
        return;
    if (local < engine->outputs_drawn)
        deliver(engine, output->packet);
    else
        net_flit_faults_reinject(engine, router->number, output->packet);
}

/* From the cycle in which it could first ask to this one, in which it leaves by the output. */
static inline void count_wait(const struct net_flit_engine *engine, const struct net_flit_router *router,
                              struct net_flit_output *output, struct net_flit_packet *packet)
{
    const struct net_topology *topology = engine->network.topology;
    uint64_t cycles = engine->network.now - packet->asked;
    if (cycles == 0)
        return;
    output->waits += cycles;
    net_journey_add(&packet->cargo.worst_link, &packet->cargo.worst_cycles,
                    topology->link_at[(size_t)router->number * topology->ports + output->port], cycles);
}

/* Of routers with owners. */
static INLINE void count_crossing(const struct net_flit_engine *engine, const struct net_flit_router *router,
                                  const struct net_flit_output *output, const struct net_cargo *cargo)
{
    const struct net_owners *owners = &engine->network.owners;
    uint32_t place = router->number * engine->network.topology->ports + output->port;
    net_owners_carry(owners, owners->row[engine->flights.items[cargo->flight].source], owners->slot[place],
                     cargo->length, true);
}

/* The header leaves, and with it the packet leaves its driver's list, since it will be in the next driver's
 * before its tail is gone. Its way goes on from the next router. Of a packet of one flit this is also the tail;
 * then the driver's list is right before it is released. */
static INLINE void move_header(struct net_flit_engine *engine, const struct net_flit_router *router,
                               struct net_flit_output *output, struct net_flit_driver *driver,
                               const bool uneven)
{
    struct net_flit_packet *packet = &engine->packets[output->packet];
    const struct net_routing *routing = engine->network.routing;
    driver->head = packet->next;
    if (driver->head == NET_NONE)
        driver->tail = NET_NONE;
    if (output->next_driver == NET_NONE)
        return;
    count_wait(engine, router, output, packet);
    struct net_cargo *cargo = &packet->cargo;
    cargo->header = uneven && engine->faults != NULL
                        ? net_flit_faults_cross(engine, output)
                        : routing->kind->step(routing, router->number, cargo->header, output->port);
    cargo->hops++;
    if (engine->network.owners.row != NULL)
        count_crossing(engine, router, output, cargo);
}

#endif
