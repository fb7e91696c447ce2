/* The pitch follows from the number of routers, so that 2x2 is not a poster and 32x32 fits a screen; all
 * other lengths follow from the pitch. */
#include "reports/drawing/picture-layout.h"

/* A line of more routers is folded into rows, back and forth, of at least this many. */
#define LINE_COLUMNS 16
#define PITCH_LARGEST 900
#define PITCH_SMALLEST 280
/* The width or height, whichever is more, that all columns or rows together aim at. */
#define EXTENT_WANTED 12000

/* Rounded up; by counting, since numbers are those of routers in a picture. */
static uint32_t smallest_root(uint32_t count)
{
    uint32_t root = 1;
    while (root * root < count)
        root++;
    return root;
}

/* A line is folded, a third dimension makes slices in about a square, a fourth one makes a table of them. */
static void set_counts(struct report_layout *layout)
{
    const struct net_topology *topology = layout->topology;
    layout->columns = net_topology_side(topology, 0);
    layout->rows = net_topology_side(topology, 1);
    if (net_topology_dimensions(topology) == 1 && topology->routers > LINE_COLUMNS) {
        uint32_t root = smallest_root(topology->routers);
        layout->columns = root > LINE_COLUMNS ? root : LINE_COLUMNS;
        layout->rows = (topology->routers + layout->columns - 1) / layout->columns;
    }
    layout->slices = net_topology_side(topology, 2) * net_topology_side(topology, 3);
    layout->slices_in_row = net_topology_dimensions(topology) == 4 ? net_topology_side(topology, 2)
                                                                   : smallest_root(layout->slices);
    /* Few slices read best in one row. */
    if (net_topology_dimensions(topology) == 3 && layout->slices * layout->columns <= 24)
        layout->slices_in_row = layout->slices;
}

/* The value, or the end of the range that is nearer to it. */
static int32_t between(int32_t value, int32_t least, int32_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* In tenths of a pixel. The pitch is rounded to whole pixels, so that lines are sharp. */
void report_layout_set(struct report_layout *layout, const struct net_topology *topology, int32_t left,
                       int32_t top)
{
    *layout = (struct report_layout){.topology = topology, .left = left, .top = top};
    set_counts(layout);
    uint32_t slice_rows = (layout->slices + layout->slices_in_row - 1) / layout->slices_in_row;
    uint32_t across = layout->columns * layout->slices_in_row, down = layout->rows * slice_rows;
    int32_t extent = (int32_t)(across > down ? across : down);
    layout->pitch = between(EXTENT_WANTED / extent, PITCH_SMALLEST, PITCH_LARGEST) / 10 * 10;
    layout->router = layout->pitch * 54 / 100 / 10 * 10;
    layout->slice.x = (int32_t)layout->columns * layout->pitch;
    layout->slice.y = (int32_t)layout->rows * layout->pitch;
    /* Room for the slices' names, and so that arrows out of neighbouring slices do not meet. */
    layout->step.x = layout->slice.x + (layout->slices > 1 ? layout->pitch / 4 + 100 : 0);
    layout->step.y = layout->slice.y + (layout->slices > 1 ? layout->pitch / 4 + 300 : 0);
    layout->size.x = layout->step.x * (int32_t)(layout->slices_in_row - 1) + layout->slice.x;
    layout->size.y = layout->step.y * (int32_t)(slice_rows - 1) + layout->slice.y;
}

/* Its upper left corner. */
struct report_point report_layout_slice(const struct report_layout *layout, uint32_t slice)
{
    return (struct report_point){layout->left + (int32_t)(slice % layout->slices_in_row) * layout->step.x,
                                 layout->top + (int32_t)(slice / layout->slices_in_row) * layout->step.y};
}

/* Its middle. */
struct report_point report_layout_router(const struct report_layout *layout, uint32_t router)
{
    uint32_t in_slice = net_topology_side(layout->topology, 0) * net_topology_side(layout->topology, 1);
    struct report_point point = report_layout_slice(layout, router / in_slice);
    uint32_t x = router % in_slice % layout->columns, y = router % in_slice / layout->columns;
    /* Every other row of a folded line runs back; without a second dimension rows go down instead of up. */
    if (net_topology_dimensions(layout->topology) < 2)
        x = y % 2 == 0 ? x : layout->columns - 1 - x;
    else
        y = layout->rows - 1 - y;
    point.x += (int32_t)x * layout->pitch + layout->pitch / 2;
    point.y += (int32_t)y * layout->pitch + layout->pitch / 2;
    return point;
}
