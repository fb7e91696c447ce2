/* Every collective algorithm, run against itself in the model, and the tables that choose between them. */
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/wide.h"
#include "tests/brief.h"
#include "tests/fail-alloc.h"
#include "tests/traces/collectives/forms.h"
#include "tests/traces/collectives/model.h"

#define RANKS_MAX UINT32_C(33)
#define ALLTOALL_MASK (UINT32_C(1) << TRACE_ALLTOALLV | UINT32_C(1) << TRACE_ALLTOALLW)
#define VECTOR_MASK                                                                                          \
    (ALLTOALL_MASK | UINT32_C(1) << TRACE_GATHERV | UINT32_C(1) << TRACE_SCATTERV |                          \
     UINT32_C(1) << TRACE_ALLGATHERV | UINT32_C(1) << TRACE_REDUCE_SCATTER)
#define ROOT_MASK                                                                                            \
    (UINT32_C(1) << TRACE_BCAST | UINT32_C(1) << TRACE_REDUCE | UINT32_C(1) << TRACE_GATHER |                \
     UINT32_C(1) << TRACE_GATHERV | UINT32_C(1) << TRACE_SCATTER | UINT32_C(1) << TRACE_SCATTERV)

/* The tests' own, not the one under test. */
static bool is_power_of_two(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

static const struct trace_algorithm *algorithm(const char *name)
{
    size_t count;
    const struct trace_algorithm *const *all = trace_algorithms(&count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    fail_msg("there is no algorithm %s", name);
    return NULL;
}

/* ---- The laws ---- */

static void obeys_the_laws(const struct trace_algorithm *which, const struct trace_collective_call *call)
{
    uint64_t bytes = form_bytes(which->name, call), messages = form_messages(which->name, call);

    /* Synchronous sends find more deadlocks; eager ones see data early. With many ranks the first will do. */
    for (unsigned way = 0; way < (call->ranks <= 12 ? 2u : 1u); way++) {
        struct world world = {which, *call, way == 0, ((way ^ call->ranks) & 1) != 0, NULL};
        struct traffic traffic;
        assert_int_equal(world_run(&world, &traffic), 0);
        if (traffic.bytes != bytes)
            fail_msg("%s on %u ranks, root %u, %llu bytes: %llu bytes sent, %llu expected", which->name,
                     call->ranks, call->root, (unsigned long long)call->bytes,
                     (unsigned long long)traffic.bytes, (unsigned long long)bytes);
        /* Messages without data may be left out; with an element for each rank there are none. */
        if (messages != UINT64_MAX && call->vector == NULL && call->bytes >= UINT64_C(8) * call->ranks &&
            traffic.messages != messages)
            fail_msg("%s on %u ranks, root %u, %llu bytes: %llu messages sent, %llu expected", which->name,
                     call->ranks, call->root, (unsigned long long)call->bytes,
                     (unsigned long long)traffic.messages, (unsigned long long)messages);
    }
}

/* Runs with every root (with many ranks: the first, one in the middle, the last), or once. */
static void with_roots(const struct trace_algorithm *which, struct trace_collective_call *call)
{
    uint32_t roots = (UINT32_C(1) << call->collective & ROOT_MASK) != 0 ? call->ranks : 0;

    call->root = UINT32_MAX;
    if (roots == 0)
        obeys_the_laws(which, call);
    for (call->root = 0; call->root < roots; call->root++)
        if (roots <= 9 || call->root == 0 || call->root == roots / 2 || call->root == roots - 1)
            obeys_the_laws(which, call);
}

/* Composites, whose parts are tested as such, and those for two groups are for other tests. */
static bool is_for_itself(const struct trace_algorithm *which)
{
    return !which->inter && strstr(which->name, "-nonoverlapping") == NULL &&
           strcmp(which->name, "allreduce-linear") != 0 && strcmp(which->name, "allreduce-binomial") != 0 &&
           strcmp(which->name, "allgather-linear") != 0 && strcmp(which->name, "allgather-binomial") != 0 &&
           strcmp(which->name, "reduce-scatter-linear") != 0 &&
           strcmp(which->name, "allreduce-libnbc") != 0 &&
           strcmp(which->name, "reduce-scatter-libnbc") != 0 &&
           strcmp(which->name, "reduce-scatter-binomial") != 0;
}

/* From one to this many: beyond a power of two in any case. */
static uint32_t ranks_to_try(void)
{
    return 1 + (uint32_t)brief_count("ranks", RANKS_MAX - 1, 2);
}

static void every_algorithm_keeps_its_promise(void **state)
{
    /* None, few bytes, odd ones, multiples of 8, 4 and 2 only, and more than a pipeline's chunk. Segments of
     * some, none and all of them. */
    static const uint64_t sizes[] = {1, 24, 1001, 4100, 6002, 40000, 0, 16384}, segments[] = {0, 1000, 8192};
    size_t count;
    const struct trace_algorithm *const *all = trace_algorithms(&count);
    uint32_t ranks_max = ranks_to_try();
    (void)state;

    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < TRACE_COLLECTIVES * (ranks_max - 1); k++) {
            /* One rank never gets as far as an algorithm. */
            uint32_t collective = k / (ranks_max - 1), ranks = 2 + k % (ranks_max - 1);
            size_t lengths = all[i]->segment_bytes > 0 ? 3 : 1;
            if (!is_for_itself(all[i]) || (all[i]->collectives & UINT32_C(1) << collective) == 0 ||
                (all[i]->power_of_two && !is_power_of_two(ranks)))
                continue;
            for (size_t s = ranks % 2 * lengths; s < sizeof sizes / sizeof *sizes * lengths; s++) {
                struct trace_collective_call call = {.collective = (enum trace_collective)collective,
                                                     .ranks = ranks,
                                                     .bytes = sizes[s / lengths],
                                                     .segment_bytes = segments[s % lengths]};
                if (collective == TRACE_BARRIER)
                    call.bytes = 0;
                if (ranks < 10 || (s + ranks) % 2 == 0)
                    with_roots(all[i], &call);
            }
        }
}

/* Sizes of a v-collective in several tempers: equal, every third one zero, random and skewed, one rank has
 * all. */
static void make_vector(struct base_random *random, uint32_t temper, uint32_t ranks, uint64_t *sizes)
{
    uint64_t lucky = base_random_below(random, ranks);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint64_t size = base_random_below(random, UINT64_C(1) << base_random_below(random, 17));
        sizes[rank] = temper == 0   ? 1000
                      : temper == 1 ? (rank % 3 == 0 ? 0 : size + 1)
                      : temper == 2 ? size
                                    : 0;
        if (temper == 3 && rank == lucky)
            sizes[rank] = 100000;
    }
}

