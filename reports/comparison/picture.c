/* The slowdowns of a comparison as dots, trace by trace, best configuration first:
 *
 *      [1] cg.A.64/traces.otf2
 *      king-mesh:8x8 with hop-by-hop-2s        1.42 ± 0.01
 *      |▒▒▒▒▒▓▓▓▓--o--
 *      mesh:8x8                                1.73 ± 0.02
 *      |▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓▓▓-o-
 *      1.0      1.2      1.4      1.6          slowdown; 1 is the ideal network
 *
 * The line through a dot is the interval of its mean. A trace has an axis of its own, since what is compared are the
 * configurations on it. The axis begins at the ideal network, 1, where bars show what each effect adds; where all
 * configurations are far from it and close to each other, it begins near them, and there are no bars. */
#include "reports/comparison/picture.h"

#include <inttypes.h>
#include <math.h>

#include "reports/drawing/chart.h"
#include "reports/pages/clean.h"
#include "reports/comparison/internal.h"
#include "reports/comparison/reasons.h"
#include "reports/run/picture.h"

#define WIDTH_LEAST 5600 /* narrow, so that texts can still be read where a telephone scales it down */
#define VALUE 1700       /* the room of a slowdown, right of the name */
#define NAME_WIDE 140    /* characters of a name */
#define ROW 440          /* a name, and below it the dot */
#define TRACK 170        /* from the name down to the dot, which is nearer to it than to the next name */
#define BAR 90
#define DOT 130
#define GROUP 380 /* the name of a trace */
#define AXIS 620  /* below the rows of a trace */
#define ROWS_MOST 400
#define CLOSE 8 /* so many times closer to each other than to the ideal: the axis begins near them */

/* Of one trace: where values are on paper. */
struct panel {
    struct report_draw *draw;
    const struct report_comparison *comparison;
    uint32_t trace;
    struct report_axis axis; /* of slowdowns */
    bool has_ideal;          /* 1 is on the axis */
};

/* More than that is no picture any more; those that are left out are the slowest. */
static uint32_t shown(uint32_t count, uint32_t traces)
{
    uint32_t most = ROWS_MOST / (traces == 0 ? 1 : traces);
    return count < most ? count : most;
}

/* As wide as the longest name and a value need. In characters, since the viewer chooses the font. */
static int32_t width_of(const struct report_comparison *comparison, const uint32_t *order, uint32_t rows)
{
    int32_t width = WIDTH_LEAST;

    for (uint32_t i = 0; i < rows; i++) {
        const char *name = comparison->configurations[order[i]].name;
        int32_t characters = 0;
        while (characters < NAME_WIDE && name[report_clean_cut(name, (unsigned)characters)] != '\0')
            characters++;
        int32_t needed = 2 * REPORT_CHART_MARGIN + characters * REPORT_CHART_TEXT * 3 / 5 + VALUE;
        width = needed > width ? needed : width;
    }
    return width;
}

/* From the least end of an interval to the most, and to 1 unless that is far away; some air at the ends. */
static void set_axis(struct panel *panel, const uint32_t *order, uint32_t rows)
{
    double least = INFINITY, most = -INFINITY;

    for (uint32_t i = 0; i < rows; i++) {
        struct report_estimate slowdown = report_cell_slowdown(panel->comparison, panel->trace, order[i]);
        bool is_wide = isfinite(slowdown.low) && isfinite(slowdown.high);
        if (!isfinite(slowdown.value))
            continue;
        least = fmin(least, is_wide ? slowdown.low : slowdown.value);
        most = fmax(most, is_wide ? slowdown.high : slowdown.value);
    }
    if (!(most >= least)) /* none of the trace is known: the rows say so */
        least = most = 1;
    double reach = fmax(most, 1) - fmin(least, 1), range = most - least;
    panel->has_ideal = range == 0 || range * CLOSE >= reach;
    if (panel->has_ideal) {
        least = fmin(least, 1);
        most = fmax(most, 1);
    }
    if (!(most > least)) /* all are as fast as the ideal network */
        most = least + 0.001;
    double air = (most - least) * 0.04;
    panel->axis.most = most + air;
    panel->axis.least = panel->has_ideal && least >= 1 ? 1 : least - air;
}

