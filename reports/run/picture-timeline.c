/* The timeline of the ranks: a lane a rank, time to the right.
 *
 *      few intervals    each is a box; a computation is thinner than a call
 *      many             columns of time, whose colours divide the lane's height as the states divide the time:
 *                       exact shares, whatever the scale
 *
 * Arrows are point-to-point messages, while there are few of them; else the picture says how many it leaves
 * out. Whoever points at a box or a stretch of a lane is told its nanoseconds. Where links failed, a strip below the
 * lanes has how many routers granted nothing for it: by pixels, the most in each. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/run/picture.h"

#define WIDTH 8400
#define LEFT 1060
#define RIGHT (LEFT + 7040) /* of whole pixels: columns end at them */
#define TOP 1640
#define NOTE_TEXT 512
#define RANK_TEXT 48
#define ENDED REPORT_GRID
#define STRIP 300 /* of routers that stand for a fault, with the gap above it */
#define STRIP_HEIGHT 200
#define STRIP_COLUMNS ((RIGHT - LEFT) / 10) /* pixels */

/* From the bottom to the top of a column. */
static const struct {
    const char *name;
    report_color color;
} states[REPORT_LANE_STATES] = {{"computing", REPORT_GREEN},
                                {"for others in sends", REPORT_BLUE},
                                {"for others in receives and waits", REPORT_ORANGE},
                                {"for others in collectives", REPORT_SKY},
                                {"for messages on their way", REPORT_VERMILION}};

/* What is drawn where. */
struct sheet {
    struct report_draw *draw;
    const struct report_lanes *lanes; /* the run's */
    int32_t height, gap;              /* of a lane; below it */
    struct report_axis x;
};

/* An ideal run of no computation has no time to show, and half a run would look like a whole one. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->is_partial)
        return base_error_set(error, BASE_USAGE, "an interrupted run has no timeline");
    if (view->run->simulated_ns == 0)
        return base_error_set(error, BASE_USAGE, "this run takes no time: there is nothing to draw");
    if (view->run->lanes == NULL)
        return base_error_set(error, BASE_USAGE, "the execution was not recorded");
    return 0;
}

/* Sixteen lanes are high, and 128 fit on a screen and a half. */
static void set_lanes(struct sheet *sheet)
{
    uint32_t lanes = sheet->lanes->lanes;

    sheet->height = lanes <= 16 ? 240 : lanes <= 32 ? 160 : lanes <= 64 ? 110 : 60;
    sheet->gap = lanes <= 16 ? 40 : lanes <= 64 ? 20 : 10;
}

static int32_t lane_top(const struct sheet *sheet, uint32_t lane)
{
    return TOP + (int32_t)lane * (sheet->height + sheet->gap);
}

/* Of several jobs "job 2 rank 7", else "rank 7"; `words` stand around the numbers, which alone are "2: 7" and "7". */
static const char *name_rank(const struct report_lanes *lanes, uint32_t rank, bool words,
                             char text[RANK_TEXT])
{
    uint32_t job = lanes->job_count;

    while (job > 0 && lanes->first_rank[job - 1] > rank)
        job--;
    if (job == 0)
        snprintf(text, RANK_TEXT, words ? "rank %" PRIu32 : "%" PRIu32, rank);
    else
        snprintf(text, RANK_TEXT, words ? "job %" PRIu32 " rank %" PRIu32 : "%" PRIu32 ": %" PRIu32, job,
                 rank - lanes->first_rank[job - 1]);
    return text;
}

/* The first rank of lanes that are far enough from each other for a number. */
static void draw_names(const struct sheet *sheet)
{
    const struct report_lanes *lanes = sheet->lanes;
    uint32_t every = sheet->height + sheet->gap >= REPORT_CHART_TEXT ? 1 : 2;
    char text[RANK_TEXT];

    for (uint32_t lane = 0; lane < lanes->lanes; lane += every)
        report_chart_label(sheet->draw,
                           (struct report_point){LEFT - 80, lane_top(sheet, lane) + sheet->height / 2},
                           REPORT_END, name_rank(lanes, lane * lanes->ranks_per_lane, false, text));
    report_chart_label(sheet->draw, (struct report_point){LEFT - 80, TOP - 160}, REPORT_END,
                       lanes->job_count > 0 ? "job: rank" : "rank");
}

