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

/* The quickest way that serves the rule and the routers. In the tables a packet that has arrived and is not absorbed,
 * which no port is good for, would be none. */
static enum net_deflection_way way_of(const struct net_deflection *engine)
{
    bool whole = engine->absorbs >= engine->ports;
    if (engine->parameters.rule == NET_DEFLECT_OLDEST && engine->ports <= NET_DEFLECTION_SET_PORTS)
        return whole && engine->ports <= NET_DEFLECTION_AGES_PORTS ? NET_DEFLECTION_AGES
                                                                   : NET_DEFLECTION_SETS;
    bool chance =
        engine->parameters.rule == NET_DEFLECT_RANDOM && engine->ports <= NET_DEFLECTION_CHANCE_PORTS;
    return whole && chance ? NET_DEFLECTION_CHANCE : NET_DEFLECTION_ANEW;
}

/* Everything but messages, before the first cycle. There are as many phases as a link has slots, and each has a
 * place for a packet of every link. */
static int allocate(struct net_deflection *engine, struct base_error *error)
{
    size_t slots = (size_t)engine->routers * engine->ports, phases = engine->phases;
    size_t steps =
        engine->one_way->next != NULL ? ((size_t)engine->one_way->states + 1) << engine->stride : 0;
    engine->links = net_array_new(slots, sizeof *engine->links);
    engine->keys = net_array_new(engine->routers, sizeof *engine->keys);
    engine->steps = steps != 0 ? net_array_new(steps, sizeof *engine->steps) : NULL;
    engine->places = net_array_new(phases * slots, sizeof *engine->places);
    engine->loads = net_array_new(phases * slots, sizeof *engine->loads);
    engine->carried = net_array_new(slots, sizeof *engine->carried);
    engine->with = net_array_new(phases * engine->words, sizeof *engine->with);
    engine->sources = net_array_new(engine->words, sizeof *engine->sources);
    engine->moving = net_array_new(phases, sizeof *engine->moving);
    engine->deflected = net_array_new(engine->routers, sizeof *engine->deflected);
    engine->held = net_array_new(engine->routers, sizeof *engine->held);
    if (engine->links == NULL || engine->keys == NULL || (steps != 0 && engine->steps == NULL) ||
        engine->places == NULL || engine->loads == NULL || engine->carried == NULL || engine->with == NULL ||
        engine->sources == NULL || engine->moving == NULL || engine->deflected == NULL ||
        engine->held == NULL || net_deflection_make_tables(engine) < 0 ||
        net_flights_init(&engine->flights, &engine->network) < 0 ||
        net_network_count(&engine->network, NET_COUNT_LINKS | NET_COUNT_OUTSIDE) < 0)
        return base_error_memory(error, "the network's state");
    return 0;
}

/* What is read on the way of a packet. Links are kept with their slot of a row and the router behind them; steps with
 * all that is to be known of a packet behind them. Ties that a rule draws come from a key of each router, made from the
 * seed once. */
static void fill(struct net_deflection *engine)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t ports = engine->ports;
    for (uint32_t link = 0; link < topology->link_count; link++) {
        uint32_t target = topology->links[link].target;
        engine->links[link] = (struct net_deflection_link){target * ports + link % ports, target};
    }
    for (uint32_t router = 0; router < engine->routers; router++)
        engine->keys[router] = base_hash_first(base_hash(~engine->network.options.seed, router));
    for (uint32_t state = 0; engine->steps != NULL && state < engine->one_way->states; state++)
        for (uint32_t port = 0; port < ports; port++)
            engine->steps[((size_t)(state + 1) << engine->stride) + port] =
                net_deflection_place(engine, net_one_way_step(engine->one_way, state, port, 0, 0), port);
}

