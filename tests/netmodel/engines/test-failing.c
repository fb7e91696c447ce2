/* Data on networks whose links fail (doc/faults.md, Data): on random networks, faults and traffic, for every fault
 * routing, the engine and the dense reference agree in every delivery cycle and count; nothing is lost, nothing waits
 * for ever, and every ring has a place to spare.
 *
 *      FLITREPLAY_CASES=N      number of cases; 1500, or a part of them (tests/brief.h)
 *      FLITREPLAY_CASE=N       case N alone */
#include <config.h>

#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "netmodel/faults/failing.h"
#include "tests/brief.h"
#include "tests/netmodel/engines/outcome.h"

enum { KHZ = 1000000 };

struct failing_case {
    uint64_t number;
    struct net_topology *topology;
    struct net_faults faults;
    const struct net_fault_routing *kind;
    struct net_routing routing;
    struct reference_setup setup;
    struct reference_message *messages;
    size_t message_count;
    bool refused; /* no way around, or cut off */
    char what[400];
};

struct tally {
    uint64_t cases, refused, timed, amid, packets; /* amid: whose links fail while traffic runs */
    uint64_t kinds[8];
    struct net_fault_counts counts;
};

static uint32_t draw(struct base_random *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)base_random_below(random, high - low + UINT64_C(1));
}

static bool chance(struct base_random *random, uint32_t one_in)
{
    return base_random_below(random, one_in) == 0;
}

static void draw_topology(struct base_random *random, struct failing_case *made)
{
    static const char *const names[] = {"king-mesh", "king-torus", "king-mesh",     "king-torus",
                                        "mesh",      "torus",      "diagonal-torus"};
    char text[64];
    struct base_error error;
    snprintf(text, sizeof text, "%s:%ux%u%s", names[draw(random, 0, 6)], draw(random, 3, 6),
             draw(random, 3, 6), chance(random, 3) ? ",concentration=2" : "");
    made->topology = net_topology_new(text, &error);
    assert_non_null(made->topology);
}

/* One to four groups of faults, before the traffic, in it, into each other or behind it. */
static void draw_faults(struct base_random *random, struct failing_case *made)
{
    static const uint32_t apart[] = {0, 1, 12, 90, 600};
    char path[] = "failing-XXXXXX";
    struct base_error error;
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    uint32_t groups = draw(random, 0, 4), most = made->topology->link_count / 40 + 1;
    uint64_t cycle = chance(random, 2) ? 0 : draw(random, 0, 400);
    assert_non_null(file);
    for (uint32_t i = 0; i < groups; i++) {
        fprintf(file, "random %u at %" PRIu64 " seed=%" PRIu64 "\n", draw(random, 1, most), cycle,
                base_random_next(random) >> 2);
        cycle += draw(random, 0, apart[draw(random, 0, 4)]);
    }
    fclose(file);
    made->refused = net_faults_init(&made->faults, made->topology, path, KHZ, &error) != 0;
    unlink(path);
}

/* Any registered base that there can be, as likely as another. */
static void draw_routing(struct base_random *random, struct failing_case *made)
{
    size_t count, kinds;
    const struct net_fault_routing *const *routings = net_fault_routings(&kinds);
    const struct net_routing_kind *const *bases = net_routing_kinds(&count);
    struct base_error error;
    do
        made->kind = routings[draw(random, 0, (uint32_t)kinds - 1)];
    while (!made->kind->serves->contains(made->topology));
    for (;;) {
        const char *name = chance(random, 2) ? NULL : bases[draw(random, 0, (uint32_t)count - 1)]->name;
        uint32_t channels = chance(random, 2) ? 0 : draw(random, 2, 4);
        if (net_routing_init_failing(&made->routing, made->topology, name, channels, &made->faults,
                                     made->kind, &error) == 0)
            return;
    }
}