/* All algorithms of v- and w-variants, with sizes of every temper. */
static void vectors_keep_the_promise(void **state)
{
    size_t count;
    const struct trace_algorithm *const *all = trace_algorithms(&count);
    struct base_random random;
    uint64_t sent[RANKS_MAX], received[RANKS_MAX];
    uint32_t ranks_max = ranks_to_try();
    (void)state;

    base_random_seed(&random, 5, 0);
    for (size_t i = 0; i < count; i++)
        for (uint32_t collective = 0; collective < TRACE_COLLECTIVES; collective++)
            for (uint32_t ranks = 1; ranks <= ranks_max; ranks++) {
                struct trace_vector vector = {sent, received, ranks, false};
                struct trace_collective_call call = {
                    (enum trace_collective)collective, ranks, 0, 0, 0, &vector, 0, 0, false};
                if (!is_for_itself(all[i]) ||
                    (all[i]->collectives & VECTOR_MASK & UINT32_C(1) << collective) == 0)
                    continue;
                if (all[i]->power_of_two && !is_power_of_two(ranks))
                    continue;
                for (uint32_t temper = ranks % 2; temper < 4; temper += 1 + ranks / 16) {
                    make_vector(&random, temper, ranks, sent);
                    make_vector(&random, 3 - temper, ranks, received);
                    with_roots(all[i], &call);
                }
            }
}

