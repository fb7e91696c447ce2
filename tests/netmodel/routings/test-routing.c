/* Laws of every routing on every topology that it serves: routes arrive, are as short as promised, keep their
 * order and cannot wait in a circle; Knaive against its explicit record; expected loads. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/routing.h"
#include "tests/netmodel/cases.h"

#define HOPS_MAX 64

/* One way from a to b: the ports in order. */
struct way {
    uint32_t ports[HOPS_MAX];
    uint32_t hops, end;
};

static struct way walk(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct net_topology *topology = routing->topology;
    uint64_t header = routing->kind->start(routing, a, b, variant);
    struct way way = {.end = a};
    struct net_route route;
    for (; routing->kind->route(routing, way.end, header, &route) > 0; way.hops++) {
        uint32_t port = (uint32_t)__builtin_ctzll(route.ports[0]);
        uint32_t link = topology->link_at[(size_t)way.end * topology->ports + port];
        assert_true(way.hops < HOPS_MAX);
        assert_int_equal(route.ports[0], UINT64_C(1) << port);
        assert_int_equal(route.virtual_channels[0], (UINT64_C(1) << routing->virtual_channels) - 1);
        assert_true(port < topology->ports);
        assert_int_not_equal(link, NET_NONE);
        way.ports[way.hops] = port;
        header = routing->kind->step(routing, way.end, header, port);
        way.end = topology->links[link].target;
    }
    assert_int_equal(header, routing->arrived);
    return way;
}

typedef void pair_law(const struct net_routing *routing, uint32_t a, uint32_t b, const struct way *way);

static void arrives(const struct net_routing *routing, uint32_t a, uint32_t b, const struct way *way)
{
    assert_int_equal(way->end, b);
    assert_int_equal(way->hops, net_routing_hops(routing, a, b));
}

static void is_as_short_as_promised(const struct net_routing *routing, uint32_t a, uint32_t b,
                                    const struct way *way)
{
    if (routing->kind->minimal)
        assert_int_equal(way->hops, net_topology_distance(routing->topology, a, b));
    assert_true(way->hops >= net_topology_distance(routing->topology, a, b));
}

/* Dimensions in order, no turning round; on king networks orthogonal hops before diagonal ones, at most one
 * kind of each. */
static void keeps_its_order(const struct net_routing *routing, uint32_t a, uint32_t b, const struct way *way)
{
    bool knaive = strcmp(routing->kind->name, "knaive") == 0;
    (void)a;
    (void)b;
    for (uint32_t i = 1; i < way->hops; i++) {
        uint32_t before = way->ports[i - 1], now = way->ports[i];
        assert_true(now == before || now / 2 > before / 2);
        if (knaive && now != before)
            assert_true(before < 4 && now >= 4);
    }
}

static void over_pairs(const struct net_topology *topology, const struct net_routing_kind *kind,
                       pair_law *law)
{
    for (uint32_t channels = 1; channels <= 3; channels += 2) {
        struct net_routing routing;
        struct base_error error = {0};
        assert_int_equal(net_routing_init(&routing, topology, kind->name, channels, &error), 0);
        for (uint32_t a = 0; a < topology->routers; a++)
            for (uint32_t b = 0; b < topology->routers; b++)
                for (uint32_t variant = 0; variant < kind->variants(&routing, a, b); variant++) {
                    struct way way = walk(&routing, a, b, variant);
                    law(&routing, a, b, &way);
                }
        net_routing_free(&routing);
    }
}

/* The routings of this suite: one port and no choice, dimension after dimension. Laws of all the others are
 * in test-routing-laws.c. */
static bool is_ordered(const struct net_routing_kind *kind)
{
    static const char *const names[] = {"dimension-order", "diagonal-order", "knaive"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(kind->name, names[i]) == 0)
            return true;
    return false;
}

static bool serves(const struct net_routing_kind *kind, const struct net_topology *topology)
{
    return is_ordered(kind) && net_routing_serves(kind, topology);
}

/* Whether a list "mesh, torus" has the word. */
static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *next = list; *next != '\0'; next += strspn(next, ", ")) {
        size_t piece = strcspn(next, ",");
        if (piece == length && strncmp(next, word, length) == 0)
            return true;
        next += piece;
    }
    return false;
}

