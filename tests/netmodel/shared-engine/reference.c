/* See reference.h. A cycle is: messages join, every channel decides on the state at the start of the
 * cycle, then everything that was decided happens. */
#include "tests/netmodel/shared-engine/reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/topologies/mway.h"

#define SLOTS 24
#define BUFFERS 16
#define NEVER UINT64_MAX

/* A packet, or a copy of it in one buffer. */
struct copy {
    uint32_t part; /* message, or part of a multicast, that it belongs to */
    uint32_t number, length;
    uint64_t key, header, ready;
    bool asks; /* its header may, since asked_cycle */
    uint64_t asked_cycle;
    uint32_t arrived, sent;
    uint64_t pending, got; /* receivers; got: those with a buffer taken */
    uint8_t buffer[SLOTS];
};

/* A buffer, or an injector's head. */
struct place {
    struct copy *copies;
    uint32_t count, capacity;
    bool taken;
};

struct part {
    uint64_t message, join, key, flits;
    uint32_t from, to, first, last; /* points, channels */
    uint32_t packets, made, delivered;
    bool tree, joined;
};

struct step { /* of a multicast by messages: who sends to whom */
    uint32_t from, to;
};

struct cast {
    struct step *steps;
    uint32_t count, root;
    uint32_t *received; /* [terminal] */
    uint64_t *ways;     /* [channel] receivers of a tree that is planned way by way; NULL: the box's */
    uint64_t *narrow;   /* [channel] those of them that take no high buffers */
    uint64_t to_send;   /* parts or packets that the source has still to send */
};

struct channel {
    struct place driver[SLOTS][BUFFERS];
    uint32_t turn;
    uint32_t turns[SLOTS];
    bool eject_taken[SLOTS][BUFFERS];
};

struct decision {
    bool made;
    uint32_t driver, buffer;
};

struct run {
    const struct net_topology *topology;
    const struct net_routing *routing;
    struct net_options options;
    const struct shared_message *messages;
    size_t message_count;
    struct channel *channels;
    struct decision *decisions;
    uint32_t drivers, points;
    uint32_t *point_channel, *point_terminal, *point_rank;
    uint32_t *joined; /* [point] */
    uint32_t **queue; /* [point * injectors + i] parts */
    uint32_t *queue_count, *queue_first;
    struct part *parts;
    uint32_t part_count, part_capacity;
    struct cast *casts; /* [message] */
    uint64_t cycle, undelivered;
    struct shared_result *result;
};

