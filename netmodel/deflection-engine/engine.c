/* The deflection engine: building its state, taking messages in, its laws of conservation. The slot itself
 * is in cycle.c, the choice of ports in choice.c; the idea is in internal.h. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/random.h"
#include "netmodel/deflection-engine/choice.h"
#include "netmodel/engines/limits.h"

/* One-way networks under `--routing deflection`; with another routing they have buffers, and the packet engine
 * moves them. */
static bool serves(const struct net_topology *topology, const struct net_routing *routing,
                   const struct net_options *options)
{
    (void)options;
    return topology->one_way != NULL && routing != NULL && routing->kind->never_waits;
}

/* A packet is a slot; a terminal takes all that come (rules 1 and 3). */
static void defaults(const struct net_topology *topology, struct net_options *options)
{
    options->packet_flits = options->packet_flits == 0 ? 1 : options->packet_flits;
    options->consumers = options->consumers == 0 ? topology->ports : options->consumers;
}

/* None. A link and a slot of its input are all that holds a packet. */
static uint32_t buffers(const struct net_topology *topology, const struct net_options *options)
{
    (void)topology, (void)options;
    return 0;
}

/* ---- building ---- */

/* Tables of the rules for which lists that look alike have the same choices, as choice.h says: of routers of five ports
 * those of four. */
static int allocate_tables(struct net_deflection *engine)
{
    bool oldest = engine->parameters.rule == NET_DEFLECT_OLDEST;
    bool random = engine->parameters.rule == NET_DEFLECT_RANDOM;
    uint32_t ports = engine->ports, most = NET_DEFLECTION_TABLE_PORTS;
    if (!(random && ports <= most) && !(oldest && ports <= most + 1))
        return 0;
    ports = ports < most ? ports : most;
    size_t keys = net_deflection_keys(ports), lists = keys;
    if (oldest && engine->ports == most)
        engine->served = net_array_new(keys, sizeof *engine->served);
    else if (oldest && engine->ports > most)
        engine->ways = net_array_new(keys, sizeof *engine->ways);
    else
        lists <<= oldest ? net_deflection_order_bits(ports) : 1;
    engine->choices = net_array_new(lists, net_deflection_entry_bytes(ports));
    if (engine->ways != NULL)
        net_deflection_count_ways(engine->ways, ports);
    bool whole = !oldest || ports < most || engine->served != NULL || engine->ways != NULL;
    return engine->choices == NULL || !whole ? -1 : 0;
}

/* Everything but messages, before the first cycle. There are as many phases as a link has slots, and each has a
 * place for a packet of every link. */
static int allocate(struct net_deflection *engine, struct base_error *error)
{
    size_t routers = engine->routers, phases = engine->phases;
    engine->links = net_array_new(routers * engine->ports, sizeof *engine->links);
    engine->keys = net_array_new(routers, sizeof *engine->keys);
    engine->slots = net_array_new(phases * routers * engine->ports, sizeof *engine->slots);
    engine->inputs = net_array_new(phases * engine->words * 64, sizeof *engine->inputs);
    engine->occupied = net_array_new(phases * engine->words, sizeof *engine->occupied);
    engine->sources = net_array_new(engine->words, sizeof *engine->sources);
    engine->moving = net_array_new(phases, sizeof *engine->moving);
    engine->deflected = net_array_new(routers, sizeof *engine->deflected);
    engine->held = net_array_new(routers, sizeof *engine->held);
    if (engine->links == NULL || engine->keys == NULL || engine->slots == NULL || engine->inputs == NULL ||
        engine->occupied == NULL || engine->sources == NULL || engine->moving == NULL ||
        engine->deflected == NULL || engine->held == NULL || allocate_tables(engine) < 0 ||
        net_flights_init(&engine->flights, &engine->network) < 0 ||
        net_network_count(&engine->network, NET_COUNT_LINKS | NET_COUNT_OUTSIDE) < 0)
        return base_error_memory(error, "the network's state");
    return 0;
}

/* The members of a mask in ascending order, four bits each from the fourth bit on, and their number in the lowest
 * four: a router walks its inputs without looking for bits. */
static uint32_t order_of(uint32_t mask)
{
    uint32_t order = 0, count = 0;
    for (; mask != 0; mask &= mask - 1)
        order |= (uint32_t)__builtin_ctz(mask) << 4 * ++count;
    return order | count;
}

/* Links are kept with the place in their target's slot and the target itself, so that a hop is one look. Ties that
 * a rule draws come from a key of each router, made from the seed once. Lossy sources are one urgent packet for
 * ever: a full router looks at its source all the same, to throw away what is there. */
