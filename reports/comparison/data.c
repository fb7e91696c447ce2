/* A comparison for programs: JSON and CSV.
 *
 *      { "schema": "flitreplay-compare-1",
 *        "traces": [ … ], "seeds": [ 1, 2 ], "options": { … }, "factors": { "topology": [ … ], … },
 *        "configurations": [ { "name": …, "topology": …, "rank": 1, "relative": …, "relative_low": …, … } ],
 *        "effects": [ … ], "verdict": [ … ], "runs": [ { "trace": 0, "configuration": 0, "seed": 1, … } ] }
 *
 * In both formats a run has the columns of reports/run/fields.def. What is not known is null in JSON, empty in CSV. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/build.h"
#include "reports/comparison/internal.h"
#include "reports/cost/fields.h"
#include "reports/pages/csv.h"
#include "reports/pages/json.h"

/* In the order of enum report_state; the store has the first three only. Nothing writes what is repeated. */
static const char *state_name(uint32_t state)
{
    static const char *const names[] = {"missing", "done", "failed", "left-out", "repeated", "interrupted"};
    return names[state];
}

/* Of a run, or of the part of one. */
static bool has_numbers(const struct report_outcome *outcome)
{
    return outcome->state == REPORT_DONE || outcome->state == REPORT_PARTIAL;
}

/* ---- JSON ---- */

/* Keys of what was not done are left out instead of filled with null: most of a document of a shard would be
 * null. Columns come from the table, so that JSON, CSV and the store cannot differ in them. */
static void put_outcome(struct report_json *json, json_t *object, const struct report_outcome *outcome)
{
    const struct report_fields *columns = report_compared_fields();

    report_json_put(json, object, "state", report_json_text(state_name(outcome->state)));
    if (outcome->state == REPORT_FAILED)
        report_json_put(json, object, "failure", report_json_text(outcome->failure));
    if (outcome->state == REPORT_PARTIAL)
        report_json_put(json, object, "replayed_share",
                        report_json_real(outcome->replayed_thousandths / 1000.0));
    for (size_t i = 0; has_numbers(outcome) && i < columns->count; i++)
        report_json_put(json, object, columns->field[i].key,
                        report_field_column(&columns->field[i], &outcome->numbers));
    if (has_numbers(outcome))
        report_json_put(json, object, "digest", report_json_text(outcome->digest));
}

/* In the order of numbers, which is that of the plan and not of the clock. */
static void put_runs(struct report_json *json, json_t *top, const struct report_comparison *comparison)
{
    json_t *runs = report_json_array(json, top, "runs");

    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            for (uint32_t seed = 0; seed < report_comparison_seeds(comparison, i); seed++) {
                json_t *run = report_json_entry(json, runs);
                report_json_put(json, run, "trace", report_json_integer(trace));
                report_json_put(json, run, "configuration", report_json_integer(i));
                report_json_put(json, run, "seed", report_json_integer(comparison->first_seed + seed));
                put_outcome(json, run, report_comparison_outcome(comparison, trace, i, seed));
            }
}

/* "relative", "relative_low", "relative_high" */
static void put_estimate(struct report_json *json, json_t *object, const char *name,
                         struct report_estimate estimate)
{
    char key[REPORT_ESTIMATE_TEXT];

    report_json_put(json, object, name, report_json_real(estimate.value));
    snprintf(key, sizeof key, "%s_low", name);
    report_json_put(json, object, key, report_json_real(estimate.low));
    snprintf(key, sizeof key, "%s_high", name);
    report_json_put(json, object, key, report_json_real(estimate.high));
}

/* One entry a trace, in the order of the traces, also where nothing is known. */
static void put_slowdowns(struct report_json *json, json_t *object,
                          const struct report_comparison *comparison, uint32_t configuration)
{
    json_t *slowdowns = report_json_array(json, object, "slowdowns");

    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        put_estimate(json, report_json_entry(json, slowdowns), "slowdown",
                     report_cell_slowdown(comparison, trace, configuration));
}

/* rank counts from 1; null for a configuration that lacks a trace. What all runs have in common is told once, with
 * the plan. */
static void put_configuration(struct report_json *json, json_t *array,
                              const struct report_comparison *comparison, uint32_t configuration,
                              const uint32_t *order, uint32_t ranked)
{
    const struct report_configuration *row = &comparison->configurations[configuration];
    json_t *object = report_json_entry(json, array);
    json_t *levels;
    uint32_t rank = 0;

    while (rank < ranked && order[rank] != configuration)
        rank++;
    report_json_put(json, object, "name", report_json_text(row->name));
    levels = report_json_object(json, object, "options");
    for (uint32_t i = 0; i < row->option_count; i++)
        report_json_put(json, levels, row->options[i].name, report_option_json(&row->options[i]));
    if (row->costs != NULL)
        report_cost_network_json(json, report_json_object(json, object, "costs"), row->costs);
    report_physical_json(json, object, &row->physical);
    report_json_put(json, object, "exact", json_boolean(row->exact));
    report_json_put(json, object, "rank",
                    rank < ranked ? report_json_integer((uint64_t)rank + 1) : json_null());
    put_estimate(json, object, "time_to_fastest",
                 rank < ranked ? report_comparison_ratio(comparison, order[0], configuration, 1)
                               : (struct report_estimate){NAN, NAN, NAN, false});
    put_slowdowns(json, object, comparison, configuration);
}

