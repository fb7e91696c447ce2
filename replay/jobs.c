/* Reading --job. */
#include "replay/jobs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/names.h"
#include "base/units.h"

#define START_MAX UINT64_C(1000000000000000000) /* ns: thirty years */
#define NODES_MAX 16777216
#define LOAD_DIGITS 6
#define TRAFFIC "traffic:"
#define GENERATE "generate:" /* its parameters are its own matter */

enum key { START, PARTITION, MAPPING, LOAD, ARRIVALS, LENGTHS, NODES, KEYS };
static const char *const keys[KEYS + 1] = {"start",    "partition", "mapping", "load",
                                           "arrivals", "lengths",   "nodes",   NULL};

const char *const *replay_job_keys(void)
{
    return keys;
}

/* The key that a text begins with, followed by '='; KEYS when it is none. */
static enum key key_at(const char *text)
{
    enum key key = 0;

    while (key < KEYS && (strncmp(text, keys[key], strlen(keys[key])) != 0 || text[strlen(keys[key])] != '='))
        key++;
    return key;
}

/* Cuts the text at its commas before keys: what is before the first, and the value of each key. -1: a key is
 * given twice. The text is changed in place. */
static int split(char *text, const char *value[KEYS], enum key *twice)
{
    for (char *comma = strchr(text, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
        enum key key = key_at(comma + 1);
        if (key == KEYS)
            continue;
        *comma = '\0';
        *twice = key;
        if (value[key] != NULL)
            return -1;
        value[key] = comma + 1 + strlen(keys[key]) + 1;
    }
    return 0;
}

/* A file may be called by a name with commas. One that is not there was rather meant to end at the first
 * of them: what is behind that is a key that no job has. */
static int check_trace(const char *trace, const char *text, struct base_error *error)
{
    const char *comma = strchr(trace, ',');
    char key[32];

    if (comma == NULL || strncmp(trace, GENERATE, strlen(GENERATE)) == 0 || access(trace, F_OK) == 0)
        return 0;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(comma + 1, "=,"), comma + 1);
    base_names_refuse(&(struct base_names)BASE_NAMES_OF_TEXTS("key", keys, KEYS), key, SIZE_MAX, error);
    return base_error_set(error, BASE_USAGE, "--job %s: %s", text, error == NULL ? "" : error->text);
}

/* Numbers are read where all else is, so that a mistyped one is told before any trace is opened. */
static int read_numbers(const char *const value[KEYS], struct replay_job_text *job, struct base_error *error)
{
    uint64_t nodes = 0;

    if (value[START] != NULL && base_parse_unsigned(value[START], START_MAX, &job->start_ns) != 0)
        return base_error_set(error, BASE_USAGE,
                              "--job %s: start=%s: needs nanoseconds, a whole number up to 10^18", job->text,
                              value[START]);
    if (value[LOAD] != NULL && (base_parse_decimal(value[LOAD], LOAD_DIGITS, &job->load_millionths) != 0 ||
                                job->load_millionths == 0 || job->load_millionths > UINT64_C(16000000)))
        return base_error_set(
            error, BASE_USAGE,
            "--job %s: load=%s: needs the flits per cycle of each terminal, above 0 and up to 16", job->text,
            value[LOAD]);
    if (value[NODES] != NULL && (base_parse_unsigned(value[NODES], NODES_MAX, &nodes) != 0 || nodes == 0))
        return base_error_set(error, BASE_USAGE, "--job %s: nodes=%s: needs a whole number, at least 1",
                              job->text, value[NODES]);
    job->nodes = (uint32_t)nodes;
    return 0;
}

/* What belongs to programs, and what to traffic. How much room a program needs, its trace says. */
static int check_keys(const char *const value[KEYS], const struct replay_job_text *job,
                      struct base_error *error)
{
    static const enum key of_traffic[] = {LOAD, ARRIVALS, LENGTHS, NODES};

    if (job->pattern != NULL && value[MAPPING] != NULL)
        return base_error_set(error, BASE_USAGE, "--job %s: traffic has no ranks for a mapping to place",
                              job->text);
    if (job->pattern != NULL && value[LOAD] == NULL)
        return base_error_set(error, BASE_USAGE, "--job %s: load= is missing: load=0.1, for example",
                              job->text);
    if (job->pattern != NULL && (value[PARTITION] == NULL) != (value[NODES] == NULL))
        return base_error_set(
            error, BASE_USAGE,
            "--job %s: partition= and nodes= of traffic go together: without them it has what "
            "the other jobs leave free",
            job->text);
    for (size_t i = 0; job->pattern == NULL && i < sizeof of_traffic / sizeof *of_traffic; i++)
        if (value[of_traffic[i]] != NULL)
            return base_error_set(error, BASE_USAGE, "--job %s: %s= belongs to traffic, not to a program",
                                  job->text, keys[of_traffic[i]]);
    return 0;
}

/* Splits a copy in place; all fields point into it. What each key needs, and which go together, is checked
 * last, when all of them are known. */
int replay_job_parse(struct base_arena *arena, const char *text, struct replay_job_text *job,
                     struct base_error *error)
{
    const char *value[KEYS] = {NULL};
    enum key twice = KEYS;
    char *copy = base_arena_text(arena, text);

    *job = (struct replay_job_text){.text = base_arena_text(arena, text)};
    if (copy == NULL || job->text == NULL)
        return base_error_memory(error, "the jobs");
    if (split(copy, value, &twice) != 0)
        return base_error_set(error, BASE_USAGE, "--job %s: %s= is given twice", text, keys[twice]);
    for (enum key key = 0; key < KEYS; key++)
        if (value[key] != NULL && *value[key] == '\0')
            return base_error_set(error, BASE_USAGE, "--job %s: %s= needs a value", text, keys[key]);
    if (strncmp(copy, TRAFFIC, strlen(TRAFFIC)) == 0)
        job->pattern = copy + strlen(TRAFFIC);
    else
        job->trace = copy;
    if (*(job->trace != NULL ? job->trace : job->pattern) == '\0')
        return base_error_set(error, BASE_USAGE, "--job %s: begins with a trace, or with traffic:PATTERN",
                              text);
    if (job->trace != NULL && check_trace(job->trace, text, error) != 0)
        return -1;
    job->partition = value[PARTITION];
    job->mapping = value[MAPPING];
    job->arrivals = value[ARRIVALS] == NULL ? "bernoulli" : value[ARRIVALS];
    job->lengths = value[LENGTHS] == NULL ? "fixed" : value[LENGTHS];
    return read_numbers(value, job, error) != 0 ? -1 : check_keys(value, job, error);
}

/* The option joins what it is given with line feeds, and refuses a text that has one. */
int replay_jobs_parse(struct base_arena *arena, const struct replay_settings *settings,
                      struct replay_job_text **jobs, uint32_t *count, struct base_error *error)
{
    const char *all = settings->text[REPLAY_JOB];
    char *copy;
    size_t lines = 1;

    *count = 0;
    *jobs = NULL;
    if (all == NULL)
        return 0;
    for (const char *at = all; *at != '\0'; at++)
        lines += *at == '\n';
    copy = base_arena_text(arena, all);
    *jobs = base_arena_array(arena, lines, sizeof **jobs);
    if (copy == NULL || *jobs == NULL)
        return base_error_memory(error, "the jobs");
    for (char *text = copy, *next; text != NULL; text = next) {
        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (replay_job_parse(arena, text, &(*jobs)[*count], error) != 0)
            return -1;
        ++*count;
    }
    return 0;
}
