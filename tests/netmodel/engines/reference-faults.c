/* The rules of data on networks whose links fail (doc/faults.md, Data), densely: every router is looked at in every
 * cycle, and every packet's standing is worked out from what it remembers. */
#include <stdlib.h>

#include "base/random.h"
#include "netmodel/faults/failing.h"
#include "tests/netmodel/engines/reference-internal.h"

struct fault_router {
    bool stopped, had_wave;
    uint32_t parent;           /* port, or NET_NONE */
    bool child[NET_PORTS_MAX]; /* by port */
    uint64_t new_ring;         /* rule 20 */
};

struct fault_packet {
    uint64_t granted;
    uint64_t ring_links;
    uint32_t entry_distance;
    bool by_ring, entered;
};

struct reference_faults {
    const struct net_failing *failing;
    struct net_fault_clock clock;
    struct fault_router *routers;
    struct fault_packet *packets;
    bool begun;
};

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

void reference_faults_prepare(struct reference *reference, size_t packets)
{
    struct reference_faults *faults = take(1, sizeof *faults);
    struct base_error error;
    faults->failing = net_routing_failing(reference->routing);
    if (net_fault_clock_init(&faults->clock, faults->failing, reference->link_cycles, &error) != 0)
        abort();
    faults->routers = take(reference->topology->routers, sizeof *faults->routers);
    faults->packets = take(packets, sizeof *faults->packets);
    reference->faults = faults;
}

void reference_faults_clear(struct reference *reference)
{
    if (reference->faults == NULL)
        return;
    net_fault_clock_free(&reference->faults->clock);
    free(reference->faults->routers);
    free(reference->faults->packets);
    free(reference->faults);
}

/* ---- rules 2, 18, 19 and 20 ---- */

static uint32_t link_by(const struct reference *reference, uint32_t router, uint32_t port)
{
    return reference->topology->link_at[router * reference->topology->ports + port];
}

static bool is_dead(const struct reference *reference, uint32_t router, uint32_t port)
{
    return reference->faults->failing->faults.dies[link_by(reference, router, port)] <= reference->cycle;
}

static void observe(struct reference *reference, uint32_t number, uint64_t cycle)
{
    const struct net_control *control = &reference->faults->clock.control;
    const struct net_control_router *state = &control->router[number];
    struct fault_router *router = &reference->faults->routers[number];
    struct fault_router seen = {.stopped = state->stopped};
    bool changed = router->stopped;
    seen.had_wave = state->wave.epoch != 0;
    seen.new_ring = router->new_ring;
    seen.parent = state->member && state->parent != NET_NONE ? reference->topology->links[state->parent].port
                                                             : NET_NONE;
    for (uint32_t port = 0; port < reference->topology->ports; port++) {
        uint32_t link = link_by(reference, number, port);
        seen.child[port] = state->member && link != NET_NONE && (control->link[link] & NET_LINK_CHILD) != 0;
        changed |= seen.child[port] != router->child[port];
    }
    changed |= seen.parent != router->parent;
    if (seen.stopped) {
        router->stopped = true;
        return;
    }
    if (changed)
        seen.new_ring = cycle;
    *router = seen;
}

/* Every cycle of control up to this one, each by itself. */
bool reference_faults_begin(struct reference *reference)
{
    struct reference_faults *faults = reference->faults;
    struct base_error error;
    bool any = false;
    if (faults == NULL)
        return false;
    if (!faults->begun)
        for (uint32_t router = 0; router < reference->topology->routers; router++) {
            faults->routers[router].parent = NET_NONE;
            observe(reference, router, 0);
        }
    faults->begun = true;
    while (net_fault_clock_next(&faults->clock) <= reference->cycle) {
        uint64_t cycle = net_fault_clock_next(&faults->clock);
        if (net_fault_clock_step(&faults->clock, &error) != 0)
            abort();
        for (uint32_t router = 0; router < reference->topology->routers; router++)
            observe(reference, router, cycle);
        any = true;
    }
    for (uint32_t i = 0; i < faults->failing->faults.count; i++)
        any |= faults->failing->faults.fault[i].cycle == reference->cycle;
    return any;
}

