/* Files that are complete or absent: written beside their target and renamed, so that no failure leaves a
 * half-written one and an older file survives a failed run. "-" is standard output.
 *
 *     struct base_output output;
 *     if (base_output_open(&output, path, error) != 0)
 *         return -1;
 *     fprintf(output.stream, ...);                  write errors need no check here
 *     if (cannot_go_on) {
 *         base_output_discard(&output);             the older file is still there
 *         return -1;
 *     }
 *     return base_output_commit(&output, error);
 *
 * A process that is killed in between leaves a file ".flitreplay-<process>-<number>" beside the target; one that
 * ends by itself calls base_output_remove_unfinished. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdio.h>

#include "base/error.h"

/* How the names of working files and directories begin: the process (long), and what tells them apart behind it. */
#define BASE_OUTPUT_WORKING ".flitreplay-%ld-"

struct base_output {
    FILE *stream;  /* write here */
    char *path;    /* the target, NULL for standard output */
    char *working; /* the file beside it, NULL when the target is written directly */
};

/* Opens a new working file beside path. A target that is not a regular file (/dev/full, a pipe) is opened
 * directly. A link is followed: the file it names is the one replaced. Errors (status BASE_SYSTEM): no such
 * directory, a directory or a file that may not be written, no memory. */
int base_output_open(struct base_output *output, const char *path, struct base_error *error);
/* Flushes, checks every write error (a full disk), and renames into place. On failure nothing is left and the
 * error says why: status BASE_SYSTEM. The output is closed in either case. */
int base_output_commit(struct base_output *output, struct base_error *error);
/* Waits until what was written to the descriptor, or the names in the directory of the path, are on the disk. 0, or
 * the number of the error (errno). */
int base_output_sync(int descriptor);
int base_output_sync_directory(const char *path);
/* Removes a file, or a directory with what it holds. What cannot be removed stays. */
void base_output_remove_tree(const char *path);
/* Removes the working files and directories that the process has open (found in /proc; elsewhere they stay). For a
 * process that is about to end, whatever its other threads do. */
void base_output_remove_unfinished(void);
/* A new file without a name, to be written and read, in the directory that TMPDIR names, else in /tmp: it is gone when
 * it is closed, however the process ends. NULL: BASE_SYSTEM, with the directory. */
FILE *base_output_temporary(struct base_error *error);
/* Closes and removes the working file. Legal after a failed open and on a zeroed struct. */
void base_output_discard(struct base_output *output);

#endif
