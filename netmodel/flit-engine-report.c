/* What the flit-grant engine says about itself: the conservation laws, and a deadlock as the cycle of
 * packets, buffers and channels that wait for each other. */
#include <inttypes.h>
#include <stdio.h>

#include "netmodel/flit-engine-internal.h"

#define CYCLE_LINES 24 /* of a printed deadlock */

/* ---- conservation ---- */

/* Length of the free list, cut short should it be damaged into a loop. */
static uint64_t count_free(const struct net_flit_engine *engine)
{
    uint64_t count = 0;
    for (uint32_t i = engine->free_packet; i != NET_NONE && count <= engine->packet_count;
         i = engine->packets[i].next)
        count++;
    return count;
}

static int check_packets(const struct net_flit_engine *engine, struct base_error *error)
{
    const struct net_network *network = &engine->network;
    uint64_t delivered = network->statistics.packets;
    if (network->injected_packets == delivered + engine->packets_inside + engine->packets_to_make &&
        engine->packet_count - count_free(engine) == engine->packets_inside)
        return 0;
    return base_error_set(error, BASE_SYSTEM,
                          "%" PRIu64 " packets injected, but %" PRIu64 " delivered, %" PRIu64
                          " inside and %" PRIu64 " waiting to be made: this is a defect of flitreplay",
                          network->injected_packets, delivered, engine->packets_inside,
                          engine->packets_to_make);
}

/* Where all flits are that have left an injector, and all places that buffers have. */
struct tally {
    uint64_t injected, ejected, buffered, on_wires;
    uint64_t places, seen_free, credits; /* of the buffers behind links */
};

/* Moves whose effects are still to come. */
static void count_moves(const struct net_flit_engine *engine, struct tally *tally)
{
    uint64_t now = engine->network.now;
    for (uint32_t i = 0; i <= engine->recent_mask; i++)
        for (uint32_t j = 0; j < engine->recent[i].count; j++) {
            const struct net_flit_moves *list = &engine->recent[i];
            const struct net_flit_move *move = &list->moves[j];
            if (move->arrival != NET_NONE && list->cycle + engine->arrival_age >= now)
                tally->on_wires++;
            if (move->credit != NET_NONE && list->cycle + engine->credit_age >= now)
                tally->credits += 1 + (uint64_t)move->padding;
        }
}

static void count_state(const struct net_flit_engine *engine, struct tally *tally)
{
    for (size_t i = 0; i < (size_t)engine->routers * engine->drivers_per_router; i++) {
        const struct net_flit_driver *driver = &engine->driver[i];
        tally->injected += engine->injected[i].flits;
        tally->buffered += driver->local < engine->first_injector ? driver->count : 0;
    }
    for (size_t i = 0; i < (size_t)engine->routers * engine->outputs_per_router; i++) {
        const struct net_flit_output *output = &engine->output[i];
        if (output->next_driver != NET_NONE) {
            tally->places += engine->network.options.buffer_flits;
            tally->seen_free += output->room;
        } else {
            tally->ejected += output->flits;
        }
    }
}

/* Every flit that has left an injector is in one place, and under wormhole every place of a buffer is free,
 * taken, or on its way back (cut-through reserves ahead: there this holds when nothing is inside). */
static int check_flits(const struct net_flit_engine *engine, struct base_error *error)
{
    struct tally tally = {0};
    count_moves(engine, &tally);
    count_state(engine, &tally);
    if (tally.injected != tally.ejected + tally.buffered + tally.on_wires)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " flits sent, but %" PRIu64 " ejected, %" PRIu64
                              " in buffers and %" PRIu64 " on links: this is a defect of flitreplay",
                              tally.injected, tally.ejected, tally.buffered, tally.on_wires);
    bool exact = engine->network.options.flow_control == NET_WORMHOLE || engine->packets_inside == 0;
    if (exact && tally.places != tally.seen_free + tally.credits + tally.buffered + tally.on_wires)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " places in buffers, but %" PRIu64 " free, %" PRIu64
                              " about to be and %" PRIu64 " taken: this is a defect of flitreplay",
                              tally.places, tally.seen_free, tally.credits, tally.buffered + tally.on_wires);
    return 0;
}

int net_flit_engine_check(const struct net_network *network, struct base_error *error)
{
    const struct net_flit_engine *engine = (const struct net_flit_engine *)network;
    if (check_packets(engine, error) < 0 || check_flits(engine, error) < 0)
        return -1;
    if (net_network_pending(network) == 0 && network->statistics.flits != network->injected_flits)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " flits injected, but %" PRIu64
                              " ejected: this is a defect of flitreplay",
                              network->injected_flits, network->statistics.flits);
    return 0;
}

/* ---- deadlock ---- */

static const struct net_flit_driver *driver_at(const struct net_flit_engine *engine, uint32_t router,
                                               uint32_t local)
{
    return &engine->driver[router * engine->drivers_per_router + local];
}

/* The last tier's first output: the escape of a routing that has one. Whatever a head waits for, in a
 * network at a stand the packets in its way wait, too, so that one output of each is enough for a cycle. */
