/* What engines have counted, between cycles: as reports want it, by link and by terminal, and as conservation asks for
 * it. Nothing that is read is changed, so that it does not matter how often somebody asks. */
#include <inttypes.h>

#include "netmodel/engines/engine.h"

/* Over the virtual channels of each link. Waits have an array where they are counted (net_network_count). */
static void collect_links(struct net_network *network, const struct net_counters *counters)
{
    const struct net_topology *topology = network->topology;
    uint32_t channels = network->options.virtual_channels;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        struct net_counted sum = {0};
        for (uint32_t channel = 0; channel < channels; channel++) {
            struct net_counted counted =
                counters->output(network, link->source, link->port * channels + channel);
            sum.flits += counted.flits;
            sum.waits += counted.waits;
        }
        network->link_flits[i] = sum.flits;
        if (network->link_waits != NULL)
            network->link_waits[i] = sum.waits;
    }
}

/* A terminal's injectors stand side by side, and so do its ejection channels. What it injected is in the first half of
 * the array, what was ejected to it in the second. */
static void collect_terminal(struct net_network *network, const struct net_counters *counters,
                             uint32_t terminal)
{
    const struct net_topology *topology = network->topology;
    const struct net_options *options = &network->options;
    uint32_t router = net_topology_router_of(topology, terminal);
    uint32_t slot = terminal - router * topology->concentration;
    uint32_t first = topology->ports * options->virtual_channels;
    uint64_t injected = 0, ejected = 0;
    for (uint32_t i = 0; i < options->injectors; i++)
        injected += counters->injector(network, router, first + slot * options->injectors + i).flits;
    for (uint32_t i = 0; i < options->consumers; i++)
        ejected += counters->output(network, router, first + slot * options->consumers + i).flits;
    network->terminal_flits[terminal] = injected;
    network->terminal_flits[topology->terminals + terminal] = ejected;
}

/* Overwritten at each call, not added to: engines count from the beginning. */
void net_network_collect(struct net_network *network, const struct net_counters *counters)
{
    collect_links(network, counters);
    for (uint32_t terminal = 0; terminal < network->topology->terminals; terminal++)
        collect_terminal(network, counters, terminal);
}

/* A lost message is one packet: only networks whose messages are one packet long lose any. */
int net_network_conserves(const struct net_network *network, uint64_t inside, uint64_t to_make,
                          struct base_error *error)
{
    uint64_t over = network->statistics.packets + network->statistics.lost_messages;
    if (network->injected_packets == over + inside + to_make)
        return 0;
    return base_error_set(error, BASE_SYSTEM,
                          "%" PRIu64 " packets injected, but %" PRIu64 " delivered, %" PRIu64
                          " inside and %" PRIu64 " waiting to be made: this is a defect of flitreplay",
                          network->injected_packets, over, inside, to_make);
}
