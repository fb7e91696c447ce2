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
#include "reports/topology.h"

#include <inttypes.h>

#include "base/units.h"
#include "reports/deadlock.h"
#include "reports/json.h"
#include "reports/page.h"

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

static void put_real(struct report_page *page, const char *name, double value, const char *remark)
{
    char text[REPORT_NUMBER_TEXT];
    put_row(page, name, report_page_real(value, 6, text), remark);
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

/* Both means are printed, since the literature uses both; doc/networks.md says who uses which. */
int report_topology_text(const struct report_topology *report, FILE *stream, unsigned width,
                         struct base_error *error)
{
    const struct net_metrics *metrics = report->metrics;
    struct report_page page;

    report_page_begin(&page, stream, width);
    report_page_paragraph(&page, 0, "%s: %s", report->topology->text, report->topology->kind->summary);
    fputc('\n', stream);
    report_page_table(&page, "lrl");
    put_count(&page, "terminals", report->topology->terminals, "ranks that fit");
    put_count(&page, "routers", report->topology->routers, "");
    put_count(&page, "channels", metrics->links, "directed links between routers");
    put_degree(&page, metrics);
    put_count(&page, "diameter", metrics->diameter, "links on the longest of the shortest paths");
    put_real(&page, "mean distance", metrics->mean_distance, "links, over pairs of distinct routers");
    put_real(&page, "", metrics->mean_distance_with_self, "links, over all pairs");
    put_count(&page, "bisection", metrics->bisection_channels,
              metrics->bisection_exact ? "channels between two halves, both ways"
                                       : "channels between two halves, both ways (the best cut known)");
    put_row(&page, "routing", report->routing == NULL ? "none" : report->routing,
            report->routing_given ? "" : "by default");
    report_page_table_end(&page);
    if (report->deadlock != NULL)
        report_deadlock_text(&page, report->checked, report->deadlock);
    return report_page_finish(&page, error);
}

int report_topology_json(const struct report_topology *report, FILE *stream, struct base_error *error)
{
    const struct net_topology *topology = report->topology;
    const struct net_metrics *metrics = report->metrics;
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_TOPOLOGY_SCHEMA);

    report_json_put(&json, top, "topology", report_json_text(topology->text));
    report_json_put(&json, top, "routing", report_json_text(report->routing));
    report_json_put(&json, top, "terminals", report_json_integer(topology->terminals));
    report_json_put(&json, top, "routers", report_json_integer(topology->routers));
    report_json_put(&json, top, "channels", report_json_integer(metrics->links));
    report_json_put(&json, top, "degree_min", report_json_integer(metrics->degree_min));
    report_json_put(&json, top, "degree_max", report_json_integer(metrics->degree_max));
    report_json_put(&json, top, "diameter", report_json_integer(metrics->diameter));
    report_json_put(&json, top, "mean_distance", report_json_real(metrics->mean_distance));
    report_json_put(&json, top, "mean_distance_with_self",
                    report_json_real(metrics->mean_distance_with_self));
    report_json_put(&json, top, "bisection_channels", report_json_integer(metrics->bisection_channels));
    report_json_put(&json, top, "bisection_exact", json_boolean(metrics->bisection_exact));
    if (report->deadlock != NULL)
        report_deadlock_json(&json, top, report->checked, report->deadlock, report->flow_control);
    report_json_host(&json, top, &report->host);
    return report_json_finish(&json, stream, error);
}
