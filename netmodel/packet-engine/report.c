/* What the packet-grant engine says about itself: the conservation laws, and which of its
 * packets wait for which others (standstill.h). */
#include <inttypes.h>

#include "netmodel/packet-engine/faults.h"
#include "netmodel/packet-engine/internal.h"

/* ---- conservation ---- */

/* Packets in a part's pool that are not free. The free list is cut short should it be damaged into a loop. */
static uint64_t count_pooled(const struct net_packet_part *part)
{
    uint64_t count = 0;
    for (uint32_t i = part->free_packet; i != NET_PACKET_NO_PACKET && count <= part->packet_count;
         i = part->packets[i].next)
        count++;
    return part->packet_count - count;
}

/* Packets that are in the mail of one part to others, and so in no pool. */
static uint64_t count_mailed(const struct net_packet_engine *engine, const struct net_packet_part *part)
{
    const uint32_t slots = engine->mail_mask + 1;
    uint64_t count = 0;
    for (uint32_t i = 0; part->out != NULL && i < engine->part_count * slots;
         i++) { /* by receiver, then by slot */
        const struct net_packet_mailbox *box = &part->out[i];
        if (i / slots == part->number || box->cycle <= engine->network.now)
            continue; /* to itself, or read */
        for (uint32_t j = 0; j < box->count; j++)
            count += box->mails[j].kind == NET_PACKET_MAIL_PUSH || box->mails[j].kind == NET_PACKET_MAIL_COPY;
    }
    return count;
}

/* In pools and in the mail between parts. */
static uint64_t packets_inside(const struct net_packet_engine *engine)
{
    uint64_t count = 0;
    for (uint32_t part = 0; part < engine->part_count; part++)
        count += count_pooled(&engine->parts[part]) + count_mailed(engine, &engine->parts[part]);
    return count;
}

/* By injectors, and as copies of multicasts. */
static uint64_t packets_made(const struct net_packet_engine *engine)
{
    uint64_t count = 0;
    for (uint32_t part = 0; part < engine->part_count; part++)
        count += engine->parts[part].packets_made;
    return count;
}

/* What is reserved for a packet of that length, and comes back when it has left (rule 6). padded: on a ring around
 * faults. */
static int32_t place_of(const struct net_packet_engine *engine, uint32_t local, uint32_t length, bool padded)
{
    bool whole = padded || (engine->parts[0].constants.rings >> local & 1) != 0;
    return (int32_t)(whole ? engine->largest : length);
}

/* Flits of room that come back later, where credits take longer than a cycle: of the packet whose leaving
 * is seen, and of those whose leaving is not seen yet. With one cycle they are back before the last tail
 * is delivered. */
static int32_t room_on_its_way(const struct net_packet_engine *engine, uint32_t router, uint32_t local)
{
    if (engine->parts[0].out == NULL)
        return 0;
    const uint32_t block = net_packet_block_of(engine, router);
    const uint32_t slots = engine->part_count * (engine->mail_mask + 1);
    const struct net_packet_output *output =
        net_packet_output_at(net_packet_router_at(engine->state, router, engine->shape), local);
    bool padded = engine->faults != NULL && (engine->faults->router[router].returns >> local & 1) != 0;
    int32_t room = output->departing != 0 ? place_of(engine, local, output->departing, padded) : 0;
    for (uint32_t i = 0; i < engine->part_count * slots; i++) {
        const struct net_packet_mailbox *box =
            &engine->parts[i / slots].out[i % slots]; /* by receiver, then by slot */
        for (uint32_t j = 0; box->cycle > engine->network.now && j < box->count; j++)
            if (box->mails[j].kind == NET_PACKET_MAIL_DEPART && box->mails[j].block == block &&
                box->mails[j].local == local)
                room += place_of(engine, local, box->mails[j].length, box->mails[j].slot != 0);
    }
    return room;
}

/* Everything is delivered: then every buffer is empty, and every reservation returned or on its way back. */
static int check_drained(const struct net_packet_engine *engine, struct base_error *error)
{
    const struct net_packet_shape shape = engine->shape;
    for (uint32_t i = 0; i < engine->network.topology->link_count * shape.channels; i++) {
        const struct net_link *link = &engine->network.topology->links[i / shape.channels];
        uint32_t local = link->port * shape.channels + i % shape.channels;
        struct net_packet_router *source = net_packet_router_at(engine->state, link->source, shape);
        struct net_packet_router *target = net_packet_router_at(engine->state, link->target, shape);
        int32_t room =
            net_packet_output_at(source, local)->spare + net_packet_plenty(engine->parts[0].constants, local);
        if (room != (int32_t)engine->network.options.buffer_flits)
            room += room_on_its_way(engine, link->source, local);
        if (room != (int32_t)engine->network.options.buffer_flits ||
            net_packet_entry_packet(net_packet_driver_at(target, local)->head.rest) != NET_PACKET_NO_PACKET)
            return base_error_set(error, BASE_SYSTEM,
                                  "router %" PRIu32 ", output %" PRIu32 ": %" PRId32
                                  " flits of room in a drained network: this is a defect of flitreplay",
                                  link->source, local, room);
    }
    return 0;
}

