/* A slot of the deflection engine, router by router: what has come is absorbed or goes on, and one packet
 * may enter (rules 2 to 8 of doc/deflection.md).
 *
 * Ports and ways to choose are literals of the functions that run the cycles of small routers (SHAPES below), made
 * from one source; everything on the way of a packet is inlined into them. */
#include <inttypes.h>
#include <string.h>

#include "netmodel/deflection-engine/choice-five.h"
#include "netmodel/deflection-engine/choice.h"
#include "netmodel/engines/bits.h"

/* Where packets are in this cycle, and where those that leave now will be: rows of the engine's arrays. */
struct rows {
    const struct net_deflection_packet *at;
    uint8_t *inputs;
    struct net_deflection_packet *ahead;
    uint8_t *inputs_ahead, *occupied, *occupied_ahead;
    uint64_t moved;
};

/* How ports are chosen: by a table of choice.h, or worked out anew. */
enum way { ANEW, RANDOM, OLDEST, OLDEST_OF_FOUR, OLDEST_OF_FIVE };

/* ---- sources ---- */

void net_deflection_wake(struct net_deflection *engine, uint32_t router)
{
    uint64_t *word = &engine->sources[router / 64];
    uint64_t bit = UINT64_C(1) << router % 64;
    engine->waiting += (*word & bit) == 0;
    *word |= bit;
}

/* The router's source is empty: of routers whose bit is set only, or `waiting` would fall below their number. */
static void rest(struct net_deflection *engine, uint32_t router)
{
    engine->sources[router / 64] &= ~(UINT64_C(1) << router % 64);
    engine->waiting--;
}

/* ---- absorption ---- */

/* Memory for what has come of a message is not limited, but measured. Called before the packet counts as
 * delivered: with the last one all others of the message are freed. The maximum is over all terminals and slots
 * (reassembly_packets_max). */
static inline void reassemble(struct net_deflection *engine, uint32_t router, const struct net_flight *flight)
{
    uint64_t *most = &engine->network.statistics.reassembly_packets_max;
    if (flight->packets == 1)
        return;
    if (flight->packets_delivered + 1 == flight->packets)
        engine->held[router] -= flight->packets - 1;
    else
        engine->held[router]++;
    *most = engine->held[router] > *most ? engine->held[router] : *most;
}

/* Rule 3 for one packet: it counts as ejected at its terminal in this slot. */
static inline void deliver(struct net_deflection *engine, uint32_t router, const struct net_cargo *cargo)
{
    reassemble(engine, router, &engine->flights.items[cargo->flight]);
    engine->network.terminal_flits[engine->routers + router]++;
    if (net_flights_deliver(&engine->flights, cargo) < 0)
        engine->out_of_memory = true;
}

/* It has made a hop whenever it could. Hops are the cycles inside over L, and so need no counter in the slot. With
 * L = 1 there is no division. */
static inline void absorb(struct net_deflection *engine, uint32_t router,
                          const struct net_deflection_packet *packet)
{
    uint32_t cycles = (uint32_t)engine->network.now - packet->entered, link = engine->phases - 1;
    const struct net_cargo cargo = {.generated = engine->flights.items[packet->flight].generated,
                                    .flight = packet->flight,
                                    .number = packet->number,
                                    .worst_link = NET_NONE,
                                    .length = 1,
                                    .hops = link == 1 ? cycles : cycles / link};
    engine->inside--;
    deliver(engine, router, &cargo);
}

/* Of the inputs whose packets have arrived, those of the oldest that can be absorbed (rule 3). The youngest is
 * taken out until E are left: at most NET_DEFLECTION_PORTS times. */
static uint32_t oldest_of(const struct net_deflection *engine, const struct net_deflection_packet *at,
                          uint32_t arrived)
{
    while ((uint32_t)__builtin_popcount(arrived) > engine->absorbs) {
        uint32_t youngest = (uint32_t)__builtin_ctz(arrived);
        for (uint32_t rest_of = arrived & (arrived - 1); rest_of != 0; rest_of &= rest_of - 1) {
            uint32_t input = (uint32_t)__builtin_ctz(rest_of);
            youngest = at[youngest].age < at[input].age ? input : youngest;
        }
        arrived &= ~(1u << youngest);
    }
    return arrived;
}

