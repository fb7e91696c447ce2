/* A slot of the deflection engine, router by router: what has come is absorbed or goes on, and one packet
 * may enter (rules 2 to 9 of doc/deflection.md). */
#include <inttypes.h>

#include "netmodel/deflection-engine/internal.h"
#include "netmodel/engines/bits.h"

/* ---- sources ---- */

void net_deflection_wake(struct net_deflection *engine, uint32_t router)
{
    uint64_t *word = &engine->sources[router / 64], bit = UINT64_C(1) << router % 64;
    engine->waiting += (*word & bit) == 0;
    *word |= bit;
}

static void rest(struct net_deflection *engine, uint32_t router)
{
    engine->sources[router / 64] &= ~(UINT64_C(1) << router % 64);
    engine->waiting--;
}

/* ---- absorption ---- */

/* Memory for what has come of a message is not limited, but measured. */
static void reassemble(struct net_deflection *engine, uint32_t router, uint32_t index)
{
    const struct net_flight *flight = &engine->flights.items[index];
    uint64_t *most = &engine->network.statistics.reassembly_packets_max;
    if (flight->packets == 1)
        return;
    if (flight->packets_delivered + 1 == flight->packets)
        engine->held[router] -= flight->packets - 1;
    else
        engine->held[router]++;
    *most = engine->held[router] > *most ? engine->held[router] : *most;
}

static void deliver(struct net_deflection *engine, uint32_t router, const struct net_cargo *cargo)
{
    reassemble(engine, router, cargo->flight);
    engine->network.terminal_flits[engine->routers + router]++;
    if (net_flights_deliver(&engine->flights, cargo) < 0)
        engine->out_of_memory = true;
}

static void absorb(struct net_deflection *engine, uint32_t router, const struct net_deflection_packet *packet)
{
    const struct net_cargo cargo = {.generated = packet->generated,
                                    .flight = packet->flight,
                                    .number = packet->number,
                                    .worst_link = NET_NONE,
                                    .length = 1,
                                    .hops = (uint16_t)packet->hops};
    engine->inside--;
    deliver(engine, router, &cargo);
}

/* Of the inputs whose packets have arrived, those of the oldest that can be absorbed (rule 3). */
static uint32_t oldest_of(const struct net_deflection *engine, const struct net_deflection_packet *at,
                          uint32_t arrived)
{
    while ((uint32_t)__builtin_popcount(arrived) > engine->absorbs) {
        uint32_t youngest = (uint32_t)__builtin_ctz(arrived);
        for (uint32_t rest_of = arrived & (arrived - 1); rest_of != 0; rest_of &= rest_of - 1) {
            uint32_t input = (uint32_t)__builtin_ctz(rest_of);
            youngest = net_deflection_older(&at[youngest], &at[input]) ? input : youngest;
        }
        arrived &= ~(1u << youngest);
    }
    return arrived;
}

/* Rules 2 and 3: what has come and does not stay is the beginning of the list. */
static void collect(struct net_deflection *engine, uint32_t router, const struct net_deflection_packet *at,
                    uint32_t inputs, struct net_deflection_list *list)
{
    const uint8_t *good = engine->one_way->good;
    uint32_t arrived = 0;
    for (uint32_t left = inputs; left != 0; left &= left - 1) {
        uint32_t input = (uint32_t)__builtin_ctz(left);
        arrived |= (uint32_t)(good[at[input].state] == 0) << input;
    }
    uint32_t absorbed = arrived == 0 ? 0 : oldest_of(engine, at, arrived);
    for (uint32_t left = absorbed; left != 0; left &= left - 1)
        absorb(engine, router, &at[__builtin_ctz(left)]);
    for (uint32_t left = inputs & ~absorbed; left != 0; left &= left - 1) {
        uint32_t input = (uint32_t)__builtin_ctz(left), i = list->count++;
        list->packet[i] = &at[input];
        list->good[i] = good[at[input].state];
        list->input[i] = (uint8_t)input;
    }
}

/* ---- entry ---- */

/* Rule 4: the source's first packet, which is at the router already, or is the list's last. */
static void enter(struct net_deflection *engine, uint32_t router, struct net_deflection_list *list,
                  struct net_deflection_packet *packet)
{
    const struct net_flight *flight = &engine->flights.items[engine->flights.injectors[router].first];
    bool to_itself = flight->target == router;
    struct net_cargo cargo;
    if (!to_itself && list->count == engine->ports)
        return;
    uint64_t message = flight->number;
    net_flights_cut(&engine->flights, router, &cargo);
    engine->network.terminal_flits[router]++;
    if (net_flights_sent(&engine->flights, &cargo) < 0)
        engine->out_of_memory = true;
    if (to_itself) {
        deliver(engine, router, &cargo);
        return;
    }
    *packet = (struct net_deflection_packet){.generated = cargo.generated,
                                             .message = message,
                                             .number = cargo.number,
                                             .flight = cargo.flight,
                                             .state = (uint32_t)cargo.header};
    list->packet[list->count] = packet;
    list->good[list->count++] = engine->one_way->good[packet->state];
    list->has_new = true;
    engine->inside++;
}

/* Lossy sources keep nothing. */
static void serve_source(struct net_deflection *engine, uint32_t router, struct net_deflection_list *list,
                         struct net_deflection_packet *packet)
{
    enter(engine, router, list, packet);
    while (engine->network.options.lossy && net_flights_waits(&engine->flights, router))
        if (net_flights_lose(&engine->flights, router) < 0)
            engine->out_of_memory = true;
    if (!net_flights_waits(&engine->flights, router))
        rest(engine, router);
}

