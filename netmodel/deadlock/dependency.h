/* The static check for deadlock: can packets wait for each other in a circle?
 *
 * Every header that a routing makes is walked over everything that it may do, and the channels that a packet
 * in one channel may wait for are collected: the channel-dependency graph (W. J. Dally, C. L. Seitz, IEEE
 * Trans. Computers 36(5), 1987). A channel is a virtual channel of a link, with the buffer behind it. Where a
 * routing declares escapes (routing.h), a packet waits for escapes alone, whatever else it may also use (J.
 * Duato, IEEE TPDS 6(10), 1995, for wormhole, and IEEE TPDS 7(8), 1996, for cut-through): so only those
 * dependencies count, from every channel in which a packet may wait.
 *
 *  cut-through   A blocked packet is in one buffer, so it depends on the channel it asks for next and on
 *                nothing else. On a ring under the bubble rule (C. Carrion et al., HiPC 1997; V. Puente et
 *                al., ICPP 1999) a packet enters only where two fit and goes on where one fits, so that one
 *                place of the ring stays free and a packet that goes on along it is never stuck: such rings
 *                may close. The graph must be acyclic when each of them is one vertex.
 *  wormhole      A blocked packet holds every channel between its header and its tail: an escape that it
 *                holds depends also on the one that it asks for after any number of other channels (the
 *                extended graph, with Duato's indirect and cross dependencies). There is no bubble rule. A
 *                routing whose outputs are not all escapes needs buffers of one packet at a time, as in
 *                Duato's proof.
 *
 * Both arguments need that escapes lead every header from wherever it may get to its target in a bounded
 * number of hops, and that terminals take what arrives. */
#ifndef NET_DEPENDENCY_H
#define NET_DEPENDENCY_H

#include "netmodel/routing.h"

enum net_deadlock_argument {
    NET_UNKNOWN,  /* not examined: the graph would be too large, or escapes do not lead everywhere */
    NET_ACYCLIC,  /* proved: no dependency closes a circle */
    NET_BUBBLE,   /* proved: circles close within rings under the bubble rule only */
    NET_NO_WAITS, /* packets are never stored, and so wait for nothing (net_routing_kind.never_waits) */
    NET_CYCLIC    /* packets can wait in a circle */
};

/* One of the channels of a circle: a packet from source to target in this one may wait for the next. */
struct net_dependency {
    uint32_t link, virtual_channel; /* the channel */
    uint32_t source, target;        /* routers */
};

struct net_control; /* netmodel/faults/control.h */
struct net_rings;   /* netmodel/faults/rings.h */

struct net_deadlock_verdict {
    enum net_deadlock_argument argument; /* what was proved, or that nothing was */
    uint64_t dependencies;               /* of the graph */
    uint32_t length;                     /* of the circle, 0: none */
    struct net_dependency *cycle;        /* the shortest one that breaks the argument */
};

struct net_deadlock_check {
    uint32_t channels, escapes; /* of the network; those that some packet may rely on */
    uint64_t headers;           /* (target, router, header) that packets can come to */
    uint32_t longest_escape;    /* hops of the longest way by escapes */
    bool connected;             /* escapes lead every header to its target */
    /* When not: a packet from stray_source to stray_target has no escape, or no end of them, at stray. */
    uint32_t stray, stray_source, stray_target;
    struct net_deadlock_verdict cut_through, wormhole; /* one for each flow control */
};

/* Checks a routing on its topology. Time and memory grow with the headers, at least routers^2: networks with
 * more of them than a machine can walk in some minutes are refused (BASE_USAGE), as is a routing that names a
 * port without a link (BASE_SYSTEM). -1 also for memory. Free with net_deadlock_check_free. */
int net_deadlock_check(const struct net_routing *routing, struct net_deadlock_check *check,
                       struct base_error *error);

/* Links that have failed for good, and the rings around them, when no control packet is on its way any more
 * (doc/faults.md, rings.h). */
struct net_deadlock_faults {
    const struct net_control *control; /* at rest: no control packet is on its way */
    const struct net_rings *rings;     /* around the dead links */
    /* Wrong on purpose, so that tests see it caught: rings that are entered where one packet fits, and so may be full;
     * packets that leave a ring into the escape and not by the re-injection queue. */
    bool one_place, returns;
};
/* The same of a routing whose links fail (netmodel/faults/failing.h), for cut-through, which fault routings ask for. */
int net_deadlock_check_faults(const struct net_routing *routing, const struct net_deadlock_faults *faults,
                              struct net_deadlock_check *check, struct base_error *error);
void net_deadlock_check_free(struct net_deadlock_check *check);
/* Whether it is proved that packets cannot wait in a circle. */
bool net_deadlock_free(const struct net_deadlock_check *check, const struct net_deadlock_verdict *verdict);

#endif
