/* Nodes and edges of the window, and who may be forgotten. Nodes and edges are numbered and used again; the
 * window and the open messages are lists through the nodes.
 *
 *      window        operations in the order of the file, from the oldest that may still be needed (`low`)
 *      ready         a heap of those that can go on without a wait; `blocked`: those that have to wait
 *      edges         of a node: what it still requires; of the required one: who requires it (users)
 *
 * A node is forgotten when it is ordered, settled (nothing more can be said of what it requires) and complete, and
 * no edge names it. Everything is O(1) for each operation and edge, but for the heaps. */
#include "traces/goal/graph.h"

#include <stdlib.h>

#include "base/grow.h"

/* The room of the last rank stays: the next needs about as much. */
void trace_goal_graph_begin(struct trace_goal_graph *graph, const struct trace_goal_reach *reach, bool checks)
{
    const struct trace_goal_list none = {TRACE_GOAL_NONE, TRACE_GOAL_NONE};

    trace_goal_graph_clear_names(graph);
    graph->node_count = graph->edge_count = graph->rest_count = 0;
    graph->free_node = graph->free_edge = graph->low = graph->unsettled = TRACE_GOAL_NONE;
    graph->ready.count = graph->blocked.count = 0;
    graph->window = graph->pending = none;
    graph->count = graph->pending_count = 0;
    graph->reach = *reach;
    graph->is_checked = checks;
    graph->keeps_rest = false;
    graph->has_ended = graph->has_dropped = false;
    graph->keep = checks ? reach->ahead : 0;
    graph->pending_most = checks ? reach->ahead : UINT64_MAX;
    graph->blocks = graph->turns = graph->next_request = graph->forgotten = graph->approximated = 0;
    graph->found = (struct trace_goal_reach){0};
}

/* Leaves a valid empty one. */
void trace_goal_graph_free(struct trace_goal_graph *graph)
{
    free(graph->nodes);
    free(graph->checks);
    free(graph->edges);
    free(graph->waits);
    free(graph->rest);
    free(graph->waited);
    free(graph->buckets);
    base_heap_free(&graph->ready);
    base_heap_free(&graph->blocked);
    *graph = (struct trace_goal_graph){0};
}

/* ---- lists */

/* At the end of one of the lists through the nodes; a node is in one list at a time. */
static void append(struct trace_goal_graph *graph, struct trace_goal_list *list, uint32_t node)
{
    graph->nodes[node].next = TRACE_GOAL_NONE;
    graph->nodes[node].previous = list->last;
    if (list->last == TRACE_GOAL_NONE)
        list->first = node;
    else
        graph->nodes[list->last].next = node;
    list->last = node;
}

/* The node's own links stay as they are. */
static void take_out(struct trace_goal_graph *graph, struct trace_goal_list *list, uint32_t node)
{
    uint32_t next = graph->nodes[node].next, previous = graph->nodes[node].previous;

    if (previous == TRACE_GOAL_NONE)
        list->first = next;
    else
        graph->nodes[previous].next = next;
    if (next == TRACE_GOAL_NONE)
        list->last = previous;
    else
        graph->nodes[next].previous = previous;
}

/* ---- nodes and edges */

/* A node that is free, or a new one. */
static int make_node(struct trace_goal_graph *graph, uint32_t *node)
{
    if (graph->free_node != TRACE_GOAL_NONE) {
        *node = graph->free_node;
        graph->free_node = graph->nodes[*node].next;
        return 0;
    }
    if (graph->node_count >= TRACE_GOAL_NONE ||
        base_grow(&graph->nodes, &graph->node_capacity, graph->node_count + 1, sizeof *graph->nodes) != 0 ||
        (graph->is_checked && base_grow(&graph->checks, &graph->check_capacity, graph->node_count + 1,
                                        sizeof *graph->checks) != 0))
        return TRACE_GOAL_MEMORY;
    *node = (uint32_t)graph->node_count++;
    return 0;
}

/* A free one, or a new one. TRACE_GOAL_MEMORY: there is none. */
static int make_edge(struct trace_goal_graph *graph, uint32_t *edge)
{
    if (graph->free_edge != TRACE_GOAL_NONE) {
        *edge = graph->free_edge;
        graph->free_edge = graph->edges[*edge].next;
        return 0;
    }
    if (graph->edge_count >= TRACE_GOAL_NONE ||
        base_grow(&graph->edges, &graph->edge_capacity, graph->edge_count + 1, sizeof *graph->edges) != 0)
        return TRACE_GOAL_MEMORY;
    *edge = (uint32_t)graph->edge_count++;
    return 0;
}

/* All of them at once: they are a list already. */
void trace_goal_graph_free_edges(struct trace_goal_graph *graph, uint32_t node)
{
    struct trace_goal_node *what = &graph->nodes[node];

    if (what->edges == TRACE_GOAL_NONE)
        return;
    graph->edges[what->last_edge].next = graph->free_edge;
    graph->free_edge = what->edges;
    what->edges = what->last_edge = TRACE_GOAL_NONE;
}

