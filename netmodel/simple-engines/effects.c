/* Networks with some of the effects of a real one: what each effect costs is the difference between two
 * replays (doc/attribution.md). They stand between the ideal network (ideal.c) and the engines:
 *
 *      NET_DISTANCE        a message takes the header latency of its way, nothing else
 *      NET_SERIALISATION   and its flits follow one a cycle: every message as if it were alone
 *      NET_TERMINALS       and the messages of a terminal share its injectors and ejection channels
 *      NET_CHANNELS        and all packets share the links, with unlimited buffers and virtual channels
 *
 * A shared channel serves whole packets, first come, first served; packets that come in one cycle are served
 * in the order of the events that brought them, which is fixed. A packet waits for a link beside the others,
 * never behind one that waits for another link; among several outputs of its routing it takes the one that is
 * free first, the first tier's before others, and draws (rule 3 of doc/flit-engine.md) among equals. Nothing
 * ever has to be given back, so the start of a service is known when it is asked for.
 *
 * Latencies are those of the rules: header latency d * L + (d + 1) * (R - 1) over d links, usable one cycle
 * after the tail. Over links of their own (rule 12) every link has its L + W - 1, and a packet's tail is behind its
 * header by the narrowest of them. That packets of one message wait for each other at a narrow link is an effect
 * of NET_CHANNELS.
 *
 * Multistage networks (stages/multistage.h) have the same four, by the rules of doc/multistage.md: a message takes S
 * cycles over its S + 1 links, and a link or bus serves a packet for as long as its bits take (stages/bits.h); the
 * first and the last link are the injector and the ejection channel of their processors. Up to NET_TERMINALS each
 * message has a narrowest link of its own, which its packets cross one after another.
 *
 * Networks of shared channels (netmodel/topologies/mway.h) have the same four, by their own rules
 * (doc/shared-channels.md): the header of a message over d links takes d + 1 transfers of R cycles. On
 * NET_CHANNELS a packet is served by the channel of its source, which takes it out of its injector, and by
 * each channel on its way; the last of them ejects it. Links, which are buffer sets there, cost nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/multicasts/king-tree.h"
#include "netmodel/engines/lines.h"
#include "netmodel/engines/delivery.h"
#include "netmodel/simple-engines/effects.h"
#include "netmodel/multicasts/mway-tree.h"
#include "netmodel/stages/bits.h"
#include "netmodel/topologies/mway.h"

/* ---- pools ---- */

static int take_flight(struct effects *effects, uint32_t *slot)
{
    *slot = NET_POOL_TAKE(&effects->flight_pool, &effects->flights, struct flight, next);
    return *slot != NET_NONE ? 0 : -1;
}

static int take_packet(struct effects *effects, uint32_t *slot)
{
    *slot = NET_POOL_TAKE(&effects->packet_pool, &effects->packets, struct packet, router);
    return *slot != NET_NONE ? 0 : -1;
}

static void free_packet(struct effects *effects, uint32_t slot)
{
    NET_POOL_GIVE(&effects->packet_pool, effects->packets, struct packet, router, slot);
}

static void release_flight(struct effects *effects, uint32_t slot)
{
    NET_POOL_GIVE(&effects->flight_pool, effects->flights, struct flight, next, slot);
}

static void free_copies(struct copies *copies)
{
    if (copies == NULL)
        return;
    free(copies->flight);
    free(copies->ports);
    free(copies);
}

static int schedule(struct effects *effects, uint64_t cycle, enum event_kind kind, uint32_t index)
{
    return net_calendar_push(&effects->calendar, cycle, (uint64_t)index * EVENT_KINDS + kind);
}

/* ---- packets ---- */

/* Key, way and length as the engines fix them (rules 2 and 7): every rung replays the same packets. Where nobody asks
 * for the way there is neither key nor header. */
static struct packet cut(struct effects *effects, uint32_t flight_index)
{
    struct flight *flight = &effects->flights[flight_index];
    const struct net_routing *routing = effects->network.routing;
    uint32_t source = flight->first, target = flight->last, largest = effects->network.options.packet_flits;
    struct packet packet = {.flight = flight_index,
                            .number = flight->packets_made,
                            .router = source,
                            .spreads = flight->copies != NULL,
                            .copied = flight->origin != NET_NONE};
    packet.flits = flight->flits_left < largest ? (uint32_t)flight->flits_left : largest;
    flight->flits_left -= packet.flits;
    flight->packets_made++;
    if (effects->plain && effects->level <= NET_TERMINALS)
        return packet;
    packet.key = base_hash(flight->key, packet.number);
    uint32_t variants = routing->kind->variants(routing, source, target);
    uint32_t variant = net_routing_variant(routing, flight->message.source, flight->message.target, variants,
                                           base_hash(packet.key, UINT64_MAX));
    packet.header = effects->multistage != NULL ? net_multistage_header(effects->multistage, target)
                                                : routing->kind->start(routing, source, target, variant);
    return packet;
}

/* Links on the way of a packet that meets no other: the first output of the first tier at every router. Trees have
 * the shortest path to everybody. */
