/* Shared channels: the engine against its dense reference on random networks, routings, options and messages,
 * and the laws of multicasts. TEST_SHARED_CASES in the environment takes another number of cases. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

#include "base/random.h"
#include "netmodel/routings/confinement.h"
#include "netmodel/shared-engine/internal.h"
#include "netmodel/topologies/mway.h"
#include "tests/brief.h"
#include "tests/netmodel/shared-engine/reference.h"

#define MESSAGES_DRAWN 80 /* of a random case, at most */
#define MESSAGES_MAX 640
#define TERMINALS_MAX 40
/* A network takes megabytes of counters, which is nothing to the system and much to a sanitizer. */
#ifdef __SANITIZE_ADDRESS__
#define MEMBER_CASES 500
#else
#define MEMBER_CASES 10000
#endif

/* A network with its options, and what is sent through it. */
struct test_case {
    struct net_topology *topology;
    struct net_routing routing;
    struct net_options options;
    struct shared_message messages[MESSAGES_MAX];
    uint32_t lists[MESSAGES_DRAWN][TERMINALS_MAX]; /* of multicasts that have one */
    size_t count;
    char text[400];
};

static uint32_t draw(struct base_random *random, uint32_t count)
{
    return (uint32_t)base_random_below(random, count);
}

/* One of a list of names, each as likely. */
static const char *pick(struct base_random *random, const char *const *names, uint32_t count)
{
    return names[draw(random, count)];
}

static void open_network(struct test_case *test, const char *topology, const char *routing, uint32_t buffers)
{
    struct base_error error = {0};
    test->topology = net_topology_new(topology, &error);
    if (!test->topology || net_routing_init(&test->routing, test->topology, routing, buffers, &error) < 0)
        fail_msg("%s, %s: %s", topology, routing, error.text);
    test->options.virtual_channels = buffers;
}

static void close_network(struct test_case *test)
{
    net_routing_free(&test->routing);
    net_topology_free(test->topology);
}

/* ---- random cases ---- */

static void draw_network(struct test_case *test, struct base_random *random)
{
    static const char *const meshes[] = {"mway-mesh:4x3",
                                         "mway-mesh:2x3x2",
                                         "mway-mesh:5",
                                         "mway-hypercube:3",
                                         "mway-mesh:3x3,processors=2",
                                         "mway-hypercube:2,processors=3",
                                         "mway-mesh:4x4,attach=router",
                                         "mway-mesh:1x4"};
    static const char *const tori[] = {"mway-torus:4x3",
                                       "mway-torus:5",
                                       "mway-torus:2x4",
                                       "mway-torus:3x3x2",
                                       "mway-torus:4x4,attach=router",
                                       "mway-torus:4,processors=2"};
    static const char *const free_routings[] = {"mway-dimension-order", "mway-adaptive"};
    static const char *const ring_routings[] = {"mway-ring", "mway-adaptive-ring"};
    bool torus = draw(random, 3) == 0;
    const char *topology = torus ? pick(random, tori, 6) : pick(random, meshes, 8);
    const char *routing = torus ? pick(random, ring_routings, 2) : pick(random, free_routings, 2);
    open_network(test, topology, routing, 3 + draw(random, 3));
}

/* Which options go with which is the engine's to refuse; here only what it takes. */
static void draw_options(struct test_case *test, struct base_random *random)
{
    struct net_options *options = &test->options;
    bool plain = strcmp(test->routing.kind->name, "mway-dimension-order") == 0;
    options->seed = base_random_next(random);
    options->packet_flits = 1 + draw(random, 6);
    options->flow_control = draw(random, 2) ? NET_WORMHOLE : NET_CUT_THROUGH;
    options->buffer_flits = options->flow_control == NET_WORMHOLE
                                ? 1 + draw(random, 4)
                                : options->packet_flits + draw(random, 2) * draw(random, 5);
    options->injectors = 1 + draw(random, 2);
    options->consumers = 1 + draw(random, 2);
    options->router_cycles = draw(random, 4) == 0 ? 1 + draw(random, 3) : 1;
    options->link_cycles = options->credit_cycles = options->threads = 1;
    options->multiplexed = options->flow_control == NET_WORMHOLE;
    options->selection = (enum net_selection)draw(random, 3);
    options->status_flags = draw(random, 2) ? NET_BOTH_FLAGS : (enum net_status_flags)draw(random, 4);
    options->early_free = plain && draw(random, 3) == 0;
    options->spreading = (enum net_spreading)draw(random, 6);
    options->portable = options->seed % 2 == 0;
}

