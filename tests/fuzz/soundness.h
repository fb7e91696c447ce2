/* What every reader promises whatever it is given: an error with a sentence, or a program whose every field
 * that a consumer uses as an index is in range, whose streams run to their end, and which took no more memory
 * and operations than its files account for. */
#ifndef TESTS_FUZZ_SOUNDNESS_H
#define TESTS_FUZZ_SOUNDNESS_H

#include <stdbool.h>

#include "tests/fuzz/files.h"

struct soundness {
    bool opened;         /* the trace was read, not refused */
    char refusal[512];   /* the sentence when it was refused */
    char violation[512]; /* what is wrong with the reader; "" when nothing is */
};

/* Options of one byte: bit 0 collects defects, bit 1 keeps polling, bits 2 and 3 choose the clock. */
#define SOUNDNESS_DEFECTS 1
#define SOUNDNESS_POLLING 2
#define SOUNDNESS_CLOCK_SHIFT 2

/* Opens the trace, takes everything out of it and closes it. */
void soundness_check(const char *path, unsigned options, struct soundness *result);
/* The same for files that are not on disk yet; writes them into the directory and removes them. */
void soundness_check_files(enum fuzz_reader reader, const char *directory, const struct fuzz_files *files,
                           struct soundness *result);

#endif
