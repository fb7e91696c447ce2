/* Headers and tails on shared channels: what a header may take and takes, how it comes into a buffer, what
 * happens when a tail leaves one. Rules 3, 5, 7 and 11 of doc/shared-channels.md. The flits between are moved
 * by shared-cycle.c. */
#include "base/random.h"
#include "netmodel/shared-internal.h"

_Static_assert(NET_TIERS_MAX == 3, "tiers are written out below");

static inline uint32_t nth_bit(uint32_t mask, uint32_t number)
{
    while (number-- > 0)
        mask &= mask - 1;
    return (uint32_t)__builtin_ctz(mask);
}

/* ---- what a header may take (rules 3 and 5) ---- */

/* Asked for when the header comes to the channel, since one that waits asks again and again. A header at its
 * last channel may take any ejection buffer of its terminal. */
void net_shared_choose(const struct net_shared_engine *engine, struct net_shared_packet *packet,
                       uint32_t channel)
{
    const struct net_routing *routing = engine->network.routing;
    struct net_shared_choice *choice = &packet->choice;
    struct net_route route;
    uint32_t tiers = routing->kind->route(routing, channel, packet->header, &route);
    *choice = (struct net_shared_choice){0};
    if (tiers == 0) {
        choice->receivers = choice->receiver[0] = UINT32_C(1) << packet->slot;
        choice->buffers[0] = (uint16_t)((1u << engine->consumers) - 1);
    }
    for (uint32_t tier = 0; tier < tiers; tier++) {
        choice->receiver[tier] = (uint32_t)route.ports[tier];
        choice->buffers[tier] = (uint16_t)(route.virtual_channels[tier] & ((1u << engine->buffers) - 1));
        choice->receivers |= choice->receiver[tier];
    }
}

/* Of the free buffers those with room for the header, or the whole packet: with early free, flits of earlier
 * packets may be in them. */
static uint32_t with_room(const struct net_shared_engine *engine, uint32_t first, uint32_t free,
                          uint32_t length)
{
    uint32_t need = engine->network.options.flow_control == NET_CUT_THROUGH ? length : 1, found = 0;
    for (; free != 0; free &= free - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(free);
        if (net_shared_flits_in(engine, first + number) + need <= engine->capacity)
            found |= 1u << number;
    }
    return found;
}

/* Buffers of one tier of a receiver; those of tiers that there are not are no bits. */
static inline uint32_t in_tier(const struct net_shared_choice *choice, uint32_t receiver, uint32_t tier)
{
    return choice->buffers[tier] & (0 - (choice->receiver[tier] >> receiver & 1));
}

/* Buffers of a receiver that are free, of the header's classes, and with early free have room. */
static inline uint32_t available(const struct net_shared_engine *engine, uint32_t channel,
                                 const struct net_shared_packet *packet, uint32_t receiver)
{
    const struct net_shared_choice *choice = &packet->choice;
    uint32_t classes =
        (in_tier(choice, receiver, 0) | in_tier(choice, receiver, 1) | in_tier(choice, receiver, 2)) &
        net_shared_free_of(engine, channel, receiver);
    if (!engine->early_free || receiver >= engine->ports)
        return classes;
    return with_room(engine, engine->first[channel << engine->slot_bits | receiver], classes, packet->length);
}

/* The way that the selection function takes among those with a buffer, or NET_NONE. */
static uint32_t select_way(const struct net_shared_engine *engine, uint32_t channel,
                           const struct net_shared_packet *packet)
{
    uint32_t open = 0, best = NET_NONE, most = 0;
    for (uint32_t ways = packet->choice.receivers; ways != 0; ways &= ways - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(ways);
        uint32_t count = (uint32_t)__builtin_popcount(available(engine, channel, packet, way));
        best = count > most ? way : best;
        most = count > most ? count : most;
        open |= (uint32_t)(count != 0) << way;
    }
    if (open == 0 || engine->network.options.selection == NET_MOST_FREE)
        return best;
    if (engine->network.options.selection == NET_FIRST_WAY)
        return (uint32_t)__builtin_ctz(open);
    uint64_t draw = base_hash(packet->key, engine->network.now);
    return nth_bit(open, base_scale(draw, (uint32_t)__builtin_popcount(open)));
}

/* The last tier first, which fewest others can use, then the lowest buffer of those in the mask. */
static inline uint32_t first_buffer(const struct net_shared_choice *choice, uint32_t way, uint32_t mask)
{
    uint32_t best = in_tier(choice, way, 0) & mask, next = in_tier(choice, way, 1) & mask;
    best = next != 0 ? next : best;
    next = in_tier(choice, way, 2) & mask;
    best = next != 0 ? next : best;
    return (uint32_t)__builtin_ctz(best);
}

