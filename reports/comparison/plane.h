/* Inside reports/: the plane of time and one cost, a dot a configuration. */
#ifndef REPORT_COMPARISON_PLANE_H
#define REPORT_COMPARISON_PLANE_H

#include "reports/comparison/costs.h"

struct report_plane {
    const struct report_comparison *comparison; /* borrowed */
    const uint32_t *order;                      /* [ranked], fastest first */
    uint32_t ranked;
    const struct report_price *price; /* the cost across */
};

/* Whether at least two configurations have the cost. */
bool report_plane_can_be_drawn(const struct report_plane *plane);
/* SVG; content is a struct report_plane. */
int report_plane_draw(const void *content, FILE *stream, struct base_error *error);

#endif
