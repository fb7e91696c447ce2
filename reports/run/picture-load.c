/* The load of every channel on the topology's layout: where the traffic is, and where the network is idle.
 *
 *      Channel load on darm:4x4x4
 *      ▁▂▃▄▅▆▇█  idle to 12 % of 81 400 cycles, the busiest
 *      ▁▂▃▄▅▆▇█  routers: no deflection to 312, the most            where packets are deflected
 *      ▃▆  X: 64 links, 3 % on average, at most 9 %                 where links have several classes
 *      ▅█  Y: 64 links, 5 % on average, at most 12 %
 *          (the layout: a grid, streets, stages, or a circle of routers)
 *
 * All colours are of one scale, so that a class or a link is read off by comparing. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/drawing/load-layer.h"
#include "reports/run/picture.h"
#include "reports/topology/picture-parts.h"
#include "reports/topology/picture.h"

#define SCALE 560        /* the middle of the line with the scale */
#define HEAD 1000        /* above the routers: title, scales, and then a line for each class of links */
#define WIDTH_LEAST 6400 /* for the words */
#define CLASSES_MOST 8   /* that have a line each */

/* Grids, shared channels as the dual of a grid, and what has no grid. */
static int check(const struct report_run_view *view, struct base_error *error)
{
    return report_topology_is_placed(view->topology) ? report_picture_too_large(view->topology, error)
                                                     : report_topology_drawable(view->topology, error);
}

/* Small, to leave room for the links; numbered where the number can be read. */
static void draw_routers(struct report_draw *draw, const struct report_layout *layout)
{
    int32_t width = layout->router * 4 / 5;
    char text[16];

    for (uint32_t router = 0; router < layout->topology->routers; router++) {
        struct report_point middle = report_layout_router(layout, router);
        report_draw_color(draw, ROUTER_FILL, ROUTER_LINE);
        report_draw_box(draw, (struct report_point){middle.x - width / 2, middle.y - width / 2},
                        (struct report_point){width, width}, width / 6);
        snprintf(text, sizeof text, "%" PRIu32, router);
        report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
        report_draw_text(draw, middle, width * 36 / 100, REPORT_MIDDLE, text);
    }
}

/* The scale ends at the busiest channel, whose load is said: a load is a share of all cycles of the run. */
static void draw_scale(struct report_draw *draw, const struct report_run *run)
{
    char text[160], share[REPORT_NUMBER_TEXT], cycles[BASE_UNITS_TEXT];

    snprintf(text, sizeof text, "idle to %s of %s cycles, the busiest",
             report_page_share(run->max_channel_load, share),
             base_format_count(run->simulated_cycles, cycles));
    report_load_scale(draw, (struct report_point){REPORT_CHART_MARGIN + 30, SCALE}, REPORT_CHART_TEXT, text);
}

/* The scale of routers, below that of links. */
static void draw_deflection_scale(struct report_draw *draw, uint64_t most)
{
    char text[120], flits[BASE_UNITS_TEXT];

    snprintf(text, sizeof text, "routers: no deflection to %s, the most", base_format_count(most, flits));
    report_load_scale(draw, (struct report_point){REPORT_CHART_MARGIN + 30, SCALE + REPORT_CHART_LINE},
                      REPORT_CHART_TEXT, text);
}
/* The classes of links that are told apart. Where all links are of one class, the scale says what there is to say. */
static uint32_t classes_of(const struct report_run *run)
{
    return run->class_count > 1 ? run->class_count : 0;
}

/* The room above the routers. A line more says how many classes have none. */
static int32_t head_of(const struct report_run *run)
{
    uint32_t classes = classes_of(run);
    return HEAD + (int32_t)(classes > CLASSES_MOST ? CLASSES_MOST + 1 : classes) * REPORT_CHART_LINE;
}

