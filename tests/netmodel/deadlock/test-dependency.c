/* The check for deadlock: every registered routing passes on every topology it serves; routings drawn at
 * random get the verdict of a brute force that follows every packet over every path; wrong ones are caught,
 * with a circle that is one. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "netmodel/deadlock/dependency-internal.h"
#include "netmodel/faults/failing.h"
#include "netmodel/faults/rings.h"
#include "tests/brief.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"
#include "tests/netmodel/routings/table-routing.h"

#define CHANNELS_MAX 192
#define WORDS (CHANNELS_MAX / 64)

/* ---- the brute force ---- */

/* Who waits for whom, by paths: direct from the channel a packet came by, extended from every channel it has
 * crossed. */
struct brute {
    const struct net_routing *routing;
    uint64_t direct[CHANNELS_MAX][WORDS], extended[CHANNELS_MAX][WORDS];
    uint32_t held[64]; /* the path */
    uint32_t depth;
    /* When looking for a packet that holds one channel and waits for the other. */
    bool looking, indirect, found;
    uint32_t from, to;
};

static bool has(uint64_t rows[][WORDS], uint32_t a, uint32_t b)
{
    return (rows[a][b / 64] >> (b % 64) & 1) != 0;
}

static void add(uint64_t rows[][WORDS], uint32_t a, uint32_t b)
{
    rows[a][b / 64] |= UINT64_C(1) << (b % 64);
}

/* The channel of a port and a virtual channel at a router. */
static uint32_t channel_at(const struct net_routing *routing, uint32_t router, uint32_t port, uint32_t v)
{
    const struct net_topology *topology = routing->topology;
    uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
    assert_int_not_equal(link, NET_NONE);
    return link * routing->virtual_channels + v;
}

static bool is_bubble(const struct net_routing *routing, uint32_t channel)
{
    uint32_t v = channel % routing->virtual_channels;
    uint32_t port = routing->topology->links[channel / routing->virtual_channels].port;
    return net_topology_in_ring(routing->topology, port) && (routing->bubble_channels >> v & 1) != 0;
}

/* Whether b continues a along a ring under the bubble rule. */
static bool continues(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    uint32_t channels = routing->virtual_channels;
    return is_bubble(routing, a) && a % channels == b % channels &&
           routing->topology->links[a / channels].port == routing->topology->links[b / channels].port;
}

/* The packet at the end of its path waits for an escape. */
static void wait_for(struct brute *brute, uint32_t escape, bool may_go_on)
{
    if (brute->depth == 0)
        return;
    uint32_t last = brute->held[brute->depth - 1];
    bool direct = !may_go_on || continues(brute->routing, last, escape);
    if (brute->looking) {
        for (uint32_t i = brute->indirect ? 0 : brute->depth - 1; i < brute->depth; i++)
            if (brute->held[i] == brute->from && escape == brute->to && (brute->indirect || direct))
                brute->found = true;
        return;
    }
    if (direct)
        add(brute->direct, last, escape);
    for (uint32_t i = 0; i < brute->depth; i++)
        add(brute->extended, brute->held[i], escape);
}

static void follow(struct brute *brute, uint32_t router, uint64_t header)
{
    const struct net_routing *routing = brute->routing;
    struct net_route route;
    uint32_t tiers = routing->kind->route(routing, router, header, &route);
    bool may_go_on = false;
    for (int pass = 0; pass < 3; pass++) /* may it go on along its ring; what it waits for; where it goes */
        for (uint32_t tier = 0; tier < tiers; tier++)
            for (uint32_t port = 0; port < routing->topology->ports; port++)
                for (uint32_t v = 0; v < routing->virtual_channels; v++) {
                    bool escape = !routing->kind->escape || tier + 1 == tiers;
                    if ((route.ports[tier] >> port & 1) == 0 || (route.virtual_channels[tier] >> v & 1) == 0)
                        continue;
                    uint32_t channel = channel_at(routing, router, port, v);
                    if (pass == 0 && escape && brute->depth > 0)
                        may_go_on = may_go_on || continues(routing, brute->held[brute->depth - 1], channel);
                    if (pass == 1 && escape)
                        wait_for(brute, channel, may_go_on);
                    if (pass < 2 || brute->found)
                        continue;
                    assert_true(brute->depth < 64);
                    brute->held[brute->depth++] = channel;
                    follow(brute, routing->topology->links[channel / routing->virtual_channels].target,
                           routing->kind->step(routing, router, header, port));
                    brute->depth--;
                }
}

static void follow_from(struct brute *brute, uint32_t a, uint32_t b)
{
    const struct net_routing_kind *kind = brute->routing->kind;
    for (uint32_t v = 0; a != b && v < kind->variants(brute->routing, a, b); v++)
        follow(brute, a, kind->start(brute->routing, a, b, v));
}

static struct brute *brute_force(const struct net_routing *routing)
{
    struct brute *brute = calloc(1, sizeof *brute);
    assert_non_null(brute);
    assert_true(routing->topology->link_count * routing->virtual_channels <= CHANNELS_MAX);
    brute->routing = routing;
    for (uint32_t a = 0; a < routing->topology->routers; a++)
        for (uint32_t b = 0; b < routing->topology->routers; b++)
            follow_from(brute, a, b);
    return brute;
}

