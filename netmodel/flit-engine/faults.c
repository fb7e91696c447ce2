/* Packets under failing links: see faults.h. All that is decided here looks at one router, its own state in the control
 * protocol, and the packet; so the order of routers cannot be seen, as in cycle.c. */
#include "netmodel/flit-engine/faults.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* ---- what it is made of ---- */

/* All routers without a ring. Arrays of an engine that fails to be built are freed with it. -1: memory. */
static int allocate_faults(struct net_flit_engine *engine, struct net_flit_faults *faults)
{
    faults->router = net_array_new(engine->routers, sizeof *faults->router);
    faults->padding =
        net_array_new((size_t)engine->routers * engine->outputs_per_router, sizeof *faults->padding);
    if (faults->router == NULL || faults->padding == NULL)
        return -1;
    for (uint32_t router = 0; router < engine->routers; router++)
        faults->router[router].parent = NET_NONE;
    return 0;
}

/* Control, in which no engine differs, is of netmodel/faults/data.h; here is what this engine keeps of a router, a
 * packet and an output besides. */
int net_flit_faults_init(struct net_flit_engine *engine, const struct net_failing *failing,
                         struct base_error *error)
{
    struct net_flit_faults *faults = net_array_new(1, sizeof *faults);
    engine->faults = faults;
    if (faults == NULL)
        return base_error_memory(error, "the faults of a network");
    if (net_fault_data_init(&faults->data, failing, engine->network.topology,
                            engine->network.options.link_cycles, error) < 0)
        return -1;
    if (allocate_faults(engine, faults) < 0)
        return base_error_memory(error, "the faults of a network");
    engine->network.statistics.faults = &faults->data.counts;
    engine->network.statistics.stops = &faults->data.stops;
    return 0;
}

void net_flit_faults_free(struct net_flit_faults *faults)
{
    if (faults == NULL)
        return;
    net_fault_data_free(&faults->data);
    free(faults->router);
    free(faults->packets);
    free(faults->padding);
    free(faults);
}

/* The array has the numbers of the pool of packets, and grows with it: a number comes back with what an older packet
 * was, so that it is cleared each time. */
int net_flit_faults_packet(struct net_flit_engine *engine, uint32_t index)
{
    struct net_flit_faults *faults = engine->faults;
    if (index >= faults->packet_room) {
        struct net_flit_fault_packet *packets =
            realloc(faults->packets, engine->pool.capacity * sizeof *packets);
        if (packets == NULL)
            return -1;
        faults->packets = packets;
        faults->packet_room = engine->pool.capacity;
    }
    faults->packets[index] = (struct net_flit_fault_packet){0};
    return 0;
}

/* ---- control (rules 18 to 20) ---- */

/* A virtual channel of a link, by its number among its source's outputs, and so among its target's drivers. */
static uint32_t output_of(const struct net_flit_engine *engine, uint32_t link, uint32_t channel)
{
    return engine->network.topology->links[link].port * engine->virtual_channels + channel;
}

/* The ring outputs and queues of a router that goes on; each link of the tree is both, once each way. Most routers are
 * of no tree. */
static void find_ring(const struct net_flit_engine *engine, uint32_t router,
                      struct net_flit_fault_router *state)
{
    const struct net_flit_faults *faults = engine->faults;
    state->ring = state->queue = (struct net_flit_set){{0}};
    const bool member = faults->data.clock.control.router[router].member;
    for (uint32_t port = 0; member && port < engine->ports; port++) {
        uint32_t link = net_fault_data_ring_link(&faults->data, router, port);
        if (link == NET_NONE)
            continue;
        net_flit_add(&state->ring, output_of(engine, link, faults->data.kind->ring_channel));
        net_flit_add(&state->queue, output_of(engine, faults->data.failing->faults.cables.back[link],
                                              faults->data.kind->ring_channel));
    }
}

