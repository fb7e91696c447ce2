/* A run as JSON: the keys of flitreplay-run-1, one object.
 *
 *      "schema": "flitreplay-run-1",
 *      "trace" … "version"                what was run: enough to repeat it
 *      "options": { name: value }         those that bear on the result, defaults included
 *      "simulated_ns" … "efficiency"      the answer; both ratios are null when the ideal time is 0
 *      "messages" … "max_ejection_load"   what the network did
 *      "interrupted", "replayed_share"    of a run that SIGINT has cut short
 *      "busiest_channels": [{ "name", "flits", "load" }]
 *      "link_classes": [{ "name", "links", "flits", "mean_load", "max_load" }]   by what links are
 *      "channel_waits": [{ "name", "wait_cycles", "flits" }]   links that headers waited for
 *      "attribution": { effect: share }   sum to slowdown - 1, or to 1 where nothing is computed; null where
 *                                         there is none (reports/run/attribution.h)
 *      "attribution_detail": { … }        times and waits on every rung of the ladder
 *      "what_if": [{ "name", "simulated_ns", "share", "ratio" }]   protocols and placements, outside that sum
 *      "critical_path": { … }             what the last finish depends on (reports/run/path.h)
 *      "partition", "hop_bytes" …         where the ranks are, and the static cost of the placement
 *      "collectives": [{ "collective", "algorithm", "implied", "calls", "messages", "bytes", "multicasts", … }]
 *      "software_collectives": [{ "reason", "calls" }]   of --collectives hardware
 *      "coverage": { "exact": n, …, "by_record": [ … ] }, "approximated", "repairs": { kind: count }
 *      "ranks_detail": [{ "rank", "terminal", "compute_ns", "wait_ns", "ideal_wait_ns", … }]
 *      "digest": 32 hexadecimal digits
 *      "host": what only the machine knows: never compared, and therefore last
 *
 * Numbers come from reports/run/fields.def, part by part; lists and objects are written here.
 *
 * A key that exists is always there, with null where there is no value; new keys may be added under the same
 * schema. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "reports/cost/section.h"
#include "reports/pages/json.h"
#include "reports/run/energy.h"
#include "reports/run/failing.h"
#include "reports/run/run.h"

#define DECIMALS 6

/* Numbers as numbers and flags as booleans, although the report holds text. */
json_t *report_option_json(const struct report_option *option)
{
    uint64_t scaled;

    if (option->value == NULL)
        return json_null();
    if (option->kind == REPORT_FLAG)
        return json_boolean(strcmp(option->value, "yes") == 0);
    if (option->kind == REPORT_TEXT)
        return report_json_text(option->value);
    if (strchr(option->value, '.') == NULL)
        return report_json_integer(strtoull(option->value, NULL, 10));
    /* Not strtod, which would look for the locale's decimal point. */
    if (base_parse_decimal(option->value, DECIMALS, &scaled) != 0)
        return report_json_text(option->value);
    return report_json_real((double)scaled / 1e6);
}

/* What a run was made from: enough to repeat it. */
static void put_provenance(struct report_json *json, json_t *top, const struct report_run *run)
{
    json_t *options;

    report_json_put(json, top, "trace", report_json_text(run->trace));
    report_json_put(json, top, "trace_format", report_json_text(run->trace_format));
    report_json_put(json, top, "trace_writer", report_json_text(run->trace_writer));
    report_json_put(json, top, "trace_fingerprint", report_json_text(run->trace_fingerprint));
    report_json_put(json, top, "ranks", report_json_integer(run->ranks));
    report_json_put(json, top, "topology", report_json_text(run->topology));
    report_json_put(json, top, "terminals", report_json_integer(run->terminals));
    report_json_put(json, top, "routers", report_json_integer(run->routers));
    report_json_put(json, top, "routing", report_json_text(run->routing));
    report_json_put(json, top, "mapping", report_json_text(run->mapping));
    report_json_put(json, top, "seed", report_json_integer(run->seed));
    options = report_json_object(json, top, "options");
    for (uint32_t i = 0; i < run->option_count; i++)
        report_json_put(json, options, run->options[i].name, report_option_json(&run->options[i]));
    report_inputs_json(json, top, &run->inputs);
    report_window_json(json, top, run->window);
    report_iterations_json(json, top, run->iterations);
    report_physical_json(json, top, &run->physical);
}

/* slowdown and efficiency are null together: where the ideal time is 0. */
static void put_times(struct report_json *json, json_t *top, const struct report_run *run)
{
    report_run_part_json(json, top, run, REPORT_PART_TIMES);
    report_clocks_json(json, top, &run->clocks);
}

/* Whoever reads a part must be able to see that it is one. */
static void put_interruption(struct report_json *json, json_t *top, const struct report_run *run)
{
    report_json_put(json, top, "interrupted", report_json_text(run->interrupted));
    report_run_part_json(json, top, run, REPORT_PART_INTERRUPTION);
}

/* Counts first, then what is derived from them. */
static void put_traffic(struct report_json *json, json_t *top, const struct report_run *run)
{
    report_run_part_json(json, top, run, REPORT_PART_TRAFFIC);
    report_run_part_json(json, top, run, REPORT_PART_LINK_USE);
    report_run_part_json(json, top, run, REPORT_PART_LOADS);
    report_run_part_json(json, top, run, REPORT_PART_TERMINALS);
}

/* Nothing where packets wait. */
static void put_deflections(struct report_json *json, json_t *top, const struct report_run *run)
{
    json_t *object, *routers;

    if (run->deflected_flits == NULL)
        return;
    object = report_json_object(json, top, "deflection");
    report_run_part_json(json, object, run, REPORT_PART_DEFLECTION);
    routers = report_json_array(json, object, "router_deflections");
    for (uint32_t router = 0; router < run->routers; router++)
        report_json_append(json, routers, report_json_integer(run->deflected_flits[router]));
}

