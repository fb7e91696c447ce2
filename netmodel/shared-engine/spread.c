/* How a multicast spreads over shared channels: from a terminal that has the message to those that it passes
 * it on to (the broadcast paper; doc/shared-channels.md, rules 9, 10, 12 and 13).
 *
 *      tree                 one packet that forks within the network
 *      MST-unicast          messages along the same tree, from terminal to terminal
 *      recursive doubling   a message to the other half of the box, and so on in each half
 *
 * When a multicast begins, and who has had its copies, is multicast.c. */
#include <string.h>

#include "base/random.h"
#include "netmodel/shared-engine/spread.h"

#define FIRST_KEYS (UINT64_C(1) << 32) /* above the numbers of packets */

/* ---- the tree (rule 10) ---- */

/* The ways from a channel, to which the multicast has come by that port (or none), that stay in the box. */
static uint32_t tree_ways(const struct net_shared_engine *engine, uint32_t multicast, uint32_t channel,
                          uint32_t port)
{
    const uint32_t *at = place_of(engine, channel);
    uint32_t ways = 0, from = port == NET_SHARED_NO_PORT ? 0 : port / 2;
    for (uint32_t d = from; d < engine->dimensions; d++) {
        bool same = port != NET_SHARED_NO_PORT && d == from;
        uint32_t place = within_box(engine, multicast, d, at[d]);
        if (place + 1 < extent_of(engine, multicast, d) && (!same || port % 2 == 0))
            ways |= UINT32_C(1) << 2 * d;
        if (place > 0 && (!same || port % 2 == 1))
            ways |= UINT32_C(1) << (2 * d + 1);
    }
    return ways;
}

/* The terminals of the channel are the last in the order of reservation. The root does not send to itself. */
uint32_t net_shared_tree(const struct net_shared_engine *engine, uint32_t multicast, uint32_t channel,
                         uint32_t slot, uint32_t *narrow)
{
    const struct net_topology *topology = engine->network.topology;
    const uint32_t *plan = engine->multicasts[multicast].plan;
    *narrow = plan != NULL ? plan[2 * (size_t)channel + 1] : 0;
    if (plan != NULL)
        return plan[2 * (size_t)channel];
    uint32_t port = slot < engine->ports ? slot : NET_SHARED_NO_PORT;
    uint32_t root = engine->multicasts[multicast].root;
    uint32_t terminals = (UINT32_C(1) << topology->concentration) - 1;
    if (root / topology->concentration == channel)
        terminals &= ~(UINT32_C(1) << root % topology->concentration);
    return tree_ways(engine, multicast, channel, port) | terminals << engine->ports;
}

/* ---- messages that belong to a multicast ---- */

/* In the network it is as any other message, with a key of its own. */
void net_shared_send_part(struct net_shared_engine *engine, uint32_t multicast_index, uint32_t source,
                          uint32_t target, uint32_t port)
{
    const struct net_shared_multicast *multicast = &engine->multicasts[multicast_index];
    uint32_t index;
    if (net_shared_new_message(engine, &index) < 0)
        return;
    bool tree = target == NET_NONE;
    uint32_t to = tree ? source : target, from = engine->first_point[source], at = engine->first_point[to];
    engine->messages[index] = (struct net_shared_message){
        .number = multicast->number,
        .key = tree ? multicast->key : base_hash(multicast->key, FIRST_KEYS + target),
        .generated = multicast->generated,
        .point = from,
        .target = at,
        .packets = multicast->packets,
        .last_flits = net_shared_last_flits(engine, multicast->flits, multicast->packets),
        .multicast = multicast_index,
        .port = (uint8_t)port,
        .tree = tree};
    uint64_t begun =
        engine->network.now > multicast->generated ? engine->network.now + 1 : multicast->generated;
    net_shared_schedule(engine, begun, index);
}

/* To the other terminals of the channel. Returns how many. */
static uint32_t send_to_siblings(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal)
{
    uint32_t per_channel = engine->network.topology->concentration, count = 0;
    for (uint32_t slot = 0; slot < per_channel; slot++) {
        uint32_t sibling = terminal / per_channel * per_channel + slot;
        if (sibling == terminal)
            continue;
        net_shared_send_part(engine, multicast, terminal, sibling, NET_SHARED_NO_PORT);
        count++;
    }
    return count;
}

