/* Links of their own latency (rule 12 of doc/flit-engine.md), for engines that grant whole packets: looked up by router
 * and port, since a packet that starts knows these. */
#include "netmodel/engines/engine.h"
#include "netmodel/engines/pool.h"

/* A link has the same number as an output of its source and as an input of its target (netmodel/topology.h). */
int net_network_crossings(const struct net_network *network, bool at_target, uint16_t **crossings)
{
    const struct net_topology *topology = network->topology;
    if (!topology->own_latencies)
        return 0;
    *crossings = net_array_new((size_t)topology->routers * topology->ports, sizeof **crossings);
    if (*crossings == NULL)
        return -1;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        uint32_t router = at_target ? link->target : link->source;
        (*crossings)[(size_t)router * topology->ports + link->port] =
            (uint16_t)net_link_crossing(link, network->options.link_cycles);
    }
    return 0;
}