/* A family has all sizes and shapes of a kind or none, and says so by the kind's name, unless it has what "every
 * network" has. */
static void families_are_of_kinds(const struct net_topology *topology, void *context)
{
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    unsigned *named = context;
    for (size_t i = 0; i < count; i++) {
        const char *members = kinds[i]->serves->members;
        if (strncmp(members, "every ", 6) == 0)
            continue;
        bool serves = net_routing_serves(kinds[i], topology);
        if (serves != lists(members, topology->kind->name))
            fail_msg("'%s' %s %s, and says: %s", kinds[i]->name, serves ? "serves" : "does not serve",
                     topology->text, members);
        *named += serves;
    }
}

static void families_say_what_they_are_of(void **state)
{
    unsigned named = 0;
    (void)state;
    cases_each_topology(families_are_of_kinds, &named);
    cases_each_graph(families_are_of_kinds, &named);
    assert_true(named > 500);
}

struct each {
    pair_law *law;
    unsigned pairs; /* of routing and topology */
};

static void over_routings(const struct net_topology *topology, void *context)
{
    struct each *each = context;
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    for (size_t i = 0; i < count; i++)
        if (topology->concentration == 1 && serves(kinds[i], topology)) {
            over_pairs(topology, kinds[i], each->law);
            each->pairs++;
        }
}

static void over_every_routing(void **state)
{
    union {
        void *pointer;
        pair_law *law;
    } as = {.pointer = *state};
    struct each each = {as.law, 0};
    cases_each_topology(over_routings, &each);
    assert_true(each.pairs >= 80);
}

/* Ways round of a diagonal torus: of all that end at the right router without a whole round, those that are
 * as short as any. */
static uint32_t diagonal_ways(const struct net_topology *topology, const uint32_t *from, const uint32_t *to)
{
    int sides[2], apart[2];
    uint32_t shortest = UINT32_MAX, count = 0;
    for (uint32_t d = 0; d < 2; d++) {
        sides[d] = (int)topology->grid->sides[d];
        apart[d] = (int)to[d] - (int)from[d];
    }
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            int x = apart[0] + i * sides[0], y = apart[1] + j * sides[1];
            bool helps = topology->grid->diagonals == NET_DIAGONAL_Z ? x * y > 0 : x * y < 0;
            int length = helps ? (abs(x) > abs(y) ? abs(x) : abs(y)) : abs(x) + abs(y);
            if (abs(x) >= sides[0] || abs(y) >= sides[1] || (!topology->grid->wraps && (i != 0 || j != 0)))
                continue;
            count = (uint32_t)length < shortest ? 1 : count + ((uint32_t)length == shortest);
            shortest = (uint32_t)length < shortest ? (uint32_t)length : shortest;
        }
    return count;
}

/* The variants are the ways round: two for each dimension in which the routers are opposite, all different.
 */
static void variants_differ(const struct net_topology *topology, void *context)
{
    struct net_routing routing;
    struct base_error error = {0};
    (void)context;
    if (topology->grid == NULL)
        return;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    for (uint32_t a = 0; a < topology->routers; a++)
        for (uint32_t b = 0; b < topology->routers; b++) {
            uint32_t from[NET_DIMENSIONS_MAX], to[NET_DIMENSIONS_MAX];
            uint32_t ties = 0;
            uint32_t variants = routing.kind->variants(&routing, a, b);
            net_topology_coordinates(topology, a, from);
            net_topology_coordinates(topology, b, to);
            for (uint32_t d = 0; d < topology->grid->dimensions && topology->grid->wraps; d++)
                ties += 2 * (uint32_t)abs((int)from[d] - (int)to[d]) == topology->grid->sides[d];
            if (topology->grid->diagonals == NET_DIAGONAL_Z || topology->grid->diagonals == NET_DIAGONAL_T)
                assert_int_equal(variants, diagonal_ways(topology, from, to));
            else if (topology->shared != NULL &&
                     topology->grid->wraps) /* either way round is chosen on the way */
                assert_int_equal(variants, 1);
            else
                assert_int_equal(variants, 1u << ties);
            for (uint32_t i = 0; i < variants; i++)
                for (uint32_t j = 0; j < i; j++)
                    assert_int_not_equal(routing.kind->start(&routing, a, b, i),
                                         routing.kind->start(&routing, a, b, j));
        }
    net_routing_free(&routing);
}