/* What control has made of a router in that cycle. Where anything is another, its heads ask again. */
static void look_at_router(void *context, uint32_t router, uint64_t cycle)
{
    struct net_flit_engine *engine = context;
    struct net_flit_faults *faults = engine->faults;
    const struct net_control_router *control = &faults->data.clock.control.router[router];
    struct net_flit_fault_router *state = &faults->router[router];
    struct net_flit_fault_router before = *state;
    state->stopped = control->stopped;
    state->waves = control->wave.epoch > 0;
    if (state->stopped)
        return;
    state->parent = control->member ? control->parent : NET_NONE;
    find_ring(engine, router, state);
    bool changed = before.stopped || before.parent != state->parent ||
                   memcmp(&before.ring, &state->ring, sizeof before.ring) != 0;
    if (changed)
        state->ring_since = cycle;
    if (changed || before.waves != state->waves)
        net_flit_engine_wake(engine, router);
}

/* From this cycle on nothing is granted on it. Who waited for it may ask for something else. */
static void kill_link(void *context, uint32_t link)
{
    struct net_flit_engine *engine = context;
    uint32_t router = engine->network.topology->links[link].source;
    struct net_flit_set *dead = &engine->faults->router[router].dead;
    net_flit_add_span(dead, output_of(engine, link, 0),
                      UINT64_MAX >> (NET_FLIT_WORD_BITS - engine->virtual_channels));
    net_flit_engine_wake(engine, router);
}

uint64_t net_flit_faults_next(const struct net_flit_engine *engine)
{
    return net_fault_data_next(&engine->faults->data, engine->network.now, engine->flights.inside != 0);
}

void net_flit_faults_settle(struct net_flit_engine *engine, uint64_t cycle)
{
    net_fault_data_settle(&engine->faults->data, cycle,
                          &(struct net_fault_listener){kill_link, look_at_router, engine});
}

/* ---- what packets may take (rules 21 and 22) ---- */

/* Rule 21, for the head of a driver: on a ring, a stray (it came by a ring that is another one now), or ordinary. */
static enum net_fault_standing standing_of(const struct net_flit_engine *engine,
                                           const struct net_flit_driver *driver)
{
    const struct net_flit_fault_router *router = &engine->faults->router[driver->router];
    return net_fault_standing_of(&engine->faults->packets[driver->head].ring,
                                 net_flit_has(&router->queue, driver->local), router->ring_since);
}

/* Links from the router to the packet's target, as if all of them lived: by it rings are left, and detours counted.
 * */
static uint32_t distance_from(const struct net_flit_engine *engine, uint32_t router, uint32_t packet)
{
    const struct net_flight *flight = &engine->flights.items[engine->packets[packet].cargo.flight];
    return net_topology_distance(engine->network.topology, router,
                                 net_topology_router_of(engine->network.topology, flight->target));
}

static struct net_flit_set without(struct net_flit_set set, const struct net_flit_set *others)
{
    for (uint32_t i = 0; i < NET_FLIT_WORDS; i++)
        set.word[i] &= ~others->word[i];
    return set;
}

static struct net_flit_set only(uint32_t local)
{
    struct net_flit_set set = {{0}};
    net_flit_add(&set, local);
    return set;
}

/* What a head may ask for, in tiers. */
struct tiers {
    struct net_flit_set tier[NET_TIERS_MAX + 1];
    uint32_t count;
    bool enters; /* the last tier is of ring outputs, of which it asks for the one with most room */
};

static void add_tier(struct tiers *tiers, struct net_flit_set set)
{
    tiers->tier[tiers->count++] = set;
}

/* The base's tiers but the last, without dead links and ring outputs. */
static void add_adaptive(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                         struct tiers *tiers)
{
    const struct net_flit_fault_router *router = &engine->faults->router[driver->router];
    const struct net_flit_want *want = &engine->want[driver - engine->driver];
    for (uint32_t tier = 0; tier + 1 < driver->tiers; tier++)
        add_tier(tiers, without(without(want->tiers[tier], &router->dead), &router->ring));
}

/* Rule 16, as this router knows its tree. */
static struct net_flit_set next_of_ring(const struct net_flit_engine *engine,
                                        const struct net_flit_driver *driver)
{
    const struct net_flit_faults *faults = engine->faults;
    uint32_t next =
        net_fault_data_after(&faults->data, driver->router, driver->local / engine->virtual_channels);
    if (next == NET_NONE)
        return (struct net_flit_set){{0}};
    return without(only(output_of(engine, next, faults->data.kind->ring_channel)),
                   &faults->router[driver->router].dead);
}

