/* Names that users type: looked up among those that there are, and refused with the nearest match.
 *
 *     static const struct base_names names = BASE_NAMES("routing", kinds, struct net_routing_kind);
 *     size_t place = base_names_find(&names, text, strcspn(text, ","), error);
 *
 *     return place == names.count ? NULL : kinds[place];
 *
 * The sentence is the same for all: "unknown routing 'dimension-ordr'; did you mean 'dimension-order'? known: ...". */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* What has names: rows that are structs with a name, pointers to such structs, or bare names. All is borrowed. */
struct base_names {
    const char *what; /* one of them, as an error calls it: "routing" */
    const void *rows;
    size_t count, size; /* of the rows; bytes of one */
    bool has_pointers;  /* each row is a pointer to its struct */
    size_t place;       /* bytes of the struct before its name, a const char * */
};

/* Of an array of pointers to descriptors; of an array of structs; and of `number` names. `type` has a member `name`. */
#define BASE_NAMES(what, array, type)                                                                        \
    {                                                                                                        \
        what, array, sizeof(array) / sizeof *(array), sizeof *(array), true, offsetof(type, name)            \
    }
#define BASE_NAMES_OF_ROWS(what, array, type)                                                                \
    {                                                                                                        \
        what, array, sizeof(array) / sizeof *(array), sizeof *(array), false, offsetof(type, name)           \
    }
#define BASE_NAMES_OF_TEXTS(what, array, number)                                                             \
    {                                                                                                        \
        what, array, number, sizeof *(array), false, 0                                                       \
    }

/* The row whose name is the first `length` bytes of text, or all of a shorter one: SIZE_MAX takes it whole. The number
 * of rows, and an error (BASE_USAGE) with the nearest name and the list, when none is called so. */
size_t base_names_find(const struct base_names *names, const char *text, size_t length,
                       struct base_error *error);
/* That error alone, for who has looked the name up. Returns -1. */
int base_names_refuse(const struct base_names *names, const char *text, size_t length,
                      struct base_error *error);
/* Appends "; did you mean 'NAME'?" when one is near. True when it was. */
bool base_names_suggest(const struct base_names *names, const char *text, struct base_error *error);

/* The name with the smallest Damerau-Levenshtein distance to text, case ignored, the first of equals; NULL when the
 * distance exceeds half of text's length (rounded up), so that nonsense gets no suggestion. Borrowed. */
const char *base_names_nearest(const struct base_names *names, const char *text);
/* The same distance, case ignored as well; texts longer than 64 bytes are compared by their first 64. */
unsigned base_names_distance(const char *a, const char *b);

#endif
