/* A link's arrow runs on the right of the middle, so that the two directions of a pair are told apart; one
 * that wraps is cut short, as in the picture of the topology. */
#include "reports/drawing/load-layer.h"

#include <math.h>
#include <stdlib.h>

/* Each step is darker than the one before, so that the order is seen in grey as well; the first is nearly the
 * colour of the paper: an idle channel is there, and does not catch the eye. */
const report_color report_load_colors[REPORT_LOAD_STEPS] = {0xdfe3e8, 0xb5de2b, 0x6ece58, 0x35b779,
                                                            0x1f9e89, 0x26828e, 0x3e4989, 0x440154};

/* The step in the middle is bright on either paper. */
report_color report_load_ink(uint32_t step)
{
    if (step == REPORT_LOAD_STEPS / 2)
        return REPORT_ON_BRIGHT;
    return step < REPORT_LOAD_STEPS / 2 ? REPORT_ON_PALE : REPORT_ON_DARK;
}

/* Whatever carries anything at all is set off from what is idle. */
uint32_t report_load_step(double load, double most)
{
    uint32_t step;

    if (!(load > 0) || !(most > 0))
        return 0;
    step = 1 + (uint32_t)(load / most * (REPORT_LOAD_STEPS - 1));
    return step < REPORT_LOAD_STEPS ? step : REPORT_LOAD_STEPS - 1;
}

uint32_t report_load_step_logarithmic(double load, double least, double most)
{
    if (!(load > 0) || !(most > 0))
        return 0;
    if (load >= most || !(least < most))
        return REPORT_LOAD_STEPS - 1;
    return 1 + (uint32_t)(log(load / least) / log(most / least) * (REPORT_LOAD_STEPS - 1));
}

/* The colours divide the range up to the busiest link. */
struct report_load_layer report_load_layer_of(const struct report_layout *layout, const double *loads)
{
    struct report_load_layer layer = {.layout = layout, .loads = loads};

    for (uint32_t link = 0; link < layout->topology->link_count; link++)
        if (loads[link] > layer.most)
            layer.most = loads[link];
    return layer;
}

/* -1, 0 or 1. */
static int32_t sign(int32_t number)
{
    return (number > 0) - (number < 0);
}

/* Of a link whose ends are in different slices (picture-layout.h): as in the picture of the topology, the
 * third dimension points north-east and the fourth north-west. false: the link lies in its slice. */
static bool leaves_slice(const struct net_topology *topology, const struct net_link *link, int32_t *right,
                         int32_t *down)
{
    int32_t up = link->port % 2 == 0 ? 1 : -1; /* even ports go up in their dimension (topology.h) */

    if (net_topology_dimensions(topology) < 3 || link->port < 4 ||
        link->port >= 2 * net_topology_dimensions(topology))
        return false;
    *right = link->port < 6 ? up : -up;
    *down = -up;
    return true;
}

/* From where to where a link's arrow is drawn. */
struct ends {
    struct report_point from, to;
};

/* Between neighbours from router to router, shifted to the right hand; else a stub towards the target. */
static struct ends ends_of(const struct report_load_layer *layer, const struct net_link *link)
{
    struct report_point from = report_layout_router(layer->layout, link->source);
    struct report_point to = report_layout_router(layer->layout, link->target);
    int32_t right = sign(to.x - from.x), down = sign(to.y - from.y), pitch = layer->layout->pitch;
    int32_t aside = pitch / 14, reach = pitch;
    bool leaves = leaves_slice(layer->layout->topology, link, &right, &down);
    bool beside = !leaves && abs(to.x - from.x) <= pitch && abs(to.y - from.y) <= pitch;

    if (leaves) {
        reach = pitch * 2 / 5;
    } else if (!beside) { /* it wraps: the way out is away from the target */
        right = abs(to.x - from.x) > pitch ? -right : right;
        down = abs(to.y - from.y) > pitch ? -down : down;
        reach = pitch * 2 / 5;
    }
    from.x += -down * aside;
    from.y += right * aside;
    to = (struct report_point){from.x + right * reach, from.y + down * reach};
    if (beside) { /* heads end before the router's box */
        to.x -= right * layer->layout->router / 2;
        to.y -= down * layer->layout->router / 2;
    }
    return (struct ends){from, to};
}

static void draw_link(const struct report_load_layer *layer, uint32_t link, uint32_t step)
{
    struct ends ends = ends_of(layer, &layer->layout->topology->links[link]);
    int32_t pitch = layer->layout->pitch;
    char note[REPORT_LOAD_NOTE];

    if (layer->note != NULL) {
        layer->note(layer->context, link, note);
        report_draw_note(layer->draw, note);
    }
    report_draw_color(layer->draw, REPORT_NO_COLOR, report_load_colors[step]);
    report_draw_arrow(layer->draw, ends.from, ends.to, 12 + (int32_t)step * pitch / 160, pitch / 16);
}

/* The busiest last, over the others. */
void report_load_links(const struct report_load_layer *layer)
{
    const struct net_topology *topology = layer->layout->topology;

    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++)
        for (uint32_t link = 0; link < topology->link_count; link++)
            if (report_load_step(layer->loads[link], layer->most) == step)
                draw_link(layer, link, step);
    report_draw_note(layer->draw, NULL);
}

void report_load_mark(struct report_draw *draw, struct report_point middle, int32_t diameter)
{
    report_draw_color(draw, REPORT_VERMILION, REPORT_PAPER);
    report_draw_dot(draw, middle, diameter);
}

/* The router's box hides the first half of what it is beside, so the middle of what is seen lies nearer to the head. */
void report_load_mark_link(const struct report_load_layer *layer, uint32_t link)
{
    struct ends ends = ends_of(layer, &layer->layout->topology->links[link]);

    report_load_mark(
        layer->draw,
        (struct report_point){(ends.from.x + 2 * ends.to.x) / 3, (ends.from.y + 2 * ends.to.y) / 3},
        layer->layout->pitch / 6);
}

/* In the colours of the arrows: a load is read off by comparing. */
void report_load_scale(struct report_draw *draw, struct report_point point, int32_t text_size,
                       const char *text)
{
    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++, point.x += 300) {
        report_draw_color(draw, REPORT_NO_COLOR, report_load_colors[step]);
        report_draw_line(draw, point, (struct report_point){point.x + 260, point.y}, 60);
    }
    report_draw_color(draw, REPORT_PALE_INK, REPORT_NO_COLOR);
    report_draw_text(draw, (struct report_point){point.x + 60, point.y}, text_size, REPORT_START, text);
}
