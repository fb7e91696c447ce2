/* The packet-grant engine's hot loop. See engine-internal.h for the state, doc/flit-engine.md for the rules.
 *
 *     run_events     mail            headers arrive, departures are seen          read_mail
 *                    events of t     ends of packets free outputs, links, drivers
 *                                    and room: sleepers wake                      end_packet, wake
 *     run_routers    heads ask (rule 3), outputs grant (rule 4), links start (5)  run_router
 *
 * Within a cycle routers are visited in any order: a grant in cycle t changes nothing that another router
 * reads in t. The one order that matters is that all end events of a cycle come before any push into a buffer.
 *
 * Every function here takes the shape of a router and is inlined into run_events and run_routers of each line
 * of engine-shapes.def, where the shape is a literal: so the compiler makes a kernel for each, in which
 * offsets are constants and what a shape does not need is gone. One more copy, with the shape of the network,
 * serves all others, and all latencies and arbiters. */
#include "base/random.h"
#include "netmodel/engine-internal.h"

#include <stdlib.h>

#define INLINE inline __attribute__((always_inline))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define WAKE_COUNTS UINT16_C(0x8000) /* in net_output.length */
#define COPY UINT16_C(0x4000)        /* likewise: the driver's packet stays for another output */
#define LENGTH UINT16_C(0x3FFF)
#define AHEAD 8 /* events and routers between fetching and using */
#define NEAR 2  /* the same where the state is small */
#define BIT(number) (UINT64_C(1) << (number))

/* What does not change while a kernel runs: literals, and copies. */
struct net_given {
    struct net_shape shape;
    struct net_constants constants;
    char *state;
};

/* ---- the time wheel ---- */

/* A failure is noted and told by advance, so that the hot loop need not return one; the event that takes the
 * place of another does not matter, since the run ends. Slots have some room from the start (engine.c). */
static __attribute__((noinline)) void grow_slot(struct net_part *part, struct net_slot *slot)
{
    uint32_t *events = realloc(slot->events, 2 * (size_t)slot->capacity * sizeof *events);
    if (events == NULL) {
        part->out_of_memory = true;
        slot->count--;
        return;
    }
    slot->events = events;
    slot->capacity *= 2;
}

/* Notes an event for a cycle less than a whole turn of the wheel ahead, which every end of a packet and every
 * crossing is. The bit of the slot is what next_event finds, so that empty cycles are skipped a word at a time.
 */
static INLINE void schedule(struct net_part *part, uint64_t cycle, enum net_event kind, uint32_t router,
                            uint32_t local)
{
    uint32_t index = (uint32_t)cycle & part->wheel_mask;
    struct net_slot *slot = &part->wheel[index];
    if (UNLIKELY(slot->count == slot->capacity))
        grow_slot(part, slot);
    uint32_t count = slot->count++;
    slot->events[count] = (uint32_t)kind << NET_EVENT_SHIFT | router << NET_LOCAL_BITS | local;
    if (count == 0)
        part->wheel_used[index / 64] |= BIT(index % 64);
}

/* ---- room, needs and sleepers (rule 6) ---- */

/* On a ring the driver with the output's own number is the buffer that continues it: it may use the last free
 * place; whoever enters must leave one. Packets are counted with the largest length there, so that the free
 * place fits whatever comes next. Counted from net_plenty, as spare is. */
static INLINE int32_t need_of(const struct net_given given, uint32_t local, uint32_t driver, uint32_t length)
{
    if ((given.constants.rings >> local & 1) == 0)
        return (int32_t)length - (int32_t)given.constants.largest;
    return driver == local ? -(int32_t)given.constants.largest : 0;
}

/* What a grant takes from the room and the end of the packet's departure gives back. On a ring that is a whole
 * place, however short the packet: both sides must use the same number, or the room drifts. */
static INLINE int32_t reservation(const struct net_given given, uint64_t bit, uint32_t length)
{
    return (int32_t)((given.constants.rings & bit) != 0 ? given.constants.largest : length);
}

/* Every change of the room that an event or a grant makes goes through here, so that headers find in one mask which
 * outputs have plenty: any packet fits where the bit is clear, also one that enters a ring. */
static INLINE void change_room(struct net_router *router, uint64_t bit, struct net_output *output, int32_t by)
{
    output->spare += by;
    router->tight = (router->tight & ~bit) | (-(uint64_t)(output->spare < 0) & bit);
}

/* The room in a cycle: while a packet leaves the next buffer it grows by the flits that have left, a flit a
 * cycle since the departure, without any event. It cannot grow beyond what the end of the departure makes of
 * it: that comes in the cycle in which the last flit is counted. */
static INLINE int32_t room_at(const struct net_output *output, uint64_t cycle)
{
    if (output->departing == 0)
        return output->spare;
    return output->spare + (uint16_t)(cycle - output->departure);
}

/* Wakes everyone who sleeps on the output, in this cycle. Masks of outputs that a driver no longer wants may
 * still name it: it is then evaluated once more for nothing. Drivers whose head got a grant elsewhere in the
 * meantime are not eligible, and stay out. */
static INLINE void wake(struct net_part *part, struct net_router *router, uint32_t index,
                        struct net_output *output, uint64_t cycle, const bool ejection)
{
    uint64_t drivers = output->waiting & router->eligible;
    output->waiting = 0;
    if (!ejection) { /* which has no room, and something else in its place */
        output->need_least = NET_NEED_NONE;
        output->length &= (uint16_t)~WAKE_COUNTS;
    }
    if (drivers != 0)
        net_make_pending(part, router, index, drivers, cycle);
}

/* A free output with sleepers whose next buffer is being left: wakes them in the cycle in which the room
 * reaches the least need, unless the end of the departure comes first (that wakes them anyway). Only one timed
 * wake-up counts, the earliest; those that it replaces stay in the wheel and are found to be void by their
 * cycle. The room may stand below zero: the shortfall is a signed number. */