/* A class in the colours of the scale: what its links carry on average, and what the busiest of them does. */
static void draw_class(struct report_draw *draw, struct report_point at, const struct report_run *run,
                       const struct report_class_use *class)
{
    const double loads[] = {class->mean_load, class->max_load};
    char text[240], count[BASE_UNITS_TEXT], mean[REPORT_NUMBER_TEXT], most[REPORT_NUMBER_TEXT];

    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++, at.x += 300) {
        report_draw_color(draw, REPORT_NO_COLOR,
                          report_load_colors[report_load_step(loads[i], run->max_channel_load)]);
        report_draw_line(draw, at, (struct report_point){at.x + 260, at.y}, 60);
    }
    snprintf(text, sizeof text, "%.60s: %s links, %s on average, at most %s", class->name,
             base_format_count(class->links, count), report_page_share(class->mean_load, mean),
             report_page_share(class->max_load, most));
    report_chart_label(draw, (struct report_point){at.x + 60, at.y}, REPORT_START, text);
}

/* Classes in the topology's order, below the scales. */
static void draw_classes(struct report_draw *draw, const struct report_run *run)
{
    int32_t scales = run->deflected_flits != NULL ? 2 : 1;
    struct report_point at = {REPORT_CHART_MARGIN + 30, SCALE + scales * REPORT_CHART_LINE};
    uint32_t count = classes_of(run);
    char text[64];

    for (uint32_t i = 0; i < count && i < CLASSES_MOST; i++, at.y += REPORT_CHART_LINE)
        draw_class(draw, at, run, &run->classes[i]);
    if (count <= CLASSES_MOST)
        return;
    snprintf(text, sizeof text, "and %" PRIu32 " classes more", count - CLASSES_MOST);
    report_chart_label(draw, at, REPORT_START, text);
}

/* Paper of at least the words' width, with the scale. */
static struct report_draw *begin(struct report_chart *chart, FILE *stream, struct report_point size,
                                 const struct report_run_view *view)
{
    /* What is between two shared channels is an m-way router, with a way for each direction. */
    const char *what = view->topology->shared != NULL ? "Load of the ways of m-way routers" : "Channel load";
    char title[128];

    size.x = size.x < WIDTH_LEAST ? WIDTH_LEAST : size.x;
    snprintf(title, sizeof title, "%s on %.80s", what, view->run->topology);
    struct report_draw *draw = report_chart_begin(chart, stream, size, title, "");
    draw_scale(draw, view->run);
    draw_classes(draw, view->run);
    return draw;
}

/* From place to place, on the right of the straight line, or as a bend to the right. */
static void draw_placed_link(struct report_draw *draw, const struct report_placed *placed, uint32_t count,
                             uint32_t from, uint32_t to, uint32_t step)
{
    struct report_point points[REPORT_WAY_POINTS];
    size_t last = report_placed_way(placed, count, from, to, points) - 1;
    int32_t box = placed->box, width = 12 + (int32_t)step * box / 80;
    double x = points[last].x - points[last - 1].x, y = points[last].y - points[last - 1].y;
    double length = fmax(sqrt(x * x + y * y), 1), aside = last == 1 ? box / 8.0 : 0;

    for (size_t i = 0; i <= last; i++) {
        points[i].x += (int32_t)lround(-y / length * aside);
        points[i].y += (int32_t)lround(x / length * aside);
    }
    double short_of = fmin(box * 0.6, length * 0.8);
    points[last].x -= (int32_t)lround(x / length * short_of);
    points[last].y -= (int32_t)lround(y / length * short_of);
    report_draw_color(draw, REPORT_NO_COLOR, report_load_colors[step]);
    if (last > 1)
        draw->line(draw, points, last, width);
    report_draw_arrow(draw, points[last - 1], points[last], width, box / 8);
}

/* Names of routers may be a file's, and long: they shrink to fit their box. */
static void draw_placed_router(struct report_draw *draw, const struct report_placed *placed,
                               const struct net_topology *topology, uint32_t router)
{
    struct report_point middle = placed->place[router];
    char name[NET_NAME_TEXT];
    report_placed_name(topology, router, name);
    int32_t box = placed->box, size = box * 30 / 100, width = report_draw_text_width(draw, size, name);

    report_draw_color(draw, ROUTER_FILL, ROUTER_LINE);
    report_draw_box(draw, (struct report_point){middle.x - box / 2, middle.y - box / 2},
                    (struct report_point){box, box}, box / 6);
    report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(draw, middle, width > box * 9 / 10 ? size * (box * 9 / 10) / width : size, REPORT_MIDDLE,
                     name);
}

