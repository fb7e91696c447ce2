/* The flit-grant engine: building its state from a topology, taking messages in, giving counters out. The
 * cycle itself is in cycle.c, what the engine says about itself in report.c; the idea
 * is in internal.h.
 *
 *     flit_engine_build     options ─► widths ─► checks ─► arrays ─► outputs joined to drivers
 *     flit_engine_inject    a message into an injector's queue, or into the heap of later ones
 *     flit_engine_collect   counters of outputs and drivers ─► per link and terminal */
#include <inttypes.h>
#include <stdlib.h>

#include "netmodel/engines/limits.h"
#include "netmodel/flit-engine/faults.h"

#define MOVES_BYTES_MAX (UINT64_C(64) << 20)
#define LARGE_STATE (UINT64_C(1) << 20) /* about what a core's cache holds */

/* ---- what is refused ---- */

/* Drivers and outputs of a router are bits of one word each, or of several: requests, grants and free outputs are then
 * single operations, which is what makes the cycle fast. The bound on memory also keeps the numbers of drivers and
 * outputs within 32 bits. */
static int check_size(const struct net_flit_engine *engine, struct base_error *error)
{
    uint64_t router = sizeof *engine->router + engine->outputs_per_router * sizeof *engine->output +
                      engine->drivers_per_router *
                          (sizeof *engine->driver + sizeof *engine->want + sizeof *engine->injected) +
                      engine->ports * (sizeof *engine->link + sizeof *engine->network.link_flits);
    if (net_limit_widths(&engine->network, engine->drivers_per_router, engine->outputs_per_router,
                         NET_FLIT_SET_BITS, error) < 0)
        return -1;
    return net_limit_memory(&engine->network, router, " flit by flit", error);
}

/* Wormhole takes any buffer, but no bubbles: there is no whole packet to leave room for. */
static int check_wormhole(const struct net_flit_engine *engine, struct base_error *error)
{
    const struct net_routing *routing = engine->network.routing;
    if (!net_keeps_bubbles(engine->network.topology, routing))
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "routing '%s' keeps the rings of %s free of deadlock by the bubble rule, which needs "
        "virtual cut-through; under wormhole use --routing dateline",
        routing->kind->name, engine->network.topology->text);
}

/* ---- building ---- */

/* Local numbers begin with the virtual channels of links, p * V + v for drivers and outputs alike;
 * injectors follow among the drivers, ejection channels among the outputs. A pipeline of one cycle is no
 * delay: a header that arrives may ask in the same cycle. */
static void set_widths(struct net_flit_engine *engine)
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
    engine->looks = engine->network.routing->kind->look != NULL;
    engine->chooses = engine->network.routing->kind->choose != NULL;
    engine->seed = options->seed;
    engine->first_injector = engine->first_ejection = engine->ports * engine->virtual_channels;
    engine->drivers_per_router = engine->first_injector + engine->concentration * engine->injectors;
    engine->outputs_per_router = engine->first_ejection + engine->concentration * engine->consumers;
    engine->injectors_each = engine->concentration * engine->injectors;
    engine->outputs_drawn = engine->outputs_per_router;
    engine->arrival_age = options->link_cycles;
    engine->ready_age = options->link_cycles + options->router_cycles - 1;
    engine->credit_age = options->credit_cycles;
}

/* Lists that have their room from the beginning never grow while cycles run. */
static int make_room(struct net_flit_moves *list, uint32_t most)
{
    list->moves = net_array_new(most, sizeof *list->moves);
    list->capacity = list->moves != NULL ? most : 0;
    return list->moves != NULL ? 0 : -1;
}

/* All that can move in a cycle, unless latencies or the network are so large that this would be much memory:
 * then the lists grow with what does move (add_move). */
