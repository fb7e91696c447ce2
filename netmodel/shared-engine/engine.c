/* The engine of shared channels: building its state from a topology, taking messages in, giving counters out.
 * The cycle is in kernel.h, packets in packets.c, multicasts in multicast.c and
 * spread.c, what the engine says about itself in report.c; the idea is in internal.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/engines/limits.h"
#include "netmodel/shared-engine/choice.h"

/* ---- what is refused ---- */

#define WHY "shared channels take one cycle and serve their drivers in turn, flit by flit"

/* Beside the options that the descriptor refuses: wormhole is multiplexed by itself, as it sends flit by flit. */
static int check_options(const struct net_options *options, struct base_error *error)
{
    if (options->multiplexed && options->flow_control != NET_WORMHOLE)
        return base_error_set(error, BASE_USAGE, "--multiplexing does not apply under cut-through: " WHY);
    return 0;
}

/* Rule 8. Early free lets packets queue in one buffer, and the arguments against deadlock of rings and escapes are
 * about buffers that hold one packet at a time. */
static int check_buffers(const struct net_shared_engine *engine, struct base_error *error)
{
    const struct net_network *network = &engine->network;
    if (network->options.flow_control == NET_CUT_THROUGH && engine->capacity < engine->largest)
        return base_error_set(error, BASE_USAGE,
                              "--buffer-flits %" PRIu32
                              " is too small: virtual cut-through on %s needs room for "
                              "one packet of %" PRIu32 " flits",
                              engine->capacity, network->topology->text, engine->largest);
    if (engine->early_free && (network->topology->grid->wraps || network->routing->kind->escape))
        return base_error_set(
            error, BASE_USAGE,
            "early free: with routing '%s' on %s a buffer must hold one packet at a time; it "
            "is for mway-dimension-order",
            network->routing->kind->name, network->topology->text);
    if (engine->capacity > UINT16_MAX)
        return base_error_set(error, BASE_USAGE, "--buffer-flits %" PRIu32 ": at most %d for shared channels",
                              engine->capacity, UINT16_MAX);
    return 0;
}

/* Drivers of a channel are bits of one word. Widths are known by then, and nothing has been allocated. */
static int check_size(const struct net_shared_engine *engine, struct base_error *error)
{
    const struct net_topology *topology = engine->network.topology;
    /* A buffer's number is channel, slot and buffer side by side in bits, so that each is found by a shift. Numbers
     * that no slot or buffer has take memory, too. */
    uint64_t numbers = UINT64_C(1) << (engine->slot_bits + engine->buffer_bits);
    const size_t each = sizeof *engine->buffer + sizeof *engine->queue;
    _Static_assert((UINT64_C(4) << 30) / sizeof *engine->buffer < NET_SHARED_CASTS,
                   "what fits into net_limit_memory has numbers that a buffer's field takes");
    if (engine->slots > NET_SHARED_SLOTS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "%s has %" PRIu32 " devices on a channel; at most %d are possible",
                              topology->text, engine->slots, NET_SHARED_SLOTS_MAX);
    return net_limit_memory(&engine->network, numbers * each, " flit by flit", error);
}

/* ---- building ---- */

/* The least number of bits in which 0 to count - 1 can be told apart. */
static uint32_t bits_for(uint32_t count)
{
    uint32_t bits = 0;
    while ((UINT32_C(1) << bits) < count)
        bits++;
    return bits;
}

/* Points by terminal; how many of them the fullest channel has. A processor inside a router has a point on each of
 * its two channels, and terminals are counted up channel by channel: the rank is the point's place behind the
 * ports. */
