#include "tests/netmodel/multistage-engine/reference.h"

#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

#define NONE UINT32_MAX

struct packet {
    uint32_t message, number, length, target;
    uint64_t admitted;
    uint64_t waits[32]; /* [level] */
    uint32_t ports[32]; /* [level]: that it waited at */
};

/* A packet in a queue: how much of it came in, and how much of that has gone. */
struct part {
    uint32_t packet, came, gone;
};

struct queue {
    struct part *parts;
    uint32_t count;
    uint32_t connection; /* of the first packet: index of a queue */
    bool is_connected;
};

struct reference {
    const struct net_multistage *net;
    const struct net_options *options;
    uint32_t m, n, cells, stages, v, q;
    struct packet *packets;
    uint32_t packet_count;
    struct queue *queues;
    uint32_t *occ;          /* [queue], at the start of the cycle */
    uint32_t *present;      /* [queue]: of its first packet, likewise */
    uint32_t *link_pointer; /* [port] */
    uint32_t *ask_pointer;  /* [port] */
    uint32_t *list_next, *list_end;
    uint32_t **list;  /* [processor] */
    uint64_t *values; /* [cycle mod 64][port] */
    uint64_t t;
    uint64_t bits_in, bits_out;
    struct reference_result *result;
};

static void *array(size_t count, size_t size)
{
    void *items = calloc(count + 1, size);
    assert_non_null(items);
    return items;
}

static uint32_t power(uint32_t base, uint32_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

static uint64_t draw(const struct reference *r, uint64_t x)
{
    return base_hash(base_hash(~r->options->seed, x), r->t);
}

static uint32_t id_of(const struct reference *r, uint32_t k, uint32_t p, uint32_t v)
{
    return (k * r->n + p) * r->v + v;
}

static uint32_t width(const struct reference *r, uint32_t k)
{
    return k == 0 ? r->net->input_bits : k == r->stages ? r->net->output_bits : r->net->link_bits;
}

static uint32_t need(const struct reference *r, uint32_t k)
{
    return k == 0 ? r->net->input_bits : r->net->link_bits + r->net->bus_bits;
}

static bool has_room(const struct reference *r, uint32_t queue, uint32_t k)
{
    return r->occ[queue] <= r->q && r->q - r->occ[queue] >= need(r, k);
}

static uint32_t occupancy(const struct reference *r, const struct queue *queue)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < queue->count; i++) {
        const struct part *part = &queue->parts[i];
        bits += part->came - part->gone;
        /* Only the first packet may have begun to leave, and only the last may still be coming. */
        assert_true(i == 0 || part->gone == 0);
        assert_true(i + 1 == queue->count || part->came == r->packets[part->packet].length);
    }
    return bits;
}

static void push(struct queue *queue, uint32_t packet, uint32_t came)
{
    queue->parts = realloc(queue->parts, (queue->count + 1) * sizeof *queue->parts);
    assert_non_null(queue->parts);
    queue->parts[queue->count++] = (struct part){packet, came, 0};
}

/* ---- 1 ---- */

static uint32_t admitting(const struct reference *r, uint32_t processor)
{
    uint32_t best = NONE, least = 0;
    for (uint32_t v = 0; v < r->v; v++) {
        uint32_t id = id_of(r, 0, processor, v), occ = occupancy(r, &r->queues[id]);
        bool takes =
            r->options->admission == NET_ADMIT_NOT_FULL ? occ < r->q : occ + r->net->input_bits <= r->q;
        if (takes && (best == NONE || occ < least)) {
            best = id;
            least = occ;
        }
    }
    return best;
}

static void admit(struct reference *r)
{
    for (uint32_t i = 0; i < r->n; i++)
        while (r->list_next[i] < r->list_end[i]) {
            uint32_t number = r->list[i][r->list_next[i]], queue = admitting(r, i);
            if (queue == NONE)
                break;
            struct packet *packet = &r->packets[number];
            packet->admitted = r->t;
            r->bits_in += packet->length;
            r->result->sent[packet->message] = r->t;
            push(&r->queues[queue], number, packet->length);
            r->list_next[i]++;
        }
}

