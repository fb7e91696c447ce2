/* The working file is ".flitreplay-<process>-<number>" in the target's own directory, so that rename is
 * atomic and a target's name may be as long as the file system allows. It is made with O_EXCL, so it is ours
 * alone, and with the permissions that an ordinary open would have given. It is open until it has its own name,
 * so that what is unfinished can be found among the descriptors of the process.
 *     open      target/.flitreplay-4711-0      written
 *     commit    fsync, rename                  target/answer.json
 *     discard   unlink                         target/answer.json as it was */
#include <config.h>

#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 10000  /* more outputs than one process has open */
#define REMOVALS 100 /* of a directory in which others go on writing */

/* A failed write is a failure of the system whatever its number, unlike a failed read. */
static int fail(struct base_error *error, int number, const char *path)
{
    base_error_system(error, number, "cannot write %s", path == NULL ? "standard output" : path);
    if (error != NULL)
        error->status = BASE_SYSTEM;
    return -1;
}

/* Opens a new file in the directory of output->path. Returns a descriptor, or -1 with errno. A number that is
 * taken belongs to another output of this process, or to one of the same number that was killed: the next is
 * tried. */
static int open_beside(struct base_output *output)
{
    const char *slash = strrchr(output->path, '/');
    int length = slash == NULL ? 0 : (int)(slash - output->path) + 1;
    size_t size = (size_t)length + 64;
    int descriptor = -1;

    output->working = malloc(size);
    if (output->working == NULL)
        return -1;
    for (int i = 0; i < TRIES; i++) {
        snprintf(output->working, size, "%.*s" BASE_OUTPUT_WORKING "%d", length, output->path, (long)getpid(),
                 i);
        descriptor = open(output->working, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            break;
    }
    if (descriptor < 0) {
        int number = errno;
        free(output->working); /* not ours: discard must not remove it */
        output->working = NULL;
        errno = number;
    }
    return descriptor;
}

/* The file that a new one at path would replace is looked through links, and must be one that we might write.
 */
static int open_target(struct base_output *output, const char *path)
{
    struct stat target;
    int descriptor;

    if (stat(path, &target) != 0) {
        if (errno != ENOENT || *path == '\0')
            return -1;
        output->path = strdup(path);
        return output->path == NULL ? -1 : open_beside(output);
    }
    if (!S_ISREG(target.st_mode)) {
        output->path = strdup(path);
        return output->path == NULL ? -1 : open(path, O_WRONLY | O_CLOEXEC);
    }
    output->path = realpath(path, NULL);
    if (output->path == NULL || access(path, W_OK) != 0)
        return -1;
    descriptor = open_beside(output);
    if (descriptor >= 0)
        (void)!fchmod(descriptor, target.st_mode & 0777); /* a courtesy to the older file's permissions */
    return descriptor;
}

/* Nothing of the target is touched here, so that a run that fails later leaves it as it was. */
int base_output_open(struct base_output *output, const char *path, struct base_error *error)
{
    int descriptor;

    *output = (struct base_output){0};
    if (strcmp(path, "-") == 0) {
        output->stream = stdout;
        return 0;
    }
    descriptor = open_target(output, path);
    output->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (output->stream == NULL) {
        int number = errno;
        if (descriptor >= 0)
            close(descriptor);
        base_output_discard(output);
        return fail(error, number, path);
    }
    return 0;
}

/* Why an earlier write to the stream failed. The C library keeps only the fact, so one more byte is written
 * to see the reason again; what was written is of no use any more. */
static int reason_of_failure(FILE *stream)
{
    clearerr(stream);
    errno = 0;
    if (fputc('\n', stream) != EOF && fflush(stream) == 0)
        return EIO;
    return errno != 0 ? errno : EIO;
}

/* Everything has been written; 0, or the number of the first error that the stream met. */
static int finish_stream(FILE *stream)
{
    if (ferror(stream))
        return reason_of_failure(stream);
    return fflush(stream) == 0 ? 0 : errno;
}

/* A file system that cannot do so (a pipe's, some network's) has nothing to wait for. */
int base_output_sync(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS || errno == EROFS ? 0 : errno;
}

/* The name of a file is of its directory. One that may not be read cannot be asked; then the name is there a moment
 * later, as with any program. */
int base_output_sync_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1; /* with the slash, which is all of "/" */
    char directory[PATH_MAX] = ".";
    int descriptor, number;

    if (length >= sizeof directory)
        return 0;
    if (length > 0)
        snprintf(directory, sizeof directory, "%.*s", (int)length, path);
    descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    number = descriptor < 0 ? 0 : base_output_sync(descriptor);
    if (descriptor >= 0)
        close(descriptor);
    return number;
}

