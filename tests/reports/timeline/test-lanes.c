/* The lanes of a timeline: every nanosecond of every interval is in exactly one column, whatever the lengths;
 * few intervals and messages are kept, many are not; and what is drawn is as long as what was. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "reports/run/picture.h"
#include "reports/timeline/lanes.h"
#include "tests/reports/sample.h"
#include "tests/reports/well-formed.h"

/* The slow way: nanosecond by nanosecond, the column is the last that begins by then. */
static uint64_t slow_sum(const struct report_lanes *lanes, uint32_t column, uint64_t begin, uint64_t end)
{
    uint64_t sum = 0;
    for (uint64_t ns = begin; ns < end; ns++)
        sum += ns >= report_lanes_column_ns(lanes, column) && ns < report_lanes_column_ns(lanes, column + 1);
    return sum;
}

static void columns_are_exact(void **state)
{
    /* Fewer nanoseconds than columns, about as many, a prime number, more. */
    static const uint64_t ends[] = {1, 5, 703, 704, 705, 1009, 4999};
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct report_lanes *lanes = report_lanes_new(3, ends[i]);
        uint64_t begin = ends[i] / 3, end = ends[i] - ends[i] / 7;
        assert_non_null(lanes);
        assert_int_equal(report_lanes_column_ns(lanes, 0), 0);
        assert_int_equal(report_lanes_column_ns(lanes, lanes->columns), ends[i]);
        report_lanes_add(lanes, &(struct report_lane_interval){.rank = 2,
                                                               .state = REPORT_LANE_SENDING,
                                                               .begin_ns = begin,
                                                               .end_ns = end,
                                                               .name = "MPI_Send"});
        for (uint32_t column = 0; column < lanes->columns; column++) {
            const uint64_t *ns = report_lanes_column(lanes, 2, column);
            assert_int_equal(ns[REPORT_LANE_SENDING], slow_sum(lanes, column, begin, end));
            assert_int_equal(ns[REPORT_LANE_COMPUTING], 0);
            assert_int_equal(report_lanes_column(lanes, 1, column)[REPORT_LANE_SENDING], 0);
        }
        report_lanes_free(lanes);
    }
}

/* Long times (a product beyond 64 bits), and lanes of several ranks. */
static void sums_are_exact(void **state)
{
    static const uint32_t sizes[] = {1, 16, 17, 64, 65, 128, 129, 1024, 5000};
    const uint64_t end = UINT64_C(9000000000000000001);
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct report_lanes *lanes = report_lanes_new(sizes[i], end);
        uint64_t at = 0;
        uint64_t expected[REPORT_LANE_STATES] = {0}, found[REPORT_LANE_STATES] = {0};
        assert_non_null(lanes);
        assert_true(lanes->lanes <= 128 && lanes->lanes * lanes->ranks_per_lane >= sizes[i]);
        assert_true((lanes->lanes - 1) * lanes->ranks_per_lane < sizes[i]);
        assert_int_equal(lanes->columns % lanes->segments, 0);
        for (unsigned n = 0; n < 40; n++) {
            uint64_t next = at + base_hash(sizes[i], n) % (end / 40);
            report_lanes_add(lanes, &(struct report_lane_interval){.rank = sizes[i] - 1,
                                                                   .state = n % REPORT_LANE_STATES,
                                                                   .begin_ns = at,
                                                                   .end_ns = next,
                                                                   .name = ""});
            expected[n % REPORT_LANE_STATES] += next - at;
            at = next;
        }
        for (uint32_t column = 0; column < lanes->columns; column++)
            for (unsigned s = 0; s < REPORT_LANE_STATES; s++)
                found[s] += report_lanes_column(lanes, lanes->lanes - 1, column)[s];
        assert_memory_equal(found, expected, sizeof found);
        report_lanes_free(lanes);
    }
}