/* A part of a bar, between two slowdowns. */
static void draw_box(const struct panel *panel, double from, double to, int32_t y, report_color color)
{
    int32_t left = report_axis_place(&panel->axis, from), right = report_axis_place(&panel->axis, to);

    /* Too short to be seen; the table says more. */
    if (right <= left)
        return;
    report_draw_color(panel->draw, color, REPORT_NO_COLOR);
    report_draw_box(panel->draw, (struct report_point){left, y - BAR / 2},
                    (struct report_point){right - left, BAR}, 0);
}

/* An effect that saves time cannot be stacked: it shortens what the others add, from the first on. */
static void draw_effects(const struct panel *panel, uint32_t configuration, int32_t y)
{
    double at = 1, saved = 0;

    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        saved -= fmin(report_comparison_share(panel->comparison, panel->trace, configuration, effect), 0);
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++) {
        double added =
            fmax(report_comparison_share(panel->comparison, panel->trace, configuration, effect), 0);
        double used = fmin(added, saved);
        saved -= used;
        draw_box(panel, at, at + added - used, y, report_effect_color(effect));
        at += added - used;
    }
}

/* A line with two short ones across its ends; on a seam of paper, so that it is seen on dark bars, too. Twice over
 * itself, wide in the colour of paper and narrow in ink. */
static void draw_whisker(const struct panel *panel, struct report_estimate estimate, int32_t y)
{
    static const struct {
        report_color color;
        int32_t width;
    } layers[] = {{REPORT_PAPER, 40}, {REPORT_INK, 16}};
    int32_t low = report_axis_place(&panel->axis, estimate.low);
    int32_t high = report_axis_place(&panel->axis, estimate.high);
    const int32_t ends[] = {low, high};

    for (unsigned layer = 0; layer < 2; layer++) {
        report_draw_color(panel->draw, REPORT_NO_COLOR, layers[layer].color);
        report_draw_line(panel->draw, (struct report_point){low, y}, (struct report_point){high, y},
                         layers[layer].width);
        for (unsigned i = 0; i < 2; i++)
            report_draw_line(panel->draw, (struct report_point){ends[i], y - 50},
                             (struct report_point){ends[i], y + 50}, layers[layer].width);
    }
}

/* The interval below the dot, and the dot on a seam of paper. */
static void draw_dot(const struct panel *panel, struct report_estimate slowdown, int32_t y)
{
    const struct report_point middle = {report_axis_place(&panel->axis, slowdown.value), y};

    if (isfinite(slowdown.low) && slowdown.high > slowdown.low)
        draw_whisker(panel, slowdown, y);
    report_draw_color(panel->draw, REPORT_INK, REPORT_PAPER);
    report_draw_dot(panel->draw, middle, DOT);
}

/* "mesh:8x8: 1.73 ± 0.02", and the ends of the interval in all digits that the axis may show. */
static void write_note(const char *name, struct report_estimate slowdown, const char *value, char *note,
                       size_t size)
{
    size_t used = (size_t)snprintf(note, size, "%.120s: %s", name, value);

    if (isfinite(slowdown.low) && slowdown.high > slowdown.low && used < size)
        snprintf(note + used, size - used, "; mean %.6f, from %.6f to %.6f with 95 %% confidence",
                 slowdown.value, slowdown.low, slowdown.high);
}

/* A configuration on a trace: its name and its slowdown, and below them its dot. Words in place of a slowdown that is
 * not known: an empty row would look like one that was forgotten. */
