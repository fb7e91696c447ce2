/* Stages of cells: construction, numbers of links and buses, distances. Paths are lines of base-m digits,
 * so that all of it is division by powers of m (the paper's shuffle, with the floor that its
 * Definition 1 lacks: doc/multistage.md). */
#include "netmodel/stages/multistage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/topologies/wires.h"

#define RADIX_MAX 62 /* ports fit a word */
#define PROCESSORS_MAX (UINT32_C(1) << 20)
#define WIDTH_MAX (UINT32_C(1) << 20)
#define BUS_CYCLES_MAX 64

/* No overflow: read_sizes bounds M^S by PROCESSORS_MAX, and no exponent here is above S. */
static uint32_t power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;
    for (; exponent > 0; exponent--)
        result *= base;
    return result;
}

/* ---- numbers ---- */

/* Cells of the last stage reach m processors each, whose inputs are their last digits; those of the other
 * stages take turns, since the first digit of a cell is the input's number at its target. */
static uint32_t rotation(const struct net_multistage *multistage, uint32_t stage, uint32_t cell)
{
    return stage + 1 == multistage->stages ? 0 : cell / multistage->groups;
}

/* Which digit a port stands for is rotated by the source, so that links into a cell, which come from cells with
 * different rotations by the same digit, arrive by inputs of different numbers. */
uint32_t net_multistage_port(const struct net_multistage *multistage, uint32_t stage, uint32_t cell,
                             uint32_t digit)
{
    return (digit + rotation(multistage, stage, cell)) % multistage->radix;
}

uint32_t net_multistage_digit(const struct net_multistage *multistage, uint32_t stage, uint32_t cell,
                              uint32_t port)
{
    return (port + multistage->radix - rotation(multistage, stage, cell)) % multistage->radix;
}

/* Links are sorted by source, then port: level by level, each from the cells in their order. */
uint32_t net_multistage_link(const struct net_multistage *multistage, uint32_t level, uint32_t p)
{
    uint32_t m = multistage->radix;
    if (level == 0)
        return p;
    return level * multistage->processors + p / m * m +
           net_multistage_port(multistage, level - 1, p / m, p % m);
}

uint32_t net_multistage_level(const struct net_multistage *multistage, uint32_t link)
{
    return link / multistage->processors;
}

/* The other way round than net_multistage_link: the port of its level, 0 to N - 1, that the link belongs to. */
uint32_t net_multistage_p(const struct net_multistage *multistage, uint32_t link)
{
    uint32_t m = multistage->radix;
    uint32_t level = net_multistage_level(multistage, link);
    uint32_t local = link % multistage->processors;
    if (level == 0)
        return local;
    return local / m * m + net_multistage_digit(multistage, level - 1, local / m, local % m);
}

/* Digit S - 1 - k of the target for stage k. The engine has the powers in a table (tag_divisor). */
uint32_t net_multistage_tag(const struct net_multistage *multistage, uint32_t target, uint32_t stage)
{
    return target / power(multistage->radix, multistage->stages - 1 - stage) % multistage->radix;
}

/* The number of bus (k, g, u, v) of doc/multistage.md with k = level - 1: k, then g, then u, then v counts
 * fastest. */
uint32_t net_multistage_bus(const struct net_multistage *multistage, uint32_t level, uint32_t p)
{
    uint32_t m = multistage->radix, cell = p / m;
    if (multistage->bus_count == 0)
        return NET_NONE;
    uint32_t u = p % m / multistage->receivers, v = cell / multistage->groups / multistage->drivers;
    uint32_t group = (level - 1) * multistage->groups + cell % multistage->groups;
    return (group * (m / multistage->receivers) + u) * (m / multistage->drivers) + v;
}

/* Numbers of net_multistage_bus taken apart again: the drivers are in stage k, the receivers in stage k + 1. */
uint32_t net_multistage_bus_cell(const struct net_multistage *multistage, uint32_t bus, uint32_t i)
{
    uint32_t m = multistage->radix, per_v = m / multistage->drivers, per_u = m / multistage->receivers;
    uint32_t v = bus % per_v, u = bus / per_v % per_u, group = bus / per_v / per_u;
    uint32_t stage = group / multistage->groups, g = group % multistage->groups;
    uint32_t t = v * multistage->drivers + i, o = u * multistage->receivers + i - multistage->drivers;
    return i < multistage->drivers
               ? multistage->processors + stage * multistage->cells + t * multistage->groups + g
               : multistage->processors + (stage + 1) * multistage->cells + g * m + o;
}