static int make_points(struct net_shared_engine *engine, uint32_t *fullest)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t each = topology->shared->attachment == NET_INSIDE_ROUTERS ? 2 : 1;
    uint32_t channels[2];
    /* [channel]: terminals that have a point on it so far. Points come behind the ports among a channel's
     * devices. */
    uint32_t *rank = net_array_new(engine->channels, sizeof *rank);
    engine->points = net_array_new((size_t)topology->terminals * each, sizeof *engine->points);
    engine->first_point = net_array_new((size_t)topology->terminals + 1, sizeof *engine->first_point);
    *fullest = 0;
    for (uint32_t t = 0;
         rank != NULL && engine->points != NULL && engine->first_point != NULL && t < topology->terminals;
         t++) {
        net_shared_channels(topology, t, channels);
        for (uint32_t i = 0; i < each; i++) {
            struct net_shared_point *point = &engine->points[engine->point_count++];
            *point = (struct net_shared_point){.channel = channels[i], .terminal = t};
            point->slot = engine->ports + rank[channels[i]]++;
            *fullest = rank[channels[i]] > *fullest ? rank[channels[i]] : *fullest;
        }
        engine->first_point[t + 1] = engine->point_count;
    }
    free(rank);
    return rank != NULL && engine->points != NULL && engine->first_point != NULL ? 0 : -1;
}

/* All that follows from the options and the topology. Numbers are in bits, each rounded up to a power of two: a
 * buffer's channel, slot and number are a shift and a mask away. */
static int set_widths(struct net_shared_engine *engine)
{
    const struct net_options *options = &engine->network.options;
    const struct net_topology *topology = engine->network.topology;
    uint32_t fullest;
    engine->channels = topology->routers;
    engine->ports = topology->ports;
    engine->dimensions = topology->grid->dimensions;
    engine->buffers = options->virtual_channels;
    engine->capacity = options->buffer_flits;
    engine->largest = options->packet_flits;
    engine->injectors = options->injectors;
    engine->consumers = options->consumers;
    engine->early_free = options->early_free;
    engine->asks_for_buffers =
        options->status_flags == NET_BOTH_FLAGS || options->status_flags == NET_AVAILABILITY_FLAGS;
    engine->asks_for_places =
        options->status_flags == NET_BOTH_FLAGS || options->status_flags == NET_FULL_FLAGS;
    if (make_points(engine, &fullest) < 0)
        return -1;
    /* Devices of all channels are numbered alike, as if each were as full as the fullest: then slot and channel
     * are bits of one number. What drives a channel and what receives from it are the same devices. */
    engine->slots = engine->drivers = engine->ports + fullest;
    engine->widest = engine->injectors > engine->buffers ? engine->injectors : engine->buffers;
    engine->slot_bits = bits_for(engine->slots);
    engine->buffer_bits = bits_for(engine->consumers > engine->widest ? engine->consumers : engine->widest);
    /* The buffers of a channel's drivers are bits of one word of 32 or 64, or of several of 64. */
    uint32_t bits = engine->slot_bits + engine->buffer_bits;
    engine->word_bits = bits < 6 ? bits : 6;
    engine->words = UINT32_C(1) << (bits - engine->word_bits);
    return 0;
}

/* An array of the engine's state: where its address is kept, and its bytes. */
struct array {
    void *address; /* of the pointer that is to be set */
    size_t bytes;  /* 0 is legal */
};

/* All arrays in one block, each from the start of a cache line on, so that no entry of 16, 32 or 64 bytes lies
 * in two. -1: memory. */
static int lay_out(struct net_shared_engine *engine, const struct array *arrays, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += (arrays[i].bytes + NET_LINE - 1) / NET_LINE * NET_LINE;
    char *at = engine->state = net_lines_new(bytes);
    for (size_t i = 0; at != NULL && i < count; i++) {
        memcpy(arrays[i].address, &at, sizeof at);
        at += (arrays[i].bytes + NET_LINE - 1) / NET_LINE * NET_LINE;
    }
    return engine->state != NULL ? 0 : -1;
}

/* Everything but pools, which grow with what is inside; what every cycle touches comes first. All of fixed size is
 * one block, so that a failure leaves one thing to free. */
