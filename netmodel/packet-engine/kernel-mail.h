/* The packet-grant engine's kernel: the queues in which headers wait, and the mail that comes to
 * them from other parts and over links that take time. */
#ifndef NET_PACKET_KERNEL_MAIL_H
#define NET_PACKET_KERNEL_MAIL_H

#include "netmodel/packet-engine/kernel-room.h"

/* ---- queues ---- */

/* The driver's head may be routed from the cycle on, unless something is in its way: then nothing happens, without a
 * branch, since in the middle of traffic nobody could predict it. As
 * net_packet_make_pending of one driver, in fewer steps. */
static INLINE void may_ask(const struct net_packet_visit at, uint32_t driver, uint64_t hindrance)
{
    struct net_packet_visits *list = &at.part->active[at.cycle & 1];
    uint64_t *pending = &at.router->pending[at.cycle & 1];
    uint64_t before = *pending;
    uint64_t asking = (uint64_t)(hindrance == 0) << driver;
    at.router->eligible |= asking;
    *pending = before | asking;
    list->items[list->count] = at.block;
    list->count += (before | hindrance) == 0;
}

/* The header's packet enters a buffer, where it may be routed in the cycle. Behind others it waits in the pool,
 * becomes the head when the one before it departs (take_head), and may ask when that is gone (end_packet). */
static INLINE void push(struct net_packet_part *part, uint32_t block, uint32_t local,
                        const struct net_packet_entry entry, uint16_t hops, uint64_t cycle,
                        const struct net_packet_setting given)
{
    struct net_packet_router *router = net_packet_block_at(given.state, block);
    const struct net_packet_visit at = {part, router, block, cycle};
    struct net_packet_driver *driver = net_packet_driver_at(router, local);
    uint32_t head = net_packet_entry_packet(driver->head.rest);
    if (head != NET_PACKET_NO_PACKET) {
        uint32_t number = net_packet_entry_packet(entry.rest);
        struct net_packet_packet *packet = &part->packets[number];
        packet->word = entry.word;
        packet->way = net_packet_entry_way(entry.rest);
        packet->hops = hops;
        part->packets[driver->tail != NET_PACKET_NO_PACKET ? driver->tail : head].next = number;
        driver->tail = number;
        return;
    }
    driver->head = entry;
    driver->hops = hops;
    may_ask(at, local, driver->departing);
}

/* The next packet of a buffer to its head; there is one. */
static INLINE void take_next(const struct net_packet_part *part, struct net_packet_driver *driver)
{
    uint32_t next = part->packets[net_packet_entry_packet(driver->head.rest)].next;
    const struct net_packet_packet *packet = &part->packets[next];
    driver->head.word = packet->word;
    driver->head.rest = net_packet_entry_rest(next, packet->way, packet->length);
    driver->hops = packet->hops;
    driver->tail |= -(uint32_t)(driver->tail == next); /* was it the last: NET_PACKET_NO_PACKET */
}
_Static_assert(NET_PACKET_NO_PACKET == UINT32_MAX, "all bits set");

/* The next one, or none. */
static INLINE void take_head(const struct net_packet_part *part, struct net_packet_driver *driver)
{
    if (driver->tail == NET_PACKET_NO_PACKET)
        driver->head.rest = NET_PACKET_NO_PACKET;
    else
        take_next(part, driver);
}

/* ---- mail: between parts, and over time ---- */

/* Whether a router's state may be written now: it is this part's, and nothing takes time on the way. */
static INLINE bool at_hand(const struct net_packet_part *part, uint32_t block,
                           const struct net_packet_setting given)
{
    return given.shape.whole || (given.shape.plain && block - part->first_block < part->bytes);
}

/* Whether that of the router is from which a driver's link comes. */
static INLINE bool source_at_hand(const struct net_packet_router *router, uint32_t driver,
                                  const struct net_packet_setting given)
{
    return given.shape.whole || (given.shape.plain && (router->foreign >> driver & 1) == 0);
}