/* ---- movement ---- */

/* Rule 8. What does not change is read before: bytes that are written might be anything to the compiler. */
static void move(struct net_deflection *engine, uint32_t router, const struct net_deflection_list *list,
                 const uint8_t *ports, uint32_t phase)
{
    const struct net_one_way *one_way = engine->one_way;
    const uint32_t width = engine->ports, first = router * width, count = list->count;
    const uint32_t *next_state = one_way->next, *target = &engine->target[first];
    struct net_deflection_packet *slots = &engine->slots[(size_t)phase * engine->routers * width];
    uint8_t *inputs = &engine->inputs[(size_t)phase * engine->routers];
    uint64_t *active = &engine->active[(size_t)phase * engine->words];
    uint64_t *flits = engine->network.link_flits + first, deflected = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t port = ports[i], to = target[port];
        struct net_deflection_packet *next = &slots[(size_t)to * width + port];
        *next = *list->packet[i];
        next->state = next_state != NULL ? next_state[(size_t)next->state * width + port]
                                         : net_one_way_step(one_way, next->state, port, router, to);
        if (++next->hops >= NET_DEFLECTION_HOPS_MAX)
            engine->endless = next;
        inputs[to] |= (uint8_t)(1u << port);
        active[to / 64] |= UINT64_C(1) << to % 64;
        flits[port]++;
        deflected += (list->good[i] >> port & 1) == 0;
    }
    engine->deflected[router] += deflected;
    engine->moving[phase] += count;
}

/* Flits that leave their owner's part of the network. */
static void count_crossing(const struct net_deflection *engine, uint32_t router,
                           const struct net_deflection_list *list, const uint8_t *ports)
{
    for (uint32_t i = 0; i < list->count; i++)
        net_network_crosses(&engine->network, engine->flights.items[list->packet[i]->flight].source, router,
                            engine->target[router * engine->ports + ports[i]], 1);
}

static void run_router(struct net_deflection *engine, uint32_t router, uint32_t phase, uint32_t after)
{
    const struct net_deflection_packet *at =
        &engine->slots[((size_t)phase * engine->routers + router) * engine->ports];
    uint8_t *inputs = &engine->inputs[phase * engine->routers + router], ports[NET_DEFLECTION_PORTS];
    struct net_deflection_list list;
    struct net_deflection_packet entering;
    list.count = 0;
    list.has_new = false;
    collect(engine, router, at, *inputs, &list);
    *inputs = 0;
    if ((engine->sources[router / 64] >> router % 64 & 1) != 0)
        serve_source(engine, router, &list, &entering);
    if (list.count == 0)
        return;
    net_deflection_choose(engine, router, &list, ports);
    if (engine->network.outside != NULL)
        count_crossing(engine, router, &list, ports);
    move(engine, router, &list, ports, after);
}

/* ---- cycles ---- */

static void run_cycle(struct net_deflection *engine)
{
    uint64_t cycle = engine->network.now;
    uint32_t phase = (uint32_t)(cycle % engine->phases), router;
    uint32_t after = phase == 0 ? engine->phases - 1 : phase - 1; /* L cycles on, modulo L + 1 */
    uint64_t *active = &engine->active[(size_t)phase * engine->words];
    while ((router = net_flights_join(&engine->flights, cycle)) != NET_NONE)
        net_deflection_wake(engine, router);
    engine->moving[phase] = 0;
    for (uint32_t word = 0; word < engine->words; word++) {
        uint64_t routers = active[word] | engine->sources[word];
        active[word] = 0;
        for (; routers != 0; routers &= routers - 1)
            run_router(engine, word * 64 + (uint32_t)__builtin_ctzll(routers), phase, after);
    }
    engine->network.statistics.executed_cycles++;
}

/* The next cycle in which something comes to a router, or may enter. */
static uint64_t next_cycle(const struct net_deflection *engine)
{
    uint64_t now = engine->network.now, joins = net_flights_next(&engine->flights);
    if (engine->waiting != 0)
        return now;
    for (uint32_t i = 0; engine->inside != 0 && i < engine->phases; i++)
        if (engine->moving[(now + i) % engine->phases] != 0)
            return now + i < joins ? now + i : joins;
    return joins;
}

/* Only rules that give the oldest no right of way can come here. */
static int refuse_endless(const struct net_deflection *engine, struct base_error *error)
{
    const struct net_deflection_packet *packet = engine->endless;
    const struct net_flight *flight = &engine->flights.items[packet->flight];
    return base_error_set(error, BASE_DEADLOCK,
                          "livelock: a packet from terminal %" PRIu32 " to %" PRIu32
                          " has made %u hops over a distance of %" PRIu32
                          "; under --routing deflection,rule=oldest every packet arrives",
                          flight->source, flight->target, NET_DEFLECTION_HOPS_MAX,
                          net_topology_distance(engine->network.topology, flight->source, flight->target));
}

int net_deflection_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_deflection *engine = (struct net_deflection *)network;
    for (;;) {
        int before =
            net_network_before_cycle(network, engine->out_of_memory, next_cycle(engine), limit, error);
        if (engine->endless != NULL)
            return refuse_endless(engine, error);
        if (before != NET_GOES_ON)
            return before;
        run_cycle(engine);
        network->now++;
    }
}