static void draw_options(struct base_random *random, struct failing_case *made)
{
    struct net_options *options = &made->setup.options;
    uint32_t largest = chance(random, 3) ? 16 : draw(random, 1, 8);
    made->setup.topology = made->topology;
    made->setup.routing = &made->routing;
    options->packet_flits = largest;
    options->buffer_flits = 2 * largest + (chance(random, 3) ? draw(random, 0, 2 * largest + 3) : 0);
    options->virtual_channels = made->routing.virtual_channels;
    options->injectors = draw(random, 1, 2);
    options->consumers = draw(random, 1, 2);
    options->seed = base_random_next(random);
    options->arbiter = chance(random, 2) ? NET_ROUND_ROBIN
                                         : (enum net_arbiter)draw(random, NET_ROUND_ROBIN, NET_LONGEST_QUEUE);
    options->multiplexed = chance(random, 4);
    if (!chance(random, 3))
        return;
    options->link_cycles = draw(random, 1, 4);
    options->router_cycles = draw(random, 1, 3);
    options->credit_cycles = draw(random, 1, 3);
}

/* Packets of one length, so long that they are still leaving when routers that a wave has stopped go on, in buffers of
 * several of them: a head that enters a ring finds queues of the same places and of different room (rule 22). */
static void crowd(struct base_random *random, struct failing_case *made)
{
    struct net_options *options = &made->setup.options;
    options->packet_flits = draw(random, 24, 80);
    options->buffer_flits = draw(random, 3, 6) * options->packet_flits;
    options->multiplexed = false;
    options->link_cycles = options->router_cycles = options->credit_cycles = 1;
}

/* Packets of all lengths; of one; or of one but for a few, which engines that count places are to see coming. */
static void draw_messages(struct base_random *random, struct failing_case *made, bool crowded)
{
    uint32_t terminals = made->topology->terminals, largest = made->setup.options.packet_flits;
    uint32_t gap = crowded ? 0 : draw(random, 0, 3), lengths = crowded ? 0 : draw(random, 0, 3);
    bool hot = chance(random, 4);
    uint64_t cycle = 0;
    made->message_count = draw(random, 1, 600);
    made->messages = calloc(made->message_count, sizeof *made->messages);
    assert_non_null(made->messages);
    for (size_t i = 0; i < made->message_count; i++) {
        struct reference_message *message = &made->messages[i];
        message->cycle = cycle;
        message->source = draw(random, 0, terminals - 1);
        message->target = hot && chance(random, 2) ? terminals / 2 : draw(random, 0, terminals - 1);
        bool whole = lengths == 0 || (lengths == 3 && !chance(random, 100));
        message->flits = whole ? largest : draw(random, 1, (lengths % 3 + 1) * largest);
        cycle += gap == 0 ? 0 : draw(random, 0, gap * gap);
    }
}

/* Links of their own, in some cases (rule 12 of doc/flit-engine.md). */
static void draw_links(struct base_random *random, struct net_topology *topology)
{
    struct net_link *links = (struct net_link *)(uintptr_t)topology->links;
    if (!chance(random, 6))
        return;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        links[i].latency = (uint16_t)draw(random, 0, 3);
        links[i].flit_cycles = (uint16_t)draw(random, 0, 2);
        topology->own_latencies |= links[i].latency != 0;
        topology->narrow_links |= links[i].flit_cycles > 1;
    }
}