/* reach[a]: what can be reached from a by one edge or more (S. Warshall, 1962). */
static void close_over(uint64_t edges[][WORDS], uint64_t reach[][WORDS])
{
    memcpy(reach, edges, CHANNELS_MAX * sizeof *reach);
    for (uint32_t middle = 0; middle < CHANNELS_MAX; middle++)
        for (uint32_t a = 0; a < CHANNELS_MAX; a++)
            if (has(reach, a, middle))
                for (uint32_t w = 0; w < WORDS; w++)
                    reach[a][w] |= reach[middle][w];
}

/* What the definition says: unless they go on along a ring under the bubble rule, dependencies close no
 * circle. */
static enum net_deadlock_argument expected(const struct net_routing *routing, uint64_t edges[][WORDS],
                                           bool bubble)
{
    static uint64_t reach[CHANNELS_MAX][WORDS];
    enum net_deadlock_argument answer = NET_ACYCLIC;
    close_over(edges, reach);
    for (uint32_t a = 0; a < CHANNELS_MAX; a++)
        for (uint32_t b = 0; b < CHANNELS_MAX; b++) {
            if (!has(edges, a, b) || (a != b && !has(reach, b, a)))
                continue;
            if (!bubble || !continues(routing, a, b))
                return NET_CYCLIC;
            answer = NET_BUBBLE;
        }
    return answer;
}

/* Each channel leads to the next, not all of them along one ring under the bubble rule, and the named packets
 * do have these dependencies. */
static void expect_circle(const struct net_routing *routing, const struct net_deadlock_verdict *verdict,
                          bool extended, bool bubble)
{
    uint32_t channels = routing->virtual_channels, along = 0;
    assert_true(verdict->length > 0);
    for (uint32_t i = 0; i < verdict->length; i++) {
        const struct net_dependency *at = &verdict->cycle[i];
        const struct net_dependency *next = &verdict->cycle[(i + 1) % verdict->length];
        struct brute brute = {.routing = routing,
                              .from = at->link * channels + at->virtual_channel,
                              .to = next->link * channels + next->virtual_channel,
                              .looking = true,
                              .indirect = extended};
        const struct net_link *links = routing->topology->links;
        assert_true(extended || links[at->link].target == links[next->link].source);
        for (uint32_t j = 0; j < i; j++)
            assert_true(verdict->cycle[j].link != at->link ||
                        verdict->cycle[j].virtual_channel != at->virtual_channel);
        follow_from(&brute, at->source, at->target);
        assert_true(brute.found);
        along += continues(routing, brute.from, brute.to);
    }
    assert_true(!bubble || along < verdict->length);
}

/* ---- random routings ---- */

static const struct {
    const char *topology;
    uint32_t virtual_channels;
    bool escape, bubble, single;
} drawn[] = {
    {"mesh:3x3", 1, false, false, false},         {"mesh:3x3", 2, true, false, false},
    {"mesh:4x3", 1, false, false, true},          {"king-mesh:3x3", 2, true, false, false},
    {"king-mesh:3x3", 1, false, false, false},    {"torus:5", 1, false, true, false},
    {"torus:3x3", 1, false, true, false},         {"torus:3x3", 1, false, true, true},
    {"torus:3x3", 1, false, false, true},         {"torus:3x3", 2, true, true, true},
    {"torus:4x2", 2, false, true, false},         {"king-torus:3x3", 1, false, true, true},
    {"diagonal-torus:4x3", 1, false, true, true}, {"mesh:3x2x2", 2, true, false, false},
};

static void draw(struct table_routing *table, const struct net_topology *topology, size_t i, uint64_t seed)
{
    uint32_t all = (1u << drawn[i].virtual_channels) - 1;
    table_routing_init(table, topology, drawn[i].escape, drawn[i].virtual_channels);
    table->routing.bubble_channels = drawn[i].bubble ? UINT32_MAX : 0;
    if (drawn[i].escape)
        table_fill(table, 0, all & ~1u, table_random_set, seed);
    table_fill(table, drawn[i].escape ? 1 : 0, drawn[i].escape ? 1 : all,
               drawn[i].single || drawn[i].escape ? table_random_one : table_random_set, seed);
    if (seed % 4 == 0) /* an orderly one among them */
        table_fill(table, drawn[i].escape ? 1 : 0, drawn[i].escape ? 1 : all, table_first, seed);
}

static void compare(const struct net_routing *routing, unsigned seen[2][NET_CYCLIC + 1])
{
    struct net_deadlock_check check;
    struct base_error error = {0};
    struct brute *brute = brute_force(routing);
    assert_int_equal(net_deadlock_check(routing, &check, &error), 0);
    assert_true(check.connected);
    assert_int_equal(check.cut_through.argument, expected(routing, brute->direct, true));
    assert_int_equal(check.wormhole.argument, expected(routing, brute->extended, false));
    seen[0][check.cut_through.argument]++;
    seen[1][check.wormhole.argument]++;
    if (check.cut_through.argument == NET_CYCLIC)
        expect_circle(routing, &check.cut_through, false, true);
    if (check.wormhole.argument == NET_CYCLIC)
        expect_circle(routing, &check.wormhole, true, false);
    free(brute);
    net_deadlock_check_free(&check);
}

