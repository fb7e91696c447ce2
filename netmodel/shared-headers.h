/* Headers and tails on shared channels: what a header takes, how it comes into a buffer, what happens when a
 * tail leaves one. Rules 1, 5, 7 and 11 of doc/shared-channels.md. For shared-cycle.c alone, whose kernels
 * have the usual cases inlined; what is rare, or of a tree, or with early free, is a function here. The flits
 * between are moved there. */
#ifndef NET_SHARED_HEADERS_H
#define NET_SHARED_HEADERS_H

#include "netmodel/record.h"
#include "netmodel/shared-choice.h"
#include "netmodel/shared-masks.h"

/* The header, or a flit of a tree, at the head of a buffer has won its channel. */
enum answer { SLEEPS, REFUSED, MOVES };

/* ---- asking for a channel ---- */

/* Without availability flags the header has driven the channel in vain; with them it has not asked, and
 * sleeps until one of the receivers wakes it. */
static enum answer refuse(struct net_shared_engine *engine, uint32_t index, uint32_t receivers)
{
    if (!engine->asks_for_buffers)
        return REFUSED;
    uint32_t channel = net_shared_channel_of(engine, index);
    uint32_t word = (index >> engine->word_bits) - channel * engine->words;
    uint64_t bit = net_shared_bit(engine, index);
    net_shared_set(engine, index, NET_SHARED_SLEEPING);
    for (; receivers != 0; receivers &= receivers - 1) {
        uint32_t receiver = channel << engine->slot_bits | (uint32_t)__builtin_ctz(receivers);
        engine->waiting[(size_t)receiver * engine->words + word] |= bit;
    }
    return SLEEPS;
}

/* A buffer of a receiver is nobody else's from now on. Returns it as a target. */
static uint32_t take(struct net_shared_engine *engine, uint32_t channel, uint32_t receiver, uint32_t number)
{
    uint32_t place = net_shared_buffer_at(engine, channel, receiver, number),
             first = engine->first[channel << engine->slot_bits | receiver];
    net_shared_clear(engine, place >> engine->word_bits, NET_SHARED_FREE, net_shared_bit(engine, place));
    return first + number;
}

/* The header gets the lowest of these buffers of a way. */
static INLINE enum answer get(struct given given, uint32_t index, uint32_t way, uint32_t best)
{
    uint32_t receiver = channel_of(given, index) << given.shape.slot_bits | way,
             number = (uint32_t)__builtin_ctz(best), place = receiver << given.shape.buffer_bits | number;
    clear_bits(given, line_of(given, place), NET_SHARED_FREE, bit_if(true, given, place));
    uint32_t target = given.engine->first[receiver] + number;
    given.buffer[index].target = target;
    __builtin_prefetch(&given.engine->crossed[receiver], 1);
    __builtin_prefetch(&given.buffer[target & (0 - (uint32_t)(target < NET_SHARED_CASTS))], 1);
    return MOVES;
}

/* Any selection function; with early free room is asked for. */
static enum answer ask_any(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    const struct net_shared_packet *packet = &engine->packets[buffer->packet];
    uint32_t channel = net_shared_channel_of(engine, index), way = net_shared_select(engine, channel, packet);
    if (way == NET_NONE)
        return refuse(engine, index, net_shared_receivers(&packet->choice));
    uint32_t open = net_shared_available(engine, channel, packet, way);
    buffer->target = take(engine, channel, way, (uint32_t)__builtin_ctz(net_shared_last_open(&packet->choice, way, open)));
    return MOVES;
}

/* Bits of a mask of so many buffers, four at a time: not all processors count bits in one instruction. */
static INLINE uint32_t count_bits(uint32_t mask, uint32_t buffer_bits)
{
    const uint64_t counts = UINT64_C(0x4332322132212110); /* of 15 in the highest four bits, of 0 in the lowest */
    uint32_t count = (uint32_t)(counts >> (mask % 16 * 4)) & 15;
    for (uint32_t bits = 4; bits < 1u << buffer_bits; bits += 4)
        count += (uint32_t)(counts >> ((mask >> bits) % 16 * 4)) & 15;
    return count;
}

/* Free buffers of a receiver, and more bits above them. */
static INLINE uint32_t free_at(struct given given, uint32_t index, uint32_t way)
{
    uint32_t first = (channel_of(given, index) << given.shape.slot_bits | way) << given.shape.buffer_bits,
             place = first & ((UINT32_C(1) << given.shape.word_bits) - 1);
    return (uint32_t)(mask_of(given, line_of(given, first), NET_SHARED_FREE) >> place);
}

/* Those of them that the header may take. */
static INLINE uint32_t open_at(struct given given, uint32_t index, const struct net_shared_choice *choice,
                               uint32_t way)
{
    return free_at(given, index, way) & (net_shared_in_tier(choice, way, 0) | net_shared_in_tier(choice, way, 1) |
                                         net_shared_in_tier(choice, way, 2));
}

/* The way with most free buffers, of equal ones the lowest: rule 5. */
static INLINE enum answer ask_ways(struct given given, uint32_t index, const struct net_shared_choice *choice,
                                   uint32_t ways)
{
    uint32_t best = 0, most = 0, open = 0;
    for (uint32_t left = ways; left != 0; left &= left - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(left), here = open_at(given, index, choice, way),
                 count = count_bits(here, given.shape.buffer_bits), more = 0 - (uint32_t)(count > most);
        best ^= (best ^ way) & more;
        open ^= (open ^ here) & more;
        most ^= (most ^ count) & more;
    }
    if (most == 0)
        return refuse(given.engine, index, ways);
    return get(given, index, best, net_shared_last_open(choice, best, open));
}

