/* Multicasts on king networks: the tree reaches every router once, by a shortest path; every member gets one
 * copy, whatever else is under way; and what cannot be is refused with a reason. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

#include "base/random.h"
#include "netmodel/multicasts/king-tree.h"
#include "netmodel/network.h"

/* A topology with one of its routings. */
struct place {
    struct net_topology *topology;
    struct net_routing routing;
};

static void place_make(struct place *place, const char *topology, const char *routing)
{
    struct base_error error = {0};
    place->topology = net_topology_new(topology, &error);
    if (place->topology == NULL || net_routing_init(&place->routing, place->topology, routing, 0, &error) < 0)
        fail_msg("%s, %s: %s", topology, routing, error.text);
}

static void place_free(struct place *place)
{
    net_routing_free(&place->routing);
    net_topology_free(place->topology);
}

/* ---- trees ---- */

/* Follows the tree from a router, `hops` from the source. Returns its links. */
static uint32_t follow(const struct net_topology *topology, const uint8_t *ports, uint32_t router,
                       uint32_t hops, uint32_t *visits, uint32_t *hops_of)
{
    uint32_t links = 0;
    visits[router]++;
    hops_of[router] = hops;
    assert_true(hops <= topology->routers);
    for (uint32_t port = 0; port < topology->ports; port++)
        if ((ports[router] >> port & 1) != 0) {
            uint32_t link = topology->link_at[router * topology->ports + port];
            assert_int_not_equal(link, NET_NONE);
            links += 1 + follow(topology, ports, topology->links[link].target, hops + 1, visits, hops_of);
        }
    return links;
}

/* Exactly one copy each, on tori of even side too, where the king thesis (section 3.3.1) sends more: counted by brute
 * force, for every source, in N - 1 transmissions and as many steps as the source is far from the farthest. */
static void check_broadcast(const struct net_topology *topology)
{
    uint8_t ports[1024];
    uint32_t visits[1024], hops[1024];
    for (uint32_t source = 0; source < topology->routers; source++) {
        memset(visits, 0, sizeof visits);
        assert_int_equal(net_king_tree(topology, source, NULL, ports), 0);
        assert_int_equal(follow(topology, ports, source, 0, visits, hops), topology->routers - 1);
        for (uint32_t router = 0; router < topology->routers; router++) {
            assert_int_equal(visits[router], 1);
            assert_int_equal(hops[router], net_topology_distance(topology, source, router));
        }
    }
}

static void test_broadcast_reaches_all_once(void **state)
{
    struct base_error error = {0};
    (void)state;
    for (uint32_t x = 2; x <= 9; x++)
        for (uint32_t y = 2; y <= 9; y++)
            for (int torus = 0; torus < 2; torus++) {
                char text[64];
                snprintf(text, sizeof text, "king-%s:%" PRIu32 "x%" PRIu32, torus ? "torus" : "mesh", x, y);
                struct net_topology *topology = net_topology_new(text, &error);
                if (topology == NULL)
                    fail_msg("%s: %s", text, error.text);
                check_broadcast(topology);
                net_topology_free(topology);
            }
}

/* Of a list's tree every leaf is a member, and every member is in it, where the broadcast reaches it. */
static void test_lists_prune_the_tree(void **state)
{
    struct base_error error = {0};
    struct base_random random;
    struct net_topology *topology = net_topology_new("king-torus:7x6", &error);
    uint8_t ports[64];
    uint32_t visits[64], hops[64];
    bool members[64];
    (void)state;
    assert_non_null(topology);
    base_random_seed(&random, 5, 1);
    for (int n = 0; n < 500; n++) {
        uint32_t source = (uint32_t)base_random_below(&random, 42), share = 1 + (uint32_t)n % 42;
        for (uint32_t router = 0; router < 42; router++)
            members[router] = base_random_below(&random, share) == 0;
        memset(visits, 0, sizeof visits);
        assert_int_equal(net_king_tree(topology, source, members, ports), 0);
        follow(topology, ports, source, 0, visits, hops);
        for (uint32_t router = 0; router < 42; router++) {
            assert_true(visits[router] <= 1);
            assert_true(visits[router] == 1 || !members[router]);
            assert_true(visits[router] == 0 || router == source || ports[router] != 0 || members[router]);
        }
    }
    net_topology_free(topology);
}

