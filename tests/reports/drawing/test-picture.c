/* Pictures: SVG that is well-formed whatever is written into it; every router and link of a topology once,
 * inside the paper, and no line through a router that it does not belong to. */
#include <config.h>

#include "tests/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/drawing/svg.h"
#include "reports/topology/picture.h"
#include "tests/reports/well-formed.h"

/* The picture of a topology as text, which the caller frees. */
static char *picture_of(const char *text)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(text, &error);
    char *picture = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&picture, &size);
    assert_non_null(topology);
    assert_non_null(stream);
    if (report_topology_svg(topology, NULL, stream, &error) != 0)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(fclose(stream), 0);
    net_topology_free(topology);
    return picture;
}

static const char *const texts[] = {"mesh:1",
                                    "mesh:2",
                                    "torus:2",
                                    "mesh:8",
                                    "torus:40",
                                    "mesh:1x300",
                                    "mesh:2x2",
                                    "torus:2x2",
                                    "mesh:5x3,concentration=3",
                                    "king-mesh:4x7",
                                    "king-torus:5x5",
                                    "king-torus:2x2,concentration=9",
                                    "mesh:2x30",
                                    "king-mesh:16x16",
                                    "torus:3x4x5",
                                    "mesh:6x5x16",
                                    "torus:2x3x2x4",
                                    "mesh:2x2x2x2",
                                    "king-torus:20x9",
                                    "mway-mesh:5x4",
                                    "mway-mesh:40,processors=3",
                                    "mway-torus:4x3,processors=7",
                                    "mway-torus:3x3,attach=router",
                                    "mway-torus:3x2x4",
                                    "mway-hypercube:4",
                                    "darm:2x2",
                                    "darm:4x3x2",
                                    "darm:2x3x2x3",
                                    "manhattan:8x8",
                                    "shufflenet:2,4",
                                    "shufflenet:3,1",
                                    "mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"};
#define TEXTS (sizeof texts / sizeof *texts)

static void pictures_are_well_formed(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char *picture = picture_of(texts[i]);
        expect_well_formed(picture);
        assert_int_equal(strncmp(picture, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39), 0);
        free(picture);
    }
}

/* The picture with the faults of a text, after the last control packet. Sets the numbers of dead links, and of links of
 * trees before pruning and after. */
static char *picture_of_faults(const char *text, const char *faults, uint32_t counts[3])
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(text, &error);
    struct net_faults set;
    struct net_control control;
    struct net_rings before, now;
    struct net_control_options options = {.routing = net_fault_routing_find(topology, NULL, &error)};
    struct report_faults report = {&set, &control, &before, &now};
    char *picture = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&picture, &size);
    if (net_faults_init(&set, topology, faults, 1000000, &error) != 0 ||
        net_control_init(&control, &set, &options, &error) != 0 ||
        net_control_finish(&control, &error) != 0 || net_rings_init(&before, &control, true, &error) != 0 ||
        net_rings_init(&now, &control, false, &error) != 0 ||
        report_topology_svg(topology, &report, stream, &error) != 0)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(fclose(stream), 0);
    counts[0] = set.count;
    counts[1] = counts[2] = 0;
    for (uint32_t i = 0; i < now.count; i++) {
        counts[1] += before.ring[i].routers - 1;
        counts[2] += now.ring[i].routers - 1;
    }
    net_rings_free(&before);
    net_rings_free(&now);
    net_control_free(&control);
    net_faults_free(&set);
    net_topology_free(topology);
    return picture;
}

/* Legends of any length fit on their paper, and the words of a wide picture, which a page shrinks, are larger. */
static void words_fit_on_the_paper(void **state)
{
    static const char *const wide[] = {"mesh:8x8",       "darm:4x4",     "diagonal-torus:4x4,diagonal=nw",
                                       "darm:4x4x4",     "fat-tree:4,3", "slim-fly:5",
                                       "shufflenet:2,4", "glo:4,2,1,2",  "mway-mesh:4x4",
                                       "omega:8,2",      "omega:2,8",    "dragonfly:8,4,4"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts + sizeof wide / sizeof *wide; i++) {
        bool is_listed = i < sizeof texts / sizeof *texts;
        const char *name = is_listed ? texts[i] : wide[i - sizeof texts / sizeof *texts];
        char *picture = picture_of(name);
        double title = 0;
        double width;
        assert_int_equal(sscanf(strstr(picture, "viewBox"), "viewBox=\"0 0 %lf", &width), 1);
        for (const char *text = strstr(picture, "<text"); text != NULL; text = strstr(text + 1, "<text")) {
            double size;
            assert_int_equal(sscanf(strstr(text, "font-size"), "font-size=\"%lf", &size), 1);
            title = title > 0 ? title : size;
            if (drawn_text_end(text) > width)
                fail_msg("%s: %.60s... leaves the paper, which is %.0f wide", name, text, width);
        }
        if (title < 200 || title < width / 46) /* 200 of 9000, rounded */
            fail_msg("%s: a title of %.0f on paper of %.0f", name, title, width);
        free(picture);
    }
}

