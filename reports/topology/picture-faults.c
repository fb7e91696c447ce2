/* Dead links and rings in the picture of a network: rings lie under the links that they use, those that pruning has
 * taken from them in another colour; dead links are crossed out (after Figures 3.12 to 3.14 of the king thesis). */
#include "reports/topology/faults.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "reports/drawing/palette.h"

#define RING_WIDTH 4  /* times that of a link */
#define CROSS_WIDTH 5 /* half of the cross, in widths of a link */
#define CROSS_AT 0.4  /* of the link: diagonals meet in their middle, where a cross could be on either */
#define SAMPLE 60     /* half of a sample in the legend */
#define SAMPLE_WIDTH 18

/* In the end, whenever it dies. */
bool report_faults_is_dead(const struct report_faults *faults, uint32_t link)
{
    return faults != NULL && faults->faults->dies[link] != NET_NEVER;
}

/* Under the link, wider than it, so that both can be seen. */
void report_faults_ring(const struct report_faults *faults, struct report_draw *draw, uint32_t link,
                        struct report_point from, struct report_point to, int32_t width)
{
    bool now = faults->now->next[link] != NET_NONE;

    if (!now && faults->before->next[link] == NET_NONE)
        return;
    report_draw_color(draw, REPORT_NO_COLOR, now ? REPORT_ORANGE : REPORT_SKY);
    report_draw_line(draw, from, to, RING_WIDTH * width);
}

/* The two lines of the cross lean by 45 degrees against the link. alone: no other link is drawn by that line, and
 * a pale one takes its place. */
void report_faults_cross(struct report_draw *draw, struct report_point from, struct report_point to,
                         int32_t width, bool alone)
{
    struct report_point middle = {from.x + (int32_t)lround(CROSS_AT * (to.x - from.x)),
                                  from.y + (int32_t)lround(CROSS_AT * (to.y - from.y))};
    double along = to.x - from.x, down = to.y - from.y, length = fmax(hypot(along, down), 1);
    double turn = sqrt(0.5), reach = CROSS_WIDTH * width;
    int32_t x = (int32_t)lround((along - down) / length * turn * reach);
    int32_t y = (int32_t)lround((along + down) / length * turn * reach);

    report_draw_color(draw, REPORT_NO_COLOR, REPORT_GREY);
    if (alone)
        report_draw_line(draw, from, to, width);
    report_draw_color(draw, REPORT_NO_COLOR, REPORT_INK);
    report_draw_line(draw, (struct report_point){middle.x - x, middle.y - y},
                     (struct report_point){middle.x + x, middle.y + y}, width * 5 / 4);
    report_draw_line(draw, (struct report_point){middle.x - y, middle.y + x},
                     (struct report_point){middle.x + y, middle.y - x}, width * 5 / 4);
}

/* A router on two rings counts for each. */
static uint32_t routers_of(const struct net_rings *rings)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rings->count; i++)
        count += rings->ring[i].routers;
    return count;
}

/* The third is for what pruning took away, if it took anything. */
uint32_t report_faults_lines(const struct report_faults *faults)
{
    if (faults == NULL)
        return 0;
    return routers_of(faults->before) > routers_of(faults->now) ? 3 : 2;
}

/* which: below report_faults_lines. */
void report_faults_legend(const struct report_faults *faults, uint32_t which, char *text, size_t size)
{
    uint32_t routers = routers_of(faults->now), before = routers_of(faults->before);

    if (which == 0)
        snprintf(text, size, "dead links: %" PRIu32, faults->faults->count);
    else if (which == 1)
        snprintf(text, size, "%s: %" PRIu32 " ring%s, once each way, through %" PRIu32 " routers",
                 faults->control->options.routing->name, faults->now->count,
                 faults->now->count == 1 ? "" : "s", routers);
    else
        snprintf(text, size, "left the rings by pruning: %" PRIu32 " routers", before - routers);
}

/* As it is in the picture, at the size of a legend. */
void report_faults_sample(struct report_draw *draw, uint32_t which, struct report_point middle)
{
    struct report_point from = {middle.x - SAMPLE, middle.y}, to = {middle.x + SAMPLE, middle.y};

    if (which == 0) {
        report_faults_cross(draw, from, to, SAMPLE_WIDTH, true);
        return;
    }
    report_draw_color(draw, REPORT_NO_COLOR, which == 1 ? REPORT_ORANGE : REPORT_SKY);
    report_draw_line(draw, from, to, RING_WIDTH * SAMPLE_WIDTH);
}