/* Most headers have one way, which leaves nothing to be selected: all their tiers are of that way. */
static INLINE enum answer ask_one_way(struct given given, uint32_t index, const struct net_shared_choice *choice,
                                      uint32_t ways)
{
    uint32_t way = (uint32_t)__builtin_ctz(ways), free = free_at(given, index, way);
    uint32_t best =
        net_shared_last_some(choice->buffers[0] & free, choice->buffers[1] & free, choice->buffers[2] & free);
    return best != 0 ? get(given, index, way, best) : refuse(given.engine, index, ways);
}

/* Rule 11: in the order of the receivers as long as there are buffers; the plain tree takes what it finds. */
static uint32_t reserve(struct net_shared_engine *engine, uint32_t channel, struct net_shared_cast *cast,
                        bool in_order)
{
    uint32_t taken = 0;
    for (uint32_t bits = cast->pending & ~cast->reserved; bits != 0; bits &= bits - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(bits);
        uint32_t free =
            net_shared_free_of(engine, channel, receiver) & net_shared_cast_buffers(engine, cast, receiver);
        if (free == 0 && in_order)
            break;
        if (free == 0)
            continue;
        cast->buffer[receiver] = (uint8_t)__builtin_ctz(free);
        take(engine, channel, receiver, cast->buffer[receiver]);
        cast->reserved |= UINT32_C(1) << receiver;
        taken++;
    }
    return taken;
}

/* Whether any of the receivers has a buffer that the tree may take. */
static bool some_free(const struct net_shared_engine *engine, uint32_t channel,
                      const struct net_shared_cast *cast, uint32_t receivers)
{
    uint32_t free = 0;
    for (; receivers != 0; receivers &= receivers - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(receivers);
        free |=
            net_shared_free_of(engine, channel, receiver) & net_shared_cast_buffers(engine, cast, receiver);
    }
    return free != 0;
}

/* A header that has got something, but not all, has used the channel all the same: that is how the units at
 * the receivers hear of it. One that knows only that somebody has a buffer drives the channel in vain as long
 * as that is not the next in its order. */
static enum answer ask_tree(struct net_shared_engine *engine, uint32_t index)
{
    uint32_t channel = net_shared_channel_of(engine, index);
    struct net_shared_cast *cast = &engine->casts[engine->buffer[index].target & ~NET_SHARED_CASTS];
    enum net_spreading spreading = engine->network.options.spreading;
    uint32_t taken = reserve(engine, channel, cast, spreading != NET_MST_PLAIN);
    uint32_t missing = cast->pending & ~cast->reserved;
    if (missing == 0 || (spreading == NET_MST_REPLICA && cast->reserved != 0))
        return MOVES;
    if (taken != 0) {
        engine->vain_cycles = 0;
        return REFUSED;
    }
    bool hears_any = spreading == NET_MST_PLAIN || spreading == NET_MST_SAFE_ANY;
    if (hears_any && some_free(engine, channel, cast, missing))
        return REFUSED;
    return refuse(engine, index, hears_any ? missing : missing & -missing);
}

/* Only this channel takes buffers of its receivers, so that what is taken here nobody else takes in this
 * cycle. Flits of a tree behind its header have room everywhere: it needs virtual cut-through. */
static INLINE enum answer ask(struct given given, uint32_t index)
{
    const struct net_shared_buffer *buffer = &given.buffer[index];
    if (buffer->target != NET_NONE)
        return net_shared_has_begun(given.engine, buffer) ? MOVES : ask_tree(given.engine, index);
    const struct net_shared_choice *choice = &given.engine->packets[buffer->packet].choice;
    uint32_t ways = net_shared_receivers(choice);
    if (given.shape.early)
        return ask_any(given.engine, index);
    if ((ways & (ways - 1)) == 0)
        return ask_one_way(given, index, choice, ways);
    if (given.engine->network.options.selection != NET_MOST_FREE)
        return ask_any(given.engine, index);
    return ask_ways(given, index, choice, ways);
}

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

/* Flits that cross a channel go to the buffers of its ways or to its own terminals: those to a buffer that
 * drives a channel outside of the owner's, or comes from one, are counted, all of the packet with the header.
 */
static void count_crossing(struct net_shared_engine *engine, uint32_t channel,
                           const struct net_shared_packet *packet, uint32_t target)
{
    uint32_t terminal = engine->points[engine->messages[packet->message].point].terminal;
    if (target < NET_SHARED_CASTS)
        net_network_crosses(&engine->network, terminal, channel, net_shared_channel_of(engine, target),
                            packet->length);
}

/* The header of a packet that is no tree's crosses its channel to the receiver in a slot. A copy's header may be in several buffers at
 * once, and its packet knows one time only: they are not counted, as in the other engines. */
static INLINE void count_header(struct given given, uint32_t index, struct net_shared_packet *packet, uint32_t slot)
{
    const struct net_shared_buffer *buffer = &given.buffer[index];
    uint32_t channel = channel_of(given, index);
    uint64_t waited = given.engine->network.now - packet->ready;
    struct net_shared_crossed *crossed = &given.engine->crossed[channel << given.shape.slot_bits | slot];
    crossed->waits += waited;
    crossed->flits += packet->length;
    note_wait(packet, channel, waited);
    if (given.engine->network.outside != NULL)
        count_crossing(given.engine, channel, packet, buffer->target);
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
    net_shared_choose(engine, packet, channel_of(given, index));
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
