/* Packets under failing links: see faults.h. All that is decided here looks at one router, its own state in the control
 * protocol, and the packet; so the order of routers cannot be seen, as in cycle.c. */
#include "netmodel/flit-engine/faults.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/faults/rings.h"

/* ---- what it is made of ---- */

static int allocate_faults(struct net_flit_engine *engine, struct net_flit_faults *faults)
{
    const struct net_topology *topology = engine->network.topology;
    size_t inputs = (size_t)engine->routers * engine->ports;
    faults->router = net_array_new(engine->routers, sizeof *faults->router);
    faults->padding =
        net_array_new((size_t)engine->routers * engine->outputs_per_router, sizeof *faults->padding);
    faults->link_into = net_array_new(inputs, sizeof *faults->link_into);
    if (faults->router == NULL || faults->padding == NULL || faults->link_into == NULL)
        return -1;
    for (size_t i = 0; i < inputs; i++)
        faults->link_into[i] = NET_NONE;
    for (uint32_t i = 0; i < topology->link_count; i++)
        faults->link_into[topology->links[i].target * engine->ports + topology->links[i].port] = i;
    for (uint32_t router = 0; router < engine->routers; router++)
        faults->router[router].parent = NET_NONE;
    return 0;
}

int net_flit_faults_init(struct net_flit_engine *engine, const struct net_failing *failing,
                         struct base_error *error)
{
    struct net_flit_faults *faults = net_array_new(1, sizeof *faults);
    engine->faults = faults;
    if (faults == NULL)
        return base_error_memory(error, "the faults of a network");
    faults->failing = failing;
    faults->kind = failing->kind;
    if (net_fault_clock_init(&faults->clock, failing, engine->network.options.link_cycles, error) < 0)
        return -1;
    if (allocate_faults(engine, faults) < 0)
        return base_error_memory(error, "the faults of a network");
    engine->network.statistics.faults = &faults->counts;
    return 0;
}

void net_flit_faults_free(struct net_flit_faults *faults)
{
    if (faults == NULL)
        return;
    net_fault_clock_free(&faults->clock);
    free(faults->router);
    free(faults->packets);
    free(faults->padding);
    free(faults->link_into);
    free(faults);
}

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

static uint32_t output_of(const struct net_flit_engine *engine, uint32_t link, uint32_t channel)
{
    return engine->network.topology->links[link].port * engine->virtual_channels + channel;
}

/* The ring outputs and queues of a router that goes on; each link of the tree is both, once each way. */
static void find_ring(const struct net_flit_engine *engine, uint32_t router,
                      struct net_flit_fault_router *state)
{
    const struct net_flit_faults *faults = engine->faults;
    const struct net_topology *topology = engine->network.topology;
    state->ring = state->queue = (struct net_flit_set){{0}};
    for (uint32_t port = 0; port < engine->ports; port++) {
        uint32_t link = topology->link_at[(size_t)router * engine->ports + port];
        if (link == NET_NONE || !net_ring_uses(&faults->clock.control, link))
            continue;
        net_flit_add(&state->ring, output_of(engine, link, faults->kind->ring_channel));
        net_flit_add(&state->queue,
                     output_of(engine, faults->clock.faults.cables.back[link], faults->kind->ring_channel));
    }
}