static void random_routings_get_the_verdict_of_brute_force(void **state)
{
    unsigned seen[2][NET_CYCLIC + 1] = {{0}};
    uint64_t seeds = brief_count("seeds", 40, 4);
    (void)state;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        struct net_topology *topology = cases_topology(drawn[i].topology);
        for (uint64_t seed = 0; seed < seeds; seed++) {
            struct table_routing table;
            draw(&table, topology, i, seed);
            compare(&table.routing, seen);
            table_routing_free(&table);
        }
        net_topology_free(topology);
    }
    unsigned often = brief() ? 10 : 50;
    assert_true(seen[0][NET_ACYCLIC] > often && seen[0][NET_BUBBLE] > often && seen[0][NET_CYCLIC] > often);
    assert_true(seen[1][NET_ACYCLIC] > often && seen[1][NET_CYCLIC] > often);
}

/* ---- every registered pair ---- */

/* Under cut-through all pairs; where nothing wraps, no bubble is needed, and wormhole is as safe. A routing
 * may refuse a shape that it does not know (o1turn three dimensions), and Valiant's has too many headers on
 * the larger ones. */
static void expect_free(const struct net_topology *topology, const struct net_routing_kind *kind,
                        uint32_t more)
{
    struct net_routing routing;
    struct net_deadlock_check check;
    struct base_error error = {0};
    if (net_routing_init(&routing, topology, kind->name, net_routing_needs(kind, topology) + more, &error) !=
        0) {
        assert_int_equal(error.status, BASE_USAGE);
        assert_non_null(strstr(error.text, kind->name));
        return;
    }
    uint64_t pairs = (uint64_t)topology->routers * topology->routers;
    if (routing.kind->variants(&routing, 0, topology->routers - 1) * pairs > UINT64_C(1) << 18) {
        net_routing_free(&routing);
        return;
    }
    if (net_deadlock_check(&routing, &check, &error) != 0)
        fail_msg("%s on %s: %s", kind->name, topology->text, error.text);
    if (!net_deadlock_free(&check, &check.cut_through))
        fail_msg("%s on %s, %u more: can deadlock", kind->name, topology->text, more);
    if (kind->never_waits) {
        assert_int_equal(check.cut_through.argument, NET_NO_WAITS);
        assert_int_equal(check.wormhole.argument, NET_NO_WAITS);
    } else if (!net_topology_wraps(topology) ||
               topology->shared != NULL) { /* rings of shared channels know no bubbles either */
        assert_int_equal(check.cut_through.argument, NET_ACYCLIC);
        if (check.wormhole.argument != NET_ACYCLIC)
            fail_msg("%s on %s, %u more: can deadlock under wormhole", kind->name, topology->text, more);
    }
    net_deadlock_check_free(&check);
    net_routing_free(&routing);
}

static void check_topology(const struct net_topology *topology, void *context)
{
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    unsigned *pairs = context;
    for (size_t i = 0; i < count; i++)
        if ((topology->concentration == 1 || topology->grid == NULL) &&
            net_routing_serves(kinds[i], topology)) {
            expect_free(topology, kinds[i], 0);
            expect_free(topology, kinds[i], 1);
            ++*pairs;
        }
}

static void every_registered_pair_is_free(void **state)
{
    unsigned pairs = 0;
    (void)state;
    cases_each_topology(check_topology, &pairs);
    cases_each_graph(check_topology, &pairs);
    assert_true(pairs >= 100);
}

/* ---- a virtual channel too few ---- */

/* What is routed to the last virtual channel goes to the one before. */
static uint32_t route_narrowly(const struct net_routing *routing, uint32_t router, uint64_t header,
                               struct net_route *route)
{
    uint32_t tiers = routing->inner->kind->route(routing->inner, router, header, route);
    for (uint32_t tier = 0; tier < tiers; tier++) {
        uint32_t *mask = &route->virtual_channels[tier];
        uint32_t last = UINT32_C(1) << routing->virtual_channels;
        if ((*mask & last) != 0)
            *mask = (*mask & ~last) | last >> 1;
    }
    return tiers;
}

/* Whether a circle closes without the last of the channels that a routing needs. */
static bool is_refuted(const struct net_routing *routing)
{
    struct net_routing_kind kind = *routing->kind;
    struct net_routing narrow = *routing;
    struct net_deadlock_check check;
    struct base_error error = {0};
    kind.route = route_narrowly;
    narrow.kind = &kind;
    narrow.inner = routing;
    narrow.virtual_channels--;
    if (net_deadlock_check(&narrow, &check, &error) != 0)
        fail_msg("%s on %s: %s", kind.name, routing->topology->text, error.text);
    bool cyclic = check.cut_through.argument == NET_CYCLIC && check.wormhole.argument == NET_CYCLIC;
    net_deadlock_check_free(&check);
    return cyclic;
}

static uint32_t route_on_one(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route)
{
    uint32_t tiers = routing->inner->kind->route(routing->inner, router, header, route);
    for (uint32_t tier = 0; tier < tiers; tier++)
        route->virtual_channels[tier] = 1;
    return tiers;
}

