/* A slot of the deflection engine, 64 routers at a time: what has come is absorbed or goes on, and one packet
 * may enter (rules 2 to 8 of doc/deflection.md).
 *
 *      full_routers    those on whose inputs all packets go on: they have only to choose
 *      open_up         the others: absorb what has come, line up what goes on, let one enter
 *      send            all: choose and move
 *
 * Few of these steps branch on what a router has, since nobody could predict it. Ports and ways to choose are literals
 * of the functions that run the cycles of small routers (SHAPES below), made from one source; everything on the way of
 * a packet is inlined into them. */
#include <inttypes.h>

#include "netmodel/deflection-engine/choice.h"
#include "netmodel/engines/bits.h"

enum { WORD = 64, AHEAD = 4 }; /* routers; packets that have come, whose messages are fetched */

/* Where packets are in this cycle, and where those that leave now will be: rows of the engine's arrays. */
struct rows {
    struct net_deflection_row at, ahead;
    uint64_t *with, *with_ahead;
};

/* What a slot of all routers is like; a literal. */
enum pace {
    QUICK, /* all are looked at, steps are in a table, and nobody owns routers */
    FULL,  /* all are looked at */
    SPARSE /* few packets: who has some is noted, and nobody else looked at */
};

/* Routers of a word, by their bits. */
struct word {
    uint32_t first, count;              /* routers */
    uint64_t visited, sources, entered; /* entered: whose last packet is new */
};

/* ---- sources ---- */

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
NET_DEFLECTION_INLINE void reassemble(struct net_deflection *engine, uint32_t router,
                                      const struct net_flight *flight)
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
NET_DEFLECTION_INLINE void deliver(struct net_deflection *engine, uint32_t router,
                                   const struct net_cargo *cargo)
{
    reassemble(engine, router, &engine->flights.items[cargo->flight]);
    engine->network.terminal_flits[engine->routers + router]++;
    if (net_flights_deliver_now(&engine->flights, cargo) < 0)
        engine->out_of_memory = true;
}

/* It has made a hop whenever it could. Hops are the cycles inside over L, and so need no counter in the slot. With
 * L = 1 there is no division. */
NET_DEFLECTION_INLINE void absorb(struct net_deflection *engine, uint32_t router,
                                  const struct net_deflection_load *packet)
{
    const struct net_flight *flight = &engine->flights.items[packet->flight];
    uint32_t hops = (uint32_t)engine->network.now - packet->entered, link = engine->phases - 1;
    if (__builtin_expect(link > 1, 0))
        hops /= link;
    const struct net_cargo cargo = {.generated = flight->generated,
                                    .flight = packet->flight,
                                    .number = (uint32_t)(packet->age - flight->age),
                                    .worst_link = NET_NONE,
                                    .length = 1,
                                    .hops = hops};
    engine->inside--;
    deliver(engine, router, &cargo);
}

/* Of the inputs whose packets have arrived, those of the oldest that can be absorbed (rule 3). The youngest is
 * taken out until E are left: at most NET_DEFLECTION_PORTS times. */
