/* Collectives in the network: what one rank sends to all others of its communicator goes as one multicast, where
 * the network can reach them so.
 *
 *      reach        may the network multicast to a communicator? asked once, by the placement of its members
 *      start        the sends of a schedule's marked row: requests that are complete, and one or few multicasts
 *      delivered    a copy at a terminal is the arrival of the sends to all ranks there
 *
 * A copy needs no permission, however long: what comes before its receive is posted is kept (as eager messages
 * are). Ranks at the sender's own terminal get a message of their own through its router. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "replay/engine/internal.h"

/* ---- reach ---- */

/* Who runs on a terminal: the last rank of it, and from each rank the one before. */
static int learn_terminals(struct replay_engine *engine, struct base_error *error)
{
    uint32_t communicators = trace_program_communicators(engine->program);
    engine->beside = malloc(((size_t)engine->ranks + 1) * sizeof *engine->beside);
    engine->reach = calloc((size_t)communicators + 1, sizeof *engine->reach);
    if (engine->beside == NULL || engine->reach == NULL)
        return base_error_memory(error, "the terminals of the ranks");
    for (uint32_t rank = 0; rank < engine->ranks; rank++) {
        engine->beside[rank] = base_table_get(&engine->rank_at, engine->terminal[rank], 0);
        if (base_table_put(&engine->rank_at, engine->terminal[rank], 0, rank) < 0)
            return base_error_memory(error, "the terminals of the ranks");
    }
    return 0;
}

