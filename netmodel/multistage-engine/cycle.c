/* A cycle of a multistage network: rules 1 to 5 of doc/multistage.md.
 *
 * Order within a cycle t, and why it is this one:
 *
 *     join, admit    rule 1, first, since all other rules read occ behind the admissions of t
 *     set up         rule 2, level 1 to S; a connection made in t serves in t
 *     decide         rules 3 and 4, level S to 0: nothing moves yet, so that every decision sees the same occ
 *     move           rule 5, level S to 0: a queue sends before bits come in from the level before
 *
 * Only ports with askers (`asked`) and ports with a queue that may send (`active`) are visited; a cycle costs
 * their number, and a word of each bitmap for every 64 ports of a level. */
#include <string.h>

#include "base/random.h"
#include "netmodel/engines/arbiters.h"
#include "netmodel/multistage-engine/internal.h"

/* Functions that take the number of queues a port as an argument are made three times, with 1, with 2 and with the
 * variable: with a literal the loops over queues and the divisions by their number disappear. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Number of the lowest bit that is set; the word is not 0. */
static inline uint32_t lowest(uint64_t word)
{
    return (uint32_t)__builtin_ctzll(word);
}

static inline void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void clear_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

/* draw(x, t, n) of the rules, before it is scaled. */
static uint64_t drawn(const struct net_multistage_engine *engine, uint64_t what)
{
    return net_arbiter_draw(engine->seed, what, engine->network.now);
}

/* ---- queues ---- */

/* Where a queue is: passed along, since to find it from the queue's number takes divisions. `p` is the port's
 * number in its level (0 .. N - 1), `v` the queue of that port (0 .. V - 1). */
struct place {
    uint32_t level, p, v;
};

/* The digit of its target by which a packet leaves the stage behind a level. `level` is 0 .. S - 1. Radices that
 * are powers of two shift, others divide (tag_shift is NULL). */
static inline uint32_t digit(const struct net_multistage_engine *engine, uint32_t level, uint32_t target)
{
    if (engine->tag_shift != NULL)
        return target >> engine->tag_shift[level] & (engine->radix - 1);
    return target / engine->tag_divisor[level] % engine->radix;
}

/* The first packet's port of the next level: the cell that port p leads to, and the target's digit. */
static inline uint32_t port_asked(const struct net_multistage_engine *engine, struct place place,
                                  uint32_t packet)
{
    return (place.level + 1) * engine->processors + engine->wires[place.p].ahead +
           digit(engine, place.level, engine->packets[packet].target);
}

/* Bits of the first packet are here that were not: it asks, or goes on. */
static inline void wake(struct net_multistage_engine *engine, struct place place, uint32_t index)
{
    struct net_stage_queue *queue = &engine->queues[index];
    if (place.level < engine->stages && queue->connection == NET_NONE) {
        uint32_t asker = engine->wires[place.p].row * engine->queues_per_port + place.v;
        engine->ports[queue->asks].askers |= UINT64_C(1) << asker;
        set_bit(engine->asked + (size_t)(place.level + 1) * engine->words,
                queue->asks - (place.level + 1) * engine->processors);
        return;
    }
    engine->ports[place.level * engine->processors + place.p].ready |= (uint8_t)(1 << place.v);
    set_bit(engine->active + (size_t)place.level * engine->words, place.p);
}

/* The opposite of wake for a queue that sends: it has no bits here, or its packet has gone. Who asks and has no
 * connection is taken from `askers` by set_up alone. */
static inline void rest(struct net_multistage_engine *engine, struct place place)
{
    struct net_stage_port *port = &engine->ports[place.level * engine->processors + place.p];
    port->ready &= (uint8_t) ~(1 << place.v);
    if (port->ready == 0)
        clear_bit(engine->active + (size_t)place.level * engine->words, place.p);
}

/* The packet of the queue's first node becomes its first, with so many bits here. */
static inline void begin_packet(struct net_multistage_engine *engine, struct place place, uint32_t index,
                                uint32_t here)
{
    struct net_stage_queue *queue = &engine->queues[index];
    uint32_t packet = engine->nodes[queue->first].packet;
    queue->here = here;
    queue->to_cross = engine->packets[packet].cargo.length;
    if (place.level < engine->stages)
        queue->asks = port_asked(engine, place, packet);
    if (here > 0)
        wake(engine, place, index);
}