/* Behind what ranks do, from the end of a rank on; of several, wherever there is none of it. */
static void draw_ended(const struct sheet *sheet)
{
    const struct report_lanes *lanes = sheet->lanes;

    report_draw_color(sheet->draw, ENDED, REPORT_NO_COLOR);
    for (uint32_t lane = 0; lane < lanes->lanes; lane++) {
        uint64_t from = lanes->ranks_per_lane == 1 ? lanes->finish_ns[lane] : 0;
        int32_t left = report_axis_place(&sheet->x, (double)from);
        if (left < RIGHT)
            report_draw_cell(sheet->draw, (struct report_point){left, lane_top(sheet, lane)},
                             (struct report_point){RIGHT - left, sheet->height});
    }
}

/* ---- few intervals ---- */

/* At least a tenth of a pixel wide, so that nothing is lost. */
static void draw_stretch(const struct sheet *sheet, uint32_t lane, enum report_lane_state state,
                         uint64_t begin_ns, uint64_t end_ns)
{
    int32_t left = report_axis_place(&sheet->x, (double)begin_ns);
    int32_t right = report_axis_place(&sheet->x, (double)end_ns);
    int32_t thin = state == REPORT_LANE_COMPUTING ? sheet->height / 5 : 0;

    if (begin_ns == end_ns)
        return;
    report_draw_color(sheet->draw, states[state].color, REPORT_NO_COLOR);
    report_draw_box(sheet->draw, (struct report_point){left, lane_top(sheet, lane) + thin},
                    (struct report_point){right > left ? right - left : 1, sheet->height - 2 * thin}, 0);
}

/* "rank 3, MPI_Recv of 64 bytes: 100 to 300 ns, 200 ns long: 150 ns for others, 50 ns for messages on their way". */
static void note_interval(const struct sheet *sheet, const struct report_lane_interval *interval)
{
    uint64_t length_ns = interval->end_ns - interval->begin_ns;
    char note[NOTE_TEXT], begin[BASE_UNITS_TEXT], end[BASE_UNITS_TEXT], length[BASE_UNITS_TEXT];
    char rank[RANK_TEXT];
    char bytes[BASE_UNITS_TEXT + 16] = "";
    char waits[2 * BASE_UNITS_TEXT + 64] = "";

    if (interval->has_bytes)
        snprintf(bytes, sizeof bytes, " of %s bytes", base_format_count(interval->bytes, begin));
    if (interval->state != REPORT_LANE_COMPUTING)
        snprintf(waits, sizeof waits, ": %s ns for others, %s ns for messages on their way",
                 base_format_count(length_ns - interval->network_ns, begin),
                 base_format_count(interval->network_ns, end));
    snprintf(note, sizeof note, "%s, %.200s%s: %s to %s ns, %s ns long%s",
             name_rank(sheet->lanes, interval->rank, true, rank), interval->name, bytes,
             base_format_count(interval->begin_ns, begin), base_format_count(interval->end_ns, end),
             base_format_count(length_ns, length), waits);
    report_draw_note(sheet->draw, note);
}

/* Waiting for others, then for the network. */
static void draw_interval(const struct sheet *sheet, const struct report_lane_interval *interval)
{
    uint64_t turn_ns = interval->end_ns - interval->network_ns;

    note_interval(sheet, interval);
    draw_stretch(sheet, interval->rank, interval->state, interval->begin_ns, turn_ns);
    draw_stretch(sheet, interval->rank, REPORT_LANE_NETWORK, turn_ns, interval->end_ns);
}

/* ---- many ---- */

