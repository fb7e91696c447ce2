/* The flit-grant engine's cycle: the hot loop. See internal.h for the idea, doc/flit-engine.md
 * for the rules.
 *
 * A cycle t, of which only the parts that have something to do are done:
 *
 *     credits    moves of t - credit cycles: places, and under wormhole whole buffers, are free   settle_credits
 *     arrivals   moves of t - link cycles: flits are in the next buffer                           settle_arrivals
 *     headers    moves of router cycles - 1 before that: headers may ask                          settle_headers
 *     injection  messages join their injectors                                                    join_due
 *     routers    heads ask (rule 3), outputs grant (rule 4), channels move a flit (5, 9)          run_router
 *
 * The first four only look back, and change what the routers see at the start of the cycle; run_router
 * changes its own router and adds to the list of this cycle's moves. That is why the order of routers, and
 * which of them are visited for nothing, cannot be seen in the result.
 *
 * Functions that the compiler shall copy for both flow controls have a parameter wormhole, and those that know
 * links of their own (rule 12), routings that look or choose (rules 13 and 14) and links that fail (faults.h) one more,
 * uneven; both are literals in net_flit_engine_advance and nowhere else. */

#include "netmodel/flit-engine/fetch.h"
#include "netmodel/flit-engine/heads.h"

/* ---- lists of moves ---- */

/* Where links differ: in the list of the cycle in which it arrives, and here what becomes free. No cycle's list is
 * needed any more when one takes its place that is a whole ring later. A move has two effects at different times:
 * so it stands in two lists, each time with the other effect left out. */
static void add_uneven(struct net_flit_engine *engine, const struct net_flit_move *move,
                       struct net_flit_pace *pace)
{
    struct net_flit_move part = *move;
    uint64_t cycle = engine->network.now;
    part.arrival = NET_NONE;
    *next_move(engine, engine->moved) = part;
    if (move->arrival == NET_NONE)
        return;
    pace->free = cycle + pace->width;
    cycle += pace->crossing;
    struct net_flit_moves *list = &engine->arrivals[cycle & engine->recent_mask];
    if (list->cycle != cycle) {
        list->cycle = cycle;
        list->count = 0;
    }
    part = *move;
    part.credit = NET_NONE;
    *next_move(engine, list) = part;
}

/* ---- for others ---- */

/* For the rules of faults, which make headers anew. */
void net_flit_engine_admit(struct net_flit_engine *engine, struct net_flit_driver *driver, uint64_t cycle)
{
    admit_head(engine, driver, cycle);
}

/* A router without heads has nobody to ask. */
void net_flit_engine_wake(struct net_flit_engine *engine, uint32_t number)
{
    struct net_flit_router *router = &engine->router[number];
    router->ask = true;
    if (!net_flit_is_empty(&router->heads))
        activate(engine, router);
}

/* When the injector is idle the packet may ask in this very cycle. */
void net_flit_engine_join(struct net_flit_engine *engine, uint32_t injector)
{
    uint32_t each = engine->injectors_each, router = injector / each;
    struct net_flit_driver *driver =
        &engine->router[router].drivers[engine->first_injector + injector - router * each];
    const struct net_flights *flights = &engine->flights;
    injected_of(engine, driver)->queued += flights->items[flights->injectors[injector].last].flits_left;
    if (driver->head == NET_NONE && driver->held == NET_FLIT_HOLDS_NOTHING)
        make_head(engine, driver, engine->network.now);
}

/* ---- what the latencies bring to the start of a cycle ---- */

/* A place that a flit has left is seen upstream. Cut-through: room for waiting heads (rule 6), on rings with
 * the padding at the tail. Wormhole: a place for the next flit, and after the tail the buffer is empty and may
 * be taken (rule 8). */
static INLINE void settle_credit(struct net_flit_engine *engine, const struct net_flit_move *move,
                                 const bool wormhole)
{
    struct net_flit_output *output = &engine->output[move->credit];
    struct net_flit_router *router = &engine->router[output->router];
    output->room += 1 + (uint32_t)move->padding;
    net_flit_add(&router->open, output->local);
    if (wormhole && move->tail)
        net_flit_add(&router->free, output->local);
    if (net_flit_has(&router->free, output->local) && !net_flit_is_empty(&router->heads)) {
        router->ask = true;
        activate(engine, router);
    } else if (net_flit_has(&router->fed, output->local)) {
        activate(engine, router);
    }
}

/* Rule 13: heads that wait in the router may want other outputs now. */
static void show(struct net_flit_engine *engine, struct net_flit_router *router)
{
    if (net_flit_is_empty(&router->heads))
        return;
    router->ask = true;
    activate(engine, router);
}

