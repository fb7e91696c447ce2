/* The load of every channel on the topology's layout: where the traffic is, and where the network is idle. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/units.h"
#include "reports/chart.h"
#include "reports/load-layer.h"
#include "reports/run-picture.h"
#include "reports/topology-picture.h"

#define HEAD 1000        /* above the routers: title, scale */
#define WIDTH_LEAST 6400 /* for the words */

#define ROUTER_FILL 0xeef2f7
#define ROUTER_LINE 0x44546a

static int check(const struct report_run_view *view, struct base_error *error)
{
    return report_topology_drawable(view->topology, error);
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
    report_load_scale(draw, (struct report_point){REPORT_CHART_MARGIN + 30, 560}, REPORT_CHART_TEXT, text);
}

static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct net_topology *topology = view->topology;
    double *loads = calloc((size_t)topology->link_count + 1, sizeof *loads);
    struct report_layout layout;
    struct report_point size;
    struct report_load_layer layer;
    struct report_chart chart;
    char title[128];

    if (loads == NULL)
        return base_error_memory(error, "the picture of the channels");
    for (uint32_t link = 0; link < topology->link_count; link++)
        loads[link] = (double)view->run->link_flits[link];
    report_layout_set(&layout, topology, REPORT_CHART_MARGIN, HEAD);
    size = (struct report_point){layout.size.x + 2 * REPORT_CHART_MARGIN,
                                 layout.size.y + HEAD + REPORT_CHART_MARGIN};
    size.x = size.x < WIDTH_LEAST ? WIDTH_LEAST : size.x;
    snprintf(title, sizeof title, "Channel load on %.80s", view->run->topology);
    layer = report_load_layer_of(&layout, loads);
    layer.draw = report_chart_begin(&chart, stream, size, title, "");
    draw_scale(layer.draw, view->run);
    report_load_links(&layer);
    draw_routers(layer.draw, &layout);
    free(loads);
    return report_chart_end(&chart, error);
}

const struct report_run_picture report_run_picture_channel_load = {
    "channel-load", "the share of the cycles in which each channel carries a flit, on the topology's layout",
    check, draw};
