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
 *      c: recv   d: calc requires c                                               d is held up by b:
 * approximated */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "traces/goal-block.h"

struct sorter {
    struct trace_goal_block *block;
    uint32_t *first_user,
        *users;      /* the edges of each operation from the other end: indexes of edges by `to` */
    uint32_t *needs; /* edges to operations that are not in the order yet */
    uint32_t *waits; /* edges to messages that were not waited for yet */
    bool *ordered, *done;
    uint32_t *list; /* room for a wait's set */
    uint64_t *begun, *completed,
        blocks; /* how many waits and calcs came before it began, before it completed */
    struct base_heap ready, blocked;
    size_t count; /* ordered so far */
};

/* What goes on by itself once it has started, and can be waited for. */
static bool is_message(const struct trace_goal_op *op)
{
    return op->kind != TRACE_GOAL_CALC;
}

/* Counting sort: first_edge of each operation, and its edges together. */
static int sort_edges(struct trace_goal_block *block)
{
    struct trace_goal_edge *sorted = malloc((block->edge_count + 1) * sizeof *sorted);
    uint32_t *next = calloc(block->count + 2, sizeof *next);

    if (sorted != NULL && next != NULL) {
        for (size_t i = 0; i < block->edge_count; i++)
            next[block->edges[i].from + 1]++;
        for (size_t i = 0; i < block->count; i++) {
            next[i + 1] += next[i];
            block->ops[i].first_edge = next[i];
        }
        for (size_t i = 0; i < block->edge_count; i++)
            sorted[next[block->edges[i].from]++] = block->edges[i];
        if (block->edge_count > 0) /* without edges there is no array */
            memcpy(block->edges, sorted, block->edge_count * sizeof *sorted);
    }
    free(next);
    free(sorted);
    return sorted == NULL || next == NULL ? -1 : 0;
}

/* The edges of an operation end where those of the next begin. */
static uint32_t edges_end(const struct trace_goal_block *block, uint32_t op)
{
    return op + 1 < block->count ? block->ops[op + 1].first_edge : (uint32_t)block->edge_count;
}

/* The same function decides while the order is made and while it is gone through, so that both wait at
 * the same places. */
size_t trace_goal_block_waits(const struct trace_goal_block *block, uint32_t op, bool *done, uint32_t *list)
{
    size_t count = 0;

    for (uint32_t i = block->ops[op].first_edge; i < edges_end(block, op); i++) {
        uint32_t to = block->edges[i].to;
        if (block->edges[i].started_only || !is_message(&block->ops[to]) || done[to])
            continue;
        done[to] = true;
        list[count++] = to;
    }
    return count;
}

/* Whether an operation begins only after the level-th wait or calc is over, by its own edges. */
static bool depends_on(const struct sorter *sorter, uint32_t op, uint64_t level)
{
    const struct trace_goal_block *block = sorter->block;

    for (uint32_t i = block->ops[op].first_edge; i < edges_end(block, op); i++) {
        uint32_t to = block->edges[i].to;
        if ((block->edges[i].started_only ? sorter->begun[to] : sorter->completed[to]) >= level)
            return true;
    }
    return level == 0;
}

/* By what is still missing: operations that would have to wait stand back behind those that need not. */
static int make_ready(struct sorter *sorter, uint32_t op)
{
    if (sorter->needs[op] > 0 || sorter->ordered[op])
        return 0;
    return base_heap_push(sorter->waits[op] > 0 ? &sorter->blocked : &sorter->ready, op, op);
}

/* What waited for the same message need not any more. */
static int complete(struct sorter *sorter, uint32_t message)
{
    for (uint32_t i = sorter->first_user[message]; i < sorter->first_user[message + 1]; i++) {
        const struct trace_goal_edge *edge = &sorter->block->edges[sorter->users[i]];
        if (!edge->started_only && --sorter->waits[edge->from] == 0 && make_ready(sorter, edge->from) != 0)
            return -1;
    }
    return 0;
}

/* The wait in front of an operation, if it needs one. */
static int wait_for(struct sorter *sorter, uint32_t op)
{
    size_t count = trace_goal_block_waits(sorter->block, op, sorter->done, sorter->list);

    if (count == 0)
        return 0;
    sorter->ordered[op] = true;
    sorter->blocks++;
    if (count == 1)
        sorter->completed[sorter->list[0]] = sorter->blocks;
    for (size_t i = 0; i < count; i++)
        if (complete(sorter, sorter->list[i]) != 0)
            return -1;
    return 0;
}

/* Whether the order holds the operation up shows from what came before its own wait: that it asked for
 * itself. */
