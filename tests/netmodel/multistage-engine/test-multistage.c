/* Omega and GLO networks bit by bit: the engine against its dense reference on random networks, options and
 * messages, fed in three ways, and the laws of doc/multistage.md. TEST_MULTISTAGE_CASES in the environment
 * takes another number of cases, TEST_MULTISTAGE_CASE a single one. */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/netmodel/cases.h"
#include "tests/netmodel/multistage-engine/reference.h"

#define CASES 3600
#define MESSAGES_MAX 400

struct test_case {
    char text[200];
    struct net_topology *topology;
    struct net_options options;
    struct reference_message messages[MESSAGES_MAX];
    uint32_t count;
};

static uint32_t draw(struct base_random *random, uint32_t low, uint32_t high)
{
    return low + (uint32_t)base_random_below(random, high - low + 1);
}

static bool chance(struct base_random *random, uint32_t one_in)
{
    return base_random_below(random, one_in) == 0;
}

/* ---- random cases ---- */

static uint32_t draw_divisor(struct base_random *random, uint32_t m)
{
    uint32_t divisor;
    do
        divisor = draw(random, 1, m);
    while (m % divisor != 0);
    return divisor;
}

static void draw_network(struct base_random *random, struct test_case *made)
{
    static const uint32_t sizes[][2] = {{1, 2}, {1, 4}, {2, 2}, {3, 2}, {4, 2}, {2, 3},
                                        {3, 3}, {2, 4}, {3, 4}, {2, 4}, {3, 2}, {4, 2}};
    const uint32_t *size = sizes[draw(random, 0, sizeof sizes / sizeof *sizes - 1)];
    uint32_t m = size[1], most = chance(random, 2) ? 64 : 9;
    int used;
    if (size[0] > 1 && !chance(random, 3))
        used = snprintf(made->text, sizeof made->text,
                        "glo:%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",bus=%" PRIu32
                        ",bus-cycles=%" PRIu32,
                        size[0], m, draw_divisor(random, m), draw_divisor(random, m), draw(random, 0, most),
                        draw(random, 1, 3));
    else
        used = snprintf(made->text, sizeof made->text, "omega:%" PRIu32 ",%" PRIu32, size[0], m);
    snprintf(made->text + used, sizeof made->text - (size_t)used,
             ",input=%" PRIu32 ",link=%" PRIu32 ",output=%" PRIu32, draw(random, 1, most),
             draw(random, 1, most), draw(random, 1, most));
    made->topology = cases_topology(made->text);
}

static void draw_options(struct base_random *random, struct test_case *made)
{
    const struct net_multistage *multistage = made->topology->multistage;
    uint32_t inner = multistage->link_bits + multistage->bus_bits, least = multistage->input_bits;
    uint32_t vcs = chance(random, 3) ? draw(random, 3, 4) : draw(random, 1, 2);
    least = multistage->stages > 1 && inner > least ? inner : least;
    made->options = (struct net_options){
        .packet_flits = chance(random, 3)   ? NET_WHOLE_MESSAGES
                        : chance(random, 2) ? draw(random, 1, 40)
                                            : draw(random, 41, 900),
        .virtual_channels = vcs,
        .buffer_flits = chance(random, 4)   ? least
                        : chance(random, 3) ? draw(random, least, 2000)
                                            : least + draw(random, 0, 3 * least),
        .arbiter = chance(random, 2) ? NET_RANDOM : NET_ROUND_ROBIN,
        .selection = chance(random, 3) ? NET_RANDOM_WAY : NET_MOST_FREE,
        .admission = chance(random, 2) ? NET_ADMIT_NOT_FULL : NET_ADMIT_WORD,
        .seed = base_random_next(random),
    };
}

/* Idle times and bursts, one target of many, messages to oneself, of one bit and of more than a queue
 * takes. */
