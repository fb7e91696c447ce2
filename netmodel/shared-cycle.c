/* The cycle of shared channels: the hot loop. See shared-internal.h for the idea, doc/shared-channels.md for
 * the rules.
 *
 *     settle    messages join their injectors, headers have passed the router       rules 1, 2
 *     pick      every channel with requests: a winner, a buffer for its header      rules 3 to 6, 11
 *     move      every winner's flit to its receiver, or to all of them              rules 1, 7
 *
 * `move` turns what has changed into requests of the next cycle. It may run in any order of flits, since a
 * request is worked out from the counts whenever one of them changes: the last to look sees all. */
#include <stdlib.h>

#include "base/random.h"
#include "netmodel/shared-internal.h"

#define NEVER UINT64_MAX

/* ---- masks ---- */

/* The first bit at or cyclically after position; mask is not 0. */
static inline uint32_t first_from(uint32_t mask, uint32_t position)
{
    uint32_t upper = mask >> position << position;
    return (uint32_t)__builtin_ctz(upper != 0 ? upper : mask);
}

static inline uint32_t nth_bit(uint64_t mask, uint32_t number)
{
    while (number-- > 0)
        mask &= mask - 1;
    return (uint32_t)__builtin_ctzll(mask);
}

/* The buffer asks no more. A channel that nobody asks for is not visited. */
static inline void withdraw(struct net_shared_engine *engine, uint32_t buffer)
{
    uint32_t index = net_shared_channel_of(engine, buffer), slot = net_shared_slot_of(engine, buffer);
    struct net_shared_channel *channel = net_shared_channel_at(engine, index);
    channel->slots[slot].ready &= (uint16_t) ~(1u << net_shared_number_of(engine, buffer));
    if (channel->slots[slot].ready != 0)
        return;
    channel->requests &= ~(UINT32_C(1) << slot);
    if (channel->requests == 0)
        engine->active[index / 64] &= ~(UINT64_C(1) << index % 64);
}

/* ---- what a header may take (rules 3, 5 and 6) ---- */

static inline uint32_t flits_in(const struct net_shared_engine *engine, uint32_t buffer)
{
    if (engine->early_free)
        return engine->queue[buffer].flits;
    return (uint32_t)(engine->buffer[buffer].arrived - engine->buffer[buffer].sent);
}

/* Of the free buffers those with room for the header, or the whole packet: with early free, flits of earlier
 * packets may be in them. */
static uint32_t with_room(const struct net_shared_engine *engine, const struct net_shared_slot *slot,
                          uint32_t length)
{
    uint32_t need = engine->network.options.flow_control == NET_CUT_THROUGH ? length : 1, found = 0;
    for (uint32_t bits = slot->free; bits != 0; bits &= bits - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(bits);
        if (flits_in(engine, slot->first + number) + need <= engine->capacity)
            found |= 1u << number;
    }
    return found;
}

/* What a header that is at its channel may take. */
struct choice {
    struct net_route route;
    uint32_t tiers;
    uint64_t ports; /* of all tiers */
};

/* Buffers of a way that are free and of the header's classes. */
static inline uint32_t available(const struct net_shared_engine *engine, const struct net_shared_slot *slot,
                                 const struct choice *choice, uint32_t port, uint32_t length)
{
    uint32_t classes = 0;
    for (uint32_t tier = 0; tier < choice->tiers; tier++)
        if ((choice->route.ports[tier] >> port & 1) != 0)
            classes |= choice->route.virtual_channels[tier];
    return classes & (engine->early_free ? with_room(engine, slot, length) : slot->free);
}

