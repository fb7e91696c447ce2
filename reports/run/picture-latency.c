/* The latencies of packets: how many took how long, and below it the share that took no longer. Latencies
 * differ by orders of magnitude, so their axis is logarithmic: each bar is a tenth of a doubling wide or
 * more. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/run/picture.h"

#define WIDTH 7000
#define LEFT 900
#define RIGHT (WIDTH - 300)
#define PANEL 2200
#define FIRST_TOP 1100
#define SECOND_TOP (FIRST_TOP + PANEL + 800)
#define HEIGHT (SECOND_TOP + PANEL + 600)
#define BINS 60

struct bins {
    struct report_axis axis; /* of log2(latency) */
    double share[BINS];      /* of all packets */
    double most;
    uint64_t packets;
};

/* An ideal network delivers without packets, and a program may send nothing at all. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->latency_count == 0)
        return base_error_set(error, BASE_USAGE,
                              "no packet crossed the network: there are no latencies to draw");
    return 0;
}

/* A latency of 0 (there is none but on an ideal network) counts as 1. */
static double logarithm(uint64_t latency_cycles)
{
    return latency_cycles < 2 ? 0 : log2((double)latency_cycles);
}

/* The axis has whole doublings at both ends. */
static struct bins bins_of(const struct report_run *run)
{
    const struct report_latency *rows = run->latencies;
    struct bins bins = {.axis = {LEFT, RIGHT, floor(logarithm(rows[0].latency_cycles)),
                                 floor(logarithm(rows[run->latency_count - 1].latency_cycles)) + 1}};

    for (uint32_t i = 0; i < run->latency_count; i++)
        bins.packets += rows[i].packets;
    for (uint32_t i = 0; i < run->latency_count; i++) {
        double at =
            (logarithm(rows[i].latency_cycles) - bins.axis.least) / (bins.axis.most - bins.axis.least);
        uint32_t bin = (uint32_t)(at * BINS);
        bins.share[bin < BINS ? bin : BINS - 1] += (double)rows[i].packets / (double)bins.packets;
    }
    for (uint32_t i = 0; i < BINS; i++)
        bins.most = bins.share[i] > bins.most ? bins.share[i] : bins.most;
    return bins;
}

/* A line at every power of two, or at every so many that the longest number has room. */
static void draw_cycles(struct report_draw *draw, const struct report_axis *axis, int32_t low, int32_t high)
{
    uint32_t doublings = (uint32_t)(axis->most - axis->least), each = 1;
    char longest[BASE_UNITS_TEXT];

    base_format_count(UINT64_C(1) << (uint32_t)axis->most % 64, longest);
    int32_t room = report_draw_text_width(draw, REPORT_CHART_TEXT, longest) + REPORT_CHART_TEXT;
    while (each < doublings &&
           report_axis_place(axis, axis->least + each) - report_axis_place(axis, axis->least) < room)
        each++;
    for (uint32_t i = 0; i <= doublings; i += each) {
        char number[BASE_UNITS_TEXT];
        int32_t x = report_axis_place(axis, axis->least + i);
        base_format_count(UINT64_C(1) << ((uint32_t)axis->least + i) % 64, number);
        report_draw_color(draw, REPORT_NO_COLOR, REPORT_GRID);
        report_draw_line(draw, (struct report_point){x, low}, (struct report_point){x, high}, 10);
        report_chart_label(draw, (struct report_point){x, low + 140}, REPORT_MIDDLE, number);
    }
    report_chart_label(draw, (struct report_point){axis->to, low + 340}, REPORT_END,
                       "latency (cycles, on a logarithmic scale)");
}

/* Bars are as wide as their bins but for a pixel, so that neighbours are told apart. The scale is that of the
 * highest bar: how the packets are distributed, and not how many they are, is what it shows. */
static void draw_histogram(struct report_draw *draw, const struct bins *bins)
{
    const struct report_axis y = {FIRST_TOP + PANEL, FIRST_TOP, 0, bins->most};
    const struct report_axis percent = {FIRST_TOP + PANEL, FIRST_TOP, 0, 100 * bins->most};
    const struct report_axis bin = {LEFT, RIGHT, 0, BINS};

    report_axis_draw_y(draw, &percent, LEFT, RIGHT, "share of the packets (%)");
    draw_cycles(draw, &bins->axis, FIRST_TOP + PANEL, FIRST_TOP);
    report_draw_color(draw, REPORT_BLUE, REPORT_NO_COLOR);
    for (uint32_t i = 0; i < BINS; i++) {
        int32_t left = report_axis_place(&bin, i);
        int32_t right = report_axis_place(&bin, i + 1.0);
        int32_t top = report_axis_place(&y, bins->share[i]);
        if (top < y.from)
            report_draw_box(draw, (struct report_point){left, top},
                            (struct report_point){right - left - 10, y.from - top}, 0);
    }
}

/* Steps from bar to bar: what is exact at the bars' ends is a straight line between them. */
static void draw_distribution(struct report_draw *draw, const struct bins *bins)
{
    const struct report_axis y = {SECOND_TOP + PANEL, SECOND_TOP, 0, 100};
    const struct report_axis bin = {LEFT, RIGHT, 0, BINS};
    struct report_point points[BINS + 1];
    double sum = 0;

    report_axis_draw_y(draw, &y, LEFT, RIGHT, "packets that took at most as long (%)");
    draw_cycles(draw, &bins->axis, SECOND_TOP + PANEL, SECOND_TOP);
    for (uint32_t i = 0; i <= BINS; i++) {
        points[i] = (struct report_point){report_axis_place(&bin, i), report_axis_place(&y, 100 * sum)};
        sum += i < BINS ? bins->share[i] : 0;
    }
    report_draw_color(draw, REPORT_NO_COLOR, REPORT_VERMILION);
    draw->line(draw, points, BINS + 1, 24);
}

/* Both panels have the same horizontal axis, and so the same bins: the lower one is the running sum of the upper. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct report_run *run = view->run;
    struct bins bins = bins_of(run);
    struct report_chart chart;
    char subtitle[160], packets[BASE_UNITS_TEXT], p50[BASE_UNITS_TEXT], p99[BASE_UNITS_TEXT];
    char most[BASE_UNITS_TEXT];

    snprintf(
        subtitle, sizeof subtitle, "of %s packets: half within %s cycles, 99 %% within %s, all within %s",
        base_format_count(bins.packets, packets), base_format_count(run->p50_latency_cycles, p50),
        base_format_count(run->p99_latency_cycles, p99), base_format_count(run->max_latency_cycles, most));
    struct report_draw *on =
        report_chart_begin(&chart, stream, (struct report_point){WIDTH, HEIGHT}, "Packet latency", subtitle);
    draw_histogram(on, &bins);
    draw_distribution(on, &bins);
    return report_chart_end(&chart, error);
}

const struct report_run_picture report_run_picture_latency = {
    .name = "latency",
    .summary =
        "how long packets took, from the injection of their message to the ejection of their last flit",
    .check = check,
    .draw = draw,
};
