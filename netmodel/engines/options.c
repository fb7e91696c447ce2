/* The engines by their list, and what they share before a network is made: defaults of options, limits, chance.
 *
 * A new engine is a folder whose engine.c ends in a const struct net_engine, and a line in kinds.def: choice, defaults,
 * refusals and the random cases of tests/netmodel/engines find it there. */
#include <inttypes.h>

#include "netmodel/engines/engine.h"

#define NET_ENGINE(descriptor) &descriptor,
static const struct net_engine *const engines[] = {
#include "netmodel/engines/kinds.def"
};
#undef NET_ENGINE

#define ENGINES (sizeof engines / sizeof engines[0])

const struct net_engine *const *net_engines(size_t *count)
{
    *count = ENGINES;
    return engines;
}

const struct net_engine *net_engine_for(const struct net_topology *topology,
                                        const struct net_routing *routing, const struct net_options *options)
{
    for (size_t i = 0; i < ENGINES; i++)
        if (engines[i]->serves(topology, routing, options))
            return engines[i];
    return NULL;
}

/* ---- limits ---- */

/* Limits that keep every internal field within its width; far above what any network of the papers needs. */
#define PARALLEL_MAX 16
#define BUFFER_FLITS_MAX (UINT32_C(1) << 24)

/* One option against its limit, named as the user typed it. */
static int check_limit(const char *option, uint32_t value, uint32_t maximum, struct base_error *error)
{
    if (value <= maximum)
        return 0;
    return base_error_set(error, BASE_USAGE, "%s %" PRIu32 " is more than this engine's limit of %" PRIu32,
                          option, value, maximum);
}

/* Those that size a field of an engine. */
static int check_limits(const struct net_options *options, struct base_error *error)
{
    if (check_limit("--packet-flits", options->packet_flits, NET_PACKET_FLITS_MAX, error) < 0 ||
        check_limit("--vcs", options->virtual_channels, NET_VIRTUAL_CHANNELS_MAX, error) < 0 ||
        check_limit("--injectors", options->injectors, PARALLEL_MAX, error) < 0 ||
        check_limit("--consumers", options->consumers, PARALLEL_MAX, error) < 0 ||
        check_limit("--link-cycles", options->link_cycles, NET_LINK_LATENCY_MAX, error) < 0 ||
        check_limit("--router-cycles", options->router_cycles, NET_LINK_LATENCY_MAX, error) < 0 ||
        check_limit("--credit-cycles", options->credit_cycles, NET_LINK_LATENCY_MAX, error) < 0)
        return -1;
    return check_limit("--buffer-flits", options->buffer_flits, BUFFER_FLITS_MAX, error);
}

/* Nothing but shared channels has buffers to select from by status flags, or several ways to spread a multicast. */
static int check_sharing(const struct net_topology *topology, const struct net_options *options,
                         struct base_error *error)
{
    if (topology->shared != NULL ||
        (options->selection == NET_MOST_FREE && options->status_flags == NET_BOTH_FLAGS &&
         !options->early_free && options->spreading == NET_MST_SAFE))
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "--selection, --status-flags, --early-free and --multicast are for shared channels (mway-mesh, "
        "mway-torus, mway-hypercube), not for %s",
        topology->text);
}

int net_options_check(const struct net_topology *topology, const struct net_options *options,
                      struct base_error *error)
{
    return check_limits(options, error) < 0 ? -1 : check_sharing(topology, options, error);
}

/* ---- defaults ---- */

/* Zero means that the caller does not care: the value that the command line's help states. */
static void set_default(uint32_t *option, uint32_t value)
{
    if (*option == 0)
        *option = value;
}

/* The flits that go onto a link until a place comes back that one of them took, but for the last. */
static uint32_t flits_on_the_way(const struct net_link *link, const struct net_options *options)
{
    uint32_t cycles =
        net_link_crossing(link, options->link_cycles) + options->router_cycles + options->credit_cycles - 2;
    return (cycles - 1) / net_link_width(link);
}

/* The bubble rule needs two packets in a buffer, and a link that is to be used all the time as many places
 * more as flits are on their way to the buffer, or their credits back: all buffers are as large as the link
 * with most of these asks for. At the least latencies a third packet's place could not be asked for any
 * earlier, so two packets do. */
uint32_t net_link_buffers(const struct net_topology *topology, const struct net_options *options)
{
    static const struct net_link plain = {0};
    bool equal = !topology->own_latencies && !topology->narrow_links;
    uint32_t most = equal ? flits_on_the_way(&plain, options) : 0;

    for (uint32_t i = 0; !equal && i < topology->link_count; i++) {
        uint32_t flits = flits_on_the_way(&topology->links[i], options);
        most = flits > most ? flits : most;
    }
    return 2 * options->packet_flits + most;
}

struct net_options net_options_in_force(const struct net_engine *engine, const struct net_topology *topology,
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
    set_default(&all.buffer_flits,
                (engine->buffer_flits != NULL ? engine->buffer_flits : net_link_buffers)(topology, &all));
    return all;
}
