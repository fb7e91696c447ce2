/* A multistage network as its paper draws it (Koppelman 1996, Figure 2): processors on the left, stages of
 * cells as columns, processors again on the right. A cell's links leave by its upper ports, its buses by
 * the lower ones; a bus is a bar in the gap between two stages, with its drivers on the left and its
 * receivers on the right.
 *
 *      0 ─┐┌────┐        ┌────┐        ┌────┐┌─ 0
 *         └│cell│────────│cell│──── ── │cell│┘
 *          └────┘─┐║┌────└────┘        └────┘ */
#include <inttypes.h>

#include "netmodel/stages/multistage.h"
#include "reports/drawing/load-layer.h"
#include "reports/drawing/svg.h"
#include "reports/topology/picture-parts.h"

#define PITCH 340      /* between processors */
#define PITCH_LEAST 80 /* of many, which would make a tower of a picture */
#define PITCH_TEXT 145 /* from which on a processor has its number in its box */
#define TALL 12000     /* from which height on they stand closer */
#define BOX 620
#define CELL 520         /* width */
#define CELL_HEIGHT 82   /* per cent of its processors' */
#define GAP 900          /* between columns, beside the bars */
#define GAP_MOST 2000    /* of high columns, so that links are no bundles of parallels */
#define WIDE 8500        /* which columns so far apart do not make wider */
#define BAR_STEP 130     /* from bar to bar */
#define STUB 160         /* from a cell to the first bar */
#define BARS_EXTENT 4000 /* of a gap, which bars share when they are many */

/* Positions of ports on the side of a cell, from its top: links first, then buses. */
static int32_t side(const struct report_stages *stages, uint32_t cell, uint32_t slot, uint32_t slots)
{
    int32_t m = (int32_t)stages->multistage->radix, height = m * stages->pitch * CELL_HEIGHT / 100;
    int32_t middle = stages->corner.y + ((int32_t)cell * 2 * m + m - 1) * stages->pitch / 2;
    return middle - height / 2 + height * (2 * (int32_t)slot + 1) / (2 * (int32_t)slots);
}

/* Of a cell on one side: buses are shared by so many cells. */
static uint32_t buses_of(const struct net_multistage *multistage, uint32_t cells)
{
    return multistage->bus_count == 0 ? 0 : multistage->radix / cells;
}

/* The right edge of column `stage`, whose cells begin CELL before; column -1 is the processors. */
static int32_t edge(const struct report_stages *stages, int32_t stage)
{
    return stages->corner.x + BOX + (stage + 1) * (CELL + stages->gap);
}

/* The same on both sides of the picture. */
static int32_t processor_y(const struct report_stages *stages, uint32_t processor)
{
    return stages->corner.y + (int32_t)processor * stages->pitch;
}

/* Steep links need room to be told apart: a sixth of the height, as far as the whole does not get wide. */
static int32_t cross_of(const struct net_multistage *multistage, int32_t height)
{
    int32_t levels = (int32_t)multistage->stages + 1, columns = (levels - 1) * CELL + 2 * BOX;
    int32_t cross = height / 6 < GAP_MOST ? height / 6 : GAP_MOST, room = (WIDE - columns) / levels;

    cross = cross < room ? cross : room;
    return cross > GAP ? cross : GAP;
}

/* Processors stand at the left as senders and at the right as receivers, with the stages in columns between them.
 * A gap is as wide as its bars need, up to BARS_EXTENT; more bars than fit in that stand closer. */
struct report_stages report_stages_layout(const struct net_topology *topology, struct report_point corner)
{
    const struct net_multistage *multistage = topology->multistage;
    struct report_stages stages = {.multistage = multistage, .corner = corner, .step = BAR_STEP};
    int32_t bars = (int32_t)multistage->buses_per_gap, processors = (int32_t)multistage->processors;
    if (bars * BAR_STEP > BARS_EXTENT)
        stages.step = BARS_EXTENT / bars;
    stages.pitch = PITCH;
    if (processors * PITCH > TALL)
        stages.pitch = TALL / processors > PITCH_LEAST ? TALL / processors : PITCH_LEAST;
    stages.extent.y = processors * stages.pitch;
    stages.cross = bars == 0 ? cross_of(multistage, stages.extent.y) : GAP;
    stages.gap = stages.cross + (bars == 0 ? 0 : STUB + bars * stages.step);
    stages.extent.x = 2 * BOX + (int32_t)multistage->stages * (CELL + stages.gap) + stages.cross;
    return stages;
}