/* The packet's data into the mail, and the packet back to the pool. */
static void send_packet(struct net_packet_part *part, struct net_packet_mail *mail, uint32_t index)
{
    const struct net_packet_packet *packet = &part->packets[index];
    mail->key = packet->key;
    mail->message = packet->message;
    mail->number = packet->number;
    mail->slot = packet->slot;
    if (part->worst != NULL)
        mail->worst = part->worst[index];
    net_packet_free_packet(part, index);
}

/* Cycles over the link that leads to a buffer. */
static INLINE uint32_t crossing_into(const struct net_packet_engine *engine, uint32_t block, uint32_t local)
{
    if (engine->crossings == NULL)
        return engine->network.options.link_cycles;
    return engine->crossings[(size_t)net_packet_number_of(engine, block) * engine->shape.ports +
                             local / engine->shape.channels];
}

/* The entry of a packet as mail has it: ways are numbered by each part for itself. */
static __attribute__((noinline)) void post_push(struct net_packet_part *part, uint32_t block, uint32_t local,
                                                const struct net_packet_entry entry, uint16_t hops,
                                                uint64_t cycle)
{
    const struct net_options *options = &part->engine->network.options;
    uint16_t way = net_packet_entry_way(entry.rest);
    uint32_t to = net_packet_part_number(part->engine, block);
    struct net_packet_mail mail = {.header = way < NET_PACKET_WAY_LEGS ? part->ways.headers[way] : entry.word,
                                   .packet = net_packet_entry_packet(entry.rest),
                                   .block = block,
                                   .length = (uint16_t)net_packet_entry_length(entry.rest),
                                   .hops = hops,
                                   .local = (uint8_t)local,
                                   .kind = way == NET_PACKET_WAY_COPIES ? NET_PACKET_MAIL_COPY
                                                                        : NET_PACKET_MAIL_PUSH};
    if (to != part->number)
        send_packet(part, &mail, mail.packet);
    cycle += crossing_into(part->engine, block, local);
    net_packet_post(part, to, cycle + options->router_cycles - 1, &mail);
    if (part->engine->queues == NULL)
        return;
    mail.kind = NET_PACKET_MAIL_ARRIVAL;
    net_packet_post(part, to, cycle, &mail);
}

/* padded: the packet had reserved more than its length, as on a ring around faults. */
static __attribute__((noinline)) void post_departure(struct net_packet_part *part, uint32_t block,
                                                     uint32_t local, uint32_t length, bool padded,
                                                     uint64_t cycle)
{
    const struct net_packet_mail mail = {.block = block,
                                         .length = (uint16_t)length,
                                         .local = (uint8_t)local,
                                         .slot = padded,
                                         .kind = NET_PACKET_MAIL_DEPART};
    net_packet_post(part, net_packet_part_number(part->engine, block),
                    cycle + part->engine->network.options.credit_cycles, &mail);
}

/* An arrival begins when the one before it is complete: a buffer has one link. */
static void note_arrival(const struct net_packet_part *part, const struct net_packet_mail *mail,
                         uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    uint32_t router = net_packet_number_of(engine, mail->block);
    struct net_packet_queue *queue =
        &engine->queues[(size_t)router * engine->drivers_per_router + mail->local];
    queue->flits += queue->arriving;
    queue->arriving = mail->length;
    queue->start = cycle;
}

/* The packet from another part's mail into this one's pool; NET_PACKET_NO_PACKET: no memory. */
static uint32_t receive_packet(struct net_packet_part *part, const struct net_packet_mail *mail)
{
    uint32_t index = net_packet_new_packet(part);
    if (index == NET_PACKET_NO_PACKET)
        return index;
    struct net_packet_packet *packet = &part->packets[index];
    packet->key = mail->key;
    packet->next = NET_PACKET_NO_PACKET;
    packet->message = mail->message;
    packet->number = mail->number;
    packet->length = mail->length;
    packet->slot = mail->slot;
    packet->unstarted = 0;
    if (part->constants.owned)
        packet->row = part->engine->network.owners.row[part->engine->flights[mail->message].source];
    if (part->worst != NULL)
        part->worst[index] = mail->worst;
    return index;
}