static void look(struct reference *r)
{
    for (uint32_t i = 0; i < (r->stages + 1) * r->n * r->v; i++) {
        const struct queue *queue = &r->queues[i];
        r->occ[i] = occupancy(r, queue);
        r->present[i] = queue->count > 0 ? queue->parts[0].came - queue->parts[0].gone : 0;
        assert_true(i < r->n * r->v || r->occ[i] <= r->q);
    }
}

/* ---- 2 ---- */

static bool is_arriving(const struct reference *r, const struct queue *queue)
{
    const struct part *last = queue->count > 0 ? &queue->parts[queue->count - 1] : NULL;
    return last != NULL && last->came < r->packets[last->packet].length;
}

/* Whether queue (k, p, v) asks port `port` of level k + 1. */
static bool asks(const struct reference *r, uint32_t k, uint32_t p, uint32_t v, uint32_t port)
{
    const struct queue *queue = &r->queues[id_of(r, k, p, v)];
    if (r->present[id_of(r, k, p, v)] == 0 || queue->is_connected)
        return false;
    uint32_t target = r->packets[queue->parts[0].packet].target;
    uint32_t digit = target / power(r->m, r->stages - 1 - k) % r->m;
    return p % r->cells * r->m + digit == port;
}

struct asker {
    uint32_t number, id;
    uint64_t order;
};

static int by_order(const void *left, const void *right)
{
    const struct asker *a = left, *b = right;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static uint32_t pick_queue(const struct reference *r, uint32_t k, uint32_t port, uint32_t asker,
                           const bool *taken)
{
    uint32_t best = NONE, all = (r->stages + 1) * r->n * r->v;
    uint32_t only = r->options->selection == NET_RANDOM_WAY
                        ? (uint32_t)base_scale(draw(r, (uint64_t)asker + all), r->v)
                        : NONE;
    for (uint32_t v = 0; v < r->v; v++) {
        uint32_t id = id_of(r, k + 1, port, v);
        if (taken[v] || is_arriving(r, &r->queues[id]) || !has_room(r, id, k) || (only != NONE && v != only))
            continue;
        if (best == NONE || r->occ[id] < r->occ[id_of(r, k + 1, port, best)])
            best = v;
    }
    return best;
}

static void set_up_port(struct reference *r, uint32_t k, uint32_t port)
{
    struct asker askers[256];
    uint32_t count = 0;
    uint32_t *pointer = &r->ask_pointer[(k + 1) * r->n + port];
    uint32_t size = r->m * r->v;
    uint32_t chosen[256];
    uint32_t choices = 0;
    uint32_t of[256];
    bool taken[8] = {false};
    for (uint32_t p = 0; p < r->n; p++)
        for (uint32_t v = 0; v < r->v; v++)
            if (asks(r, k, p, v, port)) {
                uint32_t number = p / r->cells * r->v + v, id = id_of(r, k, p, v);
                uint64_t order =
                    r->options->arbiter == NET_RANDOM ? draw(r, id) : (number + size - *pointer) % size;
                askers[count++] = (struct asker){number, id, order};
            }
    qsort(askers, count, sizeof *askers, by_order);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = pick_queue(r, k, port, askers[i].id, taken);
        if (v == NONE)
            continue;
        taken[v] = true;
        chosen[choices] = askers[i].id;
        of[choices++] = id_of(r, k + 1, port, v);
        *pointer = (askers[i].number + 1) % size;
    }
    for (uint32_t i = 0; i < choices; i++) {
        struct queue *queue = &r->queues[chosen[i]];
        queue->is_connected = true;
        queue->connection = of[i];
        push(&r->queues[of[i]], queue->parts[0].packet, 0);
    }
}

