/* The results of comparisons on disk: an SQLite file with a row for each run that is wanted, filled as it
 * finishes.
 *
 *      runs: identity (primary key), version, build, trace, fingerprint, inputs (JSON), topology, routing,
 *            mapping, seed, options (JSON), state ("missing", "done", "failed"), finished (1, 2, 3 ... in the
 *            order in which they did), the columns of reports/run/fields.def, digest, failure
 *
 * A row is written in a transaction of its own, in a write-ahead log that reaches the disk before the run
 * counts as done: a program or machine that dies loses the runs that it was in, and no other. Several
 * processes may use one file at a time, on a file system with locks. A run is known by its identity: a hash
 * over the build of the program (base/build.h), the trace, what was in it and in every other file that the
 * options name, all options in force, and the seed. What another build made, or other contents of a file, is
 * kept beside it. */
/* What may end a comparison, and what is left then:
 *
 *      kill -9, a crash       all rows that were committed; SQLite takes the log in when the file is opened next
 *      a full disk            the row that did not fit is rolled back; status 5, and the others are there
 *      power                  the same as a crash: synchronous is FULL
 *      another program's file refused by its application id, before anything is written
 *
 * Questions that `flitreplay results` does not answer are asked of the file itself:
 *
 *      SELECT topology, routing, avg(slowdown) FROM runs WHERE state = 'done' GROUP BY topology, routing
 *      SELECT topology, slowdown FROM runs WHERE json_extract(options, '$."packet-flits"') = 8
 *      SELECT json_extract(options, '$.vcs'), max(p99_latency_cycles) FROM runs GROUP BY 1 */
#ifndef REPLAY_COMPARE_STORE_H
#define REPLAY_COMPARE_STORE_H

#include "replay/compare/plan.h"

struct replay_store;

/* Opens a store, or makes one. NULL: BASE_USAGE when this program was built without SQLite; BASE_INPUT when
 * the file is something else; BASE_SYSTEM when it cannot be written. */
struct replay_store *replay_store_open(const char *path, struct base_error *error);
/* Ends the use of the store; NULL is legal. */
void replay_store_close(struct replay_store *store);

/* Adds a row for each run of the plan that has none, fills in the outcomes of those that are finished, and
 * says in the comparison what was used and what is kept and not used (report_comparison.stored, in the
 * store's memory). */
int replay_store_load(struct replay_store *store, struct replay_plan *plan, struct base_error *error);
/* Writes down that a run is finished. One that already is stays as it is. */
int replay_store_put(struct replay_store *store, const struct replay_plan *plan, uint32_t number,
                     const struct report_outcome *outcome, struct base_error *error);
/* Adds the rows of another store: those that are finished there and are not here, and those that are wanted
 * there. */
int replay_store_merge(struct replay_store *store, const char *path, struct base_error *error);

/* Everything in a store that an SQL expression holds for (NULL: everything), by trace, topology, routing,
 * mapping, options and seed. The caller frees the results with report_results_free. */
struct report_results;
struct report_results *replay_store_read(const char *path, const char *where, struct base_error *error);

#endif
