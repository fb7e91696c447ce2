/* The Damerau-Levenshtein distance with adjacent transpositions, unrestricted (R. Lowrance, R. A. Wagner, "An
 * extension of the string-to-string correction problem", JACM 22, 1975): a metric, unlike the simpler variant
 * that forbids to edit a transposed pair again. */
#include "base/names.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 64 /* bytes that are compared */
#define QUOTED 80  /* bytes of a wrong name in the sentence */

/* Letters are folded by hand: the locale must not decide which kind a user meant. */
static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* The part of a text that is compared: a bound on time and stack, whatever a user pastes. */
static size_t length_of(const char *text)
{
    size_t length = 0;
    while (length < LONGEST && text[length] != '\0')
        length++;
    return length;
}

/* Of two, as C has none. */
static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* cost[i + 1][j + 1] is the distance between the first i bytes of a and the first j of b; row and column 0
 * hold a number larger than any distance, which rules out a transposition with a letter that has not
 * occurred. Time and stack in proportion to the product of the two lengths, at most 64 x 64. */
static unsigned distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
    unsigned cost[LONGEST + 2][LONGEST + 2];
    size_t last_row[256] = {0}; /* the last i where this letter occurred in a, or 0 */
    unsigned never = (unsigned)(length_a + length_b);

    for (size_t i = 0; i <= length_a + 1; i++) {
        cost[i][0] = never;
        cost[i][1] = i == 0 ? never : (unsigned)i - 1;
    }
    for (size_t j = 1; j <= length_b + 1; j++) {
        cost[0][j] = never;
        cost[1][j] = (unsigned)j - 1;
    }
    for (size_t i = 1; i <= length_a; i++) {
        size_t last_column = 0; /* the last j in this row where the letters were equal, or 0 */
        for (size_t j = 1; j <= length_b; j++) {
            size_t k = last_row[fold(b[j - 1])], l = last_column;
            unsigned differs = fold(a[i - 1]) != fold(b[j - 1]);
            unsigned edited = least(cost[i][j] + differs, least(cost[i + 1][j], cost[i][j + 1]) + 1);
            unsigned swapped = cost[k][l] + (unsigned)(i - k - 1) + 1 + (unsigned)(j - l - 1);
            cost[i + 1][j + 1] = least(edited, swapped);
            if (!differs)
                last_column = j;
        }
        last_row[fold(a[i - 1])] = i;
    }
    return cost[length_a + 1][length_b + 1];
}

/* For tests of the metric; the program itself looks for the nearest. */
unsigned base_names_distance(const char *a, const char *b)
{
    return distance(a, length_of(a), b, length_of(b));
}

/* Rows are read by copies of bytes: the table is of any type, and a cast to a pointer to const char * would break
 * the rules of aliasing. */
static const char *name_at(const struct base_names *names, size_t row)
{
    const char *at = (const char *)names->rows + row * names->size;
    const char *name;

    if (names->has_pointers) { /* the row is the address of the descriptor */
        const char *descriptor;
        memcpy(&descriptor, at, sizeof descriptor);
        at = descriptor;
    }
    memcpy(&name, at + names->place, sizeof name);
    return name;
}

/* The first name that goes on where the text ends: what began right needs no counting of mistakes. NULL: none, or the
 * text is too short to tell. */
static const char *name_begun(const struct base_names *names, const char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; length >= 3 && i < names->count; i++)
        if (strncmp(name_at(names, i), text, length) == 0)
            return name_at(names, i);
    return NULL;
}

/* The limit is the first "smallest distance so far", one above the largest that still gives a suggestion. */
const char *base_names_nearest(const struct base_names *names, const char *text)
{
    unsigned smallest = (unsigned)(length_of(text) + 1) / 2 + 1;
    const char *nearest = name_begun(names, text);

    if (nearest != NULL)
        return nearest;
    for (size_t i = 0; i < names->count; i++) {
        unsigned candidate = base_names_distance(text, name_at(names, i));
        if (candidate < smallest) {
            smallest = candidate;
            nearest = name_at(names, i);
        }
    }
    return nearest;
}

/* Something must be in the error already: this only adds to it. */
bool base_names_suggest(const struct base_names *names, const char *text, struct base_error *error)
{
    const char *nearest = base_names_nearest(names, text);

    if (nearest != NULL)
        base_error_append(error, "; did you mean '%s'?", nearest);
    return nearest != NULL;
}

/* The list is short enough to be always there; the suggestion only when one is near. What is quoted is cut, for it may
 * be anything that a user types. */
int base_names_refuse(const struct base_names *names, const char *text, size_t length,
                      struct base_error *error)
{
    char quoted[QUOTED + 1];
    bool suggested;

    snprintf(quoted, sizeof quoted, "%.*s", (int)(length < QUOTED ? length : QUOTED), text);
    base_error_set(error, BASE_USAGE, "unknown %s '%s'", names->what, quoted);
    suggested = base_names_suggest(names, quoted, error);
    base_error_append(error, "%s known: ", suggested ? "" : ";");
    for (size_t i = 0; i < names->count; i++)
        base_error_append(error, "%s%s", i > 0 ? ", " : "", name_at(names, i));
    return -1;
}

/* Lists are short, and looked at in the order in which they are shown. */
size_t base_names_find(const struct base_names *names, const char *text, size_t length,
                       struct base_error *error)
{
    size_t end = strlen(text);

    if (length < end)
        end = length;
    for (size_t i = 0; i < names->count; i++)
        if (strlen(name_at(names, i)) == end && strncmp(name_at(names, i), text, end) == 0)
            return i;
    base_names_refuse(names, text, end, error);
    return names->count;
}