/* Rule 3; returns the inputs of those that are taken. */
static uint32_t absorb_all(struct net_deflection *engine, uint32_t router,
                           const struct net_deflection_packet *at, uint32_t arrived)
{
    uint32_t absorbed = engine->absorbs >= engine->ports ? arrived : oldest_of(engine, at, arrived);
    for (uint32_t left = absorbed; left != 0; left &= left - 1)
        absorb(engine, router, &at[__builtin_ctz(left)]);
    return absorbed;
}

/* Rules 2 and 3: the inputs of what has come and does not stay. `inputs` is the mask of inputs with a packet.
 * Slots of the others are stale: they are read, since a loop without a branch is faster, and masked out. A packet
 * without a good port is where it is to go. */
NET_DEFLECTION_INLINE uint32_t take_in(struct net_deflection *engine, uint32_t router, uint32_t inputs,
                                       const struct net_deflection_packet *at, uint32_t ports)
{
    uint32_t arrived = 0;
#pragma GCC unroll 8
    for (uint32_t input = 0; input < ports; input++)
        arrived |= (uint32_t)(net_deflection_good(&at[input]) == 0) << input;
    arrived &= inputs;
    return arrived != 0 ? inputs & ~absorb_all(engine, router, at, arrived) : inputs;
}

/* ---- entry ---- */

/* Over no link. */
static void deliver_to_itself(struct net_deflection *engine, uint32_t router)
{
    struct net_cargo cargo;
    engine->urgent--;
    net_flights_take(&engine->flights, router, &cargo);
    engine->network.terminal_flits[router]++;
    if (net_flights_sent(&engine->flights, &cargo) < 0)
        engine->out_of_memory = true;
    deliver(engine, router, &cargo);
}

/* What a source has next is read in its next slot: of long queues it would have to come from far. A hint to the
 * processor's cache: results do not depend on it. */
static inline void fetch(const struct net_flights *flights, uint32_t router)
{
    uint32_t next = flights->injectors[router].first;
    if (next != NET_NONE)
        __builtin_prefetch(&flights->items[next]);
}

/* Rule 4: the source's first packet, which is at the router already, or enters if it may. Whether it has. `packet`
 * is written only if it enters. Its age is that of rule 5 as one number: messages have numbers with room for their
 * packets between them (net_flight.age). */
NET_DEFLECTION_INLINE bool enter(struct net_deflection *engine, uint32_t router, bool may,
                                 struct net_deflection_packet *packet)
{
    const struct net_flight *flight = &engine->flights.items[engine->flights.injectors[router].first];
    struct net_cargo cargo;
    if (flight->target == router) {
        deliver_to_itself(engine, router);
        return false;
    }
    if (!may)
        return false;
    net_flights_take(&engine->flights, router, &cargo);
    engine->network.terminal_flits[router]++;
    if (flight->notice_sent && net_flights_sent(&engine->flights, &cargo) < 0)
        engine->out_of_memory = true;
    packet->age = flight->age + cargo.number;
    packet->flight = cargo.flight;
    packet->number = cargo.number;
    packet->place =
        net_one_way_place(engine->one_way, net_one_way_state(engine->one_way, router, flight->target));
    packet->entered = (uint32_t)engine->network.now;
    engine->inside++;
    fetch(&engine->flights, router);
    return true;
}

/* Lossy sources keep nothing. What still waits after its one chance in rule 4 is gone; the messages' numbers stay
 * used. */
static void lose(struct net_deflection *engine, uint32_t router)
{
    while (engine->network.options.lossy && net_flights_waits(&engine->flights, router))
        if (net_flights_lose(&engine->flights, router) < 0)
            engine->out_of_memory = true;
}

/* Rule 4 with what follows from it for the source: whether a packet enters, which is then in `packet`. */
NET_DEFLECTION_INLINE bool serve_source(struct net_deflection *engine, uint32_t router, bool may,
                                        struct net_deflection_packet *packet)
{
    bool entered = enter(engine, router, may, packet);
    if (engine->network.options.lossy)
        lose(engine, router);
    if (!net_flights_waits(&engine->flights, router))
        rest(engine, router);
    return entered;
}

/* ---- movement ---- */

/* A flit that may leave its owner's part of the network. */
static void count_crossing(const struct net_deflection *engine, uint32_t router,
                           const struct net_deflection_packet *packet, uint32_t port)
{
    const struct net_owners *owners = &engine->network.owners;
    net_owners_carry(owners, owners->row[engine->flights.items[packet->flight].source],
                     owners->slot[router * engine->ports + port], 1, true);
}

/* Rule 8. What does not change is read before: a byte that is written might be anything to the compiler. A packet
 * keeps its input's number: a link arrives by the input that has the number of its port, so that no two packets of
 * a list can want one slot. `next` of the one-way network has the state behind each port, where it is tabulated. */
