/* What the links of a class (netmodel/topology.h) have in common, for texts and pictures of a network. */
#ifndef REPORT_LINK_CLASSES_H
#define REPORT_LINK_CLASSES_H

#include "base/arena.h"
#include "netmodel/topology.h"

struct report_link_class {
    const char *name; /* the topology's; "link" where all are alike */
    uint64_t channels;
    uint64_t length;    /* of all of them, as a file declares it; 0: it does not */
    bool own_latencies; /* all have one; else latency_max is that of those that have */
    uint32_t latency_min, latency_max, width_min, width_max; /* widths: cycles a flit */
    double length_min, length_max;                           /* in unit */
    const char *unit; /* "mm", "pitches", or in racks "m"; NULL: nobody knows lengths */
};

struct report_link_classes {
    const struct report_link_class *classes; /* [class_number of a link] */
    uint32_t count;                          /* 0: of shared channels, and where there is nothing to tell */
};

struct net_racks;
/* In the arena. racks: in which the routers stand; NULL: on a chip. -1: memory. */
int report_link_classes_of(const struct net_topology *topology, const struct net_racks *racks,
                           struct base_arena *arena, struct report_link_classes *classes);
/* "length 1.414 pitches, latency 10 to 20, width 1/4 to 1", as far as it is not the default; "" where it is. */
#define REPORT_LINK_CLASS_TEXT 160
const char *report_link_class_text(const struct report_link_class *class, char text[REPORT_LINK_CLASS_TEXT]);

#endif
