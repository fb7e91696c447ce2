/* Sets of faults: pairs of links on every network of the registered kinds, what a text means, what is refused and where
 * the refusal points, and that draws are uniform. */
#include <config.h>

#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netmodel/faults/faults.h"
#include "netmodel/routings/families.h"
#include "tests/netmodel/cases.h"

#define KHZ 2000000

/* ---- cables ---- */

/* Each link is the way back of its way back, between the same routers; a network that is refused has a link without. */
static void pairs_agree(const struct net_topology *topology, void *context)
{
    struct net_cables cables;
    struct base_error error = {0};
    (void)context;
    if (net_cables_init(&cables, topology, &error) == 0) {
        assert_true(net_family_wires.contains(topology));
        assert_int_equal(2 * cables.count, topology->link_count);
        for (uint32_t l = 0; l < topology->link_count; l++) {
            const struct net_link *link = &topology->links[l], *back = &topology->links[cables.back[l]];
            assert_true(cables.back[l] != l && cables.back[cables.back[l]] == l);
            assert_true(link->source == back->target && link->target == back->source);
            assert_true(topology->grid == NULL || back->port == (link->port ^ 1));
        }
        for (uint32_t i = 1; i < cables.count; i++)
            assert_true(cables.link[i - 1] < cables.link[i]);
    } else {
        assert_int_equal(error.status, BASE_USAGE);
        assert_true(strstr(error.text, "none back") != NULL || !net_family_wires.contains(topology));
    }
    net_cables_free(&cables);
}

static void links_are_paired(void **state)
{
    (void)state;
    assert_true(cases_each_topology(pairs_agree, NULL) > 100);
    assert_true(cases_each_graph(pairs_agree, NULL) > 0);
}

/* ---- texts ---- */

/* The faults of a file with this content, or of an option where the content is one line without blanks. */
static int read_text(struct net_faults *faults, const struct net_topology *topology, const char *content,
                     struct base_error *error)
{
    char path[] = "faults-XXXXXX";
    int file = mkstemp(path);
    int status;
    assert_true(file >= 0);
    assert_int_equal(write(file, content, strlen(content)), (long)strlen(content));
    close(file);
    status = net_faults_init(faults, topology, path, KHZ, error);
    unlink(path);
    return status;
}