static void variants_are_the_ways_round(void **state)
{
    (void)state;
    cases_each_topology(variants_differ, NULL);
}

/* The record of doc/networks.md, with T+ = (1,-1). */
static void knaive_record(int dx, int dy, int record[4])
{
    memset(record, 0, 4 * sizeof *record);
    if (dx * dy >= 0) {
        record[abs(dx) >= abs(dy) ? 0 : 1] = abs(dx) >= abs(dy) ? dx - dy : dy - dx;
        record[2] = abs(dx) >= abs(dy) ? dy : dx;
    } else {
        record[abs(dx) >= abs(dy) ? 0 : 1] = dx + dy;
        record[3] = abs(dx) >= abs(dy) ? -dy : dx;
    }
}

/* Walks off the record in the order X, Y, Z, T and expects the routing to do the same. */
static void expect_record(const struct net_routing *routing, uint32_t from, int dx, int dy, uint32_t variant)
{
    uint32_t side = routing->topology->grid->sides[0];
    uint32_t to = (uint32_t)((int)from + dx + dy * (int)side);
    struct way way = walk(routing, from, to, variant);
    uint32_t hops = 0;
    int record[4];
    knaive_record(dx, dy, record);
    assert_int_equal(record[0] + record[2] + record[3], dx);
    assert_int_equal(record[1] + record[2] - record[3], dy);
    for (uint32_t part = 0; part < 4; part++)
        for (int i = 0; i < abs(record[part]); i++)
            assert_int_equal(way.ports[hops++], 2 * part + (record[part] < 0));
    assert_int_equal(way.hops, hops);
}

static void knaive_walks_its_record(void **state)
{
    static const char *const texts[] = {"king-mesh:19x19", "king-torus:19x19"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        struct net_routing routing;
        struct base_error error = {0};
        assert_int_equal(net_routing_init(&routing, topology, "knaive", 0, &error), 0);
        for (int dx = -9; dx <= 9; dx++)
            for (int dy = -9; dy <= 9; dy++)
                expect_record(&routing, 9 + 9 * 19, dx, dy, 0);
        net_topology_free(topology);
    }
}

/* Links that wait for links: waits[link] lists the links that a packet holding it may ask for next. */
struct waits {
    uint32_t links;
    bool *pairs; /* [holding * links + wanted] */
};

static void record_waits(struct waits *waits, const struct net_topology *topology, uint32_t router,
                         const struct way *way)
{
    uint32_t before = NET_NONE;
    for (uint32_t i = 0; i < way->hops; i++) {
        uint32_t link = topology->link_at[(size_t)router * topology->ports + way->ports[i]];
        if (before != NET_NONE)
            waits->pairs[(size_t)before * waits->links + link] = true;
        router = topology->links[link].target;
        before = link;
    }
}

/* Takes away links for which none waits until no such is left; what then remains lies on or behind a cycle.
 */
static bool has_cycle(const struct waits *waits)
{
    uint32_t left = waits->links;
    bool *gone = calloc((size_t)waits->links + 1, sizeof *gone);
    bool progress = true;
    assert_non_null(gone);
    while (progress) {
        progress = false;
        for (uint32_t wanted = 0; wanted < waits->links; wanted++) {
            bool waited_for = gone[wanted];
            for (uint32_t held = 0; held < waits->links && !waited_for; held++)
                waited_for = !gone[held] && waits->pairs[(size_t)held * waits->links + wanted];
            if (!waited_for) {
                gone[wanted] = progress = true;
                left--;
            }
        }
    }
    free(gone);
    return left > 0;
}