static uint32_t count_links(const struct effects *effects, const struct packet *packet)
{
    const struct net_topology *topology = effects->network.topology;
    const struct net_routing *routing = effects->network.routing;
    const struct flight *flight = &effects->flights[packet->flight];
    if (packet->copied || effects->plain)
        return net_topology_distance(topology, flight->first, flight->last);
    uint32_t router = packet->router, links = 0;
    uint64_t header = packet->header;
    struct net_route route;
    for (; routing->kind->route(routing, router, header, &route) > 0; links++) {
        uint32_t port = net_route_next(topology, &route, 0, 0);
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
    }
    return links;
}

/* Over a link of stages, and the bus beside it: the last one's tail is behind its header as it came. */
static uint64_t cross_stage(const struct effects *effects, struct packet *packet, uint32_t number,
                            uint64_t start, uint64_t *free_cycle)
{
    uint64_t end =
        start + net_bits_over_link(effects->multistage, packet->flits, number, start, effects->buses);
    packet->tail = *free_cycle = end > packet->tail + 1 ? end : packet->tail + 1;
    return start + 1;
}

/* What a link does to a packet that goes onto it in cycle `start`: the header's next cycle is returned; the tail
 * follows as fast as the link takes it, or as it comes itself. *free_cycle: when the link takes the next
 * packet. */
static uint64_t cross_link(const struct effects *effects, struct packet *packet, uint32_t number,
                           uint64_t start, uint64_t *free_cycle)
{
    if (effects->multistage != NULL)
        return cross_stage(effects, packet, number, start, free_cycle);
    const struct net_link *link = &effects->network.topology->links[number];
    uint32_t width = net_link_width(link);
    uint32_t crossing = net_link_crossing(link, (uint32_t)effects->link_latency);
    uint64_t last = start + (uint64_t)(packet->flits - 1) * width;
    if (last < packet->tail)
        last = packet->tail;
    packet->tail = last + crossing;
    *free_cycle = last + width;
    return start + crossing + effects->router_latency;
}

/* Links that are not all alike. */
static bool has_own_links(const struct effects *effects)
{
    return effects->network.topology->own_latencies || effects->network.topology->narrow_links;
}

/* Takes a packet that meets no other over its way, as count_links goes, from cycle `start` on. Returns the cycle in
 * which its header may be ejected; its tail has its own. */
static uint64_t follow(const struct effects *effects, struct packet *packet, uint64_t start)
{
    const struct net_topology *topology = effects->network.topology;
    const struct net_routing *routing = effects->network.routing;
    uint32_t router = packet->router;
    uint64_t header = packet->header, cycle = start, unused = 0;
    struct net_route route;
    for (packet->links = 0; routing->kind->route(routing, router, header, &route) > 0; packet->links++) {
        uint32_t port = net_route_next(topology, &route, 0, 0);
        uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
        cycle = cross_link(effects, packet, link, cycle, &unused);
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[link].target;
    }
    return cycle;
}

/* From leaving the first router to being routed in the last. */
static uint64_t header_latency(const struct effects *effects, uint32_t links)
{
    links -= effects->multistage != NULL; /* the last one is what ejects */
    return links * (effects->link_latency + effects->router_latency);
}

/* For who asks for times only, and then that nothing was lost. */
static void count_flits(struct effects *effects, uint64_t packets, uint64_t flits)
{
    effects->network.statistics.packets += packets;
    effects->network.statistics.flits += flits;
}

/* Counts a packet whose tail is ejected in `cycle`. The digest has the record that the engines' has. */
static int count_packet(struct effects *effects, const struct packet *packet, uint64_t cycle)
{
    if (effects->network.options.times_only) {
        count_flits(effects, 1, packet->flits);
        return 0;
    }
    const struct flight *flight = &effects->flights[packet->flight];
    const struct net_delivery delivery = {.message = flight->number,
                                          .generated = flight->cycle,
                                          .cycle = cycle,
                                          .packet = packet->number,
                                          .terminal =
                                              flight->origin != NET_NONE ? flight->message.target : NET_NONE,
                                          .length = packet->flits,
                                          .hops = packet->links};
    uint64_t latency = net_delivery_count(&effects->network.statistics, &delivery);
    if (flight->origin == NET_NONE) /* copies are injected together */
        effects->network.terminal_flits[flight->message.source] += packet->flits;
    effects->network.terminal_flits[effects->network.topology->terminals + flight->message.target] +=
        packet->flits;
    return net_latency_add(&effects->network.latency, latency);
}

/* ---- messages alone: distance and serialisation ---- */

/* The cycle in which the tail of a packet is ejected. All flits of NET_DISTANCE come with the header. */
static uint64_t tail_alone(const struct effects *effects, struct packet *packet, uint64_t joined,
                           uint64_t crossed)
{
    bool serialised = effects->level == NET_SERIALISATION;
    uint64_t start = joined + (serialised ? crossed : 0);
    if (!has_own_links(effects))
        return start + header_latency(effects, packet->links) +
               (serialised ? net_length_alone(effects->multistage, packet->flits, packet->number) - 1 : 0);
    uint64_t header = follow(effects, packet, start), last = header + packet->flits - 1;
    if (!serialised)
        return header;
    return last > packet->tail ? last : packet->tail;
}

