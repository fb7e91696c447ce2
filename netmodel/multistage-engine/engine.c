/* The engine of bits: from options to a network at rest, messages in. The cycle is in cycle.c, what the
 * engine says of itself in report.c; the idea is in internal.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/engines/limits.h"
#include "netmodel/multistage-engine/internal.h"

/* ---- what is refused ---- */

/* A queue takes all that may come to it in one cycle, from its link and from the bus beside it, or a packet could stand
 * before it for ever. The number of queues is bounded by the masks in which cells note who asks. */
static int check_queues(const struct net_multistage_engine *engine, struct base_error *error)
{
    const struct net_options *options = &engine->network.options;
    uint32_t largest = engine->multistage->input_bits, need = net_stage_need(engine, 1);
    largest = engine->stages > 1 && need > largest ? need : largest;
    if (options->virtual_channels > NET_STAGE_QUEUES_MAX ||
        options->virtual_channels * engine->radix > NET_STAGE_ASKERS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "--vcs %" PRIu32
                              " is too much: ports of %s have at most %d queues, and cells %d",
                              options->virtual_channels, engine->network.topology->text, NET_STAGE_QUEUES_MAX,
                              NET_STAGE_ASKERS_MAX);
    if (options->buffer_flits < largest)
        return base_error_set(error, BASE_USAGE,
                              "--buffer-flits %" PRIu32
                              " is too small: a queue of %s takes what comes in a cycle, "
                              "that is %" PRIu32 " bits",
                              options->buffer_flits, engine->network.topology->text, largest);
    return 0;
}

/* Of the arbiters and selections only those whose ties the rules fix for cells (doc/multistage.md). */
static int check_choices(const struct net_multistage_engine *engine, struct base_error *error)
{
    const struct net_options *options = &engine->network.options;
    const char *text = engine->network.topology->text;
    if (options->arbiter != NET_ROUND_ROBIN && options->arbiter != NET_RANDOM)
        return base_error_set(error, BASE_USAGE, "--arbiter of %s is round-robin or random", text);
    if (options->selection != NET_MOST_FREE && options->selection != NET_RANDOM_WAY)
        return base_error_set(error, BASE_USAGE, "--selection of %s is most-free or random", text);
    return 0;
}

/* ---- building ---- */

/* What the cycle reads often, from the topology and the options in force. */
static void set_sizes(struct net_multistage_engine *engine)
{
    const struct net_multistage *multistage = engine->network.topology->multistage;
    engine->multistage = multistage;
    engine->stages = multistage->stages;
    engine->radix = multistage->radix;
    engine->cells = multistage->cells;
    engine->processors = multistage->processors;
    engine->queues_per_port = engine->network.options.virtual_channels;
    engine->capacity = engine->network.options.buffer_flits;
    engine->seed = engine->network.options.seed;
    engine->words = (engine->processors + 63) / 64;
    engine->packet_pool = engine->node_pool = NET_POOL;
}

/* Buses have their choices of as many cycles as one takes to serve them: what is chosen now goes out bus-cycles - 1
 * later. A network without buses has none of these arrays. */
static int allocate_buses(struct net_multistage_engine *engine)
{
    const struct net_multistage *multistage = engine->multistage;
    uint32_t buses = multistage->bus_count;
    size_t choices = (size_t)buses * multistage->bus_cycles;
    if (buses == 0)
        return 0;
    engine->bus_of = net_array_new(engine->processors, sizeof *engine->bus_of);
    engine->winners = net_array_new(choices, sizeof *engine->winners);
    engine->best = net_array_new(buses, sizeof *engine->best);
    engine->bus_bits = net_array_new(buses, sizeof *engine->bus_bits);
    if (engine->bus_of == NULL || engine->winners == NULL || engine->best == NULL || engine->bus_bits == NULL)
        return -1;
    memset(engine->winners, 0xff, choices * sizeof *engine->winners);
    for (uint32_t p = 0; p < engine->processors; p++)
        engine->bus_of[p] = net_multistage_bus(multistage, 1, p);
    engine->network.statistics.bus_flits = engine->bus_bits;
    return 0;
}

