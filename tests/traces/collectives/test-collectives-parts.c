/* Composite collectives and those between two groups: each part, which is a collective of its own, is run in
 * the model among its ranks, and the whole is run for its messages. That the parts make the whole is written
 * down here a second time, as the list of parts. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "tests/traces/collectives/forms.h"
#include "tests/traces/collectives/model.h"
#include "traces/collectives/steps.h"
#include "traces/collectives/tuning-rules.h"

#define RANKS_MAX UINT32_C(33)

/* The registered algorithm of that name. */
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

/* Runs one part in both ways, and returns the bytes it should send. */
static uint64_t run_part(const struct trace_algorithm *which, const struct trace_collective_call *call,
                         struct world_part *part)
{
    uint64_t expected;

    if (!trace_has_messages(&part->call))
        return 0;
    expected = form_bytes(part->algorithm->name, &part->call);
    for (int way = 0; way < 2; way++) {
        struct world world = {which, *call, way == 0, way == 1, part};
        struct traffic traffic;
        assert_int_equal(world_run(&world, &traffic), 0);
        assert_true(traffic.bytes == expected);
    }
    return expected;
}

/* All messages, in both ways, and their bytes. */
static void run_whole(const struct trace_algorithm *which, const struct trace_collective_call *call,
                      uint64_t bytes)
{
    for (int way = 0; way < 2; way++) {
        struct world world = {which, *call, way == 0, way == 1, NULL};
        struct traffic traffic;
        assert_int_equal(world_run_transport(&world, &traffic), 0);
        if (traffic.bytes != bytes)
            fail_msg("%s on %u ranks, %u of them first, %llu bytes: %llu bytes sent, %llu expected",
                     which->name, call->ranks, call->first_group, (unsigned long long)call->bytes,
                     (unsigned long long)traffic.bytes, (unsigned long long)bytes);
    }
}

static const struct trace_algorithm *chosen_by(const char *table, const struct trace_collective_call *call)
{
    return trace_tuning_find(table, NULL)->choose(call);
}

/* ---- One after the other ---- */

/* The name of a composite says which table its parts come from. */
static const char *table_of(const char *name)
{
    return strstr(name, "-nonoverlapping") != NULL ? "openmpi"
           : strstr(name, "-linear") != NULL       ? "linear"
                                                   : "binomial";
}

/* Two collectives among all ranks with root 0. */
static void two_parts(const char *name, const struct trace_collective_call *call,
                      const struct trace_collective_call *first, const struct trace_collective_call *second)
{
    const struct trace_algorithm *which = algorithm(name);
    struct world_part one = {0, 0, chosen_by(table_of(name), first), *first};
    struct world_part two = {1, 0, chosen_by(table_of(name), second), *second};

    run_whole(which, call, run_part(which, call, &one) + run_part(which, call, &two));
}

/* Equal blocks and unequal ones, some of them empty. */
static void composites_are_their_parts(void **state)
{
    static const char *const names[] = {"linear", "binomial", "nonoverlapping"};
    static const uint64_t sizes[] = {1, 24, 1001, 6002, 40000};
    uint64_t blocks[RANKS_MAX];
    (void)state;

    for (uint32_t ranks = 2; ranks <= RANKS_MAX; ranks++)
        for (size_t k = 0; k < 3 * 5; k++) {
            uint64_t bytes = sizes[k / 3], total = 0;
            char name[64];
            for (uint32_t i = 0; i < ranks; i++)
                total += blocks[i] = (i * 37 + bytes) % 1000;
            struct trace_vector vector = {blocks, blocks, ranks, false};
            struct trace_collective_call call = {
                .collective = TRACE_ALLREDUCE, .ranks = ranks, .bytes = bytes};
            struct trace_collective_call first = call, second = call;

            first.collective = TRACE_REDUCE, second.collective = TRACE_BCAST;
            snprintf(name, sizeof name, "allreduce-%s", names[k % 3]);
            two_parts(name, &call, &first, &second);

            call.collective = TRACE_ALLGATHER, first.collective = TRACE_GATHER, second.bytes = ranks * bytes;
            snprintf(name, sizeof name, "allgather-%s", names[k % 3]);
            two_parts(name, &call, &first, &second);
            call.collective = TRACE_ALLGATHERV, first.collective = TRACE_GATHERV, second.bytes = total;
            call.vector = first.vector = &vector, call.bytes = first.bytes = 0;
            two_parts(name, &call, &first, &second);

            call.collective = TRACE_REDUCE_SCATTER, first.collective = TRACE_REDUCE, first.bytes = total;
            first.vector = NULL, second.collective = TRACE_SCATTERV, second.vector = &vector,
            second.bytes = 0;
            snprintf(name, sizeof name, "reduce-scatter-%s", names[k % 3]);
            two_parts(name, &call, &first, &second);
            call.collective = TRACE_REDUCE_SCATTER_BLOCK, call.vector = second.vector = NULL;
            call.bytes = second.bytes = bytes, first.bytes = ranks * bytes, second.collective = TRACE_SCATTER;
            two_parts(name, &call, &first, &second);
        }
}

