/* What a simulated network took in energy, from the events that happened (001 chapter 4): detours, trees of multicasts
 * and what was under way when the count ended cost what they did. Nothing is counted for it that engines do not count
 * anyway.
 *
 *      a flit that enters a router, from a terminal or a link: is written, is read, passes the crossbar
 *      a packet that enters a router: one arbitration of each stage
 *      a flit over a link, or a shared channel: the energy of its length and of its taps
 *      a flit between a terminal and its router: a link of no length; on a shared channel this is one of the taps
 *      the clock of each router, in each cycle
 *      power that does not depend on data, of routers and links, for as long as the run took
 *
 * Of shared channels the routers are m-way routers, entered over their buffer sets. */
#ifndef NET_COSTS_ENERGY_H
#define NET_COSTS_ENERGY_H

#include "netmodel/costs/costs.h"
#include "netmodel/network.h"

/* What was counted, of a whole run or of a part of it. */
struct net_energy_events {
    double entered; /* flits into routers, from terminals and links; of shared channels from these alone */
    double packets; /* packets into routers */
    double injected, ejected; /* flits */
    double flits;             /* delivered */
    const uint64_t *carried;  /* [link], of shared channels [channel]: flits; borrowed */
};
/* Of all that an engine has counted so far. Packets are counted when they are delivered; those under way at the end are
 * no part of it. */
struct net_energy_events net_energy_events_of(const struct net_topology *topology,
                                              const struct net_statistics *statistics);

/* Joules. A number that is not known is NaN, with every sum that it is part of. */
struct net_energy {
    double buffers, crossbars, arbitrations, links, sites; /* of the events */
    double dynamic;                                        /* their sum */
    double clock, still; /* of the time: clock trees, power that needs no data */
    double total;        /* dynamic + clock + still */
    double delay;        /* total times seconds, J s */
    double flit, byte;   /* total for a flit and a byte delivered */
    double estimate;     /* 001's: flits delivered times the energy of a unicast over the mean distance */
    char reason[NET_COST_REASON]; /* why numbers are not known; empty: all are */
};

/* costs: of the same request, with its technology. cycles, seconds: of the run. bytes: delivered payload. -1:
 * memory, or a technology whose numbers overflow. */
int net_energy_of(const struct net_cost_request *request, const struct net_costs *costs,
                  const struct net_energy_events *events, uint64_t cycles, double seconds, uint64_t bytes,
                  struct net_energy *energy, struct base_error *error);

#endif
