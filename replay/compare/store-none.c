/* The store of results in a program that was built without SQLite. */
#include "replay/compare/store.h"

/* The sentence names what asked for a store: a path, or an option. */
static int refuse(const char *path, struct base_error *error)
{
    return base_error_set(error, BASE_USAGE,
                          "%s: this flitreplay was built without SQLite, and cannot store results", path);
}

/* Where a comparison with --results ends. The functions below are never reached after that, but for the
 * closing of nothing, and refuse all the same. */
struct replay_store *replay_store_open(const char *path, struct base_error *error)
{
    refuse(path, error);
    return NULL;
}

void replay_store_close(struct replay_store *store)
{
    (void)store;
}

/* Every function refuses by the option that it serves, so that the sentence names what the user has written. */
int replay_store_load(struct replay_store *store, struct replay_plan *plan, struct base_error *error)
{
    (void)store;
    (void)plan;
    return refuse("--results", error);
}

int replay_store_put(struct replay_store *store, const struct replay_plan *plan, uint32_t number,
                     const struct report_outcome *outcome, struct base_error *error)
{
    (void)store;
    (void)plan;
    (void)number;
    (void)outcome;
    return refuse("--results", error);
}

int replay_store_merge(struct replay_store *store, const char *path, struct base_error *error)
{
    (void)store;
    return refuse(path, error);
}

struct report_results *replay_store_read(const char *path, const char *where, struct base_error *error)
{
    (void)where;
    refuse(path, error);
    return NULL;
}
