/* Who sends how much to whom, before the mapping (rank by rank) and after it (terminal by terminal): one below the
 * other, so that both fit a telephone, one sees what the mapping does to the pattern.
 *
 *              to rank
 *              0   2   4        a row a sender, as in a matrix of traffic
 *   from  0    ▓ ░ · · ░
 *   rank  2    · ░ ▓ ░ ·
 *
 * Bytes differ by orders of magnitude: colours divide their logarithms. Many ranks or terminals are drawn in blocks. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/drawing/load-layer.h"
#include "reports/run/picture.h"

#define CELLS_MOST 64
#define SIDE 3600 /* of a matrix on paper, at most */
#define LEFT 1000
#define RIGHT 400
#define TOP (REPORT_CHART_HEAD + 980) /* of the cells of the first */
#define HEAD 980                      /* its words above the cells */
#define GAP 300                       /* between the two */
#define TICKS 8
#define NOTED_MOST 1100 /* cells with bytes; of more nothing is told to whoever points at them */

struct matrix {
    const char *of;     /* "rank", "terminal" */
    uint32_t cells;     /* in a row */
    uint32_t each;      /* ranks or terminals in a cell */
    uint32_t count;     /* of ranks or terminals */
    double *bytes;      /* [source * cells + target] */
    double most, least; /* of the cells that have any */
    uint32_t filled;    /* cells that have any */
    int32_t top, pitch; /* on paper */
};

/* Pitches are whole pixels, so that cells are squares with sharp borders. */
static int matrix_init(struct matrix *matrix, const char *of, uint32_t count, int32_t top,
                       struct base_error *error)
{
    uint32_t each = (count + CELLS_MOST - 1) / CELLS_MOST, cells = (count + each - 1) / each;

    *matrix = (struct matrix){.of = of, .cells = cells, .each = each, .count = count, .top = top};
    matrix->pitch = SIDE / (int32_t)cells / 10 * 10;
    matrix->bytes = calloc((size_t)cells * cells, sizeof *matrix->bytes);
    return matrix->bytes == NULL ? base_error_memory(error, "the matrix of messages") : 0;
}

static void add(struct matrix *matrix, uint32_t source, uint32_t target, uint64_t bytes)
{
    matrix->bytes[(size_t)(source / matrix->each) * matrix->cells + target / matrix->each] += (double)bytes;
}

/* Kept at hand: what the scale of colours begins and ends at. */
static void find_range(struct matrix *matrix)
{
    for (size_t i = 0; i < (size_t)matrix->cells * matrix->cells; i++) {
        if (!(matrix->bytes[i] > 0))
            continue;
        matrix->least = matrix->filled == 0 ? matrix->bytes[i] : fmin(matrix->least, matrix->bytes[i]);
        matrix->most = fmax(matrix->most, matrix->bytes[i]);
        matrix->filled++;
    }
}

static int32_t place(const struct matrix *matrix, uint32_t cell)
{
    return (int32_t)cell * matrix->pitch;
}

/* "ranks 8 to 15" where a cell is of several. */
static void write_names(const struct matrix *matrix, uint32_t cell, char *text, size_t size)
{
    uint32_t first = cell * matrix->each, last = first + matrix->each - 1;

    last = last < matrix->count ? last : matrix->count - 1;
    if (first == last)
        snprintf(text, size, "%s %" PRIu32, matrix->of, first);
    else
        snprintf(text, size, "%ss %" PRIu32 " to %" PRIu32, matrix->of, first, last);
}

/* "from rank 0 to rank 1: 4.0 KiB" */
static void note_cell(struct report_draw *draw, const struct matrix *matrix, uint32_t source, uint32_t target,
                      double count)
{
    char note[200], from[64], to[64], bytes[BASE_UNITS_TEXT];

    write_names(matrix, source, from, sizeof from);
    write_names(matrix, target, to, sizeof to);
    snprintf(note, sizeof note, "from %s to %s: %s", from, to, base_format_bytes((uint64_t)count, bytes));
    report_draw_note(draw, note);
}

/* Neighbours of one colour become one box: dense matrices stay small files. Where there are few cells, each has a note
 * and so a box of its own. */
static void draw_row(struct report_draw *draw, const struct matrix *matrix, uint32_t source)
{
    const double *row = matrix->bytes + (size_t)source * matrix->cells;
    bool is_noted = matrix->filled <= NOTED_MOST;

    for (uint32_t from = 0, to; from < matrix->cells; from = to) {
        uint32_t step = report_load_step_logarithmic(row[from], matrix->least, matrix->most);
        for (to = from + 1; !is_noted && to < matrix->cells &&
                            report_load_step_logarithmic(row[to], matrix->least, matrix->most) == step;)
            to++;
        if (step == 0)
            continue;
        if (is_noted)
            note_cell(draw, matrix, source, from, row[from]);
        report_draw_color(draw, report_load_colors[step], REPORT_NO_COLOR);
        report_draw_box(
            draw, (struct report_point){LEFT + place(matrix, from), matrix->top + place(matrix, source)},
            (struct report_point){place(matrix, to - from), matrix->pitch}, 0);
    }
}

