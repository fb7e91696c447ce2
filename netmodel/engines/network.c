/* The interface of network.h over the engines: making networks, messages in, time. Times are in cycles, sizes in
 * flits. */
#include "netmodel/network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/routings/confinement.h"
#include "netmodel/engines/engine.h"
#include "netmodel/engines/pool.h"

/* What all networks have. The engine is set before anything can fail, so that net_network_free finds it. */
static int fill_head(struct net_network *network, const struct net_engine *engine,
                     const struct net_topology *topology, const struct net_routing *routing,
                     const struct net_options *options, struct base_error *error)
{
    network->engine = engine;
    network->topology = topology;
    network->routing = routing;
    network->options = net_options_in_force(engine, topology, routing, options);
    if (net_options_check(engine, topology, routing, options, &network->options, error) < 0)
        return -1;
    if (options->owner != NULL && net_owners_init(&network->owners, topology, options) < 0)
        return base_error_memory(error, "the counts of what leaves a partition");
    if (net_latency_init(&network->latency) < 0)
        return base_error_memory(error, "the latency histogram");
    if (net_standstill_init(network) < 0)
        return base_error_memory(error, "the search for deadlocks");
    return 0;
}

/* Only what somebody reads is counted: an array that is not there is a test less a hop. All are freed with the
 * network, also when one of them could not be had. */
int net_network_count(struct net_network *network, unsigned counts)
{
    const struct net_topology *topology = network->topology;
    struct net_statistics *statistics = &network->statistics;
    /* One array for both sides of terminals: sent first, received behind it. */
    bool links = (counts & NET_COUNT_LINKS) != 0, waits = (counts & NET_COUNT_WAITS) != 0;
    network->terminal_flits = net_array_new(2 * (size_t)topology->terminals, sizeof *network->terminal_flits);
    if (links)
        network->link_flits = net_array_new(topology->link_count, sizeof *network->link_flits);
    if (links && topology->narrow_links)
        network->link_use = net_array_new(topology->link_count, sizeof *network->link_use);
    if (waits)
        network->link_waits = net_array_new(topology->link_count, sizeof *network->link_waits);
    if (network->terminal_flits == NULL || (links && network->link_flits == NULL) ||
        (links && topology->narrow_links && network->link_use == NULL) ||
        (waits && network->link_waits == NULL))
        return -1;
    statistics->link_flits = network->link_flits;
    statistics->link_cycles = network->link_use;
    statistics->link_waits = network->link_waits;
    statistics->injected_flits = network->terminal_flits;
    statistics->ejected_flits = network->terminal_flits + topology->terminals;
    /* The engine counts what leaves a partition only if somebody owns routers; without owners there is no array. */
    if ((counts & NET_COUNT_OUTSIDE) != 0)
        statistics->outside_flit_hops = network->owners.outside;
    if ((counts & NET_COUNT_OUTSIDE) != 0)
        statistics->owner_events = network->owners.events;
    return 0;
}

/* The topology and the routing are borrowed and must outlive the network; the options are copied. */
struct net_network *net_network_new_on(const struct net_engine *engine, const struct net_topology *topology,
                                       const struct net_routing *routing, const struct net_options *options,
                                       struct base_error *error)
{
    struct net_network *network = calloc(1, engine->size);

    if (network == NULL) {
        base_error_memory(error, "the network");
        return NULL;
    }
    /* Half-built networks are freed as whole ones are: every array is NULL until it is made. */
    if (fill_head(network, engine, topology, routing, options, error) < 0 ||
        engine->build(network, error) < 0) {
        net_network_free(network);
        return NULL;
    }
    return network;
}

/* Made by the engine that serves the combination, with the defaults that this engine has. */
struct net_network *net_network_new(const struct net_topology *topology, const struct net_routing *routing,
                                    const struct net_options *options, struct base_error *error)
{
    /* All zeros mean: what suits the topology and the routing, filled in by net_options_in_force. */
    static const struct net_options defaults = {0};
    const struct net_engine *engine;

    if (options == NULL)
        options = &defaults;
    struct net_options shared = *options;
    if (topology->routers < NET_THREADS_ROUTERS)
        shared.threads = 1;
    engine = net_engine_for(topology, routing, &shared);
    if (engine != NULL)
        return net_network_new_on(engine, topology, routing, &shared, error);
    base_error_set(error, BASE_USAGE, "there is no engine that simulates %s with these options",
                   topology->text);
    return NULL;
}

/* The engine's own arrays last: what it has in common with others does not need them. NULL is legal, and so is a
 * network whose making failed halfway. */
void net_network_free(struct net_network *network)
{
    if (network == NULL)
        return;
    net_latency_free(&network->latency);
    net_standstill_free(network);
    net_owners_free(&network->owners);
    free(network->link_flits);
    free(network->link_use);
    free(network->link_waits);
    free(network->terminal_flits);
    free(network->noticed);
    free(network->notices);
    free(network->notice_order);
    network->engine->free(network);
    free(network);
}

/* With defaults in place of zeros. */
const struct net_options *net_network_options(const struct net_network *network)
{
    return &network->options;
}

/* Whether there are pairs of terminals that the routing does not join. One of links that fail joins all, as a base does
 * that is no wrapper. */
static inline bool is_confined(const struct net_network *network)
{
    const struct net_routing *routing = network->routing;
    return routing != NULL && routing->inner != NULL && !routing->kind->failing;
}

