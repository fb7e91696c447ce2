/* Shared channels as the m-way and the broadcast paper draw them: a box for each channel, on the wires
 * between them small squares, the m-way routers, and circles for processors, beside their channel or their
 * router.
 *
 *      +-----+            +-----+
 *      |  0  |----[r]-----|  1  |
 *      +-----+            +-----+
 *         |  '-o P           |  '-o P
 *        [r]                [r]
 *
 * An m-way router of a ring that closes is at both ends of the picture: whole at the upper end, an outline at
 * the lower one. So is one that leads to another slice. */
#include "reports/topology/picture-parts.h"

#include <string.h>

#define PROCESSOR_FILL 0xf5d491
#define PROCESSOR_LINE 0x8a5a00
/* Processors of a channel that are drawn one by one; of more there is a circle and their number. */
#define PROCESSORS_DRAWN 3

/* A fourth dimension's arrows take the space where processors would be. */
bool report_mway_has_room(const struct net_topology *topology)
{
    return topology->grid->dimensions < 4;
}

/* Half-way between two channels, or at the end of the wire that leads out of the plane. */
static struct report_point router_at(const struct report_picture *picture, const struct net_link *link)
{
    struct report_look look = report_picture_look(picture->topology, link);
    struct report_point from = report_layout_router(&picture->layout, link->source);
    struct report_point to = report_layout_router(&picture->layout, link->target);
    if (look.is_arrow)
        return report_picture_arrow_end(picture, link, look, REPORT_WAY_ROUTER_AT);
    return (struct report_point){(from.x + to.x) / 2, (from.y + to.y) / 2};
}

/* An outline is the other end of a router that is drawn whole elsewhere. */
static void draw_square(const struct report_picture *picture, struct report_point middle, bool whole)
{
    int32_t width = picture->layout.pitch * 15 / 100;
    report_draw_color(picture->draw, whole ? ROUTER_LINE : REPORT_PAPER, ROUTER_LINE);
    report_draw_box(picture->draw, (struct report_point){middle.x - width / 2, middle.y - width / 2},
                    (struct report_point){width, width}, 0);
}

/* A circle, as its corners have half of its width as radius. */
static void draw_processor(const struct report_picture *picture, struct report_point middle)
{
    int32_t width = picture->layout.pitch * 12 / 100;
    report_draw_color(picture->draw, PROCESSOR_FILL, PROCESSOR_LINE);
    report_draw_box(picture->draw, (struct report_point){middle.x - width / 2, middle.y - width / 2},
                    (struct report_point){width, width}, width / 2);
}

/* The wire from a device to its processor lies under both. */
static void draw_wire(const struct report_picture *picture, struct report_point from, struct report_point to)
{
    report_draw_color(picture->draw, REPORT_NO_COLOR, PROCESSOR_LINE);
    report_draw_line(picture->draw, from, to, picture->line_width / 2);
}

/* In the open square to the lower right of a channel, side by side on one wire. More than a few are one circle
 * with their number. */
static void draw_processors(const struct report_picture *picture, uint32_t channel)
{
    uint32_t processors = picture->topology->shared->processors;
    uint32_t drawn = processors > PROCESSORS_DRAWN ? 1 : processors;
    int32_t pitch = picture->layout.pitch, step = pitch * 14 / 100;
    struct report_point middle = report_layout_router(&picture->layout, channel);
    struct report_point place = {middle.x + pitch * 38 / 100, middle.y + pitch * 38 / 100};
    draw_wire(picture, middle, place);
    draw_wire(picture, place, (struct report_point){place.x + step * (int32_t)(drawn - 1), place.y});
    for (uint32_t i = 0; i < drawn; i++, place.x += step)
        draw_processor(picture, place);
    if (drawn < processors) {
        char text[16];
        snprintf(text, sizeof text, "\xc3\x97%u", processors);
        report_draw_color(picture->draw, REPORT_PALE_INK, REPORT_NO_COLOR);
        report_draw_text(picture->draw, (struct report_point){place.x - step * 35 / 100, place.y},
                         pitch * 11 / 100, REPORT_START, text);
    }
}

/* Below the square on a horizontal wire, to the right of it on others, so that it is on no wire. */
static void draw_inside(const struct report_picture *picture, const struct net_link *link,
                        struct report_point square)
{
    int32_t aside = picture->layout.pitch * 16 / 100;
    bool below = report_picture_look(picture->topology, link).down == 0;
    struct report_point place = {square.x + (below ? 0 : aside), square.y + (below ? aside : 0)};
    draw_wire(picture, square, place);
    draw_processor(picture, place);
}

/* Each m-way router by its upward set; the downward one shows only where it is the other end of the picture.
 * Lines are under what stands on them: wires, processors, squares. */
void report_mway_draw(const struct report_picture *picture)
{
    const struct net_topology *topology = picture->topology;
    for (uint32_t c = 0; c < topology->routers; c++)
        if (report_mway_has_room(topology) && topology->shared->processors > 0)
            draw_processors(picture, c);
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        struct report_point square = router_at(picture, link);
        bool whole = link->port % 2 == 0;
        if (!whole && !report_picture_look(topology, link).is_arrow)
            continue;
        if (whole && net_shared_inside_routers(topology))
            draw_inside(picture, link, square);
        draw_square(picture, square, whole);
    }
}

/* Some m-way routers are drawn twice. */
static bool has_outlines(const struct net_topology *topology)
{
    return topology->link_count > 0 && (topology->grid->wraps || topology->grid->dimensions > 2);
}

/* "processors 2c and 2c + 1 on channel c" */
static void say_processors(const struct net_topology *topology, char *text, size_t size)
{
    uint32_t processors = topology->shared->processors;
    if (net_shared_inside_routers(topology))
        snprintf(text, size, "processor, inside its m-way router: those of channel 0 first, then of 1, ...");
    else if (processors == 1)
        snprintf(text, size, "processor c on channel c");
    else
        snprintf(text, size, "%u processors on channel c: %uc to %uc + %u", processors, processors,
                 processors, processors - 1);
}

/* Only of what is in the picture: a legend that names what is not there is read twice. In the order channel,
 * router, outline, processor. */
void report_mway_legend(const struct report_picture *picture, struct report_point *next)
{
    const struct net_topology *topology = picture->topology;
    char text[128];
    snprintf(text, sizeof text, "m-way channel: one of its devices (m = %u at most) sends one flit per cycle",
             topology->shared->sharing);
    struct report_point sample = report_picture_entry(picture, next, text);
    report_draw_color(picture->draw, ROUTER_FILL, ROUTER_LINE);
    report_draw_box(picture->draw, (struct report_point){sample.x - 80, sample.y - 80},
                    (struct report_point){160, 160}, 27);
    if (topology->link_count > 0)
        draw_square(
            picture,
            report_picture_entry(picture, next, "m-way router: takes flits from one, drives the other"),
            true);
    if (has_outlines(topology))
        draw_square(
            picture,
            report_picture_entry(picture, next,
                                 topology->grid->wraps
                                     ? "the same router as at the opposite edge or in the slice before"
                                     : "the same router as in the slice before"),
            false);
    say_processors(topology, text, sizeof text);
    sample = report_picture_entry(picture, next, text);
    if (report_mway_has_room(topology) || net_shared_inside_routers(topology)) {
        draw_processor(picture, sample);
    } else { /* dots inside the channels */
        report_draw_color(picture->draw, ROUTER_LINE, REPORT_NO_COLOR);
        report_draw_dot(picture->draw, sample, 60);
    }
}