/* One more than there is room for, and there are none rather than some. */
static void many_are_not_kept(void **state)
{
    struct report_lanes *lanes = report_lanes_new(2, 100000), *shared = report_lanes_new(1024, 100000);
    (void)state;
    assert_non_null(lanes);
    assert_non_null(shared);
    for (uint64_t i = 0; i < REPORT_LANE_INTERVALS_MOST; i++)
        report_lanes_add(lanes, &(struct report_lane_interval){.rank = 0,
                                                               .state = REPORT_LANE_COMPUTING,
                                                               .begin_ns = i,
                                                               .end_ns = i + 1,
                                                               .name = "computing"});
    report_lanes_add(
        lanes, &(struct report_lane_interval){
                   .rank = 0, .state = REPORT_LANE_COMPUTING, .begin_ns = 9, .end_ns = 9, .name = "nothing"});
    assert_true(lanes->has_intervals);
    assert_int_equal(lanes->interval_count, REPORT_LANE_INTERVALS_MOST);
    report_lanes_add(
        lanes,
        &(struct report_lane_interval){
            .rank = 1, .state = REPORT_LANE_COMPUTING, .begin_ns = 0, .end_ns = 1, .name = "computing"});
    assert_false(lanes->has_intervals);
    assert_int_equal(lanes->interval_count, 0);
    assert_false(shared->has_intervals);
    for (unsigned i = 0; i <= REPORT_LANE_MESSAGES_MOST; i++)
        report_lanes_add_message(lanes, &(struct report_lane_message){.end_ns = 1});
    assert_int_equal(lanes->message_count, REPORT_LANE_MESSAGES_MOST);
    report_lanes_add_message(shared, &(struct report_lane_message){.end_ns = 1});
    assert_int_equal(shared->message_count, 0);
    report_lanes_free(lanes);
    report_lanes_free(shared);
}