static bool has_tree(const struct test_case *test)
{
    enum net_spreading spreading = test->options.spreading;
    return spreading != NET_MST_UNICAST && spreading != NET_RECURSIVE_DOUBLING;
}

static bool may_multicast(const struct test_case *test)
{
    const struct net_options *options = &test->options;
    if (!has_tree(test))
        return !net_shared_inside_routers(test->topology);
    return options->flow_control == NET_CUT_THROUGH && !options->early_free;
}

static void draw_list(struct test_case *test, struct base_random *random, size_t index)
{
    struct shared_message *message = &test->messages[index];
    uint32_t one_in = 1 + draw(random, 6);
    assert_true(test->topology->terminals <= TERMINALS_MAX);
    message->targets = test->lists[index];
    for (uint32_t t = 0; t < test->topology->terminals; t++)
        if (draw(random, one_in) == 0)
            test->lists[index][message->target_count++] = t;
}

/* A box of any corners, on tori maybe round an end; or a list. Of more than the source alone. */
static void draw_members(struct test_case *test, struct base_random *random, size_t index)
{
    struct shared_message *message = &test->messages[index];
    for (uint32_t d = 0; d < test->topology->grid->dimensions; d++) {
        uint32_t side = test->topology->grid->sides[d], one = draw(random, side), two = draw(random, side);
        bool turned = one > two && !test->topology->grid->wraps;
        message->low[d] = turned ? two : one;
        message->high[d] = turned ? one : two;
    }
    if (has_tree(test) && draw(random, 3) == 0)
        draw_list(test, random, index);
    for (uint32_t t = 0; t < test->topology->terminals; t++)
        message->multicast = message->multicast || shared_is_member(test->topology, message, t);
}

static void draw_messages(struct test_case *test, struct base_random *random)
{
    uint64_t cycle = 0;
    uint32_t gap = 1 + draw(random, 30), broadcasts = may_multicast(test) ? draw(random, 101) : 0;
    test->count = 1 + draw(random, MESSAGES_DRAWN);
    for (size_t i = 0; i < test->count; i++) {
        struct shared_message *message = &test->messages[i];
        cycle += draw(random, 4) == 0 ? draw(random, gap) : 0;
        *message = (struct shared_message){.cycle = cycle,
                                           .flits = 1 + draw(random, 4 * test->options.packet_flits),
                                           .source = draw(random, test->topology->terminals),
                                           .target = draw(random, test->topology->terminals)};
        if (draw(random, 100) < broadcasts)
            draw_members(test, random, i);
    }
}

static void draw_case(struct test_case *test, uint64_t seed)
{
    struct base_random random;
    base_random_seed(&random, seed, 5);
    *test = (struct test_case){0};
    draw_network(test, &random);
    draw_options(test, &random);
    draw_messages(test, &random);
    const struct net_options *o = &test->options;
    snprintf(test->text, sizeof test->text,
             "case %" PRIu64 ": %s, %s, B %u, F %u, packets %u, %s, injectors %u, consumers %u, router %u, "
             "selection %d, flags %d, early %d, spreading %d, %zu messages",
             seed, test->topology->text, test->routing.text, o->virtual_channels, o->buffer_flits,
             o->packet_flits, o->flow_control == NET_WORMHOLE ? "wormhole" : "cut-through", o->injectors,
             o->consumers, o->router_cycles, (int)o->selection, (int)o->status_flags, o->early_free,
             (int)o->spreading, test->count);
}

/* ---- the engine's run, in the shape of the reference's ---- */

static void send(const struct test_case *test, struct net_network *network, size_t index)
{
    const struct shared_message *message = &test->messages[index];
    struct base_error error = {0};
    int status;
    if (message->multicast) {
        const struct net_multicast multicast = {.source = message->source,
                                                .flits = message->flits,
                                                .tag = index,
                                                .notice_sent = true,
                                                .low = message->low,
                                                .high = message->high,
                                                .targets = message->targets,
                                                .target_count = message->target_count};
        status = net_network_multicast(network, message->cycle, &multicast, &error);
    } else {
        const struct net_message unicast = {message->source, message->target, message->flits, index, true};
        status = net_network_inject(network, message->cycle, &unicast, &error);
    }
    if (status < 0)
        fail_msg("%s: %s", test->text, error.text);
}

