/* Names that users type: the nearest match for a wrong one. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>

/* The name among count names with the smallest Damerau-Levenshtein distance to text, case ignored, the first
 * of equals; NULL when the distance exceeds half of text's length (rounded up), so that nonsense gets no
 * suggestion. The result is one of names: borrowed, like them. */
const char *base_names_nearest(const char *text, const char *const *names, size_t count);
/* The same distance, case ignored as well; texts longer than 64 bytes are compared by their first 64. */
unsigned base_names_distance(const char *a, const char *b);

#endif