/* Largest first, as they come. */
static void put_effects(struct report_json *json, json_t *top, const struct report_effect *effects, int count)
{
    json_t *array = report_json_array(json, top, "effects");

    for (int i = 0; i < count; i++) {
        json_t *object = report_json_entry(json, array);
        report_json_put(json, object, "factor", report_json_text(effects[i].name));
        report_json_put(json, object, "groups", report_json_integer(effects[i].groups));
        put_estimate(json, object, "worst_to_best", effects[i].spread);
    }
}

/* What is needed to do the same again: traces, seeds, options, and the values of the factors. Nothing of the host
 * is in it: not where, when, or by how many threads it was run. */
static void put_plan(struct report_json *json, json_t *top, const struct report_comparison *comparison)
{
    json_t *array = report_json_array(json, top, "traces");
    json_t *object;

    for (uint32_t i = 0; i < comparison->trace_count; i++)
        report_json_append(json, array, report_json_text(comparison->traces[i]));
    array = report_json_array(json, top, "fingerprints");
    for (uint32_t i = 0; i < comparison->trace_count; i++)
        report_json_append(
            json, array,
            report_json_text(comparison->fingerprints == NULL ? NULL : comparison->fingerprints[i]));
    array = report_json_array(json, top, "recordings");
    for (uint32_t i = 0; comparison->recordings != NULL && i < comparison->trace_count; i++) {
        object = report_json_entry(json, array);
        report_json_put(json, object, "replayed_share",
                        report_json_real(report_coverage_recorded(comparison->recordings[i].coverage,
                                                                  comparison->recordings[i].coverage_count)));
        report_clocks_json(json, object, &comparison->recordings[i].clocks);
    }
    array = report_json_array(json, top, "seeds");
    for (uint32_t i = 0; i < comparison->seeds; i++)
        report_json_append(json, array, report_json_integer(comparison->first_seed + i));
    object = report_json_object(json, top, "options");
    for (uint32_t i = 0; i < comparison->option_count; i++)
        report_json_put(json, object, comparison->options[i].name,
                        report_option_json(&comparison->options[i]));
    report_inputs_json(json, top, &comparison->inputs);
    object = report_json_object(json, top, "factors");
    for (uint32_t i = 0; i < comparison->factor_count; i++) {
        array = report_json_array(json, object, comparison->factors[i].name);
        for (uint32_t j = 0; j < comparison->factors[i].level_count; j++)
            report_json_append(json, array, report_json_text(comparison->factors[i].levels[j]));
    }
    array = report_json_array(json, top, "left_out");
    for (uint32_t i = 0; i < comparison->left_out_count; i++) {
        object = report_json_entry(json, array);
        report_json_put(json, object, "what", report_json_text(comparison->left_out[i].what));
        report_json_put(json, object, "why", report_json_text(comparison->left_out[i].why));
    }
}

/* What was computed for the document, all in one arena. */
struct conclusions {
    struct base_arena arena; /* freed when the document is written */
    uint32_t *order;         /* [ranked] configurations, fastest first */
    uint32_t ranked;
    struct report_effect *effects; /* [effect_count], largest first */
    int effect_count;
    const char **verdict; /* [verdict_count] sentences */
    uint32_t verdict_count;
};

/* All that may fail comes before the document is begun, so that building it needs no check at every line. */
static int conclude(struct conclusions *conclusions, const struct report_comparison *comparison,
                    struct base_error *error)
{
    struct base_arena *arena = &conclusions->arena;

    conclusions->order =
        base_arena_array(arena, comparison->configuration_count + 1, sizeof *conclusions->order);
    conclusions->effects =
        base_arena_array(arena, comparison->factor_count + 1, sizeof *conclusions->effects);
    if (conclusions->order == NULL || conclusions->effects == NULL)
        return base_error_memory(error, "the comparison");
    conclusions->ranked = report_comparison_rank(comparison, conclusions->order);
    conclusions->effect_count = report_comparison_effects(arena, comparison, conclusions->effects, error);
    conclusions->verdict = report_comparison_verdict(arena, comparison, &conclusions->verdict_count, error);
    return conclusions->effect_count < 0 || conclusions->verdict == NULL ? -1 : 0;
}