NET_DEFLECTION_INLINE void move(struct net_deflection *engine, struct rows *rows, uint32_t router,
                                const struct net_deflection_list *list, const uint8_t *taken, uint32_t count,
                                uint32_t ports)
{
    const struct net_one_way *one_way = engine->one_way;
    const uint32_t *steps = one_way->next;
    const struct net_deflection_link *links = &engine->links[(size_t)router * ports];
    uint64_t *flits = engine->network.link_flits + (size_t)router * ports;
    struct net_deflection_packet *ahead = rows->ahead;
    uint8_t *inputs = rows->inputs_ahead, *occupied = rows->occupied_ahead;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++) {
        const struct net_deflection_packet *packet = list->packet[i];
        uint32_t port = taken[i], to = links[port].target, state = packet->place >> 8;
        struct net_deflection_packet *next = &ahead[links[port].slot];
        *next = *packet;
        next->place = steps != NULL
                          ? steps[(size_t)state * ports + port]
                          : net_one_way_place(one_way, net_one_way_step(one_way, state, port, router, to));
        inputs[to] |= (uint8_t)(1u << port);
        occupied[to / 64] = 1;
        flits[port]++;
    }
    rows->moved += count;
}

/* The ports of a list, by the way that is a literal; returns how many packets get no good one. */
NET_DEFLECTION_INLINE uint32_t choose(struct net_deflection *engine, uint32_t router,
                                      const struct net_deflection_list *list, uint32_t count, uint32_t ports,
                                      enum way way, uint8_t *taken)
{
    uint32_t bad;
    if (way == ANEW) {
        net_deflection_choose(engine, router, list, taken);
        return net_deflection_bad(list, taken);
    }
    if (way == OLDEST_OF_FIVE)
        return net_deflection_oldest_of_five(engine, router, list, count, taken);
    const uint8_t *entry = way == RANDOM   ? net_deflection_random(engine, list, count, ports, &bad)
                           : way == OLDEST ? net_deflection_oldest(engine, list, count, ports, &bad)
                                           : net_deflection_oldest_of_four(engine, list, count, ports, &bad);
    uint32_t code = entry[1 + net_deflection_draw(engine, router, *entry)];
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        taken[i] = code >> 2 * i & 3;
    return bad;
}

/* Rules 6 to 8 for a list of that many. */
NET_DEFLECTION_INLINE void send(struct net_deflection *engine, struct rows *rows, uint32_t router,
                                const struct net_deflection_list *list, uint32_t count, uint32_t ports,
                                enum way way)
{
    uint8_t taken[NET_DEFLECTION_PORTS];
    engine->deflected[router] += choose(engine, router, list, count, ports, way, taken);
    if (__builtin_expect(engine->network.owners.row != NULL, 0))
        for (uint32_t i = 0; i < count; i++)
            count_crossing(engine, router, list->packet[i], taken[i]);
    move(engine, rows, router, list, taken, count, ports);
}

/* Rule 6: the packets at these inputs, then the new one if there is one (NULL: none). For the ways that are worked
 * out anew, where the length of the list is a variable. */
static void line_up(struct net_deflection_list *list, uint32_t inputs,
                    const struct net_deflection_packet *entering)
{
    for (; inputs != 0; inputs &= inputs - 1)
        list->packet[list->count++] = &list->at[__builtin_ctz(inputs)];
    list->has_new = entering != NULL;
    if (entering != NULL)
        list->packet[list->count++] = entering;
}

/* The same, a packet at a time: a list of literal length whose address nobody has. `order` has the inputs in four
 * bits each, the first one lowest; `count` includes the new packet, which is the last. */
NET_DEFLECTION_INLINE void send_inputs(struct net_deflection *engine, struct rows *rows, uint32_t router,
                                       uint32_t order, const struct net_deflection_packet *entering,
                                       uint32_t count, uint32_t ports, enum way way)
{
    struct net_deflection_list list = {
        .at = &rows->at[(size_t)router * ports], .count = count, .has_new = entering != NULL};
#pragma GCC unroll 8
    for (uint32_t i = 0; i < count; i++)
        list.packet[i] = &list.at[order >> 4 * i & 15];
    list.packet[count - 1] = entering != NULL ? entering : list.packet[count - 1];
    send(engine, rows, router, &list, count, ports, way);
}

