/* The packet-grant engine: building its state from a topology, taking messages in, giving counters out. The
 * cycle itself is in engine-cycle.c.
 *
 *     net_packet_engine_new   options ─► widths ─► checks ─► arrays ─► outputs joined to drivers
 *     packet_engine_inject    a message into an injector's queue, or into the heap of later ones
 *     net_packet_engine_advance                                                  (engine-cycle.c)
 *     packet_engine_collect   counters of outputs and drivers ─► per link and terminal
 *     net_packet_engine_check, net_packet_engine_deadlock                       (engine-report.c) */
#include <inttypes.h>
#include <stdlib.h>

#include "base/random.h"
#include "netmodel/engine-internal.h"

#define FIRST_PACKETS 1024
#define STATE_BYTES_MAX (UINT64_C(4) << 30)
#define NET_CACHE_LINE 64
#define ROOM_UNLIMITED (UINT32_MAX / 2) /* of an ejection channel */

/* What a network takes is known before any of it is taken, and bounded, so that a slip in a size is answered
 * with a sentence and not with a machine out of memory. */
static int check_memory(const struct net_packet_engine *engine, struct base_error *error)
{
    uint64_t router = sizeof *engine->router + engine->outputs_per_router * sizeof *engine->output +
                      engine->drivers_per_router * sizeof *engine->driver +
                      engine->ports * (sizeof *engine->link + sizeof *engine->link_flits);
    if (engine->routers <= STATE_BYTES_MAX / router)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "%s is too large to simulate: its %" PRIu32 " routers need %" PRIu64
                          " MiB of state; at most %" PRIu64 " MiB are possible",
                          engine->network.topology->text, engine->routers, (router * engine->routers) >> 20,
                          STATE_BYTES_MAX >> 20);
}

/* Drivers and outputs of a router are bits of one 64-bit mask each, and an event is a 32-bit output number
 * with one bit for its kind: a network that does not fit is refused by name, not cut. */
static int check_widths(const struct net_packet_engine *engine, struct base_error *error)
{
    if (engine->drivers_per_router > NET_MASK_BITS || engine->outputs_per_router > NET_MASK_BITS)
        return base_error_set(error, BASE_USAGE,
                              "%s with %" PRIu32 " virtual channels, %" PRIu32 " injectors and %" PRIu32
                              " consumers needs %" PRIu32 " inputs and %" PRIu32
                              " outputs per router; at most %d of each are possible",
                              engine->network.topology->text, engine->virtual_channels, engine->injectors,
                              engine->consumers, engine->drivers_per_router, engine->outputs_per_router,
                              NET_MASK_BITS);
    if ((uint64_t)engine->routers * engine->outputs_per_router >= NET_EVENT_WAKE ||
        (uint64_t)engine->routers * engine->drivers_per_router >= NET_EVENT_WAKE)
        return base_error_set(error, BASE_USAGE, "%s is too large for this engine",
                              engine->network.topology->text);
    return 0;
}

/* Whether any port's links wrap around under a routing that keeps the bubble rule there, so that it asks for
 * room for two packets. One is enough: all buffers have one size. */
static bool has_ring(const struct net_topology *topology, const struct net_routing *routing)
{
    if (routing->bubble_channels == 0)
        return false;
    for (uint32_t port = 0; port < topology->ports; port++)
        if (topology->ring_port[port])
            return true;
    return false;
}

/* A buffer that cannot take what rule 6 asks for would block its first packet for ever: refused before any
 * run, with the least value that works. */
static int check_buffers(const struct net_packet_engine *engine, struct base_error *error)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t packets = has_ring(topology, engine->network.routing) ? 2 : 1;
    if (engine->network.options.buffer_flits >= packets * engine->largest)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "--buffer-flits %" PRIu32 " is too small: %s needs room for %s of %" PRIu32
                          " flits, that is %" PRIu32,
                          engine->network.options.buffer_flits, topology->text,
                          packets == 2 ? "two packets (the bubble rule on rings)" : "one packet",
                          engine->largest, packets * engine->largest);
}

