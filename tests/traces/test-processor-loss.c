/* Gaps in which a rank lost its processor: which are counted, from which one on they matter, and what a
 * coarse CPU clock hides. */
#include <config.h>

#include "tests/suite.h"

#include "traces/processor-loss.h"

#define MS UINT64_C(1000000)

static struct trace_processor_loss loss_of(struct trace_loss_tally *tally)
{
    trace_loss_end_rank(tally);
    return trace_loss_of(tally);
}

/* Two ranks that compute 10 ms each in steps of 0.1 ms with the noise of clocks; one gap of the second takes
 * a slice. */
static void one_slice_among_many_gaps_is_found(void **state)
{
    struct trace_loss_tally tally = {0};
    struct trace_processor_loss loss;
    (void)state;

    for (uint32_t rank = 0; rank < 2; rank++) {
        for (uint64_t i = 0; i < 100; i++)
            trace_loss_gap(&tally, rank, i + 2, MS / 10 + i * 30, MS / 10);
        if (rank == 1)
            trace_loss_gap(&tally, rank, 102, 4 * MS + 1000, 1000);
        trace_loss_end_rank(&tally);
    }
    loss = trace_loss_of(&tally);
    assert_int_equal(loss.gaps, 201);
    assert_int_equal(loss.lost_gaps, 1);
    assert_int_equal(loss.lost_ns, 4 * MS);
    assert_int_equal(loss.busiest_cpu_ns, 10 * MS + 1000);
    assert_int_equal(loss.longest.rank, 1);
    assert_int_equal(loss.longest.event, 102);
    assert_int_equal(loss.longest.wall_ns, 4 * MS + 1000);
    assert_int_equal(loss.longest.cpu_ns, 1000);
    assert_true(trace_loss_matters(&loss)); /* although the sums differ by a fifth only */
}

/* A rank that computes with two threads has more CPU time than wall time, and hides nothing of the others. */
static void more_cpu_than_wall_is_no_loss(void **state)
{
    struct trace_loss_tally tally = {0};
    struct trace_processor_loss loss;
    (void)state;

    for (uint64_t i = 0; i < 100; i++)
        trace_loss_gap(&tally, 0, i + 2, MS, 2 * MS);
    loss = loss_of(&tally);
    assert_int_equal(loss.lost_gaps, 0);
    assert_false(trace_loss_matters(&loss));
    for (uint64_t i = 0; i < 10; i++)
        trace_loss_gap(&tally, 1, i + 2, 11 * MS, MS);
    loss = loss_of(&tally);
    assert_int_equal(loss.lost_ns, 100 * MS);
    assert_true(trace_loss_matters(&loss));
}

/* One part in twenty of the busiest rank's computing. */
static void little_loss_does_not_matter(void **state)
{
    (void)state;

    for (int more = 0; more < 2; more++) {
        struct trace_loss_tally tally = {0};
        struct trace_processor_loss loss;
        trace_loss_gap(&tally, 0, 2, 200 * MS, 200 * MS);
        trace_loss_end_rank(&tally);
        trace_loss_gap(&tally, 1, 2, (uint64_t)(10 + more) * MS + 1000, 1000);
        loss = loss_of(&tally);
        assert_int_equal(trace_loss_matters(&loss), more);
    }
}

/* Ticks of 4 ms: some gaps of 1 ms show nothing and some 4 ms. Only more than two ticks tells anything. */
static void a_clock_of_ticks_tells_long_losses_only(void **state)
{
    struct trace_loss_tally tally = {0};
    struct trace_processor_loss loss;
    (void)state;

    for (uint64_t i = 0; i < 400; i++)
        trace_loss_gap(&tally, 0, i + 2, MS, i % 4 == 3 ? 4 * MS : 0);
    loss = loss_of(&tally);
    assert_int_equal(loss.resolution_ns, 4 * MS);
    assert_int_equal(loss.lost_gaps, 0);
    trace_loss_gap(&tally, 0, 402, 100 * MS, 4 * MS);
    loss = loss_of(&tally);
    assert_int_equal(loss.lost_gaps, 1);
    assert_int_equal(loss.lost_ns, 96 * MS);
}

static void one_clock_tells_nothing(void **state)
{
    struct trace_loss_tally tally = {0};
    struct trace_processor_loss loss = loss_of(&tally);
    (void)state;

    assert_int_equal(loss.gaps, 0);
    assert_false(trace_loss_matters(&loss));
    trace_loss_gap(&tally, 0, 2, 100 * MS, 0); /* a CPU clock that stands still is none */
    loss = loss_of(&tally);
    assert_int_equal(loss.gaps, 0);
    assert_false(trace_loss_matters(&loss));
}

/* The classes lose nothing: random gaps, compared with sums gap by gap. */
static void classes_sum_up(void **state)
{
    struct trace_loss_tally tally = {0};
    struct trace_processor_loss loss;
    uint64_t lost = 0, gaps = 0, wall = 0, cpu = 0;
    uint32_t x = 1;
    (void)state;

    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t used, more;
        x = x * 1664525 + 1013904223;
        used = 1 + (x >> 8) % 1000000;
        x = x * 1664525 + 1013904223;
        more = UINT64_C(1) << (x >> 27);
        more += (x >> 3) % more;
        trace_loss_gap(&tally, 0, i, used + more, used);
        wall += used + more;
        cpu += used;
        if (more >= TRACE_LOSS_LEAST_NS) {
            lost += more;
            gaps++;
        }
    }
    loss = loss_of(&tally);
    assert_int_equal(loss.lost_ns, lost);
    assert_int_equal(loss.lost_gaps, gaps);
    assert_int_equal(loss.wall_ns, wall);
    assert_int_equal(loss.cpu_ns, cpu);
    assert_true(gaps > 1000 && gaps < 9000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slice_among_many_gaps_is_found),
        cmocka_unit_test(more_cpu_than_wall_is_no_loss),
        cmocka_unit_test(little_loss_does_not_matter),
        cmocka_unit_test(a_clock_of_ticks_tells_long_losses_only),
        cmocka_unit_test(one_clock_tells_nothing),
        cmocka_unit_test(classes_sum_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
