/* Inside reports/: the loads of a topology's links as a layer of a picture: between the routers of a layout
 * (picture-layout.h), each link as an arrow whose colour and width say how much it carries. */
#ifndef REPORT_LOAD_LAYER_H
#define REPORT_LOAD_LAYER_H

#include "reports/drawing/palette.h"
#include "reports/drawing/picture-layout.h"

#define REPORT_LOAD_NOTE 400

/* What whoever points at a link is told. */
typedef void report_load_note(const void *context, uint32_t link, char text[REPORT_LOAD_NOTE]);

struct report_load_layer {
    struct report_draw *draw; /* the caller's to set before drawing */
    const struct report_layout *layout;
    const double *loads;    /* [link], in any unit */
    double most;            /* of them, or of what else is on the same scale */
    report_load_note *note; /* the caller's; NULL: nothing is told */
    const void *context;    /* of note */
};

/* Borrows both. */
struct report_load_layer report_load_layer_of(const struct report_layout *layout, const double *loads);
void report_load_links(const struct report_load_layer *layer);
/* A dot of the colour that marks what is busiest, with a seam of paper; and on the middle of a link. */
void report_load_mark(struct report_draw *draw, struct report_point middle, int32_t diameter);
void report_load_mark_link(const struct report_load_layer *layer, uint32_t link);
/* A sample of each step from `point` on, and what the scale means behind them. */
void report_load_scale(struct report_draw *draw, struct report_point point, int32_t text_size,
                       const char *text);

#endif