static void reduce_scatter_blocks_of_no_bytes(void **state)
{
    uint64_t none[8] = {0}, some[8] = {0, 0, 0, 0, 16, 0, 0, 8};
    struct trace_vector vector = {none, some, 8, false};
    struct trace_collective_call call = {TRACE_REDUCE_SCATTER, 8, 0, UINT32_MAX, 0, &vector, 0, 0, false};
    struct trace_schedule schedule = {0};
    size_t sends = 0, receives = 0;
    (void)state;

    /* Rank 0 answers for nothing, so it sends both others their halves and receives nothing. */
    assert_int_equal(algorithm("reduce-scatter-recursive-halving")->schedule(&call, &schedule), 0);
    for (size_t i = 0; i < schedule.count; i++) {
        sends += schedule.steps[i].kind == TRACE_STEP_SEND;
        receives += schedule.steps[i].kind == TRACE_STEP_RECEIVE;
    }
    assert_int_equal(sends, 1);
    assert_int_equal(receives, 0);
    assert_int_equal(schedule.steps[0].peer, 4);
    assert_int_equal(schedule.steps[0].bytes, 24);
    trace_schedule_free(&schedule);
}

/* ---- Schedules written by hand ---- */

struct expected_step {
    enum trace_step_kind kind;
    uint32_t peer;
    uint64_t bytes;
};

/* Step for step; waits have neither peer nor size. */
static void has_steps(const char *name, struct trace_collective_call call,
                      const struct expected_step *expected, size_t count)
{
    struct trace_schedule schedule = {0};

    assert_int_equal(algorithm(name)->schedule(&call, &schedule), 0);
    assert_int_equal(schedule.count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(schedule.steps[i].kind, expected[i].kind);
        if (expected[i].kind == TRACE_STEP_WAIT)
            continue;
        assert_int_equal(schedule.steps[i].peer, expected[i].peer);
        assert_int_equal(schedule.steps[i].bytes, expected[i].bytes);
    }
    trace_schedule_free(&schedule);
}

#define STEPS(...)                                                                                           \
    (const struct expected_step[]){__VA_ARGS__},                                                             \
        sizeof(struct expected_step[]){__VA_ARGS__} / sizeof(struct expected_step)
#define SEND(peer, bytes)                                                                                    \
    {                                                                                                        \
        TRACE_STEP_SEND, peer, bytes                                                                         \
    }
#define RECEIVE(peer, bytes)                                                                                 \
    {                                                                                                        \
        TRACE_STEP_RECEIVE, peer, bytes                                                                      \
    }
#define WAIT                                                                                                 \
    {                                                                                                        \
        TRACE_STEP_WAIT, 0, 0                                                                                \
    }