/* Local numbers, as in doc/flit-engine.md: links' virtual channels first, then the terminals' injectors
 * (as drivers) and ejection channels (as outputs). They are copied out of the options since the hot loop
 * reads them at every event. */
static void set_widths(struct net_packet_engine *engine)
{
    const struct net_topology *topology = engine->network.topology;
    const struct net_options *options = &engine->network.options;
    engine->routers = topology->routers;
    engine->ports = topology->ports;
    engine->concentration = topology->concentration;
    engine->virtual_channels = options->virtual_channels;
    engine->injectors = options->injectors;
    engine->consumers = options->consumers;
    engine->largest = options->packet_flits;
    engine->seed = options->seed;
    engine->first_injector = engine->first_ejection = engine->ports * engine->virtual_channels;
    engine->drivers_per_router = engine->first_injector + engine->concentration * engine->injectors;
    engine->outputs_per_router = engine->first_ejection + engine->concentration * engine->consumers;
}

/* calloc that never returns NULL for an empty array (a network of one router has no links). */
static void *new_array(size_t count, size_t size)
{
    return calloc(count != 0 ? count : 1, size);
}

/* A zeroed array of cache lines that starts on one; *block is what to free. Padding by hand, since
 * aligned_alloc asks for sizes that are multiples, and zeroed pages from calloc cost nothing until they
 * are used. */
static void *new_lines(size_t count, size_t size, void **block)
{
    *block = calloc(count * size + NET_CACHE_LINE, 1);
    if (*block == NULL)
        return NULL;
    uintptr_t start = (uintptr_t)*block;
    return (void *)((start + NET_CACHE_LINE - 1) & ~(uintptr_t)(NET_CACHE_LINE - 1));
}

/* Everything the flit loop needs, at once; only the pools of packets and messages, the slots of the wheel and
 * the list of future messages grow later, and stop growing after warm-up. A partial failure is cleaned up by
 * packet_engine_free. */
static int allocate(struct net_packet_engine *engine, struct base_error *error)
{
    size_t routers = engine->routers, terminals = engine->network.topology->terminals;
    uint32_t wheel = 64; /* more than the longest packet, and whole words of wheel_used */
    while (wheel <= engine->largest)
        wheel *= 2;
    engine->wheel_mask = wheel - 1;
    engine->wheel = new_array(wheel, sizeof *engine->wheel);
    engine->wheel_used = new_array(wheel / 64, sizeof *engine->wheel_used);
    engine->router = new_array(routers, sizeof *engine->router);
    engine->output =
        new_lines(routers * engine->outputs_per_router, sizeof *engine->output, &engine->output_block);
    engine->driver =
        new_lines(routers * engine->drivers_per_router, sizeof *engine->driver, &engine->driver_block);
    engine->link = new_array(routers * engine->ports, sizeof *engine->link);
    engine->active[0].routers = new_array(routers, sizeof(uint32_t));
    engine->active[1].routers = new_array(routers, sizeof(uint32_t));
    engine->next_injector = new_array(terminals, sizeof *engine->next_injector);
    engine->packets = new_array(FIRST_PACKETS, sizeof *engine->packets);
    engine->flights = new_array(FIRST_PACKETS, sizeof *engine->flights);
    engine->link_flits = new_array(engine->network.topology->link_count, sizeof *engine->link_flits);
    engine->terminal_flits = new_array(2 * terminals, sizeof *engine->terminal_flits);
    if (engine->wheel == NULL || engine->wheel_used == NULL || engine->router == NULL ||
        engine->output == NULL || engine->driver == NULL || engine->link == NULL ||
        engine->active[0].routers == NULL || engine->active[1].routers == NULL ||
        engine->next_injector == NULL || engine->packets == NULL || engine->flights == NULL ||
        engine->link_flits == NULL || engine->terminal_flits == NULL)
        return base_error_memory(error, "the network's state");
    engine->packet_capacity = engine->flight_capacity = FIRST_PACKETS;
    engine->free_packet = NET_NO_PACKET;
    engine->free_flight = NET_NONE;
    return 0;
}

