/* Time over cost:
 *
 *      time / fastest |   4         dots are numbered by rank, and named below
 *                     |1--.         the front goes from its fastest to its cheapest
 *                     |    '--2
 *                     +----------- cost
 *
 * Both axes begin at 0, so that distances are what they seem to be. */
#include "reports/comparison/plane.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "reports/comparison/internal.h"
#include "reports/drawing/chart.h"

#define WIDTH 7600
#define LEFT 900
#define RIGHT (WIDTH - 400)
#define TOP (REPORT_CHART_HEAD + 150)
#define BOTTOM (TOP + 3400)
#define NAMES (BOTTOM + 650)
#define DOT 110
#define SHOWN 40 /* more dots than that nobody tells apart */
#define CHARACTERS 100

struct dot {
    double cost, time; /* NaN: the cost is not known, and there is no dot */
    bool front;        /* nobody is both as cheap and as fast */
};

/* Fastest first, so that what is left out is slow; the table has all. */
static uint32_t shown(const struct report_plane *plane)
{
    return plane->ranked < SHOWN ? plane->ranked : SHOWN;
}

/* The first has a time of 1 by definition. */
static struct dot dot_of(const struct report_plane *plane, uint32_t place)
{
    uint32_t first = plane->order[0], configuration = plane->order[place];
    double time = place == 0 ? 1 : report_comparison_ratio(plane->comparison, first, configuration, 1).value;

    return (struct dot){plane->price->of(plane->comparison, first, configuration), time, false};
}

/* Ranks without the cost (an ideal network, a technology that does not reach so far) have no dot. */
bool report_plane_can_be_drawn(const struct report_plane *plane)
{
    uint32_t known = 0;

    for (uint32_t place = 0; place < shown(plane); place++)
        known += isfinite(dot_of(plane, place).cost) ? 1 : 0;
    return known >= 2;
}

/* Times grow along the ranks, and along the front costs fall: neighbours in rank are neighbours on it. Straight
 * lines between its members: what lies between them was not measured. */
static void draw_front(struct report_draw *draw, const struct report_axis *x, const struct report_axis *y,
                       const struct dot *dots, uint32_t count)
{
    const struct dot *last = NULL;

    report_draw_color(draw, REPORT_NO_COLOR, REPORT_VERMILION);
    for (uint32_t i = 0; i < count; i++) {
        if (!dots[i].front)
            continue;
        if (last != NULL)
            report_draw_line(
                draw,
                (struct report_point){report_axis_place(x, last->cost), report_axis_place(y, last->time)},
                (struct report_point){report_axis_place(x, dots[i].cost), report_axis_place(y, dots[i].time)},
                16);
        last = &dots[i];
    }
}

/* Names below, since those of configurations are longer than the space between dots; whoever points at a dot is
 * told its name there. A dot has its rank as its number, also where others have none. */
static void draw_dots(struct report_draw *draw, const struct report_plane *plane, const struct report_axis *x,
                      const struct report_axis *y, const struct dot *dots)
{
    int32_t line = 0;

    for (uint32_t i = 0; i < shown(plane); i++) {
        char number[16], name[256];
        if (!isfinite(dots[i].cost))
            continue;
        struct report_point point = {report_axis_place(x, dots[i].cost), report_axis_place(y, dots[i].time)};
        report_color color = dots[i].front ? REPORT_VERMILION : REPORT_BLUE;
        const char *called = plane->comparison->configurations[plane->order[i]].name;
        report_draw_note(draw, called);
        report_draw_color(draw, color, color);
        report_draw_dot(draw, point, DOT);
        report_draw_note(draw, NULL);
        snprintf(number, sizeof number, "%" PRIu32, i + 1);
        report_chart_label(draw, (struct report_point){point.x + 90, point.y - 90}, REPORT_START, number);
        snprintf(name, sizeof name, "%s  %.200s%s", number, called, dots[i].front ? "  (front)" : "");
        report_chart_name(draw, (struct report_point){LEFT, NAMES + line++ * REPORT_CHART_LINE}, REPORT_START,
                          name, CHARACTERS);
    }
}

/* Both axes from 0 to a little above the largest. */
static int draw(const struct report_plane *plane, const struct dot *dots, FILE *stream,
                struct base_error *error)
{
    struct report_chart chart;
    struct report_axis x = {LEFT, RIGHT, 0, 0}, y = {BOTTOM, TOP, 0, 0};
    char title[80], axis[120];
    int32_t named = 0;

    /* Some air beyond the largest, so that its number is on the paper. */
    for (uint32_t i = 0; i < shown(plane); i++) {
        named += isfinite(dots[i].cost) ? 1 : 0;
        x.most = isfinite(dots[i].cost) && 1.08 * dots[i].cost > x.most ? 1.08 * dots[i].cost : x.most;
        y.most = isfinite(dots[i].cost) && 1.08 * dots[i].time > y.most ? 1.08 * dots[i].time : y.most;
    }
    snprintf(title, sizeof title, "Time and %s", plane->price->name);
    snprintf(axis, sizeof axis, "%s (%s)", plane->price->name, plane->price->unit);
    struct report_draw *paper = report_chart_begin(
        &chart, stream, (struct report_point){WIDTH, NAMES + named * REPORT_CHART_LINE + 100}, title,
        "the fastest takes 1; nearer to the corner is better in both");
    report_axis_draw_x(paper, &x, BOTTOM, TOP, axis);
    report_axis_draw_y(paper, &y, LEFT, RIGHT, "time / fastest");
    draw_front(paper, &x, &y, dots, shown(plane));
    draw_dots(paper, plane, &x, &y, dots);
    return report_chart_end(&chart, error);
}

/* Fronts are of all that is shown; the same network twice has one dot. */
int report_plane_draw(const void *content, FILE *stream, struct base_error *error)
{
    const struct report_plane *plane = content;
    bool front[SHOWN];
    struct dot dots[SHOWN];

    report_price_front(plane->comparison, plane->order, shown(plane), plane->price, front);
    for (uint32_t i = 0; i < shown(plane); i++) {
        dots[i] = dot_of(plane, i);
        dots[i].front = front[i];
        if (report_price_is_told(plane->comparison, plane->order, i, plane->price))
            dots[i] = (struct dot){NAN, NAN, false};
    }
    return draw(plane, dots, stream, error);
}
