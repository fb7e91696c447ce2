/* Pictures as SVG 1.1: one self-contained file, on a background of its own, readable on light and dark pages.
 */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "reports/drawing/draw.h"

struct report_svg {
    struct report_draw draw; /* first: the backend finds itself by it */
    FILE *stream;
    report_color fill, line; /* of what is drawn next */
    int32_t path_width;      /* of the lines collected into the open path; 0: none is open */
    bool has_cells;          /* the open path, if any, is of cells */
    bool has_note;           /* a group with a title is open */
};

/* Starts a picture of the given size (tenths of a pixel) with a title for readers that cannot see it. The
 * stream stays the caller's. Returns what to draw with. */
struct report_draw *report_svg_begin(struct report_svg *svg, FILE *stream, struct report_point size,
                                     const char *title);
/* Ends it. -1: the stream could not take all (BASE_SYSTEM). */
int report_svg_end(struct report_svg *svg, struct base_error *error);

#endif
