/* Who sends how much to whom, before the mapping (rank by rank) and after it (terminal by terminal): side by
 * side, one sees what the mapping does to the pattern. Many ranks or terminals are drawn in blocks. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/drawing/load-layer.h"
#include "reports/run/picture.h"

#define CELLS_MOST 64
#define SIDE 3600 /* of a matrix on paper, at most */
#define LEFT 900
#define TOP 1900
#define GAP 1300 /* between the two */

struct matrix {
    const char *of; /* "rank", "terminal" */
    uint32_t cells; /* in a row */
    uint32_t each;  /* ranks or terminals in a cell */
    uint32_t count; /* of ranks or terminals */
    double *bytes;  /* [target * cells + source] */
    double most;
    int32_t left, pitch; /* on paper */
};

/* Pitches are whole pixels, so that cells are squares with sharp borders. */
static int matrix_init(struct matrix *matrix, const char *of, uint32_t count, int32_t left,
                       struct base_error *error)
{
    uint32_t each = (count + CELLS_MOST - 1) / CELLS_MOST, cells = (count + each - 1) / each;

    *matrix = (struct matrix){.of = of, .cells = cells, .each = each, .count = count, .left = left};
    matrix->pitch = SIDE / (int32_t)cells / 10 * 10;
    matrix->bytes = calloc((size_t)cells * cells, sizeof *matrix->bytes);
    return matrix->bytes == NULL ? base_error_memory(error, "the matrix of messages") : 0;
}

/* The most is kept at hand: it is what the scale of colours ends at. */
static void add(struct matrix *matrix, uint32_t source, uint32_t target, uint64_t bytes)
{
    double *cell = &matrix->bytes[(size_t)(target / matrix->each) * matrix->cells + source / matrix->each];

    *cell += (double)bytes;
    if (*cell > matrix->most)
        matrix->most = *cell;
}

static int32_t place(const struct matrix *matrix, uint32_t cell)
{
    return (int32_t)cell * matrix->pitch;
}

/* Neighbours of one colour become one box: dense matrices stay small files. */
static void draw_row(struct report_draw *draw, const struct matrix *matrix, uint32_t target)
{
    const double *row = matrix->bytes + (size_t)target * matrix->cells;

    for (uint32_t from = 0, to; from < matrix->cells; from = to) {
        uint32_t step = report_load_step(row[from], matrix->most);
        for (to = from + 1; to < matrix->cells && report_load_step(row[to], matrix->most) == step;)
            to++;
        if (step == 0)
            continue;
        report_draw_color(draw, report_load_colors[step], REPORT_NO_COLOR);
        report_draw_box(
            draw, (struct report_point){matrix->left + place(matrix, from), TOP + place(matrix, target)},
            (struct report_point){place(matrix, to - from), matrix->pitch}, 0);
    }
}

/* The first and the last number on each axis, and what is counted. */
static void draw_frame(struct report_draw *draw, const struct matrix *matrix)
{
    int32_t side = place(matrix, matrix->cells), right = matrix->left + side, low = TOP + side;
    char text[64];

    report_draw_color(draw, REPORT_NO_COLOR, REPORT_PALE_INK);
    report_draw_box(draw, (struct report_point){matrix->left, TOP}, (struct report_point){side, side}, 0);
    snprintf(text, sizeof text, "%" PRIu32, matrix->count - 1);
    report_chart_label(draw, (struct report_point){matrix->left - 60, TOP + 60}, REPORT_END, "0");
    report_chart_label(draw, (struct report_point){matrix->left - 60, low - 60}, REPORT_END, text);
    report_chart_label(draw, (struct report_point){matrix->left, low + 140}, REPORT_START, "0");
    report_chart_label(draw, (struct report_point){right, low + 140}, REPORT_END, text);
    snprintf(text, sizeof text, "to %s (number), from above", matrix->of);
    report_chart_label(draw, (struct report_point){matrix->left, TOP - 140}, REPORT_START, text);
    snprintf(text, sizeof text, "from %s (number)", matrix->of);
    report_chart_label(draw, (struct report_point){matrix->left + side / 2, low + 140}, REPORT_MIDDLE, text);
}

/* Each matrix has a scale of its own: the same bytes are in fewer or more cells after the mapping, when ranks share
 * terminals or some are left idle. */
static void draw_matrix(struct report_draw *draw, const struct matrix *matrix, const char *title)
{
    char text[128], bytes[BASE_UNITS_TEXT];

    for (uint32_t target = 0; target < matrix->cells; target++)
        draw_row(draw, matrix, target);
    draw_frame(draw, matrix);
    report_chart_name(draw, (struct report_point){matrix->left, TOP - 820}, REPORT_START, title, 40);
    base_format_bytes((uint64_t)matrix->most, bytes);
    if (matrix->each > 1)
        snprintf(text, sizeof text, "none to %s, %" PRIu32 " x %" PRIu32 " a cell", bytes, matrix->each,
                 matrix->each);
    else
        snprintf(text, sizeof text, "none to %s", bytes);
    report_load_scale(draw, (struct report_point){matrix->left + 30, TOP - 520}, REPORT_CHART_TEXT, text);
}

/* Messages of a rank to itself cross no network and are left out of both. */
static void fill(const struct report_run *run, struct matrix *ranks, struct matrix *terminals)
{
    for (size_t i = 0; i < run->pair_count; i++) {
        const struct report_run_pair *pair = &run->pairs[i];
        if (pair->source == pair->target)
            continue;
        add(ranks, pair->source, pair->target, pair->bytes);
        add(terminals, run->rank[pair->source].terminal, run->rank[pair->target].terminal, pair->bytes);
    }
}

/* Everything else can be drawn: a program without messages is an empty matrix, which says so. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->ranks == 0)
        return base_error_set(error, BASE_USAGE, "without ranks there are no messages to draw");
    return 0;
}

/* Side by side, with the axes of both at the same height. */
static int draw_both(const struct report_run *run, const struct matrix *ranks, const struct matrix *terminals,
                     FILE *stream, struct base_error *error)
{
    const struct report_point size = {terminals->left + SIDE + 300, TOP + SIDE + 400};
    struct report_chart chart;
    char title[128], subtitle[128], bytes[BASE_UNITS_TEXT];

    snprintf(subtitle, sizeof subtitle, "%s in all; collectives as the messages that they become",
             base_format_bytes(run->message_bytes, bytes));
    struct report_draw *on =
        report_chart_begin(&chart, stream, size, "Who sends how many bytes to whom", subtitle);
    draw_matrix(on, ranks, "before the mapping");
    snprintf(title, sizeof title, "after it: %.60s", run->mapping);
    draw_matrix(on, terminals, title);
    return report_chart_end(&chart, error);
}

/* The second is only made when the first could be, and both are freed in either case. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct report_run *run = view->run;
    struct matrix ranks, terminals;
    int status = -1;

    if (matrix_init(&ranks, "rank", run->ranks, LEFT, error) != 0)
        return -1;
    if (matrix_init(&terminals, "terminal", run->terminals, LEFT + SIDE + GAP, error) == 0) {
        fill(run, &ranks, &terminals);
        status = draw_both(run, &ranks, &terminals, stream, error);
    }
    free(ranks.bytes);
    free(terminals.bytes);
    return status;
}

const struct report_run_picture report_run_picture_matrix = {
    "matrix", "the bytes between ranks, and between the terminals that they are on", check, draw, false};
