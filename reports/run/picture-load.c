/* The load of every channel on the topology's layout: where the traffic is, and where the network is idle.
 *
 *      Channel load on darm:4x4x4
 *      ▁▂▃▄▅▆▇█  idle to 12 % of 81 400 cycles, the busiest
 *      ▁▂▃▄▅▆▇█  routers: no deflection to 312, the most            where packets are deflected
 *      ▃▆  X: 64 links, 3 % on average, at most 9 %                 where links have several classes
 *      ▅█  Y: 64 links, 5 % on average, at most 12 %
 *      o   busiest: (1,2) Y+: 12 %, in use for 9.768 us             the first row of the table
 *          (the layout: a grid, streets, stages, or a circle of routers)
 *
 * All colours are of one scale, so that a class or a link is read off by comparing. Shared channels are the boxes of a
 * grid, on the scale of the ways between them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/run/channel-loads.h"
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

/* Small, to leave room for the links, and named as in the table; a shared channel has the colour of its load. */
static void draw_router(struct report_draw *draw, const struct report_layout *layout,
                        const struct report_channel_loads *loads, uint32_t router)
{
    struct report_point middle = report_layout_router(layout, router);
    int32_t width = layout->router * 4 / 5, size = width * 36 / 100;
    uint32_t step =
        layout->topology->shared == NULL ? 0 : report_load_step(loads->channels[router], loads->most);
    bool is_channel = layout->topology->shared != NULL;
    char name[NET_NAME_TEXT], note[REPORT_LOAD_NOTE];

    if (is_channel) {
        report_channel_loads_note(loads, router, note);
        report_draw_note(draw, note);
    }
    report_draw_color(draw, is_channel ? report_load_colors[step] : ROUTER_FILL, ROUTER_LINE);
    report_draw_box(draw, (struct report_point){middle.x - width / 2, middle.y - width / 2},
                    (struct report_point){width, width}, width / 6);
    net_router_name(layout->topology, router, name);
    int32_t wide = report_draw_text_width(draw, size, name);
    report_draw_color(draw, is_channel ? report_load_ink(step) : REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(draw, middle, wide > width ? size * width / wide : size, REPORT_MIDDLE, name);
}

/* Columns below and rows to the left of a plane, and the names of the dimensions. Slices have their place in the
 * further dimensions above them. */
static void draw_coordinates(struct report_draw *draw, const struct report_layout *layout)
{
    const struct net_topology *topology = layout->topology;
    char text[32];

    if (net_topology_dimensions(topology) < 2)
        return;
    for (uint32_t x = 0; x < layout->columns; x++) {
        int32_t middle = layout->left + (int32_t)x * layout->pitch + layout->pitch / 2;
        snprintf(text, sizeof text, x == 0 ? "X = %" PRIu32 : "%" PRIu32, x);
        report_chart_label(draw, (struct report_point){middle, layout->top + layout->size.y + 80},
                           REPORT_MIDDLE, text);
    }
    for (uint32_t y = 0; y < layout->rows; y++) {
        int32_t middle = layout->top + layout->slice.y - (int32_t)y * layout->pitch - layout->pitch / 2;
        snprintf(text, sizeof text, y == 0 ? "Y = %" PRIu32 : "%" PRIu32, y);
        report_chart_label(draw, (struct report_point){layout->left - 60, middle}, REPORT_END, text);
    }
    for (uint32_t slice = 0; layout->slices > 1 && slice < layout->slices; slice++) {
        struct report_point at = report_layout_slice(layout, slice);
        uint32_t side = net_topology_side(topology, 2);
        int used = snprintf(text, sizeof text, "Z = %" PRIu32, slice % side);
        if (net_topology_dimensions(topology) > 3)
            snprintf(text + used, sizeof text - (size_t)used, ", W = %" PRIu32, slice / side);
        report_chart_label(draw, (struct report_point){at.x + 60, at.y - 80}, REPORT_START, text);
    }
}

/* A panel on the paper: the whole run, and below it the busiest interval. */
struct paper {
    struct report_chart chart;
    FILE *stream;
    const struct report_channel_loads *loads; /* of the panel in hand */
    int32_t below; /* by how much the panel of the run is higher, whose head has more lines */
    int32_t next;  /* where the second panel begins */
    uint32_t panels;
};

/* The middle of the line with the scale: what interval it is has a line above it. */
static int32_t scale_of(const struct report_channel_loads *loads)
{
    return SCALE + (loads->interval != NULL ? REPORT_CHART_LINE : 0);
}

/* The scale ends at the busiest channel, whose load is said: a load is a share of all cycles of the run, or of the
 * interval. */
static void draw_scale(struct report_draw *draw, const struct report_channel_loads *loads)
{
    double cycles = loads->cycles > 0 ? (double)loads->cycles : 1;
    char text[160], share[REPORT_NUMBER_TEXT], count[BASE_UNITS_TEXT];

    snprintf(text, sizeof text, "idle to %s of %s cycles, the busiest",
             report_page_share(
                 loads->interval != NULL ? loads->most / cycles : loads->view->run->max_channel_load, share),
             base_format_count(loads->cycles, count));
    report_load_scale(draw, (struct report_point){REPORT_CHART_MARGIN + 30, scale_of(loads)},
                      REPORT_CHART_TEXT, text);
}

/* What routers have deflected is known of the whole run only. */
static const uint64_t *deflected_of(const struct report_channel_loads *loads)
{
    return loads->interval != NULL ? NULL : loads->view->run->deflected_flits;
}

static uint64_t most_deflected(const struct report_channel_loads *loads)
{
    const uint64_t *deflected = deflected_of(loads);
    uint64_t most = 0;

    for (uint32_t router = 0; deflected != NULL && router < loads->view->topology->routers; router++)
        most = deflected[router] > most ? deflected[router] : most;
    return most;
}

/* The scale of routers, below that of links, where packets are deflected. */
static void draw_deflection_scale(struct report_draw *draw, const struct report_channel_loads *loads)
{
    const uint64_t *deflected = deflected_of(loads);
    char text[120], flits[BASE_UNITS_TEXT];

    if (deflected == NULL || !report_one_way_is_drawn(loads->view->topology))
        return;
    snprintf(text, sizeof text, "routers: no deflection to %s, the most",
             base_format_count(most_deflected(loads), flits));
    report_load_scale(draw, (struct report_point){REPORT_CHART_MARGIN + 30, SCALE + REPORT_CHART_LINE},
                      REPORT_CHART_TEXT, text);
}

/* The classes of links that are told apart, of the whole run. Where all links are of one class, the scale says what
 * there is to say. */
static uint32_t classes_of(const struct report_channel_loads *loads)
{
    const struct report_run *run = loads->view->run;
    return loads->interval == NULL && run->class_count > 1 ? run->class_count : 0;
}

/* Lines of classes; the last one says how many have none. */
static int32_t class_lines(const struct report_channel_loads *loads)
{
    uint32_t classes = classes_of(loads);
    return (int32_t)(classes > CLASSES_MOST ? CLASSES_MOST + 1 : classes);
}

/* The line below the scales. */
static int32_t below_scales(const struct report_channel_loads *loads)
{
    return scale_of(loads) + (deflected_of(loads) != NULL ? 2 : 1) * REPORT_CHART_LINE;
}

/* Groups of a large network, unless another picture is meant for it (draw_panel). */
static bool is_bundled(const struct report_channel_loads *loads)
{
    const struct net_topology *topology = loads->view->topology;
    return topology->multistage == NULL && !report_one_way_is_drawn(topology) && report_is_bundled(topology);
}

/* The room above the routers: the busiest channel has a line behind the classes. */
static int32_t head_of(const struct report_channel_loads *loads)
{
    return below_scales(loads) + (class_lines(loads) + 1) * REPORT_CHART_LINE + HEAD - SCALE -
           REPORT_CHART_LINE;
}

/* What stands above the routers of groups, too: what a line is (draw_bundled). */
static int32_t words_of(const struct report_channel_loads *loads)
{
    return head_of(loads) + (is_bundled(loads) ? REPORT_CHART_LINE : 0);
}

/* The first row of the table in words, with a sample of its mark before them. */
static void draw_busiest(struct report_draw *draw, const struct report_channel_loads *loads)
{
    struct report_point at = {REPORT_CHART_MARGIN + 30,
                              below_scales(loads) + class_lines(loads) * REPORT_CHART_LINE};
    char text[REPORT_LOAD_NOTE + 16], note[REPORT_LOAD_NOTE];

    if (!(loads->most > 0))
        return;
    report_load_mark(draw, (struct report_point){at.x + 60, at.y}, 120);
    report_channel_loads_note(loads, loads->busiest, note);
    snprintf(text, sizeof text, "busiest: %s", note);
    report_chart_name(draw, (struct report_point){at.x + 180, at.y}, REPORT_START, text, 76);
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
static void draw_classes(struct report_draw *draw, const struct report_channel_loads *loads)
{
    const struct report_run *run = loads->view->run;
    struct report_point at = {REPORT_CHART_MARGIN + 30, below_scales(loads)};
    uint32_t count = classes_of(loads);
    char text[64];

    for (uint32_t i = 0; i < count && i < CLASSES_MOST; i++, at.y += REPORT_CHART_LINE)
        draw_class(draw, at, run, &run->classes[i]);
    if (count <= CLASSES_MOST)
        return;
    snprintf(text, sizeof text, "and %" PRIu32 " classes more", count - CLASSES_MOST);
    report_chart_label(draw, at, REPORT_START, text);
}

/* The heading of the second panel, and when it was. */
static void draw_interval(struct report_draw *draw, const struct report_busiest_interval *interval)
{
    char text[200], from[BASE_UNITS_TEXT], to[BASE_UNITS_TEXT];

    report_draw_color(draw, REPORT_INK, REPORT_NO_COLOR);
    report_draw_text(draw, (struct report_point){REPORT_CHART_MARGIN, 260}, REPORT_CHART_TEXT * 3 / 2,
                     REPORT_START, "In the busiest interval");
    snprintf(text, sizeof text,
             "%s to %s ns: interval %" PRIu32 " of the %" PRIu32 " that the run is cut into",
             base_format_count(interval->begin_ns, from), base_format_count(interval->end_ns, to),
             interval->number + 1, interval->intervals);
    report_chart_label(draw, (struct report_point){REPORT_CHART_MARGIN, SCALE}, REPORT_START, text);
}

/* The scales, the classes, the busiest, and what is drawn how. */
static void draw_words(struct report_draw *draw, const struct report_channel_loads *loads)
{
    draw_scale(draw, loads);
    draw_deflection_scale(draw, loads);
    draw_classes(draw, loads);
    draw_busiest(draw, loads);
    if (is_bundled(loads))
        report_chart_label(
            draw,
            (struct report_point){REPORT_CHART_MARGIN + 30,
                                  below_scales(loads) + (class_lines(loads) + 1) * REPORT_CHART_LINE},
            REPORT_START, "line: the busiest link between two groups; dot: the busiest one inside");
}

/* Paper of at least the words' width for all panels, with the title; or the next panel on it. Then the scale, the
 * classes and the busiest. size: of the first panel, from which the second one differs by its head. */
static struct report_draw *begin(struct paper *paper, struct report_point size)
{
    const struct report_channel_loads *loads = paper->loads;
    const struct net_topology *topology = loads->view->topology;
    const char *what = topology->shared != NULL ? "Load of the shared channels" : "Channel load";
    char title[128];

    size.x = size.x < WIDTH_LEAST ? WIDTH_LEAST : size.x;
    const int32_t larger = report_draw_larger(size.x), head = words_of(loads);
    size.y += report_draw_more(head, larger);
    if (loads->interval == NULL) {
        snprintf(title, sizeof title, "%s on %.80s", what, loads->view->run->topology);
        int32_t below = paper->below + report_draw_more(paper->below, larger);
        report_chart_begin(&paper->chart, paper->stream,
                           (struct report_point){size.x, paper->panels > 1 ? 2 * size.y - below : size.y},
                           title, "");
        paper->next = size.y;
    } else {
        paper->chart.draw->origin.y = paper->next;
        paper->chart.draw->larger = larger;
        draw_interval(paper->chart.draw, loads->interval);
    }
    draw_words(paper->chart.draw, loads);
    report_chart_end_head(paper->chart.draw, head);
    return paper->chart.draw;
}

/* From place to place, on the right of the straight line, or as a bend to the right. Returns where a mark of it may
 * stand. */
static struct report_point draw_placed_link(struct report_draw *draw, const struct report_placed *placed,
                                            uint32_t count, uint32_t from, uint32_t to, uint32_t step)
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
    return (struct report_point){(points[last - 1].x + points[last].x) / 2,
                                 (points[last - 1].y + points[last].y) / 2};
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

/* The busiest links are drawn last, and the mark of the busiest one over all. */
static void draw_placed_links(struct report_draw *draw, const struct report_placed *placed,
                              const struct report_channel_loads *loads)
{
    const struct net_topology *topology = loads->view->topology;
    struct report_point busiest = {0, 0};
    char note[REPORT_LOAD_NOTE];

    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++)
        for (uint32_t link = 0; link < topology->link_count; link++) {
            if (report_load_step(loads->links[link], loads->most) != step)
                continue;
            report_channel_loads_note_link(loads, link, note);
            report_draw_note(draw, note);
            struct report_point middle =
                draw_placed_link(draw, placed, topology->routers, topology->links[link].source,
                                 topology->links[link].target, step);
            busiest = link == loads->busiest ? middle : busiest;
        }
    report_draw_note(draw, NULL);
    if (loads->most > 0 && topology->shared == NULL)
        report_load_mark(draw, busiest, placed->box / 4);
}

/* Without a grid, where the picture of the topology has its routers. */
static int draw_placed(struct paper *paper, struct base_error *error)
{
    const struct net_topology *topology = paper->loads->view->topology;
    const int32_t head = head_of(paper->loads);
    struct report_placed placed;

    if (report_placed_routers(topology,
                              (struct report_point){2 * REPORT_CHART_MARGIN, head + REPORT_CHART_MARGIN},
                              &placed, error) != 0) {
        free(placed.place);
        return -1;
    }
    struct report_draw *on =
        begin(paper, (struct report_point){placed.extent.x + 4 * REPORT_CHART_MARGIN,
                                           placed.extent.y + head + 3 * REPORT_CHART_MARGIN});
    draw_placed_links(on, &placed, paper->loads);
    for (uint32_t router = 0; router < topology->routers; router++)
        draw_placed_router(on, &placed, topology, router);
    free(placed.place);
    return 0;
}

/* "group 0 to 3: 4 links, the busiest r2 G1: 12 %, in use for 9 us". */
static void note_bundle(struct report_draw *draw, const struct report_channel_loads *loads,
                        const struct report_bundles *bundles, size_t pair, uint32_t busiest)
{
    uint32_t from = (uint32_t)(pair / bundles->groups), to = (uint32_t)(pair % bundles->groups);
    char text[REPORT_LOAD_NOTE + 100], note[REPORT_LOAD_NOTE], where[48];

    snprintf(where, sizeof where, from == to ? "in group %" PRIu32 : "group %" PRIu32 " to %" PRIu32, from,
             to);
    report_channel_loads_note(loads, busiest, note);
    snprintf(text, sizeof text, "%s: %" PRIu32 " link%s, the busiest %s", where, bundles->between[pair],
             bundles->between[pair] == 1 ? "" : "s", note);
    report_draw_note(draw, text);
}

/* The first of the busiest links of each pair of groups; NET_NONE: there are no links. */
static uint32_t *busiest_of_bundles(const struct report_channel_loads *loads,
                                    const struct report_bundles *bundles)
{
    const struct net_topology *topology = loads->view->topology;
    size_t pairs = (size_t)bundles->groups * bundles->groups;
    uint32_t *busiest = malloc((pairs + 1) * sizeof *busiest);

    for (size_t pair = 0; busiest != NULL && pair < pairs; pair++)
        busiest[pair] = NET_NONE;
    for (uint32_t l = 0; busiest != NULL && l < topology->link_count; l++) {
        uint32_t *of = &busiest[report_bundle_of(bundles, &topology->links[l])];
        if (*of == NET_NONE || loads->links[l] > loads->links[*of])
            *of = l;
    }
    return busiest;
}

/* Lines between groups, the busiest last. */
static void draw_bundles(struct report_draw *draw, const struct report_channel_loads *loads,
                         const struct report_bundles *bundles, const uint32_t *busiest)
{
    struct report_point mark = {0, 0};
    bool is_marked = false;

    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++)
        for (size_t pair = 0; pair < (size_t)bundles->groups * bundles->groups; pair++) {
            uint32_t from = (uint32_t)(pair / bundles->groups), to = (uint32_t)(pair % bundles->groups);
            if (from == to || busiest[pair] == NET_NONE ||
                report_load_step(loads->links[busiest[pair]], loads->most) != step)
                continue;
            note_bundle(draw, loads, bundles, pair, busiest[pair]);
            struct report_point middle =
                draw_placed_link(draw, &bundles->placed, bundles->groups, from, to, step);
            if (busiest[pair] == loads->busiest && loads->most > 0) {
                mark = middle;
                is_marked = true;
            }
        }
    report_draw_note(draw, NULL);
    if (is_marked)
        report_load_mark(draw, mark, bundles->placed.box / 4);
}