/* On the disk before it has its name, so that a machine that stops leaves the old file or the new one. */
static int rename_working(struct base_output *output)
{
    int number = base_output_sync(fileno(output->stream));

    if (number == 0 && rename(output->working, output->path) != 0)
        number = errno;
    if (number != 0)
        return number;
    free(output->working);
    output->working = NULL;
    return base_output_sync_directory(output->path);
}

/* The rename is the moment at which the file exists. Whatever fails before it leaves the old file, and the
 * one beside it is removed. */
int base_output_commit(struct base_output *output, struct base_error *error)
{
    int number = finish_stream(output->stream);

    if (number == 0 && output->working != NULL)
        number = rename_working(output);
    if (output->stream != stdout && fclose(output->stream) != 0 && number == 0)
        number = errno;
    output->stream = NULL;
    if (number != 0)
        fail(error, number, output->path);
    base_output_discard(output);
    return number == 0 ? 0 : -1;
}

/* Also right for an output that was never opened or has been committed. */
void base_output_discard(struct base_output *output)
{
    if (output->stream != NULL && output->stream != stdout)
        fclose(output->stream);
    if (output->working != NULL)
        unlink(output->working);
    free(output->working);
    free(output->path);
    *output = (struct base_output){0};
}

/* What cannot be removed stays; there is nobody to tell. */
static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

/* Depth first, and without following links: a link to somewhere else is removed, not what it names. */
void base_output_remove_tree(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* The working file or directory that the path is or lies in: the path, cut behind its name. NULL: none of ours. */
static char *find_working(char *path)
{
    char name[64];
    char *found, *end;

    snprintf(name, sizeof name, "/" BASE_OUTPUT_WORKING, (long)getpid());
    found = strstr(path, name);
    end = found == NULL ? NULL : strchr(found + 1, '/');
    if (end != NULL)
        *end = '\0';
    return found == NULL ? NULL : path;
}

/* Other threads may still write. Where one has made a file between the look into a directory and its removal, it is
 * looked at again; once the directory is gone, none can be made there. */
void base_output_remove_unfinished(void)
{
    DIR *descriptors = opendir("/proc/self/fd");
    const struct dirent *entry;

    while (descriptors != NULL && (entry = readdir(descriptors)) != NULL) {
        char path[PATH_MAX];
        ssize_t length = readlinkat(dirfd(descriptors), entry->d_name, path, sizeof path - 1);

        path[length < 0 ? 0 : length] = '\0';
        for (int i = 0; i < REMOVALS && find_working(path) != NULL && access(path, F_OK) == 0; i++)
            base_output_remove_tree(path);
    }
    if (descriptors != NULL)
        closedir(descriptors);
}

/* Without a name from the first moment on that it could be found. */
FILE *base_output_temporary(struct base_error *error)
{
    const char *given = getenv("TMPDIR");
    const char *directory = given == NULL || *given == '\0' ? "/tmp" : given;
    char path[PATH_MAX];
    FILE *file = NULL;
    int descriptor = -1;

    if (snprintf(path, sizeof path, "%s/flitreplay-XXXXXX", directory) < (int)sizeof path)
        descriptor = mkstemp(path);
    else
        errno = ENAMETOOLONG;
    if (descriptor >= 0) {
        unlink(path);
        file = fdopen(descriptor, "w+");
    }
    if (file != NULL)
        return file;
    base_error_system(error, errno, "no temporary file in %.200s", directory);
    if (error != NULL)
        error->status = BASE_SYSTEM;
    if (descriptor >= 0)
        close(descriptor);
    return NULL;
}
