/* What a store holds, for `flitreplay results`.
 *
 * The condition is an expression of SQL, put into a query of ours: the file is opened for reading only, so
 * that nothing that anybody writes there can change it. */
#include "replay/compare/store-internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/names.h"
#include "reports/comparison/results.h"

/* In the order of enum report_results_column. */
static const char *const heads[] = {"trace",    "topology", "routing",     "mapping", "seed",    "state",
                                    "finished", "options",  "fingerprint", "inputs",  "version", "build"};

/* The condition stands in parentheses, so that an OR in it stays within. What would close them early ends the
 * query before its time, which query() notices by what is left over. Rows come in the order of what they are,
 * not in that in which they finished: the same results are the same bytes. */
static const char *query_of(struct base_arena *arena, const char *rows, const char *where)
{
    const struct report_fields *columns = report_compared_fields();
    const char *text = "SELECT trace, topology, routing, mapping, seed, state, finished, options, "
                       "fingerprint, inputs, version, build";

    for (size_t i = 0; i < columns->count && text != NULL; i++)
        text = base_arena_format(arena, "%s, %s", text, columns->field[i].key);
    return text == NULL
               ? NULL
               : base_arena_format(arena,
                                   "%s, digest, failure FROM %s WHERE (%s) "
                                   "ORDER BY trace, topology, routing, mapping, options, seed, identity",
                                   text, rows, where == NULL ? "1" : where);
}

/* Names are those of the table, in the order of the query. */
static int name_columns(struct report_results *results, struct base_error *error)
{
    const struct report_fields *columns = report_compared_fields();
    const char **names =
        base_arena_array(&results->arena, REPORT_RESULTS_FIRST + columns->count + 2, sizeof *names);

    if (names == NULL)
        return base_error_memory(error, "the results");
    memcpy(names, heads, sizeof heads);
    for (size_t i = 0; i < columns->count; i++)
        names[REPORT_RESULTS_FIRST + i] = columns->field[i].key;
    names[REPORT_RESULTS_FIRST + columns->count] = "digest";
    names[REPORT_RESULTS_FIRST + columns->count + 1] = "failure";
    results->names = names;
    results->column_count = (uint32_t)(REPORT_RESULTS_FIRST + columns->count + 2);
    return 0;
}

/* Nine digits, as in the CSV of a comparison. NULL also where SQLite has no memory for a text. */
static const char *cell_of(struct base_arena *arena, sqlite3_stmt *statement, int column)
{
    const char *text;

    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        return NULL;
    case SQLITE_FLOAT:
        return base_arena_format(arena, "%.9g", sqlite3_column_double(statement, column));
    default:
        text = (const char *)sqlite3_column_text(statement, column);
        return text == NULL ? NULL : base_arena_text(arena, text);
    }
}

/* What the table has in every run, a damaged file may lack. */
static int check_described(const struct replay_store *store, sqlite3_stmt *statement,
                           struct base_error *error)
{
    static const int described[] = {REPORT_RESULTS_TRACE,       REPORT_RESULTS_TOPOLOGY,
                                    REPORT_RESULTS_MAPPING,     REPORT_RESULTS_OPTIONS,
                                    REPORT_RESULTS_FINGERPRINT, REPORT_RESULTS_VERSION};
    const int seed = REPORT_RESULTS_SEED;

    for (size_t i = 0; i < sizeof described / sizeof *described; i++)
        if (sqlite3_column_type(statement, described[i]) == SQLITE_NULL)
            return base_error_set(error, BASE_INPUT, "%s: damaged: a run without %s", store->path,
                                  heads[described[i]]);
    if (sqlite3_column_type(statement, seed) != SQLITE_INTEGER)
        return base_error_set(error, BASE_INPUT, "%s: damaged: a run whose seed is no number", store->path);
    return store_check_state(store, statement, REPORT_RESULTS_STATE, error);
}

