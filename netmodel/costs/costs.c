/* Costs of a network: counts from its topology, lengths from its layout, the rest from a technology. */
#include "netmodel/costs/costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/costs/layout.h"
#include "netmodel/stages/multistage.h"
#include "netmodel/topologies/mway.h"

/* Links or channels whose lengths are asked for. */
struct lengths {
    uint64_t count;
    double *mm;
};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* A router without buffers is one with the least that a technology knows, less those. */
#define LEAST_FLITS 2

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

/* Towards other routers. A port of an m-way router is on a channel that goes both ways, so its lines count
 * once. */
static uint64_t pins_of(const struct net_cost_request *request)
{
    uint64_t lines = (uint64_t)request->flit_bits + request->control_lines;
    if (request->topology->shared != NULL)
        return 2 * lines;
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

static void count_parts(const struct net_cost_request *request, struct net_costs *costs)
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
    costs->bisection_gb_s = (double)costs->bisection_bits_cycle / 8 * (double)request->clock_khz * 1e-6;
    costs->pins = pins_of(request);
    costs->crosspoints = (uint64_t)shape.ports * shape.ports * shape.flit_bits;
    costs->buffer_bits = request->bufferless ? 0
                                             : (uint64_t)shape.ports * shape.virtual_channels *
                                                   shape.buffer_flits * shape.flit_bits;
    costs->metal_layers = net_layout_layers(topology);
    if (topology->multistage != NULL)
        count_stages(request, costs);
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

/* A shared channel reaches the middle of the way to each neighbour, where its m-way router is. */
static void make_channels(const struct net_topology *topology, struct lengths *lengths, double *spans)
{
    for (uint32_t i = 0; i < topology->link_count; i++)
        spans[topology->links[i].source] += lengths->mm[i] / 2;
    memcpy(lengths->mm, spans, topology->routers * sizeof *spans);
    lengths->count = topology->routers;
}

/* Lengths of links, or of shared channels: at least as many places as there are of either. */
static int measure(const struct net_cost_request *request, struct lengths *lengths,
                   char reason[NET_COST_REASON], struct base_error *error)
{
    const struct net_topology *topology = request->topology;
    size_t room = (size_t)topology->link_count + topology->routers + 1;
    double *spans = calloc(room, sizeof *spans);
    const char *why;
    *reason = '\0';
    lengths->count = topology->link_count;
    lengths->mm = calloc(room, sizeof *lengths->mm);
    if (lengths->mm == NULL || spans == NULL) {
        free(spans);
        return base_error_memory(error, "the lengths of links");
    }
    why = net_layout_lengths(topology, request->pitch_mm, lengths->mm);
    if (why != NULL)
        snprintf(reason, NET_COST_REASON, "no layout: %s", why);
    else if (topology->shared != NULL)
        make_channels(topology, lengths, spans);
    free(spans);
    return 0;
}

static void sum_lengths(const struct lengths *lengths, struct net_costs *costs)
{
    if (costs->layout_reason[0] != '\0')
        return;
    costs->wire_mm = costs->longest_mm = 0;
    for (uint64_t i = 0; i < lengths->count; i++) {
        costs->wire_mm += lengths->mm[i];
        costs->longest_mm = lengths->mm[i] > costs->longest_mm ? lengths->mm[i] : costs->longest_mm;
    }
}

/* ---- circuits ---- */

/* BASE_USAGE, outside of a range, becomes a reason. 1: it did; -1: an error that stays. */
static int reason_of(const struct base_error *refused, char reason[NET_COST_REASON], struct base_error *error)
{
    if (refused->status != BASE_USAGE) {
        *error = *refused;
        return -1;
    }
    snprintf(reason, NET_COST_REASON, "%.*s", NET_COST_REASON - 1, refused->text);
    return 1;
}

/* A flit over a shared channel also drives its taps, each as far away as a terminal is from its router
 * [choice]. */
static uint32_t taps_of(const struct net_topology *topology, uint64_t channel)
{
    const struct net_shared *shared = topology->shared;
    uint32_t devices = shared == NULL ? 0 : shared->processors;
    for (uint32_t port = 0; shared != NULL && port < topology->ports; port++)
        devices += topology->link_at[channel * topology->ports + port] != NET_NONE;
    return devices;
}

/* What a site, 0 mm away, takes; and each link in turn. Neighbours in the list mostly have one of few
 * lengths, so that those that were asked for before are kept. */
#define KEPT 16

struct link_costs {
    const struct net_cost_request *request;
    uint32_t kept;
    double lengths[KEPT], values[KEPT][NET_COST_COLUMNS];
    char *reason;
};

/* 0 with the values; 1 with a reason; -1: an error. */
static int ask(struct link_costs *links, double mm, const double **values, struct base_error *error)
{
    struct base_error refused;
    uint32_t place = 0;
    while (place < links->kept && links->lengths[place] != mm)
        place++;
    *values = links->values[place == KEPT ? KEPT - 1 : place];
    if (place < links->kept)
        return 0;
    if (place == KEPT)
        place--;
    links->kept = place + 1;
    links->lengths[place] = mm;
    if (net_technology_link(links->request->technology, links->request->flit_bits, mm, links->values[place],
                            &refused) == 0)
        return 0;
    links->kept = place;
    return reason_of(&refused, links->reason, error);
}

/* Energies of all, and the sums of the other columns where costs are wanted. */
static int ask_all(struct link_costs *links, const struct lengths *lengths, double *energies_J,
                   struct net_costs *costs, struct base_error *error)
{
    const double *values;
    int status = ask(links, 0, &values, error);
    double site = status == 0 ? values[NET_COST_LINK_ENERGY] : NAN, sum = 0, ndd = 0, area = 0;
    for (uint64_t i = 0; i < lengths->count && status == 0; i++) {
        status = ask(links, lengths->mm[i], &values, error);
        if (status != 0)
            break;
        double energy = values[NET_COST_LINK_ENERGY] + taps_of(links->request->topology, i) * site;
        if (energies_J != NULL)
            energies_J[i] = energy;
        sum += energy;
        ndd += values[NET_COST_LINK_NDD];
        area += values[NET_COST_LINK_AREA];
    }
    if (status != 0 || costs == NULL)
        return status;
    costs->site_energy_J = site;
    costs->link_energy_J = lengths->count > 0 ? sum / (double)lengths->count : 0;
    costs->links_ndd_W = ndd;
    costs->links_mm2 = area;
    return 0;
}

static void leave_out_buffers(double values[NET_COST_COLUMNS])
{
    values[NET_COST_AREA_TOTAL] -= values[NET_COST_AREA_INPUT_BUFFERS];
    values[NET_COST_NDD_TOTAL] -= values[NET_COST_NDD_INPUT_BUFFERS];
    values[NET_COST_AREA_INPUT_BUFFERS] = values[NET_COST_NDD_INPUT_BUFFERS] = 0;
    values[NET_COST_ENERGY_WRITE] = values[NET_COST_ENERGY_READ] = 0;
}

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
    return reason_of(&refused, costs->router_reason, error);
}

