/* Layouts of networks: places of routers and the lengths that follow. Lengths are in mm, places in pitches on a
 * chip and in mm on a floor. Nothing here looks at traffic: a layout follows from the topology and what the user
 * says of pitches and racks, so that it is the same for every run of a network. */
#include "netmodel/costs/layout.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "netmodel/specification.h"
#include "netmodel/stages/multistage.h"
#include "netmodel/topologies/graph.h"
#include "netmodel/topologies/grid.h"

#define METRES_MAX 1000U /* of any length of a machine */

/* ---- on a chip ---- */

/* How the places of a network are known, in pitches; the links of a grid may have lengths of their own as well. */
static bool place_of(const struct net_topology *topology, uint32_t router, double place[2])
{
    const struct net_graph *graph = topology->graph;
    if (topology->kind->lay != NULL)
        return topology->kind->lay(topology, router, place);
    if (graph != NULL && graph->places != NULL) {
        place[0] = graph->places[router][0];
        place[1] = graph->places[router][1];
        return true;
    }
    if (topology->grid == NULL)
        return false;
    net_grid_fold(topology->grid->sides, topology->grid->dimensions, topology->grid->wraps, router, place);
    return true;
}

/* A root, and not hypot(): that may differ in its last digit from machine to machine. */
static double distance(const double from[2], const double to[2])
{
    double x = to[0] - from[0], y = to[1] - from[1];
    return sqrt(x * x + y * y);
}

/* Of a file that gives lengths; links of other networks have 0. */
static uint32_t count_declared(const struct net_topology *topology)
{
    uint32_t declared = 0;
    for (uint32_t i = 0; i < topology->link_count; i++)
        declared += topology->links[i].length > 0;
    return declared;
}

/* c terminals to a router take c times the area, so that routers are further apart by its root. */
static double pitch_of(const struct net_topology *topology, const struct net_layout *layout)
{
    return layout->pitch_mm * sqrt(topology->concentration);
}

/* In millimetres: of a file all links or none, else the distance between where routers stand, in pitches. All or
 * none, because a sum over links of which some are guesses would be neither. */
static const char *lengths_on_chip(const struct net_topology *topology, const struct net_layout *layout,
                                   double *lengths_mm)
{
    double pitch = pitch_of(topology, layout);
    double from[2];
    double to[2];
    uint32_t declared = count_declared(topology);
    if (declared > 0 && declared < topology->link_count)
        return "some of its links have no length";
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        if (declared > 0)
            lengths_mm[i] = link->length;
        else if (place_of(topology, link->source, from) && place_of(topology, link->target, to))
            lengths_mm[i] = pitch * distance(from, to);
        else
            return topology->graph != NULL ? "its file says neither how long links are (length=N) nor where "
                                             "routers stand (at=X,Y)"
                                           : "nothing says where its routers stand";
    }
    return NULL;
}

/* ---- in racks ---- */

static const char *const rack_keys[] = {"per-row", "width-m",  "depth-m", "inside-m",
                                        "extra-m", "copper-m", NULL};

/* Metres with three decimals; absent: *mm is left alone. */
static int read_metres(const struct net_specification *specification, const char *key, double *mm,
                       struct base_error *error)
{
    uint64_t scaled;
    for (uint32_t i = 0; i < specification->parameter_count; i++) {
        if (strcmp(specification->parameters[i].key, key) != 0)
            continue;
        if (base_parse_decimal(specification->parameters[i].value, 3, &scaled) != 0 ||
            scaled > UINT64_C(1000) * METRES_MAX)
            return base_error_set(
                error, BASE_USAGE,
                "rack '%.80s': %s=%.40s is not a length in metres, from 0 to %u, with three "
                "decimals at most",
                specification->text, key, specification->parameters[i].value, METRES_MAX);
        *mm = (double)scaled;
    }
    return 0;
}