static INLINE void schedule_crossing(struct net_part *part, uint32_t index, uint32_t local,
                                     struct net_output *output, uint64_t cycle)
{
    int32_t shortfall = output->need_least - output->spare;
    if (output->need_least == NET_NEED_NONE || shortfall <= 0 || shortfall >= output->departing)
        return;
    uint64_t crossing = cycle - (uint16_t)(cycle - output->departure) + (uint32_t)shortfall;
    if ((output->length & WAKE_COUNTS) != 0 &&
        (uint16_t)(output->wake - cycle) <= (uint16_t)(crossing - cycle))
        return;
    output->wake = (uint16_t)crossing;
    output->length |= WAKE_COUNTS;
    schedule(part, crossing, NET_EVENT_WAKE, index, local);
}

/* The next buffer's packet has left: its place is free. */
static INLINE void return_credit(struct net_part *part, struct net_router *router, uint32_t index,
                                 uint32_t local, struct net_output *output, uint32_t length, uint64_t cycle,
                                 const struct net_given given)
{
    output->departing = 0;
    change_room(router, BIT(local), output, reservation(given, BIT(local), length));
    if (output->waiting != 0 && output->spare >= output->need_least)
        wake(part, router, index, output, cycle, false);
}

/* The next buffer's packet begins to leave. When the output is busy its own end event sees to the sleepers. */
static INLINE void begin_departure(struct net_part *part, const struct net_router *router, uint32_t index,
                                   uint32_t local, struct net_output *output, uint32_t length,
                                   uint64_t start, uint64_t cycle)
{
    output->departure = (uint16_t)start;
    output->departing = (uint16_t)length;
    if (output->waiting != 0 && (router->busy >> local & 1) == 0)
        schedule_crossing(part, index, local, output, cycle);
}

/* ---- queues ---- */

/* The driver's head may be routed from the cycle on; none, if the mask is empty: then nothing happens, without a
 * branch, since in the middle of traffic nobody could predict it. */
static INLINE void may_ask(struct net_part *part, struct net_router *router, uint32_t index, uint64_t driver,
                           uint64_t cycle)
{
    router->eligible |= driver;
    net_make_pending(part, router, index, driver, cycle);
}

/* The header's packet enters a buffer, where it may be routed in the cycle. Behind others it waits in the pool,
 * becomes the head when the one before it departs (take_head), and may ask when that is gone (end_packet). */
static INLINE void push(struct net_part *part, uint32_t index, uint32_t local, const struct net_entry entry,
                        uint16_t hops, uint64_t cycle, const struct net_given given)
{
    struct net_router *router = net_router_at(given.state, index, given.shape);
    struct net_driver *driver = net_driver_at(router, local);
    uint32_t head = net_entry_packet(driver->head.rest);
    if (head != NET_NO_PACKET) {
        uint32_t number = net_entry_packet(entry.rest);
        struct net_packet *packet = &part->packets[number];
        packet->entry = entry;
        packet->hops = hops;
        part->packets[driver->tail != NET_NO_PACKET ? driver->tail : head].next = number;
        driver->tail = number;
        return;
    }
    driver->head = entry;
    driver->hops = hops;
    may_ask(part, router, index, (uint64_t)!driver->departing << local, cycle);
}

/* The next packet of a buffer to its head. */
static INLINE void take_head(const struct net_part *part, struct net_driver *driver)
{
    if (driver->tail == NET_NO_PACKET) {
        driver->head.rest = NET_NO_PACKET;
        return;
    }
    uint32_t next = part->packets[net_entry_packet(driver->head.rest)].next;
    const struct net_packet *packet = &part->packets[next];
    driver->head = packet->entry;
    driver->hops = packet->hops;
    if (driver->tail == next)
        driver->tail = NET_NO_PACKET;
}

/* ---- mail: between parts, and over time ---- */

/* Whether a router's state may be written now: it is this part's, and nothing takes time on the way. */
static INLINE bool at_hand(const struct net_part *part, uint32_t router, const struct net_given given)
{
    return given.shape.whole || (given.shape.plain && router - part->first_router < part->router_count);
}

static uint32_t part_number(const struct net_part *part, uint32_t router)
{
    return part->engine->part_count == 1 ? 0 : router / part->engine->parts[0].router_count;
}

/* The entry of a packet as mail has it: ways are numbered by each part for itself. */
static __attribute__((noinline)) void post_push(struct net_part *part, uint32_t router, uint32_t local,
                                                const struct net_entry entry, uint16_t hops, uint64_t cycle)
{
    const struct net_options *options = &part->engine->network.options;
    uint16_t way = net_entry_way(entry.rest);
    struct net_mail mail = {.header = way < NET_WAY_COPIES ? part->ways.headers[way] : entry.word,
                            .packet = net_entry_packet(entry.rest),
                            .router = router,
                            .length = (uint16_t)net_entry_length(entry.rest),
                            .hops = hops,
                            .local = (uint8_t)local,
                            .kind = way == NET_WAY_COPIES ? NET_MAIL_COPY : NET_MAIL_PUSH};
    uint32_t to = part_number(part, router);
    net_post(part, to, cycle + options->link_cycles + options->router_cycles - 1, &mail);
    if (part->engine->queues == NULL)
        return;
    mail.kind = NET_MAIL_ARRIVAL;
    net_post(part, to, cycle + options->link_cycles, &mail);
}

static __attribute__((noinline)) void post_departure(struct net_part *part, uint32_t router, uint32_t local,
                                                     uint32_t length, uint64_t cycle)
{
    const struct net_mail mail = {
        .router = router, .length = (uint16_t)length, .local = (uint8_t)local, .kind = NET_MAIL_DEPART};
    net_post(part, part_number(part, router), cycle + part->engine->network.options.credit_cycles, &mail);
}

/* An arrival begins when the one before it is complete: a buffer has one link. */
static void note_arrival(const struct net_part *part, const struct net_mail *mail, uint64_t cycle)
{
    const struct net_packet_engine *engine = part->engine;
    struct net_queue *queue = &engine->queues[(size_t)mail->router * engine->drivers_per_router + mail->local];
    queue->flits += queue->arriving;
    queue->arriving = mail->length;
    queue->start = cycle;
}

