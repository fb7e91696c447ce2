/* The ShuffleNet: K columns of P^K routers, each column joined to the next by a perfect shuffle, the last
 * to the first (M. G. Hluchyj, M. J. Karol, ShuffleNet, IEEE Trans. Commun. 39(9), 1991; doc/networks.md,
 * One-way networks).
 *
 * Router r of column c is number c * P^K + r. Its link of digit i leads to r * P + i of the next column,
 * modulo P^K. All P links into a router have the same digit, so that a digit cannot be a port, which is a
 * number at both ends: the port is the digit less the top digit of r, modulo P. That is also the port that
 * looks the same from everywhere. */
#include <stdlib.h>

#include "netmodel/specification.h"
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/one-way.h"
#include "netmodel/topologies/wires.h"

#define SHUFFLENET_ROUTERS_MAX (UINT32_C(1) << 20)

/* sides[0] = P, sides[1] = K, sides[2] = P^K. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t port)
{
    const struct net_one_way *one_way = topology->one_way;
    uint32_t radix = one_way->sides[0], columns = one_way->sides[1], rows = one_way->sides[2];
    uint32_t column = router / rows, row = router % rows, top = row / (rows / radix);
    return (column + 1) % columns * rows + (row * radix + (port + top) % radix) % rows;
}

/* The digits of a row, those of higher rank moved down so far as `by` moves to the left, in a circle, do. */
static uint32_t rotate(const struct net_one_way *one_way, uint32_t row, uint32_t by)
{
    uint32_t radix = one_way->sides[0], rows = one_way->sides[2];
    for (; by > 0; by--)
        row = row * radix % rows + row / (rows / radix);
    return row;
}

/* Digit by digit, modulo the radix. */
static uint32_t subtract(const struct net_one_way *one_way, uint32_t row, uint32_t less)
{
    uint32_t radix = one_way->sides[0], difference = 0;
    for (uint32_t rank = 1; rank < one_way->sides[2]; rank *= radix, row /= radix, less /= radix)
        difference += (row % radix + radix - less % radix) % radix * rank;
    return difference;
}

/* A shuffle moves the digits of a row to the left and puts a new one behind. Adding a constant to all
 * digits of a column, and the constant moved to the left in a circle to those of the next, adds to the new
 * digit what it adds to the one that falls off: so it keeps links, and ports, which are differences of the
 * two. After K columns the circle is closed. */
static uint32_t place_seen(const struct net_one_way *one_way, uint32_t from, uint32_t router)
{
    uint32_t columns = one_way->sides[1], rows = one_way->sides[2];
    uint32_t on = (router / rows + columns - from / rows) % columns;
    return on * rows + subtract(one_way, router % rows, rotate(one_way, from % rows, on));
}

/* P^K, or 0: too many. */
static uint32_t count_rows(uint32_t radix, uint32_t columns)
{
    uint64_t rows = 1;
    for (uint32_t i = 0; i < columns && rows <= SHUFFLENET_ROUTERS_MAX; i++)
        rows *= radix;
    return rows * columns <= SHUFFLENET_ROUTERS_MAX ? (uint32_t)rows : 0;
}

/* Radix and columns; the rows follow from them. Bounds are looked at before the power is made. The power is
 * bounded while it is made, so that it does not wrap. */
static int check_sizes(const struct net_specification *specification, struct base_error *error)
{
    if (specification->side_count != 2)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a ShuffleNet takes two sizes, links per router and columns, "
                              "as in shufflenet:2,4",
                              specification->text);
    if (specification->sides[0] < 2 || specification->sides[0] > NET_ONE_WAY_PORTS_MAX)
        return base_error_set(error, BASE_USAGE, "topology '%.80s': a router has 2 to %d links, not %u",
                              specification->text, NET_ONE_WAY_PORTS_MAX, specification->sides[0]);
    if (specification->sides[1] > 31 || count_rows(specification->sides[0], specification->sides[1]) == 0)
        return base_error_set(error, BASE_USAGE, "topology '%.80s': more than %u routers",
                              specification->text, SHUFFLENET_ROUTERS_MAX);
    return 0;
}