/* Many processors make a picture high, and as few stages as there are would leave it narrow: it is no tower, and its
 * processors are apart. */
static void stages_are_no_towers(void **state)
{
    static const char *const names[] = {"omega:8,2", "omega:4,3", "omega:2,8", "omega:6,2", "omega:4,2"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *picture = picture_of(names[i]);
        double width, height;
        assert_int_equal(sscanf(strstr(picture, "viewBox"), "viewBox=\"0 0 %lf %lf", &width, &height), 2);
        if (height > 2 * width)
            fail_msg("%s is %.0f high and %.0f wide", names[i], height, width);
        free(picture);
    }
}

/* Where no link is an arrow: a dead link is a pale line and two of a cross in place of one; a link of a tree has one
 * more under it; so have the lines of the legend. On tori, where a link may have two ends on paper, well-formed will
 * do. */
static void faults_are_drawn(void **state)
{
    static const struct {
        const char *text, *faults;
        bool has_arrows;
    } cases[] = {{"king-mesh:8x8", "6,seed=2", false}, {"mesh:5x4", "3", false},
                 {"full-mesh:6", "4", false},          {"king-torus:5x5", "9", true},
                 {"torus:3x3x3", "8", true},           {"king-mesh:4x4", "0", false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t counts[3];
        uint32_t samples;
        char *healthy = picture_of(cases[i].text);
        char *picture = picture_of_faults(cases[i].text, cases[i].faults, counts);
        expect_well_formed(picture);
        samples = 3 + 1 + (counts[1] > counts[2]);
        if (!cases[i].has_arrows)
            assert_int_equal(occurrences(picture, "M"),
                             occurrences(healthy, "M") + 2 * counts[0] + counts[1] + samples);
        assert_int_equal(strstr(picture, "by pruning") != NULL, counts[1] > counts[2]);
        free(healthy);
        free(picture);
    }
}

static void pictures_repeat(void **state)
{
    char *once = picture_of("king-torus:9x4"), *again = picture_of("king-torus:9x4");
    (void)state;
    assert_string_equal(once, again);
    free(once);
    free(again);
}

/* Counted on paper: pairs of links drawn as one line; links drawn as an arrow (shaft and head); samples in
 * the legend. */
static void every_router_and_link_is_drawn(void **state)
{
    static const struct {
        const char *text;
        unsigned routers, lines, arrows, samples;
    } cases[] = {{"mesh:4x4", 16, 24, 0, 2},      {"mesh:1", 1, 0, 0, 0},
                 {"mesh:8", 8, 7, 0, 1},          {"torus:40", 40, 39, 2, 3},
                 {"torus:2", 2, 1, 2, 3},         {"torus:4x4", 16, 24, 16, 4},
                 {"king-mesh:4x4", 16, 42, 0, 4}, {"king-torus:4x4", 16, 42, 44, 6},
                 {"mesh:3x3x3", 27, 36, 36, 3},   {"torus:3x3x3", 27, 36, 90, 5},
                 {"mesh:2x2x2x2", 16, 16, 32, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *picture = picture_of(cases[i].text);
        unsigned pieces = cases[i].lines + 2 * cases[i].arrows + cases[i].samples;
        assert_int_equal(occurrences(picture, "fill=\"#eef2f7\""), cases[i].routers);
        assert_int_equal(occurrences(picture, "M"), pieces);
        free(picture);
    }
}

/* A line for the links of a pair of routers, straight or bent, and a sample of a line and of each class; routers
 * without terminals are an outline. Large networks are drawn by group: a box for each, and a line for a pair that is
 * linked. */
static void networks_of_machines_are_drawn(void **state)
{
    static const struct {
        const char *text;
        unsigned boxes, outlines, lines, samples;
    } cases[] = {{"fat-tree:2,3", 4, 8, 16, 3},
                 {"xgft:4x2/1x3", 2, 3, 6, 3},
                 {"dragonfly:1,2,1", 6, 0, 6, 3},
                 {"dragonfly:2,4,2", 36, 0, 90, 3},
                 {"hyperx:3x3", 9, 0, 18, 3},
                 {"hyperx:2x2,width=3", 4, 0, 4, 3},
                 {"slim-fly:3,terminals=1", 18, 0, 45, 3},
                 {"dragonfly:4,8,4", 33, 0, 528, 2},
                 {"fat-tree:16,3", 16, 1, 16, 2},
                 {"slim-fly:7", 14, 0, 49, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *picture = picture_of(cases[i].text);
        expect_well_formed(picture);
        assert_int_equal(occurrences(picture, "fill=\"#eef2f7\""), cases[i].boxes);
        assert_int_equal(occurrences(picture, "fill=\"#fdfcf9\" stroke"), cases[i].outlines);
        assert_int_equal(occurrences(picture, "M"), cases[i].lines + cases[i].samples);
        free(picture);
    }
}

/* Every link is an arrow, and one over an edge two; a line of the legend has a sample of each shade. The first column
 * of a ShuffleNet is drawn twice, the second time as an outline. */
static void one_way_links_are_drawn(void **state)
{
    static const struct {
        const char *text;
        unsigned routers, outlines, arrows, samples;
    } cases[] = {{"manhattan:6x4", 24, 0, 48 + 10, 4},
                 {"darm:4x4x4", 64, 0, 192 + 32, 6},
                 {"darm:2x2x2x2", 16, 0, 64 + 16, 8},
                 {"shufflenet:2,3", 24, 8, 48 + 1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *picture = picture_of(cases[i].text);
        assert_int_equal(occurrences(picture, "fill=\"#eef2f7\""), cases[i].routers);
        assert_int_equal(occurrences(picture, "fill=\"#fdfcf9\" stroke"), cases[i].outlines);
        assert_int_equal(occurrences(picture, "M"), 2 * cases[i].arrows + cases[i].samples);
        free(picture);
    }
}

/* Counted on paper: boxes of channels, squares of m-way routers, outlines of those that are drawn twice,
 * circles of processors; of each that there is, the legend has one more. */
static void channels_routers_and_processors_are_drawn(void **state)
{
    static const struct {
        const char *text;
        unsigned channels, routers, outlines, processors;
    } cases[] = {{"mway-mesh:4x4", 16, 24, 0, 16},
                 {"mway-mesh:1", 1, 0, 0, 1},
                 {"mway-mesh:3x3,processors=3", 9, 12, 0, 27},
                 {"mway-mesh:3x3,processors=4", 9, 12, 0, 9},
                 {"mway-torus:3x3,processors=2", 9, 18, 6, 18},
                 {"mway-torus:3x3,attach=router", 9, 18, 6, 18},
                 {"mway-mesh:4x4,attach=router", 16, 24, 0, 24},
                 {"mway-torus:3x3x3", 27, 81, 45, 27},
                 {"mway-hypercube:3", 8, 12, 4, 8}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *picture = picture_of(cases[i].text);
        assert_int_equal(occurrences(picture, "fill=\"#eef2f7\""), cases[i].channels + 1);
        assert_int_equal(occurrences(picture, "fill=\"#44546a\""), cases[i].routers + (cases[i].routers > 0));
        assert_int_equal(occurrences(picture, "fill=\"#fdfcf9\" stroke"),
                         cases[i].outlines + (cases[i].outlines > 0));
        assert_int_equal(occurrences(picture, "fill=\"#f5d491\""), cases[i].processors + 1);
        free(picture);
    }
}

/* The picture of one of the graphs of tests/netmodel. */
static char *picture_of_graph(const char *name)
{
    const char *top = getenv("top_srcdir");
    char text[4096];
    snprintf(text, sizeof text, "graph:%s/tests/netmodel/topologies/graphs/%s.graph", top != NULL ? top : ".",
             name);
    return picture_of(text);
}

/* One line for the two links of a pair, and a sample; routers without terminals are an outline. The file of
 * the first has places, that of the second none. */
static void graphs_are_drawn(void **state)
{
    char *tree = picture_of_graph("tree"), *circle = picture_of_graph("petersen");
    (void)state;
    expect_well_formed(tree);
    expect_well_formed(circle);
    assert_int_equal(occurrences(tree, "fill=\"#eef2f7\""), 3);
    assert_int_equal(occurrences(tree, "fill=\"#fdfcf9\" stroke"), 2);
    assert_int_equal(occurrences(tree, "M"), 6 + 1);
    assert_int_equal(occurrences(circle, "fill=\"#eef2f7\""), 10);
    assert_int_equal(occurrences(circle, "M"), 15 + 1);
    assert_non_null(strstr(tree, "positions from the file"));
    assert_non_null(strstr(circle, "the file gives no positions"));
    free(tree);
    free(circle);
}

struct box {
    int x, y, width, height;
};

static bool contains(const struct box *box, double x, double y)
{
    return x > box->x && x < box->x + box->width && y > box->y && y < box->y + box->height;
}

/* No point of the piece lies in a router, unless an end does. */
static void expect_clear(const struct box *routers, unsigned count, double x, double y, double dx, double dy)
{
    for (unsigned i = 0; i < count; i++) {
        if (contains(&routers[i], x, y) || contains(&routers[i], x + dx, y + dy))
            continue;
        for (int step = 1; step < 64; step++)
            assert_false(contains(&routers[i], x + dx * step / 64, y + dy * step / 64));
    }
}

static unsigned read_routers(const char *picture, struct box *routers)
{
    unsigned count = 0;
    for (const char *at = strstr(picture, "<rect"); at != NULL; at = strstr(at + 1, "<rect")) {
        struct box box;
        int radius;
        int read = 0;
        if (sscanf(at, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"#eef2f7\"%n",
                   &box.x, &box.y, &box.width, &box.height, &radius, &read) == 5 &&
            read > 0)
            routers[count++] = box;
    }
    return count;
}

/* Checks all pieces of a path that starts at `at`. */
static void check_path(const char *at, const struct box *routers, unsigned count, const struct box *paper)
{
    int x = 0, y = 0;
    int dx, dy, length;
    while (*at != '"') {
        if (sscanf(at, "M%d %d%n", &x, &y, &length) == 2) {
            assert_true(contains(paper, x, y));
        } else {
            assert_int_equal(sscanf(at, "l%d %d%n", &dx, &dy, &length), 2);
            expect_clear(routers, count, x, y, dx, dy);
            x += dx;
            y += dy;
            assert_true(contains(paper, x, y));
        }
        at += length;
    }
}

static void lines_run_around_routers(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char *picture = picture_of(texts[i]);
        struct box *routers = calloc(4096, sizeof *routers);
        struct box paper = {0};
        assert_non_null(routers);
        unsigned count = read_routers(picture, routers);
        assert_true(count > 0);
        assert_int_equal(
            sscanf(strstr(picture, "viewBox"), "viewBox=\"0 0 %d %d\"", &paper.width, &paper.height), 2);
        for (unsigned r = 0; r < count; r++) {
            assert_true(contains(&paper, routers[r].x, routers[r].y));
            assert_true(contains(&paper, routers[r].x + routers[r].width, routers[r].y + routers[r].height));
        }
        for (const char *at = strstr(picture, " d=\""); at != NULL; at = strstr(at + 1, " d=\""))
            check_path(at + 4, routers, count, &paper);
        free(routers);
        free(picture);
    }
}

/* Router 0 is the lower left one, numbers rise to the right and then upwards, all between the title and the x
 * axis. */
static void routers_stand_where_coordinates_say(void **state)
{
    char *picture = picture_of("king-mesh:4x7");
    struct box routers[28];
    int axis = 0;
    int x;
    (void)state;
    assert_int_equal(read_routers(picture, routers), 28);
    for (const char *at = strstr(picture, "<text"); at != NULL && axis == 0; at = strstr(at + 1, "<text"))
        if (strncmp(strchr(at, '>') + 1, "x = 0<", 6) == 0)
            assert_int_equal(sscanf(at, "<text x=\"%d\" y=\"%d\"", &x, &axis), 2);
    for (unsigned r = 0; r < 28; r++) {
        assert_int_equal(routers[r].x, routers[0].x + (int)(r % 4) * (routers[1].x - routers[0].x));
        assert_int_equal(routers[r].y, routers[0].y - (int)(r / 4) * (routers[0].y - routers[4].y));
        assert_true(routers[r].y > 600 && routers[r].y + routers[r].height < axis);
    }
    free(picture);
}

/* In a folded ring of two rows both ends are at the left, and both arrows lead out to the left. */
static void folded_lines_run_back(void **state)
{
    char *picture = picture_of("torus:20");
    (void)state;
    assert_int_equal(occurrences(picture, "l-352 0"), 2);
    free(picture);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
    static const char *const cases[][2] = {
        {"ideal:16", "has no routers and links to draw"},
        {"mesh:65x64", "has 4160 routers; a picture shows at most 4096"},
        {"torus:2x2x2x2x2", "has 5 dimensions; a picture shows at most 4"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_error error = {0};
        struct net_topology *topology = net_topology_new(cases[i][0], &error);
        FILE *stream = tmpfile();
        assert_non_null(stream);
        assert_int_equal(report_topology_svg(topology, NULL, stream, &error), -1);
        assert_int_equal(error.status, BASE_USAGE);
        assert_non_null(strstr(error.text, cases[i][1]));
        assert_int_equal(ftell(stream), 0);
        fclose(stream);
        net_topology_free(topology);
    }
}

static void a_full_disk_is_told(void **state)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new("mesh:4x4", &error);
    FILE *stream = fopen("/dev/full", "w");
    (void)state;
    if (stream == NULL) {
        net_topology_free(topology);
        suite_skip("no /dev/full here");
    }
    assert_int_equal(report_topology_svg(topology, NULL, stream, &error), -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_non_null(strstr(error.text, "the picture could not be written"));
    fclose(stream);
    net_topology_free(topology);
}

/* The format by itself: markup and control characters in texts, colours, paths that are closed in time. */
static void texts_are_escaped(void **state)
{
    char *picture = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&picture, &size);
    struct report_svg svg;
    struct report_draw *draw =
        report_svg_begin(&svg, stream, (struct report_point){1001, 2000}, "a<b & \"c\"\n");
    (void)state;
    report_draw_color(draw, 0x010203, 0xabcdef);
    report_draw_text(draw, (struct report_point){10, 20}, 100, REPORT_END, "]]></text>\x1b&\xc3\x97");
    report_draw_line(draw, (struct report_point){0, 0}, (struct report_point){5, -7}, 12);
    report_draw_line(draw, (struct report_point){1, 1}, (struct report_point){2, 2}, 12);
    report_draw_line(draw, (struct report_point){3, 3}, (struct report_point){3, 4}, 20);
    report_draw_box(draw, (struct report_point){1, 2}, (struct report_point){3, 4}, 0);
    report_draw_arrow(draw, (struct report_point){50, 50}, (struct report_point){50, 50}, 12, 5);
    assert_int_equal(report_svg_end(&svg, NULL), 0);
    fclose(stream);
    expect_well_formed(picture);
    assert_non_null(
        strstr(picture, "width=\"101\" height=\"200\" style=\"--width:101px\" viewBox=\"0 0 1010 2000\""));
    assert_non_null(strstr(picture, "<title>a&lt;b &amp; &quot;c&quot;?</title>"));
    assert_non_null(
        strstr(picture, " text-anchor=\"end\" fill=\"#010203\">]]&gt;&lt;/text&gt;?&amp;\xc3\x97</text>"));
    assert_non_null(strstr(picture, "stroke=\"#abcdef\" stroke-width=\"12\" d=\"M0 0l5 -7M1 1l1 1\"/>"));
    assert_non_null(strstr(picture, "stroke-width=\"20\" d=\"M3 3l0 1\"/>"));
    assert_int_equal(report_draw_text_width(draw, 100, "ab\xc3\x97"), 180);
    free(picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_well_formed),
        cmocka_unit_test(words_fit_on_the_paper),
        cmocka_unit_test(stages_are_no_towers),
        cmocka_unit_test(pictures_repeat),
        cmocka_unit_test(every_router_and_link_is_drawn),
        cmocka_unit_test(faults_are_drawn),
        cmocka_unit_test(networks_of_machines_are_drawn),
        cmocka_unit_test(one_way_links_are_drawn),
        cmocka_unit_test(channels_routers_and_processors_are_drawn),
        cmocka_unit_test(graphs_are_drawn),
        cmocka_unit_test(lines_run_around_routers),
        cmocka_unit_test(routers_stand_where_coordinates_say),
        cmocka_unit_test(folded_lines_run_back),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(texts_are_escaped),
    };
    return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