/* The picture for the caller to free. */
static char *picture_of(struct report_run *run)
{
    const struct report_run_view view = {run, NULL};
    struct base_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    if (report_run_svg(report_run_picture_find("timeline", &error), &view, stream, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(fclose(stream), 0);
    expect_well_formed(text);
    return text;
}

/* 1000 ns are 7040 tenths of a pixel from 1060 on; a computation is three fifths as high as a call. */
static void boxes_are_as_long_as_intervals(void **state)
{
    struct report_run run = sample_run();
    struct report_lanes *lanes = report_lanes_new(2, 1000);
    char *picture;
    (void)state;
    assert_non_null(lanes);
    report_lanes_add(
        lanes,
        &(struct report_lane_interval){
            .rank = 0, .state = REPORT_LANE_COMPUTING, .begin_ns = 0, .end_ns = 500, .name = "computing"});
    report_lanes_add(lanes, &(struct report_lane_interval){.rank = 1,
                                                           .state = REPORT_LANE_RECEIVING,
                                                           .begin_ns = 250,
                                                           .end_ns = 1000,
                                                           .name = "MPI_Recv",
                                                           .network_ns = 300,
                                                           .bytes = 64,
                                                           .has_bytes = true});
    report_lanes_add_message(lanes, &(struct report_lane_message){0, 1, 500, 1000, 64});
    lanes->messages = 3;
    run.lanes = lanes;
    picture = picture_of(&run);
    assert_contains(picture, "<title>rank 0, computing: 0 to 500 ns, 500 ns long</title>\n"
                             "<rect x=\"1060\" y=\"1688\" width=\"3520\" height=\"144\" fill=\"#009e73\"/>");
    assert_contains(picture, "<title>rank 1, MPI_Recv of 64 bytes: 250 to 1 000 ns, 750 ns long: 450 ns for "
                             "others, 300 ns for messages on their way</title>\n"
                             "<rect x=\"2820\" y=\"1920\" width=\"3168\" height=\"240\" fill=\"#e69f00\"/>\n"
                             "<rect x=\"5988\" y=\"1920\" width=\"2112\" height=\"240\" fill=\"#b84c00\"/>");
    assert_contains(picture, "<title>64 bytes from rank 0 to rank 1, 500 to 1 000 ns</title>");
    assert_contains(picture, "M4580 1760l3520 280");
    assert_contains(picture, "2 of 3 are left out");
    free(picture);
    report_lanes_free(lanes);
}

/* A fifth, a half and three tenths of each column: 48, 120 and 72 tenths of a pixel; joined where all is one. */
static void columns_are_shares(void **state)
{
    struct report_run run = sample_run();
    struct report_lanes *lanes = report_lanes_new(1, 7040);
    char *picture;
    (void)state;
    assert_non_null(lanes);
    lanes->has_intervals = false;
    for (uint64_t column = 0; column < 11; column++) {
        uint64_t ns = column * 10;
        report_lanes_add(
            lanes,
            &(struct report_lane_interval){
                .rank = 0, .state = REPORT_LANE_COMPUTING, .begin_ns = ns, .end_ns = ns + 2, .name = ""});
        report_lanes_add(
            lanes,
            &(struct report_lane_interval){
                .rank = 0, .state = REPORT_LANE_SENDING, .begin_ns = ns + 2, .end_ns = ns + 7, .name = ""});
        report_lanes_add(lanes, &(struct report_lane_interval){.rank = 0,
                                                               .state = REPORT_LANE_COLLECTIVE,
                                                               .begin_ns = ns + 7,
                                                               .end_ns = ns + 10,
                                                               .name = ""});
    }
    report_lanes_add(lanes, &(struct report_lane_interval){.rank = 0,
                                                           .state = REPORT_LANE_RECEIVING,
                                                           .begin_ns = 110,
                                                           .end_ns = 220,
                                                           .name = "",
                                                           .network_ns = 20});
    run.lanes = lanes;
    picture = picture_of(&run);
    assert_contains(picture, "<title>rank 0, 0 to 110 ns: computing 22 ns, for others in sends 55 ns, for "
                             "others in collectives 33 ns</title>");
    assert_contains(picture, "M1060 1832h10v48h-10z"); /* computing, the lowest fifth */
    assert_contains(picture, "M1060 1712h10v120h-10z");
    assert_contains(picture, "M1060 1640h10v72h-10z");
    assert_contains(picture, "<title>rank 0, 110 to 220 ns: for others in receives and waits 90 ns, for "
                             "messages on their way 20 ns</title>");
    assert_contains(picture, "d=\"M1170 1640h90v240h-90z\"");
    assert_null(strstr(picture, "point-to-point messages"));
    free(picture);
    report_lanes_free(lanes);
}

/* Pixels of 10 ns below two lanes: two steps that follow each other, a part of one, and another time. */
static void stops_are_a_strip(void **state)
{
    static const struct report_lane_stop stops[] = {{100, 120, 4}, {120, 125, 16}, {3000, 3010, 2}};
    struct report_run run = sample_run();
    struct report_lanes *lanes = report_lanes_new(2, 7040);
    char *picture;
    (void)state;
    assert_non_null(lanes);
    run.lanes = lanes;
    picture = picture_of(&run);
    assert_null(strstr(picture, "stopped"));
    free(picture);
    lanes->stop = calloc(3, sizeof *lanes->stop);
    assert_non_null(lanes->stop);
    memcpy(lanes->stop, stops, sizeof stops);
    lanes->stop_count = 3;
    lanes->routers = 64;
    picture = picture_of(&run);
    assert_contains(picture, "routers stopped by faults (16 of 64 at most)");
    assert_contains(picture, "<title>100 to 125 ns: up to 16 of 64 routers stopped</title>\n"
                             "<path fill=\"#9b4f96\" d=\"M1160 2450h10v50h-10zM1170 2450h10v50h-10zM1180 "
                             "2300h10v200h-10z\"/>");
    assert_contains(picture, "<title>3 000 to 3 010 ns: up to 2 of 64 routers stopped</title>\n"
                             "<path fill=\"#9b4f96\" d=\"M4060 2475h10v25h-10z\"/>");
    free(picture);
    report_lanes_free(lanes);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    struct report_run run = sample_run();
    const struct report_run_view view = {&run, NULL};
    struct base_error error = {0};
    const struct report_run_picture *picture = report_run_picture_find("timeline", &error);
    (void)state;
    assert_int_equal(report_run_svg(picture, &view, stdout, &error), -1);
    assert_contains(error.text, "the execution was not recorded");
    run.is_partial = true;
    assert_int_equal(report_run_svg(picture, &view, stdout, &error), -1);
    assert_contains(error.text, "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_exact),
                                       cmocka_unit_test(sums_are_exact),
                                       cmocka_unit_test(many_are_not_kept),
                                       cmocka_unit_test(boxes_are_as_long_as_intervals),
                                       cmocka_unit_test(columns_are_shares),
                                       cmocka_unit_test(stops_are_a_strip),
                                       cmocka_unit_test(what_cannot_be_drawn_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
