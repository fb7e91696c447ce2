/* The packet-grant engine: building its state from a topology, taking messages in, giving counters out. The
 * cycle itself is in cycle.c and kernel.c.
 *
 *     packet_engine_build     options ─► widths ─► checks ─► arrays ─► outputs joined to drivers
 *     packet_engine_inject    a message into an injector's queue, or into the heap of later ones
 *     net_packet_engine_advance                                                   (cycle.c)
 *     packet_engine_collect   counters of outputs and drivers ─► per link and terminal
 *     net_packet_engine_check, net_packet_engine_view                             (report.c) */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/random.h"
#include "netmodel/engines/limits.h"
#include "netmodel/packet-engine/faults.h"
#include "netmodel/packet-engine/internal.h"

#define FIRST_PACKETS 1024
#define NET_CACHE_LINE 64
#define HUGE_PAGE (UINT64_C(2) << 20)
#define LARGE_STATE (UINT64_C(1) << 20) /* about what a core's cache holds */
#define PART_ROUTERS_LEAST 16           /* fewer are not worth a thread */
#define WAYS_MAX 16384                  /* beyond that a table of ways costs more in the cache than asking */

/* Drivers and outputs of a router are bits of one 64-bit mask each, and an event names its router in 24 bits: a
 * network that does not fit is refused by name, not cut. */
static int check_size(const struct net_packet_engine *engine, struct base_error *error)
{
    const struct net_network *network = &engine->network;
    size_t waits = network->options.waits ? engine->waits_per_router * sizeof *engine->waits : 0;
    uint64_t router = engine->stride + waits + engine->shape.ports * sizeof *network->link_flits;
    if (net_limit_widths(network, engine->drivers_per_router, engine->outputs_per_router,
                         NET_PACKET_MASK_BITS, error) < 0)
        return -1;
    if (engine->routers > NET_PACKET_ROUTERS_MAX)
        return base_error_set(error, BASE_USAGE, "%s is too large for this engine", network->topology->text);
    return net_limit_memory(network, router, "", error);
}

/* Links fail sooner or later. A fault routing without faults is its base, as far as packets can tell. */
static bool links_fail(const struct net_network *network)
{
    const struct net_failing *failing = net_routing_failing(network->routing);
    return failing != NULL && failing->faults.count > 0;
}

/* Whose rules say what a header admits where all links live. */
static const struct net_routing *base_of(const struct net_routing *routing)
{
    return routing->kind->failing ? routing->inner : routing;
}

