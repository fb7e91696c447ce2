/* The rows of a store of results as text, JSON and CSV.
 *
 *      40 runs in sweep.db: 36 done, 1 failed, 3 missing
 *
 *      trace       topology       routing  mapping   seed  simulated  slowdown  options
 *      cg.otf2     king-mesh:8x8  knaive   identity     1   8.120 ms    1.7312  packet-flits 8
 *
 *      Missing
 *        ... */
#include "reports/comparison/results.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/units.h"
#include "reports/comparison/comparison.h"
#include "reports/pages/csv.h"
#include "reports/pages/json.h"
#include "reports/pages/page.h"

#define OPTIONS_TEXT 256 /* of a row, cut at that */
#define DIGITS_SHOWN 8   /* of the hash of a file */

/* Rows grow, and so are not in the arena that their texts are in. */
/* Three states, three tables: a run that is done shows its time and slowdown, one that failed why, one that
 * is missing which version wanted it. All other columns are for CSV and JSON. */
void report_results_free(struct report_results *results)
{
    if (results == NULL)
        return;
    free(results->cells);
    base_arena_free(&results->arena);
    free(results);
}

/* NULL where the store has no value. */
static const char *cell(const struct report_results *results, uint32_t row, uint32_t column)
{
    return results->cells[(size_t)row * results->column_count + column];
}

/* Counted from the rows, so that it is of those that a condition has left. */
static uint32_t count_state(const struct report_results *results, const char *state)
{
    uint32_t count = 0;

    for (uint32_t row = 0; row < results->row_count; row++)
        count += strcmp(cell(results, row, REPORT_RESULTS_STATE), state) == 0;
    return count;
}

/* The name is one of ours, and so is there. */
static uint32_t column_of(const struct report_results *results, const char *name)
{
    uint32_t column = 0;

    while (strcmp(results->names[column], name) != 0)
        column++;
    return column;
}

/* ---- text ---- */

/* For people; what is not known is a dash. */
static const char *text_or_dash(const char *text)
{
    return text == NULL ? "-" : text;
}

/* Options by name, with the first value that a row has, and those of them that have another one somewhere:
 * only these tell rows apart. */
struct varied_option {
    json_t *first, *names; /* objects; NULL: memory ran out */
};

/* Topology, routing and mapping have columns of their own. */
static bool has_column(const char *option)
{
    return strcmp(option, "topology") == 0 || strcmp(option, "routing") == 0 ||
           strcmp(option, "mapping") == 0;
}

/* The options of a row, and like them the contents of its files and its build, to be released. NULL where
 * they are not known, or of another version's making. Hashes of files count as options, since two files may have
 * one name; so does the build. */
static json_t *options_of(const struct report_results *results, uint32_t row)
{
    const char *text = cell(results, row, REPORT_RESULTS_OPTIONS);
    const char *build = cell(results, row, REPORT_RESULTS_BUILD);
    const char *inputs = cell(results, row, REPORT_RESULTS_INPUTS);
    json_t *options = text == NULL ? NULL : json_loads(text, 0, NULL);
    json_t *list = inputs == NULL ? NULL : json_loads(inputs, 0, NULL);
    json_t *input;
    size_t i;

    if (options == NULL) {
        json_decref(list);
        return NULL;
    }
    json_array_foreach(list, i, input)
    {
        char name[64], digest[DIGITS_SHOWN + 1];
        snprintf(name, sizeof name, "%s-hash",
                 text_or_dash(json_string_value(json_object_get(input, "option"))));
        snprintf(digest, sizeof digest, "%s",
                 text_or_dash(json_string_value(json_object_get(input, "digest"))));
        json_object_set_new(options, name, json_string(digest));
    }
    json_decref(list);
    json_object_set_new(options, "build", json_string(build == NULL ? "not recorded" : build));
    return options;
}

/* -1: memory. */
static int compare_options(struct varied_option *varied, json_t *options)
{
    const char *option;
    json_t *value;

    json_object_foreach(options, option, value)
    {
        const json_t *first = json_object_get(varied->first, option);
        json_t *object = first == NULL ? varied->first : varied->names;
        if (has_column(option) || (first != NULL && json_equal(first, value)))
            continue;
        if (json_object_set(object, option, value) != 0)
            return -1;
    }
    return 0;
}

/* Options that differ between any two rows: those are what a row must be told apart by. */
static int find_varied(const struct report_results *results, struct varied_option *varied)
{
    int status = 0;

    *varied = (struct varied_option){json_object(), json_object()};
    if (varied->first == NULL || varied->names == NULL)
        return -1;
    for (uint32_t row = 0; row < results->row_count && status == 0; row++) {
        json_t *options = options_of(results, row);
        status = compare_options(varied, options);
        json_decref(options);
    }
    return status;
}

