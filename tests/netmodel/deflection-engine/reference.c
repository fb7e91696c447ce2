#include "tests/netmodel/deflection-engine/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { PORTS = 8, ASSIGNMENTS = 40320 };

struct travelling { /* a packet on a link or at a router */
    size_t packet;  /* index into the result's packets */
    uint32_t router, input;
    uint64_t arrives; /* the slot at whose start it is at the router's input */
};

struct simulation {
    const struct reference_setup *setup;
    const struct reference_message *messages;
    struct reference_result *result;
    uint32_t routers, ports, diameter;
    uint32_t *distance; /* [from * routers + to] */
    size_t *first;      /* [message]: its first packet */
    size_t *order;      /* messages by cycle, then number: the order of queues and of age */
    size_t *age;        /* [message]: its place in that */
    size_t *queue;      /* [router]: the place in `order` from which on its source looks */
    uint64_t *entered;  /* [message]: packets that have left the source */
    uint64_t *arrived;  /* [message]: packets that have been delivered */
    uint64_t *held;     /* [router] */
    struct travelling *travelling;
    size_t count, travelling_count;
};

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count != 0 ? count : 1, size);
    if (memory == NULL)
        abort();
    return memory;
}

/* ---- the network ---- */

static uint32_t link_target(const struct simulation *simulation, uint32_t router, uint32_t port)
{
    const struct net_topology *topology = simulation->setup->topology;
    return topology->links[topology->link_at[router * topology->ports + port]].target;
}

/* Paths of one link more, until nothing changes: no queue, no symmetry. */
static void find_distances(struct simulation *simulation)
{
    uint32_t routers = simulation->routers;
    simulation->distance = take((size_t)routers * routers, sizeof *simulation->distance);
    for (uint32_t a = 0; a < routers; a++)
        for (uint32_t b = 0; b < routers; b++)
            simulation->distance[a * routers + b] = a == b ? 0 : UINT32_MAX / 2;
    for (bool better = true; better;) {
        better = false;
        for (uint32_t a = 0; a < routers; a++)
            for (uint32_t port = 0; port < simulation->ports; port++)
                for (uint32_t b = 0; b < routers; b++) {
                    uint32_t by = simulation->distance[link_target(simulation, a, port) * routers + b] + 1;
                    if (by >= simulation->distance[a * routers + b])
                        continue;
                    simulation->distance[a * routers + b] = by;
                    better = true;
                }
    }
    for (size_t i = 0; i < (size_t)routers * routers; i++)
        if (simulation->distance[i] > simulation->diameter)
            simulation->diameter = simulation->distance[i];
}

static uint32_t apart(const struct simulation *simulation, uint32_t from, uint32_t to)
{
    return simulation->distance[from * simulation->routers + to];
}

/* Whether the port leads one link nearer to the target. */
static bool is_good(const struct simulation *simulation, uint32_t router, uint32_t target, uint32_t port)
{
    return router != target && apart(simulation, link_target(simulation, router, port), target) + 1 ==
                                   apart(simulation, router, target);
}

/* ---- rule 5 ---- */

static bool is_older(const struct simulation *simulation, size_t a, size_t b)
{
    const struct reference_packet *x = &simulation->result->packets[a], *y = &simulation->result->packets[b];
    if (x->message != y->message)
        return simulation->age[x->message] < simulation->age[y->message];
    return x->number < y->number;
}

/* ---- rules 6 and 7 ---- */

struct list {
    size_t packet[PORTS];
    uint32_t input[PORTS], target[PORTS];
    uint32_t count, router;
    bool has_new; /* the last one */
};

struct score {
    uint64_t part[3];
};

static bool good_at(const struct simulation *simulation, const struct list *list, uint32_t i, uint32_t port)
{
    return is_good(simulation, list->router, list->target[i], port);
}

static struct score score_of(const struct simulation *simulation, const struct list *list,
                             const uint32_t *ports)
{
    struct score score = {{0}};
    for (uint32_t i = 0; i < list->count; i++) {
        bool is_new = list->has_new && i + 1 == list->count;
        uint32_t older = 0;
        if (!good_at(simulation, list, i, ports[i]))
            continue;
        for (uint32_t j = 0; j < list->count; j++)
            older += is_older(simulation, list->packet[j], list->packet[i]);
        if (simulation->setup->rule == REFERENCE_OLDEST) {
            score.part[0] += UINT64_C(1) << (list->count - 1 - older);
            continue;
        }
        score.part[is_new && !simulation->setup->equal]++;
        if (is_new)
            continue;
        if (simulation->setup->rule == REFERENCE_STRAIGHT)
            score.part[2] += ports[i] == list->input[i];
        if (simulation->setup->rule == REFERENCE_CLOSEST)
            score.part[2] += simulation->diameter - apart(simulation, list->router, list->target[i]);
    }
    return score;
}

