/* Results in SQLite.
 *
 *      store_open ─► load (one transaction: rows for all runs of the plan; finished ones are read)
 *                      └─► put, put, put … (a transaction each)
 *
 * The identity of a run is computed from what the plan has; nothing of it depends on the order of options or
 * runs, so that shards, and comparisons that share runs, may use one file. */
#include <config.h>

#include "replay/compare/store-internal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/build.h"
#include "base/digest.h"
#include "reports/pages/json.h"

#define BUSY_MS 60000 /* how long another process may hold the file */
#define RETRY_MS 20

/* Why a file cannot be opened or made: SQLite keeps what its last look at it said, which is that it is not
 * there also where the directory is closed. 0: not known. */
static int cause_of(const char *path, int number)
{
    struct base_arena arena = {0};
    const char *slash = strrchr(path, '/'), *directory = ".";

    if (number != ENOENT)
        return number;
    if (slash != NULL)
        directory = slash == path ? "/" : base_arena_format(&arena, "%.*s", (int)(slash - path), path);
    if (directory != NULL && access(directory, W_OK | X_OK) != 0)
        number = errno;
    base_arena_free(&arena);
    return number;
}

/* A full disk and a read-only directory are the system's; a file that is no store, or lacks a table or a column that
 * its format has (SQLITE_ERROR, as the statements are ours), is bad input. */
int store_fail(const struct replay_store *store, const char *what, struct base_error *error)
{
    int code = store->database == NULL ? SQLITE_NOMEM : sqlite3_errcode(store->database);
    int number = store->database == NULL ? 0 : cause_of(store->path, sqlite3_system_errno(store->database));
    bool is_damaged = code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR;
    enum base_status status = is_damaged ? BASE_INPUT : BASE_SYSTEM;

    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) /* it was memory of ours */
        return base_error_memory(error, "the results");
    base_error_set(error, status, "%s: %s: %s", store->path, what,
                   store->database == NULL ? "out of memory" : sqlite3_errmsg(store->database));
    if (number != 0 && status == BASE_SYSTEM)
        base_error_append(error, " (%s)", strerror(number));
    return -1;
}

/* For statements without parameters; several may be separated by semicolons. */
int store_execute(struct replay_store *store, const char *sql, const char *what, struct base_error *error)
{
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ? 0
                                                                             : store_fail(store, what, error);
}

