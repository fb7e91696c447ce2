/* Costs of a network: counts from its topology, lengths from its layout, the rest from a technology.
 *
 *     topology ─► count_parts      routers, ports, pins, crosspoints, bisection; needs no technology
 *     layout ───► net_wiring       the wires one by one, with lengths ─► sum_lengths
 *     technology ► ask_router      values of the one router that is made for all
 *                  ask_wiring      of every wire
 *     sum_up                       totals; NaN where a part is not known
 *
 * A number that is not known is NaN rather than 0, so that no sum that lacks a part can pass for a total. */
#include "netmodel/costs/costs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "netmodel/costs/wiring-internal.h"
#include "netmodel/stages/multistage.h"
#include "netmodel/topologies/mway.h"

/* Of two, as C has none. */
static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* A router without buffers is one with the least that a technology knows, less those. */
#define LEAST_FLITS 2

/* Injectors and consumers of a terminal share ports, so that whichever are more count. Without
 * buffers one virtual channel of the least depth is asked for, since no technology has a router without any. */
struct net_router_shape net_costs_router(const struct net_cost_request *request)
{
    const struct net_topology *topology = request->topology;
    const struct net_multistage *stages = topology->multistage;
    if (stages != NULL) /* queues of whole words; buses are no ports, since each serves links that are */
        return (struct net_router_shape){stages->radix, stages->link_bits, 1,
                                         larger(request->buffer_flits / stages->link_bits, 1)};
    uint32_t beside = larger(request->injectors, request->consumers);
    uint32_t ports = topology->shared == NULL
                         ? request->metrics->degree_max + topology->concentration * beside
                         : 2 + (net_shared_inside_routers(topology) ? beside : 0);
    if (request->bufferless)
        return (struct net_router_shape){ports, request->flit_bits, 1, LEAST_FLITS};
    return (struct net_router_shape){ports, request->flit_bits, request->virtual_channels,
                                     request->buffer_flits};
}

/* ---- counts ---- */

uint32_t net_costs_link_bits(const struct net_cost_request *request, uint64_t link)
{
    uint32_t width = net_link_width(&request->topology->links[link]);
    return (request->flit_bits + width - 1) / width;
}

/* Lines of all links that leave a router where links differ in width, most of any router. Links are sorted by their
 * sources. */
static uint64_t most_lines(const struct net_cost_request *request)
{
    const struct net_topology *topology = request->topology;
    uint64_t lines = 0, most = 0;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        bool same = i > 0 && topology->links[i].source == topology->links[i - 1].source;
        lines = (same ? lines : 0) + net_costs_link_bits(request, i) + request->control_lines;
        most = lines > most ? lines : most;
    }
    return most;
}

/* Towards other routers, as many lines in as out. A port of an m-way router is on a channel that goes both ways, so its
 * lines count once. */
static uint64_t pins_of(const struct net_cost_request *request)
{
    uint64_t lines = (uint64_t)request->flit_bits + request->control_lines;
    if (request->topology->shared != NULL)
        return 2 * lines;
    if (request->topology->narrow_links)
        return 2 * most_lines(request);
    return 2 * lines * larger(request->metrics->degree_max, request->metrics->in_degree_max);
}

/* What cells have in place of routers' ports; the rest is counted alike. */
static void count_stages(const struct net_cost_request *request, struct net_costs *costs)
{
    const struct net_multistage *stages = request->topology->multistage;
    const struct net_multistage_cost cell = net_multistage_cost(stages);

    costs->routers = stages->stages * stages->cells;
    costs->buses = stages->bus_count;
    costs->pins = cell.pins;
    costs->crosspoints = cell.crosspoints;
    costs->buffer_bits = (uint64_t)stages->radix * request->buffer_flits;
}

/* What can be counted without a technology: parts, pins, crosspoints, bits of buffers, and the bisection, which is
 * a bound where the metrics could not find the exact one. An m-way network has channels in place of links, with a
 * tap for each router that shares one. Crosspoints are of a full crossbar of the largest router; stages count
 * their own. */
