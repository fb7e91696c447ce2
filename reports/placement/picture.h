/* A placement as a picture: routers where their coordinates say, with the ranks on them; links as arrows whose width
 * and colour are their loads; and behind them, who talks to whom. */
#ifndef REPORT_PLACEMENT_PICTURE_H
#define REPORT_PLACEMENT_PICTURE_H

#include "netmodel/topology.h"
#include "reports/placement/placement.h"

struct report_placement_pair {
    uint32_t source, target; /* ranks */
    uint64_t bytes;
};

struct report_placement_picture { /* everything borrowed */
    const struct net_topology *topology;
    const struct report_placement *placement;  /* where ranks are */
    const struct report_placement_pair *pairs; /* without those of a rank to itself */
    size_t pair_count;
    const double *loads; /* [link]: bytes */
};

/* Writes SVG. -1: BASE_USAGE for what report_topology_svg cannot draw either; memory; BASE_SYSTEM. */
int report_placement_svg(const struct report_placement_picture *picture, FILE *stream,
                         struct base_error *error);

#endif
