/* The readable reports: what they say, how they are set, and that strange numbers stay readable. */
#include <config.h>

#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/pages/clean.h"
#include "reports/pages/csv.h"
#include "reports/pages/page.h"
#include "tests/fail-alloc.h"
#include "reports/traces/check.h"
#include "tests/reports/sample.h"

static int write_run(const void *content, FILE *stream, struct base_error *error)
{
    return report_run_text(content, stream, 80, error);
}

static int write_check(const void *content, FILE *stream, struct base_error *error)
{
    return report_check_text(content, stream, 80, error);
}

static int write_info(const void *content, FILE *stream, struct base_error *error)
{
    return report_info_text(content, stream, 80, error);
}

static int write_placement(const void *content, FILE *stream, struct base_error *error)
{
    return report_placement_text(content, stream, 80, error);
}

static void the_answer_comes_first(void **state)
{
    struct report_run run = sample_run();
    char *text = sample_text(write_run, &run, NULL);
    (void)state;

    assert_non_null(text);
    assert_ptr_equal(strstr(text, "Slowdown 1.250: 1.000 us on mesh:2x1, 800 ns on an ideal network.\n"),
                     text);
    assert_contains(text, "The network adds 200 ns; its busiest link, (0,0) X+, is in use for 334 ns.");
    assert_well_set(text, 80);
    free(text);
}

/* Rank-time 2 x 1000 ns: 1300 computed, 100 waited for on any network, 500 for this one, 100 left when rank 0
 * was done. */
static void shares_of_the_time_add_up(void **state)
{
    struct report_run run = sample_run();
    char *text = sample_text(write_run, &run, NULL);
    (void)state;

    assert_contains(text, "computing                65.0 %");
    assert_contains(text, "waiting for other ranks   5.0 %");
    assert_contains(text, "waiting for the network  25.0 %");
    assert_contains(text, "ended before the others   5.0 %");
    free(text);
}

/* 100 packets over one link each with 625 flits need (100 + 625 - 100) / 100 = 6.2 cycles when alone. */
static void latency_is_split(void **state)
{
    struct report_run run = sample_run();
    char *text = sample_text(write_run, &run, NULL);
    (void)state;

    assert_contains(text, "16.2 cycles  on average: 6.2 for distance and length, 10.0");
    assert_contains(text, "10 cycles  median; 99 % within 20, all within 90");
    free(text);
}

static void details_are_there(void **state)
{
    static const char *const parts[] = {"(0,0) X+      50.0 %  334 ns  500 flits",
                                        "alltoallv  scattered      2         2   64 B",
                                        "least",
                                        "waiting     300 ns  rank 0",
                                        "Ranks that wait longest: 1 (300 ns), 0 (300 ns).",
                                        "receive-communicator  4",
                                        "approximated  2  MPI_Alltoallv 2 (scattered, sizes",
                                        "--topology mesh:2x1 --flit-bytes 8 --clock-ghz 1.500000",
                                        "0123456789abcdef0123456789abcdef"};
    struct report_run run = sample_run();
    char *text = sample_text(write_run, &run, NULL);
    (void)state;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_contains(text, parts[i]);
    assert_null(strstr(text, "--strict"));
    free(text);
}

static void no_ideal_time_gives_no_slowdown(void **state)
{
    struct report_run run = sample_run();
    char *text;
    (void)state;

    run.ideal_ns = 0;
    text = sample_text(write_run, &run, NULL);
    assert_ptr_equal(
        strstr(text, "No computing: the ideal network takes 0 ns; 1.000 us simulated on mesh:2x1."), text);
    assert_contains(text, "1.000 us");
    assert_null(strstr(text, " nan"));
    assert_well_set(text, 80);
    free(text);
}

static void nothing_at_all_is_printed_sanely(void **state)
{
    struct report_run run = {
        .trace = "", .trace_format = "", .trace_writer = "", .topology = "ideal:1", .mapping = ""};
    char *text = sample_text(write_run, &run, NULL);
    (void)state;

    assert_well_set(text, 80);
    assert_contains(text, "no records of communication");
    assert_null(strstr(text, " nan"));
    assert_null(strstr(text, "Ranks\n"));
    free(text);
}

