/* HTML reports: well-formed whatever a trace puts into them, complete, and nothing in them that runs or
 * loads. */
#include <config.h>

#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/pages/clean.h"
#include "reports/drawing/palette.h"
#include "reports/run/picture.h"
#include "tests/fail-alloc.h"
#include "tests/reports/sample.h"
#include "tests/reports/well-formed.h"

/* What a name in a trace may be: markup, quotes, bytes that are no UTF-8, controls, an arrow that turns the
 * direction of writing around, a character that XML does not have. */
static const char hostile[] =
    "<script>alert(\"1\")</script>'&amp;\xff\xc0\xaf\x1b[31m\x7f\xe2\x80\xae\xef\xbf\xbf";

static struct net_topology *topology_of(const char *text)
{
    struct net_topology *topology = net_topology_new(text, NULL);
    assert_non_null(topology);
    return topology;
}

/* The document for the caller to free. */
static char *page_of(const struct report_run *run, const char *network)
{
    struct net_topology *topology = topology_of(network);
    struct base_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    if (report_run_html(run, topology, stream, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(strlen(text), size);
    net_topology_free(topology);
    return text;
}

static void markup_is_escaped(void **state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    (void)state;

    report_clean_markup(stream, hostile, SIZE_MAX);
    report_clean_markup(stream, "|\xc3\xa4\xc3\xb6\xc3\xbc", 3);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;amp;"
                              "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd?[31m??\xef\xbf\xbd"
                              "|\xc3\xa4\xc3\xb6\xe2\x80\xa6");
    free(text);
}

/* Score-P's archives have one name, by which none is known; a generator's parameters may look like a path. */
static void traces_are_known_by_a_name(void **state)
{
    static const char *const names[][2] = {{"/home/runs/cg.A.64/traces.otf2", "cg.A.64"},
                                           {"cg.A.64/traces.otf2", "cg.A.64"},
                                           {"traces.otf2", "traces.otf2"},
                                           {"/traces.otf2", "traces.otf2"},
                                           {"./traces.otf2", "traces.otf2"},
                                           {"../traces.otf2", "traces.otf2"},
                                           {"runs//cg.A.64//traces.otf2", "cg.A.64"},
                                           {"dumpi/mg.A.64///", "mg.A.64"},
                                           {"ring.goal", "ring.goal"},
                                           {"eztrace/is_trace.otf2", "is_trace.otf2"},
                                           {"generate:ring,ranks=4", "generate:ring,ranks=4"},
                                           {"generate:cg,file=a/b", "generate:cg,file=a/b"},
                                           {"", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[64];
        int bytes;
        const char *name = report_trace_name(names[i][0], &bytes);
        snprintf(text, sizeof text, "%.*s", bytes, name);
        assert_string_equal(text, names[i][1]);
    }
}

static void a_page_holds_the_report(void **state)
{
    static const char *const parts[] = {"Slowdown 1.250: 1.000 us on mesh:2x1",
                                        "<h2 id=\"section-1\">Where the ranks spend their time</h2>",
                                        "waiting for the network",
                                        "25.0 %",
                                        "MPI_Alltoallv",
                                        "<span class=\"n\">--clock-ghz</span> 1.500000",
                                        "0123456789abcdef0123456789abcdef",
                                        "Channel load on mesh:2x1",
                                        "prefers-color-scheme:dark",
                                        "@media print"};
    struct report_run run = sample_run();
    char *page = page_of(&run, "mesh:2x1");
    (void)state;

    expect_well_formed(page);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_contains(page, parts[i]);
    assert_int_equal(occurrences(page, "<h2"), occurrences(page, "<li>"));
    assert_int_equal(occurrences(page, "<section"), occurrences(page, "<h2") + 1);
    free(page);
}

/* Nothing that a browser would fetch or run. */
static void nothing_is_loaded(void **state)
{
    static const char *const words[] = {"http:", "https:", "src=", "@import", "url(", " on", "javascript:"};
    struct report_run run = sample_run();
    char *page = page_of(&run, "mesh:2x1");
    char *found;
    (void)state;

    /* The name of the format is written like an address and is none. */
    while ((found = strstr(page, "xmlns=\"http://www.w3.org/2000/svg\"")) != NULL)
        memset(found, ' ', strlen("xmlns=\"http:"));
    assert_contains(page, "default-src 'none'");
    /* One script, whose hash the policy has. */
    assert_int_equal(occurrences(page, "<script"), 1);
    assert_int_equal(occurrences(page, "script-src 'sha256-"), 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = page; (at = strstr(at, words[i])) != NULL; at++) {
            const char *inside = at;
            /* " on…=" matters in a tag only. */
            while (inside > page && *inside != '<' && *inside != '>')
                inside--;
            if (words[i][0] != ' ' || (*inside == '<' && strchr(at, '=') < strchr(at, '>')))
                fail_msg("the page has '%.40s'", at);
        }
    free(page);
}

static void a_trace_cannot_write_into_a_page(void **state)
{
    struct report_run run = sample_run();
    static char long_name[10001];
    struct report_collective collectives[] = {{hostile, long_name, 2, 2, 64, false, 0, 0}};
    struct report_waiting waiting[] = {{long_name, {1, 2, 3, 4, 5, 6}}, {hostile, {1, 2, 3, 4, 5, 6}}};
    struct report_attribution attribution = {
        .simulated_ns = {800, 800, 810, 820, 830, 840, 1000}, .regions = waiting, .region_count = 2};
    char *page;
    (void)state;

    memset(long_name, '<', sizeof long_name - 1);
    run.trace = run.trace_writer = run.mapping = hostile;
    run.topology = hostile;
    run.collectives = collectives;
    run.attribution = &attribution;
    page = page_of(&run, "mesh:2x1");
    expect_well_formed(page);
    assert_int_equal(occurrences(page, "<script"), 1);
    assert_true(report_clean_is_valid(page));
    assert_true(strlen(page) < 100000);
    free(page);
}

static void an_ideal_network_has_no_channels(void **state)
{
    struct report_run run = sample_run();
    struct net_topology *topology = topology_of("ideal:2");
    const struct report_run_view view = {&run, topology};
    struct base_error error = {0};
    char *page;
    (void)state;

    run.routing = NULL;
    run.link_carried = NULL;
    page = page_of(&run, "ideal:2");
    expect_well_formed(page);
    assert_null(strstr(page, "Channel load"));
    free(page);
    assert_int_equal(report_run_svg(report_run_picture_find("channel-load", &error), &view, stdout, &error),
                     -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_null(report_run_picture_find("chanel-load", &error));
    assert_contains(error.text, "did you mean 'channel-load'?");
    net_topology_free(topology);
}

/* The picture for the caller to free. */
static char *picture_of(const struct report_run *run, const char *name, const char *network)
{
    struct net_topology *topology = topology_of(network);
    const struct report_run_view view = {run, topology};
    struct base_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    if (report_run_svg(report_run_picture_find(name, &error), &view, stream, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(fclose(stream), 0);
    net_topology_free(topology);
    return text;
}

/* The sample with effects that cost 10 ns each but the last, which costs 160, in one call of two ranks. */
static struct report_run explained_run(struct report_attribution *attribution)
{
    static const struct report_waiting calls[] = {{"MPI_Recv", {100, 100, 110, 120, 130, 140, 300}}};
    static const struct report_waiting ranks[] = {{NULL, {50, 50, 55, 60, 65, 70, 150}},
                                                  {NULL, {50, 50, 55, 60, 65, 70, 150}}};
    struct report_run run = sample_run();

    *attribution = (struct report_attribution){.simulated_ns = {800, 800, 810, 820, 830, 840, 1000},
                                               .ranks = ranks,
                                               .regions = calls,
                                               .sizes = calls,
                                               .rank_count = 2,
                                               .region_count = 1,
                                               .size_count = 1};
    run.attribution = attribution;
    return run;
}

/* Nothing begins left of or above the paper, and nothing is wider than it. */
static void expect_on_paper(const char *picture)
{
    int width, height, x, y, right, down;

    assert_non_null(strstr(picture, "viewBox=\"0 0 "));
    assert_int_equal(sscanf(strstr(picture, "viewBox=\"0 0 ") + 13, "%d %d", &width, &height), 2);
    for (const char *at = picture; (at = strstr(at, "<rect ")) != NULL; at++) {
        assert_int_equal(
            sscanf(at, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", &x, &y, &right, &down), 4);
        assert_true(x >= 0 && y >= 0 && right > 0 && down > 0 && x + right <= width && y + down <= height);
    }
    for (const char *at = picture; (at = strstr(at, "<text ")) != NULL; at++)
        if (drawn_text_end(at) > width)
            fail_msg("%.160s... leaves the paper, which is %d wide", at, width);
}

static void every_picture_is_well_formed(void **state)
{
    struct report_attribution attribution;
    struct report_run run = explained_run(&attribution);
    struct report_lanes *lanes = report_lanes_new(2, run.simulated_ns);
    size_t count;
    const struct report_run_picture *const *pictures = report_run_pictures(&count);
    (void)state;

    assert_non_null(lanes);
    report_lanes_add(
        lanes,
        &(struct report_lane_interval){
            .rank = 1, .state = REPORT_LANE_RECEIVING, .begin_ns = 0, .end_ns = 1000, .name = hostile});
    report_lanes_add_message(lanes, &(struct report_lane_message){.source = 0, .target = 1, .end_ns = 1000});
    lanes->messages = 1;
    run.lanes = lanes;
    assert_true(count >= 7);
    for (size_t i = 0; i < count; i++) {
        char *picture = picture_of(&run, pictures[i]->name, "mesh:2x1");
        expect_well_formed(picture);
        expect_on_paper(picture);
        free(picture);
    }
    report_lanes_free(lanes);
}

/* Where there are more ranks or terminals than cells, each is of several. */
static void many_ranks_share_cells(void **state)
{
    const struct report_run_pairs pairs[] = {{0, 1, 1, 1023 << 10}, {198, 199, 1, 999 << 20}};
    struct report_rank ranks[200] = {{0}};
    struct report_run run = sample_run();
    char *picture;
    (void)state;

    for (uint32_t rank = 0; rank < 200; rank++)
        ranks[rank].terminal = 3 * rank;
    run.ranks = 200;
    run.rank = ranks;
    run.terminals = 1000;
    run.pairs = pairs;
    run.pair_count = 2;
    run.mapping = "file:a-mapping-of-a-name-of-more-than-forty-letters";
    picture = picture_of(&run, "matrix", "mesh:2x1");
    expect_well_formed(picture);
    expect_on_paper(picture);
    assert_contains(picture, ">before the mapping, 4 x 4 ranks a cell<");
    assert_contains(picture, ", 16 x 16 terminals a cell<");
    free(picture);
}

/* The rectangles of a height; their x and width, in the order in which they are drawn. Returns how
 * many, 16 at most. */
static unsigned bars_of(const char *picture, int height, int x[16], int width[16])
{
    unsigned count = 0;
    int y, high;

    for (const char *at = picture; count < 16 && (at = strstr(at, "<rect ")) != NULL; at++) {
        assert_int_equal(sscanf(at, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", &x[count], &y,
                                &width[count], &high),
                         4);
        count += high == height;
    }
    return count;
}

/* Each effect begins where the one before ends, and all of them are as long as the whole; an anomaly leads back. */
static void a_waterfall_adds_up(void **state)
{
    static const uint64_t ladders[][REPORT_RUNGS] = {{800, 800, 810, 820, 830, 840, 1000},
                                                     {800, 800, 812, 895, 861, 900, 1000},
                                                     {800, 900, 907, 921, 922, 999, 1000}};
    (void)state;
    for (size_t i = 0; i < sizeof ladders / sizeof *ladders; i++) {
        struct report_attribution attribution;
        struct report_run run = explained_run(&attribution);
        int x[16], width[16];
        int end = 0, sum = 0;
        memcpy(attribution.simulated_ns, ladders[i], sizeof ladders[i]);
        attribution.has_host = i == 2;
        char *picture = picture_of(&run, "slowdown", "mesh:2x1");
        unsigned count = bars_of(picture, 190, x, width);
        unsigned bar = 0;
        for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++) {
            bool saves = ladders[i][effect] < ladders[i][effect - 1];
            if (ladders[i][effect] == ladders[i][effect - 1])
                continue;
            assert_true(bar < count);
            assert_int_equal(saves ? x[bar] + width[bar] : x[bar], bar == 0 ? x[0] : end);
            end = saves ? x[bar] : x[bar] + width[bar];
            sum += saves ? -width[bar] : width[bar];
            bar++;
        }
        assert_int_equal(bar + 1, count);
        assert_int_equal(x[bar], x[0]);
        assert_int_equal(sum, width[bar]);
        free(picture);
    }
}

/* What is on paper is what the run says: lengths are compared with what was computed by hand. */
static void pictures_show_the_numbers(void **state)
{
    struct report_attribution attribution;
    struct report_run run = explained_run(&attribution);
    char *picture;
    (void)state;

    picture = picture_of(&run, "slowdown", "mesh:2x1");
    assert_contains(picture, ">1.000 us (1.250)<");
    assert_contains(picture, ">+160 ns (20.0 %)<");
    assert_contains(picture, "added to the ideal time (ns)");
    free(picture);

    /* 200 ns are 5900 tenths of a pixel: 10 ns are 295, 160 are 4720. */
    picture = picture_of(&run, "attribution", "mesh:2x1");
    assert_int_equal(occurrences(picture, "width=\"295\" height=\"170\""), 2 * 4);
    assert_int_equal(occurrences(picture, "width=\"4720\" height=\"170\""), 2);
    assert_contains(picture, "added time in MPI calls (ns)");
    free(picture);

    /* Rank 0 is on terminal 1 and rank 1 on terminal 0, so the matrices mirror each other. */
    picture = picture_of(&run, "matrix", "mesh:2x1");
    assert_int_equal(occurrences(picture, "none; 8 B to 4.0 KiB"), 2);
    assert_int_equal(occurrences(picture, ">from rank 0 to rank 1: 4.0 KiB<"), 1);
    assert_int_equal(occurrences(picture, ">from terminal 1 to terminal 0: 4.0 KiB<"), 1);
    /* A sender has a row: rank 0 sends most, in the first row and the second column. */
    assert_contains(picture, "4.0 KiB</title>\n<rect x=\"2800\" y=\"1740\" width=\"1800\"");
    assert_int_equal(occurrences(picture, "width=\"1800\" height=\"1800\" fill=\"#440154\""), 2);
    assert_int_equal(occurrences(picture, "width=\"1800\" height=\"1800\" fill=\"#b5de2b\""), 2);
    free(picture);

    picture = picture_of(&run, "latency", "mesh:2x1");
    assert_contains(picture, "of 100 packets: half within 10 cycles, 99 % within 20, all within 90");
    free(picture);
}

static int attempt(void *state)
{
    static const struct net_topology *topology; /* made once, while all allocations succeed */
    struct report_run run = sample_run();
    struct base_error error = {0};
    FILE *stream = state;

    if (topology == NULL) {
        topology = topology_of("mesh:2x1");
        return 0;
    }
    rewind(stream);
    if (report_run_html(&run, topology, stream, &error) == 0)
        return 0;
    assert_int_equal(error.status, BASE_SYSTEM);
    return -1;
}

static void every_failed_allocation_is_told(void **state)
{
    FILE *stream = fopen("/dev/null", "w");
    (void)state;

    assert_non_null(stream);
    assert_int_equal(attempt(stream), 0);
    assert_true(fail_alloc_each(attempt, stream) > 10);
    fclose(stream);
}

static void a_full_disk_is_told(void **state)
{
    struct report_run run = sample_run();
    struct net_topology *topology = topology_of("mesh:2x1");
    struct base_error error = {0};
    FILE *stream = fopen("/dev/full", "w");
    (void)state;

    if (stream == NULL)
        suite_skip("no /dev/full here");
    assert_int_equal(report_run_html(&run, topology, stream, &error), -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    fclose(stream);
    net_topology_free(topology);
}

/* CIE lightness of a colour, 0 to 100: what is left of it on grey paper. */
static double lightness(report_color color)
{
    static const double weights[] = {0.0722, 0.7152, 0.2126}; /* blue, green, red */
    double luminance = 0;

    for (unsigned i = 0; i < 3; i++) {
        double part = (double)(color >> 8 * i & 255) / 255;
        luminance += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return 116 * cbrt(luminance) - 16;
}

/* What lies side by side in a picture is told apart without colours. */
static void colors_differ_in_grey(void **state)
{
    report_color sets[][REPORT_RUNGS] = {
        {REPORT_GREY, 0, 0, 0, 0, 0, 0}, /* and the effects */
        {REPORT_GREEN, REPORT_SKY, REPORT_VERMILION, REPORT_GREY, REPORT_PAPER, REPORT_INK},
        {REPORT_GREEN, REPORT_BLUE, REPORT_ORANGE, REPORT_PURPLE, REPORT_GRID, REPORT_INK}};
    static const unsigned sizes[] = {REPORT_RUNGS, 6, 6};

    (void)state;
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        sets[0][effect] = report_effect_color(effect);
    for (unsigned set = 0; set < sizeof sets / sizeof *sets; set++)
        for (unsigned i = 0; i < sizes[set]; i++)
            for (unsigned j = 0; j < i; j++)
                assert_true(fabs(lightness(sets[set][i]) - lightness(sets[set][j])) > 7.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_is_escaped),
        cmocka_unit_test(traces_are_known_by_a_name),
        cmocka_unit_test(a_page_holds_the_report),
        cmocka_unit_test(nothing_is_loaded),
        cmocka_unit_test(a_trace_cannot_write_into_a_page),
        cmocka_unit_test(an_ideal_network_has_no_channels),
        cmocka_unit_test(every_picture_is_well_formed),
        cmocka_unit_test(many_ranks_share_cells),
        cmocka_unit_test(pictures_show_the_numbers),
        cmocka_unit_test(a_waterfall_adds_up),
        cmocka_unit_test(colors_differ_in_grey),
        cmocka_unit_test(every_failed_allocation_is_told),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