static void add_delivery(struct shared_result *result, const struct shared_delivery *delivery)
{
    if (result->count == result->capacity) {
        result->capacity = 2 * result->capacity + 64;
        result->deliveries = realloc(result->deliveries, result->capacity * sizeof *result->deliveries);
        assert_non_null(result->deliveries);
    }
    result->deliveries[result->count++] = *delivery;
}

/* What is noticed at the start of a cycle happened in the one before. */
static void take_notices(const struct test_case *test, struct net_network *network,
                         struct shared_result *result)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(network, &count);
    uint64_t cycle = net_network_now(network) - 1;
    for (size_t i = 0; i < count; i++) {
        const struct shared_message *message = &test->messages[notices[i].tag];
        if (notices[i].kind == NET_SENT)
            result->sent[notices[i].tag] = cycle;
        else
            add_delivery(result, &(struct shared_delivery){notices[i].tag, cycle,
                                                           message->multicast ? notices[i].terminal
                                                                              : message->target});
    }
}

/* Advances to `limit`; returns false on a deadlock. */
static bool advance(const struct test_case *test, struct net_network *network, uint64_t limit,
                    struct shared_result *result, struct base_error *error)
{
    uint32_t stuck = 0;
    int status;
    while ((status = net_network_advance(network, limit, error)) == 1) {
        take_notices(test, network, result);
        stuck = stuck != 0 ? stuck : net_shared_find_stuck((struct net_shared_engine *)(void *)network);
    }
    /* Whoever is once said to be stuck is never delivered; and of a deadlock it is known who is. */
    if (stuck != 0 && status == 0 && net_network_pending(network) == 0)
        fail_msg("%s: %u headers were said to be stuck", test->text, stuck);
    if (status < 0 && !test->options.early_free)
        assert_non_null(strstr(error->text, "headers can never move"));
    if (status < 0 && error->status != BASE_DEADLOCK)
        fail_msg("%s: %s", test->text, error->text);
    if (net_network_check(network, &(struct base_error){0}) < 0) {
        net_network_check(network, error);
        fail_msg("%s: %s", test->text, error->text);
    }
    return status == 0;
}

/* All messages at once before the first cycle, or each in its own. */
static void run_engine(const struct test_case *test, bool at_once, struct shared_result *result,
                       struct base_error *error)
{
    struct net_network *network = net_network_new(test->topology, &test->routing, &test->options, error);
    if (!network)
        fail_msg("%s: %s", test->text, error->text);
    *result = (struct shared_result){.sent = malloc(test->count * sizeof *result->sent),
                                     .transfers = calloc(test->topology->routers, sizeof *result->transfers),
                                     .waits = calloc(test->topology->routers, sizeof *result->waits)};
    assert_true(result->sent && result->transfers && result->waits);
    for (size_t i = 0; i < test->count; i++)
        result->sent[i] = UINT64_MAX;
    for (size_t i = 0; i < test->count && !result->deadlock; i++) {
        if (!at_once)
            result->deadlock = !advance(test, network, test->messages[i].cycle, result, error);
        if (!result->deadlock)
            send(test, network, i);
    }
    if (!result->deadlock)
        result->deadlock = !advance(test, network, UINT64_MAX, result, error);
    memcpy(result->transfers, net_network_statistics(network)->channel_flits,
           test->topology->routers * sizeof *result->transfers);
    memcpy(result->waits, net_network_statistics(network)->channel_waits,
           test->topology->routers * sizeof *result->waits);
    net_network_free(network);
}

/* ---- the comparison ---- */

