/* Multicasts over shared channels (paper 002; doc/shared-channels.md, rules 9 to 13).
 *
 *      source ──message──► root ──┬── tree of packets within the network     MST-safe, MST-replica, plain MST
 *      (if it is outside the box) ├── messages along the same tree           MST-unicast
 *                                 └── messages to the other half, and so on  recursive doubling
 *
 * What a terminal has to pass on follows from the box, the root and the terminal alone, so that messages
 * carry nothing but the multicast that they belong to. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/shared-internal.h"

#define FIRST_KEYS (UINT64_C(1) << 32) /* above the numbers of packets */

/* ---- the box ---- */

static uint32_t *low_of(const struct net_shared_engine *engine, uint32_t multicast)
{
    return engine->boxes + (size_t)multicast * 2 * engine->dimensions;
}

static uint32_t *high_of(const struct net_shared_engine *engine, uint32_t multicast)
{
    return low_of(engine, multicast) + engine->dimensions;
}

static const uint32_t *place_of(const struct net_shared_engine *engine, uint32_t channel)
{
    return engine->coordinates + (size_t)channel * engine->dimensions;
}

/* Channels of the box in a dimension; on a torus it may go round the end of the ring. */
static uint32_t extent_of(const struct net_shared_engine *engine, uint32_t multicast, uint32_t d)
{
    uint32_t side = engine->network.topology->sides[d];
    return (high_of(engine, multicast)[d] + side - low_of(engine, multicast)[d]) % side + 1;
}

/* How far behind the first channel of the box a coordinate is. */
static uint32_t within_box(const struct net_shared_engine *engine, uint32_t multicast, uint32_t d,
                           uint32_t coordinate)
{
    uint32_t side = engine->network.topology->sides[d];
    return (coordinate + side - low_of(engine, multicast)[d]) % side;
}

static uint32_t channel_at(const struct net_shared_engine *engine, const uint32_t *place)
{
    uint32_t channel = 0;
    for (uint32_t d = engine->dimensions; d-- > 0;)
        channel = channel * engine->network.topology->sides[d] + place[d];
    return channel;
}

/* Rank of a member in the box, for the counts of packets that it has received; with a plan, its number. */
static uint32_t rank_of(const struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal)
{
    uint32_t per_channel = engine->network.topology->concentration, rank = 0;
    if (engine->multicasts[multicast].plan != NULL)
        return terminal;
    const uint32_t *at = place_of(engine, terminal / per_channel);
    for (uint32_t d = engine->dimensions; d-- > 0;)
        rank = rank * extent_of(engine, multicast, d) + within_box(engine, multicast, d, at[d]);
    return rank * per_channel + terminal % per_channel;
}

/* ---- the tree (rule 10) ---- */

/* The ways from a channel, to which the multicast has come by that port (or none), that stay in the box. */
static uint32_t tree_ways(const struct net_shared_engine *engine, uint32_t multicast, uint32_t channel,
                          uint32_t port)
{
    const uint32_t *at = place_of(engine, channel);
    uint32_t ways = 0, from = port == NET_SHARED_NO_PORT ? 0 : port / 2;
    for (uint32_t d = from; d < engine->dimensions; d++) {
        bool same = port != NET_SHARED_NO_PORT && d == from;
        uint32_t place = within_box(engine, multicast, d, at[d]);
        if (place + 1 < extent_of(engine, multicast, d) && (!same || port % 2 == 0))
            ways |= UINT32_C(1) << 2 * d;
        if (place > 0 && (!same || port % 2 == 1))
            ways |= UINT32_C(1) << (2 * d + 1);
    }
    return ways;
}

/* The terminals of the channel are the last in the order of reservation. The root does not send to itself. */
uint32_t net_shared_tree(const struct net_shared_engine *engine, uint32_t multicast, uint32_t channel,
                         uint32_t slot, uint32_t *narrow)
{
    const struct net_topology *topology = engine->network.topology;
    const uint32_t *plan = engine->multicasts[multicast].plan;
    *narrow = plan != NULL ? plan[2 * (size_t)channel + 1] : 0;
    if (plan != NULL)
        return plan[2 * (size_t)channel];
    uint32_t port = slot < engine->ports ? slot : NET_SHARED_NO_PORT,
             root = engine->multicasts[multicast].root;
    uint32_t terminals = (UINT32_C(1) << topology->concentration) - 1;
    if (root / topology->concentration == channel)
        terminals &= ~(UINT32_C(1) << root % topology->concentration);
    return tree_ways(engine, multicast, channel, port) | terminals << engine->ports;
}

/* ---- messages that belong to a multicast ---- */