static void read_push(struct net_part *part, const struct net_mail *mail, uint64_t cycle,
                      const struct net_given given)
{
    uint16_t way =
        mail->kind == NET_MAIL_COPY ? NET_WAY_COPIES : net_ways_find(&part->ways, mail->header);
    const struct net_entry entry = {
        .word = way < NET_WAY_COPIES ? part->packets[mail->packet].key : mail->header,
        .rest = net_entry_rest(mail->packet, way, mail->length),
    };
    push(part, mail->router, mail->local, entry, mail->hops, cycle, given);
}

/* A departure is seen when its first flit is: its last one P - 1 cycles later. */
static void read_departure(struct net_part *part, const struct net_mail *mail, uint64_t cycle,
                           const struct net_given given)
{
    struct net_router *router = net_router_at(given.state, mail->router, given.shape);
    struct net_output *output = net_output_at(router, mail->local);
    begin_departure(part, router, mail->router, mail->local, output, mail->length, cycle - 1, cycle);
    schedule(part, cycle - 1 + mail->length, NET_EVENT_CREDIT, mail->router, mail->local);
}

/* What the parts have written for this cycle. */
static void read_mail(struct net_part *part, uint64_t cycle, const struct net_given given)
{
    const struct net_packet_engine *engine = part->engine;
    uint32_t slots = engine->mail_mask + 1, slot = (uint32_t)cycle & engine->mail_mask;
    for (uint32_t from = 0; from < engine->part_count; from++) {
        struct net_mailbox *box = &engine->parts[from].out[part->number * slots + slot];
        for (uint32_t i = 0; i < box->count; i++) {
            const struct net_mail *mail = &box->mails[i];
            if (mail->kind == NET_MAIL_PUSH || mail->kind == NET_MAIL_COPY)
                read_push(part, mail, cycle, given);
            else if (mail->kind == NET_MAIL_DEPART)
                read_departure(part, mail, cycle, given);
            else
                note_arrival(part, mail, cycle);
        }
        box->count = 0;
    }
}

/* ---- end events ---- */

/* The packet's tail has left its driver: the place it had reserved there is free, the next packet may ask. An
 * injector has no buffer behind it and no room to give back: it makes its next packet instead. */
static INLINE void release_driver(struct net_part *part, struct net_router *router, uint32_t index,
                                  uint32_t local, uint32_t length, uint64_t cycle,
                                  const struct net_given given)
{
    struct net_driver *driver = net_driver_at(router, local);
    driver->departing = false;
    if (local >= net_shape_links(given.shape)) {
        struct net_line *injector = net_line_at(router, local);
        if (injector->notice != NET_NONE)
            net_tell_sent(part, injector->notice);
        injector->notice = NET_NONE;
        net_make_head(part, index, local, cycle);
        return;
    }
    may_ask(part, router, index, (uint64_t)(net_entry_packet(driver->head.rest) != NET_NO_PACKET) << local, cycle);
    uint32_t source = net_line_at(router, local)->source;
    if (!at_hand(part, source, given))
        return; /* it has had mail, and an event of its own comes */
    struct net_router *upstream = net_router_at(given.state, source, given.shape);
    return_credit(part, upstream, source, local, net_output_at(upstream, local), length, cycle, given);
}

/* All outputs of the link of a port. */
static INLINE uint64_t link_outputs(uint32_t port, const struct net_given given)
{
    return (BIT(given.shape.channels) - 1) << (port * given.shape.channels);
}

/* A link is free that has granted channels: the router is to be visited. The driver of one of them stands for
 * that among the pending ones: it holds a grant, so that nothing can make it eligible before it has left. */
static INLINE void visit_link(struct net_part *part, struct net_router *router, uint32_t index, uint64_t ready,
                              uint64_t cycle)
{
    uint32_t local = (uint32_t)__builtin_ctzll(ready);
    net_make_pending(part, router, index, BIT(net_output_at(router, local)->driver), cycle);
}

/* The end event of an output: its packet's tail crossed in cycle - 1. Everything that this frees is freed for
 * this cycle: the output, its link, the driver and its place in the buffer, and all who slept on any of it and
 * can now have it are asked again. */
static INLINE void end_packet(struct net_part *part, uint32_t index, uint32_t local, uint64_t cycle,
                              const struct net_given given)
{
    struct net_router *router = net_router_at(given.state, index, given.shape);
    struct net_output *output = net_output_at(router, local);
    bool ejection = local >= net_shape_links(given.shape);
    router->busy &= ~BIT(local);
    if (given.shape.channels > 1 && !ejection) {
        uint64_t link = link_outputs(local / given.shape.channels, given);
        router->link_busy &= ~link;
        if ((router->ready & link) != 0)
            visit_link(part, router, index, router->ready & link, cycle);
    }
    if (!given.shape.copies || (output->length & COPY) == 0)
        release_driver(part, router, index, output->driver, output->length & LENGTH, cycle, given);
    if (ejection)
        net_deliver(part, output->packet, cycle);
    if (output->waiting == 0)
        return;
    if (ejection || room_at(output, cycle) >= output->need_least)
        wake(part, router, index, output, cycle, ejection);
    else
        schedule_crossing(part, index, local, output, cycle);
}

static INLINE uint32_t event_router(uint32_t event)
{
    return (event & (uint32_t)(BIT(NET_EVENT_SHIFT) - 1)) >> NET_LOCAL_BITS;
}

static INLINE uint32_t event_local(uint32_t event)
{
    return event & (uint32_t)(BIT(NET_LOCAL_BITS) - 1);
}

/* The events that are not the end of a packet. Timed wake-ups count only when the output still names this
 * cycle: others have been replaced or overtaken. */