/* The ends of a message, whose flits cross the injector in so many cycles. */
static int schedule_ends(struct effects *effects, uint32_t index, uint64_t crossed, uint64_t delivered)
{
    bool serialised = effects->level == NET_SERIALISATION;
    if (effects->flights[index].message.notice_sent &&
        schedule(effects, effects->network.now + (serialised ? crossed : 0), SENT, index) < 0)
        return -1;
    return schedule(effects, delivered + serialised, DELIVER, index);
}

/* A message whose packets follow each other over one way that has no narrow link: its last flit tells its end. */
static int send_whole(struct effects *effects, uint32_t index)
{
    struct flight *flight = &effects->flights[index];
    uint64_t flits = flight->flits_left, delivered = effects->network.now;
    const struct packet packet = cut(effects, index);
    delivered += header_latency(effects, count_links(effects, &packet));
    flight->flits_left = 0;
    count_flits(effects, flight->packets, flits);
    return schedule_ends(effects, index, flits,
                         delivered + (effects->level == NET_SERIALISATION ? flits - 1 : 0));
}

/* With nothing shared a message's packets can be followed at once, and only its ends are events. */
static int send_alone(struct effects *effects, uint32_t index)
{
    uint64_t joined = effects->network.now;
    uint64_t crossed = 0, delivered = joined;
    uint32_t links = NET_NONE;
    if (effects->plain && effects->network.options.times_only)
        return send_whole(effects, index);
    while (effects->flights[index].flits_left > 0) {
        struct packet packet = cut(effects, index);
        if (links == NET_NONE || !effects->network.routing->kind->minimal)
            links = count_links(effects, &packet);
        packet.links = links;
        uint64_t tail = tail_alone(effects, &packet, joined, crossed);
        crossed += net_length_alone(effects->multistage, packet.flits, packet.number);
        if (tail > delivered)
            delivered = tail;
        if (count_packet(effects, &packet, tail) < 0)
            return -1;
    }
    return schedule_ends(effects, index, crossed, delivered);
}

/* Every copy of a multicast as if it were a message. The end of the injection comes first, since the flight
 * goes with the last copy. */
static int send_copies_alone(struct effects *effects, uint32_t index)
{
    uint32_t terminals = effects->network.topology->terminals;
    struct copies *copies = effects->flights[index].copies;
    uint64_t flits = effects->flights[index].flits_left;
    uint64_t injected = effects->network.now + (effects->level == NET_SERIALISATION ? flits : 0);
    effects->network.terminal_flits[effects->flights[index].message.source] += flits;
    if (effects->flights[index].message.notice_sent && schedule(effects, injected, SENT, index) < 0)
        return -1;
    for (uint32_t terminal = 0; terminal < terminals; terminal++)
        if (copies->flight[terminal] != NET_NONE && send_alone(effects, copies->flight[terminal]) < 0)
            return -1;
    return 0;
}

/* ---- what is shared ---- */

/* First come, first served: the cycle in which a packet that takes so long starts on the channel. */
static uint64_t serve(uint64_t *free_cycle, uint64_t cycle, uint64_t length)
{
    uint64_t start = *free_cycle > cycle ? *free_cycle : cycle;
    *free_cycle = start + length;
    return start;
}

/* Where a terminal is on a router or channel. */
static uint32_t point_of(const struct effects *effects, uint32_t terminal, uint32_t channel)
{
    const struct net_topology *topology = effects->network.topology;
    if (!net_shared_inside_routers(topology))
        return terminal;
    return 2 * terminal + (topology->shared->routers[terminal].lower != channel);
}

/* Rule 2: a point's injectors take its messages in turn. An injector that is at rest starts at once. */
static int join(struct effects *effects, uint32_t index)
{
    struct flight *flight = &effects->flights[index];
    uint32_t count = effects->network.options.injectors;
    uint32_t point = point_of(effects, flight->message.source, flight->first);
    uint32_t number = point * count + effects->turns[point];
    struct injector *injector = &effects->injectors[number];
    effects->turns[point] = (effects->turns[point] + 1) % count;
    flight->next = NET_NONE;
    if (injector->first != NET_NONE) {
        effects->flights[injector->last].next = index;
        injector->last = index;
        return 0;
    }
    injector->first = injector->last = index;
    uint64_t cycle = effects->network.now;
    return schedule(effects, cycle > injector->free_cycle ? cycle : injector->free_cycle, INJECT, number);
}

/* The end of a packet is known when its ejection is: it is usable from that cycle on. Its message is
 * delivered with the last of them. */
static int end_packet(struct effects *effects, uint32_t slot, uint64_t usable)
{
    struct packet *packet = &effects->packets[slot];
    struct flight *flight = &effects->flights[packet->flight];
    uint32_t index = packet->flight;
    if (count_packet(effects, packet, usable - 1) < 0)
        return -1;
    free_packet(effects, slot);
    if (usable > flight->usable)
        flight->usable = usable;
    return --flight->packets_left == 0 ? schedule(effects, flight->usable, DELIVER, index) : 0;
}