/* ---- 3 and 4 ---- */

static bool may_send(const struct reference *r, uint32_t k, uint32_t id)
{
    return r->present[id] > 0 && r->queues[id].is_connected && has_room(r, r->queues[id].connection, k);
}

static uint64_t value_of(const struct reference *r, uint32_t k, uint32_t p)
{
    uint64_t sum = 0;
    bool any = false;
    for (uint32_t v = 0; v < r->v; v++) {
        any |= may_send(r, k, id_of(r, k, p, v));
        sum += r->occ[id_of(r, k, p, v)];
    }
    return any ? sum : 0;
}

static uint64_t *values_in(const struct reference *r, uint64_t cycle)
{
    return r->values + cycle % 64 * (r->stages + 1) * r->n;
}

/* The bus beside port p of level k, and whether it serves that port. */
static bool has_bus(const struct reference *r, uint32_t k, uint32_t p, uint32_t *bus)
{
    uint32_t m = r->m, groups = r->stages >= 2 ? power(m, r->stages - 2) : 1;
    if (r->net->bus_bits == 0 || k == 0 || k == r->stages)
        return false;
    uint32_t a = r->net->drivers, b = r->net->receivers, c = p / m, g = c % groups, t = c / groups;
    uint32_t u = p % m / b, v = t / a;
    *bus = (((k - 1) * groups + g) * (m / b) + u) * (m / a) + v;
    if (r->t + 1 < r->net->bus_cycles)
        return false;
    const uint64_t *values = values_in(r, r->t + 1 - r->net->bus_cycles);
    uint64_t most = 0;
    uint32_t best = NONE;
    for (uint32_t driver = v * a; driver < (v + 1) * a; driver++)
        for (uint32_t o = u * b; o < (u + 1) * b; o++) {
            uint32_t other = (g + driver * groups) * m + o;
            if (values[k * r->n + other] > most) {
                most = values[k * r->n + other];
                best = other;
            }
        }
    return best == p;
}

/* ---- 3 and 5 ---- */

struct move {
    uint32_t k, p, queue, bits, bus;
    bool on_bus;
};

static uint32_t serve(struct reference *r, uint32_t k, uint32_t p)
{
    uint32_t *pointer = &r->link_pointer[k * r->n + p];
    for (uint32_t i = 0; i < r->v; i++) {
        uint32_t v = (*pointer + i) % r->v, id = id_of(r, k, p, v);
        if (r->present[id] == 0 || (k < r->stages && !r->queues[id].is_connected))
            continue;
        *pointer = (v + 1) % r->v;
        return id;
    }
    return NONE;
}

static bool choose_move(struct reference *r, uint32_t k, uint32_t p, struct move *move)
{
    uint32_t id = serve(r, k, p), most = width(r, k);
    *move = (struct move){.k = k, .p = p, .queue = id};
    if (id == NONE || (k < r->stages && !has_room(r, r->queues[id].connection, k)))
        return false;
    move->on_bus = has_bus(r, k, p, &move->bus);
    most += move->on_bus ? r->net->bus_bits : 0;
    move->bits = r->present[id] < most ? r->present[id] : most;
    return true;
}

/* A packet that waits in queue (k, p, v), of which no bit has crossed yet: for which link. */
static void wait_for_link(struct reference *r, uint32_t k, uint32_t p, uint32_t v)
{
    uint32_t id = id_of(r, k, p, v), level = k, port = p;
    const struct queue *queue = &r->queues[id];
    struct packet *packet = &r->packets[queue->parts[0].packet];
    if (k < r->stages && !(queue->is_connected && has_room(r, queue->connection, k))) {
        level = k + 1;
        port = p % r->cells * r->m + packet->target / power(r->m, r->stages - 1 - k) % r->m;
    }
    packet->waits[level]++;
    packet->ports[level] = port;
    r->result->link_waits[level * r->n + port]++;
}

