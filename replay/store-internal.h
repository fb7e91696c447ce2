/* Inside replay/: an open store of results. */
/* Statements are prepared once and kept, since each run uses them again; all are freed when the store is
 * closed. SQL that depends on the table of columns is composed in the arena. */
#ifndef REPLAY_STORE_INTERNAL_H
#define REPLAY_STORE_INTERNAL_H

#include <sqlite3.h>

#include "replay/store.h"

struct replay_store {
    struct base_arena arena;
    const char *path, *name; /* as it was given, and as SQLite is told */
    sqlite3 *database;
    sqlite3_stmt *put, *want, *find; /* prepared when first needed */
};

/* Opens a store that there is, for reading. */
struct replay_store *store_begin_reading(const char *path, struct base_error *error);
/* The first number that a query gives, or -1. */
int64_t store_ask(struct replay_store *store, const char *query);
int store_execute(struct replay_store *store, const char *sql, const char *what, struct base_error *error);
/* -1, with SQLite's last message: "PATH: WHAT: database or disk is full". */
int store_fail(const struct replay_store *store, const char *what, struct base_error *error);

#endif