static void *make(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

static void *remake(void *memory, size_t size)
{
    void *larger = realloc(memory, size);
    if (!larger)
        abort();
    return larger;
}

/* ---- where things are ---- */

static uint32_t receiver_of(const struct run *run, uint32_t point)
{
    return run->topology->ports + run->point_rank[point];
}

static uint32_t point_at(const struct run *run, uint32_t channel, uint32_t rank)
{
    uint32_t point = 0;
    while (run->point_channel[point] != channel || run->point_rank[point] != rank)
        point++;
    return point;
}

static uint32_t point_of(const struct run *run, uint32_t terminal, uint32_t channel)
{
    uint32_t point = 0;
    while (run->point_terminal[point] != terminal || run->point_channel[point] != channel)
        point++;
    return point;
}

static const struct net_link *link_from(const struct run *run, uint32_t channel, uint32_t port)
{
    uint32_t link = run->topology->link_at[channel * run->topology->ports + port];
    return link == NET_NONE ? NULL : &run->topology->links[link];
}

static struct place *receiving(const struct run *run, uint32_t channel, uint32_t receiver, uint32_t number)
{
    return &run->channels[link_from(run, channel, receiver)->target].driver[receiver][number];
}

static uint32_t flits_in(const struct place *place)
{
    uint32_t flits = 0;
    for (uint32_t i = 0; i < place->count; i++)
        flits += place->copies[i].arrived - place->copies[i].sent;
    return flits;
}

/* ---- parts ---- */

static struct part *new_part(struct run *run, uint64_t message, uint32_t from, uint32_t to)
{
    if (run->part_count == run->part_capacity) {
        run->part_capacity = 2 * run->part_capacity + 64;
        run->parts = remake(run->parts, run->part_capacity * sizeof *run->parts);
    }
    const struct shared_message *given = &run->messages[message];
    struct part *part = &run->parts[run->part_count++];
    *part = (struct part){
        .message = message, .flits = given->flits, .key = base_hash(run->options.seed, message)};
    part->packets = (uint32_t)((given->flits + run->options.packet_flits - 1) / run->options.packet_flits);
    uint32_t ends[2];
    net_shared_nearest(run->topology, from, to, &part->key, ends);
    part->first = ends[0];
    part->last = ends[1];
    part->from = point_of(run, from, ends[0]);
    part->to = point_of(run, to, ends[1]);
    return part;
}

/* ---- multicasts ---- */

static void place_of(const struct run *run, uint32_t terminal, uint32_t *at)
{
    net_topology_coordinates(run->topology, net_topology_router_of(run->topology, terminal), at);
}

static uint32_t channel_of(const struct run *run, const uint32_t *at)
{
    uint32_t channel = 0, weight = 1;
    for (uint32_t d = 0; d < run->topology->grid->dimensions; d++) {
        channel += at[d] * weight;
        weight *= run->topology->grid->sides[d];
    }
    return channel;
}

static void add_step(struct cast *cast, uint32_t from, uint32_t to)
{
    cast->steps = remake(cast->steps, (cast->count + 1) * sizeof *cast->steps);
    cast->steps[cast->count++] = (struct step){from, to};
}

static void add_siblings(const struct run *run, struct cast *cast, uint32_t terminal)
{
    uint32_t p = run->topology->concentration;
    for (uint32_t other = terminal / p * p; other < terminal / p * p + p; other++)
        if (other != terminal)
            add_step(cast, terminal, other);
}

/* Rule 10: may the tree go from `at`, which it reached by `port` (or -1), by `way`? Inside the box, whose
 * last channel in a dimension is `high`, wherever it began. */
static bool tree_goes(const struct shared_message *message, const uint32_t *at, int port, uint32_t way)
{
    uint32_t d = way / 2;
    if (port >= 0 && (d < (uint32_t)port / 2 || (d == (uint32_t)port / 2 && way != (uint32_t)port)))
        return false;
    return way % 2 == 0 ? at[d] != message->high[d] : at[d] != message->low[d];
}

static uint32_t stepped(const struct run *run, uint32_t coordinate, uint32_t way)
{
    uint32_t side = run->topology->grid->sides[way / 2];
    return way % 2 == 0 ? (coordinate + 1) % side : (coordinate + side - 1) % side;
}

/* Rule 12. */
static void plan_unicasts(const struct run *run, const struct shared_message *message, struct cast *cast,
                          uint32_t terminal, int port)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    place_of(run, terminal, at);
    for (uint32_t way = 0; way < 2 * run->topology->grid->dimensions; way++)
        if (tree_goes(message, at, port, way)) {
            uint32_t next[NET_DIMENSIONS_MAX];
            memcpy(next, at, sizeof next);
            next[way / 2] = stepped(run, at[way / 2], way);
            uint32_t to = channel_of(run, next) * run->topology->concentration;
            add_step(cast, terminal, to);
            plan_unicasts(run, message, cast, to, (int)way);
        }
    add_siblings(run, cast, terminal);
}

/* Rule 13. Coordinates behind the end of a ring are counted on. */
static void plan_halves(const struct run *run, struct cast *cast, uint32_t terminal, const uint32_t *low,
                        const uint32_t *high)
{
    uint32_t d = 0;
    uint32_t at[NET_DIMENSIONS_MAX], to_at[NET_DIMENSIONS_MAX], mine[2][NET_DIMENSIONS_MAX];
    uint32_t other[2][NET_DIMENSIONS_MAX];
    while (d < run->topology->grid->dimensions && low[d] == high[d])
        d++;
    if (d == run->topology->grid->dimensions) {
        add_siblings(run, cast, terminal);
        return;
    }
    place_of(run, terminal, at);
    for (uint32_t i = 0; i < run->topology->grid->dimensions; i++) {
        at[i] += at[i] < low[i] ? run->topology->grid->sides[i] : 0;
        mine[0][i] = other[0][i] = low[i];
        mine[1][i] = other[1][i] = high[i];
    }
    uint32_t width = high[d] - low[d] + 1, lower = width - width / 2;
    if (at[d] < low[d] + lower) {
        mine[1][d] = low[d] + lower - 1;
        other[0][d] = low[d] + lower;
        at[d] = at[d] + lower > high[d] ? high[d] : at[d] + lower;
    } else {
        mine[0][d] = low[d] + lower;
        other[1][d] = low[d] + lower - 1;
        at[d] -= lower;
    }
    for (uint32_t i = 0; i < run->topology->grid->dimensions; i++)
        to_at[i] = at[i] % run->topology->grid->sides[i];
    uint32_t to = channel_of(run, to_at) * run->topology->concentration;
    add_step(cast, terminal, to);
    plan_halves(run, cast, to, other[0], other[1]);
    plan_halves(run, cast, terminal, mine[0], mine[1]);
}

static bool has_tree(const struct run *run)
{
    return run->options.spreading != NET_MST_UNICAST && run->options.spreading != NET_RECURSIVE_DOUBLING;
}

static bool is_inside(uint32_t at, uint32_t low, uint32_t high)
{
    return low <= high ? at >= low && at <= high : at >= low || at <= high;
}

