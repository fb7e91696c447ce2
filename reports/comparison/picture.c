/* The slowdowns of a comparison as bars, trace by trace, best configuration first:
 *
 *      [1] cg.A.64/traces.otf2
 *      king-mesh:8x8 with hop-by-hop-2s   ████████▒▒▓|—|        1.42 ± 0.01
 *      mesh:8x8                           ████████▒▒▒▒▓▓▓▓|-|   1.73 ± 0.02
 *                                         0       1       slowdown (ratio)
 *
 * A bar is 1, the ideal time, and what each effect adds to it, where runs were attributed; the whisker is the
 * interval of its mean. All traces have one scale, so that they can be compared as well. */
#include "reports/comparison/picture.h"

#include <inttypes.h>
#include <math.h>

#include "reports/drawing/chart.h"
#include "reports/pages/clean.h"
#include "reports/comparison/internal.h"
#include "reports/comparison/reasons.h"
#include "reports/run/picture.h"

#define WIDTH 9600
#define LEFT 3500
#define RIGHT (WIDTH - 1500)
#define NAME_MOST 44  /* characters, left of LEFT */
#define NAME_WIDE 140 /* on a line of its own, above the bar */
#define ROW 240
#define BAR 170
#define GROUP 420 /* above the bars of a trace: its name */
#define ROWS_MOST 400

/* Where names are: before the bars, or, when one is too long for that, each above its bar, so that none is
 * cut. */
struct layout {
    bool above;   /* names are above their bars */
    int32_t left; /* where bars begin */
    int32_t row;  /* from one bar to the next */
};

/* One layout for the whole picture, so that bars can be compared. */
static struct layout layout_of(const struct report_comparison *comparison, const uint32_t *order,
                               uint32_t rows)
{
    for (uint32_t i = 0; i < rows; i++) {
        const char *name = comparison->configurations[order[i]].name;
        if (name[report_clean_cut(name, NAME_MOST)] != '\0')
            return (struct layout){true, REPORT_CHART_MARGIN, 2 * ROW};
    }
    return (struct layout){false, LEFT, ROW};
}

/* More than that is no picture any more; those that are left out are the slowest. */
static uint32_t shown(uint32_t count, uint32_t traces)
{
    uint32_t most = ROWS_MOST / (traces == 0 ? 1 : traces);
    return count < most ? count : most;
}

/* The longest bar, with the end of its whisker. */
static double most_of(const struct report_comparison *comparison, const uint32_t *order, uint32_t rows)
{
    double most = 1;

    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < rows; i++) {
            struct report_estimate slowdown = report_cell_slowdown(comparison, trace, order[i]);
            double end = isfinite(slowdown.high) ? slowdown.high : slowdown.value;
            most = isfinite(end) && end > most ? end : most;
        }
    return most;
}

/* A part of a bar, between two slowdowns. */
static void draw_box(struct report_draw *draw, const struct report_axis *axis, double from, double to,
                     int32_t y, report_color color)
{
    int32_t left = report_axis_place(axis, from), right = report_axis_place(axis, to);

    /* Too short to be seen; the number behind the bar says more. */
    if (right <= left)
        return;
    report_draw_color(draw, color, REPORT_NO_COLOR);
    report_draw_box(draw, (struct report_point){left, y}, (struct report_point){right - left, BAR}, 0);
}

/* An effect that saves time cannot be stacked: it shortens what the others add, from the first on. */
static void draw_effects(struct report_draw *draw, const struct report_axis *axis,
                         const struct report_comparison *comparison, uint32_t trace, uint32_t configuration,
                         int32_t y)
{
    double at = 1, saved = 0;

    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        saved -= fmin(report_comparison_share(comparison, trace, configuration, effect), 0);
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++) {
        double added = fmax(report_comparison_share(comparison, trace, configuration, effect), 0);
        double used = fmin(added, saved);
        saved -= used;
        draw_box(draw, axis, at, at + added - used, y, report_effect_color(effect));
        at += added - used;
    }
}

/* A line with two short ones across its ends; on a seam of paper, so that it is seen on dark bars, too. Twice over
 * itself, wide in the colour of paper and narrow in ink. */
static void draw_whisker(struct report_draw *draw, const struct report_axis *axis,
                         struct report_estimate estimate, int32_t y)
{
    static const struct {
        report_color color;
        int32_t width;
    } layers[] = {{REPORT_PAPER, 40}, {REPORT_INK, 16}};
    int32_t low = report_axis_place(axis, estimate.low), high = report_axis_place(axis, estimate.high);
    const int32_t ends[] = {low, high};

    for (unsigned layer = 0; layer < 2; layer++) {
        report_draw_color(draw, REPORT_NO_COLOR, layers[layer].color);
        report_draw_line(draw, (struct report_point){low, y}, (struct report_point){high, y},
                         layers[layer].width);
        for (unsigned i = 0; i < 2; i++)
            report_draw_line(draw, (struct report_point){ends[i], y - 50},
                             (struct report_point){ends[i], y + 50}, layers[layer].width);
    }
}

/* A configuration on a trace: its name, its bar, and its slowdown behind the whisker, where nothing covers
 * it. Grey is the ideal time, which is 1 by definition; the effects follow it in the order of the attribution. */
