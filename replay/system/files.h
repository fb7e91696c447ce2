/* The files that a subcommand writes. They are checked before the long work, so that a wrong path costs
 * nothing; an ordinary file is then closed again and made only when its content is there, so that an
 * interrupted run leaves neither a result nor a temporary file behind. */
#ifndef REPLAY_SYSTEM_FILES_H
#define REPLAY_SYSTEM_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/output.h"

#define REPLAY_FILES_MAX 24

struct replay_file {
    const char *path; /* NULL: not wanted. "-": standard output */
    struct base_output output;
    bool is_open; /* checked, and not finished yet */
};

struct replay_files {
    struct replay_file file[REPLAY_FILES_MAX]; /* the first `count` of them */
    size_t count;                              /* of files in use */
};

/* Adds a path (NULL is legal) and returns its place in file[]. */
size_t replay_files_add(struct replay_files *files, const char *path);
/* Checks that every file can be written, that no two are the same, and that none is `input` (which may be
 * NULL). -1: BASE_USAGE or BASE_SYSTEM, and nothing is left open. */
int replay_files_open(struct replay_files *files, const char *input, struct base_error *error);
/* Whether two paths name one file, or both standard output; /dev/null is no file. */
bool replay_files_are_same(const char *a, const char *b);
/* Closes what is open. Nothing unfinished is left behind. */
void replay_files_discard(struct replay_files *files);

/* What writes a file: 0, or -1 with the error. */
typedef int replay_writer(const void *content, FILE *stream, struct base_error *error);
/* Writes the file, whole or not at all. A file that is not wanted is not written. */
int replay_files_write(struct replay_files *files, size_t place, replay_writer *writer, const void *content,
                       struct base_error *error);
/* Writes the readable answer to standard output, unless `quiet`, or one of the files goes there. */
int replay_files_print(const struct replay_files *files, bool quiet, replay_writer *writer,
                       const void *content, struct base_error *error);

#endif
