/* The numbers of a point of synthetic traffic, as JSON and as CSV.
 *
 *      [                                      schema,topology,…,offered_load,accepted_load,…
 *        { "schema": "flitreplay-traffic-1",  flitreplay-traffic-1,torus:8x8,…,0.1,0.0998,…
 *          "topology": "torus:8x8",
 *          "options": { … },                  (JSON only)
 *          "offered_load": 0.1, …             the columns below, in both
 *          "directions": { "X+": 0.1, … },    (JSON only)
 *          "digest": "…", "host": { … } },    (host: JSON only)
 *        … ]
 *
 * What is not known (the interval of a single message, hops where no packet arrived) is null in JSON and
 * empty in CSV. */
#include "reports/cost/section.h"
#include "reports/pages/csv.h"
#include "reports/traffic/columns.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

#include "base/build.h"
#include "reports/pages/json.h"

/* The adders move the caller's pointer on, so the order of the calls is the order of the columns. There is
 * room for REPORT_TRAFFIC_COLUMNS of them. */
static void add_real(struct report_column **column, const char *name, double value)
{
    *(*column)++ = (struct report_column){name, REPORT_COLUMN_REAL, value, 0};
}

/* Of a number that is always known. */
static void add_count(struct report_column **column, const char *name, uint64_t value)
{
    *(*column)++ = (struct report_column){name, REPORT_COLUMN_COUNT, 0, value};
}

/* A count that may be unknown: NaN, which is null. */
static void add_whole(struct report_column **column, const char *name, double value)
{
    if (isnan(value))
        add_real(column, name, value);
    else
        add_count(column, name, (uint64_t)value);
}

/* true and false in JSON, 0 and 1 in CSV. */
static void add_flag(struct report_column **column, const char *name, bool value)
{
    *(*column)++ = (struct report_column){name, REPORT_COLUMN_FLAG, 0, value};
}

/* The latency proper has the names that a run's report uses; the network's begin with network_. From generation to
 * the tail's ejection; the network's part without the wait in the source's queue. */
static void add_latencies(struct report_column **column, const struct report_traffic_point *point)
{
    const struct report_latencies *all = &point->latency, *network = &point->network;

    add_real(column, "mean_latency_cycles", all->mean);
    add_real(column, "mean_latency_interval_cycles", point->latency_interval);
    add_real(column, "deviation_latency_cycles", all->deviation);
    add_count(column, "p50_latency_cycles", all->p50);
    add_count(column, "p90_latency_cycles", all->p90);
    add_count(column, "p99_latency_cycles", all->p99);
    add_count(column, "max_latency_cycles", all->maximum);
    add_real(column, "network_mean_latency_cycles", network->mean);
    add_real(column, "network_deviation_latency_cycles", network->deviation);
    add_count(column, "network_p50_latency_cycles", network->p50);
    add_count(column, "network_p90_latency_cycles", network->p90);
    add_count(column, "network_p99_latency_cycles", network->p99);
    add_count(column, "network_max_latency_cycles", network->maximum);
}

/* Of the measured cycles; what nobody asked for is not known. */
static void add_energy(struct report_column **column, const struct report_traffic *report,
                       const struct report_traffic_point *point)
{
    const struct net_energy *energy = &point->energy;
    bool is_known = point->has_energy;

    add_real(column, "energy_J", is_known ? energy->total : NAN);
    add_real(column, "energy_dynamic_J", is_known ? energy->dynamic : NAN);
    add_real(column, "energy_static_J", is_known ? energy->clock + energy->still : NAN);
    add_real(column, "energy_flit_J", is_known ? energy->flit : NAN);
    add_real(column, "energy_delay_Js", is_known ? report_traffic_energy_delay(report, point) : NAN);
}

/* Of all seeds; zeros where no fault routing is in force. */
static void add_faults(struct report_column **column, const struct report_traffic_point *point)
{
#define REPORT_FAULT_COUNT(key, field, span, ...) add_count(column, #key, point->faults.field);
#include "reports/run/failing.def"
#undef REPORT_FAULT_COUNT
}

