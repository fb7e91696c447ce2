/* Headers and tails on shared channels: how a header goes and comes into a buffer, what happens when a tail leaves
 * one. Rules 1 and 7 of doc/shared-channels.md. For kernel.h alone, whose kernels have the usual cases
 * inlined; what is rare, or of a tree, or with early free, is a function here. What a header takes is decided in
 * ask.h. The flits between are moved in kernel.h. */
#ifndef NET_SHARED_HEADERS_H
#define NET_SHARED_HEADERS_H

#include "netmodel/routings/record.h"
#include "netmodel/shared-engine/choice.h"
#include "netmodel/shared-engine/masks.h"

/* ---- a header goes ---- */

/* What the header has waited for the channel, and whether that is the longest of its journey: without a
 * branch, since either is as likely. */
static INLINE void note_wait(struct net_shared_packet *packet, uint32_t channel, uint64_t waited)
{
    uint32_t cycles = waited < UINT32_MAX ? (uint32_t)waited : UINT32_MAX;
    uint32_t longest = 0 - (uint32_t)(cycles > packet->worst_cycles);
    packet->worst_channel ^= (packet->worst_channel ^ channel) & longest;
    packet->worst_cycles ^= (packet->worst_cycles ^ cycles) & longest;
}

/* Of channels with owners: flits that cross one go to the receiver in a slot, the buffers of its ways or its own
 * terminals; all of the packet is counted with the header. */
static void count_crossing(struct net_shared_engine *engine, uint32_t channel,
                           const struct net_shared_packet *packet, uint32_t slot)
{
    const struct net_owners *owners = &engine->network.owners;
    uint32_t terminal = engine->points[engine->messages[packet->message].point].terminal;
    uint32_t place =
        slot < engine->ports ? channel * engine->ports + slot : engine->channels * engine->ports + channel;
    net_owners_carry(owners, owners->row[terminal], owners->slot[place], packet->length, true);
}

/* The header of a packet that is no tree's crosses its channel to the receiver in a slot. A copy's header
 * may be in several buffers at once, and its packet knows one time only: they are not counted, as in the
 * other engines. */
static INLINE void count_header(struct given given, uint32_t index, struct net_shared_packet *packet,
                                uint32_t slot)
{
    uint32_t channel = channel_of(given, index);
    uint64_t waited = given.engine->network.now - packet->ready;
    struct net_shared_crossing *crossed = &given.engine->crossed[channel << given.shape.slot_bits | slot];
    crossed->waits += waited;
    crossed->flits += packet->length;
    note_wait(packet, channel, waited);
    if (given.engine->network.owners.row != NULL)
        count_crossing(given.engine, channel, packet, slot);
}

/* ---- a header comes ---- */

/* A header that has still to pass its router counts as stalled until then (rule 1). */
static void delay(struct net_shared_engine *engine, uint32_t index, uint64_t ready)
{
    net_shared_set(engine, index, NET_SHARED_STALLED);
    if (base_heap_push(&engine->future, ready, (uint64_t)index << 1 | 1) != 0)
        engine->out_of_memory = true;
}

/* A header is at the head of a buffer: it requests at once, or when it has passed the router (rule 1). */
static INLINE void admit(struct given given, uint32_t index, struct net_shared_packet *packet)
{
    uint64_t next = given.engine->network.now + 1;
    request(given, index);
    if (packet->ready <= next)
        packet->ready = next;
    else
        delay(given.engine, index, packet->ready);
}

/* The packet becomes the head of an empty buffer with the flits that are there. */
static INLINE void become_head(struct given given, uint32_t index, uint32_t packet, uint32_t flits)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    buffer->packet = packet;
    buffer->target = NET_NONE;
    buffer->counts = net_shared_counts(flits, given.engine->packets[packet].length);
}

/* With early free: behind the packets that are in the buffer. Returns whether there are none. A head whose
 * header has won its channel, but not moved yet in this cycle, is still asked for its next packet. */
static bool enqueue(struct net_shared_engine *engine, uint32_t index, uint32_t packet)
{
    struct net_shared_queue *queue = &engine->queue[index];
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    bool empty = buffer->packet == NET_NONE;
    if (!empty && buffer->packet == queue->last &&
        net_shared_left(buffer) != engine->packets[queue->last].length)
        queue->next = packet;
    else if (!empty)
        engine->packets[queue->last].next = packet;
    queue->last = packet;
    queue->arrived = 1;
    queue->flits++;
    return empty;
}

