/* A panel for each direction of a grid's links, or one for its shared channels:
 *
 *      X+: at most 0.4 %        X-: at most 0.3 %
 *    3 ▓▒░·                   3 ·░▒▓
 *    0 ▓▓▒░                   0 ░▒▓▓
 *      0  3                     0  3
 *
 * Slices of further dimensions lie beside each other, as in pictures with arrows (picture-layout.h). */
#include <inttypes.h>

#include "reports/drawing/chart.h"
#include "reports/run/channel-loads.h"

#define PANEL 2400 /* the width of the cells of a panel, at most */
#define CELL_LEAST 30
#define PANELS_MOST 8
#define PANELS_IN_ROW 2
#define LEFT 320        /* of the cells, for the numbers of rows */
#define TOP 320         /* for a panel's title */
#define BELOW 420       /* for the numbers of columns */
#define NOTED_MOST 1100 /* cells; of more nothing is told to whoever points at them */
#define TICKS 8

/* Directions are ports. Where there are too many, one panel has the busiest of a router's channels. */
static uint32_t panels_of(const struct net_topology *topology)
{
    return topology->shared != NULL || topology->ports > PANELS_MOST ? 1 : topology->ports;
}

struct report_heat_map report_heat_map_of(const struct report_channel_loads *loads,
                                          struct report_point corner)
{
    const struct net_topology *topology = loads->view->topology;
    struct report_heat_map map = {.loads = loads, .corner = corner, .panels = panels_of(topology)};
    int32_t rows = ((int32_t)map.panels + PANELS_IN_ROW - 1) / PANELS_IN_ROW;

    report_layout_set(&map.layout, topology, 0, 0);
    map.cell = PANEL * map.layout.pitch / map.layout.size.x / 10 * 10;
    map.cell = map.cell < CELL_LEAST ? CELL_LEAST : map.cell;
    map.panel.x = map.layout.size.x * map.cell / map.layout.pitch + LEFT;
    map.panel.y = map.layout.size.y * map.cell / map.layout.pitch + TOP + BELOW;
    map.size.x = map.panel.x * (map.panels > 1 ? PANELS_IN_ROW : 1);
    map.size.y = map.panel.y * rows;
    return map;
}

/* The channel of a router that a panel shows; NET_NONE: there is none. */
static uint32_t channel_of(const struct report_heat_map *map, uint32_t panel, uint32_t router)
{
    const struct net_topology *topology = map->loads->view->topology;
    const uint32_t *ports = &topology->link_at[(size_t)router * topology->ports];
    uint32_t busiest = NET_NONE;

    if (topology->shared != NULL)
        return router;
    if (map->panels > 1)
        return ports[panel];
    for (uint32_t port = 0; port < topology->ports; port++)
        if (ports[port] != NET_NONE &&
            (busiest == NET_NONE || map->loads->channels[ports[port]] > map->loads->channels[busiest]))
            busiest = ports[port];
    return busiest;
}

static struct report_point panel_at(const struct report_heat_map *map, uint32_t panel)
{
    return (struct report_point){map->corner.x + (int32_t)(panel % PANELS_IN_ROW) * map->panel.x + LEFT,
                                 map->corner.y + (int32_t)(panel / PANELS_IN_ROW) * map->panel.y + TOP};
}

/* Its upper left corner. */
static struct report_point cell_at(const struct report_heat_map *map, struct report_point at, uint32_t router)
{
    const struct report_layout *layout = &map->layout;
    struct report_point middle = report_layout_router(layout, router);

    return (struct report_point){at.x + (middle.x - layout->pitch / 2) * map->cell / layout->pitch,
                                 at.y + (middle.y - layout->pitch / 2) * map->cell / layout->pitch};
}