static int append(struct sorter *sorter, uint32_t op)
{
    struct trace_goal_block *block = sorter->block;
    const struct trace_goal_op *what = &block->ops[op];

    block->approximated += !depends_on(sorter, op, sorter->blocks);
    if (wait_for(sorter, op) != 0)
        return -1;
    sorter->ordered[op] = true;
    sorter->begun[op] = sorter->blocks;
    sorter->blocks += what->kind == TRACE_GOAL_CALC && what->value > 0;
    sorter->completed[op] = is_message(what) ? sorter->begun[op] : sorter->blocks;
    block->order[sorter->count++] = op;
    for (uint32_t i = sorter->first_user[op]; i < sorter->first_user[op + 1]; i++) {
        uint32_t user = block->edges[sorter->users[i]].from;
        if (--sorter->needs[user] == 0 && make_ready(sorter, user) != 0)
            return -1;
    }
    return 0;
}

/* The edges from the other end, and how many each operation has. */
static void index_users(struct sorter *sorter)
{
    const struct trace_goal_block *block = sorter->block;

    for (size_t i = 0; i < block->edge_count; i++)
        sorter->first_user[block->edges[i].to + 2]++;
    for (size_t i = 0; i < block->count; i++)
        sorter->first_user[i + 2] += sorter->first_user[i + 1];
    for (size_t i = 0; i < block->edge_count; i++) {
        const struct trace_goal_edge *edge = &block->edges[i];
        sorter->users[sorter->first_user[edge->to + 1]++] = (uint32_t)i;
        sorter->needs[edge->from]++;
        sorter->waits[edge->from] += !edge->started_only && is_message(&block->ops[edge->to]);
    }
}

/* All of it is in proportion to the operations and edges of one rank, and gone when the order is made. */
static int make_tables(struct sorter *sorter, struct trace_goal_block *block)
{
    size_t count = block->count + 1;

    *sorter = (struct sorter){.block = block};
    sorter->first_user = calloc(count + 2, sizeof *sorter->first_user);
    sorter->users = malloc((block->edge_count + 1) * sizeof *sorter->users);
    sorter->needs = calloc(count, sizeof *sorter->needs);
    sorter->waits = calloc(count, sizeof *sorter->waits);
    sorter->ordered = calloc(count, sizeof *sorter->ordered);
    sorter->done = calloc(count, sizeof *sorter->done);
    sorter->list = malloc((block->edge_count + 1) * sizeof *sorter->list);
    sorter->begun = calloc(count, sizeof *sorter->begun);
    sorter->completed = calloc(count, sizeof *sorter->completed);
    free(block->order);
    block->order = malloc(count * sizeof *block->order);
    return sorter->first_user == NULL || sorter->users == NULL || sorter->needs == NULL ||
                   sorter->waits == NULL || sorter->ordered == NULL || sorter->done == NULL ||
                   sorter->list == NULL || sorter->begun == NULL || sorter->completed == NULL ||
                   block->order == NULL
               ? -1
               : 0;
}

/* The order itself stays with the block. */
static void free_tables(struct sorter *sorter)
{
    free(sorter->first_user);
    free(sorter->users);
    free(sorter->needs);
    free(sorter->waits);
    free(sorter->ordered);
    free(sorter->done);
    free(sorter->list);
    free(sorter->begun);
    free(sorter->completed);
    base_heap_free(&sorter->ready);
    base_heap_free(&sorter->blocked);
}

/* An operation may stand in both heaps, once its wait was done by another. */
static int run(struct sorter *sorter)
{
    struct base_event event;

    for (uint32_t op = 0; op < sorter->block->count; op++)
        if (make_ready(sorter, op) != 0)
            return -1;
    while (base_heap_pop(&sorter->ready, &event) || base_heap_pop(&sorter->blocked, &event))
        if (!sorter->ordered[event.payload] && append(sorter, (uint32_t)event.payload) != 0)
            return -1;
    return 0;
}

/* When operations are left over they wait for each other; the first of them is named. */
int trace_goal_block_sort(struct trace_goal_block *block, uint32_t *knot)
{
    struct sorter sorter;
    int result = sort_edges(block);

    if (result != 0)
        return -1;
    result = make_tables(&sorter, block);
    if (result == 0) {
        index_users(&sorter);
        result = run(&sorter);
    }
    for (*knot = 0; result == 0 && sorter.count < block->count && sorter.ordered[*knot]; ++*knot)
        continue;
    if (result == 0 && sorter.count < block->count)
        result = 1;
    free_tables(&sorter);
    return result;
}