/* Parts that are always the same, whatever the sizes. */
static void parts_of_libnbc(void **state)
{
    static const uint64_t sizes[] = {1, 24, 1001, 6002, 70000};
    uint64_t blocks[RANKS_MAX];
    (void)state;

    for (uint32_t ranks = 2; ranks <= RANKS_MAX; ranks++)
        for (size_t k = 0; k < 5; k++) {
            uint64_t total = 0;
            for (uint32_t i = 0; i < ranks; i++)
                total += blocks[i] = (i * 37 + sizes[k]) % 1000;
            struct trace_vector vector = {blocks, blocks, ranks, false};
            struct trace_collective_call call = {
                .collective = TRACE_ALLREDUCE, .ranks = ranks, .bytes = sizes[k]};
            struct world_part one = {0, 0, algorithm("reduce-libnbc-binomial"), call};
            struct world_part two = {1, 0, algorithm("bcast-libnbc-binomial"), call};

            one.call.collective = TRACE_REDUCE, two.call.collective = TRACE_BCAST;
            run_whole(algorithm("allreduce-libnbc"), &call,
                      run_part(algorithm("allreduce-libnbc"), &call, &one) +
                          run_part(algorithm("allreduce-libnbc"), &call, &two));
            call.collective = TRACE_REDUCE_SCATTER, call.vector = &vector, call.bytes = 0;
            two.algorithm = algorithm("scatterv-linear"), two.call = call;
            two.call.collective = TRACE_SCATTERV, one.call.bytes = total;
            run_whole(algorithm("reduce-scatter-libnbc"), &call,
                      run_part(algorithm("reduce-scatter-libnbc"), &call, &one) +
                          run_part(algorithm("reduce-scatter-libnbc"), &call, &two));
        }
}

/* ---- Two groups ---- */

struct two_groups {
    struct trace_collective_call call;
    uint32_t root_first, root_size;   /* the root's group, or the first */
    uint32_t other_first, other_size; /* the other */
};

/* The root's group comes first, wherever it is. */
static struct two_groups groups_of(enum trace_collective collective, uint32_t ranks, uint32_t first_group,
                                   uint32_t root, uint64_t bytes)
{
    struct two_groups groups = {.call = {.collective = collective,
                                         .ranks = ranks,
                                         .root = root,
                                         .bytes = bytes,
                                         .first_group = first_group},
                                .root_size = first_group,
                                .other_first = first_group,
                                .other_size = ranks - first_group};

    if (root != UINT32_MAX && root >= first_group)
        groups = (struct two_groups){groups.call, first_group, ranks - first_group, 0, first_group};
    return groups;
}

/* A collective with rank 0 of one group as its root; returns what it sends. */
static uint64_t group_part(const struct two_groups *groups, uint32_t number, bool other,
                           enum trace_collective collective, uint64_t bytes,
                           const struct trace_vector *vector)
{
    struct world_part part = {.number = number, .first = other ? groups->other_first : groups->root_first};

    part.call = (struct trace_collective_call){.collective = collective,
                                               .ranks = other ? groups->other_size : groups->root_size,
                                               .bytes = bytes,
                                               .vector = vector};
    part.algorithm = chosen_by("mpich", &part.call);
    return run_part(algorithm("inter-leaders"), &groups->call, &part);
}

