/* Multicasts on king networks: the packet-grant engine against the dense reference (rule 10 of
 * doc/flit-engine.md), on the random networks, options and messages of random-cases.h, of which some become
 * multicasts to random lists, with unicasts beside. The reference checks that each member has one copy; that
 * both deliver the same packets at the same terminals in the same cycles is the digest's matter.
 *
 *      FLITREPLAY_CASES=N      number of cases; 250
 *      FLITREPLAY_CASE=N       case N alone */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

#include "netmodel/routings/confinement.h"
#include "netmodel/routings/families.h"
#include "netmodel/packet-engine/internal.h"
#include "tests/brief.h"
#include "tests/netmodel/cases.h"
#include "tests/netmodel/engines/random-cases.h"

#define CASES 250
#define KINDS_MAX 64

struct tally {
    uint64_t cases, divided, crossed, multicasts, copies, unicasts, deadlocks;
    uint64_t able; /* examples that can multicast to lists */
    uint64_t kinds[KINDS_MAX], loads[CASE_LOADS], arbiters[NET_LONGEST_QUEUE + 1];
};

/* Some networks are cut into a left and a right half, others into a part in the middle and a free rest whose packets
 * cross it, if their routing stays inside; messages across become messages to their own source. */
static void divide(struct test_case *made)
{
    const struct net_topology *topology = made->topology;
    struct base_error error;
    uint32_t *parts = calloc(topology->routers, sizeof *parts);
    assert_non_null(parts);
    uint32_t side = net_topology_dimensions(topology) > 0 ? topology->grid->sides[0] : topology->routers;
    uint32_t third = side / 3;
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t x = r % side;
        if (made->number % 6 == 0)
            parts[r] = x >= third && x <= 2 * third ? 0 : NET_FREE;
        else
            parts[r] = x >= side / 2;
    }
    if (made->number % 3 == 0 && net_routing_confine(&made->routing, parts, &error) == 0)
        for (size_t m = 0; m < made->message_count; m++) {
            struct reference_message *message = &made->messages[m];
            if (parts[net_topology_router_of(topology, message->source)] !=
                parts[net_topology_router_of(topology, message->target)])
                message->target = message->source;
        }
    free(parts);
}

/* Everybody else of the source's part, or each with the same chance; may be nobody, which leaves a unicast. */
static void draw_list(struct base_random *random, const struct test_case *made, uint32_t source,
                      struct reference_list *list, uint32_t *targets)
{
    const struct net_topology *topology = made->topology;
    uint32_t router = net_topology_router_of(topology, source);
    uint32_t one_in = base_random_below(random, 4) == 0 ? 1 : 1 + (uint32_t)base_random_below(random, 12);
    list->targets = targets;
    for (uint32_t t = 0; t < topology->terminals; t++)
        if (t != source && base_random_below(random, one_in) == 0 &&
            net_routing_joins(&made->routing, router, net_topology_router_of(topology, t)))
            targets[list->count++] = t;
}

/* [message]; one allocation for all targets, which the caller frees with the lists' own. */
static struct reference_list *draw_lists(const struct test_case *made, uint32_t **targets)
{
    uint32_t terminals = made->topology->terminals;
    struct reference_list *lists = calloc(made->message_count, sizeof *lists);
    struct base_random random;
    *targets = calloc(made->message_count * terminals, sizeof **targets);
    assert_true(lists != NULL && *targets != NULL);
    base_random_seed(&random, made->number, UINT64_C(0x6b696e67));
    uint32_t one_in = 1 + (uint32_t)base_random_below(&random, 8);
    for (size_t m = 0; m < made->message_count; m++)
        if (base_random_below(&random, one_in) == 0)
            draw_list(&random, made, made->messages[m].source, &lists[m], *targets + m * terminals);
    return lists;
}

static void count_kind(struct tally *tally, const struct test_case *made)
{
    size_t count;
    const struct net_topology_kind *const *kinds = net_topology_kinds(&count);
    assert_true(count <= KINDS_MAX);
    for (size_t i = 0; i < count; i++)
        tally->kinds[i] += kinds[i] == made->topology->kind;
}

static void count(struct tally *tally, const struct test_case *made, const struct outcome *reference)
{
    tally->cases++;
    tally->divided += net_routing_is_confined(&made->routing);
    tally->crossed += net_routing_is_crossed(&made->routing);
    count_kind(tally, made);
    tally->loads[made->load]++;
    tally->arbiters[made->setup.options.arbiter]++;
    tally->deadlocks += reference->deadlock;
    for (size_t m = 0; m < made->message_count; m++) {
        tally->multicasts += made->setup.lists[m].count != 0;
        tally->unicasts += made->setup.lists[m].count == 0;
    }
    tally->copies += reference->copies.records;
}