bool shared_is_member(const struct net_topology *topology, const struct shared_message *message,
                      uint32_t terminal)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    bool inside = terminal != message->source, listed = false;
    for (uint32_t i = 0; i < message->target_count; i++)
        listed = listed || message->targets[i] == terminal;
    if (message->targets != NULL)
        return inside && listed;
    net_topology_coordinates(topology, net_topology_router_of(topology, terminal), at);
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        inside = inside && is_inside(at[d], message->low[d], message->high[d]);
    return inside;
}

/* The members besides the source. */
static uint64_t count_members(const struct run *run, const struct shared_message *message)
{
    uint64_t members = 0;
    for (uint32_t t = 0; t < run->topology->terminals; t++)
        members += shared_is_member(run->topology, message, t);
    return members;
}

/* ---- trees that are planned, way by way ---- */

/* Where the ways from `root` lead that reach a member: the point that is nearer, of two the first. */
static uint32_t copy_point(const struct run *run, uint32_t root, uint32_t terminal)
{
    uint32_t best = NET_NONE, fewest = 0;
    for (uint32_t point = 0; point < run->points; point++) {
        uint32_t links = net_topology_distance(run->topology, root, run->point_channel[point]);
        if (run->point_terminal[point] == terminal && (best == NET_NONE || links < fewest)) {
            best = point;
            fewest = links;
        }
    }
    return best;
}

/* Hops to go in a dimension, forwards or (less than zero) back: the shorter way round a ring, of two
 * forwards. */
static int hops_to(const struct run *run, uint32_t d, uint32_t from, uint32_t to)
{
    int side = (int)run->topology->grid->sides[d], hops = (int)to - (int)from;
    if (!run->topology->grid->wraps)
        return hops;
    hops = (hops % side + side) % side;
    return 2 * hops > side ? hops - side : hops;
}

/* A header that has still so many hops to go in the dimension may take high buffers if the channel behind the
 * next one is in the half where they end. Of the copies that go on together the one that goes farthest
 * counts. */
static bool needs_low(const struct run *run, uint32_t d, uint32_t at, int hops)
{
    int side = (int)run->topology->grid->sides[d];
    int next = (int)at + (hops > 0 ? 1 : -1), last = (int)at + hops;
    uint32_t half = run->topology->grid->sides[d] / 2;
    return ((uint32_t)((next + side) % side) < half) != ((uint32_t)((last + side) % side) < half);
}

/* Walks to one member. far[channel * ports + way]: the most hops that any way has to go on by it. */
static void walk(const struct run *run, struct cast *cast, uint32_t root, uint32_t point, uint32_t *far)
{
    uint32_t channel = root;
    uint32_t at[NET_DIMENSIONS_MAX], to[NET_DIMENSIONS_MAX];
    net_topology_coordinates(run->topology, run->point_channel[point], to);
    for (uint32_t d = 0; d < run->topology->grid->dimensions; d++)
        for (;;) {
            net_topology_coordinates(run->topology, channel, at);
            int hops = hops_to(run, d, at[d], to[d]);
            if (hops == 0)
                break;
            uint32_t way = 2 * d + (hops < 0), most = (uint32_t)(hops < 0 ? -hops : hops);
            uint32_t *farthest = &far[channel * run->topology->ports + way];
            cast->ways[channel] |= UINT64_C(1) << way;
            if (most > *farthest) {
                *farthest = most;
                cast->narrow[channel] &= ~(UINT64_C(1) << way);
                if (run->topology->grid->wraps && needs_low(run, d, at[d], hops))
                    cast->narrow[channel] |= UINT64_C(1) << way;
            }
            channel = link_from(run, channel, way)->target;
        }
    cast->ways[channel] |= UINT64_C(1) << receiver_of(run, point);
}

static void plan_tree(struct run *run, const struct shared_message *message, struct cast *cast)
{
    const struct net_topology *topology = run->topology;
    uint32_t root = net_topology_router_of(topology, cast->root);
    uint32_t *far = make((size_t)topology->routers * topology->ports, sizeof *far);
    cast->ways = make(topology->routers, sizeof *cast->ways);
    cast->narrow = make(topology->routers, sizeof *cast->narrow);
    for (uint32_t t = 0; t < topology->terminals; t++)
        if (t != cast->root && shared_is_member(topology, message, t))
            walk(run, cast, root, copy_point(run, root, t), far);
    free(far);
}

/* On rings: low and adaptive buffers of a set, which a copy may take everywhere. */
static uint32_t without_high(const struct run *run)
{
    uint32_t buffers = run->options.virtual_channels, low = (buffers + 1) / 2, high = buffers / 2;
    if (strcmp(run->routing->kind->name, "mway-adaptive-ring") == 0)
        low = high = buffers < 8 ? 1 : buffers / 4;
    return ~(((1u << high) - 1) << low);
}

