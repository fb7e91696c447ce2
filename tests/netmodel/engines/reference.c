/* See reference.h. The state of a cycle's start is read by the requests of all routers, before any grant is
 * made; flits that cross a link wait on its wire until a later cycle. So no order of visiting
 * matters, by construction. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/netmodel/engines/reference-internal.h"

/* ---- the FIFOs ---- */

void reference_push(struct fifo *fifo, struct flit flit)
{
    if (fifo->first + fifo->count == fifo->allocated) {
        fifo->allocated = 2 * fifo->allocated + 16;
        fifo->flits = realloc(fifo->flits, fifo->allocated * sizeof *fifo->flits);
        if (!fifo->flits)
            abort();
    }
    fifo->flits[fifo->first + fifo->count++] = flit;
}

static struct flit pop(struct fifo *fifo)
{
    struct flit flit = fifo->flits[fifo->first++];
    if (--fifo->count == 0)
        fifo->first = 0;
    return flit;
}

/* The first flit, if its time has come; or NULL. */
static const struct flit *due(const struct fifo *fifo, uint64_t cycle)
{
    const struct flit *first = fifo->flits + fifo->first;
    return fifo->count != 0 && first->available <= cycle ? first : NULL;
}

/* ---- rule 2: generation ---- */

/* Rule 7: the header it starts with. */
static uint64_t first_header(const struct reference *reference, const struct reference_packet *packet)
{
    const struct net_routing *routing = reference->routing;
    uint32_t from = packet->source / reference->topology->concentration;
    uint32_t to = packet->target / reference->topology->concentration;
    uint32_t variants = routing->kind->variants(routing, from, to);
    uint32_t variant = routing->kind->variant != NULL
                           ? routing->kind->variant(routing, packet->source, packet->target)
                           : base_scale(base_hash(packet->key, UINT64_MAX), variants);
    return routing->kind->start(routing, from, to, variant);
}

static size_t new_packet(struct reference *reference, size_t message, uint64_t index, uint32_t flits)
{
    size_t number = reference->result->packet_count++;
    struct reference_packet *packet = &reference->result->packets[number];
    packet->message = message;
    packet->index = index;
    packet->key = base_hash(base_hash(reference->seed, message), index);
    packet->source = reference->messages[message].source;
    packet->target = reference->messages[message].target;
    packet->flits = flits;
    packet->delivered = REFERENCE_NEVER;
    packet->multicast = reference->trees[message] != NULL;
    reference->packets_inside += copies_of(reference, message);
    if (!packet->multicast)
        packet->header = first_header(reference, packet);
    return number;
}

/* Cuts a message into packets and queues their flits in the injector whose turn it is. */
static void generate(struct reference *reference, size_t message)
{
    const struct reference_message *given = &reference->messages[message];
    const struct net_topology *topology = reference->topology;
    uint32_t slot = given->source % topology->concentration;
    uint32_t injector = (uint32_t)(reference->injected[given->source]++ % reference->injectors);
    struct driver *driver =
        driver_at(reference, given->source / topology->concentration,
                  topology->ports * reference->virtual_channels + slot * reference->injectors + injector);
    uint64_t index = 0;
    for (uint64_t left = given->flits; left > 0; index++) {
        uint32_t flits = left < reference->largest ? (uint32_t)left : reference->largest;
        size_t packet = new_packet(reference, message, index, flits);
        for (uint32_t number = 0; number < flits; number++)
            reference_push(&driver->queue, (struct flit){packet, number, reference->cycle});
        left -= flits;
    }
    reference->waiting[message] = index * copies_of(reference, message);
}

/* The cycle in which the next message joins its injector, or REFERENCE_NEVER. */
static uint64_t next_generation(const struct reference *reference)
{
    if (reference->order_next == reference->message_count)
        return REFERENCE_NEVER;
    return reference->messages[reference->order[reference->order_next]].cycle + reference->router_cycles - 1;
}