static int compare_terminals(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* The terminals of all members, each once, in their order. -1: memory. */
static int list_terminals(const struct replay_engine *engine, const struct trace_communicator *members,
                          struct replay_reach *reach)
{
    uint32_t count = 0;
    reach->terminals = malloc(((size_t)members->size + 1) * sizeof *reach->terminals);
    if (reach->terminals == NULL)
        return -1;
    for (uint32_t i = 0; i < members->size; i++)
        reach->terminals[i] = engine->terminal[members->members[i]];
    qsort(reach->terminals, members->size, sizeof *reach->terminals, compare_terminals);
    for (uint32_t i = 0; i < members->size; i++)
        if (i == 0 || reach->terminals[i] != reach->terminals[i - 1])
            reach->terminals[count++] = reach->terminals[i];
    reach->terminal_count = count;
    return 0;
}

/* A binomial tree's root sends that many messages: with more multicasts than that nothing is gained. */
static uint32_t boxes_most(uint32_t terminals)
{
    uint32_t most = 0;
    while (most < 32 && terminals > UINT32_C(1) << most)
        most++;
    return most;
}

/* The members' routers as boxes. A box is of whole routers: where some of a router's terminals have no member,
 * there is none. */
static int cover_members(const struct replay_engine *engine, struct replay_reach *reach,
                         struct base_error *error)
{
    const struct net_topology *topology = engine->semantics->topology;
    bool *routers = calloc((size_t)topology->routers + 1, sizeof *routers);
    uint32_t whole = 0;
    if (routers == NULL)
        return base_error_memory(error, "the cover of a communicator");
    for (uint32_t i = 0; i < reach->terminal_count; i++) {
        uint32_t router = net_topology_router_of(topology, reach->terminals[i]);
        whole += !routers[router];
        routers[router] = true;
    }
    int covered = 0;
    if (whole * topology->concentration == reach->terminal_count)
        covered = net_cover(topology, routers, true, boxes_most(reach->terminal_count), &reach->cover, error);
    free(routers);
    if (covered == 0)
        reach->obstacle = REPLAY_NO_BOXES;
    return covered < 0 ? -1 : 0;
}

/* Two groups exchange data by their leaders, whatever the network. */
static int find_reach(struct replay_engine *engine, uint32_t communicator, struct base_error *error)
{
    const struct trace_communicator *members = trace_program_communicator(engine->program, communicator);
    struct replay_reach *reach = &engine->reach[communicator];
    reach->known = true;
    reach->obstacle = REPLAY_REACHED;
    if (engine->semantics->multicasts == NET_NO_MULTICASTS)
        reach->obstacle = REPLAY_NO_MULTICASTS;
    else if (members->remote_size != 0)
        reach->obstacle = REPLAY_TWO_GROUPS;
    if (reach->obstacle != REPLAY_REACHED)
        return 0;
    if (list_terminals(engine, members, reach) < 0)
        return base_error_memory(error, "the terminals of a communicator");
    if (reach->terminal_count < 2)
        reach->obstacle = REPLAY_ONE_TERMINAL;
    else if (engine->semantics->multicasts == NET_BOX_MULTICASTS)
        return cover_members(engine, reach, error);
    return 0;
}

int replay_reach(struct replay_engine *engine, uint32_t communicator, enum replay_obstacle *obstacle,
                 struct base_error *error)
{
    if (engine->reach == NULL && learn_terminals(engine, error) < 0)
        return -1;
    if (!engine->reach[communicator].known && find_reach(engine, communicator, error) < 0)
        return -1;
    *obstacle = engine->reach[communicator].obstacle;
    return 0;
}

/* ---- multicasts under way ---- */

/* One from the pool, with room for that many members. Growing moves all of them. */
static int take_multicast(struct replay_engine *engine, uint32_t ranks, uint32_t *index)
{
    *index = engine->multicast_free;
    if (*index != REPLAY_NONE) {
        engine->multicast_free = engine->multicasts[*index].next_free;
    } else {
        if (base_grow_32(&engine->multicasts, &engine->multicast_capacity,
                         (size_t)engine->multicast_count + 1, sizeof *engine->multicasts) != 0)
            return -1;
        *index = engine->multicast_count++;
        engine->multicasts[*index] = (struct replay_multicast){0};
    }
    struct replay_multicast *multicast = &engine->multicasts[*index];
    if (base_grow_32(&multicast->sends, &multicast->capacity, ranks, sizeof *multicast->sends) != 0)
        return -1;
    for (uint32_t i = 0; i < ranks; i++)
        multicast->sends[i] = REPLAY_NONE;
    multicast->copies_left = 0;
    return 0;
}

/* Counted as what its sender does: a message each, however many get a copy. */
static int send_multicast(struct replay_engine *engine, const struct replay_call *call, uint32_t index,
                          struct net_multicast *message, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[call->rank];
    struct replay_collective_result *row = &engine->collectives[call->result];
    uint64_t bytes = call->schedule.steps[call->schedule.multicast_first].bytes;
    uint64_t copies = net_network_copies(engine->network, message);
    if (copies == 0)
        return 0; /* a box of the sender alone */
    message->flits = replay_message_flits(engine, bytes);
    message->tag = engine->tag | index;
    engine->multicasts[index].copies_left += copies;
    engine->messages++;
    engine->message_bytes += bytes;
    rank->messages_sent++;
    rank->bytes_sent += bytes;
    row->messages++;
    row->bytes += bytes;
    row->multicasts++;
    row->copies += copies;
    bool waits = engine->hosts.gaps && !engine->hosts.loggops;
    uint64_t begin_ns = waits ? replay_host_begin(engine, call->rank, bytes) : engine->now_ns;
    uint64_t cycle = begin_ns == engine->now_ns ? engine->now_cycles : replay_cycles(engine, begin_ns);
    return net_network_multicast(engine->network, cycle, message, error);
}

/* To boxes, one after the other; or to the list, also where the network stands for one that has only boxes. */
static int send_all(struct replay_engine *engine, const struct replay_call *call, uint32_t index,
                    struct base_error *error)
{
    const struct replay_reach *reach = &engine->reach[call->communicator];
    struct net_multicast message = {.source = engine->terminal[call->rank]};
    uint32_t low[NET_DIMENSIONS_MAX], high[NET_DIMENSIONS_MAX];
    if (net_network_multicasts(engine->network) == NET_LIST_MULTICASTS) {
        message.targets = reach->terminals;
        message.target_count = reach->terminal_count;
        return send_multicast(engine, call, index, &message, error);
    }
    message.low = low;
    message.high = high;
    for (uint32_t i = 0; i < reach->cover.count; i++) {
        for (uint32_t d = 0; d < net_topology_dimensions(engine->semantics->topology); d++) {
            low[d] = reach->cover.boxes[i].low[d];
            high[d] =
                (low[d] + reach->cover.boxes[i].extent[d] - 1) % engine->semantics->topology->grid->sides[d];
        }
        if (send_multicast(engine, call, index, &message, error) < 0)
            return -1;
    }
    return 0;
}

/* The marked row of a call's schedule, at now. */
int replay_multicast_start(struct replay_engine *engine, const struct replay_call *call,
                           struct base_error *error)
{
    const struct trace_communicator *members =
        trace_program_communicator(engine->program, call->communicator);
    uint32_t index;
    if (take_multicast(engine, members->size, &index) < 0)
        return base_error_memory(error, "the multicasts under way");
    engine->multicasts[index].communicator = call->communicator;
    if (send_all(engine, call, index, error) < 0)
        return -1;
    for (size_t i = 0; i < call->schedule.multicast_count; i++) {
        const struct trace_step *step = &call->schedule.steps[call->schedule.multicast_first + i];
        uint32_t peer = members->members[step->peer];
        int started = engine->terminal[peer] == engine->terminal[call->rank]
                          ? replay_collective_step(engine, call, step, error)
                          : replay_collective_copy(engine, call, step,
                                                   &engine->multicasts[index].sends[step->peer], error);
        if (started < 0)
            return -1;
    }
    return 0;
}

/* Where the send to a rank is noted, until its copy arrives; NULL: it is no member, or that has come. */
static uint32_t *send_to(const struct replay_engine *engine, uint32_t index, uint32_t rank)
{
    const struct replay_multicast *multicast = &engine->multicasts[index];
    uint32_t member = base_table_get(&engine->member_of, multicast->communicator, rank);
    return member == BASE_TABLE_NONE || multicast->sends[member] == REPLAY_NONE ? NULL
                                                                                : &multicast->sends[member];
}

uint32_t replay_multicast_send(const struct replay_engine *engine, const struct net_notice *notice)
{
    uint32_t rank = base_table_get(&engine->rank_at, notice->terminal, 0);
    for (; rank != BASE_TABLE_NONE; rank = engine->beside[rank]) {
        const uint32_t *send = send_to(engine, (uint32_t)notice->tag, rank);
        if (send != NULL)
            return *send;
    }
    return REPLAY_NONE;
}

/* A copy for all ranks of a terminal that are members. Where the network gives one to others, too, nobody waits
 * for it. */
int replay_multicast_delivered(struct replay_engine *engine, const struct net_notice *notice,
                               struct base_error *error)
{
    uint32_t index = (uint32_t)notice->tag, rank = base_table_get(&engine->rank_at, notice->terminal, 0);
    for (; rank != BASE_TABLE_NONE; rank = engine->beside[rank]) {
        uint32_t *send = send_to(engine, index, rank);
        if (send == NULL)
            continue;
        if (replay_copy_arrived(engine, *send, error) < 0)
            return -1;
        *send = REPLAY_NONE;
    }
    struct replay_multicast *multicast = &engine->multicasts[index];
    if (--multicast->copies_left != 0)
        return 0;
    multicast->next_free = engine->multicast_free;
    engine->multicast_free = index;
    return 0;
}

void replay_multicasts_free(struct replay_engine *engine)
{
    uint32_t communicators = engine->reach != NULL ? trace_program_communicators(engine->program) : 0;
    for (uint32_t i = 0; i < communicators; i++) {
        free(engine->reach[i].terminals);
        net_cover_free(&engine->reach[i].cover);
    }
    free(engine->reach);
    free(engine->beside);
    base_table_free(&engine->rank_at);
    for (uint32_t i = 0; i < engine->multicast_count; i++)
        free(engine->multicasts[i].sends);
    free(engine->multicasts);
}
