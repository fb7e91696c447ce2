/* Inside netmodel/costs/: the wires of a network one by one, and what a technology says of them.
 *
 *      links              from router to router, as wide as a flit; of stages as wide as what their level carries
 *      shared channels    in place of links: each reaches half of the way to each neighbour, and has taps
 *      buses              of networks of stages, behind the links: with a tap at each cell */
#ifndef NET_COSTS_WIRING_INTERNAL_H
#define NET_COSTS_WIRING_INTERNAL_H

#include "netmodel/costs/costs.h"

struct net_wire {
    double mm;           /* its length */
    uint32_t bits, taps; /* that it carries in a cycle; devices that it drives beside the one at its end */
};

struct net_wiring {
    uint64_t links, count; /* links, or channels, then buses up to count */
    struct net_wire *wires;
    uint64_t cables[NET_CABLES];  /* links of each kind, in racks */
    char reason[NET_COST_REASON]; /* why lengths are not known; empty: they are */
};

/* The caller frees it, also after -1: memory. */
int net_wiring_init(struct net_wiring *wiring, const struct net_cost_request *request,
                    struct base_error *error);
void net_wiring_free(struct net_wiring *wiring);

/* Of all wires together, under the request's technology. A flit over a wire of other width counts as what its bits are
 * of that width. */
struct net_wiring_sums {
    double energy_J; /* of a flit over each link, or channel, in turn: without buses */
    double ndd_W, mm2;
    double site_J; /* a flit over a wire of no length */
};
/* energies_J[count], unless NULL: of a flit over each wire, with its taps. 0; 1: the technology does not say it, with
 * the reason; -1: a technology whose numbers overflow. */
int net_wiring_ask(const struct net_wiring *wiring, const struct net_cost_request *request,
                   double *energies_J, struct net_wiring_sums *sums, char reason[NET_COST_REASON],
                   struct base_error *error);
/* What was refused as outside of a range becomes a reason. 1: it did; -1: an error that stays. */
int net_cost_reason(const struct base_error *refused, char reason[NET_COST_REASON], struct base_error *error);

#endif