static void orders_are_those_of_mpich(void **state)
{
    (void)state;
    /* Rank 6 of 10 with root 2 is relative rank 4: it hears from the root, then serves 6 (rank 8) and 5 (rank
     * 7). */
    has_steps("bcast-binomial", (struct trace_collective_call){TRACE_BCAST, 10, 6, 2, 100, NULL, 0, 0, false},
              STEPS(RECEIVE(2, 100), WAIT, SEND(8, 100), WAIT, SEND(7, 100), WAIT));
    has_steps("reduce-binomial",
              (struct trace_collective_call){TRACE_REDUCE, 10, 6, 2, 100, NULL, 0, 0, false},
              STEPS(RECEIVE(7, 100), WAIT, RECEIVE(8, 100), WAIT, SEND(2, 100), WAIT));
    has_steps("barrier-dissemination",
              (struct trace_collective_call){TRACE_BARRIER, 5, 3, UINT32_MAX, 0, NULL, 0, 0, false},
              STEPS(RECEIVE(2, 0), SEND(4, 0), WAIT, RECEIVE(1, 0), SEND(0, 0), WAIT, RECEIVE(4, 0),
                    SEND(2, 0), WAIT));
    /* 97 bytes in 16 pieces of 7: relative ranks 14 and 15 get none. 12 gets 97 - 84 = 13 and passes on
     * nothing to 14 but 6 to 13. */
    has_steps("bcast-scatter-recursive-doubling",
              (struct trace_collective_call){TRACE_BCAST, 16, 12, 0, 97, NULL, 0, 0, false},
              STEPS(RECEIVE(8, 13), WAIT, SEND(13, 6), WAIT, RECEIVE(13, 6), SEND(13, 7), WAIT,
                    RECEIVE(14, 0), SEND(14, 13), WAIT, RECEIVE(8, 28), SEND(8, 13), WAIT, RECEIVE(4, 56),
                    SEND(4, 41), WAIT));
    /* 10 elements over 4: pieces of 3, 3, 2, 2. The nearest partner takes half of the vector. */
    has_steps("allreduce-rabenseifner",
              (struct trace_collective_call){TRACE_ALLREDUCE, 4, 1, UINT32_MAX, 80, NULL, 0, 0, false},
              STEPS(RECEIVE(0, 32), SEND(0, 48), WAIT, RECEIVE(3, 16), SEND(3, 16), WAIT, RECEIVE(3, 16),
                    SEND(3, 16), WAIT, RECEIVE(0, 48), SEND(0, 32), WAIT));
    has_steps("alltoall-scattered",
              (struct trace_collective_call){TRACE_ALLTOALL, 4, 1, UINT32_MAX, 9, NULL, 0, 0, false},
              STEPS(RECEIVE(2, 9), RECEIVE(3, 9), RECEIVE(0, 9), SEND(0, 9), SEND(3, 9), SEND(2, 9), WAIT));
    has_steps("alltoall-pairwise",
              (struct trace_collective_call){TRACE_ALLTOALL, 4, 1, UINT32_MAX, 9, NULL, 0, 0, false},
              STEPS(RECEIVE(0, 9), SEND(0, 9), WAIT, RECEIVE(3, 9), SEND(3, 9), WAIT, RECEIVE(2, 9),
                    SEND(2, 9), WAIT));
    has_steps("alltoall-pairwise",
              (struct trace_collective_call){TRACE_ALLTOALL, 3, 1, UINT32_MAX, 9, NULL, 0, 0, false},
              STEPS(RECEIVE(0, 9), SEND(2, 9), WAIT, RECEIVE(2, 9), SEND(0, 9), WAIT));
    has_steps("alltoall-bruck",
              (struct trace_collective_call){TRACE_ALLTOALL, 6, 1, UINT32_MAX, 10, NULL, 0, 0, false},
              STEPS(RECEIVE(0, 30), SEND(2, 30), WAIT, RECEIVE(5, 20), SEND(3, 20), WAIT, RECEIVE(3, 20),
                    SEND(5, 20), WAIT));
}

