/* Networks whose links go one way, as the papers draw them; of a run, links and routers are shaded by what they
 * carry and deflect. A D-ARM's plane is a grid of streets, each with an arrow from router to router and a colour for
 * its direction; further dimensions are slices side by side, and those links short arrows out of their slice. A
 * ShuffleNet has its columns from left to right, and the first one once more behind the last, so that no link crosses
 * the picture. */
#include "reports/topology/picture-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/one-way.h"
#include "reports/drawing/svg.h"

#define PITCH 900
#define BOX 486
#define GAP 700 /* between slices */
#define TOP (MARGIN + TITLE_SIZE + 500)
#define LINE 24

/* Colours of rows, columns and the links between slices, up and down. */
static const report_color street_colors[4][2] = {{REPORT_BLUE, REPORT_SKY},
                                                 {REPORT_VERMILION, REPORT_ORANGE},
                                                 {REPORT_GREEN, REPORT_GREEN},
                                                 {REPORT_PURPLE, REPORT_PURPLE}};
static const report_color digit_colors[4] = {REPORT_BLUE, REPORT_VERMILION, REPORT_GREEN, REPORT_PURPLE};

/* How a link is drawn. */
struct pen {
    report_color color;
    int32_t width; /* of the line, in the picture's units */
};

/* A ShuffleNet has no dimensions. */
static bool is_darm(const struct report_one_way *plan)
{
    return plan->topology->one_way->dimensions != 0;
}

/* Dimensions that there are not are 1 long. */
static uint32_t side_of(const struct report_one_way *plan, uint32_t d)
{
    return d < plan->topology->one_way->dimensions ? plan->topology->one_way->sides[d] : 1;
}

/* The lowest dimension first. */
static void coordinates_of(const struct report_one_way *plan, uint32_t router, uint32_t at[4])
{
    for (uint32_t d = 0; d < 4; d++) {
        at[d] = router % side_of(plan, d);
        router /= side_of(plan, d);
    }
}

/* The middle of the router of a slice; the third dimension counts slices to the right, the fourth upwards. */
static struct report_point street_corner(const struct report_one_way *plan, const uint32_t at[4])
{
    int32_t across = (int32_t)plan->columns * PITCH + GAP, down = (int32_t)plan->rows * PITCH + GAP;
    int32_t slices_up = (int32_t)(side_of(plan, 3) - 1 - at[3]);
    return (struct report_point){plan->corner.x + (int32_t)at[2] * across + (int32_t)at[0] * PITCH,
                                 plan->corner.y + slices_up * down +
                                     (int32_t)(plan->rows - 1 - at[1]) * PITCH};
}

/* A column more is the first again. */
static struct report_point column_router(const struct report_one_way *plan, uint32_t column, uint32_t row)
{
    return (struct report_point){plan->corner.x + (int32_t)column * plan->step.x,
                                 plan->corner.y + (int32_t)row * plan->step.y};
}

/* The middle of its box. */
static struct report_point router_place(const struct report_one_way *plan, uint32_t router)
{
    uint32_t at[4];
    if (!is_darm(plan))
        return column_router(plan, router / plan->rows, router % plan->rows);
    coordinates_of(plan, router, at);
    return street_corner(plan, at);
}

/* From the edge of one box to that of the other, near enough. */
static void draw_between(const struct report_one_way *plan, struct report_point from, struct report_point to,
                         int32_t width)
{
    double x = to.x - from.x, y = to.y - from.y, length = fmax(sqrt(x * x + y * y), 1);
    to.x -= (int32_t)lround(x / length * BOX * 0.68);
    to.y -= (int32_t)lround(y / length * BOX * 0.68);
    report_draw_arrow(plan->draw, from, to, width, BOX / 5);
}

/* Out of the slice, or over its border: an arrow away from the source, and for a border one that comes in
 * on the other side. right and down are unit steps. */