static void generate_due(struct reference *reference)
{
    while (next_generation(reference) == reference->cycle)
        generate(reference, reference->order[reference->order_next++]);
}

/* ---- rule 6: room ---- */

int64_t reference_room(const struct reference *reference, const struct driver *buffer)
{
    int64_t room = reference->capacity;
    for (uint32_t i = 0; i < buffer->reservation_count; i++)
        room += (int64_t)buffer->reservations[i].sent - (int64_t)buffer->reservations[i].reserved;
    return room;
}

bool reference_bubble(const struct reference *reference, uint32_t output)
{
    return net_topology_in_ring(reference->topology, output / reference->virtual_channels) &&
           (reference->routing->bubble_channels >> output % reference->virtual_channels & 1) != 0;
}

static uint32_t flits_needed(const struct reference *reference, uint32_t driver, uint32_t output,
                             uint32_t flits)
{
    uint32_t own = reference->unpadded ? flits : reference->largest;
    if (!reference_bubble(reference, output))
        return flits;
    return driver == output ? own : own + reference->largest;
}

static uint32_t flits_reserved(const struct reference *reference, uint32_t output, uint32_t flits)
{
    return reference_bubble(reference, output) && !reference->unpadded ? reference->largest : flits;
}

/* ---- rule 3: selection ---- */

static bool available(struct reference *reference, uint32_t router, uint32_t driver, uint32_t output,
                      uint32_t flits)
{
    if (output_at(reference, router, output)->holder != NET_NONE)
        return false;
    if (is_ejection(reference, output))
        return true;
    const struct driver *buffer = next_buffer(reference, router, output);
    if (reference->wormhole)
        return buffer && buffer->reservation_count == 0;
    return buffer && reference_room(reference, buffer) >= flits_needed(reference, driver, output, flits);
}

/* Is this output in the tier? tiers == 0: the packet is at its router, and its terminal's ejection channels
 * are the tier. */
static bool admissible(const struct reference *reference, const struct reference_packet *packet,
                       const struct net_route *route, uint32_t tiers, uint32_t tier, uint32_t output)
{
    uint32_t network_outputs = reference->topology->ports * reference->virtual_channels;
    if (tiers == 0) {
        uint32_t slot = packet->target % reference->topology->concentration;
        return output >= network_outputs && (output - network_outputs) / reference->consumers == slot;
    }
    uint32_t port = output / reference->virtual_channels;
    uint64_t ports = output >= network_outputs ? 0
                     : port < 64               ? route->ports[tier]
                                               : route->more[tier][port / 64 - 1];
    return output < network_outputs && (ports >> port % 64 & 1) != 0 &&
           (route->virtual_channels[tier] >> (output % reference->virtual_channels) & 1) != 0;
}

/* Rule 13: of outputs of links. */
static const struct reference *shown(const struct net_view *view)
{
    return view->context;
}

static uint32_t see_room(const struct net_view *view, uint32_t port, uint32_t virtual_channel)
{
    struct reference *reference = (struct reference *)(uintptr_t)shown(view);
    const struct driver *buffer =
        next_buffer(reference, view->router, port * reference->virtual_channels + virtual_channel);
    return buffer == NULL ? 0 : (uint32_t)reference_room(reference, buffer);
}

static bool see_free(const struct net_view *view, uint32_t port, uint32_t virtual_channel)
{
    struct reference *reference = (struct reference *)(uintptr_t)shown(view);
    uint32_t output = port * reference->virtual_channels + virtual_channel;
    const struct driver *buffer = next_buffer(reference, view->router, output);
    return buffer != NULL && output_at(reference, view->router, output)->holder == NET_NONE &&
           (!reference->wormhole || buffer->reservation_count == 0);
}

