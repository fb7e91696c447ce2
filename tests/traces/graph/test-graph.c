/* The communication graph of programs made in memory. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/fail-alloc.h"
#include "traces/graph/graph.h"
#include "traces/program-internal.h"

/* ---- A program of given operations, rank by rank ---- */

struct list_program {
    struct trace_program program;
    const struct trace_op *const *ops; /* [rank], ended by TRACE_END */
    const struct trace_vector *vector; /* of every v-collective */
    bool breaks;                       /* the stream of the last rank ends in an error */
};

struct list_cursor {
    struct trace_cursor cursor;
    size_t next;
    bool over;
};

static struct trace_cursor *cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct list_cursor *cursor = calloc(1, sizeof *cursor);
    (void)program;
    (void)rank;
    if (cursor == NULL)
        base_error_memory(error, "a cursor");
    return (struct trace_cursor *)cursor;
}

static int cursor_next(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    struct list_cursor *own = (struct list_cursor *)cursor;
    struct list_program *program = (struct list_program *)cursor->program;

    if (own->over)
        return 0;
    *op = program->ops[cursor->rank][own->next++];
    own->over = op->kind == TRACE_END;
    if (own->over && program->breaks && cursor->rank == program->program.ranks - 1)
        return base_error_set(error, BASE_INPUT, "the trace breaks off");
    return 1;
}

static void cursor_free(struct trace_cursor *cursor)
{
    free(cursor);
}

static const struct trace_vector *vector(const struct trace_program *program, uint32_t communicator,
                                         uint64_t instance)
{
    (void)communicator;
    return instance == 7 ? ((const struct list_program *)program)->vector : NULL;
}

static void nothing_to_close(struct trace_program *program)
{
    (void)program;
}

static const struct trace_program_class list_class = {
    .cursor_new = cursor_new,
    .cursor_next = cursor_next,
    .cursor_free = cursor_free,
    .vector = vector,
    .close = nothing_to_close,
};

/* Communicators: the world, ranks 3 and 1 in this order, rank 2 alone. */
static const uint32_t world_members[] = {0, 1, 2, 3}, pair_members[] = {3, 1}, lone_members[] = {2};
static const struct trace_communicator communicators[] = {
    {.name = "world", .size = 4, .members = world_members},
    {.name = "pair", .size = 2, .members = pair_members},
    {.name = "lone", .size = 1, .members = lone_members}};

static struct list_program program_of(const struct trace_op *const *ops)
{
    return (struct list_program){
        .program = {.class = &list_class,
                    .path = "made",
                    .ranks = 4,
                    .communicator_count = 3,
                    .communicators = communicators},
        .ops = ops,
    };
}

static const struct trace_tuning *mpich(void)
{
    return trace_tuning_find("mpich", NULL);
}

#define SEND(peer_, bytes_)                                                                                  \
    {                                                                                                        \
        .kind = TRACE_SEND, .peer = peer_, .bytes = bytes_                                                   \
    }
#define RECEIVE(peer_, bytes_)                                                                               \
    {                                                                                                        \
        .kind = TRACE_RECEIVE, .peer = peer_, .bytes = bytes_                                                \
    }
#define COLLECTIVE(operation, communicator_, root_, bytes_, instance_)                                       \
    {                                                                                                        \
        .kind = TRACE_COLLECTIVE_CALL, .collective = operation, .communicator = communicator_,               \
        .root = root_, .bytes = bytes_, .instance = instance_, .event = 9                                    \
    }
#define END                                                                                                  \
    {                                                                                                        \
        .kind = TRACE_END                                                                                    \
    }

static void has_pairs(const struct trace_comm_graph *graph, const struct trace_pair *expected, size_t count)
{
    struct trace_comm_place place = {0};
    struct trace_pair pair, found;

    assert_non_null(graph);
    assert_int_equal(graph->ranks, 4);
    assert_int_equal(graph->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_true(trace_comm_graph_next(graph, &place, &pair));
        assert_int_equal(pair.source, expected[i].source);
        assert_int_equal(pair.target, expected[i].target);
        assert_int_equal(pair.messages, expected[i].messages);
        assert_int_equal(pair.bytes, expected[i].bytes);
        assert_true(trace_comm_graph_pair(graph, pair.source, pair.target, &found));
        assert_memory_equal(&found, &pair, sizeof pair);
    }
    assert_false(trace_comm_graph_next(graph, &place, &pair));
}