static int compare(const struct score *a, const struct score *b)
{
    for (uint32_t i = 0; i < 3; i++)
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i] ? -1 : 1;
    return 0;
}

struct best {
    struct score score;
    uint32_t count;
    uint8_t ports[ASSIGNMENTS][PORTS];
};

/* All assignments, in the order of the first packet's port, then the second's, and so on. */
static void list_assignments(const struct simulation *simulation, const struct list *list, uint32_t i,
                             uint32_t *ports, struct best *best)
{
    if (i == list->count) {
        const struct score score = score_of(simulation, list, ports);
        int better = best->count == 0 ? 1 : compare(&score, &best->score);
        if (better < 0)
            return;
        best->count = better > 0 ? 0 : best->count;
        best->score = score;
        for (uint32_t j = 0; j < list->count; j++)
            best->ports[best->count][j] = (uint8_t)ports[j];
        best->count++;
        return;
    }
    for (uint32_t port = 0; port < simulation->ports; port++) {
        bool taken = false;
        for (uint32_t j = 0; j < i; j++)
            taken = taken || ports[j] == port;
        ports[i] = port;
        if (!taken)
            list_assignments(simulation, list, i + 1, ports, best);
    }
}

static void choose_best(const struct simulation *simulation, const struct list *list, uint64_t cycle,
                        uint32_t *ports)
{
    static struct best best;
    uint64_t drawn = base_hash(base_hash(~simulation->setup->seed, list->router), cycle);
    best.count = 0;
    list_assignments(simulation, list, 0, ports, &best);
    uint32_t number = base_scale(drawn, best.count);
    for (uint32_t i = 0; i < list->count; i++)
        ports[i] = best.ports[number][i];
}

/* The number of good ports that are still free. */
static uint32_t good_left(const struct simulation *simulation, const struct list *list, uint32_t i,
                          const bool *used)
{
    uint32_t count = 0;
    for (uint32_t port = 0; port < simulation->ports; port++)
        count += !used[port] && good_at(simulation, list, i, port);
    return count;
}

/* The number-th port that is free, and good where that is asked. */
static uint32_t nth_port(const struct simulation *simulation, const struct list *list, uint32_t i,
                         const bool *used, bool good, uint32_t number)
{
    for (uint32_t port = 0; port < simulation->ports; port++)
        if (!used[port] && (!good || good_at(simulation, list, i, port)) && number-- == 0)
            return port;
    abort();
}

static void choose_preferential(const struct simulation *simulation, const struct list *list, uint64_t cycle,
                                uint32_t *ports)
{
    uint64_t key = base_hash(base_hash(~simulation->setup->seed, list->router), cycle), drawn = 0;
    bool used[PORTS] = {false}, done[PORTS] = {false};
    for (;;) {
        uint32_t least = UINT32_MAX, count = 0;
        uint32_t number;
        for (uint32_t i = 0; i < list->count; i++) {
            uint32_t left = done[i] ? 0 : good_left(simulation, list, i, used);
            if (left == 0 || left > least)
                continue;
            count = left < least ? 1 : count + 1;
            least = left;
        }
        if (count == 0)
            break;
        number = base_scale(base_hash(key, drawn++), count);
        for (uint32_t i = 0; i < list->count; i++) {
            if (done[i] || good_left(simulation, list, i, used) != least || number-- != 0)
                continue;
            ports[i] = nth_port(simulation, list, i, used, true, base_scale(base_hash(key, drawn++), least));
            done[i] = used[ports[i]] = true;
            break;
        }
    }
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t left = 0;
        for (uint32_t port = 0; port < simulation->ports; port++)
            left += !used[port];
        if (done[i])
            continue;
        ports[i] = nth_port(simulation, list, i, used, false, base_scale(base_hash(key, drawn++), left));
        used[ports[i]] = true;
    }
}

/* ---- rule 3 ---- */

