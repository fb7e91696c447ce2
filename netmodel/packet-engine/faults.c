/* Packets under failing links: see faults.h. All that is decided here looks at one router, its own state in the control
 * protocol, and the packet; so the order of routers cannot be seen, as in the kernel. */
#include "netmodel/packet-engine/faults.h"

#include <stdlib.h>

#define BIT(number) (UINT64_C(1) << (number))

/* ---- what it is made of ---- */

/* All routers without a ring. Arrays of an engine that fails to be built are freed with it. -1: memory. */
static int allocate_faults(struct net_packet_engine *engine, struct net_packet_faults *faults)
{
    faults->router = net_array_new(engine->routers, sizeof *faults->router);
    faults->leaves = net_array_new((size_t)engine->routers * engine->first_injector, sizeof *faults->leaves);
    if (faults->router == NULL || faults->leaves == NULL)
        return -1;
    for (uint32_t router = 0; router < engine->routers; router++) {
        faults->router[router].parent = NET_NONE;
        faults->router[router].leaves = &faults->leaves[(size_t)router * engine->first_injector];
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
    return 0;
}

void net_packet_faults_free(struct net_packet_faults *faults)
{
    if (faults == NULL)
        return;
    net_fault_data_free(&faults->data);
    free(faults->router);
    free(faults->leaves);
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
            uint32_t router = net_packet_number_of(engine, net_packet_event_block(event));
            if (net_packet_event_driver(event) < engine->first_injector)
                engine->faults->router[router].leaves[net_packet_event_driver(event)] =
                    cycle - engine->largest;
        }
    }
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
    mark(engine, router);
    if (state->stopped)
        return;
    state->shut = state->ring | state->dead;
    bool changed = before.stopped || before.parent != state->parent || before.ring != state->ring;
    if (changed)
        state->ring_since = cycle;
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

/* Rule 21, for the packet at the head of a driver. */
static enum net_fault_standing standing_of(const struct net_packet_fault_router *router,
                                           const struct net_fault_packet *packet, uint32_t driver)
{
    return net_fault_standing_of(packet, (router->queue >> driver & 1) != 0, router->ring_since);
}

/* Links to the packet's target in the network without faults. */
static uint32_t distance_from(const struct net_packet_engine *engine, uint32_t router, uint32_t packet)
{
    const struct net_packet_flight *flight = &engine->flights[engine->parts[0].packets[packet].message];
    return net_topology_distance(engine->network.topology, router,
                                 net_topology_router_of(engine->network.topology, flight->target));
}

/* An empty tier is passed over when the head asks. */
static void add_tier(struct net_packet_tiers *tiers, uint64_t outputs)
{
    tiers->tier[tiers->count++] = outputs;
}

/* The base's tiers but the last, without dead links and ring outputs. */
static void add_adaptive(const struct net_packet_fault_router *router,
                         const struct net_packet_outputs *outputs, struct net_packet_tiers *tiers)
{
    uint64_t adaptive = net_packet_faults_adaptive(router, outputs);
    add_tier(tiers, outputs->first & adaptive);
    add_tier(tiers, outputs->second & adaptive);
}

/* The re-injection channel is never without room, and free once the packet before has gone over it. */
static void add_reinjection(const struct net_packet_engine *engine, struct net_packet_tiers *tiers)
{
    add_tier(tiers, BIT(engine->outputs_per_router - 1));
}

/* Rule 16, as this router knows its tree. */
static void add_next_of_ring(const struct net_packet_engine *engine, uint32_t router, uint32_t driver,
                             struct net_packet_tiers *tiers)
{
    const struct net_packet_faults *faults = engine->faults;
    uint32_t next = net_fault_data_after(&faults->data, router, driver / engine->shape.channels);
    if (next != NET_NONE)
        add_tier(tiers,
                 output_of(engine, next, faults->data.kind->ring_channel) & ~faults->router[router].dead);
}

/* A ring through all routers is left anywhere, up to a number of links that it would take to go all round; one around a
 * fault only behind it. */
static void add_of_ring_packet(const struct net_packet_engine *engine, uint32_t router, uint32_t driver,
                               uint32_t packet, const struct net_packet_outputs *outputs,
                               struct net_packet_tiers *tiers)
{
    const struct net_packet_faults *faults = engine->faults;
    const struct net_fault_packet *state = &engine->parts[0].failing[packet];
    const struct net_packet_fault_router *here = &faults->router[router];
    if (!faults->data.kind->everywhere && distance_from(engine, router, packet) < state->near) {
        add_adaptive(here, outputs, tiers);
        add_reinjection(engine, tiers);
        return;
    }
    if (net_fault_data_roams(&faults->data, state))
        add_adaptive(here, outputs, tiers);
    add_next_of_ring(engine, router, driver, tiers);
}

/* The ring stands in for an escape that is dead or forbidden: then the head is to enter a ring, and asks only for the
 * passage with most room (rule 22). A router that has no ring yet leaves it waiting, until control wakes it. */