/* ---- asking for a channel ---- */

/* Without availability flags the header has driven the channel in vain; with them it has not asked, and
 * sleeps until one of the receivers wakes it. */
static enum net_shared_answer refuse(struct net_shared_engine *engine, uint32_t index, uint32_t receivers)
{
    if (!engine->asks_for_buffers)
        return NET_SHARED_REFUSED;
    uint32_t channel = net_shared_channel_of(engine, index);
    uint32_t word = (index >> engine->word_bits) - channel * engine->words;
    uint64_t bit = net_shared_bit(engine, index);
    net_shared_masks_of(engine, index)->sleeping |= bit;
    for (; receivers != 0; receivers &= receivers - 1) {
        uint32_t receiver = channel << engine->slot_bits | (uint32_t)__builtin_ctz(receivers);
        engine->waiting[(size_t)receiver * engine->words + word] |= bit;
    }
    return NET_SHARED_SLEEPS;
}

/* A buffer of a receiver is nobody else's from now on. Returns it as a target. */
static uint32_t take(struct net_shared_engine *engine, uint32_t channel, uint32_t receiver, uint32_t number)
{
    uint32_t place = net_shared_buffer_at(engine, channel, receiver, number),
             first = engine->first[channel << engine->slot_bits | receiver];
    net_shared_masks_of(engine, place)->free &= ~net_shared_bit(engine, place);
    return first != NET_NONE ? first + number : NET_SHARED_EJECTS | receiver << 4 | number;
}

/* Most headers have one way, which leaves nothing to be selected: all their tiers are of that way, and the
 * last with a free buffer is taken. Not for early free, which asks for room. */
static enum net_shared_answer ask_one_way(struct net_shared_engine *engine, uint32_t index,
                                          const struct net_shared_choice *choice)
{
    uint32_t way = (uint32_t)__builtin_ctz(choice->receivers);
    uint32_t receiver = net_shared_channel_of(engine, index) << engine->slot_bits | way,
             first = receiver << engine->buffer_bits;
    struct net_shared_masks *masks = net_shared_masks_of(engine, first);
    uint32_t place = first & ((UINT32_C(1) << engine->word_bits) - 1),
             free = (uint32_t)(masks->free >> place);
    uint32_t best = choice->buffers[0] & free, next = choice->buffers[1] & free;
    best = next != 0 ? next : best;
    next = choice->buffers[2] & free;
    best = next != 0 ? next : best;
    if (best == 0)
        return refuse(engine, index, choice->receivers);
    uint32_t number = (uint32_t)__builtin_ctz(best), buffers = engine->first[receiver];
    masks->free &= ~(UINT64_C(1) << (place + number));
    engine->buffer[index].target =
        buffers != NET_NONE ? buffers + number : NET_SHARED_EJECTS | way << 4 | number;
    return NET_SHARED_MOVES;
}

/* Only this channel takes buffers of its receivers, so that what is taken here nobody else takes in this
 * cycle. */
static enum net_shared_answer ask_way(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    const struct net_shared_packet *packet = &engine->packets[buffer->packet];
    uint32_t channel = net_shared_channel_of(engine, index), ways = packet->choice.receivers;
    if ((ways & (ways - 1)) == 0 && !engine->early_free)
        return ask_one_way(engine, index, &packet->choice);
    uint32_t way = select_way(engine, channel, packet);
    if (way == NET_NONE)
        return refuse(engine, index, ways);
    uint32_t open = available(engine, channel, packet, way);
    buffer->target = take(engine, channel, way, first_buffer(&packet->choice, way, open));
    return NET_SHARED_MOVES;
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

/* A header that has got something, but not all, has used the channel all the same: that is how the units at
 * the receivers hear of it. */
static enum net_shared_answer ask_tree(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_cast *cast = &engine->casts[engine->buffer[index].target & ~NET_SHARED_CASTS];
    enum net_spreading spreading = engine->network.options.spreading;
    uint32_t taken = reserve(engine, net_shared_channel_of(engine, index), cast, spreading != NET_MST_PLAIN);
    uint32_t missing = cast->pending & ~cast->reserved;
    if (missing == 0 || (spreading == NET_MST_REPLICA && cast->reserved != 0))
        return NET_SHARED_MOVES;
    if (taken != 0) {
        engine->vain_cycles = 0;
        return NET_SHARED_REFUSED;
    }
    return refuse(engine, index, spreading == NET_MST_PLAIN ? missing : missing & -missing);
}

/* Flits of a tree behind its header have room everywhere: it needs virtual cut-through. */
enum net_shared_answer net_shared_ask(struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    if (buffer->target == NET_NONE)
        return ask_way(engine, index);
    return net_shared_has_begun(engine, buffer) ? NET_SHARED_MOVES : ask_tree(engine, index);
}

/* ---- a header comes ---- */

/* A header is at the head of a buffer: it requests at once, or when it has passed the router (rule 1), until
 * when it counts as stalled. */
static void admit(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_packet *packet = &engine->packets[engine->buffer[index].packet];
    uint64_t next = engine->network.now + 1;
    net_shared_request(engine, index);
    if (packet->ready <= next) {
        packet->ready = next;
        return;
    }
    net_shared_masks_of(engine, index)->stalled |= net_shared_bit(engine, index);
    if (base_heap_push(&engine->future, packet->ready, (uint64_t)index << 1 | 1) != 0)
        engine->out_of_memory = true;
}

/* The packet becomes the head of an empty buffer with the flits that are there. */
static void become_head(struct net_shared_engine *engine, uint32_t index, uint32_t packet, uint32_t flits)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    buffer->packet = packet;
    buffer->target = NET_NONE;
    buffer->held = (uint16_t)flits;
    buffer->left = engine->packets[packet].length;
    if (engine->packets[packet].tree && net_shared_make_cast(engine, index) < 0)
        return;
    admit(engine, index);
}

