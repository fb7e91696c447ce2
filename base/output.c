/* The working file is ".flitreplay-<process>-<number>" in the target's own directory, so that rename is
 * atomic and a target's name may be as long as the file system allows. It is made with O_EXCL, so it is ours
 * alone, and with the permissions that an ordinary open would have given. */
#include <config.h>

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 10000 /* more outputs than one process has open */

/* A failed write is a failure of the system whatever its number, unlike a failed read. */
static int fail(struct base_error *error, int number, const char *path)
{
    base_error_system(error, number, "cannot write %s", path == NULL ? "standard output" : path);
    if (error != NULL)
        error->status = BASE_SYSTEM;
    return -1;
}

/* Opens a new file in the directory of output->path. Returns a descriptor, or -1 with errno. */
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
        snprintf(output->working, size, "%.*s.flitreplay-%ld-%d", length, output->path, (long)getpid(), i);
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

/* Flushes and closes; 0, or the number of the first error that the stream met. */
static int finish_stream(FILE *stream)
{
    int number = 0;

    if (ferror(stream))
        number = reason_of_failure(stream);
    else if (fflush(stream) != 0)
        number = errno;
    if (stream != stdout && fclose(stream) != 0 && number == 0)
        number = errno;
    return number;
}

/* The rename is the moment at which the file exists. Whatever fails before it leaves the old file, and the
 * one beside it is removed. */
int base_output_commit(struct base_output *output, struct base_error *error)
{
    int number = finish_stream(output->stream);

    output->stream = NULL;
    if (number == 0 && output->working != NULL) {
        if (rename(output->working, output->path) == 0) {
            free(output->working);
            output->working = NULL;
        } else {
            number = errno;
        }
    }
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
