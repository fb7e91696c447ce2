/* Drawn from back to front: paper, slices, links with the diagonals first, routers over the ends of their
 * links, texts. What is where is the layout's business (picture-layout.h); here is what it looks like. Links
 * that cannot be a straight line between neighbours (wrap-arounds, links to another slice) are short arrows
 * on both sides: a curve over the picture would cross routers, and thirty of them could not be told apart. */
#include "reports/topology/picture.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "netmodel/stages/multistage.h"
#include "reports/drawing/measure.h"
#include "reports/drawing/svg.h"
#include "reports/topology/picture-parts.h"

#define TEXT_SIZE 120
#define LEGEND_SAMPLE 260
#define LEGEND_GAP 250
/* Terminals that are drawn as dots; more are written as a number. */
#define DOTS_MAX 5

/* Links by dimension or diagonal: colours that differ in brightness too (after Okabe and Ito). */
static const report_color link_colors[] = {REPORT_BLUE, REPORT_GREEN, REPORT_VERMILION, REPORT_PURPLE};

/* Steps of a port in its dimensions (topology.h, the order of ports): straight ports first, then king
 * diagonals. Even ports go up in their dimension and odd ones down. Four dimensions are all that is drawn
 * (report_topology_drawable). */
static void steps_of(const struct net_topology *topology, uint32_t port, int32_t steps[4])
{
    int32_t sign = port % 2 == 0 ? 1 : -1;
    for (uint32_t d = 0; d < 4; d++)
        steps[d] = 0;
    if (port < 2 * topology->grid->dimensions) {
        steps[port / 2] = sign;
    } else {
        steps[0] = sign;
        bool is_z = port < 2 * topology->grid->dimensions + 2 && (topology->grid->diagonals & NET_DIAGONAL_Z);
        steps[1] = is_z ? sign : -sign;
    }
}

/* Steps in the plane are drawn as they are, y upwards; the third dimension points north-east, the fourth
 * north-west. On paper y grows downwards, hence the sign. A link wraps when it leaves from the last router in
 * its direction, which is why a mesh, that has none there, needs no case of its own. */
struct report_look report_picture_look(const struct net_topology *topology, const struct net_link *link)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    int32_t steps[4];
    struct report_look look = {0};
    steps_of(topology, link->port, steps);
    net_topology_coordinates(topology, link->source, at);
    look.right = steps[0] + steps[2] - steps[3];
    look.down = -(steps[1] + steps[2] + steps[3]);
    look.is_arrow = steps[2] != 0 || steps[3] != 0;
    for (uint32_t d = 0; d < topology->grid->dimensions && d < 4; d++)
        if (steps[d] != 0 && at[d] == (steps[d] > 0 ? topology->grid->sides[d] - 1 : 0))
            look.is_arrow = true;
    return look;
}

/* In a folded line every other row runs back. */
struct report_point report_picture_arrow_end(const struct report_picture *picture,
                                             const struct net_link *link, struct report_look look,
                                             int32_t percent)
{
    struct report_point from = report_layout_router(&picture->layout, link->source);
    int32_t length = picture->layout.pitch * percent / 100;
    bool runs_back =
        picture->topology->grid->dimensions == 1 && link->source / picture->layout.columns % 2 == 1;
    return (struct report_point){from.x + (runs_back ? -look.right : look.right) * length,
                                 from.y + look.down * length};
}

/* An arrow leaves its router and ends before it could meet that of a neighbour. A channel's ends at the m-way
 * router that is drawn there. */
static void draw_arrow(const struct report_picture *picture, const struct net_link *link,
                       struct report_look look)
{
    struct report_point from = report_layout_router(&picture->layout, link->source);
    bool diagonal = look.right != 0 && look.down != 0;
    struct report_point to = report_picture_arrow_end(picture, link, look, diagonal ? 43 : 47);
    if (picture->topology->shared != NULL)
        report_draw_line(picture->draw, from,
                         report_picture_arrow_end(picture, link, look, REPORT_WAY_ROUTER_AT),
                         picture->line_width);
    else
        report_draw_arrow(picture->draw, from, to, picture->line_width, picture->layout.pitch / 14);
}

/* What lies under all links, and what is there in place of dead ones. A link that is drawn as an arrow is marked as
 * far as the arrow goes, at both of its ends. Of a pair of links between neighbours one is enough to be looked at. */
