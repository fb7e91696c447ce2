/* A map of the machine: its routers where the topology's picture has them, and in each a cell for a terminal, in the
 * colour of the job that has a rank there.
 *
 *      Machine map of mesh:6x4
 *      24 terminals, 12 of them have ranks
 *      ■ job 1: cg.S.4, 4 ranks   ■ job 2: is.S.8, 8 ranks   □ without a rank
 *
 *      □ □ □ □ □ □
 *      3 2 7 6 □ □        the number of the rank where there is room; whoever points at a cell is told all ranks there
 *      1 0 5 4 □ □
 *
 * A grid keeps its places whatever its size. Other networks stand where their kind says while they have few routers,
 * and beyond that, or where terminals have no routers of their own, in rows in the order of their numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "reports/drawing/chart.h"
#include "reports/run/channel-loads.h"
#include "reports/run/picture.h"
#include "reports/topology/picture-parts.h"
#include "reports/topology/picture.h"

#define WIDTH_LEAST 6400 /* for the words */
#define EXTENT 7600      /* of cells that stand closer than a picture's routers */
#define CELL_LEAST 30    /* of a router */
#define NAMED_LEAST 180  /* a terminal's cell with the number of its rank */
#define LINKS_MOST 2000  /* more are not drawn */
#define KEYS_MOST 12
#define NOTE_TEXT 512
#define NOTED_MOST 4096 /* terminals; of more nothing is told to whoever points at them */

/* What is drawn where. */
struct map {
    const struct report_run_view *view;
    struct report_draw *draw;
    struct report_point *place; /* [router]: the middle of its box; of stages, [terminal] */
    uint32_t boxes;             /* of place */
    int32_t box;                /* a router's width */
    uint32_t each;              /* terminals of a box, at most */
    struct report_point corner, size;
    uint32_t *first, *next;      /* [terminal], [rank]: the ranks there, in rising order; NET_NONE: no more */
    uint32_t *place_in, *in_box; /* [terminal]: the how-manieth of its box it is; [box]: how many there are */
    uint32_t *owner;             /* [terminal]: the job whose rank or partition is there; NET_NONE: none */
    bool has_free, has_idle;     /* some have no owner; an owner, but no rank */
};

/* A single program is one job. partition: its, which the machine borrows. */
static struct report_machine machine_of(const struct report_run *run,
                                        const struct report_partition *const *partition)
{
    static const uint32_t first = 0;

    if (run->machine != NULL)
        return *run->machine;
    return (struct report_machine){
        .ranks = run->ranks, .job_count = 1, .first_rank = &first, .partition = partition};
}

static uint32_t terminal_of(const struct report_run *run, uint32_t rank)
{
    return run->machine != NULL ? run->machine->terminal[rank] : run->rank[rank].terminal;
}

static int check(const struct report_run_view *view, struct base_error *error)
{
    if (view->run->is_partial || (view->run->machine == NULL && view->run->rank == NULL))
        return base_error_set(error, BASE_USAGE, "an interrupted run has no map of the machine");
    return report_topology_is_placed(view->topology) ? 0 : report_topology_drawable(view->topology, error);
}

/* The last job that begins at the rank or before it. */
static uint32_t job_of(const struct report_machine *machine, uint32_t rank)
{
    uint32_t job = machine->job_count;

    while (job > 1 && machine->first_rank[job - 1] > rank)
        job--;
    return job - 1;
}

/* Told apart in grey, too, in the order of their numbers; more jobs than that share them, and are told by pointing. */
static report_color color_of(uint32_t job)
{
    static const report_color colors[] = {REPORT_SKY,    REPORT_VERMILION, REPORT_ORANGE,
                                          REPORT_PURPLE, REPORT_GREEN,     REPORT_BLUE};
    return colors[job % (sizeof colors / sizeof *colors)];
}

static report_color ink_on(report_color color)
{
    bool is_bright = color == REPORT_SKY || color == REPORT_ORANGE || color == REPORT_GREEN;

    return is_bright ? REPORT_ON_BRIGHT : REPORT_ON_DARK;
}

