/* The exact properties of a topology, as text and as JSON.
 *
 * Counting conventions are those of doc/networks.md: a channel is a directed link between routers (a cable is
 * two), distances count links, the bisection counts both directions.
 *
 *      king-mesh:8x8: two-dimensional mesh with links along both diagonals as well
 *
 *        terminals            64  ranks that fit
 *        channels            420  directed links between routers
 *        degree           3 to 8  links that leave a router
 *        …
 *
 * Everything is exact, or says that it is not (a bisection that is only the best cut known). */
#include "reports/topology/topology.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "netmodel/machines/fat-tree.h"
#include "netmodel/stages/multistage.h"
#include "netmodel/topologies/one-way.h"
#include "reports/topology/deadlock.h"
#include "reports/topology/link-classes.h"
#include "reports/topology/properties.h"
#include "reports/cost/section.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

/* A property, its value, and what exactly is counted. */
static void put_row(struct report_page *page, const char *name, const char *value, const char *remark)
{
    report_page_cell(page, "%s", name);
    report_page_cell(page, "%s", value);
    report_page_cell(page, "%s", remark);
}

/* Counts are grouped by three digits, real numbers have six decimals: enough to check them by hand. */
static void put_count(struct report_page *page, const char *name, uint64_t value, const char *remark)
{
    char text[BASE_UNITS_TEXT];
    put_row(page, name, base_format_count(value, text), remark);
}

/* Six decimals. */
static void put_real(struct report_page *page, const char *name, double value, const char *remark)
{
    char text[REPORT_NUMBER_TEXT];
    put_row(page, name, report_page_real(value, 6, text), remark);
}

/* Links down over links up of a level below the top of a fat tree: 1 where as much goes up as comes from below.
 * Below 1 nothing is lost on the way up. */
static double oversubscription(const struct net_fat_tree *tree, uint32_t level)
{
    return (double)tree->children[level] / tree->parents[level + 1];
}

/* What terminals see: two of one router are 0 links apart. Of fat trees, where their links thin out. */
static void put_terminals(struct report_page *page, const struct report_topology *report)
{
    const struct net_fat_tree *tree = net_fat_tree_of(report->topology);
    if (report->topology->terminals != report->topology->routers)
        put_real(page, "", report->metrics->mean_terminal_distance,
                 "links, over pairs of distinct terminals");
    for (uint32_t level = 1; tree != NULL && level < tree->levels; level++) {
        char remark[64];
        snprintf(remark, sizeof remark, "links down for each link up, of routers of level %" PRIu32, level);
        put_real(page, level == 1 ? "oversubscription" : "", oversubscription(tree, level), remark);
    }
}

/* Border routers of a mesh have fewer links than inner ones. */
static void put_degree(struct report_page *page, const struct net_metrics *metrics)
{
    char text[BASE_UNITS_TEXT];

    if (metrics->degree_min == metrics->degree_max)
        snprintf(text, sizeof text, "%" PRIu32, metrics->degree_min);
    else
        snprintf(text, sizeof text, "%" PRIu32 " to %" PRIu32, metrics->degree_min, metrics->degree_max);
    put_row(page, "degree", text, "links that leave a router");
}

/* The most distances, and the most centres of squares, that a page has room for; the JSON has them all. */
#define DISTANCES_LINES 64
#define EXACT_PATHS 9007199254740992.0 /* a larger double may be rounded */
#define CENTRES_SHOWN 9

/* Diversity is a number of paths: whole ones are printed whole, as far as they are exact. */
static void put_paths(struct report_page *page, const struct net_metrics *metrics)
{
    char text[REPORT_NUMBER_TEXT];
    int decimals = metrics->paths_max < 1e9 ? 0 : 3;

    if (metrics->paths_at == NULL) {
        put_row(page, "shortest paths", "-", "not counted in a network of this size");
        return;
    }
    put_real(page, "shortest paths", metrics->paths_mean, "on average, over pairs of distinct routers");
    put_row(page, "", report_page_real(metrics->paths_max, decimals, text), "between the pair with the most");
}

