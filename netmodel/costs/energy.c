/* Energy of what happened: counts of the engines times what a technology says of each event. Sums are taken in one
 * order, so that they are the same on every machine. */
#include "netmodel/costs/energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arrays that an engine does not keep are NULL, and hold nothing. */
static double sum_of(const uint64_t *counts, uint64_t count)
{
    double sum = 0;
    for (uint64_t i = 0; counts != NULL && i < count; i++)
        sum += (double)counts[i];
    return sum;
}

struct net_energy_events net_energy_events_of(const struct net_topology *topology,
                                              const struct net_statistics *statistics)
{
    bool is_shared = topology->shared != NULL;
    struct net_energy_events events = {.flits = (double)statistics->flits,
                                       .carried =
                                           is_shared ? statistics->channel_flits : statistics->link_flits};
    double hops = sum_of(statistics->link_flits, topology->link_count);
    events.injected = sum_of(statistics->injected_flits, topology->terminals);
    events.ejected = sum_of(statistics->ejected_flits, topology->terminals);
    events.entered = is_shared ? hops : hops + events.injected;
    events.packets = (double)statistics->packet_hops + (is_shared ? 0 : (double)statistics->packets);
    return events;
}

/* Lengths differ from link to link, and so do their energies: a torus that is folded has short links at its folds,
 * a king network diagonals. */
/* Sum of flits times the energy of what carried them. */
static int sum_links(const struct net_cost_request *request, const uint64_t *flits, struct net_energy *energy,
                     struct base_error *error)
{
    const struct net_topology *topology = request->topology;
    uint64_t count = topology->shared != NULL ? topology->routers : topology->link_count;
    double *joules = calloc((size_t)count + 1, sizeof *joules);
    double sum = 0;
    int status;
    energy->links = NAN;
    if (joules == NULL)
        return base_error_memory(error, "the energies of links");
    status = net_costs_link_energies(request, joules, energy->reason, error);
    if (status == 0) {
        for (uint64_t i = 0; flits != NULL && i < count; i++)
            sum += (double)flits[i] * joules[i];
        energy->links = sum;
    }
    free(joules);
    return status == 0 || error->status == BASE_OK ? 0 : -1;
}

/* Quotients and products of the total. */
static void relate(double seconds, double flits, uint64_t bytes, const struct net_costs *costs,
                   struct net_energy *energy)
{
    energy->dynamic =
        energy->buffers + energy->crossbars + energy->arbitrations + energy->links + energy->sites;
    energy->total = energy->dynamic + energy->clock + energy->still;
    energy->delay = energy->total * seconds;
    energy->flit = flits > 0 ? energy->total / flits : NAN;
    energy->byte = bytes > 0 ? energy->total / (double)bytes : NAN;
    energy->estimate = flits * costs->unicast_energy_J;
}

/* Every number at once, in the order of the struct: who adds one has to think of it here, since the compiler
 * counts them. */
static int set_unknown(struct net_energy *energy, const char *reason)
{
    *energy = (struct net_energy){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, ""};
    snprintf(energy->reason, sizeof energy->reason, "%s", reason);
    return 0;
}

int net_energy_of(const struct net_cost_request *request, const struct net_costs *costs,
                  const struct net_energy_events *events, uint64_t cycles, double seconds, uint64_t bytes,
                  struct net_energy *energy, struct base_error *error)
{
    const double *router = costs->router;
    if (request->topology->multistage != NULL)
        return set_unknown(energy, "messages are in bits, of which a technology has no events");
    *energy = (struct net_energy){0};
    if (sum_links(request, events->carried, energy, error) != 0)
        return -1;
    if (energy->reason[0] == '\0')
        memcpy(energy->reason, costs->router_reason, sizeof energy->reason);
    energy->buffers = events->entered * (router[NET_COST_ENERGY_WRITE] + router[NET_COST_ENERGY_READ]);
    energy->crossbars = events->entered * router[NET_COST_ENERGY_CROSSBAR];
    energy->arbitrations =
        events->packets * (router[NET_COST_ENERGY_ARBITRATE_1] + router[NET_COST_ENERGY_ARBITRATE_2]);
    energy->sites =
        request->topology->shared != NULL ? 0 : (events->injected + events->ejected) * costs->site_energy_J;
    /* Clock trees run in all routers and in every cycle, used or not: with static power this is what an idle network
 * takes. */
    energy->clock = (double)cycles * costs->routers * router[NET_COST_ENERGY_CLOCK_CYCLE];
    energy->still = costs->ndd_W * seconds;
    relate(seconds, events->flits, bytes, costs, energy);
    return 0;
}
