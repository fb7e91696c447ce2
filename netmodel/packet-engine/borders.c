/* Where one part of a network ends and the next begins, and how that is moved while it runs (when: balance.c).
 *
 *     move_router, move_ending     packets that wait, and that are being ejected, into the other part's pool
 *     move_blocks, move_joins      what there is to do in this cycle
 *     move_events                  what there will be: ends of packets, and credits for places in the other part
 *
 * What is computed does not depend on it. Only networks without latencies move their borders: there all
 * mail has been read at the beginning of a cycle. */
#include <stdlib.h>

#include "netmodel/packet-engine/kernel-room.h"

/* ---- what goes over ---- */

/* A border that moves: the routers from `first` to before `last` go from one part to the other. */
struct move {
    struct net_packet_engine *engine;  /* borrowed */
    struct net_packet_part *from, *to; /* neighbours */
    uint32_t first_block, last_block;  /* of what goes over; the last is the end */
    bool *near; /* [router] moves, or is a neighbour of one that does: others have nothing that changes */
};

/* By block, not by number: that is what lists, events and lines have. */
static bool moves(const struct move *move, uint32_t block)
{
    return block >= move->first_block && block < move->last_block;
}

/* The packet in the other part's pool; NET_PACKET_NO_PACKET: no memory, which is noted. Its way is numbered anew. */
static uint32_t move_packet(const struct move *move, uint32_t index)
{
    uint32_t other = net_packet_new_packet(move->to);
    if (other == NET_PACKET_NO_PACKET)
        return other;
    move->to->packets[other] = move->from->packets[index];
    if (move->to->worst != NULL)
        move->to->worst[other] = move->from->worst[index];
    net_packet_free_packet(move->from, index);
    return other;
}

/* The number of a way in the other part, and the word that goes with it. */
static uint16_t move_way(const struct move *move, uint16_t way, uint64_t key, uint64_t *word)
{
    if (way >= NET_PACKET_WAY_LEGS)
        return way;
    uint64_t header = move->from->ways.headers[way];
    uint16_t other = net_packet_ways_find(&move->to->ways, header);
    *word = other != NET_PACKET_WAY_RAW ? key : header;
    return other;
}

/* The head of a driver, and of a buffer all packets behind it. The order of the queue is kept: packets are moved
 * from the head to the tail. After a failure the network is only good for freeing, so that nothing has to be
 * undone. */
static void move_driver(const struct move *move, struct net_packet_driver *driver, bool buffer)
{
    uint64_t rest = driver->head.rest;
    uint32_t head = net_packet_entry_packet(rest);
    if (head == NET_PACKET_NO_PACKET)
        return;
    uint32_t next = buffer && driver->tail != NET_PACKET_NO_PACKET ? move->from->packets[head].next
                                                                   : NET_PACKET_NO_PACKET;
    uint32_t last = move_packet(move, head), end = driver->tail;
    if (last == NET_PACKET_NO_PACKET)
        return;
    uint16_t way =
        move_way(move, net_packet_entry_way(rest), move->to->packets[last].key, &driver->head.word);
    driver->head.rest = net_packet_entry_rest(last, way, net_packet_entry_length(rest));
    for (bool more = next != NET_PACKET_NO_PACKET; more;) {
        more = next != end;
        uint32_t after = move->from->packets[next].next, index = move_packet(move, next);
        if (index == NET_PACKET_NO_PACKET)
            return;
        struct net_packet_packet *packet = &move->to->packets[index];
        packet->way = move_way(move, packet->way, packet->key, &packet->word);
        move->to->packets[last].next = index;
        driver->tail = last = index;
        next = after;
    }
}

/* Injectors have one packet at most, so that only buffers have a queue behind the head. */
static void move_router(const struct move *move, uint32_t block)
{
    const struct net_packet_shape shape = move->engine->shape;
    struct net_packet_router *router = net_packet_block_at(move->engine->state, block);
    for (uint32_t local = 0; local < move->engine->drivers_per_router; local++)
        move_driver(move, net_packet_driver_at(router, local), local < net_packet_shape_links(shape));
}

