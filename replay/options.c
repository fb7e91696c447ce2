/* The table of options, and the reading of their values.
 *
 * A setting is text and number: the text as it was given, for messages and for kinds that are looked up by
 * name, and the number in the unit that the model uses (kHz for a clock in GHz, millionths for a factor,
 * bytes for a size). Defaults that can only be computed (what the routing needs, two packets) stay 0 until
 * the network is built, and are recorded as what they became.
 *
 *      REPLAY_OPTION(VCS, "vcs", 0, "N", COUNT, 1, 16, RUN, NETWORK, "(what the routing needs)", "virtual …")
 *        ├─ getopt_long    { "vcs", required_argument }, for `run` alone
 *        ├─ --help         --vcs N   virtual channels of a link [what the routing needs]
 *        ├─ check          --vcs 99: needs a whole number from 1 to 16
 *        ├─ library        flr_request_set(request, "vcs", "2", &error)
 *        └─ JSON           "options": { "vcs": 2 }
 *
 * An option of a later version is one more line there, and the use of its number. */
#include "replay/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "replay/host.h"
#include "replay/jobs.h"
#include "reports/run/picture.h"
#include "traces/program.h"
#include "traces/collectives/tuning-rules.h"

#define DIGITS 6 /* of a DECIMAL */
#define SCALE_MAX UINT64_C(1000000000000)

static const struct replay_command_row commands[REPLAY_COMMANDS] = {
#define REPLAY_COMMAND(symbol, name, operands, summary) {#name, operands, summary},
#include "replay/commands.def"
#undef REPLAY_COMMAND
};

enum {
#define REPLAY_COMMAND(symbol, name, operands, summary) symbol = 1 << REPLAY_COMMAND_##symbol,
#include "replay/commands.def"
#undef REPLAY_COMMAND
    ALL = (1 << REPLAY_COMMANDS) - 1
};

static const struct replay_option_row options[REPLAY_OPTIONS] = {
#define REPLAY_OPTION(symbol, name, letter, argument, kind, least, most, commands, group, fallback, help)    \
    {name, letter, argument, REPLAY_KIND_##kind, least, most, commands, REPLAY_GROUP_##group, fallback, help},
#include "replay/options.def"
#undef REPLAY_OPTION
};

/* The tables are constant; these functions are their only doors. */
const struct replay_option_row *replay_option_row(enum replay_option option)
{
    return &options[option];
}

const struct replay_command_row *replay_command_row(enum replay_command command)
{
    return &commands[command];
}

/* In the order of option-texts.def; few, and asked for by help alone. */
static const struct {
    enum replay_command command;
    enum replay_option option;
    const char *fallback, *help;
} texts[] = {
#define REPLAY_OPTION_TEXT(command, option, fallback, help)                                                  \
    {REPLAY_COMMAND_##command, REPLAY_##option, fallback, help},
#include "replay/option-texts.def"
#undef REPLAY_OPTION_TEXT
};

/* Some options mean something else to a subcommand, which then has a text of its own. */
const char *replay_option_help(enum replay_option option, enum replay_command command)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].option == option && texts[i].command == command)
            return texts[i].help;
    return options[option].help;
}

/* Likewise: a subcommand may have a default of its own. */
const char *replay_option_fallback(enum replay_option option, enum replay_command command)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i].option == option && texts[i].command == command && texts[i].fallback != NULL)
            return texts[i].fallback;
    return options[option].fallback;
}

/* By group, so that a new option is in the record of runs and in the library by where it stands in
 * options.def, and nowhere else has to be told. */
bool replay_option_is_recorded(enum replay_option option)
{
    return options[option].group == REPLAY_GROUP_NETWORK || options[option].group == REPLAY_GROUP_REPLAY ||
           options[option].group == REPLAY_GROUP_READING;
}

