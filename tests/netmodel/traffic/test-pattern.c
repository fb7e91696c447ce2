/* Laws of every traffic pattern on every topology, and the field's definitions at sizes that can be read.
 *
 * Expected targets are written down by hand from Dally and Towles' definitions, not computed by the formulas
 * under test. Frequencies are held against exact binomial bounds with a chance of failure below 10^-9. */
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/traffic/pattern.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

static struct net_pattern pattern_of(const struct net_topology *topology, const char *text)
{
    struct net_pattern pattern;
    struct base_error error;

    if (net_pattern_init(&pattern, topology, text, 1, &error) != 0)
        fail_msg("%s on %s: %s", text, topology->text, error.text);
    return pattern;
}

/* A permutation hits every terminal once; what draws stays inside and never gives the source. */
static void check_kind(const struct net_pattern *pattern)
{
    uint32_t state[NET_PATTERN_STATE_MAX] = {0};
    uint8_t *hit = calloc(pattern->terminals, 1);

    assert_non_null(hit);
    for (uint32_t source = 0; source < pattern->terminals; source++) {
        if (pattern->kind->begin != NULL)
            pattern->kind->begin(pattern, source, base_hash(1, source), state);
        for (uint64_t key = 0; key < (pattern->kind->permutation ? 2 : 50); key++) {
            uint32_t target = pattern->kind->target(pattern, source, base_hash(2, key), state);
            assert_true(target < pattern->terminals);
            if (pattern->kind->permutation)
                assert_int_equal(hit[target]++, key); /* twice by the same source, by no other */
            else
                assert_int_not_equal(target, source);
        }
        if (pattern->kind->permutation)
            hit[pattern->kind->target(pattern, source, 0, NULL)] = 2;
    }
    free(hit);
}

/* Each kind either refuses the topology with a sentence, or obeys. */
static void check_topology(const struct net_topology *topology, void *context)
{
    unsigned *accepted = context;
    size_t count;
    const struct net_pattern_kind *const *kinds = net_pattern_kinds(&count);

    for (size_t i = 0; i < count; i++) {
        struct net_pattern pattern;
        struct base_error error = {0};
        if (net_pattern_init(&pattern, topology, kinds[i]->name, 1, &error) != 0) {
            assert_int_equal(error.status, BASE_USAGE);
            assert_true(strlen(error.text) > 20);
            continue;
        }
        check_kind(&pattern);
        accepted[i]++;
        net_pattern_free(&pattern);
    }
}

static void test_laws(void **state)
{
    unsigned accepted[64] = {0};
    size_t count;

    (void)state;
    net_pattern_kinds(&count);
    assert_true(count <= 64);
    assert_true(cases_each_topology(check_topology, accepted) > 50);
    for (size_t i = 0; i < count; i++)
        assert_true(accepted[i] > 5);
}

static void check_targets(const char *topology_text, const char *text, const uint32_t *expected)
{
    struct net_topology *topology = cases_topology(topology_text);
    struct net_pattern pattern = pattern_of(topology, text);

    for (uint32_t source = 0; source < topology->terminals; source++) {
        uint32_t target = pattern.kind->target(&pattern, source, 0, NULL);
        if (target != expected[source])
            fail_msg("%s on %s: %u sends to %u, not %u", text, topology_text, source, target,
                     expected[source]);
        assert_int_equal(net_pattern_sends(&pattern, source), expected[source] != source);
    }
    net_pattern_free(&pattern);
    net_topology_free(topology);
}