/* Items of a list that go over, by the block that each is about. */
static void move_blocks(const struct move *move, struct net_packet_visits *from, struct net_packet_visits *to)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < from->count; i++)
        if (moves(move, from->items[i]))
            to->items[to->count++] = from->items[i];
        else
            from->items[kept++] = from->items[i];
    from->count = kept;
}

/* Messages that are to join. */
static void move_joins(const struct move *move)
{
    const struct net_packet_engine *engine = move->engine;
    struct net_packet_notes *from = &move->from->joins;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        if (moves(move, net_packet_block_of(engine, net_packet_joins_router(from->items[i]))))
            net_packet_note(move->to, &move->to->joins, from->items[i]);
        else
            from->items[kept++] = from->items[i];
    }
    from->count = kept;
}

/* Packets that are being ejected are delivered by the part of their terminal. */
static void move_ending(const struct move *move, struct net_packet_notes *from, struct net_packet_notes *to)
{
    const struct net_packet_engine *engine = move->engine;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        const struct net_packet_packet *packet = &move->from->packets[from->items[i]];
        const struct net_packet_flight *flight = &engine->flights[packet->message];
        uint32_t terminal = flight->spread != NULL ? packet->terminal : flight->target;
        if (moves(move, net_packet_block_of(engine, terminal / engine->concentration)))
            net_packet_note(move->to, to, move_packet(move, (uint32_t)from->items[i]));
        else
            from->items[kept++] = from->items[i];
    }
    from->count = kept;
}

/* ---- events ---- */

/* What is taken out of a slot, to be put where it belongs. */
struct sorting {
    struct net_packet_notes events, credits; /* of one cycle, reused for the next */
};

/* Asked after the border has moved, it is the new owner. */
static struct net_packet_part *owner_of(const struct net_packet_engine *engine, uint32_t block)
{
    return &engine->parts[net_packet_part_number(engine, block)];
}

/* Whether a driver and the output that feeds it were in one part before the border moved. */
static bool were_together(const struct move *move, uint32_t a, uint32_t b)
{
    const struct net_packet_engine *engine = move->engine;
    const struct net_packet_part *of_a = moves(move, a) ? move->from : owner_of(engine, a);
    return of_a == (moves(move, b) ? move->from : owner_of(engine, b));
}

/* The event out of its slot: the last one takes its place. */
static void drop_event(struct net_packet_part *part, struct net_packet_slot *slot,
                       struct net_packet_chunk *chunk, uint32_t index)
{
    struct net_packet_chunk *last = slot->last, *before = last;
    slot->count--;
    chunk->places[index] = last->places[slot->count];
    chunk->drivers[index] = last->drivers[slot->count];
    if (slot->count != 0 || slot->full == 0)
        return;
    while (before->next != last)
        before = before->next;
    before->next = last->next;
    last->next = part->free_chunk;
    part->free_chunk = last;
    slot->last = before;
    slot->count = NET_PACKET_CHUNK;
    slot->full--;
}

/* Whether the event stays in its slot. If not, or if something comes with it, that is noted. The end of a
 * packet in a driver gives its place back itself if the output upstream is in the same part, else a credit
 * there does: of a link that leads from one part into another only now, or no longer, the one takes the
 * other's place. */
static bool stays(const struct move *move, const struct net_packet_part *part, uint64_t event,
                  struct sorting *sorted)
{
    const struct net_packet_engine *engine = move->engine;
    uint32_t block = net_packet_event_block(event), driver = net_packet_event_driver(event);
    const struct net_packet_part *owner = owner_of(engine, block);
    if (event >> NET_PACKET_EVENT_KIND == NET_PACKET_EVENT_END &&
        driver < net_packet_shape_links(engine->shape)) {
        uint32_t source = net_packet_line_at(net_packet_block_at(engine->state, block), driver)->source;
        if (owner_of(engine, source) != owner && were_together(move, block, source))
            net_packet_note(move->to, &sorted->credits, source | driver);
    }
    if (owner == part)
        return true;
    net_packet_note(move->to, &sorted->events, event);
    return false;
}

