/* What a file needs to be a store of this format, and what earlier ones lack.
 *
 *      1, 2   columns of reports/run/fields.def that came later
 *      3      no build, no inputs: nobody knows which program made a row of which files
 *      4      columns of energy, which is read as not known
 *      5      columns of what networks cost, likewise
 *      6      columns of what faults took, likewise
 *      7      columns of hosts, of what borders of windows cut, and of wholes that are extrapolated, likewise
 *      8      this one
 *
 * A number that came later to the table needs no format of its own: a store of this format may lack its column, too.
 *
 * A store of an earlier format is taken over when it is written to: columns are added, rows stay as they are,
 * and none of them is used again, since its identity does not say what it follows from. For reading, missing
 * columns are made up. */
#include "replay/compare/store-internal.h"

#include <ctype.h>
#include <string.h>

/* A table of columns, not a text of results in one: what users ask of a store are conditions on results.
 * Options are one column, since every version has others; json_extract reaches into it. The digest is stored
 * with the results, so that a run that is done again elsewhere can be compared bit by bit. */
#define APPLICATION 0x666c6974 /* "flit", in the head of the file */
#define FORMAT 8

/* What SQLite keeps a number as; what may be unknown is a real number. */
static const char *column_type(const struct report_field *field)
{
    return report_field_is_real(field) ? "REAL" : "INTEGER";
}

/* The columns that a store of an earlier format, or of an earlier program, may lack: name and type of the i-th; NULL
 * behind the last. */
static const char *later_column(size_t i, const char **type)
{
    static const char *const texts[] = {"build", "inputs"};
    const size_t text_count = sizeof texts / sizeof texts[0];
    const struct report_fields *columns = report_compared_fields();

    *type = "TEXT";
    if (i < text_count)
        return texts[i];
    if (i - text_count >= columns->count)
        return NULL;
    *type = column_type(&columns->field[i - text_count]);
    return columns->field[i - text_count].key;
}

/* -1: cannot be asked. */
static int64_t has_column(struct replay_store *store, const char *schema, const char *name)
{
    const char *sql = base_arena_format(
        &store->arena, "SELECT count(*) FROM pragma_table_info('runs', '%s') WHERE name = '%s'", schema,
        name);

    return sql == NULL ? -1 : store_ask(store, sql);
}

/* What rows of a schema are selected from: columns that a file of an older version lacks are made up as NULL, so
 * that all other statements may name them. NULL: memory, or the file cannot be read. */
const char *store_rows(struct replay_store *store, const char *schema)
{
    const char *made_up = "";
    const char *name, *type;

    for (size_t i = 0; made_up != NULL && (name = later_column(i, &type)) != NULL; i++) {
        int64_t has = has_column(store, schema, name);
        if (has < 0)
            return NULL;
        if (has == 0)
            made_up = base_arena_format(&store->arena, "%s, NULL AS %s", made_up, name);
    }
    if (made_up == NULL || *made_up == '\0')
        return made_up == NULL ? NULL : base_arena_format(&store->arena, "%s.runs", schema);
    return base_arena_format(&store->arena, "(SELECT *%s FROM %s.runs)", made_up, schema);
}

/* "name INTEGER, name REAL …" for reports/run/fields.def. */
static const char *column_definitions(struct base_arena *arena)
{
    const struct report_fields *columns = report_compared_fields();
    const char *text = "";

    for (size_t i = 0; i < columns->count && text != NULL; i++)
        text = base_arena_format(arena, "%s%s %s, ", text, columns->field[i].key,
                                 column_type(&columns->field[i]));
    return text;
}

/* The name of an option as a column: with underscores, and apart from a number of the same name. NULL: memory; "":
 * it is a column of runs by itself. */
static const char *option_column(struct base_arena *arena, const char *option)
{
    static const char *const columns[] = {"topology", "routing", "mapping", "seed"};
    char *name = base_arena_text(arena, option);

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(option, columns[i]) == 0)
            return "";
    for (char *at = name; at != NULL && *at != '\0'; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    if (name != NULL && report_field_find(report_compared_fields(), name) != NULL)
        return base_arena_format(arena, "option_%s", name);
    return name;
}

/* A view for whoever reads a store by other programs: a row a run, numbers and options as columns of their types. */
static const char *view_of(struct base_arena *arena)
{
    const struct report_fields *columns = report_compared_fields();
    const char *text =
        "CREATE VIEW results AS SELECT trace, topology, routing, mapping, seed, state, finished";

    for (size_t i = 0; i < columns->count && text != NULL; i++)
        text = base_arena_format(arena, "%s, %s", text, columns->field[i].key);
    for (enum replay_option option = 0; option < REPLAY_OPTIONS && text != NULL; option++) {
        const char *name = replay_option_row(option)->name;
        const char *column = replay_option_is_recorded(option) ? option_column(arena, name) : "";
        if (column == NULL)
            return NULL;
        if (*column != '\0')
            text = base_arena_format(arena, "%s, json_extract(options, '$.\"%s\"') AS \"%s\"", text, name,
                                     column);
    }
    return text == NULL ? NULL
                        : base_arena_format(arena, "%s, digest, failure, version, build FROM runs", text);
}

/* Texts in SQL have their quotes twice. */
static const char *quoted(struct base_arena *arena, const char *text)
{
    char *twice = base_arena_array(arena, 2 * strlen(text) + 1, 1);
    char *at = twice;

    for (; twice != NULL && *text != '\0'; text++) {
        *at++ = *text;
        if (*text == '\'')
            *at++ = '\'';
    }
    if (twice != NULL)
        *at = '\0';
    return twice;
}