/* Groups' boxes, with a dot for what is inside. */
static void draw_groups(struct report_draw *draw, const struct report_channel_loads *loads,
                        const struct report_bundles *bundles, const uint32_t *busiest)
{
    for (uint32_t group = 0; group < bundles->groups; group++) {
        struct report_point dot = bundles->placed.place[group];
        size_t inside = group * (bundles->groups + (size_t)1);
        report_bundles_group(loads->view->topology, bundles, draw, group);
        if (busiest[inside] == NET_NONE)
            continue;
        dot.y += bundles->placed.box * 3 / 10;
        note_bundle(draw, loads, bundles, inside, busiest[inside]);
        if (busiest[inside] == loads->busiest && loads->most > 0)
            report_load_mark(draw, dot, bundles->placed.box * 2 / 5);
        report_draw_color(draw,
                          report_load_colors[report_load_step(loads->links[busiest[inside]], loads->most)],
                          REPORT_NO_COLOR);
        report_draw_dot(draw, dot, bundles->placed.box / 5);
        report_draw_note(draw, NULL);
    }
}

/* Groups of a large network: a line has the load of the busiest of its links, so that no crowded one is hidden. */
static int draw_bundled(struct paper *paper, struct base_error *error)
{
    const struct report_channel_loads *loads = paper->loads;
    const int32_t head = words_of(loads);
    struct report_bundles bundles;

    if (report_bundles_make(loads->view->topology,
                            (struct report_point){2 * REPORT_CHART_MARGIN, head + REPORT_CHART_MARGIN},
                            &bundles, error) != 0)
        return -1;
    uint32_t *busiest = busiest_of_bundles(loads, &bundles);
    if (busiest == NULL) {
        report_bundles_free(&bundles);
        return base_error_memory(error, "the picture of the channels");
    }
    struct report_draw *on =
        begin(paper, (struct report_point){bundles.placed.extent.x + 4 * REPORT_CHART_MARGIN,
                                           bundles.placed.extent.y + head + 3 * REPORT_CHART_MARGIN});
    draw_bundles(on, loads, &bundles, busiest);
    draw_groups(on, loads, &bundles, busiest);
    free(busiest);
    report_bundles_free(&bundles);
    return 0;
}