/* A line for each distance: how many pairs are that far apart, and how many ways there are between them.
 * Pairs are ordered, and a router with itself is one of them at distance 0: the column sums to routers
 * squared. */
static void put_distances(struct report_page *page, const struct net_topology *topology,
                          const struct net_metrics *metrics)
{
    double ends = net_topology_ends_of_paths(topology), pairs = ends * ends;
    char text[BASE_UNITS_TEXT], number[REPORT_NUMBER_TEXT];

    report_page_heading(page, "Distances");
    report_page_table(page, "rrrr");
    report_page_cell(page, "links");
    report_page_cell(page, "ordered pairs");
    report_page_cell(page, "of all");
    report_page_cell(page, "shortest paths");
    for (uint32_t k = 0; k <= metrics->diameter; k++) {
        if (metrics->histogram[k] == 0)
            continue;
        report_page_cell(page, "%" PRIu32, k);
        report_page_cell(page, "%s", base_format_count(metrics->histogram[k], text));
        report_page_cell(page, "%s", report_page_share((double)metrics->histogram[k] / pairs, number));
        if (metrics->paths_at == NULL)
            report_page_cell(page, "-");
        else
            report_page_cell(page, "%s", report_page_real(metrics->paths_at[k], 3, number));
    }
    report_page_table_end(page);
}

/* The first centres of one tiling, by their coordinates. Nine pairs of 32-bit numbers take at most 216 of the
 * 256 bytes. */
static void put_centres(struct report_page *page, const struct net_topology *topology, uint32_t radius,
                        uint32_t count)
{
    char text[256];
    size_t used = 0;

    for (uint32_t i = 0; i < count && i < CENTRES_SHOWN; i++) {
        uint32_t centre = net_topology_square_centre(topology, radius, i);
        used += (size_t)snprintf(text + used, sizeof text - used, "(%" PRIu32 ",%" PRIu32 ") ",
                                 centre % topology->grid->sides[0], centre / topology->grid->sides[0]);
    }
    report_page_cell(page, "%s%s", text, count > CENTRES_SHOWN ? "..." : "");
}

/* Squares that tile a king network: radius by radius, up to one square. The heading waits for the first
 * radius that tiles: there may be none, and an empty table would be a riddle. Radii that tile nothing are left
 * out. */
static void put_squares(struct report_page *page, const struct net_topology *topology)
{
    bool any = false;

    for (uint32_t radius = 1; net_topology_is_king(topology) && radius < topology->grid->sides[0]; radius++) {
        uint32_t count = net_topology_squares(topology, radius);
        if (count == 0)
            continue;
        if (!any) {
            report_page_heading(page, "Squares in which all routers are near the one in the middle");
            report_page_table(page, "rrrl");
            report_page_cell(page, "links");
            report_page_cell(page, "side");
            report_page_cell(page, "squares");
            report_page_cell(page, "middles");
        }
        any = true;
        report_page_cell(page, "%" PRIu32, radius);
        report_page_cell(page, "%" PRIu32, 2 * radius + 1);
        report_page_cell(page, "%" PRIu32, count);
        put_centres(page, topology, radius, count);
    }
    if (any)
        report_page_table_end(page);
}

/* What shared channels have besides: a flit's transfers are what they cost, and load is their mean times the
 * rate. */
static void put_shared(struct report_page *page, const struct report_properties *properties,
                       const struct net_transfers *transfers)
{
    report_properties_text(page, properties, REPORT_PROPERTY_SHARED);
    if (transfers->pairs == NULL) {
        put_row(page, "transfers", "-", "not counted in a network of this size");
        return;
    }
    put_real(page, "transfers", transfers->mean,
             "of a flit over channels, over pairs of distinct processors");
    put_count(page, "", transfers->most, "between the two farthest");
}

/* "2x3, 3x3, 3x2": a cell of the first, an inner and the last stage. Cells differ in how many buses they have on
 * either side. */