/* The ejection channel of the packet's terminal that is free first. */
static int eject(struct effects *effects, uint32_t slot)
{
    struct packet *packet = &effects->packets[slot];
    packet->links += effects->multistage != NULL && effects->level == NET_CHANNELS;
    uint32_t consumers = effects->network.options.consumers;
    const struct flight *flight = &effects->flights[packet->flight];
    uint64_t *channels =
        effects->ejection + (size_t)point_of(effects, flight->message.target, flight->last) * consumers;
    uint32_t best = 0;
    for (uint32_t i = 1; i < consumers; i++)
        if (channels[i] < channels[best])
            best = i;
    serve(&channels[best], effects->network.now, net_length_at_end(effects->multistage, packet->flits, true));
    if (packet->tail >= channels[best])
        channels[best] = packet->tail + 1;
    return end_packet(effects, slot, channels[best]);
}

/* The ports of a tier whose links are free first. */
struct choice {
    uint64_t start; /* the earliest cycle in which one of them is free, the present one at least */
    uint32_t count;
    uint8_t ports[NET_PORTS_MAX]; /* the first `count` of them */
};

static void consider(const struct effects *effects, uint32_t router, const struct net_route *route,
                     uint32_t tier, struct choice *choice)
{
    const struct net_topology *topology = effects->network.topology;
    for (uint32_t port = net_route_next(topology, route, tier, 0); port != NET_NONE;
         port = net_route_next(topology, route, tier, port + 1)) {
        uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
        uint64_t free_cycle = effects->links[topology->shared != NULL ? topology->links[link].target : link];
        uint64_t start = free_cycle > effects->network.now ? free_cycle : effects->network.now;
        if (start > choice->start)
            continue;
        if (start < choice->start)
            choice->count = 0;
        choice->start = start;
        choice->ports[choice->count++] = (uint8_t)port;
    }
}

/* The port whose link is free first; a later tier's only where it is strictly earlier. */
static uint32_t choose(const struct effects *effects, const struct packet *packet,
                       const struct net_route *route, uint32_t tiers)
{
    struct choice best = {.start = UINT64_MAX};
    for (uint32_t tier = 0; tier < tiers; tier++) {
        struct choice choice = {.start = UINT64_MAX};
        consider(effects, packet->router, route, tier, &choice);
        if (choice.start < best.start)
            best = choice;
    }
    return best
        .ports[best.count > 1 ? base_scale(base_hash(packet->key, effects->network.now), best.count) : 0];
}

/* The port where there is no choice; else NET_NONE. */
static uint32_t only_port(const struct effects *effects, const struct net_route *route, uint32_t tiers)
{
    const struct net_topology *topology = effects->network.topology;
    uint32_t port = net_route_next(topology, route, 0, 0);
    return tiers == 1 && net_route_next(topology, route, 0, port + 1) == NET_NONE ? port : NET_NONE;
}

/* A packet like the one in the slot, from a new slot on. */
static int arrive_again(struct effects *effects, const struct packet *packet, uint64_t cycle)
{
    uint32_t slot;
    if (take_packet(effects, &slot) < 0)
        return -1;
    effects->packets[slot] = *packet;
    return schedule(effects, cycle, ARRIVE, slot);
}

/* First come, first served, onto a link that all share. Returns the cycle in which the header may leave the
 * next router. */
static uint64_t take_link(struct effects *effects, struct packet *packet, uint32_t link)
{
    uint64_t *free_cycle = &effects->links[link];
    uint64_t start = *free_cycle > effects->network.now ? *free_cycle : effects->network.now;
    effects->network.link_flits[link] += packet->flits;
    return cross_link(effects, packet, link, start, free_cycle);
}

/* Over the links of the tree, each shared with all others. */
static int branch(struct effects *effects, const struct packet *packet, uint32_t ports)
{
    const struct net_topology *topology = effects->network.topology;
    for (; ports != 0; ports &= ports - 1) {
        struct packet next = *packet;
        uint32_t link =
            topology->link_at[(size_t)packet->router * topology->ports + (uint32_t)__builtin_ctz(ports)];
        uint64_t cycle = take_link(effects, &next, link);
        next.router = topology->links[link].target;
        next.links++;
        if (arrive_again(effects, &next, cycle) < 0)
            return -1;
    }
    return 0;
}

/* ---- shared channels (netmodel/topologies/mway.h) ---- */

/* Whether a channel of the topology serves packets: on the rung that has channels, of a network that shares
 * them. */
static bool has_buses(const struct effects *effects)
{
    return effects->level == NET_CHANNELS && effects->network.topology->shared != NULL;
}

/* Terminals that may be at a router or channel: those inside m-way routers are sought among all. */
struct range {
    uint32_t first, end;
};

static struct range terminals_at(const struct effects *effects, uint32_t router)
{
    const struct net_topology *topology = effects->network.topology;
    uint32_t each = topology->concentration;
    if (net_shared_inside_routers(topology))
        return (struct range){0, topology->terminals};
    return (struct range){router * each, (router + 1) * each};
}

