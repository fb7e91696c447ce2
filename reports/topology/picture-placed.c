/* A network without a grid: routers where its kind or its file says, or on a circle in the order of their numbers.
 * Lines are links both ways, arrows those of one way only; several between the same two routers are one line with
 * their number. */
#include "reports/topology/picture-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/drawing/svg.h"

#define PITCH 900
#define BOX REPORT_PLACED_BOX
#define EXTENT_MOST 30000

struct placed_picture {
    struct report_picture common; /* what all pictures of networks have */
    struct report_placed placed;  /* where routers stand */
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

/* To whole pixels. y grows upwards in the places, and downwards on paper. All coordinates are whole pixels, so
 * that lines are sharp. */
int report_placed_scale(const double (*places)[2], uint32_t count, struct report_point corner,
                        struct report_placed *placed)
{
    double x[2], y[2];
    double step = nearest(places, count), scale = PITCH / step;
    placed->place = calloc((size_t)count + 1, sizeof *placed->place);
    if (placed->place == NULL)
        return -1;
    bounds(places, count, 0, x);
    bounds(places, count, 1, y);
    double extent = fmax(fmax(x[1] - x[0], y[1] - y[0]), step);
    if (extent * scale > EXTENT_MOST)
        scale = EXTENT_MOST / extent;
    placed->box = (int32_t)(BOX / (double)PITCH * step * scale / 10) * 10;
    for (uint32_t r = 0; r < count; r++)
        placed->place[r] =
            (struct report_point){corner.x + (int32_t)lround((places[r][0] - x[0]) * scale / 10) * 10,
                                  corner.y + (int32_t)lround((y[1] - places[r][1]) * scale / 10) * 10};
    placed->extent =
        (struct report_point){(int32_t)((x[1] - x[0]) * scale), (int32_t)((y[1] - y[0]) * scale)};
    return 0;
}

/* Clockwise from the top. Neighbours on the circle are a pitch apart, as long as that is no poster. A circle says
 * nothing of the network, but shows who is linked with whom. */
static int place_round(uint32_t routers, struct report_point corner, struct report_placed *placed)
{
    double turn = 2 * acos(-1) / routers, radius = fmax(PITCH / turn, PITCH);
    radius = fmin(radius, EXTENT_MOST / 2.0);
    placed->place = calloc((size_t)routers + 1, sizeof *placed->place);
    if (placed->place == NULL)
        return -1;
    placed->box = (int32_t)(fmin(BOX, radius * turn * BOX / PITCH) / 10) * 10;
    for (uint32_t r = 0; r < routers; r++)
        placed->place[r] =
            (struct report_point){corner.x + (int32_t)lround((radius + radius * sin(turn * r)) / 10) * 10,
                                  corner.y + (int32_t)lround((radius - radius * cos(turn * r)) / 10) * 10};
    placed->extent = (struct report_point){2 * (int32_t)radius, 2 * (int32_t)radius};
    return 0;
}

/* Whether the kind, or the file that it reads, says where routers are. */
static bool has_places(const struct net_topology *topology)
{
    double place[2];
    return topology->kind->place != NULL && topology->kind->place(topology, 0, place);
}

/* The caller frees placed->place, also after an error. */
int report_placed_routers(const struct net_topology *topology, struct report_point corner,
                          struct report_placed *placed, struct base_error *error)
{
    double(*places)[2] = calloc((size_t)topology->routers + 1, sizeof *places);
    int status = -1;
    *placed = (struct report_placed){0};
    for (uint32_t r = 0; places != NULL && r < topology->routers && has_places(topology); r++)
        topology->kind->place(topology, r, places[r]);
    if (places != NULL && has_places(topology))
        status = report_placed_scale((const double(*)[2])places, topology->routers, corner, placed);
    else if (places != NULL)
        status = place_round(topology->routers, corner, placed);
    free(places);
    return status == 0 ? 0 : base_error_memory(error, "the picture of a network");
}

/* Whether a straight line would go through the middle of a third place, as along a row. */
static bool is_blocked(const struct report_placed *placed, uint32_t count, uint32_t from, uint32_t to)
{
    struct report_point a = placed->place[from], b = placed->place[to];
    double x = b.x - a.x, y = b.y - a.y, square = fmax(x * x + y * y, 1);
    for (uint32_t i = 0; i < count; i++) {
        double along = placed->place[i].x - a.x, across = placed->place[i].y - a.y;
        double part = (along * x + across * y) / square;
        if (i == from || i == to || part <= 0 || part >= 1)
            continue;
        if (fabs(along * y - across * x) / sqrt(square) < placed->box * 0.15)
            return true;
    }
    return false;
}

/* Flat in the middle, and the higher the longer, so that lines along one row stay apart and between two rows. Bent
 * to the right of its direction; both directions of a link are one line, drawn from one end. */
size_t report_placed_way(const struct report_placed *placed, uint32_t count, uint32_t from, uint32_t to,
                         struct report_point points[REPORT_WAY_POINTS])
{
    struct report_point a = placed->place[from], b = placed->place[to];
    points[0] = a;
    points[1] = b;
    if (!is_blocked(placed, count, from, to))
        return 2;
    double x = b.x - a.x, y = b.y - a.y, length = fmax(sqrt(x * x + y * y), 1);
    double pitches = length * BOX / PITCH / fmax(placed->box, 1);
    double height = placed->box * (0.55 + 0.77 * fmax(pitches - 1, 0) / (pitches + 2));
    for (uint32_t i = 0; i < REPORT_WAY_POINTS; i++) {
        double part = (double)i / (REPORT_WAY_POINTS - 1), middle = 2 * part - 1;
        double aside = height * (1 - middle * middle * middle * middle);
        points[i].x = a.x + (int32_t)lround((part * x - aside * y / length) / 10) * 10;
        points[i].y = a.y + (int32_t)lround((part * y + aside * x / length) / 10) * 10;
    }
    return REPORT_WAY_POINTS;
}

/* Only beyond the places: what is bent inwards is inside anyway. */
void report_placed_reach(const struct report_placed *placed, uint32_t count, uint32_t from, uint32_t to,
                         struct report_point corner, struct report_point *reach)
{
    struct report_point points[REPORT_WAY_POINTS];
    size_t way = report_placed_way(placed, count, from, to, points);
    for (size_t i = 0; way > 2 && i < way; i++) {
        int32_t right = points[i].x - corner.x - placed->box / 2;
        int32_t down = points[i].y - corner.y - placed->box / 2;
        reach->x = right > reach->x ? right : reach->x;
        reach->y = down > reach->y ? down : reach->y;
    }
}

/* From the corner to where lines reach. */
static struct report_point reach_of(const struct report_placed *placed, struct report_point corner,
                                    const struct net_topology *topology)
{
    struct report_point reach = placed->extent;
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        if (link->source <= link->target)
            report_placed_reach(placed, topology->routers, link->source, link->target, corner, &reach);
    }
    return reach;
}