static void put_cells(struct report_page *page, const struct net_multistage *multistage)
{
    uint32_t m = multistage->radix, buses = multistage->bus_count;
    uint32_t in = buses != 0 ? m / multistage->drivers : 0, out = buses != 0 ? m / multistage->receivers : 0;
    char text[64];

    snprintf(text, sizeof text, "%" PRIu32 "x%" PRIu32, m + (multistage->stages > 1 ? in : 0), m + out);
    if (buses == 0)
        put_row(page, "cell", text, "inputs and outputs");
    else
        report_page_cell(page, "cell"), report_page_cell(page, "%s", ""),
            report_page_cell(page,
                             "%" PRIu32 "x%" PRIu32 " in the first stage, %s between, %" PRIu32 "x%" PRIu32
                             " in the last: links and buses",
                             m, m + out, text, m + in, m);
}

/* What stages of cells have besides, and what a cell costs (doc/multistage.md). Pins and crosspoints as the paper
 * counts them. */
static void put_stages(struct report_page *page, const struct net_multistage *multistage,
                       const struct report_properties *properties)
{
    report_properties_text(page, properties, REPORT_PROPERTY_STAGES);
    put_cells(page, multistage);
    if (multistage->bus_count != 0) {
        put_count(page, "buses", multistage->bus_count, "beside the links between stages");
        put_count(page, "", multistage->buses_per_gap, "between two stages");
        put_count(page, "ways", net_multistage_ways(multistage),
                  "of a pair, where each gap has a link or a bus to offer");
    }
    report_properties_text(page, properties, REPORT_PROPERTY_CELL);
}

/* Links by level: they differ in width, in bits per cycle. Rows without links are left out. */
static void put_levels(struct report_page *page, const struct net_multistage *multistage)
{
    uint32_t n = multistage->processors;
    const struct {
        const char *name;
        uint32_t count, bits;
    } rows[] = {{"from processors", n, multistage->input_bits},
                {"between stages", (multistage->stages - 1) * n, multistage->link_bits},
                {"buses", multistage->bus_count, multistage->bus_bits},
                {"to processors", n, multistage->output_bits}};

    report_page_heading(page, "Links");
    report_page_table(page, "lrr");
    report_page_cell(page, "class");
    report_page_cell(page, "channels");
    report_page_cell(page, "bits per cycle");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[BASE_UNITS_TEXT];
        if (rows[i].count == 0)
            continue;
        report_page_cell(page, "%s", rows[i].name);
        report_page_cell(page, "%s", base_format_count(rows[i].count, text));
        report_page_cell(page, "%" PRIu32, rows[i].bits);
    }
    report_page_table_end(page);
}

/* Routers, and links between them; m-way networks are the same graph with other words. What is a channel and what
 * a link depends on the kind; the remarks say it. */
static void put_size(struct report_page *page, const struct report_topology *report,
                     const struct report_properties *properties)
{
    const struct net_topology *topology = report->topology;
    put_count(page, "terminals", topology->terminals, "ranks that fit");
    if (topology->multistage != NULL) {
        put_stages(page, topology->multistage, properties);
        put_count(page, "channels", report->metrics->links, "directed links");
        return;
    }
    if (topology->shared == NULL) {
        put_count(page, "routers", topology->routers, "");
        put_count(page, "channels", report->metrics->links, "directed links between routers");
        return;
    }
    put_count(page, "channels", topology->routers, "shared, one flit per cycle each; called routers below");
    put_shared(page, properties, report->transfers);
    put_count(page, "links", report->metrics->links, "buffer sets, from a channel to a neighbour");
}

/* What links of one direction have besides: what a deflection costs, and what a network of full links could deliver
 * at most. Every packet crosses the mean distance; half of all cross the bisection, which is the bound of the paper.
 * Both bounds are of a network that never deflects. */
static void put_one_way(struct report_page *page, const struct report_topology *report,
                        const struct report_properties *properties)
{
    const struct net_one_way *one_way = report->topology->one_way;
    char text[BASE_UNITS_TEXT];

    if (one_way == NULL)
        return;
    if (one_way->cost_min == one_way->cost_max)
        snprintf(text, sizeof text, "%" PRIu32, one_way->cost_min);
    else
        snprintf(text, sizeof text, "%" PRIu32 " to %" PRIu32, one_way->cost_min, one_way->cost_max);
    put_row(page, "deflection", text, "links that one adds to a packet's way");
    report_properties_text(page, properties, REPORT_PROPERTY_ONE_WAY);
}

