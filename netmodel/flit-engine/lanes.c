/* The flit-grant engine for narrow routers under wormhole: see lanes.h. One cycle:
 *
 *     tails, headers   of the latencies ago: outputs come free, headers may ask       settle
 *     injection        messages join their injectors                                  join_due
 *     routers          who has something pending, who may ask, who moved before       run_router
 *
 * Rules 8 and 9 of doc/flit-engine.md; cycle.c is the same for all routers and options, one flit at a time. */
#include "netmodel/flit-engine/lanes.h"

#if NET_FLIT_HAS_ROWS
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#include <immintrin.h>

#include "netmodel/flit-engine/fetch.h"
#include "netmodel/flit-engine/heads.h"

/* ---- sixteen lanes ---- */

typedef __m128i row;

static INLINE row row_at(const uint8_t *lanes)
{
    return _mm_loadu_si128((const row *)(const void *)lanes);
}

static INLINE void row_put(uint8_t *lanes, row value)
{
    _mm_storeu_si128((row *)(void *)lanes, value);
}

/* 0xff, that is -1, in the lanes of a mask. */
static INLINE row row_of(uint32_t mask)
{
    const row pick = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const row bits = _mm_set1_epi64x((int64_t)UINT64_C(0x8040201008040201));
    return _mm_cmpeq_epi8(_mm_and_si128(_mm_shuffle_epi8(_mm_cvtsi32_si128((int)mask), pick), bits), bits);
}

/* The lanes that are not zero. */
static INLINE uint32_t row_full(row value)
{
    return ~(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(value, _mm_setzero_si128())) & 0xffff;
}

/* Two rows, in memory one behind the other. */
typedef __m256i pair;

static INLINE pair pair_at(const uint8_t *lanes)
{
    return _mm256_loadu_si256((const pair *)(const void *)lanes);
}

static INLINE void pair_put(uint8_t *lanes, pair value)
{
    _mm256_storeu_si256((pair *)(void *)lanes, value);
}

static INLINE row pair_first(pair value)
{
    return _mm256_castsi256_si128(value);
}

static INLINE row pair_second(pair value)
{
    return _mm256_extracti128_si256(value, 1);
}

static INLINE pair pair_join(row first, row second)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), second, 1);
}

/* As row_of, of a mask of both. */
static INLINE pair pair_of(uint32_t mask)
{
    const pair pick = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
                                       3, 3, 3, 3, 3, 3, 3, 3);
    const pair bits = _mm256_set1_epi64x((int64_t)UINT64_C(0x8040201008040201));
    return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32((int)mask), pick), bits),
                             bits);
}

/* ---- headers and tails ---- */

static void note(struct net_flit_engine *engine, const struct net_flit_move *move)
{
    *next_move(engine, engine->moved) = *move;
}

/* A header or a tail crosses. Flits are counted with the tail. */
static __attribute__((noinline)) void cross_end(struct net_flit_engine *engine,
                                                struct net_flit_router *router, uint32_t local, bool header,
                                                bool tail)
{
    struct net_flit_output *output = &router->outputs[local];
    struct net_flit_driver *driver = &router->drivers[output->driver];
    struct net_flit_lanes *lanes = &engine->rows->lanes[router->number];
    if (header)
        move_header(engine, router, output, driver, false);
    if (header && output->next_driver != NET_NONE)
        note(engine, &(const struct net_flit_move){.arrival = output->next_driver,
                                                   .credit = NET_NONE,
                                                   .packet = output->packet,
                                                   .header = true});
    if (!tail)
        return;
    output->flits += output->length;
    if (driver->upstream == NET_NONE)
        injected_of(engine, driver)->flits += output->length;
    else
        note(engine,
             &(const struct net_flit_move){.arrival = NET_NONE, .credit = driver->upstream, .tail = true});
    lanes->driver[local] = NET_FLIT_LANE_NONE;
    lanes->held[driver->local] = NET_FLIT_LANE_NONE;
    output->left = 0;
    release(engine, router, local, driver, true);
}

/* Those that were granted their outputs in this cycle. */
static void take_granted(struct net_flit_engine *engine, struct net_flit_router *router, uint64_t before)
{
    struct net_flit_lanes *lanes = &engine->rows->lanes[router->number];
    for (uint64_t rest = router->fed.word[0] & ~before; rest != 0; rest &= rest - 1) {
        uint32_t local = (uint32_t)__builtin_ctzll(rest);
        const struct net_flit_output *output = &router->outputs[local];
        lanes->driver[local] = output->driver;
        lanes->held[output->driver] = (uint8_t)local;
        lanes->left[local] = (uint8_t)output->length;
        lanes->fresh |= UINT32_C(1) << local;
    }
}