/* Lossy sources are one urgent packet for ever: a full router looks at its source all the same, to throw away what is
 * there. */
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
    engine->way = way_of(engine);
    engine->run = net_deflection_run_of(engine);
    engine->field = engine->way != NET_DEFLECTION_ANEW ? engine->ports : 0;
    engine->stride = engine->ports <= 4 ? 2 : 3;
    uint64_t slot = (sizeof *engine->places + sizeof *engine->loads) * engine->ports + 1;
    if (net_limit_memory(network, engine->phases * slot, " slot by slot", error) < 0 ||
        allocate(engine, error) < 0)
        return -1;
    fill(engine);
    engine->urgent = network->options.lossy;
    network->statistics.deflected_flits = engine->deflected;
    return 0;
}

/* Also of a network whose building failed halfway: any array may be missing. */
static void free_all(struct net_network *network)
{
    struct net_deflection *engine = (struct net_deflection *)network;
    free(engine->links);
    free(engine->keys);
    free(engine->steps);
    free(engine->places);
    free(engine->loads);
    free(engine->carried);
    free(engine->with);
    free(engine->sources);
    free(engine->moving);
    free(engine->tables.best);
    free(engine->tables.small_best);
    free(engine->deflected);
    free(engine->held);
    net_flights_free(&engine->flights);
}

/* ---- messages in ---- */

/* Any message. One whose source is its target is never in the network: its packets only wait for their processor. Lossy
 * sources (the D-ARM paper) throw away what finds no slot, so a message of several packets could arrive in part; it is
 * refused. */
static __attribute__((noinline)) int inject_any(struct net_deflection *engine, uint64_t cycle,
                                                const struct net_message *message, struct base_error *error)
{
    uint32_t source;
    if (message->flits > 1 && engine->network.options.lossy)
        return base_error_set(error, BASE_USAGE,
                              "--sources lossy: a message of %" PRIu64
                              " flits; lossy sources send messages of one flit",
                              message->flits);
    if (net_flights_inject_as(&engine->flights, cycle, message, (uint32_t)message->flits, 1, &source) < 0)
        engine->out_of_memory = true;
    else if (source != NET_NONE)
        net_deflection_wake(engine, source);
    if (message->source == message->target)
        engine->urgent += message->flits;
    return engine->out_of_memory ? base_error_memory(error, "the network's packets") : 0;
}

/* Where sources offer more than the network carries it is here that time goes: what most messages are, of one flit and
 * for this cycle, is told apart, and calls nobody. A source with others before it is awake. */
static int inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                  struct base_error *error)
{
    struct net_deflection *engine = (struct net_deflection *)network;
    struct net_flights *flights = &engine->flights;
    if (message->flits != 1 || message->source == message->target || !net_flights_is_simple(flights, cycle))
        return inject_any(engine, cycle, message, error);
    uint32_t source = net_flights_inject_simply(flights, cycle, message, 1, 1);
    if (net_flights_waits_alone(flights, source))
        net_deflection_wake(engine, source);
    return 0;
}

/* ---- counts ---- */

/* Flits are counted where they come in: those on their way are added here. */
static void collect(struct net_network *network)
{
    struct net_deflection *engine = (struct net_deflection *)network;
    size_t slots = (size_t)engine->routers * engine->ports;
    for (size_t link = 0; link < slots; link++) {
        uint32_t slot = engine->links[link].slot;
        network->link_flits[link] = engine->carried[slot] + engine->full_slots;
        for (uint32_t phase = 0; phase < engine->phases; phase++)
            network->link_flits[link] += engine->places[phase * slots + slot] != 0;
    }
}

/* A packet is on a link, in one of the phases, or nowhere. */
static int check(const struct net_network *network, struct base_error *error)
{
    const struct net_deflection *engine = (const struct net_deflection *)network;
    uint64_t on_links = 0, moving = 0;
    for (size_t i = 0; i < (size_t)engine->phases * engine->routers * engine->ports; i++)
        on_links += engine->places[i] != 0;
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
    .collect = collect,
    .check = check,
    .free = free_all,
};
