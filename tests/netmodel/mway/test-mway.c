/* K-ary m-way networks: their structure and their exact metrics against the golden table and the m-way paper,
 * transfers against searches over channels, and the deadlock freedom of the four routings, whose classes
 * matter. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/deadlock/dependency.h"
#include "netmodel/topologies/mway.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

static struct net_transfers transfers_of(const struct net_topology *topology)
{
    struct net_transfers transfers;
    struct base_error error = {0};
    if (net_transfers_count(topology, &transfers, &error) != 0)
        fail_msg("%s", error.text);
    assert_non_null(transfers.pairs);
    return transfers;
}

/* ---- the golden table ---- */

enum {
    FAMILY,
    PARAMETERS,
    VERTICES,
    LINKS = 4,
    OUT_MIN = 6,
    OUT_MAX,
    NEIGHBOURS_MIN = 10,
    NEIGHBOURS_MAX,
    DIAMETER,
    DISTANCE_SUM,
    MEAN_WITH_SELF,
    MEAN,
    HISTOGRAM,
    STRAIGHT_CUT = 18,
    BISECTION = 25,
    BISECTION_KIND
};

/* "k=4 n=2 m=2n+p" or "16x8x8 m=6+p" of a family that begins with the kind's name. */
static void text_of(char *const *field, char text[256])
{
    unsigned k = 0, n = 0;
    int kind = (int)strcspn(field[FAMILY], " ");
    size_t length = (size_t)snprintf(text, 256, "%.*s:", kind, field[FAMILY]);
    if (sscanf(field[PARAMETERS], "k=%u n=%u", &k, &n) != 2)
        length += (size_t)snprintf(text + length, 256 - length, "%.*s", (int)strcspn(field[PARAMETERS], " "),
                                   field[PARAMETERS]);
    else if (strncmp(text, "mway-hypercube", 14) == 0)
        length += (size_t)snprintf(text + length, 256 - length, "%u", n);
    for (unsigned d = 0; d < n && strncmp(text, "mway-hypercube", 14) != 0; d++)
        length += (size_t)snprintf(text + length, 256 - length, d == 0 ? "%u" : "x%u", k);
    if (strstr(field[FAMILY], "inside routers") != NULL)
        snprintf(text + length, 256 - length, ",attach=router");
}

static void check_histogram(const uint64_t *pairs, uint32_t most, const char *text)
{
    uint32_t distance = 0;
    for (; *text != '\0'; distance++) {
        char expected[64];
        int length =
            snprintf(expected, sizeof expected, "%u:%llu", distance, (unsigned long long)pairs[distance]);
        assert_int_equal(strncmp(text, expected, (size_t)length), 0);
        text += length;
        text += *text == ' ';
    }
    assert_int_equal(distance, most + 1);
}

/* Vertices are channels, and distances links between them; one transfer more for each pair of processors. */
static void check_channels(const struct net_topology *topology, char *const *field)
{
    struct net_metrics metrics;
    struct net_transfers transfers = transfers_of(topology);
    assert_int_equal(net_topology_metrics(topology, &metrics, NULL), 0);
    assert_int_equal(topology->routers, atoi(field[VERTICES]));
    assert_int_equal(metrics.links, atoi(field[LINKS]));
    assert_int_equal(metrics.links, 2 * topology->shared->router_count);
    assert_int_equal(metrics.degree_min, atoi(field[OUT_MIN]));
    assert_int_equal(metrics.degree_max, atoi(field[OUT_MAX]));
    assert_int_equal(metrics.degree_max + 1, topology->shared->sharing);
    assert_int_equal(metrics.neighbours_min, atoi(field[NEIGHBOURS_MIN]));
    assert_int_equal(metrics.neighbours_max, atoi(field[NEIGHBOURS_MAX]));
    assert_int_equal(metrics.diameter, atoi(field[DIAMETER]));
    assert_int_equal(metrics.distance_sum, atoll(field[DISTANCE_SUM]));
    assert_true(fabs(metrics.mean_distance_with_self - atof(field[MEAN_WITH_SELF])) < 0.51e-6);
    assert_true(fabs(metrics.mean_distance - atof(field[MEAN])) < 0.51e-6);
    assert_true(fabs(transfers.mean - atof(field[MEAN]) - 1) < 0.51e-6);
    check_histogram(metrics.histogram, metrics.diameter, field[HISTOGRAM]);
    assert_int_equal(transfers.most, metrics.diameter + 1);
    if (*field[BISECTION] != '\0')
        assert_int_equal(metrics.bisection_channels, atoi(field[BISECTION]));
    net_transfers_free(&transfers);
    net_metrics_free(&metrics);
}