/* Terminals of stages have cells of their own: their routers are stages of cells. */
static uint32_t box_of(const struct map *map, uint32_t terminal)
{
    const struct net_topology *topology = map->view->topology;
    return topology->multistage != NULL ? terminal : net_topology_router_of(topology, terminal);
}

/* ---- where boxes stand ---- */

/* A grid in its own scale while arrows could be told apart, and closer with more routers. */
static void place_grid(struct map *map)
{
    struct report_layout layout;

    report_layout_set(&layout, map->view->topology, 0, 0);
    int32_t pitch = layout.pitch;
    if (map->boxes > REPORT_ARROWS_ROUTERS_MAX) {
        pitch = EXTENT * layout.pitch / layout.size.x / 10 * 10;
        pitch = pitch < CELL_LEAST ? CELL_LEAST : pitch > layout.pitch ? layout.pitch : pitch;
    }
    map->box = map->boxes > REPORT_ARROWS_ROUTERS_MAX ? pitch : layout.router;
    for (uint32_t router = 0; router < map->boxes; router++) {
        struct report_point middle = report_layout_router(&layout, router);
        map->place[router] = (struct report_point){map->corner.x + middle.x * pitch / layout.pitch,
                                                   map->corner.y + middle.y * pitch / layout.pitch};
    }
    map->size =
        (struct report_point){layout.size.x * pitch / layout.pitch, layout.size.y * pitch / layout.pitch};
}

/* Rows of equal length, as many as make a square. */
static void place_rows(struct map *map)
{
    uint32_t columns = 1;

    while ((uint64_t)columns * columns < map->boxes)
        columns++;
    int32_t pitch = EXTENT / (int32_t)columns / 10 * 10;
    pitch = pitch < CELL_LEAST ? CELL_LEAST : pitch > 500 ? 500 : pitch;
    map->box = pitch > 100 ? pitch * 9 / 10 : pitch;
    for (uint32_t box = 0; box < map->boxes; box++)
        map->place[box] = (struct report_point){map->corner.x + (int32_t)(box % columns) * pitch + pitch / 2,
                                                map->corner.y + (int32_t)(box / columns) * pitch + pitch / 2};
    map->size = (struct report_point){(int32_t)columns * pitch,
                                      (int32_t)((map->boxes + columns - 1) / columns) * pitch};
}

/* Where the kind or its file says. -1: memory. */
static int place_placed(struct map *map, struct base_error *error)
{
    const int32_t half = REPORT_PLACED_BOX / 2;
    struct report_placed placed;
    int status = report_placed_routers(map->view->topology,
                                       (struct report_point){map->corner.x + half, map->corner.y + half},
                                       &placed, error);

    if (status == 0) {
        memcpy(map->place, placed.place, map->boxes * sizeof *map->place);
        map->box = placed.box;
        map->size = (struct report_point){placed.extent.x + 2 * half, placed.extent.y + 2 * half};
    }
    free(placed.place);
    return status;
}

static bool stands_in_rows(const struct map *map)
{
    const struct net_topology *topology = map->view->topology;
    return topology->multistage != NULL ||
           (report_topology_is_placed(topology) && map->boxes > REPORT_ARROWS_ROUTERS_MAX);
}

static int place_boxes(struct map *map, struct base_error *error)
{
    if (stands_in_rows(map))
        place_rows(map);
    else if (report_topology_is_placed(map->view->topology))
        return place_placed(map, error);
    else
        place_grid(map);
    return 0;
}

/* ---- who is where ---- */

/* Ranks from the last to the first, so that lists rise. */
static void enter_ranks(struct map *map, const struct report_machine *machine)
{
    const uint32_t terminals = map->view->topology->terminals;

    for (uint32_t terminal = 0; terminal < terminals; terminal++) {
        uint32_t *count = &map->in_box[box_of(map, terminal)];
        map->first[terminal] = NET_NONE;
        map->place_in[terminal] = (*count)++;
        map->each = *count > map->each ? *count : map->each;
    }
    for (uint32_t rank = machine->ranks; rank-- > 0;) {
        uint32_t terminal = terminal_of(map->view->run, rank);
        map->next[rank] = map->first[terminal];
        map->first[terminal] = rank;
    }
}