/* The same collective within each group. */
static uint64_t both_parts(const struct two_groups *groups, uint32_t number, enum trace_collective collective,
                           uint64_t bytes_root, uint64_t bytes_other)
{
    return group_part(groups, number, false, collective, bytes_root, NULL) +
           group_part(groups, number, true, collective, bytes_other, NULL);
}

/* With a root: it talks to the first rank of the other group only. */
static void rooted(uint32_t ranks, uint32_t first_group, uint32_t root, uint64_t n)
{
    const struct trace_algorithm *leaders = algorithm("inter-leaders"), *linear = algorithm("inter-linear");
    struct two_groups groups = groups_of(TRACE_BCAST, ranks, first_group, root, n);
    uint64_t others = groups.other_size;

    run_whole(leaders, &groups.call, n + group_part(&groups, 2, true, TRACE_BCAST, n, NULL));
    groups.call.collective = TRACE_REDUCE;
    run_whole(leaders, &groups.call, n + group_part(&groups, 0, true, TRACE_REDUCE, n, NULL));
    groups.call.collective = TRACE_GATHER;
    run_whole(leaders, &groups.call, others * n + group_part(&groups, 0, true, TRACE_GATHER, n, NULL));
    run_whole(linear, &groups.call, others * n);
    groups.call.collective = TRACE_SCATTER;
    run_whole(leaders, &groups.call, others * n + group_part(&groups, 2, true, TRACE_SCATTER, n, NULL));
    run_whole(linear, &groups.call, others * n);
}

/* Without: the first ranks exchange what the groups have for each other. */
static void unrooted(uint32_t ranks, uint32_t first_group, uint64_t n)
{
    const struct trace_algorithm *leaders = algorithm("inter-leaders");
    struct two_groups groups = groups_of(TRACE_ALLREDUCE, ranks, first_group, UINT32_MAX, n);
    uint64_t first = first_group, second = ranks - first_group;

    run_whole(leaders, &groups.call,
              2 * n + both_parts(&groups, 0, TRACE_REDUCE, n, n) + both_parts(&groups, 2, TRACE_BCAST, n, n));
    groups.call.collective = TRACE_ALLGATHER;
    run_whole(leaders, &groups.call,
              (first + second) * n + both_parts(&groups, 0, TRACE_GATHER, n, n) +
                  both_parts(&groups, 2, TRACE_BCAST, second * n, first * n));
    groups.call.collective = TRACE_REDUCE_SCATTER_BLOCK;
    run_whole(leaders, &groups.call,
              (first + second) * n + both_parts(&groups, 0, TRACE_REDUCE, second * n, first * n) +
                  both_parts(&groups, 2, TRACE_SCATTER, n, n));
    groups.call.collective = TRACE_BARRIER;
    groups.call.bytes = 0;
    run_whole(leaders, &groups.call,
              2 + both_parts(&groups, 0, TRACE_BARRIER, 0, 0) + both_parts(&groups, 2, TRACE_BCAST, 1, 1));
    groups.call.collective = TRACE_ALLTOALL;
    groups.call.bytes = n;
    run_whole(algorithm("inter-pairwise"), &groups.call, 2 * first * second * n);
}