/* Links of stages by their bits, as everything here is relative to the busiest. */
static int draw_stages(struct paper *paper, struct base_error *error)
{
    const struct report_channel_loads *loads = paper->loads;
    const struct net_topology *topology = loads->view->topology;
    const int32_t head = head_of(loads);
    struct report_stages stages = report_stages_layout(
        topology, (struct report_point){REPORT_CHART_MARGIN, head + REPORT_CHART_MARGIN});

    (void)error; /* drawing takes no memory */
    stages.note_link = report_channel_loads_note_link;
    stages.note_bus = report_channel_loads_note_bus;
    stages.context = loads;
    stages.draw = begin(paper, (struct report_point){stages.extent.x + 2 * REPORT_CHART_MARGIN,
                                                     stages.extent.y + head + 2 * REPORT_CHART_MARGIN});
    report_stages_draw(&stages, loads->links, loads->links + topology->link_count);
    if (loads->most > 0)
        report_load_mark(stages.draw, report_stages_middle(&stages, loads->busiest), 120);
    return 0;
}

/* One-way networks, with a second scale for the deflections of routers where packets are deflected. */
static int draw_one_way(struct paper *paper, struct base_error *error)
{
    const struct report_channel_loads *loads = paper->loads;
    const struct net_topology *topology = loads->view->topology;
    const uint64_t *deflected = deflected_of(loads);
    const int32_t head = head_of(loads);
    double *routers = calloc((size_t)topology->routers + 1, sizeof *routers);
    struct report_one_way plan = report_one_way_layout(
        topology, (struct report_point){REPORT_CHART_MARGIN, head + REPORT_CHART_MARGIN});

    if (routers == NULL)
        return base_error_memory(error, "the picture of the channels");
    for (uint32_t router = 0; deflected != NULL && router < topology->routers; router++)
        routers[router] = (double)deflected[router];
    plan.note = report_channel_loads_note_link;
    plan.context = loads;
    plan.draw = begin(paper, (struct report_point){plan.extent.x + 2 * REPORT_CHART_MARGIN,
                                                   plan.extent.y + head + 2 * REPORT_CHART_MARGIN});
    report_one_way_loads(&plan, loads->links, deflected != NULL ? routers : NULL);
    if (loads->most > 0)
        report_load_mark(plan.draw, report_one_way_middle(&plan, loads->busiest), 120);
    free(routers);
    return 0;
}