static int allocate_moves(struct net_flit_engine *engine)
{
    uint64_t most = engine->network.topology->link_count +
                    (uint64_t)engine->network.topology->terminals * engine->consumers;
    if (most * (engine->recent_mask + 1) * sizeof(struct net_flit_move) > MOVES_BYTES_MAX)
        return 0;
    for (uint32_t i = 0; i <= engine->recent_mask; i++)
        if (make_room(&engine->recent[i], (uint32_t)most) < 0 ||
            (engine->arrivals != NULL && make_room(&engine->arrivals[i], (uint32_t)most) < 0))
            return -1;
    return 0;
}

/* A ring of empty lists. NULL: memory. */
static struct net_flit_moves *new_ring(uint32_t size)
{
    struct net_flit_moves *ring = net_array_new(size, sizeof *ring);
    for (uint32_t i = 0; ring != NULL && i < size; i++)
        ring[i].cycle = NET_FLIT_NEVER;
    return ring;
}

/* Rule 12, where links differ. */
static int allocate_paces(struct net_flit_engine *engine)
{
    const struct net_topology *topology = engine->network.topology;
    if (!topology->own_latencies && !topology->narrow_links)
        return 0;
    engine->arrivals = new_ring(engine->recent_mask + 1);
    engine->pace = net_array_new((size_t)engine->routers * engine->ports, sizeof *engine->pace);
    for (uint32_t i = 0; engine->pace != NULL && i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        engine->pace[link->source * engine->ports + link->port] = (struct net_flit_pace){
            .crossing = (uint16_t)net_link_crossing(link, engine->network.options.link_cycles),
            .width = (uint16_t)net_link_width(link)};
    }
    return engine->arrivals != NULL && engine->pace != NULL ? 0 : -1;
}

/* The lists of moves, as many as the longest latency looks back or ahead, and one for the cycle itself. */
static int allocate_recent(struct net_flit_engine *engine)
{
    const struct net_options *options = &engine->network.options;
    uint32_t oldest = net_topology_crossing_max(engine->network.topology, options->link_cycles) +
                      options->router_cycles - 1;
    uint32_t size = 2;
    if (engine->credit_age > oldest)
        oldest = engine->credit_age;
    while (size <= oldest)
        size *= 2;
    engine->recent_mask = size - 1;
    engine->recent = new_ring(size);
    return engine->recent == NULL || allocate_paces(engine) < 0 ? -1 : allocate_moves(engine);
}

/* Everything at once; only the pools of packets and messages, the heap of future messages and long lists of moves
 * grow later, and stop growing after warm-up. A partial failure is cleaned up by flit_engine_free. Wants and
 * injectors' counters lie apart from drivers, so that a driver stays within half a cache line. */
static int allocate(struct net_flit_engine *engine, struct base_error *error)
{
    size_t routers = engine->routers;
    engine->router = net_array_new(routers, sizeof *engine->router);
    engine->output = net_array_new(routers * engine->outputs_per_router, sizeof *engine->output);
    engine->driver = net_array_new(routers * engine->drivers_per_router, sizeof *engine->driver);
    engine->want = net_array_new(routers * engine->drivers_per_router, sizeof *engine->want);
    engine->injected = net_array_new(routers * engine->drivers_per_router, sizeof *engine->injected);
    engine->link = net_array_new(routers * engine->ports, sizeof *engine->link);
    engine->active = net_array_new(routers, sizeof *engine->active);
    engine->next_active = net_array_new(routers, sizeof *engine->next_active);
    engine->pool = NET_POOL;
    engine->large = routers * (sizeof *engine->router + engine->outputs_per_router * sizeof *engine->output +
                               engine->drivers_per_router * sizeof *engine->driver) >
                    LARGE_STATE;
    if (engine->router == NULL || engine->output == NULL || engine->driver == NULL || engine->want == NULL ||
        engine->injected == NULL || engine->link == NULL || engine->active == NULL ||
        engine->next_active == NULL || allocate_recent(engine) < 0 ||
        net_flights_init(&engine->flights, &engine->network) < 0 ||
        net_network_count(&engine->network, NET_COUNT_LINKS | NET_COUNT_WAITS | NET_COUNT_OUTSIDE) < 0)
        return base_error_memory(error, "the network's state");
    return 0;
}

