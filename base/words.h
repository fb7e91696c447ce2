/* The words of a line of a text that people write: what stands between blanks, up to a '#', which begins a comment.
 * Each remembers its column, so that an error can point at it. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>

struct base_word {
    char *text; /* within the line */
    int64_t column;
};

/* Cuts the line, in place, into at most `most` words. Returns their number; most + 1: there are more, and the first
 * `most` are there. */
static inline size_t base_words_split(char *line, struct base_word *words, size_t most)
{
    size_t count = 0;
    for (char *next = line; *next != '\0' && *next != '#';) {
        if (isspace((unsigned char)*next)) {
            *next++ = '\0';
            continue;
        }
        if (count == most)
            return most + 1;
        words[count++] = (struct base_word){next, next - line + 1};
        while (*next != '\0' && *next != '#' && !isspace((unsigned char)*next))
            next++;
        if (*next == '#')
            *next = '\0';
    }
    return count;
}

#endif