/* Rule 14: capacity less the room of some virtual channels of a link. */
static uint32_t see_flits(const struct net_occupancy *occupancy, uint32_t port, uint32_t channels)
{
    struct reference *reference = (struct reference *)(uintptr_t)(const void *)occupancy->context;
    int64_t flits = 0;
    for (uint32_t v = 0; v < reference->virtual_channels; v++) {
        const struct driver *buffer =
            next_buffer(reference, occupancy->router, port * reference->virtual_channels + v);
        assert(buffer != NULL && channels >> reference->virtual_channels == 0);
        flits += (channels >> v & 1) != 0 ? reference->capacity - reference_room(reference, buffer) : 0;
    }
    return (uint32_t)flits;
}

/* Rule 14: the head of an injector has asked, in a cycle before or as one of a lower number, and has no grant. Packets
 * of multicasts choose nothing. */
static uint32_t see_waiting(const struct net_occupancy *occupancy, uint32_t injector, uint64_t *header)
{
    struct reference *reference = (struct reference *)(uintptr_t)(const void *)occupancy->context;
    uint32_t network = reference->topology->ports * reference->virtual_channels;
    const struct driver *driver = driver_at(reference, occupancy->router, network + injector);
    const struct flit *head = due(&driver->queue, reference->cycle);
    if (head == NULL || driver->grants != 0 || !driver->asked ||
        reference->result->packets[head->packet].multicast)
        return 0;
    *header = reference->result->packets[head->packet].header;
    return reference->result->packets[head->packet].flits;
}

/* Rule 14: a packet in an injector asks for the first time. */
static void choose_way(const struct reference *reference, uint32_t router, uint32_t driver,
                       struct reference_packet *packet)
{
    const struct net_routing *routing = reference->routing;
    const struct net_occupancy occupancy = {
        reference, router, reference->topology->concentration * reference->injectors, see_flits, see_waiting};
    if (routing->kind->choose != NULL && driver >= reference->topology->ports * reference->virtual_channels)
        packet->header = routing->kind->choose(routing, packet->header, &occupancy);
}

static uint32_t select_output(struct reference *reference, uint32_t router, uint32_t driver,
                              const struct reference_packet *packet)
{
    if (reference->faults != NULL)
        return reference_faults_select(reference, router, driver,
                                       (size_t)(packet - reference->result->packets));
    struct net_route route = {.ports = {0}};
    uint32_t tiers = reference->routing->kind->route(reference->routing, router, packet->header, &route);
    const struct net_view view = {reference,     router,   (uint32_t)reference->capacity,
                                  packet->flits, see_room, see_free};
    if (tiers > 0 && reference->routing->kind->look != NULL)
        tiers = reference->routing->kind->look(reference->routing, packet->header, &view, &route, tiers);
    for (uint32_t tier = 0; tier < (tiers ? tiers : 1); tier++) {
        uint32_t candidates[REFERENCE_WIDTH];
        uint32_t count = 0;
        for (uint32_t output = 0; output < reference->outputs_each; output++)
            if (admissible(reference, packet, &route, tiers, tier, output) &&
                available(reference, router, driver, output, packet->flits))
                candidates[count++] = output;
        if (count)
            return candidates[base_scale(base_hash(packet->key, reference->cycle), count)];
    }
    return NET_NONE;
}

/* ---- rule 10: what the packet of a multicast asks for ---- */

/* The output itself, or for an ejection channel the first of its terminal, which stands for all of them. */
static uint32_t copy_at(const struct reference *reference, uint32_t output)
{
    uint32_t first = reference->topology->ports * reference->virtual_channels;
    return output < first ? output : output - (output - first) % reference->consumers;
}

static bool is_member(const struct reference_list *list, uint32_t terminal)
{
    bool found = false;
    for (uint32_t i = 0; i < list->count; i++)
        found |= list->targets[i] == terminal;
    return found;
}

