/* Layouts and costs of networks: lengths of the thesis, pins of the m-way paper, sums against the links one
 * by one. */
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/costs/costs.h"
#include "netmodel/costs/energy.h"
#include "netmodel/costs/layout.h"
#include "tests/netmodel/cases.h"

static struct net_topology *topology_of(const char *text)
{
    struct base_error error;
    struct net_topology *topology = net_topology_new(text, &error);
    if (topology == NULL)
        fail_msg("%s", error.text);
    return topology;
}

/* How many links are so long, of all. */
static void check_lengths(const char *text, const double *lengths, const unsigned *counts, size_t kinds)
{
    struct net_topology *topology = topology_of(text);
    double *mm = calloc(topology->link_count + 1, sizeof *mm);
    unsigned found[8] = {0};
    unsigned all = 0;
    assert_null(net_layout_lengths(topology, 1, mm));
    for (uint32_t i = 0; i < topology->link_count; i++)
        for (size_t k = 0; k < kinds; k++)
            found[k] += fabs(mm[i] - lengths[k]) < 1e-9;
    for (size_t k = 0; k < kinds; k++) {
        if (found[k] != counts[k])
            fail_msg("%s: %u links are %g long, not %u", text, found[k], lengths[k], counts[k]);
        all += found[k];
    }
    assert_int_equal(all, topology->link_count);
    free(mm);
    net_topology_free(topology);
}

/* 001 section 2.6: a mesh 1, diagonals root 2, a folded torus 2 and, at the folds, 1; a folded king torus
 * up to root 8. */
static void lengths(void **state)
{
    static const double orthogonal[] = {1};
    static const double king[] = {1, 1.4142135623730951};
    static const double ring[] = {2, 1};
    static const double king_ring[] = {2, 1, 1.4142135623730951, 2.2360679774997898, 2.8284271247461903};
    static const double wide[] = {2};
    static const double cube[] = {1, 4};
    (void)state;
    check_lengths("mesh:8x8", orthogonal, (const unsigned[]){224}, 1);
    check_lengths("king-mesh:8x8", king, (const unsigned[]){224, 196}, 2);
    check_lengths("torus:8x8", ring, (const unsigned[]){192, 64}, 2);
    check_lengths("king-torus:8x8", king_ring, (const unsigned[]){192, 64, 16, 96, 144}, 5);
    check_lengths("mesh:4x4,concentration=4", wide, (const unsigned[]){48}, 1);
    check_lengths("mesh:4x4x4", cube, (const unsigned[]){192, 96}, 2);
    check_lengths("ring:8", ring, (const unsigned[]){12, 4}, 2);
    check_lengths("manhattan:4x4", ring, (const unsigned[]){16, 16}, 2);
}

static void layers(void **state)
{
    static const struct {
        const char *text;
        uint32_t layers;
    } cases[] = {
        {"mesh:8x8", 1}, {"king-mesh:8x8", 2}, {"torus:8x8", 2}, {"king-torus:8x8", 4}, {"mesh:4x4x4", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct net_topology *topology = topology_of(cases[i].text);
        assert_int_equal(net_layout_layers(topology), cases[i].layers);
        net_topology_free(topology);
    }
}

/* Costs under so many bits, 2 virtual channels of 4 flits, and what the caller changes. */
static struct net_costs costs_of(const char *text, uint32_t bits, uint32_t control,
                                 const struct net_technology *technology)
{
    struct net_topology *topology = topology_of(text);
    struct net_metrics metrics = {0};
    struct net_costs costs;
    struct base_error error;
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), 0);
    struct net_cost_request request = {topology, &metrics, bits,  control, 2, 4,
                                       1,        1,        false, 1000000, 1, technology};
    assert_int_equal(net_costs_of(&request, &costs, &error), 0);
    net_metrics_free(&metrics);
    net_topology_free(topology);
    return costs;
}

/* 000 section 2.1: an m-way router of 128 and 17 lines has 290 pins, a router of the T3D with 16 and 8 has
 * 288. */