/* The flight of the copy that a terminal of that range has at the router, or NET_NONE. */
static uint32_t copy_at(const struct effects *effects, const struct copies *copies, uint32_t terminal,
                        uint32_t router)
{
    bool elsewhere = net_shared_inside_routers(effects->network.topology) &&
                     net_shared_nearer(effects->network.topology, copies->root, terminal) != router;
    return elsewhere ? NET_NONE : copies->flight[terminal];
}

/* A packet of a multicast is on its channel from `start` on, and all who are to have it there take it at
 * once: its terminals, and the ways of its tree. */
static int cross_to_all(struct effects *effects, uint32_t slot, uint64_t start)
{
    const struct net_topology *topology = effects->network.topology;
    const struct packet packet = effects->packets[slot];
    const struct copies *copies = effects->flights[packet.flight].copies;
    free_packet(effects, slot);
    const struct range here = terminals_at(effects, packet.router);
    for (uint32_t terminal = here.first; terminal < here.end; terminal++) {
        uint32_t taken = 0, copy = copy_at(effects, copies, terminal, packet.router);
        if (copy == NET_NONE)
            continue;
        if (take_packet(effects, &taken) < 0)
            return -1;
        effects->packets[taken] = packet;
        effects->packets[taken].flight = copy;
        effects->packets[taken].spreads = false;
        effects->packets[taken].copied = true;
        if (end_packet(effects, taken, start + packet.flits) < 0)
            return -1;
    }
    for (uint32_t ports = copies->ports[packet.router]; ports != 0; ports &= ports - 1) {
        struct packet next = packet;
        uint32_t link =
            topology->link_at[(size_t)packet.router * topology->ports + (uint32_t)__builtin_ctz(ports)];
        effects->network.link_flits[link] += packet.flits;
        next.router = topology->links[link].target;
        next.links++;
        if (arrive_again(effects, &next, start + effects->link_latency + effects->router_latency) < 0)
            return -1;
    }
    return 0;
}

/* A packet is on its channel from `start` on: the last one on its way ejects it. Where there are several
 * ways, it goes to the channel that is free first. */
static int cross(struct effects *effects, uint32_t slot, uint64_t start)
{
    struct packet *packet = &effects->packets[slot];
    const struct net_topology *topology = effects->network.topology;
    const struct net_routing *routing = effects->network.routing;
    struct net_route route;
    if (packet->spreads)
        return cross_to_all(effects, slot, start);
    uint32_t tiers = routing->kind->route(routing, packet->router, packet->header, &route);
    if (tiers == 0)
        return end_packet(effects, slot, start + packet->flits);
    uint32_t port = only_port(effects, &route, tiers);
    if (port == NET_NONE)
        port = choose(effects, packet, &route, tiers);
    uint32_t link = topology->link_at[(size_t)packet->router * topology->ports + port];
    effects->network.link_flits[link] += packet->flits;
    packet->header = routing->kind->step(routing, packet->router, packet->header, port);
    packet->router = topology->links[link].target;
    packet->links++;
    return schedule(effects, start + effects->link_latency + effects->router_latency, ARRIVE, slot);
}

/* ---- headers ---- */

/* A packet of a multicast in a router: it goes on by the tree, and becomes those of the copies for terminals
 * there. Without links to share, all copies leave the source at once, each for as far as it has to go. */
static int arrive_as_copies(struct effects *effects, uint32_t slot)
{
    const struct packet packet = effects->packets[slot];
    const struct copies *copies = effects->flights[packet.flight].copies;
    bool alone = effects->level == NET_TERMINALS;
    struct range here = {0, effects->network.topology->terminals};
    if (!alone)
        here = terminals_at(effects, packet.router);
    free_packet(effects, slot);
    for (uint32_t terminal = here.first; terminal < here.end; terminal++) {
        struct packet copy = packet;
        copy.flight = alone ? copies->flight[terminal] : copy_at(effects, copies, terminal, packet.router);
        if (copy.flight == NET_NONE)
            continue;
        copy.spreads = false;
        copy.copied = true;
        if (alone)
            copy.links = count_links(effects, &copy);
        if (arrive_again(effects, &copy,
                         effects->network.now + (alone ? header_latency(effects, copy.links) : 0)) < 0)
            return -1;
    }
    return alone ? 0 : branch(effects, &packet, copies->ports[packet.router]);
}