/* All but those of a cycle's moves. */
static void wait_in_queues(struct reference *r, const struct move *moves, uint32_t count)
{
    bool *moves_now = array((size_t)(r->stages + 1) * r->n * r->v, sizeof *moves_now);
    for (uint32_t i = 0; i < count; i++)
        moves_now[moves[i].queue] = true;
    for (uint32_t k = 0; k <= r->stages; k++)
        for (uint32_t p = 0; p < r->n; p++)
            for (uint32_t v = 0; v < r->v; v++) {
                uint32_t id = id_of(r, k, p, v);
                if (r->present[id] > 0 && r->queues[id].parts[0].gone == 0 && !moves_now[id])
                    wait_for_link(r, k, p, v);
            }
    free(moves_now);
}

static void set_worst(struct reference *r, const struct packet *packet)
{
    uint64_t *most = &r->result->worst_cycles[packet->message];
    *most = 0;
    r->result->worst_port[packet->message] = NONE;
    for (uint32_t level = 0; level <= r->stages; level++)
        if (packet->waits[level] > *most) {
            *most = packet->waits[level];
            r->result->worst_port[packet->message] = level * r->n + packet->ports[level];
        }
}

static void deliver(struct reference *r, uint32_t number)
{
    struct reference_result *result = r->result;
    const struct packet *packet = &r->packets[number];
    assert_true(result->count < r->packet_count);
    result->deliveries[result->count++] =
        (struct reference_delivery){packet->message, packet->number, r->t, packet->admitted, packet->length};
    result->delivered[packet->message] = r->t;
    set_worst(r, packet);
}

static void execute(struct reference *r, const struct move *move)
{
    struct queue *queue = &r->queues[move->queue];
    struct part *part = &queue->parts[0];
    uint32_t link = width(r, move->k), packet = part->packet;
    part->gone += move->bits;
    r->result->link_bits[move->k * r->n + move->p] += move->bits < link ? move->bits : link;
    if (move->bits > link)
        r->result->bus_bits[move->bus] += move->bits - link;
    if (move->k < r->stages) {
        struct queue *next = &r->queues[queue->connection];
        assert_int_equal(next->parts[next->count - 1].packet, packet);
        next->parts[next->count - 1].came += move->bits;
    } else {
        r->bits_out += move->bits;
    }
    if (part->gone < r->packets[packet].length)
        return;
    if (move->k == r->stages)
        deliver(r, packet);
    memmove(queue->parts, queue->parts + 1, --queue->count * sizeof *queue->parts);
    queue->is_connected = false;
}

static void run_cycle(struct reference *r)
{
    uint32_t ports = (r->stages + 1) * r->n, count = 0;
    struct move *moves = array(ports, sizeof *moves);
    admit(r);
    look(r);
    for (uint32_t k = 0; k < r->stages; k++)
        for (uint32_t port = 0; port < r->n; port++)
            set_up_port(r, k, port);
    for (uint32_t k = 1; k < r->stages; k++)
        for (uint32_t p = 0; p < r->n; p++)
            values_in(r, r->t)[k * r->n + p] = value_of(r, k, p);
    for (uint32_t k = 0; k <= r->stages; k++)
        for (uint32_t p = 0; p < r->n; p++)
            count += choose_move(r, k, p, &moves[count]);
    wait_in_queues(r, moves, count);
    for (uint32_t i = 0; i < count; i++)
        execute(r, &moves[i]);
    free(moves);
}

/* ---- all of it ---- */