/* Six decimals or none: the record of a run must not depend on how a number was typed. */
char *replay_option_format(enum replay_option option, uint64_t number, char text[BASE_UNITS_TEXT])
{
    if (options[option].kind == REPLAY_KIND_RATE)
        return base_format_rate(number, "", text);
    if (options[option].kind == REPLAY_KIND_DURATION)
        return base_format_duration(number, "", text);
    if (options[option].kind != REPLAY_KIND_DECIMAL)
        snprintf(text, BASE_UNITS_TEXT, "%" PRIu64, number);
    else if (number % 1000000 == 0)
        snprintf(text, BASE_UNITS_TEXT, "%" PRIu64, number / 1000000);
    else
        snprintf(text, BASE_UNITS_TEXT, "%" PRIu64 ".%06" PRIu64, number / 1000000, number % 1000000);
    return text;
}

/* One form of sentence for every number: what was given, what is possible. The limits are written as the
 * option itself would be, so that a user can type them. */
static int refuse_number(enum replay_option option, const char *value, struct base_error *error)
{
    const struct replay_option_row *row = &options[option];
    const char *what = row->kind == REPLAY_KIND_DECIMAL    ? "a number with at most 6 decimals"
                       : row->kind == REPLAY_KIND_BYTES    ? "a size (such as 4096, 64k or 1MiB)"
                       : row->kind == REPLAY_KIND_RATE     ? "a rate (such as 25GB/s or 200Gb/s)"
                       : row->kind == REPLAY_KIND_DURATION ? "a time (such as 30ns or 1.5us)"
                                                           : "a whole number";
    char least[BASE_UNITS_TEXT], most[BASE_UNITS_TEXT];

    return base_error_set(error, BASE_USAGE, "--%s %s: needs %s from %s to %s", row->name, value, what,
                          replay_option_format(option, row->least, least),
                          replay_option_format(option, row->most, most));
}

/* Range and syntax fail with one sentence: the range tells what was expected. Bytes and decimals become whole
 * numbers here, and no later code parses: the row's limits are in the same units as the result. */
static int parse_number(enum replay_option option, const char *value, uint64_t *number,
                        struct base_error *error)
{
    const struct replay_option_row *row = &options[option];
    int status = row->kind == REPLAY_KIND_DECIMAL    ? base_parse_decimal(value, DIGITS, number)
                 : row->kind == REPLAY_KIND_BYTES    ? base_parse_bytes(value, number)
                 : row->kind == REPLAY_KIND_RATE     ? base_parse_rate(value, number)
                 : row->kind == REPLAY_KIND_DURATION ? base_parse_duration(value, number)
                                                     : base_parse_unsigned(value, UINT64_MAX, number);

    if (status != 0 || *number < row->least || *number > row->most)
        return refuse_number(option, value, error);
    return 0;
}

/* "zero" and "scale=0" are one thing to the replay: no computing at all. */
static int parse_compute(const char *value, uint64_t *scale, struct base_error *error)
{
    static const char prefix[] = "scale=";

    if (strcmp(value, "trace") == 0)
        *scale = 1000000;
    else if (strcmp(value, "zero") == 0)
        *scale = 0;
    else if (strncmp(value, prefix, strlen(prefix)) != 0)
        return base_error_set(error, BASE_USAGE, "--compute %s: needs trace, zero or scale=F", value);
    else if (base_parse_decimal(value + strlen(prefix), DIGITS, scale) != 0 || *scale > SCALE_MAX)
        return base_error_set(
            error, BASE_USAGE,
            "--compute %s: the scale needs a number with at most 6 decimals from 0 to 1000000", value);
    return 0;
}

/* A word of a short list, in the order of the values that it stands for. */
static int parse_word(const struct replay_option_row *row, const char *value, uint64_t *number,
                      struct base_error *error)
{
    static const char *const clocks[] = {
        [TRACE_CLOCK_WALL] = "wall", [TRACE_CLOCK_CPU] = "cpu", [TRACE_CLOCK_MIN] = "min", NULL};
    static const char *const polling[] = {"collapse", "keep", NULL};
    static const char *const progress[] = {"independent", "in-calls", NULL};
    const char *const *words = row->kind == REPLAY_KIND_CLOCK     ? clocks
                               : row->kind == REPLAY_KIND_POLLING ? polling
                                                                  : progress;