/* All drivers empty and all outputs without a holder, not yet connected. Outputs of ports that a router lacks
 * are never free, so that a routing's mistake cannot take one. open is full from the beginning: under cut-through
 * it stays so, under wormhole places are counted from connect_link on. */
static void clear_router(const struct net_flit_engine *engine, uint32_t index)
{
    struct net_flit_router *router = &engine->router[index];
    uint32_t ejection_channels = engine->outputs_per_router - engine->first_ejection;
    *router = (struct net_flit_router){.outputs = &engine->output[(size_t)index * engine->outputs_per_router],
                                       .drivers = &engine->driver[(size_t)index * engine->drivers_per_router],
                                       .number = index};
    for (uint32_t local = 0; local < engine->outputs_per_router; local++)
        net_flit_add(&router->open, local);
    for (uint32_t channel = 0; channel < ejection_channels; channel++)
        net_flit_add(&router->free, engine->first_ejection + channel);
    for (uint32_t port = 0; port < engine->ports; port++)
        engine->link[index * engine->ports + port].carried = NET_FLIT_HOLDS_NOTHING;
    for (uint32_t local = 0; local < engine->outputs_per_router; local++)
        router->outputs[local] =
            (struct net_flit_output){.next_driver = NET_NONE,
                                     .packet = NET_NONE,
                                     .router = index,
                                     .local = (net_flit_number)local,
                                     .port = (uint8_t)(local / engine->virtual_channels)};
    for (uint32_t local = 0; local < engine->drivers_per_router; local++)
        router->drivers[local] = (struct net_flit_driver){.head = NET_NONE,
                                                          .tail = NET_NONE,
                                                          .upstream = NET_NONE,
                                                          .router = index,
                                                          .local = (net_flit_number)local,
                                                          .held = NET_FLIT_HOLDS_NOTHING};
}

/* Virtual channel v of a link joins output p * V + v of its source to driver p * V + v of its target: the
 * equal numbers are what lets rule 6 see that a packet goes on along its ring. */
static void connect_link(struct net_flit_engine *engine, const struct net_link *link)
{
    const struct net_routing *routing = engine->network.routing;
    for (uint32_t channel = 0; channel < engine->virtual_channels; channel++) {
        uint32_t local = link->port * engine->virtual_channels + channel;
        uint32_t output = link->source * engine->outputs_per_router + local;
        uint32_t driver = link->target * engine->drivers_per_router + local;
        engine->output[output].next_driver = driver;
        engine->output[output].room = engine->network.options.buffer_flits;
        if (net_topology_in_ring(engine->network.topology, link->port) &&
            (routing->bubble_channels >> channel & 1) != 0)
            net_flit_add(&engine->rings, local);
        engine->driver[driver].upstream = output;
        net_flit_add(&engine->router[link->source].free, local);
    }
}

/* ---- messages in ---- */

/* Nothing is changed on failure but for out_of_memory, after which the network is only good for freeing. */
static int flit_engine_inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                              struct base_error *error)
{
    struct net_flit_engine *engine = (struct net_flit_engine *)network;
    uint32_t injector;
    if (net_flights_inject(&engine->flights, cycle, message, &injector) < 0)
        engine->out_of_memory = true;
    else if (injector != NET_NONE)
        net_flit_engine_join(engine, injector);
    return engine->out_of_memory ? base_error_memory(error, "the network's packets") : 0;
}

/* ---- counters out ---- */

static struct net_counted count_output(const struct net_network *network, uint32_t router, uint32_t number)
{
    const struct net_flit_engine *engine = (const struct net_flit_engine *)network;
    const struct net_flit_output *output = &engine->router[router].outputs[number];
    return (struct net_counted){net_flit_crossed(engine, output), output->waits};
}