static uint32_t oldest_of(const struct net_deflection *engine, const struct net_deflection_load *at,
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

/* Of the inputs of a router those whose packets are absorbed: by tables all that have arrived are. */
NET_DEFLECTION_INLINE uint32_t absorbed(const struct net_deflection *engine,
                                        const struct net_deflection_row *at, uint32_t slot, uint32_t ports)
{
    uint32_t arrived = 0;
#pragma GCC unroll 8
    for (uint32_t input = 0; input < ports; input++)
        arrived |= ((uint32_t)at->places[slot + input] & NET_DEFLECTION_ARRIVED) / NET_DEFLECTION_ARRIVED
                   << input;
    return engine->absorbs < ports ? oldest_of(engine, &at->loads[slot], arrived) : arrived;
}

/* Rules 2 and 3 for the routers of a mask. Slots with what has come are collected first, without a branch, and then
 * emptied. What came is counted; where all routers are looked at, what did not come, since it is less. */
NET_DEFLECTION_INLINE void absorb_all(struct net_deflection *engine, const struct rows *rows,
                                      const struct word *word, uint64_t routers, uint32_t ports,
                                      enum net_deflection_way way, enum pace pace)
{
    uint64_t *carried = &engine->carried[(size_t)word->first * ports];
    uint16_t slots[WORD * NET_DEFLECTION_PORTS + 1];
    const struct net_deflection_row *at = &rows->at;
    bool whole = way == NET_DEFLECTION_AGES || way == NET_DEFLECTION_CHANCE;
    uint32_t count = 0;
    for (uint64_t left = routers; left != 0; left &= left - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(left) * ports;
        uint32_t arrived = whole ? 0 : absorbed(engine, at, slot, ports);
#pragma GCC unroll 8
        for (uint32_t input = 0; input < ports; input++) {
            uint64_t place = at->places[slot + input];
            carried[slot + input] += (place >> 31 & 1) - (pace != SPARSE);
            slots[count] = (uint16_t)(slot + input);
            count += whole ? (uint32_t)place / NET_DEFLECTION_ARRIVED & 1 : arrived >> input & 1;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            __builtin_prefetch(&engine->flights.items[at->loads[slots[i + AHEAD]].flight]);
        absorb(engine, word->first + slots[i] / ports, &at->loads[slots[i]]);
        at->places[slots[i]] = 0;
    }
}

/* ---- entry ---- */

/* Over no link. */
static __attribute__((noinline)) void deliver_to_itself(struct net_deflection *engine, uint32_t router)
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

/* A copy: a cargo whose address nobody has is kept in registers. */
static void tell_sent(struct net_deflection *engine, struct net_cargo cargo)
{
    if (net_flights_sent(&engine->flights, &cargo) < 0)
        engine->out_of_memory = true;
}

/* Rule 4: the source's first packet, which is at the router already, or enters if it may. Whether it has: then it is at
 * `input` of the row. Its age is that of rule 5 as one number: messages have numbers with room for their
 * packets between them (net_flight.age). */
NET_DEFLECTION_INLINE bool enter(struct net_deflection *engine, const struct net_deflection_row *at,
                                 uint32_t router, bool may, uint32_t input)
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
    if (flight->notice_sent)
        tell_sent(engine, cargo);
    at->loads[input] =
        (struct net_deflection_load){flight->age + cargo.number, cargo.flight, (uint32_t)engine->network.now};
    at->places[input] =
        net_deflection_place(engine, net_one_way_state(engine->one_way, router, flight->target), input);
    engine->inside++;
    fetch(&engine->flights, router);
    return true;
}

/* Lossy sources keep nothing. What still waits after its one chance in rule 4 is gone; the messages' numbers stay
 * used. */
static __attribute__((noinline)) void lose(struct net_deflection *engine, uint32_t router)
{
    while (engine->network.options.lossy && net_flights_waits(&engine->flights, router))
        if (net_flights_lose(&engine->flights, router) < 0)
            engine->out_of_memory = true;
}

/* Rule 4 with what follows from it for the source: whether a packet enters. */
NET_DEFLECTION_INLINE bool serve_source(struct net_deflection *engine, const struct net_deflection_row *at,
                                        uint32_t router, bool may, uint32_t input)
{
    bool entered = enter(engine, at, router, may, input);
    if (engine->network.options.lossy)
        lose(engine, router);
    if (!net_flights_waits(&engine->flights, router))
        rest(engine, router);
    return entered;
}

/* Rule 6: packets move up to the inputs before them that are empty. Good ports stay those of a packet, in the field of
 * its new input. Returns how many packets there are. */
NET_DEFLECTION_INLINE uint32_t line_up(const struct net_deflection_row *at, uint32_t ports)
{
    uint64_t places[NET_DEFLECTION_PORTS];
    uint32_t count = 0;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < ports; i++) {
        places[i] = at->places[i];
        at->places[i] = 0;
    }
#pragma GCC unroll 8
    for (uint32_t i = 0; i < ports; i++) {
        uint64_t good = places[i] & NET_DEFLECTION_GOOD;
        at->places[count] = (places[i] - good) | good >> ports * (i - count);
        at->loads[count] = at->loads[i];
        count += (uint32_t)places[i] >> 31;
    }
    return count;
}

/* The first input without a packet; `ports`: there is none. For choices that want packets where they came in. */
static uint32_t first_hole(const struct net_deflection_row *at, uint32_t ports)
{
    uint32_t input = 0;
    while (input < ports && at->places[input] != 0)
        input++;
    return input;
}

