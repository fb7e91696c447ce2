/* What messages cost beside the network (doc/hosts.md): the processors of ranks, the network interfaces of
 * terminals, and memory between the ranks of one.
 *
 *      processor     a rank is busy until free_ns; what it is charged in a call comes behind what it was charged before
 *      interface     the next message may begin at nic_free_ns; what is ready earlier begins then
 *      memory        a copy takes the place that is free first; its time is known when it begins
 *
 * A charge is the sum of its parts in picoseconds, rounded up to a whole nanosecond once. Nothing here is called where
 * nothing costs anything, but for the tests of `on`. */
#include <stdlib.h>

#include "base/grow.h"
#include "base/wide.h"
#include "replay/engine/internal.h"

#define PS_OF_NS 1000
#define PS_OF_S UINT64_C(1000000000000)

/* Whole nanoseconds, the last begun one too; beyond the end of time the end of time. */
static uint64_t ns_above(base_wide ps)
{
    base_wide more = base_wide_add(ps, base_wide_of(PS_OF_NS - 1));
    return base_wide_cut(base_wide_quotient(more, base_wide_of(PS_OF_NS)), REPLAY_TIME_LIMIT);
}

/* What a part and another one for each byte are together; beyond the end of time it is the end of time, which the
 * charged rank is refused with. */
uint64_t replay_host_charge(uint64_t fixed_ps, uint64_t each_ps, uint64_t bytes)
{
    return ns_above(base_wide_add(base_wide_of(fixed_ps), base_wide_product(each_ps, bytes)));
}

/* ---- set-up ---- */

static bool has_memory(const struct replay_host *host)
{
    return host->memory_ps != 0 || host->memory_bytes_per_s != 0;
}

bool replay_host_costs(const struct replay_host *host)
{
    return host->send_ps != 0 || host->send_byte_ps != 0 || host->receive_ps != 0 ||
           host->receive_byte_ps != 0 || host->match_ps != 0 || host->entry_ps != 0 || host->gap_ps != 0 ||
           host->gap_byte_ps != 0 || has_memory(host) || host->in_calls || host->loggops;
}

/* Numbers the terminals of the program in the order of their first ranks, and the ranks of each. */
static int seat_ranks(struct replay_engine *engine)
{
    struct replay_hosts *hosts = &engine->hosts;
    struct base_table node_of = {0};
    uint32_t nodes = 0;
    int status = 0;
    uint32_t *seated = calloc((size_t)engine->ranks + 1, sizeof *seated);
    for (uint32_t rank = 0; seated != NULL && status == 0 && rank < engine->ranks; rank++) {
        uint32_t node = base_table_get(&node_of, engine->terminal[rank], 0);
        if (node == BASE_TABLE_NONE) {
            node = nodes++;
            status = base_table_put(&node_of, engine->terminal[rank], 0, node);
        }
        hosts->node[rank] = node;
        hosts->seat[rank] = seated[node]++;
    }
    hosts->nodes = nodes;
    free(seated);
    base_table_free(&node_of);
    return seated == NULL ? -1 : status;
}

/* All memory is taken here, but that of debts, which are as many as receives that nobody has asked for yet. */
int replay_hosts_prepare(struct replay_engine *engine, struct base_error *error)
{
    const struct replay_host *host = &engine->semantics->host;
    struct replay_hosts *hosts = &engine->hosts;
    *hosts = (struct replay_hosts){.on = replay_host_costs(host),
                                   .entries = host->entry_ps != 0,
                                   .memory = has_memory(host),
                                   .loggops = host->loggops,
                                   .gaps = host->gap_ps != 0 || host->gap_byte_ps != 0,
                                   .nics = host->nics > 1 ? host->nics : 1,
                                   .debt_free = REPLAY_NONE};
    if (!hosts->on)
        return 0;
    hosts->node = calloc((size_t)engine->ranks + 1, sizeof *hosts->node);
    hosts->seat = calloc((size_t)engine->ranks + 1, sizeof *hosts->seat);
    if (hosts->node == NULL || hosts->seat == NULL || seat_ranks(engine) < 0)
        return base_error_memory(error, "the hosts");
    hosts->nic_free_ns = calloc((size_t)hosts->nodes * hosts->nics + 1, sizeof *hosts->nic_free_ns);
    hosts->nic_in_ns = calloc((size_t)hosts->nodes * hosts->nics + 1, sizeof *hosts->nic_in_ns);
    hosts->next = calloc((host->loggops ? (size_t)engine->ranks : 0) + 1, sizeof *hosts->next);
    hosts->turn = calloc((size_t)hosts->nodes + 1, sizeof *hosts->turn);
    hosts->copy_free_ns = calloc((size_t)hosts->nodes * host->copies + 1, sizeof *hosts->copy_free_ns);
    if (hosts->nic_free_ns == NULL || hosts->nic_in_ns == NULL || hosts->next == NULL ||
        hosts->turn == NULL || hosts->copy_free_ns == NULL)
        return base_error_memory(error, "the hosts");
    return 0;
}

