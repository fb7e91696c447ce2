/* Multicasts over shared channels (the broadcast paper; doc/shared-channels.md, rules 9 to 13).
 *
 *      source ──message──► root ──┬── tree of packets within the network     MST-safe, MST-replica, plain MST
 *      (if it is outside the box) ├── messages along the same tree           MST-unicast
 *                                 └── messages to the other half, and so on  recursive doubling
 *
 * What a terminal has to pass on follows from the box, the root and the terminal alone, so that messages
 * carry nothing but the multicast that they belong to. Here multicasts begin, and copies are counted; what is
 * passed on is in spread.c. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arithmetic.h"
#include "base/random.h"
#include "netmodel/shared-engine/spread.h"

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

/* ---- copies ---- */

/* What it had allocated goes at once, not when the slot is taken again. */
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

/* A copy of one packet needs no counter: its first packet is its last. */
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
    const struct net_shared_point *from = &engine->points[message.point];
    const struct net_shared_point *to = &engine->points[message.target];
    if (from->channel != to->channel && engine->multicasts[message.multicast].copies > 1)
        net_shared_spread(engine, message.multicast, to->terminal, message.port);
    deliver_copy(engine, message.multicast, to->terminal);
}

/* ---- a multicast begins ---- */

/* Boxes grow with the multicasts, two corners to each; there is one coordinate more than dimensions, so that no
 * size is zero. */
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

/* Why there are none, or NULL. */
static const char *obstacle_of(const struct net_topology *topology, const struct net_options *options)
{
    bool tree = net_shared_spreads_within(options);
    if (topology->shared->attachment == NET_INSIDE_ROUTERS && !tree)
        return "to processors inside routers only a tree within the network leads";
    if (tree && options->flow_control == NET_WORMHOLE)
        return "a tree within the network needs virtual cut-through, or --multicast recursive-doubling";
    if (tree && options->early_free)
        return "a tree within the network needs a buffer for each message: no early free";
    return NULL;
}

/* Processors inside routers have no box of their own among the channels, and are named one by one. */
enum net_multicasts net_shared_multicasts(const struct net_topology *topology,
                                          const struct net_routing *routing,
                                          const struct net_options *options, const char **obstacle)
{
    (void)routing;
    *obstacle = obstacle_of(topology, options);
    if (*obstacle != NULL)
        return NET_NO_MULTICASTS;
    return net_shared_inside_routers(topology) ? NET_LIST_MULTICASTS : NET_BOX_MULTICASTS;
}

/* What messages from terminal to terminal cannot do. */
static int check(const struct net_shared_engine *engine, const struct net_multicast *multicast,
                 struct base_error *error)
{
    if (multicast->targets == NULL || net_shared_spreads_within(&engine->network.options))
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
    if (!topology->grid->wraps)
        return coordinate < low ? low : high;
    return place - (extent - 1) <= topology->grid->sides[d] - place ? high : low;
}

/* The corners, and where spreading begins: at the source, or at the first terminal of the nearest channel.
 * What goes to a list, or from inside a router, begins at the source. Corners that are not given are those of the
 * network. */
static uint32_t set_box(struct net_shared_engine *engine, uint32_t index,
                        const struct net_multicast *multicast)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t *low = low_of(engine, index), *high = high_of(engine, index);
    uint32_t nearest[NET_DIMENSIONS_MAX];
    const uint32_t *at = place_of(engine, engine->points[engine->first_point[multicast->source]].channel);
    bool inside = true;
    for (uint32_t d = 0; d < engine->dimensions; d++) {
        low[d] = multicast->low != NULL ? multicast->low[d] : 0;
        high[d] = multicast->high != NULL ? multicast->high[d] : topology->grid->sides[d] - 1;
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
    if (multicast->packets == 1 || !net_shared_spreads_within(&engine->network.options))
        return 0;
    if (multicast->plan != NULL)
        copies = engine->network.topology->terminals;
    multicast->received = calloc(base_size(copies + 1), sizeof *multicast->received);
    return multicast->received != NULL ? 0 : -1;
}

/* The corners of the box are copied. Counters first: once the first part has been sent, the multicast must be
 * complete. */
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
    if (net_shared_spreads_within(&engine->network.options) && net_shared_plan(engine, index, asked) < 0)
        return base_error_memory(error, "a multicast");
    engine->copies_inside += multicast->copies * multicast->packets;
    if (set_counters(engine, multicast, multicast->copies) < 0)
        return base_error_memory(error, "a multicast");
    if (multicast->root == asked->source)
        multicast->to_send = net_shared_spread(engine, index, asked->source, NET_SHARED_NO_PORT);
    else
        net_shared_send_part(engine, index, asked->source, multicast->root, NET_SHARED_NO_PORT);
    engine->multicasts[index].to_send += multicast->root != asked->source;
    return engine->out_of_memory ? base_error_memory(error, "a multicast") : 0;
}
