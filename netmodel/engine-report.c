/* What the packet-grant engine says about itself: the conservation laws, and a deadlock as the cycle of
 * packets, buffers and channels that wait for each other. */
#include <inttypes.h>
#include <stdio.h>

#include "netmodel/engine-internal.h"

#define CYCLE_LINES 24 /* of a printed deadlock */

/* ---- conservation ---- */

/* Length of the free lists, cut short should one be damaged into a loop; and fresh packets given out. */
static uint64_t count_free(const struct net_packet_engine *engine)
{
    uint64_t count = 0;
    for (uint32_t part = 0; part < engine->part_count; part++) {
        count += engine->parts[part].spare_end - engine->parts[part].spare_packet;
        for (uint32_t i = engine->parts[part].free_packet; i != NET_NO_PACKET && count <= engine->packet_count;
             i = engine->packets[i].next)
            count++;
    }
    return count;
}

static uint64_t packets_made(const struct net_packet_engine *engine)
{
    uint64_t count = 0;
    for (uint32_t part = 0; part < engine->part_count; part++)
        count += engine->parts[part].packets_made;
    return count;
}

/* Everything is delivered: then every buffer is empty and every reservation returned. */
static int check_drained(const struct net_packet_engine *engine, struct base_error *error)
{
    const struct net_shape shape = engine->shape;
    for (uint32_t i = 0; i < engine->network.topology->link_count * shape.channels; i++) {
        const struct net_link *link = &engine->network.topology->links[i / shape.channels];
        uint32_t local = link->port * shape.channels + i % shape.channels;
        struct net_router *source = net_router_at(engine->state, link->source, shape);
        struct net_router *target = net_router_at(engine->state, link->target, shape);
        int32_t room = net_output_at(source, local)->room;
        if (room != (int32_t)engine->network.options.buffer_flits ||
            net_entry_packet(net_driver_at(target, local)->head.rest) != NET_NO_PACKET)
            return base_error_set(error, BASE_SYSTEM,
                                  "router %" PRIu32 ", output %" PRIu32 ": %" PRId32
                                  " flits of room in a drained network: this is a defect of flitreplay",
                                  link->source, local, room);
    }
    return 0;
}

/* Packets injected = delivered + inside + not yet made, and what the pool holds is what is inside; when nothing
 * is left, flits too, and the network is as it was built. */
int net_packet_engine_check(const struct net_network *network, struct base_error *error)
{
    const struct net_packet_engine *engine = (const struct net_packet_engine *)network;
    const struct net_statistics *statistics = &network->statistics;
    uint64_t made = packets_made(engine), pooled = engine->packet_count - count_free(engine);
    if (made > network->injected_packets || statistics->packets + pooled != made)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " packets injected and %" PRIu64 " made, but %" PRIu64
                              " delivered and %" PRIu64 " inside: this is a defect of flitreplay",
                              network->injected_packets, made, statistics->packets, pooled);
    if (net_network_pending(network) != 0)
        return 0;
    if (statistics->flits != network->injected_flits)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " flits injected, but %" PRIu64
                              " ejected: this is a defect of flitreplay",
                              network->injected_flits, statistics->flits);
    return check_drained(engine, error);
}

/* ---- deadlock ---- */

struct blocked { /* a packet that waits, and the output it would take first */
    uint32_t router, driver, output;
};

/* The routing's header of the head of a driver: a driver that remembers its way has it by number. */
static uint64_t header_of(const struct net_packet_engine *engine, const struct blocked *blocked,
                          const struct net_driver *driver)
{
    uint32_t part = blocked->router / engine->parts[0].router_count;
    uint16_t way = net_entry_way(driver->head.rest);
    return way != NET_WAY_RAW ? engine->parts[part].ways.headers[way] : driver->head.word;
}

static struct net_router *router_of(const struct net_packet_engine *engine, const struct blocked *blocked)
{
    return net_router_at(engine->state, blocked->router, engine->shape);
}