static void draw_stubs(const struct report_one_way *plan, const struct net_link *link, int32_t right,
                       int32_t down, int32_t width, bool comes_in)
{
    struct report_point from = router_place(plan, link->source), to = router_place(plan, link->target);
    int32_t length = right != 0 && down != 0 ? PITCH * 40 / 100 : PITCH * 48 / 100, head = BOX / 6;
    report_draw_arrow(plan->draw, from,
                      (struct report_point){from.x + right * length, from.y + down * length}, width, head);
    if (comes_in)
        report_draw_arrow(
            plan->draw, (struct report_point){to.x - right * PITCH / 2, to.y - down * PITCH / 2},
            (struct report_point){to.x - right * BOX * 68 / 100, to.y - down * BOX * 68 / 100}, width, head);
}

/* Equation (11): what the parity of the other coordinates says of the direction. Within a plane a line from router
 * to router; at its border, and to other slices, short arrows. */
static void draw_street(const struct report_one_way *plan, const struct net_link *link, const struct pen *pen)
{
    static const int32_t directions[4][2] = {{1, 0}, {0, -1}, {1, -1}, {-1, -1}};
    uint32_t at[4];
    uint32_t d = link->port;
    uint32_t others;
    coordinates_of(plan, link->source, at);
    others = at[0] + at[1] + at[2] + at[3] - at[d];
    bool up = others % 2 != 0, at_border = at[d] == (up ? side_of(plan, d) - 1 : 0);
    int32_t sign = up ? 1 : -1;
    report_draw_color(plan->draw, REPORT_NO_COLOR, pen != NULL ? pen->color : street_colors[d][!up]);
    int32_t width = pen != NULL ? pen->width : LINE;
    if (d < 2 && !at_border)
        draw_between(plan, router_place(plan, link->source), router_place(plan, link->target), width);
    else
        draw_stubs(plan, link, sign * directions[d][0], sign * directions[d][1], width, d < 2);
}

/* To the column behind, also from the last one, where the first is drawn again. */
static void draw_shuffle(const struct report_one_way *plan, const struct net_link *link,
                         const struct pen *pen)
{
    uint32_t column = link->source / plan->rows;
    report_draw_color(plan->draw, REPORT_NO_COLOR, pen != NULL ? pen->color : digit_colors[link->port % 4]);
    draw_between(plan, router_place(plan, link->source),
                 column_router(plan, column + 1, link->target % plan->rows), pen != NULL ? pen->width : LINE);
}

/* A line of the legend: a dimension, with what its links have in common. Two samples: up and down in the dimension
 * have different shades. */
static void add_streets(const struct report_picture *common, struct report_point *next, uint32_t d)
{
    static const char *const words[4] = {
        "X: rows, dark to the right, light to the left; at an edge: goes on at the opposite edge",
        "Y: columns, dark upwards, light downwards",
        "Z: to the next slice to the north-east, to the one before to the south-west",
        "D4: to the slice above to the north-west, to the one below to the south-east"};
    char text[120 + REPORT_LINK_CLASS_TEXT];
    char alike[REPORT_LINK_CLASS_TEXT] = "";
    if (d < common->classes.count)
        report_link_class_text(&common->classes.classes[d], alike);
    snprintf(text, sizeof text, "%s%s%s", words[d], *alike != '\0' ? "; " : "", alike);
    struct report_point sample = report_picture_entry(common, next, text);
    for (int32_t up = 0; up < 2; up++) {
        int32_t y = sample.y + (up ? -30 : 30);
        report_draw_color(common->draw, REPORT_NO_COLOR, street_colors[d][!up]);
        report_draw_line(common->draw, (struct report_point){sample.x - 90, y},
                         (struct report_point){sample.x + 90, y}, 24);
    }
}

struct one_way_picture {
    struct report_picture common;
    struct report_one_way plan;
};