void replay_hosts_free(struct replay_engine *engine)
{
    struct replay_hosts *hosts = &engine->hosts;
    free(hosts->node);
    free(hosts->seat);
    free(hosts->nic_free_ns);
    free(hosts->nic_in_ns);
    free(hosts->next);
    free(hosts->turn);
    free(hosts->copy_free_ns);
    free(hosts->debts);
    base_table_free(&hosts->debt_of);
}

/* ---- processors ---- */

/* The rank's processor is taken, behind what it does already. bytes: of the message that it is for. */
void replay_host_occupy(struct replay_engine *engine, uint32_t index, uint64_t ns, uint64_t bytes)
{
    struct replay_rank *rank = &engine->rank[index];
    if (rank->free_ns <= engine->now_ns) {
        rank->free_ns = engine->now_ns;
        replay_path_begin_busy(engine, rank);
    }
    /* The limit is refused in time; until then a sum of two limits has room. */
    rank->free_ns += rank->free_ns < REPLAY_TIME_LIMIT ? ns : 0;
    rank->host_ns += ns;
    rank->awaited_bytes = bytes;
}

/* Asked twice: the second time the overhead has been taken, and the send may start. */
bool replay_host_delays_send(struct replay_engine *engine, uint32_t index, uint64_t bytes)
{
    const struct replay_host *host = &engine->semantics->host;
    struct replay_rank *rank = &engine->rank[index];
    uint64_t ns = replay_host_charge(host->send_ps, host->send_byte_ps, bytes);
    if (engine->hosts.loggops)
        return replay_loggops_delays_send(engine, index, bytes);
    if (rank->paid || ns == 0) {
        rank->paid = false;
        return false;
    }
    replay_host_occupy(engine, index, ns, bytes);
    rank->paid = true;
    return true;
}

/* The steps of a non-blocking collective go on by themselves: their overheads are a debt of the call. */
void replay_host_owes_send(struct replay_engine *engine, struct replay_call *call, uint64_t bytes)
{
    const struct replay_host *host = &engine->semantics->host;
    call->debt_ns += replay_host_charge(host->send_ps, host->send_byte_ps, bytes);
}

/* The rank goes on when its processor is through, and the interface that it waits for, if it does. */
int replay_host_pause(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    bool is_busy = rank->free_ns > engine->now_ns;
    uint64_t due_ns = is_busy                            ? rank->free_ns
                      : rank->stands_ns > engine->now_ns ? rank->stands_ns
                                                         : engine->now_ns;
    rank->stands_ns = 0;
    rank->wakes_ns = due_ns;
    if (due_ns >= REPLAY_TIME_LIMIT || replay_cycles(engine, due_ns) >= REPLAY_TIME_LIMIT)
        return replay_error_at(engine, index, rank->op.event, error,
                               "the costs of the host exceed the range of simulated time");
    if (is_busy && replay_path_end_busy(engine, rank, error) < 0)
        return -1;
    if (!is_busy && due_ns > engine->now_ns && replay_path_stands(engine, rank, due_ns, error) < 0)
        return -1;
    if (base_agenda_push_later(&engine->wakeups, due_ns, index) < 0)
        return base_error_memory(error, "the ranks' events");
    return 0;
}

/* ---- what is taken notice of later ---- */

/* Of a request that is complete, and that its rank has not asked for. */
static int owe(struct replay_engine *engine, const struct replay_request *request, uint64_t ns,
               struct base_error *error)
{
    struct replay_hosts *hosts = &engine->hosts;
    uint32_t index = hosts->debt_free;
    if (index != REPLAY_NONE)
        hosts->debt_free = hosts->debts[index].next_free;
    else if (base_grow_32(&hosts->debts, &hosts->debt_capacity, (size_t)hosts->debt_count + 1,
                          sizeof *hosts->debts) != 0)
        return base_error_memory(error, "the debts of the ranks");
    else
        index = hosts->debt_count++;
    hosts->debts[index] = (struct replay_debt){.ns = ns, .bytes = request->bytes};
    if (base_table_put(&hosts->debt_of, request->rank, request->number, index) < 0)
        return base_error_memory(error, "the debts of the ranks");
    return 0;
}

