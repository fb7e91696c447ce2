/* Which calls, and which messages, ranks wait for. A wait is booked under the region of the operation that
 * blocked, and under the size of the message whose completion ended it: with several messages awaited, the
 * last one decides when the rank goes on.
 *
 * For timelines each wait is divided (doc/replay.md, Waiting): until both sides of all that it waits for have been
 * started the rank waits for others, from then on for messages on their way. */
#include "replay/engine/internal.h"

#include "base/grow.h"

/* 0: no payload; then up to 64, 512, 4 Ki … bytes, each eight times the one before; the last has no bound. */
unsigned replay_size_class(uint64_t bytes)
{
    unsigned size_class = bytes == 0 ? 0 : 1;
    for (uint64_t bound = 64; bytes > bound && size_class + 1 < REPLAY_SIZE_CLASSES; bound *= 8)
        size_class++;
    return size_class;
}

/* Few regions wait, and mostly the same as before: the table is asked once a wait. */
static uint32_t row_of(struct replay_engine *engine, uint32_t region)
{
    uint32_t row = base_table_get(&engine->wait_of, region, 0);
    if (row != BASE_TABLE_NONE)
        return row;
    if (base_grow_32(&engine->waits, &engine->wait_capacity, (size_t)engine->wait_count + 1,
                     sizeof *engine->waits) != 0)
        return BASE_TABLE_NONE;
    if (base_table_put(&engine->wait_of, region, 0, engine->wait_count) < 0)
        return BASE_TABLE_NONE;
    engine->waits[engine->wait_count] = (struct replay_wait){.region = region};
    return engine->wait_count++;
}

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Rank, region and size class grow by the same number at the same time: their sums agree by construction,
 * which replay/session/attribution.c checks on every rung. */
int replay_account_wait(struct replay_engine *engine, uint32_t index, uint64_t wait_ns,
                        struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    uint32_t row = row_of(engine, rank->op.region);
    if (row == BASE_TABLE_NONE)
        return base_error_memory(error, "the waits of the regions");
    engine->waits[row].wait_ns += wait_ns;
    engine->waits[row].waits++;
    engine->size_wait_ns[replay_size_class(rank->awaited_bytes)] += wait_ns;
    rank->wait_ns += wait_ns;
    if (engine->semantics->recorder == NULL)
        return 0;
    uint64_t ready_ns = latest(rank->ready_ns, rank->time_ns), end_ns = rank->time_ns + wait_ns;
    return replay_recorder_add(engine->semantics->recorder, engine->first_recorded + index, rank->operation,
                               (struct replay_spell){wait_ns, end_ns > ready_ns ? end_ns - ready_ns : 0},
                               error);
}

/* A request without another side, as a put, is ready when it was started. */
void replay_wait_completed(struct replay_engine *engine, const struct replay_request *request)
{
    uint64_t ready_ns = request->begun_ns;
    if (request->mate != REPLAY_NONE)
        ready_ns = latest(ready_ns, engine->requests[request->mate].begun_ns);
    uint64_t *of = request->call == REPLAY_NONE ? &engine->rank[request->rank].ready_ns
                                                : &engine->calls[request->call].ready_ns;
    *of = latest(*of, ready_ns);
}

/* A rank that waits does so since its time. What came before it is nobody's wait. */
void replay_wait_stepped(const struct replay_engine *engine, struct replay_call *call)
{
    const struct replay_rank *rank = &engine->rank[call->rank];
    if (rank->state != REPLAY_BLOCKED)
        return;
    if (call->blocked_ns != rank->time_ns)
        call->network_ns = 0;
    call->blocked_ns = rank->time_ns;
    call->network_ns += engine->now_ns - latest(call->ready_ns, rank->time_ns);
}

uint64_t replay_wait_collected(const struct replay_engine *engine, const struct replay_call *call)
{
    const struct replay_rank *rank = &engine->rank[call->rank];
    bool waits = rank->state == REPLAY_BLOCKED && call->blocked_ns == rank->time_ns;
    return engine->now_ns - (waits ? call->network_ns : 0);
}
