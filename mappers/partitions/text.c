/* What the text of a partition says beside its allocator: whether the job's packets stay inside.
 *
 *      hilbert,confined,fit=first     ─►  hilbert,fit=first   and MAP_CONFINED
 *      file:part.txt,confined=no      ─►  file:part.txt       and MAP_UNCONFINED
 *      square                         ─►  square              and MAP_UNSAID
 *
 * All allocators have this word, and none of them has to know it: where packets go is not their matter. */
#include "mappers/partitions/partition.h"

#include <stdbool.h>
#include <string.h>

#define WORD "confined"
#define WORD_LENGTH (sizeof WORD - 1)

/* Whether a piece of so many characters is the word, with or without a value. */
static bool is_word(const char *piece, size_t length)
{
    return length >= WORD_LENGTH && strncmp(piece, WORD, WORD_LENGTH) == 0 &&
           (length == WORD_LENGTH || piece[WORD_LENGTH] == '=');
}

/* Alone it means yes. -1: said before, or a value that is neither yes nor no. */
static int read_word(const char *text, const char *piece, size_t length, enum map_confinement *confinement,
                     struct base_error *error)
{
    const char *value = piece + WORD_LENGTH + 1;
    size_t rest = length == WORD_LENGTH ? 0 : length - WORD_LENGTH - 1;

    if (*confinement != MAP_UNSAID)
        return base_error_set(error, BASE_USAGE, "partition '%.80s': %s is given twice", text, WORD);
    if (length == WORD_LENGTH || (rest == 3 && strncmp(value, "yes", rest) == 0))
        *confinement = MAP_CONFINED;
    else if (rest == 2 && strncmp(value, "no", rest) == 0)
        *confinement = MAP_UNCONFINED;
    else
        return base_error_set(error, BASE_USAGE, "partition '%.80s': %s is yes or no, not '%.*s'", text, WORD,
                              (int)rest, value);
    return 0;
}

/* One piece between commas: the word is taken out, all else is kept. A mistyped word is told here, where it
 * can be told what there is; parameters with a value are the allocator's own matter. */
static int take_piece(const char *text, const char *piece, size_t length, char **end,
                      enum map_confinement *confinement, struct base_error *error)
{
    if (is_word(piece, length))
        return read_word(text, piece, length, confinement, error);
    if (memchr(piece, '=', length) == NULL)
        return base_error_set(error, BASE_USAGE,
                              "partition '%.80s': '%.*s' is neither a parameter of the form key=value nor %s",
                              text, (int)length, piece, WORD);
    *(*end)++ = ',';
    memcpy(*end, piece, length);
    *end += length;
    return 0;
}

/* The argument may be a path with commas, so only its end is looked at. */
static int take_last(const char *text, char *rest, enum map_confinement *confinement,
                     struct base_error *error)
{
    char *comma = strrchr(rest, ',');

    if (comma == NULL || !is_word(comma + 1, strlen(comma + 1)))
        return 0;
    *comma = '\0';
    return read_word(text, comma + 1, strlen(comma + 1), confinement, error);
}

/* The rest is never longer than the text. Pieces that stay are moved forward in a copy, over the ones that are
 * taken out: `end` is where the next goes. */
char *map_partition_split(const char *text, enum map_confinement *confinement, struct base_arena *arena,
                          struct base_error *error)
{
    size_t name = strcspn(text, ":,");
    char *rest = base_arena_text(arena, text);
    char *end;
    int status = 0;

    *confinement = MAP_UNSAID;
    if (rest == NULL) {
        base_error_memory(error, "a partition");
        return NULL;
    }
    if (is_word(text, name)) {
        base_error_set(error, BASE_USAGE, "partition '%.80s': confined to what? row,%s, for example", text,
                       WORD);
        return NULL;
    }
    if (text[name] == ':')
        return take_last(text, rest, confinement, error) == 0 ? rest : NULL;
    end = rest + name;
    for (const char *comma = text + name; *comma == ',' && status == 0;) {
        size_t length = strcspn(comma + 1, ",");
        status = take_piece(text, comma + 1, length, &end, confinement, error);
        comma += 1 + length;
    }
    *end = '\0';
    return status == 0 ? rest : NULL;
}
