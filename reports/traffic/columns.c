/* The numbers of a point of synthetic traffic, as JSON and as CSV.
 *
 *      [                                      schema,topology,…,offered_load,accepted_load,…
 *        { "schema": "flitreplay-traffic-1",  flitreplay-traffic-1,torus:8x8,…,0.1,0.0998,…
 *          "topology": "torus:8x8",
 *          "options": { … },                  (JSON only)
 *          "offered_load": 0.1, …             the columns of fields.def, in both
 *          "directions": { "X+": 0.1, … },    (JSON only)
 *          "digest": "…", "host": { … } },    (host: JSON only)
 *        … ]
 *
 * What is not known (the interval of a single message, hops where no packet arrived) is null in JSON and
 * empty in CSV. */
#include "reports/cost/section.h"
#include "reports/fields/field.h"
#include "reports/pages/csv.h"
#include "reports/traffic/traffic.h"

#include <errno.h>
#include <math.h>

#include "base/build.h"
#include "reports/pages/json.h"

/* A member for each row of the table. */
struct measured {
#define REPORT_MEASURED(part, key, kind, unit, source, meaning) REPORT_FIELD_TYPE_##kind key;
#include "reports/traffic/fields.def"
#undef REPORT_MEASURED
};

/* The order of the table is part of both formats: loads, latencies, the network, what it took, the measurement. */
static const struct report_field columns[] = {
#define REPORT_MEASURED(part, key, kind, unit, source, meaning)                                              \
    {#key, unit, NULL, NULL, REPORT_FIELD_##kind, 0, 0, offsetof(struct measured, key)},
#include "reports/traffic/fields.def"
#undef REPORT_MEASURED
};
static const size_t column_count = sizeof columns / sizeof columns[0];

/* What nobody asked for is not known: energy, and costs. They are the same for every load: each can be read by
 * itself. The latency proper has the names that a run's report uses; the network's begin with network_, and are without
 * the wait in the source's queue. */
static void measure(const struct report_traffic *report, const struct report_traffic_point *point,
                    struct measured *numbers)
{
    static const struct net_energy unknown = {
        .total = NAN, .dynamic = NAN, .clock = NAN, .still = NAN, .delay = NAN, .flit = NAN};
    const struct net_energy *energy = point->has_energy ? &point->energy : &unknown;
    const struct report_latencies *all = &point->latency, *network = &point->network;
    const struct report_cost_brief costs = report_cost_brief_of(report->costs);

#define REPORT_MEASURED(part, key, kind, unit, source, meaning) numbers->key = source;
#include "reports/traffic/fields.def"
#undef REPORT_MEASURED
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
    struct measured numbers;
    json_t *directions;

    measure(report, point, &numbers);
    put_subject(json, object, report);
    for (size_t i = 0; i < column_count; i++)
        report_json_put(json, object, columns[i].key, report_field_json(&columns[i], &numbers));
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
    struct measured numbers;

    measure(report, point, &numbers);
    put_text(stream, report->topology);
    put_text(stream, report->routing);
    put_text(stream, report->pattern);
    put_text(stream, report->arrivals);
    put_text(stream, report->lengths);
    for (size_t i = 0; i < column_count; i++) {
        report_field_csv(stream, &columns[i], &numbers);
        fputc(',', stream);
    }
    put_options(stream, report);
    report_inputs_csv(stream, &report->inputs);
    fprintf(stream, ",%s,%s\n", base_build(), point->digest);
}

/* Networks one below the other, with one head. */
int report_traffic_csv(const struct report_traffic *report, FILE *stream, struct base_error *error)
{
    fputs("topology,routing,pattern,arrivals,lengths,", stream);
    for (size_t i = 0; i < column_count; i++)
        fprintf(stream, "%s,", columns[i].key);
    fputs("options,inputs,build,digest\n", stream);
    for (; report != NULL; report = report->next)
        for (uint32_t i = 0; i < report->point_count; i++)
            put_line(stream, report, &report->points[i]);
    if (ferror(stream))
        return base_error_system(error, errno, "the CSV cannot be written");
    return 0;
}
