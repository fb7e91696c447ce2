/* What the broad engine says about itself: the conservation laws, and which of its packets wait for which others
 * (standstill.h). */
#include <inttypes.h>

#include "netmodel/broad-engine/internal.h"

/* Everything is delivered: every buffer is empty, and every reservation returned or, where credits take longer than a
 * cycle, an event that is to come. Sums are of unsigned numbers that may wrap on the way; their difference is
 * right. */
static int check_drained(const struct net_broad_engine *engine, struct base_error *error)
{
    uint64_t room = 0, places = 0;
    for (size_t i = 0; i < (size_t)engine->routers * engine->outputs_per_router; i++) {
        const struct net_broad_output *output = &engine->output[i];
        if (output->next_driver == NET_NONE)
            continue;
        room += (uint64_t)(int64_t)output->room;
        places += engine->network.options.buffer_flits;
        if (engine->driver[output->next_driver].head != NET_NONE || output->busy)
            return base_error_set(error, BASE_SYSTEM,
                                  "router %" PRIu32 ", output %" PRIu16
                                  ": not at rest in a drained network: this is a defect of flitreplay",
                                  output->router, output->local);
    }
    if (room > places || (room < places && engine->credit_cycles == 1))
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " of %" PRIu64
                              " places are free in a drained network: this is a defect of flitreplay",
                              room, places);
    return 0;
}

/* Packets are counted twice, by what happened to them and by the slots of the pool that are in use. */
int net_broad_engine_check(const struct net_network *network, struct base_error *error)
{
    const struct net_broad_engine *engine = (const struct net_broad_engine *)network;
    uint32_t pooled = net_pool_used(&engine->pool, engine->packets, sizeof *engine->packets,
                                    offsetof(struct net_broad_packet, next));
    if (net_flights_check(&engine->flights, pooled, error) < 0)
        return -1;
    return engine->flights.inside == 0 && engine->flights.to_make == 0 ? check_drained(engine, error) : 0;
}

/* ---- deadlock ---- */

/* By its bit among the router's words. */
static bool is_eligible(const struct net_broad_engine *engine, uint32_t router, uint32_t local)
{
    return (engine->eligible[(size_t)router * engine->words + local / 64] >> local % 64 & 1) != 0;
}

/* Every virtual channel of every port of the tier, in the numbers of the rules. */
static void add_outputs(const struct net_broad_engine *engine, const struct net_route *route, uint32_t tier,
                        struct net_waiter *waiter)
{
    const struct net_topology *topology = engine->network.topology;
    for (uint32_t port = net_route_next(topology, route, tier, 0); port != NET_NONE;
         port = net_route_next(topology, route, tier, port + 1))
        for (uint32_t left = route->virtual_channels[tier]; left != 0; left &= left - 1) {
            uint32_t local = port * engine->virtual_channels + (uint32_t)__builtin_ctz(left);
            waiter->outputs[local / 64] |= UINT64_C(1) << local % 64;
        }
}

/* A head that may ask and holds nothing. One that has not chosen its way yet asks in this very cycle. */
static bool view_waiter(const struct net_network *network, uint32_t router, uint32_t local,
                        struct net_waiter *waiter)
{
    const struct net_broad_engine *engine = (const struct net_broad_engine *)network;
    if (!is_eligible(engine, router, local))
        return false;
    const struct net_routing *routing = network->routing;
    const struct net_broad_driver *driver =
        &engine->driver[(size_t)router * engine->drivers_per_router + local];
    const struct net_broad_packet *packet = &engine->packets[driver->head];
    const struct net_flight *flight = &engine->flights.items[packet->cargo.flight];
    if (packet->to_choose)
        return false;
    *waiter = (struct net_waiter){.message = flight->number,
                                  .packet = packet->cargo.number,
                                  .length = packet->cargo.length,
                                  .source = flight->source,
                                  .target = flight->target};
    struct net_route route;
    uint32_t tiers = routing->kind->route(routing, router, packet->cargo.header, &route);
    for (uint32_t tier = 0; tier < tiers; tier++)
        add_outputs(engine, &route, tier, waiter);
    return true;
}

/* Rule 6. A granted output always comes free, and so does the room that a leaving packet takes: only a head that waits
 * in the next buffer is an obstacle. */
static bool view_obstacle(const struct net_network *network, uint32_t router, uint32_t local, uint32_t output,
                          struct net_obstacle *obstacle)
{
    const struct net_broad_engine *engine = (const struct net_broad_engine *)network;
    const struct net_broad_output *wanted = net_broad_output_at(engine, router, output);
    const struct net_broad_driver *driver =
        &engine->driver[(size_t)router * engine->drivers_per_router + local];
    if (wanted->next_driver == NET_NONE)
        return false;
    const struct net_broad_driver *next = &engine->driver[wanted->next_driver];
    int32_t need = net_broad_need(engine, wanted, local, engine->packets[driver->head].cargo.length);
    if (wanted->busy || wanted->leaving != 0 || wanted->room >= need)
        return false;
    *obstacle = (struct net_obstacle){.router = next->router,
                                      .driver = next->local,
                                      .room = wanted->room > 0 ? (uint32_t)wanted->room : 0,
                                      .need = (uint32_t)need};
    return is_eligible(engine, next->router, next->local);
}

const struct net_standstill_view net_broad_engine_view = {view_waiter, view_obstacle};