/* SQLite owns a text until the next step, so every cell is copied. */
static int read_rows(struct replay_store *store, sqlite3_stmt *statement, struct report_results *results,
                     struct base_error *error)
{
    uint32_t capacity = 0;
    int status;

    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        if (base_grow_32(&results->cells, &capacity, (size_t)results->row_count + 1,
                         results->column_count * sizeof *results->cells) != 0)
            return base_error_memory(error, "the results");
        if (check_described(store, statement, error) != 0 ||
            store_check_numbers(store, statement, REPORT_RESULTS_FIRST, error) != 0)
            return -1;
        for (uint32_t i = 0; i < results->column_count; i++) {
            const char *cell = cell_of(&results->arena, statement, (int)i);
            if (cell == NULL && sqlite3_column_type(statement, (int)i) != SQLITE_NULL)
                return base_error_memory(error, "the results");
            results->cells[(size_t)results->row_count * results->column_count + i] = cell;
        }
        results->row_count++;
    }
    return status == SQLITE_DONE ? 0 : store_fail(store, "the results cannot be read", error);
}

/* What SQLite says of the condition alone, since nobody has typed the query around it; of the whole query where only
 * that is wrong. The columns that there are belong to the sentence. */
static int refuse_condition(struct replay_store *store, struct report_results *results, const char *rows,
                            const char *where, const char *sql, struct base_error *error)
{
    static const char unknown[] = "no such column: ";
    const struct base_names columns = BASE_NAMES_OF_TEXTS("column", results->names, results->column_count);
    const char *alone = base_arena_format(&results->arena, "SELECT 1 FROM %s WHERE %s", rows, where);
    const char *message;
    sqlite3_stmt *statement = NULL;

    if (alone == NULL)
        return base_error_memory(error, "the results");
    if (sqlite3_prepare_v2(store->database, alone, -1, &statement, NULL) == SQLITE_OK) {
        sqlite3_finalize(statement);
        sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
    }
    message = sqlite3_errmsg(store->database);
    base_error_set(error, BASE_USAGE, "--where %s: %s", where, message);
    if (strncmp(message, unknown, strlen(unknown)) == 0 &&
        base_names_suggest(&columns, message + strlen(unknown), error))
        return -1;
    base_error_append(
        error, "; needs one SQL expression over the columns of --csv, such as slowdown < 1.5 AND seed = 1");
    return -1;
}

/* A wrong condition is a usage error that quotes it; a wrong query of ours would be a damaged store. */
static int query(struct replay_store *store, const char *where, struct report_results *results,
                 struct base_error *error)
{
    const char *rows = store_rows(store, "main");
    const char *sql = rows == NULL ? NULL : query_of(&results->arena, rows, where);
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    int status;

    if (sql == NULL || name_columns(results, error) != 0)
        return base_error_memory(error, "the results");
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, &rest) != SQLITE_OK) {
        if (where == NULL || sqlite3_errcode(store->database) == SQLITE_NOMEM)
            return store_fail(store, "the results cannot be read", error);
        return refuse_condition(store, results, rows, where, sql, error);
    }
    if (*rest != '\0') { /* the condition has ended the query before its time */
        sqlite3_finalize(statement);
        return base_error_set(error, BASE_USAGE, "--where %s: needs one expression", where);
    }
    if (sqlite3_bind_parameter_count(statement) > 0) {
        sqlite3_finalize(statement);
        return base_error_set(error, BASE_USAGE,
                              "--where %s: a parameter has no value here; write the value in its place",
                              where);
    }
    status = read_rows(store, statement, results, error);
    sqlite3_finalize(statement);
    return status;
}

/* The store is closed before the answer is written: who exports for long keeps nobody from writing. */
struct report_results *replay_store_read(const char *path, const char *where, struct base_error *error)
{
    struct replay_store *store = store_begin_reading(path, error);
    struct report_results *results = store == NULL ? NULL : calloc(1, sizeof *results);
    int status = -1;

    if (store != NULL && results == NULL)
        base_error_memory(error, "the results");
    if (results != NULL && (results->store = base_arena_text(&results->arena, path)) == NULL)
        base_error_memory(error, "the results");
    else if (results != NULL)
        status = query(store, where, results, error);
    replay_store_close(store);
    if (status == 0)
        return results;
    report_results_free(results);
    return NULL;
}
