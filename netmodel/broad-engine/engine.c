/* The broad engine: building its state from a topology, taking messages in, giving counters out. The cycle itself is in
 * cycle.c, what the engine says about itself in report.c; the idea is in internal.h.
 *
 *     broad_engine_build     options ─► widths ─► checks ─► arrays ─► outputs joined to drivers
 *     broad_engine_inject    a message into an injector's queue, or into the heap of later ones
 *     broad_engine_collect   counters of outputs and drivers ─► per link and terminal */
#include <stdlib.h>

#include "netmodel/broad-engine/internal.h"
#include "netmodel/engines/limits.h"

/* Refused by name, where it does not fit. */
static int check_size(const struct net_broad_engine *engine, struct base_error *error)
{
    const uint64_t word = sizeof *engine->eligible;
    uint64_t router = sizeof *engine->router + 3 * word * engine->words +
                      engine->ports * (sizeof *engine->port + sizeof *engine->network.link_flits) +
                      engine->outputs_per_router * (sizeof *engine->output + engine->words * word) +
                      engine->drivers_per_router * (sizeof *engine->driver + sizeof *engine->injected);
    if (net_limit_widths(&engine->network, engine->drivers_per_router, engine->outputs_per_router,
                         NET_BROAD_WIDTH_MAX, error) < 0)
        return -1;
    return net_limit_memory(&engine->network, router, "", error);
}

/* Local numbers, as in doc/flit-engine.md: links' virtual channels first, then the terminals' injectors (as drivers)
 * and ejection channels (as outputs). All masks of drivers of a router have `words` words. */
static void set_widths(struct net_broad_engine *engine)
{
    const struct net_options *options = &engine->network.options;
    const struct net_topology *topology = engine->network.topology;
    engine->routers = topology->routers;
    engine->ports = topology->ports;
    engine->virtual_channels = options->virtual_channels;
    engine->concentration = topology->concentration;
    engine->injectors = options->injectors;
    engine->consumers = options->consumers;
    engine->largest = options->packet_flits;
    engine->pipeline = options->router_cycles - 1;
    engine->credit_cycles = options->credit_cycles;
    engine->chooses = engine->network.routing->kind->choose != NULL;
    engine->seed = options->seed;
    engine->first_injector = engine->first_ejection = engine->ports * engine->virtual_channels;
    engine->drivers_per_router = engine->first_injector + engine->concentration * engine->injectors;
    engine->outputs_per_router = engine->first_ejection + engine->concentration * engine->consumers;
    engine->words = (engine->drivers_per_router + 63) / 64;
}

/* Slots for all that is noted ahead: a packet's length and a latency at most. A power of two, so that a cycle's
 * slot is a mask away, and whole words of bits. */
static int allocate_wheels(struct net_broad_engine *engine)
{
    const struct net_options *options = &engine->network.options;
    uint32_t latest =
        net_topology_crossing_max(engine->network.topology, options->link_cycles) + options->router_cycles;
    uint32_t size = 64;
    if (options->credit_cycles > latest)
        latest = options->credit_cycles;
    while (size <= engine->largest + latest)
        size *= 2;
    engine->wheel_mask = engine->used_mask = size - 1;
    engine->events.slots = net_array_new(size, sizeof *engine->events.slots);
    engine->events.used = net_array_new(size / 64, sizeof *engine->events.used);
    engine->ends.slots = net_array_new(size, sizeof *engine->ends.slots);
    engine->ends.used = net_array_new(size / 64, sizeof *engine->ends.used);
    return engine->events.slots == NULL || engine->events.used == NULL || engine->ends.slots == NULL ||
                   engine->ends.used == NULL
               ? -1
               : 0;
}

/* Masks of drivers and lists of a router's requests. The lists of a router's requests are shared by all routers,
 * which take their turns; only masks are there for each. */
static int allocate_masks(struct net_broad_engine *engine)
{
    size_t routers = engine->routers, words = engine->words;
    engine->eligible = net_array_new(routers * words, sizeof *engine->eligible);
    engine->pending[0] = net_array_new(routers * words, sizeof *engine->pending[0]);
    engine->pending[1] = net_array_new(routers * words, sizeof *engine->pending[1]);
    engine->sleepers = net_lines_new(routers * engine->outputs_per_router * words * sizeof *engine->sleepers);
    engine->active[0] = net_array_new(routers, sizeof *engine->active[0]);
    engine->active[1] = net_array_new(routers, sizeof *engine->active[1]);
    engine->asking = net_array_new(engine->outputs_per_router, sizeof *engine->asking);
    engine->asked = net_array_new(engine->outputs_per_router, sizeof *engine->asked);
    engine->after = net_array_new(engine->drivers_per_router, sizeof *engine->after);
    if (engine->eligible == NULL || engine->pending[0] == NULL || engine->pending[1] == NULL ||
        engine->sleepers == NULL || engine->active[0] == NULL || engine->active[1] == NULL ||
        engine->asking == NULL || engine->asked == NULL || engine->after == NULL)
        return -1;
    for (uint32_t i = 0; i < engine->outputs_per_router; i++)
        engine->asking[i].first = NET_BROAD_HOLDS_NOTHING;
    return 0;
}