/* Rules 2 to 4 for the routers of a mask, and rule 6 where lists are chosen for by tables. */
NET_DEFLECTION_INLINE void open_up(struct net_deflection *engine, const struct rows *rows, struct word *word,
                                   uint64_t routers, uint32_t ports, enum net_deflection_way way,
                                   enum pace pace)
{
    absorb_all(engine, rows, word, routers, ports, way, pace);
    word->entered = 0;
    for (uint64_t left = routers; left != 0; left &= left - 1) {
        uint32_t bit = (uint32_t)__builtin_ctzll(left);
        const struct net_deflection_row at = {rows->at.places + (size_t)bit * ports,
                                              rows->at.loads + (size_t)bit * ports};
        uint32_t input = way != NET_DEFLECTION_ANEW ? line_up(&at, ports) : first_hole(&at, ports);
        if ((word->sources >> bit & 1) != 0)
            word->entered |= (uint64_t)serve_source(engine, &at, word->first + bit, input < ports, input)
                             << bit;
    }
}

/* ---- movement ---- */

/* A flit that may leave its owner's part of the network. */
static void count_crossing(const struct net_deflection *engine, uint32_t router, uint32_t flight,
                           uint32_t port)
{
    const struct net_owners *owners = &engine->network.owners;
    net_owners_carry(owners, owners->row[engine->flights.items[flight].source],
                     owners->slot[router * engine->ports + port], 1, true);
}

/* The place behind a port; behind no place there is none. */
NET_DEFLECTION_INLINE uint64_t step(const struct net_deflection *engine, uint32_t router, uint64_t place,
                                    uint32_t port, const struct net_deflection_link *link, enum pace pace)
{
    if (pace == QUICK || engine->steps != NULL)
        return engine->steps[(place >> 32) + port];
    if (place == 0)
        return 0;
    uint32_t state = net_one_way_step(engine->one_way, (uint32_t)(place >> 32), port, router, link->target);
    return net_deflection_place(engine, state, port);
}

/* Rule 8 for one packet, or for none, which leads to an empty place. A packet keeps its input's number: a link arrives
 * by the input that has the number of its port, so that no two packets of a router can want one slot. */
NET_DEFLECTION_INLINE void move(const struct net_deflection *engine, const struct rows *rows, uint32_t router,
                                uint64_t place, const struct net_deflection_load *load, uint32_t port,
                                uint32_t ports, enum pace pace)
{
    const struct net_deflection_link *link = &engine->links[(size_t)router * ports + port];
    uint64_t next = step(engine, router, place, port, link, pace);
    rows->ahead.places[link->slot] = next;
    rows->ahead.loads[link->slot] = *load;
    if (pace == SPARSE)
        rows->with_ahead[link->target / WORD] |= (next >> 31 & 1) << link->target % WORD;
    if (pace != QUICK && engine->network.owners.row != NULL && place != 0)
        count_crossing(engine, router, load->flight, port);
}

/* Rules 6 and 7 where choices are worked out anew: the packets of a router as a list, and where each is. */
static void choose_anew(struct net_deflection *engine, const struct rows *rows, const struct word *word,
                        uint32_t bit, uint8_t *taken)
{
    struct net_deflection_list list = {.has_new = (word->entered >> bit & 1) != 0};
    uint32_t ports = engine->ports, router = word->first + bit, slot = bit * ports;
    uint8_t by_place[NET_DEFLECTION_PORTS];
    for (uint32_t turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < ports; i++) {
            const uint64_t place = rows->at.places[slot + i];
            const struct net_deflection_load *load = &rows->at.loads[slot + i];
            bool is_new = list.has_new && load->entered == (uint32_t)engine->network.now;
            if (place == 0 || is_new != (turn == 1))
                continue;
            uint32_t state = (uint32_t)(place >> 32);
            state = engine->steps != NULL ? (state >> engine->stride) - 1 : state;
            list.packet[list.count++] =
                (struct net_deflection_packet){load->age, place & NET_DEFLECTION_GOOD, state, i};
        }
    if (list.count == 0)
        return;
    net_deflection_choose(engine, router, &list, by_place);
    for (uint32_t i = 0; i < list.count; i++) {
        taken[list.packet[i].slot] = by_place[i];
        engine->deflected[router] += (list.packet[i].good >> by_place[i] & 1) == 0;
    }
}