/* A file's names, else numbers. */
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

/* Classes beyond the colours share the last one. */
report_color report_class_color(uint32_t class)
{
    static const report_color colors[] = {REPORT_BLUE,   REPORT_VERMILION, REPORT_GREEN,   REPORT_PURPLE,
                                          REPORT_ORANGE, REPORT_SKY,       REPORT_PALE_INK};
    uint32_t last = sizeof colors / sizeof *colors - 1;
    return colors[class < last ? class : last];
}

/* From the edge of one box to that of the other, near enough. The number of parallel links stands beside the line;
 * both directions are told where they differ. */
static void draw_link(const struct placed_picture *picture, const struct net_link *link)
{
    const struct net_topology *topology = picture->common.topology;
    struct report_draw *draw = picture->common.draw;
    uint32_t there = count_links(topology, link->source, link->target);
    uint32_t back = count_links(topology, link->target, link->source);
    struct report_point from = picture->placed.place[link->source], to = picture->placed.place[link->target];
    report_draw_color(draw, REPORT_NO_COLOR, report_class_color(link->class_number));
    if (back == 0) {
        double x = to.x - from.x, y = to.y - from.y, length = fmax(sqrt(x * x + y * y), 1);
        to.x -= (int32_t)lround(x / length * picture->placed.box * 0.72);
        to.y -= (int32_t)lround(y / length * picture->placed.box * 0.72);
        report_draw_arrow(draw, from, to, picture->common.line_width, picture->placed.box / 6);
    } else {
        struct report_point points[REPORT_WAY_POINTS];
        size_t count =
            report_placed_way(&picture->placed, topology->routers, link->source, link->target, points);
        draw->line(draw, points, count, picture->common.line_width);
    }
    if (there > 1 || back > 1) {
        char text[32];
        struct report_point middle = {(from.x + to.x) / 2, (from.y + to.y) / 2 - picture->placed.box / 5};
        if (there == back)
            snprintf(text, sizeof text, "\xc3\x97%u", there);
        else
            snprintf(text, sizeof text, "%u there, %u back", there, back);
        report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
        report_draw_text(draw, middle, picture->placed.box / 4, REPORT_MIDDLE, text);
    }
}

/* Whether the link is dead, and no other is drawn by its line. */
static bool is_gone(const struct placed_picture *picture, uint32_t link)
{
    const struct net_topology *topology = picture->common.topology;
    return report_faults_is_dead(picture->common.faults, link) &&
           count_links(topology, topology->links[link].source, topology->links[link].target) == 1;
}

