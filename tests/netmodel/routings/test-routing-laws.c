/* Laws of every registered routing on every topology that it serves, over every choice that it offers: each
 * port exists, each header arrives, all choices are equally long and minimal ones minimal, expected loads are
 * those of the ways; a torus looks the same from everywhere; a packet that is alone takes the base latency.
 */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/engines/engine.h"
#include "tests/brief.h"
#include "tests/netmodel/cases.h"

#define PLACES_MAX 4096
#define ROUTERS_MAX 64 /* of the topologies that these laws explore pair by pair */

struct place {
    uint32_t router;
    uint64_t header;
    double weight;
};

struct ways {
    uint32_t hops; /* of all of them */
    bool arrived;  /* all at the same hop */
};

/* Checks what the engines rely on: tiers that are not empty, of ports that exist and channels that exist. */
static void check_route(const struct net_routing *routing, uint32_t router, const struct net_route *route,
                        uint32_t tiers)
{
    const struct net_topology *topology = routing->topology;
    uint32_t all = UINT32_MAX >> (32 - routing->virtual_channels), last = tiers - 1;
    assert_true(tiers <= NET_TIERS_MAX);
    for (uint32_t tier = 0; tier < tiers; tier++) {
        assert_true(route->ports[tier] != 0 && route->ports[tier] >> topology->ports == 0);
        assert_true(route->virtual_channels[tier] != 0 && (route->virtual_channels[tier] & ~all) == 0);
        for (uint64_t ports = route->ports[tier]; ports != 0; ports &= ports - 1)
            assert_int_not_equal(
                topology->link_at[router * topology->ports + (uint32_t)__builtin_ctzll(ports)], NET_NONE);
        /* An escape is apart from the other channels, or some of those that are drawn from together. */
        uint32_t shared = route->virtual_channels[tier] & route->virtual_channels[last];
        if (routing->kind->escape && tier != last)
            assert_true(shared == 0 || (shared == route->virtual_channels[last] &&
                                        route->ports[tier] == route->ports[last]));
    }
    /* Low buffers of shared channels are an escape that may have no company, and so are channels before a
     * dateline. */
    bool alone = topology->shared != NULL || strcmp(routing->kind->name, "dateline") == 0;
    assert_true(!routing->kind->escape || tiers >= 2 || alone);
    /* An escape is one way; over shared channels perhaps both ways round one ring, when they are equally
     * long. */
    uint64_t escape = route->ports[last];
    bool tie = topology->shared != NULL && escape == UINT64_C(3) << (__builtin_ctzll(escape) & ~1);
    assert_true(!routing->kind->escape || (escape & (escape - 1)) == 0 || tie);
}

static void add_place(struct place *places, uint32_t *count, const struct place *place)
{
    for (uint32_t i = 0; i < *count; i++)
        if (places[i].router == place->router && places[i].header == place->header) {
            places[i].weight += place->weight;
            return;
        }
    assert_true(*count < PLACES_MAX);
    places[(*count)++] = *place;
}

/* Walks every choice of every tier from router a, layer by layer; load (may be NULL) gets what an even spread
 * over the first tiers carries, by a sum of its own. Every router before the last is not b, or a later visit
 * is allowed for what is not minimal. */
static struct ways explore(const struct net_routing *routing, uint32_t a, uint32_t b, uint64_t header,
                           double weight, double *load)
{
    static struct place layers[2][PLACES_MAX];
    const struct net_topology *topology = routing->topology;
    uint32_t distance = net_topology_distance(topology, a, b), count = 1;
    struct ways ways = {0, false};
    layers[0][0] = (struct place){a, header, weight};
    for (; count > 0 && !ways.arrived; ways.hops++) {
        struct place *now = layers[ways.hops & 1], *next = layers[(ways.hops + 1) & 1];
        uint32_t next_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            struct net_route route = {.ports = {0}};
            uint32_t tiers = routing->kind->route(routing, now[i].router, now[i].header, &route);
            assert_true(i == 0 || ways.arrived == (tiers == 0));
            ways.arrived = tiers == 0;
            if (routing->kind->minimal)
                assert_int_equal(net_topology_distance(topology, now[i].router, b), distance - ways.hops);
            if (tiers == 0)
                assert_int_equal(now[i].router, b);
            else
                check_route(routing, now[i].router, &route, tiers);
            uint64_t ports = 0, first = route.ports[0];
            for (uint32_t tier = 0; tier < (routing->kind->strays ? 1 : tiers); tier++)
                ports |= route.ports[tier];
            for (; ports != 0; ports &= ports - 1) {
                uint32_t port = (uint32_t)__builtin_ctzll(ports);
                uint32_t link = topology->link_at[now[i].router * topology->ports + port];
                double share = first >> port & 1 ? now[i].weight / __builtin_popcountll(first) : 0;
                struct place place = {topology->links[link].target,
                                      routing->kind->step(routing, now[i].router, now[i].header, port),
                                      share};
                if (load != NULL)
                    load[link] += share;
                add_place(next, &next_count, &place);
            }
        }
        if (ways.arrived)
            return ways;
        count = next_count;
        assert_true(ways.hops < 1000);
    }
    return ways;
}