/* A header in a router. */
static int arrive(struct effects *effects, uint32_t slot)
{
    struct packet *packet = &effects->packets[slot];
    if (has_buses(effects))
        return cross(effects, slot,
                     serve(&effects->links[packet->router], effects->network.now, packet->flits));
    if (packet->spreads)
        return arrive_as_copies(effects, slot);
    const struct net_routing *routing = effects->network.routing;
    struct net_route route;
    uint32_t tiers = effects->level == NET_TERMINALS || packet->copied
                         ? 0
                         : routing->kind->route(routing, packet->router, packet->header, &route);
    if (tiers == 0)
        return eject(effects, slot);
    uint32_t port = only_port(effects, &route, tiers);
    if (port == NET_NONE)
        port = choose(effects, packet, &route, tiers);
    uint32_t link =
        effects->network.topology->link_at[(size_t)packet->router * effects->network.topology->ports + port];
    if (effects->multistage != NULL && net_multistage_is_last(effects->multistage, link))
        return eject(effects, slot);
    uint64_t cycle = take_link(effects, packet, link);
    packet->header = routing->kind->step(routing, packet->router, packet->header, port);
    packet->router = effects->network.topology->links[link].target;
    packet->links++;
    return schedule(effects, cycle, ARRIVE, slot);
}

/* ---- from the injector ---- */

/* The injector is at rest, or has its next packet as soon as the tail of this one has left. */
static int leave_injector(struct effects *effects, uint32_t number, uint32_t index)
{
    struct injector *injector = &effects->injectors[number];
    if (effects->flights[index].flits_left == 0) {
        injector->first = effects->flights[index].next;
        if (effects->flights[index].message.notice_sent &&
            schedule(effects, injector->free_cycle, SENT, index) < 0)
            return -1;
    }
    return injector->first != NET_NONE ? schedule(effects, injector->free_cycle, INJECT, number) : 0;
}

/* The tail of a packet whose header comes by links that its message has to itself: its packets cross the narrowest
 * one after another, as they do on NET_SERIALISATION. */
static uint64_t cross_alone(const struct effects *effects, const struct packet *packet, uint64_t header)
{
    uint64_t *narrow = &effects->flights[packet->flight].narrow;
    uint64_t length = net_length_alone(effects->multistage, packet->flits, packet->number);
    return serve(narrow, header, length) + length - 1;
}

/* One packet leaves the injector, which is free for the next when its tail has left. That is told before its
 * end, with which the message goes. */
static int inject_packet(struct effects *effects, uint32_t number)
{
    struct injector *injector = &effects->injectors[number];
    uint32_t index = injector->first, slot = 0;
    uint64_t cycle = effects->network.now;
    if (take_packet(effects, &slot) < 0)
        return -1;
    struct packet packet = cut(effects, index);
    uint64_t start = has_buses(effects) ? serve(&effects->links[packet.router], cycle, packet.flits) : cycle;
    injector->free_cycle = start + net_length_at_end(effects->multistage, packet.flits, false);
    if (effects->flights[index].copies != NULL)
        effects->network.terminal_flits[effects->flights[index].message.source] += packet.flits;
    if (leave_injector(effects, number, index) < 0)
        return -1;
    if (effects->level == NET_TERMINALS && effects->flights[index].copies == NULL) {
        if (has_own_links(effects)) {
            cycle = follow(effects, &packet, cycle);
        } else {
            packet.links = count_links(effects, &packet);
            cycle += header_latency(effects, packet.links);
            packet.tail = effects->multistage != NULL ? cross_alone(effects, &packet, cycle) : 0;
        }
    }
    effects->packets[slot] = packet;
    return has_buses(effects) ? cross(effects, slot, start) : schedule(effects, cycle, ARRIVE, slot);
}

/* ---- ends ---- */

/* With its last copy the multicast is delivered. */
static int deliver_copy(struct effects *effects, uint32_t index)
{
    const struct flight *flight = &effects->flights[index];
    struct flight *origin = &effects->flights[flight->origin];
    uint32_t origin_index = flight->origin;
    if (net_network_notice_copy(&effects->network, flight->number, flight->message.target,
                                flight->message.tag) < 0)
        return -1;
    release_flight(effects, index);
    if (--origin->copies->left != 0)
        return 0;
    effects->network.statistics.messages++;
    effects->live--;
    free_copies(origin->copies);
    origin->copies = NULL;
    release_flight(effects, origin_index);
    return 0;
}

static int deliver(struct effects *effects, uint32_t index)
{
    const struct flight *flight = &effects->flights[index];
    if (flight->origin != NET_NONE)
        return deliver_copy(effects, index);
    effects->network.statistics.messages++;
    effects->live--;
    if (net_network_notice(&effects->network, flight->number, NET_DELIVERED, flight->message.tag) < 0)
        return -1;
    release_flight(effects, index);
    return 0;
}

static int handle(struct effects *effects, uint64_t payload)
{
    uint32_t index = (uint32_t)(payload / EVENT_KINDS);
    const struct flight *flight;
    switch ((enum event_kind)(payload % EVENT_KINDS)) {
    case JOIN:
        if (effects->level >= NET_TERMINALS)
            return join(effects, index);
        return effects->flights[index].copies != NULL ? send_copies_alone(effects, index)
                                                      : send_alone(effects, index);
    case INJECT:
        return inject_packet(effects, index);
    case ARRIVE:
        return arrive(effects, index);
    case SENT:
        flight = &effects->flights[index];
        return net_network_notice(&effects->network, flight->number, NET_SENT, flight->message.tag);
    case DELIVER:
    default:
        return deliver(effects, index);
    }
}

/* ---- the interface ---- */