/* Else the column is left out. */
static bool is_any_varied(const struct varied_option *varied)
{
    return json_object_size(varied->names) > 0;
}

/* As it was recorded, by whichever version: numbers as text, too. Truth values are yes and no; what has no
 * such text is a dash. */
static const char *value_text(const json_t *value, char text[BASE_UNITS_TEXT])
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_boolean(value))
        return json_is_true(value) ? "yes" : "no";
    if (json_is_integer(value))
        snprintf(text, BASE_UNITS_TEXT, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, BASE_UNITS_TEXT, "%.9g", json_real_value(value));
    else
        return "-";
    return text;
}

/* "packet-flits 8, buffer-flits 32", of one row. Cut where there is no more room: the store has all. */
static void put_options(struct report_page *page, const struct report_results *results,
                        const struct varied_option *varied, uint32_t row)
{
    json_t *options = options_of(results, row);
    json_t *value;
    char text[OPTIONS_TEXT] = "";
    const char *option;
    int length = 0;

    json_object_foreach(options, option, value)
    {
        char number[BASE_UNITS_TEXT];
        if (length < OPTIONS_TEXT && json_object_get(varied->names, option) != NULL)
            length += snprintf(text + length, (size_t)(OPTIONS_TEXT - length), "%s%s %s",
                               length > 0 ? ", " : "", option, value_text(value, number));
    }
    report_page_cell(page, "%s", text);
    json_decref(options);
}

/* Time and slowdown of a run that is done: of a program that computes nothing there is only the time. */
static void put_times(struct report_page *page, const struct report_results *results, uint32_t row)
{
    const char *time = cell(results, row, column_of(results, "simulated_ns"));
    const char *slowdown = cell(results, row, column_of(results, "slowdown"));
    char text[BASE_UNITS_TEXT];

    report_page_cell(page, "%s", time == NULL ? "-" : base_format_ns(strtoull(time, NULL, 10), text));
    report_page_cell(page, "%s", text_or_dash(slowdown));
}

/* The rows of one state, with what tells about it: times, or the column `last`; and the options in which the
 * rows differ, where they do. A column that a state has no value for is not in its table. */
static void put_state(struct report_page *page, const struct report_results *results, const char *state,
                      const char *heading, const char *last, const struct varied_option *varied)
{
    static const uint32_t columns[] = {REPORT_RESULTS_TRACE, REPORT_RESULTS_TOPOLOGY, REPORT_RESULTS_ROUTING,
                                       REPORT_RESULTS_MAPPING, REPORT_RESULTS_SEED};
    bool is_done = last == NULL;

    if (count_state(results, state) == 0)
        return;
    report_page_heading(page, heading);
    report_page_table(page, is_done ? (is_any_varied(varied) ? "llllrrrl" : "llllrrr")
                                    : (is_any_varied(varied) ? "llllrll" : "llllrl"));
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        report_page_cell(page, "%s", results->names[columns[i]]);
    report_page_cell(page, "%s", is_done ? "simulated" : last);
    if (is_done)
        report_page_cell(page, "slowdown");
    if (is_any_varied(varied))
        report_page_cell(page, "options");
    for (uint32_t row = 0; row < results->row_count; row++) {
        if (strcmp(cell(results, row, REPORT_RESULTS_STATE), state) != 0)
            continue;
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            const char *text = cell(results, row, columns[i]);
            report_page_cell(page, "%s", text == NULL ? "(best)" : text);
        }
        if (is_done)
            put_times(page, results, row);
        else
            report_page_cell(page, "%s", text_or_dash(cell(results, row, column_of(results, last))));
        if (is_any_varied(varied))
            put_options(page, results, varied, row);
    }
    report_page_table_end(page);
}

/* Two runs of unknown builds are of the same one here. */
static bool is_of_build(const struct report_results *results, uint32_t row, const char *build)
{
    const char *own = cell(results, row, REPORT_RESULTS_BUILD);
    return own == NULL || build == NULL ? own == build : strcmp(own, build) == 0;
}

/* A comparison uses what its own build has made. Where a store has runs of others, each build and how many it
 * has, in the order in which they come. Quadratic in the rows, which are some thousands; builds are few. */