static void draw_faults(const struct report_picture *picture, bool dead)
{
    const struct net_topology *topology = picture->topology;
    for (uint32_t l = 0; l < topology->link_count && picture->faults != NULL; l++) {
        const struct net_link *link = &topology->links[l];
        struct report_look look = report_picture_look(topology, link);
        bool diagonal = look.right != 0 && look.down != 0;
        struct report_point from = report_layout_router(&picture->layout, link->source);
        struct report_point to = look.is_arrow
                                     ? report_picture_arrow_end(picture, link, look, diagonal ? 43 : 47)
                                     : report_layout_router(&picture->layout, link->target);
        if (!look.is_arrow && link->port % 2 != 0)
            continue;
        if (!dead)
            report_faults_ring(picture->faults, picture->draw, l, from, to, picture->line_width);
        else if (report_faults_is_dead(picture->faults, l))
            report_faults_cross(picture->draw,
                                look.is_arrow ? report_picture_arrow_end(picture, link, look, 20) : from, to,
                                picture->line_width, true);
    }
}

/* The links of one dimension or diagonal: a line for the two of each pair, an arrow for each that leaves the
 * plane. Of the two links between neighbours, which lie on each other, the even port's draws the line. class: half
 * of the port's number, as both ports of a dimension have one colour. */
static void draw_links(const struct report_picture *picture, uint32_t class)
{
    const struct net_topology *topology = picture->topology;
    report_draw_color(picture->draw, REPORT_NO_COLOR, link_colors[class]);
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        if (link->port / 2 != class || report_faults_is_dead(picture->faults, l))
            continue;
        struct report_look look = report_picture_look(topology, link);
        if (look.is_arrow)
            draw_arrow(picture, link, look);
        else if (link->port % 2 == 0)
            report_draw_line(picture->draw, report_layout_router(&picture->layout, link->source),
                             report_layout_router(&picture->layout, link->target), picture->line_width);
    }
}

/* "(3,4,1)", in a smaller type where it is long. The width of the text is estimated, since the viewer chooses the
 * font. */
static void draw_coordinates(const struct report_picture *picture, uint32_t router,
                             struct report_point middle)
{
    const struct net_topology *topology = picture->topology;
    int32_t room = picture->layout.router * 95 / 100, size = picture->layout.router * 22 / 100;
    int32_t width;
    uint32_t at[NET_DIMENSIONS_MAX];
    char text[64];
    size_t length = 0;
    net_topology_coordinates(topology, router, at);
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%c%u", d == 0 ? '(' : ',', at[d]);
    snprintf(text + length, sizeof text - length, ")");
    width = report_draw_text_width(picture->draw, size, text);
    report_draw_color(picture->draw, ROUTER_INK, REPORT_NO_COLOR);
    report_draw_text(picture->draw, middle, width > room ? size * room / width : size, REPORT_MIDDLE, text);
}

/* One terminal a router is the rule and not drawn. The sign of a product (U+00D7, in UTF-8) stands before
 * their number. Up to DOTS_MAX dots in a row, centred. */
static void draw_terminals(const struct report_picture *picture, struct report_point middle)
{
    uint32_t terminals = picture->topology->concentration;
    int32_t step = picture->layout.router / 7;
    if (terminals > DOTS_MAX) {
        char text[16];
        snprintf(text, sizeof text, "\xc3\x97%u", terminals);
        report_draw_color(picture->draw, ROUTER_INK, REPORT_NO_COLOR);
        report_draw_text(picture->draw, middle, picture->layout.router / 5, REPORT_MIDDLE, text);
        return;
    }
    report_draw_color(picture->draw, ROUTER_LINE, REPORT_NO_COLOR);
    middle.x -= step * (int32_t)(terminals - 1) / 2;
    for (uint32_t i = 0; i < terminals; i++, middle.x += step)
        report_draw_dot(picture->draw, middle, step * 2 / 3);
}

/* Processors of shared channels have symbols of their own, where there is room for them. */
static bool has_dots(const struct net_topology *topology)
{
    if (topology->shared != NULL)
        return !report_mway_has_room(topology) && !net_shared_inside_routers(topology);
    return topology->concentration > 1;
}