/* The same for every load: so each line can be read by itself. */
static void add_costs(struct report_column **column, const struct report_traffic *report)
{
    const struct report_cost_brief costs = report_cost_brief_of(report->costs);

    add_whole(column, "router_pins", costs.router_pins);
    add_whole(column, "links", costs.links);
    add_whole(column, "bisection_bits_per_cycle", costs.bisection_bits_per_cycle);
    add_real(column, "wire_mm", costs.wire_mm);
    add_real(column, "area_mm2", costs.area_mm2);
    add_real(column, "ndd_W", costs.ndd_W);
}

/* The order is part of both formats: loads, latencies, the network, the measurement, what it came to.
 * REPORT_TRAFFIC_COLUMNS must be as many as are added here. */
size_t report_traffic_columns(const struct report_traffic *report, const struct report_traffic_point *point,
                              struct report_column columns[REPORT_TRAFFIC_COLUMNS])
{
    struct report_column *column = columns;

    add_real(&column, "offered_load", point->offered_load);
    add_real(&column, "generated_load", point->generated_load);
    add_real(&column, "accepted_load", point->accepted_load);
    add_real(&column, "accepted_load_interval", point->accepted_interval);
    add_latencies(&column, point);
    add_real(&column, "mean_hops", point->mean_hops);
    add_real(&column, "mean_channel_load", point->mean_channel_load);
    add_real(&column, "max_channel_load", point->max_channel_load);
    add_real(&column, "link_share", report->link_use.share);
    add_real(&column, "ring_entry_share", report->link_use.entering);
    add_real(&column, "traffic", point->traffic);
    add_real(&column, "min_traffic", point->min_traffic);
    add_real(&column, "max_traffic", point->max_traffic);
    add_real(&column, "injection_rate", point->injection_rate);
    add_real(&column, "ejection_rate", point->ejection_rate);
    add_real(&column, "lost_load", point->lost_load);
    add_real(&column, "deflected_share", point->deflected_share);
    add_faults(&column, point);
    add_energy(&column, report, point);
    add_costs(&column, report);
    add_count(&column, "messages", point->messages);
    add_count(&column, "flits", point->flits);
    add_count(&column, "flit_hops", point->flit_hops);
    add_count(&column, "cycles", point->cycles);
    add_count(&column, "warmup_cycles", point->warmup_cycles);
    add_count(&column, "seeds", point->seeds);
    add_flag(&column, "steady", point->steady);
    add_flag(&column, "saturated", point->saturated);
    add_real(&column, "saturation_load", report->searched ? report->saturated_load : NAN);
    add_flag(&column, "interrupted", report->interrupted);
    return (size_t)(column - columns);
}

/* Numbers that are not known become null. */
static json_t *column_value(const struct report_column *column)
{
    if (column->kind == REPORT_COLUMN_REAL)
        return report_json_real(column->real);
    return column->kind == REPORT_COLUMN_COUNT ? report_json_integer(column->count)
                                               : json_boolean(column->count != 0);
}

/* What was simulated, the same in every point: each can be read by itself. Repeated in each point, so that one can
 * be cut out of the list. */
static void put_subject(struct report_json *json, json_t *object, const struct report_traffic *report)
{
    json_t *options;

    report_json_put(json, object, "schema", report_json_text(REPORT_TRAFFIC_SCHEMA));
    report_json_program(json, object);
    report_json_put(json, object, "topology", report_json_text(report->topology));
    report_json_put(json, object, "routing", report_json_text(report->routing));
    report_json_put(json, object, "pattern", report_json_text(report->pattern));
    report_json_put(json, object, "arrivals", report_json_text(report->arrivals));
    report_json_put(json, object, "lengths", report_json_text(report->lengths));
    report_physical_json(json, object, &report->physical);
    options = report_json_object(json, object, "options");
    for (uint32_t i = 0; i < report->option_count; i++)
        report_json_put(json, options, report->options[i].name, report_option_json(&report->options[i]));
    report_inputs_json(json, object, &report->inputs);
}