/* Rules 6 to 8 for a router. Of a router without packets too: then nothing moves. */
NET_DEFLECTION_INLINE void send(struct net_deflection *engine, const struct rows *rows,
                                const struct word *word, uint32_t bit, uint32_t ports,
                                enum net_deflection_way way, enum pace pace)
{
    uint32_t router = word->first + bit, slot = bit * ports, key = 0, bad = 0, code = 0;
    const uint64_t *places = rows->at.places + slot;
    const struct net_deflection_load *loads = &rows->at.loads[slot];
    uint8_t taken[NET_DEFLECTION_PORTS] = {0};
    uint32_t width = way == NET_DEFLECTION_SETS || ports > 3 ? 4 : 2; /* of the code, a packet */
    if (way == NET_DEFLECTION_AGES || way == NET_DEFLECTION_CHANCE)
#pragma GCC unroll 8
        for (uint32_t i = 0; i < ports; i++)
            key |= (uint32_t)places[i] & NET_DEFLECTION_GOOD;
    if (way == NET_DEFLECTION_AGES)
        key = key << net_deflection_order_bits(ports) | net_deflection_ages(loads, ports);
    else if (way == NET_DEFLECTION_CHANCE)
        key = key << 1 | (uint32_t)(word->entered >> bit & 1);
    if (way == NET_DEFLECTION_AGES || way == NET_DEFLECTION_CHANCE)
        code = net_deflection_by_table(engine, router, key, ports, &bad);
    else if (way == NET_DEFLECTION_SETS)
        code = net_deflection_by_sets(engine, router, places, loads, ports, &bad);
    else
        choose_anew(engine, rows, word, bit, taken);
    engine->deflected[router] += bad;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < ports; i++) {
        uint32_t port = way == NET_DEFLECTION_ANEW ? taken[i] : code >> width * i & (width == 2 ? 3 : 7);
        if (way == NET_DEFLECTION_ANEW && places[i] == 0)
            continue;
        if (pace == SPARSE && places[i] == 0)
            break; /* packets come first */
        move(engine, rows, router, places[i], &loads[i], port, ports, pace);
    }
}

/* ---- cycles ---- */

/* Those on whose inputs all packets go on, of all routers of the word. */
NET_DEFLECTION_INLINE uint64_t full_routers(const struct rows *rows, const struct word *word, uint32_t ports)
{
    const uint64_t *places = rows->at.places;
    uint64_t full = 0;
    for (uint32_t i = 0; i < word->count; i++, places += ports) {
        uint64_t all = NET_DEFLECTION_TRAVELS;
#pragma GCC unroll 8
        for (uint32_t input = 0; input < ports; input++)
            all &= places[input];
        full = full >> 1 | all / NET_DEFLECTION_TRAVELS << (WORD - 1);
    }
    return full >> (WORD - word->count);
}

/* A router's places, when they have been read. */
NET_DEFLECTION_INLINE void clear(const struct rows *rows, uint32_t bit, uint32_t ports)
{
#pragma GCC unroll 8
    for (uint32_t i = 0; i < ports; i++)
        rows->at.places[bit * ports + i] = 0;
}

/* A slot of a word. A full router's source is not looked at, unless what waits there is for the router itself, or is
 * lost: nothing can enter there (rule 4: k <= D - 1). */
NET_DEFLECTION_INLINE void run_word(struct net_deflection *engine, const struct rows *rows, struct word *word,
                                    uint32_t ports, enum net_deflection_way way, enum pace pace)
{
    uint64_t open = word->visited;
    if (pace != SPARSE)
        open &= ~full_routers(rows, word, ports) | (engine->urgent != 0 ? word->sources : 0);
    open_up(engine, rows, word, open, ports, way, pace);
    if (pace != SPARSE) {
        for (uint32_t bit = 0; bit < word->count; bit++) {
            send(engine, rows, word, bit, ports, way, pace);
            clear(rows, bit, ports);
        }
        return;
    }
    for (uint64_t left = word->visited; left != 0; left &= left - 1) {
        uint32_t bit = (uint32_t)__builtin_ctzll(left);
        send(engine, rows, word, bit, ports, way, SPARSE);
        clear(rows, bit, ports);
    }
}

/* The rows of this cycle and of L cycles later. */
static struct rows rows_of(const struct net_deflection *engine, uint32_t phase, uint32_t after)
{
    size_t slots = (size_t)engine->routers * engine->ports, words = engine->words;
    return (struct rows){.at = {&engine->places[phase * slots], &engine->loads[phase * slots]},
                         .ahead = {&engine->places[after * slots], &engine->loads[after * slots]},
                         .with = &engine->with[phase * words],
                         .with_ahead = &engine->with[after * words]};
}