static void compare(const struct test_case *test, const struct shared_result *reference,
                    const struct shared_result *engine, const struct base_error *error)
{
    for (size_t i = 0; i < reference->count && i < engine->count; i++) {
        const struct shared_delivery *a = &reference->deliveries[i], *b = &engine->deliveries[i];
        if (a->message != b->message || a->cycle != b->cycle || a->terminal != b->terminal)
            fail_msg("%s: delivery %zu of message %" PRIu64 " at %u in %" PRIu64 ", engine: %" PRIu64
                     " at %u in %" PRIu64,
                     test->text, i, a->message, a->terminal, a->cycle, b->message, b->terminal, b->cycle);
    }
    if (reference->deadlock != engine->deadlock)
        fail_msg("%s: deadlock %d, engine %d %s", test->text, reference->deadlock, engine->deadlock,
                 error->text);
    if (reference->count != engine->count)
        fail_msg("%s: %zu deliveries, engine %zu", test->text, reference->count, engine->count);
    for (size_t i = 0; i < test->count; i++)
        if (reference->sent[i] != engine->sent[i])
            fail_msg("%s: message %zu sent in %" PRIu64 ", engine %" PRIu64, test->text, i,
                     reference->sent[i], engine->sent[i]);
    for (uint32_t c = 0; c < test->topology->routers; c++)
        if (reference->transfers[c] != engine->transfers[c] || reference->waits[c] != engine->waits[c])
            fail_msg("%s: channel %u carried %" PRIu64 ", engine %" PRIu64 "; was waited for %" PRIu64
                     ", engine %" PRIu64,
                     test->text, c, reference->transfers[c], engine->transfers[c], reference->waits[c],
                     engine->waits[c]);
}

static uint64_t cases(uint64_t usual)
{
    const char *asked = getenv("TEST_SHARED_CASES");
    return asked != NULL ? strtoull(asked, NULL, 10) : brief_count("cases", usual, 3);
}

/* A plain tree may deadlock, and nothing else. It has all messages from the beginning, since it may be told
 * of the deadlock while some were still to come. */
static void test_equals_reference(void **state)
{
    uint64_t deadlocks = 0;
    uint64_t first = getenv("TEST_SHARED_FIRST") ? strtoull(getenv("TEST_SHARED_FIRST"), NULL, 10) : 1;
    (void)state;
    for (uint64_t seed = first; seed < first + cases(300); seed++) {
        struct test_case test;
        struct shared_result reference, engine;
        struct base_error error = {0};
        draw_case(&test, seed);
        shared_reference_run(test.topology, &test.routing, &test.options, test.messages, test.count,
                             &reference);
        run_engine(&test, seed % 2 == 0 || test.options.spreading == NET_MST_PLAIN, &engine, &error);
        compare(&test, &reference, &engine, &error);
        if (engine.deadlock && test.options.spreading != NET_MST_PLAIN)
            fail_msg("%s: %s", test.text, error.text);
        deadlocks += engine.deadlock;
        shared_result_free(&reference);
        shared_result_free(&engine);
        close_network(&test);
    }
    print_message("%" PRIu64 " of plain trees deadlocked\n", deadlocks);
}

/* Winners of a cycle are sorted in blocks, and flits of one block move before the next one is looked at:
 * what they change is seen in the next cycle only. A network with more winners than a block has, in
 * overload; with the kernels for this processor, and for every one. */
static void expect_blocks_equal(const char *topology, const char *routing, uint32_t buffers,
                                uint32_t buffer_flits)
{
    struct test_case test = {.options = {.packet_flits = 5,
                                         .buffer_flits = buffer_flits,
                                         .seed = buffers,
                                         .flow_control = NET_WORMHOLE,
                                         .multiplexed = true,
                                         .injectors = 1,
                                         .consumers = 1,
                                         .router_cycles = 1,
                                         .link_cycles = 1,
                                         .credit_cycles = 1,
                                         .threads = 1,
                                         .status_flags = NET_BOTH_FLAGS}};
    struct shared_result reference, engine;
    struct base_error error = {0};
    struct base_random random;
    base_random_seed(&random, buffers, 7);
    open_network(&test, topology, routing, buffers);
    snprintf(test.text, sizeof test.text, "%s, %s of %u buffers", topology, routing, buffers);
    for (test.count = 0; test.count < MESSAGES_MAX; test.count++)
        test.messages[test.count] =
            (struct shared_message){.cycle = test.count / 100,
                                    .flits = 1 + draw(&random, 20),
                                    .source = draw(&random, test.topology->terminals),
                                    .target = draw(&random, test.topology->terminals)};
    shared_reference_run(test.topology, &test.routing, &test.options, test.messages, test.count, &reference);
    for (uint32_t portable = 0; portable < 2; portable++) {
        test.options.portable = portable != 0;
        run_engine(&test, false, &engine, &error);
        compare(&test, &reference, &engine, &error);
        shared_result_free(&engine);
    }
    shared_result_free(&reference);
    close_network(&test);
}

