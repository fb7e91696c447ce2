/* Gives the inputs of a corpus to a fuzz target without a fuzzer:
 *
 *      replay-otf2 [FILE | DIRECTORY]...
 *
 * Without arguments the target's corpus in the source tree. Exit status 0 when all were read; a target that
 * finds something ends the program by abort, after the name of the input. */
#include <config.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/target.h"

#define TIME_LIMIT_SECONDS 300 /* of all: an input that never ends fails the test */

/* The name goes out before the input is read, so that it is the last line when the target aborts. */
static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    struct stat status;
    size_t size = 0;

    if (file == NULL || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) ||
        (data = malloc((size_t)status.st_size + 1)) == NULL) {
        perror(path);
        if (file != NULL)
            fclose(file);
        return -1;
    }
    size = fread(data, 1, (size_t)status.st_size, file);
    fclose(file);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

/* Not the directory itself, its parent, or what an editor hides. */
static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The number of inputs, or -1. The directory that an input is in is what a target of several kinds goes by. */
static int replay(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct dirent **entries;
    struct stat status;
    int count;
    int replayed = 0;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return replay_file(path);
    setenv("FLITREPLAY_FUZZ", slash == NULL ? path : slash + 1, 1);
    count = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        char below[4096];

        snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name);
        if (replayed >= 0) {
            int more = replay(below);

            replayed = more < 0 ? -1 : replayed + more;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return count < 0 ? -1 : replayed;
}

int main(int argc, char **argv)
{
    const char *top = getenv("top_srcdir");
    char corpus[4096];
    int replayed = 0;

    alarm(TIME_LIMIT_SECONDS);
    snprintf(corpus, sizeof corpus, "%s/tests/fuzz/corpus/%s", top != NULL ? top : ".", CORPUS);
    if (argc < 2)
        replayed = replay(corpus);
    for (int i = 1; i < argc && replayed >= 0; i++) {
        int more = replay(argv[i]);

        replayed = more < 0 ? -1 : replayed + more;
    }
    printf("%d inputs of %s\n", replayed, CORPUS);
    return replayed > 0 ? 0 : 1;
}