static int allocate(struct net_shared_engine *engine)
{
    size_t numbers = (size_t)engine->channels << (engine->slot_bits + engine->buffer_bits);
    size_t slots = (size_t)engine->channels << engine->slot_bits;
    size_t channels = engine->channels;
    size_t padded = (channels + NET_SHARED_PADDED - 1) / NET_SHARED_PADDED * NET_SHARED_PADDED;
    size_t words = padded * engine->words * (engine->by_lanes ? NET_SHARED_MASKS : NET_SHARED_LINE);
    bool narrow = engine->word_bits < 6;
    engine->lines = padded * engine->words;
    engine->groups = (uint32_t)(padded >> engine->group_bits);
    /* Arrays of no bytes are legal, and cost nothing: by_lanes, early_free and narrow leave some of these out. */
    const struct array arrays[] = {
        {&engine->narrow, words * narrow * sizeof *engine->narrow},
        {&engine->wide, words * !narrow * sizeof *engine->wide},
        {&engine->buffer, numbers * sizeof *engine->buffer},
        {&engine->active, engine->groups * sizeof *engine->active},
        {&engine->visited, (engine->groups + 1) * sizeof *engine->visited},
        {&engine->winners, (padded + NET_SHARED_AHEAD) * sizeof *engine->winners},
        {&engine->moves, NET_SHARED_KINDS * channels * sizeof *engine->moves},
        {&engine->waiting, slots * engine->words * sizeof *engine->waiting},
        {&engine->fields,
         (engine->by_lanes ? (size_t)1 << (1u << engine->slot_bits) : 0) * sizeof *engine->fields},
        {&engine->first, slots * sizeof *engine->first},
        {&engine->crossed, slots * sizeof *engine->crossed},
        {&engine->point_at, slots * sizeof *engine->point_at},
        {&engine->injector, (size_t)engine->point_count * engine->injectors * sizeof *engine->injector},
        {&engine->other_flits, slots * sizeof *engine->other_flits},
        {&engine->tree_flits, channels * sizeof *engine->tree_flits},
        {&engine->channel_waits, channels * sizeof *engine->channel_waits},
        {&engine->queue, engine->early_free * numbers * sizeof *engine->queue},
        {&engine->coordinates, channels * engine->dimensions * sizeof *engine->coordinates},
        {&engine->channel_flits, channels * sizeof *engine->channel_flits},
        {&engine->stuck, (numbers / 64 + 1) * sizeof *engine->stuck}};
    /* Nobody is on the way, so the pools are empty; the first packets make them grow. */
    engine->watch_cycle = NET_STANDSTILL_CYCLES;
    engine->packet_pool = engine->message_pool = engine->cast_pool = NET_POOL;
    engine->free_multicast = NET_NONE;
    if (lay_out(engine, arrays, sizeof arrays / sizeof arrays[0]) < 0 ||
        net_network_count(&engine->network, NET_COUNT_LINKS | NET_COUNT_OUTSIDE) < 0)
        return -1;
    /* lay_out gave either a place, the one of no bytes the other's: only one of them may be read. */
    if (narrow)
        engine->wide = NULL;
    else
        engine->narrow = NULL;
    return 0;
}

/* Whether the routing leaves a choice of ways: it does between two channels that differ in all dimensions, if
 * ever. */
static bool has_several_ways(const struct net_shared_engine *engine)
{
    const struct net_routing *routing = engine->network.routing;
    /* From the first channel to the last, which differ in every dimension: if there is a choice anywhere, there
     * is here. */
    struct net_shared_packet packet = {.header = routing->kind->start(routing, 0, engine->channels - 1, 0)};
    net_shared_choose(engine, &packet, 0, engine->by_lanes);
    uint32_t ways = net_shared_receivers(engine, &packet.choice);
    return (ways & (ways - 1)) != 0;
}

/* So many buffers of a receiver may be allocated. */
static void free_all(struct net_shared_engine *engine, uint32_t channel, uint32_t receiver, uint32_t count)
{
    for (uint32_t number = 0; number < count; number++) {
        uint32_t place = net_shared_buffer_at(engine, channel, receiver, number);
        net_shared_set(engine, place, NET_SHARED_FREE);
    }
}