static void make_case(struct failing_case *made, uint64_t number)
{
    struct base_random random;
    struct net_fault_clock clock;
    struct base_error error;
    base_random_seed(&random, number, UINT64_C(0x6661696c));
    *made = (struct failing_case){.number = number};
    draw_topology(&random, made);
    draw_links(&random, made->topology);
    draw_faults(&random, made);
    if (made->refused)
        return;
    draw_routing(&random, made);
    draw_options(&random, made);
    bool crowded = chance(&random, 6);
    if (crowded)
        crowd(&random, made);
    draw_messages(&random, made, crowded);
    made->refused = net_fault_clock_init(&clock, net_routing_failing(&made->routing),
                                         made->setup.options.link_cycles, &error) != 0;
    net_fault_clock_free(&clock);
    snprintf(
        made->what, sizeof made->what,
        "case %" PRIu64 ": %s, %s of %s, %u channels, %u faults to cycle %" PRIu64
        ", packet %u, buffer %u, %u injectors, %u consumers, arbiter %d%s, cycles %u %u %u, %zu messages",
        number, made->topology->text, made->kind->name, made->routing.text, made->routing.virtual_channels,
        made->faults.count, made->faults.count == 0 ? 0 : made->faults.fault[made->faults.count - 1].cycle,
        made->setup.options.packet_flits, made->setup.options.buffer_flits, made->setup.options.injectors,
        made->setup.options.consumers, (int)made->setup.options.arbiter,
        made->setup.options.multiplexed ? " multiplexed" : "", made->setup.options.link_cycles,
        made->setup.options.router_cycles, made->setup.options.credit_cycles, made->message_count);
}

static void free_case(struct failing_case *made)
{
    net_routing_free(&made->routing);
    net_faults_free(&made->faults);
    net_topology_free(made->topology);
    free(made->messages);
}

/* Steps are those of a clock of its own beside which routers that stand are counted, as far as they go. */
static void expect_stops(const struct failing_case *made, const struct net_statistics *statistics)
{
    struct base_error error = {0};
    struct net_fault_clock clock;
    const struct net_stops *stops = statistics->stops;
    uint32_t before = 0;
    size_t step = 0;
    if (stops == NULL) {
        assert_int_equal(made->faults.count, 0);
        return;
    }
    assert_int_equal(net_fault_clock_init(&clock, net_routing_failing(&made->routing),
                                          made->setup.options.link_cycles, &error),
                     0);
    while (step < stops->count && net_fault_clock_next(&clock) != NET_NEVER) {
        uint64_t cycle = net_fault_clock_next(&clock);
        uint32_t standing = 0;
        assert_int_equal(net_fault_clock_step(&clock, &error), 0);
        for (uint32_t router = 0; router < made->topology->routers; router++)
            standing += clock.control.router[router].stopped;
        if (standing != before &&
            (stops->steps[step].cycle != cycle || stops->steps[step].routers != standing))
            fail_msg("%s: cycle %" PRIu64 ": %" PRIu32 " routers stopped, not %" PRIu32 " in %" PRIu64,
                     made->what, cycle, standing, stops->steps[step].routers, stops->steps[step].cycle);
        step += standing != before;
        before = standing;
    }
    assert_int_equal(step, stops->count);
    net_fault_clock_free(&clock);
}

/* Once more in small steps, the laws held after each: flits and packets conserved, rings with a place to spare. */
static void step_through(const struct failing_case *made, struct tally *tally)
{
    struct base_error error = {0};
    struct net_network *network =
        net_network_new(made->topology, &made->routing, &made->setup.options, &error);
    int status = 1;
    if (network == NULL)
        fail_msg("%s: %s", made->what, error.text);
    for (size_t i = 0; i < made->message_count; i++) {
        const struct reference_message *given = &made->messages[i];
        const struct net_message message = {given->source, given->target, given->flits, i, false};
        assert_int_equal(net_network_inject(network, given->cycle, &message, &error), 0);
    }
    while (net_network_pending(network) != 0 && status >= 0) {
        status = net_network_advance(network, net_network_now(network) + 7, &error);
        if (status < 0 || net_network_check(network, &error) != 0)
            fail_msg("%s: cycle %" PRIu64 ": %s", made->what, net_network_now(network), error.text);
    }
    const struct net_statistics *statistics = net_network_statistics(network);
    const struct net_fault_counts *counts = statistics->faults;
    assert_non_null(counts);
    assert_int_equal(statistics->messages, made->message_count);
    expect_stops(made, statistics);
    tally->packets += statistics->packets;
    tally->counts.ring_packets += counts->ring_packets;
    tally->counts.ring_links += counts->ring_links;
    tally->counts.reinjected += counts->reinjected;
    tally->counts.stopped_cycles += counts->stopped_cycles;
    tally->counts.longer_packets += counts->longer_packets;
    net_network_free(network);
}