/* A number that a pragma gives, or -1. */
int64_t store_ask(struct replay_store *store, const char *pragma)
{
    sqlite3_stmt *statement = NULL;
    int64_t value = -1;

    if (sqlite3_prepare_v2(store->database, pragma, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return value;
}

/* The file that nobody writes, as a URI of SQLite's: neither locks nor shared memory are made beside it. */
static const char *unchanging(struct base_arena *arena, const char *path)
{
    static const char digits[] = "0123456789ABCDEF";
    char *name = base_arena_array(arena, 3 * strlen(path) + 1, 1), *to = name;

    if (name == NULL)
        return NULL;
    for (; *path != '\0'; path++) {
        unsigned char byte = (unsigned char)*path;
        if (isalnum(byte) || strchr("/._-", byte) != NULL) {
            *to++ = *path;
            continue;
        }
        *to++ = '%';
        *to++ = digits[byte >> 4];
        *to++ = digits[byte & 15];
    }
    return base_arena_format(arena, "file:%s?immutable=1", name);
}

/* A path that would be taken for a URI is one below the current directory. */
static const char *plain(struct base_arena *arena, const char *path)
{
    return strncmp(path, "file:", 5) == 0 ? base_arena_format(arena, "./%s", path) : path;
}

/* What SQLite would open without a word, though nothing could be kept in it, or wait for without an end. */
static int check_path(const char *path, struct base_error *error)
{
    struct stat status;

    if (*path == '\0' || strcmp(path, ":memory:") == 0)
        return base_error_set(error, BASE_USAGE,
                              "the store of results '%s' would be gone with the program: it needs a file",
                              path);
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return base_error_set(error, BASE_INPUT, "%s: %s; a store of results is a file", path,
                              S_ISDIR(status.st_mode)    ? "a directory"
                              : S_ISFIFO(status.st_mode) ? "a pipe"
                                                         : "a device");
    return 0;
}

/* SQLite gives a handle also where it fails, for its message; closing frees it in either case. */
static struct replay_store *store_begin(const char *path, bool is_unchanging, int flags,
                                        struct base_error *error)
{
    struct replay_store *store = NULL;

    if (check_path(path, error) != 0)
        return NULL;
    store = calloc(1, sizeof *store);
    if (store != NULL && (store->path = base_arena_text(&store->arena, path)) != NULL)
        store->name = is_unchanging ? unchanging(&store->arena, path) : plain(&store->arena, path);
    if (store == NULL || store->name == NULL) {
        base_error_memory(error, "the store of results");
        replay_store_close(store);
        return NULL;
    }
    if (sqlite3_open_v2(store->name, &store->database, flags | SQLITE_OPEN_URI, NULL) != SQLITE_OK) {
        store_fail(store, "the store of results cannot be opened", error);
        replay_store_close(store);
        return NULL;
    }
    sqlite3_busy_timeout(store->database, BUSY_MS);
    return store;
}

/* Whether the last question failed for want of a file beside the store that cannot be made there. */
static bool is_refused(const struct replay_store *store)
{
    int code = sqlite3_errcode(store->database);
    return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

/* Whether there is a log beside the store, which holds rows that are not in it yet. */
static bool has_log(struct replay_store *store)
{
    const char *log = base_arena_format(&store->arena, "%s-wal", store->path);
    return log == NULL || access(log, F_OK) == 0;
}

/* A file that is there, and is a store: one that is not is missing input, as a trace is. In a directory that
 * may not be written SQLite cannot share it with others; there it is read as one that nobody changes, if it
 * is whole by itself. */
struct replay_store *store_begin_reading(const char *path, struct base_error *error)
{
    struct replay_store *store;

    struct stat status;
    int number = stat(path, &status) != 0 ? errno : S_ISDIR(status.st_mode) ? EISDIR : 0;

    if (number != 0) {
        base_error_system(error, number, "%s", path);
        return NULL;
    }
    store = store_begin(path, false, SQLITE_OPEN_READONLY, error);
    if (store != NULL && store_ask(store, "PRAGMA application_id") < 0 && is_refused(store) &&
        !has_log(store)) {
        replay_store_close(store);
        store = store_begin(path, true, SQLITE_OPEN_READONLY, error);
    }
    if (store == NULL || store_check(store, error) == 0)
        return store;
    replay_store_close(store);
    return NULL;
}

/* To begin a log SQLite needs the file for itself, and does not wait for that by the busy timeout: of two
 * processes that begin together one asks again. */
static int use_log(struct replay_store *store, struct base_error *error)
{
    int code = SQLITE_BUSY;

    for (int waited = 0; code == SQLITE_BUSY && waited < BUSY_MS; waited += RETRY_MS) {
        code = sqlite3_exec(store->database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if (code == SQLITE_BUSY)
            sqlite3_sleep(RETRY_MS);
    }
    if (code != SQLITE_OK)
        return store_fail(store, "the store of results cannot be used", error);
    return store_execute(store, "PRAGMA synchronous = FULL", "the store of results cannot be used", error);
}

/* FULL: a commit is on the disk when it returns. Runs take longer than that does. Where the file system has
 * no shared memory SQLite keeps its rollback journal, which is as safe. */
struct replay_store *replay_store_open(const char *path, struct base_error *error)
{
    struct replay_store *store = store_begin(path, false, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);

    if (store == NULL)
        return NULL;
    if (use_log(store, error) == 0 &&
        store_execute(store, "BEGIN IMMEDIATE", "the store of results cannot be written", error) == 0 &&
        store_prepare(store, error) == 0 &&
        store_execute(store, "COMMIT", "the store of results cannot be written", error) == 0)
        return store;
    replay_store_close(store);
    return NULL;
}

/* Statements first: SQLite does not close a file that has some. A log that is left over is taken in by
 * whoever opens the store next. */
void replay_store_close(struct replay_store *store)
{
    if (store == NULL)
        return;
    sqlite3_finalize(store->put);
    sqlite3_finalize(store->want);
    sqlite3_finalize(store->find);
    sqlite3_close(store->database);
    base_arena_free(&store->arena);
    free(store);
}

/* ---- what a run is known by ---- */

/* All options that bear on the result but the seed, with the values in force: whatever was typed, what is the
 * same run is known as one. As JSON in the order of the table. The caller frees it. NULL: memory. */
char *store_options(const struct replay_configuration *configuration)
{
    struct report_json json = {.top = json_object()};
    char *text;

    json.failed = json.top == NULL;
    for (uint32_t i = 0; i < configuration->option_count; i++)
        if (strcmp(configuration->options[i].name, replay_option_row(REPLAY_SEED)->name) != 0)
            report_json_put(&json, json.top, configuration->options[i].name,
                            report_option_json(&configuration->options[i]));
    text = json.failed ? NULL : json_dumps(json.top, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(json.top);
    return text;
}

/* The files besides the trace, as answers list them. The caller frees it. NULL: memory. */
static char *inputs_text(const struct replay_configuration *configuration)
{
    struct report_json json = {.top = json_object()};
    char *text;

    json.failed = json.top == NULL;
    report_inputs_json(&json, json.top, &configuration->inputs);
    text = json.failed ? NULL : json_dumps(json_object_get(json.top, "inputs"), JSON_COMPACT);
    json_decref(json.top);
    return text;
}

/* Every part has a number of its own, so that no two parts can be taken for each other. Files count by what
 * is in them. */
static void identify(const struct replay_plan *plan, const struct replay_run *run, const char *options,
                     char identity[BASE_DIGEST_TEXT])
{
    const struct report_inputs *inputs = &plan->configurations[run->configuration].inputs;
    struct base_digest digest = {0};

    base_digest_add_text(&digest, 1, base_build());
    base_digest_add_text(&digest, 2, plan->comparison.traces[run->trace]);
    base_digest_add_text(&digest, 3, plan->fingerprints[run->trace]);
    base_digest_add_text(&digest, 4, options);
    base_digest_add(&digest, (uint64_t[]){5, run->seed}, 2);
    for (uint32_t i = 0; i < inputs->count; i++) {
        base_digest_add_text(&digest, 6 + 2 * (uint64_t)i, inputs->input[i].option);
        base_digest_add_text(&digest, 7 + 2 * (uint64_t)i, inputs->input[i].digest);
    }
    base_digest_text(&digest, identity);
}

/* The identity by number; memory or 0. */
static int identity_of(const struct replay_plan *plan, uint32_t number, char identity[BASE_DIGEST_TEXT],
                       struct base_error *error)
{
    struct replay_run run = replay_plan_run(plan, number);
    char *options = store_options(&plan->configurations[run.configuration]);

    if (options == NULL)
        return base_error_memory(error, "the options of a run");
    identify(plan, &run, options, identity);
    free(options);
    return 0;
}

/* ---- writing ---- */

/* Prepared once; NULL where it could not be. */
static sqlite3_stmt *statement_of(struct replay_store *store, sqlite3_stmt **statement, const char *sql,
                                  struct base_error *error)
{
    if (*statement == NULL &&
        (sql == NULL || sqlite3_prepare_v2(store->database, sql, -1, statement, NULL) != SQLITE_OK))
        store_fail(store, "the store of results cannot be used", error);
    return *statement;
}

/* Wanted: a row without a result, unless there is one already. */
static int want(struct replay_store *store, const struct replay_plan *plan, const struct replay_run *run,
                const char *identity, const char *options, struct base_error *error)
{
    const struct replay_configuration *configuration = &plan->configurations[run->configuration];
    char *inputs = inputs_text(configuration);
    const char *const texts[] = {identity,
                                 base_version(),
                                 base_build(),
                                 plan->comparison.traces[run->trace],
                                 plan->fingerprints[run->trace],
                                 inputs,
                                 configuration->topology->text,
                                 replay_configuration_value(configuration, REPLAY_ROUTING),
                                 configuration->settings.text[REPLAY_MAPPING],
                                 options};
    int status = -1;
    sqlite3_stmt *statement =
        statement_of(store, &store->want,
                     "INSERT OR IGNORE INTO runs (identity, version, build, trace, fingerprint, inputs, "
                     "topology, routing, "
                     "mapping, options, seed, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'missing')",
                     error);

    if (statement != NULL && inputs == NULL)
        base_error_memory(error, "the inputs of a run");
    if (statement != NULL && inputs != NULL) {
        sqlite3_reset(statement);
        for (int i = 0; i < 10; i++)
            sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC);
        sqlite3_bind_int64(statement, 11, (int64_t)run->seed);
        status =
            sqlite3_step(statement) == SQLITE_DONE ? 0 : store_fail(store, "a run cannot be written", error);
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
    }
    free(inputs);
    return status;
}

/* "name = ?, name = ?, …": in the order in which bind_outcome binds. */
static const char *put_sql(struct base_arena *arena)
{
    const struct report_fields *columns = report_compared_fields();
    const char *text = "UPDATE runs SET ";

    for (size_t i = 0; i < columns->count && text != NULL; i++)
        text = base_arena_format(arena, "%s%s = ?, ", text, columns->field[i].key);
    return text == NULL ? NULL
                        : base_arena_format(arena,
                                            "%sdigest = ?, failure = ?, state = ?, "
                                            "finished = (SELECT ifnull(max(finished), 0) + 1 FROM runs) "
                                            "WHERE identity = ? AND state = 'missing'",
                                            text);
}

/* Numbers beyond 63 bits do not occur: they count events of a simulation. NAN becomes NULL. Returns the next
 * place. */
static int bind_outcome(sqlite3_stmt *statement, const struct report_outcome *outcome)
{
    const struct report_fields *columns = report_compared_fields();
    int place = 1;

    for (size_t i = 0; i < columns->count; i++, place++) {
        const struct report_field *field = &columns->field[i];
        if (outcome->state != REPORT_DONE)
            sqlite3_bind_null(statement, place);
        else if (report_field_is_real(field))
            sqlite3_bind_double(statement, place, report_field_real(field, &outcome->numbers));
        else
            sqlite3_bind_int64(statement, place, (int64_t)report_field_count(field, &outcome->numbers));
    }
    return place;
}

/* Only a row that is missing is changed: should two processes do one run, the first result stays, and it is
 * the same. No row of that identity is no error either: somebody has removed it, and does not want it. */
int replay_store_put(struct replay_store *store, const struct replay_plan *plan, uint32_t number,
                     const struct report_outcome *outcome, struct base_error *error)
{
    const char *sql = store->put == NULL ? put_sql(&store->arena) : "";
    sqlite3_stmt *statement = statement_of(store, &store->put, sql, error);
    char identity[BASE_DIGEST_TEXT];
    bool is_done = outcome->state == REPORT_DONE;
    int place, status;

    if (statement == NULL || identity_of(plan, number, identity, error) != 0)
        return -1;
    sqlite3_reset(statement);
    place = bind_outcome(statement, outcome);
    sqlite3_bind_text(statement, place++, is_done ? outcome->digest : NULL, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, place++, is_done ? NULL : outcome->failure, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, place++, is_done ? "done" : "failed", -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, place, identity, -1, SQLITE_STATIC);
    status = sqlite3_step(statement);
    sqlite3_reset(statement); /* which keeps the message of a failure */
    return status == SQLITE_DONE ? 0 : store_fail(store, "a finished run cannot be written", error);
}

/* ---- reading what is finished ---- */

/* In the order in which read_outcome reads. */
static const char *find_sql(struct base_arena *arena)
{
    const struct report_fields *columns = report_compared_fields();
    const char *text = "SELECT state, digest, failure";

    for (size_t i = 0; i < columns->count && text != NULL; i++)
        text = base_arena_format(arena, "%s, %s", text, columns->field[i].key);
    return text == NULL ? NULL : base_arena_format(arena, "%s FROM runs WHERE identity = ?", text);
}

/* NULL, where the store has none, is empty. */
static void copy_text(char *room, size_t size, const unsigned char *text)
{
    snprintf(room, size, "%s", text == NULL ? "" : (const char *)text);
}

/* What is unknown is NULL. Real numbers of runs may be below 0, counts may not. */
static bool is_sound(const struct report_field *field, sqlite3_stmt *statement, int column)
{
    int type = sqlite3_column_type(statement, column);

    if (type == SQLITE_NULL)
        return true;
    if (report_field_is_real(field) && field->kind != REPORT_FIELD_COUNT_OR_NULL)
        return (type == SQLITE_FLOAT && isfinite(sqlite3_column_double(statement, column))) ||
               type == SQLITE_INTEGER;
    if (type != SQLITE_INTEGER || sqlite3_column_int64(statement, column) < 0)
        return field->kind == REPORT_FIELD_COUNT_OR_NULL && type == SQLITE_FLOAT &&
               sqlite3_column_double(statement, column) >= 0;
    return sqlite3_column_int64(statement, column) <= (field->kind == REPORT_FIELD_FLAG ? 1
                                                       : field->kind == REPORT_FIELD_WORD
                                                           ? (int64_t)UINT32_MAX
                                                           : INT64_MAX);
}

int store_check_numbers(const struct replay_store *store, sqlite3_stmt *statement, int first,
                        struct base_error *error)
{
    const struct report_fields *columns = report_compared_fields();

    for (size_t i = 0; i < columns->count; i++) {
        int column = (int)i + first;
        if (!is_sound(&columns->field[i], statement, column))
            return base_error_set(error, BASE_INPUT, "%s: damaged: a run whose %s is '%s'", store->path,
                                  columns->field[i].key,
                                  (const char *)sqlite3_column_text(statement, column));
    }
    return 0;
}

int store_check_state(const struct replay_store *store, sqlite3_stmt *statement, int column,
                      struct base_error *error)
{
    static const char *const states[] = {"done", "failed", "missing"};
    const char *state = (const char *)sqlite3_column_text(statement, column);

    if (state == NULL)
        return sqlite3_column_type(statement, column) == SQLITE_NULL
                   ? base_error_set(error, BASE_INPUT, "%s: damaged: a run without a state", store->path)
                   : base_error_memory(error, "the results");
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (strcmp(state, states[i]) == 0)
            return 0;
    return base_error_set(error, BASE_INPUT, "%s: damaged: a run whose state is '%s'", store->path, state);
}

/* The row of a finished run as an outcome. */
static void read_outcome(sqlite3_stmt *statement, struct report_outcome *outcome)
{
    const struct report_fields *columns = report_compared_fields();
    const char *state = (const char *)sqlite3_column_text(statement, 0);

    if (strcmp(state, "missing") == 0)
        return;
    outcome->state = strcmp(state, "done") == 0 ? REPORT_DONE : REPORT_FAILED;
    copy_text(outcome->digest, sizeof outcome->digest, sqlite3_column_text(statement, 1));
    copy_text(outcome->failure, sizeof outcome->failure, sqlite3_column_text(statement, 2));
    for (size_t i = 0; i < columns->count; i++) {
        int column = (int)i + 3;
        uint64_t number = (uint64_t)sqlite3_column_int64(statement, column);
        double real = sqlite3_column_type(statement, column) == SQLITE_NULL
                          ? (double)NAN
                          : sqlite3_column_double(statement, column);
        report_field_set(&columns->field[i], &outcome->numbers, real, number);
    }
}

/* One run: wanted, and read when it is finished. options are those of its configuration. */
static int load_run(struct replay_store *store, struct replay_plan *plan, uint32_t number,
                    const char *options, struct base_error *error)
{
    struct replay_run run = replay_plan_run(plan, number);
    const char *sql = store->find == NULL ? find_sql(&store->arena) : "";
    sqlite3_stmt *statement = statement_of(store, &store->find, sql, error);
    char identity[BASE_DIGEST_TEXT];
    int status;

    if (statement == NULL)
        return -1;
    identify(plan, &run, options, identity);
    sqlite3_reset(statement);
    sqlite3_bind_text(statement, 1, identity, -1, SQLITE_STATIC);
    status = sqlite3_step(statement);
    if (status == SQLITE_ROW && (store_check_state(store, statement, 0, error) != 0 ||
                                 store_check_numbers(store, statement, 3, error) != 0))
        return sqlite3_reset(statement), -1;
    if (status == SQLITE_ROW)
        read_outcome(statement, &plan->comparison.outcomes[number]);
    sqlite3_reset(statement);
    if (status != SQLITE_ROW && status != SQLITE_DONE)
        return store_fail(store, "a run cannot be read", error);
    return status == SQLITE_ROW ? 0 : want(store, plan, &run, identity, options, error);
}

/* By configuration, since its options are written once for all its runs. */
static int load_configuration(struct replay_store *store, struct replay_plan *plan, uint32_t configuration,
                              struct base_error *error)
{
    const struct report_comparison *comparison = &plan->comparison;
    char *options = store_options(&plan->configurations[configuration]);
    int status = options == NULL ? base_error_memory(error, "the options of a run") : 0;

    for (uint32_t trace = 0; status == 0 && trace < comparison->trace_count; trace++)
        for (uint32_t seed = 0; status == 0 && seed < comparison->seeds; seed++) {
            uint32_t number =
                (trace * comparison->configuration_count + configuration) * comparison->seeds + seed;
            if (comparison->outcomes[number].state == REPORT_MISSING)
                status = load_run(store, plan, number, options, error);
        }
    free(options);
    return status;
}

/* One transaction, not one a run: thousands of rows take as long as one. */
int replay_store_load(struct replay_store *store, struct replay_plan *plan, struct base_error *error)
{
    int status = store_execute(store, "BEGIN IMMEDIATE", "the store of results cannot be written", error);

    for (uint32_t i = 0; status == 0 && i < plan->comparison.configuration_count; i++)
        status = load_configuration(store, plan, i, error);
    if (status == 0)
        status = store_note_kept(store, plan, error);
    if (status == 0)
        return store_execute(store, "COMMIT", "the store of results cannot be written", error);
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    return -1;
}

/* ---- several files ---- */

/* What is finished there takes the place of what is only wanted here; its order goes on behind ours. */
static const char *merge_sql(struct replay_store *store)
{
    struct base_arena *arena = &store->arena;
    const char *rows = store_rows(store, "other");
    const struct report_fields *columns = report_compared_fields();
    const char *text = rows == NULL ? NULL
                                    : "BEGIN IMMEDIATE;"
                                      "DELETE FROM main.runs WHERE state = 'missing' AND identity IN "
                                      "(SELECT identity FROM other.runs WHERE state <> 'missing');"
                                      "INSERT OR IGNORE INTO main.runs (identity, version, build, trace, "
                                      "fingerprint, inputs, topology, routing, "
                                      "mapping, seed, options, state, finished, ";

    for (size_t i = 0; i < columns->count && text != NULL; i++)
        text = base_arena_format(arena, "%s%s, ", text, columns->field[i].key);
    if (text != NULL)
        text = base_arena_format(
            arena,
            "%sdigest, failure) SELECT identity, version, build, trace, fingerprint, inputs, topology, "
            "routing, "
            "mapping, seed, options, state, finished + (SELECT ifnull(max(finished), 0) FROM main.runs), ",
            text);
    for (size_t i = 0; i < columns->count && text != NULL; i++)
        text = base_arena_format(arena, "%s%s, ", text, columns->field[i].key);
    return text == NULL ? NULL : base_arena_format(arena, "%sdigest, failure FROM %s; COMMIT", text, rows);
}

/* The name goes in as a parameter: it may hold quotes. */
static int attach(struct replay_store *store, const char *name, struct base_error *error)
{
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(store->database, "ATTACH ? AS other", -1, &statement, NULL);

    if (status == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC);
        status = sqlite3_step(statement) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
    }
    sqlite3_finalize(statement);
    return status == SQLITE_OK ? 0 : store_fail(store, "another store cannot be opened", error);
}

/* The other one is opened by itself first, so that what is no store is told from what cannot be attached. */
int replay_store_merge(struct replay_store *store, const char *path, struct base_error *error)
{
    struct replay_store *other = store_begin_reading(path, error);
    const char *sql, *name;
    int status;

    if (other == NULL)
        return -1;
    name = base_arena_text(&store->arena, other->name);
    replay_store_close(other);
    if (name == NULL)
        return base_error_memory(error, "the store of results");
    if (attach(store, name, error) != 0)
        return -1;
    sql = merge_sql(store);
    status = sql == NULL ? base_error_memory(error, "the store of results")
                         : store_execute(store, sql, "the rows of another store cannot be added", error);
    if (status != 0)
        sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(store->database, "DETACH other", NULL, NULL, NULL);
    return status;
}
