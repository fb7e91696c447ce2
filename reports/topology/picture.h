/* A topology as a picture: routers where their coordinates say (x to the right, y upwards), links between
 * them, one colour a dimension or diagonal. Links that wrap around leave and enter the picture as arrows. One
 * dimension is a line, folded when it is long; a third and a fourth dimension are slices side by side. Shared
 * channels are boxes, with m-way routers between and processors beside them. Networks without a grid
 * have their routers where their kind or their file says, or on a circle. */
#ifndef REPORT_TOPOLOGY_PICTURE_H
#define REPORT_TOPOLOGY_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "netmodel/topology.h"
#include "reports/topology/faults.h"

/* More routers than this are no picture any more. */
#define REPORT_PICTURE_ROUTERS_MAX 4096

/* Whether its routers stand where its kind or its file says, or on a circle, for lack of a grid. */
bool report_topology_is_placed(const struct net_topology *topology);
/* 0 when there can be a picture in the layout of a grid; -1: BASE_USAGE with the reason. */
int report_topology_drawable(const struct net_topology *topology, struct base_error *error);
/* Writes SVG, also without a grid; with the dead links and rings of faults, if there are any (else NULL). -1:
 * BASE_USAGE (an ideal network, too many routers, more than four dimensions: said in a sentence), BASE_SYSTEM (the
 * stream does not take it). Nothing is written in the first case. */
int report_topology_svg(const struct net_topology *topology, const struct report_faults *faults, FILE *stream,
                        struct base_error *error);

#endif