static void run_other_event(struct net_part *part, uint32_t event, uint64_t cycle,
                            const struct net_given given)
{
    uint32_t index = event_router(event), local = event_local(event);
    struct net_router *router = net_router_at(given.state, index, given.shape);
    struct net_output *output = net_output_at(router, local);
    if (event >> NET_EVENT_SHIFT == NET_EVENT_CREDIT)
        return_credit(part, router, index, local, output, output->departing, cycle, given);
    else if ((output->length & WAKE_COUNTS) != 0 && output->wake == (uint16_t)cycle)
        wake(part, router, index, output, cycle, false);
}

/* Ahead of an end event: first the lines of its router and output, then, when the latter tells the driver, the
 * driver's and that of the output upstream. Little state is near already: one step, and not far ahead. */
static INLINE void fetch_event(const struct net_slot *slot, uint32_t i, bool large, const struct net_given given)
{
    if (!large) {
        uint32_t event = slot->events[i + NEAR < slot->count ? i + NEAR : i];
        struct net_router *router = net_router_at(given.state, event_router(event), given.shape);
        __builtin_prefetch(router, 1);
        __builtin_prefetch(net_line_at(router, event_local(event)), 1);
        return;
    }
    if (i + 2 * AHEAD < slot->count) {
        uint32_t event = slot->events[i + 2 * AHEAD];
        struct net_router *router = net_router_at(given.state, event_router(event), given.shape);
        __builtin_prefetch(router, 1);
        __builtin_prefetch(net_line_at(router, event_local(event)), 1);
    }
    if (i + AHEAD < slot->count) {
        uint32_t event = slot->events[i + AHEAD];
        struct net_router *router = net_router_at(given.state, event_router(event), given.shape);
        uint32_t driver = net_output_at(router, event_local(event))->driver;
        __builtin_prefetch(net_line_at(router, driver), 1);
    }
    if (i + AHEAD / 2 < slot->count) {
        uint32_t event = slot->events[i + AHEAD / 2];
        struct net_router *router = net_router_at(given.state, event_router(event), given.shape);
        uint32_t driver = net_output_at(router, event_local(event))->driver;
        uint32_t source = net_line_at(router, driver)->source;
        if (driver < net_shape_links(given.shape))
            __builtin_prefetch(net_line_at(net_router_at(given.state, source, given.shape), driver), 1);
    }
}

/* All events of a cycle. They come before anything else in it: see the note at the top. */
static INLINE void run_events(struct net_part *part, uint64_t cycle, const struct net_given given)
{
    if (part->out != NULL)
        read_mail(part, cycle, given);
    uint32_t index = (uint32_t)cycle & part->wheel_mask;
    if ((part->wheel_used[index / 64] & BIT(index % 64)) == 0)
        return;
    part->wheel_used[index / 64] &= ~BIT(index % 64);
    struct net_slot *slot = &part->wheel[index];
    uint32_t count = slot->count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t event = slot->events[i];
        fetch_event(slot, i, part->large, given);
        if (LIKELY(event >> NET_EVENT_SHIFT == NET_EVENT_END))
            end_packet(part, event_router(event), event_local(event), cycle, given);
        else
            run_other_event(part, event, cycle, given);
    }
    slot->count = 0;
}

/* ---- grants and starts (rules 4 and 5) ---- */

/* The packet leaves its injector: what is told when its tail has left is known now. Packets of a message leave
 * in the order of their numbers, since one injector has them all. */
static INLINE void leave_injector(struct net_part *part, struct net_router *router, uint32_t index,
                                  uint32_t local, uint64_t rest, const struct net_given given)
{
    const struct net_packet_engine *engine = part->engine;
    struct net_line *injector = net_line_at(router, local);
    const struct net_packet *packet = &part->packets[net_entry_packet(rest)];
    const struct net_flight *flight = &engine->flights[packet->message];
    injector->flits += net_entry_length(rest);
    if (flight->notice_sent && packet->number + 1 == flight->packets)
        injector->notice = packet->message;
    injector->driver.head.rest = NET_NO_PACKET;
    if (!given.shape.plain && engine->queues != NULL)
        engine->queues[(size_t)index * engine->drivers_per_router + local].flits -= net_entry_length(rest);
}

/* The output's packet leaves its driver, whose room upstream grows from now on. */
static INLINE void leave_buffer(struct net_part *part, struct net_router *router, uint32_t index,
                                uint32_t local, uint32_t length, uint64_t cycle,
                                const struct net_given given)
{
    const struct net_packet_engine *engine = part->engine;
    struct net_line *line = net_line_at(router, local);
    uint32_t source = line->source;
    if (!at_hand(part, source, given)) {
        post_departure(part, source, local, length, cycle);
        if (!given.shape.plain && engine->queues != NULL)
            engine->queues[(size_t)index * engine->drivers_per_router + local].flits -= length;
    } else if ((given.constants.places >> local & 1) == 0) {
        struct net_router *upstream = net_router_at(given.state, source, given.shape);
        begin_departure(part, upstream, source, local, net_output_at(upstream, local), length, cycle, cycle);
    }
    take_head(part, &line->driver);
}

/* The entry after a step by the port: what is remembered, else what the routing says. */
static __attribute__((noinline)) struct net_entry step_slowly(struct net_part *part, uint32_t index,
                                                              struct net_entry entry, uint32_t port)
{
    const struct net_routing *routing = part->ways.routing;
    uint16_t way = net_entry_way(entry.rest), next = NET_WAY_RAW;
    if (way != NET_WAY_RAW) {
        entry.word = part->ways.headers[way];
        next = net_ways_step(&part->ways, way, port);
    }
    uint32_t packet = net_entry_packet(entry.rest);
    entry.word = next == NET_WAY_RAW ? routing->kind->step(routing, index, entry.word, port)
                                     : part->packets[packet].key;
    entry.rest = net_entry_rest(packet, next, net_entry_length(entry.rest));
    return entry;
}