/* Everything but the pools of packets, which grow. A port is an output of a cell, or before the first stage a
 * processor; level n is what comes out of stage n. */
static int allocate(struct net_multistage_engine *engine, struct base_error *error)
{
    unsigned counts =
        NET_COUNT_LINKS | NET_COUNT_OUTSIDE | (engine->network.options.waits ? NET_COUNT_WAITS : 0);
    size_t ports = (size_t)(engine->stages + 1) * engine->processors, levels = engine->stages + 1;
    engine->ports = net_array_new(ports, sizeof *engine->ports);
    engine->queues = net_array_new(ports * engine->queues_per_port, sizeof *engine->queues);
    engine->moving = net_array_new(ports, sizeof *engine->moving);
    engine->port_bits = net_array_new(ports, sizeof *engine->port_bits);
    engine->port_cycles = net_array_new(ports, sizeof *engine->port_cycles);
    engine->link_cycles = net_array_new(ports, sizeof *engine->link_cycles);
    engine->asked = net_array_new(levels * engine->words, sizeof *engine->asked);
    engine->active = net_array_new(levels * engine->words, sizeof *engine->active);
    engine->waiting = net_array_new(engine->words, sizeof *engine->waiting);
    engine->tag_divisor = net_array_new(engine->stages, sizeof *engine->tag_divisor);
    if ((engine->radix & (engine->radix - 1)) == 0)
        engine->tag_shift = net_array_new(engine->stages, sizeof *engine->tag_shift);
    engine->wires = net_array_new(engine->processors, sizeof *engine->wires);
    if (engine->ports == NULL || engine->queues == NULL || engine->moving == NULL ||
        engine->port_bits == NULL || engine->port_cycles == NULL || engine->link_cycles == NULL ||
        engine->asked == NULL || engine->active == NULL || engine->waiting == NULL ||
        engine->tag_divisor == NULL || engine->wires == NULL ||
        ((engine->radix & (engine->radix - 1)) == 0 && engine->tag_shift == NULL) ||
        allocate_buses(engine) < 0 || net_flights_init(&engine->flights, &engine->network) < 0 ||
        net_network_count(&engine->network, counts) < 0)
        return base_error_memory(error, "the network's state");
    engine->network.statistics.link_cycles = engine->network.statistics.injected_cycles = engine->link_cycles;
    engine->network.statistics.ejected_cycles =
        engine->link_cycles + net_multistage_link(engine->multistage, engine->stages, 0);
    return 0;
}

/* The digit of a target that a stage goes by is target / divisor % radix: the last stage has the lowest digit. */
static void set_tags(struct net_multistage_engine *engine)
{
    uint32_t divisor = 1;
    for (uint32_t stage = engine->stages; stage-- > 0; divisor *= engine->radix) {
        engine->tag_divisor[stage] = divisor;
        if (engine->tag_shift != NULL)
            engine->tag_shift[stage] = (uint8_t)__builtin_ctz(divisor);
    }
}

/* What rule 2 divides by for every asker, once for each port of a level: all levels are wired alike. */
static void set_wires(struct net_multistage_engine *engine)
{
    for (uint32_t p = 0; p < engine->processors; p++)
        engine->wires[p] =
            (struct net_stage_wire){p % engine->cells * engine->radix, p / engine->cells, p / engine->radix};
}

/* As net_engine.build says. The limit of memory is checked before anything large is allocated: every router of the
 * topology counts as `radix` ports, each with its queues, and 64 bytes for counters and bitmaps. */