/* A name with many parameters stands beside the column of numbers, which would be as wide. */
static void put_routing(struct report_page *page, const struct report_topology *report)
{
    const char *name = report->routing != NULL ? report->routing : "none";
    const char *note = report->routing_note != NULL ? report->routing_note
                       : report->routing_given      ? ""
                                                    : "by default";
    if (strlen(name) <= 24) {
        put_row(page, "routing", name, note);
        return;
    }
    report_page_cell(page, "routing");
    report_page_cell(page, "%s", "");
    report_page_cell(page, "%s%s%s", name, *note != '\0' ? ": " : "", note);
}

/* Links of one cycle without a latency of their own: --link-cycles belongs to a run. */
static void put_latencies(struct report_page *page, const struct net_metrics *metrics)
{
    if (!isfinite(metrics->mean_latency))
        return;
    put_real(page, "mean latency", metrics->mean_latency,
             "cycles on the links of the quickest paths, over pairs of distinct routers");
    put_count(page, "", metrics->max_latency, "cycles between the pair that is farthest apart");
}

/* Dimensions and diagonals of a grid, or what a file calls its links; nothing where all are alike. An error of
 * memory is told by the page when it ends. */
static void put_classes(struct report_page *page, const struct net_topology *topology,
                        const struct net_racks *racks)
{
    struct base_arena arena = {0};
    struct report_link_classes classes;
    char count[BASE_UNITS_TEXT], text[REPORT_LINK_CLASS_TEXT];

    page->failed |= report_link_classes_of(topology, racks, &arena, &classes) != 0;
    if (classes.count > 0) {
        report_page_heading(page, "Links");
        report_page_table(page, "lrl");
        report_page_titles(page, "class|channels|");
    }
    for (uint32_t i = 0; i < classes.count; i++) {
        report_page_cell(page, "%s", classes.classes[i].name);
        report_page_cell(page, "%s", base_format_count(classes.classes[i].channels, count));
        report_page_cell(page, "%s", report_link_class_text(&classes.classes[i], text));
    }
    if (classes.count > 0)
        report_page_table_end(page);
    base_arena_free(&arena);
}

/* Both means are printed, since the literature uses both; doc/networks.md says who uses which. From what every
 * topology has to what few have. */
int report_topology_text(const struct report_topology *report, FILE *stream, unsigned width,
                         struct base_error *error)
{
    const struct net_metrics *metrics = report->metrics;
    const struct net_multistage *multistage = report->topology->multistage;
    struct report_properties properties;
    struct report_page page;

    report_properties_of(report, &properties);
    report_page_begin(&page, stream, width);
    report_page_paragraph(&page, 0, "%s: %s", report->topology->text, report->topology->kind->summary);
    report_physical_text(&page, &report->physical);
    fputc('\n', stream);
    report_page_table(&page, "lrl");
    put_size(&page, report, &properties);
    put_degree(&page, metrics);
    report_properties_text(&page, &properties, REPORT_PROPERTY_NETWORK);
    put_real(&page, "mean distance", metrics->mean_distance,
             multistage != NULL ? "links, over pairs of distinct processors"
                                : "links, over pairs of distinct routers");
    put_real(&page, "", metrics->mean_distance_with_self, "links, over all pairs");
    put_terminals(&page, report);
    put_latencies(&page, metrics);
    put_count(&page, "bisection", metrics->bisection_channels,
              metrics->bisection_exact ? "channels between two halves, both ways"
                                       : "channels between two halves, both ways (the best cut known)");
    if (!net_topology_is_ideal(report->topology))
        put_paths(&page, metrics);
    put_one_way(&page, report, &properties);
    put_routing(&page, report);
    report_page_table_end(&page);
    report_figures_text(&page, &report->physical);
    if (!net_topology_is_ideal(report->topology) && metrics->diameter < DISTANCES_LINES)
        put_distances(&page, report->topology, metrics);
    put_squares(&page, report->topology);
    put_classes(&page, report->topology, report->racks);
    if (multistage != NULL)
        put_levels(&page, multistage);
    report_cost_section(&page, report->costs);
    if (report->faults != NULL)
        report_faults_text(&page, report->faults);
    if (report->deadlock != NULL)
        report_deadlock_text(&page, report->checked, report->deadlock);
    return report_page_finish(&page, error);
}