static INLINE struct net_entry step(struct net_part *part, uint32_t index, struct net_entry entry,
                                    uint32_t port, const struct net_given given)
{
    uint16_t way = net_entry_way(entry.rest), next = NET_WAY_RAW;
    if (LIKELY(way != NET_WAY_RAW))
        next = net_way_at(&part->ways, way, given.shape.ports)->step[port];
    if (UNLIKELY(next >= NET_WAY_UNKNOWN))
        return step_slowly(part, index, entry, port);
    entry.rest += ((uint64_t)next - way) << NET_ENTRY_WAY;
    return entry;
}

/* Kept out of the usual path, in which there is one program and nobody to tell. */
static __attribute__((noinline)) void count_crossing(const struct net_part *part, uint32_t from, uint32_t to,
                                                     uint64_t rest, uint32_t length)
{
    const struct net_packet_engine *engine = part->engine;
    uint32_t message = engine->packets[net_entry_packet(rest)].message;
    net_network_crosses(&engine->network, engine->flights[message].source, from, to, length);
}

/* What a terminal's ejection channel carries, and counts. */
static INLINE void start_ejection(const struct net_part *part, struct net_output *ejection, uint32_t packet,
                                  uint32_t length, uint16_t hops)
{
    ejection->ejected[0] += length;
    ejection->ejected[1] += ejection->ejected[0] < length;
    ejection->packet = packet;
    part->packets[packet].hops = hops;
}

/* The same as start for an output of a multicast's packet. It leaves its driver with the last output that it
 * needs there; until then a copy of it goes. What has to be granted in the next router is known here. */
static __attribute__((noinline)) void start_copy(struct net_part *part, struct net_router *router,
                                                 uint32_t index, uint32_t local, uint32_t driver_local,
                                                 uint64_t cycle, const struct net_given given)
{
    struct net_line *line = net_line_at(router, local);
    struct net_driver *driver = net_driver_at(router, driver_local);
    uint32_t number = net_entry_packet(driver->head.rest), length = net_entry_length(driver->head.rest);
    uint16_t hops = driver->hops;
    bool last = --part->packets[number].unstarted == 0 && driver->head.word == 0;
    schedule(part, cycle + length, NET_EVENT_END, index, local);
    if (!last) {
        line->output.length |= COPY;
        number = net_copy_packet(part, number);
        if (number == NET_NO_PACKET)
            return;
    } else {
        driver->departing = true;
        if (driver_local >= net_shape_links(given.shape))
            leave_injector(part, router, index, driver_local, driver->head.rest, given);
        else
            leave_buffer(part, router, index, driver_local, length, cycle, given);
    }
    uint32_t links = net_shape_links(given.shape);
    if (local >= links) {
        part->packets[number].terminal =
            index * part->engine->concentration + (local - links) / part->consumers_each;
        start_ejection(part, &line->output, number, length, hops);
        return;
    }
    line->flits += length;
    if (UNLIKELY(given.constants.owned))
        count_crossing(part, index, line->target, net_entry_rest(number, 0, length), length);
    const struct net_entry entry = {
        .word = net_copies_needed(part->engine, part->packets[number].message, line->target),
        .rest = net_entry_rest(number, NET_WAY_COPIES, length),
    };
    if (at_hand(part, line->target, given))
        push(part, line->target, local, entry, (uint16_t)(hops + 1), cycle + 1, given);
    else
        post_push(part, line->target, local, entry, (uint16_t)(hops + 1), cycle);
}

/* The packet crosses from this cycle on, a flit a cycle. Its header is in the next router already in the next
 * cycle (cut-through), and its end event comes when the tail has crossed. An ejection channel ends here: there
 * is no next buffer. */
static INLINE void start(struct net_part *part, struct net_router *router, uint32_t index, uint32_t local,
                         uint32_t driver_local, uint64_t cycle, const struct net_given given)
{
    struct net_driver *driver = net_driver_at(router, driver_local);
    struct net_entry entry = driver->head;
    uint16_t hops = driver->hops;
    if (given.shape.copies && net_entry_way(entry.rest) == NET_WAY_COPIES) {
        start_copy(part, router, index, local, driver_local, cycle, given);
        return;
    }
    uint32_t length = net_entry_length(entry.rest);
    if (UNLIKELY((hops & NET_LATE) != 0)) {
        hops &= (uint16_t)~NET_LATE;
        net_end_wait(part, router, index, driver_local, local, cycle);
    }
    driver->departing = true;
    schedule(part, cycle + length, NET_EVENT_END, index, local);
    if (driver_local >= net_shape_links(given.shape))
        leave_injector(part, router, index, driver_local, entry.rest, given);
    else
        leave_buffer(part, router, index, driver_local, length, cycle, given);
    struct net_line *line = net_line_at(router, local);
    if (local >= net_shape_links(given.shape)) {
        start_ejection(part, &line->output, net_entry_packet(entry.rest), length, hops);
        return;
    }
    line->flits += length;
    if (UNLIKELY(given.constants.owned))
        count_crossing(part, index, line->target, entry.rest, length);
    entry = step(part, index, entry, local / given.shape.channels, given);
    if (at_hand(part, line->target, given))
        push(part, line->target, local, entry, (uint16_t)(hops + 1), cycle + 1, given);
    else
        post_push(part, line->target, local, entry, (uint16_t)(hops + 1), cycle);
}

/* The first bit at or cyclically after a number: what round robin means. The mask is turned, so that there is
 * no branch. */
static INLINE uint32_t first_from(uint64_t mask, uint32_t from)
{
    uint64_t turned = mask >> from | mask << (-from & 63);
    return (from + (uint32_t)__builtin_ctzll(turned)) & 63;
}

/* An output is granted to a packet of a multicast: of an ejection channel, whichever of its terminal's. Returns
 * whether it needs no more. */
static INLINE bool note_grant(const struct net_part *part, struct net_driver *driver, uint32_t local,
                              const struct net_given given)
{
    uint32_t links = net_shape_links(given.shape);
    if (local >= links)
        local -= (local - links) % part->consumers_each;
    driver->head.word &= ~BIT(local);
    part->packets[net_entry_packet(driver->head.rest)].unstarted++;
    return driver->head.word == 0;
}