/* The base's last tier over live links, for a packet that may take it. */
static struct net_flit_set escape_of(const struct net_flit_engine *engine,
                                     const struct net_flit_driver *driver)
{
    const struct net_flit_faults *faults = engine->faults;
    const struct net_flit_fault_router *router = &faults->router[driver->router];
    if (!net_fault_may_escape(faults->data.kind, router->waves, faults->packets[driver->head].ring.met))
        return (struct net_flit_set){{0}};
    return without(engine->want[driver - engine->driver].tiers[driver->tiers - 1], &router->dead);
}

/* Rule 22 of a head that has not arrived. The last output of a router leads to its own re-injection queue (rule 25),
 * and so never lacks room. */
static struct net_fault_request request_of(const struct net_flit_engine *engine,
                                           const struct net_flit_driver *driver,
                                           const struct net_flit_set *escape)
{
    const struct net_fault_data *data = &engine->faults->data;
    const struct net_fault_packet *packet = &engine->faults->packets[driver->head].ring;
    enum net_fault_standing standing = standing_of(engine, driver);
    bool nearer = net_fault_asks_distance(data, standing) &&
                  distance_from(engine, driver->router, driver->head) < packet->near;
    return net_fault_request_of(data, packet, standing, !net_flit_is_empty(escape), nearer);
}

/* A head that has arrived wants ejection channels: one tier, without links. */
static void find_tiers(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                       struct tiers *tiers)
{
    const struct net_flit_want *want = &engine->want[driver - engine->driver];
    const struct net_flit_fault_router *router = &engine->faults->router[driver->router];
    *tiers = (struct tiers){.count = 0};
    if (driver->tiers == 1 && net_flit_first(&want->tiers[0]) >= engine->first_ejection) {
        add_tier(tiers, want->tiers[0]);
        return;
    }
    const struct net_flit_set escape = escape_of(engine, driver);
    const struct net_fault_request request = request_of(engine, driver, &escape);
    if (request.adaptive)
        add_adaptive(engine, driver, tiers);
    tiers->enters = request.then == NET_FAULT_ENTER;
    switch (request.then) {
    case NET_FAULT_ESCAPE:
        add_tier(tiers, escape);
        return;
    case NET_FAULT_ENTER:
        add_tier(tiers, without(router->ring, &router->dead));
        return;
    case NET_FAULT_GO_ON:
        add_tier(tiers, next_of_ring(engine, driver));
        return;
    case NET_FAULT_REINJECT:
        add_tier(tiers, only(engine->outputs_per_router - 1));
        return;
    }
}

/* For the search for stuck packets: all tiers at once, since a lower one is asked when nothing of a higher one is
 * free. */
struct net_flit_set net_flit_faults_outputs(const struct net_flit_engine *engine,
                                            const struct net_flit_driver *driver)
{
    struct tiers tiers;
    find_tiers(engine, driver, &tiers);
    for (uint32_t i = 1; i < tiers.count; i++)
        net_flit_add_all(&tiers.tier[0], &tiers.tier[i]);
    return tiers.tier[0]; /* empty, if there is none */
}

/* ---- room (rule 23) ---- */

/* Who enters a ring leaves room for the largest packet behind, the bubble (rule 23; rule 6 of doc/flit-engine.md on
 * rings of the topology); who is on it already needs room for one. */
uint32_t net_flit_faults_need(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                              uint32_t local)
{
    if (net_flit_has(&engine->faults->router[driver->router].ring, local))
        return standing_of(engine, driver) == NET_FAULT_ON_RING ? engine->largest : 2 * engine->largest;
    if (net_flit_has(&engine->rings, local))
        return driver->local == local ? engine->largest : 2 * engine->largest;
    return engine->packets[driver->head].cargo.length;
}