/* ---- copies ---- */

/* What has been told of each message: notices of it as a whole, and of its copy at each terminal. */
struct book {
    uint32_t terminals;
    uint32_t *sent, *delivered; /* [message], [message * terminals + terminal] */
    uint64_t last_cycle;        /* of a notice */
};

static void write_down(struct net_network *network, struct book *book)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(network, &count);
    for (size_t i = 0; i < count; i++) {
        uint64_t row = notices[i].tag * book->terminals;
        if (notices[i].kind == NET_SENT)
            book->sent[notices[i].tag]++;
        else
            book->delivered[row + (notices[i].terminal != NET_NONE ? notices[i].terminal : 0)]++;
        book->last_cycle = net_network_now(network);
    }
}

static void run_until(struct net_network *network, uint64_t cycle, struct book *book)
{
    struct base_error error = {0};
    int result = 1;
    while (result == 1 && net_network_now(network) < cycle) {
        result = net_network_advance(network, cycle, &error);
        if (result < 0)
            fail_msg("%s", error.text);
        if (result == 1)
            write_down(network, book);
    }
}

static void open_book(struct book *book, uint32_t terminals, uint32_t messages)
{
    *book = (struct book){.terminals = terminals};
    book->sent = calloc(messages, sizeof *book->sent);
    book->delivered = calloc((size_t)messages * terminals, sizeof *book->delivered);
    assert_non_null(book->sent);
    assert_non_null(book->delivered);
}

static void close_book(struct book *book)
{
    free(book->sent);
    free(book->delivered);
}

/* In an empty network a broadcast takes as long as the message to the terminal that is farthest, and N - 1
 * transmissions of every flit; where only the links are shared, too. */
static void test_one_broadcast(void **state)
{
    static const char *const names[] = {"king-mesh:8x8", "king-mesh:5x3", "king-torus:8x8", "king-torus:7x7",
                                        "king-torus:6x4"};
    struct base_error error = {0};
    (void)state;
    for (size_t i = 0; i < 2 * (sizeof names / sizeof names[0]); i++) {
        struct net_options options = {.seed = 1, .effects = i % 2 == 0 ? NET_ALL_EFFECTS : NET_CHANNELS};
        struct place place;
        struct book book;
        place_make(&place, names[i / 2], "");
        const struct net_topology *topology = place.topology;
        struct net_network *network = net_network_new(topology, &place.routing, &options, &error);
        const struct net_multicast multicast = {.source = 9, .flits = 11, .notice_sent = true};
        uint32_t farthest = 0;
        uint64_t crossed = 0;
        assert_non_null(network);
        open_book(&book, topology->terminals, 1);
        assert_int_equal(net_network_multicast(network, 5, &multicast, &error), 0);
        run_until(network, UINT64_MAX, &book);
        for (uint32_t t = 0; t < topology->terminals; t++) {
            uint32_t distance = net_topology_distance(topology, 9, t);
            assert_int_equal(book.delivered[t], t != 9);
            farthest = distance > farthest ? distance : farthest;
        }
        for (uint32_t link = 0; link < topology->link_count; link++)
            crossed += net_network_statistics(network)->link_flits[link];
        assert_int_equal(book.sent[0], 1);
        assert_int_equal(book.last_cycle, 5 + farthest + 11);
        assert_int_equal(crossed, 11 * (topology->terminals - 1));
        assert_int_equal(net_network_statistics(network)->messages, 1);
        assert_int_equal(net_network_check(network, &error), 0);
        close_book(&book);
        net_network_free(network);
        place_free(&place);
    }
}

/* Where less is modelled, a copy takes what a message to its terminal would; in the ideal network, nothing.
 */