static void deliver(struct simulation *simulation, size_t index, uint64_t cycle)
{
    struct reference_result *result = simulation->result;
    struct reference_packet *packet = &result->packets[index];
    const struct reference_message *message = &simulation->messages[packet->message];
    packet->delivered = cycle;
    simulation->held[message->target]++;
    if (++simulation->arrived[packet->message] == message->flits) {
        simulation->held[message->target] -= message->flits;
        result->delivered[packet->message] = cycle;
    }
    if (simulation->held[message->target] > result->held_most)
        result->held_most = simulation->held[message->target];
}

/* Takes the packets that have come to the router in this slot out of those that travel. */
static void receive(struct simulation *simulation, uint32_t router, uint64_t cycle, struct list *list)
{
    uint32_t come = 0, most = simulation->setup->absorbs;
    size_t at[PORTS];
    for (uint32_t input = 0; input < simulation->ports; input++)
        for (size_t i = 0; i < simulation->travelling_count; i++) {
            const struct travelling *packet = &simulation->travelling[i];
            if (packet->arrives == cycle && packet->router == router && packet->input == input)
                at[come++] = i;
        }
    for (uint32_t i = 0; i < come; i++) {
        struct travelling *packet = &simulation->travelling[at[i]];
        const struct reference_message *message =
            &simulation->messages[simulation->result->packets[packet->packet].message];
        uint32_t older = 0;
        for (uint32_t j = 0; j < come; j++) {
            size_t other = simulation->travelling[at[j]].packet;
            older += simulation->messages[simulation->result->packets[other].message].target == router &&
                     is_older(simulation, other, packet->packet);
        }
        if (message->target == router && (most == 0 || older < most)) {
            deliver(simulation, packet->packet, cycle);
        } else {
            uint32_t place = list->count++;
            list->packet[place] = packet->packet;
            list->input[place] = packet->input;
            list->target[place] = message->target;
        }
    }
    for (uint32_t i = 0; i < come; i++)
        simulation->travelling[at[i]].arrives = REFERENCE_NEVER;
    size_t kept = 0;
    for (size_t i = 0; i < simulation->travelling_count; i++)
        if (simulation->travelling[i].arrives != REFERENCE_NEVER)
            simulation->travelling[kept++] = simulation->travelling[i];
    simulation->travelling_count = kept;
}

/* ---- rule 4 ---- */

/* The first message of the source that is not all sent, and whose cycle has come; SIZE_MAX: none. */
static size_t first_of(struct simulation *simulation, uint32_t router, uint64_t cycle)
{
    for (size_t *place = &simulation->queue[router]; *place < simulation->count; ++*place) {
        size_t message = simulation->order[*place];
        if (simulation->messages[message].cycle > cycle)
            return SIZE_MAX;
        if (simulation->messages[message].source == router &&
            simulation->entered[message] < simulation->messages[message].flits &&
            simulation->result->lost[message] == REFERENCE_NEVER)
            return message;
    }
    return SIZE_MAX;
}

static void enter(struct simulation *simulation, uint32_t router, uint64_t cycle, struct list *list)
{
    size_t message = first_of(simulation, router, cycle);
    if (message == SIZE_MAX)
        return;
    const struct reference_message *given = &simulation->messages[message];
    size_t index = simulation->first[message] + (size_t)simulation->entered[message];
    if (given->target != router && list->count == simulation->ports)
        return;
    simulation->result->packets[index].entered = cycle;
    if (++simulation->entered[message] == given->flits)
        simulation->result->sent[message] = cycle;
    if (given->target == router) {
        deliver(simulation, index, cycle);
        return;
    }
    list->packet[list->count] = index;
    list->target[list->count++] = given->target;
    list->has_new = true;
}

static void lose(struct simulation *simulation, uint32_t router, uint64_t cycle)
{
    size_t message;
    while (simulation->setup->lossy && (message = first_of(simulation, router, cycle)) != SIZE_MAX)
        simulation->result->lost[message] = cycle;
}

/* ---- rule 8 ---- */

static void send(struct simulation *simulation, const struct list *list, const uint32_t *ports,
                 uint64_t cycle)
{
    struct reference_result *result = simulation->result;
    for (uint32_t i = 0; i < list->count; i++) {
        bool bad = !good_at(simulation, list, i, ports[i]);
        result->packets[list->packet[i]].hops++;
        result->packets[list->packet[i]].deflections += bad;
        result->deflected[list->router] += bad;
        result->link_flits[list->router * simulation->ports + ports[i]]++;
        simulation->travelling[simulation->travelling_count++] =
            (struct travelling){list->packet[i], link_target(simulation, list->router, ports[i]), ports[i],
                                cycle + simulation->setup->link_cycles};
    }
}

