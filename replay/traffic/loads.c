/* Loads are whole numbers of millionths from the text on. */
#include "replay/traffic/loads.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "netmodel/traffic/traffic.h"

#define DECIMALS 6

/* One sentence for every way to write loads wrongly. */
static int refuse_load(const char *text, struct base_error *error)
{
    return base_error_set(
        error, BASE_USAGE,
        "--load %s: needs loads from 0.000001 to 1000, in flits per cycle and terminal, as L1,L2,... "
        "or FIRST:LAST:STEP, at most %d of them",
        text, REPLAY_LOADS_MAX);
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
 * division is safe. */
static int parse_range(struct replay_loads *loads, char *copy)
{
    char *last = strchr(copy, ':'), *step = last != NULL ? strchr(last + 1, ':') : NULL;
    uint64_t from, to, by;

    if (last == NULL || step == NULL)
        return -1;
    *last = *step = '\0';
    if (parse_load(copy, &from) != 0 || parse_load(last + 1, &to) != 0 || parse_load(step + 1, &by) != 0 ||
        from > to || (to - from) / by >= REPLAY_LOADS_MAX)
        return -1;
    for (; from <= to; from += by)
        loads->load[loads->count++] = from;
    return 0;
}

/* For qsort. */
static int compare_loads(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Rising, as the report has them. The same load twice is a slip. Sorted, so that the answer does not depend on how
 * it was typed. */
static int parse_list(struct replay_loads *loads, char *copy)
{
    char *next = copy;

    while (next != NULL) {
        char *comma = strchr(next, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (loads->count == REPLAY_LOADS_MAX || parse_load(next, &loads->load[loads->count++]) != 0)
            return -1;
        next = comma;
    }
    qsort(loads->load, loads->count, sizeof *loads->load, compare_loads);
    for (size_t i = 1; i < loads->count; i++)
        if (loads->load[i] == loads->load[i - 1])
            return -1;
    return 0;
}

/* The text is cut up in a copy: the one of the settings is the user's, and is quoted when it is refused. A colon makes
 * it a range. */
int replay_loads_parse(struct replay_loads *loads, const char *text, struct base_error *error)
{
    char *copy = malloc(strlen(text) + 1);
    int status;

    loads->count = 0;
    if (copy == NULL)
        return base_error_memory(error, "the loads");
    strcpy(copy, text);
    status = strchr(text, ':') != NULL ? parse_range(loads, copy) : parse_list(loads, copy);
    free(copy);
    return status == 0 ? 0 : refuse_load(text, error);
}