static void run_case(struct test_case *made, struct tally *tally)
{
    struct outcome reference, network;
    char text[1024], difference[512];
    uint32_t *targets;
    struct reference_list *lists = draw_lists(made, &targets);
    made->setup.lists = lists;
    outcome_run(OUTCOME_REFERENCE, made->feed, &made->setup, made->messages, made->message_count, &reference);
    outcome_run(OUTCOME_NETWORK, made->feed, &made->setup, made->messages, made->message_count, &network);
    if (!outcome_same(&made->setup, made->messages, &reference, &network, difference, sizeof difference))
        fail_msg("%s: %s", case_describe(made, text, sizeof text), difference);
    /* Adaptive routings of the tests that have no escape may stand still; a registered one never does. */
    if (reference.deadlock && strncmp(made->routing.kind->name, "test-", 5) != 0)
        fail_msg("%s: deadlock", case_describe(made, text, sizeof text));
    count(tally, made, &reference);
    outcome_free(&reference);
    outcome_free(&network);
    free(targets);
    free(lists);
}

/* Of the random cases those that can multicast to lists; makes the others cost little. */
static bool is_possible(const struct test_case *made)
{
    return net_multicasts_of(made->topology, &made->routing, &made->setup.options, NULL) ==
           NET_LIST_MULTICASTS;
}

static uint64_t from_environment(const char *name, uint64_t usual)
{
    const char *value = getenv(name);
    return value != NULL ? strtoull(value, NULL, 10) : usual;
}

static void print_tally(const struct tally *tally)
{
    print_message("%" PRIu64 " cases, %" PRIu64 " multicasts with %" PRIu64 " copies, %" PRIu64
                  " unicasts, %" PRIu64 " deadlocks\n",
                  tally->cases, tally->multicasts, tally->copies, tally->unicasts, tally->deadlocks);
    print_message("%" PRIu64 " of two partitions, %" PRIu64 " of one that others cross; ",
                  tally->divided - tally->crossed, tally->crossed);
    print_message("idle %" PRIu64 ", light %" PRIu64 ", loaded %" PRIu64 ", bursts %" PRIu64
                  ", saturated %" PRIu64 "; arbiters %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                  tally->loads[0], tally->loads[1], tally->loads[2], tally->loads[3], tally->loads[4],
                  tally->arbiters[0], tally->arbiters[1], tally->arbiters[2], tally->arbiters[3]);
}

/* Whether the network multicasts to lists on any registered routing. */
static bool multicasts_to_lists(const struct net_topology *topology)
{
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    const struct net_options options = {0};
    bool able = false;
    for (size_t i = 0; i < count && !able; i++) {
        struct base_error error = {0};
        struct net_routing routing;
        if (!net_routing_serves(kinds[i], topology) ||
            net_routing_init(&routing, topology, kinds[i]->name, 0, &error) != 0)
            continue;
        able = net_multicasts_of(topology, &routing, &options, NULL) == NET_LIST_MULTICASTS;
        net_routing_free(&routing);
    }
    return able;
}

/* A case of the kind of a topology that can multicast to lists. */
static void had_a_case(const struct net_topology *topology, void *context)
{
    struct tally *tally = context;
    size_t count;
    const struct net_topology_kind *const *kinds = net_topology_kinds(&count);
    if (!net_family_wires.contains(topology) || !multicasts_to_lists(topology))
        return;
    tally->able++;
    for (size_t i = 0; i < count; i++)
        if (kinds[i] == topology->kind && tally->kinds[i] == 0)
            fail_msg("no case of %s", kinds[i]->name);
}