    for (*number = 0; words[*number] != NULL; ++*number)
        if (strcmp(words[*number], value) == 0)
            return 0;
    return base_error_set(error, BASE_USAGE, "--%s %s: needs %s", row->name, value,
                          row->kind == REPLAY_KIND_CLOCK     ? "wall, cpu or min"
                          : row->kind == REPLAY_KIND_POLLING ? "collapse or keep"
                                                             : "independent or in-calls");
}

/* Flags have a value for the library's sake, which sets every option by text. */
static int parse_flag(const struct replay_option_row *row, const char *value, uint64_t *flag,
                      struct base_error *error)
{
    *flag = strcmp(value, "yes") == 0;
    if (*flag == 0 && strcmp(value, "no") != 0)
        return base_error_set(error, BASE_USAGE, "--%s %s: needs yes or no", row->name, value);
    return 0;
}

/* Made once to see whether it can be; the table does not matter. Rules are refused when they are given, each
 * for itself: the sentence quotes what was just typed and not all that came before it. */
static int parse_rules(const char *value, struct base_error *error)
{
    struct trace_tuning *tuning;

    if (strcmp(value, "none") == 0)
        return 0;
    if (*value == '\0')
        return base_error_set(error, BASE_USAGE, "--collective needs a value that is not empty");
    tuning = trace_tuning_new("mpich", value, error);
    trace_tuning_free(tuning);
    if (tuning == NULL && error != NULL && error->status == BASE_USAGE)
        base_error_set(error, BASE_USAGE, "--collective %s: %s", value, error->text);
    return tuning != NULL ? 0 : -1;
}

/* The text alone: whether there is such a trace, and room for it, shows later. */
static int parse_job(const char *value, struct base_error *error)
{
    struct base_arena arena = {0};
    struct replay_job_text job;
    int status;

    if (strchr(value, '\n') != NULL)
        return base_error_set(error, BASE_USAGE, "--job: a line feed cannot be part of a job");
    status = replay_job_parse(&arena, value, &job, error);
    base_arena_free(&arena);
    return status;
}

/* Texts that name kinds are not checked here but by who makes the kind: the rooms know their own names and
 * parameters. */
static int parse(enum replay_option option, const char *value, uint64_t *number, struct base_error *error)
{
    const struct replay_option_row *row = &options[option];

    switch (row->kind) {
    case REPLAY_KIND_COUNT:
    case REPLAY_KIND_BYTES:
    case REPLAY_KIND_DECIMAL:
    case REPLAY_KIND_RATE:
    case REPLAY_KIND_DURATION:
        return parse_number(option, value, number, error);
    case REPLAY_KIND_COMPUTE:
        return parse_compute(value, number, error);
    case REPLAY_KIND_CLOCK:
    case REPLAY_KIND_POLLING:
    case REPLAY_KIND_PROGRESS:
        return parse_word(row, value, number, error);
    case REPLAY_KIND_RULES:
        return parse_rules(value, error);
    case REPLAY_KIND_JOBS:
        return parse_job(value, error);
    case REPLAY_KIND_PICTURES:
        return report_run_picture_split(value, NULL, NULL, error);
    case REPLAY_KIND_FLAG:
        return parse_flag(row, value, number, error);
    default:
        if (*value == '\0')
            return base_error_set(error, BASE_USAGE, "--%s needs a value that is not empty", row->name);
        return 0;
    }
}

#define ALSO "also "

static const struct alias {
    enum replay_option option;
    const char *name, *others; /* others: "also", and the names with commas and spaces between */
} aliases[] = {
#define REPLAY_ALIAS(option, name, others) {REPLAY_##option, name, ALSO others},
#include "replay/aliases.def"
#undef REPLAY_ALIAS
};

