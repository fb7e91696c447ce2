/* What the packet-grant engine says about itself: the conservation laws, and a deadlock as the cycle of
 * packets, buffers and channels that wait for each other. */
#include <inttypes.h>
#include <stdio.h>

#include "netmodel/engine-internal.h"

#define CYCLE_LINES 24 /* of a printed deadlock */

/* ---- conservation ---- */

/* Length of the free list, cut short should it be damaged into a loop. */
static uint64_t count_free(const struct net_packet_engine *engine)
{
    uint64_t count = 0;
    for (uint32_t i = engine->free_packet; i != NET_NO_PACKET && count <= engine->packet_count;
         i = engine->packets[i].next)
        count++;
    return count;
}

/* Everything is delivered: then every buffer is empty and every reservation returned. */
static int check_drained(const struct net_packet_engine *engine, struct base_error *error)
{
    for (uint32_t i = 0; i < engine->routers * engine->outputs_per_router; i++) {
        const struct net_output *output = &engine->output[i];
        bool link = output->next_driver != NET_NONE;
        if (link && (output->room != engine->network.options.buffer_flits ||
                     engine->driver[output->next_driver].head != NET_NO_PACKET))
            return base_error_set(error, BASE_SYSTEM,
                                  "router %" PRIu32 ", output %u: %" PRIu32
                                  " flits of room in a drained network: this is a defect of flitreplay",
                                  output->router, output->local, output->room);
    }
    return 0;
}

/* Packets injected = delivered + inside + not yet made, and what the pool holds is what is inside; when
 * nothing is left, flits too, and the network is as it was built. */
int net_packet_engine_check(const struct net_network *network, struct base_error *error)
{
    const struct net_packet_engine *engine = (const struct net_packet_engine *)network;
    const struct net_statistics *statistics = &network->statistics;
    uint64_t known = statistics->packets + engine->packets_inside + engine->packets_to_make;
    if (network->injected_packets != known ||
        engine->packet_count - count_free(engine) != engine->packets_inside)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " packets injected, but %" PRIu64 " delivered, %" PRIu64
                              " inside and %" PRIu64 " waiting to be made: this is a defect of flitreplay",
                              network->injected_packets, statistics->packets, engine->packets_inside,
                              engine->packets_to_make);
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

/* The first output that the head of a driver could use: in a deadlock it lacks room. */
static bool find_wanted(const struct net_packet_engine *engine, struct blocked *blocked)
{
    const struct net_router *router = &engine->router[blocked->router];
    if ((router->eligible >> blocked->driver & 1) == 0)
        return false;
    const struct net_driver *driver =
        &engine->driver[blocked->router * engine->drivers_per_router + blocked->driver];
    struct net_route route;
    const struct net_routing *routing = engine->network.routing;
    if (routing->kind->route(routing, blocked->router, engine->packets[driver->head].header, &route) == 0)
        return false;
    uint32_t port = (uint32_t)__builtin_ctzll(route.ports[0]);
    uint32_t channel = (uint32_t)__builtin_ctz(route.virtual_channels[0]);
    blocked->output = port * engine->virtual_channels + channel;
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
    const struct net_output *output =
        &engine->output[blocked->router * engine->outputs_per_router + blocked->output];
    blocked->router = output->next_router;
    blocked->driver = output->next_driver - output->next_router * engine->drivers_per_router;
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
                 topology->kind->port_name(topology, blocked->driver / engine->virtual_channels),
                 blocked->driver % engine->virtual_channels, blocked->router);
}

/* One line of the printed cycle. */
static void append_blocked(const struct net_packet_engine *engine, const struct blocked *blocked,
                           struct base_error *error)
{
    const struct net_topology *topology = engine->network.topology;
    const struct net_output *output =
        &engine->output[blocked->router * engine->outputs_per_router + blocked->output];
    uint32_t head = engine->driver[blocked->router * engine->drivers_per_router + blocked->driver].head;
    const struct net_packet *packet = &engine->packets[head];
    char where[128];
    name_driver(engine, blocked, where, sizeof where);
    base_error_append(error,
                      "\n  packet %" PRIu32 " of message %" PRIu64
                      " (%u flits) in %s waits for channel %s to router %" PRIu32
                      ", whose buffer has room for %" PRIu32 " flits",
                      packet->number, engine->flights[packet->message].number, packet->length, where,
                      topology->kind->port_name(topology, output->port), output->next_router, output->room);
}

/* Every blocked packet waits for the head of the next buffer to move, so following that wait from any packet
 * ends in a cycle: walk until surely inside, then print one turn. */
int net_packet_engine_deadlock(const struct net_packet_engine *engine, struct base_error *error)
{
    base_error_set(error, BASE_DEADLOCK,
                   "network deadlock in cycle %" PRIu64 " on %s with routing %s: %" PRIu64
                   " packets inside, none can move",
                   engine->network.now, engine->network.topology->text, engine->network.routing->kind->name,
                   engine->packets_inside);
    struct blocked slow;
    if (!find_any(engine, &slow))
        return -1;
    /* Walk far enough to be on the cycle, then once around it. */
    bool blocked = true;
    for (uint32_t i = 0; blocked && i < engine->routers * engine->ports * engine->virtual_channels; i++)
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