static void test_blocks_of_winners(void **state)
{
    (void)state;
    expect_blocks_equal("mway-torus:7x6x6", "mway-ring", 2, 1);
    expect_blocks_equal("mway-torus:7x6x6", "mway-ring", 4, 2);
    expect_blocks_equal("mway-torus:7x6x6", "mway-adaptive-ring", 4, 3);
    expect_blocks_equal("mway-torus:7x6x6", "mway-adaptive-ring", 8, 2);
    expect_blocks_equal("mway-mesh:7x6x6", "mway-adaptive", 2, 2);
    expect_blocks_equal("mway-hypercube:8", "mway-adaptive", 4, 2);
}

/* ---- every member, once ---- */

static void expect_one_copy_each(const struct test_case *test, const struct shared_result *result)
{
    uint32_t terminals = test->topology->terminals;
    uint8_t *copies = calloc(test->count * terminals, 1);
    assert_non_null(copies);
    for (size_t i = 0; i < result->count; i++)
        copies[result->deliveries[i].message * terminals + result->deliveries[i].terminal]++;
    for (size_t i = 0; i < test->count; i++)
        for (uint32_t t = 0; t < terminals; t++) {
            const struct shared_message *message = &test->messages[i];
            bool wanted =
                message->multicast ? shared_is_member(test->topology, message, t) : t == message->target;
            if (copies[i * terminals + t] != wanted)
                fail_msg("%s: message %zu came %d times to terminal %u", test->text, i,
                         copies[i * terminals + t], t);
        }
    free(copies);
}

/* A case with few messages, some of them multicasts; false: none of them may be. */
static bool draw_broadcasts(struct test_case *test, uint64_t seed)
{
    draw_case(test, seed);
    if (may_multicast(test) && test->options.spreading != NET_MST_PLAIN)
        for (size_t i = 0; i < test->count; i++)
            if (test->messages[i].multicast) {
                test->count = test->count < i + 12 ? test->count : i + 12;
                return true;
            }
    close_network(test);
    return false;
}

/* 10 000 cases with unicasts beside. */
static void test_every_member_once(void **state)
{
    uint64_t seed = 1000000, wanted = cases(MEMBER_CASES);
    (void)state;
    for (uint64_t done = 0; done < wanted; seed++) {
        struct test_case test;
        struct shared_result result;
        struct base_error error = {0};
        if (!draw_broadcasts(&test, seed))
            continue;
        run_engine(&test, seed % 2 == 0, &result, &error);
        if (result.deadlock)
            fail_msg("%s: %s", test.text, error.text);
        expect_one_copy_each(&test, &result);
        shared_result_free(&result);
        close_network(&test);
        done++;
    }
}

/* ---- an empty network ---- */

static void start(struct test_case *test, const char *topology, struct net_options options)
{
    *test = (struct test_case){.options = options};
    open_network(test, topology, NULL, 4);
    test->count = 1;
    snprintf(test->text, sizeof test->text, "%s", topology);
}

/* (h + 1) transfers for the header, and one cycle for each flit behind it. */
static void expect_zero_load(const char *topology, uint32_t router_cycles)
{
    struct test_case test;
    start(&test, topology, (struct net_options){.packet_flits = 5, .router_cycles = router_cycles});
    for (uint32_t a = 0; a < test.topology->terminals; a++)
        for (uint32_t b = 0; b < test.topology->terminals; b++) {
            uint32_t ends[2];
            uint32_t transfers = net_shared_nearest(test.topology, a, b, NULL, ends);
            struct shared_result result;
            struct base_error error = {0};
            test.messages[0] = (struct shared_message){.cycle = 10, .flits = 5, .source = a, .target = b};
            run_engine(&test, true, &result, &error);
            assert_int_equal(result.count, 1);
            assert_int_equal(result.deliveries[0].cycle, 10 + transfers * router_cycles + 5 - 1);
            shared_result_free(&result);
        }
    close_network(&test);
}