const char *replay_option_aliases(enum replay_option option, const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (aliases[i].option == option && strcmp(aliases[i].name, name) == 0)
            return aliases[i].others;
    return NULL;
}

/* Whether the first `length` bytes are one of the words of a list. */
static bool is_among(const char *list, const char *word, size_t length)
{
    for (const char *next = list; *next != '\0'; next += strspn(next, ", ")) {
        size_t end = strcspn(next, ",");
        if (end == length && strncmp(next, word, length) == 0)
            return true;
        next += end;
    }
    return false;
}

/* The alias whose other name stands before what is added to it: sizes or parameters. NULL: none. */
static const struct alias *find_alias(enum replay_option option, const char *value, size_t length)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (aliases[i].option == option && is_among(aliases[i].others + strlen(ALSO), value, length))
            return &aliases[i];
    return NULL;
}

/* "mpich" is the newest table of MPICH, and "xy" dimension order. Unknown names stay as they are, for who makes the
 * kind to refuse; so do names with parameters, which of all that have aliases topologies alone take. */
const char *replay_option_resolve(enum replay_option option, const char *value, struct base_arena *arena)
{
    const struct trace_tuning *table = option == REPLAY_COLLECTIVES ? trace_tuning_find(value, NULL) : NULL;
    size_t length = strcspn(value, ":,;");
    const struct alias *alias = find_alias(option, value, length);

    if (alias != NULL && (option == REPLAY_TOPOLOGY || value[length] == '\0'))
        return base_arena_format(arena, "%s%s", alias->name, value + length);
    return base_arena_text(arena, table != NULL ? table->name : value);
}

/* The word by which an answer says that an option was not given, so that it can be given back as a value (of a
 * comparison's factor, say). NULL: the option always has a value. */
const char *replay_option_absent(enum replay_option option)
{
    return option == REPLAY_PARTITION || option == REPLAY_TECHNOLOGY || option == REPLAY_FAULTS ||
                   option == REPLAY_FAULT_ROUTING || option == REPLAY_RACK || option == REPLAY_MACHINE ||
                   option == REPLAY_HOST || options[option].kind == REPLAY_KIND_RATE ||
                   options[option].kind == REPLAY_KIND_DURATION
               ? "none"
           : option == REPLAY_WARMUP     ? "detected"
           : option == REPLAY_FROM       ? "start"
           : option == REPLAY_TO         ? "end"
           : option == REPLAY_ITERATIONS ? "all"
                                         : NULL;
}

static bool is_absent(enum replay_option option, const char *value)
{
    const char *word = replay_option_absent(option);

    return word != NULL && value != NULL && strcmp(word, value) == 0;
}

/* A host that is listed, in its one form; one in a file stays what it is for now. NULL: refused, memory. */
static const char *store_host(struct replay_settings *settings, const char *value, struct base_error *error)
{
    struct replay_host_numbers host;
    const char *list = value;

    if (replay_host_is_list(value)) {
        if (replay_host_parse(&host, value, error) != 0)
            return NULL;
        list = replay_host_format(&host, &settings->arena);
    }
    list = list == NULL ? NULL : base_arena_text(&settings->arena, list);
    if (list == NULL)
        base_error_memory(error, "the options");
    return list;
}

/* A value that is refused leaves the old one in place. Replaced texts stay in the arena: there are few. Rules
 * of several options are joined in the order given; "none" begins anew. So are jobs and pictures. */
static int store(struct replay_settings *settings, enum replay_option option, const char *value,
                 struct base_error *error)
{
    uint64_t number = 0;
    char text[BASE_UNITS_TEXT];
    const char *copy;