/* What makes places of a mask of receivers. */
static void fill_fields(struct net_shared_engine *engine)
{
    /* Each mask is the one without its lowest receiver, and that receiver's field. */
    for (uint32_t mask = 1; engine->by_lanes && mask < UINT32_C(1) << (1u << engine->slot_bits); mask++) {
        uint32_t receiver = (uint32_t)__builtin_ctz(mask);
        engine->fields[mask] = engine->fields[mask & (mask - 1)] | UINT32_C(1)
                                                                       << (receiver << engine->buffer_bits);
    }
}

/* A receiver is free with all its buffers; slots without one never are. Receivers are numbered by the port of the
 * link that leaves: slot s of a channel is both its driver s and its receiver s. */
static void connect(struct net_shared_engine *engine)
{
    const struct net_topology *topology = engine->network.topology;
    for (uint32_t c = 0; c < engine->channels; c++) {
        for (uint32_t s = 0; s < UINT32_C(1) << engine->slot_bits; s++)
            engine->first[c << engine->slot_bits | s] = engine->point_at[c << engine->slot_bits | s] =
                NET_NONE;
        if (engine->dimensions > 0)
            net_topology_coordinates(topology, c, engine->coordinates + (size_t)c * engine->dimensions);
    }
    /* A link is where a channel's flits are taken off it into buffers at the next: its receiver. */
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        free_all(engine, link->source, link->port, engine->buffers);
        engine->first[link->source << engine->slot_bits | link->port] =
            net_shared_buffer_at(engine, link->target, link->port, 0);
    }
}

/* Terminals at their channels: ejection buffers are free, injectors have no message, and no buffer holds a
 * packet. */
static void connect_points(struct net_shared_engine *engine)
{
    for (uint32_t p = 0; p < engine->point_count; p++) {
        const struct net_shared_point *point = &engine->points[p];
        engine->point_at[point->channel << engine->slot_bits | point->slot] = p;
        engine->first[point->channel << engine->slot_bits | point->slot] = NET_SHARED_EJECTS | point->slot
                                                                                                   << 4;
        free_all(engine, point->channel, point->slot, engine->consumers);
        for (uint32_t i = 0; i < engine->injectors; i++)
            engine->injector[p * engine->injectors + i] =
                (struct net_shared_injector){.first = NET_NONE, .last = NET_NONE, .point = p};
    }
    for (size_t i = 0; i < (size_t)engine->channels << (engine->slot_bits + engine->buffer_bits); i++)
        engine->buffer[i] = (struct net_shared_buffer){.packet = NET_NONE, .target = NET_NONE};
}

/* ---- messages in ---- */

/* The point of a terminal on a channel. */
static uint32_t point_of(const struct net_shared_engine *engine, uint32_t terminal, uint32_t channel)
{
    uint32_t point = engine->first_point[terminal];
    while (engine->points[point].channel != channel)
        point++;
    return point;
}

/* Channels between which a message goes: a processor on a channel has no choice. */
static void find_ends(const struct net_topology *topology, const struct net_message *message, uint64_t key,
                      uint32_t ends[2])
{
    if (topology->shared->attachment == NET_ON_CHANNELS) {
        ends[0] = message->source / topology->concentration;
        ends[1] = message->target / topology->concentration;
        return;
    }
    net_shared_nearest(topology, message->source, message->target, &key, ends);
}

/* Between which channels it goes is fixed here, once (rule 2). Nothing of the network is looked at: where a
 * message enters and leaves depends on its key, so that it does not matter when it is given. */