static void test_zero_load(void **state)
{
    (void)state;
    expect_zero_load("mway-mesh:3x4", 1);
    expect_zero_load("mway-torus:4x3", 1);
    expect_zero_load("mway-hypercube:3,processors=2", 3);
    expect_zero_load("mway-mesh:3x3,attach=router", 1);
    expect_zero_load("mway-torus:3x3,attach=router", 2);
}

/* A tree drives each of the N channels of its box once for each flit. */
static void test_transfers_of_a_tree(void **state)
{
    static const enum net_spreading trees[] = {NET_MST_SAFE, NET_MST_REPLICA, NET_MST_SAFE_ANY,
                                               NET_MST_PLAIN};
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t source = 0; source < 60; source++) {
            struct test_case test;
            struct shared_result result;
            struct base_error error = {0};
            uint64_t transfers = 0;
            start(&test, "mway-mesh:5x4x3", (struct net_options){.packet_flits = 5, .spreading = trees[i]});
            test.messages[0] =
                (struct shared_message){.flits = 10, .source = source, .multicast = true, .high = {4, 3, 2}};
            run_engine(&test, true, &result, &error);
            for (uint32_t c = 0; c < 60; c++)
                transfers += result.transfers[c];
            assert_int_equal(transfers, 60 * 10);
            assert_int_equal(result.count, 59);
            shared_result_free(&result);
            close_network(&test);
        }
}

/* ---- deadlock ---- */

/* Everybody broadcasts, with one buffer a way. The plain tree deadlocks and says who waits for whom. */
static void broadcast_from_all(enum net_spreading spreading, struct shared_result *result,
                               struct base_error *error)
{
    struct test_case test;
    start(&test, "mway-mesh:4x4", (struct net_options){.packet_flits = 5, .spreading = spreading});
    test.options.virtual_channels = 1;
    test.count = 64;
    for (uint32_t i = 0; i < 64; i++)
        test.messages[i] = (struct shared_message){
            .cycle = i / 16, .flits = 5, .source = i * 7 % 16, .multicast = true, .high = {3, 3}};
    run_engine(&test, true, result, error);
    close_network(&test);
}

static void test_plain_tree_deadlocks(void **state)
{
    struct shared_result result;
    struct base_error error = {0};
    (void)state;
    broadcast_from_all(NET_MST_PLAIN, &result, &error);
    assert_true(result.deadlock);
    assert_non_null(strstr(error.text, "these wait for each other"));
    assert_non_null(strstr(error.text, "has reserved"));
    shared_result_free(&result);
    for (int spreading = NET_MST_SAFE; spreading < NET_MST_PLAIN; spreading++) {
        broadcast_from_all((enum net_spreading)spreading, &result, &error);
        assert_false(result.deadlock);
        assert_int_equal(result.count, 64 * 15);
        shared_result_free(&result);
    }
}

/* Two broadcasts over a line of four channels by plain trees deadlock, while two terminals at the far end of
 * the mesh send to each other for ever: that is told of within the interval of the watch. */
static void test_finds_a_corner_that_stands_still(void **state)
{
    struct test_case test;
    struct base_error error = {0};
    int status = 0;
    uint64_t cycle = 0;
    (void)state;
    start(&test, "mway-mesh:4x8", (struct net_options){.packet_flits = 4, .spreading = NET_MST_PLAIN});
    struct net_network *network = net_network_new(test.topology, &test.routing, &test.options, &error);
    assert_non_null(network);
    for (uint32_t round = 0; round < 12; round++)
        for (uint32_t source = 0; source < 16; source++) {
            const struct net_multicast multicast = {.source = source,
                                                    .flits = 4,
                                                    .tag = UINT64_MAX,
                                                    .low = (const uint32_t[]){0, 0},
                                                    .high = (const uint32_t[]){3, 3}};
            assert_int_equal(net_network_multicast(network, 0, &multicast, &error), 0);
        }
    for (; status >= 0 && cycle < 4 * NET_STANDSTILL_CYCLES; cycle += 4) {
        const struct net_message message = {28, 31, 4, 0, false};
        assert_int_equal(net_network_inject(network, cycle, &message, &error), 0);
        while ((status = net_network_advance(network, cycle + 4, &error)) == 1)
            continue;
    }
    assert_int_equal(status, -1);
    assert_int_equal(error.status, BASE_DEADLOCK);
    assert_true(net_network_now(network) <= 2 * NET_STANDSTILL_CYCLES);
    assert_non_null(strstr(error.text, "headers can never move"));
    assert_non_null(strstr(error.text, "these wait for each other"));
    net_network_free(network);
    close_network(&test);
}

