/* The deflection engine: on every random network and traffic it and the dense reference agree in the
 * delivery cycle of every packet (through the digest), in every notice and in every count; and the laws of
 * doc/deflection.md.
 *
 *      FLITREPLAY_CASES=N      number of cases; 3200, or a part of them (tests/brief.h)
 *      FLITREPLAY_CASE=N       case N alone */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/deflection-engine/internal.h"
#include "netmodel/network.h"
#include "netmodel/topologies/one-way.h"
#include "tests/brief.h"
#include "tests/netmodel/cases.h"
#include "tests/netmodel/deflection-engine/reference.h"

enum { MESSAGES_MAX = 400, CASES = 3200 };

static const char *const rules[REFERENCE_RULES] = {"oldest", "random", "straight-through", "closest",
                                                   "preferential"};

struct test_case {
    char topology_text[64], routing_text[96];
    struct net_topology *topology;
    struct net_routing routing;
    struct reference_setup setup;
    struct reference_message messages[MESSAGES_MAX];
    size_t count;
    bool early; /* all messages are given before the first cycle */
};

/* What the engine came to, message by message. */
struct outcome {
    uint64_t sent[MESSAGES_MAX], delivered[MESSAGES_MAX], lost[MESSAGES_MAX];
};

static uint32_t draw(struct base_random *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)base_random_below(random, high - low + 1);
}

/* ---- cases ---- */

/* Up to 64 routers of two to five dimensions, sides even and odd; and ShuffleNets. */
static void draw_topology(struct base_random *random, char text[64])
{
    static const char *const shuffles[] = {"shufflenet:2,1", "shufflenet:2,2", "shufflenet:2,3",
                                           "shufflenet:2,4", "shufflenet:3,1", "shufflenet:3,2",
                                           "shufflenet:4,1", "shufflenet:4,2", "shufflenet:5,1"};
    uint32_t dimensions = draw(random, 2, 5), routers = 1;
    uint32_t length;
    if (draw(random, 0, 3) == 0) {
        snprintf(text, 64, "%s", shuffles[draw(random, 0, sizeof shuffles / sizeof *shuffles - 1)]);
        return;
    }
    length = (uint32_t)snprintf(text, 64, dimensions == 2 && draw(random, 0, 1) == 0 ? "manhattan" : "darm");
    for (uint32_t d = 0; d < dimensions; d++) {
        uint32_t most = 64 / routers >> (dimensions - 1 - d);
        uint32_t side;
        most = most > 8 ? 8 : most;
        side = draw(random, 2, most);
        side -= side > 2 && side % 2 != 0 && draw(random, 0, 1) == 0;
        routers *= side;
        length += (uint32_t)snprintf(text + length, 64 - length, "%c%" PRIu32, d == 0 ? ':' : 'x', side);
    }
}

static uint32_t draw_target(struct base_random *random, uint32_t pattern, uint32_t source, uint32_t terminals)
{
    if (draw(random, 0, 15) == 0)
        return source;
    switch (pattern) {
    case 0:
        return terminals / 3; /* a hot spot */
    case 1:
        return (source + terminals / 2) % terminals;
    case 2:
        return draw(random, 0, 2) == 0 ? 0 : draw(random, 0, terminals - 1);
    default:
        return draw(random, 0, terminals - 1);
    }
}

/* From one message now and then to bursts that fill every link. Those given early may be in any order of
 * time. */
static void draw_messages(struct base_random *random, struct test_case *made)
{
    uint32_t pattern = draw(random, 0, 6), gap = draw(random, 0, 3) == 0 ? draw(random, 1, 30) : 0;
    uint32_t longest = draw(random, 0, 2) == 0 ? draw(random, 2, 12) : 1;
    uint32_t terminals = made->topology->terminals;
    uint64_t cycle = draw(random, 0, 5);
    made->count = draw(random, 1, draw(random, 0, 2) == 0 ? MESSAGES_MAX : 120);
    for (size_t i = 0; i < made->count; i++) {
        struct reference_message *message = &made->messages[i];
        message->cycle = cycle;
        message->source = draw(random, 0, terminals - 1);
        message->target = draw_target(random, pattern, message->source, terminals);
        message->flits = made->setup.lossy ? 1 : draw(random, 1, longest);
        cycle += gap != 0 ? draw(random, 0, gap) : draw(random, 0, 11) == 0;
    }
    for (size_t i = 0; made->early && i < made->count; i++) {
        size_t other = (size_t)base_random_below(random, made->count);
        uint64_t swapped = made->messages[i].cycle;
        if (draw(random, 0, 3) != 0)
            continue;
        made->messages[i].cycle = made->messages[other].cycle;
        made->messages[other].cycle = swapped;
    }
}

