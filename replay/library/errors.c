/* Errors as objects. Inside, sentences call options as the command line does, with dashes; a caller of the library
 * has typed none, and is told names. */
#include <config.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "replay/library/internal.h"
#include "replay/options.h"

struct flr_error {
    enum flr_status status;
    char *text;  /* owned; or a constant, of the one error that takes no memory */
    char *typed; /* the same, with the dashes of options */
};

/* For when there is no memory for an error. Never freed. */
static const flr_error no_memory = {FLR_SYSTEM, (char *)(uintptr_t) "out of memory",
                                    (char *)(uintptr_t) "out of memory"};

/* Whether these letters are the name of an option. */
static bool is_option(const char *name, size_t length)
{
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const char *known = replay_option_row(option)->name;
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return true;
    }
    return false;
}

/* How an option is refused that there is not. */
#define UNKNOWN "unknown option "

/* Whether the text up to `end` ends in these words. */
static bool follows(const char *text, const char *end, const char *words)
{
    size_t length = strlen(words);

    return (size_t)(end - text) >= length && memcmp(end - length, words, length) == 0;
}

/* "--vcs 99: needs ..." becomes "vcs 99: needs ...". Other dashes stay: what is no option is somebody's text. */
static void drop_dashes(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0';) {
        size_t length = 0;
        if (from[0] == '-' && from[1] == '-' && (to == text || !isalnum((unsigned char)to[-1])))
            while (islower((unsigned char)from[2 + length]) || from[2 + length] == '-')
                length++;
        if (length > 0 && (is_option(from + 2, length) || follows(text, from, UNKNOWN)))
            from += 2;
        *to++ = *from++;
    }
    *to = '\0';
}

int replay_error_pass(const struct base_error *inner, flr_error **outer)
{
    flr_error *error;

    if (outer == NULL)
        return -1;
    error = malloc(sizeof *error);
    if (error != NULL)
        *error = (flr_error){(enum flr_status)inner->status, strdup(inner->text), strdup(inner->text)};
    if (error == NULL || error->text == NULL || error->typed == NULL) {
        flr_error_free(error);
        *outer = (flr_error *)(uintptr_t)&no_memory;
        return -1;
    }
    drop_dashes(error->text);
    *outer = error;
    return -1;
}

enum flr_status flr_error_status(const flr_error *error)
{
    return error->status;
}

const char *flr_error_text(const flr_error *error)
{
    return error->text;
}

const char *flr_error_typed(const flr_error *error)
{
    return error->typed;
}

void flr_error_free(flr_error *error)
{
    if (error == NULL || error == &no_memory)
        return;
    free(error->text);
    free(error->typed);
    free(error);
}