/* The blocks of one group are for the other one. */
static void unequal_blocks(uint32_t ranks, uint32_t first_group, uint32_t root)
{
    uint64_t blocks[RANKS_MAX];
    uint64_t sums[2] = {0, 0};
    uint64_t rooted_sum = 0;
    struct trace_vector vector = {blocks, blocks, ranks, false};
    struct trace_vector parts[2];
    struct two_groups groups = groups_of(TRACE_GATHERV, ranks, first_group, root, 0);

    for (uint32_t i = 0; i < ranks; i++) {
        blocks[i] = i % 3 == 1 ? 0 : 100 + i * i;
        sums[i >= first_group] += blocks[i];
    }
    parts[0] = (struct trace_vector){blocks, blocks, first_group, false};
    parts[1] = (struct trace_vector){blocks + first_group, blocks + first_group, ranks - first_group, false};
    for (uint32_t i = 0; i < groups.other_size; i++)
        rooted_sum += blocks[groups.other_first + i];
    groups.call.vector = &vector;
    run_whole(algorithm("inter-linear"), &groups.call, rooted_sum);
    groups.call.collective = TRACE_SCATTERV;
    run_whole(algorithm("inter-linear"), &groups.call, rooted_sum);

    groups = groups_of(TRACE_ALLGATHERV, ranks, first_group, UINT32_MAX, 0);
    groups.call.vector = &vector;
    run_whole(algorithm("inter-leaders"), &groups.call,
              sums[0] + sums[1] + group_part(&groups, 0, false, TRACE_GATHERV, 0, &parts[0]) +
                  group_part(&groups, 0, true, TRACE_GATHERV, 0, &parts[1]) +
                  both_parts(&groups, 2, TRACE_BCAST, sums[1], sums[0]));
    groups.call.collective = TRACE_REDUCE_SCATTER;
    run_whole(algorithm("inter-leaders"), &groups.call,
              sums[0] + sums[1] + both_parts(&groups, 0, TRACE_REDUCE, sums[1], sums[0]) +
                  group_part(&groups, 2, false, TRACE_SCATTERV, 0, &parts[0]) +
                  group_part(&groups, 2, true, TRACE_SCATTERV, 0, &parts[1]));
}

/* Groups of one rank and of all but one, and a root at every place or at some. */
static void groups_get_each_others_data(void **state)
{
    static const uint64_t sizes[] = {1, 24, 1001, 40000};
    (void)state;

    for (uint32_t ranks = 2; ranks <= RANKS_MAX; ranks++)
        for (uint32_t first = 1; first < ranks; first += ranks < 9 ? 1 : ranks / 4)
            for (size_t s = 0; s < 4; s++) {
                unrooted(ranks, first, sizes[s]);
                for (uint32_t root = 0; root < ranks; root += ranks < 9 ? 1 : ranks / 3) {
                    rooted(ranks, first, root, sizes[s]);
                    if (s == 0)
                        unequal_blocks(ranks, first, root);
                }
            }
}

/* Totals are laid out over the other group alone: what a rank sends arrives there to the last byte. */
static void totals_stay_between_the_groups(void **state)
{
    uint64_t sent[7] = {70, 0, 31, 5, 11, 0, 90}, received[7] = {50, 6, 50, 1, 0, 50, 50};
    struct trace_vector vector = {sent, received, 7, false};
    struct trace_collective_call call = {
        .collective = TRACE_ALLTOALLV, .ranks = 7, .vector = &vector, .first_group = 3};
    uint64_t matrix[7][7];
    uint64_t row;
    (void)state;

    for (call.rank = 0; call.rank < 7; call.rank++) {
        struct trace_shares shares;
        assert_int_equal(trace_shares_init(&shares, &call), 0);
        memcpy(matrix[call.rank], shares.sent, sizeof matrix[call.rank]);
        row = 0;
        for (uint32_t i = 0; i < 7; i++)
            row += shares.sent[i];
        assert_int_equal(row, sent[call.rank]);
        trace_shares_free(&shares);
    }
    for (call.rank = 0; call.rank < 7; call.rank++) {
        struct trace_shares shares;
        assert_int_equal(trace_shares_init(&shares, &call), 0);
        for (uint32_t i = 0; i < 7; i++) {
            assert_int_equal(shares.received[i], matrix[i][call.rank]);
            assert_true((i < 3) != (call.rank < 3) || shares.received[i] == 0);
        }
        trace_shares_free(&shares);
    }
    run_whole(algorithm("inter-pairwise"), &call, 70 + 31 + 5 + 11 + 90);
}

/* ---- Vectors ---- */