/* 4 x 4: terminal 4y + x; its bits are y1 y0 x1 x0. */
static void test_definitions(void **state)
{
    static const uint32_t transpose[] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    static const uint32_t tornado[] = {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12};
    static const uint32_t both[] = {5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0};
    static const uint32_t complement[] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    static const uint32_t reversal[] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
    static const uint32_t shuffle[] = {0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15};
    static const uint32_t butterfly[] = {0, 8, 2, 10, 4, 12, 6, 14, 1, 9, 3, 11, 5, 13, 7, 15};
    static const uint32_t tornado_5[] = {2, 3, 4, 0, 1}, tornado_6[] = {2, 3, 4, 5, 0, 1};
    static const uint32_t placed[] = {2, 3, 0, 1};
    static const uint32_t two_on[] = {2, 3, 4, 5, 0, 1}, four_on[] = {4, 5, 0, 1, 2, 3};
    static const uint32_t swapped[] = {0, 2, 1, 3}, matrix[] = {0, 3, 1, 4, 2, 5};
    static const uint32_t reversed[] = {0, 4, 2, 6, 1, 5, 3, 7}, mixed[] = {0, 3, 1, 4, 2, 5};

    (void)state;
    check_targets("torus:4x4", "transpose", transpose);
    check_targets("torus:4x4", "tornado", tornado);
    check_targets("king-torus:4x4", "tornado,dimensions=2", both);
    check_targets("torus:4x4", "neighbour", tornado); /* ceil(4/2) - 1 = 1 */
    check_targets("mesh:4x4", "neighbour,dimensions=2", both);
    check_targets("mesh:4x4", "bit-complement", complement);
    check_targets("mesh:4x4", "bit-reversal", reversal);
    check_targets("mesh:4x4", "shuffle", shuffle);
    check_targets("mesh:4x4", "shuffle,bits=2", transpose);
    check_targets("full-mesh:16", "shuffle,bits=2", transpose);
    check_targets("mesh:4x4", "butterfly", butterfly);
    check_targets("torus:5", "tornado", tornado_5);
    check_targets("torus:6", "tornado", tornado_6);
    check_targets("mesh:2,concentration=2", "neighbour", placed);
    check_targets("dragonfly:1,2,1", "group-shift", two_on);
    check_targets("dragonfly:1,2,1", "group-shift,groups=2", four_on);
    check_targets("dragonfly:1,2,1", "group-shift,terminals=4", four_on);
    check_targets("dragonfly:1,2,1", "group-shift,groups=2,terminals=4", two_on);
    check_targets("fat-tree:2,2", "leaf-transpose", swapped);
    check_targets("xgft:2x3/1x3", "leaf-transpose", matrix);
    check_targets("fat-tree:2,3", "digit-reversal", reversed);
    check_targets("xgft:2x3/1x3", "digit-reversal", mixed);
}

static void test_refusals(void **state)
{
    static const char *const cases[][3] = {
        {"torus:3x4", "shuffle", "power of two"},
        {"torus:3x4", "bit-reversal", "power of two"},
        {"torus:3x4", "butterfly", "power of two"},
        {"torus:2", "butterfly", "at least 4"},
        {"torus:3x4", "transpose", "two equal sides"},
        {"mesh:4x4x4", "transpose", "two equal sides"},
        {"ideal:16", "transpose", "coordinates"},
        {"ideal:16", "tornado", "coordinates"},
        {"torus:2x2", "tornado", "moves nothing"},
        {"torus:4x4", "group-neighbour", "needs several groups of terminals"},
        {"full-mesh:4", "group-shift", "needs several groups of terminals"},
        {"dragonfly:2,4,2", "group-shift,groups=9", "from 1 to 8"},
        {"dragonfly:2,4,2", "group-shift,groups=8,terminals=8", "shifts by all 72 terminals"},
        {"mesh:4x4", "shuffle,bits=4", "from 1 to 3"},
        {"dragonfly:2,4,2", "leaf-transpose", "needs a fat tree of at least two levels"},
        {"fat-tree:4,1", "leaf-transpose", "needs a fat tree of at least two levels"},
        {"xgft:1x4/1x2", "leaf-transpose", "moves nothing"},
        {"hyperx:4x4", "digit-reversal", "needs a fat tree"},
        {"fat-tree:4,1", "digit-reversal", "moves nothing"},
        {"torus:4x4", "tornado,dimensions=3", "from 1 to 2"},
        {"torus:4x4", "hotspot,fraction=1.5", "from 0 to 1"},
        {"torus:4x4", "hotspot,terminals=17", "from 1 to 16"},
        {"torus:4x4", "lru-stack,depth=16", "from 1 to 15"},
        {"torus:4x4", "lru-stack,p=-1", "from 0 to 1"},
        {"torus:4x4", "uniform,self=2", "from 0 to 1"},
        {"torus:4x4", "unifrom", "did you mean 'uniform'"},
        {"torus:4x4", "butterfly,by=2", "takes no parameters"},
        {"torus:1x1", "uniform", "at least two terminals"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct net_topology *topology = cases_topology(cases[i][0]);
        struct net_pattern pattern;
        struct base_error error = {0};
        assert_int_equal(net_pattern_init(&pattern, topology, cases[i][1], 1, &error), -1);
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, cases[i][2]) == NULL)
            fail_msg("%s on %s says '%s'", cases[i][1], cases[i][0], error.text);
        net_topology_free(topology);
    }
}

