/* A set of routers as boxes: where a multicast to the members of a communicator goes, on networks that
 * multicast to boxes. A box is a range in every dimension, on a torus maybe around its end.
 *
 *      ■ ■ ■ · ·         a a a · ·
 *      ■ ■ ■ ■ ·   ──►   a a a b ·      exact: every member in one box, nobody else in any
 *      · · · ■ ·         · · · b ·
 *
 * Greedy: from the first router that is in no box yet the largest box is taken that begins or ends there in
 * whatever order of dimensions it is widened. A set that is a box gives that box; of other sets the cover may
 * have more boxes than the best one would. */
#ifndef NET_COVER_H
#define NET_COVER_H

#include "netmodel/topology.h"

struct net_box {
    uint32_t low[NET_DIMENSIONS_MAX];    /* its first router's coordinates */
    uint32_t extent[NET_DIMENSIONS_MAX]; /* routers in each dimension, >= 1; low + extent beyond the side:
                                            around the end of the ring */
};

struct net_cover { /* zeroed is empty */
    struct net_box *boxes;
    uint32_t count; /* of boxes */
};

/* Covers the routers with members[router] by at most `most` boxes. wraps: boxes may go around the ends of a
 * torus. Returns 1; 0 when that many do not do (the cover is then empty); -1: memory. The caller frees the
 * cover. */
int net_cover(const struct net_topology *topology, const bool *members, bool wraps, uint32_t most,
              struct net_cover *cover, struct base_error *error);
void net_cover_free(struct net_cover *cover); /* leaves an empty one */
/* Whether a router is in a box. */
bool net_box_contains(const struct net_topology *topology, const struct net_box *box, uint32_t router);

#endif
