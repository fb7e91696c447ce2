/* Numbers on axes are as short as they can be; an axis that reaches below zero has its zero on a line. */
#include "reports/drawing/chart.h"

#include <math.h>
#include <string.h>

#include "reports/pages/clean.h"

#define TITLE_SIZE 180
#define TITLE_LEAST 110 /* of a long one */
#define TICKS 6
#define NAME_MOST 256 /* bytes of a text that was cut */

/* The rest of a longer text is an ellipsis (U+2026). */
static void put_cut(struct report_draw *draw, struct report_point point, int32_t size,
                    enum report_anchor anchor, const char *text, unsigned characters)
{
    char name[NAME_MOST];
    size_t bytes = report_clean_cut(text, characters);

    if (text[bytes] != '\0')
        bytes = report_clean_cut(text, characters - 1);
    snprintf(name, sizeof name, "%.*s%s", (int)bytes, text, text[bytes] == '\0' ? "" : "\xe2\x80\xa6");
    report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(draw, point, size, anchor, name);
}

/* Everything stands on paper, so that a picture is readable on pages of any colour. */
struct report_draw *report_chart_begin(struct report_chart *chart, FILE *stream, struct report_point size,
                                       const char *title, const char *subtitle)
{
    int32_t width = (size.x < REPORT_WIDE ? size.x : REPORT_WIDE) - 2 * REPORT_CHART_MARGIN;
    int32_t fitting = width * 5 / 3 / ((int32_t)report_clean_columns(title) + 1);

    chart->draw = report_svg_begin(&chart->svg, stream, size, title);
    report_draw_color(chart->draw, REPORT_PAPER, REPORT_NO_COLOR);
    report_draw_box(chart->draw, (struct report_point){0, 0}, size, 0);
    chart->draw->larger = report_draw_larger(size.x);
    fitting = fitting < TITLE_SIZE ? fitting : TITLE_SIZE;
    fitting = fitting > TITLE_LEAST ? fitting : TITLE_LEAST;
    put_cut(chart->draw, (struct report_point){REPORT_CHART_MARGIN, 260}, fitting, REPORT_START, title,
            (unsigned)(width * 5 / 3 / fitting));
    report_chart_label(chart->draw, (struct report_point){REPORT_CHART_MARGIN, 500}, REPORT_START, subtitle);
    return chart->draw;
}

/* The height is that of the head as it would be in a narrow picture. */
void report_chart_end_head(struct report_draw *draw, int32_t height)
{
    draw->origin.y += report_draw_more(height, draw->larger);
    draw->larger = 0;
}

/* The stream was checked by nobody until here: the SVG remembers its first failed write, so that drawing needs no
 * check at every line. */
int report_chart_end(struct report_chart *chart, struct base_error *error)
{
    return report_svg_end(&chart->svg, error);
}

void report_chart_name(struct report_draw *draw, struct report_point point, enum report_anchor anchor,
                       const char *text, unsigned characters)
{
    put_cut(draw, point, REPORT_CHART_TEXT, anchor, text, characters);
}

/* Pale, so that what is drawn stands out before what explains it. An empty text leaves no mark in the file: a
 * subtitle is one for charts that have none. */
void report_chart_label(struct report_draw *draw, struct report_point point, enum report_anchor anchor,
                        const char *text)
{
    if (*text == '\0')
        return;
    report_draw_color(draw, REPORT_PALE_INK, REPORT_NO_COLOR);
    report_draw_text(draw, point, REPORT_CHART_TEXT, anchor, text);
}

/* The width of the name is estimated, as the viewer chooses the font: the gap behind it is wide enough for the
 * widest of the common ones. */
int32_t report_chart_key(struct report_draw *draw, struct report_point point, report_color color,
                         const char *name)
{
    report_draw_color(draw, color, REPORT_NO_COLOR);
    report_draw_box(draw, (struct report_point){point.x, point.y - 60}, (struct report_point){120, 120}, 0);
    report_chart_label(draw, (struct report_point){point.x + 180, point.y}, REPORT_START, name);
    return point.x + 180 + report_draw_text_width(draw, REPORT_CHART_TEXT, name) + 200;
}