/* All credits of the cycle from a part's list. */
static void take_credits(const struct move *move, struct net_packet_part *part, uint64_t cycle,
                         struct net_packet_notes *taken)
{
    struct net_packet_notes *credits = &net_packet_ending_at(part, cycle)->credits;
    for (uint32_t i = 0; i < credits->count; i++)
        net_packet_note(move->to, taken, credits->items[i]);
    credits->count = 0;
}

/* Of a part's slot, all events of routers that the border is near to. Events are taken out in place: the last
 * event fills the gap and is looked at next. */
static void sort_out(const struct move *move, struct net_packet_part *part, uint64_t cycle,
                     struct sorting *sorted)
{
    struct net_packet_slot *slot = &part->wheel[(uint32_t)cycle & part->wheel_mask];
    struct net_packet_chunk *chunk = slot->last;
    bool more = net_packet_slot_count(slot) != 0;
    while (more) {
        chunk = chunk->next;
        for (uint32_t i = 0; i < (chunk == slot->last ? slot->count : NET_PACKET_CHUNK);) {
            uint64_t event = net_packet_chunk_event(chunk, i);
            if (!move->near[net_packet_number_of(move->engine, net_packet_event_block(event))] ||
                stays(move, part, event, sorted)) {
                i++;
                continue;
            }
            bool last =
                chunk == slot->last && slot->count == 1 && slot->full != 0; /* of a chunk behind others */
            drop_event(part, slot, chunk, i);
            if (last)
                return;
        }
        more = chunk != slot->last;
    }
}

/* What was taken out goes where it belongs now; a credit only if its link still leads from one part into another. */
static void place(const struct move *move, uint64_t cycle, const struct sorting *sorted)
{
    const struct net_packet_engine *engine = move->engine;
    for (uint32_t i = 0; i < sorted->events.count; i++) {
        uint64_t event = sorted->events.items[i];
        uint32_t block = net_packet_event_block(event);
        schedule(owner_of(engine, block), cycle, (enum net_packet_event)(event >> NET_PACKET_EVENT_KIND),
                 block, net_packet_event_local(event), net_packet_event_driver(event));
    }
    for (uint32_t i = 0; i < sorted->credits.count; i++) {
        uint32_t block = net_packet_event_block(sorted->credits.items[i]);
        uint32_t local = net_packet_event_local(sorted->credits.items[i]);
        struct net_packet_part *owner = owner_of(engine, block);
        if (owner_of(engine, net_packet_line_at(net_packet_block_at(engine->state, block), local)->target) ==
            owner)
            continue;
        net_packet_note(owner, &net_packet_ending_at(owner, cycle)->credits, sorted->credits.items[i]);
        use_slot(owner, cycle);
    }
}

/* All events and credits of both parts that are still to come. Less than a turn of the wheel ahead, as all events
 * are. */
static void move_events(const struct move *move, uint64_t now)
{
    struct sorting sorted = {{NULL, 0, 0}, {NULL, 0, 0}};
    for (uint64_t cycle = now + 1; cycle <= now + move->from->wheel_mask; cycle++) {
        sorted.events.count = sorted.credits.count = 0;
        take_credits(move, move->from, cycle, &sorted.credits);
        take_credits(move, move->to, cycle, &sorted.credits);
        sort_out(move, move->from, cycle, &sorted);
        sort_out(move, move->to, cycle, &sorted);
        place(move, cycle, &sorted);
    }
    free(sorted.events.items);
    free(sorted.credits.items);
}