/* Vertices are processors, and distances transfers. */
static void check_processors(const struct net_topology *topology, char *const *field)
{
    struct net_transfers transfers = transfers_of(topology);
    double processors = topology->terminals;
    assert_int_equal(topology->terminals, atoi(field[VERTICES]));
    assert_int_equal(transfers.partners_min, atoi(field[OUT_MIN]));
    assert_int_equal(transfers.partners_max, atoi(field[OUT_MAX]));
    assert_int_equal(transfers.neighbours_min, atoi(field[NEIGHBOURS_MIN]));
    assert_int_equal(transfers.neighbours_max, atoi(field[NEIGHBOURS_MAX]));
    assert_int_equal(transfers.most, atoi(field[DIAMETER]));
    assert_true(fabs(transfers.mean - atof(field[MEAN])) < 0.51e-6);
    assert_true(fabs(transfers.mean * (processors - 1) / processors - atof(field[MEAN_WITH_SELF])) < 0.51e-6);
    check_histogram(transfers.pairs, transfers.most, field[HISTOGRAM]);
    net_transfers_free(&transfers);
}

static void golden_rows(void **state)
{
    FILE *golden = cases_open_golden("exact-metrics.csv");
    char line[8192], text[256];
    char *field[CASES_FIELDS];
    unsigned rows = 0;
    (void)state;
    if (golden == NULL) {
        print_message("skipped: no shared folder with golden/exact-metrics.csv\n");
        skip();
    }
    while (fgets(line, sizeof line, golden) != NULL) {
        if (cases_split(line, field) <= HISTOGRAM || strncmp(field[FAMILY], "mway-", 5) != 0)
            continue;
        text_of(field, text);
        struct net_topology *topology = cases_topology(text);
        (net_shared_inside_routers(topology) ? check_processors : check_channels)(topology, field);
        net_topology_free(topology);
        rows++;
    }
    fclose(golden);
    assert_int_equal(rows, 92);
}

/* ---- structure ---- */

/* The m-way paper, section 2 and figures 1 and 2; the means are those that its utilisation follows from. */
static void networks_of_the_paper(void **state)
{
    static const struct {
        const char *text;
        uint32_t channels, routers, processors, sharing;
        double transfers;
    } cases[] = {{"mway-torus:3x3", 9, 18, 9, 5, 2.5},
                 {"mway-torus:3x3,attach=router", 9, 18, 18, 4, 1.7058824},
                 {"mway-mesh:4x4", 16, 24, 16, 5, 3.6666667},
                 {"mway-mesh:4x4,processors=2", 16, 24, 32, 6, 3.5806452},
                 {"mway-mesh:8x8x8", 512, 1344, 512, 7, 8.8904110},
                 {"mway-torus:8x8x8", 512, 1536, 512, 7, 7.0117417},
                 {"mway-hypercube:9", 512, 2304, 512, 10, 5.5088063},
                 {"mway-mesh:16x8x8", 1024, 2752, 1024, 7, 11.5728250},
                 {"mway-mesh:8x8", 64, 112, 64, 5, 6.3333333},
                 {"mway-torus:8x8", 64, 128, 64, 5, 5.0634921},
                 {"mway-hypercube:4", 16, 32, 16, 5, 3.1333333},
                 {"mway-mesh:1", 1, 0, 1, 1, 0},
                 {"mway-mesh:1,processors=4", 1, 0, 4, 4, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].text);
        struct net_transfers transfers = transfers_of(topology);
        assert_int_equal(topology->routers, cases[i].channels);
        assert_int_equal(topology->shared->router_count, cases[i].routers);
        assert_int_equal(topology->terminals, cases[i].processors);
        assert_int_equal(topology->shared->sharing, cases[i].sharing);
        assert_true(fabs(transfers.mean - cases[i].transfers) < 1e-6);
        net_transfers_free(&transfers);
        net_topology_free(topology);
    }
}

/* Each m-way router is two links between the same two channels, there and back, and each link is of one. */
static void routers_are_pairs_of_links(const struct net_topology *topology, void *context)
{
    const struct net_shared *shared = topology->shared;
    (void)context;
    if (shared == NULL)
        return;
    for (uint32_t r = 0; r < shared->router_count; r++) {
        const struct net_way_router *router = &shared->routers[r];
        const struct net_link *up = &topology->links[router->up], *down = &topology->links[router->down];
        assert_int_equal(up->source, router->lower);
        assert_int_equal(up->target, router->upper);
        assert_int_equal(down->source, router->upper);
        assert_int_equal(down->target, router->lower);
        assert_int_equal(up->port, 2 * router->dimension);
        assert_int_equal(down->port, up->port + 1);
        assert_int_equal(shared->router_of_link[router->up], r);
        assert_int_equal(shared->router_of_link[router->down], r);
    }
    assert_int_equal(2 * shared->router_count, topology->link_count);
}