/* Trees by hand: who serves whom, and in which order. */
static void orders_are_those_of_open_mpi(void **state)
{
    struct trace_collective_call bcast = {.collective = TRACE_BCAST, .ranks = 10, .bytes = 8};
    struct trace_collective_call reduce = {.collective = TRACE_REDUCE, .ranks = 10, .bytes = 8};
    (void)state;

    has_steps("bcast-chain", bcast, STEPS(SEND(1, 8), WAIT));
    has_steps("bcast-doubling", bcast, STEPS(SEND(1, 8), SEND(2, 8), SEND(4, 8), SEND(8, 8), WAIT));
    bcast.rank = 2;
    has_steps("bcast-doubling", bcast, STEPS(RECEIVE(0, 8), WAIT, SEND(6, 8), WAIT));
    has_steps("bcast-binary", bcast, STEPS(RECEIVE(0, 8), WAIT, SEND(4, 8), SEND(6, 8), WAIT));
    bcast.rank = 4;
    has_steps("bcast-chain", bcast, STEPS(RECEIVE(3, 8), WAIT, SEND(5, 8), WAIT));
    has_steps("bcast-k-nomial", bcast, STEPS(RECEIVE(0, 8), WAIT, SEND(5, 8), SEND(6, 8), SEND(7, 8), WAIT));
    has_steps("bcast-binary", bcast, STEPS(RECEIVE(2, 8), WAIT, SEND(8, 8), WAIT));
    bcast.root = 3, bcast.segment_bytes = 5; /* rank 4 is the first after the root */
    has_steps("bcast-pipeline", bcast,
              STEPS(RECEIVE(3, 5), WAIT, RECEIVE(3, 3), SEND(5, 5), WAIT, SEND(5, 3), WAIT));
    bcast.segment_bytes = 0, bcast.rank = bcast.root = 0;
    has_steps("bcast-k-nomial", bcast,
              STEPS(SEND(4, 8), SEND(8, 8), SEND(1, 8), SEND(2, 8), SEND(3, 8), WAIT));
    bcast.bytes = 16, bcast.rank = 1; /* one of two elements; rank 2 has the other, 3 and 5 are below */
    has_steps("bcast-split-binary", bcast,
              STEPS(RECEIVE(0, 8), WAIT, SEND(3, 8), SEND(5, 8), WAIT, RECEIVE(2, 8), SEND(2, 8), WAIT));
    reduce.rank = 8;
    has_steps("reduce-in-order-binary", reduce, STEPS(RECEIVE(5, 8), RECEIVE(7, 8), WAIT, SEND(9, 8), WAIT));
    reduce.rank = 9;
    has_steps("reduce-in-order-binary", reduce, STEPS(RECEIVE(3, 8), RECEIVE(8, 8), WAIT, SEND(0, 8), WAIT));
    reduce.rank = 0, reduce.ranks = 3;
    has_steps("reduce-linear", reduce, STEPS(RECEIVE(2, 8), WAIT, RECEIVE(1, 8), WAIT));
}

static void scattered_keeps_to_its_throttle(void **state)
{
    struct trace_collective_call call = {TRACE_ALLTOALL, 70, 3, UINT32_MAX, 1000, NULL, 0, 0, false};
    struct trace_schedule schedule = {0};
    size_t groups[8] = {0};
    size_t group = 0;
    (void)state;

    assert_int_equal(algorithm("alltoall-scattered")->schedule(&call, &schedule), 0);
    for (size_t i = 0; i < schedule.count; i++) {
        if (schedule.steps[i].kind == TRACE_STEP_WAIT)
            group++;
        else
            groups[group]++;
    }
    assert_int_equal(group, 3);
    assert_int_equal(groups[0], 2 * 31); /* 32 partners, one of them oneself */
    assert_int_equal(groups[1], 2 * 32);
    assert_int_equal(groups[2], 2 * 6);
    trace_schedule_free(&schedule);
}

static void damaged_sizes_do_not_make_endless_schedules(void **state)
{
    uint64_t sent[3] = {UINT64_C(1) << 50, 1, UINT64_C(1) << 55};
    struct trace_vector vector = {sent, sent, 3, false};
    struct trace_collective_call call = {TRACE_ALLGATHERV, 3, 0, UINT32_MAX, 0, &vector, 0, 32768, false};
    struct trace_schedule schedule = {0};
    uint64_t bytes = 0;
    (void)state;

    assert_int_equal(algorithm("allgatherv-ring")->schedule(&call, &schedule), 0);
    assert_true(schedule.count < 1000000);
    for (size_t i = 0; i < schedule.count; i++)
        bytes += schedule.steps[i].kind == TRACE_STEP_SEND ? schedule.steps[i].bytes : 0;
    assert_true(bytes == sent[0] + sent[2]); /* all but the right neighbour's own */
    trace_schedule_free(&schedule);
}

/* ---- Names ---- */

