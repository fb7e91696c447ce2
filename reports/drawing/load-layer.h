/* Inside reports/: the loads of a topology's links as a layer of a picture: between the routers of a layout
 * (picture-layout.h), each link as an arrow whose colour and width say how much it carries. */
#ifndef REPORT_LOAD_LAYER_H
#define REPORT_LOAD_LAYER_H

#include "reports/drawing/palette.h"
#include "reports/drawing/picture-layout.h"

struct report_load_layer {
    struct report_draw *draw; /* the caller's to set before drawing */
    const struct report_layout *layout;
    const double *loads; /* [link], in any unit */
    double most;         /* of them */
};

/* Borrows both. */
struct report_load_layer report_load_layer_of(const struct report_layout *layout, const double *loads);
void report_load_links(const struct report_load_layer *layer);
/* A sample of each step from `point` on, and what the scale means behind them. */
void report_load_scale(struct report_draw *draw, struct report_point point, int32_t text_size,
                       const char *text);

#endif
