/* A placement from a file, as written by `flitreplay map`, by a machine's own tools, or by hand: file:PATH
 * in the format of its name's ending, our own text where that is none; file:FORMAT:PATH in that format
 * (mappers/formats/formats.def). */
#include <config.h>

#include <string.h>

#include "mappers/formats/map-file.h"

/* A format's name before a colon, or that of the path's ending: a path may have colons too. */
static const struct map_format *format_of(const char **path)
{
    const struct map_format *const *formats;
    size_t count;
    size_t length = strcspn(*path, ":");

    formats = map_formats(&count);
    for (size_t i = 0; i < count && (*path)[length] == ':'; i++)
        if (strlen(formats[i]->name) == length && strncmp(formats[i]->name, *path, length) == 0) {
            *path += length + 1;
            return formats[i];
        }
    return map_format_of_path(*path);
}

/* What is left of the argument when the format's name is taken off. */
static const char *path_of(const char *argument)
{
    format_of(&argument);
    return argument;
}

/* The reader does all the checking; its errors name line and column. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    const char *path = call->argument;

    return map_file_read(format_of(&path), call->file, call->problem, slot, error);
}

const struct map_mapper map_mapper_file = {
    .name = "file",
    .chance = BASE_EXACT,
    .summary = "read from a file of \"rank terminal\" lines, or another format: file:PATH, file:FORMAT:PATH",
    .argument = "PATH",
    .path_of = path_of,
    .map = map,
};
