/* Refusals that engines share: see limits.h. */
#include "netmodel/engines/limits.h"

#include <inttypes.h>

#include "netmodel/engines/engine.h"

#define STATE_BYTES_MAX (UINT64_C(4) << 30)

/* 0 asks for the default, which is 1 of all that this is used for. */
static uint32_t or_one(uint32_t asked)
{
    return asked != 0 ? asked : 1;
}

/* Before a network is made: options are as they were asked for, and zeros stand for one. */
bool net_widths_fit(const struct net_topology *topology, const struct net_options *options, uint32_t most)
{
    uint32_t injectors = or_one(options->injectors), consumers = or_one(options->consumers);
    uint64_t channels = (uint64_t)topology->ports * or_one(options->virtual_channels);
    uint64_t ends = (uint64_t)topology->concentration * (injectors > consumers ? injectors : consumers);
    return channels + ends <= most;
}

/* Under a fault routing links have more channels than one. */
bool net_holds_links(const struct net_routing *routing, const struct net_options *options)
{
    uint32_t channels = routing != NULL ? routing->virtual_channels : or_one(options->virtual_channels);
    return !options->multiplexed || channels == 1;
}

/* Both are told, since the user may lower either. */
int net_limit_widths(const struct net_network *network, uint32_t drivers, uint32_t outputs, uint32_t most,
                     struct base_error *error)
{
    const struct net_options *options = &network->options;
    if (drivers <= most && outputs <= most)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "%s with %" PRIu32 " virtual channels, %" PRIu32 " injectors and %" PRIu32
                          " consumers needs %" PRIu32 " inputs and %" PRIu32
                          " outputs per router; at most %" PRIu32 " of each are possible",
                          network->topology->text, options->virtual_channels, options->injectors,
                          options->consumers, drivers, outputs, most);
}

/* The division keeps the product from wrapping. */
int net_limit_memory(const struct net_network *network, uint64_t router_bytes, const char *how,
                     struct base_error *error)
{
    uint32_t routers = network->topology->routers;
    const char *what = network->topology->shared != NULL ? "channels" : "routers";
    if (routers <= STATE_BYTES_MAX / router_bytes)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "%s is too large to simulate%s: its %" PRIu32 " %s need %" PRIu64
                          " MiB of state; at most %" PRIu64 " MiB are possible",
                          network->topology->text, how, routers, what, (router_bytes * routers) >> 20,
                          STATE_BYTES_MAX >> 20);
}

/* Of channels that all directions of a port share: rings are of ports. */
bool net_in_bubble_ring(const struct net_topology *topology, const struct net_routing *routing, uint32_t port,
                        uint32_t channel)
{
    return (routing->bubble_channels >> channel & 1) != 0 && net_topology_in_ring(topology, port);
}

/* A mesh has no rings, so that the same routing asks for nothing there. */
bool net_keeps_bubbles(const struct net_topology *topology, const struct net_routing *routing)
{
    if (routing->bubble_channels == 0)
        return false;
    for (uint32_t port = 0; port < topology->ports; port++)
        if (net_topology_in_ring(topology, port))
            return true;
    return false;
}

/* Rule 6 of doc/flit-engine.md: a header enters a ring only where two packets fit. */
int net_limit_buffers(const struct net_network *network, struct base_error *error)
{
    const struct net_options *options = &network->options;
    bool bubbles = net_keeps_bubbles(network->topology, network->routing);
    uint32_t least = (bubbles ? 2 : 1) * options->packet_flits;
    if (options->buffer_flits >= least)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "--buffer-flits %" PRIu32 " is too small: %s needs room for %s of %" PRIu32
                          " flits, that is %" PRIu32,
                          options->buffer_flits, network->topology->text,
                          bubbles ? "two packets (the bubble rule on rings)" : "one packet",
                          options->packet_flits, least);
}

/* An error for the user, since both options are his. Rings reserve a place for the largest packet and go on with one
 * place left behind, hence two (rule 23 of doc/faults.md); wormhole reserves nothing ahead. */
int net_limit_failing(const struct net_network *network, struct base_error *error)
{
    const struct net_options *options = &network->options;
    if (options->flow_control == NET_WORMHOLE)
        return base_error_set(error, BASE_USAGE,
                              "packets go around faults under virtual cut-through only, since a ring keeps a "
                              "bubble; leave --flow-control wormhole out");
    if (options->buffer_flits >= 2 * options->packet_flits)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "--buffer-flits %" PRIu32 " is too small: packets go around faults in rings, which "
                          "need room for two packets of %" PRIu32 " flits, that is %" PRIu32,
                          options->buffer_flits, options->packet_flits, 2 * options->packet_flits);
}