/* Behind enter_ranks. Jobs own what they have ranks on, and all of their partition. */
static void enter_partitions(struct map *map, const struct report_machine *machine)
{
    for (uint32_t terminal = 0; terminal < map->view->topology->terminals; terminal++)
        map->owner[terminal] =
            map->first[terminal] == NET_NONE ? NET_NONE : job_of(machine, map->first[terminal]);
    for (uint32_t job = 0; job < machine->job_count; job++) {
        const struct report_partition *partition = machine->partition[job];
        for (uint32_t i = 0; partition->terminal != NULL && i < partition->terminals; i++)
            if (map->owner[partition->terminal[i]] == NET_NONE)
                map->owner[partition->terminal[i]] = job;
    }
    for (uint32_t terminal = 0; terminal < map->view->topology->terminals; terminal++) {
        map->has_free |= map->owner[terminal] == NET_NONE;
        map->has_idle |= map->owner[terminal] != NET_NONE && map->first[terminal] == NET_NONE;
    }
}

/* ---- ink ---- */

/* Between neighbours only: links that wrap or leave a slice would cross the map. */
static void draw_links(const struct map *map)
{
    const struct net_topology *topology = map->view->topology;

    if (stands_in_rows(map) || topology->link_count > LINKS_MOST || map->boxes > REPORT_ARROWS_ROUTERS_MAX)
        return;
    report_draw_color(map->draw, REPORT_NO_COLOR, REPORT_GRID);
    for (uint32_t l = 0; l < topology->link_count; l++) {
        struct report_point from = map->place[topology->links[l].source];
        struct report_point to = map->place[topology->links[l].target];
        bool is_near = abs(from.x - to.x) < 2 * map->box && abs(from.y - to.y) < 2 * map->box;
        if (is_near || report_topology_is_placed(topology))
            report_draw_line(map->draw, from, to, 16);
    }
}

/* "job 2 rank 7"; of a single program "rank 7". Returns how long the text is then. */
static size_t add_rank(const struct report_machine *machine, uint32_t rank, char *text, size_t used,
                       size_t size)
{
    uint32_t job = job_of(machine, rank);
    const char *comma = used > 0 && text[used - 1] != ' ' ? ", " : "";

    if (used + 40 >= size)
        return used;
    if (machine->job_count > 1)
        used += (size_t)snprintf(text + used, size - used, "%sjob %" PRIu32 " rank %" PRIu32, comma, job + 1,
                                 rank - machine->first_rank[job]);
    else
        used += (size_t)snprintf(text + used, size - used, "%srank %" PRIu32, comma, rank);
    return used;
}

/* "router (1,2), terminal 9: job 2 rank 7". */
static void note_terminal(const struct map *map, const struct report_machine *machine, uint32_t terminal)
{
    const struct net_topology *topology = map->view->topology;
    char note[NOTE_TEXT], name[NET_NAME_TEXT];
    size_t used = 0;

    if (topology->multistage == NULL)
        used = (size_t)snprintf(note, sizeof note, "%.200s, ",
                                net_router_name(topology, net_topology_router_of(topology, terminal), name));
    used += (size_t)snprintf(note + used, sizeof note - used, "terminal %" PRIu32 ": ", terminal);
    const uint32_t owner = map->owner[terminal];
    if (map->first[terminal] == NET_NONE && owner != NET_NONE && machine->job_count > 1)
        snprintf(note + used, sizeof note - used, "idle, in the partition of job %" PRIu32, owner + 1);
    else if (map->first[terminal] == NET_NONE)
        snprintf(note + used, sizeof note - used, owner != NET_NONE ? "idle, in the partition" : "no rank");
    for (uint32_t rank = map->first[terminal]; rank != NET_NONE; rank = map->next[rank])
        used = add_rank(machine, rank, note, used, sizeof note);
    report_draw_note(map->draw, note);
}

/* Owned and idle: the colour of the job around paper. */
static void draw_hollow(const struct map *map, struct report_point corner, int32_t cell)
{
    const int32_t rim = cell / 5;

    report_draw_color(map->draw, REPORT_PAPER, REPORT_NO_COLOR);
    report_draw_cell(map->draw, (struct report_point){corner.x + rim, corner.y + rim},
                     (struct report_point){cell - 2 * rim, cell - 2 * rim});
}

