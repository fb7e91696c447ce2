/* What the engine of shared channels says about itself: the conservation laws, and who waits for whom when
 * nothing moves. */
#include <inttypes.h>
#include <stdio.h>

#include "netmodel/shared-engine/internal.h"

#define CIRCLE_LINES 6 /* of the sentence, which has room for about so many */

/* ---- conservation ---- */

/* Buffers that have a packet, or are reserved for one, must be those that are not free where they are fed. */
static uint64_t count_wrong_buffers(const struct net_shared_engine *engine)
{
    uint64_t wrong = 0;
    for (uint32_t l = 0; l < engine->network.topology->link_count; l++) {
        const struct net_link *link = &engine->network.topology->links[l];
        uint32_t free = net_shared_free_of(engine, link->source, link->port);
        uint32_t first = engine->first[link->source << engine->slot_bits | link->port];
        for (uint32_t b = 0; b < engine->buffers; b++)
            wrong += (free >> b & 1) != 0 && engine->buffer[first + b].packet != NET_NONE;
    }
    return engine->early_free ? 0 : wrong;
}

/* Every packet of a unicast, and of every copy, is delivered or still to be; an empty network holds none. */
int net_shared_check(const struct net_network *network, struct base_error *error)
{
    const struct net_shared_engine *engine = (const struct net_shared_engine *)network;
    uint64_t wrong = count_wrong_buffers(engine);
    uint32_t held = net_pool_used(&engine->packet_pool, engine->packets, sizeof *engine->packets,
                                  offsetof(struct net_shared_packet, next));
    if (net_network_conserves(network, engine->copies_inside, 0, error) < 0)
        return -1;
    if (wrong == 0 && (net_network_pending(network) != 0 || held == 0))
        return 0;
    return base_error_set(error, BASE_SYSTEM,
                          "%" PRIu32 " packets held, %" PRIu64
                          " buffers both free and taken: this is a defect of flitreplay",
                          held, wrong);
}

/* ---- deadlock ---- */

/* Among the receivers of a channel, the buffer that a waiting header lacks. It may have a choice of several,
 * but nothing moves, and so each of them is as good as any other. */
struct lack {
    uint32_t receiver, number;
};

/* The first receiver that is missing: of a tree the first in its order, else the first way of the route. */
static uint32_t missing_receiver(const struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    const struct net_shared_packet *packet = &engine->packets[buffer->packet];
    if (packet->tree) {
        const struct net_shared_cast *cast = &engine->casts[buffer->target & ~NET_SHARED_CASTS];
        return (uint32_t)__builtin_ctz(cast->pending & ~cast->reserved);
    }
    return (uint32_t)__builtin_ctz(packet->choice.receiver[0]) >>
           (engine->by_lanes ? engine->buffer_bits : 0);
}

/* The buffer whose packet holds a buffer of that receiver: because it has reserved it for itself on the same
 * channel, or because it is in it. */
static uint32_t holder_of(const struct net_shared_engine *engine, uint32_t channel, uint32_t receiver,
                          uint32_t number)
{
    uint32_t first = engine->first[channel << engine->slot_bits | receiver];
    for (uint32_t s = 0; s < engine->slots; s++)
        for (uint32_t b = 0; b < engine->buffers; b++) {
            uint32_t index = net_shared_buffer_at(engine, channel, s, b);
            const struct net_shared_buffer *buffer = &engine->buffer[index];
            if (buffer->packet == NET_NONE || !engine->packets[buffer->packet].tree)
                continue;
            const struct net_shared_cast *cast = &engine->casts[buffer->target & ~NET_SHARED_CASTS];
            if ((cast->reserved >> receiver & 1) != 0 && cast->buffer[receiver] == number &&
                !net_shared_has_begun(engine, buffer))
                return index;
        }
    return first < NET_SHARED_CASTS ? first + number : NET_NONE;
}

/* Follows a packet from where its tail is to where its header waits. */
static uint32_t header_of(const struct net_shared_engine *engine, uint32_t index)
{
    uint32_t steps = 0;
    while (index != NET_NONE && engine->buffer[index].packet != NET_NONE &&
           engine->buffer[index].target < NET_SHARED_CASTS && steps++ < engine->channels)
        index = engine->buffer[index].target;
    return index;
}

/* The header that another waits for, and what it lacks; NET_NONE when that is not known. */
static uint32_t waits_for(const struct net_shared_engine *engine, uint32_t index, struct lack *lack)
{
    if (index == NET_NONE || engine->buffer[index].packet == NET_NONE ||
        net_shared_has_begun(engine, &engine->buffer[index]))
        return NET_NONE;
    uint32_t channel = net_shared_channel_of(engine, index);
    lack->receiver = missing_receiver(engine, index);
    lack->number = 0;
    return header_of(engine, holder_of(engine, channel, lack->receiver, lack->number));
}