/* Each rank knows its own rows only, and they are taken as they are. */
static void pairwise_sizes_are_exact(void **state)
{
    static const char *const names[] = {"alltoall-scattered", "alltoall-linear", "alltoall-linear-sync",
                                        "alltoall-pairwise-ring"};
    uint64_t sent[70], received[70];
    (void)state;

    for (size_t n = 0; n < 4; n++)
        for (uint32_t rank = 0; rank < 70; rank++) {
            struct trace_vector vector = {sent, received, 70, true};
            struct trace_collective_call call = {
                .collective = TRACE_ALLTOALLV, .ranks = 70, .rank = rank, .vector = &vector};
            struct trace_schedule schedule = {0};
            size_t sends = 0, receives = 0, nonzero = 0;
            for (uint32_t i = 0; i < 70; i++) {
                sent[i] = (rank * 7 + i * 13) % 5 * 1000;
                received[i] = (i * 7 + rank * 13) % 5 * 1000;
                nonzero += i != rank ? (size_t)(sent[i] > 0) + (size_t)(received[i] > 0) : 0;
            }
            assert_int_equal(algorithm(names[n])->schedule(&call, &schedule), 0);
            for (size_t i = 0; i < schedule.count; i++) {
                const struct trace_step *step = &schedule.steps[i];
                sends += step->kind == TRACE_STEP_SEND;
                receives += step->kind == TRACE_STEP_RECEIVE;
                if (step->kind != TRACE_STEP_WAIT)
                    assert_int_equal(step->bytes,
                                     (step->kind == TRACE_STEP_SEND ? sent : received)[step->peer]);
            }
            assert_int_equal(sends + receives, nonzero);
            trace_schedule_free(&schedule);
        }
}

/* Members of gatherv and scatterv that are not the root know only their own block. */
static void own_blocks_do_at_leaves(void **state)
{
    uint64_t blocks[5] = {10, 0, 30, 40, 50};
    struct trace_vector vector = {blocks, blocks, 5, false};
    const struct trace_tuning *mpich = trace_tuning_find("mpich", NULL);
    struct trace_schedule schedule = {0};
    (void)state;

    for (uint32_t gathers = 0; gathers < 2; gathers++)
        for (uint32_t rank = 0; rank < 5; rank++) {
            struct trace_collective_call call = {.collective = gathers ? TRACE_GATHERV : TRACE_SCATTERV,
                                                 .ranks = 5,
                                                 .rank = rank,
                                                 .root = 2,
                                                 .bytes = rank == 2 ? 0 : blocks[rank],
                                                 .vector = rank == 2 ? &vector : NULL};
            assert_int_equal(trace_collective_schedule(mpich, &call, &schedule, NULL), 0);
            assert_int_equal(schedule.count, rank == 2 ? 4 : blocks[rank] == 0 ? 0 : 2);
            for (size_t i = 0; i + 1 < schedule.count; i++)
                assert_int_equal(schedule.steps[i].bytes, blocks[rank == 2 ? schedule.steps[i].peer : rank]);
        }
    trace_schedule_free(&schedule);
}

/* A rank that sends nothing may still receive. */
static void nothing_to_send_is_not_nothing_to_do(void **state)
{
    uint64_t sent[2] = {0, 0}, received[2] = {0, 7};
    struct trace_vector vector = {sent, received, 2, true};
    struct trace_collective_call call = {.collective = TRACE_ALLTOALLV, .ranks = 2, .vector = &vector};
    struct trace_schedule schedule = {0};
    (void)state;

    assert_int_equal(trace_collective_schedule(trace_tuning_find("mpich", NULL), &call, &schedule, NULL), 0);
    assert_int_equal(schedule.count, 2);
    assert_int_equal(schedule.steps[0].kind, TRACE_STEP_RECEIVE);
    assert_int_equal(schedule.steps[0].bytes, 7);
    trace_schedule_free(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(composites_are_their_parts),
        cmocka_unit_test(parts_of_libnbc),
        cmocka_unit_test(groups_get_each_others_data),
        cmocka_unit_test(totals_stay_between_the_groups),
        cmocka_unit_test(pairwise_sizes_are_exact),
        cmocka_unit_test(own_blocks_do_at_leaves),
        cmocka_unit_test(nothing_to_send_is_not_nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