/* Rule 4: the requests of the output are in the mask. The pointer moves on only when something was granted,
 * which is what makes the arbiter fair. `granted`: all outputs of the router that are granted in this cycle;
 * where no other is of the same link, a free link starts at once. */
static INLINE void grant(struct net_part *part, struct net_router *router, uint32_t index, uint32_t local,
                         uint64_t requests, uint64_t cycle, uint64_t granted, const struct net_given given)
{
    struct net_output *output = net_output_at(router, local);
    uint32_t drivers = net_shape_links(given.shape) + given.shape.injectors;
    uint32_t driver = first_from(requests, output->pointer);
    if (!given.shape.plain && (requests & (requests - 1)) != 0)
        driver = net_arbitrate(part, router, index, local, requests, driver, cycle);
    output->pointer = (uint8_t)(driver + 1 == drivers ? 0 : driver + 1);
    uint64_t losers = requests & ~BIT(driver);
    if (losers != 0)
        net_make_pending(part, router, index, losers, cycle + 1);
    for (uint64_t left = given.constants.waits ? losers : 0; left != 0; left &= left - 1)
        net_begin_wait(part, router, index, (uint32_t)__builtin_ctzll(left), cycle);
    uint64_t rest = net_driver_at(router, driver)->head.rest;
    uint32_t length = net_entry_length(rest);
    if (!given.shape.copies || net_entry_way(rest) != NET_WAY_COPIES ||
        note_grant(part, net_driver_at(router, driver), local, given))
        router->eligible &= ~BIT(driver);
    router->busy |= BIT(local);
    output->driver = (uint8_t)driver;
    output->length = (uint16_t)((output->length & WAKE_COUNTS) | length);
    if (local >= net_shape_links(given.shape)) {
        start(part, router, index, local, driver, cycle, given);
        return;
    }
    change_room(router, BIT(local), output, -reservation(given, BIT(local), length));
    if (given.shape.channels > 1) {
        uint32_t port = local / given.shape.channels;
        uint64_t link = link_outputs(port, given);
        if (((router->link_busy | router->ready | (granted & ~BIT(local))) & link) != 0) {
            router->ready |= BIT(local);
            if (given.constants.waits)
                net_begin_wait(part, router, index, driver, cycle);
            return;
        }
        router->link_busy |= link;
        uint32_t channel = local - port * given.shape.channels;
        net_driver_at(router, port * given.shape.channels)->pointer =
            (uint8_t)(channel + 1 == given.shape.channels ? 0 : channel + 1);
    }
    start(part, router, index, local, driver, cycle, given);
}

/* Rule 5: every free link with granted channels starts one of them. Links that stay busy come back by their
 * end event. */
static INLINE void start_links(struct net_part *part, struct net_router *router, uint32_t index,
                               uint64_t cycle, const struct net_given given)
{
    uint64_t startable;
    while ((startable = router->ready & ~router->link_busy) != 0) {
        uint32_t port = (uint32_t)__builtin_ctzll(startable) / given.shape.channels;
        uint64_t link = link_outputs(port, given);
        uint8_t *pointer = &net_driver_at(router, port * given.shape.channels)->pointer;
        uint64_t granted = startable & link;
        uint32_t local = first_from(granted, port * given.shape.channels + *pointer);
        if (!given.shape.plain && (granted & (granted - 1)) != 0)
            local = net_arbitrate_link(part, router, index, granted, local, cycle);
        uint32_t channel = local - port * given.shape.channels;
        *pointer = (uint8_t)(channel + 1 == given.shape.channels ? 0 : channel + 1);
        router->ready &= ~BIT(local);
        router->link_busy |= link;
        start(part, router, index, local, net_output_at(router, local)->driver, cycle, given);
    }
}

/* ---- headers (rule 3) ---- */

/* Those of the candidates that have room. Most have plenty; of the others those are looked at that may have
 * enough all the same: for a short packet, for one that goes on along its ring, or while a packet leaves.
 * Nothing is noted at the rest: whether the driver sleeps on them is known only when no tier has any. */
static INLINE uint64_t with_room(struct net_router *router, uint64_t candidates, uint32_t driver,
                                 uint32_t length, uint64_t cycle, const struct net_given given)
{
    uint64_t available = candidates & ~router->tight;
    candidates &= router->tight & (~given.constants.places | BIT(driver));
    for (; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        const struct net_output *output = net_output_at(router, local);
        if (room_at(output, cycle) >= need_of(given, local, driver, length))
            available |= BIT(local);
    }
    return available;
}

/* On all tiers' outputs, busy or without room: whichever changes first may be the one. A busy output wakes by
 * its end event; a free one may need a timed crossing. */
static INLINE void sleep_on(struct net_part *part, struct net_router *router, uint32_t index,
                            uint64_t candidates, uint32_t driver, uint32_t length, uint64_t cycle,
                            const struct net_given given)
{
    for (; candidates != 0; candidates &= candidates - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(candidates);
        struct net_output *output = net_output_at(router, local);
        int32_t need = need_of(given, local, driver, length);
        output->waiting |= BIT(driver);
        if (need < output->need_least)
            output->need_least = (int16_t)need;
        if ((router->busy >> local & 1) == 0)
            schedule_crossing(part, index, local, output, cycle);
    }
}

/* A draw that depends on the packet and the cycle only, so neither the order of evaluation nor skipping one
 * disturbs any other. Of two candidates the draw's first bit takes one, without a branch that nobody could
 * predict; of more the lowest is cleared as often as the draw says. */
static INLINE uint64_t choose(uint64_t key, uint64_t available, uint64_t cycle)
{
    uint64_t first = available & -available, others = available ^ first;
    if ((others & (others - 1)) == 0)
        return first ^ ((first ^ others) & -(base_hash_second(key, cycle) >> 63));
    uint32_t count = (uint32_t)__builtin_popcountll(available);
    for (uint32_t skip = base_scale(base_hash_second(key, cycle), count); skip != 0; skip--)
        available &= available - 1;
    return available & -available;
}