static void test_fewer_effects(void **state)
{
    static const enum net_effects levels[] = {NET_DISTANCE, NET_SERIALISATION, NET_TERMINALS, NET_CHANNELS};
    static const uint32_t targets[] = {0, 3, 5, 17, 24};
    struct base_error error = {0};
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        struct net_options options = {.seed = 1, .effects = i < 4 ? levels[i] : NET_ALL_EFFECTS};
        const struct net_multicast multicast = {
            .source = 3, .flits = 40, .targets = targets, .target_count = 5};
        struct place place;
        place_make(&place, i < 4 ? "king-mesh:5x5" : "king-torus:5x5", "");
        struct net_topology *ideal = net_topology_new("ideal:25", &error);
        struct net_network *network = i < 4
                                          ? net_network_new(place.topology, &place.routing, &options, &error)
                                          : net_network_new(ideal, NULL, &options, &error);
        assert_non_null(network);
        assert_int_equal(net_network_multicasts(network), NET_LIST_MULTICASTS);
        assert_int_equal(net_network_multicast(network, 7, &multicast, &error), 0);
        uint32_t told = 0;
        while (net_network_advance(network, UINT64_MAX, &error) == 1) {
            size_t count;
            const struct net_notice *notices = net_network_notices(network, &count);
            for (size_t n = 0; n < count; n++, told++) {
                uint64_t links = net_topology_distance(place.topology, 3, notices[n].terminal);
                uint64_t taken = i == 4 ? 0 : i == 0 ? links : links + 40;
                assert_int_equal(notices[n].kind, NET_DELIVERED);
                assert_int_equal(net_network_now(network), 7 + taken);
            }
        }
        assert_int_equal(told, 4);
        assert_int_equal(net_network_pending(network), 0);
        assert_int_equal(net_network_check(network, &error), 0);
        assert_int_equal(net_network_statistics(network)->messages, 1);
        net_network_free(network);
        net_topology_free(ideal);
        place_free(&place);
    }
}

/* A message of the random runs: a unicast where target_count is 0. */
struct sent {
    uint64_t cycle, flits;
    uint32_t source, target, target_count;
    uint32_t targets[256];
};

static void draw_sent(struct base_random *random, uint32_t terminals, uint64_t cycle, struct sent *sent)
{
    sent->cycle = cycle;
    sent->flits = 1 + base_random_below(random, 40);
    sent->source = (uint32_t)base_random_below(random, terminals);
    sent->target = (uint32_t)base_random_below(random, terminals);
    sent->target_count = 0;
    if (base_random_below(random, 3) != 0)
        return;
    uint32_t share = 1 + (uint32_t)base_random_below(random, 6);
    for (uint32_t t = 0; t < terminals; t++)
        if (t != sent->source && base_random_below(random, share) == 0)
            sent->targets[sent->target_count++] = t;
}

static void send(struct net_network *network, uint64_t tag, const struct sent *sent)
{
    struct base_error error = {0};
    const struct net_message message = {sent->source, sent->target, sent->flits, tag, true};
    const struct net_multicast multicast = {.source = sent->source,
                                            .flits = sent->flits,
                                            .tag = tag,
                                            .notice_sent = true,
                                            .targets = sent->targets,
                                            .target_count = sent->target_count};
    int result = sent->target_count == 0 ? net_network_inject(network, sent->cycle, &message, &error)
                                         : net_network_multicast(network, sent->cycle, &multicast, &error);
    if (result < 0)
        fail_msg("%s", error.text);
}

/* One copy to each member and none to others, one notice of a unicast, in a network under load. */
static void check_book(const struct book *book, const struct sent *sent, uint32_t count)
{
    for (uint32_t m = 0; m < count; m++) {
        uint32_t copies = 0;
        for (uint32_t t = 0; t < book->terminals; t++)
            copies += book->delivered[(size_t)m * book->terminals + t];
        assert_int_equal(book->sent[m], 1);
        assert_int_equal(copies, sent[m].target_count == 0 ? 1 : sent[m].target_count);
        for (uint32_t i = 0; i < sent[m].target_count; i++)
            assert_int_equal(book->delivered[(size_t)m * book->terminals + sent[m].targets[i]], 1);
    }
}

#define MESSAGES 60

