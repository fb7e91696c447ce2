/* From back to front: paper, the communication as grey lines, the links as arrows (load-layer.h), the
 * routers over their ends. Only the heaviest pairs are drawn, and the picture says how many: hundreds of
 * grey lines are a grey area.
 */
#include "reports/placement/picture.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/units.h"
#include "reports/drawing/load-layer.h"
#include "reports/drawing/palette.h"
#include "netmodel/topologies/mway.h"
#include "reports/drawing/picture-layout.h"
#include "reports/drawing/svg.h"
#include "reports/topology/picture.h"

#define MARGIN 240
#define TITLE_SIZE 200
#define TEXT_SIZE 120
#define LINE 220
#define HEAD 1500 /* above the routers: title, numbers, legend */
#define PAIRS_MAX 300

#define PAIR_LINE 0xd7d3c8
#define ROUTER_FILL 0xeef2f7
#define ROUTER_LINE 0x44546a

struct drawing {
    const struct report_placement_picture *picture; /* what is drawn */
    struct report_layout layout;                    /* where routers stand on paper */
    struct report_draw *draw;                       /* what it is drawn with */
    struct report_load_layer loads;                 /* in bytes */
    uint32_t *ranks;                                /* [terminal]: one rank there, or UINT32_MAX */
};

/* Terminals of a router are drawn at its middle. */
static struct report_point at_terminal(const struct drawing *drawing, uint32_t rank)
{
    uint32_t terminal = drawing->picture->placement->terminal[rank];
    return report_layout_router(&drawing->layout,
                                net_topology_router_of(drawing->picture->topology, terminal));
}

/* Heaviest first, then by ranks. */
static int by_bytes(const void *a, const void *b)
{
    const struct report_placement_pair *one = a, *other = b;

    if (one->bytes != other->bytes)
        return one->bytes < other->bytes ? 1 : -1;
    if (one->source != other->source)
        return one->source < other->source ? -1 : 1;
    return (one->target > other->target) - (one->target < other->target);
}

/* From the lightest to the heaviest, which lies on top. The share is in hundredths, divided first: bytes
 * times 100 could be more than 64 bits. Where the heaviest has less than 100 bytes all lines are alike. */
static void draw_pairs(const struct drawing *drawing, struct report_placement_pair *sorted)
{
    size_t count = drawing->picture->pair_count < PAIRS_MAX ? drawing->picture->pair_count : PAIRS_MAX;

    report_draw_color(drawing->draw, REPORT_NO_COLOR, PAIR_LINE);
    for (size_t i = count; i-- > 0;) {
        uint64_t share = sorted[0].bytes / 100 == 0 ? 100 : sorted[i].bytes / (sorted[0].bytes / 100);
        report_draw_line(drawing->draw, at_terminal(drawing, sorted[i].source),
                         at_terminal(drawing, sorted[i].target),
                         10 + (int32_t)(share > 100 ? 100 : share) * 3 / 5);
    }
}