/* Numbers of ranks or terminals at the middles of their cells, at both axes the same. */
static void draw_ticks(struct report_draw *draw, const struct matrix *matrix)
{
    uint32_t each = (matrix->count + TICKS - 1) / TICKS;
    char number[16];

    each = (each + matrix->each - 1) / matrix->each * matrix->each;
    for (uint32_t i = 0; i < matrix->count; i += each) {
        int32_t middle = place(matrix, i / matrix->each) + matrix->pitch / 2;
        snprintf(number, sizeof number, "%" PRIu32, i);
        report_chart_label(draw, (struct report_point){LEFT + middle, matrix->top - 120}, REPORT_MIDDLE,
                           number);
        report_chart_label(draw, (struct report_point){LEFT - 60, matrix->top + middle}, REPORT_END, number);
    }
}

/* Senders are named beside the first row, receivers above the columns. */
static void draw_frame(struct report_draw *draw, const struct matrix *matrix)
{
    int32_t side = place(matrix, matrix->cells);
    char text[64];

    report_draw_color(draw, REPORT_NO_COLOR, REPORT_PALE_INK);
    report_draw_box(draw, (struct report_point){LEFT, matrix->top}, (struct report_point){side, side}, 0);
    draw_ticks(draw, matrix);
    snprintf(text, sizeof text, "to %s (number)", matrix->of);
    report_chart_label(draw, (struct report_point){LEFT + side, matrix->top - 320}, REPORT_END, text);
    snprintf(text, sizeof text, "from %s (number), by row", matrix->of);
    report_chart_label(draw, (struct report_point){REPORT_CHART_MARGIN, matrix->top - 320}, REPORT_START,
                       text);
}

/* Each matrix has a scale of its own: the same bytes are in fewer or more cells after the mapping, when ranks share
 * terminals or some are left idle. */
static void draw_matrix(struct report_draw *draw, const struct matrix *matrix, const char *title)
{
    char text[160], least[BASE_UNITS_TEXT], most[BASE_UNITS_TEXT];

    for (uint32_t source = 0; source < matrix->cells; source++)
        draw_row(draw, matrix, source);
    report_draw_note(draw, NULL);
    draw_frame(draw, matrix);
    snprintf(text, sizeof text, "%s", title);
    if (matrix->each > 1)
        snprintf(text, sizeof text, "%.40s, %" PRIu32 " x %" PRIu32 " %ss a cell", title, matrix->each,
                 matrix->each, matrix->of);
    report_chart_name(draw, (struct report_point){REPORT_CHART_MARGIN, matrix->top - 820}, REPORT_START, text,
                      70);
    if (matrix->filled == 0)
        snprintf(text, sizeof text, "no bytes");
    else
        snprintf(text, sizeof text, "none; %s to %s", base_format_bytes((uint64_t)matrix->least, least),
                 base_format_bytes((uint64_t)matrix->most, most));
    report_load_scale(draw, (struct report_point){REPORT_CHART_MARGIN + 30, matrix->top - 580},
                      REPORT_CHART_TEXT, text);
}

/* Messages of a rank to itself cross no network and are left out of both. */
static void fill(const struct report_run *run, struct matrix *ranks, struct matrix *terminals)
{
    for (size_t i = 0; i < run->pair_count; i++) {
        const struct report_run_pairs *pairs = &run->pairs[i];
        for (uint32_t target = pairs->first; target < pairs->first + pairs->count; target++) {
            if (pairs->source == target)
                continue;
            add(ranks, pairs->source, target, pairs->bytes);
            add(terminals, run->rank[pairs->source].terminal, run->rank[target].terminal, pairs->bytes);
        }
    }
    find_range(ranks);
    find_range(terminals);
}

/* Everything else can be drawn: a program without messages is an empty matrix, which says so. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->ranks == 0)
        return base_error_set(error, BASE_USAGE, "without ranks there are no messages to draw");
    return 0;
}

/* The second below the first, whose cells may be fewer. */
static int draw_both(const struct report_run *run, const struct matrix *ranks, const struct matrix *terminals,
                     FILE *stream, struct base_error *error)
{
    const struct report_point size = {LEFT + SIDE + RIGHT,
                                      terminals->top + place(terminals, terminals->cells) + 300};
    struct report_chart chart;
    char title[128], subtitle[128], bytes[BASE_UNITS_TEXT];

    snprintf(subtitle, sizeof subtitle, "%s in all, collectives included; logarithmic colours",
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

    if (matrix_init(&ranks, "rank", run->ranks, TOP, error) != 0)
        return -1;
    if (matrix_init(&terminals, "terminal", run->terminals, TOP + place(&ranks, ranks.cells) + GAP + HEAD,
                    error) == 0) {
        fill(run, &ranks, &terminals);
        status = draw_both(run, &ranks, &terminals, stream, error);
    }
    free(ranks.bytes);
    free(terminals.bytes);
    return status;
}

const struct report_run_picture report_run_picture_matrix = {
    .name = "matrix",
    .summary = "the bytes between ranks, and between the terminals that they are on",
    .check = check,
    .draw = draw,
};