static void draw_messages(struct base_random *random, struct test_case *made)
{
    uint32_t n = made->topology->terminals, hot = draw(random, 0, n - 1), spread = draw(random, 0, 40);
    uint32_t longest = chance(random, 4) ? 2500 : draw(random, 1, 300);
    if (made->options.packet_flits < 41 && longest > 600)
        longest = 600;
    uint64_t cycle = chance(random, 2) ? 0 : draw(random, 0, 500);
    made->count = draw(random, 1, chance(random, 8) ? MESSAGES_MAX : 90);
    for (uint32_t i = 0; i < made->count; i++) {
        uint32_t source = draw(random, 0, n - 1);
        if (chance(random, 4))
            cycle += draw(random, 0, spread) + (chance(random, 40) ? 400 : 0);
        made->messages[i] =
            (struct reference_message){.cycle = cycle,
                                       .source = source,
                                       .target = chance(random, 6)   ? source
                                                 : chance(random, 4) ? hot
                                                                     : draw(random, 0, n - 1),
                                       .bits = chance(random, 5) ? 1 : draw(random, 1, longest)};
    }
}

static void make_case(struct test_case *made, uint64_t number)
{
    struct base_random random;
    base_random_seed(&random, number, UINT64_C(0x6d73));
    draw_network(&random, made);
    draw_options(&random, made);
    draw_messages(&random, made);
    made->options.waits = !chance(&random, 3);
}

/* ---- the engine ---- */

enum feed { AT_ONCE, IN_ITS_CYCLE, STEP_BY_STEP, FEEDS };

struct run {
    struct net_network *network;
    uint64_t sent[MESSAGES_MAX], delivered[MESSAGES_MAX];
    struct net_journey journeys[MESSAGES_MAX];
    uint32_t notices;
    uint64_t bit_cycles, last;
};

static void take_notices(struct run *run)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(run->network, &count);
    for (size_t i = 0; i < count; i++, run->notices++) {
        uint64_t cycle = net_network_now(run->network) - 1;
        if (notices[i].kind == NET_SENT)
            run->sent[notices[i].tag] = cycle;
        else {
            run->delivered[notices[i].tag] = cycle;
            run->journeys[notices[i].tag] = notices[i].journey;
        }
    }
}

static void advance_to(struct run *run, uint64_t limit)
{
    struct base_error error = {0};
    for (;;) {
        int result = net_network_advance(run->network, limit, &error);
        if (result < 0)
            fail_msg("%s", error.text);
        if (result == 0)
            return;
        take_notices(run);
    }
}

static uint64_t inside(const struct net_network *network)
{
    const struct net_statistics *statistics = net_network_statistics(network);
    uint64_t bits = 0;
    for (uint32_t i = 0; statistics->injected_flits + i < statistics->ejected_flits; i++)
        bits += statistics->injected_flits[i] - statistics->ejected_flits[i];
    return bits;
}

/* A cycle at a time, with all laws of conservation behind each. */
static void step(struct run *run, uint64_t to)
{
    struct base_error error = {0};
    while (net_network_now(run->network) < to) {
        uint64_t now = net_network_now(run->network);
        advance_to(run, now + 1);
        run->bit_cycles += inside(run->network);
        if (net_network_check(run->network, &error) < 0)
            fail_msg("after cycle %" PRIu64 ": %s", now, error.text);
    }
}

static struct run run_engine(const struct test_case *made, const struct net_routing *routing, enum feed feed)
{
    struct base_error error = {0};
    struct run run = {.network = net_network_new(made->topology, routing, &made->options, &error)};
    if (run.network == NULL)
        fail_msg("%s: %s", made->text, error.text);
    for (uint32_t i = 0; i < made->count; i++) {
        const struct reference_message *next = &made->messages[i];
        const struct net_message message = {next->source, next->target, next->bits, i, true};
        if (feed == IN_ITS_CYCLE)
            advance_to(&run, next->cycle);
        if (feed == STEP_BY_STEP)
            step(&run, next->cycle);
        assert_int_equal(net_network_inject(run.network, next->cycle, &message, &error), 0);
    }
    while (feed == STEP_BY_STEP && net_network_pending(run.network) > 0)
        step(&run, net_network_now(run.network) + 1);
    advance_to(&run, UINT64_MAX);
    assert_int_equal(net_network_pending(run.network), 0);
    if (net_network_check(run.network, &error) < 0)
        fail_msg("%s", error.text);
    return run;
}