/* Routers, or the shared channels that the engine would take. */
static void find_ends(const struct net_topology *topology, const struct net_message *message, uint64_t key,
                      uint32_t ends[2])
{
    if (topology->shared != NULL) {
        net_shared_nearest(topology, message->source, message->target, &key, ends);
        return;
    }
    ends[0] = net_topology_router_of(topology, message->source);
    ends[1] = net_topology_router_of(topology, message->target);
}

/* A flight for the message that is being injected, or for one of its copies. -1: memory. */
static int new_flight(struct effects *effects, uint64_t cycle, const struct net_message *message,
                      uint32_t origin, uint32_t *slot)
{
    const struct net_network *network = &effects->network;
    if (take_flight(effects, slot) < 0)
        return -1;
    uint32_t packets = (uint32_t)net_network_packets(network, message->flits);
    uint32_t ends[2];
    uint64_t key = base_hash(network->options.seed, network->injected_messages);
    find_ends(network->topology, message, key, ends);
    effects->flights[*slot] = (struct flight){
        .message = *message,
        .number = network->injected_messages,
        .key = key,
        .first = ends[0],
        .last = ends[1],
        .cycle = cycle,
        .flits_left = message->flits,
        .packets = packets,
        .packets_left = packets,
        .next = NET_NONE,
        .origin = origin,
    };
    return 0;
}

static int effects_inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                          struct base_error *error)
{
    struct effects *effects = (struct effects *)network;
    uint32_t slot;
    if (new_flight(effects, cycle, message, NET_NONE, &slot) < 0 ||
        schedule(effects, cycle + effects->join_latency, JOIN, slot) < 0)
        return base_error_memory(error, "a message");
    effects->live++;
    return 0;
}

/* ports[router] = the ports that copies leave by. On shared channels that is the tree of shortest paths,
 * however the engine spreads its multicasts. */
static int plant(const struct net_topology *topology, uint32_t source, const bool *members, uint32_t *ports)
{
    if (topology->shared != NULL) {
        net_shared_plant(topology, source, members, ports);
        return 0;
    }
    uint8_t *narrow = malloc(topology->routers);
    int status = narrow == NULL ? -1 : net_king_tree(topology, source, members, narrow);
    for (uint32_t router = 0; status == 0 && router < topology->routers; router++)
        ports[router] = narrow[router];
    free(narrow);
    return status;
}

/* The tree to the members' routers, and a flight for each of them. */
static int plan_copies(struct effects *effects, uint64_t cycle, uint32_t origin, const bool *members,
                       bool *routers)
{
    const struct net_topology *topology = effects->network.topology;
    struct net_message message = effects->flights[origin].message;
    struct copies *copies = effects->flights[origin].copies;
    message.notice_sent = false;
    for (uint32_t terminal = 0; terminal < topology->terminals; terminal++) {
        copies->flight[terminal] = NET_NONE;
        if (!members[terminal])
            continue;
        message.target = terminal;
        uint32_t last = topology->shared != NULL ? net_shared_nearer(topology, copies->root, terminal)
                                                 : net_topology_router_of(topology, terminal);
        routers[last] = true;
        if (new_flight(effects, cycle, &message, origin, &copies->flight[terminal]) < 0)
            return -1;
        effects->flights[copies->flight[terminal]].first = copies->root;
        effects->flights[copies->flight[terminal]].last = last;
        copies->left++;
    }
    return plant(topology, copies->root, routers, copies->ports);
}

/* Arrays by terminal and router, which the multicast keeps or needs once. */
static int spread_out(struct effects *effects, uint64_t cycle, uint32_t origin,
                      const struct net_multicast *multicast)
{
    const struct net_topology *topology = effects->network.topology;
    struct copies *copies = calloc(1, sizeof *copies);
    bool *members = calloc(topology->terminals, sizeof *members);
    bool *routers = calloc(topology->routers, sizeof *routers);
    int result = -1;
    effects->flights[origin].copies = copies;
    if (copies != NULL) {
        copies->root = net_topology_router_of(topology, multicast->source);
        effects->flights[origin].first = effects->flights[origin].last = copies->root;
        copies->flight = malloc(topology->terminals * sizeof *copies->flight);
        copies->ports = malloc(topology->routers * sizeof *copies->ports);
    }
    if (copies != NULL && copies->flight != NULL && copies->ports != NULL && members != NULL &&
        routers != NULL) {
        net_multicast_members(topology, multicast, members);
        result = plan_copies(effects, cycle, origin, members, routers);
    }
    free(members);
    free(routers);
    return result;
}

/* What the network that this one stands for does not do has been refused before. */
static int effects_multicast(struct net_network *network, uint64_t cycle,
                             const struct net_multicast *multicast, struct base_error *error)
{
    struct effects *effects = (struct effects *)network;
    const struct net_message message = {.source = multicast->source,
                                        .target = multicast->source,
                                        .flits = multicast->flits,
                                        .tag = multicast->tag,
                                        .notice_sent = multicast->notice_sent};
    uint32_t slot;
    if (new_flight(effects, cycle, &message, NET_NONE, &slot) < 0 ||
        spread_out(effects, cycle, slot, multicast) < 0 ||
        schedule(effects, cycle + effects->join_latency, JOIN, slot) < 0)
        return base_error_memory(error, "a multicast");
    effects->live++;
    return 0;
}