/* An output that leads nowhere yet. Only links get a buffer behind them; an ejection channel never lacks
 * room. The port of an ejection channel means nothing. */
static void clear_output(const struct net_packet_engine *engine, uint32_t router, uint32_t local)
{
    struct net_output *output = &engine->output[router * engine->outputs_per_router + local];
    output->departure = output->wake_cycle = NET_NEVER;
    output->need_least = UINT32_MAX;
    output->packet = NET_NO_PACKET;
    output->next_driver = output->next_router = NET_NONE;
    output->router = router;
    output->local = (uint8_t)local;
    output->room = local >= engine->first_ejection ? ROOM_UNLIMITED : 0;
    output->port = (uint16_t)(local / engine->virtual_channels);
}

/* All outputs free, all drivers empty, not yet connected. */
static void clear_state(const struct net_packet_engine *engine)
{
    for (uint32_t router = 0; router < engine->routers; router++)
        for (uint32_t local = 0; local < engine->outputs_per_router; local++)
            clear_output(engine, router, local);
    for (size_t i = 0; i < (size_t)engine->routers * engine->drivers_per_router; i++)
        engine->driver[i] =
            (struct net_driver){NET_NO_PACKET, NET_NO_PACKET, NET_NONE, NET_NONE, NET_NONE, 0, 0};
}

/* Virtual channel v of a link joins output p * V + v of its source to driver p * V + v of its target: the
 * equal numbers are what lets rule 6 see that a packet goes on along its ring. */
static void connect_links(const struct net_packet_engine *engine)
{
    const struct net_topology *topology = engine->network.topology;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        for (uint32_t channel = 0; channel < engine->virtual_channels; channel++) {
            uint32_t local = link->port * engine->virtual_channels + channel;
            uint32_t output = link->source * engine->outputs_per_router + local;
            uint32_t driver = link->target * engine->drivers_per_router + local;
            engine->output[output].next_driver = driver;
            engine->output[output].next_router = link->target;
            engine->output[output].room = engine->network.options.buffer_flits;
            engine->output[output].ring = topology->ring_port[link->port] &&
                                          (engine->network.routing->bubble_channels >> channel & 1) != 0;
            engine->driver[driver].upstream = output;
        }
    }
}

/* A slot in the pool of messages; slots of delivered ones are used again. Growing moves the pool: callers
 * keep numbers, not pointers. */
static int take_flight(struct net_packet_engine *engine, uint32_t *index)
{
    if (engine->free_flight != NET_NONE) {
        *index = engine->free_flight;
        engine->free_flight = engine->flights[*index].next;
        return 0;
    }
    if (engine->flight_count == engine->flight_capacity) {
        uint32_t capacity = 2 * engine->flight_capacity;
        struct net_flight *flights = realloc(engine->flights, capacity * sizeof *flights);
        if (flights == NULL)
            return -1;
        engine->flights = flights;
        engine->flight_capacity = capacity;
    }
    *index = engine->flight_count++;
    return 0;
}

/* A message for this cycle joins its injector at once, a later one waits in the heap. Nothing is changed on
 * failure but for out_of_memory, after which the network is only good for freeing. */
static int packet_engine_inject(struct net_network *network, uint64_t cycle,
                                const struct net_message *message, struct base_error *error)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    uint32_t index;
    if (take_flight(engine, &index) < 0)
        return base_error_memory(error, "a message");
    uint64_t number = network->injected_messages;
    uint32_t packets = (uint32_t)net_network_packets(network, message->flits);
    engine->flights[index] = (struct net_flight){.number = number,
                                                 .key = base_hash(engine->seed, number),
                                                 .tag = message->tag,
                                                 .generated = cycle,
                                                 .flits_left = message->flits,
                                                 .next = NET_NONE,
                                                 .source = message->source,
                                                 .target = message->target,
                                                 .packets = packets,
                                                 .notice_sent = message->notice_sent};
    /* Messages for this very cycle that were given earlier and are still in the heap have lower numbers. */
    const struct base_event *first = base_heap_first(&engine->future);
    bool later = cycle > network->now || (first != NULL && first->time <= cycle);
    if (later && base_heap_push(&engine->future, cycle, index) < 0) {
        engine->flights[index].next = engine->free_flight;
        engine->free_flight = index;
        return base_error_memory(error, "a message");
    }
    engine->packets_to_make += packets;
    if (!later)
        net_packet_engine_join(engine, index);
    if (engine->out_of_memory)
        return base_error_memory(error, "the network's packets");
    return 0;
}