/* ---- comparison ---- */

static void expect_digest(const struct net_statistics *statistics, const struct reference_result *wanted)
{
    struct base_digest digest = {0};
    char one[BASE_DIGEST_TEXT], other[BASE_DIGEST_TEXT];
    for (uint32_t i = 0; i < wanted->count; i++) {
        const struct reference_delivery *delivery = &wanted->deliveries[i];
        const uint64_t record[3] = {delivery->message, delivery->packet, delivery->cycle};
        base_digest_add(&digest, record, 3);
    }
    base_digest_text(&digest, one);
    base_digest_text(&statistics->digest, other);
    assert_string_equal(one, other);
}

static void expect_counters(const struct test_case *made, const struct net_statistics *statistics,
                            const struct reference_result *wanted)
{
    const struct net_multistage *multistage = made->topology->multistage;
    uint32_t n = multistage->processors;
    uint64_t latency = 0, hops = 0, bits = 0;
    for (uint32_t i = 0; i < wanted->count; i++) {
        latency += wanted->deliveries[i].cycle - made->messages[wanted->deliveries[i].message].cycle;
        bits += wanted->deliveries[i].length;
        hops += multistage->stages + 1;
    }
    assert_int_equal(statistics->latency_sum_cycles, latency);
    assert_int_equal(statistics->packet_hops, hops);
    assert_int_equal(statistics->flits, bits);
    assert_int_equal(statistics->packets, wanted->count);
    for (uint32_t level = 0; level <= multistage->stages; level++)
        for (uint32_t p = 0; p < n; p++)
            assert_int_equal(statistics->link_flits[net_multistage_link(multistage, level, p)],
                             wanted->link_bits[level * n + p]);
    for (uint32_t bus = 0; bus < multistage->bus_count; bus++)
        assert_int_equal(statistics->bus_flits[bus], wanted->bus_bits[bus]);
}

/* By link, and of each message the link that it waited for longest. */
static void expect_waits(const struct test_case *made, const struct run *run,
                         const struct reference_result *wanted)
{
    const struct net_multistage *multistage = made->topology->multistage;
    const struct net_statistics *statistics = net_network_statistics(run->network);
    uint32_t n = multistage->processors;
    assert_int_equal(statistics->link_waits != NULL, made->options.waits);
    if (!made->options.waits)
        return;
    for (uint32_t port = 0; port < (multistage->stages + 1) * n; port++)
        assert_int_equal(statistics->link_waits[net_multistage_link(multistage, port / n, port % n)],
                         wanted->link_waits[port]);
    for (uint32_t i = 0; i < made->count; i++) {
        uint32_t port = wanted->worst_port[i];
        assert_int_equal(run->journeys[i].worst_cycles, wanted->worst_cycles[i]);
        assert_int_equal(run->journeys[i].worst_link,
                         port == UINT32_MAX ? NET_NONE : net_multistage_link(multistage, port / n, port % n));
        assert_int_equal(run->journeys[i].links, multistage->stages + 1);
    }
}