/* Without a grid, where the picture of the topology has its routers. The busiest links are drawn last. */
static int draw_placed(const struct report_run_view *view, const double *loads, double most, FILE *stream,
                       struct base_error *error)
{
    const struct net_topology *topology = view->topology;
    struct report_placed placed;
    struct report_chart chart;
    struct report_point corner = {2 * REPORT_CHART_MARGIN, head_of(view->run) + REPORT_CHART_MARGIN};

    if (report_placed_routers(topology, corner, &placed, error) != 0) {
        free(placed.place);
        return -1;
    }
    struct report_draw *on =
        begin(&chart, stream,
              (struct report_point){placed.extent.x + 4 * REPORT_CHART_MARGIN,
                                    placed.extent.y + head_of(view->run) + 3 * REPORT_CHART_MARGIN},
              view);
    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++)
        for (uint32_t link = 0; link < topology->link_count; link++)
            if (report_load_step(loads[link], most) == step)
                draw_placed_link(on, &placed, topology->routers, topology->links[link].source,
                                 topology->links[link].target, step);
    for (uint32_t router = 0; router < topology->routers; router++)
        draw_placed_router(on, &placed, topology, router);
    free(placed.place);
    return report_chart_end(&chart, error);
}

/* Groups of a large network: a line has the load of the busiest of its links, so that no crowded one is hidden. */
static int draw_bundled(const struct report_run_view *view, const double *loads, double most, FILE *stream,
                        struct base_error *error)
{
    const struct net_topology *topology = view->topology;
    struct report_bundles bundles;
    struct report_chart chart;
    struct report_point corner = {2 * REPORT_CHART_MARGIN, head_of(view->run) + REPORT_CHART_MARGIN};

    if (report_bundles_make(topology, corner, &bundles, error) != 0)
        return -1;
    size_t pairs = (size_t)bundles.groups * bundles.groups;
    double *busiest = calloc(pairs + 1, sizeof *busiest);
    if (busiest == NULL) {
        report_bundles_free(&bundles);
        return base_error_memory(error, "the picture of the channels");
    }
    for (uint32_t l = 0; l < topology->link_count; l++) {
        size_t bundle = report_bundle_of(&bundles, &topology->links[l]);
        busiest[bundle] = fmax(busiest[bundle], loads[l]);
    }
    struct report_draw *on =
        begin(&chart, stream,
              (struct report_point){bundles.placed.extent.x + 4 * REPORT_CHART_MARGIN,
                                    bundles.placed.extent.y + head_of(view->run) + 3 * REPORT_CHART_MARGIN},
              view);
    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++)
        for (size_t pair = 0; pair < pairs; pair++) {
            uint32_t from = (uint32_t)(pair / bundles.groups), to = (uint32_t)(pair % bundles.groups);
            if (from != to && bundles.between[pair] > 0 && report_load_step(busiest[pair], most) == step)
                draw_placed_link(on, &bundles.placed, bundles.groups, from, to, step);
        }
    for (uint32_t group = 0; group < bundles.groups; group++) {
        struct report_point dot = bundles.placed.place[group];
        report_bundles_group(topology, &bundles, on, group);
        dot.y += bundles.placed.box * 3 / 10;
        report_draw_color(
            on, report_load_colors[report_load_step(busiest[group * (bundles.groups + (size_t)1)], most)],
            REPORT_NO_COLOR);
        report_draw_dot(on, dot, bundles.placed.box / 5);
    }
    report_draw_color(on, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(on, (struct report_point){REPORT_CHART_MARGIN + 30, 560 + REPORT_CHART_LINE},
                     REPORT_CHART_TEXT, REPORT_START,
                     "line: the busiest link between two groups; dot: the busiest one inside");
    free(busiest);
    report_bundles_free(&bundles);
    return report_chart_end(&chart, error);
}