/* As the last of the queue, with so many bits still to come. Bits are counted by whoever brings them (admit,
 * arrive): a packet that is set up takes no room before its first bits come. Out of memory ends the run at the
 * start of the next cycle (net_network_before_cycle). */
static inline void append(struct net_multistage_engine *engine, struct place place, uint32_t index,
                          uint32_t packet, uint32_t to_come)
{
    uint32_t node = NET_POOL_TAKE(&engine->node_pool, &engine->nodes, struct net_stage_node, next);
    struct net_stage_queue *queue = &engine->queues[index];
    if (node == NET_NONE) {
        engine->out_of_memory = true;
        return;
    }
    engine->nodes[node] = (struct net_stage_node){packet, NET_NONE};
    engine->packets[packet].queues++;
    queue->to_come = to_come;
    if (queue->last != NET_NONE) {
        engine->nodes[queue->last].next = node;
        queue->last = node;
        return;
    }
    queue->first = queue->last = node;
    begin_packet(engine, place, index, engine->packets[packet].cargo.length - to_come);
}

/* ---- rule 1: admission ---- */

/* The input queue that admits the processor's next packet; NET_NONE: none. Capacity and occupancy are in bits.
 * `most` cannot be negative: check_queues refuses queues below an input's width. */
static inline uint32_t admitting(const struct net_multistage_engine *engine, uint32_t processor)
{
    uint32_t first = processor * engine->queues_per_port, best = NET_NONE;
    uint32_t most = engine->network.options.admission == NET_ADMIT_NOT_FULL
                        ? engine->capacity - 1
                        : engine->capacity - engine->multistage->input_bits;
    for (uint32_t v = 0; v < engine->queues_per_port; v++) {
        uint32_t bits = engine->queues[first + v].bits;
        if (bits <= most && (best == NET_NONE || bits < engine->queues[best].bits))
            best = first + v;
    }
    return best;
}

/* The next packet of a processor's list, whole. It joins whole, even if the queue then holds more than Q bits:
 * only input queues may (rule 1). Its hops are known beforehand, since every way has S + 1 links. */
static void admit(struct net_multistage_engine *engine, uint32_t processor, uint32_t queue)
{
    uint32_t slot = NET_POOL_TAKE(&engine->packet_pool, &engine->packets, struct net_stage_packet, next);
    if (slot == NET_NONE) {
        engine->out_of_memory = true;
        return;
    }
    struct net_stage_packet *packet = &engine->packets[slot];
    net_flights_cut(&engine->flights, processor, &packet->cargo);
    packet->source = processor;
    packet->target = engine->flights.items[packet->cargo.flight].target;
    packet->queues = 0;
    packet->waited = packet->waited_ahead = 0;
    packet->cargo.hops = engine->stages + 1;
    engine->bits_in += packet->cargo.length;
    engine->network.terminal_flits[processor] += packet->cargo.length;
    engine->queues[queue].bits += packet->cargo.length;
    if (net_flights_sent(&engine->flights, &packet->cargo) < 0)
        engine->out_of_memory = true;
    append(engine, (struct place){0, processor, queue - processor * engine->queues_per_port}, queue, slot, 0);
}

/* Rule 1 for every processor with a list, in ascending order; a processor admits as many packets as its queues
 * take in one cycle. Queues of different processors are disjoint, so that the order of processors changes nothing. */
static void admit_all(struct net_multistage_engine *engine)
{
    for (uint32_t word = 0; word < engine->words; word++)
        for (uint64_t bits = engine->waiting[word]; bits != 0 && !engine->out_of_memory; bits &= bits - 1) {
            uint32_t processor = word * 64 + lowest(bits);
            uint32_t queue;
            while (net_flights_waits(&engine->flights, processor) && !engine->out_of_memory &&
                   (queue = admitting(engine, processor)) != NET_NONE)
                admit(engine, processor, queue);
            if (!net_flights_waits(&engine->flights, processor)) {
                clear_bit(engine->waiting, processor);
                engine->lists--;
            }
        }
}

/* Idempotent: a processor whose list is not empty is counted in `lists` already. */
void net_multistage_engine_join(struct net_multistage_engine *engine, uint32_t processor)
{
    engine->lists += (engine->waiting[processor / 64] >> processor % 64 & 1) == 0;
    set_bit(engine->waiting, processor);
}