/* Only what nobody waits for any more, and no list holds. */
static void forget(struct trace_goal_graph *graph, uint32_t node)
{
    struct trace_goal_node *what = &graph->nodes[node];

    if (graph->is_checked) {
        const struct trace_goal_check *check = &graph->checks[node];
        graph->forgotten = check->begun > graph->forgotten ? check->begun : graph->forgotten;
        graph->forgotten = check->completed > graph->forgotten ? check->completed : graph->forgotten;
    }
    trace_goal_graph_unname(graph, node);
    what->index = UINT64_MAX;
    what->next = graph->free_node;
    graph->free_node = node;
}

/* ---- reading */

/* Nothing more will be said of what it requires. A check finds out here that it could have gone on before a
 * wait that was given already. */
static int settle(struct trace_goal_graph *graph, uint32_t node)
{
    struct trace_goal_node *what = &graph->nodes[node];

    what->is_settled = true;
    if (graph->is_checked && what->needs == 0 && what->waits == 0 && graph->checks[node].since < graph->turns)
        return TRACE_GOAL_FAR;
    return trace_goal_graph_make_ready(graph, node);
}

/* All operations of the window that are before this index. */
static int settle_before(struct trace_goal_graph *graph, uint64_t index)
{
    while (graph->unsettled != TRACE_GOAL_NONE && graph->nodes[graph->unsettled].index < index) {
        int result = settle(graph, graph->unsettled);
        if (result != 0)
            return result;
        graph->unsettled = graph->nodes[graph->unsettled].next;
    }
    return 0;
}

/* Operations settle in the order of the file: one that is `settle` behind can no longer be required, and leaves the
 * window, which bounds the memory of a schedule of any length. 0, TRACE_GOAL_MEMORY, or what settling finds:
 * TRACE_GOAL_FAR in a check. The new operation has no edges yet. */
int trace_goal_graph_add(struct trace_goal_graph *graph, const struct trace_goal_op *op,
                         const struct trace_goal_label *label)
{
    uint64_t settled = graph->count > graph->reach.settle ? graph->count - graph->reach.settle : 0;
    uint32_t node = TRACE_GOAL_NONE;
    int result = settle_before(graph, settled);

    if (result == 0)
        result = make_node(graph, &node);
    if (result != 0)
        return result;
    graph->nodes[node] = (struct trace_goal_node){.op = *op,
                                                  .index = graph->count++,
                                                  .edges = TRACE_GOAL_NONE,
                                                  .last_edge = TRACE_GOAL_NONE,
                                                  .users = TRACE_GOAL_NONE};
    if (graph->is_checked)
        graph->checks[node] = (struct trace_goal_check){0};
    append(graph, &graph->window, node);
    if (graph->low == TRACE_GOAL_NONE)
        graph->low = node;
    if (graph->unsettled == TRACE_GOAL_NONE)
        graph->unsettled = node;
    if (label != NULL && trace_goal_graph_name(graph, node, label) != 0)
        return TRACE_GOAL_MEMORY;
    return trace_goal_graph_pass(graph);
}

/* What a check keeps is the most of what it has seen. */
static void keep_most(uint64_t *most, uint64_t value)
{
    if (value > *most)
        *most = value;
}

/* Of a message that was not waited for, `completed` is what it was when it began. */
void trace_goal_graph_satisfy(struct trace_goal_graph *graph, uint32_t from, uint32_t to,
                              bool is_started_only)
{
    const struct trace_goal_check *there;
    struct trace_goal_check *here;

    if (!graph->is_checked)
        return;
    there = &graph->checks[to];
    here = &graph->checks[from];
    keep_most(&here->level, is_started_only ? there->begun : there->completed);
    keep_most(&here->since, !is_started_only && graph->nodes[to].is_done ? there->done : there->ordered);
}

/* What a check learns from a requirement before it has any effect. */
static int check_edge(struct trace_goal_graph *graph, uint32_t from, uint32_t to)
{
    uint64_t last = graph->count - 1;

    keep_most(&graph->found.settle, last - graph->nodes[from].index);
    if (to == TRACE_GOAL_NONE) {
        keep_most(&graph->checks[from].doubt, graph->forgotten);
        return graph->has_dropped ? TRACE_GOAL_FAR : 0;
    }
    if (trace_goal_is_message(&graph->nodes[to]) && !graph->nodes[to].is_done)
        keep_most(&graph->found.remember, last - graph->nodes[to].index);
    return 0;
}

/* An edge is kept only while it holds something up. It is in two lists: of what `from` requires, in the order
 * said, and of who requires `to`. */