/* The rank of a router with one terminal; how many are there, where there are several. */
static void draw_router(const struct drawing *drawing, uint32_t router)
{
    const struct net_topology *topology = drawing->picture->topology;
    struct report_point middle = report_layout_router(&drawing->layout, router);
    int32_t width = drawing->layout.router * 4 / 5;
    uint32_t there = 0, rank = UINT32_MAX;
    char text[32];

    for (uint32_t i = 0; i < topology->concentration; i++)
        if (drawing->ranks[router * topology->concentration + i] != UINT32_MAX) {
            rank = drawing->ranks[router * topology->concentration + i];
            there++;
        }
    report_draw_color(drawing->draw, there > 0 ? ROUTER_FILL : REPORT_PAPER, ROUTER_LINE);
    report_draw_box(drawing->draw, (struct report_point){middle.x - width / 2, middle.y - width / 2},
                    (struct report_point){width, width}, width / 6);
    if (there == 0)
        return;
    if (there == 1)
        snprintf(text, sizeof text, "%" PRIu32, rank);
    else
        snprintf(text, sizeof text, "%" PRIu32 " ranks", there);
    report_draw_color(drawing->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(drawing->draw, middle, width * (there == 1 ? 36 : 20) / 100, REPORT_MIDDLE, text);
}

/* ---- Words ---- */

/* A line of small print under the title. */
static void say(const struct drawing *drawing, int32_t line, const char *text)
{
    report_draw_color(drawing->draw, REPORT_PALE_INK, REPORT_NO_COLOR);
    report_draw_text(drawing->draw, (struct report_point){MARGIN, MARGIN + 260 + line * LINE}, TEXT_SIZE,
                     REPORT_START, text);
}

/* Below the words. */
static void draw_scale(const struct drawing *drawing, int32_t line)
{
    char number[BASE_UNITS_TEXT], text[128];

    snprintf(text, sizeof text, "a channel: idle to %s, the busiest%s",
             base_format_bytes((uint64_t)(drawing->loads.most + 0.5), number),
             net_topology_dimensions(drawing->picture->topology) > 2 ? "; aslant: the third dimension" : "");
    report_load_scale(drawing->draw, (struct report_point){MARGIN, MARGIN + 260 + line * LINE}, TEXT_SIZE,
                      text);
}

/* Texts of users are cut at 60 characters, so that no name of a file runs out of the picture. */
static void draw_words(const struct drawing *drawing)
{
    const struct report_placement *placement = drawing->picture->placement;
    size_t pairs = drawing->picture->pair_count;
    char number[BASE_UNITS_TEXT], text[256];

    snprintf(text, sizeof text, "%.60s on %.60s", placement->mapping, placement->topology);
    report_draw_color(drawing->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(drawing->draw, (struct report_point){MARGIN, MARGIN}, TITLE_SIZE, REPORT_START, text);
    snprintf(text, sizeof text, "%" PRIu32 " ranks, hop-bytes %s, mean dilation %.3f", placement->ranks,
             base_format_bytes(placement->cost.hop_bytes, number), placement->cost.mean_dilation);
    say(drawing, 0, text);
    if (pairs > PAIRS_MAX)
        snprintf(text, sizeof text, "grey: who communicates with whom (the %d heaviest of %zu pairs)",
                 PAIRS_MAX, pairs);
    else
        snprintf(text, sizeof text, "grey: who communicates with whom (%zu pairs)", pairs);
    say(drawing, 1, text);
    draw_scale(drawing, 2);
}

/* ---- The picture ---- */

/* Pairs are drawn in a fixed order, heaviest first, so that equal placements are equal pictures; a picture of a
 * small network is as wide as its words. */
static int draw_all(struct drawing *drawing, FILE *stream, struct base_error *error)
{
    const struct report_placement_picture *picture = drawing->picture;
    struct report_placement_pair *sorted = malloc((picture->pair_count + 1) * sizeof *sorted);
    struct report_svg svg;
    struct report_point size = {drawing->layout.size.x + 2 * MARGIN, drawing->layout.size.y + HEAD + MARGIN};

    if (sorted == NULL)
        return base_error_memory(error, "the picture of a placement");
    for (size_t i = 0; i < picture->pair_count; i++)
        sorted[i] = picture->pairs[i];
    qsort(sorted, picture->pair_count, sizeof *sorted, by_bytes);
    if (size.x < 6000)
        size.x = 6000; /* for the words */
    drawing->draw = report_svg_begin(&svg, stream, size, picture->placement->topology);
    report_draw_color(drawing->draw, REPORT_PAPER, REPORT_NO_COLOR);
    report_draw_box(drawing->draw, (struct report_point){0, 0}, size, 0);
    draw_words(drawing);
    draw_pairs(drawing, sorted);
    drawing->loads.draw = drawing->draw;
    report_load_links(&drawing->loads);
    for (uint32_t router = 0; router < picture->topology->routers; router++)
        draw_router(drawing, router);
    free(sorted);
    return report_svg_end(&svg, error);
}

/* Ranks are entered from the last to the first: of several on one terminal the lowest is kept. -1 before
 * anything is written where there is no grid to draw. */
int report_placement_svg(const struct report_placement_picture *picture, FILE *stream,
                         struct base_error *error)
{
    const struct net_topology *topology = picture->topology;
    struct drawing drawing = {.picture = picture};
    int status;

    if (net_shared_inside_routers(topology))
        return base_error_set(
            error, BASE_USAGE,
            "a placement on topology '%s' cannot be drawn: its terminals are between channels",
            topology->text);
    if (report_topology_drawable(topology, error) != 0)
        return -1;
    report_layout_set(&drawing.layout, topology, MARGIN, HEAD);
    drawing.ranks = malloc(((size_t)topology->terminals + 1) * sizeof *drawing.ranks);
    if (drawing.ranks == NULL)
        return base_error_memory(error, "the picture of a placement");
    for (uint32_t terminal = 0; terminal < topology->terminals; terminal++)
        drawing.ranks[terminal] = UINT32_MAX;
    for (uint32_t rank = picture->placement->ranks; rank-- > 0;)
        drawing.ranks[picture->placement->terminal[rank]] = rank;
    drawing.loads = report_load_layer_of(&drawing.layout, picture->loads);
    status = draw_all(&drawing, stream, error);
    free(drawing.ranks);
    return status;
}