/* A mesh of two parts: a multicast reaches all of its own, by a tree or by messages, and none of the other.
 */
static void test_multicasts_in_a_part(void **state)
{
    uint32_t parts[16];
    (void)state;
    for (uint32_t c = 0; c < 16; c++)
        parts[c] = c % 4 / 2;
    for (int spreading = NET_MST_SAFE; spreading < NET_MST_PLAIN; spreading++) {
        const struct net_multicast inside = {
            .source = 9, .flits = 7, .low = (const uint32_t[]){0, 1}, .high = (const uint32_t[]){1, 3}};
        const struct net_multicast across = {
            .source = 9, .flits = 7, .low = (const uint32_t[]){1, 1}, .high = (const uint32_t[]){2, 3}};
        struct test_case test;
        struct base_error error = {0};
        uint32_t told = 0;
        start(&test, "mway-mesh:4x4", (struct net_options){.spreading = (enum net_spreading)spreading});
        assert_int_equal(net_routing_confine(&test.routing, parts, &error), 0);
        struct net_network *network = net_network_new(test.topology, &test.routing, &test.options, &error);
        assert_non_null(network);
        assert_int_equal(net_network_multicast(network, 0, &across, &error), -1);
        assert_non_null(strstr(error.text, "not in its partition"));
        assert_int_equal(net_network_multicast(network, 0, &inside, &error), 0);
        while (net_network_advance(network, UINT64_MAX, &error) == 1) {
            size_t count;
            const struct net_notice *notices = net_network_notices(network, &count);
            for (size_t i = 0; i < count; i++, told++)
                assert_true(notices[i].terminal % 4 < 2 && notices[i].terminal >= 4 &&
                            notices[i].terminal != 9);
        }
        assert_int_equal(told, 5);
        net_network_free(network);
        close_network(&test);
    }
}

/* ---- refusals ---- */

static void expect_refusal(const char *topology, const char *routing, struct net_options options,
                           bool multicast, const char *word)
{
    struct test_case test = {.options = options};
    struct base_error error = {0};
    open_network(&test, topology, routing, options.virtual_channels);
    struct net_network *network = net_network_new(test.topology, &test.routing, &test.options, &error);
    if (multicast) {
        assert_non_null(network);
        assert_int_equal(
            net_network_multicast(network, 0, &(struct net_multicast){.source = 0, .flits = 1}, &error), -1);
    } else {
        assert_null(network);
    }
    assert_int_equal(error.status, BASE_USAGE);
    if (!strstr(error.text, word))
        fail_msg("'%s' is not in: %s", word, error.text);
    net_network_free(network);
    close_network(&test);
}

static void test_refusals(void **state)
{
    (void)state;
    expect_refusal("mway-mesh:3x3", NULL, (struct net_options){.packet_flits = 5, .buffer_flits = 4}, false,
                   "5 flits");
    expect_refusal("mway-torus:3x3", NULL, (struct net_options){.early_free = true}, false,
                   "mway-dimension-order");
    expect_refusal("mway-mesh:3x3", "mway-adaptive", (struct net_options){.early_free = true}, false,
                   "early free");
    expect_refusal("mway-mesh:3x3", NULL, (struct net_options){.arbiter = NET_RANDOM}, false, "--arbiter");
    expect_refusal("mway-mesh:3x3", NULL, (struct net_options){.link_cycles = 2}, false, "--link-cycles");
    expect_refusal("mway-mesh:3x3,processors=30", NULL, (struct net_options){0}, false, "34 devices");
    expect_refusal("mway-mesh:3x3", NULL, (struct net_options){.flow_control = NET_WORMHOLE}, true,
                   "cut-through");
    expect_refusal("mway-mesh:3x3,attach=router", NULL, (struct net_options){.spreading = NET_MST_UNICAST},
                   true, "inside routers");
    expect_refusal("mway-mesh:3x3", "mway-dimension-order", (struct net_options){.early_free = true}, true,
                   "early free");
}

/* ---- what leaves a job's channels ---- */

/* Links between two places in the order of dimensions, and how many of them have an end on another half than
 * x < 2 or x >= 2, which `half` says. */