/* `text` has NET_NAME_TEXT bytes. */
void net_multistage_name(const struct net_topology *topology, uint32_t router, char *text)
{
    const struct net_multistage *multistage = topology->multistage;
    uint32_t cell = router - multistage->processors;
    if (router < multistage->processors)
        snprintf(text, NET_NAME_TEXT, "processor %" PRIu32, router);
    else
        snprintf(text, NET_NAME_TEXT, "cell %" PRIu32 " of stage %" PRIu32, cell % multistage->cells,
                 cell / multistage->cells);
}

/* The port at its source is enough: a cell has one link by each digit. */
const char *net_multistage_port_name(const struct net_topology *topology, uint32_t port)
{
    return net_wires_port_name(topology, port);
}

/* ---- construction ---- */

/* S stages of cells of M by M, and of GLO networks A cells that drive a bus and B that receive from it (Koppelman,
 * section III): M^S processors, and between two stages groups of M cells that are linked each to each. */
static int read_sizes(struct net_multistage *multistage, const struct net_specification *specification,
                      bool buses, struct base_error *error)
{
    const uint32_t *sizes = specification->sides;
    uint64_t processors = 1;
    if (specification->side_count != (buses ? 4 : 2))
        return base_error_set(
            error, BASE_USAGE,
            buses ? "topology '%.80s': a GLO network takes four sizes, its stages, the size of a cell, and "
                    "the cells on either side of a bus, as in glo:3,2,2,2"
                  : "topology '%.80s': an omega network takes two sizes, its stages and the size of a cell, "
                    "as in omega:3,2",
            specification->text);
    if (sizes[1] < 2 || sizes[1] > RADIX_MAX)
        return base_error_set(error, BASE_USAGE, "topology '%.80s': cells have from 2 to %d ports a side",
                              specification->text, RADIX_MAX);
    for (uint32_t k = 0; k < sizes[0] && processors <= PROCESSORS_MAX; k++)
        processors *= sizes[1];
    if (processors > PROCESSORS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': more than %" PRIu32
                              " processors, which are M to the power S",
                              specification->text, PROCESSORS_MAX);
    if (buses && (sizes[0] < 2 || sizes[1] % sizes[2] != 0 || sizes[1] % sizes[3] != 0))
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': buses need two stages, and A and B that divide M",
                              specification->text);
    multistage->stages = sizes[0];
    multistage->radix = sizes[1];
    multistage->drivers = buses ? sizes[2] : 0;
    multistage->receivers = buses ? sizes[3] : 0;
    multistage->processors = (uint32_t)processors;
    multistage->cells = multistage->processors / multistage->radix;
    multistage->groups = multistage->stages > 1 ? multistage->cells / multistage->radix : 1;
    return 0;
}

/* A bus without bits changes nothing but what its cells cost. */
static int read_width(const struct net_specification *specification, const char *key, uint32_t fallback,
                      uint32_t most, uint32_t *value, struct base_error *error)
{
    uint64_t number = fallback;
    if (net_specification_unsigned(specification, key, strcmp(key, "bus") == 0 ? 0 : 1, most, &number,
                                   error) != 0)
        return -1;
    *value = (uint32_t)number;
    return 0;
}

/* Defaults: the networks of the paper's section IV, 168 pins a cell of 2 x 2. */
static uint32_t default_link(bool buses)
{
    return buses ? 26 : 41;
}

