/* Shared channels: packets and messages from the injector to the terminal. See internal.h. */
#include <stdlib.h>

#include "base/grow.h"
#include "base/random.h"
#include "netmodel/engines/delivery.h"
#include "netmodel/shared-engine/choice.h"

/* ---- pools ---- */

/* There must be room for all messages to join in one cycle, so that joining cannot fail. */
int net_shared_new_message(struct net_shared_engine *engine, uint32_t *index)
{
    *index = NET_POOL_TAKE(&engine->message_pool, &engine->messages, struct net_shared_message, next);
    if (*index != NET_NONE && base_grow_32(&engine->joining, &engine->joining_capacity,
                                           engine->message_pool.capacity, sizeof *engine->joining) == 0)
        return 0;
    engine->out_of_memory = true;
    return -1;
}

/* Nothing is reserved yet. */
int net_shared_make_cast(struct net_shared_engine *engine, uint32_t buffer)
{
    uint32_t index = NET_POOL_TAKE(&engine->cast_pool, &engine->casts, struct net_shared_cast, next);
    uint32_t packet = engine->buffer[buffer].packet;
    if (index == NET_NONE) {
        engine->out_of_memory = true;
        return -1;
    }
    struct net_shared_cast *cast = &engine->casts[index];
    *cast = (struct net_shared_cast){.next = NET_NONE};
    cast->pending = net_shared_tree(engine, engine->messages[engine->packets[packet].message].multicast,
                                    net_shared_channel_of(engine, buffer), net_shared_slot_of(engine, buffer),
                                    &cast->narrow);
    engine->buffer[buffer].target = NET_SHARED_CASTS | index;
    return 0;
}

/* When its header has been sent to all, or the tail has left. */
void net_shared_free_cast(struct net_shared_engine *engine, uint32_t index)
{
    NET_POOL_GIVE(&engine->cast_pool, engine->casts, struct net_shared_cast, next, index);
}

/* ---- injectors (rule 2) ---- */

/* Injectors of a point are the buffers of its slot. */
static uint32_t injector_buffer(const struct net_shared_engine *engine, const struct net_shared_point *point,
                                uint32_t number)
{
    return net_shared_buffer_at(engine, point->channel, point->slot, number);
}

/* The injectors of a point take messages in turn. O(1): an injector's queue is a list with both ends. */
void net_shared_join(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_message *message = &engine->messages[index];
    struct net_shared_point *point = &engine->points[message->point];
    uint32_t turn = point->next_injector;
    struct net_shared_injector *injector = &engine->injector[message->point * engine->injectors + turn];
    point->next_injector = turn + 1 == engine->injectors ? 0 : turn + 1;
    message->next = NET_NONE;
    if (injector->last == NET_NONE)
        injector->first = index;
    else
        engine->messages[injector->last].next = index;
    injector->last = index;
    uint32_t buffer = injector_buffer(engine, point, turn);
    if (engine->buffer[buffer].packet == NET_NONE)
        net_shared_make_head(engine, buffer, engine->network.now);
}

/* Cuts the next packet off a message. A message that ends where it begins is ejected by its own channel. A tree's
 * packet has no header of a routing: what it spreads to follows from the multicast (net_shared_tree). */
static void fill_packet(struct net_shared_engine *engine, struct net_shared_packet *packet, uint32_t index)
{
    struct net_shared_message *message = &engine->messages[index];
    const struct net_routing *routing = engine->network.routing;
    const struct net_shared_point *target = &engine->points[message->target];
    uint32_t number = message->packets_made++, first = engine->points[message->point].channel;
    bool last = message->packets_made == message->packets;
    *packet = (struct net_shared_packet){.next = NET_NONE,
                                         .message = index,
                                         .number = number,
                                         .worst_channel = NET_NONE,
                                         .length = last ? message->last_flits : (uint16_t)engine->largest,
                                         .slot = (uint8_t)target->slot,
                                         .tree = message->tree,
                                         .awaited = message->multicast != NET_NONE ||
                                                    (message->notice_sent && last)};
    if (message->tree) {
        packet->references = 1;
        return;
    }
    uint32_t variants = routing->kind->variants(routing, first, target->channel), variant = 0;
    if (variants > 1)
        variant = base_scale(base_hash(base_hash(message->key, number), UINT64_MAX), variants);
    packet->header = routing->kind->start(routing, first, target->channel, variant);
    net_shared_choose(engine, packet, first, engine->by_lanes);
}

/* The packet takes the injector's buffer, and asks from the next pick on: as in the first pass of this cycle
 * when the message joins, else of the next. */
static void enter(struct net_shared_engine *engine, uint32_t index, uint32_t packet, uint64_t cycle)
{
    engine->packets[packet].ready = cycle;
    uint16_t length = engine->packets[packet].length;
    engine->points[engine->messages[engine->packets[packet].message].point].injected += length;
    engine->buffer[index] = (struct net_shared_buffer){
        .packet = packet, .target = NET_NONE, .feeder = index, .counts = net_shared_counts(length, length)};
    if (engine->packets[packet].tree && net_shared_make_cast(engine, index) < 0)
        return;
    net_shared_request(engine, index);
}

/* The next packet of an injector's first message, in its buffer at `cycle`; messages wait in the order in which they
 * were given. A packet exists from here on; what a long message has still to send takes no room. */