/* Moves out of injectors free no buffer, and have no credit to give back. */
static INLINE void settle_credits(struct net_flit_engine *engine, uint64_t cycle, const bool wormhole,
                                  const bool uneven)
{
    const struct net_flit_moves *list = moves_before(engine, cycle, engine->credit_age);
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        if (list->moves[i].credit == NET_NONE)
            continue;
        settle_credit(engine, &list->moves[i], wormhole);
        if (uneven && engine->looks)
            show(engine, &engine->router[engine->output[list->moves[i].credit].router]);
    }
}

/* A flit is in the next buffer. If it is the only one there, and the head packet holds an output, then it is
 * that packet's next: the output is fed again. */
static inline void settle_arrival(struct net_flit_engine *engine, const struct net_flit_move *move,
                                  uint64_t cycle)
{
    struct net_flit_driver *driver = &engine->driver[move->arrival];
    if (driver->count++ == 0 && driver->held != NET_FLIT_HOLDS_NOTHING) {
        struct net_flit_router *router = &engine->router[driver->router];
        net_flit_add(&router->fed, driver->held);
        activate(engine, router);
    }
    if (move->header)
        arrive_header(engine, driver, move->packet, cycle);
}

/* Ejected flits arrive nowhere: they were counted when they crossed. */
static inline void settle_arrivals(struct net_flit_engine *engine, const struct net_flit_moves *list,
                                   uint64_t cycle)
{
    for (uint32_t i = 0; list != NULL && i < list->count; i++)
        if (list->moves[i].arrival != NET_NONE)
            settle_arrival(engine, &list->moves[i], cycle);
}

/* Both of the same cycle's moves, as by default: the list is read once. Neither looks at what the other
 * changes. */
static INLINE void settle_together(struct net_flit_engine *engine, uint64_t cycle, const bool wormhole)
{
    const struct net_flit_moves *list = moves_before(engine, cycle, engine->arrival_age);
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        const struct net_flit_move *move = &list->moves[i];
        if (engine->large && i + NET_FLIT_AHEAD < list->count)
            net_flit_fetch_move(engine, &list->moves[i + NET_FLIT_AHEAD]);
        if (move->arrival != NET_NONE)
            settle_arrival(engine, move, cycle);
        if (move->credit != NET_NONE)
            settle_credit(engine, move, wormhole);
    }
}

/* ---- channels move a flit (rules 5 and 9) ---- */

/* A flit leaves its driver by this output.
 * On rings cut-through has reserved room for the largest packet: what a shorter one did not use goes back
 * with its tail. */
static INLINE void move_flit(struct net_flit_engine *engine, struct net_flit_router *router, uint32_t local,
                             const bool wormhole, const bool uneven)
{
    struct net_flit_output *output = &router->outputs[local];
    struct net_flit_driver *driver = &router->drivers[output->driver];
    uint32_t length = output->length;
    const bool header = output->left == length, tail = output->left == 1;
    uint16_t padding = 0;
    output->left--;
    output->flits++;
    if (driver->upstream == NET_NONE) {
        injected_of(engine, driver)->queued--;
        injected_of(engine, driver)->flits++;
    } else if (tail && !wormhole) {
        uint32_t reserved = reservation(engine, &engine->output[driver->upstream], length);
        padding = (uint16_t)(reserved - length);
        if (uneven && engine->faults != NULL)
            padding = engine->faults->padding[output - engine->output];
    }
    if (--driver->count == 0)
        net_flit_drop(&router->fed, local);
    if (header)
        move_header(engine, router, output, driver, uneven);
    if (wormhole && output->next_driver != NET_NONE && --output->room == 0)
        net_flit_drop(&router->open, local);
    const bool apart = uneven && engine->pace != NULL;
    struct net_flit_move own = {0};
    struct net_flit_move *move = apart ? &own : next_move(engine, engine->moved);
    move->arrival = output->next_driver;
    move->credit = driver->upstream;
    move->packet = output->packet;
    move->padding = padding;
    move->header = header;
    move->tail = tail;
    if (apart)
        add_uneven(engine, move, &engine->pace[router->number * engine->ports + output->port]);
    if (uneven && engine->looks)
        router->ask = true;
    if (tail)
        release(engine, router, local, driver, wormhole);
}

/* The link's choice among its virtual channels that can move a flit (bits from its first output on). A held
 * link goes on with the packet that it carries, which always can; those that it has not started all have their
 * headers ready. */