static int build(struct net_network *network, struct base_error *error)
{
    struct net_deflection *engine = (struct net_deflection *)network;
    const struct net_topology *topology = network->topology;
    engine->one_way = topology->one_way;
    engine->parameters = *net_deflection_parameters(network->routing);
    engine->routers = topology->routers;
    engine->ports = topology->ports;
    engine->words = (topology->routers + 63) / 64;
    engine->phases = network->options.link_cycles + 1;
    engine->absorbs = network->options.consumers;
    engine->hops_max = NET_DEFLECTION_HOPS_MAX;
    engine->run = net_deflection_run_of(engine);
    uint64_t slot = sizeof *engine->slots * engine->ports + sizeof *engine->inputs + 1;
    if (net_limit_memory(network, engine->phases * slot, " slot by slot", error) < 0 ||
        allocate(engine, error) < 0)
        return -1;
    for (uint32_t link = 0; link < topology->link_count; link++) {
        uint32_t target = topology->links[link].target;
        engine->links[link] =
            (struct net_deflection_link){target * engine->ports + link % engine->ports, target};
    }
    for (uint32_t router = 0; router < engine->routers; router++)
        engine->keys[router] = base_hash_first(base_hash(~network->options.seed, router));
    engine->urgent = network->options.lossy;
    for (uint32_t mask = 0; mask < sizeof engine->orders / sizeof *engine->orders; mask++)
        engine->orders[mask] = order_of(mask);
    network->statistics.deflected_flits = engine->deflected;
    return 0;
}

/* Also of a network whose building failed halfway: any array may be missing. */
static void free_all(struct net_network *network)
{
    struct net_deflection *engine = (struct net_deflection *)network;
    free(engine->links);
    free(engine->keys);
    free(engine->slots);
    free(engine->inputs);
    free(engine->occupied);
    free(engine->sources);
    free(engine->moving);
    free(engine->choices);
    free(engine->served);
    free(engine->ways);
    free(engine->deflected);
    free(engine->held);
    net_flights_free(&engine->flights);
}

/* ---- messages in ---- */

/* A message whose source is its target is never in the network: its packets only wait for their processor. Lossy
 * sources (the D-ARM paper) throw away what finds no slot, so a message of several packets could arrive in part; it is
 * refused. */
static int inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                  struct base_error *error)
{
    struct net_deflection *engine = (struct net_deflection *)network;
    uint32_t source;
    if (network->options.lossy && message->flits > 1)
        return base_error_set(error, BASE_USAGE,
                              "--sources lossy: a message of %" PRIu64
                              " flits; lossy sources send messages of one flit",
                              message->flits);
    if (net_flights_inject(&engine->flights, cycle, message, &source) < 0)
        engine->out_of_memory = true;
    else if (source != NET_NONE)
        net_deflection_wake(engine, source);
    if (message->source == message->target)
        engine->urgent += message->flits;
    return engine->out_of_memory ? base_error_memory(error, "the network's packets") : 0;
}

/* ---- conservation ---- */

/* A packet is on a link, in one of the phases, or nowhere. */
static int check(const struct net_network *network, struct base_error *error)
{
    const struct net_deflection *engine = (const struct net_deflection *)network;
    uint64_t on_links = 0, moving = 0;
    for (size_t i = 0; i < (size_t)engine->phases * engine->words * 64; i++)
        on_links += (uint64_t)__builtin_popcount(engine->inputs[i]);
    for (uint32_t phase = 0; phase < engine->phases; phase++)
        moving += engine->moving[phase];
    if (on_links != engine->inside || moving != engine->inside)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " packets inside, but %" PRIu64 " on links and %" PRIu64
                              " counted: this is a defect of flitreplay",
                              engine->inside, on_links, moving);
    return net_flights_check(&engine->flights, on_links, error);
}

const struct net_engine net_engine_deflection = {
    .name = "deflection",
    .summary = "slots without buffers: packets that are deflected and never wait",
    .size = sizeof(struct net_deflection),
    .serves = serves,
    .defaults = defaults,
    .takes = NET_OPTION_LOSSY,
    .refuses = NET_OPTION_PACKET_FLITS | NET_OPTION_VCS | NET_OPTION_BUFFER_FLITS | NET_OPTION_INJECTORS |
               NET_OPTION_FLOW_CONTROL | NET_OPTION_MULTIPLEXING | NET_OPTION_ARBITER |
               NET_OPTION_ROUTER_CYCLES | NET_OPTION_CREDIT_CYCLES,
    .why = "under routing deflection a packet is one flit, and none is ever stored",
    .buffer_flits = buffers,
    .build = build,
    .inject = inject,
    .advance = net_deflection_advance,
    .check = check,
    .free = free_all,
};