/* Of an odd number, modulo 2^32. An odd number is its own inverse in its last three bits; each step doubles them. */
static uint32_t inverse_of(uint32_t odd)
{
    uint32_t inverse = odd;
    for (int bits = 3; bits < 32; bits *= 2)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* Local numbers, as in doc/flit-engine.md: links' virtual channels first, then the terminals' injectors (as
 * drivers) and ejection channels (as outputs). All else follows from these numbers: the shape picks the kernel,
 * the stride the layout of the state. */
static void set_widths(struct net_packet_engine *engine)
{
    const struct net_topology *topology = engine->network.topology;
    const struct net_options *options = &engine->network.options;
    const bool failing = links_fail(&engine->network);
    engine->routers = topology->routers;
    engine->concentration = topology->concentration;
    engine->injectors = options->injectors;
    engine->consumers = options->consumers;
    engine->largest = options->packet_flits;
    engine->seed = options->seed;
    engine->shape = (struct net_packet_shape){
        .ports = topology->ports,
        .channels = options->virtual_channels,
        .injectors = engine->concentration * engine->injectors,
        .consumers = engine->concentration * engine->consumers,
        .plain = options->link_cycles == 1 && options->router_cycles == 1 && options->credit_cycles == 1 &&
                 !topology->own_latencies && options->arbiter == NET_ROUND_ROBIN,
        .failing = failing};
    engine->shape.legs = engine->network.routing->legs && engine->network.routing->inner == NULL &&
                         engine->shape.channels == 1;
    engine->shape.whole = engine->shape.plain && (options->threads == 1 || failing);
    engine->first_injector = engine->first_ejection = net_packet_shape_links(engine->shape);
    engine->drivers_per_router = engine->first_injector + engine->shape.injectors + failing;
    engine->outputs_drawn = engine->first_ejection + engine->shape.consumers;
    engine->outputs_per_router = engine->outputs_drawn + failing;
    engine->waits_per_router = engine->drivers_per_router > engine->outputs_per_router
                                   ? engine->drivers_per_router
                                   : engine->outputs_per_router;
    engine->stride = net_packet_shape_stride(engine->shape);
    engine->stride_zeros = (uint32_t)__builtin_ctz((unsigned)engine->stride);
    engine->stride_inverse = inverse_of((uint32_t)(engine->stride >> engine->stride_zeros));
    /* A routing that chooses counts flits. */
    engine->shape.even = engine->shape.plain && options->buffer_flits % options->packet_flits == 0 &&
                         engine->network.routing->kind->choose == NULL;
    engine->kernel = net_packet_kernel_for(&engine->shape);
}

/* The routers' blocks, zeroed, from the start of a cache line on; much state from the start of a huge page on,
 * which is asked for and may be refused. */
static char *new_state(struct net_packet_engine *engine)
{
    engine->state_bytes = engine->routers * engine->stride;
    size_t alignment = engine->state_bytes > LARGE_STATE ? HUGE_PAGE : NET_CACHE_LINE;
    engine->state_block = calloc(engine->state_bytes + alignment, 1);
    if (engine->state_block == NULL)
        return NULL;
    uintptr_t start = (uintptr_t)engine->state_block;
    char *state = (char *)engine->state_block + (-start & (alignment - 1));
#ifdef MADV_HUGEPAGE
    if (alignment == HUGE_PAGE)
        madvise(state, engine->state_bytes & ~(HUGE_PAGE - 1), MADV_HUGEPAGE);
#endif
    return state;
}

/* Mail waits a cycle, or as long as the longest latency. A single part without latencies has none. As many slots
 * as the longest way takes cycles, in a power of two, so that a cycle's slot is a mask away. */
static int allocate_mail(struct net_packet_engine *engine, struct net_packet_part *part)
{
    const struct net_options *options = &engine->network.options;
    uint32_t link_cycles = net_topology_crossing_max(engine->network.topology, options->link_cycles);
    uint32_t delay = link_cycles + options->router_cycles - 1, slots = 2;
    if (options->credit_cycles > delay)
        delay = options->credit_cycles;
    while (slots <= delay)
        slots *= 2;
    engine->mail_mask = slots - 1;
    if (engine->part_count == 1 && engine->shape.plain)
        return 0;
    if (engine->mail == NULL)
        engine->mail =
            net_lines_new((size_t)engine->part_count * engine->part_count * slots * sizeof *engine->mail);
    if (engine->mail == NULL)
        return -1;
    part->out = net_packet_mailbox_at(engine, part->number, 0, 0);
    return 0;
}

/* Outputs under the bubble rule on which every packet counts as the largest one: where the buffer is a multiple of
 * that, less than a place's worth of flits that have left is of no use to anyone. But who enters a ring around faults
 * compares room in flits, and a routing that chooses does. */
static uint64_t outputs_of_places(const struct net_packet_engine *engine, const struct net_packet_part *part)
{
    uint64_t places = part->constants.rings;
    if (engine->network.options.buffer_flits % engine->largest != 0 || part->constants.chooses)
        return 0;
    for (uint32_t local = 0; engine->faults != NULL && local < engine->first_ejection; local++)
        if (local % engine->shape.channels == engine->faults->data.kind->ring_channel)
            places &= ~(UINT64_C(1) << local);
    return places;
}

static void set_rings(const struct net_packet_engine *engine, struct net_packet_part *part)
{
    const struct net_topology *topology = engine->network.topology;
    for (uint32_t local = 0; local < engine->first_ejection; local++)
        if (net_in_bubble_ring(topology, engine->network.routing, local / engine->shape.channels,
                               local % engine->shape.channels))
            part->constants.rings |= UINT64_C(1) << local;
    part->constants.places = engine->shape.even ? UINT64_MAX : outputs_of_places(engine, part);
}

/* If the event of that cycle is the end of a packet that leaves a buffer by flits: since when it has been leaving. */
static void note_departure(const struct net_packet_engine *engine, uint64_t event, uint64_t cycle)
{
    uint32_t driver = net_packet_event_driver(event);
    struct net_packet_router *router = net_packet_block_at(engine->state, net_packet_event_block(event));
    if (event >> NET_PACKET_EVENT_KIND != NET_PACKET_EVENT_END || driver >= engine->first_injector ||
        (engine->parts[0].constants.places >> driver & 1) != 0)
        return;
    uint16_t length = net_packet_driver_at(router, driver)->departing;
    struct net_packet_router *upstream =
        net_packet_block_at(engine->state, net_packet_line_at(router, driver)->source);
    net_packet_output_at(upstream, driver)->departure = (uint16_t)(cycle - length);
    net_packet_output_at(upstream, driver)->departing = length;
}

/* While places were counted, nobody noted what the sleepers on an output need: a place, which is the last one for
 * who goes on along a ring; with rings around faults that may be any of them. */
static void note_needs(struct net_packet_engine *engine, const struct net_packet_constants constants)
{
    for (uint32_t i = 0; i < engine->routers; i++)
        for (uint32_t local = 0; local < engine->first_ejection; local++) {
            struct net_packet_output *output =
                net_packet_output_at(net_packet_router_at(engine->state, i, engine->shape), local);
            uint64_t last = engine->faults != NULL ? UINT64_MAX : UINT64_C(1) << local;
            bool onward = (output->waiting & last) != 0 && (constants.rings >> local & 1) != 0;
            if (output->waiting != 0)
                output->need_least = (int16_t)(onward ? -(int32_t)constants.largest : 0);
        }
}

/* All departures of packets that leave a part's buffers after cycle now. */
static void note_departures(const struct net_packet_engine *engine, const struct net_packet_part *part)
{
    uint64_t now = engine->network.now;
    for (uint64_t cycle = now + 1; cycle <= now + part->wheel_mask; cycle++) {
        const struct net_packet_slot *slot = &part->wheel[cycle & part->wheel_mask];
        const struct net_packet_chunk *chunk = slot->last;
        for (uint32_t i = 0, count = net_packet_slot_count(slot); i < count; i++) {
            if (i % NET_PACKET_CHUNK == 0)
                chunk = chunk->next;
            note_departure(engine, net_packet_chunk_event(chunk, i % NET_PACKET_CHUNK), cycle);
        }
    }
}

/* As long as all packets have the largest length, places are what is counted everywhere. Here the first shorter one
 * comes: from now on flits are, beginning with those of the packets that are on their way out of a buffer. Each
 * of them has an end event, which says when it began; rings go on counting places. Between the phases of a
 * cycle, whose own events have been handled. */
static void count_flits(struct net_packet_engine *engine)
{
    net_packet_parts_settle(engine);
    engine->shape.even = false;
    engine->kernel = net_packet_kernel_for(&engine->shape);
    note_needs(engine, engine->parts[0].constants);
    for (uint32_t i = 0; i < engine->part_count; i++) {
        engine->parts[i].constants.places = outputs_of_places(engine, &engine->parts[i]);
        note_departures(engine, &engine->parts[i]);
    }
}

/* Chunks for events are taken as they are needed, and kept: the wheel turns round and round over the same ones.
 * The bits of used slots are at least a word, also where the wheel is shorter. */
static int allocate_wheel(const struct net_packet_engine *engine, struct net_packet_part *part)
{
    uint32_t size = 2; /* more than the longest packet */
    while (size <= engine->largest)
        size *= 2;
    uint32_t bits = size < 64 ? 64 : size; /* whole words */
    part->wheel_mask = size - 1;
    part->used_mask = bits - 1;
    part->wheel = net_array_new(size, sizeof *part->wheel);
    part->wheel_used = net_array_new(bits / 64, sizeof *part->wheel_used);
    part->overflow = calloc(1, sizeof *part->overflow);
    if (part->wheel == NULL || part->wheel_used == NULL || part->overflow == NULL)
        return -1;
    for (uint32_t i = 0; i < size; i++)
        part->wheel[i].count = NET_PACKET_CHUNK;
    if (engine->part_count > 1 && (part->endings = net_array_new(size, sizeof *part->endings)) == NULL)
        return -1;
    return 0;
}

/* Lists of routers have a place more than there are routers, as make_pending() writes before it knows whether to
 * count, and some for looking ahead. */
static int allocate_part(struct net_packet_engine *engine, struct net_packet_part *part)
{
    const struct net_routing *routing = base_of(engine->network.routing);
    part->packets = net_array_new(FIRST_PACKETS, sizeof *part->packets);
    part->packet_capacity = FIRST_PACKETS;
    if (engine->waits != NULL)
        part->worst = net_array_new(FIRST_PACKETS, sizeof *part->worst);
    part->active[0].items = net_array_new((size_t)engine->routers + 1 + NET_PACKET_NEAR, sizeof(uint32_t));
    part->active[1].items = net_array_new((size_t)engine->routers + 1 + NET_PACKET_NEAR, sizeof(uint32_t));
    if (engine->faults != NULL)
        part->failing = net_array_new(FIRST_PACKETS, sizeof *part->failing);
    /* A confined routing looks at the borders of its part. */
    bool uniform = routing->uniform && routing->inner == NULL;
    uint32_t ways = uniform && engine->routers <= WAYS_MAX ? WAYS_MAX : 0;
    if (part->packets == NULL || (engine->waits != NULL && part->worst == NULL) ||
        (engine->faults != NULL && part->failing == NULL) || part->active[0].items == NULL ||
        part->active[1].items == NULL || allocate_wheel(engine, part) < 0 || allocate_mail(engine, part) < 0)
        return -1;
    return net_packet_ways_init(&part->ways, routing, ways, engine->shape.legs, engine->shape.failing);
}

/* Contiguous ranges of routers, the last one shorter; none is empty. One part where links fail, whatever
 * was asked for. */
static int allocate_parts(struct net_packet_engine *engine)
{
    const uint32_t threads = engine->shape.failing ? 1 : engine->network.options.threads;
    uint32_t each = (engine->routers + threads - 1) / threads;
    if (each < PART_ROUTERS_LEAST)
        each = PART_ROUTERS_LEAST;
    uint32_t count = (engine->routers + each - 1) / each;
    engine->parts = net_lines_new(count * sizeof *engine->parts);
    engine->ends = net_array_new(count, sizeof *engine->ends);
    engine->loads = net_array_new(count, sizeof *engine->loads);
    if (engine->parts == NULL || engine->ends == NULL || engine->loads == NULL)
        return -1;
    engine->part_count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct net_packet_part *part = &engine->parts[i];
        part->engine = engine;
        part->number = i;
        part->state = engine->state;
        part->large = engine->state_bytes > LARGE_STATE;
        part->constants.largest = engine->largest;
        part->constants.owned = engine->network.options.owner != NULL;
        part->constants.waits = engine->waits != NULL;
        part->constants.chooses = engine->network.routing->kind->choose != NULL;
        part->consumers_each = engine->consumers;
        net_packet_parts_bound(engine, i, i * each,
                               each < engine->routers - i * each ? each : engine->routers - i * each);
        part->free_packet = NET_PACKET_NO_PACKET;
        part->ahead = NET_PACKET_NEVER;
        for (uint32_t ahead = 0; ahead <= NET_PACKET_AHEAD; ahead++)
            part->asked[ahead].driver = NET_PACKET_NOT_ASKED;
        part->visited_place = NET_PACKET_AHEAD;
        part->statistics = count == 1 ? &engine->network.statistics : &part->own;
        part->ways.routing = base_of(engine->network.routing);
        set_rings(engine, part);
        if (allocate_part(engine, part) < 0)
            return -1;
    }
    return 0;
}