static INLINE bool is_asked(const struct net_flit_router *router)
{
    return router->ask && !net_flit_is_empty(&router->heads);
}

/* ---- flits ---- */

/* One virtual channel of each link that has any ready, by its pointer (rule 9). */
static INLINE uint32_t choose_channels(struct net_flit_lanes *lanes, uint32_t ready, uint32_t links,
                                       const uint32_t channels)
{
    if (channels == 1)
        return ready;
    if (channels == 2) {
        uint32_t first = ready & links & 0x5555, second = ready >> 1 & links & 0x5555;
        uint32_t turn = lanes->turn, seconds = second & (~first | turn), firsts = first & ~seconds;
        lanes->turn = (turn & ~seconds) | firsts;
        return firsts | seconds << 1 | (ready & ~links);
    }
    uint32_t chosen = ready & ~links, group = UINT32_MAX >> (32 - channels);
    for (uint32_t rest = ready & links; rest != 0;) {
        uint32_t port = (uint32_t)__builtin_ctz(rest) / channels, base = port * channels;
        uint32_t winner = net_bits_from(rest >> base & group, lanes->pointer[port]);
        lanes->pointer[port] = (uint8_t)(winner + 1 == channels ? 0 : winner + 1);
        chosen |= UINT32_C(1) << (base + winner);
        rest &= ~(group << base);
    }
    return chosen;
}

/* Lists of later cycles. */
struct later {
    struct net_flit_due next, arrivals, places;
};

/* What crosses links is in the next buffers a latency later, and what leaves buffers is a place upstream. */
static INLINE void send(const struct net_flit_lanes *lanes, const struct later *later, uint32_t crossing,
                        uint32_t leaving)
{
    for (; crossing != 0; crossing &= crossing - 1)
        net_flit_due_add(&later->arrivals, lanes->next[__builtin_ctz(crossing)], crossing & -crossing);
    for (; leaving != 0; leaving &= leaving - 1)
        net_flit_due_add(&later->places, lanes->before[__builtin_ctz(leaving)],
                         (leaving & -leaving) << NET_FLIT_PLACES);
}

/* One router in one cycle. It is listed for the next if it could move a flit then whatever comes, or a head has reason
 * to ask. Returns whether there was anything to decide: a place that nobody waits for is nothing. */
static INLINE bool run_router(struct net_flit_engine *engine, uint32_t number, uint32_t pending,
                              const struct later *later, const uint32_t links, const uint32_t channels)
{
    struct net_flit_lanes *lanes = &engine->rows->lanes[number];
    struct net_flit_router *router = &engine->router[number];
    bool asked = is_asked(router);
    if (asked) {
        uint64_t before = router->fed.word[0];
        run_heads(engine, router, true, false);
        take_granted(engine, router, before);
    }
    /* Flits in buffers, and behind them places. */
    pair both = _mm256_sub_epi8(pair_at(lanes->count), pair_of(pending));
    const row driver = row_at(lanes->driver);
    uint32_t ready = row_full(_mm_min_epu8(_mm_shuffle_epi8(pair_first(both), driver), pair_second(both)));
    if (ready == 0) {
        pair_put(lanes->count, both);
        if (is_asked(router))
            net_flit_due_add(&later->next, number, 0);
        return asked;
    }
    const uint32_t chosen = choose_channels(lanes, ready, links, channels);
    const row moved = row_of(chosen), gone = _mm_shuffle_epi8(moved, row_at(lanes->held));
    const row left = _mm_add_epi8(row_at(lanes->left), moved);
    row_put(lanes->left, left);
    both = _mm256_add_epi8(both, pair_join(gone, _mm_and_si128(moved, row_of(links))));
    pair_put(lanes->count, both);
    uint32_t headers = chosen & lanes->fresh, tails = chosen & ~row_full(left);
    send(lanes, later, chosen & links, (uint32_t)_mm_movemask_epi8(gone) & links);
    if (row_full(_mm_min_epu8(_mm_shuffle_epi8(pair_first(both), driver), pair_second(both))) != 0)
        net_flit_due_add(&later->next, number, 0);
    if ((headers | tails) == 0)
        return true;
    lanes->fresh &= ~headers;
    for (uint32_t rest = headers | tails; rest != 0; rest &= rest - 1) {
        uint32_t local = (uint32_t)__builtin_ctz(rest);
        cross_end(engine, router, local, (headers >> local & 1) != 0, (tails >> local & 1) != 0);
    }
    if (is_asked(router))
        net_flit_due_add(&later->next, number, 0);
    return true;
}

/* ---- time ---- */

