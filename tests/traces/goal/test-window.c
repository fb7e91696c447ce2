/* A window of a GOAL schedule gives the order of the whole graph, or says that it is too narrow.
 *
 * Random graphs are written as text, with requirements near to their operations or far from them, and brought
 * into order by a reference that looks at all of it for every step. What windows of all widths give must be
 * that, and so must be what a cursor gives with the reach that was found. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/suite.h"
#include "traces/goal/block.h"

#define OPS_MAX 64
#define EDGES_MAX 192
#define GRAPHS 4000
#define TEXT 16384

struct edge {
    unsigned from, to, line; /* said behind this operation */
    bool is_started_only;
};

/* A graph, and the state of the reference that brings it into order. */
struct graph {
    unsigned ops, edges;
    enum trace_goal_kind kind[OPS_MAX];
    unsigned value[OPS_MAX];
    struct edge edge[EDGES_MAX]; /* in the order in which they are said */
    bool ordered[OPS_MAX], done[OPS_MAX];
    uint64_t begun[OPS_MAX], completed[OPS_MAX], request[OPS_MAX];
    uint64_t blocks;
};

/* What comes out: "w0,3 " for a wait, "o17 " for an operation (by its value, which is its number). */
struct outcome {
    char text[TEXT];
    uint64_t approximated;
    bool is_circle;
};

/* ---- the reference */

static bool is_message(const struct graph *graph, unsigned op)
{
    return graph->kind[op] != TRACE_GOAL_CALC;
}

/* Whether an edge leads to a message that was not waited for. */
static bool is_open(const struct graph *graph, const struct edge *edge)
{
    return !edge->is_started_only && is_message(graph, edge->to) && !graph->done[edge->to];
}

/* The first operation all of whose requirements are in order, and waited for unless `may_wait`. */
static unsigned first_that_can(const struct graph *graph, bool may_wait)
{
    for (unsigned op = 0; op < graph->ops; op++) {
        bool can = !graph->ordered[op];
        for (unsigned i = 0; can && i < graph->edges; i++)
            can = graph->edge[i].from != op ||
                  (graph->ordered[graph->edge[i].to] && (may_wait || !is_open(graph, &graph->edge[i])));
        if (can)
            return op;
    }
    return graph->ops;
}

/* The wait in front of an operation, in the order in which its requirements are said. */
static void reference_wait(struct graph *graph, unsigned op, struct outcome *outcome)
{
    unsigned count = 0, last = 0;

    for (unsigned i = 0; i < graph->edges; i++) {
        if (graph->edge[i].from != op || !is_open(graph, &graph->edge[i]))
            continue;
        last = graph->edge[i].to;
        graph->done[last] = true;
        snprintf(outcome->text + strlen(outcome->text), 16, "%s%" PRIu64, count == 0 ? "w" : ",",
                 graph->request[last]);
        count++;
    }
    if (count == 0)
        return;
    strcat(outcome->text, " ");
    graph->blocks++;
    if (count == 1)
        graph->completed[last] = graph->blocks;
}

static void reference(struct graph *graph, struct outcome *outcome)
{
    uint64_t request = 0;

    *outcome = (struct outcome){.text = ""};
    for (unsigned step = 0; step < graph->ops; step++) {
        unsigned op = first_that_can(graph, false);
        bool depends = graph->blocks == 0;
        if (op == graph->ops)
            op = first_that_can(graph, true);
        outcome->is_circle = op == graph->ops;
        if (outcome->is_circle)
            return;
        for (unsigned i = 0; i < graph->edges; i++)
            if (graph->edge[i].from == op &&
                (graph->edge[i].is_started_only ? graph->begun : graph->completed)[graph->edge[i].to] >=
                    graph->blocks)
                depends = true;
        outcome->approximated += !depends;
        reference_wait(graph, op, outcome);
        graph->ordered[op] = true;
        graph->begun[op] = graph->blocks;
        graph->blocks += !is_message(graph, op) && graph->value[op] > 0;
        graph->completed[op] = is_message(graph, op) ? graph->begun[op] : graph->blocks;
        if (is_message(graph, op))
            graph->request[op] = request++;
        snprintf(outcome->text + strlen(outcome->text), 16, "o%u ", graph->value[op]);
    }
    for (unsigned op = 0; op < graph->ops; op++)
        if (is_message(graph, op) && !graph->done[op])
            snprintf(outcome->text + strlen(outcome->text), 16, "r%" PRIu64 " ", graph->request[op]);
}