/* Two counters for every output and driver: only where somebody reads them. */
static int allocate_waits(struct net_packet_engine *engine)
{
    engine->waits = net_array_new((size_t)engine->routers * engine->waits_per_router, sizeof *engine->waits);
    return engine->waits != NULL ? 0 : -1;
}

/* The slots of owners' rows by line, so that neither a router's number nor a port has to be found. */
static int allocate_slots(struct net_packet_engine *engine)
{
    const struct net_topology *topology = engine->network.topology;
    const struct net_owners *owners = &engine->network.owners;
    const size_t lines = engine->stride / sizeof(struct net_packet_line);
    if (owners->slot == NULL)
        return 0;
    engine->owned_slot = net_array_new(engine->routers * lines, sizeof *engine->owned_slot);
    for (uint32_t i = 0; engine->owned_slot != NULL && i < topology->link_count * engine->shape.channels;
         i++) {
        const struct net_link *link = &topology->links[i / engine->shape.channels];
        uint32_t local = link->port * engine->shape.channels + i % engine->shape.channels;
        engine->owned_slot[link->source * lines + local] =
            owners->slot[link->source * topology->ports + link->port];
    }
    return engine->owned_slot != NULL ? 0 : -1;
}

/* Everything the flit loop needs, at once; only the pools of packets and messages, the slots of the wheel, the
 * ways and the list of future messages grow later, and stop growing after warm-up. A partial failure is cleaned
 * up by packet_engine_free. */