/* A header arrives: of another part, or over a link that takes time. Ways are numbered by each part for itself, so
 * that mail has the header, whose number is looked up here. */
static void read_push(struct net_packet_part *part, const struct net_packet_mail *mail, uint64_t cycle,
                      bool own, const struct net_packet_setting given)
{
    uint32_t packet = own ? mail->packet : receive_packet(part, mail);
    uint16_t way = mail->kind == NET_PACKET_MAIL_COPY ? NET_PACKET_WAY_COPIES
                   : given.shape.legs                 ? NET_PACKET_WAY_LEGS
                                                      : net_packet_ways_find(&part->ways, mail->header);
    if (packet == NET_PACKET_NO_PACKET)
        return;
    const struct net_packet_entry entry = {
        .word = way < NET_PACKET_WAY_LEGS ? part->packets[packet].key : mail->header,
        .rest = net_packet_entry_rest(packet, way, mail->length),
    };
    push(part, mail->block, mail->local, entry, mail->hops, cycle, given);
}

/* A departure is seen when its first flit is: its last one P - 1 cycles later. */
static void read_departure(struct net_packet_part *part, const struct net_packet_mail *mail, uint64_t cycle,
                           const struct net_packet_setting given)
{
    struct net_packet_router *router = net_packet_block_at(given.state, mail->block);
    struct net_packet_output *output = net_packet_output_at(router, mail->local);
    if (given.shape.failing)
        net_packet_faults_return(fault_router(part, mail->block, given), mail->local, mail->slot != 0);
    if (!given.shape.even)
        begin_departure((struct net_packet_visit){part, router, mail->block, cycle}, mail->local, output,
                        mail->length, cycle - 1, given);
    if (given.shape.plain) {
        net_packet_note(part, &net_packet_ending_at(part, cycle - 1 + mail->length)->credits,
                        mail->block | mail->local);
        use_slot(part, cycle - 1 + mail->length);
    } else {
        schedule(part, cycle - 1 + mail->length, NET_PACKET_EVENT_CREDIT, mail->block, mail->local, 0);
    }
}

/* Mail has been written by another processor: the ways of all its lines through the machine overlap. */
static void fetch_mail(const struct net_packet_mailbox *box)
{
    const char *mails = (const char *)box->mails;
    for (size_t at = 0; at < box->count * sizeof *box->mails; at += NET_LINE)
        __builtin_prefetch(mails + at);
}

/* Ahead of read_mail. */
static void fetch_mails(const struct net_packet_part *part, uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    for (uint32_t from = 0; from < engine->part_count; from++) {
        const struct net_packet_mailbox *box = net_packet_mailbox_at(engine, from, part->number, cycle);
        if (from != part->number && box->cycle == cycle)
            fetch_mail(box);
    }
}

/* What the parts have written for this cycle. */
static void read_mail(struct net_packet_part *part, uint64_t cycle, const struct net_packet_setting given)
{
    const struct net_packet_engine *engine = part->engine;
    for (uint32_t from = 0; from < engine->part_count; from++) {
        const struct net_packet_mailbox *box = net_packet_mailbox_at(engine, from, part->number, cycle);
        if (box->cycle != cycle)
            continue;
        for (uint32_t i = 0; i < box->count; i++) {
            const struct net_packet_mail *mail = &box->mails[i];
            if (mail->kind == NET_PACKET_MAIL_PUSH || mail->kind == NET_PACKET_MAIL_COPY)
                read_push(part, mail, cycle, from == part->number, given);
            else if (mail->kind == NET_PACKET_MAIL_DEPART)
                read_departure(part, mail, cycle, given);
            else
                note_arrival(part, mail, cycle);
        }
    }
}

#endif
