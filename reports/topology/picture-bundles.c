/* Large networks with groups: the routers of a group are one box, and the links between two groups one line. */
#include <math.h>
#include <stdlib.h>

#include "netmodel/machines/fat-tree.h"
#include "reports/drawing/svg.h"
#include "reports/topology/picture-parts.h"

#define ROUNDING 1e-6 /* of places, which are means */

/* Small ones are drawn router by router, which says more. */
bool report_is_bundled(const struct net_topology *topology)
{
    return topology->group_terminals > 0 && topology->terminals > REPORT_SINGLE_TERMINALS_MAX &&
           topology->routers > REPORT_SINGLE_ROUTERS_MAX && topology->kind->place != NULL;
}

/* The group of a router's terminals; of a fat tree's routers without terminals that of the subtree below the top in
 * which they are, or for the top itself one more. */
static uint32_t group_of(const struct net_topology *topology, uint32_t router)
{
    const struct net_fat_tree *tree = net_fat_tree_of(topology);
    uint32_t routers_of_group = topology->group_terminals / topology->concentration;
    if (tree == NULL || router < tree->first[2])
        return router / routers_of_group;
    uint32_t level = net_fat_tree_level(tree, router);
    if (level == tree->levels)
        return topology->terminals / topology->group_terminals;
    return (router - tree->first[level]) / tree->roots[level] * tree->leaves[level] / routers_of_group;
}

/* Quadratic in the groups, which are few where a network has any. */
static int allocate(struct report_bundles *bundles, const struct net_topology *topology)
{
    uint32_t groups = topology->terminals / topology->group_terminals;
    groups += net_fat_tree_of(topology) != NULL;
    bundles->groups = groups;
    bundles->group = calloc((size_t)topology->routers + 1, sizeof *bundles->group);
    bundles->routers = calloc((size_t)groups + 1, sizeof *bundles->routers);
    bundles->between = calloc((size_t)groups * groups + 1, sizeof *bundles->between);
    return bundles->group == NULL || bundles->routers == NULL || bundles->between == NULL ? -1 : 0;
}

/* The distance of neighbours along an axis on which groups stand at equal distances, three of them at least; 0: they
 * do not, as on a circle. */
static double pitch_of(const double (*places)[2], uint32_t groups, uint32_t axis)
{
    double least = 0, low = places[0][axis], high = low;
    for (uint32_t a = 0; a < groups; a++) {
        low = fmin(low, places[a][axis]);
        high = fmax(high, places[a][axis]);
        for (uint32_t b = 0; b < a; b++) {
            double gap = fabs(places[a][axis] - places[b][axis]);
            if (gap > ROUNDING && (least == 0 || gap < least))
                least = gap;
        }
    }
    for (uint32_t a = 0; a < groups && least > 0; a++) {
        double steps = (places[a][axis] - low) / least;
        if (fabs(steps - round(steps)) > ROUNDING)
            return 0;
    }
    return high - low > 1.5 * least ? least : 0;
}

/* Groups that are rows would stand as far apart as a row is long, in pictures that are rows themselves: where they
 * form a lattice its axes have the same pitch. */
static void close_up(double (*places)[2], uint32_t groups)
{
    double x = pitch_of((const double(*)[2])places, groups, 0);
    double y = pitch_of((const double(*)[2])places, groups, 1);
    for (uint32_t group = 0; group < groups && x > 0 && y > 0; group++) {
        places[group][0] /= x;
        places[group][1] /= y;
    }
}

/* A group stands in the middle of its routers. The mean of their places: a group that is a row stands in its
 * middle. */
static int place_groups(struct report_bundles *bundles, const struct net_topology *topology,
                        struct report_point corner)
{
    double(*places)[2] = calloc((size_t)bundles->groups + 1, sizeof *places);
    int status = -1;
    for (uint32_t router = 0; places != NULL && router < topology->routers; router++) {
        uint32_t group = bundles->group[router];
        double place[2];
        topology->kind->place(topology, router, place);
        for (uint32_t axis = 0; axis < 2; axis++)
            places[group][axis] += place[axis] / bundles->routers[group];
    }
    if (places != NULL)
        close_up(places, bundles->groups);
    if (places != NULL)
        status = report_placed_scale((const double(*)[2])places, bundles->groups, corner, &bundles->placed);
    free(places);
    return status;
}

/* Groups of routers, how many links there are between any two, and where each is drawn. On an error nothing is
 * left to free. A link within a group counts for the pair of the group with itself, and is not drawn. */
int report_bundles_make(const struct net_topology *topology, struct report_point corner,
                        struct report_bundles *bundles, struct base_error *error)
{
    *bundles = (struct report_bundles){0};
    if (allocate(bundles, topology) == 0) {
        for (uint32_t router = 0; router < topology->routers; router++) {
            bundles->group[router] = group_of(topology, router);
            bundles->routers[bundles->group[router]]++;
        }
        for (uint32_t l = 0; l < topology->link_count; l++)
            bundles->between[report_bundle_of(bundles, &topology->links[l])]++;
        if (place_groups(bundles, topology, corner) == 0)
            return 0;
    }
    report_bundles_free(bundles);
    return base_error_memory(error, "the picture of a network");
}

/* Also of bundles that could not be made. */
void report_bundles_free(struct report_bundles *bundles)
{
    free(bundles->group);
    free(bundles->routers);
    free(bundles->between);
    free(bundles->placed.place);
    *bundles = (struct report_bundles){0};
}

/* A box with the group's number and how many routers it has; groups without terminals, the tops of trees, are an
 * outline. */