/* Of a routing that strays: however it does, it arrives, within twice the links of the shortest path. */
static void follow_strays(const struct net_routing *routing, uint32_t a, uint32_t b, uint64_t header)
{
    static struct place layers[2][PLACES_MAX];
    const struct net_topology *topology = routing->topology;
    uint32_t count = 1, hops = 0;
    layers[0][0] = (struct place){a, header, 1};
    for (; count > 0; hops++) {
        struct place *now = layers[hops & 1], *next = layers[(hops + 1) & 1];
        uint32_t next_count = 0;
        assert_true(hops <= 2 * net_topology_distance(topology, a, b));
        for (uint32_t i = 0; i < count; i++) {
            struct net_route route = {.ports = {0}};
            uint32_t tiers = routing->kind->route(routing, now[i].router, now[i].header, &route);
            assert_int_equal(tiers == 0, now[i].router == b);
            if (tiers > 0)
                check_route(routing, now[i].router, &route, tiers);
            for (uint32_t tier = 0; tier < tiers; tier++)
                for (uint32_t port = net_route_next(topology, &route, tier, 0); port != NET_NONE;
                     port = net_route_next(topology, &route, tier, port + 1)) {
                    uint32_t link = topology->link_at[now[i].router * topology->ports + port];
                    struct place place = {topology->links[link].target,
                                          routing->kind->step(routing, now[i].router, now[i].header, port),
                                          0};
                    add_place(next, &next_count, &place);
                }
        }
        count = next_count;
    }
}

/* Routers that messages may come from: all channels, although m-way routers may be more than those. */
static uint32_t places_of(const struct net_topology *topology)
{
    return topology->shared != NULL ? topology->routers : topology->terminals / topology->concentration;
}

/* ---- over everything that is registered ---- */

typedef void pair_law(const struct net_routing *routing, void *context);

struct each {
    pair_law *law;
    void *context;
    unsigned pairs; /* of routing and topology */
    uint32_t routers_max;
};

static void over_routings(const struct net_topology *topology, void *context)
{
    struct each *each = context;
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    for (size_t i = 0; i < count && topology->routers <= each->routers_max; i++) {
        struct net_routing routing;
        struct base_error error = {0};
        if (!net_routing_serves(kinds[i], topology))
            continue;
        if (net_routing_init(&routing, topology, kinds[i]->name, 0, &error) != 0) {
            assert_int_equal(error.status, BASE_USAGE);
            assert_true(strlen(error.text) > 20);
            continue;
        }
        each->law(&routing, each->context);
        each->pairs++;
        net_routing_free(&routing);
    }
}

static unsigned over_every_pair(pair_law *law, void *context, uint32_t routers_max)
{
    struct each each = {law, context, 0, routers_max};
    cases_each_topology(over_routings, &each);
    cases_each_graph(over_routings, &each);
    return each.pairs;
}

/* All variants, or when there are very many a sample that is even over all of them. */
static uint32_t variant_step(uint32_t variants)
{
    return variants <= 72 ? 1 : variants / 37;
}