/* Lines that a header or a tail further on in the list will want, where the state is larger than a core's cache. */
static INLINE void fetch_end(const struct net_flit_engine *engine, const struct net_flit_move *move)
{
    if (move->header) {
        __builtin_prefetch(&engine->driver[move->arrival], 1);
        __builtin_prefetch(&engine->want[move->arrival], 1);
        __builtin_prefetch(&engine->packets[move->packet], 1);
        __builtin_prefetch((const char *)&engine->packets[move->packet] + 64, 1);
    } else {
        __builtin_prefetch(&engine->output[move->credit], 0);
    }
}

/* Tails that have left the next buffer, and headers that have come into it. */
static void settle(struct net_flit_engine *engine, uint64_t cycle)
{
    const struct net_flit_moves *list = moves_before(engine, cycle, engine->credit_age);
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        if (!list->moves[i].tail)
            continue;
        const struct net_flit_output *output = &engine->output[list->moves[i].credit];
        struct net_flit_router *router = &engine->router[output->router];
        net_flit_add(&router->free, output->local);
        if (net_flit_is_empty(&router->heads))
            continue;
        router->ask = true;
        net_flit_rows_list(engine->rows, router->number, cycle);
    }
    list = moves_before(engine, cycle, engine->arrival_age);
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        if (engine->large && i + NET_FLIT_AHEAD < list->count)
            fetch_end(engine, &list->moves[i + NET_FLIT_AHEAD]);
        if (list->moves[i].header)
            arrive_header(engine, &engine->driver[list->moves[i].arrival], list->moves[i].packet, cycle);
    }
    if (engine->ready_age != engine->arrival_age)
        settle_headers(engine, moves_before(engine, cycle, engine->ready_age), cycle);
}

/* The first cycle from now on in which anything can happen. */
static uint64_t next_cycle(const struct net_flit_engine *engine)
{
    const uint32_t ages[3] = {engine->credit_age, engine->arrival_age, engine->ready_age};
    if (engine->network.now < engine->rows->busy)
        return engine->network.now;
    uint64_t next = soonest(engine, engine->recent, ages, 3), joins = net_flights_next(&engine->flights);
    return joins < next ? joins : next;
}

/* And those of the router after the next. */
static INLINE void fetch(const struct net_flit_engine *engine, uint32_t number)
{
    const char *lanes = (const char *)&engine->rows->lanes[number];
    for (size_t line = 0; line < sizeof(struct net_flit_lanes); line += 64)
        __builtin_prefetch(lanes + line, 1);
    __builtin_prefetch(&engine->router[number], 1);
}

/* The routers of a cycle's list. */
static INLINE void run_routers(struct net_flit_engine *engine, const uint32_t channels, const bool large)
{
    struct net_flit_rows *rows = engine->rows;
    uint64_t cycle = engine->network.now, any = 0;
    bool decided = false;
    const struct net_flit_due due = rows->due[cycle & rows->mask];
    const struct later later = {rows->due[(cycle + 1) & rows->mask],
                                rows->due[(cycle + engine->arrival_age) & rows->mask],
                                rows->due[(cycle + engine->credit_age) & rows->mask]};
    const uint32_t links = rows->links;
    for (uint32_t i = 0; i < rows->words; i++) {
        uint64_t rest = due.listed[i];
        any |= rest;
        due.listed[i] = 0;
        for (; rest != 0; rest &= rest - 1) {
            uint32_t number = i * 64 + (uint32_t)__builtin_ctzll(rest), pending = due.pending[number];
            due.pending[number] = 0;
            const uint64_t behind = rest & (rest - 1), after = behind & (behind - 1);
            if (large && after != 0)
                fetch(engine, i * 64 + (uint32_t)__builtin_ctzll(after));
            decided |= run_router(engine, number, pending, &later, links, channels);
        }
    }
    engine->network.statistics.executed_cycles += decided;
    if (any != 0 && rows->busy <= cycle + rows->latest)
        rows->busy = cycle + rows->latest + 1;
}

/* The literals make the compiler keep a copy for each number of channels that is met often, and for large networks. */
static void run_shape(struct net_flit_engine *engine)
{
    uint32_t channels = engine->virtual_channels;
    if (engine->large)
        run_routers(engine, channels, true);
    else if (channels == 1)
        run_routers(engine, 1, false);
    else if (channels == 2)
        run_routers(engine, 2, false);
    else
        run_routers(engine, channels, false);
}

/* As run_cycle of cycle.c. */
static void run_cycle(struct net_flit_engine *engine)
{
    struct net_flit_rows *rows = engine->rows;
    uint64_t cycle = engine->network.now;
    settle(engine, cycle);
    join_due(engine, cycle);
    struct net_flit_moves *moves = &engine->recent[cycle & engine->recent_mask];
    moves->cycle = cycle;
    moves->count = 0;
    engine->moved = moves;
    rows->ahead = 1;
    run_shape(engine);
    rows->ahead = 0;
}