static void extreme_numbers_are_printed_sanely(void **state)
{
    struct report_rank ranks[2] = {
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, UINT32_MAX},
        {0, 0, 0, UINT64_MAX, 0, 0, 0}};
    struct report_run run = sample_run();
    char *text;
    (void)state;

    run.rank = ranks;
    run.simulated_ns = run.simulated_cycles = run.messages = run.message_bytes = run.packets = run.flits =
        UINT64_MAX;
    run.packet_hops = run.flit_hops = run.max_latency_cycles = run.p99_latency_cycles = UINT64_MAX;
    run.ideal_ns = 1;
    run.mean_latency_cycles = INFINITY;
    run.mean_hops = NAN;
    run.max_injection_load = 1e300;
    run.mean_dilation = -1e-300;
    text = sample_text(write_run, &run, NULL);
    assert_contains(text, "Slowdown 1.84e+19:");
    assert_contains(text, "18 446 744 073 709 551 615");
    assert_null(strstr(text, " nan"));
    assert_null(strstr(text, " inf"));
    free(text);
}

static void texts_from_a_trace_cannot_move_the_cursor(void **state)
{
    struct report_run run = sample_run();
    char *text;
    (void)state;

    run.trace_writer = "evil\033[2J\b\xff\xc2\x9b\xe2\x82\xac";
    text = sample_text(write_run, &run, NULL);
    assert_contains(text, "evil?[2J?\xef\xbf\xbd?\xe2\x82\xac");
    assert_well_set(text, 80);
    free(text);
}

/* A row for each record, with its share of the time inside all of them, and its algorithms. */
static void coverage_is_told_in_full(void **state)
{
    static const struct report_algorithm algorithms[] = {{"allreduce-ring", 30, 90, 7200},
                                                         {"allreduce-doubling", 1, 3, 24}};
    static const struct report_coverage coverage[] = {
        {"MPI_Send", NULL, REPORT_EXACT, 5, 4104, 600, NULL, 0, true, false},
        {"MPI_Allreduce", "point-to-point messages", REPORT_DECOMPOSED, 31, 248, 300, algorithms, 2, true,
         false},
        {"MPI_Alltoallv", "guessed", REPORT_APPROXIMATED, 3, 64, 100, algorithms, 1, true, false},
        {"MPI_File_open", "no model", REPORT_IGNORED, 1, 0, 0, NULL, 0, true, false}};
    struct report_info info = sample_info();
    char *text;
    (void)state;

    info.coverage = coverage;
    info.coverage_count = 4;
    info.tuning = "mpich";
    text = sample_text(write_info, &info, NULL);
    assert_contains(text, "  exact               5  12.5 %       60.0 %\n"
                          "  decomposed         31  77.5 %       30.0 %\n"
                          "  approximated        3   7.5 %       10.0 %\n"
                          "  ignored             1   2.5 %        0.0 %\n");
    assert_contains(text, "MPI_Send        5  4.0 KiB    60.0 %\n");
    assert_contains(text, "(--collectives mpich)\n");
    assert_contains(text, "MPI_Allreduce       31  248 B    30.0 %  30 calls: allreduce-ring\n"
                          "                                           1 call: allreduce-doubling\n");
    assert_contains(text, "10.0 %  guessed\n");
    assert_contains(text, "  allreduce-ring\n\nIgnored: not replayed\n");
    assert_contains(text, "MPI_File_open        1    0 B     0.0 %  no model\n");
    free(text);
}

