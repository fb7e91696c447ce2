/* Hosts by the rules of LogGOPSim (doc/hosts.md, rules=loggops), in place of those of host.c:
 *
 *      send       begins when processor and interface are free. It takes o + n O of the one and g + n G of the
 *                 other, and its message leaves after o
 *      message    is taken in when both are free, whatever the program asks for: o + n max(O, G), and g + n G
 *      computing  takes the processor
 *
 * Of those who can have the processor, who stood in line first has it: a message stands since its send began, an
 * operation since the one before it in its program did. Messages that come while a processor is taken are a list of
 * the rank; an event (REPLAY_TAKES_IN) comes when the processor may be free again. */
#include "replay/engine/internal.h"
#include "traces/edge.h"

void replay_loggops_begin(struct replay_engine *engine, struct replay_rank *rank)
{
    rank->began = ++engine->hosts.clock;
}

/* Of one message, in the interface. */
static uint64_t gap_of(const struct replay_engine *engine, uint64_t bytes)
{
    const struct replay_host *host = &engine->semantics->host;
    return replay_host_charge(host->gap_ps, host->gap_byte_ps, bytes);
}

/* When the rank may take in a message: a rank that computes is at the end of that in time_ns. */
static uint64_t idle_ns(const struct replay_engine *engine, uint32_t index)
{
    const struct replay_rank *rank = &engine->rank[index];
    uint64_t ns = engine->hosts.nic_in_ns[replay_host_nic(engine, index)];
    if (ns < rank->free_ns)
        ns = rank->free_ns;
    return ns < rank->time_ns ? rank->time_ns : ns;
}

/* ---- operations ---- */

/* A message that may be taken in now, and stood in line first, goes first: its event is on the agenda. */
bool replay_loggops_holds(struct replay_engine *engine, uint32_t index)
{
    struct replay_rank *rank = &engine->rank[index];
    bool waits = rank->due && rank->due_ns <= engine->now_ns &&
                 engine->requests[rank->arrived].stood <= rank->began &&
                 idle_ns(engine, index) <= engine->now_ns;
    rank->held = waits || rank->free_ns > engine->now_ns;
    if (!rank->held)
        replay_loggops_begin(engine, rank);
    return rank->held;
}

/* The part of a send that the bytes are does not hold up its message. */
static bool pay_rest(struct replay_engine *engine, uint32_t index, uint64_t first_ns, uint64_t bytes)
{
    const struct replay_host *host = &engine->semantics->host;
    uint64_t all_ns = replay_host_charge(host->send_ps, host->send_byte_ps, bytes);
    engine->rank[index].paid = false;
    if (all_ns > first_ns)
        replay_host_occupy(engine, index, all_ns - first_ns, bytes);
    return false;
}

bool replay_loggops_delays_send(struct replay_engine *engine, uint32_t index, uint64_t bytes)
{
    struct replay_rank *rank = &engine->rank[index];
    struct replay_hosts *hosts = &engine->hosts;
    uint64_t first_ns = replay_host_charge(engine->semantics->host.send_ps, 0, 0);
    uint64_t *nic_ns = &hosts->nic_free_ns[replay_host_nic(engine, index)];
    if (rank->paid)
        return pay_rest(engine, index, first_ns, bytes);
    if (*nic_ns > engine->now_ns) {
        rank->held = true;
        rank->stands_ns = *nic_ns;
        return true;
    }
    if (replay_loggops_holds(engine, index))
        return true;
    *nic_ns = engine->now_ns + gap_of(engine, bytes);
    hosts->turn[hosts->node[index]]++;
    if (first_ns == 0)
        return pay_rest(engine, index, first_ns, bytes);
    replay_host_occupy(engine, index, first_ns, bytes);
    rank->paid = true;
    return true;
}

/* ---- messages ---- */

/* What is charged now. Right behind other messages it goes on with what the path has as one step. */
static void pay(struct replay_engine *engine, uint32_t index, uint64_t bytes)
{
    const struct replay_host *host = &engine->semantics->host;
    struct replay_rank *rank = &engine->rank[index];
    uint64_t each_ps = host->receive_byte_ps > host->gap_byte_ps ? host->receive_byte_ps : host->gap_byte_ps;
    uint64_t ns = replay_host_charge(host->receive_ps + host->match_ps, each_ps, bytes);
    engine->hosts.nic_in_ns[replay_host_nic(engine, index)] = engine->now_ns + gap_of(engine, bytes);
    if (rank->state == REPLAY_ENDED || ns == 0)
        return;
    if (rank->free_ns != engine->now_ns || rank->host_ns == 0) {
        replay_host_occupy(engine, index, ns, bytes);
        return;
    }
    rank->free_ns += ns;
    rank->host_ns += ns;
    rank->awaited_bytes = bytes;
}

/* The next operation stands in line from now on; behind a wait that is an operation of its own, from when that is
 * over. */
void replay_loggops_woken(struct replay_engine *engine, struct replay_rank *rank)
{
    if (rank->op.kind == TRACE_WAIT && (rank->op.flags & TRACE_EDGE) == 0)
        rank->joins = true;
    else
        replay_loggops_begin(engine, rank);
}

static int take(struct replay_engine *engine, uint32_t send, struct base_error *error)
{
    uint32_t index = engine->requests[send].peer;
    struct replay_rank *rank = &engine->rank[index];
    replay_path_taken(engine, &engine->requests[send], rank);
    pay(engine, index, engine->requests[send].bytes);
    return replay_message_taken(engine, send, error);
}

/* One event at a time, when the processor may be free. */
static int come_back(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    uint64_t ns = idle_ns(engine, index);
    if (rank->due || rank->arrived == REPLAY_NONE)
        return 0;
    if (ns < engine->now_ns)
        ns = engine->now_ns;
    if (ns >= REPLAY_TIME_LIMIT || replay_cycles(engine, ns) >= REPLAY_TIME_LIMIT)
        return replay_error_at(engine, index, rank->op.event, error,
                               "the costs of the host exceed the range of simulated time");
    rank->due = true;
    rank->due_ns = ns;
    if (base_agenda_push_later(&engine->wakeups, ns, REPLAY_TAKES_IN | index) < 0)
        return base_error_memory(error, "the ranks' events");
    return 0;
}

/* Behind those that stood before it: mostly the last place, since who began first arrives first. */
int replay_loggops_arrived(struct replay_engine *engine, uint32_t send, struct base_error *error)
{
    uint32_t index = engine->requests[send].peer;
    uint32_t *link = &engine->rank[index].arrived;
    replay_path_arrived(engine, &engine->requests[send]);
    while (*link != REPLAY_NONE && engine->requests[*link].stood <= engine->requests[send].stood)
        link = &engine->requests[*link].behind;
    engine->requests[send].behind = *link;
    *link = send;
    return come_back(engine, index, error);
}

/* Whether the operation in hand stood in line before the message, and is about to ask for the processor. */
static bool goes_first(const struct replay_engine *engine, const struct replay_rank *rank, uint32_t send)
{
    return (rank->held || rank->resumes || rank->looked) && rank->wakes_ns == engine->now_ns &&
           rank->began < engine->requests[send].stood && rank->free_ns <= engine->now_ns;
}

int replay_loggops_take_in(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    uint32_t send = rank->arrived;
    rank->due = false;
    if (send != REPLAY_NONE && idle_ns(engine, index) <= engine->now_ns && !goes_first(engine, rank, send)) {
        rank->arrived = engine->requests[send].behind;
        if (take(engine, send, error) < 0)
            return -1;
    }
    return come_back(engine, index, error);
}