void net_shared_make_head(struct net_shared_engine *engine, uint32_t buffer, uint64_t cycle)
{
    uint32_t channel = net_shared_channel_of(engine, buffer), slot = net_shared_slot_of(engine, buffer);
    uint32_t point = engine->point_at[channel << engine->slot_bits | slot];
    struct net_shared_injector *injector =
        &engine->injector[point * engine->injectors + net_shared_number_of(engine, buffer)];
    uint32_t index = injector->first;
    uint32_t packet;
    if (index == NET_NONE)
        return;
    packet = NET_POOL_TAKE(&engine->packet_pool, &engine->packets, struct net_shared_packet, next);
    if (packet == NET_NONE) {
        engine->out_of_memory = true;
        return;
    }
    fill_packet(engine, &engine->packets[packet], index);
    if (engine->messages[index].packets_made == engine->messages[index].packets) {
        injector->first = engine->messages[index].next;
        if (injector->first == NET_NONE)
            injector->last = NET_NONE;
    }
    enter(engine, buffer, packet, cycle);
}

/* ---- notices ---- */

/* A failure is told by advance. */
static void notice(struct net_shared_engine *engine, uint64_t number, enum net_notice_kind kind, uint64_t tag)
{
    if (net_network_notice(&engine->network, number, kind, tag) < 0)
        engine->out_of_memory = true;
}

/* Of a multicast, the source's last part. What other terminals pass on is no concern of the sender. */
static void left_source_of(struct net_shared_engine *engine, struct net_shared_multicast *multicast,
                           const struct net_shared_message *message, bool last)
{
    uint32_t terminal = engine->points[message->point].terminal;
    if (terminal != multicast->source || (!message->tree && !last) || --multicast->to_send != 0)
        return;
    if (multicast->notice_sent)
        notice(engine, multicast->number, NET_SENT, multicast->tag);
}

/* A multicast's packet has left when it has left for all its receivers. Only of packets that are awaited. */
void net_shared_left_source(struct net_shared_engine *engine, const struct net_shared_packet *packet)
{
    const struct net_shared_message *message = &engine->messages[packet->message];
    bool last = packet->number + 1 == message->packets;
    if (message->multicast != NET_NONE)
        left_source_of(engine, &engine->multicasts[message->multicast], message, last);
    else if (message->notice_sent && last)
        notice(engine, message->number, NET_SENT, message->tag);
}

/* ---- at the terminal ---- */

/* A packet of a copy differs from those of the other copies in the terminal. */
static void count_packet(struct net_shared_engine *engine, const struct net_shared_packet *packet,
                         const struct net_shared_message *message, uint32_t terminal, uint32_t hops)
{
    const struct net_delivery delivery = {.message = message->number,
                                          .generated = message->generated,
                                          .cycle = engine->network.now,
                                          .packet = packet->number,
                                          .terminal = message->multicast != NET_NONE ? terminal : NET_NONE,
                                          .length = packet->length,
                                          .hops = hops};
    uint64_t latency = net_delivery_count(&engine->network.statistics, &delivery);
    net_owners_deliver(&engine->network.owners, engine->points[message->point].terminal, hops, true);
    if (net_latency_add(&engine->network.latency, latency) < 0)
        engine->out_of_memory = true;
}

/* Its packets are gone by then. */
static void free_message(struct net_shared_engine *engine, uint32_t index)
{
    NET_POOL_GIVE(&engine->message_pool, engine->messages, struct net_shared_message, next, index);
}

/* With the journey of its last packet. */
static void deliver_message(struct net_shared_engine *engine, const struct net_shared_packet *packet)
{
    uint32_t index = packet->message;
    const struct net_shared_message *message = &engine->messages[index];
    if (message->multicast != NET_NONE) {
        net_shared_pass_on(engine, index);
    } else {
        const struct net_journey journey = {packet->hops, packet->worst_channel, packet->worst_cycles};
        if (net_network_notice_journey(&engine->network, message->number, message->tag, &journey) < 0)
            engine->out_of_memory = true;
        engine->network.statistics.messages++;
    }
    free_message(engine, index);
}

/* A tree's packet knows no hops of its own copies, which are in several places: they are the distance between the
 * channels. */
void net_shared_deliver(struct net_shared_engine *engine, uint32_t packet_index, uint32_t point)
{
    const struct net_shared_packet *packet = &engine->packets[packet_index];
    struct net_shared_message *message = &engine->messages[packet->message];
    uint32_t terminal = engine->points[point].terminal, hops = packet->hops;
    engine->copies_inside--;
    if (message->tree)
        hops = net_topology_distance(engine->network.topology, engine->points[message->point].channel,
                                     engine->points[point].channel);
    count_packet(engine, packet, message, terminal, hops);
    if (message->tree)
        net_shared_count_copy(engine, message->multicast, terminal);
    else if (++message->packets_done == message->packets)
        deliver_message(engine, packet);
}

/* The message of a tree is done when no buffer holds any of its packets. Any other has been freed by then, or
 * is still wanted. */
void net_shared_release(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_packet *packet = &engine->packets[index];
    if (packet->tree) {
        struct net_shared_message *message = &engine->messages[packet->message];
        if (--packet->references != 0)
            return;
        if (++message->packets_done == message->packets)
            free_message(engine, packet->message);
    }
    NET_POOL_GIVE(&engine->packet_pool, engine->packets, struct net_shared_packet, next, index);
}