static void compare(const struct test_case *made, const struct net_routing *routing,
                    const struct reference_result *wanted, enum feed feed)
{
    struct run run = run_engine(made, routing, feed);
    for (uint32_t i = 0; i < made->count; i++)
        if (run.sent[i] != wanted->sent[i] || run.delivered[i] != wanted->delivered[i])
            fail_msg("message %" PRIu32 ": sent in %" PRIu64 ", delivered in %" PRIu64
                     "; the reference says %" PRIu64 " and %" PRIu64,
                     i, run.sent[i], run.delivered[i], wanted->sent[i], wanted->delivered[i]);
    assert_int_equal(run.notices, 2 * made->count);
    if (feed == STEP_BY_STEP)
        assert_int_equal(run.bit_cycles, wanted->bit_cycles);
    expect_counters(made, net_network_statistics(run.network), wanted);
    expect_digest(net_network_statistics(run.network), wanted);
    expect_waits(made, &run, wanted);
    net_network_free(run.network);
}

/* Little's law, exactly: packets inside, over all cycles, are the cycles of the packets inside. */
static void check_little(const struct reference_result *wanted)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < wanted->count; i++)
        sum += wanted->deliveries[i].cycle - wanted->deliveries[i].admitted;
    assert_int_equal(sum, wanted->packet_cycles);
}

static uint64_t under_way = UINT64_MAX; /* the case that failed, if one did */

static int name_case(void **state)
{
    static struct test_case made;
    (void)state;
    if (under_way == UINT64_MAX)
        return 0;
    make_case(&made, under_way);
    print_message("case %" PRIu64 ": %s, %" PRIu32 " messages; TEST_MULTISTAGE_CASE=%" PRIu64 " repeats it\n",
                  under_way, made.text, made.count, under_way);
    net_topology_free(made.topology);
    return 0;
}

struct tally {
    uint64_t cases, packets, buses, several, longer, random;
};

static void run_case(uint64_t number, struct tally *tally)
{
    static struct test_case made;
    struct reference_result wanted;
    struct net_routing routing;
    struct base_error error = {0};
    make_case(&made, number);
    under_way = number;
    if (net_routing_init(&routing, made.topology, NULL, made.options.virtual_channels, &error) != 0)
        fail_msg("%s", error.text);
    reference_run(made.topology->multistage, &made.options, made.messages, made.count, &wanted);
    check_little(&wanted);
    compare(&made, &routing, &wanted, (enum feed)(number % FEEDS));
    under_way = UINT64_MAX;
    tally->cases++;
    tally->packets += wanted.count;
    tally->several += made.options.virtual_channels > 1;
    tally->random += made.options.arbiter == NET_RANDOM;
    for (uint32_t i = 0; i < wanted.count; i++)
        tally->longer += wanted.deliveries[i].length > made.options.buffer_flits;
    for (uint32_t bus = 0; bus < made.topology->multistage->bus_count; bus++)
        tally->buses += wanted.bus_bits[bus] > 0;
    reference_free(&wanted);
    net_routing_free(&routing);
    net_topology_free(made.topology);
}

static uint64_t from_environment(const char *name, uint64_t fallback)
{
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : fallback;
}

static void engine_is_reference(void **state)
{
    uint64_t only = from_environment("TEST_MULTISTAGE_CASE", UINT64_MAX);
    uint64_t cases = from_environment("TEST_MULTISTAGE_CASES", brief_count("cases", CASES, 12));
    struct tally tally = {0};
    (void)state;
    if (only != UINT64_MAX) {
        run_case(only, &tally);
        return;
    }
    for (uint64_t number = 0; number < cases; number++)
        run_case(number, &tally);
    print_message("%" PRIu64 " cases, %" PRIu64 " packets, %" PRIu64 " longer than a queue, %" PRIu64
                  " buses used\n",
                  tally.cases, tally.packets, tally.longer, tally.buses);
    if (cases < 300)
        return;
    assert_true(tally.several > cases / 3 && tally.random > cases / 4);
    assert_true(tally.longer > cases && tally.buses > cases);
}

/* ---- laws ---- */

static void open_case(struct test_case *made, struct net_routing *routing, const char *topology,
                      const struct net_options *options)
{
    struct base_error error = {0};
    *made = (struct test_case){.options = *options};
    snprintf(made->text, sizeof made->text, "%s", topology);
    made->topology = cases_topology(topology);
    if (net_routing_init(routing, made->topology, NULL, options->virtual_channels, &error) != 0)
        fail_msg("%s", error.text);
}