static int allocate(struct net_packet_engine *engine, struct base_error *error)
{
    size_t terminals = engine->network.topology->terminals;
    void *flights = NULL;
    engine->state = new_state(engine);
    engine->next_injector = net_array_new(terminals, sizeof *engine->next_injector);
    if (net_lines_resize(&engine->flights_block, &flights, 0, FIRST_PACKETS * sizeof *engine->flights) == 0)
        engine->flights = flights;
    if (engine->network.options.arbiter == NET_LONGEST_QUEUE)
        engine->queues =
            net_array_new((size_t)engine->routers * engine->drivers_per_router, sizeof *engine->queues);
    if (engine->state == NULL || engine->next_injector == NULL || engine->flights == NULL ||
        net_network_count(&engine->network, NET_COUNT_LINKS | NET_COUNT_OUTSIDE |
                                                (engine->network.options.waits ? NET_COUNT_WAITS : 0)) < 0 ||
        (engine->network.options.waits && allocate_waits(engine) < 0) ||
        (engine->network.options.arbiter == NET_LONGEST_QUEUE && engine->queues == NULL) ||
        net_network_crossings(&engine->network, true, &engine->crossings) < 0 || allocate_slots(engine) < 0 ||
        allocate_parts(engine) < 0)
        return base_error_memory(error, "the network's state");
    engine->flight_capacity = FIRST_PACKETS;
    engine->free_flight = NET_NONE;
    engine->due = engine->stepped = NET_PACKET_NEVER;
    return 0;
}