/* The network's digest of a random run; all of it is drawn from the seed. */
static void run_random(const struct place *place, uint64_t seed, uint32_t threads,
                       char digest[BASE_DIGEST_TEXT])
{
    struct base_error error = {0};
    struct base_random random;
    struct book book;
    struct sent *sent = calloc(MESSAGES, sizeof *sent);
    uint32_t terminals = place->topology->terminals;
    uint64_t cycle = 0;
    base_random_seed(&random, seed, 9);
    struct net_options options = {.packet_flits = 1 + (uint32_t)base_random_below(&random, 16),
                                  .injectors = 1 + (uint32_t)base_random_below(&random, 2),
                                  .consumers = 1 + (uint32_t)base_random_below(&random, 2),
                                  .arbiter = (enum net_arbiter)base_random_below(&random, 4),
                                  .link_cycles = 1 + (uint32_t)(seed % 3 == 0),
                                  .credit_cycles = 1 + (uint32_t)(seed % 5 == 0),
                                  .seed = seed,
                                  .threads = threads};
    struct net_network *network = net_network_new(place->topology, &place->routing, &options, &error);
    if (network == NULL)
        fail_msg("%s", error.text);
    assert_non_null(sent);
    open_book(&book, terminals, MESSAGES);
    for (uint32_t m = 0; m < MESSAGES; m++) {
        draw_sent(&random, terminals, cycle, &sent[m]);
        run_until(network, cycle, &book);
        send(network, m, &sent[m]);
        cycle += base_random_below(&random, 2 + seed % 20);
    }
    run_until(network, UINT64_MAX, &book);
    check_book(&book, sent, MESSAGES);
    assert_int_equal(net_network_pending(network), 0);
    if (net_network_check(network, &error) < 0)
        fail_msg("%s", error.text);
    base_digest_text(&net_network_statistics(network)->digest, digest);
    close_book(&book);
    free(sent);
    net_network_free(network);
}

static const char *const places[][2] = {
    {"king-mesh:5x5", ""},
    {"king-mesh:7x4,concentration=2", "adaptive-bubble"},
    {"king-torus:5x5", ""},
    {"king-torus:6x4,concentration=2", "eknaive"},
    {"king-torus:6x6", "hop-by-hop"},
    {"king-torus:4x4,concentration=3", "adaptive-bubble"},
    {"king-mesh:6x6", "hop-by-hop-2s"},
    {"king-torus:8x8", "king-misrouting"},
    {"king-torus:7x3", "valiant"},
};

static void test_one_copy_to_each(void **state)
{
    char digest[BASE_DIGEST_TEXT], threaded[BASE_DIGEST_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct place place;
        place_make(&place, places[i][0], places[i][1]);
        for (uint64_t seed = 0; seed < 40; seed++) {
            run_random(&place, 100 * i + seed, 1, digest);
            if (seed >= 4)
                continue;
            run_random(&place, 100 * i + seed, 3, threaded);
            assert_string_equal(digest, threaded);
        }
        place_free(&place);
    }
}

/* ---- refusals ---- */

static void expect_refusal(const char *topology, const char *routing, const struct net_options *options,
                           const char *reason)
{
    struct base_error error = {0};
    struct place place;
    const struct net_multicast multicast = {.source = 0, .flits = 1};
    place_make(&place, topology, routing);
    struct net_network *network = net_network_new(place.topology, &place.routing, options, &error);
    assert_non_null(network);
    assert_int_equal(net_network_multicasts(network), NET_NO_MULTICASTS);
    assert_int_equal(net_network_multicast(network, 0, &multicast, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    if (strstr(error.text, reason) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, reason);
    assert_int_equal(net_network_pending(network), 0);
    net_network_free(network);
    place_free(&place);
}

static void test_refusals(void **state)
{
    const struct net_options none = {0}, multiplexed = {.multiplexed = true};
    const struct net_options wormhole = {.flow_control = NET_WORMHOLE, .multiplexed = true};
    (void)state;
    expect_refusal("mesh:4x4", "", &none, "the network is not a king network");
    expect_refusal("king-torus:4x4", "dateline", &none, "straight before diagonally");
    expect_refusal("king-mesh:4x4", "", &multiplexed,
                   "cannot multicast with these options: a copy holds its links until its tail");
    expect_refusal("king-mesh:4x4", "", &wormhole, "under wormhole the copies of two multicasts");
    expect_refusal("king-torus:4x4", "dateline", &wormhole, "under wormhole");
    expect_refusal("mesh:4x4", "", &wormhole, "the network is not a king network");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broadcast_reaches_all_once),
        cmocka_unit_test(test_lists_prune_the_tree),
        cmocka_unit_test(test_one_broadcast),
        cmocka_unit_test(test_fewer_effects),
        cmocka_unit_test(test_one_copy_to_each),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests_name("multicasts on king networks", tests, NULL, NULL);
}