/* From top to bottom: the number, the coordinates where they can be read, the terminals where there are
 * several. The block of one to three lines is centred as a whole: it begins half a line higher for each line
 * that there is beside the number. */
static void draw_router(const struct report_picture *picture, uint32_t router)
{
    const struct net_topology *topology = picture->topology;
    struct report_point middle = report_layout_router(&picture->layout, router);
    int32_t width = picture->layout.router, line = width * 28 / 100;
    bool has_coordinates = topology->grid->dimensions > 1 && width >= 300, has_terminals = has_dots(topology);
    char text[64];
    report_draw_color(picture->draw, ROUTER_FILL, ROUTER_LINE);
    report_draw_box(picture->draw, (struct report_point){middle.x - width / 2, middle.y - width / 2},
                    (struct report_point){width, width}, width / 6);
    middle.y -= line * (has_coordinates + has_terminals) / 2;
    snprintf(text, sizeof text, "%u", router);
    report_draw_color(picture->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(picture->draw, middle, width * (has_coordinates || has_terminals ? 30 : 36) / 100,
                     REPORT_MIDDLE, text);
    middle.y += line;
    if (has_coordinates) {
        draw_coordinates(picture, router, middle);
        middle.y += line;
    }
    if (has_terminals)
        draw_terminals(picture, middle);
}

/* What is the same in a whole slice: "z = 2", or "z = 2, w = 0". Above the slice. */
static void draw_slice_name(const struct report_picture *picture, uint32_t slice)
{
    const struct net_topology *topology = picture->topology;
    struct report_point point = report_layout_slice(&picture->layout, slice);
    char text[64];
    if (topology->grid->dimensions == 3)
        snprintf(text, sizeof text, "z = %u", slice);
    else
        snprintf(text, sizeof text, "z = %u, fourth = %u", slice % topology->grid->sides[2],
                 slice / topology->grid->sides[2]);
    point.x += picture->layout.slice.x / 2;
    point.y -= 120;
    report_draw_color(picture->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(picture->draw, point, TEXT_SIZE, REPORT_MIDDLE, text);
}

/* A shade under each slice tells which arrows lead out of it. A plane network is a single slice and has no
 * shade. */
static void draw_slices(const struct report_picture *picture)
{
    for (uint32_t slice = 0; slice < picture->layout.slices && picture->layout.slices > 1; slice++) {
        report_draw_color(picture->draw, 0xf4f2ec, REPORT_NO_COLOR);
        report_draw_box(picture->draw, report_layout_slice(&picture->layout, slice), picture->layout.slice,
                        80);
        draw_slice_name(picture, slice);
    }
}

/* Coordinates along the left and the lower edge, where routers are too small to hold them. Of planes only: slices
 * have their names. */
static void draw_axes(const struct report_picture *picture)
{
    const struct report_layout *layout = &picture->layout;
    char text[16];
    if (picture->topology->grid->dimensions != 2)
        return;
    report_draw_color(picture->draw, REPORT_PALE_INK, REPORT_NO_COLOR);
    for (uint32_t x = 0; x < layout->columns; x++) {
        struct report_point point = {report_layout_router(layout, x).x, layout->top + layout->slice.y + 80};
        snprintf(text, sizeof text, "%s%u", x == 0 ? "x = " : "", x);
        report_draw_text(picture->draw, point, 100, REPORT_MIDDLE, text);
    }
    for (uint32_t y = 0; y < layout->rows; y++) {
        struct report_point point = {layout->left - 60, report_layout_router(layout, y * layout->columns).y};
        snprintf(text, sizeof text, "%s%u", y == 0 ? "y = " : "", y);
        report_draw_text(picture->draw, point, 100, REPORT_END, text);
    }
}

/* Leaves room for the sample before the text. */
struct report_point report_picture_entry(const struct report_picture *picture, struct report_point *next,
                                         const char *text)
{
    struct report_point sample = {next->x + LEGEND_SAMPLE / 2 - 30, next->y};
    report_draw_color(picture->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(picture->draw, (struct report_point){next->x + LEGEND_SAMPLE, next->y}, TEXT_SIZE,
                     REPORT_START, text);
    next->y += LEGEND_LINE;
    return sample;
}

/* A short line in a colour. */
static void draw_sample(const struct report_picture *picture, struct report_point sample, report_color color)
{
    report_draw_color(picture->draw, REPORT_NO_COLOR, color);
    report_draw_line(picture->draw, (struct report_point){sample.x - 90, sample.y},
                     (struct report_point){sample.x + 90, sample.y}, 30);
}

/* The name is cut: it may be any word of a file. */
void report_picture_class(const struct report_picture *picture, struct report_point *next,
                          const struct report_link_class *class, report_color color)
{
    char text[64 + REPORT_LINK_CLASS_TEXT], common[REPORT_LINK_CLASS_TEXT];
    report_link_class_text(class, common);
    snprintf(text, sizeof text, "%.40s: %" PRIu64 " directed links%s%s", class->name, class->channels,
             *common != '\0' ? ", " : "", common);
    draw_sample(picture, report_picture_entry(picture, next, text), color);
}

/* What the links of a pair of ports have in common with the others of their class; "" where nobody knows. */
static const char *say_length(const struct report_picture *picture, uint32_t class,
                              char text[2 + REPORT_LINK_CLASS_TEXT])
{
    uint32_t number = 0;
    for (uint32_t l = 0; l < picture->topology->link_count; l++)
        if (picture->topology->links[l].port / 2 == class)
            number = picture->topology->links[l].class_number;
    text[0] = '\0';
    if (picture->classes.count > 0 &&
        *report_link_class_text(&picture->classes.classes[number], text + 2) != '\0')
        memcpy(text, ", ", 2);
    return text;
}

/* A class is a pair of opposite ports: a dimension, or a diagonal. Counted, not computed: the legend must
 * agree with the links that were drawn, whatever kind they are of. */
static uint32_t links_of_class(const struct net_topology *topology, uint32_t class)
{
    uint32_t count = 0;
    for (uint32_t l = 0; l < topology->link_count; l++)
        count += topology->links[l].port / 2 == class;
    return count;
}

/* What the colour alone does not say. */
static const char *remark_of(const struct net_topology *topology, uint32_t class)
{
    if (class < 2 && class < topology->grid->dimensions)
        return "";
    if (class < topology->grid->dimensions)
        return class == 2 ? " (z + 1 to the north-east, z - 1 to the south-west)"
                          : " (fourth + 1 to the north-west, fourth - 1 to the south-east)";
    return class == topology->grid->dimensions && (topology->grid->diagonals & NET_DIAGONAL_Z) != 0
               ? " (north-east diagonal)"
               : " (north-west diagonal)";
}

/* A sample of the colour, the name of the ports, and how many links there are: the picture can be checked by
 * counting. */
static void add_class(const struct report_picture *picture, struct report_point *next, uint32_t class)
{
    const struct net_topology *topology = picture->topology;
    const char *name = topology->kind->port_name(topology, 2 * class);
    char text[128 + REPORT_LINK_CLASS_TEXT], length[2 + REPORT_LINK_CLASS_TEXT];
    /* The name of the positive port, without its sign. */
    uint32_t links = links_of_class(topology, class);
    snprintf(text, sizeof text, "%.*s%s: %u %s%s", (int)strcspn(name, "+"), name, remark_of(topology, class),
             topology->shared != NULL ? links / 2 : links,
             topology->shared != NULL ? "m-way routers" : "directed links",
             say_length(picture, class, length));
    draw_sample(picture, report_picture_entry(picture, next, text), link_colors[class]);
}

/* A wrapping link is not drawn across the picture: arrows at the edges stand for it. */
static void add_wrap(const struct report_picture *picture, struct report_point *next)
{
    const char *text = picture->topology->grid->dimensions == 1 ? "at an end: goes on at the other end"
                                                                : "at an edge: goes on at the opposite edge";
    struct report_point sample = report_picture_entry(picture, next, text);
    report_draw_color(picture->draw, REPORT_NO_COLOR, REPORT_PALE_INK);
    report_draw_arrow(picture->draw, (struct report_point){sample.x - 80, sample.y},
                      (struct report_point){sample.x + 80, sample.y}, 24, 60);
}

/* One line for all routers, as terminals are numbered router by router. */
static void add_terminals(const struct report_picture *picture, struct report_point *next)
{
    uint32_t terminals = picture->topology->concentration;
    char text[128];
    snprintf(text, sizeof text, "%u terminals at router r: %ur to %ur + %u", terminals, terminals, terminals,
             terminals - 1);
    struct report_point sample = report_picture_entry(picture, next, text);
    report_draw_color(picture->draw, ROUTER_LINE, REPORT_NO_COLOR);
    report_draw_dot(picture->draw, sample, 60);
}

/* Nothing without faults. */
void report_picture_faults_legend(const struct report_picture *picture, struct report_point *next)
{
    for (uint32_t which = 0; which < report_faults_lines(picture->faults); which++) {
        char text[128];
        report_faults_legend(picture->faults, which, text, sizeof text);
        report_faults_sample(picture->draw, which, report_picture_entry(picture, next, text));
    }
}

/* Only what the picture shows. */
static void draw_legend(const struct report_picture *picture, struct report_point next)
{
    for (uint32_t class = 0; class < picture->topology->ports / 2; class ++)
        add_class(picture, &next, class);
    if (picture->topology->shared != NULL) {
        report_mway_legend(picture, &next);
        return;
    }
    if (picture->topology->grid->wraps && picture->topology->ports > 0)
        add_wrap(picture, &next);
    if (picture->topology->concentration > 1)
        add_terminals(picture, &next);
    report_picture_faults_legend(picture, &next);
}

/* "64 routers, 128 terminals, 420 directed links", or "16 channels, 16 processors, 24 m-way routers" Words as the
 * network's papers have them. */
static void write_counts(const struct net_topology *topology, char *text, size_t size)
{
    bool shared = topology->shared != NULL;
    if (topology->multistage != NULL) {
        const struct net_multistage *multistage = topology->multistage;
        snprintf(text, size, "%u processors, %u stages of %u cells, %u links, %u buses",
                 multistage->processors, multistage->stages, multistage->cells, topology->link_count,
                 multistage->bus_count);
        return;
    }
    snprintf(text, size, "%u %s%s, %u %s%s, %u %s", topology->routers, shared ? "channel" : "router",
             topology->routers == 1 ? "" : "s", topology->terminals, shared ? "processor" : "terminal",
             topology->terminals == 1 ? "" : "s",
             shared ? topology->shared->router_count : topology->link_count,
             shared ? "m-way routers" : "directed links");
}

/* The title, and what it is made of. */
static void draw_head(const struct report_picture *picture)
{
    char text[128];
    report_draw_color(picture->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(picture->draw, (struct report_point){MARGIN, MARGIN + TITLE_SIZE / 2}, TITLE_SIZE,
                     REPORT_START, picture->topology->text);
    write_counts(picture->topology, text, sizeof text);
    report_draw_color(picture->draw, REPORT_PALE_INK, REPORT_NO_COLOR);
    report_draw_text(picture->draw, (struct report_point){MARGIN, MARGIN + TITLE_SIZE + 110}, TEXT_SIZE,
                     REPORT_START, text);
}

/* How far its words reach: to the right, and of the legend alone, down. */
static struct report_point measure_words(struct report_picture *picture)
{
    struct report_measure head, legend;
    picture->draw = report_measure_begin(&head);
    draw_head(picture);
    picture->draw = report_measure_begin(&legend);
    picture->legend(picture, (struct report_point){MARGIN, 0});
    return (struct report_point){head.reach.x > legend.reach.x ? head.reach.x : legend.reach.x,
                                 legend.reach.y};
}

/* Everything stands on paper of its own, so that it can be read on a page of any colour. Words are drawn twice: first
 * to see how much room they take. */
void report_picture_begin(struct report_picture *picture, struct report_svg *svg, FILE *stream,
                          struct report_point body)
{
    struct report_point words = measure_words(picture);
    picture->size.x = (body.x > words.x ? body.x : words.x) + MARGIN;
    int32_t larger = report_draw_larger(picture->size.x), below = LEGEND_GAP + words.y + MARGIN / 2;
    picture->size.y = body.y + below + report_draw_more(REPORT_PICTURE_HEAD + below, larger);
    picture->draw = report_svg_begin(svg, stream, picture->size, picture->topology->text);
    report_draw_color(picture->draw, REPORT_PAPER, REPORT_NO_COLOR);
    report_draw_box(picture->draw, (struct report_point){0, 0}, picture->size, 0);
    picture->draw->larger = larger;
    draw_head(picture);
    picture->draw->origin.y = report_draw_more(REPORT_PICTURE_HEAD, larger);
    picture->draw->larger = 0;
}

/* From where the body ends. */
int report_picture_end(const struct report_picture *picture, struct report_svg *svg, struct report_point body,
                       struct base_error *error)
{
    picture->draw->origin.y += body.y;
    picture->draw->larger = report_draw_larger(picture->size.x);
    picture->legend(picture, (struct report_point){MARGIN, LEGEND_GAP});
    return report_svg_end(svg, error);
}

/* From top to bottom: title, slices (with axes around a single one). Returns how far they reach. */
static struct report_point lay_out(struct report_picture *picture)
{
    const struct net_topology *topology = picture->topology;
    int32_t top = REPORT_PICTURE_HEAD + (topology->grid->dimensions > 2 ? 300 : 100);
    report_layout_set(&picture->layout, topology, MARGIN + (topology->grid->dimensions == 2 ? 300 : 0), top);
    picture->line_width = picture->layout.pitch >= 600 ? 24 : 16;
    return (struct report_point){picture->layout.left + picture->layout.size.x, top + picture->layout.size.y};
}

/* The last class first, so that the straight links lie over the diagonals. What is drawn later lies over what is
 * there. */
static void draw_all(const struct report_picture *picture)
{
    draw_slices(picture);
    draw_axes(picture);
    draw_faults(picture, false);
    for (uint32_t class = picture->topology->ports / 2; class -- > 0;)
        draw_links(picture, class);
    draw_faults(picture, true);
    if (picture->topology->shared != NULL)
        report_mway_draw(picture);
    for (uint32_t router = 0; router < picture->topology->routers; router++)
        draw_router(picture, router);
}

/* Thousands of boxes would be a texture, not a picture. */
int report_picture_too_large(const struct net_topology *topology, struct base_error *error)
{
    if (topology->routers <= REPORT_PICTURE_ROUTERS_MAX)
        return 0;
    return base_error_set(error, BASE_USAGE, "topology '%s' has %u routers; a picture shows at most %u",
                          topology->text, topology->routers, REPORT_PICTURE_ROUTERS_MAX);
}

/* Neither a grid nor nothing. */
bool report_topology_is_placed(const struct net_topology *topology)
{
    return topology->grid == NULL && !net_topology_is_ideal(topology);
}

/* Before anything is written: a picture nobody could read is refused with the reason. Pictures of placements
 * and loads ask too, having the same layout. The sentence says why. */
int report_topology_drawable(const struct net_topology *topology, struct base_error *error)
{
    if (net_topology_is_ideal(topology))
        return base_error_set(error, BASE_USAGE, "topology '%s' has no routers and links to draw",
                              topology->text);
    if (report_topology_is_placed(topology))
        return base_error_set(error, BASE_USAGE,
                              "topology '%s' is not a grid; placements are drawn on grids only",
                              topology->text);
    if (report_picture_too_large(topology, error) != 0)
        return -1;
    if (topology->grid->dimensions > 4)
        return base_error_set(error, BASE_USAGE, "topology '%s' has %u dimensions; a picture shows at most 4",
                              topology->text, topology->grid->dimensions);
    return 0;
}

/* Two passes: sizes, then ink. Whose picture it is depends on the kind; they have paper, title and legend in
 * common. */
int report_topology_svg(const struct net_topology *topology, const struct report_faults *faults, FILE *stream,
                        struct base_error *error)
{
    struct report_picture picture = {.topology = topology, .faults = faults, .legend = draw_legend};
    struct base_arena arena = {0};
    struct report_svg svg;
    if (report_one_way_is_drawn(topology))
        return report_one_way_svg(topology, stream, error);
    if (topology->multistage != NULL)
        return report_stages_svg(topology, stream, error);
    if (report_topology_is_placed(topology))
        return report_placed_svg(topology, faults, stream, error);
    if (report_topology_drawable(topology, error) != 0)
        return -1;
    if (report_link_classes_of(topology, NULL, &arena, &picture.classes) != 0) {
        base_arena_free(&arena);
        return base_error_memory(error, "the picture of a network");
    }
    struct report_point body = lay_out(&picture);
    report_picture_begin(&picture, &svg, stream, body);
    draw_all(&picture);
    int status = report_picture_end(&picture, &svg, body, error);
    base_arena_free(&arena);
    return status;
}