/* The order of the keys is that of reading: what was planned, what came of it, and the runs, which are many,
 * last. Only its end can fail: writing, or the memory of the document. */
int report_comparison_json(const struct report_comparison *comparison, FILE *stream, struct base_error *error)
{
    struct conclusions conclusions = {0};
    struct report_json json;
    json_t *top, *array;

    if (conclude(&conclusions, comparison, error) != 0) {
        base_arena_free(&conclusions.arena);
        return -1;
    }
    top = report_json_begin(&json, REPORT_COMPARISON_SCHEMA);
    report_json_put(&json, top, "complete",
                    json_boolean(report_comparison_count(comparison, REPORT_MISSING) +
                                     report_comparison_count(comparison, REPORT_PARTIAL) ==
                                 0));
    report_json_put(&json, top, "interrupted", json_boolean(comparison->interrupted));
    report_json_put(&json, top, "shard", report_json_integer(comparison->shard));
    report_json_put(&json, top, "shards", report_json_integer(comparison->shards));
    put_plan(&json, top, comparison);
    array = report_json_array(&json, top, "configurations");
    for (uint32_t i = 0; i < comparison->configuration_count; i++)
        put_configuration(&json, array, comparison, i, conclusions.order, conclusions.ranked);
    put_effects(&json, top, conclusions.effects, conclusions.effect_count);
    array = report_json_array(&json, top, "verdict");
    for (uint32_t i = 0; i < conclusions.verdict_count; i++)
        report_json_append(&json, array, report_json_text(conclusions.verdict[i]));
    put_runs(&json, top, comparison);
    base_arena_free(&conclusions.arena);
    return report_json_finish(&json, stream, error);
}

/* ---- CSV ---- */

/* Empty where nothing is known, which every reader of CSV takes for a missing value. */
static void put_fields(FILE *stream, const struct report_outcome *outcome)
{
    const struct report_fields *columns = report_compared_fields();

    for (size_t i = 0; i < columns->count; i++) {
        fputc(',', stream);
        if (has_numbers(outcome))
            report_field_csv(stream, &columns->field[i], &outcome->numbers);
    }
    fprintf(stream, ",%s,", has_numbers(outcome) ? outcome->digest : "");
    report_csv_text(stream, outcome->state == REPORT_FAILED ? outcome->failure : "");
}

/* What configurations differ in and has no column of its own, as one would type it: "buffer-flits=32 vcs=2".
 * Doubled quotes inside, as CSV has them. */
static void put_options(FILE *stream, const struct report_configuration *row)
{
    static const char *const columns[] = {"topology", "routing", "mapping"};
    const char *before = "";

    fputc('"', stream);
    for (uint32_t option = 0; option < row->option_count; option++) {
        bool has_column = row->options[option].value == NULL;
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
            has_column |= strcmp(row->options[option].name, columns[i]) == 0;
        if (has_column)
            continue;
        fprintf(stream, "%s%s=", before, row->options[option].name);
        report_csv_quoted(stream, row->options[option].value);
        before = " ";
    }
    fputc('"', stream);
}

/* Topology, routing and mapping have columns of their own also where they do not vary, so that files of
 * several comparisons can be put together. One run stands for all seeds of an exact configuration, and has one
 * line. */
static void put_line(FILE *stream, const struct report_comparison *comparison, uint32_t trace,
                     uint32_t configuration, uint32_t seed)
{
    const struct report_configuration *row = &comparison->configurations[configuration];
    const struct report_outcome *outcome = report_comparison_outcome(comparison, trace, configuration, seed);
    const char *const texts[] = {comparison->traces[trace], row->name, row->topology, row->routing,
                                 row->mapping};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        report_csv_text(stream, texts[i]);
        fputc(',', stream);
    }
    put_options(stream, row);
    fprintf(stream, ",%" PRIu64 ",%s", comparison->first_seed + seed, state_name(outcome->state));
    put_fields(stream, outcome);
    fputc(',', stream);
    report_inputs_csv(stream, &row->inputs);
    fprintf(stream, ",%s\n", base_build());
}

/* Stdio remembers a failed write until the end. In the order of the outcomes: trace, configuration, seed. */
int report_comparison_csv(const struct report_comparison *comparison, FILE *stream, struct base_error *error)
{
    const struct report_fields *columns = report_compared_fields();

    fputs("trace,configuration,topology,routing,mapping,options,seed,state", stream);
    for (size_t i = 0; i < columns->count; i++)
        fprintf(stream, ",%s", columns->field[i].key);
    fputs(",digest,failure,inputs,build\n", stream);
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++)
        for (uint32_t i = 0; i < comparison->configuration_count; i++)
            for (uint32_t seed = 0; seed < report_comparison_seeds(comparison, i); seed++)
                put_line(stream, comparison, trace, i, seed);
    if (ferror(stream))
        return base_error_system(error, errno, "the CSV cannot be written");
    return 0;
}