uint64_t reference_faults_next(const struct reference *reference)
{
    uint64_t next;
    if (reference->faults == NULL || !reference->packets_inside)
        return REFERENCE_NEVER;
    next = net_fault_clock_next(&reference->faults->clock);
    for (uint32_t i = 0; i < reference->faults->failing->faults.count; i++) {
        uint64_t cycle = reference->faults->failing->faults.fault[i].cycle;
        if (cycle >= reference->cycle && cycle < next)
            next = cycle;
    }
    return next;
}

bool reference_faults_stopped(const struct reference *reference, uint32_t router)
{
    return reference->faults != NULL && reference->faults->routers[router].stopped;
}

static uint32_t ring_channel(const struct reference *reference)
{
    return reference->faults->failing->kind->ring_channel;
}

static bool is_of_tree(const struct reference *reference, uint32_t router, uint32_t port)
{
    const struct fault_router *state = &reference->faults->routers[router];
    return port == state->parent || state->child[port];
}

static bool is_ring_output(const struct reference *reference, uint32_t router, uint32_t output)
{
    return output % reference->virtual_channels == ring_channel(reference) &&
           is_of_tree(reference, router, output / reference->virtual_channels);
}

/* ---- rule 21 ---- */

/* The port back over which a packet would go that came by this input. */
static uint32_t port_back(const struct reference *reference, uint32_t router, uint32_t input)
{
    const struct net_topology *topology = reference->topology;
    const uint32_t *back = reference->faults->failing->faults.cables.back;
    for (uint32_t link = 0; link < topology->link_count; link++)
        if (topology->links[link].target == router && topology->links[link].port == input)
            return topology->links[back[link]].port;
    abort();
}

enum standing { ORDINARY, RING_PACKET, STRAY };

static enum standing standing_of(const struct reference *reference, uint32_t router, uint32_t driver,
                                 size_t packet)
{
    const struct fault_packet *state = &reference->faults->packets[packet];
    bool buffer = driver < reference->topology->ports * reference->virtual_channels;
    bool in_ring_queue =
        buffer && driver % reference->virtual_channels == ring_channel(reference) &&
        is_of_tree(reference, router, port_back(reference, router, driver / reference->virtual_channels));
    if (in_ring_queue && state->by_ring && state->granted >= reference->faults->routers[router].new_ring)
        return RING_PACKET;
    return in_ring_queue || state->by_ring ? STRAY : ORDINARY;
}

/* ---- rules 22 and 23 ---- */

uint32_t reference_faults_needed(const struct reference *reference, uint32_t router, uint32_t driver,
                                 uint32_t output, size_t packet)
{
    uint32_t flits = reference->result->packets[packet].flits;
    if (is_ring_output(reference, router, output)) {
        bool stays = standing_of(reference, router, driver, packet) == RING_PACKET;
        return stays || reference->rings_without_bubble ? reference->largest : 2 * reference->largest;
    }
    if (!reference_bubble(reference, output))
        return flits;
    return driver == output ? reference->largest : 2 * reference->largest;
}

uint32_t reference_faults_reserved(const struct reference *reference, uint32_t router, uint32_t output,
                                   size_t packet)
{
    if (is_ring_output(reference, router, output) || reference_bubble(reference, output))
        return reference->largest;
    return reference->result->packets[packet].flits;
}

static uint32_t distance_of(const struct reference *reference, uint32_t router, size_t packet)
{
    uint32_t target = reference->result->packets[packet].target / reference->topology->concentration;
    return net_topology_distance(reference->topology, router, target);
}

/* A set of outputs, and one that is asked for out of it. */
struct asking {
    struct reference *reference;
    uint32_t router, driver;
    size_t packet;
    struct net_route route;
    uint32_t tiers;
};

static bool can_have(const struct asking *asking, uint32_t output)
{
    struct reference *reference = asking->reference;
    if (output_at(reference, asking->router, output)->holder != NET_NONE)
        return false;
    if (is_ejection(reference, output))
        return true;
    const struct driver *buffer = next_buffer(reference, asking->router, output);
    return buffer != NULL &&
           reference_room(reference, buffer) >=
               reference_faults_needed(reference, asking->router, asking->driver, output, asking->packet);
}