static void pins(void **state)
{
    struct net_costs costs = costs_of("mway-mesh:8x8x8", 128, 17, NULL);
    (void)state;
    assert_int_equal(costs.pins, 290);
    assert_int_equal(costs.ports, 2);
    assert_int_equal(costs.routers, 3 * 7 * 64);
    assert_int_equal(costs.links, 512);
    assert_int_equal(costs.taps, 7);
    assert_int_equal(costs_of("torus:8x8x8", 16, 8, NULL).pins, 288);
    costs = costs_of("king-mesh:8x8", 64, 0, NULL);
    assert_int_equal(costs.ports, 9);
    assert_int_equal(costs.pins, 8 * 2 * 64);
    assert_int_equal(costs.crosspoints, 9 * 9 * 64);
    assert_int_equal(costs.buffer_bits, 9 * 2 * 4 * 64);
    assert_int_equal(costs.bisection_bits_cycle, 44 * 64);
    assert_true(isnan(costs.area_mm2) && costs.router_reason[0] != '\0');
    assert_true(fabs(costs.wire_mm - 224 - 196 * sqrt(2)) < 1e-9);
}

static struct net_technology *technology_45(void)
{
    char path[4096];
    const char *directory = getenv("top_srcdir");
    struct base_error error;
    snprintf(path, sizeof path, "%s/netmodel/costs/technologies/45nm.technology",
             directory == NULL ? "." : directory);
    struct net_technology *technology = net_technology_read(path, &error);
    if (technology == NULL)
        fail_msg("%s", error.text);
    return technology;
}

/* 001 Table 4.3: static power of 64 king routers; the energy of a unicast, to the per cent that the paper's
 * rounding leaves (3.97633e-11 and 3.47215e-11 J). */
static void thesis(void **state)
{
    struct net_technology *technology = technology_45();
    struct net_costs mesh = costs_of("mesh:8x8", 64, 0, technology);
    struct net_costs king = costs_of("king-mesh:8x8", 64, 0, technology);
    (void)state;
    assert_true(fabs(64 * king.router[NET_COST_NDD_TOTAL] / 1.19488 - 1) < 0.002);
    assert_true(fabs(mesh.unicast_energy_J / 3.97633e-11 - 1) < 0.005);
    assert_true(fabs(king.unicast_energy_J / 3.47215e-11 - 1) < 0.012);
    assert_true(fabs(mesh.mean_distance - 16.0 / 3) < 1e-12);
    assert_true(fabs(mesh.site_energy_J / 7.26586e-14 - 1) < 0.001);
    assert_true(mesh.area_mm2 > 64 * mesh.router[NET_COST_AREA_TOTAL]);
    net_technology_free(technology);
}

/* What has no layout or is out of range is told, and leaves out no more than depends on it. */
static void reasons(void **state)
{
    struct net_technology *technology = technology_45();
    struct net_costs costs = costs_of("full-mesh:6", 64, 0, technology);
    (void)state;
    assert_non_null(strstr(costs.layout_reason, "no layout"));
    assert_true(isnan(costs.wire_mm) && isnan(costs.area_mm2) && isfinite(costs.router[NET_COST_AREA_TOTAL]));
    costs = costs_of("mesh:4x4", 8, 0, technology);
    assert_non_null(strstr(costs.router_reason, "32 to 256 bits a flit, not for 8"));
    assert_true(isnan(costs.router[NET_COST_AREA_TOTAL]) && costs.wire_mm == 48);
    costs = costs_of("mway-mesh:4x4", 64, 0, technology);
    assert_true(costs.wire_mm == 24 && costs.longest_mm == 2);
    assert_true(fabs(costs.unicast_energy_J - (costs.mean_distance + 1) * costs.link_energy_J -
                     costs.mean_distance * (costs.hop_energy_J - costs.link_energy_J)) < 1e-18);
    net_technology_free(technology);
}

/* Sums over links against each of them. */
static void energies(void **state)
{
    static const char *const texts[] = {"mesh:5x3", "king-torus:5x4", "mway-torus:4x3", "ring:7",
                                        "diagonal-mesh:4x4"};
    struct net_technology *technology = technology_45();
    struct base_error error;
    char reason[NET_COST_REASON];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct net_topology *topology = topology_of(texts[i]);
        struct net_metrics metrics = {0};
        double joules[256];
        double sum = 0;
        uint32_t count = topology->shared != NULL ? topology->routers : topology->link_count;
        assert_int_equal(net_topology_metrics(topology, &metrics, &error), 0);
        struct net_cost_request request = {topology, &metrics, 64,    0,       2, 4,
                                           1,        1,        false, 1000000, 1, technology};
        assert_int_equal(net_costs_link_energies(&request, joules, reason, &error), 0);
        for (uint32_t k = 0; k < count; k++)
            sum += joules[k];
        assert_true(fabs(costs_of(texts[i], 64, 0, technology).link_energy_J * count / sum - 1) < 1e-12);
        net_metrics_free(&metrics);
        net_topology_free(topology);
    }
    net_technology_free(technology);
}

/* ---- energy ---- */

