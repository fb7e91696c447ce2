/* Latency and throughput over the offered load, as two panels with one horizontal axis.
 *
 *      title
 *      latency (cycles)      |        /        points joined by lines; those of saturated loads are hollow;
 *                            |______-'         what is higher than the panel leaves it at the top
 *      accepted (flits/…)    |     .-----
 *                            |___.'__________  the thin diagonal is accepted = offered
 *                              offered load (flits per cycle and terminal)
 *
 * The mean, the 99th percentile and the network's part of the mean have a line each. Of several networks, the means
 * have a colour each, the network's parts thin lines of that colour, and the names stand below. */
#include <math.h>
#include <string.h>

#include "reports/drawing/chart.h"
#include "reports/drawing/svg.h"
#include "reports/traffic/picture.h"

#define WIDTH 6400
#define HEIGHT 8000
#define KEYS_TOP 7900 /* names of networks, where there are several */
#define KEY_LINE 220
#define LINE 20
#define THIN 8
#define LEFT 950
#define RIGHT 300
#define PANEL_HEIGHT 2900
#define FIRST_TOP 900
#define SECOND_TOP 4380
#define TITLE_SIZE 180
#define TEXT_SIZE 130
#define LABEL_GAP 160
#define DOT 70
#define LATENCY_FACTOR 8 /* of the least mean: what is higher says "saturated" and nothing more */

#define MEAN_COLOR REPORT_BLUE
#define P99_COLOR REPORT_VERMILION
#define NETWORK_COLOR REPORT_GREEN

struct panel {
    struct report_draw *draw; /* what it is drawn with */
    int32_t top;              /* in the picture's units */
    double x_most, y_most;    /* at the right and at the top; the axes begin at 0 */
};

struct curve {
    const struct report_traffic *report;                       /* whose points it leads through */
    double (*value)(const struct report_traffic_point *point); /* NaN: no point there */
    report_color color;
    int32_t width; /* of the line */
    /* half of the 95 % interval of the value, NaN: none; NULL: no curve of intervals */
    double (*interval)(const struct report_traffic_point *point);
};

/* Of networks, in the order given. */
static const report_color network_colors[REPORT_TRAFFIC_NETWORKS_MAX] = {
    REPORT_BLUE, REPORT_VERMILION, REPORT_GREEN, REPORT_ORANGE, REPORT_PURPLE, REPORT_SKY, REPORT_INK};

/* The same network has the same colour in all pictures of an answer. */
report_color report_traffic_color(uint32_t network)
{
    return network_colors[network % REPORT_TRAFFIC_NETWORKS_MAX];
}

/* What the curves show of a point. */
static double mean_of(const struct report_traffic_point *point)
{
    return point->latency.mean;
}

/* In cycles, of whole messages. */
static double p99_of(const struct report_traffic_point *point)
{
    return (double)point->latency.p99;
}

/* Without the wait in the source's queue. */
static double network_of(const struct report_traffic_point *point)
{
    return point->network.mean;
}

/* What terminals received. */
static double accepted_of(const struct report_traffic_point *point)
{
    return point->accepted_load;
}

static double latency_interval_of(const struct report_traffic_point *point)
{
    return point->latency_interval;
}

static double accepted_interval_of(const struct report_traffic_point *point)
{
    return point->accepted_interval;
}

/* Where a pair of values is on the paper; not below or above it by more than a panel, so that numbers fit. */
static struct report_point place(const struct panel *panel, double x, double y)
{
    double right = x / panel->x_most * (WIDTH - LEFT - RIGHT), up = y / panel->y_most * PANEL_HEIGHT;
    return (struct report_point){LEFT + (int32_t)(right + 0.5),
                                 panel->top + PANEL_HEIGHT - (int32_t)(up + 0.5)};
}

/* Numbers of an axis, as short as they can be. */
static void put_label(const struct panel *panel, struct report_point point, enum report_anchor anchor,
                      double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.6g", value);
    report_draw_color(panel->draw, REPORT_PALE_INK, REPORT_NO_COLOR);
    report_draw_text(panel->draw, point, TEXT_SIZE, anchor, text);
}

/* The grid with its numbers, then the frame. The factor lets in the last line when rounding has put it just
 * beyond the end. Lines are products and not sums, so that errors do not add up. Steps are round numbers
 * (report_chart_step). */