    if (parse(option, value, &number, error) != 0)
        return -1;
    if (options[option].kind == REPLAY_KIND_HOST && (value = store_host(settings, value, error)) == NULL)
        return -1;
    /* One text for what is the same: 200Gb/s is 25GB/s. */
    if (options[option].kind == REPLAY_KIND_RATE || options[option].kind == REPLAY_KIND_DURATION)
        value = replay_option_format(option, number, text);
    if (options[option].kind == REPLAY_KIND_RULES && settings->text[option] != NULL &&
        strcmp(settings->text[option], "none") != 0 && strcmp(value, "none") != 0)
        copy = base_arena_format(&settings->arena, "%s,%s", settings->text[option], value);
    else if ((options[option].kind == REPLAY_KIND_JOBS || options[option].kind == REPLAY_KIND_PICTURES) &&
             settings->text[option] != NULL)
        copy = base_arena_format(&settings->arena, "%s\n%s", settings->text[option], value);
    else
        copy = replay_option_resolve(option, value, &settings->arena);
    if (copy == NULL)
        return base_error_memory(error, "the options");
    settings->text[option] = copy;
    settings->number[option] = number;
    return 0;
}

/* Defaults go the same way as what users type, so the table cannot hold a default that is out of its own
 * range. */
int replay_settings_init(struct replay_settings *settings, struct base_error *error)
{
    *settings = (struct replay_settings){0};
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const char *fallback = options[option].fallback;
        if (fallback != NULL && *fallback != '(' && store(settings, option, fallback, error) != 0)
            return -1;
    }
    return 0;
}

/* Only what a user gave counts as given: defaults come through store, and subcommands ask for the difference
 * (a warm-up that was asked for is not detected). The word of records for what was not given takes it back. */
int replay_settings_set(struct replay_settings *settings, enum replay_option option, const char *value,
                        struct base_error *error)
{
    bool absent = is_absent(option, value);

    if (!absent && store(settings, option, value, error) != 0)
        return -1;
    /* A host that costs nothing is none. */
    absent |= options[option].kind == REPLAY_KIND_HOST && is_absent(option, settings->text[option]);
    if (absent) {
        settings->text[option] = NULL;
        settings->number[option] = 0;
    }
    settings->given[option] = !absent;
    settings->derived[option] = false;
    return 0;
}

/* Set by what another option asks for, such as a machine's file: in force, but not what the user has asked for. */
int replay_settings_derive(struct replay_settings *settings, enum replay_option option, const char *value,
                           struct base_error *error)
{
    if (replay_settings_set(settings, option, value, error) != 0)
        return -1;
    settings->derived[option] = settings->given[option];
    return 0;
}

/* Back to the default, for a value that no longer follows. Defaults in brackets are words for people, not values. */
int replay_settings_underive(struct replay_settings *settings, enum replay_option option,
                             struct base_error *error)
{
    const char *fallback = options[option].fallback;

    settings->text[option] = NULL;
    settings->number[option] = 0;
    settings->given[option] = settings->derived[option] = false;
    return fallback != NULL && *fallback != '(' ? store(settings, option, fallback, error) : 0;
}

bool replay_settings_have_host(const struct replay_settings *settings)
{
    return settings->text[REPLAY_HOST] != NULL || settings->number[REPLAY_PROGRESS] != 0;
}

bool replay_settings_agree(const struct replay_settings *a, const struct replay_settings *b,
                           enum replay_option option)
{
    const char *one = a->text[option], *other = b->text[option];

    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

/* Values as they are, not read again: texts that were joined of several are no values themselves. */
int replay_settings_copy(struct replay_settings *settings, const struct replay_settings *given,
                         struct base_error *error)
{
    if (replay_settings_init(settings, error) != 0)
        return -1;
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        if (!given->given[option] || given->text[option] == NULL)
            continue;
        settings->text[option] = base_arena_text(&settings->arena, given->text[option]);
        if (settings->text[option] == NULL)
            return base_error_memory(error, "the options");
    }
    memcpy(settings->number, given->number, sizeof settings->number);
    memcpy(settings->given, given->given, sizeof settings->given);
    memcpy(settings->derived, given->derived, sizeof settings->derived);
    return 0;
}

void replay_settings_free(struct replay_settings *settings)
{
    base_arena_free(&settings->arena);
    *settings = (struct replay_settings){0};
}