static void add_of_ordinary(const struct net_packet_engine *engine, uint32_t router, uint32_t packet,
                            const struct net_packet_outputs *outputs, struct net_packet_tiers *tiers)
{
    const struct net_packet_faults *faults = engine->faults;
    const struct net_packet_fault_router *here = &faults->router[router];
    uint64_t escape = net_packet_faults_escape(faults, here, &engine->parts[0].failing[packet], outputs);
    add_adaptive(here, outputs, tiers);
    tiers->enters = escape == 0;
    add_tier(tiers, tiers->enters ? here->ring & ~here->dead : escape);
}

/* Of the head of a driver: what it needs on a ring output depends on it (rule 23). */
bool net_packet_faults_on_ring(const struct net_packet_engine *engine, uint32_t router, uint32_t driver)
{
    uint32_t packet =
        net_packet_entry_packet(net_packet_driver_at(block_of(engine, router), driver)->head.rest);
    return standing_of(&engine->faults->router[router], &engine->parts[0].failing[packet], driver) ==
           NET_FAULT_ON_RING;
}

/* Rule 22, whole: for the heads that the kernel does not see to on its usual path (kernel-failing.h), and for the
 * search for stuck packets. */
struct net_packet_tiers net_packet_faults_tiers(const struct net_packet_engine *engine, uint32_t router,
                                                uint32_t driver, const struct net_packet_outputs *outputs)
{
    uint32_t packet =
        net_packet_entry_packet(net_packet_driver_at(block_of(engine, router), driver)->head.rest);
    struct net_packet_tiers tiers = {.count = 0};
    switch (standing_of(&engine->faults->router[router], &engine->parts[0].failing[packet], driver)) {
    case NET_FAULT_ORDINARY:
        add_of_ordinary(engine, router, packet, outputs, &tiers);
        break;
    case NET_FAULT_ON_RING:
        tiers.on_ring = true;
        add_of_ring_packet(engine, router, driver, packet, outputs, &tiers);
        break;
    case NET_FAULT_STRAY:
        add_reinjection(engine, &tiers);
        break;
    }
    return tiers;
}

/* ---- packets go on ---- */

/* Rings may be long, and a packet may enter one again: its links are counted in 15 bits, of which the way from a ring
 * to the target needs no more than what is left here. */
#define HOPS_MOST (NET_PACKET_LATE - 4096)

/* A run that comes here goes no further: nothing is counted wrongly. */
static void check_hops(struct net_packet_faults *faults, uint16_t hops)
{
    if ((hops & ~NET_PACKET_LATE) > HOPS_MOST && faults->data.error.status == 0)
        base_error_set(&faults->data.error, BASE_SYSTEM,
                       "livelock: a packet has gone over %d links, most of them around dead ones", HOPS_MOST);
}

/* The packet stays on its ring, or enters one. */
static void take_ring(struct net_packet_visit at, uint32_t router, uint32_t output, uint32_t driver,
                      uint32_t index)
{
    const struct net_packet_engine *engine = at.part->engine;
    struct net_packet_faults *faults = engine->faults;
    struct net_fault_packet *packet = &at.part->failing[index];
    const uint32_t target = net_packet_line_at(at.router, output)->target;
    bool enters = standing_of(&faults->router[router], packet, driver) != NET_FAULT_ON_RING;
    check_hops(faults, net_packet_driver_at(at.router, driver)->hops);
    net_fault_data_take_ring(&faults->data, packet, enters,
                             enters && !faults->data.kind->everywhere ? distance_from(engine, router, index)
                                                                      : 0);
    packet->granted = at.cycle;
    packet->queue = net_packet_number_of(engine, target) << NET_PACKET_LOCAL_BITS | output;
    faults->router[packet->queue >> NET_PACKET_LOCAL_BITS].came |= BIT(output);
    net_packet_block_at(at.part->state, target)->special |= BIT(output);
}

/* Noted for when the packet starts and leaves, since both may come later than a change of the rings: whether it goes by
 * a ring output (rule 24), and whether it had reserved the largest length where it comes from (rule 23). */
bool net_packet_faults_grant(struct net_packet_visit at, uint32_t output, uint32_t driver)
{
    const struct net_packet_engine *engine = at.part->engine;
    const uint32_t number = net_packet_number_of(engine, at.block);
    const uint32_t index = net_packet_entry_packet(net_packet_driver_at(at.router, driver)->head.rest);
    struct net_packet_fault_router *router = &engine->faults->router[number];
    struct net_fault_packet *packet = &at.part->failing[index];
    bool by_ring = (router->ring >> output & 1) != 0;
    router->padded = (router->padded & ~BIT(driver)) | (uint64_t)packet->on_ring << driver;
    if (output >= engine->first_ejection)
        return false;
    router->by_ring = (router->by_ring & ~BIT(output)) | (uint64_t)by_ring << output;
    if (by_ring)
        take_ring(at, number, output, driver, index);
    packet->on_ring = by_ring;
    return by_ring;
}

/* hops count what the packet has gone since its source, also before it was re-injected. */
void net_packet_faults_count(struct net_packet_part *part, uint32_t index)
{
    const struct net_packet_engine *engine = part->engine;
    const struct net_packet_packet *packet = &part->packets[index];
    uint32_t source =
        net_topology_router_of(engine->network.topology, engine->flights[packet->message].source);
    net_fault_data_deliver(&engine->faults->data, &part->failing[index],
                           packet->hops - distance_from(engine, source, index));
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