/* The way that the selection function takes among those with a buffer, or NET_NONE. */
static uint32_t select_way(const struct net_shared_engine *engine, const struct net_shared_channel *channel,
                           const struct choice *choice, const struct net_shared_packet *packet)
{
    uint64_t open = 0;
    uint32_t best = NET_NONE, most = 0;
    for (uint64_t ports = choice->ports; ports != 0; ports &= ports - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(ports);
        uint32_t count = (uint32_t)__builtin_popcount(
            available(engine, &channel->slots[port], choice, port, packet->length));
        if (count > most) {
            most = count;
            best = port;
        }
        open |= (uint64_t)(count != 0) << port;
    }
    if (open == 0 || engine->network.options.selection == NET_MOST_FREE)
        return best;
    if (engine->network.options.selection == NET_FIRST_WAY)
        return (uint32_t)__builtin_ctzll(open);
    uint64_t draw = base_hash(packet->key, engine->network.now);
    return nth_bit(open, base_scale(draw, (uint32_t)__builtin_popcountll(open)));
}

/* The last tier first, which fewest others can use, then the lowest buffer. */
static uint32_t first_buffer(const struct choice *choice, uint32_t way, uint32_t mask)
{
    for (uint32_t tier = choice->tiers; tier-- > 0;)
        if ((choice->route.ports[tier] >> way & 1) != 0 && (choice->route.virtual_channels[tier] & mask) != 0)
            return (uint32_t)__builtin_ctz(choice->route.virtual_channels[tier] & mask);
    return 0;
}

/* ---- the first pass: who drives the channel ---- */

enum answer { SLEEPS, REFUSED, MOVES };

/* A device on a channel that asks for it. */
struct asking {
    struct net_shared_channel *channel;
    uint32_t index, slot, number, buffer;
};

/* Without availability flags the header has driven the channel in vain; with them it has not asked. */
static enum answer refuse(struct net_shared_engine *engine, const struct asking *asking, uint64_t receivers)
{
    if (!engine->asks_for_buffers)
        return REFUSED;
    withdraw(engine, asking->buffer);
    asking->channel->slots[asking->slot].sleeping |= (uint16_t)(1u << asking->number);
    for (; receivers != 0; receivers &= receivers - 1)
        asking->channel->slots[__builtin_ctzll(receivers)].waiting |= UINT32_C(1) << asking->slot;
    return SLEEPS;
}

/* At its last channel: an ejection buffer of its terminal. */
static enum answer ask_ejection(struct net_shared_engine *engine, const struct asking *asking,
                                uint32_t receiver)
{
    struct net_shared_slot *slot = &asking->channel->slots[receiver];
    if (slot->free == 0)
        return refuse(engine, asking, UINT64_C(1) << receiver);
    uint32_t number = (uint32_t)__builtin_ctz(slot->free);
    slot->free &= (uint16_t)(slot->free - 1);
    engine->buffer[asking->buffer].target = NET_SHARED_EJECTS | receiver << 4 | number;
    return MOVES;
}

/* Only this channel takes buffers of its receivers, so that what is taken here nobody else takes in this
 * cycle. */
static enum answer ask_way(struct net_shared_engine *engine, const struct asking *asking)
{
    struct net_shared_buffer *buffer = &engine->buffer[asking->buffer];
    const struct net_shared_packet *packet = &engine->packets[buffer->packet];
    const struct net_routing *routing = engine->network.routing;
    struct choice choice;
    choice.tiers = routing->kind->route(routing, asking->index, packet->header, &choice.route);
    if (choice.tiers == 0)
        return ask_ejection(engine, asking, packet->slot);
    choice.ports = 0;
    for (uint32_t tier = 0; tier < choice.tiers; tier++)
        choice.ports |= choice.route.ports[tier];
    uint32_t way = select_way(engine, asking->channel, &choice, packet);
    if (way == NET_NONE)
        return refuse(engine, asking, choice.ports);
    struct net_shared_slot *slot = &asking->channel->slots[way];
    uint32_t number = first_buffer(&choice, way, available(engine, slot, &choice, way, packet->length));
    slot->free &= (uint16_t) ~(1u << number);
    buffer->target = slot->first + number;
    return MOVES;
}

