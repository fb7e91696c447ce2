/* Errors as sentences. Every text is made in a buffer of its own first, so that the arguments of a call may
 * point into the text that the call replaces. */
#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define ROOM (BASE_ERROR_TEXT - 1)

/* -1 is "unknown" in every number: 0 is a rank, an event and a byte. */
struct base_position base_position_of(const char *source)
{
    struct base_position position = {
        .source = source, .line = -1, .column = -1, .rank = -1, .event = -1, .offset = -1};
    return position;
}

/* Replaces the end of a full text by dots, from the start of a UTF-8 character on. The text stays full, which
 * is how a later append sees that nothing may follow. */
static void mark_cut(char text[BASE_ERROR_TEXT])
{
    size_t cut = ROOM - 3;
    size_t earliest = cut - 3;
    while (cut > earliest && ((unsigned char)text[cut] & 0xc0) == 0x80)
        cut--;
    memset(text + cut, '.', ROOM - cut);
    text[ROOM] = '\0';
}

/* Adds to the text of *used bytes what the format gives. */
static void put(char text[BASE_ERROR_TEXT], size_t *used, const char *format, va_list arguments)
{
    size_t room = BASE_ERROR_TEXT - *used;
    int length = vsnprintf(text + *used, room, format, arguments);
    if (length < 0) {
        text[*used] = '\0';
    } else if ((size_t)length >= room) {
        mark_cut(text);
        *used = ROOM;
    } else {
        *used += (size_t)length;
    }
}

/* put for a caller that has the arguments themselves. */
__attribute__((format(printf, 3, 4))) static void put_format(char text[BASE_ERROR_TEXT], size_t *used,
                                                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(text, used, format, arguments);
    va_end(arguments);
}

/* "source: line 3, rank 5: ", of what is known. */
static void put_position(char text[BASE_ERROR_TEXT], size_t *used, const struct base_position *position)
{
    const struct {
        const char *name;
        int64_t number;
    } parts[] = {{"line", position->line},
                 {"column", position->column},
                 {"rank", position->rank},
                 {"event", position->event},
                 {"byte", position->offset}};
    const char *separator = "";

    if (position->source != NULL)
        put_format(text, used, "%s: ", position->source);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].number < 0)
            continue;
        put_format(text, used, "%s%s %lld", separator, parts[i].name, (long long)parts[i].number);
        separator = ", ";
    }
    if (*separator != '\0')
        put_format(text, used, ": ");
}

/* The last step of every function here: the finished text replaces what *error held. */
static int finish(struct base_error *error, enum base_status status, const char text[BASE_ERROR_TEXT],
                  size_t used)
{
    error->status = status;
    memcpy(error->text, text, used + 1);
    return -1;
}

/* No caller checks whether an error is wanted: NULL is enough to ask for the status alone. */
int base_error_set(struct base_error *error, enum base_status status, const char *format, ...)
{
    char text[BASE_ERROR_TEXT] = "";
    size_t used = 0;
    va_list arguments;

    if (error == NULL)
        return -1;
    va_start(arguments, format);
    put(text, &used, format, arguments);
    va_end(arguments);
    return finish(error, status, text, used);
}

/* The position comes first in the sentence, as compilers write it, so that editors can jump there. */
int base_error_at(struct base_error *error, enum base_status status, const struct base_position *position,
                  const char *format, ...)
{
    char text[BASE_ERROR_TEXT] = "";
    size_t used = 0;
    va_list arguments;

    if (error == NULL)
        return -1;
    if (position != NULL)
        put_position(text, &used, position);
    va_start(arguments, format);
    put(text, &used, format, arguments);
    va_end(arguments);
    return finish(error, status, text, used);
}

/* The text is short and needs no allocation, which would fail as well. */
int base_error_memory(struct base_error *error, const char *what)
{
    return base_error_set(error, BASE_SYSTEM, "not enough memory for %s", what);
}

/* Which numbers say that what the user named is not there, or is something else. */
static enum base_status status_of(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case ELOOP:
    case ENAMETOOLONG:
        return BASE_INPUT;
    default:
        return BASE_SYSTEM;
    }
}

/* What the user can mend in the input is BASE_INPUT; what the machine lacks is BASE_SYSTEM. */
int base_error_system(struct base_error *error, int number, const char *format, ...)
{
    char text[BASE_ERROR_TEXT] = "";
    size_t used = 0;
    va_list arguments;

    if (error == NULL)
        return -1;
    va_start(arguments, format);
    put(text, &used, format, arguments);
    va_end(arguments);
    put_format(text, &used, ": %s", strerror(number));
    return finish(error, status_of(number), text, used);
}

/* Through a copy, since the text that is appended to is also where the result goes, cut and ended like any
 * other. */
void base_error_append(struct base_error *error, const char *format, ...)
{
    char text[BASE_ERROR_TEXT];
    size_t used;
    va_list arguments;

    if (error == NULL)
        return;
    used = strlen(error->text);
    memcpy(text, error->text, used + 1);
    va_start(arguments, format);
    put(text, &used, format, arguments);
    va_end(arguments);
    finish(error, error->status, text, used);
}
