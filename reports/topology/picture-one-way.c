/* Networks whose links go one way, as the papers draw them. A D-ARM's plane is a grid of streets, each
 * with an arrow from router to router and a colour for its direction; further dimensions are slices side
 * by side, and those links short arrows out of their slice. A ShuffleNet has its columns from left to
 * right, and the first one once more behind the last, so that no link crosses the picture. */
#include "reports/topology/picture-parts.h"

#include <math.h>
#include <string.h>

#include "netmodel/topologies/one-way.h"
#include "reports/drawing/svg.h"

#define PITCH 900
#define BOX 486
#define GAP 700 /* between slices */
#define TOP (MARGIN + TITLE_SIZE + 500)
#define WIDTH_LEAST 5600

struct one_way_picture {
    struct report_picture common;
    const struct net_one_way *one_way;
    struct report_point corner; /* the middle of the router that is first from the left and from above */
    struct report_point step;   /* from a router to its neighbours */
    uint32_t columns;           /* of a slice, or of a ShuffleNet with the copy of the first; and rows */
    uint32_t rows;
};

/* Colours of rows, columns and the links between slices, up and down. */
static const report_color street_colors[4][2] = {{REPORT_BLUE, REPORT_SKY},
                                                 {REPORT_VERMILION, REPORT_ORANGE},
                                                 {REPORT_GREEN, REPORT_GREEN},
                                                 {REPORT_PURPLE, REPORT_PURPLE}};
static const report_color digit_colors[4] = {REPORT_BLUE, REPORT_VERMILION, REPORT_GREEN, REPORT_PURPLE};

static bool is_darm(const struct one_way_picture *picture)
{
    return picture->one_way->dimensions != 0;
}

static uint32_t side_of(const struct one_way_picture *picture, uint32_t d)
{
    return d < picture->one_way->dimensions ? picture->one_way->sides[d] : 1;
}

static void coordinates_of(const struct one_way_picture *picture, uint32_t router, uint32_t at[4])
{
    for (uint32_t d = 0; d < 4; d++) {
        at[d] = router % side_of(picture, d);
        router /= side_of(picture, d);
    }
}

/* The middle of the router of a slice; the third dimension counts slices to the right, the fourth upwards. */
static struct report_point street_corner(const struct one_way_picture *picture, const uint32_t at[4])
{
    int32_t across = (int32_t)picture->columns * PITCH + GAP, down = (int32_t)picture->rows * PITCH + GAP;
    int32_t slices_up = (int32_t)(side_of(picture, 3) - 1 - at[3]);
    return (struct report_point){picture->corner.x + (int32_t)at[2] * across + (int32_t)at[0] * PITCH,
                                 picture->corner.y + slices_up * down +
                                     (int32_t)(picture->rows - 1 - at[1]) * PITCH};
}

/* A column more is the first again. */
static struct report_point column_router(const struct one_way_picture *picture, uint32_t column, uint32_t row)
{
    return (struct report_point){picture->corner.x + (int32_t)column * picture->step.x,
                                 picture->corner.y + (int32_t)row * picture->step.y};
}

static struct report_point router_place(const struct one_way_picture *picture, uint32_t router)
{
    uint32_t at[4];
    if (!is_darm(picture))
        return column_router(picture, router / picture->rows, router % picture->rows);
    coordinates_of(picture, router, at);
    return street_corner(picture, at);
}

/* From the edge of one box to that of the other, near enough. */
static void draw_between(const struct one_way_picture *picture, struct report_point from,
                         struct report_point to)
{
    double x = to.x - from.x, y = to.y - from.y, length = fmax(sqrt(x * x + y * y), 1);
    to.x -= (int32_t)lround(x / length * BOX * 0.68);
    to.y -= (int32_t)lround(y / length * BOX * 0.68);
    report_draw_arrow(picture->common.draw, from, to, picture->common.line_width, BOX / 5);
}

/* Out of the slice, or over its border: an arrow away from the source, and for a border one that comes in
 * on the other side. right and down are unit steps. */
static void draw_stubs(const struct one_way_picture *picture, const struct net_link *link, int32_t right,
                       int32_t down, bool comes_in)
{
    struct report_point from = router_place(picture, link->source), to = router_place(picture, link->target);
    int32_t length = right != 0 && down != 0 ? PITCH * 40 / 100 : PITCH * 48 / 100, head = BOX / 6;
    report_draw_arrow(picture->common.draw, from,
                      (struct report_point){from.x + right * length, from.y + down * length},
                      picture->common.line_width, head);
    if (comes_in)
        report_draw_arrow(picture->common.draw,
                          (struct report_point){to.x - right * PITCH / 2, to.y - down * PITCH / 2},
                          (struct report_point){to.x - right * BOX * 68 / 100, to.y - down * BOX * 68 / 100},
                          picture->common.line_width, head);
}

/* Equation (11): what the parity of the other coordinates says of the direction. */
static void draw_street(const struct one_way_picture *picture, const struct net_link *link)
{
    static const int32_t directions[4][2] = {{1, 0}, {0, -1}, {1, -1}, {-1, -1}};
    uint32_t at[4], d = link->port, others;
    coordinates_of(picture, link->source, at);
    others = at[0] + at[1] + at[2] + at[3] - at[d];
    bool up = others % 2 != 0, at_border = at[d] == (up ? side_of(picture, d) - 1 : 0);
    int32_t sign = up ? 1 : -1;
    report_draw_color(picture->common.draw, REPORT_NO_COLOR, street_colors[d][!up]);
    if (d < 2 && !at_border)
        draw_between(picture, router_place(picture, link->source), router_place(picture, link->target));
    else
        draw_stubs(picture, link, sign * directions[d][0], sign * directions[d][1], d < 2);
}