/* The first of a line stays there, however wide it is. */
void report_chart_add_key(struct report_draw *draw, struct report_point *point, int32_t right,
                          report_color color, const char *name)
{
    int32_t end = point->x + 180 + report_draw_text_width(draw, REPORT_CHART_TEXT, name);

    if (end > right && point->x > REPORT_CHART_MARGIN) {
        point->x = REPORT_CHART_MARGIN;
        point->y += REPORT_CHART_LINE;
    }
    point->x = report_chart_key(draw, *point, color, name);
}

/* The factors 2, 2.5 and 2 lead from 1 by 2 and 5 to 10; 1e-9 is far below any axis. */
double report_chart_step(double most)
{
    double step = 1e-9;

    for (unsigned i = 0; step * TICKS < most; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    return step;
}

/* The largest unit of which there is at least one. */
const char *report_chart_time_unit(double most_ns, double *ns)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    size_t i = 0;

    while (i < 3 && most_ns < units[i].ns)
        i++;
    *ns = units[i].ns;
    return units[i].name;
}

/* Rounded to the nearest tenth of a pixel. */
int32_t report_axis_place(const struct report_axis *axis, double value)
{
    double share = (value - axis->least) / (axis->most - axis->least);
    return axis->from + (int32_t)lround(share * (axis->to - axis->from));
}

/* Lines are products and not sums, so that errors do not add up; a little is added at both ends, where
 * rounding has put a line just beyond. Calls back for each. */
static void each_tick(const struct report_axis *axis,
                      void (*tick)(void *context, int32_t place, const char *number), void *context)
{
    double step = report_chart_step(axis->most - axis->least), slack = step * 1e-6;

    for (double i = ceil((axis->least - slack) / step); i * step <= axis->most + slack; i++) {
        char number[32];
        snprintf(number, sizeof number, "%.6g", i == 0 ? 0.0 : i * step);
        tick(context, report_axis_place(axis, i * step), number);
    }
}

/* What a tick needs to know of the other axis. */
struct grid {
    struct report_draw *draw; /* of the chart */
    int32_t low, high;        /* the ends of a tick's line, in the picture's units */
};

/* The line first and its number over it. Numbers stand below the axis, where bars never reach. */
static void tick_x(void *context, int32_t place, const char *number)
{
    const struct grid *grid = context;

    report_draw_color(grid->draw, REPORT_NO_COLOR, REPORT_GRID);
    report_draw_line(grid->draw, (struct report_point){place, grid->low},
                     (struct report_point){place, grid->high}, 10);
    report_chart_label(grid->draw, (struct report_point){place, grid->low + 140}, REPORT_MIDDLE, number);
}

/* The title ends where the axis does: at its left end there may be names of rows. */
void report_axis_draw_x(struct report_draw *draw, const struct report_axis *axis, int32_t low, int32_t high,
                        const char *title)
{
    struct grid grid = {draw, low, high};

    each_tick(axis, tick_x, &grid);
    report_chart_label(draw, (struct report_point){axis->to, low + 340}, REPORT_END, title);
}

/* Numbers stand to the left, so that those of different lengths end at the axis. */
static void tick_y(void *context, int32_t place, const char *number)
{
    const struct grid *grid = context;

    report_draw_color(grid->draw, REPORT_NO_COLOR, REPORT_GRID);
    report_draw_line(grid->draw, (struct report_point){grid->low, place},
                     (struct report_point){grid->high, place}, 10);
    report_chart_label(grid->draw, (struct report_point){grid->low - 60, place}, REPORT_END, number);
}

/* The title lies above the axis: turned text is no primitive, and hard to read. */
void report_axis_draw_y(struct report_draw *draw, const struct report_axis *axis, int32_t left, int32_t right,
                        const char *title)
{
    struct grid grid = {draw, left, right};

    each_tick(axis, tick_y, &grid);
    report_chart_label(draw, (struct report_point){left, axis->to - 160}, REPORT_START, title);
}