/* In a single column routers whose digits are all the same would be linked to themselves. As in darm.c the kind is
 * lent to target() before its tables exist. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    struct net_one_way kind = {.place = place_seen};
    if (check_sizes(specification, error) != 0)
        return -1;
    kind.sides[0] = topology->ports = specification->sides[0];
    kind.sides[1] = specification->sides[1];
    kind.sides[2] = count_rows(kind.sides[0], kind.sides[1]);
    if (net_wires_size(topology, specification, (uint64_t)kind.sides[1] * kind.sides[2], error) != 0)
        return -1;
    topology->one_way = &kind;
    int status = net_wires_build(topology, specification, target, error);
    topology->one_way = NULL;
    return status != 0 ? -1 : net_one_way_build(topology, &kind, error);
}

/* Columns from left to right, rows downwards. */
static bool place(const struct net_topology *topology, uint32_t router, double at[2])
{
    uint32_t rows = topology->one_way->sides[2];
    uint32_t column = router / rows;
    at[0] = column * (rows > 8 ? rows / 4.0 : 2.0);
    at[1] = -(double)(router % rows);
    return true;
}

/* The same on a chip, a pitch between columns. */
static bool lay(const struct net_topology *topology, uint32_t router, double at[2])
{
    uint32_t column = router / topology->one_way->sides[2];
    at[0] = column;
    at[1] = router % topology->one_way->sides[2];
    return true;
}

/* Which half a router belongs to in the order of its digits, the last first, after those of its column are
 * moved back: a digit stays where it is on the way through the columns, until it falls off behind the last
 * one. So only the links from the last column to the first are between the halves. */
static bool is_second(const struct net_one_way *one_way, uint32_t router)
{
    uint32_t radix = one_way->sides[0], columns = one_way->sides[1], rows = one_way->sides[2];
    uint32_t column = router / rows;
    uint32_t row = rotate(one_way, router % rows, (columns - column % columns) % columns), order = 0;
    for (uint32_t rank = 1; rank < rows; rank *= radix, row /= radix)
        order = order * radix + row % radix;
    return (uint64_t)order * columns + column >= (uint64_t)columns * rows / 2;
}

/* Two cuts, each improved by exchanges: between the halves above, which is the best known for an even radix, and
 * across a column in the middle, from which the best known for an odd radix is found. Nothing is proved: the
 * number is a bound from above. */
static int best_known(const struct net_topology *topology, bool *second, uint64_t *channels,
                      struct base_error *error)
{
    *channels = UINT64_MAX;
    for (uint32_t by_columns = 0; by_columns < 2; by_columns++) {
        for (uint32_t router = 0; router < topology->routers; router++)
            second[router] =
                by_columns ? router >= topology->routers / 2 : is_second(topology->one_way, router);
        if (net_bisection_exchange(topology, second, error) != 0)
            return -1;
        uint64_t cut = net_bisection_cut(topology, second);
        *channels = cut < *channels ? cut : *channels;
    }
    return 0;
}

/* All cuts of small networks, else the best known. */
static int bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                     struct base_error *error)
{
    if (net_bisection_search(topology, channels, exact, error) != 0 || *exact)
        return *exact ? 0 : -1;
    bool *second = calloc(topology->routers, sizeof *second);
    int status = second == NULL ? base_error_memory(error, "the search for a bisection")
                                : best_known(topology, second, channels, error);
    free(second);
    return status;
}

const struct net_topology_kind net_topology_shufflenet = {
    .name = "shufflenet",
    .chance = BASE_EXACT,
    .summary = "columns of routers joined by perfect shuffles, the last to the first",
    .parameters = "P,K",
    .routing = "deflection",
    .tuple = true,
    .examples = "2,2 2,3 2,4 3,2 3,3 4,2",
    .build = build,
    .place = place,
    .lay = lay,
    .distance = net_one_way_distance,
    .diameter = net_one_way_diameter,
    .histogram = net_one_way_histogram,
    .port_name = net_wires_port_name,
    .bisection = bisection,
};
