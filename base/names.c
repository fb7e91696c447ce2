/* The Damerau-Levenshtein distance with adjacent transpositions, unrestricted (R. Lowrance, R. A. Wagner, "An
 * extension of the string-to-string correction problem", JACM 22, 1975): a metric, unlike the simpler variant
 * that forbids to edit a transposed pair again. */
#include "base/names.h"

#define LONGEST 64

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

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* cost[i + 1][j + 1] is the distance between the first i bytes of a and the first j of b; row and column 0
 * hold a number larger than any distance, which rules out a transposition with a letter that has not
 * occurred. */
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

unsigned base_names_distance(const char *a, const char *b)
{
    return distance(a, length_of(a), b, length_of(b));
}

/* The limit is the first "smallest distance so far", one above the largest that still gives a suggestion. */
const char *base_names_nearest(const char *text, const char *const *names, size_t count)
{
    unsigned smallest = (unsigned)(length_of(text) + 1) / 2 + 1;
    const char *nearest = NULL;

    for (size_t i = 0; i < count; i++) {
        unsigned candidate = base_names_distance(text, names[i]);
        if (candidate < smallest) {
            smallest = candidate;
            nearest = names[i];
        }
    }
    return nearest;
}