/* What leads out of the network's buffers, or to the re-injection queue, never lacks room. */
static bool has_room(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                     uint32_t local)
{
    const struct net_flit_output *output = &engine->router[driver->router].outputs[local];
    return output->next_driver == NET_NONE || output->room >= net_flit_faults_need(engine, driver, local);
}

/* Of outputs that are free those whose next buffer has room for the head's packet. */
static struct net_flit_set available_of(const struct net_flit_engine *engine,
                                        const struct net_flit_driver *driver, struct net_flit_set outputs)
{
    struct net_flit_set available = {{0}};
    while (!net_flit_is_empty(&outputs)) {
        uint32_t local = net_flit_take(&outputs);
        if (has_room(engine, driver, local))
            net_flit_add(&available, local);
    }
    return available;
}

/* The ring output with most room; the lowest of equals. */
static uint32_t most_room(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                          struct net_flit_set outputs)
{
    const struct net_flit_output *output = engine->router[driver->router].outputs;
    uint32_t best = net_flit_take(&outputs);
    while (!net_flit_is_empty(&outputs)) {
        uint32_t local = net_flit_take(&outputs);
        if (output[local].room > output[best].room)
            best = local;
    }
    return best;
}

/* The first tier with an output that is free and has room. Within it the draw is that of rule 3 of
 * doc/flit-engine.md, by the packet's key and the cycle, so that it depends on no order of evaluation. */
uint32_t net_flit_faults_choose(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                                const struct net_flit_set *free_outputs)
{
    struct tiers tiers;
    find_tiers(engine, driver, &tiers);
    for (uint32_t tier = 0; tier < tiers.count; tier++) {
        struct net_flit_set available =
            available_of(engine, driver, net_flit_both(&tiers.tier[tier], free_outputs));
        if (net_flit_is_empty(&available))
            continue;
        if (tiers.enters && tier + 1 == tiers.count)
            return most_room(engine, driver, available);
        if (net_flit_is_single(&available))
            return net_flit_first(&available);
        return net_flit_draw(&available,
                             base_hash(engine->packets[driver->head].cargo.key, engine->network.now));
    }
    return NET_NONE;
}

/* ---- packets go on ---- */

/* The packet stays on its ring, enters one, or is on none behind the output. */
static void take_ring(struct net_flit_engine *engine, const struct net_flit_driver *driver, bool by_ring)
{
    struct net_flit_faults *faults = engine->faults;
    struct net_fault_packet *packet = &faults->packets[driver->head].ring;
    if (by_ring) {
        bool enters = standing_of(engine, driver) != NET_FAULT_ON_RING;
        net_fault_data_take_ring(&faults->data, packet, enters,
                                 enters && !faults->data.kind->everywhere
                                     ? distance_from(engine, driver->router, driver->head)
                                     : 0);
    }
    packet->on_ring = by_ring;
}

/* The padding is what the packet has reserved beyond its length where it stands: its tail gives that back. Behind the
 * output it reserves the largest length on any ring (rule 23). */
uint32_t net_flit_faults_grant(struct net_flit_engine *engine, const struct net_flit_driver *driver,
                               const struct net_flit_output *output)
{
    struct net_flit_faults *faults = engine->faults;
    struct net_flit_fault_packet *packet = &faults->packets[driver->head];
    uint32_t length = engine->packets[driver->head].cargo.length;
    bool by_ring = net_flit_has(&faults->router[driver->router].ring, output->local);
    faults->padding[output - engine->output] =
        (uint16_t)(driver->upstream == NET_NONE ? 0 : packet->reserved - length);
    if (output->next_driver == NET_NONE)
        return 0;
    take_ring(engine, driver, by_ring);
    packet->ring.granted = engine->network.now;
    packet->ring.queue = output->next_driver;
    packet->reserved =
        (uint16_t)(by_ring || net_flit_has(&engine->rings, output->local) ? engine->largest : length);
    return packet->reserved;
}

/* Rule 7, from a router on the way. */
static uint64_t new_header(const struct net_flit_engine *engine, uint32_t router,
                           const struct net_cargo *cargo)
{
    const struct net_routing *routing = engine->network.routing;
    uint32_t target =
        net_topology_router_of(engine->network.topology, engine->flights.items[cargo->flight].target);
    uint32_t variants = routing->kind->variants(routing, router, target);
    uint32_t variant = variants > 1 ? base_scale(base_hash(cargo->key, UINT64_MAX), variants) : 0;
    return routing->kind->start(routing, router, target, variant);
}