/* The links between two routers are one line, crossed out where one of them is dead; with a ring under it where one
 * of them is part of it. Twice: rings under the links, crosses over them. */
static void draw_faults(const struct placed_picture *picture, bool dead)
{
    const struct report_picture *common = &picture->common;
    for (uint32_t l = 0; l < common->topology->link_count && common->faults != NULL; l++) {
        const struct net_link *link = &common->topology->links[l];
        if (link->source > link->target)
            continue;
        if (!dead)
            report_faults_ring(common->faults, common->draw, l, picture->placed.place[link->source],
                               picture->placed.place[link->target], common->line_width);
        else if (report_faults_is_dead(common->faults, l))
            report_faults_cross(common->draw, picture->placed.place[link->source],
                                picture->placed.place[link->target], common->line_width, is_gone(picture, l));
    }
}

/* The name, in a smaller type where it is long, and the number of terminals. A router without terminals is an
 * outline. */
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
        report_draw_color(draw, ROUTER_INK, REPORT_NO_COLOR);
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

/* The class whose colour the line of a link has: of two links by one line that of the first. */
static uint32_t class_of_line(const struct net_topology *topology, const struct net_link *link)
{
    for (uint32_t port = 0; link->source > link->target && port < topology->ports; port++) {
        uint32_t l = topology->link_at[(size_t)link->target * topology->ports + port];
        if (l != NET_NONE && topology->links[l].target == link->source)
            return topology->links[l].class_number;
    }
    return link->class_number;
}

/* Links down lie under those up. */
report_color report_legend_color(const struct net_topology *topology, uint32_t class)
{
    for (uint32_t l = 0; l < topology->link_count; l++)
        if (topology->links[l].class_number == class)
            return report_class_color(class_of_line(topology, &topology->links[l]));
    return report_class_color(class);
}

/* What lines and places are, then the classes of links and the faults. */
static void draw_legend(const struct report_picture *common, struct report_point next)
{
    struct report_point sample =
        report_picture_entry(common, &next, "line: links both ways; arrow: one way only");
    report_draw_color(common->draw, REPORT_NO_COLOR,
                      common->classes.count > 0 ? REPORT_PALE_INK : REPORT_BLUE);
    report_draw_line(common->draw, (struct report_point){sample.x - 90, sample.y},
                     (struct report_point){sample.x + 90, sample.y}, 30);
    report_picture_entry(common, &next, words_of_places(common->topology));
    for (uint32_t i = 0; i < common->classes.count; i++)
        report_picture_class(common, &next, &common->classes.classes[i],
                             report_legend_color(common->topology, i));
    report_picture_faults_legend(common, &next);
}

/* Places first, since the paper's size follows from them. */
static int draw_all(struct placed_picture *picture, struct report_svg *svg, FILE *stream,
                    struct base_error *error)
{
    struct report_picture *common = &picture->common;
    const struct net_topology *topology = common->topology;
    struct report_point corner = {MARGIN + BOX / 2, MARGIN + TITLE_SIZE + 500 + BOX / 2};
    if (report_placed_routers(topology, corner, &picture->placed, error) != 0)
        return -1;
    struct report_point extent = reach_of(&picture->placed, corner, topology);
    struct report_point body = {MARGIN + extent.x + BOX, corner.y + extent.y + BOX / 2};
    common->line_width = picture->placed.box >= 300 ? 24 : 16;
    common->legend = draw_legend;
    report_picture_begin(common, svg, stream, body);
    draw_faults(picture, false);
    for (uint32_t l = 0; l < topology->link_count; l++)
        if (draws_all(topology, &topology->links[l]) && !is_gone(picture, l))
            draw_link(picture, &topology->links[l]);
    draw_faults(picture, true);
    for (uint32_t router = 0; router < topology->routers; router++)
        report_placed_router(common, picture->placed.place[router], picture->placed.box, router);
    return report_picture_end(common, svg, body, error);
}

/* Where a kind or its file says nothing of places, its routers stand on a circle (draw_all). Too many routers for
 * one by one are drawn as groups, unless faults are to be seen. */
int report_placed_svg(const struct net_topology *topology, const struct report_faults *faults, FILE *stream,
                      struct base_error *error)
{
    struct placed_picture picture = {.common = {.topology = topology, .faults = faults}};
    struct report_svg svg;
    if (report_picture_too_large(topology, error) != 0)
        return -1;
    struct base_arena arena = {0};
    int status = -1;
    if (report_link_classes_of(topology, NULL, &arena, &picture.common.classes) != 0)
        base_error_memory(error, "the picture of a network");
    else if (report_is_bundled(topology) && faults == NULL)
        status = report_bundles_svg(&picture.common, stream, error);
    else
        status = draw_all(&picture, &svg, stream, error);
    free(picture.placed.place);
    base_arena_free(&arena);
    return status;
}