/* Everything that a terminal sends which has the message; returns what it has to send. */
static uint64_t pass_on(struct run *run, uint64_t message, uint32_t terminal, uint64_t cycle)
{
    const struct cast *cast = &run->casts[message];
    if (has_tree(run)) {
        bool alone =
            terminal != run->messages[message].source && count_members(run, &run->messages[message]) == 1;
        if (terminal != cast->root || alone)
            return 0;
        struct part *part = new_part(run, message, terminal, terminal);
        part->first = part->last = net_topology_router_of(run->topology, terminal);
        part->from = part->to = point_of(run, terminal, part->first);
        part->tree = true;
        part->join = cycle + run->options.router_cycles;
        return part->packets;
    }
    uint64_t count = 0;
    for (uint32_t i = 0; i < cast->count; i++)
        if (cast->steps[i].from == terminal) {
            struct part *part = new_part(run, message, terminal, cast->steps[i].to);
            part->key = base_hash(part->key, (UINT64_C(1) << 32) + cast->steps[i].to);
            part->join = cycle + run->options.router_cycles;
            count++;
        }
    return count;
}

/* The coordinate of the box nearest to one outside: on a ring of two that are equally near, its end. */
static uint32_t nearest(const struct run *run, uint32_t d, uint32_t at, uint32_t low, uint32_t high)
{
    uint32_t side = run->topology->grid->sides[d];
    if (is_inside(at, low, high))
        return at;
    if (!run->topology->grid->wraps)
        return at < low ? low : high;
    return (at + side - high) % side <= (low + side - at) % side ? high : low;
}

static void begin_multicast(struct run *run, uint64_t index)
{
    const struct shared_message *message = &run->messages[index];
    struct cast *cast = &run->casts[index];
    uint32_t at[NET_DIMENSIONS_MAX];
    bool inside = true, listed = message->targets != NULL || net_shared_inside_routers(run->topology);
    place_of(run, message->source, at);
    for (uint32_t d = 0; d < run->topology->grid->dimensions && !listed; d++) {
        uint32_t before = at[d];
        at[d] = nearest(run, d, before, message->low[d], message->high[d]);
        inside = inside && at[d] == before;
    }
    cast->root = inside ? message->source : channel_of(run, at) * run->topology->concentration;
    if (has_tree(run) && (listed || run->topology->grid->wraps))
        plan_tree(run, message, cast);
    cast->received = make(run->topology->terminals, sizeof *cast->received);
    run->undelivered += count_members(run, message);
    if (run->options.spreading == NET_MST_UNICAST)
        plan_unicasts(run, message, cast, cast->root, -1);
    else if (run->options.spreading == NET_RECURSIVE_DOUBLING) {
        uint32_t high[NET_DIMENSIONS_MAX];
        for (uint32_t d = 0; d < run->topology->grid->dimensions; d++)
            high[d] =
                message->high[d] + (message->high[d] < message->low[d] ? run->topology->grid->sides[d] : 0);
        plan_halves(run, cast, cast->root, message->low, high);
    }
    if (inside) {
        cast->to_send = pass_on(run, index, message->source, message->cycle);
        return;
    }
    struct part *part = new_part(run, index, message->source, cast->root);
    part->key = base_hash(part->key, (UINT64_C(1) << 32) + cast->root);
    part->join = message->cycle + run->options.router_cycles;
    cast->to_send = 1;
}

static void begin(struct run *run)
{
    for (uint64_t i = 0; i < run->message_count; i++) {
        const struct shared_message *message = &run->messages[i];
        run->result->sent[i] = NEVER;
        if (message->multicast) {
            begin_multicast(run, i);
            continue;
        }
        struct part *part = new_part(run, i, message->source, message->target);
        part->join = message->cycle + run->options.router_cycles;
        run->undelivered++;
    }
}

/* ---- the start of a cycle: rule 2 ---- */

static void join(struct run *run, uint32_t index)
{
    struct part *part = &run->parts[index];
    uint32_t injectors = run->options.injectors;
    uint32_t queue = part->from * injectors + run->joined[part->from]++ % injectors;
    part->joined = true;
    run->queue[queue] = remake(run->queue[queue], (run->queue_count[queue] + 1) * sizeof **run->queue);
    run->queue[queue][run->queue_count[queue]++] = index;
}

/* Parts are made in any order of messages: the lowest message first, then the part made first. */
static void join_all(struct run *run)
{
    for (;;) {
        uint32_t best = NET_NONE;
        for (uint32_t i = 0; i < run->part_count; i++)
            if (!run->parts[i].joined && run->parts[i].join == run->cycle &&
                (best == NET_NONE || run->parts[i].message < run->parts[best].message))
                best = i;
        if (best == NET_NONE)
            return;
        join(run, best);
    }
}

/* The receivers of a tree's packet that has come to a channel by a port, or from an injector. */
static uint64_t tree_receivers(const struct run *run, uint64_t message, uint32_t channel, int port)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    uint64_t receivers = 0;
    if (run->casts[message].ways != NULL)
        return run->casts[message].ways[channel];
    net_topology_coordinates(run->topology, channel, at);
    for (uint32_t way = 0; way < 2 * run->topology->grid->dimensions; way++)
        if (tree_goes(&run->messages[message], at, port, way))
            receivers |= UINT64_C(1) << way;
    for (uint32_t point = 0; point < run->points; point++)
        if (run->point_channel[point] == channel && run->point_terminal[point] != run->casts[message].root)
            receivers |= UINT64_C(1) << receiver_of(run, point);
    return receivers;
}