/* Sums the counters of one terminal's injectors and ejection channels. Injected first, ejected in the
 * second half of the array. */
static void collect_terminal(struct net_packet_engine *engine, uint32_t terminal)
{
    uint32_t router = terminal / engine->concentration, slot = terminal % engine->concentration;
    const struct net_driver *injector = &engine->driver[router * engine->drivers_per_router +
                                                        engine->first_injector + slot * engine->injectors];
    const struct net_output *ejection = &engine->output[router * engine->outputs_per_router +
                                                        engine->first_ejection + slot * engine->consumers];
    uint64_t injected = 0, ejected = 0;
    for (uint32_t i = 0; i < engine->injectors; i++)
        injected += injector[i].flits;
    for (uint32_t i = 0; i < engine->consumers; i++)
        ejected += ejection[i].flits;
    engine->terminal_flits[terminal] = injected;
    engine->terminal_flits[engine->network.topology->terminals + terminal] = ejected;
}

/* Flits are counted where the hot loop is anyway, in outputs and injectors; reports want them per link and
 * terminal. */
static void packet_engine_collect(struct net_network *network)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    const struct net_topology *topology = network->topology;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        uint32_t output = link->source * engine->outputs_per_router + link->port * engine->virtual_channels;
        engine->link_flits[i] = 0;
        for (uint32_t channel = 0; channel < engine->virtual_channels; channel++)
            engine->link_flits[i] += engine->output[output + channel].flits;
    }
    for (uint32_t terminal = 0; terminal < topology->terminals; terminal++)
        collect_terminal(engine, terminal);
}

/* Also of a network whose building failed halfway: the wheel may be missing, all other arrays may be NULL. */
static void packet_engine_free(struct net_network *network)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    if (engine->wheel != NULL)
        for (uint32_t i = 0; i <= engine->wheel_mask; i++)
            free(engine->wheel[i].events);
    free(engine->wheel);
    free(engine->wheel_used);
    free(engine->router);
    free(engine->output_block);
    free(engine->driver_block);
    free(engine->link);
    free(engine->active[0].routers);
    free(engine->active[1].routers);
    free(engine->next_injector);
    free(engine->packets);
    free(engine->flights);
    free(engine->link_flits);
    free(engine->terminal_flits);
    base_heap_free(&engine->future);
    free(engine);
}

static const struct net_engine packet_engine = {packet_engine_inject, net_packet_engine_advance,
                                                packet_engine_collect, net_packet_engine_check,
                                                packet_engine_free};

/* From options to a network at rest; what it leaves behind on failure is freed by the caller. */
static int build(struct net_packet_engine *engine, struct base_error *error)
{
    set_widths(engine);
    if (check_widths(engine, error) < 0 || check_memory(engine, error) < 0 ||
        check_buffers(engine, error) < 0 || allocate(engine, error) < 0)
        return -1;
    clear_state(engine);
    connect_links(engine);
    engine->network.statistics.link_flits = engine->link_flits;
    engine->network.statistics.injected_flits = engine->terminal_flits;
    engine->network.statistics.ejected_flits = engine->terminal_flits + engine->network.topology->terminals;
    return 0;
}

/* The topology and the routing are borrowed and must outlive the network; the options are copied. */
struct net_network *net_packet_engine_new(const struct net_topology *topology,
                                          const struct net_routing *routing,
                                          const struct net_options *options, struct base_error *error)
{
    struct net_packet_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) {
        base_error_memory(error, "the network");
        return NULL;
    }
    struct net_network *network = &engine->network;
    if (net_network_init(network, &packet_engine, topology, routing, options, error) < 0 ||
        build(engine, error) < 0) {
        net_network_free(network);
        return NULL;
    }
    return network;
}