/* All outputs free, all drivers empty, not yet connected: an output that leads nowhere has no room. */
static void clear_router(const struct net_packet_engine *engine, struct net_packet_router *router)
{
    for (uint32_t local = 0; local < engine->drivers_per_router; local++) {
        struct net_packet_line *line = net_packet_line_at(router, local);
        line->driver.head.rest = line->driver.tail =
            NET_PACKET_NO_PACKET;               /* also an injector's first: NET_NONE */
        line->target = line->source = NET_NONE; /* and its last and notice */
        if (local < engine->first_ejection)
            line->output.need_least = NET_PACKET_NEED_NONE;
    }
}

/* Memory is zeroed already; this sets what is not 0 at rest. */
static void clear_state(const struct net_packet_engine *engine)
{
    for (uint32_t i = 0; i < engine->routers; i++)
        clear_router(engine, net_packet_router_at(engine->state, i, engine->shape));
}

/* Virtual channel v of a link joins output p * V + v of its source to driver p * V + v of its target: the
 * equal numbers are what lets rule 6 see that a packet goes on along its ring. A link between two parts is marked
 * at its driver: leaving that must be told by mail. */
static void connect_links(const struct net_packet_engine *engine)
{
    const struct net_topology *topology = engine->network.topology;
    const struct net_packet_shape shape = engine->shape;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        struct net_packet_router *source = net_packet_router_at(engine->state, link->source, shape);
        struct net_packet_router *target = net_packet_router_at(engine->state, link->target, shape);
        for (uint32_t channel = 0; channel < shape.channels; channel++) {
            uint32_t local = link->port * shape.channels + channel;
            source->turns |= UINT64_C(1) << link->port * shape.channels;
            net_packet_line_at(source, local)->target = net_packet_block_of(engine, link->target);
            net_packet_line_at(target, local)->source = net_packet_block_of(engine, link->source);
            if (net_packet_part_number(engine, net_packet_block_of(engine, link->source)) !=
                net_packet_part_number(engine, net_packet_block_of(engine, link->target)))
                target->foreign |= UINT64_C(1) << local;
            net_packet_output_at(source, local)->spare = (int32_t)engine->network.options.buffer_flits -
                                                         net_packet_plenty(engine->parts[0].constants, local);
        }
    }
}

/* A slot in the pool of messages; slots of delivered ones are used again. Growing moves the pool: callers
 * keep numbers, not pointers. Threads must rest while the pool moves: they read messages by number from it. */
