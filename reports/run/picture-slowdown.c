/* What the network adds to the ideal time, as a waterfall: each effect's bar begins where the one above ends.
 *
 *      ideal network   |                       81.070 ms
 *      distance        |#                      +310 us (+0.4 %)
 *      serialisation    |######                +1.9 ms (+2.3 %)
 *      ...
 *      mesh:8x8        |###############        85.938 ms (1.060)
 *                      0        2        4     added to the ideal time (ms)
 *
 * The axis is of added time. It begins at zero and needs no break, and a slowdown of 5 % fills the paper. */
#include <math.h>

#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/run/picture.h"

#define WIDTH 5600 /* narrow, so that texts can still be read where a telephone scales it down */
#define LEFT 1650
#define RIGHT 3700 /* the values of the rows stand behind it */
#define VALUES (RIGHT + 160)
#define ROW 280
#define BAR 190
#define ROWS_MOST (REPORT_RUNGS + 1)

/* A bar reaches from one time to another, both since the start of the run. */
struct row {
    const char *name;
    uint64_t from_ns, to_ns;
    report_color color;
    bool is_time;  /* its value is a time, and not what is added */
    bool is_whole; /* the last row */
};

/* The ladder from the ideal network to the one configured; without it there are its two ends. Returns how many. */
static uint32_t rows_of(const struct report_run *run, struct row rows[ROWS_MOST])
{
    uint64_t last_ns = run->ideal_ns;
    uint32_t count = 0;

    rows[count++] = (struct row){"ideal network", run->ideal_ns, run->ideal_ns, REPORT_GREY, true, false};
    for (unsigned effect = 1; run->attribution != NULL && effect <= REPORT_EFFECTS; effect++) {
        uint64_t rung_ns = run->attribution->simulated_ns[effect];
        if (report_effect_applies(run->attribution, effect))
            rows[count++] = (struct row){report_effect_label(effect), last_ns, rung_ns,
                                         report_effect_color(effect), false,   false};
        last_ns = rung_ns;
    }
    rows[count++] =
        (struct row){run->topology, run->ideal_ns, run->simulated_ns, REPORT_PALE_INK, true, true};
    return count;
}

/* Negative for what is faster than the ideal network: an anomaly. */
static double added(const struct report_run *run, uint64_t time_ns)
{
    return (double)time_ns - (double)run->ideal_ns;
}

/* "81.070 ms", "85.938 ms (1.060)"; of an effect as in the table: "+1.234 ms (+1.5 %)". */
static void write_value(const struct report_run *run, const struct row *row, char *text, size_t size)
{
    char time[BASE_UNITS_TEXT + 2], share[REPORT_NUMBER_TEXT];
    uint64_t base_ns = report_share_base_ns(run->ideal_ns, run->simulated_ns);
    int64_t cost_ns = (int64_t)(row->to_ns - row->from_ns);

    if (!row->is_time) {
        report_effect_cost_text(cost_ns, time, sizeof time);
        if (base_ns == 0 || cost_ns == 0)
            snprintf(text, size, "%s", time);
        else
            snprintf(text, size, "%s (%s)", time,
                     report_page_share((double)cost_ns / (double)base_ns, share));
        return;
    }
    base_format_ns(row->to_ns, time);
    if (row->is_whole && run->ideal_ns > 0)
        snprintf(text, size, "%s (%.3f)", time, report_run_slowdown(run));
    else
        snprintf(text, size, "%s", time);
}

/* From where the row above ends to where the next begins, and the value behind the axis, in a column of its own. A
 * thin line joins it to the next row, so that the eye finds the sum. */
static void draw_row(struct report_draw *draw, const struct report_axis *axis, const struct report_run *run,
                     const struct row *row, int32_t y)
{
    int32_t from = report_axis_place(axis, added(run, row->from_ns));
    int32_t to = report_axis_place(axis, added(run, row->to_ns));
    char text[96], note[200];

    write_value(run, row, text, sizeof text);
    snprintf(note, sizeof note, "%.80s: %s", row->name, text);
    report_draw_note(draw, note);
    report_draw_color(draw, row->color, REPORT_NO_COLOR);
    if (to != from)
        report_draw_box(draw, (struct report_point){to < from ? to : from, y},
                        (struct report_point){to < from ? from - to : to - from, BAR}, 0);
    report_draw_note(draw, NULL);
    if (!row->is_whole) {
        report_draw_color(draw, REPORT_NO_COLOR, REPORT_PALE_INK);
        report_draw_line(draw, (struct report_point){to, y}, (struct report_point){to, y + ROW + BAR}, 8);
    }
    report_chart_name(draw, (struct report_point){LEFT - 100, y + BAR / 2}, REPORT_END, row->name, 19);
    report_chart_name(draw, (struct report_point){VALUES, y + BAR / 2}, REPORT_START, text, 32);
}

/* An interrupted run ends where the signal came: its time says nothing of the program's. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->is_partial)
        return base_error_set(error, BASE_USAGE, "an interrupted run has no slowdown to draw");
    return 0;
}

/* From the least rung to the most; zero is the ideal network. Where nothing is added there is an axis of a
 * nanosecond. */
static struct report_axis axis_of(const struct report_run *run, const struct row *rows, uint32_t count)
{
    struct report_axis axis = {LEFT, RIGHT, 0, 0};

    for (uint32_t i = 0; i < count; i++) {
        axis.least = fmin(axis.least, added(run, rows[i].to_ns));
        axis.most = fmax(axis.most, added(run, rows[i].to_ns));
    }
    if (!(axis.most > axis.least))
        axis.most = axis.least + 1;
    return axis;
}

/* Names, bars and values of one row stand at one height; the axis lies below all of them. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct report_run *run = view->run;
    struct row rows[ROWS_MOST];
    uint32_t count = rows_of(run, rows);
    int32_t top = REPORT_CHART_HEAD, low = top + (int32_t)count * ROW;
    const struct report_axis axis = axis_of(run, rows, count);
    struct report_axis shown = axis;
    struct report_chart chart;
    struct report_draw *on;
    char title[80];
    double ns;

    on = report_chart_begin(&chart, stream, (struct report_point){WIDTH, low + 460}, "What the network adds",
                            run->ideal_ns > 0 ? "shares of the ideal time; behind the whole: the slowdown"
                                              : "no computing: shares of the simulated time");
    snprintf(title, sizeof title, "added to the ideal time (%s)",
             report_chart_time_unit(fmax(axis.most, -axis.least), &ns));
    shown.least /= ns;
    shown.most /= ns;
    report_axis_draw_x(on, &shown, low, top - 60, title);
    for (uint32_t i = 0; i < count; i++)
        draw_row(on, &axis, run, &rows[i], top + (int32_t)i * ROW);
    return report_chart_end(&chart, error);
}

const struct report_run_picture report_run_picture_slowdown = {
    .name = "slowdown",
    .summary = "what the network adds to the ideal time, effect by effect, and the whole",
    .check = check,
    .draw = draw,
};
