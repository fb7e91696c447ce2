/* Inside replay/: an open store of results. */
/* Statements are prepared once and kept, since each run uses them again; all are freed when the store is
 * closed. SQL that depends on the table of columns is composed in the arena. */
#ifndef REPLAY_COMPARE_STORE_INTERNAL_H
#define REPLAY_COMPARE_STORE_INTERNAL_H

#include <sqlite3.h>

#include "replay/compare/store.h"

struct replay_store {
    struct base_arena arena; /* of statements and texts */
    const char *path, *name; /* as it was given, and as SQLite is told */
    sqlite3 *database;
    sqlite3_stmt *put, *want, *find; /* prepared when first needed */
};

/* Opens a store that there is, for reading. */
struct replay_store *store_begin_reading(const char *path, struct base_error *error);
/* An empty file becomes a store; one of an earlier format is taken over. In a transaction of the caller's.
 * -1: another program's file, or a later format (BASE_INPUT); it cannot be read or written. */
int store_prepare(struct replay_store *store, struct base_error *error);
/* The same for reading: nothing is written. */
int store_check(struct replay_store *store, struct base_error *error);
/* The rows of a database ("main", or as it was attached), as SQL, with all columns that there are today.
 * NULL: memory, or it cannot be read. */
const char *store_rows(struct replay_store *store, const char *schema);
/* All options of a configuration but the seed, as JSON. The caller frees it. NULL: memory. */
char *store_options(const struct replay_configuration *configuration);
/* Says in the comparison what of the store is used, and what is kept. -1: it cannot be read, or memory. */
int store_note_kept(struct replay_store *store, struct replay_plan *plan, struct base_error *error);
/* Whether the numbers of a row, whose columns begin at `first` in the order of report_compared_fields, are such as a
 * run has: a store is a file that others can write. -1: BASE_INPUT, with the column. */
int store_check_numbers(const struct replay_store *store, sqlite3_stmt *statement, int first,
                        struct base_error *error);
/* Fails where a run's state, in this column, is none: BASE_INPUT, or BASE_MEMORY. */
int store_check_state(const struct replay_store *store, sqlite3_stmt *statement, int column,
                      struct base_error *error);
/* The first number that a query gives, or -1. */
int64_t store_ask(struct replay_store *store, const char *query);
int store_execute(struct replay_store *store, const char *sql, const char *what, struct base_error *error);
/* -1, with SQLite's last message: "PATH: WHAT: database or disk is full". */
int store_fail(const struct replay_store *store, const char *what, struct base_error *error);

#endif