/* Everything at once; only the pools of packets and messages, the heap of future messages and the slots of the wheels
 * grow later, and stop growing after warm-up. What every hop touches is larger than the cache in a network of broad
 * routers: it is in whole cache lines and huge pages. A partial failure is cleaned up by broad_engine_free. */
static int allocate(struct net_broad_engine *engine, struct base_error *error)
{
    size_t routers = engine->routers;
    engine->router = net_array_new(routers, sizeof *engine->router);
    engine->port = net_lines_new(routers * engine->ports * sizeof *engine->port);
    engine->output = net_lines_new(routers * engine->outputs_per_router * sizeof *engine->output);
    engine->driver = net_lines_new(routers * engine->drivers_per_router * sizeof *engine->driver);
    engine->injected = net_array_new(routers * engine->drivers_per_router, sizeof *engine->injected);
    engine->pool = NET_POOL;
    if (engine->router == NULL || engine->port == NULL || engine->output == NULL || engine->driver == NULL ||
        engine->injected == NULL || allocate_masks(engine) < 0 || allocate_wheels(engine) < 0 ||
        net_network_crossings(&engine->network, false, &engine->crossings) < 0 ||
        net_flights_init(&engine->flights, &engine->network) < 0 ||
        net_network_count(&engine->network, NET_COUNT_LINKS | NET_COUNT_WAITS | NET_COUNT_OUTSIDE) < 0)
        return base_error_memory(error, "the network's state");
    return 0;
}

/* All drivers empty and all outputs without a holder, not yet connected. Outputs of ports that a router lacks have no
 * bit among those that are free. Room 0 and no next driver: an output that leads nowhere is never available. */
static void clear_router(const struct net_broad_engine *engine, uint32_t index)
{
    struct net_broad_output *outputs = &engine->output[(size_t)index * engine->outputs_per_router];
    struct net_broad_driver *drivers = &engine->driver[(size_t)index * engine->drivers_per_router];
    for (uint32_t local = 0; local < engine->outputs_per_router; local++)
        outputs[local] = (struct net_broad_output){.next_driver = NET_NONE,
                                                   .router = index,
                                                   .packet = NET_NONE,
                                                   .need = NET_BROAD_NEED_NONE,
                                                   .wake = NET_BROAD_NEVER,
                                                   .local = (uint16_t)local};
    for (uint32_t local = 0; local < engine->drivers_per_router; local++)
        drivers[local] = (struct net_broad_driver){.head = NET_NONE,
                                                   .tail = NET_NONE,
                                                   .upstream = NET_NONE,
                                                   .router = index,
                                                   .local = (uint16_t)local,
                                                   .held = NET_BROAD_HOLDS_NOTHING};
}

/* Virtual channel v of a link joins output p * V + v of its source to driver p * V + v of its target: the equal numbers
 * are what lets rule 6 see that a packet goes on along its ring. `tight` is kept right from the first cycle on:
 * buffers may have room for fewer than two packets where no ring asks for more. */
static void connect_link(const struct net_broad_engine *engine, const struct net_link *link)
{
    struct net_broad_port *port = &engine->port[(size_t)link->source * engine->ports + link->port];
    for (uint32_t channel = 0; channel < engine->virtual_channels; channel++) {
        uint32_t local = link->port * engine->virtual_channels + channel;
        uint32_t output = link->source * engine->outputs_per_router + local;
        uint32_t driver = link->target * engine->drivers_per_router + local;
        bool ring =
            net_in_bubble_ring(engine->network.topology, engine->network.routing, link->port, channel);
        engine->output[output].next_driver = driver;
        engine->output[output].room = (int32_t)engine->network.options.buffer_flits;
        engine->driver[driver].upstream = output;
        port->free |= (uint16_t)(1U << channel);
        port->rings |= (uint16_t)((unsigned)ring << channel);
        if (engine->output[output].room < (int32_t)(engine->largest << ring))
            port->tight |= (uint16_t)(1U << channel);
    }
}