static void arrives(const struct net_routing *routing, void *context)
{
    const struct net_topology *topology = routing->topology;
    uint32_t ends = places_of(topology);
    if (topology->concentration > 1 && topology->grid != NULL)
        return;
    for (uint32_t a = 0; a < ends; a += *(uint32_t *)context)
        for (uint32_t b = 0; b < ends; b++) {
            uint32_t variants = routing->kind->variants(routing, a, b);
            uint32_t distance = net_topology_distance(topology, a, b);
            assert_true(variants >= 1);
            for (uint32_t v = 0; v < variants; v += variant_step(variants)) {
                uint64_t header = routing->kind->start(routing, a, b, v);
                struct ways ways = explore(routing, a, b, header, 1, NULL);
                assert_true(ways.arrived && ways.hops >= distance);
                if (routing->kind->strays)
                    follow_strays(routing, a, b, header);
                if (routing->kind->minimal || v == 0)
                    assert_int_equal(ways.hops, net_routing_hops(routing, a, b));
            }
        }
}

static void every_choice_arrives_and_is_as_short_as_promised(void **state)
{
    uint32_t part = brief_step("sources", 9);
    (void)state;
    assert_true(over_every_pair(arrives, &part, ROUTERS_MAX) > 150);
}

/* From one router to all others, also where routers have several terminals. */
static void loads_are_those_of_the_ways(const struct net_routing *routing, void *context)
{
    const struct net_topology *topology = routing->topology;
    double *told = calloc(2 * ((size_t)topology->link_count + 1), sizeof *told);
    double *walked = told + topology->link_count + 1;
    unsigned *compared = context;
    assert_non_null(told);
    for (uint32_t b = 0; b < places_of(topology); b++) {
        uint32_t a = places_of(topology) / 3, variants = routing->kind->variants(routing, a, b), longest = 0;
        struct net_way_lengths lengths = net_routing_lengths(routing, a, b);
        double sum = 0, mean = 0;
        memset(told, 0, 2 * ((size_t)topology->link_count + 1) * sizeof *told);
        assert_int_equal(net_routing_load(routing, a, b, 8.0, told), 0);
        for (uint32_t v = 0; v < variants; v++) {
            uint64_t header = routing->kind->start(routing, a, b, v);
            struct ways ways = explore(routing, a, b, header, 8.0 / variants, walked);
            longest = ways.hops > longest ? ways.hops : longest;
            mean += (double)ways.hops / variants;
        }
        for (uint32_t l = 0; l < topology->link_count; l++) {
            assert_true(fabs(told[l] - walked[l]) < 1e-9);
            sum += told[l];
        }
        assert_true(fabs(lengths.mean - mean) < 1e-9);
        assert_int_equal(lengths.longest, longest);
        assert_true(fabs(sum - 8.0 * mean) < 1e-9);
        ++*compared;
    }
    free(told);
}

static void expected_loads_are_those_of_the_ways(void **state)
{
    unsigned compared = 0;
    (void)state;
    over_every_pair(loads_are_those_of_the_ways, &compared, 36);
    assert_true(compared > 2000);
}

/* ---- choices ---- */

/* Whether a packet between the two has one, found by walking: as long as there is none, there is one way. */
static bool finds_choice(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct net_topology *topology = routing->topology;
    uint64_t header = routing->kind->start(routing, a, b, 0);
    struct net_route route = {.ports = {0}};
    uint32_t tiers;

    if (routing->kind->variants(routing, a, b) > 1 && routing->kind->variant == NULL)
        return true;
    for (uint32_t router = a; (tiers = routing->kind->route(routing, router, header, &route)) != 0;) {
        for (uint32_t tier = 0; tier < tiers; tier++)
            if ((route.ports[tier] & (route.ports[tier] - 1)) != 0 ||
                (topology->shared == NULL &&
                 (route.virtual_channels[tier] & (route.virtual_channels[tier] - 1)) != 0))
                return true;
        uint32_t port = (uint32_t)__builtin_ctzll(route.ports[0]);
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[topology->link_at[router * topology->ports + port]].target;
    }
    return false;
}

/* What chooses was said to, and what does not was not: bit 0, never said; bit 1, said and found. */
struct choosers {
    const struct net_routing_kind *kind[64];
    uint32_t is[64];
    uint32_t count;
};

static uint32_t *chooser_of(struct choosers *choosers, const struct net_routing_kind *kind)
{
    for (uint32_t i = 0; i < choosers->count; i++)
        if (strcmp(choosers->kind[i]->name, kind->name) == 0) /* in all its forms */
            return &choosers->is[i];
    assert_true(choosers->count < 64);
    choosers->kind[choosers->count] = kind;
    return &choosers->is[choosers->count++];
}