/* A full router, on whose inputs all packets go on, is what a loaded network has most: its list is its inputs.
 * Its source is not looked at, unless what waits there is for the router itself, or is lost. In a full router
 * nothing can enter (rule 4: k <= D - 1), and 0x76543210 is the order of all inputs. */
NET_DEFLECTION_INLINE void run_router(struct net_deflection *engine, struct rows *rows, uint32_t router,
                                      bool waits, uint32_t ports, enum way way)
{
    struct net_deflection_packet new_one;
    const struct net_deflection_packet *at = &rows->at[(size_t)router * ports];
    uint32_t all = (1u << ports) - 1, inputs = take_in(engine, router, rows->inputs[router], at, ports);
    if (way != ANEW && inputs == all && (!waits || engine->urgent == 0)) {
        send_inputs(engine, rows, router, 0x76543210, NULL, ports, ports, way);
        return;
    }
    bool enters = waits && serve_source(engine, router, inputs != all, &new_one);
    const struct net_deflection_packet *entering = enters ? &new_one : NULL;
    if (way == ANEW) {
        struct net_deflection_list list = {.at = at};
        line_up(&list, inputs, entering);
        if (list.count != 0)
            send(engine, rows, router, &list, list.count, ports, way);
        return;
    }
    uint32_t order = engine->orders[inputs] >> 4, of = (engine->orders[inputs] & 15) + enters;
#pragma GCC unroll 8
    for (uint32_t count = ports; count > 0; count--)
        if (of == count) {
            send_inputs(engine, rows, router, order, entering, count, ports, way);
            break;
        }
}

/* ---- cycles ---- */

/* A bit for each of 8 bytes that is not 0. Adding 127 to the lower seven bits carries into the eighth unless they
 * are 0; the product gathers the eighth bits in the highest byte. */
