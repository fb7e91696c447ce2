/* Ways through an intermediate router, on networks whose `minimal` routing goes by the router and the destination
 * alone: dragonflies, HyperX, Slim Flies. A way is two minimal ones, to the intermediate router and from there; a
 * minimal way is the second of them alone.
 *
 * Virtual channels are divided into classes that rise along every way, so that no circle closes. Links of a kind that
 * a minimal way crosses up to n times have 2n classes, the n-th in the first half of the way and the n-th in the
 * second:
 *
 *      dragonfly   local   L0 ─ G0 ─ L1 ║ L2 ─ G1 ─ L3      4 classes, by the global links behind it in the half
 *                  global                                   2
 *      HyperX      every   X Y Z ║ X Y Z                    2: each half is in dimension order
 *      Slim Fly    every   0 ─ 1 ║ 2 ─ 3                    4, by the hops behind it in the half
 *
 * Where the intermediate place is a group of a dragonfly, not a router, the first half ends with its global link, and
 * local links have three classes.
 *
 * The header is
 *
 *      … │ undecided 1 │ first half 1 │ behind 2 ║ intermediate 24 │ destination 24 bits
 *
 * with the router's own number in place of an intermediate one that is done with, or that there is not. */
#ifndef NET_DETOURS_H
#define NET_DETOURS_H

#include "netmodel/routing.h"

/* The form of valiant (net_topology_kind.forms). */
extern const struct net_routing_kind net_routing_valiant_detours;
extern const struct net_family net_family_detours, net_family_group_detours;

/* ---- for descriptors ---- */

/* Which flits of a way's first link net_detour_compare counts. */
enum net_detour_queue {
    NET_QUEUE_LINK,    /* those on all its virtual channels */
    NET_QUEUE_CHANNEL, /* those on the channels that the way may take */
    NET_QUEUE_HYBRID,  /* as CHANNEL where both ways leave by one link, else as LINK */
};

/* Prepares the minimal routing that the ways are made of. groups: intermediate places are groups. -1: BASE_USAGE,
 * memory. */
int net_detour_prepare(struct net_routing *routing, bool groups, struct base_error *error);
uint32_t net_detour_needs(const struct net_topology *topology);
bool net_detour_chooses(const struct net_routing *routing);
/* One for each intermediate place: any router of another group of a dragonfly, or any other group; any router of a
 * HyperX or a Slim Fly. */
uint32_t net_detour_variants(const struct net_routing *routing, uint32_t a, uint32_t b);
uint64_t net_detour_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant);
uint32_t net_detour_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                          struct net_route *route);
uint64_t net_detour_step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port);

/* ---- for a choice at the source (rule 14 of doc/flit-engine.md) ---- */

/* The minimal way, with the intermediate router of the other one beside it, unless that is the source or the
 * destination and so no other way. */
uint64_t net_detour_start_undecided(const struct net_routing *routing, uint32_t a, uint32_t b,
                                    uint32_t variant);
/* The header with which it takes the detour, or not; the first as it is where there is none. */
uint64_t net_detour_taken(const struct net_routing *routing, uint64_t header);
uint64_t net_detour_refused(uint64_t header);
/* How net_detour_compare weighs. */
struct net_detour_scale {
    enum net_detour_queue queue;
    bool waiting;       /* packets of the same router that have chosen a link and wait for it count as well */
    uint64_t threshold; /* what the detour costs besides, in flits times links */
};
/* Called once, by prepare. */
void net_detour_weigh(struct net_routing *routing, struct net_detour_scale scale);
/* Flits on the first link of either way times the links of the way: costs of the minimal way and of the detour. false:
 * there is no detour. */
bool net_detour_compare(const struct net_routing *routing, uint64_t header,
                        const struct net_occupancy *occupancy, uint64_t costs[2]);

#endif