static void every_network_has_its_routers(void **state)
{
    (void)state;
    cases_each_topology(routers_are_pairs_of_links, NULL);
}

/* Of the pairs of channels that two processors have, the one that is drawn is a nearest one, and each of the
 * nearest is drawn for some key. */
static void ends_are_the_nearest(const struct net_topology *topology, void *context)
{
    (void)context;
    if (!(topology->shared != NULL && net_shared_inside_routers(topology)) || topology->terminals > 40)
        return;
    for (uint32_t a = 0; a < topology->terminals; a++)
        for (uint32_t b = 0; b < topology->terminals; b++) {
            uint32_t from[2], to[2];
            uint32_t seen = 0, nearest = 0, least = UINT32_MAX;
            assert_int_equal(net_shared_channels(topology, a, from), 2);
            assert_int_equal(net_shared_channels(topology, b, to), 2);
            for (uint32_t i = 0; i < 4; i++) {
                uint32_t links = net_topology_distance(topology, from[i / 2], to[i % 2]);
                nearest = links < least ? 1u << i : links == least ? nearest | 1u << i : nearest;
                least = links < least ? links : least;
            }
            for (uint64_t key = 0; key < 40; key++) {
                uint32_t ends[2];
                assert_int_equal(net_shared_nearest(topology, a, b, &key, ends), least + 1);
                for (uint32_t i = 0; i < 4; i++)
                    seen |= (uint32_t)(ends[0] == from[i / 2] && ends[1] == to[i % 2]) << i;
            }
            assert_int_equal(seen, nearest);
        }
}

static void messages_take_the_nearest_ends(void **state)
{
    (void)state;
    cases_each_topology(ends_are_the_nearest, NULL);
}

/* ---- deadlock ---- */

/* The verdict under wormhole, which is the stricter one; under cut-through it must be the same or better. */
static enum net_deadlock_argument verdict_of(const char *text, const char *name, uint32_t buffers)
{
    struct net_topology *topology = cases_topology(text);
    struct net_routing routing;
    struct net_deadlock_check check;
    struct base_error error = {0};
    if (net_routing_init(&routing, topology, name, buffers, &error) != 0 ||
        net_deadlock_check(&routing, &check, &error) != 0)
        fail_msg("%s on %s: %s", name, text, error.text);
    assert_true(check.connected);
    enum net_deadlock_argument argument = check.wormhole.argument;
    assert_true(argument != NET_ACYCLIC || check.cut_through.argument == NET_ACYCLIC);
    net_deadlock_check_free(&check);
    net_routing_free(&routing);
    net_topology_free(topology);
    return argument;
}

static void sides_of(char text[64], const char *kind, unsigned k, unsigned n)
{
    snprintf(text, 64, n == 1 ? "%s:%u" : n == 2 ? "%s:%ux%u" : "%s:%ux%ux%u", kind, k, k, k);
}

/* Every size of the golden table with as few buffers as there can be, and the smaller ones with four. */
static void no_size_can_deadlock(void **state)
{
    static const struct {
        const char *kind, *routing;
        uint32_t least;
    } cases[] = {{"mway-mesh", "mway-dimension-order", 1},
                 {"mway-mesh", "mway-adaptive", 2},
                 {"mway-torus", "mway-ring", 2},
                 {"mway-torus", "mway-adaptive-ring", 3}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned n = 1; n <= 3; n++)
            for (unsigned k = 2; k <= 8; k++) {
                char text[64];
                sides_of(text, cases[i].kind, k, n);
                assert_int_equal(verdict_of(text, cases[i].routing, cases[i].least), NET_ACYCLIC);
                if (n < 3 || k < 4)
                    assert_int_equal(verdict_of(text, cases[i].routing, 4), NET_ACYCLIC);
            }
}