/* With early free: behind the packets that are in the buffer. Returns whether there are none. A head whose
 * header has won its channel, but not moved yet in this cycle, is still asked for its next packet. */
static bool enqueue(struct net_shared_engine *engine, uint32_t index, uint32_t packet)
{
    struct net_shared_queue *queue = &engine->queue[index];
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    bool empty = buffer->packet == NET_NONE;
    if (!empty && buffer->packet == queue->last && buffer->left != engine->packets[queue->last].length)
        queue->next = packet;
    else if (!empty)
        engine->packets[queue->last].next = packet;
    queue->last = packet;
    queue->arrived = 1;
    queue->flits++;
    return empty;
}

/* The packet is one for all buffers that hold any of its flits. In a tree it is also for those of several
 * ways, and counts them. */
void net_shared_arrive_header(struct net_shared_engine *engine, uint32_t index, uint32_t packet_index,
                              uint32_t feeder)
{
    struct net_shared_packet *packet = &engine->packets[packet_index];
    const struct net_routing *routing = engine->network.routing;
    packet->ready = engine->network.now + engine->network.options.router_cycles;
    packet->next = NET_NONE;
    engine->buffer[index].feeder = feeder;
    if (packet->tree) {
        packet->references++;
    } else {
        packet->header = routing->kind->step(routing, net_shared_channel_of(engine, feeder), packet->header,
                                             net_shared_slot_of(engine, index));
        packet->hops++;
        net_shared_choose(engine, packet, net_shared_channel_of(engine, index));
    }
    if (!engine->early_free || enqueue(engine, index, packet_index))
        become_head(engine, index, packet_index, 1);
}

/* ---- a tail leaves ---- */

/* With early free the next packet is the head, else the buffer is free where it is fed (rule 7). */
static void leave_buffer(struct net_shared_engine *engine, uint32_t index)
{
    if (!engine->early_free) {
        uint32_t channel = net_shared_channel_of(engine, engine->buffer[index].feeder),
                 slot = net_shared_slot_of(engine, index);
        uint32_t place = net_shared_buffer_at(engine, channel, slot, net_shared_number_of(engine, index));
        net_shared_masks_of(engine, place)->free |= net_shared_bit(engine, place);
        net_shared_wake(engine, channel, slot);
        return;
    }
    const struct net_shared_queue *queue = &engine->queue[index];
    if (queue->next != NET_NONE)
        become_head(engine, index, queue->next,
                    queue->last == queue->next ? queue->arrived : engine->packets[queue->next].length);
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
    buffer->held = buffer->left = engine->packets[buffer->packet].length;
    if (net_shared_slot_of(engine, index) >= engine->ports)
        engine->points[engine->messages[engine->packets[buffer->packet].message].point].injected +=
            buffer->left;
    net_shared_request(engine, index);
    return true;
}

/* An injector has its next packet at once. A packet that is not a tree's is given up where it is ejected. */
void net_shared_finish(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    uint32_t packet = buffer->packet;
    bool ejects = (buffer->target & NET_SHARED_EJECTS) != 0, tree = engine->packets[packet].tree;
    if (tree && sends_again(engine, index))
        return;
    buffer->packet = buffer->target = NET_NONE;
    buffer->held = buffer->left = 0;
    net_shared_masks_of(engine, index)->holds &= ~net_shared_bit(engine, index);
    if (net_shared_slot_of(engine, index) >= engine->ports)
        net_shared_make_head(engine, index, engine->network.now + 1);
    else
        leave_buffer(engine, index);
    if (tree || ejects)
        net_shared_release(engine, packet);
}