static void choices_are_admitted(const struct net_routing *routing, void *context)
{
    uint32_t ends = places_of(routing->topology);
    uint32_t *is = chooser_of(context, routing->kind);
    bool found = false;

    assert_non_null(routing->kind->chooses);
    for (uint32_t a = 0; a < ends && !found; a++)
        for (uint32_t b = 0; b < ends && !found; b++)
            found = finds_choice(routing, a, b);
    if (found && !routing->kind->chooses(routing))
        fail_msg("%s on %s has choices, and denies it", routing->text, routing->topology->text);
    *is |= routing->kind->chooses(routing) ? (found ? 2 : 0) : 1;
}

static void with_another_channel(const struct net_routing *routing, void *context)
{
    struct net_routing wider;
    struct base_error error = {0};

    choices_are_admitted(routing, context);
    if (routing->virtual_channels == NET_VIRTUAL_CHANNELS_MAX ||
        net_routing_init(&wider, routing->topology, routing->text, routing->virtual_channels + 1, &error) !=
            0)
        return;
    choices_are_admitted(&wider, context);
    net_routing_free(&wider);
}

/* A routing that never chooses is exact, so nobody may say it who does; and one that always says so has
 * choices. */
static void what_chooses_says_so(void **state)
{
    struct choosers choosers = {.count = 0};

    (void)state;
    assert_true(over_every_pair(with_another_channel, &choosers, 36) > 150);
    for (uint32_t i = 0; i < choosers.count; i++) {
        if ((choosers.is[i] & 2) == 0 && choosers.kind[i]->chooses != net_routing_chooses_never)
            fail_msg("%s never had a choice", choosers.kind[i]->name);
        if ((choosers.is[i] & 1) == 0 && choosers.kind[i]->chooses != net_routing_chooses_always)
            fail_msg("%s always says that it has choices", choosers.kind[i]->name);
    }
}

/* ---- legs ---- */

/* One port at every router, the next one of the legs, on all channels; and no leg is left on arrival. */
static void check_legs(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct net_topology *topology = routing->topology;
    uint64_t header = routing->kind->start(routing, a, b, variant);
    uint64_t legs = routing->kind->legs(routing, header);
    struct net_route route = {.ports = {0}};
    for (uint32_t router = a; routing->kind->route(routing, router, header, &route) != 0;) {
        uint32_t port = (uint32_t)(legs & NET_LEG_PORT);
        assert_true(legs != 0);
        assert_true(route.ports[0] == UINT64_C(1) << port);
        assert_int_equal(route.virtual_channels[0], UINT32_MAX >> (32 - routing->virtual_channels));
        header = routing->kind->step(routing, router, header, port);
        legs = net_legs_step(legs);
        router = topology->links[topology->link_at[router * topology->ports + port]].target;
    }
    assert_true(legs == 0);
}

static void legs_are_the_way(const struct net_routing *routing, void *context)
{
    const struct net_topology *topology = routing->topology;
    unsigned *compared = context;
    if (!routing->legs)
        return;
    assert_true(routing->uniform && routing->kind->legs != NULL);
    /* Of large networks some pairs from corner to corner. */
    uint32_t step = 1 + topology->routers / 67;
    for (uint32_t a = 0; a < topology->routers; a += step)
        for (uint32_t b = a % 3; b < topology->routers; b += step, ++*compared)
            for (uint32_t v = 0; v < routing->kind->variants(routing, a, b); v++)
                check_legs(routing, a, b, v);
}

