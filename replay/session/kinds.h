/* Everything that is chosen by name, in one list: for `flitreplay list`, for the refusal of an unknown name
 * with the nearest match, and for the checks of the manual page. */
#ifndef REPLAY_SESSION_KINDS_H
#define REPLAY_SESSION_KINDS_H

#include <stddef.h>

#include "base/error.h"
#include "base/random.h"
#include "replay/options.h"
#include "traces/collectives/tuning-rules.h"

struct replay_kind {
    const char *name, *summary;
    const char *more; /* which one it stands for, other names, how it compares with others; NULL: nothing */
    const char *parameters;  /* behind the name: "K,N" after a colon, or "[,root=ROUTER]"; NULL: nothing */
    enum base_chance chance; /* whether it draws from a seed: never, or in some form or place */
};

struct replay_kinds {
    const char *name;     /* "topologies" */
    const char *singular; /* "topology" */
    const char *use;      /* where the names go: "--topology T" */
    size_t count;
    struct replay_kind (*at)(size_t index);
};

/* The lists, in the order they are printed; *count is their number. Filled into the caller's array of
 * REPLAY_KINDS_MAX entries. */
#define REPLAY_KINDS_MAX 26
size_t replay_kinds(struct replay_kinds lists[REPLAY_KINDS_MAX]);

/* 0 when name (up to a ':', where arguments follow) is in the list called list_name; else -1 and BASE_USAGE:
 * "unknown mapping 'identiy'; did you mean 'identity'? known: identity, random, file". */
int replay_check_kind(const char *list_name, const char *name, struct base_error *error);

/* The same for the value of an option that takes names of a list, up to the parameters that follow the name: 0 for
 * other options, "none", and files. Whether the kind serves the rest of the options is not asked. */
int replay_check_name(enum replay_option option, const char *value, struct base_error *error);

/* Whether the kind of that name in the list called list_name may draw from --seed; true for one that is not
 * known. */
bool replay_kind_draws(const char *list_name, const char *name);

/* The table of collective algorithms that --collectives and --collective mean. The caller frees it with
 * trace_tuning_free. NULL: BASE_USAGE, or memory. */
struct trace_tuning *replay_tuning(const struct replay_settings *settings, struct base_error *error);

#endif