/* From one terminal to another, or with target NET_NONE a tree. In the network it is as any other message,
 * with a key of its own. */
static void send_part(struct net_shared_engine *engine, uint32_t multicast_index, uint32_t source,
                      uint32_t target, uint32_t port)
{
    const struct net_shared_multicast *multicast = &engine->multicasts[multicast_index];
    uint32_t index;
    if (net_shared_new_message(engine, &index) < 0)
        return;
    bool tree = target == NET_NONE;
    uint32_t to = tree ? source : target, from = engine->first_point[source], at = engine->first_point[to];
    engine->messages[index] = (struct net_shared_message){
        .number = multicast->number,
        .key = tree ? multicast->key : base_hash(multicast->key, FIRST_KEYS + target),
        .generated = multicast->generated,
        .flits_left = multicast->flits,
        .point = from,
        .terminal = to,
        .first = engine->points[from].channel,
        .last = engine->points[at].channel,
        .packets = multicast->packets,
        .multicast = multicast_index,
        .slot = (uint8_t)engine->points[at].slot,
        .port = (uint8_t)port,
        .tree = tree};
    uint64_t begun =
        engine->network.now > multicast->generated ? engine->network.now + 1 : multicast->generated;
    net_shared_schedule(engine, begun, index);
}

/* To the other terminals of the channel. Returns how many. */
static uint32_t send_to_siblings(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal)
{
    uint32_t per_channel = engine->network.topology->concentration, count = 0;
    for (uint32_t slot = 0; slot < per_channel; slot++) {
        uint32_t sibling = terminal / per_channel * per_channel + slot;
        if (sibling == terminal)
            continue;
        send_part(engine, multicast, terminal, sibling, NET_SHARED_NO_PORT);
        count++;
    }
    return count;
}

/* MST-unicast (rule 12): to the terminal of slot 0 on the next channel of every way. */
static uint32_t send_along_tree(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal,
                                uint32_t port)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t channel = terminal / topology->concentration, count = 0;
    for (uint32_t ways = tree_ways(engine, multicast, channel, port); ways != 0; ways &= ways - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(ways);
        const uint32_t *at = place_of(engine, channel);
        uint32_t next[NET_DIMENSIONS_MAX];
        memcpy(next, at, engine->dimensions * sizeof *at);
        next[way / 2] += way % 2 == 0 ? 1 : topology->sides[way / 2] - 1;
        next[way / 2] %= topology->sides[way / 2];
        send_part(engine, multicast, terminal, channel_at(engine, next) * topology->concentration, way);
        count++;
    }
    return count;
}

/* One step of recursive doubling: the box is halved, and the half without the holder gets one of its own. All
 * places are counted from the first channel of the box. */
struct doubling {
    uint32_t low[NET_DIMENSIONS_MAX], high[NET_DIMENSIONS_MAX];
    uint32_t holder[NET_DIMENSIONS_MAX], other[NET_DIMENSIONS_MAX];
    uint32_t dimension; /* that is halved */
    uint32_t border;    /* first coordinate of the upper half */
};

/* Rule 13: the lowest dimension in which the box is more than one channel wide. false: there is none. */
static bool halve(struct doubling *doubling, uint32_t dimensions)
{
    uint32_t d = 0;
    while (d < dimensions && doubling->low[d] == doubling->high[d])
        d++;
    if (d == dimensions)
        return false;
    uint32_t half = (doubling->high[d] - doubling->low[d] + 2) / 2;
    doubling->dimension = d;
    doubling->border = doubling->low[d] + half;
    memcpy(doubling->other, doubling->holder, dimensions * sizeof *doubling->holder);
    if (doubling->holder[d] >= doubling->border)
        doubling->other[d] -= half;
    else if (doubling->holder[d] + half <= doubling->high[d])
        doubling->other[d] += half;
    else
        doubling->other[d] = doubling->high[d];
    return true;
}

/* Goes on with the half in which `place` is. */
static void enter_half(struct doubling *doubling, const uint32_t *place, uint32_t dimensions)
{
    uint32_t d = doubling->dimension;
    bool upper = place[d] >= doubling->border;
    if (upper != (doubling->holder[d] >= doubling->border))
        memcpy(doubling->holder, doubling->other, dimensions * sizeof *doubling->holder);
    if (upper)
        doubling->low[d] = doubling->border;
    else
        doubling->high[d] = doubling->border - 1;
}

static uint32_t channel_in_box(const struct net_shared_engine *engine, uint32_t multicast, const uint32_t *place)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    for (uint32_t d = 0; d < engine->dimensions; d++)
        at[d] = (low_of(engine, multicast)[d] + place[d]) % engine->network.topology->sides[d];
    return channel_at(engine, at);
}