static void legs_are_what_the_routing_says(void **state)
{
    static const char *const large[][2] = {{"torus:256x256", "dimension-order"},
                                           {"mesh:4096x2", "dimension-order"},
                                           {"king-torus:100x301", "knaive"},
                                           {"king-mesh:64x200", "knaive"}};
    unsigned compared = 0;
    struct base_error error = {0};
    (void)state;
    assert_true(over_every_pair(legs_are_the_way, &compared, ROUTERS_MAX) > 150);
    assert_true(compared > 20000);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        struct net_routing routing;
        struct net_topology *topology = net_topology_new(large[i][0], &error);
        assert_non_null(topology);
        assert_int_equal(net_routing_init(&routing, topology, large[i][1], 0, &error), 0);
        assert_true(routing.legs);
        legs_are_the_way(&routing, &compared);
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

/* More dimensions or longer sides than legs have room for: the routing is asked as any other. */
static void legs_that_do_not_fit_are_not_promised(void **state)
{
    static const char *const texts[] = {"mesh:2x2x2x2x2", "mesh:4097x2", "torus:3x4097"};
    struct base_error error = {0};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct net_routing routing;
        struct net_topology *topology = net_topology_new(texts[i], &error);
        assert_non_null(topology);
        assert_int_equal(net_routing_init(&routing, topology, "dimension-order", 0, &error), 0);
        assert_false(routing.legs);
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

/* ---- a torus looks the same from everywhere ---- */

static uint32_t translate(const struct net_topology *topology, uint32_t router, const uint32_t *by)
{
    uint32_t coordinates[NET_DIMENSIONS_MAX];
    uint32_t stride = 1, moved = 0;
    net_topology_coordinates(topology, router, coordinates);
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        moved += (coordinates[d] + by[d]) % topology->grid->sides[d] * stride;
        stride *= topology->grid->sides[d];
    }
    return moved;
}

/* The digest of a few hundred random packets, all routers moved by so much. */
static void run_translated(const struct net_routing *routing, const uint32_t *by, char text[BASE_DIGEST_TEXT])
{
    struct base_error error = {0};
    struct net_options options = {.packet_flits = 4, .seed = 7};
    struct net_network *network = net_network_new(routing->topology, routing, &options, &error);
    struct base_random random;
    if (network == NULL)
        fail_msg("%s", error.text);
    base_random_seed(&random, 11, routing->topology->routers);
    for (uint32_t i = 0; i < 240; i++) {
        uint32_t source = (uint32_t)base_random_below(&random, routing->topology->routers);
        uint32_t target = (uint32_t)base_random_below(&random, routing->topology->routers);
        struct net_message message = {.source = translate(routing->topology, source, by),
                                      .target = translate(routing->topology, target, by),
                                      .flits = 1 + base_random_below(&random, 6),
                                      .tag = i};
        assert_int_equal(net_network_inject(network, i / 12, &message, &error), 0);
    }
    while (net_network_pending(network) > 0)
        if (net_network_advance(network, UINT64_MAX, &error) < 0)
            fail_msg("%s on %s: %s", routing->text, routing->topology->text, error.text);
    base_digest_text(&net_network_statistics(network)->digest, text);
    net_network_free(network);
}

static void translations_leave_results_unchanged(const struct net_routing *routing, void *context)
{
    const struct net_topology *topology = routing->topology;
    unsigned *tried = context;
    uint32_t none[NET_DIMENSIONS_MAX] = {0};
    uint32_t by[NET_DIMENSIONS_MAX];
    char here[BASE_DIGEST_TEXT], there[BASE_DIGEST_TEXT];
    /* Up-down routing has a root. */
    if (!net_topology_wraps(topology) || topology->concentration > 1 || topology->routers < 2 ||
        strcmp(routing->kind->name, "up-down") == 0)
        return;
    /* A dateline is at one place of its ring, and so are the halves of rings of shared channels. */
    if (strcmp(routing->kind->name, "dateline") == 0 || topology->shared != NULL)
        return;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        by[d] = 1 + (d + topology->routers) % topology->grid->sides[d];
    run_translated(routing, none, here);
    run_translated(routing, by, there);
    assert_string_equal(here, there);
    ++*tried;
}

static void a_torus_looks_the_same_from_everywhere(void **state)
{
    unsigned tried = 0;
    (void)state;
    over_every_pair(translations_leave_results_unchanged, &tried, ROUTERS_MAX);
    assert_true(tried > 60);
}

/* ---- a packet alone ---- */

/* Latencies that no two pairs share, so that a term which is forgotten anywhere shows. */
static struct net_options options_alone(unsigned pair)
{
    return (struct net_options){.seed = pair,
                                .packet_flits = 1 + pair % 7,
                                .flow_control = pair % 3 == 1 ? NET_WORMHOLE : NET_CUT_THROUGH,
                                .multiplexed = pair % 3 == 2,
                                .link_cycles = 1 + pair / 3 % 3,
                                .router_cycles = 1 + pair / 9 % 3,
                                .credit_cycles = 1 + pair / 27 % 2};
}

/* Sends one packet through the network, when also the last one's credits are back; returns its latency, and
 * how many links it crossed. */
static uint64_t send_alone(struct net_network *network, uint32_t source, uint32_t target, uint64_t *links)
{
    const struct net_statistics *statistics = net_network_statistics(network);
    uint64_t hops = statistics->packet_hops, latency = statistics->latency_sum_cycles;
    struct net_message message = {.source = source, .target = target, .flits = network->options.packet_flits};
    struct base_error error = {0};
    if (net_network_inject(network, net_network_now(network) + 16, &message, &error) < 0)
        fail_msg("%s", error.text);
    while (net_network_pending(network) > 0)
        if (net_network_advance(network, UINT64_MAX, &error) < 0)
            fail_msg("%s", error.text);
    statistics = net_network_statistics(network);
    *links = statistics->packet_hops - hops;
    return statistics->latency_sum_cycles - latency;
}

/* Cycles a flit of the narrowest link. */
static uint64_t narrowest_of(const struct net_topology *topology)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < topology->link_count; i++)
        most = topology->links[i].flit_cycles > most ? topology->links[i].flit_cycles : most;
    return most;
}