static void draw_row(const struct panel *panel, uint32_t configuration, int32_t y)
{
    struct report_estimate slowdown = report_cell_slowdown(panel->comparison, panel->trace, configuration);
    const char *name = panel->comparison->configurations[configuration].name;
    int32_t left = panel->axis.from, right = panel->axis.to;
    char value[REPORT_ESTIMATE_TEXT], note[320];

    if (isfinite(slowdown.value))
        report_estimate_text(slowdown, value);
    else
        snprintf(value, sizeof value, "%s",
                 report_cell_is_done(panel->comparison, panel->trace, configuration)
                     ? "the ideal network takes no time"
                     : report_gap_text(panel->comparison, panel->trace, configuration));
    write_note(name, slowdown, value, note, sizeof note);
    report_draw_note(panel->draw, note);
    report_chart_name(panel->draw, (struct report_point){left, y}, REPORT_START, name, NAME_WIDE);
    report_chart_name(panel->draw, (struct report_point){right, y}, REPORT_END, value, NAME_WIDE);
    if (isfinite(slowdown.value)) {
        report_draw_color(panel->draw, REPORT_NO_COLOR, REPORT_GRID);
        report_draw_line(panel->draw, (struct report_point){left, y + TRACK},
                         (struct report_point){right, y + TRACK}, 10);
        if (panel->has_ideal &&
            isfinite(report_comparison_share(panel->comparison, panel->trace, configuration, 1)))
            draw_effects(panel, configuration, y + TRACK);
        draw_dot(panel, slowdown, y + TRACK);
    }
    report_draw_note(panel->draw, NULL);
}

/* A key of colours that no bar has would be read as effects of no size. */
static void draw_keys(struct report_draw *draw, const struct report_comparison *comparison, int32_t right)
{
    struct report_point point = {REPORT_CHART_MARGIN, REPORT_CHART_HEAD};

    if (!report_comparison_is_explained(comparison))
        return;
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        if (report_comparison_shows(comparison, effect))
            report_chart_add_key(draw, &point, right, report_effect_color(effect),
                                 report_effect_label(effect));
}

/* The height of draw_keys: six names of effects need two lines of the narrowest paper. */
static int32_t keys_of(const struct report_comparison *comparison)
{
    return report_comparison_is_explained(comparison) ? 2 * REPORT_CHART_LINE : 0;
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

/* One dot is enough. */
bool report_comparison_can_be_drawn(const struct report_comparison *comparison)
{
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            if (isfinite(report_cell_slowdown(comparison, trace, i).value))
                return true;
    return false;
}

/* A trace: its name, its rows, and below them its axis, whose grid lies behind the rows. */
static void draw_panel(struct panel *panel, const uint32_t *order, uint32_t rows, int32_t top)
{
    int32_t first = top + GROUP, low = first + (int32_t)rows * ROW;
    char name[256];
    int bytes;
    const char *trace = report_trace_name(panel->comparison->traces[panel->trace], &bytes);

    set_axis(panel, order, rows);
    snprintf(name, sizeof name, "[%" PRIu32 "] %.*s", panel->trace + 1, bytes < 200 ? bytes : 200, trace);
    report_chart_name(panel->draw, (struct report_point){panel->axis.from, top + 120}, REPORT_START, name,
                      (unsigned)((panel->axis.to - panel->axis.from) / (REPORT_CHART_TEXT * 3 / 5)));
    report_axis_draw_x(panel->draw, &panel->axis, low, first - 160,
                       panel->has_ideal ? "slowdown; 1 is the ideal network"
                                        : "slowdown; the ideal network, 1, is left of the axis");
    for (uint32_t i = 0; i < rows; i++)
        draw_row(panel, order[i], first + (int32_t)i * ROW);
}

/* The paper is as high as there are rows. Lengths are in tenths of a pixel. */
int report_comparison_svg(const struct report_comparison *comparison, const uint32_t *order, FILE *stream,
                          struct base_error *error)
{
    uint32_t rows = shown(comparison->configuration_count, comparison->trace_count);
    const int32_t width = width_of(comparison, order, rows), group = GROUP + (int32_t)rows * ROW + AXIS;
    int32_t top = REPORT_CHART_HEAD + keys_of(comparison);
    const struct report_point size = {width, top + (int32_t)comparison->trace_count * group};
    struct panel panel = {.comparison = comparison,
                          .axis = {REPORT_CHART_MARGIN, width - REPORT_CHART_MARGIN, 1, 1}};
    struct report_chart chart;
    char subtitle[160];

    write_subtitle(comparison, rows, subtitle, sizeof subtitle);
    panel.draw =
        report_chart_begin(&chart, stream, size, "What each configuration adds to the ideal time", subtitle);
    draw_keys(panel.draw, comparison, width - REPORT_CHART_MARGIN);
    for (; panel.trace < comparison->trace_count; panel.trace++, top += group)
        draw_panel(&panel, order, rows, top);
    return report_chart_end(&chart, error);
}