/* Rule 11: in the order of the receivers as long as there are buffers; the plain tree takes what it finds. */
static uint32_t reserve(struct net_shared_channel *channel, struct net_shared_cast *cast, bool in_order)
{
    uint32_t taken = 0;
    for (uint32_t bits = cast->pending & ~cast->reserved; bits != 0; bits &= bits - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(bits);
        struct net_shared_slot *slot = &channel->slots[receiver];
        if (slot->free == 0 && in_order)
            break;
        if (slot->free == 0)
            continue;
        cast->buffer[receiver] = (uint8_t)__builtin_ctz(slot->free);
        slot->free &= (uint16_t)(slot->free - 1);
        cast->reserved |= UINT32_C(1) << receiver;
        taken++;
    }
    return taken;
}

/* A header that has got something, but not all, has used the channel all the same: that is how the units at
 * the receivers hear of it. */
static enum answer ask_tree(struct net_shared_engine *engine, const struct asking *asking)
{
    struct net_shared_cast *cast = &engine->casts[engine->buffer[asking->buffer].target & ~NET_SHARED_CASTS];
    enum net_spreading spreading = engine->network.options.spreading;
    uint32_t taken = reserve(asking->channel, cast, spreading != NET_MST_PLAIN);
    uint32_t missing = cast->pending & ~cast->reserved;
    if (missing == 0 || (spreading == NET_MST_REPLICA && cast->reserved != 0))
        return MOVES;
    if (taken != 0) {
        engine->vain_cycles = 0;
        return REFUSED;
    }
    return refuse(engine, asking, spreading == NET_MST_PLAIN ? missing : missing & -missing);
}

/* Without full flags a flit may find its buffer full. With them its request means that there is a place. */
static enum answer ask_place(const struct net_shared_engine *engine, const struct net_shared_buffer *buffer)
{
    if (engine->asks_for_places || !engine->room || buffer->target >= NET_SHARED_CASTS ||
        flits_in(engine, buffer->target) < engine->capacity)
        return MOVES;
    return REFUSED;
}

static inline enum answer ask(struct net_shared_engine *engine, const struct asking *asking)
{
    const struct net_shared_buffer *buffer = &engine->buffer[asking->buffer];
    if (buffer->sent != 0)
        return ask_place(engine, buffer);
    return buffer->target == NET_NONE ? ask_way(engine, asking) : ask_tree(engine, asking);
}

/* Rule 4. Turns move with every winner, also one that is refused: else it would come again and again. */
static inline void pick(struct net_shared_engine *engine, uint32_t index)
{
    struct asking asking = {.channel = net_shared_channel_at(engine, index), .index = index};
    struct net_shared_channel *channel = asking.channel;
    while (channel->requests != 0) {
        asking.slot = first_from(channel->requests, channel->turn);
        struct net_shared_slot *slot = &channel->slots[asking.slot];
        asking.number = first_from(slot->ready, slot->turn);
        asking.buffer = net_shared_buffer_at(engine, index, asking.slot, asking.number);
        enum answer answer = ask(engine, &asking);
        if (answer == SLEEPS)
            continue;
        slot->turn = (uint8_t)(asking.number + 1 == engine->widest ? 0 : asking.number + 1);
        channel->turn = asking.slot + 1 == engine->drivers ? 0 : asking.slot + 1;
        if (answer == MOVES)
            engine->moves[engine->move_count++] = asking.buffer;
        return;
    }
}

/* ---- the second pass: a flit moves ---- */

/* A receiver has a buffer, or a place in one, that it had not: whoever waits for it asks again. */
static inline void wake(struct net_shared_engine *engine, uint32_t index, uint32_t receiver)
{
    struct net_shared_channel *channel = net_shared_channel_at(engine, index);
    uint32_t waiting = channel->slots[receiver].waiting;
    if (waiting == 0)
        return;
    channel->slots[receiver].waiting = 0;
    channel->requests |= waiting;
    for (; waiting != 0; waiting &= waiting - 1) {
        uint32_t driver = (uint32_t)__builtin_ctz(waiting);
        struct net_shared_slot *slot = &channel->slots[driver];
        slot->ready |= slot->sleeping;
        slot->sleeping = 0;
        if (slot->ready == 0)
            channel->requests &= ~(UINT32_C(1) << driver);
    }
    if (channel->requests != 0)
        engine->active[index / 64] |= UINT64_C(1) << index % 64;
}