static void push(struct place *place, const struct copy *copy)
{
    if (place->count == place->capacity) {
        place->capacity = 2 * place->capacity + 4;
        place->copies = remake(place->copies, place->capacity * sizeof *place->copies);
    }
    place->copies[place->count++] = *copy;
}

/* An idle injector's next packet. */
static void feed(struct run *run, uint32_t point, uint32_t injector)
{
    uint32_t queue = point * run->options.injectors + injector, channel = run->point_channel[point];
    struct place *place =
        &run->channels[channel].driver[run->topology->ports + run->point_rank[point]][injector];
    if (place->count != 0 || run->queue_first[queue] == run->queue_count[queue])
        return;
    uint32_t index = run->queue[queue][run->queue_first[queue]];
    struct part *part = &run->parts[index];
    uint64_t begins = (uint64_t)part->made * run->options.packet_flits, left = part->flits - begins;
    struct copy copy = {.part = index,
                        .number = part->made,
                        .length =
                            left < run->options.packet_flits ? (uint32_t)left : run->options.packet_flits,
                        .key = base_hash(part->key, part->made),
                        .ready = run->cycle};
    copy.arrived = copy.length;
    if (part->tree) {
        copy.pending = tree_receivers(run, part->message, channel, -1);
    } else {
        const struct net_routing_kind *kind = run->routing->kind;
        uint32_t variants = kind->variants(run->routing, part->first, part->last);
        copy.header = kind->start(run->routing, part->first, part->last,
                                  base_scale(base_hash(copy.key, UINT64_MAX), variants));
    }
    push(place, &copy);
    if (++part->made == part->packets)
        run->queue_first[queue]++;
}

/* ---- what headers may take: rules 3 and 5 ---- */

/* Mask of the available buffers of a receiver. */
static uint32_t available(const struct run *run, uint32_t channel, uint32_t receiver, uint32_t length)
{
    uint32_t mask = 0;
    if (receiver >= run->topology->ports) {
        for (uint32_t b = 0; b < run->options.consumers; b++)
            mask |= (uint32_t)!run->channels[channel].eject_taken[receiver][b] << b;
        return mask;
    }
    uint32_t need = !run->options.early_free ? 0 : run->options.flow_control == NET_CUT_THROUGH ? length : 1;
    for (uint32_t b = 0; b < run->options.virtual_channels; b++) {
        const struct place *place = receiving(run, channel, receiver, b);
        if (!place->taken && flits_in(place) + need <= run->options.buffer_flits)
            mask |= 1u << b;
    }
    return mask;
}

/* The available buffers of a way that a header may take. */
static uint32_t permitted(const struct run *run, uint32_t channel, const struct copy *copy,
                          const struct net_route *route, uint32_t tiers, uint32_t way)
{
    uint32_t classes = 0;
    for (uint32_t i = 0; i < tiers; i++)
        if (route->ports[i] >> way & 1)
            classes |= route->virtual_channels[i];
    return classes ? classes & available(run, channel, way, copy->length) : 0;
}

/* Rule 5: the way, or NET_NONE. */
static uint32_t choose(const struct run *run, uint32_t channel, const struct copy *copy,
                       const struct net_route *route, uint32_t tiers)
{
    uint32_t ways[SLOTS], free[SLOTS];
    uint32_t count = 0, best = 0;
    for (uint32_t way = 0; way < run->topology->ports; way++) {
        uint32_t mask = permitted(run, channel, copy, route, tiers, way);
        if (mask == 0)
            continue;
        free[count] = (uint32_t)__builtin_popcount(mask);
        ways[count++] = way;
    }
    if (count == 0)
        return NET_NONE;
    if (run->options.selection == NET_RANDOM_WAY)
        return ways[base_scale(base_hash(copy->key, run->cycle), count)];
    for (uint32_t i = 1; i < count && run->options.selection == NET_MOST_FREE; i++)
        if (free[i] > free[best])
            best = i;
    return ways[best];
}

static void take(struct run *run, uint32_t channel, struct copy *copy, uint32_t receiver, uint32_t number)
{
    copy->got |= UINT64_C(1) << receiver;
    copy->buffer[receiver] = (uint8_t)number;
    if (receiver >= run->topology->ports)
        run->channels[channel].eject_taken[receiver][number] = true;
    else
        receiving(run, channel, receiver, number)->taken = true;
}