/* Only the busiest: a network has thousands. */
static void put_channels(struct report_json *json, json_t *top, const struct report_run *run)
{
    json_t *list = report_json_array(json, top, "busiest_channels");

    for (uint32_t i = 0; i < run->busiest_count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "name", report_json_text(run->busiest[i].name));
        report_json_put(json, entry, "flits", report_json_integer(run->busiest[i].flits));
        report_json_put(json, entry, "load", report_json_real(run->busiest[i].load));
    }
}

static void put_classes(struct report_json *json, json_t *top, const struct report_run *run)
{
    json_t *list = report_json_array(json, top, "link_classes");

    for (uint32_t i = 0; i < run->class_count; i++) {
        const struct report_class_use *class = &run->classes[i];
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "name", report_json_text(class->name));
        report_json_put(json, entry, "links", report_json_integer(class->links));
        report_json_put(json, entry, "flits", report_json_integer(class->flits));
        report_json_put(json, entry, "mean_load", report_json_real(class->mean_load));
        report_json_put(json, entry, "max_load", report_json_real(class->max_load));
    }
}

/* All links that something waited for; the first of them is where the network is tightest. */
static void put_waits(struct report_json *json, json_t *top, const struct report_run *run)
{
    json_t *list;

    if (run->waits == NULL) {
        report_json_put(json, top, "channel_waits", json_null());
        return;
    }
    list = report_json_array(json, top, "channel_waits");
    for (uint32_t i = 0; i < run->wait_count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "name", report_json_text(run->waits[i].name));
        report_json_put(json, entry, "wait_cycles", report_json_integer(run->waits[i].wait_cycles));
        report_json_put(json, entry, "flits", report_json_integer(run->waits[i].flits));
    }
}

/* One entry for each operation and algorithm: the selection may use several for one operation. */
static void put_collectives(struct report_json *json, json_t *top, const struct report_run *run)
{
    json_t *list = report_json_array(json, top, "collectives");

    for (uint32_t i = 0; i < run->collective_count; i++) {
        const struct report_collective *row = &run->collectives[i];
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "collective", report_json_text(row->collective));
        report_json_put(json, entry, "algorithm", report_json_text(row->algorithm));
        report_json_put(json, entry, "implied", json_boolean(row->implied));
        report_json_put(json, entry, "calls", report_json_integer(row->calls));
        report_json_put(json, entry, "messages", report_json_integer(row->messages));
        report_json_put(json, entry, "bytes", report_json_integer(row->bytes));
        report_json_put(json, entry, "multicasts", report_json_integer(row->multicasts));
        report_json_put(json, entry, "copies", report_json_integer(row->copies));
    }
    list = report_json_array(json, top, "software_collectives");
    for (uint32_t i = 0; i < run->software_count; i++) {
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "reason", report_json_text(run->software[i].reason));
        report_json_put(json, entry, "calls", report_json_integer(run->software[i].calls));
    }
}

/* The same keys as in the answer of map. */
static void put_placement(struct report_json *json, json_t *top, const struct report_run *run)
{
    report_partition_json(json, top, &run->partition);
    report_run_part_json(json, top, run, REPORT_PART_PLACEMENT);
}

/* Ranks are listed in order, and carry their number all the same, so that a filtered list stays readable. */
static void put_ranks(struct report_json *json, json_t *top, const struct report_run *run)
{
    json_t *list = report_json_array(json, top, "ranks_detail");

    for (uint32_t i = 0; i < run->ranks; i++) {
        const struct report_rank *rank = &run->rank[i];
        json_t *entry = report_json_entry(json, list);
        report_json_put(json, entry, "rank", report_json_integer(i));
        report_json_put(json, entry, "terminal", report_json_integer(rank->terminal));
        report_json_put(json, entry, "compute_ns", report_json_integer(rank->compute_ns));
        report_json_put(json, entry, "wait_ns", report_json_integer(rank->wait_ns));
        report_json_put(json, entry, "ideal_wait_ns", report_json_integer(rank->ideal_wait_ns));
        report_json_put(json, entry, "finish_ns", report_json_integer(rank->finish_ns));
        report_json_put(json, entry, "messages_sent", report_json_integer(rank->messages_sent));
        report_json_put(json, entry, "bytes_sent", report_json_integer(rank->bytes_sent));
    }
}

/* The order of the keys is part of the format: people read these files, and diff them. */
int report_run_json(const struct report_run *run, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_RUN_SCHEMA);

    put_provenance(&json, top, run);
    put_times(&json, top, run);
    put_interruption(&json, top, run);
    put_traffic(&json, top, run);
    put_deflections(&json, top, run);
    put_channels(&json, top, run);
    put_classes(&json, top, run);
    put_waits(&json, top, run);
    report_attribution_json(&json, top, run->attribution);
    report_what_if_json(&json, top, run->what_ifs, run->what_if_count, run->simulated_ns, run->ideal_ns);
    report_path_json(&json, top, run->path);
    report_energy_json(&json, top, run->energy);
    report_energy_effects_json(&json, top, run);
    report_cost_section_json(&json, top, run->costs);
    report_failing_json(&json, top, run->failing);
    put_placement(&json, top, run);
    put_collectives(&json, top, run);
    report_coverage_json(&json, top, run->coverage, run->coverage_count, NULL);
    report_run_part_json(&json, top, run, REPORT_PART_RECORDS);
    report_repairs_json(&json, top, run->repairs, run->repair_count);
    put_ranks(&json, top, run);
    report_json_put(&json, top, "digest", report_json_text(run->digest));
    report_json_host(&json, top, &run->host);
    return report_json_finish(&json, stream, error);
}