/* Rule 7: at the channel before, this buffer may be allocated. */
static inline void set_free(struct net_shared_engine *engine, uint32_t feeder, uint32_t receiver,
                            uint32_t number)
{
    uint32_t index = net_shared_channel_of(engine, feeder);
    net_shared_channel_at(engine, index)->slots[receiver].free |= (uint16_t)(1u << number);
    wake(engine, index, receiver);
}

/* Whether there is a place for the buffer's next flit, as far as it is asked for. */
static inline bool has_place(const struct net_shared_engine *engine, const struct net_shared_buffer *buffer)
{
    return !engine->room || !engine->asks_for_places || buffer->target >= NET_SHARED_CASTS ||
           flits_in(engine, buffer->target) < engine->capacity;
}

/* A flit behind the header, or a place for it, has come. */
static inline void refresh(struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    if (buffer->sent != 0 && buffer->arrived > buffer->sent && has_place(engine, buffer))
        net_shared_request(engine, index);
}

/* A header is at the head of a buffer: it may request as soon as it has passed the router (rule 1). */
static void admit(struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    uint64_t ready = engine->packets[buffer->packet].ready;
    if (ready <= engine->network.now + 1) {
        engine->packets[buffer->packet].ready = engine->network.now + 1;
        net_shared_request(engine, index);
    } else if (base_heap_push(&engine->future, ready, (uint64_t)index << 1 | 1) != 0)
        engine->out_of_memory = true;
}

/* The packet becomes the head of an empty buffer with the flits that are there. */
static void become_head(struct net_shared_engine *engine, uint32_t index, uint32_t packet, uint32_t arrived)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    buffer->packet = packet;
    buffer->length = engine->packets[packet].length;
    buffer->arrived = (uint16_t)arrived;
    buffer->sent = 0;
    buffer->target = NET_NONE;
    if (engine->packets[packet].tree && net_shared_make_cast(engine, index) < 0)
        return;
    admit(engine, index);
}

/* A header comes into a buffer. The packet is one for all buffers that hold any of its flits, in a tree also
 * for those of several ways, and counts them. */
static void arrive_header(struct net_shared_engine *engine, uint32_t index, uint32_t packet_index,
                          uint32_t feeder)
{
    struct net_shared_packet *packet = &engine->packets[packet_index];
    const struct net_routing *routing = engine->network.routing;
    packet->ready = engine->network.now + engine->network.options.router_cycles;
    packet->references++;
    if (!packet->tree) {
        packet->header = routing->kind->step(routing, net_shared_channel_of(engine, feeder), packet->header,
                                             net_shared_slot_of(engine, index));
        packet->hops++;
    }
    packet->next = NET_NONE;
    engine->buffer[index].feeder = feeder;
    if (!engine->early_free) {
        become_head(engine, index, packet_index, 1);
        return;
    }
    struct net_shared_queue *queue = &engine->queue[index];
    if (engine->buffer[index].packet == NET_NONE)
        become_head(engine, index, packet_index, 1);
    else if (engine->buffer[index].packet == queue->last && engine->buffer[index].sent != 0)
        queue->next = packet_index;
    else
        engine->packets[queue->last].next = packet_index;
    queue->last = packet_index;
    queue->arrived = 1;
}

/* A flit behind the header comes into a buffer. */
static inline void arrive_next(struct net_shared_engine *engine, uint32_t index, uint32_t packet)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    if (engine->early_free)
        engine->queue[index].arrived++;
    if (buffer->packet != packet)
        return;
    buffer->arrived++;
    if (buffer->arrived == buffer->sent + 1)
        refresh(engine, index);
}