/* The buffer, whose header is where the packet has got to. */
uint32_t net_shared_holder(const struct net_shared_engine *engine, uint32_t channel, uint32_t receiver,
                           uint32_t number)
{
    uint32_t holder = header_of(engine, holder_of(engine, channel, receiver, number));
    return holder == NET_NONE || engine->buffer[holder].packet == NET_NONE ? NET_NONE : holder;
}

/* The same among those that are stuck, where there are such: then every one of them has one that holds it up. */
static uint32_t next_of(const struct net_shared_engine *engine, uint32_t index, struct lack *lack)
{
    struct net_shared_obstacle obstacle;
    if (index == NET_NONE || !net_shared_is_stuck(engine, index) ||
        !net_shared_find_obstacle(engine, index, &obstacle))
        return waits_for(engine, index, lack);
    *lack = (struct lack){.receiver = obstacle.receiver};
    return obstacle.holder;
}

/* By its coordinates, as the user gave the sides. */
static void name_channel(const struct net_topology *topology, uint32_t channel, char *text, size_t size)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    size_t used = 0;
    net_topology_coordinates(topology, channel, at);
    text[0] = 0;
    for (uint32_t d = 0; d < topology->grid->dimensions && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%c%" PRIu32 "%s", d == 0 ? '(' : ',', at[d],
                                 d + 1 == topology->grid->dimensions ? ")" : "");
}

/* A way, or the terminals of the channel. */
static const char *name_slot(const struct net_shared_engine *engine, uint32_t slot, const char *other)
{
    const struct net_topology *topology = engine->network.topology;
    return slot < engine->ports ? topology->kind->port_name(topology, slot) : other;
}

/* It says where the packet is, what it waits for, and who has that. */
static void append_member(const struct net_shared_engine *engine, uint32_t index, struct base_error *error)
{
    const struct net_shared_packet *packet = &engine->packets[engine->buffer[index].packet];
    uint32_t channel = net_shared_channel_of(engine, index), slot = net_shared_slot_of(engine, index);
    char place[128];
    struct lack lack;
    uint32_t next = next_of(engine, index, &lack);
    name_channel(engine->network.topology, channel, place, sizeof place);
    base_error_append(error,
                      "\n  %s of message %" PRIu64 ", buffer %s %" PRIu32
                      " before channel %s, waits for a buffer "
                      "%s of that channel",
                      packet->tree ? "a copy" : "a packet", engine->messages[packet->message].number,
                      name_slot(engine, slot, "injector"), net_shared_number_of(engine, index), place,
                      name_slot(engine, lack.receiver, "ejection"));
    if (next != NET_NONE)
        base_error_append(error, ", which message %" PRIu64 " %s",
                          engine->messages[engine->packets[engine->buffer[next].packet].message].number,
                          net_shared_channel_of(engine, next) == channel ? "has reserved" : "is in");
}

/* Any header that is stuck, or where that is not known, that waits; or NET_NONE. */
static uint32_t first_waiting(const struct net_shared_engine *engine)
{
    uint32_t count = engine->channels << (engine->slot_bits + engine->buffer_bits);
    struct lack lack;
    for (uint32_t i = 0; i < count; i++)
        if (net_shared_is_stuck(engine, i))
            return i;
    for (uint32_t i = 0; i < count; i++)
        if (waits_for(engine, i, &lack) != NET_NONE)
            return i;
    return NET_NONE;
}

/* Whoever is stuck waits for somebody else who is, and where nothing moves, everybody does: going from one
 * to the next ends in a circle. Whoever has been passed as often as there are buffers is in it. After as many
 * steps as there are buffers it must be in the circle; then it goes round once. */
int net_shared_report(struct net_shared_engine *engine, struct base_error *error)
{
    const struct net_network *network = &engine->network;
    uint32_t stuck = net_shared_find_stuck(engine);
    uint32_t at = first_waiting(engine);
    uint32_t steps = engine->channels << (engine->slot_bits + engine->buffer_bits);
    struct lack lack;
    while (at != NET_NONE && steps-- > 0)
        at = next_of(engine, at, &lack);
    base_error_set(error, BASE_DEADLOCK,
                   "network deadlock in cycle %" PRIu64 " on %s with routing %s: ", network->now,
                   network->topology->text, network->routing->text);
    if (stuck != 0)
        base_error_append(error, "%" PRIu32 " headers can never move, and ", stuck);
    else
        base_error_append(error, "nothing moves, and ");
    base_error_append(error, "%" PRIu64 " messages are not delivered", net_network_pending(network));
    if (at == NET_NONE)
        return -1;
    base_error_append(error, "; these wait for each other:");
    uint32_t first = at, lines = 0;
    do {
        append_member(engine, at, error);
        at = next_of(engine, at, &lack);
    } while (at != first && at != NET_NONE && ++lines < CIRCLE_LINES);
    if (at != first)
        base_error_append(error, "\n  and so on, back to the first");
    return -1;
}