/* per-row 0 is "not given": then the floor is made a square. */
static int read_racks(struct net_racks *racks, const struct net_specification *specification,
                      struct base_error *error)
{
    uint64_t routers;
    uint64_t per_row = 0;
    if (base_parse_unsigned(specification->kind, NET_TERMINALS_MAX, &routers) != 0 || routers == 0)
        return base_error_set(error, BASE_USAGE,
                              "rack '%.80s': begins with the routers in a rack, such as 32, or 16,per-row=8",
                              specification->text);
    if (net_specification_unsigned(specification, "per-row", 1, NET_TERMINALS_MAX, &per_row, error) != 0 ||
        read_metres(specification, "width-m", &racks->width_mm, error) != 0 ||
        read_metres(specification, "depth-m", &racks->depth_mm, error) != 0 ||
        read_metres(specification, "inside-m", &racks->inside_mm, error) != 0 ||
        read_metres(specification, "extra-m", &racks->extra_mm, error) != 0 ||
        read_metres(specification, "copper-m", &racks->copper_mm, error) != 0)
        return -1;
    racks->routers = (uint32_t)routers;
    racks->per_row = (uint32_t)per_row;
    return 0;
}

/* Defaults first, so that each key only changes its own. */
int net_racks_parse(struct net_racks *racks, const char *text, struct base_error *error)
{
    struct base_arena arena = {0};
    struct net_specification specification;
    int status;
    *racks = (struct net_racks){
        .width_mm = 600, .depth_mm = 1200, .inside_mm = 1000, .extra_mm = 2000, .copper_mm = 5000};
    status = net_specification_parse_named(&specification, text, "rack", rack_keys, &arena, error);
    if (status == 0)
        status = read_racks(racks, &specification, error);
    base_arena_free(&arena);
    return status;
}

/* The last rack may be partly empty. */
uint32_t net_racks_count(const struct net_racks *racks, const struct net_topology *topology)
{
    return racks->routers == 0 ? 0 : (topology->routers + racks->routers - 1) / racks->routers;
}

/* Where the rack of a router stands, in mm. */
static void locate(const struct net_racks *racks, uint32_t racks_in_all, uint32_t router, double place[2])
{
    uint32_t per_row = racks->per_row, rack = router / racks->routers;
    while (per_row == 0 || (racks->per_row == 0 && (uint64_t)per_row * per_row < racks_in_all))
        per_row++;
    place[0] = rack % per_row * racks->width_mm;
    place[1] = rack / per_row * racks->depth_mm; /* NOLINT(bugprone-integer-division): whole rows */
}

/* Along rows and aisles, as cables lie: the sum of both distances, not the straight line. */
static void lengths_in_racks(const struct net_topology *topology, const struct net_racks *racks,
                             double *lengths_mm)
{
    uint32_t count = net_racks_count(racks, topology);
    double from[2], to[2];
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        lengths_mm[i] = racks->inside_mm;
        if (link->source / racks->routers == link->target / racks->routers)
            continue;
        locate(racks, count, link->source, from);
        locate(racks, count, link->target, to);
        lengths_mm[i] = fabs(to[0] - from[0]) + fabs(to[1] - from[1]) + racks->extra_mm;
    }
}

/* Where two routers stand decides first: a cable within a rack is cheap however long. */
enum net_cable net_racks_cable(const struct net_racks *racks, const struct net_link *link, double length_mm)
{
    if (link->source / racks->routers == link->target / racks->routers)
        return NET_CABLE_INSIDE;
    return length_mm <= racks->copper_mm ? NET_CABLE_COPPER : NET_CABLE_OPTICAL;
}

/* ---- both ---- */

/* Racks win where both are given, as a network in racks is on no chip. */
const char *net_layout_lengths(const struct net_topology *topology, const struct net_layout *layout,
                               double *lengths_mm)
{
    if (layout->racks.routers == 0)
        return lengths_on_chip(topology, layout, lengths_mm);
    lengths_in_racks(topology, &layout->racks, lengths_mm);
    return NULL;
}

/* Half of the way around the box of all cells that it touches, which is what a wire across and one up and down take;
 * in racks with the ways up and down, if it leaves one. A cell's place is its router's. A bus within one rack is
 * as long as any cable there. */