/* Whether a link fails while messages are on their way. */
static bool fails_amid(const struct failing_case *made, const struct outcome *outcome)
{
    uint64_t end = 0;
    for (size_t i = 0; i < made->message_count; i++)
        end = outcome->delivered[i] > end ? outcome->delivered[i] : end;
    for (uint32_t i = 0; i < made->faults.count; i++)
        if (made->faults.fault[i].cycle > made->messages[0].cycle && made->faults.fault[i].cycle < end)
            return true;
    return false;
}

static void run_case(uint64_t number, struct tally *tally)
{
    struct failing_case made;
    struct outcome reference, network;
    char difference[1024];
    make_case(&made, number);
    if (made.refused) {
        tally->refused++;
        free_case(&made);
        return;
    }
    static const enum outcome_engine engines[] = {OUTCOME_NETWORK, OUTCOME_WIDE};
    outcome_run(OUTCOME_REFERENCE, OUTCOME_FEED_ALL, &made.setup, made.messages, made.message_count,
                &reference);
    for (size_t i = 0; i < 2; i++) {
        enum outcome_feed feed = (enum outcome_feed)((number + i) % OUTCOME_FEEDS);
        outcome_run(engines[i], feed, &made.setup, made.messages, made.message_count, &network);
        if (!outcome_same(&made.setup, made.messages, &reference, &network, difference, sizeof difference) ||
            reference.deadlock) {
            print_error("%s\n%s%s\n", made.what, difference, reference.deadlock ? " (deadlock)" : "");
            fail();
        }
        outcome_free(&network);
    }
    step_through(&made, tally);
    tally->cases++;
    tally->kinds[made.kind->ring_channel]++;
    tally->timed += made.faults.count > 0 && made.faults.fault[made.faults.count - 1].cycle > 0;
    tally->amid += fails_amid(&made, &reference);
    outcome_free(&reference);
    free_case(&made);
}

static void random_cases(void **state)
{
    const char *only = getenv("FLITREPLAY_CASE"), *asked = getenv("FLITREPLAY_CASES");
    struct tally tally = {0};
    (void)state;
    if (only != NULL && *only != '\0') {
        run_case(strtoull(only, NULL, 10), &tally);
        return;
    }
    uint64_t cases = asked != NULL && *asked != '\0' ? strtoull(asked, NULL, 10)
                                                     : brief_count("cases of failing links", 1500, 10);
    uint64_t amid = asked != NULL && *asked != '\0'
                        ? 0
                        : brief_count("of these, whose links fail while traffic runs", 1000, 10);
    for (uint64_t number = 0; tally.cases < cases || tally.amid < amid; number++)
        run_case(number, &tally);
    print_message("%" PRIu64 " cases (%" PRIu64 " timed, %" PRIu64 " while traffic runs, %" PRIu64
                  " refused), %" PRIu64 " packets, %" PRIu64 " of them on rings over %" PRIu64
                  " links, %" PRIu64 " re-injected, %" PRIu64 " longer, %" PRIu64 " cycles stopped\n",
                  tally.cases, tally.timed, tally.amid, tally.refused, tally.packets,
                  tally.counts.ring_packets, tally.counts.ring_links, tally.counts.reinjected,
                  tally.counts.longer_packets, tally.counts.stopped_cycles);
    assert_true(tally.timed >= cases / 4);
    assert_true(tally.refused <= cases / 3);
    assert_true(tally.kinds[0] >= cases / 6 && tally.kinds[1] >= cases / 6 && tally.kinds[2] >= cases / 6);
    assert_true(tally.counts.ring_packets >= cases);
    assert_true(tally.counts.reinjected >= cases);
}

