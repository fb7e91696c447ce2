/* The interface of network.h over the engines: option defaults and limits, dispatch.
 *
 * Engines do the moving; whatever must be the same for all of them is here, so that a second engine cannot
 * differ in what it accepts, counts or in which order it tells. Times are in cycles, sizes in flits. */
#include "netmodel/network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/routings/confinement.h"
#include "netmodel/multicasts/king-tree.h"
#include "netmodel/engines/engine.h"
#include "netmodel/topologies/mway.h"

/* Limits that keep every internal field within its width; far above what any network of the papers needs. */
#define PARALLEL_MAX 16
#define BUFFER_FLITS_MAX (UINT32_C(1) << 24)
#define LATENCY_CYCLES_MAX 1024

/* One option against its limit, named as the user typed it. */
static int check_limit(const char *option, uint32_t value, uint32_t maximum, struct base_error *error)
{
    if (value <= maximum)
        return 0;
    return base_error_set(error, BASE_USAGE, "%s %" PRIu32 " is more than this engine's limit of %" PRIu32,
                          option, value, maximum);
}

/* Every option that sizes a field of an engine. The sizes of buffers against packets are the engine's own
 * matter, since what a buffer must hold depends on the topology's rings. */
static int check_limits(const struct net_options *options, struct base_error *error)
{
    if (check_limit("--packet-flits", options->packet_flits, NET_PACKET_FLITS_MAX, error) < 0 ||
        check_limit("--vcs", options->virtual_channels, NET_VIRTUAL_CHANNELS_MAX, error) < 0 ||
        check_limit("--injectors", options->injectors, PARALLEL_MAX, error) < 0 ||
        check_limit("--consumers", options->consumers, PARALLEL_MAX, error) < 0 ||
        check_limit("--link-cycles", options->link_cycles, LATENCY_CYCLES_MAX, error) < 0 ||
        check_limit("--router-cycles", options->router_cycles, LATENCY_CYCLES_MAX, error) < 0 ||
        check_limit("--credit-cycles", options->credit_cycles, LATENCY_CYCLES_MAX, error) < 0)
        return -1;
    return check_limit("--buffer-flits", options->buffer_flits, BUFFER_FLITS_MAX, error);
}

/* Nothing but shared channels has buffers to select from by status flags. */
static int check_sharing(const struct net_topology *topology, const struct net_options *options,
                         struct base_error *error)
{
    if (topology->shared != NULL || (options->selection == NET_MOST_FREE &&
                                     options->status_flags == NET_BOTH_FLAGS && !options->early_free))
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "--selection, --status-flags and --early-free are for shared channels (mway-mesh, "
                          "mway-torus, mway-hypercube), not for %s",
                          topology->text);
}

/* Zero means that the caller does not care: the value that the command line's help states. */
static void set_default(uint32_t *option, uint32_t value)
{
    if (*option == 0)
        *option = value;
}

/* The bubble rule needs two packets in a buffer, and a link that is to be used all the time as many places
 * more as flits are on their way to the buffer, or their credits back. At the least latencies a third
 * packet's place could not be asked for any earlier, so two packets do. Shared channels know no such rule,
 * and need one, or under wormhole the two flits of the m-way paper. */
static uint32_t default_buffer_flits(const struct net_topology *topology, const struct net_options *options)
{
    if (topology->shared == NULL)
        return 2 * options->packet_flits + options->link_cycles + options->router_cycles +
               options->credit_cycles - 3;
    return options->flow_control == NET_WORMHOLE ? 2 : options->packet_flits;
}

struct net_options net_options_in_force(const struct net_topology *topology,
                                        const struct net_routing *routing, const struct net_options *options)
{
    struct net_options all = *options;

    set_default(&all.packet_flits, 16);
    set_default(&all.virtual_channels, 1);
    if (routing != NULL)
        all.virtual_channels = routing->virtual_channels;
    set_default(&all.injectors, 1);
    set_default(&all.consumers, 1);
    set_default(&all.link_cycles, 1);
    set_default(&all.router_cycles, 1);
    set_default(&all.credit_cycles, 1);
    set_default(&all.threads, 1);
    all.multiplexed |= all.flow_control == NET_WORMHOLE;
    set_default(&all.buffer_flits, default_buffer_flits(topology, &all));
    return all;
}

