/* Reading and writing what a host costs. One table (host.def) has the keys; each kind of value is read by the parser of
 * base/units.h for it, so that a time is written here as in every option. */
#include "replay/host.h"

#include <string.h>

#include "base/names.h"
#include "base/units.h"

static const struct replay_host_row rows[REPLAY_HOST_KEYS] = {
#define REPLAY_HOST_KEY(symbol, name, kind, most, what) {name, what, REPLAY_HOST_IS_##kind, most},
#include "replay/host.def"
#undef REPLAY_HOST_KEY
};

#define WORDS 2

/* The words of a key that has some, by their numbers. */
static const char *const words[][WORDS] = {
    [REPLAY_HOST_IS_CHOICE] = {"by-rank", "round-robin"}, [REPLAY_HOST_IS_RULES] = {"calls", "loggops"}};

const struct replay_host_row *replay_host_row(enum replay_host_key key)
{
    return &rows[key];
}

bool replay_host_is_list(const char *text)
{
    return strchr(text, '=') != NULL;
}

/* A word of the short list. -1: it is neither. */
static int parse_word(const char *const *list, const char *value, uint64_t *number)
{
    for (*number = 0; *number < WORDS; ++*number)
        if (strcmp(list[*number], value) == 0)
            return 0;
    return -1;
}

/* By the row's kind; texts with units become the numbers that the replay counts in. */
static int parse_value(const struct replay_host_row *row, const char *value, uint64_t *number)
{
    switch (row->kind) {
    case REPLAY_HOST_IS_DURATION:
        return base_parse_duration(value, number);
    case REPLAY_HOST_IS_RATE:
        return base_parse_rate(value, number);
    case REPLAY_HOST_IS_COUNT:
        return base_parse_unsigned(value, row->most, number);
    case REPLAY_HOST_IS_CHOICE:
    case REPLAY_HOST_IS_RULES:
        break;
    }
    return parse_word(words[row->kind], value, number);
}

/* A number as it would be typed; text is room for it. */
static const char *format_value(const struct replay_host_row *row, uint64_t number,
                                char text[BASE_UNITS_TEXT], struct base_arena *arena)
{
    if (row->kind == REPLAY_HOST_IS_DURATION)
        return base_format_duration(number, "", text);
    if (row->kind == REPLAY_HOST_IS_RATE)
        return base_format_rate(number, "", text);
    if (row->kind == REPLAY_HOST_IS_CHOICE || row->kind == REPLAY_HOST_IS_RULES)
        return words[row->kind][number];
    return base_arena_format(arena, "%llu", (unsigned long long)number);
}

/* What a kind of values needs, for errors; a count has a range of its own. */
static const char *const needs[] = {[REPLAY_HOST_IS_DURATION] = "a time from 0 to 1s, such as 30ns or 1.5us",
                                    [REPLAY_HOST_IS_RATE] = "a rate up to 1PB/s, such as 25GB/s",
                                    [REPLAY_HOST_IS_CHOICE] = "by-rank or round-robin",
                                    [REPLAY_HOST_IS_RULES] = "calls or loggops"};

/* One key=value. What is refused names the range or the form that would do. */
int replay_host_set(struct replay_host_numbers *host, const char *key, const char *value,
                    struct base_error *error)
{
    static const struct base_names names = BASE_NAMES_OF_ROWS("host cost", rows, struct replay_host_row);
    size_t place = base_names_find(&names, key, SIZE_MAX, error);
    uint64_t number;

    if (place == names.count)
        return -1;
    const struct replay_host_row *row = &rows[place];
    if (parse_value(row, value, &number) == 0 && number <= row->most) {
        host->number[place] = number;
        return 0;
    }
    base_error_set(error, BASE_USAGE, "%s=%s: needs ", key, value);
    if (row->kind == REPLAY_HOST_IS_COUNT)
        base_error_append(error, "a whole number from 0 to %llu", (unsigned long long)row->most);
    else
        base_error_append(error, "%s", needs[row->kind]);
    return -1;
}