int net_flit_rows_advance(struct net_flit_engine *engine, uint64_t limit, struct base_error *error)
{
    struct net_network *network = &engine->network;
    for (;;) {
        int before = net_network_go_on(network, engine->out_of_memory, next_cycle(engine), limit, error);
        if (before != NET_GOES_ON)
            return before;
        run_cycle(engine);
        network->now++;
    }
}

/* ---- building ---- */

bool net_flit_rows_serve(const struct net_flit_engine *engine)
{
    const struct net_options *options = &engine->network.options;
    return !options->portable && options->flow_control == NET_WORMHOLE &&
           options->arbiter == NET_ROUND_ROBIN && engine->pace == NULL && !engine->looks &&
           !engine->chooses && engine->faults == NULL && engine->drivers_per_router <= NET_FLIT_LANES &&
           engine->outputs_per_router <= NET_FLIT_LANES && engine->routers <= NET_FLIT_LANE_ROUTERS_MAX &&
           engine->largest <= NET_FLIT_LANE_FLITS_MAX && options->buffer_flits <= NET_FLIT_LANE_FLITS_MAX &&
           options->link_cycles <= NET_FLIT_LANE_CYCLES_MAX &&
           options->credit_cycles <= NET_FLIT_LANE_CYCLES_MAX && __builtin_cpu_supports("avx2") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

static void clear_lanes(const struct net_flit_engine *engine, struct net_flit_lanes *lanes)
{
    *lanes = (struct net_flit_lanes){0};
    for (uint32_t i = 0; i < NET_FLIT_LANES; i++) {
        lanes->room[i] = i < engine->first_ejection ? (uint8_t)engine->network.options.buffer_flits : 1;
        lanes->driver[i] = lanes->held[i] = NET_FLIT_LANE_NONE;
    }
}

int net_flit_rows_init(struct net_flit_engine *engine)
{
    const struct net_topology *topology = engine->network.topology;
    uint32_t latest = engine->arrival_age > engine->credit_age ? engine->arrival_age : engine->credit_age;
    uint32_t size = 2;
    struct net_flit_rows *rows = net_array_new(1, sizeof *rows);
    if (rows == NULL)
        return -1;
    engine->rows = rows;
    while (size <= latest)
        size *= 2;
    rows->lanes = aligned_alloc(_Alignof(struct net_flit_lanes), engine->routers * sizeof *rows->lanes);
    rows->due = net_array_new(size, sizeof *rows->due);
    if (rows->lanes == NULL || rows->due == NULL)
        return -1;
    rows->mask = size - 1;
    rows->latest = latest;
    rows->words = (engine->routers + 63) / 64;
    rows->links = (UINT32_C(1) << engine->first_ejection) - 1;
    for (uint32_t i = 0; i < size; i++) {
        rows->due[i].pending = net_array_new(engine->routers, sizeof *rows->due[i].pending);
        rows->due[i].listed = net_array_new(rows->words, sizeof *rows->due[i].listed);
        if (rows->due[i].pending == NULL || rows->due[i].listed == NULL)
            return -1;
    }
    for (uint32_t i = 0; i < engine->routers; i++)
        clear_lanes(engine, &rows->lanes[i]);
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        for (uint32_t channel = 0; channel < engine->virtual_channels; channel++) {
            uint32_t local = link->port * engine->virtual_channels + channel;
            rows->lanes[link->source].next[local] = link->target;
            rows->lanes[link->target].before[local] = link->source;
        }
    }
    return 0;
}

void net_flit_rows_free(struct net_flit_engine *engine)
{
    struct net_flit_rows *rows = engine->rows;
    if (rows == NULL)
        return;
    for (uint32_t i = 0; rows->due != NULL && i <= rows->mask; i++) {
        free(rows->due[i].pending);
        free(rows->due[i].listed);
    }
    free(rows->due);
    free(rows->lanes);
    free(rows);
    engine->rows = NULL;
}

/* ---- conservation ---- */

void net_flit_rows_tally(const struct net_flit_engine *engine, uint64_t *on_wires, uint64_t *places)
{
    const struct net_flit_rows *rows = engine->rows;
    for (uint32_t i = 0; i <= rows->mask; i++)
        for (uint32_t router = 0; router < engine->routers; router++) {
            uint32_t pending = rows->due[i].pending[router];
            *on_wires += (uint32_t)__builtin_popcount(pending & UINT16_MAX);
            *places += (uint32_t)__builtin_popcount(pending >> NET_FLIT_PLACES);
        }
}

#endif