/* Called first by every engine's constructor. The engine's table is set before anything can fail, so that
 * net_network_free finds it. */
int net_network_init(struct net_network *network, const struct net_engine *engine,
                     const struct net_topology *topology, const struct net_routing *routing,
                     const struct net_options *options, struct base_error *error)
{
    network->engine = engine;
    network->topology = topology;
    network->routing = routing;
    network->options = net_options_in_force(topology, routing, options);
    if (check_limits(&network->options, error) < 0 || check_sharing(topology, options, error) < 0)
        return -1;
    if (options->owner != NULL) {
        network->outside = calloc((size_t)options->owners + 1, sizeof *network->outside);
        if (network->outside == NULL)
            return base_error_memory(error, "the counts of what leaves a partition");
    }
    if (net_latency_init(&network->latency) < 0)
        return base_error_memory(error, "the latency histogram");
    if (net_standstill_init(network) < 0)
        return base_error_memory(error, "the search for deadlocks");
    return 0;
}

/* Whether the packet-grant engine computes what these options ask for. The flit-grant engine computes the
 * same cycles, and all others, but takes its time over every flit. */
static bool grants_packets(const struct net_options *options)
{
    return options->flow_control == NET_CUT_THROUGH && !options->multiplexed;
}

/* The one place that knows which engine serves which topology and options. */
struct net_network *net_network_new(const struct net_topology *topology, const struct net_routing *routing,
                                    const struct net_options *options, struct base_error *error)
{
    static const struct net_options defaults = {0};
    if (options == NULL)
        options = &defaults;
    if (net_topology_is_ideal(topology))
        return net_ideal_new(topology, options, error);
    if (options->effects != NET_ALL_EFFECTS)
        return net_effects_new(topology, routing, options, error);
    if (topology->shared != NULL)
        return net_shared_new(topology, routing, options, error);
    if (grants_packets(options))
        return net_packet_engine_new(topology, routing, options, error);
    return net_flit_engine_new(topology, routing, options, error);
}

/* The common parts first: the engine frees the block that holds them. */
void net_network_free(struct net_network *network)
{
    if (network == NULL)
        return;
    net_latency_free(&network->latency);
    net_standstill_free(network);
    free(network->outside);
    free(network->noticed);
    free(network->notices);
    free(network->notice_order);
    network->engine->free(network);
}

/* A message belongs to whom its source belongs to. What a terminal without owner sends is nobody's. */
void net_network_crosses(const struct net_network *network, uint32_t terminal, uint32_t from, uint32_t to,
                         uint32_t flits)
{
    const uint32_t *owner = network->options.owner;
    uint32_t whose = owner[net_topology_router_of(network->topology, terminal)];

    if (whose != NET_NONE && (owner[from] != whose || owner[to] != whose))
        __atomic_fetch_add(&network->outside[whose], flits, __ATOMIC_RELAXED);
}

/* What a caller may not ask of any engine. */
static inline int check_message(const struct net_network *network, uint64_t cycle,
                                const struct net_message *message, struct base_error *error)
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
    if (network->routing != NULL && network->routing->parts != NULL &&
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
    if (check_message(network, cycle, message, error) < 0)
        return -1;
    if (network->engine->inject(network, cycle, message, error) < 0)
        return -1;
    network->injected_messages++;
    network->injected_packets += net_network_packets(network, message->flits);
    network->injected_flits += message->flits;
    return 0;
}

/* ---- multicast ---- */

/* The tree of king networks. It is defined for links that a packet holds to its tail, and is proved free of
 * deadlocks where room for the whole packet is reserved ahead (doc/flit-engine.md has two broadcasts that
 * wait for each other under wormhole). */
static const char *king_obstacle(const struct net_topology *topology, const struct net_routing *routing,
                                 const struct net_options *options)
{
    if (!net_topology_is_king(topology) || grants_packets(options))
        return net_king_tree_obstacle(topology, routing);
    return options->flow_control == NET_WORMHOLE
               ? "under wormhole the copies of two multicasts could wait for each other for ever"
               : "a copy holds its links until its tail has crossed, as with --multiplexing packet";
}