/* A box with its name in the middle. */
static void draw_box(const struct report_stages *stages, struct report_point corner, struct report_point size,
                     const char *text)
{
    struct report_point middle = {corner.x + size.x / 2, corner.y + size.y / 2};
    report_draw_color(stages->draw, ROUTER_FILL, ROUTER_LINE);
    report_draw_box(stages->draw, corner, size, 40);
    report_draw_color(stages->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(stages->draw, middle, stages->pitch < PITCH ? 95 : 110, REPORT_MIDDLE, text);
}

/* Twice: as senders and as receivers. Where boxes are too low for words, some have their number beside them. */
static void draw_processors(const struct report_stages *stages)
{
    const struct report_point box = {BOX, stages->pitch * 2 / 3};
    int32_t left = stages->corner.x, right = left + stages->extent.x - BOX;
    uint32_t each = stages->pitch < PITCH_TEXT ? 4 : 1;
    for (uint32_t i = 0; i < stages->multistage->processors; i++) {
        int32_t y = processor_y(stages, i);
        char text[16] = "";
        snprintf(text, sizeof text, "%" PRIu32, i);
        draw_box(stages, (struct report_point){left, y - box.y / 2}, box, each == 1 ? text : "");
        draw_box(stages, (struct report_point){right, y - box.y / 2}, box, each == 1 ? text : "");
        if (each == 1 || i % each != 0)
            continue;
        report_draw_text(stages->draw, (struct report_point){left - 40, y}, 95, REPORT_END, text);
        report_draw_text(stages->draw, (struct report_point){right + BOX + 40, y}, 95, REPORT_START, text);
    }
}

/* Cells are named by their stage and their number in it, as in tables. */
static void draw_cells(const struct report_stages *stages)
{
    const struct net_multistage *multistage = stages->multistage;
    int32_t height = (int32_t)multistage->radix * stages->pitch * CELL_HEIGHT / 100;
    for (uint32_t stage = 0; stage < multistage->stages; stage++)
        for (uint32_t cell = 0; cell < multistage->cells; cell++) {
            char text[32];
            snprintf(text, sizeof text, "%" PRIu32 ".%" PRIu32, stage, cell);
            struct report_point corner = {edge(stages, (int32_t)stage) - CELL,
                                          side(stages, cell, 0, 1) - height / 2};
            draw_box(stages, corner, (struct report_point){CELL, height}, text);
        }
}

/* Where link p of a level begins and ends. A level's link p is the p-th output of the stage before it; the
 * network's permutation says which input that is. */
static void ends_of_link(const struct report_stages *stages, uint32_t level, uint32_t p,
                         struct report_point ends[2])
{
    const struct net_multistage *multistage = stages->multistage;
    uint32_t m = multistage->radix;
    uint32_t out = buses_of(multistage, multistage->receivers);
    uint32_t in = buses_of(multistage, multistage->drivers);
    uint32_t last = multistage->stages;
    ends[0].x = level == 0 ? stages->corner.x + BOX : edge(stages, (int32_t)level - 1);
    ends[0].y =
        level == 0 ? processor_y(stages, p) : side(stages, p / m, p % m, m + (level == last ? 0 : out));
    ends[1].x =
        level == last ? stages->corner.x + stages->extent.x - BOX : edge(stages, (int32_t)level) - CELL;
    if (level == last)
        ends[1].y = processor_y(stages, p);
    else /* the input's number is the first digit of where it comes from */
        ends[1].y = side(stages, p % multistage->cells, p / multistage->cells, m + (level == 0 ? 0 : in));
}

/* Straight past the bars, then across: where it turns. */
static struct report_point bend_of_link(const struct report_stages *stages, uint32_t level, uint32_t p,
                                        struct report_point ends[2])
{
    bool bars = stages->multistage->bus_count != 0 && level != 0 && level != stages->multistage->stages;
    ends_of_link(stages, level, p, ends);
    return (struct report_point){bars ? ends[1].x - GAP : ends[0].x, ends[0].y};
}

static void draw_link(const struct report_stages *stages, uint32_t level, uint32_t p, report_color color,
                      int32_t width)
{
    struct report_point ends[2];
    struct report_point bend = bend_of_link(stages, level, p, ends);
    const struct report_point points[] = {ends[0], bend, ends[1]};
    bool bends = bend.x != ends[0].x;
    report_draw_color(stages->draw, REPORT_NO_COLOR, color);
    stages->draw->line(stages->draw, points + !bends, bends ? 3 : 2, width);
}

/* From a driver to the bar, or on from it, and a dot where they meet: other bars are crossed. */
static void join_bar(const struct report_stages *stages, int32_t bar, struct report_point point,
                     int32_t width, int32_t range[2])
{
    report_draw_dot(stages->draw, (struct report_point){bar, point.y}, 5 * width);
    range[0] = point.y < range[0] ? point.y : range[0];
    range[1] = point.y > range[1] ? point.y : range[1];
    report_draw_line(stages->draw, (struct report_point){point.x < bar ? point.x : bar, point.y},
                     (struct report_point){point.x < bar ? bar : point.x, point.y}, width);
}

/* Bus `bus` of gap `stage` to stage + 1, by the cells on either side of it (stages/multistage.h). A bar crosses
 * links without touching them: dots say where a cell is joined. */
static void draw_bus(const struct report_stages *stages, uint32_t stage, uint32_t bus, report_color color,
                     int32_t width)
{
    const struct net_multistage *multistage = stages->multistage;
    uint32_t m = multistage->radix, rows = m / multistage->drivers, columns = m / multistage->receivers;
    uint32_t v = bus % rows, u = bus / rows % columns, g = bus / rows / columns;
    int32_t bar = edge(stages, (int32_t)stage) + STUB + (int32_t)bus * stages->step;
    int32_t range[2] = {INT32_MAX, 0};
    report_draw_color(stages->draw, color, color);
    for (uint32_t t = v * multistage->drivers; t < (v + 1) * multistage->drivers; t++) {
        struct report_point point = {edge(stages, (int32_t)stage),
                                     side(stages, g + t * multistage->groups, m + u, m + columns)};
        join_bar(stages, bar, point, width / 2, range);
    }
    for (uint32_t o = u * multistage->receivers; o < (u + 1) * multistage->receivers; o++) {
        struct report_point point = {edge(stages, (int32_t)stage + 1) - CELL,
                                     side(stages, g * m + o, m + v, m + rows)};
        join_bar(stages, bar, point, width / 2, range);
    }
    report_draw_line(stages->draw, (struct report_point){bar, range[0] - 30},
                     (struct report_point){bar, range[1] + 30}, width);
}

/* Gaps between stages have so many buses each, numbered on. */
const char *report_stages_bus(const struct net_topology *topology, uint32_t bus, char text[REPORT_BUS_NAME])
{
    uint32_t each = topology->multistage->buses_per_gap, stage = bus / each;
    snprintf(text, REPORT_BUS_NAME, "bus %" PRIu32 " from stage %" PRIu32 " to %" PRIu32, bus % each, stage,
             stage + 1);
    return text;
}

/* Near its end, where lines of one cell have parted. */
struct report_point report_stages_middle(const struct report_stages *stages, uint32_t link)
{
    const struct net_multistage *multistage = stages->multistage;
    uint32_t count = (multistage->stages + 1) * multistage->processors;
    struct report_point ends[2] = {{0, 0}, {0, 0}};
    struct report_point from = {0, 0};
    for (uint32_t l = 0; l < count; l++)
        if (net_multistage_link(multistage, l / multistage->processors, l % multistage->processors) == link)
            from = bend_of_link(stages, l / multistage->processors, l % multistage->processors, ends);
    return (struct report_point){(from.x + 3 * ends[1].x) / 4, (from.y + 3 * ends[1].y) / 4};
}

/* Tells what it carries to whoever points at what is drawn next, where the caller can say it. */
static void tell(const struct report_stages *stages, report_load_note *note, uint32_t number)
{
    char text[REPORT_LOAD_NOTE];
    if (note == NULL)
        return;
    note(stages->context, number, text);
    report_draw_note(stages->draw, text);
}

/* What carries most is drawn last. links and buses NULL: the network itself, in two colours; else loads, in shades
 * and widths. */
void report_stages_draw(const struct report_stages *stages, const double *links, const double *buses)
{
    const struct net_multistage *multistage = stages->multistage;
    double most = 0;
    uint32_t count = (multistage->stages + 1) * multistage->processors;
    for (uint32_t l = 0; links != NULL && l < count; l++)
        most = links[l] > most ? links[l] : most;
    for (uint32_t bus = 0; buses != NULL && bus < multistage->bus_count; bus++)
        most = buses[bus] > most ? buses[bus] : most;
    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++) {
        int32_t width = 16 + 5 * (int32_t)step;
        for (uint32_t l = 0; l < count; l++) {
            uint32_t level = l / multistage->processors, p = l % multistage->processors;
            uint32_t number = net_multistage_link(multistage, level, p);
            if (report_load_step(links != NULL ? links[number] : 0, most) != step)
                continue;
            tell(stages, stages->note_link, number);
            draw_link(stages, level, p, links != NULL ? report_load_colors[step] : REPORT_BLUE, width);
        }
        for (uint32_t bus = 0; bus < multistage->bus_count; bus++) {
            if (report_load_step(buses != NULL ? buses[bus] : 0, most) != step)
                continue;
            tell(stages, stages->note_bus, bus);
            draw_bus(stages, bus / multistage->buses_per_gap, bus % multistage->buses_per_gap,
                     buses != NULL ? report_load_colors[step] : REPORT_VERMILION, 2 * width);
        }
    }
    report_draw_note(stages->draw, NULL);
    draw_processors(stages);
    draw_cells(stages);
}