/* Minimal in its own form takes several virtual channels exactly where one would close a circle. */
static void minimal_counts_hops_where_it_must(const struct net_topology *topology, void *context)
{
    extern const struct net_routing_kind net_routing_minimal;
    unsigned *refuted = context;
    struct net_routing_kind kind = net_routing_minimal;
    struct net_deadlock_check check;
    struct net_routing routing;
    if (!net_routing_serves(&net_routing_minimal, topology) ||
        net_routing_init(&routing, topology, "minimal", 0, NULL) != 0)
        return;
    struct net_routing narrow = routing;
    kind.route = route_on_one;
    narrow.kind = &kind;
    narrow.inner = &routing;
    narrow.virtual_channels = 1;
    if (routing.kind == &net_routing_minimal && topology->routers > 1) {
        assert_int_equal(net_deadlock_check(&narrow, &check, NULL), 0);
        assert_int_equal(check.cut_through.argument == NET_CYCLIC, routing.virtual_channels > 1);
        refuted[routing.virtual_channels > 1]++;
        net_deadlock_check_free(&check);
    }
    net_routing_free(&routing);
}

static void one_channel_is_enough_where_no_circle_closes(void **state)
{
    unsigned refuted[2] = {0, 0};
    (void)state;
    cases_each_example(minimal_counts_hops_where_it_must, refuted);
    cases_each_graph(minimal_counts_hops_where_it_must, refuted);
    assert_true(refuted[0] > 5 && refuted[1] > 5);
}

struct refutations {
    const char *kind[64], *routing[64];
    bool refuted[64];
    uint32_t count;
};

static bool *refutation_of(struct refutations *all, const char *kind, const char *routing)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->kind[i] == kind && all->routing[i] == routing)
            return &all->refuted[i];
    assert_true(all->count < 64);
    all->kind[all->count] = kind;
    all->routing[all->count] = routing;
    return &all->refuted[all->count++];
}

/* Of networks with named ports. A routing that counts hops says that it may take more than it needs: minimal where it
 * has no form of its own. */
static void refute(const struct net_topology *topology, void *context)
{
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    for (size_t i = 0; i < count && topology->named != NULL; i++) {
        struct net_routing routing;
        struct base_error error = {0};
        if (!net_routing_serves(kinds[i], topology) ||
            net_routing_init(&routing, topology, kinds[i]->name, 0, &error) != 0)
            continue;
        if (routing.virtual_channels > 1 &&
            (strcmp(kinds[i]->name, "minimal") != 0 || routing.kind != kinds[i])) {
            bool refuted = is_refuted(&routing);
            if (!refuted && strcmp(kinds[i]->name, topology->kind->routing) == 0)
                fail_msg("%s on %s needs a channel less", kinds[i]->name, topology->text);
            *refutation_of(context, topology->kind->name, kinds[i]->name) |= refuted;
        }
        net_routing_free(&routing);
    }
}

/* The default routing of a kind needs all of its channels wherever it says so; others at least somewhere. */
static void a_channel_too_few_is_refuted(void **state)
{
    struct refutations all = {.count = 0};
    (void)state;
    cases_each_example(refute, &all);
    assert_true(all.count >= 2); /* minimal on dragonflies and on Slim Flies */
    for (uint32_t i = 0; i < all.count; i++)
        if (!all.refuted[i])
            fail_msg("%s never needs all of its channels on a %s", all.routing[i], all.kind[i]);
}

/* ---- wrong routings ---- */

struct wrong {
    const char *topology;
    uint32_t virtual_channels;
    bool escape, bubble;
    uint64_t (*first)(const struct net_topology *, uint32_t, uint32_t, uint64_t);
    uint64_t (*last)(const struct net_topology *, uint32_t, uint32_t, uint64_t);
    enum net_deadlock_argument cut_through, wormhole;
    uint32_t length; /* of the shortest circle under cut-through */
};

static const struct wrong wrong[] = {
    /* Minimal and adaptive without an escape: four channels around a square, or three around a triangle. */
    {"mesh:5x5", 1, false, true, table_all, NULL, NET_CYCLIC, NET_CYCLIC, 4},
    /* The shorter way round a ring without a dateline: once round. */
    {"ring:8", 1, false, false, table_all, NULL, NET_CYCLIC, NET_CYCLIC, 8},
    {"ring:5", 2, false, false, table_all, NULL, NET_CYCLIC, NET_CYCLIC, 5},
    {"torus:8x8", 1, false, true, table_all, NULL, NET_CYCLIC, NET_CYCLIC, 4},
    {"torus:8x8", 2, false, true, table_all, NULL, NET_CYCLIC, NET_CYCLIC, 4},
    {"king-mesh:6x6", 1, false, true, table_all, NULL, NET_CYCLIC, NET_CYCLIC, 4},
    {"king-torus:8x8", 3, false, true, table_all, NULL, NET_CYCLIC, NET_CYCLIC, 4},
    /* 2S hop-by-hop with its escape by any profitable port instead of the first. */
    {"king-torus:8x8", 2, true, true, table_all, table_all, NET_CYCLIC, NET_CYCLIC, 4},
    {"king-mesh:8x8", 2, true, true, table_all, table_all, NET_CYCLIC, NET_CYCLIC, 4},
    /* As it should be. */
    {"king-mesh:8x8", 2, true, true, table_all, table_first, NET_ACYCLIC, NET_ACYCLIC, 0},
    {"mesh:6x6", 2, true, true, table_all, table_first, NET_ACYCLIC, NET_ACYCLIC, 0},
    {"torus:7x7", 2, true, true, table_all, table_first, NET_BUBBLE, NET_CYCLIC, 0},
    {"king-torus:7x7", 2, true, true, table_all, table_first, NET_BUBBLE, NET_CYCLIC, 0},
    /* A ring that has lost its bubble. */
    {"torus:7", 1, false, false, table_first, NULL, NET_CYCLIC, NET_CYCLIC, 7},
    {"torus:5x7", 1, false, false, table_first, NULL, NET_CYCLIC, NET_CYCLIC, 5},
};

