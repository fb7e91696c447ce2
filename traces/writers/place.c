/* Files that appear together or not at all. They are written in a directory of their own beside the target,
 * on the same file system, so that the moves at the end are renames:
 *
 *      runs/.flitreplay-4711-a1B2c3/cg.otf2  cg.def  cg/0.evt …      while writing
 *      runs/cg/  runs/cg.def  runs/cg.otf2                      in this order, when all is complete
 *
 * A reader that looks for the anchor finds it when everything else is there. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/output.h"
#include "traces/writers/internal.h"

/* Two texts and what stands between them, allocated; NULL when memory is out. */
static char *join(const char *left, const char *between, const char *right)
{
    size_t size = strlen(left) + strlen(between) + strlen(right) + 1;
    char *text = malloc(size);

    if (text != NULL)
        snprintf(text, size, "%s%s%s", left, between, right);
    return text;
}

/* "runs/cg.otf2" is the directory "runs" and the stem "cg". */
static int split_path(struct trace_place *place, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t length = strlen(name), ending = strlen(place->suffix);

    if (length > ending && strcmp(name + length - ending, place->suffix) == 0)
        length -= ending;
    place->stem = strndup(name, length);
    if (slash == NULL)
        place->directory = strdup(".");
    else
        place->directory = slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
    return place->stem == NULL || place->directory == NULL ? -1 : 0;
}

/* Also a dangling link is something that is there. */
static bool exists(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Traces take hours to record: none is ever written over. */
static int refuse_existing(const char *path, struct base_error *error)
{
    if (!exists(path))
        return 0;
    return base_error_set(error, BASE_USAGE, "%s: exists already; it is not overwritten", path);
}

/* Looks for the main file now, so that nobody waits for a long trace to be refused at its end. */
static int check_target(const struct trace_place *place, struct base_error *error)
{
    char *name = join(place->stem, "", place->suffix);
    char *target = name == NULL ? NULL : join(place->directory, "/", name);
    int result =
        target == NULL ? base_error_memory(error, "the name of a file") : refuse_existing(target, error);

    free(name);
    free(target);
    return result;
}

/* Beside the target, since a rename does not cross file systems. Not being able to write there is no
 * fault of the input, whatever errno says. */
static int make_working(struct trace_place *place, struct base_error *error)
{
    char name[64];

    snprintf(name, sizeof name, BASE_OUTPUT_WORKING "XXXXXX", (long)getpid());
    place->working = join(place->directory, "/", name);
    if (place->working == NULL)
        return base_error_memory(error, "the name of a directory");
    if (mkdtemp(place->working) != NULL) {
        place->descriptor = open(place->working, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return 0;
    }
    base_error_system(error, errno, "a directory cannot be made in %s", place->directory);
    if (error != NULL)
        error->status = BASE_SYSTEM;
    free(place->working);
    place->working = NULL;
    return -1;
}

/* The target is looked at before a directory is made, so that a refusal leaves no trace of itself. */
int trace_place_open(struct trace_place *place, const char *path, const char *suffix,
                     struct base_error *error)
{
    *place = (struct trace_place){.suffix = suffix};
    if (split_path(place, path) != 0)
        return base_error_memory(error, "the name of a file");
    if (place->stem[0] == '\0')
        return base_error_set(error, BASE_USAGE, "%s: a directory; the name of a file is needed", path);
    if (check_target(place, error) != 0)
        return -1;
    return make_working(place, error);
}

/* For files that a format names by the stem and an ending. */
char *trace_place_path(const struct trace_place *place, const char *ending, struct base_error *error)
{
    char *stem = join(place->stem, "", ending);
    char *path = stem == NULL ? NULL : join(place->working, "/", stem);

    free(stem);
    if (path == NULL)
        base_error_memory(error, "the name of a file");
    return path;
}

/* The names in the working directory. */
struct names {
    char **all;             /* owned */
    size_t count, capacity; /* of names */
};

/* Also a list that is short of memory. */
static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->all[i]);
    free(names->all);
}