/* The digest of a case's messages under another routing. */
static struct base_digest digest_of(const struct failing_case *made, const struct net_routing *routing)
{
    struct reference_setup setup = made->setup;
    struct outcome outcome;
    struct base_digest digest;
    setup.routing = routing;
    outcome_run(OUTCOME_NETWORK, OUTCOME_FEED_ALL, &setup, made->messages, made->message_count, &outcome);
    assert_string_equal(outcome.fault, "");
    digest = outcome.digest;
    outcome_free(&outcome);
    return digest;
}

/* As long as no link fails every cycle is the base's, whichever engine has moved that. */
static void base_without_faults(void **state)
{
    uint64_t compared = 0;
    (void)state;
    for (uint64_t number = 0; compared < 40; number++) {
        struct failing_case made;
        make_case(&made, number);
        if (!made.refused && made.faults.count == 0) {
            struct base_digest with = digest_of(&made, &made.routing);
            struct base_digest without = digest_of(&made, made.routing.inner);
            assert_true(with.records == without.records && with.low == without.low &&
                        with.high == without.high);
            compared++;
        }
        free_case(&made);
    }
}

/* Runs under a wrong rule, on a saturated network with faults from the start, until one of them stands still. Returns
 * in how many of them packets wait for ever. */
static uint32_t count_deadlocks(const char *topology, const char *kind, struct reference_setup setup,
                                uint32_t runs)
{
    enum { MESSAGES = 4000 };
    struct reference_message *messages = calloc(MESSAGES, sizeof *messages);
    uint32_t deadlocks = 0;
    assert_non_null(messages);
    for (uint32_t seed = 1; seed <= runs; seed++) {
        struct failing_case made = {.topology = net_topology_new(topology, NULL)};
        struct base_error error;
        struct base_random random;
        struct reference_result result;
        char text[32];
        snprintf(text, sizeof text, "6,seed=%u", seed);
        base_random_seed(&random, seed, 7);
        made.refused = net_faults_init(&made.faults, made.topology, text, KHZ, &error) != 0;
        if (!made.refused) {
            made.kind = net_fault_routing_find(made.topology, kind, &error);
            assert_int_equal(net_routing_init_failing(&made.routing, made.topology, NULL, 0, &made.faults,
                                                      made.kind, &error),
                             0);
            setup.topology = made.topology;
            setup.routing = &made.routing;
            setup.options.packet_flits = 2;
            setup.options.buffer_flits = 4;
            for (size_t i = 0; i < MESSAGES; i++)
                messages[i] = (struct reference_message){0, draw(&random, 0, made.topology->terminals - 1),
                                                         draw(&random, 0, made.topology->terminals - 1), 2};
            reference_run(&setup, messages, MESSAGES, &result);
            deadlocks += result.deadlock;
            reference_free(&result);
        }
        free_case(&made);
    }
    free(messages);
    return deadlocks;
}

/* Both halves of the argument are needed: the bubble of a ring, and that nothing leaves it into the escape. (Immucube's
 * rings have filled in no run: most of its packets keep their escape.) */
static void wrong_rules_wait_for_ever(void **state)
{
    static const struct reference_setup right = {0};
    static const struct reference_setup no_bubble = {.rings_without_bubble = true};
    static const struct reference_setup into_escape = {.rings_into_escape = true};
    (void)state;
    assert_int_equal(count_deadlocks("torus:6x6", "immunet", right, 6), 0);
    assert_int_equal(count_deadlocks("torus:6x6", "immucube", right, 6), 0);
    assert_int_equal(count_deadlocks("king-mesh:6x6", "kft", right, 6), 0);
    assert_int_equal(count_deadlocks("king-mesh:5x5", "kft", right, 20), 0);
    assert_true(count_deadlocks("torus:6x6", "immunet", no_bubble, 6) > 0);
    assert_true(count_deadlocks("king-mesh:6x6", "kft", no_bubble, 6) > 0);
    assert_true(count_deadlocks("king-mesh:5x5", "kft", into_escape, 20) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_cases), cmocka_unit_test(base_without_faults),
                                       cmocka_unit_test(wrong_rules_wait_for_ever)};
    return cmocka_run_group_tests_name("links that fail under data", tests, NULL, NULL);
}