static inline int take_flight(struct net_packet_engine *engine, uint32_t *index)
{
    if (engine->free_flight != NET_NONE) {
        *index = engine->free_flight;
        engine->free_flight = engine->flights[*index].next;
        return 0;
    }
    if (engine->flight_count == engine->flight_capacity) {
        uint32_t capacity = 2 * engine->flight_capacity;
        void *flights = engine->flights;
        net_packet_threads_rest(engine);
        if (net_lines_resize(&engine->flights_block, &flights, engine->flight_count * sizeof *engine->flights,
                             capacity * sizeof *engine->flights) < 0)
            return -1;
        engine->flights = flights;
        engine->flight_capacity = capacity;
    }
    *index = engine->flight_count++;
    return 0;
}

/* A message for this cycle joins its injector at once, a later one waits in the heap. Nothing is changed on
 * failure but for out_of_memory, after which the network is only good for freeing. */
int net_packet_enter_flight(struct net_packet_engine *engine, uint64_t cycle,
                            const struct net_packet_flight *flight, struct base_error *error)
{
    const struct net_network *network = &engine->network;
    uint32_t index;
    if (take_flight(engine, &index) < 0) {
        net_packet_spread_free(flight->spread);
        return base_error_memory(error, "a message");
    }
    struct net_packet_flight *entered = &engine->flights[index];
    *entered = *flight;
    entered->number = network->injected_messages;
    entered->generated = cycle;
    entered->packets = (uint32_t)net_network_packets(network, flight->flits_left);
    entered->next = NET_NONE;
    if (engine->shape.even && flight->flits_left % engine->largest != 0)
        count_flits(engine);
    /* Messages for this very cycle that were given earlier and are still in the heap have lower numbers. */
    const struct base_event *first = engine->future.count != 0 ? base_heap_first(&engine->future) : NULL;
    uint64_t joins = cycle + network->options.router_cycles - 1;
    bool later = joins > network->now || (first != NULL && first->time <= joins);
    if (later && base_heap_push(&engine->future, joins, index) < 0) {
        net_packet_spread_free(flight->spread);
        engine->flights[index].spread = NULL;
        net_packet_release_flight(engine, index);
        return base_error_memory(error, "a message");
    }
    if (!later && net_packet_engine_join(engine, index)->out_of_memory)
        return base_error_memory(error, "the network's packets");
    return 0;
}

/* Message and multicast come in by the same door; only this one has no spread. */
static int packet_engine_inject(struct net_network *network, uint64_t cycle,
                                const struct net_message *message, struct base_error *error)
{
    const struct net_packet_flight flight = {.tag = message->tag,
                                             .flits_left = message->flits,
                                             .source = message->source,
                                             .target = message->target & NET_PACKET_FLIGHT_TARGET,
                                             .notice_sent = message->notice_sent};
    return net_packet_enter_flight((struct net_packet_engine *)network, cycle, &flight, error);
}

/* 64 bits of ejected flits are kept in two halves, as the output's line has no place for more. */
static struct net_counted count_output(const struct net_network *network, uint32_t router, uint32_t local)
{
    const struct net_packet_engine *engine = (const struct net_packet_engine *)network;
    struct net_packet_router *block = net_packet_router_at(engine->state, router, engine->shape);
    struct net_counted counted = {.flits = net_packet_line_at(block, local)->flits};
    if (local >= engine->first_ejection) {
        const struct net_packet_output *output = net_packet_output_at(block, local);
        counted.flits = (uint64_t)output->ejected[1] << 32 | output->ejected[0];
    } else if (engine->waits != NULL) {
        counted.waits = engine->waits[(size_t)router * engine->waits_per_router + local].cycles;
    }
    return counted;
}

static struct net_counted count_injector(const struct net_network *network, uint32_t router, uint32_t local)
{
    const struct net_packet_engine *engine = (const struct net_packet_engine *)network;
    struct net_packet_router *block = net_packet_router_at(engine->state, router, engine->shape);
    return (struct net_counted){.flits = net_packet_line_at(block, local)->flits};
}

/* Parts rest meanwhile, and are summed up; faults that are due before now are settled first, since they take flits out
 * of links. */
static void packet_engine_collect(struct net_network *network)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    net_packet_parts_settle(engine);
    net_packet_parts_sum(engine);
    if (engine->faults != NULL && network->now > 0)
        net_packet_faults_settle(engine, network->now - 1);
    net_network_collect(network, &(const struct net_counters){count_output, count_injector});
}

/* A part that was never finished has NULL where it did not come to: each loop asks for the array that it walks.
 * Slots of the wheel own chunks, but for the overflow, which belongs to the part. */
