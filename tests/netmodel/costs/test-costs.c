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
#include "netmodel/machines/fat-tree.h"
#include "netmodel/stages/multistage.h"
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
    assert_null(net_layout_lengths(topology, &(struct net_layout){.pitch_mm = 1}, mm));
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

/* The king thesis, section 2.6: a mesh 1, diagonals root 2, a folded torus 2 and, at the folds, 1; a folded king torus
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

/* ---- stages ---- */

/* Column k of a ring of so many that is folded: 0, 2, 4 … there, and 5, 3, 1 back. */
static double column(uint32_t k, uint32_t columns)
{
    uint32_t back = columns - 1 - k;
    return columns < 3 ? k : 2 * k < columns ? 2 * k : 2 * back + 1;
}

/* doc/multistage.md: where link p of a level begins and ends. Rows are those of cells; m processors share one. */
static void ends_of(const struct net_multistage *stages, uint32_t level, uint32_t p, double from[2],
                    double to[2])
{
    uint32_t m = stages->radix, cells = stages->cells, columns = stages->stages + 1;
    from[0] = column(level, columns);
    to[0] = column(level == stages->stages ? 0 : level + 1, columns);
    from[1] = level == 0 ? (p + 0.5) / m - 0.5 : p / m;
    to[1] = level == stages->stages ? (p + 0.5) / m - 0.5 : p % cells;
}

static void lengths_of_stages(void **state)
{
    static const char *const texts[] = {"omega:3,2",   "omega:2,3",   "omega:1,4",
                                        "glo:3,2,2,2", "glo:4,2,1,2", "glo:2,6,2,3"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct net_topology *topology = topology_of(texts[i]);
        const struct net_multistage *stages = topology->multistage;
        double *mm = calloc(topology->link_count, sizeof *mm);
        double from[2], to[2];
        assert_null(net_layout_lengths(topology, &(struct net_layout){.pitch_mm = 3}, mm));
        for (uint32_t level = 0; level <= stages->stages; level++)
            for (uint32_t p = 0; p < stages->processors; p++) {
                ends_of(stages, level, p, from, to);
                double wanted =
                    3 * sqrt((to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]));
                if (fabs(mm[net_multistage_link(stages, level, p)] - wanted) > 1e-9)
                    fail_msg("%s: link %u of level %u is %g long, not %g", texts[i], p, level,
                             mm[net_multistage_link(stages, level, p)], wanted);
            }
        free(mm);
        net_topology_free(topology);
    }
}

/* The bus of a link joins the cells at both its ends; A and B cells, each once; and it is half as long as the way
 * around the box of them all. */
static void buses_join_cells(void **state)
{
    static const char *const texts[] = {"glo:3,2,2,2", "glo:3,2,1,2", "glo:4,4,2,4", "glo:2,6,3,2"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct net_topology *topology = topology_of(texts[i]);
        const struct net_multistage *stages = topology->multistage;
        uint32_t both = stages->drivers + stages->receivers;
        for (uint32_t level = 1; level < stages->stages; level++)
            for (uint32_t p = 0; p < stages->processors; p++) {
                const struct net_link *link = &topology->links[net_multistage_link(stages, level, p)];
                uint32_t bus = net_multistage_bus(stages, level, p), drives = 0, receives = 0;
                for (uint32_t k = 0; k < both; k++) {
                    uint32_t cell = net_multistage_bus_cell(stages, bus, k);
                    drives += k < stages->drivers && cell == link->source;
                    receives += k >= stages->drivers && cell == link->target;
                }
                assert_true(drives == 1 && receives == 1);
            }
        for (uint32_t bus = 0; bus < stages->bus_count; bus++) {
            double low = 1e9, high = -1e9;
            uint32_t level = bus / stages->buses_per_gap;
            for (uint32_t k = 0; k < both; k++) {
                uint32_t cell = net_multistage_bus_cell(stages, bus, k) - stages->processors;
                double row = cell % stages->cells;
                assert_int_equal(cell / stages->cells, level + (k >= stages->drivers));
                low = row < low ? row : low;
                high = row > high ? row : high;
            }
            double across =
                fabs(column(level + 2, stages->stages + 1) - column(level + 1, stages->stages + 1));
            assert_true(fabs(net_layout_bus(topology, &(struct net_layout){.pitch_mm = 2}, bus) -
                             2 * (across + high - low)) < 1e-9);
        }
        net_topology_free(topology);
    }
}

