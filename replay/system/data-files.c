/* Where installed files are. The program's own place is known from /proc; where there is none, the
 * configured place is all. */
#include <config.h>

#include "replay/system/data-directory.h"
#include "replay/system/data-files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The directory of the program that runs, of libtool's .libs the one above; "" where it is not known. */
static void find_program(char directory[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", directory, PATH_MAX - 1);
    char *slash;

    directory[length > 0 ? length : 0] = '\0';
    slash = strrchr(directory, '/');
    if (slash != NULL)
        *slash = '\0';
    slash = strrchr(directory, '/');
    if (slash != NULL && strcmp(slash, "/.libs") == 0)
        *slash = '\0';
}

/* FLITREPLAY_DATA says where, for a library whose program is somebody else's, and before it is installed. */
static const char *told_file(struct base_arena *arena, const char *name)
{
    const char *directory = getenv("FLITREPLAY_DATA");
    const char *path =
        directory == NULL || *directory == '\0' ? NULL : base_arena_format(arena, "%s/%s", directory, name);

    return path != NULL && access(path, R_OK) == 0 ? path : NULL;
}

/* Where the user says; beside the program, so that one that was built and not installed finds its own files; then
 * where it was configured to be installed; then relative to where it is, for a tree that was moved as a whole. When
 * there is none, the configured path is what an error names. */
const char *replay_data_file(struct base_arena *arena, const char *name)
{
    char directory[PATH_MAX];
    const char *configured = base_arena_format(arena, "%s/%s", REPLAY_DATA_DIRECTORY, name);
    const char *path = told_file(arena, name);

    if (path != NULL)
        return path;
    find_program(directory);
    if (configured == NULL || directory[0] == '\0')
        return configured;
    path = base_arena_format(arena, "%s/%s", directory, name);
    if (path == NULL || access(path, R_OK) == 0)
        return path;
    if (access(configured, R_OK) == 0)
        return configured;
    path = base_arena_format(arena, "%s/../share/flitreplay/%s", directory, name);
    return path == NULL || access(path, R_OK) == 0 ? path : configured;
}
