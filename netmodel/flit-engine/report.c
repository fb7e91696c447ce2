/* What the flit-grant engine says about itself: the conservation laws, and which of its packets
 * wait for which others (standstill.h). */
#include <inttypes.h>
#include <string.h>

#include "netmodel/flit-engine/faults.h"

/* ---- conservation ---- */

/* Where all flits are that have left an injector, and all places that buffers have. */
struct tally {
    uint64_t injected, ejected, buffered, on_wires; /* flits: injected = ejected + buffered + on_wires */
    uint64_t places, seen_free, credits;            /* of the buffers behind links */
};

/* Moves whose effects are still to come.
 * Cycle `now` is not executed yet, and a move takes effect at the beginning of the cycle in which its
 * latency is over: so one that is due just now is still under way. */
static void count_moves(const struct net_flit_engine *engine, struct tally *tally)
{
    uint64_t now = engine->network.now;
    if (engine->rows != NULL) {
        net_flit_rows_tally(engine, &tally->on_wires, &tally->credits);
        return;
    }
    for (uint32_t i = 0; i <= engine->recent_mask; i++)
        for (uint32_t j = 0; j < engine->recent[i].count; j++) {
            const struct net_flit_moves *list = &engine->recent[i];
            const struct net_flit_move *move = &list->moves[j];
            if (engine->arrivals == NULL && move->arrival != NET_NONE &&
                list->cycle + engine->arrival_age >= now)
                tally->on_wires++;
            if (move->credit != NET_NONE && list->cycle + engine->credit_age >= now)
                tally->credits += 1 + (uint64_t)move->padding;
        }
    for (uint32_t i = 0; engine->arrivals != NULL && i <= engine->recent_mask; i++)
        if (engine->arrivals[i].cycle != NET_FLIT_NEVER && engine->arrivals[i].cycle >= now)
            tally->on_wires += engine->arrivals[i].count;
}

/* What an injector has still to send is not in the network. Ports that a router lacks count as ejection
 * channels here, which does no harm, as they never carry a flit. Read between two cycles, so that nothing is half
 * moved. */
static void count_state(const struct net_flit_engine *engine, struct tally *tally)
{
    for (size_t i = 0; i < (size_t)engine->routers * engine->drivers_per_router; i++) {
        const struct net_flit_driver *driver = &engine->driver[i];
        tally->injected += net_flit_injected(engine, driver);
        tally->buffered += driver->local < engine->first_injector ? net_flit_count(engine, driver) : 0;
    }
    for (size_t i = 0; i < (size_t)engine->routers * engine->outputs_per_router; i++) {
        const struct net_flit_output *output = &engine->output[i];
        if (output->next_driver != NET_NONE) {
            tally->places += engine->network.options.buffer_flits;
            tally->seen_free += net_flit_room(engine, output);
        } else {
            tally->ejected += net_flit_crossed(engine, output);
        }
    }
}

/* Every flit that has left an injector is in one place, and under wormhole every place of a buffer is free,
 * taken, or on its way back (cut-through reserves ahead: there this holds when nothing is inside). Time in
 * proportion to the network and to the moves under way: for tests, and for the end of a run. */
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
    bool exact = engine->network.options.flow_control == NET_WORMHOLE || engine->flights.inside == 0;
    if (exact && tally.places != tally.seen_free + tally.credits + tally.buffered + tally.on_wires)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " places in buffers, but %" PRIu64 " free, %" PRIu64
                              " about to be and %" PRIu64 " taken: this is a defect of flitreplay",
                              tally.places, tally.seen_free, tally.credits, tally.buffered + tally.on_wires);
    return 0;
}

/* Packets are counted twice, by what happened to them and by the slots of the pool that are in use. */
int net_flit_engine_check(const struct net_network *network, struct base_error *error)
{
    const struct net_flit_engine *engine = (const struct net_flit_engine *)network;
    uint32_t pooled = net_pool_used(&engine->pool, engine->packets, sizeof *engine->packets,
                                    offsetof(struct net_flit_packet, next));
    if (net_flights_check(&engine->flights, pooled, error) < 0 || check_flits(engine, error) < 0)
        return -1;
    return engine->faults == NULL ? 0 : net_flit_faults_check(engine, error);
}

/* ---- deadlock ---- */

/* By the number of the rules. */
static const struct net_flit_driver *driver_at(const struct net_flit_engine *engine, uint32_t router,
                                               uint32_t local)
{
    return &engine->driver[router * engine->drivers_per_router + local];
}

/* Likewise. */
static const struct net_flit_output *output_at(const struct net_flit_engine *engine, uint32_t router,
                                               uint32_t local)
{
    return &engine->output[router * engine->outputs_per_router + local];
}

/* A router that faults have stopped asks for nothing, so that nobody in it is waited for. */
static bool is_waiting(const struct net_flit_engine *engine, const struct net_flit_driver *driver)
{
    return net_flit_has(&engine->router[driver->router].heads, driver->local) &&
           !(engine->faults != NULL && net_flit_faults_stopped(engine->faults, driver->router));
}