static void wrong_routings_are_caught(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct net_topology *topology = cases_topology(wrong[i].topology);
        uint32_t all = (1u << wrong[i].virtual_channels) - 1;
        struct table_routing table;
        struct net_deadlock_check check;
        struct base_error error = {0};
        table_routing_init(&table, topology, wrong[i].escape, wrong[i].virtual_channels);
        table.routing.bubble_channels = wrong[i].bubble ? UINT32_MAX : 0;
        table_fill(&table, 0, wrong[i].escape ? all & ~1u : all, wrong[i].first, 0);
        if (wrong[i].last != NULL)
            table_fill(&table, 1, 1, wrong[i].last, 0);
        assert_int_equal(net_deadlock_check(&table.routing, &check, &error), 0);
        assert_true(check.connected);
        assert_int_equal(check.cut_through.argument, wrong[i].cut_through);
        assert_int_equal(check.wormhole.argument, wrong[i].wormhole);
        assert_int_equal(check.cut_through.length, wrong[i].length);
        assert_int_equal(net_deadlock_free(&check, &check.cut_through), wrong[i].length == 0);
        if (wrong[i].length != 0)
            expect_circle(&table.routing, &check.cut_through, false, true);
        net_deadlock_check_free(&check);
        table_routing_free(&table);
        net_topology_free(topology);
    }
}

/* Eastward with an escape to the right only: at the right border there is no way on to what lies left. */
static uint64_t straight_on(const struct net_topology *topology, uint32_t router, uint32_t target,
                            uint64_t seed)
{
    (void)target, (void)seed;
    return topology->link_at[(size_t)router * topology->ports] != NET_NONE ? 1 : 0;
}

/* Back and forth in a line, for ever. */
static uint64_t to_and_fro(const struct net_topology *topology, uint32_t router, uint32_t target,
                           uint64_t seed)
{
    (void)seed, (void)target;
    return topology->link_at[(size_t)router * topology->ports] != NET_NONE ? 1 : 2;
}

static void escapes_that_lead_nowhere_are_caught(void **state)
{
    uint64_t (*const escapes[])(const struct net_topology *, uint32_t, uint32_t, uint64_t) = {straight_on,
                                                                                              to_and_fro};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct net_topology *topology = cases_topology("mesh:4x2");
        struct table_routing table;
        struct net_deadlock_check check;
        struct base_error error = {0};
        table_routing_init(&table, topology, true, 2);
        table_fill(&table, 0, 2, table_all, 0);
        table_fill(&table, 1, 1, escapes[i], 0);
        assert_int_equal(net_deadlock_check(&table.routing, &check, &error), 0);
        assert_false(check.connected);
        assert_false(net_deadlock_free(&check, &check.cut_through));
        assert_true(check.stray_source < 8 && check.stray_target < 8 && check.stray < 8);
        net_deadlock_check_free(&check);
        table_routing_free(&table);
        net_topology_free(topology);
    }
}

/* ---- misrouting: where wormhole and cut-through differ ---- */

/* Header: target + 1, and in bit 32 whether a detour is left. */
#define DETOUR (UINT64_C(1) << 32)

static uint64_t start_detour(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)variant;
    return a == b ? 0 : DETOUR | (b + 1);
}

static uint32_t route_detour(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route)
{
    const struct net_topology *topology = routing->topology;
    uint32_t target = (uint32_t)header - 1;
    if (header == 0)
        return 0;
    uint64_t shortest = table_shortest_ports(topology, router, target);
    route->ports[0] = shortest;
    for (uint32_t port = 0; port < topology->ports && (header & DETOUR) != 0; port++)
        if (topology->link_at[(size_t)router * topology->ports + port] != NET_NONE)
            route->ports[0] |= UINT64_C(1) << port;
    route->virtual_channels[0] = 2;
    route->ports[1] = shortest & -shortest;
    route->virtual_channels[1] = 1;
    return 2;
}

static uint64_t step_detour(const struct net_routing *routing, uint32_t router, uint64_t header,
                            uint32_t port)
{
    const struct net_topology *topology = routing->topology;
    uint32_t target = (uint32_t)header - 1;
    bool shortest = (table_shortest_ports(topology, router, target) >> port & 1) != 0;
    if (topology->links[topology->link_at[(size_t)router * topology->ports + port]].target == target)
        return 0;
    return shortest ? header : header & ~DETOUR;
}

/* A packet that holds an escape in Y, goes astray and needs one in X: no matter under cut-through, where it
 * has left the first; a circle under wormhole, where it has not. */
static void detours_need_cut_through(void **state)
{
    struct net_topology *topology = cases_topology("mesh:3x3");
    struct table_routing table;
    struct net_deadlock_check check;
    struct base_error error = {0};
    (void)state;
    table_routing_init(&table, topology, true, 2);
    table.kind.start = start_detour;
    table.kind.route = route_detour;
    table.kind.step = step_detour;
    assert_int_equal(net_deadlock_check(&table.routing, &check, &error), 0);
    assert_true(check.connected);
    assert_int_equal(check.cut_through.argument, NET_ACYCLIC);
    assert_int_equal(check.wormhole.argument, NET_CYCLIC);
    expect_circle(&table.routing, &check.wormhole, true, false);
    net_deadlock_check_free(&check);
    table_routing_free(&table);
    net_topology_free(topology);
}