/* ---- random graphs as text */

static int by_line(const void *left, const void *right)
{
    const struct edge *a = left, *b = right;
    return a->line != b->line ? (a->line < b->line ? -1 : 1) : 0;
}

/* Requirements lead back by up to `far` operations, seldom on, and are said up to `late` operations behind. A
 * graph of a program (`chain`) has one from each operation to the last. */
static void make_graph(struct graph *graph, struct base_random *random, unsigned far, unsigned late,
                       bool chain)
{
    *graph = (struct graph){.ops = 1 + (unsigned)base_random_below(random, OPS_MAX)};
    for (unsigned i = 0; i < graph->ops; i++) {
        graph->kind[i] = (enum trace_goal_kind)base_random_below(random, 3);
        graph->value[i] = base_random_below(random, 8) == 0 && graph->kind[i] == TRACE_GOAL_CALC ? 0 : i;
    }
    for (unsigned from = 1; from < graph->ops; from++) {
        unsigned count = (unsigned)base_random_below(random, 3);
        for (unsigned i = chain ? 0 : 1; i <= count && graph->edges < EDGES_MAX; i++) {
            struct edge *edge = &graph->edge[graph->edges++];
            unsigned back = i == 0 ? 1 : 1 + (unsigned)base_random_below(random, far < from ? far : from);
            edge->from = from;
            edge->to = from - back;
            if (i > 0 && base_random_below(random, 12) == 0 && from + 1 < graph->ops)
                edge->to = from + 1; /* on, which may make a circle */
            edge->is_started_only = base_random_below(random, 2) == 0;
            edge->line = (edge->to > from ? edge->to : from) + (unsigned)base_random_below(random, late + 1);
            edge->line = edge->line < graph->ops ? edge->line : graph->ops - 1;
        }
    }
    /* Stable for edges of one line: insertion sort would do, but so does their number in the place of a tie.
     */
    for (unsigned i = 0; i < graph->edges; i++)
        graph->edge[i].line = graph->edge[i].line * EDGES_MAX + i;
    qsort(graph->edge, graph->edges, sizeof *graph->edge, by_line);
    for (unsigned i = 0; i < graph->edges; i++)
        graph->edge[i].line /= EDGES_MAX;
}

/* Labels of numbers in turn, in steps, downwards, and of letters. */
static void print_label(FILE *stream, unsigned style, unsigned op)
{
    static const char *const formats[] = {"l%u", "a%u_7", "l%03u", "x%ux"};

    fprintf(stream, formats[style % 4], style < 4 ? op : 3 * (OPS_MAX - op));
}

static void print_graph(FILE *stream, const struct graph *graph, unsigned style)
{
    unsigned next = 0;

    for (unsigned op = 0; op < graph->ops; op++) {
        print_label(stream, style, op);
        if (graph->kind[op] == TRACE_GOAL_CALC)
            fprintf(stream, ": calc %u\n", graph->value[op]);
        else
            fprintf(stream, ": %s %ub %s 0\n", graph->kind[op] == TRACE_GOAL_SEND ? "send" : "recv",
                    graph->value[op], graph->kind[op] == TRACE_GOAL_SEND ? "to" : "from");
        for (; next < graph->edges && graph->edge[next].line == op; next++) {
            print_label(stream, style, graph->edge[next].from);
            fprintf(stream, graph->edge[next].is_started_only ? " irequires " : " requires ");
            print_label(stream, style, graph->edge[next].to);
            fprintf(stream, "\n");
        }
    }
    fprintf(stream, "}\n");
    assert_int_equal(fflush(stream), 0);
}