/* Beginning and length of a piece of a column: heights are rounded at their sums, so that they add up. */
static void draw_share(const struct sheet *sheet, uint32_t lane, uint32_t from, uint32_t to, uint64_t low,
                       uint64_t high, uint64_t whole)
{
    const struct report_lanes *lanes = sheet->lanes;
    int32_t left = report_axis_place(&sheet->x, (double)report_lanes_column_ns(lanes, from));
    int32_t right = report_axis_place(&sheet->x, (double)report_lanes_column_ns(lanes, to));
    int32_t bottom = (int32_t)lround((double)low / (double)whole * sheet->height);
    int32_t top = (int32_t)lround((double)high / (double)whole * sheet->height);

    if (top > bottom && right > left)
        report_draw_cell(sheet->draw,
                         (struct report_point){left, lane_top(sheet, lane) + sheet->height - top},
                         (struct report_point){right - left, top - bottom});
}

/* The nanoseconds that all ranks of the lane have in the column, in a state or not. */
static uint64_t column_whole(const struct report_lanes *lanes, uint32_t lane, uint32_t column)
{
    uint32_t first = lane * lanes->ranks_per_lane, left = lanes->ranks - first;
    uint64_t ranks = left < lanes->ranks_per_lane ? left : lanes->ranks_per_lane;

    return ranks * (report_lanes_column_ns(lanes, column + 1) - report_lanes_column_ns(lanes, column));
}

/* Below the given state, in the column. */
static uint64_t below(const uint64_t *ns, unsigned state)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < state; i++)
        sum += ns[i];
    return sum;
}

/* Columns that are of this state alone are joined: long stretches of one state are one cell. */
static uint32_t same_columns(const struct report_lanes *lanes, uint32_t lane, uint32_t column, uint32_t end,
                             unsigned state)
{
    while (column < end &&
           report_lanes_column(lanes, lane, column)[state] == column_whole(lanes, lane, column))
        column++;
    return column;
}

/* One state of a segment: cells of one colour follow each other. */
static void draw_state(const struct sheet *sheet, uint32_t lane, uint32_t first, uint32_t end, unsigned state)
{
    const struct report_lanes *lanes = sheet->lanes;

    report_draw_color(sheet->draw, states[state].color, REPORT_NO_COLOR);
    for (uint32_t column = first; column < end; column++) {
        const uint64_t *ns = report_lanes_column(lanes, lane, column);
        uint64_t whole = column_whole(lanes, lane, column), low = below(ns, state);
        uint32_t last = same_columns(lanes, lane, column, end, state);
        if (last > column + 1) {
            draw_share(sheet, lane, column, last, 0, 1, 1);
            column = last - 1;
        } else if (whole > 0) {
            draw_share(sheet, lane, column, column + 1, low, low + ns[state], whole);
        }
    }
}

/* "ranks 8 to 15, 0 to 1 000 ns: computing 600 ns, …": sums over the ranks. */
static void note_segment(const struct sheet *sheet, uint32_t lane, uint32_t first, uint32_t end)
{
    const struct report_lanes *lanes = sheet->lanes;
    uint32_t rank = lane * lanes->ranks_per_lane, last = rank + lanes->ranks_per_lane - 1;
    char note[NOTE_TEXT], from[BASE_UNITS_TEXT], to[BASE_UNITS_TEXT], first_name[RANK_TEXT];
    char last_name[RANK_TEXT];
    char others[RANK_TEXT + 8] = "";
    size_t used;

    if (lanes->ranks_per_lane > 1)
        snprintf(
            others, sizeof others, " to %s",
            name_rank(lanes, last < lanes->ranks ? last : lanes->ranks - 1, lanes->job_count > 0, last_name));
    used = (size_t)snprintf(note, sizeof note, "%s%s, %s to %s ns", name_rank(lanes, rank, true, first_name),
                            others, base_format_count(report_lanes_column_ns(lanes, first), from),
                            base_format_count(report_lanes_column_ns(lanes, end), to));
    for (unsigned state = 0; state < REPORT_LANE_STATES; state++) {
        uint64_t sum = 0;
        for (uint32_t column = first; column < end; column++)
            sum += report_lanes_column(lanes, lane, column)[state];
        if (sum > 0)
            used += (size_t)snprintf(note + used, sizeof note - used, "%s %s %s ns",
                                     strchr(note, ':') == NULL ? ":" : ",", states[state].name,
                                     base_format_count(sum, from));
    }
    report_draw_note(sheet->draw, note);
}