/* Virtual channel 0 of every port of the tree, and an ejection channel for each member at this router. */
static uint64_t outputs_needed(const struct reference *reference, uint32_t router, size_t message)
{
    const struct net_topology *topology = reference->topology;
    uint64_t needed = 0;
    for (uint32_t port = 0; port < topology->ports; port++)
        if ((reference->trees[message][router] >> port & 1) != 0)
            needed |= UINT64_C(1) << port * reference->virtual_channels;
    for (uint32_t slot = 0; slot < topology->concentration; slot++)
        if (is_member(&reference->lists[message], router * topology->concentration + slot))
            needed |=
                UINT64_C(1) << (topology->ports * reference->virtual_channels + slot * reference->consumers);
    return needed;
}

/* All that it needs, has not been granted and that is available; of a terminal the first ejection channel. */
static uint64_t select_outputs(struct reference *reference, uint32_t router, uint32_t number,
                               const struct reference_packet *packet)
{
    struct driver *driver = driver_at(reference, router, number);
    uint64_t requests = 0, asked = 0;
    if (driver->needed == 0)
        driver->needed = outputs_needed(reference, router, (size_t)packet->message);
    for (uint32_t output = 0; output < reference->outputs_each; output++) {
        uint64_t copy = UINT64_C(1) << copy_at(reference, output);
        if ((driver->needed & ~driver->granted & ~asked & copy) == 0 ||
            !available(reference, router, number, output, packet->flits))
            continue;
        asked |= copy;
        requests |= UINT64_C(1) << output;
    }
    return requests;
}

/* ---- requests ---- */

static bool requests(const struct driver *driver, uint32_t output)
{
    return (driver->requests[output / 64] >> output % 64 & 1) != 0;
}

/* Multicasts are on king networks, whose masks have one word. */
static void find_requests(struct reference *reference, uint32_t router, uint32_t number,
                          const struct reference_packet *packet)
{
    struct driver *driver = driver_at(reference, router, number);
    if (packet->multicast) {
        assert(reference->outputs_each <= 64);
        driver->requests[0] = select_outputs(reference, router, number, packet);
        return;
    }
    uint32_t output = select_output(reference, router, number, packet);
    if (output != NET_NONE)
        driver->requests[output / 64] |= UINT64_C(1) << output % 64;
}

/* A packet asks until it holds its output; a multicast until it has had all that it needs. */
static void request(struct reference *reference, uint32_t router)
{
    bool stopped = reference_faults_stopped(reference, router);
    for (uint32_t number = 0; number < reference->drivers_each; number++) {
        struct driver *driver = driver_at(reference, router, number);
        memset(driver->requests, 0, sizeof driver->requests);
        if (driver->queue.count == 0 || (driver->grants != 0 && driver->needed == driver->granted))
            continue;
        const struct flit *head = due(&driver->queue, reference->cycle);
        if (!head)
            reference->in_pipeline = true;
        else if (head->number != 0)
            reference->result->starved++; /* cannot be: a packet keeps its grant until the tail has left */
        else {
            if (!driver->asked) {
                driver->asked_cycle = reference->cycle;
                choose_way(reference, router, number, &reference->result->packets[head->packet]);
            }
            driver->asked = true;
            if (!stopped)
                find_requests(reference, router, number, &reference->result->packets[head->packet]);
        }
        for (uint32_t output = 0; output < reference->outputs_each; output++)
            if (requests(driver, output))
                output_at(reference, router, output)->requested = true;
    }
}

/* ---- rule 4: arbitration ---- */

static void reserve(struct reference *reference, uint32_t router, uint32_t output, size_t packet)
{
    struct driver *buffer = next_buffer(reference, router, output);
    uint32_t flits = reference->result->packets[packet].flits;
    /* Every reservation is of a flit at least, so that a buffer never has more of them than flits. */
    assert(buffer->reservation_count < reference->capacity);
    uint32_t reserved = reference->wormhole ? 0 : flits_reserved(reference, output, flits);
    if (reference->faults != NULL)
        reserved = reference_faults_reserved(reference, router, output, packet);
    buffer->reservations[buffer->reservation_count++] = (struct reservation){packet, reserved, 0};
}

