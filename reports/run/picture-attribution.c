/* What each effect of the network adds to the time in MPI calls: of all ranks by call and by the size of the
 * message waited for, and rank by rank. Each row is a stack: what is added lies to the right of zero, what is
 * saved (an anomaly) to the left. */
#include <inttypes.h>
#include <stdlib.h>

#include "reports/drawing/chart.h"
#include "reports/run/picture.h"

#define WIDTH 8400
#define LEFT 2100
#define RIGHT (WIDTH - 400)
#define ROW 240
#define BAR 170
#define REGIONS_MOST 8
#define RANKS_MOST 64
#define RANK_ROW 120
#define SECTION 900 /* between two groups of rows: axis, title of the next */

struct stacks {
    const char *title;
    const struct report_waiting *rows;
    uint32_t count;
    int32_t row, bar; /* heights */
};

/* There is none on an ideal network, nor where it was not asked for: replays on five networks take their time. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->attribution == NULL)
        return base_error_set(error, BASE_USAGE, "this run has no attribution to draw");
    return 0;
}

/* What effect e adds to a row, in nanoseconds; negative when it saves. */
static double cost(const struct report_waiting *row, unsigned effect)
{
    return (double)row->wait_ns[effect] - (double)row->wait_ns[effect - 1];
}

/* From the longest stack of what is saved to the longest of what is added. */
static struct report_axis axis_of(const struct stacks *stacks)
{
    struct report_axis axis = {LEFT, RIGHT, 0, 1};

    for (uint32_t i = 0; i < stacks->count; i++) {
        double added = 0, saved = 0;
        for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
            *(cost(&stacks->rows[i], effect) < 0 ? &saved : &added) += cost(&stacks->rows[i], effect);
        axis.least = saved < axis.least ? saved : axis.least;
        axis.most = added > axis.most ? added : axis.most;
    }
    return axis;
}

/* One rectangle an effect, each beginning where the one before ended. */
static void draw_row(struct report_draw *draw, const struct report_axis *axis,
                     const struct report_waiting *row, int32_t y, int32_t height)
{
    double added = 0, saved = 0;

    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++) {
        double *from = cost(row, effect) < 0 ? &saved : &added;
        double to = *from + cost(row, effect);
        int32_t left = report_axis_place(axis, *from < to ? *from : to);
        int32_t right = report_axis_place(axis, *from < to ? to : *from);
        *from = to;
        if (right == left)
            continue;
        report_draw_color(draw, report_effect_color(effect), REPORT_NO_COLOR);
        report_draw_box(draw, (struct report_point){left, y}, (struct report_point){right - left, height}, 0);
    }
}

/* Ranks are named by number, and only as many as can stand below each other. */
static void draw_name(struct report_draw *draw, const struct stacks *stacks, uint32_t i, int32_t y)
{
    char number[16];

    if (stacks->rows[i].name != NULL) {
        report_chart_name(draw, (struct report_point){LEFT - 100, y}, REPORT_END, stacks->rows[i].name, 24);
        return;
    }
    if (i % 4 != 0)
        return;
    snprintf(number, sizeof number, "rank %" PRIu32, i);
    report_chart_label(draw, (struct report_point){LEFT - 100, y}, REPORT_END, number);
}

/* Returns where the next group may begin. */
static int32_t draw_stacks(struct report_draw *draw, const struct stacks *stacks, int32_t top)
{
    struct report_axis axis = axis_of(stacks), shown = axis;
    int32_t low = top + (int32_t)stacks->count * stacks->row;
    double ns;
    char title[64];

    snprintf(title, sizeof title, "added time in MPI calls (%s)",
             report_chart_time_unit(axis.most > -axis.least ? axis.most : -axis.least, &ns));
    shown.least /= ns;
    shown.most /= ns;
    report_chart_name(draw, (struct report_point){REPORT_CHART_MARGIN, top - 200}, REPORT_START,
                      stacks->title, 80);
    report_axis_draw_x(draw, &shown, low, top - 60, title);
    for (uint32_t i = 0; i < stacks->count; i++) {
        int32_t y = top + (int32_t)i * stacks->row;
        draw_row(draw, &axis, &stacks->rows[i], y, stacks->bar);
        draw_name(draw, stacks, i, y + stacks->bar / 2);
    }
    return low + SECTION;
}

/* One key for all three groups, in the order in which the effects are stacked. */
static void draw_keys(struct report_draw *draw, const struct report_attribution *attribution)
{
    struct report_point point = {REPORT_CHART_MARGIN, REPORT_CHART_HEAD};

    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++)
        if (report_effect_applies(attribution, effect))
            point.x = report_chart_key(draw, point, report_effect_color(effect), report_effect_label(effect));
}

/* Rows beyond what a picture can hold are in the JSON; the first are those that wait longest, but for ranks. */
static uint32_t at_most(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}

/* Groups stand below each other with an axis each: calls add up to all ranks, and one rank would not be seen beside
 * them. The height follows from what there is, before the first line is drawn. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct report_attribution *attribution = view->run->attribution;
    uint32_t ranks = at_most(attribution->rank_count, RANKS_MOST);
    char by_rank[80];
    const struct stacks groups[] = {{"by the call that waits, all ranks", attribution->regions,
                                     at_most(attribution->region_count, REGIONS_MOST), ROW, BAR},
                                    {"by the bytes of the message waited for, all ranks", attribution->sizes,
                                     attribution->size_count, ROW, BAR},
                                    {by_rank, attribution->ranks, ranks, RANK_ROW, RANK_ROW * 4 / 5}};
    int32_t top = REPORT_CHART_HEAD + 600, height = top;
    struct report_chart chart;

    if (ranks < attribution->rank_count)
        snprintf(by_rank, sizeof by_rank, "by rank, the first %" PRIu32 " of %" PRIu32, ranks,
                 attribution->rank_count);
    else
        snprintf(by_rank, sizeof by_rank, "by rank");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        height += groups[i].count == 0 ? 0 : (int32_t)groups[i].count * groups[i].row + SECTION;
    struct report_draw *on = report_chart_begin(
        &chart, stream, (struct report_point){WIDTH, height - 400}, "Where each effect makes ranks wait",
        "time in MPI calls that each effect adds; left of zero: that it saves, an anomaly");
    draw_keys(on, attribution);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (groups[i].count > 0)
            top = draw_stacks(on, &groups[i], top);
    return report_chart_end(&chart, error);
}

const struct report_run_picture report_run_picture_attribution = {
    .name = "attribution",
    .summary = "the time in MPI calls that each effect adds, by call, by size of message and by rank",
    .check = check,
    .draw = draw,
};