static void draw_columns(const struct sheet *sheet, uint32_t lane)
{
    uint32_t each = sheet->lanes->columns / sheet->lanes->segments;

    for (uint32_t first = 0; first < sheet->lanes->columns; first += each) {
        note_segment(sheet, lane, first, first + each);
        for (unsigned state = 0; state < REPORT_LANE_STATES; state++)
            draw_state(sheet, lane, first, first + each, state);
    }
}

/* ---- messages ---- */

/* All or none: a part would look like the whole. */
static uint32_t arrows(const struct report_lanes *lanes)
{
    return lanes->messages > REPORT_LANE_MESSAGES_MOST ? 0 : lanes->message_count;
}

static void draw_message(const struct sheet *sheet, const struct report_lane_message *message)
{
    int32_t half = sheet->height / 2;
    const struct report_point from = {report_axis_place(&sheet->x, (double)message->begin_ns),
                                      lane_top(sheet, message->source) + half};
    const struct report_point to = {report_axis_place(&sheet->x, (double)message->end_ns),
                                    lane_top(sheet, message->target) + half};
    char note[NOTE_TEXT], begin[BASE_UNITS_TEXT], end[BASE_UNITS_TEXT], bytes[BASE_UNITS_TEXT];
    char from_name[RANK_TEXT], to_name[RANK_TEXT];

    snprintf(note, sizeof note, "%s bytes from %s to %s, %s to %s ns",
             base_format_count(message->bytes, bytes),
             name_rank(sheet->lanes, message->source, true, from_name),
             name_rank(sheet->lanes, message->target, true, to_name),
             base_format_count(message->begin_ns, begin), base_format_count(message->end_ns, end));
    report_draw_note(sheet->draw, note);
    report_draw_color(sheet->draw, REPORT_NO_COLOR, REPORT_INK);
    report_draw_arrow(sheet->draw, from, to, 8, 40);
}

/* What the arrows are, or why there are none; nothing where there are no messages. */
static void say_messages(const struct sheet *sheet)
{
    const struct report_lanes *lanes = sheet->lanes;
    uint64_t out = lanes->messages - arrows(lanes);
    char text[160] = "";
    char all[BASE_UNITS_TEXT], left[BASE_UNITS_TEXT];

    base_format_count(lanes->messages, all);
    if (lanes->messages > 0 && out == 0)
        snprintf(text, sizeof text, "arrows: point-to-point messages, all %s", all);
    else if (lanes->messages > 0)
        snprintf(text, sizeof text, "arrows: point-to-point messages; %s of %s are left out",
                 out == lanes->messages ? "all" : base_format_count(out, left), all);
    report_chart_label(sheet->draw, (struct report_point){RIGHT, TOP - 160}, REPORT_END, text);
}

/* ---- routers that stand ---- */

static uint32_t most_stopped(const struct report_lanes *lanes)
{
    uint32_t most = 0;

    for (size_t i = 0; i < lanes->stop_count; i++)
        most = lanes->stop[i].routers > most ? lanes->stop[i].routers : most;
    return most;
}

static uint32_t strip_column(const struct sheet *sheet, uint64_t ns)
{
    uint32_t column = (uint32_t)(report_axis_place(&sheet->x, (double)ns) - LEFT) / 10;

    return column < STRIP_COLUMNS ? column : STRIP_COLUMNS - 1;
}

/* Columns of a stretch, each as high as the most that stand in it. */
static void draw_peaks(const struct sheet *sheet, const uint32_t *peaks, uint32_t first, uint32_t end,
                       uint32_t most)
{
    int32_t bottom = lane_top(sheet, sheet->lanes->lanes) + STRIP;

    for (uint32_t column = first; column < end; column++) {
        int32_t height = (int32_t)((uint64_t)peaks[column] * STRIP_HEIGHT / most);
        report_draw_cell(sheet->draw, (struct report_point){LEFT + (int32_t)column * 10, bottom - height},
                         (struct report_point){10, height});
    }
}