static bool may_wait_in_a_circle(const struct net_topology *topology, const char *name)
{
    struct waits waits = {topology->link_count, NULL};
    struct net_routing routing;
    struct base_error error = {0};
    bool cycle;
    waits.pairs = calloc((size_t)waits.links * waits.links + 1, sizeof *waits.pairs);
    assert_non_null(waits.pairs);
    assert_int_equal(net_routing_init(&routing, topology, name, 0, &error), 0);
    for (uint32_t a = 0; a < topology->routers; a++)
        for (uint32_t b = 0; b < topology->routers; b++)
            for (uint32_t v = 0; v < routing.kind->variants(&routing, a, b); v++) {
                struct way way = walk(&routing, a, b, v);
                record_waits(&waits, topology, a, &way);
            }
    cycle = has_cycle(&waits);
    free(waits.pairs);
    return cycle;
}

static void expect_no_circle(const struct net_topology *topology, void *context)
{
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    unsigned *tried = context;
    for (size_t i = 0; i < count; i++)
        if (!net_topology_wraps(topology) && topology->concentration == 1 && serves(kinds[i], topology)) {
            assert_false(may_wait_in_a_circle(topology, kinds[i]->name));
            ++*tried;
        }
}

static void without_rings_nothing_waits_in_a_circle(void **state)
{
    unsigned tried = 0;
    (void)state;
    cases_each_topology(expect_no_circle, &tried);
    assert_true(tried >= 40);
}

/* That the search can find one: rings of four need the bubble rule. */
static void rings_do_wait_in_a_circle(void **state)
{
    static const char *const texts[] = {"torus:5", "torus:4x4", "king-torus:5x5"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        assert_true(may_wait_in_a_circle(topology, NULL));
        net_topology_free(topology);
    }
}

/* Largest fields that fit: a line of 2^20, and twenty dimensions of side 2. */
static void wide_headers_arrive(void **state)
{
    static const struct {
        const char *text;
        uint32_t from, to, hops;
    } cases[] = {{"mesh:1048576", 1048575, 0, 1048575},
                 {"torus:1048575", 0, 524288, 524287},
                 {"mesh:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", 0, 65535, 16},
                 {"torus:3x3x3x3x3x3x3x3x3x3", 59048, 0, 10},
                 {"king-mesh:1024x700", 0, 1024 * 699 + 1, 699}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].text);
        struct net_routing routing;
        struct base_error error = {0};
        assert_int_equal(net_routing_init(&routing, topology, "", 0, &error), 0);
        assert_int_equal(net_topology_distance(topology, cases[i].from, cases[i].to), cases[i].hops);
        assert_int_equal(net_routing_hops(&routing, cases[i].from, cases[i].to), cases[i].hops);
        net_topology_free(topology);
    }
}

static void impossible_pairs_are_refused(void **state)
{
    static const struct {
        const char *topology, *routing;
        uint32_t channels;
        const char *answer;
    } cases[] = {
        {"mesh:4x4", "knaive", 0,
         "'knaive' does not serve topology 'mesh:4x4'; it serves: king-mesh, king-torus; "
         "routings for mesh: dimension-order"},
        {"king-torus:4x4", "dimension-order", 0, "it serves: mesh, torus; routings for king-torus: knaive"},
        {"mesh:4x4", "dimension-oder", 0,
         "unknown routing 'dimension-oder'; did you mean 'dimension-order'?"},
        {"mesh:4x4", "zzz", 0, "unknown routing 'zzz'; known: dimension-order, diagonal-order, knaive"},
        {"ideal:4", "dimension-order", 0, "topology 'ideal:4' has no links and takes no routing"},
        {"ideal:4", NULL, 0, "takes no routing"},
        {"mesh:4x4", NULL, 17, "routing 'dimension-order' takes 1 to 16 virtual channels, not 17"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].topology);
        struct net_routing routing;
        struct base_error error = {0};
        assert_int_equal(net_routing_init(&routing, topology, cases[i].routing, cases[i].channels, &error),
                         -1);
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, cases[i].answer) == NULL)
            fail_msg("answered with: %s", error.text);
        net_topology_free(topology);
    }
}

static bool has_terminals(const struct net_topology *topology, uint32_t router)
{
    for (uint32_t terminal = 0; terminal < topology->terminals; terminal++)
        if (net_topology_router_of(topology, terminal) == router)
            return true;
    return false;
}

