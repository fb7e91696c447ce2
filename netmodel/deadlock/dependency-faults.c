/* The check for deadlock of networks whose links have failed: what changes where packets go round dead links
 * (doc/faults.md, rules 20 to 25), once no control packet is on its way any more.
 *
 *      a packet on no ring   relies on the base's escapes over live links; where it has none, or may not take them,
 *                            on its router's ring: adaptive outputs are without dead links and without ring outputs
 *      a packet on a ring    relies on the next link of the ring; to leave it, on the re-injection queue, which takes
 *                            all: it is a new packet then, as of its router's terminals, and those are walked anyway
 *
 * So headers on rings need no walk. A ring has a place that no ring packet holds (rule 23), so it is one vertex of the
 * graph, as a ring of the topology under the bubble rule is. */
#include "netmodel/deadlock/dependency-internal.h"
#include "netmodel/faults/rings.h"

/* For good or from some cycle on makes no difference: the check is of the network when all failures have come. */
static bool is_dead(const struct net_walk *walk, uint32_t link)
{
    return walk->faults->control->faults->dies[link] != NET_NEVER;
}

/* All rings of a network use one virtual channel. */
static uint32_t ring_channel(const struct net_walk *walk)
{
    return walk->faults->control->options.routing->ring_channel;
}

/* Whether a channel, link * virtual_channels + channel, is of a ring. */
static bool is_ring(const struct net_walk *walk, uint32_t c)
{
    return c % walk->virtual_channels == ring_channel(walk) &&
           walk->faults->rings->next[c / walk->virtual_channels] != NET_NONE;
}

/* Who may take the base's escape at all. Packets that have been on a ring of Immucube's may not, and rely on the ring;
 * they depend on nothing else and need no node of their own. */
static bool may_escape(const struct net_walk *walk, uint32_t router)
{
    const struct net_control *control = walk->faults->control;
    return !control->options.routing->escape_before_waves || control->router[router].wave.epoch == 0;
}

/* Takes the outputs of a set that are dead, or of a ring, out of it. */
static void keep_live(const struct net_walk *walk, uint32_t router, uint64_t *set)
{
    for (uint32_t o = net_set_next(set, walk->words, 0); o != NET_NONE;
         o = net_set_next(set, walk->words, o + 1)) {
        uint32_t c = net_walk_output(walk, router, o);
        if (is_dead(walk, c / walk->virtual_channels) || is_ring(walk, c))
            net_set_remove(set, o);
    }
}

/* A header that has no escape left relies on the rings through its router, whichever: the walk cannot know on
 * which one it would be put. */
void net_walk_fail(struct net_walk *walk, uint32_t node)
{
    uint32_t router = walk->nodes[node].router;
    const struct net_topology *topology = walk->routing->topology;
    uint64_t *outputs = net_walk_set(walk, node, NET_WALK_OUTPUTS);
    uint64_t *escapes = net_walk_set(walk, node, NET_WALK_ESCAPES);
    if (router == walk->target)
        return;
    for (uint32_t w = 0; w < walk->words && !may_escape(walk, router); w++) {
        outputs[w] &= ~escapes[w];
        escapes[w] = 0;
    }
    keep_live(walk, router, outputs);
    keep_live(walk, router, escapes);
    if (net_set_next(escapes, walk->words, 0) != NET_NONE)
        return;
    for (uint32_t port = 0; port < walk->ports; port++) {
        uint32_t link = topology->link_at[(size_t)router * walk->ports + port];
        if (link != NET_NONE && walk->faults->rings->next[link] != NET_NONE)
            net_walk_add(walk, escapes, port, UINT32_C(1) << ring_channel(walk));
    }
}

/* Rings that cover the network lead to the target; the others to a router that is nearer to it, where the packet begins
 * anew: so it arrives after as many stays on rings as it is links away. */
bool net_walk_ring_leads(const struct net_walk *walk, uint32_t node)
{
    const struct net_topology *topology = walk->routing->topology;
    const uint32_t *of = walk->faults->rings->of;
    uint32_t router = walk->nodes[node].router;
    uint32_t o = net_set_next(net_walk_set(walk, node, NET_WALK_ESCAPES), walk->words, 0);
    uint32_t distance = net_topology_distance(topology, router, walk->target);
    if (o == NET_NONE || !is_ring(walk, net_walk_output(walk, router, o)))
        return o != NET_NONE;
    if (walk->faults->control->options.routing->everywhere)
        return of[walk->target] == of[router];
    for (uint32_t other = 0; other < topology->routers; other++)
        if (of[other] == of[router] && net_topology_distance(topology, other, walk->target) < distance)
            return true;
    return false;
}

/* Rings are the same for every target, so that this is done once and not in each walk. */
void net_walk_add_rings(const struct net_walk *walk, uint64_t *waits, uint32_t *number)
{
    uint32_t channels = walk->virtual_channels;
    for (uint32_t link = 0; link < walk->routing->topology->link_count; link++) {
        uint32_t next = walk->faults->rings->next[link];
        if (next == NET_NONE)
            continue;
        size_t c = (size_t)link * channels + ring_channel(walk);
        net_set_add(waits + c * walk->words, net_walk_local(walk, next * channels + ring_channel(walk)));
        number[c] = 0;
    }
}

/* Wrong, for tests: from a ring into the escapes that any packet has here. */
void net_walk_add_returns(const struct net_walk *walk, uint32_t node, uint64_t *waits)
{
    uint32_t router = walk->nodes[node].router, channels = walk->virtual_channels;
    const uint64_t *escapes = net_walk_set(walk, node, NET_WALK_ESCAPES);
    uint32_t o = net_set_next(escapes, walk->words, 0);
    if (o == NET_NONE || is_ring(walk, net_walk_output(walk, router, o)))
        return;
    for (uint32_t place = 0; place < walk->places; place++) {
        uint32_t link = walk->incoming[(size_t)router * walk->places + place];
        if (link != NET_NONE && walk->faults->rings->next[link] != NET_NONE)
            net_set_unite(waits + ((size_t)link * channels + ring_channel(walk)) * walk->words, escapes,
                          walk->words);
    }
}

/* A ring is listed from its first link on, until it comes back there. */
void net_walk_group_rings(const struct net_walk *walk, uint32_t *group, uint32_t *next)
{
    const struct net_rings *rings = walk->faults->rings;
    uint32_t channels = walk->virtual_channels, on = ring_channel(walk);
    for (uint32_t i = 0; i < rings->count; i++) {
        uint32_t first = rings->ring[i].first, link = first;
        while (link != NET_NONE) {
            group[link * channels + on] = first * channels + on;
            next[link * channels + on] = rings->next[link] * channels + on;
            link = rings->next[link] == first ? NET_NONE : rings->next[link];
        }
    }
}