/* The distribution as an array from distance 0 on, and beside it the mean number of paths. A number of paths
 * is an integer as long as a double holds it exactly, and a real number beyond: readers must not take rounded
 * digits for counted ones. */
static void add_distances(struct report_json *json, json_t *top, const struct net_metrics *metrics)
{
    json_t *pairs = report_json_array(json, top, "distance_pairs");
    json_t *paths;

    for (uint32_t k = 0; k <= metrics->diameter && metrics->histogram != NULL; k++)
        report_json_append(json, pairs, report_json_integer(metrics->histogram[k]));
    report_json_put(json, top, "shortest_paths_mean",
                    metrics->paths_at == NULL ? json_null() : report_json_real(metrics->paths_mean));
    report_json_put(json, top, "shortest_paths_max",
                    metrics->paths_at == NULL          ? json_null()
                    : metrics->paths_max < EXACT_PATHS ? report_json_integer((uint64_t)metrics->paths_max)
                                                       : report_json_real(metrics->paths_max));
    paths = report_json_array(json, top, "distance_shortest_paths");
    for (uint32_t k = 0; k <= metrics->diameter && metrics->paths_at != NULL; k++)
        report_json_append(json, paths, report_json_real(metrics->paths_at[k]));
}

/* All centres, by router number: coordinates follow from it, and the text shows the first ones. Empty where
 * nothing tiles. */
static void add_squares(struct report_json *json, json_t *top, const struct net_topology *topology)
{
    json_t *squares = report_json_array(json, top, "squares");

    for (uint32_t radius = 1; net_topology_is_king(topology) && radius < topology->grid->sides[0]; radius++) {
        uint32_t count = net_topology_squares(topology, radius);
        if (count == 0)
            continue;
        json_t *object = report_json_entry(json, squares);
        json_t *centres;
        report_json_put(json, object, "radius", report_json_integer(radius));
        report_json_put(json, object, "side", report_json_integer(2 * radius + 1));
        centres = report_json_array(json, object, "centres");
        for (uint32_t i = 0; i < count; i++)
            report_json_append(json, centres,
                               report_json_integer(net_topology_square_centre(topology, radius, i)));
    }
}

/* The key is there where links have classes; lengths and latencies are null where they are not known or are those of
 * every link. A latency is null where links do not have one of their own. */
static void add_classes(struct report_json *json, json_t *top, const struct net_topology *topology,
                        const struct net_racks *racks)
{
    struct base_arena arena = {0};
    struct report_link_classes all;

    json->failed |= report_link_classes_of(topology, racks, &arena, &all) != 0;
    json_t *list = all.count > 0 ? report_json_array(json, top, "link_classes") : NULL;

    for (uint32_t i = 0; i < all.count; i++) {
        const struct report_link_class *class = &all.classes[i];
        bool own = class->own_latencies, known = class->unit != NULL && class->channels > 0;
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "name", report_json_text(class->name));
        report_json_put(json, entry, "channels", report_json_integer(class->channels));
        report_json_put(json, entry, "length", report_json_integer(class->length));
        report_json_put(json, entry, "length_min", known ? report_json_real(class->length_min) : json_null());
        report_json_put(json, entry, "length_max", known ? report_json_real(class->length_max) : json_null());
        report_json_put(json, entry, "length_unit", report_json_text(class->unit));
        report_json_put(json, entry, "latency_min",
                        own ? report_json_integer(class->latency_min) : json_null());
        report_json_put(json, entry, "latency_max",
                        own ? report_json_integer(class->latency_max) : json_null());
        report_json_put(json, entry, "flit_cycles_min", report_json_integer(class->width_min));
        report_json_put(json, entry, "flit_cycles_max", report_json_integer(class->width_max));
    }
    base_arena_free(&arena);
}