/* In bits per cycle. Omega networks have neither `bus` nor `bus-cycles`, which stay 0. */
static int read_widths(struct net_multistage *multistage, const struct net_specification *specification,
                       bool buses, struct base_error *error)
{
    uint32_t m = multistage->radix;
    if (read_width(specification, "input", 52, WIDTH_MAX, &multistage->input_bits, error) != 0 ||
        read_width(specification, "link", default_link(buses), WIDTH_MAX, &multistage->link_bits, error) !=
            0 ||
        read_width(specification, "output", 52, WIDTH_MAX, &multistage->output_bits, error) != 0)
        return -1;
    if (!buses)
        return 0;
    multistage->buses_per_gap = multistage->groups * (m / multistage->drivers) * (m / multistage->receivers);
    multistage->bus_count = (multistage->stages - 1) * multistage->buses_per_gap;
    return read_width(specification, "bus", 26, WIDTH_MAX, &multistage->bus_bits, error) != 0
               ? -1
               : read_width(specification, "bus-cycles", 2, BUS_CYCLES_MAX, &multistage->bus_cycles, error);
}

/* Cell (k, c) leads by digit o to cell (c * m + o) mod C, or to processor c * m + o. The router that a port leads
 * to, as net_wires_build asks for each; NET_NONE: the port has no link. Processors have one. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t port)
{
    const struct net_multistage *multistage = topology->multistage;
    uint32_t n = multistage->processors, cells = multistage->cells;
    if (router < n)
        return port == router / cells ? n + router % cells : NET_NONE;
    uint32_t stage = (router - n) / cells, cell = (router - n) % cells;
    uint32_t on = cell * multistage->radix + net_multistage_digit(multistage, stage, cell, port);
    return stage + 1 < multistage->stages ? n + (stage + 1) * cells + on % cells : on;
}

/* The sizes stay with the topology, in its arena; net_wires_build makes links from the function above. */
int net_multistage_build(struct net_topology *topology, const struct net_specification *specification,
                         bool buses, struct base_error *error)
{
    struct net_multistage *multistage = base_arena_array(&topology->arena, 1, sizeof *multistage);
    if (multistage == NULL)
        return base_error_memory(error, "the stages of a network");
    if (read_sizes(multistage, specification, buses, error) != 0 ||
        read_widths(multistage, specification, buses, error) != 0)
        return -1;
    topology->multistage = multistage;
    topology->routers = multistage->processors + multistage->stages * multistage->cells;
    topology->terminals = multistage->processors;
    topology->concentration = 1;
    topology->ports = multistage->radix;
    return net_wires_build(topology, specification, target, error);
}

/* Parameters in the order of the descriptor's `keys`, those that differ from their defaults. */
const char *net_multistage_write(struct net_topology *topology, const char *text)
{
    const struct net_multistage *multistage = topology->multistage;
    bool buses = multistage->bus_count != 0;
    text = net_specification_append(topology, text, "input", multistage->input_bits, 52);
    text = net_specification_append(topology, text, "link", multistage->link_bits, default_link(buses));
    text = net_specification_append(topology, text, "output", multistage->output_bits, 52);
    text = net_specification_append(topology, text, "bus", multistage->bus_bits, buses ? 26 : 0);
    return net_specification_append(topology, text, "bus-cycles", multistage->bus_cycles, buses ? 2 : 0);
}

/* ---- answers ---- */

/* Columns from the left: processors, then the stages; the first row at the top. */
bool net_multistage_place(const struct net_topology *topology, uint32_t router, double place[2])
{
    const struct net_multistage *multistage = topology->multistage;
    uint32_t m = multistage->radix, cell = router - multistage->processors;
    place[0] = router < multistage->processors ? 0 : 2 * (cell / multistage->cells + 1);
    place[1] = router < multistage->processors ? -(double)router
                                               : -(double)(cell % multistage->cells * m) - (m - 1) / 2.0;
    return true;
}

/* The m processors of a row stand side by side in it, as far apart as a cell is high. */
bool net_multistage_lay(const struct net_topology *topology, uint32_t router, double place[2])
{
    const struct net_multistage *multistage = topology->multistage;
    uint32_t m = multistage->radix, columns = multistage->stages + 1, cell = router - multistage->processors;
    bool is_processor = router < multistage->processors;
    net_grid_fold(&columns, 1, true, is_processor ? 0 : cell / multistage->cells + 1, place);
    place[1] = is_processor ? (router + 0.5) / m - 0.5 : cell % multistage->cells;
    return true;
}

