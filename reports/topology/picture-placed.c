/* A network without a grid: routers where its kind or its file says, or on a circle in the order of their numbers.
 * Lines are links both ways, arrows those of one way only; several between the same two routers are one line with
 * their number. */
#include "reports/topology/picture-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/drawing/svg.h"

#define PITCH 900
#define BOX 486
#define EXTENT_MOST 30000
#define WIDTH_LEAST 4600
#define LEGEND_LINES 2 /* beside those of classes */

struct placed_picture {
    struct report_picture common;
    struct report_point *place; /* [router] */
    int32_t box;
};

/* The two nearest routers decide the scale, so that no two boxes meet unless that makes a poster. */
static double nearest(const double (*places)[2], uint32_t routers)
{
    double least = 0;
    for (uint32_t a = 0; a < routers; a++)
        for (uint32_t b = 0; b < a; b++) {
            double x = places[a][0] - places[b][0], y = places[a][1] - places[b][1];
            double distance = sqrt(x * x + y * y);
            if (distance > 0 && (least == 0 || distance < least))
                least = distance;
        }
    return least == 0 ? 1 : least;
}

/* The lower and upper bound of one coordinate. */
static void bounds(const double (*places)[2], uint32_t routers, uint32_t axis, double range[2])
{
    range[0] = range[1] = places[0][axis];
    for (uint32_t r = 1; r < routers; r++) {
        range[0] = fmin(range[0], places[r][axis]);
        range[1] = fmax(range[1], places[r][axis]);
    }
}

/* To whole pixels. y grows upwards in the places, and downwards on paper. */
static struct report_point place_given(struct placed_picture *picture, const double (*places)[2],
                                       struct report_point corner)
{
    uint32_t routers = picture->common.topology->routers;
    double x[2], y[2];
    double step = nearest(places, routers), scale = PITCH / step;
    bounds(places, routers, 0, x);
    bounds(places, routers, 1, y);
    double extent = fmax(fmax(x[1] - x[0], y[1] - y[0]), step);
    if (extent * scale > EXTENT_MOST)
        scale = EXTENT_MOST / extent;
    picture->box = (int32_t)(BOX / (double)PITCH * step * scale / 10) * 10;
    for (uint32_t r = 0; r < routers; r++)
        picture->place[r] =
            (struct report_point){corner.x + (int32_t)lround((places[r][0] - x[0]) * scale / 10) * 10,
                                  corner.y + (int32_t)lround((y[1] - places[r][1]) * scale / 10) * 10};
    return (struct report_point){(int32_t)((x[1] - x[0]) * scale), (int32_t)((y[1] - y[0]) * scale)};
}

/* Clockwise from the top. Neighbours on the circle are a pitch apart, as long as that is no poster. */
static struct report_point place_round(struct placed_picture *picture, struct report_point corner)
{
    uint32_t routers = picture->common.topology->routers;
    double turn = 2 * acos(-1) / routers, radius = fmax(PITCH / turn, PITCH);
    radius = fmin(radius, EXTENT_MOST / 2.0);
    picture->box = (int32_t)(fmin(BOX, radius * turn * BOX / PITCH) / 10) * 10;
    for (uint32_t r = 0; r < routers; r++)
        picture->place[r] =
            (struct report_point){corner.x + (int32_t)lround((radius + radius * sin(turn * r)) / 10) * 10,
                                  corner.y + (int32_t)lround((radius - radius * cos(turn * r)) / 10) * 10};
    return (struct report_point){2 * (int32_t)radius, 2 * (int32_t)radius};
}

/* Whether the kind, or the file that it reads, says where routers are. */
static bool has_places(const struct net_topology *topology)
{
    double place[2];
    return topology->kind->place != NULL && topology->kind->place(topology, 0, place);
}

int report_placed_routers(const struct net_topology *topology, struct report_point corner,
                          struct report_placed *placed, struct base_error *error)
{
    struct placed_picture picture = {.common = {.topology = topology}};
    double(*places)[2] = calloc((size_t)topology->routers + 1, sizeof *places);
    placed->place = picture.place = calloc((size_t)topology->routers + 1, sizeof *placed->place);
    if (places == NULL || placed->place == NULL) {
        free(places);
        free(placed->place);
        placed->place = NULL;
        return base_error_memory(error, "the picture of a network");
    }
    for (uint32_t r = 0; r < topology->routers && has_places(topology); r++)
        topology->kind->place(topology, r, places[r]);
    placed->extent = has_places(topology) ? place_given(&picture, (const double(*)[2])places, corner)
                                          : place_round(&picture, corner);
    placed->box = picture.box;
    free(places);
    return 0;
}