/* Of a ShuffleNet one line is enough. */
static void draw_legend(const struct report_picture *common, struct report_point next)
{
    const struct report_one_way *plan = &((const struct one_way_picture *)common)->plan;
    if (!is_darm(plan)) {
        struct report_point sample =
            report_picture_entry(common, &next, "one colour a port; the last column is the first one again");
        report_draw_color(common->draw, REPORT_NO_COLOR, digit_colors[0]);
        report_draw_arrow(common->draw, (struct report_point){sample.x - 90, sample.y},
                          (struct report_point){sample.x + 90, sample.y}, LINE, 60);
        return;
    }
    for (uint32_t d = 0; d < plan->topology->one_way->dimensions; d++)
        add_streets(common, &next, d);
}

/* A box with the router's number, in a fill. */
static void draw_router(const struct report_one_way *plan, struct report_point middle, uint32_t router,
                        report_color fill, report_color text)
{
    char name[NET_NAME_TEXT];
    report_placed_name(plan->topology, router, name);
    report_draw_color(plan->draw, fill, ROUTER_LINE);
    report_draw_box(plan->draw, (struct report_point){middle.x - BOX / 2, middle.y - BOX / 2},
                    (struct report_point){BOX, BOX}, BOX / 6);
    report_draw_color(plan->draw, text, REPORT_NO_COLOR);
    report_draw_text(plan->draw, middle, BOX * 30 / 100, REPORT_MIDDLE, name);
}

/* The first column once more, pale: nothing leaves it. */
static void draw_copies(const struct report_one_way *plan)
{
    for (uint32_t row = 0; row < plan->rows && !is_darm(plan); row++)
        draw_router(plan, column_router(plan, plan->columns - 1, row), row, REPORT_PAPER, REPORT_PALE_INK);
}

/* extent is of all routers, from the corner on. */
struct report_one_way report_one_way_layout(const struct net_topology *topology, struct report_point corner)
{
    const struct net_one_way *one_way = topology->one_way;
    struct report_one_way plan = {.topology = topology,
                                  .corner = {corner.x + PITCH / 2, corner.y + PITCH / 2}};
    if (is_darm(&plan)) {
        plan.columns = one_way->sides[0];
        plan.rows = one_way->sides[1];
        plan.extent.x = (int32_t)(side_of(&plan, 2) * (plan.columns * PITCH + GAP)) - GAP;
        plan.extent.y = (int32_t)(side_of(&plan, 3) * (plan.rows * PITCH + GAP)) - GAP;
    } else {
        plan.columns = one_way->sides[1] + 1;
        plan.rows = one_way->sides[2];
        plan.step.y = PITCH * 3 / 4;
        /* So flat that no link meets a neighbour of its ends. */
        plan.step.x = plan.rows > 4 ? (int32_t)plan.rows * plan.step.y * 2 / 3 : 2 * PITCH;
        plan.extent.x = (int32_t)one_way->sides[1] * plan.step.x + PITCH;
        plan.extent.y = (int32_t)plan.rows * plan.step.y;
    }
    return plan;
}

/* pen NULL: in the colours of the network itself. */
static void draw_link(const struct report_one_way *plan, uint32_t link, const struct pen *pen)
{
    (is_darm(plan) ? draw_street : draw_shuffle)(plan, &plan->topology->links[link], pen);
}

/* 0 of nothing. */
static double most_of(const double *loads, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, loads[i]);
    return most;
}

/* Where the caller can say what a link carries. */
static void tell_link(const struct report_one_way *plan, uint32_t link)
{
    char text[REPORT_LOAD_NOTE];
    if (plan->note == NULL)
        return;
    plan->note(plan->context, link, text);
    report_draw_note(plan->draw, text);
}

static void tell_router(const struct report_one_way *plan, uint32_t router, double deflected)
{
    char name[NET_NAME_TEXT], text[NET_NAME_TEXT + 64];
    net_router_name(plan->topology, router, name);
    snprintf(text, sizeof text, "%s: %.0f flits deflected", name, deflected);
    report_draw_note(plan->draw, text);
}