/* The list is as long as the trace has files: some bytes a rank. */
static int add_name(struct names *names, const char *name)
{
    if (base_grow(&names->all, &names->capacity, names->count + 1, sizeof *names->all) != 0)
        return -1;
    names->all[names->count] = strdup(name);
    return names->all[names->count] == NULL ? -1 : (names->count++, 0);
}

/* The main file becomes the last. */
static int list_names(const struct trace_place *place, struct names *names, struct base_error *error)
{
    DIR *entries = opendir(place->working);
    const struct dirent *entry;
    size_t stem = strlen(place->stem);
    int result = 0;

    if (entries == NULL)
        return base_error_system(error, errno, "%s", place->working);
    while (result == 0 && (entry = readdir(entries)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            result = add_name(names, entry->d_name);
    closedir(entries);
    for (size_t i = 0; i + 1 < names->count; i++) {
        char *name = names->all[i];
        if (strncmp(name, place->stem, stem) != 0 || strcmp(name + stem, place->suffix) != 0)
            continue;
        names->all[i] = names->all[names->count - 1];
        names->all[names->count - 1] = name;
    }
    return result != 0 ? base_error_memory(error, "the names of files") : 0;
}

/* Checks (move is false) or moves one of them. */
static int move_name(const struct trace_place *place, const char *name, bool move, struct base_error *error)
{
    char *from = join(place->working, "/", name), *to = join(place->directory, "/", name);
    int result = from == NULL || to == NULL ? base_error_memory(error, "the name of a file")
                                            : refuse_existing(to, error);

    if (result == 0 && move && rename(from, to) != 0)
        result = base_error_system(error, errno, "%s", to);
    free(from);
    free(to);
    return result;
}

/* Removes what was moved. When memory is out even for the names, nothing more can be done. */
static void take_back(const struct trace_place *place, const struct names *names, size_t moved)
{
    for (size_t i = 0; i < moved; i++) {
        char *path = join(place->directory, "/", names->all[i]);
        if (path != NULL)
            base_output_remove_tree(path);
        free(path);
    }
}

/* What the file holds has to be on the disk before its name is; a directory's names likewise (OTF2's of the ranks). */
static int sync_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    int number = descriptor < 0 ? errno : base_output_sync(descriptor);

    (void)status, (void)kind, (void)place;
    if (descriptor >= 0)
        close(descriptor);
    return number;
}

/* Before the rename, so that no crash leaves a name whose content is not on the disk. */
static int sync_working(const struct trace_place *place, struct base_error *error)
{
    int number = nftw(place->working, sync_entry, 8, FTW_DEPTH | FTW_PHYS);

    return number == 0 ? 0 : base_error_system(error, number < 0 ? errno : number, "%s", place->working);
}

/* All targets are looked at before the first is moved: a half-moved trace is the exception. */
int trace_place_finish(struct trace_place *place, struct base_error *error)
{
    struct names names = {0};
    int result = list_names(place, &names, error);

    for (size_t i = 0; result == 0 && i < names.count; i++)
        result = move_name(place, names.all[i], false, error);
    if (result == 0)
        result = sync_working(place, error);
    for (size_t i = 0; result == 0 && i < names.count; i++) {
        result = move_name(place, names.all[i], true, error);
        if (result != 0)
            take_back(place, &names, i);
    }
    if (result == 0) /* too late to take it back, and nothing is wrong with what was written */
        (void)base_output_sync_directory(place->working);
    if (result != 0 && error != NULL && error->status != BASE_USAGE)
        error->status = BASE_SYSTEM;
    free_names(&names);
    return result;
}

/* After a finish that went well the working directory is empty. */
void trace_place_abandon(struct trace_place *place)
{
    if (place->working != NULL)
        base_output_remove_tree(place->working);
    if (place->working != NULL && place->descriptor >= 0)
        close(place->descriptor);
    free(place->working);
    free(place->directory);
    free(place->stem);
    *place = (struct trace_place){0};
}