static int link_edge(struct trace_goal_graph *graph, uint32_t from, uint32_t to, bool is_started_only)
{
    struct trace_goal_node *node = &graph->nodes[from], *required = &graph->nodes[to];
    uint32_t edge;

    if (make_edge(graph, &edge) != 0)
        return TRACE_GOAL_MEMORY;
    graph->edges[edge] = (struct trace_goal_edge){.from = from,
                                                  .to = to,
                                                  .next = TRACE_GOAL_NONE,
                                                  .next_user = required->users,
                                                  .is_started_only = is_started_only};
    required->users = edge;
    if (node->edges == TRACE_GOAL_NONE)
        node->edges = edge;
    else
        graph->edges[node->last_edge].next = edge;
    node->last_edge = edge;
    node->needs += !required->is_ordered;
    node->waits += !is_started_only && trace_goal_is_message(required);
    return 0;
}

/* `to` is TRACE_GOAL_NONE where it was forgotten: such an operation is complete, so that nothing is held up.
 * CHANGED: a cursor's file says what the survey's did not. */
int trace_goal_graph_require(struct trace_goal_graph *graph, uint32_t from, uint32_t to, bool is_started_only)
{
    const struct trace_goal_node *required;
    int result;

    if (graph->nodes[from].is_settled)
        return graph->is_checked ? TRACE_GOAL_FAR : TRACE_GOAL_CHANGED;
    result = graph->is_checked ? check_edge(graph, from, to) : 0;
    if (result != 0 || to == TRACE_GOAL_NONE)
        return result;
    required = &graph->nodes[to];
    if (!required->is_ordered || (!is_started_only && trace_goal_is_message(required) && !required->is_done))
        return link_edge(graph, from, to, is_started_only);
    trace_goal_graph_satisfy(graph, from, to, is_started_only);
    return 0;
}

/* Behind the block's last statement everything settles. */
int trace_goal_graph_end(struct trace_goal_graph *graph)
{
    graph->has_ended = true;
    return settle_before(graph, UINT64_MAX);
}

/* ---- forgetting */

/* A message that nobody will ask for leaves its request, unless it is only checked. */
static int drop(struct trace_goal_graph *graph, uint32_t node)
{
    take_out(graph, &graph->pending, node);
    graph->pending_count--;
    graph->has_dropped = true;
    if (!graph->is_checked || graph->keeps_rest) {
        if (base_grow(&graph->rest, &graph->rest_capacity, graph->rest_count + 1, sizeof *graph->rest) != 0)
            return TRACE_GOAL_MEMORY;
        graph->rest[graph->rest_count++] = graph->nodes[node].request;
    }
    forget(graph, node);
    return 0;
}

/* Open messages in the order of the file, so that those that were dropped are before all others. */
static int drop_pending(struct trace_goal_graph *graph)
{
    uint32_t node;

    while ((node = graph->pending.first) != TRACE_GOAL_NONE && graph->nodes[node].users == TRACE_GOAL_NONE &&
           (graph->pending_count > graph->pending_most ||
            graph->count - 1 - graph->nodes[node].index > graph->reach.remember))
        if (drop(graph, node) != 0)
            return TRACE_GOAL_MEMORY;
    return 0;
}

/* A check keeps complete operations for a while, since it wants to know when they were. */
int trace_goal_graph_pass(struct trace_goal_graph *graph)
{
    while (graph->low != TRACE_GOAL_NONE && graph->nodes[graph->low].is_ordered)
        graph->low = graph->nodes[graph->low].next;
    while (graph->window.first != graph->low) {
        uint32_t node = graph->window.first;
        struct trace_goal_node *what = &graph->nodes[node];
        if (graph->count - what->index <= graph->keep)
            break;
        take_out(graph, &graph->window, node);
        if (trace_goal_is_message(what) && !what->is_done) {
            what->is_pending = true;
            append(graph, &graph->pending, node);
            graph->pending_count++;
        } else {
            forget(graph, node);
        }
    }
    return drop_pending(graph);
}

/* Waited for, and every edge to it gone. */
void trace_goal_graph_complete(struct trace_goal_graph *graph, uint32_t node)
{
    if (!graph->nodes[node].is_pending)
        return;
    take_out(graph, &graph->pending, node);
    graph->pending_count--;
    forget(graph, node);
}

/* Appended to the dropped, which come first: all messages of a list that nobody has waited for. -1: memory. */
static int add_rest(struct trace_goal_graph *graph, const struct trace_goal_list *list, size_t *count)
{
    for (uint32_t i = list->first; i != TRACE_GOAL_NONE; i = graph->nodes[i].next) {
        if (!trace_goal_is_message(&graph->nodes[i]) || graph->nodes[i].is_done)
            continue;
        if (base_grow(&graph->rest, &graph->rest_capacity, *count + 1, sizeof *graph->rest) != 0)
            return -1;
        graph->rest[(*count)++] = graph->nodes[i].request;
    }
    return 0;
}

/* A check still has the last operations in its window. */
const uint64_t *trace_goal_graph_rest(struct trace_goal_graph *graph, size_t *count)
{
    *count = graph->rest_count;
    if (base_grow(&graph->rest, &graph->rest_capacity, *count + (size_t)graph->pending_count + 1,
                  sizeof *graph->rest) != 0 ||
        add_rest(graph, &graph->pending, count) != 0 || add_rest(graph, &graph->window, count) != 0)
        return NULL;
    return graph->rest;
}