/* A header of one receiver: whether there is one; takes it if it shall. */
static bool find(struct run *run, uint32_t channel, struct copy *copy, bool shall_take)
{
    struct net_route route;
    uint32_t tiers = run->routing->kind->route(run->routing, channel, copy->header, &route);
    uint32_t way = NET_NONE, number = NET_NONE;
    if (tiers == 0) {
        way = receiver_of(run, run->parts[copy->part].to);
        uint32_t mask = available(run, channel, way, copy->length);
        if (mask == 0)
            return false;
        number = (uint32_t)__builtin_ctz(mask);
    } else {
        way = choose(run, channel, copy, &route, tiers);
        if (way == NET_NONE)
            return false;
        uint32_t mask = permitted(run, channel, copy, &route, tiers, way);
        for (uint32_t i = tiers; i-- > 0 && number == NET_NONE;)
            if ((route.ports[i] >> way & 1) && (route.virtual_channels[i] & mask))
                number = (uint32_t)__builtin_ctz(route.virtual_channels[i] & mask);
    }
    if (shall_take)
        take(run, channel, copy, way, number);
    return true;
}

/* The buffers of a receiver that a tree's header may take now. */
static uint32_t free_for_tree(struct run *run, uint32_t channel, const struct copy *copy, uint32_t receiver)
{
    const uint64_t *narrow = run->casts[run->parts[copy->part].message].narrow;
    uint32_t mask = available(run, channel, receiver, copy->length);
    return narrow != NULL && (narrow[channel] >> receiver & 1) ? mask & without_high(run) : mask;
}

/* Rule 11, mst-safe-any: one of the receivers that are missing has a buffer, whichever. */
static bool any_for_tree(struct run *run, uint32_t channel, const struct copy *copy)
{
    for (uint32_t receiver = 0; receiver < SLOTS; receiver++)
        if (((copy->pending & ~copy->got) >> receiver & 1) &&
            free_for_tree(run, channel, copy, receiver) != 0)
            return true;
    return false;
}

/* Rule 11: what it can get now of the receivers that are missing; takes them if it shall. Returns how many.
 */
static uint32_t gather(struct run *run, uint32_t channel, struct copy *copy, bool shall_take)
{
    uint32_t count = 0;
    for (uint32_t receiver = 0; receiver < SLOTS; receiver++) {
        if (!((copy->pending & ~copy->got) >> receiver & 1))
            continue;
        uint32_t mask = free_for_tree(run, channel, copy, receiver);
        if (mask == 0 && run->options.spreading != NET_MST_PLAIN)
            break;
        if (mask == 0)
            continue;
        if (shall_take)
            take(run, channel, copy, receiver, (uint32_t)__builtin_ctz(mask));
        count++;
    }
    return count;
}

static bool places_for(const struct run *run, uint32_t channel, const struct copy *copy)
{
    for (uint32_t receiver = 0; receiver < run->topology->ports; receiver++)
        if ((copy->got >> receiver & 1) &&
            flits_in(receiving(run, channel, receiver, copy->buffer[receiver])) >= run->options.buffer_flits)
            return false;
    return true;
}

/* ---- who drives a channel: rules 3 to 6 ---- */

static bool requests(struct run *run, uint32_t channel, struct place *place)
{
    enum net_status_flags flags = run->options.status_flags;
    if (place->count == 0)
        return false;
    struct copy *copy = &place->copies[0];
    if (copy->sent == copy->arrived)
        return false;
    if (copy->sent != 0)
        return flags == NET_AVAILABILITY_FLAGS || flags == NET_NO_FLAGS || places_for(run, channel, copy);
    if (copy->ready > run->cycle)
        return false;
    if (flags == NET_FULL_FLAGS || flags == NET_NO_FLAGS)
        return true;
    if (!run->parts[copy->part].tree)
        return find(run, channel, copy, false);
    return run->options.spreading == NET_MST_SAFE_ANY ? any_for_tree(run, channel, copy)
                                                      : gather(run, channel, copy, false) > 0;
}

/* Whether the winner's flit crosses. */
static bool crosses(struct run *run, uint32_t channel, struct copy *copy)
{
    if (copy->sent != 0)
        return places_for(run, channel, copy);
    if (!run->parts[copy->part].tree)
        return find(run, channel, copy, true);
    gather(run, channel, copy, true);
    return copy->got == copy->pending || (copy->got != 0 && run->options.spreading == NET_MST_REPLICA);
}

/* Of a driver: the buffers of a set, or the injectors of a point. */
static uint32_t most_buffers(const struct run *run)
{
    uint32_t injectors = run->options.injectors, buffers = run->options.virtual_channels;
    return injectors > buffers ? injectors : buffers;
}

static struct decision decide(struct run *run, uint32_t index)
{
    struct channel *channel = &run->channels[index];
    uint32_t most = most_buffers(run);
    for (uint32_t i = 0; i < run->drivers; i++) {
        uint32_t driver = (channel->turn + i) % run->drivers;
        for (uint32_t j = 0; j < most; j++) {
            uint32_t buffer = (channel->turns[driver] + j) % most;
            struct place *place = &channel->driver[driver][buffer];
            if (!requests(run, index, place))
                continue;
            channel->turn = (driver + 1) % run->drivers;
            channel->turns[driver] = (buffer + 1) % most;
            return (struct decision){crosses(run, index, &place->copies[0]), driver, buffer};
        }
    }
    return (struct decision){false, 0, 0};
}