/* Leaves stand at places of their own in a square, and every other router in the middle of the leaves below it. */
static void stands_above_its_leaves(const struct net_topology *topology, void *trees)
{
    const struct net_fat_tree *tree = net_fat_tree_of(topology);
    if (tree == NULL)
        return;
    ++*(unsigned *)trees;
    uint32_t leaves = tree->leaves[tree->levels];
    for (uint32_t r = 0; r < topology->routers; r++) {
        double place[2], leaf_place[2];
        double sums[2] = {0, 0};
        unsigned below = 0;
        assert_true(topology->kind->lay(topology, r, place));
        for (uint32_t leaf = 0; leaf < leaves; leaf++) {
            assert_true(topology->kind->lay(topology, leaf, leaf_place));
            assert_true(leaf == r || r >= leaves || place[0] != leaf_place[0] || place[1] != leaf_place[1]);
            if (!net_fat_tree_is_above(tree, net_fat_tree_level(tree, r), r, leaf))
                continue;
            below++;
            sums[0] += leaf_place[0];
            sums[1] += leaf_place[1];
        }
        assert_true(below > 0 && fabs(place[0] - sums[0] / below) < 1e-9 &&
                    fabs(place[1] - sums[1] / below) < 1e-9);
        assert_true(place[0] < ceil(sqrt(leaves)) && place[1] < ceil(sqrt(leaves)));
    }
}

static void trees_stand_above_their_leaves(void **state)
{
    unsigned trees = 0;
    (void)state;
    cases_each_topology(stands_above_its_leaves, &trees);
    assert_true(trees > 10);
}

/* ---- racks ---- */

/* 4x4 in racks of 3: rack of a router, its place in rows of two, Manhattan distance and 2 m. */
static void racks(void **state)
{
    struct net_topology *topology = topology_of("torus:4x4");
    struct net_layout layout = {.pitch_mm = 1};
    struct base_error error;
    double mm[64];
    uint64_t counts[NET_CABLES] = {0};
    (void)state;
    assert_int_equal(net_racks_parse(&layout.racks,
                                     "3,per-row=2,width-m=0.5,depth-m=1.5,inside-m=0.75,copper-m=3", &error),
                     0);
    assert_int_equal(net_racks_count(&layout.racks, topology), 6);
    assert_null(net_layout_lengths(topology, &layout, mm));
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        int a = (int)link->source / 3, b = (int)link->target / 3;
        double wanted = a == b ? 750 : 500 * abs(a % 2 - b % 2) + 1500 * abs(a / 2 - b / 2) + 2000;
        assert_true(mm[i] == wanted);
        enum net_cable cable = net_racks_cable(&layout.racks, link, mm[i]);
        assert_int_equal(cable, a == b           ? NET_CABLE_INSIDE
                                : wanted <= 3000 ? NET_CABLE_COPPER
                                                 : NET_CABLE_OPTICAL);
        counts[cable]++;
    }
    assert_true(counts[0] > 0 && counts[1] > 0 && counts[2] > 0);
    /* By default the floor is a square, 6 racks in rows of 3. */
    assert_int_equal(net_racks_parse(&layout.racks, "3", &error), 0);
    assert_null(net_layout_lengths(topology, &layout, mm));
    for (uint32_t i = 0; i < topology->link_count; i++) {
        int a = (int)topology->links[i].source / 3, b = (int)topology->links[i].target / 3;
        double wanted = a == b ? 1000 : 600 * abs(a % 3 - b % 3) + 1200 * abs(a / 3 - b / 3) + 2000;
        assert_true(fabs(mm[i] - wanted) < 1e-9);
    }
    net_topology_free(topology);
}