/* Rule 3's draw among those of `wanted` that it can have. */
static uint32_t draw_of(const struct asking *asking, const bool *wanted)
{
    const struct reference *reference = asking->reference;
    uint32_t candidates[REFERENCE_WIDTH];
    uint32_t count = 0;
    for (uint32_t output = 0; output < reference->outputs_each; output++)
        if (wanted[output] && can_have(asking, output))
            candidates[count++] = output;
    if (count == 0)
        return NET_NONE;
    uint64_t key = reference->result->packets[asking->packet].key;
    return candidates[base_scale(base_hash(key, reference->cycle), count)];
}

/* The outputs of a tier of the base over live links. Returns whether there is any. */
static bool of_tier(const struct asking *asking, uint32_t tier, bool *wanted)
{
    const struct reference *reference = asking->reference;
    bool any = false;
    for (uint32_t output = 0; output < reference->outputs_each; output++) {
        uint32_t port = output / reference->virtual_channels;
        wanted[output] =
            !is_ejection(reference, output) && (asking->route.ports[tier] >> port & 1) != 0 &&
            (asking->route.virtual_channels[tier] >> output % reference->virtual_channels & 1) != 0 &&
            !is_dead(reference, asking->router, port);
        any |= wanted[output];
    }
    return any;
}

static uint32_t ask_adaptive(const struct asking *asking)
{
    const struct reference *reference = asking->reference;
    uint32_t found = NET_NONE;
    for (uint32_t tier = 0; tier + 1 < asking->tiers && found == NET_NONE; tier++) {
        bool wanted[REFERENCE_WIDTH];
        of_tier(asking, tier, wanted);
        for (uint32_t output = 0; output < reference->outputs_each; output++)
            wanted[output] = wanted[output] && !is_ring_output(reference, asking->router, output);
        found = draw_of(asking, wanted);
    }
    return found;
}

static uint32_t ask_one(const struct asking *asking, uint32_t output)
{
    return can_have(asking, output) ? output : NET_NONE;
}

/* Rule 16: children in the order of their ports behind the parent. */
static uint32_t ask_next_of_ring(const struct asking *asking)
{
    const struct reference *reference = asking->reference;
    const struct fault_router *router = &reference->faults->routers[asking->router];
    uint32_t ports = reference->topology->ports;
    uint32_t from = port_back(reference, asking->router, asking->driver / reference->virtual_channels);
    uint32_t next = from == router->parent ? 0 : from + 1;
    while (next < ports && !router->child[next])
        next++;
    if (next == ports)
        next = router->parent;
    for (uint32_t port = 0; next == NET_NONE && port < ports; port++)
        if (router->child[port])
            next = port;
    if (next == NET_NONE || is_dead(reference, asking->router, next))
        return NET_NONE;
    return ask_one(asking, next * reference->virtual_channels + ring_channel(reference));
}

static uint32_t ask_to_enter(const struct asking *asking)
{
    struct reference *reference = asking->reference;
    uint32_t best = NET_NONE;
    int64_t most = -1;
    for (uint32_t port = 0; port < reference->topology->ports; port++) {
        uint32_t output = port * reference->virtual_channels + ring_channel(reference);
        if (!is_of_tree(reference, asking->router, port) || is_dead(reference, asking->router, port) ||
            !can_have(asking, output))
            continue;
        int64_t room = reference_room(reference, next_buffer(reference, asking->router, output));
        if (room <= most)
            continue;
        most = room;
        best = output;
    }
    return best;
}

static uint32_t ask_of_ring_packet(const struct asking *asking)
{
    const struct reference *reference = asking->reference;
    const struct fault_packet *packet = &reference->faults->packets[asking->packet];
    const char *name = reference->faults->failing->kind->name;
    uint64_t guard = 2 * ((uint64_t)reference->topology->routers - 1);
    uint32_t found = NET_NONE;
    if (name[0] == 'k') {
        if (distance_of(reference, asking->router, asking->packet) >= packet->entry_distance)
            return ask_next_of_ring(asking);
        bool wanted[REFERENCE_WIDTH];
        found = ask_adaptive(asking);
        if (found == NET_NONE && reference->rings_into_escape && of_tier(asking, asking->tiers - 1, wanted))
            return draw_of(asking, wanted);
        return found != NET_NONE ? found : ask_one(asking, reference->outputs_drawn);
    }
    if (packet->ring_links < guard)
        found = ask_adaptive(asking);
    return found != NET_NONE ? found : ask_next_of_ring(asking);
}