/* The view of this program, made anew where another one has made it. 0 also where it is there. */
static int renew_view(struct replay_store *store, struct base_error *error)
{
    static const char problem[] = "the view of results cannot be made";
    const char *view = view_of(&store->arena);
    const char *text = view == NULL ? NULL : quoted(&store->arena, view);
    const char *question =
        text == NULL
            ? NULL
            : base_arena_format(&store->arena, "SELECT count(*) FROM sqlite_schema WHERE sql = '%s'", text);
    int64_t has = question == NULL ? 0 : store_ask(store, question);
    const char *sql =
        question == NULL ? NULL : base_arena_format(&store->arena, "DROP VIEW IF EXISTS results; %s", view);

    if (sql == NULL)
        return base_error_memory(error, "the store of results");
    if (has < 0)
        return store_fail(store, problem, error);
    return has > 0 ? 0 : store_execute(store, sql, problem, error);
}

/* The index is for what store-kept.c asks of each run. */
static int create(struct replay_store *store, struct base_error *error)
{
    const char *definitions = column_definitions(&store->arena);
    const char *sql;

    sql = definitions == NULL
              ? NULL
              : base_arena_format(
                    &store->arena,
                    "CREATE TABLE IF NOT EXISTS runs (identity TEXT PRIMARY KEY, version TEXT NOT NULL, "
                    "build TEXT, "
                    "trace TEXT NOT NULL, fingerprint TEXT NOT NULL, inputs TEXT, topology TEXT NOT NULL, "
                    "routing TEXT, "
                    "mapping TEXT NOT NULL, seed INTEGER NOT NULL, options TEXT NOT NULL, state TEXT NOT "
                    "NULL, finished INTEGER, %s digest TEXT, failure TEXT);"
                    "CREATE INDEX IF NOT EXISTS subjects ON runs (trace, seed);"
                    "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                    definitions, APPLICATION, FORMAT);
    if (sql == NULL)
        return base_error_memory(error, "the store of results");
    return store_execute(store, sql, "cannot be made a results file", error) == 0 ? renew_view(store, error)
                                                                                  : -1;
}

/* Of an earlier format, or of a program whose table had fewer numbers: rows are kept, with nothing in the columns
 * that they lack. Nothing is written where there is nothing to add. */
static int take_over(struct replay_store *store, int64_t format, struct base_error *error)
{
    static const char problem[] = "a store of an earlier format cannot be converted";
    const char *sql = "";
    const char *name, *type;

    for (size_t i = 0; sql != NULL && (name = later_column(i, &type)) != NULL; i++) {
        int64_t has = has_column(store, "main", name);
        if (has < 0)
            return store_fail(store, problem, error);
        if (has == 0)
            sql = base_arena_format(&store->arena, "%sALTER TABLE runs ADD COLUMN %s %s;", sql, name, type);
    }
    if (sql != NULL && *sql == '\0' && format == FORMAT)
        return renew_view(store, error);
    if (sql != NULL)
        sql = base_arena_format(
            &store->arena,
            "%sCREATE INDEX IF NOT EXISTS subjects ON runs (trace, seed); PRAGMA user_version = %d;", sql,
            FORMAT);
    if (sql == NULL)
        return base_error_memory(error, "the store of results");
    return store_execute(store, sql, problem, error) == 0 ? renew_view(store, error) : -1;
}

/* Whether the last question failed, and not for what the file is. */
static bool has_trouble(const struct replay_store *store)
{
    int code = sqlite3_errcode(store->database);
    return code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE && code != SQLITE_NOTADB;
}

/* The format of a store; 0: another program's file, or none yet; -1: of a later format, or it cannot be read.
 */
static int64_t format_of(struct replay_store *store, struct base_error *error)
{
    int64_t format;

    if (store_ask(store, "PRAGMA application_id") != APPLICATION)
        return has_trouble(store) ? store_fail(store, "the store of results cannot be read", error) : 0;
    format = store_ask(store, "PRAGMA user_version");
    if (format < 1)
        return store_fail(store, "the store of results cannot be read", error);
    if (format <= FORMAT)
        return format;
    return base_error_set(
        error, BASE_INPUT,
        "%s: is a results file of a later flitreplay: its format is %lld, this one reads 1 to %d",
        store->path, (long long)format, FORMAT);
}

/* A database of something else is never written to, however empty it may look. */
static int refuse_other(const struct replay_store *store, struct base_error *error)
{
    return base_error_set(error, BASE_INPUT, "%s: is not a results file of flitreplay", store->path);
}

/* An empty file becomes a store; a store of this format with all columns is taken as it is, one that lacks some or is
 * of an older format is taken over; everything else is refused. */
int store_prepare(struct replay_store *store, struct base_error *error)
{
    int64_t format = format_of(store, error);
    int64_t tables;

    if (format != 0)
        return format < 0 ? -1 : take_over(store, format, error);
    if (sqlite3_errcode(store->database) == SQLITE_NOTADB)
        return store_fail(store, "is not a results file", error);
    tables = store_ask(store, "SELECT count(*) FROM sqlite_schema");
    if (tables < 0)
        return store_fail(store, "the store of results cannot be read", error);
    return tables > 0 ? refuse_other(store, error) : create(store, error);
}

/* Of a file that nothing is to be written to: an empty one is no store there. */
int store_check(struct replay_store *store, struct base_error *error)
{
    int64_t format = format_of(store, error);
    return format == 0 ? refuse_other(store, error) : format < 0 ? -1 : 0;
}
