/* A graph of operations in an order for a rank that does one thing after the other.
 *
 * Messages are started without waiting for them; whoever requires one is preceded by a wait. So operations
 * that need no wait go first, in the order of the file, and only when there is none the next one waits. Of
 * what follows a wait or a calc, everything is held up by it: an operation that does not depend on it,
 * directly or through one that came after it, is counted as approximated.
 *
 *      graph                               order
 *      a: recv   b: calc requires a        start a, start c, wait a, b            exact: c waits for nothing
 *      a: recv   b: calc requires a        start a, start c, wait a, b, wait c, d
 *      c: recv   d: calc requires c                                               d is held up by b: approximated */
#include "traces/goal/graph.h"

#include <stdlib.h>

#include "base/grow.h"

/* By what is still missing: operations that would have to wait stand back behind those that need not. */
int trace_goal_graph_make_ready(struct trace_goal_graph *graph, uint32_t node)
{
    const struct trace_goal_node *what = &graph->nodes[node];

    if (what->needs > 0 || what->is_ordered || !what->is_settled)
        return 0;
    return base_heap_push(what->waits > 0 ? &graph->blocked : &graph->ready, what->index, node) != 0
               ? TRACE_GOAL_MEMORY
               : 0;
}

/* The first of a heap that is not in order yet. An operation may stand in both, once its wait was done by
 * another, and its node may have become one of another operation. */
static bool pop(struct trace_goal_graph *graph, struct base_heap *heap, uint32_t *node)
{
    struct base_event event;

    while (base_heap_pop(heap, &event)) {
        const struct trace_goal_node *what = &graph->nodes[event.payload];
        *node = (uint32_t)event.payload;
        if (what->index == event.time && !what->is_ordered)
            return true;
    }
    return false;
}

/* What waited for the same message need not any more. */
static int complete(struct trace_goal_graph *graph, uint32_t message)
{
    uint32_t next;

    if (graph->is_checked)
        graph->checks[message].done = graph->turns;
    for (uint32_t i = graph->nodes[message].users; i != TRACE_GOAL_NONE; i = next) {
        struct trace_goal_edge *edge = &graph->edges[i];
        next = edge->next_user;
        edge->is_satisfied = true;
        trace_goal_graph_satisfy(graph, edge->from, message, false);
        if (--graph->nodes[edge->from].waits == 0 && trace_goal_graph_make_ready(graph, edge->from) != 0)
            return TRACE_GOAL_MEMORY;
    }
    graph->nodes[message].users = TRACE_GOAL_NONE;
    trace_goal_graph_complete(graph, message);
    return 0;
}

/* Which messages an operation has to wait for before it starts: nodes and requests, in the order in which the
 * file says so, and each once. They count as waited for from now on. */
static int list_waits(struct trace_goal_graph *graph, uint32_t node, size_t *count)
{
    *count = 0;
    for (uint32_t i = graph->nodes[node].edges; i != TRACE_GOAL_NONE; i = graph->edges[i].next) {
        struct trace_goal_node *message;
        if (graph->edges[i].is_satisfied)
            continue;
        message = &graph->nodes[graph->edges[i].to];
        if (message->is_done)
            continue;
        if (base_grow(&graph->waits, &graph->waits_capacity, *count + 1, sizeof *graph->waits) != 0 ||
            base_grow(&graph->waited, &graph->waited_capacity, *count + 1, sizeof *graph->waited) != 0)
            return TRACE_GOAL_MEMORY;
        message->is_done = true;
        graph->waits[*count] = message->request;
        graph->waited[(*count)++] = graph->edges[i].to;
    }
    return 0;
}

/* Whether the operation begins only after the last wait or calc is over, by its own edges: if not, the order
 * holds it up. That shows from what came before its own wait, which it asked for itself. */
static int check_order(struct trace_goal_graph *graph, uint32_t node)
{
    const struct trace_goal_check *check = &graph->checks[node];
    uint64_t level = check->level;

    for (uint32_t i = graph->nodes[node].edges; i != TRACE_GOAL_NONE; i = graph->edges[i].next)
        if (!graph->edges[i].is_satisfied && graph->checks[graph->edges[i].to].completed > level)
            level = graph->checks[graph->edges[i].to].completed;
    if (level >= graph->blocks)
        return 0;
    graph->approximated++;
    return check->doubt >= graph->blocks ? TRACE_GOAL_FAR : 0;
}

/* The wait in front of an operation. What waits for several messages is not known to be over for one of them
 * before all are. */