static void a_file_is_read(void **state)
{
    (void)state;
    struct net_topology *topology = cases_topology("king-mesh:4x3");
    struct net_faults faults;
    struct base_error error = {0};
    if (read_text(&faults, topology,
                  "# comment\n\n 70 (1,1) Z+   # to (2,2)\r\n3 0-1\n5ns (3,2)-(2,2)\n70 2 X+\nrandom 1 at 9",
                  &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(faults.count, 5);
    /* In time; 5 ns are ten cycles of 2 GHz. */
    static const uint64_t cycles[] = {3, 9, 10, 70, 70};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(faults.fault[i].cycle, cycles[i]);
    assert_int_equal(net_fault_link(&faults, 0)->source, 0);
    assert_int_equal(net_fault_link(&faults, 0)->target, 1);
    assert_int_equal(net_fault_link(&faults, 2)->source, 10);
    assert_int_equal(net_fault_link(&faults, 2)->target, 11);
    assert_int_equal(net_fault_link(&faults, 3)->source, 2);
    assert_int_equal(net_fault_link(&faults, 4)->target, 10);
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t link = faults.cables.link[faults.fault[i].cable];
        assert_int_equal(faults.dies[link], faults.fault[i].cycle);
        assert_int_equal(faults.dies[faults.cables.back[link]], faults.fault[i].cycle);
    }
    assert_non_null(faults.input.path);
    net_faults_free(&faults);
    net_topology_free(topology);
}

/* Two links between the same routers: naming them twice means both. */
static void parallel_links_are_told_apart(void **state)
{
    (void)state;
    struct net_topology *topology = cases_topology("torus:2x3");
    struct net_faults faults;
    struct base_error error = {0};
    assert_int_equal(read_text(&faults, topology, "0 0-1\n1 1-0\n", &error), 0);
    assert_int_equal(faults.count, 2);
    assert_int_not_equal(faults.fault[0].cable, faults.fault[1].cable);
    net_faults_free(&faults);
    assert_int_equal(read_text(&faults, topology, "0 0-1\n1 1-0\n2 0-1\n", &error), -1);
    assert_non_null(strstr(error.text, "line 3, column 3: that link fails already"));
    net_faults_free(&faults);
    net_topology_free(topology);
}

static void names_of_graphs_are_known(void **state)
{
    (void)state;
    char text[512];
    struct net_faults faults;
    struct base_error error = {0};
    cases_graph_text(text, sizeof text, "petersen");
    struct net_topology *topology = cases_topology(text);
    char from[NET_NAME_TEXT], to[NET_NAME_TEXT], content[2 * NET_NAME_TEXT + 16];
    const struct net_link *link = &topology->links[0];
    snprintf(content, sizeof content, "4 %s-%s\n", net_router_name(topology, link->source, from),
             net_router_name(topology, link->target, to));
    if (read_text(&faults, topology, content, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(faults.count, 1);
    net_faults_free(&faults);
    net_topology_free(topology);
}

/* ---- refusals ---- */

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *content, *words;
    } rows[] = {
        {"mesh:3x3", "4 (0,0) X-\n", ": line 1, column 9: no link leaves router '(0,0)' by a port 'X-'"},
        {"mesh:3x3", "\n4 (0,7) X+\n", ": line 2, column 3: topology 'mesh:3x3' has no router '(0,7)'"},
        {"mesh:3x3", "4 9 X+\n", "has no router '9'"},
        {"mesh:3x3", "x 1 X+\n", ": line 1, column 1: 'x' is not a time"},
        {"mesh:3x3", "4us 1 X+\n", "'4us' is not a time"},
        {"mesh:3x3", "-4 1 X+\n", "'-4' is not a time"},
        {"mesh:3x3", "18446744073709551615 1 X+\n", "is not a time"},
        {"mesh:3x3", "4 0-8\n", ": line 1, column 3: there is no link '0-8'"},
        {"mesh:3x3", "4 0+1\n", "'0+1' does not name two routers of topology 'mesh:3x3'"},
        {"mesh:3x3", "4\n", ": line 1, column 1: a line is TIME ROUTER PORT"},
        {"mesh:3x3", "4 1 X+ more\n", ": line 1, column 8: a line is TIME"},
        {"mesh:3x3", "4 1 X+ a b c d e f g h i j\n", "a line is TIME"},
        {"mesh:3x3", "4 1 X+\n5 2 X-\n", ": line 2, column 3: that link fails already"},
        {"mesh:3x3", "random 1\n", "random faults are written: random N at TIME"},
        {"mesh:3x3", "random x at 3\n", ": line 1, column 8: 'x' is not a number of faults"},
        {"mesh:3x3", "random 1 at 3 seed=y\n", ": line 1, column 15: 'y' is not a seed"},
        {"mesh:3x3", "0 0-1\nrandom 12 at 3\n",
         ": line 2, column 8: 12 faults, but topology 'mesh:3x3' has 11 links both ways left"},
        {"mesh:3x3", "9 0-1\n9 0-3\n", "the faults cut off (0,0) from the rest of topology 'mesh:3x3'"},
        {"mesh:4x1", "9 1-2\n", "cut off (0), (1) from the rest"},
        {"mesh:30x2", "1 (14,0) X+\n2 (14,1) X+\n", "(7,0) and 22 more from the rest"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct net_topology *topology = cases_topology(rows[i].topology);
        struct net_faults faults;
        struct base_error error = {0};
        assert_int_equal(read_text(&faults, topology, rows[i].content, &error), -1);
        if (strstr(error.text, rows[i].words) == NULL || error.status != BASE_INPUT)
            fail_msg("'%s' gives: %s", rows[i].content, error.text);
        net_faults_free(&faults);
        net_topology_free(topology);
    }
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *text, *words;
        enum base_status status;
    } rows[] = {
        {"mesh:3x3", "13", "13 faults, but topology 'mesh:3x3' has 12 links both ways", BASE_USAGE},
        {"mesh:3x3", "12", "the faults cut off", BASE_USAGE},
        {"mesh:3x3", "1,seed=", "seed", BASE_USAGE},
        {"mesh:3x3", "1,sed=3", "sed", BASE_USAGE},
        {"mesh:3x3", "99999999999", "is not a number of faults", BASE_USAGE},
        {"mesh:3x3", "nowhere.faults", "faults nowhere.faults: neither a number of links", BASE_INPUT},
        {"mesh:3x3", "", "nor a file that can be read", BASE_INPUT},
        {"ideal:4", "1", "is not made of links both ways", BASE_USAGE},
        {"mway-mesh:3x3", "1", "is not made of links both ways", BASE_USAGE},
        {"shufflenet:2,3", "1", "has a link from router 0 to router 8 and none back", BASE_USAGE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct net_topology *topology = cases_topology(rows[i].topology);
        struct net_faults faults;
        struct base_error error = {0};
        assert_int_equal(net_faults_init(&faults, topology, rows[i].text, KHZ, &error), -1);
        if (strstr(error.text, rows[i].words) == NULL || error.status != rows[i].status)
            fail_msg("'%s' gives: %s", rows[i].text, error.text);
        net_faults_free(&faults);
        net_topology_free(topology);
    }
}

/* ---- chance ---- */

/* Of 24 cables, two in each of 12 000 sets: each pair of them is as likely as another. The square deviation of 276
 * pairs from their mean is that of chance, 275 in units of the mean, give or take 23. */
static void draws_are_uniform(void **state)
{
    (void)state;
    static uint32_t pairs[24][24];
    struct net_topology *topology = cases_topology("mesh:4x4");
    double deviation = 0, mean = 12000.0 / 276;
    for (uint32_t seed = 0; seed < 12000; seed++) {
        struct net_faults faults;
        struct base_error error = {0};
        char text[32];
        snprintf(text, sizeof text, "2,seed=%" PRIu32, seed);
        /* The four corners that two faults cut off are refused after they are drawn: not by chance. */
        if (net_faults_init(&faults, topology, text, KHZ, &error) != 0)
            assert_non_null(strstr(error.text, "cut off"));
        assert_int_equal(faults.count, 2);
        assert_true(faults.fault[0].cable < faults.fault[1].cable && faults.fault[1].cycle == 0);
        pairs[faults.fault[0].cable][faults.fault[1].cable]++;
        net_faults_free(&faults);
    }
    for (uint32_t a = 0; a < 24; a++)
        for (uint32_t b = a + 1; b < 24; b++)
            deviation += (pairs[a][b] - mean) * (pairs[a][b] - mean) / mean;
    print_message("square deviation %.0f\n", deviation);
    assert_true(deviation > 275 - 4 * 23.5 && deviation < 275 + 4 * 23.5);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_are_paired),
                                       cmocka_unit_test(a_file_is_read),
                                       cmocka_unit_test(parallel_links_are_told_apart),
                                       cmocka_unit_test(names_of_graphs_are_known),
                                       cmocka_unit_test(bad_texts_are_refused),
                                       cmocka_unit_test(bad_options_are_refused),
                                       cmocka_unit_test(draws_are_uniform)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