/* Rule 13: what a routing that looks left out in this cycle it may admit in another. */
static void add_all_outputs(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                            struct net_flit_set *outputs)
{
    const struct net_topology *topology = engine->network.topology;
    const struct net_routing *routing = engine->network.routing;
    struct net_route route = {.ports = {0}};
    uint32_t tiers =
        routing->kind->route(routing, driver->router, engine->packets[driver->head].cargo.header, &route);
    for (uint32_t tier = 0; tier < tiers; tier++)
        for (uint32_t port = net_route_next(topology, &route, tier, 0); port != NET_NONE;
             port = net_route_next(topology, &route, tier, port + 1))
            net_flit_add_span(outputs, port * engine->virtual_channels, route.virtual_channels[tier]);
}

/* A head that may ask and holds nothing. One at its target wants ejection channels, which are no obstacles.
 * Outputs are the union of all tiers: a lower one counts although it is asked only when nothing of a higher one is
 * free. */
static bool view_waiter(const struct net_network *network, uint32_t router, uint32_t local,
                        struct net_waiter *waiter)
{
    const struct net_flit_engine *engine = (const struct net_flit_engine *)network;
    const struct net_flit_driver *driver = driver_at(engine, router, local);
    if (!is_waiting(engine, driver))
        return false;
    const struct net_cargo *cargo = &engine->packets[driver->head].cargo;
    const struct net_flight *flight = &engine->flights.items[cargo->flight];
    *waiter = (struct net_waiter){.message = flight->number,
                                  .packet = cargo->number,
                                  .length = cargo->length,
                                  .source = flight->source,
                                  .target = flight->target};
    struct net_flit_set outputs = {{0}};
    for (uint32_t tier = 0; tier < driver->tiers; tier++)
        net_flit_add_all(&outputs, &engine->want[driver - engine->driver].tiers[tier]);
    if (engine->looks)
        add_all_outputs(engine, driver, &outputs);
    if (engine->faults != NULL)
        outputs = net_flit_faults_outputs(engine, driver);
    memcpy(waiter->outputs, outputs.word, sizeof outputs.word);
    return true;
}

/* Cut-through: what has begun to move goes on, so that only a head that waits in a buffer without room is an
 * obstacle (rule 6). */
static bool no_room(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                    uint32_t local, struct net_obstacle *obstacle)
{
    const struct net_flit_output *output = output_at(engine, driver->router, local);
    const struct net_flit_driver *next = &engine->driver[output->next_driver];
    uint32_t need = engine->packets[driver->head].cargo.length;
    if (net_flit_has(&engine->rings, local))
        need = driver->local == local ? engine->largest : 2 * engine->largest;
    if (engine->faults != NULL)
        need = net_flit_faults_need(engine, driver, local);
    *obstacle = (struct net_obstacle){
        .router = next->router, .driver = next->local, .room = output->room, .need = need};
    return output->left == 0 && output->room < need && next->held == NET_FLIT_HOLDS_NOTHING &&
           is_waiting(engine, next);
}

/* Wormhole: from a buffer forward along the outputs that its packet holds, to the buffer where its header
 * waits; NULL where it does not wait. Adds up the places that are free on the way: the packet may still close
 * up into them. The steps are bounded in case of damage. */
static const struct net_flit_driver *find_header(const struct net_flit_engine *engine,
                                                 const struct net_flit_driver *driver, uint32_t *places)
{
    for (uint32_t step = 0; step <= engine->routers * engine->ports; step++) {
        if (driver->held == NET_FLIT_HOLDS_NOTHING)
            return is_waiting(engine, driver) ? driver : NULL;
        const struct net_flit_output *output = output_at(engine, driver->router, driver->held);
        if (output->next_driver == NET_NONE || net_flit_left(engine, output) == output->length)
            return NULL;
        driver = &engine->driver[output->next_driver];
        *places += engine->network.options.buffer_flits - net_flit_count(engine, driver);
    }
    return NULL;
}

/* Wormhole: the packet that holds the channel, as long as it cannot draw its tail after it; or the one in the
 * buffer behind it, as long as it cannot leave that. Where the tail can still be drawn up, the channel comes free
 * without the header's moving. */
static bool is_held(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                    uint32_t local, struct net_obstacle *obstacle)
{
    const struct net_flit_output *output = output_at(engine, driver->router, local);
    const struct net_flit_driver *next = &engine->driver[output->next_driver];
    uint32_t left = net_flit_left(engine, output), places = 0;
    if (net_flit_has(&engine->router[driver->router].free, local) || (left != 0 && left == output->length))
        return false;
    if (left != 0)
        places = engine->network.options.buffer_flits - net_flit_count(engine, next);
    else
        left = net_flit_count(engine, next);
    const struct net_flit_driver *header = find_header(engine, next, &places);
    if (header == NULL || places >= left)
        return false;
    *obstacle = (struct net_obstacle){.router = header->router, .driver = header->local, .held = true};
    return true;
}

/* What leads out of the network obstructs nobody: a terminal takes a flit whenever its channel is free. */
static bool view_obstacle(const struct net_network *network, uint32_t router, uint32_t driver,
                          uint32_t output, struct net_obstacle *obstacle)
{
    const struct net_flit_engine *engine = (const struct net_flit_engine *)network;
    if (output_at(engine, router, output)->next_driver == NET_NONE)
        return false;
    return (network->options.flow_control == NET_WORMHOLE ? is_held : no_room)(
        engine, driver_at(engine, router, driver), output, obstacle);
}

const struct net_standstill_view net_flit_engine_view = {view_waiter, view_obstacle};