static int multistage_build(struct net_network *network, struct base_error *error)
{
    struct net_multistage_engine *engine = (struct net_multistage_engine *)network;
    set_sizes(engine);
    uint64_t port = sizeof *engine->ports + engine->queues_per_port * sizeof *engine->queues + 64;
    if (check_queues(engine, error) < 0 || check_choices(engine, error) < 0 ||
        net_limit_memory(network, engine->radix * port, "", error) < 0 || allocate(engine, error) < 0)
        return -1;
    set_tags(engine);
    set_wires(engine);
    size_t queues = (size_t)(engine->stages + 1) * engine->processors * engine->queues_per_port;
    for (size_t i = 0; i < queues; i++)
        engine->queues[i] =
            (struct net_stage_queue){.connection = NET_NONE, .first = NET_NONE, .last = NET_NONE};
    return 0;
}

/* As net_engine.inject says; a message joins the queues of its processor when its cycle comes. */
static int multistage_inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                             struct base_error *error)
{
    struct net_multistage_engine *engine = (struct net_multistage_engine *)network;
    uint32_t processor;
    if (net_flights_inject(&engine->flights, cycle, message, &processor) < 0)
        engine->out_of_memory = true;
    else if (processor != NET_NONE)
        net_multistage_engine_join(engine, processor);
    return engine->out_of_memory ? base_error_memory(error, "the network's packets") : 0;
}

/* Also of a network whose building failed halfway: any array may be missing. */
static void multistage_free(struct net_network *network)
{
    struct net_multistage_engine *engine = (struct net_multistage_engine *)network;
    free(engine->ports);
    free(engine->queues);
    free(engine->moving);
    free(engine->port_bits);
    free(engine->port_cycles);
    free(engine->link_cycles);
    free(engine->asked);
    free(engine->active);
    free(engine->waiting);
    free(engine->tag_divisor);
    free(engine->tag_shift);
    free(engine->wires);
    free(engine->bus_of);
    free(engine->winners);
    free(engine->best);
    free(engine->bus_bits);
    free(engine->packets);
    free(engine->nodes);
    net_flights_free(&engine->flights);
}

/* ---- the descriptor ---- */

/* The ladder of effects has an engine of its own for these networks, too. */
static bool multistage_serves(const struct net_topology *topology, const struct net_routing *routing,
                              const struct net_options *options)
{
    (void)routing;
    return topology->multistage != NULL && options->effects == NET_ALL_EFFECTS;
}

/* Those of the paper, but that its messages are not cut. */
static void multistage_defaults(const struct net_topology *topology, struct net_options *options)
{
    (void)topology;
    if (options->packet_flits == 0)
        options->packet_flits = 512;
    if (options->buffer_flits == 0)
        options->buffer_flits = 600;
}

/* Beside its arbiter and its selection, which say so themselves. */
static bool multistage_draws(const struct net_routing *routing, const struct net_options *options)
{
    (void)routing, (void)options;
    return false;
}

const struct net_engine net_engine_multistage = {
    .name = "multistage",
    .summary = "omega and GLO networks, bit by bit",
    .size = sizeof(struct net_multistage_engine),
    .serves = multistage_serves,
    .defaults = multistage_defaults,
    .packet_flits_max = NET_WHOLE_MESSAGES,
    .takes = NET_OPTION_SELECTION | NET_OPTION_ADMISSION,
    .refuses = NET_OPTION_INJECTORS | NET_OPTION_CONSUMERS | NET_OPTION_FLOW_CONTROL |
               NET_OPTION_MULTIPLEXING | NET_OPTION_LINK_CYCLES | NET_OPTION_ROUTER_CYCLES |
               NET_OPTION_CREDIT_CYCLES,
    .why = "its cells send bits as they come, a cycle from queue to queue, and a processor has one link each "
           "way",
    .draws = multistage_draws,
    .build = multistage_build,
    .inject = multistage_inject,
    .advance = net_multistage_engine_advance,
    .collect = net_multistage_engine_collect,
    .check = net_multistage_engine_check,
    .free = multistage_free,
};