/* ---- what the reader gives */

/* With labels the block is checked. The answer is that of the last call. */
static int read_block(int file, struct trace_goal_reach *reach, struct trace_goal_labels *labels,
                      struct outcome *outcome)
{
    static const struct trace_goal_place beginning = {0, 1, 1};
    struct trace_goal_text text;
    struct trace_goal_block block = {
        .text = &text, .ranks = 1, .message_limit_bytes = 1000, .labels = labels};
    struct trace_goal_step step;
    struct base_error error = {0};
    const uint64_t *rest;
    size_t count = 0;
    int result;

    *outcome = (struct outcome){.text = ""};
    trace_goal_text_begin(&text, file, "test", &beginning, 1024);
    trace_goal_block_begin(&block, reach);
    while ((result = trace_goal_block_next(&block, &step, &error)) == TRACE_GOAL_STEP) {
        for (size_t i = 0; i < step.wait_count; i++)
            snprintf(outcome->text + strlen(outcome->text), 16, "%s%" PRIu64, i == 0 ? "w" : ",",
                     step.waits[i]);
        if (step.wait_count > 0)
            strcat(outcome->text, " ");
        snprintf(outcome->text + strlen(outcome->text), 16, "o%" PRIu64 " ", step.op.value);
    }
    outcome->is_circle = result == TRACE_GOAL_MEMORY && strstr(error.text, "requires itself") != NULL;
    outcome->approximated = block.graph.approximated;
    rest = result == TRACE_GOAL_OVER && labels == NULL ? trace_goal_graph_rest(&block.graph, &count) : NULL;
    for (size_t i = 0; i < count; i++)
        snprintf(outcome->text + strlen(outcome->text), 16, "r%" PRIu64 " ", rest[i]);
    *reach = trace_goal_block_reach(&block);
    trace_goal_block_free(&block);
    trace_goal_text_free(&text);
    return result;
}

/* A check gives no requests at the end. */
static void expect_same(const struct outcome *found, const struct outcome *expected, bool is_check)
{
    size_t length = strlen(expected->text);

    assert_int_equal(found->is_circle, expected->is_circle);
    if (expected->is_circle)
        return;
    if (is_check) {
        assert_int_equal(found->approximated, expected->approximated);
        length = strcspn(expected->text, "r");
        assert_int_equal(strlen(found->text), length);
    }
    if (strncmp(found->text, expected->text, length + (is_check ? 0 : 1)) != 0)
        fail_msg("%s\ninstead of\n%s", found->text, expected->text);
}

/* One graph with windows of one width and more. Returns whether the narrowest was too narrow. */
static bool check_graph(struct graph *graph, uint64_t width, unsigned style)
{
    struct trace_goal_labels labels = {0};
    struct outcome expected, found;
    FILE *stream = tmpfile();
    bool was_far = false;

    assert_non_null(stream);
    print_graph(stream, graph, style);
    reference(graph, &expected);
    for (;; width *= 4) {
        struct trace_goal_reach reach = {width, width / 4, UINT64_MAX};
        int result = read_block(fileno(stream), &reach, &labels, &found);
        if (result == TRACE_GOAL_FAR) {
            was_far = true;
            assert_true(width < 8 * OPS_MAX); /* whatever holds all of it is wide enough */
            continue;
        }
        expect_same(&found, &expected, true);
        if (expected.is_circle)
            break;
        assert_int_equal(read_block(fileno(stream), &reach, NULL, &found), TRACE_GOAL_OVER);
        expect_same(&found, &expected, false);
        break;
    }
    trace_goal_labels_free(&labels);
    assert_int_equal(fclose(stream), 0);
    return was_far;
}

/* ---- tests */