/* Three of four are shown, after the verdict and the place of each. */
static void a_check_says_what_is_wrong(void **state)
{
    static const struct report_defect defects[] = {
        {"clock-violation", REPORT_NOTE, 1, 7, 1500, "MPI_Recv", NULL, "too early"},
        {"unmatched-send", REPORT_FAULT, 3, 0, UINT64_MAX, NULL, NULL, "one"},
        {"unmatched-send", REPORT_FAULT, 3, 9, UINT64_MAX, NULL, NULL, "two"},
        {"unmatched-send", REPORT_FAULT, 3, 11, 2, "MPI_Send", "solve", "three"},
        {"unmatched-send", REPORT_FAULT, 3, 12, 2, "MPI_Send", NULL, "four"},
        {"oversubscribed", REPORT_WARNING, UINT32_MAX, 0, UINT64_MAX, NULL, NULL, "cores were shared"}};
    static const struct report_defect_kind kinds[] = {{"clock-violation", REPORT_NOTE, 12},
                                                      {"unmatched-send", REPORT_FAULT, 1234},
                                                      {"oversubscribed", REPORT_WARNING, 1}};
    struct report_check check = {.trace = "traces/two.otf2",
                                 .format = "otf2",
                                 .writer = "hand",
                                 .ranks = 4,
                                 .events = 40,
                                 .one_clock = true,
                                 .unfaithful = 1,
                                 .kinds = kinds,
                                 .kind_count = 3,
                                 .defects = defects,
                                 .defect_count = 6};
    char *text = sample_text(write_check, &check, NULL);
    (void)state;

    assert_int_equal(strncmp(text, "Damaged: 1 234 faults.", 22), 0);
    assert_contains(text, "4 ranks, recorded by hand (otf2): 40 events.\n");
    assert_contains(text,
                    "cannot be replayed as it is\n  unmatched-send: 1 234\n    rank 3: one\n"
                    "    rank 3, event 9: two\n    rank 3, event 11, at 2 ns, MPI_Send, region solve: three\n"
                    "    ... (--json has more)\n");
    assert_null(strstr(text, "four"));
    assert_contains(text, "\n\nWarnings: a replay is affected\n  oversubscribed: 1\n    cores were shared\n");
    assert_contains(text, "rank 1, event 7, at 1.500 us, MPI_Recv: too early\n");
    assert_contains(text, "1 record of the trace is approximated");
    assert_contains(text, "The trace has one clock");
    assert_contains(text, "clocks of the ranks are unrelated");
    assert_null(strstr(text, "No defect has a region"));
    free(text);

    check.kinds += 2;
    check.kind_count = 1;
    check.no_regions = "they are not recorded";
    text = sample_text(write_check, &check, NULL);
    assert_contains(text, "No defect has a region: they are not recorded.\n");
    assert_int_equal(strncmp(text, "Doubtful: 1 warning.", 20), 0);
    free(text);
    check.kind_count = 0;
    check.one_clock = false;
    check.common_clock = true;
    check.unfaithful = 0;
    check.defect_count = 0; /* then nobody looks for a region */
    text = sample_text(write_check, &check, NULL);
    assert_int_equal(strncmp(text, "Sound: nothing wrong was found.\n", 32), 0);
    assert_null(strstr(text, "Besides"));
    free(text);
}

static void info_says_what_is_there(void **state)
{
    struct report_info info = sample_info();
    char *text = sample_text(write_info, &info, NULL);
    (void)state;

    assert_contains(text, "2 ranks, recorded by hand (otf2): 40 events.");
    assert_contains(
        text, "They send 5 messages of 4.0 KiB in total point to point, and call collectives 6\ntimes.");
    assert_contains(text, "between MPI calls  3.000 us  75.0 %");
    assert_contains(text, "MPI_COMM_WORLD      2  barrier        4    0 B");
    assert_contains(text, "allreduce      2   16 B");
    assert_contains(text, "missing-completion  3  A wait has no completion record.");
    assert_well_set(text, 80);
    free(text);
}

static void placement_says_what_it_costs(void **state)
{
    struct report_placement placement = sample_placement();
    char *text = sample_text(write_placement, &placement, NULL);
    (void)state;

    assert_contains(text, "Mapping random of 2 ranks to the 2 terminals of mesh:2x1.");
    assert_contains(text, "hop-bytes          8.0 KiB   4.0 KiB");
    assert_contains(text, "busiest channel    8.0 KiB   4.0 KiB");
    assert_well_set(text, 80);
    placement.cost.max_channel_load_bytes = NAN;
    free(text);
    text = sample_text(write_placement, &placement, NULL);
    assert_contains(text, "busiest channel    8.0 KiB         -");
    free(text);
}

static int write_table(const void *content, FILE *stream, struct base_error *error)
{
    struct report_page page;
    (void)content;

    report_page_begin(&page, stream, 0); /* narrower than any page: 60 */
    report_page_table(&page, "lrl");
    report_page_cell(&page, "a");
    report_page_cell(&page, "1");
    report_page_cell(&page, "words that need more than one line of the page, since it has sixty columns");
    report_page_cell(&page, "\xc3\xa4\xc3\xa4");
    report_page_cell(&page, "22");
    report_page_cell(&page, "%s", "");
    report_page_table_end(&page);
    return report_page_finish(&page, error);
}