/* Follows the halves from the whole box down to the channel of the terminal, and sends from where it holds
 * one. */
static uint32_t send_to_halves(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t channel = terminal / topology->concentration, count = 0, n = engine->dimensions;
    uint32_t root = engine->multicasts[multicast].root / topology->concentration, here[NET_DIMENSIONS_MAX];
    struct doubling doubling;
    for (uint32_t d = 0; d < n; d++) {
        doubling.low[d] = 0;
        doubling.high[d] = extent_of(engine, multicast, d) - 1;
        doubling.holder[d] = within_box(engine, multicast, d, place_of(engine, root)[d]);
        here[d] = within_box(engine, multicast, d, place_of(engine, channel)[d]);
    }
    while (halve(&doubling, n)) {
        if (memcmp(doubling.holder, here, n * sizeof *here) == 0) {
            send_part(engine, multicast, terminal,
                      channel_in_box(engine, multicast, doubling.other) * topology->concentration,
                      NET_SHARED_NO_PORT);
            count++;
        }
        enter_half(&doubling, here, n);
    }
    return count;
}

static bool spreads_within(const struct net_shared_engine *engine)
{
    enum net_spreading spreading = engine->network.options.spreading;
    return spreading != NET_MST_UNICAST && spreading != NET_RECURSIVE_DOUBLING;
}

/* What a terminal sends that has the message. Returns the messages, or for a tree its packets. */
static uint32_t spread(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal, uint32_t port)
{
    if (spreads_within(engine)) {
        send_part(engine, multicast, terminal, NET_NONE, NET_SHARED_NO_PORT);
        return engine->multicasts[multicast].packets;
    }
    uint32_t count = engine->network.options.spreading == NET_MST_UNICAST
                         ? send_along_tree(engine, multicast, terminal, port)
                         : send_to_halves(engine, multicast, terminal);
    return count + send_to_siblings(engine, multicast, terminal);
}

/* ---- copies ---- */

static void free_multicast(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_multicast *multicast = &engine->multicasts[index];
    free(multicast->received);
    free(multicast->plan);
    multicast->received = multicast->plan = NULL;
    multicast->next = engine->free_multicast;
    engine->free_multicast = index;
}

/* A terminal has it all. */
static void deliver_copy(struct net_shared_engine *engine, uint32_t index, uint32_t terminal)
{
    struct net_shared_multicast *multicast = &engine->multicasts[index];
    if (net_network_notice_copy(&engine->network, multicast->number, terminal, multicast->tag) < 0)
        engine->out_of_memory = true;
    if (--multicast->copies != 0)
        return;
    engine->network.statistics.messages++;
    free_multicast(engine, index);
}

void net_shared_count_copy(struct net_shared_engine *engine, uint32_t index, uint32_t terminal)
{
    const struct net_shared_multicast *multicast = &engine->multicasts[index];
    if (multicast->received == NULL ||
        ++multicast->received[rank_of(engine, index, terminal)] == multicast->packets)
        deliver_copy(engine, index, terminal);
}

/* The root, and the first terminal of a channel, pass it on; who has it from its own channel is the last of a
 * branch. The tree from a root that is alone in the box would have no receivers. */
void net_shared_pass_on(struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_message message = engine->messages[index];
    if (message.first != message.last && engine->multicasts[message.multicast].copies > 1)
        spread(engine, message.multicast, message.terminal, message.port);
    deliver_copy(engine, message.multicast, message.terminal);
}

/* ---- a multicast begins ---- */

static int new_multicast(struct net_shared_engine *engine, uint32_t *index)
{
    if (engine->free_multicast != NET_NONE) {
        *index = engine->free_multicast;
        engine->free_multicast = engine->multicasts[*index].next;
        return 0;
    }
    if (engine->multicast_count == engine->multicast_capacity) {
        uint32_t capacity = engine->multicast_capacity != 0 ? 2 * engine->multicast_capacity : 64;
        void *multicasts = realloc(engine->multicasts, capacity * sizeof *engine->multicasts);
        if (multicasts == NULL)
            return -1;
        engine->multicasts = multicasts;
        void *boxes =
            realloc(engine->boxes, (size_t)capacity * 2 * (engine->dimensions + 1) * sizeof *engine->boxes);
        if (boxes == NULL)
            return -1;
        engine->boxes = boxes;
        engine->multicast_capacity = capacity;
    }
    *index = engine->multicast_count++;
    return 0;
}