/* Loads of one pair add up to weight x hops, shared between the ways round. The ways of a dragonfly may differ in
 * length (over one of several links to the other group): then to the mean of these lengths. */
static void loads_add_up(const struct net_topology *topology, void *context)
{
    double *load = calloc((size_t)topology->link_count + 1, sizeof *load);
    struct net_routing routing;
    struct base_error error = {0};
    (void)context;
    assert_non_null(load);
    for (uint32_t b = 0; b < net_topology_ends_of_paths(topology); b++) {
        double sum = 0, largest = 0;
        assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
        memset(load, 0, topology->link_count * sizeof *load);
        net_routing_load(&routing, 0, b, 8.0, load);
        for (uint32_t l = 0; l < topology->link_count; l++) {
            sum += load[l];
            largest = load[l] > largest ? load[l] : largest;
        }
        /* Three ways share in thirds. Routings of trees have no way to a router without terminals. */
        if (routing.kind->variants(&routing, 0, b) > 0)
            assert_true(fabs(sum - 8.0 * net_routing_lengths(&routing, 0, b).mean) < 1e-9);
        else
            assert_true(sum < 1e-9 && !has_terminals(topology, b));
        assert_true(largest < 8.0 + 1e-9);
        net_routing_free(&routing);
    }
    free(load);
}

static void expected_loads_add_up(void **state)
{
    (void)state;
    cases_each_topology(loads_add_up, NULL);
}

static void opposite_ways_share(void **state)
{
    struct net_topology *topology = cases_topology("torus:4");
    struct net_routing routing;
    double load[8] = {0};
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, NULL), 0);
    net_routing_load(&routing, 0, 2, 1.0, load);
    for (uint32_t l = 0; l < 8; l++) {
        const struct net_link *link = &topology->links[l];
        bool on_a_way = link->port == 0 ? link->source < 2 : link->source == 0 || link->source == 3;
        assert_true(load[l] == (on_a_way ? 0.5 : 0));
    }
    net_topology_free(topology);
}

/* A stand-in that offers both directions of a mesh at once: from corner to corner of 2x2, each link half. */
static uint32_t route_either(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route)
{
    (void)router;
    uint64_t to_go = header ^ routing->arrived;
    route->ports[0] = 0;
    for (uint32_t d = 0; d < 2; d++)
        if (to_go >> routing->shift[d] & 3)
            route->ports[0] |= UINT64_C(1) << (2 * d);
    route->virtual_channels[0] = 1;
    return to_go != 0;
}

static void ports_of_a_tier_share(void **state)
{
    struct net_topology *topology = cases_topology("mesh:2x2");
    struct net_routing routing;
    struct net_routing_kind either;
    double load[8] = {0};
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, NULL), 0);
    either = *routing.kind;
    either.route = route_either;
    routing.kind = &either;
    net_routing_load(&routing, 0, 3, 1.0, load);
    for (uint32_t l = 0; l < 8; l++)
        assert_true(load[l] == (topology->links[l].port % 2 == 0 ? 0.5 : 0));
    net_topology_free(topology);
}

#define LAW(law)                                                                                             \
    {                                                                                                        \
        "every routing " #law, over_every_routing, NULL, NULL, (void *)(uintptr_t)(law)                      \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        LAW(arrives),
        LAW(is_as_short_as_promised),
        LAW(keeps_its_order),
        cmocka_unit_test(families_say_what_they_are_of),
        cmocka_unit_test(variants_are_the_ways_round),
        cmocka_unit_test(knaive_walks_its_record),
        cmocka_unit_test(without_rings_nothing_waits_in_a_circle),
        cmocka_unit_test(rings_do_wait_in_a_circle),
        cmocka_unit_test(wide_headers_arrive),
        cmocka_unit_test(impossible_pairs_are_refused),
        cmocka_unit_test(expected_loads_add_up),
        cmocka_unit_test(opposite_ways_share),
        cmocka_unit_test(ports_of_a_tier_share),
    };
    return cmocka_run_group_tests_name("routing", tests, NULL, NULL);
}
