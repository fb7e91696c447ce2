/* The share of a link's cycles that a stream of packets can fill: rules 5, 6 and 8 of doc/flit-engine.md, for
 * one virtual channel whose buffer is emptied as fast as it can be. */
#include "netmodel/engines/engine.h"
#include "netmodel/engines/limits.h"

/* Cut-through: at a grant the packet's need must fit beside the flits of the last w = L + R + C - 2 cycles,
 * whose places cannot have come back. Beside the need there is room for q whole packets and r flits, so that
 * packet k starts
 *
 *      P cycles after packet k - 1, or
 *      when P - r flits of packet k - q - 1 are out of the window:  w + P - r cycles after it
 *
 * whichever is later. In the long run q + 1 packets take the larger of (q + 1) P and w + P - r cycles. */
static struct net_share share_of_packets(const struct net_options *options, uint64_t need)
{
    uint64_t flits = options->packet_flits, room = options->buffer_flits - need;
    uint64_t window = (uint64_t)options->link_cycles + options->router_cycles + options->credit_cycles - 2;
    uint64_t packets = room / flits + 1, cycles = window + flits - room % flits;

    return (struct net_share){.flits = packets * flits,
                              .cycles = cycles > packets * flits ? cycles : packets * flits};
}

/* Wormhole: a buffer is one packet's until the tail has left it and that is seen; a flit waits for a place.
 * The flits that have left are looked back at over as many as there are places. */
static struct net_share share_of_worms(const struct net_options *options)
{
    uint64_t leaves[NET_PACKET_FLITS_MAX], sent = 0, left = 0;
    uint32_t places = options->buffer_flits;

    for (uint32_t flit = 0; flit < options->packet_flits; flit++) {
        uint64_t again = flit < places ? 0 : leaves[flit - places] + options->credit_cycles;
        uint64_t next = flit == 0 ? 0 : sent + 1, after = flit == 0 ? 0 : left + 1, arrives;
        sent = next > again ? next : again;
        arrives = sent + options->link_cycles + (flit == 0 ? options->router_cycles - 1 : 0);
        left = after > arrives ? after : arrives;
        leaves[flit] = left;
    }
    return (struct net_share){.flits = options->packet_flits, .cycles = left + options->credit_cycles};
}

static struct net_share share_of_channel(const struct net_options *options, bool bubbles)
{
    uint64_t need = (bubbles ? 2 : 1) * (uint64_t)options->packet_flits;

    if (options->flow_control == NET_WORMHOLE)
        return share_of_worms(options);
    return share_of_packets(options, need < options->buffer_flits ? need : options->buffer_flits);
}

/* All virtual channels of a link together; entering: those that keep bubbles on rings have room for two
 * packets asked of them. */
static struct net_share share_of(const struct net_topology *topology, const struct net_routing *routing,
                                 const struct net_options *options, bool entering)
{
    struct net_share with = share_of_channel(options, entering), without = share_of_channel(options, false);
    uint64_t flits = 0, cycles = with.cycles * without.cycles;
    bool bubbles = net_keeps_bubbles(topology, routing);

    for (uint32_t channel = 0; channel < options->virtual_channels; channel++)
        flits += bubbles && (routing->bubble_channels >> channel & 1) != 0 ? with.flits * without.cycles
                                                                           : without.flits * with.cycles;
    if (flits >= cycles)
        return (struct net_share){.flits = 1, .cycles = 1};
    return (struct net_share){.flits = flits, .cycles = cycles};
}

/* a < b. */
static bool is_less(struct net_share a, struct net_share b)
{
    return (double)a.flits * (double)b.cycles < (double)b.flits * (double)a.cycles;
}

struct net_link_share net_link_share_by_rules(const struct net_topology *topology,
                                              const struct net_routing *routing,
                                              const struct net_options *options)
{
    struct net_link_share share = {.most = {1, 1}, .entering = {1, 1}, .buffer_flits = options->buffer_flits};
    struct net_options enough = *options;

    enough.buffer_flits = share.buffer_flits = net_link_buffers(topology, options);
    share.most = share_of(topology, routing, options, false);
    share.entering = share_of(topology, routing, options, true);
    share.limited = is_less(share.most, (struct net_share){1, 1}) ||
                    (options->buffer_flits < enough.buffer_flits &&
                     is_less(share.entering, share_of(topology, routing, &enough, true)));
    return share;
}

struct net_link_share net_link_share_of(const struct net_network *network)
{
    const struct net_engine *engine = network->engine;

    if (engine->link_share != NULL)
        return engine->link_share(network->topology, network->routing, &network->options);
    return (struct net_link_share){
        .most = {1, 1}, .entering = {1, 1}, .buffer_flits = network->options.buffer_flits};
}