/* ---- rule 2: set-up ---- */

/* The queues of a port that can grant. A mask by v. A queue in which a packet still arrives grants nobody, since
 * bits of two packets would mix. */
ALWAYS_INLINE uint32_t granting(const struct net_multistage_engine *engine, uint32_t first, uint32_t need,
                                uint32_t count)
{
    uint32_t mask = 0, most = engine->capacity - need;
    for (uint32_t v = 0; v < count; v++) {
        const struct net_stage_queue *queue = &engine->queues[first + v];
        mask |= (uint32_t)(queue->to_come == 0 && queue->bits <= most) << v;
    }
    return mask;
}

/* The queue that an asker takes; NET_NONE: none. `asker` is the asking queue's id of rule 2. Under random
 * selection the drawn queue may be one that cannot grant; then the asker gets none in this cycle, and draws again
 * in the next. The draws of askers and those of arbitration (next_asker) are told apart by the number of all
 * queues, which is added here. */
static inline uint32_t choose_queue(const struct net_multistage_engine *engine, uint32_t first, uint32_t mask,
                                    uint32_t asker)
{
    uint32_t best = NET_NONE;
    if (engine->network.options.selection == NET_RANDOM_WAY) {
        uint64_t all = (uint64_t)(engine->stages + 1) * engine->processors * engine->queues_per_port;
        uint32_t v = (uint32_t)base_scale(drawn(engine, asker + all), engine->queues_per_port);
        return mask >> v & 1 ? first + v : NET_NONE;
    }
    for (; mask != 0; mask &= mask - 1) {
        uint32_t queue = first + lowest(mask);
        if (best == NET_NONE || engine->queues[queue].bits < engine->queues[best].bits)
            best = queue;
    }
    return best;
}

/* Of networks with owners: the packet will go over that link. Whole packets are counted when the connection is
 * made, since the way is then certain: a connection is never given up. */
static void count_crossing(const struct net_multistage_engine *engine, uint32_t packet, struct place from)
{
    const struct net_topology *topology = engine->network.topology;
    const struct net_owners *owners = &engine->network.owners;
    const struct net_link *link =
        &topology->links[net_multistage_link(engine->multistage, from.level, from.p)];
    net_owners_carry(owners, owners->row[engine->packets[packet].source],
                     owners->slot[link->source * topology->ports + link->port],
                     engine->packets[packet].cargo.length, true);
}

/* The packet becomes the last of its new queue with all bits to come, and its old queue may send. The link to a
 * processor has no asker of its own: it is counted with the connection to the last level. */
static void connect(struct net_multistage_engine *engine, struct place from, uint32_t asker, struct place to,
                    uint32_t queue)
{
    uint32_t packet = engine->nodes[engine->queues[asker].first].packet;
    engine->queues[asker].connection = queue;
    wake(engine, from, asker);
    append(engine, to, queue, packet, engine->packets[packet].cargo.length);
    if (engine->network.owners.row == NULL)
        return;
    count_crossing(engine, packet, from);
    if (to.level == engine->stages)
        count_crossing(engine, packet, to);
}

/* The askers of a port in the order in which they are asked. The first of `askers`, which is not 0: round-robin
 * from `turn`, or the lowest draw. Equal draws go by the id of rule 2, and askers are looked at by rising number:
 * x * V + v rises with the id, since p does with x. */
static inline uint32_t next_asker(const struct net_multistage_engine *engine, uint64_t askers, uint32_t level,
                                  uint32_t p, uint32_t turn)
{
    uint32_t best = 64;
    uint64_t least = UINT64_MAX;
    if (engine->network.options.arbiter == NET_ROUND_ROBIN)
        return net_bits_from(askers, turn);
    for (uint64_t bits = askers; bits != 0; bits &= bits - 1) {
        uint32_t asker = lowest(bits), v = asker % engine->queues_per_port;
        uint32_t from = asker / engine->queues_per_port * engine->cells + engine->wires[p].cell;
        uint64_t draw =
            drawn(engine, ((uint64_t)(level - 1) * engine->processors + from) * engine->queues_per_port + v);
        if (best == 64 || draw < least) {
            best = asker;
            least = draw;
        }
    }
    return best;
}