/* Where the mark of the busiest stands: on its arrow or, of shared channels, at a corner of its box. */
static void mark_busiest(const struct report_load_layer *layer, const struct report_channel_loads *loads)
{
    struct report_point middle;

    if (!(loads->most > 0))
        return;
    if (layer->layout->topology->shared == NULL) {
        report_load_mark_link(layer, loads->busiest);
        return;
    }
    middle = report_layout_router(layer->layout, loads->busiest);
    middle.x += layer->layout->router * 2 / 5;
    middle.y -= layer->layout->router * 2 / 5;
    report_load_mark(layer->draw, middle, layer->layout->pitch / 6);
}

/* Meshes, tori, diagonal and king networks, and shared channels, as far as arrows can be told apart. */
static int draw_grid(struct paper *paper, struct base_error *error)
{
    const struct report_channel_loads *loads = paper->loads;
    const int32_t left = 2 * REPORT_CHART_MARGIN + 160;
    struct report_layout layout;
    struct report_load_layer layer;

    (void)error; /* drawing takes no memory */
    report_layout_set(&layout, loads->view->topology, left, head_of(loads) + REPORT_CHART_LINE);
    layer = report_load_layer_of(&layout, loads->links);
    layer.most = loads->most;
    layer.note = report_channel_loads_note_link;
    layer.context = loads;
    layer.draw = begin(paper, (struct report_point){layout.size.x + left + REPORT_CHART_MARGIN,
                                                    layout.top + layout.size.y + REPORT_CHART_MARGIN + 160});
    report_load_links(&layer);
    draw_coordinates(layer.draw, &layout);
    for (uint32_t router = 0; router < layout.topology->routers; router++)
        draw_router(layer.draw, &layout, loads, router);
    report_draw_note(layer.draw, NULL);
    mark_busiest(&layer, loads);
    return 0;
}