static inline void arrive(struct net_shared_engine *engine, uint32_t index, uint32_t packet, uint32_t feeder,
                          bool first, bool last)
{
    if (engine->early_free)
        engine->queue[index].flits++;
    if (first)
        arrive_header(engine, index, packet, feeder);
    else
        arrive_next(engine, index, packet);
    if (!last)
        return;
    uint32_t link = engine->network.topology->link_at[net_shared_channel_of(engine, feeder) * engine->ports +
                                                      net_shared_slot_of(engine, index)];
    engine->link_flits[link] += engine->packets[packet].length;
    if (engine->early_free)
        set_free(engine, feeder, net_shared_slot_of(engine, index), net_shared_number_of(engine, index));
}

/* A flit crosses to an ejection buffer, where it is gone at once. */
static inline void eject(struct net_shared_engine *engine, uint32_t feeder, uint32_t receiver,
                         uint32_t number, uint32_t packet, bool last)
{
    uint32_t index = net_shared_channel_of(engine, feeder);
    uint32_t point = engine->point_at[index << engine->slot_bits | receiver];
    engine->points[point].ejected++;
    if (!last)
        return;
    net_shared_channel_at(engine, index)->slots[receiver].free |= (uint16_t)(1u << number);
    wake(engine, index, receiver);
    net_shared_deliver(engine, packet, point);
}

/* To all receivers of this turn at once. Their tails come with the sender's. A copy of the cast is used,
 * since the pool of casts may move. */
static void move_tree(struct net_shared_engine *engine, uint32_t index, bool first, bool last)
{
    uint32_t packet = engine->buffer[index].packet;
    const struct net_shared_cast cast = engine->casts[engine->buffer[index].target & ~NET_SHARED_CASTS];
    const struct net_shared_channel *channel =
        net_shared_channel_at(engine, net_shared_channel_of(engine, index));
    for (uint32_t bits = cast.reserved; bits != 0; bits &= bits - 1) {
        uint32_t receiver = (uint32_t)__builtin_ctz(bits);
        if (channel->slots[receiver].first != NET_NONE)
            arrive(engine, channel->slots[receiver].first + cast.buffer[receiver], packet, index, first,
                   last);
        else
            eject(engine, index, receiver, cast.buffer[receiver], packet, last);
    }
}

/* The tail has left: with early free the next packet is the head, else the buffer is empty and free. */
static void leave_buffer(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    uint32_t slot = net_shared_slot_of(engine, index), number = net_shared_number_of(engine, index);
    buffer->packet = NET_NONE;
    buffer->arrived = buffer->sent = 0;
    withdraw(engine, index);
    if (!engine->early_free) {
        set_free(engine, buffer->feeder, slot, number);
        return;
    }
    const struct net_shared_queue *queue = &engine->queue[index];
    if (queue->next != NET_NONE)
        become_head(engine, index, queue->next,
                    queue->last == queue->next ? queue->arrived : engine->packets[queue->next].length);
}

/* Whether the flits have been or are being sent to all that they are for. */
static bool reaches_all(const struct net_shared_engine *engine, const struct net_shared_buffer *buffer)
{
    if ((buffer->target & (NET_SHARED_CASTS | NET_SHARED_EJECTS)) != NET_SHARED_CASTS)
        return true;
    const struct net_shared_cast *cast = &engine->casts[buffer->target & ~NET_SHARED_CASTS];
    return cast->pending == cast->reserved;
}

/* The replica: the same flits, to the receivers that are left. */
static bool sends_again(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    if ((buffer->target & (NET_SHARED_CASTS | NET_SHARED_EJECTS)) != NET_SHARED_CASTS)
        return false;
    uint32_t place = buffer->target & ~NET_SHARED_CASTS;
    struct net_shared_cast *cast = &engine->casts[place];
    cast->pending &= ~cast->reserved;
    cast->reserved = 0;
    if (cast->pending != 0) {
        buffer->sent = 0;
        net_shared_request(engine, index);
        return true;
    }
    net_shared_free_cast(engine, place);
    return false;
}

/* After a packet's last flit. An injector has its next packet at once. */
static void finish(struct net_shared_engine *engine, uint32_t index)
{
    if (sends_again(engine, index))
        return;
    uint32_t packet = engine->buffer[index].packet;
    if (net_shared_slot_of(engine, index) >= engine->ports) {
        engine->buffer[index].packet = NET_NONE;
        engine->buffer[index].arrived = engine->buffer[index].sent = 0;
        withdraw(engine, index);
        net_shared_make_head(engine, index, engine->network.now + 1);
    } else {
        leave_buffer(engine, index);
    }
    net_shared_release(engine, packet);
}

