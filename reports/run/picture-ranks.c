/* Where the time of each rank goes: a column a rank, or an average of several where there are many. */
#include <inttypes.h>
#include <string.h>

#include "reports/drawing/chart.h"
#include "reports/run/picture.h"

#define WIDTH 8400
#define LEFT 900
#define RIGHT (WIDTH - 300)
#define TOP 1400
#define PANEL 2600
#define COLUMNS_MOST 128
#define PARTS 4

/* The parts of a rank's time, from the bottom to the top. */
static const struct {
    const char *name;
    report_color color;
} parts[PARTS] = {{"computing", REPORT_GREEN},
                  {"waiting for other ranks", REPORT_SKY},
                  {"waiting for the network", REPORT_VERMILION},
                  {"ended before the others", REPORT_GREY}};

/* Columns are shares of the simulated time, which must have passed for every rank. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->is_partial)
        return base_error_set(error, BASE_USAGE, "the ranks of an interrupted run have not ended");
    if (view->run->ranks == 0 || view->run->simulated_ns == 0)
        return base_error_set(error, BASE_USAGE, "this run takes no time: there is nothing to draw");
    return 0;
}

/* Adds the parts of one rank, in nanoseconds. A rank that waits less than on an ideal network, which happens
 * when others come later to it, waits for other ranks only. */
static void add_rank(const struct report_run *run, uint32_t rank, double sums[PARTS])
{
    const struct report_rank *row = &run->rank[rank];
    uint64_t peers = row->ideal_wait_ns < row->wait_ns ? row->ideal_wait_ns : row->wait_ns;

    sums[0] += (double)row->compute_ns;
    sums[1] += (double)peers;
    sums[2] += (double)(row->wait_ns - peers);
    sums[3] += (double)run->simulated_ns - (double)row->finish_ns;
}

/* From the bottom to the top in the order of `parts`; the gap between columns shrinks with them. */
static void draw_column(struct report_draw *draw, const struct report_axis *y, const struct report_axis *x,
                        const struct report_run *run, uint32_t first, uint32_t end)
{
    int32_t left = report_axis_place(x, first), right = report_axis_place(x, end), gap = (right - left) / 8;
    double sums[PARTS] = {0};
    double from = 0;

    for (uint32_t rank = first; rank < end; rank++)
        add_rank(run, rank, sums);
    for (unsigned part = 0; part < PARTS; part++) {
        double to = from + sums[part] / (end - first);
        int32_t low = report_axis_place(y, from), high = report_axis_place(y, to);
        from = to;
        report_draw_color(draw, parts[part].color, REPORT_NO_COLOR);
        if (high < low)
            report_draw_box(draw, (struct report_point){left, high},
                            (struct report_point){right - left - gap, low - high}, 0);
    }
}

/* In the order of the parts, from the bottom of a column to its top. */
static void draw_keys(struct report_draw *draw)
{
    struct report_point point = {REPORT_CHART_MARGIN, REPORT_CHART_HEAD};

    for (unsigned part = 0; part < PARTS; part++)
        point.x = report_chart_key(draw, point, parts[part].color, parts[part].name);
}

/* Many ranks are averaged in groups of equal size, so that the picture stays as wide and the file as small. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct report_run *run = view->run;
    uint32_t each = (run->ranks + COLUMNS_MOST - 1) / COLUMNS_MOST;
    const struct report_axis x = {LEFT, RIGHT, 0, run->ranks};
    const struct report_axis y = {TOP + PANEL, TOP, 0, (double)run->simulated_ns};
    struct report_axis time = y;
    struct report_chart chart;
    char subtitle[160] =
        "from the start to the end of the simulated run; for other ranks: as long as on an ideal network";
    char title[64];
    double ns;

    if (each > 1)
        snprintf(subtitle, sizeof subtitle,
                 "from the start to the end of the simulated run; a column is the mean of %" PRIu32 " ranks",
                 each);
    struct report_draw *on =
        report_chart_begin(&chart, stream, (struct report_point){WIDTH, TOP + PANEL + 600},
                           "Where the time of each rank goes", subtitle);
    snprintf(title, sizeof title, "simulated time (%s)", report_chart_time_unit(y.most, &ns));
    time.most /= ns;
    draw_keys(on);
    report_axis_draw_y(on, &time, LEFT, RIGHT, title);
    for (uint32_t first = 0; first < run->ranks; first += each)
        draw_column(on, &y, &x, run, first, first + each < run->ranks ? first + each : run->ranks);
    report_axis_draw_x(on, &x, TOP + PANEL, TOP + PANEL, "rank (number)");
    return report_chart_end(&chart, error);
}

const struct report_run_picture report_run_picture_ranks = {
    .name = "ranks",
    .summary = "what each rank does with its time: computing, waiting for others, waiting for the network",
    .check = check,
    .draw = draw,
};