void report_placed_name(const struct net_topology *topology, uint32_t router, char text[NET_NAME_TEXT])
{
    if (topology->graph != NULL)
        net_router_name(topology, router, text);
    else
        snprintf(text, NET_NAME_TEXT, "%u", router);
}

/* Links from one router to another. */
static uint32_t count_links(const struct net_topology *topology, uint32_t from, uint32_t to)
{
    uint32_t count = 0;
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t l = topology->link_at[(size_t)from * topology->ports + port];
        count += l != NET_NONE && topology->links[l].target == to;
    }
    return count;
}

/* The first of the links between two routers draws them all: from the lower router if there are any from
 * there. */
static bool draws_all(const struct net_topology *topology, const struct net_link *link)
{
    for (uint32_t port = 0; port < link->port; port++) {
        uint32_t l = topology->link_at[(size_t)link->source * topology->ports + port];
        if (l != NET_NONE && topology->links[l].target == link->target)
            return false;
    }
    return link->source < link->target || count_links(topology, link->target, link->source) == 0;
}

/* So many classes are told apart by colour; those beyond share the last one. */
static report_color color_of(uint32_t class)
{
    static const report_color colors[] = {REPORT_BLUE,   REPORT_VERMILION, REPORT_GREEN,   REPORT_PURPLE,
                                          REPORT_ORANGE, REPORT_SKY,       REPORT_PALE_INK};
    uint32_t last = sizeof colors / sizeof *colors - 1;
    return colors[class < last ? class : last];
}

/* From the edge of one box to that of the other, near enough. */
static void draw_link(const struct placed_picture *picture, const struct net_link *link)
{
    const struct net_topology *topology = picture->common.topology;
    struct report_draw *draw = picture->common.draw;
    uint32_t there = count_links(topology, link->source, link->target);
    uint32_t back = count_links(topology, link->target, link->source);
    struct report_point from = picture->place[link->source], to = picture->place[link->target];
    report_draw_color(draw, REPORT_NO_COLOR, color_of(link->class_number));
    if (back == 0) {
        double x = to.x - from.x, y = to.y - from.y, length = fmax(sqrt(x * x + y * y), 1);
        to.x -= (int32_t)lround(x / length * picture->box * 0.72);
        to.y -= (int32_t)lround(y / length * picture->box * 0.72);
        report_draw_arrow(draw, from, to, picture->common.line_width, picture->box / 6);
    } else {
        report_draw_line(draw, from, to, picture->common.line_width);
    }
    if (there > 1 || back > 1) {
        char text[32];
        struct report_point middle = {(from.x + to.x) / 2, (from.y + to.y) / 2 - picture->box / 5};
        if (there == back)
            snprintf(text, sizeof text, "\xc3\x97%u", there);
        else
            snprintf(text, sizeof text, "%u there, %u back", there, back);
        report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
        report_draw_text(draw, middle, picture->box / 4, REPORT_MIDDLE, text);
    }
}

/* Whether the link is dead, and no other is drawn by its line. */
static bool is_gone(const struct placed_picture *picture, uint32_t link)
{
    const struct net_topology *topology = picture->common.topology;
    return report_faults_is_dead(picture->common.faults, link) &&
           count_links(topology, topology->links[link].source, topology->links[link].target) == 1;
}

/* The links between two routers are one line, crossed out where one of them is dead; with a ring under it where one of
 * them is part of it. */
static void draw_faults(const struct placed_picture *picture, bool dead)
{
    const struct report_picture *common = &picture->common;
    for (uint32_t l = 0; l < common->topology->link_count && common->faults != NULL; l++) {
        const struct net_link *link = &common->topology->links[l];
        if (link->source > link->target)
            continue;
        if (!dead)
            report_faults_ring(common->faults, common->draw, l, picture->place[link->source],
                               picture->place[link->target], common->line_width);
        else if (report_faults_is_dead(common->faults, l))
            report_faults_cross(common->draw, picture->place[link->source], picture->place[link->target],
                                common->line_width, is_gone(picture, l));
    }
}