/* Links of stages by their bits, as everything here is relative to the busiest. */
static int draw_stages(const struct report_run_view *view, const double *loads, FILE *stream,
                       struct base_error *error)
{
    struct report_chart chart;
    struct report_stages stages = report_stages_layout(
        view->topology, (struct report_point){REPORT_CHART_MARGIN, head_of(view->run) + REPORT_CHART_MARGIN});

    stages.draw = begin(&chart, stream,
                        (struct report_point){stages.extent.x + 2 * REPORT_CHART_MARGIN,
                                              stages.extent.y + head_of(view->run) + 2 * REPORT_CHART_MARGIN},
                        view);
    report_stages_draw(&stages, loads, loads + view->topology->link_count);
    return report_chart_end(&chart, error);
}

/* One-way networks, with a second scale for the deflections of routers where packets are deflected. */
static int draw_one_way(const struct report_run_view *view, const double *loads, FILE *stream,
                        struct base_error *error)
{
    const struct net_topology *topology = view->topology;
    double *routers = calloc((size_t)topology->routers + 1, sizeof *routers);
    uint64_t most = 0;
    struct report_chart chart;
    struct report_one_way plan = report_one_way_layout(
        topology, (struct report_point){REPORT_CHART_MARGIN, head_of(view->run) + REPORT_CHART_MARGIN});

    if (routers == NULL)
        return base_error_memory(error, "the picture of the channels");
    for (uint32_t router = 0; view->run->deflected_flits != NULL && router < topology->routers; router++) {
        routers[router] = (double)view->run->deflected_flits[router];
        most = view->run->deflected_flits[router] > most ? view->run->deflected_flits[router] : most;
    }
    plan.draw = begin(&chart, stream,
                      (struct report_point){plan.extent.x + 2 * REPORT_CHART_MARGIN,
                                            plan.extent.y + head_of(view->run) + 2 * REPORT_CHART_MARGIN},
                      view);
    if (view->run->deflected_flits != NULL)
        draw_deflection_scale(plan.draw, most);
    report_one_way_loads(&plan, loads, view->run->deflected_flits != NULL ? routers : NULL);
    free(routers);
    return report_chart_end(&chart, error);
}

/* Meshes, tori, diagonal and king networks, and shared channels. */
static int draw_grid(const struct report_run_view *view, const double *loads, FILE *stream,
                     struct base_error *error)
{
    struct report_layout layout;
    struct report_load_layer layer;
    struct report_chart chart;

    report_layout_set(&layout, view->topology, REPORT_CHART_MARGIN, head_of(view->run));
    layer = report_load_layer_of(&layout, loads);
    layer.draw = begin(&chart, stream,
                       (struct report_point){layout.size.x + 2 * REPORT_CHART_MARGIN,
                                             layout.size.y + head_of(view->run) + REPORT_CHART_MARGIN},
                       view);
    report_load_links(&layer);
    draw_routers(layer.draw, &layout);
    return report_chart_end(&chart, error);
}

/* Loads are cycles here (of stages: bits): relative to the busiest they are what shares of the cycles would be. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct net_topology *topology = view->topology;
    double *loads = calloc((size_t)topology->link_count + view->run->bus_count + 1, sizeof *loads);
    double most = 0;
    int status;

    if (loads == NULL)
        return base_error_memory(error, "the picture of the channels");
    for (uint32_t link = 0; link < topology->link_count; link++) {
        loads[link] = (double)view->run->link_carried[link];
        most = fmax(most, loads[link]);
    }
    for (uint32_t bus = 0; bus < view->run->bus_count; bus++)
        loads[topology->link_count + bus] = (double)view->run->bus_bits[bus];
    status = topology->multistage != NULL          ? draw_stages(view, loads, stream, error)
             : report_one_way_is_drawn(topology)   ? draw_one_way(view, loads, stream, error)
             : report_is_bundled(topology)         ? draw_bundled(view, loads, most, stream, error)
             : report_topology_is_placed(topology) ? draw_placed(view, loads, most, stream, error)
                                                   : draw_grid(view, loads, stream, error);
    free(loads);
    return status;
}

const struct report_run_picture report_run_picture_channel_load = {
    "channel-load",
    "the share of the cycles in which each channel carries a flit, on the topology's layout, and what "
    "routers deflect",
    check, draw, false};