static void close_case(struct test_case *made, struct net_routing *routing)
{
    net_routing_free(routing);
    net_topology_free(made->topology);
}

/* Cycles that the bits of a message alone take on the narrowest link: bus-cycles - 1 of them pass without
 * the bus. */
static uint64_t base_cycles(const struct net_multistage *net, uint64_t bits)
{
    uint64_t ends = net->input_bits < net->output_bits ? net->input_bits : net->output_bits;
    uint64_t inner = net->link_bits + net->bus_bits, link = net->stages > 1 ? net->link_bits : ends;
    uint64_t without;
    if (net->bus_count == 0)
        return (bits + (ends < link ? ends : link) - 1) / (ends < link ? ends : link);
    without = net->bus_cycles - 1;
    if (bits <= without * link)
        return (bits + link - 1) / link;
    return without + (bits - without * link + inner - 1) / inner;
}

/* Of all lengths up to three queues, between any two processors, one after the other. */
static void base_latency_is_exact(void **state)
{
    static const char *const texts[] = {"omega:3,2",
                                        "omega:2,4,input=20,link=41,output=30",
                                        "glo:3,2,2,2",
                                        "glo:3,2,1,2,bus-cycles=1",
                                        "glo:2,4,2,4,bus-cycles=3,input=90,output=70,link=20,bus=33",
                                        "omega:1,3,input=7,output=9"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct net_options options = {.packet_flits = NET_WHOLE_MESSAGES, .virtual_channels = 1 + t % 2};
        struct net_routing routing;
        static struct test_case made;
        open_case(&made, &routing, texts[t], &options);
        for (uint32_t bits = 1; bits <= 1800; bits += MESSAGES_MAX) {
            made.count = 0;
            for (uint32_t i = 0; i < MESSAGES_MAX && bits + i <= 1800; i++)
                made.messages[made.count++] =
                    (struct reference_message){1000 * (uint64_t)i, i * 5 % made.topology->terminals,
                                               i * i % made.topology->terminals, bits + i};
            struct run run = run_engine(&made, &routing, IN_ITS_CYCLE);
            for (uint32_t i = 0; i < made.count; i++)
                assert_int_equal(run.delivered[i] - made.messages[i].cycle,
                                 made.topology->multistage->stages +
                                     base_cycles(made.topology->multistage, made.messages[i].bits) - 1);
            net_network_free(run.network);
        }
        close_case(&made, &routing);
    }
}

/* No two messages of a shift meet, so that all take the base latency. */
static void shifts_do_not_conflict(void **state)
{
    static const char *const texts[] = {"omega:4,2", "omega:3,3", "omega:2,4", "omega:5,2"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct net_options options = {.packet_flits = NET_WHOLE_MESSAGES};
        struct net_routing routing;
        static struct test_case made;
        open_case(&made, &routing, texts[t], &options);
        uint32_t n = made.count = made.topology->terminals;
        for (uint32_t shift = 0; shift < n; shift++) {
            for (uint32_t i = 0; i < n; i++)
                made.messages[i] = (struct reference_message){0, i, (i + shift) % n, 300 + shift};
            struct run run = run_engine(&made, &routing, AT_ONCE);
            for (uint32_t i = 0; i < n; i++)
                assert_int_equal(run.delivered[i], made.topology->multistage->stages +
                                                       base_cycles(made.topology->multistage, 300 + shift) -
                                                       1);
            net_network_free(run.network);
        }
        close_case(&made, &routing);
    }
}