/* Cells of one colour follow each other, so that they become one path, unless each says something. */
static void draw_cells(const struct report_heat_map *map, uint32_t panel)
{
    const struct report_channel_loads *loads = map->loads;
    uint32_t routers = loads->view->topology->routers;
    const struct report_point size = {map->cell, map->cell};
    bool is_noted = (uint64_t)routers * map->panels <= NOTED_MOST;
    char note[REPORT_LOAD_NOTE];

    for (uint32_t step = 0; step < REPORT_LOAD_STEPS; step++)
        for (uint32_t router = 0; router < routers; router++) {
            uint32_t channel = channel_of(map, panel, router);
            if (channel == NET_NONE || report_load_step(loads->channels[channel], loads->most) != step)
                continue;
            if (is_noted) {
                report_channel_loads_note(loads, channel, note);
                report_draw_note(map->draw, note);
            }
            report_draw_color(map->draw, report_load_colors[step], REPORT_NO_COLOR);
            report_draw_cell(map->draw, cell_at(map, panel_at(map, panel), router), size);
        }
    report_draw_note(map->draw, NULL);
}

/* Of a plane: the numbers of columns below it, and of rows to its left, every few where they are many. */
static void draw_ticks(const struct report_heat_map *map, struct report_point at)
{
    const struct report_layout *layout = &map->layout;
    uint32_t each_column = (layout->columns + TICKS - 1) / TICKS;
    uint32_t each_row = (layout->rows + TICKS - 1) / TICKS;
    int32_t bottom = at.y + layout->size.y * map->cell / layout->pitch, half = map->cell / 2;
    char number[16];

    if (net_topology_dimensions(layout->topology) != 2)
        return;
    for (uint32_t x = 0; x < layout->columns; x += each_column) {
        snprintf(number, sizeof number, "%" PRIu32, x);
        report_chart_label(map->draw,
                           (struct report_point){at.x + (int32_t)x * map->cell + half, bottom + 120},
                           REPORT_MIDDLE, number);
    }
    for (uint32_t y = 0; y < layout->rows; y += each_row) {
        snprintf(number, sizeof number, "%" PRIu32, y);
        report_chart_label(map->draw,
                           (struct report_point){at.x - 60, bottom - (int32_t)y * map->cell - half},
                           REPORT_END, number);
    }
}

/* "X+: at most 0.4 %". Ports have their names where there are links by them. */
static void draw_title(const struct report_heat_map *map, uint32_t panel)
{
    const struct report_channel_loads *loads = map->loads;
    const struct net_topology *topology = loads->view->topology;
    double most = 0, cycles = (double)loads->cycles;
    struct report_point at = panel_at(map, panel);
    const char *name = topology->shared != NULL ? "shared channels" : "the busiest way out of each router";
    char text[120], share[REPORT_NUMBER_TEXT];

    for (uint32_t router = 0; router < topology->routers; router++) {
        uint32_t channel = channel_of(map, panel, router);
        if (channel == NET_NONE)
            continue;
        most = loads->channels[channel] > most ? loads->channels[channel] : most;
        if (map->panels > 1)
            name = net_port_name(topology, router, panel);
    }
    snprintf(text, sizeof text, "%.60s: at most %s", name,
             report_page_share(cycles > 0 ? most / cycles : 0, share));
    report_chart_name(map->draw, (struct report_point){at.x, at.y - 140}, REPORT_START, text, 60);
}

/* The busiest channel has a frame, over its neighbours. */
static void draw_frame(const struct report_heat_map *map)
{
    const struct report_channel_loads *loads = map->loads;

    if (!(loads->most > 0))
        return;
    for (uint32_t panel = 0; panel < map->panels; panel++)
        for (uint32_t router = 0; router < loads->view->topology->routers; router++)
            if (channel_of(map, panel, router) == loads->busiest) {
                struct report_point at = cell_at(map, panel_at(map, panel), router);
                const int32_t low = at.y + map->cell, right = at.x + map->cell;
                const struct report_point around[] = {
                    {at.x, at.y}, {right, at.y}, {right, low}, {at.x, low}, {at.x, at.y}};
                report_draw_color(map->draw, REPORT_NO_COLOR, REPORT_VERMILION);
                map->draw->line(map->draw, around, sizeof around / sizeof *around, 24);
            }
}

void report_heat_map_draw(const struct report_heat_map *map)
{
    for (uint32_t panel = 0; panel < map->panels; panel++) {
        draw_title(map, panel);
        draw_cells(map, panel);
        draw_ticks(map, panel_at(map, panel));
    }
    draw_frame(map);
}