/* Askers x * V + v of port p of a level, one after the other, until no queue is left. The pointer moves to behind
 * the last asker that got a queue, not behind one that drew a queue that cannot grant. */
ALWAYS_INLINE void set_up(struct net_multistage_engine *engine, uint32_t level, uint32_t p, uint32_t queues)
{
    struct net_stage_port *port = &engine->ports[level * engine->processors + p];
    uint32_t first = (level * engine->processors + p) * queues, cell = engine->wires[p].cell;
    uint32_t mask = granting(engine, first, net_stage_need(engine, level - 1), queues);
    uint32_t turn = port->asker_turn;
    for (uint64_t askers = port->askers; mask != 0 && askers != 0 && !engine->out_of_memory;) {
        uint32_t asker = next_asker(engine, askers, level, p, turn);
        const struct place from = {level - 1, asker / queues * engine->cells + cell, asker % queues};
        uint32_t id = ((level - 1) * engine->processors + from.p) * queues + from.v;
        uint32_t queue = choose_queue(engine, first, mask, id);
        askers &= ~(UINT64_C(1) << asker);
        turn = asker + 1 == engine->radix * queues ? 0 : asker + 1;
        if (queue == NET_NONE)
            continue;
        mask &= ~(UINT32_C(1) << (queue - first));
        port->askers &= ~(UINT64_C(1) << asker);
        port->asker_turn = (uint8_t)turn;
        connect(engine, from, id, (struct place){level, p, queue - first}, queue);
    }
    if (port->askers == 0)
        clear_bit(engine->asked + (size_t)level * engine->words, p);
}

/* Ports do not compete: a queue asks one port, so that their order is that of memory. */
ALWAYS_INLINE void set_up_ports(struct net_multistage_engine *engine, uint32_t queues)
{
    for (uint32_t level = 1; level <= engine->stages; level++)
        for (uint32_t word = 0; word < engine->words; word++)
            for (uint64_t bits = engine->asked[(size_t)level * engine->words + word]; bits != 0;
                 bits &= bits - 1)
                set_up(engine, level, word * 64 + lowest(bits), queues);
}

/* The usual numbers of queues a port are literals. */
static void set_up_all(struct net_multistage_engine *engine)
{
    if (engine->queues_per_port == 1)
        set_up_ports(engine, 1);
    else if (engine->queues_per_port == 2)
        set_up_ports(engine, 2);
    else
        set_up_ports(engine, engine->queues_per_port);
}

/* ---- waits ----
 * Only if somebody wants to know, and outside of the loops that everybody runs. */

/* The first packet of a queue that is not empty. */
static inline struct net_stage_packet *first_packet(const struct net_multistage_engine *engine,
                                                    uint32_t queue)
{
    return &engine->packets[engine->nodes[engine->queues[queue].first].packet];
}

/* None of the first packet's bits has crossed yet: what goes on waiting behind its first bits is no wait. */
static bool is_whole(const struct net_multistage_engine *engine, uint32_t queue)
{
    return engine->queues[queue].to_cross == first_packet(engine, queue)->cargo.length;
}

/* Behind rule 2: whoever still asks waits for the link of the port that it asks. None of an asker's bits can have
 * crossed, since it has no connection: every asker counts. */
static void count_asking(struct net_multistage_engine *engine)
{
    uint32_t each = engine->queues_per_port, n = engine->processors;
    for (uint32_t level = 1; level <= engine->stages; level++)
        for (uint32_t p = 0; p < n; p++)
            for (uint64_t askers = engine->ports[level * n + p].askers; askers != 0; askers &= askers - 1) {
                uint32_t asker = lowest(askers), from = asker / each * engine->cells + engine->wires[p].cell;
                first_packet(engine, ((level - 1) * n + from) * each + asker % each)->waited_ahead++;
            }
}

/* Of a port's ready queues those that do not move: with room ahead they wait for the port's link, which another
 * queue has, and without for the link ahead. Masks by v: `ready` has bits here and a connection, `may` has room
 * ahead besides, `served` is the queue that the link serves in this cycle, which moves if it may. */