static uint32_t ask_of_ordinary(const struct asking *asking)
{
    const struct reference *reference = asking->reference;
    const char *name = reference->faults->failing->kind->name;
    bool wanted[REFERENCE_WIDTH];
    bool may = true;
    uint32_t found = ask_adaptive(asking);
    if (found != NET_NONE)
        return found;
    if (name[0] == 'i' && name[4] == 'n') /* immunet */
        may = !reference->faults->routers[asking->router].had_wave;
    else if (name[0] == 'i')
        may = !reference->faults->packets[asking->packet].entered;
    if (of_tier(asking, asking->tiers - 1, wanted) && may)
        return draw_of(asking, wanted);
    return ask_to_enter(asking);
}

uint32_t reference_faults_select(struct reference *reference, uint32_t router, uint32_t driver, size_t packet)
{
    struct asking asking = {.reference = reference, .router = router, .driver = driver, .packet = packet};
    const struct reference_packet *given = &reference->result->packets[packet];
    asking.tiers = reference->routing->kind->route(reference->routing, router, given->header, &asking.route);
    if (asking.tiers == 0) {
        bool wanted[REFERENCE_WIDTH] = {false};
        uint32_t slot = given->target % reference->topology->concentration;
        for (uint32_t i = 0; i < reference->consumers; i++)
            wanted[reference->topology->ports * reference->virtual_channels + slot * reference->consumers +
                   i] = true;
        return draw_of(&asking, wanted);
    }
    switch (standing_of(reference, router, driver, packet)) {
    case RING_PACKET:
        return ask_of_ring_packet(&asking);
    case STRAY:
        return ask_one(&asking, reference->outputs_drawn);
    case ORDINARY:
        break;
    }
    return ask_of_ordinary(&asking);
}

/* ---- grants, rules 24 and 25 ---- */

void reference_faults_granted(struct reference *reference, uint32_t router, uint32_t driver, uint32_t output,
                              size_t number)
{
    struct fault_packet *packet = &reference->faults->packets[number];
    bool stays = standing_of(reference, router, driver, number) == RING_PACKET;
    packet->by_ring = is_ring_output(reference, router, output);
    packet->granted = reference->cycle;
    packet->ring_links += packet->by_ring;
    if (!packet->by_ring || stays)
        return;
    packet->entered = true;
    packet->entry_distance = distance_of(reference, router, number);
}

static uint64_t header_from(const struct reference *reference, uint32_t router, size_t packet)
{
    const struct net_routing *routing = reference->routing;
    const struct reference_packet *given = &reference->result->packets[packet];
    uint32_t target = given->target / reference->topology->concentration;
    uint32_t variants = routing->kind->variants(routing, router, target);
    return routing->kind->start(routing, router, target,
                                base_scale(base_hash(given->key, UINT64_MAX), variants));
}

uint64_t reference_faults_header(const struct reference *reference, uint32_t router, uint32_t output,
                                 size_t packet)
{
    const struct net_topology *topology = reference->topology;
    uint32_t port = output / reference->virtual_channels;
    if (reference->faults->packets[packet].by_ring)
        return header_from(reference, topology->links[link_by(reference, router, port)].target, packet);
    return reference->routing->kind->step(reference->routing, router,
                                          reference->result->packets[packet].header, port);
}

void reference_faults_reinject(struct reference *reference, uint32_t router, size_t packet)
{
    struct driver *queue = driver_at(reference, router, reference->drivers_each - 1);
    reference->result->packets[packet].header = header_from(reference, router, packet);
    reference->faults->packets[packet].by_ring = false;
    for (uint32_t i = 0; i < reference->result->packets[packet].flits; i++)
        reference_push(&queue->queue, (struct flit){packet, i, reference->cycle + 1});
}