/* "12 345 to 12 400 ns: up to 17 of 64 routers stopped", of all that nothing lies between. */
static void note_stops(const struct sheet *sheet, uint64_t begin_ns, uint64_t end_ns, uint32_t most)
{
    char note[NOTE_TEXT], begin[BASE_UNITS_TEXT], end[BASE_UNITS_TEXT];

    snprintf(note, sizeof note, "%s to %s ns: up to %" PRIu32 " of %" PRIu32 " routers stopped",
             base_format_count(begin_ns, begin), base_format_count(end_ns, end), most, sheet->lanes->routers);
    report_draw_note(sheet->draw, note);
}

static uint32_t last_column(const struct sheet *sheet, const struct report_lane_stop *stop)
{
    return strip_column(sheet, stop->end_ns - 1);
}

/* Steps follow each other closely while a wave is under way. The first behind a stretch of them between which no pixel
 * is free. */
static size_t stretch_end(const struct sheet *sheet, size_t first)
{
    const struct report_lanes *lanes = sheet->lanes;
    size_t next = first + 1;

    while (next < lanes->stop_count &&
           strip_column(sheet, lanes->stop[next].begin_ns) <= last_column(sheet, &lanes->stop[next - 1]) + 1)
        next++;
    return next;
}

/* A stretch has one note. */
static void draw_stretch_of_stops(const struct sheet *sheet, const uint32_t *peaks, size_t first, size_t end)
{
    const struct report_lane_stop *stop = sheet->lanes->stop;
    uint32_t peak = 0;

    for (size_t i = first; i < end; i++)
        peak = stop[i].routers > peak ? stop[i].routers : peak;
    note_stops(sheet, stop[first].begin_ns, stop[end - 1].end_ns, peak);
    report_draw_color(sheet->draw, REPORT_PURPLE, REPORT_NO_COLOR);
    draw_peaks(sheet, peaks, strip_column(sheet, stop[first].begin_ns),
               last_column(sheet, &stop[end - 1]) + 1, most_stopped(sheet->lanes));
}

static void draw_stops(const struct sheet *sheet)
{
    const struct report_lanes *lanes = sheet->lanes;
    uint32_t peaks[STRIP_COLUMNS] = {0};

    for (size_t i = 0; i < lanes->stop_count; i++)
        for (uint32_t column = strip_column(sheet, lanes->stop[i].begin_ns);
             column <= last_column(sheet, &lanes->stop[i]); column++)
            peaks[column] = lanes->stop[i].routers > peaks[column] ? lanes->stop[i].routers : peaks[column];
    for (size_t first = 0, end; first < lanes->stop_count; first = end) {
        end = stretch_end(sheet, first);
        draw_stretch_of_stops(sheet, peaks, first, end);
    }
    report_draw_note(sheet->draw, NULL);
    report_chart_label(
        sheet->draw,
        (struct report_point){LEFT - 80, lane_top(sheet, lanes->lanes) + STRIP - STRIP_HEIGHT / 2},
        REPORT_END, "stopped");
}

/* ---- all of it ---- */

static void say_scale(const struct report_lanes *lanes, char *text, size_t size)
{
    char width[BASE_UNITS_TEXT];

    if (lanes->has_intervals) {
        snprintf(text, size,
                 "every computation and every call that takes time; hover over one for its times");
        return;
    }
    int used = snprintf(text, size, "heights are shares of time: a column is %s",
                        base_format_ns(lanes->end_ns / lanes->columns, width));
    if (lanes->ranks_per_lane > 1)
        snprintf(text + used, size - (size_t)used, ", a lane %" PRIu32 " ranks", lanes->ranks_per_lane);
}