/* Nothing is changed on failure but for out_of_memory, after which the network is only good for freeing. */
static int broad_engine_inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                               struct base_error *error)
{
    struct net_broad_engine *engine = (struct net_broad_engine *)network;
    uint32_t injector;
    if (net_flights_inject(&engine->flights, cycle, message, &injector) < 0)
        engine->out_of_memory = true;
    else if (injector != NET_NONE)
        net_broad_engine_join(engine, injector);
    return engine->out_of_memory ? base_error_memory(error, "the network's packets") : 0;
}

static struct net_counted count_output(const struct net_network *network, uint32_t router, uint32_t local)
{
    const struct net_broad_output *output =
        net_broad_output_at((const struct net_broad_engine *)network, router, local);
    return (struct net_counted){output->flits, output->waits};
}

static struct net_counted count_injector(const struct net_network *network, uint32_t router, uint32_t local)
{
    const struct net_broad_engine *engine = (const struct net_broad_engine *)network;
    return (struct net_counted){
        .flits = engine->injected[(size_t)router * engine->drivers_per_router + local].flits};
}

static void broad_engine_collect(struct net_network *network)
{
    net_network_collect(network, &(const struct net_counters){count_output, count_injector});
}

/* Also of one that was not made. */
static void free_wheel(const struct net_broad_engine *engine, struct net_broad_wheel *wheel)
{
    for (uint32_t i = 0; wheel->slots != NULL && i <= engine->wheel_mask; i++)
        free(wheel->slots[i].items);
    free(wheel->slots);
    free(wheel->used);
}

/* Also of a network whose building failed halfway: any array may be missing. */
static void broad_engine_free(struct net_network *network)
{
    struct net_broad_engine *engine = (struct net_broad_engine *)network;
    free_wheel(engine, &engine->events);
    free_wheel(engine, &engine->ends);
    free(engine->router);
    free(engine->port);
    free(engine->output);
    free(engine->driver);
    free(engine->injected);
    free(engine->eligible);
    free(engine->pending[0]);
    free(engine->pending[1]);
    free(engine->sleepers);
    free(engine->crossings);
    free(engine->asking);
    free(engine->asked);
    free(engine->after);
    free(engine->active[0]);
    free(engine->active[1]);
    free(engine->packets);
    net_flights_free(&engine->flights);
}

/* From options to a network at rest; what it leaves behind on failure is freed by the caller. */
static int broad_engine_build(struct net_network *network, struct base_error *error)
{
    struct net_broad_engine *engine = (struct net_broad_engine *)network;
    const struct net_topology *topology = network->topology;
    set_widths(engine);
    if (net_limit_buffers(network, error) < 0 || check_size(engine, error) < 0 || allocate(engine, error) < 0)
        return -1;
    for (uint32_t router = 0; router < engine->routers; router++)
        clear_router(engine, router);
    for (uint32_t link = 0; link < topology->link_count; link++)
        connect_link(engine, &topology->links[link]);
    return 0;
}

/* What the packet-grant engine serves, in routers of any width: those of a word are its own, and come to it first. */
static bool broad_engine_serves(const struct net_topology *topology, const struct net_routing *routing,
                                const struct net_options *options)
{
    return (routing == NULL ||
            (routing->kind->look == NULL && !routing->kind->never_waits && !routing->kind->failing)) &&
           topology->shared == NULL && !topology->kind->apart && options->flow_control == NET_CUT_THROUGH &&
           net_holds_links(routing, options) && !topology->narrow_links;
}

/* Whatever the topology: a copy is a mask of one word. */
static enum net_multicasts broad_engine_multicasts(const struct net_topology *topology,
                                                   const struct net_routing *routing,
                                                   const struct net_options *options, const char **obstacle)
{
    if (options->multiplexed)
        return net_multicasts_by_flits(topology, routing, options, obstacle);
    *obstacle = "copies are made by routers of at most 64 inputs and outputs";
    return NET_NO_MULTICASTS;
}

const struct net_engine net_engine_broad = {
    .name = "broad",
    .summary = "grants whole packets in routers of more than 64 inputs or outputs, up to 1024",
    .size = sizeof(struct net_broad_engine),
    .serves = broad_engine_serves,
    .link_share = net_link_share_by_rules,
    .multicasts = broad_engine_multicasts,
    .build = broad_engine_build,
    .inject = broad_engine_inject,
    .advance = net_broad_engine_advance,
    .collect = broad_engine_collect,
    .check = net_broad_engine_check,
    .free = broad_engine_free,
    .view = &net_broad_engine_view,
};