void replay_host_settle(struct replay_engine *engine, uint32_t index, uint64_t number)
{
    struct replay_hosts *hosts = &engine->hosts;
    uint32_t debt = base_table_get(&hosts->debt_of, index, number);
    if (debt == BASE_TABLE_NONE)
        return;
    base_table_remove(&hosts->debt_of, index, number);
    replay_host_occupy(engine, index, hosts->debts[debt].ns, hosts->debts[debt].bytes);
    hosts->debts[debt].next_free = hosts->debt_free;
    hosts->debt_free = debt;
}

/* What the message brought, not what there was room for; both sides have passed entries. */
static uint64_t receive_ns(const struct replay_engine *engine, const struct replay_request *receive)
{
    const struct replay_host *host = &engine->semantics->host;
    const struct replay_request *send = &engine->requests[receive->mate];
    uint64_t passed = (uint64_t)receive->passed + send->passed;
    base_wide each = base_wide_add(base_wide_product(host->receive_byte_ps, send->bytes),
                                   base_wide_product(host->entry_ps, passed));
    return ns_above(base_wide_add(each, base_wide_of(host->receive_ps + host->match_ps)));
}

/* Who is in the call that asks for it is charged at once, of others whoever waits later. */
static int charge(struct replay_engine *engine, const struct replay_request *request, uint64_t ns,
                  struct base_error *error)
{
    if (ns == 0)
        return 0;
    if (!request->awaited && request->number != REPLAY_NO_NUMBER)
        return owe(engine, request, ns, error);
    replay_host_occupy(engine, request->rank, ns, request->bytes);
    return 0;
}

/* Of a step of a non-blocking collective the call is charged. */
int replay_host_received(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    const struct replay_request *request = &engine->requests[index];
    if (engine->hosts.loggops) /* was charged when it was taken in */
        return 0;
    if (request->call == REPLAY_NONE)
        return charge(engine, request, receive_ns(engine, request), error);
    engine->calls[request->call].debt_ns += receive_ns(engine, request);
    return 0;
}

int replay_host_collected(struct replay_engine *engine, uint32_t index, uint64_t debt_ns,
                          struct base_error *error)
{
    return charge(engine, &engine->requests[index], debt_ns, error);
}

/* ---- interfaces ---- */

size_t replay_host_nic(const struct replay_engine *engine, uint32_t rank)
{
    const struct replay_hosts *hosts = &engine->hosts;
    uint32_t node = hosts->node[rank];
    uint32_t nic = engine->semantics->host.round_robin ? hosts->turn[node] : hosts->seat[rank];
    return (size_t)node * hosts->nics + nic % hosts->nics;
}

uint64_t replay_host_begin(struct replay_engine *engine, uint32_t rank, uint64_t bytes)
{
    const struct replay_host *host = &engine->semantics->host;
    struct replay_hosts *hosts = &engine->hosts;
    uint64_t *free_ns = &hosts->nic_free_ns[replay_host_nic(engine, rank)];
    uint64_t begin_ns = *free_ns > engine->now_ns ? *free_ns : engine->now_ns;
    hosts->turn[hosts->node[rank]]++;
    *free_ns = begin_ns + replay_host_charge(host->gap_ps, host->gap_byte_ps, bytes);
    return begin_ns;
}

/* ---- memory ---- */

bool replay_host_is_copy(const struct replay_engine *engine, uint32_t from, uint32_t to)
{
    return from == to ? engine->hosts.loggops
                      : engine->hosts.memory && engine->terminal[from] == engine->terminal[to];
}

/* When a copy that is ready now is over: at most so many of a terminal go on at a time, first come first served. */
static uint64_t end_of_copy(struct replay_engine *engine, uint32_t node, uint64_t copy_ns)
{
    uint32_t places = engine->semantics->host.copies;
    uint64_t *free_ns = engine->hosts.copy_free_ns + (size_t)node * places;
    uint32_t first = 0;
    if (places == 0 || copy_ns == 0)
        return engine->now_ns + copy_ns;
    for (uint32_t i = 1; i < places; i++)
        if (free_ns[i] < free_ns[first])
            first = i;
    free_ns[first] = (free_ns[first] > engine->now_ns ? free_ns[first] : engine->now_ns) + copy_ns;
    return free_ns[first];
}