static void messages_are_added_up_and_sorted(void **state)
{
    static const struct trace_op first[] = {SEND(3, 10), SEND(1, 5), SEND(3, 7), RECEIVE(1, 8), END};
    static const struct trace_op second[] = {SEND(0, 8), SEND(1, 100), RECEIVE(0, 5), RECEIVE(1, 100), END};
    static const struct trace_op third[] = {{.kind = TRACE_COMPUTE, .duration_ns = 5}, END};
    static const struct trace_op fourth[] = {RECEIVE(0, 10), RECEIVE(0, 7), SEND(2, 0), END};
    static const struct trace_op *const ops[] = {first, second, third, fourth};
    static const struct trace_pair expected[] = {
        {0, 1, 1, 5}, {0, 3, 2, 17}, {1, 0, 1, 8}, {1, 1, 1, 100}, {3, 2, 1, 0}};
    struct list_program program = program_of(ops);
    struct trace_comm_graph *graph = trace_comm_graph_new(&program.program, mpich(), NULL);
    (void)state;

    has_pairs(graph, expected, 5);
    trace_comm_graph_free(graph);
    trace_comm_graph_free(NULL);
}

#define GET(peer_, bytes_)                                                                                   \
    {                                                                                                        \
        .kind = TRACE_GET, .peer = peer_, .bytes = bytes_                                                    \
    }

/* Targets one after another that get as much are one run; what another rank gets may join or part them. */
static void pairs_alike_are_runs(void **state)
{
    static const struct trace_op first[] = {SEND(2, 9), SEND(0, 9), SEND(3, 9), SEND(1, 9), END};
    static const struct trace_op second[] = {SEND(2, 5), SEND(3, 5), SEND(0, 5), END};
    static const struct trace_op third[] = {GET(1, 5), GET(3, 4), END};
    static const struct trace_op fourth[] = {SEND(1, 4), GET(3, 4), END};
    static const struct trace_op *const ops[] = {first, second, third, fourth};
    static const struct trace_pair expected[] = {{0, 0, 1, 9}, {0, 1, 1, 9},  {0, 2, 1, 9}, {0, 3, 1, 9},
                                                 {1, 0, 1, 5}, {1, 2, 2, 10}, {1, 3, 1, 5}, {3, 1, 1, 4},
                                                 {3, 2, 1, 4}, {3, 3, 1, 4}};
    struct list_program program = program_of(ops);
    struct trace_comm_graph *graph = trace_comm_graph_new(&program.program, mpich(), NULL);
    struct trace_pair pair;
    (void)state;

    has_pairs(graph, expected, 10);
    assert_int_equal(graph->begin[4], 5);
    assert_int_equal(graph->runs[0].count, 4);
    assert_int_equal(graph->runs[4].count, 3);
    assert_false(trace_comm_graph_pair(graph, 1, 1, &pair));
    assert_false(trace_comm_graph_pair(graph, 2, 0, &pair));
    assert_false(trace_comm_graph_pair(graph, 3, 0, &pair));
    trace_comm_graph_free(graph);
}

static const struct trace_op pair_bcast[] = {COLLECTIVE(TRACE_BCAST, 1, 1, 64, 0),
                                             COLLECTIVE(TRACE_BARRIER, 0, 0, 0, 0), END};
static const struct trace_op only_barrier[] = {COLLECTIVE(TRACE_BARRIER, 0, 0, 0, 0), END};
static const struct trace_op lone_bcast[] = {COLLECTIVE(TRACE_BCAST, 2, 0, 64, 0),
                                             COLLECTIVE(TRACE_BARRIER, 0, 0, 0, 0), END};

static void collectives_are_expanded_on_their_communicator(void **state)
{
    static const struct trace_op *const ops[] = {only_barrier, pair_bcast, lone_bcast, pair_bcast};
    /* The barrier tells the ranks 1 and 2 ahead; root 1 of the pair is world rank 1, which sends to world
     * rank 3. */
    static const struct trace_pair expected[] = {{0, 1, 1, 0}, {0, 2, 1, 0}, {1, 2, 1, 0}, {1, 3, 2, 64},
                                                 {2, 0, 1, 0}, {2, 3, 1, 0}, {3, 0, 1, 0}, {3, 1, 1, 0}};
    struct list_program program = program_of(ops);
    struct trace_comm_graph *graph = trace_comm_graph_new(&program.program, mpich(), NULL);
    (void)state;

    has_pairs(graph, expected, 8);
    trace_comm_graph_free(graph);
}