void report_bundles_group(const struct net_topology *topology, const struct report_bundles *bundles,
                          struct report_draw *draw, uint32_t group)
{
    struct report_point middle = bundles->placed.place[group];
    int32_t box = bundles->placed.box, size = box * 26 / 100;
    bool terminals = group < topology->terminals / topology->group_terminals;
    char text[64];
    report_draw_color(draw, terminals ? ROUTER_FILL : REPORT_PAPER, ROUTER_LINE);
    report_draw_box(draw, (struct report_point){middle.x - box / 2, middle.y - box / 2},
                    (struct report_point){box, box}, box / 6);
    report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
    snprintf(text, sizeof text, "%u", group);
    middle.y -= box * 16 / 100;
    report_draw_text(draw, middle, size, REPORT_MIDDLE, terminals ? text : "top");
    report_draw_color(draw, ROUTER_INK, REPORT_NO_COLOR);
    snprintf(text, sizeof text, "%u rout.", bundles->routers[group]);
    middle.y += box * 28 / 100;
    report_draw_text(draw, middle, box * 18 / 100, REPORT_MIDDLE, text);
}

/* The class of the links between two groups, which is that of the first of them. */
static uint32_t class_between(const struct net_topology *topology, const struct report_bundles *bundles,
                              size_t bundle)
{
    for (uint32_t l = 0; l < topology->link_count; l++)
        if (report_bundle_of(bundles, &topology->links[l]) == bundle)
            return topology->links[l].class_number;
    return 0;
}

/* How many links each line is, where that is the same number for all; else 0. */
static uint32_t common_count(const struct report_bundles *bundles)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < bundles->groups; a++)
        for (uint32_t b = a + 1; b < bundles->groups; b++) {
            uint32_t links = bundles->between[(size_t)a * bundles->groups + b];
            if (links > 0 && count > 0 && links != count)
                return 0;
            count = links > 0 ? links : count;
        }
    return count;
}

/* One line for all links between two groups, in the color of their class, with their number beside it where lines
 * differ. Lines that would go through a third group are bent, as in the picture of single routers. */
static void draw_bundle(const struct report_picture *common, const struct report_bundles *bundles, uint32_t a,
                        uint32_t b, bool labelled)
{
    size_t bundle = (size_t)a * bundles->groups + b;
    struct report_point points[REPORT_WAY_POINTS];
    size_t count = report_placed_way(&bundles->placed, bundles->groups, a, b, points);
    char text[32];
    report_draw_color(common->draw, REPORT_NO_COLOR,
                      report_class_color(class_between(common->topology, bundles, bundle)));
    common->draw->line(common->draw, points, count, common->line_width);
    if (!labelled || count > 2) /* numbers beside bent lines would lie on each other */
        return;
    snprintf(text, sizeof text, "\xc3\x97%u", bundles->between[bundle]);
    struct report_point middle = {(points[0].x + points[1].x) / 2,
                                  (points[0].y + points[1].y) / 2 - bundles->placed.box / 6};
    report_draw_color(common->draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(common->draw, middle, bundles->placed.box / 5, REPORT_MIDDLE, text);
}

/* The picture of the groups, and how many links each line is (0: not the same number). */
struct bundled_picture {
    struct report_picture common;
    uint32_t links;
};

/* What boxes and lines are, then the classes of links. */
static void draw_legend(const struct report_picture *common, struct report_point next)
{
    uint32_t links = ((const struct bundled_picture *)common)->links;
    char text[64] = "\xc3\x97n: links each way";
    report_picture_entry(common, &next, "box: the routers of a group; line: all links between two groups");
    if (links > 0)
        snprintf(text, sizeof text, "each line: %u link%s each way", links, links == 1 ? "" : "s");
    report_picture_entry(common, &next, text);
    for (uint32_t i = 0; i < common->classes.count; i++)
        report_picture_class(common, &next, &common->classes.classes[i],
                             report_legend_color(common->topology, i));
}

/* From the corner to where groups and the lines between them reach. */
static struct report_point reach_of(const struct report_bundles *bundles, struct report_point corner)
{
    struct report_point reach = bundles->placed.extent;
    for (uint32_t a = 0; a < bundles->groups; a++)
        for (uint32_t b = a + 1; b < bundles->groups; b++)
            if (bundles->between[(size_t)a * bundles->groups + b] > 0)
                report_placed_reach(&bundles->placed, bundles->groups, a, b, corner, &reach);
    return reach;
}

/* Lines first, so that boxes lie on them. The paper is as large as the groups and the legend need. The legend says
 * what a line is. */
int report_bundles_svg(const struct report_picture *given, FILE *stream, struct base_error *error)
{
    const struct net_topology *topology = given->topology;
    struct report_point corner = {MARGIN + REPORT_PLACED_BOX / 2,
                                  MARGIN + TITLE_SIZE + 500 + REPORT_PLACED_BOX / 2};
    struct report_bundles bundles;
    struct report_svg svg;
    if (report_bundles_make(topology, corner, &bundles, error) != 0)
        return -1;
    struct report_point reach = reach_of(&bundles, corner);
    struct report_point body = {MARGIN + reach.x + REPORT_PLACED_BOX,
                                corner.y + reach.y + REPORT_PLACED_BOX / 2};
    struct bundled_picture picture = {.common = *given, .links = common_count(&bundles)};
    struct report_picture *common = &picture.common;
    common->line_width = 16;
    common->legend = draw_legend;
    report_picture_begin(common, &svg, stream, body);
    for (uint32_t a = 0; a < bundles.groups; a++)
        for (uint32_t b = a + 1; b < bundles.groups; b++)
            if (bundles.between[(size_t)a * bundles.groups + b] > 0)
                draw_bundle(common, &bundles, a, b, picture.links == 0);
    for (uint32_t group = 0; group < bundles.groups; group++)
        report_bundles_group(topology, &bundles, common->draw, group);
    report_bundles_free(&bundles);
    return report_picture_end(common, &svg, body, error);
}