/* Nothing for links. The distribution is an array from 0 transfers, those of a processor to itself, on. null where
 * the pairs were too many to be counted. */
static void add_shared(struct report_json *json, json_t *top, const struct report_topology *report,
                       const struct report_properties *properties)
{
    const struct net_transfers *transfers = report->transfers;
    const struct net_shared *shared = report->topology->shared;
    json_t *object, *pairs;

    if (shared == NULL)
        return;
    object = report_json_object(json, top, "shared_channels");
    report_properties_json(json, object, properties, REPORT_PROPERTY_SHARED);
    pairs = report_json_array(json, object, "transfers_pairs");
    for (uint32_t k = 0; transfers->pairs != NULL && k <= transfers->most; k++)
        report_json_append(json, pairs, report_json_integer(transfers->pairs[k]));
}

/* Nothing for links both ways. A cost of 0 to 0: no port is ever wrong. */
static void add_one_way(struct report_json *json, json_t *top, const struct report_topology *report,
                        const struct report_properties *properties)
{
    const struct net_one_way *one_way = report->topology->one_way;
    json_t *object = one_way == NULL ? NULL : report_json_object(json, top, "one_way");

    if (one_way == NULL)
        return;
    report_properties_json(json, object, properties, REPORT_PROPERTY_ONE_WAY);
}

/* Sizes and widths as the kind has them, and of a cell what it costs: pins and crosspoints of the paper's types A
 * and B. */
static void add_stages(struct report_json *json, json_t *top, const struct report_properties *properties)
{
    json_t *object = report_json_object(json, top, "multistage");

    report_properties_json(json, object, properties, REPORT_PROPERTY_STAGES);
    report_properties_json(json, object, properties, REPORT_PROPERTY_CELL);
}

/* Of networks that are no fat trees the array is empty. */
static void add_oversubscription(struct report_json *json, json_t *top, const struct report_topology *report)
{
    const struct net_fat_tree *tree = net_fat_tree_of(report->topology);
    json_t *levels = report_json_array(json, top, "oversubscription");
    for (uint32_t level = 1; tree != NULL && level < tree->levels; level++)
        report_json_append(json, levels, report_json_real(oversubscription(tree, level)));
}

/* Keys and their meaning are the schema's; an answer with --check-deadlock has keys more and none less. Costs,
 * faults and the check are there only where they were asked for. */
int report_topology_json(const struct report_topology *report, FILE *stream, struct base_error *error)
{
    const struct net_topology *topology = report->topology;
    const struct net_metrics *metrics = report->metrics;
    struct report_properties properties;
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_TOPOLOGY_SCHEMA);

    report_properties_of(report, &properties);
    report_json_put(&json, top, "topology", report_json_text(topology->text));
    report_inputs_json(&json, top, &report->inputs);
    report_json_put(&json, top, "routing", report_json_text(report->routing));
    report_properties_json(&json, top, &properties, REPORT_PROPERTY_NETWORK);
    add_oversubscription(&json, top, report);
    report_properties_json(&json, top, &properties, REPORT_PROPERTY_PATHS);
    report_physical_json(&json, top, &report->physical);
    report_figures_json(&json, top, &report->physical);
    add_distances(&json, top, metrics);
    add_squares(&json, top, topology);
    add_classes(&json, top, topology, report->racks);
    add_shared(&json, top, report, &properties);
    add_one_way(&json, top, report, &properties);
    if (topology->multistage != NULL)
        add_stages(&json, top, &properties);
    report_cost_section_json(&json, top, report->costs);
    if (report->faults != NULL)
        report_faults_json(&json, top, report->faults);
    if (report->deadlock != NULL)
        report_deadlock_json(&json, top, report->checked, report->deadlock, report->flow_control);
    report_json_host(&json, top, &report->host);
    return report_json_finish(&json, stream, error);
}