static void make_case(struct test_case *made, uint64_t number)
{
    struct base_random random;
    struct base_error error = {0};
    base_random_seed(&random, number, UINT64_C(0x6465666c));
    memset(made, 0, sizeof *made);
    draw_topology(&random, made->topology_text);
    made->topology = cases_topology(made->topology_text);
    made->early = draw(&random, 0, 1) == 0;
    made->setup = (struct reference_setup){.topology = made->topology,
                                           .rule = (enum reference_rule)(number % REFERENCE_RULES),
                                           .equal = draw(&random, 0, 1) == 0,
                                           .lossy = draw(&random, 0, 3) == 0,
                                           .absorbs = draw(&random, 0, 2) == 0 ? draw(&random, 1, 3) : 0,
                                           .link_cycles = draw(&random, 0, 2) == 0 ? draw(&random, 2, 5) : 1,
                                           .seed = base_random_next(&random)};
    draw_messages(&random, made);
    snprintf(made->routing_text, sizeof made->routing_text, "deflection,rule=%s,new=%s",
             rules[made->setup.rule], made->setup.equal ? "equal" : "after");
    if (net_routing_init(&made->routing, made->topology, made->routing_text, 0, &error) != 0)
        fail_msg("%s: %s", made->routing_text, error.text);
}

static void free_case(struct test_case *made)
{
    net_routing_free(&made->routing);
    net_topology_free(made->topology);
}

/* ---- the engine ---- */

static void give(struct net_network *network, const struct test_case *made, size_t i)
{
    struct base_error error = {0};
    const struct reference_message *given = &made->messages[i];
    const struct net_message message = {.source = given->source,
                                        .target = given->target,
                                        .flits = given->flits,
                                        .tag = i,
                                        .notice_sent = true};
    if (net_network_inject(network, given->cycle, &message, &error) != 0)
        fail_msg("inject: %s", error.text);
}

static void take_notices(struct net_network *network, struct outcome *outcome)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(network, &count);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) {
        uint64_t *cycles = notices[i].kind == NET_SENT   ? outcome->sent
                           : notices[i].kind == NET_LOST ? outcome->lost
                                                         : outcome->delivered;
        assert_true(cycles[notices[i].tag] == REFERENCE_NEVER);
        cycles[notices[i].tag] = net_network_now(network) - 1;
    }
}

static void run_engine(struct net_network *network, const struct test_case *made, struct outcome *outcome)
{
    struct base_error error = {0};
    size_t given = 0;
    for (size_t i = 0; i < MESSAGES_MAX; i++)
        outcome->sent[i] = outcome->delivered[i] = outcome->lost[i] = REFERENCE_NEVER;
    for (;;) {
        while (given < made->count &&
               (made->early || made->messages[given].cycle <= net_network_now(network)))
            give(network, made, given++);
        uint64_t limit = given < made->count ? made->messages[given].cycle : UINT64_MAX;
        int status = net_network_advance(network, limit, &error);
        if (status < 0)
            fail_msg("advance: %s", error.text);
        if (status > 0)
            take_notices(network, outcome);
        if (net_network_check(network, &error) != 0)
            fail_msg("check: %s", error.text);
        if (status == 0 && given == made->count)
            return;
    }
}

/* ---- agreement ---- */

static void compare_messages(const struct test_case *made, const struct reference_result *reference,
                             const struct outcome *outcome)
{
    for (size_t m = 0; m < made->count; m++) {
        if (outcome->sent[m] == reference->sent[m] && outcome->delivered[m] == reference->delivered[m] &&
            outcome->lost[m] == reference->lost[m])
            continue;
        fail_msg("message %zu from %" PRIu32 " to %" PRIu32 " in cycle %" PRIu64 ": sent %" PRId64
                 " not %" PRId64 ", delivered %" PRId64 " not %" PRId64 ", lost %" PRId64 " not %" PRId64,
                 m, made->messages[m].source, made->messages[m].target, made->messages[m].cycle,
                 (int64_t)outcome->sent[m], (int64_t)reference->sent[m], (int64_t)outcome->delivered[m],
                 (int64_t)reference->delivered[m], (int64_t)outcome->lost[m], (int64_t)reference->lost[m]);
    }
}

