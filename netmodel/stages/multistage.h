/* Multistage networks: omega and GLO (D. M. Koppelman, A family of interconnection networks for non-uniform
 * traffic, IEEE TPDS 7(5), 1996, section II; doc/multistage.md). N = m^S processors, S stages of C =
 * m^(S-1) cells of m x m.
 *
 *      processors   stage 0      stage 1      stage S-1    processors
 *          i ──────► cell ──────► cell ── … ──► cell ──────► j
 *         level 0        level 1                     level S
 *                         ╔═╗ a bus beside the links of a level between stages: from any of A cells to any of B
 *
 * Level k has N links: level 0 leads from the processors to stage 0, level k from stage k - 1 to stage k,
 * level S from the last stage to the processors. Link p of level 0 is that of processor p; link p of a
 * level k >= 1 leaves cell p / m of stage k - 1 by its digit p % m. Every pair of processors has one path
 * of S + 1 links.
 *
 *      router of struct net_topology    the processors 0 .. N-1, then cell c of stage k as N + k * C + c
 *      terminal                         a processor
 *
 * Buses are no links of the topology: they widen a link for a cycle, and change no path. Between the stages
 * k and k + 1 the cells c with the same g = c mod m^(S-2) are a group, t = c / m^(S-2) their number in it;
 * bus (k, g, u, v) has the drivers t in [vA, vA + A), and the receivers g * m + o, o in [uB, uB + B). */
#ifndef NET_MULTISTAGE_H
#define NET_MULTISTAGE_H

#include "netmodel/topology.h"

struct net_multistage {
    uint32_t stages, radix;            /* S, m */
    uint32_t drivers, receivers;       /* A, B: cells on either side of a bus; 0: there are none */
    uint32_t processors, cells;        /* N, and C of each stage */
    uint32_t groups;                   /* m^(S-2), of each gap between stages; 1 where there is no gap */
    uint32_t input_bits, output_bits;  /* a cycle, of the links of level 0 and of level S */
    uint32_t link_bits;                /* of the links between stages */
    uint32_t bus_bits, bus_cycles;     /* of a bus, and how old the state is by which it chooses; 0: none */
    uint32_t bus_count, buses_per_gap; /* in all, and between two stages */
};

/* Builds routers and links of `omega:S,M` and, with buses, `glo:S,M,A,B`. -1: BASE_USAGE, memory. */
int net_multistage_build(struct net_topology *topology, const struct net_specification *specification,
                         bool buses, struct base_error *error);
/* The parameters that differ from the kind's defaults. */
const char *net_multistage_write(struct net_topology *topology, const char *text);

/* The link of the topology that is link p of a level, and back. */
uint32_t net_multistage_link(const struct net_multistage *multistage, uint32_t level, uint32_t p);
uint32_t net_multistage_level(const struct net_multistage *multistage, uint32_t link);
uint32_t net_multistage_p(const struct net_multistage *multistage, uint32_t link);
static inline bool net_multistage_is_last(const struct net_multistage *multistage, uint32_t link)
{
    return link >= multistage->stages * multistage->processors;
}
/* The port number by which a cell of a stage sends to the next by this digit, and back (topology.h: inputs
 * differ). */
uint32_t net_multistage_port(const struct net_multistage *multistage, uint32_t stage, uint32_t cell,
                             uint32_t digit);
uint32_t net_multistage_digit(const struct net_multistage *multistage, uint32_t stage, uint32_t cell,
                              uint32_t port);
/* Bits a cycle that a link of the level carries by itself. */
static inline uint32_t net_multistage_width(const struct net_multistage *multistage, uint32_t level)
{
    return level == 0                    ? multistage->input_bits
           : level == multistage->stages ? multistage->output_bits
                                         : multistage->link_bits;
}
/* The digit of processor `target` by which stage k sends to it: base m, the highest for stage 0. */
uint32_t net_multistage_tag(const struct net_multistage *multistage, uint32_t target, uint32_t stage);
#define NET_MULTISTAGE_TARGET                                                                                \
    8 /* bit of a header from which on the target stands, behind the links still to go */
/* The header (netmodel/stages/destination-tag.c) of a packet that goes through the network, to its own
 * processor, too, where the routing itself says that it has arrived: distances and loads count no way
 * there. */
static inline uint64_t net_multistage_header(const struct net_multistage *multistage, uint32_t target)
{
    return (uint64_t)target << NET_MULTISTAGE_TARGET | (multistage->stages + 1);
}
/* The bus beside link p of a level 1 .. S-1; NET_NONE: there are none. */
uint32_t net_multistage_bus(const struct net_multistage *multistage, uint32_t level, uint32_t p);
/* The cells of a bus as routers: its drivers, i < A, then its receivers, i < A + B. */
uint32_t net_multistage_bus_cell(const struct net_multistage *multistage, uint32_t bus, uint32_t i);
/* The cost of a cell with neighbours on all sides (the paper, equations 1 and 2, section III): pins, with a
 * data-valid pin a link and three lines of arbitration a bus; crosspoints of a crossbar (types A and C),
 * and of the switch before the queues (type B, as simulated). */
struct net_multistage_cost {
    uint64_t pins, crosspoints, crosspoints_b;
};
struct net_multistage_cost net_multistage_cost(const struct net_multistage *multistage);

/* Members of the descriptors of both kinds. */
#define NET_MULTISTAGE_KIND                                                                                  \
    .chance = BASE_EXACT, .routing = "destination-tag", .tuple = true, .apart = true,                        \
    .write = net_multistage_write, .place = net_multistage_place, .lay = net_multistage_lay,                 \
    .distance = net_multistage_distance, .router_name = net_multistage_name,                                 \
    .diameter = net_multistage_diameter, .histogram = net_multistage_histogram,                              \
    .port_name = net_multistage_port_name, .bisection = net_multistage_bisection
/* "processor 5", "cell 3 of stage 0". */
void net_multistage_name(const struct net_topology *topology, uint32_t router, char *text);
bool net_multistage_place(const struct net_topology *topology, uint32_t router, double place[2]);
/* On a chip: a column for the processors and one for each stage, C rows of a cell or of m processors. The columns are a
 * ring, since the last stage leads to the processors, and folded as rings of grids are, so that no column is far from
 * the next [choice]. */
bool net_multistage_lay(const struct net_topology *topology, uint32_t router, double place[2]);
uint32_t net_multistage_distance(const struct net_topology *topology, uint32_t a, uint32_t b);
uint32_t net_multistage_diameter(const struct net_topology *topology);
void net_multistage_histogram(const struct net_topology *topology, uint64_t *pairs);
const char *net_multistage_port_name(const struct net_topology *topology, uint32_t port);
int net_multistage_bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                             struct base_error *error);

/* Ways of a pair of processors: one by links alone, and a choice between link and bus behind each stage but the
 * last. */
static inline uint64_t net_multistage_ways(const struct net_multistage *multistage)
{
    return multistage->bus_count == 0 ? 1 : UINT64_C(1) << (multistage->stages - 1);
}

#endif