/* The network after messages between all pairs, each event counted by hand: a packet of 3 flits over d links
 * enters d + 1 routers. */
static void energy_of_events(void **state)
{
    struct net_technology *technology = technology_45();
    struct net_topology *topology = topology_of("mesh:4x4");
    struct net_routing routing = {0};
    struct net_options options = {.packet_flits = 3, .buffer_flits = 6};
    struct net_metrics metrics = {0};
    struct net_costs costs;
    struct net_energy energy;
    struct base_error error;
    double hops = 0, packets = 0;
    double parts;
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    struct net_network *network = net_network_new(topology, &routing, &options, &error);
    assert_non_null(network);
    for (uint32_t a = 0; a < 16; a++)
        for (uint32_t b = 0; b < 16; b++) {
            struct net_message message = {.source = a, .target = b, .flits = 3};
            assert_int_equal(net_network_inject(network, 0, &message, &error), 0);
            hops += net_topology_distance(topology, a, b);
            packets++;
        }
    while (net_network_pending(network) > 0)
        assert_true(net_network_advance(network, UINT64_MAX, &error) >= 0);
    const struct net_options *force = net_network_options(network);
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), 0);
    struct net_cost_request request = {
        topology, &metrics, 64, 0,         force->virtual_channels, force->buffer_flits, 1, 1,
        false,    1000000,  1,  technology};
    assert_int_equal(net_costs_of(&request, &costs, &error), 0);
    uint64_t cycles = net_network_now(network);
    double seconds = (double)cycles * 1e-9;
    const struct net_energy_events events = net_energy_events_of(topology, net_network_statistics(network));
    assert_int_equal(
        net_energy_of(&request, &costs, &events, cycles, seconds, 3 * 8 * (uint64_t)packets, &energy, &error),
        0);
    assert_true(energy.reason[0] == '\0');
    assert_true(
        fabs(energy.buffers / (3 * (hops + packets) *
                               (costs.router[NET_COST_ENERGY_WRITE] + costs.router[NET_COST_ENERGY_READ])) -
             1) < 1e-12);
    assert_true(fabs(energy.crossbars / (3 * (hops + packets) * costs.router[NET_COST_ENERGY_CROSSBAR]) - 1) <
                1e-12);
    assert_true(fabs(energy.links / (3 * hops * costs.link_energy_J) - 1) < 1e-12);
    assert_true(fabs(energy.sites / (6 * packets * costs.site_energy_J) - 1) < 1e-12);
    assert_true(fabs(energy.still / (costs.ndd_W * seconds) - 1) < 1e-12);
    parts = energy.buffers + energy.crossbars + energy.arbitrations + energy.links + energy.sites;
    assert_true(energy.dynamic == parts && energy.total == parts + energy.clock + energy.still);
    assert_true(energy.delay == energy.total * seconds);
    net_metrics_free(&metrics);
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
    net_technology_free(technology);
}

/* A router whose packets never wait has no buffers, and what it is has no part of them. */
static void without_buffers(void **state)
{
    struct net_technology *technology = technology_45();
    struct net_topology *topology = topology_of("manhattan:4x4");
    struct net_metrics metrics = {0};
    struct net_costs costs;
    struct base_error error;
    (void)state;
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), 0);
    struct net_cost_request request = {.topology = topology,
                                       .metrics = &metrics,
                                       .flit_bits = 64,
                                       .virtual_channels = 9,
                                       .buffer_flits = 1,
                                       .injectors = 1,
                                       .consumers = 2,
                                       .bufferless = true,
                                       .clock_khz = 1000000,
                                       .pitch_mm = 1,
                                       .technology = technology};
    assert_int_equal(net_costs_of(&request, &costs, &error), 0);
    assert_true(costs.buffer_bits == 0 && costs.ports == 4 && costs.router_reason[0] == '\0');
    assert_true(costs.router[NET_COST_ENERGY_WRITE] == 0 && costs.router[NET_COST_AREA_INPUT_BUFFERS] == 0);
    assert_true(costs.router[NET_COST_AREA_TOTAL] > costs.router[NET_COST_AREA_CROSSBAR] &&
                costs.router[NET_COST_AREA_TOTAL] < 0.01);
    net_metrics_free(&metrics);
    net_topology_free(topology);
    net_technology_free(technology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths),          cmocka_unit_test(layers),          cmocka_unit_test(pins),
        cmocka_unit_test(thesis),           cmocka_unit_test(reasons),         cmocka_unit_test(energies),
        cmocka_unit_test(energy_of_events), cmocka_unit_test(without_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