__attribute__((noinline)) static void count_held(struct net_multistage_engine *engine, uint32_t first,
                                                 uint32_t ready, uint32_t may, uint32_t served)
{
    for (uint32_t held = ready & ~(may & 1u << served); held != 0; held &= held - 1) {
        uint32_t v = lowest(held);
        if (!is_whole(engine, first + v))
            continue;
        if (may >> v & 1)
            first_packet(engine, first + v)->waited++;
        else
            first_packet(engine, first + v)->waited_ahead++;
    }
}

/* Bits cross a port's link: if they are their packet's first, what it waits for from now on is one link further. */
__attribute__((noinline)) static void count_crossed(struct net_multistage_engine *engine, uint32_t queue,
                                                    struct place place)
{
    struct net_stage_packet *packet = first_packet(engine, queue);
    if (!is_whole(engine, queue))
        return;
    uint32_t link = net_multistage_link(engine->multistage, place.level, place.p);
    engine->network.link_waits[link] += packet->waited;
    net_journey_add(&packet->cargo.worst_link, &packet->cargo.worst_cycles, link, packet->waited);
    packet->waited = packet->waited_ahead;
    packet->waited_ahead = 0;
}

/* ---- rules 3 and 4: links and buses ---- */

/* What all ports of a level have in common in a cycle, worked out once. Passed by value, so that the compiler may
 * keep its members in registers over writes to the engine's arrays. */
struct level {
    uint32_t level, first_port; /* the level's port 0 */
    uint32_t link, need;        /* bits a cycle; room that is asked of the queues behind */
    bool last, buses;
    uint32_t first_bus; /* with buses: the gap's first */
};

/* Buses are between stages: levels 1 .. S - 1 have them, links from and to processors have not. */
static inline struct level level_of(const struct net_multistage_engine *engine, uint32_t level)
{
    bool last = level == engine->stages, buses = engine->bus_of != NULL && level > 0 && !last;
    return (struct level){level,
                          level * engine->processors,
                          net_multistage_width(engine->multistage, level),
                          net_stage_need(engine, level),
                          last,
                          buses,
                          buses ? (level - 1) * engine->multistage->buses_per_gap : 0};
}

/* Which ready queues of a port may send: those that are connected to one with room. `most` is the occupancy that
 * still leaves room for need(k) bits: what a link and a bus may bring in a cycle. */
ALWAYS_INLINE uint32_t sending(const struct net_stage_queue *all, const struct net_stage_queue *queues,
                               uint32_t ready, uint32_t most, uint32_t count)
{
    uint32_t mask = 0;
    for (uint32_t v = 0; v < count; v++)
        if (ready >> v & 1)
            mask |= (uint32_t)(all[queues[v].connection].bits <= most) << v;
    return mask;
}

/* The port with most bits goes first; of equal ones the lowest, which is looked at first. Rule 4: the value is the
 * sum of occ over all queues of the port, not only over those that may send. `best` was cleared at the start of
 * the cycle, and a value of 0 never wins. */
ALWAYS_INLINE void offer_bus(struct net_multistage_engine *engine, uint32_t *chosen, uint32_t bus, uint32_t p,
                             const struct net_stage_queue *queues, uint32_t count)
{
    uint64_t value = 0;
    for (uint32_t v = 0; v < count; v++)
        value += queues[v].bits;
    if (value <= engine->best[bus])
        return;
    engine->best[bus] = value;
    chosen[bus] = p;
}

/* The queue that a port's link serves; whether it moves is another matter. Rule 3: the pointer moves even if the
 * queue ahead has no room and the link stays idle. */
ALWAYS_INLINE uint32_t serve(struct net_stage_port *port, uint32_t count)
{
    uint32_t v = count == 1 ? 0 : net_bits_from(port->ready, port->link_turn);
    port->link_turn = (uint8_t)(v + 1 == count ? 0 : v + 1);
    return v;
}

/* Adds the queues of a level that send to those of later levels; returns how many there are. `moves` is how many
 * there are already in `moving`. Level S needs no room, so that all ready queues may send. */
