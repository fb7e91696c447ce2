/* The options: one table (options.def), and the values that a run is given. The command line and the library
 * fill the same struct replay_settings, so that a name, a default and a range mean the same in both. */
#ifndef REPLAY_OPTIONS_H
#define REPLAY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/units.h"

enum replay_option {
#define REPLAY_OPTION(symbol, name, letter, argument, kind, least, most, commands, group, fallback, help)    \
    REPLAY_##symbol,
#include "replay/options.def"
#undef REPLAY_OPTION
    REPLAY_OPTIONS
};

enum replay_command {
#define REPLAY_COMMAND(symbol, name, operands, summary) REPLAY_COMMAND_##symbol,
#include "replay/commands.def"
#undef REPLAY_COMMAND
    REPLAY_COMMANDS
};

enum replay_option_kind {
    REPLAY_KIND_TEXT,     /* a name; who uses it knows which there are */
    REPLAY_KIND_COUNT,    /* a whole number */
    REPLAY_KIND_BYTES,    /* a size: 4096, 64k, 1MiB */
    REPLAY_KIND_DECIMAL,  /* up to six decimals; the number is in millionths */
    REPLAY_KIND_RATE,     /* 25GB/s; the number is in bytes a second */
    REPLAY_KIND_DURATION, /* 30ns; the number is in picoseconds */
    REPLAY_KIND_COMPUTE,  /* trace, zero or scale=F; the number is the factor in millionths */
    REPLAY_KIND_CLOCK,    /* wall, cpu or min; the number is an enum trace_clock */
    REPLAY_KIND_POLLING,  /* collapse (0) or keep (1) */
    REPLAY_KIND_PROGRESS, /* independent (0) or in-calls (1) */
    REPLAY_KIND_HOST, /* a list of replay/host.h in its one form; or a file, until replay_units_apply has read it */
    REPLAY_KIND_RULES,    /* of traces/collectives/tuning-rules.h; "none", or rules joined by commas */
    REPLAY_KIND_JOBS,     /* replay/jobs.h; option after option, joined by line feeds */
    REPLAY_KIND_PICTURES, /* KIND=FILE, option after option, joined by line feeds */
    REPLAY_KIND_FLAG,     /* yes or no; on the command line its mere presence */
    REPLAY_KIND_INPUT,    /* a file that is read */
    REPLAY_KIND_OUTPUT    /* a file that is written; "-": standard output */
};

enum replay_option_group {
    REPLAY_GROUP_NETWORK,
    REPLAY_GROUP_TASK, /* what the subcommand is to do */
    REPLAY_GROUP_REPLAY,
    REPLAY_GROUP_READING,
    REPLAY_GROUP_OUTPUT,
    REPLAY_GROUP_GENERAL
};

struct replay_option_row {
    const char *name;     /* without dashes */
    char letter;          /* the short form, or 0 */
    const char *argument; /* what the help calls it; NULL: a flag */
    enum replay_option_kind kind;
    uint64_t least, most; /* the range of a number, in the unit of its kind */
    unsigned commands;    /* bit 1 << enum replay_command: the subcommands that take it */
    enum replay_option_group group;
    const char *fallback; /* the default as typed; "(...)" when it is computed; NULL: none */
    const char *help;
};

struct replay_command_row {
    const char *name, *operands, *summary; /* operands: as the usage line has them */
};

/* The rows of options.def and commands.def. Constants. */
const struct replay_option_row *replay_option_row(enum replay_option option);
const struct replay_command_row *replay_command_row(enum replay_command command);
/* What the option means to a subcommand, and its default there (as row->fallback): where it differs from
 * the row, those of option-texts.def. */
const char *replay_option_help(enum replay_option option, enum replay_command command);
const char *replay_option_fallback(enum replay_option option, enum replay_command command);
/* Whether the option bears on a result: it is part of the record of a run, and a key of the library. */
bool replay_option_is_recorded(enum replay_option option);
/* The value that a value stands for, which is what answers and stores record: of a name that is another's (aliases.def)
 * the other one, else value itself; a copy in the arena. NULL: memory. */
const char *replay_option_resolve(enum replay_option option, const char *value, struct base_arena *arena);
/* The other names of a kind: "also dor, xy"; NULL: it has none. A constant. */
const char *replay_option_aliases(enum replay_option option, const char *name);
/* The word by which records say that an option was not given, where that is neither a number nor what the network
 * chose; NULL: there is none. Given as a value it asks for the same. */
const char *replay_option_absent(enum replay_option option);
/* A number of a COUNT, BYTES, DECIMAL, RATE or DURATION option as it would be typed. Returns text. */
char *replay_option_format(enum replay_option option, uint64_t number, char text[BASE_UNITS_TEXT]);

/* The values. Fields are borrowed from the arena. */
struct replay_settings {
    struct base_arena arena;          /* of all texts below */
    const char *text[REPLAY_OPTIONS]; /* as given, or the default; NULL: not given, and no default but a
                                         computed one */
    uint64_t number
        [REPLAY_OPTIONS]; /* COUNT, BYTES, DECIMAL, RATE, DURATION: the value, 0 when not given. FLAG: 1 when set.
                                       * COMPUTE: the scale in millionths. CLOCK, POLLING: as above */
    bool given[REPLAY_OPTIONS];
    bool derived
        [REPLAY_OPTIONS]; /* given, but by a machine or by physical units (replay/machines/units.h), not by a user */
};

/* Every option at its default. -1: memory. Free in either case. */
int replay_settings_init(struct replay_settings *settings, struct base_error *error);
/* Gives an option a value (a flag: "yes" or "no"). BASE_USAGE: no such value; the sentence names the option,
 * and the range of a number. */
int replay_settings_set(struct replay_settings *settings, enum replay_option option, const char *value,
                        struct base_error *error);
/* The same as a machine's or a conversion's value, which gives way to a user's: derived as well as given. */
int replay_settings_derive(struct replay_settings *settings, enum replay_option option, const char *value,
                           struct base_error *error);
/* Takes back what was derived: defaults again. -1: memory. */
int replay_settings_underive(struct replay_settings *settings, enum replay_option option,
                             struct base_error *error);
/* Whether messages cost anything beside the network (--host, --progress). */
bool replay_settings_have_host(const struct replay_settings *settings);
/* Whether an option has the same text in both, as given or by default. */
bool replay_settings_agree(const struct replay_settings *a, const struct replay_settings *b,
                           enum replay_option option);
/* The settings of another, anew: texts are stored again, so that both can be freed. -1: memory; free in either
 * case. */
int replay_settings_copy(struct replay_settings *settings, const struct replay_settings *given,
                         struct base_error *error);
void replay_settings_free(struct replay_settings *settings);

#endif