static uint64_t links_outside(uint32_t from, uint32_t to, uint32_t side, uint32_t half)
{
    uint32_t x = from % side, y = from / side;
    uint64_t outside = 0;
    while (x != to % side || y != to / side) {
        uint32_t before = x;
        if (x != to % side)
            x += x < to % side ? 1 : UINT32_MAX;
        else
            y += y < to / side ? 1 : UINT32_MAX;
        outside += before / 2 != half || x / 2 != half;
    }
    return outside;
}

/* Each half of a mesh has an owner; every flit counts for the half that it comes from. */
static void test_counts_what_leaves_a_half(void **state)
{
    struct test_case test;
    struct base_random random;
    struct base_error error = {0};
    uint32_t owner[16];
    uint64_t expected[2] = {0, 0};
    (void)state;
    for (uint32_t c = 0; c < 16; c++)
        owner[c] = c % 4 / 2;
    start(&test, "mway-mesh:4x4", (struct net_options){.packet_flits = 5, .owner = owner, .owners = 2});
    base_random_seed(&random, 3, 3);
    struct net_network *network = net_network_new(test.topology, &test.routing, &test.options, &error);
    assert_non_null(network);
    for (uint32_t i = 0; i < 200; i++) {
        const struct net_message message = {draw(&random, 16), draw(&random, 16), 1 + draw(&random, 20), i,
                                            false};
        uint32_t half = owner[message.source];
        expected[half] += message.flits * links_outside(message.source, message.target, 4, half);
        assert_int_equal(net_network_inject(network, i, &message, &error), 0);
    }
    while (net_network_advance(network, UINT64_MAX, &error) == 1)
        continue;
    const uint64_t *outside = net_network_statistics(network)->outside_flit_hops;
    assert_int_equal(net_network_pending(network), 0);
    assert_true(expected[0] > 0 && expected[1] > 0);
    assert_true(outside[0] == expected[0] && outside[1] == expected[1]);
    net_network_free(network);
    close_network(&test);
}

/* Statistics are asked for between any two cycles, when packets are on their way: the engine counts these with
 * their headers. A channel has carried one flit more or none, and a link what came over its channel. */
static void expect_counts_of_a_cycle(const struct test_case *test, const struct net_network *network,
                                     uint64_t *before)
{
    const struct net_statistics *statistics = net_network_statistics(network);
    for (uint32_t c = 0; c < test->topology->routers; c++) {
        uint64_t more = statistics->channel_flits[c] - before[c];
        if (more > 1)
            fail_msg("%s: channel %u carried %" PRIu64 " flits in a cycle", test->text, c, more);
        before[c] += more;
    }
    for (uint32_t l = 0; l < test->topology->link_count; l++)
        if (statistics->link_flits[l] > before[test->topology->links[l].source])
            fail_msg("%s: link %u carried more flits than its channel", test->text, l);
}

static void test_counts_between_cycles(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= brief_count("cases", 60, 5); seed++) {
        struct test_case test;
        struct base_error error = {0};
        draw_case(&test, seed);
        struct net_network *network = net_network_new(test.topology, &test.routing, &test.options, &error);
        uint64_t *before = calloc(test.topology->routers, sizeof *before);
        uint64_t limit = 0;
        assert_true(network != NULL && before != NULL);
        for (size_t i = 0; i < test.count; i++)
            send(&test, network, i);
        int status = 0;
        while (status >= 0 && net_network_pending(network) != 0) {
            limit += net_network_now(network) == limit;
            status = net_network_advance(network, limit, &error);
            expect_counts_of_a_cycle(&test, network, before);
        }
        free(before);
        net_network_free(network);
        close_network(&test);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_reference),
        cmocka_unit_test(test_blocks_of_winners),
        cmocka_unit_test(test_every_member_once),
        cmocka_unit_test(test_counts_what_leaves_a_half),
        cmocka_unit_test(test_counts_between_cycles),
        cmocka_unit_test(test_zero_load),
        cmocka_unit_test(test_transfers_of_a_tree),
        cmocka_unit_test(test_plain_tree_deadlocks),
        cmocka_unit_test(test_finds_a_corner_that_stands_still),
        cmocka_unit_test(test_multicasts_in_a_part),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("shared channels", tests, NULL, NULL);
}
