/* The property that the engine stands on: on every random network and traffic, net_network and the dense
 * reference agree in the delivery cycle of every packet (through the digest), in both notices of every
 * message, and in every count.
 *
 *      FLITREPLAY_CASES=N      number of cases of grids and of examples; 2000 and 800, or a part (tests/brief.h)
 *      FLITREPLAY_CASE=N       case N alone
 *      FLITREPLAY_SHRINK=0     do not shrink
 *
 * A case that fails is shrunk, and the few messages that are left are printed with it: start there. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

#include "tests/brief.h"
#include "netmodel/engines/limits.h"
#include "netmodel/routings/families.h"
#include "tests/netmodel/engines/random-cases.h"

enum { ROUTINGS_MAX = 64, KINDS_MAX = 64, CASES_OF_EXAMPLES = 800 };

struct tally {
    uint64_t kinds[KINDS_MAX], loads[CASE_LOADS];
    uint64_t adaptive, deadlocks, wide;
    uint64_t looking, choosing, own_latencies, narrow, narrow_and_held;
    uint64_t wormhole, multiplexed;
    uint64_t arbiters[NET_LONGEST_QUEUE + 1];
    uint64_t slow;
    uint64_t routings[ROUTINGS_MAX];
    bool served
        [ROUTINGS_MAX]; /* some case was of a topology that the routing serves, with packets that wait */
    uint64_t packets, flit_hops, queueing_cycles;
};

static uint64_t from_environment(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : fallback;
}

/* Its place in the registry; the tests' own are behind. */
static size_t routing_number(const struct net_routing_kind *kind)
{
    size_t count;
    size_t number = 0;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    assert_true(count < ROUTINGS_MAX);
    while (number < count && kinds[number] != kind)
        number++;
    return number;
}

static size_t kind_number(const struct net_topology_kind *kind)
{
    size_t count;
    size_t number = 0;
    const struct net_topology_kind *const *kinds = net_topology_kinds(&count);
    assert_true(count < KINDS_MAX);
    while (number < count && kinds[number] != kind)
        number++;
    return number;
}

static void count_routing(struct tally *tally, const struct test_case *made)
{
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    tally->routings[routing_number(made->routing.kind)]++;
    for (size_t i = 0; i < count; i++)
        tally->served[i] =
            tally->served[i] || (!kinds[i]->never_waits && net_routing_serves(kinds[i], made->topology));
}

static void count_case(struct tally *tally, const struct test_case *made, const struct outcome *reference)
{
    tally->kinds[kind_number(made->topology->kind)]++;
    tally->loads[made->load]++;
    tally->adaptive += made->routing.kind->name[0] == 't'; /* test-… */
    tally->wide += !net_widths_fit(made->topology, &made->setup.options, 64);
    tally->wormhole += made->setup.options.flow_control == NET_WORMHOLE;
    tally->multiplexed += made->setup.options.multiplexed && made->routing.virtual_channels > 1;
    tally->looking += made->routing.kind->look != NULL && made->routing.virtual_channels > 1;
    tally->choosing += made->routing.kind->choose != NULL;
    tally->own_latencies +=
        made->topology->own_latencies && !made->topology->narrow_links && made->routing.kind->look == NULL;
    tally->narrow += made->topology->narrow_links;
    tally->narrow_and_held += made->topology->narrow_links && !made->setup.options.multiplexed &&
                              made->setup.options.flow_control == NET_CUT_THROUGH;
    tally->arbiters[made->setup.options.arbiter]++;
    tally->slow += made->setup.options.link_cycles > 1 || made->setup.options.router_cycles > 1 ||
                   made->setup.options.credit_cycles > 1;
    count_routing(tally, made);
    tally->deadlocks += reference->deadlock;
    tally->packets += reference->packets;
    tally->flit_hops += reference->flit_hops;
    tally->queueing_cycles += reference->latency_sum_cycles;
}

/* Runs the case on both. Returns whether they agree; if not, difference says where. */
static bool agree(const struct test_case *made, struct outcome *reference, char *difference, size_t size)
{
    struct outcome network;
    outcome_run(OUTCOME_REFERENCE, made->feed, &made->setup, made->messages, made->message_count, reference);
    /* Who is told of a deadlock before the last message is given would stop early: give them all. */
    enum outcome_feed feed = reference->deadlock ? OUTCOME_FEED_ALL : made->feed;
    outcome_run(OUTCOME_NETWORK, feed, &made->setup, made->messages, made->message_count, &network);
    bool same = outcome_same(&made->setup, made->messages, reference, &network, difference, size);
    outcome_free(&network);
    /* What the packet-grant engine has done, the flit-grant engine can do, too, and several parts of the former; and
     * the engines for wide routers whatever the narrow ones can. */
    bool by_packets = made->setup.options.flow_control == NET_CUT_THROUGH &&
                      net_holds_links(&made->routing, &made->setup.options) && !made->topology->narrow_links;
    bool fits = net_widths_fit(made->topology, &made->setup.options, 64);
    const struct {
        enum outcome_engine engine;
        bool serves;
    } others[] = {
        {OUTCOME_WIDE, made->number % 4 == 0 || (!fits && by_packets)},
        {OUTCOME_FLITS, fits},
        {OUTCOME_PARTS, fits && by_packets},
        {OUTCOME_BROAD, fits && by_packets && made->routing.kind->look == NULL},
    };
    for (size_t i = 0; same && i < sizeof others / sizeof *others; i++) {
        if (!others[i].serves)
            continue;
        outcome_run(others[i].engine, feed, &made->setup, made->messages, made->message_count, &network);
        same = outcome_same(&made->setup, made->messages, reference, &network, difference, size);
        outcome_free(&network);
    }
    return same;
}