static INLINE uint32_t choose_channel(struct net_flit_engine *engine, const struct net_flit_router *router,
                                      uint32_t port, uint64_t ready)
{
    struct net_flit_link *link = &engine->link[router->number * engine->ports + port];
    uint32_t base = port * engine->virtual_channels;
    if (link->carried != NET_FLIT_HOLDS_NOTHING)
        return base + link->carried;
    uint32_t winner;
    const struct net_flit_set channels = {{ready}};
    if (decides_in_turn(engine, &channels))
        winner = net_bits_from(ready, link->pointer);
    else
        winner = decide(engine, &(const struct contest){
                                    .set = channels,
                                    .router = router,
                                    .base = base,
                                    .pointer = link->pointer,
                                    .outputs = true,
                                    .draw = ~((uint64_t)router->number * engine->outputs_drawn + base)});
    link->pointer = (uint8_t)(winner + 1 == engine->virtual_channels ? 0 : winner + 1);
    if (!engine->network.options.multiplexed)
        link->carried = (net_flit_number)winner;
    return base + winner;
}

/* The virtual channels of a link, as bits. */
static inline uint64_t all_channels(const struct net_flit_engine *engine)
{
    return UINT64_MAX >> (NET_FLIT_WORD_BITS - engine->virtual_channels);
}

/* Of the outputs that could move a flit those whose links can take one (rule 12): a narrow link rests, and one
 * that is held waits for its own packet's flits. Ejection channels are as wide as a flit, and never rest. */
static struct net_flit_set ready_links(const struct net_flit_engine *engine,
                                       const struct net_flit_router *router, struct net_flit_set ready)
{
    const uint64_t group = all_channels(engine);
    struct net_flit_set rest = ready;
    while (!net_flit_is_empty(&rest)) {
        uint32_t local = net_flit_first(&rest);
        if (local >= engine->first_ejection)
            break;
        uint32_t port = router->number * engine->ports + router->outputs[local].port;
        uint32_t base = router->outputs[local].port * engine->virtual_channels;
        uint64_t stops = engine->pace[port].free > engine->network.now ? group : 0;
        if (engine->link[port].carried != NET_FLIT_HOLDS_NOTHING)
            stops |= group & ~(UINT64_C(1) << engine->link[port].carried);
        net_flit_drop_span(&ready, base, stops);
        net_flit_drop_span(&rest, base, group);
    }
    return ready;
}

/* Every channel with something to move moves one flit: links by groups of virtual channels, ejection channels
 * one by one. A channel moves one flit a cycle, so that its whole group leaves the set with the first. */
static INLINE void run_channels(struct net_flit_engine *engine, struct net_flit_router *router,
                                const bool wormhole, const bool uneven)
{
    struct net_flit_set ready = net_flit_both(&router->fed, &router->open);
    if (uneven && engine->pace != NULL)
        ready = ready_links(engine, router, ready);
    while (!net_flit_is_empty(&ready)) {
        uint32_t local = net_flit_first(&ready);
        if (engine->virtual_channels == 1 || local >= engine->first_ejection) {
            net_flit_take(&ready);
        } else {
            uint32_t port = router->outputs[local].port;
            uint32_t base = port * engine->virtual_channels;
            local =
                choose_channel(engine, router, port, net_flit_span(&ready, base, engine->virtual_channels));
            net_flit_drop_span(&ready, base, all_channels(engine));
        }
        move_flit(engine, router, local, wormhole, uneven);
    }
}

/* Whether an output can move a flit. */
static inline bool can_move(const struct net_flit_router *router)
{
    const struct net_flit_set ready = net_flit_both(&router->fed, &router->open);
    return !net_flit_is_empty(&ready);
}

/* Whether heads wait that could use what has changed, in a router that is not stopped (rule 19 of doc/faults.md). */
static INLINE bool is_asked(const struct net_flit_engine *engine, const struct net_flit_router *router,
                            const bool uneven)
{
    return router->ask && !net_flit_is_empty(&router->heads) &&
           !(uneven && engine->faults != NULL && net_flit_faults_stopped(engine->faults, router->number));
}

/* One router in one cycle; it stays active if it can move a flit in the next, or a head has reason to ask. */
static INLINE void run_router(struct net_flit_engine *engine, struct net_flit_router *router,
                              const bool wormhole, const bool uneven)
{
    router->listed = false;
    if (is_asked(engine, router, uneven))
        run_heads(engine, router, wormhole, uneven);
    run_channels(engine, router, wormhole, uneven);
    if (can_move(router) || is_asked(engine, router, uneven))
        activate(engine, router);
}

/* ---- time ---- */

/* The first cycle from now on in which moves that were made take effect. All their effects come within the
 * lists' number of cycles, and none of them is passed over. */
