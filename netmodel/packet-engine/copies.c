/* The packet-grant engine's multicasts (rule 10 of doc/flit-engine.md; king-tree.h).
 *
 *     net_packet_engine_multicast   who is to have a copy ─► tree ─► a flight with a spread
 *     net_packet_copies_needed      what a packet asks for in the router that it comes to
 *     net_packet_copy_packet        one more packet for a branch
 *     net_packet_gather_copies      notices of complete copies, between cycles
 *
 * The tree is fixed when the multicast is injected, in place of the counters and lists that a header would
 * carry: they say the same at every router. */
#include <stdlib.h>

#include "netmodel/packet-engine/internal.h"
#include "netmodel/multicasts/king-tree.h"

/* NULL is legal: most flights have none. */
void net_packet_spread_free(struct net_packet_spread *spread)
{
    if (spread == NULL)
        return;
    free(spread->ports);
    free(spread->members);
    free(spread->missing);
    free(spread);
}

/* As large as the network, however short the list. */
static struct net_packet_spread *new_spread(const struct net_topology *topology)
{
    struct net_packet_spread *spread = calloc(1, sizeof *spread);
    if (spread == NULL)
        return NULL;
    spread->ports = calloc(topology->routers, sizeof *spread->ports);
    spread->members = calloc(topology->terminals, sizeof *spread->members);
    spread->missing = calloc(topology->terminals, sizeof *spread->missing);
    if (spread->ports != NULL && spread->members != NULL && spread->missing != NULL)
        return spread;
    net_packet_spread_free(spread);
    return NULL;
}

/* The tree to all routers that have a member; what each member is to get. -1: memory. */
static int plan(struct net_packet_spread *spread, const struct net_topology *topology, uint32_t source,
                uint32_t packets)
{
    bool *routers = calloc(topology->routers, sizeof *routers);
    if (routers == NULL)
        return -1;
    for (uint32_t i = 0; i < topology->terminals; i++) {
        if (!spread->members[i])
            continue;
        routers[i / topology->concentration] = true;
        spread->missing[i] = packets;
        spread->copies++;
    }
    int result = net_king_tree(topology, source / topology->concentration, routers, spread->ports);
    free(routers);
    return result;
}

/* The generic kernel alone knows of copies, so that the others cost what they did. It runs from a multicast's
 * entering until the last one is delivered: then no packet, grant or event of a copy is left, since each leads
 * to a member. Between cycles. */
static void take_kernel(struct net_packet_engine *engine)
{
    bool copies = engine->spreads != 0;
    if (engine->shape.copies == copies)
        return;
    net_packet_parts_settle(engine);
    engine->shape.copies = copies;
    engine->kernel = net_packet_kernel_for(&engine->shape);
}

/* Options do not matter here: what the engine serves, it can copy. */
enum net_multicasts net_packet_engine_multicasts(const struct net_topology *topology,
                                                 const struct net_routing *routing,
                                                 const struct net_options *options, const char **obstacle)
{
    if (options->multiplexed)
        return net_multicasts_by_flits(topology, routing, options, obstacle);
    *obstacle = routing != NULL && routing->kind->failing ? "its trees know no ways around dead links"
                                                          : net_king_tree_obstacle(topology, routing);
    return *obstacle == NULL ? NET_LIST_MULTICASTS : NET_NO_MULTICASTS;
}

/* That the routing can be combined with copies is known (net_multicasts_of). */
int net_packet_engine_multicast(struct net_network *network, uint64_t cycle,
                                const struct net_multicast *multicast, struct base_error *error)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    struct net_packet_spread *spread = new_spread(network->topology);
    if (spread == NULL)
        return base_error_memory(error, "a multicast");
    net_multicast_members(network->topology, multicast, spread->members);
    const struct net_packet_flight flight = {.tag = multicast->tag,
                                             .flits_left = multicast->flits,
                                             .source = multicast->source,
                                             .target = multicast->source & NET_PACKET_FLIGHT_TARGET,
                                             .spread = spread,
                                             .notice_sent = multicast->notice_sent};
    if (plan(spread, network->topology, multicast->source,
             (uint32_t)net_network_packets(network, multicast->flits)) < 0) {
        net_packet_spread_free(spread);
        return base_error_memory(error, "a multicast");
    }
    net_packet_parts_settle(engine);
    if (net_packet_enter_flight(engine, cycle, &flight, error) < 0)
        return -1;
    engine->spreads++;
    take_kernel(engine);
    return 0;
}

/* Links first, by virtual channel 0; then one bit for each member among the router's terminals, that of its
 * first ejection channel. */
uint64_t net_packet_copies_needed(const struct net_packet_engine *engine, uint32_t flight, uint32_t router)
{
    const struct net_packet_spread *spread = engine->flights[flight].spread;
    uint64_t needed = 0;
    for (uint32_t ports = spread->ports[router]; ports != 0; ports &= ports - 1)
        needed |= UINT64_C(1) << (uint32_t)__builtin_ctz(ports) * engine->shape.channels;
    for (uint32_t slot = 0; slot < engine->concentration; slot++)
        if (spread->members[router * engine->concentration + slot])
            needed |= UINT64_C(1) << (engine->first_ejection + slot * engine->consumers);
    return needed;
}

/* It differs from the packet in where it goes, and it is this part's. The packet itself takes the last branch,
 * so that there is one more of them for each copy. */
uint32_t net_packet_copy_packet(struct net_packet_part *part, uint32_t packet)
{
    uint32_t index = net_packet_new_packet(part);
    if (index == NET_PACKET_NO_PACKET)
        return NET_PACKET_NO_PACKET;
    struct net_packet_packet *copy = &part->packets[index];
    *copy = part->packets[packet];
    copy->next = NET_PACKET_NO_PACKET;
    copy->unstarted = 0;
    part->packets_made++;
    return index;
}

/* With the last copy the multicast is delivered, as a message is. missing[] has counted the packets in the
 * terminals' own parts; only what became complete comes here, so that two parts never write the same number. */
int net_packet_gather_copies(struct net_packet_engine *engine, struct net_packet_part *part)
{
    int result = 0;
    for (uint32_t i = 0; i < part->copies.count; i++) {
        uint32_t index = (uint32_t)(part->copies.items[i] >> 32);
        struct net_packet_flight *flight = &engine->flights[index];
        result |= net_network_notice_copy(&engine->network, flight->number, (uint32_t)part->copies.items[i],
                                          flight->tag);
        if (--flight->spread->copies != 0)
            continue;
        engine->network.statistics.messages++;
        net_packet_spread_free(flight->spread);
        flight->spread = NULL;
        net_packet_release_flight(engine, index);
        engine->spreads--;
    }
    if (!net_packet_has_others(part))
        part->copies.count = 0;
    take_kernel(engine);
    return result;
}