static void vectors_come_from_the_program(void **state)
{
    static const struct trace_op call[] = {COLLECTIVE(TRACE_GATHERV, 0, 2, 0, 7), END};
    static const struct trace_op *const ops[] = {call, call, call, call};
    static const uint64_t sent[] = {5, 6, 7, 0}, received[] = {0, 0, 18, 0};
    static const struct trace_vector sizes = {sent, received, 4, false};
    static const struct trace_pair expected[] = {{0, 2, 1, 5}, {1, 2, 1, 6}};
    struct list_program program = program_of(ops);
    struct trace_comm_graph *graph;
    (void)state;

    program.vector = &sizes;
    graph = trace_comm_graph_new(&program.program, mpich(), NULL);
    has_pairs(graph, expected, 2);
    trace_comm_graph_free(graph);
}

static void fails_with(struct list_program *program, const char *text)
{
    struct base_error error = {0};

    assert_null(trace_comm_graph_new(&program->program, mpich(), &error));
    assert_int_equal(error.status, BASE_INPUT);
    assert_string_equal(error.text, text);
    assert_null(trace_comm_graph_new(&program->program, mpich(), NULL));
}

static void wrong_programs_are_refused(void **state)
{
    static const struct trace_op end[] = {END}, wild[] = {SEND(4, 1), END};
    static const struct trace_op no_root[] = {COLLECTIVE(TRACE_REDUCE, 0, 4, 8, 0), END};
    static const struct trace_op *const broken[] = {end, end, end, end};
    static const struct trace_op *const outside[] = {wild, end, end, end};
    static const struct trace_op *const rootless[] = {end, no_root, end, end};
    static const struct trace_op *const stranger[] = {pair_bcast, end, end, end};
    struct list_program program = program_of(broken);
    (void)state;

    program.breaks = true;
    fails_with(&program, "the trace breaks off");
    program = program_of(outside);
    fails_with(&program, "made: rank 0: a message from rank 0 to rank 4 among 4 ranks");
    program = program_of(rootless);
    fails_with(&program, "made: rank 1, event 9: reduce: root 4 in a communicator of 4 ranks");
    program = program_of(stranger);
    fails_with(&program,
               "made: rank 0, event 9: bcast on the communicator pair, of which the rank is not a member");
}

static int build(void *state)
{
    struct list_program *program = state;
    struct base_error error = {0};
    struct trace_comm_graph *graph = trace_comm_graph_new(&program->program, mpich(), &error);

    if (graph == NULL)
        assert_int_equal(error.status, BASE_SYSTEM);
    trace_comm_graph_free(graph);
    return graph == NULL ? -1 : 0;
}

static void memory_may_run_out(void **state)
{
    static const struct trace_op *const ops[] = {only_barrier, pair_bcast, lone_bcast, pair_bcast};
    struct list_program program = program_of(ops);
    (void)state;

    assert_true(fail_alloc_each(build, &program) >= 8);
}

/* ---- Graphs from pairs ---- */

static void given_pairs_in_any_order(void **state)
{
    static const struct trace_pair pairs[] = {
        {3, 0, 1, 9}, {0, 2, 2, 8}, {3, 0, 4, 1}, {0, 0, 1, 5}, {0, 2, 1, 1}};
    static const struct trace_pair expected[] = {{0, 0, 1, 5}, {0, 2, 3, 9}, {3, 0, 5, 10}};
    struct trace_comm_graph *graph = trace_comm_graph_from(4, pairs, 5, NULL);
    (void)state;

    has_pairs(graph, expected, 3);
    trace_comm_graph_free(graph);
    graph = trace_comm_graph_from(4, NULL, 0, NULL);
    has_pairs(graph, NULL, 0);
    trace_comm_graph_free(graph);
}

static void wrong_pairs_are_refused(void **state)
{
    static const struct trace_pair outside[] = {{0, 1, 1, 1}, {4, 1, 1, 1}};
    static const struct trace_pair many[] = {{0, 1, 1, UINT64_MAX}, {0, 1, 1, 1}};
    struct base_error error;
    (void)state;

    assert_null(trace_comm_graph_from(4, outside, 2, &error));
    assert_int_equal(error.status, BASE_INPUT);
    assert_string_equal(error.text, "a message from rank 4 to rank 1 among 4 ranks");
    assert_null(trace_comm_graph_from(4, many, 2, &error));
    assert_string_equal(error.text, "the messages from rank 0 to rank 1 add up to more than 64 bits");
    assert_null(trace_comm_graph_from(4, many, 2, NULL));
}

#define DENSE 97