static int shared_inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                         struct base_error *error)
{
    struct net_shared_engine *engine = (struct net_shared_engine *)network;
    uint64_t number = network->injected_messages, key = base_hash(network->options.seed, number);
    uint32_t index;
    uint32_t ends[2];
    if (net_shared_new_message(engine, &index) < 0)
        return base_error_memory(error, "a message");
    /* Where the message enters and leaves is drawn from its key, not from the state: it is the same whenever it
     * is asked. */
    find_ends(network->topology, message, key, ends);
    uint32_t target = point_of(engine, message->target, ends[1]);
    uint32_t packets = (uint32_t)net_network_packets(network, message->flits);
    engine->copies_inside += packets;
    engine->messages[index] =
        (struct net_shared_message){.number = number,
                                    .key = key,
                                    .tag = message->tag,
                                    .generated = cycle,
                                    .point = point_of(engine, message->source, ends[0]),
                                    .target = target,
                                    .packets = packets,
                                    .last_flits = net_shared_last_flits(engine, message->flits, packets),
                                    .multicast = NET_NONE,
                                    .notice_sent = message->notice_sent};
    /* It waits in the heap of the future until its cycle, even if that is now: rule 2 orders those of a cycle. */
    if (net_shared_schedule(engine, cycle, index) == 0)
        return 0;
    return base_error_memory(error, "the network's packets");
}

/* ---- counters out ---- */

/* Flits of the packets at the injectors of a point that have not been sent. */
static uint64_t flits_to_send(const struct net_shared_engine *engine, const struct net_shared_point *point)
{
    uint64_t flits = 0;
    for (uint32_t i = 0; i < engine->injectors; i++)
        flits +=
            net_shared_left(&engine->buffer[net_shared_buffer_at(engine, point->channel, point->slot, i)]);
    return flits;
}

/* Flits of the packet at the head of a buffer that has begun to cross its channel are still to cross, to a
 * terminal or on. */
static void take_off(struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    uint32_t channel = net_shared_channel_of(engine, index), left = net_shared_left(buffer);
    uint64_t *ejected = engine->network.terminal_flits + engine->network.topology->terminals;
    if (buffer->target == NET_NONE || !net_shared_has_begun(engine, buffer))
        return;
    /* crossed counts the whole packet with its header; these flits have not been there yet. */
    engine->channel_flits[channel] -= left;
    if ((buffer->target & NET_SHARED_EJECTS) == 0)
        return;
    uint32_t slot = buffer->target >> 4 & (NET_SHARED_SLOTS_MAX - 1);
    ejected[engine->points[engine->point_at[channel << engine->slot_bits | slot]].terminal] -= left;
}

/* What channels have carried is counted packet by packet, with the header. */
static void collect_channels(struct net_shared_engine *engine)
{
    uint32_t bits = engine->slot_bits + engine->buffer_bits;
    for (uint32_t c = 0; c < engine->channels; c++) {
        engine->channel_flits[c] = engine->tree_flits[c];
        engine->channel_waits[c] = 0;
        for (uint32_t r = c << engine->slot_bits; r < (c + 1) << engine->slot_bits; r++) {
            engine->channel_flits[c] += engine->crossed[r].flits;
            engine->channel_waits[c] += engine->crossed[r].waits;
        }
        for (uint32_t index = c << bits; index < (c + 1) << bits; index++)
            take_off(engine, index);
    }
}

/* The packet in a buffer, if its tail has still to come: its link has not carried all of it yet, which is
 * when it is counted. With early free it is counted in that cycle. */
static uint32_t coming_into(const struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    if (engine->early_free || buffer->packet == NET_NONE ||
        net_shared_held(buffer) == net_shared_left(buffer))
        return 0;
    return engine->packets[buffer->packet].length;
}

/* What a link has carried is counted packet by packet, as what has crossed its channel to it. Overwritten at each
 * call: counters below are kept from the beginning. */
static void shared_collect(struct net_network *network)
{
    struct net_shared_engine *engine = (struct net_shared_engine *)network;
    uint64_t *injected = network->terminal_flits, *ejected = injected + network->topology->terminals;
    /* Under early free a flit is counted when it crosses (other_flits); else packets are, when their header
     * does. */
    for (uint32_t l = 0; l < network->topology->link_count; l++) {
        const struct net_link *link = &network->topology->links[l];
        uint32_t receiver = link->source << engine->slot_bits | link->port;
        network->link_flits[l] =
            engine->other_flits[receiver] + (engine->early_free ? 0 : engine->crossed[receiver].flits);
        for (uint32_t number = 0; number < engine->buffers; number++)
            network->link_flits[l] -=
                coming_into(engine, net_shared_buffer_at(engine, link->target, link->port, number));
    }
    for (uint32_t t = 0; t < network->topology->terminals; t++) {
        injected[t] = ejected[t] = 0;
        for (uint32_t p = engine->first_point[t]; p < engine->first_point[t + 1]; p++) {
            const struct net_shared_point *point = &engine->points[p];
            injected[t] += point->injected - flits_to_send(engine, point);
            ejected[t] +=
                point->ejected + engine->crossed[point->channel << engine->slot_bits | point->slot].flits;
        }
    }
    collect_channels(engine);
}