enum net_multicasts net_multicasts_of(const struct net_topology *topology, const struct net_routing *routing,
                                      const struct net_options *options, const char **obstacle)
{
    const char *none = NULL;
    if (net_topology_is_ideal(topology))
        return NET_LIST_MULTICASTS;
    if (topology->shared != NULL)
        none = net_shared_obstacle(topology, options);
    else
        none = king_obstacle(topology, routing, options);
    if (obstacle != NULL)
        *obstacle = none;
    if (none != NULL)
        return NET_NO_MULTICASTS;
    return topology->shared != NULL && !net_shared_inside_routers(topology) ? NET_BOX_MULTICASTS
                                                                            : NET_LIST_MULTICASTS;
}

enum net_multicasts net_network_multicasts(const struct net_network *network)
{
    if (network->engine->multicast == NULL)
        return NET_NO_MULTICASTS;
    if (net_topology_is_ideal(network->topology))
        return NET_LIST_MULTICASTS;
    return net_multicasts_of(network->topology, network->routing, &network->options, NULL);
}

/* Corners of the box where the multicast goes, all routers by default; on a torus the second may come before
 * the first, round the end of the ring. -1: it is none. */
static int box_of(const struct net_topology *topology, const struct net_multicast *multicast, uint32_t *low,
                  uint32_t *high, struct base_error *error)
{
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++) {
        low[d] = multicast->low != NULL ? multicast->low[d] : 0;
        high[d] = multicast->high != NULL ? multicast->high[d] : topology->grid->sides[d] - 1;
        if ((low[d] > high[d] && !topology->grid->wraps) || low[d] >= topology->grid->sides[d] ||
            high[d] >= topology->grid->sides[d])
            return base_error_set(error, BASE_USAGE,
                                  "a multicast to %" PRIu32 " .. %" PRIu32 " of dimension %" PRIu32
                                  ", but that has 0 .. %" PRIu32,
                                  low[d], high[d], d, topology->grid->sides[d] - 1);
    }
    return 0;
}

/* Whether the router is in the multicast's box; without corners that is the network. */
static bool in_box(const struct net_topology *topology, const struct net_multicast *multicast,
                   uint32_t router)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    bool inside = true;
    net_topology_coordinates(topology, router, at);
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++) {
        uint32_t low = multicast->low != NULL ? multicast->low[d] : 0;
        uint32_t high = multicast->high != NULL ? multicast->high[d] : topology->grid->sides[d] - 1;
        bool after = at[d] >= low, before = at[d] <= high;
        inside = inside && (low <= high ? after && before : after || before);
    }
    return inside;
}

void net_multicast_members(const struct net_topology *topology, const struct net_multicast *multicast,
                           bool *members)
{
    for (uint32_t i = 0; i < topology->terminals; i++)
        members[i] =
            multicast->targets == NULL && in_box(topology, multicast, net_topology_router_of(topology, i));
    for (uint32_t i = 0; multicast->targets != NULL && i < multicast->target_count; i++)
        members[multicast->targets[i]] = true;
    members[multicast->source] = false;
}

/* Where no router has a fixed number of terminals they are counted one by one. */
static uint64_t count_in_box(const struct net_topology *topology, const struct net_multicast *multicast)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < topology->terminals; i++)
        count += in_box(topology, multicast, net_topology_router_of(topology, i));
    return count;
}

/* Terminals of the box, less the source if that is one of them. */
static uint64_t box_copies(const struct net_topology *topology, const struct net_multicast *multicast,
                           const uint32_t *low, const uint32_t *high)
{
    uint64_t routers = 1;
    bool inside = in_box(topology, multicast, net_topology_router_of(topology, multicast->source));
    if (net_shared_inside_routers(topology))
        return count_in_box(topology, multicast) - inside;
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++)
        routers *= (high[d] + topology->grid->sides[d] - low[d]) % topology->grid->sides[d] + 1;
    return routers * topology->concentration - inside;
}

uint64_t net_network_copies(const struct net_network *network, const struct net_multicast *multicast)
{
    uint32_t low[NET_DIMENSIONS_MAX], high[NET_DIMENSIONS_MAX];
    struct base_error error;
    uint64_t copies = 0;
    if (multicast->targets == NULL)
        return multicast->source < network->topology->terminals &&
                       box_of(network->topology, multicast, low, high, &error) == 0
                   ? box_copies(network->topology, multicast, low, high)
                   : 0;
    for (uint32_t i = 0; i < multicast->target_count; i++)
        copies += multicast->targets[i] != multicast->source;
    return copies;
}

