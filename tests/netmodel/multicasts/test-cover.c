/* Covers of sets of routers by boxes: disjoint, exact, one box for what is a box, and few for few. */
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"

#include "base/random.h"
#include "netmodel/multicasts/cover.h"

#define ROUTERS_MAX 512

static const char *const names[] = {"mesh:9",     "mesh:7x5",       "torus:8x6",    "torus:5x4x3",
                                    "mesh:4x4x4", "king-torus:6x7", "torus:2x3x2x3"};

static struct net_topology *build(const char *name)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(name, &error);
    if (topology == NULL)
        fail_msg("%s", error.text);
    assert_true(topology->routers <= ROUTERS_MAX);
    return topology;
}

/* Each router is in as many boxes as it is a member: one or none. Coordinates are looked at here, and not by
 * the cover's own arithmetic. */
static void check_exact(const struct net_topology *topology, const bool *members, bool wraps,
                        const struct net_cover *cover)
{
    for (uint32_t router = 0; router < topology->routers; router++) {
        uint32_t at[NET_DIMENSIONS_MAX];
        uint32_t boxes = 0;
        net_topology_coordinates(topology, router, at);
        for (uint32_t i = 0; i < cover->count; i++) {
            bool inside = true;
            for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
                uint32_t low = cover->boxes[i].low[d], end = low + cover->boxes[i].extent[d];
                uint32_t side = topology->grid->sides[d];
                assert_true(end <= side || (wraps && topology->grid->wraps));
                inside = inside && ((at[d] >= low && at[d] < end) || at[d] + side < end);
            }
            assert_int_equal(inside, net_box_contains(topology, &cover->boxes[i], router));
            boxes += inside;
        }
        assert_int_equal(boxes, members[router]);
    }
}

static void test_any_set_is_covered_exactly(void **state)
{
    struct base_random random;
    bool members[ROUTERS_MAX];
    (void)state;
    base_random_seed(&random, 1, 2);
    for (uint32_t n = 0; n < 1400; n++) {
        struct net_topology *topology = build(names[n % 7]);
        struct base_error error = {0};
        struct net_cover cover;
        uint32_t share = 2 + n % 9, count = 0;
        bool wraps = n % 2 == 0;
        for (uint32_t router = 0; router < topology->routers; router++)
            count += members[router] = base_random_below(&random, 10) < share;
        assert_int_equal(net_cover(topology, members, wraps, UINT32_MAX, &cover, &error), 1);
        assert_true(cover.count <= count);
        check_exact(topology, members, wraps, &cover);
        /* One box too few is not enough, and leaves nothing behind. */
        uint32_t needed = cover.count;
        net_cover_free(&cover);
        if (needed > 0) {
            assert_int_equal(net_cover(topology, members, wraps, needed - 1, &cover, &error), 0);
            assert_int_equal(cover.count, 0);
        }
        net_topology_free(topology);
    }
}

/* A box is one box; around the end of a torus, too, where that is allowed. */
static void test_a_box_is_one(void **state)
{
    struct base_random random;
    bool members[ROUTERS_MAX];
    (void)state;
    base_random_seed(&random, 3, 4);
    for (uint32_t n = 0; n < 1400; n++) {
        struct net_topology *topology = build(names[n % 7]);
        struct base_error error = {0};
        struct net_cover cover;
        struct net_box box;
        bool around = false, wraps = topology->grid->wraps && n % 3 != 0;
        for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
            uint32_t side = topology->grid->sides[d];
            box.low[d] = (uint32_t)base_random_below(&random, side);
            box.extent[d] = 1 + (uint32_t)base_random_below(&random, wraps ? side : side - box.low[d]);
            around |= box.low[d] + box.extent[d] > side && box.extent[d] < side;
        }
        for (uint32_t router = 0; router < topology->routers; router++)
            members[router] = net_box_contains(topology, &box, router);
        assert_int_equal(net_cover(topology, members, wraps, 1, &cover, &error), 1);
        assert_int_equal(cover.count, 1);
        check_exact(topology, members, wraps, &cover);
        net_cover_free(&cover);
        assert_int_equal(net_cover(topology, members, false, 1, &cover, &error), !around);
        net_cover_free(&cover);
        net_topology_free(topology);
    }
}

/* The picture in cover.h, and nobody at all. */
static void test_by_hand(void **state)
{
    static const uint32_t routers[] = {0, 1, 2, 5, 6, 7, 8, 13};
    struct net_topology *topology = build("mesh:5x3");
    struct base_error error = {0};
    struct net_cover cover;
    bool members[15] = {false};
    (void)state;
    assert_int_equal(net_cover(topology, members, false, 0, &cover, &error), 1);
    assert_int_equal(cover.count, 0);
    for (size_t i = 0; i < sizeof routers / sizeof routers[0]; i++)
        members[routers[i]] = true;
    assert_int_equal(net_cover(topology, members, false, 2, &cover, &error), 1);
    assert_int_equal(cover.count, 2);
    assert_int_equal(cover.boxes[0].extent[0], 3);
    assert_int_equal(cover.boxes[0].extent[1], 2);
    assert_int_equal(cover.boxes[1].low[0], 3);
    assert_int_equal(cover.boxes[1].extent[1], 2);
    net_cover_free(&cover);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_set_is_covered_exactly),
        cmocka_unit_test(test_a_box_is_one),
        cmocka_unit_test(test_by_hand),
    };
    return cmocka_run_group_tests_name("covers by boxes", tests, NULL, NULL);
}