static void compare_counts(const struct test_case *made, const struct reference_result *reference,
                           const struct net_statistics *statistics)
{
    struct base_digest digest = {0};
    uint64_t hops = 0, latency = 0, packets = 0, lost = 0;
    for (size_t i = 0; i < reference->packet_count; i++) {
        const struct reference_packet *packet = &reference->packets[i];
        lost += packet->delivered == REFERENCE_NEVER;
        if (packet->delivered == REFERENCE_NEVER)
            continue;
        packets++;
        hops += packet->hops;
        latency += packet->delivered - made->messages[packet->message].cycle;
        base_digest_add(&digest, (uint64_t[]){packet->message, packet->number, packet->delivered}, 3);
    }
    assert_int_equal(statistics->packets, packets);
    assert_int_equal(statistics->flits, packets);
    assert_int_equal(statistics->lost_messages, lost);
    assert_int_equal(statistics->packet_hops, hops);
    assert_int_equal(statistics->latency_sum_cycles, latency);
    assert_memory_equal(&statistics->digest, &digest, sizeof digest);
    assert_memory_equal(statistics->link_flits, reference->link_flits,
                        made->topology->link_count * sizeof(uint64_t));
    assert_memory_equal(statistics->deflected_flits, reference->deflected,
                        made->topology->routers * sizeof(uint64_t));
    assert_int_equal(statistics->reassembly_packets_max, reference->held_most);
}

/* ---- laws, of what the reference saw ---- */

/* What a deflection adds, in networks where that is one number; and Little's law, in which nothing is
 * approximate when all have left. */
static void check_hops(const struct test_case *made, const struct reference_result *reference)
{
    const struct net_one_way *one_way = made->topology->one_way;
    uint64_t travelled = 0;
    for (size_t i = 0; i < reference->packet_count; i++) {
        const struct reference_packet *packet = &reference->packets[i];
        if (packet->delivered == REFERENCE_NEVER)
            continue;
        assert_true(packet->hops >= packet->distance + packet->deflections * one_way->cost_min ||
                    made->setup.absorbs != 0);
        if (made->setup.absorbs == 0 && one_way->cost_min == one_way->cost_max)
            assert_int_equal(packet->hops, packet->distance + packet->deflections * one_way->cost_min);
        assert_int_equal(packet->delivered - packet->entered,
                         (uint64_t)packet->hops * made->setup.link_cycles);
        travelled += packet->delivered - packet->entered;
    }
    assert_int_equal(travelled, reference->inside_sum);
}

static bool is_before(const struct test_case *made, const struct reference_packet *a,
                      const struct reference_packet *b)
{
    uint64_t x = made->messages[a->message].cycle, y = made->messages[b->message].cycle;
    if (x != y)
        return x < y;
    return a->message != b->message ? a->message < b->message : a->number < b->number;
}

/* Rule oldest: with q older packets that were inside with it, a packet is delivered within (2q + 1)
 * diameters. */
static void check_ages(const struct test_case *made, const struct reference_result *reference)
{
    uint64_t diameter = made->topology->one_way->diameter;
    if (made->setup.rule != REFERENCE_OLDEST || made->setup.absorbs != 0)
        return;
    for (size_t i = 0; i < reference->packet_count; i++) {
        const struct reference_packet *packet = &reference->packets[i];
        uint64_t older = 0;
        if (packet->delivered == REFERENCE_NEVER)
            continue;
        for (size_t j = 0; j < reference->packet_count; j++)
            older += reference->packets[j].delivered != REFERENCE_NEVER &&
                     reference->packets[j].delivered >= packet->entered &&
                     reference->packets[j].entered <= packet->delivered &&
                     is_before(made, &reference->packets[j], packet);
        assert_true(packet->delivered - packet->entered <=
                    (2 * older + 1) * diameter * made->setup.link_cycles);
    }
}

static char current[512]; /* the case that is being run, in words */

