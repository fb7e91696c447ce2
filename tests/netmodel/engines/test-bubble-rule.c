/* Why a ring reserves the largest packet (doc/flit-engine.md): under a bubble rule that counts room flit by
 * flit, a ring with packets of mixed lengths comes to a stand; under the model's rule the same traffic
 * drains. Reference alone: the engine knows only the model's rule. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/suite.h"

#include "base/random.h"
#include "tests/netmodel/engines/reference.h"

/* A ring under pressure: many injectors fill it as far as the rule allows, and every message goes half way
 * round. */
struct ring {
    const char *topology;
    uint32_t packet_flits, buffer_flits, injectors;
    uint64_t seed; /* of a stand under the unpadded rule with lengths 1 and packet_flits */
};

static const struct ring rings[] = {
    {"torus:7", 16, 64, 4, 3},
    {"torus:8,concentration=4", 16, 40, 3, 4},
    {"torus:7,concentration=2", 16, 80, 3, 0},
    {"torus:7", 4, 13, 4, 2},
};

enum { MESSAGES = 5000 };

/* All in one burst; lengths 1 and the largest by turns of a coin, or the largest alone. */
static void draw_traffic(const struct ring *ring, const struct net_topology *topology, bool mixed,
                         struct reference_message *messages)
{
    struct base_random random;
    uint32_t half_way = topology->routers / 2 * topology->concentration;
    base_random_seed(&random, ring->seed, 0);
    for (size_t m = 0; m < MESSAGES; m++) {
        uint32_t source = (uint32_t)base_random_below(&random, topology->terminals);
        bool is_short = base_random_below(&random, 2) == 0;
        messages[m] = (struct reference_message){0, source, (source + half_way) % topology->terminals,
                                                 is_short && mixed ? 1 : ring->packet_flits};
    }
}

/* Runs the ring under either rule. Returns whether it came to a stand, and a digest of all delivery cycles.
 */
static bool stands(const struct ring *ring, bool mixed, bool unpadded, struct base_digest *digest)
{
    static struct reference_message messages[MESSAGES];
    struct base_error error = {0};
    struct net_routing routing;
    struct reference_result result;
    struct net_topology *topology = net_topology_new(ring->topology, &error);
    if (!topology || net_routing_init(&routing, topology, NULL, 1, &error))
        fail_msg("%s", error.text);
    struct net_options options = {.packet_flits = ring->packet_flits,
                                  .buffer_flits = ring->buffer_flits,
                                  .injectors = ring->injectors,
                                  .seed = ring->seed};
    struct reference_setup setup = {
        .topology = topology, .routing = &routing, .options = options, .unpadded_rings = unpadded};
    draw_traffic(ring, topology, mixed, messages);
    reference_run(&setup, messages, MESSAGES, &result);
    assert_int_equal(result.starved + result.overflows + result.collisions, 0);
    bool deadlock = result.deadlock;
    *digest = (struct base_digest){0};
    for (size_t i = 0; i < result.packet_count; i++)
        base_digest_add(digest, (uint64_t[]){i, result.packets[i].delivered}, 2);
    reference_free(&result);
    net_topology_free(topology);
    return deadlock;
}

static void test_mixed_lengths(void **state)
{
    struct base_digest digest;
    (void)state;
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        if (!stands(&rings[i], true, true, &digest))
            fail_msg("%s does not stand under the unpadded rule", rings[i].topology);
        if (stands(&rings[i], true, false, &digest))
            fail_msg("%s stands under the model's rule", rings[i].topology);
    }
}

/* With one length the two rules give the same cycles, also when the buffer is no multiple of it. */
static void test_one_length(void **state)
{
    struct base_digest unpadded, padded;
    (void)state;
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        assert_false(stands(&rings[i], false, true, &unpadded));
        assert_false(stands(&rings[i], false, false, &padded));
        assert_memory_equal(&unpadded, &padded, sizeof padded);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mixed_lengths),
                                       cmocka_unit_test(test_one_length)};
    return cmocka_run_group_tests_name("bubble rule", tests, NULL, NULL);
}