/* The keys that CSV has no column for stand before and behind those that it has. directions has a key for each
 * direction of a link. */
static void put_point(struct report_json *json, json_t *object, const struct report_traffic *report,
                      const struct report_traffic_point *point)
{
    struct report_column columns[REPORT_TRAFFIC_COLUMNS];
    size_t count = report_traffic_columns(report, point, columns);
    json_t *directions;

    put_subject(json, object, report);
    for (size_t i = 0; i < count; i++)
        report_json_put(json, object, columns[i].name, column_value(&columns[i]));
    directions = report_json_object(json, object, "directions");
    for (uint32_t port = 0; port < report->port_count; port++)
        report_json_put(json, directions, report->port_names[port], report_json_real(point->port_load[port]));
    report_json_put(json, object, "digest", report_json_text(point->digest));
    report_json_host(json, object, &point->host);
}

/* An array, which report_json_begin does not make. */
int report_traffic_json(const struct report_traffic *report, FILE *stream, struct base_error *error)
{
    struct report_json json = {.top = json_array()};

    json.failed = json.top == NULL;
    for (; report != NULL; report = report->next)
        for (uint32_t i = 0; i < report->point_count; i++)
            put_point(&json, report_json_entry(&json, json.top), report, &report->points[i]);
    return report_json_finish(&json, stream, error);
}

/* Quoted where a comma is part of the text: "hotspot,fraction=0.1". Names hold no quotes. */
static void put_text(FILE *stream, const char *text)
{
    fprintf(stream, "\"%s\",", text);
}

/* One field, as JSON has them in an object: every line can be read by itself. */
static void put_options(FILE *stream, const struct report_traffic *report)
{
    fputc('"', stream);
    for (uint32_t i = 0; i < report->option_count; i++) {
        fprintf(stream, "%s%s=", i == 0 ? "" : " ", report->options[i].name);
        report_csv_quoted(stream, report->options[i].value);
    }
    fputs("\",", stream);
}

/* Nine digits are more than any simulation means. What is not known is an empty field, as spreadsheets have
 * it, and flags are 0 and 1. In the order of the head. */
static void put_line(FILE *stream, const struct report_traffic *report,
                     const struct report_traffic_point *point)
{
    struct report_column columns[REPORT_TRAFFIC_COLUMNS];
    size_t count = report_traffic_columns(report, point, columns);

    put_text(stream, report->topology);
    put_text(stream, report->routing);
    put_text(stream, report->pattern);
    put_text(stream, report->arrivals);
    put_text(stream, report->lengths);
    for (size_t i = 0; i < count; i++) {
        if (columns[i].kind != REPORT_COLUMN_REAL)
            fprintf(stream, "%" PRIu64, columns[i].count);
        else if (isfinite(columns[i].real))
            fprintf(stream, "%.9g", columns[i].real);
        fputc(',', stream);
    }
    put_options(stream, report);
    report_inputs_csv(stream, &report->inputs);
    fprintf(stream, ",%s,%s\n", base_build(), point->digest);
}

/* The head comes from a point of nothing: names do not depend on values. Networks one below the other, with one
 * head. */
int report_traffic_csv(const struct report_traffic *report, FILE *stream, struct base_error *error)
{
    static const struct report_traffic_point none;
    struct report_column columns[REPORT_TRAFFIC_COLUMNS];
    size_t count = report_traffic_columns(report, &none, columns);

    fputs("topology,routing,pattern,arrivals,lengths,", stream);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s,", columns[i].name);
    fputs("options,inputs,build,digest\n", stream);
    for (; report != NULL; report = report->next)
        for (uint32_t i = 0; i < report->point_count; i++)
            put_line(stream, report, &report->points[i]);
    if (ferror(stream))
        return base_error_system(error, errno, "the CSV cannot be written");
    return 0;
}