static void names_are_unique(void **state)
{
    size_t count;
    const struct trace_algorithm *const *all = trace_algorithms(&count);
    struct base_error error;
    (void)state;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(all[i]->name, all[k]->name);
    assert_null(trace_tuning_find("mpihc", &error));
    assert_int_equal(error.status, BASE_USAGE);
    assert_string_equal(error.text,
                        "unknown collectives 'mpihc'; did you mean 'mpich'? known: mpich, mpich-4, openmpi, "
                        "openmpi-4, openmpi-classic, libnbc, linear, binomial, hardware");
    assert_null(trace_tuning_find("", &error));
    assert_null(trace_tuning_find("mpihc", NULL));
}

/* ---- trace_collective_schedule ---- */

static void refuses(struct trace_collective_call call, const char *text)
{
    struct trace_schedule schedule = {0};
    struct base_error error = {0};

    assert_int_equal(trace_collective_schedule(trace_tuning_find("mpich", NULL), &call, &schedule, &error),
                     -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_string_equal(error.text, text);
    assert_int_equal(schedule.count, 0);
    trace_schedule_free(&schedule);
}

/* What a damaged trace can say. */
static void impossible_calls_are_refused(void **state)
{
    uint64_t sizes[2] = {UINT64_MAX, 1}, few[2] = {1, 1};
    struct trace_vector vector = {few, sizes, 2, false};
    (void)state;

    refuses((struct trace_collective_call){TRACE_BARRIER, 0, 0, 0, 0, NULL, 0, 0, false},
            "barrier: rank 0 in a communicator of 0 ranks");
    refuses((struct trace_collective_call){TRACE_BCAST, 4, 4, 0, 8, NULL, 0, 0, false},
            "bcast: rank 4 in a communicator of 4 ranks");
    refuses((struct trace_collective_call){TRACE_BCAST, 4, 0, UINT32_MAX, 8, NULL, 0, 0, false},
            "bcast: root 4294967295 in a communicator of 4 ranks");
    refuses((struct trace_collective_call){TRACE_ALLTOALL, 4, 0, 0, UINT64_MAX / 4 + 1, NULL, 0, 0, false},
            "alltoall: the sizes of its 4 ranks add up to more than 64 bits");
    refuses((struct trace_collective_call){TRACE_ALLTOALLV, 2, 0, 0, 0, &vector, 0, 0, false},
            "alltoallv: the sizes of its 2 ranks add up to more than 64 bits");
    refuses((struct trace_collective_call){TRACE_ALLTOALLV, 4, 0, 0, 0, &vector, 0, 0, false},
            "alltoallv: sizes of 2 ranks in a communicator of 4");
    refuses((struct trace_collective_call){TRACE_COLLECTIVES, 4, 0, 0, 0, NULL, 0, 0, false},
            "there is no collective operation 17");
}

static void schedules_are_reused_and_named(void **state)
{
    const struct trace_tuning *mpich = trace_tuning_find("mpich", NULL);
    struct trace_collective_call call = {TRACE_ALLREDUCE, 8, 3, UINT32_MAX, 8, NULL, 0, 0, false};
    struct trace_schedule schedule = {0};
    (void)state;

    assert_int_equal(trace_collective_schedule(mpich, &call, &schedule, NULL), 0);
    assert_int_equal(schedule.count, 9);
    assert_string_equal(schedule.algorithm, "allreduce-recursive-doubling");
    call.bytes = 0; /* no data, no messages */
    assert_int_equal(trace_collective_schedule(mpich, &call, &schedule, NULL), 0);
    assert_int_equal(schedule.count, 0);
    call.bytes = 8;
    call.ranks = 1;
    call.rank = 0;
    assert_int_equal(trace_collective_schedule(mpich, &call, &schedule, NULL), 0);
    assert_int_equal(schedule.count, 0);
    call = (struct trace_collective_call){TRACE_BARRIER, 4, 0, UINT32_MAX, 0, NULL, 0, 0, false};
    assert_int_equal(trace_collective_schedule(mpich, &call, &schedule, NULL), 0);
    assert_int_equal(schedule.count, 6);
    trace_schedule_free(&schedule);
    assert_null(schedule.steps);
    trace_schedule_free(&schedule);
    trace_schedule_free(NULL);
}

static int schedule_all(void *state)
{
    struct trace_schedule schedule = {0};
    struct base_error error = {0};
    int status = 0;
    (void)state;

    for (uint32_t collective = 0; collective < TRACE_COLLECTIVES && status == 0; collective++) {
        struct trace_collective_call call = {
            (enum trace_collective)collective, 70, 0, 0, 100000, NULL, 0, 0, false};
        trace_schedule_free(&schedule); /* so that each starts by allocating */
        status = trace_collective_schedule(trace_tuning_find("mpich", NULL), &call, &schedule, &error);
    }
    if (status != 0)
        assert_int_equal(error.status, BASE_SYSTEM);
    trace_schedule_free(&schedule);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(schedule_all, NULL) > TRACE_COLLECTIVES);
}