static inline uint64_t bits_of(uint64_t bytes)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t high = (((bytes & low) + low) | bytes) & ~low;
    return (high >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/* Eight bytes as a number, the first one lowest on every machine; compilers make one load of it where that is so. */
static inline uint64_t eight(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

/* Which of 64 routers have packets. */
static inline uint64_t with_packets(const uint8_t *inputs)
{
    uint64_t routers = 0;
    for (uint32_t i = 0; i < 8; i++)
        routers |= bits_of(eight(inputs + (size_t)8 * i)) << 8 * i;
    return routers;
}

/* A slot of all routers in ascending order, which changes nothing: a router reads the row of this cycle and writes
 * that of L cycles later, and no two write the same slot. Words of 64 routers without packets and sources are
 * skipped. The row that has been read is cleared for its next use, L + 1 cycles on. */
NET_DEFLECTION_INLINE void run(struct net_deflection *engine, uint32_t ports, enum way way)
{
    size_t slots = (size_t)engine->routers * ports, inputs = (size_t)engine->words * 64;
    uint32_t phase = (uint32_t)(engine->network.now % engine->phases);
    uint32_t after = phase == 0 ? engine->phases - 1 : phase - 1; /* L cycles on, modulo L + 1 */
    struct rows rows = {.at = &engine->slots[phase * slots],
                        .inputs = &engine->inputs[phase * inputs],
                        .ahead = &engine->slots[after * slots],
                        .inputs_ahead = &engine->inputs[after * inputs],
                        .occupied = &engine->occupied[phase * (size_t)engine->words],
                        .occupied_ahead = &engine->occupied[after * (size_t)engine->words]};
    for (uint32_t word = 0; word < engine->words; word++) {
        uint64_t sources = engine->sources[word], left = sources;
        if (rows.occupied[word] == 0 && sources == 0)
            continue;
        uint8_t *with = rows.inputs + (size_t)word * 64;
        for (left |= with_packets(with); left != 0; left &= left - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(left);
            run_router(engine, &rows, word * 64 + bit, (sources >> bit & 1) != 0, ports, way);
        }
        memset(with, 0, 64);
        rows.occupied[word] = 0;
    }
    engine->moving[phase] = 0;
    engine->moving[after] += rows.moved;
}

/* What has a function of its own, and when it is the one. */
#define SHAPES(S)                                                                                            \
    S(2, OLDEST, NET_DEFLECT_OLDEST)                                                                         \
    S(3, OLDEST, NET_DEFLECT_OLDEST)                                                                         \
    S(4, OLDEST_OF_FOUR, NET_DEFLECT_OLDEST)                                                                 \
    S(5, OLDEST_OF_FIVE, NET_DEFLECT_OLDEST)                                                                 \
    S(2, RANDOM, NET_DEFLECT_RANDOM)                                                                         \
    S(3, RANDOM, NET_DEFLECT_RANDOM)                                                                         \
    S(4, RANDOM, NET_DEFLECT_RANDOM)

#define SHAPE(ports, way, rule)                                                                              \
    static void run_##ports##_##way(struct net_deflection *engine)                                           \
    {                                                                                                        \
        run(engine, ports, way);                                                                             \
    }
SHAPES(SHAPE)
#undef SHAPE

/* Of all other shapes and rules: assignments are worked out for each list (choice.c). */
static void run_any(struct net_deflection *engine)
{
    run(engine, engine->ports, ANEW);
}

/* Chosen once when the network is built; ports and rule are of the whole network. */
net_deflection_run *net_deflection_run_of(const struct net_deflection *engine)
{
#define SHAPE(count, way, served)                                                                            \
    if (engine->ports == (count) && engine->parameters.rule == (served))                                     \
        return run_##count##_##way;
    SHAPES(SHAPE)
#undef SHAPE
    return run_any;
}

/* Messages whose cycle has come join their sources before any router runs (rule 1). */
static void run_cycle(struct net_deflection *engine)
{
    uint32_t router;
    while ((router = net_flights_join(&engine->flights, engine->network.now)) != NET_NONE)
        net_deflection_wake(engine, router);
    engine->run(engine);
    engine->network.statistics.executed_cycles++;
}

/* The next cycle in which something comes to a router, or may enter. UINT64_MAX: nothing is to come. Phases are
 * few (L + 1), and packets inside have one of the next L cycles. */
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

/* ---- livelock ---- */

/* Of the packets on links the one that has been inside for longest; NULL: there is none. Entries are cycles modulo
 * 2^32, compared by how long ago they are. Over all slots, so only called once in a while. */
static const struct net_deflection_packet *longest_inside(const struct net_deflection *engine)
{
    const struct net_deflection_packet *longest = NULL;
    uint32_t now = (uint32_t)engine->network.now;
    size_t row = (size_t)engine->words * 64;
    for (uint32_t phase = 0; phase < engine->phases; phase++)
        for (uint32_t router = 0; router < engine->routers; router++)
            for (uint32_t inputs = engine->inputs[phase * row + router]; inputs != 0; inputs &= inputs - 1) {
                size_t slot = ((size_t)phase * engine->routers + router) * engine->ports;
                const struct net_deflection_packet *packet =
                    &engine->slots[slot + (size_t)__builtin_ctz(inputs)];
                if (longest == NULL || now - packet->entered > now - longest->entered)
                    longest = packet;
            }
    return longest;
}

/* Only rules that give the oldest no right of way can come here. */
static int refuse_endless(const struct net_deflection *engine, const struct net_deflection_packet *packet,
                          struct base_error *error)
{
    const struct net_flight *flight = &engine->flights.items[packet->flight];
    return base_error_set(error, BASE_DEADLOCK,
                          "livelock: a packet from terminal %" PRIu32 " to %" PRIu32
                          " has made more than %" PRIu64 " hops over a distance of %" PRIu32
                          "; under --routing deflection,rule=oldest every packet arrives",
                          flight->source, flight->target, engine->hops_max,
                          net_topology_distance(engine->network.topology, flight->source, flight->target));
}

/* A packet makes a hop every L cycles: when the one that has made most of those inside now could have made too many, it
 * is looked for again, and not before. Exact all the same: no packet inside now can have too many hops before
 * endless_from, and none that enters later can. */
static int look_for_endless(struct net_deflection *engine, struct base_error *error)
{
    const struct net_deflection_packet *packet = longest_inside(engine);
    uint32_t inside = packet != NULL ? (uint32_t)engine->network.now - packet->entered : 0;
    uint64_t most = engine->hops_max * engine->network.options.link_cycles;
    if (inside > most)
        return refuse_endless(engine, packet, error);
    engine->endless_from = engine->network.now - inside + most + 1;
    return 0;
}

/* As net_engine.advance says. A standstill cannot happen, since nothing is ever stored; an endless way can. */
int net_deflection_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_deflection *engine = (struct net_deflection *)network;
    for (;;) {
        int before =
            net_network_before_cycle(network, engine->out_of_memory, next_cycle(engine), limit, error);
        if (before != NET_GOES_ON)
            return before;
        if (network->now >= engine->endless_from && look_for_endless(engine, error) < 0)
            return -1;
        run_cycle(engine);
        network->now++;
    }
}