static void put_axes(const struct panel *panel, const char *title)
{
    double x_step = report_chart_step(panel->x_most), y_step = report_chart_step(panel->y_most);
    struct report_point corner = {LEFT, panel->top}, size = {WIDTH - LEFT - RIGHT, PANEL_HEIGHT};

    for (unsigned i = 0; i * x_step <= panel->x_most * 1.000001; i++) {
        struct report_point low = place(panel, i * x_step, 0), high = {low.x, panel->top};
        report_draw_color(panel->draw, REPORT_NO_COLOR, REPORT_GRID);
        report_draw_line(panel->draw, low, high, 8);
        put_label(panel, (struct report_point){low.x, low.y + LABEL_GAP}, REPORT_MIDDLE, i * x_step);
    }
    for (unsigned i = 0; i * y_step <= panel->y_most * 1.000001; i++) {
        struct report_point left = place(panel, 0, i * y_step), right = {WIDTH - RIGHT, left.y};
        report_draw_color(panel->draw, REPORT_NO_COLOR, REPORT_GRID);
        report_draw_line(panel->draw, left, right, 8);
        put_label(panel, (struct report_point){left.x - LABEL_GAP / 2, left.y}, REPORT_END, i * y_step);
    }
    report_draw_color(panel->draw, REPORT_NO_COLOR, REPORT_INK);
    report_draw_box(panel->draw, corner, size, 0);
    report_draw_color(panel->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(panel->draw, (struct report_point){LEFT, panel->top - LABEL_GAP}, TEXT_SIZE,
                     REPORT_START, title);
}

/* The piece of a line that is inside the panel: cut at the top, where latencies leave it. false: none. Linear
 * between the two points, as the line is. */
static bool cut_at_top(const struct panel *panel, struct report_point *from, struct report_point *to)
{
    double share;

    if (from->y < panel->top && to->y < panel->top)
        return false;
    if (from->y >= panel->top && to->y >= panel->top)
        return true;
    share = (double)(panel->top - from->y) / (double)(to->y - from->y);
    struct report_point edge = {from->x + (int32_t)(share * (to->x - from->x)), panel->top};
    if (from->y < panel->top)
        *from = edge;
    else
        *to = edge;
    return true;
}

/* Values far above the panel are taken as just above it: the line leaves it all the same. */
static double bounded(const struct panel *panel, double value)
{
    return value < 4 * panel->y_most ? value : 4 * panel->y_most;
}

/* Straight pieces: between two points nothing is known. A load at which nothing was delivered has no latency
 * (NAN) and interrupts the line. Points come in the order of their loads. */
static void put_curve(const struct panel *panel, const struct curve *curve)
{
    const struct report_traffic_point *points = curve->report->points;

    report_draw_color(panel->draw, REPORT_NO_COLOR, curve->color);
    for (uint32_t i = 1; i < curve->report->point_count; i++) {
        double before = curve->value(&points[i - 1]), after = curve->value(&points[i]);
        struct report_point from, to;
        if (!isfinite(before) || !isfinite(after))
            continue;
        from = place(panel, points[i - 1].offered_load, bounded(panel, before));
        to = place(panel, points[i].offered_load, bounded(panel, after));
        if (cut_at_top(panel, &from, &to))
            report_draw_line(panel->draw, from, to, curve->width);
    }
}

/* The 95 % interval of a point's value, open at the top where the panel cuts it, and the number for
 * whoever points at it. */
static void put_interval(const struct panel *panel, const struct curve *curve,
                         const struct report_traffic_point *point)
{
    double value = curve->value(point), half = curve->interval == NULL ? NAN : curve->interval(point);
    char note[320];

    report_draw_note(panel->draw, NULL);
    if (!isfinite(half))
        return;
    snprintf(note, sizeof note, "%.90s, %.90s at %.6g: %.6g \xc2\xb1 %.3g", curve->report->topology,
             curve->report->routing, point->offered_load, value, half);
    report_draw_note(panel->draw, note);
    struct report_point low = place(panel, point->offered_load, fmax(value - half, 0));
    struct report_point high = place(panel, point->offered_load, fmin(value + half, panel->y_most));
    report_draw_color(panel->draw, REPORT_NO_COLOR, curve->color);
    report_draw_line(panel->draw, low, high, LINE);
    report_draw_line(panel->draw, (struct report_point){low.x - DOT, low.y},
                     (struct report_point){low.x + DOT, low.y}, LINE);
    if (value + half <= panel->y_most)
        report_draw_line(panel->draw, (struct report_point){high.x - DOT, high.y},
                         (struct report_point){high.x + DOT, high.y}, LINE);
}

/* Dots over all lines, and over their intervals. A hollow one: the sources could not get rid of this load. */
static void put_dots(const struct panel *panel, const struct curve *curve)
{
    const struct report_traffic_point *points = curve->report->points;

    for (uint32_t i = 0; i < curve->report->point_count; i++) {
        double value = curve->value(&points[i]);
        if (!isfinite(value) || value > panel->y_most)
            continue;
        put_interval(panel, curve, &points[i]);
        report_draw_color(panel->draw, points[i].saturated ? REPORT_PAPER : curve->color, curve->color);
        report_draw_dot(panel->draw, place(panel, points[i].offered_load, value), DOT);
    }
    report_draw_note(panel->draw, NULL);
}

/* From right to left above the panel: a sample of the line, and its name. */
static int32_t put_legend(const struct panel *panel, int32_t right, const char *name, report_color color)
{
    int32_t y = panel->top - LABEL_GAP, left = right - report_draw_text_width(panel->draw, TEXT_SIZE, name);

    report_draw_color(panel->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(panel->draw, (struct report_point){left, y}, TEXT_SIZE, REPORT_START, name);
    report_draw_color(panel->draw, REPORT_NO_COLOR, color);
    report_draw_line(panel->draw, (struct report_point){left - 300, y}, (struct report_point){left - 60, y},
                     20);
    return left - 500;
}

/* The panel ends a tenth above the highest 99th percentile, or above LATENCY_FACTOR times the least mean
 * where that is lower: beyond saturation latencies grow with the measured cycles and would flatten all the
 * rest. */
static double latency_most(const struct report_traffic *report)
{
    double least = INFINITY, most = 0;

    for (uint32_t i = 0; i < report->point_count; i++) {
        double mean = report->points[i].latency.mean, p99 = (double)report->points[i].latency.p99;
        if (isfinite(mean) && mean < least)
            least = mean;
        if (isfinite(mean) && p99 > most)
            most = p99;
    }
    if (!isfinite(least))
        return 1;
    most = most < LATENCY_FACTOR * least ? most : LATENCY_FACTOR * least;
    return most > 0 ? 1.1 * most : 1;
}

/* The same without 99th percentiles, which pictures of several networks do not have. */
static double mean_most(const struct report_traffic *report)
{
    double least = INFINITY, most = 0;

    for (uint32_t i = 0; i < report->point_count; i++) {
        least = fmin(least, report->points[i].latency.mean); /* ignores NAN */
        most = fmax(most, report->points[i].latency.mean);
    }
    return isfinite(least) ? 1.1 * fmin(most, LATENCY_FACTOR * least) : 1;
}

/* What the axes of several networks must reach: the most of what a network takes. */
static double most_of_all(const struct report_traffic *report, double (*value)(const struct report_traffic *))
{
    double most = 0;

    for (; report != NULL; report = report->next)
        most = fmax(most, value(report));
    return most > 0 ? most : 1;
}

/* Of one network. */
static double load_most(const struct report_traffic *report)
{
    double most = 0;

    for (uint32_t i = 0; i < report->point_count; i++)
        most = fmax(most, report->points[i].offered_load);
    return most;
}

/* A tenth above, so that the plateau is seen as one. */
static double throughput_most(const struct report_traffic *report)
{
    return 1.1 * report_traffic_throughput(report);
}

/* The mean is drawn last, over the others. The legend is set from the right, since its words have different
 * lengths. */
static void put_latencies(const struct panel *panel, const struct report_traffic *report)
{
    const struct curve curves[] = {{report, p99_of, P99_COLOR, LINE, NULL},
                                   {report, network_of, NETWORK_COLOR, LINE, NULL},
                                   {report, mean_of, MEAN_COLOR, LINE, latency_interval_of}};
    int32_t right = WIDTH - RIGHT;

    put_axes(panel, "latency (cycles)");
    right = put_legend(panel, right, "in the network", NETWORK_COLOR);
    right = put_legend(panel, right, "mean", MEAN_COLOR);
    put_legend(panel, right, "99th percentile", P99_COLOR);
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++)
        put_curve(panel, &curves[i]);
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++)
        put_dots(panel, &curves[i]);
}

