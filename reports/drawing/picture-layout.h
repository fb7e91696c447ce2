/* Inside reports/: where a topology's routers stand in its picture. Lengths are in tenths of a pixel.
 *
 *      margin
 *      ┌───────────── slice ─────────────┐ gap ┌──────────
 *      │ margin for arrows               │     │
 *      │   ┌──┐  pitch   ┌──┐            │     │
 *      │ y │  │ ◄──────► │  │            │     │    next coordinate of the third dimension to the right,
 *      │ ▲ └──┘          └──┘            │     │    of the fourth below (a third alone: in rows)
 *      └─► x ────────────────────────────┘     └────────── */
#ifndef REPORT_PICTURE_LAYOUT_H
#define REPORT_PICTURE_LAYOUT_H

#include "netmodel/topology.h"
#include "reports/drawing/draw.h"

struct report_layout {
    const struct net_topology *topology; /* borrowed */
    uint32_t columns, rows;              /* of routers in a slice */
    uint32_t slices, slices_in_row;
    int32_t pitch, router;           /* between routers' middles; a router's width */
    int32_t left, top;               /* of the first slice */
    struct report_point slice, step; /* a slice's size; from one to the next */
    struct report_point size;        /* of all slices together, from left and top */
};

/* The topology must have at most four dimensions. left and top say where the slices begin. */
void report_layout_set(struct report_layout *layout, const struct net_topology *topology, int32_t left,
                       int32_t top);
/* The middle of a router; the upper left corner of a slice. */
struct report_point report_layout_router(const struct report_layout *layout, uint32_t router);
struct report_point report_layout_slice(const struct report_layout *layout, uint32_t slice);

#endif