/* The header one hop on. Nearly all routings of shared channels keep records. */
static INLINE uint64_t step(const struct net_routing *routing, uint32_t channel, uint64_t header,
                            uint32_t port)
{
    if (routing->kind->step == net_record_next)
        return net_record_step(routing, header, port);
    return routing->kind->step(routing, channel, header, port);
}

/* The packet's header comes into a buffer. A packet that is no tree's is one for all buffers that hold any of
 * its flits. */
static INLINE void arrive_header(struct given given, uint32_t index, uint32_t packet_index, uint32_t feeder)
{
    struct net_shared_engine *engine = given.engine;
    struct net_shared_packet *packet = &engine->packets[packet_index];
    packet->ready = engine->network.now + engine->network.options.router_cycles;
    if (given.shape.early)
        packet->next = NET_NONE;
    given.buffer[index].feeder = feeder;
    packet->header =
        step(engine->network.routing, channel_of(given, feeder), packet->header, slot_of(given, index));
    packet->hops++;
    net_shared_choose(engine, packet, channel_of(given, index), given.shape.by_lanes);
    if (given.shape.early && !enqueue(engine, index, packet_index))
        return;
    become_head(given, index, packet_index, 1);
    admit(given, index, packet);
}

/* In a tree the packet is also one for those of several ways, and counts them. Trees know no early free. */
static INLINE void arrive_copy(struct given given, uint32_t index, uint32_t packet_index, uint32_t feeder)
{
    struct net_shared_packet *packet = &given.engine->packets[packet_index];
    packet->ready = given.engine->network.now + given.engine->network.options.router_cycles;
    packet->references++;
    given.engine->other_flits[channel_of(given, feeder) << given.shape.slot_bits | slot_of(given, index)] +=
        packet->length;
    given.buffer[index].feeder = feeder;
    become_head(given, index, packet_index, 1);
    if (net_shared_make_cast(given.engine, index) == 0)
        admit(given, index, packet);
}

/* ---- a tail leaves ---- */

/* What is known of where a tail leaves. */
enum origin { ANYWHERE, IN_ROUTERS, AT_SOURCES };

static INLINE bool at_source(struct given given, uint32_t index, enum origin from)
{
    return from == ANYWHERE ? slot_of(given, index) >= given.ports : from == AT_SOURCES;
}

/* With early free the next packet is the head, else the buffer is free where it is fed (rule 7). */
static INLINE void leave_buffer(struct given given, uint32_t index)
{
    if (!given.shape.early) {
        set_free(given, channel_of(given, given.buffer[index].feeder), place_of(given, index));
        return;
    }
    const struct net_shared_queue *queue = &given.engine->queue[index];
    uint32_t packet = queue->next;
    if (packet == NET_NONE)
        return;
    become_head(given, index, packet,
                queue->last == packet ? queue->arrived : given.engine->packets[packet].length);
    admit(given, index, &given.engine->packets[packet]);
}

/* The replica: the same flits, to the receivers that are left. */
static bool sends_again(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    uint32_t place = buffer->target & ~NET_SHARED_CASTS;
    struct net_shared_cast *cast = &engine->casts[place];
    cast->pending &= ~cast->reserved;
    cast->reserved = 0;
    if (cast->pending == 0) {
        net_shared_free_cast(engine, place);
        return false;
    }
    uint16_t length = engine->packets[buffer->packet].length;
    buffer->counts = net_shared_counts(length, length);
    if (net_shared_slot_of(engine, index) >= engine->ports)
        engine->points[engine->messages[engine->packets[buffer->packet].message].point].injected += length;
    net_shared_request(engine, index);
    return true;
}

/* The tail of the packet at the head of a buffer has left. An injector has its next packet at once. A packet
 * that is not a tree's is given up where it is ejected. */
static INLINE void finish(struct given given, uint32_t index, bool tree, bool ejects, enum origin from)
{
    struct net_shared_buffer *buffer = &given.buffer[index];
    uint32_t packet = buffer->packet;
    if (tree && sends_again(given.engine, index))
        return;
    buffer->packet = buffer->target = NET_NONE;
    buffer->counts = 0;
    clear_bits(given, line_of(given, index), NET_SHARED_HOLDS, bit_if(true, given, index));
    if (at_source(given, index, from))
        net_shared_make_head(given.engine, index, given.engine->network.now + 1);
    else
        leave_buffer(given, index);
    if (tree || ejects)
        net_shared_release(given.engine, packet);
}

#endif