/* ---- wide routers ---- */

/* In a full mesh: always so many routers on, by one port, until the target comes up; and by way of router 0. */
#define WIDE_STEP 101

static uint64_t start_wide(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)variant;
    return a == b ? 0 : b + 1;
}

static uint32_t route_round(const struct net_routing *routing, uint32_t router, uint64_t header,
                            struct net_route *route)
{
    if (header == router + 1)
        return 0;
    net_route_only(routing->topology, route, 0, WIDE_STEP - 1);
    route->virtual_channels[0] = (1u << routing->virtual_channels) - 1;
    return 1;
}

static uint32_t route_by_hub(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route)
{
    uint32_t routers = routing->topology->routers, to = router == 0 ? (uint32_t)header - 1 : 0;
    if (header == router + 1)
        return 0;
    net_route_only(routing->topology, route, 0, (to + routers - router - 1) % routers);
    route->virtual_channels[0] = (1u << routing->virtual_channels) - 1;
    return 1;
}

static uint64_t step_wide(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)routing, (void)router, (void)port;
    return header;
}

/* Sets of three words and of seven, with virtual channels on both sides of the border between words. Rings of 131
 * channels are circles; whoever goes to the hub waits for each way on from it, and no further. */
static void wide_routers_get_the_verdict(void **state)
{
    struct net_topology *topology = cases_topology("full-mesh:131");
    (void)state;
    for (uint32_t channels = 1; channels <= 3; channels += 2) {
        struct table_routing table;
        struct net_deadlock_check check;
        struct base_error error = {0};
        table_routing_init(&table, topology, false, channels);
        table.kind.start = start_wide;
        table.kind.step = step_wide;
        table.kind.route = route_round;
        assert_int_equal(net_deadlock_check(&table.routing, &check, &error), 0);
        assert_int_equal(check.cut_through.argument, NET_CYCLIC);
        assert_int_equal(check.cut_through.length, 131);
        for (uint32_t i = 0; i < 131; i++) {
            const struct net_link *link = &topology->links[check.cut_through.cycle[i].link];
            assert_int_equal(link->port, WIDE_STEP - 1);
            assert_int_equal(link->target,
                             topology->links[check.cut_through.cycle[(i + 1) % 131].link].source);
            assert_true(check.cut_through.cycle[i].source < 131 && check.cut_through.cycle[i].target < 131);
        }
        assert_int_equal(check.escapes, 131 * channels);
        net_deadlock_check_free(&check);
        table.kind.route = route_by_hub;
        assert_int_equal(net_deadlock_check(&table.routing, &check, &error), 0);
        assert_int_equal(check.cut_through.argument, NET_ACYCLIC);
        assert_int_equal(check.wormhole.argument, NET_ACYCLIC);
        assert_int_equal(check.cut_through.dependencies, 130 * 129 * channels * channels);
        assert_int_equal(check.longest_escape, 2);
        net_deadlock_check_free(&check);
        table_routing_free(&table);
    }
    net_topology_free(topology);
}

/* ---- routers that are alike ---- */

static void expect_same_verdict(const struct net_routing *routing, const struct net_deadlock_verdict *a,
                                const struct net_deadlock_verdict *b)
{
    bool same = a->argument == b->argument && a->dependencies == b->dependencies && a->length == b->length;
    for (uint32_t i = 0; same && i < a->length; i++)
        same = memcmp(&a->cycle[i], &b->cycle[i], sizeof a->cycle[i]) == 0;
    if (!same)
        fail_msg("%s on %s, %u channels: one walk finds another verdict than all", routing->kind->name,
                 routing->topology->text, routing->virtual_channels);
}

/* One walk in place of many must tell the same of everything. Without the promise to look at displacements alone every
 * target is walked to. Returns whether anything could differ. */
static bool compare_with_all_walks(const struct net_routing *routing)
{
    struct net_routing any = *routing;
    struct net_deadlock_check one, all;
    struct base_error error = {0};
    any.uniform = false;
    if (!routing->uniform || !net_topology_wraps(routing->topology) || routing->topology->routers > 64)
        return false;
    assert_int_equal(net_deadlock_check(routing, &one, &error), 0);
    assert_int_equal(net_deadlock_check(&any, &all, &error), 0);
    assert_int_equal(one.channels, all.channels);
    assert_int_equal(one.escapes, all.escapes);
    assert_int_equal(one.headers, all.headers);
    assert_int_equal(one.longest_escape, all.longest_escape);
    assert_int_equal(one.connected, all.connected);
    assert_int_equal(one.stray, all.stray);
    assert_int_equal(one.stray_source, all.stray_source);
    assert_int_equal(one.stray_target, all.stray_target);
    expect_same_verdict(routing, &one.cut_through, &all.cut_through);
    expect_same_verdict(routing, &one.wormhole, &all.wormhole);
    net_deadlock_check_free(&one);
    net_deadlock_check_free(&all);
    return true;
}