/* Rule 24: on a ring the way begins anew at each router, since a ring goes where the base would not. */
uint64_t net_flit_faults_cross(struct net_flit_engine *engine, const struct net_flit_output *output)
{
    const struct net_cargo *cargo = &engine->packets[output->packet].cargo;
    const struct net_routing *routing = engine->network.routing;
    if (engine->faults->packets[output->packet].ring.on_ring)
        return new_header(engine, engine->driver[output->next_driver].router, cargo);
    return routing->kind->step(routing, output->router, cargo->header, output->port);
}

/* It stands behind those that came before; the first of them asks from the next cycle on. */
void net_flit_faults_reinject(struct net_flit_engine *engine, uint32_t router, uint32_t index)
{
    struct net_flit_driver *driver = &engine->router[router].drivers[engine->drivers_per_router - 1];
    struct net_flit_packet *packet = &engine->packets[index];
    struct net_fault_packet *state = &engine->faults->packets[index].ring;
    packet->cargo.header = new_header(engine, router, &packet->cargo);
    packet->ready = 0;
    packet->next = NET_NONE;
    state->on_ring = false;
    engine->faults->data.counts.reinjected++;
    driver->count += packet->cargo.length;
    engine->injected[driver - engine->driver].queued += packet->cargo.length;
    if (driver->tail != NET_NONE)
        engine->packets[driver->tail].next = index;
    driver->tail = index;
    if (driver->head != NET_NONE)
        return;
    driver->head = index;
    if (driver->held == NET_FLIT_HOLDS_NOTHING)
        net_flit_engine_admit(engine, driver, engine->network.now + 1);
}

/* Links gone beyond the shortest way, for the statistics of what faults took. */
void net_flit_faults_count(struct net_flit_engine *engine, uint32_t index)
{
    const struct net_cargo *cargo = &engine->packets[index].cargo;
    const struct net_topology *topology = engine->network.topology;
    uint32_t source = net_topology_router_of(topology, engine->flights.items[cargo->flight].source);
    net_fault_data_deliver(&engine->faults->data, &engine->faults->packets[index].ring,
                           cargo->hops - distance_from(engine, source, index));
}

/* ---- the law ---- */

/* The ring on which the queue is; NET_NONE: on none. */
static uint32_t ring_of(const struct net_flit_engine *engine, const struct net_flit_driver *queue)
{
    if (!net_flit_has(&engine->faults->router[queue->router].queue, queue->local))
        return NET_NONE;
    return net_fault_data_origin(&engine->faults->data, queue->router);
}

/* Of struct net_fault_ring: what buffers hold in largest packets, and what stands there since its ring is new. */
static void count_rings(const void *context, struct net_fault_ring *rings)
{
    const struct net_flit_engine *engine = context;
    const struct net_flit_faults *faults = engine->faults;
    uint32_t each = engine->network.options.buffer_flits / engine->largest;
    for (size_t i = 0; i < (size_t)engine->routers * engine->drivers_per_router; i++) {
        uint32_t ring = ring_of(engine, &engine->driver[i]);
        if (ring != NET_NONE)
            rings[ring].places += each;
    }
    for (uint32_t i = 0; i < engine->pool.count; i++) {
        const struct net_fault_packet *packet = &faults->packets[i].ring;
        const struct net_flit_driver *queue = &engine->driver[packet->queue];
        uint32_t ring = packet->on_ring ? ring_of(engine, queue) : NET_NONE;
        if (ring != NET_NONE && packet->granted >= faults->router[queue->router].ring_since)
            rings[ring].packets++;
    }
}

/* That each ring has a place which no packet on it holds keeps rings from standing still. */
int net_flit_faults_check(const struct net_flit_engine *engine, struct base_error *error)
{
    return net_fault_data_check(&engine->faults->data, count_rings, engine, error);
}