/* A line of a colour, and what is so drawn. */
static void put_sample(const struct report_picture *picture, struct report_point *next, report_color color,
                       const char *text)
{
    struct report_point sample = report_picture_entry(picture, next, text);
    report_draw_color(picture->draw, REPORT_NO_COLOR, color);
    report_draw_line(picture->draw, (struct report_point){sample.x - 90, sample.y},
                     (struct report_point){sample.x + 90, sample.y}, 30);
}

/* Widths are bits in a cycle, as the network's parameters. */
static void draw_legend(const struct report_picture *picture, struct report_point next)
{
    const struct net_multistage *multistage = picture->topology->multistage;
    char text[128];
    snprintf(text, sizeof text, "link: %" PRIu32 ", %" PRIu32 " and %" PRIu32 " bits per cycle",
             multistage->input_bits, multistage->link_bits, multistage->output_bits);
    put_sample(picture, &next, REPORT_BLUE, text);
    if (multistage->bus_count != 0) {
        snprintf(text, sizeof text,
                 "bus: %" PRIu32 " bits per cycle, from one of %" PRIu32 " cells to one of %" PRIu32,
                 multistage->bus_bits, multistage->drivers, multistage->receivers);
        put_sample(picture, &next, REPORT_VERMILION, text);
    }
    report_picture_entry(picture, &next, "processors are drawn twice; a cell has its stage and its number");
}

/* The paper is as wide as the stages, and as the legend at least. */
int report_stages_svg(const struct net_topology *topology, FILE *stream, struct base_error *error)
{
    struct report_picture picture = {.topology = topology, .legend = draw_legend};
    struct report_svg svg;
    struct report_stages stages =
        report_stages_layout(topology, (struct report_point){MARGIN, MARGIN + TITLE_SIZE + 600});
    struct report_point body = {MARGIN + stages.extent.x, stages.corner.y + stages.extent.y};
    if (report_picture_too_large(topology, error) != 0)
        return -1;
    report_picture_begin(&picture, &svg, stream, body);
    stages.draw = picture.draw;
    report_stages_draw(&stages, NULL, NULL);
    return report_picture_end(&picture, &svg, body, error);
}