/* ---- what happens: rules 1 and 7 ---- */

static void note(struct run *run, uint64_t message, uint32_t terminal)
{
    struct shared_result *result = run->result;
    if (result->count == result->capacity) {
        result->capacity = 2 * result->capacity + 64;
        result->deliveries = remake(result->deliveries, result->capacity * sizeof *result->deliveries);
    }
    result->deliveries[result->count++] = (struct shared_delivery){message, run->cycle, terminal};
    run->undelivered--;
}

static void deliver(struct run *run, const struct copy *copy, uint32_t terminal)
{
    struct part *part = &run->parts[copy->part];
    uint64_t message = part->message;
    if (part->tree) {
        if (++run->casts[message].received[terminal] == part->packets)
            note(run, message, terminal);
        return;
    }
    if (++part->delivered != part->packets)
        return;
    note(run, message, terminal);
    if (run->messages[message].multicast)
        pass_on(run, message, terminal, run->cycle + 1);
}

/* A flit of a copy comes into a buffer. */
static void arrive(struct run *run, uint32_t channel, const struct copy *copy, uint32_t receiver)
{
    struct place *place = receiving(run, channel, receiver, copy->buffer[receiver]);
    uint32_t to = link_from(run, channel, receiver)->target;
    if (copy->sent == 0) {
        struct copy here = *copy;
        const struct part *part = &run->parts[copy->part];
        here.arrived = here.sent = 0;
        here.got = here.pending = 0;
        here.asks = false;
        here.ready = run->cycle + run->options.router_cycles;
        if (part->tree)
            here.pending = tree_receivers(run, part->message, to, (int)receiver);
        else
            here.header = run->routing->kind->step(run->routing, channel, copy->header, receiver);
        push(place, &here);
    }
    place->copies[place->count - 1].arrived++;
    if (copy->sent + 1 == copy->length && run->options.early_free)
        place->taken = false;
}

static void note_sent(struct run *run, const struct copy *copy, uint32_t point)
{
    const struct part *part = &run->parts[copy->part];
    const struct shared_message *message = &run->messages[part->message];
    if (run->point_terminal[point] != message->source || (!part->tree && copy->number + 1 != part->packets))
        return;
    if (!message->multicast || --run->casts[part->message].to_send == 0)
        run->result->sent[part->message] = run->cycle;
}

/* The tail has gone to some receivers; the buffer is left when it has gone to all. */
static void leave(struct run *run, uint32_t channel, uint32_t driver, struct place *place)
{
    struct copy *copy = &place->copies[0];
    if (run->parts[copy->part].tree) {
        copy->pending &= ~copy->got;
        copy->got = 0;
        if (copy->pending != 0) {
            copy->sent = 0;
            copy->ready = run->cycle + 1;
            return;
        }
    }
    if (driver >= run->topology->ports)
        note_sent(run, copy, point_at(run, channel, driver - run->topology->ports));
    else if (!run->options.early_free)
        place->taken = false;
    place->count--;
    memmove(place->copies, place->copies + 1, place->count * sizeof *place->copies);
}

static void happen(struct run *run, uint32_t channel, const struct decision *decision)
{
    struct place *place = &run->channels[channel].driver[decision->driver][decision->buffer];
    struct copy *copy = &place->copies[0];
    run->result->transfers[channel]++;
    if (copy->sent == 0 && !run->parts[copy->part].tree)
        run->result->waits[channel] += run->cycle - copy->asked_cycle;
    for (uint32_t receiver = 0; receiver < SLOTS; receiver++) {
        if (!(copy->got >> receiver & 1))
            continue;
        if (receiver < run->topology->ports) {
            arrive(run, channel, copy, receiver);
        } else if (copy->sent + 1 == copy->length) {
            run->channels[channel].eject_taken[receiver][copy->buffer[receiver]] = false;
            deliver(run, copy, run->point_terminal[point_at(run, channel, receiver - run->topology->ports)]);
        }
    }
    if (++copy->sent == copy->length)
        leave(run, channel, decision->driver, place);
}

/* A header may ask when it is the first of its buffer and has passed the router. */
static void note_asking(struct run *run, uint32_t channel)
{
    for (uint32_t driver = 0; driver < run->drivers; driver++)
        for (uint32_t buffer = 0; buffer < most_buffers(run); buffer++) {
            struct place *place = &run->channels[channel].driver[driver][buffer];
            if (place->count == 0 || place->copies[0].asks || place->copies[0].ready > run->cycle)
                continue;
            place->copies[0].asks = true;
            place->copies[0].asked_cycle = run->cycle;
        }
}