static void draw_shuffle(const struct one_way_picture *picture, const struct net_link *link)
{
    uint32_t column = link->source / picture->rows;
    report_draw_color(picture->common.draw, REPORT_NO_COLOR, digit_colors[link->port % 4]);
    draw_between(picture, router_place(picture, link->source),
                 column_router(picture, column + 1, link->target % picture->rows));
}

/* Lines of the legend. */
static void add_streets(const struct report_picture *common, struct report_point *next, uint32_t d)
{
    static const char *const words[4] = {
        "X: rows, dark to the right, light to the left; at an edge: goes on at the opposite edge",
        "Y: columns, dark upwards, light downwards",
        "Z: to the next slice to the north-east, to the one before to the south-west",
        "D4: to the slice above to the north-west, to the one below to the south-east"};
    struct report_point sample = report_picture_entry(common, next, words[d]);
    for (int32_t up = 0; up < 2; up++) {
        int32_t y = sample.y + (up ? -30 : 30);
        report_draw_color(common->draw, REPORT_NO_COLOR, street_colors[d][!up]);
        report_draw_line(common->draw, (struct report_point){sample.x - 90, y},
                         (struct report_point){sample.x + 90, y}, 24);
    }
}

static void draw_legend(const struct one_way_picture *picture, struct report_point next)
{
    const struct report_picture *common = &picture->common;
    if (!is_darm(picture)) {
        struct report_point sample =
            report_picture_entry(common, &next, "one colour a port; the last column is the first one again");
        report_draw_color(common->draw, REPORT_NO_COLOR, digit_colors[0]);
        report_draw_arrow(common->draw, (struct report_point){sample.x - 90, sample.y},
                          (struct report_point){sample.x + 90, sample.y}, 24, 60);
        return;
    }
    for (uint32_t d = 0; d < picture->one_way->dimensions; d++)
        add_streets(common, &next, d);
}

/* The first column once more, pale: nothing leaves it. */
static void draw_routers(const struct one_way_picture *picture)
{
    const struct report_picture *common = &picture->common;
    for (uint32_t router = 0; router < common->topology->routers; router++)
        report_placed_router(common, router_place(picture, router), BOX, router);
    for (uint32_t row = 0; row < picture->rows && !is_darm(picture); row++) {
        struct report_point middle = column_router(picture, picture->columns - 1, row);
        char name[NET_NAME_TEXT];
        report_placed_name(common->topology, row, name);
        report_draw_color(common->draw, REPORT_PAPER, ROUTER_LINE);
        report_draw_box(common->draw, (struct report_point){middle.x - BOX / 2, middle.y - BOX / 2},
                        (struct report_point){BOX, BOX}, BOX / 6);
        report_draw_color(common->draw, REPORT_PALE_INK, REPORT_NO_COLOR);
        report_draw_text(common->draw, middle, BOX * 30 / 100, REPORT_MIDDLE, name);
    }
}

/* The paper's size follows from the layout. Returns the height that routers take. */
static int32_t set_layout(struct one_way_picture *picture)
{
    const struct net_one_way *one_way = picture->one_way;
    struct report_point extent;
    picture->corner = (struct report_point){MARGIN + PITCH / 2, TOP + PITCH / 2};
    if (is_darm(picture)) {
        picture->columns = one_way->sides[0];
        picture->rows = one_way->sides[1];
        extent.x = (int32_t)(side_of(picture, 2) * (picture->columns * PITCH + GAP)) - GAP;
        extent.y = (int32_t)(side_of(picture, 3) * (picture->rows * PITCH + GAP)) - GAP;
    } else {
        picture->columns = one_way->sides[1] + 1;
        picture->rows = one_way->sides[2];
        picture->step.y = PITCH * 3 / 4;
        /* So flat that no link meets a neighbour of its ends. */
        picture->step.x = picture->rows > 4 ? (int32_t)picture->rows * picture->step.y * 2 / 3 : 2 * PITCH;
        extent.x = (int32_t)one_way->sides[1] * picture->step.x + PITCH;
        extent.y = (int32_t)picture->rows * picture->step.y;
    }
    picture->common.size.x = 2 * MARGIN + extent.x < WIDTH_LEAST ? WIDTH_LEAST : 2 * MARGIN + extent.x;
    return extent.y;
}

bool report_one_way_is_drawn(const struct net_topology *topology)
{
    return topology->one_way != NULL && topology->one_way->dimensions <= 4;
}

int report_one_way_svg(const struct net_topology *topology, FILE *stream, struct base_error *error)
{
    struct one_way_picture picture = {.common = {.topology = topology, .line_width = 24},
                                      .one_way = topology->one_way};
    struct report_picture *common = &picture.common;
    struct report_svg svg;
    if (report_picture_too_large(topology, error) != 0)
        return -1;
    int32_t height = set_layout(&picture);
    uint32_t lines = is_darm(&picture) ? topology->one_way->dimensions : 1;
    common->size.y = TOP + height + 300 + (int32_t)lines * LEGEND_LINE;
    common->draw = report_svg_begin(&svg, stream, common->size, topology->text);
    report_picture_paper(common);
    for (uint32_t l = 0; l < topology->link_count; l++)
        (is_darm(&picture) ? draw_street : draw_shuffle)(&picture, &topology->links[l]);
    draw_routers(&picture);
    draw_legend(&picture, (struct report_point){MARGIN, TOP + height + 250});
    return report_svg_end(&svg, error);
}