/* A router's terminals divide its box into squares, from the upper left on. */
static void draw_terminal(const struct map *map, const struct report_machine *machine, uint32_t terminal)
{
    const uint32_t box = box_of(map, terminal), rank = map->first[terminal];
    uint32_t columns = 1;
    char text[16];

    while (columns * columns < map->each)
        columns++;
    const int32_t cell = map->box / (int32_t)columns;
    const struct report_point corner = {
        map->place[box].x - map->box / 2 + (int32_t)(map->place_in[terminal] % columns) * cell,
        map->place[box].y - map->box / 2 + (int32_t)(map->place_in[terminal] / columns) * cell};
    report_color color = map->owner[terminal] == NET_NONE ? REPORT_GREY : color_of(map->owner[terminal]);
    if (map->view->topology->terminals > NOTED_MOST) {
        report_draw_color(map->draw, color, REPORT_NO_COLOR);
        report_draw_cell(map->draw, corner, (struct report_point){cell, cell});
    } else {
        note_terminal(map, machine, terminal);
        report_draw_color(map->draw, color, REPORT_PAPER);
        report_draw_box(map->draw, corner, (struct report_point){cell, cell}, 0);
    }
    if (rank == NET_NONE && map->owner[terminal] != NET_NONE)
        draw_hollow(map, corner, cell);
    if (rank == NET_NONE || cell < NAMED_LEAST)
        return;
    snprintf(text, sizeof text, "%" PRIu32, rank - machine->first_rank[job_of(machine, rank)]);
    report_draw_color(map->draw, ink_on(color), REPORT_NO_COLOR);
    report_draw_text(map->draw, (struct report_point){corner.x + cell / 2, corner.y + cell / 2},
                     cell * 2 / 5 < 180 ? cell * 2 / 5 : 180, REPORT_MIDDLE, text);
}

/* Routers without terminals are outlines. */
static void draw_boxes(const struct map *map)
{
    report_draw_color(map->draw, REPORT_PAPER, ROUTER_LINE);
    for (uint32_t box = 0; box < map->boxes; box++)
        if (map->in_box[box] == 0)
            report_draw_box(
                map->draw,
                (struct report_point){map->place[box].x - map->box / 2, map->place[box].y - map->box / 2},
                (struct report_point){map->box, map->box}, map->box / 6);
}

/* Ranks of a job. */
static uint32_t ranks_of(const struct report_machine *machine, uint32_t job)
{
    uint32_t end = job + 1 < machine->job_count ? machine->first_rank[job + 1] : machine->ranks;
    return end - machine->first_rank[job];
}

/* Lines of the legend: a job a line, as names are long; then what is on the map without a rank. */
static int32_t key_lines(const struct map *map, const struct report_machine *machine)
{
    return map->has_free + map->has_idle +
           (int32_t)(machine->job_count > KEYS_MOST ? KEYS_MOST + 1 : machine->job_count);
}

static void draw_keys(const struct map *map, const struct report_machine *machine)
{
    struct report_point at = {REPORT_CHART_MARGIN, REPORT_CHART_HEAD};
    char text[160], count[BASE_UNITS_TEXT];

    for (uint32_t job = 0; job < machine->job_count && job < KEYS_MOST; job++, at.y += REPORT_CHART_LINE) {
        base_format_count(ranks_of(machine, job), count);
        if (machine->name != NULL)
            snprintf(text, sizeof text, "job %" PRIu32 ": %.80s, %s ranks", job + 1, machine->name[job],
                     count);
        else
            snprintf(text, sizeof text, "%s ranks", count);
        report_chart_key(map->draw, at, color_of(job), text);
    }
    if (machine->job_count > KEYS_MOST) {
        snprintf(text, sizeof text, "and %" PRIu32 " jobs more", machine->job_count - KEYS_MOST);
        report_chart_label(map->draw, at, REPORT_START, text);
        at.y += REPORT_CHART_LINE;
    }
    if (map->has_idle) {
        report_chart_key(map->draw, at, color_of(0),
                         machine->job_count > 1 ? "hollow: idle, in the job's partition"
                                                : "hollow: idle, in the partition");
        draw_hollow(map, (struct report_point){at.x, at.y - 60}, 120);
        at.y += REPORT_CHART_LINE;
    }
    if (map->has_free)
        report_chart_key(map->draw, at, REPORT_GREY, "terminals without a rank");
}

