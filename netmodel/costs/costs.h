/* What a network is made of and takes: parts, pins, wires, area, power, energy (the king thesis, chapter 4;
 * the m-way paper, section 2.1). Numbers of circuits come from a technology; without one there are parts, pins and
 * lengths alone.
 *
 * One design of router is made for all, the widest: as many ports as its links and terminals ask for, where
 * a terminal takes as many as it has injectors or consumers, whichever are more. The thesis counts so: its
 * king router has 9 ports. An m-way router has two ports, one on each of its channels, and one more with a
 * processor inside; its channels are bidirectional, and all devices on one are taps of it (the m-way
 * paper, section 2.1).
 *
 * Of networks of stages the routers are cells (Koppelman 1996, section III), with pins and crosspoints of one that has
 * neighbours on all sides, and processors are at the ends of their links; flits are the bits of a link between
 * stages in a cycle, and buffers are in bits. */
#ifndef NET_COSTS_H
#define NET_COSTS_H

#include "netmodel/costs/layout.h"
#include "netmodel/costs/technology.h"
#include "netmodel/topology.h"

#define NET_COST_REASON 400

struct net_cost_request {
    const struct net_topology *topology; /* borrowed, with all else */
    const struct net_metrics *metrics;
    uint32_t flit_bits, control_lines; /* of a link, one way; control lines count as pins and wires only */
    uint32_t virtual_channels, buffer_flits, injectors, consumers; /* in force */
    bool bufferless; /* packets never wait: routers have no input buffers, and no virtual channels */
    uint64_t clock_khz;
    struct net_layout layout;                /* pitch or racks */
    const struct net_technology *technology; /* NULL: none */
};

/* A number that is not known is NaN; the reason beside it says why, and is empty where it is known. */
struct net_costs {
    uint32_t terminals, routers; /* of shared channels: m-way routers */
    uint64_t links;              /* directed; of shared channels: channels */
    uint32_t buses;              /* beside links, of networks of stages; 0 elsewhere */
    uint32_t ports;              /* of the router, terminals included */
    uint64_t bisection_links;
    bool bisection_exact;          /* false: bisection_links is a bound */
    uint64_t bisection_bits_cycle; /* bits that cross in a cycle, both ways */
    double bisection_gb_s;         /* 10^9 bytes in a second of the clock */
    uint64_t pins; /* of a router, towards other routers: 2 ways x (bits + control lines) of each link */
    uint64_t crosspoints;  /* of a router: inputs x outputs x bits of a flit (Koppelman 1996, section III) */
    uint64_t buffer_bits;  /* of a router: inputs x virtual channels x flits x bits */
    uint32_t taps;         /* devices on the widest shared channel; 0 where links are wires */
    uint32_t metal_layers; /* 0: not known */
    double wire_mm, longest_mm;  /* sum over links (channels) and buses, and the longest of them */
    uint32_t racks;              /* 0: on a chip */
    uint64_t cables[NET_CABLES]; /* links of each kind, in racks */
    char layout_reason[NET_COST_REASON];
    double router[NET_COST_COLUMNS]; /* of a router, then nothing */
    char router_reason[NET_COST_REASON];
    double link_energy_J;          /* of a flit, mean over links */
    double links_ndd_W, links_mm2; /* of all links and buses */
    double site_energy_J; /* of a flit, from a terminal to its router or back; 0 where that is a link */
    char link_reason[NET_COST_REASON];
    double area_mm2, ndd_W; /* routers and links */
    double mean_distance; /* links between two terminals, on average; of shared channels: transfers less 1 */
    double hop_energy_J;  /* a router and a link: write, read, crossbar, link */
    /* Of a flit over the mean distance: h links, h + 1 routers, 2 sites; h + 1 shared channels and h m-way
     * routers; h links and h - 1 cells of stages. */
    double unicast_energy_J;
};

/* Fills costs. -1: memory, BASE_INPUT of a technology whose numbers overflow; what is outside of the
 * technology's ranges, or has no layout, is no error but a reason. */
int net_costs_of(const struct net_cost_request *request, struct net_costs *costs, struct base_error *error);
/* Lines of data of a link: a flit's bits, or of width 1/W the W-th part of them, rounded up. */
uint32_t net_costs_link_bits(const struct net_cost_request *request, uint64_t link);
/* The shape of the router that is made for all: what a technology is asked for. */
struct net_router_shape net_costs_router(const struct net_cost_request *request);
/* Fills energies_J[link] with what a flit takes over it; of shared channels [router], with the taps; of stages
 * [link_count + bus] as well, for as many bits as a flit has. -1 and a reason where the technology or the layout do not
 * say it (error->status is 0), or an error. */
int net_costs_link_energies(const struct net_cost_request *request, double *energies_J,
                            char reason[NET_COST_REASON], struct base_error *error);

#endif
