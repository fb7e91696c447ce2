/* Which operation of the window has a label: chains through the nodes, since a table beside them would take
 * as much memory as they do. */
#include <stdlib.h>

#include "traces/goal/graph.h"

#define FIRST_BUCKETS ((size_t)64)

/* The chain that a label is in: its key is a hash already. */
static uint32_t *bucket_of(const struct trace_goal_graph *graph, uint64_t key)
{
    return &graph->buckets[(size_t)key & (graph->bucket_count - 1)];
}

/* In front, so that what was named last is found first. */
static void chain(struct trace_goal_graph *graph, uint32_t node)
{
    uint32_t *bucket = bucket_of(graph, graph->nodes[node].label_key);

    graph->nodes[node].same_bucket = *bucket;
    *bucket = node;
}

/* Twice as many chains, when there are as many labels as chains. */
static int grow(struct trace_goal_graph *graph)
{
    size_t count = graph->bucket_count == 0 ? FIRST_BUCKETS : 2 * graph->bucket_count;
    uint32_t *larger = malloc(count * sizeof *larger);

    if (larger == NULL)
        return TRACE_GOAL_MEMORY;
    free(graph->buckets);
    graph->buckets = larger;
    graph->bucket_count = count;
    for (size_t i = 0; i < count; i++)
        larger[i] = TRACE_GOAL_NONE;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].is_labelled)
            chain(graph, i);
    return 0;
}

/* TRACE_GOAL_NONE: no operation of the window has it. */
uint32_t trace_goal_graph_find(const struct trace_goal_graph *graph, const struct trace_goal_label *label)
{
    uint64_t key = trace_goal_label_key(label);
    uint32_t node = graph->bucket_count == 0 ? TRACE_GOAL_NONE : *bucket_of(graph, key);

    while (node != TRACE_GOAL_NONE &&
           (graph->nodes[node].label_key != key || graph->nodes[node].label_a != label->a))
        node = graph->nodes[node].same_bucket;
    return node;
}

/* The label is not in use, and the node in no chain. */
int trace_goal_graph_name(struct trace_goal_graph *graph, uint32_t node, const struct trace_goal_label *label)
{
    if (graph->name_count >= graph->bucket_count && grow(graph) != 0)
        return TRACE_GOAL_MEMORY;
    graph->nodes[node].label_a = label->a;
    graph->nodes[node].label_key = trace_goal_label_key(label);
    graph->nodes[node].is_labelled = true;
    graph->name_count++;
    chain(graph, node);
    return 0;
}

/* Before the node is forgotten; one without a label is in no chain. */
void trace_goal_graph_unname(struct trace_goal_graph *graph, uint32_t node)
{
    struct trace_goal_node *what = &graph->nodes[node];
    uint32_t *link;

    if (!what->is_labelled)
        return;
    what->is_labelled = false;
    graph->name_count--;
    for (link = bucket_of(graph, what->label_key); *link != node;)
        link = &graph->nodes[*link].same_bucket;
    *link = what->same_bucket;
}

/* The chains stay for the next rank. */
void trace_goal_graph_clear_names(struct trace_goal_graph *graph)
{
    for (size_t i = 0; i < graph->bucket_count; i++)
        graph->buckets[i] = TRACE_GOAL_NONE;
    graph->name_count = 0;
}
