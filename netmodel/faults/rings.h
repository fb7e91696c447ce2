/* The rings that packets go round on where their way is dead: each tree of the control protocol, walked in preorder,
 * uses every one of its links once each way (the king thesis, section 3.4: "used as a ring when traversed
 * in preorder").
 *
 *          root           root → a → c → a → d → a → root → b → root …
 *         ┌─┴─┐
 *         a   b           A packet that comes from the parent goes on to the first child, one that comes from
 *        ┌┴┐              child i to child i + 1, else to the parent; children are in the order of their ports.
 *        c d
 *
 * n routers: 2 (n - 1) links; a router with k children is passed k + 1 times, the root k times. */
#ifndef NET_RINGS_H
#define NET_RINGS_H

#include "netmodel/faults/control.h"

struct net_ring {
    uint32_t root, routers;
    uint32_t first; /* a link of it: from the root to its first child; NET_NONE: the root is alone */
};

struct net_rings {
    uint32_t count;
    struct net_ring *ring; /* by rising root */
    uint32_t *of;          /* [router]: its ring, or NET_NONE */
    uint32_t *next;        /* [link]: the link that follows on its ring; NET_NONE: it is on none */
    struct base_arena arena;
};

/* The rings of the trees as they are when no control packet is on its way. before_pruning: with those that have left
 * them since they were closed. -1: memory. Free in either case. */
int net_rings_init(struct net_rings *rings, const struct net_control *control, bool before_pruning,
                   struct base_error *error);
/* Whether the two ends of every link that has died so far are on one ring: else a packet could not get round it. -1:
 * BASE_USAGE, with the names of the routers. */
int net_rings_check(const struct net_rings *rings, const struct net_control *control,
                    struct base_error *error);
void net_rings_free(struct net_rings *rings);

/* As the router at its end knows it now, whatever others know: the link over which a packet goes on that came over this
 * one, whose way back must be a link of the tree to that router; NET_NONE: it does not go on. */
uint32_t net_ring_after(const struct net_control *control, uint32_t link);
/* Whether the link is one of the tree to its source: to its parent, or to a child. */
bool net_ring_uses(const struct net_control *control, uint32_t link);

#endif
