/* Packets under failing links: see faults.h. All that is decided here looks at one router, its own state in the control
 * protocol, and the packet; so the order of routers cannot be seen, as in the kernel. */
#include "netmodel/packet-engine/faults.h"

#include <stdlib.h>
#include <string.h>

#define BIT(number) (UINT64_C(1) << (number))

/* ---- what it is made of ---- */

/* All routers without a ring. Arrays of an engine that fails to be built are freed with it. -1: memory. */
static int allocate_faults(struct net_packet_engine *engine, struct net_packet_faults *faults)
{
    faults->router = net_array_new(engine->routers, sizeof *faults->router);
    faults->onward = net_array_new((size_t)engine->routers * engine->shape.ports, sizeof *faults->onward);
    if (faults->router == NULL || faults->onward == NULL)
        return -1;
    for (uint32_t router = 0; router < engine->routers; router++) {
        faults->router[router].parent = NET_NONE;
        faults->router[router].onward = &faults->onward[(size_t)router * engine->shape.ports];
    }
    return 0;
}

/* Control, in which no engine differs, is of netmodel/faults/data.h; here is what this engine keeps of a router and
 * of its buffers besides. */
int net_packet_faults_init(struct net_packet_engine *engine, const struct net_failing *failing,
                           struct base_error *error)
{
    struct net_packet_faults *faults = net_array_new(1, sizeof *faults);
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

void net_packet_faults_free(struct net_packet_faults *faults)
{
    if (faults == NULL)
        return;
    net_fault_data_free(&faults->data);
    free(faults->router);
    free(faults->onward);
    free(faults);
}

/* ---- control (rules 18 to 20) ---- */

/* The kernel's state of a router, which has the masks of its heads and outputs; faults are seldom, so that they may
 * look it up by number. */
static struct net_packet_router *block_of(const struct net_packet_engine *engine, uint32_t router)
{
    return net_packet_router_at(engine->state, router, engine->shape);
}

/* The router is visited in the cycle that comes next, and its heads ask again. */
static void wake_router(struct net_packet_engine *engine, uint32_t router)
{
    struct net_packet_router *state = block_of(engine, router);
    const struct net_packet_visit at = {&engine->parts[0], state, net_packet_block_of(engine, router),
                                        engine->network.now};
    if (state->eligible != 0)
        net_packet_make_pending(at, state->eligible);
}

/* A virtual channel of a link as a bit: of its source's outputs, and likewise of its target's drivers. */
static uint64_t output_of(const struct net_packet_engine *engine, uint32_t link, uint32_t channel)
{
    return BIT(engine->network.topology->links[link].port * engine->shape.channels + channel);
}

/* The ring outputs and queues of a router that goes on; each link of the tree is both, once each way. Most routers are
 * of no tree. */
static void find_ring(const struct net_packet_engine *engine, uint32_t router,
                      struct net_packet_fault_router *state)
{
    const struct net_packet_faults *faults = engine->faults;
    state->ring = state->queue = 0;
    const bool member = faults->data.clock.control.router[router].member;
    for (uint32_t port = 0; member && port < engine->network.topology->ports; port++) {
        uint32_t link = net_fault_data_ring_link(&faults->data, router, port);
        if (link == NET_NONE)
            continue;
        state->ring |= output_of(engine, link, faults->data.kind->ring_channel);
        state->queue |= output_of(engine, faults->data.failing->faults.cables.back[link],
                                  faults->data.kind->ring_channel);
    }
}

/* Of packets that left their buffers before anybody asked since when: their ends are in the wheel. */
static void note_leaving(const struct net_packet_engine *engine)
{
    const struct net_packet_part *part = &engine->parts[0];
    uint64_t now = engine->network.now;
    for (uint64_t cycle = now + 1; cycle <= now + part->wheel_mask; cycle++) {
        const struct net_packet_slot *slot = &part->wheel[cycle & part->wheel_mask];
        const struct net_packet_chunk *chunk = slot->last;
        for (uint32_t i = 0, count = net_packet_slot_count(slot); i < count; i++) {
            if (i % NET_PACKET_CHUNK == 0)
                chunk = chunk->next;
            uint64_t event = net_packet_chunk_event(chunk, i % NET_PACKET_CHUNK);
            struct net_packet_router *router =
                net_packet_block_at(engine->state, net_packet_event_block(event));
            uint32_t driver = net_packet_event_driver(event);
            if (driver < engine->first_injector)
                net_packet_output_at(router, driver)->departure = (uint16_t)(cycle - engine->largest);
        }
    }
}

/* What of the base's escape is open there (rule 22), and whose packets are to be looked at. */
static void open_escapes(const struct net_packet_engine *engine, struct net_packet_fault_router *state)
{
    for (int met = 0; met < 2; met++)
        state->escapes[met] =
            net_fault_may_escape(engine->faults->data.kind, state->waves, met != 0) ? ~state->dead : 0;
    state->watched = state->escapes[0] != state->escapes[1] ? UINT64_MAX : state->queue | state->came;
}

/* From now on the rules of faults are for all heads of the router, if there is anything that they say otherwise: it
 * stands, has a ring or dead links, or waves have changed who may take an escape. */
static void mark(struct net_packet_engine *engine, uint32_t router)
{
    const struct net_packet_fault_router *state = &engine->faults->router[router];
    const struct net_fault_routing *kind = engine->faults->data.kind;
    bool escapes = kind->escape_before_waves || kind->escape_before_rings;
    if (block_of(engine, router)->special == UINT64_MAX)
        return;
    if (state->stopped || (state->ring | state->queue | state->dead) != 0 || (escapes && state->waves))
        engine->faults->marked = true;
    else
        return;
    block_of(engine, router)->special = UINT64_MAX;
}

/* What control has made of a router in that cycle. Where anything is another, its heads ask again. */
static void look_at_router(void *context, uint32_t router, uint64_t cycle)
{
    struct net_packet_engine *engine = context;
    const struct net_packet_faults *faults = engine->faults;
    const struct net_control_router *control = &faults->data.clock.control.router[router];
    struct net_packet_fault_router *state = &faults->router[router];
    const struct net_packet_fault_router before = *state;
    state->stopped = control->stopped;
    state->waves = control->wave.epoch > 0;
    if (!state->stopped) {
        state->parent = control->member ? control->parent : NET_NONE;
        find_ring(engine, router, state);
    }
    open_escapes(engine, state);
    mark(engine, router);
    if (state->stopped)
        return;
    state->shut = state->ring | state->dead;
    bool changed = before.stopped || before.parent != state->parent || before.ring != state->ring;
    if (changed) {
        state->ring_since = cycle;
        memset(state->onward, 0, engine->shape.ports);
    }
    if (changed || before.waves != state->waves)
        wake_router(engine, router);
}

/* From this cycle on nothing is granted on it. Who waited for it may ask for something else. */
static void kill_link(void *context, uint32_t link)
{
    struct net_packet_engine *engine = context;
    uint32_t router = engine->network.topology->links[link].source;
    struct net_packet_fault_router *state = &engine->faults->router[router];
    for (uint32_t channel = 0; channel < engine->shape.channels; channel++)
        state->dead |= output_of(engine, link, channel);
    state->shut |= state->dead;
    open_escapes(engine, state);
    mark(engine, router);
    wake_router(engine, router);
}

/* The first cycle from `cycle` on in which control does anything, as long as there is somebody to notice. */
uint64_t net_packet_faults_next(const struct net_packet_engine *engine, uint64_t cycle)
{
    uint64_t next =
        net_fault_data_next(&engine->faults->data, cycle, net_network_pending(&engine->network) != 0);
    return next == NET_NEVER ? NET_PACKET_NEVER : next;
}

/* While places are counted nobody knows since when a packet has been leaving its buffer; the first router that faults
 * change asks for it, and gets it from the ends in the wheel. */
void net_packet_faults_settle(struct net_packet_engine *engine, uint64_t cycle)
{
    struct net_packet_faults *faults = engine->faults;
    faults->marked = false;
    net_fault_data_settle(&faults->data, cycle,
                          &(struct net_fault_listener){kill_link, look_at_router, engine});
    if (faults->marked && engine->shape.even)
        note_leaving(engine);
}

/* ---- what packets may take (rules 21 and 22) ---- */

/* Rings are left, and detours counted, as if all links lived. */
uint32_t net_packet_faults_distance(const struct net_packet_engine *engine, uint32_t router, uint32_t packet)
{
    const struct net_packet_flight *flight = &engine->flights[engine->parts[0].packets[packet].message];
    return net_topology_distance(engine->network.topology, router,
                                 net_topology_router_of(engine->network.topology, flight->target));
}

/* Of the head of a driver: what it needs on a ring output depends on it (rule 23). */
bool net_packet_faults_on_ring(const struct net_packet_engine *engine, uint32_t router, uint32_t driver)
{
    uint32_t packet =
        net_packet_entry_packet(net_packet_driver_at(block_of(engine, router), driver)->head.rest);
    return net_packet_faults_standing(&engine->faults->router[router], &engine->parts[0].failing[packet],
                                      driver) == NET_FAULT_ON_RING;
}

/* A router that has no ring yet leaves who wants to enter one waiting, until control wakes it. The re-injection channel
 * is never without room, and free once the packet before has gone over it. */
uint64_t net_packet_faults_then(const struct net_packet_engine *engine, uint32_t router, uint32_t driver,
                                const struct net_fault_request request)
{
    const struct net_packet_faults *faults = engine->faults;
    const struct net_packet_fault_router *here = &faults->router[router];
    if (request.then == NET_FAULT_ENTER)
        return here->ring & ~here->dead;
    if (request.then == NET_FAULT_REINJECT)
        return BIT(engine->outputs_per_router - 1);
    const uint32_t input = driver / engine->shape.channels;
    if (here->onward[input] == 0) {
        uint32_t next = net_fault_data_after(&faults->data, router, input);
        if (next == NET_NONE)
            return 0;
        here->onward[input] =
            (uint8_t)(__builtin_ctzll(output_of(engine, next, faults->data.kind->ring_channel)) + 1);
    }
    return BIT(here->onward[input] - 1) & ~here->dead;
}

uint64_t net_packet_faults_outputs(const struct net_packet_engine *engine, uint32_t router, uint32_t driver,
                                   const struct net_packet_outputs *outputs)
{
    const struct net_packet_fault_router *here = &engine->faults->router[router];
    uint32_t packet =
        net_packet_entry_packet(net_packet_driver_at(block_of(engine, router), driver)->head.rest);
    uint64_t early = net_packet_outputs_early(outputs);
    uint64_t escape = outputs->all & ~early & here->escapes[engine->parts[0].failing[packet].met];
    const struct net_fault_request request =
        net_packet_faults_request(engine, router, driver, packet, escape != 0);
    uint64_t then =
        request.then == NET_FAULT_ESCAPE ? escape : net_packet_faults_then(engine, router, driver, request);
    return (request.adaptive ? early & ~here->shut : 0) | then;
}

/* ---- packets go on ---- */

/* A run that comes here goes no further: nothing is counted wrongly. */
void net_packet_faults_check_hops(struct net_packet_faults *faults, uint16_t hops)
{
    if ((hops & ~NET_PACKET_LATE) > NET_PACKET_HOPS_MOST && faults->data.error.status == 0)
        base_error_set(&faults->data.error, BASE_SYSTEM,
                       "livelock: a packet has gone over %d links, most of them around dead ones",
                       NET_PACKET_HOPS_MOST);
}

/* hops count what the packet has gone since its source, also before it was re-injected. */
void net_packet_faults_count(struct net_packet_part *part, uint32_t index)
{
    const struct net_packet_engine *engine = part->engine;
    const struct net_packet_packet *packet = &part->packets[index];
    uint32_t source =
        net_topology_router_of(engine->network.topology, engine->flights[packet->message].source);
    net_fault_data_deliver(&engine->faults->data, &part->failing[index],
                           packet->hops - net_packet_faults_distance(engine, source, index));
}

/* ---- the law ---- */

/* The ring on which the queue is; NET_NONE: on none. */
static uint32_t ring_of(const struct net_packet_faults *faults, uint32_t router, uint32_t driver)
{
    if ((faults->router[router].queue >> driver & 1) == 0)
        return NET_NONE;
    return net_fault_data_origin(&faults->data, router);
}

/* Of struct net_fault_ring: what buffers hold in largest packets, and what stands there since its ring is new. */
static void count_rings(const void *context, struct net_fault_ring *rings)
{
    const struct net_packet_engine *engine = context;
    const struct net_packet_faults *faults = engine->faults;
    uint32_t each = engine->network.options.buffer_flits / engine->largest;
    for (uint32_t router = 0; router < engine->routers; router++)
        for (uint32_t driver = 0; driver < engine->first_injector; driver++) {
            uint32_t ring = ring_of(faults, router, driver);
            if (ring != NET_NONE)
                rings[ring].places += each;
        }
    for (uint32_t i = 0; i < engine->parts[0].packet_count; i++) {
        const struct net_fault_packet *packet = &engine->parts[0].failing[i];
        uint32_t router = packet->queue >> NET_PACKET_LOCAL_BITS;
        uint32_t ring =
            packet->on_ring ? ring_of(faults, router, packet->queue % NET_PACKET_MASK_BITS) : NET_NONE;
        if (ring != NET_NONE && packet->granted >= faults->router[router].ring_since)
            rings[ring].packets++;
    }
}

int net_packet_faults_check(const struct net_packet_engine *engine, struct base_error *error)
{
    return net_fault_data_check(&engine->faults->data, count_rings, engine, error);
}
