/* The simulated time on each network of the attribution's ladder, from the ideal one to the one configured:
 * each bar is longer than the one above by what one effect adds. */
#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/run/picture.h"

#define WIDTH 7000
#define LEFT 1900
#define RIGHT (WIDTH - 1500) /* where the longest bar ends; the number stands behind it */
#define ROW 300
#define BAR 200

/* Without the ladder there are its two ends. */
static uint32_t bars_of(const struct report_run *run, uint64_t times_ns[REPORT_RUNGS])
{
    if (run->attribution == NULL) {
        times_ns[0] = run->ideal_ns;
        times_ns[1] = run->simulated_ns;
        return 2;
    }
    for (uint32_t rung = 0; rung < REPORT_RUNGS; rung++)
        times_ns[rung] = run->attribution->simulated_ns[rung];
    return REPORT_RUNGS;
}

/* A network is named by the effect that it has and the one above has not: what it costs is the difference of
 * the two bars. */
static const char *name_of(const struct report_run *run, uint32_t bar)
{
    if (bar == 0)
        return "ideal network";
    return run->attribution == NULL ? "as configured" : report_effect_label(bar);
}

/* The colours of the attribution, so that both pictures are read with one key. */
static report_color color_of(const struct report_run *run, uint32_t bar)
{
    if (bar == 0)
        return REPORT_GREY;
    return run->attribution == NULL ? REPORT_BLUE : report_effect_color(bar);
}

/* The length in grey up to the bar above, and in the effect's colour what it adds: so one sees both. An
 * effect that makes the program faster shortens the bar. */
static void draw_bar(struct report_draw *draw, const struct report_axis *axis, const struct report_run *run,
                     const uint64_t *times_ns, uint32_t bar, int32_t y)
{
    uint64_t before = bar == 0 || times_ns[bar - 1] > times_ns[bar] ? times_ns[bar] : times_ns[bar - 1];
    int32_t zero = report_axis_place(axis, 0);
    int32_t middle = report_axis_place(axis, (double)before);
    int32_t end = report_axis_place(axis, (double)times_ns[bar]);
    char text[64], time[BASE_UNITS_TEXT];

    report_chart_name(draw, (struct report_point){LEFT - 100, y + BAR / 2}, REPORT_END, name_of(run, bar),
                      22);
    report_draw_color(draw, REPORT_GREY, REPORT_NO_COLOR);
    report_draw_box(draw, (struct report_point){zero, y}, (struct report_point){middle - zero, BAR}, 0);
    report_draw_color(draw, color_of(run, bar), REPORT_NO_COLOR);
    if (end > middle)
        report_draw_box(draw, (struct report_point){middle, y}, (struct report_point){end - middle, BAR}, 0);
    base_format_ns(times_ns[bar], time);
    if (run->ideal_ns > 0)
        snprintf(text, sizeof text, "%.3f (%s)", (double)times_ns[bar] / (double)run->ideal_ns, time);
    else if (run->simulated_ns > 0)
        snprintf(text, sizeof text, "%.1f %% (%s)", 100 * (double)times_ns[bar] / (double)run->simulated_ns,
                 time);
    else
        snprintf(text, sizeof text, "%s", time);
    report_chart_label(draw, (struct report_point){end + 80, y + BAR / 2}, REPORT_START, text);
}

/* An interrupted run ends where the signal came: its time says nothing of the program's. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->is_partial)
        return base_error_set(error, BASE_USAGE, "an interrupted run has no slowdown to draw");
    return 0;
}

/* The axis begins at zero: the lengths of two bars are then as their times are. Differences that are too
 * small to be seen that way stand as numbers behind the bars. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct report_run *run = view->run;
    uint64_t times_ns[REPORT_RUNGS];
    uint32_t bars = bars_of(run, times_ns);
    int32_t low = REPORT_CHART_HEAD + (int32_t)bars * ROW;
    struct report_axis axis = {LEFT, RIGHT, 0, 1};
    struct report_chart chart;
    struct report_draw *on;

    for (uint32_t bar = 0; bar < bars; bar++)
        if ((double)times_ns[bar] > axis.most)
            axis.most = (double)times_ns[bar];
    on = report_chart_begin(
        &chart, stream, (struct report_point){WIDTH, low + 500},
        run->ideal_ns > 0 ? "Slowdown, effect by effect" : "Simulated time, effect by effect",
        run->ideal_ns > 0
            ? "simulated time by the ideal one; each network has one effect more than the one above"
            : "shares of the simulated time, since nothing is computed; each network has one effect "
              "more than the one above");
    double ns;
    char title[64];
    snprintf(title, sizeof title, "simulated time (%s)", report_chart_time_unit(axis.most, &ns));
    const struct report_axis shown = {LEFT, RIGHT, 0, axis.most / ns};
    report_axis_draw_x(on, &shown, low, REPORT_CHART_HEAD - 60, title);
    for (uint32_t bar = 0; bar < bars; bar++)
        draw_bar(on, &axis, run, times_ns, bar, REPORT_CHART_HEAD + (int32_t)bar * ROW);
    return report_chart_end(&chart, error);
}

const struct report_run_picture report_run_picture_slowdown = {
    "slowdown", "the simulated time on networks from the ideal one to the one configured", check, draw,
    false};