static void free_part(const struct net_packet_engine *engine, struct net_packet_part *part)
{
    for (uint32_t i = 0; part->wheel != NULL && i <= part->wheel_mask; i++)
        if (part->wheel[i].last != NULL && part->wheel[i].last != part->overflow)
            net_packet_empty_slot(part, &part->wheel[i], false);
    for (struct net_packet_chunk *chunk = part->free_chunk, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(part->overflow);
    free(part->packets);
    free(part->worst);
    free(part->failing);
    for (uint32_t i = 0; part->out != NULL && i < engine->part_count * (engine->mail_mask + 1); i++)
        free(part->out[i].mails);
    for (uint32_t i = 0; part->endings != NULL && i <= part->wheel_mask; i++) {
        free(part->endings[i].packets.items);
        free(part->endings[i].sent.items);
        free(part->endings[i].credits.items);
    }
    free(part->endings);
    free(part->wheel);
    free(part->wheel_used);
    free(part->active[0].items);
    free(part->active[1].items);
    free(part->delivered.items);
    free(part->sent.items);
    free(part->copies.items);
    free(part->arrived.items);
    free(part->joins.items);
    free(part->latencies.items);
    net_packet_ways_free(&part->ways);
}

/* Also of a network whose building failed halfway: any array may be missing. */
static void packet_engine_free(struct net_network *network)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    net_packet_threads_end(engine);
    for (uint32_t i = 0; i < engine->part_count; i++)
        free_part(engine, &engine->parts[i]);
    free(engine->parts);
    free(engine->mail);
    free(engine->ends);
    free(engine->loads);
    free(engine->state_block);
    free(engine->queues);
    free(engine->crossings);
    free(engine->owned_slot);
    free(engine->next_injector);
    for (uint32_t i = 0; i < engine->flight_count; i++)
        net_packet_spread_free(engine->flights[i].spread);
    free(engine->flights_block);
    free(engine->waits);
    net_packet_faults_free(engine->faults);
    base_heap_free(&engine->future);
}

/* From options to a network at rest; what it leaves behind on failure is freed by the caller. The cheap refusals
 * come before any array is made. */
static int packet_engine_build(struct net_network *network, struct base_error *error)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    const struct net_failing *failing = net_routing_failing(network->routing);
    set_widths(engine);
    if (check_size(engine, error) < 0 || net_limit_buffers(network, error) < 0 ||
        (failing != NULL && net_limit_failing(network, error) < 0) ||
        (engine->shape.failing && net_packet_faults_init(engine, failing, error) < 0) ||
        allocate(engine, error) < 0)
        return -1;
    if (failing != NULL && engine->faults == NULL)
        network->statistics.faults = &engine->no_fault;
    clear_state(engine);
    connect_links(engine);
    if (engine->part_count > 1 && net_packet_threads_start(engine) < 0)
        return base_error_set(error, BASE_SYSTEM, "the system cannot start more threads");
    return 0;
}

/* Whole packets, and links that they hold to their tails (net_holds_links) and that take them as fast as they come,
 * and a routing that is asked once a router. The flit-grant engine computes the same cycles, and all
 * others, but takes its time over every flit. */
static bool packet_engine_serves(const struct net_topology *topology, const struct net_routing *routing,
                                 const struct net_options *options)
{
    const uint32_t extra = routing != NULL && routing->kind->failing ? 1 : 0;
    return (routing == NULL || (routing->kind->look == NULL && !routing->kind->never_waits)) &&
           topology->shared == NULL && !topology->kind->apart && options->flow_control == NET_CUT_THROUGH &&
           net_holds_links(routing, options) && !topology->narrow_links &&
           net_widths_fit(topology, options, NET_PACKET_MASK_BITS - extra);
}

const struct net_engine net_engine_packets = {
    .name = "packets",
    .summary = "grants whole packets: an event a packet and hop",
    .size = sizeof(struct net_packet_engine),
    .serves = packet_engine_serves,
    .link_share = net_link_share_by_rules,
    .multicasts = net_packet_engine_multicasts,
    .build = packet_engine_build,
    .inject = packet_engine_inject,
    .advance = net_packet_engine_advance,
    .collect = packet_engine_collect,
    .check = net_packet_engine_check,
    .free = packet_engine_free,
    .view = &net_packet_engine_view,
    .multicast = net_packet_engine_multicast,
};
