/* A sentence has the file, the offset and the record in front, each where it is known (-1: not), and needs no
 * memory. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "traces/dumpitrace/error.h"

/* "path: byte 12, record 3: " as far as it is known. Returns the length; a long path is cut. */
static size_t write_place(struct dpt_error *error, const struct dumpi_place *place)
{
    size_t room = sizeof error->text;
    int length = snprintf(error->text, room, "%.600s: ", place->path);

    if (place->offset >= 0)
        length += snprintf(error->text + length, room - (size_t)length, "byte %" PRId64 "%s", place->offset,
                           place->record >= 0 ? ", " : ": ");
    if (place->record >= 0)
        length +=
            snprintf(error->text + length, room - (size_t)length, "record %" PRId64 ": ", place->record);
    return (size_t)length;
}

/* Fills in everything anew; `error` may be NULL, for callers that want to know only that something failed. Always
 * -1. */
int dumpi_error(struct dpt_error *error, enum dpt_status status, const struct dumpi_place *place,
                const char *format, ...)
{
    va_list arguments;
    size_t length;

    if (error == NULL)
        return -1;
    *error = (struct dpt_error){.status = status, .offset = place->offset, .record = place->record};
    length = write_place(error, place);
    va_start(arguments, format);
    vsnprintf(error->text + length, sizeof error->text - length, format, arguments);
    va_end(arguments);
    return -1;
}

/* What failed and why, with the errno kept for callers. Running out of memory is an error of its own kind. */
int dumpi_system_error(struct dpt_error *error, int number, const char *path, const char *what)
{
    const struct dumpi_place place = {path, -1, -1};

    if (number == ENOMEM)
        return dumpi_memory_error(error, path);
    dumpi_error(error, DPT_ERROR_SYSTEM, &place, "%s: %s", what, strerror(number));
    if (error != NULL)
        error->system_error = number;
    return -1;
}

/* Needs no memory itself. */
int dumpi_memory_error(struct dpt_error *error, const char *path)
{
    const struct dumpi_place place = {path, -1, -1};

    dumpi_error(error, DPT_ERROR_MEMORY, &place, "out of memory");
    if (error != NULL)
        error->system_error = ENOMEM;
    return -1;
}