/* The same grids with more routers than that. */
static int draw_heat(struct paper *paper, struct base_error *error)
{
    const int32_t head = head_of(paper->loads);
    struct report_heat_map map = report_heat_map_of(paper->loads, (struct report_point){0, head});

    (void)error; /* drawing takes no memory */
    map.draw = begin(paper, (struct report_point){map.size.x + REPORT_CHART_MARGIN, head + map.size.y});
    report_heat_map_draw(&map);
    return 0;
}

/* How a kind of networks is drawn. */
static int draw_panel(struct paper *paper, struct base_error *error)
{
    const struct net_topology *topology = paper->loads->view->topology;

    return (topology->multistage != NULL                    ? draw_stages
            : report_one_way_is_drawn(topology)             ? draw_one_way
            : is_bundled(paper->loads)                      ? draw_bundled
            : report_topology_is_placed(topology)           ? draw_placed
            : topology->routers > REPORT_ARROWS_ROUTERS_MAX ? draw_heat
                                                            : draw_grid)(paper, error);
}

/* Loads are cycles here (of stages: bits): relative to the busiest they are what shares of the cycles would be. */
static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct report_busiest_interval *of[2] = {NULL, view->run->busiest_interval};
    struct report_channel_loads loads[2] = {{0}, {0}};
    struct paper paper = {.stream = stream, .panels = of[1] != NULL ? 2 : 1};
    int status = 0;

    for (uint32_t panel = 0; status == 0 && panel < paper.panels; panel++)
        status = report_channel_loads_make(&loads[panel], view, of[panel], error);
    if (status == 0 && paper.panels > 1)
        paper.below = head_of(&loads[0]) - head_of(&loads[1]);
    for (uint32_t panel = 0; status == 0 && panel < paper.panels; panel++) {
        paper.loads = &loads[panel];
        status = draw_panel(&paper, error);
    }
    report_channel_loads_free(&loads[0]);
    report_channel_loads_free(&loads[1]);
    return status == 0 ? report_chart_end(&paper.chart, error) : -1;
}

const struct report_run_picture report_run_picture_channel_load = {
    .name = "channel-load",
    .summary =
        "the share of the cycles in which each channel carries a flit, in the whole run and in its busiest "
        "interval, "
        "on the topology's layout, and what routers deflect",
    .check = check,
    .draw = draw,
    .needs_intervals = true,
};
