/* The share of a link's cycles that a stream of packets can fill: rules 5, 6 and 8 of doc/flit-engine.md, for
 * one virtual channel whose buffer is emptied as fast as it can be. */
#include "netmodel/engines/engine.h"
#include "netmodel/engines/limits.h"

/* Cut-through: at a grant the packet's need must fit beside the flits whose places cannot have come back. Flit i
 * of a packet that starts in cycle 0 crosses in i * W (rule 12), is in the buffer L + W - 1 later, and leaves it at
 * once, but behind its header's R - 1 cycles in the pipeline as far as it has not made up for them, W - 1 a flit; C
 * later its place is seen. Beside the need there is room for q whole packets and r flits, so that packet k starts
 *
 *      P * W cycles after packet k - 1, or
 *      when flits 0 .. P - r - 1 of packet k - q - 1 have been seen to leave
 *
 * whichever is later. In the long run q + 1 packets take the longer of q + 1 times the first and the second. */
static struct net_share share_of_packets(const struct net_options *options, const struct net_link *link,
                                         uint64_t need)
{
    uint64_t flits = options->packet_flits, room = options->buffer_flits - need, width = net_link_width(link);
    uint64_t packets = room / flits + 1, last = flits - room % flits - 1;
    uint64_t pipeline = options->router_cycles - 1, caught_up = last * (width - 1);
    uint64_t cycles = last * width + net_link_crossing(link, options->link_cycles) + options->credit_cycles +
                      (pipeline > caught_up ? pipeline - caught_up : 0);
    uint64_t full = packets * flits * width;

    return (struct net_share){.flits = full, .cycles = cycles > full ? cycles : full};
}

/* Wormhole: a buffer is one packet's until the tail has left it and that is seen; a flit waits for a place.
 * The flits that have left are looked back at over as many as there are places. */
static struct net_share share_of_worms(const struct net_options *options, const struct net_link *link)
{
    uint64_t leaves[NET_PACKET_FLITS_MAX];
    uint64_t sent = 0, left = 0;
    uint32_t places = options->buffer_flits, width = net_link_width(link);
    uint32_t crossing = net_link_crossing(link, options->link_cycles);

    for (uint32_t flit = 0; flit < options->packet_flits; flit++) {
        uint64_t again = flit < places ? 0 : leaves[flit - places] + options->credit_cycles;
        uint64_t next = flit == 0 ? 0 : sent + width, after = flit == 0 ? 0 : left + 1;
        uint64_t arrives;
        sent = next > again ? next : again;
        arrives = sent + crossing + (flit == 0 ? options->router_cycles - 1 : 0);
        left = after > arrives ? after : arrives;
        leaves[flit] = left;
    }
    return (struct net_share){.flits = (uint64_t)options->packet_flits * width,
                              .cycles = left + options->credit_cycles};
}

/* Need and buffer: where the buffer is smaller than two packets the refusal has come before, so the lesser is
 * right either way. */
static struct net_share share_of_channel(const struct net_options *options, const struct net_link *link,
                                         bool bubbles)
{
    uint64_t need = (bubbles ? 2 : 1) * (uint64_t)options->packet_flits;

    if (options->flow_control == NET_WORMHOLE)
        return share_of_worms(options, link);
    return share_of_packets(options, link, need < options->buffer_flits ? need : options->buffer_flits);
}

/* All virtual channels of a link together; entering: those that keep bubbles on rings have room for two
 * packets asked of them. */
static struct net_share share_of_link(const struct net_topology *topology, const struct net_routing *routing,
                                      const struct net_options *options, const struct net_link *link,
                                      bool entering)
{
    struct net_share with = share_of_channel(options, link, entering);
    struct net_share without = share_of_channel(options, link, false);
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

#define KNOWN 64 /* a power of two */

/* The smallest share of any link. Links that are alike have the same: of most of them it is known. */
static struct net_share share_of(const struct net_topology *topology, const struct net_routing *routing,
                                 const struct net_options *options, bool entering)
{
    static const struct net_link plain = {0};
    struct net_link known[KNOWN] = {{0}};
    struct net_share least = share_of_link(topology, routing, options, &plain, entering);

    if (!topology->own_latencies && !topology->narrow_links)
        return least;
    least = (struct net_share){1, 1};
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        struct net_link *like = &known[(link->latency + link->flit_cycles * 7) % KNOWN];
        if (like->port != 0 && like->latency == link->latency && like->flit_cycles == link->flit_cycles)
            continue;
        *like = *link;
        like->port = 1;
        struct net_share share = share_of_link(topology, routing, options, link, entering);
        least = is_less(share, least) ? share : least;
    }
    return least;
}

/* `enough` is what buffers would be by default: a share is limited by buffers only where those would give more. */
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

/* An engine that says nothing has links that can be used in every cycle. */
struct net_link_share net_link_share_of(const struct net_network *network)
{
    const struct net_engine *engine = network->engine;

    if (engine->link_share != NULL)
        return engine->link_share(network->topology, network->routing, &network->options);
    return (struct net_link_share){
        .most = {1, 1}, .entering = {1, 1}, .buffer_flits = network->options.buffer_flits};
}