/* Also of a network whose building failed halfway. */
static void shared_free(struct net_network *network)
{
    struct net_shared_engine *engine = (struct net_shared_engine *)network;
    /* All arrays of a fixed size are parts of `state`, and gone with it; what grows has blocks of its own. */
    for (uint32_t i = 0; i < engine->multicast_count; i++) {
        free(engine->multicasts[i].received);
        free(engine->multicasts[i].plan);
    }
    free(engine->multicasts);
    free(engine->boxes);
    free(engine->casts);
    free(engine->messages);
    free(engine->packets);
    free(engine->joining);
    base_heap_free(&engine->future);
    free(engine->first_point);
    free(engine->points);
    free(engine->state);
}

/* From options to a network at rest; what it leaves behind on failure is freed by the caller. The kernel decides
 * how masks lie, and so comes before they are allocated. */
static int shared_build(struct net_network *network, struct base_error *error)
{
    struct net_shared_engine *engine = (struct net_shared_engine *)network;
    struct net_statistics *statistics = &engine->network.statistics;
    if (set_widths(engine) < 0)
        return base_error_memory(error, "the network's state");
    /* What cannot be is refused before the kernel is chosen, which counts on widths that fit. */
    if (check_options(&engine->network.options, error) < 0 || check_buffers(engine, error) < 0 ||
        check_size(engine, error) < 0)
        return -1;
    net_shared_choose_kernel(engine);
    if (allocate(engine) < 0)
        return base_error_memory(error, "the network's state");
    fill_fields(engine);
    connect(engine);
    connect_points(engine);
    engine->several_ways = engine->network.options.selection == NET_MOST_FREE && has_several_ways(engine);
    statistics->channel_flits = engine->channel_flits;
    statistics->channel_waits = engine->channel_waits;
    return 0;
}

/* Any routing and options: what does not fit is refused by name in shared_build, which can say why. */
static bool shared_serves(const struct net_topology *topology, const struct net_routing *routing,
                          const struct net_options *options)
{
    (void)routing;
    (void)options;
    return topology->shared != NULL;
}

/* No bubble rule asks for room for two packets: one, or under wormhole the two flits of the m-way paper. */
static uint32_t shared_buffers(const struct net_topology *topology, const struct net_options *options)
{
    (void)topology;
    return options->flow_control == NET_WORMHOLE ? 2 : options->packet_flits;
}

/* Between the two channels of a processor inside a router. */
static bool shared_draws(const struct net_routing *routing, const struct net_options *options)
{
    (void)options;
    return net_shared_inside_routers(routing->topology);
}

const struct net_engine net_engine_shared = {
    .name = "shared",
    .summary = "channels that several drive: the k-ary m-way networks",
    .size = sizeof(struct net_shared_engine),
    .takes = NET_OPTION_SELECTION | NET_OPTION_STATUS_FLAGS | NET_OPTION_EARLY_FREE | NET_OPTION_MULTICAST,
    .refuses = NET_OPTION_ARBITER | NET_OPTION_LINK_CYCLES | NET_OPTION_CREDIT_CYCLES,
    .why = WHY,
    .serves = shared_serves,
    .buffer_flits = shared_buffers,
    .draws = shared_draws,
    .multicasts = net_shared_multicasts,
    .build = shared_build,
    .inject = shared_inject,
    .advance = net_shared_advance,
    .collect = shared_collect,
    .check = net_shared_check,
    .free = shared_free,
    .multicast = net_shared_multicast,
};