/* Behind a link the copy is a packet of its own, that differs in nothing but its way. */
static void begin_copy(struct reference *reference, struct driver *driver, struct output *output,
                       uint32_t number)
{
    struct reference_result *result = reference->result;
    driver->granted |= UINT64_C(1) << copy_at(reference, number);
    driver->copied[copy_at(reference, number)] = 0;
    if (is_ejection(reference, number))
        return;
    result->packets[result->packet_count] = result->packets[output->copy];
    output->copy = result->packet_count++;
}

/* Grants at most one request on an output. Returns whether it did. */
static bool arbitrate(struct reference *reference, uint32_t router, uint32_t number)
{
    struct output *output = output_at(reference, router, number);
    if (!output->requested)
        return false;
    output->requested = false;
    struct contest contest;
    open_contest(&contest, output->pointer, (uint64_t)router * reference->outputs_drawn + number);
    for (uint32_t i = 0; i < reference->drivers_each; i++)
        if (requests(driver_at(reference, router, i), number))
            contest.candidates[contest.count++] = (struct candidate){i, driver_at(reference, router, i)};
    uint32_t winner = reference_decide(reference, &contest);
    struct driver *driver = driver_at(reference, router, winner);
    driver->grants++;
    output->holder = winner;
    output->started = false;
    output->next = 0;
    output->pointer = (winner + 1) % reference->drivers_each;
    output->copy = driver->queue.flits[driver->queue.first].packet;
    if (reference->result->packets[output->copy].multicast)
        begin_copy(reference, driver, output, number);
    if (!is_ejection(reference, number))
        reserve(reference, router, number, output->copy);
    if (reference->faults != NULL && !is_ejection(reference, number))
        reference_faults_granted(reference, router, winner, number, output->copy);
    return true;
}

/* ---- rules 5 and 9: links ---- */

/* May this granted output be served in this cycle? A held link serves who has not started; a multiplexed one
 * who has a flit and, under wormhole, a place for it. */
static bool can_be_served(struct reference *reference, uint32_t router, uint32_t number)
{
    const struct output *output = output_at(reference, router, number);
    if (output->holder == NET_NONE || output->started)
        return false;
    if (!reference->multiplexed)
        return true;
    const struct driver *driver = driver_at(reference, router, output->holder);
    if (driver->queue.count == 0)
        return false;
    return is_ejection(reference, number) || !reference->wormhole ||
           reference_room(reference, next_buffer(reference, router, number)) > 0;
}

static void start(struct reference *reference, uint32_t router, struct channel *channel)
{
    if (channel->carried != NET_NONE || reference->cycle < channel->free_cycle)
        return;
    struct contest contest;
    open_contest(&contest, channel->pointer,
                 ~((uint64_t)router * reference->outputs_drawn + channel->output_first));
    for (uint32_t i = 0; i < channel->output_count; i++) {
        uint32_t number = channel->output_first + i;
        if (can_be_served(reference, router, number))
            contest.candidates[contest.count++] = (struct candidate){
                i, driver_at(reference, router, output_at(reference, router, number)->holder)};
    }
    if (contest.count == 0)
        return;
    uint32_t chosen = reference_decide(reference, &contest);
    channel->carried = channel->output_first + chosen;
    channel->pointer = (chosen + 1) % channel->output_count;
    output_at(reference, router, channel->carried)->started = !reference->multiplexed;
}

/* A flit has left a driver: the place it had in the buffer is sent, or with the tail given back as a whole.
 */
static void leave(struct reference *reference, uint32_t number, struct driver *driver, struct flit flit)
{
    const struct reference_packet *packet = &reference->result->packets[flit.packet];
    bool tail = flit.number + 1 == packet->flits;
    if (number >= reference->topology->ports * reference->virtual_channels) {
        if (tail && number + (reference->faults != NULL) < reference->drivers_each)
            /* a message's packets leave in order, so that the last one to write is the last packet */
            reference->result->sent[packet->message] = reference->cycle;
        return;
    }
    flit.available = reference->cycle + reference->credit_cycles;
    reference_push(&driver->credits, flit);
}