/* Narrow links add up to W - 1 cycles each to the header's way, and as many to each flit behind it; how much in all is
 * for test-own-links and the reference to say. */
static void check_latency(const struct net_topology *topology, const struct net_options *options,
                          uint64_t links, uint64_t latency)
{
    uint64_t least =
        links * options->link_cycles + (links + 1) * (options->router_cycles - 1) + options->packet_flits - 1;
    assert_true(latency >= least);
    assert_true(latency <= least + (narrowest_of(topology) - 1) * (links + options->packet_flits - 1));
}

/* d * L + (d + 1) * (R - 1) + P - 1 cycles over d links of full width: the distance of the two, where the routing is
 * minimal (doc/flit-engine.md, rule 2). */
static void alone_takes_the_base_latency(const struct net_routing *routing, void *context)
{
    const struct net_topology *topology = routing->topology;
    unsigned *pairs = context;
    struct base_error error = {0};
    struct net_options options = options_alone((*pairs)++);
    if (topology->shared != NULL || topology->kind->apart) /* of engines that have a law of their own */
        return;
    if (routing->kind->never_waits) /* packets of one flit, and nothing to choose but latencies of links */
        options = (struct net_options){
            .seed = *pairs, .packet_flits = 1, .link_cycles = options.link_cycles, .router_cycles = 1};
    struct net_network *network = net_network_new(topology, routing, &options, &error);
    if (network == NULL && options.flow_control == NET_WORMHOLE) { /* the bubble rule reserves packets */
        assert_non_null(strstr(error.text, "needs virtual cut-through"));
        options.flow_control = NET_CUT_THROUGH;
        network = net_network_new(topology, routing, &options, &error);
    }
    if (network == NULL)
        fail_msg("%s on %s: %s", routing->text, topology->text, error.text);
    for (uint32_t source = 0; source < topology->terminals; source += 1 + topology->terminals / 5)
        for (uint32_t target = 0; target < topology->terminals; target++) {
            uint32_t a = net_topology_router_of(topology, source);
            uint32_t b = net_topology_router_of(topology, target);
            uint64_t links;
            uint64_t latency = send_alone(network, source, target, &links);
            check_latency(topology, &options, links, latency);
            assert_true(links >= net_topology_distance(topology, a, b));
            if (routing->kind->minimal)
                assert_int_equal(links, net_topology_distance(topology, a, b));
        }
    net_network_free(network);
}

static void a_packet_alone_takes_the_base_latency(void **state)
{
    unsigned pairs = 0;
    (void)state;
    over_every_pair(alone_takes_the_base_latency, &pairs, ROUTERS_MAX);
    assert_true(pairs > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_choice_arrives_and_is_as_short_as_promised),
        cmocka_unit_test(expected_loads_are_those_of_the_ways),
        cmocka_unit_test(what_chooses_says_so),
        cmocka_unit_test(legs_are_what_the_routing_says),
        cmocka_unit_test(legs_that_do_not_fit_are_not_promised),
        cmocka_unit_test(a_torus_looks_the_same_from_everywhere),
        cmocka_unit_test(a_packet_alone_takes_the_base_latency),
    };
    return cmocka_run_group_tests_name("routing-laws", tests, NULL, NULL);
}