/* Whether check_message has nothing to find. Messages of less than 2^32 flits are no more packets. */
static inline bool is_plain(const struct net_network *network, uint64_t cycle,
                            const struct net_message *message)
{
    uint32_t terminals = network->topology->terminals;
    return cycle >= network->now && message->source < terminals && message->target < terminals &&
           message->flits - 1 < UINT32_MAX && !is_confined(network);
}

/* What a caller may not ask of any engine. */
static int check_message(const struct net_network *network, uint64_t cycle, const struct net_message *message,
                         struct base_error *error)
{
    uint32_t terminals = network->topology->terminals;
    if (cycle < network->now)
        return base_error_set(error, BASE_USAGE,
                              "a message is injected at cycle %" PRIu64 ", but cycle %" PRIu64 " is over",
                              cycle, network->now);
    if (message->source >= terminals || message->target >= terminals)
        return base_error_set(error, BASE_USAGE,
                              "a message from terminal %" PRIu32 " to %" PRIu32 ", but there are %" PRIu32,
                              message->source, message->target, terminals);
    /* A confined routing has no way out of a partition; without this the packet would look for one for ever. */
    if (is_confined(network) &&
        !net_routing_joins(network->routing, net_topology_router_of(network->topology, message->source),
                           net_topology_router_of(network->topology, message->target)))
        return base_error_set(error, BASE_USAGE,
                              "a message from terminal %" PRIu32 " to %" PRIu32
                              ", which are in different partitions",
                              message->source, message->target);
    if (message->flits == 0 || net_network_packets(network, message->flits) > UINT32_MAX)
        return base_error_set(error, BASE_USAGE,
                              "a message of %" PRIu64 " flits: at least 1 flit, at most %" PRIu32 " packets",
                              message->flits, UINT32_MAX);
    return 0;
}

/* The counters that number messages and check conservation are kept here, once for all engines. */
int net_network_inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                       struct base_error *error)
{
    if (__builtin_expect(!is_plain(network, cycle, message), 0) &&
        check_message(network, cycle, message, error) < 0)
        return -1;
    if (network->engine->inject(network, cycle, message, error) < 0)
        return -1;
    /* Counted after the engine has taken it: it numbers the message by how many came before. */
    network->injected_messages++;
    network->injected_packets += net_network_packets(network, message->flits);
    network->injected_flits += message->flits;
    return 0;
}

/* Conservation is over copies: each of them has to come out. */
int net_network_multicast(struct net_network *network, uint64_t cycle, const struct net_multicast *multicast,
                          struct base_error *error)
{
    const struct net_message original = {
        .source = multicast->source, .target = multicast->source, .flits = multicast->flits};
    if (check_message(network, cycle, &original, error) < 0 ||
        net_multicast_check(network, multicast, error) < 0 ||
        network->engine->multicast(network, cycle, multicast, error) < 0)
        return -1;
    uint64_t copies = net_network_copies(network, multicast);
    network->injected_messages++;
    network->injected_packets += copies * net_network_packets(network, multicast->flits);
    network->injected_flits += copies * multicast->flits;
    return 0;
}

/* The next cycle to be simulated. */
uint64_t net_network_now(const struct net_network *network)
{
    return network->now;
}

/* A lost message is over: nobody waits for it. */
uint64_t net_network_pending(const struct net_network *network)
{
    return network->injected_messages - network->statistics.messages - network->statistics.lost_messages;
}

/* Engines stop at a cycle in which stuck packets are looked for, which changes nothing in what they do. When
 * nothing is left to be delivered they are not stopped: then there is no such cycle. */
static int advance_watched(struct net_network *network, uint64_t limit, struct base_error *error)
{
    for (;;) {
        bool pending = net_network_pending(network) != 0;
        if (pending && network->now >= network->standstill.next_cycle &&
            net_standstill_watch(network, error) < 0)
            return -1;
        uint64_t next = network->standstill.next_cycle, stop = pending && next < limit ? next : limit;
        int result = network->engine->advance(network, stop, error);
        if (result != 0 || stop == limit)
            return result;
    }
}

/* Notices are of one cycle only: those of the last call are gone before anything else happens. */
int net_network_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    network->notice_count = 0;
    network->notice_copies = network->notices_mixed = false;
    net_standstill_resume(network);
    int result = advance_watched(network, limit, error);
    if (result > 0)
        net_network_sort_notices(network);
    return result;
}

/* The cast is of a network that the caller has made: `const` is a promise about what it does, and collecting
 * changes none of that. */
const struct net_statistics *net_network_statistics(const struct net_network *network)
{
    /* The counters that only reports read are gathered when asked for; what they count does not change. */
    if (network->engine->collect != NULL)
        network->engine->collect((struct net_network *)network);
    net_owners_collect((struct net_owners *)&network->owners, network->topology, network->options.owner);
    for (uint32_t i = 0; network->link_use != NULL && i < network->topology->link_count; i++)
        network->link_use[i] = network->link_flits[i] * net_link_width(&network->topology->links[i]);
    return &network->statistics;
}

/* Only an empty network can be asked whether all that went in came out: statistics count a packet's flits when
 * its tail is delivered. */
int net_network_check(const struct net_network *network, struct base_error *error)
{
    if (network->engine->check(network, error) < 0)
        return -1;
    uint64_t ejected = net_network_statistics(network)->flits + network->statistics.lost_messages;
    if (net_network_pending(network) != 0 || ejected == network->injected_flits)
        return 0;
    return base_error_set(error, BASE_SYSTEM,
                          "%" PRIu64 " flits injected, but %" PRIu64
                          " ejected: this is a defect of flitreplay",
                          network->injected_flits, ejected);
}