/* GLO whose buses carry nothing is the omega network of the same links. */
static void buses_without_bits_change_nothing(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 60; number++) {
        static struct test_case made, other;
        struct net_routing routing, without;
        struct base_random random;
        base_random_seed(&random, number, 7);
        struct net_options options = {.virtual_channels = 1 + (uint32_t)number % 3, .seed = number};
        open_case(&made, &routing, "glo:3,2,2,1,bus=0", &options);
        open_case(&other, &without, "omega:3,2,link=26", &options);
        draw_messages(&random, &made);
        memcpy(other.messages, made.messages, sizeof made.messages);
        other.count = made.count;
        struct run one = run_engine(&made, &routing, AT_ONCE), two = run_engine(&other, &without, AT_ONCE);
        assert_memory_equal(one.delivered, two.delivered, sizeof one.delivered);
        net_network_free(one.network);
        net_network_free(two.network);
        close_case(&made, &routing);
        close_case(&other, &without);
    }
}

/* The rungs of attribution: a message alone takes S cycles, and from the next rung on its base latency on
 * each of them; its packets are the same on all, and go over S + 1 links. */
static void rungs_agree_on_a_message_alone(void **state)
{
    static const char *const texts[] = {"omega:3,2", "glo:3,2,2,2", "glo:2,4,2,4,bus-cycles=3,bus=7",
                                        "omega:1,3"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (uint32_t effects = NET_ALL_EFFECTS; effects <= NET_CHANNELS; effects++) {
            struct net_options options = {
                .packet_flits = NET_WHOLE_MESSAGES, .virtual_channels = 1, .effects = effects};
            struct net_routing routing;
            static struct test_case made;
            open_case(&made, &routing, texts[t], &options);
            const struct net_multistage *net = made.topology->multistage;
            for (uint32_t i = 0; i < 200; i++)
                made.messages[made.count++] = (struct reference_message){
                    1000 * (uint64_t)i, i % net->processors, i * i % net->processors, 1 + 7 * i};
            struct run run = run_engine(&made, &routing, AT_ONCE);
            for (uint32_t i = 0; i < made.count; i++) {
                uint64_t alone = net->stages + base_cycles(net, made.messages[i].bits) - 1;
                uint64_t late =
                    effects == NET_DISTANCE ? 1 : 0; /* delivered and noticed in one cycle there */
                assert_int_equal(run.delivered[i] + late - made.messages[i].cycle,
                                 effects == NET_DISTANCE ? net->stages : alone);
            }
            assert_int_equal(net_network_statistics(run.network)->packet_hops,
                             made.count * (net->stages + 1));
            net_network_free(run.network);
            close_case(&made, &routing);
        }
}

/* When the last of a few long messages, far apart and cut into packets, is delivered on a rung. */
static void deliver_on(const char *text, enum net_effects effects, uint64_t delivered[8])
{
    struct net_options options = {.packet_flits = 100, .virtual_channels = 1, .effects = effects};
    struct net_routing routing;
    static struct test_case made;
    open_case(&made, &routing, text, &options);
    for (uint32_t i = 0; i < 8; i++)
        made.messages[made.count++] =
            (struct reference_message){10000 * (uint64_t)i, i % 4, (3 * i + 1) % 4, 90 + 777 * i};
    struct run run = run_engine(&made, &routing, AT_ONCE);
    for (uint32_t i = 0; i < 8; i++)
        delivered[i] = run.delivered[i];
    net_network_free(run.network);
    close_case(&made, &routing);
}

/* Terminals that nobody shares cost nothing, also where their links are wider than those between stages: the
 * packets of a message still cross its narrowest link one after another. */
static void terminals_cost_a_message_alone_nothing(void **state)
{
    static const char *const texts[] = {"omega:3,2", "glo:3,2,2,2", "omega:2,4,input=20,link=41,output=30",
                                        "glo:2,2,1,1,link=5,bus=9"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        uint64_t serialised[8], terminals[8];
        deliver_on(texts[t], NET_SERIALISATION, serialised);
        deliver_on(texts[t], NET_TERMINALS, terminals);
        for (uint32_t i = 0; i < 8; i++)
            assert_int_equal(terminals[i], serialised[i]);
    }
}

/* Bursts: no rung is faster than the one before, in the sum over all messages, where nothing has to be
 * chosen. */
static void rungs_rise(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < 20; number++) {
        uint64_t before = 0;
        for (uint32_t effects = NET_DISTANCE; effects <= NET_CHANNELS; effects++) {
            struct net_options options = {.virtual_channels = 1, .effects = effects};
            struct net_routing routing;
            struct base_random random;
            static struct test_case made;
            base_random_seed(&random, number, 9);
            open_case(&made, &routing, "omega:3,2", &options);
            draw_messages(&random, &made);
            struct run run = run_engine(&made, &routing, AT_ONCE);
            uint64_t sum = net_network_statistics(run.network)->latency_sum_cycles;
            assert_true(sum >= before);
            before = sum;
            net_network_free(run.network);
            close_case(&made, &routing);
        }
    }
}