static struct net_counted count_injector(const struct net_network *network, uint32_t router, uint32_t number)
{
    const struct net_flit_engine *engine = (const struct net_flit_engine *)network;
    return (struct net_counted){.flits = net_flit_injected(engine, &engine->router[router].drivers[number])};
}

/* Faults that are due before now are settled first, since they take flits out of links. */
static void flit_engine_collect(struct net_network *network)
{
    struct net_flit_engine *engine = (struct net_flit_engine *)network;
    if (engine->faults != NULL && network->now > 0)
        net_flit_faults_settle(engine, network->now - 1);
    net_network_collect(network, &(const struct net_counters){count_output, count_injector});
}

/* Also of a network whose building failed halfway: any array may be missing. */
static void flit_engine_free(struct net_network *network)
{
    struct net_flit_engine *engine = (struct net_flit_engine *)network;
    for (uint32_t i = 0; i <= engine->recent_mask; i++) {
        if (engine->recent != NULL)
            free(engine->recent[i].moves);
        if (engine->arrivals != NULL)
            free(engine->arrivals[i].moves);
    }
    free(engine->recent);
    free(engine->arrivals);
    free(engine->pace);
    free(engine->router);
    free(engine->output);
    free(engine->driver);
    free(engine->want);
    free(engine->injected);
    free(engine->link);
    free(engine->active);
    free(engine->next_active);
    free(engine->packets);
    net_flit_rows_free(engine);
    net_flit_faults_free(engine->faults);
    net_flights_free(&engine->flights);
}

/* From options to a network at rest; what it leaves behind on failure is freed by the caller. Where links fail
 * each router has one driver and one output more: the re-injection queue and channel (rule 25 of doc/faults.md). */
static int flit_engine_build(struct net_network *network, struct base_error *error)
{
    struct net_flit_engine *engine = (struct net_flit_engine *)network;
    const struct net_topology *topology = network->topology;
    const struct net_failing *failing = net_routing_failing(network->routing);
    set_widths(engine);
    if (failing != NULL) { /* a re-injection queue and channel each */
        engine->drivers_per_router++;
        engine->outputs_per_router++;
    }
    bool wormhole = engine->network.options.flow_control == NET_WORMHOLE;
    if ((wormhole ? check_wormhole(engine, error) : net_limit_buffers(network, error)) < 0 ||
        (failing != NULL && net_limit_failing(network, error) < 0) || check_size(engine, error) < 0 ||
        allocate(engine, error) < 0 || (failing != NULL && net_flit_faults_init(engine, failing, error) < 0))
        return -1;
    for (uint32_t router = 0; router < engine->routers; router++)
        clear_router(engine, router);
    for (uint32_t link = 0; link < topology->link_count; link++)
        connect_link(engine, &topology->links[link]);
    if (net_flit_rows_serve(engine) && net_flit_rows_init(engine) < 0)
        return base_error_memory(error, "the network's state");
    return 0;
}

/* Every flow control and option, one flit at a time, as long as routers are no wider than its sets. */
static bool flit_engine_serves(const struct net_topology *topology, const struct net_routing *routing,
                               const struct net_options *options)
{
    uint32_t extra = routing != NULL && routing->kind->failing ? 1 : 0;
    return topology->shared == NULL && !topology->kind->apart &&
           (routing == NULL || !routing->kind->never_waits) &&
           (NET_FLIT_IS_LAST || net_widths_fit(topology, options, NET_FLIT_SET_BITS - extra));
}

const struct net_engine net_engine_flits = {
    .name = NET_FLIT_NAME,
    .summary = NET_FLIT_SUMMARY,
    .size = sizeof(struct net_flit_engine),
    .serves = flit_engine_serves,
    .link_share = net_link_share_by_rules,
    .multicasts = net_multicasts_by_flits,
    .build = flit_engine_build,
    .inject = flit_engine_inject,
    .advance = net_flit_engine_advance,
    .collect = flit_engine_collect,
    .check = net_flit_engine_check,
    .free = flit_engine_free,
    .view = &net_flit_engine_view,
};