static int count_parts(const struct net_cost_request *request, struct net_costs *costs,
                       struct base_error *error)
{
    const struct net_topology *topology = request->topology;
    const struct net_router_shape shape = net_costs_router(request);
    bool is_shared = topology->shared != NULL;
    costs->terminals = topology->terminals;
    costs->routers = is_shared ? topology->shared->router_count : topology->routers;
    costs->links = is_shared ? topology->routers : topology->link_count;
    costs->taps = is_shared ? topology->shared->sharing : 0;
    costs->ports = shape.ports;
    costs->bisection_links = request->metrics->bisection_channels;
    costs->bisection_exact = request->metrics->bisection_exact;
    costs->bisection_bits_cycle = costs->bisection_links * shape.flit_bits;
    if (topology->narrow_links &&
        net_topology_bisection_capacity(topology, shape.flit_bits, &costs->bisection_bits_cycle,
                                        &costs->bisection_exact, error) != 0)
        return -1;
    costs->bisection_gb_s = (double)costs->bisection_bits_cycle / 8 * (double)request->clock_khz * 1e-6;
    costs->pins = pins_of(request);
    costs->crosspoints = (uint64_t)shape.ports * shape.ports * shape.flit_bits;
    costs->buffer_bits = request->bufferless ? 0
                                             : (uint64_t)shape.ports * shape.virtual_channels *
                                                   shape.buffer_flits * shape.flit_bits;
    costs->metal_layers = request->layout.racks.routers == 0 ? net_layout_layers(topology) : 0;
    if (topology->multistage != NULL)
        count_stages(request, costs);
    return 0;
}

/* Over pairs of different terminals, so that those of one router are 0 links apart. Processors that are
 * inside m-way routers count as their lower channel. */
static double mean_distance(const struct net_cost_request *request)
{
    if (request->topology->multistage != NULL) /* every pair of processors has one way, of a link a level */
        return request->topology->multistage->stages + 1;
    double slots = net_shared_inside_routers(request->topology) ? 1 : request->topology->concentration;
    double terminals = slots * request->topology->routers;
    if (terminals < 2)
        return 0;
    return (double)request->metrics->distance_sum * slots * slots / (terminals * (terminals - 1));
}

/* ---- lengths ---- */

/* Sum and longest of the wires that a layout places; a wire of no bits counts nothing. Without a layout the lengths
 * stay as they were set before, and the reason says why there is none. */
static void sum_lengths(const struct net_wiring *wiring, const struct net_cost_request *request,
                        struct net_costs *costs)
{
    memcpy(costs->layout_reason, wiring->reason, NET_COST_REASON);
    costs->racks = net_racks_count(&request->layout.racks, request->topology);
    memcpy(costs->cables, wiring->cables, sizeof costs->cables);
    if (wiring->reason[0] != '\0')
        return;
    costs->wire_mm = costs->longest_mm = 0;
    for (uint64_t i = 0; i < wiring->count; i++) {
        double mm = wiring->wires[i].bits > 0 ? wiring->wires[i].mm : 0;
        costs->wire_mm += mm;
        costs->longest_mm = mm > costs->longest_mm ? mm : costs->longest_mm;
    }
}

/* ---- circuits ---- */

/* A router without buffers costs what the technology says of one with the fewest, less the columns of its input
 * buffers: their area, their power without data, and the energies of a write and of a read. */
static void leave_out_buffers(double values[NET_COST_COLUMNS])
{
    values[NET_COST_AREA_TOTAL] -= values[NET_COST_AREA_INPUT_BUFFERS];
    values[NET_COST_NDD_TOTAL] -= values[NET_COST_NDD_INPUT_BUFFERS];
    values[NET_COST_AREA_INPUT_BUFFERS] = values[NET_COST_NDD_INPUT_BUFFERS] = 0;
    values[NET_COST_ENERGY_WRITE] = values[NET_COST_ENERGY_READ] = 0;
}

/* A shape outside of the technology's ranges is no error: the columns are NaN and the reason is kept. */
static int ask_router(const struct net_cost_request *request, struct net_costs *costs,
                      struct base_error *error)
{
    const struct net_router_shape shape = net_costs_router(request);
    struct base_error refused;
    if (net_technology_router(request->technology, &shape, costs->router, &refused) == 0) {
        if (request->bufferless)
            leave_out_buffers(costs->router);
        return 0;
    }
    for (size_t i = 0; i < NET_COST_COLUMNS; i++)
        costs->router[i] = NAN;
    return net_cost_reason(&refused, costs->router_reason, error);
}

/* Routers that a flit passes on its way over the mean distance, and links or channels. Over h + 1 shared channels a
 * flit passes h m-way routers, and their taps are the sites; cells are between the links of stages. */
