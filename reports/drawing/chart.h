/* Inside reports/: what charts have in common: paper with a title, axes with units, keys. Lengths are in
 * tenths of a pixel, as in draw.h.
 *
 *      struct report_chart chart;
 *      struct report_draw *draw = report_chart_begin(&chart, stream, size, "Latency", "of 1 234 packets");
 *      …
 *      return report_chart_end(&chart, error); */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "reports/drawing/palette.h"
#include "reports/drawing/svg.h"

#define REPORT_CHART_MARGIN 240
#define REPORT_CHART_HEAD 760 /* of title and subtitle, the margin included */
#define REPORT_CHART_TEXT 120 /* the size of all but the title */
#define REPORT_CHART_LINE 200 /* from one line of text to the next */

struct report_chart {
    struct report_svg svg;    /* which draw is a part of */
    struct report_draw *draw; /* what the chart is drawn with */
};

/* Paper, title and subtitle ("": none), cut where they are too long. Words of wide paper are drawn larger until
 * report_chart_end_head says that what follows stands below a head of that height: the paper is higher by
 * report_draw_more(height, report_draw_larger(size.x)). */
struct report_draw *report_chart_begin(struct report_chart *chart, FILE *stream, struct report_point size,
                                       const char *title, const char *subtitle);
void report_chart_end_head(struct report_draw *draw, int32_t height);
int report_chart_end(struct report_chart *chart, struct base_error *error);

/* A text in ink or in pale ink, of `characters` at most. */
void report_chart_name(struct report_draw *draw, struct report_point point, enum report_anchor anchor,
                       const char *text, unsigned characters);
void report_chart_label(struct report_draw *draw, struct report_point point, enum report_anchor anchor,
                        const char *text);
/* A sample of a colour, and its name. Returns where the next may begin. */
int32_t report_chart_key(struct report_draw *draw, struct report_point point, report_color color,
                         const char *name);
/* The same, on the next line where it would reach beyond `right`. point: where the next may begin, before and
 * after. */
void report_chart_add_key(struct report_draw *draw, struct report_point *point, int32_t right,
                          report_color color, const char *name);

/* 1, 2 or 5 times a power of ten, so that about six steps make `most`. */
double report_chart_step(double most);
/* The unit for times up to most_ns, and how many nanoseconds it has. */
const char *report_chart_time_unit(double most_ns, double *ns);

struct report_axis {
    int32_t from, to;   /* on paper; upwards when to < from */
    double least, most; /* what is there */
};

/* Where a value is on the axis. */
int32_t report_axis_place(const struct report_axis *axis, double value);
/* A grid across, from `low` to `high` on the other axis, with a number at each line and the title behind. */
void report_axis_draw_x(struct report_draw *draw, const struct report_axis *axis, int32_t low, int32_t high,
                        const char *title);
void report_axis_draw_y(struct report_draw *draw, const struct report_axis *axis, int32_t left, int32_t right,
                        const char *title);

#endif
