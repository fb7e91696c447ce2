/* Energy of what happened: counts of the engines times what a technology says of each event. Sums are taken in one
 * order, so that they are the same on every machine. */
#include "netmodel/costs/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/stages/multistage.h"

/* Arrays that an engine does not keep are NULL, and hold nothing. */
static double sum_of(const uint64_t *counts, uint64_t count)
{
    double sum = 0;
    for (uint64_t i = 0; counts != NULL && i < count; i++)
        sum += (double)counts[i];
    return sum;
}

/* Bits into cells: over the links of all levels but the last, which lead to processors, and over buses. */
static double enter_cells(const struct net_topology *topology, const struct net_statistics *statistics)
{
    const struct net_multistage *stages = topology->multistage;
    return sum_of(statistics->link_flits, (uint64_t)stages->stages * stages->processors) +
           sum_of(statistics->bus_flits, stages->bus_count);
}

/* In a network of links a flit enters a router from a terminal or from a link; over shared channels from channels
 * alone. Packets come from their hops, so that no engine has to count entries. */
struct net_energy_events net_energy_events_of(const struct net_topology *topology,
                                              const struct net_statistics *statistics)
{
    bool is_shared = topology->shared != NULL, is_stages = topology->multistage != NULL;
    struct net_energy_events events = {.flits = (double)statistics->flits,
                                       .carried =
                                           is_shared ? statistics->channel_flits : statistics->link_flits,
                                       .buses = statistics->bus_flits};
    double hops = sum_of(statistics->link_flits, topology->link_count);
    events.injected = sum_of(statistics->injected_flits, topology->terminals);
    events.ejected = sum_of(statistics->ejected_flits, topology->terminals);
    events.entered = is_stages   ? enter_cells(topology, statistics)
                     : is_shared ? hops
                                 : hops + events.injected;
    events.packets = net_energy_packets(topology, statistics->packet_hops, statistics->packets);
    return events;
}

/* A packet over h links is in h + 1 routers, over h + 1 shared channels in h, and over h links of stages in h - 1
 * cells. */
double net_energy_packets(const struct net_topology *topology, uint64_t hops, uint64_t packets)
{
    if (topology->multistage != NULL)
        return (double)hops - (double)packets;
    return (double)hops + (topology->shared != NULL ? 0 : (double)packets);
}

/* Terminals inject and eject their owner's flits. The bits of a packet of stages that went over buses are not told from
 * those over links, by owners: with buses what carried them is not known. */
struct net_energy_events net_energy_events_of_owner(const struct net_topology *topology,
                                                    const struct net_statistics *statistics,
                                                    const uint32_t *owner, uint32_t whose)
{
    const struct net_owner_events *own = &statistics->owner_events[whose];
    struct net_energy_events events = {.carried = own->flits};
    for (uint32_t terminal = 0; terminal < topology->terminals; terminal++) {
        if (owner[net_topology_router_of(topology, terminal)] != whose)
            continue;
        events.injected += (double)statistics->injected_flits[terminal];
        events.ejected += (double)statistics->ejected_flits[terminal];
    }
    events.flits = events.ejected;
    events.entered = (double)own->flit_hops;
    if (topology->multistage != NULL)
        events.entered -= events.ejected;
    else if (topology->shared == NULL)
        events.entered += events.injected;
    events.packets = net_energy_packets(topology, own->packet_hops, own->packets);
    return events;
}

/* One array for everything that carries, buses behind links, as in wiring-internal.h. */
int net_energy_span_init(struct net_energy_span *span, const struct net_topology *topology)
{
    uint64_t links = topology->shared != NULL ? topology->routers : topology->link_count;
    uint64_t buses = topology->multistage != NULL ? topology->multistage->bus_count : 0;
    *span = (struct net_energy_span){.count = links + buses};
    span->carried = calloc((size_t)span->count + 1, sizeof *span->carried);
    span->events.carried = span->carried;
    span->events.buses = buses > 0 && span->carried != NULL ? span->carried + links : NULL;
    return span->carried == NULL ? -1 : 0;
}

/* A span that failed to begin may be freed as well. */
void net_energy_span_free(struct net_energy_span *span)
{
    free(span->carried);
    *span = (struct net_energy_span){0};
}

/* Counts are whole numbers, far below 2^53, so that differences are exact. */
void net_energy_span_turn(struct net_energy_span *span, const struct net_topology *topology,
                          const struct net_statistics *statistics)
{
    const struct net_energy_events now = net_energy_events_of(topology, statistics);
    struct net_energy_events *events = &span->events;
    uint64_t links = events->buses != NULL ? (uint64_t)(events->buses - span->carried) : span->count;
    events->entered = now.entered - events->entered;
    events->packets = now.packets - events->packets;
    events->injected = now.injected - events->injected;
    events->ejected = now.ejected - events->ejected;
    events->flits = now.flits - events->flits;
    for (uint64_t i = 0; i < links && now.carried != NULL; i++)
        span->carried[i] = now.carried[i] - span->carried[i];
    for (uint64_t i = links; i < span->count && now.buses != NULL; i++)
        span->carried[i] = now.buses[i - links] - span->carried[i];
}