static void run_case(uint64_t number)
{
    static struct test_case made;
    struct base_error error = {0};
    struct reference_result reference;
    struct outcome outcome;
    make_case(&made, number);
    const struct net_options options = {.consumers = made.setup.absorbs,
                                        .link_cycles = made.setup.link_cycles,
                                        .seed = made.setup.seed,
                                        .lossy = made.setup.lossy,
                                        .waits = number % 2 == 0};
    snprintf(current, sizeof current,
             "case %" PRIu64 ": %s, %s%s, %" PRIu32 " absorbed, link %" PRIu32 ", %zu messages", number,
             made.topology->text, made.routing_text, made.setup.lossy ? ", lossy" : "", made.setup.absorbs,
             made.setup.link_cycles, made.count);
    struct net_network *network = net_network_new(made.topology, &made.routing, &options, &error);
    if (network == NULL)
        fail_msg("%s", error.text);
    reference_run(&made.setup, made.messages, made.count, &reference);
    run_engine(network, &made, &outcome);
    compare_messages(&made, &reference, &outcome);
    compare_counts(&made, &reference, net_network_statistics(network));
    check_hops(&made, &reference);
    check_ages(&made, &reference);
    reference_free(&reference);
    net_network_free(network);
    free_case(&made);
    current[0] = '\0';
}

/* Behind a case that failed: which it was. */
static int name_case(void **state)
{
    (void)state;
    if (current[0] != '\0')
        print_error("%s\n", current);
    return 0;
}

static uint64_t from_environment(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : fallback;
}

static void engine_and_reference_agree(void **state)
{
    uint64_t only = from_environment("FLITREPLAY_CASE", UINT64_MAX);
    uint64_t cases = from_environment("FLITREPLAY_CASES", brief_count("cases", CASES, 4));
    (void)state;
    for (uint64_t number = only == UINT64_MAX ? 0 : only; number < cases || number == only; number++) {
        run_case(number);
        if (number == only)
            return;
    }
}

/* ---- laws of larger networks ---- */

static struct net_network *make_network(struct net_topology **topology, struct net_routing *routing,
                                        const char *topology_text, const char *routing_text,
                                        const struct net_options *options)
{
    struct base_error error = {0};
    *topology = cases_topology(topology_text);
    if (net_routing_init(routing, *topology, routing_text, 0, &error) != 0)
        fail_msg("%s", error.text);
    struct net_network *network = net_network_new(*topology, routing, options, &error);
    if (network == NULL)
        fail_msg("%s", error.text);
    return network;
}