static void bad_racks(void **state)
{
    static const struct {
        const char *text, *says;
    } cases[] = {{"", "routers in a rack"},          {"0", "routers in a rack"},
                 {"x", "routers in a rack"},         {"4,row=2", "row"},
                 {"4,per-row=0", "per-row"},         {"4,width-m=-1", "not a length in metres"},
                 {"4,copper-m=1e3", "not a length"}, {"4,extra-m=1001", "from 0 to 1000"}};
    struct net_racks racks_read;
    struct base_error error;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(net_racks_parse(&racks_read, cases[i].text, &error), -1);
        if (error.status != BASE_USAGE || strstr(error.text, cases[i].says) == NULL)
            fail_msg("'%s' says: %s", cases[i].text, error.text);
    }
}

/* A link of l mm takes link_cycles and the whole cycles of its flight. */
static void latencies(void **state)
{
    struct net_topology *topology = topology_of("mesh:8x8");
    struct net_layout layout = {.pitch_mm = 1};
    const struct net_link *before = topology->links;
    struct base_error error;
    double mm[256];
    (void)state;
    /* On a chip a millimetre is no cycle: nothing changes. */
    assert_int_equal(net_layout_set_latencies(topology, &layout, 5000000, 1000000, 2, &error), 0);
    assert_true(topology->links == before && !topology->own_latencies);
    assert_int_equal(net_racks_parse(&layout.racks, "8,per-row=4", &error), 0);
    assert_null(net_layout_lengths(topology, &layout, mm));
    assert_int_equal(net_layout_set_latencies(topology, &layout, 4100000, 1500000, 2, &error), 0);
    assert_true(topology->own_latencies);
    for (uint32_t i = 0; i < topology->link_count; i++)
        assert_int_equal(topology->links[i].latency, 2 + (int)(mm[i] * 0.0041 * 1.5));
    /* A rack is 1 m, 6.15 cycles; the next one is 2.6 m away, 15.99 cycles. */
    assert_int_equal(topology->links[0].latency, 8);
    /* Latencies of its own stay. */
    assert_int_equal(net_layout_set_latencies(topology, &layout, 9000000, 1500000, 2, &error), 0);
    assert_int_equal(topology->links[0].latency, 8);
    net_topology_free(topology);
    topology = topology_of("mesh:8x8");
    assert_int_equal(net_layout_set_latencies(topology, &layout, 1000000000, 1000000, 1, &error), -1);
    assert_true(error.status == BASE_USAGE && strstr(error.text, "at most 1024") != NULL);
    net_topology_free(topology);
    topology = topology_of("mway-mesh:4x4");
    assert_int_equal(net_layout_set_latencies(topology, &layout, 5000000, 1000000, 1, &error), -1);
    assert_non_null(strstr(error.text, "not simulated"));
    net_topology_free(topology);
    topology = topology_of("full-mesh:6");
    layout.racks.routers = 0;
    assert_int_equal(net_layout_set_latencies(topology, &layout, 5000000, 1000000, 1, &error), -1);
    assert_non_null(strstr(error.text, "without a layout"));
    net_topology_free(topology);
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
    struct net_cost_request request = {topology, &metrics, bits,    control,         2,         4, 1,
                                       1,        false,    1000000, {.pitch_mm = 1}, technology};
    assert_int_equal(net_costs_of(&request, &costs, &error), 0);
    net_metrics_free(&metrics);
    net_topology_free(topology);
    return costs;
}

/* The m-way paper, section 2.1: an m-way router of 128 and 17 lines has 290 pins, a router of the T3D with 16 and 8 has
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
    /* X+, X-, Z+ and Z- of 64 + 3 lines, Y+ and Y- of 11 + 3, since a sixth of 64 bits is rounded up. */
    costs = costs_of("torus:4x4x4,widths=1x1/6x1", 64, 3, NULL);
    assert_int_equal(costs.pins, 2 * (4 * 67 + 2 * 14));
    assert_int_equal(costs.bisection_bits_cycle, 64 * (64 / 6));
    assert_false(costs.bisection_exact);
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