/* Both are of one topology, so that counts[i] is the same wire. */
void net_energy_span_add(struct net_energy_span *sum, const struct net_energy_span *span)
{
    sum->events.entered += span->events.entered;
    sum->events.packets += span->events.packets;
    sum->events.injected += span->events.injected;
    sum->events.ejected += span->events.ejected;
    sum->events.flits += span->events.flits;
    for (uint64_t i = 0; i < sum->count; i++)
        sum->carried[i] += span->carried[i];
}

/* What one of the counted units takes of the energy of a flit: of stages they are bits. */
static double unit_of(const struct net_cost_request *request)
{
    return request->topology->multistage != NULL ? 1.0 / request->flit_bits : 1;
}

/* Lengths differ from link to link, and so do their energies: a torus that is folded has short links at its folds,
 * a king network diagonals. So: the sum of flits times the energy of what carried them. */
static int sum_links(const struct net_cost_request *request, const struct net_energy_events *events,
                     struct net_energy *energy, struct base_error *error)
{
    const struct net_topology *topology = request->topology;
    uint64_t count = topology->shared != NULL ? topology->routers : topology->link_count;
    const struct net_multistage *stages = topology->multistage;
    uint64_t buses = stages != NULL && events->buses != NULL ? stages->bus_count : 0;
    double *joules = calloc((size_t)(count + buses) + 1, sizeof *joules);
    double sum = 0;
    int status;
    energy->links = NAN;
    if (joules == NULL)
        return base_error_memory(error, "the energies of links");
    if (stages != NULL && events->buses == NULL && stages->bus_bits > 0) {
        free(joules);
        snprintf(energy->reason, sizeof energy->reason, "bits over buses and over links are not told apart");
        return 0;
    }
    status = net_costs_link_energies(request, joules, energy->reason, error);
    if (status == 0) {
        for (uint64_t i = 0; events->carried != NULL && i < count; i++)
            sum += (double)events->carried[i] * joules[i];
        for (uint64_t i = 0; i < buses; i++)
            sum += (double)events->buses[i] * joules[count + i];
        energy->links = sum * unit_of(request);
    }
    free(joules);
    return status == 0 || error->status == BASE_OK ? 0 : -1;
}

/* Quotients and products of the total. */
static void relate(double seconds, double flits, uint64_t bytes, double unicast_J, struct net_energy *energy)
{
    energy->dynamic =
        energy->buffers + energy->crossbars + energy->arbitrations + energy->links + energy->sites;
    energy->total = energy->dynamic + energy->clock + energy->still;
    energy->delay = energy->total * seconds;
    energy->flit = flits > 0 ? energy->total / flits : NAN;
    energy->byte = bytes > 0 ? energy->total / (double)bytes : NAN;
    energy->estimate = flits * unicast_J;
}

/* Parts that are not known make the totals NaN by themselves; the first reason found is the one that is told. */
int net_energy_of(const struct net_cost_request *request, const struct net_costs *costs,
                  const struct net_energy_events *events, uint64_t cycles, double seconds, uint64_t bytes,
                  struct net_energy *energy, struct base_error *error)
{
    const double *router = costs->router;
    double unit = unit_of(request), entered = unit * events->entered;
    bool has_sites = request->topology->shared == NULL && request->topology->multistage == NULL;
    *energy = (struct net_energy){0};
    if (sum_links(request, events, energy, error) != 0)
        return -1;
    if (energy->reason[0] == '\0')
        memcpy(energy->reason, costs->router_reason, sizeof energy->reason);
    energy->buffers = entered * (router[NET_COST_ENERGY_WRITE] + router[NET_COST_ENERGY_READ]);
    energy->crossbars = entered * router[NET_COST_ENERGY_CROSSBAR];
    energy->arbitrations =
        events->packets * (router[NET_COST_ENERGY_ARBITRATE_1] + router[NET_COST_ENERGY_ARBITRATE_2]);
    energy->sites = has_sites ? (events->injected + events->ejected) * costs->site_energy_J : 0;
    /* Clock trees run in all routers and in every cycle, used or not: with static power this is what an idle network
     * takes. */
    energy->clock = (double)cycles * costs->routers * router[NET_COST_ENERGY_CLOCK_CYCLE];
    energy->still = costs->ndd_W * seconds;
    relate(seconds, events->flits, bytes, unit * costs->unicast_energy_J, energy);
    return 0;
}