/* bytes / bandwidth, in whole nanoseconds. */
static uint64_t copy_ns_of(const struct replay_host *host, uint64_t bytes)
{
    base_wide rate = base_wide_product(host->memory_bytes_per_s, PS_OF_NS);
    base_wide work = base_wide_product(bytes, PS_OF_S), whole;
    if (host->memory_bytes_per_s == 0)
        return 0;
    whole = base_wide_quotient(work, rate);
    if (base_wide_less(base_wide_of(0), base_wide_remainder(work, rate)))
        whole = base_wide_add(whole, base_wide_of(1));
    return base_wide_cut(whole, REPLAY_TIME_LIMIT);
}

/* An event of the engine beside those of ranks: above their numbers the send, twice, and which of its ends it is. */
static int add_end(struct replay_engine *engine, uint64_t ns, uint32_t send, enum net_notice_kind kind,
                   struct base_error *error)
{
    uint64_t payload = engine->ranks + 2 * (uint64_t)send + (kind == NET_DELIVERED);
    if (ns >= REPLAY_TIME_LIMIT || replay_cycles(engine, ns) >= REPLAY_TIME_LIMIT)
        return base_error_set(error, BASE_INPUT, "%s: the run exceeds the range of simulated time",
                              trace_program_path(engine->program));
    if (base_agenda_push_later(&engine->wakeups, ns, payload) < 0)
        return base_error_memory(error, "the copies in memory");
    return 0;
}

int replay_host_copy(struct replay_engine *engine, uint32_t send, uint64_t bytes, bool notice_sent,
                     struct base_error *error)
{
    const struct replay_host *host = &engine->semantics->host;
    uint64_t end_ns =
        end_of_copy(engine, engine->hosts.node[engine->requests[send].rank], copy_ns_of(host, bytes));
    engine->hosts.copies += engine->requests[send].rank != engine->requests[send].peer;
    if (notice_sent && add_end(engine, end_ns, send, NET_SENT, error) < 0)
        return -1;
    return add_end(engine, end_ns + replay_host_charge(host->memory_ps, 0, 0), send, NET_DELIVERED, error);
}

/* As the network tells of its own messages. */
static int end_copy(struct replay_engine *engine, uint64_t payload, struct base_error *error)
{
    uint64_t number = payload - engine->ranks;
    const struct net_notice notice = {.kind = number % 2 != 0 ? NET_DELIVERED : NET_SENT,
                                      .terminal = NET_NONE,
                                      .tag = number / 2,
                                      .journey = {.worst_link = NET_NONE}};
    if (replay_path_noticed(engine, &notice, error) < 0)
        return -1;
    return replay_notice(engine, &notice, error);
}

int replay_host_event(struct replay_engine *engine, uint64_t payload, struct base_error *error)
{
    if ((payload & REPLAY_TAKES_IN) == 0)
        return end_copy(engine, payload, error);
    return replay_loggops_take_in(engine, (uint32_t)payload, error);
}

/* ---- handshakes inside calls ---- */

/* A rank that computes is in no call. */
bool replay_host_is_away(const struct replay_engine *engine, uint32_t rank)
{
    return engine->semantics->host.in_calls && engine->rank[rank].computing;
}

/* Linked by `next`: what is matched is in no queue. */
void replay_host_defer(struct replay_engine *engine, uint32_t index, uint32_t send)
{
    struct replay_rank *rank = &engine->rank[index];
    engine->requests[send].next = REPLAY_NONE;
    if (rank->deferred == REPLAY_NONE)
        rank->deferred = send;
    else
        engine->requests[rank->deferred_last].next = send;
    rank->deferred_last = send;
}

/* The rank enters a call: what has waited for that goes on, in the order in which it came. */
int replay_host_enter(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    rank->computing = false;
    while (rank->deferred != REPLAY_NONE) {
        uint32_t send = rank->deferred;
        rank->deferred = engine->requests[send].next;
        if (replay_request_answer(engine, send, error) < 0)
            return -1;
    }
    return replay_collective_resume(engine, index, error);
}