static void tables_are_aligned_and_wrapped(void **state)
{
    char *text = sample_text(write_table, NULL, NULL);
    (void)state;

    assert_string_equal(text, "  a    1  words that need more than one line of the page,\n"
                              "          since it has sixty columns\n"
                              "  \xc3\xa4\xc3\xa4  22\n");
    free(text);
}

static int write_paragraph(const void *content, FILE *stream, struct base_error *error)
{
    struct report_page page;

    report_page_begin(&page, stream, 60);
    report_page_paragraph(&page, 0, "%s", (const char *)content);
    return report_page_finish(&page, error);
}

/* Of 60 columns, 50 are filler: what must stay together goes to the next line as a whole. */
static void numbers_stay_together(void **state)
{
    static const char *const pieces[][2] = {{"of 1 234 567 flits", "\nof 1 234 567 flits\n"},
                                            {"has 4.0 KiB, and", "\nhas 4.0 KiB, and\n"},
                                            {"MPI_Send 15, b", "\nMPI_Send 15, b\n"},
                                            {"are 12.5 % of", "\nare 12.5 % of\n"},
                                            {"a --seed 1 --x", " a\n--seed 1 --x\n"}};
    (void)state;

    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char content[128], expected[128];
        char *text;
        snprintf(content, sizeof content, "%050d %s", 0, pieces[i][0]);
        snprintf(expected, sizeof expected, "%050d%s", 0, pieces[i][1]);
        text = sample_text(write_paragraph, content, NULL);
        assert_string_equal(text, expected);
        free(text);
    }
}

static void numbers_for_people(void **state)
{
    char text[REPORT_NUMBER_TEXT];
    (void)state;

    assert_string_equal(report_page_share(0.1234, text), "12.3 %");
    assert_string_equal(report_page_share(NAN, text), "-");
    assert_string_equal(report_page_share(-0.0004, text), "0.0 %"); /* what rounds to nothing has no sign */
    assert_string_equal(report_page_share(-0.0006, text), "-0.1 %");
    assert_string_equal(report_page_real(-0.3, 0, text), "0");
    assert_string_equal(report_page_share(1e300, text), "1e+302 %");
    assert_string_equal(report_page_real(2.5, 2, text), "2.50");
    assert_string_equal(report_page_amount(999.94, text), "999.9");
    assert_string_equal(report_page_amount(194890.2, text), "194 890");
    assert_string_equal(report_page_amount(1e300, text), "1e+300");
    assert_string_equal(report_page_real(-INFINITY, 2, text), "-");
}

