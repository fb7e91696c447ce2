/* What a flit takes, against what the network carries and against how long it lets messages wait.
 *
 *      energy (pJ)  | \            over the offered load: power that needs no data is shared by more flits,
 *                   |   '-.___     until more are not accepted
 *                   +----------
 *      energy (pJ)  | \            over the mean latency: light loads are at the upper left, and saturation goes to the
 *                   |  '--____     right; the lower and the more to the left, the better the trade
 *                   +----------
 *
 * Hollow dots are saturated loads. Latencies beyond LATENCY_FACTOR times the least, and energies beyond ENERGY_FACTOR
 * times, are left out: light loads take almost all of the axis otherwise. */
#include <math.h>

#include "reports/drawing/chart.h"
#include "reports/traffic/picture.h"

#define WIDTH 6400
#define LEFT 950
#define RIGHT (WIDTH - 300)
#define PANEL_HEIGHT 2500
#define FIRST_TOP (REPORT_CHART_HEAD + 150)
#define SECOND_TOP (FIRST_TOP + PANEL_HEIGHT + 900)
#define KEYS_TOP (SECOND_TOP + PANEL_HEIGHT + 800)
#define LINE 20
#define DOT 70
#define CHARACTERS 90
#define LATENCY_FACTOR 8
#define ENERGY_FACTOR 6

struct panel {
    struct report_axis x, y;                                   /* load; what value gives */
    double (*value)(const struct report_traffic_point *point); /* NaN: no point there */
};

/* Across the upper panel. */
static double load_of(const struct report_traffic_point *point)
{
    return point->offered_load;
}

/* Across the lower panel. */
static double latency_of(const struct report_traffic_point *point)
{
    return point->latency.mean;
}

/* Of a flit, in pJ; NaN: not known. */
static double pico(const struct report_traffic_point *point)
{
    return point->has_energy ? point->energy.flit * 1e12 : NAN;
}

/* A curve needs two points. */
bool report_traffic_has_energies(const struct report_traffic *report)
{
    uint32_t known = 0;

    for (; report != NULL; report = report->next)
        for (uint32_t i = 0; i < report->point_count; i++)
            known += isfinite(pico(&report->points[i])) ? 1 : 0;
    return known >= 2;
}

/* Whether a point is on the panel: nothing is known of a load at which nothing was delivered. */
static bool is_shown(const struct panel *panel, const struct report_traffic_point *point)
{
    double x = panel->value(point);

    return isfinite(x) && x <= panel->x.most && pico(point) <= panel->y.most;
}

/* Fits the axes around all networks, with some air. What is beyond the factors would flatten the rest, and is left
 * out. */
static void fit(struct panel *panel, const struct report_traffic *report)
{
    double least = INFINITY, most = 0, cheapest = INFINITY;

    for (; report != NULL; report = report->next)
        for (uint32_t i = 0; i < report->point_count; i++) {
            double x = panel->value(&report->points[i]), energy = pico(&report->points[i]);
            if (!isfinite(x) || !isfinite(energy))
                continue;
            least = fmin(least, x);
            most = fmax(most, x);
            cheapest = fmin(cheapest, energy);
            panel->y.most = fmax(panel->y.most, energy);
        }
    panel->y.most = 1.08 * fmin(panel->y.most, ENERGY_FACTOR * cheapest);
    panel->x.most = 1.04 * (panel->value == latency_of ? fmin(most, LATENCY_FACTOR * least) : most);
}

/* Only of points that is_shown() lets pass. */
static struct report_point place(const struct panel *panel, const struct report_traffic_point *point)
{
    return (struct report_point){report_axis_place(&panel->x, panel->value(point)),
                                 report_axis_place(&panel->y, pico(point))};
}

/* Points in the order of loads: neighbours are joined. Dots over lines, hollow ones with paper inside. */
static void put_curve(struct report_draw *draw, const struct panel *panel,
                      const struct report_traffic *report, report_color color)
{
    const struct report_traffic_point *points = report->points;

    report_draw_color(draw, REPORT_NO_COLOR, color);
    for (uint32_t i = 1; i < report->point_count; i++)
        if (is_shown(panel, &points[i - 1]) && is_shown(panel, &points[i]))
            report_draw_line(draw, place(panel, &points[i - 1]), place(panel, &points[i]), LINE);
    for (uint32_t i = 0; i < report->point_count; i++) {
        if (!is_shown(panel, &points[i]))
            continue;
        report_draw_color(draw, points[i].saturated ? REPORT_PAPER : color, color);
        report_draw_dot(draw, place(panel, &points[i]), DOT);
    }
}

/* Axes are fitted to all networks before any is drawn. */
static void put_panel(struct report_draw *draw, struct panel *panel, const struct report_traffic *first,
                      const char *title, const char *energy)
{
    uint32_t number = 0;

    fit(panel, first);
    report_axis_draw_x(draw, &panel->x, panel->y.from, panel->y.to, title);
    report_axis_draw_y(draw, &panel->y, LEFT, RIGHT, energy);
    for (const struct report_traffic *report = first; report != NULL; report = report->next)
        put_curve(draw, panel, report, report_traffic_color(number++));
}

/* A line of its colour and a name for each network. */
static void put_keys(struct report_draw *draw, const struct report_traffic *first)
{
    struct report_point at = {LEFT, KEYS_TOP};
    uint32_t number = 0;
    char text[200];

    for (const struct report_traffic *report = first; report != NULL; report = report->next) {
        snprintf(text, sizeof text, "%.90s, %.90s", report->topology, report->routing);
        report_draw_color(draw, REPORT_NO_COLOR, report_traffic_color(number++));
        report_draw_line(draw, at, (struct report_point){at.x + 240, at.y}, LINE);
        report_chart_name(draw, (struct report_point){at.x + 320, at.y}, REPORT_START, text, CHARACTERS);
        at.y += REPORT_CHART_LINE;
    }
}

/* The paper grows with the number of networks. */
int report_traffic_draw_energy(const void *content, FILE *stream, struct base_error *error)
{
    const struct report_traffic *first = content;
    struct panel above = {{LEFT, RIGHT, 0, 0}, {FIRST_TOP + PANEL_HEIGHT, FIRST_TOP, 0, 0}, load_of};
    struct panel below = {{LEFT, RIGHT, 0, 0}, {SECOND_TOP + PANEL_HEIGHT, SECOND_TOP, 0, 0}, latency_of};
    struct report_chart chart;
    int32_t height = KEYS_TOP + 100;
    char load[80], energy[40];

    for (const struct report_traffic *report = first; report != NULL; report = report->next)
        height += REPORT_CHART_LINE;
    snprintf(load, sizeof load, "offered load (%s per cycle and terminal)", report_traffic_unit(first));
    snprintf(energy, sizeof energy, "pJ per %.*s", 4 - (int)first->in_bits, report_traffic_unit(first));
    struct report_draw *draw = report_chart_begin(
        &chart, stream, (struct report_point){WIDTH, height}, "Energy, load and delay",
        "shared by what is delivered; hollow: saturated; above 6 times the least energy: left out");
    put_panel(draw, &above, first, load, energy);
    put_panel(draw, &below, first, "mean latency (cycles)", energy);
    put_keys(draw, first);
    return report_chart_end(&chart, error);
}