/* The king thesis, Table 4.3: static power of 64 king routers; the energy of a unicast, to the per cent that its
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
        struct net_cost_request request = {topology, &metrics,        64,        0, 2, 4, 1, 1, false,
                                           1000000,  {.pitch_mm = 1}, technology};
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
        topology, &metrics, 64,    0,       force->virtual_channels, force->buffer_flits,
        1,        1,        false, 1000000, {.pitch_mm = 1},         technology};
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

/* Bits over links and buses of stages, each by its own width and length, and bits into cells by the share of a word. */
static void energy_of_stages(void **state)
{
    struct net_technology *technology = technology_45();
    struct net_topology *topology = topology_of("glo:3,2,2,2,link=40,bus=33,output=64");
    const struct net_multistage *stages = topology->multistage;
    struct net_routing routing = {0};
    struct net_metrics metrics = {0};
    struct net_costs costs;
    struct net_energy energy;
    struct base_error error;
    double mm[64];
    double links = 0, entered = 0, on_buses = 0;
    double values[NET_COST_COLUMNS], tap[NET_COST_COLUMNS];
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    struct net_network *network = net_network_new(topology, &routing, NULL, &error);
    assert_non_null(network);
    for (uint32_t a = 0; a < 8; a++)
        for (uint32_t b = 0; b < 8; b++) {
            struct net_message message = {.source = a, .target = b * a % 8, .flits = 777};
            assert_int_equal(net_network_inject(network, 0, &message, &error), 0);
        }
    while (net_network_pending(network) > 0)
        assert_true(net_network_advance(network, UINT64_MAX, &error) >= 0);
    const struct net_statistics *statistics = net_network_statistics(network);
    const struct net_options *force = net_network_options(network);
    struct net_layout layout = {.pitch_mm = 1};
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), 0);
    struct net_cost_request request = {topology, &metrics, 40,    0,       1,      force->buffer_flits,
                                       1,        1,        false, 1000000, layout, technology};
    assert_int_equal(net_costs_of(&request, &costs, &error), 0);
    assert_null(net_layout_lengths(topology, &layout, mm));
    for (uint32_t i = 0; i < topology->link_count; i++) {
        uint32_t level = net_multistage_level(stages, i), bits = level == 0 ? 52 : level == 3 ? 64 : 40;
        assert_int_equal(net_technology_link(technology, bits, mm[i], values, &error), 0);
        links += (double)statistics->link_flits[i] / bits * values[NET_COST_LINK_ENERGY];
        entered += level < 3 ? (double)statistics->link_flits[i] : 0;
    }
    assert_int_equal(net_technology_link(technology, 33, 0, tap, &error), 0);
    for (uint32_t bus = 0; bus < stages->bus_count; bus++) {
        assert_int_equal(
            net_technology_link(technology, 33, net_layout_bus(topology, &layout, bus), values, &error), 0);
        links += (double)statistics->bus_flits[bus] / 33 *
                 (values[NET_COST_LINK_ENERGY] + 4 * tap[NET_COST_LINK_ENERGY]);
        on_buses += (double)statistics->bus_flits[bus];
    }
    assert_true(on_buses > 0);
    const struct net_energy_events events = net_energy_events_of(topology, statistics);
    assert_int_equal(net_energy_of(&request, &costs, &events, 100, 1e-7, 0, &energy, &error), 0);
    assert_true(energy.reason[0] == '\0' && energy.sites == 0);
    assert_true(fabs(energy.links / links - 1) < 1e-12);
    assert_true(fabs(energy.crossbars / ((entered + on_buses) / 40 * costs.router[NET_COST_ENERGY_CROSSBAR]) -
                     1) < 1e-12);
    /* Three cells a packet, of which each is asked once. */
    assert_true(fabs(energy.arbitrations / (3 * (double)statistics->packets *
                                            (costs.router[NET_COST_ENERGY_ARBITRATE_1] +
                                             costs.router[NET_COST_ENERGY_ARBITRATE_2])) -
                     1) < 1e-12);
    net_metrics_free(&metrics);
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
    net_technology_free(technology);
}