/* Of the driver of a link whether another part is to know when it is left. */
static void mark_foreign(const struct net_packet_engine *engine, uint32_t block, uint32_t local)
{
    struct net_packet_router *router = net_packet_block_at(engine->state, block);
    uint32_t source = net_packet_line_at(router, local)->source;
    bool foreign = source != NET_NONE && owner_of(engine, source) != owner_of(engine, block);
    router->foreign = (router->foreign & ~BIT(local)) | (uint64_t)foreign << local;
}

/* That of all links of the routers that have moved. */
static void mark_links(const struct move *move)
{
    const struct net_packet_engine *engine = move->engine;
    for (uint32_t block = move->first_block; block != move->last_block; block += (uint32_t)engine->stride)
        for (uint32_t local = 0; local < engine->first_ejection; local++) {
            uint32_t target = net_packet_line_at(net_packet_block_at(engine->state, block), local)->target;
            mark_foreign(engine, block, local);
            if (target != NET_NONE)
                mark_foreign(engine, target, local);
        }
}

/* The routers that move, and their neighbours. */
static void mark_near(const struct move *move)
{
    const struct net_packet_engine *engine = move->engine;
    for (uint32_t block = move->first_block; block != move->last_block; block += (uint32_t)engine->stride) {
        move->near[net_packet_number_of(engine, block)] = true;
        for (uint32_t local = 0; local < engine->first_ejection; local++) {
            const struct net_packet_line *line =
                net_packet_line_at(net_packet_block_at(engine->state, block), local);
            if (line->target != NET_NONE)
                move->near[net_packet_number_of(engine, line->target)] = true;
            if (line->source != NET_NONE)
                move->near[net_packet_number_of(engine, line->source)] = true;
        }
    }
}

/* ---- a border ---- */

/* Parts lie one behind the other, so that `ends` says all: the part of a block is the first whose end is behind
 * it. */
void net_packet_parts_bound(struct net_packet_engine *engine, uint32_t number, uint32_t first, uint32_t count)
{
    struct net_packet_part *part = &engine->parts[number];
    part->first_router = first;
    part->router_count = count;
    part->first_block = net_packet_block_of(engine, first);
    part->bytes = net_packet_block_of(engine, count);
    engine->ends[number] = part->first_block + part->bytes;
}

/* The order matters: what moves is found by the old border, what is placed by the new one. */
static int move_all(const struct move *move, uint32_t left, uint32_t border)
{
    struct net_packet_engine *engine = move->engine;
    struct net_packet_part *a = &engine->parts[left], *b = a + 1;
    uint32_t end = b->first_router + b->router_count;
    for (uint32_t block = move->first_block; block != move->last_block; block += (uint32_t)engine->stride)
        move_router(move, block);
    for (uint32_t parity = 0; parity < 2; parity++)
        move_blocks(move, &move->from->active[parity], &move->to->active[parity]);
    move_joins(move);
    for (uint32_t slot = 0; slot <= move->from->wheel_mask; slot++)
        move_ending(move, &move->from->endings[slot].packets, &move->to->endings[slot].packets);
    mark_near(move);
    net_packet_parts_bound(engine, left, a->first_router, border - a->first_router);
    net_packet_parts_bound(engine, left + 1, border, end - border);
    mark_links(move);
    move_events(move, engine->network.now);
    return a->out_of_memory || b->out_of_memory ? -1 : 0;
}

/* Time in proportion to what moves and to the events of both parts. */
int net_packet_parts_move(struct net_packet_engine *engine, uint32_t left, int32_t routers)
{
    struct net_packet_part *a = &engine->parts[left], *b = a + 1;
    uint32_t border = b->first_router, other = (uint32_t)((int32_t)border + routers);
    const struct move move = {.engine = engine,
                              .from = routers < 0 ? a : b,
                              .to = routers < 0 ? b : a,
                              .first_block = net_packet_block_of(engine, routers < 0 ? other : border),
                              .last_block = net_packet_block_of(engine, routers < 0 ? border : other),
                              .near = calloc(engine->routers, sizeof *move.near)};
    if (move.near == NULL)
        return -1;
    int result = move_all(&move, left, other);
    free(move.near);
    return result;
}