static uint64_t next_effect(const struct net_flit_engine *engine)
{
    const uint32_t ages[3] = {engine->credit_age, engine->arrival_age, engine->ready_age};
    const uint32_t ahead[2] = {0, engine->ready_age - engine->arrival_age};
    if (engine->arrivals == NULL)
        return soonest(engine, engine->recent, ages, 3);
    uint64_t places = soonest(engine, engine->recent, ages, 1);
    uint64_t flits = soonest(engine, engine->arrivals, ahead, 2);
    return flits < places ? flits : places;
}

/* The first cycle from now on in which anything can happen. */
static uint64_t next_cycle(const struct net_flit_engine *engine)
{
    if (engine->next_active_count != 0)
        return engine->network.now;
    uint64_t next = next_effect(engine), joins = net_flights_next(&engine->flights);
    if (engine->faults != NULL) {
        uint64_t control = net_flit_faults_next(engine);
        next = control < next ? control : next;
    }
    return joins < next ? joins : next;
}

/* All that latencies bring to the start of the cycle. Neither of the first two reads what the other
 * changes; headers that have passed the pipeline come last. */
static INLINE void settle(struct net_flit_engine *engine, uint64_t cycle, const bool wormhole,
                          const bool uneven)
{
    uint32_t pipeline = engine->ready_age - engine->arrival_age;
    const bool ahead = uneven && engine->arrivals != NULL;
    if (!ahead && !(uneven && engine->looks) && engine->arrival_age == engine->credit_age) {
        settle_together(engine, cycle, wormhole);
    } else {
        settle_credits(engine, cycle, wormhole, uneven);
        settle_arrivals(engine,
                        ahead ? list_at(engine, engine->arrivals, cycle)
                              : moves_before(engine, cycle, engine->arrival_age),
                        cycle);
    }
    if (pipeline == 0)
        return;
    if (!ahead)
        settle_headers(engine, moves_before(engine, cycle, engine->ready_age), cycle);
    else if (cycle >= pipeline)
        settle_headers(engine, list_at(engine, engine->arrivals, cycle - pipeline), cycle);
}

/* Executes cycle now. It counts as executed only if a router had anything to decide.
 * The list of this cycle's moves takes the place of one that is older than any latency. Routers that run
 * list themselves for the next cycle, so that the two lists change places before. */
static INLINE void run_cycle(struct net_flit_engine *engine, const bool wormhole, const bool uneven)
{
    uint64_t cycle = engine->network.now;
    if (uneven && engine->faults != NULL)
        net_flit_faults_settle(engine, cycle);
    settle(engine, cycle, wormhole, uneven);
    join_due(engine, cycle);
    uint32_t *list = engine->next_active;
    uint32_t count = engine->next_active_count;
    engine->next_active = engine->active;
    engine->active = list;
    engine->next_active_count = 0;
    struct net_flit_moves *moves = &engine->recent[cycle & engine->recent_mask];
    moves->cycle = cycle;
    moves->count = 0;
    engine->moved = moves;
    for (uint32_t i = 0; i < count; i++) {
        if (engine->large)
            net_flit_fetch_router(engine, list, i, count);
        run_router(engine, &engine->router[list[i]], wormhole, uneven);
    }
    engine->network.statistics.executed_cycles += count != 0;
}

/* Executes cycles until something is to be told or the limit is reached. Only when no router is active, no
 * move is on its way and no message is to come can packets inside be stuck for ever: then it is a deadlock,
 * found without a time-out. */
static INLINE int advance(struct net_flit_engine *engine, uint64_t limit, const bool wormhole,
                          const bool uneven, struct base_error *error)
{
    struct net_network *network = &engine->network;
    for (;;) {
        int before = net_network_go_on(network, engine->out_of_memory, next_cycle(engine), limit, error);
        if (before != NET_GOES_ON)
            return before;
        run_cycle(engine, wormhole, uneven);
        network->now++;
        if (uneven && engine->faults != NULL && engine->faults->data.error.status != 0) {
            *error = engine->faults->data.error;
            return -1;
        }
    }
}

/* The literals make the compiler keep four copies. */
int net_flit_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error)
{
    struct net_flit_engine *engine = (struct net_flit_engine *)network;
    bool wormhole = network->options.flow_control == NET_WORMHOLE;
    if (engine->rows != NULL)
        return net_flit_rows_advance(engine, limit, error);
    if (engine->pace != NULL || engine->looks || engine->chooses || engine->faults != NULL)
        return wormhole ? advance(engine, limit, true, true, error)
                        : advance(engine, limit, false, true, error);
    return wormhole ? advance(engine, limit, true, false, error)
                    : advance(engine, limit, false, false, error);
}