/* A slot of all routers in ascending order, which changes nothing: a router reads the row of this cycle and writes
 * that of L cycles later, and no two write the same slot. With few packets it is noted who gets one, and words of 64
 * routers without packets and sources are skipped; with many all are visited, and all are noted. The row that has been
 * read is cleared for its next use, L + 1 cycles on. */
NET_DEFLECTION_INLINE void run(struct net_deflection *engine, uint32_t ports, enum net_deflection_way way)
{
    uint32_t phase = (uint32_t)(engine->network.now % engine->phases);
    uint32_t after = phase == 0 ? engine->phases - 1 : phase - 1; /* L cycles on, modulo L + 1 */
    struct rows rows = rows_of(engine, phase, after), here = rows;
    bool sparse = engine->moving[phase] + engine->waiting < engine->routers;
    bool quick = engine->steps != NULL && engine->network.owners.row == NULL;
    uint64_t before = engine->inside;
    for (uint32_t i = 0; i < engine->words; i++) {
        struct word word = {.first = i * WORD, .sources = engine->sources[i]};
        word.count = engine->routers - word.first < WORD ? engine->routers - word.first : WORD;
        word.visited = sparse ? rows.with[i] | word.sources : UINT64_MAX >> (WORD - word.count) % WORD;
        here.at.places = rows.at.places + (size_t)word.first * ports;
        here.at.loads = rows.at.loads + (size_t)word.first * ports;
        rows.with[i] = 0;
        if (!sparse)
            rows.with_ahead[i] = word.visited;
        if (!sparse && quick)
            run_word(engine, &here, &word, ports, way, QUICK);
        else if (!sparse)
            run_word(engine, &here, &word, ports, way, FULL);
        else if (word.visited != 0)
            run_word(engine, &here, &word, ports, way, SPARSE);
    }
    engine->full_slots += !sparse;
    engine->moving[after] += engine->moving[phase] + engine->inside - before;
    engine->moving[phase] = 0;
}

/* What has a function of its own, and when it is the one. */
#define SHAPES(S)                                                                                            \
    S(2, NET_DEFLECTION_AGES)                                                                                \
    S(3, NET_DEFLECTION_AGES)                                                                                \
    S(2, NET_DEFLECTION_SETS)                                                                                \
    S(3, NET_DEFLECTION_SETS)                                                                                \
    S(4, NET_DEFLECTION_SETS)                                                                                \
    S(5, NET_DEFLECTION_SETS)                                                                                \
    S(2, NET_DEFLECTION_CHANCE)                                                                              \
    S(3, NET_DEFLECTION_CHANCE)                                                                              \
    S(4, NET_DEFLECTION_CHANCE)

#define SHAPE(ports, way)                                                                                    \
    static void run_##ports##_##way(struct net_deflection *engine)                                           \
    {                                                                                                        \
        run(engine, ports, way);                                                                             \
    }
SHAPES(SHAPE)
#undef SHAPE

/* Of all other shapes and rules: assignments are worked out for each list (choice.c). */
static void run_any(struct net_deflection *engine)
{
    run(engine, engine->ports, NET_DEFLECTION_ANEW);
}

/* Chosen once when the network is built; ports and rule are of the whole network. */
net_deflection_run *net_deflection_run_of(const struct net_deflection *engine)
{
#define SHAPE(count, chosen)                                                                                 \
    if (engine->ports == (count) && engine->way == (chosen))                                                 \
        return run_##count##_##chosen;
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
static const struct net_deflection_load *longest_inside(const struct net_deflection *engine)
{
    const struct net_deflection_load *longest = NULL;
    uint32_t now = (uint32_t)engine->network.now;
    for (size_t i = 0; i < (size_t)engine->phases * engine->routers * engine->ports; i++)
        if (engine->places[i] != 0 &&
            (longest == NULL || now - engine->loads[i].entered > now - longest->entered))
            longest = &engine->loads[i];
    return longest;
}

/* Only rules that give the oldest no right of way can come here. */
static int refuse_endless(const struct net_deflection *engine, const struct net_deflection_load *packet,
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
    const struct net_deflection_load *packet = longest_inside(engine);
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
        int before = net_network_go_on(network, engine->out_of_memory, next_cycle(engine), limit, error);
        if (before != NET_GOES_ON)
            return before;
        if (network->now >= engine->endless_from && look_for_endless(engine, error) < 0)
            return -1;
        run_cycle(engine);
        network->now++;
    }
}