double net_layout_bus(const struct net_topology *topology, const struct net_layout *layout, uint32_t bus)
{
    const struct net_multistage *stages = topology->multistage;
    const struct net_racks *racks = &layout->racks;
    uint32_t cells = stages->drivers + stages->receivers, count = net_racks_count(racks, topology);
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY}, place[2] = {0, 0};
    bool leaves = false;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t router = net_multistage_bus_cell(stages, bus, i);
        if (count > 0)
            locate(racks, count, router, place);
        else
            place_of(topology, router, place);
        leaves |=
            count > 0 && router / racks->routers != net_multistage_bus_cell(stages, bus, 0) / racks->routers;
        for (int axis = 0; axis < 2; axis++) {
            least[axis] = place[axis] < least[axis] ? place[axis] : least[axis];
            most[axis] = place[axis] > most[axis] ? place[axis] : most[axis];
        }
    }
    double half = most[0] - least[0] + most[1] - least[1];
    return count == 0 ? pitch_of(topology, layout) * half
           : leaves   ? half + racks->extra_mm
                      : racks->inside_mm;
}

/* Straight wires of one plane need one layer for all directions here, diagonals a second; folding doubles either. */
uint32_t net_layout_layers(const struct net_topology *topology)
{
    const struct net_grid *grid = net_topology_plane(topology);
    if (grid == NULL || topology->shared != NULL)
        return 0;
    return (grid->diagonals != 0 ? 2U : 1U) * (grid->wraps ? 2U : 1U);
}

/* ---- latencies ---- */

/* Whole cycles of a flight. Lengths, times and clocks are whole numbers of their units in all but odd cases, and their
 * products exact; what is not rounds alike on every machine. */
static double cycles_of(double length_mm, uint64_t ns_millionths, uint64_t clock_khz)
{
    return floor(length_mm * (double)ns_millionths * (double)clock_khz / 1e15);
}

/* A link's own latency wins over its length. The sum is a double until it has been compared with the largest, so
 * that nothing wraps. */
static int set_all(const struct net_topology *topology, const double *lengths_mm, struct net_link *links,
                   uint64_t ns_millionths, uint64_t clock_khz, uint32_t link_cycles, struct base_error *error)
{
    for (uint32_t i = 0; i < topology->link_count; i++) {
        double cycles = link_cycles + cycles_of(lengths_mm[i], ns_millionths, clock_khz);
        links[i] = topology->links[i];
        if (links[i].latency != 0)
            continue;
        if (cycles > NET_LINK_LATENCY_MAX)
            return base_error_set(error, BASE_USAGE,
                                  "topology '%.80s': a link of %g m takes %.0f cycles; links take at most %d",
                                  topology->text, lengths_mm[i] / 1000, cycles, NET_LINK_LATENCY_MAX);
        links[i].latency = (uint16_t)cycles;
    }
    return 0;
}

/* Links that all take what links without a latency of their own take anyway are left as they are, and to the kernels
 * that are fast with such. */
static bool differs(const struct net_topology *topology, const struct net_link *links, uint32_t link_cycles)
{
    for (uint32_t i = 0; i < topology->link_count; i++)
        if (links[i].latency != (topology->links[i].latency != 0 ? topology->links[i].latency : link_cycles))
            return true;
    return false;
}

/* Whole cycles of what a length takes, on top of link_cycles. Links that come out all alike stay without latencies of
 * their own, so that engines move them as any others. */
int net_layout_set_latencies(struct net_topology *topology, const struct net_layout *layout,
                             uint64_t ns_millionths, uint64_t clock_khz, uint32_t link_cycles,
                             struct base_error *error)
{
    size_t room = (size_t)topology->link_count + 1;
    double *lengths = calloc(room, sizeof *lengths);
    struct net_link *links = base_arena_array(&topology->arena, room, sizeof *links);
    const char *why;
    int status = -1;
    if (lengths == NULL || links == NULL)
        base_error_memory(error, "the lengths of links");
    else if (topology->shared != NULL || topology->multistage != NULL)
        base_error_set(error, BASE_USAGE,
                       "topology '%.80s': latencies of links are not simulated on this network",
                       topology->text);
    else if ((why = net_layout_lengths(topology, layout, lengths)) != NULL)
        base_error_set(error, BASE_USAGE,
                       "topology '%.80s': latencies do not follow from lengths without a layout: %s",
                       topology->text, why);
    else
        status = set_all(topology, lengths, links, ns_millionths, clock_khz, link_cycles, error);
    free(lengths);
    if (status != 0 || !differs(topology, links, link_cycles))
        return status;
    topology->links = links;
    topology->own_latencies = true;
    return 0;
}