/* The flits that are seen upstream to have left a buffer. */
static void credit(struct reference *reference, struct driver *driver)
{
    while (due(&driver->credits, reference->cycle)) {
        struct flit flit = pop(&driver->credits);
        assert(driver->reservation_count > 0 && driver->reservations[0].packet == flit.packet);
        driver->reservations[0].sent++;
        if (flit.number + 1 != reference->result->packets[flit.packet].flits)
            continue;
        driver->reservation_count--;
        for (uint32_t i = 0; i < driver->reservation_count; i++)
            driver->reservations[i] = driver->reservations[i + 1];
    }
}

/* At a terminal of the list. */
static void note_copy(struct reference *reference, const struct reference_packet *packet, uint32_t terminal)
{
    struct reference_result *result = reference->result;
    result->copies[result->copy_count++] = (struct reference_copy){
        packet->message, packet->index, reference->cycle, terminal, packet->flits, packet->links};
}

static void eject(struct reference *reference, struct flit flit, uint32_t terminal)
{
    struct reference_packet *packet = &reference->result->packets[flit.packet];
    if (flit.number + 1 != packet->flits)
        return;
    if (packet->multicast)
        note_copy(reference, packet, terminal);
    else
        packet->delivered = reference->cycle;
    reference->packets_inside--;
    if (--reference->waiting[packet->message] == 0)
        reference->result->delivered[packet->message] = reference->cycle;
}

/* A flit crosses a link. It is put beside the next buffer until the end of the cycle (rule 1). */
static void cross(struct reference *reference, uint32_t router, struct channel *channel, struct flit flit)
{
    struct reference_packet *packet = &reference->result->packets[flit.packet];
    struct driver *buffer = next_buffer(reference, router, channel->carried);
    if (flit.number == 0 && !packet->multicast) {
        uint32_t port = channel->carried / reference->virtual_channels;
        packet->header =
            reference->faults != NULL
                ? reference_faults_header(reference, router, channel->carried, flit.packet)
                : reference->routing->kind->step(reference->routing, router, packet->header, port);
    }
    packet->links += flit.number == 0;
    if (reference->wormhole) {
        assert(buffer->reservation_count == 1 && buffer->reservations[0].packet == flit.packet);
        buffer->reservations[0].reserved++;
    }
    const struct net_link *link = &reference->topology->links[channel->link];
    uint32_t width = or_default(link->flit_cycles, 1);
    reference->result->link_flits[channel->link]++;
    channel->free_cycle = reference->cycle + width;
    flit.available = reference->cycle + width - 1 + or_default(link->latency, reference->link_cycles);
    reference_push(&buffer->wire, flit);
}

static uint32_t terminal_of(const struct reference *reference, uint32_t router, uint32_t output)
{
    uint32_t first = reference->topology->ports * reference->virtual_channels;
    return router * reference->topology->concentration + (output - first) / reference->consumers;
}

/* The tail has crossed: link, output and driver are free from the next cycle on. */
static void release(struct channel *channel, struct output *output, struct driver *driver)
{
    driver->grants--;
    channel->carried = NET_NONE;
    output->holder = NET_NONE;
    output->started = false;
}

/* A flit of a multicast has left its driver when the last of the copies has taken it. */
static void leave_behind_copies(struct reference *reference, uint32_t number, struct driver *driver)
{
    uint32_t left = UINT32_MAX;
    if (driver->granted != driver->needed)
        return;
    for (uint32_t output = 0; output < reference->outputs_each; output++)
        if ((driver->needed >> output & 1) != 0 && driver->copied[output] < left)
            left = driver->copied[output];
    while (driver->queue.count != 0 && driver->queue.flits[driver->queue.first].number < left) {
        struct flit flit = pop(&driver->queue);
        reference->result->collisions += driver->popped_cycle == reference->cycle;
        driver->popped_cycle = reference->cycle;
        driver->asked = false;
        leave(reference, number, driver, flit);
        if (flit.number + 1 != reference->result->packets[flit.packet].flits)
            continue;
        driver->needed = driver->granted = 0;
        return;
    }
}