/* Ahead of events to come: their packets, of which heavy traffic has more than caches hold. What is no
 * packet's is asked for in vain. */
#define AHEAD 4
static inline void fetch_ahead(const struct effects *effects)
{
    uint64_t payload;
    if (net_calendar_peek(&effects->calendar, AHEAD, &payload))
        net_fetch_to_write(&effects->packets[(uint32_t)(payload / EVENT_KINDS)]);
}

/* Stops behind the first cycle that gave a notice, like every engine. A caller may inject into it still. */
static int effects_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct effects *effects = (struct effects *)network;
    uint64_t cycle, payload;
    while (net_calendar_pop(&effects->calendar, network->notice_count > 0 ? network->now : limit, &cycle,
                            &payload)) {
        network->statistics.executed_cycles +=
            cycle != network->now || network->statistics.executed_cycles == 0;
        network->now = cycle;
        fetch_ahead(effects);
        if (handle(effects, payload) < 0)
            return base_error_memory(error, "the network's packets");
    }
    if (network->notice_count > 0)
        return 1;
    if (limit != UINT64_MAX)
        network->now = limit;
    return 0;
}

static int effects_check(const struct net_network *network, struct base_error *error)
{
    const struct effects *effects = (const struct effects *)network;
    if (effects->live == net_network_pending(network))
        return 0;
    return base_error_set(error, BASE_SYSTEM, "a network lost a message: this is a defect of flitreplay");
}

static void effects_free(struct net_network *network)
{
    struct effects *effects = (struct effects *)network;
    net_calendar_free(&effects->calendar);
    for (uint32_t i = 0; i < effects->flight_pool.count; i++)
        free_copies(effects->flights[i].copies);
    free(effects->flights);
    free(effects->packets);
    free(effects->injectors);
    free(effects->turns);
    free(effects->ejection);
    free(effects->links);
    free(effects->buses);
}

static int allocate(struct effects *effects)
{
    const struct net_topology *topology = effects->network.topology;
    const struct net_options *options = &effects->network.options;
    size_t points = (size_t)topology->terminals * (net_shared_inside_routers(topology) ? 2 : 1);
    size_t injectors = points * options->injectors;
    uint32_t links = topology->link_count > topology->routers ? topology->link_count : topology->routers;
    uint32_t buses = effects->multistage != NULL ? effects->multistage->bus_count : 0;
    effects->buses = net_array_new(buses, sizeof *effects->buses);
    effects->injectors = net_array_new(injectors, sizeof *effects->injectors);
    effects->turns = net_array_new(points, sizeof *effects->turns);
    effects->ejection = net_array_new(points * options->consumers, sizeof *effects->ejection);
    effects->links = net_array_new(links, sizeof *effects->links);
    if (effects->injectors == NULL || effects->turns == NULL || effects->ejection == NULL ||
        effects->links == NULL || effects->buses == NULL ||
        net_network_count(&effects->network, NET_COUNT_LINKS) < 0)
        return -1;
    for (size_t i = 0; i < injectors; i++)
        effects->injectors[i].first = effects->injectors[i].last = NET_NONE;
    return 0;
}

static int effects_build(struct net_network *network, struct base_error *error)
{
    struct effects *effects = (struct effects *)network;
    effects->flight_pool = effects->packet_pool = NET_POOL;
    effects->level = network->options.effects;
    effects->multistage = network->topology->multistage;
    effects->link_latency = network->options.link_cycles;
    effects->router_latency = network->options.router_cycles - 1;
    effects->join_latency = effects->router_latency + (network->topology->shared != NULL);
    effects->plain = network->routing->kind->minimal && network->topology->kind->distance != NULL &&
                     effects->multistage == NULL && !has_own_links(effects);
    if (net_calendar_init(&effects->calendar) < 0 || allocate(effects) < 0)
        return base_error_memory(error, "a network");
    return 0;
}

/* Every level but the last, which is the network itself. */
static bool effects_serves(const struct net_topology *topology, const struct net_routing *routing,
                           const struct net_options *options)
{
    (void)routing;
    (void)topology;
    return options->effects != NET_ALL_EFFECTS;
}

/* Among links that are free at the same time, and between the two channels of a processor inside a router. */
static bool effects_draws(const struct net_routing *routing, const struct net_options *options)
{
    (void)options;
    if (routing->topology->multistage != NULL)
        return false; /* one link at every router */
    return net_shared_inside_routers(routing->topology) || net_routing_draws(routing);
}

const struct net_engine net_engine_effects = {
    .name = "effects",
    .summary = "some of the effects of a network, to tell what each costs",
    .size = sizeof(struct effects),
    .serves = effects_serves,
    .draws = effects_draws,
    .build = effects_build,
    .inject = effects_inject,
    .advance = effects_advance,
    .check = effects_check,
    .free = effects_free,
    .multicast = effects_multicast,
};