static int wait_for(struct trace_goal_graph *graph, size_t count)
{
    if (count == 0)
        return 0;
    graph->blocks++;
    if (count == 1 && graph->is_checked)
        graph->checks[graph->waited[0]].completed = graph->blocks;
    for (size_t i = 0; i < count; i++)
        if (complete(graph, graph->waited[i]) != 0)
            return TRACE_GOAL_MEMORY;
    return 0;
}

/* Times of an operation that goes on now. */
static void begin(struct trace_goal_graph *graph, uint32_t node)
{
    const struct trace_goal_op *op = &graph->nodes[node].op;
    uint64_t begun = graph->blocks;

    graph->blocks += op->kind == TRACE_GOAL_CALC && op->value > 0;
    if (graph->is_checked) {
        graph->checks[node].begun = begun;
        graph->checks[node].completed = op->kind == TRACE_GOAL_CALC ? graph->blocks : begun;
        graph->checks[node].ordered = graph->turns;
    }
}

/* Of those that require the operation, only who wants a message to be over is still held up. Requirements that are
 * only of its start (irequires), and all of a calc, end here; those of a message's completion wait for its wait
 * (complete). */
static int release(struct trace_goal_graph *graph, uint32_t node)
{
    bool is_message = trace_goal_is_message(&graph->nodes[node]);
    uint32_t next;
    uint32_t users = TRACE_GOAL_NONE;

    for (uint32_t i = graph->nodes[node].users; i != TRACE_GOAL_NONE; i = next) {
        struct trace_goal_edge *edge = &graph->edges[i];
        next = edge->next_user;
        if (edge->is_started_only || !is_message) {
            edge->is_satisfied = true;
            trace_goal_graph_satisfy(graph, edge->from, node, edge->is_started_only);
        } else {
            edge->next_user = users;
            users = i;
        }
        if (--graph->nodes[edge->from].needs == 0 && trace_goal_graph_make_ready(graph, edge->from) != 0)
            return TRACE_GOAL_MEMORY;
    }
    graph->nodes[node].users = users;
    return 0;
}

/* The operation takes its place in the order, behind the wait that it needs. step->waits are the requests to wait
 * for before it, good until the next step. */
static int put_in_order(struct trace_goal_graph *graph, uint32_t node, struct trace_goal_step *step)
{
    struct trace_goal_node *what = &graph->nodes[node];
    uint64_t ahead = what->index - graph->nodes[graph->low].index;
    int result = graph->is_checked ? check_order(graph, node) : 0;

    if (ahead > graph->found.ahead)
        graph->found.ahead = ahead;
    if (result == 0)
        result = list_waits(graph, node, &step->wait_count);
    what->is_ordered = true;
    if (result == 0)
        result = wait_for(graph, step->wait_count);
    if (result != 0)
        return result;
    begin(graph, node);
    if (trace_goal_is_message(what))
        what->request = graph->next_request++;
    step->op = what->op;
    step->request = what->request;
    step->waits = graph->waits;
    result = release(graph, node);
    trace_goal_graph_free_edges(graph, node);
    return result != 0 ? result : trace_goal_graph_pass(graph);
}

/* Whether the window has room, so that it is worth while to read on before a wait. */
static bool has_room(const struct trace_goal_graph *graph)
{
    uint64_t held = graph->low == TRACE_GOAL_NONE ? 0 : graph->count - graph->nodes[graph->low].index;

    return !graph->has_ended && held < graph->reach.ahead;
}

/* First an operation that needs no wait; then, as long as the window has room, more of the file; then one that has
 * to wait. Reading on before a wait is what keeps operations from being held up by it. */
int trace_goal_graph_next(struct trace_goal_graph *graph, struct trace_goal_step *step)
{
    uint32_t node = TRACE_GOAL_NONE;
    int result;

    if (!pop(graph, &graph->ready, &node)) {
        if (has_room(graph))
            return TRACE_GOAL_MORE;
        if (!pop(graph, &graph->blocked, &node)) {
            if (graph->has_ended)
                return graph->low == TRACE_GOAL_NONE ? TRACE_GOAL_OVER : TRACE_GOAL_CIRCLE;
            return graph->is_checked ? TRACE_GOAL_FAR : TRACE_GOAL_MORE;
        }
        graph->turns++;
    }
    result = put_in_order(graph, node, step);
    return result == 0 ? TRACE_GOAL_STEP : result;
}

/* The index of the oldest operation that could not go on: for the sentence about a circle. */
uint64_t trace_goal_graph_knot(const struct trace_goal_graph *graph)
{
    return graph->nodes[graph->low].index;
}