/* The ejection channels of the packet's terminal that are free, or 0 when the driver goes to sleep on them. */
static INLINE uint64_t free_ejections(const struct net_part *part, struct net_router *router,
                                      uint32_t driver_local, const struct net_given given)
{
    uint64_t candidates = BIT(net_shape_links(given.shape));
    if (given.shape.consumers > 1) {
        uint32_t packet = net_entry_packet(net_driver_at(router, driver_local)->head.rest);
        candidates = (BIT(part->consumers_each) - 1)
                     << (net_shape_links(given.shape) + part->packets[packet].slot * part->consumers_each);
    }
    uint64_t available = candidates & ~router->busy;
    for (uint64_t left = available == 0 ? candidates : 0; left != 0; left &= left - 1)
        net_output_at(router, (uint32_t)__builtin_ctzll(left))->waiting |= BIT(driver_local);
    return available;
}

/* The outputs of the first tier that has any that are available, or 0 when the driver goes to sleep on all. */
static INLINE uint64_t free_outputs(struct net_part *part, struct net_router *router, uint32_t index,
                                    uint32_t driver, uint32_t length, const uint64_t *tiers, uint64_t cycle,
                                    const struct net_given given)
{
    uint64_t candidates = tiers[0];
    uint64_t available = with_room(router, candidates & ~router->busy, driver, length, cycle, given);
    for (uint32_t tier = 1; available == 0 && tier < NET_TIERS_MAX && tiers[tier] != 0; tier++) {
        candidates |= tiers[tier];
        available = with_room(router, tiers[tier] & ~router->busy, driver, length, cycle, given);
    }
    if (available == 0) {
        if (given.constants.waits)
            net_begin_wait(part, router, index, driver, cycle);
        sleep_on(part, router, index, candidates, driver, length, cycle, given);
    }
    return available;
}

/* Rule 10: all outputs that a packet of a multicast has still to be granted and can have now, of a terminal's
 * ejection channels the first that is free. The driver sleeps on the others. */
static __attribute__((noinline)) uint64_t evaluate_copies(struct net_part *part, struct net_router *router,
                                                          uint32_t index, uint32_t driver_local,
                                                          uint64_t cycle, const struct net_given given)
{
    const struct net_entry head = net_driver_at(router, driver_local)->head;
    uint32_t length = net_entry_length(head.rest);
    uint64_t links = head.word & (BIT(net_shape_links(given.shape)) - 1), terminals = head.word & ~links;
    uint64_t available = with_room(router, links & ~router->busy, driver_local, length, cycle, given);
    sleep_on(part, router, index, links & ~available, driver_local, length, cycle, given);
    for (; terminals != 0; terminals &= terminals - 1) {
        uint64_t channels = (BIT(part->consumers_each) - 1) << __builtin_ctzll(terminals);
        uint64_t free = channels & ~router->busy;
        available |= free & -free;
        for (uint64_t left = free == 0 ? channels : 0; left != 0; left &= left - 1)
            net_output_at(router, (uint32_t)__builtin_ctzll(left))->waiting |= BIT(driver_local);
    }
    return available;
}

/* The head of a driver looks for an output: the bit of the one it requests, or 0 when it goes to sleep. Tiers
 * in order, a draw among what is available. */
static INLINE uint64_t evaluate(struct net_part *part, struct net_router *router, uint32_t index,
                                uint32_t driver_local, uint64_t cycle, const struct net_given given)
{
    const struct net_driver *driver = net_driver_at(router, driver_local);
    uint64_t word = driver->head.word, rest = driver->head.rest, available;
    uint64_t asked[NET_TIERS_MAX];
    const uint64_t *tiers = asked;
    uint16_t way = net_entry_way(rest);
    if (given.shape.copies && way == NET_WAY_COPIES)
        return evaluate_copies(part, router, index, driver_local, cycle, given);
    if (LIKELY(way != NET_WAY_RAW))
        tiers = net_way_at(&part->ways, way, given.shape.ports)->outputs;
    else
        net_ways_outputs(part->ways.routing, index, word, asked);
    if (tiers[0] == 0)
        available = free_ejections(part, router, driver_local, given);
    else
        available =
            free_outputs(part, router, index, driver_local, net_entry_length(rest), tiers, cycle, given);
    if ((available & (available - 1)) == 0)
        return available;
    return choose(way != NET_WAY_RAW ? word : part->packets[net_entry_packet(rest)].key, available, cycle);
}

/* Several heads in one router: all ask before any output grants, since an output must see all its requests at
 * once (rule 4). */
static INLINE void run_many(struct net_part *part, struct net_router *router, uint32_t index,
                            uint64_t pending, uint64_t cycle, const struct net_given given)
{
    uint64_t requested = 0;
    for (; pending != 0; pending &= pending - 1) {
        uint32_t driver = (uint32_t)__builtin_ctzll(pending);
        uint64_t output = evaluate(part, router, index, driver, cycle, given);
        requested |= output;
        if (output != 0)
            part->requests[__builtin_ctzll(output)] |= BIT(driver);
        for (output &= output - 1; given.shape.copies && output != 0; output &= output - 1)
            part->requests[__builtin_ctzll(output)] |= BIT(driver);
    }
    /* Other arbiters look at queues, which a start changes: there all grants come before all starts. */
    const uint64_t granted = given.shape.plain && !given.shape.copies ? requested : UINT64_MAX;
    for (; requested != 0; requested &= requested - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(requested);
        uint64_t requests = part->requests[local];
        part->requests[local] = 0;
        grant(part, router, index, local, requests, cycle, granted, given);
    }
}