/* Whether a router is in another partition than the source's. */
static bool is_apart(const struct net_network *network, const struct net_multicast *multicast,
                     uint32_t router)
{
    uint32_t source = net_topology_router_of(network->topology, multicast->source);
    return !net_routing_joins(network->routing, source, router);
}

/* In a network cut into parts a multicast stays in that of its source: its ways are those of the routing, of
 * which that has been proved, if its members do. */
static bool leaves_part(const struct net_network *network, const struct net_multicast *multicast)
{
    const struct net_topology *topology = network->topology;
    if (network->routing == NULL || network->routing->parts == NULL)
        return false;
    for (uint32_t i = 0; multicast->targets != NULL && i < multicast->target_count; i++)
        if (is_apart(network, multicast, net_topology_router_of(topology, multicast->targets[i])))
            return true;
    for (uint32_t router = 0; multicast->targets == NULL && router < topology->routers; router++)
        if (in_box(topology, multicast, router) && is_apart(network, multicast, router))
            return true;
    return false;
}

/* Asked once for each network: the proof that trees stay in partitions takes its time. */
static const char *obstacle_of(struct net_network *network)
{
    if (!network->multicast_known)
        net_multicasts_of(network->topology, network->routing, &network->options, &network->no_multicast);
    network->multicast_known = true;
    return network->no_multicast;
}

/* A list of targets that are terminals, or a box. The source is checked with the message. */
static int check_multicast(struct net_network *network, const struct net_multicast *multicast,
                           struct base_error *error)
{
    uint32_t low[NET_DIMENSIONS_MAX], high[NET_DIMENSIONS_MAX];
    const char *why = obstacle_of(network);
    if (why != NULL || network->engine->multicast == NULL) {
        return base_error_set(error, BASE_USAGE, "%s cannot multicast with these options: %s",
                              network->topology->text, why != NULL ? why : "its engine moves single flits");
    }
    for (uint32_t i = 0; multicast->targets != NULL && i < multicast->target_count; i++)
        if (multicast->targets[i] >= network->topology->terminals)
            return base_error_set(error, BASE_USAGE,
                                  "a multicast to terminal %" PRIu32 ", but there are %" PRIu32,
                                  multicast->targets[i], network->topology->terminals);
    if (multicast->targets == NULL && box_of(network->topology, multicast, low, high, error) < 0)
        return -1;
    if (net_network_copies(network, multicast) == 0)
        return base_error_set(error, BASE_USAGE, "a multicast of terminal %" PRIu32 " to nobody else",
                              multicast->source);
    if (leaves_part(network, multicast))
        return base_error_set(error, BASE_USAGE,
                              "a multicast of terminal %" PRIu32 " to some that are not in its partition",
                              multicast->source);
    return 0;
}

/* Conservation is over copies: each of them has to come out. */
int net_network_multicast(struct net_network *network, uint64_t cycle, const struct net_multicast *multicast,
                          struct base_error *error)
{
    const struct net_message original = {
        .source = multicast->source, .target = multicast->source, .flits = multicast->flits};
    if (check_message(network, cycle, &original, error) < 0 ||
        check_multicast(network, multicast, error) < 0 ||
        network->engine->multicast(network, cycle, multicast, error) < 0)
        return -1;
    uint64_t copies = net_network_copies(network, multicast);
    network->injected_messages++;
    network->injected_packets += copies * net_network_packets(network, multicast->flits);
    network->injected_flits += copies * multicast->flits;
    return 0;
}

uint64_t net_network_now(const struct net_network *network)
{
    return network->now;
}

uint64_t net_network_pending(const struct net_network *network)
{
    return network->injected_messages - network->statistics.messages;
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
    network->notice_copies = false;
    net_standstill_resume(network);
    int result = advance_watched(network, limit, error);
    if (result > 0)
        net_network_sort_notices(network);
    return result;
}

const struct net_statistics *net_network_statistics(const struct net_network *network)
{
    /* The counters that only reports read are gathered when asked for; what they count does not change. */
    network->engine->collect((struct net_network *)network);
    return &network->statistics;
}

int net_network_check(const struct net_network *network, struct base_error *error)
{
    return network->engine->check(network, error);
}
