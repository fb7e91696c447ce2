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

/* A bar: its network's rung, and the time on it. */
struct bar {
    uint32_t rung;
    uint64_t time_ns;
};

/* Without the ladder there are its two ends. */
static uint32_t bars_of(const struct report_run *run, struct bar bars[REPORT_RUNGS])
{
    uint32_t count = 0;

    if (run->attribution == NULL) {
        bars[0] = (struct bar){0, run->ideal_ns};
        bars[1] = (struct bar){1, run->simulated_ns};
        return 2;
    }
    for (uint32_t rung = 0; rung < REPORT_RUNGS; rung++)
        if (report_effect_applies(run->attribution, rung))
            bars[count++] = (struct bar){rung, run->attribution->simulated_ns[rung]};
    return count;
}

/* A network is named by the effect that it has and the one above has not: what it costs is the difference of
 * the two bars. */
static const char *name_of(const struct report_run *run, uint32_t rung)
{
    if (rung == 0)
        return "ideal network";
    return run->attribution == NULL ? "as configured" : report_effect_label(rung);
}

/* The colours of the attribution, so that both pictures are read with one key. */
static report_color color_of(const struct report_run *run, uint32_t rung)
{
    if (rung == 0)
        return REPORT_GREY;
    return run->attribution == NULL ? REPORT_BLUE : report_effect_color(rung);
}

/* The length in grey up to the bar above, and in the effect's colour what it adds: so one sees both. An
 * effect that makes the program faster shortens the bar. */
static void draw_bar(struct report_draw *draw, const struct report_axis *axis, const struct report_run *run,
                     const struct bar *bar, uint64_t above_ns, int32_t y)
{
    uint64_t before = above_ns > bar->time_ns ? bar->time_ns : above_ns;
    int32_t zero = report_axis_place(axis, 0);
    int32_t middle = report_axis_place(axis, (double)before);
    int32_t end = report_axis_place(axis, (double)bar->time_ns);
    char text[64], time[BASE_UNITS_TEXT];

    report_chart_name(draw, (struct report_point){LEFT - 100, y + BAR / 2}, REPORT_END,
                      name_of(run, bar->rung), 22);
    report_draw_color(draw, REPORT_GREY, REPORT_NO_COLOR);
    report_draw_box(draw, (struct report_point){zero, y}, (struct report_point){middle - zero, BAR}, 0);
    report_draw_color(draw, color_of(run, bar->rung), REPORT_NO_COLOR);
    if (end > middle)
        report_draw_box(draw, (struct report_point){middle, y}, (struct report_point){end - middle, BAR}, 0);
    base_format_ns(bar->time_ns, time);
    if (run->ideal_ns > 0)
        snprintf(text, sizeof text, "%.3f (%s)", (double)bar->time_ns / (double)run->ideal_ns, time);
    else if (run->simulated_ns > 0)
        snprintf(text, sizeof text, "%.1f %% (%s)", 100 * (double)bar->time_ns / (double)run->simulated_ns,
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
    struct bar bars[REPORT_RUNGS];
    uint32_t count = bars_of(run, bars);
    int32_t low = REPORT_CHART_HEAD + (int32_t)count * ROW;
    struct report_axis axis = {LEFT, RIGHT, 0, 1};
    struct report_chart chart;
    struct report_draw *on;

    for (uint32_t i = 0; i < count; i++)
        if ((double)bars[i].time_ns > axis.most)
            axis.most = (double)bars[i].time_ns;
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
    for (uint32_t i = 0; i < count; i++)
        draw_bar(on, &axis, run, &bars[i], bars[i == 0 ? 0 : i - 1].time_ns,
                 REPORT_CHART_HEAD + (int32_t)i * ROW);
    return report_chart_end(&chart, error);
}

const struct report_run_picture report_run_picture_slowdown = {
    "slowdown", "the simulated time on networks from the ideal one to the one configured", check, draw,
    false};