static uint32_t wanted(const struct net_flit_engine *engine, const struct net_flit_driver *driver)
{
    const struct net_flit_want *want = &engine->want[driver - engine->driver];
    uint32_t local = (uint32_t)__builtin_ctzll(want->tiers[driver->tiers - 1]);
    return driver->router * engine->outputs_per_router + local;
}

static bool is_waiting(const struct net_flit_engine *engine, const struct net_flit_driver *driver)
{
    return (engine->router[driver->router].heads >> driver->local & 1) != 0;
}

/* Any head that waits; in a deadlock there is one. */
static const struct net_flit_driver *find_any(const struct net_flit_engine *engine)
{
    for (size_t i = 0; i < (size_t)engine->routers * engine->drivers_per_router; i++)
        if (is_waiting(engine, &engine->driver[i]))
            return &engine->driver[i];
    return NULL;
}

/* From a buffer of a packet forward along the outputs that the packet holds, to the buffer where its header
 * waits; NULL if it does not wait, which cannot be in a deadlock. The steps are bounded in case of damage. */
static const struct net_flit_driver *find_header(const struct net_flit_engine *engine,
                                                 const struct net_flit_driver *driver)
{
    for (uint32_t step = 0; step <= engine->routers * engine->ports; step++) {
        if (driver->held == NET_FLIT_HOLDS_NOTHING)
            return is_waiting(engine, driver) ? driver : NULL;
        uint32_t output = driver->router * engine->outputs_per_router + driver->held;
        if (engine->output[output].next_driver == NET_NONE)
            return NULL;
        driver = &engine->driver[engine->output[output].next_driver];
    }
    return NULL;
}

/* The header of the packet that is in the way of this one: the first in the buffer that it wants to enter, or
 * the one that holds the channel to it. */
static const struct net_flit_driver *follow(const struct net_flit_engine *engine,
                                            const struct net_flit_driver *driver)
{
    const struct net_flit_output *output = &engine->output[wanted(engine, driver)];
    if (output->next_driver == NET_NONE)
        return NULL;
    if (output->left != 0 && output->room == engine->network.options.buffer_flits)
        return find_header(engine, driver_at(engine, driver->router, output->driver));
    return find_header(engine, &engine->driver[output->next_driver]);
}

/* The place of a waiting packet in words. */
static void name_driver(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                        char *text, size_t size)
{
    const struct net_topology *topology = engine->network.topology;
    if (driver->local >= engine->first_injector)
        snprintf(text, size, "injector %" PRIu32 " of router %" PRIu32,
                 driver->local - engine->first_injector, driver->router);
    else
        snprintf(text, size, "buffer %s, virtual channel %" PRIu32 " of router %" PRIu32,
                 topology->kind->port_name(topology, driver->local / engine->virtual_channels),
                 driver->local % engine->virtual_channels, driver->router);
}

/* One line of the printed cycle. */
static void append_waiting(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                           struct base_error *error)
{
    const struct net_topology *topology = engine->network.topology;
    const struct net_flit_packet *packet = &engine->packets[driver->head];
    uint32_t local = wanted(engine, driver) - driver->router * engine->outputs_per_router;
    const struct net_flit_output *output = &engine->output[wanted(engine, driver)];
    bool wormhole = engine->network.options.flow_control == NET_WORMHOLE;
    char where[128];
    name_driver(engine, driver, where, sizeof where);
    base_error_append(error,
                      "\n  packet %" PRIu32 " of message %" PRIu64 " (%u flits) in %s waits for channel %s, "
                      "virtual channel %" PRIu32 " to router %" PRIu32 ", whose buffer ",
                      packet->number, engine->messages[packet->message].number, packet->length, where,
                      topology->kind->port_name(topology, output->port), local % engine->virtual_channels,
                      engine->driver[output->next_driver].router);
    if (wormhole)
        base_error_append(error, "another packet holds");
    else
        base_error_append(error, "has room for %" PRIu32 " flits", output->room);
}

/* Every waiting packet waits for another to move, so following that wait from any of them ends in a cycle:
 * walk until surely inside, then print one turn. */
int net_flit_engine_deadlock(const struct net_flit_engine *engine, struct base_error *error)
{
    base_error_set(error, BASE_DEADLOCK,
                   "network deadlock in cycle %" PRIu64 " on %s with routing %s: %" PRIu64
                   " packets inside, none can move",
                   engine->network.now, engine->network.topology->text, engine->network.routing->kind->name,
                   engine->packets_inside);
    const struct net_flit_driver *on_cycle = find_any(engine);
    for (uint32_t i = 0; on_cycle != NULL && i < engine->routers * engine->drivers_per_router; i++)
        on_cycle = follow(engine, on_cycle);
    const struct net_flit_driver *at = on_cycle;
    for (int line = 0; at != NULL && line < CYCLE_LINES; line++) {
        append_waiting(engine, at, error);
        at = follow(engine, at);
        if (at == on_cycle)
            return -1;
    }
    if (at != NULL)
        base_error_append(error, "\n  …");
    return -1;
}