/* Six standard deviations and a half of a binomial count: a chance of 10^-10. */
static void assert_binomial(uint64_t count, uint64_t draws, double p)
{
    double mean = (double)draws * p, deviation = sqrt(mean * (1 - p));

    if (fabs((double)count - mean) > 6.5 * deviation + 1)
        fail_msg("%.0f of %.0f draws, expected %.1f +- %.1f", (double)count, (double)draws, mean, deviation);
}

#define DRAWS 400000

/* counts[t] of the draws of one source. */
static void draw(const struct net_pattern *pattern, uint32_t source, uint64_t *counts)
{
    uint32_t state[NET_PATTERN_STATE_MAX] = {0};

    memset(counts, 0, pattern->terminals * sizeof *counts);
    if (pattern->kind->begin != NULL)
        pattern->kind->begin(pattern, source, base_hash(5, source), state);
    for (uint64_t i = 0; i < DRAWS; i++)
        counts[pattern->kind->target(pattern, source, base_hash(base_hash(3, source), i), state)]++;
}

static void test_uniform(void **state)
{
    struct net_topology *topology = cases_topology("mesh:5x3");
    struct net_pattern others = pattern_of(topology, "uniform"), all = pattern_of(topology, "uniform,self=1");
    uint64_t counts[15];

    (void)state;
    for (uint32_t source = 0; source < 15; source += 7) {
        draw(&others, source, counts);
        for (uint32_t target = 0; target < 15; target++)
            assert_binomial(counts[target], DRAWS, target == source ? 0 : 1.0 / 14);
        draw(&all, source, counts);
        for (uint32_t target = 0; target < 15; target++)
            assert_binomial(counts[target], DRAWS, 1.0 / 15);
    }
    net_pattern_free(&others);
    net_pattern_free(&all);
    net_topology_free(topology);
}

/* Of 16 terminals the hot four are 2, 6, 10 and 14. */
static void test_hotspot(void **state)
{
    struct net_topology *topology = cases_topology("mesh:4x4");
    struct net_pattern pattern = pattern_of(topology, "hotspot,fraction=0.25,terminals=4");
    struct net_pattern single = pattern_of(topology, "hotspot,fraction=1");
    uint64_t counts[16];

    (void)state;
    draw(&pattern, 0, counts);
    for (uint32_t target = 1; target < 16; target++)
        assert_binomial(counts[target], DRAWS, 0.75 / 15 + (target % 4 == 2 ? 0.25 / 4 : 0));
    draw(&pattern, 6, counts);
    for (uint32_t target = 0; target < 16; target++)
        if (target != 6)
            assert_binomial(counts[target], DRAWS, 0.75 / 15 + (target % 4 == 2 ? 0.25 / 3 : 0));
    draw(&single, 0, counts);
    assert_int_equal(counts[8], DRAWS);
    draw(&single, 8, counts);
    for (uint32_t target = 0; target < 16; target++)
        assert_binomial(counts[target], DRAWS, target == 8 ? 0 : 1.0 / 15);
    net_pattern_free(&pattern);
    net_pattern_free(&single);
    net_topology_free(topology);
}

/* Every number of hot terminals on every number of terminals: the hot ones are as many as asked for. */
static void test_hot_terminals(void **state)
{
    char text[64];

    (void)state;
    for (unsigned terminals = 2; terminals <= 20; terminals++)
        for (unsigned hot = 1; hot <= terminals; hot++) {
            snprintf(text, sizeof text, "ideal:%u", terminals);
            struct net_topology *topology = cases_topology(text);
            snprintf(text, sizeof text, "hotspot,fraction=1,terminals=%u", hot);
            struct net_pattern pattern = pattern_of(topology, text);
            bool is_hot[20] = {false};
            unsigned found = 0;
            for (uint32_t source = 0; source < terminals && hot > 1; source++)
                for (uint64_t i = 0; i < 200; i++)
                    is_hot[pattern.kind->target(&pattern, source, base_hash(source, i), NULL)] = true;
            for (unsigned i = 0; i < terminals; i++)
                found += is_hot[i];
            assert_int_equal(found, hot > 1 ? hot : 0);
            net_pattern_free(&pattern);
            net_topology_free(topology);
        }
}