/* A cost that cannot be felt is a slip: the sentence says what it needs beside it. */
int replay_host_check(const struct replay_host_numbers *host, struct base_error *error)
{
    const uint64_t *number = host->number;

    if (number[REPLAY_HOST_COPIES] != 0 && number[REPLAY_HOST_BANDWIDTH] == 0)
        return base_error_set(
            error, BASE_USAGE,
            "memory-copies=%llu: copies take no time without memory-bandwidth, so that any "
            "number are made at a time; give memory-bandwidth=RATE, or leave memory-copies out",
            (unsigned long long)number[REPLAY_HOST_COPIES]);
    if (number[REPLAY_HOST_NICS] > 1 && number[REPLAY_HOST_GAP] == 0 && number[REPLAY_HOST_GAP_BYTE] == 0)
        return base_error_set(
            error, BASE_USAGE,
            "nics=%llu: network interfaces differ by their gaps alone; give nic-gap=TIME, or "
            "leave nics out (--injectors gives a terminal more injection queues)",
            (unsigned long long)number[REPLAY_HOST_NICS]);
    if (number[REPLAY_HOST_CHOICE] != 0 && number[REPLAY_HOST_NICS] < 2)
        return base_error_set(error, BASE_USAGE,
                              "nic-choice=round-robin: there is one network interface; give nics=N, or leave "
                              "nic-choice out");
    if (number[REPLAY_HOST_RULES] != 0 && number[REPLAY_HOST_ENTRY] != 0)
        return base_error_set(error, BASE_USAGE,
                              "match-per-entry: by rules=loggops a message is charged before its receive is "
                              "looked for; give match=TIME, or leave rules out");
    return 0;
}

/* One "key=value" of a list, which is cut where the next begins. -1: refused. */
static int parse_item(struct replay_host_numbers *host, char *item, bool *given, struct base_error *error)
{
    char *equals = strchr(item, '=');

    if (equals == NULL)
        return base_error_set(error, BASE_USAGE, "'%s' is not of the form key=value", item);
    *equals = '\0';
    for (size_t i = 0; i < REPLAY_HOST_KEYS; i++)
        if (strcmp(rows[i].name, item) == 0) {
            if (given[i])
                return base_error_set(error, BASE_USAGE, "%s is given twice", item);
            given[i] = true;
        }
    return replay_host_set(host, item, equals + 1, error);
}

/* The sentence begins with all that was typed, as those of other lists do. */
int replay_host_parse(struct replay_host_numbers *host, const char *text, struct base_error *error)
{
    struct base_arena arena = {0};
    bool given[REPLAY_HOST_KEYS] = {false};
    char *copy = base_arena_text(&arena, text);
    char *next;
    int status = copy == NULL ? base_error_memory(error, "the host") : 0;
    struct base_error why = {0};

    *host = (struct replay_host_numbers){{0}};
    for (char *item = copy; status == 0 && item != NULL; item = next) {
        next = strchr(item, ',');
        if (next != NULL)
            *next++ = '\0';
        status = parse_item(host, item, given, &why);
    }
    if (copy != NULL && status == 0)
        status = replay_host_check(host, &why);
    if (copy != NULL && status != 0)
        base_error_set(error, BASE_USAGE, "--host %s: %s", text, why.text);
    base_arena_free(&arena);
    return status;
}

/* Growing text in the arena: lists are short. */
const char *replay_host_format(const struct replay_host_numbers *host, struct base_arena *arena)
{
    const char *list = "";

    for (size_t i = 0; list != NULL && i < REPLAY_HOST_KEYS; i++) {
        char text[BASE_UNITS_TEXT];
        const char *value;
        if (host->number[i] == 0 || (i == REPLAY_HOST_NICS && host->number[i] == 1))
            continue;
        value = format_value(&rows[i], host->number[i], text, arena);
        list = value == NULL ? NULL
                             : base_arena_format(arena, "%s%s%s=%s", list, *list == '\0' ? "" : ",",
                                                 rows[i].name, value);
    }
    return list != NULL && *list == '\0' ? "none" : list;
}