/* The means of several networks, and what of them is spent in the network. */
static void put_latencies_of_all(const struct panel *panel, const struct report_traffic *first)
{
    const report_color *color = network_colors;

    put_axes(panel, "mean latency (cycles); thin: in the network; bars: 95 %");
    for (const struct report_traffic *report = first; report != NULL; report = report->next, color++) {
        const struct curve inside = {report, network_of, *color, THIN, NULL};
        const struct curve mean = {report, mean_of, *color, LINE, latency_interval_of};
        put_curve(panel, &inside);
        put_curve(panel, &mean);
        put_dots(panel, &mean);
    }
}

/* Its panel is as wide as the other, so that one reads both above one another. The diagonal ends at the
 * nearer of the two borders: up to saturation the curves lie on it, and where one leaves it is what one looks
 * for. */
static void put_throughput(const struct panel *panel, const struct report_traffic *first)
{
    double end = panel->x_most < panel->y_most ? panel->x_most : panel->y_most;
    const report_color *color = network_colors;
    char text[80];

    snprintf(text, sizeof text, "accepted load (%s per cycle and terminal); hollow: saturated",
             report_traffic_unit(first));
    put_axes(panel, text);
    report_draw_color(panel->draw, REPORT_NO_COLOR, REPORT_PALE_INK);
    report_draw_line(panel->draw, place(panel, 0, 0), place(panel, end, end), 8);
    for (const struct report_traffic *report = first; report != NULL; report = report->next, color++) {
        const struct curve curve = {report, accepted_of, *color, LINE, accepted_interval_of};
        put_curve(panel, &curve);
        put_dots(panel, &curve);
    }
    snprintf(text, sizeof text, "offered load (%s per cycle and terminal)", report_traffic_unit(first));
    report_draw_color(panel->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(panel->draw,
                     (struct report_point){WIDTH - RIGHT, SECOND_TOP + PANEL_HEIGHT + 2 * LABEL_GAP + 60},
                     TEXT_SIZE, REPORT_END, text);
}

/* Names of networks with their routings, one below the other. Colours in the order of the networks. */
static void put_keys(struct report_draw *draw, const struct report_traffic *first)
{
    struct report_point at = {LEFT, KEYS_TOP};
    const report_color *color = network_colors;
    char text[200];

    for (const struct report_traffic *report = first; report != NULL; report = report->next, color++) {
        snprintf(text, sizeof text, "%.90s, %.90s", report->topology, report->routing);
        report_draw_color(draw, REPORT_NO_COLOR, *color);
        report_draw_line(draw, at, (struct report_point){at.x + 240, at.y}, LINE);
        report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
        report_draw_text(draw, (struct report_point){at.x + 320, at.y}, TEXT_SIZE, REPORT_START, text);
        at.y += KEY_LINE;
    }
}

/* The paper of one network, or with a line more for each of several. */
static int32_t height_for(const struct report_traffic *report)
{
    int32_t height = HEIGHT;

    for (; report->next != NULL; report = report->next)
        height += KEY_LINE;
    return height;
}

/* The title says what was simulated; the method is in the text and the JSON. Both panels have one scale across. */
int report_traffic_svg(const struct report_traffic *report, FILE *stream, struct base_error *error)
{
    struct report_svg svg;
    struct report_point size = {WIDTH, height_for(report)};
    bool several = report->next != NULL;
    char title[200];

    if (several)
        snprintf(title, sizeof title, "%s, several networks", report->pattern);
    else
        snprintf(title, sizeof title, "%s, %s, %s", report->topology, report->routing, report->pattern);
    struct report_draw *draw = report_svg_begin(&svg, stream, size, title);
    const struct panel above = {draw, FIRST_TOP, most_of_all(report, load_most),
                                most_of_all(report, several ? mean_most : latency_most)};
    const struct panel below = {draw, SECOND_TOP, above.x_most, most_of_all(report, throughput_most)};
    report_draw_color(draw, REPORT_PAPER, REPORT_NO_COLOR);
    report_draw_box(draw, (struct report_point){0, 0}, size, 0);
    report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(draw, (struct report_point){LEFT, 320}, TITLE_SIZE, REPORT_START, title);
    (several ? put_latencies_of_all : put_latencies)(&above, report);
    put_throughput(&below, report);
    if (several)
        put_keys(draw, report);
    return report_svg_end(&svg, error);
}