/* A ring of k may be cut below or above its middle; cut far from there, it can deadlock. */
static void halves_must_be_halves(void **state)
{
    (void)state;
    for (unsigned k = 3; k <= 9; k++) {
        char text[64], routing[64];
        sides_of(text, "mway-torus", k, 1);
        for (unsigned split = 1; split < k; split++) {
            snprintf(routing, sizeof routing, "mway-ring,split=%u", split);
            if (split == k / 2 || split == (k + 1) / 2)
                assert_int_equal(verdict_of(text, routing, 2), NET_ACYCLIC);
            snprintf(routing, sizeof routing, "mway-adaptive-ring,split=%u", split);
            if (split == k / 2 || split == (k + 1) / 2)
                assert_int_equal(verdict_of(text, routing, 3), NET_ACYCLIC);
        }
    }
    assert_int_equal(verdict_of("mway-torus:8", "mway-ring,split=1", 2), NET_CYCLIC);
    assert_int_equal(verdict_of("mway-torus:8", "mway-adaptive-ring,split=1", 3), NET_CYCLIC);
    assert_int_equal(verdict_of("mway-torus:8x8", "mway-ring,split=7", 4), NET_CYCLIC);
}

/* ---- errors ---- */

static int make_routing(void *text)
{
    static const char *const names[] = {"mway-ring", "mway-adaptive-ring"};
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(text, &error);
    struct net_transfers transfers;
    int status = topology == NULL ? -1 : net_transfers_count(topology, &transfers, &error);
    if (status == 0)
        net_transfers_free(&transfers);
    for (size_t i = 0; i < 2 && status == 0; i++) {
        struct net_routing routing;
        status = net_routing_init(&routing, topology, names[i], 0, &error);
        if (status == 0)
            net_routing_free(&routing);
    }
    net_topology_free(topology);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(make_routing, "mway-torus:5x4,attach=router") >= 5);
}

static void what_routings_refuse(void **state)
{
    static const char *const refused[][3] = {
        {"mway-torus:8x4", "mway-ring,split=4", "split=4 leaves no upper half of 4 channels"},
        {"mway-torus:8", "mway-ring,split=0", "split=0: not a whole number from 1"},
        {"mway-torus:8", "mway-dimension-order", "does not serve topology 'mway-torus:8'"},
        {"mway-mesh:8", "mway-ring", "routings for mway-mesh: mway-dimension-order, mway-adaptive"},
        {"mway-mesh:8", "mway-adaptive,split=2", "takes no parameters"},
        {"mesh:8", "mway-dimension-order", "it serves: mway-mesh, mway-hypercube"}};
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct net_topology *topology = cases_topology(refused[i][0]);
        struct net_routing routing;
        struct base_error error = {0};
        assert_int_equal(net_routing_init(&routing, topology, refused[i][1], 0, &error), -1);
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, refused[i][2]) == NULL)
            fail_msg("'%s' was answered with: %s", refused[i][1], error.text);
        net_topology_free(topology);
    }
}

/* ---- two ways of equal length (the m-way paper: adaptive on equal distance) ---- */

/* A header half of a ring away may go both ways, in the buffers that each would have alone, and after its first
 * hop goes on as it began. On 8 channels from 3 to 7: upwards 4 is in the destination's half, downwards 2 is not. */
static void ties_are_open(void **state)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new("mway-torus:8x4", &error);
    struct net_routing routing;
    struct net_route route;
    (void)state;
    assert_non_null(topology);
    assert_int_equal(net_routing_init(&routing, topology, "mway-ring", 4, &error), 0);
    const struct net_routing_kind *kind = routing.kind;
    assert_int_equal(kind->variants(&routing, 3, 7), 1);
    uint64_t header = kind->start(&routing, 3, 7, 0);
    uint64_t up = kind->step(&routing, 3, header, 0);
    uint64_t down = kind->step(&routing, 3, header, 1);
    assert_int_equal(kind->route(&routing, 3, header, &route), 2);
    assert_int_equal(route.ports[0], 3);
    assert_int_equal(route.virtual_channels[0], 3);
    assert_int_equal(route.ports[1], 1);
    assert_int_equal(route.virtual_channels[1], 12);
    assert_int_equal(kind->route(&routing, 4, up, &route), 2);
    assert_int_equal(route.ports[0], 1);
    assert_int_equal(kind->route(&routing, 2, down, &route), 1);
    assert_int_equal(route.ports[0], 2);
    for (uint32_t hop = 0, at = 2; hop < 3; hop++, at = (at + 7) % 8)
        down = kind->step(&routing, at, down, 1);
    assert_int_equal(kind->route(&routing, 7, down, &route), 0);
    net_routing_free(&routing);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_rows),
        cmocka_unit_test(networks_of_the_paper),
        cmocka_unit_test(every_network_has_its_routers),
        cmocka_unit_test(messages_take_the_nearest_ends),
        cmocka_unit_test(no_size_can_deadlock),
        cmocka_unit_test(halves_must_be_halves),
        cmocka_unit_test(ties_are_open),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(what_routings_refuse),
    };
    return cmocka_run_group_tests_name("mway", tests, NULL, NULL);
}