static void put_builds(struct report_page *page, const struct report_results *results)
{
    bool has_others = false;

    for (uint32_t row = 0; row < results->row_count; row++)
        has_others |= !is_of_build(results, row, base_build());
    if (!has_others)
        return;
    report_page_paragraph(
        page, 0,
        "A comparison by this flitreplay uses only runs of build %s. The store keeps:", base_build());
    for (uint32_t row = 0; row < results->row_count; row++) {
        const char *build = cell(results, row, REPORT_RESULTS_BUILD);
        uint32_t first = 0, count = 0;
        while (!is_of_build(results, first, build))
            first++;
        for (uint32_t i = row; first == row && i < results->row_count; i++)
            count += is_of_build(results, i, build);
        if (count > 0)
            report_page_paragraph(page, 2, "%" PRIu32 " of %s%s", count,
                                  build == NULL ? "an earlier format, which does not name the build"
                                                : "build ",
                                  build == NULL ? "" : build);
    }
}

/* What is missing comes last, and so stands at the end of a long answer. Memory that runs out on the way is told
 * by the page when it ends. */
int report_results_text(const struct report_results *results, FILE *stream, unsigned width,
                        struct base_error *error)
{
    struct report_page page;
    struct varied_option varied;

    if (find_varied(results, &varied) != 0) {
        json_decref(varied.first);
        json_decref(varied.names);
        return base_error_memory(error, "the results");
    }
    report_page_begin(&page, stream, width);
    report_page_paragraph(&page, 0,
                          "%" PRIu32 " runs in %s: %" PRIu32 " done, %" PRIu32 " failed, %" PRIu32 " missing",
                          results->row_count, results->store, count_state(results, "done"),
                          count_state(results, "failed"), count_state(results, "missing"));
    put_builds(&page, results);
    put_state(&page, results, "done", "Done", NULL, &varied);
    put_state(&page, results, "failed", "Failed", "failure", &varied);
    put_state(&page, results, "missing", "Missing", "build", &varied);
    json_decref(varied.first);
    json_decref(varied.names);
    return report_page_finish(&page, error);
}

/* ---- JSON ---- */

/* Options are JSON already; numbers become numbers again. The store has texts; what kind of value each is says
 * reports/run/fields.def. */
static json_t *value_of(uint32_t column, const char *text)
{
    const struct report_fields *columns = report_compared_fields();
    bool is_number = column >= REPORT_RESULTS_FIRST && column < REPORT_RESULTS_FIRST + columns->count;
    struct report_numbers numbers;

    if (text == NULL)
        return json_null();
    if (column == REPORT_RESULTS_OPTIONS || column == REPORT_RESULTS_INPUTS)
        return json_loads(text, 0, NULL);
    if (is_number) {
        const struct report_field *field = &columns->field[column - REPORT_RESULTS_FIRST];
        report_field_set(field, &numbers, strtod(text, NULL), strtoull(text, NULL, 10));
        return report_field_column(field, &numbers);
    }
    if (column == REPORT_RESULTS_SEED || column == REPORT_RESULTS_FINISHED)
        return report_json_integer(strtoull(text, NULL, 10));
    return report_json_text(text);
}

/* Every key in every run, null where there is no value: a store has no plan by which a reader could know what
 * is missing. Rows in the order of the query. */
int report_results_json(const struct report_results *results, FILE *stream, struct base_error *error)
{
    struct report_json json;
    json_t *top = report_json_begin(&json, REPORT_RESULTS_SCHEMA);
    json_t *runs;

    report_json_put(&json, top, "store", report_json_text(results->store));
    report_json_put(&json, top, "done", report_json_integer(count_state(results, "done")));
    report_json_put(&json, top, "failed", report_json_integer(count_state(results, "failed")));
    report_json_put(&json, top, "missing", report_json_integer(count_state(results, "missing")));
    runs = report_json_array(&json, top, "runs");
    for (uint32_t row = 0; row < results->row_count; row++) {
        json_t *run = report_json_entry(&json, runs);
        for (uint32_t column = 0; column < results->column_count; column++)
            report_json_put(&json, run, results->names[column], value_of(column, cell(results, row, column)));
    }
    return report_json_finish(&json, stream, error);
}

/* ---- CSV ---- */

/* The head comes from the query itself, so that columns and names cannot part. */
int report_results_csv(const struct report_results *results, FILE *stream, struct base_error *error)
{
    for (uint32_t column = 0; column < results->column_count; column++)
        fprintf(stream, "%s%s", column == 0 ? "" : ",", results->names[column]);
    fputc('\n', stream);
    for (uint32_t row = 0; row < results->row_count; row++)
        for (uint32_t column = 0; column < results->column_count; column++) {
            const char *text = cell(results, row, column);
            if (text != NULL)
                report_csv_text(stream, text);
            fputc(column + 1 < results->column_count ? ',' : '\n', stream);
        }
    if (ferror(stream))
        return base_error_system(error, errno, "the CSV cannot be written");
    return 0;
}