/* Returns whether any flit moved. */
static bool run_cycle(struct run *run)
{
    bool moved = false;
    join_all(run);
    for (uint32_t point = 0; point < run->points; point++)
        for (uint32_t i = 0; i < run->options.injectors; i++)
            feed(run, point, i);
    for (uint32_t c = 0; c < run->topology->routers; c++)
        note_asking(run, c);
    for (uint32_t c = 0; c < run->topology->routers; c++)
        run->decisions[c] = decide(run, c);
    for (uint32_t c = 0; c < run->topology->routers; c++)
        if (run->decisions[c].made) {
            happen(run, c, &run->decisions[c]);
            moved = true;
        }
    return moved;
}

/* ---- a run ---- */

static void lay_out(struct run *run)
{
    const struct net_topology *topology = run->topology;
    uint32_t fullest = 0;
    uint32_t each[2];
    uint32_t *rank = make(topology->routers, sizeof *rank);
    run->point_channel = make(2 * (size_t)topology->terminals, sizeof *run->point_channel);
    run->point_terminal = make(2 * (size_t)topology->terminals, sizeof *run->point_terminal);
    run->point_rank = make(2 * (size_t)topology->terminals, sizeof *run->point_rank);
    for (uint32_t t = 0; t < topology->terminals; t++) {
        uint32_t count = net_shared_channels(topology, t, each);
        for (uint32_t i = 0; i < count; i++) {
            run->point_channel[run->points] = each[i];
            run->point_terminal[run->points] = t;
            run->point_rank[run->points++] = rank[each[i]]++;
            fullest = rank[each[i]] > fullest ? rank[each[i]] : fullest;
        }
    }
    run->drivers = topology->ports + fullest;
    free(rank);
    size_t queues = (size_t)run->points * run->options.injectors;
    run->joined = make(run->points, sizeof *run->joined);
    run->queue = make(queues, sizeof *run->queue);
    run->queue_count = make(queues, sizeof *run->queue_count);
    run->queue_first = make(queues, sizeof *run->queue_first);
    run->channels = make(topology->routers, sizeof *run->channels);
    run->decisions = make(topology->routers, sizeof *run->decisions);
    run->casts = make(run->message_count, sizeof *run->casts);
    run->result->sent = make(run->message_count, sizeof *run->result->sent);
    run->result->transfers = make(topology->routers, sizeof *run->result->transfers);
    run->result->waits = make(topology->routers, sizeof *run->result->waits);
}

static void clean(struct run *run)
{
    for (uint32_t c = 0; c < run->topology->routers; c++)
        for (uint32_t d = 0; d < SLOTS; d++)
            for (uint32_t b = 0; b < BUFFERS; b++)
                free(run->channels[c].driver[d][b].copies);
    for (size_t i = 0; i < (size_t)run->points * run->options.injectors; i++)
        free(run->queue[i]);
    for (size_t i = 0; i < run->message_count; i++) {
        free(run->casts[i].steps);
        free(run->casts[i].received);
        free(run->casts[i].ways);
        free(run->casts[i].narrow);
    }
    void *const arrays[] = {run->casts,         run->decisions,  run->channels,      run->queue_first,
                            run->queue_count,   run->queue,      run->joined,        run->parts,
                            run->point_channel, run->point_rank, run->point_terminal};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static int compare_deliveries(const void *left, const void *right)
{
    const struct shared_delivery *a = left, *b = right;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->message != b->message)
        return a->message < b->message ? -1 : 1;
    return (a->terminal > b->terminal) - (a->terminal < b->terminal);
}

/* The last cycle in which anything may still be on its way. */
static uint64_t quiet_until(const struct run *run)
{
    uint64_t until = run->cycle + run->options.router_cycles;
    for (uint32_t i = 0; i < run->part_count; i++)
        if (!run->parts[i].joined && run->parts[i].join > until)
            until = run->parts[i].join;
    return until + 3 * (uint64_t)run->drivers * most_buffers(run);
}

void shared_reference_run(const struct net_topology *topology, const struct net_routing *routing,
                          const struct net_options *options, const struct shared_message *messages,
                          size_t count, struct shared_result *result)
{
    struct run run = {.topology = topology,
                      .routing = routing,
                      .options = *options,
                      .messages = messages,
                      .message_count = count,
                      .result = result};
    *result = (struct shared_result){0};
    lay_out(&run);
    begin(&run);
    uint64_t patience = quiet_until(&run);
    for (; run.undelivered != 0 && !result->deadlock; run.cycle++)
        if (run_cycle(&run))
            patience = quiet_until(&run);
        else
            result->deadlock = run.cycle > patience;
    if (result->count != 0)
        qsort(result->deliveries, result->count, sizeof *result->deliveries, compare_deliveries);
    clean(&run);
}

void shared_result_free(struct shared_result *result)
{
    free(result->deliveries);
    free(result->sent);
    free(result->transfers);
    free(result->waits);
}