/* Sums are NaN where one of their parts is. Over h + 1 shared channels a flit passes h m-way routers, and
 * their taps are the sites. */
static void sum_up(struct net_costs *costs)
{
    double links = costs->mean_distance + (costs->taps > 0);
    double routers = costs->mean_distance + (costs->taps == 0);
    const double *router = costs->router;
    double passed =
        router[NET_COST_ENERGY_WRITE] + router[NET_COST_ENERGY_READ] + router[NET_COST_ENERGY_CROSSBAR];
    costs->area_mm2 = costs->routers * router[NET_COST_AREA_TOTAL] + costs->links_mm2;
    costs->ndd_W = costs->routers * router[NET_COST_NDD_TOTAL] + costs->links_ndd_W;
    costs->hop_energy_J = passed + costs->link_energy_J;
    costs->unicast_energy_J =
        links * costs->link_energy_J + (costs->taps > 0 ? 0 : 2 * costs->site_energy_J) + routers * passed;
}

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

/* What a technology adds; without one both reasons say so. */
static int ask_technology(const struct net_cost_request *request, const struct lengths *lengths,
                          struct net_costs *costs, struct base_error *error)
{
    struct link_costs links = {.request = request, .reason = costs->link_reason};
    if (request->technology == NULL) {
        snprintf(costs->router_reason, NET_COST_REASON, "no technology was named");
        memcpy(costs->link_reason, costs->router_reason, NET_COST_REASON);
        return 0;
    }
    memcpy(costs->link_reason, costs->layout_reason, NET_COST_REASON);
    if (ask_router(request, costs, error) < 0)
        return -1;
    if (costs->layout_reason[0] == '\0' && ask_all(&links, lengths, NULL, costs, error) < 0)
        return -1;
    return 0;
}

int net_costs_of(const struct net_cost_request *request, struct net_costs *costs, struct base_error *error)
{
    struct lengths lengths = {0};
    int status = -1;
    set_unknown(costs);
    count_parts(request, costs);
    costs->mean_distance = mean_distance(request);
    if (measure(request, &lengths, costs->layout_reason, error) == 0) {
        sum_lengths(&lengths, costs);
        status = ask_technology(request, &lengths, costs, error);
    }
    free(lengths.mm);
    sum_up(costs);
    return status;
}

int net_costs_link_energies(const struct net_cost_request *request, double *energies_J,
                            char reason[NET_COST_REASON], struct base_error *error)
{
    struct link_costs links = {.request = request, .reason = reason};
    struct lengths lengths = {0};
    int status = -1;
    error->status = BASE_OK;
    if (measure(request, &lengths, reason, error) == 0 && *reason == '\0')
        status = ask_all(&links, &lengths, energies_J, NULL, error) == 0 ? 0 : -1;
    free(lengths.mm);
    return status;
}