/* Lines between boxes have it in their middle, short arrows near their router. */
struct report_point report_one_way_middle(const struct report_one_way *plan, uint32_t link)
{
    const struct net_link *of = &plan->topology->links[link];
    struct report_point from = router_place(plan, of->source), to = router_place(plan, of->target);
    if (!is_darm(plan))
        to = column_router(plan, of->source / plan->rows + 1, of->target % plan->rows);
    int32_t x = to.x - from.x, y = to.y - from.y;
    if (!is_darm(plan) || (of->port < 2 && abs(x) <= PITCH && abs(y) <= PITCH))
        return (struct report_point){from.x + x / 2, from.y + y / 2};
    if (of->port < 2) { /* over the border: away from the target */
        x = -((x > 0) - (x < 0));
        y = -((y > 0) - (y < 0));
    } else { /* out of the slice, the third dimension north-east and the fourth north-west */
        bool up = of->port == 2 ? to.x > from.x : to.y < from.y;
        x = (up == (of->port == 2)) ? 1 : -1;
        y = up ? -1 : 1;
    }
    return (struct report_point){from.x + x * PITCH * 38 / 100, from.y + y * PITCH * 38 / 100};
}

/* The busiest links last, over the others; a router that deflects much is dark, and its number light. routers
 * NULL: nothing is deflected, or nobody counted it. */
void report_one_way_loads(const struct report_one_way *plan, const double *links, const double *routers)
{
    uint32_t link_count = plan->topology->link_count, router_count = plan->topology->routers;
    double most = most_of(links, link_count), worst = routers != NULL ? most_of(routers, router_count) : 0;
    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++)
        for (uint32_t l = 0; l < link_count; l++)
            if (report_load_step(links[l], most) == step) {
                tell_link(plan, l);
                draw_link(plan, l, &(struct pen){report_load_colors[step], 12 + (int32_t)step * 6});
            }
    for (uint32_t router = 0; router < router_count; router++) {
        report_draw_note(plan->draw, NULL);
        if (routers != NULL)
            tell_router(plan, router, routers[router]);
        uint32_t step = routers != NULL ? report_load_step(routers[router], worst) : 0;
        draw_router(plan, router_place(plan, router), router,
                    routers != NULL ? report_load_colors[step] : ROUTER_FILL,
                    routers != NULL ? report_load_ink(step) : REPORT_INK);
    }
    report_draw_note(plan->draw, NULL);
    draw_copies(plan);
}

/* More dimensions than four have no place on paper. */
bool report_one_way_is_drawn(const struct net_topology *topology)
{
    return topology->one_way != NULL && topology->one_way->dimensions <= 4;
}

/* The paper's size follows from the layout. Lines first, boxes over their ends. */
int report_one_way_svg(const struct net_topology *topology, FILE *stream, struct base_error *error)
{
    struct one_way_picture picture = {
        .common = {.topology = topology, .line_width = LINE, .legend = draw_legend},
        .plan = report_one_way_layout(topology, (struct report_point){MARGIN, TOP})};
    struct report_picture *common = &picture.common;
    struct report_one_way *plan = &picture.plan;
    struct report_point body = {MARGIN + plan->extent.x, TOP + plan->extent.y};
    struct base_arena arena = {0};
    struct report_svg svg;
    if (report_picture_too_large(topology, error) != 0)
        return -1;
    if (report_link_classes_of(topology, NULL, &arena, &common->classes) != 0) {
        base_arena_free(&arena);
        return base_error_memory(error, "the picture of the network");
    }
    report_picture_begin(common, &svg, stream, body);
    plan->draw = common->draw;
    for (uint32_t l = 0; l < topology->link_count; l++)
        draw_link(plan, l, NULL);
    for (uint32_t router = 0; router < topology->routers; router++)
        report_placed_router(common, router_place(plan, router), BOX, router);
    draw_copies(plan);
    int status = report_picture_end(common, &svg, body, error);
    base_arena_free(&arena);
    return status;
}