static void run_slot(struct simulation *simulation, uint64_t cycle)
{
    simulation->result->inside_sum += simulation->travelling_count;
    for (uint32_t router = 0; router < simulation->routers; router++) {
        struct list list = {.router = router};
        uint32_t ports[PORTS];
        receive(simulation, router, cycle, &list);
        enter(simulation, router, cycle, &list);
        lose(simulation, router, cycle);
        if (list.count == 0)
            continue;
        if (simulation->setup->rule == REFERENCE_PREFERENTIAL)
            choose_preferential(simulation, &list, cycle, ports);
        else
            choose_best(simulation, &list, cycle, ports);
        send(simulation, &list, ports, cycle);
    }
}

/* ---- the whole ---- */

/* Messages by cycle, equal ones in the order of their numbers. */
static void order_messages(struct simulation *simulation)
{
    size_t *order = simulation->order;
    for (size_t i = 0; i < simulation->count; i++) {
        size_t place = i;
        for (; place > 0 && simulation->messages[order[place - 1]].cycle > simulation->messages[i].cycle;
             place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
    for (size_t place = 0; place < simulation->count; place++)
        simulation->age[order[place]] = place;
}

static void list_packets(struct simulation *simulation)
{
    struct reference_result *result = simulation->result;
    for (size_t m = 0; m < simulation->count; m++) {
        const struct reference_message *message = &simulation->messages[m];
        simulation->first[m] = result->packet_count;
        for (uint64_t i = 0; i < message->flits; i++)
            result->packets[result->packet_count++] =
                (struct reference_packet){m,
                                          i,
                                          REFERENCE_NEVER,
                                          REFERENCE_NEVER,
                                          0,
                                          0,
                                          apart(simulation, message->source, message->target)};
        result->sent[m] = result->delivered[m] = result->lost[m] = REFERENCE_NEVER;
    }
}

static void prepare(struct simulation *simulation, uint64_t flits)
{
    struct reference_result *result = simulation->result;
    size_t count = simulation->count, links = (size_t)simulation->routers * simulation->ports;
    *result = (struct reference_result){.packets = take((size_t)flits, sizeof *result->packets),
                                        .sent = take(count, sizeof *result->sent),
                                        .delivered = take(count, sizeof *result->delivered),
                                        .lost = take(count, sizeof *result->lost),
                                        .link_flits = take(links, sizeof *result->link_flits),
                                        .deflected = take(simulation->routers, sizeof *result->deflected)};
    simulation->first = take(count, sizeof *simulation->first);
    simulation->order = take(count, sizeof *simulation->order);
    simulation->age = take(count, sizeof *simulation->age);
    simulation->queue = take(simulation->routers, sizeof *simulation->queue);
    simulation->entered = take(count, sizeof *simulation->entered);
    simulation->arrived = take(count, sizeof *simulation->arrived);
    simulation->held = take(simulation->routers, sizeof *simulation->held);
    simulation->travelling =
        take(links * (simulation->setup->link_cycles + 1), sizeof *simulation->travelling);
    find_distances(simulation);
    order_messages(simulation);
    list_packets(simulation);
}

static bool is_over(const struct simulation *simulation)
{
    for (size_t m = 0; m < simulation->count; m++)
        if (simulation->result->delivered[m] == REFERENCE_NEVER &&
            simulation->result->lost[m] == REFERENCE_NEVER)
            return false;
    return true;
}

void reference_run(const struct reference_setup *setup, const struct reference_message *messages,
                   size_t count, struct reference_result *result)
{
    struct simulation simulation = {.setup = setup,
                                    .messages = messages,
                                    .result = result,
                                    .count = count,
                                    .routers = setup->topology->routers,
                                    .ports = setup->topology->ports};
    uint64_t flits = 0;
    for (size_t m = 0; m < count; m++)
        flits += messages[m].flits;
    prepare(&simulation, flits);
    for (; !is_over(&simulation); result->end++)
        run_slot(&simulation, result->end);
    free(simulation.distance);
    free(simulation.first);
    free(simulation.order);
    free(simulation.age);
    free(simulation.queue);
    free(simulation.entered);
    free(simulation.arrived);
    free(simulation.held);
    free(simulation.travelling);
}

void reference_free(struct reference_result *result)
{
    free(result->packets);
    free(result->sent);
    free(result->delivered);
    free(result->lost);
    free(result->link_flits);
    free(result->deflected);
    *result = (struct reference_result){0};
}
