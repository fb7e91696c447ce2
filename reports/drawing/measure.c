/* Nothing is drawn: every primitive only moves the reach. */
#include "reports/drawing/measure.h"

#include <string.h>

static void reach(struct report_draw *draw, int32_t x, int32_t y)
{
    struct report_measure *measure = (struct report_measure *)draw;

    measure->reach.x = x > measure->reach.x ? x : measure->reach.x;
    measure->reach.y = y > measure->reach.y ? y : measure->reach.y;
}

static void ignore_color(struct report_draw *draw, report_color fill, report_color line)
{
    (void)draw;
    (void)fill;
    (void)line;
}

static void ignore_note(struct report_draw *draw, const char *text)
{
    (void)draw;
    (void)text;
}

static void add_cell(struct report_draw *draw, struct report_point corner, struct report_point size)
{
    reach(draw, corner.x + size.x, corner.y + size.y);
}

static void add_box(struct report_draw *draw, struct report_point corner, struct report_point size,
                    int32_t radius)
{
    (void)radius;
    add_cell(draw, corner, size);
}

static void add_line(struct report_draw *draw, const struct report_point *points, size_t count, int32_t width)
{
    for (size_t i = 0; i < count; i++)
        reach(draw, points[i].x + width / 2, points[i].y + width / 2);
}

/* The point is the text's middle height. */
static void add_text(struct report_draw *draw, struct report_point point, int32_t size,
                     enum report_anchor anchor, const char *text)
{
    int32_t width = report_text_width(draw, size, text);

    reach(draw,
          point.x + (anchor == REPORT_START    ? width
                     : anchor == REPORT_MIDDLE ? width / 2
                                               : 0),
          point.y + size / 2);
}

struct report_draw *report_measure_begin(struct report_measure *measure)
{
    memset(measure, 0, sizeof *measure);
    measure->draw = (struct report_draw){.color = ignore_color,
                                         .box = add_box,
                                         .cell = add_cell,
                                         .line = add_line,
                                         .text = add_text,
                                         .text_width = report_text_width,
                                         .note = ignore_note};
    return &measure->draw;
}