/* The first output that the head of a driver could use: in a deadlock it lacks room. */
static bool find_wanted(const struct net_packet_engine *engine, struct blocked *blocked)
{
    struct net_router *router = router_of(engine, blocked);
    if ((router->eligible >> blocked->driver & 1) == 0)
        return false;
    const struct net_driver *driver = net_driver_at(router, blocked->driver);
    uint64_t outputs[NET_TIERS_MAX];
    net_ways_outputs(engine->network.routing, blocked->router, header_of(engine, blocked, driver), outputs);
    if (outputs[0] == 0)
        return false;
    blocked->output = (uint32_t)__builtin_ctzll(outputs[0]);
    return true;
}

/* Any blocked packet to start from; in a deadlock there is one. */
static bool find_any(const struct net_packet_engine *engine, struct blocked *blocked)
{
    for (blocked->router = 0; blocked->router < engine->routers; blocked->router++)
        for (blocked->driver = 0; blocked->driver < engine->drivers_per_router; blocked->driver++)
            if (find_wanted(engine, blocked))
                return true;
    return false;
}

/* The packet at the head of the buffer that the blocked one wants to enter. */
static bool follow(const struct net_packet_engine *engine, struct blocked *blocked)
{
    blocked->driver = blocked->output;
    blocked->router = net_line_at(router_of(engine, blocked), blocked->output)->target;
    return find_wanted(engine, blocked);
}

/* The place of a blocked packet in words. */
static void name_driver(const struct net_packet_engine *engine, const struct blocked *blocked, char *text,
                        size_t size)
{
    const struct net_topology *topology = engine->network.topology;
    if (blocked->driver >= engine->first_injector)
        snprintf(text, size, "injector %" PRIu32 " of router %" PRIu32,
                 blocked->driver - engine->first_injector, blocked->router);
    else
        snprintf(text, size, "buffer %s, virtual channel %" PRIu32 " of router %" PRIu32,
                 topology->kind->port_name(topology, blocked->driver / engine->shape.channels),
                 blocked->driver % engine->shape.channels, blocked->router);
}

/* One line of the printed cycle. */
static void append_blocked(const struct net_packet_engine *engine, const struct blocked *blocked,
                           struct base_error *error)
{
    const struct net_topology *topology = engine->network.topology;
    struct net_router *router = router_of(engine, blocked);
    uint32_t port = blocked->output / engine->shape.channels;
    uint32_t head = net_entry_packet(net_driver_at(router, blocked->driver)->head.rest);
    const struct net_packet *packet = &engine->packets[head];
    char where[128];
    name_driver(engine, blocked, where, sizeof where);
    base_error_append(error,
                      "\n  packet %" PRIu32 " of message %" PRIu64
                      " (%u flits) in %s waits for channel %s to router %" PRIu32
                      ", whose buffer has room for %" PRId32 " flits",
                      packet->number, engine->flights[packet->message].number, packet->length, where,
                      topology->kind->port_name(topology, port), net_line_at(router, blocked->output)->target,
                      net_output_at(router, blocked->output)->room);
}

/* Every blocked packet waits for the head of the next buffer to move, so following that wait from any packet
 * ends in a cycle: walk until surely inside, then print one turn. */
int net_packet_engine_deadlock(const struct net_packet_engine *engine, struct base_error *error)
{
    base_error_set(error, BASE_DEADLOCK,
                   "network deadlock in cycle %" PRIu64 " on %s with routing %s: %" PRIu64
                   " packets inside, none can move",
                   engine->network.now, engine->network.topology->text, engine->network.routing->kind->name,
                   packets_made(engine) - engine->network.statistics.packets);
    struct blocked slow;
    if (!find_any(engine, &slow))
        return -1;
    /* Walk far enough to be on the cycle, then once around it. */
    bool blocked = true;
    for (uint32_t i = 0; blocked && i < engine->routers * engine->shape.ports * engine->shape.channels; i++)
        blocked = follow(engine, &slow);
    if (!blocked)
        return -1;
    struct blocked at = slow;
    for (int line = 0; line < CYCLE_LINES; line++) {
        append_blocked(engine, &at, error);
        if (!follow(engine, &at) || (at.router == slow.router && at.driver == slow.driver))
            return -1;
    }
    base_error_append(error, "\n  …");
    return -1;
}