static void utf8_is_known(void **state)
{
    static const char *const bad[] = {"\x80",         "\xc0\x80",         "\xc3", "\xe0\x80\x80",
                                      "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5", "\xe2\x82"};
    char clean[64];
    (void)state;

    assert_true(report_clean_is_valid("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(report_clean_is_valid(bad[i]));
        assert_true(report_clean_is_valid(report_clean_utf8(bad[i], clean)));
        assert_true(strlen(clean) < report_clean_room(bad[i]));
    }
    assert_int_equal(report_clean_columns("a\xc3\xa4\xe2\x82\xac"), 3);
}

/* What would turn a terminal's line round, or break it, is told by its number; neighbours in Unicode stay. */
static void directions_are_shown(void **state)
{
    static const char *const turned[][2] = {{"\xd8\x9c", "<U+061C>"},     {"\xe2\x80\x8e", "<U+200E>"},
                                            {"\xe2\x80\xa8", "<U+2028>"}, {"\xe2\x80\xae", "<U+202E>"},
                                            {"\xe2\x81\xa6", "<U+2066>"}, {"\xe2\x81\xa9", "<U+2069>"}};
    static const char *const kept[] = {"\xd8\x9b", "\xe2\x80\x8d", "\xe2\x80\xa7", "\xe2\x80\xaf",
                                       "\xe2\x81\xaa"};
    char clean[64];
    (void)state;

    for (size_t i = 0; i < sizeof turned / sizeof *turned; i++) {
        assert_string_equal(report_clean_printable(turned[i][0], clean), turned[i][1]);
        assert_true(strlen(clean) < report_clean_room(turned[i][0]));
        assert_string_equal(report_clean_utf8(turned[i][0], clean), turned[i][0]);
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_string_equal(report_clean_printable(kept[i], clean), kept[i]);
}

/* Formulas of spreadsheets are made text; numbers, and signs that are not in front, stay. */
static void cells_are_no_formulas(void **state)
{
    static const char *const cells[] = {"=1+1",    "+cmd", "-2+3", "@SUM(A1)", "=a,\"b\"",
                                        "-2.5e-3", "+7",   "a=b",  ""};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    (void)state;

    assert_non_null(stream);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        report_csv_text(stream, cells[i]);
        fputc('|', stream);
    }
    fclose(stream);
    assert_string_equal(text, "'=1+1|'+cmd|'-2+3|'@SUM(A1)|\"'=a,\"\"b\"\"\"|-2.5e-3|+7|a=b||");
    free(text);
}

static void percentiles_are_nearest_ranks(void **state)
{
    static const struct report_latency latencies[] = {{10, 50}, {20, 49}, {90, 1}};
    static const struct report_latency huge[] = {{1, UINT64_MAX / 2}, {2, UINT64_MAX / 2}};
    (void)state;

    assert_int_equal(report_latency_percentile(latencies, 3, 50), 10);
    assert_int_equal(report_latency_percentile(latencies, 3, 51), 20);
    assert_int_equal(report_latency_percentile(latencies, 3, 99), 20);
    assert_int_equal(report_latency_percentile(latencies, 3, 100), 90);
    assert_int_equal(report_latency_percentile(latencies, 1, 1), 10);
    assert_int_equal(report_latency_percentile(latencies, 0, 50), 0);
    assert_int_equal(report_latency_percentile(huge, 2, 50), 1);
    assert_int_equal(report_latency_percentile(huge, 2, 99), 2);
}

static void a_full_disk_is_told(void **state)
{
    struct report_run run = sample_run();
    struct base_error error = {0};
    FILE *full = fopen("/dev/full", "w");
    (void)state;

    if (full == NULL)
        suite_skip("no /dev/full here");
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(report_run_text(&run, full, 80, &error), -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    fclose(full);
}

/* The stream is the caller's: made before the allocations that fail. */
static int attempt_all(void *state)
{
    struct report_run run = sample_run();
    struct report_info info = sample_info();
    struct report_placement placement = sample_placement();
    FILE *stream = state;

    return report_run_text(&run, stream, 80, NULL) == 0 && report_info_text(&info, stream, 80, NULL) == 0 &&
                   report_placement_text(&placement, stream, 80, NULL) == 0
               ? 0
               : -1;
}

static void every_failed_allocation_is_told(void **state)
{
    FILE *stream = fopen("/dev/null", "w");
    (void)state;

    assert_non_null(stream);
    assert_true(fail_alloc_each(attempt_all, stream) > 3);
    fclose(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_comes_first),
        cmocka_unit_test(shares_of_the_time_add_up),
        cmocka_unit_test(latency_is_split),
        cmocka_unit_test(details_are_there),
        cmocka_unit_test(no_ideal_time_gives_no_slowdown),
        cmocka_unit_test(nothing_at_all_is_printed_sanely),
        cmocka_unit_test(extreme_numbers_are_printed_sanely),
        cmocka_unit_test(texts_from_a_trace_cannot_move_the_cursor),
        cmocka_unit_test(coverage_is_told_in_full),
        cmocka_unit_test(a_check_says_what_is_wrong),
        cmocka_unit_test(info_says_what_is_there),
        cmocka_unit_test(placement_says_what_it_costs),
        cmocka_unit_test(tables_are_aligned_and_wrapped),
        cmocka_unit_test(numbers_stay_together),
        cmocka_unit_test(numbers_for_people),
        cmocka_unit_test(utf8_is_known),
        cmocka_unit_test(directions_are_shown),
        cmocka_unit_test(cells_are_no_formulas),
        cmocka_unit_test(percentiles_are_nearest_ranks),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