/* ---- trace_vector_share ---- */

static void shares_by_hand(void **state)
{
    uint64_t sent[4] = {100, 1, 0, 7}, received[4] = {10, 20, 30, 40}, none[4] = {0};
    struct trace_vector vector = {sent, received, 4, false}, lost = {sent, none, 4, false};
    static const uint64_t expected[4][4] = {{10, 20, 30, 40}, {0, 0, 0, 1}, {0, 0, 0, 0}, {0, 2, 2, 3}};
    static const uint64_t even[4][4] = {{25, 25, 25, 25}, {0, 0, 0, 1}, {0, 0, 0, 0}, {1, 2, 2, 2}};
    (void)state;

    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = 0; to < 4; to++) {
            assert_int_equal(trace_vector_share(&vector, from, to), expected[from][to]);
            assert_int_equal(trace_vector_share(&lost, from, to), even[from][to]);
        }
}

/* Each share is within one of the exact quotient, sent * received / total, and rows add up. */
static void rows_add_up(void **state)
{
    struct base_random random;
    uint64_t sent[RANKS_MAX], received[RANKS_MAX];
    (void)state;

    base_random_seed(&random, 9, 0);
    for (int round = 0; round < 500; round++) {
        uint32_t ranks = 1 + (uint32_t)base_random_below(&random, RANKS_MAX);
        struct trace_vector vector = {sent, received, ranks, false};
        uint64_t spread = UINT64_C(1) << base_random_below(&random, 59), total = 0;
        for (uint32_t i = 0; i < ranks; i++) {
            sent[i] = base_random_below(&random, spread);
            received[i] = base_random_below(&random, spread);
            total += received[i];
        }
        for (uint32_t from = 0; from < ranks && total > 0; from++) {
            uint64_t sum = 0;
            for (uint32_t to = 0; to < ranks; to++) {
                uint64_t share = trace_vector_share(&vector, from, to);
                base_wide exact = base_wide_product(sent[from], received[to]);
                base_wide held = base_wide_product(share, total);
                assert_true(base_wide_less(exact, base_wide_add(held, base_wide_of(total))));
                assert_true(base_wide_less(held, base_wide_add(exact, base_wide_of(total))));
                sum += share;
            }
            assert_true(sum == sent[from]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_keeps_its_promise),
        cmocka_unit_test(vectors_keep_the_promise),
        cmocka_unit_test(reduce_scatter_blocks_of_no_bytes),
        cmocka_unit_test(orders_are_those_of_mpich),
        cmocka_unit_test(orders_are_those_of_open_mpi),
        cmocka_unit_test(scattered_keeps_to_its_throttle),
        cmocka_unit_test(damaged_sizes_do_not_make_endless_schedules),
        cmocka_unit_test(names_are_unique),
        cmocka_unit_test(impossible_calls_are_refused),
        cmocka_unit_test(schedules_are_reused_and_named),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(shares_by_hand),
        cmocka_unit_test(rows_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