/* Packets of all messages, and the lists that they will join. */
static void cut(struct reference *r, const struct reference_message *messages, uint32_t count)
{
    uint64_t largest = r->options->packet_flits;
    size_t packets = 0;
    for (uint32_t i = 0; i < count; i++)
        packets += (size_t)((messages[i].bits - 1) / largest + 1);
    r->packets = array(packets, sizeof *r->packets);
    r->result->deliveries = array(packets, sizeof *r->result->deliveries);
    r->list = array(r->n, sizeof *r->list);
    for (uint32_t i = 0; i < r->n; i++)
        r->list[i] = array(packets, sizeof **r->list);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t left = messages[i].bits;
        for (uint32_t number = 0; left > 0; number++) {
            uint64_t length = left < largest ? left : largest;
            r->packets[r->packet_count++] =
                (struct packet){i, number, (uint32_t)length, messages[i].target, 0, {0}, {0}};
            left -= length;
        }
    }
}

static void join(struct reference *r, const struct reference_message *messages, uint32_t *message,
                 uint32_t count, uint32_t *next)
{
    for (; *message < count && messages[*message].cycle <= r->t; ++*message)
        for (; *next < r->packet_count && r->packets[*next].message == *message; ++*next) {
            uint32_t source = messages[*message].source;
            r->list[source][r->list_end[source]++] = *next;
        }
}

static uint64_t packets_inside(const struct reference *r)
{
    uint64_t waiting = 0;
    for (uint32_t i = 0; i < r->n; i++)
        waiting += r->list_next[i];
    return waiting - r->result->count;
}

void reference_run(const struct net_multistage *multistage, const struct net_options *options,
                   const struct reference_message *messages, uint32_t count, struct reference_result *result)
{
    struct reference r = {.net = multistage,
                          .options = options,
                          .m = multistage->radix,
                          .n = power(multistage->radix, multistage->stages),
                          .cells = power(multistage->radix, multistage->stages - 1),
                          .stages = multistage->stages,
                          .v = options->virtual_channels,
                          .q = options->buffer_flits,
                          .result = result};
    uint32_t ports = (r.stages + 1) * r.n, queues = ports * r.v, message = 0, next = 0;
    *result = (struct reference_result){0};
    result->sent = array(count, sizeof *result->sent);
    result->delivered = array(count, sizeof *result->delivered);
    result->link_bits = array(ports, sizeof *result->link_bits);
    result->link_waits = array(ports, sizeof *result->link_waits);
    result->worst_cycles = array(count, sizeof *result->worst_cycles);
    result->worst_port = array(count, sizeof *result->worst_port);
    result->bus_bits = array(multistage->bus_count, sizeof *result->bus_bits);
    r.queues = array(queues, sizeof *r.queues);
    r.occ = array(queues, sizeof *r.occ);
    r.present = array(queues, sizeof *r.present);
    r.link_pointer = array(ports, sizeof *r.link_pointer);
    r.ask_pointer = array(ports, sizeof *r.ask_pointer);
    r.list_next = array(r.n, sizeof *r.list_next);
    r.list_end = array(r.n, sizeof *r.list_end);
    r.values = array((size_t)64 * ports, sizeof *r.values);
    cut(&r, messages, count);
    for (; result->count < r.packet_count; r.t++) {
        assert_true(r.t < 10000000);
        join(&r, messages, &message, count, &next);
        run_cycle(&r);
        look(&r);
        uint64_t inside = 0;
        for (uint32_t i = 0; i < queues; i++)
            inside += r.occ[i];
        assert_int_equal(r.bits_in, r.bits_out + inside);
        result->bit_cycles += inside;
        result->packet_cycles += packets_inside(&r);
    }
    result->cycles = r.t;
    for (uint32_t i = 0; i < queues; i++)
        free(r.queues[i].parts);
    for (uint32_t i = 0; i < r.n; i++)
        free(r.list[i]);
    free(r.queues), free(r.occ), free(r.present), free(r.link_pointer), free(r.ask_pointer);
    free(r.list_next), free(r.list_end), free(r.list), free(r.values), free(r.packets);
}

void reference_free(struct reference_result *result)
{
    free(result->deliveries);
    free(result->link_waits);
    free(result->worst_cycles);
    free(result->worst_port);
    free(result->sent);
    free(result->delivered);
    free(result->link_bits);
    free(result->bus_bits);
}
