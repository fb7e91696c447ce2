/* What a simulated network took in energy, from the events that happened (the king thesis, chapter 4): detours, trees
 * of multicasts and what was under way when the count ended cost what they did. Nothing is counted for it that engines
 * do not count anyway.
 *
 *      a flit that enters a router, from a terminal or a link: is written, is read, passes the crossbar
 *      a packet that enters a router: one arbitration of each stage
 *      a flit over a link, or a shared channel: the energy of its length and of its taps
 *      a flit between a terminal and its router: a link of no length; on a shared channel this is one of the taps
 *      the clock of each router, in each cycle
 *      power that does not depend on data, of routers and links, for as long as the run took
 *
 * Of shared channels the routers are m-way routers, entered over their buffer sets. Of networks of stages the
 * routers are cells, flits are bits, and each bit takes its share of what a flit as wide as a link takes; processors
 * are at the ends of their links, and buses are entered as links are. */
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
    const uint64_t *buses; /* [bus] of stages: bits beside those of links; NULL: there are none; borrowed */
};
/* Of all that an engine has counted so far. Packets are counted when they are delivered; those under way at the end are
 * no part of it. */
struct net_energy_events net_energy_events_of(const struct net_topology *topology,
                                              const struct net_statistics *statistics);

/* Of the messages of an owner's terminals, by an engine that was asked to count them (net_options.owner_events).
 * They add up to all. What a terminal ejects is its own owner's, whoever sent it. */
struct net_energy_events net_energy_events_of_owner(const struct net_topology *topology,
                                                    const struct net_statistics *statistics,
                                                    const uint32_t *owner, uint32_t whose);

/* What is counted between two moments. */
struct net_energy_span {
    struct net_energy_events events; /* whose arrays are these: */
    uint64_t *carried;               /* [count]: links or channels, then buses; owned */
    uint64_t count;
};
/* Of nothing. The caller frees it, also after -1: memory. */
int net_energy_span_init(struct net_energy_span *span, const struct net_topology *topology);
void net_energy_span_free(struct net_energy_span *span);
/* What the engine has counted so far less what is in the span: of a new one the counts at its beginning, and the next
 * time what they grew by. */
void net_energy_span_turn(struct net_energy_span *span, const struct net_topology *topology,
                          const struct net_statistics *statistics);
/* Adds a span of the same network. */
void net_energy_span_add(struct net_energy_span *sum, const struct net_energy_span *span);

/* Packets into routers, of so many over so many links. */
double net_energy_packets(const struct net_topology *topology, uint64_t hops, uint64_t packets);

/* Joules. A number that is not known is NaN, with every sum that it is part of. */
struct net_energy {
    double buffers, crossbars, arbitrations, links, sites; /* of the events */
    double dynamic;                                        /* their sum */
    double clock, still;          /* of the time: clock trees, power that needs no data */
    double total;                 /* dynamic + clock + still */
    double delay;                 /* total times seconds, J s */
    double flit, byte;            /* total for a flit and a byte delivered */
    double estimate;              /* flits delivered times the energy of a unicast over the mean distance */
    char reason[NET_COST_REASON]; /* why numbers are not known; empty: all are */
};

/* costs: of the same request, with its technology. cycles, seconds: of the run. bytes: delivered payload. -1:
 * memory, or a technology whose numbers overflow. */
int net_energy_of(const struct net_cost_request *request, const struct net_costs *costs,
                  const struct net_energy_events *events, uint64_t cycles, double seconds, uint64_t bytes,
                  struct net_energy *energy, struct base_error *error);

#endif