static void drain(struct net_network *network)
{
    struct base_error error = {0};
    int status;
    while ((status = net_network_advance(network, UINT64_MAX, &error)) > 0)
        continue;
    if (status < 0 || net_network_check(network, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(net_network_pending(network), 0);
}

/* c + d * L + n - 1 for n flits over d links, as everywhere. */
static void a_message_alone_takes_the_base_latency(void **state)
{
    static const char *const texts[] = {"darm:4x4", "darm:3x5", "darm:2x4x4", "shufflenet:2,3",
                                        "shufflenet:3,2"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint32_t cycles = 1; cycles <= 3; cycles += 2) {
            const struct net_options options = {.link_cycles = cycles};
            struct base_error error = {0};
            struct net_topology *topology;
            struct net_routing routing;
            struct net_network *network = make_network(&topology, &routing, texts[i], "deflection", &options);
            for (uint32_t target = 0; target < topology->terminals; target++) {
                const struct net_message message = {.source = 1, .target = target, .flits = 5};
                uint64_t now = net_network_now(network);
                assert_int_equal(net_network_inject(network, now, &message, &error), 0);
                assert_int_equal(net_network_advance(network, UINT64_MAX, &error), 1);
                assert_int_equal(net_network_now(network) - 1,
                                 now + net_topology_distance(topology, 1, target) * cycles + 4);
            }
            net_network_free(network);
            net_routing_free(&routing);
            net_topology_free(topology);
        }
}

/* A permutation of long messages, all at once, under every rule: F flits are gone after 2F (diameter + 1)
 * slots. */
static void permutations_drain_under_every_rule(void **state)
{
    static const char *const texts[] = {"darm:4x4x4", "manhattan:8x8", "shufflenet:2,4", "darm:2x2x2x2x2x2"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint32_t rule = 0; rule < REFERENCE_RULES; rule++) {
            char text[64];
            struct base_error error = {0};
            struct net_topology *topology;
            struct net_routing routing;
            const struct net_options options = {.seed = i};
            snprintf(text, sizeof text, "deflection,rule=%s", rules[rule]);
            struct net_network *network = make_network(&topology, &routing, texts[i], text, &options);
            for (uint32_t source = 0; source < topology->terminals; source++) {
                const struct net_message message = {
                    .source = source, .target = topology->terminals - 1 - source, .flits = 50};
                assert_int_equal(net_network_inject(network, 0, &message, &error), 0);
            }
            drain(network);
            uint64_t flits = 50 * (uint64_t)topology->terminals;
            assert_true(rule != REFERENCE_OLDEST ||
                        net_network_now(network) <= 2 * flits * (topology->one_way->diameter + 1));
            assert_true(net_network_statistics(network)->reassembly_packets_max <= 49);
            net_network_free(network);
            net_routing_free(&routing);
            net_topology_free(topology);
        }
}

/* A packet that has made more hops than any that arrives ends the run, in the cycle in which it would make the next
 * one, on links of any latency. Here three are too many; and with one more the network drains. */
static void a_packet_without_end_is_a_livelock(void **state)
{
    (void)state;
    for (uint32_t cycles = 1; cycles <= 3; cycles += 2)
        for (uint64_t most = 3; most <= 4; most++) {
            struct base_error error = {0};
            struct net_topology *topology;
            struct net_routing routing;
            const struct net_options options = {.link_cycles = cycles};
            struct net_network *network =
                make_network(&topology, &routing, "manhattan:4x4", "deflection,rule=random", &options);
            struct net_message message = {.source = 0, .flits = 1};
            while (net_topology_distance(topology, 0, message.target) != 4)
                message.target++;
            ((struct net_deflection *)network)->hops_max = most;
            assert_int_equal(net_network_inject(network, 7, &message, &error), 0);
            int result = net_network_advance(network, UINT64_MAX, &error);
            assert_int_equal(result, most == 3 ? -1 : 1);
            assert_int_equal(net_network_now(network), 7 + (most == 3 ? 4 * cycles : 4 * cycles + 1));
            assert_true(most == 4 || error.status == BASE_DEADLOCK);
            assert_true(most == 4 || strstr(error.text, "more than 3 hops over a distance of 4") != NULL);
            net_network_free(network);
            net_routing_free(&routing);
            net_topology_free(topology);
        }
}

/* What does not apply is refused by its name. */
static void options_that_do_not_apply_are_refused(void **state)
{
    const struct {
        struct net_options options;
        const char *words;
    } cases[] = {
        {{.packet_flits = 2}, "--packet-flits"},   {{.buffer_flits = 4}, "--buffer-flits"},
        {{.injectors = 2}, "--injectors"},         {{.flow_control = NET_WORMHOLE}, "--flow-control"},
        {{.multiplexed = true}, "--multiplexing"}, {{.arbiter = NET_RANDOM}, "--arbiter"},
        {{.router_cycles = 2}, "--router-cycles"}, {{.credit_cycles = 2}, "--credit-cycles"},
        {{.early_free = true}, "--early-free"}};
    struct net_topology *topology = cases_topology("darm:4x4"), *mesh = cases_topology("mesh:4x4");
    struct net_routing routing, plain;
    struct base_error error = {0};
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, "deflection", 0, &error), 0);
    assert_int_equal(net_routing_init(&plain, mesh, NULL, 0, &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(net_network_new(topology, &routing, &cases[i].options, &error));
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, cases[i].words) == NULL)
            fail_msg("%s: %s", cases[i].words, error.text);
    }
    const struct net_options lossy = {.lossy = true};
    assert_null(net_network_new(mesh, &plain, &lossy, &error));
    assert_non_null(strstr(error.text, "--sources lossy is for routing deflection"));
    struct net_network *network = net_network_new(topology, &routing, &lossy, &error);
    const struct net_message message = {.source = 0, .target = 1, .flits = 2};
    assert_int_equal(net_network_inject(network, 0, &message, &error), -1);
    assert_non_null(strstr(error.text, "lossy sources send messages of one flit"));
    net_network_free(network);
    net_routing_free(&routing);
    assert_int_equal(net_routing_init(&routing, topology, "deflection", 2, &error), -1);
    assert_non_null(strstr(error.text, "--vcs 2 does not apply"));
    assert_int_equal(net_routing_init(&routing, topology, "deflection,rule=newest", 0, &error), -1);
    assert_non_null(strstr(error.text, "unknown deflection rule 'newest'"));
    net_routing_free(&plain);
    net_topology_free(topology);
    net_topology_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(engine_and_reference_agree, name_case),
        cmocka_unit_test(a_message_alone_takes_the_base_latency),
        cmocka_unit_test(permutations_drain_under_every_rule),
        cmocka_unit_test(a_packet_without_end_is_a_livelock),
        cmocka_unit_test(options_that_do_not_apply_are_refused),
    };
    return cmocka_run_group_tests_name("deflection", tests, NULL, NULL);
}