/* What happens between two moments is the difference of what was counted, and two spans add up to the whole. */
static void spans(void **state)
{
    struct net_topology *topology = topology_of("king-mesh:4x4");
    struct net_routing routing = {0};
    struct net_energy_span first, second;
    struct base_error error;
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    struct net_network *network = net_network_new(topology, &routing, NULL, &error);
    const struct net_statistics *statistics = net_network_statistics(network);
    assert_int_equal(net_energy_span_init(&first, topology), 0);
    assert_int_equal(net_energy_span_init(&second, topology), 0);
    net_energy_span_turn(&first, topology, statistics);
    for (uint32_t half = 0; half < 2; half++) {
        for (uint32_t a = 0; a < 16; a++) {
            struct net_message message = {.source = a, .target = (a + 5 + half) % 16, .flits = 40};
            assert_int_equal(net_network_inject(network, net_network_now(network), &message, &error), 0);
        }
        while (net_network_pending(network) > 0)
            assert_true(net_network_advance(network, UINT64_MAX, &error) >= 0);
        net_energy_span_turn(half == 0 ? &first : &second, topology, statistics);
        if (half == 0)
            net_energy_span_turn(&second, topology, statistics);
    }
    assert_true(first.events.flits == 16 * 40 && second.events.flits == 16 * 40);
    net_energy_span_add(&first, &second);
    const struct net_energy_events all = net_energy_events_of(topology, statistics);
    assert_true(first.events.entered == all.entered && first.events.packets == all.packets &&
                first.events.injected == all.injected && first.events.ejected == all.ejected &&
                first.events.flits == all.flits);
    assert_memory_equal(first.carried, statistics->link_flits, topology->link_count * sizeof *first.carried);
    net_energy_span_free(&first);
    net_energy_span_free(&second);
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* Of owners that send to themselves only, events add up to those of all: whatever the engine, link by link. */
static void owners_add_up(void **state)
{
    static const struct {
        const char *text;
        struct net_options options;
        bool trees;
    } cases[] = {
        {"torus:4x4", {.packet_flits = 5}, false},
        {"king-mesh:4x4", {.packet_flits = 3, .threads = 2}, true},
        {"mesh:4x4", {.packet_flits = 6, .flow_control = NET_WORMHOLE}, false},
        {"mesh:4x4,concentration=2", {.packet_flits = 4, .link_cycles = 3}, false},
        {"manhattan:4x4", {0}, false},
        {"mway-mesh:4x4", {.packet_flits = 4}, false},
        {"omega:4,2", {.packet_flits = 100}, false},
        /* Routers of more than 64 ports: the broad engine, and the flit engine's second form. */
        {"full-mesh:67", {.packet_flits = 4}, false},
        {"ring:6,concentration=65", {.packet_flits = 5, .link_cycles = 2}, false},
        {"full-mesh:66", {.packet_flits = 3, .flow_control = NET_WORMHOLE}, false},
    };
    struct base_error error;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct net_topology *topology = topology_of(cases[i].text);
        struct net_options options = cases[i].options;
        struct net_routing routing = {0};
        uint32_t owner[67];
        uint32_t places = topology->shared != NULL ? topology->routers : topology->link_count;
        struct net_energy_events sum = {0};
        uint64_t *carried = calloc(places, sizeof *carried);
        assert_non_null(carried);
        for (uint32_t router = 0; router < topology->routers; router++)
            owner[router] = router % 3;
        options.owner = owner;
        options.owners = 3;
        options.owner_events = true;
        assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
        struct net_network *network = net_network_new(topology, &routing, &options, &error);
        if (network == NULL)
            fail_msg("%s: %s", cases[i].text, error.text);
        for (uint32_t a = 0; a < topology->terminals; a++)
            for (uint32_t b = 0; b < topology->terminals; b++) {
                struct net_message message = {.source = a, .target = b, .flits = 1 + (7 * a + b) % 13};
                if (owner[net_topology_router_of(topology, a)] == owner[net_topology_router_of(topology, b)])
                    assert_int_equal(net_network_inject(network, 0, &message, &error), 0);
            }
        if (cases[i].trees) { /* to all, who are of several owners: it is its source's */
            uint32_t low[2] = {0, 0}, high[2] = {3, 3};
            struct net_multicast multicast = {.source = 5, .flits = 4, .low = low, .high = high};
            assert_int_equal(net_network_multicast(network, 0, &multicast, &error), 0);
        }
        while (net_network_pending(network) > 0)
            assert_true(net_network_advance(network, UINT64_MAX, &error) >= 0);
        const struct net_statistics *statistics = net_network_statistics(network);
        const struct net_energy_events all = net_energy_events_of(topology, statistics);
        for (uint32_t whose = 0; whose < 3; whose++) {
            const struct net_energy_events own =
                net_energy_events_of_owner(topology, statistics, owner, whose);
            assert_true(own.packets > 0 && own.entered > 0);
            sum.entered += own.entered;
            sum.packets += own.packets;
            sum.injected += own.injected;
            sum.ejected += own.ejected;
            for (uint32_t place = 0; place < places; place++)
                carried[place] += own.carried[place];
        }
        if (sum.entered != all.entered || sum.injected != all.injected || sum.ejected != all.ejected)
            fail_msg("%s: %g flits enter routers, not %g", cases[i].text, sum.entered, all.entered);
        if (sum.packets != all.packets)
            fail_msg("%s: %g packets, not %g", cases[i].text, sum.packets, all.packets);
        assert_memory_equal(carried, all.carried, places * sizeof *carried);
        free(carried);
        net_network_free(network);
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

/* Without being asked an engine counts nothing by owner, and with buses what carried bits is not known. */
static void owners_are_asked_for(void **state)
{
    struct net_technology *technology = technology_45();
    struct net_topology *topology = topology_of("glo:3,2,2,2,link=40,bus=40");
    struct net_routing routing = {0};
    struct net_metrics metrics = {0};
    struct net_costs costs;
    struct net_energy energy;
    struct base_error error;
    uint32_t owner[20] = {0};
    struct net_options options = {.owner = owner, .owners = 1};
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    struct net_network *network = net_network_new(topology, &routing, &options, &error);
    assert_null(net_network_statistics(network)->owner_events);
    net_network_free(network);
    options.owner_events = true;
    network = net_network_new(topology, &routing, &options, &error);
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), 0);
    struct net_cost_request request = {topology, &metrics,        40,        0, 1, 600, 1, 1, false,
                                       1000000,  {.pitch_mm = 1}, technology};
    assert_int_equal(net_costs_of(&request, &costs, &error), 0);
    const struct net_energy_events events =
        net_energy_events_of_owner(topology, net_network_statistics(network), owner, 0);
    assert_int_equal(net_energy_of(&request, &costs, &events, 0, 0, 0, &energy, &error), 0);
    assert_true(isnan(energy.links) && isnan(energy.dynamic) && strstr(energy.reason, "buses") != NULL);
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
                                       .layout = {.pitch_mm = 1},
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
        cmocka_unit_test(lengths),
        cmocka_unit_test(lengths_of_stages),
        cmocka_unit_test(buses_join_cells),
        cmocka_unit_test(trees_stand_above_their_leaves),
        cmocka_unit_test(racks),
        cmocka_unit_test(bad_racks),
        cmocka_unit_test(latencies),
        cmocka_unit_test(layers),
        cmocka_unit_test(pins),
        cmocka_unit_test(thesis),
        cmocka_unit_test(reasons),
        cmocka_unit_test(energies),
        cmocka_unit_test(energy_of_events),
        cmocka_unit_test(energy_of_stages),
        cmocka_unit_test(spans),
        cmocka_unit_test(without_buffers),
        cmocka_unit_test(owners_add_up),
        cmocka_unit_test(owners_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