/* Under the bubble rule, without it, and without escapes: what is proved, and circles with their packets. */
static void compare_walks(const struct net_topology *topology, void *context)
{
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    unsigned *compared = context;
    for (size_t i = 0; i < 2 * count; i++) {
        struct net_routing routing;
        if (!net_routing_serves(kinds[i / 2], topology) ||
            net_routing_init(&routing, topology, kinds[i / 2]->name,
                             net_routing_needs(kinds[i / 2], topology) + i % 2, NULL) != 0)
            continue;
        struct net_routing_kind kind = *routing.kind;
        *compared += compare_with_all_walks(&routing);
        routing.kind = &kind;
        kind.escape = false;
        *compared += compare_with_all_walks(&routing);
        routing.bubble_channels = 0;
        *compared += compare_with_all_walks(&routing);
        net_routing_free(&routing);
    }
}

static void one_walk_stands_for_all_where_routers_are_alike(void **state)
{
    unsigned compared = 0;
    (void)state;
    cases_each_topology(compare_walks, &compared);
    assert_true(compared > 200);
}

/* A side in which one link leads elsewhere, though the routing promises what it does on a torus. */
static void routers_that_differ_are_all_walked_to(void **state)
{
    struct net_topology *topology = cases_topology("torus:4x4");
    struct net_routing routing;
    struct base_error error = {0};
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    assert_true(net_walk_is_alike(&routing));
    struct net_link *links = malloc(topology->link_count * sizeof *links);
    struct net_topology other = *topology;
    assert_non_null(links);
    memcpy(links, topology->links, topology->link_count * sizeof *links);
    links[topology->link_count - 1].target = 0;
    other.links = links;
    routing.topology = &other;
    assert_false(net_walk_is_alike(&routing));
    routing.topology = topology;
    routing.inner = &routing;
    assert_false(net_walk_is_alike(&routing));
    routing.inner = NULL;
    free(links);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* ---- limits ---- */

static void huge_networks_are_refused(void **state)
{
    static const struct {
        const char *topology;
        uint32_t virtual_channels;
        const char *answer;
    } cases[] = {{"mesh:4096x4096", 1, "is too large to check routing 'dimension-order' for deadlock"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].topology);
        struct net_routing routing;
        struct net_deadlock_check check;
        struct base_error error = {0};
        assert_int_equal(net_routing_init(&routing, topology, NULL, cases[i].virtual_channels, &error), 0);
        assert_int_equal(net_deadlock_check(&routing, &check, &error), -1);
        assert_int_equal(error.status, BASE_USAGE);
        assert_non_null(strstr(error.text, cases[i].answer));
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

static int check_once(void *state)
{
    struct net_deadlock_check check;
    struct base_error error = {0};
    if (net_deadlock_check(state, &check, &error) != 0)
        return -1;
    net_deadlock_check_free(&check);
    return 0;
}

/* With circles to find and without, and with the extended graph. */
static void memory_may_run_out_anywhere(void **state)
{
    struct net_topology *topology = cases_topology("torus:6x6");
    (void)state;
    for (uint32_t wrong_one = 0; wrong_one < 3; wrong_one++) {
        struct table_routing table;
        table_routing_init(&table, topology, true, 2);
        table_fill(&table, 0, 2, table_all, 0);
        table_fill(&table, 1, 1, wrong_one == 0 ? table_all : table_first, 0);
        if (wrong_one == 2)
            table.kind.escape = false;
        assert_true(fail_alloc_each(check_once, &table.routing) > 10);
        table_routing_free(&table);
    }
    net_topology_free(topology);
}

/* ---- links that have failed ---- */

/* A network under a fault routing, when no control packet is on its way any more. */
struct failed {
    struct net_topology *topology;
    struct net_faults faults;
    struct net_routing routing;
    struct net_control control;
    struct net_rings rings;
};

/* false: no way goes around these faults. Free in either case. */
static bool fail_links(struct failed *failed, const struct net_fault_routing *kind, const char *network,
                       const char *faults)
{
    struct base_error error = {0};
    *failed = (struct failed){.topology = net_topology_new(network, &error)};
    assert_non_null(failed->topology);
    if (!kind->serves->contains(failed->topology) ||
        net_faults_init(&failed->faults, failed->topology, faults, 1000000, &error) != 0)
        return false;
    assert_int_equal(
        net_routing_init_failing(&failed->routing, failed->topology, NULL, 0, &failed->faults, kind, &error),
        0);
    const struct net_control_options options = {.routing = kind};
    assert_int_equal(net_control_init(&failed->control, &failed->faults, &options, &error), 0);
    assert_int_equal(net_control_finish(&failed->control, &error), 0);
    assert_int_equal(net_rings_init(&failed->rings, &failed->control, false, &error), 0);
    return net_rings_check(&failed->rings, &failed->control, &error) == 0;
}

static void free_failed(struct failed *failed)
{
    net_rings_free(&failed->rings);
    net_control_free(&failed->control);
    net_routing_free(&failed->routing);
    net_faults_free(&failed->faults);
    net_topology_free(failed->topology);
}

static enum net_deadlock_argument verdict_of(const struct failed *failed, bool one_place, bool returns)
{
    struct base_error error = {0};
    struct net_deadlock_check check;
    const struct net_deadlock_faults faults = {&failed->control, &failed->rings, one_place, returns};
    assert_int_equal(net_deadlock_check_faults(&failed->routing, &faults, &check, &error), 0);
    assert_true(check.connected);
    enum net_deadlock_argument argument = check.cut_through.argument;
    net_deadlock_check_free(&check);
    return argument;
}

/* Law 7 of doc/faults.md: by their bubble rings are the only circles; without it packets can wait in a circle, and so
 * they can if they go from a ring straight into the escape. Not every set closes such a circle: it takes an escape that
 * leads from a ring to the dead link. Immunet has no escape left to go into. */
static void rings_around_faults_are_proved(void **state)
{
    static const char *const networks[] = {"mesh:5x4", "torus:5x5", "king-mesh:5x5", "king-mesh:8x8",
                                           "king-torus:5x6"};
    size_t count;
    const struct net_fault_routing *const *kinds = net_fault_routings(&count);
    unsigned returned[8] = {0}; /* [kind]: sets that the wrong way back closes circles with */
    unsigned proved = 0, sets = (unsigned)brief_count("sets of faults", 12, 3);
    (void)state;
    for (size_t k = 0; k < count; k++)
        for (size_t n = 0; n < sizeof networks / sizeof *networks; n++)
            for (unsigned seed = 1; seed <= sets; seed++) {
                struct failed failed;
                char faults[32];
                snprintf(faults, sizeof faults, "%u,seed=%u", 1 + seed % 4, seed);
                if (fail_links(&failed, kinds[k], networks[n], faults)) {
                    assert_int_equal(verdict_of(&failed, false, false), NET_BUBBLE);
                    assert_int_equal(verdict_of(&failed, true, false), NET_CYCLIC);
                    returned[k] += verdict_of(&failed, false, true) == NET_CYCLIC;
                    proved++;
                }
                free_failed(&failed);
            }
    assert_true(proved > 10 * sets);
    for (size_t k = 0; k < count; k++)
        if ((returned[k] > 0) == kinds[k]->escape_before_waves)
            fail_msg("%s: %u circles through a ring and the escape", kinds[k]->name, returned[k]);
}

/* Whether a packet begins its way from a router to b with that header, in one of its variants. */
static bool is_start(const struct net_routing *base, uint32_t router, uint32_t b, uint64_t header)
{
    for (uint32_t v = 0; v < base->kind->variants(base, router, b); v++)
        if (base->kind->start(base, router, b, v) == header)
            return true;
    return false;
}

/* All headers on the ways of a header to b, over links that live or die. */
static void follow_starts(const struct net_routing *base, uint32_t router, uint32_t b, uint64_t header)
{
    const struct net_topology *topology = base->topology;
    struct net_route route;
    uint32_t tiers = base->kind->route(base, router, header, &route);
    if (!is_start(base, router, b, header))
        fail_msg("%s: no packet starts from router %" PRIu32 " to %" PRIu32 " with header %" PRIx64,
                 topology->text, router, b, header);
    for (uint32_t tier = 0; tier < tiers; tier++)
        for (uint64_t ports = route.ports[tier]; ports != 0; ports &= ports - 1) {
            uint32_t port = (uint32_t)__builtin_ctzll(ports);
            uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
            follow_starts(base, topology->links[link].target, b,
                          base->kind->step(base, router, header, port));
        }
}

/* "Why nothing waits for ever" of doc/faults.md: the proof walks from every router to every target, with every header
 * that a packet may start with there. Packets that are under way when links die, at whatever router and by whatever
 * links that have died since, have no others; so the proof is of them, too. */
static void packets_under_way_are_as_at_a_start(void **state)
{
    static const char *const networks[] = {"mesh:5x4", "torus:5x4", "torus:6x3", "king-mesh:5x5",
                                           "king-torus:5x4"};
    size_t count;
    const struct net_fault_routing *const *kinds = net_fault_routings(&count);
    (void)state;
    for (size_t k = 0; k < count; k++)
        for (size_t n = 0; n < sizeof networks / sizeof *networks; n++) {
            struct failed failed;
            if (fail_links(&failed, kinds[k], networks[n], "1,seed=1")) {
                const struct net_routing *base = failed.routing.inner;
                for (uint32_t a = 0; a < failed.topology->routers; a++)
                    for (uint32_t b = 0; b < failed.topology->routers; b++)
                        for (uint32_t v = 0; a != b && v < base->kind->variants(base, a, b); v++)
                            follow_starts(base, a, b, base->kind->start(base, a, b, v));
            }
            free_failed(&failed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_routings_get_the_verdict_of_brute_force),
        cmocka_unit_test(every_registered_pair_is_free),
        cmocka_unit_test(a_channel_too_few_is_refuted),
        cmocka_unit_test(one_channel_is_enough_where_no_circle_closes),
        cmocka_unit_test(wrong_routings_are_caught),
        cmocka_unit_test(escapes_that_lead_nowhere_are_caught),
        cmocka_unit_test(detours_need_cut_through),
        cmocka_unit_test(wide_routers_get_the_verdict),
        cmocka_unit_test(one_walk_stands_for_all_where_routers_are_alike),
        cmocka_unit_test(routers_that_differ_are_all_walked_to),
        cmocka_unit_test(huge_networks_are_refused),
        cmocka_unit_test(rings_around_faults_are_proved),
        cmocka_unit_test(packets_under_way_are_as_at_a_start),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("dependency", tests, NULL, NULL);
}