/* ---- what is refused, by name ---- */

static void what_does_not_apply_is_refused(void **state)
{
    static const struct {
        struct net_options options;
        const char *answer;
    } cases[] = {
        {{.injectors = 2}, "--injectors does not apply to glo:3,2,2,2"},
        {{.consumers = 2}, "--consumers does not apply"},
        {{.flow_control = NET_WORMHOLE}, "--flow-control does not apply"},
        {{.multiplexed = true}, "--multiplexing does not apply"},
        {{.link_cycles = 2}, "--link-cycles does not apply"},
        {{.router_cycles = 2}, "--router-cycles does not apply"},
        {{.credit_cycles = 2}, "--credit-cycles does not apply"},
        {{.early_free = true}, "--early-free is for shared channels"},
        {{.status_flags = NET_NO_FLAGS}, "--status-flags is for shared channels"},
        {{.arbiter = NET_OLDEST_FIRST}, "round-robin or random"},
        {{.selection = NET_FIRST_WAY}, "most-free or random"},
        {{.buffer_flits = 51},
         "--buffer-flits 51 is too small: a queue of glo:3,2,2,2 takes what comes in a cycle, "
         "that is 52 bits"},
        {{.packet_flits = NET_WHOLE_MESSAGES + 1},
         "--packet-flits 2147483649 is more than this engine's limit"},
    };
    struct net_topology *topology = cases_topology("glo:3,2,2,2"), *mesh = cases_topology("mesh:3x3");
    struct net_routing routing, other;
    struct base_error error = {0};
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    assert_int_equal(net_routing_init(&other, mesh, NULL, 0, &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(net_network_new(topology, &routing, &cases[i].options, &error));
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, cases[i].answer) == NULL)
            fail_msg("answered with: %s", error.text);
    }
    assert_null(
        net_network_new(mesh, &other, &(struct net_options){.admission = NET_ADMIT_NOT_FULL}, &error));
    assert_non_null(strstr(error.text, "--admission is for multistage networks"));
    net_routing_free(&routing);
    assert_int_equal(net_routing_init(&routing, topology, NULL, 5, &error), 0);
    assert_null(net_network_new(topology, &routing, &(struct net_options){.virtual_channels = 5}, &error));
    assert_non_null(strstr(error.text, "--vcs 5 is too much"));
    net_routing_free(&routing);
    net_routing_free(&other);
    net_topology_free(topology);
    net_topology_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(engine_is_reference, name_case),
        cmocka_unit_test(base_latency_is_exact),
        cmocka_unit_test(shifts_do_not_conflict),
        cmocka_unit_test(buses_without_bits_change_nothing),
        cmocka_unit_test(rungs_agree_on_a_message_alone),
        cmocka_unit_test(terminals_cost_a_message_alone_nothing),
        cmocka_unit_test(rungs_rise),
        cmocka_unit_test(what_does_not_apply_is_refused),
    };
    return cmocka_run_group_tests_name("multistage networks", tests, NULL, NULL);
}