/* Processors that a router reaches, or that reach it, before any message passes a processor: those with
 * certain first or last digits. */
struct reach {
    uint32_t links, digits, value;
};

/* From a cell of stage k forwards S - k links lead to the processors whose first k digits are its own last ones;
 * backwards k + 1 links lead to those whose last S - 1 - k digits are its first. A processor reaches itself over
 * no link. */
static struct reach reach_of(const struct net_multistage *multistage, uint32_t router, bool onwards)
{
    uint32_t m = multistage->radix, stages = multistage->stages;
    if (router < multistage->processors)
        return (struct reach){0, stages, router};
    uint32_t stage = (router - multistage->processors) / multistage->cells;
    uint32_t cell = (router - multistage->processors) % multistage->cells;
    if (onwards) /* the first `stage` digits are set already */
        return (struct reach){stages - stage, stage, cell % power(m, stage)};
    return (struct reach){stage + 1, stages - 1 - stage, cell / power(m, stage)};
}

/* Whether cell a leads to cell b of a later stage. `stages` is how many stages later: so many digits are replaced
 * on the way, and the others must agree. */
static bool leads_to(const struct net_multistage *multistage, uint32_t a, uint32_t b, uint32_t stages)
{
    uint32_t m = multistage->radix, cells = multistage->cells;
    a = (a - multistage->processors) % cells;
    b = (b - multistage->processors) % cells;
    return b / power(m, stages) == a % power(m, multistage->stages - 1 - stages);
}

/* In closed form, for any two routers: within one pass if a cell leads to a later one, else by way of a processor
 * that one reaches and that reaches the other, or of two with a whole pass of S + 1 links between them. Tests
 * compare it with a search (tests/netmodel/topologies/test-metrics.c). */
uint32_t net_multistage_distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    const struct net_multistage *multistage = topology->multistage;
    uint32_t n = multistage->processors, m = multistage->radix, stages = multistage->stages;
    const struct reach from = reach_of(multistage, a, true), to = reach_of(multistage, b, false);
    if (a == b)
        return 0;
    if (a >= n && b >= n) {
        uint32_t before = (a - n) / multistage->cells, behind = (b - n) / multistage->cells;
        if (behind > before && leads_to(multistage, a, b, behind - before))
            return behind - before;
    }
    /* A processor that a reaches and that reaches b: the digits that both fix must agree. */
    uint32_t both = from.digits + to.digits > stages ? from.digits + to.digits - stages : 0;
    bool meet = from.value % power(m, both) == to.value / power(m, to.digits - both);
    return from.links + to.links + (meet ? 0 : stages + 1);
}

/* Between processors, as all metrics of this kind. */
uint32_t net_multistage_diameter(const struct net_topology *topology)
{
    return topology->multistage->stages + 1;
}

/* All ways between two processors have the same S + 1 links. */
void net_multistage_histogram(const struct net_topology *topology, uint64_t *pairs)
{
    uint64_t n = topology->terminals;
    pairs[0] = n;
    pairs[topology->multistage->stages + 1] = n * (n - 1);
}

#define BISECTION_EXACT_MAX 9 /* processors up to which all cuts were tried */

/* Halves of the processors, the cells on either side: with all cells on one side, the two links of each
 * processor of the other are cut. */
int net_multistage_bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                             struct base_error *error)
{
    (void)error;
    *channels = 2 * (uint64_t)(topology->terminals / 2);
    *exact = topology->terminals <= BISECTION_EXACT_MAX;
    return 0;
}

/* A cell is a driver of M / B buses and a receiver of M / A. */
struct net_multistage_cost net_multistage_cost(const struct net_multistage *multistage)
{
    uint64_t m = multistage->radix, link = multistage->link_bits, bus = multistage->bus_bits;
    uint64_t in = bus != 0 ? m / multistage->drivers : 0, out = bus != 0 ? m / multistage->receivers : 0;
    uint64_t into = m * link + in * bus; /* bits that come into a cell in a cycle */
    return (struct net_multistage_cost){.pins = 2 * m * (link + 1) + (in + out) * (bus + 3),
                                        .crosspoints = into * (m + out),
                                        .crosspoints_b = into * m};
}