static void equals_reference(void **state)
{
    struct tally tally = {0};
    uint64_t wanted = from_environment("FLITREPLAY_CASES", brief_count("cases", CASES, 2));
    uint64_t number = from_environment("FLITREPLAY_CASE", 0);
    (void)state;
    if (getenv("FLITREPLAY_CASE") != NULL)
        wanted = 1;
    for (; tally.cases < wanted; number++) {
        struct base_error error = {0};
        struct test_case made;
        case_make(&made, number, &error);
        if (made.topology == NULL)
            fail_msg("case %" PRIu64 ": %s", number, error.text);
        divide(&made);
        if (is_possible(&made))
            run_case(&made, &tally);
        case_free(&made);
    }
    print_tally(&tally);
    if (wanted < CASES)
        return;
    /* A generator that draws none of a kind would make the law hollow. */
    assert_true(tally.multicasts > tally.cases && tally.unicasts > tally.cases);
    assert_true(tally.divided - tally.crossed > tally.cases / 20 && tally.crossed > tally.cases / 20);
    cases_each_example(had_a_case, &tally);
    assert_true(tally.able > 0);
    for (unsigned i = 0; i < CASE_LOADS; i++)
        assert_true(tally.loads[i] > 0);
    for (unsigned i = 0; i <= NET_LONGEST_QUEUE; i++)
        assert_true(tally.arbiters[i] > 0);
}

/* ---- what multicasts leave behind ---- */

static struct net_network *open_king(struct net_topology **topology, struct net_routing *routing,
                                     const uint32_t *parts)
{
    struct base_error error = {0};
    *topology = net_topology_new("king-mesh:4x4", &error);
    assert_non_null(*topology);
    assert_int_equal(net_routing_init(routing, *topology, "knaive", 2, &error), 0);
    if (parts != NULL)
        assert_int_equal(net_routing_confine(routing, parts, &error), 0);
    struct net_network *network = net_network_new(*topology, routing, NULL, &error);
    assert_non_null(network);
    return network;
}

/* The kernel of this name, where there are any but the generic one. */
static const char *expected_kernel(const char *name)
{
    return SHAPE_KERNELS ? name : "generic";
}

/* The kernel made for the network's shape comes back with the last copy, and not before; after a packet shorter than
 * others the one that counts flits. */
static void returns_to_its_kernel(void **state)
{
    struct net_topology *topology;
    struct net_routing routing;
    struct base_error error = {0};
    (void)state;
    struct net_network *network = open_king(&topology, &routing, NULL);
    const struct net_packet_engine *engine = (const struct net_packet_engine *)(const void *)network;
    const struct net_packet_kernel *kernel = engine->kernel;
    assert_string_equal(kernel->name, expected_kernel("ports8_channels2"));
    for (uint32_t round = 0; round < 3; round++) {
        const struct net_multicast multicast = {.source = 5, .flits = round < 2 ? 48 : 40};
        assert_int_equal(net_network_multicast(network, net_network_now(network), &multicast, &error), 0);
        assert_int_equal(net_network_multicast(network, net_network_now(network) + 70, &multicast, &error),
                         0);
        assert_string_equal(engine->kernel->name, "generic");
        while (net_network_pending(network) != 0) {
            assert_string_equal(engine->kernel->name, "generic");
            assert_int_equal(net_network_advance(network, UINT64_MAX, &error), 1);
        }
        if (round < 2)
            assert_ptr_equal(engine->kernel, kernel);
        else
            assert_string_equal(engine->kernel->name, expected_kernel("ports8_channels2_flits"));
    }
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* Two halves of a mesh: a multicast to everybody, or across, is refused, one inside delivered. */
static void stays_in_its_partition(void **state)
{
    struct net_topology *topology;
    struct net_routing routing;
    struct base_error error = {0};
    uint32_t parts[16];
    (void)state;
    for (uint32_t r = 0; r < 16; r++)
        parts[r] = r % 4 / 2;
    struct net_network *network = open_king(&topology, &routing, parts);
    const struct net_multicast all = {.source = 4, .flits = 3};
    const struct net_multicast across = {
        .source = 4, .flits = 3, .targets = (const uint32_t[]){0, 2}, .target_count = 2};
    const struct net_multicast inside = {
        .source = 4, .flits = 3, .targets = (const uint32_t[]){13, 0, 1}, .target_count = 3};
    assert_int_equal(net_network_multicast(network, 0, &all, &error), -1);
    assert_non_null(strstr(error.text, "not in its partition"));
    assert_int_equal(net_network_multicast(network, 0, &across, &error), -1);
    assert_int_equal(net_network_multicast(network, 0, &inside, &error), 0);
    while (net_network_pending(network) != 0)
        assert_int_equal(net_network_advance(network, UINT64_MAX, &error), 1);
    assert_int_equal(net_network_statistics(network)->flits, 9);
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_reference),
                                       cmocka_unit_test(returns_to_its_kernel),
                                       cmocka_unit_test(stays_in_its_partition)};
    return cmocka_run_group_tests_name("multicasts on king networks equal the dense reference", tests, NULL,
                                       NULL);
}