/* Many random pairs against a dense matrix. */
static void sums_are_those_of_a_matrix(void **state)
{
    static uint64_t messages[DENSE][DENSE], bytes[DENSE][DENSE];
    static struct trace_pair pairs[20000];
    struct base_random random;
    struct trace_comm_graph *graph;
    struct trace_pair pair;
    size_t found = 0;
    (void)state;

    base_random_seed(&random, 3, 0);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        pair = (struct trace_pair){(uint32_t)base_random_below(&random, DENSE),
                                   (uint32_t)base_random_below(&random, DENSE), base_random_below(&random, 4),
                                   base_random_below(&random, 1000)};
        pairs[i] = pair;
        messages[pair.source][pair.target] += pair.messages;
        bytes[pair.source][pair.target] += pair.bytes;
    }
    graph = trace_comm_graph_from(DENSE, pairs, sizeof pairs / sizeof *pairs, NULL);
    assert_non_null(graph);
    for (uint32_t source = 0; source < DENSE; source++)
        for (uint32_t target = 0; target < DENSE; target++) {
            if (!trace_comm_graph_pair(graph, source, target, &pair)) {
                assert_int_equal(messages[source][target], 0);
                continue;
            }
            assert_int_equal(pair.messages, messages[source][target]);
            assert_int_equal(pair.bytes, bytes[source][target]);
            found++;
        }
    assert_int_equal(found, graph->count);
    trace_comm_graph_free(graph);
}

static int build_from_pairs(void *state)
{
    struct trace_pair pairs[200];
    struct trace_comm_graph *graph;
    (void)state;

    for (uint32_t i = 0; i < 200; i++)
        pairs[i] = (struct trace_pair){i, 199 - i, 1, 1};
    graph = trace_comm_graph_from(200, pairs, 200, NULL);
    trace_comm_graph_free(graph);
    return graph == NULL ? -1 : 0;
}

static void memory_may_run_out_for_pairs(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(build_from_pairs, NULL) >= 5);
}

/* Ranks 2 and 0 on one side, 3 and 1 on the other; the root is rank 1, the last of all. */
static void new_kinds_of_operations_count(void **state)
{
    static const struct trace_op first[] = {
        {.kind = TRACE_PUT, .peer = 2, .bytes = 50, .flags = TRACE_NONBLOCKING},
        {.kind = TRACE_GET, .peer = 3, .bytes = 60, .flags = TRACE_NONBLOCKING},
        {.kind = TRACE_PROBE, .peer = 1},
        COLLECTIVE(TRACE_BCAST, 3, 3, 9, 0),
        END};
    static const struct trace_op second[] = {COLLECTIVE(TRACE_BCAST, 3, 3, 9, 0),
                                             COLLECTIVE(TRACE_BARRIER, 1, UINT32_MAX, 0, 0), END};
    static const struct trace_op third[] = {COLLECTIVE(TRACE_BCAST, 3, 3, 9, 0), END};
    static const struct trace_op fourth[] = {COLLECTIVE(TRACE_BCAST, 3, 3, 9, 0),
                                             {.kind = TRACE_COLLECTIVE_CALL,
                                              .collective = TRACE_BARRIER,
                                              .communicator = 1,
                                              .flags = TRACE_IMPLIED | TRACE_NONBLOCKING},
                                             END};
    static const struct trace_op *const ops[] = {first, second, third, fourth};
    static const struct trace_pair expected[] = {{0, 2, 1, 50}, {1, 2, 1, 9},  {1, 3, 1, 0},
                                                 {2, 0, 1, 9},  {3, 0, 1, 60}, {3, 1, 1, 0}};
    static const uint32_t left[] = {2, 0}, right[] = {3, 1};
    struct list_program program = program_of(ops);
    struct trace_communicator with_two_groups[4];
    (void)state;

    memcpy(with_two_groups, communicators, sizeof communicators);
    with_two_groups[3] = (struct trace_communicator){
        .name = "inter", .size = 2, .members = left, .remote_size = 2, .remote_members = right};
    program.program.communicator_count = 4;
    program.program.communicators = with_two_groups;
    struct trace_comm_graph *graph = trace_comm_graph_new(&program.program, mpich(), NULL);
    has_pairs(graph, expected, 6);
    trace_comm_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_kinds_of_operations_count),
        cmocka_unit_test(messages_are_added_up_and_sorted),
        cmocka_unit_test(collectives_are_expanded_on_their_communicator),
        cmocka_unit_test(vectors_come_from_the_program),
        cmocka_unit_test(wrong_programs_are_refused),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(given_pairs_in_any_order),
        cmocka_unit_test(wrong_pairs_are_refused),
        cmocka_unit_test(sums_are_those_of_a_matrix),
        cmocka_unit_test(pairs_alike_are_runs),
        cmocka_unit_test(memory_may_run_out_for_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
