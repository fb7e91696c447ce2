/* The files that a subcommand writes.
 *
 * base_output does the hard part: a working file beside the target, renamed when it is whole. What is added
 * here is order: all targets are tried before the work begins, and ordinary ones are opened again only for
 * the moment of writing, so that SIGINT, which ends the program where it stands, finds no working file to
 * leave behind. */
#include <config.h>

#include "replay/system/files.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A place is kept for unwanted files as well, so that callers need not remember what was asked for. */
size_t replay_files_add(struct replay_files *files, const char *path)
{
    assert(files->count < REPLAY_FILES_MAX);
    files->file[files->count].path = path;
    return files->count++;
}

/* The name that cli programs give it; a file of that name is ./- instead. */
static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* The one name of a file that may not exist yet: its directory's true path and its own name. NULL: no such
 * directory (the opening will say so), or no memory. */
static char *true_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash == NULL ? path : slash + 1;
    char *found = realpath(path, NULL);
    char *directory, *copy;
    size_t room;

    if (found != NULL)
        return found;
    copy = slash == NULL ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
    directory = copy == NULL ? NULL : realpath(copy, NULL);
    free(copy);
    room = directory == NULL ? 0 : strlen(directory) + strlen(name) + 2;
    if (directory != NULL)
        found = malloc(room);
    if (found != NULL)
        snprintf(found, room, "%s/%s", directory, name);
    free(directory);
    return found;
}

/* /dev/null may take any number of results. */
bool replay_files_are_same(const char *a, const char *b)
{
    char *true_a, *true_b;
    bool same;

    if (is_standard_output(a) || is_standard_output(b))
        return is_standard_output(a) && is_standard_output(b);
    true_a = true_path(a);
    true_b = true_path(b);
    same =
        true_a != NULL && true_b != NULL && strcmp(true_a, true_b) == 0 && strcmp(true_a, "/dev/null") != 0;
    free(true_a);
    free(true_b);
    return same;
}

/* Before anything is opened: opening may already replace what is there. */
static int check_different(const struct replay_files *files, size_t place, const char *input,
                           struct base_error *error)
{
    const char *path = files->file[place].path;

    if (input != NULL && !is_standard_output(path) && replay_files_are_same(path, input))
        return base_error_set(error, BASE_USAGE, "%s is the input, so it cannot be an output", path);
    for (size_t i = 0; i < place; i++)
        if (files->file[i].path != NULL && replay_files_are_same(files->file[i].path, path))
            return base_error_set(error, BASE_USAGE, "two results cannot be written to the same place: %s",
                                  is_standard_output(path) ? "standard output" : path);
    return 0;
}

/* Opens the file to see that it can be. What base_output would rename into place is closed again: it comes
 * later. */
static int probe(struct replay_file *file, struct base_error *error)
{
    if (base_output_open(&file->output, file->path, error) != 0)
        return -1;
    file->is_open = file->output.working == NULL;
    if (!file->is_open)
        base_output_discard(&file->output);
    return 0;
}

/* All or none: a subcommand that starts its work can write all of its results. */
int replay_files_open(struct replay_files *files, const char *input, struct base_error *error)
{
    for (size_t i = 0; i < files->count; i++) {
        if (files->file[i].path == NULL)
            continue;
        if (check_different(files, i, input, error) != 0 || probe(&files->file[i], error) != 0) {
            replay_files_discard(files);
            return -1;
        }
    }
    return 0;
}

/* Files that were only tried are closed already, and have left nothing. */
void replay_files_discard(struct replay_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        if (files->file[i].is_open)
            base_output_discard(&files->file[i].output);
        files->file[i].is_open = false;
    }
}

/* Closes the output whether the writer succeeded or not. A writer knows its stream; the reader of its error
 * wants to know the file. */
static int write_output(struct base_output *output, const char *path, replay_writer *writer,
                        const void *content, struct base_error *error)
{
    if (writer(content, output->stream, error) != 0) {
        base_output_discard(output);
        return base_error_set(error, error->status, "%s: %s",
                              is_standard_output(path) ? "standard output" : path, error->text);
    }
    return base_output_commit(output, error);
}

/* The second opening may fail where the first did not, if the directory went away meanwhile: then the work
 * is lost, and the error says so. */
int replay_files_write(struct replay_files *files, size_t place, replay_writer *writer, const void *content,
                       struct base_error *error)
{
    struct replay_file *file = &files->file[place];

    if (file->path == NULL)
        return 0;
    if (!file->is_open && base_output_open(&file->output, file->path, error) != 0)
        return -1;
    file->is_open = false; /* closed by what follows, well or not */
    return write_output(&file->output, file->path, writer, content, error);
}

/* Standard output holds one document: either the report, or the one file that was sent there. */
int replay_files_print(const struct replay_files *files, bool quiet, replay_writer *writer,
                       const void *content, struct base_error *error)
{
    struct base_output output;

    for (size_t i = 0; i < files->count; i++)
        quiet |= files->file[i].path != NULL && is_standard_output(files->file[i].path);
    if (quiet)
        return 0;
    if (base_output_open(&output, "-", error) != 0)
        return -1;
    return write_output(&output, "-", writer, content, error);
}