ALWAYS_INLINE uint32_t decide_ports(struct net_multistage_engine *engine, const struct level level,
                                    uint32_t *chosen, uint32_t moves, uint32_t count)
{
    const uint64_t *active = engine->active + (size_t)level.level * engine->words;
    struct net_stage_port *ports = engine->ports + level.first_port;
    const struct net_stage_queue *all = engine->queues;
    uint32_t most = engine->capacity - level.need;
    bool waits = engine->network.link_waits != NULL;
    for (uint32_t word = 0; word < engine->words; word++)
        for (uint64_t bits = active[word]; bits != 0; bits &= bits - 1) {
            uint32_t p = word * 64 + lowest(bits), ready = ports[p].ready;
            uint32_t first = (level.first_port + p) * count;
            uint32_t may = level.last ? ready : sending(all, all + first, ready, most, count);
            if (level.buses && may != 0)
                offer_bus(engine, chosen, level.first_bus + engine->bus_of[p], p, all + first, count);
            uint32_t v = serve(&ports[p], count);
            if (__builtin_expect(waits, 0))
                count_held(engine, first, ready, may, v);
            if (may >> v & 1)
                engine->moving[moves++] = (struct net_stage_move){first + v, p};
        }
    return moves;
}

/* The usual numbers of queues a port are literals. */
static uint32_t decide_level(struct net_multistage_engine *engine, const struct level level, uint32_t *chosen,
                             uint32_t moves)
{
    if (engine->queues_per_port == 1)
        return decide_ports(engine, level, chosen, moves, 1);
    if (engine->queues_per_port == 2)
        return decide_ports(engine, level, chosen, moves, 2);
    return decide_ports(engine, level, chosen, moves, engine->queues_per_port);
}

/* ---- rule 5: transfer ---- */

/* The first packet is through: the next one is the first, of which all is here but what is still to come. A packet
 * that is in no queue any more has its last bit out of the network: it is delivered in this cycle (rule 5), and
 * node and packet go back to their pools. */
static inline void leave(struct net_multistage_engine *engine, struct place place, uint32_t index)
{
    struct net_stage_queue *queue = &engine->queues[index];
    uint32_t node = queue->first, packet = engine->nodes[node].packet;
    queue->connection = NET_NONE;
    queue->first = engine->nodes[node].next;
    NET_POOL_GIVE(&engine->node_pool, engine->nodes, struct net_stage_node, next, node);
    rest(engine, place);
    if (--engine->packets[packet].queues == 0) {
        if (net_flights_deliver(&engine->flights, &engine->packets[packet].cargo) < 0)
            engine->out_of_memory = true;
        NET_POOL_GIVE(&engine->packet_pool, engine->packets, struct net_stage_packet, next, packet);
    }
    if (queue->first == NET_NONE) {
        queue->last = NET_NONE;
        return;
    }
    packet = engine->nodes[queue->first].packet;
    begin_packet(engine, place, index,
                 engine->packets[packet].cargo.length - (queue->first == queue->last ? queue->to_come : 0));
}

/* Into the queue that it is connected to: bits of its last packet, which may be its only one. While older packets
 * stand before it only occ and to_come change; `here` is of the first packet. If these are its first bits here the
 * queue asks, or sends, from the next cycle on: its level has moved already. */
static inline void arrive(struct net_multistage_engine *engine, struct place place, uint32_t index,
                          uint32_t bits)
{
    struct net_stage_queue *queue = &engine->queues[index];
    queue->bits += bits;
    queue->to_come -= bits;
    if (queue->first != queue->last)
        return;
    queue->here += bits;
    if (queue->here == bits)
        wake(engine, place, index);
}

/* Rule 5 of doc/multistage.md: what its link carries of a queue in a cycle, and what its bus carries beside it if
 * the port was chosen. Bits are counted at the port and at the bus before the queue lets them go, so that what was
 * carried is what arrives. */
static inline void move(struct net_multistage_engine *engine, const struct level *level, struct place place,
                        uint32_t index, const uint32_t *chosen)
{
    struct net_stage_queue *queue = &engine->queues[index];
    uint32_t link = level->link, width = link, bus = NET_NONE, next = queue->connection;
    if (level->buses) {
        bus = level->first_bus + engine->bus_of[place.p];
        width += chosen[bus] == place.p ? engine->multistage->bus_bits : 0;
    }
    uint32_t bits = queue->here < width ? queue->here : width, over = bits < link ? bits : link;
    engine->port_bits[level->first_port + place.p] += over;
    engine->port_cycles[level->first_port + place.p]++;
    if (__builtin_expect(engine->network.link_waits != NULL, 0))
        count_crossed(engine, index, place);
    if (bits > link)
        engine->bus_bits[bus] += bits - link;
    queue->here -= bits;
    queue->to_cross -= bits;
    queue->bits -= bits;
    if (level->last)
        engine->bits_out += bits;
    else
        arrive(engine,
               (struct place){level->level + 1, queue->asks - (level->first_port + engine->processors),
                              next - queue->asks * engine->queues_per_port},
               next, bits);
    if (queue->to_cross == 0)
        leave(engine, place, index);
    else if (queue->here == 0)
        rest(engine, place);
}