/* A place is free in the buffer: whoever feeds it may go on, or with early free, begin. If there was a place
 * before, whoever feeds it knows, or it is moving in this very cycle and will see. */
static inline void give_place(struct net_shared_engine *engine, uint32_t index)
{
    uint32_t feeder = engine->buffer[index].feeder;
    if (engine->early_free)
        wake(engine, net_shared_channel_of(engine, feeder), net_shared_slot_of(engine, index));
    if (flits_in(engine, index) + 1 == engine->capacity && engine->buffer[feeder].target == index)
        refresh(engine, feeder);
}

/* With early free: one flit less, and a header takes its place in the next buffer's queue. */
static void leave_queue(struct net_shared_engine *engine, uint32_t index, bool first)
{
    struct net_shared_queue *queue = &engine->queue[index];
    queue->flits--;
    if (first)
        queue->next = engine->packets[engine->buffer[index].packet].next;
}

static inline void count_injected(struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_packet *packet = &engine->packets[engine->buffer[index].packet];
    engine->points[engine->messages[packet->message].point].injected++;
}

/* Moves one flit of the buffer. That the message is sent is told before it is delivered, since nothing is
 * known of it afterwards. */
static inline void move(struct net_shared_engine *engine, uint32_t index)
{
    struct net_shared_buffer *buffer = &engine->buffer[index];
    uint32_t packet = buffer->packet, target = buffer->target;
    bool first = buffer->sent++ == 0, last = buffer->sent == buffer->length;
    bool injects = net_shared_slot_of(engine, index) >= engine->ports;
    if (first)
        net_shared_count_header(engine, index);
    net_shared_channel_at(engine, net_shared_channel_of(engine, index))->flits++;
    if (engine->early_free && !injects)
        leave_queue(engine, index, first);
    if (injects)
        count_injected(engine, index);
    if (injects && last && reaches_all(engine, buffer))
        net_shared_left_source(engine, &engine->packets[packet]);
    if ((target & NET_SHARED_EJECTS) != 0)
        eject(engine, index, target >> 4 & (NET_SHARED_SLOTS_MAX - 1), target & 15, packet, last);
    else if ((target & NET_SHARED_CASTS) != 0)
        move_tree(engine, index, first, last);
    else
        arrive(engine, target, packet, index, first, last);
    if (last)
        finish(engine, index);
    else if (buffer->arrived == buffer->sent || !has_place(engine, buffer))
        withdraw(engine, index);
    if (engine->room && !injects)
        give_place(engine, index);
}

/* ---- time ---- */

/* A header of this cycle asks. With early free it may still be behind another, which is no concern of this
 * event; a tree's header is in several buffers, and what its packet knows is when the last of them may ask.
 */
static void admit_due(struct net_shared_engine *engine, uint32_t index)
{
    const struct net_shared_buffer *buffer = &engine->buffer[index];
    if (buffer->packet == NET_NONE || buffer->sent != 0)
        return;
    const struct net_shared_packet *packet = &engine->packets[buffer->packet];
    if (packet->tree || packet->ready <= engine->network.now)
        net_shared_request(engine, index);
}

/* Headers of this cycle ask, messages of this cycle are collected. */
static void take_due(struct net_shared_engine *engine)
{
    const struct base_event *first;
    while ((first = base_heap_first(&engine->future)) != NULL && first->time <= engine->network.now) {
        struct base_event event;
        base_heap_pop(&engine->future, &event);
        if ((event.payload & 1) == 0)
            engine->joining[engine->joining_count++] = event;
        else
            admit_due(engine, (uint32_t)(event.payload >> 1));
    }
}

/* Rule 2: by message number; the parts of one multicast in the order in which they were made. There are few
 * in a cycle. */