const char *net_shared_obstacle(const struct net_topology *topology, const struct net_options *options)
{
    bool tree = options->spreading != NET_MST_UNICAST && options->spreading != NET_RECURSIVE_DOUBLING;
    if (topology->shared->attachment == NET_INSIDE_ROUTERS && !tree)
        return "to processors inside routers only a tree within the network leads";
    if (tree && options->flow_control == NET_WORMHOLE)
        return "a tree within the network needs virtual cut-through, or --multicast recursive-doubling";
    if (tree && options->early_free)
        return "a tree within the network needs a buffer for each message: no early free";
    return NULL;
}

/* What messages from terminal to terminal cannot do. */
static int check(const struct net_shared_engine *engine, const struct net_multicast *multicast,
                 struct base_error *error)
{
    if (multicast->targets == NULL || spreads_within(engine))
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "%s: to a list only a tree within the network leads, messages go to boxes",
                          engine->network.topology->text);
}

/* The coordinate of the box that is nearest: of two that are equally far round a ring, its end. */
static uint32_t nearest_in_box(const struct net_shared_engine *engine, uint32_t multicast, uint32_t d,
                               uint32_t coordinate)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t extent = extent_of(engine, multicast, d), place = within_box(engine, multicast, d, coordinate);
    uint32_t low = low_of(engine, multicast)[d], high = high_of(engine, multicast)[d];
    if (place < extent)
        return coordinate;
    if (!topology->wraps)
        return coordinate < low ? low : high;
    return place - (extent - 1) <= topology->sides[d] - place ? high : low;
}

/* The corners, and where spreading begins: at the source, or at the first terminal of the nearest channel. What
 * goes to a list, or from inside a router, begins at the source. */
static uint32_t set_box(struct net_shared_engine *engine, uint32_t index,
                        const struct net_multicast *multicast)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t *low = low_of(engine, index), *high = high_of(engine, index), nearest[NET_DIMENSIONS_MAX];
    const uint32_t *at = place_of(engine, engine->points[engine->first_point[multicast->source]].channel);
    bool inside = true;
    for (uint32_t d = 0; d < engine->dimensions; d++) {
        low[d] = multicast->low != NULL ? multicast->low[d] : 0;
        high[d] = multicast->high != NULL ? multicast->high[d] : topology->sides[d] - 1;
        nearest[d] = nearest_in_box(engine, index, d, at[d]);
        inside = inside && nearest[d] == at[d];
    }
    if (inside || multicast->targets != NULL || net_shared_inside_routers(topology))
        return multicast->source;
    return channel_at(engine, nearest) * topology->concentration;
}

/* Counters of a copy that comes in several packets by the tree. */
static int set_counters(const struct net_shared_engine *engine, struct net_shared_multicast *multicast,
                        uint64_t copies)
{
    if (multicast->packets == 1 || !spreads_within(engine))
        return 0;
    if (multicast->plan != NULL)
        copies = engine->network.topology->terminals;
    multicast->received = calloc(copies + 1, sizeof *multicast->received);
    return multicast->received != NULL ? 0 : -1;
}

/* The corners of the box are copied. */
int net_shared_multicast(struct net_network *network, uint64_t cycle, const struct net_multicast *asked,
                         struct base_error *error)
{
    struct net_shared_engine *engine = (struct net_shared_engine *)network;
    uint32_t index;
    if (check(engine, asked, error) < 0)
        return -1;
    if (new_multicast(engine, &index) < 0)
        return base_error_memory(error, "a multicast");
    struct net_shared_multicast *multicast = &engine->multicasts[index];
    *multicast =
        (struct net_shared_multicast){.number = network->injected_messages,
                                      .key = base_hash(network->options.seed, network->injected_messages),
                                      .tag = asked->tag,
                                      .generated = cycle,
                                      .flits = asked->flits,
                                      .copies = net_network_copies(network, asked),
                                      .source = asked->source,
                                      .root = set_box(engine, index, asked),
                                      .packets = (uint32_t)net_network_packets(network, asked->flits),
                                      .notice_sent = asked->notice_sent};
    if (spreads_within(engine) && net_shared_plan(engine, index, asked) < 0)
        return base_error_memory(error, "a multicast");
    engine->copies_inside += multicast->copies * multicast->packets;
    if (set_counters(engine, multicast, multicast->copies) < 0)
        return base_error_memory(error, "a multicast");
    if (multicast->root == asked->source)
        multicast->to_send = spread(engine, index, asked->source, NET_SHARED_NO_PORT);
    else
        send_part(engine, index, asked->source, multicast->root, NET_SHARED_NO_PORT);
    engine->multicasts[index].to_send += multicast->root != asked->source;
    return engine->out_of_memory ? base_error_memory(error, "a multicast") : 0;
}