/* What the pools hold is what is inside; when nothing is left the network is as it was built. A packet too many is one
 * that was never injected. */
int net_packet_engine_check(const struct net_network *network, struct base_error *error)
{
    const struct net_packet_engine *engine = (const struct net_packet_engine *)network;
    net_network_statistics(network); /* sums up all parts, which rest then */
    uint64_t made = packets_made(engine), injected = network->injected_packets;
    if (net_network_conserves(network, packets_inside(engine),
                              made <= injected ? injected - made : UINT64_MAX, error) < 0 ||
        (engine->faults != NULL && net_packet_faults_check(engine, error) < 0))
        return -1;
    return net_network_pending(network) != 0 ? 0 : check_drained(engine, error);
}

/* ---- deadlock ---- */

/* Whose router it is now: borders move. */
static const struct net_packet_part *part_of(const struct net_packet_engine *engine, uint32_t router)
{
    return &engine->parts[net_packet_part_number(engine, net_packet_block_of(engine, router))];
}

/* The routing's header of the head of a driver: a driver that remembers its way has it by number. */
static uint64_t header_of(const struct net_packet_engine *engine, uint32_t router,
                          const struct net_packet_driver *driver)
{
    const struct net_packet_part *part = part_of(engine, router);
    uint16_t way = net_packet_entry_way(driver->head.rest);
    return way != NET_PACKET_WAY_RAW ? part->ways.headers[way] : driver->head.word;
}

/* What a head may go by; nothing, if it has arrived. */
static uint64_t outputs_of(const struct net_packet_engine *engine, uint32_t router, uint32_t local,
                           const struct net_packet_driver *driver)
{
    uint64_t legs = driver->head.word;
    if (net_packet_entry_way(driver->head.rest) == NET_PACKET_WAY_LEGS)
        return legs != 0 ? UINT64_C(1) << (legs & NET_LEG_PORT) : 0;
    const struct net_packet_outputs outputs =
        net_packet_ways_outputs(engine->network.routing, router, header_of(engine, router, driver));
    if (engine->faults == NULL || outputs.first == 0)
        return outputs.all;
    return net_packet_faults_outputs(engine, router, local, &outputs);
}

/* A head that has arrived and holds no grant waits. One at its target waits for ejection only, which is never
 * for long. */
static bool view_waiter(const struct net_network *network, uint32_t router, uint32_t local,
                        struct net_waiter *waiter)
{
    const struct net_packet_engine *engine = (const struct net_packet_engine *)network;
    struct net_packet_router *block = net_packet_router_at(engine->state, router, engine->shape);
    if ((block->eligible >> local & 1) == 0 ||
        (engine->faults != NULL && engine->faults->router[router].stopped))
        return false;
    const struct net_packet_driver *driver = net_packet_driver_at(block, local);
    const struct net_packet_packet *packet =
        &part_of(engine, router)->packets[net_packet_entry_packet(driver->head.rest)];
    const struct net_packet_flight *flight = &engine->flights[packet->message];
    uint64_t outputs = driver->head.word & ((UINT64_C(1) << engine->first_ejection) - 1);
    if (flight->spread == NULL)
        outputs = outputs_of(engine, router, local, driver);
    *waiter = (struct net_waiter){.message = flight->number,
                                  .packet = packet->number,
                                  .length = packet->length,
                                  .source = flight->source,
                                  .target = flight->target};
    waiter->outputs[0] = outputs;
    return true;
}

/* Rule 6. A granted output always comes free, and so does the room that a leaving packet takes: only a head
 * that waits in the next buffer is an obstacle. */
static bool view_obstacle(const struct net_network *network, uint32_t router, uint32_t local, uint32_t output,
                          struct net_obstacle *obstacle)
{
    const struct net_packet_engine *engine = (const struct net_packet_engine *)network;
    struct net_packet_router *block = net_packet_router_at(engine->state, router, engine->shape);
    const struct net_packet_output *wanted = net_packet_output_at(block, output);
    uint32_t need = net_packet_entry_length(net_packet_driver_at(block, local)->head.rest);
    if (output >= engine->first_ejection) /* the re-injection channel, which always comes free */
        return false;
    uint32_t next = net_packet_number_of(engine, net_packet_line_at(block, output)->target);
    if (engine->faults != NULL && (engine->faults->router[router].ring >> output & 1) != 0)
        need = net_packet_faults_need(engine, net_packet_faults_on_ring(engine, router, local));
    else if ((engine->parts[0].constants.rings >> output & 1) != 0)
        need = local == output ? engine->largest : 2 * engine->largest;
    int32_t room = wanted->spare + net_packet_plenty(engine->parts[0].constants, output);
    if ((block->busy >> output & 1) != 0 || wanted->departing != 0 || room >= (int32_t)need)
        return false;
    *obstacle = (struct net_obstacle){
        .router = next, .driver = output, .room = room > 0 ? (uint32_t)room : 0, .need = need};
    return (net_packet_router_at(engine->state, next, engine->shape)->eligible >> output & 1) != 0;
}

const struct net_standstill_view net_packet_engine_view = {view_waiter, view_obstacle};