/* MST-unicast (rule 12): to the terminal of slot 0 on the next channel of every way. */
static uint32_t send_along_tree(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal,
                                uint32_t port)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t channel = terminal / topology->concentration, count = 0;
    for (uint32_t ways = tree_ways(engine, multicast, channel, port); ways != 0; ways &= ways - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(ways);
        const uint32_t *at = place_of(engine, channel);
        uint32_t next[NET_DIMENSIONS_MAX];
        memcpy(next, at, engine->dimensions * sizeof *at);
        next[way / 2] += way % 2 == 0 ? 1 : topology->grid->sides[way / 2] - 1;
        next[way / 2] %= topology->grid->sides[way / 2];
        net_shared_send_part(engine, multicast, terminal, channel_at(engine, next) * topology->concentration,
                             way);
        count++;
    }
    return count;
}

/* One step of recursive doubling: the box is halved, and the half without the holder gets one of its own. All
 * places are counted from the first channel of the box. */
struct doubling {
    uint32_t low[NET_DIMENSIONS_MAX], high[NET_DIMENSIONS_MAX];
    uint32_t holder[NET_DIMENSIONS_MAX], other[NET_DIMENSIONS_MAX];
    uint32_t dimension; /* that is halved */
    uint32_t border;    /* first coordinate of the upper half */
};

/* Rule 13: the lowest dimension in which the box is more than one channel wide. false: there is none. */
static bool halve(struct doubling *doubling, uint32_t dimensions)
{
    uint32_t d = 0;
    while (d < dimensions && doubling->low[d] == doubling->high[d])
        d++;
    if (d == dimensions)
        return false;
    uint32_t half = (doubling->high[d] - doubling->low[d] + 2) / 2;
    doubling->dimension = d;
    doubling->border = doubling->low[d] + half;
    memcpy(doubling->other, doubling->holder, dimensions * sizeof *doubling->holder);
    if (doubling->holder[d] >= doubling->border)
        doubling->other[d] -= half;
    else if (doubling->holder[d] + half <= doubling->high[d])
        doubling->other[d] += half;
    else
        doubling->other[d] = doubling->high[d];
    return true;
}

/* Goes on with the half in which `place` is. */
static void enter_half(struct doubling *doubling, const uint32_t *place, uint32_t dimensions)
{
    uint32_t d = doubling->dimension;
    bool upper = place[d] >= doubling->border;
    if (upper != (doubling->holder[d] >= doubling->border))
        memcpy(doubling->holder, doubling->other, dimensions * sizeof *doubling->holder);
    if (upper)
        doubling->low[d] = doubling->border;
    else
        doubling->high[d] = doubling->border - 1;
}

/* Places are counted from the box's low corner, which on a torus may lie behind the high one: hence the sides. */
static uint32_t channel_in_box(const struct net_shared_engine *engine, uint32_t multicast,
                               const uint32_t *place)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    for (uint32_t d = 0; d < engine->dimensions; d++)
        at[d] = (low_of(engine, multicast)[d] + place[d]) % engine->network.topology->grid->sides[d];
    return channel_at(engine, at);
}

/* Follows the halves from the whole box down to the channel of the terminal, and sends from where it holds
 * one. */
static uint32_t send_to_halves(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t channel = terminal / topology->concentration, count = 0, n = engine->dimensions;
    uint32_t root = engine->multicasts[multicast].root / topology->concentration;
    uint32_t here[NET_DIMENSIONS_MAX];
    struct doubling doubling;
    for (uint32_t d = 0; d < n; d++) {
        doubling.low[d] = 0;
        doubling.high[d] = extent_of(engine, multicast, d) - 1;
        doubling.holder[d] = within_box(engine, multicast, d, place_of(engine, root)[d]);
        here[d] = within_box(engine, multicast, d, place_of(engine, channel)[d]);
    }
    while (halve(&doubling, n)) {
        if (memcmp(doubling.holder, here, n * sizeof *here) == 0) {
            net_shared_send_part(engine, multicast, terminal,
                                 channel_in_box(engine, multicast, doubling.other) * topology->concentration,
                                 NET_SHARED_NO_PORT);
            count++;
        }
        enter_half(&doubling, here, n);
    }
    return count;
}

/* Begins or goes on with a multicast at a terminal that has the data. Returns how many packets it sends itself. */
uint32_t net_shared_spread(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal,
                           uint32_t port)
{
    if (net_shared_spreads_within(&engine->network.options)) {
        net_shared_send_part(engine, multicast, terminal, NET_NONE, NET_SHARED_NO_PORT);
        return engine->multicasts[multicast].packets;
    }
    uint32_t count = engine->network.options.spreading == NET_MST_UNICAST
                         ? send_along_tree(engine, multicast, terminal, port)
                         : send_to_halves(engine, multicast, terminal);
    return count + send_to_siblings(engine, multicast, terminal);
}
