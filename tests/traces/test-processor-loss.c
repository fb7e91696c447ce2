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

/* Ticks of 4 ms and gaps of 10 ms: none shows nothing, and each is wrong by a part of a tick. */
static void a_clock_of_ticks_need_not_show_zeros(void **state)
{
    struct trace_loss_tally tally = {0};
    struct trace_processor_loss loss;
    uint64_t now = 0;
    (void)state;

    for (uint64_t i = 0; i < 400; i++) {
        uint64_t before = now / (4 * MS);
        now += 10 * MS;
        trace_loss_gap(&tally, 0, i + 2, 10 * MS, (now / (4 * MS) - before) * 4 * MS);
        trace_loss_call(&tally, 1000, i == 7 ? 4 * MS : 0);
    }
    loss = loss_of(&tally);
    assert_int_equal(loss.resolution_ns, 4 * MS);
    assert_int_equal(loss.lost_gaps, 0);
    assert_int_equal(trace_loss_cure(&loss), TRACE_CURE_CPU);
}

/* Half of each gap of 2 ms is lost, which ticks of 4 ms do not show in any of them. */
static void ticks_tell_losses_by_their_sum(void **state)
{
    (void)state;

    for (uint64_t gaps = 10; gaps <= 1000; gaps *= 100) {
        struct trace_loss_tally tally = {0};
        struct trace_processor_loss loss;
        for (uint64_t i = 0; i < gaps; i++)
            trace_loss_gap(&tally, 0, i + 2, 2 * MS, i % 4 == 3 ? 4 * MS : 0);
        loss = loss_of(&tally);
        assert_int_equal(trace_loss_matters(&loss), gaps == 1000); /* ten gaps may do so by chance */
        assert_int_equal(loss.lost_gaps, gaps == 1000 ? 750 : 0);
        assert_true(loss.lost_ns < gaps * MS);
        if (gaps == 1000)
            assert_true(loss.lost_ns > gaps * MS / 2);
    }
}

/* Each of many ranks is interrupted by the system for less than a hundredth of its time; all together are
 * more than any of them computes. One that is stopped among them counts, and it alone. */
static void the_work_of_the_system_is_none_of_others(void **state)
{
    (void)state;

    for (int stopped = 0; stopped < 2; stopped++) {
        struct trace_loss_tally tally = {0};
        struct trace_processor_loss loss;
        for (uint32_t rank = 0; rank < 1000; rank++) {
            for (uint64_t i = 0; i < 100; i++)
                trace_loss_gap(&tally, rank, i + 2, MS + i + (i % 10 == 0 ? 50000 : 123), MS + i);
            if (stopped && rank == 500)
                trace_loss_gap(&tally, rank, 102, 60 * MS, MS);
            trace_loss_end_rank(&tally);
        }
        loss = trace_loss_of(&tally);
        assert_int_equal(loss.lost_ranks, stopped);
        assert_int_equal(trace_loss_matters(&loss), stopped);
        if (stopped) {
            assert_int_equal(loss.lost_gaps, 11);
            assert_int_equal(loss.longest.rank, 500);
        }
    }
}

/* Ranks that read files between calls, and poll inside calls: busy tells that they have their processors. */
static void waits_for_files_are_no_sharing(void **state)
{
    (void)state;

    for (int busy = 0; busy < 2; busy++) {
        struct trace_loss_tally tally = {0};
        struct trace_processor_loss loss;
        for (uint32_t rank = 0; rank < 2; rank++) {
            trace_loss_gap(&tally, rank, 2, 50 * MS, MS);
            for (uint64_t i = 0; i < 100; i++) {
                trace_loss_gap(&tally, rank, i + 3, MS, MS);
                trace_loss_call(&tally, MS + 20, busy ? MS : MS / 3);
            }
            trace_loss_end_rank(&tally);
        }
        loss = trace_loss_of(&tally);
        assert_int_equal(loss.lost_ns, 98 * MS);
        assert_int_equal(loss.call_ns, 200 * (MS + 20));
        assert_int_equal(loss.call_lost_ns, busy ? 0 : 200 * (MS + 20 - MS / 3));
        assert_true(trace_loss_is_large(&loss));
        assert_int_equal(trace_loss_matters(&loss), !busy);
    }
}

/* Where calls are too short to tell, the gaps do. */
static void short_calls_tell_nothing(void **state)
{
    struct trace_loss_tally tally = {0};
    struct trace_processor_loss loss;
    (void)state;

    trace_loss_gap(&tally, 0, 2, 50 * MS, 10 * MS + 1);
    trace_loss_call(&tally, MS, MS);
    loss = loss_of(&tally);
    assert_true(trace_loss_matters(&loss));
    assert_int_equal(trace_loss_cure(&loss), TRACE_CURE_EITHER);
    assert_string_equal(trace_loss_cure_text(trace_loss_cure(&loss)), "--clock cpu (or min)");
}

/* CPU time of threads adds up, and is not what a rank computes for. */
static void threads_need_the_lesser_clock(void **state)
{
    struct trace_loss_tally tally = {0};
    struct trace_processor_loss loss;
    (void)state;

    for (uint64_t i = 0; i < 10; i++) {
        trace_loss_gap(&tally, 0, 2 * i + 2, MS + i, 4 * MS);
        trace_loss_gap(&tally, 0, 2 * i + 3, 10 * MS, MS + i * 7);
    }
    loss = loss_of(&tally);
    assert_true(trace_loss_matters(&loss)); /* although CPU and wall time differ little in sum */
    assert_int_equal(trace_loss_cure(&loss), TRACE_CURE_MIN);
    assert_string_equal(trace_loss_cure_text(trace_loss_cure(&loss)), "--clock min");
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
        cmocka_unit_test(a_clock_of_ticks_need_not_show_zeros),
        cmocka_unit_test(ticks_tell_losses_by_their_sum),
        cmocka_unit_test(the_work_of_the_system_is_none_of_others),
        cmocka_unit_test(waits_for_files_are_no_sharing),
        cmocka_unit_test(short_calls_tell_nothing),
        cmocka_unit_test(threads_need_the_lesser_clock),
        cmocka_unit_test(one_clock_tells_nothing),
        cmocka_unit_test(classes_sum_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