/* What control has made of a router in that cycle. Where anything is another, its heads ask again. */
static void look_at_router(struct net_flit_engine *engine, uint32_t router, uint64_t cycle)
{
    struct net_flit_faults *faults = engine->faults;
    const struct net_control_router *control = &faults->clock.control.router[router];
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
static void kill_link(struct net_flit_engine *engine, uint32_t link)
{
    uint32_t router = engine->network.topology->links[link].source;
    struct net_flit_set *dead = &engine->faults->router[router].dead;
    net_flit_add_span(dead, output_of(engine, link, 0),
                      UINT64_MAX >> (NET_FLIT_WORD_BITS - engine->virtual_channels));
    net_flit_engine_wake(engine, router);
}

static uint64_t next_death(const struct net_flit_faults *faults)
{
    const struct net_faults *all = &faults->failing->faults;
    return faults->next_fault < all->count ? all->fault[faults->next_fault].cycle : NET_NEVER;
}

/* Nobody waits where nothing is inside: what control does then is caught up with later. */
uint64_t net_flit_faults_next(const struct net_flit_engine *engine)
{
    uint64_t death = next_death(engine->faults), next = net_fault_clock_next(&engine->faults->clock);
    next = death < next ? death : next;
    if (engine->flights.inside == 0)
        return NET_NEVER;
    return next > engine->network.now ? next : engine->network.now;
}

static void settle_deaths(struct net_flit_engine *engine, uint64_t cycle)
{
    struct net_flit_faults *faults = engine->faults;
    const struct net_faults *all = &faults->failing->faults;
    for (; next_death(faults) <= cycle; faults->next_fault++) {
        uint32_t link = all->cables.link[all->fault[faults->next_fault].cable];
        kill_link(engine, link);
        kill_link(engine, all->cables.back[link]);
    }
}

/* What the control protocol has taken so far. Cycles of routers that stand now are counted when they go on. */
static void count_control(struct net_flit_faults *faults)
{
    const struct net_control *control = &faults->clock.control;
    faults->counts.control_packets = 0;
    for (size_t i = 0; i < NET_CONTROL_KINDS; i++)
        faults->counts.control_packets += control->packets[i];
    faults->counts.stopped_cycles = control->stopped_cycles;
    faults->counts.stopped_routers = control->stopped_routers;
}

/* Each cycle of control in turn, since it is noted in which one a ring was new; the first call finds what was settled
 * before cycle 0. */
void net_flit_faults_settle(struct net_flit_engine *engine, uint64_t cycle)
{
    struct net_flit_faults *faults = engine->faults;
    uint64_t next;
    settle_deaths(engine, cycle);
    if (!faults->begun)
        for (uint32_t router = 0; router < engine->routers; router++)
            look_at_router(engine, router, 0);
    else if (net_fault_clock_next(&faults->clock) > cycle)
        return;
    faults->begun = true;
    while ((next = net_fault_clock_next(&faults->clock)) <= cycle && faults->error.status == 0) {
        net_fault_clock_step(&faults->clock, &faults->error);
        for (uint32_t router = 0; router < engine->routers; router++)
            look_at_router(engine, router, next);
    }
    count_control(faults);
}

/* ---- what packets may take (rules 21 and 22) ---- */

enum standing { ORDINARY, ON_RING, STRAY };

/* Where a ring's router has gone on or lost a child since the grant, the queue's places are counted anew: without this
 * packet. */
static enum standing standing_of(const struct net_flit_engine *engine, const struct net_flit_driver *driver)
{
    const struct net_flit_faults *faults = engine->faults;
    const struct net_flit_fault_router *router = &faults->router[driver->router];
    const struct net_flit_fault_packet *packet = &faults->packets[driver->head];
    bool queue = net_flit_has(&router->queue, driver->local);
    if (!queue && !packet->on_ring)
        return ORDINARY;
    return queue && packet->on_ring && packet->granted >= router->ring_since ? ON_RING : STRAY;
}

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

static void add_reinjection(const struct net_flit_engine *engine, struct tiers *tiers)
{
    add_tier(tiers, only(engine->outputs_per_router - 1));
}

/* Rule 16, as this router knows its tree. */
static void add_next_of_ring(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                             struct tiers *tiers)
{
    const struct net_flit_faults *faults = engine->faults;
    uint32_t input = driver->local / engine->virtual_channels;
    uint32_t next =
        net_ring_after(&faults->clock.control, faults->link_into[driver->router * engine->ports + input]);
    if (next != NET_NONE)
        add_tier(tiers, without(only(output_of(engine, next, faults->kind->ring_channel)),
                                &faults->router[driver->router].dead));
}

/* A ring through all routers is left anywhere, up to a number of links that it would take to go all round; one around a
 * fault only behind it. */
static void add_of_ring_packet(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                               struct tiers *tiers)
{
    const struct net_flit_faults *faults = engine->faults;
    const struct net_flit_fault_packet *packet = &faults->packets[driver->head];
    if (!faults->kind->everywhere && distance_from(engine, driver->router, driver->head) < packet->near) {
        add_adaptive(engine, driver, tiers);
        add_reinjection(engine, tiers);
        return;
    }
    if (faults->kind->everywhere && packet->ring_links < 2 * ((uint64_t)engine->routers - 1))
        add_adaptive(engine, driver, tiers);
    add_next_of_ring(engine, driver, tiers);
}

static bool may_escape(const struct net_flit_faults *faults, const struct net_flit_driver *driver)
{
    if (faults->kind->escape_before_waves)
        return !faults->router[driver->router].waves;
    return !faults->kind->escape_before_rings || !faults->packets[driver->head].met;
}

static void add_of_ordinary(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                            struct tiers *tiers)
{
    const struct net_flit_faults *faults = engine->faults;
    const struct net_flit_fault_router *router = &faults->router[driver->router];
    struct net_flit_set escape =
        without(engine->want[driver - engine->driver].tiers[driver->tiers - 1], &router->dead);
    add_adaptive(engine, driver, tiers);
    tiers->enters = net_flit_is_empty(&escape) || !may_escape(faults, driver);
    add_tier(tiers, tiers->enters ? without(router->ring, &router->dead) : escape);
}

/* A head that has arrived wants ejection channels: one tier, without links. */
static void find_tiers(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                       struct tiers *tiers)
{
    const struct net_flit_want *want = &engine->want[driver - engine->driver];
    *tiers = (struct tiers){.count = 0};
    if (driver->tiers == 1 && net_flit_first(&want->tiers[0]) >= engine->first_ejection) {
        add_tier(tiers, want->tiers[0]);
        return;
    }
    switch (standing_of(engine, driver)) {
    case ORDINARY:
        add_of_ordinary(engine, driver, tiers);
        return;
    case ON_RING:
        add_of_ring_packet(engine, driver, tiers);
        return;
    case STRAY:
        add_reinjection(engine, tiers);
        return;
    }
}

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

uint32_t net_flit_faults_need(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                              uint32_t local)
{
    if (net_flit_has(&engine->faults->router[driver->router].ring, local))
        return standing_of(engine, driver) == ON_RING ? engine->largest : 2 * engine->largest;
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
    struct net_flit_fault_packet *packet = &faults->packets[driver->head];
    bool enters = by_ring && standing_of(engine, driver) != ON_RING;
    packet->ring_links += by_ring;
    faults->counts.ring_links += by_ring;
    faults->counts.ring_entries += enters;
    faults->counts.ring_packets += enters && !packet->met;
    packet->met |= enters;
    if (enters)
        packet->near = distance_from(engine, driver->router, driver->head);
    packet->on_ring = by_ring;
}

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
    packet->granted = engine->network.now;
    packet->queue = output->next_driver;
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

uint64_t net_flit_faults_cross(struct net_flit_engine *engine, const struct net_flit_output *output)
{
    const struct net_cargo *cargo = &engine->packets[output->packet].cargo;
    const struct net_routing *routing = engine->network.routing;
    if (engine->faults->packets[output->packet].on_ring)
        return new_header(engine, engine->driver[output->next_driver].router, cargo);
    return routing->kind->step(routing, output->router, cargo->header, output->port);
}

/* It stands behind those that came before; the first of them asks from the next cycle on. */
void net_flit_faults_reinject(struct net_flit_engine *engine, uint32_t router, uint32_t index)
{
    struct net_flit_driver *driver = &engine->router[router].drivers[engine->drivers_per_router - 1];
    struct net_flit_packet *packet = &engine->packets[index];
    struct net_flit_fault_packet *state = &engine->faults->packets[index];
    packet->cargo.header = new_header(engine, router, &packet->cargo);
    packet->ready = 0;
    packet->next = NET_NONE;
    state->on_ring = false;
    engine->faults->counts.reinjected++;
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

void net_flit_faults_count(struct net_flit_engine *engine, uint32_t index)
{
    const struct net_cargo *cargo = &engine->packets[index].cargo;
    const struct net_topology *topology = engine->network.topology;
    uint32_t source = net_topology_router_of(topology, engine->flights.items[cargo->flight].source);
    uint32_t longer = cargo->hops - distance_from(engine, source, index);
    engine->faults->packets[index].on_ring = false;
    engine->faults->counts.longer_packets += longer > 0;
    engine->faults->counts.longer_links += longer;
}

/* ---- the law ---- */

/* The origin of the wave that made the ring on which the queue is; NET_NONE: on none. */
static uint32_t ring_of(const struct net_flit_engine *engine, const struct net_flit_driver *queue)
{
    const struct net_flit_faults *faults = engine->faults;
    if (faults->router[queue->router].stopped ||
        !net_flit_has(&faults->router[queue->router].queue, queue->local))
        return NET_NONE;
    return faults->clock.control.router[queue->router].wave.origin;
}

/* Places for largest packets of every ring, and behind them its ring packets, each in the queue in which it has
 * reserved its place last. */
static void count_rings(const struct net_flit_engine *engine, uint64_t *places, uint64_t *packets)
{
    const struct net_flit_faults *faults = engine->faults;
    uint32_t each = engine->network.options.buffer_flits / engine->largest;
    for (size_t i = 0; i < (size_t)engine->routers * engine->drivers_per_router; i++) {
        uint32_t ring = ring_of(engine, &engine->driver[i]);
        if (ring != NET_NONE)
            places[ring] += each;
    }
    for (uint32_t i = 0; i < engine->pool.count; i++) {
        const struct net_flit_fault_packet *packet = &faults->packets[i];
        const struct net_flit_driver *queue = &engine->driver[packet->queue];
        uint32_t ring = packet->on_ring ? ring_of(engine, queue) : NET_NONE;
        if (ring != NET_NONE && packet->granted >= faults->router[queue->router].ring_since)
            packets[ring]++;
    }
}

/* A ring has a place that no ring packet holds, whenever no control packet is on its way. (While a new wave takes a
 * tree apart, what is left of its ring may be full: its routers are about to stop.) */
int net_flit_faults_check(const struct net_flit_engine *engine, struct base_error *error)
{
    uint64_t *places;
    int status = 0;
    if (base_heap_first(&engine->faults->clock.control.events) != NULL)
        return 0;
    places = net_array_new((size_t)engine->routers * 2, sizeof *places);
    if (places == NULL)
        return base_error_memory(error, "the places of rings");
    count_rings(engine, places, places + engine->routers);
    for (uint32_t ring = 0; ring < engine->routers && status == 0; ring++)
        if (places[ring] != 0 && places[ring] <= places[engine->routers + ring])
            status = base_error_set(error, BASE_SYSTEM,
                                    "%" PRIu64 " packets on a ring of %" PRIu64
                                    " places: this is a defect of flitreplay",
                                    places[engine->routers + ring], places[ring]);
    free(places);
    return status;
}
