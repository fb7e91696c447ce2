/* Where routers stand, on a chip or in racks, and how long links are (the king thesis, section 2.6; costs
 * are linear in lengths).
 *
 * On a chip, by the first of these rules that applies, of which those marked [choice] no paper fixes:
 *
 *      declared    a link whose file says length=N is N mm long [choice]; then all links must say it
 *      kind        net_topology_kind.lay says where a router stands, in pitches
 *      at=X,Y      of a graph file, in pitches [choice]
 *      grid        routers at the pitch in X and Y; a ring is folded: its links are 2 pitches long, those at
 *                  its two folds 1; a third and fifth dimension puts planes side by side along X, a fourth and
 *                  sixth along Y [choice]
 *
 * Wires go straight: a diagonal of a mesh is the root of 2 pitches long. Concentration c widens the pitch
 * by the root of c. A bus goes along the sides of the box around its cells: a wire across, one up and down [choice].
 *
 * In racks any network has a layout, since its routers are put into racks by their numbers:
 *
 *      rack 0      rack 1      rack 2       per_row racks in a row, width_mm apart, rows depth_mm apart
 *      0 .. R-1    R .. 2R-1   2R .. 3R-1   cables in a rack are inside_mm long; those between two racks as long as
 *      rack 3      …                        their distance along rows and aisles, and extra_mm to go up and down */
#ifndef NET_COSTS_LAYOUT_H
#define NET_COSTS_LAYOUT_H

#include "netmodel/topology.h"

/* Racks of a machine, in mm. */
struct net_racks {
    uint32_t routers; /* in a rack; 0: there are no racks, routers are on a chip */
    uint32_t per_row; /* racks; 0: as many as make the floor a square, rounded up */
    double width_mm, depth_mm, inside_mm, extra_mm;
    double copper_mm; /* cables up to this length are of copper, longer ones optical */
};

struct net_layout {
    double pitch_mm; /* of neighbouring routers on a chip */
    struct net_racks racks;
};

/* What a cable is: every link of a network in racks is one. */
enum net_cable { NET_CABLE_INSIDE, NET_CABLE_COPPER, NET_CABLE_OPTICAL, NET_CABLES };

/* Reads "R[,per-row=N][,width-m=0.6][,depth-m=1.2][,inside-m=1][,extra-m=2][,copper-m=5]", R routers in a rack; the
 * defaults are those shown [choice]. -1: BASE_USAGE, memory. */
int net_racks_parse(struct net_racks *racks, const char *text, struct base_error *error);
/* How many racks the network's routers fill; 0 on a chip. */
uint32_t net_racks_count(const struct net_racks *racks, const struct net_topology *topology);
/* What the cable of a link is, which is so long; only in racks. */
enum net_cable net_racks_cable(const struct net_racks *racks, const struct net_link *link, double length_mm);

/* Fills lengths_mm[link_count]. Returns NULL, or why the network has no layout. */
const char *net_layout_lengths(const struct net_topology *topology, const struct net_layout *layout,
                               double *lengths_mm);
/* The length of a bus of a network of stages, which has a layout. */
double net_layout_bus(const struct net_topology *topology, const struct net_layout *layout, uint32_t bus);
/* Metal layers that its wires need (the king thesis, section 2.6): 1 for a mesh, twice as many with diagonals, and
 * again twice as many where rings are folded; 0 where it is no plane. */
uint32_t net_layout_layers(const struct net_topology *topology);

/* Gives each link the latency that follows from its length: link_cycles, and the whole cycles that a signal is on its
 * way, ns_millionths / 10^6 ns for each metre; a link that has a latency of its own keeps it. Before any routing or
 * network is made of the topology. -1: BASE_USAGE (no layout, shared channels and stages, whose engines know no
 * latencies, a latency above NET_LINK_LATENCY_MAX), memory. */
int net_layout_set_latencies(struct net_topology *topology, const struct net_layout *layout,
                             uint64_t ns_millionths, uint64_t clock_khz, uint32_t link_cycles,
                             struct base_error *error);

#endif
