/* What a store holds for a comparison, in sentences: what of it is used, and which rows are kept and not
 * used, and why.
 *
 *      Runs taken from sweep.db: 12 of 60; not in it before: 48.
 *      Kept there, not used: 36 runs of build 0.1.0+a3f09d27c1b4e856, while this is build 0.1.0+48cac74ced5dd584.
 *      Kept there, not used: 12 runs of other contents of the files that they name.
 *
 * Nothing is ever taken out of a store. */
#include "replay/compare/store-internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/build.h"

#define SENTENCES_MAX 64 /* builds beyond that are not told apart */

struct kept_rows {
    struct replay_store *store;           /* that rows are read from */
    struct report_comparison *comparison; /* that is filled with what they say */
    const char *sentence[SENTENCES_MAX + 3];
    uint32_t count; /* of sentences */
    bool failed;    /* memory */
};

/* For sentences. */
static const char *runs(uint64_t count)
{
    return count == 1 ? "run" : "runs";
}

/* A sentence that could not be made leaves its mark, which is looked at once, at the end. */
static void say(struct kept_rows *kept, const char *sentence)
{
    kept->failed |= sentence == NULL;
    kept->sentence[kept->count++] = sentence;
}

/* Runs of other builds, by build; those of formats that did not record it have none. */
static int say_builds(struct kept_rows *kept, struct base_error *error)
{
    struct base_arena *arena = &kept->store->arena;
    sqlite3_stmt *statement = NULL;
    int status =
        sqlite3_prepare_v2(kept->store->database,
                           "SELECT build, version, count(*) FROM runs WHERE build IS NOT ? AND state <> "
                           "'missing' GROUP BY build, version ORDER BY build, version",
                           -1, &statement, NULL);

    sqlite3_bind_text(statement, 1, base_build(), -1, SQLITE_STATIC);
    while (status == SQLITE_OK && kept->count < SENTENCES_MAX && sqlite3_step(statement) == SQLITE_ROW) {
        const char *build = (const char *)sqlite3_column_text(statement, 0);
        const char *version = (const char *)sqlite3_column_text(statement, 1);
        uint64_t count = (uint64_t)sqlite3_column_int64(statement, 2);
        if (build != NULL)
            say(kept,
                base_arena_format(arena, "Kept there, not used: %llu %s of build %s, while this is build %s.",
                                  (unsigned long long)count, runs(count), build, base_build()));
        else
            say(kept,
                base_arena_format(arena,
                                  "Kept there, not used: %llu %s of flitreplay %s in an earlier format, "
                                  "which does not name their build and files.",
                                  (unsigned long long)count, runs(count), version == NULL ? "" : version));
    }
    status = sqlite3_errcode(kept->store->database);
    sqlite3_finalize(statement);
    return status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE
               ? 0
               : store_fail(kept->store, "the results cannot be read", error);
}

/* How many finished rows are this run but for what was in its files. */
static int64_t count_others(sqlite3_stmt *statement, const struct replay_plan *plan, const char *options,
                            uint32_t number)
{
    struct replay_run run = replay_plan_run(plan, number);
    int64_t count = -1;

    sqlite3_reset(statement);
    sqlite3_bind_text(statement, 1, plan->comparison.traces[run.trace], -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, (int64_t)run.seed);
    sqlite3_bind_text(statement, 3, options, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 4, base_build(), -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW)
        count = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return count;
}

/* Of the runs of one configuration. -1: cannot be read. */
static int64_t count_configuration(struct kept_rows *kept, const struct replay_plan *plan,
                                   uint32_t configuration, sqlite3_stmt *statement)
{
    const struct report_comparison *comparison = kept->comparison;
    char *options = store_options(&plan->configurations[configuration]);
    int64_t count = options == NULL ? -1 : 0;

    for (uint32_t trace = 0; count >= 0 && trace < comparison->trace_count; trace++)
        for (uint32_t seed = 0; count >= 0 && seed < comparison->seeds; seed++) {
            uint32_t number =
                (trace * comparison->configuration_count + configuration) * comparison->seeds + seed;
            int64_t others;
            if (comparison->outcomes[number].state == REPORT_LEFT_OUT)
                continue;
            others = count_others(statement, plan, options, number);
            if (others > 0 && comparison->outcomes[number].state != REPORT_MISSING)
                others--; /* that one is used */
            count = others < 0 ? -1 : count + others;
        }
    free(options);
    return count;
}

/* Runs of this build that would be used, had a file not been replaced. */
static int say_contents(struct kept_rows *kept, const struct replay_plan *plan, struct base_error *error)
{
    sqlite3_stmt *statement = NULL;
    int64_t count = 0;
    bool is_read =
        sqlite3_prepare_v2(kept->store->database,
                           "SELECT count(*) FROM runs WHERE trace = ? AND seed = ? AND options = ? AND "
                           "build = ? AND state <> 'missing'",
                           -1, &statement, NULL) == SQLITE_OK;

    for (uint32_t i = 0; is_read && i < kept->comparison->configuration_count; i++) {
        int64_t others = count_configuration(kept, plan, i, statement);
        is_read = others >= 0;
        count += others;
    }
    sqlite3_finalize(statement);
    if (!is_read)
        return store_fail(kept->store, "the results cannot be read", error);
    if (count > 0)
        say(kept,
            base_arena_format(&kept->store->arena,
                              "Kept there, not used: %lld %s of other contents of the files that they name.",
                              (long long)count, runs((uint64_t)count)));
    return 0;
}

/* What a user must know of runs that were not made now: how many there are, that other builds made some, or that
 * traces have changed under the same name. */
int store_note_kept(struct replay_store *store, struct replay_plan *plan, struct base_error *error)
{
    struct report_comparison *comparison = &plan->comparison;
    struct kept_rows kept = {.store = store, .comparison = comparison};
    uint32_t missing = report_comparison_count(comparison, REPORT_MISSING);
    uint32_t all = report_comparison_runs(comparison) - report_comparison_count(comparison, REPORT_LEFT_OUT);
    const char **sentences;

    say(&kept, base_arena_format(&store->arena, "Runs taken from %s: %u of %u; not in it before: %u.",
                                 store->path, all - missing, all, missing));
    if (say_builds(&kept, error) != 0 || say_contents(&kept, plan, error) != 0)
        return -1;
    sentences = base_arena_array(&store->arena, kept.count, sizeof *sentences);
    if (sentences == NULL || kept.failed)
        return base_error_memory(error, "what the store keeps");
    for (uint32_t i = 0; i < kept.count; i++)
        sentences[i] = kept.sentence[i];
    comparison->stored = sentences;
    comparison->stored_count = kept.count;
    return 0;
}
