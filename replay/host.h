/* What a host costs: the text of --host, as numbers. The rules are those of doc/hosts.md; replay/engine/ computes them.
 *
 *      send-overhead=500ns,receive-overhead=700ns,nic-gap=20ns      a list, as on the command line
 *      FILE                                                         the same keys in YAML (replay/machines/host-file.h)
 *      published                                                    those that the machine's file has as published
 *
 * A text with '=' is a list. Lists have one form in records: keys that cost something, in the order of host.def. */
#ifndef REPLAY_HOST_H
#define REPLAY_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum replay_host_key {
#define REPLAY_HOST_KEY(symbol, name, kind, most, what) REPLAY_HOST_##symbol,
#include "replay/host.def"
#undef REPLAY_HOST_KEY
    REPLAY_HOST_KEYS
};

enum replay_host_kind {
    REPLAY_HOST_IS_DURATION, /* picoseconds */
    REPLAY_HOST_IS_RATE,     /* bytes a second */
    REPLAY_HOST_IS_COUNT,
    REPLAY_HOST_IS_CHOICE, /* by-rank 0, round-robin 1 */
    REPLAY_HOST_IS_RULES   /* calls 0, loggops 1 */
};

struct replay_host_row {
    const char *name, *what;    /* as --host takes it; a line of help */
    enum replay_host_kind kind; /* how its values are written */
    uint64_t most;              /* of a value, in the unit that the replay counts in */
};
/* The row of host.def. A constant. */
const struct replay_host_row *replay_host_row(enum replay_host_key key);

/* All zeros cost nothing. */
struct replay_host_numbers {
    uint64_t number[REPLAY_HOST_KEYS]; /* [key]; 0: it costs nothing */
};

/* Whether a value of --host is a list, and not the name of a file. */
bool replay_host_is_list(const char *text);
/* One key's value. -1: BASE_USAGE: no such key with the nearest, or a value with what it needs; no place is named. */
int replay_host_set(struct replay_host_numbers *host, const char *key, const char *value,
                    struct base_error *error);
/* What contradicts itself: copies at a time that take no time, several network interfaces without a gap, a choice among
 * one. -1: BASE_USAGE with a sentence that says what would do. */
int replay_host_check(const struct replay_host_numbers *host, struct base_error *error);
/* A list, checked. -1: BASE_USAGE with the text, a key that is given twice among others; memory. */
int replay_host_parse(struct replay_host_numbers *host, const char *text, struct base_error *error);
/* The list of what costs something, in the arena; "none" when nothing does. NULL: memory. */
const char *replay_host_format(const struct replay_host_numbers *host, struct base_arena *arena);

#endif