static void draw_bar(struct report_draw *draw, const struct report_axis *axis, const struct layout *layout,
                     const struct report_comparison *comparison, uint32_t trace, uint32_t configuration,
                     int32_t y)
{
    struct report_estimate slowdown = report_cell_slowdown(comparison, trace, configuration);
    char text[REPORT_ESTIMATE_TEXT];
    double end = isfinite(slowdown.value) ? slowdown.value : 0;
    bool has_interval = isfinite(slowdown.low) && slowdown.high > slowdown.low;

    /* Words in place of a bar: an empty row would look like a slowdown of nothing. */
    snprintf(text, sizeof text, "%s",
             report_cell_is_done(comparison, trace, configuration)
                 ? "the ideal network takes no time"
                 : report_gap_text(comparison, trace, configuration));
    if (layout->above)
        report_chart_name(draw, (struct report_point){layout->left, y - ROW / 2 + 20}, REPORT_START,
                          comparison->configurations[configuration].name, NAME_WIDE);
    else
        report_chart_name(draw, (struct report_point){layout->left - 100, y + BAR / 2}, REPORT_END,
                          comparison->configurations[configuration].name, NAME_MOST);
    if (isfinite(slowdown.value)) {
        bool explained = isfinite(report_comparison_share(comparison, trace, configuration, 1));
        /* Where all effects together save time, the bar ends before the ideal time. */
        draw_box(draw, axis, 0, explained ? fmin(1, slowdown.value) : slowdown.value, y,
                 explained ? REPORT_GREY : REPORT_SKY);
        if (explained)
            draw_effects(draw, axis, comparison, trace, configuration, y);
        if (has_interval)
            draw_whisker(draw, axis, slowdown, y + BAR / 2);
        report_estimate_text(slowdown, text);
    }
    end = has_interval ? slowdown.high : end;
    report_chart_label(draw, (struct report_point){report_axis_place(axis, end) + 80, y + BAR / 2},
                       REPORT_START, text);
}

/* A key of colours that no bar has would be read as effects of no size. */
static void draw_keys(struct report_draw *draw, const struct report_comparison *comparison)
{
    struct report_point point = {REPORT_CHART_MARGIN, REPORT_CHART_HEAD};

    if (!report_comparison_is_explained(comparison)) /* one colour, of which the subtitle tells */
        return;
    point.x = report_chart_key(draw, point, REPORT_GREY, "ideal network");
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        if (report_comparison_shows(comparison, effect))
            point.x = report_chart_key(draw, point, report_effect_color(effect), report_effect_label(effect));
}

/* Where nothing is drawn by chance there are no whiskers. */
static bool has_chance(const struct report_comparison *comparison)
{
    for (uint32_t i = 0; i < comparison->configuration_count; i++)
        if (!comparison->configurations[i].exact)
            return true;
    return false;
}

/* What the picture is of, and what it does not show. */
static void write_subtitle(const struct report_comparison *comparison, uint32_t rows, char *text, size_t size)
{
    int length = snprintf(text, size, "simulated by ideal time");

    if (comparison->seeds > 1 && has_chance(comparison))
        length += snprintf(text + length, size - (size_t)length,
                           "; whiskers: 95 %% confidence of the mean over the seeds");
    if (rows < comparison->configuration_count)
        snprintf(text + length, size - (size_t)length, "; without the slowest %" PRIu32,
                 comparison->configuration_count - rows);
}

/* One bar is enough. */
bool report_comparison_can_be_drawn(const struct report_comparison *comparison)
{
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            if (isfinite(report_cell_slowdown(comparison, trace, i).value))
                return true;
    return false;
}

/* The paper is as high as there are bars; all of them stand on one axis. Lengths are in tenths of a pixel. */
int report_comparison_svg(const struct report_comparison *comparison, const uint32_t *order, FILE *stream,
                          struct base_error *error)
{
    uint32_t rows = shown(comparison->configuration_count, comparison->trace_count);
    const struct layout layout = layout_of(comparison, order, rows);
    const int32_t group = GROUP + (int32_t)rows * layout.row;
    const int32_t first = GROUP + layout.row - ROW; /* from the top of a group to its first bar */
    int32_t top = REPORT_CHART_HEAD + 300, low = top + (int32_t)comparison->trace_count * group;
    const struct report_axis axis = {layout.left, RIGHT, 0, most_of(comparison, order, rows)};
    struct report_chart chart;
    struct report_draw *draw;
    char subtitle[160];

    write_subtitle(comparison, rows, subtitle, sizeof subtitle);
    draw = report_chart_begin(&chart, stream, (struct report_point){WIDTH, low + 500},
                              "Slowdown of each configuration", subtitle);
    draw_keys(draw, comparison);
    report_axis_draw_x(draw, &axis, low, top, "slowdown (simulated time by ideal time)");
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++, top += group) {
        char name[256];
        snprintf(name, sizeof name, "[%" PRIu32 "] %.200s", trace + 1, comparison->traces[trace]);
        report_chart_name(draw, (struct report_point){REPORT_CHART_MARGIN, top + 220}, REPORT_START, name,
                          100);
        for (uint32_t i = 0; i < rows; i++)
            draw_bar(draw, &axis, &layout, comparison, trace, order[i],
                     top + first + (int32_t)i * layout.row);
    }
    return report_chart_end(&chart, error);
}