/* One router in one cycle. A single head is the usual case. */
static INLINE void run_router(struct net_part *part, uint32_t index, uint64_t cycle,
                              const struct net_given given)
{
    struct net_router *router = net_router_at(given.state, index, given.shape);
    uint32_t parity = cycle & 1;
    uint64_t pending = router->pending[parity] & router->eligible;
    router->pending[parity] = 0;
    if (LIKELY((pending & (pending - 1)) == 0 && pending != 0 && !given.shape.copies)) {
        uint32_t driver = (uint32_t)__builtin_ctzll(pending);
        uint64_t output = evaluate(part, router, index, driver, cycle, given);
        if (output != 0)
            grant(part, router, index, (uint32_t)__builtin_ctzll(output), pending, cycle, output, given);
    } else {
        run_many(part, router, index, pending, cycle, given);
    }
    if (given.shape.channels > 1 && (router->ready & ~router->link_busy) != 0)
        start_links(part, router, index, cycle, given);
}

/* Ahead of a visit: the router's masks; then the line of its first waiting driver; then, with the header, where
 * it will go: the first output that its way offers, and the buffer behind it. */
static INLINE void fetch_router(const struct net_part *part, const struct net_list *list, uint32_t i,
                                uint64_t cycle, const struct net_given given)
{
    if (i + 2 * AHEAD < list->count)
        __builtin_prefetch(net_router_at(given.state, list->items[i + 2 * AHEAD], given.shape), 1);
    if (i + AHEAD < list->count) {
        struct net_router *router = net_router_at(given.state, list->items[i + AHEAD], given.shape);
        uint64_t pending = router->pending[cycle & 1];
        for (uint64_t left = pending; left != 0; left &= left - 1)
            __builtin_prefetch(net_line_at(router, (uint32_t)__builtin_ctzll(left)), 1);
    }
    if (i + AHEAD / 2 < list->count) {
        struct net_router *router = net_router_at(given.state, list->items[i + AHEAD / 2], given.shape);
        uint64_t pending = router->pending[cycle & 1];
        if (pending == 0)
            return;
        uint32_t driver = (uint32_t)__builtin_ctzll(pending);
        uint16_t way = net_entry_way(net_driver_at(router, driver)->head.rest);
        uint64_t outputs =
            way < NET_WAY_COPIES ? net_way_at(&part->ways, way, given.shape.ports)->outputs[0] : BIT(driver);
        for (uint64_t left = outputs; left != 0; left &= left - 1)
            __builtin_prefetch(net_line_at(router, (uint32_t)__builtin_ctzll(left)), 1);
    }
    if (i + AHEAD / 4 < list->count) {
        struct net_router *router = net_router_at(given.state, list->items[i + AHEAD / 4], given.shape);
        uint64_t pending = router->pending[cycle & 1];
        uint32_t driver = pending != 0 ? (uint32_t)__builtin_ctzll(pending) : 0;
        uint32_t target = net_line_at(router, driver)->target;
        if (driver >= net_shape_links(given.shape) || target == NET_NONE)
            return;
        struct net_router *next = net_router_at(given.state, target, given.shape);
        __builtin_prefetch(next, 1);
        __builtin_prefetch(net_line_at(next, driver), 1);
    }
}

/* Routers with something to decide. Their order does not matter. */
static INLINE void run_routers(struct net_part *part, uint64_t cycle, const struct net_given given)
{
    struct net_list *list = &part->active[cycle & 1];
    for (uint32_t i = 0; i < list->count; i++) {
        if (part->large)
            fetch_router(part, list, i, cycle, given);
        else if (i + NEAR < list->count)
            __builtin_prefetch(net_router_at(given.state, list->items[i + NEAR], given.shape), 1);
        run_router(part, list->items[i], cycle, given);
    }
    list->count = 0;
}

/* ---- a kernel for each shape ---- */

#define KERNEL(name, ports, channels, injectors, consumers, whole)                                           \
    static void events_##name(struct net_part *part, uint64_t cycle)                                         \
    {                                                                                                        \
        run_events(part, cycle,                                                                              \
                   (struct net_given){{ports, channels, injectors, consumers, true, whole, false},           \
                                      part->constants,                                                       \
                                      part->state});                                                         \
    }                                                                                                        \
    static void routers_##name(struct net_part *part, uint64_t cycle)                                        \
    {                                                                                                        \
        run_routers(part, cycle,                                                                             \
                    (struct net_given){{ports, channels, injectors, consumers, true, whole, false},          \
                                       part->constants,                                                      \
                                       part->state});                                                        \
    }
#define NET_SHAPE(name, ports, channels, injectors, consumers)                                               \
    KERNEL(name, ports, channels, injectors, consumers, true)                                                \
    KERNEL(name##_part, ports, channels, injectors, consumers, false)
#include "netmodel/engine-shapes.def"
#undef NET_SHAPE

static void events_generic(struct net_part *part, uint64_t cycle)
{
    run_events(part, cycle, (struct net_given){part->engine->shape, part->constants, part->state});
}

static void routers_generic(struct net_part *part, uint64_t cycle)
{
    run_routers(part, cycle, (struct net_given){part->engine->shape, part->constants, part->state});
}

#define NET_SHAPE(name, ports, channels, injectors, consumers)                                               \
    {#name, {ports, channels, injectors, consumers, true, true, false}, events_##name, routers_##name},             \
        {#name "_part",                                                                                      \
         {ports, channels, injectors, consumers, true, false, false},                                        \
         events_##name##_part,                                                                               \
         routers_##name##_part},
static const struct net_kernel kernels[] = {
#include "netmodel/engine-shapes.def"
    {"generic", {0, 0, 0, 0, false, false, false}, events_generic, routers_generic},
};
#undef NET_SHAPE

#define KERNELS (sizeof kernels / sizeof kernels[0])

const struct net_kernel *net_kernel_for(const struct net_shape *shape)
{
    for (size_t i = 0; i + 1 < KERNELS; i++) {
        const struct net_shape *made = &kernels[i].shape;
        if (made->ports == shape->ports && made->channels == shape->channels &&
            made->injectors == shape->injectors && made->consumers == shape->consumers &&
            made->plain == shape->plain && made->whole == shape->whole && !shape->copies)
            return &kernels[i];
    }
    return &kernels[KERNELS - 1];
}