/* How deep in the stack of the latest targets each message goes: P(i) = 0.9 * 0.1^i for i < 3, by a stack of
 * the test's own. */
static void test_lru_stack(void **state)
{
    struct net_topology *topology = cases_topology("mesh:16x16");
    struct net_pattern pattern = pattern_of(topology, "lru-stack");
    uint32_t words[NET_PATTERN_STATE_MAX] = {0};
    uint32_t stack[3];
    uint64_t depth[4] = {0};

    (void)state;
    pattern.kind->begin(&pattern, 9, 77, words);
    memcpy(stack, words, sizeof stack);
    assert_true(stack[0] != stack[1] && stack[1] != stack[2] && stack[0] != stack[2]);
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint32_t target = pattern.kind->target(&pattern, 9, base_hash(4, i), words), place = 0;
        while (place < 3 && stack[place] != target)
            place++;
        depth[place]++;
        for (; place > 0 && place < 3; place--)
            stack[place] = stack[place - 1];
        if (place == 0)
            stack[0] = target;
    }
    assert_binomial(depth[0], DRAWS, 0.9);
    assert_binomial(depth[1], DRAWS, 0.09);
    assert_binomial(depth[2], DRAWS, 0.009);
    assert_binomial(depth[3], DRAWS, 0.001);
    net_pattern_free(&pattern);
    net_topology_free(topology);
}

/* With self=1 a stack begins with any targets, of 400 of three out of 16 some with the source and some twice. */
static void test_lru_stack_with_self(void **state)
{
    struct net_topology *topology = cases_topology("mesh:4x4");
    struct net_pattern pattern = pattern_of(topology, "lru-stack,self=1");
    uint32_t words[NET_PATTERN_STATE_MAX] = {0};
    uint32_t own = 0, twice = 0;

    (void)state;
    for (uint32_t i = 0; i < 400; i++) {
        pattern.kind->begin(&pattern, 5, i, words);
        own += words[0] == 5 || words[1] == 5 || words[2] == 5;
        twice += words[0] == words[1] || words[1] == words[2] || words[0] == words[2];
    }
    assert_binomial(own, 400, 1 - 15.0 * 15 * 15 / (16 * 16 * 16));
    assert_binomial(twice, 400, 1 - 15.0 * 14 / (16 * 16));
    net_pattern_free(&pattern);
    net_topology_free(topology);
}

/* Each of the 6 permutations of three terminals that moves any is as likely as the others: 5 of them. */
static void test_permutations(void **state)
{
    struct net_topology *topology = cases_topology("ideal:3");
    unsigned counts[27] = {0};
    unsigned seen = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        struct net_pattern pattern;
        struct base_error error;
        assert_int_equal(net_pattern_init(&pattern, topology, "permutation", seed, &error), 0);
        counts[pattern.table[0] * 9 + pattern.table[1] * 3 + pattern.table[2]]++;
        net_pattern_free(&pattern);
    }
    for (unsigned i = 0; i < 27; i++)
        if (counts[i] > 0) {
            seen++;
            assert_binomial(counts[i], 20000, 0.2);
        }
    assert_int_equal(seen, 5);
    net_topology_free(topology);
}

static int make_all(void *context)
{
    struct net_topology *topology = context;
    size_t count;
    const struct net_pattern_kind *const *kinds = net_pattern_kinds(&count);
    int status = 0;

    for (size_t i = 0; i < count && status == 0; i++) {
        struct net_pattern pattern;
        struct base_error error;
        status = net_pattern_init(&pattern, topology, kinds[i]->name, 1, &error);
        if (status == 0)
            net_pattern_free(&pattern);
        else if (error.status == BASE_USAGE)
            status = 0; /* not on this topology */
        else
            assert_int_equal(error.status, BASE_SYSTEM);
    }
    return status;
}

static void test_memory(void **state)
{
    struct net_topology *topology = cases_topology("mesh:4x4");

    (void)state;
    assert_true(fail_alloc_each(make_all, topology) > 10);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),         cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_hotspot),      cmocka_unit_test(test_hot_terminals),
        cmocka_unit_test(test_lru_stack),    cmocka_unit_test(test_lru_stack_with_self),
        cmocka_unit_test(test_permutations), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