/* The name, in a smaller type where it is long, and the number of terminals. */
void report_placed_router(const struct report_picture *picture, struct report_point middle, int32_t box,
                          uint32_t router)
{
    const struct net_topology *topology = picture->topology;
    struct report_draw *draw = picture->draw;
    char name[NET_NAME_TEXT];
    report_placed_name(topology, router, name);
    int32_t size = box * 30 / 100, width = report_draw_text_width(draw, size, name);
    bool terminals = router < topology->terminals / topology->concentration;
    report_draw_color(draw, terminals ? ROUTER_FILL : REPORT_PAPER, ROUTER_LINE);
    report_draw_box(draw, (struct report_point){middle.x - box / 2, middle.y - box / 2},
                    (struct report_point){box, box}, box / 6);
    report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
    if (terminals)
        middle.y -= box * 14 / 100;
    report_draw_text(draw, middle, width > box * 9 / 10 ? size * (box * 9 / 10) / width : size, REPORT_MIDDLE,
                     name);
    if (terminals) {
        char text[32];
        snprintf(text, sizeof text, "%u term.", topology->concentration);
        middle.y += box * 32 / 100;
        report_draw_color(draw, REPORT_PALE_INK, REPORT_NO_COLOR);
        report_draw_text(draw, middle, box * 20 / 100, REPORT_MIDDLE, text);
    }
}

/* Of a file, since its reader may change it. */
static const char *words_of_places(const struct net_topology *topology)
{
    if (topology->graph == NULL)
        return has_places(topology) ? "numbers are those of the routers" : "a circle, clockwise from the top";
    return has_places(topology) ? "positions from the file"
                                : "the file gives no positions: a circle, clockwise from the top";
}

static void draw_legend(const struct placed_picture *picture, struct report_point next)
{
    const struct report_picture *common = &picture->common;
    struct report_point sample =
        report_picture_entry(common, &next, "line: links both ways; arrow: one way only");
    report_draw_color(common->draw, REPORT_NO_COLOR,
                      common->classes.count > 0 ? REPORT_PALE_INK : REPORT_BLUE);
    report_draw_line(common->draw, (struct report_point){sample.x - 90, sample.y},
                     (struct report_point){sample.x + 90, sample.y}, 30);
    report_picture_entry(common, &next, words_of_places(common->topology));
    for (uint32_t i = 0; i < picture->common.classes.count; i++)
        report_picture_class(common, &next, &picture->common.classes.classes[i], color_of(i));
    report_picture_faults_legend(common, &next);
}

/* Places first, since the paper's size follows from them. */
static int draw_all(struct placed_picture *picture, struct report_svg *svg, FILE *stream,
                    struct base_error *error)
{
    uint32_t legend = LEGEND_LINES + picture->common.classes.count;
    struct report_picture *common = &picture->common;
    const struct net_topology *topology = common->topology;
    struct report_point corner = {MARGIN + BOX / 2, MARGIN + TITLE_SIZE + 500 + BOX / 2};
    struct report_placed placed;
    if (report_placed_routers(topology, corner, &placed, error) != 0)
        return -1;
    struct report_point extent = placed.extent;
    picture->place = placed.place;
    picture->box = placed.box;
    int32_t title = (int32_t)strlen(topology->text) * TITLE_SIZE * 3 / 5, across = extent.x + BOX;
    across = across < title ? title : across;
    common->size.x = 2 * MARGIN + across < WIDTH_LEAST ? WIDTH_LEAST : 2 * MARGIN + across;
    common->size.y = corner.y + extent.y + BOX / 2 + 300 +
                     (int32_t)(legend + report_faults_lines(common->faults)) * LEGEND_LINE;
    common->line_width = picture->box >= 300 ? 24 : 16;
    common->draw = report_svg_begin(svg, stream, common->size, topology->text);
    report_picture_paper(common);
    draw_faults(picture, false);
    for (uint32_t l = 0; l < topology->link_count; l++)
        if (draws_all(topology, &topology->links[l]) && !is_gone(picture, l))
            draw_link(picture, &topology->links[l]);
    draw_faults(picture, true);
    for (uint32_t router = 0; router < topology->routers; router++)
        report_placed_router(common, picture->place[router], picture->box, router);
    draw_legend(picture, (struct report_point){MARGIN, corner.y + extent.y + BOX / 2 + 250});
    return report_svg_end(svg, error);
}

/* Where a kind or its file says nothing of places, its routers stand on a circle (draw_all). */
int report_placed_svg(const struct net_topology *topology, const struct report_faults *faults, FILE *stream,
                      struct base_error *error)
{
    struct placed_picture picture = {.common = {.topology = topology, .faults = faults}};
    struct report_svg svg;
    if (report_picture_too_large(topology, error) != 0)
        return -1;
    struct base_arena arena = {0};
    int status = report_link_classes_of(topology, &arena, &picture.common.classes) == 0
                     ? draw_all(&picture, &svg, stream, error)
                     : base_error_memory(error, "the picture of a network");
    free(picture.place);
    base_arena_free(&arena);
    return status;
}