static double routers_passed(const struct net_costs *costs, bool is_stages)
{
    return costs->mean_distance + (is_stages ? -1 : costs->taps > 0 ? 0 : 1);
}

/* Sums are NaN where one of their parts is. */
static void sum_up(const struct net_cost_request *request, struct net_costs *costs)
{
    bool has_sites = costs->taps == 0 && request->topology->multistage == NULL;
    const double *router = costs->router;
    double passed =
        router[NET_COST_ENERGY_WRITE] + router[NET_COST_ENERGY_READ] + router[NET_COST_ENERGY_CROSSBAR];
    costs->area_mm2 = costs->routers * router[NET_COST_AREA_TOTAL] + costs->links_mm2;
    costs->ndd_W = costs->routers * router[NET_COST_NDD_TOTAL] + costs->links_ndd_W;
    costs->hop_energy_J = passed + costs->link_energy_J;
    costs->unicast_energy_J = (costs->mean_distance + (costs->taps > 0)) * costs->link_energy_J +
                              (has_sites ? 2 * costs->site_energy_J : 0) +
                              routers_passed(costs, request->topology->multistage != NULL) * passed;
}

/* Counts are 0 and reasons empty until somebody fills them. */
static void set_unknown(struct net_costs *costs)
{
    *costs = (struct net_costs){.wire_mm = NAN,
                                .longest_mm = NAN,
                                .link_energy_J = NAN,
                                .links_ndd_W = NAN,
                                .links_mm2 = NAN,
                                .site_energy_J = NAN};
    for (size_t i = 0; i < NET_COST_COLUMNS; i++)
        costs->router[i] = NAN;
}

/* Of all wires, unless there is no layout. */
static int ask_wiring(const struct net_cost_request *request, const struct net_wiring *wiring,
                      struct net_costs *costs, struct base_error *error)
{
    struct net_wiring_sums sums;
    int status;
    memcpy(costs->link_reason, costs->layout_reason, NET_COST_REASON);
    if (costs->layout_reason[0] != '\0')
        return 0;
    status = net_wiring_ask(wiring, request, NULL, &sums, costs->link_reason, error);
    if (status != 0)
        return status < 0 ? -1 : 0;
    costs->site_energy_J = request->topology->multistage != NULL ? 0 : sums.site_J;
    costs->link_energy_J = wiring->links > 0 ? sums.energy_J / (double)wiring->links : 0;
    costs->links_ndd_W = sums.ndd_W;
    costs->links_mm2 = sums.mm2;
    return 0;
}

/* What a technology adds; without one both reasons say so. */
static int ask_technology(const struct net_cost_request *request, const struct net_wiring *wiring,
                          struct net_costs *costs, struct base_error *error)
{
    if (request->technology == NULL) {
        snprintf(costs->router_reason, NET_COST_REASON, "no technology was named");
        memcpy(costs->link_reason, costs->router_reason, NET_COST_REASON);
        return 0;
    }
    return ask_router(request, costs, error) < 0 ? -1 : ask_wiring(request, wiring, costs, error);
}

/* What has been counted stays even where the technology fails. */
int net_costs_of(const struct net_cost_request *request, struct net_costs *costs, struct base_error *error)
{
    struct net_wiring wiring;
    int status = -1;
    set_unknown(costs);
    if (count_parts(request, costs, error) != 0)
        return -1;
    costs->mean_distance = mean_distance(request);
    if (net_wiring_init(&wiring, request, error) == 0) {
        sum_lengths(&wiring, request, costs);
        status = ask_technology(request, &wiring, costs, error);
    }
    net_wiring_free(&wiring);
    sum_up(request, costs);
    return status;
}

/* Only the wires are made: no router is asked for. */
int net_costs_link_energies(const struct net_cost_request *request, double *energies_J,
                            char reason[NET_COST_REASON], struct base_error *error)
{
    struct net_wiring wiring;
    struct net_wiring_sums sums;
    int status = -1;
    error->status = BASE_OK;
    *reason = '\0';
    if (net_wiring_init(&wiring, request, error) == 0) {
        memcpy(reason, wiring.reason, NET_COST_REASON);
        if (*reason == '\0')
            status = net_wiring_ask(&wiring, request, energies_J, &sums, reason, error) == 0 ? 0 : -1;
    }
    net_wiring_free(&wiring);
    return status;
}
