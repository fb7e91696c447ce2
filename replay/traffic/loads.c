/* Loads are whole numbers of millionths from the text on. */
#include "replay/traffic/loads.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "netmodel/traffic/traffic.h"

#define DECIMALS 6
#define TEXT_OF(number) #number
#define NUMBER_TEXT(number) TEXT_OF(number)

static const char not_a_load[] = "is not a load";
static const char too_many[] = "more than " NUMBER_TEXT(REPLAY_LOADS_MAX) " loads";

/* What is wrong first, with the entry that is, then what would work. Returns -1. */
static int refuse(const char *text, const char *entry, const char *why, struct base_error *error)
{
    base_error_set(error, BASE_USAGE, "--load %s: ", text);
    if (entry != NULL && *entry != '\0')
        base_error_append(error, "'%.40s' %s", entry, why);
    else
        base_error_append(error, "%s", entry != NULL ? "an entry is empty" : why);
    base_error_append(error, "; loads are flits per cycle and terminal, 0.000001 to 1000, as L1,L2,... or "
                             "FIRST:LAST:STEP");
    return -1;
}

/* 1000 flits a cycle are more than any terminal has injectors for. Millionths are whole numbers, so that
 * 0.1:0.5:0.1 has five points: no sum of binary fractions passes the end or misses it. */
static int parse_load(const char *text, uint64_t *load)
{
    return base_parse_decimal(text, DECIMALS, load) == 0 && *load >= 1 && *load <= 1000 * NET_LOAD_ONE ? 0
                                                                                                       : -1;
}

/* FIRST:LAST:STEP, both ends included; the copy is cut in place. LAST is a point only where whole steps lead
 * to it. The number of points is checked before the first is stored; a step is at least a millionth, so the
 * division is safe. NULL, or what is wrong, also with which entry. */
static const char *parse_range(struct replay_loads *loads, char *copy, const char **entry)
{
    char *last = strchr(copy, ':'), *step = last != NULL ? strchr(last + 1, ':') : NULL;
    uint64_t from, to, by;

    if (step == NULL)
        return "a range needs a step";
    *last = *step = '\0';
    if (parse_load(*entry = copy, &from) != 0 || parse_load(*entry = last + 1, &to) != 0 ||
        parse_load(*entry = step + 1, &by) != 0)
        return not_a_load;
    *entry = NULL;
    if (from > to)
        return "the range ends before it begins";
    if ((to - from) / by >= REPLAY_LOADS_MAX)
        return too_many;
    for (; from <= to; from += by)
        loads->load[loads->count++] = from;
    return NULL;
}

/* For qsort. */
static int compare_loads(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Rising, as the report has them. The same load twice is a slip. Sorted, so that the answer does not depend on how
 * it was typed. NULL, or what is wrong, also with which entry. */
static const char *parse_list(struct replay_loads *loads, char *copy, const char **entry)
{
    char *next = copy;

    while (next != NULL) {
        char *comma = strchr(next, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (loads->count == REPLAY_LOADS_MAX)
            return too_many;
        if (parse_load(*entry = next, &loads->load[loads->count++]) != 0)
            return not_a_load;
        next = comma;
    }
    *entry = NULL;
    qsort(loads->load, loads->count, sizeof *loads->load, compare_loads);
    for (size_t i = 1; i < loads->count; i++)
        if (loads->load[i] == loads->load[i - 1])
            return "a load is given twice";
    return NULL;
}

/* The text is cut up in a copy: the one of the settings is the user's, and is quoted when it is refused. A colon makes
 * it a range. */
int replay_loads_parse(struct replay_loads *loads, const char *text, struct base_error *error)
{
    char *copy = malloc(strlen(text) + 1);
    const char *entry = NULL;
    const char *why;
    int status = 0;

    loads->count = 0;
    if (copy == NULL)
        return base_error_memory(error, "the loads");
    strcpy(copy, text);
    why = strchr(text, ':') != NULL ? parse_range(loads, copy, &entry) : parse_list(loads, copy, &entry);
    if (why != NULL)
        status = refuse(text, entry, why, error);
    free(copy);
    return status;
}