/* Moves the next flit of one of the copies of the multicast at the head. Returns whether one moved. */
static bool move_copy(struct reference *reference, uint32_t router, struct channel *channel)
{
    struct output *output = output_at(reference, router, channel->carried);
    uint32_t number = output->holder, carried = channel->carried;
    struct driver *driver = driver_at(reference, router, number);
    const struct fifo *queue = &driver->queue;
    struct flit flit = queue->flits[queue->first];
    if (output->next < flit.number || output->next >= flit.number + queue->count) {
        reference->result->starved++;
        return false;
    }
    flit = queue->flits[queue->first + output->next - flit.number];
    reference->result->collisions += channel->used_cycle == reference->cycle;
    channel->used_cycle = reference->cycle;
    output->next++;
    driver->copied[copy_at(reference, carried)]++;
    flit.packet = output->copy;
    if (is_ejection(reference, carried))
        eject(reference, flit, terminal_of(reference, router, carried));
    else
        cross(reference, router, channel, flit);
    if (flit.number + 1 == reference->result->packets[flit.packet].flits)
        release(channel, output, driver);
    leave_behind_copies(reference, number, driver);
    return true;
}

/* Moves the next flit of the packet that a channel carries. Returns whether one moved. */
static bool move(struct reference *reference, uint32_t router, struct channel *channel)
{
    if (channel->carried == NET_NONE || reference->cycle < channel->free_cycle)
        return false;
    struct output *output = output_at(reference, router, channel->carried);
    struct driver *driver = driver_at(reference, router, output->holder);
    if (driver->needed != 0)
        return move_copy(reference, router, channel);
    if (driver->queue.count == 0 || driver->queue.flits[driver->queue.first].number != output->next) {
        reference->result->starved += !reference->narrow; /* rule 12: packets come slower */
        return false;
    }
    reference->result->collisions += driver->popped_cycle == reference->cycle;
    reference->result->collisions += channel->used_cycle == reference->cycle;
    driver->popped_cycle = channel->used_cycle = reference->cycle;
    struct flit flit = pop(&driver->queue);
    output->next++;
    leave(reference, output->holder, driver, flit);
    if (flit.number == 0 && !is_ejection(reference, channel->carried))
        reference->result->link_waits[channel->link] += reference->cycle - driver->asked_cycle;
    driver->asked = false;
    if (is_reinjection(reference, channel->carried)) {
        if (flit.number + 1 == reference->result->packets[flit.packet].flits)
            reference_faults_reinject(reference, router, flit.packet);
    } else if (is_ejection(reference, channel->carried))
        eject(reference, flit, terminal_of(reference, router, channel->carried));
    else
        cross(reference, router, channel, flit);
    if (flit.number + 1 == reference->result->packets[flit.packet].flits)
        release(channel, output, driver);
    else if (reference->multiplexed)
        channel->carried = NET_NONE;
    return true;
}

/* Rule 1: flits whose time on the wire is over are in the buffer at the start of this cycle; a header waits
 * there for the pipeline. */
static void arrive(struct reference *reference, struct driver *buffer)
{
    bool arrived = false;
    while (due(&buffer->wire, reference->cycle)) {
        struct flit flit = pop(&buffer->wire);
        reference->result->collisions += arrived || flit.available != reference->cycle;
        arrived = true;
        if (flit.number == 0)
            flit.available = reference->cycle + reference->router_cycles - 1;
        reference_push(&buffer->queue, flit);
        reference->result->overflows += buffer->queue.count > reference->capacity;
    }
}

/* ---- the clock ---- */