/* Takes away ever smaller pieces of the traffic as long as the engines differ without them. */
static void shrink(struct test_case *made, char *difference, size_t size)
{
    size_t bytes = made->message_count * sizeof *made->messages;
    struct reference_message *all = malloc(bytes);
    struct outcome reference;
    char other[1024];
    assert_non_null(all);
    for (size_t piece = made->message_count / 2; piece > 0; piece /= 2)
        for (size_t from = 0; from + piece <= made->message_count;) {
            memcpy(all, made->messages, bytes);
            made->message_count -= piece;
            memmove(made->messages + from, all + from + piece, (made->message_count - from) * sizeof *all);
            if (agree(made, &reference, other, sizeof other)) {
                memcpy(made->messages, all, bytes);
                made->message_count += piece;
                from += piece;
            } else {
                snprintf(difference, size, "%s", other);
            }
            outcome_free(&reference);
        }
    free(all);
}

static void fail_case(struct test_case *made, char *difference, size_t size)
{
    char description[512];
    print_error("%s\n%s\n", case_describe(made, description, sizeof description), difference);
    if (from_environment("FLITREPLAY_SHRINK", 1) == 0)
        fail();
    shrink(made, difference, size);
    print_error("the same with %zu messages: %s\n", made->message_count, difference);
    for (size_t m = 0; m < made->message_count && m < 40; m++)
        print_error("  %zu: terminal %" PRIu32 " to %" PRIu32 ", %" PRIu64 " flits, in cycle %" PRIu64 "\n",
                    m, made->messages[m].source, made->messages[m].target, made->messages[m].flits,
                    made->messages[m].cycle);
    fail();
}

static void run_case(uint64_t number, struct tally *tally)
{
    struct test_case made;
    struct base_error error = {0};
    struct outcome reference;
    char difference[1024];
    case_make(&made, number, &error);
    if (!made.topology)
        fail_msg("case %" PRIu64 " cannot be built: %s", number, error.text);
    if (!agree(&made, &reference, difference, sizeof difference))
        fail_case(&made, difference, sizeof difference);
    count_case(tally, &made, &reference);
    outcome_free(&reference);
    case_free(&made);
}

/* Every kind whose links are wires was run: a new one is from the day on which it is in the list. */
static void no_kind_escapes(const struct tally *tally)
{
    size_t count;
    const struct net_topology_kind *const *kinds = net_topology_kinds(&count);
    for (size_t k = 0; k < count; k++) {
        char text[96];
        if (kinds[k]->examples == NULL)
            continue;
        snprintf(text, sizeof text, "%s:%.*s", kinds[k]->name, (int)strcspn(kinds[k]->examples, " "),
                 kinds[k]->examples);
        struct net_topology *topology = net_topology_new(text, NULL);
        assert_non_null(topology);
        if (net_family_wires.contains(topology) && tally->kinds[k] < 5)
            fail_msg("%" PRIu64 " cases of %s", tally->kinds[k], kinds[k]->name);
        net_topology_free(topology);
    }
}

/* Beyond the draw: the only cases known to find a mutant, which names them (mutants/needs-forgotten.sed). */
static const uint64_t corners[] = {6136};

static void test_random_cases(void **state)
{
    uint64_t only = from_environment("FLITREPLAY_CASE", UINT64_MAX);
    uint64_t cases = from_environment("FLITREPLAY_CASES", brief_count("cases of grids", CASES_OF_GRIDS, 10));
    uint64_t examples =
        from_environment("FLITREPLAY_CASES", brief_count("cases of examples", CASES_OF_EXAMPLES, 10));
    struct tally tally = {0};
    (void)state;
    if (only != UINT64_MAX) {
        run_case(only, &tally);
        return;
    }
    for (uint64_t number = 0; number < cases; number++)
        run_case(number, &tally);
    for (uint64_t number = 0; number < examples; number++)
        run_case(CASES_OF_GRIDS + number, &tally);
    for (size_t i = 0; i < sizeof corners / sizeof corners[0]; i++)
        run_case(corners[i], &tally);
    cases += examples;
    print_message("%" PRIu64 " cases (%" PRIu64 " adaptive, %" PRIu64 " deadlocks), %" PRIu64
                  " packets, %" PRIu64 " flit-hops\n",
                  cases, tally.adaptive, tally.deadlocks, tally.packets, tally.flit_hops);
    if (cases < 500)
        return;
    /* The draw must not lose a corner. */
    no_kind_escapes(&tally);
    for (int load = 0; load < CASE_LOADS; load++)
        assert_true(tally.loads[load] >= cases / 10);
    assert_true(tally.adaptive >= cases / 6);
    assert_true(tally.deadlocks >= cases / 500);
    assert_true(tally.wormhole >= cases / 5);
    assert_true(tally.multiplexed >= cases / 12);
    assert_true(tally.wide >= cases / 60); /* routers with more than 64 inputs or outputs */
    assert_true(tally.slow >= cases / 5);
    assert_true(tally.looking >= cases / 20);
    assert_true(tally.choosing >= cases / 60);
    assert_true(tally.own_latencies >= cases / 16);
    assert_true(tally.narrow >= cases / 8);
    assert_true(tally.narrow_and_held >= cases / 40);
    for (int arbiter = 0; arbiter <= NET_LONGEST_QUEUE; arbiter++)
        assert_true(tally.arbiters[arbiter] >= cases / 8);
    for (size_t i = 0; cases >= 2000 && i < routing_number(NULL); i++)
        if (tally.routings[i] == 0 && tally.served[i])
            fail_msg("no case has routing %s", net_routing_kinds(&(size_t){0})[i]->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_cases)};
    return cmocka_run_group_tests_name("equivalence of engine and reference", tests, NULL, NULL);
}