static void draw_all(const struct map *map, const struct report_machine *machine)
{
    draw_links(map);
    draw_boxes(map);
    for (uint32_t terminal = 0; terminal < map->view->topology->terminals; terminal++)
        draw_terminal(map, machine, terminal);
    report_draw_note(map->draw, NULL);
}

static uint32_t used_terminals(const struct map *map)
{
    uint32_t used = 0;

    for (uint32_t terminal = 0; terminal < map->view->topology->terminals; terminal++)
        used += map->first[terminal] != NET_NONE;
    return used;
}

/* -1: memory. */
static int allocate(struct map *map, const struct report_machine *machine)
{
    size_t terminals = map->view->topology->terminals;

    map->place = calloc(map->boxes + (size_t)1, sizeof *map->place);
    map->in_box = calloc(map->boxes + (size_t)1, sizeof *map->in_box);
    map->first = calloc(terminals + 1, sizeof *map->first);
    map->place_in = calloc(terminals + 1, sizeof *map->place_in);
    map->owner = calloc(terminals + 1, sizeof *map->owner);
    map->next = calloc(machine->ranks + (size_t)1, sizeof *map->next);
    return map->place == NULL || map->in_box == NULL || map->first == NULL || map->place_in == NULL ||
                   map->owner == NULL || map->next == NULL
               ? -1
               : 0;
}

static void release(const struct map *map)
{
    free(map->place);
    free(map->in_box);
    free(map->first);
    free(map->place_in);
    free(map->owner);
    free(map->next);
}

/* As wide as its words at least. */
static int draw_map(struct map *map, const struct report_machine *machine, FILE *stream,
                    struct base_error *error)
{
    const uint32_t terminals = map->view->topology->terminals;
    struct report_chart chart;
    char title[128], subtitle[160], all[BASE_UNITS_TEXT], used[BASE_UNITS_TEXT];

    snprintf(title, sizeof title, "Machine map of %.80s", map->view->run->topology);
    snprintf(subtitle, sizeof subtitle, "%s terminals, %s of them with ranks",
             base_format_count(terminals, all), base_format_count(used_terminals(map), used));
    int32_t width = map->size.x + 2 * REPORT_CHART_MARGIN;
    width = width < WIDTH_LEAST ? WIDTH_LEAST : width;
    int32_t more = report_draw_more(map->corner.y, report_draw_larger(width));
    map->draw = report_chart_begin(
        &chart, stream,
        (struct report_point){width, map->corner.y + map->size.y + REPORT_CHART_MARGIN + more}, title,
        subtitle);
    draw_keys(map, machine);
    report_chart_end_head(map->draw, map->corner.y);
    draw_all(map, machine);
    return report_chart_end(&chart, error);
}

static int draw(const struct report_run_view *view, FILE *stream, struct base_error *error)
{
    const struct report_partition *partition = &view->run->partition;
    const struct report_machine machine = machine_of(view->run, &partition);
    const struct net_topology *topology = view->topology;
    struct map map = {.view = view,
                      .boxes = topology->multistage != NULL ? topology->terminals : topology->routers,
                      .each = 1};
    int status = allocate(&map, &machine);

    if (status != 0) {
        base_error_memory(error, "the map of the machine");
    } else {
        enter_ranks(&map, &machine);
        enter_partitions(&map, &machine);
        map.corner = (struct report_point){REPORT_CHART_MARGIN,
                                           REPORT_CHART_HEAD + key_lines(&map, &machine) * REPORT_CHART_LINE};
        status = place_boxes(&map, error);
    }
    if (status == 0)
        status = draw_map(&map, &machine, stream, error);
    release(&map);
    return status;
}

const struct report_run_picture report_run_picture_machine = {
    .name = "machine",
    .summary = "the terminals of the network, and which of them have ranks of which job",
    .check = check,
    .draw = draw,
    .of_jobs = true,
};