/* Of all ranks together, from one state to another. */
static uint64_t sum_of(const struct report_lanes *lanes, unsigned from, unsigned to)
{
    uint64_t sum = 0;

    for (uint32_t lane = 0; lane < lanes->lanes; lane++)
        for (uint32_t column = 0; column < lanes->columns; column++)
            for (unsigned state = from; state <= to; state++)
                sum += report_lanes_column(lanes, lane, column)[state];
    return sum;
}

/* "ranks wait 3.2 ms in all, 1.1 ms of it for messages on their way", and what colours mean. */
static void draw_keys(const struct sheet *sheet)
{
    struct report_point point = {REPORT_CHART_MARGIN, REPORT_CHART_HEAD + REPORT_CHART_LINE};
    char text[160], all[BASE_UNITS_TEXT], network[BASE_UNITS_TEXT];

    snprintf(text, sizeof text,
             "ranks wait %s in all, %s of it for messages on their way, the rest for others",
             base_format_ns(sum_of(sheet->lanes, REPORT_LANE_SENDING, REPORT_LANE_NETWORK), all),
             base_format_ns(sum_of(sheet->lanes, REPORT_LANE_NETWORK, REPORT_LANE_NETWORK), network));
    report_chart_label(sheet->draw, (struct report_point){REPORT_CHART_MARGIN, REPORT_CHART_HEAD - 60},
                       REPORT_START, text);
    for (unsigned state = 0; state < REPORT_LANE_STATES; state++)
        report_chart_add_key(sheet->draw, &point, WIDTH - REPORT_CHART_MARGIN, states[state].color,
                             states[state].name);
    report_chart_add_key(sheet->draw, &point, WIDTH - REPORT_CHART_MARGIN, ENDED, "ended");
    if (sheet->lanes->stop_count == 0)
        return;
    snprintf(text, sizeof text, "routers stopped by faults (%" PRIu32 " of %" PRIu32 " at most)",
             most_stopped(sheet->lanes), sheet->lanes->routers);
    report_chart_add_key(sheet->draw, &point, WIDTH - REPORT_CHART_MARGIN, REPORT_PURPLE, text);
}

/* Lanes over the axis' grid, arrows over lanes. */
static void draw_lanes(const struct sheet *sheet)
{
    const struct report_lanes *lanes = sheet->lanes;

    draw_ended(sheet);
    for (uint32_t i = 0; lanes->has_intervals && i < lanes->interval_count; i++)
        draw_interval(sheet, &lanes->interval[i]);
    for (uint32_t lane = 0; !lanes->has_intervals && lane < lanes->lanes; lane++)
        draw_columns(sheet, lane);
    for (uint32_t i = 0; i < arrows(lanes); i++)
        draw_message(sheet, &lanes->message[i]);
    report_draw_note(sheet->draw, NULL);
    if (lanes->stop_count > 0)
        draw_stops(sheet);
}

/* As high as its lanes. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    struct sheet sheet = {.lanes = view->run->lanes, .x = {LEFT, RIGHT, 0, (double)view->run->lanes->end_ns}};
    struct report_axis time = sheet.x;
    struct report_chart chart;
    char subtitle[160], title[64];
    int32_t bottom;
    double ns;

    set_lanes(&sheet);
    bottom = lane_top(&sheet, sheet.lanes->lanes) + (sheet.lanes->stop_count > 0 ? STRIP : 0);
    say_scale(sheet.lanes, subtitle, sizeof subtitle);
    snprintf(title, sizeof title, "simulated time (%s)", report_chart_time_unit(sheet.x.most, &ns));
    time.most /= ns;
    sheet.draw = report_chart_begin(&chart, stream, (struct report_point){WIDTH, bottom + 600},
                                    "Timeline of the ranks", subtitle);
    draw_keys(&sheet);
    say_messages(&sheet);
    report_axis_draw_x(sheet.draw, &time, bottom, TOP, title);
    draw_names(&sheet);
    draw_lanes(&sheet);
    return report_chart_end(&chart, error);
}

const struct report_run_picture report_run_picture_timeline = {
    .name = "timeline",
    .summary =
        "what each rank does when: computing, waiting for others, or waiting for messages on their way",
    .check = check,
    .draw = draw,
    .needs_lanes = true,
};