/* ---- the cycle ---- */

/* What buses chose in a cycle: a row of the ring of `bus-cycles` rows, one port or NET_NONE for each bus. */
static uint32_t *chosen_in(const struct net_multistage_engine *engine, uint64_t cycle)
{
    return engine->winners + cycle % engine->multistage->bus_cycles * engine->multistage->bus_count;
}

/* Rules 3 to 5. What buses choose in this cycle serves bus-cycles - 1 later. In the ring of bus-cycles rows the
 * row of the next cycle is the oldest, that of t + 1 - bus-cycles, which rule 4 reads (with bus-cycles 1 it is the
 * row that has just been written). `ends[level]` is the end of a level's part of `moving`. */
static void decide_and_move(struct net_multistage_engine *engine)
{
    const struct net_multistage *multistage = engine->multistage;
    uint32_t ends[NET_STAGES_MAX + 1] = {0};
    uint32_t count = 0;
    uint32_t *chosen = NULL;
    if (engine->bus_of != NULL) {
        chosen = chosen_in(engine, engine->network.now);
        memset(chosen, 0xff, multistage->bus_count * sizeof *chosen);
        memset(engine->best, 0, multistage->bus_count * sizeof *engine->best);
    }
    for (uint32_t level = engine->stages + 1; level-- > 0;)
        ends[level] = count = decide_level(engine, level_of(engine, level), chosen, count);
    if (engine->bus_of != NULL)
        chosen = chosen_in(engine, engine->network.now + 1);
    for (uint32_t number = engine->stages + 1, i = 0; number-- > 0;) {
        const struct level level = level_of(engine, number);
        for (; i < ends[number]; i++) {
            const struct net_stage_move next = engine->moving[i];
            uint32_t first = (level.first_port + next.p) * engine->queues_per_port;
            move(engine, &level, (struct place){number, next.p, next.queue - first}, next.queue, chosen);
        }
    }
}

/* Buses chose nothing in cycles that were skipped. A stale row would serve a port that had most to send before the
 * pause. More than bus-cycles rows there are none. */
static void forget_choices(struct net_multistage_engine *engine, uint64_t from, uint64_t to)
{
    uint64_t cycles = engine->multistage->bus_cycles;
    if (engine->bus_of == NULL)
        return;
    for (uint64_t cycle = to - from > cycles ? to - cycles : from; cycle < to; cycle++)
        memset(chosen_in(engine, cycle), 0xff, engine->multistage->bus_count * sizeof *engine->winners);
}

/* While anything is inside, every cycle may move it. Else the next one is that in which a message joins;
 * UINT64_MAX if none is to come (net_flights_next). */
static uint64_t next_cycle(const struct net_multistage_engine *engine)
{
    uint64_t joins = net_flights_next(&engine->flights);
    return engine->bits_in != engine->bits_out || engine->lists != 0 ? engine->network.now : joins;
}

/* Rules 1 to 5 for the cycle network.now, which the caller counts on. */
static void run_cycle(struct net_multistage_engine *engine)
{
    uint32_t processor;
    while ((processor = net_flights_join(&engine->flights, engine->network.now)) != NET_NONE)
        net_multistage_engine_join(engine, processor);
    admit_all(engine);
    set_up_all(engine);
    if (engine->network.link_waits != NULL)
        count_asking(engine);
    decide_and_move(engine);
    engine->network.statistics.executed_cycles++;
}

/* As net_engine.advance says. Idle cycles are skipped, and what buses would have chosen in them is cleared. */
int net_multistage_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_multistage_engine *engine = (struct net_multistage_engine *)network;
    for (;;) {
        uint64_t now = network->now;
        int before = net_network_go_on(network, engine->out_of_memory, next_cycle(engine), limit, error);
        forget_choices(engine, now, network->now);
        if (before != NET_GOES_ON)
            return before;
        run_cycle(engine);
        network->now++;
    }
}