static void sort_joining(struct net_shared_engine *engine)
{
    for (size_t i = 1; i < engine->joining_count; i++) {
        struct base_event event = engine->joining[i];
        uint64_t number = engine->messages[event.payload >> 1].number;
        size_t at = i;
        for (; at > 0; at--) {
            const struct base_event *before = &engine->joining[at - 1];
            uint64_t other = engine->messages[before->payload >> 1].number;
            if (other < number || (other == number && before->sequence < event.sequence))
                break;
            engine->joining[at] = *before;
        }
        engine->joining[at] = event;
    }
}

static void settle(struct net_shared_engine *engine)
{
    const struct base_event *first = base_heap_first(&engine->future);
    if (first == NULL || first->time > engine->network.now)
        return;
    engine->joining_count = 0;
    if (engine->joining_capacity < engine->future.count) {
        size_t capacity = 2 * engine->future.count;
        struct base_event *joining = realloc(engine->joining, capacity * sizeof *joining);
        if (joining == NULL) {
            engine->out_of_memory = true;
            return;
        }
        engine->joining = joining;
        engine->joining_capacity = capacity;
    }
    take_due(engine);
    sort_joining(engine);
    for (size_t i = 0; i < engine->joining_count; i++)
        net_shared_join(engine, (uint32_t)(engine->joining[i].payload >> 1));
}

/* Returns whether any channel had a request. */
static bool pick_all(struct net_shared_engine *engine)
{
    bool any = false;
    engine->move_count = 0;
    for (uint32_t word = 0; word <= (engine->channels - 1) / 64; word++)
        for (uint64_t bits = engine->active[word]; bits != 0; bits &= bits - 1) {
            uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(bits);
            pick(engine, index);
            any = any || net_shared_channel_at(engine, index)->requests != 0;
        }
    return any;
}

static void run_cycle(struct net_shared_engine *engine, bool *any)
{
    settle(engine);
    *any = pick_all(engine);
    engine->network.statistics.executed_cycles += *any || engine->move_count != 0;
    for (uint32_t i = 0; i < engine->move_count; i++)
        move(engine, engine->moves[i]);
}

/* Whether a channel has a request; else the next event is the heap's. */
static bool is_active(const struct net_shared_engine *engine)
{
    for (uint32_t word = 0; word <= (engine->channels - 1) / 64; word++)
        if (engine->active[word] != 0)
            return true;
    return false;
}

/* The cycle to be executed next. */
static uint64_t next_cycle(const struct net_shared_engine *engine)
{
    if (is_active(engine))
        return engine->network.now;
    const struct base_event *first = base_heap_first(&engine->future);
    if (first == NULL)
        return NEVER;
    return first->time > engine->network.now ? first->time : engine->network.now;
}

/* Without status flags headers and flits may ask for ever in vain. Every request of a channel has had its
 * turn after so many cycles, and nothing has moved in them: nothing ever will. */
static bool stands_still(struct net_shared_engine *engine, bool any)
{
    if (!any || engine->move_count != 0 || base_heap_first(&engine->future) != NULL)
        engine->vain_cycles = 0;
    else
        engine->vain_cycles++;
    return engine->vain_cycles > (uint64_t)engine->drivers * engine->widest + 1;
}

int net_shared_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_shared_engine *engine = (struct net_shared_engine *)network;
    for (;;) {
        if (engine->out_of_memory)
            return base_error_memory(error, "the network's packets");
        if (network->notice_count != 0)
            return 1;
        uint64_t next = next_cycle(engine);
        if (network->now < limit && next == NEVER && net_network_pending(network) != 0)
            return net_shared_report(engine, error);
        if (next >= limit) {
            if (limit != NEVER)
                network->now = limit;
            return 0;
        }
        bool any;
        network->now = next;
        if (next >= engine->watch_cycle && net_shared_watch(engine, error) < 0)
            return -1;
        run_cycle(engine, &any);
        network->now++;
        if (stands_still(engine, any) && net_network_pending(network) != 0)
            return net_shared_report(engine, error);
    }
}