static void test_random_graphs(void **state)
{
    unsigned graphs = (unsigned)brief_count("graphs", GRAPHS, 10), far = 0;
    struct base_random random;
    (void)state;

    base_random_seed(&random, 20, 1);
    for (unsigned i = 0; i < graphs; i++) {
        static const unsigned reaches[] = {1, 2, 5, OPS_MAX};
        struct graph graph;
        unsigned back = reaches[base_random_below(&random, 4)];
        unsigned late = reaches[base_random_below(&random, 4)] - 1;
        make_graph(&graph, &random, back, late, base_random_below(&random, 2) == 0);
        far += check_graph(&graph, UINT64_C(1) << base_random_below(&random, 8), i % 8);
    }
    print_message("%u of %u windows were too narrow\n", far, graphs);
    assert_in_range(far, graphs / 10, graphs - graphs / 10);
}

/* Where every operation follows the last, and says so at once, a window of a few operations is enough, though
 * waits are for messages from long before. */
static void test_local_graphs(void **state)
{
    struct base_random random;
    (void)state;

    base_random_seed(&random, 20, 2);
    for (unsigned i = 0; i < 500; i++) {
        struct graph graph;
        make_graph(&graph, &random, OPS_MAX, 0, true);
        for (unsigned op = 0; op < graph.ops; op++)
            if (op % 8 != 0) /* no more open messages than operations in the window */
                graph.kind[op] = TRACE_GOAL_CALC;
        for (unsigned edge = 0; edge < graph.edges; edge++)
            if (graph.edge[edge].to > graph.edge[edge].from)
                graph.edge[edge].to = graph.edge[edge].from - 1;
        for (unsigned edge = 0; edge < graph.edges; edge++)
            graph.edge[edge].line = graph.edge[edge].from;
        qsort(graph.edge, graph.edges, sizeof *graph.edge, by_line);
        assert_false(check_graph(&graph, 8, i % 8));
    }
}

/* An operation that requires what was forgotten, while no wait and no calc of any time has passed since: it depends on
 * that, but a window without it would count it as held up by others. */
static void test_forgotten_requirement(void **state)
{
    enum { BETWEEN = 20, LAST = BETWEEN + 1 };
    struct graph graph = {.ops = LAST + 1};
    struct graph again;
    struct outcome expected;
    (void)state;

    for (unsigned op = 0; op <= LAST; op++) {
        graph.kind[op] = TRACE_GOAL_CALC;
        graph.value[op] = op == 0 || op == LAST ? op + 1 : 0;
        if (op > 0)
            graph.edge[graph.edges++] = (struct edge){.from = op, .to = op == LAST ? 0 : op - 1, .line = op};
    }
    again = graph;
    reference(&again, &expected);
    assert_int_equal(expected.approximated, 0);
    assert_true(check_graph(&graph, 8, 0));
}

/* The same as a list of all labels, for more runs than there is room for. Some differ only in what follows
 * the number. */
static void test_labels(void **state)
{
    enum { NUMBERS = 30000, USES = 60000, STYLES = 4 };
    static bool used[STYLES][NUMBERS];
    struct trace_goal_labels labels = {0};
    struct base_random random;
    (void)state;

    base_random_seed(&random, 20, 3);
    for (unsigned i = 0; i < USES; i++) {
        static const char *const formats[] = {"l%u", "l0%u", "7m%u_6", "7m%u.6"};
        unsigned style = (unsigned)base_random_below(&random, STYLES);
        unsigned number = (unsigned)base_random_below(&random, NUMBERS);
        struct trace_goal_label label;
        char word[32];
        if (i % 4 != 0)
            number = i / 4 + 1; /* mostly in turn */
        label = trace_goal_label_of(word, (size_t)snprintf(word, sizeof word, formats[style], number));
        assert_int_equal(trace_goal_labels_have(&labels, &label), used[style][number]);
        assert_int_equal(trace_goal_labels_add(&labels, &label), !used[style][number]);
        used[style][number] = true;
    }
    trace_goal_labels_free(&labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_local_graphs),
        cmocka_unit_test(test_forgotten_requirement),
        cmocka_unit_test(test_labels),
    };
    return cmocka_run_group_tests_name("windows of GOAL schedules", tests, NULL, NULL);
}