/* What the latencies bring to the start of this cycle: flits in buffers, places seen to be free. */
static void settle(struct reference *reference)
{
    uint32_t routers = reference->topology->routers;
    for (uint32_t router = 0; router < routers; router++)
        for (uint32_t i = 0; i < reference->topology->ports * reference->virtual_channels; i++) {
            arrive(reference, driver_at(reference, router, i));
            credit(reference, driver_at(reference, router, i));
        }
}

/* Is nothing on its way that needs no decision: flits on wires and onto narrow links, credits, headers in
 * pipelines? */
static bool is_settled(const struct reference *reference)
{
    bool settled = !reference->in_pipeline;
    for (size_t i = 0; i < (size_t)reference->topology->routers * reference->drivers_each; i++)
        settled &= reference->drivers[i].wire.count == 0 && reference->drivers[i].credits.count == 0;
    for (size_t i = 0; i < (size_t)reference->topology->routers * reference->channels_each; i++)
        settled &= reference->channels[i].free_cycle < reference->cycle;
    return settled;
}

/* Executes one cycle. Returns whether anything was granted or moved, or is on its way. */
static bool execute(struct reference *reference)
{
    uint32_t routers = reference->topology->routers;
    bool progress = reference_faults_begin(reference);
    reference->in_pipeline = false;
    settle(reference);
    generate_due(reference);
    for (uint32_t router = 0; router < routers; router++)
        request(reference, router);
    for (uint32_t router = 0; router < routers; router++)
        for (uint32_t output = 0; output < reference->outputs_each; output++)
            progress |= arbitrate(reference, router, output);
    for (uint32_t router = 0; router < routers; router++)
        for (uint32_t channel = 0; channel < reference->channels_each; channel++)
            start(reference, router, channel_at(reference, router, channel));
    for (uint32_t router = 0; router < routers; router++)
        for (uint32_t channel = 0; channel < reference->channels_each; channel++)
            progress |= move(reference, router, channel_at(reference, router, channel));
    reference->cycle++;
    reference->result->executed_cycles++;
    return progress || !is_settled(reference);
}

/* Cycle after cycle; only where nothing is inside, or nothing moved (then the same state comes again), may
 * the clock jump to the next message. */
static void run(struct reference *reference)
{
    bool progress = false;
    while (reference->packets_inside || next_generation(reference) != REFERENCE_NEVER) {
        uint64_t next = next_generation(reference), control = reference_faults_next(reference);
        if (control < next)
            next = control;
        if (!progress && next == REFERENCE_NEVER) {
            reference->result->deadlock = true;
            return;
        }
        if (!progress && next > reference->cycle)
            reference->cycle = next;
        progress = execute(reference);
    }
}

/* ---- a run ---- */

/* A message counts as sent only when its last packet is, also if the run ends in a deadlock. */
static void forget_half_sent(struct reference *reference)
{
    struct reference_result *result = reference->result;
    for (size_t i = 0; i < (size_t)reference->topology->routers * reference->drivers_each; i++) {
        const struct driver *driver = &reference->drivers[i];
        if (i % reference->drivers_each < reference->topology->ports * reference->virtual_channels)
            continue;
        for (size_t j = driver->queue.first; j < driver->queue.first + driver->queue.count; j++)
            result->sent[result->packets[driver->queue.flits[j].packet].message] = REFERENCE_NEVER;
    }
}

void reference_run(const struct reference_setup *setup, const struct reference_message *messages,
                   size_t count, struct reference_result *result)
{
    struct reference reference = {.messages = messages, .message_count = count, .result = result};
    reference_prepare(&reference, setup);
    run(&reference);
    forget_half_sent(&reference);
    reference_clear(&reference);
}

void reference_free(struct reference_result *result)
{
    free(result->packets);
    free(result->copies);
    free(result->sent);
    free(result->delivered);
    free(result->link_flits);
    free(result->link_waits);
    *result = (struct reference_result){0};
}
